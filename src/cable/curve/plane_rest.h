// SPDX-License-Identifier: MIT
// A curve in the plane at rest: the least energy of bending, stretch, weight and contact under its holds.
//
// From a given shape down the energy: each step solves
//   (M/tau^2 + K) dq = f + G^T lambda,   G dq = -error
// K with the geometric stiffness of the loads and of the holds' forces. Small tau follows the energy downhill and so
// keeps to the branch of the start; tau grows as it goes well, and the last steps are Newton's.
#pragma once

#include "cable/curve/plane_motion.h"

typedef struct {
    bool found;  // forces balance and holds are met
    bool stable; // the energy is least there: K is positive on all that the holds leave free
    int rounds;
    double residual; // largest force that is not balanced [N or N m]
    double gap;      // largest error of a hold [m or rad]
} rvPlaneRest;

// q: the start, then the shape at rest. Always ends.
rvPlaneRest rv_plane_find_rest(rvPlaneMotion* motion, rvMemory* memory, double* q);
