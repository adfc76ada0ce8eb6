// SPDX-License-Identifier: MIT
// Winches: rate, work, force limit, drive compliance, stops, two winches on one cable, and picking a load up.
#include "world/machines.h"

static void run(rvWorld* world, double h, double seconds)
{
    for (long i = 0; i < lround(seconds / h); ++i)
        CHECK_OK(world, rvWorld_Step(world, h));
}

// Lets the bouncing of a load just hung up die: `cable.damping` is 0 in these tests, so it is hung up at rest.
static rvCableId hang_at_rest(rvWorld* world, rvBodyId load, double mass, double length, double stiffness,
                              rvWinchDef winch)
{
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0), rvAttachPlace(load, rvVec(0, 0, 0))};
    places[0].winch = winch;
    return add_cable(world, places, 2, stiffness, length / (1.0 + mass * GRAVITY / stiffness));
}

static rvWinchDef winch_of(double speed)
{
    return rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), speed).winch;
}

// ---- pendulum with winch ------------------------------------------------------------------------------------------------

// Period of swings with the energy E over the lowest point, mass 1000 kg.
static double period_of(double length, double energy)
{
    double amplitude = acos(1.0 - energy / (1000.0 * GRAVITY * length));
    return 2.0 * 3.14159265358979323846 * sqrt(length / GRAVITY) * large_swing(amplitude);
}

static void HoistedPendulumGainsTheWorkOfTheWinchAndItsPeriodFollowsTheLength(void** state)
{
    (void)state;
    double h = 1.0 / 60.0, angle = 0.3, length = 20.0;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 1000.0, 0.5, rvVec(length * sin(angle), 0, -length * cos(angle)));
    // stretched as the swing begins: it must not bounce into slack, whose snaps lose energy
    rvCableId cable = hang_at_rest(world, load, 1000.0 * cos(angle), length, 1e7, winch_of(0.0));
    length = rvCable_GetRestLength(world, cable);
    for (int stage = 0; stage < 3; ++stage) {
        Crossings crossings = {0};
        double deepest = 0.0, fastest = 0.0;
        for (int i = 0; i < 60 * 40; ++i) {
            CHECK_OK(world, rvWorld_Step(world, h));
            watch(&crossings, rvWorld_GetTime(world), rvBody_GetCenter(world, load).x);
            deepest = fmin(deepest, rvBody_GetCenter(world, load).z);
            fastest = fmax(fastest, rvLength(rvBody_GetVelocity(world, load)));
        }
        double expected = period_of(-deepest, 500.0 * fastest * fastest);
        CHECK_NEAR(mean_period(&crossings) / expected, 1.0, 5e-3); // half a percent was asked for
        double before = total_energy(world), workBefore = rvWorld_GetEnergy(world).work;
        CHECK_OK(world, rvCable_SetWinchSpeed(world, cable, 0, -0.1));
        run(world, h, 50.0);
        CHECK_OK(world, rvCable_SetWinchSpeed(world, cable, 0, 0.0));
        run(world, h, 1.0);
        double work = rvWorld_GetEnergy(world).work - workBefore;
        CHECK_NEAR((total_energy(world) - before) / work, 1.0,
                   1e-4); // a tenth of a percent was asked for; of order h^2
        CHECK_NEAR(rvCable_GetWinchWork(world, cable, 0), rvWorld_GetEnergy(world).work, 1e-6);
        CHECK_NEAR(rvCable_GetRestLength(world, cable), length - 5.0 * (stage + 1), 1e-9);
    }
    rvDestroyWorld(world);
}

static void LoweredLoadGivesItsEnergyToTheWinch(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 1000.0, 0.5, rvVec(0, 0, -5));
    rvCableId cable = hang_at_rest(world, load, 1000.0, 5.0, 1e7, winch_of(0.0));
    run(world, 1.0 / 60.0, 1.0);
    double before = total_energy(world);
    // v sqrt(k m) = 4.5 kN stays below the weight: the cable never snaps, which would lose energy
    CHECK_OK(world, rvCable_SetWinchSpeed(world, cable, 0, 0.1));
    run(world, 1.0 / 60.0, 50.0);
    double work = rvWorld_GetEnergy(world).work;
    assert_true(work < 0.0);
    CHECK_NEAR((total_energy(world) - before) / work, 1.0, 1e-4); // as above
    rvDestroyWorld(world);
}

// ---- limits -------------------------------------------------------------------------------------------------------------

static void StalledWinchSlipsAtItsForce(void** state)
{
    (void)state;
    double h = 1.0 / 60.0, mass = 1000.0, force = 0.8 * mass * GRAVITY;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, mass, 0.5, rvVec(0, 0, -5));
    rvWinchDef winch = winch_of(-0.5);
    winch.maxForce = force;
    rvCableId cable = hang_at_rest(world, load, mass, 5.0, 1e8, winch);
    int told = 0;
    for (int i = 0; i < 60; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        assert_true(rvCable_GetTension(world, cable, 0) <= force * (1.0 + 1e-12));
        rvEvent event;
        if (count_events(world, RV_EVENT_WINCH_LIMIT, &event) > 0) {
            told += 1;
            CHECK_NEAR(event.value, force, 1e-9 * force);
            assert_int_equal(event.place, 0);
        }
    }
    assert_int_equal(told, 1);
    CHECK_NEAR(rvBody_GetVelocity(world, load).z, -0.2 * GRAVITY, 1e-9); // constant force: exact
    CHECK_NEAR(rvCable_GetWinchSpeed(world, cable, 0), 0.2 * GRAVITY,
               0.2 * GRAVITY * h + 0.02); // a step and the strain late
    rvDestroyWorld(world);
}

static void LimitedWinchAcceleratesTheLoadByWhatIsLeftOfItsForce(void** state)
{
    (void)state;
    double h = 0.001, mass = 1000.0, force = 1.2 * mass * GRAVITY;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, mass, 0.5, rvVec(0, 0, -5));
    rvWinchDef winch = winch_of(-0.5);
    winch.maxForce = force;
    rvCableId cable = hang_at_rest(world, load, mass, 5.0, 1e8, winch);
    double reached = 0.0;
    for (int i = 0; i < 1000; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        assert_true(rvCable_GetTension(world, cable, 0) <= force * (1.0 + 1e-12));
        if (reached == 0.0 && rvBody_GetVelocity(world, load).z >= 0.5)
            reached = rvWorld_GetTime(world);
    }
    // 0.5 m/s at 0.2 g; first the cable takes 0.2 mg more: a quarter of its vibration (0.02 s) at most
    CHECK_NEAR(reached, 0.5 / (0.2 * GRAVITY), 0.008);
    rvDestroyWorld(world);
}

static void DriveComplianceGivesWayByTheTension(void** state)
{
    (void)state;
    double mass = 1000.0, xi = 1e-5;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, mass, 0.5, rvVec(0, 0, -5));
    rvWinchDef winch = winch_of(-0.05);
    winch.compliance = xi;
    rvCableId cable = hang_at_rest(world, load, mass, 5.0, 1e7, winch);
    run(world, 1.0 / 60.0, 10.0); // the drive's own damping has long stilled the start
    double expected = -0.05 + xi * mass * GRAVITY;
    CHECK_NEAR(rvCable_GetWinchSpeed(world, cable, 0), expected, 1e-4 * expected); // the strained rope is longer
    CHECK_NEAR(rvBody_GetVelocity(world, load).z, -expected, 2e-3 * expected);     // strain m g/EA = 1e-3 adds
    rvDestroyWorld(world);
}

static void WinchHaltsAtItsStops(void** state)
{
    (void)state;
    double h = 1.0 / 60.0;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(0, 0, -5));
    rvWinchDef winch = winch_of(-0.7);
    winch.minLength = 4.0;
    winch.maxLength = 6.0;
    rvCableId cable = hang_at_rest(world, load, 100.0, 5.0, 1e8, winch);
    for (int side = 0; side < 2; ++side) {
        int told = 0;
        double stop = side == 0 ? 4.0 : 6.0;
        for (int i = 0; i < 300; ++i) {
            CHECK_OK(world, rvWorld_Step(world, h));
            rvEvent event;
            if (count_events(world, RV_EVENT_WINCH_STOP, &event) > 0) {
                told += 1;
                CHECK_NEAR(event.value, stop, 1e-9);
            }
            double out = rvCable_GetRestLength(world, cable);
            assert_true(out >= 4.0 - 1e-12 && out <= 6.0 + 1e-12);
        }
        assert_int_equal(told, 1);
        CHECK_NEAR(rvCable_GetRestLength(world, cable), stop, 1e-12);
        CHECK_NEAR(rvCable_GetWinchSpeed(world, cable, 0), 0.0, 1e-12);
        CHECK_OK(world, rvCable_SetWinchSpeed(world, cable, 0, 0.7));
    }
    rvDestroyWorld(world);
}

static void TwoWinchesAddTheirRates(void** state)
{
    (void)state;
    double h = 1.0 / 60.0;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 1000.0, 0.5, rvVec(0, 0, -10));
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), -0.2), rvEyePlace(load, rvVec(0, 0, 0)),
                           rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.1)};
    rvCableId cable = add_cable(world, places, 3, 1e8, -1.0);
    run(world, h, 10.0);
    CHECK_NEAR(rvCable_GetRestLength(world, cable), 20.0 - 1.0, 1e-9);
    CHECK_NEAR(rvCable_GetWinchSpeed(world, cable, 0), -0.2, 1e-12);
    CHECK_NEAR(rvCable_GetWinchSpeed(world, cable, 2), 0.1, 1e-12);
    // each does its share of the work: -T p
    double a = rvCable_GetWinchWork(world, cable, 0), b = rvCable_GetWinchWork(world, cable, 2);
    CHECK_NEAR(a / b, -2.0, 1e-6);
    rvDestroyWorld(world);
}

// ---- pick-up --------------------------------------------------------------------------------------------------------------

// Largest tension of a load lifted from rest by rope taken in at speed v, EA and length changing: by small steps of the
// equation of motion itself.
static double pick_up_peak(double mass, double stiffness, double length, double v)
{
    double dt = 1e-6, rest = length / (1.0 + mass * GRAVITY / stiffness), below = length, speed = 0.0, peak = 0.0;
    for (int i = 0; i < 1000000; ++i) {
        rest -= v * dt;
        double tension = stiffness * fmax(0.0, below / rest - 1.0);
        speed += dt * (GRAVITY - tension / mass);
        below += dt * speed;
        peak = fmax(peak, tension);
    }
    return peak;
}

static void PickUpPeaksAsTheEquationOfMotionSays(void** state)
{
    (void)state;
    static const double rates[] = {1e5,
                                   1e6}; // K = EA/L; m g + v sqrt(K m) = 14810, 25621 N, and more as the rope shortens
    for (int k = 0; k < 2; ++k) {
        double h = 0.001, mass = 1000.0, length = 10.0, stiffness = rates[k] * length;
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, mass, 0.5, rvVec(0, 0, -length));
        rvCableId cable = hang_at_rest(world, load, mass, length, stiffness, winch_of(-0.5));
        double peak = 0.0;
        for (int i = 0; i < 1000; ++i) {
            CHECK_OK(world, rvWorld_Step(world, h));
            peak = fmax(peak, rvCable_GetTension(world, cable, 0));
        }
        CHECK_NEAR(peak / pick_up_peak(mass, stiffness, length, 0.5), 1.0, 1e-3); // (h w)^2/12 and a sample a step
        rvDestroyWorld(world);
    }
}

static void SlackRopeLiftsALoadOffTheGround(void** state)
{
    (void)state;
    double h = 0.001, mass = 1000.0, stiffness = 1e7;
    rvWorld* world = make_world();
    add_ground(world);
    rvBodyId load = add_box(world, mass, rvVec(1, 1, 1), rvVec(0, 0, 0.5));
    add_box_shape(world, load, rvVec(1, 1, 1));
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 11), -0.5), rvAttachPlace(load, rvVec(0, 0, 0.5))};
    rvCableId cable = add_cable(world, places, 2, stiffness, 10.1);
    double peak = 0.0, tautAt = 0.0;
    for (int i = 0; i < 1500; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        peak = fmax(peak, rvCable_GetTension(world, cable, 0));
        if (count_events(world, RV_EVENT_TAUT, NULL) > 0 && tautAt == 0.0)
            tautAt = rvWorld_GetTime(world);
    }
    CHECK_NEAR(tautAt, 0.1 / 0.5, 2.0 * h);
    CHECK_NEAR(peak / pick_up_peak(mass, stiffness, 10.0, 0.5), 1.0,
               1e-2); // contact gives way by 0.1 mm of 10 mm stretch
    assert_true(rvBody_GetCenter(world, load).z > 1.0);
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(HoistedPendulumGainsTheWorkOfTheWinchAndItsPeriodFollowsTheLength),
        cmocka_unit_test(LoweredLoadGivesItsEnergyToTheWinch),
        cmocka_unit_test(StalledWinchSlipsAtItsForce),
        cmocka_unit_test(LimitedWinchAcceleratesTheLoadByWhatIsLeftOfItsForce),
        cmocka_unit_test(DriveComplianceGivesWayByTheTension),
        cmocka_unit_test(WinchHaltsAtItsStops),
        cmocka_unit_test(TwoWinchesAddTheirRates),
        cmocka_unit_test(PickUpPeaksAsTheEquationOfMotionSays),
        cmocka_unit_test(SlackRopeLiftsALoadOffTheGround),
    };
    return RUN_TESTS(tests);
}
