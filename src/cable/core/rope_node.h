// SPDX-License-Identifier: MIT
// A node of a taut rope on a shape: which feature it lies on, and where. See taut/obstacle.h.
#pragma once

#include "reeve/base.h"
#include "reeve/math.h"

#include <stdint.h>

typedef enum {
    RV_ROPE_EDGE = 0, // feature: edge, t: 0..1 along it
    RV_ROPE_RIM,      // side: end of the cylinder, t: angle
    RV_ROPE_SEAM,     // side: end of the capsule, t: angle; the wraps on both sides go on in each other there
    RV_ROPE_SPHERE,   // side: end of the capsule, 0 on a sphere
    RV_ROPE_CYLINDER, // side: 1 counter-clockwise about z, -1 clockwise
} rvRopeKind;

// State; saved and restored as bytes.
typedef struct {
    int32_t shape;   // index
    int32_t kind;    // rvRopeKind
    int32_t feature; // of RV_ROPE_EDGE, see rv_rope_edge
    int32_t side;
    double t;
    double turn;    // of RV_ROPE_CYLINDER: angle about the axis, any number of turns
    rvVec3 in, out; // where the rope meets and leaves the surface, in the frame of the shape; one point but on wraps
} rvRopeNode;

// What is known of a node after an update; world.
typedef struct {
    rvVec3 in, out;
    rvVec3 arrive, leave;        // unit, along the rope
    rvVec3 normalIn, normalOut;  // unit, out of the shape
    double turn;                 // by how much the rope bends here: the angle of the capstan formula [rad]
    double arc;                  // on the surface [m]
    rvVec3 wasIn, wasOut;        // scratch: at the last place that is known to be free
    double before, after, cross; // scratch of wraps: second derivatives across the rope at both neighbours, mixed
    double spanIn, spanOut;      // scratch of wraps: from and to the neighbours
    rvVec3 origin, slope;        // scratch of edges: the end where t is 0, and to the other end
} rvRopeTouch;
