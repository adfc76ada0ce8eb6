// SPDX-License-Identifier: MIT
// What contacts of a curve in a plane (curve_contact.c) and in space (curve_space_contact.c) have in common: which
// shapes they look at, the places of pegs and the list of touches.
#include "cable/curve/curve_kernel.h"

#define PUSH_SPEED 1.0  // out of a shape that it is in [m/s]
#define PUSH_GAIN 100.0 // and so much of that in a step [m/s^2]: it rests as each one ends, so that is its force
#define PUSH_START 1.0  // it begins slowly [m/s^2]: what lies straight between a hand and a shape must buckle first
#define MARGIN 0.1      // of an interval: gaps up to this may close within the step

static bool holds_body(const rvCurve* curve, int body)
{
    for (int k = 0; k < curve->gripCount; ++k)
        if (curve->grips[k].body == body && body >= 0)
            return true;
    return false;
}

double rv_curve_margin(const rvCurve* curve)
{
    return (curve->atRest ? 1.0 : MARGIN) * curve->now.length / curve->now.intervals;
}

bool rv_curve_sees_shapes(const rvCurve* curve)
{
    for (int i = 0; i < curve->pegCapacity; ++i)
        if (curve->pegs[i].key != 0.0)
            return true;
    return false;
}

bool rv_curve_look(rvCurveLook* look, const rvShapeStore* shapes, int k)
{
    const rvCable* cable = look->cable;
    const rvShape* shape = &shapes->items[k];
    if (!rv_id_pool_alive(&shapes->pool, k) || !(shape->group & cable->mask) || !(cable->shapeGroup & shape->mask) ||
        holds_body(look->curve, shape->body))
        return false;
    look->shape = shape;
    look->index = k;
    look->body = shape->body >= 0 && rv_body_moves(&look->bodies->items[shape->body]) ? shape->body : -1;
    look->friction = sqrt(cable->friction * shape->friction);
    return true;
}

rvVec3 rv_curve_look_velocity(const rvCurveLook* look, rvVec3 point, rvVec3* arm)
{
    *arm = rvVec(0, 0, 0);
    if (look->body < 0)
        return rvVec(0, 0, 0);
    const rvBodyState* s = &look->bodies->items[look->body].state;
    *arm = rvSub(point, s->x);
    return rvAdd(s->v, rvCross(s->w, *arm));
}

double rv_curve_look_way(const rvCurveLook* look)
{
    const rvShape* shape = look->shape;
    rvVec3 arm;
    double way = look->h * rvLength(rv_curve_look_velocity(look, shape->pose.p, &arm));
    if (look->body >= 0)
        way += look->h * rvLength(look->bodies->items[look->body].state.w) * rvDistance(shape->low, shape->high);
    return way;
}

void rv_curve_put_solid(const rvCurveLook* look, double key, rvSpaceObstacleKind kind, rvCurvePeg* peg,
                        rvSpaceObstacle* obstacle)
{
    const rvShape* shape = look->shape;
    *peg = (rvCurvePeg){.key = key, .body = look->body, .seen = true, .friction = look->friction};
    rvVec3 center = shape->pose.p, axis = rvRotate(shape->pose.q, rvVec(0, 0, 1));
    peg->velocity = rv_curve_look_velocity(look, center, &peg->arm);
    peg->spin = look->body >= 0 ? look->bodies->items[look->body].state.w : rvVec(0, 0, 0);
    rvQuat turn = rvQuatFromRotation(rvScale(look->h, peg->spin)); // of the step
    *obstacle = (rvSpaceObstacle){.kind = kind,
                                  .center = rvMulAdd(center, look->h, peg->velocity), // where it will be
                                  .axis = rvRotate(turn, axis),
                                  .half = shape->half,
                                  .radius = shape->radius,
                                  .shape = shape,
                                  .turn = rvQuatMul(turn, shape->pose.q),
                                  .wasCenter = center,
                                  .wasAxis = axis,
                                  .wasTurn = shape->pose.q,
                                  .way = rvScale(look->h, peg->velocity),
                                  .turning = rvScale(look->h, peg->spin)};
}

int rv_curve_peg_slot(const rvCurveLook* look, double key)
{
    const rvCurve* curve = look->curve;
    int slot = -1;
    for (int i = 0; i < curve->pegCapacity && (slot < 0 || curve->pegs[slot].key != key); ++i)
        if (curve->pegs[i].key == key || (slot < 0 && curve->pegs[i].key == 0.0))
            slot = i;
    if (slot < 0)
        look->cable->droppedContacts += 1;
    return slot;
}

void rv_curve_sight_pegs(rvCurve* curve)
{
    for (int i = 0; i < curve->pegCapacity; ++i)
        curve->pegs[i].seen = false;
}

void rv_curve_forget_unseen(rvCurve* curve)
{
    for (int i = 0; i < curve->pegCapacity; ++i)
        if (!curve->pegs[i].seen && curve->pegs[i].key != 0.0) // out of sight, out of mind
            curve->kernel->dropObstacle(curve, i);
}

void rv_curve_add_touch(rvCable* cable, rvCurveTouch touch)
{
    rvCurve* curve = rv_curve_of(cable);
    if (curve->touchCount < curve->touchCapacity)
        curve->touches[curve->touchCount++] = touch;
    else
        cable->droppedContacts += 1;
}

static rvVec3 moved(const rvCurve* curve, const rvCurveSpot* spot)
{
    return rvSub(curve->kernel->point(curve, spot), rv_curve_begun(curve, spot));
}

void rv_curve_tell_touches(rvCable* cable, int before)
{
    rvCurve* curve = rv_curve_of(cable);
    int now = curve->touchCount;
    for (int i = 0; i < now; ++i) {
        rvCurveTouch* touch = &curve->touches[i];
        touch->moved = moved(curve, &touch->spot);
        if (touch->both)
            touch->moved = rvSub(touch->moved, moved(curve, &touch->other));
    }
    cable->touched = now > before ? now - before : 0;
    cable->left = before > now ? before - now : 0;
}

double rv_curve_find_sunk(const rvCurve* curve, const rvCurveTouch* touch, double h)
{
    if (curve->inside == 0.0 || !rv_curve_is_rigid(curve, touch) || touch->both || touch->rope)
        return 0.0;
    double gap = touch->gap - rvDot(touch->out, rvMulAdd(touch->moved, -h, touch->velocity)); // as it begins
    double speed = fmin(fmin(PUSH_SPEED, PUSH_GAIN * h), PUSH_START * (curve->inside + h));
    return fmax(0.0, -gap - h * speed);
}

void rv_curve_leave_shapes(rvCurve* curve, double h)
{
    bool inside = false;
    for (int k = 0; k < curve->touchCount; ++k)
        inside = inside || rv_curve_find_sunk(curve, &curve->touches[k], h) > 0.0;
    curve->inside = inside ? curve->inside + h : 0.0;
}
