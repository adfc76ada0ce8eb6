// SPDX-License-Identifier: MIT
// Block LDL^T of S of one island.
#pragma once

#include "solve/lanes.h"
#include "solve/structure.h"

typedef struct {
    double* values;       // the panels, as rvStructure lays them out
    double* inversePivot; // by row
    double* pivotFloor;   // by row: a pivot at or below it counts as zero ...
    double* pivotInstead; // ... and this is taken for its inverse
    double* tile;         // scratch: RV_TILE_ROWS times the largest row count of a group
    int* live;            // of a wide column: its rows that are not taken out, then -1
} rvFactor;

enum { RV_TILE_ROWS = 8, RV_WIDE = 16 }; // RV_WIDE: columns of more rows are wide

// The own block of a wide column is drawn together to the rows that are not taken out, and has L^T above the diagonal,
// too. Of contacts along a rope that slips two rows in three are at their bounds.
static inline int rv_live_count(const int* live, int n)
{
    int count = 0;
    while (count < n && live[count] >= 0)
        ++count;
    return count;
}

// The factor of the matrix that stands in factor->values, in its place.
void rv_factor_compute(const rvStructure* structure, const rvIsland* island, rvFactor* factor);

// x <- S^-1 x, indexed by row.
void rv_factor_solve(const rvStructure* structure, const rvIsland* island, const rvFactor* factor, double* x);

// The way back through a column of n rows, for one right side (Number double) or for four (rvFour).
// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses
#define RV_DEFINE_BACKWARD(name, Number)                                                                               \
    RV_KERNEL void name(const rvStructure* s, const rvColumn* c, const rvFactor* factor, Number* x, int n)             \
    {                                                                                                                  \
        const double* own = factor->values + c->panel;                                                                 \
        const double* inverse = factor->inversePivot + c->firstRow;                                                    \
        const int* live = factor->live + c->firstRow;                                                                  \
        int m = n > RV_WIDE ? rv_live_count(live, n) : 0;                                                              \
        Number* z = x + c->firstRow;                                                                                   \
        const double* y = own + n * n;                                                                                 \
        for (int a = 0; a < c->belowCount; ++a) {                                                                      \
            const rvColumn* k = &s->columns[s->below[c->firstBelow + a]];                                              \
            const Number* b = x + k->firstRow;                                                                         \
            for (int r = 0; r < k->width; ++r, y += n)                                                                 \
                for (int j = 0; j < n; ++j)                                                                            \
                    z[j] -= y[j] * b[r];                                                                               \
        }                                                                                                              \
        for (int j = 0; j < n; ++j)                                                                                    \
            z[j] *= inverse[j];                                                                                        \
        for (int j = n - 1; n <= RV_WIDE && j > 0; --j)                                                                \
            for (int k = 0; k < j; ++k)                                                                                \
                z[k] -= own[j * n + k] * z[j];                                                                         \
        for (int j = m - 1; j > 0; --j)                                                                                \
            for (int k = 0; k < j; ++k)                                                                                \
                z[live[k]] -= own[j * m + k] * z[live[j]];                                                             \
    }
// NOLINTEND(bugprone-macro-parentheses)
