// SPDX-License-Identifier: MIT
// Rope that flows off a winch that yields.
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FreeDrumGivesItsRopeNoEnergy),
        cmocka_unit_test(HeavyRopeDrawsItselfOffAFreeDrum),
    };
    return RUN_TESTS(tests);
}
