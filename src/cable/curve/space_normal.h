// SPDX-License-Identifier: MIT
// How the normal of two points of a curve in space that press on each other turns.
//
// A load whose direction stays is in the matrix (space.h); but what presses with f turns with its two points, and they
// slide along their strands. The gap is the least distance D(u, w) = |x1(u) - x2(w)|. With n = (x1 - x2)/d, delta =
// dx1 - dx2, w1 and w2 how the strands turn there, t their tangents and k their curvatures, D grows in second order by
// what n . (x1 - x2) does with n held, and half of
//   (1/d) (delta.e1^2 + delta.e2^2) - a . M^-1 a,   e1, e2 across n
//   a = (t1.delta/d + (t1 x n).w1, -t2.delta/d - (t2 x n).w2),   M = [1/d + n.k1, -t1.t2/d; -t1.t2/d, 1/d - n.k2]
// (two points that are kept do not slide: without the second term). The Lagrangian has -f of that: the first term
// softens, the second stiffens.
#pragma once

#include "cable/curve/space_spot.h"

typedef struct {
    rvCurveSpot spot[2];
    double force; // [N]
    bool kept;    // they were nearest before: they do not slide
} rvSpacePress;

// Two rows, one behind the other, whose squares soften, each with `weight`; false: they are nearer than `least` [m].
bool rv_space_softening(const rvSpace* space, const rvSpacePress* press, double least, double* rows, double* weight);
// Two rows whose squares stiffen; false: none do.
bool rv_space_stiffening(const rvSpace* space, const rvSpacePress* press, double least, double* rows,
                         double weights[2]);
