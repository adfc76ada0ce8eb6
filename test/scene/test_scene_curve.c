// SPDX-License-Identifier: MIT
// What the scenes of wires and threads show: the three simulations of Wakamatsu et al. and three jobs of a robot's
// hand.
#include "play.h"

enum { MOST_POINTS = 512 };

typedef struct {
    rvVec3 points[MOST_POINTS];
    int count;
} Shape;

static Shape shape_of(const Play* p, const char* cable)
{
    Shape s;
    s.count = rvCable_GetShape(p->world, rvScene_FindCable(p->scene, cable), s.points, MOST_POINTS);
    assert_in_range(s.count, 2, MOST_POINTS);
    return s;
}

static int contacts(const Play* p, const char* cable)
{
    return rvCable_GetContactCount(p->world, rvScene_FindCable(p->scene, cable));
}

static double total_energy(const Play* p)
{
    rvEnergy e = rvWorld_GetEnergy(p->world);
    return e.kinetic + e.potential + e.elastic;
}

// The point of the curve that is nearest to another.
static double distance(const Shape* s, rvVec3 to)
{
    double least = HUGE_VAL;
    for (int i = 0; i < s->count; ++i)
        least = fmin(least, rvDistance(s->points[i], to));
    return least;
}

// Fig. 3: the upper part comes late, catches up at 0.12 s and overruns; then it swings, and keeps its energy.
static void PushedWireOverruns(void** state)
{
    (void)state;
    Play p = play("wire_pushed");
    Shape s = shape_of(&p, "wire");
    rvVec3 top = s.points[s.count / 2];
    CHECK_NEAR(top.x, 0.3, 1e-9); // symmetric at rest
    assert_true(top.z > 0.2);     // on the upward branch
    play_until(&p, 0.06);
    s = shape_of(&p, "wire");
    double middle = 0.5 * position(&p, "hand").x;
    assert_true(s.points[s.count / 2].x > middle + 0.02); // it comes late
    play_until(&p, 0.16);
    s = shape_of(&p, "wire");
    assert_true(s.points[s.count / 2].x < 0.15 - 0.02); // it overruns
    double energy = total_energy(&p), most = -HUGE_VAL, least = HUGE_VAL;
    while (p.steps < 360) {
        play_step(&p);
        most = fmax(most, total_energy(&p));
        least = fmin(least, total_energy(&p));
    }
    // modes that a step of 1 ms does not resolve die away; nothing is made
    CHECK_BELOW(most - energy, 1e-3 * energy);
    CHECK_BELOW(energy - least, 0.05 * energy);
    stop(&p);
}

// Fig. 4: contact by the frame of 0.3 s and not in that of 0.2 s; the free end winds around the peg, and comes back.
static void FallingWireWindsAroundThePeg(void** state)
{
    (void)state;
    Play p = play("wire_on_peg");
    rvVec3 peg = rvVec(-0.3, 0, -0.35);
    double met = 0.0, above = -HUGE_VAL, first = total_energy(&p), most = -HUGE_VAL;
    while (p.steps < 900) {
        play_step(&p);
        if (met == 0.0 && contacts(&p, "wire") > 0)
            met = p.steps * 1e-3;
        Shape s = shape_of(&p, "wire");
        rvVec3 tip = s.points[s.count - 1];
        if (met > 0.0 && tip.x > peg.x) // on the other side of it
            above = fmax(above, tip.z - peg.z);
        most = fmax(most, total_energy(&p));
    }
    assert_true(met > 0.2 && met <= 0.3);
    assert_true(above > 0.0); // the end came up behind the peg
    Shape s = shape_of(&p, "wire");
    assert_true(s.points[s.count - 1].z < peg.z); // and is on its way back
    CHECK_BELOW(most - first, 1e-3 * 9.8 * 0.5);  // of the wire's weight times half its length
    stop(&p);
}

// Fig. 5: the legs meet by the frame of 0.12 s and not in that of 0.08 s; then the loop above swells.
static void PushedLoopSwells(void** state)
{
    (void)state;
    Play p = play("wire_on_itself");
    double met = 0.0, width[2] = {0};
    for (int i = 0; i < 2; ++i) {
        while (p.steps * 5e-4 < (i == 0 ? 0.119 : 0.2)) {
            play_step(&p);
            if (met == 0.0 && contacts(&p, "wire") > 0)
                met = p.steps * 5e-4;
        }
        Shape s = shape_of(&p, "wire");
        for (int k = 0; 2 * k < s.count; ++k)
            width[i] = fmax(width[i], s.points[s.count - 1 - k].x - s.points[k].x);
    }
    assert_true(met > 0.08 && met <= 0.12);
    assert_true(width[1] > width[0]);
    stop(&p);
}

static double turn(rvVec3 a, rvVec3 b, rvVec3 c)
{
    return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}

static bool crosses_itself(const Shape* s)
{
    const rvVec3* x = s->points;
    for (int i = 0; i + 1 < s->count; ++i)
        for (int k = i + 2; k + 1 < s->count; ++k)
            if (turn(x[i], x[i + 1], x[k]) * turn(x[i], x[i + 1], x[k + 1]) < 0.0 &&
                turn(x[k], x[k + 1], x[i]) * turn(x[k], x[k + 1], x[i + 1]) < 0.0)
                return true;
    return false;
}

// A contact that gives may be pressed in, at long steps by more than the wire is thick, but no leg goes through the
// other one unseen: where they cross they press.
static void LegsThatCrossPress(void** state)
{
    (void)state;
    static const char* const steps[] = {"step=16.6666666667 ms", "step=8.33333333333 ms", "step=3 ms", "step=1 ms"};
    Play p = play("wire_on_itself");
    for (int i = 0; i < 4; ++i) {
        play_with(&p, steps[i]);
        while ((p.steps + 0.5) * rvScene_GetStep(p.scene) < 0.3) {
            play_step(&p);
            Shape s = shape_of(&p, "wire");
            assert_true(!crosses_itself(&s) || contacts(&p, "wire") > 0);
        }
        assert_true(contacts(&p, "wire") > 0);
    }
    stop(&p);
}

static void WireFindsItsHole(void** state)
{
    (void)state;
    Play p = play("wire_into_hole");
    Shape s = shape_of(&p, "wire");
    rvVec3 out = s.points[s.count - 1];
    assert_true(out.z < -0.006); // it sags below the hole, which is 12 mm wide
    play_until(&p, 2.4);
    s = shape_of(&p, "wire");
    rvVec3 tip = s.points[s.count - 1];
    assert_true(tip.x > 0.2); // 14 cm inside the block
    for (int i = 0; i < s.count; ++i)
        if (s.points[i].x > 0.07) // its thickness is 4 mm
            assert_true(fabs(s.points[i].z) < 0.004 + 1e-4);
    play_until(&p, 5.0); // drawn out again, it hangs as at the start
    s = shape_of(&p, "wire");
    CHECK_NEAR(rvDistance(s.points[s.count - 1], out), 0.0, 1e-3); // it still swings by as much
    stop(&p);
}

static void CableLiesAroundItsPegs(void** state)
{
    (void)state;
    Play p = play("cable_around_pegs");
    play_until(&p, 8.0);
    Shape s = shape_of(&p, "cable");
    const rvVec3 pegs[3] = {rvVec(0.3, 0.1, 0), rvVec(0.6, -0.1, 0), rvVec(0.9, 0.1, 0)};
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(distance(&s, pegs[i]), 0.034, 2e-3); // peg and half the cable; between points of a quarter interval
        for (int k = 0; k < s.count; ++k)               // above the first, below the second, above the third
            if (fabs(s.points[k].x - pegs[i].x) < 0.005)
                assert_true((i == 1 ? -1.0 : 1.0) * (s.points[k].y - pegs[i].y) > 0.03);
    }
    assert_true(contacts(&p, "cable") >= 3);
    assert_true(tension(&p, "cable") > 1.0); // tight
    stop(&p);
}

// The largest force on the gripper between two times in which its velocity does not jump.
static double most_force(Play* p, double from, double to)
{
    rvBodyId gripper = rvScene_FindBody(p->scene, "gripper");
    double most = 0.0;
    play_until(p, from);
    while ((p->steps + 0.5) * rvScene_GetStep(p->scene) < to) {
        play_step(p);
        rvVec3 force, torque;
        rvBody_GetWrench(p->world, gripper, &force, &torque);
        most = fmax(most, rvLength(force));
    }
    return most;
}

// Drawn over pegs it does not chatter: forces do not grow as the step shrinks, and it comes to rest.
static void DrawnOverPegsItDoesNotChatter(void** state)
{
    (void)state;
    Play p = play("cable_around_pegs");
    double coarse = most_force(&p, 3.25, 3.9);
    play_until(&p, 8.0);
    // a second of drag, 5/s, after the hand stopped: of 0.16 kg at its speed, 0.14 m/s
    CHECK_BELOW(rvWorld_GetEnergy(p.world).kinetic, exp(-10.0) * 0.5 * 0.16 * 0.14 * 0.14);
    play_with(&p, "step=1 ms");
    // touches are met at the ends of steps, in which the hand goes 1.4 mm, of the pegs' radius
    CHECK_NEAR(most_force(&p, 3.25, 3.9), coarse, 1.4 / 34.0 * coarse);
    stop(&p);
}

static void ThreadIsLoopedAroundThePost(void** state)
{
    (void)state;
    Play p = play("thread_loop");
    play_until(&p, 2.0);
    assert_true(contacts(&p, "thread") >= 1); // its legs lie on each other
    play_until(&p, 4.0);
    Shape s = shape_of(&p, "thread");
    rvVec3 lowest = s.points[s.count / 2], post = rvVec(0, 0, -0.1);
    CHECK_NEAR(rvDistance(lowest, post), 0.0155, 5e-4); // the loop is drawn up to the post
    assert_true(lowest.z < post.z);
    assert_true(distance(&s, post) > 0.0155 - 1e-4);
    double left = -HUGE_VAL;
    for (int k = 8; k < s.count / 2 - 20; ++k) // legs did not change sides
        left = fmax(left, s.points[k].x - s.points[s.count - 1 - k].x);
    CHECK_BELOW(left, 0.0);
    stop(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PushedWireOverruns),
        cmocka_unit_test(FallingWireWindsAroundThePeg),
        cmocka_unit_test(PushedLoopSwells),
        cmocka_unit_test(LegsThatCrossPress),
        cmocka_unit_test(WireFindsItsHole),
        cmocka_unit_test(CableLiesAroundItsPegs),
        cmocka_unit_test(DrawnOverPegsItDoesNotChatter),
        cmocka_unit_test(ThreadIsLoopedAroundThePost),
    };
    return RUN_TESTS(tests);
}
