// SPDX-License-Identifier: MIT
// The simulation behind a viewer: a thread of its own that steps in real time and publishes frames. The calls here may
// come from another thread; none waits for a step.
#pragma once

#include "support/bytes.h"

#include <stdbool.h>

typedef struct rvSim rvSim;

// Orders of viewers. `x` are numbers, `a` to `c` whole ones.
typedef enum {
    RV_ORDER_DRIVE = 1, // control a and those that share its lever with the part x[0] of their largest speed, -1..1
    RV_ORDER_BRAKE,     // of the winches of the same: b 1 on, 0 off
    RV_ORDER_PAUSE,     // a: 1 on, 0 off
    RV_ORDER_STEP,      // a single step, paused
    RV_ORDER_SPEED,     // x[0] seconds a second, 0.01..4
    RV_ORDER_RESET,
    RV_ORDER_SAVE,
    RV_ORDER_RESTORE,
    RV_ORDER_CUT,     // cable a
    RV_ORDER_UNHOOK,  // end b (0 or 1) of cable a
    RV_ORDER_HOOK,    // end b of cable a to body c at x in the body's frame
    RV_ORDER_MODEL,   // cable a is filled by model b
    RV_ORDER_OPEN,    // scene a of the gallery
    RV_ORDER_RELEASE, // all levers to zero: the driver left
    RV_ORDER_COUNT,
} rvOrderType;

typedef struct {
    rvOrderType type;
    int a, b, c;
    double x[3];
} rvOrder;

typedef struct {
    const char* path; // of the scene; NULL: one of the gallery
    int gallery;      // which, where there is no path
    char* const* sets;
    int setCount;
    bool paused;
    void (*wake)(void* context); // there is something new; called by the thread of the simulation
    void* context;
} rvSimDef;

// Loads the scene and starts. NULL: what was wrong is printed and *exitCode set.
rvSim* rv_sim_start(const rvSimDef* def, int* exitCode);
void rv_sim_stop(rvSim* sim);

// False: too many orders at once, this one is dropped.
bool rv_sim_order(rvSim* sim, const rvOrder* order);

// Copies what is newer than *number, and sets it. False: nothing is.
bool rv_sim_description(rvSim* sim, uint32_t* number, rvBytes* json);
bool rv_sim_frame(rvSim* sim, uint32_t* number, rvBytes* frame);

// Events and notices since *number as a JSON list.
bool rv_sim_events(rvSim* sim, uint32_t* number, rvBytes* json);
