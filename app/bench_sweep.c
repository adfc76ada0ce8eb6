// SPDX-License-Identifier: MIT
// `reeve bench sweep`: random machines, loads on bridles, machines whose ropes are re-routed and hoists
// (random_machine.h) must not gain energy.
//
// A row for each machine that gains more than a hundredth or fails, and one that counts them. --first K, --count N and
// --seconds S choose others and longer runs, --only NAME a family.
#include "bench.h"
#include "random_machine.h"

#include <string.h>

static const double MOST_GROWTH = 0.01;

static void run_family(rvBench* bench, const char* name, rvRandomMachine make(uint64_t number))
{
    if (bench->only && !strstr(name, bench->only))
        return;
    long first = bench->first > 0 ? bench->first : 1;
    long count = bench->count > 0 ? bench->count : bench->quick ? 20 : 1000;
    double seconds = bench->seconds > 0.0 ? bench->seconds : bench->quick ? 2.0 : 10.0;
    int grown = 0;
    for (long n = first; n < first + count; ++n) {
        rv_bench_progress(bench, "%s %ld, %d grew", name, n, grown);
        rvRandomMachine machine = make((uint64_t)n);
        double when, most = rv_random_machine_run(&machine, seconds, &when);
        if (!(most <= MOST_GROWTH)) {
            grown += 1;
            rvBenchRow row = rv_bench_row("1", most, RV_NO_NUMBER, "", "%s %ld:%s, h %.3g s, at %.3g s: growth", name,
                                          n, machine.kind, machine.h, when);
            row.detail = true;
            rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, MOST_GROWTH));
        }
        rvDestroyWorld(machine.world);
    }
    rvBenchRow row =
        rv_bench_row("1", grown, RV_NO_NUMBER, "energy does not grow by more than 1 %",
                     "%ss %ld to %ld, %g s each: that gain energy", name, first, first + count - 1, seconds);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, 0.0));
}

void rv_bench_sweep(rvBench* bench)
{
    run_family(bench, "machine", rv_random_machine);
    run_family(bench, "bridle", rv_random_bridle);
    run_family(bench, "rerouting", rv_random_rerouting);
    run_family(bench, "hoist", rv_random_hoist);
    if (bench->rowCount == 0)
        rv_bench_leave_out(bench, "Reeve", "--only: no family has '%.40s' in its name", bench->only);
}
