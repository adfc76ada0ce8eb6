// SPDX-License-Identifier: MIT
// Shapes as triangles, to be drawn.
#pragma once

#include "reeve/shape.h"

typedef struct {
    rvVec3* points; // in the frame of the body
    int pointCount;
    int* triangles; // three numbers of points each
    int triangleCount;
} rvSurface;

// False without memory. A plane is drawn as a square of 100 m; a hull of more than 64 points as the box around it.
bool rv_surface_make(rvSurface* surface, const rvShapeDef* shape);
void rv_surface_release(rvSurface* surface);
