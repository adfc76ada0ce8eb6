// SPDX-License-Identifier: MIT
// `reeve bench accuracy`: motion against closed forms, all through the public API, g = 9.81, h = 1/60 s unless said.
//
//   pendulum          T = 2 pi sqrt(I/(m g L)) / agm(1, cos(angle/2))
//   Atwood            a = (m1 - m2) g/(m1 + m2)
//   block and tackle  n falls: tension m g/n, the load rises at 1/n of the winch's speed
//   two boxes         w = sqrt(c/500):  printed stepper  phi_n = (v0/w) rho^n sin(n theta), rho = (1 + h^2 w^2)^(-1/2),
//                     theta = atan(h w);  SPOOK, tau = 0:  phi_n = h v0 sin(n theta)/sin(theta), theta = 2 atan(h w/2)
//   heavy chains      see chain.h
#include "bench.h"
#include "cases/chain.h"
#include "reeve/reeve.h"
#include "reeve/reference.h"

static const double STEP = 1.0 / 60.0;
static const double GRAVITY = 9.81;
static const double STIFF = 1e9; // EA [N]: stretches by less than a part in 10,000 under all loads here

// Adds a row with the goal |ours/reference - 1| <= tolerance.
static void compare(rvBench* bench, rvBenchRow row, double tolerance)
{
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_WITHIN, tolerance));
}

static rvWorld* make_world(rvStepper stepper, double gravity)
{
    rvWorldDef def = rvDefaultWorldDef();
    def.stepper = stepper;
    def.reference = rvReference_GetMethods();
    def.gravity = rvVec(0, 0, -gravity);
    rvWorld* world = NULL;
    rvCreateWorld(&def, &world, NULL, 0);
    return world;
}

// A ball of radius 0.5 m. A body that cannot be made has a null id, and the row that reads it does not hold.
static rvBodyId make_ball(rvWorld* world, double mass, rvVec3 position)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.mass = mass;
    def.inertia = rvBallInertia(mass, 0.5);
    def.pose.p = position;
    rvBodyId id = RV_NULL_BODY;
    rvCreateBody(world, &def, &id);
    return id;
}

static rvCableId make_cable(rvWorld* world, const rvPlaceDef* places, int count, double stiffness)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.axialStiffness = stiffness;
    def.places = places;
    def.placeCount = count;
    rvCableId id = RV_NULL_CABLE;
    rvCreateCable(world, &def, &id);
    return id;
}

static void step_many(rvWorld* world, int count)
{
    for (int i = 0; i < count && rvWorld_Step(world, STEP) == RV_OK; i++)
        continue;
}

static double total_energy(const rvWorld* world)
{
    rvEnergy e = rvWorld_GetEnergy(world);
    return e.kinetic + e.potential + e.elastic;
}

// Mean period from the crossings of x = 0; RV_NO_NUMBER with fewer than two.
static double measure_period(rvWorld* world, rvBodyId body, double duration)
{
    double before = rvBody_GetCenter(world, body).x, first = RV_NO_NUMBER, last = RV_NO_NUMBER;
    int crossings = 0;
    for (int n = 1; n * STEP <= duration && rvWorld_Step(world, STEP) == RV_OK; n++) {
        double x = rvBody_GetCenter(world, body).x;
        if (before * x < 0.0) {
            last = STEP * (n - x / (x - before));
            first = crossings++ ? first : last;
        }
        before = x;
    }
    return crossings > 1 ? 2.0 * (last - first) / (crossings - 1) : RV_NO_NUMBER;
}

// A ball of 1000 kg, 10 m below the origin, on a ball joint or on a cable tied to its centre.
static void show_pendulum(rvBench* bench, double angle, bool onCable)
{
    rvChain form = {.links = 1, .length = 10.0, .linkMass = 0.0, .loadMass = 1000.0, .angle = angle};
    rvWorld* world = make_world(RV_STEPPER_SPOOK, GRAVITY);
    rvBodyId ball = make_ball(world, form.loadMass, rv_chain_point(&form, form.length));
    double factor = 1.0; // a ball on a joint turns with its arm: I = m L^2 + 0.4 m r^2
    if (onCable) {
        rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(ball, rvVec(0, 0, 0))};
        make_cable(world, places, 2, STIFF);
    } else {
        rvJointDef def = rvDefaultJointDef(RV_JOINT_BALL);
        rvJointId joint;
        rvJointDef_Place(world, &def, RV_NULL_BODY, ball, rvVec(0, 0, 0), rvVec(0, 1, 0));
        rvCreateJoint(world, &def, &joint);
        factor = sqrt(1.0 + 0.1 / (form.length * form.length));
    }
    double period = measure_period(world, ball, bench->quick ? 10.0 : 60.0);
    compare(bench,
            rv_bench_row("s", period, factor * rv_chain_period(&form), "closed form",
                         "pendulum on a %s, %g rad: period", onCable ? "cable" : "ball joint", angle),
            0.005); // far above the stepper's own (w h)^2/24
    rvDestroyWorld(world);
}

static void show_atwood(rvBench* bench)
{
    rvWorld* world = make_world(RV_STEPPER_SPOOK, GRAVITY);
    rvBodyId heavy = make_ball(world, 2.0, rvVec(-1, 0, -10)), light = make_ball(world, 1.0, rvVec(1, 0, -10));
    rvPlaceDef places[4] = {rvAttachPlace(heavy, rvVec(0, 0, 0)), rvEyePlace(RV_NULL_BODY, rvVec(-1, 0, 0)),
                            rvEyePlace(RV_NULL_BODY, rvVec(1, 0, 0)), rvAttachPlace(light, rvVec(0, 0, 0))};
    make_cable(world, places, 4, STIFF);
    step_many(world, 15);
    double before = rvBody_GetVelocity(world, heavy).z;
    step_many(world, 30);
    double acceleration = (before - rvBody_GetVelocity(world, heavy).z) / (30 * STEP);
    compare(bench,
            rv_bench_row("m/s^2", acceleration, GRAVITY / 3.0, "closed form", "Atwood, 2 kg and 1 kg: acceleration"),
            1e-4); // the cable's stretch is of the order m g/EA = 1e-8
    rvDestroyWorld(world);
}

// The rope runs between the world at z = 0 and the block below, n falls in all, one end on a winch above.
static void show_tackle(rvBench* bench, int falls)
{
    const double mass = 1000.0, speed = 0.3;
    rvWorld* world = make_world(RV_STEPPER_SPOOK, GRAVITY);
    rvBodyId block = make_ball(world, mass, rvVec(0, 0, -10));
    rvPlaceDef places[8];
    places[0] = rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)); // an even number of falls: it ends above again
    for (int i = 1; i < falls; i++)
        places[i] = i % 2 ? rvEyePlace(block, rvVec(0, 0, 0)) : rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 0));
    places[falls] = rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0);
    rvCableId cable = make_cable(world, places, falls + 1, STIFF);
    step_many(world, 300);
    compare(bench,
            rv_bench_row("N", rvCable_GetTension(world, cable, 0), mass * GRAVITY / falls, "closed form",
                         "block and tackle, %d falls, 1000 kg: tension", falls),
            1e-4); // at rest: only what is left of the damped start
    rvCable_SetWinchSpeed(world, cable, falls, -speed);
    step_many(world, 300);
    compare(bench,
            rv_bench_row("m/s", rvBody_GetVelocity(world, block).z, speed / falls, "closed form",
                         "block and tackle, %d falls: speed of the load", falls),
            1e-4);
    rvDestroyWorld(world);
}

// A pendulum of 10 m hauled in to 7 m while it swings: what it gains is the work of the winch.
static void show_winch_pendulum(rvBench* bench)
{
    rvChain form = {.links = 1, .length = 10.0, .loadMass = 1000.0, .angle = 0.5};
    rvWorld* world = make_world(RV_STEPPER_SPOOK, GRAVITY);
    rvBodyId ball = make_ball(world, form.loadMass, rv_chain_point(&form, form.length));
    rvPlaceDef places[2] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0), rvAttachPlace(ball, rvVec(0, 0, 0))};
    rvCableId cable = make_cable(world, places, 2, STIFF);
    double before = -form.loadMass * GRAVITY * form.length * cos(form.angle);
    rvCable_SetWinchSpeed(world, cable, 0, -0.1);
    step_many(world, 30 * 60);
    rvCable_SetWinchSpeed(world, cable, 0, 0.0);
    step_many(world, 60);
    compare(bench,
            rv_bench_row("J", total_energy(world) - before, rvCable_GetWinchWork(world, cable, 0),
                         "work of the winch, same run", "pendulum hauled in from 10 m to 7 m: energy gained"),
            0.001);
    rvDestroyWorld(world);
}

typedef struct {
    double worst;  // deviation from the closed form, of the amplitude
    double energy; // at the end, of the closed form's: that of the half step, 500 v0^2/2 (1 + h^2 w^2/4)
} BoxRun;

// Two boxes of 1000 kg, 2 m wide, fly apart at 0.1 m/s on a cable of 4 m and stiffness c that pulls and pushes.
static BoxRun run_boxes(rvStepper stepper, double c, int stepCount)
{
    rvWorld* world = make_world(stepper, 0.0);
    rvBodyDef def = rvDefaultBodyDef();
    def.mass = 1000.0;
    def.inertia = rvBoxInertia(def.mass, rvVec(2, 2, 2));
    rvBodyId boxes[2];
    for (int i = 0; i < 2; i++) {
        def.pose.p = rvVec(i ? 3 : -3, 0, 0);
        def.velocity = rvVec(i ? 0.05 : -0.05, 0, 0);
        rvCreateBody(world, &def, &boxes[i]);
    }
    rvPlaceDef places[2] = {rvAttachPlace(boxes[0], rvVec(1, 0, 0)), rvAttachPlace(boxes[1], rvVec(-1, 0, 0))};
    rvCableDef cableDef = rvDefaultCableDef(RV_CABLE_MASSLESS);
    cableDef.axialStiffness = 4.0 * c;
    cableDef.damping = 0.0;
    cableDef.pushes = true;
    cableDef.places = places;
    cableDef.placeCount = 2;
    rvCableId cable;
    rvCreateCable(world, &cableDef, &cable);

    double w = sqrt(c / 500.0), h = STEP, v0 = 0.1;
    bool printed = stepper == RV_STEPPER_PAPER;
    double theta = printed ? atan(h * w) : 2.0 * atan(0.5 * h * w);
    double rho = printed ? 1.0 / sqrt(1.0 + h * h * w * w) : 1.0;
    double amplitude = printed ? v0 / w : h * v0 / sin(theta);
    BoxRun run = {0, RV_NO_NUMBER};
    for (int n = 1; n <= stepCount; n++) {
        if (rvWorld_Step(world, h) != RV_OK) {
            run.worst = HUGE_VAL;
            break;
        }
        double phi = rvCable_GetLength(world, cable) - 4.0;
        run.worst = fmax(run.worst, fabs(phi / amplitude - pow(rho, n) * sin(n * theta)));
    }
    run.energy = total_energy(world) / (250.0 * v0 * v0 * (1.0 + 0.25 * h * h * w * w));
    rvDestroyWorld(world);
    return run;
}

static void show_boxes(rvBench* bench, double c)
{
    const int count = 1000, longCount = bench->quick ? 1000 : 100000;
    double printed = run_boxes(RV_STEPPER_PAPER, c, count).worst;
    rvBenchRow r = rv_bench_row("1", printed, RV_NO_NUMBER, "closed form of the scheme",
                                "two boxes, c = %g, printed stepper: error of %d steps", c, count);
    rv_bench_add(bench, rv_bench_goal(r, RV_GOAL_OURS_AT_MOST, 1e-9));
    BoxRun spook = run_boxes(RV_STEPPER_SPOOK, c, count);
    r = rv_bench_row("1", spook.worst, RV_NO_NUMBER, "closed form of the scheme",
                     "two boxes, c = %g, SPOOK: error of %d steps", c, count);
    rv_bench_add(bench, rv_bench_goal(r, RV_GOAL_OURS_AT_MOST, 1e-9));
    compare(bench,
            rv_bench_row("1", run_boxes(RV_STEPPER_SPOOK, c, longCount).energy, 1.0, "closed form: conserved",
                         "two boxes, c = %g, SPOOK: energy after %d steps", c, longCount),
            1e-9); // round-off of 1e5 steps
}

// A hook between two cables of 20 m and 1 m under 10,000 kg, kinked by 0.05 rad at the start, for ten minutes.
static void show_hook(rvBench* bench, double mass, double angle)
{
    rv_bench_progress(bench, "hook of %g kg, %g rad", mass, angle);
    rvChain form = {.links = 1, .length = 21.0, .loadMass = 10000.0, .angle = angle};
    rvWorld* world = make_world(RV_STEPPER_SPOOK, GRAVITY);
    rvVec3 knot = rv_chain_point(&form, 20.0);
    rvChain lower = form;
    lower.angle = angle + 0.05;
    rvVec3 below = rvAdd(knot, rv_chain_point(&lower, 1.0));
    rvBodyId hook = make_ball(world, mass, knot), load = make_ball(world, form.loadMass, below);
    rvPlaceDef upper[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(hook, rvVec(0, 0, 0))};
    rvPlaceDef last[2] = {rvAttachPlace(hook, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    make_cable(world, upper, 2, STIFF);
    make_cable(world, last, 2, STIFF);
    double lowest = -form.loadMass * GRAVITY * form.length - mass * GRAVITY * 20.0;
    double start = form.loadMass * GRAVITY * below.z + mass * GRAVITY * knot.z - lowest;
    double period = measure_period(world, load, bench->quick ? 20.0 : 600.0);
    compare(bench,
            rv_bench_row("s", period, rv_chain_period(&form), "closed form, straight cable",
                         "hook of %g kg, load 10,000 kg, %g rad: period", mass, angle),
            0.005);
    compare(bench,
            rv_bench_row("1", (total_energy(world) - lowest) / start, 1.0, "closed form: conserved",
                         "hook of %g kg, load 10,000 kg, %g rad: energy kept", mass, angle),
            angle > 1.0 ? 0.12 : 0.02);
    rvDestroyWorld(world);
}

// Ten minutes of a heavy chain. From 1.5 rad the tension almost vanishes at the ends of the swing, so a chain that is
// not light against its load bends and leaves the circle: then the closed form tells nothing but the energy.
static void show_chain(rvBench* bench, int links, double load, double angle)
{
    rv_bench_progress(bench, "ten minutes of %d links, %g kg, %g rad", links, load, angle);
    rvChain chain = {links, 10.0, 0.1, load, angle};
    bool straight = angle < 1.0 || links * chain.linkMass < 0.005 * load;
    double duration = bench->quick ? 10.0 : 600.0;
    rvChainRun run = rv_chain_run(&chain, &rv_chain_ours, STEP, duration, straight ? 0.01 : 0.5);
    char what[64];
    snprintf(what, sizeof(what), "%d links, %g kg, %g rad", links, load, angle);
    compare(bench, rv_bench_row("s", run.held, duration, "all of the run", "%s: load held", what), 0.001);
    compare(bench, rv_bench_row("1", run.energy, 1.0, "closed form: conserved", "%s: energy kept", what),
            angle > 1.0 ? 0.12 : 0.02);
    if (straight)
        compare(
            bench,
            rv_bench_row("s", run.period, rv_chain_period(&chain), "closed form, straight chain", "%s: period", what),
            0.005);
    rvBenchRow gap = rv_bench_row("mm", 1e3 * run.gap, RV_NO_NUMBER, "", "%s: largest joint gap", what);
    rv_bench_add(bench, rv_bench_goal(gap, RV_GOAL_OURS_AT_MOST, 1.0));
}

void rv_bench_accuracy(rvBench* bench)
{
    static const double angles[] = {0.5, 1.5}, loads[] = {100.0, 10000.0}, hooks[] = {1.0, 0.1, 0.001};
    static const double stiffness[] = {10.0, 1e3, 1e6};
    static const int sizes[] = {10, 24, 100};
    for (int i = 0; i < 4; i++)
        show_pendulum(bench, angles[i % 2], i >= 2);
    show_atwood(bench);
    for (int falls = 2; falls <= 6; falls += 2)
        show_tackle(bench, falls);
    show_winch_pendulum(bench);
    for (int i = 0; i < 3; i++)
        show_boxes(bench, stiffness[i]);
    for (int i = 0; i < (bench->quick ? 1 : 2); i++)
        for (int k = 0; k < 3; k++)
            show_hook(bench, hooks[k], angles[i]);
    for (int i = 0; i < (bench->quick ? 1 : 3); i++)
        for (int k = 0; k < 4; k++)
            show_chain(bench, sizes[i], loads[k / 2], angles[k % 2]);
}
