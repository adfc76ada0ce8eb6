// SPDX-License-Identifier: MIT
#include "world/machines.h"

static rvCableDef elements(const rvPlaceDef* places, int count)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ANCF);
    def.places = places;
    def.placeCount = count;
    return def;
}

static void settle(rvWorld* world)
{
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    if (!report.settled)
        print_error("%s\n", rvWorld_GetError(world));
    assert_true(report.settled);
}

// What was settled stays: bodies and elements do not stir in a second of steps.
static void check_still(rvWorld* world, double energy)
{
    for (int i = 0; i < 60; ++i)
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60));
    CHECK_BELOW(rvWorld_GetEnergy(world).kinetic, energy);
}

// A load on two ropes, let go from the side: where two massless ropes hold it.
static void LoadBetweenTwoRopesSettles(void** state)
{
    (void)state;
    rvVec3 at[2];
    for (int k = 0; k < 2; ++k) {
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 100.0, 0.2, rvVec(1.5, 0.8, -2));
        for (int side = 0; side < 2; ++side) {
            rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(side ? 3 : -3, 0, 0)),
                                    rvAttachPlace(load, rvVec(0, 0, 0.2))};
            rvCableDef def = k ? elements(places, 2) : rvDefaultCableDef(RV_CABLE_MASSLESS);
            def.places = places;
            def.placeCount = 2;
            def.axialStiffness = 1e6;
            def.length = side ? 4.0 : 5.0;
            def.massPerLength = 1e-3;
            def.bendingStiffness = 1e-4;
            CHECK_OK(world, rvCreateCable(world, &def, NULL));
        }
        settle(world);
        at[k] = rvBody_GetPose(world, load).p;
        check_still(world, 1e-6);
        rvDestroyWorld(world);
    }
    CHECK_NEAR(rvDistance(at[0], at[1]), 0.0,
               1e-5); // ropes of 9 g on a load of 100 kg, Green's strain: 3/2 (8e-4)^2 of 5 m
}

// A beam that is clamped to a heavy frame and carries a small load at its tip: w = P L^3/(3 EI).
static void ClampedBeamCarriesABody(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 0.1, 0.01, rvVec(1, 0, 0));
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    places[0].clamped = true;
    places[0].direction = rvVec(1, 0, 0);
    rvCableDef def = elements(places, 2);
    def.axialStiffness = 1e5;
    def.bendingStiffness = 20.0;
    def.massPerLength = 1e-4;
    def.elements = 20;
    CHECK_OK(world, rvCreateCable(world, &def, NULL));
    settle(world);
    double sag = 0.1 * GRAVITY / (3.0 * 20.0);
    CHECK_NEAR(rvBody_GetPose(world, load).p.z, -sag, 1e-3 * sag); // the rope's weight of 4e-4, (sag/L)^2
    check_still(world, 1e-9);
    rvDestroyWorld(world);
}

// A slack rope between two bodies that stand: they feel half its weight each, and stay where they stand.
static void SlackRopeHangsBetweenBodies(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvShapeDef ground = rvDefaultShapeDef(RV_SHAPE_PLANE);
    rvBodyDef fixed = rvDefaultBodyDef();
    fixed.type = RV_BODY_STATIC;
    add_shape(world, add_body(world, &fixed), &ground);
    rvBodyId posts[2];
    for (int k = 0; k < 2; ++k) {
        posts[k] = add_box(world, 50.0, rvVec(0.5, 0.5, 2), rvVec(k ? 1.5 : -1.5, 0, 1.0));
        rvShapeDef box = rvDefaultShapeDef(RV_SHAPE_BOX);
        box.sides = rvVec(0.5, 0.5, 2);
        add_shape(world, posts[k], &box);
    }
    rvPlaceDef places[2] = {rvAttachPlace(posts[0], rvVec(0, 0, 1)), rvAttachPlace(posts[1], rvVec(0, 0, 1))};
    rvCableDef def = elements(places, 2);
    def.length = 3.5;
    def.axialStiffness = 1e5;
    def.bendingStiffness = 1e-4;
    def.massPerLength = 0.5;
    def.elements = 30;
    rvCableId rope;
    CHECK_OK(world, rvCreateCable(world, &def, &rope));
    settle(world);
    double a = 1.0; // of the catenary: 2 a sinh(span/(2 a)) is the rope
    for (int i = 0; i < 200; ++i)
        a += 0.2 * (2.0 * a * sinh(1.5 / a) - 3.5);
    CHECK_NEAR(2.0 * a * sinh(1.5 / a), 3.5, 1e-9);
    double mean = 0.5 * GRAVITY * a * (1.5 + 0.5 * a * sinh(3.0 / a)) / 3.5; // of w a cosh(x/a) along the rope
    CHECK_NEAR(rvCable_GetTension(world, rope, 0) / mean, 1.0, 2e-3);        // posts that lean by 1e-4 of the span
    for (int k = 0; k < 2; ++k)
        CHECK_NEAR(rvBody_GetPose(world, posts[k]).p.x, k ? 1.5 : -1.5,
                   1e-3); // soft ground under a foot that is pulled
    check_still(world, 1e-6);
    rvDestroyWorld(world);
}

// Two ropes above the ground: one that touches it with an end comes to lie on it, one that hangs by an end touches it
// with the other.
static void RopeComesToRestOnShapes(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyDef fixed = rvDefaultBodyDef();
    fixed.type = RV_BODY_STATIC;
    rvBodyId frame = add_body(world, &fixed);
    rvShapeDef ground = rvDefaultShapeDef(RV_SHAPE_PLANE);
    add_shape(world, frame, &ground);
    rvPlaceDef places[2] = {rvFreePlace(rvVec(-1, 0, 0.009)), rvFreePlace(rvVec(1, 0, 0.4))};
    rvCableDef def = elements(places, 2);
    def.collides = true;
    def.maxContacts = 64;
    def.axialStiffness = 1e5;
    def.bendingStiffness = 0.5;
    def.massPerLength = 0.3;
    def.straight = true;
    rvCableId cables[2];
    CHECK_OK(world, rvCreateCable(world, &def, &cables[0]));
    rvPlaceDef up[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 3, 0.5)), rvFreePlace(rvVec(2, 3, 0.5))};
    def.places = up;
    CHECK_OK(world, rvCreateCable(world, &def, &cables[1]));
    settle(world);
    for (int k = 0; k < 2; ++k) {
        rvVec3 points[64];
        int count = rvCable_GetShape(world, cables[k], points, 64);
        for (int i = k ? count - 1 : 0; i < count; ++i)
            CHECK_NEAR(points[i].z, 0.01, 1e-3); // half its thickness; between contacts it sags a little
    }
    check_still(world, 1e-6);
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LoadBetweenTwoRopesSettles),
        cmocka_unit_test(ClampedBeamCarriesABody),
        cmocka_unit_test(SlackRopeHangsBetweenBodies),
        cmocka_unit_test(RopeComesToRestOnShapes),
    };
    return RUN_TESTS(tests);
}
