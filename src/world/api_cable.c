// SPDX-License-Identifier: MIT
// The public calls on cables: check the id, then call the layer below.
#include "base/cookie.h"
#include "cable/crossing/crossing.h"
#include "cable/line/crossing_elements.h"
#include "cable/route/twist.h"
#include "cable/taut/obstacle.h"
#include "world/world.h"

#include <stdio.h>

rvCable* rv_world_find_cable(rvWorld* world, rvCableId id, const char* call)
{
    rvCable* cable = (rvCable*)rv_world_read_cable(world, id);
    if (!cable)
        rv_fail(&world->error, RV_BAD_ID, "%s: id: there is no such cable (index %u, generation %u)", call, id.index1,
                id.generation);
    return cable;
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
    rv_cable_begin_contacts(&world->cables, index, &world->bodies, &world->shapes);
    if (def->length < 0.0)
        rv_cable_lay_unstretched(&world->cables.items[index]);
    status = rv_world_hang_cable(world, index, world->cables.items[index].def.straight);
    if (status != RV_OK)
        rv_cable_destroy(&world->cables, &world->memory, index);
    else if (id)
        *id = rv_world_cable_id(world, index);
    return status;
}

rvCableModel rvCable_GetModel(const rvWorld* world, rvCableId id)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    return cable ? cable->def.model : RV_CABLE_MASSLESS;
}

rvStatus rvCable_GetDef(const rvWorld* world, rvCableId id, rvCableDef* def)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    if (!cable || !def)
        return cable ? RV_BAD_INPUT : RV_BAD_ID;
    *def = cable->def;
    return RV_OK;
}

// Does the body at an attached place hold it?
static bool holds(const rvCable* cable, int place)
{
    const rvPlace* at = &cable->route.places[rv_cable_index_of(cable, place)];
    return at->type == RV_PLACE_ATTACH && !at->released && cable->state.broken == 0.0;
}

// An attached place that the program has told to let go.
static bool has_let_go(const rvCable* cable, int place)
{
    bool attached = cable->route.places[rv_cable_index_of(cable, place)].type == RV_PLACE_ATTACH;
    return attached && cable->state.broken == 0.0 && !holds(cable, place);
}

rvStatus rvCable_SetModel(rvWorld* world, rvCableId id, const rvCableDef* def)
{
    rvCable* cable = rv_world_find_cable(world, id, "rvCable_SetModel");
    if (!cable)
        return RV_BAD_ID;
    if (!def || def->cookie != RV_COOKIE)
        return rv_fail(&world->error, RV_BAD_INPUT,
                       "rvCable_SetModel: cable '%s': definition was not made by rvDefaultCableDef", cable->name);
    for (int i = 0; i < cable->definedCount; ++i)
        if (has_let_go(cable, i))
            return rv_fail(&world->error, RV_BAD_INPUT,
                           "rvCable_SetModel: cable '%s': places[%d]: has let go, must hold for another model",
                           cable->name, i);
    int index = (int)(cable - world->cables.items), places = cable->route.placeCount;
    bool collided = cable->collides;
    double books = rv_world_cable_books(world, index), hung = rvCable_GetEnergy(world, id).potential;
    rvCable old;
    rvStatus status =
        rv_cable_begin_change(&world->cables, index, &world->bodies, &world->memory, &world->error, def, &old);
    if (status != RV_OK)
        return status;
    status = rv_world_reserve(world);
    rv_cable_end_change(&world->cables, index, &world->bodies, &world->memory, world->state.gravity, world->state.h,
                        &old, status == RV_OK);
    if (status != RV_OK)
        return status;
    if (!collided || cable->route.placeCount != places)
        rv_cable_begin_contacts(&world->cables, index, &world->bodies, &world->shapes);
    rv_world_book_model(world, index, books, hung);
    rv_world_tell(world, (rvEvent){.type = RV_EVENT_MODEL, .cable = id, .value = (double)def->model});
    return RV_OK;
}

rvStatus rvDestroyCable(rvWorld* world, rvCableId id)
{
    rvCable* cable = rv_world_find_cable(world, id, "rvDestroyCable");
    if (!cable)
        return RV_BAD_ID;
    rv_world_book_end(world, (int)(cable - world->cables.items));
    rv_cable_destroy(&world->cables, &world->memory, (int)(cable - world->cables.items));
    world->begun = 0.0;
    return RV_OK;
}

bool rvCable_IsValid(const rvWorld* world, rvCableId id)
{
    return rv_world_read_cable(world, id) != NULL;
}

const char* rvCable_GetName(const rvWorld* world, rvCableId id)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    return cable ? cable->name : "";
}

int rvCable_GetPlaceCount(const rvWorld* world, rvCableId id)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    return cable ? cable->definedCount : 0;
}

static const rvPlace* place_of(const rvWorld* world, rvCableId id, int place)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    int index = cable ? rv_cable_index_of(cable, place) : -1;
    return index >= 0 ? &cable->route.places[index] : NULL;
}

rvVec3 rvCable_GetPlacePoint(const rvWorld* world, rvCableId id, int place)
{
    const rvPlace* p = place_of(world, id, place);
    return p ? p->point : rvVec(0, 0, 0);
}

rvBodyId rvCable_GetPlaceBody(const rvWorld* world, rvCableId id, int place)
{
    const rvPlace* p = place_of(world, id, place);
    if (!p || p->body < 0)
        return RV_NULL_BODY;
    return (rvBodyId){(uint32_t)p->body + 1, world->bodies.pool.generations[p->body]};
}

int rvCable_GetPlaceNumber(const rvWorld* world, rvCableId id, int place)
{
    const rvPlace* p = place_of(world, id, place);
    return p ? p->number - 1 : -1;
}

int rvCable_FindPlace(const rvWorld* world, rvCableId id, int number)
{
    int place = rvCable_GetPlaceCount(world, id) - 1;
    while (place >= 0 && rvCable_GetPlaceNumber(world, id, place) != number)
        place -= 1;
    return place;
}

void rvCable_GetTangents(const rvWorld* world, rvCableId id, int place, rvVec3* in, rvVec3* out)
{
    const rvPlace* p = place_of(world, id, place);
    if (in)
        *in = p ? p->in : rvVec(0, 0, 0);
    if (out)
        *out = p ? p->out : rvVec(0, 0, 0);
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

rvStatus rvCable_SetWheelDrive(rvWorld* world, rvCableId id, int place, double speed, double maxTorque)
{
    rvCable* cable = rv_world_find_cable(world, id, "rvCable_SetWheelDrive");
    if (!cable)
        return RV_BAD_ID;
    int at = rv_cable_index_of(cable, place);
    if (at < 0 || !rv_place_is_wheel(&cable->route.places[at]))
        return rv_fail(&world->error, RV_BAD_INPUT, "rvCable_SetWheelDrive: cable '%s': place: no wheel at place %d",
                       cable->name, place);
    rvPlace* wheel = &cable->route.places[at];
    rvStatus status = rv_wheel_drive_check(&world->error, cable->name, place, speed, maxTorque,
                                           wheel->inertia > 0.0 && wheel->type == RV_PLACE_SHEAVE);
    if (status == RV_OK) {
        wheel->state.driveSpeed = speed;
        wheel->state.driveTorque = maxTorque;
    }
    return status;
}

double rvCable_GetWheelTorque(const rvWorld* world, rvCableId id, int place)
{
    const rvPlace* p = place_of(world, id, place);
    return p && world->state.h > 0.0 ? (p->state.wheelImpulse + p->state.motorImpulse) / world->state.h : 0.0;
}

double rvCable_GetWheelPower(const rvWorld* world, rvCableId id, int place)
{
    const rvPlace* p = place_of(world, id, place);
    bool driven = p && p->state.driveTorque > 0.0 && world->state.h > 0.0;
    return driven ? p->state.motorImpulse / world->state.h * p->state.wheelSpeed : 0.0;
}

double rvCable_GetWheelWork(const rvWorld* world, rvCableId id, int place)
{
    const rvPlace* p = place_of(world, id, place);
    return p ? p->state.driveWork : 0.0;
}

static bool has_span(const rvCable* cable, int span)
{
    return cable && span >= 0 && span < cable->definedCount - 1;
}

double rvCable_GetTension(const rvWorld* world, rvCableId id, int span)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    return has_span(cable, span) ? rv_cable_published_tension(cable, &world->bodies, rv_cable_index_of(cable, span), -1)
                                 : 0.0;
}

double rvCable_GetEndTension(const rvWorld* world, rvCableId id, int span, int end)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    if (!cable || !has_span(cable, span) || (end != 0 && end != 1))
        return 0.0;
    // contacts may lie between the two places
    int at = end == 0 ? rv_cable_index_of(cable, span) : rv_cable_index_of(cable, span + 1) - 1;
    return rv_cable_published_tension(cable, &world->bodies, at, end);
}

double rvCable_GetLargestTension(const rvWorld* world, rvCableId id)
{
    double most = 0.0;
    for (int span = 0; span < rvCable_GetPlaceCount(world, id) - 1; ++span) {
        most = fmax(most, rvCable_GetTension(world, id, span));
        for (int end = 0; end < 2; ++end)
            most = fmax(most, rvCable_GetEndTension(world, id, span, end));
    }
    return most;
}

double rvCable_GetSpanLength(const rvWorld* world, rvCableId id, int span)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    if (!has_span(cable, span))
        return 0.0;
    // with what lies on shapes on the way
    int first = rv_cable_index_of(cable, span), last = rv_cable_index_of(cable, span + 1);
    double length = 0.0;
    for (int i = first; i < last; ++i)
        length += cable->route.spans[i].length +
                  (i > first ? cable->route.places[i].arcBefore + cable->route.places[i].arcAfter : 0.0);
    return length;
}

double rvCable_GetLength(const rvWorld* world, rvCableId id)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    return cable ? cable->route.length : 0.0;
}

double rvCable_GetRestLength(const rvWorld* world, rvCableId id)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    return cable ? cable->state.restLength : 0.0;
}

double rvCable_GetTwist(const rvWorld* world, rvCableId id)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    if (cable && rv_cable_has(cable, RV_OWN_TORSION))
        return rv_cable_energy(cable, &world->bodies, world->state.gravity, world->state.h).twist;
    return cable && rv_twist_acts(cable) ? cable->state.twist : 0.0;
}

double rvCable_GetTwistTorque(const rvWorld* world, rvCableId id)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    return cable && rv_twist_acts(cable) ? cable->state.twistTorque : 0.0;
}

bool rvCable_IsTaut(const rvWorld* world, rvCableId id)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    if (cable && rv_cable_is_untried(cable))
        return rv_cable_published_tension(cable, &world->bodies, 0, -1) > 0.0;
    return cable && cable->state.taut != 0.0;
}

bool rvCable_IsBroken(const rvWorld* world, rvCableId id)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    return cable && cable->state.broken != 0.0;
}

void rvCable_GetForceOn(const rvWorld* world, rvCableId id, rvBodyId body, rvVec3* force, rvVec3* torque)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    int index = rv_id_pool_find(&world->bodies.pool, body.index1, body.generation);
    rvVec3 linear = rvVec(0, 0, 0), angular = rvVec(0, 0, 0);
    if (cable && index >= 0)
        cable->model->read->forceOn(cable, &world->bodies, index, world->state.h, &linear, &angular);
    if (force)
        *force = linear;
    if (torque)
        *torque = angular;
}

rvStatus rvCable_Break(rvWorld* world, rvCableId id)
{
    rvCable* cable = rv_world_find_cable(world, id, "rvCable_Break");
    if (!cable)
        return RV_BAD_ID;
    if (cable->state.broken != 0.0)
        return RV_OK;
    rvEvent event = rv_world_break_event(world, (int)(cable - world->cables.items));
    rv_cable_break(cable, &world->bodies, world->state.gravity, world->state.h);
    rv_cable_drop_pull(cable);
    cable->state.toldBroken = 1.0;
    cable->state.taut = 0.0;
    rv_world_tell(world, event);
    return RV_OK;
}

rvStatus rvCable_SetHeld(rvWorld* world, rvCableId id, int place, bool held)
{
    rvCable* cable = rv_world_find_cable(world, id, "rvCable_SetHeld");
    if (!cable)
        return RV_BAD_ID;
    const rvModel* model = cable->model;
    if (place < 0 || place >= cable->definedCount)
        return rv_fail(&world->error, RV_BAD_INPUT, "rvCable_SetHeld: cable '%s': place: is %d, must be 0 to %d",
                       cable->name, place, cable->definedCount - 1);
    if (rvCable_IsHeld(world, id, place) == held)
        return RV_OK;
    if (cable->state.broken != 0.0)
        return rv_fail(&world->error, RV_BAD_INPUT, "rvCable_SetHeld: cable '%s': is broken, nothing holds it",
                       cable->name);
    if (!model->hold)
        return rv_fail(&world->error, RV_BAD_INPUT, "rvCable_SetHeld: cable '%s': places of model %s always hold",
                       cable->name, model->name);
    double missed;
    rvStatus status =
        model->hold->set(cable, &world->bodies, rv_cable_index_of(cable, place), held, &missed, &world->error);
    rvEvent event = {.type = RV_EVENT_REROUTED, .cable = id, .place = place};
    event.number = rvCable_GetPlaceNumber(world, id, place);
    if (status != RV_OK) {
        event.type = RV_EVENT_MISSED;
        event.value = missed;
    }
    if (status == RV_OK || missed > 0.0)
        rv_world_tell(world, event);
    return status;
}

bool rvCable_IsHeld(const rvWorld* world, rvCableId id, int place)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    return cable && place >= 0 && place < cable->definedCount && holds(cable, place);
}

int rvCable_GetContactCount(const rvWorld* world, rvCableId id)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    if (!cable)
        return 0;
    return cable->route.placeCount - cable->definedCount + cable->contactCount;
}

// The cable that shares a crossing with place `i` of a cable: the place with the same number.
static int other_at(const rvCableStore* store, int cable, int i)
{
    int number = store->items[cable].route.places[i].state.node.feature;
    for (int c = 0; c < store->pool.count; ++c)
        for (int k = 0; rv_id_pool_alive(&store->pool, c) && k < store->items[c].route.placeCount; ++k) {
            const rvPlace* place = &store->items[c].route.places[k];
            if (rv_place_is_crossing(place) && place->state.node.feature == number && (c != cable || k != i))
                return c;
        }
    return -1;
}

int rvCable_GetCrossings(const rvWorld* world, rvCableId id, rvCableCrossing* crossings, int capacity)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    int count = 0;
    for (int i = 1; cable && i < cable->route.spanCount; ++i) {
        int index = (int)(cable - world->cables.items);
        int other = rv_place_is_crossing(&cable->route.places[i]) ? other_at(&world->cables, index, i) : -1;
        if (other < 0)
            continue;
        if (crossings && count < capacity)
            crossings[count] = (rvCableCrossing){cable->route.places[i].point, rv_world_cable_id(world, other),
                                                 rv_crossing_force(cable, i)};
        count += 1;
    }
    const rvCableStore* store = &world->cables;
    for (int k = 0; cable && k < rv_rope_points_room(store); ++k) {
        const rvRopeMemory* near = &store->ropeMemories[k];
        for (int r = 0; near->held != 0.0 && r < 2; ++r) {
            if ((int)near->cable[r] - 1 != cable - store->items)
                continue;
            if (crossings && count < capacity)
                crossings[count] = (rvCableCrossing){near->point, rv_world_cable_id(world, (int)near->cable[1 - r] - 1),
                                                     r == 0 ? near->force : rvNeg(near->force)};
            count += 1;
        }
    }
    return count;
}

bool rvCable_GetSection(const rvWorld* world, rvCableId id, double at, rvCableSection* section)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    if (!section)
        return false;
    *section = (rvCableSection){0};
    if (!cable || !(at >= 0.0 && at <= cable->state.restLength * (1.0 + 1e-12)))
        return false;
    section->at = at;
    cable->model->read->section(cable, &world->bodies, rvLength(world->state.gravity), world->state.h, section);
    return true;
}

int rvCable_GetSections(const rvWorld* world, rvCableId id, rvCableSection* sections, int capacity)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    rvCableSection none;
    return cable ? cable->model->read->shape(cable, &world->shapes, NULL, sections ? sections : &none,
                                             sections ? capacity : 0)
                 : 0;
}

bool rvCable_GetRest(const rvWorld* world, rvCableId id, rvCableRest* rest)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    if (!rest)
        return false;
    *rest = (rvCableRest){0};
    if (!cable || !cable->startAsked)
        return false;
    *rest = cable->start;
    return true;
}

// Is the body one that a place of its definition is on? Spans begin inside or on the shapes of those.
static bool is_held_by(const rvCable* cable, int body)
{
    for (int i = 0; i < cable->route.placeCount; ++i)
        if (cable->route.places[i].type != RV_PLACE_CONTACT && cable->route.places[i].body == body)
            return true;
    return false;
}

bool rvCable_GetDepth(rvWorld* world, rvCableId id, rvCableDepth* depth)
{
    static const double LEAST = 1e-4; // [m]
    const rvCable* cable = rv_world_read_cable(world, id);
    rvRopeInside deepest = {.depth = LEAST, .shape = -1};
    if (depth)
        *depth = (rvCableDepth){0};
    int count = cable && cable->def.collides ? rv_cable_shape(cable, &world->shapes, NULL, 0) : 0;
    size_t size = (size_t)count * sizeof(rvVec3);
    rvVec3* points = count > 0 ? rv_memory_take(&world->memory, size) : NULL;
    if (!points)
        return false;
    rv_cable_shape(cable, &world->shapes, points, count);
    rv_shapes_place(&world->shapes, &world->bodies);
    for (int i = 0; i < world->shapes.pool.count; ++i) {
        const rvShape* shape = &world->shapes.items[i];
        bool meets = rv_id_pool_alive(&world->shapes.pool, i) && rv_cable_may_touch(cable, shape);
        if (meets && !is_held_by(cable, shape->body))
            rv_rope_look_inside(shape, i, points, count, &deepest);
    }
    rv_memory_give(&world->memory, points, size);
    if (deepest.shape >= 0 && depth)
        *depth = (rvCableDepth){deepest.depth, deepest.point, rv_world_shape_id(world, deepest.shape)};
    return deepest.shape >= 0;
}

int rvCable_GetShape(const rvWorld* world, rvCableId id, rvVec3* points, int capacity)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    return cable ? rv_cable_shape(cable, &world->shapes, points, points ? capacity : 0) : 0;
}
