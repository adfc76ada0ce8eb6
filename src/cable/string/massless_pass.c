// SPDX-License-Identifier: MIT
// Where an end runs past its eye within a step.
//
// The tension of a step pulls from the middle of the last step to the middle of this one, along the direction u that a
// span has between them. While the span turns little that is the mean of its directions. Where a load is drawn to an
// eye and flies past it the direction turns round: pulled towards the eye for the whole step the load gets up to h T v
// from nothing, or loses it. With a and b the span at the two middles, d - h v/2 and d + h v'/2, the rope between them
// grows by
//   |b| - |a| = g . (b - a),   g = (a + b)/(|a| + |b|)
// exactly, so a row with g in the place of u does the work that the stretch takes. Its stretch begins where |a| makes
// it:
//   |a| + h g.v/2  in the place of  l
// v' is guessed: as v at first, then the mean of that and of what the passes of the step found (taken whole it goes to
// and fro). What the last guess was off by is laid, as all that no row sees (massless_advance.c). Spans that turn less
// than TURNED says keep their bits: u and g differ by half of a percent there.
#include "cable/string/massless.h"

#include "cable/route/route.h"

#define TURNED 0.95   // cosine of the angle between a and b
#define OFF 0.01      // of |a| + |b|, by which a guess asks for another pass
#define MOST_TURN 0.5 // of a body in a step [rad]: beyond, its places do not run straight

// Does what holds a place run straight within a step?
static bool runs_straight(const rvBodyStore* bodies, const rvPlace* place, double h)
{
    if (rv_place_is_wheel(place) || place->type == RV_PLACE_CONTACT || !place->on)
        return false;
    return place->slot < 0 || h * rvLength(bodies->items[place->body].lastW) < MOST_TURN;
}

// How fast the point of a place was in the last step; `solved`: as the last pass has it.
static rvVec3 speed_at(const rvBodyStore* bodies, const rvPlace* place, rvVec3 arm, bool solved)
{
    if (place->slot < 0)
        return rvVec(0, 0, 0);
    const rvBody* body = &bodies->items[place->body];
    const double* v = bodies->velocity[place->body];
    if (solved)
        return rvAdd(rvVec(v[0], v[1], v[2]), rvCross(rvVec(v[3], v[4], v[5]), arm));
    return rvAdd(body->lastV, rvCross(body->lastW, arm));
}

static rvVec3 opening(const rvBodyStore* bodies, const rvPlace* from, bool solved)
{
    return rvSub(speed_at(bodies, from + 1, from[1].armIn, solved), speed_at(bodies, from, from->armOut, solved));
}

// A span at the two middles.
typedef struct {
    rvVec3 a, b, v;
    double la, lb;
} Passage;

// The middle of this step, with the guess of the span's opening.
static void reach(const rvPlace* from, double h, Passage* p)
{
    p->b = rvMulAdd(rvSub(from[1].in, from->out), 0.5 * h, from->guess);
    p->lb = rvLength(p->b);
}

// Of the span from a place on, with the guess of its opening; the first is that of the last step. False: it cannot run
// past anything.
static bool find_passage(const rvBodyStore* bodies, rvPlace* from, double h, bool first, Passage* p)
{
    if ((from->slot < 0 && from[1].slot < 0) || !runs_straight(bodies, from, h) || !runs_straight(bodies, from + 1, h))
        return false;
    rvVec3 d = rvSub(from[1].in, from->out);
    p->v = opening(bodies, from, false);
    p->a = rvMulAdd(d, -0.5 * h, p->v);
    p->la = rvLength(p->a);
    if (first)
        from->guess = p->v;
    reach(from, h, p);
    return true;
}

static bool turns(const Passage* p)
{
    return rvDot(p->a, p->b) < TURNED * p->la * p->lb;
}

// Span i, of segment k: puts g into its row. Answers what the row counts for its length beyond l; adds to what is laid.
static double run_past(rvCable* cable, const rvBodyStore* bodies, rvRows* rows, int k, int i, double h, double* laid)
{
    const rvRoute* route = &cable->route;
    rvPlace* from = &route->places[i];
    Passage p;
    if (!find_passage(bodies, from, h, cable->string->firstPass, &p))
        return 0.0;
    if (!turns(&p))
        return 0.0;
    cable->string->passes = true;
    double l = route->spans[i].length;
    rvVec3 u = route->spans[i].u, g = rvScale(1.0 / (p.la + p.lb), rvAdd(p.a, p.b)), more = rvSub(g, u);
    rv_place_add_force(from, from->armOut, 1.0, more, rows, cable->group, k);
    rv_place_add_force(from + 1, from[1].armIn, -1.0, more, rows, cable->group, k);
    *laid += p.la - l + 0.5 * h * rvDot(u, p.v);
    return p.la + 0.5 * h * rvDot(g, p.v) - l;
}

void rv_massless_run_past(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows)
{
    cable->string->passes = false;
    if (!rv_massless_saw_turning(cable, bodies, context))
        return;
    for (int k = 0; k < cable->string->segmentCount; ++k) {
        rvSegment* segment = &cable->string->segments[k];
        rvPlaceState* s = rv_massless_state(cable, k);
        double past = 0.0, laid = 0.0;
        for (int i = segment->first; i < segment->last; ++i)
            past += run_past(cable, bodies, rows, k, i, context->h, &laid);
        // the stretch at the middle of the last step stays what it was
        segment->stretch += past - segment->past;
        s->rate += 2.0 / context->h * (past - segment->past);
        s->laid += laid - segment->pastLaid;
        segment->past = past;
        segment->pastLaid = laid;
    }
    cable->string->firstPass = false;
}

bool rv_massless_missed(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    if (!rv_massless_saw_turning(cable, bodies, context))
        return false;
    bool missed = false;
    double h = context->h;
    for (int i = 0; i < cable->route.spanCount; ++i) {
        rvPlace* from = &cable->route.places[i];
        Passage guessed;
        if (!find_passage(bodies, from, h, false, &guessed))
            continue;
        rvVec3 before = from->guess;
        from->guess = opening(bodies, from, true);
        Passage found = guessed; // the other middle is that of the last step
        reach(from, h, &found);
        bool off = 0.5 * h * rvDistance(before, from->guess) > OFF * (found.la + found.lb);
        missed = missed || (off && (turns(&guessed) || turns(&found)));
        from->guess = rvScale(0.5, rvAdd(before, from->guess));
    }
    return missed;
}
