// SPDX-License-Identifier: MIT
// The kernels of the curve in space, compiled twice: see space_kernels.h. Included once by each of the two files, which
// names the table. The Gauss points of an interval are four lanes; sums over them are taken in one order, so the bits
// are the same whatever the registers are wide.
#include "cable/curve/space.h"

#define WHOLE_TURN2 39.478417604357434475 // (2 pi)^2: where the series end
#define SUM(v) (((v)[0] + (v)[1]) + ((v)[2] + (v)[3]))
#define NODES FOUR_AT(NODE)
#define WEIGHTS FOUR_AT(WEIGHT)
#define FOUR(value) ((rvFour){(value), (value), (value), (value)})
#define FOUR_AT(address) (*(const rvFour*)(address))
#define KERNEL static inline __attribute__((always_inline))

// ---- vectors, four at a time ----------------------------------------------------------------------------------------

// Sums of four, each in the order of SUM.
KERNEL void sum_four(const rvFour* a, const rvFour* b, const rvFour* c, const rvFour* d, rvFour* sums)
{
    rvFour ab = __builtin_shufflevector(*a, *b, 0, 4, 2, 6) + __builtin_shufflevector(*a, *b, 1, 5, 3, 7);
    rvFour cd = __builtin_shufflevector(*c, *d, 0, 4, 2, 6) + __builtin_shufflevector(*c, *d, 1, 5, 3, 7);
    *sums = __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

KERNEL rvVec3 sum_of(const rvFour3* a)
{
    rvFour sums;
    sum_four(&a->x, &a->y, &a->z, &a->z, &sums);
    return rvVec(sums[0], sums[1], sums[2]);
}

// Sum of factor times the lanes.
KERNEL rvVec3 weigh(const rvFour* factor, const rvFour3* a)
{
    rvFour3 b = {*factor * a->x, *factor * a->y, *factor * a->z};
    return sum_of(&b);
}

KERNEL void set(rvFour3* a, rvVec3 v)
{
    a->x = FOUR(v.x);
    a->y = FOUR(v.y);
    a->z = FOUR(v.z);
}

// a += factor v, the same vector in each lane.
KERNEL void add(rvFour3* a, const rvFour* factor, rvVec3 v)
{
    a->x += *factor * FOUR(v.x);
    a->y += *factor * FOUR(v.y);
    a->z += *factor * FOUR(v.z);
}

KERNEL void cross(const rvFour3* a, const rvFour3* b, rvFour3* c)
{
    c->x = a->y * b->z - a->z * b->y;
    c->y = a->z * b->x - a->x * b->z;
    c->z = a->x * b->y - a->y * b->x;
}

// The columns of an interval's Gauss points, weighted and summed.
KERNEL void sum_columns(const rvSpacePiece* piece, const rvFour* weights, rvFour3 column[2])
{
    rvFour wx = *weights * NODES, wb = *weights * piece->b, wg = *weights * piece->g;
    rvVec3 f = piece->turn, t = weigh(weights, &piece->t), x = weigh(&wx, &piece->t);
    rvVec3 b = weigh(&wb, &piece->t), g = weigh(&wg, &piece->t);
    rvVec3 z = rvMulAdd(x, -rvDot(f, f), g), h = rvCross(g, f);
    double d = rvDot(b, f);
    rvFour br = {b.x, b.y, b.z, 0.0}, fr = {f.x, f.y, f.z, 0.0};
    rvFour3 last = {(rvFour){d, z.z, -z.y, 0.0} - FOUR(f.x) * br - FOUR(h.x) * fr,
                    (rvFour){-z.z, d, z.x, 0.0} - FOUR(f.y) * br - FOUR(h.y) * fr,
                    (rvFour){z.y, -z.x, d, 0.0} - FOUR(f.z) * br - FOUR(h.z) * fr};
    column[1] = last;
    column[0].x = (rvFour){0.0, t.z, -t.y, 0.0} - last.x;
    column[0].y = (rvFour){-t.z, 0.0, t.x, 0.0} - last.y;
    column[0].z = (rvFour){t.y, -t.x, 0.0, 0.0} - last.z;
}

// Adds C^T F, summed over an interval's Gauss points, to the six numbers of its two nodes.
KERNEL void add_turning(const rvSpacePiece* piece, const rvFour3* load, double* six)
{
    rvFour3 turning;
    cross(&piece->t, load, &turning);
    rvVec3 f = piece->turn, x = weigh(&FOUR_AT(NODE), &turning);
    rvVec3 b = rvCross(f, weigh(&piece->b, &turning));
    rvVec3 g = rvCross(f, rvCross(f, weigh(&piece->g, &turning)));
    rvVec3 last = rvAdd(rvSub(x, b), g);
    add_to(six, 1.0, rvSub(sum_of(&turning), last));
    add_to(six + 3, 1.0, last);
}

// ---- shape ----------------------------------------------------------------------------------------------------------

// A vector given at the Gauss points, integrated to the Gauss points (out, or NULL) and to the nodes (or NULL).
KERNEL void integrate(const rvSpace* space, rvVec3 start, const rvFour3* flow, rvFour3* out, rvVec3* nodes)
{
    for (int i = 0; i < space->intervals; ++i) {
        double h = space->parts[i].length;
        const rvFour3* f = flow + i;
        if (nodes)
            nodes[i] = start;
        if (out) {
            rvFour3 sum;
            set(&sum, rvVec(0, 0, 0));
            for (int m = 0; m < POINTS; ++m)
                add(&sum, &space->upTo[m], lane(f, m));
            out[i].x = FOUR(start.x) + FOUR(h) * sum.x;
            out[i].y = FOUR(start.y) + FOUR(h) * sum.y;
            out[i].z = FOUR(start.z) + FOUR(h) * sum.z;
        }
        start = rvMulAdd(start, h, weigh(&WEIGHTS, f));
    }
    if (nodes)
        nodes[space->intervals] = start;
}

// Terms that the series need at y.
static int terms_at(double y)
{
    double share = y / WHOLE_TURN2, left = share;
    int terms = 1;
    while (left > 1e-17 && terms < RV_SPACE_TERMS) {
        left *= share;
        terms += 1;
    }
    return terms;
}

// The rotation vector of q as its sign says: up to a whole turn.
static rvVec3 turn_of(rvQuat q)
{
    double s = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    double f = s > 1e-8 ? 2.0 * atan2(s, q.w) / s : 2.0;
    return rvVec(f * q.x, f * q.y, f * q.z);
}

// Sums of the series at y for all Gauss points: b, g and their slopes, and those of the tangent into s and c.
KERNEL void sum_series(const rvSpace* space, double y, rvSpacePiece* piece, rvFour* s, rvFour* c)
{
    int terms = terms_at(y);
    rvFour zero = FOUR(0.0), four = FOUR(y), b = zero, g = zero, db = zero, dg = zero, sine = zero, rest = zero;
    double e = 0.0, de = 0.0;
    for (int k = terms - 1; k >= 0; --k) {
        const rvFour* term = space->series[k];
        db = db * four + b;
        dg = dg * four + g;
        b = b * four + term[0];
        g = g * four + term[1];
        sine = sine * four + term[2];
        rest = rest * four + term[3];
        de = de * y + e;
        e = e * y + space->bernoulli[k];
    }
    piece->b = b;
    piece->g = g;
    piece->db = db;
    piece->dg = dg;
    piece->e = e;
    piece->de = de;
    *s = sine;
    *c = rest;
}

// Where it stretches: numbers that are linear between the nodes, those of an interval's first node given, at its Gauss
// points.
KERNEL void between(const double* two, rvFour* at)
{
    *at = FOUR(two[0]) + NODES * FOUR(two[1] - two[0]);
}

// a += factor b, lane by lane.
KERNEL void add_scaled_lanes(rvFour3* a, const rvFour* factor, const rvFour3* b)
{
    a->x += *factor * b->x;
    a->y += *factor * b->y;
    a->z += *factor * b->z;
}

// What the stretch of an interval adds to where it is placed.
static void place_stretch(rvSpace* space, int i)
{
    rvSpacePiece* piece = &space->pieces[i];
    rvFour lambda, last = space->weights[i] * NODES, first = space->weights[i] - last, weights;
    between(space->stretch + i, &lambda);
    lambda += FOUR(1.0);
    weights = space->weights[i] * lambda;
    space->lambda[i] = lambda;
    scale_lanes(&space->flow[i], &lambda);
    space->along[i][0] = weigh(&first, &piece->t);
    space->along[i][1] = weigh(&last, &piece->t);
    sum_columns(piece, &weights, piece->p);
}

KERNEL void place_piece(rvSpace* space, int i)
{
    rvSpacePiece* piece = &space->pieces[i];
    rvQuat from = space->frames[i], way = rvQuatMul(space->frames[i + 1], rvQuatConj(from));
    rvVec3 f = piece->turn = turn_of(way);
    rvFour s, c;
    sum_series(space, rvDot(f, f), piece, &s, &c);
    rvVec3 start = rvRotate(from, rvVec(0, 0, 1)), once = rvCross(f, start), twice = rvCross(f, once);
    rvFour3 t;
    set(&t, start);
    add(&t, &s, once);
    add(&t, &c, twice);
    piece->t = space->flow[i] = t;
    if (space->stretches)
        place_stretch(space, i);
    else
        sum_columns(piece, &space->weights[i], piece->p);
}

static void place(rvSpace* space, rvVec3 start)
{
    for (int i = 0; i < space->intervals; ++i)
        place_piece(space, i);
    integrate(space, start, space->flow, space->rates, space->nodes);
    for (int i = 0; i < space->intervals; ++i)
        space->pieces[i].x = space->rates[i];
}

// w += S u at the Gauss points; `once`, `twice`: P u, P^2 u.
KERNEL void spin_between(const rvSpacePiece* piece, rvVec3 u, rvVec3 once, rvVec3 twice, rvFour3* w)
{
    add(w, &NODES, u);
    add(w, &piece->b, once);
    add(w, &piece->g, twice);
}

// d(lambda t)/dt at the Gauss points of an interval: lambda w x t + e' t.
KERNEL void find_rate(const rvSpace* space, const double* v, int i, rvFour3* rate)
{
    const rvSpacePiece* piece = &space->pieces[i];
    rvVec3 first = spin_of(v, i), u = rvSub(spin_of(v, i + 1), first), once = rvCross(piece->turn, u);
    rvFour3 w;
    set(&w, first);
    spin_between(piece, u, once, rvCross(piece->turn, once), &w);
    cross(&w, &piece->t, rate);
    if (space->stretches) {
        rvFour longer;
        between(v + rv_space_stretch(space, i), &longer);
        scale_lanes(rate, &space->lambda[i]);
        add_scaled_lanes(rate, &longer, &piece->t);
    }
}

// The part of d^2(lambda t)/dt^2 that is quadratic in the rates: lambda (w x (w x t) + (dS/dt u) x t) + 2 e' w x t.
KERNEL void find_quadratic(const rvSpace* space, const double* v, int i, rvFour3* part)
{
    const rvSpacePiece* piece = &space->pieces[i];
    rvVec3 turn = piece->turn, first = spin_of(v, i), u = rvSub(spin_of(v, i + 1), first);
    rvVec3 once = rvCross(turn, u), twice = rvCross(turn, once);
    rvVec3 change = rvAdd(rvCross(first, turn), times_t(piece, 1.0, u)), moved = rvCross(change, u); // of Phi, world
    rvFour dy = FOUR(2.0 * rvDot(turn, change)), db = piece->db * dy, dg = piece->dg * dy;
    rvFour3 w, more, wt;
    set(&w, first);
    set(&more, rvVec(0, 0, 0));
    spin_between(piece, u, once, twice, &w);
    add(&more, &db, once);
    add(&more, &piece->b, moved);
    add(&more, &dg, twice);
    add(&more, &piece->g, rvAdd(rvCross(change, once), rvCross(turn, moved)));
    cross(&w, &piece->t, &wt);
    cross(&w, &wt, part);
    cross(&more, &piece->t, &wt);
    part->x += wt.x;
    part->y += wt.y;
    part->z += wt.z;
    if (space->stretches) {
        rvFour twofold;
        between(v + rv_space_stretch(space, i), &twofold);
        twofold *= FOUR(2.0);
        cross(&w, &piece->t, &wt);
        scale_lanes(part, &space->lambda[i]);
        add_scaled_lanes(part, &twofold, &wt);
    }
}

static rvVec3 start_of(const double* v)
{
    return v ? rvVec(v[0], v[1], v[2]) : rvVec(0, 0, 0);
}

static void node_rates(rvSpace* space, const double* v, rvVec3* rates)
{
    for (int i = 0; i < space->intervals; ++i)
        find_rate(space, v, i, &space->rates[i]);
    integrate(space, start_of(v), space->rates, NULL, rates);
}

static void node_drift(rvSpace* space, const double* v, rvVec3* drift)
{
    for (int i = 0; i < space->intervals; ++i)
        find_quadratic(space, v, i, &space->rates[i]);
    integrate(space, rvVec(0, 0, 0), space->rates, NULL, drift);
}

// ---- loads ----------------------------------------------------------------------------------------------------------

// Forces on the Gauss points, in space->flow, gathered from the far end on.
KERNEL void gather(rvSpace* space)
{
    rvVec3 beyond = rvVec(0, 0, 0);
    for (int i = space->intervals - 1; i >= 0; --i) {
        rvFour h = FOUR(space->parts[i].length);
        const rvFour3* f = &space->flow[i];
        rvFour3 sum;
        set(&sum, rvVec(0, 0, 0));
        add(&sum, &WEIGHTS, beyond);
        for (int g = 0; g < POINTS; ++g)
            add(&sum, &space->downTo[g], lane(f, g));
        space->load[i].x += h * sum.x;
        space->load[i].y += h * sum.y;
        space->load[i].z += h * sum.z;
        beyond = rvAdd(beyond, sum_of(f));
    }
    space->base = rvAdd(space->base, beyond);
}

// What a way (space.h) has at the Gauss points.
KERNEL rvFour3* lanes_of(double* way)
{
    return (rvFour3*)(way + 3);
}

static void find_way_rate(const rvSpace* space, const double* v, double* way)
{
    memcpy(way, v, 3 * sizeof(double));
    for (int i = 0; i < space->intervals; ++i)
        find_rate(space, v, i, lanes_of(way) + i);
}

KERNEL void accelerate(const rvSpace* space, const double* v, const double* a, int i, rvFour3* rate)
{
    find_quadratic(space, v, i, rate);
    if (a) {
        rvFour3 more;
        find_rate(space, a, i, &more);
        rate->x += more.x;
        rate->y += more.y;
        rate->z += more.z;
    }
}

static void find_way_acceleration(const rvSpace* space, const double* v, const double* a, double* way)
{
    rvVec3 start = start_of(a);
    way[0] = start.x;
    way[1] = start.y;
    way[2] = start.z;
    for (int i = 0; i < space->intervals; ++i)
        accelerate(space, v, a, i, lanes_of(way) + i);
}

KERNEL void resist(rvSpace* space, rvVec3 start, const rvFour3* rates, rvVec3* drift)
{
    integrate(space, start, rates, space->flow, drift);
    for (int i = 0; i < space->intervals; ++i) {
        space->flow[i].x *= -space->masses[i];
        space->flow[i].y *= -space->masses[i];
        space->flow[i].z *= -space->masses[i];
    }
    gather(space);
}

static void add_way_inertia(rvSpace* space, const double* way)
{
    resist(space, start_of(way), (const rvFour3*)(way + 3), NULL);
}

static void add_inertia(rvSpace* space, const double* v, const double* acceleration, rvVec3* drift)
{
    for (int i = 0; i < space->intervals; ++i)
        accelerate(space, v, acceleration, i, &space->rates[i]);
    resist(space, start_of(acceleration), space->rates, drift);
    for (int i = 0; acceleration && i <= space->intervals; ++i)
        rv_space_add_moment(space, i, rvScale(-inertia_of(space, i), spin_of(acceleration, i)));
}

static void sum_loads(const rvSpace* space, double* forces)
{
    memcpy(forces, space->own, (size_t)space->count * sizeof(double));
    add_to(forces, 1.0, space->base);
    for (int i = 0; i < space->intervals; ++i)
        if (space->stretches)
            rv_space_add_turning(space, i, &space->load[i], forces);
        else
            add_turning(&space->pieces[i], &space->load[i], forces + rv_space_spin(i));
}

static double kinetic_energy(rvSpace* space, const double* v)
{
    for (int i = 0; i < space->intervals; ++i)
        find_rate(space, v, i, &space->rates[i]);
    integrate(space, start_of(v), space->rates, space->flow, NULL);
    double energy = 0.0;
    for (int i = 0; i < space->intervals; ++i) {
        const rvFour3* f = &space->flow[i];
        rvFour square = f->x * f->x + f->y * f->y + f->z * f->z;
        square *= space->masses[i];
        energy += 0.5 * SUM(square);
    }
    for (int i = 0; i <= space->intervals; ++i)
        energy += 0.5 * inertia_of(space, i) * rvDot(spin_of(v, i), spin_of(v, i));
    return energy;
}

// ---- inertia --------------------------------------------------------------------------------------------------------

// Rows of L^T, L the factor of `inner`, times factor times the tangents.
KERNEL void mix(const rvFour* l, const rvFour* factor, const rvFour3* t, rvFour3* sum)
{
    rvFour3 scaled = {*factor * t->x, *factor * t->y, *factor * t->z};
    set(sum, rvVec(0, 0, 0));
    for (int m = 0; m < POINTS; ++m)
        add(sum, &l[m], lane(&scaled, m));
}

// Inertia that comes of one interval alone: sum of (L^T C)^T (L^T C). With y = L^T t and e = L^T C_1 (see
// space_parts.h)
//   aa = y.y 1 - y y^T,   au = [y]x e,   uu = e^T e
KERNEL void find_inner(const rvSpace* space, int i, Curving* k)
{
    const rvFour *l = space->inner + i * POINTS, one = FOUR(1.0);
    const rvSpacePiece* piece = &space->pieces[i];
    rvVec3 f = piece->turn;
    rvFour fx = FOUR(f.x), fy = FOUR(f.y), fz = FOUR(f.z), square = FOUR(rvDot(f, f));
    rvFour3 y, x, b, g, h, axis;
    set(&axis, f);
    mix(l, &one, &piece->t, &y);
    mix(l, &FOUR_AT(NODE), &piece->t, &x);
    mix(l, &piece->b, &piece->t, &b);
    mix(l, &piece->g, &piece->t, &g);
    cross(&g, &axis, &h);
    rvFour zx = x.x - square * g.x, zy = x.y - square * g.y, zz = x.z - square * g.z;
    rvFour d = b.x * fx + b.y * fy + b.z * fz;
    const rvFour3 e[3] = {// columns
                          {d - fx * b.x - h.x * fx, -zz - fy * b.x - h.y * fx, zy - fz * b.x - h.z * fx},
                          {zz - fx * b.y - h.x * fy, d - fy * b.y - h.y * fy, -zx - fz * b.y - h.z * fy},
                          {-zy - fx * b.z - h.x * fz, zx - fy * b.z - h.y * fz, d - fz * b.z - h.z * fz}};
    for (int c = 0; c < 3; ++c) {
        rvFour3 turned;
        cross(&y, &e[c], &turned);
        set_column(&k->au, c, sum_of(&turned));
    }
    rvFour product[6], sums;
    for (int c = 0; c < 3; ++c)
        for (int r = c; r < 3; ++r)
            product[3 * c - c * (c + 1) / 2 + r] = e[r].x * e[c].x + e[r].y * e[c].y + e[r].z * e[c].z;
    sum_four(&product[0], &product[1], &product[2], &product[3], &sums);
    k->uu.m[0][0] = sums[0];
    k->uu.m[1][0] = sums[1];
    k->uu.m[2][0] = sums[2];
    k->uu.m[1][1] = sums[3];
    rvFour xx = y.x * y.x, yy = y.y * y.y, ww = y.z * y.z, xy = y.x * y.y, xz = y.x * y.z, yz = y.y * y.z;
    sum_four(&product[4], &product[5], &xy, &xz, &sums);
    k->uu.m[2][1] = sums[0];
    k->uu.m[2][2] = sums[1];
    k->aa.m[1][0] = -sums[2];
    k->aa.m[2][0] = -sums[3];
    sum_four(&xx, &yy, &ww, &yz, &sums);
    k->aa.m[0][0] = sums[1] + sums[2];
    k->aa.m[1][1] = sums[0] + sums[2];
    k->aa.m[2][2] = sums[0] + sums[1];
    k->aa.m[2][1] = -sums[3];
}

static const rvFour3 NOTHING;

KERNEL void add_rows(const rvFour3* a, rvFour3* sum)
{
    sum->x += a->x;
    sum->y += a->y;
    sum->z += a->z;
}

// Generators of a node: of the interval before it and of the one after it.
KERNEL void find_generators(const rvSpace* space, int node, rvFour3* p, rvFour3* q)
{
    bool first = node == 0, last = node >= space->intervals;
    const rvSpacePiece* piece = &space->pieces[node];
    *p = first ? NOTHING : piece[-1].p[1];
    *q = first ? NOTHING : piece[-1].q[1];
    add_rows(last ? &NOTHING : &piece->p[0], p);
    add_rows(last ? &NOTHING : &piece->q[0], q);
}

// Columns of p^T q: lane r of column c is p_c . q_r.
KERNEL void multiply(const rvFour3* p, const rvFour3* q, rvFour column[3])
{
    for (int c = 0; c < 3; ++c)
        column[c] = FOUR(p->x[c]) * q->x + FOUR(p->y[c]) * q->y + FOUR(p->z[c]) * q->z;
}

// By columns, one behind another.
KERNEL void write_columns(const rvFour3* a, double* nine)
{
    for (int c = 0; c < 3; ++c) {
        nine[3 * c] = a->x[c];
        nine[3 * c + 1] = a->y[c];
        nine[3 * c + 2] = a->z[c];
    }
}

// Nodes near each other, from node `first` on: their generators.
typedef struct {
    rvFour3 p[3], q[3];
} Near;

// Column blocks of a node's spin in the band: what comes of two intervals is p . q, but for what is of one and the
// same; of one interval `inner`, of the interval before it `before`.
KERNEL void fill_node(const rvSpace* space, int node, double mass, const Near* near, const Curving* before,
                      const Curving* inner, double* band)
{
    int last = space->intervals;
    const rvSpacePiece* piece = &space->pieces[node];
    rvFour diagonal[3], below[3], same[3], far[3];
    double own = inertia_of(space, node);
    multiply(node > 0 ? &piece[-1].p[1] : &NOTHING, node < last ? &piece->q[0] : &NOTHING, diagonal);
    multiply(&near->p[0], &near->q[1], below);
    multiply(&near->p[0], &near->q[2], far);
    multiply(node < last ? &piece->p[0] : &NOTHING, node < last ? &piece->q[1] : &NOTHING, same);
    for (int c = 0; c < 3; ++c) {
        for (int r = c; r < 3; ++r) {
            double sum = before->uu.m[r][c] + (inner->aa.m[r][c] - inner->au.m[r][c] - inner->au.m[c][r]) +
                         inner->uu.m[r][c] + (r == c ? own : 0.0);
            band[6 * c + r - c] = diagonal[c][r] + diagonal[r][c] + mass * sum;
        }
        for (int r = 0; r < 3; ++r) {
            double uu = r >= c ? inner->uu.m[r][c] : inner->uu.m[c][r];
            band[6 * c + 3 + r - c] = below[c][r] - same[c][r] + mass * (inner->au.m[c][r] - uu);
        }
        for (int r = 0; r < c; ++r)
            band[6 * c + 6 + r - c] = far[c][r];
    }
}

// Block 0 is x0, block b > 0 the spin of node b - 1.
static void find_inertia(rvSpace* space, double mass, rvSeparable* a)
{
    int last = space->intervals;
    Near near;
    Curving inner[2] = {{.uu = {{{0}}}}, {.uu = {{{0}}}}}; // of the intervals before and after a node, by turns
    for (int i = 0; i < last; ++i) {
        rvFour weights = FOUR(mass) * space->outer[i];
        sum_columns(&space->pieces[i], &weights, space->pieces[i].q);
    }
    find_generators(space, 0, &near.p[1], &near.q[1]);
    find_generators(space, 1, &near.p[2], &near.q[2]);
    memset(a->q, 0, 9 * sizeof(double));
    for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) {
            a->p[3 * c + r] = r == c;
            if (r >= c)
                a->band[6 * c + r - c] = r == c ? mass * space->mass : 0.0;
            a->band[6 * c + 3 + r - c] = entry(&near.q[1], c, r);
            if (r < c)
                a->band[6 * c + 6 + r - c] = entry(&near.q[2], c, r);
        }
    for (int i = 0; i <= last; ++i) {
        for (int k = 0; k < 2; ++k) {
            near.p[k] = near.p[k + 1];
            near.q[k] = near.q[k + 1];
        }
        near.q[2] = NOTHING;
        if (i + 2 <= last)
            find_generators(space, i + 2, &near.p[2], &near.q[2]);
        if (i < last)
            find_inner(space, i, &inner[i & 1]);
        else
            inner[i & 1] = (Curving){.uu = {{{0}}}};
        write_columns(&near.p[0], a->p + 9 * (i + 1));
        write_columns(&near.q[0], a->q + 9 * (i + 1));
        fill_node(space, i, mass, &near, &inner[(i + 1) & 1], &inner[i & 1], a->band + 18 * (i + 1));
    }
}

static void turn_nodes(const rvSpacePiece* piece, const rvFour3* load, double* six)
{
    add_turning(piece, load, six);
}

const rvSpaceKernels TABLE = {
    place,           node_rates, node_drift,     add_inertia,  find_way_rate, find_way_acceleration,
    add_way_inertia, sum_loads,  kinetic_energy, find_inertia, turn_nodes};
