// SPDX-License-Identifier: MIT
// Winches: rate, work, force limit, drive compliance, stops, two winches on one cable, and picking a load up.
#include "world/machines.h"

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

// ---- pendulum with winch
// ------------------------------------------------------------------------------------------------

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
        run_world(world, h, 50.0);
        CHECK_OK(world, rvCable_SetWinchSpeed(world, cable, 0, 0.0));
        run_world(world, h, 1.0);
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
    run_world(world, 1.0 / 60.0, 1.0);
    double before = total_energy(world);
    // v sqrt(k m) = 4.5 kN stays below the weight: the cable never snaps, which would lose energy
    CHECK_OK(world, rvCable_SetWinchSpeed(world, cable, 0, 0.1));
    run_world(world, 1.0 / 60.0, 50.0);
    double work = rvWorld_GetEnergy(world).work;
    assert_true(work < 0.0);
    CHECK_NEAR((total_energy(world) - before) / work, 1.0, 1e-4); // as above
    rvDestroyWorld(world);
}

// ---- limits
// -------------------------------------------------------------------------------------------------------------

// A winch that starts at full speed leaves its load bouncing. Of a rope that changes slowly the bounce keeps its action
// E/w, w = sqrt(EA/(m N)): hauled in it grows, by what the winch puts into it; paid out it dies down. The winch's work
// is the change of energy to round-off, in steps short or long for the bounce.
static void WorkOfAWinchIsTheChangeOfEnergyWhileItsLoadBounces(void** state)
{
    (void)state;
    static const double steps[] = {1e-3, 1.0 / 60.0, 33e-3};
    double mass = 1000.0, stiffness = 1e6, g = GRAVITY;
    for (int i = 0; i < 6; ++i) {
        double h = steps[i / 2], rate = i % 2 == 0 ? -0.25 : 0.25, first = 0.0, firstEnergy = 0.0, energy = 0.0;
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, mass, 0.5, rvVec(0, 0, -20));
        rvCableId cable = hang_at_rest(world, load, mass, 20.0, stiffness, winch_of(rate));
        run_world(world, h, h);
        double start = total_energy(world) - rvWorld_GetEnergy(world).work;
        for (int k = 0; k < lround(60.0 / h); ++k) {
            run_world(world, h, h);
            rvEnergy e = rvWorld_GetEnergy(world);
            double length = rvCable_GetRestLength(world, cable), sag = mass * g / stiffness;
            // about the hanging load, which moves by the rate and by the change of its stretch m g N/EA
            double speed = rvBody_GetVelocity(world, load).z + rate * (1.0 + sag);
            double stretch = sqrt(2.0 * e.elastic * length / stiffness) - sag * length;
            energy = 0.5 * mass * speed * speed + 0.5 * stiffness / length * stretch * stretch;
            double action = energy * sqrt(mass * length / stiffness);
            if (k == 0) {
                first = action;
                firstEnergy = energy;
            }
            CHECK_NEAR(action / first, 1.0, 0.02); // N'/(4 N w) = 0.2 % each way, and sag's own change as much again
            CHECK_NEAR(e.kinetic + e.potential + e.elastic - e.work, start, 1e-9 * mass * g * 20.0); // round-off of 6e4
            CHECK_NEAR(e.heat, 0.0, 1e-9 * mass * g);                                                // nothing rubs
        }
        double expected = sqrt(20.0 / rvCable_GetRestLength(world, cable));
        CHECK_NEAR(energy / firstEnergy, expected, 0.02 * expected); // 2 hauled in, 0.76 paid out
        rvDestroyWorld(world);
    }
}

// A load at rest, 5 m below a winch that hauls in at 0.5 m/s with this force at most.
static rvWorld* hang_on_limited_winch(double mass, double force, rvBodyId* load, rvCableId* cable)
{
    rvWorld* world = make_world();
    *load = add_ball(world, mass, 0.5, rvVec(0, 0, -5));
    rvWinchDef winch = winch_of(-0.5);
    winch.maxForce = force;
    *cable = hang_at_rest(world, *load, mass, 5.0, 1e8, winch);
    return world;
}

static void StalledWinchSlipsAtItsForce(void** state)
{
    (void)state;
    double h = 1.0 / 60.0, mass = 1000.0, force = 0.8 * mass * GRAVITY;
    rvBodyId load;
    rvCableId cable;
    rvWorld* world = hang_on_limited_winch(mass, force, &load, &cable);
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
    rvBodyId load;
    rvCableId cable;
    rvWorld* world = hang_on_limited_winch(mass, force, &load, &cable);
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
    run_world(world, 1.0 / 60.0, 10.0); // the drive's own damping has long stilled the start
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

// A winch pulls against a locked wheel that the rope cannot slip over: it comes to a stop before the rope between them
// is all on the drum, from either end of the cable.
static void WinchHaltsWhereItsRopeIsHeld(void** state)
{
    (void)state;
    for (int end = 0; end < 2; ++end) {
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(0, 0, -5));
        rvPlaceDef places[3];
        places[2 * end] = rvWinchPlace(RV_NULL_BODY, rvVec(3, 0, 0), -0.5);
        places[2 * end].winch.minLength = 0.3;
        places[1] = rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.1);
        places[1].wheel.locked = true;
        places[2 - 2 * end] = rvAttachPlace(load, rvVec(0, 0, 0));
        rvCableId cable = add_cable(world, places, 3, 1e5, -1.0);
        double start = rvCable_GetRestLength(world, cable);
        int told = 0;
        for (int i = 0; i < 1200; ++i) {
            CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
            told += count_events(world, RV_EVENT_WINCH_STOP, NULL);
        }
        assert_int_equal(told, 1);
        double taken = start - rvCable_GetRestLength(world, cable);
        // between 3 m less the stop, and that with the rope on the wheel; the load's part stays
        assert_true(taken > 3.0 - 0.3 - 0.1 && taken < 3.0 - 0.3 + 0.1 * 1.6);
        CHECK_NEAR(rvCable_GetWinchSpeed(world, cable, 2 * end), 0.0, 1e-12);
        rvDestroyWorld(world);
    }
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
    run_world(world, h, 10.0);
    CHECK_NEAR(rvCable_GetRestLength(world, cable), 20.0 - 1.0, 1e-9);
    CHECK_NEAR(rvCable_GetWinchSpeed(world, cable, 0), -0.2, 1e-12);
    CHECK_NEAR(rvCable_GetWinchSpeed(world, cable, 2), 0.1, 1e-12);
    // each does its share of the work: -T p
    double a = rvCable_GetWinchWork(world, cable, 0), b = rvCable_GetWinchWork(world, cable, 2);
    CHECK_NEAR(a / b, -2.0, 1e-6);
    rvDestroyWorld(world);
}

// ---- pick-up
// --------------------------------------------------------------------------------------------------------------

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

// ---- brake, control, drum
// -------------------------------------------------------------------------------------------------

static void BrakeSlipsAtItsLimitAndThenHolds(void** state)
{
    (void)state;
    double h = 0.001, mass = 1000.0, force = 1.5 * mass * GRAVITY;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, mass, 0.5, rvVec(0, 0, -5));
    rvWinchDef winch = winch_of(2.0);
    winch.brakeForce = force;
    winch.acceleration = 4.0;
    rvCableId cable = hang_at_rest(world, load, mass, 5.0, 1e8, winch);
    run_world(world, h, 1.0);
    double speed = rvBody_GetVelocity(world, load).z, before = rvBody_GetCenter(world, load).z;
    CHECK_NEAR(speed, -2.0, 0.1); // vibrates a little about the winch's speed
    CHECK_OK(world, rvCable_SetWinchBrake(world, cable, 0, true));
    double stopped = 0.0;
    for (int i = 0; i < 2000; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        assert_true(rvCable_GetWinchForce(world, cable, 0) <= force * (1.0 + 1e-12));
        if (stopped == 0.0 && rvBody_GetVelocity(world, load).z >= 0.0)
            stopped = rvWorld_GetTime(world) - 1.0;
    }
    // (1.5 - 1) g of deceleration, from the speed that it had
    CHECK_NEAR(stopped, -speed / (0.5 * GRAVITY), 0.01);
    CHECK_NEAR(before - rvBody_GetCenter(world, load).z, speed * speed / GRAVITY, 0.01);
    CHECK_NEAR(rvCable_GetWinchSpeed(world, cable, 0), 0.0, 0.0);
    CHECK_NEAR(rvCable_GetWinchPower(world, cable, 0), 0.0, 0.0);
    double out = rvCable_GetWinchLength(world, cable, 0);
    run_world(world, h, 1.0);
    CHECK_NEAR(rvCable_GetWinchLength(world, cable, 0), out, 0.0); // it holds: no creep at all
    // heat: the energy of the motion and of the way down; what is left of 20 J swings in the rope
    CHECK_NEAR(rvCable_GetWinchHeat(world, cable, 0), force * speed * speed / GRAVITY, 0.01 * force);
    rvDestroyWorld(world);
}

static void SuddenStopPeaksAsTheSpringSays(void** state)
{
    (void)state;
    double h = 0.001, mass = 1000.0, length = 10.0, rate = 1e6;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, mass, 0.5, rvVec(0, 0, -length));
    rvCableId cable = hang_at_rest(world, load, mass, length, rate * length, winch_of(0.0));
    CHECK_OK(world, rvBody_SetVelocity(world, load, rvVec(0, 0, -0.5), rvVec(0, 0, 0)));
    CHECK_OK(world, rvCable_SetWinchBrake(world, cable, 0, true));
    double peak = 0.0;
    for (int i = 0; i < 300; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        peak = fmax(peak, rvCable_GetTension(world, cable, 0));
    }
    // m g + v sqrt(k m); k = EA/N is 1e-3 stiffer than EA/l, the sample of a step is off (h w)^2/8 at most
    CHECK_NEAR(peak, mass * GRAVITY + 0.5 * sqrt(rate * mass), 2e-3 * peak);
    rvDestroyWorld(world);
}

static void LengthControlArrivesAndStays(void** state)
{
    (void)state;
    double h = 0.01;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(0, 0, -20));
    rvWinchDef winch = winch_of(0.0);
    winch.control = RV_WINCH_LENGTH;
    winch.target = 11.0;
    winch.maxSpeed = 2.0;
    winch.acceleration = 0.5;
    rvCableId cable = hang_at_rest(world, load, 100.0, 20.0, 1e8, winch);
    double start = rvCable_GetWinchLength(world, cable, 0), last = 0.0, fastest = 0.0;
    double arrived = 0.0;
    for (int i = 0; i < 1000; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        double speed = rvCable_GetWinchSpeed(world, cable, 0);
        assert_true(fabs(speed - last) <= 0.5 * h * (1.0 + 1e-9));
        assert_true(rvCable_GetWinchLength(world, cable, 0) >= 11.0 - 1e-9);
        fastest = fmax(fastest, -speed);
        last = speed;
        if (arrived == 0.0 && rvCable_GetWinchLength(world, cable, 0) < 11.0 + 1e-6)
            arrived = rvWorld_GetTime(world);
    }
    CHECK_NEAR(fastest, 2.0, 1e-9); // 2^2/0.5 = 8 m are enough for it
    // way/v + v/a, and a few steps to come to rest
    CHECK_NEAR(arrived, (start - 11.0) / 2.0 + 2.0 / 0.5, 0.1);
    CHECK_NEAR(rvCable_GetWinchLength(world, cable, 0), 11.0, 1e-9);
    rvDestroyWorld(world);
}

// A boat (here a heavy ball on rails) heaves; the winch keeps its tension.
static void TensionControlKeepsTheTensionWithinItsSpeed(void** state)
{
    (void)state;
    double h = 0.01, target = 5000.0, period = 8.0, amplitude = 1.0;
    rvWorld* world = make_world();
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_KINEMATIC;
    def.pose.p = rvVec(0, 0, -20);
    rvBodyId boat = add_body(world, &def);
    rvWinchDef winch = winch_of(0.0);
    winch.control = RV_WINCH_TENSION;
    winch.target = target;
    winch.maxSpeed = 1.0; // the boat moves with 0.785 m/s at most
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0), rvAttachPlace(boat, rvVec(0, 0, 0))};
    places[0].winch = winch;
    rvCableId cable = add_cable(world, places, 2, 1e7, 20.0);
    for (int i = 0; i < 3000; ++i) {
        rvPose pose = rvBody_GetPose(world, boat);
        pose.p.z = -20.0 + amplitude * sin(2.0 * 3.14159265358979323846 / period * (i + 1) * h);
        CHECK_OK(world, rvBody_MoveTo(world, boat, pose));
        CHECK_OK(world, rvWorld_Step(world, h));
        assert_true(rvCable_GetTension(world, cable, 0) <= target * (1.0 + 1e-12));
        assert_int_equal(count_events(world, RV_EVENT_WINCH_LIMIT, NULL), 0); // that is no limit
        if (i > 100)
            CHECK_NEAR(rvCable_GetTension(world, cable, 0), target, 1e-9 * target); // exact: no gain to choose
    }
    winch.maxSpeed = 0.5; // too slow now: the tension rises while the boat runs away, and falls when it comes
    CHECK_OK(world, rvCable_SetWinch(world, cable, 0, &winch));
    double largest = 0.0, smallest = 1e9, fastest = 0.0;
    for (int i = 3000; i < 3000 + 1600; ++i) {
        rvPose pose = rvBody_GetPose(world, boat);
        pose.p.z = -20.0 + amplitude * sin(2.0 * 3.14159265358979323846 / period * (i + 1) * h);
        CHECK_OK(world, rvBody_MoveTo(world, boat, pose));
        CHECK_OK(world, rvWorld_Step(world, h));
        largest = fmax(largest, rvCable_GetTension(world, cable, 0));
        smallest = fmin(smallest, rvCable_GetTension(world, cable, 0));
        if (i > 3001)
            fastest = fmax(fastest, fabs(rvCable_GetWinchSpeed(world, cable, 0)));
    }
    assert_true(largest > 2.0 * target && smallest == 0.0);
    CHECK_NEAR(fastest, 0.5, 0.01); // one step of rule late where it begins to run over
    rvDestroyWorld(world);
}

static void LayersChangeThePayOutOfATurn(void** state)
{
    (void)state;
    double h = 0.01, r = 0.2, d = 0.02, turn = 2.0 * 3.14159265358979323846;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 10.0, 0.1, rvVec(0, 0, -2));
    // 5 turns a layer: 5 * 2 pi (0.2 + 0.22 + 0.24) m are three full layers
    double layer0 = 5 * turn * r, layer1 = 5 * turn * (r + d), layer2 = 5 * turn * (r + 2 * d);
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0), rvAttachPlace(load, rvVec(0, 0, 0))};
    places[0].wheel.radius = r;
    places[0].wheel.axis = rvVec(0, 1, 0);
    places[0].winch.control = RV_WINCH_DRUM;
    places[0].winch.speed = 2.0;
    places[0].winch.width = 5.5 * d;
    places[0].winch.stored = layer0 + layer1 + 0.999 * layer2;
    rvCableId cable = add_cable(world, places, 2, 1e8, -1.0);
    double start = rvCable_GetWinchLength(world, cable, 0);
    CHECK_NEAR(rvCable_GetDrumRadius(world, cable, 0), r + 2 * d, 1e-12);
    run_world(world, h, 0.5);
    CHECK_NEAR(rvCable_GetWinchSpeed(world, cable, 0), 2.0 * (r + 2 * d), 1e-12);
    run_world(world, h, 20.0);
    CHECK_NEAR(rvCable_GetDrumRadius(world, cable, 0), r + d, 1e-12);
    CHECK_NEAR(rvCable_GetWinchSpeed(world, cable, 0), 2.0 * (r + d), 1e-12);
    // the angle follows from what is stored
    double off = rvCable_GetWinchLength(world, cable, 0) - start;
    double angle = 0.999 * 5 * turn + (off - 0.999 * layer2) / (r + d);
    CHECK_NEAR(rvCable_GetDrumAngle(world, cable, 0), angle, 1e-9);
    CHECK_NEAR(rvCable_GetWinchStored(world, cable, 0) + off, layer0 + layer1 + 0.999 * layer2, 1e-9);
    // then the drum is empty, which is a stop, and the rope's end holds
    int told = 0;
    rvEvent event;
    for (int i = 0; i < 3000; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        told += count_events(world, RV_EVENT_WINCH_STOP, &event);
    }
    assert_int_equal(told, 1);
    CHECK_NEAR(rvCable_GetWinchStored(world, cable, 0), 0.0, 1e-9);
    CHECK_NEAR(rvCable_GetDrumAngle(world, cable, 0), 14.995 * turn, 1e-9);
    CHECK_NEAR(rvCable_GetDrumSpeed(world, cable, 0), 0.0, 1e-9);
    rvDestroyWorld(world);
}

static void RopesEndHoldsWhereTheDrumIsEmpty(void** state)
{
    (void)state;
    double h = 0.01, mass = 100.0;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, mass, 0.5, rvVec(0, 0, -5));
    rvWinchDef winch = winch_of(0.0);
    winch.maxForce = 0.5 * mass * GRAVITY; // far too weak: the load falls at g/2 until the rope is out
    winch.stored = 2.0;
    rvCableId cable = hang_at_rest(world, load, mass, 5.0, 1e6, winch);
    double deepest = 0.0;
    for (int i = 0; i < 500; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        deepest = fmin(deepest, rvBody_GetCenter(world, load).z);
    }
    CHECK_NEAR(rvCable_GetWinchStored(world, cable, 0), 0.0, 1e-12);
    assert_true(deepest < -7.0 && deepest > -7.3); // 981 J into 1.4e5 N/m: 0.12 m
    rvDestroyWorld(world);
}

static void SwingOnADrumKeepsLengthAndEnergy(void** state)
{
    (void)state;
    double h = 0.001;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 10.0, 0.1, rvVec(3, 0, -4));
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0), rvAttachPlace(load, rvVec(0, 0, 0))};
    places[0].wheel.radius = 0.3;
    places[0].wheel.axis = rvVec(0, 1, 0);
    places[0].wheel.side = 1;
    rvCableId cable = add_cable(world, places, 2, 1e6, -1.0);
    double start = rvCable_GetRestLength(world, cable), energy = total_energy(world), least = 1e9, most = 0.0;
    for (int i = 0; i < 20000; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        double span = rvCable_GetSpanLength(world, cable, 0);
        least = fmin(least, span);
        most = fmax(most, span);
        CHECK_NEAR(rvCable_GetLength(world, cable), start, 3e-3); // stretch: 200 N on 1e6 N and its bouncing
    }
    CHECK_NEAR(rvCable_GetRestLength(world, cable), start, 0.0);
    assert_true(most - least > 0.3);               // the rope winds and unwinds by r times the swing, 1.3 rad
    CHECK_NEAR(total_energy(world), energy, 0.05); // of 100 J of swing; second order in h
    rvDestroyWorld(world);
}

static void OverloadIsToldOnceEachTime(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(0, 0, -5));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.places = places;
    def.placeCount = 2;
    def.axialStiffness = 1e5;
    def.overload = 1.5 * 100.0 * GRAVITY; // let go it bounces between 0 and 2 m g
    CHECK_OK(world, rvCreateCable(world, &def, NULL));
    double period = 2.0 * 3.14159265358979323846 * sqrt(100.0 / 2e4);
    int told = 0;
    for (int i = 0; i < lround(4.0 * period / 0.001); ++i) {
        CHECK_OK(world, rvWorld_Step(world, 0.001));
        rvEvent event;
        int now = count_events(world, RV_EVENT_OVERLOAD, &event);
        if (now > 0)
            assert_true(event.value > def.overload && event.value < 1.1 * def.overload);
        told += now;
    }
    assert_int_equal(told, 4);
    def.overload = 0.0;
    assert_int_equal(rvCreateCable(world, &def, NULL), RV_BAD_INPUT);
    rvDestroyWorld(world);
}

// ---- two winches with friction between
// --------------------------------------------------------------------------------------

// From winch to winch over a locked wheel with friction; the second hauls against the first.
static void EachOfTwoWinchesSlipsAtItsOwnLimit(void** state)
{
    (void)state;
    for (int turned = 0; turned < 2; ++turned) {
        rvWorld* world = make_world();
        rvBodyId carrier = add_ball(world, 1e6, 1.0, rvVec(0, 0, -100)); // something that can move, far off and hardly
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-0.2, 0, -5), turned ? -0.3 : 0.0),
                               rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.2),
                               rvWinchPlace(carrier, rvVec(0.2, 0, 95), turned ? 0.0 : -0.3)};
        places[1].friction = 0.2;
        places[1].wheel.locked = true;
        // the strong one hauls, the weak one slips at 1 kN; behind the wheel that is e times as much
        places[turned ? 0 : 2].winch.maxForce = 20000.0;
        places[turned ? 2 : 0].winch.maxForce = 1000.0;
        rvJointDef held = rvDefaultJointDef(RV_JOINT_FIXED);
        CHECK_OK(world, rvJointDef_Place(world, &held, RV_NULL_BODY, carrier, rvVec(0, 0, -100), rvVec(0, 0, 1)));
        CHECK_OK(world, rvCreateJoint(world, &held, NULL));
        rvCableId cable = add_cable(world, places, 3, 1e6, -1.0);
        run_world(world, 0.01, 5.0);
        double e = exp(0.2 * 3.14159265358979323846);
        int weak = turned ? 1 : 0;
        CHECK_NEAR(rvCable_GetTension(world, cable, weak), 1000.0, 1e-6);
        CHECK_NEAR(rvCable_GetTension(world, cable, 1 - weak), 1000.0 * e, 1e-3 * 1000.0); // wrap pi to 1e-4
        CHECK_NEAR(rvCable_GetWinchSpeed(world, cable, turned ? 2 : 0), 0.3, 3e-3);        // strain goes along
        // the other way: now the one behind the friction is the weaker one
        rvWinchDef strong;
        CHECK_OK(world, rvCable_GetWinch(world, cable, turned ? 0 : 2, &strong));
        strong.maxForce = 1500.0; // below e times 1 kN: it slips itself, the far one stands still
        CHECK_OK(world, rvCable_SetWinch(world, cable, turned ? 0 : 2, &strong));
        run_world(world, 0.01, 5.0);
        CHECK_NEAR(rvCable_GetTension(world, cable, 1 - weak), 1500.0, 1e-6);
        CHECK_NEAR(rvCable_GetWinchSpeed(world, cable, turned ? 2 : 0), 0.0, 1e-9);
        CHECK_NEAR(rvCable_GetWinchSpeed(world, cable, turned ? 0 : 2), 0.0, 1e-9);
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(HoistedPendulumGainsTheWorkOfTheWinchAndItsPeriodFollowsTheLength),
        cmocka_unit_test(LoweredLoadGivesItsEnergyToTheWinch),
        cmocka_unit_test(WorkOfAWinchIsTheChangeOfEnergyWhileItsLoadBounces),
        cmocka_unit_test(StalledWinchSlipsAtItsForce),
        cmocka_unit_test(LimitedWinchAcceleratesTheLoadByWhatIsLeftOfItsForce),
        cmocka_unit_test(DriveComplianceGivesWayByTheTension),
        cmocka_unit_test(WinchHaltsAtItsStops),
        cmocka_unit_test(WinchHaltsWhereItsRopeIsHeld),
        cmocka_unit_test(TwoWinchesAddTheirRates),
        cmocka_unit_test(PickUpPeaksAsTheEquationOfMotionSays),
        cmocka_unit_test(SlackRopeLiftsALoadOffTheGround),
        cmocka_unit_test(BrakeSlipsAtItsLimitAndThenHolds),
        cmocka_unit_test(SuddenStopPeaksAsTheSpringSays),
        cmocka_unit_test(LengthControlArrivesAndStays),
        cmocka_unit_test(TensionControlKeepsTheTensionWithinItsSpeed),
        cmocka_unit_test(LayersChangeThePayOutOfATurn),
        cmocka_unit_test(RopesEndHoldsWhereTheDrumIsEmpty),
        cmocka_unit_test(SwingOnADrumKeepsLengthAndEnergy),
        cmocka_unit_test(OverloadIsToldOnceEachTime),
        cmocka_unit_test(EachOfTwoWinchesSlipsAtItsOwnLimit),
    };
    return RUN_TESTS(tests);
}
