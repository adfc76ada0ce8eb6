// SPDX-License-Identifier: MIT
#include "cable/curve/space_parts.h"

#include <string.h>

// ---- matrix ---------------------------------------------------------------------------------------------------------

bool rv_space_create_matrix(const rvSpace* space, rvMemory* memory, rvSeparable* a)
{
    bool made = rv_separable_create(a, memory, space->count, 3, 5); // spins of one interval
    a->blocks = true;
    return made;
}

static void sum_columns(rvSpace* space, int i, double mass)
{
    rvSpacePiece* piece = &space->pieces[i];
    memset(piece->q, 0, sizeof piece->q);
    for (int m = 0; m < POINTS; ++m)
        for (int end = 0; end < 2; ++end)
            add_scaled(&piece->q[end], mass * space->outer[i * POINTS + m], &space->points[i * POINTS + m].column[end]);
}

// Inertia that comes of one interval alone: sum of (L^T C)^T (L^T C), L the factor of `inner`.
static void add_inner(const rvSpace* space, int i, double mass, rvSeparable* a)
{
    int first = rv_space_spin(i);
    const double* l = space->inner + i * POINTS * POINTS;
    const rvSpacePoint* points = space->points + i * POINTS;
    double sum[6][6] = {{0}};
    for (int k = 0; k < POINTS; ++k) {
        rvMat3 y[2] = {0};
        for (int m = k; m < POINTS; ++m)
            for (int end = 0; end < 2; ++end)
                add_scaled(&y[end], l[m * POINTS + k], &points[m].column[end]);
        for (int u = 0; u < 6; ++u)
            for (int w = 0; w <= u; ++w)
                sum[u][w] += column_dot(&y[u / 3], u % 3, &y[w / 3], w % 3);
    }
    for (int u = 0; u < 6; ++u)
        for (int w = 0; w <= u; ++w)
            *rv_separable_at(a, first + u, first + w) += mass * sum[u][w];
}

// J^T K J for a stiffness of the spins' difference (K of u) or of Gauss points.
static void add_difference(rvSeparable* a, int first, const rvMat3* k)
{
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            if (c <= r) {
                *rv_separable_at(a, first + r, first + c) += k->m[r][c];
                *rv_separable_at(a, first + 3 + r, first + 3 + c) += k->m[r][c];
            }
            *rv_separable_at(a, first + 3 + r, first + c) -= k->m[r][c];
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

// Second derivatives in the first spin a and the difference u: aa, au, uu.
typedef struct {
    rvMat3 aa, au, uu;
} Curving;

static void add_points(const rvSpace* space, int i, double factor, Slopes* slopes, Curving* k)
{
    rvMat3 p = cross_matrix(space->pieces[i].turn), p2 = product(&p, &p);
    for (int m = 0; m < POINTS; ++m) {
        const rvSpacePoint* point = &space->points[i * POINTS + m];
        rvVec3 f = rvScale(factor, space->load[i * POINTS + m]), t = point->t;
        add_slope(slopes, point->b, point->g, point->db, point->dg, rvCross(f, t));
        double ft[3][3] = {
            {f.x * t.x, f.x * t.y, f.x * t.z}, {f.y * t.x, f.y * t.y, f.y * t.z}, {f.z * t.x, f.z * t.y, f.z * t.z}};
        rvMat3 n, s;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) {
                n.m[r][c] = (r == c ? rvDot(f, t) : 0.0) - 0.5 * (ft[r][c] + ft[c][r]);
                s.m[r][c] = (r == c ? NODE[m] : 0.0) + point->b * p.m[r][c] + point->g * p2.m[r][c];
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
    int first = rv_space_spin(i);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            *rv_separable_at(a, first + 3 + r, first + c) += k.au.m[c][r] - k.uu.m[c][r];
            if (c > r)
                continue;
            *rv_separable_at(a, first + 3 + r, first + 3 + c) += k.uu.m[r][c];
            *rv_separable_at(a, first + r, first + c) += k.aa.m[r][c] - k.au.m[r][c] - k.au.m[c][r] + k.uu.m[r][c];
        }
}

// What pulls: F . t C^T C, with C as long as the tangent's turning.
static void add_pulling(const rvSpace* space, int i, double factor, rvSeparable* a)
{
    int first = rv_space_spin(i);
    for (int m = 0; m < POINTS; ++m) {
        const rvSpacePoint* point = &space->points[i * POINTS + m];
        double pull = factor * rvDot(point->t, space->load[i * POINTS + m]);
        for (int u = 0; u < 6 && pull > 0.0; ++u)
            for (int w = 0; w <= u; ++w)
                *rv_separable_at(a, first + u, first + w) +=
                    pull * column_dot(&point->column[u / 3], u % 3, &point->column[w / 3], w % 3);
    }
}

static void add_stiffness(const rvSpace* space, int i, rvSpaceWish wish, rvSeparable* a)
{
    const rvSpacePart* part = &space->parts[i];
    double factor = (wish.stiffness + wish.damping * part->damping) / part->length;
    if (factor != 0.0) {
        rvMat3 k = rigidity_of(space, i, factor);
        add_difference(a, rv_space_spin(i), &k);
    }
    if (wish.stiffness != 0.0 && wish.pulling)
        add_pulling(space, i, wish.stiffness, a);
    else if (wish.stiffness != 0.0)
        add_curving(space, i, wish.stiffness, a);
}

static double of_three(const double* p, const double* q)
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

// The band, as far as it comes of two intervals: p . q, but for what is of one and the same interval. Block 0 is x0, block
// b > 0 the spin of node b - 1; the blocks of a column lie below one another.
static void fill_band(const rvSpace* space, const rvSeparable* a)
{
    int blocks = a->count / 3;
    for (int b = 0; b < blocks; ++b) {
        const double *p = a->p + 9 * b, *q = a->q + 9 * (b + 1); // q: of the next block
        double* band = a->band + 18 * b;
        bool inner = b >= 2 && b < blocks - 1;
        const rvSpacePiece *before = &space->pieces[inner ? b - 2 : 0], *after = &space->pieces[b > 0 ? b - 1 : 0];
        for (int c = 0; c < 3; ++c) {
            for (int r = c; r < 3; ++r)
                band[6 * c + r - c] = !inner ? 0.0
                                             : column_dot(&before->p[1], c, &after->q[0], r) +
                                                   column_dot(&before->p[1], r, &after->q[0], c);
            for (int r = 0; r < 3 && b + 1 < blocks; ++r) {
                double same = b > 0 ? column_dot(&after->p[0], c, &after->q[1], r) : 0.0;
                band[6 * c + 3 + r - c] = of_three(p + 3 * c, q + 3 * r) - same;
            }
            for (int r = 0; r < c && b + 2 < blocks; ++r)
                band[6 * c + 6 + r - c] = of_three(p + 3 * c, q + 9 + 3 * r);
        }
    }
}

void rv_space_matrix(rvSpace* space, rvSpaceWish wish, rvSeparable* a)
{
    int count = a->count;
    memset(a->p, 0, (size_t)count * 3 * sizeof(double));
    memset(a->q, 0, (size_t)count * 3 * sizeof(double));
    a->p[0] = a->p[4] = a->p[8] = 1.0;
    for (int i = 0; i < space->intervals; ++i) {
        sum_columns(space, i, wish.mass);
        for (int u = 0; u < 6; ++u) {
            int k = 3 * (rv_space_spin(i) + u);
            for (int r = 0; r < 3; ++r) {
                a->p[k + r] += space->pieces[i].p[u / 3].m[r][u % 3];
                a->q[k + r] += space->pieces[i].q[u / 3].m[r][u % 3];
            }
        }
    }
    fill_band(space, a);
    double whole = space->tail[0] + space->parts[0].density * space->parts[0].length;
    for (int c = 0; c < 3; ++c)
        *rv_separable_at(a, c, c) = wish.mass * whole;
    for (int i = 0; i <= space->intervals; ++i)
        for (int c = 0; c < 3; ++c)
            *rv_separable_at(a, rv_space_spin(i) + c, rv_space_spin(i) + c) += wish.mass * inertia_of(space, i);
    for (int i = 0; i < space->intervals; ++i) {
        add_inner(space, i, wish.mass, a);
        add_stiffness(space, i, wish, a);
    }
}

// d(a node's place)/d(rate k) into three numbers: what lies before the node.
static void place_column(const rvSpace* space, int node, int k, double* column)
{
    int j = k / 3 - 1, c = k % 3;
    for (int r = 0; r < 3; ++r) {
        column[r] = k < 3 ? (double)(r == c) : 0.0;
        if (k >= 3 && j > 0 && j <= node)
            column[r] += space->pieces[j - 1].p[1].m[r][c];
        if (k >= 3 && j < node)
            column[r] += space->pieces[j].p[0].m[r][c];
    }
}

void rv_space_add_squares(const rvSpace* space, int node, rvVec3 factor, rvSeparable* a)
{
    const double f[3] = {factor.x, factor.y, factor.z};
    int end = rv_space_spin(node) + 3; // beyond it a node's place does not depend on
    for (int row = 0; row < end; ++row) {
        double mine[3], other[3];
        place_column(space, node, row, mine);
        for (int r = 0; r < 3; ++r)
            a->q[3 * row + r] += f[r] * mine[r];
        for (int column = row > a->width ? row - a->width : 0; column <= row; ++column) {
            place_column(space, node, column, other);
            *rv_separable_at(a, row, column) +=
                f[0] * mine[0] * other[0] + f[1] * mine[1] * other[1] + f[2] * mine[2] * other[2];
        }
    }
}
