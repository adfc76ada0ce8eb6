// SPDX-License-Identifier: MIT
// Benchmark 3 of Westin and Irani, part of `reeve bench westin`: half of a rope of 1 m lies on a table, the other half
// hangs over its edge and draws it down.
//
// Closed form of an inextensible chain with x hanging: x = x* + (x0 - x*) cosh(sqrt((1 + mu) g/L) t), x* = mu L/(1 +
// mu); it leaves the table at 0.42047 s (mu = 0) and 0.50563 s (mu = 0.4). Elastic rope lags behind it by its stretch
// (~ 1/E); with friction also by the time in which the pull runs along the table (~ 1/sqrt(E)) and by the smoothing of
// friction. Table 7 of the paper stands beside: errors against its own reference, which is no target.
//
// Every integrator makes the same slide: its way to the chain as E grows, its error against the Taylor series (with
// friction, that is no polynomial, Verlet's at a tenth of the critical step), its order where all waves of a soft rope
// are resolved. SUNDIALS' ARKODE solves the same equations from outside.
#include "cases/ancf.h"
#include "peers/fehlberg.h"
#include "reference/parts.h"

#include <stdlib.h>

enum { STEP_COUNT = 7, ELEMENTS = 5, SAMPLES = 64 };

static const double STEPS[STEP_COUNT] = {1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2};
static const double TABLE7[2][STEP_COUNT] = {{2.30, 2.34, 2.39, 2.52, 2.57, 2.16, 3.83},
                                             {1.20, 0.82, 0.65, 3.03, 10.11, 13.28, 27.89}};
static const double TABLE7_TIME[2][STEP_COUNT] = {{17.23, 7.35, 3.47, 1.80, 0.79, 0.39, 0.23},
                                                  {35.53, 13.66, 7.21, 3.38, 1.47, 0.76, 0.40}};
static const double TABLE7_IMPLICIT[2] = {931.14, 1251.70}; // "fully-implicit (adaptive)": time of the run [s]
static const double GRID = 0.01;                            // of samples [s]
static const double GRAVITY = 9.81, FRICTION = 0.4;

typedef struct {
    double modulus, friction, step;
    rvAncfMethod method;
    double tolerance, largest, courant; // 0: those of the method
    int elements;                       // of each fall, 0: as the paper
} Case;

typedef struct {
    double worst;   // largest distance from the closed form [mm]
    double error;   // mean distance from the reference on the grid [mm]
    double seconds; // processor time
    double left;    // when it left the table [s]; RV_NO_NUMBER: not yet
    double end;     // where it ends [m]
    double drift;   // largest change of the energy [J]
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
    int n = with->elements ? with->elements : ELEMENTS;
    const rvAleFallDef falls[2] = {{0.5, n, n}, {0.5, n, n}};
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
    options.tolerance = with->tolerance > 0.0 ? with->tolerance : options.tolerance;
    options.largestStep = with->largest > 0.0 ? with->largest : options.largestStep;
    options.courant = with->courant > 0.0 ? with->courant : options.courant;
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
    double energy = rv_ale_energy(ale).total;
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
        out.drift = fmax(out.drift, fabs(rv_ale_energy(ale).total - energy));
        double x = out.end = rv_ale_point(ale, 0, 0.0).position.x;
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

// The slide that all others are measured by.
static Case reference_case(double modulus, double friction)
{
    return (Case){.modulus = modulus,
                  .friction = friction,
                  .step = GRID,
                  .method = friction > 0.0 ? RV_ANCF_VERLET : RV_ANCF_TAYLOR,
                  .courant = friction > 0.0 ? 0.1 : 0.0};
}

static void run_table(rvBench* bench, int number)
{
    double friction = number == 0 ? 0.0 : FRICTION, seconds = number == 0 ? 0.4 : 0.5, reference[SAMPLES];
    Case with = reference_case(1e7, friction);
    rv_bench_progress(bench, "sliding, mu = %g, reference", friction);
    run(&with, seconds, reference, NULL);
    for (int i = bench->quick ? 5 : 0; i < STEP_COUNT; i++) {
        with = (Case){.modulus = 1e7, .friction = friction, .step = STEPS[i], .method = RV_ANCF_SI_HHT};
        Result hht = run(&with, seconds, NULL, reference);
        with.method = RV_ANCF_RT;
        Result rt = run(&with, seconds, NULL, reference);
        rv_bench_add(bench, rv_bench_row("mm", hht.error, TABLE7[number][i], "Westin, Table 7: no target",
                                         "sliding, mu = %g, si-hht, h = %g: MAE of the end", friction, STEPS[i]));
        rv_bench_add(bench, rv_bench_row("mm", rt.error, hht.error, "si-hht, same run",
                                         "sliding, mu = %g, rt, h = %g: MAE of the end", friction, STEPS[i]));
        rvBenchRow row = rv_bench_row("s", hht.seconds, TABLE7_TIME[number][i], "Westin, Table 7",
                                      "sliding, mu = %g, si-hht, h = %g: time of the run", friction, STEPS[i]);
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 0.01));
    }
    for (int m = RV_ANCF_SI_BE; m <= RV_ANCF_VERLET; m++) {
        rvAncfMethod method = (rvAncfMethod)m;
        if (method == RV_ANCF_SI_HHT)
            continue;
        with = (Case){.modulus = 1e7, .friction = friction, .step = 1e-3, .method = method};
        Result one = run(&with, seconds, NULL, reference);
        rv_bench_add(bench, rv_bench_row("mm", one.failed ? RV_NO_NUMBER : one.error, RV_NO_NUMBER, "",
                                         "sliding, mu = %g, %s, h = 0.001 at most: MAE of the end", friction,
                                         rv_ancf_method_name(method)));
        if (method != RV_ANCF_IMPLICIT_NEWMARK)
            continue;
        rvBenchRow row = rv_bench_row("s", one.seconds, TABLE7_IMPLICIT[number], "Westin, Table 7",
                                      "sliding, mu = %g, implicit-newmark, tolerance 1e-6: time of the run", friction);
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 0.01));
    }
}

// Every method comes to the chain as E grows.
static void run_methods(rvBench* bench)
{
    for (int m = RV_ANCF_SI_BE; m <= RV_ANCF_TAYLOR; m++) {
        rvAncfMethod method = (rvAncfMethod)m;
        bool low =
            method == RV_ANCF_SI_BE || method == RV_ANCF_SI_BDF2; // of first order: the step's error is the larger one
        double last = RV_NO_NUMBER;
        for (int i = 0; i < (bench->quick ? 1 : 3); i++) {
            Case with = {.modulus = pow(10.0, 7 + i), .step = low ? 1e-4 : 1e-3, .method = method};
            rv_bench_progress(bench, "sliding, %s, E = %g", rv_ancf_method_name(method), with.modulus);
            Result one = run(&with, 0.4, NULL, NULL);
            rvBenchRow row = rv_bench_row("mm", one.failed ? RV_NO_NUMBER : one.worst, last, "one decade of E less",
                                          "sliding, mu = 0, E = %g, %s, h = %g: farthest from the chain in 0.4 s",
                                          with.modulus, rv_ancf_method_name(method), with.step);
            rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, 1.0));
            last = one.worst;
            rv_bench_add(bench, rv_bench_row("J", one.drift, RV_NO_NUMBER, "",
                                             "sliding, mu = 0, E = %g, %s, h = %g: largest change of energy, of 1.24 J",
                                             with.modulus, rv_ancf_method_name(method), with.step));
        }
    }
}

// Orders, on a soft rope of four elements whose waves (660 rad/s) all are resolved.
static void run_orders(rvBench* bench)
{
    Case with = reference_case(2.5e5, 0.0);
    with.elements = 2;
    double exact = run(&with, 0.2, NULL, NULL).end;
    for (int m = RV_ANCF_RT; m <= RV_ANCF_VERLET; m++) {
        rvAncfMethod method = (rvAncfMethod)m;
        bool low = method == RV_ANCF_SI_BE || method == RV_ANCF_SI_BDF2;
        double off[2];
        for (int i = 0; i < 2; i++) {
            double h = i == 0 ? 2e-4 : 1e-4;
            with =
                (Case){.modulus = 2.5e5, .step = h, .method = method, .elements = 2, .tolerance = 1e-7, .largest = h};
            off[i] = fabs(run(&with, 0.2, NULL, NULL).end - exact);
        }
        rvBenchRow row = rv_bench_row("", log2(off[0] / off[1]), low ? 1.0 : 2.0,
                                      method == RV_ANCF_SI_BDF2 ? "of its start at rest" : "of the method",
                                      "sliding, E = 2.5e5, 4 elements, %s: order, from h = 2e-4 and 1e-4",
                                      rv_ancf_method_name(method));
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_WITHIN, 0.1));
    }
}

#ifdef REEVE_HAVE_SUNDIALS_PEER
// y = (q, v) of nodes and flows: q' = v, v' = M(q)^-1 Q(q, v)
static bool rope_rates(void* context, double time, const double* y, double* rate)
{
    (void)time;
    rvMarch* s = context;
    for (int i = 0; i < s->count; i++)
        rate[i] = y[s->count + i];
    s->ops->accelerate(s, y, y + s->count, rate + s->count);
    return true;
}

static void check_reference(rvBench* bench)
{
    double reference[SAMPLES] = {0}, worst = 0.0;
    Case with = reference_case(1e7, 0.0);
    rv_bench_progress(bench, "sliding, ARKODE");
    run(&with, 0.4, reference, NULL);
    rvMemory memory = {0};
    rvAle* ale = create(&with, &memory);
    rvMarch s = rv_ale_march_of(ale);
    rvFehlberg method = {
        .count = 2 * s.count, .rates = rope_rates, .context = &s, .relative = 1e-10, .absolute = 1e-10};
    double* y = calloc(2 * (size_t)s.count, sizeof *y);
    long steps = 0, calls = 0;
    bool good = y != NULL;
    for (int i = 0; good && i < s.count; i++) {
        y[i] = s.q[i];
        y[s.count + i] = s.v[i];
    }
    for (int i = 1; good && i <= 40; i++) {
        good = rv_fehlberg_run(&method, (i - 1) * GRID, i * GRID, y, &steps, &calls);
        worst = good ? fmax(worst, 1e3 * fabs(y[0] - reference[i])) : worst; // x of the first node
    }
    free(y);
    rv_ale_destroy(ale);
    rvBenchRow row =
        rv_bench_row("mm", good ? worst : RV_NO_NUMBER, RV_NO_NUMBER, "SUNDIALS ARKODE, Fehlberg 4(5), 1e-10",
                     "sliding, mu = 0, E = 1e7, taylor against ARKODE: largest difference in 0.4 s");
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, 1e-5));
}
#endif

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
    run_methods(bench);
    run_orders(bench);
#ifdef REEVE_HAVE_SUNDIALS_PEER
    if (!bench->quick)
        check_reference(bench);
#endif
    run_table(bench, 0);
    run_table(bench, 1);
}
