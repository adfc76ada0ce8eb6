// SPDX-License-Identifier: MIT
// Rows of joints as the solver sees them. With the paper's stepper the bias of every position-like row is
// (constant - phi)/h, so rows are compared with differences of their own bias.
#include "check.h"

#include "body/joint.h"
#include "support/random.h"

#include <string.h>

static const double step = 1.0 / 60.0;
static const double pi = 3.141592653589793;

typedef struct {
    rvMemory memory;
    rvError error;
    rvBodyStore bodies;
    rvJointStore joints;
    rvRows rows;
    rvStepContext context;
    uint64_t seed;
} Bench;

static void open_bench(Bench* bench)
{
    *bench = (Bench){.seed = 12345u};
    bench->context =
        (rvStepContext){.h = step, .stepper = RV_STEPPER_PAPER, .relaxation = 2.0, .geometricStiffness = 1.0};
}

static void close_bench(Bench* bench)
{
    rv_rows_release(&bench->rows, &bench->memory);
    rv_joints_release(&bench->joints, &bench->memory);
    rv_bodies_release(&bench->bodies, &bench->memory);
    assert_int_equal(bench->memory.taken, 0);
}

static double random_number(Bench* bench)
{
    return rv_draw_between(&bench->seed, -1.0, 1.0);
}

static rvVec3 random_vec(Bench* bench, double size)
{
    double x = random_number(bench), y = random_number(bench);
    return rvScale(size, rvVec(x, y, random_number(bench)));
}

static rvPose random_pose(Bench* bench)
{
    rvPose pose = {random_vec(bench, 2.0), rvQuatFromRotation(random_vec(bench, 1.8))};
    return pose;
}

static int add_body(Bench* bench, rvBodyType type, rvPose pose)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.type = type;
    def.pose = pose;
    def.centerOfMass = random_vec(bench, 0.5);
    int body = -1;
    assert_int_equal(rv_body_create(&bench->bodies, &bench->memory, &bench->error, &def, &body), RV_OK);
    return body;
}

static rvJoint* add_joint(Bench* bench, const rvJointDef* def, int a, int b)
{
    int joint = -1;
    rvStatus status = rv_joint_create(&bench->joints, &bench->bodies, &bench->memory, &bench->error, def, a, b, &joint);
    if (status)
        print_error("%s\n", bench->error.text);
    assert_int_equal(status, RV_OK);
    return &bench->joints.items[joint];
}

static int write_rows(Bench* bench)
{
    int rows, groups, slots, entries;
    rv_joints_capacity(&bench->joints, &rows, &groups, &slots, &entries);
    assert_true(rv_rows_reserve(&bench->rows, &bench->memory, rows, groups, slots, entries));
    rv_rows_clear(&bench->rows);
    rv_joints_write_rows(&bench->joints, &bench->bodies, &bench->context, &bench->rows);
    return bench->rows.rowCount;
}

// A joint with everything switched on, between two bodies whose joint frames are off by about `gap` [m], `error` [rad].
static rvJoint* add_loaded_joint(Bench* bench, rvJointType type, double gap, double error)
{
    int a = add_body(bench, RV_BODY_DYNAMIC, random_pose(bench));
    rvJointDef def = rvDefaultJointDef(type);
    def.frameA = random_pose(bench);
    def.frameB = random_pose(bench);
    int axisCount = type == RV_JOINT_CYLINDRICAL || type == RV_JOINT_UNIVERSAL ? 2 : type == RV_JOINT_FIXED ? 0 : 1;
    for (int i = 0; i < axisCount; ++i) {
        def.axes[i] = (rvJointAxis){true, -100.0, 50.0, RV_MOTOR_POSITION, 10.0, HUGE_VAL, HUGE_VAL, 3.0};
        if (type == RV_JOINT_BALL)
            def.axes[i].motor = RV_MOTOR_OFF;
    }
    rvQuat free = rvQuatIdentity();
    rvVec3 shift = random_vec(bench, gap);
    double turn = 2.0 * random_number(bench), second = 1.2 * random_number(bench);
    if (type == RV_JOINT_HINGE || type == RV_JOINT_CYLINDRICAL)
        free = rvQuatFromRotation(rvVec(0, 0, turn));
    if (type == RV_JOINT_UNIVERSAL)
        free = rvQuatMul(rvQuatFromRotation(rvVec(turn, 0, 0)), rvQuatFromRotation(rvVec(0, second, 0)));
    if (type == RV_JOINT_BALL)
        free = rvQuatFromRotation(rvVec(turn, second, 1.0));
    if (type == RV_JOINT_SLIDER || type == RV_JOINT_CYLINDRICAL)
        shift.z += turn;
    if (type == RV_JOINT_DISTANCE)
        shift = rvVec(turn, second, 1.0);
    rvPose apart = {shift, rvQuatMul(free, rvQuatFromRotation(random_vec(bench, error)))};
    rvPose back = {rvRotateBack(def.frameB.q, rvNeg(def.frameB.p)), rvQuatConj(def.frameB.q)};
    rvPose poseA = rv_body_pose(&bench->bodies.items[a]);
    int b = add_body(bench, RV_BODY_DYNAMIC, rvPoseMul(rvPoseMul(poseA, def.frameA), rvPoseMul(apart, back)));
    return add_joint(bench, &def, a, b);
}

static void move(rvBody* body, rvVec3 v, rvVec3 w, double t)
{
    body->state.x = rvMulAdd(body->state.x, t, v);
    body->state.q = rvQuatNormalize(rvQuatMul(rvQuatFromRotation(rvScale(t, w)), body->state.q));
}

static double row_speed(const Bench* bench, int row, const rvVec3 motion[4])
{
    double speed = 0.0;
    for (int slot = 0; slot < 2; ++slot) {
        const double* j = rv_group_jacobian(&bench->rows, 0, slot)[row];
        speed += rvDot(rvVec(j[0], j[1], j[2]), motion[2 * slot]);
        speed += rvDot(rvVec(j[3], j[4], j[5]), motion[2 * slot + 1]);
    }
    return speed;
}

static void collect_biases(Bench* bench, double sign, double eps, const rvVec3 motion[4], double* bias)
{
    rvBodyState keep[2] = {bench->bodies.items[0].state, bench->bodies.items[1].state};
    for (int i = 0; i < 2; ++i)
        move(&bench->bodies.items[i], motion[2 * i], motion[2 * i + 1], sign * eps);
    int count = write_rows(bench);
    for (int i = 0; i < count; ++i)
        bias[i] = bench->rows.rows[i].bias;
    for (int i = 0; i < 2; ++i)
        bench->bodies.items[i].state = keep[i];
}

static void check_jacobians(rvJointType type, double error, double tolerance)
{
    for (int trial = 0; trial < 20; ++trial) {
        Bench bench;
        open_bench(&bench);
        bench.seed += (uint32_t)trial * 7919u;
        add_loaded_joint(&bench, type, error, error);
        rvVec3 motion[4];
        for (int i = 0; i < 4; ++i)
            motion[i] = random_vec(&bench, 1.0);
        double ahead[RV_JOINT_MAX_ROWS], behind[RV_JOINT_MAX_ROWS];
        const double eps = 1e-5;
        collect_biases(&bench, 1.0, eps, motion, ahead);
        collect_biases(&bench, -1.0, eps, motion, behind);
        int count = write_rows(&bench);
        for (int i = 0; i < count; ++i) {
            if (bench.rows.rows[i].compliance > 0.0)
                continue; // friction: no phi, checked by FrictionActsAlongTheAxis
            double difference = -(ahead[i] - behind[i]) * step / (2.0 * eps);
            CHECK_NEAR(row_speed(&bench, i, motion), difference, tolerance);
        }
        close_bench(&bench);
    }
}

static void JacobiansAreDerivativesAtSmallErrors(void** state)
{
    (void)state;
    for (int type = RV_JOINT_FIXED; type <= RV_JOINT_DISTANCE; ++type)
        check_jacobians((rvJointType)type, 0.02, 5e-9); // round-off of a bias of 3000: 4e-10; eps^2
    // so small that angles are taken by their series
    for (int type = RV_JOINT_FIXED; type <= RV_JOINT_DISTANCE; ++type)
        check_jacobians((rvJointType)type, 8e-4, 5e-9);
}

static void JacobiansAreDerivativesAtLargeErrors(void** state)
{
    (void)state;
    for (int type = RV_JOINT_FIXED; type <= RV_JOINT_DISTANCE; ++type)
        check_jacobians((rvJointType)type, 0.6, 2e-8); // eps^2 times third derivatives of up to some 100
}

static void JacobiansAreDerivativesWithoutError(void** state)
{
    (void)state;
    for (int type = RV_JOINT_FIXED; type <= RV_JOINT_DISTANCE; ++type)
        check_jacobians((rvJointType)type, 0.0, 5e-9);
}

static void FrictionActsAlongTheAxis(void** state)
{
    (void)state;
    Bench bench;
    open_bench(&bench);
    add_loaded_joint(&bench, RV_JOINT_CYLINDRICAL, 0.1, 0.1);
    assert_int_equal(write_rows(&bench), 10);
    for (int slot = 0; slot < 2; ++slot)
        for (int axis = 0; axis < 2; ++axis) {
            double(*j)[6] = rv_group_jacobian(&bench.rows, 0, slot);
            int motor = 5 + 3 * axis;
            assert_memory_equal(j[motor], j[motor + 1], sizeof j[motor]);
        }
    // the bounds are h friction
    CHECK_NEAR(bench.rows.rows[6].upper, 3.0 * step, 1e-15); // one rounding
    CHECK_NEAR(bench.rows.rows[6].lower, -3.0 * step, 1e-15);
    close_bench(&bench);
}

static void BallFrictionActsOnAllTurns(void** state)
{
    (void)state;
    Bench bench;
    open_bench(&bench);
    add_loaded_joint(&bench, RV_JOINT_BALL, 0.1, 0.1);
    assert_int_equal(write_rows(&bench), 3 + 1 + 3);
    double(*j)[6] = rv_group_jacobian(&bench.rows, 0, 1);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 6; ++k)
            CHECK_NEAR(j[4 + i][k], k == 3 + i ? 1.0 : 0.0, 0.0); // written, not computed
    close_bench(&bench);
}

static void RowsKeepMomentum(void** state)
{
    (void)state;
    for (int type = RV_JOINT_FIXED; type <= RV_JOINT_DISTANCE; ++type) {
        Bench bench;
        open_bench(&bench);
        // held in world axes, a gap d makes forces n at its ends a couple d x n: there the sum is zero for closed
        // joints
        bool inA = type == RV_JOINT_SLIDER || type == RV_JOINT_CYLINDRICAL;
        add_loaded_joint(&bench, (rvJointType)type, inA ? 0.3 : 0.0, 0.3);
        int count = write_rows(&bench);
        for (int i = 0; i < count; ++i) {
            rvVec3 linear = rvVec(0, 0, 0), angular = rvVec(0, 0, 0);
            for (int slot = 0; slot < 2; ++slot) {
                const double* j = rv_group_jacobian(&bench.rows, 0, slot)[i];
                rvVec3 push = rvVec(j[0], j[1], j[2]);
                linear = rvAdd(linear, push);
                angular = rvAdd(angular, rvVec(j[3], j[4], j[5]));
                angular = rvAdd(angular, rvCross(bench.bodies.items[slot].state.x, push));
            }
            CHECK_NEAR(rvLength(linear), 0.0, 0.0);    // -n and n
            CHECK_NEAR(rvLength(angular), 0.0, 1e-13); // round-off of numbers of order 10
        }
        close_bench(&bench);
    }
}

static void TypesHoldWhatTheHeaderSays(void** state)
{
    (void)state;
    static const int held[] = {6, 3, 5, 5, 4, 4, 1};
    for (int type = RV_JOINT_FIXED; type <= RV_JOINT_DISTANCE; ++type) {
        Bench bench;
        open_bench(&bench);
        int a = add_body(&bench, RV_BODY_DYNAMIC, random_pose(&bench));
        rvJointDef def = rvDefaultJointDef((rvJointType)type);
        add_joint(&bench, &def, a, -1);
        assert_int_equal(write_rows(&bench), held[type]);
        assert_int_equal(bench.rows.slotCount, 1);
        // held rows are independent: J J^T has no zero pivot
        double m[6][6];
        double(*j)[6] = rv_group_jacobian(&bench.rows, 0, 0);
        for (int r = 0; r < held[type]; ++r)
            for (int c = 0; c < held[type]; ++c) {
                m[r][c] = 0.0;
                for (int k = 0; k < 6; ++k)
                    m[r][c] += j[r][k] * j[c][k];
            }
        for (int p = 0; p < held[type]; ++p) {
            assert_true(m[p][p] > 1e-3); // a dependent row would leave round-off, 1e-15
            for (int r = p + 1; r < held[type]; ++r) {
                double f = m[r][p] / m[p][p];
                for (int c = p; c < held[type]; ++c)
                    m[r][c] -= f * m[p][c];
            }
        }
        close_bench(&bench);
    }
}

static void UnpushedBodiesGetNoGroupAndStaticOnesNoSlot(void** state)
{
    (void)state;
    Bench bench;
    open_bench(&bench);
    int still = add_body(&bench, RV_BODY_STATIC, random_pose(&bench));
    int told = add_body(&bench, RV_BODY_KINEMATIC, random_pose(&bench));
    int pushed = add_body(&bench, RV_BODY_DYNAMIC, random_pose(&bench));
    rvJointDef def = rvDefaultJointDef(RV_JOINT_BALL);
    add_joint(&bench, &def, still, told);
    add_joint(&bench, &def, still, pushed);
    add_joint(&bench, &def, pushed, told);
    write_rows(&bench);
    assert_int_equal(bench.rows.groupCount, 2);
    assert_int_equal(bench.rows.slotCount, 3);
    assert_int_equal(bench.rows.slots[0].body, pushed);
    assert_int_equal(bench.rows.slots[1].body, pushed);
    assert_int_equal(bench.rows.slots[2].body, told);
    close_bench(&bench);
}

// Turns body 1 about a world axis in small steps and lets the joint count.
static double count_turns(Bench* bench, rvVec3 axis, double angle, int valueAxis)
{
    for (int i = 0; i < 40; ++i) {
        move(&bench->bodies.items[1], rvVec(0, 0, 0), axis, angle / 40.0);
        rv_joints_publish(&bench->joints, &bench->bodies, &bench->context);
    }
    return bench->joints.items[0].state.value[valueAxis];
}

static void ValuesCountTurns(void** state)
{
    (void)state;
    static const struct {
        rvJointType type;
        int axis;
        rvVec3 about;
    } cases[] = {{RV_JOINT_HINGE, 0, {0, 0, 1}},
                 {RV_JOINT_CYLINDRICAL, 1, {0, 0, 1}},
                 {RV_JOINT_UNIVERSAL, 0, {1, 0, 0}},
                 {RV_JOINT_UNIVERSAL, 1, {0, 1, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Bench bench;
        open_bench(&bench);
        add_body(&bench, RV_BODY_STATIC, rvPoseIdentity());
        add_body(&bench, RV_BODY_DYNAMIC, rvPoseIdentity());
        rvJointDef def = rvDefaultJointDef(cases[i].type);
        add_joint(&bench, &def, 0, 1);
        double forward = count_turns(&bench, cases[i].about, 6.0 * pi + 1.0, cases[i].axis);
        CHECK_NEAR(forward, 6.0 * pi + 1.0, 1e-13); // round-off of 40 turns
        double back = count_turns(&bench, cases[i].about, -12.0 * pi, cases[i].axis);
        CHECK_NEAR(back, 1.0 - 6.0 * pi, 1e-13);
        close_bench(&bench);
    }
}

static void ErrorOf170DegreesIsSeenAsSuch(void** state)
{
    (void)state;
    static const struct {
        rvJointType type;
        rvVec3 about;
    } cases[] = {{RV_JOINT_FIXED, {0, 1, 0}},
                 {RV_JOINT_HINGE, {0.6, 0.8, 0}},
                 {RV_JOINT_SLIDER, {0, 0, 1}},
                 {RV_JOINT_CYLINDRICAL, {1, 0, 0}},
                 {RV_JOINT_UNIVERSAL, {0, 0, 1}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Bench bench;
        open_bench(&bench);
        add_body(&bench, RV_BODY_STATIC, rvPoseIdentity());
        add_body(&bench, RV_BODY_DYNAMIC, rvPoseIdentity());
        rvJointDef def = rvDefaultJointDef(cases[i].type);
        rvJoint* joint = add_joint(&bench, &def, 0, 1);
        double angle = 170.0 * pi / 180.0;
        move(&bench.bodies.items[1], rvVec(0, 0, 0), cases[i].about, angle);
        double translation, rotation;
        rv_joint_error(joint, &bench.bodies, &translation, &rotation);
        CHECK_NEAR(rotation, angle, 1e-12); // round-off, ten times larger near the half turn
        close_bench(&bench);
    }
}

// The torque about axis `about` that impulses x give body `b`, turned by `angle` about that axis.
static double torque_turned(Bench* bench, int b, rvVec3 about, double angle, const double* x)
{
    rvBodyState keep = bench->bodies.items[b].state;
    move(&bench->bodies.items[b], rvVec(0, 0, 0), about, angle);
    int count = write_rows(bench);
    double torque = 0.0;
    for (int i = 0; i < count; ++i) {
        const double* j = rv_group_jacobian(&bench->rows, 0, b)[i];
        torque += x[i] / step * rvDot(about, rvVec(j[3], j[4], j[5]));
    }
    bench->bodies.items[b].state = keep;
    return torque;
}

// Across the arm the stiffness must be -d(torque)/d(angle). (What a body keeps of it along the arm is its own affair.)
static void StiffnessAcrossTheArmIsTheDerivativeOfTheTorque(void** state)
{
    (void)state;
    static const rvJointType types[] = {RV_JOINT_BALL, RV_JOINT_SLIDER, RV_JOINT_CYLINDRICAL, RV_JOINT_UNIVERSAL};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; ++t) {
        Bench bench;
        open_bench(&bench);
        rvJoint* joint = add_loaded_joint(&bench, types[t], 0.1, 0.1);
        int count = write_rows(&bench);
        double x[RV_JOINT_MAX_ROWS];
        for (int i = 0; i < count; ++i) {
            const double* j = rv_group_jacobian(&bench.rows, 0, 1)[i];
            bool pushes = rvLength(rvVec(j[0], j[1], j[2])) > 0.0;
            x[i] = bench.rows.rows[i].impulse = pushes ? step * random_number(&bench) : 0.0;
        }
        rv_joints_read_rows(&bench.joints, &bench.rows);
        rv_bodies_clear_stiffness(&bench.bodies);
        rv_joints_add_stiffness(&bench.joints, &bench.bodies, &bench.context);
        const rvBodyState* a = &bench.bodies.items[0].state;
        const rvBodyState* b = &bench.bodies.items[1].state;
        rvVec3 arms[2] = {rvRotate(a->q, joint->frameA.p), rvRotate(b->q, joint->frameB.p)};
        if (types[t] == RV_JOINT_SLIDER || types[t] == RV_JOINT_CYLINDRICAL)
            arms[0] = rvSub(rvAdd(b->x, arms[1]), a->x); // A pushes where B's point is
        for (int k = 0; k < 2; ++k) {
            rvVec3 along = rvNormalizeOr(arms[k], rvVec(0, 0, 1));
            rvVec3 about = rvNormalizeOr(rvCross(along, random_vec(&bench, 1.0)), rvAcross(along));
            const double* s = bench.bodies.items[k].stiffness;
            rvMat3 stiffness = {{{s[0], s[1], s[2]}, {s[1], s[3], s[4]}, {s[2], s[4], s[5]}}};
            const double eps = 1e-5;
            double difference = torque_turned(&bench, k, about, -eps, x) - torque_turned(&bench, k, about, eps, x);
            CHECK_NEAR(rvDot(about, rvMat3Vec(&stiffness, about)), difference / (2.0 * eps), 1e-8); // 1e-15/eps, eps^2
        }
        close_bench(&bench);
    }
}

static void LimitRowLetsTheValueArriveAndNoFurther(void** state)
{
    (void)state;
    Bench bench;
    open_bench(&bench);
    bench.context.stepper = RV_STEPPER_SPOOK;
    add_body(&bench, RV_BODY_STATIC, rvPoseIdentity());
    add_body(&bench, RV_BODY_DYNAMIC, rvPoseIdentity());
    rvJointDef def = rvDefaultJointDef(RV_JOINT_SLIDER);
    def.axes[0].limited = true;
    def.axes[0].lower = -1.0;
    def.axes[0].upper = 2.0;
    rvJoint* joint = add_joint(&bench, &def, 0, 1);
    rvBodyState* body = &bench.bodies.items[1].state;
    const rvVec3 start = body->x;
    static const struct {
        double value, speed, bias; // bias in units of 1/h, of the side that is meant
        int side;
    } cases[] = {{-0.9, 0.0, -0.1, -1}, {1.5, 0.0, 0.5, 1}, {-0.5, 200.0, 2.5, 1}, {2.0, 0.0, 0.0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        body->x = rvAdd(start, rvVec(0, 0, cases[i].value));
        body->v = rvVec(0, 0, cases[i].speed);
        assert_int_equal(write_rows(&bench), 6);
        const rvRow* row = &bench.rows.rows[5];
        CHECK_NEAR(row->bias, cases[i].bias / step, 1e-12); // round-off of the position, times 60
        assert_true(cases[i].side < 0 ? row->lower == 0.0 && row->upper > 1e300 : row->upper == 0.0);
    }
    // passed by 0.1: comes back as fast as any position row, and the motor is not told otherwise
    rvJointAxis axis = def.axes[0];
    axis.motor = RV_MOTOR_SPEED;
    axis.target = 5.0;
    assert_int_equal(rv_joint_set_axis(joint, &bench.bodies, &bench.error, 0, &axis), RV_OK);
    body->x = rvAdd(start, rvVec(0, 0, 2.1));
    body->v = rvVec(0, 0, 3.0);
    assert_int_equal(write_rows(&bench), 7);
    CHECK_NEAR(bench.rows.rows[5].bias, -4.0 / 9.0 * 0.1 / step, 1e-12); // g = 1/(1 + 4 x 2)
    CHECK_NEAR(bench.rows.rows[6].bias, bench.rows.rows[5].bias, 0.0);   // the same number
    close_bench(&bench);
}

static void ImpulsesKeepTheirRoles(void** state)
{
    (void)state;
    Bench bench;
    open_bench(&bench);
    rvJoint* joint = add_loaded_joint(&bench, RV_JOINT_HINGE, 0.0, 0.0);
    assert_int_equal(write_rows(&bench), 8);
    for (int i = 0; i < 8; ++i)
        bench.rows.rows[i].impulse = 0.001 * (i + 1);
    rv_joints_read_rows(&bench.joints, &bench.rows);
    CHECK_NEAR(rv_joint_motor_impulse(joint, 0), 0.007, 0.0); // copied
    // without the limit row the others keep theirs
    rvJointAxis axis = joint->state.axes[0];
    axis.limited = false;
    assert_int_equal(rv_joint_set_axis(joint, &bench.bodies, &bench.error, 0, &axis), RV_OK);
    assert_int_equal(write_rows(&bench), 7);
    CHECK_NEAR(bench.rows.rows[4].impulse, 0.005, 0.0);
    CHECK_NEAR(bench.rows.rows[5].impulse, 0.007, 0.0);
    CHECK_NEAR(bench.rows.rows[6].impulse, 0.008, 0.0);
    close_bench(&bench);
}

static void ImpulseOnBIsThatOfTheRows(void** state)
{
    (void)state;
    for (int type = RV_JOINT_FIXED; type <= RV_JOINT_DISTANCE; ++type) {
        Bench bench;
        open_bench(&bench);
        rvJoint* joint = add_loaded_joint(&bench, (rvJointType)type, 0.2, 0.2);
        int count = write_rows(&bench);
        rvVec3 push = rvVec(0, 0, 0), turn = rvVec(0, 0, 0);
        for (int i = 0; i < count; ++i) {
            double x = bench.rows.rows[i].impulse = random_number(&bench);
            const double* j = rv_group_jacobian(&bench.rows, 0, 1)[i];
            push = rvMulAdd(push, x, rvVec(j[0], j[1], j[2]));
            turn = rvMulAdd(turn, x, rvVec(j[3], j[4], j[5]));
        }
        rv_joints_read_rows(&bench.joints, &bench.rows);
        rvVec3 linear, angular;
        rv_joint_impulse_on_b(joint, &bench.bodies, &linear, &angular);
        rvVec3 arm = rvRotate(bench.bodies.items[1].state.q, joint->frameB.p);
        CHECK_NEAR(rvDistance(linear, push), 0.0, 1e-14);                               // round-off
        CHECK_NEAR(rvDistance(rvAdd(angular, rvCross(arm, linear)), turn), 0.0, 1e-13); // about the centre of mass
        close_bench(&bench);
    }
}

static void ZeroLengthGivesNumbers(void** state)
{
    (void)state;
    Bench bench;
    open_bench(&bench);
    add_body(&bench, RV_BODY_DYNAMIC, rvPoseIdentity());
    rvJointDef def = rvDefaultJointDef(RV_JOINT_DISTANCE);
    def.length = 1.0;
    rvJoint* joint = add_joint(&bench, &def, 0, -1);
    assert_int_equal(write_rows(&bench), 1);
    CHECK_NEAR(bench.rows.rows[0].bias, 1.0 / step, 1e-9); // phi = -1, round-off
    double* j = rv_group_jacobian(&bench.rows, 0, 0)[0];
    CHECK_NEAR(rvLength(rvVec(j[0], j[1], j[2])), 1.0, 1e-15); // a unit vector
    double translation, rotation;
    rv_joint_error(joint, &bench.bodies, &translation, &rotation);
    CHECK_NEAR(translation, 1.0, 1e-15);
    close_bench(&bench);
}

static void DistanceYieldsToLimitAndMotor(void** state)
{
    (void)state;
    Bench bench;
    open_bench(&bench);
    add_body(&bench, RV_BODY_DYNAMIC, (rvPose){{0, 0, 3}, {1, 0, 0, 0}});
    bench.bodies.items[0].center = rvVec(0, 0, 0);
    bench.bodies.items[0].state.x = rvVec(0, 0, 3);
    rvJointDef def = rvDefaultJointDef(RV_JOINT_DISTANCE);
    rvJoint* joint = add_joint(&bench, &def, -1, 0);
    CHECK_NEAR(joint->state.length, 3.0, 1e-15); // as created
    rvJointAxis rope = def.axes[0];
    rope.limited = true;
    rope.upper = 4.0;
    assert_int_equal(rv_joint_set_axis(joint, &bench.bodies, &bench.error, 0, &rope), RV_OK);
    assert_int_equal(write_rows(&bench), 1);
    CHECK_NEAR(bench.rows.rows[0].upper, 0.0, 0.0); // pulls only
    rvJointAxis piston = def.axes[0];
    piston.motor = RV_MOTOR_SPEED;
    piston.target = 0.1;
    piston.maxForce = 50.0;
    assert_int_equal(rv_joint_set_axis(joint, &bench.bodies, &bench.error, 0, &piston), RV_OK);
    assert_int_equal(write_rows(&bench), 1);
    CHECK_NEAR(bench.rows.rows[0].upper, 50.0 * step, 1e-15);
    // switched off it holds where it is
    bench.bodies.items[0].state.x = rvVec(0, 0, 3.5);
    assert_int_equal(rv_joint_set_axis(joint, &bench.bodies, &bench.error, 0, &def.axes[0]), RV_OK);
    assert_int_equal(write_rows(&bench), 1);
    CHECK_NEAR(bench.rows.rows[0].bias, 0.0, 1e-13); // round-off times 60
    close_bench(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(JacobiansAreDerivativesAtSmallErrors),
        cmocka_unit_test(JacobiansAreDerivativesAtLargeErrors),
        cmocka_unit_test(JacobiansAreDerivativesWithoutError),
        cmocka_unit_test(FrictionActsAlongTheAxis),
        cmocka_unit_test(BallFrictionActsOnAllTurns),
        cmocka_unit_test(RowsKeepMomentum),
        cmocka_unit_test(TypesHoldWhatTheHeaderSays),
        cmocka_unit_test(UnpushedBodiesGetNoGroupAndStaticOnesNoSlot),
        cmocka_unit_test(ValuesCountTurns),
        cmocka_unit_test(ErrorOf170DegreesIsSeenAsSuch),
        cmocka_unit_test(StiffnessAcrossTheArmIsTheDerivativeOfTheTorque),
        cmocka_unit_test(LimitRowLetsTheValueArriveAndNoFurther),
        cmocka_unit_test(ImpulsesKeepTheirRoles),
        cmocka_unit_test(ImpulseOnBIsThatOfTheRows),
        cmocka_unit_test(ZeroLengthGivesNumbers),
        cmocka_unit_test(DistanceYieldsToLimitAndMotor),
    };
    return RUN_TESTS(tests);
}
