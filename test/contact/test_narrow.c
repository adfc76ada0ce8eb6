// SPDX-License-Identifier: MIT
// Every pair of shapes: overlap gives points with the right normal, depth and place, a gap gives none, what rests on a
// flat side has enough points to stand on, and nothing takes memory.
#include "check.h"
#include "count_alloc.h"
#include "shapes_apart.h"

static const char* const typeNames[] = {"plane", "sphere", "box", "capsule", "cylinder", "hull", "mesh", "field"};

static bool is_ground(rvShapeType type)
{
    return type == RV_SHAPE_PLANE || type == RV_SHAPE_MESH || type == RV_SHAPE_HEIGHT_FIELD;
}

static rvPose at(double x, double y, double z)
{
    return (rvPose){{x, y, z}, {1, 0, 0, 0}};
}

static rvQuat turn(double x, double y, double z)
{
    return rvQuatFromRotation(rvVec(x, y, z));
}

// `lower` below `upper`, both with the given turns about their own origins, overlapping by `depth` along z.
static void stack(rvManifold* manifold, rvShapeType lower, rvQuat lowerTurn, rvShapeType upper, rvQuat upperTurn,
                  double depth, bool turned)
{
    apart a;
    apart_init(&a);
    rvShapeDef lowerDef = apart_def(lower), upperDef = apart_def(upper);
    // off the grid's lines, so that several triangles take part
    int low = apart_add(&a, RV_BODY_STATIC, (rvPose){{0.3, 0.2, 0}, lowerTurn}, &lowerDef);
    int high = apart_add(&a, RV_BODY_DYNAMIC, (rvPose){{0.3, 0.2, 0}, upperTurn}, &upperDef);
    assert_true(low == 0 && high == 1);
    // bring the top of one to z = 0 and the bottom of the other to -depth; the boxes are wider by half the margin
    double margin = 0.5 * RV_CONTACT_MARGIN;
    if (!is_ground(lower))
        apart_move(&a, low, (rvPose){{0.3, 0.2, margin - a.shapes.items[low].high.z}, lowerTurn});
    apart_move(&a, high, (rvPose){{0.3, 0.2, -margin - a.shapes.items[high].low.z - depth}, upperTurn});
    if (turned)
        rv_narrow(&a.shapes.items[high], &a.shapes.items[low], manifold);
    else
        rv_narrow(&a.shapes.items[low], &a.shapes.items[high], manifold);
    apart_clear(&a);
}

static double deepest(const rvManifold* manifold)
{
    double depth = -1.0;
    for (int i = 0; i < manifold->count; ++i)
        depth = fmax(depth, manifold->touches[i].depth);
    return depth;
}

static void check_stack(rvShapeType lower, rvQuat lowerTurn, rvShapeType upper, rvQuat upperTurn, double depth)
{
    for (int turned = 0; turned < 2; ++turned) {
        rvManifold m;
        stack(&m, lower, lowerTurn, upper, upperTurn, depth, turned == 1);
        if (m.count == 0)
            fail_msg("%s on %s, depth %g: no points", typeNames[upper], typeNames[lower], depth);
        double sign = turned ? -1.0 : 1.0;
        for (int i = 0; i < m.count; ++i) {
            const rvTouch* t = &m.touches[i];
            if (!(sign * t->normal.z > 0.999) ||
                !(fabs(t->point.z + 0.5 * depth) < 0.6 * fabs(depth) + RV_CONTACT_MARGIN))
                fail_msg("%s on %s, depth %g: point %d at %g %g %g, normal %g %g %g", typeNames[upper],
                         typeNames[lower], depth, i, t->point.x, t->point.y, t->point.z, t->normal.x, t->normal.y,
                         t->normal.z);
        }
        // directions of curved pairs settle to 1e-7 rad, of others to round-off
        CHECK_NEAR(deepest(&m), depth, 1e-6 * fabs(depth) + 1e-9);
    }
}

static void EveryPairTouchesAlongTheRightNormal(void** state)
{
    (void)state;
    apart_make_grid(NULL);
    for (int lower = RV_SHAPE_PLANE; lower <= RV_SHAPE_HEIGHT_FIELD; ++lower)
        for (int upper = RV_SHAPE_SPHERE; upper <= RV_SHAPE_HULL; ++upper)
            for (int i = 0; i < 5; ++i) {
                static const double depths[] = {-2e-3, 0.0, 1e-6, 1e-3, 0.02}; // from a gap to an overlap
                double depth = depths[i];
                check_stack(lower, rvQuatIdentity(), upper, rvQuatIdentity(), depth);
            }
}

static void EveryPairTouchesLyingOnItsSide(void** state)
{
    (void)state;
    apart_make_grid(NULL);
    for (int lower = RV_SHAPE_PLANE; lower <= RV_SHAPE_HEIGHT_FIELD; ++lower)
        for (int upper = RV_SHAPE_SPHERE; upper <= RV_SHAPE_HULL; ++upper) {
            rvQuat lying = turn(0, 1.5707963267948966, 0);
            check_stack(lower, rvQuatIdentity(), upper, lying, 1e-3);
            if (!is_ground(lower)) {
                check_stack(lower, lying, upper, lying, 1e-3);
                check_stack(lower, lying, upper, turn(1.5707963267948966, 0, 0), 1e-3);
            }
        }
}

// Corner or rim first onto a flat top.
static void TiltedShapesTouchWithTheirLowestPoint(void** state)
{
    (void)state;
    apart_make_grid(NULL);
    static const rvShapeType flatTops[] = {RV_SHAPE_PLANE, RV_SHAPE_BOX, RV_SHAPE_HULL, RV_SHAPE_MESH,
                                           RV_SHAPE_HEIGHT_FIELD};
    for (int i = 0; i < 5; ++i)
        for (int upper = RV_SHAPE_SPHERE; upper <= RV_SHAPE_HULL; ++upper)
            for (int k = 0; k < 8; ++k)
                check_stack(flatTops[i], rvQuatIdentity(), upper, turn(0.3 + 0.07 * k, 0.4 - 0.1 * k, 0.2 * k), 1e-3);
}

static void PairsApartGiveNothing(void** state)
{
    (void)state;
    apart_make_grid(NULL);
    for (int lower = RV_SHAPE_PLANE; lower <= RV_SHAPE_HEIGHT_FIELD; ++lower)
        for (int upper = RV_SHAPE_SPHERE; upper <= RV_SHAPE_HULL; ++upper)
            for (int k = 0; k < 8; ++k) {
                rvManifold m;
                rvQuat q = k == 0 ? rvQuatIdentity() : turn(0.1 * k, 0.3 * k, -0.2 * k);
                stack(&m, lower, rvQuatIdentity(), upper, q, k < 4 ? -1.001 * RV_CONTACT_MARGIN : -0.1, k % 2 == 1);
                assert_int_equal(m.count, 0);
            }
}

static void StandingShapesHaveThreePointsOrMore(void** state)
{
    (void)state;
    apart_make_grid(NULL);
    static const rvShapeType standing[] = {RV_SHAPE_BOX, RV_SHAPE_CYLINDER, RV_SHAPE_HULL};
    static const rvShapeType flatTops[] = {RV_SHAPE_PLANE,    RV_SHAPE_BOX,  RV_SHAPE_HULL,
                                           RV_SHAPE_CYLINDER, RV_SHAPE_MESH, RV_SHAPE_HEIGHT_FIELD};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 6; ++k)
            for (int yaw = 0; yaw < 5; ++yaw) {
                rvManifold m;
                stack(&m, flatTops[k], rvQuatIdentity(), standing[i], turn(0, 0, 0.2 * yaw), 1e-4, false);
                if (m.count < 3)
                    fail_msg("%s on %s: %d points", typeNames[standing[i]], typeNames[flatTops[k]], m.count);
                // the points surround the middle: some on each side
                for (int side = 0; side < 8; ++side) {
                    rvVec3 n = rvRotate(turn(0, 0, 0.785398 * side), rvVec(1, 0, 0));
                    double most = -1.0;
                    for (int p = 0; p < m.count; ++p)
                        most = fmax(most, rvDot(n, rvSub(m.touches[p].point, rvVec(0.3, 0.2, 0))));
                    // 0.3: a square of half side 0.5, its inner circle cut by the choice of four of eight corners
                    assert_true(most > 0.3);
                }
            }
}

static void LyingRoundShapesHaveTwoPoints(void** state)
{
    (void)state;
    apart_make_grid(NULL);
    static const rvShapeType flatTops[] = {RV_SHAPE_PLANE, RV_SHAPE_BOX, RV_SHAPE_HULL, RV_SHAPE_MESH,
                                           RV_SHAPE_HEIGHT_FIELD};
    for (int k = 0; k < 5; ++k)
        for (int upper = RV_SHAPE_CAPSULE; upper <= RV_SHAPE_CYLINDER; ++upper) {
            rvManifold m;
            stack(&m, flatTops[k], rvQuatIdentity(), upper, turn(0, 1.5707963267948966, 0), 1e-4, false);
            double low = 1.0, high = 0.0;
            for (int i = 0; i < m.count; ++i) {
                low = fmin(low, m.touches[i].point.x);
                high = fmax(high, m.touches[i].point.x);
            }
            assert_true(m.count >= 2);
            assert_true(high - low > 0.55); // the capsule's straight part is 0.6 m long
        }
}

// A deep overlap is pushed out by the shorter way, whatever the pair.
static void DeepOverlapFindsAWayOut(void** state)
{
    (void)state;
    apart_make_grid(NULL);
    for (int lower = RV_SHAPE_PLANE; lower <= RV_SHAPE_HEIGHT_FIELD; ++lower)
        for (int upper = RV_SHAPE_SPHERE; upper <= RV_SHAPE_HULL; ++upper) {
            rvManifold m;
            stack(&m, lower, rvQuatIdentity(), upper, turn(0.02, 0.03, 0.1), 0.2, false);
            assert_true(m.count > 0);
            for (int i = 0; i < m.count; ++i) {
                assert_true(m.touches[i].normal.z > 0.9);
                assert_true(m.touches[i].depth < 0.3);
            }
        }
}

static double wavy(double x, double y)
{
    return 0.05 * sin(x) * cos(y);
}

static void CollidingTakesNoMemory(void** state)
{
    (void)state;
    apart_make_grid(wavy);
    apart a;
    apart_init(&a);
    for (int type = RV_SHAPE_PLANE; type <= RV_SHAPE_HEIGHT_FIELD; ++type) {
        rvShapeDef def = apart_def(type);
        apart_add(&a, is_ground(type) ? RV_BODY_STATIC : RV_BODY_DYNAMIC, at(0, 0, 0), &def);
    }
    int grounds = a.count;
    for (int type = RV_SHAPE_SPHERE; type <= RV_SHAPE_HULL; ++type) {
        rvShapeDef def = apart_def(type);
        apart_add(&a, RV_BODY_DYNAMIC, at(0, 0, 0), &def);
    }
    int touching = 0;
    count_alloc_begin();
    for (int first = 0; first < grounds; ++first)
        for (int second = grounds; second < a.count; ++second)
            for (int k = 0; k < 20; ++k) {
                rvManifold m;
                rvPose pose = {{0.1 * k, 0.05 * k, 0.95 - 0.03 * k}, turn(0.1 * k, 0.2 * k, 0.3 * k)};
                apart_move(&a, second, pose);
                rv_narrow(&a.shapes.items[first], &a.shapes.items[second], &m);
                touching += m.count > 0;
            }
    assert_int_equal(count_alloc_end(), 0);
    assert_true(touching > 200); // of 800 poses
    apart_clear(&a);
}

// A shape at the origin of a ground.
static void start_on_ground(apart* a, rvShapeType ground, rvShapeType shape)
{
    apart_init(a);
    rvShapeDef groundDef = apart_def(ground), shapeDef = apart_def(shape);
    apart_add(a, RV_BODY_STATIC, at(0, 0, 0), &groundDef);
    apart_add(a, RV_BODY_DYNAMIC, at(0, 0, 0), &shapeDef);
}

// A box slid over a flat mesh feels no inner edge: normals stay up, four points at its corners.
static void BoxOnFlatMeshFeelsNoInnerEdges(void** state)
{
    (void)state;
    apart_make_grid(NULL);
    for (int ground = RV_SHAPE_MESH; ground <= RV_SHAPE_HEIGHT_FIELD; ++ground) {
        apart a;
        start_on_ground(&a, ground, RV_SHAPE_BOX);
        for (int i = 0; i < 200; ++i) {
            double x = -2.0 + 0.02 * i;
            apart_move(&a, 1, (rvPose){{x, 0.37 * x, 0.4995}, turn(1e-4 * sin(i), 1e-4 * cos(i), 0.05 * i)});
            rvManifold m;
            rv_narrow(&a.shapes.items[0], &a.shapes.items[1], &m);
            assert_int_equal(m.count, 4);
            for (int k = 0; k < 4; ++k) {
                CHECK_NEAR(m.touches[k].normal.z, 1.0, 1e-6); // tilted by 1e-4 at most
                CHECK_NEAR(m.touches[k].depth, 5e-4, 1e-4);   // half diagonal 0.7 m times 1.4e-4
                double arm = rvLength(rvSub(m.touches[k].point, rvVec(x, 0.37 * x, m.touches[k].point.z)));
                CHECK_NEAR(arm, 0.7071, 0.02); // at the corners
            }
        }
        apart_clear(&a);
    }
}

// A ball rolled over a flat mesh, also across its edges and corners, has one normal and one depth all the way.
static void BallOnFlatMeshRollsSmoothly(void** state)
{
    (void)state;
    apart_make_grid(NULL);
    for (int ground = RV_SHAPE_MESH; ground <= RV_SHAPE_HEIGHT_FIELD; ++ground) {
        apart a;
        start_on_ground(&a, ground, RV_SHAPE_SPHERE);
        for (int i = 0; i <= 400; ++i) {
            apart_move(&a, 1, at(-2.0 + 0.01 * i, -2.0 + 0.005 * i, 0.49));
            rvManifold m;
            rv_narrow(&a.shapes.items[0], &a.shapes.items[1], &m);
            assert_true(m.count >= 1);
            for (int k = 0; k < m.count; ++k) {
                CHECK_NEAR(m.touches[k].normal.z, 1.0, 1e-6); // edges may lean by 1e-3 rad
                CHECK_NEAR(m.touches[k].depth, 0.01, 1e-6);   // and change the depth by the square of that
            }
        }
        apart_clear(&a);
    }
}

// An outer edge does count: a ball beside the ridge of a roof is pushed along the line to the ridge.
static double roof(double x, double y)
{
    (void)y;
    return -0.5 * fabs(x);
}

static void BallOnARidgeIsHeldByTheRidge(void** state)
{
    (void)state;
    apart_make_grid(roof);
    for (int ground = RV_SHAPE_MESH; ground <= RV_SHAPE_HEIGHT_FIELD; ++ground) {
        apart a;
        start_on_ground(&a, ground, RV_SHAPE_SPHERE);
        for (int i = -10; i <= 10; ++i) {
            double angle = 0.04 * i; // the ridge's normals reach to atan(0.5) = 0.46
            apart_move(&a, 1, at(0.49 * sin(angle), 0.3, 0.49 * cos(angle)));
            rvManifold m;
            rv_narrow(&a.shapes.items[0], &a.shapes.items[1], &m);
            assert_true(m.count >= 1);
            for (int k = 0; k < m.count; ++k) {
                CHECK_NEAR(m.touches[k].normal.x, sin(angle), 1e-9); // GJK on points and triangles ends exactly
                CHECK_NEAR(m.touches[k].depth, 0.01, 1e-9);
            }
        }
        apart_clear(&a);
    }
}

// Two walls of a groove each hold the box: normals of both kinds.
static double groove(double x, double y)
{
    (void)y;
    return fabs(x);
}

static void BoxInAGrooveIsHeldByBothSides(void** state)
{
    (void)state;
    apart_make_grid(groove);
    for (int ground = RV_SHAPE_MESH; ground <= RV_SHAPE_HEIGHT_FIELD; ++ground) {
        apart a;
        apart_init(&a);
        rvShapeDef groundDef = apart_def(ground), boxDef = apart_def(RV_SHAPE_BOX);
        apart_add(&a, RV_BODY_STATIC, at(0, 0, 0), &groundDef);
        // on its edge: its lower sides lie along the walls
        rvPose pose = {{0, 0.2, 0.70710678 - 1e-3}, turn(0, 0.78539816339744831, 0)};
        apart_add(&a, RV_BODY_DYNAMIC, pose, &boxDef);
        rvManifold m;
        rv_narrow(&a.shapes.items[0], &a.shapes.items[1], &m);
        int left = 0, right = 0;
        for (int k = 0; k < m.count; ++k) {
            assert_true(fabs(fabs(m.touches[k].normal.x) - 0.70710678) < 1e-6);
            left += m.touches[k].normal.x > 0.0;
            right += m.touches[k].normal.x < 0.0;
        }
        assert_true(left >= 3 && right >= 3);
        apart_clear(&a);
    }
}

static void WhatSankIntoAHeightFieldComesUp(void** state)
{
    (void)state;
    apart_make_grid(wavy);
    for (int upper = RV_SHAPE_SPHERE; upper <= RV_SHAPE_HULL; ++upper) {
        rvManifold m;
        stack(&m, RV_SHAPE_HEIGHT_FIELD, rvQuatIdentity(), upper, turn(0.1, 0.2, 0.3), 2.0, false);
        assert_true(m.count > 0);
        for (int k = 0; k < m.count; ++k)
            assert_true(m.touches[k].normal.z > 0.9);
    }
}

// What has no thickness and lies on a shape is off it by rounding: nearest points that are as good as one tell no
// normal.
static void PointsOnARoundSideHaveItsNormal(void** state)
{
    (void)state;
    apart a;
    apart_init(&a);
    rvShapeDef def = apart_def(RV_SHAPE_CYLINDER);
    rvQuat tilt = turn(0.7, -0.4, 0.2);
    apart_add(&a, RV_BODY_STATIC, (rvPose){{0.3, -0.2, 0.1}, tilt}, &def);
    const rvShape* drum = &a.shapes.items[0];
    for (int i = 0; i < 20000; ++i) {
        double angle = 0.37 * i, off = pow(10.0, -4.0 - 0.6 * (i % 21)), high = 0.8 * sin(1.7 * i) * drum->half;
        rvVec3 n = rvRotate(tilt, rvVec(cos(angle), sin(angle), 0.0));
        rvVec3 foot = rvAdd(drum->pose.p, rvRotate(tilt, rvVec(0.0, 0.0, high)));
        rvManifold m;
        rv_narrow_ball(drum, rvMulAdd(foot, drum->radius + (i % 2 ? off : -off), n), 0.0, &m);
        assert_true(m.count == 1);
        assert_true(rvDistance(m.touches[0].normal, n) < 1e-4); // points are found to 1e-10 m: 1e-4 of 1e-6 m
        CHECK_NEAR(m.touches[0].depth, i % 2 ? -off : off, 1e-9);
    }
    apart_clear(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EveryPairTouchesAlongTheRightNormal),
        cmocka_unit_test(EveryPairTouchesLyingOnItsSide),
        cmocka_unit_test(TiltedShapesTouchWithTheirLowestPoint),
        cmocka_unit_test(PairsApartGiveNothing),
        cmocka_unit_test(StandingShapesHaveThreePointsOrMore),
        cmocka_unit_test(LyingRoundShapesHaveTwoPoints),
        cmocka_unit_test(DeepOverlapFindsAWayOut),
        cmocka_unit_test(CollidingTakesNoMemory),
        cmocka_unit_test(BoxOnFlatMeshFeelsNoInnerEdges),
        cmocka_unit_test(BallOnFlatMeshRollsSmoothly),
        cmocka_unit_test(BallOnARidgeIsHeldByTheRidge),
        cmocka_unit_test(BoxInAGrooveIsHeldByBothSides),
        cmocka_unit_test(WhatSankIntoAHeightFieldComesUp),
        cmocka_unit_test(PointsOnARoundSideHaveItsNormal),
    };
    return RUN_TESTS(tests);
}
