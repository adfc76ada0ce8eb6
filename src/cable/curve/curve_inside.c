// SPDX-License-Identifier: MIT
// Rows of touches that stay inside a curve (row.h): those on shapes that nothing pushes. A curve that lies slack
// touches with all nodes and middles, and a dense block of their rows would cost the cube of their number. But a place
// moves as
//   x(s) = x0 + sum over the intervals before it of (A w_i + B w_i+1) + a w_i + b w_i+1,   w the turns of nodes
// so that springs K on places leave H as separable as it is (separable.h): with J_s(k) how a place s moves by turn k,
//   Q_k = sum of K J_s(k),   H_kk += sum of J_s(k)^T K J_s(k),   H_k+1,k += sum of J_s(k+1)^T K J_s(k)
// one sweep from the far end. A row gives way by itself a little (`gives`), so what is held is a spring 1/gives, and
// what the solver asks for is a solve each.
#include "cable/curve/curve_kernel.h"
#include "math/cholesky.h"

#include <string.h>

enum { LEAST_ROWS = 40, MOST_DIMS = 3 };

#define INLINE static inline __attribute__((always_inline))
#define gradient rv_curve_gradient
#define dot rv_curve_dot

static int nodes_of(const rvCurve* curve)
{
    return curve->now.intervals + 1;
}

static double* scratch(const rvCurve* curve, int i)
{
    return curve->inner.room + (size_t)i * (size_t)curve->now.count;
}

static double* held_column(const rvCurve* curve, int row)
{
    return scratch(curve, 2 + row);
}

// y += A x, y += A^T x
INLINE void add_times(const double* a, const double* x, double* y, int d, int t)
{
    for (int r = 0; r < d; ++r)
        for (int c = 0; c < t; ++c)
            y[r] += a[r * t + c] * x[c];
}

INLINE void add_back(const double* a, const double* x, double* y, int d, int t)
{
    for (int r = 0; r < d; ++r)
        for (int c = 0; c < t; ++c)
            y[c] += a[r * t + c] * x[r];
}

// C += A^T B, of t columns each.
INLINE void add_product(const double* a, const double* b, double* c, int d, int t)
{
    for (int r = 0; r < d; ++r)
        for (int i = 0; i < t; ++i)
            for (int j = 0; j < t; ++j)
                c[i * t + j] += a[r * t + i] * b[r * t + j];
}

// ---- places ---------------------------------------------------------------------------------------------------------

// Forces at the nodes (inner.push) to those on the rates.
INLINE void spread_nodes(const rvCurve* curve, double* u, int d, int t)
{
    const rvCurveInside* in = &curve->inner;
    double sum[MOST_DIMS] = {0};
    for (int i = curve->now.intervals - 1; i >= 0; --i) {
        const double* two = in->whole + (size_t)i * 2 * (size_t)(d * t);
        for (int r = 0; r < d; ++r)
            sum[r] += in->push[(i + 1) * d + r];
        add_back(two, sum, u + d + t * i, d, t);
        add_back(two + d * t, sum, u + d + t * (i + 1), d, t);
    }
    for (int r = 0; r < d; ++r)
        u[r] += sum[r] + in->push[r];
}

// How far the nodes go by u, into inner.moved.
INLINE void move_nodes(const rvCurve* curve, const double* u, int d, int t)
{
    const rvCurveInside* in = &curve->inner;
    memcpy(in->moved, u, (size_t)d * sizeof(double));
    for (int i = 0; i < curve->now.intervals; ++i) {
        const double* two = in->whole + (size_t)i * 2 * (size_t)(d * t);
        double* at = in->moved + d * (i + 1);
        for (int r = 0; r < d; ++r)
            at[r] = at[r - d];
        add_times(two, u + d + t * i, at, d, t);
        add_times(two + d * t, u + d + t * (i + 1), at, d, t);
    }
}

INLINE void spread_rows(const rvCurve* curve, const double* x, double* u, int d, int t)
{
    const rvCurveInside* in = &curve->inner;
    memset(in->push, 0, (size_t)(d * nodes_of(curve)) * sizeof(double));
    for (int k = 0; k < in->count; ++k) {
        const rvCurveInner* at = &in->touches[k];
        double force[MOST_DIMS] = {0}, *push = in->push + d * at->interval;
        for (int part = 0; part < at->parts; ++part)
            for (int r = 0; r < d; ++r)
                force[r] += x[at->row + part] * at->ways[part][r];
        for (int r = 0; r < d; ++r)
            push[r] += force[r];
        add_back(at->columns, force, u + d + t * at->interval, d, t);
        add_back(at->columns + d * t, force, u + d + t * (at->interval + 1), d, t);
    }
    spread_nodes(curve, u, d, t);
}

INLINE void read_rows(const rvCurve* curve, const double* u, double* y, int d, int t)
{
    const rvCurveInside* in = &curve->inner;
    move_nodes(curve, u, d, t);
    for (int k = 0; k < in->count; ++k) {
        const rvCurveInner* at = &in->touches[k];
        double place[MOST_DIMS];
        memcpy(place, in->moved + d * at->interval, (size_t)d * sizeof(double));
        add_times(at->columns, u + d + t * at->interval, place, d, t);
        add_times(at->columns + d * t, u + d + t * (at->interval + 1), place, d, t);
        for (int part = 0; part < at->parts; ++part) {
            double sum = 0.0;
            for (int r = 0; r < d; ++r)
                sum += at->ways[part][r] * place[r];
            y[at->row + part] = sum;
        }
    }
}

// u += G^T x of the rows inside; y = G u.
static void spread(const rvCurve* curve, const double* x, double* u)
{
    if (curve->space)
        spread_rows(curve, x, u, 3, 3);
    else
        spread_rows(curve, x, u, 2, 1);
}

void rv_curve_read_inside(const rvCurve* curve, const double* u, double* y)
{
    if (curve->space)
        read_rows(curve, u, y, 3, 3);
    else
        read_rows(curve, u, y, 2, 1);
}

void rv_curve_push_inside(const rvCurve* curve, const double* x, double* step)
{
    double* u = scratch(curve, 0);
    memset(u, 0, (size_t)curve->now.count * sizeof(double));
    spread(curve, x, u);
    rv_separable_solve(curve->now.matrix, u);
    for (int i = 0; i < curve->now.count; ++i)
        step[i] += u[i];
}

// ---- springs --------------------------------------------------------------------------------------------------------

// Of the springs in an interval: K, K a, K b, a^T K a, b^T K b, b^T K a.
typedef struct {
    double k[9], ka[9], kb[9], aa[9], bb[9], ba[9];
} Sums;

static double stiffness_of(const rvCurve* curve, int row, bool leans)
{
    const rvCurveInside* in = &curve->inner;
    return 1.0 / (in->gives[row] + (leans ? in->soft * in->compliance[row] : 0.0));
}

INLINE void sum_springs(const rvCurve* curve, Sums* sums, int d, int t)
{
    const rvCurveInside* in = &curve->inner;
    memset(sums, 0, (size_t)curve->now.intervals * sizeof(Sums));
    for (int n = 0; n < in->count; ++n) {
        const rvCurveInner* at = &in->touches[n];
        Sums* sum = &sums[at->interval];
        const double *a = at->columns, *b = a + d * t;
        double k[9] = {0}, ka[9] = {0}, kb[9] = {0};
        bool any = false;
        for (int part = 0; part < at->parts; ++part) {
            if (!in->held[at->row + part])
                continue;
            double stiff = curve->now.alpha->cM * stiffness_of(curve, at->row + part, part > 0);
            any = true;
            for (int r = 0; r < d; ++r)
                for (int c = 0; c < d; ++c)
                    k[r * d + c] += stiff * at->ways[part][r] * at->ways[part][c];
        }
        if (!any)
            continue;
        for (int r = 0; r < d; ++r)
            for (int c = 0; c < d; ++c) {
                sum->k[r * d + c] += k[r * d + c];
                for (int i = 0; i < t; ++i) {
                    ka[r * t + i] += k[r * d + c] * a[c * t + i];
                    kb[r * t + i] += k[r * d + c] * b[c * t + i];
                }
            }
        for (int i = 0; i < d * t; ++i) {
            sum->ka[i] += ka[i];
            sum->kb[i] += kb[i];
        }
        add_product(a, ka, sum->aa, d, t);
        add_product(b, kb, sum->bb, d, t);
        add_product(b, ka, sum->ba, d, t);
    }
}

// C += K A
INLINE void add_stiff(const double* k, const double* a, double* c, int d, int t)
{
    for (int r = 0; r < d; ++r)
        add_back(a, k + r * d, c + r * t, d, t); // K is symmetric
}

INLINE void add_below(rvSeparable* a, int row, int column, const double* m, int t)
{
    for (int r = 0; r < t; ++r)
        for (int c = 0; c < t; ++c)
            if (row + r >= column + c)
                *rv_separable_at(a, row + r, column + c) += m[r * t + c];
}

// From the last node to the first: `before` is B of the interval before it, p = before + A of the one after it.
INLINE void add_springs(const rvCurve* curve, const Sums* sums, rvSeparable* h, int d, int t)
{
    const rvCurveInside* in = &curve->inner;
    int n = curve->now.intervals;
    double beyond[9] = {0}, next[9] = {0}; // K of intervals beyond the next; Q of the next node without K b
    for (int node = n; node >= 0; --node) {
        const double* two = in->whole + (size_t)node * 2 * (size_t)(d * t);
        double before[9] = {0}, p[9], q[9] = {0}, more[9] = {0}, own[9] = {0}, below[9] = {0};
        if (node > 0)
            memcpy(before, two - d * t, sizeof(double) * (size_t)(d * t));
        memcpy(p, before, sizeof p);
        for (int i = 0; node < n && i < d * t; ++i)
            p[i] += two[i];
        add_stiff(beyond, p, q, d, t);
        add_product(p, q, own, d, t);
        if (node < n) {
            const Sums* here = &sums[node];
            memcpy(more, here->ka, sizeof more);
            add_stiff(here->k, before, more, d, t);
            add_product(before, more, own, d, t);
            add_product(here->ka, before, own, d, t);
            for (int i = 0; i < t * t; ++i) {
                own[i] += here->aa[i];
                below[i] += here->ba[i];
            }
            add_product(here->kb, before, below, d, t);
            add_product(next, p, below, d, t);
            for (int i = 0; i < d * d; ++i)
                beyond[i] += here->k[i];
        }
        for (int i = 0; i < d * t; ++i)
            next[i] = q[i] += more[i];
        for (int i = 0; node > 0 && i < d * t; ++i)
            q[i] += sums[node - 1].kb[i];
        for (int i = 0; node > 0 && i < t * t; ++i)
            own[i] += sums[node - 1].bb[i];
        int slot = d + t * node;
        add_below(h, slot, slot, own, t);
        if (node < n)
            add_below(h, slot + t, slot, below, t);
        for (int c = 0; c < t; ++c)
            for (int r = 0; r < d; ++r) {
                h->q[(slot + c) * d + r] += q[r * t + c];
                if (node == 0 && slot + c <= r + h->width)
                    *rv_separable_at(h, slot + c, r) += q[r * t + c];
            }
    }
    add_below(h, 0, 0, beyond, d);
}

// H with a spring for each row that is held; the columns of the other rows by it, and their block.
static void stiffen(rvCurve* curve)
{
    rvCurveInside* in = &curve->inner;
    int n = curve->width, count = curve->now.count;
    rv_separable_copy(&in->plain, &in->stiff);
    if (curve->space) {
        sum_springs(curve, (Sums*)in->sums, 3, 3);
        add_springs(curve, (Sums*)in->sums, &in->stiff, 3, 3);
    } else {
        sum_springs(curve, (Sums*)in->sums, 2, 1);
        add_springs(curve, (Sums*)in->sums, &in->stiff, 2, 1);
    }
    if (!rv_separable_factor(&in->stiff)) { // springs add to what is positive: by rounding only
        rv_separable_copy(&in->plain, &in->stiff);
        rv_separable_factor(&in->stiff);
    }
    memcpy(held_column(curve, 0), gradient(curve, 0), (size_t)n * (size_t)count * sizeof(double));
    rv_separable_solve_many(&in->stiff, held_column(curve, 0), n);
    for (int r = 0; r < n; ++r) {
        for (int q = 0; q <= r; ++q)
            in->block[r * n + q] = in->block[q * n + r] =
                curve->now.alpha->cM * dot(gradient(curve, r), held_column(curve, q), count);
        in->block[r * n + r] += in->extra[r];
    }
}

// ---- for the solver -------------------------------------------------------------------------------------------------

static void apply(void* object, const double* x, double* y)
{
    const rvCurve* curve = object;
    const rvCurveInside* in = &curve->inner;
    double *u = scratch(curve, 0), factor = curve->now.alpha->cM;
    int count = curve->now.count;
    memset(u, 0, (size_t)count * sizeof(double));
    for (int r = 0; r < curve->width; ++r)
        for (int i = 0; x[r] != 0.0 && i < count; ++i)
            u[i] += x[r] * gradient(curve, r)[i];
    spread(curve, x, u);
    rv_separable_solve(curve->now.matrix, u);
    rv_curve_read_inside(curve, u, y);
    for (int r = 0; r < curve->width; ++r)
        y[r] = factor * dot(gradient(curve, r), u, count) + in->extra[r] * x[r];
    for (int r = curve->width; r < curve->rowCount; ++r)
        y[r] = factor * y[r] + in->gives[r] * x[r];
}

static const double* hold(void* object, const int8_t* masked, double soft)
{
    rvCurve* curve = object;
    for (int r = curve->width; r < curve->rowCount; ++r)
        curve->inner.held[r] = !masked[r];
    curve->inner.soft = soft;
    stiffen(curve);
    return curve->inner.block;
}

// What the springs do that are asked for `right`, into scratch 1.
static void reduce(void* object, double* right)
{
    const rvCurve* curve = object;
    const rvCurveInside* in = &curve->inner;
    double* u = scratch(curve, 1);
    memset(u, 0, (size_t)curve->now.count * sizeof(double));
    for (int k = 0; k < in->count; ++k)
        for (int part = 0; part < in->touches[k].parts; ++part) {
            int r = in->touches[k].row + part;
            in->asked[r] = in->held[r] ? curve->now.alpha->cM * stiffness_of(curve, r, part > 0) * right[r] : 0.0;
        }
    spread(curve, in->asked, u);
    rv_separable_solve(&in->stiff, u);
    for (int r = 0; r < curve->width; ++r)
        right[r] -= dot(gradient(curve, r), u, curve->now.count);
}

// All of the motion is in scratch 1 then.
static void complete(void* object, double* x)
{
    const rvCurve* curve = object;
    const rvCurveInside* in = &curve->inner;
    double* u = scratch(curve, 1);
    for (int r = 0; r < curve->width; ++r)
        for (int i = 0; x[r] != 0.0 && i < curve->now.count; ++i)
            u[i] += curve->now.alpha->cM * x[r] * held_column(curve, r)[i];
    rv_curve_read_inside(curve, u, in->asked);
    for (int k = 0; k < in->count; ++k)
        for (int part = 0; part < in->touches[k].parts; ++part) {
            int r = in->touches[k].row + part;
            x[r] = in->held[r] ? stiffness_of(curve, r, part > 0) * (x[r] - in->asked[r]) : 0.0;
        }
}

// ---- rows -----------------------------------------------------------------------------------------------------------

// May the rows of a touch stay inside?
static bool is_inner(const rvCurve* curve, const rvCurveTouch* touch)
{
    return !touch->both && !touch->rope && (touch->body < 0 || !rv_body_is_pushed(&curve->bodies->items[touch->body]));
}

int rv_curve_touch_rows(const rvCurve* curve, const rvCurveTouch* touch)
{
    return touch->friction > 0.0 ? curve->dims : 1;
}

void rv_curve_choose_inside(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    rvCurveInside* in = &curve->inner;
    bool normals = curve->pressCount > 0 && curve->unsettled && isfinite(curve->turned); // turn, see curve_normal.c
    int inner = 0, outer = curve->gripRows + curve->foldCount;
    for (int k = 0; k < curve->touchCount; ++k) {
        rvCurveTouch* touch = &curve->touches[k];
        touch->inside = is_inner(curve, touch);
        inner += touch->inside ? rv_curve_touch_rows(curve, touch) : 0;
        outer += touch->inside ? 0 : rv_curve_touch_rows(curve, touch);
    }
    bool any =
        in->room && !cable->dense && !curve->atRest && !normals && inner >= LEAST_ROWS && outer <= RV_CURVE_WIDEST;
    for (int k = 0; k < curve->touchCount && !any; ++k)
        curve->touches[k].inside = false;
    in->ops = (rvInside){.object = curve,
                         .count = any ? inner : 0,
                         .exact = true,
                         .apply = apply,
                         .hold = hold,
                         .reduce = reduce,
                         .complete = complete};
    in->count = 0;
}

// How a node gives way, a matrix; whole nodes of samples, the same distance apart.
INLINE void measure_node(rvCurve* curve, int node, double* gives, int d, int t)
{
    rvCurveInside* in = &curve->inner;
    int count = curve->now.count;
    double* u = held_column(curve, 0);
    memset(u, 0, (size_t)(d * count) * sizeof(double));
    for (int r = 0; r < d; ++r) {
        memset(in->push, 0, (size_t)(d * nodes_of(curve)) * sizeof(double));
        in->push[d * node + r] = 1.0;
        spread_nodes(curve, u + r * count, d, t);
    }
    rv_separable_solve_many(curve->now.matrix, u, d);
    for (int r = 0; r < d; ++r) {
        move_nodes(curve, u + r * count, d, t);
        for (int c = 0; c < d; ++c)
            gives[3 * r + c] = curve->now.alpha->cM * in->moved[d * node + c];
    }
}

static void measure(rvCurve* curve)
{
    for (int k = 0; k < RV_CURVE_SAMPLES; ++k) {
        int node = k * curve->now.intervals / (RV_CURVE_SAMPLES - 1);
        if (curve->space)
            measure_node(curve, node, curve->inner.samples[k], 3, 3);
        else
            measure_node(curve, node, curve->inner.samples[k], 2, 1);
    }
}

// How a place along the curve gives way along a direction, about.
static double gives_at(const rvCurve* curve, const rvCurveSpot* spot, rvVec3 along)
{
    double at = (spot->interval + spot->xi) / curve->now.intervals * (RV_CURVE_SAMPLES - 1), sum = 0.0;
    int k = (int)fmin(at, RV_CURVE_SAMPLES - 2);
    const double *a = curve->inner.samples[k], *b = curve->inner.samples[k + 1], e[3] = {along.x, along.y, along.z};
    const int dims = curve->space ? 3 : 2;
    for (int r = 0; r < dims; ++r)
        for (int c = 0; c < dims; ++c)
            sum += e[r] * e[c] * (a[3 * r + c] + (at - k) * (b[3 * r + c] - a[3 * r + c]));
    return sum;
}

void rv_curve_lay_inside(rvCurve* curve, double regular)
{
    rvCurveInside* in = &curve->inner;
    int parts = 2 * curve->dims * curve->turns;
    for (int i = 0; i < curve->now.intervals; ++i)
        curve->kernel->columns(curve, i, NULL, in->whole + (size_t)i * (size_t)parts);
    measure(curve);
    for (int k = 0; k < curve->touchCount; ++k) {
        const rvCurveTouch* touch = &curve->touches[k];
        if (!touch->inside)
            continue;
        rvCurveInner* at = &in->touches[in->count++];
        at->interval = touch->spot.interval;
        at->row = touch->row;
        at->parts = rv_curve_touch_rows(curve, touch);
        curve->kernel->columns(curve, at->interval, &touch->spot, at->columns);
        for (int part = 0; part < at->parts; ++part) {
            rvVec3 along = curve->rows[at->row + part].along;
            const double way[3] = {along.x, along.y, along.z};
            memcpy(at->ways[part], way, sizeof way);
            double gives = gives_at(curve, &touch->spot, along);
            in->gives[at->row + part] = RV_CURVE_SOFTENING * gives + regular;
            in->compliance[at->row + part] = gives + in->gives[at->row + part];
        }
    }
}

// ---- rates ----------------------------------------------------------------------------------------------------------

void rv_curve_hold_rates(rvCurve* curve, int m)
{
    rvCurveInside* in = &curve->inner;
    memset(in->held + curve->width, 0, (size_t)(curve->rowCount - curve->width) * sizeof *in->held);
    for (int i = 0; i < m; ++i)
        if (curve->list[i] >= curve->width)
            in->held[curve->list[i]] = true;
    in->soft = 0.0;
    stiffen(curve);
}

void rv_curve_meet_inside(const rvCurve* curve, int outer, int m, double* rates, double sign)
{
    const rvCurveInside* in = &curve->inner;
    double *x = in->right, *y = in->outer;
    memset(x, 0, (size_t)curve->rowCount * sizeof(double));
    for (int i = 0; i < m; ++i)
        x[curve->list[i]] = curve->held[i];
    reduce((void*)curve, x);
    for (int i = 0; i < outer; ++i)
        y[i] = x[curve->list[i]];
    rv_cholesky_solve(curve->block, outer, y);
    memset(x, 0, (size_t)curve->width * sizeof(double));
    for (int i = 0; i < outer; ++i)
        x[curve->list[i]] = y[i];
    complete((void*)curve, x);
    for (int i = 0; i < curve->now.count; ++i)
        rates[i] += sign * scratch(curve, 1)[i];
}
