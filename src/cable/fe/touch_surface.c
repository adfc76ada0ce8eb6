// SPDX-License-Identifier: MIT
// How near a straight piece of rope is to a mesh or a height field: the least distance to any of its triangles, by GJK.
// Triangles whose box or plane is farther away than the nearest one so far are passed over.
#include "cable/fe/touch_surface.h"

#include "contact/gjk.h"
#include "contact/shape_geometry.h"
#include "math/extreme.h"

typedef struct {
    rvConvex piece;
    rvVec3 ends[2], low, high; // low, high: a box around it
    double distance;
    rvVec3 at, normal;
    double in, out; // the first and the last share at which it goes through a triangle
} Search;

static double least(double a, double b, double c)
{
    return rv_smaller(a, rv_smaller(b, c));
}

static double largest(double a, double b, double c)
{
    return rv_larger(a, rv_larger(b, c));
}

static bool is_apart(const Search* search, const rvVec3 c[3])
{
    rvVec3 low = search->low, high = search->high;
    double d = search->distance;
    return least(c[0].x, c[1].x, c[2].x) > high.x + d || largest(c[0].x, c[1].x, c[2].x) < low.x - d ||
           least(c[0].y, c[1].y, c[2].y) > high.y + d || largest(c[0].y, c[1].y, c[2].y) < low.y - d ||
           least(c[0].z, c[1].z, c[2].z) > high.z + d || largest(c[0].z, c[1].z, c[2].z) < low.z - d;
}

static bool is_beyond(const Search* search, const rvConvex* triangle)
{
    double a = rvDot(triangle->normal, rvSub(search->ends[0], triangle->corners[0]));
    double b = rvDot(triangle->normal, rvSub(search->ends[1], triangle->corners[0]));
    return (a > search->distance && b > search->distance) || (a < -search->distance && b < -search->distance);
}

// It goes through: the middle of what is on the other side.
static void pierce(Search* search, const rvConvex* triangle)
{
    rvVec3 p = search->ends[0], d = rvSub(search->ends[1], p);
    double across = rvDot(triangle->normal, d), off = rvDot(triangle->normal, rvSub(triangle->corners[0], p));
    double share = across != 0.0 ? fmin(fmax(off / across, 0.0), 1.0) : 0.5;
    search->in = fmin(search->in, share);
    search->out = fmax(search->out, share);
    search->at = rvMulAdd(p, 0.5 * (search->in + search->out), d);
    search->normal = triangle->normal;
    search->distance = 0.0;
}

static void look_at(const rvFacet* facet, void* context)
{
    Search* search = context;
    if (is_apart(search, facet->corners))
        return;
    rvConvex triangle = rv_convex_triangle(facet->corners[0], facet->corners[1], facet->corners[2]);
    if (is_beyond(search, &triangle))
        return;
    rvNearest nearest = rv_gjk(&triangle, &search->piece, 0.0);
    if (nearest.distance == 0.0)
        pierce(search, &triangle);
    if (!(nearest.distance < search->distance))
        return;
    search->distance = nearest.distance;
    search->at = nearest.onB;
    search->normal = rvDot(nearest.normal, triangle.normal) < 0.0 ? rvNeg(nearest.normal) : nearest.normal;
}

double rv_touch_surface(const rvShape* shape, rvVec3 p, rvVec3 n, double reach, rvVec3* point, rvVec3* normal)
{
    rvVec3 middle = rvScale(0.5, rvAdd(p, n)), d = rvSub(n, p);
    double length = rvLength(d);
    Search search = {.ends = {p, n}, .distance = reach, .at = p, .normal = rvVec(0, 0, 1), .in = 1.0, .out = 0.0};
    search.piece = (rvConvex){.type = length > 0.0 ? RV_SHAPE_CAPSULE : RV_SHAPE_SPHERE, .p = middle};
    search.piece.half = 0.5 * length;
    search.piece.axes[2] = rvNormalizeOr(d, rvVec(0, 0, 1));
    search.low = rvVec(rv_smaller(p.x, n.x), rv_smaller(p.y, n.y), rv_smaller(p.z, n.z));
    search.high = rvVec(rv_larger(p.x, n.x), rv_larger(p.y, n.y), rv_larger(p.z, n.z));
    rvVec3 more = rvVec(reach, reach, reach), low = rvSub(search.low, more), high = rvAdd(search.high, more);
    rv_shape_geometry(shape)->surface->visit(shape, low, high, look_at, &search);
    *point = search.at;
    *normal = search.normal;
    return -search.distance;
}
