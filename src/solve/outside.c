// SPDX-License-Identifier: MIT
// Rows that somebody else solved: their impulses, modes and velocities as the solver would have left them.
//
// An iterative solver stops a little beside its bounds: what is within NEAR of one, of the size of the impulse and of
// the bounds, is at it.
#include "math/sym3.h"
#include "solve/system.h"

#define NEAR 1e-6

static void settle_row(rvRow* row, const double* x, double impulse)
{
    rvBounds b = rv_row_bounds(row, rv_row_lean(row, x));
    double size = fabs(impulse);
    size = fmax(size, isfinite(b.lower) ? fabs(b.lower) : 0.0);
    size = fmax(size, isfinite(b.upper) ? fabs(b.upper) : 0.0);
    row->impulse = fmax(b.lower, fmin(b.upper, impulse));
    row->mode = RV_ROW_FREE;
    if (impulse <= b.lower + NEAR * size && b.lower > -HUGE_VAL)
        row->mode = RV_ROW_LOWER;
    else if (impulse >= b.upper - NEAR * size && b.upper < HUGE_VAL)
        row->mode = RV_ROW_UPPER;
}

static void push_body(const double m[7], double v[6], const double j[6], double x)
{
    rvVec3 w = rv_sym3_vec(m + 1, rvVec(j[3], j[4], j[5]));
    const double turn[3] = {w.x, w.y, w.z};
    for (int k = 0; k < 3; ++k) {
        v[k] += m[0] * j[k] * x;
        v[k + 3] += turn[k] * x;
    }
}

void rv_rows_take_solution(rvRows* rows, rvSolveBodies* bodies, const double* impulses)
{
    for (int g = 0; g < rows->groupCount; ++g) {
        const rvRowGroup* group = &rows->groups[g];
        rvRow* row = rv_group_rows(rows, g);
        for (int r = 0; r < group->rowCount; ++r)
            settle_row(&row[r], impulses + group->firstRow, impulses[group->firstRow + r]);
        for (int slot = 0; slot < group->slotCount; ++slot) {
            int body = rows->slots[group->firstSlot + slot].body;
            for (int r = 0; r < group->rowCount; ++r)
                push_body(bodies->inverse[body], bodies->velocity[body], rv_group_jacobian(rows, g, slot)[r],
                          row[r].impulse);
        }
    }
}
