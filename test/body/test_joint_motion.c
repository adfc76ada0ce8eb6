// SPDX-License-Identifier: MIT
// Joints in motion, through the public calls: closed forms of mechanics, limits, motors, friction, redundancy.
#include "check.h"

#include "reeve/reeve.h"

#include <string.h>

static const double step = 1.0 / 60.0;
static const double pi = 3.141592653589793;
static const double g = 9.81;

static rvWorld* open_world(rvVec3 gravity)
{
    rvWorldDef def = rvDefaultWorldDef();
    def.gravity = gravity;
    rvWorld* world = NULL;
    char error[256] = "";
    assert_int_equal(rvCreateWorld(&def, &world, error, sizeof error), RV_OK);
    return world;
}

static rvWorld* open_weightless(void)
{
    return open_world(rvVec(0, 0, 0));
}

static rvBodyId add_body(rvWorld* world, rvVec3 p, double mass, rvVec3 sides)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.pose.p = p;
    def.mass = mass;
    def.inertia = rvBoxInertia(mass, sides);
    rvBodyId id;
    assert_int_equal(rvCreateBody(world, &def, &id), RV_OK);
    return id;
}

static rvBodyId add_block(rvWorld* world, rvVec3 p, double mass)
{
    return add_body(world, p, mass, rvVec(0.2, 0.2, 0.2));
}

static rvJointId add_joint(rvWorld* world, rvJointDef* def, rvBodyId a, rvBodyId b, rvVec3 point, rvVec3 axis)
{
    assert_int_equal(rvJointDef_Place(world, def, a, b, point, axis), RV_OK);
    rvJointId id;
    rvStatus status = rvCreateJoint(world, def, &id);
    if (status)
        print_error("%s\n", rvWorld_GetError(world));
    assert_int_equal(status, RV_OK);
    return id;
}

static void take_step(rvWorld* world, double h)
{
    rvStatus status = rvWorld_Step(world, h);
    if (status)
        print_error("%s\n", rvWorld_GetError(world));
    assert_int_equal(status, RV_OK);
}

static void run(rvWorld* world, double time)
{
    int count = (int)lround(time / step);
    for (int i = 0; i < count; ++i)
        take_step(world, step);
}

static double translation_error(const rvWorld* world, rvJointId id)
{
    double translation, rotation;
    rvJoint_GetError(world, id, &translation, &rotation);
    return translation;
}

static double rotation_error(const rvWorld* world, rvJointId id)
{
    double translation, rotation;
    rvJoint_GetError(world, id, &translation, &rotation);
    return rotation;
}

static void PendulumOnAHingeKeepsItsPeriod(void** state)
{
    (void)state;
    rvWorld* world = open_world(rvVec(0, 0, -g));
    rvBodyId body = add_body(world, rvVec(0, 0, -1), 3.0, rvVec(0.1, 0.1, 2.0));
    rvJointDef def = rvDefaultJointDef(RV_JOINT_HINGE);
    rvJointId hinge = add_joint(world, &def, RV_NULL_BODY, body, rvVec(0, 0, 0), rvVec(0, 1, 0));
    double inertia = rvBoxInertia(3.0, rvVec(0.1, 0.1, 2.0)).m[1][1] + 3.0;
    double omega = sqrt(3.0 * g / inertia);
    double amplitude = 0.2;
    // through the lowest point with the speed that rises to the amplitude
    double spin = 2.0 * omega * sin(0.5 * amplitude);
    assert_int_equal(rvBody_SetVelocity(world, body, rvVec(-spin, 0, 0), rvVec(0, spin, 0)), RV_OK);
    double first = -1.0, last = 0.0, before = 0.0;
    int crossings = 0;
    for (int i = 0; crossings < 11; ++i) {
        take_step(world, step);
        double value = rvJoint_GetValue(world, hinge, 0);
        if (before < 0.0 && value >= 0.0) {
            last = (i + 1 - value / (value - before)) * step;
            first = first < 0.0 ? last : first;
            crossings += 1;
        }
        before = value;
    }
    double exact = 2.0 * pi / omega * (1.0 + amplitude * amplitude / 16.0);
    CHECK_NEAR((last - first) / 10.0, exact,
               1e-3 * exact); // leapfrog: (omega h)^2/24 = 8e-5, next term of the series 1e-6
    CHECK_BELOW(translation_error(world, hinge),
                2e-4);                               // a step leaves the circle by r (w h)^2/2, and 4/9 of it is mended
    CHECK_BELOW(rotation_error(world, hinge), 1e-9); // nothing turns it out of its plane
    rvDestroyWorld(world);
}

static void SliderOnAnInclineFallsWithGSinA(void** state)
{
    (void)state;
    rvWorld* world = open_world(rvVec(0, 0, -g));
    rvBodyId body = add_block(world, rvVec(0.3, 0, 0), 5.0);
    rvJointDef def = rvDefaultJointDef(RV_JOINT_SLIDER);
    rvVec3 slope = rvVec(cos(pi / 6.0), 0, -sin(pi / 6.0));
    rvJointId slider = add_joint(world, &def, RV_NULL_BODY, body, rvVec(0, 0, 0.2), slope);
    run(world, 1.0);
    CHECK_NEAR(rvJoint_GetSpeed(world, slider, 0), 0.5 * g, 1e-9);                         // exact for a constant force
    CHECK_NEAR(rvJoint_GetValue(world, slider, 0), 0.25 * g, 0.5 * g * 0.5 * step + 1e-9); // half a step, as x += h v'
    rvVec3 force, torque;
    rvJoint_GetForce(world, slider, &force, &torque);
    CHECK_NEAR(rvLength(force), 5.0 * g * cos(pi / 6.0), 1e-6); // carries the part across; its own floor of compliance
    rvDestroyWorld(world);
}

static void SpeedMotorPushesWithItsForceAndThenHoldsItsSpeed(void** state)
{
    (void)state;
    rvWorld* world = open_weightless();
    rvBodyId body = add_block(world, rvVec(0, 0, 0), 2.0);
    rvJointDef def = rvDefaultJointDef(RV_JOINT_SLIDER);
    rvJointId slider = add_joint(world, &def, RV_NULL_BODY, body, rvVec(0, 0, 0), rvVec(1, 0, 0));
    assert_int_equal(rvJoint_SetMotor(world, slider, 0, RV_MOTOR_SPEED, 5.0, 10.0), RV_OK);
    run(world, 0.5);
    CHECK_NEAR(rvJoint_GetSpeed(world, slider, 0), 2.5, 1e-9); // F t/m
    CHECK_NEAR(rvJoint_GetMotorForce(world, slider, 0), 10.0, 1e-9);
    run(world, 1.0);
    CHECK_NEAR(rvJoint_GetSpeed(world, slider, 0), 5.0, 1e-9);
    CHECK_NEAR(rvJoint_GetMotorForce(world, slider, 0), 0.0, 1e-6); // round-off by 1/h
    CHECK_NEAR(rvWorld_GetEnergy(world).work, 25.0, 1e-6);          // m v^2/2
    rvDestroyWorld(world);
}

static void PositionMotorArrivesWithoutOvershoot(void** state)
{
    (void)state;
    rvWorld* world = open_world(rvVec(0, 0, -g));
    rvBodyId body = add_block(world, rvVec(1, 0, 0), 10.0);
    rvJointDef def = rvDefaultJointDef(RV_JOINT_HINGE);
    def.axes[0].motor = RV_MOTOR_POSITION;
    def.axes[0].target = 2.0;
    def.axes[0].maxSpeed = 1.0;
    rvJointId hinge = add_joint(world, &def, RV_NULL_BODY, body, rvVec(0, 0, 0), rvVec(0, 1, 0));
    double before = 0.0;
    for (int i = 0; i < 240; ++i) {
        take_step(world, step);
        double value = rvJoint_GetValue(world, hinge, 0);
        assert_true(value > before - 1e-6); // never back: held rows share its error
        assert_true(value < 2.0 + 1e-6);    // never beyond
        before = value;
    }
    CHECK_NEAR(before, 2.0, 1e-6);
    // holds the weight there
    CHECK_NEAR(rvJoint_GetMotorForce(world, hinge, 0), -10.0 * g * cos(2.0), 1e-3);
    rvDestroyWorld(world);
}

static void FrictionHoldsBelowItsForceAndSlipsAbove(void** state)
{
    (void)state;
    rvWorld* world = open_weightless();
    rvBodyId body = add_block(world, rvVec(0, 0, 0), 2.0);
    rvJointDef def = rvDefaultJointDef(RV_JOINT_SLIDER);
    def.axes[0].friction = 5.0;
    rvJointId slider = add_joint(world, &def, RV_NULL_BODY, body, rvVec(0, 0, 0), rvVec(1, 0, 0));
    for (int i = 0; i < 60; ++i) {
        rvBody_ApplyForce(world, body, rvVec(4.9, 0, 0), rvBody_GetCenter(world, body));
        take_step(world, step);
    }
    CHECK_NEAR(rvJoint_GetValue(world, slider, 0), 0.0, 1e-6); // it creeps at less than 1e-6 m/s
    for (int i = 0; i < 60; ++i) {
        rvBody_ApplyForce(world, body, rvVec(6.0, 0, 0), rvBody_GetCenter(world, body));
        take_step(world, step);
    }
    CHECK_NEAR(rvJoint_GetSpeed(world, slider, 0), 0.5, 2e-6); // (6 - 5)/2, and the creep it started from
    run(world, 1.0);
    CHECK_NEAR(rvJoint_GetSpeed(world, slider, 0), 0.0, 1e-9); // stopped, stays stopped
    rvDestroyWorld(world);
}

static void MotorWorksAgainstFriction(void** state)
{
    (void)state;
    rvWorld* world = open_weightless();
    rvBodyId body = add_block(world, rvVec(0, 0, 0), 2.0);
    rvJointDef def = rvDefaultJointDef(RV_JOINT_SLIDER);
    def.axes[0].friction = 4.0;
    rvJointId slider = add_joint(world, &def, RV_NULL_BODY, body, rvVec(0, 0, 0), rvVec(1, 0, 0));
    assert_int_equal(rvJoint_SetMotor(world, slider, 0, RV_MOTOR_SPEED, 100.0, 10.0), RV_OK);
    run(world, 1.0);
    CHECK_NEAR(rvJoint_GetSpeed(world, slider, 0), 3.0, 1e-8); // (10 - 4)/2
    assert_int_equal(rvJoint_SetMotor(world, slider, 0, RV_MOTOR_SPEED, 1.0, (double)INFINITY), RV_OK);
    run(world, 0.1);
    CHECK_NEAR(rvJoint_GetMotorForce(world, slider, 0), 4.0, 1e-6); // at speed it carries the friction
    // brake and friction together hold what neither holds alone
    assert_int_equal(rvJoint_SetMotor(world, slider, 0, RV_MOTOR_SPEED, 0.0, 10.0), RV_OK);
    run(world, 0.5);
    double rest = rvJoint_GetValue(world, slider, 0);
    for (int i = 0; i < 60; ++i) {
        rvBody_ApplyForce(world, body, rvVec(13.5, 0, 0), rvBody_GetCenter(world, body));
        take_step(world, step);
    }
    CHECK_NEAR(rvJoint_GetValue(world, slider, 0), rest, 1e-6); // creep
    rvDestroyWorld(world);
}

static void LimitStopsWithoutBounce(void** state)
{
    (void)state;
    rvWorld* world = open_world(rvVec(0, 0, -g));
    rvBodyId body = add_block(world, rvVec(0, 0, 0), 2.0);
    rvJointDef def = rvDefaultJointDef(RV_JOINT_SLIDER);
    def.axes[0].limited = true;
    def.axes[0].lower = -1.0;
    def.axes[0].upper = 0.5;
    rvJointId slider = add_joint(world, &def, RV_NULL_BODY, body, rvVec(0, 0, 0), rvVec(0, 0, 1));
    int told = 0;
    double before = 0.0;
    for (int i = 0; i < 120; ++i) {
        take_step(world, step);
        double value = rvJoint_GetValue(world, slider, 0);
        assert_true(value > -1.0 - 1e-9);   // never beyond, but for the solver's floor
        assert_true(value < before + 1e-9); // never up again
        before = value;
        rvEvent events[8];
        int count = rvWorld_GetEvents(world, events, 8);
        for (int k = 0; k < count && k < 8; ++k)
            told += events[k].type == RV_EVENT_LIMIT;
    }
    CHECK_NEAR(before, -1.0, 1e-9);
    assert_int_equal(told, 1);
    rvVec3 force, torque;
    rvJoint_GetForce(world, slider, &force, &torque);
    CHECK_NEAR(force.z, 2.0 * g, 1e-6); // the stop carries the weight
    rvDestroyWorld(world);
}

static void MotorWithoutForceLimitStopsAtTheStop(void** state)
{
    (void)state;
    for (int mode = RV_MOTOR_SPEED; mode <= RV_MOTOR_POSITION; ++mode) {
        rvWorld* world = open_world(rvVec(0, 0, -g));
        rvBodyId body = add_block(world, rvVec(1, 0, 0), 10.0);
        rvJointDef def = rvDefaultJointDef(RV_JOINT_HINGE);
        def.axes[0].limited = true;
        def.axes[0].lower = -0.5;
        def.axes[0].upper = 0.5;
        def.axes[0].motor = (rvMotorMode)mode;
        def.axes[0].target = 3.0;
        rvJointId hinge = add_joint(world, &def, RV_NULL_BODY, body, rvVec(0, 0, 0), rvVec(0, 1, 0));
        run(world, 2.0);
        CHECK_NEAR(rvJoint_GetValue(world, hinge, 0), 0.5, 1e-6); // what the held rows leave
        CHECK_BELOW(rvWorld_GetStepInfo(world).residual, 1e-6);
        rvDestroyWorld(world);
    }
}

static void BallSwingsNoFurtherThanItsLimit(void** state)
{
    (void)state;
    rvWorld* world = open_world(rvVec(0, 0, -g));
    rvBodyId body = add_block(world, rvVec(0, 0, -1), 2.0);
    rvJointDef def = rvDefaultJointDef(RV_JOINT_BALL);
    def.axes[0].limited = true;
    def.axes[0].upper = 0.5;
    rvJointId ball = add_joint(world, &def, RV_NULL_BODY, body, rvVec(0, 0, 0), rvVec(0, 0, 1));
    assert_int_equal(rvBody_SetVelocity(world, body, rvVec(3, 2, 0), rvVec(2, -3, 0)), RV_OK);
    double largest = 0.0;
    for (int i = 0; i < 300; ++i) {
        take_step(world, step);
        largest = fmax(largest, rvJoint_GetValue(world, ball, 0));
    }
    CHECK_NEAR(largest, 0.5, 5e-3); // reaches it; the cone is curved: (w h)^2/2 of a step along the rim
    rvDestroyWorld(world);
}

static void DoorOnThreeHingesSwingsLikeOnOne(void** state)
{
    (void)state;
    double values[2];
    for (int k = 0; k < 2; ++k) {
        rvWorld* world = open_world(rvVec(0, 0, -g));
        rvBodyId door = add_body(world, rvVec(0.5, 0, 1), 30.0, rvVec(1.0, 0.05, 2.0));
        rvJointDef def = rvDefaultJointDef(RV_JOINT_HINGE);
        def.axes[0].friction = k == 0 ? 1.0 : 3.0;
        rvJointId hinge = RV_NULL_JOINT;
        for (int i = 0; i < (k == 0 ? 3 : 1); ++i)
            hinge = add_joint(world, &def, RV_NULL_BODY, door, rvVec(0, 0, 0.2 + 0.8 * i), rvVec(0, 0, 1));
        assert_int_equal(rvBody_SetVelocity(world, door, rvVec(0, 0.5, 0), rvVec(0, 0, 1)), RV_OK);
        run(world, 1.0);
        values[k] = rvJoint_GetValue(world, hinge, 0);
        CHECK_BELOW(translation_error(world, hinge), 2e-4); // r (w h)^2/2 a step, of which 4/9 is mended: 1.6e-4
        CHECK_BELOW(rotation_error(world, hinge), 1e-6);    // weight and friction on stiff joints
        assert_int_equal(rvWorld_GetStepInfo(world).fallbacks, 0);
        rvDestroyWorld(world);
    }
    // w t - M t^2/(2 I), I = 10 kg m^2 about the hinge
    CHECK_NEAR(values[1], 1.0 - 0.5 * 3.0 / 10.025 / 1.0 * 1.0, 5e-3); // half a step of speed change: 3/10 * h/2
    CHECK_NEAR(values[0], values[1], 1e-6); // redundant rows share the load, the motion is the same
}

static void JointDisplacedBy170DegreesComesBack(void** state)
{
    (void)state;
    static const struct {
        rvJointType type;
        rvVec3 about;
    } cases[] = {{RV_JOINT_FIXED, {0, 1, 0}},
                 {RV_JOINT_HINGE, {0.6, 0.8, 0}},
                 {RV_JOINT_SLIDER, {0, 0, 1}},
                 {RV_JOINT_CYLINDRICAL, {1, 0, 0}},
                 {RV_JOINT_UNIVERSAL, {0.1, 0.2, 1}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        rvWorld* world = open_weightless();
        rvBodyId body = add_block(world, rvVec(0, 0, 0), 2.0);
        rvJointDef def = rvDefaultJointDef(cases[i].type);
        rvVec3 axis = cases[i].type == RV_JOINT_UNIVERSAL ? rvVec(1, 0, 0) : rvVec(0, 0, 1);
        rvJointId joint = add_joint(world, &def, RV_NULL_BODY, body, rvVec(0, 0, 0), axis);
        rvPose turned = {{0, 0, 0}, rvQuatFromAxisAngle(cases[i].about, 170.0 * pi / 180.0)};
        assert_int_equal(rvBody_SetPose(world, body, turned), RV_OK);
        run(world, 3.0);
        CHECK_BELOW(rotation_error(world, joint), 1e-6); // decays by some 0.6 a step
        rvDestroyWorld(world);
    }
}

static void RopeIsSlackAndThenHolds(void** state)
{
    (void)state;
    rvWorld* world = open_world(rvVec(0, 0, -g));
    rvBodyId body = add_block(world, rvVec(0, 0, -1), 4.0);
    rvJointDef def = rvDefaultJointDef(RV_JOINT_DISTANCE);
    def.bodyB = body;
    def.axes[0].limited = true;
    def.axes[0].upper = 2.0;
    rvJointId rope;
    assert_int_equal(rvCreateJoint(world, &def, &rope), RV_OK);
    run(world, 0.25);
    rvVec3 force, torque;
    rvJoint_GetForce(world, rope, &force, &torque);
    CHECK_NEAR(rvLength(force), 0.0, 0.0); // slack: no force at all
    run(world, 2.0);
    CHECK_NEAR(rvJoint_GetValue(world, rope, 0), 2.0, 1e-9);
    rvJoint_GetForce(world, rope, &force, &torque);
    CHECK_NEAR(force.z, 4.0 * g, 1e-6);
    rvDestroyWorld(world);
}

static void CylinderLiftsWithinItsForceAndHoldsWhenShut(void** state)
{
    (void)state;
    rvWorld* world = open_world(rvVec(0, 0, -g));
    rvBodyId body = add_block(world, rvVec(0, 0, 1), 4.0);
    rvJointDef def = rvDefaultJointDef(RV_JOINT_DISTANCE);
    def.bodyB = body;
    rvJointId cylinder;
    assert_int_equal(rvCreateJoint(world, &def, &cylinder), RV_OK);
    assert_int_equal(rvJoint_SetMotor(world, cylinder, 0, RV_MOTOR_SPEED, 0.2, 60.0), RV_OK);
    run(world, 1.0);
    CHECK_NEAR(rvJoint_GetSpeed(world, cylinder, 0), 0.2, 1e-9);
    CHECK_NEAR(rvJoint_GetMotorForce(world, cylinder, 0), 4.0 * g, 1e-6);
    assert_int_equal(rvJoint_SetMotor(world, cylinder, 0, RV_MOTOR_OFF, 0.0, 60.0), RV_OK);
    double length = rvJoint_GetValue(world, cylinder, 0);
    run(world, 1.0);
    CHECK_NEAR(rvJoint_GetValue(world, cylinder, 0), length, 1e-2); // it was moving: some h v before it stands
    CHECK_NEAR(rvJoint_GetSpeed(world, cylinder, 0), 0.0, 1e-6);
    assert_int_equal(rvJoint_SetMotor(world, cylinder, 0, RV_MOTOR_SPEED, 0.2, 30.0), RV_OK);
    run(world, 0.1);
    CHECK_NEAR(rvJoint_GetSpeed(world, cylinder, 0), (30.0 / 4.0 - g) * 0.1, 1e-6); // too weak: falls with the rest
    rvDestroyWorld(world);
}

static void ComplianceIsDeflectionByForce(void** state)
{
    (void)state;
    rvWorld* world = open_world(rvVec(0, 0, -g));
    rvBodyId body = add_block(world, rvVec(0.5, 0, 0), 10.0);
    rvJointDef def = rvDefaultJointDef(RV_JOINT_FIXED);
    def.compliance = 1e-4;
    def.angularCompliance = 1e-3;
    def.damping = 0.1;
    rvJointId joint = add_joint(world, &def, RV_NULL_BODY, body, rvVec(0, 0, 0), rvVec(0, 0, 1));
    run(world, 10.0);
    CHECK_NEAR(translation_error(world, joint), 1e-4 * 10.0 * g, 1e-8); // at rest, the rest of the swing
    // the arm is 0.5 m, foreshortened by the turn itself
    double turn = rotation_error(world, joint);
    CHECK_NEAR(turn, 1e-3 * 10.0 * g * 0.5 * cos(turn), 1e-7);
    rvDestroyWorld(world);
}

// Two shafts bent by 30 degrees: tan(out) = tan(in) cos(bend), with the driven fork's axis across the bend at 0.
static void UniversalJointDrivesABentShaft(void** state)
{
    (void)state;
    double bend = pi / 6.0;
    rvWorld* world = open_weightless();
    rvBodyId in = add_block(world, rvVec(0, 0, -1), 2.0);
    rvBodyDef bent = rvDefaultBodyDef();
    bent.pose.q = rvQuatFromRotation(rvVec(bend, 0, 0));
    bent.pose.p = rvRotate(bent.pose.q, rvVec(0, 0, 1));
    rvBodyId out;
    assert_int_equal(rvCreateBody(world, &bent, &out), RV_OK);
    rvJointDef def = rvDefaultJointDef(RV_JOINT_UNIVERSAL);
    def.bodyA = in;
    def.bodyB = out;
    def.frameA.p = rvVec(0, 0, 1);
    def.frameB.p = rvVec(0, 0, -1);
    rvJointId joint;
    assert_int_equal(rvCreateJoint(world, &def, &joint), RV_OK);
    CHECK_NEAR(rvJoint_GetValue(world, joint, 0), bend, 1e-12); // round-off
    rvJointDef hinge = rvDefaultJointDef(RV_JOINT_HINGE);
    rvJointId drive = add_joint(world, &hinge, RV_NULL_BODY, in, rvVec(0, 0, -1), rvVec(0, 0, 1));
    rvJointId follow = add_joint(world, &hinge, RV_NULL_BODY, out, bent.pose.p, rvRotate(bent.pose.q, rvVec(0, 0, 1)));
    assert_int_equal(rvJoint_SetMotor(world, drive, 0, RV_MOTOR_SPEED, 1.0, (double)INFINITY), RV_OK);
    for (int i = 0; i < 720; ++i) {
        take_step(world, step);
        double a = rvJoint_GetValue(world, drive, 0), b = rvJoint_GetValue(world, follow, 0);
        double exact = a + remainder(atan2(sin(a) * cos(bend), cos(a)) - a, 2.0 * pi);
        CHECK_NEAR(b, exact, 1e-3); // the joints' errors: bearings share them as they like
    }
    CHECK_NEAR(rvJoint_GetValue(world, drive, 0), 12.0, 1e-3); // nearly two turns, counted
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PendulumOnAHingeKeepsItsPeriod),
        cmocka_unit_test(SliderOnAnInclineFallsWithGSinA),
        cmocka_unit_test(SpeedMotorPushesWithItsForceAndThenHoldsItsSpeed),
        cmocka_unit_test(PositionMotorArrivesWithoutOvershoot),
        cmocka_unit_test(FrictionHoldsBelowItsForceAndSlipsAbove),
        cmocka_unit_test(MotorWorksAgainstFriction),
        cmocka_unit_test(LimitStopsWithoutBounce),
        cmocka_unit_test(MotorWithoutForceLimitStopsAtTheStop),
        cmocka_unit_test(BallSwingsNoFurtherThanItsLimit),
        cmocka_unit_test(DoorOnThreeHingesSwingsLikeOnOne),
        cmocka_unit_test(JointDisplacedBy170DegreesComesBack),
        cmocka_unit_test(RopeIsSlackAndThenHolds),
        cmocka_unit_test(CylinderLiftsWithinItsForceAndHoldsWhenShut),
        cmocka_unit_test(ComplianceIsDeflectionByForce),
        cmocka_unit_test(UniversalJointDrivesABentShaft),
    };
    return RUN_TESTS(tests);
}
