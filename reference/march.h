// SPDX-License-Identifier: MIT
// Integrators that know no elements. A system is M(q) a = Q(q, v) with coordinates that may be held in a motion of
// their own; cables of elements (ancf_march.c) and rope that flows (ale_march.c) are such systems. Mass and forces
// may depend on all that moves.
#pragma once

#include "cable/ancf/ancf_step.h"

enum { RV_MARCH_VECTORS = 13, RV_MARCH_ORDER = 12 };

typedef struct rvMarch rvMarch;

typedef struct {
    // r = Q(q, v) - M(q) a, 0 at what is held; a NULL: 0. Where massFactor > 0 also the factor of
    // massFactor M + dampFactor (-dQ/dv) + (-dQ/dq); of what velocities and accelerations do in them it may leave out a
    // part.
    void (*residual)(rvMarch* s, const double* q, const double* v, const double* a, double massFactor,
                     double dampFactor, double* r);
    void (*solve)(rvMarch* s, double* x);                      // by that factor, in place; 0 at what is held
    void (*massSolve)(rvMarch* s, const double* q, double* x); // the same by M(q); q NULL: by the M of the last call
    void (*accelerate)(rvMarch* s, const double* q, const double* v, double* a); // as of the last aim
    void (*aim)(rvMarch* s, double time, double* q, double* v); // what is held is told; either may be NULL
    void (*lead)(rvMarch* s, double time, double* v, double* algo, double* a); // its rates; NULL: by its places
    double (*measure)(const rvMarch* s, const double* r); // its square, each coordinate by its mass
    bool (*isSound)(rvMarch* s, const double* q);         // may it be there?
    void (*expand)(rvMarch* s, double* terms);            // Taylor: from the first two the others, `count` numbers each
} rvMarchOps;

struct rvMarch {
    const rvMarchOps* ops;
    void* of;
    int count;                // numbers of a vector
    int free;                 // coordinates that a mean is over
    double *q, *v, *a, *algo; // the state; algo: the acceleration of Newmark's formulas, a: that of the equations
    double* work[RV_MARCH_VECTORS];
    double* terms; // Taylor: RV_MARCH_ORDER + 1 vectors
    double time;
    const rvAncfOptions* options;
    rvAncfCounts* counts;
    double* trial;  // the next step of the adaptive methods [s]
    double highest; // of the explicit ones: rv_march_highest
};

// One step of h each; false: not finite or not sound, the state is as before.
bool rv_march_implicit(rvMarch* s, double h);
bool rv_march_verlet(rvMarch* s, double h);
bool rv_march_taylor(rvMarch* s, double h);

// Two by the critical step about the state [1/s], by so many steps of power iteration from a vector that is left where
// they end; `fresh`: from one that is rich in high modes. Without damping the highest frequency of small motions
// [rad/s].
double rv_march_highest(rvMarch* s, double* x, bool fresh, int count);
