// SPDX-License-Identifier: MIT
// The ends of a span with mass: what they feel of its wave, its weight and its inertia.
//
// A point of the rope moves with the chord between the ends' velocities v0, v1 and with the wave. So its kinetic energy
// (wave.h) couples both: the ends' acceleration drives the wave, and what the wave gains of momentum its ends lose. Of
// the wave's step all is linear in that acceleration: with P the momentum that the wave would have if the ends kept
// their velocities, and g what it has less by their change, an end takes in the step
//   -rho l (dP/2 +- dQ) - rho l E dv,   E = (1 - g0)/4 + K - g1
//   (P of the mean, Q of the tilt; the other end's dv is late; of rope that is longer than its chord 1/4 + K of what it
//   is longer by is in E, too: all of it moves with the chord)
// the first as a force that comes before the solve, the second as mass of its body: nothing is late where the tension
// is that of the last step and the other end stands. What was different is owed, and given in the next step: momentum
// is kept. E is small where the step resolves the waves (the end feels the string, not its mass), and up to 1/3 where
// it does not.
//
// Along its direction a rope has no wave: half of its mass rests on either end. Bodies have one mass for all
// directions, E; what is more along the span is a row, u.v' + x/m = u.v, where it is not too small to count.
// A body lighter than the span's rope feels only a share `coupled` of this, and half of the mass for the rest: its rope
// is more of an end than it is itself, which modes between fixed ends do not describe.
#include "cable/crossing/crossing.h"
#include "cable/string/layered.h"

#define LEAST_ALONG 5e-3    // of a body's mass: inertia along the span below it has no row
#define LEAST_STANDING 1e-6 // of a span's length: an arc; less is owed by round-off where a rope is straight

rvWaveStep rv_layered_step(const rvCable* cable, int span, double tension, double h)
{
    const rvLayer* layer = &cable->string->layer;
    const rvSpanWork* work = &layer->work[span];
    const rvSpanWave* wave = rv_layered_wave(cable, span);
    double m = layer->subdivisions, l = work->length;
    double scale = wave->length > 0.0 ? sqrt(l / wave->length) : 1.0;
    return (rvWaveStep){.h = h,
                        .nu2 = fmax(0.0, tension) * h * h * m * m / (cable->massPerLength * l * l),
                        .damping = 0.5 * h * (layer->damping + work->drag),
                        .arc = m * m / l,
                        .scaleY = scale,
                        .scaleW = 1.0 / scale};
}

void rv_layered_set_load(rvWaveStep* step, const rvSpanWave* wave, rvVec3 field, const rvVec3 faster[2])
{
    rvVec3 across[2] = {wave->across, rvCross(wave->u, wave->across)};
    rvVec3 mean = rvMulAdd(rvScale(wave->feels, field), -0.5, rvAdd(faster[0], faster[1])),
           change = rvSub(faster[0], faster[1]);
    for (int d = 0; d < 2; ++d) {
        step->load[d][0] = rvDot(across[d], mean);
        step->load[d][1] = rvDot(across[d], change);
    }
}

// A wheel that the rope has left holds nothing.
static const rvBody* body_at(const rvBodyStore* bodies, const rvPlace* place)
{
    bool held = place->on && place->body >= 0 && rv_body_moves(&bodies->items[place->body]);
    return held ? &bodies->items[place->body] : NULL;
}

// An end that is neither fixed nor a body's: the point of a crossing has half of the span's rope for its mass
// (crossing_mass.c), rope beside a wheel that it has left hangs on the places before and after it. They do not know of
// the wave.
static bool hangs_between(const rvCable* cable, int span)
{
    const rvPlace* places = cable->route.places + span;
    return rv_place_is_crossing(&places[0]) || rv_place_is_crossing(&places[1]) || !places[0].on || !places[1].on;
}

// Beside a wheel that the rope has left: the share of what is there that the place after it carries; the one before it
// has the rest.
static double lever(const rvRoute* route, const rvPlace* place)
{
    rvVec3 from = route->places[place->before].out, to = route->places[place->after].in;
    return rvDistance(from, place->in) / fmax(rvDistance(from, to), 1e-9);
}

// Share of the ends' motion that couples to the wave.
static double coupling(const rvCable* cable, const rvBodyStore* bodies, int span)
{
    double share = hangs_between(cable, span) ? 0.0 : 1.0, mass = rv_layered_mass(cable, span);
    for (int e = 0; e < 2; ++e) {
        const rvBody* body = body_at(bodies, &cable->route.places[span + e]);
        if (body && rv_body_is_pushed(body))
            share = fmin(share, body->mass / fmax(mass, 1e-300));
    }
    return share * rv_layered_wave(cable, span)->feels;
}

// K of the head.
static double tilting(const rvCable* cable)
{
    double m = cable->string->layer.table.intervals;
    return 1.0 / 12.0 + 1.0 / (6.0 * m * m);
}

// What moves with the chord, across it: by an end's own speed, and by that of the other. All rope of the span counts,
// also where the chord is shorter: a mass that grew with the chord would make momentum and energy. Of a stretched one
// as much as the wave has.
typedef struct {
    double own, other; // [kg]
} ChordMass;

static ChordMass chord_mass(const rvCable* cable, int span, double length, double share)
{
    double mass = fmax(rv_layered_mass(cable, span), cable->massPerLength * length), tilt = tilting(cable),
           square = share * share;
    return (ChordMass){mass * (square * (0.25 + tilt) + 0.5 * (1.0 - square)), mass * square * (0.25 - tilt)};
}

static rvVec3 in_world(const rvSpanWave* wave, const double across[2])
{
    return rvAdd(rvScale(across[0], wave->across), rvScale(across[1], rvCross(wave->u, wave->across)));
}

// What the wave's momentum gives to an end, for each kg of rope.
static rvVec3 at_end(const rvSpanWave* wave, const rvWaveMomentum* p, int end)
{
    double side = end == 0 ? 1.0 : -1.0;
    const double sum[2] = {0.5 * p->mean[0] + side * p->tilt[0], 0.5 * p->mean[1] + side * p->tilt[1]};
    return in_world(wave, sum);
}

void rv_layered_keep_momentum(rvCable* cable, const rvBodyStore* bodies, int span)
{
    const rvSpanWave* wave = rv_layered_wave(cable, span);
    const rvPlace* places = cable->route.places + span;
    if (cable->string->layer.scheme != RV_WAVE_MODAL || (!body_at(bodies, &places[0]) && !body_at(bodies, &places[1])))
        return;
    rvWaveMomentum p = rv_wave_momentum(&cable->string->layer.table, rv_layered_amplitudes(cable, span, 0));
    for (int e = 0; e < 2; ++e)
        cable->string->layer.work[span].swung[e] = rvScale(cable->massPerLength * wave->length, at_end(wave, &p, e));
}

void rv_layered_find_entered(rvCable* cable, double h)
{
    const rvRoute* route = &cable->route;
    double flow = cable->winch[0].exists ? h * cable->winch[0].state.rate : 0.0;
    for (int i = 0; i < route->spanCount; ++i) {
        rvSpanWork* work = &cable->string->layer.work[i];
        const rvSpanWave* wave = rv_layered_wave(cable, i);
        flow -= route->places[i].state.wound - work->wound;
        work->entered[0] = flow;
        flow -= wave->rest - work->rest;
        work->entered[1] = -flow;
        if (wave->moving == 0.0)
            work->entered[0] = work->entered[1] = 0.0;
    }
}

static rvVec3 speed_at(const rvBody* body, rvVec3 arm)
{
    return body ? rvAdd(body->state.v, rvCross(body->state.w, arm)) : rvVec(0, 0, 0);
}

// Rope that comes in at an end has its speed, across the span, and makes the mass of both larger. With d how much
// faster the far end is and o the share of the mass that an end feels of its own speed, these impulses keep both
// momentum and energy:
//   -o/2 m d at the far end,  -(1 - o)/2 m d where it came in
// Along the span it runs with the rope: what it has of that speed comes and goes with it.
static void find_carried(const rvCable* cable, const rvBodyStore* bodies, int span, rvVec3 impulse[2])
{
    const rvSpanWork* work = &cable->string->layer.work[span];
    const rvSpanWave* wave = rv_layered_wave(cable, span);
    const rvPlace* places = cable->route.places + span;
    rvVec3 faster = rvSub(speed_at(body_at(bodies, &places[1]), places[1].armIn),
                          speed_at(body_at(bodies, &places[0]), places[0].armOut));
    faster = rvMulAdd(faster, -rvDot(faster, wave->u), wave->u);
    double own = chord_mass(cable, span, work->length, work->coupled).own /
                 fmax(rv_layered_mass(cable, span), cable->massPerLength * work->length);
    for (int e = 0; e < 2; ++e) {
        double here = work->entered[e], there = work->entered[1 - e], side = e == 0 ? 1.0 : -1.0;
        impulse[e] = rvScale(0.5 * side * cable->massPerLength * (own * there - (1.0 - own) * here), faster);
    }
}

void rv_layered_begin_ends(rvCable* cable, const rvBodyStore* bodies, int span)
{
    rvSpanWork* work = &cable->string->layer.work[span];
    rvSpanWave* wave = rv_layered_wave(cable, span);
    double half = 0.5 * rv_layered_mass(cable, span);
    double more = wave->moving != 0.0 ? 0.5 * cable->massPerLength * (wave->rest - work->rest) : 0.0;
    work->coupled = 0.0;
    for (int e = 0; e < 2; ++e) {
        // rope that comes or goes has the speed of the end that it is counted at. What a winch brings it with is its
        // work, the difference heat: rope that is paid out slack comes to rest
        const rvPlace* place = &cable->route.places[span + e];
        double along = rvDot(wave->u, speed_at(body_at(bodies, place), e == 0 ? place->armOut : place->armIn));
        cable->account.entering -= 0.5 * more * along * along;
        work->heavy[e] = wave->along[e] = half;
        work->stiffer[e] = 0.0;
        work->given[e] = rvVec(0, 0, 0);
        if (body_at(bodies, &cable->route.places[span + e]) && cable->string->layer.scheme == RV_WAVE_MODAL)
            work->coupled = coupling(cable, bodies, span);
    }
}

// A wave that owes more than its arc holds (pay in model_layered.c) pays with all of its speed in this step, too: it
// stands, and its ends feel all of the rope. Taken for one that swings, its mass came to them a step late each time,
// which made light blocks shake without end. Spans that slip into each other owe together.
static void find_standing(rvCable* cable)
{
    const rvRoute* route = &cable->route;
    for (int first = 0, last; first < route->spanCount; first = last) {
        double held = 0.0;
        for (last = first; last == first || (last < route->spanCount && (route->places[last].state.isJunction == 0.0 ||
                                                                         route->places[last].state.slip != 0.0));
             ++last)
            held += rv_layered_wave(cable, last)->tension *
                    (rv_layered_wave(cable, last)->arc + LEAST_STANDING * cable->string->layer.work[last].length);
        for (int i = first; i < last; ++i)
            cable->string->layer.work[i].stands = rv_layered_wave(cable, first)->tank < -held;
    }
}

// Mass and impulse of the wave at the ends, as the step would go at the last tension.
static void find_reaction(rvCable* cable, const rvBodyStore* bodies, int span, const rvStepContext* context)
{
    rvSpanWork* work = &cable->string->layer.work[span];
    rvSpanWave* wave = rv_layered_wave(cable, span);
    double share = work->coupled, mass = cable->massPerLength * work->length, give[2];
    if (!(share > 0.0))
        return;
    const double* a = rv_layered_amplitudes(cable, span, 0);
    rvWaveStep step = rv_layered_step(cable, span, wave->tension, context->h);
    rv_layered_set_load(&step, wave, rvAdd(context->gravity, work->push), (const rvVec3[2]){{0, 0, 0}, {0, 0, 0}});
    rvWaveMomentum after = rv_wave_respond(&cable->string->layer.table, &step, a, give);
    if (work->stands) {
        after = (rvWaveMomentum){0};
        give[0] = give[1] = 0.0;
    }
    // less what the wave lags behind
    double heavy = chord_mass(cable, span, work->length, share).own - share * share * mass * (0.25 * give[0] + give[1]);
    for (int e = 0; e < 2; ++e) {
        const rvBody* body = body_at(bodies, &cable->route.places[span + e]);
        if (!body)
            continue;
        work->given[e] = rvScale(-share, rvSub(rvScale(mass, at_end(wave, &after, e)), work->swung[e]));
        work->heavy[e] = heavy;
        double more = wave->along[e] - work->heavy[e];
        bool counts = rv_body_is_pushed(body) && more > LEAST_ALONG * body->mass;
        work->stiffer[e] = counts ? more : 0.0;
        wave->along[e] = work->heavy[e] + work->stiffer[e];
    }
}

// Rope that hangs beside its chord turns it: the weight along the chord times how far the rope's middle is off, as a
// pair of forces on the ends; this one on the first.
static rvVec3 turning_of(const rvCable* cable, int span, rvVec3 gravity)
{
    const rvSpanWave* wave = rv_layered_wave(cable, span);
    double off[2] = {0.0, 0.0};
    if (cable->string->layer.scheme == RV_WAVE_MODAL)
        rv_wave_mean(&cable->string->layer.table, rv_layered_amplitudes(cable, span, 0), off);
    double longer = cable->string->layer.work[span].length / fmax(cable->string->layer.work[span].chord, 1e-9);
    return rvScale(cable->massPerLength * wave->feels * longer * rvDot(gravity, wave->u), in_world(wave, off));
}

// What a shape's body has still to get of a curve that lies on it.
static void add_press(rvBodyStore* bodies, rvSpanPress* press, double h)
{
    int index = (int)fmin(fmax(press->body, 0.0), bodies->pool.count) - 1;
    if (index >= 0 && rv_body_alive(bodies, index)) { // it may be gone
        rvBody* body = &bodies->items[index];
        body->ropeForce = rvMulAdd(body->ropeForce, 1.0 / h, press->impulse);
        body->ropeTorque = rvMulAdd(body->ropeTorque, 1.0 / h, press->moment);
    }
    *press = (rvSpanPress){0};
}

void rv_layered_load_on(const rvCable* cable, const rvBodyStore* bodies, int place, rvVec3* force, rvVec3* torque)
{
    const rvRoute* route = &cable->route;
    const rvPlace* p = &route->places[place];
    rvVec3 center = bodies->items[p->body].state.x;
    if (cable->state.broken != 0.0 || cable->loose)
        return;
    for (int e = 0; e < 2; ++e) { // of the spans that begin and end there
        int span = place - e;
        if (span < 0 || span >= route->spanCount)
            continue;
        const rvSpanWave* wave = rv_layered_wave(cable, span);
        rvVec3 pair = rvAdd(turning_of(cable, span, wave->gravity), wave->pair);
        rvVec3 load = rvMulAdd(e == 0 ? pair : rvNeg(pair), 0.5 * rv_layered_mass(cable, span), wave->gravity);
        *force = rvAdd(*force, load);
        *torque = rvAdd(*torque, rvCross(rvSub(e == 0 ? p->out : p->in, center), load));
    }
    rvVec3 wound = rvScale(cable->massPerLength * p->state.wound, rv_layered_wave(cable, 0)->gravity);
    *force = rvAdd(*force, wound);
    *torque = rvAdd(*torque, rvCross(rvSub(rv_layered_wound_at(cable, bodies, place), center), wound));
    for (int i = 0; i < 2; ++i) // it turns a drum with inertia, not what carries it
        if (cable->winch[i].exists && rv_cable_winch_place(cable, i) == place && p->wheelSlot >= 0)
            *torque = rvMulAdd(*torque, -cable->winch[i].step.drumTorque, p->axis);
}

// Rope on wheels and shapes: mass of their bodies. (On a drum that the rope came off, it is less than none.)
static void add_wound(const rvCable* cable, rvBodyStore* bodies, rvVec3 gravity)
{
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace* place = &cable->route.places[i];
        double mass = cable->massPerLength * place->state.wound;
        if (mass == 0.0 || !body_at(bodies, place))
            continue;
        rvBody* body = &bodies->items[place->body];
        rvVec3 arm = rvSub(rv_layered_wound_at(cable, bodies, i), body->state.x);
        rv_body_add_rope(body, arm, fmax(0.0, mass), rvScale(mass, gravity));
    }
}

// Rows turn a drum with inertia by the tension of its segment. By how much the rope's weight makes it tighter there
// turns it too, and not its carrier.
static void load_drums(rvCable* cable, rvBodyStore* bodies)
{
    for (int i = 0; i < 2; ++i) {
        const rvPlace* drum = &cable->route.places[rv_cable_winch_place(cable, i)];
        if (!cable->winch[i].exists || drum->wheelSlot < 0)
            continue;
        cable->winch[i].step.drumTorque = rv_massless_drum_sign(cable, i) * drum->radius * cable->winch[i].state.offset;
        if (body_at(bodies, drum)) {
            rvBody* body = &bodies->items[drum->body];
            body->ropeTorque = rvMulAdd(body->ropeTorque, -cable->winch[i].step.drumTorque, drum->axis);
        }
    }
}

// Mass and force of rope beside a wheel that it has left, on the places before and after it.
static void hang_between(const rvRoute* route, rvBodyStore* bodies, const rvPlace* place, double mass, rvVec3 force)
{
    const rvPlace* held[2] = {&route->places[place->before], &route->places[place->after]};
    double after = lever(route, place), share[2] = {1.0 - after, after};
    for (int k = 0; k < 2; ++k)
        if (body_at(bodies, held[k]))
            rv_body_add_rope(&bodies->items[held[k]->body], k == 0 ? held[k]->armOut : held[k]->armIn, share[k] * mass,
                             rvScale(share[k], force));
}

void rv_layered_add_loads(rvCable* cable, rvBodyStore* bodies, const rvStepContext* context)
{
    cable->winch[0].step.drumTorque = cable->winch[1].step.drumTorque = 0.0;
    if (cable->state.broken != 0.0 || cable->loose)
        return;
    const rvRoute* route = &cable->route;
    find_standing(cable);
    add_wound(cable, bodies, context->gravity);
    load_drums(cable, bodies);
    for (int i = 0; i < route->spanCount; ++i) {
        rvSpanWork* work = &cable->string->layer.work[i];
        rvSpanWave* wave = rv_layered_wave(cable, i);
        for (int e = 0; e < 2; ++e) {
            add_press(bodies, &wave->presses[e], context->h);
            work->blown[e] = rvVec(0, 0, 0);
        }
        work->pair = rvVec(0, 0, 0);
        if (!body_at(bodies, &route->places[i]) && !body_at(bodies, &route->places[i + 1]) &&
            !hangs_between(cable, i)) {
            wave->owed[0] = wave->owed[1] = rvVec(0, 0, 0);
            continue;
        }
        bool anew =
            wave->moving == 0.0 && !cable->string->layer.untried; // what it is counted with now is not what it was
        cable->state.heat += anew ? rv_layered_ends_energy(cable, bodies, i) : 0.0;
        find_reaction(cable, bodies, i, context);
        cable->state.heat -= anew ? rv_layered_ends_energy(cable, bodies, i) : 0.0;
        double half = 0.5 * rv_layered_mass(cable, i);
        // the drag on the chord's own motion, as an implicit step of it would be; that of the fluid in full
        double slow = half / (1.0 + context->h * work->drag);
        rvVec3 wind = rvMulAdd(cable->string->layer.wind, -rvDot(cable->string->layer.wind, wave->u), wave->u);
        rvVec3 blown = rvMulAdd(rvScale(slow, work->push), (half - slow) * work->drag, wind);
        rvVec3 weight = rvMulAdd(blown, half, context->gravity);
        rvVec3 pull = rvMulAdd(turning_of(cable, i, context->gravity), wave->offset, route->spans[i].u);
        work->pair = wave->pair;
        pull = rvAdd(pull, work->pair);
        rvVec3 carried[2];
        find_carried(cable, bodies, i, carried);
        for (int e = 0; e < 2; ++e) {
            const rvPlace* place = &route->places[i + e];
            rvVec3 force = e == 0 ? rvAdd(weight, pull) : rvSub(weight, pull);
            force = rvMulAdd(force, 1.0 / context->h, rvAdd(carried[e], rvAdd(work->given[e], wave->owed[e])));
            wave->owed[e] = rvVec(0, 0, 0);
            work->blown[e] = blown;
            if (body_at(bodies, place))
                rv_body_add_rope(&bodies->items[place->body], e == 0 ? place->armOut : place->armIn, work->heavy[e],
                                 force);
            else if (!place->on)
                hang_between(route, bodies, place, work->heavy[e], force);
            else if (place->crossing)
                rv_crossing_load(place, work->heavy[e], force,
                                 rvScale(e == 0 ? wave->offset : -wave->offset, route->spans[i].u));
        }
    }
}

void rv_layered_write_ends(const rvCable* cable, const rvBodyStore* bodies, rvRows* rows, int owner)
{
    if (cable->state.broken != 0.0 || cable->loose)
        return;
    const rvRoute* route = &cable->route;
    for (int i = 0; i < route->spanCount; ++i)
        for (int e = 0; e < 2; ++e) {
            const rvPlace* place = &route->places[i + e];
            double mass = cable->string->layer.work[i].stiffer[e];
            int group = mass > 0.0 ? rv_rows_add(rows, RV_GROUP_CABLE, owner, 1, &place->body, 1) : -1;
            if (group < 0)
                continue;
            const rvBodyState* s = &bodies->items[place->body].state;
            rvVec3 u = route->spans[i].u, arm = e == 0 ? place->armOut : place->armIn, turn = rvCross(arm, u);
            double* j = rv_group_jacobian(rows, group, 0)[0];
            const double all[6] = {u.x, u.y, u.z, turn.x, turn.y, turn.z};
            for (int k = 0; k < 6; ++k)
                j[k] = all[k];
            rvRow* row = rv_group_rows(rows, group);
            row->bias = rvDot(u, s->v) + rvDot(turn, s->w);
            row->compliance = 1.0 / mass;
        }
}

// By the velocities of this step; a host's bodies may have theirs only after it.
static rvVec3 solved_speed(const rvBodyStore* bodies, const rvPlace* place, rvVec3 arm)
{
    if (!body_at(bodies, place))
        return rvVec(0, 0, 0);
    const double* v = bodies->velocity[place->body];
    return rvAdd(rvVec(v[0], v[1], v[2]), rvCross(rvVec(v[3], v[4], v[5]), arm));
}

// How fast the ends of a span are now, and what drives it.
void rv_layered_find_motion(rvCable* cable, const rvBodyStore* bodies, int span, double h)
{
    rvSpanWave* wave = rv_layered_wave(cable, span);
    rvVec3 now[2] = {cable->route.places[span].out, cable->route.places[span + 1].in};
    for (int e = 0; e < 2; ++e) {
        rvVec3 speed = rvScale(1.0 / h, rvSub(now[e], wave->points[e]));
        const rvPlace* place = &cable->route.places[span + e];
        if (place->on !=
            cable->string->layer.work[span].on[e]) // it was put there when the rope came to its wheel, or left it
            speed = wave->endSpeeds[e];
        else if (rv_place_is_wheel(place) && place->on) // the rope there, not the tangent point, which runs along it
            speed = solved_speed(bodies, place, e == 0 ? place->armOut : place->armIn);
        double share = cable->string->layer.work[span].coupled;
        if (cable->string->layer.scheme ==
            RV_WAVE_EXPLICIT) // it gives nothing back: only ends that are prescribed drive it
            share = place->body >= 0 && rv_body_is_pushed(&bodies->items[place->body]) ? 0.0 : 1.0;
        rvVec3 before =
            wave->moving != 0.0 ? wave->endSpeeds[e] : speed; // what the fluid does to bodies is drag or wind
        cable->account.blown -= 0.5 * h * rvDot(cable->string->layer.work[span].blown[e], rvAdd(before, speed));
        wave->held -= (e == 0 ? 0.5 : -0.5) * h * rvDot(cable->string->layer.work[span].pair, rvAdd(before, speed));
        wave->faster[e] = wave->moving != 0.0 ? rvScale(share / h, rvSub(speed, wave->endSpeeds[e])) : rvVec(0, 0, 0);
        wave->endSpeeds[e] = speed;
    }
    wave->moving = 1.0;
}

double rv_layered_blow(const rvCable* cable, int span)
{
    const rvSpanWork* work = &cable->string->layer.work[span];
    const rvSpanWave* wave = rv_layered_wave(cable, span);
    if (!(work->drag > 0.0) || cable->string->layer.scheme != RV_WAVE_MODAL)
        return 0.0;
    double before[2], moved[2], scale = sqrt(work->length / wave->length);
    rv_wave_mean(&cable->string->layer.table, rv_layered_amplitudes(cable, span, 0), before);
    rv_wave_mean(&cable->string->layer.table, rv_layered_amplitudes(cable, span, 1), moved);
    for (int d = 0; d < 2; ++d)
        moved[d] -= scale * before[d];
    return cable->massPerLength * work->length * wave->feels * rvDot(work->push, in_world(wave, moved));
}

// What the ends did not get of the wave's gain, once it took its step.
void rv_layered_settle_ends(rvCable* cable, const rvBodyStore* bodies, int span, double h)
{
    const rvSpanWork* work = &cable->string->layer.work[span];
    rvSpanWave* wave = rv_layered_wave(cable, span);
    double share = work->coupled, mass = cable->massPerLength * work->length;
    if (!(share > 0.0))
        return;
    ChordMass chord = chord_mass(cable, span, work->length, share);
    const rvWaveTable* table = &cable->string->layer.table;
    rvWaveMomentum after = rv_wave_momentum(table, rv_layered_amplitudes(cable, span, 1));
    rvVec3 dv[2];
    for (int e = 0; e < 2; ++e) {
        dv[e] = rvScale(h / share, wave->faster[e]);
        dv[e] = rvMulAdd(dv[e], -rvDot(dv[e], wave->u), wave->u);
    }
    for (int e = 0; e < 2; ++e) {
        if (!body_at(bodies, &cable->route.places[span + e]))
            continue;
        rvVec3 gain = rvScale(share, rvSub(rvScale(mass, at_end(wave, &after, e)), work->swung[e]));
        gain = rvMulAdd(rvMulAdd(gain, chord.own, dv[e]), chord.other, dv[1 - e]);
        wave->owed[e] = rvSub(rvSub(rvScale(work->heavy[e], dv[e]), gain), work->given[e]);
    }
}

// As the bodies' masses have it: along and across the span, moving and turning apart.
static double squares(const rvBody* body, rvVec3 arm, rvVec3 u, double along, double across)
{
    rvVec3 v = body->state.v, w = rvCross(body->state.w, arm);
    double a = rvDot(v, u) * rvDot(v, u) + rvDot(w, u) * rvDot(w, u);
    return 0.5 * (along * a + across * (rvDot(v, v) + rvDot(w, w) - a));
}

void rv_layered_wound_energy(const rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h, double* kinetic,
                             double* potential)
{
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace* place = &cable->route.places[i];
        double mass = cable->massPerLength * place->state.wound;
        if (mass == 0.0)
            continue;
        const rvBody* body = body_at(bodies, place);
        rvVec3 at = rv_layered_wound_at(cable, bodies, i);
        if (body) {
            rvVec3 arm = rvSub(at, body->state.x), v = rvAdd(body->state.v, rvCross(body->state.w, arm));
            *kinetic += squares(body, arm, rvVec(0, 0, 0), 0.0, fmax(0.0, mass));
            at = rvMulAdd(at, -0.5 * h, v);
        }
        *potential -= mass * rvDot(gravity, at);
    }
}

// Of rope that hangs beside a wheel that it has left, as those that carry it have its mass.
static double between_energy(const rvRoute* route, const rvBodyStore* bodies, const rvPlace* place, double mass)
{
    const rvPlace *before = &route->places[place->before], *after = &route->places[place->after];
    double share = lever(route, place), sum = 0.0;
    if (body_at(bodies, before))
        sum += squares(body_at(bodies, before), before->armOut, rvVec(0, 0, 0), 0.0, (1.0 - share) * mass);
    if (body_at(bodies, after))
        sum += squares(body_at(bodies, after), after->armIn, rvVec(0, 0, 0), 0.0, share * mass);
    return sum;
}

double rv_layered_ends_energy(const rvCable* cable, const rvBodyStore* bodies, int span)
{
    const rvSpanWave* wave = rv_layered_wave(cable, span);
    const rvPlace* places = cable->route.places + span;
    const rvBody* ends[2] = {body_at(bodies, &places[0]), body_at(bodies, &places[1])};
    double sum = 0.0;
    for (int e = 0; e < 2; ++e)
        if (rv_place_is_crossing(&places[e]))
            sum += 0.5 * wave->along[e] * rvDot(places[e].state.node.out, places[e].state.node.out);
    for (int e = 0; e < 2; ++e)
        sum += places[e].on ? 0.0 : between_energy(&cable->route, bodies, &places[e], wave->along[e]);
    if (!ends[0] && !ends[1])
        return sum;
    bool modal = cable->string->layer.scheme == RV_WAVE_MODAL;
    double share = modal ? coupling(cable, bodies, span) : 0.0, mass = cable->massPerLength * wave->length;
    ChordMass chord = chord_mass(cable, span, wave->length, share);
    rvWaveMomentum p = rv_wave_momentum(&cable->string->layer.table, rv_layered_amplitudes(cable, span, 0));
    rvVec3 v[2] = {{0, 0, 0}, {0, 0, 0}};
    for (int e = 0; e < 2; ++e) {
        if (!ends[e])
            continue;
        rvVec3 arm = e == 0 ? places[0].armOut : places[1].armIn;
        sum += squares(ends[e], arm, wave->u, wave->along[e], chord.own);
        v[e] = rvAdd(ends[e]->state.v, rvCross(ends[e]->state.w, arm));
        sum += rvDot(v[e], wave->owed[e]); // what is on its way
        v[e] = rvMulAdd(v[e], -rvDot(v[e], wave->u), wave->u);
        sum += modal ? share * mass * rvDot(v[e], at_end(wave, &p, e)) : 0.0;
    }
    return sum + chord.other * rvDot(v[0], v[1]);
}
