// SPDX-License-Identifier: MIT
#include "contact/convex.h"

#include <math.h>

rvConvex rv_convex_triangle(rvVec3 a, rvVec3 b, rvVec3 c)
{
    rvConvex convex = {.type = RV_SHAPE_MESH, .corners = {a, b, c}};
    convex.p = rvScale(1.0 / 3.0, rvAdd(a, rvAdd(b, c)));
    convex.normal = rvNormalizeOr(rvCross(rvSub(b, a), rvSub(c, a)), rvVec(0, 0, 1));
    return convex;
}

static rvVec3 box_support(const rvConvex* b, rvVec3 halves, rvVec3 n)
{
    rvVec3 p = rvMulAdd(b->p, rvDot(n, b->axes[0]) < 0.0 ? -halves.x : halves.x, b->axes[0]);
    p = rvMulAdd(p, rvDot(n, b->axes[1]) < 0.0 ? -halves.y : halves.y, b->axes[1]);
    return rvMulAdd(p, rvDot(n, b->axes[2]) < 0.0 ? -halves.z : halves.z, b->axes[2]);
}

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

static rvVec3 cylinder_support(const rvConvex* c, double radius, double half, rvVec3 n)
{
    double x, y;
    rim_direction(c, n, &x, &y);
    return cylinder_point(c, radius, rvDot(n, c->axes[2]) < 0.0 ? -half : half, x, y);
}

static rvVec3 to_world(const rvConvex* c, rvVec3 local)
{
    rvVec3 p = rvMulAdd(c->p, local.x, c->axes[0]);
    return rvMulAdd(rvMulAdd(p, local.y, c->axes[1]), local.z, c->axes[2]);
}

static rvVec3 to_local(const rvConvex* c, rvVec3 n)
{
    return rvVec(rvDot(n, c->axes[0]), rvDot(n, c->axes[1]), rvDot(n, c->axes[2]));
}

static rvVec3 hull_support(const rvConvex* c, double scale, rvVec3 n)
{
    rvVec3 m = to_local(c, n);
    int best = 0;
    double most = -HUGE_VAL;
    for (int i = 0; i < c->hull->pointCount; ++i) {
        double d = rvDot(m, c->hull->points[i]);
        if (d > most) {
            most = d;
            best = i;
        }
    }
    rvVec3 center = c->hull->center;
    return to_world(c, rvMulAdd(center, scale, rvSub(c->hull->points[best], center)));
}

static rvVec3 triangle_support(const rvConvex* c, rvVec3 n)
{
    double a = rvDot(n, c->corners[0]);
    double b = rvDot(n, c->corners[1]);
    double d = rvDot(n, c->corners[2]);
    if (a >= b && a >= d)
        return c->corners[0];
    return b >= d ? c->corners[1] : c->corners[2];
}

rvVec3 rv_convex_core_support(const rvConvex* c, double shrink, rvVec3 n)
{
    switch (c->type) {
    case RV_SHAPE_BOX: {
        double cut = shrink * fmin(c->halves.x, fmin(c->halves.y, c->halves.z));
        return box_support(c, rvVec(c->halves.x - cut, c->halves.y - cut, c->halves.z - cut), n);
    }
    case RV_SHAPE_CAPSULE:
        return rvMulAdd(c->p, rvDot(n, c->axes[2]) < 0.0 ? -c->half : c->half, c->axes[2]);
    case RV_SHAPE_CYLINDER: {
        double cut = shrink * fmin(c->radius, c->half);
        return cylinder_support(c, c->radius - cut, c->half - cut, n);
    }
    case RV_SHAPE_HULL:
        return hull_support(c, 1.0 - shrink, n);
    case RV_SHAPE_MESH:
        return triangle_support(c, n);
    default:
        return c->p;
    }
}

rvVec3 rv_convex_support(const rvConvex* c, rvVec3 n)
{
    rvVec3 core = rv_convex_core_support(c, 0.0, n);
    return rv_convex_is_round(c) ? rvMulAdd(core, c->radius, rvNormalizeOr(n, rvVec(0, 0, 1))) : core;
}

static void box_face(const rvConvex* b, rvVec3 n, rvFace* face)
{
    double halves[3] = {b->halves.x, b->halves.y, b->halves.z};
    int axis = 0;
    for (int i = 1; i < 3; ++i)
        if (fabs(rvDot(n, b->axes[i])) > fabs(rvDot(n, b->axes[axis])))
            axis = i;
    double side = rvDot(n, b->axes[axis]) < 0.0 ? -1.0 : 1.0;
    int u = (axis + 1) % 3;
    int v = (axis + 2) % 3;
    face->normal = rvScale(side, b->axes[axis]);
    face->count = 4;
    static const double corner[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    for (int i = 0; i < 4; ++i) {
        rvVec3 p = rvMulAdd(b->p, halves[axis], face->normal);
        p = rvMulAdd(p, corner[i][0] * halves[u], b->axes[u]);
        face->corners[i] = rvMulAdd(p, side * corner[i][1] * halves[v], b->axes[v]);
    }
}

// Lying: a line; standing or leaning by more than 30 degrees: a point of its end.
static void capsule_face(const rvConvex* c, rvVec3 n, rvFace* face)
{
    double along = rvDot(n, c->axes[2]);
    rvVec3 low = rvMulAdd(rvMulAdd(c->p, -c->half, c->axes[2]), c->radius, n);
    rvVec3 high = rvMulAdd(rvMulAdd(c->p, c->half, c->axes[2]), c->radius, n);
    face->count = fabs(along) > 0.5 ? 1 : 2;
    face->corners[0] = face->count == 1 && along > 0.0 ? high : low;
    face->corners[1] = high;
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

static void hull_face(const rvConvex* c, rvVec3 n, rvFace* face)
{
    rvVec3 m = to_local(c, n);
    const rvHullFace* best = &c->hull->faces[0];
    for (int i = 1; i < c->hull->faceCount; ++i)
        if (rvDot(m, c->hull->faces[i].normal) > rvDot(m, best->normal))
            best = &c->hull->faces[i];
    face->normal = rvSub(to_world(c, best->normal), c->p);
    face->count = best->count;
    for (int i = 0; i < best->count; ++i)
        face->corners[i] = to_world(c, c->hull->points[c->hull->corners[best->first + i]]);
}

void rv_convex_face(const rvConvex* c, rvVec3 n, rvFace* face)
{
    face->normal = n;
    switch (c->type) {
    case RV_SHAPE_BOX:
        box_face(c, n, face);
        break;
    case RV_SHAPE_CAPSULE:
        capsule_face(c, n, face);
        break;
    case RV_SHAPE_CYLINDER:
        cylinder_face(c, n, face);
        break;
    case RV_SHAPE_HULL:
        hull_face(c, n, face);
        break;
    case RV_SHAPE_MESH: {
        bool front = rvDot(n, c->normal) >= 0.0;
        face->count = 3;
        face->normal = front ? c->normal : rvNeg(c->normal);
        face->corners[0] = c->corners[0];
        face->corners[1] = c->corners[front ? 1 : 2];
        face->corners[2] = c->corners[front ? 2 : 1];
        break;
    }
    default:
        face->count = 1;
        face->corners[0] = rvMulAdd(c->p, c->radius, n);
    }
}
