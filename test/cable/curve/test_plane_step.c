// SPDX-License-Identifier: MIT
#include "cable/curve/plane_step.h"
#include "reference/curve_run.h"

#include "march.h"

#define PI 3.14159265358979323846

typedef struct {
    rvMemory memory;
    rvPlaneMotion motion;
    rvPlaneRun run;
} Rig;

// A curve that falls from the horizontal, pinned at one end; the peg of Wakamatsu et al., Fig. 4 where it is wanted.
static void make(Rig* rig, int intervals, bool peg)
{
    *rig = (Rig){0};
    new_curve(&rig->motion, &rig->memory, intervals, 1.0, 0.1, peg ? 1 : 0, false);
    if (peg) {
        rig->motion.contacts.obstacles[0] = (rvPlaneObstacle){.center = rv_vec2(-0.3, -0.35), .radius = 0.01};
        rig->motion.contacts.spring = 1000.0;
        rig->motion.contacts.damping = 100.0;
    }
    pin(&rig->motion);
    assert_true(rv_plane_run_create(&rig->run, &rig->memory, &rig->motion));
    for (int i = 2; i < rig->motion.plane.count; ++i)
        rig->run.q[i] = PI;
    assert_true(rv_plane_run_begin(&rig->run));
}

static void drop(Rig* rig)
{
    rv_plane_run_release(&rig->run, &rig->memory);
    rv_plane_motion_release(&rig->motion, &rig->memory);
    assert_true(rig->memory.taken == 0);
}

static rvVec2 tip_after(double h, double until)
{
    Rig rig;
    make(&rig, 10, false);
    for (int i = 0; i < (int)(until / h + 0.5); ++i)
        assert_true(rv_plane_run_step(&rig.run, h));
    rvVec2 tip = rig.motion.plane.nodes[10];
    drop(&rig);
    return tip;
}

static rvVec2 true_tip(double until)
{
    Rig rig;
    make(&rig, 10, false);
    double q[MOST_UNKNOWNS], v[MOST_UNKNOWNS] = {0};
    memcpy(q, rig.run.q, (size_t)rig.motion.plane.count * sizeof(double));
    for (int i = 0; i < (int)(until / 1e-4 + 0.5); ++i)
        march(&rig.motion, 1e-4, q, v);
    rvVec2 tip = rig.motion.plane.nodes[10];
    drop(&rig);
    return tip;
}

static void StepIsOfSecondOrder(void** state)
{
    (void)state;
    rvVec2 truth = true_tip(0.4);
    double error[3];
    for (int k = 0; k < 3; ++k) {
        rvVec2 tip = tip_after(4e-3 / (1 << k), 0.4);
        error[k] = hypot(tip.x - truth.x, tip.y - truth.y);
    }
    CHECK_BELOW(error[0], 0.02); // 4 ms; the free end passes 0.4 m in a tenth of a second
    CHECK_BELOW(error[2], 0.4 * error[1]);
    CHECK_BELOW(error[2], 0.1 * error[0]); // second order would be 1/16; modes that are not resolved keep a phase error
}

// Ten seconds at steps far beyond the highest mode's: finite, and no energy from nothing.
static void LongStepsStayBounded(void** state)
{
    (void)state;
    for (int intervals = 10; intervals <= 100; intervals *= 10) {
        Rig rig;
        make(&rig, intervals, false);
        double start = rv_plane_motion_energy(&rig.motion, rig.run.q, rig.run.v), highest = start;
        for (int i = 0; i < 600; ++i) {
            assert_true(rv_plane_run_step(&rig.run, 1.0 / 60));
            highest = fmax(highest, rv_plane_motion_energy(&rig.motion, rig.run.q, rig.run.v));
        }
        CHECK_BELOW(highest - start, 0.1); // of the 4.9 J that it can fall: what a step of 1/60 s rounds
        CHECK_NEAR(rig.motion.plane.nodes[0].x, 0.0, 1e-9); // held at the end of each step, to its linearisation
        drop(&rig);
    }
}

// The peg of Fig. 4 at 1 ms: the curve twines around it and comes back, as the small steps have it.
static void StiffDampedPegDoesNotLimitTheStep(void** state)
{
    (void)state;
    Rig rig;
    make(&rig, 10, true);
    double q[MOST_UNKNOWNS], v[MOST_UNKNOWNS] = {0};
    memcpy(q, rig.run.q, (size_t)rig.motion.plane.count * sizeof(double));
    rvVec2 tips[2];
    for (int i = 0; i < 600; ++i)
        assert_true(rv_plane_run_step(&rig.run, 1e-3));
    tips[0] = rig.motion.plane.nodes[10];
    begin(&rig.motion, q);
    for (int i = 0; i < 30000; ++i)
        march(&rig.motion, 2e-5, q, v);
    tips[1] = rig.motion.plane.nodes[10];
    CHECK_NEAR(tips[0].x, tips[1].x, 0.02); // an impact is met within a step: 1 ms at 5 m/s, and its consequences
    CHECK_NEAR(tips[0].y, tips[1].y, 0.02);
    drop(&rig);
}

static void StateStaysWhereNumbersAreNot(void** state)
{
    (void)state;
    Rig rig;
    make(&rig, 4, false);
    assert_true(rv_plane_run_step(&rig.run, 1e-3));
    double before[MOST_UNKNOWNS];
    memcpy(before, rig.run.q, (size_t)rig.motion.plane.count * sizeof(double));
    rig.motion.gravity.y = (double)NAN;
    assert_false(rv_plane_run_step(&rig.run, 1e-3));
    assert_memory_equal(before, rig.run.q, (size_t)rig.motion.plane.count * sizeof(double));
    drop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(StepIsOfSecondOrder),
        cmocka_unit_test(LongStepsStayBounded),
        cmocka_unit_test(StiffDampedPegDoesNotLimitTheStep),
        cmocka_unit_test(StateStaysWhereNumbersAreNot),
    };
    return RUN_TESTS(tests);
}
