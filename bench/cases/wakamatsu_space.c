// SPDX-License-Identifier: MIT
// The curve in space: critical loads and frequencies against closed forms, energy by Runge-Kutta-Fehlberg, the fixed
// step of 1 ms against it, times.
//
// All rods are 1 m long. Loads and frequencies: 40 intervals, EI = 1, GJ = 0.7, 1 kg/m. Thrown and falling ones: the
// wire of Fig. 4, rigidity 0.1, density 1, 10 intervals, thrown about in space.
#include "cases/wakamatsu_space.h"
#include "reference/curve_run.h"

#include "cable/curve/space_motion.h"
#include "cable/curve/space_rest.h"
#include "cable/curve/space_step.h"
#include "peers/fehlberg.h"

#include <string.h>

enum { FINE = 40, WIRE = 10, MOST_RATES = 3 * WIRE + 6, MOST_STATE = 3 + 4 * (WIRE + 1) + MOST_RATES };

static const double PI = 3.14159265358979323846, STEP = 1e-3, TWISTING = 0.7, THROWN = 0.5;

static rvQuat along_x(void)
{
    return rvQuatFromAxisAngle(rvVec(0, 1, 0), 0.5 * PI);
}

static bool make(rvSpaceRun* run, rvMemory* memory, rvSpaceDef def, rvSpacePart part)
{
    if (!rv_space_run_create(run, memory, &def))
        return false;
    part.length = 1.0 / def.intervals;
    for (int i = 0; i < def.intervals; i++)
        run->space.parts[i] = part;
    rv_space_begin(&run->space);
    for (int i = 0; i <= def.intervals; i++)
        run->frames[i] = along_x();
    return true;
}

static rvSpacePart rod(void)
{
    return (rvSpacePart){.density = 1.0, .rigidity = rvVec(1, 1, TWISTING), .inertia = 1e-6};
}

static void show(rvBench* bench, const char* unit, double ours, double exact, double within, const char* name)
{
    rvBenchRow row = rv_bench_row(unit, ours, exact, "closed form", "In space, %d intervals: %s", FINE, name);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_WITHIN, within));
}

// ---- critical loads -------------------------------------------------------------------------------------------------

// A load at which a shape is left: is it, at this one?
typedef bool (*LeavesFn)(double load);

static double critical(LeavesFn leaves, double from, double to)
{
    for (int i = 0; i < 14; i++) {
        double middle = 0.5 * (from + to);
        if (leaves(middle))
            to = middle;
        else
            from = middle;
    }
    return 0.5 * (from + to);
}

// A ring, closed with so many turns of twist: it coils, and loses energy.
static bool ring_coils(double turns)
{
    rvMemory memory = {0};
    rvSpaceRun run;
    rvSpaceHold holds[2] = {{.node = 0, .grip = RV_GRIP_FRAME}, {.node = FINE, .grip = RV_GRIP_FRAME}};
    holds[0].frame = along_x();
    holds[1].frame = rvQuatMul(rvQuatFromRotation(rvVec(2.0 * PI * turns, 0, 0)), along_x());
    if (!make(&run, &memory, (rvSpaceDef){.intervals = FINE, .holds = holds, .holdCount = 2}, rod()))
        return false;
    for (int i = 0; i <= FINE; i++) {
        double s = (double)i / FINE;
        rvQuat bent = rvQuatMul(rvQuatFromRotation(rvVec(0, 0, 2.0 * PI * s)), along_x());
        run.frames[i] = rvQuatMul(bent, rvQuatFromRotation(rvVec(0, 0, 2.0 * PI * turns * s)));
    }
    rv_space_run_rest(&run, (rvSpaceSearch){.rounds = 100, .leave = 0.05});
    bool coils = rv_space_run_elastic(&run) < 0.95 * 2.0 * PI * PI * (1.0 + turns * turns * TWISTING);
    rv_space_run_release(&run, &memory);
    return coils;
}

// A straight rod between two holds, of which the second may come nearer, with a twist or a push: is it still stable?
static bool is_left(rvSpaceGrip grip, double twist, double push)
{
    rvMemory memory = {0};
    rvSpaceRun run;
    rvSpaceHold holds[2] = {{.node = 0, .grip = grip}, {.node = FINE, .grip = grip, .loose = 1u}};
    holds[0].frame = along_x();
    holds[1].frame = rvQuatMul(rvQuatFromRotation(rvVec(twist, 0, 0)), along_x());
    if (!make(&run, &memory, (rvSpaceDef){.intervals = FINE, .holds = holds, .holdCount = 2}, rod()))
        return false;
    for (int i = 0; i <= FINE; i++)
        run.frames[i] = rvQuatMul(along_x(), rvQuatFromRotation(rvVec(0, 0, twist * i / FINE)));
    run.loads[run.loadCount++] = (rvSpaceLoad){.node = FINE, .force = rvVec(-push, 0, 0)};
    bool left = rv_space_run_rest(&run, (rvSpaceSearch){.rounds = 100}).stability == RV_REST_UNSTABLE;
    rv_space_run_release(&run, &memory);
    return left;
}

static bool moment_buckles(double moment)
{
    return is_left(RV_GRIP_FRAME, moment / TWISTING, 0.0);
}

static bool push_buckles(double push)
{
    return is_left(RV_GRIP_PIN, 0.0, push);
}

static void show_loads(rvBench* bench)
{
    rv_bench_progress(bench, "critical loads in space");
    double n2 = FINE * FINE;
    // (angle in an interval)^2/12: of twist, of bending
    show(bench, "turns", critical(ring_coils, 2.0, 3.0), sqrt(3.0) / TWISTING, 4.0 * PI * PI * 3.0 / (0.49 * 12.0 * n2),
         "twist that coils a ring (Michell)");
    show(bench, "N m", critical(moment_buckles, 7.0, 11.0), 8.98682, 8.98682 * 8.98682 / (0.49 * 12.0 * n2),
         "moment that buckles a clamped rod (Greenhill)");
    show(bench, "N", critical(push_buckles, 8.0, 12.0), PI * PI, PI * PI / (6.0 * n2),
         "push that buckles a pinned rod (Euler)");
}

// ---- frequencies ----------------------------------------------------------------------------------------------------

static double frequency(rvSpaceRun* run, int k)
{
    double low = 0.0, high = 1000.0;
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (low + high);
        if (rv_space_run_slower(run, middle) > k)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

static void show_frequencies(rvBench* bench)
{
    rvMemory memory = {0};
    rvSpaceRun run;
    rvSpaceHold clamp = {.node = 0, .grip = RV_GRIP_FRAME, .frame = along_x()}, pin = {.node = 0};
    const double b = 4.694091, j = 2.76004;
    if (make(&run, &memory, (rvSpaceDef){.intervals = FINE, .holds = &clamp, .holdCount = 1}, rod())) {
        rv_space_run_rest(&run, (rvSpaceSearch){.rounds = 100});
        show(bench, "rad/s", frequency(&run, 2), b * b, b * b / (12.0 * FINE * FINE),
             "second frequency of a cantilever");
        rv_space_run_release(&run, &memory);
    }
    rvSpacePart chain = rod();
    chain.rigidity = rvVec(1e-7, 1e-7, 1e3);
    if (make(&run, &memory, (rvSpaceDef){.intervals = FINE, .holds = &pin, .holdCount = 1}, chain)) {
        run.gravity = rvVec(9.8, 0, 0);
        rv_space_run_rest(&run, (rvSpaceSearch){.rounds = 100});
        show(bench, "rad/s", frequency(&run, 3), j * sqrt(9.8), 4.0 * j * j / (3.0 * FINE * FINE),
             "second frequency of a hanging chain");
        rv_space_run_release(&run, &memory);
    }
}

// ---- a wire, thrown -------------------------------------------------------------------------------------------------

typedef struct {
    rvMemory memory;
    rvSpaceRun run;
} Wire;

static const rvSpaceHold WIRE_PIN = {.node = 0};

static bool make_wire(Wire* wire, int intervals, bool peg)
{
    *wire = (Wire){0};
    rvSpacePart part = {
        .density = 1.0, .rigidity = rvVec(0.1, 0.1, 0.07), .inertia = 1e-3}; // twist that can be followed
    rvSpaceDef def = {.intervals = intervals, .holds = &WIRE_PIN, .holdCount = 1, .obstacleCount = peg};
    if (!make(&wire->run, &wire->memory, def, part))
        return false;
    rvSpaceRun* run = &wire->run;
    run->gravity = rvVec(0, 0, -9.8);
    run->contacts.spring = 1000.0;
    run->contacts.damping = 100.0;
    if (peg) // 5 mm deep under the middle of it
        run->contacts.obstacles[0] = (rvSpaceObstacle){
            .kind = RV_SPACE_CAPSULE, .center = {0.43, 0, -0.005}, .axis = {0, 1, 0}, .half = 0.1, .radius = 0.01};
    for (int i = 0; i <= intervals; i++) {
        double s = (double)i / intervals;
        run->v[rv_space_spin(i) + 2] = 3.0 * sin(7.0 * s);
        run->v[rv_space_spin(i)] = 2.0 * cos(4.0 * s);
    }
    return true;
}

#ifdef REEVE_HAVE_SUNDIALS_PEER
static const double TOLERANCE = 1e-9;

static double energy_of(rvSpaceRun* run)
{
    return rv_space_run_kinetic(run) + rv_space_run_elastic(run) + rv_space_run_height(run);
}

static void unpack(rvSpaceRun* run, const double* y)
{
    int nodes = run->space.intervals + 1;
    memcpy(run->start, y, 3 * sizeof(double));
    for (int i = 0; i < nodes; i++) {
        const double* q = y + 3 + 4 * i;
        run->frames[i] = rvQuatNormalize((rvQuat){q[0], q[1], q[2], q[3]});
    }
    memcpy(run->v, y + 3 + 4 * nodes, (size_t)run->space.count * sizeof(double));
}

static void pack(const rvSpaceRun* run, double* y)
{
    int nodes = run->space.intervals + 1;
    memcpy(y, run->start, 3 * sizeof(double));
    memcpy(y + 3, run->frames, (size_t)nodes * sizeof(rvQuat));
    memcpy(y + 3 + 4 * nodes, run->v, (size_t)run->space.count * sizeof(double));
}

static bool rates(void* context, double t, const double* y, double* dy)
{
    (void)t;
    rvSpaceRun* run = context;
    int nodes = run->space.intervals + 1;
    unpack(run, y);
    if (!rv_space_motion_solve(run, 100.0))
        return false;
    memcpy(dy, run->v, 3 * sizeof(double));
    for (int i = 0; i < nodes; i++) { // q' = w q/2
        const double* w = run->v + rv_space_spin(i);
        rvQuat turn = rvQuatMul((rvQuat){0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]}, run->frames[i]);
        memcpy(dy + 3 + 4 * i, &turn, sizeof turn);
    }
    memcpy(dy + 3 + 4 * nodes, run->a, (size_t)run->space.count * sizeof(double));
    return true;
}

// The end of the wire after THROWN seconds.
static bool march(rvBench* bench, rvVec3* end)
{
    Wire wire;
    if (!make_wire(&wire, WIRE, false))
        return false;
    double y[MOST_STATE], before = energy_of(&wire.run);
    long steps = 0, calls = 0;
    pack(&wire.run, y);
    rvFehlberg method = {MOST_STATE, rates, NULL, &wire.run, TOLERANCE, TOLERANCE};
    double start = rv_bench_clock();
    bool good = rv_fehlberg_run(&method, 0.0, THROWN, y, &steps, &calls);
    double seconds = rv_bench_clock() - start;
    unpack(&wire.run, y);
    double drift = fabs(energy_of(&wire.run) - before) / 9.8; // of its weight times its length
    *end = wire.run.space.nodes[WIRE];
    if (good) {
        rvBenchRow row = rv_bench_row("1", drift, 1e-6, "goal: the tolerance of a step, 1e-9, over a thousand of them",
                                      "In space, rkf45: energy lost or made in free motion");
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
        rv_bench_add(bench, rv_bench_row("us", 1e6 * seconds / (double)steps, 1e8, "paper: about 100 s a step",
                                         "In space, rkf45: time a step (%ld of them, %.1f right sides each)", steps,
                                         (double)calls / (double)steps));
    }
    rv_space_run_release(&wire.run, &wire.memory);
    return good;
}
#endif

static bool run_wire(double h, rvVec3* end)
{
    Wire wire;
    bool good = make_wire(&wire, WIRE, false) && rv_space_run_begin(&wire.run);
    for (int i = 0; good && i < (int)(THROWN / h + 0.5); i++)
        good = rv_space_run_step(&wire.run, h);
    if (good) {
        rv_space_run_kinetic(&wire.run); // places it
        *end = wire.run.space.nodes[WIRE];
    }
    rv_space_run_release(&wire.run, &wire.memory);
    return good;
}

static void show_thrown(rvBench* bench)
{
    rv_bench_progress(bench, "thrown in space");
    rvVec3 end[3];
    if (!run_wire(STEP, &end[0]) || !run_wire(0.5 * STEP, &end[1]) || !run_wire(0.25 * STEP, &end[2]))
        return;
    rvBenchRow row = rv_bench_row("1", rvDistance(end[0], end[1]) / rvDistance(end[1], end[2]), 4.0, "second order",
                                  "In space, steps of 1, 1/2 and 1/4 ms: ratio of errors");
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_WITHIN, 0.1));
#ifdef REEVE_HAVE_SUNDIALS_PEER
    rvVec3 true_end;
    if (!bench->quick && march(bench, &true_end))
        rv_bench_add(bench, rv_bench_row("mm", 1e3 * rvDistance(end[0], true_end), RV_NO_NUMBER, "rkf45, same run",
                                         "In space, step of 1 ms: the thrown wire's end, after %g s", THROWN));
#endif
}

// ---- times ----------------------------------------------------------------------------------------------------------

static void time_right_side(rvBench* bench, bool touching)
{
    Wire wire;
    if (!make_wire(&wire, WIRE, touching))
        return;
    double best = RV_NO_NUMBER;
    int rounds = bench->quick ? 3 : 30, block = bench->quick ? 100 : 2000;
    for (int k = 0; k < rounds; k++) {
        double start = rv_bench_clock();
        for (int i = 0; i < block; i++)
            rv_space_motion_solve(&wire.run, 0.0);
        double time = (rv_bench_clock() - start) / block;
        best = best <= time ? best : time;
    }
    rvBenchRow row =
        rv_bench_row("us", 1e6 * best, touching ? 10.0 : 5.0, "goal", "In space, 10 intervals: a right side, %s",
                     touching ? "with contact" : "without contact");
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
    rv_space_run_release(&wire.run, &wire.memory);
}

static void time_steps(rvBench* bench)
{
    double before = RV_NO_NUMBER;
    for (int intervals = 10; intervals <= 100; intervals *= 10) {
        Wire wire;
        if (!make_wire(&wire, intervals, false))
            return;
        bool good = rv_space_run_begin(&wire.run);
        double sum = 0.0, most = 0.0;
        int steps = bench->quick ? 20 : 300;
        for (int k = 0; good && k < steps; k++) {
            double start = rv_bench_clock();
            good = rv_space_run_step(&wire.run, STEP);
            double time = rv_bench_clock() - start;
            sum += time;
            most = fmax(most, time);
        }
        rvBenchRow row = rv_bench_row("us", 1e6 * sum / steps, 1e3, "real time: 1 ms",
                                      "In space, %d intervals: a step of 1 ms", intervals);
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
        row = rv_bench_row("us", 1e6 * most, 1e3, "real time: 1 ms", "In space, %d intervals: the longest step",
                           intervals);
        rv_bench_add(bench, row);
        if (before == before)
            rv_bench_add(bench,
                         rv_bench_row("1", sum / before, 10.0, "linear", "In space: growth from 10 to 100 intervals"));
        before = sum;
        rv_space_run_release(&wire.run, &wire.memory);
    }
}

void rv_bench_wakamatsu_space(rvBench* bench)
{
    show_loads(bench);
    show_frequencies(bench);
    show_thrown(bench);
    time_right_side(bench, false);
    time_right_side(bench, true);
    time_steps(bench);
}
