// SPDX-License-Identifier: MIT
// Distance between the cores of two convex pieces.
#pragma once

#include "contact/convex.h"

typedef struct {
    double distance; // 0 where they overlap
    rvVec3 normal;   // unit, from a to b; set where distance > 0
    rvVec3 onA, onB; // nearest points of the cores
    double size;     // of what lies between them: nearest points are found to about 1e-10 of that [m]
} rvNearest;

// Cores drawn in by `shrink` (see convex.h). Always returns after at most 128 rounds.
rvNearest rv_gjk(const rvConvex* a, const rvConvex* b, double shrink);
