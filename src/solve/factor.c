// SPDX-License-Identifier: MIT
// Block LDL^T, right-looking, one block column a group.
//
// Own block of column c:  A = L D L^T, L unit lower. Blocks below keep  Y = A_below L^-T  (that is L_below D), so that
//   the update of later columns is   A_ik -= Y_i D^-1 Y_k^T
//   forward   z = L^-1 b,  b_i -= Y_i D^-1 z;      backward   x = L^-T D^-1 (z - sum Y_i^T x_i).
//
// A pivot that is (relatively) zero belongs to a row that earlier rows already hold. Its inverse is replaced: by 0,
// which drops the row (its impulse is 0), or by a large number, which lets bounds decide who carries (see system.c).
// An infinite diagonal takes a row out in the same way: that is how rows at a bound are kept in place.
//
// Kernels are one inlined text for all widths; widths 1, 3 and 6 are compiled on their own. Sums run in the
// order written, so every compiler gives the same bits.
#include "solve/factor.h"

#include "solve/dense.h"

#include <math.h>

enum { LONG = 48 }; // rows that only ropes of finite elements have

// A long sum in eight parts, which do not wait for each other.
static double dot_long(const double* a, const double* b, int n)
{
    rvFour one = {0.0}, two = {0.0};
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        one += *(const rvFour*)(a + i) * *(const rvFour*)(b + i);
        two += *(const rvFour*)(a + i + 4) * *(const rvFour*)(b + i + 4);
    }
    one += two;
    double sum = (one[0] + one[1]) + (one[2] + one[3]);
    for (; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

RV_KERNEL double dot(const double* a, const double* b, int n)
{
    if (n > LONG)
        return dot_long(a, b, n);
    double sum = a[0] * b[0];
    for (int i = 1; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

RV_KERNEL void factor_own(double* a, int n, double* inverse, const double* floor, const double* instead)
{
    for (int j = 0; j < n; ++j) {
        double pivot = a[j * n + j];
        double inv = pivot > floor[j] ? 1.0 / pivot : instead[j];
        inverse[j] = inv;
        for (int i = j + 1; i < n; ++i) {
            double y = a[i * n + j];
            double l = y * inv;
            // the rows above i hold their l in column j already
            for (int k = j + 1; k < i; ++k)
                a[i * n + k] -= y * a[k * n + j];
            a[i * n + i] -= y * l;
            a[i * n + j] = l;
        }
    }
}

enum { TOGETHER = 4 }; // pivots of a wide block

// So many pivots from j on, and their columns below: L^T goes above the diagonal, what stands below it stays without
// 1/D.
RV_KERNEL void pivot_some(double* a, int n, int j, int count, double* inverse, const double* floor,
                          const double* instead)
{
    for (int p = j; p < j + count; ++p) {
        double pivot = a[p * n + p];
        double inv = pivot > floor[p] ? 1.0 / pivot : instead[p], *l = a + p * n;
        inverse[p] = inv;
        for (int i = p + 1; i < n; ++i) {
            double y = a[i * n + p];
            l[i] = y * inv;
            for (int k = p + 1; k < j + count && k <= i; ++k)
                a[i * n + k] -= y * l[k];
        }
    }
}

// z -= what the pivots l (n apart) take by the factors y, one after the other as if each were done alone
RV_KERNEL void take_some(double* restrict z, const double* restrict l, const double* restrict y, int n, int count)
{
    int k = 0;
    for (; k + 4 <= count; k += 4) {
        rvFour sum = *(rvFour*)(z + k);
        for (int p = 0; p < TOGETHER; ++p)
            sum -= *(const rvFour*)(l + p * n + k) * y[p];
        *(rvFour*)(z + k) = sum;
    }
    for (; k < count; ++k)
        for (int p = 0; p < TOGETHER; ++p)
            z[k] -= l[p * n + k] * y[p];
}

// The same for many rows, L^T above the diagonal as well: then every loop goes along rows, four numbers at a time and
// four pivots in one walk.
RV_KERNEL void factor_wide(double* a, int n, double* inverse, const double* floor, const double* instead)
{
    for (int j = 0; j < n; j += TOGETHER) {
        int count = n - j < TOGETHER ? n - j : TOGETHER, next = j + count;
        pivot_some(a, n, j, count, inverse, floor, instead);
        for (int i = next; i < n; ++i) {
            const double y[TOGETHER] = {a[i * n + j], a[i * n + j + 1], a[i * n + j + 2], a[i * n + j + 3]};
            take_some(a + i * n + next, a + j * n + next, y, n, i - next + 1);
        }
        for (int i = j + 1; i < n; ++i)
            for (int p = j; p < next && p < i; ++p)
                a[i * n + p] = a[p * n + i];
    }
}

RV_WITH_AVX static void factor_wide_avx(double* a, int n, double* inverse, const double* floor, const double* instead)
{
    factor_wide(a, n, inverse, floor, instead);
}

static void factor_any(double* a, int n, double* inverse, const double* floor, const double* instead)
{
    if (RV_HAS_AVX)
        factor_wide_avx(a, n, inverse, floor, instead);
    else
        factor_wide(a, n, inverse, floor, instead);
}

void rv_dense_factor(double* a, int n, double roundOff)
{
    if (n == 0) // there may be no matrix then
        return;
    double *inverse = a + n * n, *floor = inverse + n, *instead = floor + n;
    for (int i = 0; i < n; ++i) {
        floor[i] = roundOff * a[i * n + i];
        instead[i] = 0.0;
    }
    factor_any(a, n, inverse, floor, instead);
}

void rv_dense_solve(const double* a, int n, double* x)
{
    const double* inverse = a + n * n;
    for (int k = 0; k < n; ++k)
        rv_add_scaled(x + k + 1, a + k * n + k + 1, -x[k], n - 1 - k);
    for (int j = 0; j < n; ++j)
        x[j] *= inverse[j];
    for (int j = n - 1; j > 0; --j)
        rv_add_scaled(x, a + j * n, -x[j], j);
}

// Lists the rows of a wide column that are not taken out (their diagonal is finite) and draws the block together to
// them; answers how many there are.
static int draw_together(double* a, int n, int* live)
{
    int m = 0;
    for (int i = 0; i < n; ++i)
        if (a[i * n + i] < HUGE_VAL)
            live[m++] = i;
    if (m == n)
        return m;
    live[m] = -1;
    for (int i = 0; i < m; ++i) // each number goes to where only those were that have gone already
        for (int j = 0; j <= i; ++j)
            a[i * m + j] = a[live[i] * n + live[j]];
    return m;
}

// The same of pivots and their floors, for the factor.
static void factor_live(double* own, int n, const rvColumn* c, rvFactor* factor)
{
    int* live = factor->live + c->firstRow;
    double *inverse = factor->inversePivot + c->firstRow, *some = factor->tile, *floor = some + n, *instead = floor + n;
    int m = draw_together(own, n, live);
    for (int j = 0; j < m; ++j) {
        floor[j] = factor->pivotFloor[c->firstRow + live[j]];
        instead[j] = factor->pivotInstead[c->firstRow + live[j]];
    }
    factor_any(own, m, some, floor, instead);
    for (int j = 0; j < n; ++j)
        inverse[j] = 0.0; // as of an infinite pivot
    for (int j = 0; j < m; ++j)
        inverse[live[j]] = some[j];
}

// z becomes L^-1 z over the live rows of a wide column; work: as many numbers.
RV_KERNEL void go_down(const double* own, const int* live, int m, double* restrict z, double* restrict work)
{
    for (int j = 0; j < m; ++j)
        work[j] = z[live[j]];
    for (int k = 0; k + 1 < m; ++k)
        rv_add_scaled(work + k + 1, own + k * m + k + 1, -work[k], m - 1 - k);
    for (int j = 0; j < m; ++j)
        z[live[j]] = work[j];
}

// Rows below: Y = A L^-T.
RV_KERNEL void factor_below(const double* restrict own, const int* live, double* restrict y, double* restrict work,
                            int rowCount, int n)
{
    int m = n > RV_WIDE ? rv_live_count(live, n) : 0;
    for (int r = 0; r < rowCount; ++r, y += n) {
        if (n > RV_WIDE)
            go_down(own, live, m, y, work);
        for (int j = 1; n <= RV_WIDE && j < n; ++j)
            for (int k = 0; k < j; ++k)
                y[j] -= y[k] * own[j * n + k];
    }
}

RV_KERNEL void scale(const double* restrict y, const double* restrict inverse, double* restrict tile, int rowCount,
                     int n)
{
    for (int r = 0; r < rowCount; ++r)
        for (int j = 0; j < n; ++j)
            tile[r * n + j] = y[r * n + j] * inverse[j];
}

// target (rows x width, from column `first`) -= Y tile^T
RV_KERNEL void update_block(double* restrict target, int width, const double* restrict y, int rows,
                            const double* restrict tile, int tileRows, int n)
{
    for (int r = 0; r < rows; ++r)
        for (int q = 0; q < tileRows; ++q)
            target[r * width + q] -= dot(y + r * n, tile + q * n, n);
}

RV_KERNEL void update_own(double* restrict target, int width, const double* restrict y, int first,
                          const double* restrict tile, int tileRows, int n)
{
    for (int r = first; r < width; ++r)
        for (int q = 0; q < tileRows && first + q <= r; ++q)
            target[r * width + first + q] -= dot(y + r * n, tile + q * n, n);
}

// What column c takes from the column that is entry `a` of its below list, and from its blocks further down.
RV_KERNEL void update_column(const rvStructure* s, const rvColumn* c, int a, double* y, const double* inverse,
                             rvFactor* factor, int n)
{
    const int* below = s->below + c->firstBelow;
    const rvColumn* k = &s->columns[below[a]];
    int width = k->width;
    double* panel = factor->values + k->panel;
    const int* kBelow = s->below + k->firstBelow;
    for (int first = 0; first < width; first += RV_TILE_ROWS) {
        int tileRows = width - first < RV_TILE_ROWS ? width - first : RV_TILE_ROWS;
        scale(y + first * n, inverse, factor->tile, tileRows, n);
        if (width == 1)
            update_own(panel, 1, y, 0, factor->tile, 1, n);
        else if (width == 3)
            update_own(panel, 3, y, 0, factor->tile, 3, n);
        else
            update_own(panel, width, y, first, factor->tile, tileRows, n);
        const double* yi = y + width * n;
        double* target = panel + width * width;
        int at = 0;
        for (int b = a + 1; b < c->belowCount;) {
            for (; kBelow[at] != below[b]; ++at)
                target += (ptrdiff_t)s->columns[kBelow[at]].width * width;
            int rows = 0; // of blocks that follow each other in both panels
            for (; b < c->belowCount && kBelow[at] == below[b]; ++b, ++at)
                rows += s->columns[below[b]].width;
            if (width == 1)
                update_block(target, 1, yi, rows, factor->tile, 1, n);
            else if (width == 3)
                update_block(target, 3, yi, rows, factor->tile, 3, n);
            else
                update_block(target + first, width, yi, rows, factor->tile, tileRows, n);
            yi += rows * n;
            target += (ptrdiff_t)rows * width;
        }
    }
}

RV_KERNEL void factor_column(const rvStructure* s, const rvColumn* c, rvFactor* factor, int n)
{
    double* own = factor->values + c->panel;
    double* inverse = factor->inversePivot + c->firstRow;
    const double *floor = factor->pivotFloor + c->firstRow, *instead = factor->pivotInstead + c->firstRow;
    if (n <= RV_WIDE)
        factor_own(own, n, inverse, floor, instead);
    else
        factor_live(own, n, c, factor);
    double* y = own + n * n;
    int rows = 0;
    for (int a = 0; n > 1 && a < c->belowCount; ++a)
        rows += s->columns[s->below[c->firstBelow + a]].width;
    factor_below(own, factor->live + c->firstRow, y, factor->tile, rows, n);
    for (int a = 0; a < c->belowCount; ++a) {
        update_column(s, c, a, y, inverse, factor, n);
        y += s->columns[s->below[c->firstBelow + a]].width * n;
    }
}

void rv_factor_compute(const rvStructure* s, const rvIsland* island, rvFactor* factor)
{
    for (int i = 0; i < island->columnCount; ++i) {
        const rvColumn* c = &s->columns[island->firstColumn + i];
        switch (c->width) {
        case 1:
            factor_column(s, c, factor, 1);
            break;
        case 3:
            factor_column(s, c, factor, 3);
            break;
        case 6:
            factor_column(s, c, factor, 6);
            break;
        case 12:
            factor_column(s, c, factor, 12);
            break;
        default:
            factor_column(s, c, factor, c->width);
        }
    }
}

RV_KERNEL void forward_column(const rvStructure* s, const rvColumn* c, const rvFactor* factor, double* x, int n)
{
    const double* own = factor->values + c->panel;
    const double* inverse = factor->inversePivot + c->firstRow;
    double* z = x + c->firstRow;
    double* w = factor->tile;
    const int* live = factor->live + c->firstRow;
    if (n > RV_WIDE)
        go_down(own, live, rv_live_count(live, n), z, w);
    for (int j = 1; n <= RV_WIDE && j < n; ++j)
        for (int k = 0; k < j; ++k)
            z[j] -= own[j * n + k] * z[k];
    for (int j = 0; j < n; ++j)
        w[j] = z[j] * inverse[j];
    const double* y = own + n * n;
    for (int a = 0; a < c->belowCount; ++a) {
        const rvColumn* k = &s->columns[s->below[c->firstBelow + a]];
        double* b = x + k->firstRow;
        for (int r = 0; r < k->width; ++r, y += n)
            b[r] -= dot(y, w, n);
    }
}

RV_DEFINE_BACKWARD(backward_column, double)

// A kernel for the column's width, compiled apart for the usual ones: joints, and contacts of one to four points.
#define BY_WIDTH(kernel, ...)                                                                                          \
    switch (c->width) {                                                                                                \
    case 1:                                                                                                            \
        kernel(__VA_ARGS__, 1);                                                                                        \
        break;                                                                                                         \
    case 3:                                                                                                            \
        kernel(__VA_ARGS__, 3);                                                                                        \
        break;                                                                                                         \
    case 6:                                                                                                            \
        kernel(__VA_ARGS__, 6);                                                                                        \
        break;                                                                                                         \
    case 12:                                                                                                           \
        kernel(__VA_ARGS__, 12);                                                                                       \
        break;                                                                                                         \
    default:                                                                                                           \
        kernel(__VA_ARGS__, c->width);                                                                                 \
    }

void rv_factor_solve(const rvStructure* s, const rvIsland* island, const rvFactor* factor, double* x)
{
    for (int i = 0; i < island->columnCount; ++i) {
        const rvColumn* c = &s->columns[island->firstColumn + i];
        BY_WIDTH(forward_column, s, c, factor, x)
    }
    for (int i = island->columnCount - 1; i >= 0; --i) {
        const rvColumn* c = &s->columns[island->firstColumn + i];
        BY_WIDTH(backward_column, s, c, factor, x)
    }
}
