// SPDX-License-Identifier: MIT
// The route as a line to draw: straight spans; arcs on wheels and great circles and helices on round shapes in short
// steps. Of a helix of length l on radius r that climbs by z the angle is sqrt(l^2 - z^2)/r.
#include "cable/route/route.h"

static const double arcStep = 0.2; // between points on an arc [rad]

typedef struct {
    rvVec3* points;
    int count, capacity;
} Line;

static void add_point(Line* line, rvVec3 p)
{
    if (line->count < line->capacity)
        line->points[line->count] = p;
    line->count += 1;
}

// What lies between the ends of an arc: from `in`, turned about the axis through `center` by `angle`, to `out`.
static void add_arc(Line* line, rvVec3 in, rvVec3 out, rvVec3 center, rvVec3 axis, double angle)
{
    rvVec3 start = rvSub(in, center);
    rvVec3 end = rvRotate(rvQuatFromRotation(rvScale(angle, axis)), start);
    rvVec3 climb = rvSub(rvSub(out, center), end); // along the axis
    int steps = (int)ceil(fabs(angle) / arcStep);
    for (int k = 1; k < steps; ++k) {
        double part = (double)k / steps;
        rvVec3 turned = rvRotate(rvQuatFromRotation(rvScale(part * angle, axis)), start);
        add_point(line, rvAdd(center, rvMulAdd(turned, part, climb)));
    }
}

// On a round shape, in its frame as the node has it; `arrive` is where the rope comes from.
static void add_wrap(Line* line, const rvPlace* place, const rvShape* shape, rvVec3 arrive)
{
    const rvRopeNode* node = &place->state.node;
    double length = place->arcBefore + place->arcAfter, climb = 0.0;
    rvVec3 center = rvVec(0, 0, 0), axis = rvVec(0, 0, node->side);
    if (node->kind == RV_ROPE_SPHERE) {
        center.z = node->side * shape->half;
        rvVec3 along = rvDot(arrive, arrive) > 0.0 ? rvRotateBack(shape->pose.q, arrive) : rvSub(node->out, node->in);
        axis = rvNormalizeOr(rvCross(rvSub(node->in, center), along), axis);
    } else {
        climb = node->out.z - node->in.z;
        center.z = node->in.z;
    }
    rvVec3 middle = rvPosePoint(shape->pose, center); // of the circle: of a rope with thickness it is larger
    double angle = sqrt(fmax(length * length - climb * climb, 0.0)) / rvDistance(place->in, middle);
    add_arc(line, place->in, place->out, middle, rvRotate(shape->pose.q, axis), angle);
}

int rv_route_shape(const rvRoute* route, const rvShapeStore* shapes, const rvSpanCurve* curve, rvVec3* points,
                   int capacity)
{
    Line line = {points, 0, capacity};
    for (int i = 0; i < route->placeCount; ++i) {
        const rvPlace* place = &route->places[i];
        for (int k = 0; curve && i > 0 && k < curve->count(curve->object, i - 1); ++k) {
            if (line.count < capacity)
                points[line.count] = curve->point(curve->object, i - 1, k);
            line.count += 1;
        }
        bool inner = i > 0 && i < route->placeCount - 1;
        add_point(&line, i > 0 ? place->in : place->out);
        bool wrap = place->type == RV_PLACE_CONTACT && place->state.node.kind >= RV_ROPE_SPHERE;
        if (wrap)
            add_wrap(&line, place, &shapes->items[place->state.node.shape], route->spans[i - 1].u);
        else if (rv_place_is_wheel(place) && place->on && inner)
            add_arc(&line, place->in, place->out, place->point, place->axis, place->side * place->turn);
        else
            continue;
        add_point(&line, place->out);
    }
    return line.count;
}
