// SPDX-License-Identifier: MIT
// Integrators of ANCF cables: the paper's equations and cells, orders, energy, momentum, holds, robustness.
#include "ancf_rig.h"

// Soft, so that every motion is resolved at 1 ms and orders show.
static rvAncf* soft_cable(void)
{
    rvAncf* cable =
        rig_uniform(4, 1.0, (rvAncfElement){.EA = 20.0, .EI = 0.01, .massPerLength = 1.0}, rvVec(0, 0, -9.81), false);
    rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(1, 0.5, -0.3));
    assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_PIN, &rigError), RV_OK);
    for (int i = 0; i <= 4; i++) {
        cable->v[6 * i + 1] = 0.5 * i / 4.0;
        cable->v[6 * i + 4] = 0.5;
    }
    return cable;
}

static rvVec3 tip_after(rvAncf* cable, rvAncfMethod method, double h, double time)
{
    rig_start(cable, method);
    for (int i = 0; i < cable->dofCount; i++) { // the past that BDF2 lacks: the paper's own start costs it an order
        cable->qOld[i] = cable->q[i] - h * cable->v[i] + 0.5 * h * h * cable->a[i];
        cable->vOld[i] = cable->v[i] - h * cable->a[i];
    }
    for (int n = (int)lround(time / h); n > 0; n--)
        assert_int_equal(rv_ancf_step(cable, h), RV_OK);
    rvVec3 tip = rv_ancf_point(cable, 1.0).position;
    rv_ancf_destroy(cable);
    return tip;
}

static void NamesLeadBackToTheirMethods(void** state)
{
    (void)state;
    for (int m = 0; m < RV_ANCF_METHOD_COUNT; m++)
        assert_int_equal(rv_ancf_method_by_name(rv_ancf_method_name((rvAncfMethod)m)), m);
    assert_int_equal(rv_ancf_method_by_name("euler"), RV_ANCF_METHOD_COUNT);
}

// The equation that a step of Table 1 solves, put together from forces, tangents and mass.
static void PaperStepsSolveTheLinearisedEquation(void** state)
{
    (void)state;
    for (int m = RV_ANCF_SI_BE; m <= RV_ANCF_SI_HHT; m++) {
        rvAncf* cable = rig_uniform(
            5, 1.0, (rvAncfElement){.EA = 500.0, .EI = 0.3, .massPerLength = 0.4, .axialTime = 0.01, .bendTime = 0.02},
            rvVec(0, 0, -9.81), false);
        rig_shake(cable, 0.05, 11u);
        assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_PIN, &rigError), RV_OK);
        rig_start(cable, (rvAncfMethod)m);
        double h = 2e-3;
        rv_ancf_step(cable, h); // so that BDF2 has a past
        double q0[42] = {0}, v0[42] = {0}, force[36], kd[42], dv[42], ma[42], x[42] = {0}, y[42] = {0};
        memcpy(q0, cable->q, 36 * sizeof(double));
        memcpy(v0, cable->v, 36 * sizeof(double));
        rv_ancf_force(cable, cable->q, cable->v, cable->work[9]);
        memcpy(force, cable->work[9], sizeof force);
        rv_ancf_linearise(cable, cable->q, cable->v, &(rvAncfWish){0}, cable->work[9]);
        rvAncfSlot slots[4];
        memcpy(slots, cable->slots, (size_t)(cable->slotCount + 1) * sizeof *slots);
        assert_int_equal(rv_ancf_step(cable, h), RV_OK);
        for (int i = 0; i < 36; i++) {
            x[i] = cable->q[i] - q0[i];
            y[i] = cable->v[i] - v0[i];
        }
        rv_ancf_slot_product(cable, slots, x, kd);
        rv_ancf_damping_product(cable, q0, v0, y, dv);
        rv_ancf_mass_product(cable, cable->a, ma);
        double alpha = m == RV_ANCF_SI_HHT ? -0.05 : 0.0;
        for (int i = 3; i < 36; i++) { // all but the pin: M a1/(1+alpha) = Q/(1+alpha) - K dq - D dv
            double left = ma[i] / (1.0 + alpha), right = force[i] / (1.0 + alpha) - kd[i] - dv[i];
            // rounding of K dq; K is at most 1e5, dq about 1e-2
            CHECK_NEAR(left, right, 1e-9);
        }
        rv_ancf_destroy(cable);
    }
}

static void OrdersAreThoseOfTheMethods(void** state)
{
    (void)state;
    static const struct {
        rvAncfMethod method;
        double order;
    } cases[] = {{RV_ANCF_SI_BE, 1.0},
                 {RV_ANCF_SI_BDF2, 2.0},
                 {RV_ANCF_SI_NEWMARK, 2.0},
                 {RV_ANCF_SI_HHT, 2.0},
                 {RV_ANCF_RT, 2.0}};
    rvVec3 exact = tip_after(soft_cable(), RV_ANCF_TAYLOR, 0.01, 0.4);
    for (int i = 0; i < 5; i++) {
        double coarse = rvDistance(tip_after(soft_cable(), cases[i].method, 4e-4, 0.4), exact);
        double fine = rvDistance(tip_after(soft_cable(), cases[i].method, 2e-4, 0.4), exact);
        CHECK_NEAR(log2(coarse / fine), cases[i].order, 0.15); // higher orders of h at h w = 0.1 for the highest w
    }
}

static void ReferencesAgree(void** state)
{
    (void)state;
    rvVec3 exact = tip_after(soft_cable(), RV_ANCF_TAYLOR, 0.01, 0.4);
    CHECK_NEAR(rvDistance(tip_after(soft_cable(), RV_ANCF_TAYLOR, 0.002, 0.4), exact), 0.0, 1e-10); // order 12
    double coarse = rvDistance(tip_after(soft_cable(), RV_ANCF_VERLET, 4e-4, 0.4), exact);
    double fine = rvDistance(tip_after(soft_cable(), RV_ANCF_VERLET, 2e-4, 0.4), exact);
    CHECK_NEAR(log2(coarse / fine), 2.0, 0.15); // as above
    for (int m = RV_ANCF_IMPLICIT_NEWMARK; m <= RV_ANCF_IMPLICIT_HHT; m++) {
        rvVec3 tip = tip_after(soft_cable(), (rvAncfMethod)m, 0.01, 0.4);
        // tolerance 1e-6 a step, some hundred steps, that add up at worst
        CHECK_NEAR(rvDistance(tip, exact), 0.0, 4e-4);
    }
}

enum { SAMPLES = 1001 };

static double heights[SAMPLES]; // of the reference

static void pendulum_reference(double E)
{
    rvAncf* cable = rig_pendulum(E, 10);
    rig_start(cable, RV_ANCF_VERLET);
    for (int i = 0; i < SAMPLES; i++) {
        heights[i] = rv_ancf_point(cable, 1.0).position.z;
        rv_ancf_step(cable, 0.01);
    }
    rv_ancf_destroy(cable);
}

// Mean error of the tip's height [mm] and the largest energy.
static double pendulum_error(double E, rvAncfMethod method, double rho, double h, double* energy)
{
    rvAncf* cable = rig_pendulum(E, 10);
    rvAncfOptions options = rv_ancf_default_options(method);
    options.rho = rho > 0.0 ? rho : options.rho;
    assert_int_equal(rv_ancf_start(cable, &options, &rigError), RV_OK);
    double sum = 0.0, most = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
        sum += fabs(rv_ancf_point(cable, 1.0).position.z - heights[i]);
        most = fmax(most, rv_ancf_energy(cable).total);
        for (int n = (int)lround(0.01 / h); n > 0; n--)
            if (rv_ancf_step(cable, h) != RV_OK)
                most = HUGE_VAL;
    }
    rv_ancf_destroy(cable);
    if (energy)
        *energy = most;
    return 1e3 * sum / SAMPLES;
}

static void PendulumGivesTheCellsOfThePaper(void** state)
{
    (void)state;
    static const struct {
        rvAncfMethod method;
        double h, paper;
    } cells[] = {
        {RV_ANCF_SI_NEWMARK, 1e-2, 428.64}, {RV_ANCF_SI_HHT, 1e-2, 417.92},     {RV_ANCF_SI_BDF2, 1e-2, 424.03},
        {RV_ANCF_SI_BE, 1e-2, 460.45},      {RV_ANCF_SI_NEWMARK, 5e-3, 301.84}, {RV_ANCF_SI_HHT, 5e-3, 291.60},
        {RV_ANCF_SI_BDF2, 5e-3, 299.36},    {RV_ANCF_SI_BE, 5e-3, 370.51},
    };
    pendulum_reference(1e8);
    for (int i = 0; i < 8; i++) // ERRATA: 0.3 % from 2.5 ms on
        CHECK_NEAR(pendulum_error(1e8, cells[i].method, 0.0, cells[i].h, NULL), cells[i].paper, 3e-3 * cells[i].paper);
}

static void NewmarkOfThePaperIsUnstableWhereItSays(void** state)
{
    (void)state;
    double energy;
    memset(heights, 0, sizeof heights);
    pendulum_error(1e9, RV_ANCF_SI_NEWMARK, 0.0, 1e-2, &energy);
    assert_true(energy > 10.0);
    pendulum_error(1e9, RV_ANCF_SI_HHT, 0.0, 1e-2, &energy);
    assert_true(energy < 10.0);
}

static void RtHasTheErrorsOfItsPrototype(void** state)
{
    (void)state;
    // INTEGRATOR, table 2.2: 9.07 and 2.46 mm, from a planar program written apart; printed digits, and Verlet's 1e-3
    // mm
    double energy;
    pendulum_reference(1e8);
    CHECK_NEAR(pendulum_error(1e8, RV_ANCF_RT, 0.5, 1e-2, &energy), 9.07, 0.01);
    CHECK_BELOW(energy, 4e-3); // it printed 4e-3 J as the largest error
    CHECK_NEAR(pendulum_error(1e8, RV_ANCF_RT, 0.5, 5e-3, &energy), 2.46, 0.01);
    CHECK_NEAR(pendulum_error(1e8, RV_ANCF_RT, 0.8, 1e-2, &energy), 7.31, 0.01);
    CHECK_BELOW(pendulum_error(1e8, RV_ANCF_RT, 0.0, 1e-2, &energy), 9.07); // the default of today is no worse
}

static void FreeFlightKeepsMomentum(void** state)
{
    (void)state;
    rvAncf* cable =
        rig_uniform(6, 1.0, (rvAncfElement){.EA = 1e3, .EI = 0.1, .massPerLength = 0.5}, rvVec(0, 0, 0), false);
    rig_shake(cable, 0.02, 21u);
    rig_start(cable, RV_ANCF_RT);
    rvVec3 p = rv_ancf_momentum(cable), l = rv_ancf_angular_momentum(cable);
    double turning = rvLength(l), lost[2];
    for (int k = 0; k < 2; k++) {
        rig_shake(cable, 0.0, 21u);
        rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(1, 0, 0));
        rig_shake(cable, 0.02, 21u);
        rig_start(cable, RV_ANCF_RT);
        double h = k == 0 ? 1e-3 : 5e-4;
        for (int n = (int)lround(0.2 / h); n > 0; n--)
            assert_int_equal(rv_ancf_step(cable, h), RV_OK);
        // rounding: 0.2 s of forces 6/5 EA/l at positions of 1 m, summed over 7 nodes
        CHECK_NEAR(rvDistance(rv_ancf_momentum(cable), p), 0.0, 0.2 * 1.2 * 1e3 * 6.0 * 7.0 * 0x1p-52);
        lost[k] = rvDistance(rv_ancf_angular_momentum(cable), l);
    }
    CHECK_BELOW(lost[0], 0.02 * turning);       // the linearisation loses a little, and less with the step
    CHECK_BELOW(lost[1], 0.6 * lost[0] + 1e-9); // at least of first order
    rv_ancf_destroy(cable);
}

// A smooth shift of the support by 0.5 m in a second.
static void shift(void* context, int node, double t, double b[6], double rate[6], double accel[6])
{
    (void)context;
    (void)node;
    memset(b, 0, 6 * sizeof(double));
    memset(rate, 0, 6 * sizeof(double));
    memset(accel, 0, 6 * sizeof(double));
    double w = 2.0 * PI, s = fmin(t, 1.0), moves = t < 1.0;
    b[0] = 0.5 * (s - sin(w * s) / w);
    rate[0] = moves * 0.5 * (1.0 - cos(w * s));
    accel[0] = moves * 0.5 * w * sin(w * s);
}

static void MovingSupportsAreFollowed(void** state)
{
    (void)state;
    rvVec3 exact = {0};
    for (int k = 0; k < 4; k++) {
        static const rvAncfMethod methods[] = {RV_ANCF_VERLET, RV_ANCF_RT, RV_ANCF_SI_HHT, RV_ANCF_IMPLICIT_NEWMARK};
        rvAncf* cable = rig_pendulum(1e7, 6);
        rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(0, 0, -1));
        rv_ancf_set_motion(cable, shift, NULL);
        rig_start(cable, methods[k]);
        for (int n = 0; n < 1500; n++)
            assert_int_equal(rv_ancf_step(cable, 1e-3), RV_OK);
        rvVec3 tip = rv_ancf_point(cable, 1.0).position;
        exact = k == 0 ? tip : exact;
        // second order at 1 ms: (h w)^2/12 of 1 m for the modes that the shift moves, w up to about 30 rad/s, 45
        // radians; the paper's method loses more by linearising at the start
        CHECK_NEAR(rvDistance(tip, exact), 0.0, methods[k] == RV_ANCF_SI_HHT ? 1e-2 : 3e-3);
        // the pin is where it should be; Baumgarte's equation lets it lag by its own feedback
        CHECK_NEAR(rv_ancf_positions(cable)[0], 0.5, methods[k] == RV_ANCF_SI_HHT ? 2e-3 : 1e-12);
        assert_int_equal(rv_ancf_counts(cable).fallbacks, 0); // the support's work is counted
        rv_ancf_destroy(cable);
    }
}

// Damping of a millisecond at waves of 5000 rad/s: the critical step is ten times less than without it.
static void VerletStaysStableWhereDampingIsStrong(void** state)
{
    (void)state;
    double ends[2];
    for (int k = 0; k < 2; k++) {
        rvAncf* cable =
            rig_uniform(5, 1.0, (rvAncfElement){.EA = 785.0, .EI = 0.1, .massPerLength = 0.4, .axialTime = 1e-3},
                        rvVec(0, 0, -9.81), false);
        rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(0, 0, -1));
        assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_PIN, &rigError), RV_OK);
        rig_start(cable, k == 0 ? RV_ANCF_VERLET : RV_ANCF_RT);
        for (int n = 0; n < 1000; n++)
            assert_int_equal(rv_ancf_step(cable, 2.5e-4), RV_OK);
        ends[k] = rv_ancf_point(cable, 1.0).position.z;
        rv_ancf_destroy(cable);
    }
    CHECK_NEAR(ends[0], ends[1], 1e-6); // (h w)^2/12 of the 2.5 mm that swing, w 70 rad/s
}

static void HeavyLoadOnALightCableHangsStill(void** state)
{
    (void)state;
    // 10 t on 20 m of 1 kg/m at 1/60 s
    rvAncf* cable =
        rig_uniform(10, 20.0, (rvAncfElement){.EA = 1e7, .EI = 10.0, .massPerLength = 1.0}, rvVec(0, 0, -9.81), false);
    rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(0, 0, -1));
    assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_PIN, &rigError), RV_OK);
    assert_int_equal(rv_ancf_set_mass(cable, 10, 1e4, &rigError), RV_OK);
    assert_int_equal(rv_ancf_settle(cable, 1e-11, &rigError), RV_OK);
    cable->v[6 * 10] = 0.5; // and a push
    rig_start(cable, RV_ANCF_RT);
    double energy = rv_ancf_energy(cable).total;
    for (int n = 0; n < 1200; n++) {
        assert_int_equal(rv_ancf_step(cable, 1.0 / 60.0), RV_OK);
        CHECK_NEAR(rv_ancf_point(cable, 10.0).tension, 98.1e3 + 98.1, 2e3); // the swing adds m v^2/L, twice: 250 N
    }
    CHECK_NEAR(rv_ancf_energy(cable).total, energy, 25.0); // 2 % of the push's 1250 J
    rv_ancf_destroy(cable);
}

static void SameStateGivesTheSameBits(void** state)
{
    (void)state;
    rvAncf* cable = rig_pendulum(1e8, 10);
    rig_start(cable, RV_ANCF_RT);
    for (int n = 0; n < 50; n++)
        rv_ancf_step(cable, 5e-3);
    double* saved = malloc((size_t)cable->stateCount * sizeof(double));
    assert_non_null(saved);
    memcpy(saved, cable->state, (size_t)cable->stateCount * sizeof(double));
    for (int n = 0; n < 50; n++)
        rv_ancf_step(cable, 5e-3);
    double x = cable->q[60], z = cable->q[62];
    memcpy(cable->state, saved, (size_t)cable->stateCount * sizeof(double));
    for (int n = 0; n < 50; n++)
        rv_ancf_step(cable, 5e-3);
    assert_true(x == cable->q[60] && z == cable->q[62]);
    free(saved);
    rv_ancf_destroy(cable);
}

// Light, heavy, slack, stiff, in space: the energy never exceeds its start by more than the guard allows.
static void RandomCablesNeverBlowUp(void** state)
{
    (void)state;
    static const double steps[] = {1e-3, 1.0 / 240.0, 1e-2, 1.0 / 60.0, 1.0 / 30.0};
    uint64_t seed = 77u;
    for (int k = 0; k < 300; k++) {
        int n = 2 + (int)(7.0 * fabs(rig_random(&seed)));
        rvAncfElement e = {.EA = pow(10.0, 4.0 + 2.0 * rig_random(&seed)),
                           .EI = pow(10.0, -1.0 + 2.0 * rig_random(&seed)),
                           .massPerLength = pow(10.0, -1.5 + 1.5 * rig_random(&seed))};
        rvAncf* cable = rig_uniform(n, 1.0, e, rvVec(0, 0, -9.81), k % 5 == 0);
        rvVec3 way = rvVec(rig_random(&seed), rig_random(&seed), rig_random(&seed));
        rv_ancf_lay_straight(cable, rvVec(0, 0, 0), way);
        assert_int_equal(rv_ancf_hold(cable, 0, k % 2 ? RV_ANCF_PIN : RV_ANCF_CLAMP, &rigError), RV_OK);
        if (k % 3 == 0)
            assert_int_equal(
                rv_ancf_set_mass(cable, n, e.massPerLength * pow(10.0, 2.0 * rig_random(&seed) + 1.0), &rigError),
                RV_OK);
        for (int i = 6; i < cable->dofCount; i++) // turning and shaking, slack or taut
            cable->v[i] = 3.0 * rig_random(&seed);
        for (int i = 1; i <= n && k % 4 == 0; i++) // pressed together: slack
            for (int c = 0; c < 3; c++)
                cable->q[6 * i + c] *= 0.9;
        rig_start(cable, RV_ANCF_RT);
        double start = rv_ancf_energy(cable).total, scale = cable->scalars[RV_ANCF_SCALE];
        for (int s = 0; s < 60; s++) {
            assert_int_equal(rv_ancf_step(cable, steps[k % 5]), RV_OK);
            scale = fmax(scale, cable->scalars[RV_ANCF_SCALE]);
            // the guard's own bound, and rounding of large stretch energies
            CHECK_BELOW(rv_ancf_energy(cable).total - start, 0.02 * scale + 1e-9 * (fabs(start) + scale));
        }
        rv_ancf_destroy(cable);
    }
}

// A stiff rope, hung as an arc with a load at its free end, snaps taut: halves spare it the fallback, which takes
// energy.
static void HalvesSpareTheFallback(void** state)
{
    (void)state;
    double kept[2], fell[2];
    for (int k = 0; k < 2; k++) {
        rvAncf* cable = rig_uniform(10, 1.0, (rvAncfElement){.EA = 78540.0, .EI = 1e-3, .massPerLength = 0.3927},
                                    rvVec(0, 0, -9.81), false);
        double half = 2.3562; // of the arc: its ends are 0.3 m apart
        for (int i = 0; i <= 10; i++) {
            double t = half * (0.2 * i - 1.0), r = 0.5 / half;
            double q[6] = {r * (sin(t) + sin(half)), 0, r * (cos(half) - cos(t)), cos(t), 0, sin(t)};
            memcpy(cable->q + 6 * i, q, sizeof q);
        }
        assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_PIN, &rigError), RV_OK);
        assert_int_equal(rv_ancf_set_mass(cable, 10, 0.3927, &rigError), RV_OK);
        rvAncfOptions options = rv_ancf_default_options(RV_ANCF_RT);
        options.halvings = k == 0 ? 0 : options.halvings;
        options.rho = 0.5; // where the fallback was seen
        assert_int_equal(rv_ancf_start(cable, &options, &rigError), RV_OK);
        double start = rv_ancf_energy(cable).total;
        for (int n = 0; n < 60; n++)
            assert_int_equal(rv_ancf_step(cable, 1.0 / 60.0), RV_OK);
        kept[k] = rv_ancf_energy(cable).total - start;
        fell[k] = (double)rv_ancf_counts(cable).fallbacks / (k == 0 ? 1.0 : 16.0); // of a step, halved four times
        rv_ancf_destroy(cable);
    }
    assert_true(fell[0] > 0.0);
    CHECK_BELOW(fell[1], fell[0]);
    assert_true(kept[1] >
                0.1 * kept[0]); // losses are negative: a step that loses 0.005 of what moves is halved, 60 of them
}

static void MethodsSayWhatTheyCannotDo(void** state)
{
    (void)state;
    rvAncf* cable = rig_uniform(3, 1.0, (rvAncfElement){.EA = 10, .EI = 1, .massPerLength = 1, .axialTime = 0.1},
                                rvVec(0, 0, 0), false);
    rvAncfOptions options = rv_ancf_default_options(RV_ANCF_TAYLOR);
    assert_int_equal(rv_ancf_start(cable, &options, &rigError), RV_BAD_INPUT);
    assert_non_null(strstr(rigError.text, "taylor"));
    options = rv_ancf_default_options(RV_ANCF_RT);
    assert_int_equal(rv_ancf_start(cable, &options, &rigError), RV_OK);
    assert_int_equal(rv_ancf_step(cable, 0.0), RV_BAD_INPUT);
    assert_int_equal(rv_ancf_step(cable, (double)NAN), RV_BAD_INPUT);
    rv_ancf_destroy(cable);
}

// Elements of a tenth of a millimetre bend 1e12 times stiffer than the mass of a step: what the factor loses is found
// again, and round-off of forces starts no accelerations. So each step is one pass, and needs no guard.
static void ShortElementsMoveAsLongOnes(void** state)
{
    (void)state;
    double energy[2], tip[2];
    for (int k = 0; k < 2; k++) {
        int n = k ? 10000 : 40;
        rvAncfElement* elements = test_calloc((size_t)n, sizeof *elements);
        for (int i = 0; i < n; i++)
            elements[i] = (rvAncfElement){.length = 1.0 / n, .EA = 7854.0, .EI = 1.0, .massPerLength = 0.3927};
        rvMemory memory = {0};
        rvAncf* cable = NULL;
        rvError error = {""};
        rvAncfDef def = {.elementCount = n, .elements = elements, .gravity = {0, 0, -9.81}};
        assert_int_equal(rv_ancf_create(&def, &memory, &cable, &error), RV_OK);
        assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_PIN, &error), RV_OK);
        rvAncfOptions options = rv_ancf_default_options(RV_ANCF_RT);
        options.guarded = false;
        options.halvings = 0;
        assert_int_equal(rv_ancf_start(cable, &options, &error), RV_OK);
        double start = rv_ancf_energy(cable).total;
        for (int i = 0; i < 20; i++)
            assert_int_equal(rv_ancf_step(cable, 0.005), RV_OK);
        assert_int_equal(rv_ancf_counts(cable).passes, 20);
        energy[k] = rv_ancf_energy(cable).total - start;
        tip[k] = rv_ancf_point(cable, 1.0).position.z;
        rv_ancf_destroy(cable);
        test_free(elements);
    }
    double digits = 2e12 * 2.2e-16; // what a factor loses in a step: h^2 12 EI/(m l^4), rounded
    CHECK_NEAR(tip[1] / tip[0], 1.0, 2.0 * digits);
    CHECK_NEAR(energy[1], energy[0],
               digits * 0.16); // of the energy that moves; without refining it rises by more each step
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ShortElementsMoveAsLongOnes),
        cmocka_unit_test(NamesLeadBackToTheirMethods),
        cmocka_unit_test(PaperStepsSolveTheLinearisedEquation),
        cmocka_unit_test(OrdersAreThoseOfTheMethods),
        cmocka_unit_test(ReferencesAgree),
        cmocka_unit_test(PendulumGivesTheCellsOfThePaper),
        cmocka_unit_test(NewmarkOfThePaperIsUnstableWhereItSays),
        cmocka_unit_test(RtHasTheErrorsOfItsPrototype),
        cmocka_unit_test(FreeFlightKeepsMomentum),
        cmocka_unit_test(MovingSupportsAreFollowed),
        cmocka_unit_test(VerletStaysStableWhereDampingIsStrong),
        cmocka_unit_test(HeavyLoadOnALightCableHangsStill),
        cmocka_unit_test(SameStateGivesTheSameBits),
        cmocka_unit_test(RandomCablesNeverBlowUp),
        cmocka_unit_test(HalvesSpareTheFallback),
        cmocka_unit_test(MethodsSayWhatTheyCannotDo),
    };
    return RUN_TESTS(tests);
}
