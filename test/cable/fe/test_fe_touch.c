// SPDX-License-Identifier: MIT
// Ropes of elements on the ground: that fall on it and that are laid on it.
#include "world/machines.h"

#define PI 3.14159265358979323846

// A rope that falls flat on one side first: what does not lie yet falls on, at the frame rate too. (Relaxed between
// passes without what it touches, 1 J was left of 63, and most of it hung in the air.)
static void RopeFallsOnWhereItDoesNotLie(void** state)
{
    (void)state;
    double kinetic[2];
    for (int k = 0; k < 2; ++k) {
        rvWorld* world = make_world();
        add_ground(world);
        rvCableDef def = rvDefaultCableDef(RV_CABLE_ANCF);
        def.elements = 30;
        def.maxContacts = 100;
        def.diameter = 0.02;
        def.axialStiffness = 1e6;
        def.bendingStiffness = 0.1;
        def.massPerLength = 0.5;
        def.damping = 5e-3;
        def.straight = true;
        def.length = 10.0;
        def.collides = true;
        rvPlaceDef places[] = {rvFreePlace(rvVec(0, 0, 3)), rvFreePlace(rvVec(9.5, 0, 5))};
        add_cable_of(world, def, places, 2);
        run_world(world, k ? 1.0 / 60.0 : 1e-3, 0.8);
        kinetic[k] = rvWorld_GetEnergy(world).kinetic;
        rvDestroyWorld(world);
    }
    CHECK_NEAR(kinetic[1], kinetic[0],
               0.1 * kinetic[0]); // the energy is read half a step before: 6 % of it is lost in that
}

// A mooring line of 500 m in water 100 m deep: the vessel comes in from where it is nearly taut, and lays it on a
// smooth seabed. At rest it is a catenary from where it leaves the bed: with the parameter a its length is sqrt(d^2 + 2
// a d) over a acosh(1 + d/a), and it pulls with w a at the anchor, w (a + d) at the vessel.
static void MooringLineIsLaidOnTheSeabed(void** state)
{
    (void)state;
    const double length = 500.0, span = 440.0, deep = 100.0, thick = 0.1, perMetre = 150.0, density = 1025.0;
    const double weight = (perMetre - density * 0.25 * PI * thick * thick) * GRAVITY, h = 0.05;
    double low = 1.0, high = 500.0, d = deep - 0.5 * thick;
    for (int i = 0; i < 60; ++i) {
        double a = 0.5 * (low + high), reach = length - sqrt(d * d + 2.0 * a * d) + a * acosh(1.0 + d / a);
        *(reach < span ? &low : &high) = a;
    }
    rvWorld* world = make_world();
    rvBodyDef bed = rvDefaultBodyDef();
    bed.type = RV_BODY_STATIC;
    bed.pose.p = rvVec(0, 0, -deep);
    rvShapeDef plane = rvDefaultShapeDef(RV_SHAPE_PLANE);
    plane.friction = 0.0;
    add_shape(world, add_body(world, &bed), &plane);
    rvBodyId vessel = add_hand(world, rvVec(487, 0, 0));
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ANCF);
    def.elements = 50;
    def.maxContacts = 120;
    def.diameter = thick;
    def.axialStiffness = 5e8;
    def.bendingStiffness = 1e3;
    def.massPerLength = perMetre;
    def.damping = 0.01;
    def.length = length;
    def.collides = true;
    def.fluidDensity = density;
    def.fluidLevel = 0.0;
    def.dragCoefficient = 2.4;
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, -d)), rvAttachPlace(vessel, rvVec(0, 0, 0))};
    rvCableId line = add_cable_of(world, def, places, 2);
    for (int i = 1; i <= lround(120.0 / h); ++i) {
        rvPose pose = rvPoseIdentity();
        double share = fmin(1.0, i * h / 80.0);
        pose.p = rvVec(487.0 + (span - 487.0) * (0.5 - 0.5 * cos(PI * share)), 0, 0);
        CHECK_OK(world, rvBody_MoveTo(world, vessel, pose));
        CHECK_OK(world, rvWorld_Step(world, h));
    }
    // an element is 10 m, the line is bent by 70 degrees over 70 m: 1 %
    CHECK_NEAR(rvCable_GetEndTension(world, line, 0, 1), weight * (low + d), 0.01 * weight * (low + d));
    CHECK_NEAR(rvCable_GetEndTension(world, line, 0, 0), weight * low, 0.01 * weight * (low + d));
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(RopeFallsOnWhereItDoesNotLie),
                                       cmocka_unit_test(MooringLineIsLaidOnTheSeabed)};
    return RUN_TESTS(tests);
}
