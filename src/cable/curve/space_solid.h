// SPDX-License-Identifier: MIT
// A point and a chord of a curve, and shapes that are not round: planes, boxes, hulls, meshes and height fields. All in
// the frame of the shape. A point of a curve in a plane meets cylinders and capsules here, too.
//
// Outside of a convex shape the distance from it is convex along any line, and so is minus the depth inside, so that an
// interval has one nearest point, on a face or over an edge. A surface is one of triangles, each with an outer side.
//
// What leads through a surface is a point that goes through a triangle from its outer side, or a chord through one of
// its edges (passage.h). Where neither comes deeper than `sink`, it is not through: what goes around an edge in a step
// cuts it.
#pragma once

#include "contact/shape.h"

#define RV_SPACE_LEAST_SLOPE 0.2 // of a normal in a plane: faces that are flatter do not hold a curve in it

typedef struct {
    double gap;    // below 0: so deep it is inside [m]
    double inside; // how deep it is where it is deepest, along this direction
    rvVec3 out;
} rvSpaceDistance;

// Of a point; `across`: of the plane along which it is counted how deep a point is inside, zero: there is none;
// `reach`: a surface that is farther away is told to be infinitely far.
rvSpaceDistance rv_space_solid_distance(const rvShape* shape, rvVec3 x, rvVec3 across, double reach);
// How much of a normal lies in such a plane.
double rv_space_solid_slope(rvVec3 normal, rvVec3 across);
// A mesh has nothing inside: is a point with that gap behind it, of a curve with that radius?
bool rv_space_solid_is_behind(const rvShape* shape, double gap, double radius);
// How deep a point may come on its way and still be pushed back where it came from, of a curve with that radius.
double rv_space_solid_sink(const rvShape* shape, double radius);

typedef enum {
    RV_SPACE_OUTSIDE = 0,
    RV_SPACE_SUNK, // less deep than `sink`
    RV_SPACE_THROUGH,
} rvSpacePassing;

// Does a point that goes straight from one place to another come through the surface? *at: where it goes in, *out:
// where it came from.
rvSpacePassing rv_space_solid_pass_point(const rvShape* shape, rvVec3 from, rvVec3 to, double sink, rvVec3* at,
                                         rvVec3* out);
// Does a chord, by its ends, come through an edge, and with which share of it?
rvSpacePassing rv_space_solid_pass_chord(const rvShape* shape, const rvVec3 from[2], const rvVec3 to[2], double sink,
                                         double* at, rvVec3* out);
