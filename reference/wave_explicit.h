// SPDX-License-Identifier: MIT
// The wave on a span as published (Elevation); wave.h has the equation. Central differences on the grid points, with
// central damping, beta = b h/2 and nu^2 = T h^2 M^2/(rho l^2):
//   (1 + beta) u+ = 2 u - (1 - beta) u- + nu^2 (u_(j+1) - 2 u_j + u_(j-1)) + h^2 R,   sin(omega h/2) = nu sin(k pi/2M).
// Stable for nu <= 1; the paper suspends it (u = 0) where nu^2 >= 1/2. A wave holds, for both directions one after the
// other, u and the u before it.
#pragma once

#include "cable/string/wave.h"

// Takes the step from one wave to another; answers its arc. Where nu^2 >= 1/2 it becomes straight and *suspended is
// set.
double rv_wave_explicit(const rvWaveTable* table, const rvWaveStep* step, const double* from, double* to,
                        bool* suspended);
// Arc length beyond the chord; arc: M^2/l.
double rv_wave_arc_points(const rvWaveTable* table, double arc, const double* wave);
