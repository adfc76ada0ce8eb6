// SPDX-License-Identifier: MIT
// A curve takes over from another model.
//
// It hangs at rest by its length between its ends as they are. Its nodes turn as the points of the old one moved beside them,
// theta' = t x dv/ds; it is not stretched faster or slower at first.
#include "cable/curve_cable.h"

#include <string.h>

// Of the old one's point at s, in the plane.
static rvVec2 speed_at(const rvCable* cable, const rvCable* old, const rvBodyStore* bodies, double h, double s)
{
    int span = 0;
    while (span + 1 < cable->route.spanCount && s > rv_cable_rest_before(cable, span + 1))
        span += 1;
    double share = (s - rv_cable_rest_before(cable, span)) / cable->route.places[span].state.rest;
    rvVec3 unused, speed;
    rv_cable_point(old, bodies, h, span, fmin(fmax(share, 0.0), 1.0), &unused, &speed);
    return rv_curve_flat(rv_curve_of(cable), speed);
}

void rv_curve_take_motion(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    const rvPlane* plane = &curve->motion.plane;
    double* v = curve->run.v;
    memset(v, 0, (size_t)plane->count * sizeof(double));
    rvVec2 first = speed_at(cable, old, bodies, h, 0.0);
    v[0] = first.x;
    v[1] = first.y;
    for (int i = 0; i <= plane->intervals; ++i) {
        double from = fmax(i - 1, 0) * plane->step, to = fmin(i + 1, plane->intervals) * plane->step;
        double angle = curve->run.q[rv_plane_angle(plane, i)];
        rvVec2 change = rv_vec2_add(speed_at(cable, old, bodies, h, to), -1.0, speed_at(cable, old, bodies, h, from));
        v[rv_plane_angle(plane, i)] = (cos(angle) * change.y - sin(angle) * change.x) / (to - from);
    }
}

void rv_curve_take(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, rvVec3 gravity, double h)
{
    rv_curve_start(cable, old, bodies, gravity, false, h);
}
