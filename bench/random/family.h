// SPDX-License-Identifier: MIT
// All families of random scenes: machines, threads, threads that are thrown, slack ropes. For `reeve bench random`, its
// rates and the golden numbers.
#pragma once

#include "random/run.h"

typedef struct {
    rvGrowth growth;
    double through;  // when a thread went through a shape [s]; negative: it did not
    double h;        // step [s]
    char kind[128];  // what is in the scene
    char error[256]; // of a step that failed
} rvRandomOutcome;

typedef struct rvRandomFamily {
    const char* name;
    double seconds; // of a run
    double bound;   // of the growth of its energy
    bool isThrow;
    rvRandomOutcome (*run)(const struct rvRandomFamily* family, uint64_t number, rvRandomRun run);
    int kind; // for `run`: which of its kind
} rvRandomFamily;

const rvRandomFamily* rv_random_families(int* count);
