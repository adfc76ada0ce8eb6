// SPDX-License-Identifier: MIT
#include "cable/curve/plane_near.h"

#include <math.h>

enum { REFINEMENTS = 3 }; // each leaves a thousandth: the curvature is that of the angle

rvPlaneNear rv_plane_look(const rvPlane* plane, const double* q, int interval, double xi)
{
    rvPlaneNear here = {.spot = rv_plane_spot_in(plane, interval, xi)};
    // an end is seen the same from both sides
    here.x = xi == 1.0 ? plane->nodes[interval + 1] : rv_plane_point(plane, &here.spot);
    double angle = rv_plane_angle_at(plane, q, &here.spot);
    here.t = rv_vec2(cos(angle), sin(angle));
    return here;
}

// A point with its own tangent; answers the slope, a share of the interval. Nearest points, found by the angle, are
// moved on to where they are by it.
static rvVec2 look_closely(const rvPlane* plane, const double* q, int interval, double xi, rvPlaneNear* here)
{
    *here = rv_plane_look(plane, q, interval, xi);
    rvVec2 slope = rv_plane_slope(plane, &here->spot);
    double length = sqrt(rv_vec2_dot(slope, slope));
    if (length > 0.0)
        here->t = rv_vec2(slope.x / length, slope.y / length);
    return slope;
}

static double within(double xi)
{
    return fmin(fmax(xi, 0.0), 1.0);
}

void rv_plane_refine(const rvPlane* plane, const double* q, rvVec2 center, rvPlaneNear* here)
{
    int i = here->spot.interval;
    double turn = rv_plane_curvature(plane, q, i) * plane->step, xi = here->spot.xi;
    for (int round = 0; round < REFINEMENTS; ++round) {
        rvVec2 slope = look_closely(plane, q, i, xi, here), d = rv_vec2_minus(here->x, center);
        double more = rv_vec2_dot(slope, slope) + turn * rv_vec2_dot(d, rv_vec2_across(slope));
        if (!(more > 1e-3 * rv_vec2_dot(slope, slope))) // on an arc about the centre: no point is nearer
            return;
        xi = within(xi - rv_vec2_dot(d, slope) / more);
    }
    look_closely(plane, q, i, xi, here);
}

void rv_plane_refine_both(const rvPlane* plane, const double* q, rvPlaneNear* one, rvPlaneNear* two)
{
    int i = one->spot.interval, j = two->spot.interval;
    double xi = one->spot.xi, eta = two->spot.xi;
    double turn[2] = {rv_plane_curvature(plane, q, i) * plane->step, rv_plane_curvature(plane, q, j) * plane->step};
    for (int round = 0; round < REFINEMENTS; ++round) {
        rvVec2 a = look_closely(plane, q, i, xi, one), b = look_closely(plane, q, j, eta, two);
        rvVec2 d = rv_vec2_minus(two->x, one->x);
        double aa = rv_vec2_dot(a, a) - turn[0] * rv_vec2_dot(d, rv_vec2_across(a)),
               bb = rv_vec2_dot(b, b) + turn[1] * rv_vec2_dot(d, rv_vec2_across(b)), ab = -rv_vec2_dot(a, b);
        double whole = aa * bb - ab * ab, f = -rv_vec2_dot(d, a), g = rv_vec2_dot(d, b);
        if (!(fabs(whole) > 1e-3 * ab * ab)) // they run along each other
            return;
        xi = within(xi - (bb * f - ab * g) / whole);
        eta = within(eta - (aa * g - ab * f) / whole);
    }
    look_closely(plane, q, i, xi, one);
    look_closely(plane, q, j, eta, two);
}

rvVec2 rv_plane_middle(const rvPlane* plane, int interval)
{
    rvVec2 a = plane->nodes[interval], b = plane->nodes[interval + 1];
    return rv_vec2(0.5 * (a.x + b.x), 0.5 * (a.y + b.y));
}

double rv_plane_stride(const rvPlane* plane)
{
    double most = 1.0;
    for (int k = 0; plane->fields > 1 && k < plane->intervals * RV_GAUSS_POINTS; ++k)
        most = fmax(most, fabs(plane->lambda[k]));
    return (1.0 + 1e-6) * most * plane->step;
}

int rv_plane_next_near(const rvPlane* plane, rvVec2 x, double distance, double stride, int i, int end)
{
    for (int skip = 1; i < end; i += skip) {
        rvVec2 d = rv_vec2_minus(rv_plane_middle(plane, i), x);
        skip = rv_curve_skip(rv_vec2_dot(d, d), distance, stride);
        if (skip == 0)
            break;
    }
    return i;
}
