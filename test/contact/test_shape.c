// SPDX-License-Identifier: MIT
// Definitions of shapes: what is refused, and in which words.
#include "check.h"
#include "shapes_apart.h"

#include <stdlib.h>
#include <string.h>

static void refuse(rvBodyType body, const rvShapeDef* def, const char* words)
{
    apart a;
    apart_init(&a);
    rvPose pose = rvPoseIdentity();
    if (apart_add(&a, body, pose, def) >= 0)
        fail_msg("accepted; expected: %s", words);
    assert_string_equal(a.error.text, words);
    assert_int_equal(a.shapes.pool.alive, 0);
    apart_clear(&a);
    assert_int_equal(a.memory.taken, 0);
}

static rvShapeDef named(rvShapeType type)
{
    rvShapeDef def = apart_def(type);
    def.name = "floor";
    return def;
}

static void BadSizesNameTheirField(void** state)
{
    (void)state;
    apart_make_grid(NULL);
    rvShapeDef def = named(RV_SHAPE_SPHERE);
    def.radius = -1;
    refuse(RV_BODY_DYNAMIC, &def, "shape 'floor': radius: is -1 m, must be finite and > 0");
    def = named(RV_SHAPE_BOX);
    def.sides.y = (double)NAN;
    refuse(RV_BODY_DYNAMIC, &def, "shape 'floor': sides.y: is nan m, must be finite and > 0");
    def = named(RV_SHAPE_CYLINDER);
    def.length = HUGE_VAL;
    refuse(RV_BODY_DYNAMIC, &def, "shape 'floor': length: is inf m, must be finite and > 0");
    def = named(RV_SHAPE_HEIGHT_FIELD);
    def.rows = 1;
    refuse(RV_BODY_STATIC, &def, "shape 'floor': rows: is 1, must be >= 2");
    def = named(RV_SHAPE_HEIGHT_FIELD);
    def.fieldSize.z = 0;
    refuse(RV_BODY_STATIC, &def, "shape 'floor': fieldSize.z: is 0 m, must be finite and > 0");
    def = named(RV_SHAPE_HEIGHT_FIELD);
    def.heights = NULL;
    refuse(RV_BODY_STATIC, &def, "shape 'floor': heights: must hold columns * rows values");
}

static void BadMaterialsNameTheirField(void** state)
{
    (void)state;
    rvShapeDef def = named(RV_SHAPE_BOX);
    def.friction = -0.1;
    refuse(RV_BODY_DYNAMIC, &def, "shape 'floor': friction: is -0.1, must be finite and >= 0");
    def = named(RV_SHAPE_BOX);
    def.restitution = 1.5;
    refuse(RV_BODY_DYNAMIC, &def, "shape 'floor': restitution: is 1.5, must be within 0..1");
    def = named(RV_SHAPE_BOX);
    def.compliance = -1e-8;
    refuse(RV_BODY_DYNAMIC, &def, "shape 'floor': compliance: is -1e-08 m/N, must be finite and >= 0");
    def = named(RV_SHAPE_BOX);
    def.damping = (double)NAN;
    refuse(RV_BODY_DYNAMIC, &def, "shape 'floor': damping: is nan s, must be finite");
    def = named(RV_SHAPE_BOX);
    def.frame.q = (rvQuat){0, 0, 0, 0};
    refuse(RV_BODY_DYNAMIC, &def, "shape 'floor': frame.q: is not a rotation, its length must be 1");
}

static void BadPointsNameTheirField(void** state)
{
    (void)state;
    apart_make_grid(NULL);
    rvShapeDef def = named(RV_SHAPE_HULL);
    def.pointCount = 3;
    refuse(RV_BODY_DYNAMIC, &def, "shape 'floor': pointCount: is 3, must be >= 4");
    def.pointCount = 4;
    refuse(RV_BODY_DYNAMIC, &def, "shape 'floor': points: lie in one plane, a hull needs a volume");
    static rvVec3 many[RV_HULL_MAX_POINTS + 1];
    def.points = many;
    def.pointCount = RV_HULL_MAX_POINTS + 1;
    refuse(RV_BODY_DYNAMIC, &def, "shape 'floor': pointCount: is 257, must be <= 256");
    def = named(RV_SHAPE_MESH);
    int triangle[3] = {0, 1, 81};
    def.triangles = triangle;
    def.triangleCount = 1;
    refuse(RV_BODY_STATIC, &def, "shape 'floor': triangles[2]: is 81, must be within 0..80");
    rvVec3 bad[3] = {{0, 0, 0}, {(double)NAN, 0, 0}, {0, 1, 0}};
    def.points = bad;
    def.pointCount = 3;
    refuse(RV_BODY_STATIC, &def, "shape 'floor': points[1]: is not finite");
}

static void SurfacesAreOnBodiesThatNothingPushes(void** state)
{
    (void)state;
    apart_make_grid(NULL);
    rvShapeDef def = named(RV_SHAPE_PLANE);
    refuse(RV_BODY_KINEMATIC, &def, "shape 'floor': type: a plane must be on a static body");
    def = named(RV_SHAPE_HEIGHT_FIELD);
    refuse(RV_BODY_DYNAMIC, &def, "shape 'floor': type: a height field must be on a static body");
    def = named(RV_SHAPE_MESH);
    refuse(RV_BODY_DYNAMIC, &def, "shape 'floor': type: a mesh must be on a static or kinematic body");
}

static void ADefinitionFromNowhereIsRefused(void** state)
{
    (void)state;
    rvShapeDef def;
    memset(&def, 0, sizeof def);
    refuse(RV_BODY_DYNAMIC, &def, "shape: cookie: start the definition from rvDefaultShapeDef()");
    def = named(RV_SHAPE_BOX);
    def.type = (rvShapeType)77;
    refuse(RV_BODY_DYNAMIC, &def, "shape 'floor': type: 77 is not a shape");
}

// An allocator that fails after a number of calls: no shape is half made, nothing is lost.
static int left;

static void* limited_alloc(size_t size, void* context)
{
    (void)context;
    return left-- > 0 ? malloc(size) : NULL;
}

static void limited_free(void* memory, size_t size, void* context)
{
    (void)size;
    (void)context;
    free(memory);
}

static void WithoutMemoryNothingIsLost(void** state)
{
    (void)state;
    apart_make_grid(NULL);
    for (int type = RV_SHAPE_PLANE; type <= RV_SHAPE_HEIGHT_FIELD; ++type)
        for (int calls = 0; calls < 12; ++calls) {
            apart a;
            apart_init(&a);
            a.memory = (rvMemory){.alloc = limited_alloc, .free = limited_free};
            rvShapeDef def = named(type);
            left = calls;
            int index = apart_add(&a, RV_BODY_STATIC, rvPoseIdentity(), &def);
            if (index < 0)
                assert_string_equal(a.error.text, "shape 'floor': no memory");
            apart_clear(&a);
            assert_int_equal(a.memory.taken, 0);
        }
}

static void BoxesAroundShapesAreTight(void** state)
{
    (void)state;
    apart_make_grid(NULL);
    apart a;
    apart_init(&a);
    rvShapeDef def = named(RV_SHAPE_BOX);
    rvPose pose = {{1, 2, 3}, rvQuatFromRotation(rvVec(0, 0, 0.78539816339744831))};
    int box = apart_add(&a, RV_BODY_DYNAMIC, pose, &def);
    double margin = 0.5 * RV_CONTACT_MARGIN;
    CHECK_NEAR(a.shapes.items[box].high.x, 1.0 + sqrt(0.5) + margin, 1e-12); // half a diagonal, round-off
    CHECK_NEAR(a.shapes.items[box].low.z, 2.5 - margin, 1e-12);
    def = named(RV_SHAPE_HULL);
    def.frame.p = rvVec(0, 0, 10);
    int hull = apart_add(&a, RV_BODY_DYNAMIC, pose, &def);
    CHECK_NEAR(a.shapes.items[hull].low.z, 12.5 - margin, 1e-12);
    CHECK_NEAR(a.shapes.items[hull].high.y, 2.0 + sqrt(0.5) + margin, 1e-12);
    def = named(RV_SHAPE_HEIGHT_FIELD);
    int field = apart_add(&a, RV_BODY_STATIC, rvPoseIdentity(), &def);
    CHECK_NEAR(a.shapes.items[field].low.z, -5.0 - margin, 1e-12);
    CHECK_NEAR(a.shapes.items[field].high.x, 4.0 + margin, 1e-12);
    apart_clear(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BadSizesNameTheirField),          cmocka_unit_test(BadMaterialsNameTheirField),
        cmocka_unit_test(BadPointsNameTheirField),         cmocka_unit_test(SurfacesAreOnBodiesThatNothingPushes),
        cmocka_unit_test(ADefinitionFromNowhereIsRefused), cmocka_unit_test(WithoutMemoryNothingIsLost),
        cmocka_unit_test(BoxesAroundShapesAreTight),
    };
    return RUN_TESTS(tests);
}
