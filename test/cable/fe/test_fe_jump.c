// SPDX-License-Identifier: MIT
// Hands that start at once, and what they feel of a rope of finite elements.
//
// A hand that draws a long string of mass m a metre with the speed v from a moment on has a wave run along it, of the
// pull
//   F(t) = v sqrt(EA m) (erf(sqrt(x)) + exp(-x)/sqrt(pi x)),  x = t/tau
// above what it pulled with before, tau its damping: by v(s) = v/s exp(-s x sqrt(m/(EA (1 + tau s)))) of Laplace's
// transform. Its integral is  v sqrt(EA m) tau ((x + 1/2) erf(sqrt(x)) + sqrt(x/pi) exp(-x)).
#include "world/machines.h"

static const double STEPS[] = {1e-3, 2e-3, 5e-3, 1e-2, 1.0 / 60}, DAMPINGS[] = {0.0, 1e-3, 1e-2, 0.1};
#define PI 3.14159265358979324
enum { STEP_COUNT = 5, DAMPING_COUNT = 4 };

static rvCableDef rope_of(const rvPlaceDef* places, int count, int elements)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ANCF);
    def.places = places;
    def.placeCount = count;
    def.elements = elements;
    def.diameter = 0.01;
    def.bendingStiffness = 0.05;
    return def;
}

static void lead(rvWorld* world, rvBodyId hand, rvVec3 to)
{
    rvPose pose = rvPoseIdentity();
    pose.p = to;
    CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
}

// A string of 20 m at 10 N, of 100 m/s; its wave is not back before 0.4 s.
#define STRING 20.0
#define STIFFNESS 1e4
#define SPEED 0.05
#define TENSION 10.0
static const double FRONT = SPEED * 100.0; // v sqrt(EA m), of a kilogram a metre [N]

static double pull_of(double t, double tau)
{
    double x = tau > 0.0 ? t / tau : HUGE_VAL;
    return FRONT * (tau > 0.0 ? erf(sqrt(x)) + exp(-x) / sqrt(PI * x) : 1.0);
}

static double impulse_of(double t, double tau)
{
    double x = tau > 0.0 ? t / tau : 0.0;
    return FRONT * (tau > 0.0 ? tau * ((x + 0.5) * erf(sqrt(x)) + sqrt(x / PI) * exp(-x)) : t);
}

// From the second step on the rope pulls at the hand as a string does, however coarse the step; and it got that
// impulse.
static void HandThatStartsAtOnceFeelsAWave(void** state)
{
    (void)state;
    for (int k = 0; k < STEP_COUNT * DAMPING_COUNT; ++k) {
        double h = STEPS[k / DAMPING_COUNT], tau = DAMPINGS[k % DAMPING_COUNT], got = 0.0, t = 0.0, off = 0.0;
        rvWorld* world = make_weightless_world();
        rvBodyId hand = add_hand(world, rvVec(STRING, 0, 0));
        rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(hand, rvVec(0, 0, 0))};
        rvCableDef def = rope_of(places, 2, 100);
        def.axialStiffness = STIFFNESS;
        def.massPerLength = 1.0;
        def.length = STRING / (1.0 + TENSION / STIFFNESS);
        def.damping = tau;
        rvCableId rope = create_cable(world, &def);
        for (int i = 1; t < 0.06; ++i) {
            rvVec3 force, torque;
            t = i * h;
            lead(world, hand, rvVec(STRING + SPEED * t, 0, 0));
            CHECK_OK(world, rvWorld_Step(world, h));
            rvBody_GetWrench(world, hand, &force, &torque);
            got += h * (-force.x - TENSION);
            rvCable_GetForceOn(world, rope, hand, &force, &torque);
            if (i > 1)
                off = fmax(off, fabs(-force.x - TENSION - pull_of(t, tau)) / pull_of(t, tau));
        }
        // a step's own answer to a force that begins at once is 6 % above it; at 1 ms the wave takes two steps through
        // an element
        CHECK_BELOW(off, 0.1);
        CHECK_NEAR(got, impulse_of(t, tau),
                   0.5 * h * pull_of(h, tau) + 0.02 * impulse_of(t, tau)); // half a step, half an element
        rvDestroyWorld(world);
    }
}

// Five metres of stiff, slack rope. What a hand that starts at once does to it is to take it along: no more than all of
// it moves, no point faster than twice as fast as the hand. (A damped rope pulled with up to 78 kN, and its guard took
// its speed in each step.)
static void SlackRopeGoesAlongWithAHandThatStartsAtOnce(void** state)
{
    (void)state;
    static const rvVec3 ways[] = {{0.3, 0, 0}, {-0.3, 0, 0}, {0, 0, 0.3}, {0, 0, -0.3}};
    for (int k = 0; k < 4 * STEP_COUNT * DAMPING_COUNT; ++k) {
        double h = STEPS[k / 4 % STEP_COUNT], mass = 2.5, most = 0.0;
        rvVec3 way = ways[k % 4], force, torque;
        rvWorld* world = make_world();
        rvBodyId hand = add_hand(world, rvVec(3, 0, 0));
        rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(hand, rvVec(0, 0, 0))};
        rvCableDef def = rope_of(places, 2, 12);
        def.axialStiffness = 1e8;
        def.massPerLength = mass / 5.0;
        def.length = 5.0;
        def.damping = DAMPINGS[k / (4 * STEP_COUNT)];
        rvCableId rope = create_cable(world, &def);
        for (int i = 1; i <= 20; ++i) {
            lead(world, hand, rvMulAdd(rvVec(3, 0, 0), i * h, way));
            CHECK_OK(world, rvWorld_Step(world, h));
            rvCable_GetForceOn(world, rope, hand, &force, &torque);
            most = fmax(most, fmax(rvLength(force), fabs(rvCable_GetTension(world, rope, 0))));
        }
        CHECK_BELOW(most, mass * (GRAVITY + 2.0 * 0.3 / h));
        rvDestroyWorld(world);
    }
}

// The largest force at a hand that goes with 0.5 m/s at once, by 0.25 m and back, and its work.
static double draw_slack_rope(double h, double* work)
{
    rvWorld* world = make_world();
    rvBodyId hand = add_hand(world, rvVec(1, 0, 0));
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(hand, rvVec(0, 0, 0))};
    rvCableDef def = rope_of(places, 2, 20);
    def.axialStiffness = 1e8;
    def.damping = 0.05;
    def.massPerLength = 0.5;
    def.bendingStiffness = 0.01;
    def.length = 1.5;
    rvCableId rope = create_cable(world, &def);
    double most = 0.0;
    for (int i = 0, count = (int)lround(2.0 / h); i < count; ++i) {
        double t = (i + 1) * h, way = t < 0.5 ? 0.5 * t : t < 1.0 ? 0.5 - 0.5 * t : 0.0;
        lead(world, hand, rvVec(1.0 + way, 0, 0));
        CHECK_OK(world, rvWorld_Step(world, h));
        rvVec3 force, torque;
        rvCable_GetForceOn(world, rope, hand, &force, &torque);
        most = fmax(most, rvLength(force));
    }
    *work = rvWorld_GetEnergy(world).work;
    rvDestroyWorld(world);
    return most;
}

// Rope of 100 MN whose damping lasts for many steps: their strain drifts by 1e-5, which damping holds back. The guard
// had taken that from the speeds, and the hand read up to 15 kN and worked from -200 to 100 J.
static void StiffRopeWithMuchDampingPullsAlikeAtAllSteps(void** state)
{
    (void)state;
    static const double steps[] = {0.01, 1.0 / 60.0, 0.02, 1.0 / 30.0};
    double work, fine, most = draw_slack_rope(1e-3, &fine);
    for (int i = 0; i < 4; ++i) {
        CHECK_BELOW(draw_slack_rope(steps[i], &work), most);           // of a start: the mean over more of it
        CHECK_NEAR(work, fine, 0.5 * steps[i] * 0.5 * 0.75 * GRAVITY); // half a step of its way, by the rope's weight
    }
}

// At rest: half of the weight each, and as much aside as in the rope; of a hand by its arm, of a load its weight.
static void ForceOnABodyIsThatOfItsElements(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId hand = add_hand(world, rvVec(3, 0.5, 0)), load = add_ball(world, 100.0, 0.2, rvVec(0, 0, -2));
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(hand, rvVec(0, -0.5, 0))};
    rvPlaceDef below[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = rope_of(places, 2, 12), hanging = rope_of(below, 2, 4);
    def.axialStiffness = hanging.axialStiffness = 1e6;
    def.massPerLength = hanging.massPerLength = 0.5;
    def.length = 5.0;
    hanging.length = 2.0;
    rvCableId rope = create_cable(world, &def), carrier = create_cable(world, &hanging);
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    for (int i = 0; i < 50; ++i)
        CHECK_OK(world, rvWorld_Step(world, 1e-3));
    rvVec3 force, torque;
    rvCableSection lowest;
    rvCable_GetForceOn(world, rope, hand, &force, &torque);
    assert_true(rvCable_GetSection(world, rope, 2.5, &lowest));
    CHECK_NEAR(force.z, -0.5 * 2.5 * GRAVITY,
               1e-5 * GRAVITY);                 // settled to 1e-6 of the weight, and it trembles by as much
    CHECK_NEAR(force.x, -lowest.force.x, 1e-3); // bending, EI k'', over an element
    CHECK_NEAR(torque.z, 0.5 * force.x, 1e-9 * fabs(force.x));  // of its arm, round-off
    CHECK_NEAR(torque.x, -0.5 * force.z, 1e-9 * fabs(force.z)); // the same
    rvCable_GetForceOn(world, carrier, load, &force, &torque);
    CHECK_NEAR(force.z, 100.0 * GRAVITY, 1e-5 * 100.0 * GRAVITY); // settled, as above
    rvDestroyWorld(world);
}

// A rod held by its middle, with a metre to one side and two to the other: the moment jumps there.
static void MomentAtAPlaceIsThatBeforeIt(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvPlaceDef places[3] = {rvFreePlace(rvVec(-1, 0, 0)), clamp(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(1, 0, 0)),
                            rvFreePlace(rvVec(2, 0, 0))};
    rvCableDef def = rope_of(places, 3, 12);
    def.axialStiffness = 1e6;
    def.bendingStiffness = 1000.0;
    def.massPerLength = 0.5;
    def.length = 3.0;
    rvCableId rod = create_cable(world, &def);
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    rvCableSection before, after;
    assert_true(rvCable_GetSection(world, rod, 1.0, &before));
    assert_true(rvCable_GetSection(world, rod, 1.0 + 1e-6, &after));
    double w = 0.5 * GRAVITY,
           off = w * 0.25 * 0.25 / 12.0; // a cubic's moment is a line in each element, of w l^2/12 at its ends
    CHECK_NEAR(before.moment, 0.5 * w, 1.1 * off); // it sags, by a thousandth of its length
    CHECK_NEAR(after.moment, 2.0 * w, 1.1 * off);
    CHECK_NEAR(before.curvature, before.moment / 1000.0, 1e-6 * before.curvature + 1e-9); // settled shape, no rate
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(HandThatStartsAtOnceFeelsAWave),
        cmocka_unit_test(SlackRopeGoesAlongWithAHandThatStartsAtOnce),
        cmocka_unit_test(StiffRopeWithMuchDampingPullsAlikeAtAllSteps),
        cmocka_unit_test(ForceOnABodyIsThatOfItsElements),
        cmocka_unit_test(MomentAtAPlaceIsThatBeforeIt),
    };
    return RUN_TESTS(tests);
}
