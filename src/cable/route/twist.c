// SPDX-License-Identifier: MIT
#include "cable/route/twist.h"

#include "cable/core/model.h"
#include "cable/route/mobility.h"
#include "cable/route/route.h"

#define TWO_PI 6.283185307179586
#define FOLD 0.1           // 1 + cos of the bend from which on the body carries it: 154 degrees
#define SHORTEST_SPAN 1e-9 // has no direction [m]

// A straight piece between two places that the cable touches.
typedef struct {
    int from, to; // places; to -1: there is none
    rvVec3 u;
    double inverse;        // of the length; 0 where it is too short
    rvVec3 gradient;       // of the twist by u
    double runFrom, runTo; // and by the running of tangent points at its ends
} Piece;

// Where the gradient goes: into a row, or where there is none what it is for one body.
typedef struct {
    const rvRows* rows;
    int group;
    int body;
    rvVec3 force, torque;
} Target;

static rvVec3 in_world(const rvBodyStore* bodies, const rvPlace* place, rvVec3 v)
{
    return place->body < 0 ? v : rvRotate(bodies->items[place->body].state.q, v);
}

static rvVec3 in_body(const rvBodyStore* bodies, const rvPlace* place, rvVec3 v)
{
    return place->body < 0 ? v : rvRotateBack(bodies->items[place->body].state.q, v);
}

// The piece that leaves place i; `u` is its direction where it has no length.
static Piece piece_after(const rvRoute* route, int i, rvVec3 u)
{
    int to = i + 1;
    while (to < route->placeCount && !route->places[to].on)
        to += 1;
    if (to >= route->placeCount)
        return (Piece){.from = i, .to = -1};
    rvVec3 d = rvSub(route->places[to].in, route->places[i].out);
    double length = rvLength(d);
    if (!(length > SHORTEST_SPAN))
        return (Piece){.from = i, .to = to, .u = u};
    return (Piece){.from = i, .to = to, .u = rvScale(1.0 / length, d), .inverse = 1.0 / length};
}

static rvVec3 rim_normal(const rvPlace* wheel, rvVec3 point)
{
    return rvScale(1.0 / wheel->radius, rvSub(point, wheel->point));
}

// Direction of travel at a point of the rim.
static rvVec3 rim_tangent(const rvPlace* wheel, rvVec3 point)
{
    return rvScale(wheel->side, rvCross(wheel->axis, rim_normal(wheel, point)));
}

// p after the least turn that takes b to c.
static rvVec3 transport(rvVec3 p, rvVec3 b, rvVec3 c, bool* folded)
{
    double open = 1.0 + rvDot(b, c);
    *folded = *folded || open < FOLD;
    if (open < 1e-12) { // half a turn about any axis across: the twist is not read off here
        rvVec3 n = rvAcross(b);
        return rvMulAdd(rvNeg(p), 2.0 * rvDot(n, p), n);
    }
    rvVec3 n = rvCross(b, c);
    return rvAdd(rvMulAdd(rvCross(n, p), open - 1.0, p), rvScale(rvDot(n, p) / open, n));
}

// p after a turn about a wheel's axis that takes tangent b to tangent c.
static rvVec3 turn(rvVec3 p, rvVec3 axis, rvVec3 b, rvVec3 c)
{
    double along = rvDot(axis, p), across = rvDot(rvCross(axis, b), p);
    return rvMulAdd(rvScale(along, axis), across, rvCross(axis, c));
}

// The first end's director where it arrives at the second end; *tangent: the one there.
static rvVec3 carry_director(const rvCable* cable, const rvBodyStore* bodies, bool* folded, rvVec3* tangent)
{
    const rvRoute* route = &cable->route;
    rvVec3 t = in_world(bodies, &route->places[0], cable->endTangent[0]);
    rvVec3 p = in_world(bodies, &route->places[0], cable->endDirector[0]);
    rvVec3 last = in_world(bodies, &route->places[route->spanCount], cable->endTangent[1]);
    for (int i = 0; i >= 0;) {
        const rvPlace* place = &route->places[i];
        Piece next = piece_after(route, i, t);
        rvVec3 out = next.to >= 0 ? next.u : last;
        if (rv_place_is_wheel(place)) {
            rvVec3 in = i > 0 ? rim_tangent(place, place->in) : t;
            rvVec3 rim = next.to >= 0 ? rim_tangent(place, place->out) : last;
            p = turn(transport(p, t, in, folded), place->axis, in, rim);
            t = rim;
        }
        p = transport(p, t, out, folded);
        t = out;
        i = next.to;
    }
    *tangent = last;
    return p;
}

// The angle between the two directors, -pi..pi.
static double angle_of(const rvCable* cable, const rvBodyStore* bodies, bool* folded)
{
    rvVec3 tangent;
    *folded = false;
    rvVec3 p = carry_director(cable, bodies, folded, &tangent);
    const rvRoute* route = &cable->route;
    rvVec3 there = in_world(bodies, &route->places[route->spanCount], cable->endDirector[1]);
    return atan2(rvDot(tangent, rvCross(p, there)), rvDot(p, there));
}

// Twist = angle + zero + whole turns, nearest to `near`. Written so that the same pose gives the same bits again.
static void set_twist(rvCableState* s, double angle, double near)
{
    s->twistTurns = round((near - angle - s->twistZero) / TWO_PI);
    s->twist = angle + s->twistZero + TWO_PI * s->twistTurns;
}

// The twist by the angle, or as expected where the cable is folded: then the angle's zero moves.
static void read_angle(rvCable* cable, const rvBodyStore* bodies, double expected)
{
    rvCableState* s = &cable->state;
    bool folded;
    double angle = angle_of(cable, bodies, &folded);
    if (folded)
        s->twistZero = expected - angle - TWO_PI * s->twistTurns;
    set_twist(s, angle, expected);
}

// Along the cable at an end, in the world: as it is clamped where the model can be, else as the span lies or on the
// rim.
static rvVec3 tangent_at(const rvCable* cable, const rvBodyStore* bodies, const rvPlace* place, rvVec3 rim,
                         rvVec3 along)
{
    if (place->clamped && !rv_cable_has(cable, RV_SEGMENTS))
        return in_world(bodies, place, rvNormalizeOr(place->direction, along));
    return rv_place_is_wheel(place) ? rim_tangent(place, rim) : along;
}

void rv_twist_begin(rvCable* cable, const rvBodyStore* bodies, double twist)
{
    const rvRoute* route = &cable->route;
    const rvPlace *first = &route->places[0], *last = &route->places[route->spanCount];
    int before = route->spanCount - 1;
    while (before > 0 && !route->places[before].on)
        before -= 1;
    rvVec3 start = tangent_at(cable, bodies, first, first->out, piece_after(route, 0, rvVec(1, 0, 0)).u);
    rvVec3 end = tangent_at(cable, bodies, last, last->in, piece_after(route, before, rvVec(1, 0, 0)).u);
    rvVec3 director = rv_place_is_wheel(first) ? first->axis : rvAcross(start);
    cable->endTangent[0] = in_body(bodies, first, start);
    cable->endDirector[0] = in_body(bodies, first, director);
    cable->endTangent[1] = in_body(bodies, last, end);
    bool folded = false;
    rvVec3 arrived = carry_director(cable, bodies, &folded, &end);
    cable->endDirector[1] = in_body(bodies, last, arrived);
    cable->state.twistZero = twist;
    cable->state.twistFresh = 1.0;
    set_twist(&cable->state, angle_of(cable, bodies, &folded), twist);
}

void rv_twist_refresh(rvCable* cable, const rvBodyStore* bodies)
{
    if (!rv_twist_acts(cable))
        return;
    read_angle(cable, bodies, cable->state.twist);
}

static void add_torque(const rvPlace* place, rvVec3 v, Target* to)
{
    if (!to->rows) {
        if (place->body == to->body)
            to->torque = rvAdd(to->torque, v);
        return;
    }
    if (place->slot < 0)
        return;
    double* j = rv_group_jacobian(to->rows, to->group, place->slot)[0];
    j[3] += v.x;
    j[4] += v.y;
    j[5] += v.z;
}

// factor * v . (velocity of the body's point at arm)
static void add_force(const rvPlace* place, rvVec3 arm, double factor, rvVec3 v, Target* to)
{
    if (to->rows) {
        rv_place_add_force(place, arm, factor, v, to->rows, to->group, 0);
    } else if (place->body == to->body) {
        to->force = rvMulAdd(to->force, factor, v);
        to->torque = rvMulAdd(to->torque, factor, rvCross(arm, v));
    }
}

// The bend from b to c at a place: answers the gradient by b and by c, and gives the place the share that it carries.
static rvVec3 add_bend(const rvPlace* place, rvVec3 b, rvVec3 c, Target* to)
{
    double open = 1.0 + rvDot(b, c);
    if (open < FOLD)
        add_torque(place, rvScale(open / FOLD - 1.0, rvSub(c, b)), to);
    return rvScale(1.0 / fmax(open, FOLD), rvCross(b, c));
}

// The bend between a span and the rim, at the way in or out. t' = w x t - alpha' n.
static void add_rim_bend(const rvPlace* wheel, bool in, Piece* piece, Target* to)
{
    rvVec3 n = rim_normal(wheel, in ? wheel->in : wheel->out);
    rvVec3 t = rvScale(wheel->side, rvCross(wheel->axis, n));
    rvVec3 k = in ? add_bend(wheel, piece->u, t, to) : add_bend(wheel, t, piece->u, to);
    piece->gradient = rvAdd(piece->gradient, k);
    *(in ? &piece->runTo : &piece->runFrom) -= rvDot(k, n);
    add_torque(wheel, rvCross(t, k), to);
    add_torque(wheel, in ? t : rvNeg(t), to); // half of the arc
}

// The tangent points at both ends of a piece run when the other end moves, each by its own and by the other's running:
//   alpha_1' = L_1 + p alpha_2',  alpha_2' = L_2 + q alpha_1'.
static void add_running(const rvRoute* route, const Piece* piece, Target* to)
{
    const rvPlace *from = &route->places[piece->from], *into = &route->places[piece->to];
    rvVec3 slope[2], t[2] = {{0, 0, 0}, {0, 0, 0}};
    bool runs[2] = {rv_place_is_wheel(from) && rv_wheel_slope(from, into->in, -1.0, &slope[0]),
                    rv_place_is_wheel(into) && rv_wheel_slope(into, from->out, 1.0, &slope[1])};
    double weight[2] = {0.0, 0.0}, p = 0.0, q = 0.0;
    if (runs[0]) {
        t[0] = rvScale(from->radius, rim_tangent(from, from->out));
        weight[0] = piece->runFrom - rvDot(piece->gradient, t[0]) * piece->inverse;
    }
    if (runs[1]) {
        t[1] = rvScale(into->radius, rim_tangent(into, into->in));
        weight[1] = piece->runTo + rvDot(piece->gradient, t[1]) * piece->inverse;
    }
    if (runs[0] && runs[1]) {
        p = rvDot(slope[0], t[1]);
        q = rvDot(slope[1], t[0]);
    }
    double scale = 1.0 / (1.0 - p * q);
    double share[2] = {scale * (weight[0] + q * weight[1]), scale * (weight[1] + p * weight[0])};
    if (runs[0]) {
        add_force(into, into->armIn, share[0], slope[0], to);
        add_force(from, rv_wheel_arm_to(from, into->in), -share[0], slope[0], to);
    }
    if (runs[1]) {
        add_force(from, from->armOut, share[1], slope[1], to);
        add_force(into, rv_wheel_arm_to(into, from->out), -share[1], slope[1], to);
    }
}

static void add_piece(const rvRoute* route, const Piece* piece, Target* to)
{
    const rvPlace *from = &route->places[piece->from], *into = &route->places[piece->to];
    add_force(from, from->armOut, -piece->inverse, piece->gradient, to);
    add_force(into, into->armIn, piece->inverse, piece->gradient, to);
    if (rv_place_is_wheel(from) || rv_place_is_wheel(into))
        add_running(route, piece, to);
}

static void write_gradient(const rvCable* cable, const rvBodyStore* bodies, Target* to)
{
    const rvRoute* route = &cable->route;
    Piece before = {.to = -1};
    for (int i = 0; i >= 0;) {
        const rvPlace* place = &route->places[i];
        bool first = i == 0, last = i == route->spanCount;
        rvVec3 d = in_world(bodies, place, cable->endTangent[last]);
        Piece after = piece_after(route, i, first ? d : before.u);
        if (rv_place_is_wheel(place)) {
            if (!first)
                add_rim_bend(place, true, &before, to);
            if (!last)
                add_rim_bend(place, false, &after, to);
        } else {
            rvVec3 k = add_bend(place, first ? d : before.u, last ? d : after.u, to);
            before.gradient = rvAdd(before.gradient, k);
            after.gradient = k;
            if (first || last)
                add_torque(place, rvAdd(rvCross(d, k), last ? d : rvNeg(d)), to);
        }
        if (!first)
            add_piece(route, &before, to);
        before = after;
        i = after.to;
    }
}

// The twist's rate by the velocities that the bodies have.
static double rate_of(const rvBodyStore* bodies, const rvRows* rows, int group)
{
    double rate = 0.0;
    const rvRowGroup* g = &rows->groups[group];
    for (int slot = 0; slot < g->slotCount; ++slot) {
        const rvBodyState* s = &bodies->items[rows->slots[g->firstSlot + slot].body].state;
        const double* j = rv_group_jacobian(rows, group, slot)[0];
        rate += rvDot(rvVec(j[0], j[1], j[2]), s->v) + rvDot(rvVec(j[3], j[4], j[5]), s->w);
    }
    return rate;
}

void rv_twist_write(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows, int owner)
{
    rvCableState* s = &cable->state;
    const rvRoute* route = &cable->route;
    cable->twistGroup = -1;
    if (!rv_twist_acts(cable) || route->bodyCount == 0)
        return;
    int group = rv_rows_add(rows, RV_GROUP_CABLE, owner, 1, route->bodies, route->bodyCount);
    if (group < 0)
        return;
    cable->twistGroup = group;
    write_gradient(cable, bodies, &(Target){.rows = rows, .group = group});
    if (s->twistFresh != 0.0)
        s->twistRate = rate_of(bodies, rows, group);
    double h = context->h, eps = s->restLength / cable->torsionalStiffness, freeRate;
    double tau = rv_damping_time(context, cable->twistDamping);
    // too stiff for the step, as the stretch
    if (h * h * rv_row_mobility(bodies, rows, group, 0, &freeRate) > 4.0 * eps)
        tau = fmax(tau, 0.5 * h);
    rvRow* row = rv_group_rows(rows, group);
    rv_row_set_position(row, context, s->twist, s->twistRate, eps, tau);
    row->lower = -HUGE_VAL;
    row->upper = HUGE_VAL;
    row->impulse = -h * s->twistTorque;
}

void rv_twist_read(rvCable* cable, const rvStepContext* context, const rvRows* rows)
{
    const rvRow* row = cable->twistGroup >= 0 ? rv_group_rows(rows, cable->twistGroup) : NULL;
    cable->state.twistTorque = row ? -row->impulse / context->h : 0.0;
    cable->twistSpeed = row ? row->bias - row->compliance * row->impulse : 0.0; // J v' of the row
}

void rv_twist_advance(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, double rest)
{
    rvCableState* s = &cable->state;
    if (!rv_twist_acts(cable))
        return;
    double before = s->twist, expected = before + context->h * cable->twistSpeed;
    read_angle(cable, bodies, expected);
    s->twistRate = (s->twist - before) / context->h;
    s->twistFresh = 0.0;
    // rope that is paid out takes part of the twist: the winch has its energy
    double middle = s->twist - 0.5 * context->h * s->twistRate;
    double change = 0.5 * cable->torsionalStiffness * middle * middle * (1.0 / s->restLength - 1.0 / rest);
    double rates = fabs(cable->winch[0].state.rate) + fabs(cable->winch[1].state.rate);
    for (int i = 0; i < 2 && rates > 0.0; ++i)
        cable->winch[i].state.work += change * fabs(cable->winch[i].state.rate) / rates;
}

double rv_twist_energy(const rvCable* cable, double h)
{
    if (!rv_twist_acts(cable))
        return 0.0;
    // at the middle of the step, as the stretch
    double middle = cable->state.twist - 0.5 * h * cable->state.twistRate;
    return 0.5 * cable->torsionalStiffness / cable->state.restLength * middle * middle;
}

void rv_twist_force_on(const rvCable* cable, const rvBodyStore* bodies, int body, rvVec3* force, rvVec3* torque)
{
    if (!rv_twist_acts(cable) || cable->state.twistTorque == 0.0)
        return;
    Target to = {.body = body};
    write_gradient(cable, bodies, &to);
    *force = rvMulAdd(*force, -cable->state.twistTorque, to.force);
    *torque = rvMulAdd(*torque, -cable->state.twistTorque, to.torque);
}
