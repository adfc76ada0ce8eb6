// SPDX-License-Identifier: MIT
// Streams of random numbers: equal for equal arguments, unrelated for neighbours.
#include "check.h"

#include "support/random.h"

static void AStreamIsTheSameEverywhere(void** state)
{
    (void)state;
    // splitmix64 of seed 0 begins so (Steele, Lea, Flood 2014; Vigna's reference code)
    assert_true(rv_random_mix(0) == 0xe220a8397b1dcdafull);
    uint64_t a = rv_random_stream(1, 2, 3), b = rv_random_stream(1, 2, 3);
    assert_true(a == b && rv_draw(&a) == rv_draw(&b));
}

static void EachArgumentCounts(void** state)
{
    (void)state;
    uint64_t seen[4 * 4 * 4];
    int count = 0;
    for (uint64_t i = 0; i < 64; ++i) {
        uint64_t stream = rv_random_stream(i / 16, i / 4 % 4, i % 4);
        for (int k = 0; k < count; ++k)
            assert_true(seen[k] != stream);
        seen[count++] = stream;
    }
}

// One bit of any argument changes about half of the bits of the stream's seed: of 64 x 100 trials the mean is off 32 by
// less than five standard deviations, 4/sqrt(trials).
static void OneBitChangesHalfOfTheSeed(void** state)
{
    (void)state;
    for (int argument = 0; argument < 3; ++argument) {
        long changed = 0;
        for (uint64_t trial = 0; trial < 100; ++trial) {
            for (int bit = 0; bit < 64; ++bit) {
                uint64_t at[3] = {trial, 7 * trial, trial + 5}, from = rv_random_stream(at[0], at[1], at[2]);
                at[argument] ^= 1ull << bit;
                changed += __builtin_popcountll(from ^ rv_random_stream(at[0], at[1], at[2]));
            }
        }
        CHECK_NEAR((double)changed / 6400.0, 32.0, 5.0 * 4.0 / sqrt(6400.0));
    }
}

// First draws of neighbouring runs and parameters are not correlated: |r| < 5/sqrt(n).
static void NeighboursAreNotCorrelated(void** state)
{
    (void)state;
    enum { N = 100000 };
    double mean = 0.0, square = 0.0, run = 0.0, parameter = 0.0;
    for (uint64_t i = 0; i < N; ++i) {
        uint64_t here = rv_random_stream(42, i, 0), next = rv_random_stream(42, i + 1, 0);
        uint64_t beside = rv_random_stream(42, i, 1);
        double x = rv_draw(&here) - 0.5;
        mean += x / N;
        square += 12.0 * x * x / N;
        run += 12.0 * x * (rv_draw(&next) - 0.5) / N;
        parameter += 12.0 * x * (rv_draw(&beside) - 0.5) / N;
    }
    CHECK_NEAR(mean, 0.0, 5.0 * sqrt(1.0 / 12.0 / N));
    CHECK_NEAR(square, 1.0, 5.0 * sqrt(0.8 / N)); // the variance of 12 x^2 is 4/5
    CHECK_NEAR(run, 0.0, 5.0 / sqrt((double)N));
    CHECK_NEAR(parameter, 0.0, 5.0 / sqrt((double)N));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(AStreamIsTheSameEverywhere),
        cmocka_unit_test(EachArgumentCounts),
        cmocka_unit_test(OneBitChangesHalfOfTheSeed),
        cmocka_unit_test(NeighboursAreNotCorrelated),
    };
    return RUN_TESTS(tests);
}
