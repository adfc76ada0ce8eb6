// SPDX-License-Identifier: MIT
// `reeve bench ancf`: what a step of an ANCF cable costs, phase by phase, beside LAPACK's band solver on the same
// matrix; what it costs on the ground; and how rt fares on hard and on random cables beside the paper's method,
// against verlet with a small step.
#include "cases/ancf.h"

#include "cable/ancf/ancf_parts.h"
#include "reference/parts.h"
#include "support/random.h"

#include <stdlib.h>

static const double PI = 3.14159265358979323846;
static rvMemory memory;

rvAncf* rv_ancf_case_create(const rvAncfCase* with)
{
    rvAncfElement* elements = calloc((size_t)with->elementCount, sizeof *elements);
    double area = 0.25e-4 * PI;
    rvError error = {"no memory"};
    rvAncf* cable = NULL;
    rvAncfCurrent current = {.speed = with->current};
    rvAncfDef def = {.elementCount = with->elementCount, .elements = elements, .gravity = {0, 0, -9.81}};
    // what the paper leaves out of its benchmark 2, as it reproduces Table 6
    if (with->wet)
        def.water = (rvAncfWater){.on = true,
                                  .level = 100.0,
                                  .density = 1000.0,
                                  .normalDrag = 1.2,
                                  .tangentDrag = 0.02,
                                  .addedMass = 1.0,
                                  .implicitDrag = with->implicitDrag,
                                  .currents = &current,
                                  .currentCount = rvLength(with->current) > 0.0 ? 1 : 0};
    for (int i = 0; elements && i < with->elementCount; i++)
        elements[i] = (rvAncfElement){.length = 1.0 / with->elementCount,
                                      .EA = with->modulus * area,
                                      .EI = with->modulus * 1e-8,
                                      .massPerLength = 5000.0 * area,
                                      .diameter = 0.01};
    rvStatus status = elements ? rv_ancf_create(&def, &memory, &cable, &error) : RV_NO_MEMORY;
    free(elements);
    if (!status)
        status = rv_ancf_hold(cable, 0, RV_ANCF_PIN, &error);
    if (!status) {
        rv_ancf_lay_straight(cable, rvVec(0, 0, 0), with->way);
        rv_ancf_set_motion(cable, with->motion, NULL);
        status = rv_ancf_start(cable, &with->options, &error);
    }
    if (status) {
        fprintf(stderr, "reeve bench: %s\n", error.text);
        exit(EXIT_FAILURE);
    }
    return cable;
}

void rv_ancf_case_destroy(rvAncf* cable)
{
    rv_ancf_destroy(cable);
}

// ---- phases

typedef struct {
    rvAncf* cable;
    rvAncfSlot* matrix; // a copy, to be factored again and again
    rvAncfWish pass;
    double* band; // for LAPACK
} Bed;

static void do_force(Bed* bed)
{
    rv_ancf_force(bed->cable, bed->cable->q, bed->cable->v, bed->cable->work[0]);
}

static void do_matrix(Bed* bed)
{
    rv_ancf_linearise(bed->cable, bed->cable->q, bed->cable->v, &bed->pass, bed->cable->work[0]);
}

static void do_copy(Bed* bed)
{
    memcpy(bed->cable->slots, bed->matrix, (size_t)(bed->cable->slotCount + 1) * sizeof *bed->matrix);
}

static void do_factor(Bed* bed)
{
    do_copy(bed);
    rv_ancf_factor(bed->cable, bed->cable->slots);
}

static void do_solve(Bed* bed)
{
    rv_ancf_solve(bed->cable, bed->cable->slots, bed->cable->work[1]);
}

static void do_energy(Bed* bed)
{
    rvAncf* c = bed->cable;
    c->work[0][0] = rv_ancf_kinetic(c, c->v) + rv_ancf_potential(c, c->q);
}

static void do_step(Bed* bed)
{
    rv_ancf_step(bed->cable, 1e-3);
}

#ifdef REEVE_HAVE_LAPACK_PEER
// Copies the band and solves it by dpbsv. False where the matrix is not positive definite.
bool rv_lapack_band_solve(int count, int width, const double* band, double* work, double* right);

static void do_lapack(Bed* bed)
{
    rvAncf* c = bed->cable;
    for (int i = 0; i < c->dofCount; i++)
        c->work[2][i] = c->weight[i];
    rv_lapack_band_solve(c->dofCount, 11, bed->band, bed->band + 12 * c->dofCount, c->work[2]);
}

// The lower band of the matrix in the order of nodes, column by column.
static void fill_band(Bed* bed)
{
    rvAncf* c = bed->cable;
    double *x = c->work[0], *y = c->work[1];
    bed->band = calloc((size_t)c->dofCount * 24, sizeof *bed->band);
    memset(x, 0, (size_t)(c->dofCount + 6) * sizeof *x);
    for (int shift = 0; bed->band && shift < 18; shift++) { // columns 18 apart do not meet: probed together
        for (int i = 0; i < c->dofCount; i++)
            x[i] = i % 18 == shift ? 1.0 : 0.0;
        rv_ancf_slot_product(c, bed->matrix, x, y);
        for (int j = shift; j < c->dofCount; j += 18)
            for (int i = j; i < c->dofCount && i <= j + 11; i++)
                bed->band[12 * j + i - j] = i / 6 <= j / 6 + 1 ? y[i] : 0.0;
    }
}
#endif

// Least time of several repetitions [us].
static double measure(Bed* bed, void (*work)(Bed*), bool quick)
{
    double best = HUGE_VAL;
    int count = 1 + (quick ? 200 : 4000) / bed->cable->elementCount, repeats = quick ? 3 : 25;
    for (int r = 0; r < repeats; r++) {
        double start = rv_bench_clock();
        for (int i = 0; i < count; i++)
            work(bed);
        best = fmin(best, (rv_bench_clock() - start) / count);
    }
    return 1e6 * best;
}

static double measure_method(int n, rvAncfMethod method, bool quick)
{
    rvAncfCase with = {.elementCount = n, .modulus = 1e8, .way = {1, 0, 0}, .options = rv_ancf_default_options(method)};
    Bed bed = {.cable = rv_ancf_case_create(&with)};
    double time = measure(&bed, do_step, quick);
    rv_ancf_case_destroy(bed.cable);
    return time;
}

static void run_phases(rvBench* bench, int n)
{
    static const struct {
        const char* name;
        void (*work)(Bed*);
    } phases[] = {{"forces", do_force}, {"forces and matrix", do_matrix}, {"solve", do_solve}, {"energies", do_energy}};
    rv_bench_progress(bench, "%d elements", n);
    rvAncfCase with = {
        .elementCount = n, .modulus = 1e8, .way = {1, 0, 0}, .options = rv_ancf_default_options(RV_ANCF_RT)};
    Bed bed = {.cable = rv_ancf_case_create(&with), .pass = {.massFactor = 3.375e6}};
    for (int i = 0; i < 100; i++)
        do_step(&bed);
    bed.matrix = calloc((size_t)bed.cable->slotCount + 1, sizeof *bed.matrix);
    if (bed.matrix) {
        do_matrix(&bed);
        rv_ancf_take_out(bed.cable, bed.cable->slots);
        memcpy(bed.matrix, bed.cable->slots, (size_t)(bed.cable->slotCount + 1) * sizeof *bed.matrix);
        double copy = measure(&bed, do_copy, bench->quick), factor = measure(&bed, do_factor, bench->quick) - copy;
        rv_bench_add(bench, rv_bench_row("us", factor, RV_NO_NUMBER, "", "%d elements: factor", n));
        for (int i = 0; i < 4; i++)
            rv_bench_add(bench, rv_bench_row("us", measure(&bed, phases[i].work, bench->quick), RV_NO_NUMBER, "",
                                             "%d elements: %s", n, phases[i].name));
        do_factor(&bed);
#ifdef REEVE_HAVE_LAPACK_PEER
        double both = factor + measure(&bed, do_solve, bench->quick);
        fill_band(&bed);
        rvBenchRow row = rv_bench_row("us", both, measure(&bed, do_lapack, bench->quick), "LAPACK dpbsv, same matrix",
                                      "%d elements: factor and solve", n);
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
        free(bed.band);
#else
        rv_bench_leave_out(bench, "LAPACK", "not found when this program was built");
#endif
    }
    free(bed.matrix);
    rv_ancf_case_destroy(bed.cable);
}

// ---- clones for the machine

// The kernels without them: ancf_plain.c.
void rv_plain_elastic_matrix(rvAncf* cable, const double* q, const double* v, const rvAncfWish* pass, double* force);
void rv_plain_factor(const rvAncf* cable, rvAncfSlot* slots);
void rv_plain_solve(const rvAncf* cable, const rvAncfSlot* slots, double* x);

static void do_elastic(Bed* bed)
{
    rv_ancf_elastic_matrix(bed->cable, bed->cable->q, NULL, &bed->pass, bed->cable->work[0]);
}

static void do_plain_elastic(Bed* bed)
{
    rv_plain_elastic_matrix(bed->cable, bed->cable->q, NULL, &bed->pass, bed->cable->work[0]);
}

static void do_plain_factor(Bed* bed)
{
    do_copy(bed);
    rv_plain_factor(bed->cable, bed->cable->slots);
}

static void do_plain_solve(Bed* bed)
{
    rv_plain_solve(bed->cable, bed->cable->slots, bed->cable->work[1]);
}

// Kernels as the machine runs them against the same without clones: time, and the bits of a factor and a solve.
static void run_clones(rvBench* bench)
{
    static const struct {
        const char* name;
        void (*ours)(Bed*);
        void (*plain)(Bed*);
    } pairs[] = {{"forces and matrix", do_elastic, do_plain_elastic},
                 {"factor", do_factor, do_plain_factor},
                 {"solve", do_solve, do_plain_solve}};
    enum { N = 10 };
    rvAncfCase with = {
        .elementCount = N, .modulus = 1e8, .way = {1, 0, 0}, .options = rv_ancf_default_options(RV_ANCF_RT)};
    Bed bed = {.cable = rv_ancf_case_create(&with), .pass = {.massFactor = 3.375e6}};
    rvAncfSlot matrix[N / 2 + 2];
    double x[2][6 * N + 12] = {{0}}; // with the dummy node behind, which is read
    for (int i = 0; i < 100; i++)
        do_step(&bed);
    do_matrix(&bed);
    rv_ancf_take_out(bed.cable, bed.cable->slots);
    bed.matrix = matrix;
    memcpy(matrix, bed.cable->slots, (size_t)(bed.cable->slotCount + 1) * sizeof *matrix);
    for (int i = 0; i < 3; i++) {
        double ours = measure(&bed, pairs[i].ours, bench->quick), plain = measure(&bed, pairs[i].plain, bench->quick);
        rv_bench_add(bench, rv_bench_row("us", ours, plain, "without clones for the machine, same run",
                                         "%d elements: %s", N, pairs[i].name));
    }
    for (int k = 0; k < 2; k++) {
        memcpy(x[k], bed.cable->weight, sizeof(double) * (size_t)bed.cable->dofCount);
        k ? do_plain_factor(&bed) : do_factor(&bed);
        k ? rv_plain_solve(bed.cable, bed.cable->slots, x[k]) : rv_ancf_solve(bed.cable, bed.cable->slots, x[k]);
    }
    int different = 0;
    for (int i = 0; i < bed.cable->dofCount; i++)
        different += !(x[0][i] == x[1][i]);
    rvBenchRow row = rv_bench_row("1", different, 0.0, "without clones", "%d elements: numbers that differ", N);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, 0.0));
    rv_ancf_case_destroy(bed.cable);
}

// ---- whole steps

static void run_steps(rvBench* bench)
{
    static const int counts[] = {10, 20, 50, 100, 1000};
    static const rvAncfMethod methods[] = {RV_ANCF_SI_HHT, RV_ANCF_RT};
    // Project Chrono's ANCF cable on the same pendulum: linearised Euler and HHT [us], measured apart
    static const double chrono[2][2] = {{117.0, 141.0}, {1200.0, 1400.0}};
    double ten[2] = {0.0, 0.0};
    for (int i = 0; i < 5; i++)
        for (int m = 0; m < 2; m++) {
            int n = counts[i];
            const char* name = rv_ancf_method_name(methods[m]);
            rv_bench_progress(bench, "%d elements, %s", n, name);
            double time = measure_method(n, methods[m], bench->quick);
            bool known = n == 10 || n == 100;
            rvBenchRow row = rv_bench_row("us", time, known ? chrono[n == 100][m] : RV_NO_NUMBER,
                                          !known   ? ""
                                          : m == 0 ? "Project Chrono, linearised Euler, measured apart"
                                                   : "Project Chrono, HHT, measured apart",
                                          "%d elements, %s: time of a step", n, name);
            if (n == 10 && m == 0)
                row = rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, 3.0);
            rv_bench_add(bench, row);
            if (n == 10)
                ten[m] = time;
            if (n == 1000) { // linear growth; the matrix no longer fits the first cache, which costs up to half again
                row = rv_bench_row("us", time, 100.0 * ten[m], "100 times that of 10 elements",
                                   "%d elements, %s: growth", n, name);
                rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.5));
            }
        }
    rvBenchRow row = rv_bench_row("1", 1e3 / ten[1], 100.0, "goal", "10 elements, rt, h = 1e-3: times real time");
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_LEAST, 100.0));
}

// ---- hard cases: heavy loads on light cables, and slack cables that snap taut

typedef struct {
    const char* name;
    double massPerLength, EA, EI, load;
    bool snaps; // starts as an arc with its ends 0.3 m apart; else straight and level
    double time;
} Hard;

static rvAncf* hard_cable(const Hard* with, const rvAncfOptions* chosen)
{
    rvAncfElement elements[10];
    rvError error = {""};
    rvAncf* cable = NULL;
    for (int i = 0; i < 10; i++)
        elements[i] =
            (rvAncfElement){.length = 0.1, .EA = with->EA, .EI = with->EI, .massPerLength = with->massPerLength};
    rvAncfOptions options = *chosen;
    options.courant = 0.5;
    if (rv_ancf_create(&(rvAncfDef){.elementCount = 10, .elements = elements, .gravity = {0, 0, -9.81}}, &memory,
                       &cable, &error) ||
        rv_ancf_hold(cable, 0, RV_ANCF_PIN, &error) || rv_ancf_set_mass(cable, 10, with->load, &error))
        return NULL;
    if (with->snaps) {
        double low = 1.5, high = 3.1, q[66]; // half the angle of the arc: sin(x)/x = 0.3
        for (int i = 0; i < 60; i++)
            *(sin(0.5 * (low + high)) > 0.15 * (low + high) ? &low : &high) = 0.5 * (low + high);
        for (int i = 0; i <= 10; i++) {
            double t = low * (0.2 * i - 1.0), r = 0.5 / low;
            double node[6] = {0.15 + r * sin(t), 0, r * (cos(low) - cos(t)), cos(t), 0, sin(t)};
            memcpy(q + 6 * i, node, sizeof node);
        }
        memset(q, 0, 3 * sizeof(double)); // it starts there but for rounding
        rv_ancf_set_shape(cable, q, NULL);
    }
    if (rv_ancf_start(cable, &options, &error)) {
        rv_ancf_destroy(cable);
        return NULL;
    }
    return cable;
}

typedef struct {
    double error; // mean distance of the load from the reference on a grid of 0.1 s [mm]; infinite where it blows up
    double lost;  // of the energy, at the end [J]
} HardRun;

static HardRun run_once(const Hard* with, const rvAncfOptions* options, int each, rvVec3* places,
                        const rvVec3* reference)
{
    rvAncf* cable = hard_cable(with, options);
    if (!cable)
        return (HardRun){HUGE_VAL, HUGE_VAL};
    double sum = 0.0, start = rv_ancf_energy(cable).total;
    int samples = (int)lround(with->time / 0.1);
    for (int i = 1; i <= samples; i++) {
        for (int n = 0; n < each; n++)
            if (rv_ancf_step(cable, 0.1 / each) != RV_OK)
                sum = HUGE_VAL;
        rvVec3 tip = rv_ancf_point(cable, 1.0).position;
        if (places)
            places[i] = tip;
        else
            sum += rvDistance(tip, reference[i]);
        if (!(rv_ancf_energy(cable).total < start + 100.0))
            sum = HUGE_VAL;
    }
    HardRun run = {1e3 * sum / samples, start - rv_ancf_energy(cable).total};
    rv_ancf_destroy(cable);
    return run;
}

// Mean distance of the load from its mean place [mm]: an error as large says nothing about where it is.
static double motion_of(const Hard* with, const rvVec3* reference)
{
    int samples = (int)lround(with->time / 0.1);
    rvVec3 mean = rvVec(0, 0, 0);
    double sum = 0.0;
    for (int i = 1; i <= samples; i++)
        mean = rvMulAdd(mean, 1.0 / samples, reference[i]);
    for (int i = 1; i <= samples; i++)
        sum += rvDistance(reference[i], mean);
    return 1e3 * sum / samples;
}

static void add_hard_rows(rvBench* bench, const Hard* with, int each, const rvVec3* reference)
{
    rvAncfOptions now = rv_ancf_default_options(RV_ANCF_RT), prototype = now,
                  hht = rv_ancf_default_options(RV_ANCF_SI_HHT);
    prototype.rho = 0.5;
    prototype.halvings = 0;
    double motion = motion_of(with, reference);
    HardRun ours = run_once(with, &now, each, NULL, reference);
    double theirs = run_once(with, &hht, each, NULL, reference).error;
    HardRun before = run_once(with, &prototype, each, NULL, reference);
    double worst = ours.error;
    for (int k = -1; k <= 1; k += 2) // a few percent more or less steps
        worst = fmax(worst, run_once(with, &now, each + k * (each / 20 + 1), NULL, reference).error);
    // better than the paper's best, and at least it knows where the load is
    rvBenchRow row = rv_bench_row("mm", ours.error, isfinite(theirs) ? theirs : RV_NO_NUMBER,
                                  isfinite(theirs) ? "si-hht, same run" : "si-hht blows up",
                                  "%s, rt, h = 1/%d: mean error of the load", with->name, 10 * each);
    rv_bench_add(bench, isfinite(theirs) ? rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0) : row);
    row = rv_bench_row("mm", worst, motion, "mean motion of the load", "%s, rt, h = 1/%d and near it: worst mean error",
                       with->name, 10 * each);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 0.1));
    rv_bench_add(bench, rv_bench_row("mm", ours.error, isfinite(before.error) ? before.error : RV_NO_NUMBER,
                                     "rt as its prototype: rho 0.5, no halves",
                                     "%s, rt, h = 1/%d: mean error of the load", with->name, 10 * each));
    rv_bench_add(bench, rv_bench_row("J", ours.lost, isfinite(before.error) ? before.lost : RV_NO_NUMBER,
                                     "rt as its prototype: rho 0.5, no halves", "%s, rt, h = 1/%d: energy lost",
                                     with->name, 10 * each));
}

static void run_hard(rvBench* bench)
{
    static const Hard cases[] = {
        {"load 1000:1", 3.927e-4, 7854.0, 1.0, 0.3927, false, 5.0},
        {"load 1000:1, rope", 3.927e-4, 7854.0, 1e-3, 0.3927, false, 5.0},
        {"snap 1:1", 0.3927, 7854.0, 1e-3, 0.3927, true, 1.0},
        {"snap 1:1, stiff", 0.3927, 78540.0, 1e-3, 0.3927, true, 1.0},
        {"snap 100:1", 3.927e-3, 7854.0, 1e-3, 0.3927, true, 1.0},
    };
    static const int each[] = {100, 24, 10, 6, 3}; // steps in 0.1 s
    rvAncfOptions exact = rv_ancf_default_options(RV_ANCF_VERLET);
    for (int k = bench->quick ? 2 : 0; k < (bench->quick ? 3 : 5); k++) {
        rvVec3 reference[64];
        rv_bench_progress(bench, "%s", cases[k].name);
        run_once(&cases[k], &exact, 1, reference, NULL);
        for (int i = 0; i < 5; i++)
            add_hard_rows(bench, &cases[k], each[i], reference);
    }
}

// ---- random cables

typedef struct {
    rvAncfElement element;
    double tip, angle, turn; // mass at the end [kg], start straight at an angle [rad], turning [rad/s]
} Draw;

// As in the tests that rt was made with: 1 m, 0.01 to 1 kg/m, EA 1e3 to 1e5 N, EI 0.01 to 10 N m^2, tip mass none or
// 0.1 to 30 cable masses, -60 to 90 degrees, -3 to 3 rad/s.
static Draw draw(uint64_t* seed)
{
    Draw d = {.element = {.length = 0.1,
                          .EA = pow(10.0, rv_draw_between(seed, 3, 5)),
                          .EI = pow(10.0, rv_draw_between(seed, -2, 1)),
                          .massPerLength = pow(10.0, rv_draw_between(seed, -2, 0))}};
    double share = pow(10.0, rv_draw_between(seed, -1, log10(30.0)));
    d.tip = rv_draw_between(seed, 0, 1) < 0.5 ? 0.0 : share * d.element.massPerLength;
    d.angle = rv_draw_between(seed, -PI / 3.0, PI / 2.0);
    d.turn = rv_draw_between(seed, -3, 3);
    return d;
}

static rvAncf* random_cable(const Draw* d, rvAncfMethod method, double rho)
{
    rvAncfElement elements[10];
    double v[66] = {0.0};
    rvError error;
    rvAncf* cable = NULL;
    for (int i = 0; i < 10; i++)
        elements[i] = d->element;
    rvAncfDef def = {.elementCount = 10, .elements = elements, .gravity = {0, 0, -9.81}};
    rvAncfOptions options = rv_ancf_default_options(method);
    options.courant = 0.25; // for the reference
    options.rho = rho;
    rvVec3 way = rvVec(cos(d->angle) * 0.8, cos(d->angle) * 0.6, sin(d->angle)), axis = rvVec(-0.6, 0.8, 0);
    if (rv_ancf_create(&def, &memory, &cable, &error))
        return NULL;
    rv_ancf_lay_straight(cable, rvVec(0, 0, 0), way);
    for (int i = 0; i < 22; i++) {
        const double* x = rv_ancf_positions(cable) + 3 * i;
        rvVec3 u = rvScale(d->turn, rvCross(axis, rvVec(x[0], x[1], x[2])));
        v[3 * i] = u.x;
        v[3 * i + 1] = u.y;
        v[3 * i + 2] = u.z;
    }
    double q[66];
    memcpy(q, rv_ancf_positions(cable), sizeof q);
    rv_ancf_set_shape(cable, q, v);
    if (rv_ancf_hold(cable, 0, RV_ANCF_PIN, &error) || rv_ancf_set_mass(cable, 10, d->tip, &error) ||
        rv_ancf_start(cable, &options, &error)) {
        rv_ancf_destroy(cable);
        return NULL;
    }
    return cable;
}

enum { RANDOM_SAMPLES = 61 };
static const double RANDOM_GRID = 0.05;

// Mean distance of the tip from the reference [mm]; infinite where it blows up: the energy rises by 100 J or fails.
static double random_error(const Draw* d, rvAncfMethod method, double rho, double h, rvVec3* places,
                           const rvVec3* reference)
{
    rvAncf* cable = random_cable(d, method, rho);
    if (!cable)
        return HUGE_VAL;
    double sum = 0.0, energy = rv_ancf_energy(cable).total;
    int each = (int)lround(RANDOM_GRID / h);
    for (int i = 0; i < RANDOM_SAMPLES; i++) {
        rvVec3 tip = rv_ancf_point(cable, 1.0).position;
        if (places)
            places[i] = tip;
        else if (reference)
            sum += rvDistance(tip, reference[i]);
        for (int n = 0; n < each; n++)
            if (rv_ancf_step(cable, h) != RV_OK)
                sum = HUGE_VAL;
        if (!(rv_ancf_energy(cable).total < energy + 100.0))
            sum = HUGE_VAL;
    }
    rv_ancf_destroy(cable);
    return 1e3 * sum / RANDOM_SAMPLES;
}

static int by_size(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void run_random(rvBench* bench)
{
    enum { MOST = 40, STEPS = 4, METHODS = 3 };
    static const double steps[STEPS] = {1e-3, 2.5e-3, 5e-3, 1e-2};
    static const rvAncfMethod methods[METHODS] = {RV_ANCF_RT, RV_ANCF_SI_HHT, RV_ANCF_RT};
    double rho[METHODS] = {rv_ancf_default_options(RV_ANCF_RT).rho, 0.5, 0.5};
    double(*errors)[STEPS][MOST] = calloc(METHODS, sizeof *errors);
    int wanted = bench->quick ? 1 : MOST, used = 0, tried = 0;
    uint64_t seed = 20240611u;
    while (errors && used < wanted && tried++ < 4 * MOST) {
        rv_bench_progress(bench, "random cable %d of %d", used + 1, wanted);
        Draw d = draw(&seed);
        rvVec3 reference[RANDOM_SAMPLES];
        if (!isfinite(random_error(&d, RV_ANCF_VERLET, 0.5, RANDOM_GRID, reference, NULL)))
            continue; // no reference, no error
        for (int m = 0; m < METHODS; m++)
            for (int i = 0; i < STEPS; i++)
                errors[m][i][used] = random_error(&d, methods[m], rho[m], steps[i], NULL, reference);
        used++;
    }
    for (int i = 0; errors && used > 0 && i < STEPS; i++) {
        static const struct {
            const char* name;
            double at;
        } shares[] = {{"median", 0.5}, {"90 %", 0.9}, {"worst", 1.0}};
        int blown[METHODS] = {0};
        for (int m = 0; m < METHODS; m++) {
            qsort(errors[m][i], (size_t)used, sizeof(double), by_size);
            for (int k = 0; k < used; k++)
                blown[m] += !isfinite(errors[m][i][k]);
        }
        for (int s = 0; s < 3; s++) {
            int k = (int)(shares[s].at * (used - 1));
            rv_bench_add(bench,
                         rv_bench_row("mm", errors[0][i][k], errors[1][i][k], "si-hht, same run",
                                      "%d random cables, rt, h = %g: error, %s", used, steps[i], shares[s].name));
        }
        rvBenchRow row = rv_bench_row("1", blown[0], blown[1], "si-hht, same run",
                                      "%d random cables, rt, h = %g: blow-ups", used, steps[i]);
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, 0.0));
    }
    free(errors);
}

// The same cables by hundreds, without a reference: does any blow up?
static void run_many_random(rvBench* bench)
{
    static const double steps[] = {1e-3, 2.5e-3, 5e-3, 1e-2};
    int count = bench->quick ? 5 : 500, blown[4] = {0};
    double rho = rv_ancf_default_options(RV_ANCF_RT).rho;
    uint64_t seed = 7u;
    rv_bench_progress(bench, "%d random cables", count);
    for (int n = 0; n < count; n++) {
        Draw d = draw(&seed);
        for (int i = 0; i < 4; i++)
            blown[i] += !isfinite(random_error(&d, RV_ANCF_RT, rho, steps[i], NULL, NULL));
    }
    for (int i = 0; i < 4; i++) {
        rvBenchRow row = rv_bench_row("1", blown[i], RV_NO_NUMBER, "by 100 J, or an error",
                                      "%d random cables, rt, h = %g: blow-ups", count, steps[i]);
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, 0.0));
    }
}

void rv_bench_ancf(rvBench* bench)
{
    static const int counts[] = {10, 20, 50, 100, 1000};
    if (bench->count > 0) { // only these
        long first = bench->first > 0 ? bench->first : 1;
        rv_bench_slack_ropes(bench, first, bench->count, 60);
        rv_bench_slack_ropes(bench, first, bench->count, 240);
        rv_bench_slack_hooks(bench, first, bench->count);
        return;
    }
    for (int i = 0; i < 5; i++)
        run_phases(bench, counts[i]);
    run_clones(bench);
    run_steps(bench);
    run_hard(bench);
    rv_bench_ground(bench);
    rv_bench_snap(bench);
    run_random(bench);
    run_many_random(bench);
}
