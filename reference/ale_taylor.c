// SPDX-License-Identifier: MIT
// Taylor series of a cable of falls. Forces and mass are polynomials of nodes, flows and u = 1/g, whose own series is
// that of u g = 1; so all series follow term by term. With x[k] the k-th coefficient of x(t) and (x y)[k] the sum of
// x[j] y[k-j],
//   acceleration of rope  a[k] = N q''[k] + (c d)[k] - 2 (f u d')[k] + (f^2 u^2 b)[k] - gravity, c = 2 f g' u^2 - f' u
//   on the nodes          - rho N^T (g a)[k] - EA B^T (u^3 eps d)[k] - EI C^T (u^3 b)[k],        eps = (|d|^2 - g^2)/2
//   on p_a and p_b        rho (d.a)[k] by 1 - x and x, -+ 1/Lambda of that on g:
//   on g                  EA (u^3 eps (3/2 u eps + g))[k] + 3/2 EI (u^4 |b|^2)[k]
// (symbols as in ale_flow.c). Of the k-th terms all but q''[k] and p''[k] are known, and these stand beside the mass of
// the start, which is factored once: M[0] (q'', p'')[k] = what is known.
#include "reference/parts.h"

enum { ORDER = RV_MARCH_ORDER };

// At a Gauss point.
typedef struct {
    double d[3 * ORDER + 3], rate[3 * ORDER], b[3 * ORDER], accel[3 * ORDER]; // rate: d'
    double f[ORDER + 1], fu[ORDER], fu2[ORDER], onSlope[ORDER];               // f u, f^2 u^2, c
    double strain[ORDER], pull[ORDER], onGrowth[ORDER], bend[ORDER];          // eps, u^3 eps, 3/2 u eps + g, |b|^2
} Jet;

// Of a fall.
typedef struct {
    double p[2][ORDER + 1];                       // p_a, p_b
    double g[ORDER + 1], u[ORDER], growth[ORDER]; // growth: g' u
    double square[ORDER], cube[ORDER], u4[ORDER]; // g^2, u^3, u^4
} Scale;

// Where a point is in its element.
typedef struct {
    double x, weight; // share of the fall, weight times length of the mesh
    double r[4], slope[4], bend[4];
} Spot;

size_t rv_ale_series_size(const rvAle* ale)
{
    size_t elements = 0;
    for (int f = 0; f < ale->fallRoom; f++)
        elements += (size_t)ale->falls[f].room;
    return (size_t)ale->fallRoom * sizeof(Scale) + elements * RV_ANCF_POINTS * sizeof(Jet);
}

static double product(const double* a, const double* b, int k)
{
    double sum = 0.0;
    for (int j = 0; j <= k; j++)
        sum += a[j] * b[k - j];
    return sum;
}

// out += factor (a v)[k]
static void add_product(double factor, const double* a, const double* v, int k, double out[3])
{
    for (int j = 0; j <= k; j++)
        for (int c = 0; c < 3; c++)
            out[c] += factor * a[j] * v[3 * (k - j) + c];
}

static double dot_product(const double* a, const double* b, int k)
{
    double sum = 0.0;
    for (int j = 0; j <= k; j++)
        sum += rv_ancf_dot3(a + 3 * j, b + 3 * (k - j));
    return sum;
}

static Spot spot_of(const rvAleFall* fall, int e, int i)
{
    double l = fall->elements[e].length, at = rv_ancf_gauss[i];
    Spot s = {.x = (fall->ancf->places[e] + at * l) / fall->mesh, .weight = rv_ancf_gauss_weight[i] * l};
    rv_ancf_shape(at, l, s.r);
    rv_ancf_shape_slope(at, l, s.slope);
    rv_ancf_shape_bend(at, l, s.bend);
    return s;
}

// The k-th of what belongs to a fall; p is known up to k + 1.
static void scale_term(const rvAleFall* fall, int k, const double p[2], Scale* s)
{
    for (int i = 0; i < 2; i++)
        s->p[i][k + 1] = p[i];
    s->g[k + 1] = (p[1] - p[0]) / fall->mesh;
    s->u[k] = k == 0 ? 1.0 / s->g[0] : 0.0;
    for (int j = 1; j <= k; j++)
        s->u[k] -= s->u[0] * s->g[j] * s->u[k - j];
    double rates[ORDER], u2[ORDER], u3[ORDER];
    for (int j = 0; j <= k; j++)
        rates[j] = (j + 1) * s->g[j + 1];
    for (int j = 0; j <= k; j++)
        u2[j] = product(s->u, s->u, j);
    for (int j = 0; j <= k; j++)
        u3[j] = product(u2, s->u, j);
    s->growth[k] = product(rates, s->u, k);
    s->square[k] = product(s->g, s->g, k);
    s->cube[k] = u3[k];
    s->u4[k] = product(u3, s->u, k);
}

// The k-th of what belongs to a point, but for q'' and p'' of that order; q: term k of the nodes, next: term k + 1.
static void point_term(const Scale* s, const Spot* at, int k, const double* q, const double* next, int e, Jet* jet)
{
    if (k == 0)
        rv_ancf_blend(q, e, at->slope, jet->d);
    rv_ancf_blend(next, e, at->slope, jet->d + 3 * (k + 1));
    rv_ancf_blend(q, e, at->bend, jet->b + 3 * k);
    for (int c = 0; c < 3; c++)
        jet->rate[3 * k + c] = (k + 1) * jet->d[3 * (k + 1) + c];
    jet->f[k] = (k + 1) * ((1.0 - at->x) * s->p[0][k + 1] + at->x * s->p[1][k + 1]);
    jet->fu[k] = product(jet->f, s->u, k);
    jet->fu2[k] = product(jet->fu, jet->fu, k);
    jet->onSlope[k] = 2.0 * product(jet->fu, s->growth, k);
    for (int j = 0; j < k; j++)
        jet->onSlope[k] -= (j + 1) * jet->f[j + 1] * s->u[k - j];
    memset(jet->accel + 3 * k, 0, 3 * sizeof(double));
    add_product(1.0, jet->onSlope, jet->d, k, jet->accel + 3 * k);
    add_product(-2.0, jet->fu, jet->rate, k, jet->accel + 3 * k);
    add_product(1.0, jet->fu2, jet->b, k, jet->accel + 3 * k);
    jet->strain[k] = 0.5 * (dot_product(jet->d, jet->d, k) - s->square[k]);
    jet->pull[k] = product(s->cube, jet->strain, k);
    jet->onGrowth[k] = 1.5 * product(s->u, jet->strain, k) + s->g[k];
    jet->bend[k] = dot_product(jet->b, jet->b, k);
}

// What a point gives its nodes and p_a, p_b.
static void push_term(const rvAle* ale, const Scale* s, const Spot* at, int k, const Jet* jet, int e, double mesh,
                      double* force, double onP[2])
{
    double inert[3] = {0}, slope[3] = {0}, bend[3] = {0}, mass = at->weight * ale->mass;
    add_product(-mass, s->g, jet->accel, k, inert);
    add_product(-at->weight * ale->EA, jet->pull, jet->d, k, slope);
    add_product(-at->weight * ale->EI, s->cube, jet->b, k, bend);
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++)
            force[6 * e + 3 * i + c] += at->r[i] * inert[c] + at->slope[i] * slope[c] + at->bend[i] * bend[c];
    double along = mass * dot_product(jet->d, jet->accel, k);
    double onG =
        at->weight * (ale->EA * product(jet->pull, jet->onGrowth, k) + 1.5 * ale->EI * product(s->u4, jet->bend, k));
    onP[0] += (1.0 - at->x) * along - onG / mesh;
    onP[1] += at->x * along + onG / mesh;
}

// With q'' and p'' of the order found.
static void complete_term(const Scale* s, const Spot* at, int k, const double* accel, const double onP[2], int e,
                          Jet* jet)
{
    double own[3], f = (1.0 - at->x) * onP[0] + at->x * onP[1]; // f'
    rv_ancf_blend(accel, e, at->r, own);
    jet->onSlope[k] -= s->u[0] * f;
    for (int c = 0; c < 3; c++)
        jet->accel[3 * k + c] += own[c] - s->u[0] * f * jet->d[c];
}

typedef struct {
    const rvAle* ale;
    size_t stride;
    Scale* scales;
    Jet* jets;
    double* terms;
} Expansion;

// What is known of term k, into that of k + 2.
static void gather(const Expansion* x, int k)
{
    const rvAle* ale = x->ale;
    const double *q = x->terms + (size_t)k * x->stride, *next = q + x->stride;
    double* force = x->terms + (size_t)(k + 2) * x->stride;
    size_t flows = x->stride - 2 * (size_t)ale->placeCount;
    Jet* jet = x->jets;
    memset(force, 0, x->stride * sizeof(double));
    for (int f = 0, at = 0; f < ale->fallCount; f++) {
        const rvAleFall* fall = &ale->falls[f];
        Scale* s = &x->scales[f];
        double p[2] = {rv_ale_begin_of(ale, next + flows, f), rv_ale_end_of(ale, next + flows, f)};
        if (k == 0)
            s->g[0] = (rv_ale_end_of(ale, q + flows, f) - rv_ale_begin_of(ale, q + flows, f)) / fall->mesh;
        scale_term(fall, k, p, s);
        for (int e = 0; e < fall->ancf->elementCount; e++)
            for (int i = 0; i < RV_ANCF_POINTS; i++, jet++) {
                Spot spot = spot_of(fall, e, i);
                point_term(s, &spot, k, q + at, next + at, e, jet);
                const double g[3] = {ale->gravity.x, ale->gravity.y, ale->gravity.z};
                for (int c = 0; k == 0 && fall->slow == 0.0 && c < 3; c++)
                    jet->accel[c] -= g[c];
                push_term(ale, s, &spot, k, jet, e, fall->mesh, force + at, force + flows + f);
            }
        for (int end = 0; k == 0 && end < 2; end++) {
            double* on = force + at + 6 * rv_ale_end_node(fall, end);
            on[0] += fall->load[end] * ale->gravity.x;
            on[1] += fall->load[end] * ale->gravity.y;
            on[2] += fall->load[end] * ale->gravity.z;
        }
        at += fall->ancf->dofCount + 6;
    }
}

static void complete(const Expansion* x, int k)
{
    const rvAle* ale = x->ale;
    const double* accel = x->terms + (size_t)(k + 2) * x->stride;
    size_t flows = x->stride - 2 * (size_t)ale->placeCount;
    Jet* jet = x->jets;
    for (int f = 0, at = 0; f < ale->fallCount; f++) {
        const rvAleFall* fall = &ale->falls[f];
        double onP[2] = {rv_ale_begin_of(ale, accel + flows, f), rv_ale_end_of(ale, accel + flows, f)};
        for (int e = 0; e < fall->ancf->elementCount; e++)
            for (int i = 0; i < RV_ANCF_POINTS; i++, jet++) {
                Spot spot = spot_of(fall, e, i);
                complete_term(&x->scales[f], &spot, k, accel + at, onP, e, jet);
            }
        at += fall->ancf->dofCount + 6;
    }
}

void rv_ale_expand(rvMarch* s, void* series, double* terms)
{
    const rvAle* ale = s->of;
    Expansion x = {.ale = ale, .stride = (size_t)s->count, .scales = series, .terms = terms};
    x.jets = (Jet*)(x.scales + ale->fallRoom);
    for (int k = 0; k + 2 <= ORDER; k++) {
        double* next = terms + (size_t)(k + 2) * x.stride;
        gather(&x, k);
        s->ops->massSolve(s, k == 0 ? terms : NULL, next);
        complete(&x, k);
        for (int i = 0; i < s->count; i++)
            next[i] /= (double)((k + 1) * (k + 2));
    }
}
