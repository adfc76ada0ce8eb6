// SPDX-License-Identifier: MIT
#include "random/family.h"

#include "random/machine.h"
#include "random/slack_rope.h"
#include "random/thread.h"
#include "random/throw.h"

#include <stdio.h>

static rvRandomOutcome outcome_of(rvWorld* world, rvGrowth growth, double h, const char* kind)
{
    rvRandomOutcome outcome = {.growth = growth, .through = -1.0, .h = h};
    snprintf(outcome.kind, sizeof outcome.kind, "%s", kind);
    if (isinf(growth.grown) && world)
        snprintf(outcome.error, sizeof outcome.error, ": %s", rvWorld_GetError(world));
    rvDestroyWorld(world);
    return outcome;
}

static rvRandomOutcome run_machine(const rvRandomFamily* family, uint64_t number, rvRandomRun run)
{
    static rvRandomMachine (*const makers[])(uint64_t) = {rv_random_machine, rv_random_bridle, rv_random_rerouting,
                                                          rv_random_hoist, rv_random_heavy};
    rvRandomMachine machine = makers[family->kind](number);
    return outcome_of(machine.world, rv_random_machine_run(&machine, run), machine.h, machine.kind);
}

static rvRandomOutcome run_thread(const rvRandomFamily* family, uint64_t number, rvRandomRun run)
{
    static rvRandomThread (*const makers[])(uint64_t) = {rv_random_grasp, rv_random_draw, rv_random_hit,
                                                         rv_random_loop};
    rvRandomThread thread = makers[family->kind](number);
    return outcome_of(thread.world, rv_random_thread_run(&thread, run), thread.h, thread.kind);
}

static rvRandomOutcome run_slack_rope(const rvRandomFamily* family, uint64_t number, rvRandomRun run)
{
    rvSlackRope rope = family->kind == 0   ? rv_slack_rope(number)
                       : family->kind == 1 ? rv_slack_hook(number, RV_CABLE_ANCF)
                                           : rv_slack_hook(number, RV_CABLE_ALE);
    return outcome_of(rope.world, rv_slack_rope_run(&rope, run), rope.h, rope.kind);
}

// Of the kinds the first RV_THROWN_KINDS are in a plane, then in space.
static rvRandomOutcome run_throw(const rvRandomFamily* family, uint64_t number, rvRandomRun run)
{
    bool inSpace = family->kind >= RV_THROWN_KINDS;
    rvThrown thrown =
        rv_random_throw(number, inSpace, (rvThrownOn)(family->kind - (inSpace ? RV_THROWN_KINDS : 0)), run);
    rvRandomOutcome outcome = {.growth = thrown.growth, .through = thrown.through, .h = thrown.h};
    snprintf(outcome.error, sizeof outcome.error, "%s", thrown.error);
    return outcome;
}

// In space threads pass beside bars and rods, so these are thrown at in a plane only.
static const rvRandomFamily FAMILIES[] = {
    {"machine", 10.0, 0.01, false, run_machine, 0},
    {"bridle", 10.0, 0.01, false, run_machine, 1},
    {"rerouting", 10.0, 0.01, false, run_machine, 2},
    {"hoist", 10.0, 0.01, false, run_machine, 3},
    {"heavy rope", 10.0, 0.01, false, run_machine, 4},
    {"grasp", 2.0, 0.01, false, run_thread, 0},
    {"draw", 2.0, 0.01, false, run_thread, 1},
    {"hit", 2.0, 0.01, false, run_thread, 2},
    {"loop", 2.0, 0.01, false, run_thread, 3},
    {"slack rope", 3.0, 0.01, false, run_slack_rope, 0},
    {"hook on ancf", 3.0, 0.01, false, run_slack_rope, 1},
    {"hook on ale", 3.0, 0.01, false, run_slack_rope, 2},
    {"throw on pegs in a plane", RV_THROW_SECONDS, 0.05, true, run_throw, RV_THROWN_ON_PEGS},
    {"throw on boxes in a plane", RV_THROW_SECONDS, 0.05, true, run_throw, RV_THROWN_ON_BOXES},
    {"throw on hulls in a plane", RV_THROW_SECONDS, 0.05, true, run_throw, RV_THROWN_ON_HULLS},
    {"throw on meshes in a plane", RV_THROW_SECONDS, 0.05, true, run_throw, RV_THROWN_ON_MESHES},
    {"throw on bars in a plane", RV_THROW_SECONDS, 0.05, true, run_throw, RV_THROWN_ON_BARS},
    {"throw on rods in a plane", RV_THROW_SECONDS, 0.05, true, run_throw, RV_THROWN_ON_RODS},
    {"throw on leaning bars in a plane", RV_THROW_SECONDS, 0.05, true, run_throw, RV_THROWN_ON_LEANING_BARS},
    {"throw on leaning rods in a plane", RV_THROW_SECONDS, 0.05, true, run_throw, RV_THROWN_ON_LEANING_RODS},
    {"throw on pegs in space", RV_THROW_SECONDS, 0.05, true, run_throw, RV_THROWN_KINDS + RV_THROWN_ON_PEGS},
    {"throw on boxes in space", RV_THROW_SECONDS, 0.05, true, run_throw, RV_THROWN_KINDS + RV_THROWN_ON_BOXES},
    {"throw on hulls in space", RV_THROW_SECONDS, 0.05, true, run_throw, RV_THROWN_KINDS + RV_THROWN_ON_HULLS},
    {"throw on meshes in space", RV_THROW_SECONDS, 0.05, true, run_throw, RV_THROWN_KINDS + RV_THROWN_ON_MESHES},
};

const rvRandomFamily* rv_random_families(int* count)
{
    *count = sizeof FAMILIES / sizeof FAMILIES[0];
    return FAMILIES;
}
