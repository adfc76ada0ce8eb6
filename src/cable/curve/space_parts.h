// SPDX-License-Identifier: MIT
// What the files of the curve in space share: small matrices and the maps of an interval.
//
// Of a Gauss point C_0 + C_1 = -[t]x and C_1 = -[t]x S. With Phi = f, y = f . f and sums T of t, X of xi t, B of b t
// and G of g t, each with the same weights, the weighted sum of C_1 is
//   -[X - y G]x - f B^T + (B . f) 1 - (G x f) f^T
// and a load F turns the nodes by C_1^T F = S^T (t x F), S^T = xi - b P + g P^2.
#pragma once

#include "cable/curve/space.h"

#define POINTS RV_GAUSS_POINTS
#define NODE rv_gauss_node
#define WEIGHT rv_gauss_weight

// ---- small matrices -------------------------------------------------------------------------------------------------

static inline rvVec3 back(const rvFour3* a, rvVec3 v) // a^T v of rows
{
    return rvVec(a->x[0] * v.x + a->y[0] * v.y + a->z[0] * v.z, a->x[1] * v.x + a->y[1] * v.y + a->z[1] * v.z,
                 a->x[2] * v.x + a->y[2] * v.y + a->z[2] * v.z);
}

static inline double entry(const rvFour3* a, int r, int c)
{
    return r == 0 ? a->x[c] : r == 1 ? a->y[c] : a->z[c];
}

static inline void add_scaled(rvMat3* sum, double factor, const rvMat3* a)
{
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            sum->m[r][c] += factor * a->m[r][c];
}

static inline double column_dot(const rvMat3* a, int i, const rvMat3* b, int j)
{
    return a->m[0][i] * b->m[0][j] + a->m[1][i] * b->m[1][j] + a->m[2][i] * b->m[2][j];
}

static inline void set_column(rvMat3* a, int c, rvVec3 v)
{
    a->m[0][c] = v.x;
    a->m[1][c] = v.y;
    a->m[2][c] = v.z;
}

static inline rvVec3 axis(int c)
{
    return rvVec(c == 0, c == 1, c == 2);
}

static inline rvVec3 spin_of(const double* v, int node)
{
    const double* w = v + rv_space_spin(node);
    return rvVec(w[0], w[1], w[2]);
}

static inline void add_to(double* sum, double factor, rvVec3 v)
{
    sum[0] += factor * v.x;
    sum[1] += factor * v.y;
    sum[2] += factor * v.z;
}

// (1 - P/2 + e P^2) u, or with the other sign of P its transpose.
static inline rvVec3 times_t(const rvSpacePiece* piece, double sign, rvVec3 u)
{
    rvVec3 once = rvCross(piece->turn, u);
    return rvMulAdd(rvMulAdd(u, -0.5 * sign, once), piece->e, rvCross(piece->turn, once));
}

static inline rvVec3 times(rvVec3 a, rvVec3 b) // each by each
{
    return rvVec(a.x * b.x, a.y * b.y, a.z * b.z);
}

// Of turning, about a node.
static inline double inertia_of(const rvSpace* space, int node)
{
    double sum = 0.0;
    for (int i = node - 1; i <= node; ++i)
        if (i >= 0 && i < space->intervals)
            sum += 0.5 * space->parts[i].length * space->parts[i].inertia;
    return sum;
}

static inline rvVec3 lane(const rvFour3* a, int m)
{
    return rvVec(a->x[m], a->y[m], a->z[m]);
}

// a += factor v in each lane.
static inline void add_lanes(rvFour3* a, const rvFour* factor, rvVec3 v)
{
    for (int m = 0; m < POINTS; ++m) {
        a->x[m] += (*factor)[m] * v.x;
        a->y[m] += (*factor)[m] * v.y;
        a->z[m] += (*factor)[m] * v.z;
    }
}

static inline void scale_lanes(rvFour3* a, const rvFour* factor)
{
    a->x *= *factor;
    a->y *= *factor;
    a->z *= *factor;
}

static inline void dot_lanes(const rvFour3* a, const rvFour3* b, rvFour* product)
{
    *product = a->x * b->x + a->y * b->y + a->z * b->z;
}

// ---- the band -------------------------------------------------------------------------------------------------------

// Second derivatives in the first spin a and the difference u: aa, au, uu.
typedef struct {
    rvMat3 aa, au, uu;
} Curving;

// To the band of the spins of interval i; of aa and uu the lower halves count.
static inline void add_curving_to(const rvSpace* space, const rvSeparable* a, int i, double factor, const Curving* k)
{
    int first = rv_space_slot(space, rv_space_spin(i)), next = rv_space_slot(space, rv_space_spin(i + 1));
    for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) {
            double uu = r >= c ? k->uu.m[r][c] : k->uu.m[c][r];
            *rv_separable_at(a, next + r, first + c) += factor * (k->au.m[c][r] - uu);
            if (r < c)
                continue;
            *rv_separable_at(a, next + r, next + c) += factor * uu;
            *rv_separable_at(a, first + r, first + c) += factor * (k->aa.m[r][c] - k->au.m[r][c] - k->au.m[c][r] + uu);
        }
}
