// SPDX-License-Identifier: MIT
// Edges of shapes, and when a rope presses on them.
#include "cable/taut/obstacle_parts.h"

#include <math.h>

rvRopeEdge rv_rope_edge(const rvShape* shape, int feature)
{
    return rv_obstacle_kind(shape)->edge(shape, feature);
}

static bool same_point(rvVec3 a, rvVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool rv_rope_same_edge(const rvShape* shape, int a, int b)
{
    if (a == b || !rv_shape_is_surface(shape))
        return a == b;
    rvRopeEdge first = rv_rope_edge(shape, a), second = rv_rope_edge(shape, b);
    return (same_point(first.ends[0], second.ends[0]) && same_point(first.ends[1], second.ends[1])) ||
           (same_point(first.ends[0], second.ends[1]) && same_point(first.ends[1], second.ends[0]));
}

// Is the edge a side of the triangle beside `of`.
static bool in_triangle(const rvRopeEdge* edge, const rvRopeEdge* of, int side)
{
    for (int k = 0; k < 2; ++k)
        if (!same_point(edge->ends[k], of->ends[0]) && !same_point(edge->ends[k], of->ends[1]) &&
            !same_point(edge->ends[k], of->third[side]))
            return false;
    return true;
}

bool rv_rope_share_face(const rvShape* shape, const rvRopeNode* a, const rvRopeNode* b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == RV_ROPE_RIM)
        return a->side == b->side;
    if (a->kind != RV_ROPE_EDGE)
        return false;
    rvRopeEdge first = rv_rope_edge(shape, a->feature), second = rv_rope_edge(shape, b->feature);
    for (int i = 0; i < first.faceCount; ++i) {
        if (rv_shape_is_surface(shape)) {
            if (in_triangle(&second, &first, i))
                return true;
            continue;
        }
        for (int k = 0; k < second.faceCount; ++k)
            if (first.faces[i] == second.faces[k])
                return true;
    }
    return false;
}

bool rv_rope_holds(const rvShape* shape, const rvRopeNode* node, rvVec3 arrive, rvVec3 leave)
{
    const double least = 1e-12; // a bend below this is no bend
    rvVec3 p = rvNeg(rvRotateBack(shape->pose.q, arrive)), n = rvRotateBack(shape->pose.q, leave), along, inside;
    if (node->kind == RV_ROPE_RIM) {
        double c = cos(node->t), s = sin(node->t);
        along = rvVec(-s, c, 0);
        inside = rvVec(-c, -s, -node->side);
    } else {
        rvRopeEdge edge = rv_rope_edge(shape, node->feature);
        along = rvNormalizeOr(rvSub(edge.ends[1], edge.ends[0]), rvVec(1, 0, 0));
        inside = edge.faceCount == 1 ? rvCross(edge.normals[0], along) : rvNeg(rvAdd(edge.normals[0], edge.normals[1]));
    }
    double whole = rvDot(along, rvCross(p, n)), first = rvDot(along, rvCross(p, inside));
    double second = rvDot(along, rvCross(inside, n));
    return whole > 0.0 ? whole > least && first > 0.0 && second > 0.0 : whole < -least && first < 0.0 && second < 0.0;
}
