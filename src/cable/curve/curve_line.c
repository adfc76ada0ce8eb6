// SPDX-License-Identifier: MIT
// A curve in space as a line that other such curves touch: see fe/crossing_elements.h, which finds where, and the point
// of next to no mass between the two that both hold. The first one takes the point along, the second stays off it.
//
// What two curves do to each other is equal and opposite where both take forces by the same rule: a curve that touches
// another makes a step of implicit Euler (model_curve.c), at the end of which rates are those of the step's own way. So
// nothing is left to level afterwards, and none of it makes energy.
#include "cable/curve/curve_cable.h"

#include "math/extreme.h"

static int most_pieces(const rvCable* cable)
{
    const rvCurve* curve = rv_curve_of(cable);
    return curve->space && curve->collides ? RV_LINE_BLOCK * curve->now.intervals : 0;
}

static int pieces(const rvCable* cable)
{
    return cable->state.broken == 0.0 ? most_pieces(cable) : 0;
}

static rvCurveSpot spot_of(const rvCable* cable, int piece, double share)
{
    const rvCurve* curve = rv_curve_of(cable);
    return curve->core->spotIn(curve, piece / RV_LINE_BLOCK, (piece % RV_LINE_BLOCK + share) / RV_LINE_BLOCK);
}

static void on_piece(const rvCable* cable, int piece, double share, rvVec3* was, rvVec3* now)
{
    const rvCurve* curve = rv_curve_of(cable);
    rvCurveSpot spot = spot_of(cable, piece, share);
    *was = rv_curve_begun(curve, &spot);
    *now = curve->core->point(curve, &spot);
}

static void widen(const rvCable* cable, int block, rvVec3 box[2])
{
    double radius = 0.5 * cable->diameter;
    for (int k = 0; k <= RV_LINE_BLOCK; ++k) {
        rvVec3 x[2];
        on_piece(cable, block * RV_LINE_BLOCK + (k < RV_LINE_BLOCK ? k : k - 1), k == RV_LINE_BLOCK, &x[0], &x[1]);
        for (int i = 0; i < 2; ++i) {
            box[0] = rvVec(rv_smaller(box[0].x, x[i].x - radius), rv_smaller(box[0].y, x[i].y - radius),
                           rv_smaller(box[0].z, x[i].z - radius));
            box[1] = rvVec(rv_larger(box[1].x, x[i].x + radius), rv_larger(box[1].y, x[i].y + radius),
                           rv_larger(box[1].z, x[i].z + radius));
        }
    }
}

// It meets itself by its own looks.
static bool folds(const rvCable* cable)
{
    (void)cable;
    return false;
}

static double along_piece(const rvCable* cable, int piece, double share)
{
    rvCurveSpot spot = spot_of(cable, piece, share);
    return rv_space_spot_along(&rv_curve_of(cable)->space->run.space, &spot);
}

static int touch_rope(rvCable* cable, int piece, double share, const rvRopeSide* side)
{
    rvCurve* curve = rv_curve_of(cable);
    if (curve->ropeCount == RV_CURVE_ROPES || curve->ropeCount == curve->touchCapacity) {
        cable->droppedContacts += 1;
        return -1;
    }
    curve->ropes[curve->ropeCount] = (rvCurveRope){.spot = spot_of(cable, piece, share), .side = *side};
    return curve->ropeCount++;
}

static rvLineContact* touched(const rvCable* cable, int touch)
{
    return &rv_curve_of(cable)->ropes[touch].contact;
}

// Rates are those of the step: there is nothing to level.
static double rate(const rvCable* cable, int touch, int part, rvLineChannel channel)
{
    (void)cable;
    (void)touch;
    (void)part;
    (void)channel;
    return 0.0;
}

static double gives(const rvCable* cable, int touch, int part)
{
    return rate(cable, touch, part, RV_LINE_VELOCITY);
}

static void push(rvCable* cable, int touch, int part, rvLineChannel channel, double force)
{
    (void)cable;
    (void)touch;
    (void)part;
    (void)channel;
    (void)force;
}

static double spare(rvCable* cable)
{
    (void)cable;
    return 0.0;
}

static void lend(rvCable* cable, double energy)
{
    (void)cable;
    (void)energy;
}

void rv_curve_add_ropes(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    for (int k = 0; k < curve->ropeCount; ++k) {
        rvCurveRope* rope = &curve->ropes[k];
        const rvRopeSide* side = &rope->side;
        rvVec3 x = curve->core->point(curve, &rope->spot);
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

const rvLineOps rv_curve_line = {.pieces = pieces,
                                 .most = most_pieces,
                                 .widen = widen,
                                 .folds = folds,
                                 .at = on_piece,
                                 .along = along_piece,
                                 .touch = touch_rope,
                                 .touched = touched,
                                 .rate = rate,
                                 .gives = gives,
                                 .push = push,
                                 .spare = spare,
                                 .lend = lend};
