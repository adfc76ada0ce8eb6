// SPDX-License-Identifier: MIT
#include "cable/curve/space_motion.h"
#include "cable/curve/space_step.h"
#include "math/cholesky.h"
#include "reference/curve_run.h"

#include "rod.h"

#include <string.h>

static const rvSpaceHold pin = {.node = 0};

// Figures of a rod that cannot bend, from horizontal to vertical: 0.483580 s (L = 1 m, g = 9.8 m/s^2).
static void StiffRodSwingsAsARigidOne(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvSpaceRun run;
    make_rod(&run, &memory, 4, 1.0, rvVec(1e4, 1e4, 1e4), &pin, 1);
    run.gravity = rvVec(0, 0, -9.8);
    assert_true(rv_space_run_begin(&run));
    double h = 1e-3, t = 0.0, before = 1.0, x = 1.0;
    for (; x > 0.0; t += h) {
        before = x;
        assert_true(rv_space_run_step(&run, h));
        x = node_of(&run, 4).x;
    }
    CHECK_NEAR(t - h * x / (x - before), 0.483580, 2e-5); // bends by 1e-4; step (h w)^2/10
    rv_space_run_release(&run, &memory);
    assert_true(memory.taken == 0);
}

// Thrown about in space: the end after 0.2 s, with steps of 0.2/n s. Turning has an inertia [kg m].
static rvVec3 throw(int steps, double inertia, double* lost)
{
    rvMemory memory = {0};
    rvSpaceRun run;
    make_rod(&run, &memory, 6, 1.0, rvVec(0.3, 0.3, 0.2), &pin, 1);
    for (int i = 0; i < 6; ++i)
        run.space.parts[i].inertia = inertia;
    run.gravity = rvVec(0, 0, -9.8);
    for (int i = 0; i <= 6; ++i) {
        run.v[rv_space_spin(i) + 2] = 3.0 * sin(0.7 * i);
        run.v[rv_space_spin(i)] = 2.0 * cos(0.4 * i);
    }
    assert_true(rv_space_run_begin(&run));
    double before = rv_space_run_kinetic(&run) + rv_space_run_elastic(&run) + rv_space_run_height(&run);
    for (int i = 0; i < steps; ++i)
        assert_true(rv_space_run_step(&run, 0.2 / steps));
    *lost = before - rv_space_run_kinetic(&run) - rv_space_run_elastic(&run) - rv_space_run_height(&run);
    rvVec3 end = node_of(&run, 6);
    rv_space_run_release(&run, &memory);
    return end;
}

static void StepIsOfSecondOrderAndKeepsEnergy(void** state)
{
    (void)state;
    // the fastest motion is twist, 2 sqrt(GJ/I)/h = 54 rad/s: its h w is 0.05 at 200 steps, the next order (h w)^2 =
    // 0.3 %
    double lost, less, least;
    rvVec3 a = throw(200, 1e-2, &lost), b = throw(400, 1e-2, &less), c = throw(800, 1e-2, &least);
    CHECK_NEAR(rvDistance(a, b) / rvDistance(b, c), 4.0, 0.02);
    CHECK_NEAR(lost / less, 4.0, 0.1);
    CHECK_BELOW(fabs(least), 1e-6); // of 4 J: (h w)^3/24 a step of what twists
}

// Twist that is as fast as in a thin wire (h w = 5 at a step of 1 ms) does not spoil the rest.
static void ThinTwistDoesNotSpoilTheStep(void** state)
{
    (void)state;
    double lost, less;
    rvVec3 a = throw(100, 1e-6, &lost), b = throw(200, 1e-6, &less), c = throw(1600, 1e-6, &less);
    CHECK_BELOW(rvDistance(b, c), 0.35 * rvDistance(a, c)); // a quarter, and what twist adds
    CHECK_BELOW(fabs(less), 1e-4);                          // of 4 J
}

// ---- in parts -------------------------------------------------------------------------------------------------------

// x with a x = b for a small positive matrix, in place.
static void solve_small(double* a, int n, double* b)
{
    assert_true(rv_cholesky_factor(a, n));
    rv_cholesky_solve(a, n, b);
}

// Forces found outside of the step, so that nodes go where holds would take them, are those of the holds.
static void StepInPartsIsThatOfHolds(void** state)
{
    (void)state;
    enum { N = 6, ROWS = 9, COUNT = 3 * N + 6, PASSES = 3 };
    rvMemory memory = {0};
    rvSpaceRun run[2];
    rvSpaceHold holds[2] = {pin, {.node = 4, .grip = RV_GRIP_FRAME}};
    for (int k = 0; k < 2; ++k) {
        make_rod(&run[k], &memory, N, 1.0, rvVec(0.3, 0.3, 0.2), holds, k == 0 ? 2 : 0);
        run[k].gravity = rvVec(0, 0, -9.8);
        for (int i = 0; i <= N; ++i)
            run[k].frames[i] = rvQuatMul(rvQuatFromRotation(rvVec(0, 0.05 * i, 0)), run[k].frames[i]);
    }
    rvVec3 from = node_of(&run[0], 4);
    rvQuat turned = run[0].frames[4];
    run[0].holds[1].place = from;
    run[0].holds[1].frame = turned;
    assert_true(rv_space_run_begin(&run[0]));
    memcpy(run[1].a, run[0].a, COUNT * sizeof(double));
    memcpy(run[1].at, run[0].at, COUNT * sizeof(double));
    double force[ROWS];
    memcpy(force, run[0].forces, sizeof force);
    for (int step = 1; step <= 50; ++step) {
        rvVec3 place = rvAdd(from, rvScale(1e-6 * step * step, rvVec(-2, 4, 1)));
        rvQuat frame = rvQuatMul(rvQuatFromRotation(rvScale(1e-6 * step * step, rvVec(4, 0, 6))), turned);
        run[0].holds[1].place = place;
        run[0].holds[1].frame = frame;
        assert_true(rv_space_run_step(&run[0], 2e-3));
        rv_space_run_predict(&run[1], 2e-3, false);
        for (int pass = 0; pass < PASSES; ++pass) {
            rvSpaceRun* r = &run[1];
            const rvSpacePush pushes[2] = {
                {rv_space_spot_in(&r->space, 0, 0.0), rv_space_vec(force), rvVec(0, 0, 0)},
                {rv_space_spot_in(&r->space, 4, 0.0), rv_space_vec(force + 3), rv_space_vec(force + 6)}};
            assert_true(rv_space_run_linearise(r, pushes, 2, NULL, 0));
            rvVec3 miss = rvSub(place, r->space.nodes[4]);
            rvVec3 turn = rvQuatToRotation(rvQuatMul(frame, rvQuatConj(r->frames1[4])));
            rvVec3 gap[3] = {rvNeg(r->space.nodes[0]), miss, turn};
            double rows[ROWS][COUNT] = {{0}}, columns[ROWS][COUNT], block[ROWS * ROWS];
            for (int i = 0; i < ROWS; ++i) {
                rvVec3 n = rvVec(i % 3 == 0, i % 3 == 1, i % 3 == 2);
                if (i < 6)
                    rv_space_add_spot_row(&r->space, &pushes[i / 3].spot, n, rows[i]);
                else
                    rows[i][rv_space_spin(4) + i - 6] = 1.0;
                memcpy(columns[i], rows[i], sizeof rows[i]);
                rv_separable_solve(&r->matrix, columns[i]);
                force[i] = rvDot(n, gap[i / 3]) - rv_curve_dot(rows[i], r->step, COUNT);
            }
            for (int i = 0; i < ROWS; ++i)
                for (int j = 0; j < ROWS; ++j)
                    block[i * ROWS + j] = rv_curve_dot(rows[i], columns[j], COUNT);
            solve_small(block, ROWS, force);
            for (int i = 0; i < ROWS; ++i)
                for (int c = 0; c < COUNT; ++c)
                    r->step[c] += force[i] * columns[i][c];
            rv_space_run_move(r, r->step);
        }
        rv_space_run_rates(&run[1]);
        assert_true(rv_space_run_finish(&run[1]));
    }
    CHECK_NEAR(rvDistance(node_of(&run[0], 4), node_of(&run[1], 4)), 0.0, 1e-9); // what three solves leave, d^3
    CHECK_NEAR(rvDistance(node_of(&run[0], N), node_of(&run[1], N)), 0.0,
               1e-4); // one has a factor a solve: d^2 of a step, summed
    for (int k = 0; k < 2; ++k)
        rv_space_run_release(&run[k], &memory);
    assert_true(memory.taken == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(StiffRodSwingsAsARigidOne),
        cmocka_unit_test(StepIsOfSecondOrderAndKeepsEnergy),
        cmocka_unit_test(ThinTwistDoesNotSpoilTheStep),
        cmocka_unit_test(StepInPartsIsThatOfHolds),
    };
    return RUN_TESTS(tests);
}
