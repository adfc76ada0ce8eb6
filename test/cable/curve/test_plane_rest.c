// SPDX-License-Identifier: MIT
#include "march.h"
#include "reference/curve_run.h"

#define PI 3.14159265358979323846

static void clamp(rvPlaneMotion* motion)
{
    motion->gravity = rv_vec2(0, 0);
    pin(motion);
    add_hold(motion, RV_HOLD_ANGLE, 0.0, 0.0);
}

static rvVec2 tip_of(int intervals, double load)
{
    rvMemory memory = {0};
    rvPlaneMotion motion;
    new_curve(&motion, &memory, intervals, 1.0, 1.0, 0, false);
    double q[MOST_UNKNOWNS] = {0};
    clamp(&motion);
    motion.loads[motion.loadCount++] = (rvPlaneLoad){.s = 1.0, .force = rv_vec2(0, load)};
    rvPlaneRest rest = rv_plane_find_rest(&motion, &memory, q);
    assert_true(rest.found && rest.stable);
    rvVec2 tip = motion.plane.nodes[intervals];
    rv_plane_motion_release(&motion, &memory);
    assert_true(memory.taken == 0);
    return tip;
}

// Elastica: cantilever of length 1, EI = 1 with a force P at its tip; v is the tip's deflection, u its way back. Known
// to five digits. The error of the curve falls with the square of the interval: two of them give the limit.
static void CantileverFollowsTheElastica(void** state)
{
    (void)state;
    static const double P[4] = {1, 2, 5, 10}, V[4] = {.30172, .49346, .71379, .81061},
                        U[4] = {.05643, .16064, .38763, .55500};
    for (int k = 0; k < 4; ++k) {
        rvVec2 coarse = tip_of(20, P[k]), fine = tip_of(40, P[k]);
        double least = P[k] / (12.0 * 1600 * 1600); // what is left is of fourth order; half a unit of the last digit
        CHECK_NEAR((4.0 * fine.y - coarse.y) / 3.0, V[k], 5e-6 + least);
        CHECK_NEAR(1.0 - (4.0 * fine.x - coarse.x) / 3.0, U[k], 5e-6 + least);
        CHECK_BELOW(fabs(fine.y - V[k]), 0.3 * fabs(coarse.y - V[k]) + 5e-6); // second order would be 0.25
    }
}

// A natural curvature of 2 pi closes a circle, without load.
static void NaturalCurvatureClosesACircle(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvPlaneMotion motion;
    new_curve(&motion, &memory, 20, 1.0, 1.0, 0, false);
    for (int i = 0; i < 20; ++i)
        motion.plane.parts[i].natural = 2.0 * PI;
    clamp(&motion);
    double q[MOST_UNKNOWNS] = {0};
    assert_true(rv_plane_find_rest(&motion, &memory, q).found);
    CHECK_NEAR(motion.plane.nodes[20].x, 0.0, 1e-9); // round-off of the balance; a uniform curvature is exact here
    CHECK_NEAR(motion.plane.nodes[20].y, 0.0, 1e-9);
    CHECK_NEAR(motion.plane.nodes[10].y, 1.0 / PI, 1e-9);
    rv_plane_motion_release(&motion, &memory);
}

// Euler: a pinned column of length 1, EI = 1 is straight and stable below pi^2, and not above.
static void ColumnBucklesAtEulersLoad(void** state)
{
    (void)state;
    for (int above = 0; above < 2; ++above) {
        rvMemory memory = {0};
        rvPlaneMotion motion;
        new_curve(&motion, &memory, 40, 1.0, 1.0, 0, false);
        motion.gravity = rv_vec2(0, 0);
        pin(&motion);
        add_hold(&motion, RV_HOLD_Y, 1.0, 0.0);
        double q[MOST_UNKNOWNS] = {0};
        // the grid's load is above pi^2 by (pi h)^2/12 of it at most, 5e-4
        motion.loads[motion.loadCount++] =
            (rvPlaneLoad){.s = 1.0, .force = rv_vec2(-PI * PI * (above ? 1.005 : 0.995), 0)};
        rvPlaneRest rest = rv_plane_find_rest(&motion, &memory, q);
        assert_true(rest.found);
        assert_true(rest.stable == !above);
        rv_plane_motion_release(&motion, &memory);
    }
}

// Both branches of an arch under its weight are found, each from its own side, and both are stable.
static void BranchIsThatOfTheStart(void** state)
{
    (void)state;
    for (int up = -1; up <= 1; up += 2) {
        rvMemory memory = {0};
        rvPlaneMotion motion;
        new_curve(&motion, &memory, 10, 10.0, 10.0, 0, false);
        pin(&motion);
        add_hold(&motion, RV_HOLD_ANGLE, 0.0, 0.0);
        add_hold(&motion, RV_HOLD_ANGLE, 1.0, 0.0);
        add_hold(&motion, RV_HOLD_X, 1.0, 0.6);
        add_hold(&motion, RV_HOLD_Y, 1.0, 0.0);
        double q[MOST_UNKNOWNS] = {0};
        for (int i = 0; i <= 10; ++i)
            q[2 + i] = up * sin(2.0 * PI * i / 10);
        rvPlaneRest rest = rv_plane_find_rest(&motion, &memory, q);
        assert_true(rest.found && rest.stable);
        assert_true(up * motion.plane.nodes[5].y > 0.2);
        rv_plane_motion_release(&motion, &memory);
    }
}

// A frequency by its number, from 0 on.
static double frequency(rvPlaneMotion* motion, const double* q, int number)
{
    double low = 0.0, high = 1e3;
    for (int i = 0; i < 50; ++i) {
        double middle = 0.5 * (low + high);
        *(rv_plane_slower(motion, q, middle) > number ? &high : &low) = middle;
    }
    return low;
}

// Cantilever of length 1, EI = 1, 1 kg/m: squares of 1.875104 and 4.694091. The curve is stiffer by (b/n)^2/12.
static void CantileverHasItsFrequencies(void** state)
{
    (void)state;
    static const double B[3] = {1.8751041, 4.6940911, 7.8547574};
    rvMemory memory = {0};
    rvPlaneMotion motion;
    enum { N = 40 };
    new_curve(&motion, &memory, N, 1.0, 1.0, 0, false);
    clamp(&motion);
    double q[MOST_UNKNOWNS] = {0};
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR(frequency(&motion, q, k) / (B[k] * B[k]), 1.0, B[k] * B[k] / (12.0 * N * N));
    rv_plane_motion_release(&motion, &memory);
}

// A chain that hangs from its end: j sqrt(g/L)/2 with j the zeros of Bessel's J0.
static void HangingChainHasItsFrequencies(void** state)
{
    (void)state;
    static const double J[3] = {2.4048256, 5.5200781, 8.6537279};
    rvMemory memory = {0};
    rvPlaneMotion motion;
    enum { N = 40 };
    new_curve(&motion, &memory, N, 1.0, 1e-7, 0, false);
    motion.gravity = rv_vec2(9.8, 0); // along it
    pin(&motion);
    double q[MOST_UNKNOWNS] = {0};
    // near the free end the shape turns within an interval: (j/2)^2/n of it, by the square of the interval there
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR(frequency(&motion, q, k) / (0.5 * J[k] * sqrt(9.8)), 1.0, J[k] * J[k] / (3.0 * N * N));
    rv_plane_motion_release(&motion, &memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CantileverFollowsTheElastica),  cmocka_unit_test(NaturalCurvatureClosesACircle),
        cmocka_unit_test(ColumnBucklesAtEulersLoad),     cmocka_unit_test(CantileverHasItsFrequencies),
        cmocka_unit_test(HangingChainHasItsFrequencies), cmocka_unit_test(BranchIsThatOfTheStart),
    };
    return RUN_TESTS(tests);
}
