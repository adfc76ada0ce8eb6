// SPDX-License-Identifier: MIT
// What a run has to say at its end: times, peak tensions, energies, events.
#pragma once

#include "output/event.h"

#include "reeve/scene.h"

#include <stdio.h>

enum { RV_EVENTS_KEPT = 40 };

typedef struct {
    double tension, time;
} rvPeak;

typedef struct {
    rvPeak* peaks; // of each cable
    int cableCount;
    double worstGap;
    long eventCounts[RV_EVENT_TYPES];
    rvEvent events[RV_EVENTS_KEPT]; // the first ones that are no contacts
    int eventCount;
    rvEvent* stepEvents; // of the last step
    int stepCapacity;
    double wallTime; // [s]
    uint64_t steps;
    double step; // [s]
} rvSummary;

// False without memory.
bool rv_summary_start(rvSummary* summary, const rvScene* scene);

// After each step. False without memory.
bool rv_summary_note(rvSummary* summary, const rvScene* scene, const rvWorld* world);
void rv_summary_print(const rvSummary* summary, const rvScene* scene, const rvWorld* world, FILE* out);
void rv_summary_release(rvSummary* summary);
