// SPDX-License-Identifier: MIT
#include "cable/fe/touch.h"

#include "cable/fe/touch_surface.h"
#include "cable/taut/obstacle_parts.h"
#include "contact/narrow.h"
#include "math/extreme.h"

// What began inside a shape, drawn through it or flung, comes out by a fifth of its depth a step: at once it would be
// thrown.
#define KEPT 0.8
// Shares of an element: of two touches on one side of a shape at least; up to there one moves on.
#define APART 0.05
#define MOVES 0.125
// And beside an end that is not looked at: what is that near to where it is held cannot give way.
#define HELD 0.125
#define HELD_RADII 2.0     // and of the radius of the cable: an element beside such an end may be short
#define ONE_SIDE 0.9       // of the product of two normals
#define ONE_SIDE_DEPTH 0.5 // of how deep the middle of a shape is: what is less deep came by the side that is nearest
#define NEAR 1e-4          // a way is cut where it comes so near to a meeting [m]

#define LEAST_WAY (1.0 / 64.0)

enum { CLOSER = 3, HALVES = 12 };

// Points of the cable: nodes, and middles of elements; answers its share of its element.
static double place_sample(rvFeTouch* touch, const rvAncf* ancf, int i)
{
    touch->element = i / 2 < ancf->elementCount ? i / 2 : ancf->elementCount - 1;
    double xi = 0.5 * (i - 2 * touch->element), length = ancf->elements[touch->element].length;
    touch->at = ancf->places[touch->element] + xi * length;
    rv_ancf_shape(xi, length, touch->shape);
    return xi;
}

static bool is_apart(const rvShape* shape, rvVec3 x, double reach)
{
    if (shape->type == RV_SHAPE_PLANE)
        return false;
    return x.x + reach < shape->low.x || x.x - reach > shape->high.x || x.y + reach < shape->low.y ||
           x.y - reach > shape->high.y || x.z + reach < shape->low.z || x.z - reach > shape->high.z;
}

static void add(rvTouches* touches, rvCable* cable, const rvFeTouch* touch)
{
    if (touches->count == touches->capacity) {
        cable->droppedContacts += 1;
        return;
    }
    touches->items[touches->count++] = *touch;
    touches->found += 1;
}

// A look at one shape: the elements go from where they are to where they are expected, as that shape sees it.
typedef struct {
    const rvTouchElements* elements;
    const rvBodyStore* bodies;
    const rvShape* shape;
    int index; // of the shape
    double h, radius;
    double way, reach; // of what is looked at: how far it goes in the step, and with its thickness [m]
} Look;

// A point at the end of a step, as a shape sees it that moves on with its body: shapes are where the step begins. After
// a pass it goes by what that found. (A shape that goes along with the rope would be met by all of the rope's way, and
// pushed out on another side.)
static rvVec3 seen_from(const Look* look, rvVec3 point)
{
    int body = look->shape->body;
    if (body < 0 || !rv_body_moves(&look->bodies->items[body]))
        return point;
    const rvBodyState* s = &look->bodies->items[body].state;
    const double* v = look->bodies->velocity[body];
    bool solved = look->elements->more;
    rvVec3 linear = solved ? rvVec(v[0], v[1], v[2]) : s->v, angular = solved ? rvVec(v[3], v[4], v[5]) : s->w;
    return rvMulAdd(point, -look->h, rvAdd(linear, rvCross(angular, rvSub(point, s->x))));
}

static bool may_touch(const rvCable* cable, const rvShapeStore* shapes, int k)
{
    return rv_id_pool_alive(&shapes->pool, k) && rv_cable_may_touch(cable, &shapes->items[k]);
}

// The point at a share of an element after a share of the step; all of it: as it is expected, to the last bit.
static rvVec3 on_way(const Look* look, int element, double xi, double share)
{
    rvFeTouch touch = {.element = element};
    rv_ancf_shape(xi, look->elements->ancf->elements[element].length, touch.shape);
    rvVec3 start = rv_touch_at(&touch, look->elements->ancf->q);
    rvVec3 end = seen_from(look, rv_touch_at(&touch, look->elements->expected));
    return rvMulAdd(end, share - 1.0, rvSub(end, start));
}

// How deep a straight piece is in a shape, below 0 how far off it, in the frame of the shape. A surface has no inside.
static double nearest(const Look* look, rvVec3 p, rvVec3 n, rvVec3* at, rvVec3* normal)
{
    if (rv_shape_is_surface(look->shape))
        return rv_touch_surface(look->shape, p, n, look->reach, at, normal);
    return rv_rope_nearest(look->shape, p, n, at, normal);
}

// How deep the deepest point of a part of an element is in a convex shape, and where that is; by its chord, and then
// closer about what that finds: the curve is off the chord by a 64th of before each time.
static double deepest(const Look* look, int element, const double range[2], double share, double* xi)
{
    double from = range[0], to = range[1];
    rvVec3 at, normal, p = rvPosePointBack(look->shape->pose, on_way(look, element, from, share)), n;
    *xi = from;
    for (int round = 0; round < CLOSER && range[1] > range[0]; ++round) {
        p = rvPosePointBack(look->shape->pose, on_way(look, element, from, share));
        n = rvPosePointBack(look->shape->pose, on_way(look, element, to, share));
        nearest(look, p, n, &at, &normal);
        *xi = from + (to - from) * rvDistance(at, p) / fmax(rvDistance(p, n), 1e-300);
        double part = 0.0625 * (to - from);
        from = fmax(range[0], *xi - part);
        to = fmin(range[1], *xi + part);
        p = rvPosePointBack(look->shape->pose, on_way(look, element, *xi, share));
    }
    return nearest(look, p, p, &at, &normal);
}

// Does a point that is in a convex shape, or as good as, go deeper by the face that it is nearest to now?
static bool sinks(const Look* look, int element, double xi)
{
    rvVec3 at, normal, start = on_way(look, element, xi, 0.0), p = rvPosePointBack(look->shape->pose, start);
    double depth = nearest(look, p, p, &at, &normal);
    rvVec3 way = rvSub(on_way(look, element, xi, 1.0), start);
    return depth - rvDot(rvRotate(look->shape->pose.q, normal), way) > RV_CONTACT_MARGIN;
}

// Is what is as deep as that in a convex shape still on one side of it?
static bool has_side(const Look* look, double depth)
{
    rvVec3 at, normal, centre = rvVec(0, 0, 0);
    return depth <= 0.0 || depth < ONE_SIDE_DEPTH * rv_rope_nearest(look->shape, centre, centre, &at, &normal);
}

// The share of the step after which it is not yet as deep as half of its radius, but as good as: from deeper inside
// another side of the shape may be nearer than the one by which it comes.
static double meeting(const Look* look, int element, const double range[2], double before, double after, double* xi)
{
    for (int i = 0; i < HALVES; ++i) {
        double middle = 0.5 * (before + after);
        double off = -deepest(look, element, range, middle, xi) - 0.5 * look->radius;
        *(off > 0.0 ? &before : &after) = middle;
        if (off > 0.0 && off < NEAR)
            return middle;
    }
    deepest(look, element, range, before, xi);
    return before;
}

// Does a part of an element come as deep as half of its radius into a convex shape, and after which share of the step?
// What goes on from there may come out at the other side, and is met there. It goes no further at once than it is away,
// but for a 64th of its way: it may slide along.
static bool meets(const Look* look, int element, const double range[2], double* xi, double* share)
{
    double way = 0.0;
    for (int k = 0; k <= 4; ++k) {
        double x = range[0] + 0.25 * k * (range[1] - range[0]);
        way = fmax(way, rvDistance(on_way(look, element, x, 0.0), on_way(look, element, x, 1.0)));
    }
    double before = *share = 0.0;
    for (int i = 0;; ++i) {
        double off = -deepest(look, element, range, *share, xi) - 0.5 * look->radius;
        // after a pass: what is deep inside was met before, and has no clear side any more
        if (off < NEAR && i == 0)
            return (!look->elements->more || has_side(look, -off - 0.5 * look->radius)) && sinks(look, element, *xi);
        if (off < NEAR) {
            *share = meeting(look, element, range, before, *share, xi);
            return true;
        }
        if (*share == 1.0)
            return false;
        before = *share;
        *share = fmin(1.0, *share + fmax(off / fmax(way, 1e-300), LEAST_WAY));
    }
}

// Does the rope go into the shape there rather than along it? Pushed out it would only be drawn out lengthwise, by each
// side of a mesh that it goes through, step after step: that put kilojoules into it.
static bool is_pierced(const Look* look, const rvFeTouch* touch)
{
    static const double STEEP = 0.7; // of the slope along the normal
    const rvAncf* ancf = look->elements->ancf;
    double length = ancf->elements[touch->element].length, s[4], d[3];
    rv_ancf_shape_slope((touch->at - ancf->places[touch->element]) / length, length, s);
    rv_ancf_blend(ancf->q, touch->element, s, d);
    rvVec3 slope = rvVec(d[0], d[1], d[2]);
    return touch->depth > 0.0 && fabs(rvDot(slope, touch->normal)) > STEEP * rvLength(slope);
}

static void complete(rvFeTouch* touch, const rvCable* cable, const Look* look, const rvTouch* where, rvVec3 center)
{
    const rvShape* shape = look->shape;
    const rvBody* body = shape->body >= 0 ? &look->bodies->items[shape->body] : NULL;
    bool moves = body && rv_body_moves(body);
    touch->normal = where->normal;
    touch->start = rvDot(touch->normal, rv_touch_at(touch, look->elements->ancf->q));
    touch->surface = rvDot(touch->normal, center) - touch->radius + where->depth; // n . surface
    double depth = touch->radius + touch->surface - touch->start;
    touch->depth = depth > RV_CONTACT_MARGIN ? depth : 0.0;
    touch->kept = (is_pierced(look, touch) ? 1.0 : KEPT) * touch->depth;
    rvVec3 point = rvMulAdd(center, touch->surface - rvDot(touch->normal, center), touch->normal);
    touch->body = moves ? shape->body : -1;
    touch->arm = moves ? rvSub(point, body->state.x) : rvVec(0, 0, 0);
    touch->along[0] = rvAcross(touch->normal);
    touch->along[1] = rvCross(touch->normal, touch->along[0]);
    touch->friction = sqrt(cable->friction * shape->friction);
}

// The touch with the shape on the same side of it that is nearest to a new one, no further along the elements than
// this; -1: none.
static int nearest_touch(const rvTouches* touches, const rvFeTouch* fresh, double most)
{
    int best = -1;
    for (int k = 0; k < touches->count; ++k) {
        const rvFeTouch* touch = &touches->items[k];
        if (touch->isPoint || touch->fall != fresh->fall || touch->shapeIndex != fresh->shapeIndex ||
            fabs(touch->at - fresh->at) > most || rvDot(touch->normal, fresh->normal) < ONE_SIDE)
            continue;
        best = k;
        most = fabs(touch->at - fresh->at);
    }
    return best;
}

// Of what would be passed through: is it new? One that is near moves there, for two as near as that would tear at the
// slope between them.
static bool is_new(rvTouches* touches, const Look* look, const rvFeTouch* fresh)
{
    if (!look->elements->more)
        return true;
    double length = look->elements->ancf->elements[fresh->element].length;
    if (nearest_touch(touches, fresh, APART * length) >= 0)
        return false;
    int near = nearest_touch(touches, fresh, MOVES * length);
    if (near < 0 || touches->items[near].moved)
        return true;
    touches->items[near] = *fresh;
    touches->items[near].moved = true;
    touches->found += 1;
    return false;
}

// Rope between two contacts with a shape does not come to its other side.
static bool is_behind(const Look* look, rvVec3 normal)
{
    const rvTouchElements* elements = look->elements;
    return look->index == elements->own[0] && look->index == elements->own[1] && rvDot(normal, elements->out) < 0.0;
}

// How deep a point is in a shape that has an inside.
static double depth_in(const Look* look, rvVec3 point)
{
    rvVec3 p = rvPosePointBack(look->shape->pose, point), at, normal;
    if (look->shape->type == RV_SHAPE_PLANE)
        return -p.z;
    return rv_shape_is_surface(look->shape) ? 0.0 : rv_rope_nearest(look->shape, p, p, &at, &normal);
}

// Rope whose end is held inside a shape goes into it there: beside that end it does not meet it. (Kept out of ground
// that a hand goes into, the half of an element beside the hand was drawn out to many times its length.)
static bool goes_in(const Look* look, double along)
{
    static const double STEEP = 2.0; // times as long as the end is deep: what leaves it at 30 degrees is out by then
    const rvAncf* ancf = look->elements->ancf;
    for (int end = 0; end < 2; ++end) {
        double away = end == 0 ? along : ancf->places[ancf->elementCount] - along;
        if (!look->elements->skip[end] || away > 0.5 * ancf->places[ancf->elementCount])
            continue;
        double depth = depth_in(look, on_way(look, end == 0 ? 0 : ancf->elementCount - 1, end, 1.0));
        if (depth > RV_CONTACT_MARGIN && away < STEEP * depth)
            return true;
    }
    return false;
}

static void meet(rvTouches* touches, rvCable* cable, const Look* look, rvFeTouch touch, rvVec3 center)
{
    if (goes_in(look, touch.at))
        return;
    rvManifold manifold;
    rv_narrow_ball(look->shape, center, look->radius, &manifold);
    touch.radius = look->radius;
    touch.shapeIndex = look->index;
    for (int t = 0; t < manifold.count; ++t) {
        complete(&touch, cable, look, &manifold.touches[t], center);
        if (is_behind(look, touch.normal))
            continue;
        if (is_new(touches, look, &touch))
            add(touches, cable, &touch);
    }
}

// Is what goes along its way met there? Planes meet points alone. By a surface it is met at the end of the step while
// it goes by less than half of its radius; without thickness it would be on either side of it.
static bool sweeps(const Look* look)
{
    if (rv_shape_is_surface(look->shape))
        return look->way > 0.5 * look->radius && look->radius > 0.0;
    return look->shape->type != RV_SHAPE_PLANE;
}

static void set_way(Look* look, double way)
{
    look->way = way;
    look->reach = look->radius + RV_CONTACT_MARGIN + way;
}

// A sample against a shape.
static void look_at(rvTouches* touches, rvCable* cable, Look look, const rvFeTouch* touch, double xi)
{
    const double range[2] = {xi, xi};
    rvVec3 center = on_way(&look, touch->element, xi, 1.0);
    double share, ignored;
    set_way(&look, rvDistance(center, rv_touch_at(touch, look.elements->ancf->q)));
    if (is_apart(look.shape, center, look.reach))
        return;
    bool met = look.elements->loose && sweeps(&look) && meets(&look, touch->element, range, &ignored, &share);
    if (met || !look.elements->more)
        meet(touches, cable, &look, *touch, on_way(&look, touch->element, xi, met ? share : 1.0));
}

// The point of a part of an element that is deepest in a shape, where that is none of its ends and they are no contacts
// both.
static void look_between(rvTouches* touches, rvCable* cable, const Look* look, int e, const double range[2])
{
    const rvAncf* ancf = look->elements->ancf;
    double most = look->radius + RV_CONTACT_MARGIN, length = ancf->elements[e].length, xi, at[2], ignored;
    double share;
    bool met = sweeps(look) && meets(look, e, range, &xi, &share);
    if (!met && look->elements->more)
        return;
    if (!met) {
        share = 1.0;
        for (int k = 0; k < 2; ++k)
            at[k] = deepest(look, e, (const double[2]){range[k], range[k]}, 1.0, &ignored);
        if (fmin(at[0], at[1]) > -most)
            return;
        double depth = deepest(look, e, range, 1.0, &xi);
        if (!(depth > -most) || depth - fmax(at[0], at[1]) < 1e-6)
            return;
    }
    rvFeTouch touch = {.fall = look->elements->fall, .element = e, .sample = -1};
    touch.at = ancf->places[e] + xi * length;
    rv_ancf_shape(xi, length, touch.shape);
    meet(touches, cable, look, touch, on_way(look, e, xi, share));
}

static bool may_come_near(rvTouches* touches, Look* look, int e, const double range[2])
{
    rvVec3 ends[2][2];
    double way = 0.0;
    for (int k = 0; k < 2; ++k) {
        for (int n = 0; n < 2; ++n)
            ends[k][n] = on_way(look, e, range[k], n);
        way = fmax(way, rvDistance(ends[k][0], ends[k][1]));
    }
    set_way(look, way);
    // no further off its chord than half of what it is long
    double reach = 0.5 * look->elements->ancf->elements[e].length + look->reach, off = 0.0;
    rvVec3 middle = rvScale(0.5, rvAdd(ends[0][1], ends[1][1])), at, normal;
    bool near = !is_apart(look->shape, middle, 2.0 * reach);
    if (rv_shape_is_surface(look->shape)) { // its box tells little
        if (!near || !sweeps(look))
            return near && !look->elements->more;
        off = -rv_touch_surface(look->shape, rvPosePointBack(look->shape->pose, ends[0][1]),
                                rvPosePointBack(look->shape->pose, ends[1][1]), 2.0 * reach, &at, &normal);
    }
    touches->near = touches->near || (near && off < 2.0 * reach);
    return off < reach && !is_apart(look->shape, middle, reach);
}

// Up to there beside an end that something else holds it meets nothing: what is that near cannot give way.
static double held_to(const Look* look, int end)
{
    const rvAncf* ancf = look->elements->ancf;
    return fmax(HELD * ancf->elements[end == 0 ? 0 : ancf->elementCount - 1].length, HELD_RADII * look->radius);
}

// Between sample i and the next; after a pass beside what touches there already.
static void look_along(rvTouches* touches, rvCable* cable, Look look, int i)
{
    const rvTouchElements* elements = look.elements;
    int e = i / 2;
    double from = 0.5 * (i - 2 * e), to = from + 0.5, place = elements->ancf->places[e];
    double length = elements->ancf->elements[e].length, whole = elements->ancf->places[elements->ancf->elementCount];
    if (elements->skip[0])
        from = fmax(from, (held_to(&look, 0) - place) / length);
    if (elements->skip[1])
        to = fmin(to, (whole - held_to(&look, 1) - place) / length);
    if (from >= to || !may_come_near(touches, &look, e, (const double[2]){from, to}))
        return;
    for (double cut = from; look.elements->more && cut < to;) {
        cut = to;
        for (int k = 0; k < touches->count; ++k) {
            const rvFeTouch* touch = &touches->items[k];
            double xi = (touch->at - place) / length;
            if (!touch->isPoint && touch->fall == look.elements->fall && touch->shapeIndex == look.index &&
                xi >= from && xi < cut)
                cut = xi;
        }
        if (cut == to)
            break;
        if (cut - APART > from)
            look_between(touches, cable, &look, e, (const double[2]){from, cut - APART});
        from = cut + APART;
    }
    if (from < to)
        look_between(touches, cable, &look, e, (const double[2]){from, to});
}

int rv_touches_look(rvTouches* touches, rvCable* cable, const rvTouchElements* elements, const rvBodyStore* bodies,
                    const rvShapeStore* shapes, double h, bool (*holds)(const rvCable* cable, int body))
{
    const rvAncf* ancf = elements->ancf;
    double radius = 0.5 * cable->diameter;
    int last = 2 * ancf->elementCount, found = touches->found;
    for (int i = 0; i <= last; ++i) {
        rvFeTouch touch = {.fall = elements->fall, .sample = i};
        touch.point = touches->firstPoint + i;
        if (touches->guesses && touch.point < touches->guessCount)
            touch.guess = touches->guesses[touch.point];
        double xi = place_sample(&touch, ancf, i);
        for (int k = 0; k < shapes->pool.count; ++k) {
            const rvShape* shape = &shapes->items[k];
            if (!may_touch(cable, shapes, k) || (shape->body >= 0 && holds(cable, shape->body)))
                continue;
            touch.plane = shape->type == RV_SHAPE_PLANE;
            bool own = k == elements->own[0] || k == elements->own[1];
            bool thin = elements->thin && !own && !touch.plane;
            Look look = {elements, bodies, shape, k, h, thin ? 0.0 : radius, 0.0, 0.0};
            bool held = (elements->skip[0] && touch.at < held_to(&look, 0)) ||
                        (elements->skip[1] && ancf->places[ancf->elementCount] - touch.at < held_to(&look, 1));
            if (!held)
                look_at(touches, cable, look, &touch, xi);
            if (elements->loose && i < last && !touch.plane)
                look_along(touches, cable, look, i);
        }
    }
    return touches->found - found;
}

double rv_touches_depth(rvTouches touches, rvCable* cable, const rvTouchElements* elements, const rvBodyStore* bodies,
                        const rvShapeStore* shapes, bool (*holds)(const rvCable* cable, int body))
{
    int dropped = cable->droppedContacts;
    double depth = 0.0;
    touches.count = 0;
    rv_touches_look(&touches, cable, elements, bodies, shapes, 0.0, holds);
    for (int k = 0; k < touches.count; ++k)
        depth = fmax(depth, touches.items[k].depth);
    cable->droppedContacts = dropped;
    return depth;
}

static int slot_for(rvTouches* touches, int* count, int body)
{
    int slot = 0;
    while (slot < *count && touches->slots[slot] != body)
        slot += 1;
    if (slot == *count)
        touches->slots[(*count)++] = body;
    return slot;
}

int rv_touches_list_slots(rvTouches* touches, const rvCable* cable)
{
    int count = cable->route.bodyCount;
    memcpy(touches->slots, cable->slots, (size_t)count * sizeof(int));
    for (int k = 0; k < touches->count; ++k)
        touches->items[k].slot = touches->items[k].body >= 0 ? slot_for(touches, &count, touches->items[k].body) : -1;
    return count;
}

static bool is_pushed(const rvFeTouch* touch, const rvBodyStore* bodies)
{
    return touch->isPoint || (touch->body >= 0 && rv_body_is_pushed(&bodies->items[touch->body]));
}

int rv_touches_number(rvTouches* touches, const rvBodyStore* bodies, int first, bool inside)
{
    int row = first, count = 0;
    for (int turn = 0; turn < 2; ++turn)
        for (int k = 0; k < touches->count; ++k) {
            rvFeTouch* touch = &touches->items[k];
            bool last = inside && !is_pushed(touch, bodies);
            if (last != (turn == 1))
                continue;
            touch->inside = last;
            touch->row = row;
            row += 3;
            count += last ? 3 : 0;
        }
    return count;
}

void rv_touches_write(const rvTouches* touches, const double* moved, double h, rvRows* rows, int group)
{
    for (int k = 0; k < touches->count; ++k) {
        const rvFeTouch* touch = &touches->items[k];
        for (int part = 0; part < 3; ++part) {
            int r = touch->row + part;
            rvRow* row = &rv_group_rows(rows, group)[r];
            rvVec3 e = rv_touch_direction(touch, part);
            if (touch->slot >= 0) {
                rvVec3 turning = rvCross(touch->arm, e);
                const double whole[6] = {e.x, e.y, e.z, turning.x, turning.y, turning.z};
                const double light[6] = {0.0, 0.0, 0.0, e.x, e.y, e.z};
                memcpy(rv_group_jacobian(rows, group, touch->slot)[r], touch->isPoint ? light : whole, sizeof whole);
            }
            row->lower = row->upper = 0.0;
            if (part == 0) {
                row->upper = HUGE_VAL;
                row->bias = (touch->radius + touch->surface - touch->kept - (touch->start - moved[3 * k])) / h;
                row->mode = row->bias > 0.0 ? RV_ROW_FREE : RV_ROW_LOWER;
            } else {
                row->bias = moved[3 * k + part] / h;
                row->leanFirst = (int16_t)touch->row;
                row->leanCount = 1;
                row->leanLower = -touch->friction;
                row->leanUpper = touch->friction;
            }
            if (touch->welded) {
                row->leanCount = 0;
                row->lower = -HUGE_VAL;
                row->upper = HUGE_VAL;
                row->mode = RV_ROW_FREE;
            }
            if (touch->guess.known != 0.0) {
                row->mode = (int16_t)touch->guess.mode[part];
                row->impulse = touch->guess.impulse[part];
            }
        }
    }
}

void rv_touches_read(rvTouches* touches, const rvRows* rows, int group, double factor)
{
    for (int k = 0; k < touches->count; ++k) {
        rvFeTouch* touch = &touches->items[k];
        touch->contact.force = rvVec(0, 0, 0);
        for (int part = 0; part < 3; ++part) {
            const rvRow* row = &rv_group_rows(rows, group)[touch->row + part];
            touch->contact.holds[part] =
                part == 0 ? row->impulse > 0.0 : touch->contact.holds[0] && row->mode == RV_ROW_FREE;
            touch->contact.force =
                rvMulAdd(touch->contact.force, factor * row->impulse, rv_touch_direction(touch, part));
            touch->guess.impulse[part] = row->impulse;
            touch->guess.mode[part] = row->mode;
        }
        touch->guess.known = touches->guesses ? 1.0 : 0.0;
    }
}

void rv_touches_keep_guesses(const rvTouches* touches)
{
    if (touches->guessCount > 0)
        memset(touches->guesses, 0, (size_t)touches->guessCount * sizeof(rvTouchGuess));
    for (int k = 0; k < touches->count; ++k)
        if (!touches->items[k].isPoint && touches->items[k].sample >= 0 &&
            touches->items[k].point < touches->guessCount)
            touches->guesses[touches->items[k].point] = touches->items[k].guess;
}

void rv_touches_keep_pushes(const rvTouches* touches, rvPush* pushes)
{
    for (int k = 0; k < touches->count; ++k) {
        const rvFeTouch* touch = &touches->items[k];
        if (touch->body >= 0 && !touch->isPoint) // two ropes push a point against each other
            rv_pushes_add(pushes, touch->body, touch->contact.force, rvCross(touch->arm, touch->contact.force));
    }
}

int rv_touches_count_points(const rvTouches* touches)
{
    int count = 0;
    for (int k = 0; k < touches->count; ++k)
        count += touches->items[k].isPoint;
    return count;
}

int rv_touches_count_holding(const rvTouches* touches)
{
    int count = 0;
    for (int k = 0; k < touches->count; ++k)
        count += touches->items[k].contact.holds[0];
    return count;
}

int rv_touches_hold(rvTouches* touches)
{
    int count = 0;
    for (int r = 0; r < 3 * touches->count; ++r) {
        rvFeTouch* touch = &touches->items[r / 3];
        touch->held[r % 3] = touch->contact.holds[r % 3] && !touch->isPoint;
        count += touch->held[r % 3];
    }
    return count;
}

double rv_touch_speed(const rvFeTouch* touch, int part, const rvBodyStore* bodies)
{
    if (touch->body < 0)
        return 0.0;
    const double* v = bodies->velocity[touch->body];
    if (touch->isPoint)
        return rvDot(rv_touch_direction(touch, part), rvVec(v[3], v[4], v[5]));
    rvVec3 speed = rvAdd(rvVec(v[0], v[1], v[2]), rvCross(rvVec(v[3], v[4], v[5]), touch->arm));
    return rvDot(rv_touch_direction(touch, part), speed);
}

rvFeTouch rv_touch_of_rope(const rvAncf* ancf, int element, double xi, const rvRopeSide* side)
{
    rvFeTouch touch = {.element = element, .sample = -1, .body = side->body, .isPoint = true, .welded = side->welded};
    double length = ancf->elements[element].length;
    touch.at = ancf->places[element] + xi * length;
    rv_ancf_shape(xi, length, touch.shape);
    touch.normal = side->normal;
    touch.along[0] = side->along[0];
    touch.along[1] = side->along[1];
    touch.radius = side->radius;
    touch.friction = side->friction;
    touch.surface = rvDot(touch.normal, side->point);
    touch.start = rvDot(touch.normal, rv_touch_at(&touch, ancf->q));
    double depth = touch.radius + touch.surface - touch.start;
    touch.depth = depth > RV_CONTACT_MARGIN ? depth : 0.0;
    touch.kept = KEPT * touch.depth;
    return touch;
}

void rv_touch_on_piece(const rvTouchElements* elements, int piece, double share, rvVec3* was, rvVec3* now)
{
    rvFeTouch touch = {.element = piece / RV_LINE_BLOCK};
    double xi = (piece % RV_LINE_BLOCK + share) / RV_LINE_BLOCK;
    rv_ancf_shape(xi, elements->ancf->elements[touch.element].length, touch.shape);
    *was = rv_touch_at(&touch, elements->ancf->q);
    *now = rv_touch_at(&touch, elements->expected);
}

double rv_touch_piece_at(const rvAncf* ancf, int piece, double share)
{
    int e = piece / RV_LINE_BLOCK;
    return ancf->places[e] + (piece % RV_LINE_BLOCK + share) / RV_LINE_BLOCK * ancf->elements[e].length;
}

// By the points of Bezier's form, between which a cubic lies.
void rv_touch_line_box(const rvTouchElements* elements, int element, double radius, rvVec3 box[2])
{
    const double* ends[2] = {elements->ancf->q + 6 * element, elements->expected + 6 * element};
    double third = elements->ancf->elements[element].length / 3.0, low[3] = {box[0].x, box[0].y, box[0].z};
    double high[3] = {box[1].x, box[1].y, box[1].z};
    for (int k = 0; k < 2; ++k)
        for (int c = 0; c < 3; ++c) {
            const double* q = ends[k] + c;
            double a = q[0] + third * q[3], b = q[6] - third * q[9];
            low[c] = rv_smaller(low[c], rv_smaller(rv_smaller(q[0], q[6]), rv_smaller(a, b)) - radius);
            high[c] = rv_larger(high[c], rv_larger(rv_larger(q[0], q[6]), rv_larger(a, b)) + radius);
        }
    box[0] = rvVec(low[0], low[1], low[2]);
    box[1] = rvVec(high[0], high[1], high[2]);
}

bool rv_touch_line_folds(const rvTouchElements* elements)
{
    const rvAncf* ancf = elements->ancf;
    const double* ends[2] = {ancf->q, elements->expected};
    for (int k = 0; k < 2; ++k) {
        const double *first = ends[k], *last = first + 6 * (ancf->nodeCount - 1);
        rvVec3 chord = rvVec(last[0] - first[0], last[1] - first[1], last[2] - first[2]);
        for (int n = 0; n < ancf->nodeCount; ++n) {
            const double* s = first + 6 * n + 3;
            if (!(rvDot(chord, rvVec(s[0], s[1], s[2])) > 0.0))
                return true;
        }
    }
    return false;
}
