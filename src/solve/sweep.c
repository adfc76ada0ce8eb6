// SPDX-License-Identifier: MIT
// The last resort: projected Gauss-Seidel, matrix-free. Row after row
//   x_i <- clamp(x_i - r_i / S_ii, lower(x), upper(x)),   r_i = J_i p + (C x)_i - right_i,   p the push so far.
// The product of a large block with x is kept in `work`: rows that do not change cost nothing there.
// Each change is at once in p, so a sweep costs as much as one product with S. It needs no room and always ends.
#include "solve/system.h"

static double compliance_of(const rvSolver* solver, const rvColumn* c, int r, const double* x)
{
    const rvRows* rows = solver->rows;
    const double* block = rows->groups[c->group].block;
    if (!block)
        return rows->rows[c->firstRow + r].compliance * x[r];
    if (rv_has_large_block(rows, c))
        return solver->work[c->firstRow + r];
    double sum = 0.0;
    for (int q = 0; q < c->rowCount; ++q)
        sum += block[r * c->rowCount + q] * x[q];
    return sum;
}

static void sweep_row(rvSolver* solver, const rvColumn* c, int r)
{
    const rvRows* rows = solver->rows;
    int i = c->firstRow + r;
    const rvRow* row = &rows->rows[i];
    double* x = solver->x + c->firstRow;
    double residual = compliance_of(solver, c, r, x) - solver->right[i];
    for (int k = c->firstSlot; k < c->firstSlot + c->slotCount; ++k) {
        const double* j = rows->entries + rows->slots[k].firstEntry + 6 * r;
        residual += rv_dot6(j, solver->push[rows->slots[k].body]);
    }
    double to = x[r] - residual * solver->inverseDiagonal[i];
    solver->mode[i] = RV_ROW_FREE;
    if (rv_row_is_bounded(row)) {
        rvBounds b = rv_row_bounds(row, rv_row_lean(row, x));
        solver->mode[i] = to < b.lower ? RV_ROW_LOWER : to > b.upper ? RV_ROW_UPPER : RV_ROW_FREE;
        to = to < b.lower ? b.lower : to > b.upper ? b.upper : to;
    }
    double change = to - x[r];
    x[r] = to;
    if (change != 0.0 && rv_has_large_block(rows, c))
        rv_add_scaled(solver->work + c->firstRow, rows->groups[c->group].block + r * c->rowCount, change, c->rowCount);
    for (int k = c->firstSlot; change != 0.0 && k < c->firstSlot + c->slotCount; ++k)
        if (solver->structure.slotPlace[k] >= 0)
            rv_add6(solver->push[rows->slots[k].body], solver->weighted + rows->slots[k].firstEntry + 6 * r, change);
}

void rv_sweep(rvSolver* solver, const rvIsland* island, int sweepCount)
{
    rv_system_invert_diagonal(solver, island);
    const rvColumn* columns = solver->structure.columns + island->firstColumn;
    rv_system_push(solver, island, solver->x, RV_PUSH_ALL);
    for (int k = 0; k < island->columnCount; ++k) {
        const rvColumn* c = &columns[k];
        const double *block = solver->rows->groups[c->group].block, *x = solver->x + c->firstRow;
        double* product = solver->work + c->firstRow;
        for (int r = 0; r < c->rowCount && rv_has_large_block(solver->rows, c); ++r)
            product[r] = 0.0;
        for (int r = 0; r < c->rowCount && rv_has_large_block(solver->rows, c); ++r)
            rv_add_scaled(product, block + r * c->rowCount, x[r], c->rowCount);
    }
    for (int n = 0; n < sweepCount; ++n)
        for (int k = 0; k < island->columnCount; ++k)
            for (int r = 0; r < columns[k].rowCount; ++r)
                sweep_row(solver, &columns[k], r);
}
