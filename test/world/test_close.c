// SPDX-License-Identifier: MIT
// Gaps that fast turning opens are closed, those from elsewhere are left to the rows; nothing moves that something else
// than joints acts on.
#include "world/machines.h"

static const double STEP = 1.0 / 60.0;

// The links of a long chain under a light load turn by a third of a radian a step when it whips; the rows alone leave
// three hundredths of the arm then.
static void WhippingChainStaysShut(void** state)
{
    (void)state;
    ChainDef def = {.links = 100, .length = 10.0, .linkMass = 0.1, .loadMass = 100.0, .angle = 1.5};
    rvWorldDef worldDef = rvDefaultWorldDef();
    Chain chain = make_chain(&worldDef, &def);
    double arm = 0.5 * def.length / def.links, worst = 0.0;
    for (int i = 0; i < 1200; ++i) {
        CHECK_OK(chain.world, rvWorld_Step(chain.world, STEP));
        worst = fmax(worst, rvWorld_GetStepInfo(chain.world).worstGap);
    }
    CHECK_BELOW(0.009 * arm, worst); // or nothing was there to be closed
    // a hundredth of the arm is left, and what a way of that size leaves in second order: as much of itself
    CHECK_BELOW(worst, 0.01 * arm * (1.0 + 0.02));
    rvDestroyWorld(chain.world);
}

// A rod that was hung a centimetre beside its joint and does not turn comes in as the rows say.
static void GapOfAnotherKindIsLeftToTheRows(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvBodyId ball = add_ball(world, 1.0, 0.1, rvVec(0.01, 0, 0));
    rvJointDef def = rvDefaultJointDef(RV_JOINT_BALL);
    def.bodyB = ball;
    rvJointId joint;
    CHECK_OK(world, rvCreateJoint(world, &def, &joint));
    CHECK_OK(world, rvWorld_Step(world, STEP));
    // J v' = -(4 g/h) phi, g = 1/(1 + 4 tau/h), tau = 2 h: 4/9 of the gap in the first step
    CHECK_NEAR(rvWorld_GetStepInfo(world).worstGap, 0.01 * 5.0 / 9.0, 1e-15); // roundings
    rvDestroyWorld(world);
}

// A wheel of 0.5 m that spins by 0.3 rad a step on a ball joint at its rim: what a step opens is 5 % of the arm.
static rvWorld* make_spinner(rvBodyId* wheel)
{
    rvWorld* world = make_weightless_world();
    rvBodyDef def = rvDefaultBodyDef();
    def.mass = 2.0;
    def.inertia = rvBallInertia(def.mass, 0.3);
    def.pose.p = rvVec(0.5, 0, 0);
    def.angularVelocity = rvVec(0, 0, 18.0);
    def.velocity = rvVec(0, 9.0, 0);
    *wheel = add_body(world, &def);
    join_ball(world, RV_NULL_BODY, *wheel, rvVec(0, 0, 0));
    return world;
}

static void SpinningBodyStaysOnItsJoint(void** state)
{
    (void)state;
    rvBodyId wheel;
    rvWorld* world = make_spinner(&wheel);
    CHECK_OK(world, rvWorld_Step(world, STEP)); // in the first the joint has nothing to do yet: the wheel flies on
    for (int i = 0; i < 60; ++i) {
        CHECK_OK(world, rvWorld_Step(world, STEP));
        // a hundredth of the arm, and what the correction of a gap of 5 % leaves in second order
        CHECK_BELOW(rvWorld_GetStepInfo(world).worstGap, 0.01 * 0.5 + 0.05 * 0.05 * 0.5);
    }
    rvDestroyWorld(world);
}

// The same with a cable tied to it, long and slack or taut: where it is taut the cable acts, and its body goes only
// where velocities bring it.
static void BodyOnACableGoesWhereItsVelocitySays(void** state)
{
    (void)state;
    rvBodyId wheel;
    rvWorld* world = make_spinner(&wheel);
    hang_on_cable(world, rvVec(0.5, 0, 3), wheel, 1e4, 2.9);
    for (int i = 0; i < 60; ++i) {
        rvVec3 before = rvBody_GetCenter(world, wheel);
        CHECK_OK(world, rvWorld_Step(world, STEP));
        rvVec3 went = rvSub(rvBody_GetCenter(world, wheel), before);
        CHECK_NEAR(rvLength(rvMulAdd(went, -STEP, rvBody_GetVelocity(world, wheel))), 0.0, 1e-14); // roundings
    }
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WhippingChainStaysShut),
        cmocka_unit_test(GapOfAnotherKindIsLeftToTheRows),
        cmocka_unit_test(SpinningBodyStaysOnItsJoint),
        cmocka_unit_test(BodyOnACableGoesWhereItsVelocitySays),
    };
    return RUN_TESTS(tests);
}
