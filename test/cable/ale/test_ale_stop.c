// SPDX-License-Identifier: MIT
// Rope that flows is stopped where a fall has hardly any left.
#include "world/machines.h"

static const double STEPS[] = {1.0 / 30.0, 0.01, 0.002};

static rvCableId add_rope(rvWorld* world, const rvPlaceDef* places, int count, double stiffness)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
    def.axialStiffness = stiffness;
    def.massPerLength = 1.0;
    def.damping = 0.01;
    return add_cable_of(world, def, places, count);
}

// The longer side draws the heavier load up to its eye and holds it there.
static void LoadIsStoppedAtItsEye(void** state)
{
    (void)state;
    for (int k = 0; k < 3; ++k) {
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 2.0, 0.08, rvVec(-0.2, 0, -2)),
                 other = add_ball(world, 1.0, 0.06, rvVec(0.2, 0, -6));
        rvPlaceDef places[] = {rvAttachPlace(load, rvVec(0, 0, 0)), rvEyePlace(RV_NULL_BODY, rvVec(-0.2, 0, 0)),
                               rvEyePlace(RV_NULL_BODY, rvVec(0.2, 0, 0)), rvAttachPlace(other, rvVec(0, 0, 0))};
        rvCableId rope = add_rope(world, places, 4, 1e5);
        double energy = total_energy(world), peak = 0.0, books = 0.0, arrived = 0.0;
        int stops = 0;
        rvEvent stop = {0};
        for (long n = 0; n < lround(4.0 / STEPS[k]); ++n) {
            CHECK_OK(world, rvWorld_Step(world, STEPS[k]));
            rvEnergy e = rvWorld_GetEnergy(world);
            double now = e.kinetic + e.potential + e.elastic + e.heat - e.work;
            books = n == 0 ? now : books;
            CHECK_NEAR(now, books,
                       0.02); // of 93 J that are stopped: merges of elements lose a little, which no book has
            stops += count_events(world, RV_EVENT_CABLE_STOP, stops == 0 ? &stop : NULL);
            if (arrived == 0.0 && rvDistance(rvBody_GetPose(world, load).p, rvVec(-0.2, 0, 0)) < 0.05)
                arrived = rvWorld_GetTime(world);
            for (int i = 0; i < 3; ++i)
                peak = fmax(peak, rvCable_GetTension(world, rope, i));
        }
        CHECK_BELOW(rvDistance(rvBody_GetPose(world, load).p, rvVec(-0.2, 0, 0)),
                    0.05); // a twentieth of an element of 0.84 m, and its stretch
        CHECK_BELOW(rvLength(rvBody_GetVelocity(world, load)),
                    1e-3); // it has come to rest there, by the rope's damping
        // the load, at the 4.5 m/s of this fall, on the spring of EA over a twentieth of an element: v sqrt(k m)
        CHECK_BELOW(peak, 4.5 * sqrt(2.0 * 1e5 / (0.05 * 0.84)));
        CHECK_BELOW(total_energy(world), energy);
        assert_true(stops >= 1 && stops <= 3); // it may rebound before it stays
        assert_int_equal(stop.place, 1);
        CHECK_NEAR(stop.time, arrived, 1.01 * STEPS[k]); // a step before or behind: the row sees the step ahead
        // rope at 4 m/s that is stopped at once pulls v sqrt(EA rho) = 1.3 kN; in a step of 33 ms that wave is through
        // and back
        CHECK_BELOW(0.3 * 4.0 * sqrt(1e5 * 1.0), stop.value);
        rvDestroyWorld(world);
    }
}

// A crane that is hoisted into its head: blocks of one to four falls are stopped below the wheels, the winch slips at
// its limit, and lowers them again. (The way on to a wheel ran around it as the block came to its rim, and took all
// rope of the fall.)
static void BlockIsStoppedBelowItsHead(void** state)
{
    (void)state;
    static const int FALLS[] = {1, 2, 3, 4};
    const double r = 0.2, mass = 1000.0;
    for (int k = 0; k < 12; ++k) {
        int falls = FALLS[k / 3], count = 0;
        double h = STEPS[k % 3], limit = 1.5 * mass * 9.81 / falls, books = 0.0;
        rvWorld* world = make_world();
        rvBodyDef def = rvDefaultBodyDef();
        def.mass = mass;
        def.inertia = rvBoxInertia(mass, rvVec(1, 0.3, 1));
        def.pose.p = rvVec(0, 0, -3);
        rvBodyId block = add_body(world, &def);
        rvPlaceDef places[6];
        places[count++] = rvWinchPlace(RV_NULL_BODY, rvVec(-8, 0, -1), -0.5 * falls);
        places[0].winch.acceleration = 2.0;
        places[0].winch.maxForce = limit;
        for (int i = 0; i < falls; ++i)
            places[count++] =
                rvSheavePlace(i % 2 ? block : RV_NULL_BODY, rvVec(r * (2 * i - falls), 0, i % 2), rvVec(0, 1, 0), r);
        places[count++] = falls % 2 ? rvAttachPlace(block, rvVec(r * (falls - 1), 0, 1))
                                    : rvAttachPlace(RV_NULL_BODY, rvVec(r * (falls - 1), 0, 0));
        rvCableDef rope = rvDefaultCableDef(RV_CABLE_ALE);
        rope.axialStiffness = 2e7;
        rope.massPerLength = 1.5;
        rope.damping = 0.01;
        rope.bendingStiffness = 0.01;
        rope.elements = 4 * (count - 1);
        rvCableId cable = add_cable_of(world, rope, places, count);
        CHECK_OK(world, rvWorld_Settle(world, NULL, NULL));
        int stops = 0;
        for (long n = 0; n < lround(8.0 / h); ++n) {
            CHECK_OK(world, rvWorld_Step(world, h));
            stops += count_events(world, RV_EVENT_CABLE_STOP, NULL);
            rvEnergy e = rvWorld_GetEnergy(world);
            double now = e.kinetic + e.potential + e.elastic + e.heat - e.work;
            books = n == 0 ? now : books;
            CHECK_NEAR(now, books, 5e-4 * mass * 9.81 * 2.0); // of what it is lifted by; merges have no book
        }
        assert_true(stops >= 1);
        // half a radius of straight rope is left, which stretches by half as much again at the limit: less than 1 mm
        CHECK_NEAR(rvBody_GetPose(world, block).p.z, -1.0 - 0.5 * r, 2e-3);
        CHECK_NEAR(rvCable_GetWinchForce(world, cable, 0), limit, 0.01 * limit); // it slips
        CHECK_OK(world, rvCable_SetWinchSpeed(world, cable, 0, 0.5 * falls));
        for (long n = 0; n < lround(4.0 / h); ++n)
            CHECK_OK(world, rvWorld_Step(world, h));
        CHECK_BELOW(rvBody_GetPose(world, block).p.z, -2.0); // 0.5 m/s, less what it has to unwind first
        rvDestroyWorld(world);
    }
}

// A winch draws a load up to the eye below it, and slips then.
static void WinchSlipsWhereItsLoadIsStopped(void** state)
{
    (void)state;
    double limit = 500.0;
    for (int k = 0; k < 3; ++k) {
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 20.0, 0.08, rvVec(0, 0, -1));
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 4), -0.5),
                               rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
        places[0].winch.maxForce = limit;
        rvCableId rope = add_rope(world, places, 3, 1e6);
        run_world(world, STEPS[k], 6.0);
        CHECK_BELOW(rvDistance(rvBody_GetPose(world, load).p, rvVec(0, 0, 0)), 0.05);
        // at the winch it is as much as that holds, along the fall 4 m of its weight less, 2 m on the mean
        CHECK_NEAR(rvCable_GetTension(world, rope, 0), limit - 2.0 * GRAVITY, 1e-3 * limit); // ringing has died out
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LoadIsStoppedAtItsEye),
        cmocka_unit_test(BlockIsStoppedBelowItsHead),
        cmocka_unit_test(WinchSlipsWhereItsLoadIsStopped),
    };
    return RUN_TESTS(tests);
}
