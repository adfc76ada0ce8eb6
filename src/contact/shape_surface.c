// SPDX-License-Identifier: MIT
// Surfaces of triangles: meshes and height fields, and the triangle as a convex piece.
#include "contact/shape_geometry.h"

#include <math.h>
#include <string.h>

// ---- both

// The box in the world around a box of its own frame.
static void bound_surface(rvShape* shape)
{
    rvVec3 low, high;
    rv_shape_geometry(shape)->surface->box(shape, &low, &high);
    rvMat3 r = rvMat3FromQuat(shape->pose.q);
    rvVec3 center = rvPosePoint(shape->pose, rvScale(0.5, rvAdd(low, high)));
    rvVec3 half = rvScale(0.5, rvSub(high, low));
    rvVec3 reach;
    reach.x = fabs(r.m[0][0]) * half.x + fabs(r.m[0][1]) * half.y + fabs(r.m[0][2]) * half.z;
    reach.y = fabs(r.m[1][0]) * half.x + fabs(r.m[1][1]) * half.y + fabs(r.m[1][2]) * half.z;
    reach.z = fabs(r.m[2][0]) * half.x + fabs(r.m[2][1]) * half.y + fabs(r.m[2][2]) * half.z;
    shape->low = rvSub(center, reach);
    shape->high = rvAdd(center, reach);
}

// ---- mesh; as a convex piece its type stands for one triangle

static rvStatus check_mesh(const rvShapeCheck* check, const rvShapeDef* def)
{
    rvStatus status = rv_shape_check_points(check, def, 3);
    if (status != RV_OK)
        return status;
    if (!def->triangles || def->triangleCount < 1)
        return rv_fail(check->error, RV_BAD_INPUT, "shape '%s': triangleCount: is %d, must be >= 1", check->name,
                       def->triangles ? def->triangleCount : 0);
    if (def->triangleCount > INT32_MAX / 8)
        return rv_fail(check->error, RV_BAD_INPUT, "shape '%s': triangleCount: is %d, must be <= %d", check->name,
                       def->triangleCount, INT32_MAX / 8);
    for (int i = 0; i < 3 * def->triangleCount; ++i)
        if (def->triangles[i] < 0 || def->triangles[i] >= def->pointCount)
            return rv_fail(check->error, RV_BAD_INPUT, "shape '%s': triangles[%d]: is %d, must be within 0..%d",
                           check->name, i, def->triangles[i], def->pointCount - 1);
    return RV_OK;
}

static rvStatus take_mesh(rvShape* shape, rvMemory* memory, rvError* error, const rvShapeDef* def)
{
    bool fits = rv_mesh_build(&shape->mesh, memory, def->points, def->pointCount, def->triangles, def->triangleCount);
    return fits ? RV_OK : rv_shape_no_memory(error, def);
}

static void mesh_box(const rvShape* shape, rvVec3* low, rvVec3* high)
{
    *low = shape->mesh.nodes[0].low;
    *high = shape->mesh.nodes[0].high;
}

static void visit_mesh(const rvShape* shape, rvVec3 low, rvVec3 high, rvFacetFn fn, void* context)
{
    rv_mesh_visit(&shape->mesh, low, high, fn, context);
}

static rvFacet mesh_facet(const rvShape* shape, int index)
{
    return rv_mesh_facet(&shape->mesh, index);
}

static int mesh_facet_count(const rvShape* shape)
{
    return shape->mesh.triangleCount;
}

static bool mesh_is_closed(const rvShape* shape)
{
    for (int i = 0; i < shape->mesh.triangleCount; ++i)
        for (int k = 0; k < 3; ++k)
            if (shape->mesh.beyond[i][k] < 0)
                return false;
    return true;
}

static rvVec3 triangle_core(const rvConvex* c, double shrink, rvVec3 n)
{
    (void)shrink;
    double a = rvDot(n, c->corners[0]);
    double b = rvDot(n, c->corners[1]);
    double d = rvDot(n, c->corners[2]);
    if (a >= b && a >= d)
        return c->corners[0];
    return b >= d ? c->corners[1] : c->corners[2];
}

static void triangle_face(const rvConvex* c, rvVec3 n, rvFace* face)
{
    bool front = rvDot(n, c->normal) >= 0.0;
    face->count = 3;
    face->normal = front ? c->normal : rvNeg(c->normal);
    face->corners[0] = c->corners[0];
    face->corners[1] = c->corners[front ? 1 : 2];
    face->corners[2] = c->corners[front ? 2 : 1];
}

static bool triangle_normal(const rvConvex* c, int i, rvVec3 toward, rvVec3* normal)
{
    (void)toward;
    *normal = c->normal;
    return i < 1;
}

static int triangle_edges(const rvConvex* c, rvVec3 directions[3])
{
    for (int i = 0; i < 3; ++i)
        directions[i] = rvNormalizeOr(rvSub(c->corners[(i + 1) % 3], c->corners[i]), rvVec(0, 0, 1));
    return 3;
}

static const rvSurfaceGeometry meshSurface = {.visit = visit_mesh,
                                              .facet = mesh_facet,
                                              .facetCount = mesh_facet_count,
                                              .box = mesh_box,
                                              .isClosed = mesh_is_closed};

const rvShapeGeometry rv_shape_mesh = {.name = "mesh",
                                       .bodies = 1 << RV_BODY_STATIC | 1 << RV_BODY_KINEMATIC,
                                       .bodyNames = "static or kinematic",
                                       .surface = &meshSurface,
                                       .check = check_mesh,
                                       .take = take_mesh,
                                       .bound = bound_surface,
                                       .core = triangle_core,
                                       .face = triangle_face,
                                       .normal = triangle_normal,
                                       .edges = triangle_edges};

// ---- height field

static rvStatus check_field(const rvShapeCheck* check, const rvShapeDef* def)
{
    if (def->columns < 2 || def->rows < 2)
        return rv_fail(check->error, RV_BAD_INPUT, "shape '%s': %s: is %d, must be >= 2", check->name,
                       def->columns < 2 ? "columns" : "rows", def->columns < 2 ? def->columns : def->rows);
    if (!def->heights || def->columns > INT32_MAX / def->rows)
        return rv_fail(check->error, RV_BAD_INPUT, "shape '%s': heights: must hold columns * rows values", check->name);
    for (int i = 0; i < def->columns * def->rows; ++i)
        if (!isfinite(def->heights[i]))
            return rv_fail(check->error, RV_BAD_INPUT, "shape '%s': heights[%d]: is not finite", check->name, i);
    rvStatus status = rv_shape_check_positive(check, "fieldSize.x", def->fieldSize.x);
    status = status == RV_OK ? rv_shape_check_positive(check, "fieldSize.y", def->fieldSize.y) : status;
    return status == RV_OK ? rv_shape_check_positive(check, "fieldSize.z", def->fieldSize.z) : status;
}

static rvStatus take_field(rvShape* shape, rvMemory* memory, rvError* error, const rvShapeDef* def)
{
    rvHeightField* field = &shape->field;
    size_t size = (size_t)def->columns * (size_t)def->rows * sizeof(double);
    *field = (rvHeightField){.columns = def->columns,
                             .rows = def->rows,
                             .sizeX = def->fieldSize.x,
                             .sizeY = def->fieldSize.y,
                             .low = def->heights[0],
                             .high = def->heights[0],
                             .thickness = def->fieldSize.z};
    field->heights = rv_memory_take(memory, size);
    if (!field->heights)
        return rv_shape_no_memory(error, def);
    memcpy(field->heights, def->heights, size);
    for (int i = 0; i < def->columns * def->rows; ++i) {
        field->low = fmin(field->low, def->heights[i]);
        field->high = fmax(field->high, def->heights[i]);
    }
    return RV_OK;
}

static void field_box(const rvShape* shape, rvVec3* low, rvVec3* high)
{
    const rvHeightField* f = &shape->field;
    *low = rvVec(-0.5 * f->sizeX, -0.5 * f->sizeY, f->low - f->thickness);
    *high = rvVec(0.5 * f->sizeX, 0.5 * f->sizeY, f->high);
}

static void visit_field(const rvShape* shape, rvVec3 low, rvVec3 high, rvFacetFn fn, void* context)
{
    rv_height_field_visit(&shape->field, low, high, fn, context);
}

static rvFacet field_facet(const rvShape* shape, int index)
{
    return rv_height_field_facet(&shape->field, index);
}

static int field_facet_count(const rvShape* shape)
{
    return 2 * (shape->field.columns - 1) * (shape->field.rows - 1);
}

static bool field_is_closed(const rvShape* shape)
{
    (void)shape;
    return true;
}

static const rvSurfaceGeometry fieldSurface = {.isSolid = true,
                                               .visit = visit_field,
                                               .facet = field_facet,
                                               .facetCount = field_facet_count,
                                               .box = field_box,
                                               .isClosed = field_is_closed};

const rvShapeGeometry rv_shape_height_field = {.name = "height field",
                                               .bodies = 1 << RV_BODY_STATIC,
                                               .bodyNames = "static",
                                               .surface = &fieldSurface,
                                               .check = check_field,
                                               .take = take_field,
                                               .bound = bound_surface,
                                               .core = rv_shape_point_core,
                                               .face = rv_shape_point_face,
                                               .normal = rv_shape_no_normal,
                                               .edges = rv_shape_no_edges};
