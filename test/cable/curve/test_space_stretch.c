// SPDX-License-Identifier: MIT
#include "cable/curve/space_motion.h"
#include "cable/curve/space_rest.h"
#include "cable/curve/space_step.h"
#include "reference/curve_run.h"

#include "rod.h"

#include <string.h>

// A rod of rod.h that stretches.
static void make_stretching(rvSpaceRun* run, rvMemory* memory, int intervals, double density, rvVec3 rigidity,
                            double stiffness, const rvSpaceHold* holds, int count)
{
    rvSpaceDef def = {.intervals = intervals, .stretches = true, .holds = holds, .holdCount = count};
    assert_true(rv_space_run_create(run, memory, &def));
    for (int i = 0; i < intervals; ++i)
        run->space.parts[i] = (rvSpacePart){.length = 1.0 / intervals,
                                            .density = density,
                                            .rigidity = rigidity,
                                            .inertia = 1e-6 * density,
                                            .stiffness = stiffness};
    rv_space_begin(&run->space);
    for (int i = 0; i <= intervals; ++i)
        run->frames[i] = along_x();
}

static void drop_rod(rvSpaceRun* run, rvMemory* memory)
{
    rv_space_run_release(run, memory);
    assert_true(memory->taken == 0);
}

// Along gravity from a pin: x(s) = s + (P s + q (s - s^2/2))/EA, and e is linear, so it is met exactly.
static void HangingRodIsLongerByItsLoadAndWeight(void** state)
{
    (void)state;
    const double q = 0.5 * 9.8, load = 3.0, stiffness = 40.0;
    rvMemory memory = {0};
    rvSpaceRun run;
    const rvSpaceHold pin = {.node = 0};
    make_stretching(&run, &memory, 5, 0.5, rvVec(0.1, 0.1, 0.1), stiffness, &pin, 1);
    run.gravity = rvVec(9.8, 0, 0);
    run.loads[0] = (rvSpaceLoad){.node = 5, .force = rvVec(load, 0, 0)};
    run.loadCount = 1;
    rvSpaceRest rest = rv_space_run_rest(&run, (rvSpaceSearch){.rounds = 100});
    assert_true(rest.found && rest.stability != RV_REST_UNSTABLE);
    for (int i = 0; i <= 5; ++i) {
        double s = 0.2 * i;
        CHECK_NEAR(node_of(&run, i).x, s + (load * s + q * (s - 0.5 * s * s)) / stiffness, 1e-9); // Newton leaves 1e-10
        CHECK_NEAR(run.stretch[i], (load + q * (1.0 - s)) / stiffness, 1e-9);
    }
    CHECK_NEAR(run.forces[0], -(load + q), 1e-8);
    drop_rod(&run, &memory);
}

// The first motion about rest that is not one of no stiffness: all others are far faster than along it.
static double lowest(rvSpaceRun* run, int still)
{
    double low = 1e-3, high = 1e3;
    for (int i = 0; i < 50; ++i) {
        double middle = 0.5 * (low + high);
        if (rv_space_run_slower(run, middle) > still)
            high = middle;
        else
            low = middle;
    }
    return low;
}

// Held at one end (pi/2) and at none (pi), times sqrt(EA/m)/L. e is linear between nodes: its motion's error is of
// fourth order.
static void RodRingsAlongItself(void** state)
{
    (void)state;
    for (int held = 0; held < 2; ++held) {
        double error[2];
        for (int k = 0; k < 2; ++k) {
            rvMemory memory = {0};
            rvSpaceRun run;
            const rvSpaceHold clamp = {.node = 0, .grip = RV_GRIP_FRAME, .frame = along_x()};
            make_stretching(&run, &memory, 4 << k, 2.0, rvVec(1e6, 1e6, 1e6), 200.0, &clamp, held);
            // about no axis it has stiffness, but inertia: with two ends free six motions are none
            double w = (held ? 0.5 : 1.0) * PI * 10.0, found = lowest(&run, held ? 0 : 6);
            error[k] = found / w - 1.0;
            double wave = (held ? 0.5 : 1.0) * PI / (4 << k);               // of phase in an interval
            CHECK_BELOW(fabs(error[k]), wave * wave * wave * wave / 100.0); // of cubic splines: a 720th, and room
            drop_rod(&run, &memory);
        }
        CHECK_BELOW(error[1], error[0] / 10.0); // a 16th
    }
}

// Helix of radius R that rises by the angle a, L long, under a force F along its axis: all sections carry the same, and
//   longer along the axis by F L (R^2 (cos^2 a/GJ + sin^2 a/EI) + sin^2 a/EA)
static double spring(double force, bool stretches, double* length)
{
    enum { N = 24 };
    const double r = 0.05, angle = 0.4, ei = 0.02, gj = 0.015, ea = 3.0;
    double c = cos(angle), s = sin(angle);
    rvMemory memory = {0};
    rvSpaceRun run;
    rvVec3 bent = rvVec(c * c / r, 0, s * c / r);
    // about an axis along the rotation vector that the material's curvature is: the axis of the helix
    rvVec3 axis = rvNormalizeOr(bent, bent), across = rvCross(axis, rvVec(0, 0, 1));
    rvSpaceHold clamp = {.node = 0, .grip = RV_GRIP_FRAME, .frame = rvQuatIdentity()};
    rvSpaceDef def = {.intervals = N, .stretches = stretches, .holds = &clamp, .holdCount = 1};
    assert_true(rv_space_run_create(&run, &memory, &def));
    for (int i = 0; i < N; ++i)
        run.space.parts[i] = (rvSpacePart){.length = 1.0 / N,
                                           .density = 1.0,
                                           .rigidity = rvVec(ei, ei, gj),
                                           .natural = bent,
                                           .inertia = 1e-6,
                                           .stiffness = ea};
    rv_space_begin(&run.space);
    for (int i = 0; i <= N; ++i)
        run.frames[i] = rvQuatFromRotation(rvScale((double)i / N, bent));
    rvVec3 end = node_of(&run, N);
    rvQuat frame = run.frames[N];
    // where the axis is: t = axis sin a + (the way round) cos a, the way round is its direction across the arm
    rvVec3 round = rvNormalizeOr(rvMulAdd(rvVec(0, 0, 1), -s, axis), across);
    rvVec3 middle = rvMulAdd(rvVec(0, 0, 0), r, rvCross(axis, round)); // a point of it
    rvVec3 arm = rvSub(end, middle), pull = rvScale(force, axis);
    run.loads[0] = (rvSpaceLoad){.node = N, .force = pull, .moment = rvCross(rvSub(middle, end), pull)};
    run.loadCount = 1;
    rvSpaceRest rest = rv_space_run_rest(&run, (rvSpaceSearch){.rounds = 200});
    assert_true(rest.found);
    *length = (r * r * (c * c / gj + s * s / ei) + (stretches ? s * s / ea : 0.0));
    // of the point of the axis that goes along with the end: on it the force does its work
    rvVec3 now = rvAdd(node_of(&run, N), rvRotate(rvQuatMul(run.frames[N], rvQuatConj(frame)), rvSub(middle, end)));
    double longer = rvDot(axis, rvSub(now, middle));
    CHECK_NEAR(rvLength(rvMulAdd(arm, -rvDot(arm, axis), axis)), r, 1e-9); // the end is on the helix
    drop_rod(&run, &memory);
    return longer;
}

static void HelixIsASpring(void** state)
{
    (void)state;
    for (int stretches = 0; stretches < 2; ++stretches) {
        const double force = 1e-4;
        double length, longer = spring(force, stretches, &length) - spring(-force, stretches, &length);
        // differences of both sides: third order of a strain of 1e-3; each is known to 1e-10 of 1e-5
        CHECK_NEAR(longer / (2.0 * force * length), 1.0, 1e-4);
    }
}

// ---- motion ---------------------------------------------------------------------------------------------------------

#define COUNT (3 + 4 * 6)

typedef struct {
    double start[3], v[COUNT], stretch[6];
    rvQuat frames[6];
} Motion;

static void save(const rvSpaceRun* run, Motion* m)
{
    memcpy(m->start, run->start, sizeof m->start);
    memcpy(m->v, run->v, sizeof m->v);
    memcpy(m->stretch, run->stretch, sizeof m->stretch);
    memcpy(m->frames, run->frames, sizeof m->frames);
}

static void restore(rvSpaceRun* run, const Motion* m)
{
    memcpy(run->start, m->start, sizeof m->start);
    memcpy(run->v, m->v, sizeof m->v);
    memcpy(run->stretch, m->stretch, sizeof m->stretch);
    for (int i = 0; i < 6; ++i)
        run->frames[i] = rvQuatNormalize(m->frames[i]);
}

// How the state changes: q' = w q/2.
static void find_change(rvSpaceRun* run, Motion* change)
{
    assert_true(rv_space_motion_solve(run, 0.0));
    memcpy(change->start, run->v, sizeof change->start);
    memcpy(change->v, run->a, sizeof change->v);
    for (int i = 0; i < 6; ++i) {
        const double* w = run->v + rv_space_spin(i);
        change->frames[i] = rvQuatMul((rvQuat){0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]}, run->frames[i]);
        change->stretch[i] = run->v[rv_space_stretch(&run->space, i)];
    }
}

static Motion moved(const Motion* m, double h, const Motion* change)
{
    Motion sum = *m;
    for (size_t i = 0; i < sizeof sum / sizeof(double); ++i)
        ((double*)&sum)[i] += h * ((const double*)change)[i];
    return sum;
}

static double energy_of(rvSpaceRun* run)
{
    return rv_space_run_kinetic(run) + rv_space_run_elastic(run) + rv_space_run_height(run);
}

static void begin_throw(rvSpaceRun* run, rvMemory* memory, double stretching)
{
    static const rvSpaceHold pin = {.node = 0};
    make_stretching(run, memory, 5, 1.0, rvVec(0.3, 0.3, 0.2), 50.0, &pin, 1);
    run->gravity = rvVec(0, 0, -9.8);
    for (int i = 0; i < 5; ++i) {
        run->space.parts[i].inertia = 1e-2;
        run->space.parts[i].stretching = stretching;
    }
    for (int i = 0; i <= 5; ++i) {
        run->v[rv_space_spin(i) + 2] = 3.0 * sin(0.7 * i);
        run->v[rv_space_spin(i)] = 2.0 * cos(0.4 * i);
        run->v[rv_space_stretch(&run->space, i)] = sin(1.0 + i);
    }
}

// What is lost in 0.1 s by the classical Runge-Kutta rule, by so many steps.
static double lost_in(int steps)
{
    rvMemory memory = {0};
    rvSpaceRun run;
    begin_throw(&run, &memory, 0.0);
    double before = energy_of(&run), h = 0.1 / steps;
    for (int k = 0; k < steps; ++k) {
        static const double share[4] = {0.5, 0.5, 1.0, 0.0}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
        Motion start, end, change, next;
        save(&run, &start);
        end = start;
        for (int stage = 0; stage < 4; ++stage) {
            find_change(&run, &change);
            end = moved(&end, h * weight[stage], &change);
            next = moved(&start, h * share[stage], &change);
            restore(&run, &next);
        }
        restore(&run, &end);
    }
    double lost = before - energy_of(&run);
    drop_rod(&run, &memory);
    return lost;
}

// The equations keep energy: what is lost is the rule's own, of fifth order in what rings.
static void MotionKeepsEnergy(void** state)
{
    (void)state;
    double rough = lost_in(100), fine = lost_in(200);
    CHECK_BELOW(fabs(fine), 1e-9);               // of 5 J: (h w)^5 with w = 70 rad/s and above
    CHECK_BELOW(fabs(fine), fabs(rough) / 16.0); // fourth order at least
}

static rvVec3 throw(int steps, double stretching, double* lost)
{
    rvMemory memory = {0};
    rvSpaceRun run;
    begin_throw(&run, &memory, stretching);
    assert_true(rv_space_run_begin(&run));
    double before = energy_of(&run);
    for (int i = 0; i < steps; ++i)
        assert_true(rv_space_run_step(&run, 0.1 / steps));
    *lost = before - energy_of(&run);
    rvVec3 end = node_of(&run, 5);
    drop_rod(&run, &memory);
    return end;
}

static void StepIsOfSecondOrder(void** state)
{
    (void)state;
    double lost, less, least, damped;
    rvVec3 a = throw(400, 0.0, &lost), b = throw(800, 0.0, &less), c = throw(1600, 0.0, &least);
    // the stretch of an interval rings at 2 sqrt(EA/m)/h = 70 rad/s and more: (h w)^2 is 1e-3 at 400 steps
    CHECK_NEAR(rvDistance(a, b) / rvDistance(b, c), 4.0, 0.1);
    CHECK_BELOW(fabs(least), 1e-3); // of 5 J
    a = throw(400, 0.05, &damped), b = throw(800, 0.05, &damped), c = throw(1600, 0.05, &damped);
    CHECK_NEAR(rvDistance(a, b) / rvDistance(b, c), 4.0, 0.1); // by its damper, too
    assert_true(damped > 100.0 * fabs(less));                  // the stretch is damped
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(HangingRodIsLongerByItsLoadAndWeight),
        cmocka_unit_test(RodRingsAlongItself),
        cmocka_unit_test(HelixIsASpring),
        cmocka_unit_test(MotionKeepsEnergy),
        cmocka_unit_test(StepIsOfSecondOrder),
    };
    return RUN_TESTS(tests);
}
