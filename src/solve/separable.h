// SPDX-License-Identifier: MIT
// Symmetric positive definite matrices that are separable away from a band: the mass matrix of a curve whose shape is
// an integral along it. Factor and solve cost as much as for a band.
//
//   A_ij = p_j . q_i   for i > j + b      (p, q: `rank` numbers for each unknown)
//   A_ij = band        for j <= i <= j + b
//
// Cholesky keeps the form, L_ij = u_j . q_i beyond the band. With S the sum of u u^T over all k < j - b,
//   L_ij = (A_ij - q_i.S q_j - sum over the b columns before j of L_ik L_jk)/L_jj
//   u_j  = (p_j - S q_j - sum over the b columns before j of L_jk u_k)/L_jj
//
// Where unknowns come in blocks of three, the rank is 3 and only neighbouring blocks are in the band (`blocks`: what of
// a band of width 5 lies beyond them is p . q as well), the same by blocks, with W = S Q_j^T + U_j-1^T L_j,j-1^T:
//   L_jj L_jj^T = A_jj - Q_j S Q_j^T - L_j,j-1 L_j,j-1^T,  U_j = L_jj^-1 (P_j - W^T)
//   L_j+1,j L_jj^T = A_j+1,j - Q_j+1 W
// but as L D L^T with L of unit diagonal, without roots: U keeps its factor D^-1, and 1/D is on the diagonal.
#pragma once

#include "base/memory.h"

#define RV_SEPARABLE_MOST_RANK 3
#define RV_SEPARABLE_MOST_BAND 11

// Four right sides at a time, one a lane: a solve waits for itself, so four take little longer than one.
typedef double rvSeparableFour __attribute__((vector_size(32), aligned(8), may_alias));

typedef struct {
    int count, rank, width; // unknowns, of the generators, of the band beside the diagonal
    bool blocks;            // of three; set after creation
    const int* order; // which number of a right side each unknown is, of whoever sets it; NULL: the same. Not of blocks
    double* p;        // count x rank; the factor puts u here
    double* q;        // count x rank
    double* band; // count x (width + 1): band[j (width + 1) + d] = A_j+d,j; the factor puts L here, 1/L on the diagonal
    rvSeparableFour* fours; // scratch of a solve
} rvSeparable;

bool rv_separable_create(rvSeparable* a, rvMemory* memory, int count, int rank, int width);
void rv_separable_release(rvSeparable* a, rvMemory* memory);

static inline double* rv_separable_at(const rvSeparable* a, int i, int j)
{
    return a->band + (size_t)j * ((size_t)a->width + 1) + (size_t)(i - j); // j <= i <= j + width
}

void rv_separable_copy(const rvSeparable* from, rvSeparable* to); // of the same shape

// In place. False: not positive definite.
bool rv_separable_factor(rvSeparable* a);
// In place: how many eigenvalues are negative (Sylvester: as many as pivots). The factor L S L^T, S of signs, is spent.
int rv_separable_negative(rvSeparable* a);
// x: the right side, then the solution.
void rv_separable_solve(const rvSeparable* a, double* x);
// The same for several right sides, one behind another.
void rv_separable_solve_many(const rvSeparable* a, double* x, int columns);
