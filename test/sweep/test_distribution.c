// SPDX-License-Identifier: MIT
// Quantiles against tables and closed forms.
#include "check.h"

#include "sweep/distribution.h"

static rvDistribution make(rvVaryKind kind, double a, double b)
{
    return (rvDistribution){.kind = kind, .a = a, .b = b, .lower = -HUGE_VAL, .upper = HUGE_VAL};
}

// Quantiles of the standard normal distribution to 15 digits (any statistics table has the first five).
static void NormalQuantilesAreThoseOfTables(void** state)
{
    (void)state;
    CHECK_NEAR(rv_normal_quantile(0.5), 0.0, 1e-15);
    CHECK_NEAR(rv_normal_quantile(0.975), 1.95996398454005, 1e-13);
    CHECK_NEAR(rv_normal_quantile(0.025), -1.95996398454005, 1e-13);
    CHECK_NEAR(rv_normal_quantile(0.999), 3.09023230616781, 1e-12);
    CHECK_NEAR(rv_normal_quantile(1e-10), -6.36134090240406, 1e-12);
}

// F(F^-1(u)) = u in both tails, for every distribution.
static void QuantileAndShareAreInverse(void** state)
{
    (void)state;
    const rvDistribution all[] = {make(RV_VARY_UNIFORM, -2, 5), make(RV_VARY_NORMAL, 3, 0.5),
                                  make(RV_VARY_LOGNORMAL, 0.1, 0.7), make(RV_VARY_WEIBULL, 8, 2.2)};
    const double shares[] = {1e-6, 0.01, 0.3, 0.5, 0.9, 0.9999};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        for (size_t k = 0; k < sizeof shares / sizeof shares[0]; ++k)
            // rounding of x is amplified by the density: some 1e-14
            CHECK_NEAR(rv_distribution_share(&all[i], rv_quantile(&all[i], shares[k])), shares[k], 1e-13);
}

static void WeibullScaleIsWhat63PercentStayBelow(void** state)
{
    (void)state;
    rvDistribution wind = make(RV_VARY_WEIBULL, 8.0, 2.0);
    CHECK_NEAR(rv_distribution_share(&wind, 8.0), 1.0 - exp(-1.0), 1e-15);
    CHECK_NEAR(rv_quantile(&wind, 1.0 - exp(-4.0)), 16.0, 1e-12); // (x/8)^2 = 4
}

static void TruncatedDrawsStayInside(void** state)
{
    (void)state;
    rvDistribution mass = make(RV_VARY_NORMAL, 1.0, 1.0);
    mass.lower = 0.5;
    mass.upper = 1.2;
    CHECK_NEAR(rv_quantile(&mass, 1e-12), 0.5, 1e-9);
    CHECK_NEAR(rv_quantile(&mass, 1.0 - 1e-12), 1.2, 1e-9);
    double low = rv_distribution_share(&mass, 0.5), high = rv_distribution_share(&mass, 1.2);
    CHECK_NEAR(rv_distribution_share(&mass, rv_quantile(&mass, 0.25)), low + 0.25 * (high - low), 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(NormalQuantilesAreThoseOfTables),
        cmocka_unit_test(QuantileAndShareAreInverse),
        cmocka_unit_test(WeibullScaleIsWhat63PercentStayBelow),
        cmocka_unit_test(TruncatedDrawsStayInside),
    };
    return RUN_TESTS(tests);
}
