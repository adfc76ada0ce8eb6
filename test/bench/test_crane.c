// SPDX-License-Identifier: MIT
// One crane in our own world and in every other engine that is compiled in: what `reeve bench hosts` shows must hold.
#include "bench.h"
#include "cases/hosts.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

// A minute of driving. The engines' own joints hold to millimetres over the jib's 40 m, and their motors lag by a step;
// one part in a hundred is what is asked for, a tenth of that leaves room for both.
static void check_minute(const rvCraneEngine* engine, const rvCraneSetup* setup, const rvCraneRun* ours,
                         rvCraneState* record)
{
    rvCraneRun run = rv_crane_run(engine, setup, record, true);
    if (run.refused && setup->model > 0) // a model that holds no bodies of another engine
        return;
    assert_true(run.good);
    CHECK_NEAR(run.meanHeight, ours->meanHeight, 1e-3 * ours->meanHeight);
    CHECK_NEAR(run.endHeight, ours->endHeight, 1e-3 * ours->endHeight);
    CHECK_NEAR(run.period, ours->period, 1e-3 * ours->period);
    CHECK_NEAR(run.meanTension, ours->meanTension, 1e-3 * ours->meanTension);
    CHECK_NEAR(run.heightOff, 0.0, 1e-3 * ours->meanHeight);
    CHECK_NEAR(run.loadOff, 0.0, 1e-2 * (RV_CRANE_HEIGHT - ours->meanHeight)); // slewing and swing out of phase count
}

// It was driven: 5.5 m up and 3.6 m down on two falls, and swings as a pendulum of its drop.
static void check_ours(const rvCraneRun* ours, const rvCraneState* last)
{
    assert_true(ours->good);
    CHECK_NEAR(ours->endHeight, 15.0 + 5.5 - 3.6, 0.01); // stretch by swinging: m v^2/l over the stiffness
    double drop = RV_CRANE_HEIGHT - last->at[RV_CRANE_LOAD].z;
    // the sheaves of the trolley and the double pendulum's hook shorten it a little: 0.25 m of 27, and 400 kg of 4400
    CHECK_NEAR(ours->period, 6.283185307179586 * sqrt(drop / RV_CRANE_GRAVITY), 0.01 * ours->period);
    // mean over slow swings: half a percent; and up to 80 kg of rope in the falls of a model that counts its mass
    CHECK_NEAR(ours->meanTension, 0.5 * 4440.0 * RV_CRANE_GRAVITY, 0.014 * ours->meanTension);
}

static void CraneMovesAlikeInEveryEngineWithEveryModel(void** state)
{
    (void)state;
    rvCraneSetup setup = {.h = 1.0 / 60.0, .damping = 0.05, .known = true};
    int steps = rv_crane_steps(&setup), count;
    rvCraneState* record = malloc((size_t)steps * sizeof(*record));
    assert_non_null(record);
    const rvCraneEngine* const* engines = rv_crane_engines(&count);
    for (int model = 0; rvCableModel_Name((rvCableModel)model); model++) {
        setup.model = (rvCableModel)model;
        rvCraneRun ours = rv_crane_run(engines[0], &setup, record, false);
        if (ours.refused && model > 0) // a model that cannot be reeved so
            continue;
        check_ours(&ours, &record[steps - 1]);
        for (int i = 1; i < count; i++) {
            print_message("%s, %s\n", rvCableModel_Name(setup.model), engines[i]->name);
            check_minute(engines[i], &setup, &ours, record);
        }
    }
    free(record);
}

// At 60 Hz the explicit law flings the load away; its limit is that of leapfrog. With the masses told any step will do,
// but for rope that flows in a host's own solver.
static void ExplicitLawExplodesAtSixtyHertzWhereKnownMassesHold(void** state)
{
    (void)state;
    int count;
    const rvCraneEngine* const* engines = rv_crane_engines(&count);
    double limit = rv_crane_explicit_limit();
    assert_true(limit < 1.0 / 60.0);
    for (int i = 1; i < count; i++) {
        rvCraneSetup setup = {.damping = 0.0, .known = false};
        // bisection to 1e-3; growth from round-off must reach a metre within ten seconds: another 1e-3
        if (engines[i]->explicitToo)
            CHECK_NEAR(rv_crane_largest_step(engines[i], &setup, 1.0 / 60.0), limit, 5e-3 * limit);
        setup.known = true;
        for (int model = 0; rvCableModel_Name((rvCableModel)model); model++) {
            setup.model = (rvCableModel)model;
            setup.h = 0.1;
            void* crane = engines[i]->create(&setup);
            if (!crane && model > 0)
                continue;
            engines[i]->destroy(crane);
            // A host that solves rows itself is given them once a step: there is no second pass for what the linear
            // rows of elements leave out, so their rope has a longest step there
            bool once = !engines[i]->explicitToo && model == RV_CABLE_ALE;
            double most = once ? 1.0 / 60.0 : 0.1;
            CHECK_NEAR(rv_crane_largest_step(engines[i], &setup, most), most, 0.0);
        }
    }
}

static void BenchShowsIt(void** state)
{
    (void)state;
    int count;
    const rvBenchEntry* entries = rv_bench_entries(&count);
    for (int i = 0; i < count; i++) {
        if (strcmp(entries[i].name, "hosts") != 0)
            continue;
        rvBench bench = rv_bench_run(&entries[i], true, 0, false, NULL);
        int engines;
        rv_crane_engines(&engines);
        assert_true(bench.rowCount >= 7 * (engines - 1));
        int models = 0;
        while (rvCableModel_Name((rvCableModel)models))
            models++;
        // engines that are not compiled in, and models but the first two: their material does not run over sheaves
        assert_true(bench.leftOutCount <= 3 + models - 2);
        for (int k = 0; k < bench.leftOutCount; k++) // which is no failure of ours
            assert_string_not_equal(bench.leftOut[k].peer, "Reeve");
        for (int k = 0; k < bench.rowCount; k++)
            assert_int_equal(rv_bench_holds(&bench.rows[k]), 1);
        rv_bench_release(&bench);
        return;
    }
    fail();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CraneMovesAlikeInEveryEngineWithEveryModel),
        cmocka_unit_test(ExplicitLawExplodesAtSixtyHertzWhereKnownMassesHold),
        cmocka_unit_test(BenchShowsIt),
    };
    return RUN_TESTS(tests);
}
