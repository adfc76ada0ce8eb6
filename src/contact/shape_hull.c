// SPDX-License-Identifier: MIT
// Convex hulls: corners and faces by search.
#include "contact/shape_geometry.h"

#include <math.h>

static rvStatus check_hull(const rvShapeCheck* check, const rvShapeDef* def)
{
    rvStatus status = rv_shape_check_points(check, def, 4);
    if (status == RV_OK && def->pointCount > RV_HULL_MAX_POINTS)
        return rv_fail(check->error, RV_BAD_INPUT, "shape '%s': pointCount: is %d, must be <= %d", check->name,
                       def->pointCount, RV_HULL_MAX_POINTS);
    return status;
}

// The frame moves to the middle of the hull, so that its origin lies inside.
static rvStatus take_hull(rvShape* shape, rvMemory* memory, rvError* error, const rvShapeDef* def)
{
    const char* name = def->name ? def->name : "";
    rvHullResult result = rv_hull_build(&shape->hull, memory, def->points, def->pointCount);
    if (result == RV_HULL_NO_MEMORY)
        return rv_shape_no_memory(error, def);
    if (result == RV_HULL_FLAT || !(shape->hull.inradius > 0.0))
        return rv_fail(error, RV_BAD_INPUT, "shape '%s': points: lie in one plane, a hull needs a volume", name);
    rvVec3 center = shape->hull.center;
    shape->frame.p = rvPosePoint(shape->frame, center);
    for (int i = 0; i < shape->hull.pointCount; ++i)
        shape->hull.points[i] = rvSub(shape->hull.points[i], center);
    for (int i = 0; i < shape->hull.faceCount; ++i)
        shape->hull.faces[i].offset -= rvDot(shape->hull.faces[i].normal, center);
    shape->hull.center = rvVec(0, 0, 0);
    return RV_OK;
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

static rvVec3 hull_core(const rvConvex* c, double shrink, rvVec3 n)
{
    double scale = 1.0 - shrink;
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

static bool hull_normal(const rvConvex* c, int i, rvVec3 toward, rvVec3* normal)
{
    (void)toward;
    if (i >= c->hull->faceCount)
        return false;
    rvVec3 n = c->hull->faces[i].normal;
    *normal = rvMulAdd(rvMulAdd(rvScale(n.x, c->axes[0]), n.y, c->axes[1]), n.z, c->axes[2]);
    return true;
}

const rvShapeGeometry rv_shape_hull = {.name = "hull",
                                       .bodies = RV_SHAPE_ON_ALL,
                                       .check = check_hull,
                                       .take = take_hull,
                                       .bound = rv_shape_bound_convex,
                                       .core = hull_core,
                                       .face = hull_face,
                                       .normal = hull_normal,
                                       .edges = rv_shape_no_edges}; // too many
