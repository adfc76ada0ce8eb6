// SPDX-License-Identifier: MIT
// Meshes from OBJ files.
#include "scene_text.h"

static const char SCENE[] = "reeve: 1\nbodies:\n  m: {type: static, shapes: [{type: mesh, file: test_mesh.obj}]}\n";

static void write_mesh(const char* text)
{
    FILE* file = fopen("test_mesh.obj", "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void FacesAreCutIntoTriangles(void** state)
{
    (void)state;
    write_mesh("# a square and a triangle\nmtllib x.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nvn 0 0 1\nv 0 1 0\n"
               "f 1/1/1 2/2/1 3//1 4\nf -4 -3 -1\r\n");
    rvScene* scene = load_good(SCENE);
    const rvShapeDef* shape = rvScene_GetShape(scene, 0, 0);
    static const int expected[9] = {0, 1, 2, 0, 2, 3, 0, 1, 3};
    assert_int_equal(shape->pointCount, 4);
    assert_int_equal(shape->triangleCount, 3);
    assert_memory_equal(shape->triangles, expected, sizeof expected);
    CHECK_NEAR(shape->points[3].y, 1.0, 0.0); // read as written
    rvScene_Destroy(scene);
}

static void BrokenFilesAreRefused(void** state)
{
    (void)state;
    write_mesh("v 0 0 0\nv 1 0\n");
    expect_refused(SCENE,
                   "t.yaml:3:49: bodies.m.shapes[0].file: the mesh \"test_mesh.obj\", line 2: expected \"v x y z\"");
    write_mesh("v 0 0 0\nv 1 0\n2 v 1 0\nf 1 1 1\n"); // the third number is not that of the next line
    expect_refused(SCENE,
                   "t.yaml:3:49: bodies.m.shapes[0].file: the mesh \"test_mesh.obj\", line 2: expected \"v x y z\"");
    write_mesh("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n");
    expect_refused(
        SCENE, "t.yaml:3:49: bodies.m.shapes[0].file: the mesh \"test_mesh.obj\", line 4: expected \"f\" with at least"
               " three corners that exist");
    write_mesh("v 0 0 0\n");
    expect_refused(SCENE, "t.yaml:3:49: bodies.m.shapes[0].file: the mesh \"test_mesh.obj\" has no faces");
    write_mesh("v nan 0 0\n");
    expect_refused(SCENE,
                   "t.yaml:3:49: bodies.m.shapes[0].file: the mesh \"test_mesh.obj\", line 1: expected \"v x y z\"");
}

static void DevicesAreNoMeshes(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nbodies:\n  m: {type: static, shapes: [{type: mesh, file: /dev/zero}]}\n",
                   "t.yaml:3:49: bodies.m.shapes[0].file: the mesh \"/dev/zero\": is not a plain file");
}

static int remove_mesh(void** state)
{
    (void)state;
    return remove("test_mesh.obj");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FacesAreCutIntoTriangles),
        cmocka_unit_test(BrokenFilesAreRefused),
        cmocka_unit_test(DevicesAreNoMeshes),
    };
    return cmocka_run_group_tests(tests, NULL, remove_mesh);
}
