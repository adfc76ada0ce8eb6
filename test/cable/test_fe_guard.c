// SPDX-License-Identifier: MIT
#include "world/machines.h"

static rvCableDef elements(const rvPlaceDef* places, double length, double axialStiffness, double mass)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ANCF);
    def.places = places;
    def.placeCount = 2;
    def.length = length;
    def.axialStiffness = axialStiffness;
    def.massPerLength = mass;
    return def;
}

static double total(const rvWorld* world)
{
    rvEnergy e = rvWorld_GetEnergy(world);
    return e.kinetic + e.potential + e.elastic;
}

// Ten tons fall a metre into a rope of ten kilos, at the frame rate, and bounce: what the guard allows is 2 % of what moves.
static void HeavyLoadSnapsALightRopeAtTheFrameRate(void** state)
{
    (void)state;
    static const double masses[] = {1.0, 0.1, 0.01};
    for (int k = 0; k < 3; ++k) {
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 1e4, 0.5, rvVec(0.5, 0, -9));
        rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = elements(places, 10.0, 4e7, masses[k]);
        CHECK_OK(world, rvCreateCable(world, &def, NULL));
        double start = total(world), highest = start, deepest = 0.0, moved = 1e4 * GRAVITY;
        for (int i = 0; i < 1200; ++i) {
            CHECK_OK(world, rvWorld_Step(world, 1.0 / 60));
            highest = fmax(highest, total(world));
            deepest = fmax(deepest, -rvBody_GetPose(world, load).p.z);
        }
        CHECK_BELOW(highest - start, 0.02 * moved);
        // EA x^2/(2 L) = m g (1 + x), x = 0.246 m; the step in which it comes taut may be wrong by h v = 74 mm of way
        CHECK_NEAR(deepest, 10.246, 0.074);
        rvDestroyWorld(world);
    }
}

// A support is jerked to and fro under a load on a light rope: the work it does is what the machine has, no more.
static void MovedSupportPutsInItsWork(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyDef hand = rvDefaultBodyDef();
    hand.type = RV_BODY_KINEMATIC;
    rvBodyId support = add_body(world, &hand), load = add_ball(world, 1000.0, 0.3, rvVec(0, 0, -5));
    rvPlaceDef places[2] = {rvAttachPlace(support, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0.3))};
    rvCableDef def = elements(places, 4.7, 1e6, 0.05);
    CHECK_OK(world, rvCreateCable(world, &def, NULL));
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    assert_true(report.settled);
    CHECK_OK(world, rvWorld_Step(world, 1.0 / 60));
    double start = total(world) - rvWorld_GetEnergy(world).work, most = 0.0, worked = 0.0;
    for (int i = 0; i < 600; ++i) {
        double t = (i + 1) / 60.0;
        rvPose pose = rvPoseIdentity();
        pose.p = rvVec(0.3 * sin(2.0 * t), 0.2 * sin(3.1 * t), 0.05 * sin(9.0 * t));
        CHECK_OK(world, rvBody_MoveTo(world, support, pose));
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60));
        rvEnergy e = rvWorld_GetEnergy(world);
        most = fmax(most, total(world) - e.work - start);
        worked = fmax(worked, fabs(e.work));
    }
    assert_true(worked > 50.0); // it did move something
    // the work is told by the force at the end of steps: F v h/2 of 12 kN and 0.45 m/s
    CHECK_BELOW(most, 12e3 * 0.45 / 120.0);
    rvDestroyWorld(world);
}

// A rope that is thrown and whips, light and limp, at three steps: no step makes energy, for ten seconds.
static void WhippingRopesMakeNoEnergy(void** state)
{
    (void)state;
    static const double steps[] = {1e-3, 1.0 / 240, 1.0 / 60};
    for (int k = 0; k < 3; ++k) {
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 1.0, 0.05, rvVec(0.8, 0, 0));
        CHECK_OK(world, rvBody_SetVelocity(world, load, rvVec(0, 2, 1), rvVec(0, 0, 0)));
        rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = elements(places, 1.0, 1e4, 1e-3);
        def.bendingStiffness = 1e-3;
        CHECK_OK(world, rvCreateCable(world, &def, NULL));
        double start = total(world), highest = start;
        for (int i = 0; i < lround(4.0 / steps[k]); ++i) {
            CHECK_OK(world, rvWorld_Step(world, steps[k]));
            highest = fmax(highest, total(world));
        }
        double moved = GRAVITY * 2.0 + 0.5 * 5.0;   // all that it can fall, and has
        CHECK_BELOW(highest - start, 0.04 * moved); // 2 % are allowed, and about as much for the reading where it snaps
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(HeavyLoadSnapsALightRopeAtTheFrameRate),
        cmocka_unit_test(MovedSupportPutsInItsWork),
        cmocka_unit_test(WhippingRopesMakeNoEnergy),
    };
    return RUN_TESTS(tests);
}
