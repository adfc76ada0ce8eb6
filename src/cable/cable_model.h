// SPDX-License-Identifier: MIT
// What a span model gives the cable. One table a model; cable.c calls it and knows no model by name.
#pragma once

#include "cable/cable.h"

typedef struct {
    const char* name;
    // after the route was updated, before any row: segments, rates without a past
    void (*begin)(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context);
    // rows of the cable for this step; sets cable->group
    void (*writeRows)(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows, int owner);
    // tensions of the places, cable->peakTension
    void (*readRows)(rvCable* cable, const rvStepContext* context, const rvRows* rows);
    // the inside of the cable, after the bodies moved and the route was updated
    void (*advance)(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context);
    double (*elasticEnergy)(const rvCable* cable, double h);
    double (*tension)(const rvCable* cable, int span, int end); // end 0 or 1; -1: along the chord
    int (*shape)(const rvCable* cable, const rvShapeStore* shapes, rvVec3* points, int capacity);
    // of a cable with mass, else NULL
    void (*addLoads)(rvCable* cable, rvBodyStore* bodies, const rvStepContext* context); // on the bodies
    void (*addStiffness)(rvCable* cable,
                         rvBodyStore* bodies); // geometric, of the bodies; NULL: by the route's tensions
    bool (*changed)(const rvCable* cable);     // is the last solve too far from where its rows hold?
    // at rest by the rope that it has, or as lines
    void (*hang)(rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, bool straight);
    void (*match)(rvCable* cable); // places came or went
    void (*energy)(const rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h, double* kinetic,
                   double* potential);
} rvCableModelOps;

extern const rvCableModelOps rv_model_massless, rv_model_layered, rv_model_ancf;

// The table of the cable's model.
const rvCableModelOps* rv_cable_ops(const rvCable* cable);

// The speed of each winch, with the stops taken into account.
void rv_winch_latch(rvCable* cable, const rvStepContext* context);
// Winch i pays out or takes in under this tension; answers the change of rest length [m].
double rv_winch_advance(rvCable* cable, int i, double tension, const rvStepContext* context);
// Winch i slips by `more` at its limit, as far as its rope goes; answers how far [m].
double rv_winch_slip(rvCable* cable, int i, double more, const rvStepContext* context);
// Work and stops, once the rest length is known; energyOfRope: see massless_advance.c.
void rv_winch_finish(rvCable* cable, int i, double tension, double energyOfRope, const rvStepContext* context);

// J M^-1 J^T of the first row of a group and, through *freeRate, -J v of the free velocities.
double rv_cable_mobility(const rvBodyStore* bodies, const rvRows* rows, int group, double* freeRate);

// Transverse rows of stiff spans: how many the cable wants now, and the rows themselves from row `first` of its group.
int rv_span_stiffness_count(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context);
void rv_span_stiffness_write(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows,
                             int group, int first);
// What they took in the solve, and once the step counts into the tanks of the spans.
void rv_span_stiffness_read(rvCable* cable, const rvRows* rows, int group, int first);
void rv_span_stiffness_advance(rvCable* cable);
// Rows against the kink at light bodies between stiff spans, over all cables.
void rv_kinks_write(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows);
