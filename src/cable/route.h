// SPDX-License-Identifier: MIT
// The route: the places that a cable passes, where they are now, and how its length changes with the bodies.
// It is the same for every span model.
//
// length l = sum of span lengths;  dl/dt = sum over spans of u . (v_B - v_A),  u = (B - A)/|B - A|,
// so place i, between spans i-1 and i, has the gradient  u[i-1] - u[i]  (ends: one of the two).
#pragma once

#include "body/body.h"
#include "reeve/cable.h"

typedef struct {
    rvPlaceType type;
    int body;     // -1: the world
    int slot;     // of its body among the route's bodies, -1 where it does not move
    rvVec3 local; // relative to the centre of mass in body axes; in the world where there is no body
    // computed by rv_route_update
    rvVec3 point; // in the world
    rvVec3 arm;   // from the centre of mass, world axes
} rvPlace;

typedef struct {
    rvVec3 u;      // unit vector towards the next place; zero where the span has no length
    double length; // [m]
} rvSpan;

typedef struct {
    rvPlace* places;
    rvSpan* spans;
    int* bodies; // the moving bodies that it passes, each once
    int placeCount, spanCount, bodyCount;
    double length; // [m]
} rvRoute;

bool rv_route_create(rvRoute* route, rvMemory* memory, int placeCount);
void rv_route_release(rvRoute* route, rvMemory* memory);
void rv_route_collect_bodies(rvRoute* route, const rvBodyStore* bodies);
void rv_route_update(rvRoute* route, const rvBodyStore* bodies);

// The gradient of the length with respect to the point of a place.
static inline rvVec3 rv_route_gradient(const rvRoute* route, int place)
{
    rvVec3 before = place > 0 ? route->spans[place - 1].u : rvVec(0, 0, 0);
    rvVec3 after = place < route->spanCount ? route->spans[place].u : rvVec(0, 0, 0);
    return rvSub(before, after);
}
