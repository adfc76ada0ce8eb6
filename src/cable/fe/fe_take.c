// SPDX-License-Identifier: MIT
// A cable of finite elements takes over from another model, and tells one where it is.
//
// It hangs at rest by its rest length between its ends as they are, so its tension is that of a rope at rest; its nodes
// move as the points of the old one did.
#include "cable/fe/fe.h"

void rv_fe_point(const rvCable* cable, const rvBodyStore* bodies, double h, int span, double share, rvVec3* at,
                 rvVec3* speed)
{
    (void)bodies;
    (void)h;
    double from = rv_cable_rest_before(cable, span), rest = cable->route.places[span].state.rest;
    rvAncfPoint point = rv_ancf_point(cable->fe->ancf, from + share * rest);
    *at = point.position;
    *speed = point.velocity;
}

static rvVec3 node_at(const double* q, int node)
{
    return rvVec(q[6 * node], q[6 * node + 1], q[6 * node + 2]);
}

static void put_node(double* q, int node, rvVec3 x)
{
    const double numbers[3] = {x.x, x.y, x.z};
    memcpy(q + 6 * node, numbers, sizeof numbers);
}

bool rv_fe_take_motion(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, double h)
{
    rvAncf* ancf = cable->fe->ancf;
    for (int n = 0; n < ancf->nodeCount; ++n) {
        int span = cable->fe->spans[n > 0 ? n - 1 : 0];
        double share = (ancf->places[n] - rv_cable_rest_before(cable, span)) / cable->route.places[span].state.rest;
        rv_fe_take_node(ancf, n, old, bodies, h, span, fmin(fmax(share, 0.0), 1.0));
    }
    rv_fe_smooth_speeds(ancf);
    return rv_fe_lead_speeds(ancf);
}

void rv_fe_take_node(rvAncf* ancf, int n, const rvCable* old, const rvBodyStore* bodies, double h, int span,
                     double share)
{
    rvVec3 unused, speed;
    rv_cable_point(old, bodies, h, span, share, &unused, &speed);
    put_node(ancf->v, n, speed);
}

void rv_fe_smooth_speeds(rvAncf* ancf)
{
    int last = ancf->nodeCount - 1;
    rv_ancf_set_held(ancf, ancf->aimRate, ancf->v);
    for (int n = 0; n <= last; ++n) {
        int a = n > 0 ? n - 1 : 0, b = n < last ? n + 1 : last;
        rvVec3 turning =
            rvScale(1.0 / (ancf->places[b] - ancf->places[a]), rvSub(node_at(ancf->v, b), node_at(ancf->v, a)));
        const double numbers[3] = {turning.x, turning.y, turning.z};
        memcpy(ancf->v + 6 * n + 3, numbers, sizeof numbers);
    }
    rv_ancf_set_held(ancf, ancf->aimRate, ancf->v);
}

// A body's velocity is half a step old, and the old rope may have lain otherwise: its stiffness would make a blow of
// that.
bool rv_fe_lead_speeds(rvAncf* ancf)
{
    double before = rv_ancf_kinetic(ancf, ancf->v);
    rv_ancf_lead_speeds(ancf, RV_FE_QUICK);
    return rv_ancf_kinetic(ancf, ancf->v) <= 4.0 * before;
}

void rv_fe_take(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, rvVec3 gravity, double h)
{
    rv_fe_start(cable, old, bodies, gravity, false, h);
}
