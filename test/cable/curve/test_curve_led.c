// SPDX-License-Identifier: MIT
// Shapes that are led against a thread, and a straight wire that is thrown on a bar: neither goes through the other.
#include "support/block.h"
#include "world/machines.h"

#define PI 3.14159265358979323846
#define SIZE 0.06  // of what is led [m]
#define SPEED 2.0  // [m/s]
#define AHEAD 0.05 // of the thread, as it begins [m]

static void add_led(rvWorld* world, rvBodyId body, rvShapeType type)
{
    rvVec3 points[BLOCK_CORNERS];
    rvShapeDef shape = block_shape(type, rvVec(SIZE, 0.2, SIZE), points);
    shape.radius = 0.5 * SIZE;
    shape.length = 0.2;
    add_shape(world, body, &shape);
}

// What is round stands across the thread, in space it leans.
static rvQuat led_turn(rvShapeType type, bool inSpace)
{
    bool rod = type == RV_SHAPE_CYLINDER || type == RV_SHAPE_CAPSULE;
    rvQuat lean = rvQuatFromRotation(inSpace ? rvVec(0.3, 0.1, 0.2) : rvVec(0, 0, 0));
    return rvQuatMul(lean, rvQuatFromRotation(rvVec(rod ? 0.5 * PI : 0.0, 0, 0)));
}

// It is led by 0.2 m through where a thread of a metre hangs with 0.2 kg.
static void check_led(rvShapeType type, double h, bool inSpace)
{
    rvWorld* world = make_world();
    rvBodyId led = add_hand(world, rvVec(-AHEAD, 0, -0.5));
    rvQuat turn = led_turn(type, inSpace);
    CHECK_OK(world, rvBody_SetPose(world, led, (rvPose){rvVec(-AHEAD, 0, -0.5), turn}));
    add_led(world, led, type);
    rvBodyId top = add_hand(world, rvVec(0, 0, 0)), weight;
    weight = add_mass(world, RV_BODY_DYNAMIC, 0.2, 1e-4, rvVec(0, 0, -1));
    rvPlaceDef places[2] = {rvAttachPlace(top, rvVec(0, 0, 0)), rvAttachPlace(weight, rvVec(0, 0, 0))};
    rvCableDef def = thread(places, 2, 1.0, inSpace);
    def.elements = 60;
    def.diameter = 0.002;
    def.bendingStiffness = 1e-4;
    def.torsionalStiffness = inSpace ? 1e-4 : 0.0;
    def.massPerLength = 0.004;
    def.collides = true;
    def.maxContacts = 200;
    rvCableId id = create_cable(world, &def);
    double x = -AHEAD, most = 0.0;
    for (int i = 1; x < 0.15; ++i) {
        x = -AHEAD + SPEED * i * h;
        CHECK_OK(world, rvBody_MoveTo(world, led, (rvPose){rvVec(x, 0, -0.5), turn}));
        CHECK_OK(world, rvWorld_Step(world, h));
        most = fmax(most, rvCable_GetTension(world, id, 0));
    }
    rvCableSection middle;
    assert_true(rvCable_GetSection(world, id, 0.5, &middle));
    if (!(middle.point.x > x))
        print_error("shape %d, %g s, in space %d: thread at %g, shape at %g\n", (int)type, h, inSpace, middle.point.x,
                    x);
    assert_true(middle.point.x > x);
    CHECK_BELOW(most, 30.0); // at 1 ms it is 13 to 14.5 N, by the shape
    rvDestroyWorld(world);
}

static void LedShapesTakeTheThreadAlong(void** state)
{
    (void)state;
    const rvShapeType types[] = {RV_SHAPE_CYLINDER, RV_SHAPE_CAPSULE, RV_SHAPE_SPHERE,
                                 RV_SHAPE_BOX,      RV_SHAPE_HULL,    RV_SHAPE_MESH};
    const double steps[] = {0.005, 0.01, 0.016, 0.025}; // a sixth of its size to most of it
    for (int k = 0; k < 6; ++k)
        for (int i = 0; i < 4; ++i)
            for (int inSpace = 0; inSpace < 2; ++inSpace)
                check_led(types[k], steps[i], inSpace);
}

// A straight wire between two balls comes down on a bar at 15 m/s, more than the bar is thick in a step.
static void StraightWireStopsAtABar(void** state)
{
    (void)state;
    const double steps[] = {0.008, 0.012, 0.016, 1.0 / 60.0};
    for (int i = 0; i < 4; ++i) {
        rvWorld* world = make_world();
        rvBodyDef bar = rvDefaultBodyDef();
        bar.type = RV_BODY_STATIC;
        bar.pose = (rvPose){rvVec(0.1, 0, 0), rvQuatFromRotation(rvVec(0.5 * PI, 0, 0))};
        rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_CYLINDER);
        shape.radius = 0.015;
        shape.length = 0.4;
        add_shape(world, add_body(world, &bar), &shape);
        rvBodyId balls[2];
        rvPlaceDef places[2];
        for (int k = 0; k < 2; ++k) {
            balls[k] = add_mass(world, RV_BODY_DYNAMIC, 0.1, 1e-4, rvVec(k ? 0.5 : -0.5, 0, 0.3));
            CHECK_OK(world, rvBody_SetVelocity(world, balls[k], rvVec(0, 0, -15), rvVec(0, 0, 0)));
            places[k] = rvAttachPlace(balls[k], rvVec(0, 0, 0));
        }
        rvCableDef def = thread(places, 2, 1.0, true);
        def.elements = 40;
        def.diameter = 0.003;
        def.bendingStiffness = def.torsionalStiffness = 1e-3;
        def.massPerLength = 0.02;
        def.straight = true;
        def.collides = true;
        def.maxContacts = 100;
        create_cable(world, &def);
        run_world(world, steps[i], 0.1);
        for (int k = 0; k < 2; ++k) // nothing else holds the balls: they would be a metre below
            assert_true(rvBody_GetPose(world, balls[k]).p.z > -0.6);
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LedShapesTakeTheThreadAlong),
        cmocka_unit_test(StraightWireStopsAtABar),
    };
    return RUN_TESTS(tests);
}
