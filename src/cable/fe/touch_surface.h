// SPDX-License-Identifier: MIT
// A straight piece of rope and a surface.
#pragma once

#include "contact/shape.h"

// Of the piece from p to n and a mesh or a height field, both in the frame of the shape: minus their distance, no more
// than `reach`, the point of the piece that is nearest, and the way to it on the outer side of the triangle there.
double rv_touch_surface(const rvShape* shape, rvVec3 p, rvVec3 n, double reach, rvVec3* point, rvVec3* normal);
