// SPDX-License-Identifier: MIT
// Rope that flows off a winch that yields, or has no more of it.
#include "world/machines.h"

// Rope of mass rho a metre to a body, off a drum that yields by v = xi F.
static rvCableId add_line_off_drum(rvWorld* world, rvBodyId body, double rho, double xi)
{
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0), rvAttachPlace(body, rvVec(0, 0, 0))};
    places[0].winch.compliance = xi;
    rvCableDef line = rvDefaultCableDef(RV_CABLE_ALE);
    line.axialStiffness = 1e4;
    line.massPerLength = rho;
    line.damping = 0.02;
    return add_cable_of(world, line, places, 2);
}

// A mass M draws its rope off a drum that runs nearly free, v = xi F. All rope that is out moves at v, and what leaves
// the drum takes its momentum from the tension: T = v/xi + rho v^2. With m = M + rho L
//   m dv/dt = -T,  dL/dt = v:   (v + 1/(xi rho)) m stays
// and the drive, which only yields, never gives energy.
static void FreeDrumGivesItsRopeNoEnergy(void** state)
{
    (void)state;
    double mass = 1.0, rho = 0.1, xi = 10.0;
    for (int k = 0; k < 3; ++k) {
        double h = (double[]){0.02, 0.01, 0.002}[k];
        rvWorld* world = make_weightless_world();
        rvBodyDef def = rvDefaultBodyDef();
        def.mass = mass;
        def.pose.p = rvVec(1, 0, 0);
        def.velocity = rvVec(5, 0, 0);
        rvBodyId body = add_body(world, &def);
        rvCableId rope = add_line_off_drum(world, body, rho, xi);
        run_world(world, h, 0.4); // the jerk at the start has died out
        double speed = rvBody_GetVelocity(world, body).x, stays = 0.0;
        stays = (speed + 1.0 / (xi * rho)) * (mass + rho * rvCable_GetRestLength(world, rope));
        double slows = (speed / xi + rho * speed * speed) / mass, work = rvWorld_GetEnergy(world).work;
        for (int i = 0; i < lround(2.0 / h); ++i) {
            CHECK_OK(world, rvWorld_Step(world, h));
            double now = rvWorld_GetEnergy(world).work;
            CHECK_BELOW(now, work);
            work = now;
        }
        double m = mass + rho * rvCable_GetRestLength(world, rope);
        // the tension goes by the speed of a step before
        CHECK_NEAR(rvBody_GetVelocity(world, body).x, stays / m - 1.0 / (xi * rho), h * slows);
        rvDestroyWorld(world);
    }
}

// Rope that is paid out at v and drawn off at u = v (1 + e), e its strain: it takes rho u^2/2 a metre along from the
// drum, not rho v^2/2. Nothing is lost or made: strain and speed are the same all along. (Booked by v the guard of the
// rope took the rest from its motion, or heat fell.)
static void StretchedRopeBringsTheSpeedThatItHas(void** state)
{
    (void)state;
    double rho = 1.0, EA = 2000.0, strain = 0.1, v = 10.0, u = v * (1.0 + strain);
    for (int k = 0; k < 3; ++k) {
        double h = (double[]){0.01, 0.005, 0.001}[k];
        rvWorld* world = make_weightless_world();
        rvBodyDef def = rvDefaultBodyDef();
        def.mass = 1e6; // nothing stops it
        def.pose.p = rvVec(1.1, 0, 0);
        def.velocity = rvVec(u, 0, 0);
        rvBodyId body = add_body(world, &def);
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), v), rvAttachPlace(body, rvVec(0, 0, 0))};
        rvCableDef line = rvDefaultCableDef(RV_CABLE_ALE);
        line.axialStiffness = EA;
        line.massPerLength = rho;
        line.damping = 0.02;
        line.length = 1.0;
        rvCableId rope = add_cable_of(world, line, places, 2);
        run_world(world, h, 1.0); // waves of the start have died out
        rvEnergy before = rvWorld_GetEnergy(world);
        double kinetic = rvCable_GetEnergy(world, rope).kinetic;
        run_world(world, h, 1.0);
        double passed = 0.5 * rho * u * u * v; // in a second
        CHECK_NEAR(rvCable_GetEnergy(world, rope).kinetic - kinetic, passed, 2e-3 * passed);
        CHECK_NEAR(rvWorld_GetEnergy(world).heat - before.heat, 0.0, 2e-3 * passed); // by v it would be 0.17
        rvDestroyWorld(world);
    }
}

// Heavy rope with a mass M below draws itself off the same drum by its weight, faster and faster:
//   d/dt (m v) = m g - v/xi,  m = M + rho L,  dL/dt = v
static void HeavyRopeDrawsItselfOffAFreeDrum(void** state)
{
    (void)state;
    double mass = 0.1, rho = 0.4, xi = 10.0, g = 9.81;
    for (int k = 0; k < 2; ++k) {
        double h = k ? 2e-3 : 1e-2;
        rvWorld* world = make_world();
        rvBodyId body = add_mass(world, RV_BODY_DYNAMIC, mass, 0.0, rvVec(0, 0, -1));
        rvCableId rope = add_line_off_drum(world, body, rho, xi);
        run_world(world, h, 1.0);
        double length = 1.0, speed = 0.0, dt = 1e-5;
        for (int i = 0; i < 100000; ++i) {
            double m = mass + rho * length;
            speed += dt * (g - (speed / xi + rho * speed * speed) / m);
            length += dt * speed;
        }
        double found = rvLength(rvBody_GetVelocity(world, body));
        // what it pays goes by the speed of a step before, and what that is too little is made good: second order in
        // the growth of a step; bodies are h a t/2 ahead
        CHECK_NEAR(found, speed, h * g);
        CHECK_NEAR(rvCable_GetRestLength(world, rope), length, h * speed);
        rvDestroyWorld(world);
    }
}

// Rope of 12 mm below a winch that holds 20 kN, with as much rope on its drum as is out, 6 m, and 500 kg at its end.
static rvWorld* make_short_drum(rvWinchDef winch, rvBodyId* load, rvCableId* rope)
{
    rvWorld* world = make_world();
    *load = add_mass(world, RV_BODY_DYNAMIC, 500.0, 5.0, rvVec(0, 0, -6));
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0), rvAttachPlace(*load, rvVec(0, 0, 0))};
    places[0].winch = winch;
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
    def.axialStiffness = 5e6;
    def.massPerLength = 0.6;
    def.damping = 5e-3;
    def.diameter = 0.012;
    def.elements = 20;
    *rope = add_cable_of(world, def, places, 2);
    return world;
}

static rvWinchDef short_drum(void)
{
    rvWinchDef winch = rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0).winch;
    winch.stored = 6.0;
    winch.minLength = 0.5;
    winch.maxForce = 20e3;
    return winch;
}

// Steps it; what is out and what is on the drum stays in sum. Answers the most that the winch was pulled with.
static double run_drum(rvWorld* world, rvCableId rope, double h, double seconds)
{
    double most = 0.0;
    for (int i = 0; i < lround(seconds / h); ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        double out = rvCable_GetRestLength(world, rope);
        CHECK_NEAR(out + rvCable_GetWinchStored(world, rope, 0), 12.0, 1e-9); // rounding of so many steps
        most = fmax(most, rvCable_GetWinchForce(world, rope, 0));
    }
    return most;
}

static const double STEPS[] = {1.0 / 30.0, 0.017, 0.005, 0.001};

// It pays out with 4 m/s to the end of its rope: that is a stop and holds what its drive does not, as the spring
// k = EA/(12 m) with v: W + sqrt(W^2 + k m v^2), of which damping takes exp(-d w pi/2), d = w tau/2, w^2 = k/m.
static void EndOfRopeOnADrumHoldsMoreThanItsDrive(void** state)
{
    (void)state;
    double k = 5e6 / 12.0, weight = 500.0 * 9.81, fast = sqrt(k / 500.0);
    double damped = exp(-0.25 * 3.14159265 * fast * 5e-3), peak = weight + sqrt(k * 500.0) * 4.0 * damped;
    for (int i = 0; i < 4; ++i) {
        rvBodyId load;
        rvCableId rope;
        rvWorld* world = make_short_drum(short_drum(), &load, &rope);
        CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, 4.0));
        // implicit steps damp by about w h/4 within the quarter of a swing; 5 %: waves of 7.2 kg of rope, W beside m
        // v^2
        CHECK_NEAR(run_drum(world, rope, STEPS[i], 3.0), peak, (0.05 + 0.25 * fast * STEPS[i]) * peak);
        CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, -1.0));
        run_drum(world, rope, STEPS[i], 3.0);
        rvDestroyWorld(world);
    }
}

// The same where a drive that yields, or one that keeps a tension, lets the rope run.
static void DrumsGiveNoMoreRopeThanTheyHave(void** state)
{
    (void)state;
    for (int i = 0; i < 8; ++i) {
        rvBodyId load;
        rvCableId rope;
        rvWinchDef winch = short_drum();
        if (i % 2)
            winch.compliance = 1e-3;
        else {
            winch.control = RV_WINCH_TENSION;
            winch.target = 1000.0; // less than the weight: it slips
            winch.maxSpeed = 2.0;
        }
        rvWorld* world = make_short_drum(winch, &load, &rope);
        CHECK_BELOW(winch.maxForce, run_drum(world, rope, STEPS[i / 2], 6.0)); // at its stop
        CHECK_NEAR(rvCable_GetRestLength(world, rope), 12.0, 1e-9);
        rvDestroyWorld(world);
    }
}

// What a machine has, but for what its guard, its damping and its drives took or gave.
static double kept(const rvWorld* world)
{
    rvEnergy e = rvWorld_GetEnergy(world);
    return e.kinetic + e.potential + e.elastic + e.heat - e.work - e.guard - e.turningHeat - e.dampingHeat;
}

// A block of three to five falls goes down at 2.8 m/s, its rope by as many times that; then the brake closes, at once,
// though the motor has 6 m/s^2. The rope at the drum stands then. (It was stopped by its stretch within the step and
// thrown back with most of its speed, as if the motor were at it: up to two fifths of what moved came from nothing.)
static void BrakeStopsRopeAtOnce(void** state)
{
    (void)state;
    const double r = 0.4, mass = 191.0, speed = 2.8;
    for (int k = 0; k < 6; ++k) {
        int falls = 3 + k / 2, count = 0;
        double h = k % 2 ? 0.0074 : 0.017;
        rvWorld* world = make_world();
        rvBodyId block = add_box(world, mass, rvVec(2.0 * r * falls, 0.3, 1.0), rvVec(0, 0, -8));
        rvPlaceDef places[8];
        places[count++] = rvWinchPlace(RV_NULL_BODY, rvVec(-10, 0, 0), speed * falls);
        places[0].winch.acceleration = 6.0;
        for (int i = 0; i < falls; ++i)
            places[count++] =
                rvSheavePlace(i % 2 ? block : RV_NULL_BODY, rvVec(r * (2 * i - falls), 0, i % 2), rvVec(0, 1, 0), r);
        rvVec3 last = rvVec(r * (falls - 1), 0, falls % 2);
        places[count++] = rvAttachPlace(falls % 2 ? block : RV_NULL_BODY, last);
        rvCableDef rope = rvDefaultCableDef(RV_CABLE_ALE);
        rope.massPerLength = 0.26;
        rope.axialStiffness = 3e7;
        rope.damping = 1.8e-3;
        rope.bendingStiffness = 1e-3;
        rvCableId id = add_cable_of(world, rope, places, count);
        run_world(world, h, 3.0);
        double before = kept(world), moving = rvWorld_GetEnergy(world).kinetic;
        CHECK_OK(world, rvCable_SetWinchBrake(world, id, 0, true));
        for (int i = 0; i < lround(0.2 / h); ++i) {
            CHECK_OK(world, rvWorld_Step(world, h));
            CHECK_BELOW(kept(world) - before, 0.01 * moving); // as of random hoists: some thousandths the guard lets be
        }
        rvDestroyWorld(world);
    }
}

// A load on a vertical rope of 60 m is hauled in by 2 m/s, over merges of its elements, and let out again: the force of
// the winch is that at the top of the rope, (M + rho L) g, from the settled start on. (It was that of the middle of the
// first element, 11 N less, and at the start that of the middle of the rope, 440 N less.)
static void ForceOfAWinchIsThatAtItsEndOfTheRope(void** state)
{
    (void)state;
    const double mass = 200.0, rho = 1.5, g = GRAVITY, h = 0.005;
    rvSettleReport report;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, mass, 0.3, rvVec(0, 0, -60));
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0), rvAttachPlace(load, rvVec(0, 0, 0))};
    places[0].winch.acceleration = 1.0;
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
    def.axialStiffness = 1e7;
    def.massPerLength = rho;
    def.damping = 0.02;
    def.diameter = 0.02;
    def.bendingStiffness = 1.0;
    def.elements = 40;
    rvCableId rope = add_cable_of(world, def, places, 2);
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    CHECK_NEAR(rvCable_GetWinchForce(world, rope, 0), (mass + rho * rvCable_GetRestLength(world, rope)) * g, 0.1);
    for (int out = 0; out < 2; ++out) {
        CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, out ? 2.0 : -2.0));
        run_world(world, h, 6.0); // 4 s of ramp at most, and what rings dies out
        for (int i = 0; i < lround(10.0 / h); ++i) {
            CHECK_OK(world, rvWorld_Step(world, h));
            // 1 N of 2.5 kN: what a merge shakes
            CHECK_NEAR(rvCable_GetWinchForce(world, rope, 0), (mass + rho * rvCable_GetRestLength(world, rope)) * g,
                       1.0);
        }
    }
    rvDestroyWorld(world);
}

// 500 kg on 100 m of heavy rope, 5 kg/m, hauled in by a winch that is told another speed in each step and knows no
// acceleration: a ramp up to 4 m/s, on, and a ramp to rest. It pulls with (M + rho L) (g + a), and gets back what the
// motion has. (With a jump in each step the ramp lost motion of the rope, and the pull of its inertia with it.)
static void WinchLedByARampOfSpeedsMovesTheMassOfItsRope(void** state)
{
    (void)state;
    const double mass = 500.0, rho = 5.0, a = 2.0, steps[] = {0.001, 0.01};
    for (int k = 0; k < 4; ++k) { // without a drum, and with one that has inertia
        double h = steps[k % 2], sums[2] = {0.0, 0.0}, kinetic = 0.0;
        int counts[2] = {0, 0};
        rvSettleReport report;
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, mass, 0.3, rvVec(0, 0, -100));
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0), rvAttachPlace(load, rvVec(0, 0, 0))};
        places[0].wheel.radius = k < 2 ? 0.0 : 0.4;
        places[0].wheel.inertia = k < 2 ? 0.0 : 50.0;
        places[0].wheel.axis = rvVec(0, 1, 0);
        rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
        def.axialStiffness = 1.2e8;
        def.massPerLength = rho;
        def.damping = 0.01;
        def.diameter = 0.04;
        def.elements = 20;
        rvCableId rope = add_cable_of(world, def, places, 2);
        CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
        for (int i = 1; i <= lround(5.0 / h) + 1; ++i) {
            double t = (i - 0.5) * h, speed = a * fmin(2.0, fmin(t, fmax(0.0, 5.0 - t))); // the mean of the step
            CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, -speed));
            CHECK_OK(world, rvWorld_Step(world, h));
            kinetic = fmax(kinetic, rvWorld_GetEnergy(world).kinetic);
            int part = t < 2.0 ? 0 : 1;
            if ((t > 0.5 && t < 2.0) || (t > 3.5 && t < 5.0)) { // what rings as the ramp begins has died out
                double all = mass + rho * rvCable_GetRestLength(world, rope);
                sums[part] += rvCable_GetWinchForce(world, rope, 0) / (all * (GRAVITY + (part ? -a : a))) - 1.0;
                counts[part]++;
            }
        }
        run_world(world, h, 0.2); // what is booked a step late, and what rings
        // rope that is wound up has lost its speed: rho v^2/2, 40 N of 5 kN
        for (int part = 0; part < 2; ++part)
            CHECK_NEAR(sums[part] / counts[part], 0.0, 2e-3);
        CHECK_NEAR(rvWorld_GetEnergy(world).heat, 0.0, 2e-3 * kinetic); // what rings
        rvDestroyWorld(world);
    }
}

// Only rope, drawn straight along x between two winches.
static rvCableId draw_between_winches(rvWorld* world, double rho, double length, double maxForce)
{
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0),
                           rvWinchPlace(RV_NULL_BODY, rvVec(length, 0, 0), 0.0)};
    for (int k = 0; k < 2; ++k)
        places[k].winch.maxForce = maxForce;
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
    def.axialStiffness = 1.2e7;
    def.massPerLength = rho;
    def.damping = 0.01;
    def.diameter = 0.016;
    def.elements = 20;
    def.length = length - 0.01;
    return add_cable_of(world, def, places, 2);
}

// A step in which the first winch pays out what the other one hauls in.
static void step_along(rvWorld* world, rvCableId rope, double speed, double h)
{
    for (int k = 0; k < 2; ++k)
        CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, k, k ? -speed : speed));
    CHECK_OK(world, rvWorld_Step(world, h));
}

// Only rope, 20 m drawn straight from a winch that pays out to one that hauls in: it takes rho L a to make it faster,
// the other way to make it slower, and all its motion comes back.
static void TwoWinchesMoveTheRopeBetweenThem(void** state)
{
    (void)state;
    const double rho = 1.0, length = 20.0, a = 6.0, h = 0.005;
    rvWorld* world = make_weightless_world();
    rvCableId rope = draw_between_winches(world, rho, length, HUGE_VAL);
    run_world(world, h, 0.1);
    for (int i = 1; i <= lround(2.0 / h) + 1; ++i) { // 3 m/s in half a second, a second on, and back to rest
        double t = (i - 0.5) * h, speed = a * fmin(0.5, fmin(t, fmax(0.0, 2.0 - t))); // the mean of the step
        step_along(world, rope, speed, h);
        double all = rvCable_GetWinchForce(world, rope, 1) - rvCable_GetWinchForce(world, rope, 0);
        if ((t > 0.2 && t < 0.5) || (t > 0.7 && t < 1.5) || (t > 1.7 && t < 2.0)) // a wave goes to and fro in 11 ms
            CHECK_NEAR(all, rho * length * (t < 0.5 ? a : t < 1.5 ? 0.0 : -a), 0.01 * rho * length * a);
    }
    run_world(world, h, 0.2); // what is booked a step late, and what rings
    double most = 0.5 * rho * length * 9.0;
    CHECK_NEAR(rvWorld_GetEnergy(world).work, 0.0, 0.01 * most); // what rings as ramps begin and end
    rvDestroyWorld(world);
}

// The same rope runs at 3 m/s and both winches stop at once: the one that paid out holds it back, the other gets less
// to pull, and neither does any more work: all of its motion is lost. (The second stopped what the first had stopped
// already: it pulled with 23 kN, and did as much work again.)
static void TwoWinchesThatStopAtOnceGiveTheirRopeNothing(void** state)
{
    (void)state;
    const double rho = 1.0, length = 20.0, steps[] = {0.001, 0.005, 0.01};
    for (int n = 0; n < 6; ++n) {
        double h = steps[n % 3], moving = 0.5 * rho * length * 9.0;
        rvWorld* world = make_weightless_world();
        rvCableId rope = draw_between_winches(world, rho, length, n < 3 ? HUGE_VAL : 1e5); // neither slips
        run_world(world, h, 0.1);
        for (int i = 1; i <= lround(1.5 / h); ++i) {
            double speed = 3.0 * fmin(1.0, (i - 0.5) * h);
            step_along(world, rope, speed, h);
        }
        double pull = rvCable_GetWinchForce(world, rope, 0), work = rvWorld_GetEnergy(world).work;
        CHECK_NEAR(work, moving, 0.01 * moving); // what rings as the ramp begins and ends
        for (int k = 0; k < 2; ++k)
            CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, k, 0.0));
        for (int i = 0; i < 10; ++i) {
            CHECK_OK(world, rvWorld_Step(world, h));
            if (i == 0) {
                CHECK_BELOW(pull, rvCable_GetWinchForce(world, rope, 0));
                CHECK_BELOW(rvCable_GetWinchForce(world, rope, 1), pull);
            }
            CHECK_BELOW(rvWorld_GetEnergy(world).work, work + 0.01 * moving);
        }
        run_world(world, h, 0.5);
        CHECK_NEAR(rvWorld_GetEnergy(world).heat, moving, 0.1 * moving); // a step of the pull back, while it stops
        rvDestroyWorld(world);
    }
}

// 3 t at rest on 30 m of rope, and a drive that would haul in at metres a second but keeps its tension a little above
// the weight, or slips a little above it: it pulls with that, and the load gets faster by what is more than the weight.
// (The rope was made to jump to the speed of the drive, and pulled with 42 to 56 kN.)
static void WinchAtItsLimitDoesNotJump(void** state)
{
    (void)state;
    const double mass = 3000.0, rho = 2.2, length = 30.0, steps[] = {0.0005, 0.001, 0.005}, damping[] = {0.01, 0.0};
    for (int n = 0; n < 12; ++n) {
        double h = steps[n % 3], limit = n < 6 ? 30.2e3 : 33e3, all = mass + rho * length;
        rvSettleReport report;
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, mass, 0.3, rvVec(0, 0, -length));
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvWinchDef* winch = &places[0].winch;
        if (n < 6) {
            winch->control = RV_WINCH_TENSION;
            winch->target = limit;
            winch->maxSpeed = 3.0;
        } else
            winch->maxForce = limit;
        rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
        def.axialStiffness = 2.7e7;
        def.massPerLength = rho;
        def.damping = damping[n / 3 % 2];
        def.diameter = 0.024;
        def.elements = 20;
        rvCableId rope = add_cable_of(world, def, places, 2);
        CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
        if (n >= 6)
            CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, -2.0));
        for (int i = 0; i < lround(0.5 / h); ++i) {
            CHECK_OK(world, rvWorld_Step(world, h));
            CHECK_BELOW(rvCable_GetWinchForce(world, rope, 0), 1.01 * limit); // what is not damped quivers
            // a wave of what is more than the weight is thrown back by the load with as much again
            CHECK_BELOW(rvCable_GetTension(world, rope, 0), 1.001 * (2.0 * limit - all * GRAVITY));
        }
        // after half a second, a wave and a step late
        double fast = 0.5 * (limit / all - GRAVITY), late = length * sqrt(rho / def.axialStiffness) + h;
        CHECK_NEAR(rvBody_GetVelocity(world, load).z, fast, 2.0 * late / 0.5 * fast);
        rvDestroyWorld(world);
    }
}

// The same winch keeps 30 kN on a ship that heaves by ramps, up at 1 m/s, down at 4/3 m/s and up again: what turns
// about at once makes the drum run, and not the rope longer.
static void WinchThatKeepsItsTensionDoesSoOnAShip(void** state)
{
    (void)state;
    const double tension = 30e3, rho = 2.2, steps[] = {0.001, 0.005, 1.0 / 60.0};
    for (int n = 0; n < 6; ++n) {
        double h = steps[n % 3];
        rvSettleReport report;
        rvWorld* world = make_world();
        rvBodyId ship = add_mass(world, RV_BODY_KINEMATIC, 0, 0.0, rvVec(0, 0, 0)),
                 load = add_ball(world, tension / GRAVITY - 30.0 * rho, 0.3, rvVec(0, 0, -30));
        rvPlaceDef places[] = {rvWinchPlace(ship, rvVec(0, 0, 0), 0.0), rvAttachPlace(load, rvVec(0, 0, 0))};
        places[0].wheel.radius = n < 3 ? 0.0 : 0.3;
        places[0].wheel.axis = rvVec(0, 1, 0);
        places[0].winch.control = RV_WINCH_TENSION;
        places[0].winch.target = tension;
        places[0].winch.maxSpeed = 3.0;
        rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
        def.axialStiffness = 2.7e7;
        def.massPerLength = rho;
        def.damping = 0.01;
        def.diameter = 0.024;
        def.elements = 20;
        rvCableId rope = add_cable_of(world, def, places, 2);
        CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
        run_world(world, h, 0.1);
        for (int i = 1; i <= lround(3.0 / h); ++i) {
            double t = i * h, z = t < 1.0 ? t : t < 2.0 ? 1.0 - 4.0 / 3.0 * (t - 1.0) : t - 7.0 / 3.0;
            rvPose pose = rvPoseIdentity();
            pose.p = rvVec(0, 0, z);
            CHECK_OK(world, rvBody_MoveTo(world, ship, pose));
            CHECK_OK(world, rvWorld_Step(world, h));
            // the mean along the rope: half of its weight is 1.1 %
            CHECK_NEAR(rvCable_GetTension(world, rope, 0), tension, 0.02 * tension);
            CHECK_NEAR(rvCable_GetWinchForce(world, rope, 0), tension, 1e-3 * tension);
        }
        rvDestroyWorld(world);
    }
}

// What a winch keeps, or slips at, is a tension: on a soft rope too, stretched by a fifth, with T = N sqrt(1 + 2 N/EA).
static void LimitOfAWinchIsOneOfTheTension(void** state)
{
    (void)state;
    const double limit = 40e3;
    for (int k = 0; k < 2; ++k) {
        rvWorld* world = make_weightless_world();
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), -1.0),
                               rvAttachPlace(RV_NULL_BODY, rvVec(20, 0, 0))};
        rvWinchDef* winch = &places[0].winch;
        if (k == 0) {
            winch->control = RV_WINCH_TENSION;
            winch->target = limit;
            winch->maxSpeed = 1.0;
        } else
            winch->maxForce = limit;
        rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
        def.axialStiffness = 200e3;
        def.massPerLength = 1.0;
        def.bendingStiffness = 1.0;
        def.damping = 0.02;
        def.diameter = 0.04;
        def.elements = 10;
        rvCableId rope = add_cable_of(world, def, places, 2);
        run_world(world, 0.01, 6.0);
        CHECK_NEAR(rvCable_GetTension(world, rope, 0), limit, 1e-6 * limit); // what still rings
        CHECK_NEAR(rvCable_GetWinchForce(world, rope, 0), limit, 1e-6 * limit);
        if (k == 1) { // let go to much less: it takes from the rope that it lets run, and pushes none of it out
            double work = rvWorld_GetEnergy(world).work;
            winch->maxForce = 500.0;
            CHECK_OK(world, rvCable_SetWinch(world, rope, 0, winch));
            CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, 0.0));
            for (int i = 0; i < 10; ++i) {
                CHECK_OK(world, rvWorld_Step(world, 0.001));
                CHECK_BELOW(rvWorld_GetEnergy(world).work, work);
                work = rvWorld_GetEnergy(world).work;
            }
        }
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FreeDrumGivesItsRopeNoEnergy),
        cmocka_unit_test(StretchedRopeBringsTheSpeedThatItHas),
        cmocka_unit_test(HeavyRopeDrawsItselfOffAFreeDrum),
        cmocka_unit_test(EndOfRopeOnADrumHoldsMoreThanItsDrive),
        cmocka_unit_test(DrumsGiveNoMoreRopeThanTheyHave),
        cmocka_unit_test(BrakeStopsRopeAtOnce),
        cmocka_unit_test(ForceOfAWinchIsThatAtItsEndOfTheRope),
        cmocka_unit_test(WinchLedByARampOfSpeedsMovesTheMassOfItsRope),
        cmocka_unit_test(TwoWinchesMoveTheRopeBetweenThem),
        cmocka_unit_test(TwoWinchesThatStopAtOnceGiveTheirRopeNothing),
        cmocka_unit_test(WinchAtItsLimitDoesNotJump),
        cmocka_unit_test(WinchThatKeepsItsTensionDoesSoOnAShip),
        cmocka_unit_test(LimitOfAWinchIsOneOfTheTension),
    };
    return RUN_TESTS(tests);
}
