// SPDX-License-Identifier: MIT
// Slack and folded ropes of elements make no energy, a hundred of them at coarse steps; more by `reeve bench ancf`.
#include "check.h"

#include "../app/slack_rope.h"

// Of what the loads can fall: the guard lets 2 % of the energies that move pass, and these are at most twice that (a load that
// begins at the top of its reach counts as it falls, not as it is thrown on).
#define MOST_MADE 0.04

static void check_ropes(int first, int count, double h, double seconds)
{
    int failed = 0;
    for (int n = first; n < first + count; ++n) {
        rvSlackRope rope = rv_slack_rope((uint64_t)n);
        assert_false(rope.failed);
        double made = rv_slack_rope_run(&rope, h, seconds);
        if (!(made <= MOST_MADE)) {
            failed += 1;
            print_error("rope %d, %s, h %.4g: makes %.3g; %s\n", n, rope.kind, h, made, rvWorld_GetError(rope.world));
        }
        rvDestroyWorld(rope.world);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SlackRopesMakeNoEnergyAtSixtyHertz),
        cmocka_unit_test(SlackRopesMakeNoEnergyAtFineSteps),
    };
    return RUN_TESTS(tests);
}
