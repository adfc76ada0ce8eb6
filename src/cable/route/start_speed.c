// SPDX-License-Identifier: MIT
#include "cable/route/start_speed.h"

#include <string.h>

static rvVec3 turning_of(const rvBodyStore* bodies, const rvPlace* place)
{
    return place->body >= 0 ? bodies->items[place->body].state.w : rvVec(0, 0, 0);
}

// Of two numbers what they have in common.
static double common(double a, double b)
{
    return a * b > 0.0 ? copysign(fmin(fabs(a), fabs(b)), a) : 0.0;
}

rvStartSpeed rv_start_speed_of(const rvCable* cable, const rvBodyStore* bodies, int span)
{
    const rvPlace *a = &cable->route.places[span], *b = a + 1;
    rvStartSpeed out = {.from = a->out, .chord = rvSub(b->in, a->out)};
    bool freeA = a->type == RV_PLACE_FREE, freeB = b->type == RV_PLACE_FREE;
    if (freeA && freeB)
        return out;
    const rvPlace* held = freeA ? b : a;
    if (freeA || freeB || a->body == b->body) {
        rvVec3 at = freeA ? b->in : a->out;
        bool turns = !(freeA || freeB) || held->clamped;
        out.turning = turns ? turning_of(bodies, held) : rvVec(0, 0, 0);
        out.first = rvAdd(rv_place_speed(bodies, held, at), rvCross(out.turning, rvSub(a->out, at)));
        out.change = rvCross(out.turning, out.chord);
        return out;
    }
    rvVec3 last = rv_place_speed(bodies, b, b->in);
    out.first = rv_place_speed(bodies, a, a->out);
    out.change = rvSub(last, out.first);
    double square = rvDot(out.chord, out.chord);
    if (square > 0.0) {
        rvVec3 u = rvScale(1.0 / sqrt(square), out.chord);
        double about = common(rvDot(u, turning_of(bodies, a)), rvDot(u, turning_of(bodies, b)));
        // rope that hangs far off a short chord does not whirl with it: none of it goes faster against the ends than
        // these
        double calm = fmin(1.0, 2.0 * sqrt(square) / fmax(a->state.rest, 1e-300));
        out.turning = rvAdd(rvScale(calm / square, rvCross(out.chord, out.change)), rvScale(about, u));
        out.stretches = fabs(rvDot(u, out.change)) > 1e-9 * (rvLength(out.first) + rvLength(last));
    }
    return out;
}

rvVec3 rv_start_speed_at(const rvStartSpeed* speed, double share, rvVec3 at)
{
    rvVec3 off = rvSub(at, rvMulAdd(speed->from, share, speed->chord));
    return rvAdd(rvMulAdd(speed->first, share, speed->change), rvCross(speed->turning, off));
}

void rv_start_speed_lay(const rvStartSpeed* speed, double share, double mesh, const double q[6], double v[6])
{
    rvVec3 slope = rvVec(q[3], q[4], q[5]), velocity = rv_start_speed_at(speed, share, rvVec(q[0], q[1], q[2]));
    rvVec3 bent = rvMulAdd(slope, -1.0 / mesh, speed->chord);
    rvVec3 rate = rvMulAdd(rvCross(speed->turning, bent), 1.0 / mesh, speed->change);
    const double all[6] = {velocity.x, velocity.y, velocity.z, rate.x, rate.y, rate.z};
    memcpy(v, all, sizeof all);
}

bool rv_start_speed_any(const rvCable* cable, const rvBodyStore* bodies)
{
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace* place = &cable->route.places[i];
        if (place->type == RV_PLACE_FREE || place->body < 0)
            continue;
        const rvBodyState* s = &bodies->items[place->body].state;
        if (rvLength(s->v) > 0.0 || rvLength(s->w) > 0.0)
            return true;
    }
    return false;
}
