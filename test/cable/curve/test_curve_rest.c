// SPDX-License-Identifier: MIT
// Curves that settle under a load: Euler's column, in a plane and in space, and a thread over a drum.
#include "world/machines.h"

#define PI 3.14159265358979323846

typedef struct {
    rvWorld* world;
    rvBodyId plate;
    rvCableId column;
    rvSettleReport report;
} Column;

// A metre of wire with EI 1 N m^2 stands between two pins, the upper one on a plate that glides up and down.
static Column settle_column(double mass, double curvature, bool space)
{
    Column c = {.world = make_world()};
    rvBodyDef plate = rvDefaultBodyDef();
    plate.pose.p = rvVec(0, 0, 1);
    plate.mass = mass;
    c.plate = add_body(c.world, &plate);
    rvJointDef slider = rvDefaultJointDef(RV_JOINT_SLIDER);
    rvJointId joint;
    rvVec3 up = rvVec(0, 0, 1);
    CHECK_OK(c.world, rvJointDef_Place(c.world, &slider, RV_NULL_BODY, c.plate, up, up));
    CHECK_OK(c.world, rvCreateJoint(c.world, &slider, &joint));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(c.plate, rvVec(0, 0, 0))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_CURVE);
    def.places = places;
    def.placeCount = 2;
    def.elements = 20;
    def.length = 1.0;
    def.diameter = 5e-3;
    def.bendingStiffness = 1.0;
    def.massPerLength = 1e-3;
    def.damping = 0.02;
    def.curvature = curvature;
    def.bulge = rvVec(1, 0, 0);
    if (space)
        def.torsionalStiffness = 0.8;
    else
        def.plane = rvVec(0, 1, 0);
    CHECK_OK(c.world, rvCreateCable(c.world, &def, &c.column));
    CHECK_OK(c.world, rvWorld_Settle(c.world, NULL, &c.report));
    return c;
}

static double height(const Column* c)
{
    return rvBody_GetPose(c->world, c->plate).p.z;
}

// The elastica that P bends: K(k) = sqrt(P/EI) L/2, height (2 E(k)/K(k) - 1) L. By means of arithmetic and geometry.
static double elastica_height(double load)
{
    double low = 0.0, high = 1.0, e = 1.0, k = 1.0;
    for (int i = 0; i < 60; ++i) {
        double m = 0.5 * (low + high), a = 1.0, g = sqrt(1.0 - m * m), c = m, sum = 0.5 * m * m, power = 1.0;
        for (int n = 0; n < 12; ++n, power *= 2.0) {
            double next = 0.5 * (a + g);
            c = 0.5 * (a - g);
            g = sqrt(a * g);
            a = next;
            sum += power * c * c;
        }
        k = 0.5 * PI / a;
        e = k * (1.0 - sum);
        if (k < 0.5 * sqrt(load))
            low = m;
        else
            high = m;
    }
    return 2.0 * e / k - 1.0;
}

// More than Euler's load (pi^2 N): it stands straight in balance, but does not stay there, and is found where it does.
static void UnstableBalanceIsLeft(void** state)
{
    (void)state;
    for (int space = 0; space < 2; ++space)
        for (double mass = 1.1; mass < 1.9; mass += 0.25) {
            Column c = settle_column(mass, 0.0, space);
            assert_true(c.report.settled && c.report.stable);
            assert_int_equal(c.report.left, 1);
            // of second order in the intervals: they turn by up to 0.4 rad, 0.4^2/12 = 1.3 %
            CHECK_NEAR(height(&c), elastica_height(9.81 * mass), 0.015);
            rvDestroyWorld(c.world);
        }
}

// Less than that: it stays as it was, to the bit, and is told to be stable.
static void StableBalanceIsKept(void** state)
{
    (void)state;
    for (int space = 0; space < 2; ++space)
        for (double mass = 0.5; mass < 1.0; mass += 0.2) {
            Column c = settle_column(mass, 0.0, space);
            assert_true(c.report.settled && c.report.stable);
            assert_int_equal(c.report.left, 0);
            CHECK_NEAR(height(&c), 1.0, 1e-9); // straight
            rvDestroyWorld(c.world);
        }
}

// In space a column that is bent a little already has more ways to go, but rests where that in a plane does.
static void BuckledColumnRestsInSpaceAsInAPlane(void** state)
{
    (void)state;
    for (double mass = 0.9; mass < 1.8; mass += 0.4) {
        Column plane = settle_column(mass, 0.01, false), space = settle_column(mass, 0.01, true);
        assert_true(space.report.settled && space.report.stable);
        CHECK_NEAR(height(&space), height(&plane), 1e-6); // soft ones are left 1e-9 of their load off
        rvDestroyWorld(plane.world);
        rvDestroyWorld(space.world);
    }
}

// Iterations towards rest go farther than steps do: a thread under a heavy load went into its drum, and through it.
static void LoadSettlesBesideTheDrumOfItsThread(void** state)
{
    (void)state;
    for (double mass = 0.5; mass < 60.0; mass *= 10.0) {
        rvWorld* world = make_world();
        add_drum(world, 0.5);
        rvBodyId load = add_ball(world, mass, 0.2, rvVec(2.5, 0, 0.55));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-2, 0, 0.5)), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = rvDefaultCableDef(RV_CABLE_CURVE);
        def.places = places;
        def.placeCount = 2;
        def.elements = 45;
        def.axialStiffness = 1e6;
        def.bendingStiffness = 1e-3;
        def.massPerLength = 1e-3;
        def.diameter = 1e-4;
        def.collides = true;
        rvCableId thread = create_cable(world, &def);
        CHECK_OK(world, rvWorld_Settle(world, NULL, NULL));
        rvVec3 p = rvBody_GetPose(world, load).p;
        double step = rvCable_GetRestLength(world, thread) / 45.0, bow = step * step / 8.0 / 0.5;
        CHECK_NEAR(p.x, 0.5, bow + 1e-3); // an interval that leaves the drum is an arc, too; 1e-3 of the load in 2 m
        CHECK_NEAR(-p.z, rvCable_GetRestLength(world, thread) - 2.0 - 0.25 * PI, PI * bow + 1e-3);
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(UnstableBalanceIsLeft),
        cmocka_unit_test(StableBalanceIsKept),
        cmocka_unit_test(BuckledColumnRestsInSpaceAsInAPlane),
        cmocka_unit_test(LoadSettlesBesideTheDrumOfItsThread),
    };
    return RUN_TESTS(tests);
}
