// SPDX-License-Identifier: MIT
#include "cable/curve/space_kernels.h"
#include "cable/curve/space_parts.h"

#include <string.h>

// ---- matrix ---------------------------------------------------------------------------------------------------------

bool rv_space_create_matrix(const rvSpace* space, rvMemory* memory, rvSeparable* a)
{
    bool made = rv_separable_create(a, memory, space->count, 3, space->stretches ? 7 : 5); // two nodes'
    a->blocks = !space->stretches;
    a->order = space->order;
    return made;
}

// J^T K J for a stiffness of the spins' difference (K of u) or of Gauss points.
static void add_difference(const rvSpace* space, rvSeparable* a, int i, const rvMat3* k)
{
    int first = rv_space_slot(space, rv_space_spin(i)), next = rv_space_slot(space, rv_space_spin(i + 1));
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            if (c <= r) {
                *rv_separable_at(a, first + r, first + c) += k->m[r][c];
                *rv_separable_at(a, next + r, next + c) += k->m[r][c];
            }
            *rv_separable_at(a, next + r, first + c) -= k->m[r][c];
        }
}

static rvMat3 cross_matrix(rvVec3 v)
{
    return (rvMat3){{{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}};
}

static rvMat3 product(const rvMat3* a, const rvMat3* b)
{
    rvMat3 c;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    return c;
}

// T^T R D R^T T times a factor.
static rvMat3 rigidity_of(const rvSpace* space, int i, double factor)
{
    rvMat3 k;
    for (int c = 0; c < 3; ++c) {
        rvVec3 bent = rvRotateBack(space->frames[i], times_t(&space->pieces[i], 1.0, axis(c)));
        rvVec3 moment = rvRotate(space->frames[i], times(space->parts[i].rigidity, bent));
        set_column(&k, c, rvScale(factor, times_t(&space->pieces[i], -1.0, moment)));
    }
    return k;
}

// Sums over what is linear in 1 + b P + g P^2: of b v, g v, db v, dg v for vectors v.
typedef struct {
    rvVec3 b, g, db, dg;
} Slopes;

static void add_slope(Slopes* sum, double b, double g, double db, double dg, rvVec3 v)
{
    sum->b = rvMulAdd(sum->b, b, v);
    sum->g = rvMulAdd(sum->g, g, v);
    sum->db = rvMulAdd(sum->db, db, v);
    sum->dg = rvMulAdd(sum->dg, dg, v);
}

// W with v . (change of (b P + g P^2) as Phi changes by c) u = c . W u.
static rvMat3 slope_matrix(const Slopes* sum, rvVec3 turn)
{
    rvVec3 along = rvAdd(rvCross(sum->db, turn), rvCross(turn, rvCross(turn, sum->dg))), more = rvCross(sum->g, turn);
    rvMat3 w;
    for (int c = 0; c < 3; ++c) {
        rvVec3 u = axis(c), value = rvScale(2.0 * rvDot(along, u), turn);
        value = rvAdd(value, rvCross(u, rvAdd(sum->b, more)));
        set_column(&w, c, rvAdd(value, rvCross(rvCross(turn, u), sum->g)));
    }
    return w;
}

static double longer(const rvSpace* space, int i, int m)
{
    return space->stretches ? space->lambda[i][m] : 1.0;
}

static void add_points(const rvSpace* space, int i, double factor, Slopes* slopes, Curving* k)
{
    const rvSpacePiece* piece = &space->pieces[i];
    rvMat3 p = cross_matrix(piece->turn), p2 = product(&p, &p);
    for (int m = 0; m < POINTS; ++m) {
        rvVec3 f = rvScale(factor * longer(space, i, m), lane(&space->load[i], m)), t = lane(&piece->t, m);
        add_slope(slopes, piece->b[m], piece->g[m], piece->db[m], piece->dg[m], rvCross(f, t));
        double ft[3][3] = {
            {f.x * t.x, f.x * t.y, f.x * t.z}, {f.y * t.x, f.y * t.y, f.y * t.z}, {f.z * t.x, f.z * t.y, f.z * t.z}};
        rvMat3 n, s;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) {
                n.m[r][c] = (r == c ? rvDot(f, t) : 0.0) - 0.5 * (ft[r][c] + ft[c][r]);
                s.m[r][c] = (r == c ? NODE[m] : 0.0) + piece->b[m] * p.m[r][c] + piece->g[m] * p2.m[r][c];
            }
        rvMat3 ns = product(&n, &s);
        add_scaled(&k->aa, 1.0, &n);
        add_scaled(&k->au, 1.0, &ns);
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                k->uu.m[r][c] += column_dot(&s, r, &ns, c);
    }
}

// All of it, for one interval.
static void add_curving(const rvSpace* space, int i, double factor, rvSeparable* a)
{
    const rvSpacePart* part = &space->parts[i];
    const rvSpacePiece* piece = &space->pieces[i];
    rvVec3 bent = rvSub(rv_space_curvature(space, i), part->natural);
    rvVec3 moment = rvScale(factor, rvRotate(space->frames[i], times(part->rigidity, bent)));
    Slopes own = {0}, loads = {0};
    Curving k = {0};
    add_slope(&own, -0.5, piece->e, 0.0, piece->de, moment);
    add_points(space, i, factor, &loads, &k);
    rvMat3 w = slope_matrix(&loads, piece->turn), p = cross_matrix(piece->turn), pw = product(&p, &w);
    rvMat3 whole = slope_matrix(&own, piece->turn), m = cross_matrix(times_t(piece, -1.0, moment));
    add_scaled(&whole, 1.0, &w);
    add_scaled(&k.au, 0.5, &m);
    add_scaled(&k.au, 0.5, &pw);
    for (int c = 0; c < 3; ++c) {
        rvVec3 column = times_t(piece, -1.0, rvVec(whole.m[0][c], whole.m[1][c], whole.m[2][c]));
        const double half[3] = {0.5 * column.x, 0.5 * column.y, 0.5 * column.z};
        for (int r = 0; r < 3; ++r) {
            k.uu.m[r][c] += half[r];
            k.uu.m[c][r] += half[r];
        }
    }
    add_curving_to(space, a, i, 1.0, &k);
}

// What pulls: F . t C^T C, with C_1 = -[t]x S, C_0 = -[t]x - C_1.
static void add_pulling(const rvSpace* space, int i, double factor, rvSeparable* a)
{
    const rvSpacePiece* piece = &space->pieces[i];
    rvMat3 p = cross_matrix(piece->turn), p2 = product(&p, &p);
    for (int m = 0; m < POINTS; ++m) {
        rvVec3 t = lane(&piece->t, m);
        double pull = factor * longer(space, i, m) * rvDot(t, lane(&space->load[i], m));
        if (!(pull > 0.0))
            continue;
        Curving k = {0};
        rvMat3 turn = cross_matrix(rvNeg(t)), s;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                s.m[r][c] = (r == c ? NODE[m] : 0.0) + piece->b[m] * p.m[r][c] + piece->g[m] * p2.m[r][c];
        rvMat3 last = product(&turn, &s);
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) {
                k.aa.m[r][c] = column_dot(&turn, r, &turn, c);
                k.au.m[r][c] = column_dot(&turn, r, &last, c);
                k.uu.m[r][c] = column_dot(&last, r, &last, c);
            }
        add_curving_to(space, a, i, pull, &k);
    }
}

// Of the stretch: EA N N, and what loads do, -N C^T F with the spins.
static void add_stretching(const rvSpace* space, int i, rvSpaceWish wish, rvSeparable* a)
{
    const rvSpacePart* part = &space->parts[i];
    int own[2] = {rv_space_slot(space, rv_space_stretch(space, i)),
                  rv_space_slot(space, rv_space_stretch(space, i + 1))};
    double rates = wish.damping + wish.stretching;
    double third = (wish.stiffness * part->stiffness + rates * part->stretching) * part->length / 3.0;
    *rv_separable_at(a, own[0], own[0]) += third;
    *rv_separable_at(a, own[1], own[1]) += third;
    *rv_separable_at(a, own[1], own[0]) += 0.5 * third;
    for (int end = 0; end < 2 && wish.stiffness != 0.0 && !wish.pulling; ++end) {
        rvFour3 load = space->load[i];
        double six[6] = {0};
        rvFour share;
        for (int m = 0; m < POINTS; ++m)
            share[m] = end == 0 ? 1.0 - NODE[m] : NODE[m];
        scale_lanes(&load, &share);
        space->kernels->addTurning(&space->pieces[i], &load, six);
        for (int k = 0; k < 6; ++k) {
            int spin = rv_space_slot(space, rv_space_spin(i) + k);
            *rv_separable_at(a, spin > own[end] ? spin : own[end], spin > own[end] ? own[end] : spin) -=
                wish.stiffness * six[k];
        }
    }
}

static void add_stiffness(const rvSpace* space, int i, rvSpaceWish wish, rvSeparable* a)
{
    const rvSpacePart* part = &space->parts[i];
    if (space->stretches)
        add_stretching(space, i, wish, a);
    double factor = (wish.stiffness + wish.damping * part->damping) / part->length;
    if (factor != 0.0) {
        rvMat3 k = rigidity_of(space, i, factor);
        add_difference(space, a, i, &k);
    }
    if (wish.stiffness != 0.0 && wish.pulling)
        add_pulling(space, i, wish.stiffness, a);
    else if (wish.stiffness != 0.0)
        add_curving(space, i, wish.stiffness, a);
}

void rv_space_matrix(rvSpace* space, rvSpaceWish wish, rvSeparable* a)
{
    if (space->stretches)
        rv_space_stretched_inertia(space, wish.mass, a);
    else
        space->kernels->findInertia(space, wish.mass, a);
    bool any = wish.stiffness != 0.0 || wish.damping != 0.0 || (space->stretches && wish.stretching != 0.0);
    for (int i = 0; i < space->intervals && any; ++i)
        add_stiffness(space, i, wish, a);
}

// d(a node's place)/d(rate k) into three numbers: what lies before the node.
static void place_column(const rvSpace* space, int node, int k, double* column)
{
    int j = k / 3 - 1, c = k % 3, at = k - rv_space_stretch(space, 0);
    if (space->stretches && at >= 0) {
        rvVec3 sum = at > 0 && at <= node ? space->along[at - 1][1] : rvVec(0, 0, 0);
        if (at < node)
            sum = rvAdd(sum, space->along[at][0]);
        column[0] = sum.x;
        column[1] = sum.y;
        column[2] = sum.z;
        return;
    }
    for (int r = 0; r < 3; ++r) {
        column[r] = k < 3 ? (double)(r == c) : 0.0;
        if (k >= 3 && j > 0 && j <= node)
            column[r] += entry(&space->pieces[j - 1].p[1], r, c);
        if (k >= 3 && j < node)
            column[r] += entry(&space->pieces[j].p[0], r, c);
    }
}

void rv_space_add_squares(const rvSpace* space, int node, rvVec3 factor, rvSeparable* a)
{
    const double f[3] = {factor.x, factor.y, factor.z};
    const int* order = space->order;
    int end =
        rv_space_slot(space, rv_space_spin(node)) + (order ? 4 : 3); // beyond it a node's place does not depend on
    for (int row = 0; row < end; ++row) {
        double mine[3], other[3];
        place_column(space, node, order ? order[row] : row, mine);
        for (int r = 0; r < 3; ++r)
            a->q[3 * row + r] += f[r] * mine[r];
        for (int column = row > a->width ? row - a->width : 0; column <= row; ++column) {
            place_column(space, node, order ? order[column] : column, other);
            *rv_separable_at(a, row, column) +=
                f[0] * mine[0] * other[0] + f[1] * mine[1] * other[1] + f[2] * mine[2] * other[2];
        }
    }
}

double rv_space_largest_spin(const rvSpace* space, const rvSeparable* a)
{
    double most = 0.0;
    for (int i = 3; i < rv_space_stretch(space, 0); ++i) { // against bending, not the stretch
        int slot = rv_space_slot(space, i);
        most = fmax(most, fabs(*rv_separable_at(a, slot, slot)));
    }
    return most;
}

double rv_space_lever(const rvSpace* space, int node)
{
    double sum = space->parts[0].length * space->parts[0].length;
    for (int i = 0; i < node; ++i)
        for (int end = 0; end < 2; ++end)
            for (int c = 0; c < 3; ++c) {
                const rvFour3* p = &space->pieces[i].p[end];
                sum += (p->x[c] * p->x[c] + p->y[c] * p->y[c] + p->z[c] * p->z[c]) / 3.0;
            }
    return sum;
}
