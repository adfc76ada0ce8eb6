// SPDX-License-Identifier: MIT
// Cuts of shapes by a triangle: where a rope comes to lie that went  from - apex - to  and is pulled towards the
// straight line  from - to. In the plane of the triangle a shape is a polygon with its corners on the shape's edges;
// the shortest way that keeps all corners below it is their upper hull, whether one shape is cut or many, convex or
// not. Where the edges of a type of shape are: obstacle_kind.c.
#include "cable/taut/obstacle_parts.h"

#include <math.h>

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

void rv_rope_add_corner(const rvRopeCutPlane* s, rvVec3 p, rvRopeNode node)
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
    const rvObstacleKind* kind = rv_obstacle_kind(shape);
    if (!kind->mayCut(shape, low, high))
        return;
    rvRopeCutPlane s = {.cut = cut, .shape = shape, .index = index, .from = from, .to = to};
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
    kind->cut(&s, low, high);
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
