// SPDX-License-Identifier: MIT
#include "contact/shape_geometry.h"

#include "base/cookie.h"
#include "base/field.h"
#include "contact/geom.h"

#include <math.h>

const rvShapeGeometry* const rv_shape_geometries[RV_SHAPE_TYPES] = {
    [RV_SHAPE_PLANE] = &rv_shape_plane,       [RV_SHAPE_SPHERE] = &rv_shape_sphere,
    [RV_SHAPE_BOX] = &rv_shape_box,           [RV_SHAPE_CAPSULE] = &rv_shape_capsule,
    [RV_SHAPE_CYLINDER] = &rv_shape_cylinder, [RV_SHAPE_HULL] = &rv_shape_hull,
    [RV_SHAPE_MESH] = &rv_shape_mesh,         [RV_SHAPE_HEIGHT_FIELD] = &rv_shape_height_field,
};

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

static rvStatus fail_number(const rvShapeCheck* check, const char* field, double value, const char* unit,
                            const char* rule)
{
    return rv_fail(check->error, RV_BAD_INPUT, "shape '%s': %s: is %g%s, must be %s", check->name, field, value, unit,
                   rule);
}

rvStatus rv_shape_check_positive(const rvShapeCheck* check, const char* field, double value)
{
    return rv_check_number(check->error, "shape", check->name, (rvField){field, value, RV_FINITE_POSITIVE, "m"});
}

rvStatus rv_shape_check_points(const rvShapeCheck* check, const rvShapeDef* def, int least)
{
    if (!def->points || def->pointCount < least)
        return rv_fail(check->error, RV_BAD_INPUT, "shape '%s': pointCount: is %d, must be >= %d", check->name,
                       def->points ? def->pointCount : 0, least);
    for (int i = 0; i < def->pointCount; ++i)
        if (!rvIsFiniteVec(def->points[i]))
            return rv_fail(check->error, RV_BAD_INPUT, "shape '%s': points[%d]: is not finite", check->name, i);
    return RV_OK;
}

static rvStatus check_not_negative(const rvShapeCheck* check, const char* field, double value, const char* unit)
{
    return rv_check_number(check->error, "shape", check->name, (rvField){field, value, RV_FINITE_NOT_NEGATIVE, unit});
}

static rvStatus check_frame(const rvShapeCheck* check, rvPose frame)
{
    double n = frame.q.w * frame.q.w + frame.q.x * frame.q.x + frame.q.y * frame.q.y + frame.q.z * frame.q.z;
    if (!(rvLength(frame.p) <= RV_LARGEST_POSITION))
        return rv_fail(check->error, RV_BAD_INPUT, "shape '%s': frame.p: must be within %g m of the origin",
                       check->name, RV_LARGEST_POSITION);
    if (!(fabs(n - 1.0) < 1e-3))
        return rv_fail(check->error, RV_BAD_INPUT, "shape '%s': frame.q: is not a rotation, its length must be 1",
                       check->name);
    return RV_OK;
}

// Surfaces hold no volume to push from both sides: they may not be moved by forces.
static rvStatus check_body(const rvShapeCheck* check, const rvShapeGeometry* geometry, rvBodyType body)
{
    if (geometry->bodies >> body & 1)
        return RV_OK;
    return rv_fail(check->error, RV_BAD_INPUT, "shape '%s': type: a %s must be on a %s body", check->name,
                   geometry->name, geometry->bodyNames);
}

static rvStatus check_def(rvError* error, const rvShapeDef* def, rvBodyType body)
{
    if (!def || def->cookie != RV_COOKIE)
        return rv_fail(error, RV_BAD_INPUT, "shape: cookie: start the definition from rvDefaultShapeDef()");
    rvShapeCheck c = {error, def->name ? def->name : ""};
    if ((unsigned)def->type >= RV_SHAPE_TYPES)
        return rv_fail(error, RV_BAD_INPUT, "shape '%s': type: %d is not a shape", c.name, (int)def->type);
    const rvShapeGeometry* geometry = rv_shape_geometries[def->type];
    rvStatus status = check_body(&c, geometry, body);
    if (status == RV_OK)
        status = check_frame(&c, def->frame);
    if (status == RV_OK)
        status = geometry->check(&c, def);
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

rvStatus rv_shape_no_memory(rvError* error, const rvShapeDef* def)
{
    return rv_fail(error, RV_NO_MEMORY, "shape '%s': no memory", def->name ? def->name : "");
}

rvStatus rv_shape_take_geom(rvShape* shape, rvMemory* memory, rvError* error, const rvShapeDef* def)
{
    (void)memory;
    shape->geom = rv_geom_create(def);
    return shape->geom ? RV_OK : rv_shape_no_memory(error, def);
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
    status = shape.name ? rv_shape_geometry(&shape)->take(&shape, memory, error, def) : rv_shape_no_memory(error, def);
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

void rv_shape_bound_convex(rvShape* shape)
{
    rvConvex convex = rv_shape_convex(shape, rvVec(0, 0, 0));
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
        rv_shape_geometry(shape)->bound(shape);
        rvVec3 margin = rvScale(0.5 * RV_CONTACT_MARGIN, rvVec(1, 1, 1));
        shape->low = rvSub(shape->low, margin);
        shape->high = rvAdd(shape->high, margin);
    }
}
