// SPDX-License-Identifier: MIT
// All coordinates of a cable of falls together, with forces at any ports, and with springs that hold points
// (touch.h): a spring of stiffness k at a point that goes a.q + b.p adds k a a^T to H of its fall, k b a to its
// columns and k b b^T to its corner (ale_solve.c).
#include "cable/ale/ale_port.h"

#include "cable/ale/ale_parts.h"

void rv_ale_hold_clear(rvAle* ale)
{
    memset(ale->pushedFlows, 0, (size_t)ale->unknownCount * sizeof(double));
    for (int f = 0; f < ale->fallCount; f++)
        memset(ale->falls[f].hold.pushed, 0, (size_t)(ale->falls[f].ancf->dofCount + 6) * sizeof(double));
}

// Of the flows: which unknowns a port that is none of a fall's nodes reaches, and by how much.
static int reach(const rvAle* ale, const rvAlePort* port, double b[2])
{
    b[0] = port->none ? 0.0 : port->length ? -1.0 : 1.0;
    b[1] = port->length ? 1.0 : port->parting ? -1.0 : 0.0;
    return port->parting && !port->length ? ale->before[port->place] : ale->behind[port->place];
}

void rv_ale_hold_add(rvAle* ale, const rvAlePort* port, double force)
{
    const rvAlePoint* point = port->point;
    double b[2], *flows = ale->pushedFlows;
    if (port->fall < 0) {
        int first = reach(ale, port, b);
        flows[first] += b[0] * force;
        if (b[1] != 0.0)
            flows[first + 1] += b[1] * force;
        return;
    }
    rvAleFall* fall = &ale->falls[port->fall];
    if (!point)
        fall->hold.pushed[6 * rv_ale_end_node(fall, port->end) + port->dof] += force;
    for (int i = 0; point && i < 12; i++)
        fall->hold.pushed[6 * point->element + i] += force * point->shape[i / 3] * point->way[i % 3];
    for (int i = 0; point && i < 2; i++)
        flows[ale->behind[port->fall] + i] += force * point->flow[i];
}

double rv_ale_hold_read(const rvAle* ale, const rvAlePort* port)
{
    const rvAlePoint* point = port->point;
    const double* flows = ale->pushedFlows;
    double b[2], at[3];
    if (port->fall < 0) {
        int first = reach(ale, port, b);
        return b[0] * flows[first] + (b[1] != 0.0 ? b[1] * flows[first + 1] : 0.0);
    }
    const rvAleFall* fall = &ale->falls[port->fall];
    if (!point)
        return fall->hold.pushed[6 * rv_ale_end_node(fall, port->end) + port->dof];
    rv_ancf_blend(fall->hold.pushed, point->element, point->shape, at);
    int first = ale->behind[port->fall];
    return rv_ancf_dot3(point->way, at) + point->flow[0] * flows[first] + point->flow[1] * flows[first + 1];
}

void rv_ale_hold_begin(rvAle* ale)
{
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        rvAleBorder* b = &fall->hold.border;
        size_t size = (size_t)(fall->ancf->dofCount + 6) * sizeof(double);
        memcpy(fall->hold.slots, fall->ancf->plain, ((size_t)fall->ancf->slotCount + 1) * sizeof *fall->hold.slots);
        for (int i = 0; i < 2; i++)
            memcpy(b->column[i], fall->border.column[i], size);
        memcpy(b->corner, fall->border.corner, sizeof b->corner);
    }
}

void rv_ale_hold_spring(rvAle* ale, const rvAlePort* port, double stiffness)
{
    const rvAlePoint* point = port->point;
    rvAleBorder* b = &ale->falls[port->fall].hold.border;
    for (int k = 0; k < 2; k++)
        for (int i = 0; point->flow[k] != 0.0 && i < 12; i++)
            b->column[k][6 * point->element + i] +=
                stiffness * point->flow[k] * point->shape[i / 3] * point->way[i % 3];
    b->corner[0] += stiffness * point->flow[0] * point->flow[0];
    b->corner[1] += stiffness * point->flow[0] * point->flow[1];
    b->corner[2] += stiffness * point->flow[1] * point->flow[1];
}

static void swap_flows(rvAle* ale)
{
    double *diagonal = ale->diagonal, *lower = ale->lower;
    ale->diagonal = ale->heldDiagonal;
    ale->lower = ale->heldLower;
    ale->heldDiagonal = diagonal;
    ale->heldLower = lower;
}

void rv_ale_hold_factor(rvAle* ale)
{
    size_t size = (size_t)ale->unknownCount * sizeof(double);
    memcpy(ale->heldDiagonal, ale->plainDiagonal, size);
    memcpy(ale->heldLower, ale->plainLower, size);
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        rvAleBorder* b = &fall->hold.border;
        double now[3], was[3];
        int at = ale->behind[f];
        rv_ancf_factor(fall->ancf, fall->hold.slots);
        for (int i = 0; i < 2; i++) {
            bool held = rv_ale_flow_is_held(ale, f, i);
            memcpy(b->solved[i], b->column[i], (size_t)(fall->ancf->dofCount + 6) * sizeof(double));
            if (held)
                memset(b->solved[i], 0, (size_t)(fall->ancf->dofCount + 6) * sizeof(double));
            else
                rv_ancf_solve(fall->ancf, fall->hold.slots, b->solved[i]);
        }
        rv_ale_reduce(ale, f, b, now);
        rv_ale_reduce(ale, f, &fall->border, was);
        ale->heldDiagonal[at] += now[0] - was[0];
        ale->heldDiagonal[at + 1] += now[2] - was[2];
        ale->heldLower[at + 1] += now[1] - was[1];
    }
    swap_flows(ale);
    rv_ale_factor_flows(ale);
    swap_flows(ale);
}

void rv_ale_hold_solve(rvAle* ale, bool held)
{
    double* flows = ale->pushedFlows;
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        const rvAleBorder* b = held ? &fall->hold.border : &fall->border;
        rv_ancf_solve(fall->ancf, held ? fall->hold.slots : fall->ancf->slots, fall->hold.pushed);
        for (int i = 0; i < 2; i++)
            if (!rv_ale_flow_is_held(ale, f, i))
                flows[ale->behind[f] + i] -= rv_ancf_dot(fall->ancf, b->column[i], fall->hold.pushed);
    }
    if (held)
        swap_flows(ale);
    rv_ale_solve_flows(ale, flows);
    if (held)
        swap_flows(ale);
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        const rvAleBorder* b = held ? &fall->hold.border : &fall->border;
        rv_ale_take_off(fall->ancf->dofCount, b->solved[0], flows[ale->behind[f]], b->solved[1],
                        flows[ale->behind[f] + 1], fall->hold.pushed);
    }
}

void rv_ale_hold_take(rvAle* ale)
{
    const double* flows = ale->pushedFlows;
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        for (int i = 0; i < fall->ancf->dofCount; i++)
            fall->rt.r[i] += fall->hold.pushed[i];
        for (int i = 0; i < 2; i++)
            fall->dp[i] += flows[ale->behind[f] + i];
    }
    for (int j = 0; j < ale->unknownCount; j++)
        ale->flowForce[j] += flows[j];
}

void rv_ale_hold_take_rate(rvAle* ale, int which)
{
    for (int f = 0; f < ale->fallCount; f++) {
        double* x = rv_ale_rate_of(&ale->falls[f].rt, which);
        for (int i = 0; i < ale->falls[f].ancf->dofCount; i++)
            x[i] += ale->falls[f].hold.pushed[i];
    }
    for (int j = 0; j < ale->placeCount; j++)
        rv_ale_rate_of(&ale->rt, which)[j] += ale->pushedFlows[ale->before[j]];
}
