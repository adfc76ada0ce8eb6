// SPDX-License-Identifier: MIT
// The types of shapes, as one table: what tells one from another in src/contact, and what upper layers need of
// surfaces.
//
// To add a type: its number in reeve/shape.h, RV_SHAPE_TYPES, an entry as in shape_box.c and its line in the table of
// shape.c. Then its entry in the tables that each stand in one place of an upper layer: a taut rope around it
// (cable/taut/obstacle_kind.c), a curve beside it (cable/curve/space_solid.c), its mass (scene/mass.c) and its surface
// in pictures (app/output/surface.c); its fields in scenes are bits in scene/fields.c.
#pragma once

#include "contact/shape.h"

enum { RV_SHAPE_TYPES = RV_SHAPE_HEIGHT_FIELD + 1 };

// For messages: every check names the shape and the field.
typedef struct {
    rvError* error;
    const char* name;
} rvShapeCheck;

#define RV_SHAPE_ON_ALL UINT32_MAX

// A surface of triangles; low..high and facets are in its frame.
typedef struct {
    bool isSolid; // what is below it comes up again
    void (*visit)(const rvShape* shape, rvVec3 low, rvVec3 high, rvFacetFn fn,
                  void* context); // whose box meets low..high
    rvFacet (*facet)(const rvShape* shape, int index);
    int (*facetCount)(const rvShape* shape);
    void (*box)(const rvShape* shape, rvVec3* low, rvVec3* high); // around all of it and what is below it
    bool (*isClosed)(const rvShape* shape);                       // does it have an inside
} rvSurfaceGeometry;

typedef struct {
    const char* name;                                                    // in messages
    uint32_t bodies;                                                     // bits of rvBodyType that it may be on
    const char* bodyNames;                                               // those, where they are not all
    bool isRound;                                                        // a core with a rounding: rvConvex.radius
    bool hasRim;                                                         // its flat touches have more points
    const rvSurfaceGeometry* surface;                                    // NULL: it is none
    rvStatus (*check)(const rvShapeCheck* check, const rvShapeDef* def); // sizes
    rvStatus (*take)(rvShape* shape, rvMemory* memory, rvError* error, const rvShapeDef* def); // copies what it owns
    void (*bound)(rvShape* shape);                                                             // pose -> low, high
    // as a convex piece, see convex.h; of a surface: a triangle of it
    rvVec3 (*core)(const rvConvex* convex, double shrink, rvVec3 n);
    void (*face)(const rvConvex* convex, rvVec3 n, rvFace* face);
    bool (*normal)(const rvConvex* convex, int i, rvVec3 toward, rvVec3* normal); // of face i, not unit; false: no more
    int (*edges)(const rvConvex* convex, rvVec3 directions[3]);                   // 0 to 3, to be crossed with others'
} rvShapeGeometry;

extern const rvShapeGeometry rv_shape_plane, rv_shape_sphere, rv_shape_box, rv_shape_capsule, rv_shape_cylinder,
    rv_shape_hull, rv_shape_mesh, rv_shape_height_field;
extern const rvShapeGeometry* const rv_shape_geometries[RV_SHAPE_TYPES]; // by rvShapeType

static inline const rvShapeGeometry* rv_shape_geometry(const rvShape* shape)
{
    return rv_shape_geometries[shape->type];
}

static inline bool rv_shape_is_surface(const rvShape* shape)
{
    return rv_shape_geometry(shape)->surface != NULL;
}

static inline bool rv_convex_is_round(const rvConvex* convex)
{
    return rv_shape_geometries[convex->type]->isRound;
}

// ---- what entries share

rvStatus rv_shape_check_positive(const rvShapeCheck* check, const char* field, double value);
rvStatus rv_shape_check_points(const rvShapeCheck* check, const rvShapeDef* def, int least);
rvStatus rv_shape_check_rod(const rvShapeCheck* check, const rvShapeDef* def); // radius, length
rvStatus rv_shape_no_memory(rvError* error, const rvShapeDef* def);
rvStatus rv_shape_take_geom(rvShape* shape, rvMemory* memory, rvError* error, const rvShapeDef* def); // ODE's
void rv_shape_bound_convex(rvShape* shape); // by its support along the axes of the world

// A point with a rounding, and where there are no faces or edges.
rvVec3 rv_shape_point_core(const rvConvex* convex, double shrink, rvVec3 n);
void rv_shape_point_face(const rvConvex* convex, rvVec3 n, rvFace* face);
bool rv_shape_no_normal(const rvConvex* convex, int i, rvVec3 toward, rvVec3* normal);
int rv_shape_no_edges(const rvConvex* convex, rvVec3 directions[3]);
int rv_shape_rod_edges(const rvConvex* convex, rvVec3 directions[3]); // its axis
