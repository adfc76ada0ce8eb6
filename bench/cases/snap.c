// SPDX-License-Identifier: MIT
// Part of `reeve bench ancf`: slack ropes of finite elements that come taut in the world, a body at the end, at several
// steps. Against what Green's law of strain says: EA L g^2/2 = m g (fall + x), g = e + e^2/2, e = x/L. And no energy is
// to be made.
#include "cases/ancf.h"
#include "random/slack_rope.h"

#include <stdio.h>

#define MOST_MADE                                                                                                      \
    0.01 // what the guard allows is 0.1 % of what moves; and what a step reads at other times than it happens

typedef struct {
    const char* name;
    double mass, length, from,
        aside; // of the load [kg], of the rope [m]; it begins so far below the support, and beside [m]
    double axialStiffness, bending;
} Snap;

// How far the load goes down [m], and the energy made, as a share of what it falls.
typedef struct {
    double depth, made;
    int passes;
    bool failed;
} Caught;

static double total(const rvWorld* world)
{
    rvEnergy e = rvWorld_GetEnergy(world);
    return e.kinetic + e.potential + e.elastic;
}

static Caught run_snap(const Snap* with, double massPerLength, double h, double seconds)
{
    rvWorldDef def = rvDefaultWorldDef();
    rvWorld* world = NULL;
    Caught out = {.failed = true};
    if (rvCreateWorld(&def, &world, NULL, 0) != RV_OK)
        return out;
    rvBodyDef body = rvDefaultBodyDef();
    rvBodyId load;
    body.mass = with->mass;
    body.pose.p = rvVec(with->aside, 0, -with->from);
    out.failed = rvCreateBody(world, &body, &load) != RV_OK;
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef rope = rvDefaultCableDef(RV_CABLE_ANCF);
    rope.places = places;
    rope.placeCount = 2;
    rope.length = with->length;
    rope.axialStiffness = with->axialStiffness;
    rope.bendingStiffness = with->bending;
    rope.massPerLength = massPerLength;
    out.failed = out.failed || rvCreateCable(world, &rope, NULL) != RV_OK;
    double start = 0.0, weight = with->mass * 9.81;
    long steps = lround(seconds / h);
    for (long i = 0; i < steps && !out.failed; ++i) {
        out.failed = rvWorld_Step(world, h) != RV_OK;
        double energy = total(world);
        start = i == 0 ? energy : start;
        out.made = fmax(out.made, (energy - start) / (weight * (with->length - with->from)));
        out.depth = fmax(out.depth, -rvBody_GetPose(world, load).p.z);
        out.passes += rvWorld_GetStepInfo(world).passes;
    }
    rvDestroyWorld(world);
    return out;
}

static double expected_depth(const Snap* with)
{
    double low = 0.0, high = with->length, weight = with->mass * 9.81;
    for (int i = 0; i < 100; ++i) {
        double x = 0.5 * (low + high), e = x / with->length, g = e + 0.5 * e * e;
        bool more = 0.5 * with->axialStiffness * with->length * g * g < weight * (with->length - with->from + x);
        *(more ? &low : &high) = x;
    }
    return with->length + low;
}

// The worst of a sweep.
typedef struct {
    double most;
    long at, above; // which it was, and how many made too much
} Worst;

static void run_one(Worst* worst, rvSlackRope* rope, long number)
{
    double made = rv_slack_rope_run(rope, (rvRandomRun){.seconds = 3.0}).grown;
    worst->above += !(made <= MOST_MADE);
    if (made > worst->most) {
        worst->most = made;
        worst->at = number;
    }
    rvDestroyWorld(rope->world);
}

static void add_worst(rvBench* bench, const Worst* worst, const char* name)
{
    rvBenchRow row = rv_bench_row("1", fmin(worst->most, 1e300), RV_NO_NUMBER, "of what they can fall",
                                  "%s: energy made, worst (%ld; %ld too much)", name, worst->at, worst->above);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, MOST_MADE));
}

void rv_bench_slack_ropes(rvBench* bench, long first, long count, int rate)
{
    Worst worst = {0};
    char name[64];
    for (long n = first; n < first + count; ++n) {
        rv_bench_progress(bench, "slack rope %ld at %d Hz", n, rate);
        rvSlackRope rope = rv_slack_rope((uint64_t)n);
        rope.h = 1.0 / rate;
        run_one(&worst, &rope, n);
    }
    snprintf(name, sizeof name, "%ld random slack ropes, h = 1/%d", count, rate);
    add_worst(bench, &worst, name);
}

void rv_bench_slack_hooks(rvBench* bench, long first, long count)
{
    static const rvCableModel models[] = {RV_CABLE_ANCF, RV_CABLE_ALE};
    static const char* const names[] = {"ancf", "ale"};
    for (int k = 0; k < 2; ++k) {
        Worst worst = {0};
        char name[80];
        for (long n = first; n < first + count; ++n) {
            rv_bench_progress(bench, "hook %ld on %s", n, names[k]);
            rvSlackRope hook = rv_slack_hook((uint64_t)n, models[k]);
            run_one(&worst, &hook, n);
        }
        snprintf(name, sizeof name, "%ld random hooks on slack rope, %s, h = 1/30 to 1/240", count, names[k]);
        add_worst(bench, &worst, name);
    }
}

// The worst of many random slack ropes: a row for each step.
static void sweep_slack(rvBench* bench)
{
    static const int rates[] = {1000, 240, 60}, counts[] = {100, 300, 300};
    for (int i = 0; i < 3; ++i)
        rv_bench_slack_ropes(bench, 1, bench->quick ? 10 : counts[i], rates[i]);
    rv_bench_slack_hooks(bench, 1, bench->quick ? 10 : 300);
}

// What a load has after it was caught once, as a share of what it began with, down to the end of its rope: 100 kg, 10 m
// of rope of a kilogram, limp, let go 3.6 m from the support and aside. The rope keeps a part; at coarse steps that
// becomes heat, and more.
static double load_after_catch(double axialStiffness, double h)
{
    rvWorldDef def = rvDefaultWorldDef();
    rvWorld* world = NULL;
    if (rvCreateWorld(&def, &world, NULL, 0) != RV_OK)
        return RV_NO_NUMBER;
    rvBodyDef body = rvDefaultBodyDef();
    rvBodyId load = RV_NULL_BODY;
    body.mass = 100.0;
    body.pose.p = rvVec(3, 0, -2);
    bool failed = rvCreateBody(world, &body, &load) != RV_OK;
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef rope = rvDefaultCableDef(RV_CABLE_ANCF);
    rope.places = places;
    rope.placeCount = 2;
    rope.length = 10.0;
    rope.axialStiffness = axialStiffness;
    rope.massPerLength = 0.1;
    rope.bendingStiffness = 1.0;
    failed = failed || rvCreateCable(world, &rope, NULL) != RV_OK;
    for (long i = lround(2.0 / h); i > 0 && !failed; --i)
        failed = rvWorld_Step(world, h) != RV_OK;
    rvVec3 v = rvBody_GetVelocity(world, load), x = rvBody_GetPose(world, load).p;
    rvDestroyWorld(world);
    return failed ? RV_NO_NUMBER : (0.5 * rvDot(v, v) + 9.81 * (x.z + 10.0)) / (9.81 * 8.0);
}

static void show_catches(rvBench* bench)
{
    static const double stiffness[] = {1e6, 1e7};
    static const int rates[] = {1000, 240, 60};
    for (int k = 0; k < 2 && !bench->quick; ++k) {
        double reference = load_after_catch(stiffness[k], 1.0 / 16000.0);
        for (int i = 0; i < 3; ++i)
            rv_bench_add(bench,
                         rv_bench_row("1", load_after_catch(stiffness[k], 1.0 / rates[i]), reference, "h = 1/16000",
                                      "100 kg caught by 1 kg of rope, EA %g, h = 1/%d: kept by the load", stiffness[k],
                                      rates[i]));
    }
}

void rv_bench_snap(rvBench* bench)
{
    static const Snap cases[] = {
        {"10 kg fall a metre", 10.0, 2.0, 1.0, 0.0, 2e4, 1e-3},
        {"10 t fall a metre", 1e4, 10.0, 9.0, 0.5, 4e7, 1.0},
        {"10 kg fall from the support", 10.0, 1.0, 1e-3, 0.0, 1e5, 1e-3},
    };
    static const double shares[] = {1e-2, 1e-4, 3e-6}; // mass of a metre of rope, of the load
    static const int rates[] = {1000, 240, 60};
    for (int k = 0; k < (bench->quick ? 1 : 3); ++k)
        for (int m = 0; m < 3; ++m)
            for (int i = bench->quick ? 1 : 0; i < 3; ++i) {
                const Snap* with = &cases[k];
                rv_bench_progress(bench, "%s at %d Hz", with->name, rates[i]);
                Caught caught = run_snap(with, shares[m] * with->mass, 1.0 / rates[i], 3.0);
                double expected = expected_depth(with);
                rv_bench_add(bench, rv_bench_row("m", caught.failed ? RV_NO_NUMBER : caught.depth, expected,
                                                 "closed form, rope without mass", "%s on %g kg/m, h = 1/%d: lowest",
                                                 with->name, shares[m] * with->mass, rates[i]));
                rvBenchRow row =
                    rv_bench_row("1", caught.failed ? 1e300 : caught.made, RV_NO_NUMBER, "of what it falls",
                                 "%s on %g kg/m, h = 1/%d: energy made", with->name, shares[m] * with->mass, rates[i]);
                rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, MOST_MADE));
            }
    sweep_slack(bench);
    show_catches(bench);
}
