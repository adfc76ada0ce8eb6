// SPDX-License-Identifier: MIT
#include "rig.h"

#define BODIES 3

// One row over up to three bodies, of which one may be prescribed: with and without bounds (open, closed, crossed),
// with the compliance of its own or of a block, from any guess.
static void add_row(Rig* rig, double* block)
{
    const int bodies[BODIES] = {0, 1, 2};
    int group = rig_add(rig, RV_GROUP_CABLE, 1, bodies, 1 + rig_pick(rig, BODIES));
    rvRow* row = rv_group_rows(&rig->rows, group);
    double low = rig_random(rig, -0.5, 0.5), high = rig_random(rig, -0.5, 0.5);
    int kind = rig_pick(rig, 5);
    row->lower = kind == 0 ? -HUGE_VAL : kind == 1 ? 0.0 : low;
    row->upper = kind <= 1 ? HUGE_VAL : kind == 2 ? low : high; // the last two may be crossed
    row->mode = (int16_t)(rig_pick(rig, 3) - 1);
    row->impulse = rig_random(rig, -1.0, 1.0);
    row->compliance = *block = rig_pick(rig, 3) ? rig_random(rig, 0.0, 2.0) : 0.0;
    rig->rows.groups[group].block = rig_pick(rig, 2) ? block : NULL;
    for (int s = 0; rig_pick(rig, 10) == 0 && s < rig->rows.groups[group].slotCount; ++s)
        memset(rv_group_jacobian(&rig->rows, group, s), 0, 6 * sizeof(double));
    if (rig_pick(rig, 2))
        memset(rig->inverse[2], 0, sizeof *rig->inverse);
}

// The same row beside one that asks for nothing is solved by the general way.
static void add_idle_row(Rig* rig)
{
    const int first = 0;
    int group = rig_add(rig, RV_GROUP_CABLE, 1, &first, 1);
    memset(rv_group_jacobian(&rig->rows, group, 0), 0, 6 * sizeof(double));
    rvRow* row = rv_group_rows(&rig->rows, group);
    row->compliance = 1.0;
    row->bias = 0.0;
}

static void RowByItselfIsSolvedAsAmongOthers(void** state)
{
    (void)state;
    int atBound = 0, open = 0;
    for (uint64_t seed = 0; seed < 600; ++seed) {
        double block[2];
        Rig rig[2];
        rvSolveReport report[2];
        for (int k = 0; k < 2; ++k) {
            rig[k] = rig_make(BODIES, 2, 2, 3.0, seed);
            add_row(&rig[k], &block[k]);
            if (k == 1)
                add_idle_row(&rig[k]);
            report[k] = rig_solve(&rig[k]);
        }
        const rvRow *lone = &rig[0].rows.rows[0], *among = &rig[1].rows.rows[0];
        assert_memory_equal(&lone->impulse, &among->impulse, sizeof(double));
        assert_int_equal(lone->mode, among->mode);
        assert_memory_equal(rig[0].bodies.velocity, rig[1].bodies.velocity, BODIES * sizeof(*rig[0].start));
        assert_int_equal(report[0].pivots, report[1].pivots);
        assert_int_equal(report[0].fallbacks, report[1].fallbacks);
        assert_int_equal(report[0].islands, 1);
        assert_memory_equal(&report[0].residual, &report[1].residual, sizeof(double));
        assert_int_equal(report[0].worstGroup, report[1].worstGroup);
        atBound += lone->mode != RV_ROW_FREE;
        open += lone->mode == RV_ROW_FREE;
        rig_release(&rig[0]);
        rig_release(&rig[1]);
    }
    assert_in_range(atBound, 100, 500); // both kinds were among them
    assert_in_range(open, 100, 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(RowByItselfIsSolvedAsAmongOthers)};
    return RUN_TESTS(tests);
}
