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

bool rv_separable_factor(rvSeparable* a)
{
    return a->rank == 2 && a->width == 1   ? factor(a, 2, 1, NULL)
           : a->rank == 2 && a->width == 3 ? factor(a, 2, 3, NULL)
           : a->rank == 3 && a->width == 5 ? factor(a, 3, 5, NULL)
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
    if (a->rank == 2 && a->width == 1)
        solve(a, x, 2, 1);
    else if (a->rank == 2 && a->width == 3)
        solve(a, x, 2, 3);
    else if (a->rank == 3 && a->width == 5)
        solve(a, x, 3, 5);
    else
        solve(a, x, a->rank, a->width);
}
