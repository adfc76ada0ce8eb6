// SPDX-License-Identifier: MIT
// Lifetime of a world, its buffers, and read-out of the whole.
#include "world/world.h"

#include "base/cookie.h"
#include "base/field.h"
#include "cable/core/reference.h"
#include "cable/route/twist.h"
#include "math/sym3.h"

#include <stdio.h>
#include <string.h>

rvWorldDef rvDefaultWorldDef(void)
{
    return (rvWorldDef){.gravity = {0, 0, -9.81},
                        .stepper = RV_STEPPER_SPOOK,
                        .relaxation = 2.0,
                        .geometricStiffness = 4.0,
                        .maxPasses = 6,
                        .maxContacts = 2048,
                        .maxEvents = 256,
                        .cookie = RV_COOKIE};
}

static rvStatus check_def(rvError* error, const rvWorldDef* def)
{
    if (!def || def->cookie != RV_COOKIE)
        return rv_fail(error, RV_BAD_INPUT, "world: definition was not made by rvDefaultWorldDef");
    if (!rvIsFiniteVec(def->gravity))
        return rv_fail(error, RV_BAD_INPUT, "world: gravity: must be finite");
    if ((unsigned)def->stepper > RV_STEPPER_PAPER)
        return rv_fail(error, RV_BAD_INPUT, "world: stepper: %d is none", (int)def->stepper);
    if (def->stepper == RV_STEPPER_PAPER && !def->reference)
        return rv_fail_without_reference(error, "world", NULL, "stepper", "paper");
    const rvField fields[] = {{"relaxation", def->relaxation, RV_FINITE_NOT_NEGATIVE, "steps"},
                              {"geometricStiffness", def->geometricStiffness, RV_FINITE_NOT_NEGATIVE, NULL}};
    if (RV_CHECK_FIELDS(error, "world: ", fields))
        return RV_BAD_INPUT;
    if (def->maxPasses < 1 || def->maxPasses > 16)
        return rv_fail(error, RV_BAD_INPUT, "world: maxPasses: is %d, must be 1 to 16", def->maxPasses);
    if (def->maxContacts < 0 || def->maxContacts > 1000000)
        return rv_fail(error, RV_BAD_INPUT, "world: maxContacts: is %d, must be 0 to 1000000", def->maxContacts);
    if (def->maxEvents < 1 || def->maxEvents > 1000000)
        return rv_fail(error, RV_BAD_INPUT, "world: maxEvents: is %d, must be 1 to 1000000", def->maxEvents);
    if (!def->alloc != !def->free)
        return rv_fail(error, RV_BAD_INPUT, "world: alloc and free: give both or neither");
    return RV_OK;
}

static rvStatus create_world(const rvWorldDef* def, rvWorld** result, rvError* error)
{
    rvStatus status = check_def(error, def);
    if (status != RV_OK)
        return status;
    rvMemory memory = {def->alloc, def->free, def->context, 0};
    rvWorld* world = rv_memory_take(&memory, sizeof(rvWorld));
    if (!world)
        return rv_fail(error, RV_NO_MEMORY, "world: no memory");
    world->memory = memory;
    world->def = *def;
    world->state.gravity = def->gravity;
    world->cables.reference = def->reference;
    world->events = rv_memory_take(&world->memory, (size_t)def->maxEvents * sizeof(rvEvent));
    world->solver = rv_solver_create(&world->memory);
    world->contacts = rv_contacts_create(&world->memory, def->maxContacts);
    if (!world->events || !world->solver || !world->contacts || rv_world_reserve(world) != RV_OK) {
        rvDestroyWorld(world);
        return rv_fail(error, RV_NO_MEMORY, "world: no memory");
    }
    *result = world;
    return RV_OK;
}

rvStatus rvCreateWorld(const rvWorldDef* def, rvWorld** world, char* error, size_t errorCapacity)
{
    rvError why = {""};
    if (!world)
        return RV_BAD_INPUT;
    *world = NULL;
    rvStatus status = create_world(def, world, &why);
    if (error && errorCapacity > 0)
        snprintf(error, errorCapacity, "%s", why.text);
    return status;
}

void rvDestroyWorld(rvWorld* world)
{
    if (!world)
        return;
    rvMemory* memory = &world->memory;
    rv_cables_release(&world->cables, memory);
    if (world->contacts)
        rv_contacts_destroy(world->contacts, memory);
    rv_shapes_release(&world->shapes, memory);
    rv_joints_release(&world->joints, memory);
    rv_bodies_release(&world->bodies, memory);
    rv_rows_release(&world->rows, memory);
    rv_guard_release(&world->guard, memory);
    rv_closing_release(&world->closing, memory);
    if (world->solver)
        rv_solver_destroy(world->solver, memory);
    rv_memory_give(memory, world->backup, (size_t)world->backupCapacity);
    rv_memory_give(memory, world->events, (size_t)world->def.maxEvents * sizeof(rvEvent));
    rvMemory last = *memory;
    rv_memory_give(&last, world, sizeof(rvWorld));
}

// Room for the factor where the user names none: the joints' and cables' part as it can be, and a share for contacts.
static size_t factor_bytes(const rvWorld* world)
{
    if (world->def.solverMemory > 0)
        return world->def.solverMemory;
    size_t groups = (size_t)(world->joints.pool.alive + world->cables.pool.alive + world->cables.spanCount);
    size_t wanted = 16384 * groups + 8192 * (size_t)rv_contacts_room(world->contacts);
    // in doublings, so that building a world does not move it each time
    size_t bytes = (size_t)4 << 20;
    while (bytes < wanted)
        bytes *= 2;
    return bytes;
}

rvStatus rv_world_reserve(rvWorld* world)
{
    rvMemory* memory = &world->memory;
    int sum[4] = {0}, part[4], contactsBefore = rv_contacts_room(world->contacts);
    world->begun = 0.0;
    if (!rv_contacts_reserve(world->contacts, memory, &world->shapes))
        return rv_fail(&world->error, RV_NO_MEMORY, "world: no memory for contacts");
    rv_joints_capacity(&world->joints, &part[0], &part[1], &part[2], &part[3]);
    for (int i = 0; i < 4; ++i)
        sum[i] += part[i];
    rv_contacts_capacity(world->contacts, &part[0], &part[1], &part[2], &part[3]);
    for (int i = 0; i < 4; ++i)
        sum[i] += part[i];
    rv_cables_capacity(&world->cables, &part[0], &part[1], &part[2], &part[3]);
    for (int i = 0; i < 4; ++i)
        sum[i] += part[i];
    int inner = rv_cables_solver_bodies(&world->cables);
    rv_bodies_rope_capacity(&world->bodies, &part[0], &part[1], &part[2], &part[3]);
    for (int i = 0; i < 4; ++i)
        sum[i] += part[i];
    bool room =
        rv_rows_reserve(&world->rows, memory, sum[0], sum[1], sum[2], sum[3]) &&
        rv_cables_reserve(&world->cables, memory, world->bodies.pool.count, world->shapes.pool.count) &&
        rv_bodies_reserve_wheels(&world->bodies, memory, inner) &&
        rv_solver_reserve(world->solver, memory, world->bodies.pool.count + inner, &world->rows, factor_bytes(world)) &&
        rv_guard_reserve(&world->guard, memory, world->bodies.pool.count + inner, world->cables.pool.count) &&
        rv_closing_reserve(&world->closing, memory, &world->joints, world->bodies.pool.count) &&
        rv_memory_grow(memory, (void**)&world->backup, &world->backupCapacity, (int)rv_world_state_size(world), 1);
    if (room)
        return RV_OK;
    rv_contacts_limit(world->contacts, contactsBefore); // the rows, the solver and the backup hold no more
    return rv_fail(&world->error, RV_NO_MEMORY, "world: no memory for the step's buffers");
}

const char* rvWorld_GetError(const rvWorld* world)
{
    return world ? world->error.text : "world: is NULL";
}

rvStepInfo rvWorld_GetStepInfo(const rvWorld* world)
{
    rvStepInfo info = world->info;
    info.time = world->state.time;
    info.stepCount = world->state.stepCount;
    info.bodies = world->bodies.pool.alive;
    info.memory = world->memory.taken;
    for (int i = 0; i < world->joints.pool.count; ++i) {
        if (!rv_id_pool_alive(&world->joints.pool, i))
            continue;
        double translation, rotation;
        rv_joint_error(&world->joints.items[i], &world->bodies, &translation, &rotation);
        info.worstGap = fmax(info.worstGap, fmax(translation, rotation));
    }
    return info;
}

static rvCableEnergy energy_of(const rvWorld* world, const rvCable* cable)
{
    double h = world->state.h;
    const rvCableState* s = &cable->state;
    rvRopeEnergy held = rv_cable_energy(cable, &world->bodies, world->state.gravity, h);
    rvCableEnergy energy = {.heat = s->heat + cable->winch[0].state.heat + cable->winch[1].state.heat};
    energy.twist = rv_cable_has(cable, RV_OWN_TORSION) ? held.torsion : rv_twist_energy(cable, h);
    energy.stretch = held.elastic - energy.twist;
    energy.kinetic = held.kinetic + held.wheels;
    energy.potential = held.potential;
    energy.work = cable->winch[0].state.work + cable->winch[1].state.work + s->weightWork;
    for (int k = 0; k < cable->route.placeCount; ++k) {
        energy.work += cable->route.places[k].state.driveWork;
        energy.heat += cable->route.places[k].state.heat;
    }
    return energy;
}

rvCableEnergy rvCable_GetEnergy(const rvWorld* world, rvCableId id)
{
    int index = rv_id_pool_find(&world->cables.pool, id.index1, id.generation);
    return index >= 0 ? energy_of(world, &world->cables.items[index]) : (rvCableEnergy){0};
}

static double held_by(rvCableEnergy energy)
{
    return energy.stretch + energy.twist + energy.kinetic + energy.potential;
}

double rv_world_cable_books(const rvWorld* world, int cable)
{
    rvCableEnergy energy = energy_of(world, &world->cables.items[cable]);
    return held_by(energy) + energy.heat - energy.work;
}

void rv_world_book_model(rvWorld* world, int cable, double before, double hung)
{
    double more = energy_of(world, &world->cables.items[cable]).potential - hung;
    world->state.work += more;
    rv_world_book_change(world, cable, before + more);
}

void rv_world_book_end(rvWorld* world, int cable)
{
    rvCableEnergy energy = energy_of(world, &world->cables.items[cable]);
    world->state.work += energy.work - energy.potential;
    world->state.goneHeat += held_by(energy) - energy.potential + energy.heat;
}

void rv_world_book_change(rvWorld* world, int cable, double before)
{
    double more = rv_world_cable_books(world, cable) - before;
    if (more > 0.0)
        world->state.work += more;
    else
        world->cables.items[cable].state.heat -= more;
}

// At the middle of the last step: velocities live there, poses are half a step behind the present ones.
rvEnergy rvWorld_GetEnergy(const rvWorld* world)
{
    const rvWorldState* state = &world->state;
    rvEnergy energy = {.work = state->work,
                       .heat = state->goneHeat,
                       .dampingHeat = state->goneHeat,
                       .contactHeat = state->contactHeat,
                       .turningHeat = state->turningHeat,
                       .guard = state->guardHeat};
    double h = world->state.h;
    for (int i = 0; i < world->bodies.pool.count; ++i) {
        const rvBody* body = &world->bodies.items[i];
        if (!rv_body_alive(&world->bodies, i) || !rv_body_is_pushed(body))
            continue;
        const rvBodyState* s = &body->state;
        rvVec3 w = rvRotateBack(rvQuatMul(s->q, body->principalAxes), s->w);
        energy.kinetic +=
            0.5 * body->mass * rvDot(s->v, s->v) +
            0.5 * (body->principal.x * w.x * w.x + body->principal.y * w.y * w.y + body->principal.z * w.z * w.z);
        energy.potential -= body->mass * rvDot(world->state.gravity, rvMulAdd(s->x, -0.5 * h, s->v));
    }
    for (int i = 0; i < world->cables.pool.count; ++i) {
        if (!rv_id_pool_alive(&world->cables.pool, i))
            continue;
        rvCableEnergy cable = energy_of(world, &world->cables.items[i]);
        energy.elastic += cable.stretch + cable.twist;
        energy.kinetic += cable.kinetic;
        energy.potential += cable.potential;
        energy.work += cable.work;
        energy.dampingHeat += world->cables.items[i].state.heat;
        energy.heat += cable.heat;
    }
    for (int i = 0; i < world->joints.pool.count; ++i)
        if (rv_id_pool_alive(&world->joints.pool, i)) {
            energy.work += world->joints.items[i].state.work;
            double elastic = rv_joint_elastic_energy(&world->joints.items[i], &world->bodies, h);
            energy.elastic += elastic;
            energy.jointHeat += world->joints.items[i].state.taken - elastic;
        }
    energy.heat += energy.jointHeat + energy.contactHeat + energy.turningHeat + energy.guard;
    return energy;
}

rvVec3 rvWorld_GetGravity(const rvWorld* world)
{
    return world->state.gravity;
}

rvStatus rvWorld_SetGravity(rvWorld* world, rvVec3 gravity)
{
    if (!rvIsFiniteVec(gravity))
        return rv_fail(&world->error, RV_BAD_INPUT, "world: gravity: must be finite");
    world->state.gravity = gravity;
    return RV_OK;
}

double rvWorld_GetTime(const rvWorld* world)
{
    return world->state.time;
}

int rvWorld_GetEvents(const rvWorld* world, rvEvent* events, int capacity)
{
    for (int i = 0; events && i < world->eventCount && i < capacity; ++i)
        events[i] = world->events[i];
    return world->eventCount;
}
