// SPDX-License-Identifier: MIT
#include "cable/string/string_model.h"

#include "cable/string/segments.h"

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
