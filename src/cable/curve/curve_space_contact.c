// SPDX-License-Identifier: MIT
// A curve in space on the world's shapes and on itself: each shape is an obstacle, met along the whole length of the
// curve (space_contact.h), which does not go through it.
#include "cable/curve/curve_kernel.h"

#include <string.h>

#define FAR_AWAY 1e150

typedef struct {
    rvCurveLook at;
    rvVec3 low, high; // box around the curve, widened
} Look;

void rv_space_curve_drop_obstacle(rvCurve* curve, int peg)
{
    rvSpaceContacts* contacts = &curve->space->run.contacts;
    curve->pegs[peg] = (rvCurvePeg){.body = -1};
    contacts->obstacles[peg] =
        (rvSpaceObstacle){.center = {FAR_AWAY, 0, 0}, .axis = {0, 0, 1}, .wasCenter = {FAR_AWAY, 0, 0}};
    memset(contacts->sides + peg * contacts->intervals, 0, (size_t)contacts->intervals * sizeof(rvSpaceSide));
}

// Is a shape away from the curve, wherever the two go in the step?
static bool is_apart(const Look* look, const rvShape* shape)
{
    double way = rv_curve_look_way(&look->at);
    rvVec3 more = rvVec(way, way, way), low = rvSub(shape->low, more), high = rvAdd(shape->high, more);
    return shape->type != RV_SHAPE_PLANE && (high.x < look->low.x || low.x > look->high.x || high.y < look->low.y ||
                                             low.y > look->high.y || high.z < look->low.z || low.z > look->high.z);
}

static void put_peg(const Look* look)
{
    const rvShape* shape = look->at.shape;
    rvCurve* curve = look->at.curve;
    rvSpaceObstacleKind kind = shape->type == RV_SHAPE_SPHERE     ? RV_SPACE_SPHERE
                               : shape->type == RV_SHAPE_CAPSULE  ? RV_SPACE_CAPSULE
                               : shape->type == RV_SHAPE_CYLINDER ? RV_SPACE_CYLINDER
                                                                  : RV_SPACE_SOLID;
    if (is_apart(look, shape))
        return;
    double key = 1.0 + look->at.index;
    int slot = rv_curve_peg_slot(&look->at, key);
    if (slot >= 0)
        rv_curve_put_solid(&look->at, key, kind, &curve->pegs[slot], &curve->space->run.contacts.obstacles[slot]);
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

void rv_space_curve_broad_phase(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    cable->droppedContacts = 0;
    if (!curve->collides || cable->state.broken != 0.0)
        return;
    rv_space_place(&curve->space->run.space, rv_space_vec(curve->space->run.start), curve->space->run.frames,
                   curve->space->run.stretch);
    rv_space_node_rates(&curve->space->run.space, curve->space->run.v, curve->space->drift);
    Look look = {.at = {.cable = cable, .curve = curve, .bodies = bodies, .h = h}};
    find_box(curve, h, &look.low, &look.high);
    rv_curve_sight_pegs(curve);
    for (int k = 0; k < shapes->pool.count; ++k)
        if (rv_curve_look(&look.at, shapes, k))
            put_peg(&look);
    rv_curve_forget_unseen(curve);
    curve->looked = true;
    curve->space->run.contacts.wasLed = 0.0; // as they were put
    curve->space->run.contacts.led = 1.0;
    rv_space_curve_go_ahead(curve);
}

static void add_touches(rvCable* cable, double margin)
{
    rvCurve* curve = rv_curve_of(cable);
    rvSpaceContacts* contacts = &curve->space->run.contacts;
    rv_space_contacts_find(contacts, &curve->space->run.space, margin);
    for (int i = 0; i < contacts->touchCount; ++i) {
        const rvSpaceTouch* at = &contacts->touches[i];
        rvCurveTouch touch = {.spot = at->spot,
                              .other = at->other,
                              .both = at->obstacle < 0,
                              .kept = at->kept,
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

void rv_space_curve_begin_touches(rvCurve* curve)
{
    const rvSpace* space = &curve->space->run.space;
    rvVec3* flow = curve->begun + space->intervals + 1;
    if (curve->touchCapacity == 0)
        return;
    rv_space_run_reset(&curve->space->run);
    memcpy(curve->begun, space->nodes, ((size_t)space->intervals + 1) * sizeof(rvVec3));
    for (int i = 0; i < space->intervals; ++i)
        for (int m = 0; m < RV_GAUSS_POINTS; ++m) {
            const rvFour3* t = &space->pieces[i].t;
            flow[RV_GAUSS_POINTS * i + m] =
                rvScale(space->stretches ? space->lambda[i][m] : 1.0, rvVec(t->x[m], t->y[m], t->z[m]));
        }
}

void rv_space_curve_narrow_phase(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    rvSpace* space = &curve->space->run.space;
    int before = curve->touchCount;
    curve->touchCount = 0;
    if (curve->touchCapacity == 0 || cable->state.broken != 0.0)
        return;
    double margin = rv_curve_margin(curve);
    rv_space_run_place(&curve->space->run);
    rv_curve_add_ropes(cable);
    add_touches(cable, margin);
    for (int i = curve->ropeCount; i < curve->touchCount; ++i) {
        rvCurveTouch* touch = &curve->touches[i];
        rvVec3 t = rv_space_tangent(space, &touch->spot), out = touch->out;
        touch->across[0] = rvNormalizeOr(rvMulAdd(t, -rvDot(out, t), out), rvAcross(out));
        touch->across[1] = rvCross(out, touch->across[0]);
    }
    rv_curve_tell_touches(cable, before);
}

void rv_space_curve_move_obstacles(rvCurve* curve, const rvBodyStore* bodies, double h)
{
    rv_curve_leave_shapes(curve, h);
    rv_space_contacts_lead(&curve->space->run.contacts, 1.0);
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
