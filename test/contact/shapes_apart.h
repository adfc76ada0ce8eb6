// SPDX-License-Identifier: MIT
// Shapes on bodies without a world, for tests of the narrow phase and of contacts.
#pragma once

#include "contact/narrow.h"

#include <string.h>

enum { APART_MAX = 64 };

// Body i carries shape i.
typedef struct {
    rvBody bodies[APART_MAX];
    rvBodyStore bodyStore;
    rvShapeStore shapes;
    rvMemory memory;
    rvError error;
    int count;
} apart;

static inline void apart_init(apart* a)
{
    memset(a, 0, sizeof *a);
    a->bodyStore.items = a->bodies;
    a->bodyStore.capacity = APART_MAX;
}

// Adds a body with a shape on it; answers its index, or -1 where the shape was refused.
static inline int apart_add(apart* a, rvBodyType type, rvPose pose, const rvShapeDef* def)
{
    int body = a->count;
    a->bodies[body] = (rvBody){.type = type, .mass = 1.0};
    a->bodies[body].state.x = pose.p;
    a->bodies[body].state.q = pose.q;
    int index = -1;
    if (rv_shape_create(&a->shapes, &a->bodyStore, &a->memory, &a->error, def, body, &index) != RV_OK)
        return -1;
    a->count += 1;
    rv_shapes_place(&a->shapes, &a->bodyStore);
    return index;
}

static inline void apart_move(apart* a, int body, rvPose pose)
{
    a->bodies[body].state.x = pose.p;
    a->bodies[body].state.q = pose.q;
    rv_shapes_place(&a->shapes, &a->bodyStore);
}

static inline void apart_clear(apart* a)
{
    rv_shapes_release(&a->shapes, &a->memory);
}

static const rvVec3 apartCube[8] = {{-0.5, -0.5, -0.5}, {0.5, -0.5, -0.5}, {-0.5, 0.5, -0.5}, {0.5, 0.5, -0.5},
                                    {-0.5, -0.5, 0.5},  {0.5, -0.5, 0.5},  {-0.5, 0.5, 0.5},  {0.5, 0.5, 0.5}};

// A flat square of side 8 m at z = 0, of 8 x 8 cells, as a mesh.
enum { APART_GRID = 9 };
static rvVec3 apartPoints[APART_GRID * APART_GRID];
static int apartTriangles[2 * (APART_GRID - 1) * (APART_GRID - 1) * 3];
static double apartHeights[APART_GRID * APART_GRID];

static inline void apart_make_grid(double (*height)(double x, double y))
{
    int n = 0;
    for (int k = 0; k < APART_GRID; ++k)
        for (int i = 0; i < APART_GRID; ++i) {
            double x = i - 0.5 * (APART_GRID - 1), y = k - 0.5 * (APART_GRID - 1);
            double z = height ? height(x, y) : 0.0;
            apartPoints[k * APART_GRID + i] = rvVec(x, y, z);
            apartHeights[k * APART_GRID + i] = z;
            if (i + 1 < APART_GRID && k + 1 < APART_GRID) {
                int p = k * APART_GRID + i;
                int corners[6] = {p, p + 1, p + 1 + APART_GRID, p, p + 1 + APART_GRID, p + APART_GRID};
                memcpy(apartTriangles + n, corners, sizeof corners);
                n += 6;
            }
        }
}

// A shape of each type: the bottom of each convex one is 0.5 m below its origin, its top 0.5 m above.
static inline rvShapeDef apart_def(rvShapeType type)
{
    rvShapeDef def = rvDefaultShapeDef(type);
    def.radius = type == RV_SHAPE_CAPSULE ? 0.2 : 0.5;
    def.length = type == RV_SHAPE_CAPSULE ? 0.6 : 1.0;
    def.points = type == RV_SHAPE_MESH ? apartPoints : apartCube;
    def.pointCount = type == RV_SHAPE_MESH ? APART_GRID * APART_GRID : 8;
    def.triangles = apartTriangles;
    def.triangleCount = (int)(sizeof apartTriangles / sizeof apartTriangles[0]) / 3;
    def.heights = apartHeights;
    def.columns = def.rows = APART_GRID;
    def.fieldSize = rvVec(APART_GRID - 1, APART_GRID - 1, 5);
    return def;
}
