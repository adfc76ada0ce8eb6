// SPDX-License-Identifier: MIT
// The public calls on shapes and contacts: check the id, then call the layer below.
#include "world/world.h"

rvShapeId rv_world_shape_id(const rvWorld* world, int index)
{
    return (rvShapeId){(uint32_t)index + 1, world->shapes.pool.generations[index]};
}

rvStatus rvCreateShape(rvWorld* world, rvBodyId body, const rvShapeDef* def, rvShapeId* id)
{
    int bodyIndex = rv_world_find_body(world, body, "rvCreateShape: body");
    if (bodyIndex < 0)
        return RV_BAD_ID;
    int index = -1;
    rvStatus status =
        rv_shape_create(&world->shapes, &world->bodies, &world->memory, &world->error, def, bodyIndex, &index);
    if (status != RV_OK)
        return status;
    status = rv_world_reserve(world);
    if (status != RV_OK) {
        rv_shape_destroy(&world->shapes, &world->memory, index);
        return status;
    }
    if (id)
        *id = rv_world_shape_id(world, index);
    return RV_OK;
}

rvStatus rvDestroyShape(rvWorld* world, rvShapeId id)
{
    int index = rv_id_pool_find(&world->shapes.pool, id.index1, id.generation);
    if (index < 0)
        return rv_fail(&world->error, RV_BAD_ID, "rvDestroyShape: id: there is no such shape (index %u, generation %u)",
                       id.index1, id.generation);
    rv_contacts_forget_shape(world->contacts, index);
    rv_cables_forget_shape(&world->cables, &world->bodies, index);
    rv_shape_destroy(&world->shapes, &world->memory, index);
    world->begun = 0.0;
    return RV_OK;
}

bool rvShape_IsValid(const rvWorld* world, rvShapeId id)
{
    return rv_id_pool_find(&world->shapes.pool, id.index1, id.generation) >= 0;
}

rvBodyId rvShape_GetBody(const rvWorld* world, rvShapeId id)
{
    int index = rv_id_pool_find(&world->shapes.pool, id.index1, id.generation);
    if (index < 0)
        return RV_NULL_BODY;
    int body = rv_shape_body(&world->shapes, index);
    return (rvBodyId){(uint32_t)body + 1, world->bodies.pool.generations[body]};
}

const char* rvShape_GetName(const rvWorld* world, rvShapeId id)
{
    int index = rv_id_pool_find(&world->shapes.pool, id.index1, id.generation);
    return index < 0 ? "" : rv_shape_name(&world->shapes, index);
}

int rvWorld_GetContacts(const rvWorld* world, rvContactPoint* points, int capacity)
{
    int count = rv_contacts_count(world->contacts);
    double rate = world->state.h > 0.0 ? 1.0 / world->state.h : 0.0;
    for (int i = 0; points && i < count && i < capacity; ++i) {
        rvContactView view = rv_contacts_view(world->contacts, i);
        points[i] = (rvContactPoint){rv_world_shape_id(world, view.shapeA),
                                     rv_world_shape_id(world, view.shapeB),
                                     view.point,
                                     view.normal,
                                     view.depth,
                                     rate * view.normalImpulse,
                                     rvScale(rate, view.frictionImpulse)};
    }
    return count;
}
