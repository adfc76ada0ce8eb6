// SPDX-License-Identifier: MIT
// The folded factor against plain Gauss elimination, for all counts of nodes and holds.
#include "ancf_rig.h"

enum { MOST = 6 * 14 };

// Solves by elimination with pivots; a and b are used up.
static void plain_solve(int n, double a[MOST][MOST], double b[MOST])
{
    for (int j = 0; j < n; j++) {
        int best = j;
        for (int i = j + 1; i < n; i++)
            if (fabs(a[i][j]) > fabs(a[best][j]))
                best = i;
        for (int k = 0; k < n; k++) {
            double t = a[j][k];
            a[j][k] = a[best][k];
            a[best][k] = t;
        }
        double t = b[j];
        b[j] = b[best];
        b[best] = t;
        for (int i = j + 1; i < n; i++) {
            double f = a[i][j] / a[j][j];
            for (int k = j; k < n; k++)
                a[i][k] -= f * a[j][k];
            b[i] -= f * b[j];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
}

static double dense[MOST][MOST], right[MOST], given[MOST];

static void FactorSolvesAsPlainEliminationDoes(void** state)
{
    (void)state;
    for (int n = 1; n <= 12; n++)
        for (int held = 0; held < 4; held++) {
            rvAncf* cable = rig_uniform(n, 1.0, (rvAncfElement){.EA = 80.0, .EI = 0.4, .massPerLength = 0.3},
                                        rvVec(0, 0, -9.81), false);
            int nodes[] = {0, n, (n + 1) / 2, n > 1 ? 1 : 0}; // ends, the middle, beside the end
            if (held > 0)
                assert_int_equal(rv_ancf_hold(cable, nodes[held], held == 1 ? RV_ANCF_CLAMP : 0x15, &rigError), RV_OK);
            rig_shake(cable, 0.2, (uint32_t)(100 * n + held));
            int count = cable->dofCount;
            double *x = cable->work[0], *y = cable->work[1];
            rv_ancf_linearise(cable, cable->q, cable->v, &(rvAncfWish){.massFactor = 1e4}, cable->work[4]);
            for (int j = 0; j < count; j++) {
                memset(x, 0, (size_t)(count + 6) * sizeof(double));
                x[j] = 1.0;
                rv_ancf_slot_product(cable, cable->slots, x, y);
                for (int i = 0; i < count; i++)
                    dense[i][j] = y[i];
            }
            uint64_t seed = 9u;
            for (int i = 0; i < count; i++)
                x[i] = right[i] = given[i] = rig_random(&seed);
            for (int i = 0; i < count; i++)
                if (cable->held[i / 6] >> i % 6 & 1) {
                    for (int k = 0; k < count; k++)
                        dense[i][k] = dense[k][i] = 0.0;
                    dense[i][i] = 1.0;
                    right[i] = 0.0;
                }
            rv_ancf_take_out(cable, cable->slots);
            rv_ancf_factor(cable, cable->slots);
            rv_ancf_solve(cable, cable->slots, x);
            // several at once, into others: the same bits each, and what they come from stays
            double *from[RV_ANCF_SOLVED], *to[RV_ANCF_SOLVED];
            for (int r = 0; r < RV_ANCF_SOLVED; r++) {
                from[r] = cable->work[5];
                to[r] = cable->work[6 + r];
            }
            memset(from[0], 0, (size_t)(count + 6) * sizeof(double));
            memcpy(from[0], given, (size_t)count * sizeof(double));
            for (int several = 1; several <= RV_ANCF_SOLVED; several++) {
                rv_ancf_solve_several(cable, cable->slots, from, to, several);
                assert_memory_equal(to[several - 1], x, (size_t)count * sizeof(double));
                assert_memory_equal(from[0], given, (size_t)count * sizeof(double));
            }
            plain_solve(count, dense, right);
            double size = 0.0;
            for (int i = 0; i < count; i++)
                size = fmax(size, fabs(right[i]));
            for (int i = 0; i < count; i++)
                CHECK_NEAR(x[i], right[i], 1e-9 * size); // rounding times a condition of up to 1e6
            rv_ancf_destroy(cable);
        }
}

static void NegativePivotsCountNegativeEigenvalues(void** state)
{
    (void)state;
    // a straight clamped cable that is pressed beyond Euler's load bends two ways, y and z
    rvAncf* cable =
        rig_uniform(8, 1.0, (rvAncfElement){.EA = 1e4, .EI = 1.0, .massPerLength = 1.0}, rvVec(0, 0, 0), false);
    assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_CLAMP, &rigError), RV_OK);
    for (int k = 0; k < 2; k++) {
        double press = (k == 0 ? 0.98 : 1.02) * PI * PI / 4.0, strain = press / 1e4, slope = sqrt(1.0 - 2.0 * strain);
        for (int i = 0; i <= 8; i++) {
            cable->q[6 * i] = slope * cable->places[i];
            cable->q[6 * i + 3] = slope;
        }
        rv_ancf_linearise(cable, cable->q, cable->v, &(rvAncfWish){0}, cable->work[4]);
        rv_ancf_take_out(cable, cable->slots);
        rv_ancf_factor(cable, cable->slots);
        assert_int_equal(rv_ancf_negative_pivots(cable, cable->slots), k == 0 ? 0 : 2);
    }
    rv_ancf_destroy(cable);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FactorSolvesAsPlainEliminationDoes),
        cmocka_unit_test(NegativePivotsCountNegativeEigenvalues),
    };
    return RUN_TESTS(tests);
}
