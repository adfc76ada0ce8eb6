// SPDX-License-Identifier: MIT
// Ranks, correlations and shares of variance against small cases that are known.
#include "check.h"

#include "sweep/statistic.h"

#include "support/random.h"

#include <stdlib.h>

static void EqualValuesShareTheirRank(void** state)
{
    (void)state;
    const double values[] = {3, 1, 3, 2};
    double ranks[4];
    assert_true(rv_ranks(values, 4, ranks));
    const double expected[] = {3.5, 1, 3.5, 2};
    for (int i = 0; i < 4; ++i)
        CHECK_NEAR(ranks[i], expected[i], 0.0);
}

static void MonotonicMeansARankCorrelationOfOne(void** state)
{
    (void)state;
    double x[50], y[50], rx[50], ry[50];
    for (int i = 0; i < 50; ++i) {
        x[i] = i;
        y[i] = -exp(0.3 * i);
    }
    assert_true(rv_ranks(x, 50, rx) && rv_ranks(y, 50, ry));
    CHECK_NEAR(rv_correlation(rx, ry, 50), -1.0, 1e-14);
    CHECK_NEAR(rv_correlation(rx, rx, 50), 1.0, 1e-14);
}

// Rank correlation of {1..5} and {2, 1, 4, 3, 5}: 1 - 6 * 4/(5 * 24) = 0.8.
static void SpearmansFormulaHolds(void** state)
{
    (void)state;
    const double a[] = {1, 2, 3, 4, 5}, b[] = {2, 1, 4, 3, 5};
    CHECK_NEAR(rv_correlation(a, b, 5), 0.8, 1e-14);
}

// y = 3 a + b + 0 c of uniform a, b, c: the shares of the variance are 0.9, 0.1 and 0.
static void SharesOfVarianceAreThoseOfALinearModel(void** state)
{
    (void)state;
    enum { N = 20000 };
    double *x[3], *y = malloc(N * sizeof *y), *ranks = malloc(N * sizeof *ranks);
    uint64_t seed = 4;
    for (int k = 0; k < 3; ++k)
        x[k] = malloc(N * sizeof **x);
    for (int i = 0; i < N; ++i) {
        for (int k = 0; k < 3; ++k)
            x[k][i] = rv_draw(&seed);
        y[i] = 3.0 * x[0][i] + x[1][i];
    }
    const double expected[] = {0.9, 0.1, 0.0};
    for (int k = 0; k < 3; ++k) {
        assert_true(rv_ranks(x[k], N, ranks));
        // standard deviation of the estimate is near 1/sqrt(N) = 0.007; 32 groups lose 1/32^2 = 0.001
        CHECK_NEAR(rv_first_order_index(ranks, y, N), expected[k], 0.02);
        free(x[k]);
    }
    free(y);
    free(ranks);
}

static void QuantilesAreStraightBetweenNeighbours(void** state)
{
    (void)state;
    const double sorted[] = {1, 2, 4, 8};
    CHECK_NEAR(rv_sorted_quantile(sorted, 4, 0.5), 3.0, 1e-15);
    CHECK_NEAR(rv_sorted_quantile(sorted, 4, 1.0), 8.0, 0.0);
    rvColumnStatistic s = rv_statistic(sorted, 4);
    CHECK_NEAR(s.mean, 3.75, 1e-15);
    CHECK_NEAR(s.deviation, sqrt((7.5625 + 3.0625 + 0.0625 + 18.0625) / 3.0), 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EqualValuesShareTheirRank),
        cmocka_unit_test(MonotonicMeansARankCorrelationOfOne),
        cmocka_unit_test(SpearmansFormulaHolds),
        cmocka_unit_test(SharesOfVarianceAreThoseOfALinearModel),
        cmocka_unit_test(QuantilesAreStraightBetweenNeighbours),
    };
    return RUN_TESTS(tests);
}
