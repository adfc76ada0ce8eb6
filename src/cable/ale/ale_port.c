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

// b of a port, at the one or two unknowns of the flows that it reaches; answers the first of them.
static int reach(const rvAle* ale, const rvAlePort* port, double b[2])
{
    if (port->length) {
        b[0] = -1.0;
        b[1] = 1.0;
        return ale->behind[port->place];
    }
    if (port->fall < 0) {
        b[0] = 1.0;
        b[1] = port->parting ? -1.0 : 0.0;
        return port->parting ? ale->before[port->place] : ale->behind[port->place];
    }
    const rvAleBorder* border = &ale->falls[port->fall].border;
    int dof = dof_of(ale, port);
    b[0] = -border->solved[0][dof];
    b[1] = -border->solved[1][dof];
    return ale->behind[port->fall];
}

static double* column_of(const rvAle* ale, const rvAlePort* port)
{
    return ale->falls[port->fall].ports[6 * port->end + port->dof];
}

void rv_ale_port_pass(rvAle* ale, const rvAlePort* ports, int count, double* places, double* compliance, double* spread)
{
    rv_ale_pass(ale);
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
        rvAncf* cable = ale->falls[port->fall].ancf;
        double* column = column_of(ale, port);
        int dof = dof_of(ale, port);
        memset(column, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
        column[dof] = 1.0;
        rv_ancf_solve(cable, cable->slots, column);
        places[i] = ale->falls[port->fall].rt.p[dof] + ale->falls[port->fall].rt.r[dof];
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) {
            double b[2];
            int first = reach(ale, &ports[i], b);
            const double* from = spread + k * ale->unknownCount;
            double sum = b[0] * from[first] + (first + 1 < ale->unknownCount ? b[1] * from[first + 1] : 0.0);
            if (ports[i].fall >= 0 && ports[i].fall == ports[k].fall)
                sum += column_of(ale, &ports[k])[dof_of(ale, &ports[i])];
            compliance[i * count + k] = sum;
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
        const double *a = fall->border.solved[0], *b = fall->border.solved[1];
        for (int k = 0; k < fall->ancf->dofCount; k++)
            fall->rt.r[k] -= a[k] * flows[ale->behind[f]] + b[k] * flows[ale->before[f + 1]];
        fall->dp[0] += flows[ale->behind[f]];
        fall->dp[1] += flows[ale->before[f + 1]];
    }
    for (int j = 0; j < ale->unknownCount; j++)
        ale->flowForce[j] += flows[j];
    return rv_ale_take(ale);
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
