// SPDX-License-Identifier: MIT
// The folded block-tridiagonal factor. From both ends at once, one end a lane:
//
//   A_k = L D L^T,  X = C L^-T D^-1,  A_k+1 -= X D X^T
//
// and the middle node takes what both lanes leave it. No pivoting: matrices of a step are positive definite, and the
// exact tangents of the paper's methods are as good as always factored (mass dominates them).
#include "cable/ancf/ancf_parts.h"

#define INLINE static inline __attribute__((always_inline)) // into each clone
#define AT(i, j) ((i) * ((i) + 1) / 2 + (j))

INLINE void set_lane(rvPair* pair, int lane, double value)
{
    (*pair)[lane] = value;
}

// j, the dof of a gap, is a constant where it is inlined.
INLINE void take_dof_out(const rvAncf* cable, const rvAncfGap* gap, rvAncfSlot* slots, int j)
{
    rvAncfSlot* slot = &slots[gap->slot];
    int lane = gap->lane;
    for (int i = 0; i < 6; i++)
        set_lane(&slot->d[i < j ? AT(j, i) : AT(i, j)], lane, i == j ? gap->one : 0.0);
    if (gap->slot < cable->slotCount)
        for (int i = 0; i < 6; i++)
            set_lane(&slot->c[6 * i + j], lane, 0.0);
    if (gap->slot > 0)
        for (int i = 0; i < 6; i++)
            set_lane(&slots[gap->slot - 1].c[6 * j + i], lane, 0.0);
}

void rv_ancf_take_out(const rvAncf* cable, rvAncfSlot* slots)
{
    for (int g = 0; g < cable->gapCount; g++) {
        const rvAncfGap* gap = &cable->gaps[g];
        if (gap->dummy)
            set_lane(&slots[gap->slot].d[AT(gap->dof, gap->dof)], gap->lane, gap->one);
        else
            for (int j = 0; j < 6; j++)
                if (j == gap->dof)
                    take_dof_out(cable, gap, slots, j);
    }
}

// L D L^T of a block in place: L below the diagonal, 1/D on it.
INLINE void factor_block(rvPair d[21])
{
    for (int j = 0; j < 6; j++) {
        rvPair inverse = 1.0 / d[AT(j, j)], column[6];
        d[AT(j, j)] = inverse;
        for (int i = j + 1; i < 6; i++)
            column[i] = d[AT(i, j)];
        for (int i = j + 1; i < 6; i++) {
            rvPair l = column[i] * inverse;
            d[AT(i, j)] = l;
            for (int k = j + 1; k <= i; k++)
                d[AT(i, k)] -= l * column[k];
        }
    }
}

// A tile of 3 x 3 of A_k+1 -= X Y^T, Y = X D: sums stay in registers.
INLINE void reduce_tile(rvPair d[21], const rvPair x[36], const rvPair y[36], int row, int column)
{
    rvPair sum[3][3] = {0};
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < (row == column ? i + 1 : 3); k++)
                sum[i][k] += x[6 * (row + i) + j] * y[6 * (column + k) + j];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < (row == column ? i + 1 : 3); k++)
            d[AT(row + i, column + k)] -= sum[i][k];
}

INLINE void factor_slot(rvAncfSlot* slot, rvAncfSlot* next)
{
    rvPair *d = slot->d, *c = slot->c, y[36];
    factor_block(d);
    // Y L^T = C, then X = Y D^-1
    for (int i = 0; i < 6; i++) {
        rvPair row[6];
        for (int j = 0; j < 6; j++) {
            row[j] = c[6 * i + j];
            for (int k = 0; k < j; k++)
                row[j] -= row[k] * d[AT(j, k)];
        }
        for (int j = 0; j < 6; j++) {
            y[6 * i + j] = row[j];
            c[6 * i + j] = row[j] * d[AT(j, j)];
        }
    }
    reduce_tile(next->d, c, y, 0, 0);
    reduce_tile(next->d, c, y, 3, 0);
    reduce_tile(next->d, c, y, 3, 3);
}

INLINE void factor_middle(rvAncfSlot* slot)
{
    rvPair* d = slot->d;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++) {
            rvPair both = d[AT(i, j)];
            d[AT(i, j)] = (rvPair){both[0] + both[1], i == j ? 1.0 : 0.0};
        }
    factor_block(d);
}

RV_ANCF_CLONED void rv_ancf_factor(const rvAncf* cable, rvAncfSlot* slots)
{
    for (int k = 0; k < cable->slotCount; k++)
        factor_slot(&slots[k], &slots[k + 1]);
    factor_middle(&slots[cable->slotCount]);
}

// L z = b
INLINE void lower_solve(const rvPair d[21], rvPair b[6])
{
    for (int j = 0; j < 5; j++)
        for (int i = j + 1; i < 6; i++)
            b[i] -= d[AT(i, j)] * b[j];
}

// L^T x = b
INLINE void upper_solve(const rvPair d[21], rvPair b[6])
{
    for (int i = 5; i > 0; i--)
        for (int j = 0; j < i; j++)
            b[j] -= d[AT(i, j)] * b[i];
}

INLINE void go_inwards(const rvAncfSlot* slot, rvPair b[6], rvPair next[6])
{
    rvPair z[6];
    for (int i = 0; i < 6; i++)
        z[i] = b[i];
    lower_solve(slot->d, z);
    for (int i = 0; i < 6; i++) {
        rvPair sum = next[i];
        for (int j = 0; j < 6; j++)
            sum -= slot->c[6 * i + j] * z[j];
        next[i] = sum;
        b[i] = z[i];
    }
}

// L^T x = D^-1 z - X^T inner; x is the inner one of the next
INLINE void go_outwards(const rvAncfSlot* slot, rvPair b[6], rvPair inner[6])
{
    rvPair x[6], sum[6] = {0};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            sum[j] += slot->c[6 * i + j] * inner[i];
    for (int j = 0; j < 6; j++)
        x[j] = b[j] * slot->d[AT(j, j)] - sum[j];
    upper_solve(slot->d, x);
    for (int j = 0; j < 6; j++)
        b[j] = inner[j] = x[j];
}

// n right-hand sides at once: each is a chain of its own, so they run side by side.
INLINE void solve_some(const rvAncf* cable, const rvAncfSlot* slots, double* const* from, double* const* x, int n)
{
    int middle = cable->slotCount, stride = middle + 1;
    rvPair(*b)[6] = cable->folded, inner[RV_ANCF_SOLVED][6];
    for (int k = 0; k <= middle; k++)
        for (int r = 0; r < n; r++) {
            const double *upper = from[r] + 6 * cable->fold[k][0], *lower = from[r] + 6 * cable->fold[k][1];
            for (int i = 0; i < 6; i++)
                b[r * stride + k][i] = (rvPair){upper[i], lower[i]};
        }
    for (int g = 0; g < cable->gapCount; g++)
        for (int r = 0; r < n && !cable->gaps[g].dummy; r++)
            set_lane(&b[r * stride + cable->gaps[g].slot][cable->gaps[g].dof], cable->gaps[g].lane, 0.0);
    for (int k = 0; k < middle; k++)
        for (int r = 0; r < n; r++)
            go_inwards(&slots[k], b[r * stride + k], b[r * stride + k + 1]);
    for (int r = 0; r < n; r++) {
        rvPair* at = b[r * stride + middle];
        for (int i = 0; i < 6; i++)
            at[i] = (rvPair){at[i][0] + at[i][1], 0.0};
        lower_solve(slots[middle].d, at);
        for (int i = 0; i < 6; i++)
            at[i] *= slots[middle].d[AT(i, i)];
        upper_solve(slots[middle].d, at);
        for (int i = 0; i < 6; i++)
            inner[r][i] = at[i] = (rvPair){at[i][0], at[i][0]};
    }
    for (int k = middle - 1; k >= 0; k--)
        for (int r = 0; r < n; r++)
            go_outwards(&slots[k], b[r * stride + k], inner[r]);
    for (int r = 0; r < n; r++) {
        for (int k = 0; k <= middle; k++) {
            double *upper = x[r] + 6 * cable->fold[k][0], *lower = x[r] + 6 * cable->fold[k][1];
            for (int i = 0; i < 6; i++) {
                lower[i] =
                    b[r * stride + k][i][1]; // first, so that the dummy takes what the middle's second lane holds
                upper[i] = b[r * stride + k][i][0];
            }
        }
        memset(x[r] + cable->dofCount, 0, 6 * sizeof(double));
    }
}

RV_ANCF_CLONED void rv_ancf_solve(const rvAncf* cable, const rvAncfSlot* slots, double* x)
{
    solve_some(cable, slots, &x, &x, 1);
}

RV_ANCF_CLONED void rv_ancf_solve_several(const rvAncf* cable, const rvAncfSlot* slots, double* const* from,
                                          double* const* x, int count)
{
    solve_some(cable, slots, from, x, count);
}

void rv_ancf_slot_product(const rvAncf* cable, const rvAncfSlot* slots, const double* x, double* y)
{
    memset(y, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    for (int k = 0; k <= cable->slotCount; k++)
        for (int lane = 0; lane < 2; lane++) {
            bool middle = k == cable->slotCount;
            int node = middle ? cable->fold[k][0] : cable->fold[k][lane];
            const double* xn = x + 6 * node;
            double* yn = y + 6 * node;
            for (int i = 0; i < 6; i++)
                for (int j = 0; j < 6; j++)
                    yn[i] += slots[k].d[i > j ? AT(i, j) : AT(j, i)][lane] * xn[j];
            if (middle)
                continue;
            const double* xi = x + 6 * cable->inner[k][lane];
            double* yi = y + 6 * cable->inner[k][lane];
            for (int i = 0; i < 6; i++)
                for (int j = 0; j < 6; j++) {
                    yi[i] += slots[k].c[6 * i + j][lane] * xn[j];
                    yn[j] += slots[k].c[6 * i + j][lane] * xi[i];
                }
        }
    memset(y + cable->dofCount, 0, 6 * sizeof(double));
}

int rv_ancf_negative_pivots(const rvAncf* cable, const rvAncfSlot* slots)
{
    int count = 0;
    for (int k = 0; k <= cable->slotCount; k++)
        for (int j = 0; j < 6; j++)
            for (int lane = 0; lane < 2; lane++) {
                double pivot = slots[k].d[AT(j, j)][lane];
                if (!isfinite(pivot))
                    return -1;
                count += pivot < 0.0;
            }
    return count;
}
