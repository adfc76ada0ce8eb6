// SPDX-License-Identifier: MIT
// Ropes of elements against what is narrower than their points are apart: nothing passes through them, seeded.
#include "random.h"
#include "world/machines.h"

#define PI 3.14159265358979323846

static const double SPEED = 10.0;

// A bar along y.
static rvShapeDef bar_of(int kind, double radius)
{
    static const rvShapeType types[] = {RV_SHAPE_CYLINDER, RV_SHAPE_BOX, RV_SHAPE_CAPSULE};
    rvShapeDef shape = rvDefaultShapeDef(types[kind]);
    shape.radius = radius;
    shape.length = 2.0;
    shape.sides = rvVec(2.0 * radius, 2.0 * radius, 2.0);
    shape.frame.q = rvQuatFromAxisAngle(rvVec(1, 0, 0), 0.5 * PI);
    return shape;
}

// By how much the rope turns as seen from the bar: it goes over it by nearly half a turn, or under it by the other.
static double turning(rvWorld* world, rvCableId rope, rvVec3 bar)
{
    rvVec3 points[512];
    int count = rvCable_GetShape(world, rope, points, 512);
    double seen = 0.0;
    for (int i = 1; i < count; ++i) {
        rvVec3 a = rvSub(points[i - 1], bar), b = rvSub(points[i], bar);
        seen += atan2(a.x * b.z - a.z * b.x, a.x * b.x + a.z * b.z);
    }
    return seen;
}

// Two hands draw a slack rope down over a bar, or the bar comes up from below it: at 10 m/s, at once.
static bool strike(int number, double h)
{
    seed = (uint64_t)number;
    double span = between(1.0, 3.0), radius = between(0.005, 0.04), x = between(0.15, 0.85) * span;
    double fall = between(0.3, 0.5) * span;
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ANCF);
    def.axialStiffness = pow(10.0, between(4.0, 6.0));
    def.bendingStiffness = pow(10.0, between(-3.0, 0.0));
    def.massPerLength = between(0.1, 2.0);
    def.diameter = between(0.005, 0.03);
    def.damping = 0.002;
    def.elements = (int)between(6.0, 20.0);
    def.collides = true;
    def.friction = between(0.0, 1.0);
    // over the bar it is not taut in the end
    double over = hypot(x, fall + radius) + hypot(span - x, fall + radius) + PI * radius;
    def.length = between(1.02, 1.2) * over;
    double sag = 0.6 * sqrt(def.length * def.length - span * span); // hangs that far at most
    bool comes = between(0.0, 1.0) < 0.5;
    rvWorld* world = make_world();
    rvVec3 bar = rvVec(x, 0, -sag - radius - def.diameter - 0.05);
    rvBodyDef body = rvDefaultBodyDef();
    body.type = RV_BODY_KINEMATIC;
    body.pose.p = bar;
    rvBodyId obstacle = add_body(world, &body);
    rvShapeDef shape = bar_of((int)between(0.0, 2.999), radius);
    add_shape(world, obstacle, &shape);
    rvBodyId hands[2] = {add_hand(world, rvVec(0, 0, 0)), add_hand(world, rvVec(span, 0, 0))};
    rvPlaceDef places[] = {rvAttachPlace(hands[0], rvVec(0, 0, 0)), rvAttachPlace(hands[1], rvVec(0, 0, 0))};
    rvCableId rope = add_cable_of(world, def, places, 2);
    double way = -bar.z + fall;
    bool through = false;
    for (int i = 1; i * h < way / SPEED + 0.5 && !through; ++i) {
        double gone = fmin(SPEED * i * h, way);
        rvPose pose = rvPoseIdentity();
        if (comes) {
            pose.p = rvVec(bar.x, 0, bar.z + gone);
            CHECK_OK(world, rvBody_MoveTo(world, obstacle, pose));
        }
        for (int k = 0; k < 2 && !comes; ++k) {
            pose.p = rvVec(k * span, 0, -gone);
            CHECK_OK(world, rvBody_MoveTo(world, hands[k], pose));
        }
        CHECK_OK(world, rvWorld_Step(world, h));
        through = !(turning(world, rope, rvBody_GetPose(world, obstacle).p) < 0.0);
    }
    rvDestroyWorld(world);
    return through;
}

// With points alone 297 of 300 went through. What is left are ropes that snap taut around the bar in the step in which they
// meet it, and whose passes do not settle: 1 or 2 of 100.
static void NarrowBarsDoNotPassBetweenPoints(void** state)
{
    (void)state;
    int through = 0;
    for (int i = 1; i <= 100; ++i)
        through += strike(i, 1.0 / 60.0);
    CHECK_BELOW(through, 6); // by chance: three times the mean
}

// A pipe falls on two slack ropes, between any two of their points, and lies where they hang lowest.
static void PipeLiesOnTwoSlings(void** state)
{
    (void)state;
    for (int number = 1; number <= 20; ++number) {
        seed = (uint64_t)number;
        double radius = between(0.005, 0.05), span = 2.0, length = between(1.02, 1.2) * span, mass = between(2.0, 20.0);
        double h = 1.0 / 240.0, sag = sqrt(0.25 * (length * length - span * span));
        rvWorld* world = make_world();
        rvBodyId pipe = add_box(world, mass, rvVec(2.0 * radius, 1.5, 2.0 * radius),
                                rvVec(between(0.3, 0.7) * span, 0, 0.1 + radius));
        rvShapeDef shape = bar_of(2 * (number % 2), radius);
        add_shape(world, pipe, &shape);
        for (int k = 0; k < 2; ++k) {
            rvCableDef def = rvDefaultCableDef(RV_CABLE_ANCF);
            def.axialStiffness = 1e5;
            def.bendingStiffness = 0.01;
            def.massPerLength = 0.2;
            def.diameter = 0.01;
            def.damping = 0.01;
            def.elements = (int)between(4.0, 12.0);
            def.length = length;
            def.collides = true;
            rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, k - 0.5, 0)),
                                   rvAttachPlace(RV_NULL_BODY, rvVec(span, k - 0.5, 0))};
            add_cable_of(world, def, places, 2);
        }
        for (int i = 0; i * h < 3.0; ++i) {
            CHECK_OK(world, rvWorld_Step(world, h));
            // no deeper than the ropes reach, with what its fall stretches them by
            assert_true(rvBody_GetPose(world, pipe).p.z > -1.2 * sag - 0.1);
        }
        rvDestroyWorld(world);
    }
}

// A rope that falls flat on one side first: what does not lie yet falls on, at the frame rate too. (Relaxed between passes without what it
// touches, 1 J was left of 63, and most of it hung in the air.)
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

// A mooring line of 500 m in water 100 m deep: the vessel comes in from where it is nearly taut, and lays it on a smooth seabed. At rest it is
// a catenary from where it leaves the bed: with the parameter a its length is sqrt(d^2 + 2 a d) over a acosh(1 + d/a), and it pulls with w a at
// the anchor, w (a + d) at the vessel.
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(NarrowBarsDoNotPassBetweenPoints), cmocka_unit_test(PipeLiesOnTwoSlings),
        cmocka_unit_test(RopeFallsOnWhereItDoesNotLie), cmocka_unit_test(MooringLineIsLaidOnTheSeabed)};
    return RUN_TESTS(tests);
}
