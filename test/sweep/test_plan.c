// SPDX-License-Identifier: MIT
// Plans: what a run gets depends on its number alone, and is spread as the plan says.
#include "study_text.h"
#include "sweep/plan.h"

#define FIGURES "figures: {peak: {max: rope.tension}}\n"

static void PermutationsTakeEachNumberOnce(void** state)
{
    (void)state;
    static const uint64_t counts[] = {1, 2, 3, 7, 64, 1000, 4097};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; ++k) {
        char seen[5000] = {0};
        int moved = 0;
        for (uint64_t i = 0; i < counts[k]; ++i) {
            uint64_t j = rv_permute(i, counts[k], 99);
            assert_true(j < counts[k]);
            assert_int_equal(seen[j], 0);
            seen[j] = 1;
            moved += i != j;
        }
        assert_true(counts[k] < 64 || moved > (int)counts[k] / 2);
        assert_true(counts[k] < 1000 || rv_permute(5, counts[k], 1) != rv_permute(5, counts[k], 2) ||
                    rv_permute(6, counts[k], 1) != rv_permute(6, counts[k], 2));
    }
}

static void AGridTakesEveryCombinationOnceAndTheLastFastest(void** state)
{
    (void)state;
    rvStudy* study = good_study("repeat: 2\nvary:\n  bodies.load.mass: [1 t, 2 t, 3 t]\n"
                                "  cables.rope.damping: {from: 10 ms, to: 50 ms, steps: 5}\n"
                                "  cables.rope.model: [massless, layered]\n" FIGURES);
    assert_int_equal(study->runCount, 3 * 5 * 2 * 2);
    for (int64_t run = 0; run < study->runCount; ++run) {
        int64_t point = run / 2;
        CHECK_NEAR(rv_plan_draw(study, run, 0).number, 1.0 + (double)(point / 10), 0.0);
        CHECK_NEAR(rv_plan_draw(study, run, 1).number, 10.0 + 10.0 * (double)(point / 2 % 5), 1e-14);
        assert_int_equal(rv_plan_draw(study, run, 2).level, point % 2);
    }
    rvSets sets = {0};
    rv_plan_sets(study, 59, &sets);
    assert_int_equal(sets.count, 3);
    assert_string_equal(sets.items[0], "bodies.load.mass=3 t");
    assert_string_equal(sets.items[1], "cables.rope.damping=50 ms");
    assert_string_equal(sets.items[2], "cables.rope.model=layered");
    rv_sets_release(&sets);
    rv_study_free(study);
}

// Latin hypercube: each of the n strata of each parameter once.
static void ALatinHypercubeHasEachStratumOnce(void** state)
{
    (void)state;
    rvStudy* study = good_study("plan: latin\nruns: 500\nvary:\n  bodies.load.mass: {from: 0 t, to: 500 t}\n"
                                "  bodies.ball.mass: {uniform: {from: 100, to: 600}}\n" FIGURES);
    for (int p = 0; p < 2; ++p) {
        char seen[500] = {0};
        for (int64_t run = 0; run < 500; ++run) {
            int stratum = (int)(rv_plan_draw(study, run, p).number - (p ? 100.0 : 0.0));
            assert_true(stratum >= 0 && stratum < 500);
            assert_int_equal(seen[stratum], 0);
            seen[stratum] = 1;
        }
    }
    rv_study_free(study);
}

// Means and deviations of 4000 draws: within four standard errors of the distribution's own.
static void RandomDrawsHaveTheirMeanAndDeviation(void** state)
{
    (void)state;
    enum { N = 4000 };
    rvStudy* study = good_study("plan: random\nruns: 4000\nvary:\n"
                                "  bodies.load.mass: {normal: {mean: 20 t, deviation: 1 t}}\n"
                                "  bodies.ball.mass: {lognormal: {mean: 5, deviation: 2}}\n"
                                "  cables.rope.damping: {weibull: {scale: 50 ms, shape: 2}}\n" FIGURES);
    const double mean[] = {20.0, 5.0, 50.0 * tgamma(1.5)};
    const double deviation[] = {1.0, 2.0, 50.0 * sqrt(1.0 - tgamma(1.5) * tgamma(1.5))};
    for (int p = 0; p < 3; ++p) {
        double sum = 0.0, squares = 0.0;
        for (int64_t run = 0; run < N; ++run) {
            double x = rv_plan_draw(study, run, p).number;
            sum += x;
            squares += (x - mean[p]) * (x - mean[p]);
        }
        CHECK_NEAR(sum / N, mean[p], 4.0 * deviation[p] / sqrt(N));
        // the deviation's own error is larger for skew distributions: kurtosis of the lognormal here is some 11
        CHECK_NEAR(sqrt(squares / N), deviation[p], 4.0 * deviation[p] * sqrt(11.0 / 4.0 / N));
    }
    rv_study_free(study);
}

// A parameter keeps its draws when others come or go, or stand in another order.
static void DrawsDoNotDependOnOtherParameters(void** state)
{
    (void)state;
    static const char* const plans[] = {"random", "latin"};
    for (int i = 0; i < 2; ++i) {
        char alone[500], beside[700];
        snprintf(alone, sizeof alone,
                 "plan: %s\nruns: 50\nvary:\n  bodies.load.mass: {normal: {mean: 20 t, deviation: 1 t}}\n" FIGURES,
                 plans[i]);
        snprintf(beside, sizeof beside,
                 "plan: %s\nruns: 50\nvary:\n  cables.rope.damping: {uniform: {from: 1 ms, to: 9 ms}}\n"
                 "  bodies.load.mass: {normal: {mean: 20 t, deviation: 1 t}}\n" FIGURES,
                 plans[i]);
        rvStudy *one = good_study(alone), *two = good_study(beside);
        for (int64_t run = 0; run < 50; ++run)
            CHECK_NEAR(rv_plan_draw(one, run, 0).number, rv_plan_draw(two, run, 1).number, 0.0);
        rv_study_free(one);
        rv_study_free(two);
    }
}

static void AnotherSeedDrawsOthers(void** state)
{
    (void)state;
    static const char* const plans[] = {"random", "latin", "sobol"};
    for (int i = 0; i < 3; ++i) {
        double first[2][8];
        for (int seed = 0; seed < 2; ++seed) {
            char text[500];
            snprintf(text, sizeof text,
                     "plan: %s\nruns: 8\nseed: %d\nvary: {bodies.load.mass: {uniform: {from: 1 t, to: 2 t}}}\n" FIGURES,
                     plans[i], seed);
            rvStudy* study = good_study(text);
            for (int64_t run = 0; run < 8; ++run)
                first[seed][run] = rv_plan_draw(study, run, 0).number;
            rv_study_free(study);
        }
        int equal = 0;
        for (int k = 0; k < 8; ++k)
            equal += first[0][k] == first[1][k];
        assert_true(equal < 4);
    }
}

static void DelaysAndFactorsChangeATableTogether(void** state)
{
    (void)state;
    rvStudy* study = good_study("vary:\n  late: {delay: rope.winch_speed, values: [250 ms]}\n"
                                "  fast: {scale: commands.rope.winch_speed, values: [2]}\n"
                                "  point: {path: bodies.load.position, as: \"[{}, 0, {}]\", values: [1.5]}\n" FIGURES);
    rvSets sets = {0};
    rv_plan_sets(study, 0, &sets);
    assert_int_equal(sets.count, 2);
    assert_string_equal(sets.items[0], "commands.rope.winch_speed=[[0.25, 0], [0.45, 0], [0.75, -1]]");
    assert_string_equal(sets.items[1], "bodies.load.position=[1.5, 0, 1.5]");
    rv_sets_release(&sets);
    rv_study_free(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PermutationsTakeEachNumberOnce),
        cmocka_unit_test(AGridTakesEveryCombinationOnceAndTheLastFastest),
        cmocka_unit_test(ALatinHypercubeHasEachStratumOnce),
        cmocka_unit_test(RandomDrawsHaveTheirMeanAndDeviation),
        cmocka_unit_test(DrawsDoNotDependOnOtherParameters),
        cmocka_unit_test(AnotherSeedDrawsOthers),
        cmocka_unit_test(DelaysAndFactorsChangeATableTogether),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
