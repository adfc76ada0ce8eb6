// SPDX-License-Identifier: MIT
// How deep a straight line is inside a shape. Of a convex one the depth of a point, the least distance to the surface,
// counted negative outside, is concave; its greatest value along a line is found by narrowing. Of a surface of
// triangles some points of the line are asked: what is inside has, straight above it, one triangle more that looks up
// than that look down.
#include "cable/taut/obstacle_parts.h"

#include "contact/gjk.h"

#include <math.h>

enum { SAMPLES = 16 }; // of a line in a surface

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

static void visit_surface(const rvShape* shape, rvVec3 low, rvVec3 high, rvFacetFn fn, void* context)
{
    if (shape->type == RV_SHAPE_MESH)
        rv_mesh_visit(&shape->mesh, low, high, fn, context);
    else
        rv_height_field_visit(&shape->field, low, high, fn, context);
}

// Has a mesh an inside? A field has: what is below it.
static bool is_closed(const rvShape* shape)
{
    for (int i = 0; shape->type == RV_SHAPE_MESH && i < shape->mesh.triangleCount; ++i)
        for (int k = 0; k < 3; ++k)
            if (shape->mesh.beyond[i][k] < 0)
                return false;
    return true;
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
    visit_surface(shape, ray.x, rvVec(ray.x.x, ray.x.y, high.z), count_above, &ray);
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
        visit_surface(shape, rvSub(x, rvVec(reach, reach, reach)), rvAdd(x, rvVec(reach, reach, reach)), find_nearer,
                      &nearest);
    return nearest.distance;
}

static void surface_box(const rvShape* shape, rvVec3* low, rvVec3* high)
{
    const rvHeightField* f = &shape->field;
    bool mesh = shape->type == RV_SHAPE_MESH;
    *low = mesh ? shape->mesh.nodes[0].low : rvVec(-0.5 * f->sizeX, -0.5 * f->sizeY, f->low - f->thickness);
    *high = mesh ? shape->mesh.nodes[0].high : rvVec(0.5 * f->sizeX, 0.5 * f->sizeY, f->high);
}

// Of samples of the line p - n.
static double deepest_in_surface(const rvShape* shape, rvVec3 p, rvVec3 n, rvVec3* point)
{
    rvVec3 low, high;
    double deepest = -HUGE_VAL;
    surface_box(shape, &low, &high);
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
        return fabs(point_depth(shape, x, &normal)) < ON;
    surface_box(shape, &low, &high);
    return surface_distance(shape, low, high, x) < ON;
}

void rv_rope_look_inside(const rvShape* shape, int index, const rvVec3* points, int count, rvRopeInside* deepest)
{
    bool surface = rv_shape_is_surface(shape), plane = shape->type == RV_SHAPE_PLANE;
    if (surface && !is_closed(shape))
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
