// SPDX-License-Identifier: MIT
// Shapes on bodies: ODE geoms behind our names.
#pragma once

#include "body/body.h"
#include "reeve/shape.h"

typedef struct rvShape rvShape; // see shape.c

typedef struct {
    rvShape* items;
    int capacity;
    rvIdPool pool;
} rvShapeStore;

// bodyIndex and its type are checked by the caller to be alive; def is checked here.
rvStatus rv_shape_create(rvShapeStore* store, const rvBodyStore* bodies, rvMemory* memory, rvError* error,
                         const rvShapeDef* def, int bodyIndex, int* index);
void rv_shape_destroy(rvShapeStore* store, rvMemory* memory, int index);
void rv_shapes_release(rvShapeStore* store, rvMemory* memory);
int rv_shape_body(const rvShapeStore* store, int index);
const char* rv_shape_name(const rvShapeStore* store, int index);
