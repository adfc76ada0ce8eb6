// SPDX-License-Identifier: MIT
// The direct solver: S = J M^-1 J^T + C factored by islands, bounds by pivoting on the factor.
// It knows rows and velocities, not what made them.
#pragma once

#include "solve/row.h"

// What the solver sees of the bodies, by index.
typedef struct {
    int count;
    const double (*inverse)[7]; // inverse mass, then the inverse of the (effective) inertia: xx xy xz yy yz zz; all
                                // zero for a body that nothing pushes
    double (*velocity)[6];      // in: velocity without rows, out: v'
} rvSolveBodies;

typedef struct {
    int islands;
    int pivots;    // factorisations
    int fallbacks; // islands that ended in a fallback
    int undone;    // islands with rows inside that did not settle: nothing of them was solved, they want a dense block
    double residual; // largest violation of the conditions in row.h [m/s]
    int worstGroup;  // the group it belongs to, or -1
} rvSolveReport;

typedef struct rvSolver rvSolver;

rvSolver* rv_solver_create(rvMemory* memory);
void rv_solver_destroy(rvSolver* solver, rvMemory* memory);

// Room for worlds of this size; between steps only. `factorBytes` is the room for S and its factor.
bool rv_solver_reserve(rvSolver* solver, rvMemory* memory, int bodyCount, const rvRows* capacities, size_t factorBytes);

// Solves the rows and brings the velocities to v'. Takes no memory, always returns.
rvSolveReport rv_solver_solve(rvSolver* solver, rvRows* rows, rvSolveBodies* bodies);

// The same for impulses that were found outside, one for each row: within their bounds, with their modes (outside.c).
void rv_rows_take_solution(rvRows* rows, rvSolveBodies* bodies, const double* impulses);
