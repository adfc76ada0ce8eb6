// SPDX-License-Identifier: MIT
// Round shapes: spheres, and capsules, which are a line with a rounding.
#include "contact/shape_geometry.h"

#include <math.h>

// ---- sphere

static rvStatus check_sphere(const rvShapeCheck* check, const rvShapeDef* def)
{
    return rv_shape_check_positive(check, "radius", def->radius);
}

rvVec3 rv_shape_point_core(const rvConvex* c, double shrink, rvVec3 n)
{
    (void)shrink;
    (void)n;
    return c->p;
}

void rv_shape_point_face(const rvConvex* c, rvVec3 n, rvFace* face)
{
    face->count = 1;
    face->corners[0] = rvMulAdd(c->p, c->radius, n);
}

bool rv_shape_no_normal(const rvConvex* c, int i, rvVec3 toward, rvVec3* normal)
{
    (void)c;
    (void)i;
    (void)toward;
    (void)normal;
    return false;
}

int rv_shape_no_edges(const rvConvex* c, rvVec3 directions[3])
{
    (void)c;
    (void)directions;
    return 0;
}

const rvShapeGeometry rv_shape_sphere = {.name = "sphere",
                                         .bodies = RV_SHAPE_ON_ALL,
                                         .isRound = true,
                                         .check = check_sphere,
                                         .take = rv_shape_take_geom,
                                         .bound = rv_shape_bound_convex,
                                         .core = rv_shape_point_core,
                                         .face = rv_shape_point_face,
                                         .normal = rv_shape_no_normal,
                                         .edges = rv_shape_no_edges};

// ---- capsule

rvStatus rv_shape_check_rod(const rvShapeCheck* check, const rvShapeDef* def)
{
    rvStatus status = rv_shape_check_positive(check, "radius", def->radius);
    return status == RV_OK ? rv_shape_check_positive(check, "length", def->length) : status;
}

static rvVec3 capsule_core(const rvConvex* c, double shrink, rvVec3 n)
{
    (void)shrink;
    return rvMulAdd(c->p, rvDot(n, c->axes[2]) < 0.0 ? -c->half : c->half, c->axes[2]);
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

// Across the axis, towards the other piece.
static bool capsule_normal(const rvConvex* c, int i, rvVec3 toward, rvVec3* normal)
{
    *normal = rvMulAdd(toward, -rvDot(toward, c->axes[2]), c->axes[2]);
    return i < 1;
}

int rv_shape_rod_edges(const rvConvex* c, rvVec3 directions[3])
{
    directions[0] = c->axes[2];
    return 1;
}

const rvShapeGeometry rv_shape_capsule = {.name = "capsule",
                                          .bodies = RV_SHAPE_ON_ALL,
                                          .isRound = true,
                                          .check = rv_shape_check_rod,
                                          .take = rv_shape_take_geom,
                                          .bound = rv_shape_bound_convex,
                                          .core = capsule_core,
                                          .face = capsule_face,
                                          .normal = capsule_normal,
                                          .edges = rv_shape_rod_edges};
