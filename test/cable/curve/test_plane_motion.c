// SPDX-License-Identifier: MIT
#include "march.h"
#include "reference/curve_run.h"

#define PI 3.14159265358979323846

static void lay_flat(const rvPlaneMotion* motion, double* q)
{
    for (int i = 2; i < motion->plane.count; ++i)
        q[i] = PI;
    begin((rvPlaneMotion*)motion, q);
}

// A stiff pendulum from horizontal to vertical: 0.483580 s for a rigid rod of length 1, g = 9.8.
static void StiffCurveFallsAsARod(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvPlaneMotion motion;
    new_curve(&motion, &memory, 3, 1.0, 1e4, 0, false);
    pin(&motion);
    double q[MOST_UNKNOWNS] = {0}, v[MOST_UNKNOWNS] = {0}, t = 0.0, h = 2e-5, before = 0.0;
    lay_flat(&motion, q);
    do {
        before = motion.plane.nodes[3].x;
        march(&motion, h, q, v);
        t += h;
    } while (motion.plane.nodes[3].x < 0.0 && t < 1.0);
    double crossed = t - h * motion.plane.nodes[3].x / (motion.plane.nodes[3].x - before);
    CHECK_NEAR(crossed, 0.483580,
               2e-5); // it bends by weight/rigidity, 1e-3 of a radian, in turn at 1 kHz; six digits given
    rv_plane_motion_release(&motion, &memory);
    assert_true(memory.taken == 0);
}

static double energy_error(double h)
{
    rvMemory memory = {0};
    rvPlaneMotion motion;
    new_curve(&motion, &memory, 6, 1.0, 0.1, 0, false);
    pin(&motion);
    double q[MOST_UNKNOWNS] = {0}, v[MOST_UNKNOWNS] = {0};
    lay_flat(&motion, q);
    double start = rv_plane_motion_energy(&motion, q, v);
    for (int i = 0; i < (int)(0.5 / h + 0.5); ++i)
        march(&motion, h, q, v);
    double error = fabs(rv_plane_motion_energy(&motion, q, v) - start);
    rv_plane_motion_release(&motion, &memory);
    return error;
}

// The rule is of fourth order; what it loses of the energy falls with the fifth power of the step, or the fourth.
static void EnergyIsLostOnlyToTheStep(void** state)
{
    (void)state;
    double coarse = energy_error(1e-3), fine = energy_error(5e-4);
    CHECK_BELOW(fine, 1e-7);          // (h w)^5 of the fastest mode, 400/s, times its share of 2 J
    CHECK_BELOW(fine, coarse / 12.0); // fourth order would be 16
}

// Ends held apart: their forces carry the weight, and stay where they are asked to.
static void HoldsCarryTheWeight(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvPlaneMotion motion;
    new_curve(&motion, &memory, 10, 2.0, 0.5, 0, false);
    pin(&motion);
    add_hold(&motion, RV_HOLD_X, 1.0, 0.8);
    add_hold(&motion, RV_HOLD_Y, 1.0, 0.0);
    double q[MOST_UNKNOWNS] = {0}, v[MOST_UNKNOWNS] = {0}, a[MOST_UNKNOWNS];
    for (int i = 0; i <= 10; ++i)
        q[2 + i] = -1.0 + 0.2 * i;
    rvPlaneRest rest = rv_plane_find_rest(&motion, &memory, q);
    assert_true(rest.found && rest.stable);
    assert_true(rv_plane_motion_solve(&motion, q, v, a));
    CHECK_NEAR(motion.holds[1].force + motion.holds[3].force, 2.0 * 9.8, 1e-9); // round-off of the balance
    CHECK_NEAR(motion.holds[1].force, motion.holds[3].force, 1e-9);             // it hangs evenly
    CHECK_NEAR(motion.holds[0].force, -motion.holds[2].force, 1e-9);
    for (int i = 0; i < motion.plane.count; ++i)
        CHECK_NEAR(a[i], 0.0, 1e-6); // round-off of forces of 20 N over inertias of 1e-5 kg m^2
    rv_plane_motion_release(&motion, &memory);
}

// A hand that starts at once: the projection gives the velocities, and no point has an impulse but the held ones.
static void StartOfAHandIsAnImpulse(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvPlaneMotion motion;
    new_curve(&motion, &memory, 8, 1.0, 1.0, 0, false);
    pin(&motion);
    rvPlaneHold* hand = add_hold(&motion, RV_HOLD_X, 1.0, 0.7);
    add_hold(&motion, RV_HOLD_Y, 1.0, 0.0);
    double q[MOST_UNKNOWNS] = {0}, v[MOST_UNKNOWNS] = {0};
    for (int i = 0; i <= 8; ++i)
        q[2 + i] = 1.2 - 0.3 * i;
    assert_true(rv_plane_find_rest(&motion, &memory, q).found);
    hand->rate = -3.0;
    assert_true(rv_plane_motion_project(&motion, q, v));
    rvCurveSpot end = rv_plane_spot(&motion.plane, 1.0), start = rv_plane_spot(&motion.plane, 0.0);
    CHECK_NEAR(rv_plane_velocity(&motion.plane, v, &end).x, -3.0, 1e-12); // round-off
    CHECK_NEAR(rv_plane_velocity(&motion.plane, v, &end).y, 0.0, 1e-12);
    CHECK_NEAR(rv_plane_velocity(&motion.plane, v, &start).x, 0.0, 1e-12);
    // of all such velocities it has the least kinetic energy: any other in the null space of the holds costs more
    double least = rv_plane_kinetic_energy(&motion.plane, v);
    hand->rate = 0.0;
    double other[MOST_UNKNOWNS];
    for (int i = 0; i < motion.plane.count; ++i)
        other[i] = i % 3 - 1.0;
    assert_true(rv_plane_motion_project(&motion, q, other));
    for (int i = 0; i < motion.plane.count; ++i)
        other[i] = v[i] + 1e-3 * other[i];
    assert_true(rv_plane_kinetic_energy(&motion.plane, other) > least);
    rv_plane_motion_release(&motion, &memory);
}

// Holds that say the same thing twice do not fail.
static void RedundantHoldsAreTaken(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvPlaneMotion motion;
    new_curve(&motion, &memory, 5, 1.0, 1.0, 0, false);
    pin(&motion);
    pin(&motion);
    double q[MOST_UNKNOWNS] = {0}, v[MOST_UNKNOWNS] = {0};
    lay_flat(&motion, q);
    for (int i = 0; i < 100; ++i)
        march(&motion, 1e-3, q, v);
    assert_true(isfinite(q[3]));
    CHECK_NEAR(q[0], 0.0, 1e-12); // round-off
    rv_plane_motion_release(&motion, &memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(StiffCurveFallsAsARod),  cmocka_unit_test(EnergyIsLostOnlyToTheStep),
        cmocka_unit_test(HoldsCarryTheWeight),    cmocka_unit_test(StartOfAHandIsAnImpulse),
        cmocka_unit_test(RedundantHoldsAreTaken),
    };
    return RUN_TESTS(tests);
}
