// SPDX-License-Identifier: MIT
// Points of a curve in space between its nodes, as placed: x = node + sum of weights t_m, by the polynomial through the
// Gauss points of the interval.
#pragma once

#include "cable/curve/space.h"

rvCurveSpot rv_space_spot_in(const rvSpace* space, int interval, double xi);
rvCurveSpot rv_space_spot(const rvSpace* space, double s);                 // s: along the curve [m]
double rv_space_spot_along(const rvSpace* space, const rvCurveSpot* spot); // s
rvVec3 rv_space_point(const rvSpace* space, const rvCurveSpot* spot);
// The frame there, and the spin by rates v.
rvQuat rv_space_frame(const rvSpace* space, const rvCurveSpot* spot);
rvVec3 rv_space_spin_at(const rvSpace* space, const double* v, const rvCurveSpot* spot);
rvVec3 rv_space_tangent(const rvSpace* space, const rvCurveSpot* spot);
// Adds f . dx/dq to a row.
// How a point moves as its interval's two nodes turn, the first of them held: two 3 x 3 matrices by rows; not of what
// stretches.
void rv_space_spot_columns(const rvSpace* space, const rvCurveSpot* spot, double two[18]);
void rv_space_last_columns(const rvSpace* space, int interval, double two[18]); // the same of its last node
void rv_space_add_spot_row(const rvSpace* space, const rvCurveSpot* spot, rvVec3 f, double* row);
// Adds a force to the loads.
void rv_space_add_spot_force(rvSpace* space, const rvCurveSpot* spot, rvVec3 force);
void rv_space_add_spot_load(rvSpace* space, const rvCurveSpot* spot,
                            rvVec3 force); // of that what acts within its interval
