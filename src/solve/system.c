// SPDX-License-Identifier: MIT
// S = J M^-1 J^T + C of an island.
//
// By slots: W = M^-1 J^T (6 numbers a row), and for two groups g, h on body b   S_gh += J_g W_h^T.
// Matrix-free:  S x = J p + C x,  p = W x  summed by bodies.
//
// Redundant rows. A pivot at or below 1e-11 S_ii is round-off: earlier rows hold this one already (a door on three
// hinges, four contacts under a box); honest mass ratios reach 1e-8 or so.
//   A row without bounds is then dropped: impulse 0. Should the redundant rows conflict, the earlier ones win, no
//   impulse grows without limit, and the residual says so.
//   A row with bounds gets the pivot 1e-9 S_ii: where such rows conflict the impulses grow until bounds part them, as
//   the exact solution does (of four contacts under a warped box three carry).
#include "solve/system.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

// W = M^-1 J^T for the rows of a slot.
INLINE void weigh(const double* restrict j, const double* restrict m, double* restrict w, int rowCount)
{
    for (int r = 0; r < rowCount; ++r, j += 6, w += 6)
        rv_weigh(j, m, w);
}

INLINE void add_block(double* restrict target, const double* restrict j, int rows, const double* restrict w, int width)
{
    for (int r = 0; r < rows; ++r)
        for (int q = 0; q < width; ++q)
            target[r * width + q] += rv_dot6(j + 6 * r, w + 6 * q);
}

INLINE void add_own(double* restrict target, const double* restrict j, const double* restrict w, int n)
{
    for (int r = 0; r < n; ++r)
        for (int q = 0; q <= r; ++q)
            target[r * n + q] += rv_dot6(j + 6 * r, w + 6 * q);
}

// Compliance into the own block.
static void add_compliance(const rvSolver* solver, const rvColumn* c, double* own)
{
    const rvRowGroup* group = &solver->rows->groups[c->group];
    const rvRow* rows = solver->rows->rows + c->firstRow;
    int n = c->width;
    if (group->inside) // it changes with the modes, see add_inside
        return;
    if (group->block) {
        for (int r = 0; r < n; ++r)
            for (int q = 0; q <= r; ++q)
                own[r * n + q] += group->block[r * n + q];
    } else {
        for (int r = 0; r < n; ++r)
            own[r * n + r] += rows[r].compliance;
    }
}

// The diagonal of S, and what the factor needs of it.
static void note_diagonal(rvSolver* solver, const rvColumn* c, const double* own, int stride)
{
    const rvRow* rows = solver->rows->rows + c->firstRow;
    bool inside = solver->rows->groups[c->group].inside;
    for (int r = 0; r < c->rowCount; ++r) {
        double d = (r < c->width ? own[r * stride] : 0.0) + (inside ? rows[r].compliance : 0.0);
        int row = c->firstRow + r;
        bool bounded = rv_row_is_bounded(&rows[r]);
        solver->diagonal[row] = d;
        solver->factor.pivotFloor[row] = RV_PIVOT_NOISE * d;
        solver->factor.pivotInstead[row] = 0.0;
        solver->bounded |= bounded;
        solver->leaning |= bounded && rv_row_leans(&rows[r]);
    }
}

// W and right = bias - J v of a column with n rows.
INLINE void note_column(rvSolver* solver, const rvColumn* c, int n)
{
    const rvRows* rows = solver->rows;
    double* right = solver->right + c->firstRow;
    for (int r = 0; r < n; ++r)
        right[r] = rows->rows[c->firstRow + r].bias;
    for (int i = c->firstSlot; i < c->firstSlot + c->slotCount; ++i) {
        const rvSlot* slot = &rows->slots[i];
        const double* j = rows->entries + slot->firstEntry;
        const double* v = solver->bodies->velocity[slot->body];
        weigh(j, solver->bodies->inverse[slot->body], solver->weighted + slot->firstEntry, n);
        for (int r = 0; r < n; ++r)
            right[r] -= rv_dot6(j + 6 * r, v);
    }
    for (int r = 0; r < n; ++r) {
        double size = fabs(right[r]);
        solver->speed = size > solver->speed ? size : solver->speed;
    }
}

// The panel of a column: its own block, and with each later slot on its bodies.
static void assemble_panel(rvSolver* solver, const rvColumn* c, size_t panelSize)
{
    const rvStructure* s = &solver->structure;
    const rvRows* rows = solver->rows;
    double* own = solver->matrix + c->panel;
    int n = c->width;
    memset(own, 0, panelSize * sizeof(double));
    ptrdiff_t at = (ptrdiff_t)n * n;
    for (int i = c->firstBelow; i < c->firstBelow + c->belowCount; ++i) {
        solver->blockAt[s->below[i]] = at;
        at += (ptrdiff_t)s->columns[s->below[i]].width * n;
    }
    for (int i = c->firstSlot; i < c->firstSlot + c->slotCount; ++i) {
        if (s->slotPlace[i] < 0)
            continue;
        const double* j = rows->entries + rows->slots[i].firstEntry;
        const double* w = solver->weighted + rows->slots[i].firstEntry;
        if (n == 3)
            add_own(own, j, w, 3);
        else
            add_own(own, j, w, n);
        int end = s->bodyFirst[rows->slots[i].body + 1];
        for (int p = s->slotPlace[i] + 1; p < end; ++p) {
            int other = s->bodySlots[p];
            int column = s->slotColumn[other];
            int count = s->columns[column].width;
            const double* otherJ = rows->entries + rows->slots[other].firstEntry;
            if (n == 3 && count == 3)
                add_block(own + solver->blockAt[column], otherJ, 3, w, 3);
            else
                add_block(own + solver->blockAt[column], otherJ, count, w, n);
        }
    }
    add_compliance(solver, c, own);
    note_diagonal(solver, c, own, n + 1);
}

void rv_system_invert_diagonal(rvSolver* solver, const rvIsland* island)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i) {
            double d = solver->diagonal[i];
            solver->inverseDiagonal[i] = d > 0.0 ? 1.0 / d : 0.0;
            if (rv_row_is_bounded(&solver->rows->rows[i]))
                solver->factor.pivotInstead[i] = RV_INVERSE_OF_BOUNDED * solver->inverseDiagonal[i];
        }
}

// Without room for S: its diagonal only.
static void assemble_diagonal(rvSolver* solver, const rvColumn* c)
{
    const rvRows* rows = solver->rows;
    const double* block = rows->groups[c->group].block;
    double* d = solver->diagonal + c->firstRow;
    for (int r = 0; r < c->rowCount; ++r)
        d[r] = rows->groups[c->group].inside ? 0.0
               : block                       ? block[r * c->rowCount + r]
                                             : rows->rows[c->firstRow + r].compliance;
    for (int i = c->firstSlot; i < c->firstSlot + c->slotCount; ++i) {
        const double* j = rows->entries + rows->slots[i].firstEntry;
        const double* w = solver->weighted + rows->slots[i].firstEntry;
        for (int r = 0; r < c->width; ++r)
            d[r] += rv_dot6(j + 6 * r, w + 6 * r);
    }
    note_diagonal(solver, c, d, 1);
}

void rv_system_assemble(rvSolver* solver, const rvIsland* island, bool matrix)
{
    const rvColumn* columns = solver->structure.columns + island->firstColumn;
    solver->factored = false;
    solver->bounded = false;
    solver->leaning = false;
    solver->inside = solver->inexact = false;
    solver->soft = 0.0;
    solver->speed = 0.0;
    for (int k = 0; k < island->columnCount; ++k) {
        const rvInside* inside = solver->rows->groups[columns[k].group].inside;
        solver->inside |= inside != NULL;
        solver->inexact |= inside && !inside->exact;
        if (columns[k].rowCount == 3)
            note_column(solver, &columns[k], 3);
        else
            note_column(solver, &columns[k], columns[k].rowCount);
    }
    for (int k = 0; k < island->columnCount; ++k) {
        size_t end = k + 1 < island->columnCount ? columns[k + 1].panel : island->size;
        if (matrix)
            assemble_panel(solver, &columns[k], end - columns[k].panel);
        else
            assemble_diagonal(solver, &columns[k]);
    }
    if (solver->bounded)
        rv_system_invert_diagonal(solver, island);
}

INLINE bool takes_part(const rvSolver* solver, int row, int which)
{
    return which == RV_PUSH_ALL || (solver->masked[row] ? RV_PUSH_BOUND : RV_PUSH_FREE) == which;
}

INLINE void push_column(rvSolver* solver, const rvColumn* c, const double* x, int which, int n)
{
    const rvStructure* s = &solver->structure;
    for (int i = c->firstSlot; i < c->firstSlot + c->slotCount; ++i) {
        const rvSlot* slot = &solver->rows->slots[i];
        double* push = solver->push[slot->body];
        // the first slot of a body in the order of columns begins its sum; a body that nothing pushes stays at 0
        if (s->slotPlace[i] == s->bodyFirst[slot->body] || s->slotPlace[i] < 0)
            memset(push, 0, sizeof(*solver->push));
        if (s->slotPlace[i] < 0)
            continue;
        const double* w = solver->weighted + slot->firstEntry;
        for (int r = 0; r < n; ++r)
            if (takes_part(solver, c->firstRow + r, which))
                rv_add6(push, w + 6 * r, x[c->firstRow + r]);
    }
}

void rv_system_push(rvSolver* solver, const rvIsland* island, const double* x, int which)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        if (which == RV_PUSH_ALL && c->rowCount == 3)
            push_column(solver, c, x, RV_PUSH_ALL, 3);
        else
            push_column(solver, c, x, which, c->rowCount);
}

// The same of a group with rows inside.
static void comply_inside(const rvSolver* solver, const rvColumn* c, const double* x, int which, double* y)
{
    const rvInside* inside = solver->rows->groups[c->group].inside;
    double* part = solver->part + c->firstRow;
    for (int r = 0; r < c->rowCount; ++r)
        part[r] = takes_part(solver, c->firstRow + r, which) ? x[r] : 0.0;
    inside->apply(inside->object, part, y);
    for (int r = c->width; solver->soft > 0.0 && r < c->rowCount; ++r)
        if (rv_row_leans(&solver->rows->rows[c->firstRow + r]))
            y[r] += solver->soft * solver->diagonal[c->firstRow + r] * part[r];
}

// y = C x of a column, over the rows that take part.
INLINE void comply(const rvSolver* solver, const rvColumn* c, const double* x, int which, double* y, int n)
{
    const rvRow* rows = solver->rows->rows + c->firstRow;
    const double* block = solver->rows->groups[c->group].block;
    if (solver->rows->groups[c->group].inside) {
        comply_inside(solver, c, x, which, y);
        return;
    }
    for (int r = 0; r < n; ++r)
        y[r] = !block && takes_part(solver, c->firstRow + r, which) ? rows[r].compliance * x[r] : 0.0;
    for (int q = 0; block && q < n; ++q)
        if (takes_part(solver, c->firstRow + q, which))
            rv_add_scaled(y, block + q * n, x[q], n); // it is symmetric
}

INLINE void apply_column(const rvSolver* solver, const rvColumn* c, double* y, int n)
{
    const rvRows* rows = solver->rows;
    for (int i = c->firstSlot; i < c->firstSlot + c->slotCount; ++i) {
        const double* j = rows->entries + rows->slots[i].firstEntry;
        const double* push = solver->push[rows->slots[i].body];
        for (int r = 0; r < n; ++r)
            y[r] += rv_dot6(j + 6 * r, push);
    }
}

void rv_system_apply(rvSolver* solver, const rvIsland* island, const double* x, int which, double* out)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c) {
        double* y = out + c->firstRow;
        if (which == RV_PUSH_ALL && c->rowCount == 3) {
            comply(solver, c, x + c->firstRow, RV_PUSH_ALL, y, 3);
            apply_column(solver, c, y, 3);
        } else {
            comply(solver, c, x + c->firstRow, which, y, c->rowCount);
            apply_column(solver, c, y, c->rowCount);
        }
    }
}

double rv_system_residual(rvSolver* solver, const rvIsland* island)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    double worst = 0.0;
    rv_system_push(solver, island, solver->x, RV_PUSH_ALL);
    rv_system_apply(solver, island, solver->x, RV_PUSH_ALL, solver->residual);
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i) {
            solver->residual[i] -= solver->right[i];
            bool idle = solver->masked[i] || !(solver->diagonal[i] > 0.0); // that no impulse moves: nothing can be done
            double size = idle ? 0.0 : fabs(solver->residual[i]);
            worst = size > worst ? size : worst;
        }
    return worst;
}

void rv_system_move(rvSolver* solver, const rvIsland* island)
{
    const rvStructure* s = &solver->structure;
    for (int k = island->firstColumn; k < island->firstColumn + island->columnCount; ++k)
        for (int i = s->columns[k].firstSlot; i < s->columns[k].firstSlot + s->columns[k].slotCount; ++i) {
            int body = solver->rows->slots[i].body;
            if (s->slotPlace[i] == s->bodyFirst[body])
                rv_add6(solver->bodies->velocity[body], solver->push[body], 1.0);
        }
}

// Takes the rows of `masked` out of a panel: zero row and column, infinite diagonal.
static void mask_panel(rvSolver* solver, const rvColumn* c)
{
    const rvStructure* s = &solver->structure;
    double* own = solver->factor.values + c->panel;
    int n = c->width, rows = n; // of the panel
    const int8_t* masked = solver->masked + c->firstRow;
    double* y = own + n * n;
    for (int i = c->firstBelow; i < c->firstBelow + c->belowCount; ++i) {
        const rvColumn* k = &s->columns[s->below[i]];
        for (int r = 0; r < k->width; ++r, y += n)
            if (solver->masked[k->firstRow + r])
                memset(y, 0, (size_t)n * sizeof(double));
        rows += k->width;
    }
    for (int q = 0; q < n; ++q) {
        if (!masked[q])
            continue;
        memset(own + q * n, 0, (size_t)q * sizeof(double));
        own[q * n + q] = HUGE_VAL;
        for (int r = q + 1; r < rows; ++r)
            own[r * n + q] = 0.0;
    }
}

// Rows inside are held as the modes say, and C of the others is what is then left of it.
static void add_inside(rvSolver* solver, const rvColumn* c)
{
    const rvInside* inside = solver->rows->groups[c->group].inside;
    const double* block = inside->hold(inside->object, solver->masked + c->firstRow, solver->soft);
    double* own = solver->factor.values + c->panel;
    int n = c->width;
    for (int r = 0; r < n; ++r)
        for (int q = 0; q <= r; ++q)
            own[r * n + q] += block[r * n + q];
    // a port whose node lies on the ground has little left of what it has in the air: that is no round-off
    for (int r = 0; r < n; ++r)
        solver->factor.pivotFloor[c->firstRow + r] = RV_PIVOT_NOISE * own[r * n + r];
}

static void copy_masked(rvSolver* solver, const rvIsland* island)
{
    memcpy(solver->factor.values, solver->matrix, island->size * sizeof(double));
    for (int k = island->firstColumn; solver->inside && k < island->firstColumn + island->columnCount; ++k)
        if (solver->rows->groups[solver->structure.columns[k].group].inside)
            add_inside(solver, &solver->structure.columns[k]);
    for (int k = island->firstColumn; solver->bounded && k < island->firstColumn + island->columnCount; ++k)
        mask_panel(solver, &solver->structure.columns[k]);
    ++solver->pivots;
}

void rv_system_factor(rvSolver* solver, const rvIsland* island)
{
    if (solver->factored)
        return;
    copy_masked(solver, island);
    rv_factor_compute(&solver->structure, island, &solver->factor);
    solver->factored = true;
}

void rv_system_solve(rvSolver* solver, const rvIsland* island, double* x)
{
    const rvColumn *first = solver->structure.columns + island->firstColumn, *end = first + island->columnCount;
    for (const rvColumn* c = first; solver->inside && c < end; ++c) {
        const rvInside* inside = solver->rows->groups[c->group].inside;
        if (inside)
            inside->reduce(inside->object, x + c->firstRow);
    }
    rv_factor_solve(&solver->structure, island, &solver->factor, x);
    for (const rvColumn* c = first; solver->inside && c < end; ++c) {
        const rvInside* inside = solver->rows->groups[c->group].inside;
        if (inside)
            inside->complete(inside->object, x + c->firstRow);
    }
}

void rv_system_factor_shifted(rvSolver* solver, const rvIsland* island)
{
    const rvStructure* s = &solver->structure;
    copy_masked(solver, island);
    for (int k = island->firstColumn; k < island->firstColumn + island->columnCount; ++k)
        for (int r = 0; r < s->columns[k].width; ++r)
            solver->factor.values[s->columns[k].panel + (size_t)(r * (s->columns[k].width + 1))] +=
                solver->shift[s->columns[k].firstRow + r];
    rv_factor_compute(s, island, &solver->factor);
    solver->factored = false;
}

double rv_system_violation(const rvSolver* solver, const rvIsland* island, int* worstGroup)
{
    const rvStructure* s = &solver->structure;
    double worst = 0.0;
    for (int k = island->firstColumn; k < island->firstColumn + island->columnCount; ++k) {
        const rvColumn* c = &s->columns[k];
        for (int r = 0; r < c->rowCount; ++r) {
            int i = c->firstRow + r;
            const rvRow* row = &solver->rows->rows[i];
            double violation = rv_row_violation(row, solver->x[i], solver->residual[i], solver->diagonal[i],
                                                solver->inverseDiagonal[i],
                                                rv_row_bounds(row, rv_row_lean(row, solver->x + c->firstRow)));
            if (solver->diagonal[i] > 0.0 && violation > worst) {
                worst = violation;
                *worstGroup = c->group;
            }
        }
    }
    return worst;
}
