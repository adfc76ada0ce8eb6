// SPDX-License-Identifier: MIT
// Rope that flows off drums with inertia: loads and motors turn them, brakes stop them, as of massless ropes; layers.
#include "world/machines.h"

enum { MASS = 100 };
static const double R = 0.25, INERTIA = 5.0, RIM = 80.0; // I/R^2
static const double DEPTH = 10.0, LIGHT = 0.1;
static const double STEPS[] = {1e-3, 4e-3, 1e-2, 1.0 / 60.0, 1.0 / 30.0};
enum { STEP_COUNT = 5 };

typedef struct {
    rvWorld* world;
    rvBodyId load;
    rvCableId rope;
    int drum; // its place
} Hoist;

static rvWinchDef winch_of(double speed, double maxForce)
{
    rvWinchDef winch = rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), speed).winch;
    winch.maxForce = maxForce;
    return winch;
}

static rvPlaceDef drum_of(rvBodyId carrier, rvWinchDef winch, double inertia)
{
    rvPlaceDef drum = rvWinchPlace(carrier, rvVec(0, 0, 0), 0.0);
    drum.winch = winch;
    drum.wheel.radius = R;
    drum.wheel.inertia = inertia;
    drum.wheel.side = 1;
    return drum;
}

static rvCableDef rope_of(rvCableModel model, double rho, double depth)
{
    rvCableDef def = rvDefaultCableDef(model);
    def.axialStiffness = 1e7;
    def.damping = 0.01;
    def.massPerLength = model == RV_CABLE_MASSLESS ? 0.0 : rho;
    def.diameter = 0.02;
    def.elements = 10;
    def.bendingStiffness = model == RV_CABLE_ALE ? 0.1 : 0.0; // limp
    def.length = depth / (1.0 + MASS * GRAVITY / def.axialStiffness);
    return def;
}

// A load under a drum at the origin, which hangs at rest. `last`: the winch is the last place.
static Hoist make_hoist(rvCableModel model, rvPlaceDef drum, double rho, bool last)
{
    Hoist hoist = {.world = make_world(), .drum = last};
    hoist.load = add_ball(hoist.world, MASS, 0.3, rvVec(R, 0, -DEPTH));
    drum.wheel.side = last ? -1 : 1;
    rvPlaceDef hook = rvAttachPlace(hoist.load, rvVec(0, 0, 0)), places[] = {last ? hook : drum, last ? drum : hook};
    hoist.rope = add_cable_of(hoist.world, rope_of(model, rho, DEPTH), places, 2);
    return hoist;
}

// The books close in each step.
static void run_books(const Hoist* hoist, double h, double seconds)
{
    double start = energy_books(hoist->world);
    for (int i = 0; i < lround(seconds / h); ++i) {
        CHECK_OK(hoist->world, rvWorld_Step(hoist->world, h));
        CHECK_NEAR(energy_books(hoist->world), start, 1e-6); // rounding
    }
}

// With no motor:  (M + rho L + I/r^2) dv/dt = (M + rho L) g,  dL/dt = v: the rope that comes has the rim's speed
// already, so rho v^2 is not the drum's to pay; its speed comes with it, as its height does: rho v^3/2 a second of
// work. The drum's energy is in the books.
static void LoadTurnsADrumWithoutMotor(void** state)
{
    (void)state;
    for (int i = 0; i < 4 * STEP_COUNT; ++i) {
        double h = STEPS[i / 4], rho = i % 2 ? 2.0 : LIGHT, v = 0.0, length = DEPTH, brought = 0.0, a = 0.0, dt = 1e-4;
        Hoist hoist = make_hoist(RV_CABLE_ALE, drum_of(RV_NULL_BODY, winch_of(0.0, 1e-9), INERTIA), rho, i % 4 >= 2);
        run_books(&hoist, h, 1.0);
        for (int k = 0; k < 10000; ++k) {
            a = (MASS + rho * length) * GRAVITY / (MASS + rho * length + RIM);
            brought += dt * 0.5 * rho * v * v * v;
            v += dt * a;
            length += dt * v;
        }
        rvCableEnergy energy = rvCable_GetEnergy(hoist.world, hoist.rope);
        // past forces: a body feels what changes a step later; waves of the rope while it starts
        double late = 1.3 * h * a + 1e-3 * v, drum = rvCable_GetDrumSpeed(hoist.world, hoist.rope, hoist.drum);
        CHECK_NEAR(-rvBody_GetVelocity(hoist.world, hoist.load).z, v, late);
        CHECK_NEAR(R * drum, v, late);
        CHECK_NEAR(rvCable_GetRestLength(hoist.world, hoist.rope), length, late);
        CHECK_NEAR(rvCable_GetWinchForce(hoist.world, hoist.rope, hoist.drum), RIM * a,
                   5e-3 * RIM * a); // those waves
        CHECK_NEAR(rvCable_GetWinchPower(hoist.world, hoist.rope, hoist.drum), 0.0, 1e-6);
        CHECK_NEAR(rvCable_GetWinchWork(hoist.world, hoist.rope, hoist.drum), brought, 4.0 * late / v * brought);
        // that of the drum and of the rope, half a step back
        CHECK_NEAR(energy.kinetic, 0.5 * (RIM + rho * length) * v * v, 4.0 * late / v * 0.5 * RIM * v * v);
        rvDestroyWorld(hoist.world);
    }
}

// T = m (g - a), and k T r of bearing against it: a = m g (1 - k)/(m (1 - k) + I/r^2), m with the rope
static void BearingSlowsADrum(void** state)
{
    (void)state;
    for (int i = 0; i < STEP_COUNT; ++i) {
        double k = 0.1, h = STEPS[i], m = MASS + LIGHT * (DEPTH + 1.3); // of the rope the mean of that second
        rvPlaceDef drum = drum_of(RV_NULL_BODY, winch_of(0.0, 1e-9), INERTIA);
        drum.wheel.bearing = k;
        Hoist hoist = make_hoist(RV_CABLE_ALE, drum, LIGHT, i % 2);
        run_books(&hoist, h, 1.0);
        double a = m * GRAVITY * (1.0 - k) / (m * (1.0 - k) + RIM), late = 1.3 * h * a + 2e-3 * a;
        CHECK_NEAR(-rvBody_GetVelocity(hoist.world, hoist.load).z, a, late);
        CHECK_NEAR(rvWorld_GetEnergy(hoist.world).jointHeat, 0.0, 1e-12);
        double torque = k * R * RIM * a / (1.0 - k); // of the tension
        CHECK_NEAR(rvCable_GetWheelTorque(hoist.world, hoist.rope, hoist.drum), -torque, 5e-3 * torque);
        rvDestroyWorld(hoist.world);
    }
}

// Hoisting: (F - m g)/(m + I/r^2) up to the speed, and no faster; F v of power then, with the weight of the rope.
static void MotorTurnsDrumAndLoadAsFarAsItsForceGoes(void** state)
{
    (void)state;
    for (int i = 0; i < STEP_COUNT; ++i) {
        double h = STEPS[i], force = 1.5 * MASS * GRAVITY, m = MASS + LIGHT * DEPTH;
        Hoist hoist = make_hoist(RV_CABLE_ALE, drum_of(RV_NULL_BODY, winch_of(-1.0, force), INERTIA), LIGHT, i % 2);
        double a = (force - m * GRAVITY) / (m + RIM);
        run_books(&hoist, h, 0.3);
        CHECK_NEAR(rvBody_GetVelocity(hoist.world, hoist.load).z, 0.3 * a, 1.3 * h * a + 2e-2 * a); // and a bounce
        CHECK_NEAR(rvCable_GetWinchPower(hoist.world, hoist.rope, hoist.drum),
                   -force * R * rvCable_GetDrumSpeed(hoist.world, hoist.rope, hoist.drum), 1e-6 * force);
        run_books(&hoist, h, 1.7);
        CHECK_NEAR(rvBody_GetVelocity(hoist.world, hoist.load).z, 1.0, 1e-3);
        double length = rvCable_GetRestLength(hoist.world, hoist.rope), pull = (MASS + LIGHT * length) * GRAVITY;
        CHECK_NEAR(rvCable_GetWinchPower(hoist.world, hoist.rope, hoist.drum), pull, 1e-3 * pull); // the bounce
        rvDestroyWorld(hoist.world);
    }
}

// The brake stops a load that was let down at 2 m/s: v (m + I/r^2)/(F - m g) of time, half of that times v of way. What
// it loses is heat of the brake, F times the way.
static void BrakeStopsDrumAndLoad(void** state)
{
    (void)state;
    for (int i = 0; i < STEP_COUNT; ++i) {
        double h = STEPS[i], v = 2.0, force = 2.0 * MASS * GRAVITY;
        rvWinchDef winch = winch_of(v, HUGE_VAL);
        winch.acceleration = 4.0; // limp rope would get slack by a start at once
        winch.brakeForce = force;
        Hoist hoist = make_hoist(RV_CABLE_ALE, drum_of(RV_NULL_BODY, winch, INERTIA), LIGHT, i % 2);
        run_books(&hoist, h, 3.0);
        CHECK_NEAR(rvBody_GetVelocity(hoist.world, hoist.load).z, -v, 1e-3);
        double before = rvBody_GetCenter(hoist.world, hoist.load).z;
        double m = MASS + LIGHT * rvCable_GetRestLength(hoist.world, hoist.rope);
        CHECK_OK(hoist.world, rvCable_SetWinchBrake(hoist.world, hoist.rope, hoist.drum, true));
        run_books(&hoist, h, 3.0);
        double way = 0.5 * v * v * (m + RIM) / (force - m * GRAVITY);
        CHECK_NEAR(rvBody_GetVelocity(hoist.world, hoist.load).z, 0.0, 1e-6);                            // damped away
        CHECK_NEAR(before - rvBody_GetCenter(hoist.world, hoist.load).z, way, 1.3 * h * v + 1e-2 * way); // and a bounce
        CHECK_NEAR(rvCable_GetWinchHeat(hoist.world, hoist.rope, hoist.drum), force * way,
                   force * (1.3 * h * v + 1e-2 * way));
        rvDestroyWorld(hoist.world);
    }
}

// Brakes that stop a drum within a step, or nothing that bounds its motor: its energy is gone at once, and no body
// pays for that. A load that is let down is caught by its rope then.
static void DrumsThatStopAtOnceTakeNothingFromTheirLoad(void** state)
{
    (void)state;
    for (int i = 0; i < 2 * STEP_COUNT; ++i) {
        double h = STEPS[i / 2], v = 1.0;
        rvWinchDef winch = winch_of(-v, HUGE_VAL);
        winch.acceleration = 2.0;
        winch.brakeForce = i % 2 ? 1e6 : HUGE_VAL;
        Hoist hoist = make_hoist(RV_CABLE_ALE, drum_of(RV_NULL_BODY, winch, 4.0 * INERTIA), LIGHT, false);
        run_books(&hoist, h, 2.0);
        CHECK_OK(hoist.world, rvCable_SetWinchBrake(hoist.world, hoist.rope, hoist.drum, true));
        double start = rvBody_GetCenter(hoist.world, hoist.load).z, top = start;
        for (int k = 0; k < lround(0.5 / h); ++k) {
            run_books(&hoist, h, h);
            top = fmax(top, rvBody_GetCenter(hoist.world, hoist.load).z);
        }
        double rise = 0.5 * v * v / GRAVITY;                      // it goes on upwards, its rope slack
        CHECK_NEAR(top - start, rise, 1.5 * h * v + 0.06 * rise); // the rope that goes with it, 0.8 of 100 kg, and limp
        rvDestroyWorld(hoist.world);
    }
}

// A carrier that turns freely about the drum's axis gets what the motor does, and no more; the load goes as fast as the
// rim turns, whatever the carrier does.
static void CarriersFeelTheMotorOfTheirDrum(void** state)
{
    (void)state;
    const double force = 1.5 * MASS * GRAVITY, inertia = 40.0, t = 0.5;
    for (int i = 0; i < STEP_COUNT; ++i) {
        double h = STEPS[i], m = MASS + LIGHT * DEPTH;
        rvWorld* world = make_world();
        rvBodyDef def = rvDefaultBodyDef();
        def.mass = 1000.0;
        def.inertia = rvMat3Diagonal(inertia, inertia, inertia);
        rvBodyId carrier = add_body(world, &def), load = add_ball(world, MASS, 0.3, rvVec(R, 0, -DEPTH));
        rvJointDef hinge = rvDefaultJointDef(RV_JOINT_HINGE);
        rvJointId id;
        CHECK_OK(world, rvJointDef_Place(world, &hinge, RV_NULL_BODY, carrier, rvVec(0, 0, 0), rvVec(0, 1, 0)));
        CHECK_OK(world, rvCreateJoint(world, &hinge, &id));
        rvPlaceDef places[] = {drum_of(carrier, winch_of(-1e3, force), INERTIA), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableId rope = add_cable_of(world, rope_of(RV_CABLE_ALE, LIGHT, DEPTH), places, 2);
        double books = energy_books(world), a = (force - m * GRAVITY) / (m + RIM);
        int count = (int)lround(t / h);
        for (int k = 0; k < count; ++k) {
            CHECK_OK(world, rvWorld_Step(world, h));
            CHECK_NEAR(energy_books(world), books, 1e-4); // what turns in a step, of fourth order; of 900 J
        }
        double spin = rvBody_GetAngularVelocity(world, carrier).y, late = 1.3 * h / t + 2e-2; // and a bounce
        CHECK_NEAR(fabs(spin), force * R * count * h / inertia, late * force * R * t / inertia);
        CHECK_NEAR(rvBody_GetVelocity(world, load).z, a * count * h, late * a * t);
        double rim = rvCable_GetWheelSpeed(world, rope, 0) + spin; // of the drum, absolute
        CHECK_NEAR(fabs(R * rim), rvBody_GetVelocity(world, load).z, 1e-2 * a * t);
        CHECK_BELOW(spin * rim, 0.0);
        rvDestroyWorld(world);
    }
}

// What all three models of winches do on the same machine: a motor with an acceleration, one that yields, one that
// keeps a tension, a length; a light rope.
static void DrumsOfAllModelsAgree(void** state)
{
    (void)state;
    for (int i = 0; i < 4 * STEP_COUNT; ++i) {
        double h = STEPS[i / 4], lengths[3], speeds[3], works[3];
        for (int m = 0; m < 3; ++m) {
            rvWinchDef winch = winch_of(0.5, HUGE_VAL);
            winch.acceleration = 1.0;
            if (i % 4 == 1)
                winch.compliance = 2e-4; // 0.2 m/s of the weight
            if (i % 4 == 2) {
                winch.control = RV_WINCH_TENSION;
                winch.target = 0.9 * MASS * GRAVITY;
                winch.maxSpeed = 3.0;
            }
            if (i % 4 == 3) {
                winch.control = RV_WINCH_LENGTH;
                winch.target = DEPTH - 0.4;
                winch.maxSpeed = 0.3;
            }
            rvCableModel model = (rvCableModel[]){RV_CABLE_MASSLESS, RV_CABLE_LAYERED, RV_CABLE_ALE}[m];
            Hoist hoist = make_hoist(model, drum_of(RV_NULL_BODY, winch, INERTIA), 1e-3, false);
            run_world(hoist.world, m < 2 ? 4e-3 : h, 2.0); // the others bounce at long steps
            lengths[m] = rvCable_GetRestLength(hoist.world, hoist.rope);
            speeds[m] = rvBody_GetVelocity(hoist.world, hoist.load).z;
            works[m] = rvCable_GetWinchWork(hoist.world, hoist.rope, 0);
            rvDestroyWorld(hoist.world);
        }
        for (int m = 0; m < 2; ++m) {
            double way = fabs(lengths[m] - DEPTH), fast = fabs(speeds[m]);
            // a step of its way, and 10 g of rope
            CHECK_NEAR(lengths[2], lengths[m], 1.5 * h * fast + 3e-3 * way);
            CHECK_NEAR(speeds[2], speeds[m], 1.5 * h * fast / 2.0 + 5e-3 * fast + 1e-4); // of 2 s
            CHECK_NEAR(works[2], works[m], MASS * GRAVITY * (1.5 * h * fast + 5e-3 * way));
        }
    }
}

// Winding on: the rope leaves from the layer in use, a diameter further out, without a jump of its tension; the drum
// turns slower there, and its motor, which keeps the speed of the rope, takes that off it.
static void RopeLeavesFromTheLayerInUse(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        double h = i / 2 ? 1.0 / 30.0 : 1.0 / 240.0, tension = (MASS + LIGHT * 12.0) * GRAVITY, radius = R + 0.02;
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, MASS, 0.3, rvVec(R, 0, -20));
        rvWinchDef winch = winch_of(-1.0, HUGE_VAL);
        winch.acceleration = 1.0;
        winch.stored = 0.0;
        winch.width = 0.1;
        rvPlaceDef places[] = {drum_of(RV_NULL_BODY, winch, i % 2 ? INERTIA : 0.0),
                               rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = rope_of(RV_CABLE_ALE, LIGHT, 20.0);
        def.elements = 20;
        rvCableId rope = add_cable_of(world, def, places, 2);
        run_world(world, h, 3.0);
        int layers = 0;
        double books = energy_books(world), last = rvCable_GetLength(world, rope);
        for (int k = 0; k < lround(10.0 / h); ++k) {
            rvVec3 in, before, after;
            rvCable_GetTangents(world, rope, 0, &in, &before);
            CHECK_OK(world, rvWorld_Step(world, h));
            rvCable_GetTangents(world, rope, 0, &in, &after);
            layers += after.x - before.x > 0.5 * def.diameter;
            CHECK_NEAR(rvCable_GetTension(world, rope, 0), tension, 0.02 * tension); // its end is led there in 50 ms
            CHECK_NEAR(energy_books(world), books, 1e-6);
            double length = rvCable_GetLength(world, rope);
            CHECK_NEAR(length, last - h, 1e-4); // a layer changes it by d^2/2l
            last = length;
        }
        assert_int_equal(layers, 1); // S_j = 2 pi n (j r + d j (j - 1)/2), n = 5: 7.85, 16.3 m
        CHECK_NEAR(rvCable_GetDrumRadius(world, rope, 0), radius, 1e-12);
        CHECK_NEAR(rvCable_GetDrumSpeed(world, rope, 0), -1.0 / radius, 1e-4);
        rvDestroyWorld(world);
    }
}

// A drum that runs free comes to the end of its rope, which stops it and the load; nothing is thrown back by more.
static void EndOfRopeStopsADrum(void** state)
{
    (void)state;
    for (int i = 0; i < STEP_COUNT; ++i) {
        double h = STEPS[i];
        rvWinchDef winch = winch_of(0.0, 1e-9);
        winch.stored = 1.0;
        Hoist hoist = make_hoist(RV_CABLE_ALE, drum_of(RV_NULL_BODY, winch, INERTIA), LIGHT, i % 2);
        double lowest = 0.0, top = -HUGE_VAL, length = rvCable_GetRestLength(hoist.world, hoist.rope);
        for (int k = 0; k < lround(3.0 / h); ++k) {
            run_books(&hoist, h, h);
            double z = rvBody_GetCenter(hoist.world, hoist.load).z;
            top = z < lowest ? -HUGE_VAL : fmax(top, z);
            lowest = fmin(lowest, z);
            double out = rvCable_GetRestLength(hoist.world, hoist.rope);
            CHECK_NEAR(out + rvCable_GetWinchStored(hoist.world, hoist.rope, hoist.drum), length + 1.0, 1e-9);
        }
        CHECK_NEAR(rvCable_GetWinchStored(hoist.world, hoist.rope, hoist.drum), 0.0, 1e-9);
        CHECK_NEAR(rvBody_GetCenter(hoist.world, hoist.load).z, -DEPTH - 1.0, 5e-3);
        CHECK_NEAR(rvCable_GetDrumSpeed(hoist.world, hoist.rope, hoist.drum), 0.0, 1e-3);
        // bounced by its rope: no higher than it was let down from
        CHECK_BELOW(top, -DEPTH);
        rvDestroyWorld(hoist.world);
    }
}

// Another model takes a machine over while its drum turns: both go on as fast as they were.
static void DrumsTurnOnUnderAnotherModel(void** state)
{
    (void)state;
    for (int to = 0; to < 2; ++to) {
        double h = 4e-3;
        rvCableModel models[] = {RV_CABLE_MASSLESS, RV_CABLE_ALE};
        Hoist hoist = make_hoist(models[1 - to], drum_of(RV_NULL_BODY, winch_of(0.0, 1e-9), INERTIA), LIGHT, false);
        run_world(hoist.world, h, 0.5);
        double speed = rvCable_GetDrumSpeed(hoist.world, hoist.rope, 0);
        rvCableDef def = rope_of(models[to], LIGHT, DEPTH);
        CHECK_OK(hoist.world, rvCable_SetModel(hoist.world, hoist.rope, &def));
        CHECK_OK(hoist.world, rvWorld_Step(hoist.world, h));
        double a = MASS * GRAVITY / (MASS + RIM);
        CHECK_NEAR(rvCable_GetDrumSpeed(hoist.world, hoist.rope, 0), speed + h * a / R, 1.1 * h * a / R);
        CHECK_NEAR(-rvBody_GetVelocity(hoist.world, hoist.load).z, R * speed + h * a, 1.1 * h * a);
        run_world(hoist.world, h, 0.2);
        CHECK_NEAR(rvCable_GetDrumSpeed(hoist.world, hoist.rope, 0), speed + 0.2 * a / R, 3.0 * h * a / R);
        rvDestroyWorld(hoist.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LoadTurnsADrumWithoutMotor),
        cmocka_unit_test(BearingSlowsADrum),
        cmocka_unit_test(MotorTurnsDrumAndLoadAsFarAsItsForceGoes),
        cmocka_unit_test(BrakeStopsDrumAndLoad),
        cmocka_unit_test(DrumsThatStopAtOnceTakeNothingFromTheirLoad),
        cmocka_unit_test(CarriersFeelTheMotorOfTheirDrum),
        cmocka_unit_test(DrumsOfAllModelsAgree),
        cmocka_unit_test(RopeLeavesFromTheLayerInUse),
        cmocka_unit_test(EndOfRopeStopsADrum),
        cmocka_unit_test(DrumsTurnOnUnderAnotherModel),
    };
    return RUN_TESTS(tests);
}
