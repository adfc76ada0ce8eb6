// SPDX-License-Identifier: MIT
// Stand-alone runs of a curve, without a world, in the plane and in space; plane_step.h and space_step.h have the rule.
#pragma once

#include "cable/curve/plane_rest.h"
#include "cable/curve/plane_step.h"
#include "cable/curve/space_motion.h"
#include "cable/curve/space_step.h"

// ---- curve_plane_run.c

// After q and v were set: accelerations.
bool rv_plane_run_begin(rvPlaneRun* run);
// A step of h; targets of the holds are those of its end. False: the numbers are not finite, and the state is as
// before.
bool rv_plane_run_step(rvPlaneRun* run, double h);
double rv_plane_motion_energy(rvPlaneMotion* motion, const double* q, const double* v); // contacts' springs included
// How many free motions about a shape at rest are slower than omega [rad/s]: as many as K - omega^2 M has negative
// pivots on what the holds leave free. Holds of the first end count; -1: there are others.
int rv_plane_slower(rvPlaneMotion* motion, const double* q, double omega);

// ---- curve_space_run.c

// The start of fixed steps: accelerations, and tensions.
bool rv_space_run_begin(rvSpaceRun* run);
// A step; targets of the holds and obstacles are those of its end. False: not finite, and the state is as before.
bool rv_space_run_step(rvSpaceRun* run, double h);
