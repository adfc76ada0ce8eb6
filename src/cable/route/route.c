// SPDX-License-Identifier: MIT

#include "cable/route/route.h"

// A span shorter than this has no direction and passes no force [m].
#define SHORTEST_SPAN 1e-9
// Sweeps over the places until the tangent points of wheels agree; two settle all but odd cases.
#define MOST_SWEEPS 24
#define SETTLED 1e-26 // squared change of a tangent direction: below it a sweep changes nothing that counts
#define TWO_PI 6.283185307179586

bool rv_route_create(rvRoute* route, rvMemory* memory, int placeCount, int capacity)
{
    size_t places = (size_t)capacity;
    *route = (rvRoute){.placeCount = placeCount, .spanCount = placeCount - 1, .capacity = capacity};
    route->places = rv_memory_take(memory, places * sizeof(rvPlace));
    route->spans = rv_memory_take(memory, places * sizeof(rvSpan));
    route->bodies = rv_memory_take(memory, places * sizeof(int));
    if (route->places && route->spans && route->bodies)
        return true;
    rv_route_release(route, memory);
    return false;
}

void rv_route_release(rvRoute* route, rvMemory* memory)
{
    size_t places = (size_t)route->capacity;
    rv_memory_give(memory, route->places, places * sizeof(rvPlace));
    rv_memory_give(memory, route->spans, places * sizeof(rvSpan));
    rv_memory_give(memory, route->bodies, places * sizeof(int));
    *route = (rvRoute){0};
}

void rv_route_collect_bodies(rvRoute* route, const rvBodyStore* bodies)
{
    route->bodyCount = 0;
    for (int i = 0; i < route->placeCount; ++i) {
        rvPlace* place = &route->places[i];
        place->slot = place->wheelSlot = -1;
        if (place->body < 0 || !rv_body_moves(&bodies->items[place->body]))
            continue;
        // neighbours mostly share a body, so the search goes backwards
        int slot = route->bodyCount - 1;
        while (slot >= 0 && route->bodies[slot] != place->body)
            slot -= 1;
        if (slot < 0) {
            slot = route->bodyCount++;
            route->bodies[slot] = place->body;
        }
        place->slot = slot;
    }
}

// A contact keeps its points on its body; its bend and its arc are those of the last look.
static void carry_contact(rvPlace* place, const rvBodyStore* bodies)
{
    place->turn = place->state.angle;
    place->arcBefore = place->arcAfter = 0.5 * place->state.inAngle;
    if (rv_place_is_crossing(place)) {
        place->point = place->in = place->out = place->state.localIn;
        return;
    }
    const rvBodyState* s = &bodies->items[place->body].state;
    place->armIn = rvRotate(s->q, place->state.localIn);
    place->armOut = rvRotate(s->q, place->state.localOut);
    place->in = rvAdd(s->x, place->armIn);
    place->out = rvAdd(s->x, place->armOut);
    place->point = rvScale(0.5, rvAdd(place->in, place->out));
}

// Where the bodies carry the places.
static void carry(rvRoute* route, const rvBodyStore* bodies)
{
    for (int i = 0; i < route->placeCount; ++i) {
        rvPlace* place = &route->places[i];
        bool wheel = rv_place_is_wheel(place);
        if (place->type == RV_PLACE_CONTACT) {
            carry_contact(place, bodies);
            continue;
        }
        if (place->body < 0) {
            place->point = place->local;
            place->axis = place->localAxis;
            if (wheel) {
                place->in = place->state.in;
                place->out = place->state.out;
            }
            continue;
        }
        const rvBodyState* s = &bodies->items[place->body].state;
        place->armIn = place->armOut = rvRotate(s->q, place->local);
        place->point = rvAdd(s->x, place->armIn);
        if (wheel) {
            place->axis = rvRotate(s->q, place->localAxis);
            place->in = rvRotate(s->q, place->state.in);
            place->out = rvRotate(s->q, place->state.out);
        }
    }
}

// The direction from the centre to the tangent point of a line through `from`; `way` is s for the way in, -s for out.
static rvVec3 tangent(const rvPlace* wheel, rvVec3 from, double way)
{
    rvVec3 d = rvSub(from, wheel->point);
    rvVec3 flat = rvMulAdd(d, -rvDot(d, wheel->axis), wheel->axis);
    double rho2 = rvDot(flat, flat);
    double r = wheel->radius;
    if (!(rho2 > r * r)) // inside the rim: the nearest point of it
        return rvNormalizeOr(flat, rvAcross(wheel->axis));
    double inverse = 1.0 / rho2;
    double along = r * inverse, across = way * sqrt(1.0 - r * r * inverse) * sqrt(inverse);
    return rvMulAdd(rvScale(along, flat), across, rvCross(wheel->axis, flat));
}

static rvVec3 rim(const rvPlace* wheel, rvVec3 n)
{
    return rvMulAdd(wheel->point, wheel->radius, n);
}

// The angle that differs from `angle` by whole turns and is nearest to `near`. remainder() is slow, and most are near.
static double nearest_turn(double angle, double near)
{
    double away = angle - near;
    return fabs(away) <= 0.5 * TWO_PI ? angle : near + remainder(away, TWO_PI);
}

static double wrap_angle(const rvPlace* wheel)
{
    double sine = wheel->side * rvDot(wheel->axis, rvCross(wheel->in, wheel->out));
    return nearest_turn(atan2(sine, rvDot(wheel->in, wheel->out)), wheel->state.angle);
}

// Takes a new direction if it differs enough; `stamp` remembers in which sweep.
static bool take(rvVec3* direction, rvVec3 now, int number, int* stamp)
{
    rvVec3 change = rvSub(now, *direction);
    if (!(rvDot(change, change) > SETTLED))
        return false;
    *direction = now;
    *stamp = number;
    return true;
}

// One sweep over the wheels, counted from 1: their tangent points from those of their neighbours. After the first only
// where the neighbour's point changed since: the one before in this sweep, the one after in the last. Answers whether
// any changed. While sweeping, in and out of a wheel are directions from its centre.
static bool sweep(rvRoute* route, int number)
{
    bool changed = false;
    int before = 0;
    for (int i = 0; i < route->placeCount; ++i) {
        rvPlace* place = &route->places[i];
        if (!rv_place_is_wheel(place)) {
            before = i;
            continue;
        }
        int after = i + 1;
        while (after < route->placeCount && rv_place_is_wheel(&route->places[after]) && !route->places[after].on)
            after += 1;
        const rvPlace* from = &route->places[before];
        if (i > 0 && (number == 1 || from->sweptOut == number)) {
            rvVec3 in = tangent(place, rv_place_is_wheel(from) ? rim(from, from->out) : from->out, place->side);
            changed = take(&place->in, in, number, &place->sweptIn) || changed;
        }
        if (after < route->placeCount && (number == 1 || route->places[after].sweptIn == number - 1)) {
            const rvPlace* to = &route->places[after];
            rvVec3 out = tangent(place, rv_place_is_wheel(to) ? rim(to, to->in) : to->in, -place->side);
            changed = take(&place->out, out, number, &place->sweptOut) || changed;
        }
        if (place->on)
            before = i;
    }
    return changed;
}

static bool has_moved(const rvPlace* wheel)
{
    return wheel->sweptIn > 0 || wheel->sweptOut > 0;
}

// A wheel that the cable left is met where the straight cable touches it, not where that is only so seen along its
// axis: farther from its plane than it is large the cable passes beside it. It may then go round to the other side; it
// is a turn short there until it comes back the way it went.
static void stay_beside(const rvRoute* route, rvPlace* wheel)
{
    if (wheel->turn < -TWO_PI)
        wheel->turn += TWO_PI;
    if (!(wheel->turn > 0.0) || wheel->before < 0)
        return;
    const rvPlace *from = &route->places[wheel->before], *to = wheel + 1;
    while (to < route->places + route->spanCount && rv_place_is_wheel(to) && !to->on)
        to += 1;
    rvVec3 a = rv_place_is_wheel(from) ? rim(from, from->out) : from->out;
    rvVec3 d = rvSub(rv_place_is_wheel(to) ? rim(to, to->in) : to->in, a), w = rvSub(wheel->point, a);
    double along = rvDot(d, wheel->axis);
    rvVec3 flat = rvMulAdd(d, -along, wheel->axis);
    double size = rvDot(flat, flat), t = size > 0.0 ? rvDot(w, flat) / size : 0.5; // nearest to the axis
    if (fabs(fmin(fmax(t, 0.0), 1.0) * along - rvDot(w, wheel->axis)) > wheel->radius)
        wheel->turn -= TWO_PI;
}

// The wraps of inner wheels, and which of them the cable is on. Answers whether it left or met one. A drum at an end
// has no other side to leave by.
static bool find_wraps(rvRoute* route)
{
    bool changed = false;
    for (int i = 1; i < route->placeCount - 1; ++i) {
        rvPlace* place = &route->places[i];
        if (!rv_place_is_wheel(place))
            continue;
        place->turn = has_moved(place) ? wrap_angle(place) : place->state.angle;
        if (!(place->state.angle > 0.0))
            stay_beside(route, place);
        changed = changed || (place->turn > 0.0) != place->on;
        place->on = place->turn > 0.0;
    }
    return changed;
}

// Signed angle of direction n from the mark, in the direction of travel, nearest to `near`.
static double angle_from_mark(const rvPlace* wheel, rvVec3 mark, rvVec3 n, double near)
{
    double angle = atan2(wheel->side * rvDot(wheel->axis, rvCross(mark, n)), rvDot(mark, n));
    return nearest_turn(angle, near);
}

static rvVec3 to_body(const rvBodyStore* bodies, const rvPlace* place, rvVec3 v)
{
    return place->body < 0 ? v : rvRotateBack(bodies->items[place->body].state.q, v);
}

static rvVec3 to_world(const rvBodyStore* bodies, const rvPlace* place, rvVec3 v)
{
    return place->body < 0 ? v : rvRotate(bodies->items[place->body].state.q, v);
}

// What the next update starts from. The points are those of the state, so that they are found again from it.
static void keep_wheel(rvPlace* place, const rvBodyStore* bodies, bool first, bool last)
{
    rvPlaceState* s = &place->state;
    s->in = to_body(bodies, place, place->in);
    s->out = to_body(bodies, place, place->out);
    place->in = to_world(bodies, place, s->in);
    place->out = to_world(bodies, place, s->out);
    rvVec3 mark = to_world(bodies, place, place->state.mark);
    if (first)
        s->angle = angle_from_mark(place, mark, place->out, s->angle);
    else if (last)
        s->angle = angle_from_mark(place, mark, place->in, s->angle);
    else
        s->angle = place->turn;
    if (s->isJunction != 0.0)
        s->inAngle = angle_from_mark(place, mark, place->in, s->inAngle);
}

// Tangent points as points, and arcs; only a junction needs to know which part of its arc is on which side of the mark.
static void finish_wheel(rvPlace* place, bool last)
{
    const rvPlaceState* s = &place->state;
    place->turn = s->angle;
    place->arcBefore = place->arcAfter = 0.0;
    if (place->on && last)
        place->arcBefore = -place->radius * s->angle;
    else if (place->on && s->isJunction != 0.0)
        rv_wheel_split_arc(place);
    else if (place->on)
        place->arcAfter = place->radius * s->angle;
    place->in = rim(place, place->in);
    place->out = rim(place, place->out);
}

// A wheel that the cable has left lies beside it: its place on the straight line, behind that of one before it which
// was left too, keeps the spans countable.
static void lay_beside(rvRoute* route, rvPlace* place)
{
    rvVec3 a = place[-1].out, b = route->places[place->after].in;
    rvVec3 d = rvSub(b, a);
    double d2 = rvDot(d, d);
    double t = d2 > 0.0 ? rvDot(rvSub(place->point, a), d) / d2 : 0.5;
    place->in = place->out = rvMulAdd(a, fmin(fmax(t, 0.0), 1.0), d);
    place->turn = 0.0;
}

static void find_neighbours(rvRoute* route)
{
    int before = -1;
    for (int i = 0; i < route->placeCount; ++i) {
        route->places[i].before = before;
        if (route->places[i].on)
            before = i;
    }
    int after = -1;
    for (int i = route->placeCount - 1; i >= 0; --i) {
        route->places[i].after = after;
        if (route->places[i].on)
            after = i;
    }
}

// Of a span without length: beside a wheel that was left it is part of a line that has one.
static rvVec3 direction_of(const rvRoute* route, int span)
{
    const rvPlace *from = &route->places[span], *to = from + 1;
    if (from->on && to->on)
        return rvVec(0, 0, 0);
    from = from->on ? from : &route->places[from->before];
    to = to->on ? to : &route->places[to->after];
    rvVec3 d = rvSub(to->in, from->out);
    double length = rvLength(d);
    return length > SHORTEST_SPAN ? rvScale(1.0 / length, d) : rvVec(0, 0, 0);
}

static void measure(rvRoute* route, const rvBodyStore* bodies)
{
    route->length = 0.0;
    for (int i = 0; i < route->spanCount; ++i) {
        rvSpan* span = &route->spans[i];
        rvVec3 d = rvSub(route->places[i + 1].in, route->places[i].out);
        span->length = rvLength(d);
        span->u = span->length > SHORTEST_SPAN ? rvScale(1.0 / span->length, d) : direction_of(route, i);
        route->length += span->length;
    }
    for (int i = 0; i < route->placeCount; ++i) {
        rvPlace* place = &route->places[i];
        if (rv_place_is_wheel(place)) {
            route->length += place->arcBefore + place->arcAfter;
            if (place->body >= 0) {
                place->armIn = rvSub(place->in, bodies->items[place->body].state.x);
                place->armOut = rvSub(place->out, bodies->items[place->body].state.x);
            }
        } else if (place->type == RV_PLACE_CONTACT) {
            route->length += place->arcBefore + place->arcAfter;
        } else if (place->friction > 0.0 && i > 0 && i < route->spanCount) {
            rvVec3 before = route->spans[i - 1].u, after = route->spans[i].u;
            place->turn = atan2(rvLength(rvCross(before, after)), rvDot(before, after));
        }
    }
}

// Which wheels the cable is on, by the state. Answers whether there are any wheels.
static bool find_on(rvRoute* route)
{
    bool wheels = false;
    for (int i = 0; i < route->placeCount; ++i) {
        rvPlace* place = &route->places[i];
        bool wheel = rv_place_is_wheel(place);
        bool inner = i > 0 && i < route->placeCount - 1;
        place->on = !wheel || !inner || place->state.angle > 0.0;
        place->sweptIn = place->sweptOut = 0;
        if (!wheel && place->type != RV_PLACE_CONTACT)
            place->in = place->out = place->point;
        wheels = wheels || wheel;
    }
    return wheels;
}

// All that follows from the state.
static void lay(rvRoute* route, const rvBodyStore* bodies, bool wheels)
{
    if (wheels)
        find_neighbours(route);
    for (int i = 0; wheels && i < route->placeCount; ++i)
        if (rv_place_is_wheel(&route->places[i]))
            finish_wheel(&route->places[i], i > 0 && i == route->placeCount - 1);
    for (int i = 0; wheels && i < route->placeCount; ++i)
        if (!route->places[i].on)
            lay_beside(route, &route->places[i]);
    measure(route, bodies);
}

void rv_route_lay(rvRoute* route, const rvBodyStore* bodies)
{
    carry(route, bodies);
    lay(route, bodies, find_on(route));
}

void rv_route_update(rvRoute* route, const rvBodyStore* bodies)
{
    carry(route, bodies);
    bool wheels = find_on(route);
    // the wraps cost more than a sweep: once the tangent points have settled. A wheel that was left or met changes who
    // looks at whom: all is swept again
    for (int i = 0; wheels && i < MOST_SWEEPS;) {
        int number = 1;
        while (i++ < MOST_SWEEPS && sweep(route, number))
            number += 1;
        if (!find_wraps(route))
            break;
    }
    for (int i = 0; wheels && i < route->placeCount; ++i)
        if (rv_place_is_wheel(&route->places[i]) && has_moved(&route->places[i]))
            keep_wheel(&route->places[i], bodies, i == 0, i == route->placeCount - 1);
    lay(route, bodies, wheels);
}

void rv_route_set_mark(rvRoute* route, const rvBodyStore* bodies, int place)
{
    rvPlace* wheel = &route->places[place];
    // half way round from the way in, in the direction of travel
    rvVec3 in = to_world(bodies, wheel, wheel->state.in);
    double half = place == 0 || place == route->placeCount - 1 ? 0.0 : 0.5 * fmin(wheel->state.angle, TWO_PI);
    rvVec3 start = place == 0 ? to_world(bodies, wheel, wheel->state.out) : in;
    rvQuat turn = rvQuatFromRotation(rvScale(wheel->side * half, wheel->axis));
    wheel->state.mark = to_body(bodies, wheel, rvRotate(turn, start));
    wheel->state.inAngle = -half;
}

void rv_wheel_split_arc(rvPlace* wheel)
{
    wheel->arcBefore = -wheel->radius * wheel->state.inAngle;
    wheel->arcAfter = wheel->radius * (wheel->turn + wheel->state.inAngle);
}

// The side on which the cable passes: the wheel lies inside the bend.
static double side_of(const rvRoute* route, int i)
{
    const rvPlace* wheel = &route->places[i];
    rvVec3 before = i > 0 ? route->places[i - 1].point : wheel->point;
    rvVec3 after = i + 1 < route->placeCount ? route->places[i + 1].point : wheel->point;
    double turn = rvDot(wheel->axis, rvCross(rvSub(wheel->point, before), rvSub(after, wheel->point)));
    return turn < 0.0 ? -1.0 : 1.0;
}

void rv_route_begin(rvRoute* route, const rvBodyStore* bodies)
{
    carry(route, bodies);
    for (int i = 0; i < route->placeCount; ++i) {
        rvPlace* place = &route->places[i];
        if (!rv_place_is_wheel(place) || !place->isNew)
            continue;
        if (place->side == 0.0)
            place->side = side_of(route, i);
        place->state.in = place->state.out = place->state.mark = to_body(bodies, place, rvAcross(place->axis));
    }
    // twice: the first time finds the least wrap, -135 to 225 degrees (negative: the cable passes beside the wheel);
    // whole turns come on top of it
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < route->placeCount; ++i) {
            rvPlace* place = &route->places[i];
            bool inner = i > 0 && i < route->placeCount - 1;
            if (!rv_place_is_wheel(place) || !inner || !place->isNew)
                continue;
            if (round == 0)
                place->state.angle = 0.125 * TWO_PI;
            else
                place->state.angle += TWO_PI * place->extraTurns;
        }
        rv_route_update(route, bodies);
    }
    for (int i = 0; i < route->placeCount; ++i) {
        rvPlace* place = &route->places[i];
        if (rv_place_is_wheel(place) && place->isNew) {
            rv_route_set_mark(route, bodies, i);
            if (i == 0 || i == route->placeCount - 1)
                place->state.angle = 0.0;
        }
        place->isNew = false;
    }
    rv_route_update(route, bodies);
}

void rv_place_add_force(const rvPlace* place, rvVec3 arm, double factor, rvVec3 u, const rvRows* rows, int group,
                        int row)
{
    if (place->slot < 0)
        return;
    double* j = rv_group_jacobian(rows, group, place->slot)[row];
    rvVec3 turning = rvCross(arm, u);
    j[0] += factor * u.x;
    j[1] += factor * u.y;
    j[2] += factor * u.z;
    j[3] += factor * turning.x;
    j[4] += factor * turning.y;
    j[5] += factor * turning.z;
}

void rv_route_add_point(const rvPlace* place, rvVec3 arm, double factor, rvVec3 u, const rvRows* rows, int group,
                        int row)
{
    if (rv_place_is_crossing(place))
        rv_crossing_add(place, factor, u, rows, group, row);
    else
        rv_place_add_force(place, arm, factor, u, rows, group, row);
}

// The rim turns against the carrier and takes rope along: factor * s r on the spin, taken off the carrier's own
// turning. The rope lies in the groove, so the fleet angle does not count here.
static void add_spin(const rvPlace* wheel, double factor, const rvRows* rows, int group, int row)
{
    if (wheel->wheelSlot < 0)
        return;
    double share = factor * wheel->side * wheel->radius;
    double* spin = rv_group_jacobian(rows, group, wheel->wheelSlot)[row];
    spin[3] += share * wheel->axis.x;
    spin[4] += share * wheel->axis.y;
    spin[5] += share * wheel->axis.z;
    if (wheel->slot >= 0) {
        double* j = rv_group_jacobian(rows, group, wheel->slot)[row];
        j[3] -= share * wheel->axis.x;
        j[4] -= share * wheel->axis.y;
        j[5] -= share * wheel->axis.z;
    }
}

bool rv_wheel_slope(const rvPlace* wheel, rvVec3 from, double way, rvVec3* slope)
{
    rvVec3 d = rvSub(from, wheel->point);
    rvVec3 flat = rvMulAdd(d, -rvDot(d, wheel->axis), wheel->axis);
    double rho = rvLength(flat), r = wheel->radius;
    if (!(rho > 1e-3 * r))
        return false;
    rvVec3 e = rvScale(1.0 / rho, flat);
    if (!(rho > r * (1.0 + 1e-9))) { // inside the rim: the nearest point of it goes along
        *slope = rvScale(wheel->side / rho, rvCross(wheel->axis, e));
        return true;
    }
    *slope =
        rvMulAdd(rvScale(wheel->side / rho, rvCross(wheel->axis, e)), way * r / (rho * sqrt(rho * rho - r * r)), e);
    return true;
}

// The tangent point runs along the rim when the neighbour moves: factor * r (1 - cos fleet) * alpha'.
static void add_fleet(const rvPlace* wheel, const rvPlace* other, rvVec3 from, rvVec3 fromArm, double way,
                      double factor, rvVec3 u, rvVec3 n, const rvRows* rows, int group, int row)
{
    double lost = 1.0 - rvDot(u, rvScale(wheel->side, rvCross(wheel->axis, n)));
    if (lost < 1e-12)
        return;
    rvVec3 slope;
    if (rv_wheel_slope(wheel, from, way, &slope)) {
        double weight = factor * wheel->radius * lost;
        rv_route_add_point(other, fromArm, weight, slope, rows, group, row);
        rv_place_add_force(wheel, rv_wheel_arm_to(wheel, from), -weight, slope, rows, group, row);
    }
}

// Can anything move it?
static bool moves(const rvPlace* place)
{
    return place->slot >= 0 || place->wheelSlot >= 0 || rv_place_is_crossing(place);
}

void rv_route_add_in(const rvRoute* route, int i, double factor, const rvRows* rows, int group, int row)
{
    const rvPlace* place = &route->places[i];
    if (i == 0 || !place->on)
        return;
    rvVec3 u = route->spans[i - 1].u;
    bool own = moves(place);
    if (own)
        rv_route_add_point(place, place->armIn, factor, u, rows, group, row);
    if (!rv_place_is_wheel(place) || !(own || moves(&route->places[place->before])))
        return;
    const rvPlace* other = &route->places[place->before];
    add_spin(place, factor, rows, group, row);
    rvVec3 n = rvScale(1.0 / place->radius, rvSub(place->in, place->point));
    add_fleet(place, other, other->out, other->armOut, 1.0, -factor, u, n, rows, group, row);
}

void rv_route_add_out(const rvRoute* route, int i, double factor, const rvRows* rows, int group, int row)
{
    const rvPlace* place = &route->places[i];
    if (i == route->spanCount || !place->on)
        return;
    rvVec3 u = route->spans[i].u;
    bool own = moves(place);
    if (own)
        rv_route_add_point(place, place->armOut, -factor, u, rows, group, row);
    if (!rv_place_is_wheel(place) || !(own || moves(&route->places[place->after])))
        return;
    const rvPlace* other = &route->places[place->after];
    add_spin(place, -factor, rows, group, row);
    rvVec3 n = rvScale(1.0 / place->radius, rvSub(place->out, place->point));
    add_fleet(place, other, other->in, other->armIn, -1.0, factor, u, n, rows, group, row);
}
