// SPDX-License-Identifier: MIT
// What each type of shape is to a taut rope: its edges, how deep a point is in it, where a triangle cuts it.
//
// Rims are cut in closed form. The side of a cylinder is cut along a few of its lines, among them the one that the
// straight way would enter deepest, so that every entry is seen; where the rope leaves it is found by relaxing.
#include "cable/taut/obstacle_parts.h"

#include <math.h>

enum { SIDE_LINES = 8 };

// ---- shared

static int no_edges(const rvShape* shape)
{
    (void)shape;
    return 0;
}

static bool may_always(const rvShape* shape, rvVec3 low, rvVec3 high)
{
    (void)shape;
    (void)low;
    (void)high;
    return true;
}

static void cut_nothing(const rvRopeCutPlane* s, rvVec3 low, rvVec3 high)
{
    (void)s;
    (void)low;
    (void)high;
}

static double nearer(double depth, double best, rvVec3 normal, rvVec3* out)
{
    if (depth >= best)
        return best;
    *out = normal;
    return depth;
}

static bool boxes_are_apart(rvVec3 h, rvVec3 p, rvVec3 n)
{
    return fmin(p.x, n.x) >= h.x || fmax(p.x, n.x) <= -h.x || fmin(p.y, n.y) >= h.y || fmax(p.y, n.y) <= -h.y ||
           fmin(p.z, n.z) >= h.z || fmax(p.z, n.z) <= -h.z;
}

static bool boxes_meet(rvVec3 reach, rvVec3 low, rvVec3 high)
{
    return low.x <= reach.x && high.x >= -reach.x && low.y <= reach.y && high.y >= -reach.y && low.z <= reach.z &&
           high.z >= -reach.z;
}

static void cut_edge(const rvRopeCutPlane* s, rvVec3 a, rvVec3 b, int feature)
{
    double heightA = rvDot(s->normal, a) - s->offset, heightB = rvDot(s->normal, b) - s->offset;
    if ((heightA < 0.0) == (heightB < 0.0))
        return;
    double t = heightA / (heightA - heightB);
    rv_rope_add_corner(s, rvMulAdd(a, t, rvSub(b, a)), (rvRopeNode){.kind = RV_ROPE_EDGE, .feature = feature, .t = t});
}

// ---- box

static int box_edge_count(const rvShape* shape)
{
    (void)shape;
    return 12;
}

static double* component(rvVec3* v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

static rvRopeEdge box_edge(const rvShape* shape, int feature)
{
    rvVec3 halves = shape->halves;
    int axis = feature / 4, b = (axis + 1) % 3, c = (axis + 2) % 3;
    double signB = feature & 1 ? 1.0 : -1.0, signC = feature & 2 ? 1.0 : -1.0;
    rvRopeEdge edge = {.faceCount = 2};
    for (int k = 0; k < 2; ++k) {
        *component(&edge.ends[k], axis) = (k ? 1.0 : -1.0) * *component(&halves, axis);
        *component(&edge.ends[k], b) = signB * *component(&halves, b);
        *component(&edge.ends[k], c) = signC * *component(&halves, c);
    }
    *component(&edge.normals[0], b) = signB;
    *component(&edge.normals[1], c) = signC;
    edge.faces[0] = 2 * b + (feature & 1);
    edge.faces[1] = 2 * c + (feature >> 1 & 1);
    return edge;
}

static double box_depth(const rvShape* shape, rvVec3 x, rvVec3* normal)
{
    double depth = HUGE_VAL;
    depth = nearer(shape->halves.x - fabs(x.x), depth, rvVec(x.x < 0 ? -1 : 1, 0, 0), normal);
    depth = nearer(shape->halves.y - fabs(x.y), depth, rvVec(0, x.y < 0 ? -1 : 1, 0), normal);
    return nearer(shape->halves.z - fabs(x.z), depth, rvVec(0, 0, x.z < 0 ? -1 : 1), normal);
}

static bool box_is_apart(const rvShape* shape, rvVec3 p, rvVec3 n)
{
    return boxes_are_apart(shape->halves, p, n);
}

static bool may_cut_box(const rvShape* shape, rvVec3 low, rvVec3 high)
{
    return boxes_meet(shape->halves, low, high);
}

// Corner c of a box has the signs of the bits of c.
static rvVec3 box_corner(rvVec3 halves, int c)
{
    return rvVec(c & 1 ? halves.x : -halves.x, c & 2 ? halves.y : -halves.y, c & 4 ? halves.z : -halves.z);
}

static void cut_box(const rvRopeCutPlane* s, rvVec3 low, rvVec3 high)
{
    (void)low;
    (void)high;
    rvVec3 halves = s->shape->halves;
    int below = 0;
    for (int c = 0; c < 8; ++c)
        below |= (rvDot(s->normal, box_corner(halves, c)) - s->offset < 0.0) << c;
    if (below == 0 || below == 255)
        return;
    for (int axis = 0; axis < 3; ++axis)
        for (int k = 0; k < 4; ++k) {
            // as in rv_rope_edge: bit 0 of k is the sign of the next axis, bit 1 that of the one after
            int from = (k & 1) << (axis + 1) % 3 | (k >> 1) << (axis + 2) % 3, to = from | 1 << axis;
            if ((below >> from & 1) != (below >> to & 1))
                cut_edge(s, box_corner(halves, from), box_corner(halves, to), 4 * axis + k);
        }
}

static const rvObstacleKind box = {.edgeCount = box_edge_count,
                                   .edge = box_edge,
                                   .depth = box_depth,
                                   .isApart = box_is_apart,
                                   .mayCut = may_cut_box,
                                   .cut = cut_box};

// ---- hull

static int hull_edge_count(const rvShape* shape)
{
    return shape->hull.edgeCount;
}

static rvRopeEdge hull_edge(const rvShape* shape, int feature)
{
    const rvHull* hull = &shape->hull;
    const rvHullEdge* e = &hull->edges[feature];
    rvRopeEdge edge = {.faceCount = 2};
    for (int k = 0; k < 2; ++k) {
        edge.ends[k] = hull->points[e->points[k]];
        edge.faces[k] = e->faces[k];
        edge.normals[k] = hull->faces[e->faces[k]].normal;
    }
    return edge;
}

static double hull_depth(const rvShape* shape, rvVec3 x, rvVec3* normal)
{
    double depth = HUGE_VAL;
    for (int i = 0; i < shape->hull.faceCount; ++i) {
        const rvHullFace* face = &shape->hull.faces[i];
        depth = nearer(face->offset - rvDot(face->normal, x), depth, face->normal, normal);
    }
    return depth;
}

static bool hull_is_apart(const rvShape* shape, rvVec3 p, rvVec3 n)
{
    for (int i = 0; i < shape->hull.faceCount; ++i) {
        const rvHullFace* face = &shape->hull.faces[i];
        if (rvDot(face->normal, p) >= face->offset && rvDot(face->normal, n) >= face->offset)
            return true;
    }
    return false;
}

static void cut_hull(const rvRopeCutPlane* s, rvVec3 low, rvVec3 high)
{
    (void)low;
    (void)high;
    const rvHull* hull = &s->shape->hull;
    for (int i = 0; i < hull->edgeCount; ++i)
        cut_edge(s, hull->points[hull->edges[i].points[0]], hull->points[hull->edges[i].points[1]], i);
}

static const rvObstacleKind hull = {.edgeCount = hull_edge_count,
                                    .edge = hull_edge,
                                    .depth = hull_depth,
                                    .isApart = hull_is_apart,
                                    .mayCut = may_always,
                                    .cut = cut_hull};

// ---- round shapes

static double cylinder_depth(const rvShape* shape, rvVec3 x, rvVec3* normal)
{
    double r = hypot(x.x, x.y);
    double depth = nearer(shape->radius - r, HUGE_VAL, r > 0.0 ? rvVec(x.x / r, x.y / r, 0) : rvVec(1, 0, 0), normal);
    return nearer(shape->half - fabs(x.z), depth, rvVec(0, 0, x.z < 0 ? -1 : 1), normal);
}

// Of what is within a radius of the axis between -half and half.
static double axis_depth(double radius, double half, rvVec3 x, rvVec3* normal)
{
    rvVec3 d = rvVec(x.x, x.y, x.z - fmin(fmax(x.z, -half), half));
    *normal = rvNormalizeOr(d, rvVec(1, 0, 0));
    return radius - rvLength(d);
}

static double sphere_depth(const rvShape* shape, rvVec3 x, rvVec3* normal)
{
    return axis_depth(shape->radius, 0.0, x, normal);
}

static double capsule_depth(const rvShape* shape, rvVec3 x, rvVec3* normal)
{
    return axis_depth(shape->radius, shape->half, x, normal);
}

static bool sphere_is_apart(const rvShape* shape, rvVec3 p, rvVec3 n)
{
    return boxes_are_apart(rvVec(shape->radius, shape->radius, 0.0 + shape->radius), p, n);
}

static bool capsule_is_apart(const rvShape* shape, rvVec3 p, rvVec3 n)
{
    return boxes_are_apart(rvVec(shape->radius, shape->radius, shape->half + shape->radius), p, n);
}

static bool cylinder_is_apart(const rvShape* shape, rvVec3 p, rvVec3 n)
{
    return boxes_are_apart(rvVec(shape->radius, shape->radius, shape->half), p, n);
}

static bool may_cut_side(const rvShape* shape, rvVec3 low, rvVec3 high)
{
    return boxes_meet(rvVec(shape->radius, shape->radius, shape->half), low, high);
}

static void cut_line(const rvRopeCutPlane* s, double x, double y)
{
    if (fabs(s->normal.z) < 1e-9)
        return;
    rvVec3 p = rvVec(s->shape->radius * x, s->shape->radius * y, 0.0);
    p.z = (s->offset - s->normal.x * p.x - s->normal.y * p.y) / s->normal.z;
    if (fabs(p.z) > s->shape->half)
        return;
    int side = p.x * s->ex.y - p.y * s->ex.x >= 0.0 ? 1 : -1;
    rv_rope_add_corner(s, p, (rvRopeNode){.kind = RV_ROPE_CYLINDER, .side = side});
}

static void cut_side(const rvRopeCutPlane* s, rvVec3 low, rvVec3 high)
{
    (void)low;
    (void)high;
    for (int k = 0; k < SIDE_LINES; ++k)
        cut_line(s, cos(k * (6.283185307179586 / SIDE_LINES)), sin(k * (6.283185307179586 / SIDE_LINES)));
    // the line that the base would enter deepest: towards the axis from where the base is nearest to it
    double across = hypot(s->ex.x, s->ex.y);
    if (across < 1e-12)
        return;
    double x = -s->ex.y / across, y = s->ex.x / across;
    cut_line(s, x, y);
    cut_line(s, -x, -y);
}

static void cut_rims(const rvRopeCutPlane* s)
{
    double r = s->shape->radius;
    double a = r * s->normal.x, b = r * s->normal.y, size = hypot(a, b);
    for (int side = -1; side <= 1; side += 2) {
        double d = s->offset - s->normal.z * side * s->shape->half;
        if (!(fabs(d) < size))
            continue;
        double middle = atan2(b, a), away = acos(d / size);
        for (int k = -1; k <= 1; k += 2) {
            double angle = middle + k * away;
            rvVec3 p = rvVec(r * cos(angle), r * sin(angle), side * s->shape->half);
            rv_rope_add_corner(s, p, (rvRopeNode){.kind = RV_ROPE_RIM, .side = side, .t = angle});
        }
    }
}

static void cut_cylinder(const rvRopeCutPlane* s, rvVec3 low, rvVec3 high)
{
    cut_rims(s);
    cut_side(s, low, high);
}

static const rvObstacleKind cylinder = {.isRound = true,
                                        .edgeCount = no_edges,
                                        .depth = cylinder_depth,
                                        .isApart = cylinder_is_apart,
                                        .mayCut = may_cut_side,
                                        .cut = cut_cylinder};

static const rvObstacleKind capsule = {.isRound = true,
                                       .edgeCount = no_edges,
                                       .depth = capsule_depth,
                                       .isApart = capsule_is_apart,
                                       .mayCut = may_cut_side,
                                       .cut = cut_side};

// A rope on a sphere is where it is whatever way it came: it is cut by nothing.
static const rvObstacleKind sphere = {.isRound = true,
                                      .edgeCount = no_edges,
                                      .depth = sphere_depth,
                                      .isApart = sphere_is_apart,
                                      .mayCut = may_always,
                                      .cut = cut_nothing};

// ---- surfaces; planes hold no rope

static double no_depth(const rvShape* shape, rvVec3 x, rvVec3* normal)
{
    (void)shape;
    (void)x;
    (void)normal;
    return -HUGE_VAL;
}

static bool is_always_apart(const rvShape* shape, rvVec3 p, rvVec3 n)
{
    (void)shape;
    (void)p;
    (void)n;
    return true;
}

static int surface_edge_count(const rvShape* shape)
{
    return 3 * rv_shape_geometry(shape)->surface->facetCount(shape);
}

static rvRopeEdge facet_edge(const rvFacet* facet, int side)
{
    rvRopeEdge edge = {.faceCount = facet->hasBeyond[side] ? 2 : 1};
    edge.ends[0] = facet->corners[side];
    edge.ends[1] = facet->corners[(side + 1) % 3];
    edge.third[0] = facet->corners[(side + 2) % 3];
    rvVec3 along = rvSub(edge.ends[1], edge.ends[0]);
    edge.normals[0] = rvNormalizeOr(rvCross(along, rvSub(edge.third[0], edge.ends[0])), rvVec(0, 0, 1));
    if (edge.faceCount == 2) {
        edge.third[1] = facet->beyond[side];
        edge.normals[1] = rvNormalizeOr(rvCross(rvSub(edge.third[1], edge.ends[0]), along), rvVec(0, 0, 1));
    }
    return edge;
}

static rvRopeEdge surface_edge(const rvShape* shape, int feature)
{
    rvFacet facet = rv_shape_geometry(shape)->surface->facet(shape, feature / 3);
    return facet_edge(&facet, feature % 3);
}

static bool comes_first(rvVec3 a, rvVec3 b)
{
    if (a.x != b.x)
        return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

// Only edges that stand out hold a rope. An edge between two facets is met twice: cut from the same end both times it
// gives the same corner twice, of which the hull keeps one.
static void cut_facet(const rvFacet* facet, void* context)
{
    const rvRopeCutPlane* s = context;
    rvVec3 normal =
        rvNormalizeOr(rvCross(rvSub(facet->corners[1], facet->corners[0]), rvSub(facet->corners[2], facet->corners[0])),
                      rvVec(0, 0, 1));
    for (int k = 0; k < 3; ++k) {
        rvVec3 a = facet->corners[k], b = facet->corners[(k + 1) % 3];
        if (facet->hasBeyond[k] && rvDot(normal, rvSub(facet->beyond[k], a)) > -1e-9 * rvDistance(a, b))
            continue;
        int feature = 3 * facet->index + k;
        double heightA = rvDot(s->normal, a) - s->offset, heightB = rvDot(s->normal, b) - s->offset;
        if ((heightA < 0.0) == (heightB < 0.0))
            continue;
        bool forward = comes_first(a, b);
        rvVec3 p = forward ? rvMulAdd(a, heightA / (heightA - heightB), rvSub(b, a))
                           : rvMulAdd(b, heightB / (heightB - heightA), rvSub(a, b));
        rv_rope_add_corner(s, p,
                           (rvRopeNode){.kind = RV_ROPE_EDGE, .feature = feature, .t = heightA / (heightA - heightB)});
    }
}

static void cut_surface(const rvRopeCutPlane* s, rvVec3 low, rvVec3 high)
{
    rvRopeCutPlane plane = *s;
    rv_shape_geometry(s->shape)->surface->visit(s->shape, low, high, cut_facet, &plane);
}

static const rvObstacleKind surface = {.edgeCount = surface_edge_count,
                                       .edge = surface_edge,
                                       .depth = no_depth,
                                       .isApart = is_always_apart,
                                       .mayCut = may_always,
                                       .cut = cut_surface};

static const rvObstacleKind plane = {
    .edgeCount = no_edges, .depth = no_depth, .isApart = is_always_apart, .mayCut = may_always, .cut = cut_nothing};

const rvObstacleKind* const rv_obstacle_kinds[RV_SHAPE_TYPES] = {
    [RV_SHAPE_PLANE] = &plane,     [RV_SHAPE_SPHERE] = &sphere,        [RV_SHAPE_BOX] = &box,
    [RV_SHAPE_CAPSULE] = &capsule, [RV_SHAPE_CYLINDER] = &cylinder,    [RV_SHAPE_HULL] = &hull,
    [RV_SHAPE_MESH] = &surface,    [RV_SHAPE_HEIGHT_FIELD] = &surface,
};
