// SPDX-License-Identifier: MIT
// How deep a straight line is inside a convex shape. The depth of a point, the least distance to the surface, counted
// negative outside, is concave; its greatest value along a line is found by narrowing.
#include "cable/route/obstacle_parts.h"

#include <math.h>

static double nearer(double depth, double best, rvVec3 normal, rvVec3* out)
{
    if (depth >= best)
        return best;
    *out = normal;
    return depth;
}

// Depth of a point of the shape's frame (outside it may be less deep than told: what counts is the sign) and the
// normal of the nearest part of the surface.
static double point_depth(const rvShape* shape, rvVec3 x, rvVec3* normal)
{
    double depth = HUGE_VAL;
    switch (shape->type) {
    case RV_SHAPE_BOX:
        depth = nearer(shape->halves.x - fabs(x.x), depth, rvVec(x.x < 0 ? -1 : 1, 0, 0), normal);
        depth = nearer(shape->halves.y - fabs(x.y), depth, rvVec(0, x.y < 0 ? -1 : 1, 0), normal);
        return nearer(shape->halves.z - fabs(x.z), depth, rvVec(0, 0, x.z < 0 ? -1 : 1), normal);
    case RV_SHAPE_HULL:
        for (int i = 0; i < shape->hull.faceCount; ++i) {
            const rvHullFace* face = &shape->hull.faces[i];
            depth = nearer(face->offset - rvDot(face->normal, x), depth, face->normal, normal);
        }
        return depth;
    case RV_SHAPE_CYLINDER: {
        double r = hypot(x.x, x.y);
        depth = nearer(shape->radius - r, depth, r > 0.0 ? rvVec(x.x / r, x.y / r, 0) : rvVec(1, 0, 0), normal);
        return nearer(shape->half - fabs(x.z), depth, rvVec(0, 0, x.z < 0 ? -1 : 1), normal);
    }
    case RV_SHAPE_SPHERE:
    case RV_SHAPE_CAPSULE: {
        double half = shape->type == RV_SHAPE_CAPSULE ? shape->half : 0.0;
        rvVec3 d = rvVec(x.x, x.y, x.z - fmin(fmax(x.z, -half), half));
        *normal = rvNormalizeOr(d, rvVec(1, 0, 0));
        return shape->radius - rvLength(d);
    }
    default:
        return -HUGE_VAL;
    }
}

// Both ends outside one flat face: the common case.
static bool is_apart(const rvShape* shape, rvVec3 p, rvVec3 n)
{
    rvVec3 h = shape->halves;
    if (shape->type == RV_SHAPE_HULL) {
        for (int i = 0; i < shape->hull.faceCount; ++i) {
            const rvHullFace* face = &shape->hull.faces[i];
            if (rvDot(face->normal, p) >= face->offset && rvDot(face->normal, n) >= face->offset)
                return true;
        }
        return false;
    }
    if (shape->type != RV_SHAPE_BOX) {
        double end = shape->type == RV_SHAPE_CYLINDER ? 0.0 : shape->radius;
        h = rvVec(shape->radius, shape->radius, (shape->type == RV_SHAPE_SPHERE ? 0.0 : shape->half) + end);
    }
    return fmin(p.x, n.x) >= h.x || fmax(p.x, n.x) <= -h.x || fmin(p.y, n.y) >= h.y || fmax(p.y, n.y) <= -h.y ||
           fmin(p.z, n.z) >= h.z || fmax(p.z, n.z) <= -h.z;
}

double rv_rope_deepest(const rvShape* shape, rvVec3 p, rvVec3 n, rvVec3* point, rvVec3* normal)
{
    *point = p;
    *normal = rvVec(0, 0, 1);
    if (shape->type == RV_SHAPE_PLANE || rv_shape_is_surface(shape) || is_apart(shape, p, n))
        return -HUGE_VAL;
    return rv_rope_nearest(shape, p, n, point, normal);
}

double rv_rope_nearest(const rvShape* shape, rvVec3 p, rvVec3 n, rvVec3* point, rvVec3* normal)
{
    const double golden = 0.6180339887498949;
    rvVec3 d = rvSub(n, p);
    if (shape->type == RV_SHAPE_SPHERE || rvDot(d, d) == 0.0) {
        double f = -rvDot(p, d) / fmax(rvDot(d, d), 1e-300);
        *point = rvMulAdd(p, f < 0.0 ? 0.0 : f > 1.0 ? 1.0 : f, d);
        return point_depth(shape, *point, normal);
    }
    double low = 0.0, high = 1.0, left = 1.0 - golden, right = golden;
    double depthLeft = point_depth(shape, rvMulAdd(p, left, d), normal);
    double depthRight = point_depth(shape, rvMulAdd(p, right, d), normal);
    for (int i = 0; i < 48; ++i)
        if (depthLeft < depthRight) {
            low = left;
            left = right;
            depthLeft = depthRight;
            right = low + golden * (high - low);
            depthRight = point_depth(shape, rvMulAdd(p, right, d), normal);
        } else {
            high = right;
            right = left;
            depthRight = depthLeft;
            left = high - golden * (high - low);
            depthLeft = point_depth(shape, rvMulAdd(p, left, d), normal);
        }
    *point = rvMulAdd(p, 0.5 * (low + high), d);
    return point_depth(shape, *point, normal);
}

double rv_rope_depth(const rvShape* shape, rvVec3 p, rvVec3 n)
{
    rvVec3 point, normal;
    double depth =
        rv_rope_deepest(shape, rvPosePointBack(shape->pose, p), rvPosePointBack(shape->pose, n), &point, &normal);
    return depth > 0.0 ? depth : 0.0;
}

// Of a plane.
static double depth_below(rvVec3 p, rvVec3 n, rvVec3* point)
{
    *point = p.z < n.z ? p : n;
    return -point->z;
}

void rv_rope_look_inside(const rvShape* shape, int index, const rvVec3* points, int count, rvRopeInside* deepest)
{
    static const double ON = 1e-6; // [m]
    for (int i = 0; i + 1 < count && !rv_shape_is_surface(shape); ++i) {
        rvVec3 p = rvPosePointBack(shape->pose, points[i]), n = rvPosePointBack(shape->pose, points[i + 1]), at, normal;
        bool plane = shape->type == RV_SHAPE_PLANE;
        if (!plane && fabs(point_depth(shape, p, &normal)) < ON && fabs(point_depth(shape, n, &normal)) < ON)
            continue;
        double depth = plane ? depth_below(p, n, &at) : rv_rope_deepest(shape, p, n, &at, &normal);
        if (depth > deepest->depth)
            *deepest = (rvRopeInside){depth, rvPosePoint(shape->pose, at), index};
    }
}
