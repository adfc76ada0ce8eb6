// SPDX-License-Identifier: MIT
// `reeve bench hosts`: the same crane in our own world and in other engines through the adapters of hosts/.
//
// A minute of driving: hoist, trolley, slewing, lowering, then free swing. And the largest step at which the crane
// hangs still: by the explicit law (masses unknown), whose limit has a closed form, and with the masses known.
#include "cases/hosts.h"

#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_STEP 0.1 // [s]

static const char* const hostNames[] = {"ODE", "MuJoCo", "Bullet"};

static void show_run(rvBench* bench, const char* name, const char* model, int rate, const rvCraneRun* run,
                     const rvCraneRun* ours)
{
    static const char own[] = "our own world";
    const struct {
        const char *what, *unit;
        double value, reference;
    } rows[] = {{"mean hook height", "m", run->meanHeight, ours->meanHeight},
                {"hook height at the end", "m", run->endHeight, ours->endHeight},
                {"period of the swing", "s", run->period, ours->period},
                {"mean tension of the hoist rope", "kN", 1e-3 * run->meanTension, 1e-3 * ours->meanTension}};
    for (int i = 0; i < 4; i++)
        rv_bench_add(bench, rv_bench_goal(rv_bench_row(rows[i].unit, rows[i].value, rows[i].reference, own,
                                                       "%s, %s, %d Hz: %s", name, model, rate, rows[i].what),
                                          RV_GOAL_RATIO_WITHIN, 0.01));
    rvBenchRow off = rv_bench_row("m", run->heightOff, RV_NO_NUMBER, "goal: 1 % of the hook's height",
                                  "%s, %s, %d Hz: hook height off by at most", name, model, rate);
    rv_bench_add(bench, rv_bench_goal(off, RV_GOAL_OURS_AT_MOST, 0.01 * ours->meanHeight));
    off = rv_bench_row("m", run->loadOff, RV_NO_NUMBER, "goal: 1 % of the drop from the jib",
                       "%s, %s, %d Hz: load off by at most", name, model, rate);
    rv_bench_add(bench, rv_bench_goal(off, RV_GOAL_OURS_AT_MOST, 0.01 * (RV_CRANE_HEIGHT - ours->meanHeight)));
}

// False: our own world cannot, or the others have no room for it.
static bool drive_all(rvBench* bench, rvCableModel model, int rate, rvCraneState* record)
{
    rvCraneSetup setup = {.h = 1.0 / rate, .model = model, .damping = 0.05, .known = true};
    const char* name = rvCableModel_Name(model);
    int count;
    const rvCraneEngine* const* engines = rv_crane_engines(&count);
    rvCraneRun ours = {0};
    for (int i = 0; i < count; i++) {
        rv_bench_progress(bench, "%s, %s, %d Hz", engines[i]->name, name, rate);
        rvCraneRun run = rv_crane_run(engines[i], &setup, record, i > 0);
        if (i == 0)
            ours = run;
        if (!ours.good) { // a model that cannot be reeved so
            if (ours.refused)
                rv_bench_leave_out(bench, name, "is not made to run over sheaves");
            else
                rv_bench_leave_out(bench, engines[0]->name, "%s, %d Hz: the run failed", name, rate);
            return false;
        }
        if (run.refused) { // a model that holds no bodies of other engines
            rv_bench_leave_out(bench, engines[i]->name, "%s, %d Hz: refuses the crane", name, rate);
            return false;
        }
        if (!run.good)
            rv_bench_leave_out(bench, engines[i]->name, "%s, %d Hz: the run failed", name, rate);
        else if (i > 0)
            show_run(bench, engines[i]->name, name, rate, &run, &ours);
    }
    return true;
}

// The explicit law has a closed form where the rope has no mass: for the first model.
static void show_steps(rvBench* bench, const rvCraneEngine* engine, rvCableModel model)
{
    rvCraneSetup setup = {.model = model, .damping = 0.0, .known = false};
    if (engine->explicitToo && model == 0) {
        double step = rv_crane_largest_step(engine, &setup, LONGEST_STEP);
        rvBenchRow row =
            rv_bench_row("ms", 1e3 * step, 1e3 * rv_crane_explicit_limit(), "closed form: 2/omega",
                         "%s, %s: largest stable step, explicit law", engine->name, rvCableModel_Name(model));
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_WITHIN, 0.02));
    }
    setup.known = true;
    double step = rv_crane_largest_step(engine, &setup, LONGEST_STEP);
    rvBenchRow row = rv_bench_row("ms", 1e3 * step, 1e3 / 60.0, "60 Hz; longer than 100 ms is not tried",
                                  "%s, %s: largest stable step, %s", engine->name, rvCableModel_Name(model),
                                  engine->explicitToo ? "masses known" : "rows");
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_LEAST, 1e3 / 60.0));
}

void rv_bench_hosts(rvBench* bench)
{
    int count;
    const rvCraneEngine* const* engines = rv_crane_engines(&count);
    for (int k = 0; k < 3; k++) {
        bool found = false;
        for (int i = 1; i < count; i++)
            found = found || !strcmp(engines[i]->name, hostNames[k]);
        if (!found)
            rv_bench_leave_out(bench, hostNames[k], "not installed");
    }
    rvCraneSetup finest = {.h = 1.0 / 240.0};
    rvCraneState* record = malloc((size_t)rv_crane_steps(&finest) * sizeof(*record));
    if (!record) {
        rv_bench_leave_out(bench, "Reeve", "no memory");
        return;
    }
    for (int model = 0; rvCableModel_Name((rvCableModel)model); model++) {
        if (!drive_all(bench, (rvCableModel)model, 60, record))
            continue;
        if (!bench->quick)
            drive_all(bench, (rvCableModel)model, 240, record);
        for (int i = 1; i < count; i++) {
            rv_bench_progress(bench, "%s, %s, largest step", engines[i]->name, rvCableModel_Name((rvCableModel)model));
            show_steps(bench, engines[i], (rvCableModel)model);
        }
    }
    free(record);
}
