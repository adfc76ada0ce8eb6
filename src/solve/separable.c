// SPDX-License-Identifier: MIT
#include "solve/separable.h"

#include "solve/lanes.h"

#include <math.h>
#include <string.h>

static size_t band_size(const rvSeparable* a)
{
    return (size_t)a->count * ((size_t)a->width + 1) * sizeof(double);
}

static size_t generator_size(const rvSeparable* a)
{
    return (size_t)a->count * (size_t)a->rank * sizeof(double);
}

static size_t four_size(const rvSeparable* a)
{
    return (size_t)a->count * sizeof(rvSeparableFour);
}

bool rv_separable_create(rvSeparable* a, rvMemory* memory, int count, int rank, int width)
{
    *a = (rvSeparable){.count = count, .rank = rank, .width = width};
    a->p = rv_memory_take(memory, generator_size(a));
    a->q = rv_memory_take(memory, generator_size(a));
    a->band = rv_memory_take(memory, band_size(a));
    a->fours = rv_memory_take(memory, four_size(a));
    if (a->p && a->q && a->band && a->fours)
        return true;
    rv_separable_release(a, memory);
    return false;
}

void rv_separable_release(rvSeparable* a, rvMemory* memory)
{
    rv_memory_give(memory, a->p, generator_size(a));
    rv_memory_give(memory, a->q, generator_size(a));
    rv_memory_give(memory, a->band, band_size(a));
    rv_memory_give(memory, a->fours, four_size(a));
    *a = (rvSeparable){0};
}

void rv_separable_copy(const rvSeparable* from, rvSeparable* to)
{
    memcpy(to->p, from->p, generator_size(from));
    memcpy(to->q, from->q, generator_size(from));
    memcpy(to->band, from->band, band_size(from));
}

// The loops below are compiled for each shape that is used: with the sizes known they unroll.
#define INLINE static inline __attribute__((always_inline))

INLINE double* at(const rvSeparable* a, int width, int i, int j)
{
    return a->band + (size_t)j * ((size_t)width + 1) + (size_t)(i - j);
}

INLINE double dot(const double* a, const double* b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
}

#define SIGNED(k, x) (negative ? signs[(k) % (width + 1)] * (x) : (x))

// Cholesky; with `negative` instead L S L^T with signs S, which are counted.
INLINE bool factor(rvSeparable* a, int rank, int width, int* negative)
{
    int n = a->count;
    double signs[RV_SEPARABLE_MOST_BAND + 1]; // of the last columns
    if (negative)
        *negative = 0;
    double s[RV_SEPARABLE_MOST_RANK * RV_SEPARABLE_MOST_RANK] = {0};
    for (int j = 0; j < n; ++j) {
        const double* qj = a->q + j * rank;
        int first = j > width ? j - width : 0; // the columns before `first` are in s
        if (first > 0) {
            const double* u = a->p + (first - 1) * rank;
            for (int c = 0; c < rank; ++c)
                for (int d = 0; d < rank; ++d)
                    s[c * rank + d] += SIGNED(first - 1, u[c]) * u[d];
        }
        double sq[RV_SEPARABLE_MOST_RANK];
        for (int c = 0; c < rank; ++c)
            sq[c] = dot(s + c * rank, qj, rank);
        double* pj = a->p + j * rank;
        for (int c = 0; c < rank; ++c) {
            pj[c] -= sq[c];
            for (int k = first; k < j; ++k)
                pj[c] -= SIGNED(k, *at(a, width, j, k)) * a->p[k * rank + c];
        }
        int last = j + width < n ? j + width : n - 1;
        for (int i = j; i <= last; ++i) {
            const double* qi = a->q + i * rank;
            double sum = *at(a, width, i, j) - dot(qi, sq, rank);
            for (int k = first; k < j; ++k)
                sum -= SIGNED(k, *at(a, width, j, k)) *
                       (i <= k + width ? *at(a, width, i, k) : dot(qi, a->p + k * rank, rank));
            *at(a, width, i, j) = sum;
        }
        double diagonal = *at(a, width, j, j);
        if (negative) {
            double sign = diagonal < 0.0 ? -1.0 : 1.0;
            signs[j % (width + 1)] = sign;
            *negative += diagonal < 0.0;
            diagonal = fmax(fabs(diagonal), 1e-300); // a pivot of nothing counts as positive
        }
        if (!(diagonal > 0.0))
            return false;
        double root = sqrt(diagonal), inverse = 1.0 / root;
        if (negative)
            inverse *= signs[j % (width + 1)];
        *at(a, width, j, j) = 1.0 / root;
        for (int i = j + 1; i <= last; ++i)
            *at(a, width, i, j) *= inverse;
        for (int c = 0; c < rank; ++c)
            pj[c] *= inverse;
    }
    return true;
}
#undef SIGNED

// ---- blocks of three ------------------------------------------------------------------------------------------------

enum { B = 3, WIDE = 6 }; // columns of the band's storage

// Entry r, c of the block below (below 1) or on (0) the diagonal at block j.
INLINE double* in_block(const rvSeparable* a, int j, int below, int r, int c)
{
    return a->band + (size_t)(B * j + c) * WIDE + (size_t)(B * below + r - c);
}

// L D L^T of the block on the diagonal, L of unit diagonal below it, 1/D on it: no roots, which one block would wait
// for.
INLINE bool factor_block(double d[B][B])
{
    if (!(d[0][0] > 0.0))
        return false;
    double i0 = 1.0 / d[0][0], l10 = d[1][0] * i0, l20 = d[2][0] * i0;
    double d11 = d[1][1] - l10 * d[1][0], b21 = d[2][1] - l20 * d[1][0];
    if (!(d11 > 0.0))
        return false;
    double i1 = 1.0 / d11, l21 = b21 * i1, d22 = d[2][2] - l20 * d[2][0] - l21 * b21;
    if (!(d22 > 0.0))
        return false;
    d[0][0] = i0;
    d[1][0] = l10;
    d[2][0] = l20;
    d[1][1] = i1;
    d[2][1] = l21;
    d[2][2] = 1.0 / d22;
    return true;
}

// L x = b of a block, in place.
INLINE void solve_lower(double d[B][B], double x[B])
{
    x[1] -= d[1][0] * x[0];
    x[2] -= d[2][0] * x[0] + d[2][1] * x[1];
}

INLINE void read_diagonal(const rvSeparable* a, int j, double d[B][B])
{
    for (int c = 0; c < B; ++c)
        for (int r = c; r < B; ++r)
            d[r][c] = *in_block(a, j, 0, r, c);
}

// What the next block needs of this one: S, and of the block before it U and of the block left of the diagonal L and L
// D.
typedef struct {
    double s[B][B], u[B][B], left[B][B], leftD[B][B];
} Chain;

// W = S Q_j^T + U_j-1^T L_j,j-1^T, and the block on the diagonal less what is before it.
INLINE void reduce(Chain* chain, const double* q, int j, double d[B][B], double w[B][B])
{
    for (int m = 0; m < B; ++m)
        for (int c = 0; c < B; ++c)
            w[m][c] = chain->s[m][0] * q[c * B] + chain->s[m][1] * q[c * B + 1] + chain->s[m][2] * q[c * B + 2];
    for (int r = 0; r < B; ++r)
        for (int c = 0; c <= r; ++c)
            d[r][c] -= q[r * B] * w[0][c] + q[r * B + 1] * w[1][c] + q[r * B + 2] * w[2][c];
    if (j == 0)
        return;
    for (int r = 0; r < B; ++r)
        for (int c = 0; c <= r; ++c)
            d[r][c] -= chain->leftD[r][0] * chain->left[c][0] + chain->leftD[r][1] * chain->left[c][1] +
                       chain->leftD[r][2] * chain->left[c][2];
    for (int m = 0; m < B; ++m)
        for (int c = 0; c < B; ++c)
            w[m][c] += chain->u[0][m] * chain->left[c][0] + chain->u[1][m] * chain->left[c][1] +
                       chain->u[2][m] * chain->left[c][2];
}

// The column of block j: W, the block on the diagonal, D^-1 U in place of P, the block below.
INLINE bool factor_column(rvSeparable* a, int j, Chain* chain)
{
    double *p = a->p + j * B * B, *q = a->q + j * B * B, d[B][B] = {{0}}, w[B][B];
    const double* last = j > 0 ? p - B * B : p; // D^-1 U of the block before
    read_diagonal(a, j, d);
    reduce(chain, q, j, d, w);
    if (!factor_block(d))
        return false;
    for (int c = 0; c < B; ++c)
        for (int r = c; r < B; ++r)
            *in_block(a, j, 0, r, c) = d[r][c];
    for (int m = 0; m < B && j > 0; ++m) // from now on it is beyond the band
        for (int n = 0; n < B; ++n)
            chain->s[m][n] +=
                chain->u[0][m] * last[n] + chain->u[1][m] * last[B + n] + chain->u[2][m] * last[2 * B + n];
    for (int m = 0; m < B; ++m) {
        double x[B] = {p[m] - w[m][0], p[B + m] - w[m][1], p[2 * B + m] - w[m][2]};
        solve_lower(d, x);
        for (int r = 0; r < B; ++r) {
            chain->u[r][m] = x[r];
            p[r * B + m] = x[r] * d[r][r];
        }
    }
    q += B * B;
    for (int r = 0; r < B && B * (j + 1) < a->count; ++r) {
        double x[B];
        for (int c = 0; c < B; ++c)
            x[c] = *in_block(a, j, 1, r, c) - q[r * B] * w[0][c] - q[r * B + 1] * w[1][c] - q[r * B + 2] * w[2][c];
        solve_lower(d, x);
        for (int c = 0; c < B; ++c) {
            chain->leftD[r][c] = x[c];
            *in_block(a, j, 1, r, c) = chain->left[r][c] = x[c] * d[c][c];
        }
    }
    return true;
}

static bool factor_blocks(rvSeparable* a)
{
    Chain chain = {0};
    for (int j = 0; j < a->count / B; ++j)
        if (!factor_column(a, j, &chain))
            return false;
    return true;
}

typedef rvSeparableFour Four;

RV_KERNEL void solve_blocks(const rvSeparable* a, Four* x)
{
    int n = a->count / B;
    Four s0 = {0}, s1 = {0}, s2 = {0}; // of D^-1 U y beyond the band
    for (int j = 0; j < n; ++j) {
        const double *q = a->q + j * B * B, *u = a->p + (j > 1 ? j - 2 : 0) * B * B,
                     *d = a->band + (size_t)(B * j) * WIDE;
        const double* l = d - B * WIDE; // of the block before
        Four *y = x + B * j, y0 = y[0], y1 = y[1], y2 = y[2];
        for (int k = 0; k < B && j > 1; ++k) {
            Four far = y[k - 2 * B];
            s0 += u[k * B] * far;
            s1 += u[k * B + 1] * far;
            s2 += u[k * B + 2] * far;
        }
        y0 -= q[0] * s0 + q[1] * s1 + q[2] * s2;
        y1 -= q[3] * s0 + q[4] * s1 + q[5] * s2;
        y2 -= q[6] * s0 + q[7] * s1 + q[8] * s2;
        for (int c = 0; c < B && j > 0; ++c) {
            Four left = y[c - B];
            y0 -= l[c * WIDE + B - c] * left;
            y1 -= l[c * WIDE + B + 1 - c] * left;
            y2 -= l[c * WIDE + B + 2 - c] * left;
        }
        y1 -= d[1] * y0;
        y2 -= d[2] * y0 + d[WIDE + 1] * y1;
        y[0] = y0;
        y[1] = y1;
        y[2] = y2;
    }
    s0 = s1 = s2 = (Four){0}; // of q x beyond the band
    for (int j = n - 1; j >= 0; --j) {
        const double *u = a->p + j * B * B, *q = a->q + (j + 2 < n ? j + 2 : 0) * B * B,
                     *d = a->band + (size_t)(B * j) * WIDE;
        Four *y = x + B * j, y0 = d[0] * y[0], y1 = d[WIDE] * y[1], y2 = d[2 * WIDE] * y[2];
        for (int k = 0; k < B && j + 2 < n; ++k) {
            Four far = y[2 * B + k];
            s0 += q[k * B] * far;
            s1 += q[k * B + 1] * far;
            s2 += q[k * B + 2] * far;
        }
        y0 -= u[0] * s0 + u[1] * s1 + u[2] * s2;
        y1 -= u[3] * s0 + u[4] * s1 + u[5] * s2;
        y2 -= u[6] * s0 + u[7] * s1 + u[8] * s2;
        for (int r = 0; r < B && j + 1 < n; ++r) {
            Four below = y[B + r];
            y0 -= d[B + r] * below;
            y1 -= d[WIDE + B + r - 1] * below;
            y2 -= d[2 * WIDE + B + r - 2] * below;
        }
        y1 -= d[WIDE + 1] * y2;
        y0 -= d[1] * y1 + d[2] * y2;
        y[0] = y0;
        y[1] = y1;
        y[2] = y2;
    }
}

// Several right sides, one behind another, four at a time.
RV_KERNEL void solve_sides(const rvSeparable* a, double* x, int columns)
{
    int n = a->count;
    for (int k = 0; k < columns; k += 4) {
        double* side[4]; // what is missing of four is solved for twice
        for (int c = 0; c < 4; ++c)
            side[c] = x + (size_t)(k + c < columns ? k + c : k) * (size_t)n;
        for (int i = 0; i < n; ++i)
            a->fours[i] = (Four){side[0][i], side[1][i], side[2][i], side[3][i]};
        solve_blocks(a, a->fours);
        for (int c = 0; c < 4; ++c)
            for (int i = 0; i < n; ++i)
                side[c][i] = a->fours[i][c];
    }
}

RV_WITH_AVX static void solve_sides_avx(const rvSeparable* a, double* x, int columns)
{
    solve_sides(a, x, columns);
}

static void solve_sides_any(const rvSeparable* a, double* x, int columns)
{
    solve_sides(a, x, columns);
}

bool rv_separable_factor(rvSeparable* a)
{
    if (a->blocks)
        return factor_blocks(a);
    return a->rank == 2 && a->width == 1   ? factor(a, 2, 1, NULL)
           : a->rank == 2 && a->width == 3 ? factor(a, 2, 3, NULL)
                                           : factor(a, a->rank, a->width, NULL);
}

int rv_separable_negative(rvSeparable* a)
{
    int negative;
    factor(a, a->rank, a->width, &negative);
    return negative;
}

// x_i less what the `reach` rows before it take; those after it.
INLINE double less_before(const rvSeparable* a, const double* x, double y, int i, int reach, int width)
{
    for (int d = reach; d > 0; --d)
        y -= *at(a, width, i, i - d) * x[i - d];
    return y;
}

INLINE double less_after(const rvSeparable* a, const double* x, double y, int j, int reach, int width)
{
    for (int d = reach; d > 0; --d)
        y -= *at(a, width, j + d, j) * x[j + d];
    return y;
}

INLINE void solve(const rvSeparable* a, double* x, int rank, int width)
{
    int n = a->count;
    double sum[RV_SEPARABLE_MOST_RANK] = {0}; // of u_k x_k beyond the band
    for (int i = 0; i < n; ++i) {
        int first = i - width;
        for (int c = 0; c < rank && first > 0; ++c)
            sum[c] += a->p[(first - 1) * rank + c] * x[first - 1];
        double y = x[i] - dot(a->q + i * rank, sum, rank);
        // with the width known the loop unrolls
        y = first >= 0 ? less_before(a, x, y, i, width, width) : less_before(a, x, y, i, i, width);
        x[i] = y * *at(a, width, i, i);
    }
    for (int c = 0; c < rank; ++c)
        sum[c] = 0.0; // of q_i x_i beyond the band
    for (int j = n - 1; j >= 0; --j) {
        int beyond = j + width + 1;
        for (int c = 0; c < rank && beyond < n; ++c)
            sum[c] += a->q[beyond * rank + c] * x[beyond];
        double y = x[j] - dot(a->p + j * rank, sum, rank);
        y = beyond <= n ? less_after(a, x, y, j, width, width) : less_after(a, x, y, j, n - 1 - j, width);
        x[j] = y * *at(a, width, j, j);
    }
}

// In the order of the unknowns, and back.
static void solve_ordered(const rvSeparable* a, double* x)
{
    double* y = (double*)a->fours;
    for (int i = 0; i < a->count; ++i)
        y[i] = x[a->order[i]];
    solve(a, y, a->rank, a->width);
    for (int i = 0; i < a->count; ++i)
        x[a->order[i]] = y[i];
}

static void solve_one(const rvSeparable* a, double* x)
{
    if (a->order)
        solve_ordered(a, x);
    else if (a->rank == 2 && a->width == 1)
        solve(a, x, 2, 1);
    else if (a->rank == 2 && a->width == 3)
        solve(a, x, 2, 3);
    else
        solve(a, x, a->rank, a->width);
}

void rv_separable_solve(const rvSeparable* a, double* x)
{
    rv_separable_solve_many(a, x, 1);
}

void rv_separable_solve_many(const rvSeparable* a, double* x, int columns)
{
    if (a->blocks) {
        (RV_HAS_AVX ? solve_sides_avx : solve_sides_any)(a, x, columns);
        return;
    }
    for (int k = 0; k < columns; ++k)
        solve_one(a, x + (size_t)k * (size_t)a->count);
}
