// SPDX-License-Identifier: MIT
// What the files of the curve in space share: small matrices and the maps of an interval.
#pragma once

#include "cable/curve/space.h"

#define POINTS RV_GAUSS_POINTS
#define NODE rv_gauss_node
#define WEIGHT rv_gauss_weight

// ---- small matrices -------------------------------------------------------------------------------------------------

static inline rvVec3 back(const rvMat3* a, rvVec3 v) // a^T v
{
    return rvVec(a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                 a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                 a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z);
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
