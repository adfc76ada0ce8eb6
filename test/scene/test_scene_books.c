// SPDX-License-Identifier: MIT
// The books of scenes whose ropes slide over shapes: energy, less the work done, plus the heat told stays what it was.
#include "play.h"

typedef struct {
    const char *scene, *cable;
    double start;   // from when on: what is prescribed moves at once at 0 s, and had not before [s]
    double speed;   // of what is moved at once or comes taut at the most [m/s]
    double stretch; // length over stiffness of the rope [m/N]
} Books;

// Energies are read at the middle of a step, work along the way between two: where a motion sets in, half a step of its
// power. While a rope jumps to where it is shorter all that it stores may be on the way.
static void expect_balance(const Books* books, const char* model, const char* step)
{
    char text[100];
    Play p = play(books->scene);
    snprintf(text, sizeof text, "cables.%s.model=%s", books->cable, model);
    play_with(&p, text);
    snprintf(text, sizeof text, "cables.%s.mass_per_length=0.5", books->cable);
    play_with(&p, text);
    snprintf(text, sizeof text, "step=%s", step);
    play_with(&p, text);
    double h = rvScene_GetStep(p.scene), most = 0.0, before = 0.0, off = 0.0, largest = 0.0;
    rvCableId rope = rvScene_FindCable(p.scene, books->cable);
    while ((p.steps + 0.5) * h < 16.0) {
        play_step(&p);
        rvEnergy e = rvWorld_GetEnergy(p.world);
        double sum = e.kinetic + e.potential + e.elastic - e.work + e.heat;
        if (p.steps == 1 || p.steps * h < books->start)
            before = sum;
        off = sum - before;
        largest = fmax(largest, fabs(off));
        for (int i = 0; i + 1 < rvCable_GetPlaceCount(p.world, rope); ++i)
            most = fmax(most, rvCable_GetTension(p.world, rope, i));
        assert_true(isfinite(sum));
    }
    double delay = 0.5 * h * books->speed * most;
    CHECK_BELOW(fabs(off), delay);
    CHECK_BELOW(largest, delay + 0.5 * most * most * books->stretch);
    stop(&p);
}

static const Books hull = {"ship_hull", "line", 0.1, 1.6, 15.6 / 1e6};
static const Books box = {"rope_over_box", "rope", 0.1, 0.5, 11.1 / 2e6};
static const Books jib = {"snag", "fall", 0.0, 0.4, 13.0 / 9.6e6};

static const char* const steps[] = {"33.3333333333 ms", "16.6666666667 ms", "10 ms", "2 ms"};

static void RopeUnderAHullKeepsItsBooks(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
        expect_balance(&hull, "layered", steps[i]);
    for (int i = 0; i < 4; ++i)
        expect_balance(&hull, "massless", steps[i]);
}

static void RopeOverABoxKeepsItsBooks(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
        expect_balance(&box, "layered", steps[i]);
    expect_balance(&box, "massless", "10 ms");
}

static void RopeThatFoldsOverAJibKeepsItsBooks(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
        expect_balance(&jib, "layered", steps[i]);
    expect_balance(&jib, "massless", "10 ms");
}

// The largest tension behind the winch of a layered rope over the box until some time, with a few fields changed.
static double most_over_the_box(const char* step, const char* const* changes, int count, double until)
{
    Play p = play("rope_over_box");
    play_with(&p, "cables.rope.model=layered");
    play_with(&p, "cables.rope.mass_per_length=0.5");
    for (int i = 0; i < count; ++i)
        play_with(&p, changes[i]);
    play_with(&p, step);
    rvCableId rope = rvScene_FindCable(p.scene, "rope");
    double most = 0.0;
    while (p.steps * rvScene_GetStep(p.scene) < until) {
        play_step(&p);
        most = fmax(most, rvCable_GetTension(p.world, rope, 0));
    }
    stop(&p);
    return most;
}

static const char* const boxSteps[] = {"step=33.3333333333 ms", "step=16.6666666667 ms", "step=5 ms"};

// A winch that is told to pull harder than it can draws a load over the box until it falls into the gap: no part of the
// rope gets more than friction makes of the winch's force.
static void TensionIsThatOfTheWinchAndFriction(void** state)
{
    (void)state;
    const char* changes[] = {"commands.rope.winch_speed=[[0, 0], [4, 0], [5, -0.5], [12, -0.5]]",
                             "commands.hand.position=[[0, [-4, 0, 1]]]", "cables.rope.route[0].max_force=5 kN"};
    for (int i = 0; i < 3; ++i)
        // half a turn around box and cylinder
        CHECK_BELOW(most_over_the_box(boxSteps[i], changes, 3, 8.0), 5000.0 * exp(0.2 * 3.14));
}

// The same: the load swings against the box and tumbles on the short rope that is left, half a radian a step at 1/30 s.
// What steps take of such turning is told as heat, so the books are off by no more than half a step of the largest
// power.
static void TumblingLoadKeepsItsBooks(void** state)
{
    (void)state;
    for (int i = 0; i < 6; ++i) {
        Play p = play("rope_over_box");
        play_with(&p, i % 2 == 0 ? "cables.rope.model=massless" : "cables.rope.model=layered");
        play_with(&p, "cables.rope.mass_per_length=0.5");
        play_with(&p, "commands.rope.winch_speed=[[0, 0], [4, 0], [5, -0.5], [12, -0.5]]");
        play_with(&p, "commands.hand.position=[[0, [-4, 0, 1]]]");
        play_with(&p, "cables.rope.route[0].max_force=5 kN");
        play_with(&p, boxSteps[i / 2]);
        rvBodyId load = rvScene_FindBody(p.scene, "load");
        double h = rvScene_GetStep(p.scene), start = 0.0, off = 0.0, fastest = 0.0;
        while (p.steps * h < 8.0) {
            play_step(&p);
            rvEnergy e = rvWorld_GetEnergy(p.world);
            double sum = e.kinetic + e.potential + e.elastic - e.work + e.heat;
            start = p.steps == 1 ? sum : start;
            off = fmax(off, fabs(sum - start));
            fastest = fmax(fastest, rvLength(rvBody_GetVelocity(p.world, load)));
        }
        CHECK_BELOW(off, 0.5 * h * fastest * 5000.0);
        stop(&p);
    }
}

// The hand goes into the box with the end of the rope: its curve is not pressed out of a shape that its chord is in.
static void RopeWhoseEndIsInsideAShapeIsCalm(void** state)
{
    (void)state;
    const char* changes[] = {
        "commands.hand.position=[[0, [-4, 0, 1]], [6, [-4, 0, 1]], [8, [-1, 0, 1]], [10, [-1, 1, 1]]]"};
    for (int i = 0; i < 3; ++i)
        // the damping of the fall alone, 4 m, by the speed of the hand, and the load with friction: EA tau v/l
        CHECK_BELOW(most_over_the_box(boxSteps[i], changes, 1, 10.0),
                    2e6 * 0.05 * 1.5 / 4.0 + 100.0 * 9.81 * exp(0.2 * 3.14));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RopeUnderAHullKeepsItsBooks),        cmocka_unit_test(RopeOverABoxKeepsItsBooks),
        cmocka_unit_test(RopeThatFoldsOverAJibKeepsItsBooks), cmocka_unit_test(TensionIsThatOfTheWinchAndFriction),
        cmocka_unit_test(TumblingLoadKeepsItsBooks),          cmocka_unit_test(RopeWhoseEndIsInsideAShapeIsCalm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
