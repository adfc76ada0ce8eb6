// SPDX-License-Identifier: MIT
// Where ropes begin to cross. After shapes were looked at, every span has gone from where it was to where it is; two
// spans that passed through each other on the way (rv_rope_cross) get a place each at one point, nearer to the one that
// pulls more; from there the point slides to where the pulls balance. Spans that hang off their chords are looked at
// piece by piece along their curves. Rope with mass is caught as it moves: the point goes on with the momentum of both,
// the rest is heat. Which rope came from which side is remembered as the direction in which the first presses. A rope
// that lay on the other before was on no side of it: both may lie on one flat face.
#include "cable/crossing/crossing.h"

#include "cable/core/model.h"
#include "cable/route/route.h"
#include "cable/route/segment.h"
#include "cable/route/twist.h"
#include "cable/taut/cable_contact.h"
#include "cable/taut/obstacle_parts.h"

#include <string.h>

void rv_crossings_remember(rvCable* cable)
{
    for (int i = 0; i < cable->route.placeCount; ++i) {
        rvPlace* place = &cable->route.places[i];
        place->state.crossIn = place->in;
        place->state.crossOut = place->out;
    }
}

static void widen(rvVec3 box[2], rvVec3 p)
{
    box[0] = rvVec(fmin(box[0].x, p.x), fmin(box[0].y, p.y), fmin(box[0].z, p.z));
    box[1] = rvVec(fmax(box[1].x, p.x), fmax(box[1].y, p.y), fmax(box[1].z, p.z));
}

static bool boxes_meet(const rvVec3 a[2], const rvVec3 b[2])
{
    return a[0].x <= b[1].x + RV_CROSSING_APART && b[0].x <= a[1].x + RV_CROSSING_APART &&
           a[0].y <= b[1].y + RV_CROSSING_APART && b[0].y <= a[1].y + RV_CROSSING_APART &&
           a[0].z <= b[1].z + RV_CROSSING_APART && b[0].z <= a[1].z + RV_CROSSING_APART;
}

// A span as it was and as it is.
typedef struct {
    rvVec3 was[2], now[2];
} motion;

static void box_of(const motion* m, rvVec3 box[2])
{
    box[0] = box[1] = m->was[0];
    widen(box, m->was[1]);
    widen(box, m->now[0]);
    widen(box, m->now[1]);
}

// The box around it: with all that hangs off the chord.
static motion motion_of(const rvCable* cable, int span, rvVec3 box[2])
{
    rvSpanShape shape = {0};
    if (cable->model->span)
        cable->model->span->measure(cable, span, &shape);
    double off = shape.bulge;
    const rvPlace *a = &cable->route.places[span], *b = a + 1;
    motion m = {{a->state.crossOut, b->state.crossIn}, {a->out, b->in}};
    box_of(&m, box);
    box[0] = rvSub(box[0], rvVec(off, off, off));
    box[1] = rvAdd(box[1], rvVec(off, off, off));
    return m;
}

// A span piece by piece.
typedef struct {
    motion chord;
    int inner; // points between its ends; 0: it is straight
    rvVec3 *was, *now;
} line;

// rope: 0 or 1, of the two that are compared.
static line line_of(const rvCableStore* store, const rvCable* cable, int span, int rope, bool straight)
{
    rvVec3 box[2];
    int room = store->traceCapacity / 4;
    rvVec3* points = store->traces ? store->traces + 2 * rope * room : NULL;
    line l = {.chord = motion_of(cable, span, box), .was = points, .now = points ? points + room : NULL};
    if (!straight && cable->model->span)
        l.inner = cable->model->span->trace(cable, span, l.was, l.now, room);
    return l;
}

static motion piece_of(const line* l, int k)
{
    motion m = l->chord;
    if (k > 0) {
        m.was[0] = l->was[k - 1];
        m.now[0] = l->now[k - 1];
    }
    if (k < l->inner) {
        m.was[1] = l->was[k];
        m.now[1] = l->now[k];
    }
    return m;
}

#define OVERLAP 1e-6 // of a piece: so that nothing passes between two

// Piece k of a line, a little longer than it is.
static motion longer(const line* l, int k)
{
    motion m = piece_of(l, k), n = m;
    for (int e = 0; e < 2 && l->inner > 0; ++e) {
        n.was[e] = rvMulAdd(m.was[e], OVERLAP, rvSub(m.was[e], m.was[1 - e]));
        n.now[e] = rvMulAdd(m.now[e], OVERLAP, rvSub(m.now[e], m.now[1 - e]));
    }
    return n;
}

static bool takes_part(const rvCableStore* store, int index)
{
    const rvCable* cable = &store->items[index];
    return rv_id_pool_alive(&store->pool, index) && rv_cable_has(cable, RV_SEGMENTS) && cable->collides &&
           cable->state.broken == 0.0 && !cable->loose && !store->hosted;
}

static void box_rope(rvCableStore* store, int index)
{
    rvVec3* whole = store->ropeBoxes[index];
    const rvCable* cable = &store->items[index];
    for (int i = 0; i < cable->route.spanCount; ++i) {
        rvVec3 box[2];
        motion_of(cable, i, box);
        if (i == 0)
            memcpy(whole, box, sizeof box);
        widen(whole, box[0]);
        widen(whole, box[1]);
    }
}

static int number_at(const rvPlace* place)
{
    return rv_place_is_crossing(place) ? place->state.node.feature : 0;
}

// Do spans i and k of two ropes end where the ropes hold each other already? Lines from one point meet nowhere else.
static bool hold_each_other(const rvRoute* a, int i, const rvRoute* b, int k)
{
    for (int p = i; p <= i + 1; ++p)
        for (int q = k; number_at(&a->places[p]) > 0 && q <= k + 1; ++q)
            if (number_at(&b->places[q]) == number_at(&a->places[p]))
                return true;
    return false;
}

// Not so near to an end of a span that the other rope would slip off it. A crossing at the end holds it off: there it
// is moved inwards.
static bool is_inside(double* s, const rvRoute* route, int span, double thick)
{
    double length = rvDistance(route->places[span].out, route->places[span + 1].in), least = 1.5 * thick;
    if (length > 2.0 * least && rv_place_is_crossing(&route->places[span]))
        *s = fmax(*s, 1.001 * least / length);
    if (length > 2.0 * least && rv_place_is_crossing(&route->places[span + 1]))
        *s = fmin(*s, 1.0 - 1.001 * least / length);
    return *s * length > least && (1.0 - *s) * length > least;
}

static rvVec3 between(const rvVec3 ends[2], double s)
{
    return rvMulAdd(ends[0], s, rvSub(ends[1], ends[0]));
}

static bool passed_through(const motion* a, const motion* b, rvRopeCross* cross)
{
    bool met = rv_rope_cross(a->was, a->now, b->was, b->now, cross) && cross->separation < 0.0;
    if (!met && !rv_rope_touch(a->was, a->now, b->was, b->now, RV_CROSSING_APART, cross))
        return false;
    double before = rvDot(cross->normal, rvSub(between(b->was, cross->s[1]), between(a->was, cross->s[0])));
    return before > RV_CROSSING_APART;
}

static int crossings_of(const rvCable* cable)
{
    int count = 0;
    for (int i = 0; i < cable->route.placeCount; ++i)
        count += rv_place_is_crossing(&cable->route.places[i]);
    return count;
}

static bool has_room(rvCable* cable, int places)
{
    bool room = cable->route.placeCount + places <= cable->route.capacity &&
                crossings_of(cable) + places <= rv_crossing_room(cable);
    cable->droppedContacts += room ? 0 : 1;
    return room;
}

// The least number that no crossing has.
static int free_number(const rvCableStore* store)
{
    for (int number = 1;; ++number) {
        bool taken = false;
        for (int c = 0; c < store->pool.count && !taken; ++c)
            for (int i = 0; rv_id_pool_alive(&store->pool, c) && i < store->items[c].route.placeCount && !taken; ++i)
                taken = number_at(&store->items[c].route.places[i]) == number;
        if (!taken)
            return number;
    }
}

static void insert(rvCable* cable, int span, const rvPlace* place)
{
    rvRoute* route = &cable->route;
    rvPlace* at = &route->places[span + 1];
    memmove(at + 1, at, (size_t)(route->placeCount - span - 1) * sizeof(rvPlace));
    *at = *place;
    at->state.tension = route->places[span].state.tension;
    route->placeCount += 1;
    route->spanCount += 1;
}

// Where two spans met, and where on them: shares of both.
typedef struct {
    rvRopeCross cross;
    motion moved[2]; // of the pieces that met, at cross.s
    double share[2];
} meeting;

// The velocity with which rope with mass is caught: that of both together; zero where none has mass.
static rvVec3 caught_velocity(const rvCableStore* store, const rvBodyStore* bodies, const int cables[2],
                              const int spans[2], const double share[2], double h)
{
    rvVec3 sum = {0, 0, 0};
    double mass = 0.0;
    for (int s = 0; s < 2; ++s) {
        const rvCable* cable = &store->items[cables[s]];
        if (!rv_cable_has(cable, RV_HAS_MASS))
            continue;
        rvVec3 at, speed;
        double own = cable->massPerLength * cable->route.spans[spans[s]].length;
        rv_cable_point(cable, bodies, h, spans[s], share[s], &at, &speed);
        sum = rvMulAdd(sum, own, speed);
        mass += own;
    }
    return mass > 0.0 ? rvScale(1.0 / mass, sum) : rvVec(0, 0, 0);
}

static rvPlace place_at(const rvCableStore* store, const rvCable* first, const rvCable* second, const meeting* met,
                        const int spans[2])
{
    double weight = rv_crossing_weight(first, spans[0], 0.0), other = rv_crossing_weight(second, spans[1], 0.0);
    const rvVec3* points = met->cross.points;
    rvVec3 x = rvMulAdd(points[0], other / (weight + other), rvSub(points[1], points[0]));
    rvPlace place = {.type = RV_PLACE_CONTACT, .body = -1, .slot = -1, .wheelSlot = -1, .on = true};
    place.friction = place.state.grip = sqrt(first->friction * second->friction);
    place.state.contact = 1.0;
    place.state.shapeBody = -1.0;
    place.state.localIn = place.state.localOut = x;
    place.state.node = (rvRopeNode){.shape = -1, .kind = RV_ROPE_EDGE, .feature = free_number(store)};
    place.state.node.t = 0.5 * (first->diameter + second->diameter);
    place.state.node.in = met->cross.normal;
    return place;
}

// The two ropes, a span of each, hold each other from now on. No row saw the ropes bend in this step: their stretch at
// the middle of it, by which their energy is read and the next rows are biased, stays what it was (massless_advance.c).
static void begin_crossing(rvCableStore* store, const rvBodyStore* bodies, const int cables[2], const int spans[2],
                           const meeting* met, const rvStepContext* context)
{
    rvCable *first = &store->items[cables[0]], *second = &store->items[cables[1]];
    int ropes = first == second ? 1 : 2;
    rvPlace place = place_at(store, first, second, met, spans);
    place.state.node.out = caught_velocity(store, bodies, cables, spans, met->share, context->h);
    for (int s = 0; s < ropes; ++s) {
        rvCable* cable = s ? second : first;
        cable->state.heat += rv_cable_rope_energy(cable, bodies, context);
        rv_cable_follow(cable, bodies, (rvChange){.kind = RV_CHANGE_CONTACTS, .before = true, .h = context->h});
    }
    for (int s = 1; s >= 0; --s) { // the later place of one and the same rope first
        place.state.wasIn = place.state.wasOut = met->cross.points[s];
        place.state.crossIn = place.state.crossOut = between(met->moved[s].was, met->cross.s[s]);
        insert(s ? second : first, spans[s], &place);
    }
    for (int s = 0; s < ropes; ++s) {
        rvCable* cable = s ? second : first;
        rv_route_collect_bodies(&cable->route, bodies);
        rv_route_update(&cable->route, bodies);
        rv_cable_match(cable, bodies);
        rv_cable_follow(cable, bodies, (rvChange){.kind = RV_CHANGE_CONTACTS, .h = context->h});
        cable->state.heat -= rv_cable_rope_energy(cable, bodies, context);
        rv_twist_refresh(cable, bodies);
    }
    rv_cables_note_crossing(store, cables[0], cables[1], true);
}

// Sorts the spans of a rope along the axis in which it is longest.
static int sort_spans(rvCableStore* store, int index)
{
    const rvCable* cable = &store->items[index];
    rvVec3 size = rvSub(store->ropeBoxes[index][1], store->ropeBoxes[index][0]);
    int axis = rv_longest_axis(size);
    for (int k = 0; k < cable->route.spanCount; ++k) {
        rvVec3 box[2];
        motion_of(cable, k, box);
        store->sorted[k] = (rvInterval){rv_along_axis(box[0], axis) - RV_CROSSING_APART,
                                        rv_along_axis(box[1], axis) + RV_CROSSING_APART, 0.0, k};
    }
    rv_intervals_sort(store->sorted, cable->route.spanCount);
    return axis;
}

// The place at a share of a line: on which piece, and where on it.
static motion piece_at(const line* l, double share, double* s)
{
    int k = (int)(share * (l->inner + 1));
    k = k < l->inner ? k : l->inner;
    *s = share * (l->inner + 1) - k;
    return piece_of(l, k);
}

// Have two spans passed through each other? Tells on which shares of them.
static bool lines_met(const line* a, const line* b, meeting* met)
{
    for (int i = 0; i <= a->inner; ++i)
        for (int k = 0; k <= b->inner; ++k) {
            motion m = longer(a, i), n = longer(b, k);
            rvVec3 box[2], other[2];
            box_of(&m, box);
            box_of(&n, other);
            if (!boxes_meet(box, other) || !passed_through(&m, &n, &met->cross))
                continue;
            met->share[0] = fmin(fmax((i + met->cross.s[0]) / (a->inner + 1), 0.0), 1.0);
            met->share[1] = fmin(fmax((k + met->cross.s[1]) / (b->inner + 1), 0.0), 1.0);
            return true;
        }
    return false;
}

// Have span i of rope a and span k of rope b passed through each other? A rope looks at itself by its chords.
static bool cross_each_other(const rvCableStore* store, const rvCable* a, int i, const rvVec3 box[2], const rvCable* b,
                             int k, meeting* met)
{
    rvVec3 other[2];
    double thick = 0.5 * (a->diameter + b->diameter);
    motion_of(b, k, other);
    if (!boxes_meet(box, other) || hold_each_other(&a->route, i, &b->route, k))
        return false;
    line lines[2] = {line_of(store, a, i, 0, a == b), line_of(store, b, k, 1, a == b)};
    if (!lines_met(&lines[0], &lines[1], met) || !is_inside(&met->share[0], &a->route, i, thick) ||
        !is_inside(&met->share[1], &b->route, k, thick))
        return false;
    for (int s = 0; s < 2; ++s) {
        met->moved[s] = piece_at(&lines[s], met->share[s], &met->cross.s[s]);
        met->cross.points[s] = between(met->moved[s].now, met->cross.s[s]);
    }
    return true;
}

enum { MOST_FOUND = 32 };

// The first pair of spans of two ropes that passed through each other. False: there is none.
static bool find_pair(rvCableStore* store, const rvBodyStore* bodies, int c, int d, const rvStepContext* context)
{
    rvCable *a = &store->items[c], *b = &store->items[d];
    int axis = sort_spans(store, d), spans = b->route.spanCount;
    for (int i = 0; i < a->route.spanCount; ++i) {
        rvVec3 box[2];
        motion_of(a, i, box);
        if (c != d && !boxes_meet(box, store->ropeBoxes[d]))
            continue;
        int found[MOST_FOUND];
        int count = rv_intervals_find(store->sorted, spans, rv_along_axis(box[0], axis), rv_along_axis(box[1], axis),
                                      found, MOST_FOUND);
        bool all = count < 0;
        for (int n = 0; n < (all ? spans : count); ++n) {
            int k = all ? n : found[n];
            meeting met;
            if ((c == d && k < i + 2) || !cross_each_other(store, a, i, box, b, k, &met))
                continue;
            if (!has_room(a, c == d ? 2 : 1) || (c != d && !has_room(b, 1)))
                return false;
            begin_crossing(store, bodies, (int[2]){c, d}, (int[2]){i, k}, &met, context);
            return true;
        }
    }
    return false;
}

// Ropes that came apart in this step were not straight before: their spans tell nothing of it.
static bool came_apart(const rvCableStore* store, int c, int d)
{
    for (int i = 0; i < store->crossingChangeCount; ++i) {
        const rvCrossingChange* change = &store->crossingChanges[i];
        if (!change->began && change->cable[0] == c && change->cable[1] == d)
            return true;
    }
    return false;
}

void rv_crossings_part(rvCableStore* store, const rvBodyStore* bodies, double h)
{
    rv_crossings_collect(store, bodies);
    if (rv_crossings_let_go(store, h))
        rv_crossings_collect(store, bodies);
}

void rv_crossings_collide(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context)
{
    rv_crossings_collect(store, bodies);
    for (int c = 0; c < store->pool.count; ++c)
        if (takes_part(store, c))
            box_rope(store, c);
    bool found = false;
    for (int c = 0; c < store->pool.count; ++c)
        for (int d = c; d < store->pool.count && takes_part(store, c); ++d) {
            const rvCable *a = &store->items[c], *b = &store->items[d];
            if (!takes_part(store, d) || came_apart(store, c, d) || !(a->shapeGroup & b->mask) ||
                !(b->shapeGroup & a->mask) || !boxes_meet(store->ropeBoxes[c], store->ropeBoxes[d]))
                continue;
            while (find_pair(store, bodies, c, d, context))
                found = true;
        }
    if (found)
        rv_crossings_collect(store, bodies);
    rv_crossings_measure(store);
    for (int c = 0; c < store->pool.count; ++c)
        if (rv_id_pool_alive(&store->pool, c) && store->items[c].collides)
            rv_crossings_remember(&store->items[c]);
}

// Do all four spans at a crossing meet the shape.
static bool meets_crossing(const rvCableStore* store, const rvCrossing* crossing, const rvShape* shape)
{
    for (int s = 0; s < 2; ++s) {
        const rvCable* cable = &store->items[crossing->cable[s]];
        const rvRoute* route = &cable->route;
        int before = crossing->place[s] - 1, after = rv_route_next_end(route, crossing->place[s]);
        while (rv_place_is_on_shape(&route->places[before]))
            before -= 1;
        if (!rv_cable_may_touch(cable, shape) || route->places[before].body == shape->body ||
            route->places[after].body == shape->body)
            return false;
    }
    return true;
}

// The balance by which a crossing moves knows of no shapes: where it would lie inside a convex one, both ropes press on
// the surface, and the point is there. Spans that end inside a shape could not be swept.
void rv_crossings_keep_out(rvCableStore* store, const rvShapeStore* shapes)
{
    for (int k = 0; k < store->crossingCount; ++k) {
        const rvCrossing* crossing = &store->crossings[k];
        rvVec3 x = store->items[crossing->cable[0]].route.places[crossing->place[0]].state.localIn;
        for (int i = 0; i < shapes->pool.count; ++i) {
            const rvShape* shape = &shapes->items[i];
            rvVec3 local = rvPosePointBack(shape->pose, x), at, normal;
            double depth = rv_id_pool_alive(&shapes->pool, i) && meets_crossing(store, crossing, shape)
                               ? rv_rope_deepest(shape, local, local, &at, &normal)
                               : 0.0;
            if (depth > 0.0)
                x = rvPosePoint(shape->pose, rvMulAdd(local, depth, normal));
        }
        for (int s = 0; s < 2; ++s) {
            rvPlace* place = &store->items[crossing->cable[s]].route.places[crossing->place[s]];
            place->state.localIn = place->state.localOut = place->point = place->in = place->out = x;
        }
    }
}
