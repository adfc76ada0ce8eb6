// SPDX-License-Identifier: MIT
// Convex hulls: points in, corners and flat faces out.
#pragma once

#include "base/memory.h"
#include "reeve/math.h"

enum { RV_HULL_MAX_POINTS = 256 };

typedef struct {
    rvVec3 normal; // unit, outward
    double offset; // normal . p on the face
    int first;     // in corners
    int count;     // >= 3
} rvHullFace;

typedef struct {
    int points[2];
    int faces[2]; // to the left and to the right, seen from outside
} rvHullEdge;

typedef struct {
    rvVec3* points; // the corners only
    int pointCount;
    rvHullFace* faces; // flat neighbours are one face
    int faceCount;
    int* corners; // indices into points, counter-clockwise seen from outside
    int cornerCount;
    rvHullEdge* edges; // each once
    int edgeCount;
    rvVec3 center;   // mean of the corners: inside
    double inradius; // distance from the centre to the nearest face
} rvHull;

typedef enum { RV_HULL_OK = 0, RV_HULL_FLAT, RV_HULL_NO_MEMORY } rvHullResult;

// The hull of 4 to RV_HULL_MAX_POINTS points. RV_HULL_FLAT: they lie in one plane (or line, or point).
rvHullResult rv_hull_build(rvHull* hull, rvMemory* memory, const rvVec3* points, int pointCount);
void rv_hull_release(rvHull* hull, rvMemory* memory);
