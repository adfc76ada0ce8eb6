// SPDX-License-Identifier: MIT
// Edges of shapes, and when a rope presses on them.
//
// Numbers of edges: box: 4 * axis + signs of the two other axes; hull: its list of edges; mesh and height field:
// 3 * facet + side of the facet (an edge between two facets has two numbers).
#include "cable/taut/obstacle_parts.h"

#include <math.h>

static double* component(rvVec3* v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

static rvRopeEdge box_edge(rvVec3 halves, int feature)
{
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

static rvRopeEdge hull_edge(const rvHull* hull, int feature)
{
    const rvHullEdge* e = &hull->edges[feature];
    rvRopeEdge edge = {.faceCount = 2};
    for (int k = 0; k < 2; ++k) {
        edge.ends[k] = hull->points[e->points[k]];
        edge.faces[k] = e->faces[k];
        edge.normals[k] = hull->faces[e->faces[k]].normal;
    }
    return edge;
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

rvRopeEdge rv_rope_edge(const rvShape* shape, int feature)
{
    if (shape->type == RV_SHAPE_BOX)
        return box_edge(shape->halves, feature);
    if (shape->type == RV_SHAPE_HULL)
        return hull_edge(&shape->hull, feature);
    rvFacet facet = shape->type == RV_SHAPE_MESH ? rv_mesh_facet(&shape->mesh, feature / 3)
                                                 : rv_height_field_facet(&shape->field, feature / 3);
    return facet_edge(&facet, feature % 3);
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
