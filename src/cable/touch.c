// SPDX-License-Identifier: MIT
#include "cable/touch.h"

#include "cable/obstacle_parts.h"
#include "contact/narrow.h"
#include "math/extreme.h"

// What began inside a shape, drawn through it or flung, comes out by a fifth of its depth a step: at once it would be thrown.
#define KEPT 0.8

// Points of the cable: nodes, and middles of elements.
static void place_sample(rvFeTouch* touch, const rvAncf* ancf, int i)
{
    touch->element = i / 2 < ancf->elementCount ? i / 2 : ancf->elementCount - 1;
    double xi = 0.5 * (i - 2 * touch->element), length = ancf->elements[touch->element].length;
    touch->at = ancf->places[touch->element] + xi * length;
    rv_ancf_shape(xi, length, touch->shape);
}

static bool is_apart(const rvShape* shape, rvVec3 x, double reach)
{
    if (shape->type == RV_SHAPE_PLANE)
        return false;
    return x.x + reach < shape->low.x || x.x - reach > shape->high.x || x.y + reach < shape->low.y ||
           x.y - reach > shape->high.y || x.z + reach < shape->low.z || x.z - reach > shape->high.z;
}

static void add(rvTouches* touches, rvCable* cable, const rvBodyStore* bodies, const rvShape* shape, rvFeTouch touch,
                const rvTouch* where, rvVec3 center)
{
    if (touches->count == touches->capacity) {
        cable->droppedContacts += 1;
        return;
    }
    const rvBody* body = shape->body >= 0 ? &bodies->items[shape->body] : NULL;
    bool moves = body && rv_body_moves(body);
    touch.normal = where->normal;
    touch.surface = rvDot(touch.normal, center) - touch.radius + where->depth; // n . surface
    double depth = touch.radius + touch.surface - touch.start;
    touch.depth = depth > RV_CONTACT_MARGIN ? depth : 0.0;
    rvVec3 point = rvMulAdd(center, touch.surface - rvDot(touch.normal, center), touch.normal);
    touch.body = moves ? shape->body : -1;
    touch.arm = moves ? rvSub(point, body->state.x) : rvVec(0, 0, 0);
    touch.along[0] = rvAcross(touch.normal);
    touch.along[1] = rvCross(touch.normal, touch.along[0]);
    touch.friction = sqrt(cable->friction * shape->friction);
    touches->items[touches->count++] = touch;
}

// A point at the end of a step, as a shape sees it that moves on with its body: shapes are where the step begins. (A shape that goes along
// with the rope would be met by all of the rope's way, and pushed out on another side.)
static rvVec3 seen_from(const rvBodyStore* bodies, int body, rvVec3 point, double h)
{
    if (body < 0 || !rv_body_moves(&bodies->items[body]))
        return point;
    const rvBodyState* s = &bodies->items[body].state;
    return rvMulAdd(point, -h, rvAdd(s->v, rvCross(s->w, rvSub(point, s->x))));
}

// Where and how thick a point of the elements is looked for, at the end of the step and at its start.
typedef struct {
    rvFeTouch touch;
    rvVec3 end, start;
    double reach; // beyond its thickness it does not go in the step
} Sample;

static Sample take_sample(const rvTouchElements* elements, rvFeTouch touch, double radius, double h)
{
    const rvAncf* ancf = elements->ancf;
    double reach = radius + RV_CONTACT_MARGIN + h * rvLength(rv_touch_at(&touch, ancf->v));
    return (Sample){touch, rv_touch_at(&touch, elements->expected), rv_touch_at(&touch, ancf->q), reach};
}

static bool may_touch(const rvCable* cable, const rvShapeStore* shapes, int k)
{
    const rvShape* shape = &shapes->items[k];
    return rv_id_pool_alive(&shapes->pool, k) && (shape->group & cable->mask) && (cable->shapeGroup & shape->mask);
}

static void meet(rvTouches* touches, rvCable* cable, const rvBodyStore* bodies, const rvShape* shape, Sample* sample,
                 rvVec3 center)
{
    rvManifold manifold;
    rv_narrow_ball(shape, center, sample->touch.radius, &manifold);
    for (int t = 0; t < manifold.count; ++t) {
        sample->touch.start = rvDot(manifold.touches[t].normal, sample->start);
        add(touches, cable, bodies, shape, sample->touch, &manifold.touches[t], center);
    }
}

// The point between two samples of one element that is deepest in a convex shape, where that is neither of them; they are no contacts both.
static bool between(const rvTouchElements* elements, const rvShape* shape, const rvVec3 ends[2], rvFeTouch* touch)
{
    rvVec3 p = rvPosePointBack(shape->pose, ends[0]), n = rvPosePointBack(shape->pose, ends[1]), at, normal;
    double first = rv_rope_nearest(shape, p, p, &at, &normal), last = rv_rope_nearest(shape, n, n, &at, &normal);
    double depth = rv_rope_nearest(shape, p, n, &at, &normal);
    if (!(depth > -RV_CONTACT_MARGIN) || fmin(first, last) > -RV_CONTACT_MARGIN || depth - fmax(first, last) < 1e-6)
        return false;
    const rvAncf* ancf = elements->ancf;
    int e = touch->sample / 2;
    double length = ancf->elements[e].length, share = rvDistance(at, p) / rvDistance(p, n);
    double xi = 0.5 * (touch->sample - 2 * e) + 0.5 * share;
    touch->element = e;
    touch->at = ancf->places[e] + xi * length;
    rv_ancf_shape(xi, length, touch->shape);
    touch->sample = -1;
    return true;
}

// From sample i to the next one.
static void look_between(rvTouches* touches, rvCable* cable, const rvTouchElements* elements, const Sample pair[2],
                         const rvBodyStore* bodies, const rvShapeStore* shapes, double h,
                         bool (*holds)(const rvCable* cable, int body))
{
    rvVec3 middle = rvScale(0.5, rvAdd(pair[0].end, pair[1].end));
    double reach = 0.5 * rvDistance(pair[0].end, pair[1].end) + fmax(pair[0].reach, pair[1].reach);
    for (int k = 0; k < shapes->pool.count; ++k) {
        const rvShape* shape = &shapes->items[k];
        if (!may_touch(cable, shapes, k) || shape->type == RV_SHAPE_PLANE || rv_shape_is_surface(shape) ||
            k == elements->own[0] || k == elements->own[1] ||
            is_apart(shape, seen_from(bodies, shape->body, middle, h), reach) ||
            (shape->body >= 0 && holds(cable, shape->body)))
            continue;
        const rvVec3 ends[2] = {seen_from(bodies, shape->body, pair[0].end, h),
                                seen_from(bodies, shape->body, pair[1].end, h)};
        rvFeTouch touch = {.fall = elements->fall, .sample = pair[0].touch.sample};
        if (!between(elements, shape, ends, &touch))
            continue;
        Sample sample = take_sample(elements, touch, 0.0, h);
        meet(touches, cable, bodies, shape, &sample, seen_from(bodies, shape->body, sample.end, h));
    }
}

void rv_touches_look(rvTouches* touches, rvCable* cable, const rvTouchElements* elements, const rvBodyStore* bodies,
                     const rvShapeStore* shapes, double h, bool (*holds)(const rvCable* cable, int body))
{
    const rvAncf* ancf = elements->ancf;
    double radius = 0.5 * cable->diameter;
    int last = 2 * ancf->elementCount;
    Sample pair[2];
    for (int i = 0; i <= last; ++i) {
        rvFeTouch touch = {.fall = elements->fall, .sample = i};
        if (touches->guesses)
            touch.guess = touches->guesses[i];
        place_sample(&touch, ancf, i);
        pair[0] = pair[1];
        pair[1] = take_sample(elements, touch, radius, h);
        for (int k = 0; k < shapes->pool.count && i >= elements->skip && i <= last - elements->skip; ++k) {
            const rvShape* shape = &shapes->items[k];
            rvVec3 center = seen_from(bodies, shape->body, pair[1].end, h);
            if (!may_touch(cable, shapes, k) || is_apart(shape, center, pair[1].reach) ||
                (shape->body >= 0 && holds(cable, shape->body)))
                continue;
            pair[1].touch.plane = shape->type == RV_SHAPE_PLANE;
            pair[1].touch.radius = elements->thin && !pair[1].touch.plane ? 0.0 : radius;
            meet(touches, cable, bodies, shape, &pair[1], center);
        }
        if (elements->loose && i > 0)
            look_between(touches, cable, elements, pair, bodies, shapes, h, holds);
    }
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

void rv_touches_write(const rvTouches* touches, const double* moved, double h, rvRows* rows, int group, int first)
{
    for (int k = 0; k < touches->count; ++k) {
        const rvFeTouch* touch = &touches->items[k];
        for (int part = 0; part < 3; ++part) {
            int r = first + 3 * k + part;
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
                row->bias = (touch->radius + touch->surface - KEPT * touch->depth - (touch->start - moved[3 * k])) / h;
                row->mode = row->bias > 0.0 ? RV_ROW_FREE : RV_ROW_LOWER;
            } else {
                row->bias = moved[3 * k + part] / h;
                row->leanFirst = (int16_t)(first + 3 * k);
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

void rv_touches_read(rvTouches* touches, const rvRows* rows, int group, int first, double factor)
{
    for (int k = 0; k < touches->count; ++k) {
        rvFeTouch* touch = &touches->items[k];
        touch->force = rvVec(0, 0, 0);
        for (int part = 0; part < 3; ++part) {
            const rvRow* row = &rv_group_rows(rows, group)[first + 3 * k + part];
            touch->holds[part] = part == 0 ? row->impulse > 0.0 : touch->holds[0] && row->mode == RV_ROW_FREE;
            touch->force = rvMulAdd(touch->force, factor * row->impulse, rv_touch_direction(touch, part));
            touch->guess.impulse[part] = row->impulse;
            touch->guess.mode[part] = row->mode;
        }
        touch->guess.known = touches->guesses ? 1.0 : 0.0;
    }
}

void rv_touches_keep_guesses(const rvTouches* touches, int count)
{
    if (count > 0)
        memset(touches->guesses, 0, (size_t)count * sizeof(rvTouchGuess));
    for (int k = 0; k < touches->count; ++k)
        if (!touches->items[k].isPoint && touches->items[k].sample >= 0)
            touches->guesses[touches->items[k].sample] = touches->items[k].guess;
}

void rv_touches_keep_pushes(const rvTouches* touches, rvPush* pushes)
{
    for (int k = 0; k < touches->count; ++k) {
        const rvFeTouch* touch = &touches->items[k];
        if (touch->body >= 0 && !touch->isPoint) // two ropes push a point against each other
            rv_pushes_add(pushes, touch->body, touch->force, rvCross(touch->arm, touch->force));
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
        count += touches->items[k].holds[0];
    return count;
}

int rv_touches_list_held(const rvTouches* touches, int* held)
{
    int m = 0;
    for (int r = 0; r < 3 * touches->count; ++r)
        if (touches->items[r / 3].holds[r % 3] && !touches->items[r / 3].isPoint)
            held[m++] = r;
    return m;
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
