// SPDX-License-Identifier: MIT
#include "cable/curve/space_motion.h"
#include "cable/curve/space_normal.h"
#include "cable/curve/space_step.h"
#include "reference/curve_run.h"

#include "rod.h"

#include <string.h>

#define STEP 1e-6
#define BY_DIFFERENCES 1e-7 // of gaps whose second derivatives are 1/radius, at STEP

// A curve thrown into an arc of so many radians about y, with room for one obstacle or itself.
static void make_arc(rvSpaceRun* run, rvMemory* memory, int n, double angle, rvSpaceDef def)
{
    def.intervals = n;
    assert_true(rv_space_run_create(run, memory, &def));
    for (int i = 0; i < n; ++i)
        run->space.parts[i] =
            (rvSpacePart){.length = 1.0 / n, .density = 1.0, .rigidity = rvVec(1, 1, 1), .inertia = 1e-4};
    rv_space_begin(&run->space);
    for (int i = 0; i <= n; ++i)
        run->frames[i] = rvQuatMul(rvQuatFromRotation(rvVec(0.1 * sin(5.0 * i), angle * i / n, 0)), along_x());
    run->contacts.spring = 1e4;
    run->contacts.radius = 0.01;
    rv_space_run_reset(run);
}

// The touch at a share of a motion from the state, and its row there.
static rvSpaceTouch touch_along(rvSpaceRun* run, double share, const double* d, double* row)
{
    double moved[256];
    for (int i = 0; i < run->space.count; ++i)
        moved[i] = share * d[i];
    rv_space_run_reset(run);
    rv_space_run_move(run, moved);
    rv_space_contacts_find(&run->contacts, &run->space, 0.1);
    assert_true(run->contacts.touchCount >= 1);
    rv_space_touch_row(&run->contacts, &run->space, &run->contacts.touches[0], row);
    return run->contacts.touches[0];
}

static void check_row(rvSpaceRun* run)
{
    double row[256], unused[256], d[256];
    for (int i = 0; i < run->space.count; ++i)
        d[i] = sin(1.0 + 3.1 * i);
    double ahead = touch_along(run, STEP, d, unused).gap, behind = touch_along(run, -STEP, d, unused).gap;
    touch_along(run, 0.0, d, row);
    CHECK_NEAR(rv_curve_dot(row, d, run->space.count), 0.5 / STEP * (ahead - behind), BY_DIFFERENCES);
}

// n . (x1 - x2) of two points that stay, as placed.
static double apart_along(const rvSpace* space, const rvSpaceTouch* touch)
{
    return rvDot(touch->out, rvSub(rv_space_point(space, &touch->spot), rv_space_point(space, &touch->other)));
}

// Two strands cross in a loop. The gap of the nearest points grows in second order by what it does along a normal and
// at points that stay, and by what rows tell: the normal turns, and the points slide along both. Of points that are
// kept the distance is taken, which does not slide.
static void NormalsTurnAsGapsDo(void** state)
{
    (void)state;
    for (int kept = 0; kept < 2; ++kept) {
        rvMemory memory = {0};
        rvSpaceRun run;
        make_arc(&run, &memory, 60, 0.0, (rvSpaceDef){.itself = true});
        for (int i = 0; i <= 60; ++i) { // a loop with two bent legs that cross, a centimetre or two apart
            double turn = 4.9 * fmin(fmax((i - 18) / 24.0, 0.0), 1.0) + 1.2 * i / 60.0;
            run.frames[i] = rvQuatMul(rvQuatFromRotation(rvVec(0, turn, 0)),
                                      rvQuatMul(rvQuatFromRotation(rvVec(0, 0, 0.03)), along_x()));
        }
        double d[256], unused[256], rows[512], weights[2], weight, gaps[3], straight[3], step = 1e-4;
        for (int i = 0; i < run.space.count; ++i)
            d[i] = sin(1.0 + 0.05 * i) * (i % 3 == 0 ? 1.0 : i % 3 == 1 ? -0.7 : 0.4);
        rvSpaceTouch touch = touch_along(&run, 0.0, d, unused);
        double sum = 0.0;
        rvSpacePress press = {{touch.spot, touch.other}, 1.0, kept};
        assert_true(rv_space_softening(&run.space, &press, 1e-3, rows, &weight));
        for (int k = 0; k < 2; ++k)
            sum += weight * pow(rv_curve_dot(rows + k * run.space.count, d, run.space.count), 2.0);
        assert_int_equal(rv_space_stiffening(&run.space, &press, 1e-3, rows, weights), !kept);
        for (int k = 0; k < 2 && !kept; ++k)
            sum -= weights[k] * pow(rv_curve_dot(rows + k * run.space.count, d, run.space.count), 2.0);
        for (int i = 0; i < 3; ++i) {
            rvSpaceTouch there = touch_along(&run, (i - 1) * step, d, unused);
            rvVec3 way = rvSub(rv_space_point(&run.space, &touch.spot), rv_space_point(&run.space, &touch.other));
            gaps[i] = kept ? rvLength(way) : there.gap;
            straight[i] = apart_along(&run.space, &touch);
        }
        double grown =
            (gaps[2] - 2.0 * gaps[1] + gaps[0] - straight[2] + 2.0 * straight[1] - straight[0]) / (step * step);
        // strands turn from node to node by the series of space.h, rows by a straight line: an eighth of the turn
        CHECK_NEAR(sum, grown, (kept ? 1e-4 : 8.0 / 60.0 / 8.0) * fabs(grown));
        rv_space_run_release(&run, &memory);
    }
}

static void RowsAreSlopesOfGaps(void** state)
{
    (void)state;
    const rvSpaceObstacle obstacles[5] = {
        {.kind = RV_SPACE_SPHERE, .center = {0.55, 0.03, -0.2}, .radius = 0.1},
        {.kind = RV_SPACE_CAPSULE, .center = {0.5, 0, -0.2}, .axis = {0.6, 0.8, 0}, .half = 0.5, .radius = 0.1},
        {.kind = RV_SPACE_CAPSULE,
         .center = {0.5, 0.2, -0.2},
         .axis = {0, 1, 0},
         .half = 0.1,
         .radius = 0.1}, // its end
        {.kind = RV_SPACE_CYLINDER, .center = {0.5, 0, -0.2}, .axis = {0, 0.8, 0.6}, .half = 0.5, .radius = 0.1},
        {.kind = RV_SPACE_CYLINDER,
         .center = {0.5, 0.2, -0.2},
         .axis = {0, 1, 0},
         .half = 0.15,
         .radius = 0.1}, // its rim
    };
    for (int k = 0; k < 5; ++k) {
        rvMemory memory = {0};
        rvSpaceRun run;
        make_arc(&run, &memory, 10, 1.0, (rvSpaceDef){.obstacleCount = 1});
        run.contacts.obstacles[0] = obstacles[k];
        check_row(&run);
        rv_space_run_release(&run, &memory);
        assert_true(memory.taken == 0);
    }
    rvMemory memory = {0};
    rvSpaceRun run;
    make_arc(&run, &memory, 20, 7.5, (rvSpaceDef){.itself = true}); // more than a turn
    check_row(&run);
    rv_space_run_release(&run, &memory);
}

static double energy_of(rvSpaceRun* run)
{
    double energy = rv_space_run_kinetic(run) + rv_space_run_elastic(run) + rv_space_run_height(run);
    rv_space_contacts_find(&run->contacts, &run->space, 0.0);
    return energy + rv_space_contacts_energy(&run->contacts);
}

static void make_wire(rvSpaceRun* run, rvMemory* memory, rvSpaceObstacleKind kind, double speed)
{
    rvSpaceDef def = {.obstacleCount = 1, .intervals = 10};
    assert_true(rv_space_run_create(run, memory, &def));
    for (int i = 0; i < 10; ++i)
        run->space.parts[i] =
            (rvSpacePart){.length = 0.1, .density = 0.1, .rigidity = rvVec(0.1, 0.1, 0.1), .inertia = 1e-6};
    rv_space_begin(&run->space);
    for (int i = 0; i <= 10; ++i)
        run->frames[i] = along_x();
    run->v[2] = -speed;
    run->contacts.spring = 1e5; // sqrt(m/k) v: 20 g at 20 m/s go 9 mm deep, less than to the middle
    run->contacts.damping = 1.0;
    run->contacts.radius = 0.005;
    run->contacts.obstacles[0] =
        (rvSpaceObstacle){.kind = kind, .center = {0.52, 0, -0.05}, .axis = {0, 1, 0}, .half = 0.2, .radius = 0.01};
    assert_true(rv_space_run_begin(run));
    rv_space_contacts_remember(&run->contacts, &run->space);
}

// How high the wire is above the middle of the peg.
static double height_over_peg(rvSpaceRun* run)
{
    double height = -HUGE_VAL;
    rv_space_run_reset(run);
    for (int i = 0; i < 10 * 20; ++i) { // 5 mm apart
        rvCurveSpot spot = rv_space_spot_in(&run->space, i / 20, (i % 20 + 0.5) / 20.0);
        rvVec3 p = rv_space_point(&run->space, &spot);
        if (fabs(p.x - 0.52) < 5e-3)
            height = fmax(height, p.z + 0.05);
    }
    return height;
}

// A wire, thrown across a peg hardly thicker than itself: it stays on its side, and energy does not grow.
static void FastWireDoesNotTunnel(void** state)
{
    (void)state;
    for (int kind = RV_SPACE_SPHERE; kind <= RV_SPACE_CYLINDER; ++kind)
        for (int k = 0; k < 3; ++k) {
            const double speed[3] = {1.0, 7.0, 20.0}; // at the last one 2 cm a step: the peg's thickness
            rvMemory memory = {0};
            rvSpaceRun run;
            make_wire(&run, &memory, kind, speed[k]);
            double before = energy_of(&run), pushed = 0.0, spin = 0.0;
            for (int i = 0; i < (int)(0.5 / (1e-3 * speed[k])); ++i) { // half its length further down
                assert_true(rv_space_run_step(&run, 1e-3));
                pushed = fmax(pushed, -run.contacts.obstacles[0].force.z);
                for (int c = 3; c < run.space.count; ++c)
                    spin = fmax(spin, 1e-3 * fabs(run.v[c]));
                CHECK_BELOW(0.0, height_over_peg(&run)); // it has not gone through
                CHECK_BELOW(energy_of(&run),
                            before * (1.0 + 1e-12 + spin * spin / 6.0)); // the step's error of what turns, (h w)^2/6
            }
            CHECK_BELOW(0.0, pushed);
            if (k > 0) // and hangs down beside it; the slow one bounces
                CHECK_BELOW(node_of(&run, 0).z, -0.05);
            rv_space_run_release(&run, &memory);
        }
}

// ---- a knot ---------------------------------------------------------------------------------------------------------

// A trefoil knot with long ends.
static rvVec3 trefoil(double t)
{
    return rvVec(t * t * t - 3.0 * t, t * t * t * t - 4.0 * t * t, 0.15 * (t * t * t * t * t - 10.0 * t));
}

static void make_knot(rvSpaceRun* run, rvMemory* memory, int n, bool itself)
{
    enum { M = 2000 };
    static double s[M + 1];
    double ends = 2.25;
    rvSpaceDef def = {.itself = itself, .intervals = n};
    assert_true(rv_space_run_create(run, memory, &def));
    for (int i = 1; i <= M; ++i)
        s[i] = s[i - 1] + rvDistance(trefoil(ends * (2.0 * (i - 1) / M - 1.0)), trefoil(ends * (2.0 * i / M - 1.0)));
    rvVec3 last = rvVec(0, 0, 1);
    rvQuat frame = rvQuatIdentity();
    for (int i = 0, k = 0; i <= n; ++i) {
        while (k < M - 1 && s[k + 1] < s[M] * i / n)
            k += 1;
        rvVec3 from = trefoil(ends * (2.0 * k / M - 1.0)), to = trefoil(ends * (2.0 * (k + 1) / M - 1.0));
        rvVec3 t = rvNormalizeOr(rvSub(to, from), last);
        frame = rvQuatMul(rvQuatBetween(last, t), frame);
        run->frames[i] = frame;
        last = t;
    }
    rv_space_align(run->frames, n + 1);
    for (int i = 0; i < n; ++i)
        run->space.parts[i] = (rvSpacePart){
            .length = 1.0 / n, .density = 0.05, .rigidity = rvVec(3e-4, 3e-4, 3e-4), .inertia = 1e-7, .damping = 0.05};
    rv_space_begin(&run->space);
    run->contacts.spring = 2e4;
    run->contacts.damping = 2.0;
    run->contacts.radius = 0.009;
}

// Pulled by 1 N at both ends for 0.15 s: how far they are apart. Energy is at most what was there and what the pull
// gave.
static double pull(int n, bool itself)
{
    rvMemory memory = {0};
    rvSpaceRun run;
    make_knot(&run, &memory, n, itself);
    rvVec3 ends = rvSub(node_of(&run, n), node_of(&run, 0)), way = rvNormalizeOr(ends, ends);
    run.loads[0] = (rvSpaceLoad){.node = 0, .force = rvNeg(way)};
    run.loads[1] = (rvSpaceLoad){.node = n, .force = way};
    run.loadCount = 2;
    assert_true(rv_space_run_begin(&run));
    rv_space_contacts_remember(&run.contacts, &run.space);
    double before = energy_of(&run), apart = 0.0;
    for (int i = 0; i < 150; ++i) {
        assert_true(rv_space_run_step(&run, 1e-3));
        rvVec3 now = rvSub(node_of(&run, n), node_of(&run, 0));
        CHECK_BELOW(energy_of(&run), before + rvDot(way, rvSub(now, ends)) + 1e-3); // what a step may be off, of 0.3 J
        apart = fmax(apart, rvLength(now));
    }
    rv_space_run_release(&run, &memory);
    assert_true(memory.taken == 0);
    return apart;
}

// The knot stays: it keeps some 11 of its diameters of the rope. What does not meet itself is pulled straight.
static void KnotPulledTightStays(void** state)
{
    (void)state;
    CHECK_BELOW(0.98, pull(40, false));
    CHECK_BELOW(pull(40, true), 1.0 - 10.0 * 0.018); // a tight trefoil takes 10.1 diameters out of a rope
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(NormalsTurnAsGapsDo),
        cmocka_unit_test(RowsAreSlopesOfGaps),
        cmocka_unit_test(FastWireDoesNotTunnel),
        cmocka_unit_test(KnotPulledTightStays),
    };
    return RUN_TESTS(tests);
}
