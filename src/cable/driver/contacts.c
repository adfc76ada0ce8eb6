// SPDX-License-Identifier: MIT
// Contacts of all cables: by their own narrow phase, along taut routes and where ropes cross.
#include "cable/crossing/crossing.h"
#include "cable/driver/cables.h"
#include "cable/line/crossing_elements.h"
#include "cable/route/segment.h"
#include "cable/route/twist.h"
#include "cable/string/massless.h"
#include "cable/taut/cable_contact.h"

// No row saw the rope bend around what it met in this step, nor slide to where it is shorter: its stretch stays what it
// was. A rope with mass that is laid elsewhere does not bounce: what it held more there is heat.
static void before_look(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    const rvRoute* route = &cable->route;
    for (int i = 1; i < route->spanCount; ++i) {
        rvPlace* place = &route->places[i];
        place->carriedIn = place->in;
        place->carriedOut = place->out;
        place->wasArrive = route->spans[i - 1].u;
        place->wasLeave = route->spans[i].u;
    }
    if (!rv_segments_persist(cable))
        return;
    rv_cable_match(cable, bodies); // its rope as the step left it
    cable->state.heat += rv_cable_rope_energy(cable, bodies, context);
    rv_cable_follow(cable, bodies, (rvChange){.kind = RV_CHANGE_CONTACTS, .before = true, .h = context->h});
}

static void after_look(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    bool keeps = rv_segments_persist(cable);
    if (keeps) {
        rv_cable_follow(cable, bodies, (rvChange){.kind = RV_CHANGE_CONTACTS, .h = context->h});
        rv_taut_slide(cable, context->h);
    }
    rv_cable_match(cable, bodies);
    if (keeps)
        cable->state.heat -= rv_cable_rope_energy(cable, bodies, context);
}

void rv_cables_touch(rvCableStore* store, const rvBodyStore* bodies, const rvShapeStore* shapes, double h)
{
    for (int i = 0; i < store->pool.count; ++i)
        store->items[i].droppedContacts = 0;
    for (int i = 0; i < store->pool.count; ++i)
        if (rv_id_pool_alive(&store->pool, i) && store->items[i].model->contact)
            store->items[i].model->contact->collide(&store->items[i], bodies, shapes, h, 0);
    rv_rope_points_find(store, h);
}

bool rv_cables_collide_again(rvCableStore* store, const rvBodyStore* bodies, const rvShapeStore* shapes, double h,
                             int pass)
{
    bool more = false;
    for (int i = 0; i < store->pool.count; ++i)
        if (rv_id_pool_alive(&store->pool, i) && store->items[i].model->contact)
            more = store->items[i].model->contact->collide(&store->items[i], bodies, shapes, h, pass) || more;
    return more;
}

void rv_cable_begin_contacts(rvCableStore* store, int index, const rvBodyStore* bodies, rvShapeStore* shapes)
{
    rvCable* cable = &store->items[index];
    if (!cable->collides)
        return;
    rv_shapes_place(shapes, bodies);
    rv_cables_remember(store, shapes);
    rv_taut_find_contacts(store, cable, bodies, shapes, true);
    rv_crossings_remember(cable);
    cable->touched = cable->left = 0;
    rv_cable_match(cable, bodies);
    rv_twist_begin(cable, bodies, cable->state.twist);
}

static bool looks(const rvCableStore* store, int i)
{
    return rv_id_pool_alive(&store->pool, i) && store->items[i].collides && store->items[i].state.broken == 0.0;
}

void rv_cables_collide(rvCableStore* store, const rvBodyStore* bodies, rvShapeStore* shapes,
                       const rvStepContext* context)
{
    if (store->colliding == 0)
        return;
    rv_shapes_place(shapes, bodies);
    for (int i = 0; i < store->pool.count; ++i)
        if (looks(store, i))
            before_look(&store->items[i], bodies, context);
    rv_crossings_part(store, bodies, context->h);
    rv_crossings_keep_out(store, shapes);
    for (int i = 0; i < store->pool.count; ++i) {
        rvCable* cable = &store->items[i];
        if (!looks(store, i))
            continue;
        cable->touched = cable->left = 0;
        rv_taut_find_contacts(store, cable, bodies, shapes, false);
        after_look(cable, bodies, context);
        rv_twist_refresh(cable, bodies);
    }
    rv_crossings_collide(store, bodies, context);
}

void rv_cable_lay_unstretched(rvCable* cable)
{
    if (cable->route.placeCount > cable->definedCount)
        cable->state.restLength = cable->route.places[0].state.rest = cable->route.length;
}

void rv_cables_forget_shape(rvCableStore* store, const rvBodyStore* bodies, int shape)
{
    for (int i = 0; i < store->pool.count; ++i) {
        rvCable* cable = &store->items[i];
        bool held = false;
        for (int k = 0; rv_id_pool_alive(&store->pool, i) && k < cable->route.placeCount; ++k)
            held = held || (cable->route.places[k].type == RV_PLACE_CONTACT &&
                            cable->route.places[k].state.node.shape == shape);
        if (held) {
            rv_taut_strip(cable, bodies, store->spare);
            rv_cable_match(cable, bodies);
            rv_twist_refresh(cable, bodies);
        }
    }
}

bool rv_cable_contact_is_sound(const rvPlaceState* s, const rvShapeStore* shapes)
{
    return s->shapeBody == -1.0 ? rv_crossing_is_sound(s) : rv_taut_contact_is_sound(s, shapes);
}
