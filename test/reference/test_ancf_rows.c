// SPDX-License-Identifier: MIT
// Rows A q = b(t) on ANCF cables: against pins, closed forms and the scalar equation of Baumgarte that A q obeys alone.
#include "cable/ancf/ancf_rig.h"

static const rvVec3 NO_GRAVITY = {0, 0, 0};

static rvAncf* soft_cable(rvVec3 gravity)
{
    rvAncf* cable = rig_uniform(4, 1.0, (rvAncfElement){.EA = 20.0, .EI = 0.01, .massPerLength = 1.0}, gravity, false);
    rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(1, 0.5, -0.3));
    return cable;
}

static void add_row(rvAncf* cable, int count, const rvAncfTerm* terms)
{
    rvStatus status = rv_ancf_add_row(cable, terms, count, NULL, &rigError);
    if (status)
        print_error("%s\n", rigError.text);
    assert_int_equal(status, RV_OK);
}

static void add_pin_rows(rvAncf* cable, int node)
{
    for (int c = 0; c < 3; c++)
        add_row(cable, 1, &(rvAncfTerm){node, c, 1.0});
}

static void step_all(rvAncf* cable, double h, int count)
{
    for (int n = 0; n < count; n++)
        assert_int_equal(rv_ancf_step(cable, h), RV_OK);
}

// A smooth motion that starts from rest, with its third derivative too: BDF2's start at rest costs nothing.
static void smooth(double t, double b[3])
{
    double w = 5.0, c = cos(w * t), s = sin(w * t);
    b[0] = 0.1 * (1.0 - c) * (1.0 - c);
    b[1] = 0.2 * w * (1.0 - c) * s;
    b[2] = 0.2 * w * w * (s * s + (1.0 - c) * c);
}

static void pin_motion(void* context, int node, double time, double b[6], double rate[6], double accel[6])
{
    (void)context, (void)node;
    double x[3];
    smooth(time, x);
    for (int c = 0; c < 3; c++) {
        b[c] = (c + 1) * x[0];
        rate[c] = (c + 1) * x[1];
        accel[c] = (c + 1) * x[2];
    }
}

static void row_motion(void* context, double time, double* b, double* rate, double* accel)
{
    pin_motion(context, 0, time, b, rate, accel);
}

static void ThreeRowsEqualAPin(void** state)
{
    (void)state;
    for (int moves = 0; moves < 2; moves++)
        for (int m = RV_ANCF_SI_BE; m <= RV_ANCF_SI_HHT; m++) {
            rvAncf *pinned = soft_cable(rvVec(0, 0, -9.81)), *rowed = soft_cable(rvVec(0, 0, -9.81));
            assert_int_equal(rv_ancf_hold(pinned, 0, RV_ANCF_PIN, &rigError), RV_OK);
            add_pin_rows(rowed, 0);
            if (moves) {
                rv_ancf_set_motion(pinned, pin_motion, NULL);
                assert_int_equal(rv_ancf_aim_rows(rowed, row_motion, NULL, &rigError), RV_OK);
            }
            rig_start(pinned, (rvAncfMethod)m);
            rig_start(rowed, (rvAncfMethod)m);
            step_all(pinned, 2e-3, 100);
            step_all(rowed, 2e-3, 100);
            // rounding of 1e-16 in d, kept by v for 100 steps (1e-16 * 100^2/2) and 100 times as much by the soft
            // factor
            for (int i = 0; i < pinned->dofCount; i++)
                CHECK_NEAR(rowed->q[i], pinned->q[i], 1e-10);
            assert_true(fabs(pinned->q[26] - (-0.3 / sqrt(1.34))) > 0.01); // it did fall
            rv_ancf_destroy(pinned);
            rv_ancf_destroy(rowed);
        }
}

// b by numbers before each step is b by a function.
static void NumbersEqualAFunction(void** state)
{
    (void)state;
    rvAncf *called = soft_cable(rvVec(0, 0, -9.81)), *told = soft_cable(rvVec(0, 0, -9.81));
    add_pin_rows(called, 0);
    add_pin_rows(told, 0);
    assert_int_equal(rv_ancf_aim_rows(called, row_motion, NULL, &rigError), RV_OK);
    double h = 2e-3, b[6], rate[6], accel[6], unused[6], unusedRate[6];
    for (int n = -1; n < 50; n++) {
        double time = n < 0 ? 0.0 : rv_ancf_time(called);
        pin_motion(NULL, 0, time, b, rate, accel);
        if (n >= 0)
            pin_motion(NULL, 0, time + h, unused, unusedRate, accel);
        for (int i = 0; i < 3; i++)
            assert_int_equal(rv_ancf_aim_row(told, i, b[i], rate[i], accel[i], &rigError), RV_OK);
        if (n < 0) {
            rig_start(called, RV_ANCF_SI_NEWMARK);
            rig_start(told, RV_ANCF_SI_NEWMARK);
            continue;
        }
        step_all(called, h, 1);
        step_all(told, h, 1);
    }
    assert_memory_equal(called->q, told->q, (size_t)called->dofCount * sizeof(double)); // the same arithmetic
    rv_ancf_destroy(called);
    rv_ancf_destroy(told);
}

// M a1 = (1 + alpha) Q1 - alpha Q + A^T f, with the forces that are read.
static void ForcesStandInTheEquationOfMotion(void** state)
{
    (void)state;
    for (int m = RV_ANCF_SI_BE; m <= RV_ANCF_SI_HHT; m++) {
        rvAncf* cable = rig_uniform(5, 1.0, (rvAncfElement){.EA = 500.0, .EI = 0.3, .massPerLength = 0.4},
                                    rvVec(0, 0, -9.81), false);
        rig_shake(cable, 0.05, 11u);
        add_row(cable, 2, (rvAncfTerm[]){{0, 0, 2.0}, {4, 2, -0.7}});
        add_row(cable, 3, (rvAncfTerm[]){{1, 1, 1.0}, {3, 4, 0.1}, {5, 0, 1.5}});
        rig_start(cable, (rvAncfMethod)m);
        double q0[42] = {0}, force[36], kd[42], ma[42], x[42] = {0}, pull[36] = {0};
        memcpy(q0, cable->q, 36 * sizeof(double));
        rv_ancf_linearise(cable, cable->q, cable->v, &(rvAncfWish){0}, cable->work[9]);
        memcpy(force, cable->work[9], sizeof force);
        rvAncfSlot slots[4];
        memcpy(slots, cable->slots, (size_t)(cable->slotCount + 1) * sizeof *slots);
        step_all(cable, 2e-3, 1);
        for (int i = 0; i < 36; i++)
            x[i] = cable->q[i] - q0[i];
        rv_ancf_slot_product(cable, slots, x, kd);
        rv_ancf_mass_product(cable, cable->a, ma);
        double f = rv_ancf_row_force(cable, 0), g = rv_ancf_row_force(cable, 1);
        pull[0] = 2.0 * f, pull[26] = -0.7 * f, pull[7] = g, pull[22] = 0.1 * g, pull[30] = 1.5 * g;
        double alpha = m == RV_ANCF_SI_HHT ? -0.05 : 0.0;
        assert_true(fabs(f) > 1e-3 && fabs(g) > 1e-3);
        for (int i = 0; i < 36; i++) // rounding of K dq: K is at most 1e5, dq about 1e-2
            CHECK_NEAR(ma[i], force[i] + pull[i] - (1.0 + alpha) * kd[i], 1e-9);
        rv_ancf_destroy(cable);
    }
}

// A cable whose end slides down a line without friction hangs square to the line: seen from it, gravity is g cos along
// the normal, and all of it goes down by g sin t^2/2. It starts in the stretched shape of that.
static void NodeSlidesDownAnInclinedLine(void** state)
{
    (void)state;
    double angle = 0.5, g = 9.81, s = sin(angle), c = cos(angle);
    rvVec3 down = {c, 0, -s}, normal = {-s, 0, -c}; // of the line; the cable hangs along the normal
    for (int m = RV_ANCF_SI_BE; m <= RV_ANCF_SI_HHT; m++) {
        rvAncf *still = soft_cable(rvScale(g * c, normal)), *slider = soft_cable(rvVec(0, 0, -g));
        rv_ancf_lay_straight(still, rvVec(0, 0, 0), normal);
        assert_int_equal(rv_ancf_hold(still, 0, RV_ANCF_PIN, &rigError), RV_OK);
        assert_int_equal(rv_ancf_settle(still, 1e-12, &rigError), RV_OK);
        rv_ancf_set_shape(slider, still->q, NULL);
        add_row(slider, 2, (rvAncfTerm[]){{0, 0, normal.x}, {0, 2, normal.z}});
        add_row(slider, 1, &(rvAncfTerm){0, 1, 1.0});
        rig_start(slider, (rvAncfMethod)m);
        double h = 1e-2;
        int n = 50;
        for (int i = 0; i < slider->dofCount; i++) { // the past that BDF2 lacks
            slider->qOld[i] = slider->q[i] + 0.5 * h * h * slider->a[i];
            slider->vOld[i] = slider->v[i] - h * slider->a[i];
        }
        step_all(slider, h, n);
        // all but Euler are exact for constant acceleration; Euler adds h v1: h^2 (1 + 2 + ... + n)
        double way = g * s * h * h * (m == RV_ANCF_SI_BE ? 0.5 * n * (n + 1) : 0.5 * n * n);
        for (int i = 0; i <= 4; i++) {
            const double *q = slider->q + 6 * i, *q0 = still->q + 6 * i;
            // settled to 1e-12 of the length, swings about it keep below ten times that; rounding as against the pin
            CHECK_NEAR((q[0] - q0[0]) * down.x + (q[2] - q0[2]) * down.z, way, 1e-10);
            CHECK_NEAR((q[0] - q0[0]) * normal.x + (q[2] - q0[2]) * normal.z, 0.0, 1e-10);
        }
        // 1 kg; the force's error is that of the place, 1e-10, times EA/l = 80
        CHECK_NEAR(rv_ancf_row_force(slider, 0), -g * c, 1e-8);
        CHECK_NEAR(rv_ancf_row_force(slider, 1), 0.0, 1e-8);
        rv_ancf_destroy(still);
        rv_ancf_destroy(slider);
    }
}

// What A q does by itself: the rule of the method with Baumgarte's acceleration. Answers the last A q - b.
static double scalar_gap(rvAncfMethod method, double gap, bool moves, double h, int steps)
{
    rvAncfOptions options = rv_ancf_default_options(method);
    double q = gap, v = 0.0, a = 0.0, qOld = gap, vOld = 0.0, vc, ac, b[3] = {0}, next[3] = {0};
    for (int n = 0; n < steps; n++) {
        rvAncfPast past = {1, &q, &v, &a, &qOld, &vOld};
        rvAncfRule rule = {.vc = &vc, .ac = &ac};
        rv_ancf_paper_rule(&options, &past, h, &rule);
        if (moves)
            smooth(n * h, b), smooth((n + 1) * h, next);
        double a1 = next[2] - 2.0 * options.baumgarte[0] * (v - b[1]) -
                    options.baumgarte[1] * options.baumgarte[1] * (q - b[0]);
        double d = (a1 - ac) / rule.cA;
        qOld = q, vOld = v;
        q += d;
        v = rule.cV * d + vc;
        a = rule.cA * d + ac;
    }
    return q - next[0];
}

// A closed circle, its ends tied by position.
static rvAncf* ring(int n, int m)
{
    double l = 2.0 * PI;
    rvAncf* cable = rig_uniform(n, l, (rvAncfElement){.EA = 50.0, .EI = 0.5, .massPerLength = 1.0}, NO_GRAVITY, false);
    for (int i = 0; i <= n; i++) {
        double u = 2.0 * PI * (i % n) / n, q[6] = {cos(u), sin(u), 0, -sin(u), cos(u), 0};
        memcpy(cable->q + 6 * i, q, sizeof q);
        double v[6] = {0.3 - 0.2 * sin(2.0 * u), 0.1 * cos(u), 0.2 * cos(3.0 * u), 0, 0, 0};
        memcpy(cable->v + 6 * i, v, sizeof v);
    }
    for (int c = 0; c < 3; c++)
        add_row(cable, 2, (rvAncfTerm[]){{0, c, 1.0}, {n, c, -1.0}});
    rig_start(cable, (rvAncfMethod)m);
    return cable;
}

static void TiedEndsCloseAtBaumgartesRate(void** state)
{
    (void)state;
    double h = 1e-3, error[2];
    for (int m = RV_ANCF_SI_BE; m <= RV_ANCF_SI_HHT; m++) {
        rvAncf* cable = ring(8, m);
        step_all(cable, h, 300);
        for (int i = 0; i < 3; i++) // rounding of q, 1e-16, that Baumgarte lets grow for 1/a1 = 100 steps: 100^2/2
            CHECK_NEAR(rv_ancf_row_gap(cable, i), 0.0, 1e-11);
        rv_ancf_destroy(cable);
        cable = ring(8, m);
        cable->q[2] += 1e-3; // torn open; the past too, which is at rest
        cable->qOld[2] += 1e-3;
        step_all(cable, h, 200);
        CHECK_NEAR(rv_ancf_row_gap(cable, 2), scalar_gap((rvAncfMethod)m, 1e-3, false, h, 200), 1e-11); // as above
        rv_ancf_destroy(cable);
        // and that is (1 + 10 t) e^-10t as h falls: C is taken where the step starts, so of order 1 for all
        for (int k = 0; k < 2; k++)
            error[k] = scalar_gap((rvAncfMethod)m, 1e-3, false, h / (1 << k), 200 << k) - 1e-3 * 3.0 * exp(-2.0);
        CHECK_NEAR(log2(error[0] / error[1]), 1.0, 0.05); // the next order is a1 h = 0.01 of it, some times
    }
}

// Drift of a moving row. Taken at the end of a step, b'' is integrated to the order of the rule; HHT's gamma is off 1/2
// by alpha, which its forces make up for but b'' does not, so its drift is of order 1.
static void DriftHasTheOrderOfTheRule(void** state)
{
    (void)state;
    static const double orders[] = {1.0, 2.0, 2.0, 1.0};
    for (int m = RV_ANCF_SI_BE; m <= RV_ANCF_SI_HHT; m++) {
        double gap[2];
        for (int k = 0; k < 2; k++) {
            rvAncf* cable = soft_cable(rvVec(0, 0, -9.81));
            add_pin_rows(cable, 0);
            assert_int_equal(rv_ancf_aim_rows(cable, row_motion, NULL, &rigError), RV_OK);
            rig_start(cable, (rvAncfMethod)m);
            int steps = 250 << k;
            double h = 0.5 / steps;
            step_all(cable, h, steps);
            gap[k] = rv_ancf_row_gap(cable, 0);
            // rounding as against the pin
            CHECK_NEAR(gap[k], scalar_gap((rvAncfMethod)m, 0.0, true, h, steps), 1e-10);
            rv_ancf_destroy(cable);
        }
        CHECK_NEAR(log2(gap[0] / gap[1]), orders[m - RV_ANCF_SI_BE],
                   0.1); // the next order: w h = 0.02 of it, some times
    }
}

// Ties push both ends alike.
static void TiesKeepTheMomentum(void** state)
{
    (void)state;
    for (int m = RV_ANCF_SI_BE; m <= RV_ANCF_SI_HHT; m++) {
        rvAncf* cable = ring(8, m);
        rvVec3 before = rv_ancf_momentum(cable);
        assert_true(rvLength(before) > 1.0);
        step_all(cable, 1e-3, 300);
        // forces of some N, rounded to 1e-15, in 54 places, by 300 steps of 1 ms; cA M d rounds 1e6 times d's 1e-16
        CHECK_NEAR(rvDistance(rv_ancf_momentum(cable), before), 0.0, 1e-10);
        assert_true(fabs(rv_ancf_row_force(cable, 0)) + fabs(rv_ancf_row_force(cable, 1)) > 1e-3); // they do push
        rv_ancf_destroy(cable);
    }
}

static void RowsThatSayTheSameDoNoHarm(void** state)
{
    (void)state;
    rvAncf *once = soft_cable(rvVec(0, 0, -9.81)), *often = soft_cable(rvVec(0, 0, -9.81));
    assert_int_equal(rv_ancf_hold(once, 4, RV_ANCF_PIN, &rigError), RV_OK);
    assert_int_equal(rv_ancf_hold(often, 4, RV_ANCF_PIN, &rigError), RV_OK);
    add_pin_rows(once, 0);
    add_pin_rows(often, 0);
    add_pin_rows(often, 0);
    add_row(often, 3, (rvAncfTerm[]){{0, 0, 1.0}, {0, 1, 2.0}, {0, 2, -3.0}}); // follows from the others
    add_row(often, 1, &(rvAncfTerm){4, 0, 1.0});                               // held already
    rig_start(once, RV_ANCF_SI_NEWMARK);
    rig_start(often, RV_ANCF_SI_NEWMARK);
    step_all(once, 2e-3, 100);
    step_all(often, 2e-3, 100);
    for (int i = 0; i < once->dofCount; i++)
        CHECK_NEAR(often->q[i], once->q[i], 1e-10); // rounding as against the pin
    for (int i = 3; i < 8; i++)
        assert_true(rv_ancf_row_force(often, i) == 0.0);
    rv_ancf_destroy(once);
    rv_ancf_destroy(often);
}

// The same where the factor rounds: a stiff cable, a row that is a sum of two others over distant nodes.
static void SumsOfRowsOnAStiffCableDoNoHarm(void** state)
{
    (void)state;
    for (int n = 10; n <= 40; n += 30)
        for (int m = RV_ANCF_SI_BE; m <= RV_ANCF_SI_HHT; m++) {
            rvAncf* cable = rig_pendulum(1e9, n);
            add_row(cable, 2, (rvAncfTerm[]){{3, 0, 1.0}, {5, 2, 0.37}});
            add_row(cable, 2, (rvAncfTerm[]){{7, 2, 1.0}, {2, 0, -0.2}});
            add_row(cable, 4, (rvAncfTerm[]){{3, 0, 0.3}, {5, 2, 0.3 * 0.37}, {7, 2, 0.7}, {2, 0, -0.7 * 0.2}});
            rig_start(cable, (rvAncfMethod)m);
            for (int k = 0; k < 200; k++) {
                step_all(cable, 1e-3, 1);
                assert_true(rv_ancf_row_force(cable, 2) == 0.0);
            }
            for (int i = 0; i < 3; i++) // what the dropped pivot hides, 1e-12 of moves of 1 mm, for 1/a1 = 100 steps
                CHECK_NEAR(rv_ancf_row_gap(cable, i), 0.0, 1e-12 * 1e-3 * 100 * 100);
            rv_ancf_destroy(cable);
        }
}

// Speeds that do not fit the rows lose what is against them at the start, by an impulse along A^T.
static void SpeedsOfTheStartFitTheRows(void** state)
{
    (void)state;
    rvAncf* cable = soft_cable(NO_GRAVITY);
    for (int i = 0; i < cable->dofCount; i++)
        cable->v[i] = sin(1.0 + i);
    double change[36] = {0}, impulse[36], start[36] = {0};
    memcpy(start, cable->v, 30 * sizeof(double));
    add_row(cable, 2, (rvAncfTerm[]){{0, 1, 1.0}, {3, 0, -2.0}});
    rig_start(cable, RV_ANCF_SI_NEWMARK);
    CHECK_NEAR(cable->v[1] - 2.0 * cable->v[18], 0.0, 1e-12); // rounding, by the condition of the mass, below 1e4
    for (int i = 0; i < 30; i++)
        change[i] = cable->v[i] - start[i];
    rv_ancf_mass_product(cable, change, impulse);
    assert_true(fabs(impulse[1]) > 1e-3);
    for (int i = 0; i < 30; i++)
        CHECK_NEAR(impulse[i], i == 18 ? -2.0 * impulse[1] : i == 1 ? impulse[1] : 0.0, 1e-12); // the same
    rv_ancf_destroy(cable);
}

static void jump_pin(void* context, int node, double time, double b[6], double rate[6], double accel[6])
{
    (void)node, (void)time;
    for (int c = 0; c < 3; c++)
        b[c] = accel[c] = 0.0, rate[c] = (c + 1) * *(const double*)context;
}

static void jump_rows(void* context, double time, double* b, double* rate, double* accel)
{
    jump_pin(context, 0, time, b, rate, accel);
}

// Told so, speeds jump to those of b, by an impulse along A^T alone: as a pin's do.
static void SpeedsJumpByTheMass(void** state)
{
    (void)state;
    double speed = 0.0;
    rvAncf *pinned = soft_cable(rvVec(0, 0, -9.81)), *rowed = soft_cable(rvVec(0, 0, -9.81));
    assert_int_equal(rv_ancf_hold(pinned, 0, RV_ANCF_PIN, &rigError), RV_OK);
    rv_ancf_set_motion(pinned, jump_pin, &speed);
    add_pin_rows(rowed, 0);
    assert_int_equal(rv_ancf_aim_rows(rowed, jump_rows, &speed, &rigError), RV_OK);
    rig_start(pinned, RV_ANCF_SI_BE);
    rig_start(rowed, RV_ANCF_SI_BE);
    speed = 0.7;
    rv_ancf_jump(pinned);
    rv_ancf_jump(rowed);
    CHECK_NEAR(rowed->v[1], 1.4, 1e-12); // rounding, by the condition of the mass, below 1e4
    for (int i = 0; i < pinned->dofCount; i++) {
        CHECK_NEAR(rowed->v[i], pinned->v[i], 1e-12); // the same
        CHECK_NEAR(rowed->a[i], pinned->a[i], 1e-10); // the same, of some 100 m/s^2
    }
    rv_ancf_destroy(pinned);
    rv_ancf_destroy(rowed);
}

static void BadRowsAreRefused(void** state)
{
    (void)state;
    rvAncf* cable = soft_cable(NO_GRAVITY);
    const rvAncfTerm bad[] = {{5, 0, 1.0}, {-1, 0, 1.0}, {0, 6, 1.0}, {0, -1, 1.0}, {0, 0, HUGE_VAL}, {0, 0, 0.0}};
    for (int i = 0; i < 6; i++)
        assert_int_equal(rv_ancf_add_row(cable, &bad[i], 1, NULL, &rigError), RV_BAD_INPUT);
    assert_int_equal(rv_ancf_add_row(cable, bad, 0, NULL, &rigError), RV_BAD_INPUT);
    assert_int_equal(rv_ancf_aim_row(cable, 0, 0.0, 0.0, 0.0, &rigError), RV_BAD_INPUT);
    assert_int_equal(rv_ancf_aim_rows(cable, row_motion, NULL, &rigError), RV_BAD_INPUT);
    assert_int_equal(rv_ancf_row_count(cable), 0);
    for (int i = 0; i < RV_ANCF_MAX_ROWS; i++)
        add_row(cable, 1, &(rvAncfTerm){0, i % 6, 1.0});
    assert_int_equal(rv_ancf_add_row(cable, &(rvAncfTerm){0, 0, 1.0}, 1, NULL, &rigError), RV_BAD_INPUT);
    for (int m = 0; m < RV_ANCF_METHOD_COUNT; m++) {
        rvAncfOptions options = rv_ancf_default_options((rvAncfMethod)m);
        bool can = m >= RV_ANCF_SI_BE && m <= RV_ANCF_SI_HHT;
        assert_int_equal(rv_ancf_start(cable, &options, &rigError), can ? RV_OK : RV_BAD_INPUT);
        assert_true(can || strstr(rigError.text, "cannot have rows"));
    }
    assert_int_equal(rv_ancf_settle(cable, 1e-6, &rigError), RV_BAD_INPUT);
    assert_int_equal(rv_ancf_aim_row(cable, 0, 0.5, 0.0, 0.0, &rigError), RV_OK);
    rvAncfOptions options = rv_ancf_default_options(RV_ANCF_SI_BE);
    assert_int_equal(rv_ancf_start(cable, &options, &rigError), RV_BAD_INPUT); // far from its b
    assert_non_null(strstr(rigError.text, "row 0"));
    rv_ancf_clear_rows(cable);
    rig_start(cable, RV_ANCF_RT);
    add_row(cable, 1, &(rvAncfTerm){0, 0, 1.0});
    assert_int_equal(rv_ancf_step(cable, 1e-3), RV_BAD_INPUT); // not in silence without it
    rv_ancf_destroy(cable);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ThreeRowsEqualAPin),
        cmocka_unit_test(NumbersEqualAFunction),
        cmocka_unit_test(ForcesStandInTheEquationOfMotion),
        cmocka_unit_test(NodeSlidesDownAnInclinedLine),
        cmocka_unit_test(TiedEndsCloseAtBaumgartesRate),
        cmocka_unit_test(DriftHasTheOrderOfTheRule),
        cmocka_unit_test(TiesKeepTheMomentum),
        cmocka_unit_test(RowsThatSayTheSameDoNoHarm),
        cmocka_unit_test(SumsOfRowsOnAStiffCableDoNoHarm),
        cmocka_unit_test(SpeedsOfTheStartFitTheRows),
        cmocka_unit_test(SpeedsJumpByTheMass),
        cmocka_unit_test(BadRowsAreRefused),
    };
    return RUN_TESTS(tests);
}
