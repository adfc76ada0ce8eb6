// SPDX-License-Identifier: MIT
// Rope that flows lies on shapes that it sags onto.
#include "world/machines.h"

static const double PER_METRE = 0.5, THICK = 0.02;

static rvCableDef rope_def(rvCableModel model, double length)
{
    rvCableDef def = rvDefaultCableDef(model);
    def.axialStiffness = 1e5;
    def.bendingStiffness = 0.01;
    def.massPerLength = PER_METRE;
    def.diameter = THICK;
    def.damping = 0.01;
    def.elements = 12;
    def.length = length;
    def.collides = true;
    def.friction = 0.5;
    return def;
}

static rvBodyId add_floor(rvWorld* world, rvShapeType type, double friction)
{
    rvBodyId body = add_mass(world, RV_BODY_STATIC, 0, 0.0, rvVec(0, 0, type == RV_SHAPE_BOX ? -0.5 : 0.0));
    rvShapeDef shape = rvDefaultShapeDef(type);
    shape.friction = friction;
    shape.sides = rvVec(20, 4, 1);
    add_shape(world, body, &shape);
    return body;
}

// A hand lets a rope down onto the ground: without flow both ropes are the same elements. On a box, which its route can meet, a
// flowing rope lies as a line, half a diameter lower.
static void SlackRopeLiesOnTheGroundAsAncfDoes(void** state)
{
    (void)state;
    rvShapeType types[2] = {RV_SHAPE_PLANE, RV_SHAPE_BOX};
    for (int t = 0; t < 2; ++t) {
        double potential[2];
        int touching[2];
        for (int k = 0; k < 2; ++k) {
            rvWorld* world = make_world();
            add_floor(world, types[t], 0.5);
            rvBodyId hand = add_mass(world, RV_BODY_KINEMATIC, 0, 0.0, rvVec(3, 0, 3));
            rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 3)), rvAttachPlace(hand, rvVec(0, 0, 0))};
            rvCableId rope = add_cable_of(world, rope_def(k ? RV_CABLE_ALE : RV_CABLE_ANCF, 6.0), places, 2);
            double h = 0.002;
            for (int i = 1; i <= 750; ++i) {
                rvPose pose = rvPoseIdentity();
                pose.p = rvVec(3, 0, 2.05 + 0.95 * cos(3.14159265358979 * i / 750.0)); // without a jerk
                CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
                CHECK_OK(world, rvWorld_Step(world, h));
            }
            potential[k] = rvWorld_GetEnergy(world).potential;
            touching[k] = rvCable_GetContactCount(world, rope);
            rvDestroyWorld(world);
        }
        assert_true(touching[1] > 0);
        // rounding, over 750 steps with impacts; on the box all of it at most is lower
        double lower = types[t] == RV_SHAPE_BOX ? 0.5 * THICK * 6.0 * PER_METRE * GRAVITY : 0.0;
        CHECK_NEAR(potential[1], potential[0], 1e-6 * potential[0] + lower);
    }
}

// Two winches draw a rope over the ground: its mesh stays, the rope runs through it and rubs.
//   T at the one that takes in - T at the other = mu rho g L
static void RopeThatRunsOverTheGroundRubs(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        double mu = 0.3, h = k ? 0.002 : 0.01, length = 4.0;
        rvWorld* world = make_world();
        add_floor(world, RV_SHAPE_PLANE, mu);
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0.5 * THICK), 0.5),
                               rvWinchPlace(RV_NULL_BODY, rvVec(length, 0, 0.5 * THICK), -0.5)};
        rvCableDef def = rope_def(RV_CABLE_ALE, 0.999 * length);
        def.friction = mu;
        def.maxContacts = 64;
        rvCableId rope = add_cable_of(world, def, places, 2);
        run_world(world, h, 1.0);
        double more = rvCable_GetEndTension(world, rope, 0, 1) - rvCable_GetEndTension(world, rope, 0, 0);
        // what touches are nodes and middles: half of the way to the first and from the last one hangs on the winches, a
        // 24th of it; the tension of an end is that of the middle of its element, a twelfth of it in all
        CHECK_NEAR(more, mu * PER_METRE * GRAVITY * length,
                   (1.0 / 24.0 + 1.0 / 12.0) * mu * PER_METRE * GRAVITY * length);
        rvDestroyWorld(world);
    }
}

// Drawn through the ground at the start it comes out, and is not thrown.
static void WhatBeginsInTheGroundComesOut(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        double h = k ? 0.01 : 0.02, peak = 0.0;
        rvWorld* world = make_world();
        add_floor(world, RV_SHAPE_PLANE, 0.5);
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 1)),
                               rvAttachPlace(RV_NULL_BODY, rvVec(4, 0, 1))};
        rvCableId rope = add_cable_of(world, rope_def(RV_CABLE_ALE, 6.0), places, 2);
        for (int i = 0; i < lround(2.0 / h); ++i) {
            CHECK_OK(world, rvWorld_Step(world, h));
            peak = fmax(peak, rvCable_GetTension(world, rope, 0));
        }
        assert_true(rvCable_GetContactCount(world, rope) >= 3);
        assert_true(rvWorld_GetEnergy(world).potential > 0.0); // all of it is above z = 0
        CHECK_BELOW(peak, 6.0 * PER_METRE * GRAVITY);          // as much as it weighs
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SlackRopeLiesOnTheGroundAsAncfDoes),
        cmocka_unit_test(RopeThatRunsOverTheGroundRubs),
        cmocka_unit_test(WhatBeginsInTheGroundComesOut),
    };
    return RUN_TESTS(tests);
}
