// SPDX-License-Identifier: MIT
// A curve in space on the world's shapes and on itself.
//
// Balls, cylinders and capsules are met exactly (curve/space_contact.h): pegs, to whose side the curve keeps. For other shapes
// nodes and middles of intervals are balls of the cable's thickness, each against the half-space beside the point of the
// surface that is nearest to it; a point that moves by more than its thickness in a step looks from where it is at the start,
// as far as it gets. Edges between such points are not seen: intervals should be short against them.
#include "cable/curve_cable.h"

#include "contact/narrow.h"

#include <string.h>

#define MARGIN 0.1 // of an interval: gaps up to this may close within the step
#define FAR_AWAY 1e150

typedef struct {
    rvCable* cable;
    rvCurve* curve;
    const rvBodyStore* bodies;
    const rvShape* shape;
    int index, body;
    double h, friction;
    rvVec3 low, high; // box around the curve, widened
} Look;

static bool holds_body(const rvCurve* curve, int body)
{
    for (int k = 0; k < curve->gripCount; ++k)
        if (curve->grips[k].body == body && body >= 0)
            return true;
    return false;
}

static rvVec3 velocity_of(const Look* look, rvVec3 point, rvVec3* arm)
{
    *arm = rvVec(0, 0, 0);
    if (look->body < 0)
        return rvVec(0, 0, 0);
    const rvBodyState* s = &look->bodies->items[look->body].state;
    *arm = rvSub(point, s->x);
    return rvAdd(s->v, rvCross(s->w, *arm));
}

void rv_space_curve_forget_peg(rvCurve* curve, int peg)
{
    rvSpaceContacts* contacts = &curve->space->run.contacts;
    curve->pegs[peg] = (rvCurvePeg){.body = -1};
    contacts->obstacles[peg] = (rvSpaceObstacle){.center = {FAR_AWAY, 0, 0}, .axis = {0, 0, 1}};
    memset(contacts->sides + peg * contacts->intervals, 0, (size_t)contacts->intervals * sizeof(rvSpaceSide));
}

static bool put_peg(const Look* look)
{
    const rvShape* shape = look->shape;
    rvCurve* curve = look->curve;
    rvSpaceObstacleKind kind = shape->type == RV_SHAPE_SPHERE     ? RV_SPACE_SPHERE
                               : shape->type == RV_SHAPE_CAPSULE  ? RV_SPACE_CAPSULE
                               : shape->type == RV_SHAPE_CYLINDER ? RV_SPACE_CYLINDER
                                                                  : RV_SPACE_SPHERE;
    if (shape->type != RV_SHAPE_SPHERE && kind == RV_SPACE_SPHERE)
        return false;
    if (shape->high.x < look->low.x || shape->low.x > look->high.x || shape->high.y < look->low.y ||
        shape->low.y > look->high.y || shape->high.z < look->low.z || shape->low.z > look->high.z)
        return true;
    double key = 1.0 + look->index;
    int slot = -1;
    for (int i = 0; i < curve->pegCapacity && (slot < 0 || curve->pegs[slot].key != key); ++i)
        if (curve->pegs[i].key == key || (slot < 0 && curve->pegs[i].key == 0.0))
            slot = i;
    if (slot < 0) {
        look->cable->droppedContacts += 1;
        return true;
    }
    rvCurvePeg* peg = &curve->pegs[slot];
    *peg = (rvCurvePeg){.key = key, .body = look->body, .seen = true, .friction = look->friction};
    rvVec3 center = shape->pose.p, axis = rvRotate(shape->pose.q, rvVec(0, 0, 1));
    peg->velocity = velocity_of(look, center, &peg->arm);
    peg->spin = look->body >= 0 ? look->bodies->items[look->body].state.w : rvVec(0, 0, 0);
    curve->space->run.contacts.obstacles[slot] =
        (rvSpaceObstacle){.kind = kind,
                          .center = rvMulAdd(center, look->h, peg->velocity), // where it will be
                          .axis = rvRotate(rvQuatFromRotation(rvScale(look->h, peg->spin)), axis),
                          .half = shape->half,
                          .radius = shape->radius};
    return true;
}

// ---- faces ----------------------------------------------------------------------------------------------------------

static bool is_apart(const rvShape* shape, rvVec3 x, double reach)
{
    if (shape->type == RV_SHAPE_PLANE)
        return false;
    return x.x + reach < shape->low.x || x.x - reach > shape->high.x || x.y + reach < shape->low.y ||
           x.y - reach > shape->high.y || x.z + reach < shape->low.z || x.z - reach > shape->high.z;
}

// One point of the curve, with the ball around it that it may reach, and the deepest touch of that ball.
static void look_at_point(const Look* look, const rvCurveSpot* spot, rvVec3 x, double radius)
{
    rvCurve* curve = look->curve;
    double own = curve->space->run.contacts.radius;
    if (is_apart(look->shape, x, radius + RV_CONTACT_MARGIN))
        return;
    rvManifold manifold;
    rv_narrow_ball(look->shape, x, radius, &manifold);
    int deepest = -1;
    for (int i = 0; i < manifold.count; ++i)
        if (deepest < 0 || manifold.touches[i].depth > manifold.touches[deepest].depth)
            deepest = i;
    if (deepest < 0)
        return;
    if (curve->faceCount == curve->touchCapacity) {
        look->cable->droppedContacts += 1;
        return;
    }
    const rvTouch* touch = &manifold.touches[deepest];
    rvCurveFace* face = &curve->faces[curve->faceCount++];
    *face = (rvCurveFace){.spot = *spot, .body = look->body, .friction = look->friction, .out = touch->normal};
    face->velocity = velocity_of(look, rvMulAdd(x, touch->depth - radius, touch->normal), &face->arm);
    double gap = radius - touch->depth - own;
    face->offset = rvDot(face->out, x) - gap + look->h * rvDot(face->out, face->velocity);
}

// Point i of the curve, of nodes and middles.
static rvCurveSpot sample(const rvSpace* space, int i)
{
    int interval = i / 2 < space->intervals ? i / 2 : space->intervals - 1;
    return rv_space_spot_in(space, interval, 0.5 * (i - 2 * interval));
}

static void look_at_faces(const Look* look)
{
    rvCurve* curve = look->curve;
    const rvSpace* space = &curve->space->run.space;
    double own = curve->space->run.contacts.radius;
    for (int i = 0; i <= 2 * space->intervals; ++i) {
        rvCurveSpot spot = sample(space, i);
        rvVec3 x = rv_space_point(space, &spot), a = curve->space->drift[spot.interval],
               b = curve->space->drift[spot.interval + 1];
        rvVec3 v = rvAdd(a, rvScale(spot.xi, rvSub(b, a))); // rates of the nodes, see rv_space_curve_collide
        double way = look->h * rvLength(v);
        if (way > own + RV_CONTACT_MARGIN)
            look_at_point(look, &spot, x, own + way);
        else // where it will be
            look_at_point(look, &spot, rvMulAdd(x, look->h, v), own);
    }
}

// ---- in the order of a step -----------------------------------------------------------------------------------------

static void find_box(const rvCurve* curve, double h, rvVec3* low, rvVec3* high)
{
    const rvSpace* space = &curve->space->run.space;
    double reach = 0.0;
    *low = *high = space->nodes[0];
    for (int i = 0; i <= space->intervals; ++i) {
        rvVec3 x = space->nodes[i];
        double length = space->parts[i < space->intervals ? i : i - 1].length;
        reach = fmax(reach, length + 2.0 * curve->space->run.contacts.radius + h * rvLength(curve->space->drift[i]));
        *low = rvVec(fmin(low->x, x.x), fmin(low->y, x.y), fmin(low->z, x.z));
        *high = rvVec(fmax(high->x, x.x), fmax(high->y, x.y), fmax(high->z, x.z));
    }
    *low = rvSub(*low, rvVec(reach, reach, reach));
    *high = rvAdd(*high, rvVec(reach, reach, reach));
}

void rv_space_curve_collide(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    curve->faceCount = 0;
    cable->droppedContacts = 0;
    if (!curve->collides || cable->state.broken != 0.0)
        return;
    rv_space_place(&curve->space->run.space, rv_space_vec(curve->space->run.start), curve->space->run.frames);
    rv_space_node_rates(&curve->space->run.space, curve->space->run.v, curve->space->drift);
    Look look = {.cable = cable, .curve = curve, .bodies = bodies, .h = h};
    find_box(curve, h, &look.low, &look.high);
    for (int i = 0; i < curve->pegCapacity; ++i)
        curve->pegs[i].seen = false;
    for (int k = 0; k < shapes->pool.count; ++k) {
        const rvShape* shape = &shapes->items[k];
        if (!rv_id_pool_alive(&shapes->pool, k) || !(shape->group & cable->mask) ||
            !(cable->shapeGroup & shape->mask) || holds_body(curve, shape->body))
            continue;
        look.shape = shape;
        look.index = k;
        look.body = shape->body >= 0 && rv_body_moves(&bodies->items[shape->body]) ? shape->body : -1;
        look.friction = sqrt(cable->friction * shape->friction);
        if (!put_peg(&look))
            look_at_faces(&look);
    }
    for (int i = 0; i < curve->pegCapacity; ++i)
        if (!curve->pegs[i].seen) // out of sight, out of mind
            rv_space_curve_forget_peg(curve, i);
    rv_space_place(&curve->space->run.space, curve->space->run.start1, curve->space->run.frames1);
}

static void add_touch(rvCable* cable, rvCurveTouch touch)
{
    rvCurve* curve = rv_curve_of(cable);
    if (curve->touchCount < curve->touchCapacity)
        curve->touches[curve->touchCount++] = touch;
    else
        cable->droppedContacts += 1;
}

static void add_round_touches(rvCable* cable, double margin)
{
    rvCurve* curve = rv_curve_of(cable);
    rvSpaceContacts* contacts = &curve->space->run.contacts;
    rv_space_contacts_find(contacts, &curve->space->run.space, margin);
    for (int i = 0; i < contacts->touchCount; ++i) {
        const rvSpaceTouch* at = &contacts->touches[i];
        rvCurveTouch touch = {.spot = at->spot,
                              .other = at->other,
                              .both = at->obstacle < 0,
                              .obstacle = at->obstacle,
                              .out = at->out,
                              .gap = at->gap,
                              .body = -1,
                              .friction = cable->friction};
        if (touch.obstacle >= 0) {
            const rvCurvePeg* peg = &curve->pegs[touch.obstacle];
            rvVec3 surface =
                rvMulAdd(rv_space_point(&curve->space->run.space, &touch.spot), -contacts->radius, touch.out);
            rvVec3 from = rvSub(surface, contacts->obstacles[touch.obstacle].center);
            touch.body = peg->body;
            touch.velocity = rvAdd(peg->velocity, rvCross(peg->spin, from));
            touch.friction = peg->friction;
            touch.arm = peg->body >= 0 ? rvAdd(peg->arm, from) : rvVec(0, 0, 0);
        }
        add_touch(cable, touch);
    }
    cable->droppedContacts += contacts->dropped;
}

void rv_space_curve_find_touches(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    rvSpace* space = &curve->space->run.space;
    int before = curve->touchCount;
    curve->touchCount = 0;
    if (curve->touchCapacity == 0 || cable->state.broken != 0.0)
        return;
    double margin = MARGIN * space->length / space->intervals;
    if (curve->passes == 1) {
        rv_space_place(space, rv_space_vec(curve->space->run.start), curve->space->run.frames);
        rv_space_contacts_begin(&curve->space->run.contacts, space);
    }
    rv_space_run_place(&curve->space->run);
    rv_space_contacts_sweep(&curve->space->run.contacts, space);
    add_round_touches(cable, margin);
    for (int i = 0; i < curve->faceCount; ++i) {
        const rvCurveFace* face = &curve->faces[i];
        double gap = rvDot(face->out, rv_space_point(space, &face->spot)) - face->offset;
        rvCurveTouch touch = {.spot = face->spot,
                              .obstacle = -1,
                              .out = face->out,
                              .gap = gap,
                              .body = face->body,
                              .arm = face->arm,
                              .velocity = face->velocity,
                              .friction = face->friction};
        if (gap < margin)
            add_touch(cable, touch);
    }
    for (int i = 0; i < curve->touchCount; ++i) {
        rvCurveTouch* touch = &curve->touches[i];
        rvVec3 t = rv_space_tangent(space, &touch->spot), out = touch->out;
        touch->across[0] = rvNormalizeOr(rvMulAdd(t, -rvDot(out, t), out), rvAcross(out));
        touch->across[1] = rvCross(out, touch->across[0]);
    }
    for (int sign = 1; sign >= -1; sign -= 2) { // how far they have come: where they are now, less where they were
        if (sign < 0)
            rv_space_place(space, rv_space_vec(curve->space->run.start), curve->space->run.frames);
        for (int i = 0; i < curve->touchCount; ++i) {
            rvCurveTouch* touch = &curve->touches[i];
            touch->moved = rvMulAdd(touch->moved, sign, rv_space_point(space, &touch->spot));
            if (touch->both)
                touch->moved = rvMulAdd(touch->moved, -sign, rv_space_point(space, &touch->other));
        }
    }
    rv_space_run_place(&curve->space->run);
    cable->touched = curve->touchCount > before ? curve->touchCount - before : 0;
    cable->left = before > curve->touchCount ? before - curve->touchCount : 0;
}

void rv_space_curve_move_pegs(rvCurve* curve, const rvBodyStore* bodies, double h)
{
    for (int i = 0; i < curve->pegCapacity; ++i) {
        const rvCurvePeg* peg = &curve->pegs[i];
        if (peg->key == 0.0 || peg->body < 0)
            continue;
        const rvBodyState* s = &bodies->items[peg->body].state;
        rvSpaceObstacle* o = &curve->space->run.contacts.obstacles[i];
        rvVec3 now = rvAdd(s->v, rvCross(s->w, peg->arm));
        o->center = rvMulAdd(o->center, h, rvSub(now, peg->velocity));
    }
}
