// SPDX-License-Identifier: MIT
// Cuts of shapes by a triangle: where a rope comes to lie that went  from - apex - to  and is pulled towards the
// straight line  from - to. In the plane of the triangle a shape is a polygon with its corners on the shape's edges;
// the shortest way that keeps all corners below it is their upper hull, whether one shape is cut or many, convex or
// not. Rims are cut in closed form. The side of a cylinder is cut along a few of its lines, among them the one that
// the straight way would enter deepest, so that every entry is seen; where the rope leaves it is found by relaxing.
#include "cable/taut/obstacle_parts.h"

#include <math.h>

enum { SIDE_LINES = 8 };

// The triangle's plane in the frame of the shape.
typedef struct {
    rvRopeCut* cut;
    const rvShape* shape;
    int index;
    rvVec3 from, to, ex, ey, normal;
    double offset; // normal . p
} plane;

static bool is_skipped(const rvRopeCut* cut, const rvShape* shape, const rvRopeNode* node)
{
    for (int k = 0; k < 3; ++k) {
        const rvRopeNode* other = cut->skip[k];
        if (!other || other->shape != node->shape || other->kind != node->kind)
            continue;
        if (node->kind == RV_ROPE_EDGE && rv_rope_same_edge(shape, other->feature, node->feature))
            return true;
        if (node->kind == RV_ROPE_RIM && other->side == node->side && rvDistance(node->in, other->in) < 1e-6)
            return true;
    }
    return false;
}

// Removes all but the upper hull. Corners are few: sorted by insertion.
static void keep_hull(rvRopeCut* cut)
{
    rvRopeCorner* c = cut->corners;
    for (int i = 1; i < cut->count; ++i) {
        rvRopeCorner moved = c[i];
        int k = i;
        for (; k > 0 && (c[k - 1].x > moved.x || (c[k - 1].x == moved.x && c[k - 1].y > moved.y)); --k)
            c[k] = c[k - 1];
        c[k] = moved;
    }
    int kept = 0;
    for (int i = 0; i <= cut->count; ++i) {
        double x = i < cut->count ? c[i].x : cut->base, y = i < cut->count ? c[i].y : 0.0;
        while (kept > 0) {
            double lastX = kept > 1 ? c[kept - 2].x : 0.0, lastY = kept > 1 ? c[kept - 2].y : 0.0;
            double turn = (c[kept - 1].x - lastX) * (y - lastY) - (c[kept - 1].y - lastY) * (x - lastX);
            if (turn < 0.0)
                break;
            kept -= 1;
        }
        if (i < cut->count)
            c[kept++] = c[i];
    }
    cut->count = kept;
}

static void add_corner(const plane* s, rvVec3 p, rvRopeNode node)
{
    rvRopeCut* cut = s->cut;
    rvVec3 d = rvSub(p, s->from);
    double x = rvDot(d, s->ex), y = rvDot(d, s->ey);
    // inside: above the base, below both legs
    double slack = 1e-12 * cut->base * cut->apexY;
    bool inside = y > RV_ROPE_DEEP && cut->apexX * y - cut->apexY * x <= slack &&
                  (cut->base - cut->apexX) * y - cut->apexY * (cut->base - x) <= slack;
    node.shape = s->index;
    node.in = node.out = p;
    if (!inside || is_skipped(cut, s->shape, &node))
        return;
    if (cut->count == RV_ROPE_CORNERS)
        keep_hull(cut);
    if (cut->count == RV_ROPE_CORNERS)
        return;
    cut->corners[cut->count++] = (rvRopeCorner){x, y, node};
}

static void cut_edge(const plane* s, rvVec3 a, rvVec3 b, int feature)
{
    double heightA = rvDot(s->normal, a) - s->offset, heightB = rvDot(s->normal, b) - s->offset;
    if ((heightA < 0.0) == (heightB < 0.0))
        return;
    double t = heightA / (heightA - heightB);
    add_corner(s, rvMulAdd(a, t, rvSub(b, a)), (rvRopeNode){.kind = RV_ROPE_EDGE, .feature = feature, .t = t});
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
    const plane* s = context;
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
        add_corner(s, p, (rvRopeNode){.kind = RV_ROPE_EDGE, .feature = feature, .t = heightA / (heightA - heightB)});
    }
}

// Corner c of a box has the signs of the bits of c.
static rvVec3 box_corner(rvVec3 halves, int c)
{
    return rvVec(c & 1 ? halves.x : -halves.x, c & 2 ? halves.y : -halves.y, c & 4 ? halves.z : -halves.z);
}

static void cut_box(const plane* s)
{
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

static void cut_hull(const plane* s)
{
    const rvHull* hull = &s->shape->hull;
    for (int i = 0; i < hull->edgeCount; ++i)
        cut_edge(s, hull->points[hull->edges[i].points[0]], hull->points[hull->edges[i].points[1]], i);
}

static void cut_rims(const plane* s)
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
            add_corner(s, p, (rvRopeNode){.kind = RV_ROPE_RIM, .side = side, .t = angle});
        }
    }
}

static void cut_line(const plane* s, double x, double y)
{
    if (fabs(s->normal.z) < 1e-9)
        return;
    rvVec3 p = rvVec(s->shape->radius * x, s->shape->radius * y, 0.0);
    p.z = (s->offset - s->normal.x * p.x - s->normal.y * p.y) / s->normal.z;
    if (fabs(p.z) > s->shape->half)
        return;
    int side = p.x * s->ex.y - p.y * s->ex.x >= 0.0 ? 1 : -1;
    add_corner(s, p, (rvRopeNode){.kind = RV_ROPE_CYLINDER, .side = side});
}

static void cut_side(const plane* s)
{
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

// The box around the triangle meets that around the shape, in the shape's frame.
static bool may_meet(const rvShape* shape, rvVec3 low, rvVec3 high)
{
    rvVec3 reach = shape->halves;
    if (shape->type == RV_SHAPE_CYLINDER || shape->type == RV_SHAPE_CAPSULE)
        reach = rvVec(shape->radius, shape->radius, shape->half);
    else if (shape->type != RV_SHAPE_BOX)
        return true;
    return low.x <= reach.x && high.x >= -reach.x && low.y <= reach.y && high.y >= -reach.y && low.z <= reach.z &&
           high.z >= -reach.z;
}

void rv_rope_cut_begin(rvRopeCut* cut, const rvRopeNode* const skip[3])
{
    cut->count = 0;
    for (int k = 0; k < 3; ++k)
        cut->skip[k] = skip[k];
}

void rv_rope_cut_shape(rvRopeCut* cut, const rvShape* shape, int index, rvVec3 from, rvVec3 apex, rvVec3 to)
{
    rvVec3 low =
        rvVec(fmin(fmin(from.x, apex.x), to.x), fmin(fmin(from.y, apex.y), to.y), fmin(fmin(from.z, apex.z), to.z));
    rvVec3 high =
        rvVec(fmax(fmax(from.x, apex.x), to.x), fmax(fmax(from.y, apex.y), to.y), fmax(fmax(from.z, apex.z), to.z));
    if (!may_meet(shape, low, high))
        return;
    plane s = {.cut = cut, .shape = shape, .index = index, .from = from, .to = to};
    rvVec3 base = rvSub(to, from), leg = rvSub(apex, from);
    cut->base = rvLength(base);
    if (!(cut->base > 1e-12))
        return;
    s.ex = rvScale(1.0 / cut->base, base);
    cut->apexX = rvDot(leg, s.ex);
    rvVec3 up = rvMulAdd(leg, -cut->apexX, s.ex);
    cut->apexY = rvLength(up);
    if (!(cut->apexY > RV_ROPE_DEEP))
        return;
    s.ey = rvScale(1.0 / cut->apexY, up);
    s.normal = rvCross(s.ex, s.ey);
    s.offset = rvDot(s.normal, from);
    switch (shape->type) {
    case RV_SHAPE_BOX:
        cut_box(&s);
        break;
    case RV_SHAPE_HULL:
        cut_hull(&s);
        break;
    case RV_SHAPE_CYLINDER:
        cut_rims(&s);
        cut_side(&s);
        break;
    case RV_SHAPE_CAPSULE:
        cut_side(&s);
        break;
    case RV_SHAPE_MESH:
        rv_mesh_visit(&shape->mesh, low, high, cut_facet, &s);
        break;
    case RV_SHAPE_HEIGHT_FIELD:
        rv_height_field_visit(&shape->field, low, high, cut_facet, &s);
        break;
    default:
        break; // planes hold no rope; a rope on a sphere is where it is whatever way it came
    }
}

void rv_rope_cut_chain(rvRopeCut* cut)
{
    keep_hull(cut);
    int kept = 0;
    for (int i = 0; i < cut->count; ++i) {
        const rvRopeNode* node = &cut->corners[i].node;
        rvRopeNode* last = kept > 0 ? &cut->corners[kept - 1].node : NULL;
        if (last && node->kind == RV_ROPE_CYLINDER && last->kind == RV_ROPE_CYLINDER && node->shape == last->shape)
            last->out = node->out;
        else
            cut->corners[kept++] = cut->corners[i];
    }
    cut->count = kept;
}
