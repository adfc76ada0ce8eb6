// SPDX-License-Identifier: MIT
// A convex piece in the world, as the narrow phase sees it: how far it reaches in a direction, and with which face.
#pragma once

#include "contact/hull.h"
#include "reeve/shape.h"

enum {
    RV_RIM_CORNERS = 8,                       // corners that stand for the rim of a cylinder
    RV_FACE_MAX_CORNERS = RV_HULL_MAX_POINTS, // of a supporting face
};

// Shapes this near to each other have contact points already, with a gap for depth [m]: what is set down slower than
// 0.3 m/s at 60 steps a second lands without an overlap, and what is built touching does not fall first.
#define RV_CONTACT_MARGIN 0.005

typedef struct {
    rvShapeType type; // sphere, box, capsule, cylinder, hull; RV_SHAPE_MESH stands for one triangle
    rvVec3 p;         // centre
    rvVec3 axes[3];   // of its frame, world
    double radius;
    double half;   // of the length along z
    rvVec3 halves; // of the sides
    const rvHull* hull;
    rvVec3 corners[3]; // triangle
    rvVec3 normal;     // triangle
} rvConvex;

// The face (or edge, or corner) with which a piece reaches farthest in a direction.
typedef struct {
    rvVec3 corners[RV_FACE_MAX_CORNERS]; // counter-clockwise seen from outside where there are 3 or more
    int count;                           // 1: a point, 2: a line, else a polygon
    rvVec3 normal;                       // outward; of a point or a line: the direction asked for
} rvFace;

rvConvex rv_convex_triangle(rvVec3 a, rvVec3 b, rvVec3 c);

// The point that is farthest in direction n (any length but zero).
rvVec3 rv_convex_support(const rvConvex* convex, rvVec3 n);

// The face that is farthest in direction n (unit).
void rv_convex_face(const rvConvex* convex, rvVec3 n, rvFace* face);

// The core: the piece without its rounding (a ball's centre, a capsule's line); others are drawn in by `shrink`, which
// is a share of their inner radius, keeping the directions of faces and edges. Triangles are their own core.
rvVec3 rv_convex_core_support(const rvConvex* convex, double shrink, rvVec3 n);
