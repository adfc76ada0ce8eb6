// SPDX-License-Identifier: MIT
// What the files of the taut rope share: features of shapes, cuts of shapes by triangles, relaxing.
#pragma once

#include "cable/taut/obstacle.h"
#include "contact/shape_geometry.h"

// Shallower than this a span does not meet a shape [m].
#define RV_ROPE_DEEP 1e-9

// A straight edge in the frame of its shape.
typedef struct {
    rvVec3 ends[2];
    rvVec3 normals[2]; // of its faces
    rvVec3 third[2];   // facets: the corners that are not on the edge
    int faces[2];      // boxes and hulls
    int faceCount;     // 1 on a border
} rvRopeEdge;

// By its number: box: 4 * axis + signs of the two other axes; hull: its list of edges; mesh and height field:
// 3 * facet + side of the facet (an edge between two facets has two numbers).
rvRopeEdge rv_rope_edge(const rvShape* shape, int feature);

// Are two numbers those of one edge.
bool rv_rope_same_edge(const rvShape* shape, int a, int b);

// May the straight line between two nodes on one shape lie on its surface: both on one flat face.
bool rv_rope_share_face(const rvShape* shape, const rvRopeNode* a, const rvRopeNode* b);

// Does the path press a node on an edge or a rim: seen along the edge, is the inside of the shape between the two
// spans, in the angle below pi. Directions in the world.
bool rv_rope_holds(const rvShape* shape, const rvRopeNode* node, rvVec3 arrive, rvVec3 leave);

static inline bool rv_rope_is_wrap(const rvRopeNode* node)
{
    return node->kind == RV_ROPE_SPHERE || node->kind == RV_ROPE_CYLINDER;
}

static inline bool rv_rope_is_round_end(const rvRopeNode* node)
{
    return node->kind == RV_ROPE_RIM || node->kind == RV_ROPE_SEAM;
}

// A point of a shape inside a triangle, in the plane of the triangle: x along the base, y above it.
typedef struct {
    double x, y;
    rvRopeNode node;
} rvRopeCorner;

enum { RV_ROPE_CORNERS = 96 };

// The corners of shapes in the triangle  from, apex, to. The rope went over the apex and is pulled to the base: the
// upper hull of all corners is where it comes to lie.
typedef struct {
    const rvRopeNode* skip[3]; // features that are not looked at, NULL: none; of a rim only what is near to the node
    rvRopeCorner corners[RV_ROPE_CORNERS];
    int count;
    double base; // length
    double apexX, apexY;
} rvRopeCut;

// The triangle's plane in the frame of a shape.
typedef struct {
    rvRopeCut* cut;
    const rvShape* shape;
    int index;
    rvVec3 from, to, ex, ey, normal;
    double offset; // normal . p
} rvRopeCutPlane;

// A point of the shape in that plane; it counts where it is inside the triangle.
void rv_rope_add_corner(const rvRopeCutPlane* plane, rvVec3 p, rvRopeNode node);

// What a type of shape is to a taut rope; all in the shape's frame. Types with nothing to hold a rope pass it by.
typedef struct {
    bool isRound; // a rope wraps around it
    int (*edgeCount)(const rvShape* shape);
    rvRopeEdge (*edge)(const rvShape* shape, int feature); // NULL where there are none
    // Depth of a point (outside it may be less deep than told: what counts is the sign) and the normal of the nearest
    // part of the surface.
    double (*depth)(const rvShape* shape, rvVec3 x, rvVec3* normal);
    bool (*isApart)(const rvShape* shape, rvVec3 p, rvVec3 n); // both ends outside one flat face: the common case
    bool (*mayCut)(const rvShape* shape, rvVec3 low,
                   rvVec3 high); // the box around the triangle meets that of the edges
    void (*cut)(const rvRopeCutPlane* plane, rvVec3 low, rvVec3 high);
} rvObstacleKind;

extern const rvObstacleKind* const rv_obstacle_kinds[RV_SHAPE_TYPES]; // by rvShapeType

static inline const rvObstacleKind* rv_obstacle_kind(const rvShape* shape)
{
    return rv_obstacle_kinds[shape->type];
}

void rv_rope_cut_begin(rvRopeCut* cut, const rvRopeNode* const skip[3]);

// Adds the corners of a shape; the triangle is given in the shape's frame.
void rv_rope_cut_shape(rvRopeCut* cut, const rvShape* shape, int index, rvVec3 from, rvVec3 apex, rvVec3 to);

// Leaves only the hull, ordered from `from` to `to`; several corners on the side of one cylinder become one wrap.
void rv_rope_cut_chain(rvRopeCut* cut);

// The list of nodes. A new node is at a point of its shape's frame, given as its `in` and `out`. False: no room.
bool rv_rope_insert(rvRopePath* path, const rvShape* shapes, int at, const rvRopeNode* node);
void rv_rope_remove(rvRopePath* path, int at);

// Round shapes: wraps that come, end, and pass from one part of a shape to the next. True: the list has changed.
bool rv_rope_meet_sphere(rvRopePath* path, const rvObstacles* obstacles, int s, int shape);
bool rv_rope_turn_round(rvRopePath* path, const rvShape* shapes);

// Is span s, the one before node s, on the surface of the shape or tangent to it.
bool rv_rope_span_is_on(const rvRopePath* path, const rvShape* shapes, int s, int shape);

// The deepest point of the line p - n inside a convex shape, all in the shape's frame, with the normal of the nearest
// part of the surface. Negative: outside.
double rv_rope_deepest(const rvShape* shape, rvVec3 p, rvVec3 n, rvVec3* point, rvVec3* normal);
// The same of a line that may be outside of a convex shape: the depth is negative then.
double rv_rope_nearest(const rvShape* shape, rvVec3 p, rvVec3 n, rvVec3* point, rvVec3* normal);

// Puts all nodes where the path is shortest, with the features as they are, and measures it. False: they have farther
// to go, around a rim or slowly.
bool rv_rope_relax(rvRopePath* path, const rvShape* shapes);
