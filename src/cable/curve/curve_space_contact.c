// SPDX-License-Identifier: MIT
// A curve in space on the world's shapes and on itself.
//
// Balls, cylinders and capsules are met exactly (curve/space_contact.h): pegs, which it does not go through. For other shapes
// nodes and middles of intervals are balls of the cable's thickness, each against the half-space beside the point of the
// surface that is nearest to it; a point that moves by more than its thickness in a step looks from where it is at the start,
// as far as it gets. Edges between such points are not seen: intervals should be short against them.
#include "cable/curve/curve_cable.h"

#include <string.h>

#define MARGIN 0.1 // of an interval: gaps up to this may close within the step
#define FAR_AWAY 1e150

typedef struct {
    rvCurveLook at;
    rvVec3 low, high; // box around the curve, widened
} Look;

void rv_space_curve_forget_peg(rvCurve* curve, int peg)
{
    rvSpaceContacts* contacts = &curve->space->run.contacts;
    curve->pegs[peg] = (rvCurvePeg){.body = -1};
    contacts->obstacles[peg] =
        (rvSpaceObstacle){.center = {FAR_AWAY, 0, 0}, .axis = {0, 0, 1}, .wasCenter = {FAR_AWAY, 0, 0}};
    memset(contacts->sides + peg * contacts->intervals, 0, (size_t)contacts->intervals * sizeof(rvSpaceSide));
}

static bool put_peg(const Look* look)
{
    const rvShape* shape = look->at.shape;
    rvCurve* curve = look->at.curve;
    rvSpaceObstacleKind kind = shape->type == RV_SHAPE_SPHERE     ? RV_SPACE_SPHERE
                               : shape->type == RV_SHAPE_CAPSULE  ? RV_SPACE_CAPSULE
                               : shape->type == RV_SHAPE_CYLINDER ? RV_SPACE_CYLINDER
                                                                  : RV_SPACE_SPHERE;
    if (shape->type != RV_SHAPE_SPHERE && kind == RV_SPACE_SPHERE)
        return false;
    if (shape->high.x < look->low.x || shape->low.x > look->high.x || shape->high.y < look->low.y ||
        shape->low.y > look->high.y || shape->high.z < look->low.z || shape->low.z > look->high.z)
        return true;
    double key = 1.0 + look->at.index;
    int slot = rv_curve_peg_slot(&look->at, key);
    if (slot < 0)
        return true;
    rvCurvePeg* peg = &curve->pegs[slot];
    *peg = (rvCurvePeg){.key = key, .body = look->at.body, .seen = true, .friction = look->at.friction};
    rvVec3 center = shape->pose.p, axis = rvRotate(shape->pose.q, rvVec(0, 0, 1));
    peg->velocity = rv_curve_look_velocity(&look->at, center, &peg->arm);
    peg->spin = look->at.body >= 0 ? look->at.bodies->items[look->at.body].state.w : rvVec(0, 0, 0);
    curve->space->run.contacts.obstacles[slot] =
        (rvSpaceObstacle){.kind = kind,
                          .center = rvMulAdd(center, look->at.h, peg->velocity), // where it will be
                          .axis = rvRotate(rvQuatFromRotation(rvScale(look->at.h, peg->spin)), axis),
                          .half = shape->half,
                          .radius = shape->radius,
                          .wasCenter = center,
                          .wasAxis = axis};
    return true;
}

// ---- faces ----------------------------------------------------------------------------------------------------------

// One point of the curve, with the ball around it that it may reach, and the deepest touch of that ball.
static void look_at_point(const Look* look, const rvCurveSpot* spot, rvVec3 x, double radius)
{
    rvCurve* curve = look->at.curve;
    double own = curve->space->run.contacts.radius;
    rvTouch touch;
    if (!rv_curve_deepest_touch(&look->at, x, radius, &touch))
        return;
    rvCurveFace* face = rv_curve_add_face(&look->at, spot);
    if (!face)
        return;
    face->out = touch.normal;
    face->velocity = rv_curve_look_velocity(&look->at, rvMulAdd(x, touch.depth - radius, touch.normal), &face->arm);
    double gap = radius - touch.depth - own;
    face->offset = rvDot(face->out, x) - gap + look->at.h * rvDot(face->out, face->velocity);
}

// Point i of the curve, of nodes and middles.
static rvCurveSpot sample(const rvSpace* space, int i)
{
    int interval = i / 2 < space->intervals ? i / 2 : space->intervals - 1;
    return rv_space_spot_in(space, interval, 0.5 * (i - 2 * interval));
}

static void look_at_faces(const Look* look)
{
    rvCurve* curve = look->at.curve;
    const rvSpace* space = &curve->space->run.space;
    double own = curve->space->run.contacts.radius;
    for (int i = 0; i <= 2 * space->intervals; ++i) {
        rvCurveSpot spot = sample(space, i);
        rvVec3 x = rv_space_point(space, &spot), a = curve->space->drift[spot.interval],
               b = curve->space->drift[spot.interval + 1];
        rvVec3 v = rvAdd(a, rvScale(spot.xi, rvSub(b, a))); // rates of the nodes, see rv_space_curve_collide
        double way = look->at.h * rvLength(v);
        if (way > own + RV_CONTACT_MARGIN)
            look_at_point(look, &spot, x, own + way);
        else // where it will be
            look_at_point(look, &spot, rvMulAdd(x, look->at.h, v), own);
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
    rv_space_place(&curve->space->run.space, rv_space_vec(curve->space->run.start), curve->space->run.frames,
                   curve->space->run.stretch);
    rv_space_node_rates(&curve->space->run.space, curve->space->run.v, curve->space->drift);
    Look look = {.at = {.cable = cable, .curve = curve, .bodies = bodies, .h = h}};
    find_box(curve, h, &look.low, &look.high);
    rv_curve_sight_pegs(curve);
    for (int k = 0; k < shapes->pool.count; ++k) {
        if (!rv_curve_look(&look.at, shapes, k))
            continue;
        if (!put_peg(&look))
            look_at_faces(&look);
    }
    rv_curve_forget_unseen(curve);
    rv_space_run_place(&curve->space->run);
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
        rv_curve_add_touch(cable, touch);
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
    rv_space_run_place(&curve->space->run);
    add_round_touches(cable, margin);
    for (int i = 0; i < curve->faceCount; ++i) {
        const rvCurveFace* face = &curve->faces[i];
        double gap = rvDot(face->out, rv_space_point(space, &face->spot)) - face->offset;
        if (gap < margin)
            rv_curve_add_face_touch(cable, face, gap);
    }
    for (int i = 0; i < curve->touchCount; ++i) {
        rvCurveTouch* touch = &curve->touches[i];
        rvVec3 t = rv_space_tangent(space, &touch->spot), out = touch->out;
        touch->across[0] = rvNormalizeOr(rvMulAdd(t, -rvDot(out, t), out), rvAcross(out));
        touch->across[1] = rvCross(out, touch->across[0]);
    }
    // how far they have come: where they are now, less where they were
    for (int sign = 1; sign >= -1 && curve->touchCount > 0; sign -= 2) {
        if (sign < 0)
            rv_space_place(space, rv_space_vec(curve->space->run.start), curve->space->run.frames,
                           curve->space->run.stretch);
        for (int i = 0; i < curve->touchCount; ++i) {
            rvCurveTouch* touch = &curve->touches[i];
            touch->moved = rvMulAdd(touch->moved, sign, rv_space_point(space, &touch->spot));
            if (touch->both)
                touch->moved = rvMulAdd(touch->moved, -sign, rv_space_point(space, &touch->other));
        }
    }
    if (curve->touchCount > 0)
        rv_space_run_place(&curve->space->run);
    rv_curve_tell_touches(cable, before);
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
