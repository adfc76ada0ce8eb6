// SPDX-License-Identifier: MIT
// The public calls on cables: check the id, then call the layer below.
#include "world/world.h"

#include <stdio.h>

static const rvCable* cable_of(const rvWorld* world, rvCableId id)
{
    int index = rv_id_pool_find(&world->cables.pool, id.index1, id.generation);
    return index < 0 ? NULL : &world->cables.items[index];
}

static rvCable* find_cable(rvWorld* world, rvCableId id, const char* call)
{
    rvCable* cable = (rvCable*)cable_of(world, id);
    if (!cable)
        rv_fail(&world->error, RV_BAD_ID, "%s: id: there is no such cable (index %u, generation %u)", call, id.index1,
                id.generation);
    return cable;
}

rvCableId rv_world_cable_id(const rvWorld* world, int index)
{
    return (rvCableId){(uint32_t)index + 1, world->cables.pool.generations[index]};
}

// The bodies behind the places of a definition; -1 is the world.
static rvStatus find_places(rvWorld* world, const rvCableDef* def, int* bodies)
{
    for (int i = 0; i < def->placeCount; ++i) {
        bodies[i] = -1;
        if (RV_IS_NULL(def->places[i].body))
            continue;
        char field[128];
        snprintf(field, sizeof field, "cable '%.60s': places[%d].body", def->name ? def->name : "", i);
        bodies[i] = rv_world_find_body(world, def->places[i].body, field);
        if (bodies[i] < 0)
            return RV_BAD_ID;
    }
    return RV_OK;
}

rvStatus rvCreateCable(rvWorld* world, const rvCableDef* def, rvCableId* id)
{
    rvStatus status = rv_cable_check(&world->error, def);
    if (status != RV_OK)
        return status;
    size_t size = (size_t)def->placeCount * sizeof(int);
    int* bodies = rv_memory_take(&world->memory, size);
    if (!bodies)
        return rv_fail(&world->error, RV_NO_MEMORY, "cable: no memory");
    int index = -1;
    status = find_places(world, def, bodies);
    if (status == RV_OK)
        status = rv_cable_create(&world->cables, &world->bodies, &world->memory, &world->error, def, bodies, &index);
    rv_memory_give(&world->memory, bodies, size);
    if (status != RV_OK)
        return status;
    status = rv_world_reserve(world);
    if (status != RV_OK) {
        rv_cable_destroy(&world->cables, &world->memory, index);
        return status;
    }
    if (id)
        *id = rv_world_cable_id(world, index);
    return RV_OK;
}

rvStatus rvDestroyCable(rvWorld* world, rvCableId id)
{
    rvCable* cable = find_cable(world, id, "rvDestroyCable");
    if (!cable)
        return RV_BAD_ID;
    rv_cable_destroy(&world->cables, &world->memory, (int)(cable - world->cables.items));
    return RV_OK;
}

bool rvCable_IsValid(const rvWorld* world, rvCableId id)
{
    return cable_of(world, id) != NULL;
}

const char* rvCable_GetName(const rvWorld* world, rvCableId id)
{
    const rvCable* cable = cable_of(world, id);
    return cable ? cable->name : "";
}

static rvStatus find_winch(rvWorld* world, rvCableId id, int place, const char* call, rvCable** cable, int* winch)
{
    *cable = find_cable(world, id, call);
    if (!*cable)
        return RV_BAD_ID;
    *winch = rv_cable_winch_at(*cable, place);
    if (*winch < 0)
        return rv_fail(&world->error, RV_BAD_INPUT, "%s: cable '%s': place: there is no winch at place %d", call,
                       (*cable)->name, place);
    return RV_OK;
}

rvStatus rvCable_SetWinch(rvWorld* world, rvCableId id, int place, const rvWinchDef* def)
{
    rvCable* cable;
    int winch;
    rvStatus status = find_winch(world, id, place, "rvCable_SetWinch", &cable, &winch);
    if (status == RV_OK && !def)
        status = rv_fail(&world->error, RV_BAD_INPUT, "rvCable_SetWinch: cable '%s': winch: is NULL", cable->name);
    if (status == RV_OK)
        status = rv_winch_check(&world->error, cable->name, place, def);
    if (status == RV_OK)
        cable->state.winch[winch] = *def;
    return status;
}

rvStatus rvCable_SetWinchSpeed(rvWorld* world, rvCableId id, int place, double speed)
{
    rvCable* cable;
    int winch;
    rvStatus status = find_winch(world, id, place, "rvCable_SetWinchSpeed", &cable, &winch);
    if (status != RV_OK)
        return status;
    if (!isfinite(speed))
        return rv_fail(&world->error, RV_BAD_INPUT, "rvCable_SetWinchSpeed: cable '%s': speed: must be finite",
                       cable->name);
    cable->state.winch[winch].speed = speed;
    return RV_OK;
}

double rvCable_GetWinchSpeed(const rvWorld* world, rvCableId id, int place)
{
    const rvCable* cable = cable_of(world, id);
    int winch = cable ? rv_cable_winch_at(cable, place) : -1;
    return winch < 0 ? 0.0 : cable->state.winchRate[winch];
}

double rvCable_GetWinchWork(const rvWorld* world, rvCableId id, int place)
{
    const rvCable* cable = cable_of(world, id);
    int winch = cable ? rv_cable_winch_at(cable, place) : -1;
    return winch < 0 ? 0.0 : cable->state.winchWork[winch];
}

int rvCable_GetPlaceCount(const rvWorld* world, rvCableId id)
{
    const rvCable* cable = cable_of(world, id);
    return cable ? cable->route.placeCount : 0;
}

static const rvPlace* place_of(const rvWorld* world, rvCableId id, int place)
{
    const rvCable* cable = cable_of(world, id);
    return cable && place >= 0 && place < cable->route.placeCount ? &cable->route.places[place] : NULL;
}

rvVec3 rvCable_GetPlacePoint(const rvWorld* world, rvCableId id, int place)
{
    const rvPlace* p = place_of(world, id, place);
    return p ? p->point : rvVec(0, 0, 0);
}

double rvCable_GetWrapAngle(const rvWorld* world, rvCableId id, int place)
{
    const rvPlace* p = place_of(world, id, place);
    return p && rv_place_is_wheel(p) && p->on ? p->turn : 0.0;
}

double rvCable_GetWheelSpeed(const rvWorld* world, rvCableId id, int place)
{
    const rvPlace* p = place_of(world, id, place);
    return p && rv_place_is_wheel(p) ? p->state.wheelSpeed : 0.0;
}

static bool has_span(const rvCable* cable, int span)
{
    return cable && span >= 0 && span < cable->route.spanCount;
}

double rvCable_GetTension(const rvWorld* world, rvCableId id, int span)
{
    const rvCable* cable = cable_of(world, id);
    return has_span(cable, span) ? rv_cable_tension(cable, span) : 0.0;
}

double rvCable_GetSpanLength(const rvWorld* world, rvCableId id, int span)
{
    const rvCable* cable = cable_of(world, id);
    return has_span(cable, span) ? cable->route.spans[span].length : 0.0;
}

double rvCable_GetLength(const rvWorld* world, rvCableId id)
{
    const rvCable* cable = cable_of(world, id);
    return cable ? cable->route.length : 0.0;
}

double rvCable_GetRestLength(const rvWorld* world, rvCableId id)
{
    const rvCable* cable = cable_of(world, id);
    return cable ? cable->state.restLength : 0.0;
}

bool rvCable_IsTaut(const rvWorld* world, rvCableId id)
{
    const rvCable* cable = cable_of(world, id);
    return cable && cable->state.taut != 0.0;
}

bool rvCable_IsBroken(const rvWorld* world, rvCableId id)
{
    const rvCable* cable = cable_of(world, id);
    return cable && cable->state.broken != 0.0;
}

rvStatus rvCable_Break(rvWorld* world, rvCableId id)
{
    rvCable* cable = find_cable(world, id, "rvCable_Break");
    if (!cable)
        return RV_BAD_ID;
    cable->state.broken = 1.0;
    return RV_OK;
}

int rvCable_GetShape(const rvWorld* world, rvCableId id, rvVec3* points, int capacity)
{
    const rvCable* cable = cable_of(world, id);
    return cable ? rv_cable_shape(cable, points, capacity) : 0;
}
