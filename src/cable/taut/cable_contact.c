// SPDX-License-Identifier: MIT
// Where cables lie on shapes: contact places between the places of the definition.
//
// After the bodies moved, each span of a cable that collides is swept from where it was to where it is (obstacle.h);
// the nodes that come of it become places of type contact, which the route and the models treat as any other
// place: the cable slides over them with friction, pulls on their bodies, and leaves them. A contact is known again by
// its shape and feature and then keeps its state; the rope of one that goes joins the segment before it.
// A span does not meet the shapes of the bodies at its own ends: it begins inside or on them.
#include "cable/taut/cable_contact.h"

#include "cable/core/model.h"
#include "cable/route/route.h"
#include "cable/taut/obstacle_parts.h"

#include <string.h>

// Shapes around a span that are all looked at, without being sorted.
#define FEW 8

// A chord may lie as deep in what it has met [m].
#define INSIDE 1e-6

// By so much longer than its way rope hangs by a seventh of it off it: what its chord meets is nothing to it.
#define SLACK 0.05
// By so much it hangs by a twentieth of it off it: less becomes a place of its route, more goes on meeting shapes by
// its curve.
#define NEARLY_TAUT 0.0067

// Of a segment's rope that goes over a contact when it slides: between two that meet none would be left.
#define MOST_SLID 0.5

// What a look needs.
typedef struct {
    const rvBodyStore* bodies;
    const rvShapeStore* shapes;
    rvCableStore* store;
} Look;

static bool same_feature(const rvRopeNode* a, const rvRopeNode* b)
{
    return a->shape == b->shape && a->kind == b->kind && a->feature == b->feature && a->side == b->side;
}

static void widen(rvVec3* low, rvVec3* high, rvVec3 p)
{
    *low = rvVec(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z));
    *high = rvVec(fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z));
}

// Shapes that the span between places p and q, or a curve of `count` more points, may meet: their boxes, grown by how
// far they moved, overlap its own. Tells the axis along which that is longest.
static int find_near(const Look* look, const rvCable* cable, int p, int q, const rvVec3* more, int count, int* axis)
{
    const rvPlace* a = &cable->route.places[p];
    const rvPlace* b = &cable->route.places[q];
    rvVec3 low = a->out, high = a->out;
    widen(&low, &high, b->in);
    widen(&low, &high, a->state.wasOut);
    widen(&low, &high, b->state.wasIn);
    for (int i = p + 1; i < q; ++i) {
        widen(&low, &high, cable->route.places[i].in);
        widen(&low, &high, cable->route.places[i].out);
    }
    for (int i = 0; i < count; ++i)
        widen(&low, &high, more[i]);
    *axis = rv_longest_axis(rvSub(high, low));
    count = 0;
    for (int i = 0; i < look->shapes->pool.count; ++i) {
        const rvShape* shape = &look->shapes->items[i];
        if (!rv_id_pool_alive(&look->shapes->pool, i) || shape->type == RV_SHAPE_PLANE || shape->body == a->body ||
            shape->body == b->body || !rv_cable_may_touch(cable, shape))
            continue;
        double moved = rvDistance(shape->pose.p, look->store->before[i].p) + 1e-3;
        bool apart = shape->low.x - moved > high.x || shape->high.x + moved < low.x || shape->low.y - moved > high.y ||
                     shape->high.y + moved < low.y || shape->low.z - moved > high.z || shape->high.z + moved < low.z;
        if (!apart)
            look->store->near[count++] = i;
    }
    return count;
}

// The place of a node as found.
static void set_contact(rvPlace* place, const Look* look, const rvCable* cable, const rvRopeNode* node,
                        const rvRopeTouch* touch)
{
    const rvShape* shape = &look->shapes->items[node->shape];
    const rvBodyState* body = &look->bodies->items[shape->body].state;
    rvPlaceState* s = &place->state;
    place->type = RV_PLACE_CONTACT;
    place->body = shape->body;
    place->friction = sqrt(cable->friction * shape->friction);
    s->contact = 1.0;
    s->shapeBody = shape->body;
    s->grip = place->friction;
    s->node = *node;
    s->localIn = rvRotateBack(body->q, rvSub(touch->in, body->x));
    s->localOut = rvRotateBack(body->q, rvSub(touch->out, body->x));
    s->angle = touch->turn;
    s->inAngle = touch->arc;
    place->arrive = touch->arrive;
    place->leave = touch->leave;
}

// What the places of a changing route are put together in.
typedef struct {
    rvCable* cable;
    rvPlace* places;
    int count;
    int start; // where the segment at hand begins
} Build;

static void add_place(Build* build, const rvPlace* place)
{
    build->places[build->count] = *place;
    if (build->count == 0 || place->state.isJunction != 0.0)
        build->start = build->count;
    build->count += 1;
}

static void drop_place(Build* build, const rvPlace* place)
{
    rvPlaceState* into = &build->places[build->start].state;
    into->rest += place->state.rest;
    into->rate += place->state.rate;
    into->laid += place->state.laid;
    into->unpaid += place->state.unpaid;
    into->heat += place->state.heat;
    rvPlace* before = &build->places[build->count - 1];
    before->state.sag += place->state.sag;
    rv_cable_follow(build->cable, NULL, (rvChange){.kind = RV_CHANGE_DROP, .into = before, .from = place});
}

// Where on the rope between two places a new contact was before this step.
static rvVec3 was_at(const rvPlace* before, const rvPlace* after, rvVec3 now)
{
    rvVec3 from = before->state.crossOut, d = rvSub(after->state.crossIn, from);
    double share = rvDot(rvSub(now, from), d) / fmax(rvDot(d, d), 1e-30);
    return rvMulAdd(from, fmin(fmax(share, 0.0), 1.0), d);
}

// The contacts of the span between places p and q become those of the path; known ones keep their state.
static void exchange(Build* build, const Look* look, const rvCable* cable, int p, int q, const rvRopePath* path)
{
    int old = p + 1;
    for (int i = 0; i < path->count; ++i) {
        int known = old;
        while (known < q && !same_feature(&cable->route.places[known].state.node, &path->nodes[i]))
            known += 1;
        const rvPlace* last = &build->places[build->count - 1];
        rvPlace place = {.state.tension = last->state.tension, .state.endTension = last->state.endTension};
        place.state.crossIn = place.state.crossOut = was_at(last, &cable->route.places[old], path->touches[i].in);
        if (known < q) {
            for (; old < known; ++old)
                drop_place(build, &cable->route.places[old]);
            place = cable->route.places[old++];
        }
        set_contact(&place, look, cable, &path->nodes[i], &path->touches[i]);
        add_place(build, &place);
    }
    for (; old < q; ++old)
        drop_place(build, &cable->route.places[old]);
}

static bool is_contact(const rvPlace* place)
{
    return place->type == RV_PLACE_CONTACT;
}

bool rv_place_is_on_shape(const rvPlace* place)
{
    return is_contact(place) && !rv_place_is_crossing(place);
}

// Where the rope on shapes ends: at a place of the definition or where it crosses a rope.
int rv_route_next_end(const rvRoute* route, int p)
{
    do
        p += 1;
    while (rv_place_is_on_shape(&route->places[p]));
    return p;
}

// Was the chord inside a shape? So it is where rope came taut that hung off it and met nothing by it.
static bool was_inside(const Look* look, const rvRopePath* path, const rvObstacles* obstacles)
{
    for (int i = 0; i < obstacles->nearCount; ++i) {
        rvShape shape = look->shapes->items[obstacles->near[i]];
        shape.pose = obstacles->before[obstacles->near[i]];
        if (rv_rope_depth(&shape, path->ends[0], path->ends[1]) > INSIDE)
            return true;
    }
    return false;
}

// A rope that meets shapes by its curve has thickness: its middle stays half of that, r, off the shapes. On a round one
// it lies on a circle as much larger; at an edge it is bent where the two straight ways meet that lie r off it,
// r/cos(turn/2) from it: no arc, which would be shorter by r (2 tan(turn/2) - turn). Edges sharper than that have it at
// 2 r.
static void thicken(const rvCable* cable, rvRopePath* path)
{
    double r = rv_cable_has(cable, RV_MEETS_BY_CURVE) ? 0.5 * cable->diameter : 0.0;
    rvVec3 last = path->ends[0];
    for (int i = 0; r > 0.0 && i < path->count; ++i) {
        rvRopeTouch* touch = &path->touches[i];
        bool wrap = rv_rope_is_wrap(&path->nodes[i]);
        double off = wrap ? r : r / fmax(cos(0.5 * touch->turn), 0.5);
        touch->in = rvMulAdd(touch->in, off, touch->normalIn);
        touch->out = rvMulAdd(touch->out, off, touch->normalOut);
        touch->arc += wrap ? r * touch->turn : 0.0;
        path->length = (i > 0 ? path->length : 0.0) + rvDistance(last, touch->in) + touch->arc;
        last = touch->out;
    }
    if (r > 0.0 && path->count > 0)
        path->length += rvDistance(last, path->ends[1]);
}

static rvObstacles find_obstacles(const Look* look, const rvCable* cable, int p, int q, const rvVec3* more, int count)
{
    int axis;
    rvObstacles obstacles = {.shapes = look->shapes->items, .before = look->store->before, .near = look->store->near};
    obstacles.nearCount = find_near(look, cable, p, q, more, count, &axis);
    if (obstacles.nearCount > FEW)
        rv_obstacles_sort(&obstacles, axis, look->store->sorted);
    return obstacles;
}

// By what share the rope of a span is longer than a path between its ends; 0 where that is not known.
static double slack_of(const rvCable* cable, int span, double path)
{
    rvSpanShape shape;
    cable->model->span->measure(cable, span, &shape);
    return shape.length > 0.0 ? shape.length / fmax(path, 1e-300) - 1.0 : 0.0;
}

// The curve of a rope that hangs off its chord goes around shapes: pulled taut it lies on that side of them. Where it
// is longer than that way by more than `slack` it hangs off that, too, and goes on meeting shapes by its curve alone.
static void follow_curve(const Look* look, const rvCable* cable, int p, double slack, rvRopePath* path)
{
    enum { MOST_POINTS = 129 };
    rvVec3 points[MOST_POINTS];
    int count = cable->model->span->trace(cable, p, NULL, points, MOST_POINTS);
    if (count < 2)
        return;
    rvObstacles obstacles = find_obstacles(look, cable, p, p + 1, points, count);
    rv_rope_follow(path, &obstacles, points, count);
    thicken(cable, path);
    if (path->count > 0 && slack_of(cable, p, path->length) > slack)
        path->count = path->inserted = 0;
}

// Does the curve of a rope lie on shapes off its chord, so that it may be taut? Straight from touch to touch that is
// about its way around them.
static bool wraps(const rvCable* cable, int p)
{
    rvSpanShape shape;
    cable->model->span->measure(cable, p, &shape);
    return shape.touched > (1.0 + RV_TAUT) * cable->route.spans[p].length &&
           slack_of(cable, p, shape.touched) < 2.0 * SLACK;
}

// The way of a taut line from place p to place q of the route, and the rope that the falls there have.
static double old_way(const rvCable* cable, int p, int q, double* rope)
{
    const rvRoute* route = &cable->route;
    double way = 0.0;
    *rope = 0.0;
    for (int i = p; i < q; ++i) {
        double arc = i > p ? route->places[i].state.inAngle : 0.0, length = route->spans[i].length;
        way += arc + length;
        *rope += arc + length * (1.0 + slack_of(cable, i, length));
    }
    return way;
}

// The same from a to b along nodes of a path.
static double new_way(const rvRopePath* path, int first, int last, rvVec3 a, rvVec3 b)
{
    double way = 0.0;
    for (int i = first; i < last; ++i) {
        way += rvDistance(a, path->touches[i].in) + path->touches[i].arc;
        a = path->touches[i].out;
    }
    return way + rvDistance(a, b);
}

static void remove_nodes(rvRopePath* path, int first, int last)
{
    size_t rest = (size_t)(path->count - last);
    memmove(path->nodes + first, path->nodes + last, rest * sizeof *path->nodes);
    memmove(path->touches + first, path->touches + last, rest * sizeof *path->touches);
    path->count -= last - first;
    path->inserted -= path->inserted < last - first ? path->inserted : last - first;
}

// A taut line that slips off an edge is at its next one at once, and one that rope hangs off meets what the rope does
// not. So where nodes came between two that stay, and the rope there is too long for that way, it has none: it falls,
// and meets shapes by its curve. Nodes that came beside others, on a way as long, are those that the rope slid to.
static void fall_off(const rvCable* cable, int p, int q, rvRopePath* path)
{
    const rvPlace* places = cable->route.places;
    int old = p, first = 0;
    while (old < q) {
        int last = first, next = q;
        for (; last < path->count && next == q; last += next == q)
            for (next = old + 1; next < q && !same_feature(&places[next].state.node, &path->nodes[last]);)
                next += 1;
        rvVec3 a = first > 0 ? path->touches[first - 1].out : places[p].out;
        rvVec3 b = last < path->count ? path->touches[last].in : places[q].in;
        double rope, way = old_way(cable, old, next, &rope);
        double most = (1.0 + NEARLY_TAUT) * new_way(path, first, last, a, b);
        if (last > first && rope > most && (next == old + 1 || way > most)) {
            remove_nodes(path, first, last);
            last = first;
        }
        first = last + 1;
        old = next;
    }
}

// Is a node that the path has next to end `end` of the rope, at place p, too near to it? One that is new more so.
static bool passes(const rvCable* cable, int p, int end, const rvRopePath* path)
{
    const rvRoute* route = &cable->route;
    int last = route->placeCount - 1, k = end == 0 ? 0 : path->count - 1;
    if (path->count == 0 || p != (end == 0 ? 0 : last) || route->places[p].type != RV_PLACE_ATTACH)
        return false;
    bool fresh = true;
    for (int i = 1; i < last; ++i)
        fresh =
            fresh && !(is_contact(&route->places[i]) && same_feature(&route->places[i].state.node, &path->nodes[k]));
    rvVec3 near = end == 0 ? path->touches[k].in : path->touches[k].out;
    rvSpanShape shape;
    cable->model->span->measure(cable, end == 0 ? 0 : route->spanCount - 1, &shape);
    return rvDistance(route->places[p].point, near) < (fresh ? 2.0 : 1.0) * shape.reach[end];
}

// An end whose body is drawn up to what the rope lies on goes on over it: between them there is hardly any rope, and
// held there the body would be torn at.
static void pass_ends(const rvCable* cable, int p, int q, rvRopePath* path)
{
    while (passes(cable, p, 0, path))
        remove_nodes(path, 0, 1);
    while (passes(cable, q, 1, path))
        remove_nodes(path, path->count - 1, path->count);
}

// The rope on shapes between places p and q, by the nodes that it had.
static void find_way(const Look* look, const rvCable* cable, int p, int q, bool begin, rvRopePath* path)
{
    const rvRoute* route = &cable->route;
    rvVec3 a = route->places[p].out, b = route->places[q].in;
    bool free = rv_cable_has(cable, RV_MEETS_BY_CURVE) && path->count == 0 && !begin;
    double slack = free ? slack_of(cable, p, route->spans[p].length) : 0.0;
    if (free && wraps(cable, p)) {
        follow_curve(look, cable, p, SLACK, path);
        return;
    }
    if (slack > SLACK)
        return;
    rvObstacles obstacles = find_obstacles(look, cable, p, q, NULL, 0);
    bool inside = free && was_inside(look, path, &obstacles);
    if (begin)
        rv_rope_begin(path, &obstacles, a, b);
    else if (!inside && (obstacles.nearCount > 0 || path->count > 0))
        rv_rope_update(path, &obstacles, a, b);
    thicken(cable, path);
    if (rv_cable_has(cable, RV_MEETS_BY_CURVE) && !free && !begin)
        fall_off(cable, p, q, path);
    if (inside || (slack > RV_TAUT && path->count > 0)) // the curve may be on another side of what the chord meets
        follow_curve(look, cable, p, NEARLY_TAUT, path);
}

static void find_path(const Look* look, const rvCable* cable, int p, int q, bool begin, rvRopePath* path)
{
    find_way(look, cable, p, q, begin, path);
    if (rv_cable_has(cable, RV_MEETS_BY_CURVE) && cable->inner && !begin)
        pass_ends(cable, p, q, path);
}

// One look at all spans of a cable. `begin`: the rope has no past.
static void look_once(const Look* look, rvCable* cable, bool begin)
{
    rvRoute* route = &cable->route;
    rvCableStore* store = look->store;
    Build build = {.cable = cable, .places = store->spare};
    int room = route->capacity - cable->definedCount;
    for (int i = 0; i < route->placeCount; ++i)
        room -= rv_place_is_crossing(&route->places[i]);
    add_place(&build, &route->places[0]);
    for (int p = 0; p < route->placeCount - 1;) {
        int q = rv_route_next_end(route, p);
        rvRopePath path = {.nodes = store->nodes, .touches = store->touches, .capacity = room, .count = 0};
        path.ends[0] = route->places[p].state.wasOut;
        path.ends[1] = route->places[q].state.wasIn;
        for (int i = p + 1; i < q; ++i)
            path.nodes[path.count++] = route->places[i].state.node;
        find_path(look, cable, p, q, begin, &path);
        cable->touched += path.inserted;
        cable->left += path.released;
        cable->droppedContacts += path.dropped;
        room -= path.count;
        exchange(&build, look, cable, p, q, &path);
        add_place(&build, &route->places[q]);
        p = q;
    }
    memcpy(route->places, build.places, (size_t)build.count * sizeof(rvPlace));
    route->placeCount = build.count;
    route->spanCount = build.count - 1;
    rv_route_collect_bodies(route, look->bodies);
    rv_route_update(route, look->bodies);
}

void rv_taut_find_contacts(rvCableStore* store, rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes,
                           bool begin)
{
    const Look look = {bodies, shapes, store};
    // tangent points of wheels and contacts look at each other: twice settles what moves in a step
    bool wheels = false;
    for (int i = 0; i < cable->route.placeCount; ++i)
        wheels = wheels || rv_place_is_wheel(&cable->route.places[i]);
    for (int k = 0; k < (wheels ? 2 : 1); ++k) {
        look_once(&look, cable, begin && k == 0);
        for (int i = 0; i < cable->route.placeCount; ++i) {
            rvPlace* place = &cable->route.places[i];
            place->state.wasIn = place->in;
            place->state.wasOut = place->out;
        }
    }
}

// How far a way goes along a rope that has turned on it: by the mean direction, which is right to the third order.
// Spans between parts of one shape have no length, and no direction before.
static double along(rvVec3 was, rvVec3 now, rvVec3 way)
{
    return 0.5 * rvDot(way, rvAdd(rvDot(was, was) > 0.0 ? was : now, now));
}

// Contacts slid over their shapes, across the rope and along it. That pulls no rope over them: what lay on one side of
// a junction before and lies on the other now goes there with its rest length, as it is stretched. Where it lies on
// both sides under other tensions, the difference is spent on the way (see massless_advance.c).
void rv_taut_slide(rvCable* cable, double h)
{
    rvRoute* route = &cable->route;
    int start = 0;
    for (int i = 1; i < route->spanCount; ++i) {
        rvPlace* place = &route->places[i];
        rvPlaceState *before = &route->places[start].state, *after = &place->state;
        if (after->isJunction == 0.0)
            continue;
        start = i;
        if (!rv_place_is_on_shape(place))
            continue;
        double slid = 0.5 * (along(place->wasArrive, place->arrive, rvSub(place->in, place->carriedIn)) +
                             along(place->wasLeave, place->leave, rvSub(place->out, place->carriedOut)));
        double step = after->tension - before->tension;
        const rvPlaceState* from = slid > 0.0 ? after : before;
        double rest = slid / (1.0 + from->tension / cable->axialStiffness);
        rest = fmin(fmax(rest, -MOST_SLID * from->rest), MOST_SLID * from->rest);
        before->rest += rest;
        before->rate -= 2.0 / h * rest;
        after->rest -= rest;
        after->rate += 2.0 / h * rest;
        slid = rest * (1.0 + from->tension / cable->axialStiffness);
        before->laid -= slid;
        after->laid += slid;
        after->heat += 0.5 * step * step / cable->axialStiffness * fabs(rest);
    }
}

void rv_cables_remember(rvCableStore* store, const rvShapeStore* shapes)
{
    for (int i = 0; store->colliding > 0 && i < shapes->pool.count; ++i)
        store->before[i] = shapes->items[i].pose;
}

static bool has_lost_crossing(const rvPlace* place)
{
    return rv_place_is_crossing(place) && place->state.node.feature == 0;
}

// Places leave: their rope joins the segments before them.
static void strip(rvCable* cable, const rvBodyStore* bodies, rvPlace* spare, bool (*goes)(const rvPlace*))
{
    Build build = {.cable = cable, .places = spare};
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace* place = &cable->route.places[i];
        if (goes(place))
            drop_place(&build, place);
        else
            add_place(&build, place);
    }
    if (build.count == cable->route.placeCount)
        return;
    memcpy(cable->route.places, build.places, (size_t)build.count * sizeof(rvPlace));
    cable->route.placeCount = build.count;
    cable->route.spanCount = build.count - 1;
    rv_route_collect_bodies(&cable->route, bodies);
    rv_route_update(&cable->route, bodies);
}

void rv_taut_strip(rvCable* cable, const rvBodyStore* bodies, rvPlace* spare)
{
    strip(cable, bodies, spare, rv_place_is_on_shape);
}

void rv_cable_strip_contacts(rvCable* cable, const rvBodyStore* bodies, rvPlace* spare)
{
    if (cable->route.placeCount > cable->definedCount)
        strip(cable, bodies, spare, is_contact);
}

void rv_cable_drop_crossings(rvCable* cable, const rvBodyStore* bodies, rvPlace* spare)
{
    const rvRoute* route = &cable->route;
    bool lost = false;
    for (int first = 0, last; first < route->spanCount; first = last) {
        for (last = first + 1; has_lost_crossing(&route->places[last]);)
            last += 1;
        lost = lost || last > first + 1;
        if (last > first + 1)
            rv_cable_follow(cable, bodies, (rvChange){.kind = RV_CHANGE_JOIN, .first = first, .last = last});
    }
    if (!lost)
        return;
    strip(cable, bodies, spare, has_lost_crossing);
    rv_cable_match(cable, bodies);
}

bool rv_taut_contact_is_sound(const rvPlaceState* s, const rvShapeStore* shapes)
{
    const rvRopeNode* node = &s->node;
    if (!rv_id_pool_alive(&shapes->pool, node->shape))
        return false;
    const rvShape* shape = &shapes->items[node->shape];
    const rvObstacleKind* kind = rv_obstacle_kind(shape);
    bool fits = node->kind == RV_ROPE_EDGE ? node->feature >= 0 && node->feature < kind->edgeCount(shape)
                                           : kind->isRound && node->kind > 0 && node->kind <= RV_ROPE_CYLINDER;
    return fits && s->shapeBody == shape->body && s->grip >= 0.0 && isfinite(s->grip) && isfinite(node->t) &&
           isfinite(node->turn) && node->side >= -1 && node->side <= 1 && rvIsFiniteVec(node->in) &&
           rvIsFiniteVec(node->out) && rvIsFiniteVec(s->localIn) && rvIsFiniteVec(s->localOut);
}
