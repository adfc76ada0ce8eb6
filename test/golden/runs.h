// SPDX-License-Identifier: MIT
// The runs of the golden numbers, in groups that take about as long as each other.
#pragma once

#include "record.h"

typedef struct {
    char name[96];
    bool (*run)(const char* name, int number, int steps, rvGolden* golden); // false: a step failed
    const char* argument;                                                   // of `run`, as its name
    int number, steps;
} rvGoldenRun;

// All runs of a group; 0: there is no such group.
int golden_runs(const char* group, const char* scenes, rvGoldenRun* runs, int capacity);
