// SPDX-License-Identifier: MIT
// ANCF elements: forces and tangents against differences, rigid motion, momentum, readings.
#include "ancf_rig.h"

typedef struct {
    const char* name;
    bool exact, damped;
    double curvature;
    bool pressed; // most of its elements give way
} Kind;

static const Kind KINDS[] = {
    {"paper", false, false, 0.0, false},         {"paper, damped", false, true, 0.0, false},
    {"exact", true, false, 0.0, false},          {"exact, damped", true, true, 0.0, false},
    {"paper, curved", false, false, 1.5, false}, {"exact, curved", true, false, 1.5, false},
    {.name = "pressed", .pressed = true},        {.name = "pressed, damped", .damped = true, .pressed = true},
};

enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

static rvAncf* cable_of(const Kind* kind, int n)
{
    rvAncfElement e[12];
    for (int i = 0; i < n; i++)
        e[i] = (rvAncfElement){.length = 0.1 + 0.02 * i,
                               .EA = 50.0 + 10.0 * i,
                               .EI = (0.5 + 0.1 * i) * (kind->pressed ? 1e-4 : 1.0),
                               .massPerLength = 0.2 + 0.05 * i,
                               .axialTime = kind->damped ? 0.02 : 0.0,
                               .bendTime = kind->damped ? 0.03 : 0.0,
                               .curvature = kind->curvature};
    rvAncf* cable = rig_of(&(rvAncfDef){.elementCount = n,
                                        .elements = e,
                                        .gravity = {0.3, 0, -9.81},
                                        .exactCurvature = kind->exact,
                                        .buckles = kind->pressed});
    rv_ancf_lay_straight(cable, rvVec(1, 2, 3), rvVec(1, 2, -0.5));
    for (int i = 0; kind->pressed && i < cable->dofCount; i++)
        cable->q[i] *= 0.9;
    rig_shake(cable, 0.2, 7u);
    return cable;
}

static void ForceIsMinusTheGradientOfTheEnergy(void** state)
{
    (void)state;
    for (int kind = 0; kind < KIND_COUNT; kind++)
        for (int n = 1; n <= 6; n++) {
            rvAncf* cable = cable_of(&KINDS[kind], n);
            double *q = cable->q, *none = cable->work[0], *force = cable->work[1], step = 1e-5;
            memset(none, 0, (size_t)cable->dofCount * sizeof(double));
            rv_ancf_force(cable, q, none, force);
            double size = sqrt(rv_ancf_dot(cable, force, force));
            for (int i = 0; i < cable->dofCount; i++) {
                double at = q[i];
                q[i] = at + step;
                double above = rv_ancf_potential(cable, q);
                q[i] = at - step;
                double below = rv_ancf_potential(cable, q);
                q[i] = at;
                // central differences: third derivatives times step^2, here below 1e-5 of the forces
                CHECK_NEAR(-(above - below) / (2.0 * step), force[i], 2e-5 * size);
            }
            rv_ancf_destroy(cable);
        }
}

// -dQ/dq (in mode 0) or -dQ/dv (in mode 1) by differences against the matrix times a unit vector.
static void check_tangent(const Kind* kind, int n, int mode)
{
    rvAncf* cable = cable_of(kind, n);
    double *q = cable->q, *v = cable->v, *x = cable->work[0], *y = cable->work[1], *above = cable->work[2];
    double *below = cable->work[3], step = 1e-6;
    // without rates for mode 0: the tangent leaves out what damping changes with the shape, as the theory page says
    if (mode == 0)
        memset(v, 0, (size_t)cable->dofCount * sizeof(double));
    double* moved = mode == 0 ? q : v;
    for (int i = 0; i < cable->dofCount; i++) {
        double at = moved[i];
        moved[i] = at + step;
        rv_ancf_force(cable, q, v, above);
        moved[i] = at - step;
        rv_ancf_force(cable, q, v, below);
        moved[i] = at;
        memset(x, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
        x[i] = 1.0;
        rv_ancf_linearise(cable, q, v, &(rvAncfWish){0}, cable->work[4]);
        if (mode == 0)
            rv_ancf_slot_product(cable, cable->slots, x, y);
        else
            rv_ancf_damping_product(cable, q, v, x, y);
        double size = sqrt(rv_ancf_dot(cable, y, y)) + 1.0;
        for (int k = 0; k < cable->dofCount; k++)
            CHECK_NEAR(-(above[k] - below[k]) / (2.0 * step), y[k], 1e-6 * size); // step^2 and rounding/step, both 1e-9
    }
    rv_ancf_destroy(cable);
}

static void TangentIsTheDerivativeOfTheForce(void** state)
{
    (void)state;
    for (int kind = 0; kind < KIND_COUNT; kind++)
        for (int n = 1; n <= 5; n++) {
            check_tangent(&KINDS[kind], n, 0);
            check_tangent(&KINDS[kind], n, 1);
        }
}

static void MatrixOfAStepIsMassDampingAndStiffness(void** state)
{
    (void)state;
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        rvAncf* cable = cable_of(&KINDS[kind], 5);
        double *x = cable->work[0], *y = cable->work[1], *sum = cable->work[2], *part = cable->work[3];
        uint64_t seed = 3u;
        memset(x, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
        for (int i = 0; i < cable->dofCount; i++)
            x[i] = rig_random(&seed);
        rv_ancf_linearise(cable, cable->q, cable->v, &(rvAncfWish){.massFactor = 70.0, .dampFactor = 9.0},
                          cable->work[4]);
        rv_ancf_slot_product(cable, cable->slots, x, y);
        rv_ancf_linearise(cable, cable->q, cable->v, &(rvAncfWish){0}, cable->work[4]);
        rv_ancf_slot_product(cable, cable->slots, x, sum);
        rv_ancf_mass_product(cable, x, part);
        for (int i = 0; i < cable->dofCount; i++)
            sum[i] += 70.0 * part[i];
        rv_ancf_damping_product(cable, cable->q, cable->v, x, part);
        for (int i = 0; i < cable->dofCount; i++)
            CHECK_NEAR(y[i], sum[i] + 9.0 * part[i], 1e-9 * (fabs(y[i]) + 100.0)); // rounding of sums of about 1e4
        rv_ancf_destroy(cable);
    }
}

// The positive matrix is below no true one where nothing pulls back, and its pivots never turn negative.
static void PositiveMatrixIsPositive(void** state)
{
    (void)state;
    for (int kind = 0; kind < KIND_COUNT; kind++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            rvAncf* cable = cable_of(&KINDS[kind], 7);
            rig_shake(cable, 0.6, seed);
            rvAncfWish wish = {.massFactor = 1.0, .dampFactor = 1.0, .stored = cable->stored, .positive = true};
            rv_ancf_linearise(cable, cable->q, cable->v, &wish, cable->work[4]);
            rv_ancf_take_out(cable, cable->slots);
            rv_ancf_factor(cable, cable->slots);
            assert_int_equal(rv_ancf_negative_pivots(cable, cable->slots), 0);
            rv_ancf_destroy(cable);
        }
}

static void RigidMotionGivesNoStrain(void** state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        rvAncf* cable = cable_of(&KINDS[kind], 6);
        rv_ancf_lay_straight(cable, rvVec(3, -2, 1), rvVec(-1, 0.4, 2));
        rvAncfEnergy energy = rv_ancf_energy(cable);
        CHECK_NEAR(energy.stretch + energy.bend, 0.0, 1e-25); // squares of rounding errors, EA of 100
        rv_ancf_destroy(cable);
    }
}

static void TurningABentCableChangesNoEnergy(void** state)
{
    (void)state;
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        rvAncf* cable = cable_of(&KINDS[kind], 6);
        rvAncfEnergy before = rv_ancf_energy(cable);
        rvQuat turn = rvQuatFromRotation(rvVec(0.7, -1.1, 0.4));
        for (int i = 0; i < 2 * cable->nodeCount; i++) {
            double* x = cable->q + 3 * i;
            rvVec3 y = rvRotate(turn, rvVec(x[0], x[1], x[2]));
            x[0] = y.x + (i % 2 == 0 ? 5.0 : 0.0);
            x[1] = y.y;
            x[2] = y.z;
        }
        rvAncfEnergy after = rv_ancf_energy(cable);
        CHECK_NEAR(after.stretch, before.stretch, 1e-11 * before.stretch); // rounding of slopes of size 1
        CHECK_NEAR(after.bend, before.bend, 1e-11 * before.bend);          // the same
        rv_ancf_destroy(cable);
    }
}

// Inner forces have no sum and no moment; damping neither, but for its small isotropic part.
static void InnerForcesCarryNoMomentum(void** state)
{
    (void)state;
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        rvAncf* cable = cable_of(&KINDS[kind], 6);
        double* force = cable->work[0];
        rv_ancf_force(cable, cable->q, cable->v, force);
        rvVec3 sum = rvVec(0, 0, 0), moment = sum;
        double size = 0.0;
        for (int i = 0; i < 2 * cable->nodeCount; i++) {
            const double *x = cable->q + 3 * i, *f = force + 3 * i, *w = cable->weight + 3 * i;
            rvVec3 inner = rvVec(f[0] - w[0], f[1] - w[1], f[2] - w[2]);
            if (i % 2 == 0)
                sum = rvAdd(sum, inner);
            moment = rvAdd(moment, rvCross(rvVec(x[0], x[1], x[2]), inner));
            size += rvLength(inner);
        }
        CHECK_NEAR(rvLength(sum), 0.0, 1e-11 * size); // rounding
        // damping resists turning by the share s^2/(kappa^2 + s^2) = 1e-5 at the curvatures here (about 3 against 0.01)
        CHECK_NEAR(rvLength(moment), 0.0, (KINDS[kind].damped ? 1e-3 : 1e-11) * size);
        rv_ancf_destroy(cable);
    }
}

static void MomentaAreThoseOfARigidRod(void** state)
{
    (void)state;
    rvAncf* cable =
        rig_uniform(5, 2.0, (rvAncfElement){.EA = 1e3, .EI = 1.0, .massPerLength = 1.5}, rvVec(0, 0, 0), false);
    rvVec3 from = rvVec(0.5, 1, -1), t = rvNormalizeOr(rvVec(1, 1, 0.5), rvVec(1, 0, 0));
    rv_ancf_lay_straight(cable, from, t);
    rvVec3 turn = rvVec(0.3, -0.2, 0.9), shift = rvVec(2, 0, 1);
    for (int i = 0; i < 2 * cable->nodeCount; i++) {
        const double* x = cable->q + 3 * i;
        rvVec3 u = rvCross(turn, rvVec(x[0], x[1], x[2]));
        u = i % 2 == 0 ? rvAdd(u, shift) : u;
        cable->v[3 * i] = u.x;
        cable->v[3 * i + 1] = u.y;
        cable->v[3 * i + 2] = u.z;
    }
    rvVec3 center = rvMulAdd(from, 1.0, t), speed = rvAdd(shift, rvCross(turn, center));
    rvVec3 p = rv_ancf_momentum(cable), momentum = rv_ancf_angular_momentum(cable);
    CHECK_NEAR(rvDistance(p, rvScale(3.0, speed)), 0.0, 1e-13); // m = 3 kg; rounding
    rvVec3 across = rvSub(turn, rvScale(rvDot(turn, t), t));
    rvVec3 expected = rvAdd(rvScale(3.0, rvCross(center, speed)), rvScale(1.0, across)); // m L^2/12 = 1
    CHECK_NEAR(rvDistance(momentum, expected), 0.0, 1e-12);                              // rounding
    double kinetic = 0.5 * 3.0 * rvDot(speed, speed) + 0.5 * rvDot(across, across);
    CHECK_NEAR(rv_ancf_energy(cable).kinetic, kinetic, 1e-12); // rounding
    rv_ancf_destroy(cable);
}

// A parabola is a cubic: curvature and strain are read exactly.
static void ReadingsAreThoseOfTheCurve(void** state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        rvAncf* cable = rig_uniform(
            4, 2.0, (rvAncfElement){.EA = 100.0, .EI = 3.0, .massPerLength = 1.0, .axialTime = 0.1, .bendTime = 0.2},
            rvVec(0, 0, 0), exact);
        for (int i = 0; i < 5; i++) { // r = (p, 0, p^2/4), growing: v = (0, 0, p^2/10)
            double p = 0.5 * i, q[6] = {p, 0, 0.25 * p * p, 1, 0, 0.5 * p}, v[6] = {0, 0, 0.1 * p * p, 0, 0, 0.2 * p};
            memcpy(cable->q + 6 * i, q, sizeof q);
            memcpy(cable->v + 6 * i, v, sizeof v);
        }
        for (int k = 0; k < 6; k++) {
            double p = 0.37 * k;
            rvAncfPoint at = rv_ancf_point(cable, p);
            double z = 0.5 * p, strain = 0.5 * z * z, length = sqrt(1.0 + z * z);
            double kappa = exact ? 0.5 / (length * length * length) : 0.5;
            // rate: kappa = c/(1 + z^2)^(3/2), c = 0.5 + 0.2 t, z = p (0.5 + 0.2 t); or c alone
            double rate = exact ? 0.2 / pow(length, 3.0) - 3.0 * 0.5 * z * 0.2 * p / pow(length, 5.0) : 0.2;
            CHECK_NEAR(at.position.z, 0.25 * p * p, 1e-14); // rounding, here and below
            CHECK_NEAR(at.slope.z, z, 1e-13);
            CHECK_NEAR(at.velocity.z, 0.1 * p * p, 1e-14);
            CHECK_NEAR(at.strain, strain, 1e-13);
            CHECK_NEAR(at.tension, 100.0 * (strain + 0.1 * z * 0.2 * p) * length, 1e-11);
            CHECK_NEAR(at.curvature, kappa, 1e-12);
            CHECK_NEAR(at.moment, 3.0 * (kappa + 0.2 * rate), 1e-11);
        }
        rv_ancf_destroy(cable);
    }
}

static void BadPropertiesAreNamed(void** state)
{
    (void)state;
    const rvAncfElement good = {.length = 1, .EA = 1, .EI = 1, .massPerLength = 1};
    static const struct {
        int field;
        double value;
        const char* says;
    } bad[] = {{0, 0.0, "elements[1].length: is 0"},  {0, -1.0, "elements[1].length: is -1"},
               {1, 0.0, "elements[1].EA: is 0"},      {1, -2.0, "elements[1].EA: is -2"},
               {2, 0.0, "elements[1].EI: is 0"},      {2, (double)NAN, "elements[1].EI: is "},
               {3, 0.0, "elements[1].massPerLength"}, {5, -1.0, "elements[1].axialTime: is -1"}};
    rvAncf* cable;
    for (int i = 0; i < 8; i++) {
        rvAncfElement e[2] = {good, good};
        ((double*)&e[1])[bad[i].field] = bad[i].value;
        assert_int_equal(rv_ancf_create(&(rvAncfDef){.elementCount = 2, .elements = e}, &rigMemory, &cable, &rigError),
                         RV_BAD_INPUT);
        assert_non_null(strstr(rigError.text, bad[i].says));
        assert_null(cable);
    }
    static const int counts[] = {0, -3, 1000000};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(
            rv_ancf_create(&(rvAncfDef){.elementCount = counts[i], .elements = &good}, &rigMemory, &cable, &rigError),
            RV_BAD_INPUT);
        assert_non_null(strstr(rigError.text, "elementCount"));
    }
}

static void BadShapesAndHoldsAreNamed(void** state)
{
    (void)state;
    rvAncfOptions options = rv_ancf_default_options(RV_ANCF_RT);
    rvAncf* cable = rig_pendulum(1e8, 4);
    assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_CLAMP, &rigError), RV_BAD_INPUT);
    assert_non_null(strstr(rigError.text, "node 0 is held already"));
    assert_int_equal(rv_ancf_hold(cable, 5, RV_ANCF_PIN, &rigError), RV_BAD_INPUT);
    assert_int_equal(rv_ancf_hold(cable, 1, 64, &rigError), RV_BAD_INPUT);
    assert_int_equal(rv_ancf_set_mass(cable, 1, -1.0, &rigError), RV_BAD_INPUT);
    memcpy(cable->q + 12, cable->q + 6, 3 * sizeof(double));
    assert_int_equal(rv_ancf_start(cable, &options, &rigError), RV_BAD_INPUT);
    assert_non_null(strstr(rigError.text, "element 1 has no length"));
    rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(1, 0, 0));
    cable->q[9] = cable->q[15] = -1.0;
    assert_int_equal(rv_ancf_start(cable, &options, &rigError), RV_BAD_INPUT);
    assert_non_null(strstr(rigError.text, "element 1 is inverted"));
    rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(1, 0, 0));
    options.rho = 2.0;
    assert_int_equal(rv_ancf_start(cable, &options, &rigError), RV_BAD_INPUT);
    assert_non_null(strstr(rigError.text, "rho is 2"));
    rv_ancf_destroy(cable);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ForceIsMinusTheGradientOfTheEnergy),
        cmocka_unit_test(TangentIsTheDerivativeOfTheForce),
        cmocka_unit_test(MatrixOfAStepIsMassDampingAndStiffness),
        cmocka_unit_test(PositiveMatrixIsPositive),
        cmocka_unit_test(RigidMotionGivesNoStrain),
        cmocka_unit_test(TurningABentCableChangesNoEnergy),
        cmocka_unit_test(InnerForcesCarryNoMomentum),
        cmocka_unit_test(MomentaAreThoseOfARigidRod),
        cmocka_unit_test(ReadingsAreThoseOfTheCurve),
        cmocka_unit_test(BadPropertiesAreNamed),
        cmocka_unit_test(BadShapesAndHoldsAreNamed),
    };
    return RUN_TESTS(tests);
}
