// SPDX-License-Identifier: MIT
// A curve in a plane on faces, between its nodes.
#include "world/machines.h"

enum { MOST_POINTS = 512 };

static double turn(rvVec3 a, rvVec3 b, rvVec3 c)
{
    return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}

static bool crosses_itself(const rvVec3* x, int count)
{
    for (int i = 0; i + 1 < count; ++i)
        for (int k = i + 2; k + 1 < count; ++k)
            if (turn(x[i], x[i + 1], x[k]) * turn(x[i], x[i + 1], x[k + 1]) < 0.0 &&
                turn(x[k], x[k + 1], x[i]) * turn(x[k], x[k + 1], x[i + 1]) < 0.0)
                return true;
    return false;
}

// A thread hangs as a U, and the ball at one of its ends is thrown against its other leg: so fast that it is beyond it
// in the next step, before they were near each other.
static void FastEndDoesNotGoThroughTheThread(void** state)
{
    (void)state;
    for (int k = 0; k < 24; ++k) {
        rvWorld* world = make_world();
        rvBodyId ball = add_ball(world, 0.02, 0.01, rvVec(0.3, 0, 0));
        rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(ball, rvVec(0, 0, 0))};
        rvCableDef def = thread(places, 2, 1.0, false);
        def.elements = 30;
        def.diameter = 0.006;
        def.massPerLength = 0.05;
        def.bendingStiffness = 1e-3;
        def.touchesItself = true;
        def.maxContacts = 128;
        rvCableId id = create_cable(world, &def);
        CHECK_OK(world, rvBody_SetVelocity(world, ball, rvVec(-10.0 - 2.0 * k, 0, -4.0 * (k % 4)), rvVec(0, 0, 0)));
        for (int i = 0; i < 30; ++i) {
            rvVec3 points[MOST_POINTS];
            CHECK_OK(world, rvWorld_Step(world, 0.016));
            assert_false(crosses_itself(points, rvCable_GetShape(world, id, points, MOST_POINTS)));
        }
        rvDestroyWorld(world);
    }
}

// A bow of five intervals rocks on a box: where it is lowest wanders along it, between nodes and middles, by which
// alone it would sink in by a 32nd of an interval and of its turn, 3 mm.
static void BowDoesNotSinkInBetweenNodes(void** state)
{
    (void)state;
    const double radius = 2e-3;
    rvWorld* world = make_world();
    rvBodyDef ground = rvDefaultBodyDef();
    ground.type = RV_BODY_STATIC;
    rvShapeDef box = rvDefaultShapeDef(RV_SHAPE_BOX);
    box.sides = rvVec(10, 10, 1);
    box.frame.p = rvVec(0, 0, -0.5);
    add_shape(world, add_body(world, &ground), &box);
    const rvPlaceDef places[2] = {rvFreePlace(rvVec(0, 0, 0.2)), rvFreePlace(rvVec(0.8, 0, 0.4))};
    rvCableDef def = thread(places, 2, 1.0, false);
    def.elements = 5;
    def.diameter = 2.0 * radius;
    def.bendingStiffness = 10.0;
    def.curvature = -2.5;
    def.bulge = rvVec(0, 0, -1);
    def.plane = rvVec(0, 1, 0);
    def.damping = 0.01;
    def.collides = true;
    rvCableId id = create_cable(world, &def);
    double lowest = HUGE_VAL;
    int between = 0;
    for (int i = 0; i < 1000; ++i) {
        rvVec3 points[MOST_POINTS];
        CHECK_OK(world, rvWorld_Step(world, 2e-3));
        int n = rvCable_GetShape(world, id, points, MOST_POINTS), at = 0;
        for (int k = 0; k < n; ++k)
            at = points[k].z < points[at].z ? k : at;
        lowest = fmin(lowest, points[at].z);
        between += points[at].z < 1.2 * radius && at % 2 == 1; // of four points to an interval
    }
    assert_true(between > 50);
    CHECK_BELOW(radius - lowest, 0.3e-3); // a tenth of that: it turns as it goes on in the step
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BowDoesNotSinkInBetweenNodes),
        cmocka_unit_test(FastEndDoesNotGoThroughTheThread),
    };
    return RUN_TESTS(tests);
}
