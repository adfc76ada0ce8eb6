// SPDX-License-Identifier: MIT
// Which parts of a line in space went through each other while its points moved straight from one place to another.
//
// Chords a, a + A and b, b + B, all of them linear in t = 0..1, can only meet where their volume
//   V(t) = (A x B) . (b - a)
// is zero: a cubic, whose roots are searched between its extremes. At a root the chords lie in a plane, and they meet
// if their lines do within both. The sign of V before it is the side from which they came: out, from the first to the
// second, is A x B with that sign. Two that go through each other and back have met for nothing.
// What moves in one plane, z = 0, has no volume. There a line goes through itself where one of its points goes through
// a chord a, a + A: where the area A x (p - a), quadratic in t, is zero.
#pragma once

#include "cable/curve/space_box.h"

typedef struct {
    double at[2]; // along the line, in chords: the first, the second
    rvVec3 out;   // from the first to the second, before they met
} rvPassage;

enum { RV_PASSAGE_BLOCK = 8 }; // chords that have a box together

// Boxes of where the chords of a line of `count` points go, then those of blocks of them; how many these are together.
void rv_passage_find_boxes(const rvVec3* from, const rvVec3* to, int count, rvSpaceBox* boxes);
int rv_passage_boxes(int count);

// Chords that are `apart` or less from each other along the line are left out. `boxes`: as found. Answers how many
// there are; the first `capacity` are written.
int rv_find_passages(const rvVec3* from, const rvVec3* to, int count, double apart, const rvSpaceBox* boxes,
                     rvPassage* found, int capacity);

// The same in the plane z = 0: a point and a chord.
int rv_find_flat_passages(const rvVec3* from, const rvVec3* to, int count, double apart, const rvSpaceBox* boxes,
                          rvPassage* found, int capacity);

// The same of one chord, by its ends, and an axis, by its ends: out is away from the axis. False: it did not go
// through.
bool rv_find_passage(const rvVec3 from[2], const rvVec3 to[2], const rvVec3 axisFrom[2], const rvVec3 axisTo[2],
                     double* at, rvVec3* out);
