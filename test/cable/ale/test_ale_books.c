// SPDX-License-Identifier: MIT
// What drives of a rope that flows do is booked when it is in its energies: heat does not fall below zero.
#include "world/machines.h"

static rvCableDef rope_of(double EA, double rho, int elements)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
    def.axialStiffness = EA;
    def.massPerLength = rho;
    def.damping = 0.01;
    def.diameter = 0.02;
    def.bendingStiffness = 1.0;
    def.elements = elements;
    return def;
}

// Steps until the time; answers the least heat, *most: the most kinetic energy.
static double run_heat(rvWorld* world, double h, double seconds, double* most)
{
    double least = 0.0;
    for (int i = 0; i < lround(seconds / h); ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        rvEnergy e = rvWorld_GetEnergy(world);
        least = fmin(least, e.heat);
        *most = fmax(*most, e.kinetic);
    }
    return least;
}

// Rope runs at 3 m/s through the block between two winches, and is stopped within 0.1 s: its 90 J go back to them. (The
// guard took a rate that changes for energy from nothing, and stopped the rope by itself: they got 17 % more.)
static void WinchesGetBackWhatTheyGaveTheirRope(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        double h = (double[]){0.002, 0.005, 0.01, 0.033}[i], most = 0.0;
        rvSettleReport report;
        rvWorld* world = make_world();
        rvBodyId block = add_mass(world, RV_BODY_DYNAMIC, 500.0, 0.0, rvVec(0, 0, -10));
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-0.25, 0, 0), 3.0),
                               rvSheavePlace(block, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.25),
                               rvWinchPlace(RV_NULL_BODY, rvVec(0.25, 0, 0), -3.0)};
        places[0].winch.acceleration = places[2].winch.acceleration = 30.0;
        rvCableId rope = add_cable_of(world, rope_of(1.2e7, 1.0, 20), places, 3);
        CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
        double least = run_heat(world, h, 2.0, &most);
        CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, 0.0));
        CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 2, 0.0));
        least = fmin(least, run_heat(world, h, 1.0, &most));
        // what the guard lets be; a ramp of three steps is read two hundredths off meanwhile
        CHECK_BELOW(-least, (h > 0.02 ? 0.02 : 1e-3) * most + 1e-4 * 20.8 * 9.81 * 20.8);
        CHECK_NEAR(rvWorld_GetEnergy(world).heat, 0.0, 0.02 * most); // waves of 30 m/s^2, which long steps damp
        rvDestroyWorld(world);
    }
}

// A drum hauls a load up when its brake closes: half of what the motor did in the last step is not of the brake.
static void BrakesOnlyTakeEnergy(void** state)
{
    (void)state;
    for (int i = 0; i < 6; ++i) {
        double h = (double[]){0.005, 0.01, 0.033}[i % 3], most = 0.0, heat = 0.0;
        bool inertia = i / 3;
        rvSettleReport report;
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 2000.0, 0.3, rvVec(0.3, 0, -15));
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), -2.0), rvAttachPlace(load, rvVec(0, 0, 0))};
        places[0].wheel.radius = 0.3;
        places[0].wheel.side = 1;
        places[0].wheel.inertia = inertia ? 40.0 : 0.0;
        places[0].winch.acceleration = 2.0;
        places[0].winch.brakeForce = 30e3;
        rvCableId rope = add_cable_of(world, rope_of(2e7, 1.5, 10), places, 2);
        CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
        double least = run_heat(world, h, 3.0, &most);
        CHECK_OK(world, rvCable_SetWinchBrake(world, rope, 0, true));
        for (int k = 0; k < lround(1.0 / h); ++k) {
            least = fmin(least, run_heat(world, h, h, &most));
            double now = rvCable_GetWinchHeat(world, rope, 0);
            // a brake that holds is pulled to and fro by what the load bounces
            CHECK_BELOW(heat - now, 2e-3 * most);
            heat = now;
        }
        CHECK_BELOW(-least, 2e-3 * most); // what the guard lets be, of bodies and of the rope
        rvDestroyWorld(world);
    }
}

// A trolley hangs on heavy rope, a short and a long fall of it, which pull with 6 and 25 kN as they hang where they
// were drawn: more than its eyes can hold. It begins to move by its weight, and is not thrown along the rope.
static void RopeThatRubsTooLittleSlipsAsItBegins(void** state)
{
    (void)state;
    for (int i = 0; i < 3; ++i) {
        double h = (double[]){0.005, 0.01, 0.033}[i];
        rvWorld* world = make_world();
        rvBodyId trolley = add_mass(world, RV_BODY_DYNAMIC, 60.0, 5.0, rvVec(10, 0, 1.1));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvEyePlace(trolley, rvVec(-0.5, 0, 0)),
                               rvEyePlace(trolley, rvVec(0.5, 0, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(100, 0, 20))};
        places[1].friction = places[2].friction = 0.01;
        add_cable_of(world, rope_of(3.6e7, 3.5, 10), places, 4);
        CHECK_OK(world, rvWorld_Step(world, h));
        CHECK_BELOW(rvLength(rvBody_GetVelocity(world, trolley)), 9.81 * h);
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WinchesGetBackWhatTheyGaveTheirRope),
        cmocka_unit_test(BrakesOnlyTakeEnergy),
        cmocka_unit_test(RopeThatRubsTooLittleSlipsAsItBegins),
    };
    return RUN_TESTS(tests);
}
