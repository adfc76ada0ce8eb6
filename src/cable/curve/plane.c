// SPDX-License-Identifier: MIT
#include "cable/curve/plane.h"

#include <math.h>
#include <string.h>

#define POINTS RV_PLANE_POINTS
#define NODE rv_gauss_node
#define WEIGHT rv_gauss_weight

// ---- creation -------------------------------------------------------------------------------------------------------

static size_t points_of(const rvPlane* plane)
{
    return (size_t)plane->intervals * POINTS;
}

bool rv_plane_create(rvPlane* plane, rvMemory* memory, int intervals, double length, bool stretches)
{
    *plane = (rvPlane){.intervals = intervals, .fields = stretches ? 2 : 1, .length = length};
    plane->count = 2 + plane->fields * (intervals + 1);
    plane->step = length / intervals;
    size_t points = points_of(plane), n = (size_t)intervals;
    plane->parts = rv_memory_take(memory, n * sizeof(rvPlanePart));
    plane->tail = rv_memory_take(memory, n * sizeof(double));
    plane->inner = rv_memory_take(memory, 2 * points * POINTS * sizeof(double));
    plane->outer = rv_memory_take(memory, points * sizeof(double));
    plane->rigid = rv_memory_take(memory, n * RV_PLANE_RIGID * sizeof(double));
    plane->t = rv_memory_take(memory, points * sizeof(rvVec2));
    plane->lambda = rv_memory_take(memory, points * sizeof(double));
    plane->x = rv_memory_take(memory, points * sizeof(rvVec2));
    plane->nodes = rv_memory_take(memory, (n + 1) * sizeof(rvVec2));
    plane->placed = rv_memory_take(memory, (size_t)plane->count * sizeof(double));
    plane->load = rv_memory_take(memory, points * sizeof(rvVec2));
    plane->own = rv_memory_take(memory, (size_t)plane->count * sizeof(double));
    plane->flow = rv_memory_take(memory, points * sizeof(rvVec2));
    plane->rates = rv_memory_take(memory, (points + 1) * sizeof(rvVec2)); // a way, too
    plane->line = rv_memory_take(memory, points * sizeof(rvVec2));
    plane->sums = rv_memory_take(memory, n * sizeof(rvPlaneSums));
    if (!plane->parts || !plane->tail || !plane->inner || !plane->outer || !plane->rigid || !plane->t ||
        !plane->lambda || !plane->x || !plane->nodes || !plane->placed || !plane->load || !plane->own || !plane->flow ||
        !plane->rates || !plane->line || !plane->sums) {
        rv_plane_release(plane, memory);
        return false;
    }
    rv_gauss_powers(plane->powers);
    rv_gauss_partials(plane->partials);
    plane->placed[0] = (double)NAN;
    return true;
}

void rv_plane_release(rvPlane* plane, rvMemory* memory)
{
    size_t points = points_of(plane), n = (size_t)plane->intervals;
    rv_memory_give(memory, plane->parts, n * sizeof(rvPlanePart));
    rv_memory_give(memory, plane->tail, n * sizeof(double));
    rv_memory_give(memory, plane->inner, 2 * points * POINTS * sizeof(double));
    rv_memory_give(memory, plane->outer, points * sizeof(double));
    rv_memory_give(memory, plane->rigid, n * RV_PLANE_RIGID * sizeof(double));
    rv_memory_give(memory, plane->t, points * sizeof(rvVec2));
    rv_memory_give(memory, plane->lambda, points * sizeof(double));
    rv_memory_give(memory, plane->x, points * sizeof(rvVec2));
    rv_memory_give(memory, plane->nodes, (n + 1) * sizeof(rvVec2));
    rv_memory_give(memory, plane->placed, (size_t)plane->count * sizeof(double));
    rv_memory_give(memory, plane->load, points * sizeof(rvVec2));
    rv_memory_give(memory, plane->own, (size_t)plane->count * sizeof(double));
    rv_memory_give(memory, plane->flow, points * sizeof(rvVec2));
    rv_memory_give(memory, plane->rates, (points + 1) * sizeof(rvVec2));
    rv_memory_give(memory, plane->line, points * sizeof(rvVec2));
    rv_memory_give(memory, plane->sums, n * sizeof(rvPlaneSums));
    *plane = (rvPlane){0};
}

static double mass_of(const rvPlane* plane, int k)
{
    return plane->parts[k / POINTS].density * plane->step * WEIGHT[k % POINTS];
}

static double drag_of(const rvPlane* plane, int k)
{
    return plane->parts[k / POINTS].drag * plane->step * WEIGHT[k % POINTS];
}

static void weigh(rvPlane* plane, int i)
{
    double *inner = plane->inner + 2 * i * POINTS * POINTS, whole[POINTS * POINTS];
    double* rigid = plane->rigid + i * RV_PLANE_RIGID;
    rv_gauss_weigh(plane->step, plane->parts[i].density, plane->tail[i], plane->partials, whole,
                   plane->outer + i * POINTS);
    for (int m = 0; m < POINTS; ++m)
        for (int l = 0; l < POINTS; ++l)
            for (int end = 0; end < 2; ++end)
                inner[(end * POINTS + m) * POINTS + l] = whole[m * POINTS + l] * rv_plane_shape(end, l);
    memset(rigid, 0, RV_PLANE_RIGID * sizeof(double));
    for (int m = 0; m < POINTS; ++m)
        for (int l = 0; l < POINTS; ++l)
            for (int pair = 0; pair < 3; ++pair) // ends 0 0, 1 0, 1 1
                rigid[5 * pair + rv_plane_points_apart(m, l)] +=
                    whole[m * POINTS + l] * rv_plane_shape(pair > 0, m) * rv_plane_shape(pair > 1, l);
}

void rv_plane_begin(rvPlane* plane)
{
    double mass = 0.0;
    for (int i = plane->intervals - 1; i >= 0; --i) {
        plane->tail[i] = mass;
        mass += plane->parts[i].density * plane->step;
        weigh(plane, i);
    }
    plane->mass = mass;
    plane->drags = false;
    for (int i = 0; i < plane->intervals; ++i)
        plane->drags = plane->drags || plane->parts[i].drag > 0.0;
}

// ---- shape ----------------------------------------------------------------------------------------------------------

// A vector given at the Gauss points, integrated to the Gauss points (out) and, if wanted, to the nodes.
static void integrate(const rvPlane* plane, rvVec2 start, const rvVec2* flow, rvVec2* out, rvVec2* nodes)
{
    const double* a = plane->partials;
    for (int i = 0; i < plane->intervals; ++i) {
        const rvVec2* f = flow + i * POINTS;
        rvVec2 whole = start;
        if (nodes)
            nodes[i] = start;
        for (int g = 0; g < POINTS; ++g) {
            rvVec2 sum = start;
            for (int m = 0; m < POINTS; ++m)
                sum = rv_vec2_add(sum, plane->step * a[g * POINTS + m], f[m]);
            out[i * POINTS + g] = sum;
            whole = rv_vec2_add(whole, plane->step * WEIGHT[g], f[g]);
        }
        start = whole;
    }
    if (nodes)
        nodes[plane->intervals] = start;
}

// Cosine and sine of a small angle by their series: 1e-17 at SMALL.
#define SMALL 0.45

static rvVec2 turn_by(double x)
{
    if (fabs(x) > SMALL)
        return rv_vec2(cos(x), sin(x));
    double y = x * x, c = 1.0 / 20922789888000.0, s = 1.0 / 1307674368000.0; // 1/16!, 1/15!
    c = 1.0 - y * (1.0 / 2.0 -
                   y * (1.0 / 24.0 -
                        y * (1.0 / 720.0 -
                             y * (1.0 / 40320.0 - y * (1.0 / 3628800.0 -
                                                       y * (1.0 / 479001600.0 - y * (1.0 / 87178291200.0 - y * c)))))));
    s = 1.0 -
        y * (1.0 / 6.0 -
             y * (1.0 / 120.0 - y * (1.0 / 5040.0 - y * (1.0 / 362880.0 -
                                                         y * (1.0 / 39916800.0 - y * (1.0 / 6227020800.0 - y * s))))));
    return rv_vec2(c, x * s);
}

// Tangents of an interval: about that of its middle, at which the Gauss points are symmetric.
static void place_tangents(double from, double to, rvVec2 t[POINTS])
{
    double middle = 0.5 * (from + to), c = cos(middle), s = sin(middle);
    for (int m = 0; m < POINTS / 2; ++m) {
        rvVec2 d = turn_by((0.5 - NODE[m]) * (to - from));
        t[m] = rv_vec2(c * d.x + s * d.y, s * d.x - c * d.y);
        t[POINTS - 1 - m] = rv_vec2(c * d.x - s * d.y, s * d.x + c * d.y);
    }
}

// What is there already is not placed again: a step asks for where it is more often than it moves.
void rv_plane_place(rvPlane* plane, const double* q)
{
    int f = plane->fields;
    size_t size = (size_t)plane->count * sizeof(double);
    if (plane->placed[0] == q[0] && memcmp(plane->placed, q, size) == 0)
        return;
    memcpy(plane->placed, q, size);
    for (int i = 0; i < plane->intervals; ++i) {
        const double *a = q + rv_plane_angle(plane, i), *b = a + f;
        place_tangents(a[0], b[0], plane->t + i * POINTS);
        for (int m = 0; m < POINTS; ++m) {
            int k = i * POINTS + m;
            plane->lambda[k] = f == 2 ? 1.0 + (1.0 - NODE[m]) * a[1] + NODE[m] * b[1] : 1.0;
            plane->flow[k] = rv_vec2(plane->lambda[k] * plane->t[k].x, plane->lambda[k] * plane->t[k].y);
        }
    }
    integrate(plane, rv_vec2(q[0], q[1]), plane->flow, plane->x, plane->nodes);
}

rvCurveSpot rv_plane_spot(const rvPlane* plane, double s)
{
    double at = fmin(fmax(s / plane->step, 0.0), plane->intervals);
    int interval = (int)at;
    if (interval == plane->intervals)
        interval -= 1;
    return rv_plane_spot_in(plane, interval, at - interval);
}

rvCurveSpot rv_plane_spot_in(const rvPlane* plane, int interval, double xi)
{
    rvCurveSpot spot = {.interval = interval, .xi = xi};
    const double* c = plane->powers;
    for (int m = 0; m < POINTS; ++m)
        spot.weight[m] = xi * (c[m] + xi * (c[POINTS + m] + xi * (c[2 * POINTS + m] + xi * c[3 * POINTS + m])));
    return spot;
}

rvVec2 rv_plane_point(const rvPlane* plane, const rvCurveSpot* spot)
{
    rvVec2 x = plane->nodes[spot->interval];
    for (int m = 0; m < POINTS; ++m) {
        int k = spot->interval * POINTS + m;
        x = rv_vec2_add(x, plane->step * spot->weight[m] * plane->lambda[k], plane->t[k]);
    }
    return x;
}

rvVec2 rv_plane_slope(const rvPlane* plane, const rvCurveSpot* spot)
{
    const double *c = plane->powers, xi = spot->xi;
    rvVec2 sum = rv_vec2(0, 0);
    for (int m = 0; m < RV_GAUSS_POINTS; ++m) {
        double w = c[m] + xi * (2.0 * c[RV_GAUSS_POINTS + m] +
                                xi * (3.0 * c[2 * RV_GAUSS_POINTS + m] + xi * 4.0 * c[3 * RV_GAUSS_POINTS + m]));
        int k = spot->interval * RV_GAUSS_POINTS + m;
        sum = rv_vec2_add(sum, plane->step * w * plane->lambda[k], plane->t[k]);
    }
    return sum;
}

double rv_plane_angle_at(const rvPlane* plane, const double* q, const rvCurveSpot* spot)
{
    const double* a = q + rv_plane_angle(plane, spot->interval);
    return (1.0 - spot->xi) * a[0] + spot->xi * a[plane->fields];
}

double rv_plane_curvature(const rvPlane* plane, const double* q, int interval)
{
    const double* a = q + rv_plane_angle(plane, interval);
    return (a[plane->fields] - a[0]) / plane->step;
}

// d(lambda t)/dt at Gauss point m of interval i.
static rvVec2 rate_of(const rvPlane* plane, const double* v, int i, int m)
{
    const double *a = v + rv_plane_angle(plane, i), *b = a + plane->fields;
    int k = i * POINTS + m;
    double turn = plane->lambda[k] * ((1.0 - NODE[m]) * a[0] + NODE[m] * b[0]);
    rvVec2 rate = rv_vec2(-turn * plane->t[k].y, turn * plane->t[k].x);
    if (plane->fields == 2)
        rate = rv_vec2_add(rate, (1.0 - NODE[m]) * a[1] + NODE[m] * b[1], plane->t[k]);
    return rate;
}

// The part of d^2(lambda t)/dt^2 that is quadratic in the rates: -lambda t theta'^2 + 2 n theta' e'.
static rvVec2 quadratic_of(const rvPlane* plane, const double* v, int i, int m)
{
    const double *a = v + rv_plane_angle(plane, i), *b = a + plane->fields;
    int k = i * POINTS + m;
    double turn = (1.0 - NODE[m]) * a[0] + NODE[m] * b[0];
    double along = -plane->lambda[k] * turn * turn;
    rvVec2 part = rv_vec2(along * plane->t[k].x, along * plane->t[k].y);
    if (plane->fields == 2)
        part = rv_vec2_add(part, 2.0 * turn * ((1.0 - NODE[m]) * a[1] + NODE[m] * b[1]), rv_vec2_across(plane->t[k]));
    return part;
}

typedef rvVec2 (*FlowFn)(const rvPlane* plane, const double* v, int i, int m);

static rvVec2 flow_to(const rvPlane* plane, FlowFn flow, const double* v, rvVec2 start, const rvCurveSpot* spot)
{
    for (int i = 0; i < spot->interval; ++i)
        for (int m = 0; m < POINTS; ++m)
            start = rv_vec2_add(start, plane->step * WEIGHT[m], flow(plane, v, i, m));
    for (int m = 0; m < POINTS; ++m)
        start = rv_vec2_add(start, plane->step * spot->weight[m], flow(plane, v, spot->interval, m));
    return start;
}

rvVec2 rv_plane_velocity(const rvPlane* plane, const double* v, const rvCurveSpot* spot)
{
    return flow_to(plane, rate_of, v, rv_vec2(v[0], v[1]), spot);
}

void rv_plane_node_rates(const rvPlane* plane, const double* v, rvVec2* rates)
{
    rates[0] = rv_vec2(v[0], v[1]);
    for (int i = 0; i < plane->intervals; ++i) {
        rates[i + 1] = rates[i];
        for (int m = 0; m < POINTS; ++m)
            rates[i + 1] = rv_vec2_add(rates[i + 1], plane->step * WEIGHT[m], rate_of(plane, v, i, m));
    }
}

rvVec2 rv_plane_drift(const rvPlane* plane, const double* v, const rvCurveSpot* spot)
{
    return flow_to(plane, quadratic_of, v, rv_vec2(0, 0), spot);
}

// Adds N_i c . f times `weight` for the two nodes of Gauss point m.
static void add_columns(const rvPlane* plane, int i, int m, double weight, rvVec2 f, double* row)
{
    int k = i * POINTS + m;
    double *a = row + rv_plane_angle(plane, i), *b = a + plane->fields;
    double turn = weight * plane->lambda[k] * rv_vec2_dot(rv_vec2_across(plane->t[k]), f);
    a[0] += (1.0 - NODE[m]) * turn;
    b[0] += NODE[m] * turn;
    if (plane->fields == 2) {
        double along = weight * rv_vec2_dot(plane->t[k], f);
        a[1] += (1.0 - NODE[m]) * along;
        b[1] += NODE[m] * along;
    }
}

void rv_plane_add_row(const rvPlane* plane, const rvCurveSpot* spot, rvVec2 f, double* row)
{
    row[0] += f.x;
    row[1] += f.y;
    for (int i = 0; i < spot->interval; ++i)
        for (int m = 0; m < POINTS; ++m)
            add_columns(plane, i, m, plane->step * WEIGHT[m], f, row);
    for (int m = 0; m < POINTS; ++m)
        add_columns(plane, spot->interval, m, plane->step * spot->weight[m], f, row);
}

void rv_plane_spot_columns(const rvPlane* plane, int interval, const double weight[POINTS], rvVec2 columns[2])
{
    columns[0] = columns[1] = rv_vec2(0, 0);
    for (int m = 0; m < POINTS; ++m) {
        int k = interval * POINTS + m;
        rvVec2 turn = rv_vec2_across(plane->t[k]);
        double part = plane->step * weight[m] * plane->lambda[k];
        columns[0] = rv_vec2_add(columns[0], (1.0 - NODE[m]) * part, turn);
        columns[1] = rv_vec2_add(columns[1], NODE[m] * part, turn);
    }
}

// ---- loads ----------------------------------------------------------------------------------------------------------

void rv_plane_clear_loads(rvPlane* plane)
{
    memset(plane->load, 0, points_of(plane) * sizeof(rvVec2));
    memset(plane->own, 0, (size_t)plane->count * sizeof(double));
    plane->base = rv_vec2(0, 0);
}

void rv_plane_add_force(rvPlane* plane, const rvCurveSpot* spot, rvVec2 force)
{
    plane->base = rv_vec2_add(plane->base, 1.0, force);
    for (int k = 0; k < spot->interval * POINTS; ++k)
        plane->load[k] = rv_vec2_add(plane->load[k], plane->step * WEIGHT[k % POINTS], force);
    rv_plane_add_spot_load(plane, spot, force);
}

void rv_plane_add_spot_load(rvPlane* plane, const rvCurveSpot* spot, rvVec2 force)
{
    for (int m = 0; m < POINTS; ++m) {
        rvVec2* load = &plane->load[spot->interval * POINTS + m];
        *load = rv_vec2_add(*load, plane->step * spot->weight[m], force);
    }
}

void rv_plane_add_forces(rvPlane* plane, const rvVec2* forces)
{
    rvVec2 sum = rv_vec2(0, 0);
    for (int i = plane->intervals - 1; i >= 0; --i) {
        for (int m = 0; m < POINTS; ++m) {
            rvVec2* load = &plane->load[i * POINTS + m];
            *load = rv_vec2_add(*load, plane->step * WEIGHT[m], sum);
        }
        sum = rv_vec2_add(sum, 1.0, forces[i]);
    }
    plane->base = rv_vec2_add(plane->base, 1.0, sum);
}

void rv_plane_add_moment(rvPlane* plane, const rvCurveSpot* spot, double moment)
{
    double* a = plane->own + rv_plane_angle(plane, spot->interval);
    a[0] += (1.0 - spot->xi) * moment;
    a[plane->fields] += spot->xi * moment;
}

// Forces on the Gauss points, in plane->flow, gathered from the far end on.
static void gather(rvPlane* plane)
{
    const double* a = plane->partials;
    rvVec2 beyond = rv_vec2(0, 0);
    for (int i = plane->intervals - 1; i >= 0; --i) {
        const rvVec2* f = plane->flow + i * POINTS;
        rvVec2 here = beyond;
        for (int m = 0; m < POINTS; ++m) {
            rvVec2 sum = rv_vec2(WEIGHT[m] * beyond.x, WEIGHT[m] * beyond.y);
            for (int g = 0; g < POINTS; ++g)
                sum = rv_vec2_add(sum, a[g * POINTS + m], f[g]);
            rvVec2* load = &plane->load[i * POINTS + m];
            *load = rv_vec2_add(*load, plane->step, sum);
            here = rv_vec2_add(here, 1.0, f[m]);
        }
        beyond = here;
    }
    plane->base = rv_vec2_add(plane->base, 1.0, beyond);
}

void rv_plane_add_gravity(rvPlane* plane, rvVec2 gravity)
{
    for (int k = 0; k < plane->intervals * POINTS; ++k) // what is gathered of masses is `outer`
        plane->load[k] = rv_vec2_add(plane->load[k], plane->outer[k], gravity);
    plane->base = rv_vec2_add(plane->base, plane->mass, gravity);
}

// Velocities of the Gauss points into plane->flow.
static void move(rvPlane* plane, const double* v)
{
    for (int i = 0; i < plane->intervals; ++i)
        for (int m = 0; m < POINTS; ++m)
            plane->rates[i * POINTS + m] = rate_of(plane, v, i, m);
    integrate(plane, rv_vec2(v[0], v[1]), plane->rates, plane->flow, NULL);
}

// ---- ways: what the curve is integrated of, see plane.h
// ----------------------------------------------------------------

void rv_plane_way(const rvPlane* plane, const double* q, rvVec2* way)
{
    way[0] = rv_vec2(q[0], q[1]);
    for (int k = 0; k < plane->intervals * POINTS; ++k)
        way[k + 1] = rv_vec2(plane->lambda[k] * plane->t[k].x, plane->lambda[k] * plane->t[k].y);
}

void rv_plane_way_rate(const rvPlane* plane, const double* v, rvVec2* way)
{
    way[0] = rv_vec2(v[0], v[1]);
    for (int i = 0; i < plane->intervals; ++i)
        for (int m = 0; m < POINTS; ++m)
            way[i * POINTS + m + 1] = rate_of(plane, v, i, m);
}

void rv_plane_way_acceleration(const rvPlane* plane, const double* v, const double* a, rvVec2* way)
{
    way[0] = a ? rv_vec2(a[0], a[1]) : rv_vec2(0, 0);
    for (int i = 0; i < plane->intervals; ++i)
        for (int m = 0; m < POINTS; ++m) {
            rvVec2* here = &way[i * POINTS + m + 1];
            *here = quadratic_of(plane, v, i, m);
            if (a)
                *here = rv_vec2_add(*here, 1.0, rate_of(plane, a, i, m));
        }
}

void rv_plane_add_way_inertia(rvPlane* plane, const rvVec2* way)
{
    integrate(plane, way[0], way + 1, plane->flow, NULL);
    for (int k = 0; k < plane->intervals * POINTS; ++k)
        plane->flow[k] = rv_vec2(-mass_of(plane, k) * plane->flow[k].x, -mass_of(plane, k) * plane->flow[k].y);
    gather(plane);
}

void rv_plane_add_inertia(rvPlane* plane, const double* v, const double* acceleration)
{
    rv_plane_way_acceleration(plane, v, acceleration, plane->rates);
    rv_plane_add_way_inertia(plane, plane->rates);
}

void rv_plane_add_drag(rvPlane* plane, const double* v)
{
    if (!plane->drags)
        return;
    move(plane, v);
    for (int k = 0; k < plane->intervals * POINTS; ++k) {
        double drag = drag_of(plane, k);
        plane->flow[k] = rv_vec2(-drag * plane->flow[k].x, -drag * plane->flow[k].y);
    }
    gather(plane);
}

void rv_plane_line_loads(rvPlane* plane, rvVec2 gravity, const double* v)
{
    int count = plane->intervals * POINTS;
    for (int k = 0; k < count; ++k)
        plane->line[k] = rv_vec2_add(plane->flow[k], mass_of(plane, k), gravity);
    if (plane->drags)
        move(plane, v);
    for (int k = 0; plane->drags && k < count; ++k)
        plane->line[k] = rv_vec2_add(plane->line[k], -drag_of(plane, k), plane->flow[k]);
}

// Forces against the stretch of an interval, those of its nodes given: e is linear, its energy h/6 (e_a^2 + e_a e_b +
// e_b^2) EA.
static void add_stretch_stress(rvPlane* plane, int i, double a, double b)
{
    double *own = plane->own + rv_plane_angle(plane, i) + 1, sixth = plane->step / 6.0;
    own[0] -= sixth * (2.0 * a + b);
    own[2] -= sixth * (a + 2.0 * b);
}

void rv_plane_add_stresses(rvPlane* plane, const double* q, const double* v)
{
    int f = plane->fields;
    double h = plane->step;
    for (int i = 0; i < plane->intervals; ++i) {
        const rvPlanePart* part = &plane->parts[i];
        int a = rv_plane_angle(plane, i), b = a + f;
        double moment = part->rigidity * ((q[b] - q[a]) / h - part->natural) + part->damping * (v[b] - v[a]) / h;
        plane->own[a] += moment;
        plane->own[b] -= moment;
        if (f == 1)
            continue;
        add_stretch_stress(plane, i, part->stiffness * q[a + 1], part->stiffness * q[b + 1]);
    }
    rv_plane_add_stretching(plane, 1.0, v);
}

void rv_plane_add_stretching(rvPlane* plane, double times, const double* v)
{
    for (int i = 0; i < plane->intervals && plane->fields == 2; ++i) {
        const double *rate = v + rv_plane_angle(plane, i) + 1, damping = times * plane->parts[i].stretching;
        add_stretch_stress(plane, i, damping * rate[0], damping * rate[2]);
    }
}

void rv_plane_sum_loads(const rvPlane* plane, double* forces)
{
    memcpy(forces, plane->own, (size_t)plane->count * sizeof(double));
    forces[0] += plane->base.x;
    forces[1] += plane->base.y;
    for (int i = 0; i < plane->intervals; ++i)
        for (int m = 0; m < POINTS; ++m)
            add_columns(plane, i, m, 1.0, plane->load[i * POINTS + m], forces);
}

void rv_plane_tension(const rvPlane* plane, int interval, double tension[2])
{
    double t[2];
    for (int end = 0; end < 2; ++end) { // at the outer Gauss points, then on to the ends
        int m = end * (POINTS - 1), k = interval * POINTS + m;
        t[end] = rv_vec2_dot(plane->t[k], plane->load[k]) / (plane->step * WEIGHT[m]);
    }
    double slope = (t[1] - t[0]) / (NODE[POINTS - 1] - NODE[0]);
    tension[0] = t[0] - slope * NODE[0];
    tension[1] = tension[0] + slope;
}

// ---- energies -------------------------------------------------------------------------------------------------------

double rv_plane_kinetic_energy(rvPlane* plane, const double* v)
{
    move(plane, v);
    double energy = 0.0;
    for (int k = 0; k < plane->intervals * POINTS; ++k)
        energy += 0.5 * mass_of(plane, k) * rv_vec2_dot(plane->flow[k], plane->flow[k]);
    return energy;
}

double rv_plane_elastic_energy(const rvPlane* plane, const double* q)
{
    double energy = 0.0, h = plane->step;
    for (int i = 0; i < plane->intervals; ++i) {
        const rvPlanePart* part = &plane->parts[i];
        double bend = rv_plane_curvature(plane, q, i) - part->natural;
        energy += 0.5 * h * part->rigidity * bend * bend;
        if (plane->fields == 2) {
            double a = q[rv_plane_angle(plane, i) + 1], b = q[rv_plane_angle(plane, i + 1) + 1];
            energy += part->stiffness * h / 6.0 * (a * a + a * b + b * b);
        }
    }
    return energy;
}

double rv_plane_height_energy(const rvPlane* plane, rvVec2 gravity)
{
    double energy = 0.0;
    for (int k = 0; k < plane->intervals * POINTS; ++k)
        energy -= mass_of(plane, k) * rv_vec2_dot(gravity, plane->x[k]);
    return energy;
}
