// SPDX-License-Identifier: MIT
// Equilibria and small motions of ANCF cables against closed forms, and their order in the element length.
#include "ancf_rig.h"

static void settle(rvAncf* cable, double tolerance)
{
    rvStatus status = rv_ancf_settle(cable, tolerance, &rigError);
    if (status)
        print_error("%s\n", rigError.text);
    assert_int_equal(status, RV_OK);
}

// Tip of a clamped cable of length 1, EI = 1, under a load of `load` across it.
static rvVec3 cantilever_tip(int n, double load, double EA, bool exact)
{
    rvAncf* cable =
        rig_uniform(n, 1.0, (rvAncfElement){.EA = EA, .EI = 1.0, .massPerLength = 1.0}, rvVec(0, 0, 0), exact);
    assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_CLAMP, &rigError), RV_OK);
    assert_int_equal(rv_ancf_set_force(cable, n, rvVec(0, 0.6 * load, -0.8 * load), &rigError), RV_OK);
    settle(cable, 1e-11);
    rvVec3 tip = rv_ancf_point(cable, 1.0).position;
    CHECK_NEAR(-0.8 * tip.y, 0.6 * tip.z, 1e-9); // stays in the plane of the load; steps end at 1e-11
    double reaction[6];
    rv_ancf_start(cable, &(rvAncfOptions){.rho = 0.5, .tolerance = 1, .largestStep = 1, .courant = 1}, &rigError);
    rv_ancf_reaction(cable, 0, reaction);
    CHECK_NEAR(reaction[2], 0.8 * load, 1e-6 * load); // carries the load
    rv_ancf_destroy(cable);
    return rvVec(tip.x, sqrt(tip.y * tip.y + tip.z * tip.z), 0);
}

static void CantileverBendsByPL3Over3EI(void** state)
{
    (void)state;
    // a cubic is exact for an end load; what is left is the second order of the load: 4 P^2/35 relative, P = 0.001
    CHECK_NEAR(cantilever_tip(1, 1e-3, 1e2, false).y, 1e-3 / 3.0, 1e-3 * 1e-6);
    CHECK_NEAR(cantilever_tip(4, 1e-3, 1e6, true).y, 1e-3 / 3.0, 1e-3 * 1e-6);
}

static void LargeBendingIsTheElastica(void** state)
{
    (void)state;
    static const double loads[] = {1, 2, 5, 10};
    static const double down[] = {.30172, .49346, .71379, .81061}, in[] = {.05643, .16064, .38763, .55500};
    for (int i = 0; i < 4; i++)
        for (int exact = 0; exact < 2; exact++) {
            // the printed digits, plus stretching P/EA = 1e-5; 20 elements add below 1e-6 (order 4)
            rvVec3 tip = cantilever_tip(40, loads[i], 1e6, exact);
            CHECK_NEAR(tip.y, down[i], 2.5e-5);
            CHECK_NEAR(1.0 - tip.x, in[i], 2.5e-5);
        }
}

static void ElasticaConvergesInTheElementLength(void** state)
{
    (void)state;
    // moderate EA, so that the strain is no thin layer; against 128 elements
    rvVec3 fine = cantilever_tip(128, 2.0, 1e3, false);
    double coarse = rvDistance(cantilever_tip(16, 2.0, 1e3, false), fine);
    double halved = rvDistance(cantilever_tip(32, 2.0, 1e3, false), fine);
    CHECK_NEAR(log2(coarse / halved), 4.0, 0.6); // cubic elements: order 4, not yet quite reached at 16
}

// Bent to a full turn and held at both ends: a circle, moment 2 pi EI/L everywhere, no tension.
static void FullTurnIsACircle(void** state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            int n = 12 << k;
            rvAncf* cable =
                rig_uniform(n, 2.0, (rvAncfElement){.EA = 1e5, .EI = 3.0, .massPerLength = 1.0}, rvVec(0, 0, 0), exact);
            for (int i = 0; i <= n; i++) { // starts as an ellipse
                double t = 2.0 * PI * i / n, q[6] = {0.36 * sin(t), 0.28 * (1.0 - cos(t)), 0, cos(t), sin(t), 0};
                memcpy(cable->q + 6 * i, q, sizeof q);
            }
            cable->q[6 * n] = cable->q[6 * n + 1] = 0.0;
            assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_CLAMP, &rigError), RV_OK);
            assert_int_equal(rv_ancf_hold(cable, n, RV_ANCF_CLAMP, &rigError), RV_OK);
            settle(cable, 1e-11);
            rvVec3 top = rv_ancf_point(cable, 1.0).position;
            error[k] = fabs(top.y - 2.0 / PI);
            // at the middle of an element the curvature of a cubic is off by (kappa l)^2/24
            double l = 2.0 / n, moment = rv_ancf_point(cable, 1.0 + 0.5 * l).moment, expected = 3.0 * PI;
            CHECK_NEAR(moment, expected, expected * (PI * PI * l * l / 24.0 + 1e-3)); // and EI kappa^2/EA of stretching
            CHECK_NEAR(moment * 2.0 / 3.0, 2.0 * PI, 2.0 * PI * (PI * PI * l * l / 24.0 + 1e-3));
            rv_ancf_destroy(cable);
        }
        // diameter of the circle: order 4, and the stretch EI kappa^2/(2 EA) = 1.5e-4 of the radius
        assert_true(error[0] < 1e-3);
        assert_true(error[1] < 3e-4);
    }
}

// A cable with a curvature of its own is a circle without any force on it.
static void InitialCurvatureIsTheShapeAtRest(void** state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        rvAncf* cable =
            rig_uniform(12, 2.0, (rvAncfElement){.EA = 1e4, .EI = 2.0, .massPerLength = 1.0, .curvature = 0.5 * PI},
                        rvVec(0, 0, 0), exact);
        for (int i = 0; i <= 12; i++) { // starts as a shallow arc
            double t = 0.6 * i / 12.0, q[6] = {2 / 0.6 * sin(t), 0, 2 / 0.6 * (1 - cos(t)), cos(t), 0, sin(t)};
            memcpy(cable->q + 6 * i, q, sizeof q);
        }
        assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_CLAMP, &rigError), RV_OK);
        settle(cable, 1e-10);
        rvVec3 tip = rv_ancf_point(cable, 2.0).position; // half a turn: diameter 2/(pi/2) across, 0 along
        CHECK_NEAR(tip.x, 0.0, 2e-3);                    // (kappa l)^2/24 = 3e-3 of curvature at most, order 4 in place
        CHECK_NEAR(tip.z, 4.0 / PI, 2e-3);               // the same
        CHECK_BELOW(rv_ancf_energy(cable).bend, 1e-4);   // EI/2 L (kappa error)^2 = 2 (1.57 x 3e-3)^2 = 4e-5
        rv_ancf_destroy(cable);
    }
}

static void OwnWeightAndLoadStretchTheCable(void** state)
{
    (void)state;
    // w 14.715 N/m, L 100 m, 1000 kg, EA 1e7: 0.105458 m (VALIDATION); Green strain adds -3/2 eps of it: 1.6e-4
    rvAncf* cable =
        rig_uniform(10, 100.0, (rvAncfElement){.EA = 1e7, .EI = 10.0, .massPerLength = 1.5}, rvVec(0, 0, -9.81), false);
    rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(0, 0, -1));
    assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_PIN, &rigError), RV_OK);
    assert_int_equal(rv_ancf_set_mass(cable, 10, 1000.0, &rigError), RV_OK);
    settle(cable, 1e-11);
    double stretch = -rv_ancf_point(cable, 100.0).position.z - 100.0;
    CHECK_NEAR(stretch, 0.105458, 0.105458 * 1.7e-3); // 3/2 eps, eps = 1.1e-3 at the top
    double tension = rv_ancf_point(cable, 0.0).tension;
    CHECK_NEAR(tension, 9810.0 + 1471.5, 0.5); // quadratic strain in an element against the true one: w l/..., below
    rv_ancf_destroy(cable);
}

static void SlackSpanIsTheElasticCatenary(void** state)
{
    (void)state;
    // VALIDATION: w 14.715, EA 1e7, span 100, L0 105: H 1351.076 N, V 772.538 N; EI small: boundary layers of
    // sqrt(EI/H) = 0.03 m change H by about that share of the span
    int n = 40;
    rvAncf* cable =
        rig_uniform(n, 105.0, (rvAncfElement){.EA = 1e7, .EI = 1.0, .massPerLength = 1.5}, rvVec(0, 0, -9.81), false);
    for (int i = 0; i <= n; i++) { // starts as a parabola between the ends
        double x = (double)i / n, slope = -4.0 * 13.0 * (1.0 - 2.0 * x) / 100.0, f = 1.0 / sqrt(1.0 + slope * slope);
        double q[6] = {100.0 * x, 0, -4.0 * 13.0 * x * (1.0 - x), f, 0, f * slope};
        memcpy(cable->q + 6 * i, q, sizeof q);
    }
    assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_PIN, &rigError), RV_OK);
    assert_int_equal(rv_ancf_hold(cable, n, RV_ANCF_PIN, &rigError), RV_OK);
    settle(cable, 1e-11);
    double reaction[6];
    rig_start(cable, RV_ANCF_RT);
    rv_ancf_reaction(cable, 0, reaction);
    CHECK_NEAR(-reaction[0], 1351.076, 1351.076 * 1e-3); // 0.03/100 of bending, 1e-4 of Green strain, elements
    CHECK_NEAR(reaction[2], 772.538, 1e-3);              // half the weight: equilibrium
    rv_ancf_destroy(cable);
}

// The lowest frequencies of small motions in the x-z plane, by inverse iteration with deflation.
static void plane_frequencies(rvAncf* cable, int count, double* out)
{
    double modes[4][6 * 64], *x = cable->work[0], *y = cable->work[1];
    assert_true(cable->dofCount <= 6 * 64 && count <= 4);
    rv_ancf_linearise(cable, cable->q, cable->v, &(rvAncfWish){0}, y);
    rv_ancf_take_out(cable, cable->slots);
    rv_ancf_factor(cable, cable->slots);
    for (int m = 0; m < count; m++) {
        uint64_t seed = 5u + (uint32_t)m;
        for (int i = 0; i < cable->dofCount; i++)
            x[i] = i % 3 == 0 ? rig_random(&seed) : 0.0; // x only: the cable hangs along z or lies along it
        double value = 0.0;
        for (int n = 0; n < 60; n++) {
            rv_ancf_mass_product(cable, x, y);
            for (int k = 0; k < m; k++) {
                double part = 0.0;
                for (int i = 0; i < cable->dofCount; i++)
                    part += modes[k][i] * y[i];
                for (int i = 0; i < cable->dofCount; i++)
                    x[i] -= part * modes[k][i];
            }
            double size = sqrt(2.0 * rv_ancf_kinetic(cable, x));
            for (int i = 0; i < cable->dofCount; i++)
                x[i] /= size;
            memcpy(modes[m], x, (size_t)cable->dofCount * sizeof(double));
            rv_ancf_mass_product(cable, x, y);
            memcpy(x, y, (size_t)cable->dofCount * sizeof(double));
            rv_ancf_solve(cable, cable->slots, x);
            value = rv_ancf_dot(cable, x, y); // of x = K^-1 M mode: 1/w^2 at the end
        }
        out[m] = sqrt(1.0 / value);
    }
}

static void HangingChainSwingsAtTheZerosOfJ0(void** state)
{
    (void)state;
    static const double exact[] = {1.20241, 2.76004, 4.32686}; // times sqrt(g/L)
    rvAncf* cable =
        rig_uniform(20, 2.0, (rvAncfElement){.EA = 1e6, .EI = 1e-6, .massPerLength = 1.0}, rvVec(0, 0, -9.81), false);
    rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(0, 0, -1));
    assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_PIN, &rigError), RV_OK);
    settle(cable, 1e-11);
    double w[3];
    plane_frequencies(cable, 3, w);
    for (int i = 0; i < 3; i++) // EI/(w L^3) = 1e-6 raises the third by about its square root times mode number squared
        CHECK_NEAR(w[i], exact[i] * sqrt(9.81 / 2.0), 2e-4 * w[i]);
    rv_ancf_destroy(cable);
}

static void BeamFrequenciesAreThoseOfEuler(void** state)
{
    (void)state;
    static const double clamped[] = {1.875104, 4.694091, 7.854757}; // beta L
    double error[2];
    for (int k = 0; k < 2; k++) {
        rvAncf* cable = rig_uniform(5 << k, 1.0, (rvAncfElement){.EA = 1e6, .EI = 2.0, .massPerLength = 0.5},
                                    rvVec(0, 0, 0), false);
        rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(0, 0, 1));
        assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_CLAMP, &rigError), RV_OK);
        double w[3];
        plane_frequencies(cable, 3, w);
        for (int i = 0; i < 3; i++) { // cubic elements: (beta l)^4/720
            double beta = clamped[i] / (5 << k), exact = clamped[i] * clamped[i] * 2.0;
            CHECK_NEAR(w[i], exact, exact * (pow(beta, 4.0) / 720.0 + 1e-6));
        }
        error[k] = w[2] / (clamped[2] * clamped[2] * 2.0) - 1.0;
        rv_ancf_destroy(cable);
    }
    CHECK_NEAR(log2(error[0] / error[1]), 4.0, 0.3); // order 4; higher orders add a few percent at beta l = 1.6
}

static void TautStringFrequency(void** state)
{
    (void)state;
    // 20 kN, 1.5 kg/m, 20 m stretched: 2.8868 Hz; bending pi^2 EI/(T L^2) is below 1e-8
    double EA = 1e8, strain = 2e4 / EA, stretch = 1.0 + strain;
    rvAncf* cable =
        rig_uniform(10, 20.0 / stretch, (rvAncfElement){.EA = EA, .EI = 1e-3, .massPerLength = 1.5 * stretch},
                    rvVec(0, 0, 0), false);
    rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(0, 0, 1));
    for (int i = 0; i <= 10; i++) {
        cable->q[6 * i + 2] = 2.0 * i;
        cable->q[6 * i + 5] = stretch;
    }
    assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_PIN, &rigError), RV_OK);
    assert_int_equal(rv_ancf_hold(cable, 10, RV_ANCF_PIN, &rigError), RV_OK);
    double w[1];
    plane_frequencies(cable, 1, w);
    CHECK_NEAR(w[0] / (2.0 * PI), 2.8868, 2.8868 * 5e-4); // Green strain: 3/2 eps = 3e-4 of tension; printed digits
    rv_ancf_destroy(cable);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CantileverBendsByPL3Over3EI),         cmocka_unit_test(LargeBendingIsTheElastica),
        cmocka_unit_test(ElasticaConvergesInTheElementLength), cmocka_unit_test(FullTurnIsACircle),
        cmocka_unit_test(InitialCurvatureIsTheShapeAtRest),    cmocka_unit_test(OwnWeightAndLoadStretchTheCable),
        cmocka_unit_test(SlackSpanIsTheElasticCatenary),       cmocka_unit_test(HangingChainSwingsAtTheZerosOfJ0),
        cmocka_unit_test(BeamFrequenciesAreThoseOfEuler),      cmocka_unit_test(TautStringFrequency),
    };
    return RUN_TESTS(tests);
}
