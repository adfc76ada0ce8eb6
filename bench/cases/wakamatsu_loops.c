// SPDX-License-Identifier: MIT
// Curves of 100 intervals that touch themselves in the world, at steps of 1 ms: a loop of thread around a post whose
// legs two hands lay on each other and pull tight, in a plane (scenes/thread_loop.yaml), and a wire that is twisted
// until it coils, in space (scenes/wire_twisted.yaml). And a wire in space before a tube of boxes, which it does not
// touch yet: what looking for contacts costs; and slack wires that fall on a box, or on hills, and lie there with all
// of their nodes and middles.
#include "cases/wakamatsu_loops.h"

#include "reeve/reeve.h"

#include <math.h>
#include <stdlib.h>

enum { INTERVALS = 100, MOST_STEPS = 6000 };

#define PI 3.14159265358979323846
#define STEP 1e-3

typedef struct {
    rvWorld* world;
    rvBodyId hands[2];
    int handCount;
    rvCableId cable;
    int intervals;
} Loop;

// From a to b between two times.
static double ramp(double t, double from, double to, double a, double b)
{
    double share = fmin(fmax((t - from) / (to - from), 0.0), 1.0);
    return a + share * (b - a);
}

rvWorld* rv_wakamatsu_world(double gravity)
{
    rvWorldDef def = rvDefaultWorldDef();
    def.gravity = rvVec(0, 0, -gravity);
    rvWorld* world = NULL;
    return rvCreateWorld(&def, &world, NULL, 0) == RV_OK ? world : NULL;
}

static rvBodyId add_hand(rvWorld* world, rvVec3 at)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_KINEMATIC;
    def.pose.p = at;
    rvBodyId hand = RV_NULL_BODY;
    rvCreateBody(world, &def, &hand);
    return hand;
}

static rvPlaceDef clamp(rvBodyId body, rvVec3 at)
{
    rvPlaceDef place = rvAttachPlace(body, at);
    place.clamped = true;
    place.direction = rvVec(1, 0, 0);
    return place;
}

static rvCableDef thread_def(const rvPlaceDef* places)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_CURVE);
    def.places = places;
    def.placeCount = 2;
    def.elements = INTERVALS;
    def.touchesItself = true;
    def.friction = 0.1;
    def.maxContacts = 64;
    return def;
}

static bool make_thread(Loop* loop)
{
    loop->world = rv_wakamatsu_world(9.81);
    if (!loop->world)
        return false;
    rvBodyDef post = rvDefaultBodyDef();
    post.type = RV_BODY_STATIC;
    post.pose = (rvPose){rvVec(0, 0, -0.1), rvQuatFromAxisAngle(rvVec(1, 0, 0), 0.5 * PI)};
    rvBodyId body;
    rvCreateBody(loop->world, &post, &body);
    rvShapeDef round = rvDefaultShapeDef(RV_SHAPE_CYLINDER);
    round.radius = 15e-3;
    round.length = 0.03;
    round.friction = 0.1;
    rvCreateShape(loop->world, body, &round, NULL);
    loop->handCount = 2;
    for (int k = 0; k < 2; k++)
        loop->hands[k] = add_hand(loop->world, rvVec(k == 0 ? -0.1 : 0.1, 0, 0));
    const rvPlaceDef places[] = {clamp(loop->hands[0], rvVec(0, 0, 0)), clamp(loop->hands[1], rvVec(0, 0, 0))};
    rvCableDef def = thread_def(places);
    def.length = 0.4;
    def.diameter = 1e-3;
    def.bendingStiffness = 2e-5;
    def.massPerLength = 2e-3;
    def.damping = 5e-3;
    def.waveDamping = 2.0;
    def.collides = true;
    return rvCreateCable(loop->world, &def, &loop->cable) == RV_OK;
}

static void lead_thread(const Loop* loop, double t)
{
    for (int k = 0; k < 2; k++) {
        double side = k == 0 ? -1.0 : 1.0;
        rvPose pose = {rvVec(side * ramp(t, 0, 1, 0.1, 0.004), 0, ramp(t, 2, 3.5, 0, 0.07)),
                       rvQuatFromAxisAngle(rvVec(0, -side, 0), ramp(t, 0, 1, 0, PI / 3.0))};
        rvBody_MoveTo(loop->world, loop->hands[k], pose);
    }
}

static bool make_wire(Loop* loop)
{
    loop->world = rv_wakamatsu_world(0.0);
    if (!loop->world)
        return false;
    loop->handCount = 1;
    loop->hands[0] = add_hand(loop->world, rvVec(0.85, 0, 0));
    const rvPlaceDef places[] = {clamp(RV_NULL_BODY, rvVec(0, 0, 0)), clamp(loop->hands[0], rvVec(0, 0, 0))};
    rvCableDef def = thread_def(places);
    def.length = 1.0;
    def.diameter = 4e-3;
    def.bendingStiffness = 2e-3;
    def.torsionalStiffness = 1.5e-3;
    def.massPerLength = 0.02;
    def.damping = 10e-3;
    def.waveDamping = 3.0;
    def.bulge = rvVec(0, 0, -1);
    return rvCreateCable(loop->world, &def, &loop->cable) == RV_OK;
}

static void lead_wire(const Loop* loop, double t)
{
    rvPose pose = {rvVec(ramp(t, 3, 5.5, 0.85, 0.5), 0, 0),
                   rvQuatFromAxisAngle(rvVec(1, 0, 0), ramp(t, 0.5, 2.9, 0, 6.0 * PI))};
    rvBody_MoveTo(loop->world, loop->hands[0], pose);
}

static int compare(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// Steps in which it touches itself or a shape.
static void run(rvBench* bench, const char* what, bool (*make)(Loop*), void (*lead)(const Loop*, double), int steps)
{
    double* times = malloc(MOST_STEPS * sizeof(double));
    Loop loop = {.intervals = INTERVALS};
    bool good = times && make(&loop);
    int count = 0;
    long passes = 0;
    for (int i = 0; good && i < steps; i++) {
        if (i % 1000 == 0)
            rv_bench_progress(bench, "%s: %d s", what, i / 1000);
        lead(&loop, (i + 1) * STEP);
        double start = rv_bench_clock();
        good = rvWorld_Step(loop.world, STEP) == RV_OK;
        double time = rv_bench_clock() - start;
        if (!good || rvCable_GetContactCount(loop.world, loop.cable) == 0)
            continue;
        times[count++] = time;
        passes += rvWorld_GetStepInfo(loop.world).passes;
    }
    if (!good)
        rv_bench_leave_out(bench, "Reeve", "%s: %s", what, loop.world ? rvWorld_GetError(loop.world) : "no memory");
    else if (count > 0) {
        qsort(times, (size_t)count, sizeof(double), compare);
        rvBenchRow row =
            rv_bench_row("us", 1e6 * times[count / 2], 1e3, "real time: 1 ms",
                         "%s, %d intervals: a step of 1 ms with contacts, median of %d", what, loop.intervals, count);
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
        rv_bench_add(bench, rv_bench_row("us", 1e6 * times[count - 1 - count / 100], 1e3, "real time: 1 ms",
                                         "%s: 99 %% of these steps are shorter", what));
        rv_bench_add(bench, rv_bench_row("1", (double)passes / count, RV_NO_NUMBER, "", "%s: passes a step", what));
    }
    rvDestroyWorld(loop.world);
    free(times);
}

// Two metres of wire, held at one end, that fall by 10 cm.
static bool make_slack(Loop* loop, bool inSpace, const rvShapeDef* shape)
{
    loop->world = rv_wakamatsu_world(9.81);
    if (!loop->world)
        return false;
    rvBodyDef ground = rvDefaultBodyDef();
    ground.type = RV_BODY_STATIC;
    rvBodyId body;
    rvCreateBody(loop->world, &ground, &body);
    if (rvCreateShape(loop->world, body, shape, NULL) != RV_OK)
        return false;
    const rvPlaceDef places[] = {rvAttachPlace(add_hand(loop->world, rvVec(0, 0, 0.1)), rvVec(0, 0, 0)),
                                 rvFreePlace(rvVec(2, 0, 0.1))};
    rvCableDef def = thread_def(places);
    def.length = 2.0;
    def.diameter = 10e-3;
    def.bendingStiffness = 0.01;
    def.torsionalStiffness = inSpace ? 8e-3 : 0.0;
    def.plane = inSpace ? rvVec(0, 0, 0) : rvVec(0, 1, 0);
    def.massPerLength = 0.1;
    def.damping = 10e-3;
    def.friction = 0.3;
    def.touchesItself = false;
    def.collides = def.straight = true;
    def.elements = loop->intervals;
    def.maxContacts = 2 * def.elements + 8;
    return rvCreateCable(loop->world, &def, &loop->cable) == RV_OK;
}

static bool make_on_box(Loop* loop, bool inSpace)
{
    rvShapeDef box = rvDefaultShapeDef(RV_SHAPE_BOX);
    box.sides = rvVec(3, 3, 1);
    box.frame.p = rvVec(1, 0, -0.5);
    box.friction = 0.3;
    return make_slack(loop, inSpace, &box);
}

static bool make_on_box_in_plane(Loop* loop)
{
    return make_on_box(loop, false);
}

static bool make_on_box_in_space(Loop* loop)
{
    return make_on_box(loop, true);
}

static bool make_on_hills(Loop* loop)
{
    enum { GRID = 81 };
    double heights[GRID * GRID];
    for (int i = 0; i < GRID * GRID; i++) {
        double x = 0.05 * (i % GRID), y = 0.05 * (i / GRID);
        heights[i] = 0.02 * (sin(5.0 * x) * cos(4.0 * y) - 1.0);
    }
    rvShapeDef field = rvDefaultShapeDef(RV_SHAPE_HEIGHT_FIELD);
    field.heights = heights;
    field.columns = field.rows = GRID;
    field.fieldSize = rvVec(4, 4, 10);
    field.frame.p = rvVec(1, 0, 0);
    field.friction = 0.3;
    loop->intervals = INTERVALS / 2;
    return make_slack(loop, true, &field);
}

static void lead_nothing(const Loop* loop, double t)
{
    (void)loop;
    (void)t;
}

// Held by a hand, its end a centimetre before a tube of four boxes with a bottom.
static bool make_wire_at_tube(Loop* loop, bool collides)
{
    static const rvVec3 Sides[] = {{0.4, 0.1, 0.04},
                                   {0.4, 0.1, 0.04},
                                   {0.4, 0.04, 0.1},
                                   {0.4, 0.04, 0.1},
                                   {0.02, 0.1, 0.1}},
                        Places[] = {{0.2, 0, 0.026}, {0.2, 0, -0.026}, {0.2, 0.026, 0}, {0.2, -0.026, 0}, {0.41, 0, 0}};
    loop->world = rv_wakamatsu_world(9.81);
    if (!loop->world)
        return false;
    rvBodyDef tube = rvDefaultBodyDef();
    tube.type = RV_BODY_STATIC;
    rvBodyId body;
    rvCreateBody(loop->world, &tube, &body);
    for (int i = 0; i < 5; i++) {
        rvShapeDef box = rvDefaultShapeDef(RV_SHAPE_BOX);
        box.sides = Sides[i];
        box.frame.p = Places[i];
        rvCreateShape(loop->world, body, &box, NULL);
    }
    loop->hands[0] = add_hand(loop->world, rvVec(-0.6, 0, 0.003));
    const rvPlaceDef places[] = {clamp(loop->hands[0], rvVec(0, 0, 0)), rvFreePlace(rvVec(-0.01, 0, 0))};
    rvCableDef def = thread_def(places);
    def.length = 0.6;
    def.diameter = 4e-3;
    def.bendingStiffness = 0.05;
    def.torsionalStiffness = 0.04;
    def.massPerLength = 0.02;
    def.curvature = 0.3;
    def.damping = 5e-3;
    def.waveDamping = 2.0;
    def.collides = def.touchesItself = collides;
    return rvCreateCable(loop->world, &def, &loop->cable) == RV_OK;
}

// The same with and without looking, step by step in turn.
static void run_before_contact(rvBench* bench)
{
    enum { STEPS = 300 };
    static const char What[] = "In space, wire before five boxes";
    Loop loops[2] = {{0}};
    double times[2][STEPS];
    bool good = make_wire_at_tube(&loops[0], true) && make_wire_at_tube(&loops[1], false);
    for (int i = 0; good && i < STEPS; i++)
        for (int k = 0; good && k < 2; k++) {
            double start = rv_bench_clock();
            good = rvWorld_Step(loops[k].world, STEP) == RV_OK;
            times[k][i] = rv_bench_clock() - start;
        }
    if (!good || rvCable_GetContactCount(loops[0].world, loops[0].cable) > 0)
        rv_bench_leave_out(bench, "Reeve", "%s: %s", What,
                           loops[0].world ? rvWorld_GetError(loops[0].world) : "no memory");
    else {
        for (int k = 0; k < 2; k++)
            qsort(times[k], STEPS, sizeof(double), compare);
        rvBenchRow row = rv_bench_row(
            "us", 1e6 * times[0][STEPS / 2], 1e6 * times[1][STEPS / 2], "the same where it does not collide",
            "%s, %d intervals: a step of 1 ms without contact, median of %d", What, INTERVALS, STEPS);
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.5));
    }
    for (int k = 0; k < 2; k++)
        rvDestroyWorld(loops[k].world);
}

void rv_bench_wakamatsu_loops(rvBench* bench)
{
    run(bench, "Thread on itself", make_thread, lead_thread, bench->quick ? 1000 : 4000);
    run_before_contact(bench);
    int steps = bench->quick ? 300 : 2000;
    run(bench, "Slack wire on a box", make_on_box_in_plane, lead_nothing, steps);
    run(bench, "In space, slack wire on a box", make_on_box_in_space, lead_nothing, steps);
    run(bench, "In space, slack wire on hills", make_on_hills, lead_nothing, steps);
    run(bench, "In space, wire in coils", make_wire, lead_wire, bench->quick ? 3500 : MOST_STEPS);
}
