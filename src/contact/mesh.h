// SPDX-License-Identifier: MIT
// Surfaces of triangles: meshes with a tree of boxes over them, and height fields.
#pragma once

#include "base/memory.h"
#include "reeve/math.h"

// A triangle of a surface with what lies beyond its edges.
typedef struct {
    rvVec3 corners[3];
    rvVec3 beyond[3];  // the corner that the neighbour across edge k -> k + 1 does not share
    bool hasBeyond[3]; // false: the edge is a border
    int index;         // by which rv_..._facet finds it again
} rvFacet;

typedef struct {
    rvVec3 low, high;
    int first; // of the triangles (leaf) or of the two children (inner, count 0)
    int count;
} rvMeshNode;

typedef struct {
    rvVec3* points;
    int pointCount;
    int (*triangles)[3]; // in the order of the tree's leaves
    int (*beyond)[3];    // point index across each edge, or -1
    int triangleCount;
    rvMeshNode* nodes;
    int nodeCount;
} rvMesh;

typedef struct {
    double* heights;
    int columns, rows;
    double sizeX, sizeY;
    double low, high; // of the heights
    double thickness;
} rvHeightField;

// Indices are checked by the caller. False: no memory.
bool rv_mesh_build(rvMesh* mesh, rvMemory* memory, const rvVec3* points, int pointCount, const int* triangles,
                   int triangleCount);
void rv_mesh_release(rvMesh* mesh, rvMemory* memory);

typedef void (*rvFacetFn)(const rvFacet* facet, void* context);

// Calls `visit` for each triangle whose box meets low..high, in the frame of the surface, always in the same order.
void rv_mesh_visit(const rvMesh* mesh, rvVec3 low, rvVec3 high, rvFacetFn visit, void* context);
void rv_height_field_visit(const rvHeightField* field, rvVec3 low, rvVec3 high, rvFacetFn visit, void* context);

// A triangle by its index.
rvFacet rv_mesh_facet(const rvMesh* mesh, int index);
rvFacet rv_height_field_facet(const rvHeightField* field, int index);
