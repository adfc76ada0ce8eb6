// SPDX-License-Identifier: MIT
#include "contact/shape.h"

#include "base/cookie.h"
#include "base/field.h"
#include "contact/geom.h"

#include <math.h>
#include <string.h>

static const char* const typeNames[] = {"plane",    "sphere", "box",  "capsule",
                                        "cylinder", "hull",   "mesh", "height field"};

rvShapeDef rvDefaultShapeDef(rvShapeType type)
{
    rvShapeDef def = {.type = type, .frame = rvPoseIdentity(), .radius = 0.5, .length = 1.0, .sides = {1, 1, 1}};
    def.fieldSize = rvVec(1, 1, 10);
    def.friction = 0.5;
    def.compliance = 1e-10;
    def.damping = -1.0;
    def.group = 1;
    def.mask = UINT32_MAX;
    def.cookie = RV_COOKIE;
    return def;
}

// For messages: every check names the shape and the field.
typedef struct {
    rvError* error;
    const char* name;
} check;

static rvStatus fail_number(const check* c, const char* field, double value, const char* unit, const char* rule)
{
    return rv_fail(c->error, RV_BAD_INPUT, "shape '%s': %s: is %g%s, must be %s", c->name, field, value, unit, rule);
}

static rvStatus check_positive(const check* c, const char* field, double value)
{
    return rv_check_number(c->error, "shape", c->name, (rvField){field, value, RV_FINITE_POSITIVE, "m"});
}

static rvStatus check_not_negative(const check* c, const char* field, double value, const char* unit)
{
    return rv_check_number(c->error, "shape", c->name, (rvField){field, value, RV_FINITE_NOT_NEGATIVE, unit});
}

static rvStatus check_points(const check* c, const rvShapeDef* def, int least)
{
    if (!def->points || def->pointCount < least)
        return rv_fail(c->error, RV_BAD_INPUT, "shape '%s': pointCount: is %d, must be >= %d", c->name,
                       def->points ? def->pointCount : 0, least);
    for (int i = 0; i < def->pointCount; ++i)
        if (!rvIsFiniteVec(def->points[i]))
            return rv_fail(c->error, RV_BAD_INPUT, "shape '%s': points[%d]: is not finite", c->name, i);
    return RV_OK;
}

static rvStatus check_mesh(const check* c, const rvShapeDef* def)
{
    rvStatus status = check_points(c, def, 3);
    if (status != RV_OK)
        return status;
    if (!def->triangles || def->triangleCount < 1)
        return rv_fail(c->error, RV_BAD_INPUT, "shape '%s': triangleCount: is %d, must be >= 1", c->name,
                       def->triangles ? def->triangleCount : 0);
    if (def->triangleCount > INT32_MAX / 8)
        return rv_fail(c->error, RV_BAD_INPUT, "shape '%s': triangleCount: is %d, must be <= %d", c->name,
                       def->triangleCount, INT32_MAX / 8);
    for (int i = 0; i < 3 * def->triangleCount; ++i)
        if (def->triangles[i] < 0 || def->triangles[i] >= def->pointCount)
            return rv_fail(c->error, RV_BAD_INPUT, "shape '%s': triangles[%d]: is %d, must be within 0..%d", c->name, i,
                           def->triangles[i], def->pointCount - 1);
    return RV_OK;
}

static rvStatus check_field(const check* c, const rvShapeDef* def)
{
    if (def->columns < 2 || def->rows < 2)
        return rv_fail(c->error, RV_BAD_INPUT, "shape '%s': %s: is %d, must be >= 2", c->name,
                       def->columns < 2 ? "columns" : "rows", def->columns < 2 ? def->columns : def->rows);
    if (!def->heights || def->columns > INT32_MAX / def->rows)
        return rv_fail(c->error, RV_BAD_INPUT, "shape '%s': heights: must hold columns * rows values", c->name);
    for (int i = 0; i < def->columns * def->rows; ++i)
        if (!isfinite(def->heights[i]))
            return rv_fail(c->error, RV_BAD_INPUT, "shape '%s': heights[%d]: is not finite", c->name, i);
    rvStatus status = check_positive(c, "fieldSize.x", def->fieldSize.x);
    status = status == RV_OK ? check_positive(c, "fieldSize.y", def->fieldSize.y) : status;
    return status == RV_OK ? check_positive(c, "fieldSize.z", def->fieldSize.z) : status;
}

static rvStatus check_size(const check* c, const rvShapeDef* def)
{
    rvStatus status = RV_OK;
    switch (def->type) {
    case RV_SHAPE_PLANE:
        return RV_OK;
    case RV_SHAPE_SPHERE:
        return check_positive(c, "radius", def->radius);
    case RV_SHAPE_BOX:
        status = check_positive(c, "sides.x", def->sides.x);
        status = status == RV_OK ? check_positive(c, "sides.y", def->sides.y) : status;
        return status == RV_OK ? check_positive(c, "sides.z", def->sides.z) : status;
    case RV_SHAPE_CAPSULE:
    case RV_SHAPE_CYLINDER:
        status = check_positive(c, "radius", def->radius);
        return status == RV_OK ? check_positive(c, "length", def->length) : status;
    case RV_SHAPE_HULL:
        status = check_points(c, def, 4);
        if (status == RV_OK && def->pointCount > RV_HULL_MAX_POINTS)
            return rv_fail(c->error, RV_BAD_INPUT, "shape '%s': pointCount: is %d, must be <= %d", c->name,
                           def->pointCount, RV_HULL_MAX_POINTS);
        return status;
    case RV_SHAPE_MESH:
        return check_mesh(c, def);
    default:
        return check_field(c, def);
    }
}

static rvStatus check_frame(const check* c, rvPose frame)
{
    double n = frame.q.w * frame.q.w + frame.q.x * frame.q.x + frame.q.y * frame.q.y + frame.q.z * frame.q.z;
    if (!(rvLength(frame.p) <= RV_LARGEST_POSITION))
        return rv_fail(c->error, RV_BAD_INPUT, "shape '%s': frame.p: must be within %g m of the origin", c->name,
                       RV_LARGEST_POSITION);
    if (!(fabs(n - 1.0) < 1e-3))
        return rv_fail(c->error, RV_BAD_INPUT, "shape '%s': frame.q: is not a rotation, its length must be 1", c->name);
    return RV_OK;
}

// Surfaces hold no volume to push from both sides: they may not be moved by forces.
static rvStatus check_body(const check* c, rvShapeType type, rvBodyType body)
{
    bool isFixedOnly = type == RV_SHAPE_PLANE || type == RV_SHAPE_HEIGHT_FIELD;
    if (isFixedOnly && body != RV_BODY_STATIC)
        return rv_fail(c->error, RV_BAD_INPUT, "shape '%s': type: a %s must be on a static body", c->name,
                       typeNames[type]);
    if (type == RV_SHAPE_MESH && body != RV_BODY_STATIC && body != RV_BODY_KINEMATIC)
        return rv_fail(c->error, RV_BAD_INPUT, "shape '%s': type: a mesh must be on a static or kinematic body",
                       c->name);
    return RV_OK;
}

static rvStatus check_def(rvError* error, const rvShapeDef* def, rvBodyType body)
{
    if (!def || def->cookie != RV_COOKIE)
        return rv_fail(error, RV_BAD_INPUT, "shape: cookie: start the definition from rvDefaultShapeDef()");
    check c = {error, def->name ? def->name : ""};
    if ((unsigned)def->type > RV_SHAPE_HEIGHT_FIELD)
        return rv_fail(error, RV_BAD_INPUT, "shape '%s': type: %d is not a shape", c.name, (int)def->type);
    rvStatus status = check_body(&c, def->type, body);
    if (status == RV_OK)
        status = check_frame(&c, def->frame);
    if (status == RV_OK)
        status = check_size(&c, def);
    if (status == RV_OK)
        status = check_not_negative(&c, "friction", def->friction, NULL);
    if (status == RV_OK && !(def->restitution >= 0.0 && def->restitution <= 1.0))
        status = fail_number(&c, "restitution", def->restitution, "", "within 0..1");
    if (status == RV_OK)
        status = check_not_negative(&c, "compliance", def->compliance, "m/N");
    if (status == RV_OK)
        status = rv_check_number(error, "shape", c.name,
                                 (rvField){"damping", def->damping, rv_damping_range(def->damping), "s"});
    return status;
}

// The frame moves to the middle of the hull, so that its origin lies inside.
static rvStatus take_hull(rvShape* shape, rvMemory* memory, rvError* error, const rvShapeDef* def)
{
    const char* name = def->name ? def->name : "";
    rvHullResult result = rv_hull_build(&shape->hull, memory, def->points, def->pointCount);
    if (result == RV_HULL_NO_MEMORY)
        return rv_fail(error, RV_NO_MEMORY, "shape '%s': no memory", name);
    if (result == RV_HULL_FLAT || !(shape->hull.inradius > 0.0))
        return rv_fail(error, RV_BAD_INPUT, "shape '%s': points: lie in one plane, a hull needs a volume", name);
    rvVec3 center = shape->hull.center;
    shape->frame.p = rvPosePoint(shape->frame, center);
    for (int i = 0; i < shape->hull.pointCount; ++i)
        shape->hull.points[i] = rvSub(shape->hull.points[i], center);
    for (int i = 0; i < shape->hull.faceCount; ++i)
        shape->hull.faces[i].offset -= rvDot(shape->hull.faces[i].normal, center);
    shape->hull.center = rvVec(0, 0, 0);
    return RV_OK;
}

static bool take_field(rvHeightField* field, rvMemory* memory, const rvShapeDef* def)
{
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
        return false;
    memcpy(field->heights, def->heights, size);
    for (int i = 0; i < def->columns * def->rows; ++i) {
        field->low = fmin(field->low, def->heights[i]);
        field->high = fmax(field->high, def->heights[i]);
    }
    return true;
}

static void release(rvShape* shape, rvMemory* memory)
{
    rv_geom_destroy(shape->geom);
    rv_hull_release(&shape->hull, memory);
    rv_mesh_release(&shape->mesh, memory);
    size_t heights = (size_t)shape->field.columns * (size_t)shape->field.rows;
    rv_memory_give(memory, shape->field.heights, heights * sizeof(double));
    rv_memory_give_text(memory, shape->name);
    *shape = (rvShape){0};
}

// What a shape that has its name (NULL: there was no memory) owns, by its type.
static rvStatus take_parts(rvShape* shape, rvMemory* memory, rvError* error, const rvShapeDef* def)
{
    bool fits = shape->name != NULL;
    if (fits && def->type == RV_SHAPE_HULL) {
        rvStatus status = take_hull(shape, memory, error, def);
        if (status != RV_OK)
            return status;
    } else if (fits && def->type == RV_SHAPE_MESH) {
        fits = rv_mesh_build(&shape->mesh, memory, def->points, def->pointCount, def->triangles, def->triangleCount);
    } else if (fits && def->type == RV_SHAPE_HEIGHT_FIELD) {
        fits = take_field(&shape->field, memory, def);
    } else if (fits) {
        fits = (shape->geom = rv_geom_create(def)) != NULL;
    }
    return fits ? RV_OK : rv_fail(error, RV_NO_MEMORY, "shape '%s': no memory", def->name ? def->name : "");
}

rvStatus rv_shape_create(rvShapeStore* store, const rvBodyStore* bodies, rvMemory* memory, rvError* error,
                         const rvShapeDef* def, int bodyIndex, int* index)
{
    rvStatus status = check_def(error, def, bodies->items[bodyIndex].type);
    if (status != RV_OK)
        return status;
    rvShape shape = {.type = def->type, .body = bodyIndex, .frame = def->frame};
    shape.frame.q = rvQuatNormalize(def->frame.q);
    shape.radius = def->radius;
    shape.half = 0.5 * def->length;
    shape.halves = rvScale(0.5, def->sides);
    shape.friction = def->friction;
    shape.restitution = def->restitution;
    shape.compliance = def->compliance;
    shape.damping = def->damping;
    shape.group = def->group;
    shape.mask = def->mask;
    shape.name = rv_id_pool_name(&store->pool, memory, def->name);
    status = take_parts(&shape, memory, error, def);
    int place = -1;
    if (status == RV_OK) {
        bool fits =
            rv_memory_grow(memory, (void**)&store->items, &store->capacity, store->pool.count + 1, sizeof(rvShape));
        place = fits ? rv_id_pool_take(&store->pool, memory) : -1;
        if (place < 0)
            status = rv_fail(error, RV_NO_MEMORY, "shape '%s': no memory", shape.name);
    }
    if (status != RV_OK) {
        release(&shape, memory);
        return status;
    }
    store->items[place] = shape;
    *index = place;
    return RV_OK;
}

void rv_shape_destroy(rvShapeStore* store, rvMemory* memory, int index)
{
    release(&store->items[index], memory);
    rv_id_pool_give(&store->pool, index);
}

void rv_shapes_release(rvShapeStore* store, rvMemory* memory)
{
    for (int i = 0; i < store->pool.count; ++i)
        if (rv_id_pool_alive(&store->pool, i))
            release(&store->items[i], memory);
    rv_memory_give(memory, store->items, (size_t)store->capacity * sizeof(rvShape));
    rv_id_pool_clear(&store->pool, memory);
    store->items = NULL;
    store->capacity = 0;
}

int rv_shape_body(const rvShapeStore* store, int index)
{
    return store->items[index].body;
}

const char* rv_shape_name(const rvShapeStore* store, int index)
{
    return store->items[index].name;
}

rvConvex rv_shape_convex(const rvShape* shape, rvVec3 origin)
{
    rvConvex convex = {.type = shape->type, .radius = shape->radius, .half = shape->half, .halves = shape->halves};
    convex.p = rvSub(shape->pose.p, origin);
    convex.axes[0] = rvRotate(shape->pose.q, rvVec(1, 0, 0));
    convex.axes[1] = rvRotate(shape->pose.q, rvVec(0, 1, 0));
    convex.axes[2] = rvRotate(shape->pose.q, rvVec(0, 0, 1));
    convex.hull = &shape->hull;
    return convex;
}

// The box in the world around a box of its own frame.
static void bound_box(rvShape* shape, rvVec3 low, rvVec3 high)
{
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

// A box has its reach along every axis of the world at once: what its supports would give, to the bit.
static void bound_convex_box(rvShape* shape, const rvConvex* box)
{
    const double h[3] = {box->halves.x, box->halves.y, box->halves.z};
    shape->low = shape->high = box->p;
    for (int k = 0; k < 3; ++k) {
        rvVec3 reach = rvVec(h[k] * fabs(box->axes[k].x), h[k] * fabs(box->axes[k].y), h[k] * fabs(box->axes[k].z));
        shape->low = rvSub(shape->low, reach);
        shape->high = rvAdd(shape->high, reach);
    }
}

static void bound(rvShape* shape)
{
    if (shape->type == RV_SHAPE_PLANE)
        return;
    if (shape->type == RV_SHAPE_MESH) {
        bound_box(shape, shape->mesh.nodes[0].low, shape->mesh.nodes[0].high);
        return;
    }
    if (shape->type == RV_SHAPE_HEIGHT_FIELD) {
        const rvHeightField* f = &shape->field;
        bound_box(shape, rvVec(-0.5 * f->sizeX, -0.5 * f->sizeY, f->low - f->thickness),
                  rvVec(0.5 * f->sizeX, 0.5 * f->sizeY, f->high));
        return;
    }
    rvConvex convex = rv_shape_convex(shape, rvVec(0, 0, 0));
    if (shape->type == RV_SHAPE_BOX) {
        bound_convex_box(shape, &convex);
        return;
    }
    shape->low.x = rv_convex_support(&convex, rvVec(-1, 0, 0)).x;
    shape->low.y = rv_convex_support(&convex, rvVec(0, -1, 0)).y;
    shape->low.z = rv_convex_support(&convex, rvVec(0, 0, -1)).z;
    shape->high.x = rv_convex_support(&convex, rvVec(1, 0, 0)).x;
    shape->high.y = rv_convex_support(&convex, rvVec(0, 1, 0)).y;
    shape->high.z = rv_convex_support(&convex, rvVec(0, 0, 1)).z;
}

void rv_shapes_place(rvShapeStore* store, const rvBodyStore* bodies)
{
    for (int i = 0; i < store->pool.count; ++i) {
        if (!rv_id_pool_alive(&store->pool, i))
            continue;
        rvShape* shape = &store->items[i];
        shape->pose = rvPoseMul(rv_body_pose(&bodies->items[shape->body]), shape->frame);
        if (shape->geom)
            rv_geom_place(shape->geom, shape->type, shape->pose);
        bound(shape);
        rvVec3 margin = rvScale(0.5 * RV_CONTACT_MARGIN, rvVec(1, 1, 1));
        shape->low = rvSub(shape->low, margin);
        shape->high = rvAdd(shape->high, margin);
    }
}
