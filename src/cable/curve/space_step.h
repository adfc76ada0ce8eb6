// SPDX-License-Identifier: MIT
// Fixed steps of a curve in space: generalised-alpha with rho = 1/2 (as plane_step.h), on frames.
//
// Increments from the start of the step: theta = (dx0, rotation vectors), R = exp(theta_i) R_i; a solve d moves on by
// R -> exp(d_i) R. The rule is for the way X of the curve (space.h), not for theta, as in the plane; the nodes' own
// inertia of turning and damping go by the rule for theta, and at the end the damper of the stretch. Three solves a
// step by one factor, each where the one before it led; more of them where the shape does not stay, and then the step
// in halves.
//   H d = Q(p) - J^T m A1 - I theta'' + G^T (l + dl),   H = cM M + (1 + cV damping) K
// K is the second derivative of all energies, with the potential of the loads as gathered (inertia and holds included);
// where H is not positive with it (what pushes would buckle the curve within the step), only what pulls counts.
// Holds are met at the end of the step. A touch is a row too, stiff as it may be:
//   g d + eps l = -eps (k gap + b gap'),  eps = 1/(k + b cV),  l >= 0
// What is hit and is stiffer than the step can follow (eps below what the row gives by itself) would be thrown back
// with more than it came with: that step, and the one after it, are of implicit Euler, which takes energy away.
#pragma once

#include "cable/curve/space_run.h"

// A force and a moment on a point; moments only on nodes (xi 0 or 1).
typedef struct {
    rvCurveSpot spot;
    rvVec3 force, moment;
} rvSpacePush;

void rv_space_run_push(rvSpaceRun* run, const rvSpacePush* pushes, int count);

// A node that is led, whatever force that takes: how far it has to go in this pass and, where it is clamped, to turn.
typedef struct {
    int node;
    rvVec3 way;
    bool clamped;
    rvVec3 turn;
} rvSpaceTie;

// A step in parts, where someone else finds forces, holds and touches of a curve without holds: predict, go ahead; then
// linearise and move on by run->step (rv_space_run_move) and by what the forces add, as often as it takes; rates;
// finish.
// Rows of a point: rv_space_add_spot_row; of a node's turning about n: n at rv_space_spin(node). What a row's force
// adds is the row by rv_separable_solve(&run->matrix, row), at frames1, where the curve is placed.
// `euler`: by implicit Euler, for steps in which forces jump, from where the curve is (plane_step.h).
void rv_space_run_predict(rvSpaceRun* run, double h, bool euler);
// From there, where it is placed, to where its passes begin, but through nothing: once obstacles are those of the step.
void rv_space_run_go_ahead(rvSpaceRun* run);
// run->step by all forces but the given ones, whose geometric stiffness counts in the matrix. False: not positive.
// A curve that is pressed between nodes that are led is stable, but not without them: where H is not positive, the
// squares of the ties' rows G are added to it, with right sides c that a step which meets them has,
//   (H + mu G^T G) d = f + mu G^T c + G^T l,   G d = c
// so that the forces l are what they are without. Where that is not positive either, what presses is left out.
bool rv_space_run_linearise(rvSpaceRun* run, const rvSpacePush* pushes, int count, const rvSpaceTie* ties,
                            int tieCount);
void rv_space_run_sum_forces(rvSpaceRun* run); // all forces at frames1 into run->step
bool rv_space_run_factor(rvSpaceRun* run);     // false: not positive, nor by what pulls alone
void rv_space_run_rates(rvSpaceRun* run);      // v1, a1, at1 that belong to theta, by the rule for it
// At the end of the step: v1, the rates whose motion is nearest to what the rule says of the points of the curve; then,
// with v1 as it is (impacts may have changed it), a1 and at1. False: the inertia is not positive.
bool rv_space_run_end(rvSpaceRun* run);
void rv_space_run_accelerate(rvSpaceRun* run);
// The end of the step becomes the state. False: it is not finite, and the state is as before.
bool rv_space_run_finish(rvSpaceRun* run);
