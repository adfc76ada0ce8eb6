// SPDX-License-Identifier: MIT
// The curve that a span of finite elements begins with: a parabola below its chord, or beside it where that is steep,
// so that it has room to hang; where its ends are near each other it bulges, so that it is a loop and no fold. At equal
// steps of it, with the lengths up to each.
#pragma once

#include "cable/core/cable.h"

enum { RV_START_CURVE_POINTS = 129 };

typedef struct {
    rvVec3 from, chord, down, aside;
    rvVec3 points[RV_START_CURVE_POINTS];
    double lengths[RV_START_CURVE_POINTS];
} rvStartCurve;

// As long as its rope of that rest length, if that reaches.
void rv_start_curve_draw(rvStartCurve* curve, const rvCable* cable, int span, double rest, rvVec3 down);
double rv_start_curve_length(const rvStartCurve* curve);
// The point at a share of its length, and the direction there.
rvVec3 rv_start_curve_point(const rvStartCurve* curve, double share, rvVec3* way);
