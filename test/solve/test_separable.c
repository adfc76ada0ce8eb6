// SPDX-License-Identifier: MIT
#include "solve/separable.h"

#include "check.h"
#include "support/random.h"

#include <stdlib.h>

static double noise(uint64_t* seed)
{
    return rv_draw_between(seed, -0.5, 0.5);
}

static double entry(const rvSeparable* a, int i, int j)
{
    if (i < j)
        return entry(a, j, i);
    if (i <= j + a->width)
        return *rv_separable_at(a, i, j);
    double sum = 0.0;
    for (int c = 0; c < a->rank; ++c)
        sum += a->p[j * a->rank + c] * a->q[i * a->rank + c];
    return sum;
}

// Masses on strings of unit vectors, as a curve has them: M = sum over the tails of J^T J; the generators are those of
// a chain in space, with a mass at each joint.
static void fill(rvSeparable* a, uint64_t* seed)
{
    int n = a->count, r = a->rank;
    for (int j = 0; j < n; ++j)
        for (int c = 0; c < r; ++c) {
            a->p[j * r + c] = noise(seed);
            a->q[j * r + c] = (n - j) * a->p[j * r + c]; // tail mass times the direction
        }
    for (int j = 0; j < n; ++j)
        for (int i = j; i <= j + a->width && i < n; ++i) {
            double sum = i == j ? 0.1 : 0.0;
            for (int c = 0; c < r; ++c)
                sum += a->p[j * r + c] * a->q[i * r + c];
            *rv_separable_at(a, i, j) = sum;
        }
}

static void check(int count, int rank, int width, bool blocks)
{
    rvMemory memory = {0};
    rvSeparable a;
    assert_true(rv_separable_create(&a, &memory, count, rank, width));
    a.blocks = blocks;
    uint64_t seed = (uint64_t)(count * 100 + rank * 10 + width);
    fill(&a, &seed);
    double* x = calloc((size_t)count, sizeof(double));
    double* b = calloc((size_t)count, sizeof(double));
    double largest = 0.0;
    for (int i = 0; i < count; ++i)
        x[i] = noise(&seed);
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j)
            b[i] += entry(&a, i, j) * x[j];
    for (int i = 0; i < count; ++i)
        largest = fmax(largest, fabs(b[i]));
    assert_true(rv_separable_factor(&a));
    rv_separable_solve(&a, b);
    for (int i = 0; i < count; ++i)
        CHECK_NEAR(b[i], x[i], 1e-15 * count * largest / 0.1); // round-off times the norm over the least eigenvalue
    free(x);
    free(b);
    rv_separable_release(&a, &memory);
    assert_true(memory.taken == 0);
}

static void SolveUndoesTheProduct(void** state)
{
    (void)state;
    for (int rank = 1; rank <= RV_SEPARABLE_MOST_RANK; ++rank)
        for (int width = 0; width <= 6; ++width)
            for (int count = 1; count <= 40; count += 13)
                check(count, rank, width, false);
    check(300, 2, 1, false);
    for (int count = 3; count <= 60; count += 3) // blocks of three
        check(count, 3, 5, true);
}

static void MatrixThatIsNotPositiveIsRefused(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvSeparable a;
    assert_true(rv_separable_create(&a, &memory, 5, 2, 1));
    uint64_t seed = 1;
    fill(&a, &seed);
    *rv_separable_at(&a, 3, 3) = -1.0;
    assert_false(rv_separable_factor(&a));
    rv_separable_release(&a, &memory);
}

// Sylvester: congruent matrices have as many. Shifted by an eigenvalue's neighbours the count changes by one: here for
// diagonal shifts, against the signs of a dense factor.
static void NegativeEigenvaluesAreCounted(void** state)
{
    (void)state;
    enum { COUNT = 12 };
    for (int rank = 1; rank <= RV_SEPARABLE_MOST_RANK; ++rank)
        for (int width = 0; width <= 6; width += 2) {
            rvMemory memory = {0};
            rvSeparable a;
            assert_true(rv_separable_create(&a, &memory, COUNT, rank, width));
            for (double shift = 0.0; shift < 30.0; shift += 1.7) {
                uint64_t seed = 7;
                double dense[COUNT][COUNT];
                fill(&a, &seed);
                for (int i = 0; i < COUNT; ++i)
                    *rv_separable_at(&a, i, i) -= shift;
                for (int i = 0; i < COUNT; ++i)
                    for (int j = 0; j < COUNT; ++j)
                        dense[i][j] = entry(&a, i, j);
                int negative = 0;
                for (int k = 0; k < COUNT; ++k) {
                    negative += dense[k][k] < 0.0;
                    for (int i = k + 1; i < COUNT; ++i)
                        for (int j = COUNT - 1; j >= k; --j)
                            dense[i][j] -= dense[i][k] / dense[k][k] * dense[k][j];
                }
                assert_int_equal(rv_separable_negative(&a), negative);
            }
            rv_separable_release(&a, &memory);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SolveUndoesTheProduct),
        cmocka_unit_test(MatrixThatIsNotPositiveIsRefused),
        cmocka_unit_test(NegativeEigenvaluesAreCounted),
    };
    return RUN_TESTS(tests);
}
