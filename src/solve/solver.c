// SPDX-License-Identifier: MIT
// The driver: structure, then island after island: assemble, pivot, move the bodies, report.
//
// v' = v + M^-1 J^T x,  S x = bias - J v on free rows,  S = J M^-1 J^T + C.
// An island whose factor does not fit, or whose bounds do not settle, is swept instead and counted as a fallback.
// With rows inside it is left to the caller, who has these rows as a dense block then.
// An island whose numbers overflow is left as it was (impulses 0) and counted too: nothing that is not finite comes out
// of finite input.
#include "solve/solver.h"

#include <stdint.h>
#include <string.h>

#include "solve/system.h"

enum { SWEEPS = 50, MOST_LEAN = 2048 };
#define MOST_MISSED 1e-3 // [m/s], by rows of an island whose bounds settled; a step allows as much

rvSolver* rv_solver_create(rvMemory* memory)
{
    return rv_memory_take(memory, sizeof(rvSolver));
}

void rv_solver_destroy(rvSolver* solver, rvMemory* memory)
{
    if (!solver)
        return;
    rv_memory_give(memory, solver->block, solver->blockSize);
    rv_memory_give(memory, solver, sizeof(rvSolver));
}

// The next piece of a block; with block NULL only counts.
static void* carve(char* block, size_t* used, size_t count, size_t size)
{
    void* piece = block ? block + *used : NULL;
    *used += (count * size + 15) / 16 * 16;
    return piece;
}

static void carve_structure(rvStructure* s, char* block, size_t* used)
{
    size_t groups = (size_t)s->groupCapacity, slots = (size_t)s->slotCapacity, bodies = (size_t)s->bodyCapacity;
    int** byGroup[] = {&s->islandOf,  &s->islandGroups, &s->columnOf, &s->degree,       &s->heap,
                       &s->heapPlace, &s->mark,         &s->touched,  &s->elementFirst, &s->elementCount};
    int** bySlot[] = {&s->slotKeys, &s->slotColumn, &s->slotPlace, &s->bodySlots, &s->elements, &s->bodyGroups};
    int** byElement[] = {&s->listFirst, &s->listCount, &s->listWeight, &s->outside, &s->outsideMark};
    s->groupKeys = carve(block, used, groups, sizeof(rvGroupKey));
    s->islands = carve(block, used, groups, sizeof(rvIsland));
    s->columns = carve(block, used, groups, sizeof(rvColumn));
    s->bodyFirst = carve(block, used, bodies + 1, sizeof(int));
    for (size_t i = 0; i < sizeof(byGroup) / sizeof(*byGroup); ++i)
        *byGroup[i] = carve(block, used, groups, sizeof(int));
    for (size_t i = 0; i < sizeof(bySlot) / sizeof(*bySlot); ++i)
        *bySlot[i] = carve(block, used, slots, sizeof(int));
    for (size_t i = 0; i < sizeof(byElement) / sizeof(*byElement); ++i)
        *byElement[i] = carve(block, used, bodies + groups, sizeof(int));
    s->below = carve(block, used, (size_t)s->belowCapacity, sizeof(int));
}

static size_t carve_solver(rvSolver* solver, char* block)
{
    size_t used = 0;
    size_t rows = (size_t)solver->rowCapacity, lean = (size_t)solver->leanCapacity;
    rvFactor* f = &solver->factor;
    double** byRow[] = {
        &solver->x,       &solver->right,      &solver->residual,   &solver->diagonal, &solver->inverseDiagonal,
        &solver->work,    &solver->value,      &solver->leanAt,     &f->inversePivot,  &f->pivotFloor,
        &f->pivotInstead, &solver->priceLower, &solver->priceUpper, &solver->shift,    &solver->part};
    carve_structure(&solver->structure, block, &used);
    for (size_t i = 0; i < sizeof(byRow) / sizeof(*byRow); ++i)
        *byRow[i] = carve(block, &used, rows, sizeof(double));
    f->tile = carve(block, &used, rows * RV_TILE_ROWS, sizeof(double));
    solver->masked = carve(block, &used, rows, 1);
    solver->mode = carve(block, &used, rows, 1);
    solver->wanted = carve(block, &used, rows, 1);
    solver->sourceOf = carve(block, &used, rows, sizeof(int));
    f->live = carve(block, &used, rows, sizeof(int));
    solver->sources = carve(block, &used, 2 * lean, sizeof(int));
    solver->lean = carve(block, &used, lean, sizeof(double));
    size_t directions = RV_LEAN_DIRECTIONS + 1;
    solver->leanMatrix =
        carve(block, &used, directions * (lean + directions) + RV_LEAN_DENSE * RV_LEAN_DENSE, sizeof(double));
    rvFour** fours[] = {&solver->four, &solver->fourWork, &solver->fourTile};
    for (size_t i = 0; i < sizeof(fours) / sizeof(*fours); ++i)
        *fours[i] = carve(block, &used, rows, sizeof(rvFour));
    solver->fourPush = carve(block, &used, 6 * (size_t)solver->structure.bodyCapacity, sizeof(rvFour));
    solver->blockAt = carve(block, &used, (size_t)solver->structure.groupCapacity, sizeof(ptrdiff_t));
    solver->push = carve(block, &used, (size_t)solver->structure.bodyCapacity, sizeof(*solver->push));
    solver->weighted = carve(block, &used, (size_t)solver->entryCapacity, sizeof(double));
    solver->matrix = carve(block, &used, solver->structure.sizeLimit, sizeof(double));
    f->values = carve(block, &used, solver->structure.sizeLimit, sizeof(double));
    return used;
}

// An eighth of the factor's room goes to the below lists, the rest in halves to S and its factor.
bool rv_solver_reserve(rvSolver* solver, rvMemory* memory, int bodyCount, const rvRows* capacities, size_t factorBytes)
{
    const rvStructure* had = &solver->structure;
    if (solver->block && capacities->groupCapacity == had->groupCapacity &&
        capacities->slotCapacity == had->slotCapacity && bodyCount <= had->bodyCapacity &&
        capacities->rowCapacity == solver->rowCapacity && capacities->entryCapacity == solver->entryCapacity &&
        factorBytes == solver->factorBytes)
        return true;
    // the others come in doublings already
    if (bodyCount <= had->bodyCapacity)
        bodyCount = had->bodyCapacity;
    else if (bodyCount < 2 * had->bodyCapacity)
        bodyCount = 2 * had->bodyCapacity;
    rvSolver next = {.factorBytes = factorBytes};
    size_t lists = factorBytes / 8 / sizeof(int);
    next.structure.groupCapacity = capacities->groupCapacity;
    next.structure.slotCapacity = capacities->slotCapacity;
    next.structure.bodyCapacity = bodyCount;
    next.structure.belowCapacity = lists < INT32_MAX ? (int)lists : INT32_MAX;
    next.structure.sizeLimit = (factorBytes - factorBytes / 8) / (2 * sizeof(double));
    next.rowCapacity = capacities->rowCapacity;
    next.entryCapacity = capacities->entryCapacity;
    next.leanCapacity = next.rowCapacity < MOST_LEAN ? next.rowCapacity : MOST_LEAN;
    next.blockSize = carve_solver(&next, NULL);
    next.block = rv_memory_take(memory, next.blockSize);
    if (!next.block)
        return false;
    carve_solver(&next, next.block);
    rv_memory_give(memory, solver->block, solver->blockSize);
    *solver = next;
    return true;
}

// Impulses and modes from the rows, as guesses, or back to them.
static void load_guess(rvSolver* solver, const rvIsland* island)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i) {
            const rvRow* row = &solver->rows->rows[i];
            solver->x[i] = isfinite(row->impulse) ? row->impulse : 0.0;
            solver->mode[i] = (int8_t)((row->mode > 0) - (row->mode < 0));
            solver->masked[i] = 0;
        }
}

static void store_result(rvSolver* solver, const rvIsland* island)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i) {
            solver->rows->rows[i].impulse = solver->x[i];
            solver->rows->rows[i].mode = (int16_t)solver->mode[i];
        }
}

static bool is_finite(const rvSolver* solver, const rvIsland* island)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i)
            if (!isfinite(solver->x[i]) || !isfinite(solver->residual[i]))
                return false;
    return true;
}

static void set_impulses(rvSolver* solver, const rvIsland* island, const double* x)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i)
            solver->x[i] = x ? x[i] : 0.0;
    rv_system_residual(solver, island);
}

// Sweeps from where pivoting stopped (or from the guess), unless that was better.
static void sweep_island(rvSolver* solver, const rvIsland* island)
{
    int group;
    const rvColumn* columns = solver->structure.columns + island->firstColumn;
    rv_system_residual(solver, island);
    if (!is_finite(solver, island))
        set_impulses(solver, island, NULL);
    double before = rv_system_violation(solver, island, &group);
    for (int k = 0; k < island->columnCount; ++k)
        memcpy(solver->value + columns[k].firstRow, solver->x + columns[k].firstRow,
               (size_t)columns[k].rowCount * sizeof(double));
    rv_sweep(solver, island, SWEEPS);
    rv_system_residual(solver, island);
    if (!is_finite(solver, island) || rv_system_violation(solver, island, &group) > before)
        set_impulses(solver, island, solver->value);
}

static void note_violation(rvSolveReport* report, double violation, int group)
{
    if (violation > report->residual || (group >= 0 && report->worstGroup < 0)) {
        report->residual = violation;
        report->worstGroup = group;
    }
}

static void solve_island(rvSolver* solver, const rvIsland* island, rvSolveReport* report)
{
    const rvColumn* first = &solver->structure.columns[island->firstColumn];
    double lone;
    if (island->columnCount == 1 && first->rowCount == 1 && island->fits && rv_lone_solve(solver, first, &lone)) {
        note_violation(report, lone, lone > 0.0 ? first->group : -1);
        return;
    }
    rv_system_assemble(solver, island, island->fits);
    if (solver->bounded || !island->fits)
        load_guess(solver, island);
    int group = -1;
    double violation = HUGE_VAL;
    if (island->fits && rv_bounds_solve(solver, island) && is_finite(solver, island))
        violation = rv_system_violation(solver, island, &group);
    // modes that settled on what rounding leaves of soft rows (slack rope with friction) are no solution either
    bool missed = violation == HUGE_VAL || (solver->bounded && violation > MOST_MISSED);
    if (missed && solver->inside) {
        ++report->undone;
        return;
    }
    if (missed) {
        ++report->fallbacks;
        sweep_island(solver, island);
        if (!is_finite(solver, island))
            set_impulses(solver, island, NULL);
        violation = rv_system_violation(solver, island, &group);
    }
    rv_system_move(solver, island);
    store_result(solver, island);
    note_violation(report, violation, group);
}

rvSolveReport rv_solver_solve(rvSolver* solver, rvRows* rows, rvSolveBodies* bodies)
{
    const rvStructure* s = &solver->structure;
    rvSolveReport report = {.worstGroup = -1};
    if (rows->groupCount > s->groupCapacity || rows->slotCount > s->slotCapacity || bodies->count > s->bodyCapacity ||
        rows->rowCount > solver->rowCapacity || rows->entryCount > solver->entryCapacity) {
        // more than was reserved: nothing can be solved, and the caller must see it
        report.fallbacks = 1;
        report.residual = HUGE_VAL;
        return report;
    }
    solver->rows = rows;
    solver->bodies = bodies;
    solver->pivots = 0;
    rv_structure_update(&solver->structure, rows, bodies);
    for (int i = 0; i < s->islandCount; ++i)
        solve_island(solver, &s->islands[i], &report);
    report.islands = s->islandCount;
    report.pivots = solver->pivots;
    return report;
}
