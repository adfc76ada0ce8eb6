// SPDX-License-Identifier: MIT
// Stops of a rope that flows: a fall between two places keeps some rope, so a load that is drawn up to its eye, or blocks
// that meet, stay a little off each other.
//
//   length of a fall >= LEAST of an element,  its row  C y = (length + d - least)/h,  y <= 0: it only pushes apart
// The row is there while the fall could come so short within a step. What it stops is lost as heat, as at any stop.
#include "cable/ale_rope.h"

#define LEAST 0.05 // of an element, or of the fall as it was laid where that is less
// Its row yields a little more than the rope: beside a row that holds the rope there it is not implied.
#define SPARE 1e-6

static double rate_of(const rvAle* ale, int f)
{
    return rv_ale_end_of(ale, ale->flow[RV_ALE_RATE], f) - rv_ale_begin_of(ale, ale->flow[RV_ALE_RATE], f);
}

// Of rope that a stop leaves in a fall.
static double least_of(const rvAleRope* rope, int f)
{
    double mesh = rope->ale->falls[f].mesh, least = LEAST * fmin(mesh, rope->wished);
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
        double least = least_of(rope, f), length = rv_ale_fall_length(ale, f);
        ale->falls[f].least = 0.0;
        rope->stops[f] = (rvAleStop){.row = -1, .least = least};
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

void rv_ale_stops_read(rvAleRope* rope)
{
    for (int f = 0; f < rope->ale->fallCount; ++f)
        rope->stops[f].holds = rope->stops[f].row >= 0 && rope->forces[rope->stops[f].row] > 0.0;
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
        if (!rope->stops[f].holds && !rests)
            continue;
        cable->state.stopped = place;
        if (beside >= 0 && beside < rope->ale->fallCount)
            cable->state.stopPull = rv_ale_rope_end_tension(rope, beside, beside < f ? RV_ALE_END : RV_ALE_BEGIN);
    }
}
