// SPDX-License-Identifier: MIT
// The flowing material of a fall: its inertia, its weight, and what acts on p_a and p_b. Two elements at a time, one
// component of space after the other: what is on its way then fits into registers.
//
// r(lambda, t) over the mesh, d = dr/dlambda, b = d2r/dlambda2, f the rate of p at a point of the mesh, x =
// lambda/Lambda:
//   velocity of the rope      v = N q' - (f/g) d
//   virtual displacement      dr = N dq - (d/g) [(1 - x) dp_a + x dp_b]
//   acceleration of the rope  a = N q'' - (d/g) f' - (2 f/g) d' + (2 f g'/g^2) d + (f^2/g^2) b
// (a prime on f, g, d: by time). With it forces are  - integral of rho g dr.(a - gravity)  by d'Alembert: it holds for
// falls that rope enters and leaves. Columns of the mass: - integral of rho N d (1 - x), - integral of rho N d x;
// corner: integral of rho/g |d|^2 by the products of (1 - x) and x.
// Both a and x d are cubics on an element, as r is: a = N A, x d = N X, (1 - x) d = N Y with what they and their slopes
// are at its nodes, slopes times the signed length l (the second lane is run through backwards). For functions f and c
// that are linear on the element these are at either node, with l b
//   c d:   c d,   (c_i - c_o) d + c (l b)
//   f^2 b: f^2 b, (2 f (f_i - f_o) b + f^2 (b_i - b_o))
// So all integrals are products with the element's constant mass M, without points:
//   force on the nodes - g M A;   on p_a, p_b  Y.M A, X.M A;   columns - M Y, - M X;   corner Y.M Y/g, Y.M X/g, X.M X/g
// The weight of a fall grows with g: column - integral of rho N gravity; on what is free it is symmetric, since at an
// end either r or p is held.
//
// Stretching, with w = B dq - d dg/g for the change of g r' and n = EA eps/g:
//   force on g  integral of n |d|^2/g - EA eps^2/2,    tangent  EA/g^3 (d.w)^2 + n |w|^2: positive where rope pulls
// Linear bending U has the force 3 U/g on g; its tangent in g is exact (12 U/g^2, column -3/g times the force on the
// nodes) or, for steps that must stay positive, that of the change of r'' (8 U/g^2, -2/g). These come from the kernel
// of the elements (rvAncfGrowth).
#include "cable/ale/ale_parts.h"

#define INLINE static inline __attribute__((always_inline)) // into each clone

#define X1 0.04691007703066800360
#define X2 0.23076534494715845448

// Shape functions at the Gauss points: of r (slopes times the signed length) and of d.
typedef struct {
    double s[4], d[3];
} Shape;

#define SHAPE(x)                                                                                                       \
    {                                                                                                                  \
        {1.0 - (x) * (x) * (3.0 - 2.0 * (x)), (x) * (1.0 - (x)) * (1.0 - (x)), (x) * (x) * (3.0 - 2.0 * (x)),          \
         -(x) * (x) * (1.0 - (x))},                                                                                    \
        {                                                                                                              \
            6.0 * (x) * (1.0 - (x)), 1.0 - (x) * (4.0 - 3.0 * (x)), (x) * (3.0 * (x)-2.0)                              \
        }                                                                                                              \
    }

static const Shape SHAPES[RV_ANCF_POINTS] = {SHAPE(X1), SHAPE(X2), SHAPE(0.5), SHAPE(1.0 - X2), SHAPE(1.0 - X1)};

// Where the nodes of a pair stand in a vector: the outer ones, the inner ones.
typedef struct {
    int o[2], i[2];
} Nodes;

INLINE Nodes nodes_of(const rvAncf* cable, int k)
{
    return (Nodes){{6 * cable->fold[k][0], 6 * cable->fold[k][1]}, {6 * cable->inner[k][0], 6 * cable->inner[k][1]}};
}

// A component at the nodes of a pair: the outer one and its slope, the inner one and its slope. Of a cubic slopes are
// times the length.
typedef struct {
    rvPair o, so, i, si;
} Line;

INLINE Line line_of(const Nodes* n, const double* x)
{
    const double *o0 = x + n->o[0], *o1 = x + n->o[1], *i0 = x + n->i[0], *i1 = x + n->i[1];
    return (Line){{o0[0], o1[0]}, {o0[3], o1[3]}, {i0[0], i1[0]}, {i0[3], i1[3]}};
}

// l times the second derivative at the outer and the inner node.
typedef struct {
    rvPair o, i;
} Bent;

INLINE Bent bend_of(const Line* x, rvPair side)
{
    rvPair u = (x->i - x->o) * side, eo = x->so - u, ei = x->si - u;
    return (Bent){-4.0 * eo - 2.0 * ei, 2.0 * eo + 4.0 * ei};
}

// A product of two cubics, component by component.
typedef struct {
    rvPair o, so, i, si;
} Product;

INLINE void add_product(const Line* a, const Line* b, Product* sum)
{
    sum->o += a->o * b->o;
    sum->so += a->so * b->so;
    sum->i += a->i * b->i;
    sum->si += a->si * b->si;
}

INLINE rvPair all_of(const Product* x)
{
    return (x->o + x->i) + (x->so + x->si);
}

// M x of a cubic, part: a 840th of the element's mass. By sums and differences of both nodes.
INLINE Line mass_times(rvPair part, const Line* x)
{
    rvPair sum = x->o + x->i, difference = x->o - x->i, slopes = x->so + x->si, turn = x->so - x->si;
    rvPair even = 210.0 * sum + 35.0 * turn, odd = 102.0 * difference + 9.0 * slopes;
    rvPair evenSlope = 35.0 * sum + 7.0 * turn, oddSlope = 9.0 * difference + slopes;
    return (Line){part * (even + odd), part * (oddSlope + evenSlope), part * (even - odd),
                  part * (oddSlope - evenSlope)};
}

// What acts on a component of the nodes that pairs share, so far: on r and on the slope.
typedef struct {
    rvPair r, t;
} Shared;

// Factors of the rope's acceleration at the nodes of a pair: on d, d' and l b; and of its slopes.
typedef struct {
    rvPair onSlope[2], onRate[2], onBend[2];
    rvPair moreSlope, moreRate, bendOwn[2], length;
} Factors;

INLINE Factors factors_of(const rvAleSpan* span, rvPair side, const rvAleFlow* flow, double mesh)
{
    Factors out = {.length = span->length};
    double i = 1.0 / flow->g, growth = (flow->rate[1] - flow->rate[0]) / mesh;
    rvPair f[2];
    for (int n = 0; n < 2; n++) {
        f[n] = i * (flow->rate[0] + span->share[n] * (flow->rate[1] - flow->rate[0]));
        rvPair accel = i * (flow->accel[0] + span->share[n] * (flow->accel[1] - flow->accel[0]));
        out.onSlope[n] = 2.0 * growth * i * f[n] - accel;
        out.onRate[n] = -2.0 * f[n];
        out.onBend[n] = f[n] * f[n] * side;
    }
    rvPair more = f[1] - f[0], turn = 2.0 * more * side;
    out.moreSlope = out.onSlope[1] - out.onSlope[0];
    out.moreRate = -2.0 * more;
    out.bendOwn[0] = out.onSlope[0] + turn * f[0] - out.onBend[0];
    out.bendOwn[1] = out.onSlope[1] + turn * f[1] + out.onBend[1];
    return out;
}

// A - gravity of the rope.
INLINE Line rope_acceleration(const Factors* by, const Line* q, const Line* v, const Line* a, const Bent* bent,
                              const Bent* turning, double weight)
{
    Line out;
    out.o = (a->o - weight) + by->onSlope[0] * q->so + by->onRate[0] * v->so + by->onBend[0] * bent->o;
    out.i = (a->i - weight) + by->onSlope[1] * q->si + by->onRate[1] * v->si + by->onBend[1] * bent->i;
    out.so = by->length * a->so + by->moreSlope * q->so + by->moreRate * v->so + by->onRate[0] * turning->o +
             by->bendOwn[0] * bent->o + by->onBend[0] * bent->i;
    out.si = by->length * a->si + by->moreSlope * q->si + by->moreRate * v->si + by->onRate[1] * turning->i +
             by->bendOwn[1] * bent->i - by->onBend[1] * bent->o;
    return out;
}

// Sums of a pair over its components: of forces along d, along d by slopes, and of columns.
typedef struct {
    Product along, mixed, whole, cross, own;
} Products;

// Sums of a fall: on p_a and p_b, and of the corner; own, of one column alone, is bb.
typedef struct {
    rvPair pa, pb, aa, ab, bb;
} Sums;

INLINE void add_products(const rvAleSpan* span, const Products* x, Sums* sum)
{
    rvPair outer = x->along.o + x->along.so, inner = x->along.i + x->along.si;
    rvPair last = span->share[0] * outer + span->share[1] * inner +
                  (span->share[1] - span->share[0]) * (x->mixed.so + x->mixed.si);
    rvPair whole = all_of(&x->whole), cross = all_of(&x->cross), own = all_of(&x->own);
    sum->pb += last;
    sum->pa += (outer + inner) - last;
    sum->bb += own;
    sum->ab += cross - own;
    sum->aa += whole - 2.0 * cross + own;
}

// A linear function w of x, by what it is at the nodes, times d: that is d and l b at the nodes.
INLINE Line weighted(const rvPair w[2], const Line* d)
{
    rvPair over = w[1] - w[0];
    return (Line){w[0] * d->o, over * d->o + w[0] * d->so, w[1] * d->i, over * d->i + w[1] * d->si};
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
static void add_end_weight(const rvAleFall* fall, const rvAleFlow* flow, const rvAleWish* wish, rvAleBorder* border)
{
    const double g[3] = {flow->gravity.x, flow->gravity.y, flow->gravity.z};
    double half = 0.5 * fall->elements[0].massPerLength;
    for (int c = 0; c < 3 && !wish->stays[0]; c++)
        border->column[0][c] -= half * g[c];
    for (int c = 0; c < 3 && !wish->stays[1]; c++)
        border->column[1][6 * rv_ale_end_node(fall, RV_ALE_END) + c] += half * g[c];
}

// A column and that of both flows together, on the nodes that a pair shares with the next one; and the forces there.
enum { OWN, BOTH, FORCE, SHARED };
// Columns: none; that of one flow, where the other stays; both, then OWN is that of p_b.
typedef enum { NONE, ONE, TWO } Columns;

// How the pairs of a fall are done.
typedef struct {
    const rvAleFlow* flow;
    double weight[3];     // gravity, 0 on a table
    double massFactor;    // of the columns
    double growth;        // of OWN by how stretching and bending change with g
    bool stiff, heavier;  // with that; with more weight
    double first, change; // OWN is by first + change x
    double* column[2];    // OWN, and the other one
    double* force;
} Fall;

// Onto the outer nodes of a pair, what pairs before it do is known.
INLINE void store_force(const Fall* all, const int at[2], const Shared* before, rvPair r, rvPair t)
{
    for (int lane = 0; lane < 2; lane++) {
        double* force = all->force + at[lane];
        force[0] = (force[0] + before->r[lane]) + r[lane];
        force[3] = (force[3] + before->t[lane]) + t[lane];
    }
}

INLINE void store_column(const int at[2], int lanes, const Shared* on, double* column)
{
    for (int lane = lanes - 1; lane >= 0; lane--) {
        column[at[lane]] = on->r[lane];
        column[at[lane] + 3] = on->t[lane];
    }
}

INLINE void store_columns(const int at[2], int lanes, const Shared on[SHARED], Columns columns, const Fall* all)
{
    if (columns == TWO) {
        Shared other = {on[BOTH].r - on[OWN].r, on[BOTH].t - on[OWN].t};
        store_column(at, lanes, &other, all->column[1]);
    }
    store_column(at, lanes, &on[OWN], all->column[0]);
}

// The node in the middle has both lanes.
INLINE void store_middle(const rvAncf* cable, Shared shared[3][SHARED], Columns columns, const Fall* all)
{
    for (int c = 0; c < 3; c++) {
        const int at[2] = {6 * cable->fold[cable->slotCount][0] + c, 0};
        for (int lane = 0; lane < 2; lane++) {
            all->force[at[0]] += shared[c][FORCE].r[lane];
            all->force[at[0] + 3] += shared[c][FORCE].t[lane];
        }
        for (int i = 0; i < (int)columns; i++) {
            shared[c][i].r += (rvPair){shared[c][i].r[1], 0.0};
            shared[c][i].t += (rvPair){shared[c][i].t[1], 0.0};
        }
        if (columns != NONE)
            store_columns(at, 1, shared[c], columns, all);
    }
    for (int i = 0; i < (int)columns; i++)
        memset(all->column[i] + cable->dofCount, 0, 6 * sizeof(double));
}

// M of a cubic onto a column.
INLINE void add_mass(double factor, rvPair slope, const Line* on, Shared* outer, Shared* inner)
{
    outer->r -= factor * on->o;
    outer->t += slope * on->so;
    *inner = (Shared){-factor * on->i, slope * on->si};
}

// What more rope in a fall does to the forces on the nodes: elastic ones, and its weight where it counts.
INLINE void add_growth(const rvAleFall* fall, const Fall* all, int k, const rvPair* column, double weight,
                       Shared* outer, Shared* inner)
{
    const rvAleSpan* span = &fall->spans[k];
    rvPair along = all->growth * fall->ancf->spans[k].side * column[0];
    outer->r += along;
    inner->r -= along;
    outer->t -= all->growth * column[3];
    inner->t -= all->growth * column[6];
    if (!all->heavier)
        return;
    double per = all->change / fall->mesh;
    rvPair half = 0.5 * per * span->mass, slope = (1.0 / 12.0) * per * span->length * span->mass;
    outer->r -= half * weight;
    inner->r -= half * weight;
    outer->t -= slope * weight;
    inner->t += slope * weight;
}

// columns: a constant where it is inlined.
INLINE void do_pair(const rvAleFall* fall, const Fall* all, int k, const double* const at[3],
                    const rvAncfGrowth* growth, Shared shared[3][SHARED], Sums* sum, Columns columns)
{
    const rvAleSpan* span = &fall->spans[k];
    double g = all->flow->g;
    rvPair side = fall->ancf->spans[k].side, part = (1.0 / 840.0) * span->mass;
    rvPair onSlope = -g * span->length, columnSlope = -all->massFactor * span->length;
    const rvPair w[2] = {all->first + all->change * span->share[0], all->first + all->change * span->share[1]};
    Factors by = factors_of(span, side, all->flow, fall->mesh);
    Products products = {0};
    Nodes nodes = nodes_of(fall->ancf, k);
    for (int c = 0; c < 3; c++) {
        Shared *on = shared[c], inner[SHARED];
        const int outer[2] = {nodes.o[0] + c, nodes.o[1] + c};
        Line q = line_of(&nodes, at[0] + c), v = line_of(&nodes, at[1] + c), a = line_of(&nodes, at[2] + c);
        Bent bent = bend_of(&q, side), turning = bend_of(&v, side);
        Line accel = rope_acceleration(&by, &q, &v, &a, &bent, &turning, all->weight[c]);
        Line push = mass_times(part, &accel), both = {q.so, bent.o, q.si, bent.i};
        add_product(&both, &push, &products.along);
        products.mixed.so += q.so * push.so;
        products.mixed.si += q.si * push.si;
        store_force(all, outer, &on[FORCE], -g * push.o, onSlope * push.so);
        on[FORCE] = (Shared){-g * push.i, onSlope * push.si};
        if (columns == NONE)
            continue;
        Line own = weighted(w, &both), onOwn = mass_times(part, &own);
        add_product(&own, &onOwn, &products.own);
        add_mass(all->massFactor, columnSlope, &onOwn, &on[OWN], &inner[OWN]);
        if (columns == TWO) {
            Line onBoth = mass_times(part, &both);
            add_product(&both, &onBoth, &products.whole);
            add_product(&both, &onOwn, &products.cross);
            add_mass(all->massFactor, columnSlope, &onBoth, &on[BOTH], &inner[BOTH]);
        }
        if (all->stiff)
            add_growth(fall, all, k, growth->columns[k] + c, all->weight[c], &on[OWN], &inner[OWN]);
        store_columns(outer, 2, on, columns, all);
        for (int i = 0; i < (int)columns; i++)
            on[i] = inner[i];
    }
    add_products(span, &products, sum);
}

INLINE void do_pairs(const rvAleFall* fall, const Fall* all, const double* const at[3], const rvAncfGrowth* growth,
                     Sums* sum, Columns columns)
{
    Shared shared[3][SHARED] = {0};
    for (int k = 0; k < fall->ancf->slotCount; k++)
        do_pair(fall, all, k, at, growth, shared, sum, columns);
    store_middle(fall->ancf, shared, columns, all);
}

// Of the flows: mass by the sums of the pairs, and stiffness.
static void store_corner(const Sums* sum, double mass, double stiffness, const rvAleWish* wish, double corner[3])
{
    double own = mass * (sum->bb[0] + sum->bb[1]) + stiffness;
    bool first = !wish->stays[0], last = !wish->stays[1];
    corner[0] = !first ? 0.0 : last ? mass * (sum->aa[0] + sum->aa[1]) + stiffness : own;
    corner[1] = first && last ? mass * (sum->ab[0] + sum->ab[1]) - stiffness : 0.0;
    corner[2] = last ? own : 0.0;
}

RV_ANCF_CLONED void rv_ale_flow(const rvAleFall* fall, const double* q, const double* v, const double* a,
                                const rvAleFlow* flow, const rvAleWish* wish, const rvAncfGrowth* growth,
                                rvAleBorder* border, double* force, double forceP[2])
{
    const double* const at[3] = {q, v, a};
    bool table = fall->slow > 0.0, stiff = border && growth && !wish->massOnly, first = wish->stays[1];
    double factor = growth ? 1.0 / (flow->elastic * fall->mesh) : 0.0;
    Fall all = {.flow = flow,
                .massFactor = wish->massFactor,
                .growth = first ? -factor : factor,
                .stiff = stiff,
                .heavier = stiff && !wish->weightless && !table,
                .first = first ? 1.0 : 0.0,
                .change = first ? -1.0 : 1.0,
                .force = force};
    if (!table) {
        all.weight[0] = flow->gravity.x;
        all.weight[1] = flow->gravity.y;
        all.weight[2] = flow->gravity.z;
    }
    for (int i = 0; border && i < 2; i++)
        all.column[i] = border->column[first ? i : 1 - i];
    Sums sum = {0};
    if (!border || (wish->stays[0] && wish->stays[1]))
        do_pairs(fall, &all, at, growth, &sum, NONE);
    else if (wish->stays[0] || wish->stays[1])
        do_pairs(fall, &all, at, growth, &sum, ONE);
    else
        do_pairs(fall, &all, at, growth, &sum, TWO);
    add_loads(fall, a, flow, force);
    double onG = growth ? factor * growth->force : 0.0;
    forceP[0] = sum.pa[0] + sum.pa[1] - onG;
    forceP[1] = sum.pb[0] + sum.pb[1] + onG;
    if (!border)
        return;
    if (all.heavier)
        add_end_weight(fall, flow, wish, border);
    store_corner(&sum, wish->massFactor / flow->g, stiff ? factor * factor * growth->tangent : 0.0, wish,
                 border->corner);
}

// At a Gauss point of a pair: place, slope by lambda, and the rope's speed.
typedef struct {
    rvPair x, r[3], d[3], speed[3];
} Point;

INLINE Point point_of(const rvAleFall* fall, int k, int g, const double* q, const double* v, const rvAleFlow* flow)
{
    const rvAleSpan* span = &fall->spans[k];
    const Shape* s = &SHAPES[g];
    Nodes nodes = nodes_of(fall->ancf, k);
    Point out = {.x = span->share[0] + rv_ancf_gauss[g] * (span->share[1] - span->share[0])};
    rvPair f = (flow->rate[0] + out.x * (flow->rate[1] - flow->rate[0])) / flow->g;
    rvPair so = s->s[1] * span->length, si = s->s[3] * span->length;
    for (int c = 0; c < 3; c++) {
        Line at = line_of(&nodes, q + c), rate = line_of(&nodes, v + c);
        rvPair u = (at.i - at.o) * fall->ancf->spans[k].side;
        out.r[c] = s->s[0] * at.o + so * at.so + s->s[2] * at.i + si * at.si;
        out.d[c] = s->d[0] * u + s->d[1] * at.so + s->d[2] * at.si;
        out.speed[c] = s->s[0] * rate.o + so * rate.so + s->s[2] * rate.i + si * rate.si - f * out.d[c];
    }
    return out;
}

// By Gauss points: it is no polynomial.
void rv_ale_rub(const rvAleFall* fall, const double* q, const double* v, const rvAleFlow* flow, double* force,
                double forceP[2])
{
    const rvAncf* cable = fall->ancf;
    rvPair onA = {0.0, 0.0}, onB = {0.0, 0.0};
    for (int k = 0; k < cable->slotCount; k++)
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            const double* s = SHAPES[g].s;
            Point p = point_of(fall, k, g, q, v, flow);
            rvPair square = p.speed[0] * p.speed[0] + p.speed[1] * p.speed[1] + p.speed[2] * p.speed[2];
            rvPair by, along = {0.0, 0.0};
            for (int lane = 0; lane < 2; lane++)
                by[lane] = fall->friction * rvLength(flow->gravity) / fmax(sqrt(square[lane]), fall->slow);
            by *= rv_ancf_gauss_weight[g] * fall->spans[k].mass;
            for (int c = 0; c < 3; c++) {
                rvPair push = by * p.speed[c];
                along += p.d[c] * push;
                for (int lane = 0; lane < 2; lane++) {
                    double on = -flow->g * push[lane], slope = on * fall->spans[k].length[lane];
                    double *outer = force + 6 * cable->fold[k][lane] + c,
                           *inner = force + 6 * cable->inner[k][lane] + c;
                    outer[0] += s[0] * on;
                    outer[3] += s[1] * slope;
                    inner[0] += s[2] * on;
                    inner[3] += s[3] * slope;
                }
            }
            onA += (1.0 - p.x) * along;
            onB += p.x * along;
        }
    forceP[0] += onA[0] + onA[1];
    forceP[1] += onB[0] + onB[1];
}

rvAleMotion rv_ale_motion(const rvAleFall* fall, const double* q, const double* v, const rvAleFlow* flow)
{
    rvAleMotion out = {0};
    for (int k = 0; k < fall->ancf->slotCount; k++)
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            Point p = point_of(fall, k, g, q, v, flow);
            for (int lane = 0; lane < 2; lane++) {
                double m = flow->g * rv_ancf_gauss_weight[g] * fall->spans[k].mass[lane];
                rvVec3 u = rvVec(p.speed[0][lane], p.speed[1][lane], p.speed[2][lane]);
                rvVec3 place = rvVec(p.r[0][lane], p.r[1][lane], p.r[2][lane]);
                out.kinetic += 0.5 * m * rvDot(u, u);
                out.mass += m;
                out.momentum = rvMulAdd(out.momentum, m, u);
                out.angular = rvMulAdd(out.angular, m, rvCross(place, u));
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
