// SPDX-License-Identifier: MIT
// Shapes as triangles: solids are closed, turn outwards and have their volume.
#include "check.h"

#include "output/surface.h"

#define PI 3.14159265358979

// By the divergence theorem: sum a . (b x c)/6 over the triangles.
static double volume(const rvSurface* s)
{
    double sum = 0.0;
    for (int i = 0; i < s->triangleCount; ++i) {
        const int* t = s->triangles + 3 * i;
        sum += rvDot(s->points[t[0]], rvCross(s->points[t[1]], s->points[t[2]])) / 6.0;
    }
    return sum;
}

// The area vectors of a closed surface add up to nothing.
static double open_area(const rvSurface* s)
{
    rvVec3 sum = rvVec(0, 0, 0);
    for (int i = 0; i < s->triangleCount; ++i) {
        const int* t = s->triangles + 3 * i;
        rvVec3 a = s->points[t[0]];
        sum = rvMulAdd(sum, 0.5, rvCross(rvSub(s->points[t[1]], a), rvSub(s->points[t[2]], a)));
    }
    return rvLength(sum);
}

static void check_solid(const rvShapeDef* shape, double expected, double tolerance)
{
    rvSurface s;
    assert_true(rv_surface_make(&s, shape));
    CHECK_BELOW(open_area(&s), 1e-12); // rounding
    CHECK_NEAR(volume(&s) / expected, 1.0, tolerance);
    rv_surface_release(&s);
}

static void SolidsAreClosedAndTurnOutwards(void** state)
{
    (void)state;
    rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_BOX);
    shape.frame.p = rvVec(3, -2, 5);
    shape.frame.q = rvQuatFromAxisAngle(rvVec(1, 2, 3), 0.7);
    shape.sides = rvVec(1, 2, 3);
    check_solid(&shape, 6.0, 1e-12); // flat faces: rounding
    shape.type = RV_SHAPE_SPHERE;
    shape.radius = 0.5;
    check_solid(&shape, 4.0 / 3.0 * PI * 0.125, 0.04); // chords of 15 degrees: about 1 - (15 deg)^2/6 each way
    shape.type = RV_SHAPE_CYLINDER;
    shape.length = 2.0;
    check_solid(&shape, PI * 0.25 * 2.0, 0.02); // chords of 15 degrees
    shape.type = RV_SHAPE_CAPSULE;
    check_solid(&shape, PI * 0.25 * (2.0 + 4.0 / 3.0 * 0.5), 0.03); // chords of 15 degrees
}

static void HullsAreClosed(void** state)
{
    (void)state;
    static const rvVec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 0.1}};
    rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_HULL);
    shape.points = points;
    shape.pointCount = 5;
    check_solid(&shape, 1.0 / 6.0, 1e-12); // flat faces: rounding
}

static void FieldsCoverTheirSize(void** state)
{
    (void)state;
    static const double heights[] = {0, 0, 0, 1, 1, 1};
    rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_HEIGHT_FIELD);
    shape.heights = heights;
    shape.columns = 3;
    shape.rows = 2;
    shape.fieldSize = rvVec(4, 6, 1);
    rvSurface s;
    assert_true(rv_surface_make(&s, &shape));
    assert_int_equal(s.triangleCount, 4);
    CHECK_NEAR(s.points[0].x, -2.0, 0.0); // exact
    CHECK_NEAR(s.points[5].y, 3.0, 0.0);  // exact
    CHECK_NEAR(s.points[5].z, 1.0, 0.0);  // exact
    rv_surface_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SolidsAreClosedAndTurnOutwards),
        cmocka_unit_test(HullsAreClosed),
        cmocka_unit_test(FieldsCoverTheirSize),
    };
    return RUN_TESTS(tests);
}
