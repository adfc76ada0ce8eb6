// SPDX-License-Identifier: MIT
// Random slack ropes of finite elements, seeded: the sweep of `reeve bench ancf` and of its test, through public calls only.
#pragma once

#include "reeve/reeve.h"

typedef struct {
    rvWorld* world;
    uint64_t seed;
    double scale; // what its loads can fall, and how they begin to move [J]
    bool failed;  // a part could not be made; the world's error says why
    const char* kind;
} rvSlackRope;

// The rope of this number; destroy its world afterwards.
rvSlackRope rv_slack_rope(uint64_t number);
// The most energy that it makes in so many seconds, as a share of the scale; infinite where a step fails.
double rv_slack_rope_run(rvSlackRope* rope, double h, double seconds);
