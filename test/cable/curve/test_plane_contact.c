// SPDX-License-Identifier: MIT
#include "march.h"
#include "reference/curve_run.h"

#define PI 3.14159265358979323846

static void lay(rvPlaneMotion* motion, double angle, double* q)
{
    for (int i = 2; i < motion->plane.count; ++i)
        q[i] = angle;
    begin(motion, q);
}

// A curve thrown at a small peg at many speeds stays on its side of it: the peg's centre never comes behind the curve,
// and no energy comes from nothing.
static void CurveDoesNotTunnelThroughAPeg(void** state)
{
    (void)state;
    for (int k = 0; k < 6; ++k) {
        double speed = 2.0 * (1 << k); // up to 64 m/s; a peg of 2 cm
        rvMemory memory = {0};
        rvPlaneMotion motion;
        new_curve(&motion, &memory, 10, 0.1, 0.05, 1, false);
        motion.gravity = rv_vec2(0, 0);
        motion.contacts.spring = 1e5;
        motion.contacts.damping = 1.0;
        motion.contacts.obstacles[0] = (rvPlaneObstacle){.center = rv_vec2(0.43, -0.05), .radius = 0.01};
        double q[MOST_UNKNOWNS] = {0}, v[MOST_UNKNOWNS] = {0};
        v[1] = -speed; // falls flat
        lay(&motion, 0.0, q);
        double start = rv_plane_motion_energy(&motion, q, v), h = 0.1 / speed / 6000;
        bool touched = false;
        for (int i = 0; i < 6000; ++i) {
            march(&motion, h, q, v);
            touched = touched || motion.contacts.touchCount > 0;
            if (motion.contacts.touchCount > 0)
                CHECK_BELOW(motion.contacts.deepest, 0.02); // past the far side of the peg
        }
        assert_true(touched);
        CHECK_BELOW(rv_plane_motion_energy(&motion, q, v), start * (1.0 + 1e-6)); // the step's own error
        rv_plane_motion_release(&motion, &memory);
    }
}

// The push goes on through the centre: deeper means harder, and never to the other side.
static void PushDoesNotTurnRoundPastTheCentre(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvPlaneMotion motion;
    new_curve(&motion, &memory, 10, 1.0, 1.0, 1, false);
    motion.contacts.spring = 1000.0;
    motion.contacts.obstacles[0] = (rvPlaneObstacle){.center = rv_vec2(0.43, 0), .radius = 0.01};
    double q[MOST_UNKNOWNS] = {0}, v[MOST_UNKNOWNS] = {0}, before = 0.0;
    q[1] = 0.03;
    lay(&motion, 0.0, q);
    for (double y = 0.009; y > -0.03; y -= 0.001) {
        q[1] = y;
        begin(&motion, q);
        rv_plane_clear_loads(&motion.plane);
        rv_plane_contacts_add(&motion.contacts, &motion.plane, q, v);
        CHECK_NEAR(motion.plane.base.y, 1000.0 * (0.01 - y), 1e-9); // round-off
        assert_true(motion.plane.base.y > before);
        before = motion.plane.base.y;
    }
    // lifted away it forgets, and may come from the other side
    q[1] = -0.5;
    begin(&motion, q);
    begin(&motion, q);
    q[1] = -0.02;
    begin(&motion, q);
    q[1] = -0.008;
    begin(&motion, q);
    rv_plane_clear_loads(&motion.plane);
    rv_plane_contacts_add(&motion.contacts, &motion.plane, q, v);
    CHECK_NEAR(motion.plane.base.y, -1000.0 * 0.002, 1e-9);
    rv_plane_motion_release(&motion, &memory);
}

// A contact that opens faster than the spring follows does not hold back.
static void ContactDoesNotStick(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvPlaneMotion motion;
    new_curve(&motion, &memory, 10, 1.0, 1.0, 1, false);
    motion.contacts.spring = 1000.0;
    motion.contacts.damping = 100.0;
    motion.contacts.obstacles[0] = (rvPlaneObstacle){.center = rv_vec2(0.43, 0), .radius = 0.01};
    double q[MOST_UNKNOWNS] = {0}, v[MOST_UNKNOWNS] = {0};
    q[1] = 0.005;
    v[1] = 1.0;
    lay(&motion, 0.0, q);
    rv_plane_clear_loads(&motion.plane);
    rv_plane_contacts_add(&motion.contacts, &motion.plane, q, v);
    assert_true(motion.contacts.touchCount == 1);
    assert_true(motion.plane.base.y == 0.0);
    rv_plane_motion_release(&motion, &memory);
}

// A hairpin, up, round and down again, whose legs bend towards each other by `bulge` and lean by `lean` at their feet.
static void bend_hairpin(rvPlaneMotion* motion, double bulge, double lean, double* q)
{
    int n = motion->plane.intervals;
    for (int i = 0; i <= n; ++i) {
        double s = 3.0 * i / n; // a third for each part
        double leg = s < 1.0 ? s : 3.0 - s;
        double angle = 0.5 * PI - (bulge * cos(PI * leg) - lean * (1.0 - leg));
        q[2 + i] = s < 1.0 ? angle : s > 2.0 ? -angle : (0.5 * PI + bulge) * (1.0 - 2.0 * (s - 1.0));
    }
    begin(motion, q);
}

static void check_legs(bool bulges)
{
    rvMemory memory = {0};
    rvPlaneMotion motion;
    new_curve(&motion, &memory, 24, 1.0, 1.0, 0, true);
    motion.contacts.spring = 1000.0;
    motion.contacts.thickness = 0.02;
    double q[MOST_UNKNOWNS] = {0}, v[MOST_UNKNOWNS] = {0}, forces[MOST_UNKNOWNS];
    int first = 0;
    for (int k = 0; k <= 200 && first < 10; ++k) {
        bend_hairpin(&motion, bulges ? 0.01 * k : 0.0, bulges ? 0.0 : 0.01 * k, q);
        rv_plane_clear_loads(&motion.plane);
        rv_plane_contacts_add(&motion.contacts, &motion.plane, q, v);
        CHECK_NEAR(motion.plane.base.x, 0.0, 1e-9); // equal and opposite
        CHECK_NEAR(motion.plane.base.y, 0.0, 1e-9);
        first += motion.contacts.touchCount > 0 ? 1 : 0;
    }
    assert_true(first == 10); // it came, stayed and went deeper
    rv_plane_sum_loads(&motion.plane, forces);
    // virtual work: a wider hairpin (the head turns less) is what the push wants
    double wider[MOST_UNKNOWNS], work = 0.0;
    memcpy(wider, q, sizeof wider);
    bend_hairpin(&motion, 0.0, 0.0, wider);
    for (int i = 2; i < motion.plane.count; ++i)
        work += forces[i] * (wider[i] - q[i]);
    assert_true(work > 0.0);
    rv_plane_motion_release(&motion, &memory);
}

// The gap of the first touch; its row, unless it is NULL.
static double gap_of(rvPlaneMotion* motion, const double* q, double* row)
{
    rv_plane_place(&motion->plane, q);
    rv_plane_contacts_find(&motion->contacts, &motion->plane, q, 0.5);
    assert_true(motion->contacts.touchCount > 0);
    const rvPlaneTouch* touch = &motion->contacts.touches[0];
    if (row) {
        memset(row, 0, (size_t)motion->plane.count * sizeof(double));
        rv_plane_add_row(&motion->plane, &touch->spot, touch->out, row);
        if (touch->both)
            rv_plane_add_row(&motion->plane, &touch->other, rv_vec2(-touch->out.x, -touch->out.y), row);
    }
    return touch->gap;
}

// A touch pushes along the slope of its gap, on a peg and on itself, also where intervals turn by a radian: else a
// contact that slides would make energy.
static void RowsAreSlopesOfGaps(void** state)
{
    (void)state;
    for (int itself = 0; itself < 2; ++itself) {
        rvMemory memory = {0};
        rvPlaneMotion motion;
        new_curve(&motion, &memory, 6, 1.0, 1.0, !itself, itself);
        motion.contacts.thickness = 0.01;
        double q[MOST_UNKNOWNS] = {0}, row[MOST_UNKNOWNS];
        for (int i = 0; i <= 6; ++i) // an arc over the peg; a ring that nearly closes, and leans
            q[2 + i] =
                itself ? 1.02 * i + (i > 3 ? 0.07 * (i - 3) : 0.0) : 1.2 - 1.0 * (i - 1.0) * (i < 4) - 0.6 * (i >= 4);
        begin(&motion, q);
        if (!itself)
            motion.contacts.obstacles[0] =
                (rvPlaneObstacle){.center = rv_vec2_add(motion.plane.nodes[2], 0.02, rv_vec2(1, -2)), .radius = 0.01};
        rv_plane_contacts_remember(&motion.contacts, &motion.plane, q);
        gap_of(&motion, q, row);
        for (int k = 0; k < motion.plane.count; ++k) {
            double e = 1e-5, keep = q[k];
            q[k] = keep + e;
            double more = gap_of(&motion, q, NULL);
            q[k] = keep - e;
            double less = gap_of(&motion, q, NULL);
            q[k] = keep;
            CHECK_NEAR(row[k], (more - less) / (2.0 * e), 1e-8); // e^2 of a third derivative, and 1e-13/e of round-off
        }
        rv_plane_motion_release(&motion, &memory);
    }
}

// Two legs of a hairpin pressed together push each other apart at their common normal.
static void LegsPushEachOtherApart(void** state)
{
    (void)state;
    check_legs(true);
}

// Legs that are nearest at two nodes, the corner of four pairs of intervals, are seen there at every depth, once, and
// are pushed back the way they came.
static void CornersOfPairsLoseNothing(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvPlaneMotion motion;
    new_curve(&motion, &memory, 24, 1.0, 1.0, 0, true);
    motion.contacts.thickness = 0.02;
    double q[MOST_UNKNOWNS] = {0}, v[MOST_UNKNOWNS] = {0};
    for (int k = 50; k <= 80; ++k) {
        bend_hairpin(&motion, 0.01 * k, 0.0, q);
        rv_plane_contacts_add(&motion.contacts, &motion.plane, q, v);
        if (k < 57) // at 0.5575 they meet
            continue;
        assert_true(motion.contacts.touchCount == 1);
        CHECK_NEAR(motion.contacts.touches[0].out.x, 1.0, 1e-9);
    }
    rv_plane_motion_release(&motion, &memory);
}

// Its feet, free ends, meet the other leg.
static void FreeEndsMeetTheCurve(void** state)
{
    (void)state;
    check_legs(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CurveDoesNotTunnelThroughAPeg), cmocka_unit_test(PushDoesNotTurnRoundPastTheCentre),
        cmocka_unit_test(ContactDoesNotStick),           cmocka_unit_test(RowsAreSlopesOfGaps),
        cmocka_unit_test(LegsPushEachOtherApart),        cmocka_unit_test(CornersOfPairsLoseNothing),
        cmocka_unit_test(FreeEndsMeetTheCurve),
    };
    return RUN_TESTS(tests);
}
