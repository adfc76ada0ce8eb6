// SPDX-License-Identifier: MIT
// `reeve bench sweep`: random machines, loads on bridles, machines whose ropes are re-routed and hoists
// (random_machine.h), and random threads (random_thread.h) must not gain energy.
//
// A row for each that gains more than a hundredth or fails, and one that counts them. --first K, --count N and
// --seconds S choose others and longer runs, --only NAME a family.
#include "bench.h"
#include "random_machine.h"
#include "random_thread.h"

#include <string.h>

static const double MOST_GROWTH = 0.01;

// What became of one of a family.
typedef struct {
    double grown, when, h;
    char kind[128], error[256];
} Told;

typedef Told Run(uint64_t number, double seconds);

static Told tell(rvWorld* world, double grown, double when, double h, const char* kind)
{
    Told told = {.grown = grown, .when = when, .h = h};
    snprintf(told.kind, sizeof told.kind, "%s", kind);
    if (isinf(grown) && world)
        snprintf(told.error, sizeof told.error, ": %s", rvWorld_GetError(world));
    if (world)
        rvDestroyWorld(world);
    return told;
}

static Told run_machine(rvRandomMachine machine, double seconds)
{
    double when, grown = rv_random_machine_run(&machine, seconds, &when);
    return tell(machine.world, grown, when, machine.h, machine.kind);
}

static Told run_thread(rvRandomThread thread, double seconds)
{
    double when, grown = rv_random_thread_run(&thread, seconds, &when);
    return tell(thread.world, grown, when, thread.h, thread.kind);
}

static Told machine(uint64_t number, double seconds)
{
    return run_machine(rv_random_machine(number), seconds);
}

static Told heavy(uint64_t number, double seconds)
{
    return run_machine(rv_random_heavy(number), seconds);
}

static Told bridle(uint64_t number, double seconds)
{
    return run_machine(rv_random_bridle(number), seconds);
}

static Told rerouting(uint64_t number, double seconds)
{
    return run_machine(rv_random_rerouting(number), seconds);
}

static Told hoist(uint64_t number, double seconds)
{
    return run_machine(rv_random_hoist(number), seconds);
}

static Told grasp(uint64_t number, double seconds)
{
    return run_thread(rv_random_grasp(number), seconds);
}

static Told draw(uint64_t number, double seconds)
{
    return run_thread(rv_random_draw(number), seconds);
}

static Told hit(uint64_t number, double seconds)
{
    return run_thread(rv_random_hit(number), seconds);
}

static Told loop(uint64_t number, double seconds)
{
    return run_thread(rv_random_loop(number), seconds);
}

// `share`: of the time that each of a family runs where none is asked for.
static void run_family(rvBench* bench, const char* name, Run* run, double share)
{
    if (bench->only && !strstr(name, bench->only))
        return;
    long first = bench->first > 0 ? bench->first : 1;
    long count = bench->count > 0 ? bench->count : bench->quick ? 20 : 1000;
    double seconds = bench->seconds > 0.0 ? bench->seconds : share * (bench->quick ? 2.0 : 10.0);
    int grown = 0;
    for (long n = first; n < first + count; ++n) {
        rv_bench_progress(bench, "%s %ld, %d grew", name, n, grown);
        Told told = run((uint64_t)n, seconds);
        if (told.grown <= MOST_GROWTH)
            continue;
        grown += 1;
        rvBenchRow row = rv_bench_row("1", told.grown, RV_NO_NUMBER, told.error,
                                      "%s %ld:%s, h %.3g s, at %.3g s: growth", name, n, told.kind, told.h, told.when);
        row.detail = true;
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, MOST_GROWTH));
    }
    rvBenchRow row =
        rv_bench_row("1", grown, RV_NO_NUMBER, "energy does not grow by more than 1 %",
                     "%ss %ld to %ld, %g s each: that gain energy", name, first, first + count - 1, seconds);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, 0.0));
}

void rv_bench_sweep(rvBench* bench)
{
    run_family(bench, "machine", machine, 1.0);
    run_family(bench, "bridle", bridle, 1.0);
    run_family(bench, "rerouting", rerouting, 1.0);
    run_family(bench, "hoist", hoist, 1.0);
    run_family(bench, "heavy rope", heavy, 1.0);
    run_family(bench, "grasp", grasp, 0.2);
    run_family(bench, "draw", draw, 0.2);
    run_family(bench, "hit", hit, 0.2);
    run_family(bench, "loop", loop, 0.2);
    if (bench->rowCount == 0)
        rv_bench_leave_out(bench, "Reeve", "--only: no family has '%.40s' in its name", bench->only);
}
