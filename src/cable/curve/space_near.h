// SPDX-License-Identifier: MIT
// What of a curve in space may be near an obstacle, by boxes: all else is not looked at. They leave out only what does
// not touch it and does not go through it, so that what is found is the same as without them.
#pragma once

#include "cable/curve/space_contact.h"

// Around an obstacle where it is; all of space where it has no end.
rvSpaceBox rv_space_box_of(const rvSpaceObstacle* o);
// Around the nodes, and what is up to `reach` from them.
rvSpaceBox rv_space_box_around(const rvSpace* space, double reach);

// An obstacle in a step, for what goes from where the curve was last outside to where it is now.
typedef struct {
    rvSpaceBox box;
    rvVec3 center; // where it was
    double turn;   // of a solid: by how much it moves a point that is 1 m from its centre [m]
} rvSpaceSwept;

rvSpaceSwept rv_space_sweep_of(const rvSpaceObstacle* o);
// Does what goes within a box stay away from it?
bool rv_space_swept_apart(const rvSpaceSwept* swept, const rvSpaceBox* way);
