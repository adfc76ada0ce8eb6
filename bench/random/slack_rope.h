// SPDX-License-Identifier: MIT
// Random slack ropes of finite elements and light hooks on them, seeded: the sweeps of `reeve bench ancf` and of their
// test, through public calls only.
#pragma once

#include "random/run.h"

typedef struct {
    rvWorld* world;
    uint64_t seed;
    double scale; // what its loads can fall, and how they begin to move [J]
    bool failed;  // a part could not be made; the world's error says why
    const char* kind;
    double h; // step to run it with [s]
} rvSlackRope;

// The rope of this number, 60 steps a second; destroy its world afterwards.
rvSlackRope rv_slack_rope(uint64_t number);
// The hook of this number on rope of a model of elements. At its own step, 1/30, 1/60 or 1/240 s.
rvSlackRope rv_slack_hook(uint64_t number, rvCableModel model);
// The energy that it makes, as a share of the scale.
rvGrowth rv_slack_rope_run(rvSlackRope* rope, rvRandomRun run);
