// SPDX-License-Identifier: MIT
// Creation of cables, and the steps of a step for all of them.
#include "cable/driver/cables.h"

#include "cable/crossing/crossing.h"
#include "cable/line/crossing_elements.h"
#include "cable/route/route.h"
#include "cable/route/twist.h"
#include "cable/string/massless.h"
#include "cable/string/span_stiffness.h"
#include "math/extreme.h"

static const char* name_of(const rvCableDef* def)
{
    return def->name ? def->name : "";
}

void rv_cables_count(rvCableStore* store, const rvCable* cable, int sign)
{
    store->spanCount += sign * (cable->route.capacity - 1);
    store->colliding += sign * cable->collides;
    store->meeting += sign * (cable->collides || cable->model->contact);
    store->wheelCount += sign * cable->wheelCount;
    if (store->meeting == 0)
        store->crossingCount = store->crossingChangeCount = store->ropePointCount = 0;
}

rvStatus rv_cable_create(rvCableStore* store, const rvBodyStore* bodies, rvMemory* memory, rvError* error,
                         const rvCableDef* def, const int* placeBodies, int* index)
{
    rvCable cable = {.reference = store->reference, .group = -1, .twistGroup = -1};
    cable.state.fresh = RV_UNTRIED;
    rvStatus status = rv_cable_check_material(error, def, &cable);
    if (status == RV_OK && !(def->length < 0.0 || isfinite(def->length)))
        status = rv_fail(error, RV_BAD_INPUT, "cable '%s': length: must be a number", name_of(def));
    if (status != RV_OK)
        return status;
    cable.name = rv_id_pool_name(&store->pool, memory, def->name);
    int capacity = def->placeCount + (def->collides ? def->maxContacts : 0);
    bool room = cable.name && rv_route_create(&cable.route, memory, def->placeCount, capacity) &&
                rv_memory_grow(memory, (void**)&store->items, &store->capacity, store->pool.count + 1, sizeof(rvCable));
    for (int i = 0; room && i < def->placeCount; ++i)
        rv_cable_lay_place(&cable, i, &def->places[i], placeBodies[i], bodies);
    if (room)
        status = rv_cable_lay_route(&cable, bodies, error);
    if (room && status == RV_OK) {
        double rest = def->length >= 0.0 ? def->length : cable.route.length;
        cable.state.restLength = cable.route.places[0].state.rest = rest;
        if (!(rest >= 1e-6 && isfinite(rest)))
            status = rv_fail(error, RV_BAD_INPUT, "cable '%s': length: is %g m, must be finite and at least 1e-06",
                             name_of(def), rest);
    }
    if (room && status == RV_OK) {
        rv_twist_begin(&cable, bodies, def->twist);
        room = rv_cable_take_room(&cable, memory);
        if (room)
            status = cable.model->life->create(&cable, def, NULL, bodies, memory, error);
        if (room && status == RV_OK)
            rv_cable_match(&cable, bodies);
    }
    if (room && status == RV_OK) {
        *index = rv_id_pool_take(&store->pool, memory);
        room = *index >= 0;
    }
    if (!room)
        status = rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", name_of(def));
    if (status != RV_OK) {
        rv_memory_give_text(memory, cable.name);
        rv_cable_give_room(&cable, memory);
        return status;
    }
    store->items[*index] = cable;
    rv_cables_count(store, &cable, 1);
    return RV_OK;
}

void rv_cable_destroy(rvCableStore* store, rvMemory* memory, int index)
{
    rvCable* cable = &store->items[index];
    rv_rope_points_forget(store, index);
    rv_cables_count(store, cable, -1);
    rv_memory_give_text(memory, cable->name);
    rv_cable_give_room(cable, memory);
    *cable = (rvCable){.model = cable->model}; // a free slot is still looked at, as one without places
    rv_id_pool_give(&store->pool, index);
}

void rv_cables_release(rvCableStore* store, rvMemory* memory)
{
    for (int i = 0; i < store->pool.count; ++i)
        if (rv_id_pool_alive(&store->pool, i))
            rv_cable_destroy(store, memory, i);
    rv_memory_give(memory, store->items, (size_t)store->capacity * sizeof(rvCable));
    rv_memory_give(memory, store->nodes, (size_t)store->nodeCapacity * sizeof(rvRopeNode));
    rv_memory_give(memory, store->touches, (size_t)store->touchCapacity * sizeof(rvRopeTouch));
    rv_memory_give(memory, store->spare, (size_t)store->spareCapacity * sizeof(rvPlace));
    rv_memory_give(memory, store->before, (size_t)store->beforeCapacity * sizeof(rvPose));
    rv_memory_give(memory, store->near, (size_t)store->nearCapacity * sizeof(int));
    rv_memory_give(memory, store->sorted, (size_t)store->sortedCapacity * sizeof(rvInterval));
    rv_memory_give(memory, store->crossings, (size_t)store->crossingCapacity * sizeof(rvCrossing));
    rv_memory_give(memory, store->crossingChanges, (size_t)store->crossingChangeCapacity * sizeof(rvCrossingChange));
    rv_memory_give(memory, store->ropePoints, (size_t)store->ropePointCapacity * sizeof(rvRopePoint));
    rv_memory_give(memory, store->ropeMemories, (size_t)store->ropeMemoryCapacity * sizeof(rvRopeMemory));
    rv_memory_give(memory, store->lines, (size_t)store->lineCapacity * sizeof(rvVec3));
    rv_memory_give(memory, store->traces, (size_t)store->traceCapacity * sizeof(rvVec3));
    rv_memory_give(memory, store->ropeBoxes, (size_t)store->ropeBoxCapacity * sizeof store->ropeBoxes[0]);
    rv_memory_give(memory, store->ends, (size_t)store->endCapacity * sizeof(rvSpanEnd));
    rv_memory_give(memory, store->firstEnd, (size_t)store->firstEndCapacity * sizeof(int));
    rv_memory_give(memory, store->kinkBodies, (size_t)store->kinkCapacity * sizeof(int));
    rv_id_pool_clear(&store->pool, memory);
    *store = (rvCableStore){0};
}

// Scratch of the contacts: as large as the largest cable that collides.
static bool reserve_contacts(rvCableStore* store, rvMemory* memory, int shapeCount)
{
    int places = 0, points = 0;
    for (int i = 0; store->colliding > 0 && i < store->pool.count; ++i)
        if (store->items[i].collides) {
            places = store->items[i].route.capacity > places ? store->items[i].route.capacity : places;
            points = store->items[i].tracePoints > points ? store->items[i].tracePoints : points;
        }
    if (places == 0)
        return true;
    int crossings = rv_crossings_room(store);
    return rv_memory_grow(memory, (void**)&store->nodes, &store->nodeCapacity, places, sizeof(rvRopeNode)) &&
           rv_memory_grow(memory, (void**)&store->touches, &store->touchCapacity, places, sizeof(rvRopeTouch)) &&
           rv_memory_grow(memory, (void**)&store->spare, &store->spareCapacity, places, sizeof(rvPlace)) &&
           rv_memory_grow(memory, (void**)&store->before, &store->beforeCapacity, shapeCount + 1, sizeof(rvPose)) &&
           rv_memory_grow(memory, (void**)&store->near, &store->nearCapacity, shapeCount + 1, sizeof(int)) &&
           rv_memory_grow(memory, (void**)&store->sorted, &store->sortedCapacity,
                          places > shapeCount ? places : shapeCount + 1, sizeof(rvInterval)) &&
           rv_memory_grow(memory, (void**)&store->crossings, &store->crossingCapacity, crossings, sizeof(rvCrossing)) &&
           rv_memory_grow(memory, (void**)&store->crossingChanges, &store->crossingChangeCapacity, 2 * crossings,
                          sizeof(rvCrossingChange)) &&
           rv_memory_grow(memory, (void**)&store->traces, &store->traceCapacity, 4 * points, sizeof(rvVec3)) &&
           rv_memory_grow(memory, (void**)&store->ropeBoxes, &store->ropeBoxCapacity, store->pool.count,
                          sizeof store->ropeBoxes[0]);
}

bool rv_cables_reserve(rvCableStore* store, rvMemory* memory, int bodyCount, int shapeCount)
{
    if (!reserve_contacts(store, memory, shapeCount) || !rv_rope_points_reserve(store, memory))
        return false;
    return rv_memory_grow(memory, (void**)&store->ends, &store->endCapacity, 2 * store->spanCount, sizeof(rvSpanEnd)) &&
           rv_memory_grow(memory, (void**)&store->kinkBodies, &store->kinkCapacity, 2 * store->spanCount + 1,
                          sizeof(int)) &&
           rv_memory_grow(memory, (void**)&store->firstEnd, &store->firstEndCapacity, bodyCount, sizeof(int));
}

void rv_cables_capacity(const rvCableStore* store, int* rowCount, int* groupCount, int* slotCount, int* entryCount)
{
    // a kink: two rows over at most all spans' ends
    *rowCount = *groupCount = *slotCount = *entryCount = 0;
    for (int i = 0; i < store->pool.count; ++i) {
        if (!rv_id_pool_alive(&store->pool, i))
            continue;
        const rvCable* cable = &store->items[i];
        bool inner = rv_cable_has(cable, RV_KEEPS_PLACES) || (rv_cable_has(cable, RV_SEGMENTS) && !cable->collides);
        int slots = (inner ? cable->route.bodyCount : cable->route.capacity) + cable->roomSlots;
        int rows = cable->roomRows;
        *rowCount += rows;
        *groupCount += 1;
        *slotCount += slots;
        *entryCount += 6 * rows * slots;
        if (rv_cable_has(cable, RV_HAS_MASS)) { // inertia along the spans: a group of one row for each end
            int ends = 2 * cable->route.capacity;
            *rowCount += ends;
            *groupCount += ends;
            *slotCount += ends;
            *entryCount += 6 * ends;
            // and of rope that runs past fixed places
            *rowCount += RV_MOST_RUNS;
            *groupCount += RV_MOST_RUNS;
            *slotCount += RV_MOST_RUNS * slots;
            *entryCount += 6 * RV_MOST_RUNS * slots;
        }
        if (cable->torsionalStiffness > 0.0) { // a group of one row
            *rowCount += 1;
            *groupCount += 1;
            *slotCount += slots;
            *entryCount += 6 * slots;
        }
    }
    int ends = 2 * store->spanCount, crossings = rv_crossings_room(store);
    *rowCount += ends + RV_CROSSING_ROWS * crossings;
    *groupCount += ends / 2 + crossings;
    *slotCount += 2 * ends + RV_CROSSING_SLOTS * crossings;
    *entryCount += 6 * (2 * 2 * ends + RV_CROSSING_ROWS * RV_CROSSING_SLOTS * crossings);
}

int rv_cables_solver_bodies(const rvCableStore* store)
{
    return store->wheelCount + rv_crossings_room(store) + rv_rope_points_room(store);
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

// Solver bodies of a cable's rows: those of its route, then its wheels', which are counted after all bodies.
static void number_wheels(rvCable* cable, int* wheel)
{
    rvRoute* route = &cable->route;
    for (int i = 0; i < route->bodyCount; ++i)
        cable->slots[i] = route->bodies[i];
    int slot = route->bodyCount;
    for (int i = 0; cable->wheelCount > 0 && i < route->placeCount; ++i)
        if (route->places[i].inertia > 0.0) {
            route->places[i].wheelSlot = slot;
            cable->slots[slot++] = (*wheel)++;
        }
    cable->slotCount = slot;
}

void rv_cables_route(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context)
{
    int wheel = bodies->pool.count;
    store->crossingChangeCount = 0;
    if (store->meeting > 0)
        rv_crossings_collect(store, bodies);
    for (int i = 0; i < store->pool.count; ++i) {
        if (!rv_id_pool_alive(&store->pool, i))
            continue;
        rvCable* cable = &store->items[i];
        number_wheels(cable, &wheel);
        cable->peakTension = 0.0;
        for (int k = 0; k < cable->route.spanCount; ++k)
            cable->peakTension = rv_larger(cable->peakTension, cable->route.places[k].state.tension);
        rv_winch_latch(cable, bodies, context);
        cable->dense = store->hosted || context->atRest;
        cable->model->step->begin(cable, bodies, context);
    }
    if (store->meeting > 0)
        rv_crossings_number(store, bodies, wheel);
    store->firstRopePoint = wheel + store->crossingCount;
}

void rv_cables_lay(rvCableStore* store, const rvBodyStore* bodies)
{
    for (int i = 0; i < store->pool.count; ++i)
        if (rv_id_pool_alive(&store->pool, i)) {
            rv_winch_lay(&store->items[i]);
            rv_route_lay(&store->items[i].route, bodies);
        }
}

void rv_cables_refresh(rvCableStore* store, const rvBodyStore* bodies)
{
    for (int i = 0; i < store->pool.count; ++i)
        if (rv_id_pool_alive(&store->pool, i)) {
            rv_route_update(&store->items[i].route, bodies);
            rv_cable_follow(&store->items[i], bodies, (rvChange){.kind = RV_CHANGE_BODIES});
            if (store->items[i].state.twistFresh != 0.0) // a body was moved; an image holds the twist itself
                rv_twist_refresh(&store->items[i], bodies);
        }
}

static void forget_rates(rvCable* cable)
{
    cable->state.fresh = fmax(cable->state.fresh, 1.0);
    cable->state.twistFresh = 1.0;
}

void rv_cables_forget_rates(rvCableStore* store)
{
    for (int i = 0; i < store->pool.count; ++i)
        forget_rates(&store->items[i]);
}

static bool passes_moved(const rvRoute* route, const rvBodyStore* bodies)
{
    for (int i = 0; i < route->bodyCount; ++i)
        if (bodies->items[route->bodies[i]].moved)
            return true;
    return false;
}

void rv_cables_follow(rvCableStore* store, const rvBodyStore* bodies, double h)
{
    for (int i = 0; i < store->pool.count; ++i) {
        rvCable* cable = &store->items[i];
        if (!rv_id_pool_alive(&store->pool, i) || !passes_moved(&cable->route, bodies))
            continue;
        cable->state.twistFresh = 1.0;
        if (!(h > 0.0))
            forget_rates(cable); // there was no step
        bool known = cable->state.fresh == 0.0;
        if (known)
            rv_cable_follow(cable, bodies, (rvChange){.kind = RV_CHANGE_CARRIED, .before = true, .h = h});
        rv_route_update(&cable->route, bodies);
        if (known)
            rv_cable_follow(cable, bodies, (rvChange){.kind = RV_CHANGE_CARRIED, .h = h});
        rv_twist_refresh(cable, bodies);
    }
}

void rv_cables_load(rvCableStore* store, rvBodyStore* bodies, const rvStepContext* step, int pass)
{
    if (pass == 0 && store->meeting > 0)
        rv_crossings_clear_loads(store);
    for (int i = 0; i < store->pool.count; ++i) {
        if (!rv_id_pool_alive(&store->pool, i))
            continue;
        rvCable* cable = &store->items[i];
        if (step->geometricStiffness > 0.0)
            cable->usedTension = cable->peakTension;
        cable->model->step->load(cable, bodies, step, pass);
    }
}

void rv_cables_predict(rvCableStore* store, rvBodyStore* bodies, const rvStepContext* context)
{
    if (store->meeting > 0) {
        rv_crossings_predict(store, bodies, context->h);
        rv_rope_points_predict(store, bodies);
    }
    for (int i = 0; store->wheelCount > 0 && i < store->pool.count; ++i) {
        const rvCable* cable = &store->items[i];
        if (!rv_id_pool_alive(&store->pool, i) || cable->wheelCount == 0)
            continue;
        for (int k = 0; k < cable->route.placeCount; ++k) {
            const rvPlace* place = &cable->route.places[k];
            if (place->wheelSlot < 0)
                continue;
            int drum = rv_cable_winch_at(cable, k);
            double torque = drum >= 0 ? cable->winch[drum].step.drumTorque : 0.0;
            rv_bodies_set_spin(bodies, cable->slots[place->wheelSlot], place->axis, place->inertia,
                               place->state.spin + context->h * torque / place->inertia);
        }
    }
}

void rv_cables_write_rows(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows)
{
    for (int i = 0; i < store->pool.count; ++i)
        if (rv_id_pool_alive(&store->pool, i)) {
            store->items[i].model->step->write(&store->items[i], bodies, context, rows, i);
            if (store->items[i].torsionalStiffness > 0.0)
                rv_twist_write(&store->items[i], bodies, context, rows, i);
        }
    rv_kinks_write(store, bodies, context, rows);
    if (store->meeting > 0)
        rv_crossings_write_mass(store, rows);
}

bool rv_cables_read_rows(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context,
                         const rvRows* rows)
{
    bool changed = false;
    for (int i = 0; i < store->pool.count; ++i) {
        if (!rv_id_pool_alive(&store->pool, i))
            continue;
        rvCable* cable = &store->items[i];
        rvPass pass = cable->model->step->read(cable, bodies, context, rows);
        cable->again = pass.again;
        cable->more = pass.more;
        if (cable->torsionalStiffness > 0.0)
            rv_twist_read(cable, context, rows);
        double change = fabs(cable->peakTension - cable->usedTension);
        changed = changed || change > 0.5 * RV_PASS_TOLERANCE * cable->usedTension;
        changed = changed || cable->again;
    }
    return changed;
}

int rv_cables_insist(const rvCableStore* store)
{
    int most = 0;
    for (int i = 0; i < store->pool.count; ++i)
        if (rv_id_pool_alive(&store->pool, i) && store->items[i].more > most)
            most = store->items[i].more;
    return most;
}

bool rv_cables_give_all_rows(rvCableStore* store)
{
    for (int i = 0; i < store->pool.count; ++i)
        store->items[i].dense = true;
    return true;
}

void rv_cables_advance(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context)
{
    if (store->meeting > 0) {
        rv_crossings_advance(store, bodies);
        rv_rope_points_settle(store, bodies, context);
    }
    for (int i = 0; i < store->pool.count; ++i) {
        if (!rv_id_pool_alive(&store->pool, i))
            continue;
        rvCable* cable = &store->items[i];
        rv_route_update(&cable->route, bodies);
        double rest = cable->state.restLength;
        cable->failure = cable->model->step->end(cable, bodies, context);
        if (cable->torsionalStiffness > 0.0)
            rv_twist_advance(cable, bodies, context, rest);
        if (cable->peakTension > cable->breakForce)
            rv_cable_break(cable, bodies, context->gravity, context->h);
    }
}

int rv_cable_tightest(const rvCable* cable)
{
    int span = 0;
    for (int i = 1; i < cable->route.spanCount; ++i)
        span = rv_cable_tension(cable, i) > rv_cable_tension(cable, span) ? i : span;
    return span;
}

// What it held is heat; but what its weight had goes along with rope that goes: it has no zero, so it is no heat.
void rv_cable_break(rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h)
{
    rvRopeEnergy before = rv_cable_energy(cable, bodies, gravity, h);
    cable->state.broken = 1.0;
    rvRopeEnergy after = rv_cable_energy(cable, bodies, gravity, h);
    double hung = before.potential - after.potential;
    cable->state.weightWork -= hung;
    cable->route.places[rv_cable_tightest(cable)].state.heat +=
        rv_rope_energy_sum(&before) - hung - rv_rope_energy_sum(&after);
}

void rv_cable_drop_pull(rvCable* cable)
{
    for (int i = 0; i < cable->route.placeCount; ++i) {
        rvPlaceState* s = &cable->route.places[i].state;
        s->tension = s->endTension = s->heldBack = 0.0;
    }
}

static double wheel_energy(const rvCable* cable)
{
    double energy = 0.0;
    bool counted = rv_cable_has(cable, RV_TURNS_WHEELS) || cable->wheelCount == 0;
    for (int i = 0; !counted && i < cable->route.placeCount; ++i) {
        const rvPlace* place = &cable->route.places[i];
        energy += 0.5 * place->inertia * place->state.spin * place->state.spin;
    }
    return energy;
}

rvRopeEnergy rv_cable_energy(const rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h)
{
    rvRopeEnergy energy = {0};
    cable->model->read->energy(cable, bodies, gravity, h, &energy);
    if (cable->torsionalStiffness > 0.0)
        energy.elastic += rv_twist_energy(cable, h);
    energy.wheels = wheel_energy(cable);
    return energy;
}

double rv_rope_energy_sum(const rvRopeEnergy* energy)
{
    return energy->elastic + energy->kinetic + energy->wheels + energy->potential;
}

int rv_cable_index_of(const rvCable* cable, int place)
{
    if (place < 0 || place >= cable->definedCount)
        return -1;
    if (cable->route.placeCount == cable->definedCount)
        return place;
    int index = -1;
    for (int count = 0; count <= place; count += cable->route.places[index].type != RV_PLACE_CONTACT)
        index += 1;
    return index;
}
