// SPDX-License-Identifier: MIT
// Accelerations of a curve in space: the right side for integrators with steps of their own, and the start of fixed
// steps.
//   M v' = f + G^T lambda,   G v' = w' - drift - 2 mu (G v - w) - mu^2 (value - target)
// w: rates of the holds' targets; mu: the rate at which errors are closed (Baumgarte). A jump of a target's rate (a
// hand starts or stops) is an impulse: the rates are projected, M (v' - v) = G^T p.
#pragma once

#include "cable/curve/space_run.h"

// Accelerations into run->a and forces of the rows into run->forces, of the state as it is.
// False: not finite.
bool rv_space_motion_solve(rvSpaceRun* run, double closing);
// Rates that the holds ask for.
bool rv_space_motion_project(rvSpaceRun* run);
