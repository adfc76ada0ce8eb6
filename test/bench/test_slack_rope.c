// SPDX-License-Identifier: MIT
// Slack and folded ropes of elements make no energy, a hundred of them at coarse steps, nor do light hooks on slack
// rope; more by `reeve bench ancf`.
#include "check.h"

#include "random/slack_rope.h"

// Of what the loads can fall, as `reeve bench ancf` allows: the guard lets a thousandth of the energies that move pass,
// and a step reads them at other times than they pass between rope and loads.
#define MOST_MADE 0.01

static bool makes_too_much(rvSlackRope* rope, int number, double h, double seconds)
{
    assert_false(rope->failed);
    rope->h = h;
    double made = rv_slack_rope_run(rope, (rvRandomRun){.seconds = seconds}).grown;
    bool failed = !(made <= MOST_MADE);
    if (failed)
        print_error("rope %d, %s, h %.4g: makes %.3g; %s\n", number, rope->kind, h, made,
                    rvWorld_GetError(rope->world));
    rvDestroyWorld(rope->world);
    return failed;
}

static void check_ropes(int first, int count, double h, double seconds)
{
    int failed = 0;
    for (int n = first; n < first + count; ++n) {
        rvSlackRope rope = rv_slack_rope((uint64_t)n);
        failed += makes_too_much(&rope, n, h, seconds);
    }
    assert_int_equal(failed, 0);
}

static void SlackRopesMakeNoEnergyAtSixtyHertz(void** state)
{
    (void)state;
    check_ropes(1, 70, 1.0 / 60.0, 2.0);
}

static void SlackRopesMakeNoEnergyAtFineSteps(void** state)
{
    (void)state;
    check_ropes(101, 30, 1.0 / 240.0, 2.0);
}

// Of five thousand ropes these made 0.07 to 3.5 of their fall: bodies did not pay what the reading of the middle hid as
// the rope was calmed, or went beyond the rope's reach by a pass that had not settled.
static void RopesThatOncePassedTheGuardMakeNoEnergy(void** state)
{
    (void)state;
    static const int numbers[] = {445,  642,  1040, 1245, 1736, 2292, 2347, 2669,
                                  2921, 3180, 4252, 4455, 4689, 4758, 4824};
    for (int i = 0; i < (int)(sizeof numbers / sizeof numbers[0]); ++i)
        check_ropes(numbers[i], 1, 1.0 / 60.0, 3.0);
}

// Hooks of 0.1 to 100 kg, at steps from 1/30 to 1/240 s. Some made up to a million times what their load falls: the
// moments of past forces spun them by many radians in a step, which no pass settled.
static void LightHooksOnSlackRopeMakeNoEnergy(void** state)
{
    (void)state;
    static const rvCableModel models[] = {RV_CABLE_ANCF, RV_CABLE_ALE};
    int failed = 0;
    for (int n = 1; n <= 200; ++n) {
        rvSlackRope hook = rv_slack_hook((uint64_t)n, models[n % 2]);
        failed += makes_too_much(&hook, n, hook.h, 1.5);
    }
    assert_int_equal(failed, 0);
}

// Its hook spins with 300 rad/s as its ropes snap taut. The inertia that it was lent for that step had its spin, from
// nothing, and gave the ropes twice what the load falls.
static void InertiaThatASpinningHookIsLentBringsNoEnergy(void** state)
{
    (void)state;
    rvSlackRope hook = rv_slack_hook(1704, RV_CABLE_ALE);
    assert_false(makes_too_much(&hook, 1704, hook.h, 3.0));
}

// Their hooks spin by several radians a step. The inertia that they were lent grew with the pull of each pass, and
// turned them against their ropes, which pulled more: passes went on to many times the tension, and made up to 5 times
// what the load falls.
static void HooksThatSpinFasterThanTheStepSeesMakeNoEnergy(void** state)
{
    (void)state;
    static const int numbers[] = {619, 1703, 2896};
    for (int i = 0; i < 3; ++i) {
        rvSlackRope hook = rv_slack_hook((uint64_t)numbers[i], RV_CABLE_ANCF);
        assert_false(makes_too_much(&hook, numbers[i], hook.h, 3.0));
    }
}

// The same without any more pull: their hooks turned to and fro by radians a step between slack ropes, ever faster,
// until passes settled on a turn by the long way round, which made 0.07 to 3.3 of what the load falls. They are dragged
// to a stop before.
static void HooksThatTumbleBetweenSlackRopesAreStopped(void** state)
{
    (void)state;
    static const int numbers[] = {2178, 3763, 3977, 4056, 4592, 4631, 4924, 5139};
    for (int i = 0; i < (int)(sizeof numbers / sizeof numbers[0]); ++i) {
        rvSlackRope hook = rv_slack_hook((uint64_t)numbers[i], RV_CABLE_ANCF);
        assert_false(makes_too_much(&hook, numbers[i], hook.h, 3.0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SlackRopesMakeNoEnergyAtSixtyHertz),
        cmocka_unit_test(SlackRopesMakeNoEnergyAtFineSteps),
        cmocka_unit_test(RopesThatOncePassedTheGuardMakeNoEnergy),
        cmocka_unit_test(LightHooksOnSlackRopeMakeNoEnergy),
        cmocka_unit_test(InertiaThatASpinningHookIsLentBringsNoEnergy),
        cmocka_unit_test(HooksThatSpinFasterThanTheStepSeesMakeNoEnergy),
        cmocka_unit_test(HooksThatTumbleBetweenSlackRopesAreStopped),
    };
    return RUN_TESTS(tests);
}
