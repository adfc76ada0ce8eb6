// SPDX-License-Identifier: MIT
// How a constraint becomes a row: the step's numbers and the two steppers.
//
// Position constraint phi(q) = 0 with compliance eps (eps lambda = -phi), damping time tau, x = h lambda:
//   SPOOK   J v' + (4 eps g/h^2) x = -(4 g/h) phi + g rate,   g = 1/(1 + 4 tau/h), rate = d phi/dt before the step.
//           At tau = 0 lambda acts on the mean (phi[n-1] + 2 phi[n] + phi[n+1])/4: no numerical damping.
//   paper   J v' + (eps/h^2) x = -phi/h: implicit Euler, as Servin and Lacoursiere print it (with its factor h put
//   right).
// Velocity constraint J v = w with drive compliance xi:  J v' + (xi/h) x = w.
#pragma once

#include "reeve/world.h"
#include "solve/row.h"

// A pass is repeated when geometric stiffness changed by more than this share within it.
#define RV_PASS_TOLERANCE 0.1
// What cables may insist on beyond the limit, where a step would else make energy.
#define RV_EXTRA_PASSES 10

typedef struct {
    double h;    // step [s]
    double time; // at its start [s]
    rvVec3 gravity;
    rvStepper stepper;
    double relaxation;         // default damping time, in steps
    double geometricStiffness; // weight c
    int maxPasses;             // solves a step at most
    bool atRest;               // an iteration towards rest, see settle.c: all of it begins at rest and ends so
    bool ontoShapes;           // on that way ropes go down onto shapes: none by itself, through them
} rvStepContext;

// The damping time in force: what the object says, or the world's.
static inline double rv_damping_time(const rvStepContext* context, double damping)
{
    return damping >= 0.0 ? damping : context->relaxation * context->h;
}

static inline void rv_row_set_position(rvRow* row, const rvStepContext* context, double phi, double rate,
                                       double compliance, double tau)
{
    double h = context->h;
    if (context->stepper == RV_STEPPER_PAPER) {
        row->compliance = compliance / (h * h);
        row->bias = -phi / h;
    } else {
        double g = 1.0 / (1.0 + 4.0 * tau / h);
        row->compliance = 4.0 * g * compliance / (h * h);
        row->bias = -(4.0 * g / h) * phi + g * rate;
    }
}

static inline void rv_row_set_velocity(rvRow* row, const rvStepContext* context, double speed, double compliance)
{
    row->compliance = compliance / context->h;
    row->bias = speed;
}
