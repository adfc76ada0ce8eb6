// SPDX-License-Identifier: MIT
#include "cable/string/string_model.h"

#include "cable/route/friction.h"

#include <string.h>

// The dense compliance of the rows is needed only where there can be friction.
static size_t block_size(const rvCable* cable)
{
    const rvRoute* route = &cable->route;
    size_t rows = (size_t)cable->roomRows;
    bool friction = cable->collides && cable->friction > 0.0;
    for (int i = 0; i < route->placeCount; ++i)
        friction = friction || route->places[i].friction > 0.0 || route->places[i].drag > 0.0 ||
                   route->places[i].bearing > 0.0;
    return friction ? rows * rows * sizeof(double) : 0;
}

rvStatus rv_string_create(rvCable* cable, const rvCableDef* def, const rvOrigin* from, rvMemory* memory, rvError* error)
{
    rvString* string = cable->string = rv_memory_take(memory, sizeof(rvString));
    if (!string)
        return rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    string->state = (rvStringState){.mode = RV_ROW_LOWER, .stiffEnergy = -1.0};
    if (from && rv_cable_has(from->cable, RV_SEGMENTS)) {
        const rvStringState* old = &from->cable->string->state;
        if (!def)
            string->state = *old;
        string->state.mode = old->mode;
        string->state.winchEnd = from->newEnd ? 0.0 : old->winchEnd;
    }
    string->blockSize = block_size(cable);
    string->block = rv_memory_take(memory, string->blockSize);
    string->segmentRoom = cable->route.capacity;
    string->segments = rv_memory_take(memory, (size_t)string->segmentRoom * sizeof(rvSegment));
    if (!string->segments || (!string->block && string->blockSize > 0))
        return rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    return RV_OK;
}

void rv_string_destroy(rvCable* cable, rvMemory* memory)
{
    rvString* string = cable->string;
    if (!string)
        return;
    rv_memory_give(memory, string->block, string->block ? string->blockSize : 0);
    rv_memory_give(memory, string->segments, string->segments ? (size_t)string->segmentRoom * sizeof(rvSegment) : 0);
    rv_memory_give(memory, string, sizeof(rvString));
    cable->string = NULL;
}

void rv_string_visit(rvCable* cable, rvVisitor* v)
{
    rvStringState state;
    const void* at = rv_visit_numbers(v, "stretch row", &cable->string->state, sizeof state);
    if (v->kind != RV_VISIT_CHECK)
        return;
    memcpy(&state, at, sizeof state);
    rv_visit_require(v, "stretch row",
                     (state.mode == RV_ROW_FREE || state.mode == RV_ROW_LOWER || state.mode == RV_ROW_UPPER) &&
                         (state.winchEnd == 0.0 || state.winchEnd == 1.0) &&
                         (state.waveSide == 0.0 || state.waveSide == 1.0));
}

// ---- stretch of segments

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

// ---- changes that no row saw

// It goes on from another route: its stretch changes as its bodies move, and all of it counts.
static void restart(rvCable* cable, const rvBodyStore* bodies)
{
    for (int i = 0; i < cable->route.spanCount; ++i) // they were of another motion
        cable->route.places[i].state.unpaid = cable->route.places[i].state.heldBack = 0.0;
    cable->string->state.overStiff = 0.0;
    cable->string->state.stiffEnergy = -1.0;
    rv_segments_level(cable);
    rv_segments_find_rates(cable, bodies);
}

// Where turning counts the rate is twice the growth less what the velocities said.
static void carry(rvCable* cable, const rvBodyStore* bodies, const rvChange* change)
{
    bool turns = rv_segments_count_turning(cable, bodies);
    double factor = turns ? 2.0 / change->h : 1.0 / change->h;
    rv_segments_change_rates(cable, bodies, change->before ? -factor : factor, !change->before && turns);
}

void rv_string_follow(rvCable* cable, const rvBodyStore* bodies, const rvChange* change)
{
    switch (change->kind) {
    case RV_CHANGE_CONTACTS:
        rv_segments_keep_stretch(cable, bodies, change->before ? -1.0 : 1.0, change->h);
        break;
    case RV_CHANGE_CARRIED:
        carry(cable, bodies, change);
        break;
    case RV_CHANGE_RESTART:
        restart(cable, bodies);
        break;
    case RV_CHANGE_EQUILIBRIUM:
        cable->string->state.stiffEnergy = -1.0;
        break;
    default: // all that it has of these is in its places
        break;
    }
}
