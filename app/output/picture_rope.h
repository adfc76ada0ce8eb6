// SPDX-License-Identifier: MIT
// The ropes of a picture: lines with the tension of each piece.
#pragma once

#include "output/rope_line.h"

#include "reeve/scene.h"

typedef struct {
    rvRopeLine line;
    double* tension; // of the piece that begins at each point [N]; negative: it presses
    bool cut;        // broken: it carries nothing, and lies where it last did
    bool bends;      // slack has no meaning for it
} rvPictureRope;

typedef struct {
    rvPictureRope* items;
    int count;
    double low, high; // of the tensions, 0 between them [N]
} rvPictureRopes;

// All ropes of the scene as they lie now; false where memory is short. Release them in either case.
bool rv_picture_ropes_make(rvPictureRopes* ropes, const rvScene* scene, const rvWorld* world);
void rv_picture_ropes_release(rvPictureRopes* ropes);
