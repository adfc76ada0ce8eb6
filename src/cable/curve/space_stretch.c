// SPDX-License-Identifier: MIT
// Inertia of a curve in space that stretches, by its columns as they are.
//
// With L the factor of `inner` and y = L^T c of two columns c of one interval, that interval alone gives the sum of y .
// y; a column of an interval and one of a later interval give p . q, sums of h b c and of w c.
#include "cable/curve/space_parts.h"

#include <string.h>

enum { FIELDS = 4, COLUMNS = 2 * FIELDS, WIDTH = 7 }; // of a node: spin, stretch; of an interval; of the band

static void set_lanes(rvFour3* a, int m, rvVec3 v)
{
    a->x[m] = v.x;
    a->y[m] = v.y;
    a->z[m] = v.z;
}

// lambda C_0, N_0 t, lambda C_1, N_1 t at the Gauss points of an interval.
static void find_columns(const rvSpace* space, int i, rvFour3 c[COLUMNS])
{
    const rvSpacePiece* piece = &space->pieces[i];
    for (int m = 0; m < POINTS; ++m) {
        rvVec3 t = lane(&piece->t, m);
        double lambda = space->lambda[i][m];
        for (int k = 0; k < 3; ++k) {
            rvVec3 a = axis(k), once = rvCross(piece->turn, a);
            rvVec3 s = rvMulAdd(rvScale(NODE[m], a), piece->b[m], once);
            s = rvMulAdd(s, piece->g[m], rvCross(piece->turn, once));
            set_lanes(&c[k], m, rvScale(lambda, rvCross(rvSub(a, s), t)));
            set_lanes(&c[FIELDS + k], m, rvScale(lambda, rvCross(s, t)));
        }
        set_lanes(&c[3], m, rvScale(1.0 - NODE[m], t));
        set_lanes(&c[FIELDS + 3], m, rvScale(NODE[m], t));
    }
}

static void sum_interval(rvSpace* space, int i, double mass)
{
    rvSpaceSums* sums = &space->sums[i];
    rvFour3 c[COLUMNS], y[COLUMNS];
    find_columns(space, i, c);
    for (int k = 0; k < COLUMNS; ++k) {
        y[k] = (rvFour3){0};
        sums->p[k] = sums->q[k] = rvVec(0, 0, 0);
        for (int m = 0; m < POINTS; ++m) {
            rvVec3 v = lane(&c[k], m);
            sums->p[k] = rvMulAdd(sums->p[k], space->weights[i][m], v);
            sums->q[k] = rvMulAdd(sums->q[k], mass * space->outer[i][m], v);
            add_lanes(&y[k], &space->inner[i * POINTS + m], v);
        }
        for (int l = 0; l <= k; ++l) {
            rvFour product;
            dot_lanes(&y[k], &y[l], &product);
            double sum = (product[0] + product[1]) + (product[2] + product[3]);
            sums->inner[k][l] = sums->inner[l][k] = mass * sum;
        }
    }
}

// p and q of a node's unknowns: of the interval before it and of the one after it.
typedef struct {
    rvVec3 p[FIELDS], q[FIELDS];
} Node;

static Node sum_node(const rvSpace* space, int node)
{
    Node sum = {0};
    for (int i = node - 1; i <= node; ++i)
        for (int k = 0; k < FIELDS && i >= 0 && i < space->intervals; ++k) {
            int column = i < node ? FIELDS + k : k;
            sum.p[k] = rvAdd(sum.p[k], space->sums[i].p[column]);
            sum.q[k] = rvAdd(sum.q[k], space->sums[i].q[column]);
        }
    return sum;
}

// Of two unknowns of one node.
static double same_node(const rvSpace* space, int node, int r, int c)
{
    const rvSpaceSums *before = &space->sums[node - (node > 0)], *after = &space->sums[node];
    double sum = 0.0;
    if (node > 0)
        sum += before->inner[FIELDS + r][FIELDS + c];
    if (node < space->intervals)
        sum += after->inner[r][c];
    if (node > 0 && node < space->intervals)
        sum += rvDot(before->p[FIELDS + c], after->q[r]) + rvDot(before->p[FIELDS + r], after->q[c]);
    return sum;
}

static void fill_node(const rvSpace* space, int node, double mass, const Node near[3], rvSeparable* a)
{
    int first = 3 + FIELDS * node;
    double own = mass * inertia_of(space, node);
    for (int c = 0; c < FIELDS; ++c) {
        const double p[3] = {near[0].p[c].x, near[0].p[c].y, near[0].p[c].z},
                     q[3] = {near[0].q[c].x, near[0].q[c].y, near[0].q[c].z};
        memcpy(a->p + 3 * (first + c), p, sizeof p);
        memcpy(a->q + 3 * (first + c), q, sizeof q);
        for (int r = c; r < FIELDS; ++r)
            *rv_separable_at(a, first + r, first + c) = same_node(space, node, r, c) + (r == c && c < 3 ? own : 0.0);
        for (int r = 0; r < FIELDS && node < space->intervals; ++r) {
            const rvSpaceSums* sums = &space->sums[node];
            *rv_separable_at(a, first + FIELDS + r, first + c) =
                rvDot(near[0].p[c], near[1].q[r]) - rvDot(sums->p[c], sums->q[FIELDS + r]) + sums->inner[c][FIELDS + r];
        }
        for (int r = 0; 2 * FIELDS + r - c <= WIDTH && node + 2 <= space->intervals; ++r)
            *rv_separable_at(a, first + 2 * FIELDS + r, first + c) = rvDot(near[0].p[c], near[2].q[r]);
    }
}

static double part_of(rvVec3 v, int c)
{
    return c == 0 ? v.x : c == 1 ? v.y : v.z;
}

// x0 moves all: p is a unit vector, q 0.
static void fill_start(const rvSpace* space, double mass, const Node near[3], rvSeparable* a)
{
    memset(a->q, 0, 9 * sizeof(double));
    for (int c = 0; c < 3; ++c)
        for (int r = 0; r <= c + WIDTH && r < a->count; ++r) {
            if (r < 3)
                a->p[3 * c + r] = r == c;
            double entry =
                r < 3 ? (r == c ? mass * space->mass : 0.0) : part_of(near[(r - 3) / FIELDS].q[(r - 3) % FIELDS], c);
            if (r >= c)
                *rv_separable_at(a, r, c) = entry;
        }
}

void rv_space_stretched_inertia(rvSpace* space, double mass, rvSeparable* a)
{
    for (int i = 0; i < space->intervals; ++i)
        sum_interval(space, i, mass);
    Node near[3];
    for (int k = 0; k < 3; ++k)
        near[k] = sum_node(space, k);
    fill_start(space, mass, near, a);
    for (int i = 0; i <= space->intervals; ++i) {
        fill_node(space, i, mass, near, a);
        near[0] = near[1];
        near[1] = near[2];
        near[2] = sum_node(space, i + 3);
    }
}
