// SPDX-License-Identifier: MIT
// Ropes of elements and what is narrower than their points are apart, seeded: bars that strike them, that they are
// drawn over, that fall on them.
#include "contact/convex.h"
#include "random.h"
#include "world/machines.h"

#define PI 3.14159265358979323846

static const double SPEED = 10.0;

// A bar along y; a mesh is a box.
enum { ROUND, SQUARE, SMOOTH, MESH };
static rvShapeDef bar_of(int kind, double radius)
{
    static const rvShapeType types[] = {RV_SHAPE_CYLINDER, RV_SHAPE_BOX, RV_SHAPE_CAPSULE, RV_SHAPE_MESH};
    static const int triangles[] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                    2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    static rvVec3 points[8];
    for (int i = 0; i < 8; ++i)
        points[i] = rvVec(i & 1 ? radius : -radius, i & 2 ? radius : -radius, i & 4 ? 1.0 : -1.0);
    rvShapeDef shape = rvDefaultShapeDef(types[kind]);
    shape.radius = radius;
    shape.length = 2.0;
    shape.sides = rvVec(2.0 * radius, 2.0 * radius, 2.0);
    shape.points = points;
    shape.pointCount = 8;
    shape.triangles = triangles;
    shape.triangleCount = 12;
    shape.frame.q = rvQuatFromAxisAngle(rvVec(1, 0, 0), 0.5 * PI);
    return shape;
}

// By how much the rope turns as seen from the bar: it goes over it by nearly half a turn, or under it by the other.
static double turning(rvWorld* world, rvCableId rope, rvVec3 bar)
{
    enum { PIECES = 512 }; // what is drawn may have fewer, and cut the bar
    double length = rvCable_GetRestLength(world, rope), seen = 0.0;
    rvCableSection section;
    rvVec3 before = {0};
    for (int i = 0; i <= PIECES; ++i) {
        assert_true(rvCable_GetSection(world, rope, length * i / PIECES, &section));
        rvVec3 a = before, b = rvSub(section.point, bar);
        seen += i > 0 ? atan2(a.x * b.z - a.z * b.x, a.x * b.x + a.z * b.z) : 0.0;
        before = b;
    }
    return seen;
}

// Two hands draw a rope down over a bar, or the bar comes up from below it: at 10 m/s, at once. It is slack, also in
// the end, or nearly taut at first: 0.5 % shorter than its chord to 2 % longer. Answers whether the bar has passed.
static bool strike(rvCableModel model, bool taut, bool mesh, int number, double h)
{
    seed = (uint64_t)number;
    double span = between(1.0, 3.0), radius = between(0.005, 0.04), x = between(0.15, 0.85) * span;
    double fall = (taut ? between(0.05, 0.2) : between(0.3, 0.5)) * span;
    rvCableDef def = rvDefaultCableDef(model);
    def.axialStiffness = pow(10.0, between(4.0, 6.0));
    def.bendingStiffness = pow(10.0, between(-3.0, 0.0));
    def.massPerLength = between(0.1, 2.0);
    def.diameter = between(0.005, 0.03);
    def.damping = 0.002;
    def.elements = (int)between(6.0, 20.0);
    def.collides = true;
    def.friction = between(0.0, 1.0);
    double over = hypot(x, fall + radius) + hypot(span - x, fall + radius) + PI * radius;
    def.length = taut ? between(0.995, 1.02) * span : between(1.02, 1.2) * over;
    double sag = 0.6 * sqrt(fmax(0.0, def.length * def.length - span * span)); // hangs that far at most
    bool comes = between(0.0, 1.0) < 0.5;
    rvWorld* world = make_world();
    rvVec3 bar = rvVec(x, 0, -sag - radius - def.diameter - 0.05);
    rvBodyDef body = rvDefaultBodyDef();
    body.type = RV_BODY_KINEMATIC;
    body.pose.p = bar;
    rvBodyId obstacle = add_body(world, &body);
    int kind = (int)between(0.0, 2.999);
    rvShapeDef shape = bar_of(mesh ? MESH : kind, radius);
    add_shape(world, obstacle, &shape);
    rvBodyId hands[2] = {add_hand(world, rvVec(0, 0, 0)), add_hand(world, rvVec(span, 0, 0))};
    rvPlaceDef places[] = {rvAttachPlace(hands[0], rvVec(0, 0, 0)), rvAttachPlace(hands[1], rvVec(0, 0, 0))};
    rvCableId rope = add_cable_of(world, def, places, 2);
    double way = -bar.z + fall;
    bool below = turning(world, rope, bar) < 0.0; // a soft one may hang through it: it has no side
    for (int i = 1; i * h < way / SPEED + 0.5; ++i) {
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
    }
    bool through = !(turning(world, rope, rvBody_GetPose(world, obstacle).p) < 0.0);
    rvDestroyWorld(world);
    return below && through;
}

static int count_passed(rvCableModel model, bool taut, bool mesh, int count)
{
    int through = 0;
    for (int i = 1; i <= count; ++i)
        through += strike(model, taut, mesh, i, 1.0 / 60.0);
    return through;
}

// With points alone nearly all pass. What is left are ropes that snap taut around the bar in the step in which they
// meet it, and whose passes do not settle: one of 100 at most.
static void NarrowBarsDoNotPassSlackRopes(void** state)
{
    (void)state;
    CHECK_BELOW(count_passed(RV_CABLE_ANCF, false, false, 100),
                3); // by chance: one in the mean at most, here and below
    CHECK_BELOW(count_passed(RV_CABLE_ALE, false, false, 100), 3);
}

static void NarrowBarsDoNotPassTautRopes(void** state)
{
    (void)state;
    CHECK_BELOW(count_passed(RV_CABLE_ANCF, true, false, 30), 3);
    CHECK_BELOW(count_passed(RV_CABLE_ALE, true, false, 30), 3);
}

// Two of 100. Some of these ropes fold on themselves: points of a bend that came together had no way to go.
static void BarsOfTrianglesDoNotPass(void** state)
{
    (void)state;
    CHECK_BELOW(count_passed(RV_CABLE_ANCF, false, true, 30), 4);
    CHECK_BELOW(count_passed(RV_CABLE_ALE, false, true, 30), 4);
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

// A slack rope hangs through a tent of triangles. Its sides do not push it out lengthwise: either of them drew it out
// from within by a fifth of what it was deep, step after step, to 1.3 MJ and 530 kN.
static void RopeThroughAMeshIsNotDrawnOut(void** state)
{
    (void)state;
    static const rvVec3 points[] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-0.5, 0, 1.5}, {0.5, 0, 1.5}};
    static const int triangles[] = {0, 1, 5, 0, 5, 4, 2, 3, 4, 2, 4, 5, 0, 4, 3, 1, 2, 5};
    for (int k = 0; k < 4; ++k) {
        rvWorld* world = make_world();
        rvShapeDef tent = rvDefaultShapeDef(RV_SHAPE_MESH);
        tent.points = points;
        tent.pointCount = 6;
        tent.triangles = triangles;
        tent.triangleCount = 6;
        tent.friction = 0.3;
        add_shape(world, add_mass(world, RV_BODY_STATIC, 0, 0.0, rvVec(0, 0, 0)), &tent);
        rvCableDef def = rvDefaultCableDef(k < 2 ? RV_CABLE_ANCF : RV_CABLE_ALE);
        def.diameter = 0.02;
        def.axialStiffness = 1e6;
        def.bendingStiffness = 1.0;
        def.massPerLength = 0.5;
        def.damping = 0.02;
        def.elements = 30;
        def.friction = 0.3;
        def.collides = true;
        def.straight = true;
        def.length = 6.05;
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-3, 0, 0)),
                               rvAttachPlace(RV_NULL_BODY, rvVec(3, 0, 0))};
        rvCableId rope = add_cable_of(world, def, places, 2);
        run_world(world, k % 2 ? 1.0 / 30.0 : 0.01, 3.0);
        // it is held where it is, as deep as contacts may be: drawn out by no more than that on either side
        CHECK_BELOW(rvCable_GetLargestTension(world, rope), 2.0 * RV_CONTACT_MARGIN * def.axialStiffness / def.length);
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(NarrowBarsDoNotPassSlackRopes), cmocka_unit_test(NarrowBarsDoNotPassTautRopes),
        cmocka_unit_test(BarsOfTrianglesDoNotPass), cmocka_unit_test(PipeLiesOnTwoSlings),
        cmocka_unit_test(RopeThroughAMeshIsNotDrawnOut)};
    return RUN_TESTS(tests);
}
