// SPDX-License-Identifier: MIT
// A curve in space as a line that other such curves touch: line/crossing_elements.h finds where, and the point of next
// to no mass between the two that both hold. The first one takes the point along, the second stays off it.
//
// What two curves do to each other is equal and opposite where both take forces by the same rule: a curve that touches
// another makes a step of implicit Euler (model_curve.c), at the end of which rates are those of the step's own way. So
// nothing is left to level afterwards, and none of it makes energy.
#include "cable/curve/curve_kernel.h"

#include "math/extreme.h"

static rvCurveSpot spot_of(const rvCable* cable, int piece, double share)
{
    const rvCurve* curve = rv_curve_of(cable);
    return curve->kernel->spotIn(curve, piece / RV_LINE_BLOCK, (piece % RV_LINE_BLOCK + share) / RV_LINE_BLOCK);
}

static void find_point(const rvCable* cable, int piece, double share, rvLinePoint* point)
{
    const rvCurve* curve = rv_curve_of(cable);
    rvCurveSpot spot = spot_of(cable, piece, share);
    point->was = rv_curve_begun(curve, &spot);
    point->now = curve->kernel->point(curve, &spot);
    point->along = rv_space_spot_along(&curve->space->run.space, &spot);
}

static void find_box(const rvCable* cable, int block, rvVec3 box[2])
{
    double radius = 0.5 * cable->diameter;
    for (int k = 0; k <= RV_LINE_BLOCK; ++k) {
        rvLinePoint point;
        find_point(cable, block * RV_LINE_BLOCK + (k < RV_LINE_BLOCK ? k : k - 1), k == RV_LINE_BLOCK, &point);
        const rvVec3 x[2] = {point.was, point.now};
        for (int i = 0; i < 2; ++i) {
            box[0] = rvVec(rv_smaller(box[0].x, x[i].x - radius), rv_smaller(box[0].y, x[i].y - radius),
                           rv_smaller(box[0].z, x[i].z - radius));
            box[1] = rvVec(rv_larger(box[1].x, x[i].x + radius), rv_larger(box[1].y, x[i].y + radius),
                           rv_larger(box[1].z, x[i].z + radius));
        }
    }
}

static rvLineContact* touch_rope(rvCable* cable, int piece, double share, const rvRopeSide* side)
{
    rvCurve* curve = rv_curve_of(cable);
    if (curve->ropeCount == RV_CURVE_ROPES || curve->ropeCount == curve->touchCapacity) {
        cable->droppedContacts += 1;
        return NULL;
    }
    curve->ropes[curve->ropeCount] = (rvCurveRope){.spot = spot_of(cable, piece, share), .side = *side};
    return &curve->ropes[curve->ropeCount++].contact;
}

// Rates are those of the step: there is nothing to level.
static double find_rate(rvCable* cable, const rvLineContact* contact, int part, rvLineChannel channel,
                        double* compliance)
{
    (void)cable, (void)contact, (void)part;
    if (channel != RV_LINE_ENERGY)
        *compliance = 0.0;
    return 0.0;
}

static void push(rvCable* cable, const rvLineContact* contact, int part, rvLineChannel channel, double amount)
{
    (void)cable, (void)contact, (void)part, (void)channel, (void)amount;
}

void rv_curve_add_ropes(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    for (int k = 0; k < curve->ropeCount; ++k) {
        rvCurveRope* rope = &curve->ropes[k];
        const rvRopeSide* side = &rope->side;
        rvVec3 x = curve->kernel->point(curve, &rope->spot);
        rv_curve_add_touch(cable, (rvCurveTouch){.spot = rope->spot,
                                                 .obstacle = -1,
                                                 .rope = rope,
                                                 .out = side->normal,
                                                 .across = {side->along[0], side->along[1]},
                                                 .gap = rvDot(side->normal, rvSub(x, side->point)) - side->radius,
                                                 .body = side->body,
                                                 .friction = side->friction});
    }
}

void rv_curve_tell_rope(const rvCurve* curve, const rvCurveTouch* touch)
{
    rvLineContact* contact = &touch->rope->contact;
    contact->force = rv_curve_touch_force(curve, touch);
    for (int part = 0; part < 3; ++part)
        contact->holds[part] = touch->holds[part];
}

const rvModelLine rv_curve_line = {
    .box = find_box, .at = find_point, .touch = touch_rope, .rate = find_rate, .push = push};
