// SPDX-License-Identifier: MIT
// Shapes on bodies: what collides, with its own copy of points, triangles and heights.
#pragma once

#include "body/body.h"
#include "contact/convex.h"
#include "contact/mesh.h"
#include "reeve/shape.h"

struct dxGeom; // ODE's

typedef struct {
    // set at creation
    rvShapeType type;
    char* name;
    int body;
    rvPose frame;
    double radius, half; // half of the length
    rvVec3 halves;       // of the sides
    double friction, restitution, compliance, damping;
    uint32_t group, mask;
    rvHull hull;
    rvMesh mesh;
    rvHeightField field;
    struct dxGeom* geom; // NULL where ODE is not used
    // computed by rv_shapes_place
    rvPose pose;
    rvVec3 low, high; // box around it in the world, half the contact margin wider; a plane has none
} rvShape;

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

// Brings all shapes to where their bodies are.
void rv_shapes_place(rvShapeStore* store, const rvBodyStore* bodies);

// A convex shape as the narrow phase sees it, with `origin` taken off its place.
rvConvex rv_shape_convex(const rvShape* shape, rvVec3 origin);
