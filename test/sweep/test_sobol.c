// SPDX-License-Identifier: MIT
// Sobol points against the first ones as they are published, and against what makes a sequence one of Sobol's.
#include "check.h"

#include "sweep/sobol.h"

#include <string.h>

// The first ten points in three dimensions, as on the page of Joe and Kuo's generator.
static void FirstPointsAreThePublishedOnes(void** state)
{
    (void)state;
    static const double points[10][3] = {{0, 0, 0},
                                         {0.5, 0.5, 0.5},
                                         {0.75, 0.25, 0.25},
                                         {0.25, 0.75, 0.75},
                                         {0.375, 0.375, 0.625},
                                         {0.875, 0.875, 0.125},
                                         {0.625, 0.125, 0.875},
                                         {0.125, 0.625, 0.375},
                                         {0.1875, 0.3125, 0.9375},
                                         {0.6875, 0.8125, 0.4375}};
    for (uint32_t i = 0; i < 10; ++i)
        for (int d = 0; d < 3; ++d)
            CHECK_NEAR((double)rv_sobol(i, d) * 0x1p-32, points[i][d], 0.0); // binary fractions: exact
}

// In each dimension the points 0..2^k - 1 fall into all 2^k intervals once: a mistyped m_i that is even or too large
// breaks it.
static void EachDimensionIsStratified(void** state)
{
    (void)state;
    enum { BITS = 12 };
    static unsigned char seen[1 << BITS];
    for (int d = 0; d < RV_SOBOL_DIMENSIONS; ++d) {
        memset(seen, 0, sizeof seen);
        for (uint32_t i = 0; i < 1u << BITS; ++i) {
            uint32_t cell = rv_sobol(i, d) >> (32 - BITS);
            assert_int_equal(seen[cell], 0);
            seen[cell] = 1;
        }
    }
}

// No two dimensions are the same: a row of the table that stands twice.
static void DimensionsDiffer(void** state)
{
    (void)state;
    for (int a = 0; a < RV_SOBOL_DIMENSIONS; ++a)
        for (int b = 0; b < a; ++b) {
            int equal = 0;
            for (uint32_t i = 1; i < 512; ++i)
                equal += rv_sobol(i, a) == rv_sobol(i, b);
            assert_true(equal < 256);
        }
}

// The mean of a smooth function converges by about 1/n, not by 1/sqrt(n): for prod (1 + (x_d - 1/2)/2) in ten
// dimensions the mean is 1. With n = 4096 random points the error would be some 0.007.
static void IntegratesBetterThanChance(void** state)
{
    (void)state;
    double sum = 0.0;
    for (uint32_t i = 0; i < 4096; ++i) {
        double product = 1.0;
        for (int d = 0; d < 10; ++d)
            product *= 1.0 + 0.5 * (((double)rv_sobol(i, d) + 0.5) * 0x1p-32 - 0.5);
        sum += product;
    }
    CHECK_NEAR(sum / 4096, 1.0, 7e-4); // ten times better than chance
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FirstPointsAreThePublishedOnes),
        cmocka_unit_test(EachDimensionIsStratified),
        cmocka_unit_test(DimensionsDiffer),
        cmocka_unit_test(IntegratesBetterThanChance),
    };
    return RUN_TESTS(tests);
}
