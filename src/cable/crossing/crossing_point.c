// SPDX-License-Identifier: MIT
// Where the point of a crossing lies once the bodies have moved: it has no mass, so it goes on to where the two ropes,
// with the rest lengths that they have, store least energy,
//   V(x) = sum EA/(2 N_k) max(0, L_k(x) - N_k)^2   over the segments k around it,
// by Newton's rule: V is convex. What it gives up is heat. Where ropes stick to each other the point stays.
#include "cable/crossing/crossing.h"

#include "cable/route/route.h"
#include "cable/route/segment.h"
#include "math/sym3.h"

#define MOST_ROUNDS 30 // of Newton's rule for the point where the ropes are least stretched
#define SHORTEST 1e-6  // span for a stiffness across it [m]

// What is stretched around a crossing: four spans to the points `to`, each in one of up to four segments.
typedef struct {
    rvVec3 to[4];
    int part[4];
    int parts, cable[4], first[4];
    double fixed[4], rest[4], rate[4]; // of a part: its length beside these spans, rest length, stiffness
} stretched;

// The part that span `span` of a cable belongs to; it may be a new one.
static int part_of(const rvCableStore* store, stretched* around, int cable, int span)
{
    const rvRoute* route = &store->items[cable].route;
    int first = span, last = span + 1, k = 0;
    while (first > 0 && route->places[first].state.isJunction == 0.0)
        first -= 1;
    while (k < around->parts && (around->cable[k] != cable || around->first[k] != first))
        k += 1;
    if (k < around->parts)
        return k;
    while (last < route->spanCount && route->places[last].state.isJunction == 0.0)
        last += 1;
    around->parts += 1;
    around->cable[k] = cable;
    around->first[k] = first;
    around->fixed[k] = rv_segment_length(route, first, last);
    around->rest[k] = route->places[first].state.rest;
    around->rate[k] = store->items[cable].axialStiffness / around->rest[k];
    return k;
}

// The point is at `x`. All stretch counts, also what did not pull in the step: with less of it the point would be put
// where a rope is stretched by far more than anything put into it, and pulls by that in the next step.
static stretched stretch_around(const rvCableStore* store, const rvCrossing* crossing, rvVec3 x)
{
    stretched around = {.parts = 0};
    for (int i = 0; i < 4; ++i) {
        int cable = crossing->cable[i / 2], place = crossing->place[i / 2];
        const rvPlace* here = &store->items[cable].route.places[place];
        int k = around.part[i] = part_of(store, &around, cable, i % 2 ? place : place - 1);
        around.to[i] = i % 2 ? here[1].in : here[-1].out;
        around.fixed[k] -= rvDistance(x, around.to[i]);
    }
    return around;
}

// The energy that is stored when the point is at x, and its gradient and curvature, which may be NULL.
static double stored_at(const stretched* around, rvVec3 x, rvVec3* slope, double curve[6])
{
    double energy = 0.0, length[4], l[4];
    rvVec3 g[4] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, n[4];
    for (int k = 0; k < around->parts; ++k)
        length[k] = around->fixed[k];
    for (int i = 0; i < 4; ++i) {
        rvVec3 d = rvSub(x, around->to[i]);
        l[i] = rvLength(d);
        n[i] = rvScale(1.0 / fmax(l[i], SHORTEST), d);
        length[around->part[i]] += l[i];
        g[around->part[i]] = rvAdd(g[around->part[i]], n[i]);
    }
    for (int k = 0; k < around->parts; ++k) {
        double phi = fmax(0.0, length[k] - around->rest[k]), force = around->rate[k] * phi;
        energy += 0.5 * force * phi;
        if (!slope || !(force > 0.0))
            continue;
        *slope = rvMulAdd(*slope, force, g[k]);
        const double square[6] = {g[k].x * g[k].x, g[k].x * g[k].y, g[k].x * g[k].z,
                                  g[k].y * g[k].y, g[k].y * g[k].z, g[k].z * g[k].z};
        for (int c = 0; c < 6; ++c)
            curve[c] += around->rate[k] * square[c];
        for (int i = 0; i < 4; ++i)
            if (around->part[i] == k)
                rv_crossing_add_stiffness(curve, force / fmax(l[i], SHORTEST), n[i]);
    }
    return energy;
}

// The point has no mass: it is where the ropes, with the rest lengths that they have, store least. The energy is
// convex; Newton's step is halved until it becomes less.
static rvVec3 least_stretched(const stretched* around, rvVec3 x)
{
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        rvVec3 slope = {0, 0, 0};
        double curve[6] = {0}, inverse[6], energy = stored_at(around, x, &slope, curve);
        if (!(energy > 0.0))
            break;
        rv_sym3_invert(curve, inverse);
        rvVec3 step = rvNeg(rv_sym3_vec(inverse, slope));
        double share = 1.0, gain = -rvDot(step, slope);
        while (share > 1e-6 && !(stored_at(around, rvMulAdd(x, share, step), NULL, NULL) < energy))
            share *= 0.5;
        if (!(share > 1e-6))
            break;
        x = rvMulAdd(x, share, step);
        if (!(gain > 1e-14 * energy))
            break;
    }
    return x;
}

// Do the ropes stick to each other and slip, so that more than the stretch tells where the point is?
static bool is_rough(const rvCableStore* store, const rvCrossing* crossing)
{
    bool rough = false;
    for (int s = 0; s < 2; ++s)
        rough = rough || store->items[crossing->cable[s]].route.places[crossing->place[s]].state.isJunction != 0.0;
    return rough;
}

// A point that goes from `from` to `to` stays on its side of the crossings beside it, as far off as the ropes are
// thick.
static rvVec3 stay_beside(rvPlace* const place[2], rvVec3 from, rvVec3 to)
{
    for (int i = 0; i < 4; ++i) {
        const rvPlace *here = place[i / 2], *other = i % 2 ? here + 1 : here - 1;
        if (!rv_place_is_crossing(other))
            continue;
        rvVec3 d = rvSub(from, other->point), away = rvNormalizeOr(d, rvVec(0, 0, 0));
        double least = fmin(rvLength(d), fmax(here->state.node.t, other->state.node.t));
        to = rvMulAdd(to, fmax(0.0, least - rvDot(away, rvSub(to, other->point))), away);
    }
    return to;
}

void rv_crossings_relax(rvCableStore* store, const rvBodyStore* bodies)
{
    for (int k = 0; k < store->crossingCount; ++k)
        for (int s = 0; s < 2; ++s)
            rv_route_update(&store->items[store->crossings[k].cable[s]].route, bodies);
    for (int k = 0; k < store->crossingCount; ++k) {
        const rvCrossing* crossing = &store->crossings[k];
        rvPlace* place[2];
        for (int s = 0; s < 2; ++s)
            place[s] = &store->items[crossing->cable[s]].route.places[crossing->place[s]];
        if (place[0]->state.node.feature == 0 || is_rough(store, crossing) || rv_crossing_is_heavy(store, crossing))
            continue;
        rvVec3 x = place[0]->point;
        stretched around = stretch_around(store, crossing, x);
        rvVec3 point = stay_beside(place, x, least_stretched(&around, x));
        for (int s = 0; s < 2; ++s) {
            rvPlaceState* state = &place[s]->state;
            state->localIn = state->localOut = point;
            state->node.out = rvMulAdd(state->node.out, 1.0 / crossing->h, rvSub(point, x));
        }
        for (int s = 0; s < 2; ++s)
            rv_route_update(&store->items[crossing->cable[s]].route, bodies);
    }
}
