// SPDX-License-Identifier: MIT
#include "cable/route.h"

// A span shorter than this has no direction and passes no force [m].
#define SHORTEST_SPAN 1e-9

bool rv_route_create(rvRoute* route, rvMemory* memory, int placeCount)
{
    size_t places = (size_t)placeCount;
    *route = (rvRoute){.placeCount = placeCount, .spanCount = placeCount - 1};
    route->places = rv_memory_take(memory, places * sizeof(rvPlace));
    route->spans = rv_memory_take(memory, places * sizeof(rvSpan));
    route->bodies = rv_memory_take(memory, places * sizeof(int));
    if (route->places && route->spans && route->bodies)
        return true;
    rv_route_release(route, memory);
    return false;
}

void rv_route_release(rvRoute* route, rvMemory* memory)
{
    size_t places = (size_t)route->placeCount;
    rv_memory_give(memory, route->places, places * sizeof(rvPlace));
    rv_memory_give(memory, route->spans, places * sizeof(rvSpan));
    rv_memory_give(memory, route->bodies, places * sizeof(int));
    *route = (rvRoute){0};
}

void rv_route_collect_bodies(rvRoute* route, const rvBodyStore* bodies)
{
    route->bodyCount = 0;
    for (int i = 0; i < route->placeCount; ++i) {
        rvPlace* place = &route->places[i];
        place->slot = -1;
        if (place->body < 0 || !rv_body_moves(&bodies->items[place->body]))
            continue;
        // neighbours mostly share a body, so the search goes backwards
        int slot = route->bodyCount - 1;
        while (slot >= 0 && route->bodies[slot] != place->body)
            slot -= 1;
        if (slot < 0) {
            slot = route->bodyCount++;
            route->bodies[slot] = place->body;
        }
        place->slot = slot;
    }
}

void rv_route_update(rvRoute* route, const rvBodyStore* bodies)
{
    for (int i = 0; i < route->placeCount; ++i) {
        rvPlace* place = &route->places[i];
        if (place->body < 0) {
            place->point = place->local;
            continue;
        }
        const rvBodyState* s = &bodies->items[place->body].state;
        place->arm = rvRotate(s->q, place->local);
        place->point = rvAdd(s->x, place->arm);
    }
    route->length = 0.0;
    for (int i = 0; i < route->spanCount; ++i) {
        rvSpan* span = &route->spans[i];
        rvVec3 d = rvSub(route->places[i + 1].point, route->places[i].point);
        span->length = rvLength(d);
        span->u = span->length > SHORTEST_SPAN ? rvScale(1.0 / span->length, d) : rvVec(0, 0, 0);
        route->length += span->length;
    }
}
