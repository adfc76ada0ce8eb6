// SPDX-License-Identifier: MIT
// Chains of light links under a heavy load at 60 Hz for half a minute: 10 m, 0.1 kg a link, ball joints. Ten minutes of
// the same are in test_step_chain_long.c.
#include "world/machines.h"

static const int linkCounts[] = {10, 24, 100};
static const double loads[] = {100.0, 10000.0};

static ChainRun run_default(const ChainDef* def, double seconds)
{
    rvWorldDef worldDef = rvDefaultWorldDef();
    Chain chain = make_chain(&worldDef, def);
    ChainRun run = run_chain(&chain, 1.0 / 60.0, seconds);
    rvDestroyWorld(chain.world);
    return run;
}

static void ChainSwingsByItsPeriod(void** state)
{
    (void)state;
    for (int i = 0; i < 6; ++i) {
        ChainDef def = {
            .links = linkCounts[i / 2], .length = 10.0, .linkMass = 0.1, .loadMass = loads[i % 2], .angle = 0.5};
        ChainRun run = run_default(&def, 30.0);
        assert_true(run.stable);
        CHECK_BELOW(run.gap, 1e-3);                             // a millimetre was asked for
        CHECK_NEAR(run.period / chain_period(&def), 1.0, 5e-3); // half a percent was asked for
        CHECK_BELOW(0.998, run.kept);      // 2 % in ten minutes is 0.2 % a minute; the start takes its share at once
        CHECK_BELOW(run.most, 1.0 + 1e-3); // reading half a step off while links turn
    }
}

// The heavier load; under the lighter one the chain's own mass whips (see the long test).
static void ChainSwingsWide(void** state)
{
    (void)state;
    for (int i = 0; i < 3; ++i) {
        ChainDef def = {.links = linkCounts[i], .length = 10.0, .linkMass = 0.1, .loadMass = 1e4, .angle = 1.5};
        ChainRun run = run_default(&def, 30.0);
        assert_true(run.stable);
        CHECK_BELOW(run.gap, 1e-3);
        CHECK_NEAR(run.period / chain_period(&def), 1.0, 5e-3);
        CHECK_BELOW(0.988, run.kept); // 12 % in ten minutes is 1.2 % a minute
        CHECK_BELOW(run.most, 1.0 + 1e-3);
    }
}

// Whirled on a cone: the load stays on its circle and turns by sqrt(g/(L cos a)).
static void WhirledChainStaysOnItsCone(void** state)
{
    (void)state;
    double h = 1.0 / 60.0, angle = 0.5, length = 10.0, rate = sqrt(GRAVITY / (length * cos(angle)));
    for (int i = 0; i < 3; ++i) {
        ChainDef def = {
            .links = linkCounts[i], .length = length, .linkMass = 0.1, .loadMass = 1e4, .angle = angle, .whirl = rate};
        rvWorldDef worldDef = rvDefaultWorldDef();
        Chain chain = make_chain(&worldDef, &def);
        Crossings crossings = {0};
        for (int n = 0; n < 900; ++n) {
            CHECK_OK(chain.world, rvWorld_Step(chain.world, h));
            rvVec3 at = rvBody_GetCenter(chain.world, chain.load);
            watch(&crossings, rvWorld_GetTime(chain.world), at.x);
            // the start is half a step off its circle: h v/(2 r) of it; the links pull by 1e-3 of the load's weight
            CHECK_NEAR(hypot(at.x, at.y) / (length * sin(angle)), 1.0, 0.5 * h * rate + 1e-3);
        }
        CHECK_NEAR(mean_period(&crossings) * rate / 6.283185307179586, 1.0, 5e-3); // half a percent, as for swings
        CHECK_BELOW(rvWorld_GetStepInfo(chain.world).worstGap, 1e-3);
        rvDestroyWorld(chain.world);
    }
}

static void WhirledChainKeepsEnergyAndGap(void** state)
{
    (void)state;
    static const double starts[][2] = {{0.5, 0.7}, {1.2, 1.0}};
    for (int i = 0; i < 12; ++i) {
        ChainDef def = {.links = linkCounts[i / 4],
                        .length = 10.0,
                        .linkMass = 0.1,
                        .loadMass = loads[i / 2 % 2],
                        .angle = starts[i % 2][0],
                        .whirl = starts[i % 2][1]};
        ChainRun run = run_default(&def, 5.0);
        assert_true(run.stable);
        CHECK_BELOW(run.gap, 1e-3);
        CHECK_BELOW(i % 2 == 0 ? 0.998 : 0.988, run.kept); // as for swings
        CHECK_BELOW(run.most, 1.0 + 1e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ChainSwingsByItsPeriod),
        cmocka_unit_test(ChainSwingsWide),
        cmocka_unit_test(WhirledChainStaysOnItsCone),
        cmocka_unit_test(WhirledChainKeepsEnergyAndGap),
    };
    return RUN_TESTS(tests);
}
