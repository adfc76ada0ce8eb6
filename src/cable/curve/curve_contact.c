// SPDX-License-Identifier: MIT
// A curve on the world's shapes, as its plane cuts them, and on itself.
//
// What is round where the plane cuts it are pegs (curve_cut.c), and so is the rest, as solids (plane_solid.h): the
// curve meets both anywhere along it, found anew in every pass, and keeps to the side on which it came.
#include "cable/curve/curve_kernel.h"

#include <string.h>

#define SAME_POINT 0.2 // of an interval: touches this near are one
#define FAR_AWAY 1e150 // nothing is near

// Point i of the curve, of nodes and middles.
static rvCurveSpot sample(const rvPlane* plane, int i)
{
    int interval = i / 2 < plane->intervals ? i / 2 : plane->intervals - 1;
    return rv_plane_spot_in(plane, interval, 0.5 * (i - 2 * interval));
}

// ---- in the order of a step -----------------------------------------------------------------------------------------

static void find_box(const rvCurve* curve, double h, rvCurveCut* look)
{
    const rvPlane* plane = &curve->plane->motion.plane;
    rvVec2 low = plane->nodes[0], high = low;
    look->way = 0.0;
    rv_plane_node_rates(plane, curve->plane->run.v, plane->rates);
    for (int i = 0; i <= plane->intervals; ++i) {
        rvVec2 x = plane->nodes[i], v = plane->rates[i];
        look->way = fmax(look->way, h * sqrt(rv_vec2_dot(v, v)));
        low = rv_vec2(fmin(low.x, x.x), fmin(low.y, x.y));
        high = rv_vec2(fmax(high.x, x.x), fmax(high.y, x.y));
    }
    look->low = rv_vec2_add(low, -plane->step - look->way, rv_vec2(1, 1));
    look->high = rv_vec2_add(high, plane->step + look->way, rv_vec2(1, 1));
}

void rv_plane_curve_broad_phase(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    cable->droppedContacts = 0;
    if (!curve->collides || cable->state.broken != 0.0)
        return;
    rvCurveCut look = {.at = {.cable = cable, .curve = curve, .bodies = bodies, .h = h}};
    find_box(curve, h, &look);
    rv_curve_sight_pegs(curve);
    for (int k = 0; k < shapes->pool.count; ++k)
        if (rv_curve_look(&look.at, shapes, k))
            rv_curve_cut_shape(&look);
    rv_curve_forget_unseen(curve);
    curve->looked = true;
    curve->plane->motion.contacts.wasLed = 0.0; // as they were put
    curve->plane->motion.contacts.led = 1.0;
    rv_plane_curve_go_ahead(curve);
}

void rv_plane_curve_drop_obstacle(rvCurve* curve, int peg)
{
    rvPlaneContacts* contacts = &curve->plane->motion.contacts;
    curve->pegs[peg] = (rvCurvePeg){.body = -1};
    contacts->obstacles[peg] = (rvPlaneObstacle){.center = {FAR_AWAY, FAR_AWAY}, .was = {FAR_AWAY, FAR_AWAY}};
    memset(contacts->sides + peg * contacts->intervals, 0, (size_t)contacts->intervals);
}

// Of a peg: what of it touches, and how that moves.
static void touch_peg(const rvCurve* curve, rvCurveTouch* touch)
{
    const rvCurvePeg* peg = &curve->pegs[touch->obstacle];
    const rvPlaneObstacle* o = &curve->plane->motion.contacts.obstacles[touch->obstacle];
    rvVec3 out = rv_curve_out(curve, touch->out), v = peg->velocity, from;
    touch->body = peg->body;
    touch->friction = peg->friction;
    if (peg->body < 0)
        return;
    if (o->solid.shape) {
        rvVec3 x = rvAdd(curve->origin, rv_curve_out(curve, curve->kernel->point(curve, &touch->spot)));
        from = rvSub(rvMulAdd(x, -(touch->gap + curve->radius), out), o->solid.center);
        v = rvAdd(v, rvCross(peg->spin, from));
    } else
        from = rvScale(o->radius - curve->radius, out);
    touch->arm = rvAdd(peg->arm, from);
    touch->velocity = rv_curve_in(curve, v);
}

// What of their way obstacles have not gone yet counts to the gap.
static void add_touch(rvCable* cable, const rvPlaneTouch* at, double margin)
{
    const rvCurve* curve = rv_curve_of(cable);
    double left = 1.0 - curve->plane->motion.contacts.led;
    rvCurveTouch touch = {.spot = at->spot,
                          .other = at->other,
                          .both = at->both,
                          .obstacle = at->obstacle,
                          .out = rv_curve_raise(at->out),
                          .gap = at->gap,
                          .body = -1,
                          .friction = cable->friction};
    if (at->obstacle >= 0)
        touch_peg(curve, &touch);
    touch.gap -= left * curve->now.alpha->h * rvDot(touch.out, touch.velocity);
    if (left == 0.0 || touch.gap < fmax(margin, at->near))
        rv_curve_add_touch(cable, touch);
}

// From how far away obstacles may come as near as `margin`.
static double find_look(const rvPlaneContacts* contacts, double margin)
{
    double left = 1.0 - contacts->led, most = 0.0;
    for (int k = 0; left > 0.0 && k < contacts->obstacleCount; ++k) {
        const rvPlaneObstacle* o = &contacts->obstacles[k];
        most = fmax(most, fmax(left * sqrt(rv_vec2_dot(o->way, o->way)), rv_meet_most_advance(&o->solid, left)));
    }
    return margin + most;
}

// Is a touch of the same peg as near as this one along the curve?
static bool is_near_touch(const rvCurve* curve, const rvPlaneTouch* at)
{
    double s = at->spot.interval + at->spot.xi;
    for (int i = 0; i < curve->touchCount; ++i) {
        const rvCurveTouch* other = &curve->touches[i];
        if (other->obstacle == at->obstacle && fabs(other->spot.interval + other->spot.xi - s) < SAME_POINT)
            return true;
    }
    return false;
}

// Around a peg the curve lies on an arc, of which no point is nearest: nodes and middles that are on it touch, too.
// They are as deep as the curve may come in a step, not more: what goes deeper is left to the nearest point, which
// knows its side. Beside a nearest point they say nothing: its gap is the least. The other way round, a node in the
// place of the nearest point beside it, the curve would sink in until the node touches, and be thrown out where the
// point wanders on.
static void find_wraps(rvCable* cable, double look, double margin)
{
    rvCurve* curve = rv_curve_of(cable);
    const rvPlane* plane = &curve->plane->motion.plane;
    for (int k = 0; k < curve->pegCapacity; ++k) {
        const rvPlaneObstacle* peg = &curve->plane->motion.contacts.obstacles[k];
        for (int i = 0; curve->pegs[k].key != 0.0 && !peg->solid.shape && !peg->corner && i <= 2 * plane->intervals;
             ++i) {
            rvPlaneTouch at = {.spot = sample(plane, i), .obstacle = k};
            int side = rv_plane_contacts_side(&curve->plane->motion.contacts, k, at.spot.interval);
            if (side == 0)
                continue;
            rvVec2 d = rv_vec2_add(rv_plane_point(plane, &at.spot), -1.0, peg->center);
            double distance = sqrt(rv_vec2_dot(d, d)), angle = rv_plane_angle_at(plane, curve->plane->run.p, &at.spot);
            at.gap = distance - peg->radius;
            if (!(at.gap < look) || at.gap < -0.5 * peg->radius || is_near_touch(curve, &at))
                continue;
            at.out = rv_vec2(d.x / distance, d.y / distance);
            // the peg is beside the curve there, on the side where it was
            if (side * rv_vec2_dot(at.out, rv_vec2(-sin(angle), cos(angle))) > 0.5)
                add_touch(cable, &at, margin);
        }
    }
}

// How far two points of it may have come towards each other since the step began, at p as placed. Rigid contacts
// overlap by far less than the thickness; of others it is not known.
static double find_moved(const rvCurve* curve)
{
    const rvPlane* plane = &curve->plane->motion.plane;
    const rvPlaneRun* run = &curve->plane->run;
    double most = 0.0;
    if (!curve->rigid)
        return HUGE_VAL;
    for (int i = 0; i < plane->count; ++i)
        run->at1[i] = run->p[i] - run->q[i];
    rv_plane_node_rates(plane, run->at1, plane->rates);
    for (int i = 0; i <= plane->intervals; ++i)
        most = fmax(most, rv_vec2_dot(plane->rates[i], plane->rates[i]));
    return curve->plane->motion.contacts.thickness + 2.0 * sqrt(most);
}

void rv_plane_curve_begin_touches(rvCurve* curve)
{
    rvPlane* plane = &curve->plane->motion.plane;
    rvVec3* flow = curve->begun + plane->intervals + 1;
    if (curve->touchCapacity == 0)
        return;
    rv_plane_place(plane, curve->plane->run.q);
    for (int i = 0; i <= plane->intervals; ++i)
        curve->begun[i] = rv_curve_raise(plane->nodes[i]);
    for (int k = 0; k < RV_PLANE_POINTS * plane->intervals; ++k)
        flow[k] = rvScale(plane->step * plane->lambda[k], rv_curve_raise(plane->t[k]));
    if (curve->passes == 0)
        curve->plane->motion.contacts.metCount = 0;
}

void rv_plane_curve_narrow_phase(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    rvPlane* plane = &curve->plane->motion.plane;
    rvPlaneContacts* contacts = &curve->plane->motion.contacts;
    int before = curve->touchCount;
    curve->touchCount = 0;
    if (curve->touchCapacity == 0 || cable->state.broken != 0.0)
        return;
    double margin = rv_curve_margin(curve), look = find_look(contacts, margin);
    rv_plane_place(plane, curve->plane->run.p);
    contacts->moved = contacts->itself ? find_moved(curve) : HUGE_VAL;
    rv_plane_contacts_find(contacts, plane, curve->plane->run.p, look);
    rv_plane_contacts_find_turns(contacts, plane, curve->plane->run.p, margin, SAME_POINT);
    rv_plane_contacts_find_met(contacts, plane, curve->rigid, look);
    for (int i = 0; i < contacts->touchCount; ++i)
        add_touch(cable, &contacts->touches[i], margin);
    if (curve->rigid) // each would be a spring more, and Voigt's law has one at each nearest point
        find_wraps(cable, look, margin);
    cable->droppedContacts += contacts->dropped;
    for (int i = 0; i < curve->touchCount; ++i)
        curve->touches[i].across[0] = rvVec(curve->touches[i].out.y, -curve->touches[i].out.x, 0.0);
    rv_curve_tell_touches(cable, before);
}

void rv_plane_curve_move_obstacles(rvCurve* curve, const rvBodyStore* bodies, double h)
{
    rv_curve_leave_shapes(curve, h);
    rv_plane_contacts_lead(&curve->plane->motion.contacts, 1.0);
    for (int i = 0; i < curve->pegCapacity; ++i) {
        const rvCurvePeg* peg = &curve->pegs[i];
        if (peg->key == 0.0 || peg->body < 0)
            continue;
        const rvBodyState* s = &bodies->items[peg->body].state;
        rvVec3 v = rvAdd(s->v, rvCross(s->w, peg->arm));
        rvPlaneObstacle* o = &curve->plane->motion.contacts.obstacles[i];
        if (o->solid.shape)
            o->solid.center = rvMulAdd(o->solid.center, h, rvSub(v, peg->velocity));
        else
            o->center = rv_vec2_add(rv_curve_cut(peg->center), h, rv_curve_flat(curve, v));
    }
}
