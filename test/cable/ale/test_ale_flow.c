// SPDX-License-Identifier: MIT
#include "check.h"
#include "reference/parts.h"

static rvMemory memory;

enum { ELEMENTS = 4 };

// Falls of soft rope, so that all terms are of one size; limp: where they are pressed they give way.
static rvAle* create_rope(int falls, bool limp)
{
    rvAleFallDef defs[2] = {{1.2, ELEMENTS, ELEMENTS}, {0.9, ELEMENTS - 1, ELEMENTS}};
    rvAleDef def = {.fallCount = falls,
                    .falls = defs,
                    .EA = 30.0,
                    .EI = limp ? 0.01 : 0.7,
                    .massPerLength = 0.4,
                    .gravity = {0.3, -0.2, -9.81},
                    .buckles = limp};
    rvAle* ale;
    rvError error;
    assert_int_equal(rv_ale_create(&def, &memory, &ale, &error), RV_OK);
    return ale;
}

static rvAle* create(int falls)
{
    return create_rope(falls, false);
}

// Rope that moves as r(p, t) = X(p) + V t + A t^2/2, X cubic in p: every cubic element holds it exactly.
static rvVec3 rope(double p, double t, rvVec3* slope)
{
    *slope = rvVec(1.0 - 0.4 * p + 0.3 * p * p, 0.5 * p, -0.3 + 0.6 * p * p);
    return rvVec(p - 0.2 * p * p + 0.1 * p * p * p + 0.7 * t + 0.15 * t * t, 0.25 * p * p - 0.4 * t - 0.1 * t * t,
                 -0.3 * p + 0.2 * p * p * p + 0.2 * t - 4.905 * t * t);
}

// The mesh that rides on it with p_a(t) and p_b(t).
static void ride(const rvAle* ale, double t, double* q, double p[2])
{
    const rvAncf* cable = ale->falls[0].ancf;
    p[0] = 0.1 + 0.8 * t - 0.5 * t * t;
    p[1] = 1.3 - 1.1 * t + 0.9 * t * t;
    double g = (p[1] - p[0]) / ale->falls[0].mesh;
    for (int i = 0; i < cable->nodeCount; i++) {
        rvVec3 slope, r = rope(p[0] + g * cable->places[i], t, &slope);
        const double x[6] = {r.x, r.y, r.z, g * slope.x, g * slope.y, g * slope.z};
        memcpy(q + 6 * i, x, sizeof x);
    }
}

// Falls with the weight: whatever the mesh does, the rope needs no force. Elastic forces are left out.
static void RopeThatFallsFeelsNoForceInAMeshThatMoves(void** state)
{
    (void)state;
    rvAle* ale = create(1);
    enum { SIZE = 6 * (ELEMENTS + 2) };
    double q[3][SIZE] = {{0}}, p[3][2], v[SIZE], a[SIZE], h = 1e-3, force[SIZE] = {0}, forceP[2];
    for (int i = 0; i < 3; i++)
        ride(ale, (i - 1) * h, q[i], p[i]);
    for (int i = 0; i < SIZE; i++) {
        v[i] = (q[2][i] - q[0][i]) / (2.0 * h);
        a[i] = (q[2][i] - 2.0 * q[1][i] + q[0][i]) / (h * h);
    }
    rvAleFlow flow = {.g = (p[1][1] - p[1][0]) / ale->falls[0].mesh, .gravity = {0.3, -0.2, -9.81}};
    for (int i = 0; i < 2; i++) {
        flow.rate[i] = (p[2][i] - p[0][i]) / (2.0 * h);
        flow.accel[i] = (p[2][i] - 2.0 * p[1][i] + p[0][i]) / (h * h);
    }
    rvAleWish none = {0};
    rv_ale_flow(&ale->falls[0], q[1], v, a, &flow, &none, NULL, NULL, force, forceP);
    double size = 0.4 * 1.2 * 9.81; // the weight
    for (int i = 0; i < 6 * (ELEMENTS + 1); i++)
        CHECK_NEAR(force[i], 0.0, 1e-5 * size); // differences of second order in h: h^2 times third rates of order 10
    for (int i = 0; i < 2; i++)
        CHECK_NEAR(forceP[i], 0.0, 1e-5 * size); // as above
    rv_ale_destroy(ale);
}

static double wave(int i)
{
    return sin(1.3 * i + 0.4) + 0.5 * cos(2.9 * i);
}

static void bend_falls(rvAle* ale)
{
    rvVec3 from[2] = {{0, 0, 0}, {1.0, 0.2, -0.5}}, to[2] = {{1.0, 0.2, -0.5}, {1.5, 0.3, 0.2}};
    for (int f = 0; f < ale->fallCount; f++) {
        rv_ale_lay(ale, f, from[f], to[f]);
        for (int i = 0; i < ale->falls[f].ancf->dofCount; i++)
            ale->falls[f].ancf->q[i] += 0.1 * wave(i + 50 * f);
    }
}

// Of a flow that stays no column is asked: the other one and all forces are as if it were.
static void ColumnsThatAreNotAskedForChangeNothingElse(void** state)
{
    (void)state;
    enum { SIZE = 6 * (ELEMENTS + 2) };
    double columns[4][2][SIZE], corners[4][3], forces[4][SIZE], onP[4][2];
    for (int without = 0; without < 4; without++) {
        rvAle* ale = create(1);
        bend_falls(ale);
        rvAleFall* fall = &ale->falls[0];
        rvAncf* cable = fall->ancf;
        double *v = cable->work[1], *a = cable->work[2], *force = cable->work[3];
        for (int i = 0; i < SIZE; i++) {
            v[i] = i < cable->dofCount ? wave(i + 7) : 0.0;
            a[i] = i < cable->dofCount ? wave(2 * i) : 0.0;
        }
        ale->rt.p = ale->flow[RV_ALE_P];
        ale->rt.v1 = ale->flowWork[4];
        ale->rt.a1 = ale->flowWork[5];
        for (int j = 0; j < 2; j++)
            ale->rt.v1[j] = ale->rt.a1[j] = 0.3 - j;
        rvAleWish wish = {.massFactor = 40.0, .stays = {(without & 1) != 0, (without & 2) != 0}};
        rv_ale_residual(ale, 0, &(rvAleState){.q = cable->q, .v = v, .vd = v, .a = a}, &wish, force);
        for (int i = 0; i < 2; i++) {
            memcpy(columns[without][i], fall->border.column[i], sizeof columns[0][0]);
            onP[without][i] = fall->forceP[i];
        }
        memcpy(corners[without], fall->border.corner, sizeof corners[0]);
        memcpy(forces[without], force, sizeof forces[0]);
        rv_ale_destroy(ale);
    }
    for (int without = 1; without < 4; without++) {
        assert_memory_equal(forces[without], forces[0], sizeof forces[0]);
        assert_memory_equal(onP[without], onP[0], sizeof onP[0]);
        for (int i = 0; i < 2; i++) {
            if (without >> i & 1)
                continue;
            CHECK_NEAR(corners[without][2 * i], corners[0][2 * i], 1e-14 * corners[0][2 * i]); // rounding of ten terms
            for (int k = 0; k < 6 * (ELEMENTS + 1); k++)
                CHECK_NEAR(columns[without][i][k], columns[0][i][k], 1e-13 * 40.0 * 0.4); // rounding of cM rho
        }
    }
}

// What is left at the state moved by s times a motion, with accelerations of t times it.
static void left_at(rvAle* ale, const double* motion, double s, double t, double* out)
{
    int places = ale->placeCount, n = 0;
    ale->rt.p = ale->flowWork[1];
    ale->rt.v1 = ale->flowWork[4];
    ale->rt.a1 = ale->flowWork[5];
    memset(ale->rt.v1, 0, 2 * (size_t)places * sizeof(double));
    memset(ale->rt.a1, 0, 2 * (size_t)places * sizeof(double));
    for (int j = 0; j < 2 * places; j++)
        ale->rt.p[j] = ale->flow[RV_ALE_P][j];
    for (int f = 0; f < ale->fallCount; f++)
        n += ale->falls[f].ancf->dofCount;
    for (int j = 0; j < places; j++) {
        ale->rt.p[j] += s * motion[n + j];
        ale->rt.a1[j] = t * motion[n + j];
    }
    n = 0;
    for (int f = 0; f < ale->fallCount; f++) {
        rvAncf* cable = ale->falls[f].ancf;
        double *q = cable->work[1], *a = cable->work[2], *still = cable->work[3], *force = cable->work[4];
        memset(still, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
        for (int i = 0; i < cable->dofCount; i++) {
            q[i] = cable->q[i] + s * motion[n + i];
            a[i] = t * motion[n + i];
        }
        ale->falls[f].rt.p = q;
        rv_ale_residual(ale, f, &(rvAleState){.q = q, .v = still, .vd = still, .a = a}, NULL, force);
        memcpy(out + n, force, (size_t)cable->dofCount * sizeof(double));
        n += cable->dofCount;
    }
    rv_ale_finish_flows(ale, 0.0, false);
    memcpy(out + n, ale->flowForce, (size_t)places * sizeof(double));
}

// H x = b solved; then H x by differences of the forces is b again, with nodes, flows and mass at once.
static void check_matrix(bool limp)
{
    rvAle* ale = create_rope(2, limp);
    rvError error;
    rv_ale_hold(ale, 0, RV_ALE_END, RV_ANCF_PIN, &error);
    rv_ale_hold(ale, 1, RV_ALE_BEGIN, RV_ANCF_PIN, &error);
    rv_ale_hold_flow(ale, 1, false);
    bend_falls(ale);
    enum { SIZE = 2 * 6 * (ELEMENTS + 2) + 3 };
    double x[SIZE] = {0}, b[SIZE] = {0}, up[SIZE], down[SIZE], heavy[SIZE], light[SIZE], factor = 1e3, e = 1e-5;
    left_at(ale, x, 0.0, 0.0, up); // the flows' vectors are there now
    int n = 0;
    for (int f = 0; f < 2; f++) {
        rvAleFall* fall = &ale->falls[f];
        rvAncf* cable = fall->ancf;
        fall->rt.r = cable->work[6];
        double* still = cable->work[3];
        rvAleWish wish = {.massFactor = factor};
        rv_ale_residual(ale, f, &(rvAleState){.q = cable->q, .v = still, .vd = still, .a = still}, &wish, fall->rt.r);
        for (int i = 0; i < cable->dofCount; i++)
            fall->rt.r[i] = b[n + i] = wave(7 * i + f);
        n += cable->dofCount;
    }
    rv_ale_finish_flows(ale, factor, true);
    for (int j = 0; j < 3; j++)
        ale->flowForce[j] = b[n + j] = 2.0 + j;
    rv_ale_factor_flows(ale);
    rv_ale_solve(ale);
    for (int f = 0, at = 0; f < 2; f++) {
        memcpy(x + at, ale->falls[f].rt.r, (size_t)ale->falls[f].ancf->dofCount * sizeof(double));
        at += ale->falls[f].ancf->dofCount;
    }
    memcpy(x + n, ale->flowForce, 3 * sizeof(double));
    assert_true(x[n] == 0.0 && x[n + 2] == 0.0); // held
    assert_true(fabs(x[n + 1]) > 1e-3);
    double scale = 0.0;
    for (int i = 0; i < n + 3; i++)
        scale = fmax(scale, fabs(x[i]));
    e /= scale;
    left_at(ale, x, e, 0.0, up);
    left_at(ale, x, -e, 0.0, down);
    left_at(ale, x, 0.0, 1.0, heavy);
    left_at(ale, x, 0.0, -1.0, light);
    const rvAncf* first = ale->falls[0].ancf;
    for (int i = 0; i < n + 3; i++) {
        bool held = i == n || i == n + 2 || (i >= 6 * (first->nodeCount - 1) && i < 6 * (first->nodeCount - 1) + 3) ||
                    (i >= first->dofCount && i < first->dofCount + 3);
        double product = -(up[i] - down[i]) / (2.0 * e) - factor * (heavy[i] - light[i]) / 2.0;
        if (!held)
            CHECK_NEAR(product, b[i], 1e-6); // rounding of a difference: 1e-16 * 1e3/1e-5 of forces; and e^2
    }
    int giving = 0;
    for (int f = 0; f < 2; f++)
        for (int k = 0; k < ale->falls[f].ancf->slotCount; k++)
            giving -= (int)(ale->falls[f].ancf->gives[k][0] + ale->falls[f].ancf->gives[k][1]);
    assert_true(limp ? giving >= 2 && giving < 2 * ELEMENTS - 1 : giving == 0); // of seven some do, some do not
    rv_ale_destroy(ale);
}

static void MatrixAndItsSolutionAgreeWithDifferencesOfTheForces(void** state)
{
    (void)state;
    check_matrix(false);
    check_matrix(true);
}

// Rope that flows straight through a fall at a constant speed carries that momentum and energy.
static void FlowingRopeHasItsMomentumAndEnergy(void** state)
{
    (void)state;
    rvAle* ale = create(1);
    rv_ale_lay(ale, 0, rvVec(0, 0, 0), rvVec(1.2, 0, 0));
    ale->flow[RV_ALE_RATE][0] = ale->flow[RV_ALE_RATE][1] = -3.0; // p falls at a fixed place: rope moves along +x
    double mass = 0.4 * 1.2;
    CHECK_NEAR(rv_ale_mass(ale), mass, 1e-14);             // rounding
    CHECK_NEAR(rv_ale_momentum(ale).x, 3.0 * mass, 1e-14); // rounding
    CHECK_NEAR(rv_ale_energy(ale).kinetic, 4.5 * mass, 1e-14);
    CHECK_NEAR(rv_ale_point(ale, 0, 0.3).velocity.x, 3.0, 1e-14);
    rv_ale_destroy(ale);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ColumnsThatAreNotAskedForChangeNothingElse),
        cmocka_unit_test(RopeThatFallsFeelsNoForceInAMeshThatMoves),
        cmocka_unit_test(MatrixAndItsSolutionAgreeWithDifferencesOfTheForces),
        cmocka_unit_test(FlowingRopeHasItsMomentumAndEnergy),
    };
    return RUN_TESTS(tests);
}
