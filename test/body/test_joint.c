// SPDX-License-Identifier: MIT
// Creation of joints: what is refused and in which words, and which bodies are kept from colliding.
#include "check.h"

#include "body/joint.h"

#include <string.h>

typedef struct {
    rvMemory memory;
    rvError error;
    rvBodyStore bodies;
    rvJointStore joints;
} Bench;

static void open_bench(Bench* bench)
{
    *bench = (Bench){0};
    static const rvBodyType types[] = {RV_BODY_DYNAMIC, RV_BODY_DYNAMIC, RV_BODY_STATIC, RV_BODY_STATIC};
    for (int i = 0; i < 4; ++i) {
        rvBodyDef def = rvDefaultBodyDef();
        def.type = types[i];
        def.centerOfMass = rvVec(0, 0, 0.25 * i);
        int body = -1;
        assert_int_equal(rv_body_create(&bench->bodies, &bench->memory, &bench->error, &def, &body), RV_OK);
        assert_int_equal(body, i);
    }
}

static void close_bench(Bench* bench)
{
    rv_joints_release(&bench->joints, &bench->memory);
    rv_bodies_release(&bench->bodies, &bench->memory);
    assert_int_equal(bench->memory.taken, 0);
}

static rvStatus create(Bench* bench, const rvJointDef* def, int a, int b, int* joint)
{
    return rv_joint_create(&bench->joints, &bench->bodies, &bench->memory, &bench->error, def, a, b, joint);
}

static void check_refused(Bench* bench, const rvJointDef* def, int a, int b, const char* words)
{
    int joint = -1;
    size_t taken = bench->memory.taken;
    assert_int_equal(create(bench, def, a, b, &joint), RV_BAD_INPUT);
    assert_string_equal(bench->error.text, words);
    assert_int_equal(bench->joints.pool.alive, 0);
    assert_int_equal(bench->memory.taken, taken);
}

static rvJointDef named(rvJointType type)
{
    rvJointDef def = rvDefaultJointDef(type);
    def.name = "boom";
    return def;
}

static void BadDefinitionsAreRefusedByField(void** state)
{
    (void)state;
    Bench bench;
    open_bench(&bench);
    rvJointDef def = named(RV_JOINT_HINGE);
    def.axes[0].limited = true;
    def.axes[0].lower = 2.0;
    def.axes[0].upper = 1.0;
    check_refused(&bench, &def, 0, 1, "joint 'boom': axes[0].lower: is 2, must not exceed axes[0].upper (1)");
    def.axes[0].upper = (double)NAN;
    check_refused(&bench, &def, 0, 1, "joint 'boom': axes[0].upper: is nan, must be a number");
    def = named(RV_JOINT_HINGE);
    def.axes[1].friction = 1.0;
    check_refused(&bench, &def, 0, 1, "joint 'boom': axes[1]: a hinge joint has 1");
    def = named(RV_JOINT_BALL);
    def.axes[0].motor = RV_MOTOR_SPEED;
    check_refused(&bench, &def, 0, 1, "joint 'boom': axes[0].motor: a ball joint has none");
    def = named(RV_JOINT_SLIDER);
    def.axes[0].friction = -1.0;
    check_refused(&bench, &def, 0, 1, "joint 'boom': axes[0].friction: is -1, must be finite and >= 0");
    def = named(RV_JOINT_SLIDER);
    def.axes[0].maxSpeed = 0.0;
    check_refused(&bench, &def, 0, 1, "joint 'boom': axes[0].maxSpeed: is 0, must be > 0");
    def = named(RV_JOINT_SLIDER);
    def.axes[0].maxForce = (double)NAN;
    check_refused(&bench, &def, 0, 1, "joint 'boom': axes[0].maxForce: is nan, must be >= 0");
    def = named(RV_JOINT_SLIDER);
    def.axes[0].target = HUGE_VAL;
    check_refused(&bench, &def, 0, 1, "joint 'boom': axes[0].target: is inf, must be finite");
    def = named(RV_JOINT_SLIDER);
    def.axes[0].motor = (rvMotorMode)7;
    check_refused(&bench, &def, 0, 1, "joint 'boom': axes[0].motor: is 7, no such mode");
    def = named(RV_JOINT_FIXED);
    def.frameB.q = (rvQuat){0, 0, 0, 0};
    check_refused(&bench, &def, 0, 1, "joint 'boom': frameB.q: must be finite and not zero");
    def = named(RV_JOINT_FIXED);
    def.frameA.p.y = (double)NAN;
    check_refused(&bench, &def, 0, 1, "joint 'boom': frameA.p: must be within 1e+09 m of the origin");
    def = named(RV_JOINT_FIXED);
    def.compliance = -1e-9;
    check_refused(&bench, &def, 0, 1, "joint 'boom': compliance: is -1e-09, must be finite and >= 0");
    def = named(RV_JOINT_FIXED);
    def.angularCompliance = HUGE_VAL;
    check_refused(&bench, &def, 0, 1, "joint 'boom': angularCompliance: is inf, must be finite and >= 0");
    def = named(RV_JOINT_FIXED);
    def.damping = (double)NAN;
    check_refused(&bench, &def, 0, 1, "joint 'boom': damping: is nan, must be finite");
    def = named(RV_JOINT_DISTANCE);
    def.length = (double)NAN;
    check_refused(&bench, &def, 0, 1, "joint 'boom': length: is nan, must be finite");
    def = named((rvJointType)99);
    check_refused(&bench, &def, 0, 1, "joint 'boom': type: is 99, no such type");
    close_bench(&bench);
}

static void BadPairsOfBodiesAreRefused(void** state)
{
    (void)state;
    Bench bench;
    open_bench(&bench);
    rvJointDef def = rvDefaultJointDef(RV_JOINT_BALL);
    check_refused(&bench, &def, 1, 1, "joint: bodyB: must differ from bodyA");
    check_refused(&bench, &def, -1, -1, "joint: bodyB: must differ from bodyA");
    check_refused(&bench, &def, 2, 3, "joint: bodyA, bodyB: neither can move");
    check_refused(&bench, &def, -1, 2, "joint: bodyA, bodyB: neither can move");
    def.cookie = 0;
    check_refused(&bench, &def, 0, 1, "joint: definition was not made by rvDefaultJointDef");
    close_bench(&bench);
}

static void FramesAreTakenToTheCenterOfMass(void** state)
{
    (void)state;
    Bench bench;
    open_bench(&bench);
    rvJointDef def = rvDefaultJointDef(RV_JOINT_FIXED);
    def.frameB.p = rvVec(1, 2, 3);
    def.frameB.q = (rvQuat){0, 0, 0, 2};
    int joint = -1;
    assert_int_equal(create(&bench, &def, -1, 1, &joint), RV_OK);
    CHECK_NEAR(bench.joints.items[joint].frameB.p.z, 2.75, 1e-15); // the centre is at z = 0.25
    CHECK_NEAR(bench.joints.items[joint].frameB.q.z, 1.0, 0.0);    // normalised
    close_bench(&bench);
}

static void JoinedBodiesDoNotCollideUntilTheLastJointIsGone(void** state)
{
    (void)state;
    Bench bench;
    open_bench(&bench);
    rvJointDef def = rvDefaultJointDef(RV_JOINT_BALL);
    int first = -1, second = -1, third = -1;
    assert_int_equal(create(&bench, &def, 0, 1, &first), RV_OK);
    assert_int_equal(create(&bench, &def, 1, 0, &second), RV_OK);
    assert_int_equal(create(&bench, &def, 2, 1, &third), RV_OK);
    assert_true(rv_joints_forbid_contact(&bench.joints, 1, 0));
    assert_true(rv_joints_forbid_contact(&bench.joints, 1, 2));
    assert_false(rv_joints_forbid_contact(&bench.joints, 0, 2));
    rv_joint_destroy(&bench.joints, &bench.memory, first);
    assert_true(rv_joints_forbid_contact(&bench.joints, 0, 1));
    rv_joint_destroy(&bench.joints, &bench.memory, second);
    assert_false(rv_joints_forbid_contact(&bench.joints, 0, 1));
    assert_true(rv_joints_forbid_contact(&bench.joints, 2, 1));
    def.collide = true;
    assert_int_equal(create(&bench, &def, 0, 1, &first), RV_OK);
    assert_false(rv_joints_forbid_contact(&bench.joints, 0, 1));
    close_bench(&bench);
}

static void PlacedFramesCoincide(void** state)
{
    (void)state;
    rvPose a = {{1, 2, 3}, rvQuatFromRotation(rvVec(0.3, -0.2, 1.1))};
    rvPose b = {{-1, 0, 2}, rvQuatFromRotation(rvVec(-0.8, 0.5, 0.1))};
    rvVec3 point = {0.5, 0.6, 0.7}, axis = {3, 0, 4};
    for (int type = RV_JOINT_FIXED; type <= RV_JOINT_DISTANCE; ++type) {
        rvJointDef def = rvDefaultJointDef((rvJointType)type);
        assert_true(rv_joint_def_place(&def, a, b, point, axis));
        rvPose fromA = rvPoseMul(a, def.frameA), fromB = rvPoseMul(b, def.frameB);
        rvVec3 main = type == RV_JOINT_UNIVERSAL ? rvVec(1, 0, 0) : rvVec(0, 0, 1);
        CHECK_NEAR(rvDistance(fromA.p, point), 0.0, 1e-14); // round-off
        CHECK_NEAR(rvDistance(fromB.p, point), 0.0, 1e-14);
        CHECK_NEAR(rvDistance(rvRotate(fromA.q, main), rvVec(0.6, 0, 0.8)), 0.0, 1e-14);
        CHECK_NEAR(rvDistance(rvRotate(fromB.q, main), rvVec(0.6, 0, 0.8)), 0.0, 1e-14);
        assert_false(rv_joint_def_place(&def, a, b, point, rvVec(0, 0, 0)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BadDefinitionsAreRefusedByField),
        cmocka_unit_test(BadPairsOfBodiesAreRefused),
        cmocka_unit_test(FramesAreTakenToTheCenterOfMass),
        cmocka_unit_test(JoinedBodiesDoNotCollideUntilTheLastJointIsGone),
        cmocka_unit_test(PlacedFramesCoincide),
    };
    return RUN_TESTS(tests);
}
