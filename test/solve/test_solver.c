// SPDX-License-Identifier: MIT
#include "rig.h"

#include "count_alloc.h"

// Solves a x = b by elimination with row exchange.
static void solve_dense(double* a, double* b, int n)
{
    for (int j = 0; j < n; ++j) {
        int p = j;
        for (int i = j + 1; i < n; ++i)
            p = fabs(a[i * n + j]) > fabs(a[p * n + j]) ? i : p;
        for (int k = 0; k < n; ++k) {
            double t = a[p * n + k];
            a[p * n + k] = a[j * n + k];
            a[j * n + k] = t;
        }
        double t = b[p];
        b[p] = b[j];
        b[j] = t;
        for (int i = j + 1; i < n; ++i) {
            double f = a[i * n + j] / a[j * n + j];
            for (int k = j; k < n; ++k)
                a[i * n + k] -= f * a[j * n + k];
            b[i] -= f * b[j];
        }
    }
    for (int j = n - 1; j >= 0; --j) {
        for (int k = j + 1; k < n; ++k)
            b[j] -= a[j * n + k] * b[k];
        b[j] /= a[j * n + j];
    }
}

// Groups of 1 to 7 rows over 1 to 4 of the bodies; some bodies are prescribed, some groups have a dense block.
static Rig random_rig(uint64_t seed, double decades, double (*block)[49])
{
    Rig rig = rig_make(12, 100, 16, decades, seed);
    for (int b = 0; b < 12; ++b)
        if (rig_pick(&rig, 6) == 0)
            memset(rig.inverse[b], 0, sizeof(rig.inverse[b]));
    int groupCount = 2 + rig_pick(&rig, 8);
    for (int g = 0; g < groupCount; ++g) {
        int first = rig_pick(&rig, 8);
        int bodies[4] = {first, first + 1, first + 2, first + 3 + rig_pick(&rig, 2)};
        int rowCount = 1 + rig_pick(&rig, 7);
        int group = rig_add(&rig, RV_GROUP_JOINT, rowCount, bodies, 1 + rig_pick(&rig, 4));
        for (int r = 0; r < rowCount; ++r)
            rv_group_rows(&rig.rows, group)[r].compliance = rig_random(&rig, 0.01, 0.1);
        if (rig_pick(&rig, 3) > 0)
            continue;
        rig.rows.groups[group].block = block[g];
        for (int i = 0; i < rowCount; ++i)
            for (int j = 0; j < rowCount; ++j)
                block[g][i * rowCount + j] = (i == j ? 1.0 : 0.0) + 0.1 / (1 + i + j);
    }
    return rig;
}

static void AgreesWithDenseElimination(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 400; ++seed) {
        double block[16][49];
        Rig rig = random_rig(seed, 1.0, block);
        int n = rig.rows.rowCount;
        double* matrix = calloc((size_t)(n * n), sizeof(double));
        double* right = calloc((size_t)n, sizeof(double));
        rig_dense(&rig, matrix, right);
        solve_dense(matrix, right, n);
        rvSolveReport report = rig_solve(&rig);
        assert_int_equal(report.fallbacks, 0);
        for (int i = 0; i < n; ++i)
            CHECK_NEAR(rig.rows.rows[i].impulse, right[i], 1e-9 * (1.0 + fabs(right[i]))); // condition up to 1e5
        CHECK_BELOW(rig_violation(&rig), 1e-10);                                           // two round-off paths
        free(matrix);
        free(right);
        rig_release(&rig);
    }
}

static void BoxBoundsHoldTheirConditions(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 2000; ++seed) {
        double block[16][49];
        Rig rig = random_rig(seed, 3.0, block); // mass ratios up to 1e6
        for (int i = 0; i < rig.rows.rowCount; ++i) {
            rvRow* row = &rig.rows.rows[i];
            double size = pow(10.0, rig_random(&rig, -3.0, 2.0));
            if (rig_pick(&rig, 3) > 0)
                row->lower = rig_pick(&rig, 2) ? 0.0 : -size;
            if (rig_pick(&rig, 3) > 0)
                row->upper = size;
            row->mode = (int16_t)(rig_pick(&rig, 3) - 1); // any guess
        }
        rvSolveReport report = rig_solve(&rig);
        assert_int_equal(report.fallbacks, 0);
        CHECK_BELOW(rig_violation(&rig), 1e-8); // condition up to 1e8, after refinement
        rig_release(&rig);
    }
}

static void ModesSayWhereRowsRest(void** state)
{
    (void)state;
    Rig rig = rig_make(1, 3, 3, 0.0, 1);
    int body = 0;
    for (int i = 0; i < 3; ++i) {
        int group = rig_add(&rig, RV_GROUP_JOINT, 1, &body, 1);
        double* j = rv_group_jacobian(&rig.rows, group, 0)[0];
        memset(j, 0, 6 * sizeof(double));
        j[i] = 1.0;
        rv_group_rows(&rig.rows, group)->bias = 5.0 * (i - 1);
        rv_group_rows(&rig.rows, group)->lower = -1.0;
        rv_group_rows(&rig.rows, group)->upper = 1.0;
        rig.start[0][i] = 0.0;
    }
    rig_solve(&rig);
    assert_int_equal(rig.rows.rows[0].mode, RV_ROW_LOWER);
    assert_int_equal(rig.rows.rows[1].mode, RV_ROW_FREE);
    assert_int_equal(rig.rows.rows[2].mode, RV_ROW_UPPER);
    assert_true(rig.rows.rows[0].impulse == -1.0 && rig.rows.rows[2].impulse == 1.0); // a bound is met exactly
    rig_release(&rig);
}

static void RedundantRowsDoNoHarm(void** state)
{
    (void)state;
    Rig rig = rig_make(4, 60, 20, 1.0, 3);
    rig_add_chain(&rig, 0, 3);
    int chainGroups = rig.rows.groupCount;
    for (int g = 0; g < chainGroups; ++g) { // each joint three times
        const rvRowGroup* group = &rig.rows.groups[g];
        int bodies[2] = {rig.rows.slots[group->firstSlot].body,
                         group->slotCount > 1 ? rig.rows.slots[group->firstSlot + 1].body : -1};
        for (int copy = 0; copy < 2; ++copy) {
            int twin = rv_rows_add(&rig.rows, RV_GROUP_JOINT, g, 3, bodies, group->slotCount);
            for (int s = 0; s < group->slotCount; ++s)
                memcpy(rv_group_jacobian(&rig.rows, twin, s), rv_group_jacobian(&rig.rows, g, s), 18 * sizeof(double));
            for (int r = 0; r < 3; ++r)
                rv_group_rows(&rig.rows, twin)[r].bias = rv_group_rows(&rig.rows, g)[r].bias;
        }
    }
    rvSolveReport report = rig_solve(&rig);
    assert_int_equal(report.fallbacks, 0);
    CHECK_BELOW(rig_violation(&rig), 1e-9); // no worse than without the copies, within refinement
    for (int i = 0; i < rig.rows.rowCount; ++i)
        CHECK_BELOW(fabs(rig.rows.rows[i].impulse), 1e3); // masses up to 10 kg, speeds of 1 m/s: no runaway
    rig_release(&rig);
}

static void ConflictingRowsStayFinite(void** state)
{
    (void)state;
    Rig rig = rig_make(1, 2, 2, 0.0, 5);
    int body = 0;
    for (int i = 0; i < 2; ++i) {
        int group = rig_add(&rig, RV_GROUP_JOINT, 1, &body, 1);
        for (int k = 0; k < 6; ++k)
            rv_group_jacobian(&rig.rows, group, 0)[0][k] = k == 2;
        rv_group_rows(&rig.rows, group)->bias = i;
    }
    rvSolveReport report = rig_solve(&rig);
    CHECK_NEAR(rig.bodies.velocity[0][2], 0.0, 1e-12); // the earlier row wins, to round-off
    CHECK_NEAR(report.residual, 1.0, 1e-12);           // and the report says by how much the other is missed
    rig_release(&rig);
}

static void FourContactsUnderABoxShareItsWeight(void** state)
{
    (void)state;
    for (int warped = 0; warped < 2; ++warped) {
        Rig rig = rig_make(1, 4, 1, 0.0, 5);
        int body = 0;
        int group = rig_add(&rig, RV_GROUP_CONTACT, 4, &body, 1);
        memset(rig.start[0], 0, sizeof(rig.start[0]));
        rig.start[0][2] = -1.0;
        double total = 0.0;
        for (int i = 0; i < 4; ++i) {
            double x = i & 1 ? 1.0 : -1.0, y = i & 2 ? 1.0 : -1.0;
            double j[6] = {0.0, 0.0, 1.0, y, -x, 0.0};
            memcpy(rv_group_jacobian(&rig.rows, group, 0)[i], j, sizeof(j));
            rv_group_rows(&rig.rows, group)[i].lower = 0.0;
            rv_group_rows(&rig.rows, group)[i].bias = warped && i == 3 ? -0.1 : 0.0;
        }
        rvSolveReport report = rig_solve(&rig);
        assert_int_equal(report.fallbacks, 0);
        for (int i = 0; i < 4; ++i)
            total += rig.rows.rows[i].impulse;
        if (!warped)
            CHECK_NEAR(total, 1.0 / rig.inverse[0][0], 1e-8); // all of the momentum; the redundant pivot is 1e-9
        CHECK_BELOW(rig_violation(&rig), 1e-8);
        rig_release(&rig);
    }
}

static void IslandsDoNotTouchEachOther(void** state)
{
    (void)state;
    Rig both = rig_make(9, 40, 20, 1.0, 11);
    rig_add_chain(&both, 0, 3);
    rig_add_chain(&both, 4, 8);
    rvSolveReport report = rig_solve(&both);
    assert_int_equal(report.islands, 2);
    assert_int_equal(report.pivots, 2);
    double before[4][6];
    memcpy(before, both.bodies.velocity, sizeof(before));
    both.start[6][1] += 1.0;
    rig_solve(&both);
    assert_memory_equal(before, both.bodies.velocity, sizeof(before));
    rig_release(&both);
}

static void PrescribedBodiesPartIslandsAndKeepTheirVelocity(void** state)
{
    (void)state;
    Rig rig = rig_make(5, 20, 10, 0.0, 12);
    memset(rig.inverse[2], 0, sizeof(rig.inverse[2]));
    rig_add_chain(&rig, 0, 4);
    rvSolveReport report = rig_solve(&rig);
    assert_int_equal(report.islands, 2);
    assert_memory_equal(rig.bodies.velocity[2], rig.start[2], sizeof(rig.start[2]));
    CHECK_BELOW(rig_violation(&rig), 1e-12); // two joints hold each neighbour: a small system
    rig_release(&rig);
}

static void KeptStructureGivesTheSameBits(void** state)
{
    (void)state;
    double block[16][49], block2[16][49];
    Rig kept = random_rig(21, 2.0, block), fresh = random_rig(21, 2.0, block2);
    for (int turn = 0; turn < 5; ++turn) {
        rig_solve(&kept);
        assert_true(rv_solver_reserve(fresh.solver, &fresh.memory, fresh.bodies.count, &fresh.rows, 1u << 20));
        rig_solve(&fresh);
        assert_memory_equal(kept.bodies.velocity, fresh.bodies.velocity, 12 * sizeof(*kept.start));
        for (int i = 0; i < kept.rows.rowCount; ++i)
            assert_true(kept.rows.rows[i].impulse == fresh.rows.rows[i].impulse);
        for (int b = 0; b < 12; ++b) {
            kept.start[b][turn] += 0.1;
            fresh.start[b][turn] += 0.1;
        }
    }
    rig_release(&kept);
    rig_release(&fresh);
}

static void NewGroupsAreSeen(void** state)
{
    (void)state;
    Rig rig = rig_make(6, 40, 20, 1.0, 31);
    rig_add_chain(&rig, 0, 2);
    rig_solve(&rig);
    rig_add_chain(&rig, 3, 5);
    assert_int_equal(rig_solve(&rig).islands, 2);
    CHECK_BELOW(rig_violation(&rig), 1e-10); // mass ratios of 100
    int bodies[2] = {1, 4};
    rig_add(&rig, RV_GROUP_JOINT, 1, bodies, 2);
    assert_int_equal(rig_solve(&rig).islands, 1);
    CHECK_BELOW(rig_violation(&rig), 1e-10);
    rig.rows.slots[rig.rows.slotCount - 1].body = 2; // the same counts, another body
    assert_int_equal(rig_solve(&rig).islands, 2);
    CHECK_BELOW(rig_violation(&rig), 1e-10);
    rig_release(&rig);
}

static void GroupsWithoutRowsAreHarmless(void** state)
{
    (void)state;
    Rig rig = rig_make(6, 40, 20, 1.0, 37);
    int bodies[3] = {0, 2, 5};
    rig_add(&rig, RV_GROUP_CABLE, 0, bodies, 3);
    rig_add_chain(&rig, 0, 5);
    rig_add(&rig, RV_GROUP_CABLE, 0, bodies, 3);
    assert_int_equal(rig_solve(&rig).fallbacks, 0);
    CHECK_BELOW(rig_violation(&rig), 1e-10); // mass ratios of 100
    rig_release(&rig);
}

static void NoRowsLeaveTheBodiesAlone(void** state)
{
    (void)state;
    Rig rig = rig_make(2, 4, 4, 0.0, 38);
    rvSolveReport report = rig_solve(&rig);
    assert_true(report.islands == 0 && report.pivots == 0 && report.residual == 0.0 && report.worstGroup == -1);
    assert_memory_equal(rig.bodies.velocity, rig.start, 2 * sizeof(*rig.start));
    rig_release(&rig);
}

static void TooLittleRoomIsSweptAndReported(void** state)
{
    (void)state;
    Rig rig = rig_make(5, 20, 10, 0.0, 41);
    rig_add_chain(&rig, 0, 4);
    assert_true(rv_solver_reserve(rig.solver, &rig.memory, 5, &rig.rows, 1000));
    double first = rig_solve(&rig).residual;
    rvSolveReport report = {0};
    for (int turn = 0; turn < 40; ++turn)
        report = rig_solve(&rig); // each begins at the impulses of the last
    assert_int_equal(report.fallbacks, 1);
    assert_int_equal(report.pivots, 0);
    CHECK_BELOW(report.residual, 0.1 * first + 1e-12); // sweeps go on from the guess
    CHECK_BELOW(rig_violation(&rig), 1e-2);
    rig_release(&rig);
}

static void MoreRowsThanReservedAreRefused(void** state)
{
    (void)state;
    Rig rig = rig_make(2, 20, 10, 0.0, 43);
    rvRows few = {.rowCapacity = 3, .groupCapacity = 1, .slotCapacity = 1, .entryCapacity = 18};
    rig_add_chain(&rig, 0, 1);
    assert_true(rv_solver_reserve(rig.solver, &rig.memory, 2, &few, 100000));
    rvSolveReport report = rig_solve(&rig);
    assert_true(report.fallbacks == 1 && isinf(report.residual));
    assert_memory_equal(rig.bodies.velocity, rig.start, 2 * sizeof(*rig.start));
    rig_release(&rig);
}

static void SolvingTakesNoMemory(void** state)
{
    (void)state;
    Rig rig = rig_make(9, 60, 30, 1.0, 51);
    rig_add_chain(&rig, 0, 3);
    count_alloc_begin();
    rig_solve(&rig);
    assert_int_equal(count_alloc_end(), 0);
    rig_add_chain(&rig, 4, 8); // a new structure
    for (int i = 0; i < rig.rows.rowCount; i += 2)
        rig.rows.rows[i].lower = 0.0;
    count_alloc_begin();
    rig_solve(&rig);
    assert_int_equal(count_alloc_end(), 0);
    rig_release(&rig);
}

static void NothingButFiniteNumbersComesOut(void** state)
{
    (void)state;
    for (int huge = 0; huge < 3; ++huge) {
        Rig rig = rig_make(4, 20, 10, 1.0, 61);
        rig_add_chain(&rig, 0, 3);
        if (huge == 0)
            rig.rows.rows[4].bias = 1e308;
        if (huge == 1)
            rv_group_jacobian(&rig.rows, 1, 0)[0][0] = 1e200;
        if (huge == 2)
            rig.inverse[2][0] = 1e300;
        rig_solve(&rig);
        for (int i = 0; i < rig.rows.rowCount; ++i)
            assert_true(isfinite(rig.rows.rows[i].impulse));
        for (int i = 0; i < 24; ++i)
            assert_true(isfinite(rig.bodies.velocity[i / 6][i % 6]));
        rig_release(&rig);
    }
}

static void HeavyLoadOnALightChainIsHeldExactly(void** state)
{
    (void)state;
    Rig rig = rig_make(100, 300, 100, 0.0, 71);
    rig_add_chain(&rig, 0, 99);
    for (int b = 0; b < 100; ++b)
        for (int k = 0; k < 7; ++k)
            rig.inverse[b][k] *= b == 99 ? 1e-4 : 10.0; // 0.1 kg a link, 10,000 kg at the end
    rvSolveReport report = rig_solve(&rig);
    assert_int_equal(report.islands, 1);
    assert_int_equal(report.pivots, 1);
    CHECK_BELOW(rig_violation(&rig), 1e-9); // refined below that
    rig_release(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(AgreesWithDenseElimination),
        cmocka_unit_test(BoxBoundsHoldTheirConditions),
        cmocka_unit_test(ModesSayWhereRowsRest),
        cmocka_unit_test(RedundantRowsDoNoHarm),
        cmocka_unit_test(ConflictingRowsStayFinite),
        cmocka_unit_test(FourContactsUnderABoxShareItsWeight),
        cmocka_unit_test(IslandsDoNotTouchEachOther),
        cmocka_unit_test(PrescribedBodiesPartIslandsAndKeepTheirVelocity),
        cmocka_unit_test(KeptStructureGivesTheSameBits),
        cmocka_unit_test(NewGroupsAreSeen),
        cmocka_unit_test(GroupsWithoutRowsAreHarmless),
        cmocka_unit_test(NoRowsLeaveTheBodiesAlone),
        cmocka_unit_test(TooLittleRoomIsSweptAndReported),
        cmocka_unit_test(MoreRowsThanReservedAreRefused),
        cmocka_unit_test(SolvingTakesNoMemory),
        cmocka_unit_test(NothingButFiniteNumbersComesOut),
        cmocka_unit_test(HeavyLoadOnALightChainIsHeldExactly),
    };
    return RUN_TESTS(tests);
}
