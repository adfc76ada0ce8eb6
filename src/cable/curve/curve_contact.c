// SPDX-License-Identifier: MIT
// A curve on the world's shapes, as its plane cuts them, and on itself.
//
// Balls, and cylinders and capsules that stand across the plane, are cut in circles: pegs, met exactly
// (plane_contact.h). So are the corners of boxes and hulls, pegs of no radius of their own. The curve keeps to the side
// of a peg on which it came. For the rest of a shape nodes and middles of intervals are balls of the cable's thickness,
// each against the half-plane beside the point of the surface that is nearest to it; a point that moves by more than
// its thickness in a step looks from where it is at the start, as far as it gets.
#include "cable/curve/curve_cable.h"

#include <string.h>

#define ACROSS 1e-9     // a cylinder stands across the plane within this
#define LEAST_SLOPE 0.2 // of a normal in the plane: faces that are flatter do not hold the curve
#define SAME_POINT 0.2  // of an interval: touches this near are one
#define MARGIN 0.1      // of an interval: gaps up to this may close within the step
#define FAR_AWAY 1e150  // nothing is near
enum { MOST_CORNERS = 1024 };

typedef struct {
    rvCurveLook at;
    rvVec2 low, high; // box around the curve, widened
} Look;

// ---- pegs -----------------------------------------------------------------------------------------------------------

static void put_peg(const Look* look, int corner, rvVec3 center, double radius)
{
    rvCurve* curve = look->at.curve;
    rvVec2 c = rv_curve_down(curve, center);
    double reach = radius + curve->plane->motion.plane.step;
    if (c.x + reach < look->low.x || c.x - reach > look->high.x || c.y + reach < look->low.y ||
        c.y - reach > look->high.y)
        return;
    double key = 1.0 + (double)look->at.index * MOST_CORNERS + corner;
    int slot = rv_curve_peg_slot(&look->at, key);
    if (slot < 0)
        return;
    rvCurvePeg* peg = &curve->pegs[slot];
    *peg = (rvCurvePeg){
        .key = key, .body = look->at.body, .seen = true, .center = rv_curve_raise(c), .friction = look->at.friction};
    rvVec2 v = rv_curve_flat(curve, rv_curve_look_velocity(&look->at, center, &peg->arm));
    peg->velocity = rv_curve_raise(v);
    curve->plane->motion.contacts.obstacles[slot] =
        (rvPlaneObstacle){rv_vec2_add(c, look->at.h, v), radius}; // where it will be
}

// Circles.
static bool cut_round(const Look* look)
{
    const rvCurve* curve = look->at.curve;
    const rvShape* shape = look->at.shape;
    rvVec3 center = shape->pose.p;
    double off = rvDot(curve->axis[2], rvSub(center, curve->origin)), radius = shape->radius + curve->radius;
    if (shape->type != RV_SHAPE_SPHERE) {
        if (shape->type != RV_SHAPE_CYLINDER && shape->type != RV_SHAPE_CAPSULE)
            return false;
        double along = rvDot(curve->axis[2], rvRotate(shape->pose.q, rvVec(0, 0, 1)));
        if (fabs(along) < 1.0 - ACROSS)
            return false;
        off = copysign(fmax(0.0, fabs(off) - shape->half), off); // beyond its straight part
        if (shape->type == RV_SHAPE_CYLINDER && off != 0.0)
            return true; // the plane passes beside it
    }
    if (fabs(off) < radius)
        put_peg(look, 0, center, sqrt(radius * radius - off * off));
    return true;
}

static void cut_edge(const Look* look, int number, rvVec3 a, rvVec3 b)
{
    const rvCurve* curve = look->at.curve;
    double u = rvDot(curve->axis[2], rvSub(a, curve->origin)), w = rvDot(curve->axis[2], rvSub(b, curve->origin));
    if ((u < 0.0) != (w < 0.0))
        put_peg(look, 1 + number, rvMulAdd(a, u / (u - w), rvSub(b, a)), curve->radius);
}

static void cut_corners(const Look* look)
{
    const rvShape* shape = look->at.shape;
    if (shape->type == RV_SHAPE_BOX)
        for (int i = 0; i < 12; ++i) {
            int axis = i / 4;
            const double half[3] = {shape->halves.x, shape->halves.y, shape->halves.z};
            double c[2][3];
            for (int end = 0; end < 2; ++end) {
                c[end][axis] = end ? half[axis] : -half[axis];
                c[end][(axis + 1) % 3] = i & 1 ? half[(axis + 1) % 3] : -half[(axis + 1) % 3];
                c[end][(axis + 2) % 3] = i & 2 ? half[(axis + 2) % 3] : -half[(axis + 2) % 3];
            }
            cut_edge(look, i, rvPosePoint(shape->pose, rvVec(c[0][0], c[0][1], c[0][2])),
                     rvPosePoint(shape->pose, rvVec(c[1][0], c[1][1], c[1][2])));
        }
    for (int i = 0; shape->type == RV_SHAPE_HULL && i < shape->hull.edgeCount && i < MOST_CORNERS - 1; ++i) {
        const rvHullEdge* edge = &shape->hull.edges[i];
        cut_edge(look, i, rvPosePoint(shape->pose, shape->hull.points[edge->points[0]]),
                 rvPosePoint(shape->pose, shape->hull.points[edge->points[1]]));
    }
}

// ---- faces ----------------------------------------------------------------------------------------------------------

// One point of the curve, with the ball around it that it may reach, and the deepest touch of that ball.
static void look_at_point(const Look* look, const rvCurveSpot* spot, rvVec2 x, double radius)
{
    rvCurve* curve = look->at.curve;
    rvVec3 center = rvAdd(curve->origin, rv_curve_up(curve, x));
    rvTouch touch;
    if (!rv_curve_deepest_touch(&look->at, center, radius, &touch))
        return;
    rvVec2 n = rv_curve_flat(curve, touch.normal);
    double slope = sqrt(rv_vec2_dot(n, n));
    if (slope < LEAST_SLOPE)
        return;
    rvCurveFace* face = rv_curve_add_face(&look->at, spot);
    if (!face)
        return;
    double gap = radius - touch.depth - curve->radius;
    rvVec3 at = rvMulAdd(center, touch.depth - radius, touch.normal);
    rvVec2 v = rv_curve_flat(curve, rv_curve_look_velocity(&look->at, at, &face->arm));
    n = rv_vec2(n.x / slope, n.y / slope);
    face->out = rv_curve_raise(n);
    face->velocity = rv_curve_raise(v);
    face->offset = rv_vec2_dot(n, x) - gap / slope + look->at.h * rv_vec2_dot(n, v);
}

// Point i of the curve, of nodes and middles.
static rvCurveSpot sample(const rvPlane* plane, int i)
{
    int interval = i / 2 < plane->intervals ? i / 2 : plane->intervals - 1;
    return rv_plane_spot_in(plane, interval, 0.5 * (i - 2 * interval));
}

static void look_at_faces(const Look* look)
{
    const rvCurve* curve = look->at.curve;
    const rvPlane* plane = &curve->plane->motion.plane;
    for (int i = 0; i <= 2 * plane->intervals; ++i) {
        rvCurveSpot spot = sample(plane, i);
        rvVec2 x = rv_plane_point(plane, &spot), v = rv_plane_velocity(plane, curve->plane->run.v, &spot);
        double way = look->at.h * sqrt(rv_vec2_dot(v, v));
        if (way > curve->radius + RV_CONTACT_MARGIN)
            look_at_point(look, &spot, x, curve->radius + way);
        else // where it will be
            look_at_point(look, &spot, rv_vec2_add(x, look->at.h, v), curve->radius);
    }
}

// ---- in the order of a step -----------------------------------------------------------------------------------------

static void find_box(const rvCurve* curve, double h, rvVec2* low, rvVec2* high)
{
    const rvPlane* plane = &curve->plane->motion.plane;
    double reach = plane->step;
    *low = *high = plane->nodes[0];
    rv_plane_node_rates(plane, curve->plane->run.v, plane->rates);
    for (int i = 0; i <= plane->intervals; ++i) {
        rvVec2 x = plane->nodes[i], v = plane->rates[i];
        reach = fmax(reach, plane->step + h * sqrt(rv_vec2_dot(v, v)));
        *low = rv_vec2(fmin(low->x, x.x), fmin(low->y, x.y));
        *high = rv_vec2(fmax(high->x, x.x), fmax(high->y, x.y));
    }
    *low = rv_vec2_add(*low, -reach, rv_vec2(1, 1));
    *high = rv_vec2_add(*high, reach, rv_vec2(1, 1));
}

void rv_curve_collide(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    curve->faceCount = 0;
    cable->droppedContacts = 0;
    if (!curve->collides || cable->state.broken != 0.0)
        return;
    Look look = {.at = {.cable = cable, .curve = curve, .bodies = bodies, .h = h}};
    find_box(curve, h, &look.low, &look.high);
    rv_curve_sight_pegs(curve);
    for (int k = 0; k < shapes->pool.count; ++k) {
        if (!rv_curve_look(&look.at, shapes, k))
            continue;
        if (cut_round(&look))
            continue;
        cut_corners(&look);
        look_at_faces(&look);
    }
    rv_curve_forget_unseen(curve);
}

void rv_curve_forget_peg(rvCurve* curve, int peg)
{
    rvPlaneContacts* contacts = &curve->plane->motion.contacts;
    curve->pegs[peg] = (rvCurvePeg){.body = -1};
    contacts->obstacles[peg] = (rvPlaneObstacle){{FAR_AWAY, FAR_AWAY}, 0.0};
    memset(contacts->sides + peg * contacts->intervals, 0, (size_t)contacts->intervals);
}

static rvCurveTouch touch_of(const rvCable* cable, const rvPlaneTouch* at)
{
    const rvCurve* curve = rv_curve_of(cable);
    rvCurveTouch touch = {.spot = at->spot,
                          .other = at->other,
                          .both = at->both,
                          .obstacle = at->obstacle,
                          .out = rv_curve_raise(at->out),
                          .gap = at->gap,
                          .body = -1,
                          .friction = cable->friction};
    if (at->obstacle >= 0) {
        const rvCurvePeg* peg = &curve->pegs[at->obstacle];
        double radius = curve->plane->motion.contacts.obstacles[at->obstacle].radius - curve->radius;
        touch.body = peg->body;
        touch.velocity = peg->velocity;
        touch.friction = peg->friction;
        touch.arm = rvMulAdd(peg->arm, peg->body >= 0 ? radius : 0.0, rv_curve_up(curve, at->out));
    }
    return touch;
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
static void find_wraps(rvCable* cable, double margin)
{
    rvCurve* curve = rv_curve_of(cable);
    const rvPlane* plane = &curve->plane->motion.plane;
    for (int k = 0; k < curve->pegCapacity; ++k) {
        const rvPlaneObstacle* peg = &curve->plane->motion.contacts.obstacles[k];
        for (int i = 0; curve->pegs[k].key != 0.0 && i <= 2 * plane->intervals; ++i) {
            rvPlaneTouch at = {.spot = sample(plane, i), .obstacle = k};
            int side = rv_plane_contacts_side(&curve->plane->motion.contacts, k, at.spot.interval);
            if (side == 0)
                continue;
            rvVec2 d = rv_vec2_add(rv_plane_point(plane, &at.spot), -1.0, peg->center);
            double distance = sqrt(rv_vec2_dot(d, d)), angle = rv_plane_angle_at(plane, curve->plane->run.p, &at.spot);
            at.gap = distance - peg->radius;
            if (!(at.gap < margin) || at.gap < -0.5 * peg->radius || is_near_touch(curve, &at))
                continue;
            at.out = rv_vec2(d.x / distance, d.y / distance);
            // the peg is beside the curve there, on the side where it was
            if (side * rv_vec2_dot(at.out, rv_vec2(-sin(angle), cos(angle))) > 0.5)
                rv_curve_add_touch(cable, touch_of(cable, &at));
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

void rv_curve_begin_touches(rvCurve* curve)
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
}

void rv_curve_find_touches(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    rvPlane* plane = &curve->plane->motion.plane;
    rvPlaneContacts* contacts = &curve->plane->motion.contacts;
    int before = curve->touchCount;
    curve->touchCount = 0;
    if (curve->touchCapacity == 0 || cable->state.broken != 0.0)
        return;
    double margin = MARGIN * plane->step;
    rv_plane_place(plane, curve->plane->run.p);
    contacts->most = RV_PLANE_ROOM;
    contacts->moved = contacts->itself ? find_moved(curve) : HUGE_VAL;
    rv_plane_contacts_find(contacts, plane, curve->plane->run.p, margin);
    rv_plane_contacts_find_turns(contacts, plane, curve->plane->run.p, margin, SAME_POINT);
    contacts->metCount = curve->passes == 1 ? 0 : contacts->metCount;
    rv_plane_contacts_find_met(contacts, plane, curve->rigid, margin);
    for (int i = 0; i < contacts->touchCount; ++i)
        rv_curve_add_touch(cable, touch_of(cable, &contacts->touches[i]));
    if (curve->rigid) // each would be a spring more, and Voigt's law has one at each nearest point
        find_wraps(cable, margin);
    cable->droppedContacts += contacts->dropped;
    for (int i = 0; i < curve->faceCount; ++i) {
        const rvCurveFace* face = &curve->faces[i];
        double gap = rv_vec2_dot(rv_curve_cut(face->out), rv_plane_point(plane, &face->spot)) - face->offset;
        if (gap < margin)
            rv_curve_add_face_touch(cable, face, gap);
    }
    for (int i = 0; i < curve->touchCount; ++i)
        curve->touches[i].across[0] = rvVec(curve->touches[i].out.y, -curve->touches[i].out.x, 0.0);
    rv_curve_tell_touches(cable, before);
}

void rv_curve_move_pegs(rvCurve* curve, const rvBodyStore* bodies, double h)
{
    for (int i = 0; i < curve->pegCapacity; ++i) {
        const rvCurvePeg* peg = &curve->pegs[i];
        if (peg->key == 0.0 || peg->body < 0)
            continue;
        const rvBodyState* s = &bodies->items[peg->body].state;
        rvVec2 v = rv_curve_flat(curve, rvAdd(s->v, rvCross(s->w, peg->arm)));
        curve->plane->motion.contacts.obstacles[i].center = rv_vec2_add(rv_curve_cut(peg->center), h, v);
    }
}
