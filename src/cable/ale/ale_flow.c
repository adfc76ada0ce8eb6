// SPDX-License-Identifier: MIT
// The flowing material of a fall: its inertia, its weight, and what acts on p_a and p_b. Two elements at a time.
//
// r(lambda, t) over the mesh, d = dr/dlambda, b = d2r/dlambda2, f the rate of p at a point of the mesh, x = lambda/Lambda:
//   velocity of the rope      v = N q' - (f/g) d
//   virtual displacement      dr = N dq - (d/g) [(1 - x) dp_a + x dp_b]
//   acceleration of the rope  a = N q'' - (d/g) f' - (2 f/g) d' + (2 f g'/g^2) d + (f^2/g^2) b
// (a prime on f, g, d: by time). With it forces are  - integral of rho g dr.(a - gravity)  by d'Alembert: it holds for falls
// that rope enters and leaves. Columns of the mass: - integral of rho N d (1 - x), - integral of rho N d x; corner: integral
// of rho/g |d|^2 by the products of (1 - x) and x. All are polynomials of degree 6: five Gauss points are exact.
// The weight of a fall grows with g: column - integral of rho N gravity; on what is free it is symmetric, since at an end
// either r or p is held.
//
// Stretching, with w = B dq - d dg/g for the change of g r' and n = EA eps/g:
//   force on g  integral of n |d|^2/g - EA eps^2/2,    tangent  EA/g^3 (d.w)^2 + n |w|^2: positive where rope pulls
// Linear bending U has the force 3 U/g on g; its tangent in g is exact (12 U/g^2, column -3/g times the force on the nodes)
// or, for steps that must stay positive, that of the change of r'' (8 U/g^2, -2/g).
#include "cable/ale/ale_parts.h"

#define INLINE static inline __attribute__((always_inline))

#define X1 0.04691007703066800360
#define X2 0.23076534494715845448

// Shape functions at the Gauss points: of r (slopes times the signed length), of d and of b.
typedef struct {
    double s[4], d[3], b[3];
} Shape;

#define SHAPE(x)                                                                                                       \
    {                                                                                                                  \
        {1.0 - (x) * (x) * (3.0 - 2.0 * (x)), (x) * (1.0 - (x)) * (1.0 - (x)), (x) * (x) * (3.0 - 2.0 * (x)),          \
         -(x) * (x) * (1.0 - (x))},                                                                                    \
            {6.0 * (x) * (1.0 - (x)), 1.0 - (x) * (4.0 - 3.0 * (x)), (x) * (3.0 * (x)-2.0)},                           \
        {                                                                                                              \
            6.0 - 12.0 * (x), 6.0 * (x)-4.0, 6.0 * (x)-2.0                                                             \
        }                                                                                                              \
    }

// Integrals of a shape function of r and one of d over an element, and the same times the place 0 to 1 on it; the middle of both
// by the five points, for which they are exact.
#define W1 0.11846344252809454376
#define W2 0.23931433524968323402
#define W3 0.28444444444444444444
#define S0(x) (1.0 - (x) * (x) * (3.0 - 2.0 * (x)))
#define S1(x) ((x) * (1.0 - (x)) * (1.0 - (x)))
#define S2(x) ((x) * (x) * (3.0 - 2.0 * (x)))
#define S3(x) (-(x) * (x) * (1.0 - (x)))
#define D0(x) (6.0 * (x) * (1.0 - (x)))
#define D1(x) (1.0 - (x) * (4.0 - 3.0 * (x)))
#define D2(x) ((x) * (3.0 * (x)-2.0))
#define MEAN(s, d)                                                                                                     \
    (W1 * s(X1) * d(X1) + W2 * s(X2) * d(X2) + W3 * s(0.5) * d(0.5) + W2 * s(1.0 - X2) * d(1.0 - X2) +                 \
     W1 * s(1.0 - X1) * d(1.0 - X1))
#define FIRST(s, d)                                                                                                    \
    (W1 * X1 * s(X1) * d(X1) + W2 * X2 * s(X2) * d(X2) + W3 * 0.5 * s(0.5) * d(0.5) +                                  \
     W2 * (1.0 - X2) * s(1.0 - X2) * d(1.0 - X2) + W1 * (1.0 - X1) * s(1.0 - X1) * d(1.0 - X1))
#define ROW(m, s)                                                                                                      \
    {                                                                                                                  \
        m(s, D0), m(s, D1), m(s, D2)                                                                                   \
    }
#define TABLE(m)                                                                                                       \
    {                                                                                                                  \
        ROW(m, S0), ROW(m, S1), ROW(m, S2), ROW(m, S3)                                                                 \
    }
static const double MEANS[4][3] = TABLE(MEAN), FIRSTS[4][3] = TABLE(FIRST);

static const Shape SHAPES[RV_ANCF_POINTS] = {SHAPE(X1), SHAPE(X2), SHAPE(0.5), SHAPE(1.0 - X2), SHAPE(1.0 - X1)};

// Nodes of a pair: r and slope of the outer and the inner one, and u = (r_i - r_o)/length.
typedef struct {
    rvPair ro[3], to[3], ri[3], ti[3], u[3];
} Nodes;

INLINE void load(const rvAncf* cable, int k, const double* q, Nodes* n)
{
    const double *o0 = q + 6 * cable->fold[k][0], *o1 = q + 6 * cable->fold[k][1];
    const double *i0 = q + 6 * cable->inner[k][0], *i1 = q + 6 * cable->inner[k][1];
    for (int c = 0; c < 3; c++) {
        n->ro[c] = (rvPair){o0[c], o1[c]};
        n->to[c] = (rvPair){o0[3 + c], o1[3 + c]};
        n->ri[c] = (rvPair){i0[c], i1[c]};
        n->ti[c] = (rvPair){i0[3 + c], i1[3 + c]};
        n->u[c] = (n->ri[c] - n->ro[c]) * cable->spans[k].side;
    }
}

INLINE void at_point(const Shape* s, rvPair length, const Nodes* n, rvPair r[3])
{
    rvPair so = s->s[1] * length, si = s->s[3] * length;
    for (int c = 0; c < 3; c++)
        r[c] = s->s[0] * n->ro[c] + so * n->to[c] + s->s[2] * n->ri[c] + si * n->ti[c];
}

INLINE void slope_at(const Shape* s, const Nodes* n, rvPair d[3])
{
    for (int c = 0; c < 3; c++)
        d[c] = s->d[0] * n->u[c] + s->d[1] * n->to[c] + s->d[2] * n->ti[c];
}

INLINE void second_at(const Shape* s, rvPair side, const Nodes* n, rvPair b[3])
{
    for (int c = 0; c < 3; c++)
        b[c] = side * (s->b[0] * n->u[c] + s->b[1] * n->to[c] + s->b[2] * n->ti[c]);
}

INLINE rvPair dot(const rvPair a[3], const rvPair b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Sums for the nodes of a pair.
typedef struct {
    rvPair ro[3], to[3], ri[3], ti[3];
} Sums;

INLINE void store(const rvAncf* cable, int k, const Sums* sum, double* y)
{
    double *o0 = y + 6 * cable->fold[k][0], *o1 = y + 6 * cable->fold[k][1];
    double *i0 = y + 6 * cable->inner[k][0], *i1 = y + 6 * cable->inner[k][1];
    for (int c = 0; c < 3; c++) {
        o0[c] += sum->ro[c][0];
        o1[c] += sum->ro[c][1];
        i0[c] += sum->ri[c][0];
        i1[c] += sum->ri[c][1];
        o0[3 + c] += sum->to[c][0];
        o1[3 + c] += sum->to[c][1];
        i0[3 + c] += sum->ti[c][0];
        i1[3 + c] += sum->ti[c][1];
    }
}

// Friction of rope that lies on a table, as an acceleration.
static inline void add_friction(const rvAleFall* fall, double weight, const rvPair v[3], rvPair accel[3])
{
    for (int lane = 0; lane < 2; lane++) {
        double speed = sqrt(v[0][lane] * v[0][lane] + v[1][lane] * v[1][lane] + v[2][lane] * v[2][lane]);
        double f = fall->friction * weight / fmax(speed, fall->slow);
        for (int c = 0; c < 3; c++)
            accel[c][lane] += f * v[c][lane];
    }
}

// a - gravity at a point; d, b: slope and its change there.
INLINE void rope_acceleration(const rvAleFall* fall, const rvAleFlow* flow, const Shape* s, int k, const Nodes* v,
                              const Nodes* a, const rvPair d[3], const rvPair b[3], rvPair x, rvPair out[3])
{
    rvPair length = fall->spans[k].length, rate[3], speed[3];
    double i = 1.0 / flow->g, growth = (flow->rate[1] - flow->rate[0]) / fall->mesh;
    rvPair f = flow->rate[0] + x * (flow->rate[1] - flow->rate[0]);
    rvPair ft = flow->accel[0] + x * (flow->accel[1] - flow->accel[0]);
    slope_at(s, v, rate);
    at_point(s, length, a, out);
    rvPair fi = f * i, onSlope = 2.0 * growth * i * fi - ft * i, onBend = fi * fi, onRate = -2.0 * fi;
    const double g[3] = {flow->gravity.x, flow->gravity.y, flow->gravity.z};
    bool lies = fall->slow > 0.0;
    for (int c = 0; c < 3; c++)
        out[c] += onSlope * d[c] + onRate * rate[c] + onBend * b[c] - (lies ? 0.0 : g[c]);
    if (lies) {
        at_point(s, length, v, speed);
        for (int c = 0; c < 3; c++)
            speed[c] -= fi * d[c];
        add_friction(fall, rvLength(flow->gravity), speed, out);
    }
}

typedef struct {
    Sums force, mass[2], stiff;
    rvPair pa, pb, onG;    // forces on p_a, p_b, g
    rvPair aa, ab, bb, gg; // corner: of the mass, and of the stiffness by g
} Pair;

// Answers the weight of the slope there in the column of the stiffness.
INLINE rvPair add_stretch(const rvAleFall* fall, const rvAleFlow* flow, const rvAleWish* wish, int k, int g,
                          const Shape* s, const Nodes* vd, const rvPair d[3], bool matrix, Pair* out)
{
    const rvAncf* cable = fall->ancf;
    const rvAncfSpan* span = &cable->spans[k];
    double weight = rv_ancf_gauss_weight[g], i = 1.0 / flow->g;
    rvPair dd = dot(d, d), strain = 0.5 * (dd - cable->restSquare);
    rvPair elastic = span->stiffness * cable->elastic;
    rvPair n = elastic * strain;
    if (vd) {
        rvPair rate[3];
        slope_at(s, vd, rate);
        n += elastic * span->axialTime * dot(d, rate);
    }
    out->onG += weight * i * (n * dd - 0.5 * elastic * strain * strain);
    if (!matrix || wish->massOnly)
        return (rvPair){0.0, 0.0};
    rvPair pull = wish->stored ? rv_ancf_positive_part(wish->stored[RV_ANCF_POINTS * k + g]) : n;
    rvPair stiffness = elastic * (1.0 + wish->dampFactor * span->axialTime);
    rvPair both = weight * (stiffness * dd + pull);
    out->gg += i * i * both * dd;
    return -i * both;
}

INLINE void add_bending(const rvAleFall* fall, const rvAleFlow* flow, const rvAleWish* wish, int k, const Nodes* q,
                        bool matrix, Pair* out)
{
    const rvAncf* cable = fall->ancf;
    rvPair bend = cable->spans[k].bend * cable->elastic, side = cable->spans[k].side, eo[3], ei[3];
    double i = 1.0 / flow->g, column = wish->stored ? 2.0 : 3.0, corner = wish->stored ? 8.0 : 12.0;
    for (int c = 0; c < 3; c++) {
        eo[c] = q->to[c] - q->u[c];
        ei[c] = q->ti[c] - q->u[c];
    }
    rvPair energy = bend * (dot(eo, eo) + dot(eo, ei) + dot(ei, ei));
    out->onG += 3.0 * i * energy;
    if (!matrix || wish->massOnly)
        return;
    out->gg += corner * i * i * energy;
    for (int c = 0; c < 3; c++) {
        rvPair mo = -column * i * bend * (2.0 * eo[c] + ei[c]), mi = -column * i * bend * (2.0 * ei[c] + eo[c]);
        rvPair along = side * (mo + mi);
        out->stiff.to[c] += mo;
        out->stiff.ti[c] += mi;
        out->stiff.ri[c] -= along;
        out->stiff.ro[c] += along;
    }
}

INLINE rvPair row_of(const double row[3], const Nodes* n, int c)
{
    return row[0] * n->u[c] + row[1] * n->to[c] + row[2] * n->ti[c];
}

// Columns of the mass: - integral of rho N d by 1 - x and by x.
INLINE void add_mass(const rvAleSpan* span, const Nodes* n, Pair* out)
{
    rvPair from = span->share[0], over = span->share[1] - span->share[0];
    rvPair weights[4] = {span->mass, span->mass * span->length, span->mass, span->mass * span->length};
    for (int c = 0; c < 3; c++) {
        rvPair all[4], part[4];
        for (int a = 0; a < 4; a++) {
            all[a] = weights[a] * row_of(MEANS[a], n, c);
            part[a] = from * all[a] + over * (weights[a] * row_of(FIRSTS[a], n, c));
        }
        out->mass[0].ro[c] = part[0] - all[0];
        out->mass[0].to[c] = part[1] - all[1];
        out->mass[0].ri[c] = part[2] - all[2];
        out->mass[0].ti[c] = part[3] - all[3];
        out->mass[1].ro[c] = -part[0];
        out->mass[1].to[c] = -part[1];
        out->mass[1].ri[c] = -part[2];
        out->mass[1].ti[c] = -part[3];
    }
}

// What more rope in a fall weighs: - integral of rho N gravity.
INLINE void add_weight(const rvAleSpan* span, rvVec3 gravity, Sums* sum)
{
    const double g[3] = {gravity.x, gravity.y, gravity.z};
    rvPair half = 0.5 * span->mass, slope = (1.0 / 12.0) * span->length * span->mass;
    for (int c = 0; c < 3; c++) {
        sum->ro[c] -= half * g[c];
        sum->ri[c] -= half * g[c];
        sum->to[c] -= slope * g[c];
        sum->ti[c] += slope * g[c];
    }
}

// What the Gauss points of a pair give its nodes, a component at a time so that the sums stay in registers: `accel` by the
// shape functions of r, slopes by those of d.
INLINE void add_points(const rvAleFall* fall, int k, rvPair accel[RV_ANCF_POINTS][3], const rvPair d[RV_ANCF_POINTS][3],
                       const rvPair* weights, bool matrix, Pair* out)
{
    rvPair length = fall->spans[k].length, side = fall->ancf->spans[k].side, none = {0.0, 0.0};
    for (int c = 0; c < 3; c++) {
        rvPair ro = none, to = none, ri = none, ti = none;
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            const double* s = SHAPES[g].s;
            ro += s[0] * accel[g][c];
            to += s[1] * accel[g][c];
            ri += s[2] * accel[g][c];
            ti += s[3] * accel[g][c];
        }
        out->force.ro[c] = ro;
        out->force.to[c] = length * to;
        out->force.ri[c] = ri;
        out->force.ti[c] = length * ti;
        if (!matrix)
            continue;
        rvPair u = none;
        to = ti = none;
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            rvPair x = weights[g] * d[g][c];
            u += SHAPES[g].d[0] * x;
            to += SHAPES[g].d[1] * x;
            ti += SHAPES[g].d[2] * x;
        }
        u *= side;
        out->stiff.ro[c] = -u;
        out->stiff.ri[c] = u;
        out->stiff.to[c] = to;
        out->stiff.ti[c] = ti;
    }
}

INLINE void pair_of(const rvAleFall* fall, int k, const Nodes nodes[4], bool damped, const rvAleFlow* flow,
                    const rvAleWish* wish, bool matrix, Pair* out)
{
    const rvAleSpan* span = &fall->spans[k];
    rvPair side = fall->ancf->spans[k].side, own[RV_ANCF_POINTS][3], accel[RV_ANCF_POINTS][3], weights[RV_ANCF_POINTS];
    // the matrix of the elements has left the slopes there
    const rvPair(*slopes)[3] = (const rvPair(*)[3])(matrix ? fall->ancf->slopes[k] : own);
    for (int g = 0; g < RV_ANCF_POINTS; g++) {
        const Shape* s = &SHAPES[g];
        rvPair b[3], x = span->share[0] + rv_ancf_gauss[g] * (span->share[1] - span->share[0]);
        rvPair w = rv_ancf_gauss_weight[g] * span->mass, inert = -flow->g * w;
        if (!matrix)
            slope_at(s, &nodes[0], own[g]);
        second_at(s, side, &nodes[0], b);
        rope_acceleration(fall, flow, s, k, &nodes[1], &nodes[2], slopes[g], b, x, accel[g]);
        rvPair along = w * dot(slopes[g], accel[g]), y = 1.0 - x;
        out->pa += y * along;
        out->pb += x * along;
        for (int c = 0; c < 3; c++)
            accel[g][c] *= inert;
        weights[g] = add_stretch(fall, flow, wish, k, g, s, damped ? &nodes[3] : NULL, slopes[g], matrix, out);
        if (!matrix)
            continue;
        rvPair dd = w * dot(slopes[g], slopes[g]);
        out->aa += dd * y * y;
        out->ab += dd * y * x;
        out->bb += dd * x * x;
    }
    add_points(fall, k, accel, slopes, weights, matrix, out);
    add_bending(fall, flow, wish, k, &nodes[0], matrix, out);
    if (matrix)
        add_mass(span, &nodes[0], out);
    if (matrix && !wish->massOnly && !wish->weightless && fall->slow == 0.0)
        add_weight(span, flow->gravity, &out->stiff);
}

// Point masses at the ends.
static void add_loads(const rvAleFall* fall, const double* a, const rvAleFlow* flow, double* force)
{
    const double g[3] = {flow->gravity.x, flow->gravity.y, flow->gravity.z};
    for (int end = 0; end < 2; end++)
        for (int c = 0; c < 3; c++) {
            int dof = 6 * rv_ale_end_node(fall, end) + c;
            force[dof] += fall->load[end] * (g[c] - a[dof]);
        }
}

// At an end that a body moves both r and p are free within a solve. There the weight's derivative is not symmetric: of
// - rho gravity.dr on p_b half stands on either side, so that an eye that slides along the rope meets nothing.
static void add_end_weight(const rvAleFall* fall, const rvAleFlow* flow, rvAleBorder* border)
{
    const double g[3] = {flow->gravity.x, flow->gravity.y, flow->gravity.z};
    double half = 0.5 * fall->elements[0].massPerLength;
    for (int c = 0; c < 3; c++) {
        border->column[0][c] -= half * g[c];
        border->column[1][6 * rv_ale_end_node(fall, RV_ALE_END) + c] += half * g[c];
    }
}

// What pairs give a node in the columns: of the mass by p_a and p_b, and of the stiffness.
typedef struct {
    rvPair r[3][3], t[3][3];
} Shared;

// Columns at the two nodes of a slot, all pairs that share them done: mass factor and 1/Lambda as they stand before.
INLINE void store_columns(const int nodes[2], int lanes, const Shared* sum, double mass, double per,
                          rvAleBorder* border)
{
    for (int c = 0; c < 3; c++) {
        rvPair r = per * sum->r[2][c], t = per * sum->t[2][c];
        rvPair ra = mass * sum->r[0][c] - r, ta = mass * sum->t[0][c] - t;
        rvPair rb = mass * sum->r[1][c] + r, tb = mass * sum->t[1][c] + t;
        for (int lane = lanes - 1; lane >= 0; lane--) {
            double *first = border->column[0] + 6 * nodes[lane] + c, *second = border->column[1] + 6 * nodes[lane] + c;
            first[0] = ra[lane];
            first[3] = ta[lane];
            second[0] = rb[lane];
            second[3] = tb[lane];
        }
    }
}

// The outer node of a pair is done, the inner one has what this pair gives it.
INLINE void pass_on(const int nodes[2], const Pair* pair, double mass, double per, Shared* shared, rvAleBorder* border)
{
    const Sums* sums[3] = {&pair->mass[0], &pair->mass[1], &pair->stiff};
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) {
            shared->r[i][c] += sums[i]->ro[c];
            shared->t[i][c] += sums[i]->to[c];
        }
    store_columns(nodes, 2, shared, mass, per, border);
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) {
            shared->r[i][c] = sums[i]->ri[c];
            shared->t[i][c] = sums[i]->ti[c];
        }
}

// The node in the middle has both lanes.
INLINE void store_middle(const rvAncf* cable, Shared* shared, double mass, double per, rvAleBorder* border)
{
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) {
            shared->r[i][c] += (rvPair){shared->r[i][c][1], 0.0};
            shared->t[i][c] += (rvPair){shared->t[i][c][1], 0.0};
        }
    store_columns(cable->fold[cable->slotCount], 1, shared, mass, per, border);
    for (int i = 0; i < 2; i++)
        memset(border->column[i] + cable->dofCount, 0, 6 * sizeof(double));
}

// Over all pairs; damped, matrix: constants where it is inlined. Answers pa, pb, onG, aa, ab, bb, gg of all.
INLINE void over_pairs(const rvAleFall* fall, const double* const at[4], const rvAleFlow* flow, const rvAleWish* wish,
                       rvAleBorder* border, double* force, double sums[7], bool damped, bool matrix)
{
    const rvAncf* cable = fall->ancf;
    Shared shared = {0};
    double per = 1.0 / fall->mesh;
    for (int k = 0; k < cable->slotCount; k++) {
        Nodes nodes[4];
        Pair pair;
        rvPair* all[7] = {&pair.pa, &pair.pb, &pair.onG, &pair.aa, &pair.ab, &pair.bb, &pair.gg};
        for (int i = 0; i < 7; i++)
            *all[i] = (rvPair){0.0, 0.0};
        for (int i = 0; i < (damped ? 4 : 3); i++)
            load(cable, k, at[i], &nodes[i]);
        pair_of(fall, k, nodes, damped, flow, wish, matrix, &pair);
        store(cable, k, &pair.force, force);
        for (int i = 0; i < 7; i++)
            sums[i] += (*all[i])[0] + (*all[i])[1];
        if (matrix)
            pass_on(cable->fold[k], &pair, wish->massFactor, per, &shared, border);
    }
    if (matrix)
        store_middle(cable, &shared, wish->massFactor, per, border);
}

RV_ANCF_CLONED void rv_ale_flow(const rvAleFall* fall, const double* q, const double* v, const double* vd,
                                const double* a, const rvAleFlow* flow, const rvAleWish* wish, rvAleBorder* border,
                                double* force, double forceP[2])
{
    const double* const at[4] = {q, v, a, vd};
    double sums[7] = {0};
    if (border && vd)
        over_pairs(fall, at, flow, wish, border, force, sums, true, true);
    else if (border)
        over_pairs(fall, at, flow, wish, border, force, sums, false, true);
    else if (vd)
        over_pairs(fall, at, flow, wish, border, force, sums, true, false);
    else
        over_pairs(fall, at, flow, wish, border, force, sums, false, false);
    add_loads(fall, a, flow, force);
    double per = 1.0 / fall->mesh, mass = wish->massFactor;
    forceP[0] = sums[0] - per * sums[2];
    forceP[1] = sums[1] + per * sums[2];
    if (!border)
        return;
    if (!wish->massOnly && !wish->weightless && fall->slow == 0.0)
        add_end_weight(fall, flow, border);
    double onMass = mass / flow->g, onStiff = per * per * sums[6];
    border->corner[0] = onMass * sums[3] + onStiff;
    border->corner[1] = onMass * sums[4] - onStiff;
    border->corner[2] = onMass * sums[5] + onStiff;
}

rvAleMotion rv_ale_motion(const rvAleFall* fall, const double* q, const double* v, const rvAleFlow* flow)
{
    const rvAncf* cable = fall->ancf;
    rvAleMotion out = {0};
    for (int k = 0; k < cable->slotCount; k++) {
        Nodes at, rates;
        load(cable, k, q, &at);
        load(cable, k, v, &rates);
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            const Shape* s = &SHAPES[g];
            const rvAleSpan* span = &fall->spans[k];
            rvPair d[3], r[3], speed[3], x = span->share[0] + rv_ancf_gauss[g] * (span->share[1] - span->share[0]);
            rvPair f = (flow->rate[0] + x * (flow->rate[1] - flow->rate[0])) / flow->g;
            slope_at(s, &at, d);
            at_point(s, span->length, &at, r);
            at_point(s, span->length, &rates, speed);
            for (int lane = 0; lane < 2; lane++) {
                double m = flow->g * rv_ancf_gauss_weight[g] * span->mass[lane], z[3];
                for (int c = 0; c < 3; c++)
                    z[c] = speed[c][lane] - f[lane] * d[c][lane];
                rvVec3 u = rvVec(z[0], z[1], z[2]), place = rvVec(r[0][lane], r[1][lane], r[2][lane]);
                out.kinetic += 0.5 * m * rvDot(u, u);
                out.mass += m;
                out.momentum = rvMulAdd(out.momentum, m, u);
                out.angular = rvMulAdd(out.angular, m, rvCross(place, u));
            }
        }
    }
    for (int end = 0; end < 2; end++) {
        const double *r = q + 6 * rv_ale_end_node(fall, end), *z = v + 6 * rv_ale_end_node(fall, end);
        rvVec3 u = rvVec(z[0], z[1], z[2]);
        out.kinetic += 0.5 * fall->load[end] * rvDot(u, u);
        out.mass += fall->load[end];
        out.momentum = rvMulAdd(out.momentum, fall->load[end], u);
        out.angular = rvMulAdd(out.angular, fall->load[end], rvCross(rvVec(r[0], r[1], r[2]), u));
    }
    return out;
}

void rv_ale_lay_spans(rvAleFall* fall, double massPerLength)
{
    const rvAncf* cable = fall->ancf;
    fall->mesh = cable->places[cable->nodeCount - 1];
    for (int k = 0; k < cable->slotCount; k++) {
        rvAleSpan* span = &fall->spans[k];
        *span = (rvAleSpan){0};
        for (int lane = 0; lane < 2; lane++) {
            int o = cable->fold[k][lane], i = cable->inner[k][lane];
            if (o == cable->nodeCount)
                continue;
            double length = cable->places[i] - cable->places[o];
            span->length[lane] = length;
            span->mass[lane] = massPerLength * fabs(length);
            span->share[0][lane] = cable->places[o] / fall->mesh;
            span->share[1][lane] = cable->places[i] / fall->mesh;
        }
    }
}
