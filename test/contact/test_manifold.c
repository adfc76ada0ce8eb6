// SPDX-License-Identifier: MIT
// Which points of two faces are kept.
#include "check.h"
#include "contact/manifold.h"
#include "support/random.h"

static rvConvex make_box(rvVec3 p, rvVec3 half, rvQuat q)
{
    rvConvex box = {.type = RV_SHAPE_BOX, .p = p, .halves = half};
    box.axes[0] = rvRotate(q, rvVec(1, 0, 0));
    box.axes[1] = rvRotate(q, rvVec(0, 1, 0));
    box.axes[2] = rvRotate(q, rvVec(0, 0, 1));
    return box;
}

static double next_number(uint64_t* seed)
{
    return rv_draw_between(seed, -1.0, 1.0);
}

// Edges that fall together up to round-off cross anywhere: the corners count, not that crossing.
static void AlignedBoxesTouchAtTheirCorners(void** state)
{
    (void)state;
    const rvVec3 half = {3.03, 1.22, 1.3};
    uint64_t seed = 1;
    for (int i = 0; i < 4000; ++i) {
        double size = pow(10.0, -17.0 + i / 400); // of the turn: below, at and above what counts as aligned
        rvVec3 rotation = rvScale(size, rvVec(next_number(&seed), next_number(&seed), next_number(&seed)));
        rvVec3 shift = rvScale(size, rvVec(next_number(&seed), next_number(&seed), 0.0));
        rvConvex a = make_box(rvVec(0, 0, 0), half, rvQuatIdentity());
        rvConvex b = make_box(rvAdd(shift, rvVec(0, 0, 2.599)), half, rvQuatFromRotation(rotation));
        rvManifold m = {.count = 0};
        rv_manifold_clip(&m, &a, &b, rvVec(0, 0, 1));
        rv_manifold_reduce(&m, RV_MANIFOLD_POINTS);
        assert_int_equal(m.count, 4);
        for (int k = 0; k < 4; ++k) {
            CHECK_NEAR(fabs(m.touches[k].point.x), half.x, 1e-6); // what counts as the same point
            CHECK_NEAR(fabs(m.touches[k].point.y), half.y, 1e-6); // the same
        }
    }
}

// Of the points of a turned box's face those are kept that span nearly all of what it stands on.
static void FourPointsSpanMostOfTheFace(void** state)
{
    (void)state;
    for (int i = 0; i < 90; ++i) {
        rvQuat q = rvQuatFromRotation(rvVec(0, 0, 0.0349 * i)); // two degrees
        rvConvex a = make_box(rvVec(0, 0, 0), rvVec(2, 1, 0.5), rvQuatIdentity());
        rvConvex b = make_box(rvVec(0.1, 0.05, 0.999), rvVec(2, 1, 0.5), q);
        rvManifold m = {.count = 0};
        rv_manifold_clip(&m, &a, &b, rvVec(0, 0, 1));
        double whole = 0.0, kept = 0.0; // twice the area; clipping leaves the points in order
        for (int k = 0; k < m.count; ++k)
            whole += rvCross(m.touches[k].point, m.touches[(k + 1) % m.count].point).z;
        rv_manifold_reduce(&m, RV_MANIFOLD_POINTS);
        assert_int_equal(m.count, 4);
        for (int k = 0; k < m.count; ++k)
            kept += rvCross(m.touches[k].point, m.touches[(k + 1) % m.count].point).z;
        assert_true(fabs(kept) > 0.6 * fabs(whole)); // a square in a regular octagon has 0.7 of it
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(AlignedBoxesTouchAtTheirCorners),
        cmocka_unit_test(FourPointsSpanMostOfTheFace),
    };
    return RUN_TESTS(tests);
}
