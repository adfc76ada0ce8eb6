// SPDX-License-Identifier: MIT
// Geometric stiffness of a taut cable: its tension turns with the spans, and so do the forces on its bodies.
#include "cable/route/route.h"

#include "cable/core/model.h"

// The turning of a body's span: of the line from its centre to the centre of the body (or to the place) at the other
// end. By the centres: the turning of a short span by its own ends would follow the body's own.
static rvVec3 span_turning(const rvPlace* here, const rvPlace* there, const rvBodyStore* bodies, double arm)
{
    const rvBodyState* s = &bodies->items[here->body].state;
    bool moves = there->slot >= 0;
    rvVec3 x = moves ? bodies->items[there->body].state.x : there->point;
    rvVec3 v = moves ? bodies->items[there->body].state.v : rvVec(0, 0, 0);
    if (rv_place_is_crossing(there))
        v = there->state.node.out;
    rvVec3 d = rvSub(x, s->x);
    return rvScale(1.0 / fmax(rvDot(d, d), arm * arm), rvCross(d, rvSub(v, s->v)));
}

static void add_span_drag(const rvRoute* route, int k, int other, rvVec3 arm, double tension, rvBodyStore* bodies,
                          double h)
{
    const rvPlace* place = &route->places[k];
    double size = rvLength(arm);
    if (tension * size > 0.0)
        rv_body_add_span_drag(&bodies->items[place->body], arm, tension,
                              span_turning(place, &route->places[other], bodies, size), h);
}

void rv_route_add_stiffness(const rvCable* cable, rvBodyStore* bodies, const rvStepContext* step)
{
    const rvRoute* route = &cable->route;
    if (!(cable->peakTension > 0.0 && step->geometricStiffness > 0.0))
        return;
    for (int k = 0; k < route->placeCount; ++k) {
        const rvPlace* place = &route->places[k];
        if (place->slot < 0 || !place->on || !rv_body_is_pushed(&bodies->items[place->body]))
            continue;
        double before = k > 0 ? rv_cable_tension(cable, k - 1) : 0.0;
        double after = k < route->spanCount ? rv_cable_tension(cable, k) : 0.0;
        rvBody* body = &bodies->items[place->body];
        if (before != 0.0)
            rv_body_add_stiffness(body, place->armIn, rv_route_force_in(route, k, before));
        if (after != 0.0)
            rv_body_add_stiffness(body, place->armOut, rv_route_force_out(route, k, after));
        if (place->before >= 0 && before > 0.0)
            add_span_drag(route, k, place->before, place->armIn, before, bodies, step->h);
        if (place->after >= 0 && after > 0.0)
            add_span_drag(route, k, place->after, place->armOut, after, bodies, step->h);
    }
}
