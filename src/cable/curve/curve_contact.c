// SPDX-License-Identifier: MIT
// A curve on the world's shapes, as its plane cuts them, and on itself.
//
// What is round where the plane cuts it, and corners, are pegs (curve_cut.c): the curve meets them exactly, anywhere
// along it, and keeps to the side on which it came. For the rest of a shape nodes, middles and where a bent interval is
// lowest are balls of the cable's thickness, each against the half-plane beside the point of the surface that is
// nearest to it; a point that moves by more than its thickness in a step looks from where it is at the start, as far as
// it gets.
#include "cable/curve/curve_cable.h"

#include <string.h>

#define LEAST_SLOPE 0.2 // of a normal in the plane: faces that are flatter do not hold the curve
#define SAME_POINT 0.2  // of an interval: touches this near are one
#define MARGIN 0.1      // of an interval: gaps up to this may close within the step
#define FAR_AWAY 1e150  // nothing is near
#define BENT 0.1        // turn of an interval from which on it is lowest at a point of its own [rad]
#define BESIDE 0.05     // of an interval: a nearest point that is no nearer to a node or middle is one of its own
#define GOLDEN 0.61803398874989485
#define PI 3.14159265358979323846
enum { SECTIONS = 12 }; // of half an interval: 1.5e-3 of it

// ---- faces ----------------------------------------------------------------------------------------------------------

static rvCurveFace* add_face(const rvCurveLook* look, const rvCurveSpot* spot)
{
    rvCurve* curve = look->curve;
    if (curve->faceCount == curve->touchCapacity) {
        look->cable->droppedContacts += 1;
        return NULL;
    }
    rvCurveFace* face = &curve->faces[curve->faceCount++];
    *face = (rvCurveFace){.spot = *spot, .body = look->body, .friction = look->friction};
    return face;
}

// One point of the curve, with the ball around it that it may reach, and the deepest touch of that ball. NULL: none.
static const rvCurveFace* look_at_point(const rvCurveCut* look, const rvCurveSpot* spot, rvVec2 x, double radius)
{
    rvCurve* curve = look->at.curve;
    rvVec3 center = rvAdd(curve->origin, rv_curve_up(curve, x));
    rvTouch touch;
    if (!rv_curve_deepest_touch(&look->at, center, radius, &touch))
        return NULL;
    rvVec2 n = rv_curve_flat(curve, touch.normal);
    double slope = sqrt(rv_vec2_dot(n, n));
    rvCurveFace* face = slope < LEAST_SLOPE ? NULL : add_face(&look->at, spot);
    if (!face)
        return NULL;
    double gap = radius - touch.depth - curve->radius;
    rvVec3 at = rvMulAdd(center, touch.depth - radius, touch.normal);
    rvVec2 v = rv_curve_flat(curve, rv_curve_look_velocity(&look->at, at, &face->arm));
    n = rv_vec2(n.x / slope, n.y / slope);
    face->out = rv_curve_raise(n);
    face->velocity = rv_curve_raise(v);
    face->offset = rv_vec2_dot(n, x) - gap / slope + look->at.h * rv_vec2_dot(n, v);
    return face;
}

// The same; rates of the nodes are in plane->rates.
static const rvCurveFace* look_at_spot(const rvCurveCut* look, const rvCurveSpot* spot)
{
    const rvCurve* curve = look->at.curve;
    const rvPlane* plane = &curve->plane->motion.plane;
    rvVec2 x = rv_plane_point(plane, spot), v = rv_plane_velocity_by(plane, curve->plane->run.v, plane->rates, spot);
    double way = look->at.h * sqrt(rv_vec2_dot(v, v));
    if (way > curve->radius + RV_CONTACT_MARGIN)
        return look_at_point(look, spot, x, curve->radius + way);
    return look_at_point(look, spot, rv_vec2_add(x, look->at.h, v), curve->radius); // where it will be
}

// Point i of the curve, of nodes and middles.
static rvCurveSpot sample(const rvPlane* plane, int i)
{
    int interval = i / 2 < plane->intervals ? i / 2 : plane->intervals - 1;
    return rv_plane_spot_in(plane, interval, 0.5 * (i - 2 * interval));
}

// Where an interval is lowest over a face: it runs along it there, and bends away. False: not in it, or beside a node
// or the middle.
static bool find_lowest(const rvPlane* plane, const double* q, int i, rvVec3 out, double* xi)
{
    double from = q[rv_plane_angle(plane, i)], turn = q[rv_plane_angle(plane, i + 1)] - from;
    double along = atan2(out.y, out.x) - 0.5 * PI;
    along += PI * floor((from + 0.5 * turn - along) / PI + 0.5); // either way
    *xi = (along - from) / turn;
    bool away = turn * (out.y * cos(along) - out.x * sin(along)) > 0.0, aside = fabs(fabs(*xi - 0.5) - 0.25) < 0.2;
    return fabs(turn) > BENT && away && aside;
}

// How far the curve will be from the surface at a point, where it will be.
static double distance_at(const rvCurveCut* look, int interval, double xi)
{
    const rvCurve* curve = look->at.curve;
    const rvPlane* plane = &curve->plane->motion.plane;
    rvCurveSpot spot = rv_plane_spot_in(plane, interval, xi);
    rvVec2 v = rv_plane_velocity_by(plane, curve->plane->run.v, plane->rates, &spot);
    rvVec2 x = rv_vec2_add(rv_plane_point(plane, &spot), look->at.h, v);
    rvVec3 at = rvPosePointBack(look->at.shape->pose, rvAdd(curve->origin, rv_curve_up(curve, x)));
    return rv_space_solid_distance(look->at.shape, at, 0.0).gap;
}

// Along a line the distance from what is convex is, too: the nearest point of half an interval, by golden section,
// where it is not beside its ends. A cylinder or capsule that leans is bent under a straight curve.
static void look_at_nearest(const rvCurveCut* look, int interval, double from)
{
    double low = from, high = from + 0.5, reach = look->at.curve->radius + look->at.curve->plane->motion.plane.step;
    if (distance_at(look, interval, from + 0.25) > reach)
        return;
    for (int i = 0; i < SECTIONS; ++i) {
        double a = high - GOLDEN * (high - low), b = low + GOLDEN * (high - low);
        if (distance_at(look, interval, a) < distance_at(look, interval, b))
            high = b;
        else
            low = a;
    }
    double xi = 0.5 * (low + high);
    rvCurveSpot spot = rv_plane_spot_in(&look->at.curve->plane->motion.plane, interval, xi);
    if (fabs(xi - from - 0.25) < 0.25 - BESIDE)
        look_at_spot(look, &spot);
}

static void look_at_faces(const rvCurveCut* look)
{
    const rvCurve* curve = look->at.curve;
    const rvPlane* plane = &curve->plane->motion.plane;
    const rvCurveFace* found[3] = {NULL, NULL, NULL}; // of an interval: its first node, middle, last node
    bool bent = rv_curve_is_bent(look);
    for (int i = 0; i <= 2 * plane->intervals; ++i) {
        rvCurveSpot spot = sample(plane, i);
        found[0] = i % 2 == 1 ? found[2] : found[0];
        found[2 - i % 2] = look_at_spot(look, &spot);
        if (i == 0 || i % 2 == 1)
            continue;
        const rvCurveFace* face = found[1] ? found[1] : found[0] ? found[0] : found[2];
        double xi;
        if (bent) {
            look_at_nearest(look, i / 2 - 1, 0.0);
            look_at_nearest(look, i / 2 - 1, 0.5);
        } else if (face && find_lowest(plane, curve->plane->run.q, i / 2 - 1, face->out, &xi)) {
            spot = rv_plane_spot_in(plane, i / 2 - 1, xi);
            look_at_spot(look, &spot);
        }
    }
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

void rv_curve_collide(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    curve->faceCount = curve->solidCount = 0;
    cable->droppedContacts = 0;
    if (!curve->collides || cable->state.broken != 0.0)
        return;
    rvCurveCut look = {.at = {.cable = cable, .curve = curve, .bodies = bodies, .h = h}};
    find_box(curve, h, &look);
    rv_curve_sight_pegs(curve);
    for (int k = 0; k < shapes->pool.count; ++k) {
        if (!rv_curve_look(&look.at, shapes, k))
            continue;
        if (rv_curve_cut_shape(&look))
            continue;
        look_at_faces(&look);
        rv_curve_see_solid(&look.at);
    }
    rv_curve_forget_unseen(curve);
    rv_curve_go_ahead(curve);
}

void rv_curve_forget_peg(rvCurve* curve, int peg)
{
    rvPlaneContacts* contacts = &curve->plane->motion.contacts;
    curve->pegs[peg] = (rvCurvePeg){.body = -1};
    contacts->obstacles[peg] = (rvPlaneObstacle){{FAR_AWAY, FAR_AWAY}, 0.0, {FAR_AWAY, FAR_AWAY}};
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
    if (curve->passes == 0)
        curve->plane->motion.contacts.metCount = 0;
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
            rv_curve_add_touch(cable, (rvCurveTouch){.spot = face->spot,
                                                     .obstacle = -1,
                                                     .out = face->out,
                                                     .gap = gap,
                                                     .body = face->body,
                                                     .arm = face->arm,
                                                     .velocity = face->velocity,
                                                     .friction = face->friction});
    }
    for (int i = 0; i < curve->touchCount; ++i)
        curve->touches[i].across[0] = rvVec(curve->touches[i].out.y, -curve->touches[i].out.x, 0.0);
    rv_curve_tell_touches(cable, before);
}

void rv_curve_move_pegs(rvCurve* curve, const rvBodyStore* bodies, double h)
{
    rv_curve_leave_shapes(curve, h);
    for (int i = 0; i < curve->pegCapacity; ++i) {
        const rvCurvePeg* peg = &curve->pegs[i];
        if (peg->key == 0.0 || peg->body < 0)
            continue;
        const rvBodyState* s = &bodies->items[peg->body].state;
        rvVec2 v = rv_curve_flat(curve, rvAdd(s->v, rvCross(s->w, peg->arm)));
        curve->plane->motion.contacts.obstacles[i].center = rv_vec2_add(rv_curve_cut(peg->center), h, v);
    }
}
