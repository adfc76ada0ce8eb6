// SPDX-License-Identifier: MIT
// Fixed steps of a curve in space: generalised-alpha with rho = 1/2 (as plane_step.h), on frames. Nodes are held, or are
// ports: bodies hold them, and the step is condensed to them, as in ancf/ancf_port.h.
//
// Increments from the start of the step: theta = (dx0, rotation vectors), R = exp(theta_i) R_i. Newmark holds for theta,
//   theta = h v + h^2 ((1/2 - bet) at + bet at1),   v1 = v + h ((1 - gam) at + gam at1)
// and a solve d moves on by R -> exp(d_i) R. Three solves a step by one factor, each where the one before it led: the first
// two with the ports' forces of the last step, the last one is the pass.
//   H d = Q(p) - M a1 - quadratic terms + G^T (l + dl),   H = cM M + (1 + cV damping) K
// K is the second derivative of all energies, with the potential of the loads as gathered (inertia and holds included);
// where H is not positive with it (what pushes would buckle the curve within the step), only what pulls counts.
#pragma once

#include "cable/curve/space_run.h"

// A step: begin, then pass and take as often as wanted, then end. Targets are set before begin.
void rv_space_port_begin(rvSpaceRun* run, double h);
// For the rows of the ports, in their order: where they would be without a change of force (of a frame: by how much it
// would turn on from frames1; of an aim: how far off it would be), and how much further a force moves them. False: not
// finite.
bool rv_space_port_pass(rvSpaceRun* run, double* places, double* compliance);
// Forces on the ports at the end of the step. Answers by how much they are not where the pass said [m].
double rv_space_port_take(rvSpaceRun* run, const double* forces);
// False: not finite, and the state is as before.
bool rv_space_port_end(rvSpaceRun* run);
// A step of a curve without ports.
bool rv_space_run_step(rvSpaceRun* run, double h);
