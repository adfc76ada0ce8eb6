// SPDX-License-Identifier: MIT
// The layered cable (Garcia-Fernandez et al.): the massless cable, a wave on each of its spans, the weight of the rope.
//
// Length. A span of chord l holds l + S + D of rope: S the arc of its wave (wave.h), D what a catenary has beyond the
// wave's parabola (catenary.h), stretch by weight, and what lies between grid points. D depends on the tension alone,
// so a rope at rest is an elastic catenary; S has its own motion. The stretch row of the massless cable takes them for
// length: with p- and p+ the stretch at the middle of the last step and of this one, eps T = (p- + p+)/2 + tau p', and
// S+ is a function of T by the wave's own step, made linear at the last T:
//   S+ = S0 + S' (T - T0),  D = D0 + D' (T - T0),  s = 1/2 + tau/h
//   (eps - s S' - D') T = l - N + (1 - s) S- + s (S0 - S' T0) + D0 - D' T0 + h (l'+ - l'-)/4 + tau l'+
// S', D' <= 0: arc is compliance. After the solve the wave takes its true step with T. The wave gains -T (S+ - S-)
// exactly (wave.h) and the stretch T (p+ - p-): the books close but for what S+ is from its line, which is in the
// damping's heat.
//
// Weight. Half of a span's weight rests on either end; so does its mass, as inertia of the bodies there. Along a rope
// at rest that slides freely the tension grows with height, equal on both sides of a place. So T of a segment is a
// reference: the tension along span i is T + offset_i, with offset_i from place to place such that the end tensions of
// the catenaries meet, and the least of them all such that T = 0 is a rope that hangs loose. These forces do not depend
// on the solution and come before it, beside the pull across the chord of rope that hangs beside it.
//
// Motion of the ends drives the wave by its acceleration; the frame is carried along (rv_wave_transport). When a chord
// changes its length from l to l' amplitudes grow by sqrt(l'/l) and velocities shrink by it: arc and kinetic energy
// stay.
#include "cable/string/layered.h"
#include "cable/string/span_stiffness.h"

#include "cable/core/reference.h"
#include "cable/route/route.h"
#include "cable/route/twist.h"

#define CHANGE 0.2       // of a tension, from where the rows are linear, that asks for another pass
#define SNAP 0.1         // of a tension, below which it was for a rope that comes taut
#define ENOUGH 1e-5      // of a tension, by which the row may be off for the waves
#define SOFTEST 1e7      // of a segment's give: what sags gives no more, or the sums of a chain would drown in it
#define LEAST_DEBT 1e-12 // of what the arcs hold: less stays owed

// The fluid slows rope down across its direction: force a metre c |v| v, taken as a rate c |v|/mass that the step
// treats implicitly. v: of the fluid past the middle of the chord.
static void find_drag(rvCable* cable, int span, double h)
{
    rvSpanWork* work = &cable->string->layer.work[span];
    const rvSpanWave* wave = rv_layered_wave(cable, span);
    work->drag = 0.0;
    work->push = rvVec(0, 0, 0);
    if (!(cable->string->layer.drag > 0.0))
        return;
    rvVec3 middle = rvScale(0.5, rvAdd(wave->endSpeeds[0], wave->endSpeeds[1]));
    rvVec3 past = rvSub(cable->string->layer.wind, middle);
    past = rvMulAdd(past, -rvDot(past, wave->u), wave->u);
    // the first modes' own speed counts by its mean over the span
    const double* a = rv_layered_amplitudes(cable, span, 0);
    int n = cable->string->layer.table.stride;
    rvVec3 other = rvCross(wave->u, wave->across);
    double speed[2] = {0.63661977236758134 * a[n], 0.63661977236758134 * a[3 * n]}; // 2/pi
    if (cable->string->layer.scheme == RV_WAVE_EXPLICIT) // which keeps points: of the middle one
        for (int d = 0; d < 2; ++d)
            speed[d] = (a[2 * d * n + n / 2] - a[(2 * d + 1) * n + n / 2]) / h;
    rvVec3 own = rvAdd(rvScale(speed[0], wave->across), rvScale(speed[1], other));
    work->drag = cable->string->layer.drag * rvLength(rvSub(past, own)) / cable->massPerLength;
    work->push = rvScale(work->drag, past);
}

// Mass and amplitudes of the wave follow its length. The ends feel of that what a rope at rest makes them feel, the
// tension along the chord: so what the wave's weight seems to win by it, with (l'/l)^(3/2), it does not have.
// Rope that hangs deep has the wave of a span of length L, longer than the chord l (rv_layered_length), with amplitudes
// larger by sqrt(L/l). It feels (l/L)^(3/2) of gravity, so it has the arc at rest and the
// potential energy of the wave on the chord, and is at rest where the catenary is.
static void keep_hanging(rvCable* cable, int span, rvVec3 gravity)
{
    rvSpanWave* wave = rv_layered_wave(cable, span);
    rvSpanWork* work = &cable->string->layer.work[span];
    double scale = work->length / wave->length, part = fmin(1.0, work->chord / work->length), off[2];
    double feels = part * sqrt(part), more = scale * sqrt(scale) * feels - wave->feels;
    for (int e = 0; e < 2 && feels > 0.0; ++e) // of which the ends had another share
        work->swung[e] = rvScale(wave->feels / feels, work->swung[e]);
    wave->feels = feels;
    if (more == 0.0 || wave->moving == 0.0 || cable->string->layer.scheme != RV_WAVE_MODAL)
        return;
    rv_wave_mean(&cable->string->layer.table, rv_layered_amplitudes(cable, span, 0), off);
    double down = off[0] * rvDot(gravity, wave->across) + off[1] * rvDot(gravity, rvCross(wave->u, wave->across));
    wave->held += cable->massPerLength * wave->length * down * more;
}

static void begin(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    bool fresh = cable->state.fresh != 0.0;
    cable->string->layer.untried = cable->state.fresh == RV_UNTRIED;
    if (rv_layered_wave(cable, 0)->length == 0.0)
        rv_layered_hang(cable, context->gravity, cable->def.straight);
    rv_massless_begin(cable, bodies, context);
    rvRoute* route = &cable->route;
    for (int i = 0; i < route->spanCount; ++i) {
        rvSpanWave* wave = rv_layered_wave(cable, i);
        rv_layered_keep_momentum(cable, bodies, i);
        if (route->spans[i].length > 1e-9) {
            wave->across = rv_wave_transport(wave->across, wave->u, route->spans[i].u);
            wave->u = route->spans[i].u;
        }
        wave->points[0] = route->places[i].out;
        wave->points[1] = route->places[i + 1].in;
        rvSpanWork* work = &cable->string->layer.work[i];
        work->on[0] = route->places[i].on;
        work->on[1] = route->places[i + 1].on;
        work->chord = route->spans[i].length;
        work->length = rv_layered_length(cable, i, context->gravity);
        work->beyond = wave->beyond;
        work->poised = wave->poised;
        work->reach = rv_layered_reach(cable, i, context->h, context->gravity);
        work->drawn = 0.0;
        work->slowed = false;
        work->lost = 0.0;
        if (fresh) {
            cable->state.heat += 0.5 * wave->running * wave->runs * wave->runs; // it is counted anew
            wave->moving = wave->known = wave->running = 0.0;
            rv_layered_sag(cable, i, wave->tension, rv_layered_reach_of(cable, i), context->gravity);
        }
        keep_hanging(cable, i, context->gravity);
        find_drag(cable, i, context->h);
    }
    cable->account.entering = cable->account.blown = 0.0;
    rv_layered_share_rope(cable);
    rv_layered_find_entered(cable, context->h);
    for (int i = 0; i < route->spanCount; ++i) {
        const rvSpanWave* wave = rv_layered_wave(cable, i);
        rv_layered_begin_ends(cable, bodies, i);
        // as in the last step, until the bodies have moved
        double rate = rvDot(wave->u, rvSub(wave->endSpeeds[1], wave->endSpeeds[0]));
        cable->string->layer.work[i].apart = wave->moving != 0.0 ? context->h * rate : 0.0;
    }
    for (int k = 0; k < cable->string->segmentCount; ++k) {
        rv_layered_find_drawn(cable, k, NULL, context->h);
        cable->string->segments[k].begun = rv_massless_state(cable, k)->tension;
    }
    rv_layered_weigh(cable, context->gravity);
    for (int k = 1; k < cable->string->segmentCount; ++k) {
        double sides[2];
        rv_layered_at_junction(cable, (int)(rv_massless_junction(cable, k) - route->places), sides);
        int behind = rv_massless_reversed(cable) ? 0 : 1;
        for (int e = 0; e < 2; ++e)
            cable->string->segments[k].atJunction[e] = fmax(0.0, sides[e == 1 ? behind : 1 - behind]);
    }
    int last = route->spanCount - 1;
    cable->winch[0].state.offset = rv_layered_wave(cable, 0)->offset + rv_layered_wave(cable, 0)->ends[0];
    cable->winch[1].state.offset = rv_layered_wave(cable, last)->offset + rv_layered_wave(cable, last)->ends[1];
    if (cable->state.broken != 0.0) { // nothing hangs on its winches, and what they pay out is in no book
        cable->winch[0].state.offset = cable->winch[1].state.offset = 0.0;
        cable->winch[0].step.height = cable->winch[1].step.height = 0.0;
        return;
    }
    for (int i = 0; i < 2; ++i) {
        // the row knows the tension of the segment
        rvVec3 at = i == 0 ? route->places[0].out : route->places[route->spanCount].in;
        double offset = cable->winch[i].state.offset;
        cable->winch[i].step.driveSpeed += cable->winch[i].step.driveCompliance * offset;
        cable->winch[i].step.driveLimit = fmax(0.0, cable->winch[i].step.driveLimit - offset);
        cable->string->layer.brings[i] = cable->winch[i].exists ? rv_layered_run_energy(cable, bodies, i) : 0.0;
        cable->winch[i].step.height =
            cable->string->layer.brings[i] - cable->massPerLength * rvDot(context->gravity, at);
    }
}

static bool is_near(double tension, double where)
{
    return fabs(tension - where) <= CHANGE * fmax(tension, where);
}

// The arc of a span after this step as a line over its tension.
static void make_linear(rvCable* cable, int span, double tension, const rvStepContext* context)
{
    rvSpanWork* work = &cable->string->layer.work[span];
    const rvSpanWave* wave = rv_layered_wave(cable, span);
    work->anchor = wave->tension;
    work->arc = wave->nextArc;
    work->slope = fmin(0.0, wave->nextSlope);
    if ((wave->known != 0.0 && is_near(tension, wave->tension)) || cable->string->layer.scheme == RV_WAVE_EXPLICIT)
        return;
    rvWaveStep step = rv_layered_step(cable, span, tension, context->h);
    rv_layered_set_load(&step, wave, rvAdd(context->gravity, work->push), wave->faster);
    double slope;
    work->anchor = fmax(0.0, tension);
    work->arc = rv_wave_predict(&cable->string->layer.table, &step, rv_layered_amplitudes(cable, span, 0), &slope);
    work->slope = fmin(0.0, slope * rv_layered_nu2_by_tension(cable, span, context->h));
}

// Arcs that give way more easily than the rope stretches make it too stiff for the step, as light bodies do.
static bool is_over_stiff(const rvCable* cable)
{
    for (int k = 0; k < cable->string->segmentCount; ++k) {
        const rvSegment* segment = &cable->string->segments[k];
        double slope = 0.0;
        for (int i = segment->first; i < segment->last; ++i)
            slope += cable->string->layer.work[i].slope;
        if (-slope > 2.0 * rv_massless_state(cable, k)->rest / cable->axialStiffness)
            return true;
    }
    return false;
}

// The tension at which the rows of a chain of segments shall be linear: that of the last step, or where the chain alone
// would lead if that is far from it, which *alone says. It is the same in all passes: from pass to pass the lines would
// chase each other.
static double find_anchor(rvCable* cable, int head, int end, const rvStepContext* context, bool* alone)
{
    double h = context->h, t = cable->string->segments[head].begun, slope = 0.0, extra = 0.0, rate = 0.0;
    *alone = false;
    // (the printed stepper damps all that is fast, and needs no such care)
    if (cable->string->layer.scheme == RV_WAVE_EXPLICIT || cable->string->layer.explicitForce ||
        context->stepper == RV_STEPPER_PAPER)
        return t;
    rvLayeredStretch stretch = {.give = 0.5 * h * h * cable->string->segments[head].chainMobility};
    for (int k = head; k < end; ++k) {
        const rvSegment* segment = &cable->string->segments[k];
        rvLayeredStretch own = rv_layered_stretch_of(cable, k, h * segment->freeRate, h);
        stretch.before += own.before;
        stretch.base += own.base;
        stretch.compliance += own.compliance;
        stretch.share = own.share;
        stretch.lead += own.lead;
        rate += segment->freeRate;
        cable->string->segments[k].weight = 1.0;
        cable->string->segments[k].extraStrain = 0.0;
        for (int i = segment->first; i < segment->last; ++i) {
            const rvSpanWave* wave = rv_layered_wave(cable, i);
            const rvSpanWork* work = &cable->string->layer.work[i];
            extra += work->arc + work->slope * (t + wave->offset - work->anchor) + wave->beyond;
            slope += work->slope + wave->beyondSlope;
        }
    }
    double tension = rv_layered_tension_between(&stretch, t, extra);
    tension = t + (tension - t) / (1.0 - (0.5 + stretch.share) * (slope - stretch.give) / stretch.compliance);
    // only of a rope that snaps: one whose ends do no more than begin to fall is held by what the chain knows nothing
    // of
    bool fast = fabs(rate) > 10.0 * h * rvLength(context->gravity);
    bool snaps = stretch.before < 0.0 || t < SNAP * tension || fast, near = is_near(tension, t);
    if (near && fast) { // by the line: arcs that are drawn straight give way less
        for (int k = head; k < end; ++k)
            cable->string->segments[k].snaps = false;
        extra = rv_layered_extra_with(cable, head, end, tension, NULL, context, &slope);
        near = is_near(rv_layered_tension_between(&stretch, tension, extra), tension);
    }
    *alone = !near && snaps;
    for (int k = head; k < end; ++k)
        cable->string->segments[k].snaps = *alone;
    return *alone ? rv_layered_settle_tension(cable, head, end, &stretch, NULL, context) : t;
}

// The shift with which the row of the segment alone leads to tension t.
static double shift_to(const rvCable* cable, int k, double t, double tau, const rvStepContext* context)
{
    const rvSegment* segment = &cable->string->segments[k];
    const rvPlaceState* s = rv_massless_state(cable, k);
    double h = context->h, after = segment->freeRate - h * segment->mobility * t;
    double shift = (s->rest / cable->axialStiffness + segment->softness) * t - segment->stretch;
    return shift - 0.25 * h * (after - s->rate - segment->correction) - tau * after;
}

// All arcs as lines, and how far they would rise.
static void look_ahead(rvCable* cable, const rvStepContext* context)
{
    for (int k = 0; k < cable->string->segmentCount; ++k) {
        rvSegment* segment = &cable->string->segments[k];
        segment->rise = 0.0;
        bool light = true;
        for (int i = segment->first; i < segment->last; ++i) {
            const rvSpanWave* wave = rv_layered_wave(cable, i);
            const rvSpanWork* work = &cable->string->layer.work[i];
            double tension = segment->begun + wave->offset;
            make_linear(cable, i, tension, context);
            segment->rise += work->arc + work->slope * (tension - work->anchor) - wave->arc;
            light = light && (work->coupled == 0.0 || work->coupled >= 1.0);
        }
        segment->swings = light && segment->rise > 0.0;
    }
}

static double prepare(rvCable* cable, const rvStepContext* context, double tau)
{
    if (is_over_stiff(cable)) {
        cable->string->state.overStiff = 1.0;
        tau = fmax(tau, 0.5 * context->h);
    }
    cable->string->layer.tau = tau;
    double damped = context->stepper == RV_STEPPER_PAPER ? 0.0 : tau / context->h;
    double s = context->stepper == RV_STEPPER_PAPER ? 1.0 : 0.5 + damped;
    bool alone = false;
    double anchor = 0.0;
    for (int k = 0, end = 0; k < cable->string->segmentCount; ++k) {
        rvSegment* segment = &cable->string->segments[k];
        if (segment->head == k) {
            end = k + 1;
            while (end < cable->string->segmentCount && cable->string->segments[end].head == k)
                end += 1;
            anchor = find_anchor(cable, k, end, context, &alone);
        }
        double t = alone ? anchor : segment->begun;
        segment->shift = segment->softness = 0.0;
        for (int i = segment->first; i < segment->last; ++i) {
            const rvSpanWave* wave = rv_layered_wave(cable, i);
            const rvSpanWork* work = &cable->string->layer.work[i];
            double tension = t + wave->offset, slope = wave->beyondSlope;
            double beyond = wave->beyond + slope * (tension - wave->tension);
            // as it was, but where its ends draw it straight faster than it swings: it goes on giving way
            bool drawn = work->drawn > work->reach && wave->poised != wave->tension;
            if (!is_near(tension, wave->tension) || drawn) {
                rvSpanLie lie = rv_layered_lie(cable, i, context->gravity);
                beyond = rv_layered_beyond(cable, &lie, tension, rv_layered_reach_of(cable, i), &slope);
            }
            if (end > segment->head + 1)
                slope = fmax(slope, -SOFTEST * rv_massless_state(cable, k)->rest / cable->axialStiffness);
            make_linear(cable, i, tension, context);
            double arc = work->arc + work->slope * (wave->offset - work->anchor);
            segment->shift += (1.0 - s) * wave->arc + s * arc + (1.0 + damped) * (beyond - slope * t) -
                              damped * work->beyond - rv_layered_own_stretch(cable, i) -
                              cable->route.places[i].state.sag;
            segment->softness -= s * work->slope + (1.0 + damped) * slope;
        }
        // the row's own law of a rope that comes taut is rough; of one that is taut it is exact, whatever else holds it
        bool snaps =
            segment->begun < SNAP * t || segment->stretch < 0.5 * context->h * rv_massless_state(cable, k)->rate;
        if (alone && snaps && t > 0.0 && end == segment->head + 1)
            segment->shift = shift_to(cable, k, t, tau, context);
    }
    return tau;
}

// T = max(0, EA/L (l - L) + c (l' - L')), c = EA tau/L, of the state before the step.
static void fix_force(rvCable* cable, const rvStepContext* context, rvRows* rows)
{
    double tau = rv_damping_time(context, cable->damping), before = 0.0;
    for (int k = 0; k < cable->string->segmentCount; ++k) {
        const rvPlaceState* s = rv_massless_state(cable, k);
        double pull = (cable->string->segments[k].stretch + tau * s->rate) * cable->axialStiffness / s->rest;
        double impulse = context->h * fmax(0.0, pull);
        rvRow* row = &rv_group_rows(rows, cable->group)[k];
        if (cable->string->segments[k].head == k) // a chain begins
            before = 0.0;
        row->lower = row->upper = impulse - before;
        row->leanCount = 0;
        row->leanLower = row->leanUpper = row->leanExtraWeight = 0.0;
        row->mode = RV_ROW_LOWER;
        before = impulse;
    }
}

static void write_rows(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows, int owner)
{
    look_ahead(cable, context);
    rv_massless_write_rows(cable, bodies, context, rows, owner, prepare);
    rv_layered_write_ends(cable, bodies, rows, owner);
    rv_layered_write_runs(cable, bodies, context, rows, owner);
    if (cable->string->layer.explicitForce && cable->group >= 0)
        fix_force(cable, context, rows);
}

static rvPass read_rows(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, const rvRows* rows)
{
    rvPass pass = rv_massless_read_rows(cable, bodies, context, rows);
    rv_layered_read_runs(cable, rows);
    if (!(cable->peakTension > 0.0))
        return pass;
    for (int i = 0; i < cable->route.spanCount; ++i) {
        double along = cable->route.places[i].state.tension + rv_layered_wave(cable, i)->offset, ends[2];
        rv_layered_end_tensions(cable, i, along, ends);
        cable->peakTension = fmax(cable->peakTension, fmax(ends[0], ends[1]));
    }
    return pass;
}

// The step of a span's wave with this tension along its chord; answers its arc.
static double move_wave(rvCable* cable, int i, double tension, bool snaps, const double* flow,
                        const rvStepContext* context)
{
    rvLayer* layer = &cable->string->layer;
    rvSpanWave* wave = rv_layered_wave(cable, i);
    rvWaveStep step = rv_layered_driven_step(cable, i, tension, snaps, flow, context);
    const double* from = rv_layered_amplitudes(cable, i, 0);
    double* to = rv_layered_amplitudes(cable, i, 1);
    if (layer->scheme == RV_WAVE_EXPLICIT) {
        bool suspended;
        wave->nextArc = cable->reference->wave(&layer->table, &step, from, to, &suspended);
        wave->nextSlope = 0.0;
        wave->suspended = suspended ? 1.0 : 0.0;
        return layer->work[i].arc = wave->nextArc;
    }
    rvWaveNext next;
    layer->work[i].arc = rv_wave_advance(&layer->table, &step, from, to, &next);
    layer->work[i].lost = 0.5 * cable->massPerLength * layer->work[i].length * next.lost;
    layer->work[i].slowed = snaps; // what it will do is not known
    wave->nextArc = next.arc;
    wave->nextSlope = next.slope * rv_layered_nu2_by_tension(cable, i, context->h);
    return layer->work[i].arc;
}

// Does rope pass between segments k - 1 and k against drag? Only friction beside it can hold it.
static bool drags_at(const rvCable* cable, int k)
{
    if (k <= 0 || k >= cable->string->segmentCount || !rv_massless_drags(cable, k))
        return false;
    const rvPlace* place = rv_massless_junction(cable, k);
    return place->state.mode != 0.0 || !(place->friction > 0.0);
}

// All spans of segments first..last with tension t of the first of them; answers what they have beyond their chords.
static double move_spans(rvCable* cable, int first, int last, double t, const double* flow,
                         const rvStepContext* context)
{
    double extra = 0.0;
    for (int k = first; k <= last; ++k)
        for (int i = cable->string->segments[k].first; i < cable->string->segments[k].last; ++i) {
            const rvSpanWave* wave = rv_layered_wave(cable, i);
            double along = rv_layered_tension_in(cable, k, t) + wave->offset;
            extra += move_wave(cable, i, along, cable->string->segments[k].snaps, flow, context);
            rv_layered_sag(cable, i, along, rv_layered_reach_of(cable, i), context->gravity);
            extra += wave->beyond;
        }
    return extra;
}

// Energy that the step makes because the arcs are no lines: the bodies moved under the row's tension, the waves under
// theirs, and the stretch took what lies between its two lengths. (What slips on the way is friction's.)
static double made_by(const rvCable* cable, int k, double overBodies, double overWaves)
{
    double grown = 0.0;
    for (int i = cable->string->segments[k].first; i < cable->string->segments[k].last; ++i) {
        const rvSpanWave* wave = rv_layered_wave(cable, i);
        grown += cable->string->layer.work[i].arc + wave->beyond - wave->arc - cable->string->layer.work[i].beyond;
    }
    return overBodies * cable->string->segments[k].way + overWaves * grown;
}

// A rope at rest holds -T_m a metre of what it is longer by, T_m its tension at the height of the chord's middle: that
// along the chord and how much tighter the ends are. What the step took instead, by the tensions that it had, is heat;
// answers its negative, as the line between both tensions has it: of what a snap loses beyond that the waves get
// nothing back. (The arc's own share is the wave's.)
static double book_sag(rvCable* cable, int span, double t)
{
    rvSpanWave* wave = rv_layered_wave(cable, span);
    const rvSpanWork* work = &cable->string->layer.work[span];
    double deeper = 0.5 * (wave->ends[0] + wave->ends[1]), mean = 0.5 * (work->deeper + deeper);
    double more = cable->route.spans[span].length - work->chord + work->arc - wave->arc;
    const double sags[2] = {work->beyond, wave->beyond}, tensions[2] = {work->poised, wave->poised};
    double longer = sags[1] - sags[0], onTheWay = rv_layered_mean_tension(sags, tensions), poised = onTheWay + mean;
    if (!(t > 0.0)) // no rope comes or goes
        more = mean = 0.0;
    double made = (t + wave->offset + work->deeper - poised) * longer + (work->deeper - mean) * more;
    wave->held -= poised * longer + mean * more;
    cable->state.heat -= made;
    return made + (onTheWay - 0.5 * (tensions[0] + tensions[1])) * longer;
}

// What was made is owed to the waves' motion, which pays at once as far as it has any. What was lost is kept for later,
// as much of it as the waves hold. Spans first..last - 1.
static void pay(rvCable* cable, int first, int last, double made)
{
    const rvWaveTable* table = &cable->string->layer.table;
    double tank = -made, moving = 0.0, held = 0.0, none;
    for (int i = first; i < last; ++i) {
        tank += rv_layered_wave(cable, i)->tank;
        held += rv_layered_wave(cable, i)->tension * cable->string->layer.work[i].arc;
        rv_layered_wave(cable, i)->tank = 0.0;
    }
    tank = fmin(tank, held);
    rvWaveStep still = {0};
    bool owes = tank < -LEAST_DEBT * held;
    for (int i = first; i < last && owes; ++i) {
        double own;
        rv_wave_energy(table, &still, rv_layered_amplitudes(cable, i, 1), &own, &none);
        moving += 0.5 * cable->massPerLength * cable->string->layer.work[i].length * own;
    }
    if (moving > 0.0) {
        double share = fmin(1.0, -tank / moving);
        for (int i = first; i < last; ++i) {
            rv_wave_slow(table, sqrt(1.0 - share), rv_layered_amplitudes(cable, i, 1));
            cable->string->layer.work[i].slowed = true;
        }
        tank += share * moving;
        cable->state.heat += share * moving;
    }
    rv_layered_wave(cable, first)->tank = tank;
}

// A segment once the bodies have moved; answers its stretch.
static rvLayeredStretch begin_segment(rvCable* cable, const rvBodyStore* bodies, int k, const rvStepContext* context)
{
    rvSegment* segment = &cable->string->segments[k];
    rvLayeredStretch stretch =
        rv_layered_stretch_of(cable, k, rv_layered_growth_of(cable, bodies, k, context), context->h);
    segment->grown = 0.0;
    segment->way = stretch.base - stretch.before - rv_massless_state(cable, k)->laid;
    for (int i = segment->first; i < segment->last; ++i) {
        const rvSpanWave* wave = rv_layered_wave(cable, i);
        cable->string->layer.work[i].deeper = 0.5 * (wave->ends[0] + wave->ends[1]);
        segment->grown -= cable->route.places[i].state.sag;
        segment->way += wave->arc + wave->beyond;
        cable->string->layer.work[i].apart = cable->route.spans[i].length - cable->string->layer.work[i].chord;
        rv_layered_find_motion(cable, bodies, i, context->h);
    }
    rv_layered_find_drawn(cable, k, bodies, context->h);
    segment->snaps = segment->begun < SNAP * rv_massless_state(cable, k)->tension;
    return stretch;
}

// The wave of a span took its step with the tension t of its segment.
static void end_span(rvCable* cable, const rvBodyStore* bodies, int i, double t, double solved, double h)
{
    rv_layered_settle_ends(cable, bodies, i, h);
    rv_layered_react(cable, bodies, i);
    rvSpanWave* wave = rv_layered_wave(cable, i);
    const rvSpanWork* work = &cable->string->layer.work[i];
    cable->state.heat += work->lost;
    // the bodies' tension went into the stretch's books, the waves took this one
    cable->state.heat += (t - solved) * (work->arc - wave->arc + wave->beyond - work->beyond);
    wave->arc = work->arc;
    wave->known = work->slowed ? 0.0 : 1.0;
    wave->length = work->length;
    cable->route.places[i].state.sag = wave->arc + wave->beyond - rv_layered_own_stretch(cable, i);
}

// Segments first..last that slip into each other, or one. What slips in this step is not known yet, but it changes no
// sum: that of the stretches tells the tension of the first, and the ratios of friction those of the others; where rope
// is dragged over an eye, by how much the rows have one tighter than the other.
static void advance_group(rvCable* cable, const rvBodyStore* bodies, int first, int last, const double* flow,
                          const rvStepContext* context)
{
    double solved = rv_massless_state(cable, first)->tension, t = solved, made = 0.0;
    rvLayeredStretch stretch = {0};
    rv_massless_weigh_group(cable, first, last);
    int low = cable->string->segments[first].first, high = cable->string->segments[first].last;
    for (int k = first; k <= last; ++k) {
        const rvSegment* segment = &cable->string->segments[k];
        rvLayeredStretch own = begin_segment(cable, bodies, k, context);
        double apart = own.compliance * segment->extraStrain * cable->axialStiffness;
        stretch.before += own.before - apart;
        stretch.base += own.base - apart;
        stretch.compliance += segment->weight * own.compliance;
        stretch.share = own.share;
        stretch.lead += own.lead;
        low = segment->first < low ? segment->first : low;
        high = segment->last > high ? segment->last : high;
    }
    bool free = cable->string->layer.scheme == RV_WAVE_MODAL && !cable->string->layer.explicitForce;
    // a winch at its limit lets go or hauls in what it takes: its force is known, not the stretch
    bool yields = first == 0 && rv_massless_yields(cable);
    double extra = move_spans(cable, first, last, t, flow, context);
    double found = yields ? t : rv_layered_tension_between(&stretch, t, extra);
    if (free && !yields && fabs(found - t) > ENOUGH * fmax(found, t)) {
        double most =
            first == 0 ? cable->winch[cable->limitingWinch].step.driveLimit : HUGE_VAL; // a winch would let go
        t = fmin(rv_layered_settle_tension(cable, first, last + 1, &stretch, flow, context), most);
        extra = move_spans(cable, first, last, t, flow, context);
        found = rv_layered_tension_between(&stretch, t, extra);
    }
    for (int k = first; k <= last; ++k) {
        double own = rv_layered_tension_in(cable, k, t), between = rv_layered_tension_in(cable, k, found);
        made += made_by(cable, k, between - rv_massless_state(cable, k)->tension, between - own);
        for (int i = cable->string->segments[k].first; i < cable->string->segments[k].last; ++i) {
            cable->account.blown -= rv_layered_blow(cable, i);
            rv_layered_touch(cable, bodies, i, own + rv_layered_wave(cable, i)->offset, context);
            made += book_sag(cable, i, own);
        }
    }
    if (free)
        pay(cable, low, high, made);
    for (int k = first; k <= last; ++k)
        for (int i = cable->string->segments[k].first; i < cable->string->segments[k].last; ++i) {
            end_span(cable, bodies, i, rv_layered_tension_in(cable, k, t), rv_massless_state(cable, k)->tension,
                     context->h);
            cable->string->segments[k].grown += cable->route.places[i].state.sag;
        }
}

static void advance(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    double* flow = cable->string->layer.scratch + 6 * cable->string->layer.table.stride;
    if (cable->state.broken != 0.0) { // its rope is gone, and so are its books
        rv_massless_advance(cable, bodies, context);
        return;
    }
    if (cable->string->layer.runs)
        rv_layered_find_flow(cable, context->h, flow);
    for (int k = 0; k < cable->string->segmentCount; ++k)
        cable->string->segments[k].stuck = 0;
    for (int first = 0, last; first < cable->string->segmentCount; first = last + 1) {
        last = first;
        while (last + 1 < cable->string->segmentCount &&
               (rv_massless_slips(cable, last + 1) || drags_at(cable, last + 1)))
            last += 1;
        advance_group(cable, bodies, first, last, flow, context);
    }
    cable->string->state.waveSide = cable->string->state.waveSide != 0.0 ? 0.0 : 1.0;
    rv_layered_advance_runs(cable, context->h);
    rv_massless_advance(cable, bodies, context);
    for (int i = 0; i < 2; ++i)
        cable->account.entering +=
            cable->winch[i].exists ? context->h * cable->winch[i].state.rate * cable->string->layer.brings[i] : 0.0;
    cable->state.heat += cable->account.entering + cable->account.blown;
}

static double tension(const rvCable* cable, const rvBodyStore* bodies, int span, int end)
{
    (void)bodies;
    double along = rv_layered_wave(cable, span)->tension, ends[2] = {0.0, 0.0};
    if (cable->state.broken != 0.0 || cable->loose)
        return 0.0;
    if (end >= 0)
        rv_layered_end_tensions(cable, span, along, ends);
    return end >= 0 ? fmax(0.0, ends[end]) : along;
}

static void force_on(const rvCable* cable, const rvBodyStore* bodies, int body, double h, rvVec3* force, rvVec3* torque)
{
    rv_string_force_on(cable, bodies, body, h, rv_layered_load_on, force, torque);
    rv_twist_force_on(cable, bodies, body, force, torque);
}

static void place(rvCable* cable, const rvBodyStore* bodies, const rvPlacement* how)
{
    if (how->kind == RV_START_LIKE)
        rv_layered_take(cable, how->like, bodies, how->gravity, how->h);
    else
        rv_layered_hang(cable, how->gravity, how->kind == RV_START_STRAIGHT);
}

static void follow(rvCable* cable, const rvBodyStore* bodies, const rvChange* change)
{
    switch (change->kind) {
    case RV_CHANGE_JOIN:
        rv_layered_unite(cable, change->first, change->last);
        break;
    case RV_CHANGE_PLACES:
        rv_layered_match(cable, bodies);
        break;
    case RV_CHANGE_SPEEDS:
        rv_layered_slow(cable, change->share);
        break;
    case RV_CHANGE_ENDS:
        rv_layered_move_ends(cable, change->body, change->v, change->w);
        break;
    case RV_CHANGE_DROP:
        rv_layered_join_records(cable, change->into, change->from);
        break;
    default: // its spans are measured as each step begins
        rv_string_follow(cable, bodies, change);
        break;
    }
}

static void load(rvCable* cable, rvBodyStore* bodies, const rvStepContext* step, int pass)
{
    if (pass == 0)
        rv_layered_add_loads(cable, bodies, step);
    rv_string_add_stiffness(cable, bodies, step);
}

static const char* end(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* step)
{
    advance(cable, bodies, step);
    cable->contactCount = rv_layered_touching(cable);
    return NULL;
}

// Its chords lie on shapes from the start: contacts of its route.
static double depth(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes)
{
    (void)cable, (void)bodies, (void)shapes;
    return 0.0;
}

static const rvModelLife life = {.create = rv_layered_create,
                                 .destroy = rv_layered_destroy,
                                 .place = place,
                                 .follow = follow,
                                 .visit = rv_layered_visit};

static const rvModelStep steps = {.begin = begin, .load = load, .write = write_rows, .read = read_rows, .end = end};

static const rvModelRead readings = {.energy = rv_layered_energy,
                                     .tension = tension,
                                     .section = rv_string_section,
                                     .point = rv_layered_point,
                                     .shape = rv_layered_shape,
                                     .forceOn = force_on};

static const rvModelContact contacts = {.collide = rv_layered_collide, .depth = depth};

static const rvModelSpan spans = {.measure = rv_layered_measure_span, .trace = rv_layered_trace};

const rvModel rv_model_layered = {.name = "layered",
                                  .traits = RV_HAS_MASS | RV_SEGMENTS,
                                  .life = &life,
                                  .step = &steps,
                                  .read = &readings,
                                  .contact = &contacts,
                                  .span = &spans};
