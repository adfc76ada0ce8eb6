// SPDX-License-Identifier: MIT
#include "cable/curve/space_solid.h"

#include "cable/curve/passage.h"
#include "contact/gjk.h"
#include "contact/shape_geometry.h"
#include "math/extreme.h"
#include "math/root.h"

#include <math.h>

#define SINKS 0.25 // of how deep the middle of a convex shape is
#define BEHIND 0.5 // of the radius of the curve: so far behind a surface it still comes back
#define ALIKE 1e-9 // of a distance: two triangles are as near, at a common edge
#define GOLDEN 0.61803398874989485
enum { SECTIONS = 20 }; // of a way: 7e-5 of it

// ---- distance -------------------------------------------------------------------------------------------------------

double rv_space_solid_slope(rvVec3 normal, rvVec3 across)
{
    double off = rvDot(normal, across);
    return sqrt(fmax(0.0, 1.0 - off * off));
}

// How far beyond a face a point is along the plane; inside the face that is least deep along it counts.
static double beyond_along(double beyond, rvVec3 normal, rvVec3 across)
{
    double slope = rv_space_solid_slope(normal, across);
    return slope < RV_SPACE_LEAST_SLOPE ? -HUGE_VAL : beyond / slope;
}

static rvSpaceDistance from_box(const rvShape* shape, rvVec3 x, rvVec3 across, double reach)
{
    (void)reach;
    rvVec3 half = shape->halves;
    const double at[3] = {x.x, x.y, x.z}, most[3] = {half.x, half.y, half.z}, lies[3] = {across.x, across.y, across.z};
    double way[3], out[3] = {0}, sum = 0.0, best = -HUGE_VAL;
    int nearest = 0;
    for (int i = 0; i < 3; ++i) {
        double beyond = fabs(at[i]) - most[i], along = beyond_along(beyond, rvVec(1, 0, 0), rvVec(lies[i], 0, 0));
        way[i] = beyond > 0.0 ? copysign(beyond, at[i]) : 0.0;
        sum += way[i] * way[i];
        if (along > best) {
            best = along;
            nearest = i;
        }
    }
    double length = sqrt(sum);
    if (length > 0.0)
        return (rvSpaceDistance){length, most[nearest], rvScale(1.0 / length, rvVec(way[0], way[1], way[2]))};
    out[nearest] = copysign(1.0, at[nearest]);
    return (rvSpaceDistance){fabs(at[nearest]) - most[nearest], most[nearest], rvVec(out[0], out[1], out[2])};
}

static rvConvex point_at(rvVec3 x)
{
    return (rvConvex){.type = RV_SHAPE_SPHERE, .p = x, .axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

static rvSpaceDistance from_hull(const rvShape* shape, rvVec3 x, rvVec3 across, double reach)
{
    (void)reach;
    const rvHull* hull = &shape->hull;
    rvSpaceDistance d = {-HUGE_VAL, hull->inradius, rvVec(0, 0, 1)};
    double best = -HUGE_VAL;
    bool outside = false;
    for (int i = 0; i < hull->faceCount; ++i) {
        double beyond = rvDot(hull->faces[i].normal, x) - hull->faces[i].offset;
        double along = beyond_along(beyond, hull->faces[i].normal, across);
        outside = outside || beyond > 0.0;
        if (along > best) {
            best = along;
            d.gap = beyond;
            d.out = hull->faces[i].normal;
        }
    }
    if (!outside)
        return d;
    rvConvex point = point_at(x), convex = {.type = RV_SHAPE_HULL, .hull = hull};
    for (int i = 0; i < 3; ++i)
        convex.axes[i] = point.axes[i];
    rvNearest nearest = rv_gjk(&convex, &point, 0.0);
    if (nearest.distance > 0.0) {
        d.gap = nearest.distance;
        d.out = nearest.normal;
    }
    return d;
}

typedef struct {
    rvVec3 x;
    double distance; // of what is nearest so far
    double slope;    // of the way to it against the normal of its triangle: its sign says the side
    rvVec3 way;
    bool found;
} Nearest;

// The point of a triangle that is nearest to x: within it, or else on one of its edges.
static rvVec3 nearest_of(const rvVec3* c, rvVec3 n, rvVec3 x)
{
    double least = HUGE_VAL;
    rvVec3 best = c[0];
    bool within = true;
    for (int k = 0; k < 3; ++k) {
        rvVec3 edge = rvSub(c[(k + 1) % 3], c[k]), d = rvSub(x, c[k]);
        if (rvDot(n, rvCross(edge, d)) >= 0.0)
            continue;
        within = false;
        double length = rvDot(edge, edge), share = length > 0.0 ? rvDot(edge, d) / length : 0.0;
        rvVec3 at = rvMulAdd(c[k], share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share, edge), off = rvSub(x, at);
        if (rvDot(off, off) >= least)
            continue;
        least = rvDot(off, off);
        best = at;
    }
    return within ? rvMulAdd(x, -rvDot(n, rvSub(x, c[0])), n) : best;
}

// Over an edge two triangles are as near: the one that looks more along the way says on which side it is.
static void look_at(const rvFacet* facet, void* context)
{
    Nearest* best = context;
    const rvVec3* c = facet->corners;
    rvVec3 cross = rvCross(rvSub(c[1], c[0]), rvSub(c[2], c[0])), d = rvSub(best->x, c[0]);
    double size = rvDot(cross, cross), off = rvDot(cross, d), most = best->distance * (1.0 + ALIKE);
    if (!(size > 0.0) || off * off > most * most * size)
        return;
    rvVec3 n = rvNormalizeOr(cross, rvVec(0, 0, 1)), way = rvSub(best->x, nearest_of(c, n, best->x));
    double distance = rvLength(way), alike = ALIKE * best->distance;
    way = distance > 0.0 ? rvScale(1.0 / distance, way) : n;
    double slope = rvDot(way, n);
    if (distance > best->distance + alike || (distance > best->distance - alike && fabs(slope) <= fabs(best->slope)))
        return;
    *best = (Nearest){best->x, distance, slope, way, true};
}

// What of a field is under a point tells how far off the rest of it need be looked for.
static rvSpaceDistance from_surface(const rvShape* shape, rvVec3 x, rvVec3 across, double reach)
{
    (void)across;
    const rvSurfaceGeometry* surface = rv_shape_geometry(shape)->surface;
    Nearest best = {.x = x, .distance = reach, .slope = 0.0, .way = rvVec(0, 0, 1)};
    rvVec3 up = rvVec(0, 0, reach);
    if (surface->isSolid)
        surface->visit(shape, rvSub(x, up), rvAdd(x, up), look_at, &best);
    double near = (1.0 + 2.0 * ALIKE) * best.distance;
    rvVec3 more = rvVec(near, near, near);
    surface->visit(shape, rvSub(x, more), rvAdd(x, more), look_at, &best);
    if (!best.found)
        return (rvSpaceDistance){HUGE_VAL, 0.0, best.way};
    bool behind = best.slope < 0.0;
    return (rvSpaceDistance){behind ? -best.distance : best.distance, 0.0, behind ? rvNeg(best.way) : best.way};
}

static rvSpaceDistance from_capsule(const rvShape* shape, rvVec3 x, rvVec3 across, double reach)
{
    (void)across;
    (void)reach;
    rvVec3 d = rvVec(x.x, x.y, x.z - fmin(fmax(x.z, -shape->half), shape->half));
    return (rvSpaceDistance){rvLength(d) - shape->radius, shape->radius, rvNormalizeOr(d, rvVec(1, 0, 0))};
}

static rvSpaceDistance from_cylinder(const rvShape* shape, rvVec3 x, rvVec3 across, double reach)
{
    (void)reach;
    rvVec3 flat = rvVec(x.x, x.y, 0.0), out = rvNormalizeOr(flat, rvVec(1, 0, 0)), up = rvVec(0, 0, copysign(1.0, x.z));
    double aside = rvLength(flat) - shape->radius, beyond = fabs(x.z) - shape->half;
    if (aside > 0.0 && beyond > 0.0) {
        double gap = sqrt(aside * aside + beyond * beyond);
        return (rvSpaceDistance){gap, 0.0, rvAdd(rvScale(aside / gap, out), rvScale(beyond / gap, up))};
    }
    bool mantle = aside > 0.0 || beyond > 0.0 ? aside > beyond
                                              : beyond_along(aside, out, across) > beyond_along(beyond, up, across);
    return mantle ? (rvSpaceDistance){aside, shape->radius, out} : (rvSpaceDistance){beyond, shape->half, up};
}

static rvSpaceDistance from_plane(const rvShape* shape, rvVec3 x, rvVec3 across, double reach)
{
    (void)shape;
    (void)across;
    (void)reach;
    return (rvSpaceDistance){x.z, HUGE_VAL, rvVec(0, 0, 1)};
}

bool rv_space_solid_is_behind(const rvShape* shape, double gap, double radius)
{
    return shape->type == RV_SHAPE_MESH && gap < -2.0 * BEHIND * radius; // twice what it may have sunk
}

// ---- how deep a curve may sink into it before it is pushed back

static double sink_in_box(const rvShape* shape, double radius)
{
    (void)radius;
    return SINKS * fmin(shape->halves.x, fmin(shape->halves.y, shape->halves.z));
}

static double sink_in_capsule(const rvShape* shape, double radius)
{
    (void)radius;
    return SINKS * shape->radius;
}

static double sink_in_cylinder(const rvShape* shape, double radius)
{
    (void)radius;
    return SINKS * fmin(shape->radius, shape->half);
}

static double sink_in_hull(const rvShape* shape, double radius)
{
    (void)radius;
    return SINKS * shape->hull.inradius;
}

static double sink_behind(const rvShape* shape, double radius)
{
    (void)shape;
    return BEHIND * radius;
}

// ---- through --------------------------------------------------------------------------------------------------------

static void grow(rvVec3 x, rvVec3* low, rvVec3* high)
{
    *low = rvVec(rv_smaller(low->x, x.x), rv_smaller(low->y, x.y), rv_smaller(low->z, x.z));
    *high = rvVec(rv_larger(high->x, x.x), rv_larger(high->y, x.y), rv_larger(high->z, x.z));
}

// Is a triangle beside a box?
static bool is_beside(const rvVec3* c, rvVec3 low, rvVec3 high)
{
    rvVec3 least = c[0], most = c[0];
    grow(c[1], &least, &most);
    grow(c[2], &least, &most);
    return least.x > high.x || most.x < low.x || least.y > high.y || most.y < low.y || least.z > high.z ||
           most.z < low.z;
}

static void visit_near(rvVec3 a, rvVec3 b, rvVec3 c, rvVec3 low, rvVec3 high, rvFacetFn fn, void* context)
{
    rvFacet facet = {.corners = {a, b, c}};
    if (!is_beside(facet.corners, low, high))
        fn(&facet, context);
}

static rvVec3 box_corner(rvVec3 half, int axis, double u, double v, double side)
{
    const double c[3] = {side, u * side, v}; // counter-clockwise seen from outside
    double x[3];
    for (int i = 0; i < 3; ++i)
        x[(axis + i) % 3] = c[i];
    return rvVec(x[0] * half.x, x[1] * half.y, x[2] * half.z);
}

// ---- triangles of its surface, counter-clockwise seen from outside, that may meet a box

static void visit_box(const rvShape* shape, rvVec3 low, rvVec3 high, rvFacetFn fn, void* context)
{
    for (int i = 0; i < 6; ++i) {
        double side = i % 2 ? 1.0 : -1.0;
        rvVec3 c[4] = {box_corner(shape->halves, i / 2, -1, -1, side), box_corner(shape->halves, i / 2, 1, -1, side),
                       box_corner(shape->halves, i / 2, 1, 1, side), box_corner(shape->halves, i / 2, -1, 1, side)};
        visit_near(c[0], c[1], c[2], low, high, fn, context);
        visit_near(c[0], c[2], c[3], low, high, fn, context);
    }
}

static void visit_hull(const rvShape* shape, rvVec3 low, rvVec3 high, rvFacetFn fn, void* context)
{
    for (int i = 0; i < shape->hull.faceCount; ++i) {
        const rvHullFace* face = &shape->hull.faces[i];
        const int* corners = shape->hull.corners + face->first;
        for (int k = 2; k < face->count; ++k)
            visit_near(shape->hull.points[corners[0]], shape->hull.points[corners[k - 1]],
                       shape->hull.points[corners[k]], low, high, fn, context);
    }
}

static void visit_surface(const rvShape* shape, rvVec3 low, rvVec3 high, rvFacetFn fn, void* context)
{
    rv_shape_geometry(shape)->surface->visit(shape, low, high, fn, context);
}

static void visit_nothing(const rvShape* shape, rvVec3 low, rvVec3 high, rvFacetFn fn, void* context)
{
    (void)shape;
    (void)low;
    (void)high;
    (void)fn;
    (void)context;
}

// ---- the types of shapes

// A sphere is an obstacle of its own and no solid (curve_space_contact.c); in a plane it is a circle.
static const struct {
    bool isRod; // passed through in closed form, not by triangles
    rvSpaceDistance (*distance)(const rvShape* shape, rvVec3 x, rvVec3 across, double reach);
    double (*sink)(const rvShape* shape, double radius);
    void (*visit)(const rvShape* shape, rvVec3 low, rvVec3 high, rvFacetFn fn, void* context);
} kinds[RV_SHAPE_TYPES] = {
    [RV_SHAPE_PLANE] = {false, from_plane, sink_behind, visit_nothing},
    [RV_SHAPE_BOX] = {false, from_box, sink_in_box, visit_box},
    [RV_SHAPE_CAPSULE] = {true, from_capsule, sink_in_capsule, visit_nothing},
    [RV_SHAPE_CYLINDER] = {true, from_cylinder, sink_in_cylinder, visit_nothing},
    [RV_SHAPE_HULL] = {false, from_hull, sink_in_hull, visit_hull},
    [RV_SHAPE_MESH] = {false, from_surface, sink_behind, visit_surface},
    [RV_SHAPE_HEIGHT_FIELD] = {false, from_surface, sink_behind, visit_surface},
};

rvSpaceDistance rv_space_solid_distance(const rvShape* shape, rvVec3 x, rvVec3 across, double reach)
{
    return kinds[shape->type].distance(shape, x, across, reach);
}

double rv_space_solid_sink(const rvShape* shape, double radius)
{
    return kinds[shape->type].sink(shape, radius);
}

typedef struct {
    rvVec3 from, to;
    double in, out; // the first share of the way at which it goes in, the last at which it comes out again
    rvVec3 normal;  // where it goes in
} Way;

static void pierce(const rvFacet* facet, void* context)
{
    Way* way = context;
    const rvVec3* c = facet->corners;
    rvVec3 n = rvCross(rvSub(c[1], c[0]), rvSub(c[2], c[0])), d = rvSub(way->to, way->from);
    double before = rvDot(n, rvSub(way->from, c[0])), after = rvDot(n, rvSub(way->to, c[0]));
    if ((before >= 0.0) == (after >= 0.0))
        return;
    double share = before / (before - after);
    rvVec3 x = rvMulAdd(way->from, share, d);
    for (int k = 0; k < 3; ++k)
        if (rvDot(n, rvCross(rvSub(c[(k + 1) % 3], c[k]), rvSub(x, c[k]))) < 0.0)
            return;
    if (after < 0.0 && share < way->in) {
        way->in = share;
        way->normal = n;
    } else if (after >= 0.0)
        way->out = fmax(way->out, share);
}

typedef struct {
    const rvShape* shape;
    rvVec3 from, way;
    double until; // of the way
} Dive;

static rvSpaceDistance on_dive(const Dive* dive, double share)
{
    return rv_space_solid_distance(dive->shape, rvMulAdd(dive->from, share, dive->way), rvVec(0, 0, 0), 0.0);
}

static double gap_on_dive(const void* context, double u)
{
    const Dive* dive = context;
    return on_dive(dive, u * dive->until).gap;
}

// Along a line the distance from what is convex is, too: where it is least by golden section.
static rvSpacePassing pass_round(const rvShape* shape, rvVec3 from, rvVec3 to, double sink, rvVec3* at, rvVec3* out)
{
    Dive dive = {shape, from, rvSub(to, from), 1.0};
    double low = 0.0, high = 1.0, first = on_dive(&dive, 0.0).gap;
    if (!(first > 0.0) || first > rvLength(dive.way))
        return RV_SPACE_OUTSIDE;
    for (int i = 0; i < SECTIONS; ++i) {
        double a = high - GOLDEN * (high - low), b = low + GOLDEN * (high - low);
        if (on_dive(&dive, a).gap < on_dive(&dive, b).gap)
            high = b;
        else
            low = a;
    }
    dive.until = 0.5 * (low + high);
    double deepest = on_dive(&dive, dive.until).gap, last = on_dive(&dive, 1.0).gap;
    if (last < deepest) {
        deepest = last;
        dive.until = 1.0;
    }
    if (!(deepest < 0.0))
        return RV_SPACE_OUTSIDE;
    double in = dive.until * rv_root_between(gap_on_dive, &dive, first, deepest);
    *at = rvMulAdd(from, in, dive.way);
    *out = on_dive(&dive, in).out;
    return deepest < -sink ? RV_SPACE_THROUGH : RV_SPACE_SUNK;
}

rvSpacePassing rv_space_solid_pass_point(const rvShape* shape, rvVec3 from, rvVec3 to, double sink, rvVec3* at,
                                         rvVec3* out)
{
    if (kinds[shape->type].isRod)
        return pass_round(shape, from, to, sink, at, out);
    Way way = {.from = from, .to = to, .in = HUGE_VAL, .out = -1.0};
    rvVec3 low = from, high = from;
    grow(to, &low, &high);
    kinds[shape->type].visit(shape, low, high, pierce, &way);
    if (way.in > 1.0)
        return RV_SPACE_OUTSIDE;
    double deepest = way.out > way.in ? 0.5 * (way.in + way.out) : 1.0; // or it stays inside
    rvVec3 x = rvMulAdd(from, deepest, rvSub(to, from));
    *out = rvNormalizeOr(way.normal, rvVec(0, 0, 1));
    *at = rvMulAdd(from, way.in, rvSub(to, from));
    bool through = rv_space_solid_distance(shape, x, rvVec(0, 0, 0), rvDistance(from, to) + sink).gap < -sink;
    return through ? RV_SPACE_THROUGH : RV_SPACE_SUNK;
}

typedef struct {
    const rvVec3 *from, *to;
    rvVec3 low, high; // box of its way
    double sink;
    rvSpacePassing passing;
    double best; // how much `out` looks along the normal of its triangle
    double at;
    rvVec3 out;
} Crossing;

static void cross(const rvFacet* facet, void* context)
{
    Crossing* crossing = context;
    const rvVec3* c = facet->corners;
    if (is_beside(c, crossing->low, crossing->high))
        return;
    rvVec3 n = rvNormalizeOr(rvCross(rvSub(c[1], c[0]), rvSub(c[2], c[0])), rvVec(0, 0, 0));
    for (int k = 0; k < 3; ++k) {
        const rvVec3 edge[2] = {c[k], c[(k + 1) % 3]};
        double at;
        rvVec3 out;
        if (!rv_find_passage(crossing->from, crossing->to, edge, edge, &at, &out))
            continue;
        rvVec3 x = rvMulAdd(crossing->to[0], at, rvSub(crossing->to[1], crossing->to[0]));
        double along = rvDot(out, n), depth = rvDot(out, rvSub(edge[0], x));
        rvSpacePassing passing = depth > crossing->sink ? RV_SPACE_THROUGH : RV_SPACE_SUNK;
        if (along <= 0.0 || passing < crossing->passing || (passing == crossing->passing && along <= crossing->best))
            continue;
        crossing->passing = passing;
        crossing->best = along;
        crossing->at = at;
        crossing->out = out;
    }
}

rvSpacePassing rv_space_solid_pass_chord(const rvShape* shape, const rvVec3 from[2], const rvVec3 to[2], double sink,
                                         double* at, rvVec3* out)
{
    Crossing crossing = {.from = from, .to = to, .sink = sink};
    rvVec3 low = from[0], high = from[0];
    grow(from[1], &low, &high);
    grow(to[0], &low, &high);
    grow(to[1], &low, &high);
    crossing.low = low;
    crossing.high = high;
    kinds[shape->type].visit(shape, low, high, cross, &crossing);
    *at = crossing.at;
    *out = crossing.out;
    return crossing.passing;
}
