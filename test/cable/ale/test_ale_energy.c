// SPDX-License-Identifier: MIT
// The books of a rope that flows: what bodies do on it, those that are led and those that carry wheels, and the guard's
// scale.
#include "cable/ale/ale_rope.h"
#include "world/machines.h"
#include "world/world.h"

static rvCableId add_rope(rvWorld* world, rvPlaceDef* places, int count, double EA, double damping)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
    rvCableId rope;
    def.places = places;
    def.placeCount = count;
    def.axialStiffness = EA;
    def.bendingStiffness = 0.01;
    def.massPerLength = 0.1;
    def.damping = damping;
    def.elements = 12;
    CHECK_OK(world, rvCreateCable(world, &def, &rope));
    return rope;
}

static double stored(const rvWorld* world)
{
    rvEnergy energy = rvWorld_GetEnergy(world);
    return energy.kinetic + energy.potential + energy.elastic;
}

static rvPose place_of_hand(double t)
{
    return (rvPose){rvVec(0.5 * (1.0 - cos(2.0 * t)), 0.0, 0.1 * (1.0 - cos(4.0 * t))), rvQuatIdentity()};
}

// A hand leads a rope with a load about; what it gives and is not there at the end is the heat of the rope's damping.
static void WorkOfALedBodyIsStoredOrHeat(void** state)
{
    (void)state;
    const double h = 0.002;
    rvWorld* world = make_world();
    rvBodyDef body = rvDefaultBodyDef();
    rvBodyId hand, load = add_ball(world, 20.0, 0.1, rvVec(0, 0, -5));
    body.type = RV_BODY_KINEMATIC;
    CHECK_OK(world, rvCreateBody(world, &body, &hand));
    rvPlaceDef places[] = {rvAttachPlace(hand, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    add_rope(world, places, 2, 1e4, 0.1);
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    double start = 0.0, work = 0.0, most = 0.0;
    rvVec3 last = rvVec(0, 0, 0), way = rvVec(0, 0, 0), force, torque;
    for (int i = 0; i < 2000; ++i) {
        CHECK_OK(world, rvBody_MoveTo(world, hand, place_of_hand((i + 1) * h)));
        CHECK_OK(world, rvWorld_Step(world, h));
        start = i == 0 ? stored(world) : start;
        rvBody_GetWrench(world, hand, &force, &torque); // on the hand, at the beginning of the step
        work -= i > 1 ? 0.5 * rvDot(rvAdd(last, force), way) : 0.0;
        way = rvSub(place_of_hand((i + 1) * h).p, place_of_hand(i * h).p);
        last = force;
        most = fmax(most, rvWorld_GetEnergy(world).kinetic);
    }
    rvEnergy energy = rvWorld_GetEnergy(world);
    assert_true(energy.dampingHeat > 0.02 * most); // there is something to find
    // the books go from end to end of steps, the energies are read at their middles: half a step of the hand's power,
    // 400 N and a body at 0.4 m/s. The forces are those of the steps' ends: h^2 (2 pi/T)^2/12 of the work
    CHECK_NEAR(stored(world) + energy.dampingHeat, start + work, 0.5 * h * 400.0 * 0.4 + 1e-5 * most);
    rvDestroyWorld(world);
}

// A load swings below a wheel on a heavy body. The way on to the wheel slides along it: rope goes on to the arc and
// comes back, and no body does work for that.
static void WheelOnABodyTakesNoWorkFromASwing(void** state)
{
    (void)state;
    const double radius = 0.5, h = 0.005;
    rvWorld* world = make_world();
    rvBodyDef body = rvDefaultBodyDef();
    rvBodyId carrier, load = add_ball(world, 100.0, 0.1, rvVec(radius + 3.0, 0, -5));
    body.mass = 1e9;
    CHECK_OK(world, rvCreateBody(world, &body, &carrier));
    rvPlaceDef places[] = {rvAttachPlace(carrier, rvVec(-6, 0, radius)),
                           rvSheavePlace(carrier, rvVec(0, 0, 0), rvVec(0, 1, 0), radius),
                           rvAttachPlace(load, rvVec(0, 0, 0))};
    add_rope(world, places, 3, 1e6, 0.0);
    double least = 0.0, most = 0.0, swing = 100.0 * GRAVITY * 0.83; // of 5.83 m, out by 3 m
    for (int i = 0; i < 800; ++i) {
        CHECK_OK(world, rvBody_ApplyForce(world, carrier, rvVec(0, 0, 1e9 * GRAVITY), rvVec(0, 0, 0)));
        CHECK_OK(world, rvWorld_Step(world, h));
        least = fmin(least, rvWorld_GetEnergy(world).dampingHeat);
        most = fmax(most, rvWorld_GetEnergy(world).dampingHeat);
    }
    // it starts without the tension that it swings with, and that ringing dies in the steps: the pull squared, up to
    // three times the weight, over twice the stiffness of the rope
    double pull = 3.0 * 100.0 * GRAVITY, ringing = 0.5 * pull * pull * 12.0 / 1e6;
    assert_true(ringing < 0.1 * swing);
    CHECK_NEAR(most, 0.0, ringing);
    CHECK_NEAR(least, 0.0, 1e-3 * swing); // second order of the step: (h 2 pi/5 s)^2 and what the wheel adds of it
    rvDestroyWorld(world);
}

// A body at four ends of falls is one body. Passes go by what it could fall, the guard by how it moves.
static void ScaleCountsABodyOnce(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId block = add_ball(world, 100.0, 0.1, rvVec(0, 0, -5));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-0.5, 0, 0)), rvEyePlace(block, rvVec(-0.2, 0, 0.1)),
                           rvEyePlace(block, rvVec(0.2, 0, 0.1)), rvAttachPlace(RV_NULL_BODY, rvVec(0.5, 0, 0))};
    add_rope(world, places, 4, 1e6, 0.01);
    CHECK_OK(world, rvWorld_Step(world, 0.005));
    const rvCable* cable = &world->cables.items[0];
    double length = cable->state.restLength, weight = (100.0 + 0.1 * length) * GRAVITY;
    // a hundredth of what all would fall by its length; the stretch of the start is nothing beside it
    CHECK_NEAR(*cable->rope->ale->floor, 0.01 * weight * length, 0.01 * 0.01 * weight * length);
    double moves = 0.1 * 0.1 * length * GRAVITY * length + 0.5 * 100.0 * 0.05 * 0.05; // it fell for a step
    assert_true(cable->rope->ale->above[1] > 0.0 && cable->rope->ale->above[1] < moves);
    rvDestroyWorld(world);
}

// A load of two tonnes drops into the bight of a light stiff rope and is thrown about in it; one pass a step does not
// settle where rope crumples and snaps taut. After each step it has the load where that is. (A last pass that was made
// in part left it behind, in a hoist by up to 2 m, and the next step tore at it by gigajoules.)
static void EndsOfRopeStayWithTheirBodies(void** state)
{
    (void)state;
    for (int i = 0; i < 6; ++i) {
        rvWorldDef single = rvDefaultWorldDef();
        single.maxPasses = 1;
        rvWorld* world = make_world_of(&single);
        rvBodyId load = add_ball(world, 2000.0, 0.5, rvVec(0, 0, -8));
        CHECK_OK(world, rvBody_SetVelocity(world, load, rvVec(0.5 * i, 0, 3.0 - i), rvVec(0, 0, 0)));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-0.5, 0, 0)), rvEyePlace(load, rvVec(0, 0, 0)),
                               rvAttachPlace(RV_NULL_BODY, rvVec(0.5, 0, 0))};
        rvCableId rope = add_rope(world, places, 3, 1e7, 0.0);
        const rvCable* cable = &world->cables.items[rope.index1 - 1];
        double most = 0.0;
        for (int k = 0; k < 120; ++k) {
            CHECK_OK(world, rvWorld_Step(world, 1.0 / 120.0));
            for (int grip = 1; grip <= 2; ++grip)
                most = fmax(most, rvLength(rv_ale_rope_gap(cable, grip)));
        }
        CHECK_BELOW(most, 1e-9); // rows hold its middle to rounding
        rvDestroyWorld(world);
    }
}

// A winch hauls in a rope that sags between supports: elements merge, and what that makes or loses is in the books.
static void MergesAreInTheBooks(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-1, 0, 0), 0.0),
                           rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 0))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
    rvCableId rope;
    def.places = places;
    def.placeCount = 2;
    def.axialStiffness = 1e5;
    def.bendingStiffness = 0.01;
    def.massPerLength = 1.0;
    def.length = 14.0;
    def.elements = 28;
    CHECK_OK(world, rvCreateCable(world, &def, &rope));
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, -2.0));
    const rvCable* cable = &world->cables.items[rope.index1 - 1];
    int before = rv_ale_element_count(cable->rope->ale, 0);
    double start = 0.0, most = 0.0;
    for (int i = 0; i < 500; ++i) {
        CHECK_OK(world, rvWorld_Step(world, 0.01));
        rvEnergy e = rvWorld_GetEnergy(world);
        double all = stored(world) + e.heat - e.work;
        start = i == 0 ? all : start;
        most = fmax(most, fabs(all - start));
    }
    assert_true(before - rv_ale_element_count(cable->rope->ale, 0) >= 5);
    CHECK_BELOW(most, 1e-8); // rounding, of 800 J
    rvDestroyWorld(world);
}

// Two loads over an eye: the flow at the eye is firm, those at the loads are held, and none of them asks for a pass
// that leaves the weight out of the matrix. (A flow that is held has a 1 in it, which is less than the trace of mass
// that one would have that is not: nearly all passes on bodies were made twice.)
static void PassesOfFirmFlowsAreMadeOnce(void** state)
{
    (void)state;
    for (int k = 0; k < 3; ++k) {
        double h = (double[]){0.002, 0.01, 1.0 / 30.0}[k];
        rvWorld* world = make_world();
        rvBodyId loads[2] = {add_ball(world, 10.0, 0.1, rvVec(-1, 0, -5)), add_ball(world, 12.0, 0.1, rvVec(1, 0, -5))};
        rvPlaceDef places[] = {rvAttachPlace(loads[0], rvVec(0, 0, 0.1)), rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                               rvAttachPlace(loads[1], rvVec(0, 0, 0.1))};
        rvCableId rope = add_rope(world, places, 3, 1e5, 0.01);
        for (int i = 0; i < 20; ++i) {
            CHECK_OK(world, rvWorld_Step(world, h));
            assert_true(rv_ale_flows_are_firm(world->cables.items[rope.index1 - 1].rope->ale));
        }
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WorkOfALedBodyIsStoredOrHeat), cmocka_unit_test(WheelOnABodyTakesNoWorkFromASwing),
        cmocka_unit_test(ScaleCountsABodyOnce),         cmocka_unit_test(EndsOfRopeStayWithTheirBodies),
        cmocka_unit_test(MergesAreInTheBooks),          cmocka_unit_test(PassesOfFirmFlowsAreMadeOnce),
    };
    return RUN_TESTS(tests);
}
