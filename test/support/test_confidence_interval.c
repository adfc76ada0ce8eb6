// SPDX-License-Identifier: MIT
// Clopper-Pearson intervals against published values, closed forms and the sums that define them.
#include "check.h"

#include "support/interval.h"

static void check_interval(long hits, long runs, double confidence, double low, double high, double tolerance)
{
    double l, h;
    assert_true(rv_clopper_pearson(hits, runs, confidence, &l, &h));
    CHECK_NEAR(l, low, tolerance);
    CHECK_NEAR(h, high, tolerance);
}

static void IntervalsAreThoseOfPublishedTables(void** state)
{
    (void)state;
    // Conover, Practical Nonparametric Statistics (1971), p. 97, as the manual of R's binom.test prints it
    check_interval(682, 925, 0.95, 0.7076683, 0.7654066, 5e-8); // seven digits are printed
    // Clopper and Pearson, Biometrika 26 (1934), n = 10: read off to three digits
    check_interval(0, 10, 0.95, 0.000, 0.308, 6e-4);
    check_interval(3, 10, 0.95, 0.067, 0.652, 6e-4);
    check_interval(5, 10, 0.95, 0.187, 0.813, 6e-4);
    check_interval(5, 10, 0.99, 0.128, 0.872, 6e-4);
}

static void NoHitsAndNothingButHitsHaveClosedForms(void** state)
{
    (void)state;
    static const long runs[] = {1, 2, 10, 1000, 1000000, 1000000000};
    for (int i = 0; i < 6; ++i) {
        double n = (double)runs[i], low, high;
        double miss = -expm1(log(0.025) / n); // 1 - 0.025^(1/n)
        assert_true(rv_clopper_pearson(0, runs[i], 0.95, &low, &high));
        assert_true(low == 0.0);
        CHECK_NEAR(high / miss, 1.0, 1e-13 + 1e-16 / miss); // 1 - p is rounded to 1e-16
        assert_true(rv_clopper_pearson(runs[i], runs[i], 0.95, &low, &high));
        CHECK_NEAR(low, exp(log(0.025) / n), 1e-13);
        assert_true(high == 1.0);
    }
}

// P(X >= k) by its terms, in extended precision.
static double tail(long k, long n, double p)
{
    long double term = powl(1.0L - (long double)p, n), sum = 0.0L;
    for (long i = 0; i <= n; ++i) {
        sum += i >= k ? term : 0.0L;
        term *= (long double)(n - i) / (long double)(i + 1) * (long double)p / (1.0L - (long double)p);
    }
    return (double)sum;
}

static void EndsCutOffEqualTails(void** state)
{
    (void)state;
    static const double confidences[] = {0.5, 0.9, 0.95, 0.999};
    static const long runs[] = {3, 20, 100, 1000};
    for (int i = 0; i < 4; ++i) {
        for (int c = 0; c < 4; ++c) {
            for (long hits = 1; hits < runs[i]; hits += 1 + runs[i] / 9) {
                double low, high, share = 0.5 * (1.0 - confidences[c]);
                assert_true(rv_clopper_pearson(hits, runs[i], confidences[c], &low, &high));
                // a rounding of p changes the tail by up to n/sqrt(n p q) of it
                CHECK_NEAR(tail(hits, runs[i], low) / share, 1.0, 1e-11);
                CHECK_NEAR((1.0 - tail(hits + 1, runs[i], high)) / share, 1.0, 1e-11);
            }
        }
    }
}

// Against the normal limit: half the width is 1.96 sqrt(p q/n) up to terms of 1/n.
static void MillionsOfRunsAgreeWithTheNormalLimit(void** state)
{
    (void)state;
    static const long runs[] = {10000000, 1000000000};
    for (int i = 0; i < 2; ++i) {
        double n = (double)runs[i], low, high, half = 1.959963984540054 * sqrt(0.3 * 0.7 / n);
        assert_true(rv_clopper_pearson(3 * runs[i] / 10, runs[i], 0.95, &low, &high));
        CHECK_NEAR(low, 0.3 - half, 3.0 / n);
        CHECK_NEAR(high, 0.3 + half, 3.0 / n);
    }
}

static void WhatIsNoCountIsRefused(void** state)
{
    (void)state;
    double low, high;
    assert_false(rv_clopper_pearson(0, 0, 0.95, &low, &high));
    assert_false(rv_clopper_pearson(-1, 5, 0.95, &low, &high));
    assert_false(rv_clopper_pearson(6, 5, 0.95, &low, &high));
    assert_false(rv_clopper_pearson(1, 5, 0.0, &low, &high));
    assert_false(rv_clopper_pearson(1, 5, 1.0, &low, &high));
    assert_false(rv_clopper_pearson(1, 5, (double)NAN, &low, &high));
    assert_true(low == 0.0 && high == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(IntervalsAreThoseOfPublishedTables),
        cmocka_unit_test(NoHitsAndNothingButHitsHaveClosedForms),
        cmocka_unit_test(EndsCutOffEqualTails),
        cmocka_unit_test(MillionsOfRunsAgreeWithTheNormalLimit),
        cmocka_unit_test(WhatIsNoCountIsRefused),
    };
    return RUN_TESTS(tests);
}
