// SPDX-License-Identifier: MIT
// A cable of finite elements on the way to rest: its part of an iteration of settling (src/world/settle.c).
//
// Every iteration is a step of implicit Euler from rest over all that hangs together,
//   (M/h^2 + K) d = Q + P^T l,    G v' + C y = (P (q + d0) - x - r)/h,   C = P (M/h^2 + K)^-1 P^T/h^2,   l = -y/h
// so a port's rows are those of a step (model_ancf.c) with cM = 1/h^2 and no past; h grows, and at the end it is
// Newton's method for bodies and elements together. A cable that meets no shapes comes to rest by itself first, its
// ports held where their bodies are (Newton with continuation, ancf_static.c): then the rows know its true forces, and
// a slack rope finds its way. One that may touch shapes goes with the bodies only: its contacts are rows among theirs.
#include "cable/fe/fe.h"

// What hangs on nothing and touches nothing is left where it is.
static bool hangs(const rvCable* cable)
{
    const rvFe* fe = cable->fe;
    return fe->touchCount > 0 || (fe->gripCount > 0 && cable->state.broken == 0.0);
}

// Moves the nodes along with the grips as they moved, in proportion between them.
static void follow_grips(rvFe* fe, const rvBodyStore* bodies)
{
    rvAncf* ancf = fe->ancf;
    for (int n = 0, k = 0; n < ancf->nodeCount; ++n) {
        while (k + 1 < fe->gripCount && fe->grips[k + 1].node <= n)
            k += 1;
        int next = k + 1 < fe->gripCount && fe->grips[k].node <= n ? k + 1 : k;
        rvVec3 first = rv_fe_grip_gap(fe, k, bodies), last = rv_fe_grip_gap(fe, next, bodies);
        double from = ancf->places[fe->grips[k].node], to = ancf->places[fe->grips[next].node];
        double share = to > from ? (ancf->places[n] - from) / (to - from) : 0.0;
        rvVec3 move = rvMulAdd(first, share, rvSub(last, first));
        double* q = ancf->work[0] + 6 * n;
        memcpy(q, ancf->q + 6 * n, 6 * sizeof(double));
        q[0] += move.x;
        q[1] += move.y;
        q[2] += move.z;
    }
    rv_ancf_copy(ancf, ancf->q, ancf->work[0]);
}

// Forces of the ports, as if they had been the same for long.
static void keep_force(rvGripState* state, const double force[6])
{
    for (int i = 0; i < 3; ++i)
        memcpy(state->past[i], force, sizeof state->past[i]);
    state->spin = rvVec(0, 0, 0);
    memset(state->rate, 0, sizeof state->rate);
    memset(state->change, 0, sizeof state->change);
}

void rv_fe_begin_rest(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    rvFe* fe = cable->fe;
    rvError ignored = {0};
    fe->bodies = bodies;
    if (!fe->collides && hangs(cable)) {
        fe->h = 0.0;
        follow_grips(fe, bodies);
        rv_fe_hold_ports(fe);
        rv_ancf_settle(fe->ancf, 1e-12, &ignored);
        rv_ancf_rest(fe->ancf);
        for (int k = 0; k < fe->gripCount; ++k) {
            double force[6];
            rv_fe_read_force(fe, k, bodies, force);
            keep_force(&fe->states[k], force);
        }
        rv_fe_let_ports_go(fe);
    }
    memset(fe->pushes, 0, sizeof fe->pushes);
    fe->h = context->h;
    rv_ancf_port_begin_rest(fe->ancf, context->h);
    fe->bodies = NULL;
}

void rv_fe_end_rest(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    rvFe* fe = cable->fe;
    rv_ancf_port_end_rest(fe->ancf, hangs(cable) ? context->h / fe->h : 0.0);
    for (int k = 0; k < fe->gripCount && cable->state.broken == 0.0; ++k) {
        double force[6];
        rv_fe_read_force(fe, k, bodies, force);
        keep_force(&fe->states[k], fe->grips[k].pushed ? fe->grips[k].force : force);
    }
}

void rv_fe_measure_rest(const rvCable* cable, double gravity, rvBalance* balance)
{
    const rvFe* fe = cable->fe;
    rv_ancf_port_measure_rest(fe->ancf, &balance->displacement, &balance->turn, &balance->force);
    balance->load = fe->ancf->totalMass * gravity;
    for (int k = 0; k < fe->gripCount; ++k) {
        const double* f = fe->states[k].past[0];
        balance->load += sqrt(rv_ancf_dot3(f, f));
    }
    if (!hangs(cable) || !fe->collides) // it is at rest already with its ports as they are, and follows its bodies
        balance->displacement = balance->turn = 0.0;
    if (!hangs(cable))
        balance->force = 0.0;
}
