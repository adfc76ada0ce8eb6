// SPDX-License-Identifier: MIT
// The broad phase: pairs of shapes whose boxes overlap, by sweeping along one axis. Planes are held against all others.
#pragma once

#include "contact/shape.h"

typedef struct {
    int* order; // shapes by the lower end of their boxes along the axis
    int orderCapacity;
    int count;
    int* planes;
    int planeCapacity;
    int planeCount;
    int axis; // 0, 1, 2
} rvBroad;

// Room for all shapes alive; between steps only.
bool rv_broad_reserve(rvBroad* broad, rvMemory* memory, const rvShapeStore* shapes);
void rv_broad_release(rvBroad* broad, rvMemory* memory);

typedef void (*rvPairFn)(int shapeA, int shapeB, void* context);

// Calls `visit` for each pair whose boxes overlap, each once, in no order that may be relied on.
void rv_broad_visit(rvBroad* broad, const rvShapeStore* shapes, rvPairFn visit, void* context);
