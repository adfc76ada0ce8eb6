// SPDX-License-Identifier: MIT
// Cables: a route, a span model that fills it, winches at its ends.
#pragma once

#include "cable/route.h"

// What changes in a run; saved and restored as bytes.
typedef struct {
    double restLength;  // unstretched length out [m]
    double stretchRate; // d(length - rest length)/dt over the last step [m/s]
    double tension;     // of the last step [N]
    double mode;        // of the stretch row
    double broken;      // 0 or 1
    rvWinchDef winch[2];
    double winchRate[2];                          // rest length paid out a second in the last step [m/s]
    double winchWork[2];                          // done on the rest of the world so far [J]
    double winchStop[2];                          // -1 at the inner stop, 1 at the outer, else 0
    double slipping;                              // 1 while a winch slips at its limit
    double toldBroken, toldSlipping, toldStop[2]; // what events have said already
    double taut;                                  // 1 while it carries tension
    double fresh; // 1: stretchRate is not known and comes from the bodies' velocities at the next step
} rvCableState;

typedef struct {
    // set at creation
    rvCableModel model;
    char* name;
    double axialStiffness; // EA [N]
    double damping;
    double breakForce;
    bool pushes;
    bool hasWinch[2]; // at place 0, at the last place
    bool loose;       // an end is free: it carries nothing
    rvRoute route;
    rvCableState state;
    double* stiffSpans; // state too: 1 where a span has transverse rows
    // computed by rv_cables_route
    double stretch; // length - rest length at the start of the step [m]
    // computed by rows
    int group;         // of the last rows, -1: none
    double driveSpeed; // both winches together, stops taken into account [m/s]
    double driveCompliance, driveForce;
    double usedTension; // the tension that the geometric stiffness of this pass was made with [N]
} rvCable;

// An end of a span at a body; see span_stiffness.c.
typedef struct {
    int cable, span;
    int atStart; // the body is at the span's first place
    int next;    // next end at the same body, -1: none
} rvSpanEnd;

typedef struct {
    rvCable* items;
    int capacity;
    rvIdPool pool;
    int spanCount; // of all cables together
    // scratch of span_stiffness.c
    rvSpanEnd* ends;
    int* firstEnd; // by body
    int* kinkBodies;
    int endCapacity, firstEndCapacity, kinkCapacity;
} rvCableStore;

rvStatus rv_cable_create(rvCableStore* store, const rvBodyStore* bodies, rvMemory* memory, rvError* error,
                         const rvCableDef* def, const int* placeBodies, int* index);
rvStatus rv_cable_check(rvError* error, const rvCableDef* def); // places and winches, before bodies are looked up
void rv_cable_destroy(rvCableStore* store, rvMemory* memory, int index);
void rv_cables_release(rvCableStore* store, rvMemory* memory);
bool rv_cables_reserve(rvCableStore* store, rvMemory* memory, int bodyCount);
void rv_cables_capacity(const rvCableStore* store, int* rowCount, int* groupCount, int* slotCount, int* entryCount);
bool rv_cables_pass(const rvCableStore* store, int body); // does any cable touch this body

// 0 or 1 for a winch at the first or last place, -1: no winch there.
int rv_cable_winch_at(const rvCable* cable, int place);
rvStatus rv_winch_check(rvError* error, const char* name, int place, const rvWinchDef* winch);

// The steps of a step.
void rv_cables_route(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context);
void rv_cables_refresh(rvCableStore* store, const rvBodyStore* bodies); // routes, after bodies were moved from outside
void rv_cables_forget_rates(rvCableStore* store);                       // a velocity or pose was set from outside
void rv_cables_add_stiffness(rvCableStore* store, rvBodyStore* bodies);
bool rv_cables_changed(const rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context);
void rv_cables_write_rows(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows);
bool rv_cables_read_rows(rvCableStore* store, const rvStepContext* context, const rvRows* rows);
void rv_cables_advance(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context);

double rv_cable_elastic_energy(const rvCable* cable, double h);
double rv_cable_tension(const rvCable* cable, int span);
int rv_cable_shape(const rvCable* cable, rvVec3* points, int capacity);
