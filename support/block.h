// SPDX-License-Identifier: MIT
// A block as a box, as a hull of its corners and as a mesh of twelve triangles.
#pragma once

#include "reeve/reeve.h"

enum { BLOCK_CORNERS = 8, BLOCK_TRIANGLES = 12 };

static const int BlockTriangles[3 * BLOCK_TRIANGLES] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                                        2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

// The points are kept by the caller.
static inline rvShapeDef block_shape(rvShapeType type, rvVec3 sides, rvVec3 points[BLOCK_CORNERS])
{
    rvShapeDef def = rvDefaultShapeDef(type);
    for (int i = 0; i < BLOCK_CORNERS; ++i)
        points[i] =
            rvVec((i & 1 ? 0.5 : -0.5) * sides.x, (i & 2 ? 0.5 : -0.5) * sides.y, (i & 4 ? 0.5 : -0.5) * sides.z);
    def.sides = sides;
    def.points = points;
    def.pointCount = BLOCK_CORNERS;
    def.triangles = BlockTriangles;
    def.triangleCount = BLOCK_TRIANGLES;
    return def;
}
