// SPDX-License-Identifier: MIT
// The flowing material of a fall: its inertia, its weight, and what acts on p_a and p_b. Two elements at a time.
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
// are at its nodes (ale_pairs.h). So all integrals are products with the element's constant mass M, without points:
//   force on the nodes - g M A;   on p_a, p_b  Y.M A, X.M A;   columns - M Y, - M X;   corner Y.M Y/g, Y.M X/g, X.M X/g
// The weight of a fall grows with g: column - integral of rho N gravity; on what is free it is symmetric, since at an
// end either r or p is held.
//
// Stretching, with w = B dq - d dg/g for the change of g r' and n = EA eps/g:
//   force on g  integral of n |d|^2/g - EA eps^2/2,    tangent  EA/g^3 (d.w)^2 + n |w|^2: positive where rope pulls
// Linear bending U has the force 3 U/g on g; its tangent in g is exact (12 U/g^2, column -3/g times the force on the
// nodes) or, for steps that must stay positive, that of the change of r'' (8 U/g^2, -2/g). These come from the kernel
// of the elements (rvAncfGrowth).
#include "cable/ale/ale_pairs.h"

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

// Sums of a fall; of a pair.
typedef struct {
    rvPair pa, pb, aa, ab, bb;
} Sums;

// Friction of rope that lies on a table, by Gauss points: it is no polynomial.
static void add_friction(const rvAleFall* fall, int k, const Nodes* q, const Nodes* v, const rvAleFlow* flow,
                         Cubic* force, Sums* sum)
{
    const rvAleSpan* span = &fall->spans[k];
    for (int g = 0; g < RV_ANCF_POINTS; g++) {
        const Shape* s = &SHAPES[g];
        rvPair d[3], speed[3], x = span->share[0] + rv_ancf_gauss[g] * (span->share[1] - span->share[0]);
        rvPair f = (flow->rate[0] + x * (flow->rate[1] - flow->rate[0])) / flow->g, along = {0.0, 0.0};
        slope_at(s, q, d);
        at_point(s, span->length, v, speed);
        for (int c = 0; c < 3; c++)
            speed[c] -= f * d[c];
        rvPair square = dot(speed, speed), by;
        for (int lane = 0; lane < 2; lane++)
            by[lane] = fall->friction * rvLength(flow->gravity) / fmax(sqrt(square[lane]), fall->slow);
        by *= rv_ancf_gauss_weight[g] * span->mass;
        for (int c = 0; c < 3; c++) {
            rvPair push = by * speed[c];
            along += d[c] * push;
            force->vo[c] += s->s[0] * push;
            force->so[c] += s->s[1] * push;
            force->vi[c] += s->s[2] * push;
            force->si[c] += s->s[3] * push;
        }
        sum->pa += (1.0 - x) * along;
        sum->pb += x * along;
    }
}

// Forces on the nodes of a pair, and on p_a and p_b.
INLINE void add_inertia(const rvAleFall* fall, int k, const Nodes nodes[3], const Bent bent[2], const rvAleFlow* flow,
                        double* force, Sums* sum)
{
    const rvAleSpan* span = &fall->spans[k];
    const double none[3] = {0.0, 0.0, 0.0}, weight[3] = {flow->gravity.x, flow->gravity.y, flow->gravity.z};
    Carried by = carried_by(span, fall->ancf->spans[k].side, flow, fall->mesh);
    Cubic a, push;
    rope_acceleration(&by, span->length, &nodes[0], &nodes[1], &nodes[2], bent, fall->slow > 0.0 ? none : weight, &a);
    mass_times(span->mass, &a, &push);
    along_both(span, &nodes[0], &bent[0], &push, &sum->pa, &sum->pb);
    if (fall->slow > 0.0)
        add_friction(fall, k, &nodes[0], &nodes[1], flow, &push, sum);
    store(fall->ancf, k, -flow->g, span->length, &push, force);
}

// Columns of a fall at the nodes of a pair: of p_b, and of both together.
typedef struct {
    rvPair r[2][3], t[2][3];
} Shared;

// Columns of the mass by p_b and by both, times a factor; adds to the corner.
INLINE void mass_columns(const rvAleSpan* span, double factor, const Nodes* q, const Bent* bent, Shared* outer,
                         Shared* inner, Sums* sum)
{
    Cubic all, last, onAll, onLast;
    rvPair over = span->share[1] - span->share[0], first = span->share[0], second = span->share[1];
    for (int c = 0; c < 3; c++) {
        all.vo[c] = q->to[c];
        all.so[c] = bent->o[c];
        all.vi[c] = q->ti[c];
        all.si[c] = bent->i[c];
        last.vo[c] = first * q->to[c];
        last.so[c] = over * q->to[c] + first * bent->o[c];
        last.vi[c] = second * q->ti[c];
        last.si[c] = over * q->ti[c] + second * bent->i[c];
    }
    mass_times(span->mass, &all, &onAll);
    mass_times(span->mass, &last, &onLast);
    rvPair whole = cubic_dot(&all, &onAll), cross = cubic_dot(&all, &onLast), own = cubic_dot(&last, &onLast);
    sum->bb += own;
    sum->ab += cross - own;
    sum->aa += whole - 2.0 * cross + own;
    rvPair slope = -factor * span->length;
    for (int c = 0; c < 3; c++) {
        outer->r[0][c] -= factor * onLast.vo[c];
        outer->t[0][c] += slope * onLast.so[c];
        outer->r[1][c] -= factor * onAll.vo[c];
        outer->t[1][c] += slope * onAll.so[c];
        inner->r[0][c] = -factor * onLast.vi[c];
        inner->t[0][c] = slope * onLast.si[c];
        inner->r[1][c] = -factor * onAll.vi[c];
        inner->t[1][c] = slope * onAll.si[c];
    }
}

// What more rope in a fall does to the forces on the nodes: elastic ones, and its weight where it counts.
INLINE void add_growth(const rvAleFall* fall, int k, const rvPair column[9], double factor, const double* weight,
                       Shared* outer, Shared* inner)
{
    const rvAleSpan* span = &fall->spans[k];
    double per = 1.0 / fall->mesh;
    rvPair side = factor * fall->ancf->spans[k].side;
    for (int c = 0; c < 3; c++) {
        rvPair along = side * column[c];
        outer->r[0][c] += along;
        inner->r[0][c] -= along;
        outer->t[0][c] -= factor * column[3 + c];
        inner->t[0][c] -= factor * column[6 + c];
    }
    if (!weight)
        return;
    rvPair half = 0.5 * per * span->mass, slope = (1.0 / 12.0) * per * span->length * span->mass;
    for (int c = 0; c < 3; c++) {
        outer->r[0][c] -= half * weight[c];
        inner->r[0][c] -= half * weight[c];
        outer->t[0][c] -= slope * weight[c];
        inner->t[0][c] += slope * weight[c];
    }
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

// Columns at the two nodes of a slot, all pairs that share them done.
INLINE void store_columns(const int nodes[2], int lanes, const Shared* sum, rvAleBorder* border)
{
    for (int c = 0; c < 3; c++) {
        rvPair ra = sum->r[1][c] - sum->r[0][c], ta = sum->t[1][c] - sum->t[0][c];
        for (int lane = lanes - 1; lane >= 0; lane--) {
            double *first = border->column[0] + 6 * nodes[lane] + c, *second = border->column[1] + 6 * nodes[lane] + c;
            first[0] = ra[lane];
            first[3] = ta[lane];
            second[0] = sum->r[0][c][lane];
            second[3] = sum->t[0][c][lane];
        }
    }
}

// The node in the middle has both lanes.
INLINE void store_middle(const rvAncf* cable, Shared* shared, rvAleBorder* border)
{
    for (int i = 0; i < 2; i++)
        for (int c = 0; c < 3; c++) {
            shared->r[i][c] += (rvPair){shared->r[i][c][1], 0.0};
            shared->t[i][c] += (rvPair){shared->t[i][c][1], 0.0};
        }
    store_columns(cable->fold[cable->slotCount], 1, shared, border);
    for (int i = 0; i < 2; i++)
        memset(border->column[i] + cable->dofCount, 0, 6 * sizeof(double));
}

// Over all pairs; matrix: a constant where it is inlined.
INLINE void over_pairs(const rvAleFall* fall, const double* const at[3], const rvAleFlow* flow, const rvAleWish* wish,
                       const rvAncfGrowth* growth, rvAleBorder* border, double* force, Sums* sum, bool matrix)
{
    const rvAncf* cable = fall->ancf;
    const double gravity[3] = {flow->gravity.x, flow->gravity.y, flow->gravity.z};
    bool stiff = matrix && growth && !wish->massOnly;
    const double* weight = stiff && !wish->weightless && fall->slow == 0.0 ? gravity : NULL;
    double factor = 1.0 / (flow->g * fall->mesh);
    Shared shared[2] = {0};
    for (int k = 0; k < cable->slotCount; k++) {
        Nodes nodes[3];
        Bent bent[2];
        for (int i = 0; i < 3; i++)
            load(cable, k, at[i], &nodes[i]);
        for (int i = 0; i < 2; i++)
            bend_of(&nodes[i], &bent[i]);
        add_inertia(fall, k, nodes, bent, flow, force, sum);
        if (!matrix)
            continue;
        mass_columns(&fall->spans[k], wish->massFactor, &nodes[0], &bent[0], &shared[0], &shared[1], sum);
        if (stiff)
            add_growth(fall, k, growth->columns[k], factor, weight, &shared[0], &shared[1]);
        store_columns(cable->fold[k], 2, &shared[0], border);
        shared[0] = shared[1];
    }
    if (matrix)
        store_middle(cable, &shared[0], border);
}

RV_ANCF_CLONED void rv_ale_flow(const rvAleFall* fall, const double* q, const double* v, const double* a,
                                const rvAleFlow* flow, const rvAleWish* wish, const rvAncfGrowth* growth,
                                rvAleBorder* border, double* force, double forceP[2])
{
    const double* const at[3] = {q, v, a};
    Sums sum = {0};
    if (border)
        over_pairs(fall, at, flow, wish, growth, border, force, &sum, true);
    else
        over_pairs(fall, at, flow, wish, growth, border, force, &sum, false);
    add_loads(fall, a, flow, force);
    double factor = 1.0 / (flow->g * fall->mesh), onG = growth ? factor * growth->force : 0.0;
    forceP[0] = sum.pa[0] + sum.pa[1] - onG;
    forceP[1] = sum.pb[0] + sum.pb[1] + onG;
    if (!border)
        return;
    bool stiff = growth && !wish->massOnly;
    if (stiff && !wish->weightless && fall->slow == 0.0)
        add_end_weight(fall, flow, border);
    double onMass = wish->massFactor / flow->g, onStiff = stiff ? factor * factor * growth->tangent : 0.0;
    border->corner[0] = onMass * (sum.aa[0] + sum.aa[1]) + onStiff;
    border->corner[1] = onMass * (sum.ab[0] + sum.ab[1]) - onStiff;
    border->corner[2] = onMass * (sum.bb[0] + sum.bb[1]) + onStiff;
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
