// SPDX-License-Identifier: MIT
#include "cable/ale/ale_port.h"

#include "cable/ale/ale_parts.h"

static const double RHO = 0.5;

void rv_ale_port_begin(rvAle* ale, double h)
{
    rv_ale_begin(ale, RHO, h);
}

static int dof_of(const rvAle* ale, const rvAlePort* port)
{
    return 6 * rv_ale_end_node(&ale->falls[port->fall], port->end) + port->dof;
}

// Of an end or a point of a fall: its coordinate in a vector of the fall.
static double read_port(const rvAle* ale, const rvAlePort* port, const double* x)
{
    if (!port->point)
        return x[dof_of(ale, port)];
    double at[3];
    rv_ancf_blend(x, port->point->element, port->point->shape, at);
    return rv_ancf_dot3(port->point->way, at);
}

static void seed(const rvAle* ale, const rvAlePort* port, double* x)
{
    const rvAlePoint* point = port->point;
    memset(x, 0, (size_t)(ale->falls[port->fall].ancf->dofCount + 6) * sizeof(double));
    if (!point)
        x[dof_of(ale, port)] = 1.0;
    for (int i = 0; point && i < 12; i++)
        x[6 * point->element + i] = point->shape[i / 3] * point->way[i % 3];
}

// b of a port, at the one or two unknowns of the flows that it reaches; answers the first of them.
static int reach(const rvAle* ale, const rvAlePort* port, double b[2])
{
    if (port->length || port->none) {
        b[0] = port->none ? 0.0 : -1.0;
        b[1] = -b[0];
        return ale->behind[port->place];
    }
    if (port->fall < 0) {
        b[0] = 1.0;
        b[1] = port->parting ? -1.0 : 0.0;
        return port->parting ? ale->before[port->place] : ale->behind[port->place];
    }
    const rvAleBorder* border = &ale->falls[port->fall].border;
    for (int i = 0; i < 2; i++)
        b[i] = (port->point ? port->point->flow[i] : 0.0) - read_port(ale, port, border->solved[i]);
    return ale->behind[port->fall];
}

static double* column_of(const rvAle* ale, const rvAlePort* port)
{
    return port->point ? port->point->column : ale->falls[port->fall].ports[6 * port->end + port->dof];
}

// What the flows of a pass move a point, from the start of the step on.
static double way_of_flow(const rvAle* ale, const rvAlePort* port)
{
    int f = port->fall;
    const double *now = ale->rt.p, *old = ale->flow[RV_ALE_P], *d = ale->flowForce + ale->behind[f];
    return port->point->flow[0] * (rv_ale_begin_of(ale, now, f) + d[0] - rv_ale_begin_of(ale, old, f)) +
           port->point->flow[1] * (rv_ale_end_of(ale, now, f) + d[1] - rv_ale_end_of(ale, old, f));
}

// H^-1 of unit forces at all ports of falls, up to three of a fall at once.
static void fill_columns(rvAle* ale, const rvAlePort* ports, int count)
{
    double* columns[RV_ANCF_SOLVED];
    int gathered = 0;
    for (int i = 0; i < count; i++) {
        if (ports[i].fall < 0)
            continue;
        const rvAncf* cable = ale->falls[ports[i].fall].ancf;
        columns[gathered++] = column_of(ale, &ports[i]);
        seed(ale, &ports[i], columns[gathered - 1]);
        bool goesOn = i + 1 < count && ports[i + 1].fall == ports[i].fall;
        if (gathered < RV_ANCF_SOLVED && goesOn)
            continue;
        rv_ancf_solve_several(cable, cable->slots, columns, columns, gathered);
        gathered = 0;
    }
}

double rv_ale_port_place(const rvAle* ale, const rvAlePort* port)
{
    const rvAleFall* fall = &ale->falls[port->fall];
    double place = read_port(ale, port, fall->rt.p) + read_port(ale, port, fall->rt.r);
    return port->point ? place + way_of_flow(ale, port) - read_port(ale, port, fall->ancf->q) : place;
}

void rv_ale_port_pass(rvAle* ale, const rvAlePort* ports, int count, double* places, double* compliance, double* spread)
{
    rv_ale_pass(ale);
    fill_columns(ale, ports, count);
    for (int i = 0; i < count; i++) {
        const rvAlePort* port = &ports[i];
        double b[2], *to = spread + i * ale->unknownCount;
        memset(to, 0, (size_t)ale->unknownCount * sizeof(double));
        int first = reach(ale, port, b);
        to[first] = b[0];
        if (first + 1 < ale->unknownCount)
            to[first + 1] = b[1];
        rv_ale_solve_flows(ale, to);
        if (port->length) {
            double length = rv_ale_end_of(ale, ale->rt.p, port->place) - rv_ale_begin_of(ale, ale->rt.p, port->place);
            places[i] = length + ale->flowForce[first + 1] - ale->flowForce[first];
            continue;
        }
        if (port->fall < 0) {
            places[i] = port->parting ? ale->flowForce[first] - ale->flowForce[first + 1]
                                      : ale->rt.p[port->place] + ale->flowForce[first];
            continue;
        }
        places[i] = rv_ale_port_place(ale, port);
    }
    for (int i = 0; i < count; i++) {
        double b[2];
        int first = reach(ale, &ports[i], b);
        for (int k = 0; k < count; k++) {
            const double* from = spread + k * ale->unknownCount;
            double sum = b[0] * from[first] + (first + 1 < ale->unknownCount ? b[1] * from[first + 1] : 0.0);
            if (ports[i].fall >= 0 && ports[i].fall == ports[k].fall)
                sum += read_port(ale, &ports[i], column_of(ale, &ports[k]));
            compliance[i * count + k] = sum;
        }
    }
}

double rv_ale_port_take(rvAle* ale, const rvAlePort* ports, int count, const double* force, const double* spread)
{
    double* flows = ale->flowWork[7];
    memset(flows, 0, (size_t)ale->unknownCount * sizeof(double));
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < ale->unknownCount; j++)
            flows[j] += force[i] * spread[i * ale->unknownCount + j];
        if (ports[i].fall < 0)
            continue;
        rvAleFall* fall = &ale->falls[ports[i].fall];
        const double* column = column_of(ale, &ports[i]);
        for (int k = 0; k < fall->ancf->dofCount; k++)
            fall->rt.r[k] += force[i] * column[k];
    }
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        rv_ale_take_off(fall->ancf->dofCount, fall->border.solved[0], flows[ale->behind[f]], fall->border.solved[1],
                        flows[ale->before[f + 1]], fall->rt.r);
        fall->dp[0] += flows[ale->behind[f]];
        fall->dp[1] += flows[ale->before[f + 1]];
    }
    for (int j = 0; j < ale->unknownCount; j++)
        ale->flowForce[j] += flows[j];
    return rv_ale_take(ale);
}

double rv_ale_port_rate(const rvAle* ale, const rvAlePort* port, int which)
{
    int f = port->fall;
    const double* flows = rv_ale_rate_of(&ale->rt, which);
    return read_port(ale, port, rv_ale_rate_of(&ale->falls[f].rt, which)) +
           port->point->flow[0] * rv_ale_begin_of(ale, flows, f) + port->point->flow[1] * rv_ale_end_of(ale, flows, f);
}

void rv_ale_port_change_rate(rvAle* ale, const rvAlePort* port, const double* spread, int which, double force)
{
    for (int f = 0; f < ale->fallCount; f++) {
        const rvAleFall* fall = &ale->falls[f];
        const double *a = fall->border.solved[0], *b = fall->border.solved[1], *own = column_of(ale, port);
        double first = force * spread[ale->behind[f]], last = force * spread[ale->before[f + 1]];
        double* x = rv_ale_rate_of(&fall->rt, which);
        for (int k = 0; k < fall->ancf->dofCount; k++)
            x[k] += (f == port->fall ? force * own[k] : 0.0) - a[k] * first - b[k] * last;
    }
    for (int j = 0; j < ale->placeCount; j++)
        rv_ale_rate_of(&ale->rt, which)[j] += force * spread[ale->before[j]];
}

double rv_ale_port_factor(const rvAle* ale)
{
    return ale->rt.cM;
}

double rv_ale_port_scale(const rvAle* ale)
{
    return rv_ale_scale(ale);
}

bool rv_ale_port_end(rvAle* ale)
{
    return rv_ale_finish(ale);
}
