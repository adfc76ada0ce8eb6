// SPDX-License-Identifier: MIT
// Cylinders.
#include "contact/shape_geometry.h"

#include <math.h>

// The part of n across the axis of a cylinder, in its own x and y, unit; x where there is none.
static void rim_direction(const rvConvex* c, rvVec3 n, double* x, double* y)
{
    double nx = rvDot(n, c->axes[0]);
    double ny = rvDot(n, c->axes[1]);
    double length = sqrt(nx * nx + ny * ny);
    // a direction along the axis but for round-off has no side; the corner of the fixed rim is as good as any
    bool clear = length > 1e-12 * (fabs(nx) + fabs(ny) + fabs(rvDot(n, c->axes[2])));
    *x = clear ? nx / length : 1.0;
    *y = clear ? ny / length : 0.0;
}

static rvVec3 cylinder_point(const rvConvex* c, double radius, double along, double x, double y)
{
    rvVec3 p = rvMulAdd(c->p, along, c->axes[2]);
    return rvMulAdd(rvMulAdd(p, radius * x, c->axes[0]), radius * y, c->axes[1]);
}

static rvVec3 cylinder_core(const rvConvex* c, double shrink, rvVec3 n)
{
    double cut = shrink * fmin(c->radius, c->half), radius = c->radius - cut, half = c->half - cut;
    double x, y;
    rim_direction(c, n, &x, &y);
    return cylinder_point(c, radius, rvDot(n, c->axes[2]) < 0.0 ? -half : half, x, y);
}

// A cylinder's end is an octagon fixed to the body plus the exact lowest point of the rim, so that a tilted cylinder
// stands on its true rim; its side is a line.
static void cylinder_face(const rvConvex* c, rvVec3 n, rvFace* face)
{
    double along = rvDot(n, c->axes[2]);
    double x, y;
    rim_direction(c, n, &x, &y);
    if (fabs(along) < 0.7) {
        rvVec3 radial = rvMulAdd(rvScale(x, c->axes[0]), y, c->axes[1]);
        face->normal = radial;
        face->count = 2;
        face->corners[0] = rvMulAdd(rvMulAdd(c->p, -c->half, c->axes[2]), c->radius, radial);
        face->corners[1] = rvMulAdd(rvMulAdd(c->p, c->half, c->axes[2]), c->radius, radial);
        return;
    }
    // a table, not cos and sin: a compiler may fold those to other last bits than the library gives
    enum { ROUND = RV_RIM_CORNERS + 1 };
    const double w = 0.70710678118654752440;
    const double rim[ROUND][2] = {{1, 0}, {w, w}, {0, 1}, {-w, w}, {-1, 0}, {-w, -w}, {0, -1}, {w, -w}, {1, 0}};
    double side = along < 0.0 ? -1.0 : 1.0;
    face->normal = rvScale(side, c->axes[2]);
    face->count = 0;
    for (int i = 0; i < RV_RIM_CORNERS; ++i) {
        const double* from = rim[i];
        const double* to = rim[i + 1];
        face->corners[face->count++] = cylinder_point(c, c->radius, side * c->half, from[0], side * from[1]);
        bool after = from[0] * side * y - from[1] * x > 1e-3;
        bool before = x * to[1] - side * y * to[0] > 1e-3;
        if (after && before)
            face->corners[face->count++] = cylinder_point(c, c->radius, side * c->half, x, y);
    }
}

// Along the axis, and across it towards the other piece.
static bool cylinder_normal(const rvConvex* c, int i, rvVec3 toward, rvVec3* normal)
{
    *normal = i == 0 ? c->axes[2] : rvMulAdd(toward, -rvDot(toward, c->axes[2]), c->axes[2]);
    return i < 2;
}

const rvShapeGeometry rv_shape_cylinder = {.name = "cylinder",
                                           .bodies = RV_SHAPE_ON_ALL,
                                           .hasRim = true,
                                           .check = rv_shape_check_rod,
                                           .take = rv_shape_take_geom,
                                           .bound = rv_shape_bound_convex,
                                           .core = cylinder_core,
                                           .face = cylinder_face,
                                           .normal = cylinder_normal,
                                           .edges = rv_shape_rod_edges};
