// SPDX-License-Identifier: MIT
// Directions that are found from others.
#pragma once

#include "reeve/math.h"

// The direction of `side` across a unit vector. Where the two are parallel but for rounding, what is left of `side` has
// no direction of its own (it may even be along the axis): then some direction across it.
static inline rvVec3 rv_across_axis(rvVec3 side, rvVec3 axis)
{
    const double LEAST = 1e-6; // [rad]: there the direction is still right to 1e-10
    rvVec3 across = rvMulAdd(side, -rvDot(side, axis), axis);
    return rvLength(across) > LEAST * rvLength(side) ? rvNormalizeOr(across, rvAcross(axis)) : rvAcross(axis);
}
