// SPDX-License-Identifier: MIT
// Rope that flows and what starts or comes at once: hands, flow that friction does not press, places that come and go.
#include "world/machines.h"

static const double EA = 2e6;

static rvCableId add_rope(rvWorld* world, rvCableModel model, const rvPlaceDef* places, int count, double perMetre,
                          double damping, double length)
{
    rvCableDef def = rvDefaultCableDef(model);
    def.axialStiffness = EA;
    def.bendingStiffness = model == RV_CABLE_ALE ? 0.1 : 0.0;
    def.massPerLength = perMetre;
    def.damping = damping;
    def.elements = 10;
    def.length = length;
    return add_cable_of(world, def, places, count);
}

// A rope of next to no mass is stretched as a spring with a damper is, from the first step on: T = T0 + EA v (tau +
// t)/l. (Generalised-alpha would throw it by gam/bet = 1.9.)
static void HandThatStartsAtOnceDoesNotThrowItsRope(void** state)
{
    (void)state;
    const double h = 0.002, damping = 0.05, speed = 0.5, length = 9.99;
    rvWorld* world = make_weightless_world();
    rvBodyId hand = add_mass(world, RV_BODY_KINEMATIC, 0, 0.0, rvVec(10, 0, 0));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(hand, rvVec(0, 0, 0))};
    rvCableId rope = add_rope(world, RV_CABLE_ALE, places, 2, 0.01, damping, length);
    run_world(world, h, 10 * h);
    double start = rvCable_GetTension(world, rope, 0);
    for (int i = 1; i <= 20; ++i) {
        rvPose pose = rvPoseIdentity();
        pose.p = rvVec(10.0 + i * h * speed, 0, 0);
        CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
        CHECK_OK(world, rvWorld_Step(world, h));
        double more =
            EA * speed * (damping + (i - 1) * h) / length; // as a body feels it, from middle to middle of steps
        // strains of 1e-3; and mass: a wave needs 0.7 ms, in which 2 h/(tau + h) of the start may come late
        CHECK_NEAR(rvCable_GetTension(world, rope, 0) - start, more, (0.01 + 2.0 * h / damping / i) * more);
    }
    rvDestroyWorld(world);
}

// The largest tension of a rope over a wheel, by which a hand lifts a load, and what guards took [J].
static double lift(rvCableModel model, double h, double* guard)
{
    rvWorld* world = make_world();
    rvBodyId hand = add_mass(world, RV_BODY_KINEMATIC, 0, 0.0, rvVec(-4, 0, -1)),
             load = add_ball(world, 100.0, 0.1, rvVec(0.5, 0, -4));
    rvPlaceDef places[] = {rvAttachPlace(hand, rvVec(0, 0, 0)),
                           rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.5),
                           rvAttachPlace(load, rvVec(0, 0, 0))};
    places[1].friction = 0.2;
    places[1].wheel.locked = true;
    rvCableId rope = add_rope(world, model, places, 3, model == RV_CABLE_ALE ? 1.0 : 0.0, 0.05, -1.0);
    double most = 0.0;
    run_world(world, h, 0.5);
    for (int i = 1; i <= lround(0.5 / h); ++i) {
        rvPose pose = rvPoseIdentity();
        pose.p = rvVec(-4.0 - 0.5 * i * h, 0, -1);
        CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
        CHECK_OK(world, rvWorld_Step(world, h));
        for (int span = 0; span < 2; ++span)
            most = fmax(most, rvCable_GetTension(world, rope, span));
    }
    *guard = rvWorld_GetEnergy(world).guard;
    rvDestroyWorld(world);
    return most;
}

// The tension of damping is no energy of the rope on a wheel: read as such the guard stopped the rope in each step.
static void DampingStoresNothingOnAWheel(void** state)
{
    (void)state;
    const double steps[] = {1.0 / 60.0, 0.01, 0.002};
    for (int i = 0; i < 3; ++i) {
        double guard, none, most = lift(RV_CABLE_ALE, steps[i], &guard),
                            massless = lift(RV_CABLE_MASSLESS, steps[i], &none);
        CHECK_BELOW(most,
                    2.0 * massless); // the end's own damping is felt before the load's: elements are shorter than falls
        CHECK_BELOW(fabs(guard), 1.0); // of 100 kg lifted by a quarter of a metre: 245 J
    }
}

// Rope without tension that runs around an eye: what turns is flung off, nothing presses it, and nothing holds it.
static void FrictionDoesNotHoldWhatIsFlungOff(void** state)
{
    (void)state;
    const double speed = 2.0, perMetre = 0.5, h = 0.01;
    rvWorld* world = make_weightless_world();
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-5, 0, 0), speed), rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                           rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, -5), -speed)};
    places[1].friction = 0.3;
    rvCableId rope = add_rope(world, RV_CABLE_ALE, places, 3, perMetre, 0.01, 10.0);
    double most = 0.0;
    run_world(world, h, 0.5); // what the start of two winches left
    for (int i = 0; i < 100; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        most = fmax(most, fmax(rvCable_GetTension(world, rope, 0), rvCable_GetTension(world, rope, 1)));
    }
    // rho v^2 turns it and friction adds exp(0.3 pi/2) - 1 at most; held it would be stretched by 2 m a second: 400 kN
    CHECK_BELOW(most, perMetre * speed * speed * exp(0.3 * 1.5708) + 1e-6 * EA);
    rvDestroyWorld(world);
}

// A rope under tension lies over two boxes in line, by two edges with a bend of 0.4 rad each, and is drawn along from
// one box to the other: the contacts that go and those that come are the same bends. Energies and tension stay.
static void RopeGoesOverToTheNextEdgeWithItsBend(void** state)
{
    (void)state;
    const double steps[] = {1.0 / 30.0, 0.01, 0.002};
    for (int n = 0; n < 3; ++n) {
        // bent at the edges as far from them as its thickness says
        double h = steps[n], thick = 0.02, turn = atan(0.4), off = 0.5 * thick / cos(0.5 * turn);
        double out = off * sin(0.5 * turn), down = off * cos(0.5 * turn), pull = 1000.0, least = HUGE_VAL, most = 0.0;
        double path = 2.0 * (1.0 + out) + 2.0 * hypot(1.0 - out, 0.4 + down);
        rvWorld* world = make_weightless_world();
        rvBodyId boxes = add_mass(world, RV_BODY_STATIC, 0, 0.0, rvVec(0, 0, 0)), hands[2];
        for (int i = 0; i < 2; ++i) {
            rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_BOX);
            shape.sides = rvVec(2, 2, 1);
            shape.frame.p = rvVec(i ? 1.0 : -1.0, 0, 0);
            shape.friction = 0.0;
            add_shape(world, boxes, &shape);
            hands[i] = add_mass(world, RV_BODY_KINEMATIC, 0, 0.0, rvVec(-0.5, i ? 2.0 : -2.0, -0.1));
        }
        rvPlaceDef places[] = {rvAttachPlace(hands[0], rvVec(0, 0, 0)), rvAttachPlace(hands[1], rvVec(0, 0, 0))};
        rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
        def.axialStiffness = 1e6;
        def.bendingStiffness = 0.1;
        def.massPerLength = 1.0;
        def.diameter = thick;
        def.damping = 0.05;
        def.elements = 8;
        def.length = path / (1.0 + pull / def.axialStiffness);
        def.collides = true;
        def.friction = 0.0;
        rvCableId rope = add_cable_of(world, def, places, 2);
        for (int i = 1; i <= lround(2.0 / h); ++i) {
            rvPose pose = rvPoseIdentity();
            for (int k = 0; k < 2; ++k) {
                pose.p = rvVec(-0.5 * cos(0.5 * 3.14159265358979 * i * h), k ? 2.0 : -2.0, -0.1);
                CHECK_OK(world, rvBody_MoveTo(world, hands[k], pose));
            }
            CHECK_OK(world, rvWorld_Step(world, h));
            assert_true(rvCable_GetContactCount(world, rope) >= 2);
            double now = rvCable_GetTension(world, rope, 0);
            least = i * h > 0.2 ? fmin(least, now) : least;
            most = fmax(most, now);
        }
        // it lags behind by its mass, rho w^2 x l/(2 T) = 2.5e-3 of an angle, and slides that go on as they did are off
        // by w^2 x h^2, 1.4 mm of a metre: EA/2 of their squares, 4 N in all, and 1.5 N by Green's strain
        CHECK_NEAR(least, pull, 6.0);
        CHECK_NEAR(most, pull, 6.0);
        rvDestroyWorld(world);
    }
}

// A hand beside a box draws a rope with a load across its top, lets it down and goes on: the rope slides along both
// edges and slips off them at once, bent by more than a radian, where a taut line would lie around an upright edge a
// metre away.
static void drag_off_a_box(double h)
{
    const double length = 8.9, beside = -0.8;
    rvWorld* world = make_world();
    add_ground(world);
    rvShapeDef sides = rvDefaultShapeDef(RV_SHAPE_BOX), ball = rvDefaultShapeDef(RV_SHAPE_SPHERE);
    sides.sides = rvVec(2, 2, 2);
    sides.friction = 0.3;
    ball.radius = 0.3;
    add_shape(world, add_mass(world, RV_BODY_STATIC, 0, 0.0, rvVec(0, 0, 1)), &sides);
    rvBodyId load = add_ball(world, 100.0, ball.radius, rvVec(-2, 0, 2.8)),
             hand = add_hand(world, rvVec(6, beside, 2.8));
    add_shape(world, load, &ball);
    rvPlaceDef places[] = {rvAttachPlace(hand, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, ball.radius))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
    def.diameter = 0.02;
    def.axialStiffness = 1e6;
    def.massPerLength = 0.5;
    def.bendingStiffness = 1.0;
    def.damping = 0.02;
    def.elements = 40;
    def.friction = 0.3;
    def.collides = true;
    def.length = length;
    rvCableId rope = add_cable_of(world, def, places, 2);
    rvEnergy e = rvWorld_GetEnergy(world);
    double start = e.kinetic + e.potential + e.elastic, given = 0.0, gained = 0.0, off = 0.0, most = 0.0;
    bool lay = false;
    for (int i = 1; i <= lround(6.0 / h); ++i) {
        rvPose pose = rvPoseIdentity();
        double t = i * h;
        pose.p = rvVec(6.0 + 0.1 * fmax(0.0, t - 2.0), beside, 2.8 - 0.9 * fmin(2.0, t));
        CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
        CHECK_OK(world, rvWorld_Step(world, h));
        e = rvWorld_GetEnergy(world);
        double now = e.kinetic + e.potential + e.elastic;
        given = fmax(given, e.work);
        gained = fmax(gained, now - start - given);
        off = fmax(off, fabs(now + e.heat - e.work - start));
        most = fmax(most, rvCable_GetTension(world, rope, 0));
        lay = lay || rvCable_GetContactCount(world, rope) > 1;
    }
    assert_true(lay);
    CHECK_BELOW(gained, 0.02 * start); // what the guard lets be
    CHECK_BELOW(off, 0.01 * start);    // merges of elements are in no book
    // all that there is in the rope would stretch it by that
    CHECK_BELOW(most, sqrt(2.0 * def.axialStiffness * (start + given) / length));
    rvDestroyWorld(world);
}

static void RopeThatSlipsOffEdgesIsNotThrown(void** state)
{
    (void)state;
    const double steps[] = {0.004, 0.01, 1.0 / 30.0};
    for (int i = 0; i < 3; ++i)
        drag_off_a_box(steps[i]);
}

// 500 kg hang on 13 m of rope with a damping time of 20 ms, and get 1.4 m/s downwards by a blow. The rope pulls by
// m g + EA tau v/L then, 26 kN, and a little more as it is stretched on. What is read is what their speed shows,
// whatever the step, and breaks nothing that bears more. (Tensions at the ends of steps did.)
static void BlowIsReadAsTheLoadFeelsIt(void** state)
{
    (void)state;
    const rvCableModel models[] = {RV_CABLE_ALE, RV_CABLE_ANCF};
    const double steps[] = {0.005, 0.0167, 0.033};
    const double mass = 500.0, length = 13.0, stiffness = 1e7, tau = 0.02, speed = 1.4;
    for (int k = 0; k < 6; ++k) {
        double h = steps[k / 2], hand = mass * GRAVITY + stiffness * tau * speed / length, felt = 0.0, read = 0.0;
        rvSettleReport report;
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, mass, 0.3, rvVec(0, 0, -length));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = rvDefaultCableDef(models[k % 2]);
        def.axialStiffness = stiffness;
        def.massPerLength = 1.0;
        def.damping = tau;
        def.diameter = 0.016;
        def.bendingStiffness = 2.0;
        def.elements = 20;
        def.length = length;
        def.breakForce = 1.2 * hand;
        rvCableId rope = add_cable_of(world, def, places, 2);
        CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
        step_world(world, h, 4);
        CHECK_OK(world, rvBody_SetVelocity(world, load, rvVec(0, 0, -speed), rvVec(0, 0, 0)));
        for (int i = 0; i < lround(0.1 / h); ++i) {
            double before = rvBody_GetVelocity(world, load).z;
            CHECK_OK(world, rvWorld_Step(world, h));
            double pull = mass * (GRAVITY + (rvBody_GetVelocity(world, load).z - before) / h);
            felt = fmax(felt, pull);
            read = fmax(read, rvCable_GetTension(world, rope, 0));
            // the mean along the rope: half of its weight of 128 N; and that of 13 kg which move with the load
            CHECK_NEAR(rvCable_GetTension(world, rope, 0), pull, 0.05 * hand);
        }
        assert_false(rvCable_IsBroken(world, rope));
        CHECK_BELOW(read, 1.1 * hand);
        CHECK_BELOW(0.65 * hand, read); // in a step of 33 ms the speed falls to a third
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BlowIsReadAsTheLoadFeelsIt),
        cmocka_unit_test(HandThatStartsAtOnceDoesNotThrowItsRope),
        cmocka_unit_test(DampingStoresNothingOnAWheel),
        cmocka_unit_test(FrictionDoesNotHoldWhatIsFlungOff),
        cmocka_unit_test(RopeGoesOverToTheNextEdgeWithItsBend),
        cmocka_unit_test(RopeThatSlipsOffEdgesIsNotThrown),
    };
    return RUN_TESTS(tests);
}
