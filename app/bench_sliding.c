// SPDX-License-Identifier: MIT
// Benchmark 3 of paper 001, part of `reeve bench westin`: half of a rope of 1 m lies on a table, the other half hangs over
// its edge and draws it down.
//
// Closed form of an inextensible chain with x hanging: x = x* + (x0 - x*) cosh(sqrt((1 + mu) g/L) t), x* = mu L/(1 + mu);
// it leaves the table at 0.42047 s (mu = 0) and 0.50563 s (mu = 0.4). Elastic rope lags behind it by its stretch (~ 1/E);
// with friction also by the time in which the pull runs along the table (~ 1/sqrt(E)) and by the smoothing of friction.
// Table 7 of the paper stands beside: errors against its own reference, which is no target.
#include "bench_ancf.h"
#include "cable/ale/ale.h"

#include <stdlib.h>

enum { STEP_COUNT = 7, ELEMENTS = 5 };

static const double STEPS[STEP_COUNT] = {1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2};
static const double TABLE7[2][STEP_COUNT] = {{2.30, 2.34, 2.39, 2.52, 2.57, 2.16, 3.83},
                                             {1.20, 0.82, 0.65, 3.03, 10.11, 13.28, 27.89}};
static const double TABLE7_TIME[2][STEP_COUNT] = {{17.23, 7.35, 3.47, 1.80, 0.79, 0.39, 0.23},
                                                  {35.53, 13.66, 7.21, 3.38, 1.47, 0.76, 0.40}};
static const double GRID = 0.01; // of samples [s]
static const double GRAVITY = 9.81, FRICTION = 0.4;

typedef struct {
    double modulus, friction, step;
    rvAncfMethod method;
} Case;

typedef struct {
    double worst;   // largest distance from the closed form [mm]
    double error;   // mean distance from the reference on the grid [mm]
    double seconds; // processor time
    double left;    // when it left the table [s]; RV_NO_NUMBER: not yet
    bool failed;
} Result;

static double chain(double friction, double t)
{
    double rest = friction / (1.0 + friction);
    return rest + (0.5 - rest) * cosh(sqrt((1.0 + friction) * GRAVITY) * t);
}

static rvAle* create(const Case* with, rvMemory* memory)
{
    const double area = 0.25e-4 * 3.14159265358979323846;
    const rvAleFallDef falls[2] = {{0.5, ELEMENTS, ELEMENTS}, {0.5, ELEMENTS, ELEMENTS}};
    rvAleDef def = {.fallCount = 2,
                    .falls = falls,
                    .EA = with->modulus * area,
                    .EI = 0.1, // as the paper, for every E: the bend at the edge is not modelled
                    .massPerLength = 5000.0 * area,
                    .gravity = {0, 0, -GRAVITY}};
    rvAle* ale;
    rvError error = {0};
    if (rv_ale_create(&def, memory, &ale, &error) != RV_OK) {
        fprintf(stderr, "reeve bench: %s\n", error.text);
        exit(1);
    }
    rv_ale_lay(ale, 0, rvVec(-0.5, 0, 0), rvVec(0, 0, 0));
    rv_ale_lay(ale, 1, rvVec(0, 0, 0), rvVec(0, 0, -0.5));
    rv_ale_lay_on_table(ale, 0, with->friction, 1e-3);
    rv_ale_hold(ale, 0, RV_ALE_END, RV_ANCF_PIN, &error);
    rv_ale_hold(ale, 1, RV_ALE_BEGIN, RV_ANCF_PIN, &error);
    rv_ale_hold_flow(ale, 1, false);
    rvAncfOptions options = rv_ancf_default_options(with->method);
    if (rv_ale_start(ale, &options, &error) != RV_OK) {
        fprintf(stderr, "reeve bench: %s\n", error.text);
        exit(1);
    }
    return ale;
}

// Displacement of the rope's end on the table: filled on the grid (reference) or compared with.
static Result run(const Case* with, double seconds, double* fill, const double* reference)
{
    rvMemory memory = {0};
    rvAle* ale = create(with, &memory);
    Result out = {.left = RV_NO_NUMBER};
    int each = (int)lround(GRID / with->step), samples = (int)lround(seconds / GRID) + 1;
    for (int i = 1; i < samples && !out.failed && rv_ale_ran_out(ale) < 0; i++) {
        double start = rv_bench_clock();
        for (int n = 0; n < each && rv_ale_ran_out(ale) < 0 && !out.failed; n++) {
            out.failed = rv_ale_step(ale, with->step) != RV_OK && rv_ale_ran_out(ale) < 0;
            if (rv_ale_ran_out(ale) < 0 && rv_ale_time(ale) < seconds + 1e-9) {
                double x = 1.0 + rv_ale_point(ale, 0, 0.0).position.x;
                out.worst = fmax(out.worst, 1e3 * fabs(x - chain(with->friction, rv_ale_time(ale))));
            }
        }
        out.seconds += rv_bench_clock() - start;
        double x = rv_ale_point(ale, 0, 0.0).position.x;
        if (fill)
            fill[i] = x;
        if (reference)
            out.error += 1e3 * fabs(x - reference[i]) / (samples - 1);
    }
    if (rv_ale_ran_out(ale) == 0) { // the last bit at the speed that it has
        double rate;
        rv_ale_flow_at(ale, 1, &rate);
        out.left = rv_ale_time(ale) + rv_ale_fall_length(ale, 0) / fmax(-rate, 1e-9);
    }
    rv_ale_destroy(ale);
    return out;
}

static void run_modulus(rvBench* bench, double friction, double seconds, double limit, const char* law)
{
    double last = RV_NO_NUMBER;
    for (int i = 0; i < (friction > 0.0 ? 4 : 3); i++) {
        Case with = {.modulus = pow(10.0, 7 + i), .friction = friction, .step = friction > 0.0 ? 1e-4 : 1e-3};
        rv_bench_progress(bench, "sliding, mu = %g, E = %g", friction, with.modulus);
        Result result = run(&with, seconds, NULL, NULL);
        rvBenchRow row = rv_bench_row("mm", result.failed ? RV_NO_NUMBER : result.worst, last, law,
                                      "sliding, mu = %g, E = %g, rt, h = %g: farthest from the chain in %g s", friction,
                                      with.modulus, with.step, seconds);
        rv_bench_add(bench, friction > 0.0 && i < 3 ? row : rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, limit));
        last = result.worst;
    }
}

static void run_table(rvBench* bench, int number)
{
    double friction = number == 0 ? 0.0 : FRICTION, seconds = number == 0 ? 0.4 : 0.5, reference[64];
    Case with = {.modulus = 1e7, .friction = friction, .step = 2e-5};
    rv_bench_progress(bench, "sliding, mu = %g, reference", friction);
    run(&with, seconds, reference, NULL);
    for (int i = bench->quick ? 5 : 0; i < STEP_COUNT; i++) {
        with.step = STEPS[i];
        with.method = RV_ANCF_SI_HHT;
        Result hht = run(&with, seconds, NULL, reference);
        with.method = RV_ANCF_RT;
        Result rt = run(&with, seconds, NULL, reference);
        rv_bench_add(bench, rv_bench_row("mm", hht.error, TABLE7[number][i], "paper 001, Table 7: no target",
                                         "sliding, mu = %g, si-hht, h = %g: MAE of the end", friction, STEPS[i]));
        rv_bench_add(bench, rv_bench_row("mm", rt.error, hht.error, "si-hht, same run",
                                         "sliding, mu = %g, rt, h = %g: MAE of the end", friction, STEPS[i]));
        rvBenchRow row = rv_bench_row("s", hht.seconds, TABLE7_TIME[number][i], "paper 001, Table 7",
                                      "sliding, mu = %g, si-hht, h = %g: time of the run", friction, STEPS[i]);
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 0.01));
    }
}

void rv_bench_sliding(rvBench* bench)
{
    run_modulus(bench, 0.0, 0.4, 1.0, "one decade of E less");
    run_modulus(bench, FRICTION, 0.5, 1.0, "one decade of E less");
    for (int i = 0; i < 2; i++) {
        Case with = {.modulus = 1e9, .friction = i * FRICTION, .step = 1e-4};
        Result result = run(&with, 0.6, NULL, NULL);
        rvBenchRow row = rv_bench_row("s", result.left, i == 0 ? 0.42047 : 0.50563, "closed form of the chain",
                                      "sliding, mu = %g, E = 1e9, rt: leaves the table", i * FRICTION);
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_WITHIN, 2e-3));
    }
    run_table(bench, 0);
    run_table(bench, 1);
}
