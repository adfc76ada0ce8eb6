// SPDX-License-Identifier: MIT
// A scene that is driven: levers, brake, saved states, ropes that are cut and hooked.
#include "scene/scene_text.h"
#include "view/machine.h"

static const char HOIST[] =
    "reeve: 1\nstep: 10 ms\nbodies:\n  load: {mass: 100, position: [0, 0, -5]}\n  post: {type: static}\n"
    "cables:\n  rope:\n    damping: 50 ms\n"
    "    route: [{winch: world, point: [0, 0, 0]}, {attach: load, point: [0, 0, 0]}]\n"
    "commands:\n  rope.winch_speed: [[0, 0], [1, -0.5]]\n";

static rvMachine open_hoist(void)
{
    char error[500];
    rvMachine machine;
    assert_true(rv_machine_open(&machine, load_good(HOIST), error, sizeof error));
    return machine;
}

static void obey(rvMachine* machine, rvOrder order, const char* expected)
{
    char why[200] = "";
    rv_machine_obey(machine, &order, why, sizeof why);
    assert_string_equal(why, expected);
}

static void run(rvMachine* machine, int steps)
{
    for (int i = 0; i < steps; ++i)
        assert_true(rv_machine_step(machine));
}

static double winch_speed(const rvMachine* machine)
{
    return rvControl_GetState(machine->scene, machine->world, &machine->stage.controls[0]).speed;
}

static void CommandsRunUntilALeverIsTouched(void** state)
{
    (void)state;
    rvMachine machine = open_hoist();
    run(&machine, 200);
    CHECK_NEAR(winch_speed(&machine), -0.5, 1e-12); // the end of its table; rounding
    obey(&machine, (rvOrder){.type = RV_ORDER_DRIVE, .a = 0, .x = {1.0}}, "");
    run(&machine, 1);
    CHECK_NEAR(winch_speed(&machine), 0.5 * 0.01 / 0.8, 1e-12); // from zero, with its ramp of 0.8 s; rounding
    run(&machine, 100);
    CHECK_NEAR(winch_speed(&machine), 0.5, 1e-12); // full speed is the largest of the table; rounding
    obey(&machine, (rvOrder){.type = RV_ORDER_RELEASE}, "");
    run(&machine, 100);
    CHECK_NEAR(winch_speed(&machine), 0.0, 0.0); // the driver left: all levers are at zero
    rv_machine_release(&machine);
}

// Four ropes of a spreader have one lever: one order moves all of them, in the same step.
static void ControlsThatShareALeverMoveAtOnce(void** state)
{
    (void)state;
    char error[500];
    rvMachine machine;
    const char* text = "reeve: 1\nbodies:\n  load: {mass: 100, position: [0, 0, -5]}\n"
                       "cables:\n  one: &rope\n    damping: 50 ms\n"
                       "    route: [{winch: world, point: [-1, 0, 0]}, {attach: load, point: [-1, 0, 0]}]\n"
                       "  two:\n    <<: *rope\n"
                       "    route: [{winch: world, point: [1, 0, 0]}, {attach: load, point: [1, 0, 0]}]\n"
                       "commands:\n  one.winch_speed: &up [[0, 0], [1, -0.5]]\n  two.winch_speed: *up\n";
    assert_true(rv_machine_open(&machine, load_good(text), error, sizeof error));
    assert_int_equal(machine.stage.controlCount, 2);
    obey(&machine, (rvOrder){.type = RV_ORDER_DRIVE, .a = 0, .x = {-1.0}}, "");
    run(&machine, 50);
    for (int i = 0; i < 2; ++i)
        assert_true(rvControl_GetState(machine.scene, machine.world, &machine.stage.controls[i]).speed < -0.25);
    assert_true(rvCable_GetRestLength(machine.world, rvScene_GetCable(machine.scene, 0)) ==
                rvCable_GetRestLength(machine.world, rvScene_GetCable(machine.scene, 1)));
    obey(&machine, (rvOrder){.type = RV_ORDER_BRAKE, .a = 0, .b = 1}, "");
    assert_true(machine.braked[0] && machine.braked[1]);
    rv_machine_release(&machine);
}

static void TheBrakeHoldsAgainstTheLever(void** state)
{
    (void)state;
    rvMachine machine = open_hoist();
    obey(&machine, (rvOrder){.type = RV_ORDER_DRIVE, .a = 0, .x = {-1.0}}, "");
    obey(&machine, (rvOrder){.type = RV_ORDER_BRAKE, .a = 0, .b = 1}, "");
    run(&machine, 100);
    CHECK_NEAR(winch_speed(&machine), 0.0, 0.0); // it stands
    obey(&machine, (rvOrder){.type = RV_ORDER_BRAKE, .a = 0, .b = 0}, "");
    run(&machine, 100);
    CHECK_NEAR(winch_speed(&machine), -0.5, 1e-12); // rounding
    rv_machine_release(&machine);
}

static void ARestoredStateGoesOnAsItDid(void** state)
{
    (void)state;
    rvMachine machine = open_hoist();
    obey(&machine, (rvOrder){.type = RV_ORDER_RESTORE}, "no state was saved");
    run(&machine, 150);
    obey(&machine, (rvOrder){.type = RV_ORDER_SAVE}, "");
    run(&machine, 50);
    uint64_t hash = rvWorld_Hash(machine.world);
    run(&machine, 30);
    obey(&machine, (rvOrder){.type = RV_ORDER_RESTORE}, "");
    run(&machine, 50);
    assert_true(rvWorld_Hash(machine.world) == hash);
    obey(&machine, (rvOrder){.type = RV_ORDER_RESET}, "");
    CHECK_NEAR(rvWorld_GetTime(machine.world), 0.0, 0.0); // anew
    run(&machine, 200);
    assert_true(rvWorld_Hash(machine.world) == hash);
    rv_machine_release(&machine);
}

static void RopesAreCutAndHooked(void** state)
{
    (void)state;
    rvMachine machine = open_hoist();
    rvCableId rope = rvScene_GetCable(machine.scene, 0);
    obey(&machine, (rvOrder){.type = RV_ORDER_UNHOOK, .a = 0, .b = 0}, "a winch holds this end of rope");
    obey(&machine, (rvOrder){.type = RV_ORDER_UNHOOK, .a = 0, .b = 1}, "");
    run(&machine, 10);
    assert_false(rvCable_IsTaut(machine.world, rope));
    obey(&machine, (rvOrder){.type = RV_ORDER_HOOK, .a = 0, .b = 1, .c = 1, .x = {0, 0, -9}},
         "rope does not reach: 4.00 m are missing");
    obey(&machine, (rvOrder){.type = RV_ORDER_HOOK, .a = 0, .b = 1, .c = 1, .x = {0, 0, -4}}, "");
    run(&machine, 10);
    obey(&machine, (rvOrder){.type = RV_ORDER_CUT, .a = 0}, "");
    run(&machine, 10);
    assert_true(rvCable_IsBroken(machine.world, rope));
    rv_machine_release(&machine);
}

static void RopesBecomeOfAnotherModel(void** state)
{
    (void)state;
    rvMachine machine = open_hoist();
    rvCableId rope = rvScene_GetCable(machine.scene, 0);
    run(&machine, 50);
    obey(&machine, (rvOrder){.type = RV_ORDER_SAVE}, "");
    run(&machine, 50);
    uint64_t hash = rvWorld_Hash(machine.world);
    obey(&machine, (rvOrder){.type = RV_ORDER_MODEL, .a = 0, .b = RV_CABLE_LAYERED}, "");
    assert_int_equal(rvCable_GetModel(machine.world, rope), RV_CABLE_LAYERED);
    run(&machine, 50);
    obey(&machine, (rvOrder){.type = RV_ORDER_MODEL, .a = 0, .b = RV_CABLE_ANCF},
         "cable 'rope': places[0].type: the material of model ancf does not run through places: only attached ones and "
         "free ends");
    obey(&machine, (rvOrder){.type = RV_ORDER_MODEL, .a = 0, .b = 99}, "cable 'rope': model: 99 is none");
    assert_int_equal(rvCable_GetModel(machine.world, rope), RV_CABLE_LAYERED);
    // the saved state is of the model before
    obey(&machine, (rvOrder){.type = RV_ORDER_RESTORE}, "");
    assert_int_equal(rvCable_GetModel(machine.world, rope), RV_CABLE_MASSLESS);
    run(&machine, 50);
    assert_true(rvWorld_Hash(machine.world) == hash);
    rv_machine_release(&machine);
}

static void OrdersForWhatIsNotThereDoNothing(void** state)
{
    (void)state;
    rvMachine machine = open_hoist();
    char why[200];
    for (int type = 1; type < RV_ORDER_COUNT; ++type) {
        rvOrder order = {.type = (rvOrderType)type, .a = 65535, .b = 65535, .c = 65535, .x = {1e6, -1e6, 1e6}};
        if (type != RV_ORDER_RESTORE)
            rv_machine_obey(&machine, &order, why, sizeof why);
    }
    run(&machine, 10);
    rv_machine_release(&machine);
}

static void FramesHaveTheSizeOfTheirParts(void** state)
{
    (void)state;
    rvMachine machine = open_hoist();
    rvBytes frame = {0}, json = {0};
    rvFrameHead head = {.number = 7, .time = 1.5};
    rv_stage_frame(&machine.stage, &head, machine.levers, &frame);
    int outputs = rvScene_GetOutputCount(machine.scene);
    // head; two bodies; a cable of two points and one span, padded; no wheel; one control; energies; outputs
    assert_int_equal(frame.size, 40 + 2 * 28 + (12 + 4 + 4 + 2 * 12) + 20 + 20 + 4 * outputs);
    assert_memory_equal(frame.data, "RVF1", 4);
    double time;
    memcpy(&time, frame.data + 8, sizeof time);
    CHECK_NEAR(time, 1.5, 0.0);
    rv_stage_describe(&machine.stage, &json);
    rv_bytes_u8(&json, 0);
    assert_non_null(strstr((const char*)json.data, "\"name\":\"rope.winch_speed\",\"kind\":\"winch\""));
    rv_bytes_release(&frame);
    rv_bytes_release(&json);
    rv_machine_release(&machine);
}

// Paying out, a drum turns as the rope leaves it: at the first end about its side times its axis, at the last the other
// way.
static void DrumsTurnTheWayTheirRopeGoes(void** state)
{
    (void)state;
    static const char text[] = "reeve: 1\nstep: 10 ms\nbodies:\n  load: {mass: 10, position: [0, 0, -5]}\n  load2: "
                               "{mass: 10, position: [3, 0, -5]}\n"
                               "cables:\n  a:\n    damping: 50 ms\n    route:\n"
                               "      - {winch: world, point: [0.2, 0, 0], radius: 0.2, side: -1, speed: 0.4}\n"
                               "      - {attach: load, point: [0, 0, 0]}\n"
                               "  b:\n    damping: 50 ms\n    route:\n      - {attach: load2, point: [0, 0, 0]}\n"
                               "      - {winch: world, point: [3.2, 0, 0], radius: 0.2, side: 1, speed: 0.4}\n";
    char error[500] = "";
    rvMachine machine;
    assert_true(rv_machine_open(&machine, load_good(text), error, sizeof error));
    run(&machine, 100);
    rvBytes frame = {0};
    rvFrameHead head = {0};
    rv_stage_frame(&machine.stage, &head, NULL, &frame);
    assert_int_equal(machine.stage.wheelCount, 2);
    float wheels[4];
    size_t behind = 2 * 20 + 5 * 4 + 4 * (size_t)rvScene_GetOutputCount(machine.scene); // controls, energies, outputs
    memcpy(wheels, frame.data + frame.size - behind - sizeof wheels, sizeof wheels);
    double layer = 0.2 + 0.01;                      // rope lies on the drum by its middle
    CHECK_NEAR((double)wheels[0], -0.4 / 0.2, 0.2); // 1 s at 0.4 m/s; the sign counts
    CHECK_NEAR((double)wheels[2], -0.4 / 0.2, 0.2); // as before
    CHECK_NEAR((double)wheels[1], layer, 0.011);    // half a rope: whether radius is to its middle
    rv_bytes_release(&frame);
    rv_machine_release(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CommandsRunUntilALeverIsTouched),
        cmocka_unit_test(ControlsThatShareALeverMoveAtOnce),
        cmocka_unit_test(TheBrakeHoldsAgainstTheLever),
        cmocka_unit_test(ARestoredStateGoesOnAsItDid),
        cmocka_unit_test(RopesAreCutAndHooked),
        cmocka_unit_test(RopesBecomeOfAnotherModel),
        cmocka_unit_test(OrdersForWhatIsNotThereDoNothing),
        cmocka_unit_test(FramesHaveTheSizeOfTheirParts),
        cmocka_unit_test(DrumsTurnTheWayTheirRopeGoes),
    };
    return RUN_TESTS(tests);
}
