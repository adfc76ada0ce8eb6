// SPDX-License-Identifier: MIT
// The solver's workspace, and S of an island in its two forms: as panels to factor, and matrix-free through the bodies.
#pragma once

#include "solve/factor.h"

#include <math.h>

// Leaning sums: up to so many by a dense system, more by a Krylov method of so many directions (modes.c).
enum { RV_LEAN_DENSE = 16, RV_LEAN_DIRECTIONS = 40 };

#define RV_PIVOT_NOISE 1e-11      // of S_ii: a pivot below it is round-off (system.c)
#define RV_INVERSE_OF_BOUNDED 1e9 // over S_ii: what then stands for the inverse of a row with bounds
#define RV_REFINE_ABOVE 1e-9      // residual of free rows over the island's speed
#define RV_TIE 1e-12              // relative: as near to a bound a row stays as it is

struct rvSolver {
    rvStructure structure;
    int rowCapacity, entryCapacity, leanCapacity;
    // of the step
    rvRows* rows;
    rvSolveBodies* bodies;
    int pivots;
    // of the island at hand
    double* matrix; // S, kept apart from the factor
    rvFactor factor;
    bool factored;     // the factor is that of `masked`
    bool bounded;      // some row has a bound
    bool leaning;      // some bound leans
    bool inside;       // some group has rows inside
    bool inexact;      //   whose solves leave something
    double soft;       //   of which those with leaning bounds yield by so much of their S_ii
    double speed;      // largest |bias - J v|: the scale of residuals
    double left;       // residual that round-off left on free rows in the last solve
    double* weighted;  // M^-1 J^T, laid out as the entries
    double (*push)[6]; // by body: M^-1 J^T x
    // by row
    double *x, *right, *residual, *diagonal, *inverseDiagonal, *work, *value, *leanAt;
    double *priceLower, *priceUpper, *shift; // of the interior way
    double* part;                            // x of the rows that take part in a product
    int8_t *masked, *mode, *wanted;
    int* sourceOf;
    // by leaning sum
    int* sources;
    double *lean, *leanMatrix;
    // of four right sides (four.c): x and what is solved, by row; scratch; push, six a body
    rvFour *four, *fourWork, *fourTile, *fourPush;
    // scratch: where the block of a column begins in the panel at hand
    ptrdiff_t* blockAt;
    void* block; // all of the above
    size_t blockSize;
    size_t factorBytes; // as reserved
};

// Two halves are summed apart: the order that two-wide arithmetic gives, written out so that it holds everywhere.
static inline __attribute__((always_inline)) double rv_dot6(const double* a, const double* b)
{
    rvPair s = *(const rvPair*)a * *(const rvPair*)b + *(const rvPair*)(a + 2) * *(const rvPair*)(b + 2) +
               *(const rvPair*)(a + 4) * *(const rvPair*)(b + 4);
    return s[0] + s[1];
}

static inline __attribute__((always_inline)) void rv_add6(double* out, const double* a, double factor)
{
    rvPair f = {factor, factor};
    *(rvPair*)out += *(const rvPair*)a * f;
    *(rvPair*)(out + 2) += *(const rvPair*)(a + 2) * f;
    *(rvPair*)(out + 4) += *(const rvPair*)(a + 4) * f;
}

// w = M^-1 j of one row.
static inline __attribute__((always_inline)) void rv_weigh(const double* restrict j, const double* restrict m,
                                                           double* restrict w)
{
    w[0] = m[0] * j[0];
    w[1] = m[0] * j[1];
    w[2] = m[0] * j[2];
    w[3] = m[1] * j[3] + m[2] * j[4] + m[3] * j[5];
    w[4] = m[2] * j[3] + m[4] * j[4] + m[5] * j[5];
    w[5] = m[3] * j[3] + m[5] * j[4] + m[6] * j[5];
}

// M^-1 J^T, the diagonal of S and right = bias - J v; with `matrix` also S.
void rv_system_assemble(rvSolver* solver, const rvIsland* island, bool matrix);

// The inverse of the diagonal, and of the pivots that redundant rows get: what only bounds and sweeps ask for.
void rv_system_invert_diagonal(rvSolver* solver, const rvIsland* island);

// push = M^-1 J^T x over the rows with masked[row] in `modes` (bit 1: free rows, bit 2: rows at a bound).
enum { RV_PUSH_FREE = 1, RV_PUSH_BOUND = 2, RV_PUSH_ALL = 3 };
void rv_system_push(rvSolver* solver, const rvIsland* island, const double* x, int which);

// out = J push + C x over the same rows.
void rv_system_apply(rvSolver* solver, const rvIsland* island, const double* x, int which, double* out);

// push and residual = S x - right for all rows. Answers the largest residual of a row that is not masked.
double rv_system_residual(rvSolver* solver, const rvIsland* island);

// Velocities += push, once for each body of the island.
void rv_system_move(rvSolver* solver, const rvIsland* island);

// Factors S with the rows of `masked` taken out; nothing to do when the factor is that already.
void rv_system_factor(rvSolver* solver, const rvIsland* island);

// x <- S^-1 x by that factor, rows inside with it; 0 on masked rows.
void rv_system_solve(rvSolver* solver, const rvIsland* island, double* x);

// The same factor with shift[row] on the diagonal, of an island without rows inside; the factor is of no use to others.
void rv_system_factor_shifted(rvSolver* solver, const rvIsland* island);

// Contacts along a rope of finite elements: many rows, each with each.
static inline bool rv_has_large_block(const rvRows* rows, const rvColumn* c)
{
    return c->rowCount > RV_WIDE && (rows->groups[c->group].block || rows->groups[c->group].inside);
}

// The sum that the bounds of a row lean on; x of its group.
static inline double rv_row_lean(const rvRow* row, const double* x)
{
    double sum = 0.0;
    for (int i = row->leanFirst; i < row->leanFirst + row->leanCount; ++i)
        sum += x[i];
    if (row->leanExtraWeight != 0.0)
        sum += row->leanExtraWeight * x[row->leanExtra];
    return sum;
}

static inline bool rv_row_leans(const rvRow* row)
{
    return (row->leanCount > 0 || row->leanExtraWeight != 0.0) && (row->leanLower != 0.0 || row->leanUpper != 0.0);
}

static inline bool rv_row_is_bounded(const rvRow* row)
{
    return row->lower > -HUGE_VAL || row->upper < HUGE_VAL;
}

typedef struct {
    double lower, upper;
} rvBounds;

// Bounds at a leaning sum. Where they cross (a sum of the wrong sign on the way to the solution) both are their mean.
static inline rvBounds rv_row_bounds(const rvRow* row, double sum)
{
    rvBounds b = {row->lower, row->upper};
    if (row->leanLower != 0.0 && b.lower > -HUGE_VAL)
        b.lower += row->leanLower * sum;
    if (row->leanUpper != 0.0 && b.upper < HUGE_VAL)
        b.upper += row->leanUpper * sum;
    if (b.lower > b.upper)
        b.lower = b.upper = 0.5 * (b.lower + b.upper);
    return b;
}

// Where a row should stand. Within the tie of a bound it may stay free or at that bound.
static inline int8_t rv_wanted_mode(double x, double residual, double inverseDiagonal, double speed, int8_t mode,
                                    rvBounds b)
{
    double t = x - residual * inverseDiagonal;
    double slack = RV_TIE * (fabs(x) + speed * inverseDiagonal);
    if (t < b.lower - slack)
        return RV_ROW_LOWER;
    if (t > b.upper + slack)
        return RV_ROW_UPPER;
    if (mode == RV_ROW_LOWER && t > b.lower + slack)
        return RV_ROW_FREE;
    if (mode == RV_ROW_UPPER && t < b.upper - slack)
        return RV_ROW_FREE;
    return mode;
}

// Violation of the conditions in row.h, in velocity units: |r|, with bounds S_ii |x - clamp(x - r/S_ii, lower, upper)|.
static inline double rv_row_violation(const rvRow* row, double x, double residual, double diagonal,
                                      double inverseDiagonal, rvBounds b)
{
    if (!rv_row_is_bounded(row))
        return fabs(residual);
    double to = x - residual * inverseDiagonal;
    to = to < b.lower ? b.lower : to > b.upper ? b.upper : to;
    return diagonal * fabs(x - to);
}

// The largest of all rows.
double rv_system_violation(const rvSolver* solver, const rvIsland* island, int* worstGroup);

// x_F = S_FF^-1 (right - S_FU x_U) for the four lanes of `four`, which hold x_U and get x_F; only the lane `withRight`
// (or none: -1) has a right side. The factor is that of `masked` (four.c).
void rv_four_solve_free(rvSolver* solver, const rvIsland* island, int withRight);

// The solution for given modes (modes.c): x, push and residual; *precision is that of the leaning sums, the finest
// where they are few. False: they have no solution.
bool rv_modes_solve(rvSolver* solver, const rvIsland* island, bool frozen, double* precision);
double rv_modes_finest(const rvSolver* solver);
// Solves once more for what round-off left on the free rows; answers the residual then.
double rv_modes_refine(rvSolver* solver, const rvIsland* island);

// Bounds by pivoting (bounds.c): brings x, mode, push and residual to the solution. False: not settled.
bool rv_bounds_solve(rvSolver* solver, const rvIsland* island);

// All of an island of one row (lone.c): impulse and mode of the row, velocities, violation. False: nothing was changed,
// it is for the general way.
bool rv_lone_solve(rvSolver* solver, const rvColumn* column, double* violation);

// Projected Gauss-Seidel sweeps over x, matrix-free (sweep.c).
void rv_sweep(rvSolver* solver, const rvIsland* island, int sweepCount);
