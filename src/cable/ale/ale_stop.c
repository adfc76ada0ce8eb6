// SPDX-License-Identifier: MIT
// Stops of a rope that flows: a fall between two places keeps some rope, so a load that is drawn up to its eye, or
// blocks that meet, stay a little off each other.
//
//   length of a fall >= LEAST of an element,  its row  C y = (length + d - least)/h,  y <= 0: it only pushes apart
// The row is there while the fall could come so short within a step. What it stops is lost as heat, as at any stop.
//
// Beside a wheel of radius r that is not enough: what the rope holds may come to the rim with all of the rope on the
// wheel, where straight rope of length l ends as fast as (r/l) times its speed. There the bodies themselves are
// stopped, by a row between their points at distance d,  d^2 = l^2 + R^2:  n.(v_b - v_a) >= (D - d)/h,  D^2 = R^2 +
// (OF_RADIUS r)^2.  What has come nearer goes off by OUT a step.
#include "cable/ale/ale_rope.h"

#define LEAST 0.05 // of an element, or of the fall as it was laid where that is less
// Its row yields a little more than the rope: beside a row that holds the rope there it is not implied.
#define SPARE 1e-6
#define OF_RADIUS 0.5 // of a wheel: straight rope that is left beside it, or half of what was laid there
#define NEARER 0.8    // where the rope stops too
#define OUT 0.2

static double rate_of(const rvAle* ale, int f)
{
    return rv_ale_end_of(ale, ale->flow[RV_ALE_RATE], f) - rv_ale_begin_of(ale, ale->flow[RV_ALE_RATE], f);
}

// Straight rope that is left in fall f beside place j; 0: that is no wheel.
static double beside_wheel(const rvCable* cable, int f, int j)
{
    const rvPlace* place = &cable->route.places[j];
    return rv_place_is_wheel(place) && place->on
               ? fmin(OF_RADIUS * place->radius, 0.5 * cable->rope->ale->falls[f].mesh)
               : 0.0;
}

// Is the place the end of a rope that draws its body on to a wheel?
static bool is_drawn(const rvCable* cable, int j)
{
    return cable->rope->ale->flowHeld[j] && cable->rope->grips[j == 0 ? 0 : 2 * j - 1].pushed;
}

// Of rope that a stop leaves in a fall.
static double least_of(const rvCable* cable, int f)
{
    const rvAleRope* rope = cable->rope;
    double mesh = rope->ale->falls[f].mesh, least = LEAST * fmin(mesh, rope->wished);
    for (int j = f; j <= f + 1; ++j)
        if (is_drawn(cable, 2 * f + 1 - j)) // else it would go around the wheel
            least = fmax(least, beside_wheel(cable, f, j));
    return fmin(fmax(least, 2.0 * RV_ALE_SHORTEST * mesh), rv_ale_fall_length(rope->ale, f));
}

static bool is_stopped(const rvCable* cable, int f)
{
    const bool* held = cable->rope->ale->flowHeld;
    bool free = cable->route.places[f].type == RV_PLACE_FREE || cable->route.places[f + 1].type == RV_PLACE_FREE;
    return !free && !(held[f] && held[f + 1]);
}

void rv_ale_stops_list(rvCable* cable, double h)
{
    rvAleRope* rope = cable->rope;
    const rvAle* ale = rope->ale;
    for (int f = 0; f < ale->fallCount; ++f) {
        double least = least_of(cable, f), length = rv_ale_fall_length(ale, f);
        ale->falls[f].least = 0.0;
        rope->stops[f] = (rvAleStop){.row = -1, .least = least, .group = -1};
        if (!is_stopped(cable, f) || length > 4.0 * least + 2.0 * h * fabs(rate_of(ale, f)))
            continue;
        ale->falls[f].least = rope->stops[f].least;
        rope->stops[f].row = rope->rowCount;
        rope->ports[rope->rowCount++] = (rvAlePort){.fall = -1, .place = f, .length = true};
    }
}

void rv_ale_stops_write(const rvAleRope* rope, double h, rvRow* rows, double* block, int size)
{
    for (int f = 0; f < rope->ale->fallCount; ++f) {
        int r = rope->stops[f].row;
        if (r < 0)
            continue;
        block[r * (size + 1)] *= 1.0 + SPARE;
        rows[r].bias = (rope->places[r] - rope->stops[f].least) / h;
        rows[r].lower = -HUGE_VAL; // y = -l/(cM h)
        rows[r].upper = 0.0;
    }
}

// What the points of the bodies at a fall's ends are to keep between them; 0: nothing stops them.
static double distance_to_keep(const rvCable* cable, int f, double distance)
{
    double least = fmax(beside_wheel(cable, f, f), beside_wheel(cable, f, f + 1)),
           straight = cable->route.spans[f].length;
    if (is_drawn(cable, f) || is_drawn(cable, f + 1))
        least *= NEARER;
    return least > 0.0 ? sqrt(fmax(0.0, distance * distance - straight * straight) + least * least) : 0.0;
}

static rvVec3 speed_at(const rvBodyStore* bodies, const rvPlace* place)
{
    return place->body >= 0 ? rv_place_speed(bodies, place, place->point) : rvVec(0, 0, 0);
}

// A row of its own group: its bodies, n at their points.
static void write_meeting(const rvCable* cable, int f, rvVec3 n, const rvBodyStore* bodies, rvRows* rows, int owner,
                          double bias)
{
    const rvPlace* places = &cable->route.places[f];
    int list[2], count = 0;
    for (int i = 0; i < 2; ++i)
        if (places[i].slot >= 0)
            list[count++] = places[i].body;
    int group = rv_rows_add(rows, RV_GROUP_CABLE, owner, 1, list, count);
    cable->rope->stops[f].group = group;
    if (group < 0)
        return;
    for (int i = 0, slot = 0; i < 2; ++i) {
        if (places[i].slot < 0)
            continue;
        rvVec3 way = i == 0 ? rvNeg(n) : n,
               turn = rvCross(rvSub(places[i].point, bodies->items[places[i].body].state.x), way);
        const double entries[6] = {way.x, way.y, way.z, turn.x, turn.y, turn.z};
        memcpy(rv_group_jacobian(rows, group, slot++)[0], entries, sizeof entries);
    }
    rvRow* row = rv_group_rows(rows, group);
    row->bias = bias;
    row->lower = 0.0;
    row->upper = HUGE_VAL;
}

void rv_ale_stops_write_bodies(const rvCable* cable, const rvBodyStore* bodies, double h, rvRows* rows, int owner)
{
    for (int f = 0; f < cable->rope->ale->fallCount; ++f) {
        const rvPlace *a = &cable->route.places[f], *b = a + 1;
        rvAleStop* stop = &cable->rope->stops[f];
        stop->group = -1;
        stop->blow = 0.0;
        bool pushed = (a->body >= 0 && rv_body_is_pushed(&bodies->items[a->body])) ||
                      (b->body >= 0 && rv_body_is_pushed(&bodies->items[b->body]));
        if (!pushed || a->body == b->body)
            continue;
        rvVec3 way = rvSub(b->point, a->point);
        double distance = rvLength(way), keep = distance_to_keep(cable, f, distance);
        double fast = rvLength(rvSub(speed_at(bodies, b), speed_at(bodies, a)));
        if (keep == 0.0 || !(distance > 0.0) || distance > 1.5 * keep + 2.0 * h * fast)
            continue;
        double off = keep - distance;
        stop->normal = rvScale(1.0 / distance, way);
        write_meeting(cable, f, stop->normal, bodies, rows, owner, (off > 0.0 ? OUT : 1.0) * off / h);
    }
}

void rv_ale_stops_read(rvAleRope* rope, const rvRows* rows)
{
    for (int f = 0; f < rope->ale->fallCount; ++f) {
        rvAleStop* stop = &rope->stops[f];
        stop->holds = stop->row >= 0 && rope->forces[stop->row] > 0.0;
        stop->blow = stop->group >= 0 ? rv_group_rows(rows, stop->group)->impulse : 0.0;
    }
}

// Of the body at a grip, its point at the place: by the means of its speeds from middle to middle of a step.
static rvVec3 mean_speed(const rvCable* cable, int k, const rvBodyStore* bodies)
{
    const rvPlace* place = &cable->route.places[k / 2 + k % 2];
    if (place->body < 0)
        return rvVec(0, 0, 0);
    const rvAleCarry* carry = &cable->rope->carries[k];
    const rvBodyState* s = &bodies->items[place->body].state;
    rvVec3 arm = rvRotate(carry->from.q, place->local);
    return rvScale(0.5, rvAdd(rvAdd(carry->speed, s->v), rvCross(rvAdd(carry->spin, s->w), arm)));
}

double rv_ale_stops_take(const rvCable* cable, const rvBodyStore* bodies)
{
    double work = 0.0;
    for (int f = 0; f < cable->rope->ale->fallCount; ++f) {
        const rvAleStop* stop = &cable->rope->stops[f];
        if (stop->blow > 0.0)
            work -= stop->blow *
                    rvDot(stop->normal, rvSub(mean_speed(cable, 2 * f + 1, bodies), mean_speed(cable, 2 * f, bodies)));
    }
    return work;
}

void rv_ale_stops_hold(const rvAleRope* rope, bool* held)
{
    for (int f = 0; f < rope->ale->fallCount; ++f)
        if (rope->stops[f].holds)
            held[f] = held[f + 1] = true;
}

double rv_ale_stops_heat(const rvAleRope* rope, const double* before)
{
    const rvAle* ale = rope->ale;
    double heat = 0.0;
    for (int f = 0; f < ale->fallCount; ++f) {
        const double* now = ale->flow[RV_ALE_P];
        double way = now[f + 1] - now[f] - (before[f + 1] - before[f]);
        if (rope->stops[f].holds)
            heat -= rope->forces[rope->stops[f].row] * way;
    }
    return fmax(heat, 0.0);
}

void rv_ale_stops_end(rvAleRope* rope)
{
    rvAle* ale = rope->ale;
    for (int f = 0; f < ale->fallCount; ++f) {
        if (!rope->stops[f].holds)
            continue;
        double* vectors[3] = {ale->rt.v1, ale->rt.a1, ale->rt.at1};
        for (int i = 0; i < 3; ++i) { // both flows go on as one
            double *a = &vectors[i][f], *b = a + 1, both = 0.5 * (*a + *b);
            if (ale->flowHeld[f])
                both = *a;
            else if (ale->flowHeld[f + 1])
                both = *b;
            *a = *b = both;
        }
    }
}

// The place that a fall is stopped at: one that rope flows through.
static int place_of(const rvCable* cable, int f)
{
    return cable->rope->ale->flowHeld[f + 1] ? f : f + 1;
}

// Places of the definition before it: contacts are not counted.
static int defined_place(const rvCable* cable, int j)
{
    int count = 0;
    for (int i = 0; i < j; ++i)
        count += cable->route.places[i].type != RV_PLACE_CONTACT;
    return count;
}

void rv_ale_stops_tell(rvCable* cable)
{
    const rvAleRope* rope = cable->rope;
    double last = cable->state.stopped;
    cable->state.stopped = cable->state.stopPull = 0.0;
    for (int f = 0; f < rope->ale->fallCount && cable->state.stopped == 0.0; ++f) {
        int j = place_of(cable, f), beside = j == f ? f - 1 : f + 1;
        double place = 1.0 + defined_place(cable, j);
        // what rests there may be let go for a step: it has left when there is rope again
        bool rests = place == last && rv_ale_fall_length(rope->ale, f) < 2.0 * rope->stops[f].least;
        if (!rope->stops[f].holds && !(rope->stops[f].blow > 0.0) && !rests)
            continue;
        cable->state.stopped = place;
        if (beside >= 0 && beside < rope->ale->fallCount)
            cable->state.stopPull = rv_ale_rope_end_tension(rope, beside, beside < f ? RV_ALE_END : RV_ALE_BEGIN);
    }
}
