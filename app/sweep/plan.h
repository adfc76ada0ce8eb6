// SPDX-License-Identifier: MIT
// The plan of a study: the values of each run from its number alone, so that runs may be done anywhere in any order.
#pragma once

#include "sweep/study.h"

// The value of a parameter in a run.
typedef struct {
    double number; // in the unit of the parameter; NaN for texts
    int level;     // of a list or range with steps, from 0; -1: there are none
} rvDrawn;

rvDrawn rv_plan_draw(const rvStudy* study, int64_t run, int parameter);

// What a parameter is where only one is wanted: its first level, or its median.
rvDrawn rv_plan_typical(const rvParameter* parameter);

// "path=value" texts; release them.
typedef struct {
    char** items;
    int count, capacity;
    bool failed; // without memory
} rvSets;

// The changes of the scene that stand for a value of each parameter.
void rv_plan_put(const rvStudy* study, const rvDrawn* values, rvSets* sets);
// Those of a run.
void rv_plan_sets(const rvStudy* study, int64_t run, rvSets* sets);
void rv_sets_release(rvSets* sets);

// A number from 0 to count - 1 for each i of these, all different: a permutation that depends on the key.
uint64_t rv_permute(uint64_t i, uint64_t count, uint64_t key);
