// SPDX-License-Identifier: MIT
// Two intervals of a curve in space: their nearest points (Newton from those of their chords), and which ones can be
// near each other at all.
#pragma once

#include "cable/curve/space_spot.h"

typedef struct {
    double xi[2];
    rvCurveSpot spot[2];
    rvVec3 x[2], t[2], d; // d: from the first to the second
} rvSpacePair;

// False: they are ends that belong to other intervals.
bool rv_space_find_pair(const rvSpace* space, int i, int j, rvSpacePair* pair);
// Are two intervals farther from each other than this?
bool rv_space_is_far_pair(const rvSpace* space, int i, int j, double distance);
// Middles of neighbours are no farther apart than this: half of what lies between their outer ends.
double rv_space_find_stride(const rvSpace* space);
// The first interval from j on that may be as near to interval i.
int rv_space_next_near(const rvSpace* space, double stride, int i, int j, double distance);
