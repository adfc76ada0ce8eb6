// SPDX-License-Identifier: MIT
// An island of one row, as most cables without friction are: what the general way does (assemble, factor, pivot, move)
// comes down to a few numbers, and the loops around them cost more than they do. The same sums in the same order, so
// the same bits:
//   d = J M^-1 J^T + C,   x = (bias - J v)/d or the bound,   residual = J (M^-1 J^T x) + C x - right
#include "solve/system.h"

enum { TURNS = 10 }; // of pivoting, as for any constant bounds

typedef struct {
    const rvColumn* column;
    const rvRow* row;
    double right, diagonal, inverseDiagonal, inversePivot, compliance;
    double x, residual;
    int16_t mode;
} Lone;

// Is the slot's body pushed? One that is not has a velocity, but no part of S.
static bool is_pushed(const rvSolver* solver, int slot)
{
    return solver->structure.slotPlace[slot] >= 0;
}

static void assemble(rvSolver* solver, Lone* lone)
{
    const rvRows* rows = solver->rows;
    const rvColumn* c = lone->column;
    const double* block = rows->groups[c->group].block;
    lone->right = lone->row->bias;
    lone->diagonal = 0.0;
    for (int i = c->firstSlot; i < c->firstSlot + c->slotCount; ++i) {
        const rvSlot* slot = &rows->slots[i];
        const double* j = rows->entries + slot->firstEntry;
        double* w = solver->weighted + slot->firstEntry;
        lone->right -= rv_dot6(j, solver->bodies->velocity[slot->body]);
        if (!is_pushed(solver, i))
            continue;
        rv_weigh(j, solver->bodies->inverse[slot->body], w);
        lone->diagonal += rv_dot6(j, w);
    }
    lone->compliance = block ? block[0] : lone->row->compliance;
    lone->diagonal += lone->compliance;
    double d = lone->diagonal, instead = rv_row_is_bounded(lone->row) ? RV_INVERSE_OF_BOUNDED : 0.0;
    lone->inverseDiagonal = d > 0.0 ? 1.0 / d : 0.0;
    lone->inversePivot = d > RV_PIVOT_NOISE * d ? lone->inverseDiagonal : instead * lone->inverseDiagonal;
}

// What x gives a body of the row.
static void push(const rvSolver* solver, const Lone* lone, int slot, double out[6])
{
    for (int k = 0; k < 6; ++k)
        out[k] = 0.0;
    rv_add6(out, solver->weighted + solver->rows->slots[slot].firstEntry, lone->x);
}

static void find_residual(const rvSolver* solver, Lone* lone)
{
    const rvColumn* c = lone->column;
    double sum = lone->compliance * lone->x, given[6];
    for (int i = c->firstSlot; i < c->firstSlot + c->slotCount; ++i)
        if (is_pushed(solver, i)) {
            push(solver, lone, i, given);
            sum += rv_dot6(solver->rows->entries + solver->rows->slots[i].firstEntry, given);
        }
    lone->residual = sum - lone->right;
}

// x for the mode as it is.
static void solve_mode(const rvSolver* solver, Lone* lone, rvBounds b)
{
    lone->x = lone->mode == RV_ROW_LOWER   ? b.lower
              : lone->mode == RV_ROW_UPPER ? b.upper
                                           : lone->right * lone->inversePivot;
    find_residual(solver, lone);
    if (lone->mode != RV_ROW_FREE || !(fabs(lone->residual) > RV_REFINE_ABOVE * fabs(lone->right)))
        return;
    lone->x += -lone->residual * lone->inversePivot;
    find_residual(solver, lone);
}

// Modes by pivoting; false: they do not settle. Counts factors, as the general way does.
static bool settle(const rvSolver* solver, Lone* lone, rvBounds b, int* pivots)
{
    for (int turn = 0; turn < TURNS; ++turn) {
        solve_mode(solver, lone, b);
        int16_t wanted =
            rv_wanted_mode(lone->x, lone->residual, lone->inverseDiagonal, fabs(lone->right), lone->mode, b);
        bool named = b.lower == b.upper && wanted != RV_ROW_FREE && lone->mode != RV_ROW_FREE; // which is only a name
        *pivots += turn == 0;
        if (wanted == lone->mode || named) {
            lone->mode = wanted;
            return true;
        }
        *pivots += (wanted != RV_ROW_FREE) != (lone->mode != RV_ROW_FREE) && turn + 1 < TURNS;
        lone->mode = wanted;
    }
    return false;
}

bool rv_lone_solve(rvSolver* solver, const rvColumn* column, double* violation)
{
    rvRow* row = &solver->rows->rows[column->firstRow];
    Lone lone = {.column = column, .row = row, .mode = (int16_t)((row->mode > 0) - (row->mode < 0))};
    if (rv_row_leans(row))
        return false;
    int pivots = 0;
    rvBounds b = rv_row_bounds(row, 0.0);
    assemble(solver, &lone);
    if ((lone.mode == RV_ROW_LOWER && !(row->lower > -HUGE_VAL)) ||
        (lone.mode == RV_ROW_UPPER && !(row->upper < HUGE_VAL)))
        lone.mode = RV_ROW_FREE;
    if (!settle(solver, &lone, b, &pivots) || !isfinite(lone.x) || !isfinite(lone.residual))
        return false;
    for (int i = column->firstSlot; i < column->firstSlot + column->slotCount; ++i)
        if (is_pushed(solver, i)) {
            double given[6];
            push(solver, &lone, i, given);
            rv_add6(solver->bodies->velocity[solver->rows->slots[i].body], given, 1.0);
        }
    solver->pivots += pivots;
    row->impulse = lone.x;
    row->mode = lone.mode;
    *violation = lone.diagonal > 0.0
                     ? rv_row_violation(row, lone.x, lone.residual, lone.diagonal, lone.inverseDiagonal, b)
                     : 0.0;
    return true;
}
