// SPDX-License-Identifier: MIT
// Stretch of a massless cable that nobody paid for.
//
// With p the stretch at the middle of a step and v -> v' the velocities, tension works on the bodies along the gradient
// G of its row, T h G (v + v')/2, so that is what the stretch may change by between two middles. What it really changes
// by is
//   p' - p = h G (v + v')/2 + u,   u = h/2 (rate - G v)
// rate being that of the last step (massless_advance.c), so u is the error of the trapezoidal rule. It is of third
// order and small, but not where a light body turns by a radian in a step: a block of a kilogram that whirls on slack
// ropes draws half a metre out of one for nothing. A cable too stiff for its step closes all of its stretch at once:
// the load that came on it then was thrown up, by megajoules.
//
// So u above LEAST of a segment is set apart, as far as the segment is stretched: its row and its books see a rope
// shorter by that. It comes back for nothing while the rope is slack, else within FADE, by what the guard of the energy
// counts and takes. Where nothing moves the guard can take nothing, and rope that came back between bodies that hold
// against each other would store without bound: 0.6 m under 3 MN. So none comes back while the bodies on it owe more
// than the scale of the guard (guard.c), the energy of their motion of late and at least that of a short fall. That is
// enough to lift a load again by 0.4 m. (Not where u is negative: beside a spin of hundreds of radians a second that
// would be metres at once, and threw the load again.) Nor counts p of a cable too stiff for the step above UNPULLED
// where less than half of it pulled: its books hold what its tension says (model_massless.c), and by a spin of hundreds
// of radians a second p may be metres. Its tension and what damping holds back: a rope with a damping time of many
// steps that closes pulls with a small part of what it is stretched by, and all of it was paid for. So the pull that
// its stretch has of its own is taken from its energy, which is no more than what it stored and what was put in. (The
// row's own p' is no bound: in a snap it passes from slack to stretch with hardly a pull.) Without it metres were set
// apart, and rose again under tonnes. A segment that runs out over its junction would be shorter than what is set apart
// of it. What is more than half of it goes to a neighbour with as much rest length, so that neither is stretched
// otherwise. Segments that slip into each other are asked together. Not where rope is dragged over an eye, nor where
// contacts or a host change route and motion beside the rows: there rate tells something else.
#include "cable/string/massless.h"

#define LEAST 1e-3    // of the length of a segment: the error of an arm of a tenth of it that turns by half a radian
#define UNPULLED 1e-2 // of the length of a segment, at the middle of a step: more than ropes are stretched by
#define MOST 0.5      // of the length of a segment, where another can take more
#define FADE 0.5      // [s]; random machines hold as well with a fourth of it and with four times as much

// How fast segment k grows by its gradient, in row k, and the velocities of the last step [m/s].
static double rate_before(const rvCable* cable, const rvBodyStore* bodies, const rvRows* rows, int k)
{
    const rvRowGroup* group = &rows->groups[cable->group];
    double rate = 0.0;
    for (int slot = 0; slot < group->slotCount; ++slot) {
        int index = rows->slots[group->firstSlot + slot].body;
        const double* j = rv_group_jacobian(rows, cable->group, slot)[k];
        bool wheel = index >= bodies->pool.count;
        const double* spin = bodies->freeVelocity[index];
        rvVec3 v = wheel ? rvVec(0, 0, 0) : bodies->items[index].lastV;
        rvVec3 w = wheel ? rvVec(spin[3], spin[4], spin[5]) : bodies->items[index].lastW;
        rate -= rvDot(rvVec(j[0], j[1], j[2]), v) + rvDot(rvVec(j[3], j[4], j[5]), w);
    }
    for (int i = 0; i < 2; ++i)
        if (cable->winch[i].exists && rv_massless_holds(&cable->string->segments[k], rv_cable_winch_place(cable, i)))
            rate -= cable->winch[i].state.rate;
    return rate;
}

// Does the stretch change by bodies, winches and slip alone, as the step moves them?
static bool is_plain(const rvCable* cable, const rvBodyStore* bodies)
{
    bool plain = cable->route.placeCount == cable->definedCount && cable->state.slipping == 0.0 &&
                 !rv_cable_is_hosted(cable, bodies);
    for (int k = 1; k < cable->string->segmentCount && plain; ++k)
        plain = !rv_massless_drags(cable, k);
    return plain;
}

// So much of a segment's length counts again, or less.
static void give(rvCable* cable, int k, double length)
{
    rv_massless_state(cable, k)->unpaid -= length;
    cable->string->segments[k].length += length;
    cable->string->segments[k].stretch += length;
}

// Owe the bodies on the cable more to the guard than they have moved with of late? (What an island owes lies with its
// bodies by their mass, so some of them tell.)
static bool owes_too_much(const rvCable* cable, const rvBodyStore* bodies)
{
    double owed = 0.0, most = 0.0;
    for (int i = 0; i < cable->route.placeCount; ++i) {
        int body = cable->route.places[i].body;
        owed += body < 0 ? 0.0 : bodies->items[body].state.guardGain;
        most += body < 0 ? 0.0 : bodies->items[body].state.guardScale;
    }
    return owed > most;
}

static void come_back(rvCable* cable, int k, const rvBodyStore* bodies, const rvStepContext* context)
{
    rvPlaceState* s = rv_massless_state(cable, k);
    double h = context->h, stretch = cable->string->segments[k].stretch,
           slack = -fmax(stretch, stretch - 0.5 * h * s->rate);
    give(cable, k, context->atRest ? s->unpaid : fmin(s->unpaid, fmax(slack, 0.0)));
    double back = owes_too_much(cable, bodies) ? 0.0 : s->unpaid * fmin(1.0, h / FADE);
    give(cable, k, back);
    s->rate += 2.0 / h * back;
    s->laid += back; // nobody put it in
}

// Of segments first..last, which slipped into each other, sets apart what they are stretched by without work. False:
// nothing is.
static bool set_group_apart(rvCable* cable, int first, int last, const rvBodyStore* bodies, const rvRows* rows,
                            double h)
{
    double unpaid = 0.0, stretch = 0.0, length = 0.0;
    for (int k = first; k <= last; ++k) {
        unpaid += 0.5 * h * (rv_massless_state(cable, k)->rate - rate_before(cable, bodies, rows, k));
        stretch += fmax(0.0, cable->string->segments[k].stretch);
        length += cable->string->segments[k].length;
    }
    if (!(stretch > 0.0 && unpaid > LEAST * length))
        return false;
    for (int k = first; k <= last; ++k) {
        double own = fmax(0.0, cable->string->segments[k].stretch) * fmin(1.0, unpaid / stretch);
        give(cable, k, -own);
        rv_massless_state(cable, k)->rate -= 2.0 / h * own; // the stretch at the middle stays what it was
        rv_massless_state(cable, k)->laid -= own;           // and what no row saw is not there any more
    }
    return true;
}

// How much more may be set apart of the segment from place `first` on, in exchange for its rope [m].
static double room_of(const rvCable* cable, int first)
{
    const rvPlaceState* s = &cable->route.places[first].state;
    double length = rv_segment_length(&cable->route, first, rv_segment_end(&cable->route, first));
    return fmax(0.0, fmin(MOST * (length + s->unpaid) - s->unpaid, MOST * s->rest));
}

void rv_massless_spread_unpaid(rvCable* cable)
{
    rvRoute* route = &cable->route;
    for (int before = -1, first = 0, end; first < route->spanCount; before = first, first = end) {
        rvPlaceState* s = &route->places[first].state;
        end = rv_segment_end(route, first);
        double more = s->unpaid - MOST * (rv_segment_length(route, first, end) + s->unpaid);
        int sides[] = {before, end < route->spanCount ? end : -1};
        for (int i = 0; i < 2 && more > 0.0; ++i) {
            if (sides[i] < 0)
                continue;
            rvPlaceState* other = &route->places[sides[i]].state;
            double goes = fmin(more, room_of(cable, sides[i]));
            s->unpaid -= goes;
            s->rest += goes;
            other->unpaid += goes;
            other->rest -= goes;
            more -= goes;
        }
    }
}

bool rv_massless_is_held_back(const rvCable* cable, const rvStepContext* context)
{
    return !context->atRest && !cable->pushes && rv_damping_time(context, cable->damping) > 0.5 * context->h;
}

void rv_massless_note_stored(rvCable* cable, const rvStepContext* context)
{
    for (int k = 0; k < cable->string->segmentCount && rv_massless_is_held_back(cable, context); ++k) {
        const rvSegment* segment = &cable->string->segments[k];
        double force = rv_segment_elastic_force(cable, segment->first, segment->length, context->h);
        cable->string->segments[k].stored =
            0.5 * force * force * rv_massless_state(cable, k)->rest / cable->axialStiffness;
    }
}

// It stores no more than it did and what was put in: V' <= V + T (p' - p) - e (N' - N). Where arcs give way the pull of
// the damping may be more than that, and the cable too stiff for one step and not for the next: so rope with mass is
// always held to it. (A load caught by rope with a damping time of 7 steps: 15 % of its energy more for 3 steps.)
void rv_massless_find_held_back(rvCable* cable, const rvStepContext* context)
{
    bool waves = rv_cable_has(cable, RV_HAS_MASS);
    bool counts = rv_massless_is_held_back(cable, context) && (waves || cable->string->state.overStiff != 0.0);
    for (int k = 0; k < cable->string->segmentCount; ++k) {
        const rvSegment* segment = &cable->string->segments[k];
        rvPlaceState* s = rv_massless_state(cable, k);
        s->heldBack = 0.0;
        if (!counts)
            continue;
        double middle = segment->length - s->rest - 0.5 * context->h * (s->rate + segment->unread);
        double stored = segment->stored * (1.0 - (s->rest - segment->restBefore) / segment->restBefore) +
                        s->tension * (middle - segment->middle - s->laid);
        double pull = sqrt(fmax(0.0, 2.0 * stored * cable->axialStiffness / s->rest));
        s->heldBack = pull - s->tension;
        if (cable->string->state.overStiff != 0.0)
            s->heldBack = waves ? fmin(0.0, s->heldBack) : fmax(0.0, s->heldBack);
    }
}

// Of a cable too stiff for the step: what of the stretch at the middle never pulled.
static void drop_unpulled(rvCable* cable, double h)
{
    for (int k = 0; k < cable->string->segmentCount; ++k) {
        rvPlaceState* s = rv_massless_state(cable, k);
        double middle = cable->string->segments[k].stretch - 0.5 * h * s->rate;
        double held = (s->tension + fmax(0.0, s->heldBack)) * s->rest / cable->axialStiffness;
        if (!(middle > UNPULLED * cable->string->segments[k].length && held < 0.5 * middle))
            continue;
        s->rate += 2.0 / h * (middle - held);
        s->laid += middle - held; // no row will have seen the way from there
    }
}

void rv_massless_set_apart(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, const rvRows* rows)
{
    if (cable->string->asked) // in the pass before
        return;
    cable->string->asked = true;
    bool plain = !context->atRest && is_plain(cable, bodies);
    if (plain && cable->string->state.overStiff != 0.0)
        drop_unpulled(cable, context->h);
    for (int first = 0, last; first < cable->string->segmentCount; first = last + 1) {
        for (last = first; last + 1 < cable->string->segmentCount && rv_massless_slips(cable, last + 1);)
            last += 1;
        if (plain && set_group_apart(cable, first, last, bodies, rows, context->h))
            continue;
        for (int k = first; k <= last; ++k)
            if (rv_massless_state(cable, k)->unpaid > 0.0)
                come_back(cable, k, bodies, context);
    }
}
