// SPDX-License-Identifier: MIT
// Manifolds: the few points that stand for the touching of two shapes.
#pragma once

#include "contact/convex.h"

typedef struct {
    rvVec3 point;  // world, halfway between the two surfaces
    rvVec3 normal; // unit, from A to B
    double depth;  // > -RV_CONTACT_MARGIN; negative: a gap
} rvTouch;

enum {
    RV_MANIFOLD_ROOM = 64,  // points looked at for one pair before they are thinned out
    RV_MANIFOLD_POINTS = 4, // points kept of a flat touch; of a cylinder's end twice as many
};

typedef struct {
    rvTouch touches[RV_MANIFOLD_ROOM];
    int count;
} rvManifold;

// Copies only the points that there are.
void rv_manifold_copy(rvManifold* manifold, const rvManifold* from);

// Adds a point; a manifold without room is thinned out first.
void rv_manifold_add(rvManifold* manifold, rvTouch touch);

// Clips the supporting faces of a and b against each other along n (unit, from a to b) and adds the points that overlap
// or nearly touch. Answers how many there were.
int rv_manifold_clip(rvManifold* manifold, const rvConvex* a, const rvConvex* b, rvVec3 n);

// Keeps at most `most` points of each direction of normals: spread as far as they can be, the deepest among them.
void rv_manifold_reduce(rvManifold* manifold, int most);
