// SPDX-License-Identifier: MIT
// Water on ANCF cables: drag, added mass and buoyancy against their formulas, derivatives, steady motion.
#include "ancf_rig.h"

static const rvAncfWater SEA = {.on = true,
                                .level = 100.0,
                                .density = 1000.0,
                                .normalDrag = 1.2,
                                .tangentDrag = 0.02,
                                .addedMass = 0.8,
                                .implicitDrag = true};

static rvAncf* wet_cable(int n, rvAncfWater water, rvVec3 gravity)
{
    rvAncfElement e[12];
    for (int i = 0; i < n; i++)
        e[i] = (rvAncfElement){.length = 1.0 / n, .EA = 1e4, .EI = 0.1, .massPerLength = 0.4, .diameter = 0.02};
    rvAncf* cable = rig_of(&(rvAncfDef){.elementCount = n, .elements = e, .gravity = gravity, .water = water});
    return cable;
}

static void push(rvAncf* cable, rvVec3 speed)
{
    for (int i = 0; i < cable->nodeCount; i++) {
        cable->v[6 * i] = speed.x;
        cable->v[6 * i + 1] = speed.y;
        cable->v[6 * i + 2] = speed.z;
    }
}

static rvVec3 sum_of(const rvAncf* cable, const double* force)
{
    rvVec3 sum = rvVec(0, 0, 0);
    for (int i = 0; i < cable->nodeCount; i++)
        sum = rvAdd(sum, rvVec(force[6 * i], force[6 * i + 1], force[6 * i + 2]));
    return sum;
}

static void DragIsMorisons(void** state)
{
    (void)state;
    rvAncf* cable = wet_cable(4, SEA, rvVec(0, 0, 0));
    rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(1, 0, 0));
    push(cable, rvVec(0.7, -0.3, 0.4));
    rv_ancf_water_update(cable, cable->q);
    double* force = cable->work[0];
    memset(force, 0, 32 * sizeof(double));
    rv_ancf_water_force(cable, cable->q, cable->v, force);
    rvVec3 drag = sum_of(cable, force);
    // 1/2 rho d (C_n |v_n| v_n + pi C_t |v_t| v_t), |v_n| = 0.5, rho d/2 = 10; rounding
    CHECK_NEAR(drag.x, -10.0 * PI * 0.02 * 0.49, 1e-12);
    CHECK_NEAR(drag.y, 10.0 * 1.2 * 0.5 * 0.3, 1e-12);
    CHECK_NEAR(drag.z, -10.0 * 1.2 * 0.5 * 0.4, 1e-12);
    rv_ancf_destroy(cable);
}

static void CurrentsDragAsMotionDoes(void** state)
{
    (void)state;
    static const rvAncfCurrent currents[] = {{-2.0, {1.0, 0, 0}}, {0.0, {2.0, 0.5, 0}}};
    rvAncfWater water = SEA;
    water.currents = currents;
    water.currentCount = 2;
    rvAncf* cable = wet_cable(3, water, rvVec(0, 0, 0));
    rv_ancf_lay_straight(cable, rvVec(0, 0, -1), rvVec(0, 1, 0)); // half way: 1.5, 0.25
    push(cable, rvVec(1.5, 0.25, 0));
    rv_ancf_water_update(cable, cable->q);
    double* force = cable->work[0];
    memset(force, 0, 24 * sizeof(double));
    rv_ancf_water_force(cable, cable->q, cable->v, force);
    CHECK_NEAR(rvLength(sum_of(cable, force)), 0.0, 1e-12); // moves with the water; rounding
    rv_ancf_destroy(cable);
}

static void DragMatrixIsTheDerivative(void** state)
{
    (void)state;
    rvAncf* cable = wet_cable(3, SEA, rvVec(0, 0, -9.81));
    rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(1, 0.3, -0.5));
    rig_shake(cable, 0.1, 4u);
    rv_ancf_water_update(cable, cable->q);
    double step = 1e-6, *above = cable->work[0], *below = cable->work[1], *x = cable->work[2], *y = cable->work[3];
    for (int i = 0; i < cable->dofCount; i++) {
        double at = cable->v[i];
        cable->v[i] = at + step;
        rv_ancf_force(cable, cable->q, cable->v, above);
        cable->v[i] = at - step;
        rv_ancf_force(cable, cable->q, cable->v, below);
        cable->v[i] = at;
        memset(x, 0, 30 * sizeof(double));
        x[i] = 1.0;
        rv_ancf_damping_product(cable, cable->q, cable->v, x, y);
        for (int k = 0; k < cable->dofCount; k++)
            CHECK_NEAR(-(above[k] - below[k]) / (2.0 * step), y[k], 1e-6); // forces of 1e3 to 16 digits, by step
        rv_ancf_linearise(cable, cable->q, cable->v, &(rvAncfWish){.dampFactor = 1.0, .massFactor = 2.0}, above);
        rv_ancf_slot_product(cable, cable->slots, x, below);
        rv_ancf_linearise(cable, cable->q, cable->v, &(rvAncfWish){0}, above);
        rv_ancf_slot_product(cable, cable->slots, x, above);
        double* mass = cable->work[4];
        rv_ancf_mass_product(cable, x, mass);
        for (int k = 0; k < cable->dofCount; k++)
            CHECK_NEAR(below[k], above[k] + y[k] + 2.0 * mass[k], 1e-7); // rounding of a stiffness of 1e6
    }
    rv_ancf_destroy(cable);
}

static void AddedMassActsAcrossTheCable(void** state)
{
    (void)state;
    rvAncf* cable = wet_cable(4, SEA, rvVec(0, 0, 0));
    rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(0, 1, 0));
    rv_ancf_water_update(cable, cable->q);
    push(cable, rvVec(1, 1, 1));
    rvVec3 p = rv_ancf_momentum(cable);
    double added = 1000.0 * 0.8 * PI * 1e-4;
    CHECK_NEAR(p.x, 0.4 + added, 1e-12); // rounding, here and below
    CHECK_NEAR(p.y, 0.4, 1e-12);
    CHECK_NEAR(p.z, 0.4 + added, 1e-12);
    rv_ancf_destroy(cable);
}

static void BuoyancyIsTheGradientOfItsEnergy(void** state)
{
    (void)state;
    rvAncfWater water = SEA;
    water.level = 0.0;
    rvAncf* cable = wet_cable(5, water, rvVec(0, 0, -9.81));
    for (int k = 0; k < 3; k++) { // above, across and below the surface
        rv_ancf_lay_straight(cable, rvVec(0, 0, 0.008 - 0.008 * k), rvVec(1, 0, 1e-3));
        double step = 1e-7, *force = cable->work[0];
        memset(force, 0, 42 * sizeof(double));
        rv_ancf_buoyancy_force(cable, cable->q, force);
        for (int i = 0; i < cable->dofCount; i++) {
            double at = cable->q[i];
            cable->q[i] = at + step;
            double above = rv_ancf_buoyancy_energy(cable, cable->q);
            cable->q[i] = at - step;
            double below = rv_ancf_buoyancy_energy(cable, cable->q);
            cable->q[i] = at;
            CHECK_NEAR(-(above - below) / (2.0 * step), force[i], 1e-7); // energies of 0.01 J to 16 digits, by step
        }
    }
    rv_ancf_lay_straight(cable, rvVec(0, 0, -1), rvVec(1, 0, 0));
    double* force = cable->work[0];
    memset(force, 0, 42 * sizeof(double));
    rv_ancf_buoyancy_force(cable, cable->q, force);
    CHECK_NEAR(sum_of(cable, force).z, 1000.0 * PI * 1e-4 * 9.81, 1e-11); // Archimedes; rounding
    rv_ancf_destroy(cable);
}

static void FallingRodReachesItsSteadySpeed(void** state)
{
    (void)state;
    for (int m = 0; m < 3; m++) {
        static const rvAncfMethod methods[] = {RV_ANCF_RT, RV_ANCF_SI_HHT, RV_ANCF_IMPLICIT_NEWMARK};
        rvAncf* cable = wet_cable(3, SEA, rvVec(0, 0, -9.81));
        rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(1, 0, 0));
        rig_start(cable, methods[m]);
        for (int n = 0; n < 600; n++)
            assert_int_equal(rv_ancf_step(cable, 5e-3), RV_OK);
        double weight = (0.4 - 1000.0 * PI * 1e-4) * 9.81, speed = sqrt(weight / (10.0 * 1.2));
        // 3 s are 15 times m/(rho d C_n v): gone to 1e-10
        CHECK_NEAR(-rv_ancf_velocities(cable)[2], speed, 1e-6);
        rv_ancf_destroy(cable);
    }
}

static void CableInACurrentHangsAtTheTowAngle(void** state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        double speed = k == 0 ? 0.6 : 0.3 * k + 0.3; // 0.6 by both ways, and faster
        rvAncfCurrent current = {0.0, {speed, 0, 0}};
        rvAncfWater water = SEA;
        water.currents = &current;
        water.currentCount = 1;
        rvAncf* cable = wet_cable(6, water, rvVec(0, 0, -9.81));
        rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(0.4, 0, -1));
        assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_PIN, &rigError), RV_OK);
        if (k != 1)
            assert_int_equal(rv_ancf_settle(cable, 1e-11, &rigError), RV_OK);
        else { // the same, by waiting
            rig_start(cable, RV_ANCF_RT);
            for (int n = 0; n < 4000; n++)
                assert_int_equal(rv_ancf_step(cable, 1e-2), RV_OK);
        }
        // w cos a = 1/2 rho d C_n U^2 sin^2 a
        double ratio = (0.4 - 1000.0 * PI * 1e-4) * 9.81 / (10.0 * 1.2 * speed * speed);
        double cosine = 0.5 * (sqrt(ratio * ratio + 4.0) - ratio);
        for (int i = 0; i < 5; i++) {
            double p = 0.25 * i;
            rvVec3 slope = rv_ancf_point(cable, p).slope;
            CHECK_NEAR(slope.x / rvLength(slope), cosine, 1e-6); // where settling ends
        }
        rv_ancf_destroy(cable);
    }
}

// Thrown flat into the water it takes some along and keeps the momentum, at any step; thrown out of it, it leaves that
// behind and keeps its speed. No energy comes of either.
static void SurfaceKeepsTheMomentum(void** state)
{
    (void)state;
    static const double steps[] = {1e-4, 1.0 / 240, 1.0 / 60};
    for (int k = 0; k < 6; k++) {
        bool in = k < 3;
        rvAncfWater water = SEA;
        water.level = water.normalDrag = water.tangentDrag = 0.0;
        water.takenAlong = true;
        rvAncf* cable = wet_cable(4, water, rvVec(0, 0, 0));
        rv_ancf_lay_straight(cable, rvVec(0, 0, in ? 0.05 : -0.05), rvVec(1, 0, 0));
        push(cable, rvVec(0.3, 0.5, in ? -2.0 : 2.0));
        rig_start(cable, RV_ANCF_RT);
        double energy = rv_ancf_energy(cable).total, added = 0.8 * 1000.0 * PI * 1e-4;
        for (int n = 0; n < lround(0.1 / steps[k % 3]); n++) {
            assert_int_equal(rv_ancf_step(cable, steps[k % 3]), RV_OK);
            double now = rv_ancf_energy(cable).total;
            CHECK_BELOW(now, energy + 1e-12);
            energy = now;
        }
        double share = in ? 0.4 / (0.4 + added) : 1.0;
        for (int i = 0; i < cable->nodeCount; i++) {
            const double* v = cable->v + 6 * i;
            CHECK_NEAR(v[0], 0.3, 1e-9); // along it nothing is taken along; round-off of stretching
            CHECK_NEAR(v[1], 0.5 * share, 1e-9);
            CHECK_NEAR(v[2], (in ? -2.0 : 2.0) * share, 1e-9);
        }
        rv_ancf_destroy(cable);
    }
}

static void BadWaterIsNamed(void** state)
{
    (void)state;
    rvAncfElement e = {.length = 1, .EA = 1, .EI = 1, .massPerLength = 1};
    rvAncf* cable;
    rvAncfDef def = {.elementCount = 1, .elements = &e, .water = SEA};
    assert_int_equal(rv_ancf_create(&def, &rigMemory, &cable, &rigError), RV_BAD_INPUT);
    assert_non_null(strstr(rigError.text, "elements[0].diameter"));
    e.diameter = 0.1;
    def.water.density = -1.0;
    assert_int_equal(rv_ancf_create(&def, &rigMemory, &cable, &rigError), RV_BAD_INPUT);
    assert_non_null(strstr(rigError.text, "water.density"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(DragIsMorisons),
        cmocka_unit_test(CurrentsDragAsMotionDoes),
        cmocka_unit_test(DragMatrixIsTheDerivative),
        cmocka_unit_test(AddedMassActsAcrossTheCable),
        cmocka_unit_test(BuoyancyIsTheGradientOfItsEnergy),
        cmocka_unit_test(FallingRodReachesItsSteadySpeed),
        cmocka_unit_test(CableInACurrentHangsAtTheTowAngle),
        cmocka_unit_test(SurfaceKeepsTheMomentum),
        cmocka_unit_test(BadWaterIsNamed),
    };
    return RUN_TESTS(tests);
}
