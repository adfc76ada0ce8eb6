// SPDX-License-Identifier: MIT
// Segments of a route: from junction to junction, one rest length and one stretch rate each, kept at the place where
// they begin. Their lengths and rates, and how these follow a route that changed.
#pragma once

#include "cable/core/model.h"

// Where the segment ends that begins at place `first`, by the places: also between steps, when contacts came and went.
static inline int rv_segment_end(const rvRoute* route, int first)
{
    int last = first + 1;
    while (last < route->spanCount && route->places[last].state.isJunction == 0.0)
        last += 1;
    return last;
}

// Of the rope from place first to place last, with the arcs between them.
static inline double rv_segment_length(const rvRoute* route, int first, int last)
{
    double length = route->places[first].arcAfter + route->places[last].arcBefore;
    for (int i = first; i < last; ++i) {
        length += route->spans[i].length + route->places[i].state.sag - route->places[i].state.unpaid;
        if (i > first)
            length += route->places[i].arcBefore + route->places[i].arcAfter;
    }
    return length;
}

// Has it segments whose stretch goes on over a change of the route?
static inline bool rv_segments_persist(const rvCable* cable)
{
    return rv_cable_has(cable, RV_SEGMENTS) && cable->state.broken == 0.0 && !cable->loose;
}
