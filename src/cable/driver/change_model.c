// SPDX-License-Identifier: MIT
// Another model fills a cable while the program runs.
//
// What stays: places, their bodies, wheels and winches with all that they have counted, contacts where both models have
// theirs as places, rest length, twist, books. Bodies stay as they are and move on as they did. The new model is made
// beside the old one; only when all of it is there does it take its place, so a refused change leaves everything as it
// was. Then it goes on with the shape and motion of the old one, or hangs at rest by its rest length: see
// RV_START_LIKE in core/model.h.
//
// What jumps: mass and weight of the rope come or go, and with them energy. The tension is what the rest length makes
// of it: a rope that sags has none of its own where the new model has no weight.
#include "cable/core/model.h"
#include "cable/driver/cables.h"
#include "cable/line/crossing_elements.h"
#include "cable/route/route.h"
#include "cable/route/winch.h"
#include "cable/taut/cable_contact.h"

#include <string.h>

// The definition with the model's own fields of `def`; what belongs to the rope itself stays.
static rvCableDef merge(const rvCable* cable, const rvCableDef* def)
{
    const rvCableDef* own = &cable->def;
    rvCableDef merged = *def;
    merged.diameter = own->diameter;
    merged.youngsModulus = own->youngsModulus;
    merged.axialStiffness = own->axialStiffness;
    merged.damping = own->damping;
    merged.torsionalStiffness = own->torsionalStiffness;
    merged.twistDamping = own->twistDamping;
    merged.twist = own->twist;
    merged.length = own->length;
    merged.pushes = own->pushes;
    merged.collides = own->collides;
    merged.friction = own->friction;
    merged.maxContacts = own->maxContacts;
    merged.group = own->group;
    merged.mask = own->mask;
    merged.overload = own->overload;
    merged.breakForce = own->breakForce;
    merged.name = cable->name;
    return merged;
}

static rvStatus check_places(rvError* error, const rvCable* cable)
{
    const rvModel* model = cable->model;
    for (int i = 1; i < cable->route.spanCount; ++i)
        if (cable->route.places[i].type == RV_PLACE_ATTACH && (model->traits & RV_SEGMENTS))
            return rv_fail(error, RV_BAD_INPUT,
                           "cable '%s': places[%d].type: a cable of model %s cannot be attached between its ends",
                           cable->name, i, model->name);
    return RV_OK;
}

// Does each contact stay a place of the route?
static bool keeps_contacts(const rvCable* cable, const rvModel* model)
{
    bool crossings = false;
    for (int i = 0; i < cable->route.placeCount; ++i)
        crossings = crossings || rv_place_is_crossing(&cable->route.places[i]);
    return !(model->traits & RV_KEEPS_PLACES) && !rv_cable_has(cable, RV_KEEPS_PLACES) &&
           ((model->traits & RV_SEGMENTS) || !crossings);
}

// What the old model has left in the state of cable and places.
static void forget_model(rvCable* copy)
{
    for (int i = 0; i < copy->route.placeCount; ++i) {
        copy->route.places[i].state.sag = 0.0;
        copy->route.places[i].record = 0;
        copy->route.places[i].released = false;
        copy->route.places[i].state.unpaid = copy->route.places[i].state.heldBack = 0.0;
    }
    copy->loosePull = 0.0;
    copy->winch[0].state.offset = copy->winch[1].state.offset = 0.0;
    copy->winch[0].step.height = copy->winch[1].step.height = 0.0;
    copy->winch[0].step.drumTorque = copy->winch[1].step.drumTorque = 0.0;
    copy->state.fresh = 1.0;
    copy->account = (rvAccount){0};
    copy->contactCount = copy->tracePoints = 0;
    copy->line = (rvLineState){0};
    copy->startAsked = false;
    copy->group = copy->twistGroup = -1;
}

// What belongs to contacts at places, once it has none there: images of it leave that out (rv_cable_place_size).
static void forget_contacts(rvCable* copy)
{
    size_t first = offsetof(rvPlaceState, contact), size = sizeof(rvPlaceState) - first;
    for (int i = 0; i < copy->route.placeCount && !copy->collides; ++i)
        memset((uint8_t*)&copy->route.places[i].state + first, 0, size);
}

// A model that keeps to its places counts its rope span by span, the others by segments: the rope is one segment again,
// which is cut anew where it can slip with friction.
static void join_spans(rvCable* copy)
{
    for (int i = 0; i < copy->route.placeCount; ++i) {
        rvPlaceState* s = &copy->route.places[i].state;
        s->rest = s->rate = s->slip = s->mode = s->isJunction = 0.0;
    }
    copy->route.places[0].state.rest = copy->state.restLength;
}

// The new model over the places of the old one.
static rvStatus make(rvCable* copy, const rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies,
                     rvMemory* memory, rvError* error, rvPlace* spare)
{
    const rvModel* model = copy->model;
    if (!keeps_contacts(cable, model))
        rv_cable_strip_contacts(copy, bodies, spare);
    rv_route_collect_bodies(&copy->route, bodies);
    rv_route_update(&copy->route, bodies);
    rv_winch_change_layers(copy, bodies); // not every model has them
    forget_model(copy);
    if (!rv_cable_has(cable, RV_SEGMENTS))
        join_spans(copy);
    if (!rv_cable_take_room(copy, memory))
        return rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    rvStatus status = model->life->create(copy, def, &(rvOrigin){.cable = cable}, bodies, memory, error);
    forget_contacts(copy);
    if (status == RV_OK)
        rv_cable_match(copy, bodies);
    return status;
}

rvStatus rv_cable_begin_change(rvCableStore* store, int index, const rvBodyStore* bodies, rvMemory* memory,
                               rvError* error, const rvCableDef* def, rvCable* old)
{
    rvCable* cable = &store->items[index];
    rvCableDef merged = merge(cable, def);
    rvCable copy;
    if (!rv_cable_copy(&copy, cable, memory, 0))
        return rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    rvStatus status = rv_cable_check_material(error, &merged, &copy);
    if (status == RV_OK)
        status = check_places(error, &copy);
    if (status == RV_OK)
        status = make(&copy, cable, &merged, bodies, memory, error, store->spare);
    if (status != RV_OK) {
        rv_cable_give_room(&copy, memory);
        return status;
    }
    rv_cables_count(store, cable, -1);
    *old = *cable;
    *cable = copy;
    rv_cables_count(store, cable, 1);
    return RV_OK;
}

void rv_cable_end_change(rvCableStore* store, int index, const rvBodyStore* bodies, rvMemory* memory, rvVec3 gravity,
                         double h, rvCable* old, bool keep)
{
    rvCable* cable = &store->items[index];
    if (keep) {
        rv_rope_points_forget(store, index); // another line, or none
        rv_cable_place(cable, bodies, (rvPlacement){RV_START_LIKE, gravity, old, h});
        rv_cable_give_room(old, memory);
        return;
    }
    rv_cables_count(store, cable, -1);
    rv_cable_give_room(cable, memory);
    *cable = *old;
    rv_cables_count(store, cable, 1);
}
