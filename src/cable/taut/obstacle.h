// SPDX-License-Identifier: MIT
// A taut rope among shapes: the locally shortest path between two moving points, kept from step to step as an ordered
// list of nodes on the shapes. Pure geometry; nothing is allocated, the caller gives the arrays.
//
// A path is  A, node, node, ..., B  with straight spans between. A node is
//   on a curve (one unknown t): a straight edge of a box, hull, mesh or height field, the rim of a cylinder, the seam
//     where the round end of a capsule begins;
//   a wrap (no unknown, closed form between its neighbours): a great circle on a sphere, a helix on the side of a
//     cylinder; its straight spans touch the surface as tangents.
// So lengths on round shapes are exact: a number of points along the arc would cost more and err by
// (angle/points)^2/24.
//
//   l = sum of spans and arcs,   dl/dP = u_arriving - u_leaving   at every node, an end, or the body that holds a node
//
// A node appears where a span, swept from its last place to its new one in the frame of the shape, meets an edge, and
// leaves when the path no longer presses on its feature. Both happen where the path is straight: l and dl/dP have no
// jump there.
#pragma once

#include "cable/core/interval.h"
#include "cable/core/rope_node.h"
#include "contact/shape.h"

typedef struct {
    // state
    rvVec3 ends[2];
    rvRopeNode* nodes;
    int count;
    // computed by rv_rope_update
    rvRopeTouch* touches;   // as many as nodes
    double length;          // [m]
    rvVec3 leave[2];        // dl/dA and dl/dB: unit, along the rope and out of it
    int inserted, released; // nodes that came and went
    int dropped;            // nodes that found no room
    int rounds;             // of relaxing and looking
    // set by the caller
    int capacity; // of nodes and touches
} rvRopePath;

// The shapes around. Planes are passed over: a straight line between two points above a plane is above it.
typedef struct {
    const rvShape* shapes; // by index, placed
    const rvPose* before;  // by index: pose of each shape at the last update; NULL: they stand still
    const int* near;       // indices of those that count
    int nearCount;
    const rvInterval* sorted; // where they are along an axis, ids by their place in `near`; NULL: not known
    int axis;                 // 0, 1, 2
} rvObstacles;

static inline double rv_along_axis(rvVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static inline int rv_longest_axis(rvVec3 size)
{
    return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

// Sorts them along an axis, with how far they moved; `room` has place for nearCount.
void rv_obstacles_sort(rvObstacles* obstacles, int axis, rvInterval* room);

// Lays a rope straight from a to b; where that is inside shapes it goes around them by the shorter way.
void rv_rope_begin(rvRopePath* path, const rvObstacles* obstacles, rvVec3 a, rvVec3 b);

// Lays a rope along a line of points, at least two, and pulls it taut: it stays on that side of the shapes, which stand
// still, where the line is. Points that are inside are led out by the nearest way.
void rv_rope_follow(rvRopePath* path, const rvObstacles* obstacles, rvVec3* points, int count);

// Moves the ends to a and b and the shapes from `before` to where they are, and pulls the rope taut.
void rv_rope_update(rvRopePath* path, const rvObstacles* obstacles, rvVec3 a, rvVec3 b);

// How deep the straight line from p to n (world) passes inside a convex shape: the least distance by which the shape
// would have to move to be free of it, at the deepest point of the line. 0: free. Meshes have no inside: 0.
double rv_rope_depth(const rvShape* shape, rvVec3 p, rvVec3 n);

// The deepest point of a line of points inside shapes (world). Where both ends of a piece lie on a shape it is a chord
// of an arc around that, and in none.
typedef struct {
    double depth; // [m]; 0: in none
    rvVec3 point;
    int shape; // its index
} rvRopeInside;
void rv_rope_look_inside(const rvShape* shape, int index, const rvVec3* points, int count, rvRopeInside* deepest);

// Two straight spans that crossed while they moved.
typedef struct {
    double time;       // 0..1 of the motion
    double s[2];       // place on each span, 0..1
    rvVec3 points[2];  // on each span at its end of the motion
    rvVec3 normal;     // unit, from the first to the second before they met: what holds them apart
    double separation; // of the two lines at the end of the motion along the normal; negative: passed through
} rvRopeCross;

// Spans from a[0] to a[1] and b[0] to b[1], moving from `was` to `now`. True: they crossed, the first time is told.
bool rv_rope_cross(const rvVec3 aWas[2], const rvVec3 aNow[2], const rvVec3 bWas[2], const rvVec3 bNow[2],
                   rvRopeCross* cross);

// Have they come to lie on each other at the end of the motion, not farther apart than told.
bool rv_rope_touch(const rvVec3 aWas[2], const rvVec3 aNow[2], const rvVec3 bWas[2], const rvVec3 bNow[2], double apart,
                   rvRopeCross* cross);

// Where two spans that hold each other touch: the points where a kinked pair of paths a0-x-a1 and b0-x-b1 is shortest.
rvVec3 rv_rope_cross_point(const rvVec3 a[2], const rvVec3 b[2], double weightA, double weightB, rvVec3 start);
