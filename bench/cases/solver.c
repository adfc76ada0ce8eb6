// SPDX-License-Identifier: MIT
// `reeve bench solver`: chains of 10 to 1000 links under a heavy load (see chain.h), ours side by side with
// peers.
//
// Ours runs at h = 1/60 s. Engines without geometric stiffness lose the load above h = 2/sqrt(12 T/(m l)); their time a
// step and their errors are taken at a third of that, where they hold it.
#include "bench.h"
#include "cases/chain.h"

#include <string.h>

static const double OUR_STEP = 1.0 / 60.0;
static const double PEER_STEP = 0.3;    // of the limit
static const double LARGEST_STEP = 0.1; // [s]; nothing above is tried
static const double OFF = 0.01;         // of the length: the load is lost
static const double HELD_TIME = 20.0;   // [s]

typedef struct {
    rvBench* bench;
    rvChain chain;
    double limit;                                       // on the step of engines without geometric stiffness [s]
    const rvChainEngine* engines[RV_CHAIN_MAX_ENGINES]; // ours first
    double times[RV_CHAIN_MAX_ENGINES];                 // a step [s]
    double largest[RV_CHAIN_MAX_ENGINES];               // stable step [s]
    int count;
} Case;

static rvBenchRow row(const Case* c, const char* what, const char* unit, double ours, double reference,
                      const char* source)
{
    return rv_bench_row(unit, ours, reference, source, "%d links, %g kg: %s", c->chain.links, c->chain.loadMass, what);
}

static void compare_times(Case* c)
{
    rvChainTiming items[RV_CHAIN_MAX_ENGINES];
    for (int i = 0; i < c->count; i++)
        items[i] = (rvChainTiming){c->chain, c->engines[i], i ? PEER_STEP * c->limit : OUR_STEP, 0};
    rv_bench_progress(c->bench, "%d links, %g kg: time a step", c->chain.links, c->chain.loadMass);
    rv_chain_time(items, c->count, c->bench->quick ? 2 : 15);
    for (int i = 0; i < c->count; i++)
        c->times[i] = items[i].seconds;
    for (int i = 1; i < c->count; i++) {
        rvBenchRow r = row(c, "time a step of 1/60 s", "us", 1e6 * c->times[0], 1e6 * c->times[i], "");
        snprintf(r.source, sizeof(r.source), "%s, h = %.2g ms", c->engines[i]->name, 1e3 * items[i].h);
        if (c->chain.links == 100 && !strcmp(c->engines[i]->name, "ODE dWorldStep"))
            r = rv_bench_goal(r, RV_GOAL_RATIO_AT_MOST, 1.0 / 15.0);
        if (c->chain.links == 100 && !strcmp(c->engines[i]->name, "Bullet btMultiBody"))
            r = rv_bench_goal(r, RV_GOAL_RATIO_AT_MOST, 1.0);
        rv_bench_add(c->bench, r);
    }
}

// What ours does at 1/60 s, and how long peers hold the load at that step.
static rvChainRun show_ours(Case* c)
{
    rv_bench_progress(c->bench, "%d links, %g kg: at 1/60 s", c->chain.links, c->chain.loadMass);
    double duration = c->bench->quick ? 6.0 : HELD_TIME;
    rvChainRun ours = rv_chain_run(&c->chain, c->engines[0], OUR_STEP, duration, OFF);
    rvBenchRow held = row(c, "load held at h = 1/60 s", "s", ours.held, duration, "all of the run");
    rv_bench_add(c->bench, rv_bench_goal(held, RV_GOAL_RATIO_WITHIN, 0.001));
    for (int i = 1; i < c->count; i++) {
        if (c->times[i] * duration / OUR_STEP > 10.0)
            continue; // a single step of it takes longer than the rest of this run
        rvChainRun peer = rv_chain_run(&c->chain, c->engines[i], OUR_STEP, duration, OFF);
        rv_bench_add(c->bench, row(c, "load held at h = 1/60 s", "s", ours.held, peer.held, c->engines[i]->name));
    }
    rvBenchRow gap = row(c, "largest joint gap, h = 1/60 s", "mm", 1e3 * ours.gap, RV_NO_NUMBER, "");
    rv_bench_add(c->bench, rv_bench_goal(gap, RV_GOAL_OURS_AT_MOST, 1.0));
    return ours;
}

// The period: ours at 1/60 s against the closed form, and its error against that of peers at a step they can take.
static void compare_periods(Case* c, const rvChainRun* ours)
{
    if (c->chain.links * c->chain.linkMass > 0.2 * c->chain.loadMass)
        return; // too light a load to keep the chain straight
    double exact = rv_chain_period(&c->chain);
    rvBenchRow r = row(c, "period, h = 1/60 s", "s", ours->period, exact, "closed form, straight chain");
    rv_bench_add(c->bench, rv_bench_goal(r, RV_GOAL_RATIO_WITHIN, 0.005));
    double error = 100.0 * fabs(ours->period / exact - 1.0);
    double h = PEER_STEP * c->limit, duration = 0.8 * exact; // two crossings of the vertical
    for (int i = 1; i < c->count; i++) {
        const char* name = c->engines[i]->name;
        double cost = c->times[i] * duration / h;
        if (cost > 15.0) {
            rv_bench_leave_out(c->bench, name, "period of %d links, %g kg: takes %.0f s", c->chain.links,
                               c->chain.loadMass, cost);
            continue;
        }
        rv_bench_progress(c->bench, "%d links, %g kg: period in %s", c->chain.links, c->chain.loadMass, name);
        rvChainRun peer = rv_chain_run(&c->chain, c->engines[i], h, duration, OFF);
        rvBenchRow e = row(c, "error of the period", "%", error, 100.0 * fabs(peer.period / exact - 1.0), name);
        snprintf(e.source, sizeof(e.source), "%s, h = %.2g ms", name, 1e3 * h);
        rv_bench_add(c->bench, e);
        if (peer.gap > 0.0) {
            rvBenchRow g = row(c, "largest joint gap", "mm", 1e3 * ours->gap, 1e3 * peer.gap, "");
            snprintf(g.source, sizeof(g.source), "%s, h = %.2g ms%s", name, 1e3 * h,
                     peer.held < duration ? ", until it lost the load" : "");
            rv_bench_add(c->bench, g);
        }
    }
}

static void compare_largest_steps(Case* c)
{
    for (int i = 0; i < c->count; i++) {
        const char* name = c->engines[i]->name;
        double cost = i ? c->times[i] * 3.0 / c->limit : 0.0;
        c->largest[i] = RV_NO_NUMBER;
        if (cost > 6.0) {
            rv_bench_leave_out(c->bench, name, "largest step of %d links, %g kg: takes %.0f s a run", c->chain.links,
                               c->chain.loadMass, cost);
            continue;
        }
        rv_bench_progress(c->bench, "%d links, %g kg: largest step of %s", c->chain.links, c->chain.loadMass, name);
        c->largest[i] = rv_chain_largest_step(&c->chain, c->engines[i], 0.5 * c->limit, LARGEST_STEP);
    }
    rvBenchRow theory = row(c, "largest stable step", "ms", 1e3 * c->largest[0], 1e3 * c->limit,
                            "closed form without geometric stiffness");
    rv_bench_add(c->bench, rv_bench_goal(theory, RV_GOAL_OURS_AT_LEAST, 1000.0 / 60.0));
    for (int i = 1; i < c->count; i++) {
        if (c->times[i] * 3.0 / c->limit > 6.0)
            continue;
        rvBenchRow r = row(c, "largest stable step", "ms", 1e3 * c->largest[0], 1e3 * c->largest[i], "");
        snprintf(r.source, sizeof(r.source), "%s%s", c->engines[i]->name,
                 isfinite(c->largest[i]) ? "" : ": loses the load at half the limit too");
        rv_bench_add(c->bench, r);
    }
    // what a second of motion costs: ours at 1/60 s, a peer at its largest step
    for (int i = 1; i < c->count; i++)
        if (isfinite(c->largest[i]))
            rv_bench_add(c->bench, row(c, "time for a second of motion, stable", "ms", 60e3 * c->times[0],
                                       1e3 * c->times[i] / c->largest[i], c->engines[i]->name));
}

static void run_case(rvBench* bench, int links, double load)
{
    Case c = {.bench = bench, .chain = {links, 10.0, 0.1, load, 0.5}, .count = 1};
    c.limit = rv_chain_step_limit(&c.chain);
    c.engines[0] = &rv_chain_ours;
    const rvChainEngine* peers[RV_CHAIN_MAX_ENGINES];
    int peerCount = rv_chain_peers(peers, RV_CHAIN_MAX_ENGINES - 1);
    for (int i = 0; i < peerCount; i++) {
        if (links <= peers[i]->maxLinks)
            c.engines[c.count++] = peers[i];
        else
            rv_bench_leave_out(bench, peers[i]->name, "%d links: %s", links, peers[i]->whyLimit);
    }
    compare_times(&c);
    rvChainRun ours = show_ours(&c);
    compare_periods(&c, &ours);
    if (links <= 100)
        compare_largest_steps(&c);
}

// Ten times the links must not cost much more than ten times the time.
static void show_growth(rvBench* bench, double load)
{
    rv_bench_progress(bench, "1000 links against 100");
    rvChainTiming items[2] = {{{1000, 10.0, 0.1, load, 0.5}, &rv_chain_ours, OUR_STEP, 0},
                              {{100, 10.0, 0.1, load, 0.5}, &rv_chain_ours, OUR_STEP, 0}};
    rv_chain_time(items, 2, 40);
    rvBenchRow r = rv_bench_row("us", 1e6 * items[0].seconds, 1e6 * items[1].seconds, "ours with 100 links",
                                "1000 links, %g kg: time a step, growth", load);
    rv_bench_add(bench, rv_bench_goal(r, RV_GOAL_RATIO_AT_MOST, 12.0));
}

void rv_bench_solver(rvBench* bench)
{
    static const int sizes[] = {10, 24, 100, 1000};
    static const double loads[] = {100.0, 10000.0};
    const char* missing[RV_CHAIN_MAX_ENGINES];
    int missingCount = rv_chain_missing(missing, RV_CHAIN_MAX_ENGINES);
    for (int i = 0; i < missingCount; i++)
        rv_bench_leave_out(bench, missing[i], "not installed when this program was built");
    for (int k = 0; k < (bench->quick ? 1 : 2); k++) {
        for (int i = 0; i < (bench->quick ? 1 : 4); i++)
            run_case(bench, sizes[i], loads[k]);
        if (!bench->quick)
            show_growth(bench, loads[k]);
    }
}
