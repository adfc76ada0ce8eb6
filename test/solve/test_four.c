// SPDX-License-Identifier: MIT
#include "rig.h"
#include "solve/system.h"

enum { BODIES = 5, GROUPS = 7, MOST_ROWS = 20 };

// Groups of one to eight rows, and one of twenty, on one or two of the bodies, one of which nothing pushes; every third
// group has a block.
static void add_groups(Rig* rig, double (*blocks)[MOST_ROWS * MOST_ROWS])
{
    memset(rig->inverse[BODIES - 1], 0, sizeof *rig->inverse);
    for (int g = 0; g < GROUPS; ++g) {
        int bodies[2] = {rig_pick(rig, BODIES - 1), BODIES - 1}, n = 1 + rig_pick(rig, 8);
        n = g == 0 ? 1 : g == 1 ? 6 : g == 2 ? MOST_ROWS : n;
        if (rig_pick(rig, 3))
            bodies[1] = (bodies[0] + 1) % (BODIES - 1);
        int group = rig_add(rig, RV_GROUP_CABLE, n, bodies, 2);
        for (int r = 0; r < n; ++r) {
            rvRow* row = &rv_group_rows(&rig->rows, group)[r];
            row->compliance = blocks[g][r * n + r] = rig_random(rig, 1.0, 2.0);
            row->lower = rig_pick(rig, 2) ? -0.1 : -HUGE_VAL;
            for (int q = 0; q < r; ++q)
                blocks[g][r * n + q] = blocks[g][q * n + r] = rig_random(rig, -0.1, 0.1);
        }
        if (g % 3 == 0)
            rig->rows.groups[group].block = blocks[g];
    }
}

// x_F for one right side, by the parts that it has alone.
static void solve_alone(rvSolver* solver, const rvIsland* island, double* x, bool withRight)
{
    rv_system_push(solver, island, x, RV_PUSH_BOUND);
    rv_system_apply(solver, island, x, RV_PUSH_BOUND, solver->work);
    for (int i = 0; i < solver->rows->rowCount; ++i)
        solver->work[i] = solver->masked[i] ? 0.0 : (withRight ? solver->right[i] : 0.0) - solver->work[i];
    rv_factor_solve(&solver->structure, island, &solver->factor, solver->work);
    for (int i = 0; i < solver->rows->rowCount; ++i)
        if (!solver->masked[i])
            x[i] = solver->work[i];
}

static void FourRightSidesAreSolvedAsOneByOne(void** state)
{
    (void)state;
    int bound = 0;
    for (uint64_t seed = 0; seed < 100; ++seed) {
        static double blocks[GROUPS][MOST_ROWS * MOST_ROWS];
        Rig rig = rig_make(BODIES, GROUPS * MOST_ROWS, GROUPS, 1.0, seed);
        add_groups(&rig, blocks);
        rvSolveReport report = rig_solve(&rig);
        rvSolver* solver = rig.solver;
        int withRight = (int)(seed % 5) - 1; // a lane, or none
        // the workspace is that of the last island
        const rvIsland* island = &solver->structure.islands[report.islands - 1];
        const rvColumn* columns = &solver->structure.columns[island->firstColumn];
        double x[4][GROUPS * MOST_ROWS] = {0};
        assert_true(solver->factored);
        for (int lane = 0; lane < 4; ++lane)
            for (int i = 0; i < rig.rows.rowCount; ++i) {
                x[lane][i] = solver->masked[i] ? rig_random(&rig, -1.0, 1.0) : 0.0;
                solver->four[i][lane] = x[lane][i];
                bound += solver->masked[i];
            }
        rv_four_solve_free(solver, island, withRight);
        for (int lane = 0; lane < 4; ++lane) {
            solve_alone(solver, island, x[lane], lane == withRight);
            for (int k = 0; k < island->columnCount; ++k)
                for (int i = columns[k].firstRow; i < columns[k].firstRow + columns[k].rowCount; ++i)
                    assert_true(solver->four[i][lane] == x[lane][i]);
        }
        rig_release(&rig);
    }
    assert_true(bound > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(FourRightSidesAreSolvedAsOneByOne)};
    return RUN_TESTS(tests);
}
