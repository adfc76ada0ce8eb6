// SPDX-License-Identifier: MIT
#include "solve/separable.h"

#include <math.h>

static size_t band_size(const rvSeparable* a)
{
    return (size_t)a->count * ((size_t)a->width + 1) * sizeof(double);
}

static size_t generator_size(const rvSeparable* a)
{
    return (size_t)a->count * (size_t)a->rank * sizeof(double);
}

bool rv_separable_create(rvSeparable* a, rvMemory* memory, int count, int rank, int width)
{
    *a = (rvSeparable){.count = count, .rank = rank, .width = width};
    a->p = rv_memory_take(memory, generator_size(a));
    a->q = rv_memory_take(memory, generator_size(a));
    a->band = rv_memory_take(memory, band_size(a));
    if (a->p && a->q && a->band)
        return true;
    rv_separable_release(a, memory);
    return false;
}

void rv_separable_release(rvSeparable* a, rvMemory* memory)
{
    rv_memory_give(memory, a->p, generator_size(a));
    rv_memory_give(memory, a->q, generator_size(a));
    rv_memory_give(memory, a->band, band_size(a));
    *a = (rvSeparable){0};
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

// Cholesky of the block on the diagonal, 1/L on its diagonal.
INLINE bool factor_block(double d[B][B])
{
    if (!(d[0][0] > 0.0))
        return false;
    d[0][0] = 1.0 / sqrt(d[0][0]);
    d[1][0] *= d[0][0];
    d[2][0] *= d[0][0];
    d[1][1] -= d[1][0] * d[1][0];
    if (!(d[1][1] > 0.0))
        return false;
    d[1][1] = 1.0 / sqrt(d[1][1]);
    d[2][1] = (d[2][1] - d[2][0] * d[1][0]) * d[1][1];
    d[2][2] -= d[2][0] * d[2][0] + d[2][1] * d[2][1];
    if (!(d[2][2] > 0.0))
        return false;
    d[2][2] = 1.0 / sqrt(d[2][2]);
    return true;
}

// L x = b and L^T x = b of a block, in place.
INLINE void solve_lower(double d[B][B], double x[B])
{
    x[0] *= d[0][0];
    x[1] = (x[1] - d[1][0] * x[0]) * d[1][1];
    x[2] = (x[2] - d[2][0] * x[0] - d[2][1] * x[1]) * d[2][2];
}

INLINE void solve_upper(double d[B][B], double x[B])
{
    x[2] *= d[2][2];
    x[1] = (x[1] - d[2][1] * x[2]) * d[1][1];
    x[0] = (x[0] - d[1][0] * x[1] - d[2][0] * x[2]) * d[0][0];
}

INLINE void read_diagonal(const rvSeparable* a, int j, double d[B][B])
{
    for (int c = 0; c < B; ++c)
        for (int r = c; r < B; ++r)
            d[r][c] = *in_block(a, j, 0, r, c);
}

// The column of block j: W, the block on the diagonal, U in place of P, the block below.
INLINE bool factor_column(rvSeparable* a, int j, double s[B][B], double before[B][B])
{
    double *p = a->p + j * B * B, *q = a->q + j * B * B, d[B][B] = {{0}}, sq[B][B], w[B][B];
    const double* u = j > 0 ? p - B * B : p; // of the block before
    read_diagonal(a, j, d);
    for (int m = 0; m < B; ++m)
        for (int c = 0; c < B; ++c) {
            w[m][c] = sq[m][c] = s[m][0] * q[c * B] + s[m][1] * q[c * B + 1] + s[m][2] * q[c * B + 2];
            if (j > 0)
                w[m][c] += u[m] * before[c][0] + u[B + m] * before[c][1] + u[2 * B + m] * before[c][2];
        }
    for (int r = 0; r < B; ++r)
        for (int c = 0; c <= r; ++c) {
            d[r][c] -= q[r * B] * sq[0][c] + q[r * B + 1] * sq[1][c] + q[r * B + 2] * sq[2][c];
            if (j > 0)
                d[r][c] -= before[r][0] * before[c][0] + before[r][1] * before[c][1] + before[r][2] * before[c][2];
        }
    if (!factor_block(d))
        return false;
    for (int c = 0; c < B; ++c)
        for (int r = c; r < B; ++r)
            *in_block(a, j, 0, r, c) = d[r][c];
    if (j > 0)
        for (int m = 0; m < B; ++m) // from now on it is beyond the band
            for (int n = 0; n < B; ++n)
                s[m][n] += u[m] * u[n] + u[B + m] * u[B + n] + u[2 * B + m] * u[2 * B + n];
    for (int m = 0; m < B; ++m) {
        double x[B] = {p[m] - w[m][0], p[B + m] - w[m][1], p[2 * B + m] - w[m][2]};
        solve_lower(d, x);
        for (int r = 0; r < B; ++r)
            p[r * B + m] = x[r];
    }
    q += B * B;
    for (int r = 0; r < B && B * (j + 1) < a->count; ++r) {
        double x[B];
        for (int c = 0; c < B; ++c)
            x[c] = *in_block(a, j, 1, r, c) - q[r * B] * w[0][c] - q[r * B + 1] * w[1][c] - q[r * B + 2] * w[2][c];
        solve_lower(d, x);
        for (int c = 0; c < B; ++c)
            *in_block(a, j, 1, r, c) = before[r][c] = x[c];
    }
    return true;
}

static bool factor_blocks(rvSeparable* a)
{
    double s[B][B] = {{0}}, before[B][B] = {{0}}; // of u u^T beyond the band; the block left of the diagonal
    for (int j = 0; j < a->count / B; ++j)
        if (!factor_column(a, j, s, before))
            return false;
    return true;
}

static void solve_blocks(const rvSeparable* a, double* x)
{
    int n = a->count / B;
    double d[B][B] = {{0}}, sum[B] = {0}; // of u_k x_k beyond the band
    for (int j = 0; j < n; ++j) {
        const double *q = a->q + j * B * B, *u = a->p + (j > 1 ? j - 2 : 0) * B * B;
        double* y = x + B * j;
        for (int k = 0; k < B && j > 1; ++k)
            for (int m = 0; m < B; ++m)
                sum[m] += u[k * B + m] * y[k - 2 * B];
        for (int r = 0; r < B; ++r) {
            y[r] -= q[r * B] * sum[0] + q[r * B + 1] * sum[1] + q[r * B + 2] * sum[2];
            for (int c = 0; c < B && j > 0; ++c)
                y[r] -= *in_block(a, j - 1, 1, r, c) * y[c - B];
        }
        read_diagonal(a, j, d);
        solve_lower(d, y);
    }
    sum[0] = sum[1] = sum[2] = 0.0; // of q_i x_i beyond the band
    for (int j = n - 1; j >= 0; --j) {
        const double *u = a->p + j * B * B, *q = a->q + (j + 2 < n ? j + 2 : 0) * B * B;
        double* y = x + B * j;
        for (int k = 0; k < B && j + 2 < n; ++k)
            for (int m = 0; m < B; ++m)
                sum[m] += q[k * B + m] * y[2 * B + k];
        for (int r = 0; r < B; ++r) {
            y[r] -= u[r * B] * sum[0] + u[r * B + 1] * sum[1] + u[r * B + 2] * sum[2];
            for (int c = 0; c < B && j + 1 < n; ++c)
                y[r] -= *in_block(a, j, 1, c, r) * y[B + c];
        }
        read_diagonal(a, j, d);
        solve_upper(d, y);
    }
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

void rv_separable_solve(const rvSeparable* a, double* x)
{
    if (a->blocks)
        solve_blocks(a, x);
    else if (a->rank == 2 && a->width == 1)
        solve(a, x, 2, 1);
    else if (a->rank == 2 && a->width == 3)
        solve(a, x, 2, 3);
    else
        solve(a, x, a->rank, a->width);
}
