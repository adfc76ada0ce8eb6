// SPDX-License-Identifier: MIT
// Shapes on bodies: what collides.
#pragma once

#include "reeve/body.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    RV_SHAPE_PLANE = 0,    ///< the half space below z = 0 of its frame; on static bodies only
    RV_SHAPE_SPHERE,       ///< radius
    RV_SHAPE_BOX,          ///< sides (full lengths)
    RV_SHAPE_CAPSULE,      ///< radius, length of the straight part along z
    RV_SHAPE_CYLINDER,     ///< radius, length along z
    RV_SHAPE_HULL,         ///< convex hull of points
    RV_SHAPE_MESH,         ///< triangles; on static and kinematic bodies only
    RV_SHAPE_HEIGHT_FIELD, ///< heights on a grid of x and y; on static bodies only
} rvShapeType;

typedef struct {
    rvShapeType type;
    rvPose frame;         ///< in the body's frame
    double radius;        ///< [m]
    double length;        ///< [m]
    rvVec3 sides;         ///< [m]
    const rvVec3* points; ///< hull and mesh: vertices; copied
    int pointCount;
    const int* triangles; ///< mesh: three indices each, counter-clockwise seen from outside; copied
    int triangleCount;
    const double* heights; ///< height field: columns * rows values [m], x runs fastest; copied
    int columns, rows;     ///< grid points along x and y, each >= 2
    rvVec3 fieldSize;      ///< x, y: extent of the field, centred on the frame [m]; z: thickness below, default 10
    double friction;       ///< coefficient; of a pair the geometric mean counts; >= 0, default 0.5
    double restitution;    ///< 0..1; of a pair the larger counts; default 0
    double compliance;     ///< of a contact point [m/N], >= 0, default 1e-10; of a pair the sum counts
    double damping;        ///< damping time of contacts [s]; negative: the world's relaxation; default -1
    uint32_t group, mask;  ///< two shapes meet if each one's group is in the other's mask; default 1, all
    const char* name;      ///< for messages; copied; NULL: # and index1 of its id
    uint32_t cookie;
} rvShapeDef;

RV_API rvShapeDef rvDefaultShapeDef(rvShapeType type);

/// `body` must be one: for a ground make a static body.
RV_API rvStatus rvCreateShape(rvWorld* world, rvBodyId body, const rvShapeDef* def, rvShapeId* id);
RV_API rvStatus rvDestroyShape(rvWorld* world, rvShapeId id);
RV_API bool rvShape_IsValid(const rvWorld* world, rvShapeId id);
RV_API rvBodyId rvShape_GetBody(const rvWorld* world, rvShapeId id);
RV_API const char* rvShape_GetName(const rvWorld* world, rvShapeId id);

/// A point where two shapes touch.
typedef struct {
    rvShapeId shapeA, shapeB;
    rvVec3 point;    ///< in the world [m]
    rvVec3 normal;   ///< from A to B
    double depth;    ///< [m], negative for a gap
    double force;    ///< normal force of the last step [N]
    rvVec3 friction; ///< friction force on B [N]
} rvContactPoint;

/// Contact points of the last step. Copies at most `capacity`, answers how many there are.
RV_API int rvWorld_GetContacts(const rvWorld* world, rvContactPoint* points, int capacity);

#ifdef __cplusplus
}
#endif
