// SPDX-License-Identifier: MIT
// The massless cable against closed forms: a spring between two boxes under both steppers, Atwood's machine, block and
// tackle, slack, snap and break.
#include "world/machines.h"

// ---- two boxes of 1000 kg, side 2 m, and a cable of 4 m that pushes too: a spring
// --------------------------------------

enum { SPRINGS = 3 };
static const double springRates[SPRINGS] = {10.0, 1e3, 1e6}; // [N/m]
static const double springSpeed = 0.01;                      // at which the boxes part at the start [m/s]

typedef struct {
    rvWorld* world;
    rvCableId cable;
} Boxes;

static Boxes make_boxes(double rate, rvStepper stepper)
{
    rvWorldDef def = rvDefaultWorldDef();
    def.gravity = rvVec(0, 0, 0);
    def.stepper = stepper;
    Boxes boxes = {.world = make_world_of(&def)};
    rvBodyId ends[2];
    for (int i = 0; i < 2; ++i) {
        double side = i == 0 ? -1.0 : 1.0;
        rvBodyDef box = rvDefaultBodyDef();
        box.mass = 1000.0;
        box.inertia = rvBoxInertia(1000.0, rvVec(2, 2, 2));
        box.pose.p = rvVec(3.0 * side, 0, 0);
        box.velocity = rvVec(0.5 * side * springSpeed, 0, 0);
        ends[i] = add_body(boxes.world, &box);
    }
    rvPlaceDef places[] = {rvAttachPlace(ends[0], rvVec(1, 0, 0)), rvAttachPlace(ends[1], rvVec(-1, 0, 0))};
    rvCableDef cable = rvDefaultCableDef(RV_CABLE_MASSLESS);
    cable.places = places;
    cable.placeCount = 2;
    cable.axialStiffness = 4.0 * rate;
    cable.length = 4.0;
    cable.pushes = true;
    CHECK_OK(boxes.world, rvCreateCable(boxes.world, &cable, &boxes.cable));
    return boxes;
}

static void PrintedStepperEqualsItsClosedForm(void** state)
{
    (void)state;
    double h = 0.01;
    for (int c = 0; c < SPRINGS; ++c) {
        Boxes boxes = make_boxes(springRates[c], RV_STEPPER_PAPER);
        double w = sqrt(springRates[c] / 500.0);
        double rho = 1.0 / sqrt(1.0 + h * h * w * w), theta = atan(h * w);
        for (int n = 1; n <= 5000; ++n) {
            CHECK_OK(boxes.world, rvWorld_Step(boxes.world, h));
            double phi = rvCable_GetLength(boxes.world, boxes.cable) - 4.0;
            CHECK_NEAR(phi, springSpeed / w * pow(rho, n) * sin(n * theta), 1e-9); // asked for; phi is up to 7 cm
        }
        rvDestroyWorld(boxes.world);
    }
}

static void SpookWithoutDampingKeepsEnergyToRoundOff(void** state)
{
    (void)state;
    double h = 0.01;
    int steps = 100000;
    for (int c = 0; c < SPRINGS; ++c) {
        Boxes boxes = make_boxes(springRates[c], RV_STEPPER_SPOOK);
        double first = 0.0;
        for (int n = 1; n <= steps; ++n) {
            CHECK_OK(boxes.world, rvWorld_Step(boxes.world, h));
            double energy = total_energy(boxes.world);
            if (n == 1)
                first = energy;
            // The length of 6 m is rounded to 4.4e-16 of it, which is felt as a force; these errors add up at random
            // (their square root counts), relative to the largest stretch.
            double stretch = springSpeed / sqrt(springRates[c] / 500.0);
            CHECK_NEAR(energy / first, 1.0, 10.0 * sqrt((double)steps) * 2e-15 / stretch);
        }
        rvDestroyWorld(boxes.world);
    }
}

static void SpookWithoutDampingTurnsByItsAngle(void** state)
{
    (void)state;
    double h = 0.01;
    for (int c = 0; c < SPRINGS; ++c) {
        Boxes boxes = make_boxes(springRates[c], RV_STEPPER_SPOOK);
        double w = sqrt(springRates[c] / 500.0), theta = 2.0 * atan(0.5 * h * w);
        for (int n = 1; n <= 5000; ++n) {
            CHECK_OK(boxes.world, rvWorld_Step(boxes.world, h));
            double phi = rvCable_GetLength(boxes.world, boxes.cable) - 4.0;
            // starts with phi[-1] = -h v0, hence the factor h/sin(theta)
            CHECK_NEAR(phi, springSpeed * h / sin(theta) * sin(n * theta), 1e-9); // as for the printed stepper
        }
        rvDestroyWorld(boxes.world);
    }
}

// ---- Atwood, block and tackle
// -----------------------------------------------------------------------------------------

static void AtwoodAcceleratesByAThirdOfGravity(void** state)
{
    (void)state;
    double h = 1.0 / 60.0;
    rvWorld* world = make_world();
    rvBodyId heavy = add_ball(world, 2.0, 0.1, rvVec(-1, 0, -50)), light = add_ball(world, 1.0, 0.1, rvVec(1, 0, -50));
    rvPlaceDef places[] = {rvAttachPlace(heavy, rvVec(0, 0, 0)), rvEyePlace(RV_NULL_BODY, rvVec(-1, 0, 0)),
                           rvEyePlace(RV_NULL_BODY, rvVec(1, 0, 0)), rvAttachPlace(light, rvVec(0, 0, 0))};
    double tension = 2.0 * 2.0 * 1.0 * GRAVITY / 3.0, stiffness = 1e6;
    // the rest length that carries this tension as it lies: no vibration at the start
    rvCableId cable = add_cable(world, places, 4, stiffness, 102.0 / (1.0 + tension / stiffness));
    for (int i = 0; i < 120; ++i)
        CHECK_OK(world, rvWorld_Step(world, h));
    CHECK_NEAR(rvBody_GetVelocity(world, heavy).z / 2.0, -GRAVITY / 3.0,
               1e-9); // no discretisation error: constant force
    CHECK_NEAR(rvBody_GetVelocity(world, light).z / 2.0, GRAVITY / 3.0, 1e-9);
    for (int span = 0; span < 3; ++span)
        CHECK_NEAR(rvCable_GetTension(world, cable, span), tension, 1e-6); // stiffness times round-off of 100 m
    rvDestroyWorld(world);
}

// A load on `falls` falls, hauled by a weight on the running end.
static void check_tackle(int falls, double weight, double load, double acceleration)
{
    double h = 1.0 / 60.0, stiffness = 1e8;
    rvWorld* world = make_world();
    rvBodyId lower = add_ball(world, load, 0.5, rvVec(0, 0, -20)),
             hauler = add_ball(world, weight, 0.5, rvVec(5, 0, -20));
    rvPlaceDef places[16];
    int count = 0;
    places[count++] = rvAttachPlace(hauler, rvVec(0, 0, 0));
    places[count++] = rvEyePlace(RV_NULL_BODY, rvVec(5, 0, 0));
    for (int i = 0; i < falls / 2; ++i) {
        places[count++] = rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 0));
        places[count++] = rvEyePlace(lower, rvVec(0, 0, 0));
    }
    places[count++] = rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0));
    double tension = weight * (GRAVITY - acceleration), length = 20.0 * (falls + 1) + 5.0;
    rvCableId cable = add_cable(world, places, count, stiffness, length / (1.0 + tension / stiffness));
    for (int i = 0; i < 60; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        CHECK_NEAR(rvCable_GetTension(world, cable, 0), tension, 1e-6 * tension); // stiffness times round-off of 140 m
    }
    double speed = rvBody_GetVelocity(world, hauler).z, lift = rvBody_GetVelocity(world, lower).z;
    CHECK_NEAR(speed, -acceleration, 1e-6); // stiffness times round-off, over the weight, for a second
    CHECK_NEAR(lift, acceleration / falls, 1e-6);
    rvDestroyWorld(world);
}

static void TackleHoldsAsManyTimesTheTensionAsItHasFalls(void** state)
{
    (void)state;
    for (int falls = 2; falls <= 6; falls += 2)
        check_tackle(falls, 1000.0 / falls, 1000.0, 0.0);
}

static void TackleMovesByTheFormula(void** state)
{
    (void)state;
    for (int falls = 2; falls <= 6; falls += 2) {
        double weight = 400.0, load = 1000.0;
        check_tackle(falls, weight, load, (weight - load / falls) * GRAVITY / (weight + load / (falls * falls)));
    }
}

// ---- slack, snap, break
// -------------------------------------------------------------------------------------------------

static void SlackCableNeverPushesAndSnapsTaut(void** state)
{
    (void)state;
    static const double steps[] = {1.0 / 60.0, 1.0 / 240.0, 0.001};
    static const double stiffnesses[] = {1e5, 1e7, 1e10};
    for (int k = 0; k < 9; ++k) {
        double h = steps[k % 3], drop = 1.0;
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 100.0, 0.2, rvVec(0, 0, -2));
        rvCableId cable = hang_on_cable(world, rvVec(0, 0, 0), load, stiffnesses[k / 3], 2.0 + drop);
        int taut = 0, slack = 0;
        double most = -HUGE_VAL, first = 0.0;
        for (int i = 0; i < lround(10.0 / h); ++i) {
            CHECK_OK(world, rvWorld_Step(world, h));
            double tension = rvCable_GetTension(world, cable, 0);
            assert_true(tension >= 0.0);
            double energy = total_energy(world);
            if (i == 0)
                first = energy;
            most = fmax(most, energy);
            int now = count_events(world, RV_EVENT_TAUT, NULL);
            // free fall up to the snap: exact for the stepper, z = -h^2 g i(i+1)/2
            if (taut == 0 && now == 0)
                CHECK_NEAR(rvBody_GetCenter(world, load).z, -2.0 - 0.5 * GRAVITY * h * h * (i + 1.0) * (i + 2.0), 1e-9);
            if (taut == 0 && now > 0)
                CHECK_NEAR(rvWorld_GetTime(world), sqrt(2.0 * drop / GRAVITY), 1.5 * h);
            taut += now;
            slack += count_events(world, RV_EVENT_SLACK, NULL);
            assert_int_equal(rvCable_IsTaut(world, cable), tension > 0.0);
        }
        assert_true(taut > 0 && (taut == slack || taut == slack + 1));
        CHECK_NEAR(fmax(most, first), first, 1e-9); // a snap never gains energy; round-off of some kJ
        rvDestroyWorld(world);
    }
}

static void CableBreaksAtItsForceAndTells(void** state)
{
    (void)state;
    double h = 1.0 / 240.0;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.2, rvVec(0, 0, -2));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.places = places;
    def.placeCount = 2;
    def.axialStiffness = 1e6;
    def.breakForce = 5000.0;
    def.length = 3.0; // the snap of a drop of 1 m: m g + sqrt((m g)^2 + 2 k m g) = 26.6 kN
    rvCableId cable;
    CHECK_OK(world, rvCreateCable(world, &def, &cable));
    int broken = 0;
    for (int i = 0; i < 480; ++i) {
        double speed = rvBody_GetVelocity(world, load).z;
        CHECK_OK(world, rvWorld_Step(world, h));
        if (broken > 0) {
            assert_true(rvCable_IsBroken(world, cable));
            assert_true(rvCable_GetTension(world, cable, 0) == 0.0);
            CHECK_NEAR(rvBody_GetVelocity(world, load).z - speed, -GRAVITY * h, 1e-12);
        }
        rvEvent event;
        int now = count_events(world, RV_EVENT_BROKEN, &event);
        if (now > 0) {
            assert_true(event.value > 5000.0);
            assert_true(RV_ID_EQUALS(event.cable, cable));
            CHECK_NEAR(event.time, rvWorld_GetTime(world), 0.0);
        }
        broken += now;
        assert_false(rvCable_IsTaut(world, cable) && broken > 0);
    }
    assert_int_equal(broken, 1);
    rvDestroyWorld(world);
}

static void CutCableCarriesNothing(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.2, rvVec(0, 0, -2));
    rvCableId cable = hang_on_cable(world, rvVec(0, 0, 0), load, 1e6, -1.0);
    for (int i = 0; i < 60; ++i)
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
    CHECK_OK(world, rvCable_Break(world, cable));
    double speed = rvBody_GetVelocity(world, load).z;
    CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
    assert_int_equal(count_events(world, RV_EVENT_BROKEN, NULL), 1);
    CHECK_NEAR(rvBody_GetVelocity(world, load).z - speed, -GRAVITY / 60.0, 1e-12);
    CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
    assert_int_equal(count_events(world, RV_EVENT_BROKEN, NULL), 0);
    rvDestroyWorld(world);
}

static void CableWithAFreeEndCarriesNothing(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.2, rvVec(0, 0, -2));
    rvPlaceDef places[] = {rvFreePlace(rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableId cable = add_cable(world, places, 2, 1e6, -1.0);
    for (int i = 0; i < 60; ++i)
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
    CHECK_NEAR(rvBody_GetVelocity(world, load).z, -GRAVITY, 1e-12);
    assert_true(rvCable_GetTension(world, cable, 0) == 0.0);
    rvDestroyWorld(world);
}

// A body that whirls on a stiff cable leaves its circle by (h v)^2/(2 l) in a step: 1.4 mm, which the stretch would
// count as EA/l times its half square, 2e4 J at 1e9 N. The tension m v^2/l stretches by 4e-8 m.
static void TurningIsNoElasticEnergyOfStiffCables(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvBodyId body = add_ball(world, 10.0, 0.1, rvVec(10, 0, 0));
    CHECK_OK(world, rvBody_SetVelocity(world, body, rvVec(0, 10, 0), rvVec(0, 0, 0)));
    rvCableId cable = hang_on_cable(world, rvVec(0, 0, 0), body, 1e9, -1.0);
    for (int i = 0; i < 600; ++i) {
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
        double force = rvCable_GetTension(world, cable, 0);
        CHECK_NEAR(rvWorld_GetEnergy(world).elastic, 0.5 * force * force * 10.0 / 1e9, 1e-12); // round-off of 1e-5 J
    }
    CHECK_NEAR(rvCable_GetTension(world, cable, 0), 10.0 * 10.0 * 10.0 / 10.0,
               2.0); // of 100 N: the speed decays a little
    rvDestroyWorld(world);
}

// A rope clamped to a wheel that winds it up on one side: that side is taut once it has no rope left, not before,
// however much hangs slack on the other.
static void SlackOfOneSideIsNoPullOnTheOther(void** state)
{
    (void)state;
    double h = 1e-3, radius = 0.3, spin = 5.0;
    rvWorld* world = make_weightless_world();
    rvBodyDef def = rvDefaultBodyDef();
    def.mass = 10.0;
    def.inertia = rvBallInertia(10.0, 0.5);
    def.angularVelocity = rvVec(0, spin, 0);
    rvBodyId block = add_body(world, &def);
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-radius, 0, 4)),
                           rvSheavePlace(block, rvVec(0, 0, 0), rvVec(0, 1, 0), radius),
                           rvAttachPlace(RV_NULL_BODY, rvVec(radius, 0, 4))};
    places[1].friction = HUGE_VAL;
    places[1].wheel.locked = true;
    places[1].wheel.side = -1;
    double slack = 0.1, length = 2.0 * (4.0 + slack) + 3.14159265358979323846 * radius;
    rvCableId cable = add_cable(world, places, 3, 1e6, length);
    double taut = slack / (radius * spin); // when the wheel has wound up its slack
    for (int i = 1; i * h < 1.2 * taut; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        double most = fmax(rvCable_GetTension(world, cable, 0), rvCable_GetTension(world, cable, 1));
        if (i * h < taut - h)
            CHECK_NEAR(most, 0.0, 0.0); // nothing holds it yet
        if (i * h > taut + 2.0 * h && i * h < taut + 4.0 * h)
            assert_true(most > 0.0); // within two steps of the snap
    }
    rvDestroyWorld(world);
}

// A load of 100 kg hangs where its rope of 10 m carries it; before any step all that is read says so, and the step
// finds the same. Drawn down at 2 m/s the damping adds its part; lifted by 1 m it is slack.
static void TensionIsReadBeforeTheFirstStep(void** state)
{
    (void)state;
    const double weight = 100 * GRAVITY, stiffness = 1e6, tau = 0.01;
    for (int i = 0; i < 3; ++i) {
        rvWorld* world = make_world();
        double z = -10.0 * (1.0 + weight / stiffness) + (i == 2 ? 1.0 : 0.0);
        rvBodyId load = add_mass(world, RV_BODY_DYNAMIC, 100, 10, rvVec(0, 0, z));
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
        def.axialStiffness = stiffness;
        def.damping = tau;
        def.length = 10.0;
        rvCableId cable = add_cable_of(world, def, places, 2);
        if (i == 1)
            CHECK_OK(world, rvBody_SetVelocity(world, load, rvVec(0, 0, -2), rvVec(0, 0, 0)));
        double expected = i == 0 ? weight : i == 1 ? weight + stiffness / 10.0 * tau * 2.0 : 0.0;
        rvVec3 force, torque;
        rvCable_GetForceOn(world, cable, load, &force, &torque);
        // phi is the difference of two lengths of 10 m: round-off 2e-15 m times 1e5 N/m
        CHECK_NEAR(rvCable_GetTension(world, cable, 0), expected, 1e-9);
        CHECK_NEAR(rvCable_GetEndTension(world, cable, 0, 1), expected, 1e-9);
        CHECK_NEAR(rvCable_GetWinchForce(world, cable, 0), expected, 1e-9);
        CHECK_NEAR(force.z, expected, 1e-9);
        assert_int_equal(rvCable_IsTaut(world, cable), i < 2);
        CHECK_OK(world, rvWorld_Step(world, 1e-3));
        if (i != 1)
            CHECK_NEAR(rvCable_GetTension(world, cable, 0), expected, 1e-6); // round-off of a step at rest
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PrintedStepperEqualsItsClosedForm),
        cmocka_unit_test(SpookWithoutDampingKeepsEnergyToRoundOff),
        cmocka_unit_test(SpookWithoutDampingTurnsByItsAngle),
        cmocka_unit_test(AtwoodAcceleratesByAThirdOfGravity),
        cmocka_unit_test(TackleHoldsAsManyTimesTheTensionAsItHasFalls),
        cmocka_unit_test(TackleMovesByTheFormula),
        cmocka_unit_test(SlackCableNeverPushesAndSnapsTaut),
        cmocka_unit_test(CableBreaksAtItsForceAndTells),
        cmocka_unit_test(CutCableCarriesNothing),
        cmocka_unit_test(CableWithAFreeEndCarriesNothing),
        cmocka_unit_test(TurningIsNoElasticEnergyOfStiffCables),
        cmocka_unit_test(SlackOfOneSideIsNoPullOnTheOther),
        cmocka_unit_test(TensionIsReadBeforeTheFirstStep),
    };
    return RUN_TESTS(tests);
}
