// SPDX-License-Identifier: MIT
// Controls: which there are, how fast they go, that driving them moves things.
#include "scene_text.h"

static const char YARD[] = "reeve: 1\nstep: 10 ms\nworld: {gravity: [0, 0, 0]}\nbodies:\n"
                           "  arm: {mass: 1, inertia: [1, 1, 1]}\n  ship: {type: kinematic, position: [0, 9, 0]}\n"
                           "  load: {mass: 1, position: [5, 0, -5]}\n  load2: {mass: 1, position: [6, 0, -5]}\n"
                           "joints:\n  pivot: {type: hinge, b: arm, point: [0, 0, 0], axis: [0, 0, 1], "
                           "turn: {limits: [-1, 2], max_force: 7}}\n"
                           "  idle: {type: slider, b: load2, point: [6, 0, -5], axis: [0, 0, 1]}\n"
                           "cables:\n"
                           "  a: {route: [{winch: world, point: [5, 0, 0], max_force: 50, max_length: 30}, {attach: "
                           "load, point: [0, 0, 0]}]}\n"
                           "  b: {route: [{winch: world, point: [6, 0, 0]}, {attach: load2, point: [0, 0, 0]}]}\n"
                           "commands:\n  pivot.angle: [[0, 0], [2, 1], [3, 1]]\n"
                           "  a.winch_speed: &s [[0, 0], [1, -0.7], [2, 0.4]]\n  b.winch_speed: *s\n"
                           "  ship.position: [[0, [0, 9, 0]], [2, [6, 9, 0]]]\n";

static int find_control(const rvControl* controls, int count, const char* name)
{
    for (int i = 0; i < count; ++i)
        if (strcmp(controls[i].name, name) == 0)
            return i;
    fail_msg("no control %s", name);
    return -1;
}

static void WinchesMotorsAndPrescribedBodiesAreControls(void** state)
{
    (void)state;
    rvScene* scene = load_good(YARD);
    rvControl c[16];
    int count = rvScene_GetControls(scene, c, 16);
    assert_int_equal(count, 6); // two winches, a hinge, a body three times; the slider has no motor
    assert_int_equal(rvScene_GetControls(scene, NULL, 100), 6);
    int a = find_control(c, count, "a.winch_speed"), b = find_control(c, count, "b.winch_speed");
    int pivot = find_control(c, count, "pivot.angular_speed"), ship = find_control(c, count, "ship.velocity.x");
    CHECK_NEAR(c[a].maxSpeed, 0.7, 0.0);     // the largest of its table
    CHECK_NEAR(c[pivot].maxSpeed, 0.5, 0.0); // the steepest part of its angle
    CHECK_NEAR(c[ship].maxSpeed, 3.0, 0.0);
    CHECK_NEAR(c[ship + 1].maxSpeed, 1.0, 0.0); // does not move that way: a fair speed
    CHECK_NEAR(c[pivot].upper, 2.0, 0.0);
    CHECK_NEAR(c[pivot].maxForce, 7.0, 0.0);
    CHECK_NEAR(c[a].upper, 30.0, 0.0);
    assert_true(isinf(c[b].maxForce));
    assert_int_equal(c[b].gang, a); // commanded alike
    assert_int_equal(c[a].gang, a);
    assert_int_equal(c[pivot].gang, pivot);
    rvScene_Destroy(scene);
}

static void DrivingReplacesTheCommands(void** state)
{
    (void)state;
    rvScene* scene = load_good(YARD);
    rvWorld* world = build_good(scene);
    rvControl c[16];
    double speeds[16] = {0};
    int count = rvScene_GetControls(scene, c, 16);
    int a = find_control(c, count, "a.winch_speed"), pivot = find_control(c, count, "pivot.angular_speed");
    int ship = find_control(c, count, "ship.velocity.x");
    double before = rvControl_GetState(scene, world, &c[a]).position;
    speeds[a] = 0.25;
    speeds[pivot] = 0.1;
    speeds[ship] = 2.0;
    speeds[ship + 1] = -1.0;
    for (int i = 0; i < 100; ++i) {
        assert_int_equal(rvScene_Apply(scene, world, 0.01 * i, 0.01), RV_OK);
        assert_int_equal(rvScene_Drive(scene, world, c, speeds, count, 0.01), RV_OK);
        assert_int_equal(rvWorld_Step(world, 0.01), RV_OK);
    }
    CHECK_NEAR(rvControl_GetState(scene, world, &c[a]).position, before + 0.25, 1e-9);    // rounding over 100 steps
    CHECK_NEAR(rvControl_GetState(scene, world, &c[pivot]).speed, 0.1, 1e-6);             // of its motor, compliance
    CHECK_NEAR(rvControl_GetState(scene, world, &c[ship]).position, 2.0, 1e-9);           // both ways at once
    CHECK_NEAR(rvControl_GetState(scene, world, &c[ship + 1]).position, 9.0 - 1.0, 1e-9); // rounding
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

static void ControlsOfOtherScenesAreRefused(void** state)
{
    (void)state;
    rvScene* scene = load_good(YARD);
    rvWorld* world = build_good(scene);
    double speed = 1.0;
    rvControl wrong = {.kind = RV_CONTROL_MOTOR, .object = 99};
    assert_int_equal(rvScene_Drive(scene, world, &wrong, &speed, 1, 0.01), RV_BAD_INPUT);
    wrong = (rvControl){.kind = RV_CONTROL_WHEEL, .part = 7};
    assert_int_equal(rvScene_Drive(scene, world, &wrong, &speed, 1, 0.01), RV_BAD_INPUT);
    wrong = (rvControl){.kind = RV_CONTROL_BODY, .part = -1};
    assert_int_equal(rvScene_Drive(scene, world, &wrong, &speed, 1, 0.01), RV_BAD_INPUT);
    CHECK_NEAR(rvControl_GetState(scene, world, &wrong).speed, 0.0, 0.0); // zeros for nothing
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

static void PlacesAndCablesAreTold(void** state)
{
    (void)state;
    rvScene* scene = load_good(YARD);
    rvPlaceDef place;
    int body;
    assert_int_equal(rvScene_GetPlaceCount(scene, 0), 2);
    assert_true(rvScene_GetPlace(scene, 0, 0, &place, &body));
    assert_int_equal(place.type, RV_PLACE_WINCH);
    assert_int_equal(body, -1);
    assert_true(rvScene_GetPlace(scene, 1, 1, &place, &body));
    assert_string_equal(rvScene_GetBodyName(scene, body), "load2");
    assert_false(rvScene_GetPlace(scene, 0, 2, &place, &body));
    assert_int_equal(rvScene_GetPlaceCount(scene, 9), 0);
    CHECK_NEAR(rvScene_GetCableDef(scene, 0)->diameter, 0.02, 0.0); // the default
    assert_null(rvScene_GetCableDef(scene, -1));
    rvScene_Destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WinchesMotorsAndPrescribedBodiesAreControls),
        cmocka_unit_test(DrivingReplacesTheCommands),
        cmocka_unit_test(ControlsOfOtherScenesAreRefused),
        cmocka_unit_test(PlacesAndCablesAreTold),
    };
    return RUN_TESTS(tests);
}
