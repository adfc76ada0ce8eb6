// SPDX-License-Identifier: MIT
// Symmetric 3 x 3 matrices: eigenvalues, the positive part and principal axes against their definitions.
#include "check.h"
#include "math/sym3.h"
#include "support/random.h"

#include <string.h>

// Numbers in -1..1 that are the same on every machine.
static double noise(uint64_t* seed)
{
    return rv_draw_between(seed, -1.0, 1.0);
}

static void random_sym3(uint64_t* seed, double size, double a[6])
{
    for (int k = 0; k < 6; ++k)
        a[k] = size * noise(seed);
}

static rvQuat random_turn(uint64_t* seed)
{
    rvVec3 v = rvVec(noise(seed), noise(seed), noise(seed));
    return rvQuatFromRotation(rvScale(3.0, v));
}

static double largest(const double a[6])
{
    double most = 0.0;
    for (int k = 0; k < 6; ++k)
        most = fmax(most, fabs(a[k]));
    return most;
}

static void check_same(const double a[6], const double b[6], double tolerance)
{
    for (int k = 0; k < 6; ++k)
        CHECK_NEAR(a[k], b[k], tolerance);
}

static void InverseTimesMatrixIsIdentity(void** state)
{
    (void)state;
    uint64_t seed = 1;
    for (int n = 0; n < 1000; ++n) {
        double a[6], inverse[6];
        rvVec3 d = rvVec(1.5 + noise(&seed), 1.5 + noise(&seed), 1.5 + noise(&seed));
        rv_sym3_rotate_diagonal(random_turn(&seed), d, a);
        rv_sym3_invert(a, inverse);
        rvVec3 v = rvVec(noise(&seed), noise(&seed), noise(&seed));
        rvVec3 back = rv_sym3_vec(inverse, rv_sym3_vec(a, v));
        CHECK_NEAR(rvDistance(v, back), 0.0, 1e-14); // condition number 5, a few roundings
    }
}

static void EigenvaluesAreThoseTheMatrixWasMadeOf(void** state)
{
    (void)state;
    uint64_t seed = 2;
    for (int n = 0; n < 1000; ++n) {
        double a[6], values[3];
        double low = noise(&seed), mid = low + 1.0 + noise(&seed), top = mid + 1.0 + noise(&seed);
        rv_sym3_rotate_diagonal(random_turn(&seed), rvVec(mid, top, low), a);
        rv_sym3_eigenvalues(a, values);
        // the closed form loses half the digits where two values meet
        CHECK_NEAR(values[0], top, 2e-7);
        CHECK_NEAR(values[1], mid, 2e-7);
        CHECK_NEAR(values[2], low, 2e-7);
        // the sum is the trace, free of that loss
        CHECK_NEAR(values[0] + values[1] + values[2], a[0] + a[3] + a[5], 1e-13);
    }
}

static void EigenvaluesOfAMultipleOfIdentityAreEqual(void** state)
{
    (void)state;
    const double a[6] = {3.0, 0.0, 0.0, 3.0, 0.0, 3.0};
    double values[3];
    rv_sym3_eigenvalues(a, values);
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR(values[k], 3.0, 1e-15);
}

static void PrincipalAxesRebuildTheMatrix(void** state)
{
    (void)state;
    uint64_t seed = 3;
    for (int n = 0; n < 1000; ++n) {
        double a[6], again[6];
        random_sym3(&seed, 1.0, a);
        rvVec3 values;
        rvQuat axes;
        rv_sym3_principal(a, &values, &axes);
        CHECK_NEAR(axes.w * axes.w + axes.x * axes.x + axes.y * axes.y + axes.z * axes.z, 1.0, 1e-14);
        rv_sym3_rotate_diagonal(axes, values, again);
        check_same(again, a, 1e-13); // Jacobi ends at round-off; the quaternion costs a few more roundings
    }
}

static void PrincipalAxesOfADiagonalMatrixAreExact(void** state)
{
    (void)state;
    const double a[6] = {2.0, 0.0, 0.0, 7.0, 0.0, 1.0};
    rvVec3 values;
    rvQuat axes;
    rv_sym3_principal(a, &values, &axes);
    assert_true(values.x == 2.0 && values.y == 7.0 && values.z == 1.0);
    assert_true(axes.w == 1.0 && axes.x == 0.0 && axes.y == 0.0 && axes.z == 0.0);
}

// The positive part by definition, through the principal axes.
static void positive_by_axes(const double a[6], double out[6])
{
    rvVec3 values;
    rvQuat axes;
    rv_sym3_principal(a, &values, &axes);
    rv_sym3_rotate_diagonal(axes, rvVec(fmax(0, values.x), fmax(0, values.y), fmax(0, values.z)), out);
}

static void PositivePartDropsTheNegativeEigenvalues(void** state)
{
    (void)state;
    uint64_t seed = 4;
    for (int n = 0; n < 3000; ++n) {
        double a[6], expected[6], positive[6];
        double size = pow(10.0, 8.0 * noise(&seed)); // stiffness runs from a hook to a ship
        random_sym3(&seed, size, a);
        positive_by_axes(a, expected);
        memcpy(positive, a, sizeof positive);
        rv_sym3_keep_positive(positive);
        check_same(positive, expected, 1e-6 * size); // half the digits where eigenvalues meet
    }
}

static void PositivePartOfAPositiveMatrixIsItself(void** state)
{
    (void)state;
    uint64_t seed = 5;
    for (int n = 0; n < 1000; ++n) {
        double a[6], positive[6];
        rvVec3 d = rvVec(1.1 + noise(&seed), 1.1 + noise(&seed), 1.1 + noise(&seed));
        rv_sym3_rotate_diagonal(random_turn(&seed), d, a);
        memcpy(positive, a, sizeof positive);
        rv_sym3_keep_positive(positive);
        check_same(positive, a, 0.0); // nothing to drop: bit for bit
    }
}

static void PositivePartOfANegativeMatrixIsZero(void** state)
{
    (void)state;
    uint64_t seed = 6;
    for (int n = 0; n < 1000; ++n) {
        double a[6];
        rvVec3 d = rvVec(-1.1 + noise(&seed), -1.1 + noise(&seed), -1.1 + noise(&seed));
        rv_sym3_rotate_diagonal(random_turn(&seed), d, a);
        rv_sym3_keep_positive(a);
        CHECK_NEAR(largest(a), 0.0, 1e-14);
    }
}

static void PositivePartStaysPositiveWhereEigenvaluesMeet(void** state)
{
    (void)state;
    uint64_t seed = 7;
    const double cases[][3] = {{1, 1, -1}, {1, -1, -1}, {0, 0, -1}, {1, 0, 0}, {1, 1e-12, -1e-12}, {0, 0, 0}};
    for (int n = 0; n < 600; ++n) {
        const double* d = cases[n % 6];
        double a[6], expected[6];
        rvQuat turn = random_turn(&seed);
        rv_sym3_rotate_diagonal(turn, rvVec(d[0], d[1], d[2]), a);
        rv_sym3_rotate_diagonal(turn, rvVec(fmax(0, d[0]), fmax(0, d[1]), fmax(0, d[2])), expected);
        rv_sym3_keep_positive(a);
        check_same(a, expected, 1e-7); // half the digits
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(InverseTimesMatrixIsIdentity),
        cmocka_unit_test(EigenvaluesAreThoseTheMatrixWasMadeOf),
        cmocka_unit_test(EigenvaluesOfAMultipleOfIdentityAreEqual),
        cmocka_unit_test(PrincipalAxesRebuildTheMatrix),
        cmocka_unit_test(PrincipalAxesOfADiagonalMatrixAreExact),
        cmocka_unit_test(PositivePartDropsTheNegativeEigenvalues),
        cmocka_unit_test(PositivePartOfAPositiveMatrixIsItself),
        cmocka_unit_test(PositivePartOfANegativeMatrixIsZero),
        cmocka_unit_test(PositivePartStaysPositiveWhereEigenvaluesMeet),
    };
    return RUN_TESTS(tests);
}
