// SPDX-License-Identifier: MIT
// Inertia of rope that runs along itself past fixed places.
//
// Of a span's rope half moves along it with either end (layered_ends.c). Where that end is a fixed eye or wheel, nobody
// felt it: the rope there runs with the speed f at which it passes the place. Counted from the start of the cable, and
// from its end,
//   f = f_0 - sum_{k<j} u_k.(v_k+1 - v_k)  =  f_n + sum_{k>=j} u_k.(v_k+1 - v_k)
// f_0 what a winch there pays out, f_n less what one at the end does; they differ by the stretch. So c is the mean of
// both by how much rope lies on either side, and fixed places in a row, past which the same speed runs, are one mass M:
// half of the rope of all spans beside each of them. A row, J v' + x/M = c_before - (share of the winches), gives the
// bodies its inertia, and the winches theirs: (1 - share) x/h on the pull of the first. c is kept: J before the step is
// not that of the last one (while a load swings u.v changes although no rope runs). What that makes different, M (c' -
// c)(c_b - c)/2 with c_b = J v, is heat. Where an end comes to its eye the rope stands. While it lies on shapes, whose
// contacts slide, it is not counted.
#include "cable/string/layered.h"

#include "cable/route/route.h"

#define LEAST_RUNNING 5e-3 // of the lightest body: inertia below it has no row, as at ends

// Fixed places first .. last - 1 of a run, and what runs past them.
typedef struct {
    int first, last;
    double mass, share; // [kg]; of the cable's rope that lies before it
} Run;

static bool is_fixed(const rvCable* cable, int i)
{
    const rvPlace* place = &cable->route.places[i];
    return i > 0 && i < cable->route.spanCount && place->slot < 0 && place->on && !rv_place_is_crossing(place);
}

static double passed_on(const rvCable* cable, Run* run, double before)
{
    double sum = 0.0;
    run->mass = 0.0;
    for (int i = run->first; i < run->last; ++i) {
        double own = 0.5 * (rv_layered_mass(cable, i - 1) + rv_layered_mass(cable, i));
        run->mass += own;
        sum += own * before;
        before += rv_layered_wave(cable, i)->rest;
    }
    run->share = sum / fmax(run->mass * cable->state.restLength, 1e-300);
    return before;
}

// The next run from place `first` on, `before` m of rope before that. False: there is none.
static bool next_run(const rvCable* cable, int first, double* before, Run* run)
{
    while (first < cable->route.spanCount && !is_fixed(cable, first)) {
        *before += rv_layered_wave(cable, first)->rest;
        first += 1;
    }
    run->first = run->last = first;
    while (run->last < cable->route.spanCount && is_fixed(cable, run->last))
        run->last += 1;
    if (run->last == run->first)
        return false;
    *before = passed_on(cable, run, *before);
    return true;
}

static bool counts(const rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    return cable->string->layer.scheme == RV_WAVE_MODAL && !cable->string->layer.explicitForce &&
           cable->wheelCount == 0 && cable->route.placeCount == cable->definedCount && cable->state.broken == 0.0 &&
           context->stepper != RV_STEPPER_PAPER && rv_massless_saw_turning(cable, bodies, context);
}

static double lightest_of(const rvCable* cable, const rvBodyStore* bodies)
{
    double least = HUGE_VAL;
    for (int i = 0; i < cable->route.bodyCount; ++i) {
        const rvBody* body = &bodies->items[cable->route.bodies[i]];
        least = rv_body_is_pushed(body) ? fmin(least, body->mass) : least;
    }
    return least;
}

// factor * u . (v_i+1 - v_i) of span i into the row, and by the velocities of the last step: answered.
static double add_growth(const rvCable* cable, const rvBodyStore* bodies, int i, double factor, const rvRows* rows,
                         int group)
{
    const rvPlace *from = &cable->route.places[i], *to = from + 1;
    rvVec3 u = cable->route.spans[i].u;
    double rate = 0.0;
    rv_place_add_force(from, from->armOut, -factor, u, rows, group, 0);
    rv_place_add_force(to, to->armIn, factor, u, rows, group, 0);
    for (int e = 0; e < 2; ++e) {
        const rvPlace* place = from + e;
        if (place->slot < 0)
            continue;
        const rvBody* body = &bodies->items[place->body];
        rvVec3 v = rvAdd(body->lastV, rvCross(body->lastW, e == 0 ? place->armOut : place->armIn));
        rate += (e == 0 ? -factor : factor) * rvDot(u, v);
    }
    return rate;
}

// What runs past the places of a run is one, with the momentum of all; what was elsewhere has come to rest. The rest is
// heat.
static void gather(rvCable* cable, int first, int last, bool keep)
{
    double mass = 0.0, momentum = 0.0, energy = 0.0;
    for (int i = first; i < last; ++i) {
        rvSpanWave* wave = rv_layered_wave(cable, i);
        mass += wave->running;
        momentum += wave->running * wave->runs;
        energy += 0.5 * wave->running * wave->runs * wave->runs;
        wave->running = i == first && keep ? wave->running : 0.0;
        wave->runs = i == first && keep ? wave->runs : 0.0;
    }
    rvSpanWave* wave = rv_layered_wave(cable, first);
    if (first >= last || !(mass > 0.0) || (keep && wave->running == mass) || cable->state.broken != 0.0)
        return; // (what a broken rope held was booked as it broke)
    wave->running = keep ? mass : 0.0;
    wave->runs = keep ? momentum / mass : 0.0;
    cable->state.heat += energy - 0.5 * wave->running * wave->runs * wave->runs;
}

// An end has come to its eye: u turns about, and what ran stands. Later it is caught again.
static void stop_run(rvCable* cable, const Run* run)
{
    gather(cable, run->first, run->last, false);
    rv_layered_wave(cable, run->first)->running = run->mass;
}

static void write_run(rvCable* cable, const rvBodyStore* bodies, const Run* run, rvRows* rows, int owner)
{
    const rvRoute* route = &cable->route;
    rvSpanWork* work = &cable->string->layer.work[run->first];
    int group = rv_rows_add(rows, RV_GROUP_CABLE, owner, 1, cable->slots, route->bodyCount);
    if (group < 0)
        return;
    double rate = 0.0, old = 0.0, now = 0.0;
    for (int i = 0; i < run->first; ++i)
        rate += add_growth(cable, bodies, i, -(1.0 - run->share), rows, group);
    for (int i = run->last - 1; i < route->spanCount; ++i)
        rate += add_growth(cable, bodies, i, run->share, rows, group);
    for (int i = 0; i < 2; ++i) {
        double share = i == 0 ? 1.0 - run->share : -run->share;
        if (!cable->winch[i].exists)
            continue;
        old += share * cable->winch[i].state.rate;
        now += share * (cable->state.slipping != 0.0 ? cable->winch[i].state.rate : cable->winch[i].step.driveSpeed);
    }
    rvSpanWave* wave = rv_layered_wave(cable, run->first);
    work->runGroup = group;
    work->running = run->mass;
    work->runShare = run->share;
    work->runBefore = rate + old;
    if (wave->running == 0.0) { // nothing was counted: it moves as the bodies do
        wave->runs = work->runBefore;
        wave->running = run->mass;
        cable->state.heat -= cable->string->layer.untried ? 0.0 : 0.5 * run->mass * wave->runs * wave->runs;
    }
    cable->account.entering -=
        0.5 * (run->mass - wave->running) * wave->runs * wave->runs; // as of ends, see layered_ends.c
    wave->running = run->mass;
    rvRow* row = rv_group_rows(rows, group);
    row->bias = wave->runs - now;
    row->compliance = 1.0 / run->mass;
}

void rv_layered_write_runs(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows,
                           int owner)
{
    double before = 0.0, least = lightest_of(cable, bodies);
    for (int i = 0; i < cable->route.placeCount; ++i)
        cable->string->layer.work[i].runGroup = -1;
    if (!counts(cable, bodies, context) || !isfinite(least)) {
        gather(cable, 0, cable->route.spanCount, false);
        return;
    }
    Run run = {0};
    int end = 0, count = 0;
    for (; next_run(cable, end, &before, &run); end = run.last) {
        gather(cable, end, run.first, false);
        gather(cable, run.first, run.last, true);
        if (!(run.mass > LEAST_RUNNING * least) || count++ >= RV_MOST_RUNS)
            gather(cable, run.first, run.last, false);
        else if (cable->string->passes)
            stop_run(cable, &run);
        else
            write_run(cable, bodies, &run, rows, owner);
    }
    gather(cable, end, cable->route.spanCount, false);
}

void rv_layered_read_runs(rvCable* cable, const rvRows* rows)
{
    for (int i = 0; i < cable->route.placeCount; ++i) {
        rvSpanWork* work = &cable->string->layer.work[i];
        if (work->runGroup >= 0)
            work->runImpulse = rv_group_rows(rows, work->runGroup)->impulse;
    }
}

void rv_layered_advance_runs(rvCable* cable, double h)
{
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvSpanWork* work = &cable->string->layer.work[i];
        rvSpanWave* wave = rv_layered_wave(cable, i);
        if (work->runGroup < 0)
            continue;
        double now = wave->runs - work->runImpulse / work->running;
        cable->state.heat += 0.5 * work->running * (now - wave->runs) * (work->runBefore - wave->runs);
        wave->runs = now;
        wave->running = work->running;
        cable->winch[0].state.offset += (1.0 - work->runShare) * work->runImpulse / h;
        cable->winch[1].state.offset -= work->runShare * work->runImpulse / h;
    }
}

double rv_layered_runs_energy(const rvCable* cable)
{
    double sum = 0.0;
    for (int i = 0; i < cable->route.spanCount; ++i) {
        const rvSpanWave* wave = rv_layered_wave(cable, i);
        sum += 0.5 * wave->running * wave->runs * wave->runs;
    }
    return sum;
}

// Where it is counted: half of it at the body that it runs to, half past the fixed places.
double rv_layered_run_energy(const rvCable* cable, const rvBodyStore* bodies, int winch)
{
    const rvPlace* far = &cable->route.places[winch == 0 ? cable->route.spanCount : 0];
    bool counted = false, moves = far->body >= 0 && rv_body_moves(&bodies->items[far->body]);
    for (int i = 0; i < cable->route.spanCount; ++i)
        counted = counted || rv_layered_wave(cable, i)->running > 0.0;
    double speed = cable->winch[winch].step.driveSpeed;
    return (counted ? 0.5 : moves ? 0.25 : 0.0) * cable->massPerLength * speed * speed;
}
