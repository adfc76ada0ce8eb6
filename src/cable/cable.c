// SPDX-License-Identifier: MIT
// Creation and checks of cables, and the steps of a step for all of them.
#include "cable/cable.h"

#include "base/cookie.h"
#include "cable/cable_model.h"

enum { MAX_PLACES = 100000 };

static const rvCableModelOps* const models[] = {[RV_CABLE_MASSLESS] = &rv_model_massless};
enum { MODEL_COUNT = sizeof models / sizeof models[0] };

static const rvWinchDef default_winch = {
    .speed = 0.0, .compliance = 0.0, .maxForce = HUGE_VAL, .minLength = 0.01, .maxLength = HUGE_VAL};

rvCableDef rvDefaultCableDef(rvCableModel model)
{
    return (rvCableDef){.model = model,
                        .diameter = 0.02,
                        .youngsModulus = 1e11,
                        .damping = 0.0,
                        .length = -1.0,
                        .breakForce = HUGE_VAL,
                        .cookie = RV_COOKIE};
}

rvPlaceDef rvAttachPlace(rvBodyId body, rvVec3 point)
{
    return (rvPlaceDef){RV_PLACE_ATTACH, body, point, default_winch};
}

rvPlaceDef rvEyePlace(rvBodyId body, rvVec3 point)
{
    return (rvPlaceDef){RV_PLACE_EYE, body, point, default_winch};
}

rvPlaceDef rvWinchPlace(rvBodyId body, rvVec3 point, double speed)
{
    rvPlaceDef place = {RV_PLACE_WINCH, body, point, default_winch};
    place.winch.speed = speed;
    return place;
}

rvPlaceDef rvFreePlace(rvVec3 point)
{
    return (rvPlaceDef){RV_PLACE_FREE, RV_NULL_BODY, point, default_winch};
}

static const char* name_of(const rvCableDef* def)
{
    return def->name ? def->name : "";
}

static rvStatus check_material(rvError* error, const rvCableDef* def, rvCable* cable)
{
    const char* name = name_of(def);
    if ((unsigned)def->model >= MODEL_COUNT)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': model: %d is none", name, (int)def->model);
    if (!(def->axialStiffness >= 0.0 && isfinite(def->axialStiffness)))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': axialStiffness: is %g N, must be finite and >= 0", name,
                       def->axialStiffness);
    cable->axialStiffness = def->axialStiffness;
    if (def->axialStiffness == 0.0) {
        if (!(def->diameter > 0.0 && isfinite(def->diameter)))
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': diameter: is %g m, must be finite and > 0", name,
                           def->diameter);
        if (!(def->youngsModulus > 0.0 && isfinite(def->youngsModulus)))
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': youngsModulus: is %g Pa, must be finite and > 0", name,
                           def->youngsModulus);
        cable->axialStiffness = def->youngsModulus * 0.78539816339744831 * def->diameter * def->diameter;
    }
    if (!(cable->axialStiffness > 0.0 && isfinite(cable->axialStiffness)))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': axialStiffness: comes out as %g N, must be finite and > 0",
                       name, cable->axialStiffness);
    if (!isfinite(def->damping))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': damping: must be finite", name);
    if (!(def->breakForce > 0.0))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': breakForce: is %g N, must be > 0", name, def->breakForce);
    cable->model = def->model;
    cable->damping = def->damping;
    cable->breakForce = def->breakForce;
    cable->pushes = def->pushes;
    return RV_OK;
}

static rvStatus check_places(rvError* error, const rvCableDef* def)
{
    const char* name = name_of(def);
    if (def->placeCount < 2 || def->placeCount > MAX_PLACES || !def->places)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': placeCount: is %d, must be 2 to %d", name, def->placeCount,
                       MAX_PLACES);
    for (int i = 0; i < def->placeCount; ++i) {
        const rvPlaceDef* place = &def->places[i];
        bool end = i == 0 || i == def->placeCount - 1;
        if ((unsigned)place->type > RV_PLACE_FREE)
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].type: %d is none", name, i, (int)place->type);
        if (!end && place->type != RV_PLACE_EYE)
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].type: only an eye may stand between the ends",
                           name, i);
        if (end && place->type == RV_PLACE_EYE)
            return rv_fail(error, RV_BAD_INPUT,
                           "cable '%s': places[%d].type: an end must be attached, on a winch or free", name, i);
        if (!rvIsFiniteVec(place->point))
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].point: must be finite", name, i);
        if (place->type == RV_PLACE_WINCH) {
            rvStatus status = rv_winch_check(error, name, i, &place->winch);
            if (status != RV_OK)
                return status;
        }
    }
    return RV_OK;
}

// The route in the world as the bodies stand now, and the rest length with it.
static rvStatus lay_route(rvCable* cable, const rvBodyStore* bodies, rvError* error, const rvCableDef* def,
                          const int* placeBodies)
{
    const char* name = name_of(def);
    rvRoute* route = &cable->route;
    for (int i = 0; i < def->placeCount; ++i) {
        rvPlace* place = &route->places[i];
        place->type = def->places[i].type;
        place->body = placeBodies[i];
        place->local = def->places[i].point;
        if (place->body >= 0)
            place->local = rvSub(place->local, bodies->items[place->body].center);
        if (place->type == RV_PLACE_FREE)
            cable->loose = true;
    }
    for (int i = 0; i < 2; ++i) {
        const rvPlaceDef* end = &def->places[i == 0 ? 0 : def->placeCount - 1];
        cable->hasWinch[i] = end->type == RV_PLACE_WINCH;
        cable->state.winch[i] = end->winch;
    }
    rv_route_collect_bodies(route, bodies);
    rv_route_update(route, bodies);
    for (int i = 0; i < route->spanCount; ++i)
        if (route->spans[i].length < 1e-6)
            return rv_fail(error, RV_BAD_INPUT,
                           "cable '%s': places[%d].point: lies on places[%d]: the span between them has no length",
                           name, i + 1, i);
    cable->state.restLength = def->length >= 0.0 ? def->length : route->length;
    if (!(cable->state.restLength >= 1e-6 && isfinite(cable->state.restLength)))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': length: is %g m, must be finite and > 0", name, def->length);
    return RV_OK;
}

rvStatus rv_cable_create(rvCableStore* store, const rvBodyStore* bodies, rvMemory* memory, rvError* error,
                         const rvCableDef* def, const int* placeBodies, int* index)
{
    rvCable cable = {.group = -1};
    cable.state.fresh = 1.0;
    cable.state.mode = RV_ROW_LOWER;
    rvStatus status = check_material(error, def, &cable);
    if (status == RV_OK && !(def->length < 0.0 || isfinite(def->length)))
        status = rv_fail(error, RV_BAD_INPUT, "cable '%s': length: must be a number", name_of(def));
    if (status != RV_OK)
        return status;
    size_t flags = (size_t)def->placeCount * sizeof(double);
    cable.name = rv_memory_copy_text(memory, def->name);
    cable.stiffSpans = rv_memory_take(memory, flags);
    bool room = cable.name && cable.stiffSpans && rv_route_create(&cable.route, memory, def->placeCount) &&
                rv_memory_grow(memory, (void**)&store->items, &store->capacity, store->pool.count + 1, sizeof(rvCable));
    status = room ? lay_route(&cable, bodies, error, def, placeBodies)
                  : rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", name_of(def));
    if (status == RV_OK) {
        *index = rv_id_pool_take(&store->pool, memory);
        if (*index < 0)
            status = rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", name_of(def));
    }
    if (status != RV_OK) {
        rv_memory_give_text(memory, cable.name);
        rv_memory_give(memory, cable.stiffSpans, flags);
        rv_route_release(&cable.route, memory);
        return status;
    }
    store->items[*index] = cable;
    store->spanCount += cable.route.spanCount;
    return RV_OK;
}

rvStatus rv_cable_check(rvError* error, const rvCableDef* def)
{
    if (!def || def->cookie != RV_COOKIE)
        return rv_fail(error, RV_BAD_INPUT, "cable: definition was not made by rvDefaultCableDef");
    return check_places(error, def);
}

void rv_cable_destroy(rvCableStore* store, rvMemory* memory, int index)
{
    rvCable* cable = &store->items[index];
    store->spanCount -= cable->route.spanCount;
    rv_memory_give_text(memory, cable->name);
    rv_memory_give(memory, cable->stiffSpans, (size_t)cable->route.placeCount * sizeof(double));
    rv_route_release(&cable->route, memory);
    *cable = (rvCable){0};
    rv_id_pool_give(&store->pool, index);
}

void rv_cables_release(rvCableStore* store, rvMemory* memory)
{
    for (int i = 0; i < store->pool.count; ++i)
        if (rv_id_pool_alive(&store->pool, i))
            rv_cable_destroy(store, memory, i);
    rv_memory_give(memory, store->items, (size_t)store->capacity * sizeof(rvCable));
    rv_memory_give(memory, store->ends, (size_t)store->endCapacity * sizeof(rvSpanEnd));
    rv_memory_give(memory, store->firstEnd, (size_t)store->firstEndCapacity * sizeof(int));
    rv_memory_give(memory, store->kinkBodies, (size_t)store->kinkCapacity * sizeof(int));
    rv_id_pool_clear(&store->pool, memory);
    *store = (rvCableStore){0};
}

bool rv_cables_reserve(rvCableStore* store, rvMemory* memory, int bodyCount)
{
    return rv_memory_grow(memory, (void**)&store->ends, &store->endCapacity, 2 * store->spanCount, sizeof(rvSpanEnd)) &&
           rv_memory_grow(memory, (void**)&store->kinkBodies, &store->kinkCapacity, 2 * store->spanCount + 1,
                          sizeof(int)) &&
           rv_memory_grow(memory, (void**)&store->firstEnd, &store->firstEndCapacity, bodyCount, sizeof(int));
}

void rv_cables_capacity(const rvCableStore* store, int* rowCount, int* groupCount, int* slotCount, int* entryCount)
{
    // a cable: its stretch row and two for each span, over all its places; a kink: two rows over at most all spans' ends
    *rowCount = *groupCount = *slotCount = *entryCount = 0;
    for (int i = 0; i < store->pool.count; ++i) {
        if (!rv_id_pool_alive(&store->pool, i))
            continue;
        const rvRoute* route = &store->items[i].route;
        int rows = 1 + 2 * route->spanCount;
        *rowCount += rows;
        *groupCount += 1;
        *slotCount += route->bodyCount;
        *entryCount += 6 * rows * route->bodyCount;
    }
    int ends = 2 * store->spanCount;
    *rowCount += ends;
    *groupCount += ends / 2;
    *slotCount += 2 * ends;
    *entryCount += 6 * 2 * 2 * ends;
}

bool rv_cables_pass(const rvCableStore* store, int body)
{
    for (int i = 0; i < store->pool.count; ++i) {
        if (!rv_id_pool_alive(&store->pool, i))
            continue;
        const rvRoute* route = &store->items[i].route;
        for (int k = 0; k < route->placeCount; ++k)
            if (route->places[k].body == body)
                return true;
    }
    return false;
}

// The stretch rate of a cable that has no last step: from the velocities of the bodies.
static double rate_of(const rvCable* cable, const rvBodyStore* bodies)
{
    double rate = -(cable->state.winchRate[0] + cable->state.winchRate[1]);
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace* place = &cable->route.places[i];
        if (place->slot < 0)
            continue;
        const rvBodyState* s = &bodies->items[place->body].state;
        rate += rvDot(rv_route_gradient(&cable->route, i), rvAdd(s->v, rvCross(s->w, place->arm)));
    }
    return rate;
}

void rv_cables_route(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context)
{
    for (int i = 0; i < store->pool.count; ++i) {
        if (!rv_id_pool_alive(&store->pool, i))
            continue;
        rvCable* cable = &store->items[i];
        rv_route_update(&cable->route, bodies);
        cable->stretch = cable->route.length - cable->state.restLength;
        if (cable->state.fresh != 0.0)
            cable->state.stretchRate = rate_of(cable, bodies);
        cable->state.fresh = 0.0;
        rv_winch_latch(cable, context);
    }
}

void rv_cables_refresh(rvCableStore* store, const rvBodyStore* bodies)
{
    for (int i = 0; i < store->pool.count; ++i)
        if (rv_id_pool_alive(&store->pool, i))
            rv_route_update(&store->items[i].route, bodies);
}

void rv_cables_forget_rates(rvCableStore* store)
{
    for (int i = 0; i < store->pool.count; ++i)
        store->items[i].state.fresh = 1.0;
}

void rv_cables_add_stiffness(rvCableStore* store, rvBodyStore* bodies)
{
    for (int i = 0; i < store->pool.count; ++i) {
        if (!rv_id_pool_alive(&store->pool, i))
            continue;
        const rvCable* cable = &store->items[i];
        store->items[i].usedTension = cable->state.tension;
        if (!(cable->state.tension > 0.0))
            continue;
        for (int k = 0; k < cable->route.placeCount; ++k) {
            const rvPlace* place = &cable->route.places[k];
            if (place->slot >= 0 && rv_body_is_pushed(&bodies->items[place->body]))
                rv_body_add_stiffness(&bodies->items[place->body], place->arm,
                                      rvScale(-cable->state.tension, rv_route_gradient(&cable->route, k)));
        }
    }
}

void rv_cables_write_rows(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows)
{
    for (int i = 0; i < store->pool.count; ++i)
        if (rv_id_pool_alive(&store->pool, i))
            models[store->items[i].model]->writeRows(&store->items[i], bodies, context, rows, i);
    rv_kinks_write(store, bodies, context, rows);
}

bool rv_cables_read_rows(rvCableStore* store, const rvStepContext* context, const rvRows* rows)
{
    bool changed = false;
    for (int i = 0; i < store->pool.count; ++i) {
        if (!rv_id_pool_alive(&store->pool, i))
            continue;
        rvCable* cable = &store->items[i];
        models[cable->model]->readRows(cable, context, rows);
        double change = fabs(cable->state.tension - cable->usedTension);
        changed = changed || change > 0.5 * RV_PASS_TOLERANCE * cable->usedTension;
    }
    return changed;
}

void rv_cables_advance(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context)
{
    for (int i = 0; i < store->pool.count; ++i) {
        if (!rv_id_pool_alive(&store->pool, i))
            continue;
        rvCable* cable = &store->items[i];
        rv_route_update(&cable->route, bodies);
        models[cable->model]->advance(cable, context);
        if (cable->state.tension > cable->breakForce)
            cable->state.broken = 1.0;
    }
}

double rv_cable_elastic_energy(const rvCable* cable, double h)
{
    return models[cable->model]->elasticEnergy(cable, h);
}

double rv_cable_tension(const rvCable* cable, int span)
{
    return models[cable->model]->tension(cable, span);
}

int rv_cable_shape(const rvCable* cable, rvVec3* points, int capacity)
{
    return models[cable->model]->shape(cable, points, capacity);
}
