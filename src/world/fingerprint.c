// SPDX-License-Identifier: MIT
#include "world/fingerprint.h"

#include "base/hash.h"
#include "cable/core/model.h"

#include <stdio.h>

static uint64_t add_number(uint64_t hash, double number)
{
    return rv_hash_bytes(hash, &number, sizeof number);
}

static uint64_t add_numbers(uint64_t hash, const double* numbers, int count)
{
    for (int i = 0; i < count; ++i)
        hash = add_number(hash, numbers[i]);
    return hash;
}

#define ADD(hash, ...)                                                                                                 \
    add_numbers(hash, (const double[]){__VA_ARGS__}, (int)(sizeof((const double[]){__VA_ARGS__}) / sizeof(double)))

static uint64_t add_vec(uint64_t hash, rvVec3 v)
{
    return ADD(hash, v.x, v.y, v.z);
}

static uint64_t add_pose(uint64_t hash, rvPose pose)
{
    return ADD(add_vec(hash, pose.p), pose.q.w, pose.q.x, pose.q.y, pose.q.z);
}

static uint64_t of_world(const rvWorld* world)
{
    const rvWorldDef* def = &world->def;
    return ADD(RV_HASH_SEED, def->stepper, def->relaxation, def->geometricStiffness, def->maxPasses, def->maxContacts);
}

static uint64_t of_body(const rvBody* body)
{
    return add_vec(ADD(RV_HASH_SEED, body->type), body->center);
}

static uint64_t of_joint(const rvJoint* joint)
{
    uint64_t hash = ADD(RV_HASH_SEED, joint->type, joint->bodyA, joint->bodyB, joint->compliance,
                        joint->angularCompliance, joint->damping, joint->collide);
    return add_pose(add_pose(hash, joint->frameA), joint->frameB);
}

static uint64_t of_shape(const rvShape* shape)
{
    uint64_t hash = ADD(RV_HASH_SEED, shape->type, shape->body, shape->radius, shape->half, shape->friction,
                        shape->restitution, shape->compliance, shape->damping, shape->group, shape->mask);
    hash = add_vec(add_pose(hash, shape->frame), shape->halves);
    for (int i = 0; i < shape->mesh.pointCount; ++i)
        hash = add_vec(hash, shape->mesh.points[i]);
    for (int i = 0; i < shape->mesh.triangleCount; ++i)
        hash = rv_hash_bytes(hash, shape->mesh.triangles[i], sizeof shape->mesh.triangles[i]);
    for (int i = 0; i < shape->hull.pointCount; ++i)
        hash = add_vec(hash, shape->hull.points[i]);
    hash = ADD(hash, shape->field.columns, shape->field.rows, shape->field.sizeX, shape->field.sizeY);
    return add_numbers(hash, shape->field.heights, shape->field.columns * shape->field.rows);
}

// Of its definition. A winch's settings are state, and so is where a loose end is.
static uint64_t add_place(uint64_t hash, const rvPlace* place)
{
    hash = ADD(hash, place->type, place->body, place->clamped, place->locked, place->side, place->core, place->inertia,
               place->friction, place->drag, place->bearing, place->extraTurns, place->number);
    hash = add_vec(hash, place->localAxis);
    if (place->clamped)
        hash = add_vec(hash, place->direction);
    return place->type == RV_PLACE_FREE ? hash : add_vec(hash, place->local);
}

// Of models with mass. Profile and currents are not kept with the definition: images of cables that differ in these
// alone fit each other.
static uint64_t add_mass_fields(uint64_t hash, const rvCable* cable)
{
    const rvCableDef* def = &cable->def;
    hash =
        ADD(hash, cable->massPerLength, def->bendingStiffness, def->bendingDamping, def->waveDamping, def->fluidDensity,
            def->dragCoefficient, def->elements, def->subdivisions, def->contactStiffness, def->contactDamping,
            def->waveScheme, def->runningTerms, def->explicitForce, def->integrator, def->exactCurvature,
            def->fluidLevel, def->tangentDrag, def->addedMass, def->curvature, def->torsion, def->touchesItself);
    return add_vec(add_vec(add_vec(hash, def->wind), def->plane), def->bulge);
}

static uint64_t of_cable(const rvCable* cable)
{
    rvVisitor size = {.kind = RV_VISIT_SIZE, .images = true};
    cable->model->life->visit((rvCable*)cable, &size); // which changes nothing
    const rvCableDef* def = &cable->def;
    uint64_t hash = ADD(RV_HASH_SEED, def->model, cable->definedCount, cable->route.capacity, (double)size.size);
    hash = ADD(hash, cable->axialStiffness, cable->diameter, cable->damping, cable->torsionalStiffness,
               cable->twistDamping, cable->friction, cable->pushes, cable->collides, cable->shapeGroup, cable->mask,
               cable->overload, cable->breakForce);
    if (rv_cable_has(cable, RV_HAS_MASS)) // the fields that others do not have
        hash = add_mass_fields(hash, cable);
    for (int i = 0; i < cable->route.placeCount; ++i)
        if (cable->route.places[i].type != RV_PLACE_CONTACT)
            hash = add_place(hash, &cable->route.places[i]);
    return hash;
}

int rv_world_fingerprint_count(const rvWorld* world)
{
    return 1 + world->bodies.pool.count + world->joints.pool.count + world->shapes.pool.count +
           world->cables.pool.count;
}

// The store that an index counts in, and its own index there; -1: the world itself.
static int find_store(const rvWorld* world, int* index)
{
    const int counts[] = {1, world->bodies.pool.count, world->joints.pool.count, world->shapes.pool.count,
                          world->cables.pool.count};
    int store = 0;
    while (store < 4 && *index >= counts[store])
        *index -= counts[store++];
    return store - 1;
}

static uint64_t of_object(const rvWorld* world, int store, int i)
{
    switch (store) {
    case 0:
        return of_body(&world->bodies.items[i]);
    case 1:
        return of_joint(&world->joints.items[i]);
    case 2:
        return of_shape(&world->shapes.items[i]);
    default:
        return of_cable(&world->cables.items[i]);
    }
}

static const rvIdPool* pool_of(const rvWorld* world, int store)
{
    const rvIdPool* pools[] = {&world->bodies.pool, &world->joints.pool, &world->shapes.pool, &world->cables.pool};
    return pools[store];
}

// A free place is known by how often it was used.
uint64_t rv_world_fingerprint(const rvWorld* world, int index)
{
    int store = find_store(world, &index);
    if (store < 0)
        return of_world(world);
    const rvIdPool* pool = pool_of(world, store);
    uint64_t hash = rv_id_pool_alive(pool, index) ? of_object(world, store, index) : RV_HASH_SEED;
    return rv_hash_number(hash, pool->generations[index]);
}

void rv_world_fingerprint_name(const rvWorld* world, int index, char* text, size_t capacity)
{
    static const char* const kinds[] = {"body", "joint", "shape", "cable"};
    int store = find_store(world, &index);
    if (store < 0) {
        snprintf(text, capacity, "the world");
        return;
    }
    if (!rv_id_pool_alive(pool_of(world, store), index)) {
        snprintf(text, capacity, "%s %d", kinds[store], index + 1);
        return;
    }
    const char* name = store == 0   ? world->bodies.items[index].name
                       : store == 1 ? world->joints.items[index].name
                       : store == 2 ? world->shapes.items[index].name
                                    : world->cables.items[index].name;
    snprintf(text, capacity, "%s '%s'", kinds[store], name);
}
