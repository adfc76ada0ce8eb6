// SPDX-License-Identifier: MIT
// What cables did to bodies in a step: force and torque about the centre of mass, as the solver applied them.
//
// A body got J^T x of all rows of a cable in which it has a slot: stretch, friction, wheels, transverse rows, torsion.
// That sum, by the time, is kept at the first place of the body on the cable. Where ropes cross the row of one reaches
// the bodies of the other: that part is kept with the other, which pulls them. The rows of a kink stand for the spans
// at it: at the places of these. A body that does not move has no slot; it feels the tensions as they were before the
// bodies moved.
#include "cable/core/model.h"
#include "cable/crossing/crossing.h"
#include "cable/driver/cables.h"
#include "cable/string/massless.h"
#include "cable/string/span_stiffness.h"

// The place of a body, from place `from` on, then from the beginning: slots come in the order of places, so that
// looking for all of them is linear in their number.
static rvPlace* own_place(const rvCable* cable, int body, int from)
{
    int count = cable->route.placeCount;
    for (int k = 0; k < count; ++k) {
        rvPlace* place = &cable->route.places[from + k < count ? from + k : from + k - count];
        if (place->body == body)
            return place;
    }
    return NULL;
}

// The place of the rope that pulls this body at one of the cable's crossings.
static rvPlace* place_beyond(const rvCableStore* store, const rvCable* cable, int body)
{
    for (int k = 0; k < store->crossingCount; ++k) {
        const rvCrossing* crossing = &store->crossings[k];
        for (int i = 0; i < 4; ++i)
            if (crossing->body[i] == body &&
                (&store->items[crossing->cable[0]] == cable || &store->items[crossing->cable[1]] == cable))
                return own_place(&store->items[crossing->cable[i / 2]], body, 0);
    }
    return NULL;
}

static void add_slot(rvPlace* place, const rvRows* rows, int group, int slot, double rate)
{
    const rvRow* row = rv_group_rows(rows, group);
    const double(*j)[6] = (const double(*)[6])rv_group_jacobian(rows, group, slot);
    for (int r = 0; place && r < rows->groups[group].rowCount; ++r) {
        double force = rate * row[r].impulse;
        place->state.pullForce = rvMulAdd(place->state.pullForce, force, rvVec(j[r][0], j[r][1], j[r][2]));
        place->state.pullTorque = rvMulAdd(place->state.pullTorque, force, rvVec(j[r][3], j[r][4], j[r][5]));
    }
}

static void add_group(const rvCableStore* store, const rvBodyStore* bodies, const rvCable* cable, const rvRows* rows,
                      int group, double rate)
{
    int from = 0;
    for (int slot = 0; group >= 0 && slot < rows->groups[group].slotCount; ++slot) {
        int body = rows->slots[rows->groups[group].firstSlot + slot].body;
        if (body >= bodies->pool.count)
            continue; // the spin of a wheel, the point of a crossing
        rvPlace* place = own_place(cable, body, from);
        from = place ? (int)(place - cable->route.places) : from;
        add_slot(place ? place : place_beyond(store, cable, body), rows, group, slot, rate);
    }
}

static void add_fixed(rvCable* cable, const rvBodyStore* bodies)
{
    const rvRoute* route = &cable->route;
    for (int i = 0; i < route->placeCount; ++i) {
        rvPlace* place = &route->places[i];
        if (place->slot >= 0 || place->body < 0 || !place->on)
            continue;
        rvVec3 center = bodies->items[place->body].state.x;
        rvVec3 in = rv_route_force_in(route, i, i > 0 ? rv_cable_tension(cable, i - 1) : 0.0);
        rvVec3 out = rv_route_force_out(route, i, i < route->spanCount ? rv_cable_tension(cable, i) : 0.0);
        place->state.pullForce = rvAdd(in, out);
        place->state.pullTorque = rvAdd(rvCross(rvSub(place->in, center), in), rvCross(rvSub(place->out, center), out));
    }
}

void rv_cables_collect_wrench(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context,
                              const rvRows* rows)
{
    double rate = 1.0 / context->h;
    for (int c = 0; c < store->pool.count; ++c) {
        rvCable* cable = &store->items[c];
        for (int i = 0; rv_id_pool_alive(&store->pool, c) && i < cable->route.placeCount; ++i)
            cable->route.places[i].state.pullForce = cable->route.places[i].state.pullTorque = rvVec(0, 0, 0);
    }
    for (int c = 0; c < store->pool.count; ++c) {
        rvCable* cable = &store->items[c];
        if (!rv_id_pool_alive(&store->pool, c))
            continue;
        if (rv_cable_has(cable, RV_HAS_MASS))
            continue;
        if (cable->state.broken == 0.0 && !cable->loose)
            add_fixed(cable, bodies);
        add_group(store, bodies, cable, rows, cable->group, rate);
        add_group(store, bodies, cable, rows, cable->twistGroup, rate);
    }
    for (int k = 0; k < store->crossingCount; ++k) // the mass of ropes with mass, where one without crosses them
        add_group(store, bodies, &store->items[store->crossings[k].cable[0]], rows, store->crossings[k].group, rate);
    for (int g = 0; g < rows->groupCount; ++g) {
        const rvRowGroup* group = &rows->groups[g];
        for (int slot = 0; group->kind == RV_GROUP_KINK && slot < group->slotCount; ++slot)
            add_slot(rv_kink_place(store, group->owner, rows->slots[group->firstSlot + slot].body), rows, g, slot,
                     rate);
    }
}
