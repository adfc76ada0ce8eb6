// SPDX-License-Identifier: MIT
// A curve in a plane on faces, between its nodes.
#include "world/machines.h"

enum { MOST_POINTS = 512 };

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
    };
    return RUN_TESTS(tests);
}
