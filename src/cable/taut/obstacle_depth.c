// SPDX-License-Identifier: MIT
// How deep a straight line is inside a shape. Of a convex one the depth of a point, the least distance to the surface,
// counted negative outside, is concave; its greatest value along a line is found by narrowing. Of a surface of
// triangles some points of the line are asked: what is inside has, straight above it, one triangle more that looks up
// than that look down.
#include "cable/taut/obstacle_parts.h"

#include "contact/gjk.h"

#include <math.h>

enum { SAMPLES = 16 }; // of a line in a surface

double rv_rope_deepest(const rvShape* shape, rvVec3 p, rvVec3 n, rvVec3* point, rvVec3* normal)
{
    *point = p;
    *normal = rvVec(0, 0, 1);
    if (rv_obstacle_kind(shape)->isApart(shape, p, n))
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
        return rv_obstacle_kind(shape)->depth(shape, *point, normal);
    }
    double low = 0.0, high = 1.0, left = 1.0 - golden, right = golden;
    double depthLeft = rv_obstacle_kind(shape)->depth(shape, rvMulAdd(p, left, d), normal);
    double depthRight = rv_obstacle_kind(shape)->depth(shape, rvMulAdd(p, right, d), normal);
    for (int i = 0; i < 48; ++i)
        if (depthLeft < depthRight) {
            low = left;
            left = right;
            depthLeft = depthRight;
            right = low + golden * (high - low);
            depthRight = rv_obstacle_kind(shape)->depth(shape, rvMulAdd(p, right, d), normal);
        } else {
            high = right;
            right = left;
            depthRight = depthLeft;
            left = high - golden * (high - low);
            depthLeft = rv_obstacle_kind(shape)->depth(shape, rvMulAdd(p, left, d), normal);
        }
    *point = rvMulAdd(p, 0.5 * (low + high), d);
    return rv_obstacle_kind(shape)->depth(shape, *point, normal);
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

typedef struct {
    rvVec3 x;
    int up; // triangles above it that look up, less those that look down
} Ray;

static double flat_area(rvVec3 a, rvVec3 b, rvVec3 x)
{
    return (b.x - a.x) * (x.y - a.y) - (b.y - a.y) * (x.x - a.x);
}

static void count_above(const rvFacet* facet, void* context)
{
    Ray* ray = context;
    const rvVec3* c = facet->corners;
    double part[3] = {flat_area(c[1], c[2], ray->x), flat_area(c[2], c[0], ray->x), flat_area(c[0], c[1], ray->x)};
    double whole = part[0] + part[1] + part[2];
    for (int k = 0; k < 3; ++k)
        if (part[k] * whole <= 0.0)
            return;
    double z = (part[0] * c[0].z + part[1] * c[1].z + part[2] * c[2].z) / whole;
    if (z > ray->x.z)
        ray->up += whole > 0.0 ? 1 : -1;
}

// The point a hair aside, so that what is above it is no edge.
static bool is_within(const rvShape* shape, rvVec3 low, rvVec3 high, rvVec3 x)
{
    double hair = 1e-9 * rvDistance(low, high);
    Ray ray = {.x = rvVec(x.x + 0.37 * hair, x.y + 0.71 * hair, x.z)};
    if (x.x < low.x || x.x > high.x || x.y < low.y || x.y > high.y || x.z < low.z || x.z > high.z)
        return false;
    rv_shape_geometry(shape)->surface->visit(shape, ray.x, rvVec(ray.x.x, ray.x.y, high.z), count_above, &ray);
    return ray.up > 0;
}

typedef struct {
    rvVec3 x;
    double distance;
} Nearest;

static void find_nearer(const rvFacet* facet, void* context)
{
    Nearest* nearest = context;
    rvConvex triangle = rv_convex_triangle(facet->corners[0], facet->corners[1], facet->corners[2]);
    rvConvex point = {.type = RV_SHAPE_SPHERE, .p = nearest->x, .axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    nearest->distance = fmin(nearest->distance, rv_gjk(&triangle, &point, 0.0).distance);
}

// From the triangles, all of which are within a box; only those are looked at that are as near as what was found.
static double surface_distance(const rvShape* shape, rvVec3 low, rvVec3 high, rvVec3 x)
{
    Nearest nearest = {x, HUGE_VAL};
    double far = rvDistance(low, high);
    for (double reach = 0.01 * far; nearest.distance > reach && reach < 2.0 * far; reach *= 2.0)
        rv_shape_geometry(shape)->surface->visit(shape, rvSub(x, rvVec(reach, reach, reach)),
                                                 rvAdd(x, rvVec(reach, reach, reach)), find_nearer, &nearest);
    return nearest.distance;
}

// Of samples of the line p - n.
static double deepest_in_surface(const rvShape* shape, rvVec3 p, rvVec3 n, rvVec3* point)
{
    rvVec3 low, high;
    double deepest = -HUGE_VAL;
    rv_shape_geometry(shape)->surface->box(shape, &low, &high);
    for (int i = 0; i <= SAMPLES; ++i) {
        rvVec3 x = rvMulAdd(p, (double)i / SAMPLES, rvSub(n, p));
        double depth = is_within(shape, low, high, x) ? surface_distance(shape, low, high, x) : -HUGE_VAL;
        if (depth <= deepest)
            continue;
        deepest = depth;
        *point = x;
    }
    return deepest;
}

static bool is_on(const rvShape* shape, rvVec3 x)
{
    static const double ON = 1e-6; // [m]
    rvVec3 normal, low, high;
    if (!rv_shape_is_surface(shape))
        return fabs(rv_obstacle_kind(shape)->depth(shape, x, &normal)) < ON;
    rv_shape_geometry(shape)->surface->box(shape, &low, &high);
    return surface_distance(shape, low, high, x) < ON;
}

void rv_rope_look_inside(const rvShape* shape, int index, const rvVec3* points, int count, rvRopeInside* deepest)
{
    bool surface = rv_shape_is_surface(shape), plane = shape->type == RV_SHAPE_PLANE;
    if (surface && !rv_shape_geometry(shape)->surface->isClosed(shape))
        return;
    for (int i = 0; i + 1 < count; ++i) {
        rvVec3 p = rvPosePointBack(shape->pose, points[i]), n = rvPosePointBack(shape->pose, points[i + 1]), at, normal;
        double depth = plane     ? depth_below(p, n, &at)
                       : surface ? deepest_in_surface(shape, p, n, &at)
                                 : rv_rope_deepest(shape, p, n, &at, &normal);
        if (depth > deepest->depth && (plane || !is_on(shape, p) || !is_on(shape, n)))
            *deepest = (rvRopeInside){depth, rvPosePoint(shape->pose, at), index};
    }
}
