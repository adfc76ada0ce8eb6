// SPDX-License-Identifier: MIT
// The crane of `reeve bench hosts`, for every engine that has it: a jib that slews, a trolley on it, a hook block on
// two falls of rope, a load on a sling. The engine has the bodies, the slewing and the trolley's rail; Reeve has the
// ropes.
#pragma once

#include "reeve/reeve.h"

enum { RV_CRANE_JIB, RV_CRANE_TROLLEY, RV_CRANE_HOOK, RV_CRANE_LOAD, RV_CRANE_BODIES };

// Solid boxes, at their start; axes of the world. The jib turns about z through its middle, the trolley slides along
// its x.
typedef struct {
    const char* name;
    double mass;
    rvVec3 sides, at;
} rvCraneBody;

extern const rvCraneBody rvCraneBodies[RV_CRANE_BODIES];
#define RV_CRANE_GRAVITY 9.81
#define RV_CRANE_HEIGHT 40.0 // of jib and trolley [m]

typedef struct {
    double h; // step [s]
    rvCableModel model;
    double damping; // of the ropes [s]
    bool known;     // hook and load are reported with their mass: else the explicit law
} rvCraneSetup;

// Speeds that the driver wants.
typedef struct {
    double slew, trolley, hoist; // [rad/s], [m/s], [m/s] of rope, positive pays out
} rvCraneDrive;

typedef struct {
    rvVec3 at[RV_CRANE_BODIES]; // centres
    double tension;             // of the hoist rope [N]
} rvCraneState;

// An engine with the crane. create answers NULL where it cannot; step answers false where it fails.
typedef struct {
    const char* name;
    void* (*create)(const rvCraneSetup* setup);
    bool (*step)(void* crane, const rvCraneDrive* drive, rvCraneState* state);
    void (*destroy)(void* crane);
    bool explicitToo; // does `known` mean anything to it
} rvCraneEngine;

// The ropes between these bodies of a world, RV_CRANE_BODIES of them.
#ifdef __cplusplus
extern "C"
#endif
    rvStatus
    rv_crane_reeve(rvWorld* world, const rvBodyId* bodies, const rvCraneSetup* setup, rvCableId* hoist);

// One crane's minute, seen against that of our own world.
typedef struct {
    bool good;
    bool refused;                 // the engine or the model cannot have it
    double meanHeight, endHeight; // of the hook [m]
    double period;                // of the swing after the drive [s]
    double meanTension;           // [N]
    double heightOff, loadOff;    // largest distance to ours over the minute: of the hook's height, of the load [m]
} rvCraneRun;

// The engines that are compiled in, and our own world, first.
const rvCraneEngine* const* rv_crane_engines(int* count);
// A minute of driving; `record` has room for all steps and is written (ours) or compared with.
rvCraneRun rv_crane_run(const rvCraneEngine* engine, const rvCraneSetup* setup, rvCraneState* record, bool compare);
// Seconds of that, steps.
int rv_crane_steps(const rvCraneSetup* setup);
// The largest step up to `most` at which the crane hangs still [s].
double rv_crane_largest_step(const rvCraneEngine* engine, const rvCraneSetup* setup, double most);
// The largest stable step of the explicit law without damping, closed form [s].
double rv_crane_explicit_limit(void);
