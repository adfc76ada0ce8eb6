// SPDX-License-Identifier: MIT
// `reeve bench random`: random machines, loads on bridles, machines whose ropes are re-routed, hoists, threads and
// slack ropes (random/family.h) must not gain energy; threads that are thrown must not go through what they meet.
//
// A row for each that gains more than its bound or fails, and one that counts them. --first K, --count N and
// --seconds S choose others and longer runs, --only NAME a family; --rates: see rates.c.
#include "bench.h"
#include "cases/rates.h"
#include "random/family.h"

#include <string.h>

static void add_outcome(rvBench* bench, const rvRandomFamily* family, long number, const rvRandomOutcome* outcome)
{
    bool through = outcome->through >= 0.0;
    rvBenchRow row = rv_bench_row("1", through ? 1.0 : outcome->growth.grown, RV_NO_NUMBER, outcome->error,
                                  "%s %ld%s%s, h %.3g s, at %.3g s: %s", family->name, number,
                                  *outcome->kind ? ":" : "", outcome->kind, outcome->h,
                                  through ? outcome->through : outcome->growth.when, through ? "through" : "growth");
    row.detail = true;
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, through ? 0.0 : family->bound));
}

static void run_family(rvBench* bench, const rvRandomFamily* family)
{
    long first = bench->first > 0 ? bench->first : 1;
    long count = bench->count > 0 ? bench->count : bench->quick ? 20 : family->isThrow ? 500 : 1000;
    double seconds = bench->seconds > 0.0               ? bench->seconds
                     : bench->quick && !family->isThrow ? 0.2 * family->seconds
                                                        : family->seconds;
    int grown = 0, through = 0;
    for (long n = first; n < first + count; ++n) {
        rv_bench_progress(bench, "%s %ld, %d failed", family->name, n, grown + through);
        rvRandomOutcome outcome = family->run(family, (uint64_t)n, (rvRandomRun){.seconds = seconds});
        bool grows = !(outcome.growth.grown <= family->bound);
        grown += grows;
        through += outcome.through >= 0.0;
        if (grows || outcome.through >= 0.0)
            add_outcome(bench, family, n, &outcome);
    }
    rvBenchRow row = rv_bench_row("1", grown, RV_NO_NUMBER, "", "%s, %ld to %ld, %g s each: energy grows by > %g %%",
                                  family->name, first, first + count - 1, seconds, 100.0 * family->bound);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, 0.0));
    if (!family->isThrow)
        return;
    row = rv_bench_row("1", through, RV_NO_NUMBER, "", "%s, %ld to %ld: go through", family->name, first,
                       first + count - 1);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, 0.0));
}

void rv_bench_random(rvBench* bench)
{
    int count;
    const rvRandomFamily* families = rv_random_families(&count);
    for (int i = 0; i < count; ++i) {
        if (bench->only && !strstr(families[i].name, bench->only))
            continue;
        if (bench->rates)
            rv_bench_rates(bench, &families[i]);
        else
            run_family(bench, &families[i]);
    }
    if (bench->rowCount == 0)
        rv_bench_leave_out(bench, "Reeve", "--only: no family has '%.40s' in its name", bench->only);
}
