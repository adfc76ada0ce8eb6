// SPDX-License-Identifier: MIT
// What contacts of a curve in a plane (curve_contact.c) and in space (curve_space_contact.c) have in common: which
// shapes they look at, the places of pegs and the list of touches; and the surface beside a point, which those in a
// plane look at.
#include "cable/curve/curve_cable.h"

#include "contact/narrow.h"

#define PUSH_SPEED 1.0 // out of a shape that it is in [m/s]

static bool holds_body(const rvCurve* curve, int body)
{
    for (int k = 0; k < curve->gripCount; ++k)
        if (curve->grips[k].body == body && body >= 0)
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
            curve->core->forget(curve, i);
}

static bool is_apart(const rvShape* shape, rvVec3 x, double reach)
{
    if (shape->type == RV_SHAPE_PLANE)
        return false;
    return x.x + reach < shape->low.x || x.x - reach > shape->high.x || x.y + reach < shape->low.y ||
           x.y - reach > shape->high.y || x.z + reach < shape->low.z || x.z - reach > shape->high.z;
}

bool rv_curve_deepest_touch(const rvCurveLook* look, rvVec3 x, double radius, rvTouch* touch)
{
    if (is_apart(look->shape, x, radius + RV_CONTACT_MARGIN))
        return false;
    rvManifold manifold;
    rv_narrow_ball(look->shape, x, radius, &manifold);
    int deepest = -1;
    for (int i = 0; i < manifold.count; ++i)
        if (deepest < 0 || manifold.touches[i].depth > manifold.touches[deepest].depth)
            deepest = i;
    if (deepest >= 0)
        *touch = manifold.touches[deepest];
    return deepest >= 0;
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
    return rvSub(curve->core->point(curve, spot), rv_curve_begun(curve, spot));
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
    return fmax(0.0, -gap - PUSH_SPEED * h);
}

void rv_curve_leave_shapes(rvCurve* curve, double h)
{
    bool inside = false;
    for (int k = 0; k < curve->touchCount; ++k)
        inside = inside || rv_curve_find_sunk(curve, &curve->touches[k], h) > 0.0;
    curve->inside = inside;
}
