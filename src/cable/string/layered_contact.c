// SPDX-License-Identifier: MIT
// Where the curve of a span touches shapes: a rope that sags onto the ground or a box although its chord is clear of
// it.
//
// (What the chord touches is a place of the route; see cable_contact.c.) The grid points of a wave are balls of the
// rope's thickness (near a plane only where it has bulged by more than that), but none is thicker than its chord is
// clear of the shape: the route lays ropes on shapes as lines, and a curve that is lifted off its chord by half a
// thickness right beside a place has arc that the chord does not have, the more the shorter the span: it would work
// against the tension in each step. With w the velocity of the points across the chord in the step, n a contact's
// normal and gap its distance at the start,
//   n.(w + chord) - n.v_shape >= -max(0, gap)/h,   impulse y >= 0;   along the surface, across the rope, |y_t| <= mu y
// In the wave's step an impulse y at points changes their velocities by (rho l/M)^-1 (1 + beta + (nu^2/4) L)^-1 y, L
// the second difference: tridiagonal, a column a contact; rows by sweeps with bounds, in a fixed order. Impacts are
// inelastic. Points that lie too deep are lifted by a share of it, without speed.
// The impulse at x acts on the chord by (1 - x) and x: the ends get it in the next step (layered_ends.c), and so does
// the body of the shape. At rest all is balanced: what lies on the ground does not hang on the ends.
#include "cable/string/layered.h"

#include "contact/narrow.h"

#define SWEEPS 60
#define LIFTED 0.2       // share of the depth in a step
#define ALLOWED 1e-4     // depth that is none [m]
#define LEAST_ACROSS 0.3 // of a normal: one along the chord cannot be pushed by the wave

static bool is_attached(const rvCable* cable, int span, int body)
{
    for (int e = 0; e < 2; ++e) {
        const rvPlace* place = &cable->route.places[span + e];
        if (body >= 0 && place->body == body && place->type != RV_PLACE_CONTACT)
            return true;
    }
    return false;
}

// How far its points may be off the chord after the step.
static double bulge_of(const rvCable* cable, int span, double h)
{
    int n = cable->string->layer.table.stride;
    const double* a = rv_layered_amplitudes(cable, span, 0);
    double sum = 0.0;
    for (int d = 0; d < 2; ++d)
        for (int k = 0; k < n; ++k)
            sum += fabs(a[2 * d * n + k]) + 1.5 * h * fabs(a[(2 * d + 1) * n + k]);
    return sum;
}

// Is the span, bulged by so much, clear of the shape's box?
static bool is_clear(const rvCable* cable, int span, const rvShape* shape, double reach)
{
    rvVec3 a = cable->route.places[span].out, b = cable->route.places[span + 1].in;
    if (shape->type == RV_SHAPE_PLANE)
        return false;
    return fmin(a.x, b.x) - reach > shape->high.x || fmax(a.x, b.x) + reach < shape->low.x ||
           fmin(a.y, b.y) - reach > shape->high.y || fmax(a.y, b.y) + reach < shape->low.y ||
           fmin(a.z, b.z) - reach > shape->high.z || fmax(a.z, b.z) + reach < shape->low.z;
}

// Points of u (part 0) or w (part 1) in both directions.
static void points_of(const rvCable* cable, const double* wave, int part, double* points)
{
    int n = cable->string->layer.table.stride;
    for (int d = 0; d < 2; ++d)
        rv_wave_to_points(&cable->string->layer.table, wave + (2 * d + part) * n, points + d * n);
}

static rvVec3 across(const rvSpanWave* wave, double first, double second)
{
    return rvAdd(rvScale(first, wave->across), rvScale(second, rvCross(wave->u, wave->across)));
}

// The radius of a point's ball: half of the rope's thickness, or as far as the chord is clear of the shape if that is
// less; below 0 by how deep it lies inside. The route knows nothing of planes.
static double radius_at(const rvCable* cable, const rvShape* shape, rvVec3 chord)
{
    double half = 0.5 * cable->diameter, depth = 0.0;
    if (shape->type == RV_SHAPE_PLANE)
        return half;
    rvManifold manifold;
    rv_narrow_ball(shape, chord, half, &manifold);
    for (int i = 0; i < manifold.count; ++i)
        depth = fmax(depth, manifold.touches[i].depth);
    return half - depth;
}

// The deepest touch of a ball with a shape, if any. chord: where the point would be on a straight span.
static void look_at(rvCable* cable, const rvShape* shape, int span, int point, rvVec3 center, rvVec3 chord,
                    double margin)
{
    rvLayer* layer = &cable->string->layer;
    rvManifold manifold;
    rv_narrow_ball(shape, center, 0.5 * cable->diameter + margin, &manifold);
    if (manifold.count == 0)
        return;
    double radius = radius_at(cable, shape, chord);
    if (radius < -ALLOWED)
        return; // an end is inside: the curve cannot be out of it
    radius = fmax(0.0, radius);
    rv_narrow_ball(shape, center, radius + margin, &manifold);
    const rvSpanWave* wave = rv_layered_wave(cable, span);
    for (int i = 0; i < manifold.count; ++i) {
        // the part across the chord: along itself a rope slides, and the next of its points takes the place of this one
        rvVec3 n = manifold.touches[i].normal, part = rvMulAdd(n, -rvDot(n, wave->u), wave->u);
        double size = rvLength(part), gap = (margin - manifold.touches[i].depth) / fmax(size, LEAST_ACROSS);
        if (size < LEAST_ACROSS)
            continue;
        n = rvScale(1.0 / size, part);
        if (layer->touchCount == RV_WAVE_TOUCHES) {
            cable->droppedContacts += 1;
            return;
        }
        layer->touches[layer->touchCount++] = (rvWaveTouch){.span = span,
                                                            .point = point,
                                                            .body = shape->body,
                                                            .normal = n,
                                                            .at = rvMulAdd(center, -radius - gap, n),
                                                            .gap = gap,
                                                            .friction = sqrt(cable->friction * shape->friction)};
        return;
    }
}

static void find_contacts(rvCable* cable, const rvShapeStore* shapes, double h)
{
    rvLayer* layer = &cable->string->layer;
    layer->touchCount = 0;
    if (!cable->collides || cable->state.broken != 0.0 || cable->loose || layer->scheme != RV_WAVE_MODAL)
        return;
    int n = layer->table.stride, m = layer->table.intervals;
    double *u = layer->scratch, *w = layer->scratch + 2 * n;
    for (int i = 0; i < cable->route.spanCount; ++i) {
        const rvSpanWave* wave = rv_layered_wave(cable, i);
        double bulge = bulge_of(cable, i, h), reach = bulge + cable->diameter + RV_CONTACT_MARGIN;
        bool known = false;
        for (int k = 0; k < shapes->pool.count && bulge > ALLOWED; ++k) {
            const rvShape* shape = &shapes->items[k];
            double least = shape->type == RV_SHAPE_PLANE ? cable->diameter + ALLOWED : ALLOWED;
            if (bulge <= least || !rv_id_pool_alive(&shapes->pool, k) || !(shape->group & cable->mask) ||
                !(cable->shapeGroup & shape->mask) || is_attached(cable, i, shape->body) ||
                is_clear(cable, i, shape, reach))
                continue;
            if (!known) {
                points_of(cable, rv_layered_amplitudes(cable, i, 0), 0, u);
                points_of(cable, rv_layered_amplitudes(cable, i, 0), 1, w);
                known = true;
            }
            rvVec3 from = cable->route.places[i].out, way = rvSub(cable->route.places[i + 1].in, from);
            for (int j = 0; j < m - 1; ++j) {
                rvVec3 speed = across(wave, w[j], w[n + j]), at = across(wave, u[j], u[n + j]);
                rvVec3 chord = rvMulAdd(from, (j + 1.0) / m, way);
                at = rvAdd(rvMulAdd(at, 0.5 * h, speed), chord);
                double fast = rvLength(speed) + rvLength(wave->endSpeeds[0]) + rvLength(wave->endSpeeds[1]);
                look_at(cable, shape, i, j, at, chord, h * (fast + h * 20.0));
            }
        }
    }
}

bool rv_layered_collide(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h, int pass)
{
    (void)bodies;
    if (pass == 0)
        find_contacts(cable, shapes, h);
    return false;
}

int rv_layered_touching(const rvCable* cable)
{
    int count = 0;
    for (int i = 0; i < cable->string->layer.touchCount; ++i)
        count += cable->string->layer.touches[i].impulse[0] > 0.0;
    return count;
}

// Velocities of all points by an impulse at one: a column of the inverse of (rho l/M)(1 + beta + (nu^2/4) L).
static void find_column(const rvCable* cable, const rvWaveStep* step, double mass, int point, double* column)
{
    int count = cable->string->layer.table.intervals - 1;
    double own = mass * (1.0 + step->damping + 0.5 * step->nu2), next = -0.25 * mass * step->nu2;
    double* ratio = cable->string->layer.scratch + 4 * cable->string->layer.table.stride;
    double last = 0.0, before = 0.0;
    for (int j = 0; j < count; ++j) {
        double pivot = own - next * last;
        before = ((j == point ? 1.0 : 0.0) - next * before) / pivot;
        ratio[j] = last = next / pivot;
        column[j] = before;
    }
    for (int j = count - 2; j >= 0; --j)
        column[j] -= ratio[j] * column[j + 1];
}

// Normal and the direction across the rope along the surface, in the two directions of the wave.
static void set_directions(rvWaveTouch* touch, const rvSpanWave* wave)
{
    rvVec3 other = rvCross(wave->u, wave->across), along = rvNormalizeOr(rvCross(wave->u, touch->normal), other);
    touch->along = along;
    touch->part[0][0] = rvDot(touch->normal, wave->across);
    touch->part[0][1] = rvDot(touch->normal, other);
    touch->part[1][0] = rvDot(along, wave->across);
    touch->part[1][1] = rvDot(along, other);
}

// What a contact's two speeds want, before any impulse.
static void set_speeds(rvCable* cable, const rvBodyStore* bodies, rvWaveTouch* touch, const double* w, double h)
{
    const rvSpanWave* wave = rv_layered_wave(cable, touch->span);
    double x = (touch->point + 1.0) / cable->string->layer.table.intervals;
    rvVec3 v = rvAdd(rvScale(1.0 - x, wave->endSpeeds[0]), rvScale(x, wave->endSpeeds[1]));
    rvVec3 taken = v;
    if (touch->body >= 0 && rv_body_moves(&bodies->items[touch->body])) {
        const rvBody* body = &bodies->items[touch->body];
        v = rvSub(v, rvAdd(body->state.v, rvCross(body->state.w, rvSub(touch->at, body->state.x))));
        taken = rv_body_is_pushed(body) ? v : taken;
    }
    const double own[2] = {w[touch->point], w[cable->string->layer.table.stride + touch->point]};
    for (int r = 0; r < 2; ++r) {
        rvVec3 direction = r == 0 ? touch->normal : touch->along;
        touch->speed[r] = rvDot(direction, v) + touch->part[r][0] * own[0] + touch->part[r][1] * own[1];
        touch->carried[r] = rvDot(direction, taken);
    }
    touch->speed[0] += fmax(0.0, touch->gap) / h;
    touch->impulse[0] = touch->impulse[1] = 0.0;
}

// One sweep over the contacts of a span, within their bounds; answers the largest change.
static double sweep(rvWaveTouch* touches, const double* columns, int stride, int count)
{
    double change = 0.0;
    for (int i = 0; i < 2 * count; ++i) {
        rvWaveTouch* a = &touches[i / 2];
        int r = i % 2;
        double speed = a->speed[r], own = 0.0, before = a->impulse[r];
        for (int k = 0; k < count; ++k) {
            const rvWaveTouch* b = &touches[k];
            double g = columns[(size_t)k * (size_t)stride + (size_t)a->point];
            for (int q = 0; q < 2; ++q)
                speed += g * (a->part[r][0] * b->part[q][0] + a->part[r][1] * b->part[q][1]) * b->impulse[q];
            if (a == b)
                own = g * (a->part[r][0] * a->part[r][0] + a->part[r][1] * a->part[r][1]);
        }
        double most = r == 0 ? HUGE_VAL : a->friction * a->impulse[0];
        if (own > 0.0)
            a->impulse[r] = fmin(fmax(before - speed / own, r == 0 ? 0.0 : -most), most);
        change = fmax(change, fabs(a->impulse[r] - before));
    }
    return change;
}

// The ends and the shape's body get it in the next step.
static void react(rvCable* cable, const rvBodyStore* bodies, const rvWaveTouch* touch)
{
    rvSpanWave* wave = rv_layered_wave(cable, touch->span);
    double x = (touch->point + 1.0) / cable->string->layer.table.intervals;
    rvVec3 impulse = rvMulAdd(rvScale(touch->impulse[0], touch->normal), touch->impulse[1], touch->along);
    wave->owed[0] = rvMulAdd(wave->owed[0], 1.0 - x, impulse);
    wave->owed[1] = rvMulAdd(wave->owed[1], x, impulse);
    if (touch->body < 0 || !rv_body_is_pushed(&bodies->items[touch->body]))
        return;
    for (int i = 0; i < 2; ++i) {
        rvSpanPress* press = &wave->presses[i];
        if (press->body != 0.0 && press->body != touch->body + 1)
            continue;
        press->body = touch->body + 1;
        press->impulse = rvSub(press->impulse, impulse);
        rvVec3 arm = rvSub(touch->at, bodies->items[touch->body].state.x);
        press->moment = rvSub(press->moment, rvCross(arm, impulse));
        return;
    }
}

// What the impulses make of the wave, and points that lie too deep.
static void push_wave(rvCable* cable, int span, const rvWaveTouch* touches, const double* columns, int count, double h)
{
    rvLayer* layer = &cable->string->layer;
    int n = layer->table.stride, points = layer->table.intervals - 1;
    double *faster = layer->scratch, *lifted = layer->scratch + n, *modes = layer->scratch + 2 * n;
    double* a = rv_layered_amplitudes(cable, span, 1);
    for (int d = 0; d < 2; ++d) {
        for (int j = 0; j < points; ++j)
            faster[j] = lifted[j] = 0.0;
        for (int i = 0; i < count; ++i) {
            const rvWaveTouch* touch = &touches[i];
            double push = touch->part[0][d] * touch->impulse[0] + touch->part[1][d] * touch->impulse[1];
            for (int j = 0; j < points; ++j)
                faster[j] += push * columns[(size_t)i * (size_t)n + (size_t)j];
            if (touch->gap < -ALLOWED)
                lifted[touch->point] = -LIFTED * (touch->gap + ALLOWED) * touch->part[0][d];
        }
        rv_wave_to_modes(&layer->table, faster, modes);
        for (int k = 0; k < points; ++k) {
            a[(2 * d + 1) * n + k] += modes[k];
            a[2 * d * n + k] += 0.5 * h * modes[k];
        }
        rv_wave_to_modes(&layer->table, lifted, modes);
        for (int k = 0; k < points; ++k)
            a[2 * d * n + k] += modes[k];
    }
}

static double energy_of(const rvCable* cable, const rvWaveStep* step, const double* wave, double mass)
{
    double kinetic, potential;
    rv_wave_energy(&cable->string->layer.table, step, wave, &kinetic, &potential);
    return 0.5 * mass * (kinetic + potential);
}

void rv_layered_touch(rvCable* cable, const rvBodyStore* bodies, int span, double tension, const rvStepContext* context)
{
    rvLayer* layer = &cable->string->layer;
    int first = 0, last;
    rvSpanWave* wave = rv_layered_wave(cable, span);
    wave->lies = 0.0;
    while (first < layer->touchCount && layer->touches[first].span != span)
        first += 1;
    for (last = first; last < layer->touchCount && layer->touches[last].span == span;)
        last += 1;
    if (first == last)
        return;
    int n = layer->table.stride;
    rvSpanWork* work = &layer->work[span];
    double* a = rv_layered_amplitudes(cable, span, 1);
    double mass = cable->massPerLength * work->length, *w = layer->scratch;
    rvWaveStep step = rv_layered_step(cable, span, tension, context->h);
    rv_layered_set_load(&step, wave, context->gravity, (const rvVec3[2]){{0, 0, 0}, {0, 0, 0}});
    points_of(cable, a, 1, w);
    double pressed = 0.0, borne = 0.0, height = 0.0, carried = 0.0, g = fmax(rvLength(context->gravity), 1e-300);
    for (int i = first; i < last; ++i) {
        set_directions(&layer->touches[i], wave);
        set_speeds(cable, bodies, &layer->touches[i], w, context->h);
        find_column(cable, &step, mass / layer->table.intervals, layer->touches[i].point,
                    layer->columns + (size_t)(i - first) * (size_t)n);
    }
    double change = HUGE_VAL, enough = 1e-9 * mass * rvLength(context->gravity) * context->h;
    for (int round = 0; round < SWEEPS && change > enough; ++round)
        change = sweep(layer->touches + first, layer->columns, n, last - first);
    for (int i = first; i < last; ++i) {
        const rvWaveTouch* touch = &layer->touches[i];
        pressed += touch->impulse[0] + fmax(0.0, -ALLOWED - touch->gap);
        borne += touch->impulse[0];
        carried += touch->impulse[0] * touch->carried[0] + touch->impulse[1] * touch->carried[1];
        height -= touch->impulse[0] * rvDot(touch->at, context->gravity) / g;
    }
    if (pressed == 0.0)
        return;
    wave->lies = borne > 0.0 ? 1.0 : 0.0;
    wave->floor = borne > 0.0 ? height / borne : 0.0;
    double before = energy_of(cable, &step, a, mass), arc = work->arc;
    push_wave(cable, span, layer->touches + first, layer->columns, last - first, context->h);
    work->arc = rv_wave_arc(&layer->table, step.arc, a);
    work->slowed = true; // what was found of the next step holds no more
    cable->state.heat -= energy_of(cable, &step, a, mass) - before + tension * (work->arc - arc) + carried;
}

void rv_layered_react(rvCable* cable, const rvBodyStore* bodies, int span)
{
    for (int i = 0; i < cable->string->layer.touchCount; ++i)
        if (cable->string->layer.touches[i].span == span && cable->string->layer.touches[i].impulse[0] > 0.0)
            react(cable, bodies, &cable->string->layer.touches[i]);
}
