// SPDX-License-Identifier: MIT
// Clipping of supporting faces. The face that looks more along n is the reference r, the other one is cut to the prism
// over r along n (Sutherland and Hodgman). A point p left over has depth  (o - p).m / (n.m)  along n, with o a corner
// and m the normal of r.
#include "contact/manifold.h"

#include <math.h>

enum { CLIP_ROOM = 2 * RV_FACE_MAX_CORNERS };

static const double Tie = 1e-6;   // relative
static const double Flush = 1e-9; // a corner so near to a cutting plane lies on it [m]

typedef struct {
    rvVec3 points[CLIP_ROOM];
    int count;
} polygon;

static void copy_points(polygon* to, const rvVec3* points, int count)
{
    to->count = count;
    for (int i = 0; i < count; ++i)
        to->points[i] = points[i];
}

// Height over the plane through o across m.
static double height_over(rvVec3 p, rvVec3 o, rvVec3 m)
{
    double height = rvDot(rvSub(p, o), m);
    return fabs(height) > Flush * rvLength(m) ? height : 0.0;
}

// Keeps the side of the plane through o where (p - o).m <= 0. A line of two points stays a line.
static void cut(const polygon* in, rvVec3 o, rvVec3 m, polygon* out)
{
    out->count = 0;
    int edges = in->count == 2 ? 1 : in->count;
    if (in->count == 1) {
        if (height_over(in->points[0], o, m) <= 0.0)
            out->points[out->count++] = in->points[0];
        return;
    }
    for (int i = 0; i < edges && out->count + 3 <= CLIP_ROOM; ++i) {
        rvVec3 p = in->points[i];
        rvVec3 q = in->points[(i + 1) % in->count];
        double hp = height_over(p, o, m);
        double hq = height_over(q, o, m);
        if (hp <= 0.0)
            out->points[out->count++] = p;
        if ((hp < 0.0 && hq > 0.0) || (hp > 0.0 && hq < 0.0))
            out->points[out->count++] = rvMulAdd(p, hp / (hp - hq), rvSub(q, p));
        if (in->count == 2 && hq <= 0.0)
            out->points[out->count++] = q;
    }
}

static bool is_near(rvVec3 a, rvVec3 b, double limit)
{
    rvVec3 d = rvSub(a, b);
    return rvDot(d, d) <= limit * limit;
}

// The one of the list `of` farthest from p; ties go to the first (1 + Tie), so that round-off does not change the
// choice from step to step.
static int farthest(const rvTouch* touches, const int* of, int count, rvVec3 p)
{
    int best = 0;
    for (int i = 1; i < count; ++i)
        if (rvDistance(touches[of[i]].point, p) > rvDistance(touches[of[best]].point, p) * (1.0 + Tie))
            best = i;
    return best;
}

// Puts the point that adds most area to a ring of points (they turn left about n) at its place there. False: all lie
// within the ring.
static bool widen(const rvTouch* touches, const int* of, int count, rvVec3 n, int* ring, int ringCount, double least)
{
    int point = -1, side = 0;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < ringCount; ++k) {
            rvVec3 a = touches[ring[k]].point;
            rvVec3 b = touches[ring[(k + 1) % ringCount]].point;
            double area = rvDot(n, rvCross(rvSub(touches[of[i]].point, a), rvSub(b, a)));
            if (area > least * (1.0 + Tie)) {
                least = area;
                point = of[i];
                side = k;
            }
        }
    if (point < 0)
        return false;
    for (int k = ringCount; k > side + 1; --k)
        ring[k] = ring[k - 1];
    ring[side + 1] = point;
    return true;
}

// Picks up to `most` points out of the list `of`, those that span the largest area to stand on; `of` becomes the picked
// ones. First the one farthest out, then the one farthest from it, then always the one that adds most area. (By
// distance alone a point along an edge may win over the corner at its end; of two edges that fall together there is one
// anywhere.)
static int pick(const rvTouch* touches, int* of, int count, int most)
{
    if (count <= most)
        return count;
    rvVec3 mean = {0, 0, 0};
    int deepest = of[0];
    for (int i = 0; i < count; ++i) {
        mean = rvMulAdd(mean, 1.0 / count, touches[of[i]].point);
        deepest = touches[of[i]].depth > touches[deepest].depth ? of[i] : deepest;
    }
    int ring[2 * RV_MANIFOLD_POINTS];
    ring[0] = of[farthest(touches, of, count, mean)];
    rvVec3 first = touches[ring[0]].point;
    ring[1] = of[farthest(touches, of, count, first)];
    double across = rvDistance(first, touches[ring[1]].point);
    int picked = 2;
    while (picked < most && widen(touches, of, count, touches[of[0]].normal, ring, picked, Tie * across * across))
        picked += 1;
    double depth = 0.0;
    int nearest = 0;
    for (int k = 0; k < picked; ++k) {
        rvVec3 p = touches[deepest].point;
        depth = fmax(depth, touches[ring[k]].depth);
        if (rvDistance(touches[ring[k]].point, p) < rvDistance(touches[ring[nearest]].point, p))
            nearest = k;
    }
    // the deepest counts where it is clearly deeper than what was picked
    if (touches[deepest].depth > 1.1 * depth)
        ring[picked < most ? picked++ : nearest] = deepest;
    for (int k = 0; k < picked; ++k)
        of[k] = ring[k];
    return picked;
}

void rv_manifold_reduce(rvManifold* manifold, int most)
{
    rvManifold reduced;
    reduced.count = 0;
    bool done[RV_MANIFOLD_ROOM] = {false};
    int of[RV_MANIFOLD_ROOM];
    for (int i = 0; i < manifold->count; ++i) {
        if (done[i])
            continue;
        int count = 0;
        for (int k = i; k < manifold->count; ++k)
            // 0.995: normals within 6 degrees are one direction
            if (!done[k] && rvDot(manifold->touches[i].normal, manifold->touches[k].normal) > 0.995) {
                done[k] = true;
                of[count++] = k;
            }
        // gaps stand back where there is enough to stand on
        int overlaps = 0;
        for (int k = 0; k < count; ++k)
            overlaps += manifold->touches[of[k]].depth > 0.0;
        if (overlaps >= most) {
            int kept = 0;
            for (int k = 0; k < count; ++k)
                if (manifold->touches[of[k]].depth > 0.0)
                    of[kept++] = of[k];
            count = kept;
        }
        count = pick(manifold->touches, of, count, most);
        for (int k = 0; k < count; ++k)
            reduced.touches[reduced.count++] = manifold->touches[of[k]];
    }
    rv_manifold_copy(manifold, &reduced);
}

void rv_manifold_copy(rvManifold* manifold, const rvManifold* from)
{
    manifold->count = from->count;
    for (int i = 0; i < from->count; ++i)
        manifold->touches[i] = from->touches[i];
}

void rv_manifold_add(rvManifold* manifold, rvTouch touch)
{
    if (manifold->count == RV_MANIFOLD_ROOM)
        rv_manifold_reduce(manifold, RV_MANIFOLD_POINTS);
    // neighbours in a mesh share edges: the same point twice would only make the rows redundant
    for (int i = 0; i < manifold->count; ++i) {
        rvTouch* other = &manifold->touches[i];
        if (rvDot(other->normal, touch.normal) > 0.995 && is_near(other->point, touch.point, 1e-6)) {
            if (touch.depth > other->depth)
                *other = touch;
            return;
        }
    }
    if (manifold->count < RV_MANIFOLD_ROOM)
        manifold->touches[manifold->count++] = touch;
}

// Cuts the lines of two capsules or cylinders that lie along each other to their common part.
static void cut_to_line(polygon* points, const rvFace* reference)
{
    polygon kept;
    rvVec3 along = rvSub(reference->corners[1], reference->corners[0]);
    cut(points, reference->corners[0], rvNeg(along), &kept);
    cut(&kept, reference->corners[1], along, points);
}

static void cut_to_face(polygon* points, const rvFace* reference, rvVec3 n)
{
    polygon other;
    polygon* from = points;
    polygon* to = &other;
    for (int i = 0; i < reference->count && from->count > 0; ++i) {
        rvVec3 o = reference->corners[i];
        rvVec3 edge = rvSub(reference->corners[(i + 1) % reference->count], o);
        rvVec3 m = rvCross(edge, n);
        cut(from, o, rvDot(reference->normal, n) < 0.0 ? rvNeg(m) : m, to);
        polygon* swap = from;
        from = to;
        to = swap;
    }
    if (from != points)
        copy_points(points, from->points, from->count);
}

int rv_manifold_clip(rvManifold* manifold, const rvConvex* a, const rvConvex* b, rvVec3 n)
{
    rvFace faces[2];
    rv_convex_face(a, n, &faces[0]);
    rv_convex_face(b, rvNeg(n), &faces[1]);
    double facing[2] = {rvDot(faces[0].normal, n), -rvDot(faces[1].normal, n)};
    int reference = facing[1] > facing[0] * (1.0 + 1e-6) ? 1 : 0;
    // a polygon cuts a line or a point, never the other way round
    if (faces[0].count < 3 || faces[1].count < 3)
        reference = faces[1].count > faces[0].count ? 1 : 0;
    const rvFace* r = &faces[reference];
    const rvFace* other = &faces[1 - reference];
    if (r->count == 1 || facing[reference] < 1e-3)
        return 0;
    polygon points;
    copy_points(&points, other->corners, other->count);
    double toward = reference == 0 ? 1.0 : -1.0; // the reference looks along n, or against it
    rvVec3 m = r->normal;
    if (r->count == 2) {
        rvVec3 u = rvNormalizeOr(rvSub(r->corners[1], r->corners[0]), n);
        rvVec3 v = other->count == 2 ? rvNormalizeOr(rvSub(other->corners[1], other->corners[0]), n) : u;
        if (other->count == 2 && rvLength(rvCross(u, v)) > 0.05)
            return 0; // crossing lines touch in one point
        m = rvScale(toward, rvNormalizeOr(rvMulAdd(n, -rvDot(n, u), u), n));
        cut_to_line(&points, r);
    } else {
        cut_to_face(&points, r, n);
    }
    int found = 0;
    for (int i = 0; i < points.count; ++i) {
        double depth = rvDot(rvSub(r->corners[0], points.points[i]), m) / (toward * rvDot(n, m));
        if (!(depth > -RV_CONTACT_MARGIN))
            continue;
        rvVec3 middle = rvMulAdd(points.points[i], 0.5 * depth * toward, n);
        rv_manifold_add(manifold, (rvTouch){middle, n, depth});
        found += 1;
    }
    return found;
}
