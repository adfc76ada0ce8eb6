// SPDX-License-Identifier: MIT
// Values over time.
#include "check.h"

#include "scene/curve.h"

// 0 until 1 s, a ramp to 2 at 3 s, a jump to 5 at 4 s
static double ramp[] = {1, 0, 3, 2, 4, 2, 4, 5};
static const rvCurve RAMP = {ramp, 4, 1};

static double at(double time)
{
    double value;
    rv_curve_at(&RAMP, time, &value);
    return value;
}

static void CurvesAreStraightBetweenTheirRows(void** state)
{
    (void)state;
    CHECK_NEAR(at(-5), 0.0, 0.0);    // the first row holds before it
    CHECK_NEAR(at(2), 1.0, 1e-15);   // rounding
    CHECK_NEAR(at(2.5), 1.5, 1e-15); // rounding
    CHECK_NEAR(at(3.9), 2.0, 1e-15); // rounding
    CHECK_NEAR(at(4), 5.0, 0.0);     // after a jump the later row counts
    CHECK_NEAR(at(1e9), 5.0, 0.0);   // the last row holds after it
}

static void MeansAreExactOverKinksAndJumps(void** state)
{
    (void)state;
    double mean;
    rv_curve_mean(&RAMP, 0, 5, &mean);
    CHECK_NEAR(mean, (0.0 + 2.0 + 2.0 + 5.0) / 5.0, 1e-15); // areas by hand; rounding
    rv_curve_mean(&RAMP, 3.9, 4.1, &mean);
    CHECK_NEAR(mean, 3.5, 1e-14); // half of 2, half of 5; rounding of 0.1
    rv_curve_mean(&RAMP, 2.0, 2.01, &mean);
    CHECK_NEAR(mean, 1.005, 1e-14); // the middle of a straight piece; rounding
}

static void QuaternionsTurnEvenly(void** state)
{
    (void)state;
    double half = sqrt(0.5);
    double rows[] = {0, 1, 0, 0, 0, 3, half, 0, 0, half}; // 90 degrees about z in 3 s
    rvCurve turn = {rows, 2, 4};
    double q[4];
    rv_curve_at(&turn, 1.0, q);
    CHECK_NEAR(q[0], cos(3.14159265358979 / 12.0), 1e-14); // 30 degrees; rounding
    CHECK_NEAR(q[3], sin(3.14159265358979 / 12.0), 1e-14); // 30 degrees; rounding
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CurvesAreStraightBetweenTheirRows),
        cmocka_unit_test(MeansAreExactOverKinksAndJumps),
        cmocka_unit_test(QuaternionsTurnEvenly),
    };
    return RUN_TESTS(tests);
}
