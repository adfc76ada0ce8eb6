// SPDX-License-Identifier: MIT
// The folded block-tridiagonal factor. From both ends at once, one end a lane:
//
//   A_k = L D L^T,  X = C L^-T D^-1,  A_k+1 -= X D X^T
//
// and the middle node takes what both lanes leave it. No pivoting: matrices of a step are positive definite, and the
// exact tangents of the paper's methods are as good as always factored (mass dominates them).
#include "cable/ancf/ancf_parts.h"

#define AT(i, j) ((i) * ((i) + 1) / 2 + (j))

static inline void set_lane(rvPair* pair, int lane, double value)
{
    (*pair)[lane] = value;
}

void rv_ancf_take_out(const rvAncf* cable, rvAncfSlot* slots)
{
    for (int g = 0; g < cable->gapCount; g++) {
        const rvAncfGap* gap = &cable->gaps[g];
        rvAncfSlot* slot = &slots[gap->slot];
        int j = gap->dof, lane = gap->lane;
        for (int i = 0; i < 6; i++)
            set_lane(&slot->d[i < j ? AT(j, i) : AT(i, j)], lane, 0.0);
        set_lane(&slot->d[AT(j, j)], lane, gap->one);
        if (gap->slot < cable->slotCount)
            for (int i = 0; i < 6; i++)
                set_lane(&slot->c[6 * i + j], lane, 0.0);
        if (gap->slot > 0)
            for (int i = 0; i < 6; i++)
                set_lane(&slots[gap->slot - 1].c[6 * j + i], lane, 0.0);
    }
}

// Column by column: what is left of the node's block, the coupling and the inner node's block is reduced.
static inline void factor_slot(rvAncfSlot* slot, rvAncfSlot* next)
{
    rvPair* d = slot->d;
    rvPair* c = slot->c;
    for (int j = 0; j < 6; j++) {
        rvPair inverse = 1.0 / d[AT(j, j)];
        rvPair column[6];
        d[AT(j, j)] = inverse;
        for (int i = j + 1; i < 6; i++)
            column[i] = d[AT(i, j)];
        for (int i = j + 1; i < 6; i++) {
            rvPair l = column[i] * inverse;
            d[AT(i, j)] = l;
            for (int k = j + 1; k <= i; k++)
                d[AT(i, k)] -= l * column[k];
        }
        rvPair row[6];
        for (int i = 0; i < 6; i++)
            row[i] = c[6 * i + j];
        for (int i = 0; i < 6; i++) {
            rvPair l = row[i] * inverse;
            c[6 * i + j] = l;
            for (int k = j + 1; k < 6; k++)
                c[6 * i + k] -= l * column[k];
            for (int k = 0; k <= i; k++)
                next->d[AT(i, k)] -= l * row[k];
        }
    }
}

static inline void factor_middle(rvAncfSlot* slot)
{
    rvPair* d = slot->d;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++) {
            rvPair both = d[AT(i, j)];
            d[AT(i, j)] = (rvPair){both[0] + both[1], i == j ? 1.0 : 0.0};
        }
    for (int j = 0; j < 6; j++) {
        rvPair inverse = 1.0 / d[AT(j, j)];
        d[AT(j, j)] = inverse;
        for (int i = 5; i > j; i--) {
            rvPair l = d[AT(i, j)] * inverse;
            for (int k = j + 1; k <= i; k++)
                d[AT(i, k)] -= l * d[AT(k, j)];
            d[AT(i, j)] = l;
        }
    }
}

void rv_ancf_factor(const rvAncf* cable, rvAncfSlot* slots)
{
    for (int k = 0; k < cable->slotCount; k++)
        factor_slot(&slots[k], &slots[k + 1]);
    factor_middle(&slots[cable->slotCount]);
}

void rv_ancf_solve(const rvAncf* cable, const rvAncfSlot* slots, double* x)
{
    rvPair(*b)[6] = cable->folded;
    int middle = cable->slotCount;
    for (int g = 0; g < cable->gapCount; g++)
        if (cable->gaps[g].one > 0.0 && cable->fold[cable->gaps[g].slot][cable->gaps[g].lane] < cable->nodeCount)
            x[6 * cable->fold[cable->gaps[g].slot][cable->gaps[g].lane] + cable->gaps[g].dof] = 0.0;
    for (int k = 0; k <= middle; k++) {
        const double *upper = x + 6 * cable->fold[k][0], *lower = x + 6 * cable->fold[k][1];
        for (int i = 0; i < 6; i++)
            b[k][i] = (rvPair){upper[i], lower[i]};
    }
    for (int k = 0; k <= middle; k++) {
        const rvPair *d = slots[k].d, *c = slots[k].c;
        if (k == middle)
            for (int i = 0; i < 6; i++)
                b[k][i] = (rvPair){b[k][i][0] + b[k][i][1], 0.0};
        for (int i = 1; i < 6; i++)
            for (int j = 0; j < i; j++)
                b[k][i] -= d[AT(i, j)] * b[k][j];
        if (k < middle)
            for (int i = 0; i < 6; i++)
                for (int j = 0; j < 6; j++)
                    b[k + 1][i] -= c[6 * i + j] * b[k][j];
    }
    for (int k = middle; k >= 0; k--) {
        const rvPair *d = slots[k].d, *c = slots[k].c;
        for (int i = 0; i < 6; i++)
            b[k][i] *= d[AT(i, i)];
        if (k + 1 == middle)
            for (int i = 0; i < 6; i++)
                b[middle][i] = (rvPair){b[middle][i][0], b[middle][i][0]};
        if (k < middle)
            for (int i = 0; i < 6; i++)
                for (int j = 0; j < 6; j++)
                    b[k][j] -= c[6 * i + j] * b[k + 1][i];
        for (int i = 5; i >= 0; i--)
            for (int j = i + 1; j < 6; j++)
                b[k][i] -= d[AT(j, i)] * b[k][j];
    }
    for (int k = 0; k <= middle; k++) {
        double *upper = x + 6 * cable->fold[k][0], *lower = x + 6 * cable->fold[k][1];
        for (int i = 0; i < 6; i++) {
            lower[i] = b[k][i][1]; // first, so that the dummy takes what the middle's second lane holds
            upper[i] = b[k][i][0];
        }
    }
    memset(x + cable->dofCount, 0, 6 * sizeof(double));
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
