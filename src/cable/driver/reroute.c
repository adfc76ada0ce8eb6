// SPDX-License-Identifier: MIT
// The places of a cable and the room for them: laid at creation, and changed while the program runs.
//
// A change is made on a copy and checked; only then does the copy take the place of the cable, so a refused change
// leaves everything as it was. Places that stay keep their state: rest lengths of segments, wrap angles, spins. A new
// place lies in the segment it cuts; the rope of a segment whose first place goes joins the segment before it.
#include "cable/core/model.h"
#include "cable/crossing/crossing.h"
#include "cable/driver/cables.h"
#include "cable/route/route.h"
#include "cable/route/twist.h"
#include "cable/route/winch.h"

#include <string.h>

void rv_cable_lay_place(rvCable* cable, int i, const rvPlaceDef* def, int body, const rvBodyStore* bodies)
{
    rvPlace* place = &cable->route.places[i];
    rvPlaceState state = place->state;
    int number = place->number, record = place->record;
    *place = (rvPlace){.type = def->type, .body = body, .friction = def->friction, .drag = def->drag, .isNew = true};
    place->number = number;
    place->record = record;
    place->clamped = def->clamped;
    place->direction = def->direction;
    // the rope that begins here stays
    place->state.rest = state.rest;
    place->state.rate = state.rate;
    place->state.unpaid = state.unpaid;
    place->state.tension = state.tension;
    place->state.endTension = state.endTension;
    place->state.heldBack = state.heldBack;
    place->state.isJunction = state.isJunction;
    place->state.sag = state.sag;
    place->local = body >= 0 ? rvSub(def->point, bodies->items[body].center) : def->point;
    if (i == 0 || i == cable->route.spanCount) {
        cable->winch[i != 0].exists = def->type == RV_PLACE_WINCH;
        cable->winch[i != 0].settings = rv_winch_from(&def->winch);
        cable->winch[i != 0].state.rate = cable->winch[i != 0].state.commanded = cable->winch[i != 0].state.drumSpeed =
            0.0;
        cable->winch[i != 0].state.angle = cable->winch[i != 0].state.overrun = 0.0;
    }
    if (def->type != RV_PLACE_SHEAVE && def->type != RV_PLACE_WINCH)
        return;
    place->radius = place->core = def->wheel.radius;
    if (def->type == RV_PLACE_WINCH)
        place->radius = cable->winch[i != 0].state.radius = rv_winch_radius(cable, i != 0);
    place->localAxis = rvNormalizeOr(def->wheel.axis, rvVec(0, 1, 0));
    place->side = def->wheel.side;
    place->extraTurns = def->wheel.turns;
    place->bearing = def->wheel.bearing;
    place->locked = def->wheel.locked;
    if (!def->wheel.locked && def->wheel.radius > 0.0)
        place->inertia = def->wheel.inertia;
    place->state.driveSpeed = def->wheel.driveSpeed;
    place->state.driveTorque = def->wheel.driveTorque;
}

rvStatus rv_cable_lay_route(rvCable* cable, const rvBodyStore* bodies, rvError* error)
{
    rvRoute* route = &cable->route;
    cable->loose = false;
    cable->wheelCount = 0;
    cable->definedCount = 0;
    for (int i = 0; i < route->placeCount; ++i) {
        if (route->places[i].type == RV_PLACE_CONTACT) // that stays while an end changes
            continue;
        cable->definedCount += 1;
        cable->loose = cable->loose || route->places[i].type == RV_PLACE_FREE;
        cable->wheelCount += route->places[i].inertia > 0.0;
        if (route->places[i].number == 0)
            route->places[i].number = ++cable->numbered;
    }
    rv_route_collect_bodies(route, bodies);
    rv_route_begin(route, bodies);
    for (int i = 0; i < route->spanCount; ++i)
        if (route->spans[i].length < 1e-6 && route->places[i].type != RV_PLACE_CONTACT &&
            route->places[i + 1].type != RV_PLACE_CONTACT)
            return rv_fail(error, RV_BAD_INPUT,
                           "cable '%s': places[%d].point: lies on places[%d]: the span between them has no length",
                           cable->name, i + 1, i);
    return RV_OK;
}

int rv_cable_most_rows(const rvCable* cable)
{
    int damped = 0; // eyes with dry and viscous friction
    for (int i = 0; i < cable->route.placeCount; ++i)
        damped += cable->route.places[i].drag > 0.0 && cable->route.places[i].friction > 0.0;
    return 3 * cable->route.capacity - 2 + 2 * cable->wheelCount + damped;
}

bool rv_cable_take_room(rvCable* cable, rvMemory* memory)
{
    size_t places = (size_t)cable->route.capacity, rows = (size_t)rv_cable_most_rows(cable);
    cable->slotRoom = 2 * places + 5 * (size_t)rv_crossing_room(cable);
    cable->roomRows = (int)rows;
    cable->roomSlots = cable->wheelCount + 5 * rv_crossing_room(cable);
    cable->slots = rv_memory_take(memory, cable->slotRoom * sizeof(int));
    return cable->slots != NULL;
}

void rv_cable_give_room(rvCable* cable, rvMemory* memory)
{
    if (cable->inner)
        cable->model->life->destroy(cable, memory);
    cable->inner = NULL;
    rv_memory_give(memory, cable->slots, cable->slots ? cable->slotRoom * sizeof(int) : 0);
    rv_route_release(&cable->route, memory);
    cable->slots = NULL;
}

bool rv_cable_copy(rvCable* copy, const rvCable* cable, rvMemory* memory, int more)
{
    *copy = *cable;
    copy->slots = NULL;
    copy->inner = NULL;
    copy->route = (rvRoute){0};
    if (!rv_route_create(&copy->route, memory, cable->route.placeCount, cable->route.capacity + more))
        return false;
    memcpy(copy->route.places, cable->route.places, (size_t)cable->route.placeCount * sizeof(rvPlace));
    return true;
}

// Checks the changed copy and puts it in the cable's place, or gives it back.
static rvStatus commit(rvCableStore* store, int index, rvCable* copy, rvOrigin from, const rvBodyStore* bodies,
                       rvMemory* memory, rvError* error)
{
    rvCable* cable = &store->items[index];
    from.cable = cable;
    copy->tooFar = 0.0;
    copy->hangsAnew = false;
    rvStatus status = rv_cable_lay_route(copy, bodies, error);
    if (status == RV_OK && !rv_cable_take_room(copy, memory))
        status = rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    if (status == RV_OK)
        status = copy->model->life->create(copy, NULL, &from, bodies, memory, error);
    cable->tooFar = copy->tooFar;
    if (status != RV_OK) {
        rv_cable_give_room(copy, memory);
        return status;
    }
    rv_cable_match(copy, bodies);
    store->spanCount += copy->route.capacity - cable->route.capacity;
    store->wheelCount += copy->wheelCount - cable->wheelCount;
    // the rope keeps its twist; where it carried none it has none
    double twist = rv_twist_acts(cable) ? copy->state.twist : 0.0;
    rv_cable_give_room(cable, memory);
    *cable = *copy;
    cable->state.fresh = fmax(cable->state.fresh, 1.0);
    cable->group = cable->twistGroup = -1;
    rv_twist_begin(cable, bodies, twist);
    return RV_OK;
}

static rvStatus no_memory(rvError* error, const rvCable* cable)
{
    return rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
}

// `takes`: the model can do it, though its material keeps to its places.
static rvStatus check_change(rvError* error, const rvCable* cable, bool takes)
{
    if (!rv_cable_has(cable, RV_KEEPS_PLACES) || takes)
        return RV_OK;
    return rv_fail(error, RV_BAD_INPUT, "cable '%s': the places of a cable of model %s cannot be changed", cable->name,
                   cable->model->name);
}

rvStatus rv_cable_set_place(rvCableStore* store, int index, const rvBodyStore* bodies, rvMemory* memory, rvError* error,
                            int place, const rvPlaceDef* def, int body)
{
    const rvCable* cable = &store->items[index];
    bool end = place == 0 || place == cable->route.spanCount;
    if (check_change(error, cable, end || cable->model->hold != NULL) != RV_OK)
        return RV_BAD_INPUT;
    rvCable copy;
    if (!rv_cable_copy(&copy, cable, memory, 0))
        return no_memory(error, cable);
    rv_cable_lay_place(&copy, place, def, body, bodies);
    return commit(store, index, &copy, (rvOrigin){.newEnd = end}, bodies, memory, error);
}

rvStatus rv_cable_insert_place(rvCableStore* store, int index, const rvBodyStore* bodies, rvMemory* memory,
                               rvError* error, int place, const rvPlaceDef* def, int body)
{
    const rvCable* cable = &store->items[index];
    if (check_change(error, cable, cable->model->hold != NULL) != RV_OK)
        return RV_BAD_INPUT;
    rvCable copy;
    // room that a place left, which was taken out before, serves again; contacts find as much as at creation
    int least = cable->route.placeCount + 1 + (cable->collides ? cable->def.maxContacts : 0);
    if (!rv_cable_copy(&copy, cable, memory, least > cable->route.capacity ? least - cable->route.capacity : 0))
        return no_memory(error, cable);
    rvPlace* at = &copy.route.places[place];
    memmove(at + 1, at, (size_t)(copy.route.placeCount - place) * sizeof(rvPlace));
    copy.route.placeCount += 1;
    copy.route.spanCount += 1;
    const rvPlaceState* last = &copy.route.places[place - 1].state;
    *at = (rvPlace){.state.tension = last->tension, .state.endTension = last->endTension};
    rv_cable_lay_place(&copy, place, def, body, bodies);
    return commit(store, index, &copy, (rvOrigin){0}, bodies, memory, error);
}

rvStatus rv_cable_remove_place(rvCableStore* store, int index, const rvBodyStore* bodies, rvMemory* memory,
                               rvError* error, int place)
{
    const rvCable* cable = &store->items[index];
    bool spans = rv_cable_has(cable, RV_KEEPS_PLACES); // rest lengths are those of spans
    if (check_change(error, cable, cable->model->hold != NULL) != RV_OK)
        return RV_BAD_INPUT;
    rvCable copy;
    if (!rv_cable_copy(&copy, cable, memory, 0))
        return no_memory(error, cable);
    rvPlace* at = &copy.route.places[place];
    int start = place - 1;
    while (start > 0 && !spans && copy.route.places[start].state.isJunction == 0.0)
        start -= 1;
    copy.route.places[start].state.rest += at->state.rest;
    copy.route.places[start].state.rate += at->state.rate;
    copy.route.places[start].state.unpaid += at->state.unpaid;
    copy.route.places[place - 1].state.sag += at->state.sag;
    memmove(at, at + 1, (size_t)(copy.route.placeCount - place - 1) * sizeof(rvPlace));
    copy.route.placeCount -= 1;
    copy.route.spanCount -= 1;
    return commit(store, index, &copy, (rvOrigin){.removed = place}, bodies, memory, error);
}

rvStatus rv_cable_splice(rvCableStore* store, int index, int other, const rvBodyStore* bodies, rvMemory* memory,
                         rvError* error)
{
    const rvCable* a = &store->items[index];
    const rvCable* b = &store->items[other];
    if (check_change(error, a, false) != RV_OK)
        return RV_BAD_INPUT;
    rvCable copy;
    if (!rv_cable_copy(&copy, a, memory, b->definedCount))
        return no_memory(error, a);
    // both ends go; the first segment of b joins the last one of a
    int keep = a->route.placeCount - 1, start = keep - 1;
    while (start > 0 && copy.route.places[start].state.isJunction == 0.0)
        start -= 1;
    copy.route.places[start].state.rest += b->route.places[0].state.rest;
    copy.route.places[keep - 1].state.sag += b->route.places[0].state.sag;
    memcpy(&copy.route.places[keep], &b->route.places[1], (size_t)b->route.spanCount * sizeof(rvPlace));
    for (int i = keep; i < keep + b->route.spanCount; ++i) { // of another rope
        copy.route.places[i].rank = -1;
        copy.route.places[i].number = 0;
    }
    copy.route.placeCount = keep + b->route.spanCount;
    copy.route.spanCount = copy.route.placeCount - 1;
    copy.winch[1].exists = b->winch[1].exists;
    copy.winch[1].settings = b->winch[1].settings;
    copy.winch[1].state.rate = b->winch[1].state.rate;
    copy.winch[1].state.commanded = b->winch[1].state.commanded;
    copy.winch[1].state.angle = b->winch[1].state.angle;
    copy.winch[1].state.overrun = b->winch[1].state.overrun;
    for (int i = 0; i < 2; ++i) {
        copy.winch[i].state.work += b->winch[i].state.work;
        copy.winch[i].state.heat += b->winch[i].state.heat;
    }
    copy.state.restLength = a->state.restLength + b->state.restLength;
    copy.state.twist += rv_twist_acts(b) ? b->state.twist : 0.0;
    return commit(store, index, &copy, (rvOrigin){.spliced = b, .newEnd = true}, bodies, memory, error);
}
