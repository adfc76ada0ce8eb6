// SPDX-License-Identifier: MIT
// Rope that flows and breaks, or runs off a place, while its winch goes on.
#include "world/machines.h"

static const double STEPS[] = {0.005, 0.017, 0.033};

static rvCableDef rope_of(int elements)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
    def.axialStiffness = 4e6;
    def.massPerLength = 0.8;
    def.bendingStiffness = 0.5;
    def.damping = 0.015;
    def.diameter = 0.014;
    def.elements = elements;
    return def;
}

// What is gone by heat apart, energy neither comes nor goes; of that of the rope which swings after the break its steps
// may make 2 % of what moves there, as the guard has it.
static void check_falls_freely(rvWorld* world, double h, double seconds)
{
    double before = total_energy(world) - rvWorld_GetEnergy(world).work, books = energy_books(world);
    double swings = 0.02 * rvWorld_GetEnergy(world).kinetic;
    for (int i = 0; i < lround(seconds / h); ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        rvEnergy e = rvWorld_GetEnergy(world);
        // rounding of energies of the whole fall; what lay on the sheave, 0.8 kg, stays there in the books, at the
        // middle of tangent points that move by a millimetre at most
        double slack = 1e-6 * e.kinetic + 1e-3 * 0.8 * 9.81;
        CHECK_BELOW(total_energy(world) - e.work, before + swings + slack);
        CHECK_NEAR(energy_books(world), books, slack);
    }
}

// 100 kg are hauled in or lowered by 1 m/s, straight or over a sheave; after a second the rope breaks. Its winch stands
// from then on: what is left of the rope falls, and stays as long as it was.
static void WinchOfABrokenRopeStands(void** state)
{
    (void)state;
    for (int i = 0; i < 12; ++i) {
        double h = STEPS[i % 3], speed = i / 3 % 2 ? 1.0 : -1.0;
        bool straight = i / 6;
        rvWorld* world = make_world();
        rvBodyId load = add_mass(world, RV_BODY_DYNAMIC, 100.0, 0.0, rvVec(0.3, 0, -5));
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-3, 0, 0), speed),
                               rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.3),
                               rvAttachPlace(load, rvVec(0, 0, 0))};
        if (straight)
            places[1] = places[2];
        rvCableId rope = add_cable_of(world, rope_of(10), places, straight ? 2 : 3);
        run_world(world, h, 1.0);
        CHECK_OK(world, rvCable_Break(world, rope));
        double length = rvCable_GetRestLength(world, rope), work = rvCable_GetWinchWork(world, rope, 0);
        check_falls_freely(world, h, 6.0);
        assert_true(rvCable_GetRestLength(world, rope) == length);
        assert_true(rvCable_GetWinchWork(world, rope, 0) == work);
        assert_true(rvCable_GetWinchForce(world, rope, 0) == 0.0);
        assert_true(rvCable_GetWinchSpeed(world, rope, 0) == 0.0);
        rvDestroyWorld(world);
    }
}

// 8 m of rope hang over a sheave with a free end, and are hauled in at 2 m/s until that has come through, at any step:
// nothing pulls then but what is left of the rope, which weighs less and less.
static void FreeEndComesThroughItsSheave(void** state)
{
    (void)state;
    double left = 0.0;
    for (int i = 0; i < 3; ++i) {
        double h = STEPS[i], most = 0.0;
        rvWorld* world = make_world();
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-3, 0, 0), -2.0),
                               rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.3),
                               rvFreePlace(rvVec(0.3, 0, -8))};
        places[0].winch.maxForce = 5e3;
        places[0].winch.acceleration = 4.0;
        places[1].wheel.inertia = 0.5;
        places[1].wheel.bearing = 0.03;
        rvCableId rope = add_cable_of(world, rope_of(20), places, 3);
        run_world(world, h, 3.0);
        double weight = 0.8 * 9.81 * rvCable_GetRestLength(world, rope);
        for (int k = 0; k < lround(2.0 / h); ++k) {
            CHECK_OK(world, rvWorld_Step(world, h));
            most = fmax(most, rvCable_GetTension(world, rope, 0));
        }
        assert_true(rvCable_IsBroken(world, rope));
        CHECK_BELOW(most, weight);
        if (i == 0)
            left = rvCable_GetRestLength(world, rope);
        // two steps early and one to be told; its end, which is drawn into a sagging span, runs at 3.4 m/s
        CHECK_NEAR(rvCable_GetRestLength(world, rope), left, 3.0 * 3.4 * h);
        check_falls_freely(world, h, 2.0);
        rvDestroyWorld(world);
    }
}

// 10 m of rope hang from a winch with a free end, and are hauled in at 2 m/s until that has come: the winch lifts all
// that it wound up, and nothing else happens to what is left.
static void FreeEndComesToItsWinch(void** state)
{
    (void)state;
    static const double steps[] = {0.001, 0.005, 0.01, 0.0167, 0.033};
    for (int i = 0; i < 5; ++i) {
        double h = steps[i], weight = 0.8 * 9.81, least = 0.0, most = 0.0;
        rvWorld* world = make_world();
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), -2.0), rvFreePlace(rvVec(0, 0, -10))};
        places[0].winch.acceleration = 2.0;
        rvCableId rope = add_cable_of(world, rope_of(10), places, 2);
        double books = energy_books(world);
        for (double time = 0.0; !rvCable_IsBroken(world, rope) && time < 6.0; time += h) {
            CHECK_OK(world, rvWorld_Step(world, h));
            least = fmin(least, rvWorld_GetEnergy(world).heat);
            most = fmax(most, rvCable_GetTension(world, rope, 0));
        }
        double left = rvCable_GetRestLength(world, rope);
        assert_true(rvCable_IsBroken(world, rope));
        CHECK_BELOW(left, 4.0 * h * 2.0 + 0.02); // two steps early and one to be told; a thousandth of its mesh
        rvCableSection end;
        assert_true(rvCable_GetSection(world, rope, left, &end));
        CHECK_NEAR(end.point.z, -left, 2.0 * h * 2.0);                     // a step on, at 2 m/s
        CHECK_BELOW(most, 0.5 * weight * 10.0 * (1.0 + 2.0 * 2.0 / 9.81)); // the mean along it, and the wave of 2 m/s^2
        // what the guard lets be, a thousandth of a tenth of what the rope would fall by its length, as the winch gets
        // faster and as it is fast enough
        CHECK_BELOW(-least, 2e-4 * weight * 10.0 * 10.0);
        CHECK_NEAR(energy_books(world), books, 1e-9 * weight * 100.0); // rounding
        double work = 0.5 * weight * (10.0 * 10.0 - left * left);
        CHECK_NEAR(rvWorld_GetEnergy(world).work, work, 2e-3 * work); // with the speed of what is left
        check_falls_freely(world, h, 1.0);
        rvDestroyWorld(world);
    }
}

// 20 kg draw rope of 1 kg/m through a sheave, against 4 m of it on the other side, until it has run off; then they fall
// as everything does.
static void LoadDrawsTheRopeOffItsSheave(void** state)
{
    (void)state;
    for (int i = 0; i < 3; ++i) {
        double h = STEPS[i], time = 0.0;
        rvWorld* world = make_world();
        rvBodyId load = add_mass(world, RV_BODY_DYNAMIC, 20.0, 0.0, rvVec(0, 0, -1));
        rvPlaceDef places[] = {rvFreePlace(rvVec(0.3, 0, -4)),
                               rvSheavePlace(RV_NULL_BODY, rvVec(0.15, 0, 0), rvVec(0, -1, 0), 0.15),
                               rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = rope_of(20);
        def.axialStiffness = 1e6;
        def.massPerLength = 1.0;
        def.damping = 2e-3;
        def.straight = true;
        rvCableId rope = add_cable_of(world, def, places, 3);
        for (; !rvCable_IsBroken(world, rope) && time < 2.0; time += h)
            CHECK_OK(world, rvWorld_Step(world, h));
        // m x'' = g (17 + 2 x), m = 25.5 kg: x = 8.5 (cosh(w t) - 1), w^2 = 2 g/m, is 4 m at 1.067 s; two steps early
        CHECK_NEAR(time, 1.067, 3.0 * h);
        check_falls_freely(world, h, 1.0);
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WinchOfABrokenRopeStands),
        cmocka_unit_test(FreeEndComesThroughItsSheave),
        cmocka_unit_test(FreeEndComesToItsWinch),
        cmocka_unit_test(LoadDrawsTheRopeOffItsSheave),
    };
    return RUN_TESTS(tests);
}
