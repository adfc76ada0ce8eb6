// SPDX-License-Identifier: MIT
// Small dense systems: solutions against their equations, rows that say the same thing twice.
#include "check.h"
#include "math/cholesky.h"

enum { N = 5 };

// A = B B^T of a B that is told by its indices.
static void make(double a[N * N])
{
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            a[i * N + j] = 0.0;
            for (int k = 0; k < N; ++k)
                a[i * N + j] += (i == k ? 2.0 : sin(i + 3.0 * k)) * (j == k ? 2.0 : sin(j + 3.0 * k));
        }
}

static void SolutionMeetsItsEquations(void** state)
{
    (void)state;
    double a[N * N], l[N * N], x[N];
    make(a);
    make(l);
    for (int i = 0; i < N; ++i)
        x[i] = 1.0 + i;
    assert_true(rv_cholesky_factor(l, N));
    rv_cholesky_solve(l, N, x);
    for (int i = 0; i < N; ++i) {
        double sum = 0.0;
        for (int j = 0; j < N; ++j)
            sum += a[i * N + j] * x[j];
        CHECK_NEAR(sum, 1.0 + i, 1e-10); // round-off times a condition of some thousands
    }
}

static void RowSaidTwiceCountsOnce(void** state)
{
    (void)state;
    double a[9] = {2, 0, 0, 2, 2, 0, 1, 1, 3}, b[3] = {4, 4, 5}; // the second row is the first again
    assert_false(rv_cholesky_factor(a, 3));
    rv_cholesky_solve(a, 3, b);
    CHECK_NEAR(b[0], 1.4, 1e-15);
    CHECK_NEAR(b[1], 0.0, 0.0);
    CHECK_NEAR(b[2], 1.2, 1e-15); // 2 x + z = 4, x + 3 z = 5
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(SolutionMeetsItsEquations),
                                       cmocka_unit_test(RowSaidTwiceCountsOnce)};
    return RUN_TESTS(tests);
}
