// SPDX-License-Identifier: MIT
// Rope that flows takes over from other models while it runs.
#include "world/machines.h"

static const double STIFFNESS = 1e7, PER_METRE = 0.5, MASS = 1000.0;

static rvCableDef rope_def(rvCableModel model, const rvPlaceDef* places, int count)
{
    rvCableDef def = rvDefaultCableDef(model);
    def.places = places;
    def.placeCount = count;
    def.axialStiffness = STIFFNESS;
    def.diameter = 0.02;
    def.damping = 0.01;
    def.bendingStiffness = model == RV_CABLE_ALE ? 0.01 : def.bendingStiffness;
    if (model != RV_CABLE_MASSLESS)
        def.massPerLength = PER_METRE;
    return def;
}

// The tension of the first fall from one moment to another one, least and most.
static void watch_tension(rvWorld* world, rvCableId rope, double h, double seconds, double out[2])
{
    out[0] = HUGE_VAL;
    out[1] = 0.0;
    for (int i = 0; i < lround(seconds / h); ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        double now = rvCable_GetTension(world, rope, 0);
        out[0] = fmin(out[0], now);
        out[1] = fmax(out[1], now);
    }
}

// Four falls lift a load at half a metre a second: past every place rope runs at another speed.
static void ChangeWhileItLiftsDoesNotJerk(void** state)
{
    (void)state;
    rvCableModel models[2] = {RV_CABLE_MASSLESS, RV_CABLE_LAYERED};
    for (int k = 0; k < 6; ++k) {
        double h = (double[]){0.02, 0.01, 0.002}[k / 2], before[2], after[2];
        rvWorld* world = make_world();
        rvBodyId load = add_box(world, MASS, rvVec(1, 1, 1), rvVec(0, 0, -10));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-0.3, 0, 0)), rvEyePlace(load, rvVec(-0.2, 0, 0.5)),
                               rvEyePlace(RV_NULL_BODY, rvVec(-0.1, 0, 0)), rvEyePlace(load, rvVec(0.2, 0, 0.5)),
                               rvWinchPlace(RV_NULL_BODY, rvVec(0.3, 0, 0), 0.0)};
        rvCableDef def = rope_def(models[k % 2], places, 5);
        rvCableId rope = create_cable(world, &def);
        rvSettleReport report;
        CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
        places[4].winch.acceleration = 2.0;
        places[4].winch.speed = -2.0;
        CHECK_OK(world, rvCable_SetWinch(world, rope, 4, &places[4].winch));
        run_world(world, h, 2.5);
        watch_tension(world, rope, h, 0.2, before);
        def = rope_def(RV_CABLE_ALE, NULL, 0);
        CHECK_OK(world, rvCable_SetModel(world, rope, &def));
        watch_tension(world, rope, h, 0.3, after);
        // The falls' weight comes or is spread otherwise: at most that of all four on the tension of one. Rates of
        // bodies are half a step old: h a/2 of a load that swings on its rope by 1 % of g, as a wave of sqrt(EA rho)
        double more = PER_METRE * 4.0 * 9.0 * GRAVITY / 4.0 + 0.5 * h * 0.01 * GRAVITY * sqrt(STIFFNESS * PER_METRE);
        CHECK_NEAR(after[0], before[0], more);
        CHECK_NEAR(after[1], before[1], more);
        rvDestroyWorld(world);
    }
}

// Layers on a drum are not for rope that flows: it leaves the core, from the moment on at which it takes over.
static void DrumWithLayersDoesNotJerk(void** state)
{
    (void)state;
    double h = 0.001, before[2], after[2];
    rvWorld* world = make_world();
    rvBodyId load = add_box(world, MASS, rvVec(1, 1, 1), rvVec(0.25, 0, -10));
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-5, 0, 0), 0.0),
                           rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.25),
                           rvAttachPlace(load, rvVec(0, 0, 0))};
    places[0].wheel.axis = rvVec(0, 1, 0);
    places[0].wheel.radius = 0.3;
    places[0].wheel.side = 1;
    places[0].winch.stored = 60.0;
    places[0].winch.capacity = 100.0;
    places[0].winch.width = 0.4; // 20 turns, 38 m a layer
    rvCableDef def = rope_def(RV_CABLE_LAYERED, places, 3);
    rvCableId rope = create_cable(world, &def);
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    watch_tension(world, rope, h, 0.1, before);
    def = rope_def(RV_CABLE_ALE, NULL, 0);
    CHECK_OK(world, rvCable_SetModel(world, rope, &def));
    watch_tension(world, rope, h, 0.2, after);
    double more =
        PER_METRE * 15.0 * GRAVITY; // of all its weight; a radius that changes by 2 cm would stretch it by millimetres
    CHECK_NEAR(after[0], before[0], more);
    CHECK_NEAR(after[1], before[1], more);
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ChangeWhileItLiftsDoesNotJerk),
        cmocka_unit_test(DrumWithLayersDoesNotJerk),
    };
    return RUN_TESTS(tests);
}
