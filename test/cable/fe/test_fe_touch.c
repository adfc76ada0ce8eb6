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

// What the energies of a world are off from their work [J].
static double books_of(const rvWorld* world)
{
    rvEnergy e = rvWorld_GetEnergy(world);
    return e.kinetic + e.potential + e.elastic + e.heat - e.work;
}

static double lowest(const rvWorld* world, rvCableId rope)
{
    rvVec3 points[256];
    double low = HUGE_VAL;
    for (int i = rvCable_GetShape(world, rope, points, 256) - 1; i >= 0; --i)
        low = fmin(low, points[i].z);
    return low;
}

// A slack rope lies on the ground, and its last end is hooked elsewhere: where it is held, a little off, or far away.
// It stays above the ground, and as it lies where the new place is near. (All but the first hung anew as if no ground
// were there, metres below it.)
static void HookedRopeStaysOnTheGround(void** state)
{
    (void)state;
    static const double away[] = {0.0, 1e-5, 1e-3, 8e-3, 0.5};
    for (int k = 0; k < 10; ++k) {
        rvWorld* world = make_world();
        add_ground(world);
        rvCableDef def = rvDefaultCableDef(k < 5 ? RV_CABLE_ANCF : RV_CABLE_ALE);
        def.elements = 20;
        def.maxContacts = 100;
        def.diameter = 0.02;
        def.axialStiffness = 1e5;
        def.bendingStiffness = 0.05;
        def.massPerLength = 0.5;
        def.damping = 5e-3;
        def.length = 4.0;
        def.collides = true;
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0.3)),
                               rvAttachPlace(RV_NULL_BODY, rvVec(2.5, 0, 0.3))};
        rvCableId rope = add_cable_of(world, def, places, 2);
        run_world(world, 1.0 / 60.0, 0.5);
        rvVec3 before[256], after[256];
        int count = rvCable_GetShape(world, rope, before, 256);
        double gap = away[k % 5], books = books_of(world);
        places[1].point = rvVec(2.5 - 0.6 * gap, 0, 0.3 + 0.8 * gap);
        CHECK_OK(world, rvCable_SetPlace(world, rope, 1, &places[1]));
        CHECK_NEAR(books_of(world), books, 1e-9); // what it has more is work, what it has less is heat
        assert_int_equal(rvCable_GetShape(world, rope, after, 256), count);
        CHECK_NEAR(rvDistance(after[count - 1], places[1].point), 0.0, 1e-9);
        for (int i = 0; i < count && gap < 0.01; ++i)
            CHECK_BELOW(rvDistance(before[i], after[i]), gap + 1e-9); // no further than its end
        for (int i = 0; i < 60; ++i) {
            CHECK_BELOW(0.5 * def.diameter - lowest(world, rope), 0.05 * def.diameter); // between points that touch
            CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
        }
        CHECK_NEAR(books_of(world), books, 1e-3 * 2.0 * GRAVITY * 0.3); // of what all of it has
        rvDestroyWorld(world);
    }
}

// An end that is let go falls, and is hooked again a little off where it is: the rope goes on as it moves. (It hung at
// rest.)
static void HookedRopeKeepsItsMotion(void** state)
{
    (void)state;
    const double h = 0.005, seconds = 0.2;
    for (int k = 0; k < 2; ++k) {
        rvWorld* world = make_world();
        rvCableDef def = rvDefaultCableDef(k == 0 ? RV_CABLE_ANCF : RV_CABLE_ALE);
        def.elements = 20;
        def.diameter = 0.02;
        def.axialStiffness = 1e5;
        def.bendingStiffness = 0.05;
        def.massPerLength = 0.5;
        def.length = 2.2;
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                               rvAttachPlace(RV_NULL_BODY, rvVec(2, 0, 0))};
        rvCableId rope = add_cable_of(world, def, places, 2);
        rvPlaceDef loose = rvFreePlace(rvVec(2, 0, 0));
        CHECK_OK(world, rvCable_SetPlace(world, rope, 1, &loose));
        run_world(world, h, seconds);
        rvVec3 before[256], after[256];
        int count = rvCable_GetShape(world, rope, before, 256);
        double kinetic = rvWorld_GetEnergy(world).kinetic;
        places[1].point = rvAdd(before[count - 1], rvVec(0, 0.001, 0.001));
        CHECK_OK(world, rvCable_SetPlace(world, rope, 1, &places[1]));
        assert_int_equal(rvCable_GetShape(world, rope, after, 256), count);
        for (int i = 0; i < count; ++i)
            CHECK_BELOW(rvDistance(before[i], after[i]), 0.0015); // no further than its end
        // that of the end of the step, not of its middle: as t^2, of what falls
        CHECK_NEAR(rvWorld_GetEnergy(world).kinetic, kinetic, 2.0 * h / seconds * kinetic);
        run_world(world, h, 1.0);
        rvDestroyWorld(world);
    }
}

// The largest pull on a rope of which a hand leads one end down from 1 m, in two seconds, to where it is just as long.
// *box: a body that stands below the hand, where it is not NULL, and then where that is.
static double lead_down(rvCableModel model, double h, double low, rvVec3* box)
{
    const double high = 2.2;
    rvWorld* world = make_world();
    add_ground(world);
    rvBodyId body = RV_NULL_BODY;
    if (box) {
        body = add_box(world, 20.0, rvVec(0.2, 0.2, 0.2), *box);
        add_box_shape(world, body, rvVec(0.2, 0.2, 0.2));
    }
    rvBodyId hand = add_mass(world, RV_BODY_KINEMATIC, 0, 0.0, rvVec(0, 0, 1));
    rvCableDef def = rvDefaultCableDef(model);
    def.elements = 16;
    def.maxContacts = 60;
    def.diameter = 0.01;
    def.axialStiffness = 2e5;
    def.bendingStiffness = 0.05;
    def.massPerLength = 0.05;
    def.damping = 0.02;
    def.length = high - low;
    def.collides = true;
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, high)), rvAttachPlace(hand, rvVec(0, 0, 0))};
    rvCableId rope = add_cable_of(world, def, places, 2);
    int steps = (int)lround(2.0 / h);
    double most = 0.0;
    for (int i = 1; i <= steps; ++i) {
        rvPose pose = rvPoseIdentity();
        pose.p.z = 0.5 * (1.0 + low) + 0.5 * (1.0 - low) * cos(PI * i / steps);
        CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
        CHECK_OK(world, rvWorld_Step(world, h));
        most = fmax(most, rvCable_GetLargestTension(world, rope));
    }
    if (box)
        *box = rvBody_GetPose(world, body).p;
    rvDestroyWorld(world);
    return most;
}

// What a hand holds is where it has it, in a box on the ground or in the ground, too. (Kept out of the box, the end
// pressed that on the ground by 4e12 N and threw it; kept out of the ground, rope beside the hand was drawn out to many
// times its length.)
static void EndsThatHandsLeadIntoShapesPushNothing(void** state)
{
    (void)state;
    for (int k = 0; k < 6; ++k) {
        double h = (const double[]){1.0 / 60.0, 5e-3, 2e-3}[k / 2];
        rvCableModel model = k % 2 ? RV_CABLE_ALE : RV_CABLE_ANCF;
        rvVec3 box = rvVec(0, 0, 0.1);
        double boxed = lead_down(model, h, 0.15, &box), ground = lead_down(model, h, -0.5, NULL);
        const double pull = 2e5 * 0.005 / 2.05; // half of its thickness is as much of its length
        CHECK_BELOW(boxed, pull);
        CHECK_BELOW(ground, pull);
        CHECK_BELOW(rvDistance(box, rvVec(0, 0, 0.1)), 1e-4); // what a box stands into the ground
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RopeFallsOnWhereItDoesNotLie), cmocka_unit_test(HookedRopeStaysOnTheGround),
        cmocka_unit_test(HookedRopeKeepsItsMotion), cmocka_unit_test(MooringLineIsLaidOnTheSeabed),
        cmocka_unit_test(EndsThatHandsLeadIntoShapesPushNothing)};
    return RUN_TESTS(tests);
}
