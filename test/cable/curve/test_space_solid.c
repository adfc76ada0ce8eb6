// SPDX-License-Identifier: MIT
#include "cable/curve/space_solid.h"
#include "check.h"
#include "random.h"
#include "support/block.h"

static const rvShapeType Types[] = {RV_SHAPE_BOX, RV_SHAPE_HULL, RV_SHAPE_MESH};
enum { TYPES = 3 };

// A block of 0.2 x 2 x 0.01 m.
static rvShape make_block(rvMemory* memory, rvShapeType type)
{
    rvVec3 points[BLOCK_CORNERS];
    rvShapeDef def = block_shape(type, rvVec(0.2, 2.0, 0.01), points);
    rvShape shape = {.type = type, .halves = rvScale(0.5, def.sides)};
    if (type == RV_SHAPE_HULL)
        assert_int_equal(rv_hull_build(&shape.hull, memory, points, BLOCK_CORNERS), RV_HULL_OK);
    if (type == RV_SHAPE_MESH)
        assert_true(rv_mesh_build(&shape.mesh, memory, points, BLOCK_CORNERS, BlockTriangles, BLOCK_TRIANGLES));
    return shape;
}

static void release_block(rvMemory* memory, rvShape* shape)
{
    if (shape->type == RV_SHAPE_HULL)
        rv_hull_release(&shape->hull, memory);
    if (shape->type == RV_SHAPE_MESH)
        rv_mesh_release(&shape->mesh, memory);
}

static rvVec3 anywhere(double size)
{
    double x = between(-size, size), y = between(-size, size);
    return rvVec(x, y, between(-size, size));
}

static void BoxHullAndMeshAreAsFarAway(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvShape shapes[TYPES];
    for (int k = 0; k < TYPES; ++k)
        shapes[k] = make_block(&memory, Types[k]);
    seed = 1;
    for (int i = 0; i < 2000; ++i) {
        rvVec3 x = i % 2 ? anywhere(1.5) : anywhere(0.005); // inside, half of them: y is within
        rvSpaceDistance box = rv_space_solid_distance(&shapes[0], x, rvVec(0, 0, 0), 10.0);
        for (int k = 1; k < TYPES; ++k) {
            rvSpaceDistance d = rv_space_solid_distance(&shapes[k], x, rvVec(0, 0, 0), 10.0);
            CHECK_NEAR(d.gap, box.gap, 1e-12); // round-off of GJK
            CHECK_NEAR(rvDot(d.out, box.out), 1.0, 1e-9);
        }
    }
    for (int k = 0; k < TYPES; ++k)
        release_block(&memory, &shapes[k]);
}

static void OutIsHowTheGapGrows(void** state)
{
    (void)state;
    rvMemory memory = {0};
    const double step = 1e-6;
    for (int k = 0; k < TYPES; ++k) {
        rvShape shape = make_block(&memory, Types[k]);
        seed = 2;
        for (int i = 0; i < 500; ++i) {
            rvVec3 x = i % 2 ? anywhere(1.5) : anywhere(0.0049), n = rvNormalizeOr(anywhere(1.0), rvVec(0, 0, 1));
            rvSpaceDistance d = rv_space_solid_distance(&shape, x, rvVec(0, 0, 0), 10.0);
            double more = rv_space_solid_distance(&shape, rvMulAdd(x, step, n), rvVec(0, 0, 0), 10.0).gap;
            double less = rv_space_solid_distance(&shape, rvMulAdd(x, -step, n), rvVec(0, 0, 0), 10.0).gap;
            if (fabs(d.gap) < 1e-3 || fabs(x.z) < 2.0 * step) // an edge may be between
                continue;
            CHECK_NEAR((more - less) / (2.0 * step), rvDot(d.out, n), 1e-6); // step^2/gap^2, round-off
        }
        release_block(&memory, &shape);
    }
}

static void MeshHasNothingInside(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvShape mesh = make_block(&memory, RV_SHAPE_MESH), box = make_block(&memory, RV_SHAPE_BOX);
    assert_true(rv_space_solid_is_behind(&mesh, -0.003, 0.002));
    assert_false(rv_space_solid_is_behind(&mesh, -0.001, 0.002));
    assert_false(rv_space_solid_is_behind(&box, -0.003, 0.002));
    release_block(&memory, &mesh);
}

static void PointsGoThroughFaces(void** state)
{
    (void)state;
    rvMemory memory = {0};
    for (int k = 0; k < TYPES; ++k) {
        rvShape shape = make_block(&memory, Types[k]);
        rvVec3 above = rvVec(0.03, 0.1, 0.02), below = rvVec(0.05, 0.2, -0.3), in = rvVec(0.03, 0.1, 0.003), at, out;
        assert_int_equal(rv_space_solid_pass_point(&shape, above, below, 0.001, &at, &out), RV_SPACE_THROUGH);
        CHECK_NEAR(out.z, 1.0, 1e-12);
        assert_int_equal(rv_space_solid_pass_point(&shape, above, in, 0.001, &at, &out), RV_SPACE_THROUGH);
        assert_int_equal(rv_space_solid_pass_point(&shape, above, in, 0.003, &at, &out), RV_SPACE_SUNK); // 2 mm deep
        assert_int_equal(rv_space_solid_pass_point(&shape, in, below, 0.001, &at, &out),
                         RV_SPACE_OUTSIDE); // from inside
        assert_int_equal(rv_space_solid_pass_point(&shape, above, rvVec(0.2, 0.1, 0.006), 0.001, &at, &out),
                         RV_SPACE_OUTSIDE);
        // around the edge at x = 0.1, z = 0.005, which it cuts by a millimetre
        assert_int_equal(
            rv_space_solid_pass_point(&shape, rvVec(0.098, 0, 0.006), rvVec(0.101, 0, 0.003), 0.001, &at, &out),
            RV_SPACE_SUNK);
        release_block(&memory, &shape);
    }
}

static void ChordsGoThroughEdges(void** state)
{
    (void)state;
    rvMemory memory = {0};
    for (int k = 0; k < TYPES; ++k) {
        rvShape shape = make_block(&memory, Types[k]);
        // across the edge at x = 0.1, both ends beside the block, from above
        const rvVec3 from[2] = {rvVec(0.05, 0, 0.03), rvVec(0.15, 0, 0.03)};
        const rvVec3 to[2] = {rvVec(0.05, 0, -0.03), rvVec(0.15, 0, -0.07)};
        const rvVec3 shallow[2] = {rvVec(0.05, 0, 0.0058), rvVec(0.15, 0, 0.0038)};
        double at;
        rvVec3 out;
        assert_int_equal(rv_space_solid_pass_chord(&shape, from, to, 0.001, &at, &out), RV_SPACE_THROUGH);
        CHECK_NEAR(at, 0.5, 1e-9);
        CHECK_BELOW(0.9, out.z); // it came from above
        assert_int_equal(rv_space_solid_pass_chord(&shape, to, from, 0.001, &at, &out), RV_SPACE_THROUGH);
        CHECK_BELOW(0.9, -out.z);
        assert_int_equal(rv_space_solid_pass_chord(&shape, from, shallow, 0.001, &at, &out), RV_SPACE_SUNK);
        assert_int_equal(rv_space_solid_pass_chord(&shape, shallow, from, 0.001, &at, &out), RV_SPACE_OUTSIDE);
        release_block(&memory, &shape);
    }
}

// In a plane along the plate the way out is along it, too: of 5 mm that it is deep there nothing is known.
static void DepthIsCountedAlongThePlane(void** state)
{
    (void)state;
    rvMemory memory = {0};
    for (int k = 0; k < 2; ++k) {
        rvShape shape = make_block(&memory, Types[k]);
        rvVec3 x = rvVec(0.06, 0.1, 0.001);
        rvSpaceDistance free = rv_space_solid_distance(&shape, x, rvVec(0, 0, 0), 1.0);
        rvSpaceDistance flat = rv_space_solid_distance(&shape, x, rvVec(0, 0, 1), 1.0);
        CHECK_NEAR(free.gap, -0.004, 1e-15); // round-off
        CHECK_NEAR(free.out.z, 1.0, 1e-15);
        CHECK_NEAR(flat.gap, -0.04, 1e-15);
        CHECK_NEAR(flat.out.x, 1.0, 1e-15);
        // across a plane that leans the upper face is 4 mm/sin(0.1) away, the side 40 mm/cos(0.1)
        rvSpaceDistance leans = rv_space_solid_distance(&shape, x, rvVec(sin(0.1), 0, cos(0.1)), 1.0);
        CHECK_NEAR(leans.gap, -0.04, 1e-15); // a slope of 0.1 holds nothing
        leans = rv_space_solid_distance(&shape, x, rvVec(sin(0.3), 0, cos(0.3)), 1.0);
        CHECK_NEAR(leans.gap, -0.004, 1e-15);
        release_block(&memory, &shape);
    }
}

// What is told of a surface that is beyond the reach is no touch, whatever is taken off: told to be at the reach, less
// the radius of a curve it was within the margin by rounding, and held threads in the air beside a mesh.
static void SurfaceBeyondReachIsNotThere(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvShape mesh = make_block(&memory, RV_SHAPE_MESH);
    rvVec3 none = rvVec(0, 0, 0), above = rvVec(0.01, 0.02, 0.105);
    CHECK_NEAR(rv_space_solid_distance(&mesh, above, none, 0.2).gap, 0.1, 1e-15); // round-off
    assert_true(rv_space_solid_distance(&mesh, above, none, 0.09).gap == HUGE_VAL);
    release_block(&memory, &mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BoxHullAndMeshAreAsFarAway),   cmocka_unit_test(OutIsHowTheGapGrows),
        cmocka_unit_test(MeshHasNothingInside),         cmocka_unit_test(PointsGoThroughFaces),
        cmocka_unit_test(ChordsGoThroughEdges),         cmocka_unit_test(DepthIsCountedAlongThePlane),
        cmocka_unit_test(SurfaceBeyondReachIsNotThere),
    };
    return RUN_TESTS(tests);
}
