// SPDX-License-Identifier: MIT
// Ropes on height fields, over planes, and over shapes that stand flush or overlap.
#include "cable/rope_rig.h"

static rvPose at(double x, double y, double z)
{
    return (rvPose){rvVec(x, y, z), rvQuatIdentity()};
}

// Moves both ends straight to where they shall be.
static void walk_to(rig* r, rvVec3 a, rvVec3 b, int steps)
{
    rvVec3 fromA = r->path.ends[0], fromB = r->path.ends[1];
    for (int i = 1; i <= steps; ++i) {
        double s = (double)i / steps;
        rig_update(r, rvMulAdd(fromA, s, rvSub(a, fromA)), rvMulAdd(fromB, s, rvSub(b, fromB)));
    }
}

// Heights on 5 x 3 points, a metre apart: a ridge along y at x = 0, higher on one side.
static void add_ridge(rig* r, double left, double right)
{
    double heights[15];
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 5; ++column)
            heights[5 * row + column] = column == 2 ? left + 0.5 * row * (right - left) : 0.0;
    rvShapeDef def = rvDefaultShapeDef(RV_SHAPE_HEIGHT_FIELD);
    def.heights = heights;
    def.columns = 5;
    def.rows = 3;
    def.fieldSize = rvVec(4, 2, 1);
    rig_add(r, at(0, 0, 0), &def);
}

static void RopeIsLetDownOnAHeightField(void** state)
{
    (void)state;
    static rig r;
    for (int steps = 1; steps <= 100; steps *= 10) {
        rig_init(&r, 1);
        add_ridge(&r, 1.0, 1.0);
        rig_begin(&r, rvVec(-1.9, 0.3, 2), rvVec(1.9, 0.3, 2));
        assert_int_equal(r.path.count, 0);
        walk_to(&r, rvVec(-1.9, 0.3, 0.1), rvVec(1.9, 0.3, 0.1), steps);
        CHECK_NEAR(r.path.length, 2.0 * hypot(1.9, 0.9), 1e-12); // over the ridge: closed form
        walk_to(&r, rvVec(-1.9, 0.3, 2), rvVec(1.9, 0.3, 2), steps);
        assert_int_equal(r.path.count, 0);
        CHECK_NEAR(r.path.length, 3.8, 1e-12);
        apart_clear(&r.shapes);
    }
}

// On a ridge that rises the rope slides to where it is straight when both slopes are laid flat: down the ridge it goes
// as far as the triangles' edges lead.
static void RopeSlidesDownTheRidgeOfAHeightField(void** state)
{
    (void)state;
    static rig r;
    rig_init(&r, 1);
    add_ridge(&r, 0.5, 1.5);
    rig_begin(&r, rvVec(-1.9, 0.5, 3), rvVec(1.9, 0.5, 3));
    walk_to(&r, rvVec(-1.9, 0.5, 0.05), rvVec(1.9, 0.5, 0.05), 50);
    double shortest = HUGE_VAL;
    for (int i = 0; i <= 100000; ++i) { // by brute force, along the ridge
        double y = -1.0 + 2e-5 * i;
        rvVec3 top = rvVec(0, y, 1.0 + 0.5 * y);
        shortest = fmin(shortest, rvDistance(rvVec(-1.9, 0.5, 0.05), top) + rvDistance(top, rvVec(1.9, 0.5, 0.05)));
    }
    assert_true(r.path.count >= 1);
    CHECK_BELOW(fabs(r.path.length - shortest), 1e-9); // the brute force errs by the square of 1e-5
    apart_clear(&r.shapes);
}

// The outline of two boxes side by side is that of one: no rope falls through the gap of no width between them.
static void RopeLiesOnBoxesThatStandFlush(void** state)
{
    (void)state;
    static rig r;
    const double overlap[3] = {0.0, 0.3, 1e-9};
    for (int i = 0; i < 3; ++i)
        for (int steps = 1; steps <= 100; steps *= 10) {
            rig_init(&r, 1);
            rvShapeDef box = rvDefaultShapeDef(RV_SHAPE_BOX);
            box.sides = rvVec(1, 2, 1);
            rig_add(&r, at(-0.5 + 0.5 * overlap[i], 0, -0.5), &box);
            rig_add(&r, at(0.5 - 0.5 * overlap[i], 0, -0.5), &box);
            rig_begin(&r, rvVec(-2, 0.1, 1), rvVec(2, 0.2, 1));
            walk_to(&r, rvVec(-2, 0.1, -1), rvVec(2, 0.2, -1), steps);
            double edge = 1.0 - 0.5 * overlap[i], slope = hypot(2.0 - edge, 1.0);
            CHECK_NEAR(r.path.length, hypot(2.0 * slope + 2.0 * edge, 0.1), 1e-9); // unfolded
            walk_to(&r, rvVec(-0.05, 0.1, -0.2), rvVec(2, 0.2, -1), steps);        // an end inside: it stays finite
            assert_true(isfinite(r.path.length));
            apart_clear(&r.shapes);
        }
}

// A straight line between two points above a plane is above it: a plane needs no node, and gets none.
static void PlaneHoldsARopeByItsEnds(void** state)
{
    (void)state;
    static rig r;
    rig_init(&r, 5);
    rvShapeDef plane = rvDefaultShapeDef(RV_SHAPE_PLANE), box = rvDefaultShapeDef(RV_SHAPE_BOX);
    box.sides = rvVec(1, 1, 1);
    rig_add(&r, at(0, 0, 0), &plane);
    rig_add(&r, at(0, 0, 0.5), &box);
    rig_begin(&r, rvVec(-2, 0, 3), rvVec(2, 0, 3));
    for (int i = 0; i < 2000; ++i) {
        rvVec3 a = rvVec(rig_between(&r, -3, -1), rig_between(&r, -0.4, 0.4), rig_between(&r, 0, 2));
        rvVec3 b = rvVec(rig_between(&r, 1, 3), rig_between(&r, -0.4, 0.4), rig_between(&r, 0, 2));
        walk_to(&r, a, b, 4);
        for (int k = 0; k < r.path.count; ++k) {
            assert_int_equal(r.nodes[k].shape, 1);
            assert_true(r.touches[k].in.z >= -1e-12); // round-off
        }
    }
    apart_clear(&r.shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RopeIsLetDownOnAHeightField),
        cmocka_unit_test(RopeSlidesDownTheRidgeOfAHeightField),
        cmocka_unit_test(RopeLiesOnBoxesThatStandFlush),
        cmocka_unit_test(PlaneHoldsARopeByItsEnds),
    };
    return RUN_TESTS(tests);
}
