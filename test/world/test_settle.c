// SPDX-License-Identifier: MIT
// Settling: what can hang in balance does, and what cannot is told by name. All through the public calls.
#include "world/machines.h"

#define EA 1e6

static rvSettleReport settle(rvWorld* world)
{
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    return report;
}

static rvBodyId add_named_ball(rvWorld* world, const char* name, double mass, rvVec3 at)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.mass = mass;
    def.name = name;
    def.pose.p = at;
    return add_body(world, &def);
}

static double fastest(const rvWorld* world, const rvBodyId* bodies, int count)
{
    double speed = 0.0;
    for (int i = 0; i < count; ++i)
        speed = fmax(speed, rvLength(rvBody_GetVelocity(world, bodies[i])));
    return speed;
}

static void PendulumEndsUprightUnderItsWeight(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(10.0 * sin(1.2), 0.3, -10.0 * cos(1.2)));
    rvCableId rope = hang_on_cable(world, rvVec(0, 0, 0), load, EA, 10.0);
    rvBody_SetVelocity(world, load, rvVec(1, 2, 3), rvVec(0, 1, 0));
    rvSettleReport report = settle(world);
    assert_true(report.settled);
    CHECK_BELOW(report.unbalance, 1e-9); // what is asked for
    double weight = 100.0 * GRAVITY, stretch = weight * 10.0 / EA;
    rvVec3 p = rvBody_GetPose(world, load).p;
    CHECK_NEAR(p.x, 0.0, 1e-7); // 1e-9 of the weight across, over weight/length, and the sum of forces is twice it
    CHECK_NEAR(p.y, 0.0, 1e-7);
    CHECK_NEAR(p.z, -10.0 - stretch, 1e-9); // 1e-9 of the weight, over EA/length, and round-off
    CHECK_NEAR(rvCable_GetTension(world, rope, 0), weight, 1e-8 * weight); // the same
    CHECK_NEAR(rvWorld_GetTime(world), 0.0, 0.0);
    assert_true(rvCable_IsTaut(world, rope));
    // and stays there
    for (int i = 0; i < 600; ++i) {
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
        assert_int_equal(rvWorld_GetEvents(world, NULL, 0), 0);
    }
    CHECK_BELOW(fastest(world, &load, 1), 1e-7); // 1e-9 of g over a second's swing
    rvDestroyWorld(world);
}

static void RodsOnJointsEndUpright(void** state)
{
    (void)state;
    rvWorldDef def = rvDefaultWorldDef();
    // a chain, heavy at its end: K of the bodies and the drag between them
    Chain chain =
        make_chain(&def, &(ChainDef){.links = 24, .length = 10.0, .linkMass = 0.1, .loadMass = 1000.0, .angle = 0.9});
    rvSettleReport report = settle(chain.world);
    assert_true(report.settled);
    rvVec3 p = rvBody_GetPose(chain.world, chain.load).p;
    CHECK_NEAR(hypot(p.x, p.y), 0.0, 1e-7); // 1e-9 of the forces over weight/length
    CHECK_NEAR(p.z, -10.0, 1e-6);           // joints are closed
    CHECK_BELOW(report.gap, 1e-9);          // by Newton, which squares the error: round-off is left
    rvDestroyWorld(chain.world);
}

static void LightHookUnderAHeavyLoadSettles(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId hook = add_ball(world, 0.01, 0.05, rvVec(3, 1, -5));
    rvBodyId load = add_ball(world, 1e4, 0.5, rvVec(4, 0, -7));
    hang_on_cable(world, rvVec(0, 0, 0), hook, 1e8, 10.0);
    rvPlaceDef places[] = {rvAttachPlace(hook, rvVec(0, 0, -0.05)), rvAttachPlace(load, rvVec(0.2, 0, 0.5))};
    add_cable(world, places, 2, 1e8, 1.0);
    rvSettleReport report = settle(world);
    assert_true(report.settled); // a million times lighter
    // its centre under the rope: the arm of 0.2 m is no lever in balance
    CHECK_NEAR(rvBody_GetCenter(world, load).x, 0.0, 1e-6); // 1e-9 of the forces over weight/length, on a light lever
    rvBodyId both[] = {hook, load};
    for (int i = 0; i < 60; ++i)
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
    CHECK_BELOW(fastest(world, both, 2), 1e-6); // of the hook, at 1e-9 of 2e5 N on 0.01 kg within a step
    rvDestroyWorld(world);
}

static void AppliedForcesAreCarriedAndStay(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(0, 0, -10));
    hang_on_cable(world, rvVec(0, 0, 0), load, EA, 10.0);
    CHECK_OK(world, rvBody_ApplyForce(world, load, rvVec(500, 0, 0), rvVec(0, 0, -10)));
    assert_true(settle(world).settled);
    rvVec3 p = rvBody_GetPose(world, load).p;
    CHECK_NEAR(atan2(p.x, -p.z), atan2(500.0, 100.0 * GRAVITY), 1e-8); // 1e-9 of the forces, as an angle
    CHECK_OK(world, rvWorld_Step(world, 0.01));
    CHECK_BELOW(fastest(world, &load, 1), 1e-8); // the force still acts in this step: 5 m/s^2 would give 0.05
    CHECK_OK(world, rvWorld_Step(world, 0.01));
    CHECK_BELOW(0.01, fastest(world, &load, 1)); // and no more in the next
    rvDestroyWorld(world);
}

static void FallingBodyIsToldByNameAndLeft(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId apple = add_named_ball(world, "apple", 2.0, rvVec(5, 0, 3));
    CHECK_OK(world, rvBody_SetVelocity(world, apple, rvVec(1, 0, 0), rvVec(0, 0, 0)));
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(3, 0, -9));
    hang_on_cable(world, rvVec(0, 0, 0), load, EA, 10.0);
    rvSettleReport report = settle(world);
    assert_false(report.settled);
    assert_int_equal(report.held, 1);
    assert_true(RV_ID_EQUALS(report.body, apple));
    CHECK_NEAR(report.force, 2.0 * GRAVITY, 1e-9); // all of its weight
    CHECK_NEAR(report.unbalance, 1.0, 1e-12);
    assert_non_null(strstr(rvWorld_GetError(world), "apple"));
    CHECK_NEAR(rvBody_GetPose(world, apple).p.z, 3.0, 0.0);
    CHECK_NEAR(rvBody_GetVelocity(world, apple).x, 1.0, 0.0);
    CHECK_NEAR(rvBody_GetPose(world, load).p.x, 0.0, 1e-7); // the rest is settled; as above
    rvDestroyWorld(world);
}

// A static plane through the origin, tilted about y.
static void add_slope(rvWorld* world, double angle, double friction)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_STATIC;
    rvBodyId body = add_body(world, &def);
    rvShapeDef plane = rvDefaultShapeDef(RV_SHAPE_PLANE);
    plane.frame.q = rvQuatFromAxisAngle(rvVec(0, 1, 0), angle);
    plane.friction = friction;
    add_shape(world, body, &plane);
}

static rvBodyId add_box_on_slope(rvWorld* world, const char* name, double angle, double friction, double y)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.mass = 10.0;
    def.inertia = rvBoxInertia(10.0, rvVec(1, 1, 1));
    def.name = name;
    def.pose.q = rvQuatFromAxisAngle(rvVec(0, 1, 0), angle);
    def.pose.p = rvAdd(rvRotate(def.pose.q, rvVec(0, 0, 0.5)), rvVec(0, y, 0));
    rvBodyId body = add_body(world, &def);
    rvShapeDef box = rvDefaultShapeDef(RV_SHAPE_BOX);
    box.sides = rvVec(1, 1, 1);
    box.friction = friction;
    add_shape(world, body, &box);
    return body;
}

static void FrictionHoldsAndWhatSlidesIsLeftWhereItIs(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    add_slope(world, 0.4, 1.0);
    rvBodyId rough = add_box_on_slope(world, "rough", 0.4, 1.0, 0.0); // tan 0.4 = 0.42
    rvBodyId smooth = add_box_on_slope(world, "smooth", 0.4, 0.01, 5.0);
    rvVec3 before = rvBody_GetPose(world, smooth).p;
    rvSettleReport report = settle(world);
    assert_false(report.settled);
    assert_int_equal(report.held, 1);
    assert_true(RV_ID_EQUALS(report.body, smooth));
    assert_non_null(strstr(rvWorld_GetError(world), "smooth"));
    CHECK_NEAR(rvDistance(rvBody_GetPose(world, smooth).p, before), 0.0, 0.0);
    for (int i = 0; i < 60; ++i)
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
    CHECK_BELOW(fastest(world, &rough, 1), 1e-6); // it sticks; damping of the contact
    CHECK_BELOW(1.0, fastest(world, &smooth, 1)); // it slides now
    rvDestroyWorld(world);
}

static void DrivesStandStillAndAreAsBefore(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(2, 0, -8));
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), -0.5), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableId rope = add_cable(world, places, 2, EA, -1.0);
    double length = rvCable_GetRestLength(world, rope);
    rvBodyDef armDef = rvDefaultBodyDef();
    armDef.pose.p = rvVec(5, 0, 0);
    rvBodyId arm = add_body(world, &armDef);
    rvJointDef hinge = rvDefaultJointDef(RV_JOINT_HINGE);
    CHECK_OK(world, rvJointDef_Place(world, &hinge, RV_NULL_BODY, arm, rvVec(4, 0, 0), rvVec(0, 1, 0)));
    hinge.axes[0].motor = RV_MOTOR_SPEED;
    hinge.axes[0].target = 1.0;
    rvJointId joint;
    CHECK_OK(world, rvCreateJoint(world, &hinge, &joint));
    assert_true(settle(world).settled);
    CHECK_NEAR(rvCable_GetRestLength(world, rope), length, 0.0);             // the brake held
    CHECK_NEAR(rvJoint_GetValue(world, joint, 0), 0.0, 1e-6);                // and the motor
    CHECK_NEAR(fabs(rvJoint_GetMotorForce(world, joint, 0)), GRAVITY, 1e-6); // 1 kg at 1 m
    rvEnergy energy = rvWorld_GetEnergy(world);
    CHECK_NEAR(energy.work, 0.0, 0.0); // nobody is paid for it
    CHECK_NEAR(energy.heat, 0.0, 0.0);
    rvWinchDef winch;
    CHECK_OK(world, rvCable_GetWinch(world, rope, 0, &winch));
    assert_false(winch.brake);
    CHECK_NEAR(winch.speed, -0.5, 0.0);
    for (int i = 0; i < 100; ++i)
        CHECK_OK(world, rvWorld_Step(world, 0.01));
    CHECK_NEAR(rvCable_GetRestLength(world, rope), length - 0.5, 1e-12); // a second at half a metre a second
    CHECK_NEAR(rvJoint_GetValue(world, joint, 0), 1.0, 0.01);            // a radian a second, by steps of 0.01
    rvDestroyWorld(world);
}

static void JointsThatContradictEachOtherAreTold(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId body = add_named_ball(world, "torn", 10.0, rvVec(0, 0, 0));
    join_ball(world, RV_NULL_BODY, body, rvVec(0, 0, 0));
    rvJointDef def = rvDefaultJointDef(RV_JOINT_BALL); // the same point, a metre away
    CHECK_OK(world, rvJointDef_Place(world, &def, RV_NULL_BODY, body, rvVec(0, 0, 0), rvVec(0, 0, 1)));
    def.frameA.p = rvVec(1, 0, 0);
    def.name = "wrong";
    rvJointId joint;
    CHECK_OK(world, rvCreateJoint(world, &def, &joint));
    rvSettleReport report;
    uint64_t before = rvWorld_Hash(world);
    assert_int_equal(rvWorld_Settle(world, NULL, &report), RV_DIVERGED);
    assert_false(report.settled);
    assert_non_null(strstr(rvWorld_GetError(world), "settle: "));
    assert_non_null(strstr(rvWorld_GetError(world), "joint 'wrong'"));
    assert_true(rvWorld_Hash(world) == before);
    rvDestroyWorld(world);
}

static void NothingToSettleIsSettled(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvSettleReport report = settle(world);
    assert_true(report.settled);
    assert_true(RV_IS_NULL(report.body));
    CHECK_OK(world, rvWorld_Settle(world, NULL, NULL));
    rvDestroyWorld(world);
}

static void WorkIsBounded(void** state)
{
    (void)state;
    for (int most = 1; most <= 20; ++most) {
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(9, 0, -3));
        hang_on_cable(world, rvVec(0, 0, 0), load, EA, 10.0);
        rvSettleDef def = rvDefaultSettleDef();
        def.maxIterations = most;
        rvSettleReport report;
        CHECK_OK(world, rvWorld_Settle(world, &def, &report));
        assert_true(report.iterations <= most + 2); // and two solves that measure what is left
        assert_false(report.settled);               // 9 m take more than 20 times 0.2 m
        CHECK_NEAR(rvLength(rvBody_GetVelocity(world, load)), 0.0, 0.0);
        rvDestroyWorld(world);
    }
}

static void SameWorldsSettleToTheSameBits(void** state)
{
    (void)state;
    uint64_t hash[2];
    for (int i = 0; i < 2; ++i) {
        rvWorldDef def = rvDefaultWorldDef();
        Chain chain =
            make_chain(&def, &(ChainDef){.links = 5, .length = 5.0, .linkMass = 1.0, .loadMass = 10.0, .angle = 0.5});
        settle(chain.world);
        hash[i] = rvWorld_Hash(chain.world);
        rvDestroyWorld(chain.world);
    }
    assert_true(hash[0] == hash[1]);
}

static void BadDefinitionsAreRefused(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvSettleDef def = rvDefaultSettleDef();
    def.maxIterations = 0;
    assert_int_equal(rvWorld_Settle(world, &def, NULL), RV_BAD_INPUT);
    assert_non_null(strstr(rvWorld_GetError(world), "maxIterations"));
    def = rvDefaultSettleDef();
    def.tolerance = -1.0;
    assert_int_equal(rvWorld_Settle(world, &def, NULL), RV_BAD_INPUT);
    assert_non_null(strstr(rvWorld_GetError(world), "tolerance"));
    rvSettleDef zero = {0};
    assert_int_equal(rvWorld_Settle(world, &zero, NULL), RV_BAD_INPUT);
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PendulumEndsUprightUnderItsWeight),
        cmocka_unit_test(RodsOnJointsEndUpright),
        cmocka_unit_test(LightHookUnderAHeavyLoadSettles),
        cmocka_unit_test(AppliedForcesAreCarriedAndStay),
        cmocka_unit_test(FallingBodyIsToldByNameAndLeft),
        cmocka_unit_test(FrictionHoldsAndWhatSlidesIsLeftWhereItIs),
        cmocka_unit_test(DrivesStandStillAndAreAsBefore),
        cmocka_unit_test(JointsThatContradictEachOtherAreTold),
        cmocka_unit_test(NothingToSettleIsSettled),
        cmocka_unit_test(WorkIsBounded),
        cmocka_unit_test(SameWorldsSettleToTheSameBits),
        cmocka_unit_test(BadDefinitionsAreRefused),
    };
    return RUN_TESTS(tests);
}
