// SPDX-License-Identifier: MIT
// What a hand feels of slack rope that comes to lie on shapes.
#include "world/machines.h"

static const double STEPS[] = {0.002, 0.005, 0.01, 0.017, 0.033};
enum { STEP_COUNT = sizeof STEPS / sizeof *STEPS };

typedef struct {
    double time;
    rvVec3 at;
} Point;

typedef struct {
    double force; // the largest on the hand [N]
    double pull;  // the largest of the rope [N]
    double work;  // of hand and winch [J]
    bool touched;
} Felt;

static rvCableDef hose_def(double length)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
    def.axialStiffness = 1e6;
    def.bendingStiffness = 1.0;
    def.massPerLength = 1.0;
    def.diameter = 0.03;
    def.damping = 0.01;
    def.elements = 20;
    def.length = length;
    def.collides = true;
    def.friction = 0.3;
    def.maxContacts = 64;
    return def;
}

static rvVec3 point_of(const Point* way, int count, double time)
{
    int k = 1;
    while (k + 1 < count && way[k].time < time)
        k += 1;
    double share = fmin(1.0, (time - way[k - 1].time) / (way[k].time - way[k - 1].time));
    return rvMulAdd(way[k - 1].at, share, rvSub(way[k].at, way[k - 1].at));
}

// Leads the hand to the end of its way.
static Felt lead(rvWorld* world, rvBodyId hand, rvCableId rope, const Point* way, int count, double h)
{
    Felt felt = {0};
    for (double time = h; time <= way[count - 1].time; time += h) {
        rvPose pose = rvPoseIdentity();
        rvVec3 force, torque;
        pose.p = point_of(way, count, time);
        CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
        CHECK_OK(world, rvWorld_Step(world, h));
        rvCable_GetForceOn(world, rope, hand, &force, &torque);
        felt.force = fmax(felt.force, rvLength(force));
        felt.pull = fmax(felt.pull, rvCable_GetLargestTension(world, rope));
        felt.touched = felt.touched || rvCable_GetContactCount(world, rope) > 0;
    }
    felt.work = rvWorld_GetEnergy(world).work;
    return felt;
}

// Let down onto a cylinder and drawn to and fro there: the hand feels less than the weight of the hose, and does the
// same work at any step. (By the rates of what contacts stop, which its damping turned into force, it felt two times
// the weight from 10 ms on and did 1.6 to 4.6 J less, or more, of 6.8.)
static void HandsFeelNoStopOfSlackRope(void** state)
{
    (void)state;
    static const Point way[] = {{0, {1.5, 0, 2}},     {2, {1.5, 0, 1.2}},  {3, {1.6, 0, 0.9}},
                                {4, {1.2, 0.3, 1.3}}, {5, {1.6, -0.2, 1}}, {6, {1.6, -0.2, 1}}};
    double work = 0.0;
    for (int i = 0; i < STEP_COUNT; ++i) {
        rvWorld* world = make_world();
        rvBodyId peg = add_mass(world, RV_BODY_STATIC, 0, 0.0, rvVec(0.75, 0, 1));
        rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_CYLINDER);
        shape.radius = 0.2;
        shape.length = 2.0;
        shape.frame.q = rvQuatFromAxisAngle(rvVec(1, 0, 0), 1.5707963267948966);
        shape.friction = 0.3;
        add_shape(world, peg, &shape);
        rvBodyId hand = add_hand(world, way[0].at);
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 2)), rvAttachPlace(hand, rvVec(0, 0, 0))};
        rvCableId rope = add_cable_of(world, hose_def(3.0), places, 2);
        Felt felt = lead(world, hand, rope, way, 6, STEPS[i]);
        assert_true(felt.touched);
        CHECK_BELOW(felt.force, 3.0 * GRAVITY);
        work = i == 0 ? felt.work : work;
        CHECK_NEAR(felt.work, work, 0.4); // friction comes late by up to a step: 15 N along h 0.5 m/s
        rvDestroyWorld(world);
    }
}

// A winch hauls a hose in that lies on the ground, until it pulls with 200 N: the hand is pulled as the rope is. (It
// read up to 40 times that.)
static void HandsFeelThePullOfHauledRope(void** state)
{
    (void)state;
    static const Point way[] = {{0, {3, 0, 1}}, {1, {3, 0, 1}}};
    for (int i = 0; i < STEP_COUNT; ++i) {
        rvWorld* world = make_world();
        add_ground(world);
        rvBodyId hand = add_hand(world, way[0].at);
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0.5), 0.0), rvAttachPlace(hand, rvVec(0, 0, 0))};
        places[0].winch.control = RV_WINCH_TENSION;
        places[0].winch.target = 200.0;
        places[0].winch.maxSpeed = 1.0;
        rvCableDef def = hose_def(3.7);
        def.axialStiffness = 5e6;
        def.bendingStiffness = 0.1;
        def.damping = 0.03;
        rvCableId rope = add_cable_of(world, def, places, 2);
        Felt felt = lead(world, hand, rope, way, 2, STEPS[i]);
        assert_true(felt.touched && felt.pull > 200.0);
        CHECK_BELOW(felt.force, 1.5 * felt.pull); // tensions are told as means of four steps
        rvDestroyWorld(world);
    }
}

// A hand draws a load that meets nothing itself over the edge of a box, on a rope without friction: it goes on past
// the edge. As it turns into the rope there it pulls for a moment, with 1100 N on massless rope at 1 ms. (Held below
// the edge as at an eye it was torn at with 1.3 to 4.9 kN, and at some steps thrown.)
static void EndsAreDrawnOverEdges(void** state)
{
    (void)state;
    static const double steps[] = {0.005, 0.01, 0.017};
    static const Point way[] = {
        {0, {-1.5, 0, 1.2}}, {0.5, {-1.5, 0, 1.2}}, {0.7, {-1.55, 0, 1.2}}, {1.65, {-2.025, 0, 1.2}}};
    for (int i = 0; i < 3; ++i) {
        rvWorld* world = make_world();
        rvBodyId box = add_mass(world, RV_BODY_STATIC, 0, 0.0, rvVec(0, 0, 0.5));
        add_box_shape(world, box, rvVec(1, 2, 1));
        rvBodyId hand = add_hand(world, way[0].at), load = add_ball(world, 5.0, 0.05, rvVec(0.51, 0, 0.55));
        rvPlaceDef places[] = {rvAttachPlace(hand, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = hose_def(2.5);
        def.massPerLength = 0.3;
        def.bendingStiffness = 0.1;
        def.diameter = 0.02;
        def.friction = 0.0;
        rvCableId rope = add_cable_of(world, def, places, 2);
        rvSettleReport report;
        CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
        Felt felt = lead(world, hand, rope, way, 4, steps[i]);
        assert_true(felt.touched);
        CHECK_BELOW(felt.pull, 1100.0);
        CHECK_BELOW(felt.force, 1100.0);
        assert_true(rvBody_GetPose(world, load).p.x < 0.5);
        CHECK_BELOW(rvLength(rvBody_GetVelocity(world, load)), 2.0); // the hand has 0.5 m/s, and it falls for 0.1 s
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(HandsFeelNoStopOfSlackRope),
        cmocka_unit_test(HandsFeelThePullOfHauledRope),
        cmocka_unit_test(EndsAreDrawnOverEdges),
    };
    return RUN_TESTS(tests);
}
