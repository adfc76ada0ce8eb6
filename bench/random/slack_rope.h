// SPDX-License-Identifier: MIT
// Random slack ropes of finite elements and light hooks on them, seeded: the sweeps of `reeve bench ancf` and of their
// test, through public calls only.
#pragma once

#include "reeve/reeve.h"

typedef struct {
    rvWorld* world;
    uint64_t seed;
    double scale; // what its loads can fall, and how they begin to move [J]
    bool failed;  // a part could not be made; the world's error says why
    const char* kind;
    double h; // of a hook: the step to run it with [s]
} rvSlackRope;

// The rope of this number; destroy its world afterwards.
rvSlackRope rv_slack_rope(uint64_t number);
// The hook of this number on rope of a model of elements. At its own step, 1/30, 1/60 or 1/240 s.
rvSlackRope rv_slack_hook(uint64_t number, rvCableModel model);
// The most energy that it makes in so many seconds, as a share of the scale; infinite where a step fails.
double rv_slack_rope_run(rvSlackRope* rope, double h, double seconds);
