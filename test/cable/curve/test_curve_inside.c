// SPDX-License-Identifier: MIT
// A curve that begins inside a shape is pushed out of it gently.
#include "world/machines.h"

#define PI 3.14159265358979323846

// Laid by two hands over a drum it begins in, 6 cm deep, and with 2 mm to spare it comes out: at 1 m/s, as bodies do,
// neither hand lets go, and nothing but its height and its bend is made.
static void check_laid(double h, bool inSpace)
{
    rvWorld* world = make_world();
    rvBodyDef drum = rvDefaultBodyDef();
    drum.type = RV_BODY_STATIC;
    rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_CYLINDER);
    shape.radius = 0.5;
    shape.length = 1.0;
    shape.friction = 0.2;
    shape.frame.q = rvQuatFromAxisAngle(rvVec(1, 0, 0), 0.5 * PI);
    add_shape(world, add_body(world, &drum), &shape);
    const rvPlaceDef places[2] = {rvAttachPlace(add_hand(world, rvVec(3.499, 0, 0.51)), rvVec(0, 0, 0)),
                                  rvAttachPlace(add_hand(world, rvVec(-3.499, 0, 0.51)), rvVec(0, 0, 0))};
    rvCableDef def = thread(places, 2, 7.0, inSpace);
    def.elements = 60;
    def.bendingStiffness = 0.05;
    def.torsionalStiffness = inSpace ? 0.04 : 0.0;
    def.massPerLength = 0.05;
    def.damping = 0.02;
    def.collides = true;
    def.friction = 0.2;
    def.maxContacts = 100;
    rvCableId rope = create_cable(world, &def);
    rvCableDepth depth;
    assert_true(rvCable_GetDepth(world, rope, &depth));
    CHECK_NEAR(depth.depth, sqrt(3.0 / 8.0 * 7.0 * 0.002) - 0.01, 1e-3); // the sag of a parabola, less 10 mm
    double mass = def.massPerLength * def.length, fastest = 0.0;
    for (int i = 0; i * h < 0.5; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        fastest = fmax(fastest, rvWorld_GetEnergy(world).kinetic);
    }
    CHECK_BELOW(fastest, 0.5 * mass * 1.0); // all of it at 1 m/s
    for (int k = 0; k < 2; ++k)
        assert_true(rvCable_IsHeld(world, rope, k));
    assert_true(!rvCable_GetDepth(world, rope, &depth) || depth.depth < 1e-3);
    rvDestroyWorld(world);
}

static void CurveThatBeginsInsideComesOutGently(void** state)
{
    (void)state;
    for (int k = 0; k < 6; ++k)
        check_laid(k % 3 == 0 ? 2e-3 : k % 3 == 1 ? 5e-3 : 16e-3, k >= 3);
}

// A slack wire that hangs into a box, 36 cm deep, is pushed out at short steps, too: not at once to 1 m/s, and the more
// slowly at first, for what lies straight between a hand and the box must buckle. (With 1 m/s from the first step on
// its hands felt 107 times its weight; they feel 35 times.)
static void SlackCurveInABoxDoesNotPullAtItsHands(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        rvWorld* world = make_world();
        rvBodyDef def = rvDefaultBodyDef();
        def.type = RV_BODY_STATIC;
        rvShapeDef box = rvDefaultShapeDef(RV_SHAPE_BOX);
        box.sides = rvVec(3, 3, 1);
        box.frame.p = rvVec(1, 0, -0.5);
        add_shape(world, add_body(world, &def), &box);
        const rvPlaceDef places[2] = {rvAttachPlace(add_hand(world, rvVec(0, 0, 0.1)), rvVec(0, 0, 0)),
                                      rvAttachPlace(RV_NULL_BODY, rvVec(1.7, 0, 0.1))};
        rvCableDef wire = thread(places, 2, 2.0, k);
        wire.elements = 50;
        wire.bendingStiffness = 0.01;
        wire.torsionalStiffness = k ? 8e-3 : 0.0;
        wire.massPerLength = 0.1;
        wire.damping = 0.01;
        wire.collides = true;
        wire.maxContacts = 108;
        rvCableId id = create_cable(world, &wire);
        rvCableDepth first, last;
        assert_true(rvCable_GetDepth(world, id, &first));
        double most = 0.0, weight = wire.massPerLength * wire.length * GRAVITY;
        for (int i = 0; i < 400; ++i) {
            CHECK_OK(world, rvWorld_Step(world, 1e-3));
            most = fmax(most, fabs(rvCable_GetTension(world, id, 0)));
        }
        CHECK_BELOW(most, 50.0 * weight); // half of what it was
        assert_true(rvCable_GetDepth(world, id, &last));
        CHECK_NEAR(first.depth - last.depth, 0.1 * 0.35, 0.01); // 0.1 m/s, after as long as it takes to come to that
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(CurveThatBeginsInsideComesOutGently),
                                       cmocka_unit_test(SlackCurveInABoxDoesNotPullAtItsHands)};
    return RUN_TESTS(tests);
}
