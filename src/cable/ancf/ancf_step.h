// SPDX-License-Identifier: MIT
// Steps of an ANCF cable. The core has the integrator rt; the others, and the stand-alone runs of all, are those of
// reference/.
#pragma once

#include "cable/ancf/ancf.h"

typedef enum {
    RV_ANCF_RT,    // generalised-alpha linearised at a predictor, with an energy guard: the default
    RV_ANCF_SI_BE, // the four of Westin and Irani, Table 1
    RV_ANCF_SI_BDF2,
    RV_ANCF_SI_NEWMARK,
    RV_ANCF_SI_HHT,
    RV_ANCF_IMPLICIT_NEWMARK, // fully implicit with an adaptive step
    RV_ANCF_IMPLICIT_HHT,
    RV_ANCF_VERLET, // explicit, substeps from the critical step
    RV_ANCF_TAYLOR, // explicit series of order 12: the reference
    RV_ANCF_METHOD_COUNT
} rvAncfMethod;

enum { RV_ANCF_WORK_COUNT = 16 };

typedef struct {
    rvAncfMethod method;
    double rho;          // rt: what is kept of the highest frequency a step, 0 to 1
    bool guarded;        // rt: the energy guard
    int halvings;        // rt: how often a step that is too hard may be halved, 0 to 10
    double hhtAlpha;     // si-hht, implicit-hht: -1/3 to 0
    double baumgarte[2]; // si-*: a1 [1/s], a2 [1/s]
    double tolerance;    // implicit-*: error of a position [m]
    double largestStep;  // implicit-* [s]
    double courant;      // verlet, taylor: share of the critical step
} rvAncfOptions;

// What was done since the start.
typedef struct {
    long steps, passes, halvings, fallbacks, rejected;
} rvAncfCounts;

rvAncfOptions rv_ancf_rt_options(void);
const char* rv_ancf_method_name(rvAncfMethod method);
// After shape, holds and masses: accelerations, energy. Fails where a hold does not start at its node, or where nothing
// holds an element in shape.
rvStatus rv_ancf_initialise(rvAncf* cable, const rvAncfOptions* options, rvError* error);

// Moves the shape to a stable equilibrium near it, at rest: steps end below `tolerance` of the length. Call
// rv_ancf_initialise after. Where it finds none the shape is as near as it came.
rvStatus rv_ancf_settle(rvAncf* cable, double tolerance, rvError* error);
