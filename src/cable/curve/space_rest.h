// SPDX-License-Identifier: MIT
// A curve in space at rest: the least energy under its holds, from the shape as it is, and whether it is least there.
//
// V: energy of bending, torsion, weight and dead forces; c: errors of the holds, G = dc/dq. Newton on the Lagrangian,
//   (K + s N) d = f + G^T lambda,   G d = -c,      K: second derivative of V - lambda . c
// (K as in space.h; the holds' forces are among the loads). N: for each spin (D/L^2 + loads) times the length at its
// node, so that s is a number, and the stiffness of a bar's first modes is some 10. The holds are added as
//   A = K + s N + mu G^T G
// which changes nothing where G d is given, and for a large mu is positive exactly if K + s N is so on all that the
// holds leave free. So a Cholesky factor of A, in linear time, is the test: s grows until it is there (always
// downhill), and falls as steps go well, to 0 (Newton). A step is kept if V + nu . |c| falls; where it does not, once
// with the errors that the full step left closed too, then shorter. Moments of dead loads have no energy: their work
// along the step counts, and
// -[m]x/2 at their nodes is added to A as a change of low rank.
//
// The least s at which A - s N is not positive any more is the least stiffness. Near 0 it is neutral: a bar that may
// roll.
#pragma once

#include "cable/curve/space_run.h"

typedef enum { RV_REST_UNSTABLE = 0, RV_REST_NEUTRAL, RV_REST_STABLE } rvSpaceStability;

typedef struct {
    bool found; // forces balance and holds are met
    rvSpaceStability stability;
    double least; // stiffness, a number as above
    int rounds;
    double residual; // what is not balanced, of the largest forces
    double force;    // the same [N]
    double gap;      // largest error of a hold [m or rad]
} rvSpaceRest;

typedef struct {
    int rounds; // at most
    double
        leave; // leaves a shape that is not stable by so much [rad] along its softest motion; 0: stays. The sign: the
               // side
} rvSpaceSearch;

// Rates become 0, run->forces those of the holds. Always ends.
rvSpaceRest rv_space_run_rest(rvSpaceRun* run, rvSpaceSearch search);
// Adds s N to the matrix.
void rv_space_run_shift(rvSpaceRun* run, double s);
// The least stiffness of the state as it is, with run->forces; the softest motion into run->step.
double rv_space_run_stiffness(rvSpaceRun* run);
// How many of the curve's own motions about a state of rest are slower than w [rad/s]. A bisection finds them.
int rv_space_run_slower(rvSpaceRun* run, double w);
