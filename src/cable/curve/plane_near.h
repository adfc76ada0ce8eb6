// SPDX-License-Identifier: MIT
// Nearest points of a curve in a plane, and which of its intervals may be near a point: all others are passed over.
#pragma once

#include "cable/curve/plane.h"

// A point of an interval, with the curve's tangent there.
typedef struct {
    rvCurveSpot spot;
    rvVec2 x, t;
} rvPlaneNear;

rvPlaneNear rv_plane_look(const rvPlane* plane, const double* q, int interval, double xi);
// The nearest point to a centre, in its interval; the nearest points of two intervals.
void rv_plane_refine(const rvPlane* plane, const double* q, rvVec2 center, rvPlaneNear* here);
void rv_plane_refine_both(const rvPlane* plane, const double* q, rvPlaneNear* one, rvPlaneNear* two);

rvVec2 rv_plane_middle(const rvPlane* plane, int interval);
// Middles of neighbours are no farther apart than this: half of what lies between their outer ends.
double rv_plane_stride(const rvPlane* plane);
// The first interval from i on, but before `end`, whose middle may be nearer to x than `distance`.
int rv_plane_next_near(const rvPlane* plane, rvVec2 x, double distance, double stride, int i, int end);

// How far from a pair of points of intervals two curves are seen: an interval is at most this far from its middle.
static inline double rv_plane_reach(const rvPlane* plane)
{
    return plane->step;
}

static inline bool rv_plane_is_far(rvVec2 d, double distance)
{
    return rv_vec2_dot(d, d) > distance * distance;
}
