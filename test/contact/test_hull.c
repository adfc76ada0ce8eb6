// SPDX-License-Identifier: MIT
#include "check.h"
#include "contact/hull.h"
#include "support/random.h"

static double noise(uint64_t* seed)
{
    return rv_draw_between(seed, -0.5, 0.5);
}

// Every point inside, every edge shared by two faces, Euler's count.
static void check_hull(const rvHull* hull, const rvVec3* points, int pointCount, double tolerance)
{
    for (int f = 0; f < hull->faceCount; ++f)
        for (int i = 0; i < pointCount; ++i)
            CHECK_BELOW(rvDot(hull->faces[f].normal, points[i]) - hull->faces[f].offset, tolerance);
    assert_int_equal(hull->pointCount - hull->cornerCount / 2 + hull->faceCount, 2);
    for (int f = 0; f < hull->faceCount; ++f) {
        const rvHullFace* face = &hull->faces[f];
        assert_true(face->count >= 3);
        for (int i = 0; i < face->count; ++i) {
            rvVec3 p = hull->points[hull->corners[face->first + i]];
            CHECK_NEAR(rvDot(face->normal, p), face->offset, tolerance);
        }
    }
}

static void CubeHasSixFacesOfFourCorners(void** state)
{
    (void)state;
    rvVec3 points[27];
    int count = 0;
    for (int i = 0; i < 27; ++i) // middles of edges and faces and the centre are no corners
        points[count++] = rvVec(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
    rvMemory memory = {0};
    rvHull hull;
    assert_int_equal(rv_hull_build(&hull, &memory, points, count), RV_HULL_OK);
    check_hull(&hull, points, count, 1e-12); // whole numbers: round-off only
    assert_int_equal(hull.faceCount, 6);
    CHECK_NEAR(hull.inradius, 1.0, 1e-12);
    rv_hull_release(&hull, &memory);
    assert_int_equal(memory.taken, 0);
}

static void RandomPointsAreAllInside(void** state)
{
    (void)state;
    uint64_t seed = 7;
    for (int trial = 0; trial < 14; ++trial) {
        rvVec3 points[RV_HULL_MAX_POINTS];
        int count = 4 + 19 * trial;
        for (int i = 0; i < count; ++i) {
            points[i] = rvVec(noise(&seed), noise(&seed), noise(&seed));
            if (trial % 2 == 1) // all on a sphere: every point is a corner
                points[i] = rvNormalizeOr(points[i], rvVec(1, 0, 0));
        }
        rvMemory memory = {0};
        rvHull hull;
        assert_int_equal(rv_hull_build(&hull, &memory, points, count), RV_HULL_OK);
        check_hull(&hull, points, count, 2e-7); // what lies this close to a face is on it: 100 x 1e-9 x extent
        if (trial % 2 == 1)
            assert_int_equal(hull.pointCount, count);
        rv_hull_release(&hull, &memory);
        assert_int_equal(memory.taken, 0);
    }
}

// 128 corners in two planes: as flat as hulls come.
static void PrismHasTwoLargeFaces(void** state)
{
    (void)state;
    rvVec3 points[256];
    for (int i = 0; i < 128; ++i) {
        double angle = 2.0 * 3.14159265358979 * i / 128;
        points[i] = rvVec(cos(angle), sin(angle), 0);
        points[128 + i] = rvVec(cos(angle), sin(angle), 0.01);
    }
    rvMemory memory = {0};
    rvHull hull;
    assert_int_equal(rv_hull_build(&hull, &memory, points, 256), RV_HULL_OK);
    check_hull(&hull, points, 256, 2e-7); // as above
    assert_int_equal(hull.pointCount, 256);
    assert_int_equal(hull.faceCount, 130);
    rv_hull_release(&hull, &memory);
}

static void FlatPointsAreRefused(void** state)
{
    (void)state;
    rvVec3 point[4] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    rvVec3 line[5] = {{0, 0, 0}, {1, 2, 3}, {2, 4, 6}, {3, 6, 9}, {-1, -2, -3}};
    rvVec3 plane[5] = {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {0.5, 0.5, 1}};
    rvMemory memory = {0};
    rvHull hull;
    assert_int_equal(rv_hull_build(&hull, &memory, point, 4), RV_HULL_FLAT);
    assert_int_equal(rv_hull_build(&hull, &memory, line, 5), RV_HULL_FLAT);
    assert_int_equal(rv_hull_build(&hull, &memory, plane, 5), RV_HULL_FLAT);
    assert_int_equal(memory.taken, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CubeHasSixFacesOfFourCorners),
        cmocka_unit_test(RandomPointsAreAllInside),
        cmocka_unit_test(PrismHasTwoLargeFaces),
        cmocka_unit_test(FlatPointsAreRefused),
    };
    return RUN_TESTS(tests);
}
