// SPDX-License-Identifier: MIT
// Drums with inertia: motor, brake, bearing and the layer from which the rope leaves them.
#include "world/machines.h"

#define PI 3.14159265358979323846

typedef struct {
    rvWorld* world;
    rvBodyId load;
    rvCableId cable;
} Hoist;

enum { MASS = 100 };
static const double RADIUS = 0.25, INERTIA = 5.0; // I/r^2 = 80 kg

// A load under a drum, hung up at rest; the drum's tangent point above its middle. `end`: the winch is the last place.
static Hoist new_hoist(rvWinchDef winch, double bearing, bool end)
{
    Hoist hoist = {.world = make_world()};
    hoist.load = add_ball(hoist.world, MASS, 0.3, rvVec(0, 0, -10));
    rvPlaceDef drum = rvWinchPlace(RV_NULL_BODY, rvVec(-RADIUS, 0, 0), 0.0);
    drum.winch = winch;
    drum.wheel.radius = RADIUS;
    drum.wheel.inertia = INERTIA;
    drum.wheel.bearing = bearing;
    drum.wheel.side = end ? -1 : 1;
    rvPlaceDef hook = rvAttachPlace(hoist.load, rvVec(0, 0, 0));
    rvPlaceDef places[] = {end ? hook : drum, end ? drum : hook};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.places = places;
    def.placeCount = 2;
    def.axialStiffness = 1e7;
    def.damping = 0.01;
    def.length = 10.0 / (1.0 + MASS * GRAVITY / def.axialStiffness);
    CHECK_OK(hoist.world, rvCreateCable(hoist.world, &def, &hoist.cable));
    return hoist;
}

// a = m g/(m + I/r^2)
static void LoadTurnsADrumWithoutMotor(void** state)
{
    (void)state;
    for (int end = 0; end < 2; ++end) {
        rvWinchDef winch = rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0).winch;
        winch.maxForce = 1e-9;
        Hoist h = new_hoist(winch, 0.0, end);
        run_world(h.world, 1.0 / 240, 1.0);
        double a = MASS * GRAVITY / (MASS + INERTIA / (RADIUS * RADIUS));
        CHECK_NEAR(-rvBody_GetVelocity(h.world, h.load).z, a, 2e-3 * a); // the stretch that the rope gives back: 1e-4 m
        CHECK_NEAR(rvCable_GetDrumSpeed(h.world, h.cable, end), a / RADIUS, 2e-3 * a / RADIUS);
        CHECK_NEAR(rvCable_GetRestLength(h.world, h.cable), 10.0 + 0.5 * a, 1.2e-2); // half a step: a h/2 times 1 s
        CHECK_NEAR(rvCable_GetTension(h.world, h.cable, 0), MASS * (GRAVITY - a), 1.0);
        rvDestroyWorld(h.world);
    }
}

// T = m (g - a), bearing k T r against it: a = m g (1 - k)/(m (1 - k) + I/r^2)
static void BearingSlowsADrum(void** state)
{
    (void)state;
    rvWinchDef winch = rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0).winch;
    winch.maxForce = 1e-9;
    double k = 0.1;
    Hoist h = new_hoist(winch, k, false);
    double start = energy_books(h.world);
    run_world(h.world, 1.0 / 240, 1.0);
    double a = MASS * GRAVITY * (1 - k) / (MASS * (1 - k) + INERTIA / (RADIUS * RADIUS));
    CHECK_NEAR(-rvBody_GetVelocity(h.world, h.load).z, a, 2e-3 * a);
    CHECK_NEAR(energy_books(h.world), start, 5e-3 * 0.5 * a * MASS * GRAVITY); // a step's share of the fall
    rvDestroyWorld(h.world);
}

// Hoisting: (F - m g)/(m + I/r^2) up to the speed, and no faster.
static void MotorTurnsDrumAndLoadAsFarAsItsTorqueGoes(void** state)
{
    (void)state;
    rvWinchDef winch = rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0).winch;
    winch.speed = -1.0;
    winch.maxForce = 1.5 * MASS * GRAVITY;
    Hoist h = new_hoist(winch, 0.0, false);
    double start = energy_books(h.world), a = 0.5 * MASS * GRAVITY / (MASS + INERTIA / (RADIUS * RADIUS));
    run_world(h.world, 1.0 / 240, 0.3);
    CHECK_NEAR(rvBody_GetVelocity(h.world, h.load).z, 0.3 * a, 2e-2 * a); // a bounce of the rope
    CHECK_NEAR(rvCable_GetTension(h.world, h.cable, 0), MASS * (GRAVITY + a), 0.05 * MASS * GRAVITY);
    run_world(h.world, 1.0 / 240, 1.7);
    CHECK_NEAR(rvBody_GetVelocity(h.world, h.load).z, 1.0, 1e-3);
    CHECK_NEAR(rvCable_GetTension(h.world, h.cable, 0), MASS * GRAVITY, 1.0);
    CHECK_NEAR(energy_books(h.world), start, 5e-3 * 2.0 * MASS * GRAVITY); // of a lift of nearly 2 m
    rvDestroyWorld(h.world);
}

// The brake stops a load that was let down at 2 m/s: F = 2 m g; v (m + I/r^2)/(F - m g) of time. What it loses is heat.
static void BrakeStopsDrumAndLoad(void** state)
{
    (void)state;
    rvWinchDef winch = rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0).winch;
    winch.speed = 2.0;
    winch.brakeForce = 2.0 * MASS * GRAVITY;
    Hoist h = new_hoist(winch, 0.0, false);
    run_world(h.world, 1.0 / 240, 3.0);
    CHECK_NEAR(rvBody_GetVelocity(h.world, h.load).z, -2.0, 1e-3);
    double before = rvBody_GetCenter(h.world, h.load).z, start = energy_books(h.world);
    CHECK_OK(h.world, rvCable_SetWinchBrake(h.world, h.cable, 0, true));
    double time = 2.0 * (MASS + INERTIA / (RADIUS * RADIUS)) / (MASS * GRAVITY);
    run_world(h.world, 1.0 / 240, 0.5 * time);
    CHECK_NEAR(rvBody_GetVelocity(h.world, h.load).z, -1.0, 0.05); // a step and a bounce
    run_world(h.world, 1.0 / 240, 3.0);
    CHECK_NEAR(rvBody_GetVelocity(h.world, h.load).z, 0.0, 1e-6);                     // damped away
    CHECK_NEAR(before - rvBody_GetCenter(h.world, h.load).z, 0.5 * 2.0 * time, 0.02); // a step's way
    CHECK_NEAR(energy_books(h.world), start, 1e-2 * time * MASS * GRAVITY);
    rvDestroyWorld(h.world);
}

// Winding on: n turns a layer, each layer a diameter further out; the rope leaves from there, without a jump.
static void RopeLeavesFromTheLayerInUse(void** state)
{
    (void)state;
    for (int heavy = 0; heavy < 2; ++heavy) {
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, MASS, 0.3, rvVec(0, 0, -20));
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-RADIUS, 0, 0), 0.0),
                               rvAttachPlace(load, rvVec(0, 0, 0))};
        places[0].wheel.radius = RADIUS;
        places[0].wheel.side = 1;
        places[0].wheel.inertia = heavy ? INERTIA : 0.0;
        places[0].winch.speed = -1.0;
        places[0].winch.stored = 0.0;
        places[0].winch.width = 0.1;
        rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
        def.places = places;
        def.placeCount = 2;
        def.diameter = 0.02;
        def.axialStiffness = 1e7;
        def.damping = 0.02;
        def.length = 20.0 / (1.0 + MASS * GRAVITY / def.axialStiffness);
        rvCableId cable;
        CHECK_OK(world, rvCreateCable(world, &def, &cable));
        run_world(world, 1.0 / 240, 2.0); // under way
        double last = rvCable_GetLength(world, cable), tension = MASS * GRAVITY;
        int layers = 0;
        for (int i = 0; i < 240 * 14; ++i) {
            rvVec3 before, after, in;
            rvCable_GetTangents(world, cable, 0, &in, &before);
            CHECK_OK(world, rvWorld_Step(world, 1.0 / 240));
            double length = rvCable_GetLength(world, cable);
            CHECK_BELOW(fabs(length - last + 1.0 / 240),
                        1e-3); // a layer changes the length by d^2/2l and the swing's part
            last = length;
            rvCable_GetTangents(world, cable, 0, &in, &after);
            layers += after.x - before.x > 0.5 * def.diameter;
            // the rope jumps a diameter sideways: the load is pulled by that angle only
            CHECK_NEAR(rvCable_GetTension(world, cable, 0), tension, 0.1 * tension);
        }
        // S_j = 2 pi n (j r + d j (j-1)/2), n = 5: 7.85, 16.3 m
        assert_int_equal(layers, 1);
        rvVec3 in, out;
        rvCable_GetTangents(world, cable, 0, &in, &out);
        CHECK_NEAR(out.x + RADIUS, RADIUS + 0.02, 1e-3); // the fall hangs nearly plumb
        rvDestroyWorld(world);
    }
}

// A traction sheave with a bearing: the motor carries the bearing's torque beside the difference of the falls.
static void MotorOfASheaveCarriesItsBearing(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId car = add_ball(world, 600.0, 0.3, rvVec(-0.3, 0, -10)),
             weight = add_ball(world, 500.0, 0.3, rvVec(0.3, 0, -20));
    rvPlaceDef places[] = {rvAttachPlace(car, rvVec(0, 0, 0)),
                           rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.3),
                           rvAttachPlace(weight, rvVec(0, 0, 0))};
    places[1].wheel.inertia = 2.0;
    places[1].wheel.bearing = 0.05;
    places[1].wheel.driveSpeed = 1.0 / 0.3;
    places[1].wheel.driveTorque = 1000.0;
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.places = places;
    def.placeCount = 3;
    def.axialStiffness = 1e7;
    def.damping = 0.02;
    rvCableId cable;
    CHECK_OK(world, rvCreateCable(world, &def, &cable));
    run_world(world, 1.0 / 240, 4.0);
    double speed = rvCable_GetWheelSpeed(world, cable, 1);
    CHECK_NEAR(fabs(speed), 1.0 / 0.3, 1e-3);
    double up = rvBody_GetVelocity(world, car).z;                  // which way depends on the side: power tells all
    double power = 100.0 * GRAVITY * up + 0.05 * 1100.0 * GRAVITY; // of the weights and of the bearing at 1 m/s
    CHECK_NEAR(rvCable_GetWheelPower(world, cable, 1), power, 2e-3 * fabs(power) + 1.0);
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LoadTurnsADrumWithoutMotor),
        cmocka_unit_test(BearingSlowsADrum),
        cmocka_unit_test(MotorTurnsDrumAndLoadAsFarAsItsTorqueGoes),
        cmocka_unit_test(BrakeStopsDrumAndLoad),
        cmocka_unit_test(RopeLeavesFromTheLayerInUse),
        cmocka_unit_test(MotorOfASheaveCarriesItsBearing),
    };
    return RUN_TESTS(tests);
}
