// SPDX-License-Identifier: MIT
// Why ODE does some pairs and not others: what it gives for them.
#include "check.h"
#include "contact/geom.h"
#include "count_alloc.h"
#include "reeve/shape.h"

#include <ode/ode.h>
#include <pthread.h>

static double planes[24] = {1, 0, 0, 0.5, -1, 0, 0, 0.5, 0, 1, 0, 0.5, 0, -1, 0, 0.5, 0, 0, 1, 0.5, 0, 0, -1, 0.5};
static double corners[24] = {-0.5, -0.5, -0.5, 0.5, -0.5, -0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5,
                             -0.5, -0.5, 0.5,  0.5, -0.5, 0.5,  -0.5, 0.5, 0.5,  0.5, 0.5, 0.5};
static unsigned polygons[30] = {4, 1, 3, 7, 5, 4, 0, 4, 6, 2, 4, 2, 6, 7, 3,
                                4, 0, 1, 5, 4, 4, 4, 5, 7, 6, 4, 0, 2, 3, 1};

// Points that ODE gives for `upper` lying 1 mm deep in a box of side 1 m, and the memory it took.
static int points_on_box(dGeomID upper, double bottom, long* taken)
{
    dGeomID box = dCreateBox(NULL, 1, 1, 1);
    dContactGeom found[16];
    dGeomSetPosition(upper, 0.1, 0.1, 0.5 + bottom - 1e-3);
    count_alloc_begin();
    int count = dCollide(box, upper, 16, found, sizeof found[0]);
    *taken = count_alloc_end();
    dGeomDestroy(box);
    return count;
}

static void OdeGivesOnePointWhereALoadNeedsMore(void** state)
{
    (void)state;
    rv_geom_destroy(rv_geom_create(&(rvShapeDef){.type = RV_SHAPE_SPHERE, .radius = 1})); // starts ODE
    long taken = 0;
    dGeomID hull = dCreateConvex(NULL, planes, 6, corners, 8, polygons);
    assert_int_equal(points_on_box(hull, 0.5, &taken), 1);
    dGeomDestroy(hull);
    dGeomID capsule = dCreateCapsule(NULL, 0.2, 0.6);
    dMatrix3 lying;
    dRFromAxisAndAngle(lying, 0, 1, 0, 1.5707963267948966);
    dGeomSetRotation(capsule, lying);
    assert_int_equal(points_on_box(capsule, 0.2, &taken), 1);
    dGeomDestroy(capsule);
    assert_false(rv_geom_knows(RV_SHAPE_BOX, RV_SHAPE_HULL));
    assert_false(rv_geom_knows(RV_SHAPE_BOX, RV_SHAPE_CAPSULE));
}

static void OdeTakesMemoryOnMeshes(void** state)
{
    (void)state;
    rv_geom_destroy(rv_geom_create(&(rvShapeDef){.type = RV_SHAPE_SPHERE, .radius = 1})); // starts ODE
    assert_true(dAllocateODEDataForThread(dAllocateMaskAll));
    static double vertices[12] = {-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0};
    static unsigned triangles[6] = {0, 1, 2, 0, 2, 3};
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, vertices, 24, 4, triangles, 6, 12);
    dGeomID mesh = dCreateTriMesh(NULL, data, NULL, NULL, NULL);
    dGeomID box = dCreateBox(NULL, 1, 1, 1);
    dGeomSetPosition(box, 0.3, 0.2, 0.499);
    dContactGeom found[16];
    count_alloc_begin();
    int count = dCollide(mesh, box, 16, found, sizeof found[0]);
    assert_true(count_alloc_end() > 0);
    assert_true(count > 0);
    dGeomDestroy(box);
    dGeomDestroy(mesh);
    dGeomTriMeshDataDestroy(data);
    dCleanupODEAllDataForThread();
    assert_false(rv_geom_knows(RV_SHAPE_MESH, RV_SHAPE_BOX));
}

static void* collide_used_pairs(void* failures)
{
    for (int a = RV_SHAPE_PLANE; a <= RV_SHAPE_CYLINDER; ++a)
        for (int b = RV_SHAPE_SPHERE; b <= RV_SHAPE_CYLINDER; ++b) {
            if (!rv_geom_knows(a, b))
                continue;
            rvShapeDef first = rvDefaultShapeDef(a), second = rvDefaultShapeDef(b);
            struct dxGeom* one = rv_geom_create(&first);
            struct dxGeom* two = rv_geom_create(&second);
            rvManifold m = {.count = 0};
            count_alloc_begin();
            rv_geom_place(one, a, (rvPose){{0, 0, 0}, {1, 0, 0, 0}});
            rv_geom_place(two, b, (rvPose){{0.05, 0.02, 0.45}, {1, 0, 0, 0}});
            rv_geom_collide(one, two, &m);
            *(long*)failures += count_alloc_end() + (m.count == 0);
            rv_geom_destroy(one);
            rv_geom_destroy(two);
        }
    return NULL;
}

// On a thread that never told ODE of itself.
static void UsedPairsNeedNoMemoryAndNoThreadData(void** state)
{
    (void)state;
    long failures = 0;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, collide_used_pairs, &failures), 0);
    pthread_join(thread, NULL);
    assert_int_equal(failures, 0);
}

static void KnowingIsMutual(void** state)
{
    (void)state;
    for (int a = RV_SHAPE_PLANE; a <= RV_SHAPE_HEIGHT_FIELD; ++a)
        for (int b = RV_SHAPE_PLANE; b <= RV_SHAPE_HEIGHT_FIELD; ++b)
            assert_int_equal(rv_geom_knows(a, b), rv_geom_knows(b, a));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(OdeGivesOnePointWhereALoadNeedsMore),
        cmocka_unit_test(OdeTakesMemoryOnMeshes),
        cmocka_unit_test(UsedPairsNeedNoMemoryAndNoThreadData),
        cmocka_unit_test(KnowingIsMutual),
    };
    return RUN_TESTS(tests);
}
