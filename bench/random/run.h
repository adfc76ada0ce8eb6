// SPDX-License-Identifier: MIT
// What the runs of all random scenes have in common.
#pragma once

#include "reeve/reeve.h"

#include <math.h>

typedef struct {
    double seconds;                               // simulated
    int steps;                                    // instead, where it is above 0
    void (*watch)(void* context, rvWorld* world); // after each step; may be NULL
    void* context;
} rvRandomRun;

static inline int rv_random_steps(const rvRandomRun* run, double h)
{
    return run->steps > 0 ? run->steps : (int)lround(run->seconds / h);
}

static inline void rv_random_watch(const rvRandomRun* run, rvWorld* world)
{
    if (run->watch)
        run->watch(run->context, world);
}

// Growth of energy, as a share of what there was and what was put in; infinite where a step failed.
typedef struct {
    double grown;     // at most
    double sustained; // at most, over RV_GROWTH_WINDOW steps on end
    double when;      // that was, or the step failed [s]
} rvGrowth;

enum { RV_GROWTH_WINDOW = 5 };

// The least of the last readings, once there are enough.
typedef struct {
    double readings[RV_GROWTH_WINDOW];
    int count;
} rvGrowthWindow;

static inline double rv_growth_sustained(rvGrowthWindow* window, double reading)
{
    double least = HUGE_VAL;
    window->readings[window->count++ % RV_GROWTH_WINDOW] = reading;
    for (int i = 0; i < RV_GROWTH_WINDOW; ++i)
        least = fmin(least, window->readings[i]);
    return window->count >= RV_GROWTH_WINDOW ? least : 0.0;
}

static inline rvGrowth rv_growth_failed(double when)
{
    return (rvGrowth){HUGE_VAL, HUGE_VAL, when};
}
