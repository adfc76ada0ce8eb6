// SPDX-License-Identifier: MIT
// `reeve bench random`: random machines, loads on bridles, machines whose ropes are re-routed and hoists
// (random/machine.h), and random threads (random/thread.h) must not gain energy; threads that are thrown
// (random/throw.h) must not go through what they are thrown on.
//
// A row for each that gains more than a hundredth or fails, and one that counts them. --first K, --count N and
// --seconds S choose others and longer runs, --only NAME a family.
#include "bench.h"
#include "random/machine.h"
#include "random/thread.h"
#include "random/throw.h"

#include <string.h>

static const double MOST_GROWTH = 0.01;
static const double MOST_THROWN = 0.05; // the bound of the guard of a curve that whips

// What became of one of a family.
typedef struct {
    double grown, when, h;
    char kind[128], error[256];
} Told;

// Random machines or random threads, by number. `share`: of the time that each runs where none is asked for.
typedef struct {
    const char* name;
    rvRandomMachine (*machine)(uint64_t number);
    rvRandomThread (*thread)(uint64_t number);
    double share;
} Family;

static const Family FAMILIES[] = {
    {"machine", rv_random_machine, NULL, 1.0},     {"bridle", rv_random_bridle, NULL, 1.0},
    {"rerouting", rv_random_rerouting, NULL, 1.0}, {"hoist", rv_random_hoist, NULL, 1.0},
    {"heavy rope", rv_random_heavy, NULL, 1.0},    {"grasp", NULL, rv_random_grasp, 0.2},
    {"draw", NULL, rv_random_draw, 0.2},           {"hit", NULL, rv_random_hit, 0.2},
    {"loop", NULL, rv_random_loop, 0.2},
};

static Told tell(rvWorld* world, rvGrowth growth, double h, const char* kind)
{
    Told told = {.grown = growth.grown, .when = growth.when, .h = h};
    snprintf(told.kind, sizeof told.kind, "%s", kind);
    if (isinf(growth.grown) && world)
        snprintf(told.error, sizeof told.error, ": %s", rvWorld_GetError(world));
    if (world)
        rvDestroyWorld(world);
    return told;
}

static Told run(const Family* family, uint64_t number, double seconds)
{
    rvRandomRun how = {.seconds = seconds};
    if (family->machine) {
        rvRandomMachine machine = family->machine(number);
        return tell(machine.world, rv_random_machine_run(&machine, how), machine.h, machine.kind);
    }
    rvRandomThread thread = family->thread(number);
    return tell(thread.world, rv_random_thread_run(&thread, how), thread.h, thread.kind);
}

static void run_family(rvBench* bench, const Family* family)
{
    if (bench->only && !strstr(family->name, bench->only))
        return;
    long first = bench->first > 0 ? bench->first : 1;
    long count = bench->count > 0 ? bench->count : bench->quick ? 20 : 1000;
    double seconds = bench->seconds > 0.0 ? bench->seconds : family->share * (bench->quick ? 2.0 : 10.0);
    int grown = 0;
    for (long n = first; n < first + count; ++n) {
        rv_bench_progress(bench, "%s %ld, %d grew", family->name, n, grown);
        Told told = run(family, (uint64_t)n, seconds);
        if (told.grown <= MOST_GROWTH)
            continue;
        grown += 1;
        rvBenchRow row =
            rv_bench_row("1", told.grown, RV_NO_NUMBER, told.error, "%s %ld:%s, h %.3g s, at %.3g s: growth",
                         family->name, n, told.kind, told.h, told.when);
        row.detail = true;
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, MOST_GROWTH));
    }
    rvBenchRow row =
        rv_bench_row("1", grown, RV_NO_NUMBER, "energy does not grow by more than 1 %",
                     "%ss %ld to %ld, %g s each: that gain energy", family->name, first, first + count - 1, seconds);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, 0.0));
}

// Of each shape as many as are asked for, in a plane or in space.
static void run_throws(rvBench* bench, bool inSpace, rvThrownOn kind)
{
    char name[64];
    snprintf(name, sizeof name, "throw on %s in %s", rv_thrown_name(kind), inSpace ? "space" : "a plane");
    if (bench->only && !strstr(name, bench->only))
        return;
    long first = bench->first > 0 ? bench->first : 1, count = bench->count > 0 ? bench->count : bench->quick ? 20 : 500;
    int through = 0, grown = 0;
    for (long n = first; n < first + count; ++n) {
        rv_bench_progress(bench, "%s, %ld, %d went through", name, n, through);
        rvThrown told = rv_random_throw((uint64_t)n, inSpace, kind, (rvRandomRun){.seconds = RV_THROW_SECONDS});
        bool grows = !(told.growth.grown <= MOST_THROWN);
        through += told.through >= 0.0;
        grown += grows;
        if (told.through < 0.0 && !grows)
            continue;
        rvBenchRow row = rv_bench_row(
            "1", grows ? told.growth.grown : 1.0, RV_NO_NUMBER, told.error, "%s, %ld, h %.3g s, at %.3g s: %s", name, n,
            told.h, told.through >= 0.0 ? told.through : told.growth.when, grows ? "growth" : "through");
        row.detail = true;
        rv_bench_add(bench, row);
    }
    rvBenchRow row =
        rv_bench_row("1", through, RV_NO_NUMBER, "", "%s, %ld to %ld: that go through", name, first, first + count - 1);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, 0.0));
    row = rv_bench_row("1", grown, RV_NO_NUMBER, "energy grows by more than 5 %", "%s, %ld to %ld: that gain or fail",
                       name, first, first + count - 1);
    rv_bench_add(bench, row);
}

void rv_bench_random(rvBench* bench)
{
    for (size_t i = 0; i < sizeof FAMILIES / sizeof FAMILIES[0]; ++i)
        run_family(bench, &FAMILIES[i]);
    for (int i = 0; i < RV_THROWN_KINDS; ++i)
        run_throws(bench, false, (rvThrownOn)i);
    for (int i = 0; i < RV_THROWN_ON_BARS; ++i) // in space threads pass beside bars and rods
        run_throws(bench, true, (rvThrownOn)i);
    if (bench->rowCount == 0)
        rv_bench_leave_out(bench, "Reeve", "--only: no family has '%.40s' in its name", bench->only);
}
