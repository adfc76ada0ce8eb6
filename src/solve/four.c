// SPDX-License-Identifier: MIT
// Four right sides at a time, one a lane: what a factor and the rows cost to walk is paid once for all four. Every lane
// goes through the operations of one right side in their order (system.c, factor.c), so it has the same bits.
#include "solve/system.h"

#include <string.h>

// push = W x over the rows at a bound.
RV_KERNEL void push_bound(rvSolver* solver, const rvColumn* c)
{
    const rvStructure* s = &solver->structure;
    for (int i = c->firstSlot; i < c->firstSlot + c->slotCount; ++i) {
        const rvSlot* slot = &solver->rows->slots[i];
        rvFour* push = solver->fourPush + 6 * (ptrdiff_t)slot->body;
        if (s->slotPlace[i] == s->bodyFirst[slot->body] || s->slotPlace[i] < 0)
            memset(push, 0, 6 * sizeof *push);
        if (s->slotPlace[i] < 0)
            continue;
        const double* w = solver->weighted + slot->firstEntry;
        for (int r = 0; r < c->rowCount; ++r, w += 6)
            for (int k = 0; solver->masked[c->firstRow + r] && k < 6; ++k)
                push[k] += w[k] * solver->four[c->firstRow + r];
    }
}

// work -= J push + C x of the rows at a bound, on the free rows; 0 on the others.
RV_KERNEL void take_bound(rvSolver* solver, const rvColumn* c)
{
    const rvRows* rows = solver->rows;
    const double* block = rows->groups[c->group].block;
    const rvFour* x = solver->four + c->firstRow;
    const int8_t* masked = solver->masked + c->firstRow;
    int n = c->rowCount;
    for (int r = 0; r < n; ++r) {
        rvFour y = {0.0}; // a free row takes no part in C x by its own compliance
        if (masked[r]) {
            solver->fourWork[c->firstRow + r] = y;
            continue;
        }
        for (int q = 0; block && q < n; ++q)
            if (masked[q])
                y += block[r * n + q] * x[q];
        for (int i = c->firstSlot; i < c->firstSlot + c->slotCount; ++i) {
            const double* j = rows->entries + rows->slots[i].firstEntry + 6 * r;
            const rvFour* p = solver->fourPush + 6 * (ptrdiff_t)rows->slots[i].body;
            y += (j[0] * p[0] + j[2] * p[2] + j[4] * p[4]) + (j[1] * p[1] + j[3] * p[3] + j[5] * p[5]); // as rv_dot6
        }
        solver->fourWork[c->firstRow + r] -= y;
    }
}

RV_KERNEL void forward(const rvStructure* s, const rvColumn* c, const rvFactor* factor, rvFour* x, rvFour* w, int n)
{
    const double* own = factor->values + c->panel;
    const double* inverse = factor->inversePivot + c->firstRow;
    rvFour* z = x + c->firstRow;
    const int* live = factor->live + c->firstRow;
    int m = n > RV_WIDE ? rv_live_count(live, n) : 0;
    for (int k = 0; k < m; ++k)
        for (int j = k + 1; j < m; ++j)
            z[live[j]] -= own[k * m + j] * z[live[k]];
    for (int j = 0; j < n; ++j) {
        rvFour sum = z[j];
        for (int k = 0; n <= RV_WIDE && k < j; ++k)
            sum -= own[j * n + k] * z[k];
        z[j] = sum;
        w[j] = sum * inverse[j];
    }
    const double* y = own + n * n;
    for (int a = 0; a < c->belowCount; ++a) {
        const rvColumn* k = &s->columns[s->below[c->firstBelow + a]];
        rvFour* b = x + k->firstRow;
        for (int r = 0; r < k->width; ++r, y += n) {
            rvFour sum = y[0] * w[0];
            for (int j = 1; j < n; ++j)
                sum += y[j] * w[j];
            b[r] -= sum;
        }
    }
}

RV_DEFINE_BACKWARD(backward, rvFour)

// A kernel for the column's width, compiled apart for the usual ones.
#define BY_WIDTH(kernel, ...)                                                                                          \
    {                                                                                                                  \
        if (c->rowCount == 1)                                                                                          \
            kernel(__VA_ARGS__, 1);                                                                                    \
        else if (c->rowCount == 6)                                                                                     \
            kernel(__VA_ARGS__, 6);                                                                                    \
        else                                                                                                           \
            kernel(__VA_ARGS__, c->rowCount);                                                                          \
    }

RV_KERNEL void solve_free(rvSolver* solver, const rvIsland* island)
{
    const rvStructure* s = &solver->structure;
    const rvColumn *first = s->columns + island->firstColumn, *end = first + island->columnCount;
    for (const rvColumn* c = first; c < end; ++c)
        push_bound(solver, c);
    for (const rvColumn* c = first; c < end; ++c)
        take_bound(solver, c);
    for (const rvColumn* c = first; c < end; ++c)
        BY_WIDTH(forward, s, c, &solver->factor, solver->fourWork, solver->fourTile)
    for (const rvColumn* c = end - 1; c >= first; --c)
        BY_WIDTH(backward, s, c, &solver->factor, solver->fourWork)
    for (const rvColumn* c = first; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i)
            if (!solver->masked[i])
                solver->four[i] = solver->fourWork[i];
}

RV_WITH_AVX static void solve_free_avx(rvSolver* solver, const rvIsland* island)
{
    solve_free(solver, island);
}

void rv_four_solve_free(rvSolver* solver, const rvIsland* island, int withRight)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i)
            solver->fourWork[i] = rv_in_lane(solver->right[i], withRight);
    if (RV_HAS_AVX)
        solve_free_avx(solver, island);
    else
        solve_free(solver, island);
}
