// SPDX-License-Identifier: MIT
#include "cable/curve/space_near.h"

#include <math.h>

// How far the farthest corner of a box is from a point.
static double far_corner(const rvSpaceBox* box, rvVec3 x)
{
    rvVec3 a = rvSub(x, box->low), b = rvSub(box->high, x);
    return rvLength(
        rvVec(rv_larger(fabs(a.x), fabs(b.x)), rv_larger(fabs(a.y), fabs(b.y)), rv_larger(fabs(a.z), fabs(b.z))));
}

// A turn moves a point by at most so much of its distance from the centre: 2 sin(angle/2).
static double turn_between(rvQuat a, rvQuat b)
{
    rvQuat turn = rvQuatMul(b, rvQuatConj(a));
    return 2.0 * rvLength(rvVec(turn.x, turn.y, turn.z));
}

// The shape has a box where its body was as the step began.
static rvSpaceBox around_solid(const rvSpaceObstacle* o)
{
    const rvShape* shape = o->shape;
    rvSpaceBox box = {shape->low, shape->high};
    if (shape->type == RV_SHAPE_PLANE)
        return (rvSpaceBox){{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    box = rv_space_box_widened(box, turn_between(shape->pose.q, o->turn) * far_corner(&box, shape->pose.p));
    rvVec3 way = rvSub(o->center, shape->pose.p);
    return (rvSpaceBox){rvAdd(box.low, way), rvAdd(box.high, way)};
}

rvSpaceBox rv_space_box_of(const rvSpaceObstacle* o)
{
    if (o->kind == RV_SPACE_SOLID)
        return around_solid(o);
    rvVec3 along = rvScale(o->kind == RV_SPACE_SPHERE ? 0.0 : o->half, o->axis);
    along = rvVec(fabs(along.x), fabs(along.y), fabs(along.z));
    return rv_space_box_widened((rvSpaceBox){rvSub(o->center, along), rvAdd(o->center, along)}, o->radius);
}

rvSpaceBox rv_space_box_around(const rvSpace* space, double reach)
{
    rvSpaceBox box = {space->nodes[0], space->nodes[0]};
    for (int i = 1; i <= space->intervals; ++i)
        box = rv_space_box_with(box, space->nodes[i]);
    return rv_space_box_widened(box, reach);
}

// Ways are straight in the frame of a solid. There a place of before is seen as if it had moved on with the
// solid: by its way and, the farther away the more, by its turn. What is round is an axis that goes straight.
rvSpaceSwept rv_space_sweep_of(const rvSpaceObstacle* o)
{
    rvSpaceSwept swept = {.box = rv_space_box_of(o), .center = o->wasCenter};
    double way = rvDistance(o->center, o->wasCenter);
    if (o->kind == RV_SPACE_SOLID)
        swept.turn = turn_between(o->wasTurn, o->turn);
    else if (o->kind != RV_SPACE_SPHERE)
        way += o->half * rvDistance(o->axis, o->wasAxis);
    swept.box = rv_space_box_widened(swept.box, way);
    return swept;
}

bool rv_space_swept_apart(const rvSpaceSwept* swept, const rvSpaceBox* way)
{
    if (swept->turn == 0.0)
        return rv_space_boxes_apart(&swept->box, way);
    rvSpaceBox wide = rv_space_box_widened(*way, swept->turn * far_corner(way, swept->center));
    return rv_space_boxes_apart(&swept->box, &wide);
}
