// SPDX-License-Identifier: MIT
#include "check.h"
#include "solve/dense.h"
#include "support/random.h"

#include <stdint.h>
#include <string.h>

enum { MOST = 50 };

// The same for the same i, in -1 to 1.
static double scatter(int i)
{
    static double numbers[MOST * MOST];
    if (numbers[0] == 0.0) {
        uint64_t seed = 1;
        for (int k = 0; k < MOST * MOST; ++k)
            numbers[k] = rv_draw_between(&seed, -1.0, 1.0);
    }
    return numbers[i];
}

// a = B B^T of `rank` columns, and 1 on the diagonal where there are as many as rows
static void fill(double* a, int n, int rank)
{
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            a[i * n + j] = rank == n && i == j ? 1.0 : 0.0;
            for (int k = 0; k < rank; ++k)
                a[i * n + j] += scatter(i * MOST + k) * scatter(j * MOST + k);
        }
}

static double at(const double* a, int n, int i, int j)
{
    return i > j ? a[i * n + j] : a[j * n + i];
}

// Of any number of rows: pivots go by fours.
static void SolutionHasTheRightSide(void** state)
{
    (void)state;
    for (int n = 1; n <= MOST; ++n) {
        static double a[MOST * MOST], factor[MOST * (MOST + 3)];
        double x[MOST];
        fill(a, n, n);
        fill(factor, n, n);
        for (int i = 0; i < n; ++i)
            x[i] = scatter(7 * i);
        rv_dense_factor(factor, n, 1e-12);
        rv_dense_solve(factor, n, x);
        for (int i = 0; i < n; ++i) {
            double sum = 0.0;
            for (int j = 0; j < n; ++j)
                sum += at(a, n, i, j) * x[j];
            CHECK_NEAR(sum, scatter(7 * i),
                       1e-11); // eigenvalues of 1 to some hundreds: rounding of fifty such products
        }
    }
}

static void ImpliedRowsTakeNoPart(void** state)
{
    (void)state;
    enum { N = 23, RANK = 9 };
    static double a[N * N], factor[N * (N + 3)];
    double x[N], force[N];
    fill(a, N, RANK);
    fill(factor, N, RANK);
    for (int i = 0; i < N; ++i)
        force[i] = scatter(3 * i);
    for (int i = 0; i < N; ++i) { // a right side that all rows agree on
        x[i] = 0.0;
        for (int j = 0; j < N; ++j)
            x[i] += at(a, N, i, j) * force[j];
    }
    double right[N];
    memcpy(right, x, sizeof right);
    rv_dense_factor(factor, N, 1e-10);
    rv_dense_solve(factor, N, x);
    int zeros = 0;
    for (int i = 0; i < N; ++i) {
        double sum = 0.0;
        for (int j = 0; j < N; ++j)
            sum += at(a, N, i, j) * x[j];
        CHECK_NEAR(sum, right[i], 1e-8); // rows that count are known to 1e-10 of their diagonal, of tens
        zeros += x[i] == 0.0;
    }
    assert_int_equal(zeros, N - RANK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SolutionHasTheRightSide),
        cmocka_unit_test(ImpliedRowsTakeNoPart),
    };
    return RUN_TESTS(tests);
}
