// SPDX-License-Identifier: MIT
#include "cable/string/segments.h"

#include "cable/route/friction.h"

double rv_segment_rate(const rvCable* cable, const rvBodyStore* bodies, int first, int last, bool unexpected)
{
    double rate = 0.0;
    for (int i = first; i <= last; ++i) {
        const rvPlace* place = &cable->route.places[i];
        bool crosses = rv_place_is_crossing(place);
        const rvBody* body = place->slot >= 0 && !crosses ? &bodies->items[place->body] : NULL;
        if ((!body && !crosses) || !place->on || (unexpected && (crosses || !body->moved)))
            continue;
        rvVec3 v = crosses ? place->state.node.out : body->state.v; // where ropes cross: of the point
        rvVec3 w = crosses ? rvVec(0, 0, 0) : body->state.w;
        if (unexpected) {
            v = rvSub(v, body->expectedV);
            w = rvSub(w, body->expectedW);
        }
        if (i > first)
            rate += rvDot(cable->route.spans[i - 1].u, rvAdd(v, rvCross(w, place->armIn)));
        if (i < last)
            rate -= rvDot(cable->route.spans[i].u, rvAdd(v, rvCross(w, place->armOut)));
    }
    return rate;
}

// Rest lengths of the segments of a chain, from place `first` up to `end`: slack goes to those that are stretched.
static void level_chain(const rvRoute* route, int first, int end)
{
    double stretched = 0.0, slack = 0.0;
    for (int i = first; i < end; i = rv_segment_end(route, i)) {
        double phi = rv_segment_length(route, i, rv_segment_end(route, i)) - route->places[i].state.rest;
        stretched += fmax(0.0, phi);
        slack += fmax(0.0, -phi);
    }
    double moved = fmin(stretched, slack);
    for (int i = first; i < end && moved > 0.0; i = rv_segment_end(route, i)) {
        double phi = rv_segment_length(route, i, rv_segment_end(route, i)) - route->places[i].state.rest;
        route->places[i].state.rest += moved * phi / (phi > 0.0 ? stretched : slack);
    }
}

void rv_segments_level(rvCable* cable)
{
    const rvRoute* route = &cable->route;
    for (int first = 0, end; first < route->spanCount && !cable->pushes; first = end) {
        end = rv_segment_end(route, first);
        while (end < route->spanCount && isfinite(rv_place_ratio(&route->places[end])))
            end = rv_segment_end(route, end);
        level_chain(route, first, end);
    }
}

void rv_segments_find_rates(rvCable* cable, const rvBodyStore* bodies)
{
    const rvRoute* route = &cable->route;
    for (int first = 0, last; first < route->spanCount; first = last) {
        last = rv_segment_end(route, first);
        double rate = rv_segment_rate(cable, bodies, first, last, false);
        rate -= first == 0 ? cable->winch[0].state.rate : 0.0;
        rate -= last == route->spanCount ? cable->winch[1].state.rate : 0.0;
        route->places[first].state.rate = rate;
        route->places[first].state.laid = 0.0;
    }
}

void rv_segments_change_rates(rvCable* cable, const rvBodyStore* bodies, double factor, bool unexpected)
{
    rvRoute* route = &cable->route;
    for (int first = 0, last; first < route->spanCount; first = last) {
        last = rv_segment_end(route, first);
        double* rate = &route->places[first].state.rate;
        *rate += factor * rv_segment_length(route, first, last);
        if (unexpected)
            *rate -= rv_segment_rate(cable, bodies, first, last, true);
    }
}

void rv_segments_keep_stretch(rvCable* cable, const rvBodyStore* bodies, double sign, double h)
{
    rvRoute* route = &cable->route;
    for (int first = 0, last; first < route->spanCount; first = last) {
        last = rv_segment_end(route, first);
        double length = sign * rv_segment_length(route, first, last);
        double rate = sign * rv_segment_rate(cable, bodies, first, last, false);
        route->places[first].state.rate += 2.0 / h * length;
        route->places[first].state.laid += length - 0.5 * h * rate;
    }
}

bool rv_cable_is_hosted(const rvCable* cable, const rvBodyStore* bodies)
{
    bool hosted = false;
    for (int i = 0; i < cable->route.bodyCount && !hosted; ++i)
        hosted = bodies->items[cable->route.bodies[i]].type == RV_BODY_PROXY;
    return hosted;
}

// Of the segment that begins at place `first`: by its stretch at the middle of the step, where the time-centred rule
// keeps the energy.
static double stretch_force(const rvCable* cable, int first, double length, double h)
{
    const rvPlaceState* s = &cable->route.places[first].state;
    double phi = length - s->rest - 0.5 * h * s->rate;
    return phi > 0.0 || cable->pushes ? phi * cable->axialStiffness / s->rest : 0.0;
}

// A cable too stiff for the step: of its tension a part may be damping's, which is not stored, and of its stretch one
// that never pulled. So the smaller of both counts; and of one that damping holds back no more than was put in.
double rv_segment_elastic_force(const rvCable* cable, int first, double length, double h)
{
    const rvPlaceState* s = &cable->route.places[first].state;
    double force = stretch_force(cable, first, length, h), tension = s->tension + s->heldBack;
    return (cable->string->state.overStiff != 0.0 || s->heldBack != 0.0) && fabs(tension) < fabs(force) ? tension
                                                                                                        : force;
}

// Is there a junction at a crossing? What slips there goes from one segment to the other within the step: pull and
// stretch of either are not those of one time, so the smaller counts of all of the rope, not of each segment.
static bool is_parted(const rvRoute* route)
{
    for (int i = 1; i < route->spanCount; ++i)
        if (rv_place_is_crossing(&route->places[i]) && route->places[i].state.isJunction != 0.0)
            return true;
    return false;
}

double rv_segments_energy(const rvCable* cable, double h)
{
    if (cable->state.broken != 0.0 || cable->loose)
        return 0.0;
    const rvRoute* route = &cable->route;
    bool parted = cable->string->state.overStiff != 0.0 && is_parted(route);
    double energy = 0.0, pull = 0.0;
    for (int first = 0, last; first < route->spanCount; first = last) {
        last = rv_segment_end(route, first);
        const rvPlaceState* s = &route->places[first].state;
        double give = s->rest / cable->axialStiffness, length = rv_segment_length(route, first, last);
        double force =
            parted ? stretch_force(cable, first, length, h) : rv_segment_elastic_force(cable, first, length, h);
        energy += 0.5 * force * force * give;
        pull += 0.5 * s->tension * s->tension * give;
    }
    return parted ? fmin(pull, energy) : energy;
}
