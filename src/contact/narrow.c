// SPDX-License-Identifier: MIT
// Pairs that ODE does well go to ODE (geom.c), which finds whether they overlap and along which normal. The others:
//
// Two convex pieces. n is the direction between the nearest points of their cores (GJK); where even the cores overlap,
// the direction of least overlap among the face normals, crossed edges and the line of centres. With n known the
// overlap of the true pieces is exact:  o(n) = max over A of n.p  -  min over B of n.p;  o < 0 is a gap.
// The points come from clipping the faces that look along n (manifold.c), or are one, halfway between the nearest
// points.
//
// A surface is a set of triangles, each a convex piece with one outer side. A triangle touches with its face, or with
// an edge or corner where the surface is bent outward there. Whether it is shows in the corner beyond the edge: a
// normal n counts if that corner is not higher along n. Otherwise the face normal takes its place, and only what lies
// over the triangle counts: a ball rolls and a box slides over inner edges without feeling them.
#include "contact/narrow.h"

#include "contact/geom.h"
#include "contact/gjk.h"
#include "contact/shape_geometry.h"

#include <math.h>

// How far cores are drawn in where no piece is round: a share of the inner radius.
static const double Shrink = 0.05;

// Normals this far [rad] outside of what a triangle's edge allows still count.
static const double BendTolerance = 1e-3;

// Share of their size by which cores are clear of each other.
static const double Clear = 1e-6;

typedef struct {
    const rvConvex *a, *b;
    rvVec3 front; // directions against it do not count; zero: all count
    rvVec3 normal;
    double overlap;
} axisSearch;

static double overlap_along(const rvConvex* a, const rvConvex* b, rvVec3 n)
{
    return rvDot(n, rvSub(rv_convex_support(a, n), rv_convex_support(b, rvNeg(n))));
}

static void try_axis(axisSearch* search, rvVec3 axis)
{
    double length = rvLength(axis);
    if (!(length > 1e-9))
        return;
    for (int side = 0; side < 2; ++side) {
        rvVec3 n = rvScale((side == 0 ? 1.0 : -1.0) / length, axis);
        if (rvDot(n, search->front) < -0.01)
            continue;
        double overlap = overlap_along(search->a, search->b, n);
        if (overlap < search->overlap * (1.0 - 1e-6)) {
            search->overlap = overlap;
            search->normal = n;
        }
    }
}

static void try_faces(axisSearch* search, const rvConvex* c, rvVec3 toward)
{
    rvVec3 normal;
    for (int i = 0; rv_shape_geometries[c->type]->normal(c, i, toward, &normal); ++i)
        try_axis(search, normal);
}

// The direction of least overlap of two pieces whose cores overlap.
static rvVec3 deep_normal(const rvConvex* a, const rvConvex* b, rvVec3 front)
{
    axisSearch search = {.a = a, .b = b, .front = front, .overlap = HUGE_VAL, .normal = rvVec(0, 0, 1)};
    rvVec3 toward = rvSub(b->p, a->p);
    try_faces(&search, a, toward);
    try_faces(&search, b, toward);
    try_axis(&search, toward);
    rvVec3 edgesA[3], edgesB[3];
    int countA = rv_shape_geometries[a->type]->edges(a, edgesA);
    int countB = rv_shape_geometries[b->type]->edges(b, edgesB);
    for (int i = 0; i < countA; ++i)
        for (int k = 0; k < countB; ++k) {
            rvVec3 across = rvCross(edgesA[i], edgesB[k]);
            if (rvLength(across) > 1e-3)
                try_axis(&search, across);
        }
    return search.normal;
}

// The direction between the nearest points of two cores. Where these are as good as one, as of what has no thickness
// and lies on the other, what tells the direction is rounding.
static rvVec3 normal_of(const rvConvex* a, const rvConvex* b, const rvNearest* nearest, rvVec3 front)
{
    return nearest->distance > Clear * nearest->size ? nearest->normal : deep_normal(a, b, front);
}

static double shrink_for(const rvConvex* a, const rvConvex* b)
{
    return rv_convex_is_round(a) || rv_convex_is_round(b) ? 0.0 : Shrink;
}

// One point: the middle of `nearest`, brought halfway between the two surfaces along n.
static void add_single(rvManifold* manifold, const rvConvex* a, const rvConvex* b, const rvNearest* nearest, rvVec3 n,
                       double overlap)
{
    rvVec3 onA = rv_convex_support(a, n);
    rvVec3 onB = rv_convex_support(b, rvNeg(n));
    rvVec3 point =
        nearest->distance > 0.0 ? rvScale(0.5, rvAdd(nearest->onA, nearest->onB)) : rvScale(0.5, rvAdd(onA, onB));
    double middle = 0.5 * (rvDot(n, onA) + rvDot(n, onB));
    rv_manifold_add(manifold, (rvTouch){rvMulAdd(point, middle - rvDot(n, point), n), n, overlap});
}

static void collide_convex(const rvConvex* a, const rvConvex* b, rvManifold* manifold)
{
    rvNearest nearest = rv_gjk(a, b, shrink_for(a, b));
    rvVec3 n = normal_of(a, b, &nearest, rvVec(0, 0, 0));
    double overlap = overlap_along(a, b, n);
    if (!(overlap > -RV_CONTACT_MARGIN))
        return;
    if (rv_manifold_clip(manifold, a, b, n) == 0)
        add_single(manifold, a, b, &nearest, n, overlap);
}

static void collide_plane(rvPose plane, rvVec3 origin, const rvConvex* b, rvManifold* manifold)
{
    rvVec3 n = rvRotate(plane.q, rvVec(0, 0, 1));
    rvVec3 o = rvSub(plane.p, origin);
    rvFace face;
    rv_convex_face(b, rvNeg(n), &face);
    for (int i = 0; i < face.count; ++i) {
        double depth = rvDot(n, rvSub(o, face.corners[i]));
        if (depth > -RV_CONTACT_MARGIN)
            rv_manifold_add(manifold, (rvTouch){rvMulAdd(face.corners[i], 0.5 * depth, n), n, depth});
    }
}

typedef struct {
    rvPose pose; // of the surface, origin taken off
    const rvConvex* shape;
    rvManifold* manifold;
    bool isSolid; // a height field: what is below its surface comes up again
    double limit; // how far the shape's centre may be behind a triangle
} surfaceVisit;

// May the triangle touch along n: is it the highest there, together with what lies beyond its edges.
static bool is_allowed(const rvConvex* triangle, const rvFacet* facet, const rvPose* pose, rvVec3 n, bool* isFace)
{
    double height[3], top = -HUGE_VAL, longest = 0.0;
    for (int k = 0; k < 3; ++k) {
        height[k] = rvDot(n, triangle->corners[k]);
        top = fmax(top, height[k]);
        longest = fmax(longest, rvDistance(triangle->corners[k], triangle->corners[(k + 1) % 3]));
    }
    double level = top - BendTolerance * longest;
    *isFace = height[0] >= level && height[1] >= level && height[2] >= level;
    for (int k = 0; k < 3 && !*isFace; ++k) {
        bool touches = height[k] >= level || height[(k + 1) % 3] >= level;
        if (!touches || !facet->hasBeyond[k])
            continue;
        rvVec3 beyond = rvPosePoint(*pose, facet->beyond[k]);
        double reach = rvDistance(beyond, triangle->corners[k]);
        if (rvDot(n, beyond) > top + BendTolerance * fmax(reach, longest))
            return false;
    }
    return true;
}

static bool is_over(const rvFacet* facet, rvVec3 p)
{
    for (int k = 0; k < 3; ++k) {
        rvVec3 a = facet->corners[k];
        rvVec3 e = rvSub(facet->corners[(k + 1) % 3], a);
        if (e.x * (p.y - a.y) - e.y * (p.x - a.x) < 0.0)
            return false;
    }
    return true;
}

static void collide_facet(const rvFacet* facet, void* context)
{
    surfaceVisit* visit = context;
    const rvConvex* shape = visit->shape;
    rvConvex triangle =
        rv_convex_triangle(rvPosePoint(visit->pose, facet->corners[0]), rvPosePoint(visit->pose, facet->corners[1]),
                           rvPosePoint(visit->pose, facet->corners[2]));
    rvVec3 up = triangle.normal;
    double behind = rvDot(up, rvSub(triangle.corners[0], shape->p));
    rvNearest nearest = {.distance = 0.0};
    if (visit->isSolid && behind > 0.0 && is_over(facet, rvPosePointBack(visit->pose, shape->p))) {
        // sunk in the ground: the triangle over the centre brings it up
        if (rv_manifold_clip(visit->manifold, &triangle, shape, up) == 0)
            add_single(visit->manifold, &triangle, shape, &nearest, up, overlap_along(&triangle, shape, up));
        return;
    }
    if (behind > visit->limit)
        return;
    nearest = rv_gjk(&triangle, shape, shrink_for(&triangle, shape));
    rvVec3 n = normal_of(&triangle, shape, &nearest, up);
    bool isFace = false;
    bool isAllowed = rvDot(n, up) > -0.01 && is_allowed(&triangle, facet, &visit->pose, n, &isFace);
    if (nearest.distance > 0.0 && !(overlap_along(&triangle, shape, n) > -RV_CONTACT_MARGIN))
        return; // apart
    if (!isAllowed || isFace)
        n = up;
    double overlap = overlap_along(&triangle, shape, n);
    if (!(overlap > -RV_CONTACT_MARGIN))
        return;
    if (rv_manifold_clip(visit->manifold, &triangle, shape, n) == 0 && isAllowed)
        add_single(visit->manifold, &triangle, shape, &nearest, n, overlap);
}

static void collide_surface(const rvShape* surface, rvVec3 origin, const rvConvex* shape, rvManifold* manifold)
{
    rvPose pose = {rvSub(surface->pose.p, origin), surface->pose.q};
    surfaceVisit visit = {.pose = pose, .shape = shape, .manifold = manifold};
    visit.isSolid = rv_shape_geometry(surface)->surface->isSolid;
    visit.limit = rv_convex_is_round(shape) ? 0.5 * shape->radius : 0.0;
    rvVec3 axes[3] = {rvVec(1, 0, 0), rvVec(0, 1, 0), rvVec(0, 0, 1)};
    double low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        rvVec3 n = rvRotate(pose.q, axes[i]);
        low[i] = rvDot(n, rvSub(rv_convex_support(shape, rvNeg(n)), pose.p)) - RV_CONTACT_MARGIN;
        high[i] = rvDot(n, rvSub(rv_convex_support(shape, n), pose.p)) + RV_CONTACT_MARGIN;
    }
    rvVec3 from = rvVec(low[0], low[1], low[2]);
    rvVec3 to = rvVec(high[0], high[1], high[2]);
    rv_shape_geometry(surface)->surface->visit(surface, from, to, collide_facet, &visit);
}

// Two pieces of which one may be a plane or a surface: that is the first.
static void collide_ours(const rvShape* first, const rvConvex* convex, rvVec3 origin, rvManifold* manifold)
{
    if (first->type == RV_SHAPE_PLANE) {
        collide_plane(first->pose, origin, convex, manifold);
    } else if (rv_shape_is_surface(first)) {
        collide_surface(first, origin, convex, manifold);
    } else {
        rvConvex other = rv_shape_convex(first, origin);
        collide_convex(&other, convex, manifold);
    }
}

// ODE says whether they overlap and along which normal, but nothing of the points that are only near each other, and of
// four corners on a plane it may name two: where faces meet, all their points count.
static void collide_by_ode(const rvShape* first, const rvShape* second, const rvConvex* convex, rvVec3 origin,
                           rvManifold* manifold)
{
    rv_geom_collide(first->geom, second->geom, manifold);
    for (int i = 0; i < manifold->count; ++i)
        manifold->touches[i].point = rvSub(manifold->touches[i].point, origin);
    if (manifold->count == 0) {
        collide_ours(first, convex, origin, manifold);
        return;
    }
    if (first->type == RV_SHAPE_SPHERE || second->type == RV_SHAPE_SPHERE)
        return;
    rvManifold all;
    all.count = 0;
    if (first->type == RV_SHAPE_PLANE) {
        collide_plane(first->pose, origin, convex, &all);
    } else {
        rvConvex other = rv_shape_convex(first, origin);
        rv_manifold_clip(&all, &other, convex, manifold->touches[0].normal);
    }
    if (all.count >= manifold->count)
        rv_manifold_copy(manifold, &all);
}

void rv_narrow(const rvShape* a, const rvShape* b, rvManifold* manifold)
{
    manifold->count = 0;
    // planes and surfaces come first, and the convex piece is the origin: small numbers far away from the world's
    bool turned = b->type == RV_SHAPE_PLANE || rv_shape_is_surface(b);
    const rvShape* first = turned ? b : a;
    const rvShape* second = turned ? a : b;
    rvVec3 origin = second->pose.p;
    rvConvex convex = rv_shape_convex(second, origin);
    if (rv_geom_knows(first->type, second->type))
        collide_by_ode(first, second, &convex, origin, manifold);
    else
        collide_ours(first, &convex, origin, manifold);
    bool hasRim = rv_shape_geometry(a)->hasRim || rv_shape_geometry(b)->hasRim;
    rv_manifold_reduce(manifold, hasRim ? 2 * RV_MANIFOLD_POINTS : RV_MANIFOLD_POINTS);
    for (int i = 0; i < manifold->count; ++i) {
        rvTouch* touch = &manifold->touches[i];
        touch->point = rvAdd(touch->point, origin);
        touch->normal = turned ? rvNeg(touch->normal) : touch->normal;
    }
}

void rv_narrow_ball(const rvShape* shape, rvVec3 center, double radius, rvManifold* manifold)
{
    rvShape ball = {.type = RV_SHAPE_SPHERE, .radius = radius, .pose = {center, rvQuatIdentity()}};
    rvConvex convex = rv_shape_convex(&ball, center);
    manifold->count = 0;
    collide_ours(shape, &convex, center, manifold);
    rv_manifold_reduce(manifold, RV_MANIFOLD_POINTS);
    for (int i = 0; i < manifold->count; ++i)
        manifold->touches[i].point = rvAdd(manifold->touches[i].point, center);
}
