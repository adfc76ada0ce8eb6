// SPDX-License-Identifier: MIT
#include "world/machines.h"

static const rvCableModel MODELS[] = {RV_CABLE_MASSLESS, RV_CABLE_LAYERED, RV_CABLE_ANCF, RV_CABLE_CURVE, RV_CABLE_ALE};

static rvCableDef rope_of(rvCableModel model, double length)
{
    rvCableDef def = rvDefaultCableDef(model);
    def.length = length;
    def.elements = 12;
    def.diameter = 0.01;
    def.axialStiffness = 1e6;
    def.bendingStiffness = 0.5;
    def.massPerLength = 1.0;
    def.torsionalStiffness = model == RV_CABLE_CURVE ? 0.4 : 0.0; // in space
    def.damping = model == RV_CABLE_CURVE ? 0.0 : 0.01;
    return def;
}

typedef struct {
    double tension[2], highest[2], lowest[2];
    rvVec3 load, middle;
} Ride;

static rvBodyId add_moving(rvWorld* world, rvBodyType type, double mass, rvVec3 at, rvVec3 velocity, rvVec3 turning)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.type = type;
    def.mass = mass;
    def.pose.p = at;
    def.velocity = velocity;
    def.angularVelocity = turning;
    return add_body(world, &def);
}

// A load hangs from one hand, slack rope between two; all of it moves with one velocity.
static Ride ride(rvCableModel model, rvVec3 velocity)
{
    rvVec3 still = rvVec(0, 0, 0);
    rvWorld* world = make_world();
    rvBodyId hands[2], load = add_moving(world, RV_BODY_DYNAMIC, 50.0, rvVec(0, 0, -5), velocity, still);
    for (int i = 0; i < 2; ++i)
        hands[i] = add_moving(world, RV_BODY_KINEMATIC, 1.0, rvVec(3.0 * i, 0, 0), velocity, still);
    rvPlaceDef hung[] = {rvAttachPlace(hands[0], still), rvAttachPlace(load, still)};
    rvPlaceDef slack[] = {rvAttachPlace(hands[0], still), rvAttachPlace(hands[1], still)};
    rvCableId ropes[] = {add_cable_of(world, rope_of(model, 4.9975), hung, 2),
                         add_cable_of(world, rope_of(model, 4.0), slack, 2)};
    Ride out = {.lowest = {HUGE_VAL, HUGE_VAL}};
    for (int i = 0; i < 100; ++i) {
        step_world(world, 0.01, 1);
        for (int k = 0; k < 2; ++k) {
            double tension = rvCable_GetTension(world, ropes[k], 0);
            out.highest[k] = fmax(out.highest[k], tension);
            out.lowest[k] = fmin(out.lowest[k], tension);
        }
    }
    rvCableSection section;
    rvVec3 way = velocity; // of a second
    assert_true(rvCable_GetSection(world, ropes[1], 2.0, &section));
    out.middle = rvSub(section.point, way);
    out.load = rvSub(rvBody_GetPose(world, load).p, way);
    rvDestroyWorld(world);
    return out;
}

// A world that begins in uniform motion is one at rest, seen from beside it.
static void UniformMotionHasNoJolt(void** state)
{
    (void)state;
    for (int m = 0; m < 5; ++m) {

        Ride rest = ride(MODELS[m], rvVec(0, 0, 0)), moved = ride(MODELS[m], rvVec(3, 1, 2));
        // rounding: EA times 1e-16 of some metres is 1e-9 N, over a hundred steps; a curve may leave gaps of 1e-6 of
        // its length at either end, and pulls by EA times that
        bool curve = MODELS[m] == RV_CABLE_CURVE;
        double place = curve ? 4e-6 * 5.0 : 1e-9, pull = curve ? 2e-6 * 1e6 : 1e-6;
        CHECK_NEAR(rvDistance(rest.load, moved.load), 0.0, place);
        CHECK_NEAR(rvDistance(rest.middle, moved.middle), 0.0, place); // the same
        for (int k = 0; k < 2; ++k) {
            CHECK_NEAR(moved.highest[k], rest.highest[k], pull);
            CHECK_NEAR(moved.lowest[k], rest.lowest[k], pull); // the same
        }
    }
}

// Slack rope between points of what turns as one, one body or two: each of its points goes around with it.
static void TurningRopeBeginsAsPartOfIt(void** state)
{
    (void)state;
    const double h = 1e-3;
    const rvVec3 w = rvVec(0.5, 1.0, 2.0);
    for (int m = 1; m < 5; ++m)
        for (int bodies = 1; bodies <= 2; ++bodies) {
            rvWorld* world = make_weightless_world();
            rvVec3 ends[] = {rvVec(1, 0, 0), rvVec(3, 1, 0)}, before[100], after[100];
            rvPlaceDef places[2];
            rvBodyId turning = add_moving(world, RV_BODY_KINEMATIC, 1.0, rvVec(0, 0, 0), rvVec(0, 0, 0), w);
            for (int i = 0; i < 2; ++i) {
                if (bodies == 2)
                    turning = add_moving(world, RV_BODY_KINEMATIC, 1.0, ends[i], rvCross(w, ends[i]), w);
                places[i] = rvAttachPlace(turning, bodies == 2 ? rvVec(0, 0, 0) : ends[i]);
            }
            rvCableDef def = rope_of(MODELS[m], 3.0);
            rvCableId rope = add_cable_of(world, def, places, 2);
            int count = rvCable_GetShape(world, rope, before, 100);
            step_world(world, h, 1);
            assert_int_equal(rvCable_GetShape(world, rope, after, 100), count);
            for (int i = 0; i < count; ++i) {
                rvVec3 speed = rvScale(1.0 / h, rvSub(after[i], before[i]));
                // what flings it aside within a step: h w^2 r
                CHECK_NEAR(rvDistance(speed, rvCross(w, before[i])), 0.0, 2.0 * h * rvDot(w, w) * 4.0);
            }
            rvDestroyWorld(world);
        }
}

// A damped, stiff, slack rope whose hand moves away from the start takes it along and is not stretched by it.
static void SlackRopeIsNotStretchedByAMovingHand(void** state)
{
    (void)state;
    rvVec3 still = rvVec(0, 0, 0);
    rvWorld* world = make_world();
    rvBodyId hand = add_moving(world, RV_BODY_KINEMATIC, 1.0, rvVec(1, 0, 0), rvVec(0.3, 0, 0), still);
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, still), rvAttachPlace(hand, still)};
    rvCableDef def = rope_of(RV_CABLE_ANCF, 1.5);
    def.axialStiffness = 1e7;
    def.bendingStiffness = 0.01;
    def.damping = 0.02;
    rvCableId rope = add_cable_of(world, def, places, 2);
    double most = 0.0;
    for (int i = 0; i < 100; ++i) {
        step_world(world, 0.005, 1);
        most = fmax(most, fabs(rvCable_GetEndTension(world, rope, 0, 1)));
    }
    CHECK_BELOW(most, 20.0); // it weighs 15 N; stretched at 0.2/s it would pull with EA tau 0.2/s = 40 kN
    rvDestroyWorld(world);
}

// A load is thrown away from just beside the support of its folded rope: the rope between them does not whirl at the
// rate at which so short a chord turns, it has no more speed than the load.
static void FoldedRopeIsNoFasterThanItsEnds(void** state)
{
    (void)state;
    const rvCableModel models[] = {RV_CABLE_ANCF, RV_CABLE_ALE};
    for (int m = 0; m < 2; ++m) {
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 10.0, 0.1, rvVec(0.05, 0, 0));
        CHECK_OK(world, rvBody_SetVelocity(world, load, rvVec(0, 5, 0), rvVec(0, 0, 0)));
        rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = rvDefaultCableDef(models[m]);
        def.length = 4.0;
        def.massPerLength = 0.5;
        def.axialStiffness = 1e5;
        def.bendingStiffness = 1e-3;
        rvCableId rope = add_cable_of(world, def, places, 2);
        rvCableEnergy energy = rvCable_GetEnergy(world, rope);
        CHECK_BELOW(energy.kinetic, 0.5 * 2.0 * 5.0 * 5.0); // of all of it at the speed of the load
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FoldedRopeIsNoFasterThanItsEnds), cmocka_unit_test(UniformMotionHasNoJolt),
        cmocka_unit_test(TurningRopeBeginsAsPartOfIt), cmocka_unit_test(SlackRopeIsNotStretchedByAMovingHand)};
    return RUN_TESTS(tests);
}
