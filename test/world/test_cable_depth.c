// SPDX-License-Identifier: MIT
// Cables that begin inside a shape are told of, of every model.
#include "support/block.h"
#include "world/machines.h"

static const rvCableModel models[] = {RV_CABLE_MASSLESS, RV_CABLE_LAYERED, RV_CABLE_ANCF, RV_CABLE_ALE, RV_CABLE_CURVE};

static rvCableDef rope_of(rvCableModel model, const rvPlaceDef places[2])
{
    rvCableDef def = rvDefaultCableDef(model);
    def.places = places;
    def.placeCount = 2;
    def.axialStiffness = 1e6;
    def.bendingStiffness = 1.0;
    def.diameter = 0.01;
    def.massPerLength = 0.01;
    def.collides = true;
    return def;
}

static rvCableId add_rope(rvWorld* world, rvCableModel model, rvVec3 to, bool collides)
{
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-2, 0, to.z)), rvAttachPlace(RV_NULL_BODY, to)};
    rvCableDef def = rope_of(model, places);
    rvCableId id;
    def.collides = collides;
    CHECK_OK(world, rvCreateCable(world, &def, &id));
    return id;
}

// A box of a metre, or a hull, a mesh or a field that is as high, or a mesh without its top.
enum { KINDS = 5 };
static rvShapeId add_block(rvWorld* world, int kind, uint32_t group)
{
    static const rvShapeType types[KINDS] = {RV_SHAPE_BOX, RV_SHAPE_HULL, RV_SHAPE_MESH, RV_SHAPE_HEIGHT_FIELD,
                                             RV_SHAPE_MESH};
    static const double heights[4] = {0.5, 0.5, 0.5, 0.5};
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_STATIC;
    rvBodyId body = add_body(world, &def);
    rvVec3 points[BLOCK_CORNERS];
    rvShapeDef box = block_shape(types[kind], rvVec(1, 1, 1), points);
    if (types[kind] == RV_SHAPE_HEIGHT_FIELD) {
        box = rvDefaultShapeDef(RV_SHAPE_HEIGHT_FIELD);
        box.heights = heights;
        box.columns = box.rows = 2;
        box.fieldSize = rvVec(1, 1, 1);
    }
    rvShapeId id;
    if (kind == KINDS - 1) {
        box.triangles += 3 * 4;
        box.triangleCount -= 4;
    }
    box.group = group;
    CHECK_OK(world, rvCreateShape(world, body, &box, &id));
    return id;
}

// The end is in the middle of a box of a metre, 0.1 m below its top. A mesh with a border has no inside.
static void CablesThatBeginInsideAreTold(void** state)
{
    (void)state;
    for (int i = 0; i < 5 * KINDS; ++i) {
        int m = i % 5;
        rvWorld* world = make_world();
        rvShapeId box = add_block(world, i / 5, 1);
        rvCableDepth in;
        if (i / 5 == KINDS - 1) {
            assert_false(rvCable_GetDepth(world, add_rope(world, models[m], rvVec(0, 0, 0.4), true), &in));
            rvDestroyWorld(world);
            continue;
        }
        assert_true(rvCable_GetDepth(world, add_rope(world, models[m], rvVec(0, 0, 0.4), true), &in));
        CHECK_NEAR(in.depth, 0.1, 0.005); // sag: rho g l^2/(8 T) is less than a hundredth of the rope's 2 m
        assert_int_equal(in.shape.index1, box.index1);
        assert_true(rvCable_GetDepth(world, add_rope(world, models[m], rvVec(0, 0, 0.4), true), NULL));
        CHECK_NEAR(in.point.z, 0.4, 0.005);
        rvDestroyWorld(world);
    }
}

// Above it, of another group, or where the cable meets no shapes.
static void OthersAreNot(void** state)
{
    (void)state;
    for (int i = 0; i < 5 * KINDS; ++i) {
        int m = i % 5;
        rvWorld* world = make_world();
        rvCableDepth in;
        add_block(world, i / 5, 1);
        assert_false(rvCable_GetDepth(world, add_rope(world, models[m], rvVec(0, 0, 0.8), true), &in));
        assert_false(rvCable_GetDepth(world, add_rope(world, models[m], rvVec(0, 0, 0.4), false), &in));
        CHECK_NEAR(in.depth, 0.0, 0.0);
        rvDestroyWorld(world);
    }
}

// Rope that goes around a cylinder lies on it: the chords that it is drawn by are not inside.
static void RopeThatLiesOnAShapeIsNotInside(void** state)
{
    (void)state;
    for (int m = 0; m < 4; ++m) {
        rvWorld* world = make_world();
        rvBodyDef def = rvDefaultBodyDef();
        def.type = RV_BODY_STATIC;
        rvShapeDef drum = rvDefaultShapeDef(RV_SHAPE_CYLINDER);
        drum.radius = 0.5;
        drum.length = 2.0;
        drum.frame.q = rvQuatFromRotation(rvVec(0.5 * 3.14159265358979, 0, 0));
        rvShapeId id;
        CHECK_OK(world, rvCreateShape(world, add_body(world, &def), &drum, &id));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-2, 0, 0)),
                               rvAttachPlace(RV_NULL_BODY, rvVec(2, 0, 0.1))};
        rvCableDef rope = rope_of(models[m], places);
        rvCableId cable;
        rope.bendingStiffness = 0.01;
        rope.massPerLength = 0.1;
        CHECK_OK(world, rvCreateCable(world, &rope, &cable));
        rvCableDepth in;
        // elements that do not flow are drawn straight through it; the others' places go around
        assert_int_equal(rvCable_GetDepth(world, cable, &in), models[m] == RV_CABLE_ANCF);
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CablesThatBeginInsideAreTold),
        cmocka_unit_test(OthersAreNot),
        cmocka_unit_test(RopeThatLiesOnAShapeIsNotInside),
    };
    return RUN_TESTS(tests);
}
