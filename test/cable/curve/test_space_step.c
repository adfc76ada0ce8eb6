// SPDX-License-Identifier: MIT
#include "cable/curve/space_motion.h"
#include "cable/curve/space_step.h"

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
    // the fastest motion is twist, 2 sqrt(GJ/I)/h = 54 rad/s: its h w is 0.05 at 200 steps, the next order (h w)^2 = 0.3 %
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

// A port whose force is solved for so that it goes where a hold would be, is that hold.
static void PortThatIsHeldIsAHold(void** state)
{
    (void)state;
    enum { N = 6, ROWS = 6 };
    rvMemory memory = {0};
    rvSpaceRun run[2];
    rvSpaceHold holds[2] = {pin, {.node = 4, .grip = RV_GRIP_FRAME}};
    for (int k = 0; k < 2; ++k) {
        holds[1].port = k == 1;
        make_rod(&run[k], &memory, N, 1.0, rvVec(0.3, 0.3, 0.2), holds, 2);
        run[k].gravity = rvVec(0, 0, -9.8);
        // bent in a plane: twist has next to no inertia, and what is out of balance would fly off
        for (int i = 0; i <= N; ++i)
            run[k].frames[i] = rvQuatMul(rvQuatFromRotation(rvVec(0, 0.05 * i, 0)), run[k].frames[i]);
        assert_true(rv_space_run_begin(&run[k]));
    }
    rvVec3 from = node_of(&run[0], 4);
    rvQuat turned = run[0].frames[4];
    for (int step = 1; step <= 50; ++step) {
        rvVec3 place = rvAdd(from, rvScale(1e-6 * step * step, rvVec(-2, 4, 1)));
        rvQuat frame = rvQuatMul(rvQuatFromRotation(rvScale(1e-6 * step * step, rvVec(4, 0, 6))), turned);
        run[0].holds[1].place = place;
        run[0].holds[1].frame = frame;
        assert_true(rv_space_run_step(&run[0], 2e-3));
        double places[ROWS], c[ROWS * ROWS], b[ROWS], forces[ROWS];
        rv_space_port_begin(&run[1], 2e-3);
        for (int pass = 0; pass < 2; ++pass) { // the second one from where the first one led
            assert_true(rv_space_port_pass(&run[1], places, c));
            rvVec3 turn = rvQuatToRotation(rvQuatMul(frame, rvQuatConj(run[1].frames1[4])));
            const double target[ROWS] = {place.x, place.y, place.z, turn.x, turn.y, turn.z};
            for (int i = 0; i < ROWS; ++i) {
                b[i] = target[i] - places[i];
                forces[i] = run[1].force1[3 + i];
            }
            for (int k = 0; k < ROWS; ++k) { // Gauss; it is positive definite
                for (int i = k + 1; i < ROWS; ++i) {
                    double f = c[i * ROWS + k] / c[k * ROWS + k];
                    for (int j = k; j < ROWS; ++j)
                        c[i * ROWS + j] -= f * c[k * ROWS + j];
                    b[i] -= f * b[k];
                }
            }
            for (int k = ROWS - 1; k >= 0; --k) {
                for (int j = k + 1; j < ROWS; ++j)
                    b[k] -= c[k * ROWS + j] * b[j];
                b[k] /= c[k * ROWS + k];
                forces[k] += b[k];
            }
            rv_space_port_take(&run[1], forces);
        }
        assert_true(rv_space_port_end(&run[1]));
    }
    CHECK_NEAR(rvDistance(node_of(&run[0], 4), node_of(&run[1], 4)), 0.0, 1e-7); // what two solves leave, d^2
    CHECK_NEAR(rvDistance(node_of(&run[0], N), node_of(&run[1], N)), 0.0,
               1e-3); // one has a pass more: d^2 of a step, summed
    for (int k = 0; k < 2; ++k)
        rv_space_run_release(&run[k], &memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(StiffRodSwingsAsARigidOne),
        cmocka_unit_test(StepIsOfSecondOrderAndKeepsEnergy),
        cmocka_unit_test(ThinTwistDoesNotSpoilTheStep),
        cmocka_unit_test(PortThatIsHeldIsAHold),
    };
    return RUN_TESTS(tests);
}
