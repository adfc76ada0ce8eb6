// SPDX-License-Identifier: MIT
// The route as a line to draw: straight spans, arcs in short steps.
#include "cable/route.h"

static const double arcStep = 0.2; // between points on an arc [rad]

static int arc_points(const rvPlace* place, double angle, rvVec3 start, rvVec3* points, int count, int capacity)
{
    int steps = (int)ceil(angle / arcStep);
    for (int k = 1; k < steps; ++k, ++count)
        if (count < capacity) {
            rvQuat turn = rvQuatFromRotation(rvScale(place->side * angle * k / steps, place->axis));
            points[count] = rvAdd(place->point, rvRotate(turn, rvSub(start, place->point)));
        }
    return count;
}

int rv_route_shape(const rvRoute* route, rvVec3* points, int capacity)
{
    int count = 0;
    for (int i = 0; i < route->placeCount; ++i) {
        const rvPlace* place = &route->places[i];
        bool inner = i > 0 && i < route->placeCount - 1;
        rvVec3 first = i > 0 ? place->in : place->out;
        if (count < capacity)
            points[count] = first;
        count += 1;
        if (!rv_place_is_wheel(place) || !place->on || !inner)
            continue;
        count = arc_points(place, place->turn, place->in, points, count, capacity);
        if (count < capacity)
            points[count] = place->out;
        count += 1;
    }
    return count;
}
