// SPDX-License-Identifier: MIT
// How a span of finite elements moves at the start, as its ends do: linear from end to end along its chord, and what
// hangs off that turns with it.
//
//   v(s, r) = va + s (vb - va) + w x (r - ra - s c),   c = rb - ra the chord, s the share of the rope before r
//
// w: of the body, where both ends are on one. Else c x (vb - va)/c.c, with as much about the chord as both bodies turn:
// ends that move as one body carry the rope along as part of it. At a free end it goes with the other one, and turns
// with it if it is clamped.
#pragma once

#include "cable/core/cable.h"

typedef struct {
    rvVec3 from, chord, first, change, turning;
    bool stretches; // the ends go apart or together
} rvStartSpeed;

rvStartSpeed rv_start_speed_of(const rvCable* cable, const rvBodyStore* bodies, int span);
rvVec3 rv_start_speed_at(const rvStartSpeed* speed, double share, rvVec3 at);
// Into position and slope of v at a node q, with such a share of the span before it, of so much mesh.
void rv_start_speed_lay(const rvStartSpeed* speed, double share, double mesh, const double q[6], double v[6]);
// Does a body that it is on move?
bool rv_start_speed_any(const rvCable* cable, const rvBodyStore* bodies);
