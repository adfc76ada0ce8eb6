// SPDX-License-Identifier: MIT
// Rows of touches that stay inside a rope of elements find what the solver finds of the same rows as a dense block.
#include "world/machines.h"

typedef enum { LIES, DRAGGED, WAYS } Way;

// Where a rope is after some time on the ground, and what was rubbed and lost. A body that is held by a joint is
// pushed, though it does not move: on it all rows are for the solver.
typedef struct {
    rvVec3 points[256];
    int count, rows;
    double heat, pull;
} Found;

static rvBodyId add_ground_body(rvWorld* world, bool pushed)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.type = pushed ? RV_BODY_DYNAMIC : RV_BODY_STATIC;
    def.mass = 1e6; // its weight is nothing to the joint's rows
    rvBodyId ground = add_body(world, &def);
    rvShapeDef box = rvDefaultShapeDef(RV_SHAPE_BOX);
    box.sides = rvVec(20, 20, 1);
    box.frame.p = rvVec(0, 0, -0.5);
    box.friction = 0.4;
    add_shape(world, ground, &box);
    if (pushed) {
        rvJointDef held = rvDefaultJointDef(RV_JOINT_FIXED);
        held.bodyB = ground;
        CHECK_OK(world, rvCreateJoint(world, &held, NULL));
    }
    return ground;
}

static Found run_on(bool pushed, rvCableModel model, Way way)
{
    const double height = 0.01; // its radius
    rvWorld* world = make_world();
    add_ground_body(world, pushed);
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_KINEMATIC;
    def.pose.p = rvVec(0, 0, height);
    rvBodyId hand = add_body(world, &def);
    rvCableDef rope = rvDefaultCableDef(model);
    rope.length = 5.0;
    rope.elements = 10;
    rope.axialStiffness = 1e6;
    rope.bendingStiffness = 1.0;
    rope.massPerLength = 1.0;
    rope.diameter = 0.02;
    rope.damping = 0.01;
    rope.friction = 0.4;
    rope.collides = true;
    rope.straight = true;
    rvPlaceDef places[] = {rvAttachPlace(hand, rvVec(0, 0, 0)), rvFreePlace(rvVec(-5, 0, height))};
    rvCableId cable = add_cable_of(world, rope, places, 2);
    if (way == DRAGGED)
        CHECK_OK(world, rvBody_SetVelocity(world, hand, rvVec(0.3, 0.05, 0), rvVec(0, 0, 0)));
    Found found = {0};
    for (int i = 0; i < 60; ++i) {
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 120));
        found.rows += rvWorld_GetStepInfo(world).rows;
        found.pull = fmax(found.pull, rvCable_GetTension(world, cable, 0));
    }
    found.count = rvCable_GetShape(world, cable, found.points, 256);
    found.heat = rvWorld_GetEnergy(world).heat;
    rvDestroyWorld(world);
    return found;
}

static void RowsInsideFindWhatADenseBlockFinds(void** state)
{
    (void)state;
    for (int i = 0; i < 2 * WAYS; ++i) {
        rvCableModel model = i < WAYS ? RV_CABLE_ANCF : RV_CABLE_ALE;
        Found dense = run_on(true, model, (Way)(i % WAYS)), inside = run_on(false, model, (Way)(i % WAYS));
        assert_int_equal(dense.count, inside.count);
        assert_true(inside.rows > 1000); // it lies there
        double off = 0.0;
        for (int k = 0; k < dense.count; ++k)
            off = fmax(off, rvDistance(dense.points[k], inside.points[k]));
        // The solver ends at 1e-9 of the speed, 0.3 m/s, in each of 60 steps of 1/120 s; held ground gives way by less
        CHECK_BELOW(off, 1e-7);
        CHECK_NEAR(inside.heat, dense.heat, 1e-6 * fmax(1.0, dense.heat)); // 3 J, by forces as exact as that
        CHECK_NEAR(inside.pull, dense.pull, 1e-5 * fmax(1.0, dense.pull)); // EA 1e6 N times 1e-9 of a strain
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(RowsInsideFindWhatADenseBlockFinds)};
    return RUN_TESTS(tests);
}
