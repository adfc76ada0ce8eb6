// SPDX-License-Identifier: MIT
// `reeve bench ale`: what a step of flowing rope costs beside ANCF, and a crane of 200 m of it in the world.
#include "cases/ancf.h"
#include "reeve/reeve.h"
#include "reference/elements.h"

#include <stdlib.h>

static rvMemory memory;

enum { ROUNDS = 25 }; // least of so many, both in turn: the machine changes its speed

static void stop(const char* text)
{
    fprintf(stderr, "reeve bench: %s\n", text);
    exit(EXIT_FAILURE);
}

// A rope of n elements in two falls over an eye: taut, swinging. Time of a pass [us].
static double time_falls(int n, rvAncfMethod method, long steps)
{
    rvError error = {0};
    const rvAleFallDef falls[2] = {{0.5, n / 2, n / 2}, {0.5, n / 2, n / 2}};
    rvAleDef def = {
        .fallCount = 2, .falls = falls, .EA = 7854.0, .EI = 1.0, .massPerLength = 0.3927, .gravity = {0, 0, -9.81}};
    rvAle* ale;
    if (rv_ale_create(&def, &memory, &ale, &error) != RV_OK)
        stop(error.text);
    rv_ale_lay(ale, 0, rvVec(-0.5, 0, 0), rvVec(0, 0, 0));
    rv_ale_lay(ale, 1, rvVec(0, 0, 0), rvVec(0, 0, -0.5));
    rv_ale_hold(ale, 0, RV_ALE_BEGIN, RV_ANCF_PIN, &error);
    rv_ale_hold(ale, 0, RV_ALE_END, RV_ANCF_PIN, &error);
    rv_ale_hold(ale, 1, RV_ALE_BEGIN, RV_ANCF_PIN, &error);
    rv_ale_hold_flow(ale, 1, false);
    rvAncfOptions options = rv_ancf_default_options(method);
    if (rv_ale_start(ale, &options, &error) != RV_OK)
        stop(error.text);
    double start = rv_bench_clock();
    for (long i = 0; i < steps; i++)
        rv_ale_step(ale, 1e-3);
    double took = 1e6 * (rv_bench_clock() - start) / (double)rv_ale_counts(ale).passes;
    rv_ale_destroy(ale);
    return took;
}

// The same as one cable of ANCF.
static double time_ancf(int n, rvAncfMethod method, long steps)
{
    rvAncfCase with = {.elementCount = n, .modulus = 1e8, .way = {1, 0, 0}, .options = rv_ancf_default_options(method)};
    rvAncf* cable = rv_ancf_case_create(&with);
    double start = rv_bench_clock();
    for (long i = 0; i < steps; i++)
        rv_ancf_step(cable, 1e-3);
    double took = 1e6 * (rv_bench_clock() - start) / (double)rv_ancf_counts(cable).passes;
    rv_ancf_case_destroy(cable);
    return took;
}

// 200 m of rope from a winch over a head sheave to a block of four falls, at work. Least and mean time of a step [us].
static double time_crane(rvCableModel model, int elements, long steps, double* mean)
{
    rvWorldDef worldDef = rvDefaultWorldDef();
    rvWorld* world = NULL;
    char text[256];
    rvBodyDef bodyDef = rvDefaultBodyDef();
    bodyDef.pose.p = rvVec(0, 0, -30);
    bodyDef.mass = 5000.0;
    bodyDef.inertia = rvBoxInertia(5000.0, rvVec(1, 1, 1));
    rvBodyId block = RV_NULL_BODY;
    if (rvCreateWorld(&worldDef, &world, text, sizeof text) != RV_OK || rvCreateBody(world, &bodyDef, &block) != RV_OK)
        stop("no crane");
    rvVec3 y = rvVec(0, 1, 0);
    rvPlaceDef places[] = {
        rvWinchPlace(RV_NULL_BODY, rvVec(-80, 0, 0), -1.0), rvSheavePlace(RV_NULL_BODY, rvVec(-0.6, 0, 0), y, 0.2),
        rvSheavePlace(block, rvVec(-0.2, 0, 0), y, 0.2),    rvSheavePlace(RV_NULL_BODY, rvVec(0.2, 0, 0), y, 0.2),
        rvSheavePlace(block, rvVec(0.6, 0, 0), y, 0.2),     rvAttachPlace(RV_NULL_BODY, rvVec(0.8, 0, 0))};
    places[0].winch.acceleration = 0.5;
    rvCableDef def = rvDefaultCableDef(model);
    def.places = places;
    def.placeCount = 6;
    def.axialStiffness = 2e7;
    def.damping = 0.02;
    def.elements = elements;
    rvCableId rope;
    if (rvCreateCable(world, &def, &rope) != RV_OK)
        stop(rvWorld_GetError(world));
    double best = HUGE_VAL, all = 0.0;
    for (long i = 0; i < steps; i++) {
        double start = rv_bench_clock();
        if (rvWorld_Step(world, 1.0 / 120.0) != RV_OK)
            stop(rvWorld_GetError(world));
        double took = rv_bench_clock() - start;
        best = fmin(best, took);
        all += took;
    }
    rvDestroyWorld(world);
    *mean = 1e6 * all / (double)steps;
    return 1e6 * best;
}

void rv_bench_ale(rvBench* bench)
{
    static const int counts[] = {10, 20, 50, 100, 640};
    static const rvAncfMethod methods[] = {RV_ANCF_RT, RV_ANCF_SI_HHT};
    long steps = bench->quick ? 50 : 200;
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < (bench->quick ? 2 : 5); i++) {
            int n = counts[i];
            const char* name = rv_ancf_method_name(methods[m]);
            rv_bench_progress(bench, "%d elements, %s", n, name);
            double ours = HUGE_VAL, ancf = HUGE_VAL;
            for (int round = 0; round < ROUNDS; round++) {
                ours = fmin(ours, time_falls(n, methods[m], steps));
                ancf = fmin(ancf, time_ancf(n, methods[m], steps));
            }
            rvBenchRow row = rv_bench_row("us", ours / n, ancf / n, "ancf, same run",
                                          "%d elements in two falls, %s: a pass an element", n, name);
            rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 2.0));
        }
    for (int elements = 50; elements <= 200; elements *= 4) {
        double mean, none, best = time_crane(RV_CABLE_ALE, elements, bench->quick ? 60 : 600, &mean);
        double layered = time_crane(RV_CABLE_LAYERED, 1, bench->quick ? 60 : 600, &none);
        rv_bench_add(bench, rv_bench_row("us", best, layered, "layered, same run",
                                         "crane, 200 m of rope, four falls, %d elements: least step", elements));
        rv_bench_add(bench, rv_bench_row("us", mean, none, "layered, same run",
                                         "crane, 200 m of rope, four falls, %d elements: mean step", elements));
    }
}
