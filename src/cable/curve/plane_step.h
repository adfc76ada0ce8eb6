// SPDX-License-Identifier: MIT
// Fixed steps of a curve in the plane, in real time: generalised-alpha, one factor and two solves a step, linearised at
// the predictor.
//
// The rule is not for angles: a step that turns by a radian makes energy then, without end. It is for the points of the
// curve, by its way X (plane.h), whose inertia is constant; with V, A, At its derivatives by v, a, at at the start of
// the step
//   Xh = X + h V + h^2 (1/2 - bet) At,   At1 = (X(p) - Xh)/(bet h^2),   V1, A1 by alpha.h,   first p = q + h v
//   H d = Q(p, vp) - J^T m A1 + G^T lambda,   H = cM M + gam/(bet h) D + K,  cM = (1-am)/((1-af) bet h^2)
// so that H is Newton's matrix: K holds the geometric stiffness of all loads, inertia included, where they pull. The
// rule leaves the motions that the curve has: at the end M v1 = J^T m V1, and M a1 = J^T m (A1 - quadratic terms of
// v1), at1 alike. Damping goes by rates vp of the rule for angles. Where the curve stretches that is not enough: of a
// node that turns by w in a step the points tell a rate of stretch of the order of w^4/h that is none, and the damper
// D_e of the stretch would carry it into strain in the next one. So what it says at p, by the rule for e, counts as
// well:
//   (M + h D_e) v1 = J^T m V1 + h D_e vp,   a1 and at1 alike
// Holds are met at the end of the step. A contact is a row too, stiff as it may be:
//   g d + eps lambda = -eps (k gap + b gap'),  eps = 1/(k + b gam/(bet h)),  lambda >= 0
// so that neither its spring nor its damper limits the step. Where the curve does not stretch there is no axial
// stiffness to fight.
#pragma once

#include "cable/curve/alpha.h"
#include "cable/curve/plane_motion.h"

typedef struct {
    rvPlaneMotion* motion;
    double rho;             // what is kept of the highest frequency a step, 0..1
    double *q, *v, *a, *at; // the state, in one block from q on
    double *p, *v1, *a1, *at1, *step;
    double* base; // all of them in one block
    // ways (plane.h): at the start of the step extrapolated, their rates, accelerations a and at; at its end
    rvVec2 *wayHalf, *wayRate, *wayA, *wayAt, *way1, *wayRate1, *wayA1, *wayAt1;
    rvAlpha alpha;      // of the step that was begun
    rvSeparable* plain; // gets the matrix of each pass before it is factored; NULL: nobody asks for it
} rvPlaneRun;

bool rv_plane_run_create(rvPlaneRun* run, rvMemory* memory, rvPlaneMotion* motion);
void rv_plane_run_release(rvPlaneRun* run, rvMemory* memory);

// A step in parts, where someone else finds forces, holds and touches: predict; then linearise and move p on, as often
// as it takes; keep. `euler`: by implicit Euler (v1 = (q1 - q)/h, a1 = (v1 - v)/h), for steps in which forces jump. It
// is the least of |X - X0 - h X'|^2 m/(2 h^2) + V, and makes no energy if it is found: so passes begin at q, where
// holds are met and that is kinetic energy and V, and go down from there. From q + h v they were drawn back from far
// away, to another extreme.
void rv_plane_run_predict(rvPlaneRun* run, double h, bool euler);
// From p: `step` by all forces but the given ones, whose geometric stiffness counts in the matrix. False: not positive.
bool rv_plane_run_linearise(rvPlaneRun* run, const rvPlaneLoad* forces, int count);
void rv_plane_run_sum_forces(rvPlaneRun* run); // those at p into `step`, without those of holds and touches
bool rv_plane_run_factor(rvPlaneRun* run);
void rv_plane_run_rates(rvPlaneRun* run); // v1, a1, at1 that belong to p, by the rule for angles
// At the end of the step: v1, the rates whose motion is nearest to what the rule says of the points of the curve; then,
// with v1 as it is (impacts may have changed it), a1 and at1. False: the inertia is not positive.
bool rv_plane_run_end(rvPlaneRun* run);
void rv_plane_run_accelerate(rvPlaneRun* run);
// The end of the step becomes the state. False: it is not finite, and the state is as before.
bool rv_plane_run_keep(rvPlaneRun* run);
