// SPDX-License-Identifier: MIT
// A rope that flows takes over from another model, and tells one where it is.
//
// It hangs at rest by its rest length between its places as they are; its nodes move as the points of the old one did.
// How fast rope passes the places follows from the lengths of the spans: between two places that hold it, or a winch
// that pays it out, the rope is stretched everywhere alike,
//   p'(j+1) - p'(j) = l'(j)/(1 + e) + s l(j),   s: so that the ends of such a part have the rates that hold them
// l' the rate of a span, e the mean stretch.
#include "cable/ale/ale_rope.h"
#include "cable/fe/fe.h"
#include "cable/route/start_speed.h"

void rv_ale_rope_point(const rvCable* cable, const rvBodyStore* bodies, double h, int span, double share, rvVec3* at,
                       rvVec3* speed)
{
    (void)bodies;
    (void)h;
    const rvAleFall* fall = &cable->rope->ale->falls[span];
    rvAncfPoint point = rv_ancf_point(fall->ancf, share * fall->mesh);
    *at = point.position;
    *speed = point.velocity;
}

static double span_rate(const rvCable* cable, const rvBodyStore* bodies, int span)
{
    const double SLACK = 1.01; // rope of such a chord: it takes up how that changes by its sag
    rvVec3 unused, first, last;
    if (rv_ale_fall_length(cable->rope->ale, span) > SLACK * cable->route.spans[span].length)
        return 0.0;
    rv_route_chord_point(&cable->route, bodies, span, 0.0, &unused, &first);
    rv_route_chord_point(&cable->route, bodies, span, 1.0, &unused, &last);
    return rvDot(cable->route.spans[span].u, rvSub(last, first));
}

// Between places `from` and `to`, whose rates are known; of `open`, if it is one of these, it is as much as the rest of
// them needs.
static void share_rates(const rvCable* cable, const rvBodyStore* bodies, int from, int to, int open, double* rates)
{
    const rvRoute* route = &cable->route;
    double share = 1.0 / fmax(1.0, route->length / cable->state.restLength), length = 0.0;
    double missing = rates[to] - rates[from], last = rates[to];
    for (int i = from; i < to; ++i) {
        double rate = share * span_rate(cable, bodies, i);
        rates[i + 1] = rates[i] + rate;
        missing -= rate;
        length += route->spans[i].length;
    }
    if (open == to) {
        last -= missing;
        missing = 0.0;
    }
    for (int j = from; open == from && j < to; ++j)
        rates[j] += missing;
    missing = open == from ? 0.0 : missing;
    double before = 0.0;
    for (int j = from + 1; j < to; ++j) {
        before += route->spans[j - 1].length;
        rates[j] += missing * before / length;
    }
    rates[to] = last;
}

// open: the place of a winch whose rope goes as it is drawn, -1: none
static void take_flows(const rvCable* cable, const rvBodyStore* bodies, int open)
{
    rvAle* ale = cable->rope->ale;
    double* rates = ale->flow[RV_ALE_RATE];
    int n = ale->fallCount, from = 0;
    for (int i = 0; i < 2; ++i)
        rates[i * n] = cable->winch[i].exists ? (i == 0 ? -1.0 : 1.0) * cable->winch[i].state.rate : 0.0;
    for (int j = 1; j <= n; ++j)
        if (j == n || cable->route.places[j].type == RV_PLACE_ATTACH) {
            if (j < n)
                rates[j] = 0.0;
            share_rates(cable, bodies, from, j, open, rates);
            from = j;
        }
    memcpy(ale->flowRate, rates, (size_t)ale->placeCount * sizeof(double)); // of those that are held while it starts
}

// No speeds that stretch the rope of a fall, beside what flows: as if all of that were its mesh's.
static bool lead_speeds(rvAle* ale, int f)
{
    const double* rate = ale->flow[RV_ALE_RATE];
    double first = rv_ale_begin_of(ale, rate, f), last = rv_ale_end_of(ale, rate, f);
    rv_ale_lead_mesh(ale, f, -first, -last);
    bool fits = rv_fe_lead_speeds(ale->falls[f].ancf);
    rv_ale_lead_mesh(ale, f, first, last);
    return fits;
}

static void move_with_ends(const rvCable* cable, const rvBodyStore* bodies, int f, bool led)
{
    rvAle* ale = cable->rope->ale;
    const rvAleFall* fall = &ale->falls[f];
    rvAncf* ancf = fall->ancf;
    rvStartSpeed speed = rv_start_speed_of(cable, bodies, f);
    for (int n = 0; n < ancf->nodeCount; ++n)
        rv_start_speed_lay(&speed, ancf->places[n] / fall->mesh, fall->mesh, ancf->q + 6 * n, ancf->v + 6 * n);
    rv_ancf_set_held(ancf, ancf->aimRate, ancf->v);
    if (led && speed.stretches)
        lead_speeds(ale, f);
}

void rv_ale_rope_take_motion(const rvCable* cable, const rvCable* old, const rvBodyStore* bodies, double h)
{
    rvAle* ale = cable->rope->ale;
    take_flows(cable, bodies, -1);
    for (int f = 0; f < ale->fallCount; ++f) {
        rvAncf* ancf = ale->falls[f].ancf;
        for (int n = 0; n < ancf->nodeCount; ++n)
            rv_fe_take_node(ancf, n, old, bodies, h, f, ancf->places[n] / ale->falls[f].mesh);
        rv_fe_smooth_speeds(ancf);
        if (!lead_speeds(ale, f))
            move_with_ends(cable, bodies, f, true);
    }
}

void rv_ale_rope_move_along(const rvCable* cable, const rvBodyStore* bodies, bool led)
{
    const rvAle* ale = cable->rope->ale;
    // how fast a winch goes is told by its first step: till then its rope comes off as the others draw it
    take_flows(cable, bodies, cable->winch[1].exists ? ale->fallCount : cable->winch[0].exists ? 0 : -1);
    for (int f = 0; f < ale->fallCount; ++f)
        move_with_ends(cable, bodies, f, led);
}
