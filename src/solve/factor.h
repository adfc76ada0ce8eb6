// SPDX-License-Identifier: MIT
// Block LDL^T of S of one island.
#pragma once

#include "solve/structure.h"

typedef struct {
    double* values;       // the panels, as rvStructure lays them out
    double* inversePivot; // by row
    double* pivotFloor;   // by row: a pivot at or below it counts as zero ...
    double* pivotInstead; // ... and this is taken for its inverse
    double* tile;         // scratch: RV_TILE_ROWS times the largest row count of a group
} rvFactor;

enum { RV_TILE_ROWS = 8, RV_WIDE = 16 }; // RV_WIDE: columns of more rows have L^T above the diagonal, too

// The factor of the matrix that stands in factor->values, in its place.
void rv_factor_compute(const rvStructure* structure, const rvIsland* island, rvFactor* factor);

// x <- S^-1 x, indexed by row.
void rv_factor_solve(const rvStructure* structure, const rvIsland* island, const rvFactor* factor, double* x);
