// SPDX-License-Identifier: MIT
// `reeve bench reeving`: one hoist with its rope massless, layered and flowing (ale). Alike where the models share
// their physics, different where they do not: each row has its closed form or the model beside it, and what the
// difference comes from.
//
// Blocks of n = 2 and 4 vertical falls of 38 m, rope of 1.5 kg/m and EA = 20 MN, a tonne. M: of the block, m: of all
// rope, W: rope on the block's sheaves, n pi r rho g/2. Frictionless, so
//   foot of a fall   (M g + W)/n                        top of it   foot + rho g l, of rope with weight
//   the block lifts  by what the winch hauls over n
//   running at u     (M g + W)/n + 2 rho (sum of c^2)/n  c: speed through each sheave of the block; momentum that turns
//   bounce           x tan x = m/M, period 2 pi (l/x) sqrt(rho/EA): waves along the rope, l = L/n of all rope L;
//                    massless 2 pi sqrt(M l/(n EA)); layered the same with M + m/2: it has no waves along itself
// A load of 500 kg behind a wheel of 0.2 m hangs off it by EI/(2 r T): bending over sheaves.
// The tower crane is scenes/tower_crane.yaml, its hoist of each model, for a minute of its work.
#include "bench.h"
#include "reeve/reeve.h"
#include "reeve/scene.h"
#include "reeve/settle.h"
#include "support/templates.h"

static const double PI = 3.14159265358979323846, GRAVITY = 9.81, EA = 2e7, RHO = 1.5, MASS = 1000.0, RADIUS = 0.2;
static const double FALL = 38.0; // of each fall at the start [m]
static const double LIMP = 0.01; // [N m^2]; without one elements bend as a rod does

enum { MODELS = 3, ALE = 2 };
static const rvCableModel models[MODELS] = {RV_CABLE_MASSLESS, RV_CABLE_LAYERED, RV_CABLE_ALE};

typedef struct {
    rvWorld* world;
    rvBodyId load;
    rvCableId rope;
    int falls;
} Rig;

// ---- blocks

static bool finish(Rig* rig, rvCableModel model, const rvPlaceDef* places, int count, double damping, double bending)
{
    rvCableDef def = rvDefaultCableDef(model);
    def.places = places;
    def.placeCount = count;
    def.axialStiffness = EA;
    def.massPerLength = RHO;
    def.damping = damping;
    def.bendingStiffness = model == RV_CABLE_ALE ? bending : 0.0; // of the others: they have none
    def.elements = 10 * rig->falls;
    return rvCreateCable(rig->world, &def, &rig->rope) == RV_OK && rvWorld_Settle(rig->world, NULL, NULL) == RV_OK;
}

static bool open_world(Rig* rig, double mass, rvVec3 at)
{
    rvWorldDef world = rvDefaultWorldDef();
    rvBodyDef body = rvDefaultBodyDef();
    body.mass = mass;
    body.inertia = rvBoxInertia(mass, rvVec(1, 0.2, 0.5));
    body.pose.p = at;
    return rvCreateWorld(&world, &rig->world, NULL, 0) == RV_OK && rvCreateBody(rig->world, &body, &rig->load) == RV_OK;
}

// At rest, all falls vertical; the block stands upright below its sheaves.
static bool create_block(Rig* rig, rvCableModel model, int falls, double damping)
{
    *rig = (Rig){.falls = falls};
    if (!open_world(rig, MASS, rvVec(0, 0, -FALL - 2.0)))
        return false;
    rvPlaceDef places[5];
    places[0] = rvWinchPlace(RV_NULL_BODY, rvVec(-RADIUS * (falls - 1), 0, 0), 0.0);
    places[0].winch.acceleration = 4.0;
    for (int k = 1; k < falls; ++k) {
        rvVec3 at = rvVec(RADIUS * (2 * k - falls), 0, k % 2 ? 2.0 : 0.0);
        places[k] = rvSheavePlace(k % 2 ? rig->load : RV_NULL_BODY, at, rvVec(0, 1, 0), RADIUS);
    }
    places[falls] = rvAttachPlace(RV_NULL_BODY, rvVec(RADIUS * (falls - 1), 0, 0));
    return finish(rig, model, places, falls + 1, damping, LIMP);
}

static bool run(const Rig* rig, double seconds, double h)
{
    for (long i = 0; i < lround(seconds / h); ++i)
        if (rvWorld_Step(rig->world, h) != RV_OK)
            return false;
    return true;
}

static double height_of(const Rig* rig)
{
    return rvBody_GetPose(rig->world, rig->load).p.z;
}

// Mean of the falls at the block, and at the top of them [N].
static double pull_of(const Rig* rig, bool top)
{
    double sum = 0.0;
    for (int i = 0; i < rig->falls; ++i)
        sum += rvCable_GetEndTension(rig->world, rig->rope, i, top ? i % 2 : 1 - i % 2);
    return sum / rig->falls;
}

// What rope with mass has more at the block: that on its sheaves [N], and momentum that turns there at speed u of the
// block.
static double foot_of(int falls, bool heavy, double u)
{
    double squares = falls == 2 ? u * u : 10.0 * u * u; // c = u, and 3 u through the second sheave
    double more = heavy ? 0.5 * falls * PI * RADIUS * RHO * GRAVITY + 2.0 * RHO * squares : 0.0;
    return (MASS * GRAVITY + more) / falls;
}

static void add_goal(rvBench* bench, rvBenchRow row, rvGoalKind kind, double value)
{
    rv_bench_add(bench, rv_bench_goal(row, kind, value));
}

static bool hang(rvBench* bench, Rig* rig, rvCableModel model, int falls)
{
    const char* name = rvCableModel_Name(model);
    bool heavy = model != RV_CABLE_MASSLESS;
    if (!create_block(rig, model, falls, 0.02) || !run(rig, 0.1, 0.005))
        return false;
    double foot = pull_of(rig, false), hung = pull_of(rig, true) - foot;
    // it is at rest to 1e-9 of what it carries; rope that is stretched by T/EA is as much lighter a metre: 2.5e-4 of 6
    // N on the sheaves
    add_goal(bench,
             rv_bench_row("N", foot, foot_of(falls, heavy, 0.0), heavy ? "(M g + rope on its sheaves)/n" : "M g/n",
                          "%d falls, %s, at rest: pull at the block", falls, name),
             RV_GOAL_RATIO_WITHIN, 1e-5);
    rvBenchRow row = rv_bench_row("N", hung, heavy ? RHO * GRAVITY * FALL : 0.0,
                                  heavy ? "rho g l: weight of the fall" : "no weight: one tension",
                                  "%d falls, %s, at rest: top less foot of a fall", falls, name);
    // by half of what it is stretched, T/EA
    heavy ? add_goal(bench, row, RV_GOAL_RATIO_WITHIN, 5e-4) : add_goal(bench, row, RV_GOAL_OURS_AT_MOST, 1e-6 * foot);
    return true;
}

// Hauled in at 8 or 4 m/s, the block at 2 m/s: how far it came in five seconds, and its mean pull in the last two.
static bool lift(rvBench* bench, Rig* rig, rvCableModel model, int falls)
{
    const double u = 2.0, h = 1.0 / 240.0, ramp = u * falls / 4.0;
    const char* name = rvCableModel_Name(model);
    bool turns = model == RV_CABLE_ALE;
    if (!create_block(rig, model, falls, 0.02))
        return false;
    double start = height_of(rig), sum = 0.0, hauled = u * falls * (5.0 - 0.5 * (ramp - h)); // the ramp by steps
    if (rvCable_SetWinchSpeed(rig->world, rig->rope, 0, -u * falls) != RV_OK || !run(rig, 3.0, h))
        return false;
    long count = lround(2.0 / h);
    for (long i = 0; i < count; ++i) {
        if (!run(rig, h, h))
            return false;
        sum += pull_of(rig, false) / (double)count;
    }
    double stretch = (MASS * GRAVITY / falls + 0.5 * RHO * GRAVITY * FALL) / EA;
    // 1 mm: what hangs by n T l/EA stretches by 60 N of rope less as it is lifted, 0.1 mm, and bounces by less than 1
    // mm: the ramp ends at once, u h/2 of a bounce
    rvBenchRow row =
        rv_bench_row("m", height_of(rig) - start, hauled / falls * (1.0 + stretch), "what the winch hauled, over n",
                     "%d falls, %s, hauled in: way of the block", falls, name);
    add_goal(bench, row, RV_GOAL_RATIO_WITHIN, 1e-3 / (hauled / falls));
    row = rv_bench_row("N", sum, foot_of(falls, model != RV_CABLE_MASSLESS, turns ? u : 0.0),
                       turns                       ? "at rest and 2 rho (sum of c^2)/n: momentum that turns"
                       : model == RV_CABLE_LAYERED ? "at rest: no momentum along the rope"
                                                   : "at rest: no mass",
                       "%d falls, %s, %g m/s: pull at the block", falls, name, u * falls);
    // the block sways by 5e-3 rad and bounces by 1e-3 of its weight
    add_goal(bench, row, RV_GOAL_RATIO_WITHIN, 1e-3);
    return true;
}

// x tan x = share, the first one.
static double first_wave(double share)
{
    double low = 0.0, high = 0.5 * PI;
    for (int i = 0; i < 60; ++i) {
        double x = 0.5 * (low + high);
        *(x * tan(x) < share ? &low : &high) = x;
    }
    return low;
}

// A blow of 5 cm/s: the mean of ten periods of the block's bounce.
static bool bounce(rvBench* bench, Rig* rig, rvCableModel model, int falls)
{
    enum { PERIODS = 10 };
    const double h = 1.0 / 960.0;
    const char* name = rvCableModel_Name(model);
    if (!create_block(rig, model, falls, 0.0) ||
        rvBody_SetVelocity(rig->world, rig->load, rvVec(0, 0, -0.05), rvVec(0, 0, 0)) != RV_OK)
        return false;
    double first = 0.0, last = 0.0, before = -0.05;
    for (int i = 1, passed = 0; passed <= PERIODS && i < 20000; ++i) {
        if (!run(rig, h, h))
            return false;
        double now = rvBody_GetVelocity(rig->world, rig->load).z;
        if (before < 0.0 && now >= 0.0) {
            last = h * (i - now / (now - before));
            first = passed++ == 0 ? last : first;
        }
        before = now;
    }
    bool waves = model == RV_CABLE_ALE;
    double arcs = (falls - 1) * PI * RADIUS, l = FALL + arcs / falls, all = falls * RHO * l;
    double carried = MASS + (model == RV_CABLE_LAYERED ? 0.5 * all : 0.0);
    double period =
        waves ? 2.0 * PI * l / first_wave(all / MASS) * sqrt(RHO / EA) : 2.0 * PI * sqrt(carried * l / (falls * EA));
    rvBenchRow row =
        rv_bench_row("ms", 1e3 * (last - first) / PERIODS, 1e3 * period,
                     waves                       ? "x tan x = m/M: waves along the rope"
                     : model == RV_CABLE_LAYERED ? "M + m/2: half of each fall with the block, no waves along it"
                                                 : "2 pi sqrt(M l/(n EA)): no mass, no waves",
                     "%d falls, %s: period of the block's bounce", falls, name);
    // steps: (w h)^2/12; strain that grows faster than stretch, 3 T/EA of the stiffness; rope on wheels is stretched as
    // the means over 50 ms of the tensions beside it say, so of a period of 200 ms and less it takes half a part at
    // most
    add_goal(bench, row, RV_GOAL_RATIO_WITHIN, 1e-3 + (waves ? 0.5 * arcs / (falls * l) : 0.0));
    return true;
}

// The brake holds at once while the block is lifted at 2 m/s: how far it goes on upwards on slack rope. Rope with mass
// runs faster than the block and lifts it on: if all came to rest at once, by T/(g (M + m/2)), T of all that moves,
// where a fall that gets shorter rises by half as much. Between both is what ale does: nothing is lost where rope
// yields, and what presses on it is nothing.
static bool halt(rvBench* bench, Rig* rig, rvCableModel model, int falls)
{
    const double u = 2.0, h = 1.0 / 240.0;
    if (!create_block(rig, model, falls, 0.02) ||
        rvCable_SetWinchSpeed(rig->world, rig->rope, 0, -u * falls) != RV_OK || !run(rig, 4.0, h) ||
        rvCable_SetWinchBrake(rig->world, rig->rope, 0, true) != RV_OK)
        return false;
    double start = height_of(rig), speed = rvBody_GetVelocity(rig->world, rig->load).z, most = 0.0;
    double moves = rvWorld_GetEnergy(rig->world).kinetic;
    for (int i = 0; i < 120; ++i) {
        if (!run(rig, h, h))
            return false;
        most = fmax(most, height_of(rig) - start);
    }
    rvBenchRow row = rv_bench_row("m", most, speed * speed / (2.0 * GRAVITY), "u^2/(2 g): nothing holds it",
                                  "%d falls, %s, braked at %g m/s: way of the block upwards", falls,
                                  rvCableModel_Name(model), u * falls);
    if (model == RV_CABLE_MASSLESS) // the step that brakes: u h of the way
        add_goal(bench, row, RV_GOAL_RATIO_WITHIN, 2.0 * GRAVITY * h / u);
    else
        rv_bench_add(bench, row);
    if (model != RV_CABLE_ALE)
        return true;
    double rope = RHO * rvCable_GetRestLength(rig->world, rig->rope), all = moves / (GRAVITY * (MASS + 0.5 * rope));
    row = rv_bench_row("m", most, all, "T/(g (M + m/2)): all that moves comes to rest at once",
                       "%d falls, ale, braked at %g m/s: at most", falls, u * falls);
    add_goal(bench, row, RV_GOAL_RATIO_AT_MOST, 1.0);
    row = rv_bench_row("m", most, RV_NO_NUMBER, "u^2/(2 g)", "%d falls, ale, braked at %g m/s: at least", falls,
                       u * falls);
    add_goal(bench, row, RV_GOAL_OURS_AT_LEAST, speed * speed / (2.0 * GRAVITY));
    return true;
}

static void refuse(rvBench* bench, const Rig* rig, rvCableModel model, const char* what)
{
    rv_bench_leave_out(bench, "Reeve", "%s, %s: %.50s", rvCableModel_Name(model), what,
                       rig->world ? rvWorld_GetError(rig->world) : "no memory");
}

static void blocks(rvBench* bench, int falls)
{
    for (int i = 0; i < MODELS; ++i) {
        Rig rigs[4] = {0};
        rv_bench_progress(bench, "%d falls, %s", falls, rvCableModel_Name(models[i]));
        if (!hang(bench, &rigs[0], models[i], falls))
            refuse(bench, &rigs[0], models[i], "hangs");
        if (!lift(bench, &rigs[1], models[i], falls))
            refuse(bench, &rigs[1], models[i], "lifts");
        if (!bounce(bench, &rigs[2], models[i], falls))
            refuse(bench, &rigs[2], models[i], "bounces");
        if (!halt(bench, &rigs[3], models[i], falls))
            refuse(bench, &rigs[3], models[i], "halts");
        for (int k = 0; k < 4; ++k)
            rvDestroyWorld(rigs[k].world);
    }
}

// ---- bending over a sheave

static void bend(rvBench* bench)
{
    const double mass = 500.0, EI = 10.0, l = 6.0, pull = (mass + RHO * l) * GRAVITY;
    for (int i = 0; i < MODELS; ++i) {
        Rig rig = {.falls = 2};
        rvPlaceDef places[3] = {rvAttachPlace(RV_NULL_BODY, rvVec(-5, 0, RADIUS)),
                                rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), RADIUS)};
        bool good = open_world(&rig, mass, rvVec(RADIUS, 0, -l));
        places[2] = rvAttachPlace(rig.load, rvVec(0, 0, 0));
        if (!good || !finish(&rig, models[i], places, 3, 0.02, EI)) {
            refuse(bench, &rig, models[i], "bends");
        } else {
            double off = rvBody_GetPose(rig.world, rig.load).p.x - RADIUS;
            rvBenchRow row =
                rv_bench_row("mm", 1e3 * off, i == ALE ? 1e3 * EI / (2.0 * RADIUS * pull) : 0.0,
                             i == ALE ? "EI/(2 r T): the elastica's arm" : "no bending: at the wheel's rim",
                             "over a wheel, %s: how far the load hangs off", rvCableModel_Name(models[i]));
            // the moment is two forces at the ends of the fall, so what counts is the pull of its middle: half of its
            // weight less
            i == ALE ? add_goal(bench, row, RV_GOAL_RATIO_WITHIN, 0.6 * RHO * l / mass)
                     : add_goal(bench, row, RV_GOAL_OURS_AT_MOST, 1e-3);
        }
        rvDestroyWorld(rig.world);
    }
}

// ---- the tower crane

enum { TIMES = 6 };
static const double times[TIMES] = {7.0, 14.0, 21.0, 28.0, 42.0, 60.0};

typedef struct {
    rvVec3 block[TIMES];
    double pull[TIMES]; // mean of the fall to the block [N]
    double hung;        // at the end, how much more the top of that fall carries than its foot [N]
    double wave;        // largest change of the tension at its foot within a step, while it is carried [N]
    bool good;
} Work;

static bool work(const rvScene* scene, rvWorld* world, int count, Work* w)
{
    rvCableId hoist = rvScene_FindCable(scene, "hoist");
    rvBodyId block = rvScene_FindBody(scene, "block");
    double last = 0.0, h = rvScene_GetStep(scene);
    long step = 0;
    for (int i = 0; i < count; ++i) {
        for (; ((double)step + 0.5) * h < times[i]; ++step) {
            if (rvScene_Apply(scene, world, (double)step * h, h) != RV_OK || rvWorld_Step(world, h) != RV_OK)
                return false;
            double now = rvCable_GetEndTension(world, hoist, 3, 1);
            w->wave = i == count - 1 ? fmax(w->wave, fabs(now - last)) : 0.0;
            last = now;
        }
        w->block[i] = rvBody_GetPose(world, block).p;
        w->pull[i] = rvCable_GetTension(world, hoist, 3);
    }
    w->hung = rvCable_GetEndTension(world, hoist, 3, 0) - rvCable_GetEndTension(world, hoist, 3, 1);
    return true;
}

static Work work_of(rvBench* bench, rvCableModel model, int count)
{
    Work w = {0};
    char error[1024] = "the scene is not compiled in", text[80];
    const rvTemplate* source = rv_template_find("tower_crane");
    rvScene* scene = NULL;
    rvWorld* world = NULL;
    snprintf(text, sizeof text, "cables.hoist.model=%s", rvCableModel_Name(model));
    bool made = source && rvScene_LoadText((const char*)source->text, source->size, source->name, NULL, &scene, error,
                                           sizeof error) == RV_OK;
    made = made && rvScene_Set(scene, text, error, sizeof error) == RV_OK &&
           (model != RV_CABLE_ALE || rvScene_Set(scene, "cables.hoist.elements=40", error, sizeof error) == RV_OK);
    made = made && rvScene_CreateWorld(scene, NULL, &world, error, sizeof error) == RV_OK;
    w.good = made && work(scene, world, count, &w);
    if (!w.good)
        rv_bench_leave_out(bench, "Reeve", "tower crane, %s: %.50s", rvCableModel_Name(model),
                           made ? rvWorld_GetError(world) : error);
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
    return w;
}

// ale beside another model.
static void compare(rvBench* bench, const Work* ale, const Work* other, const char* name, bool heavy, int count)
{
    double high = 0.0, aside = 0.0, pull = 0.0, weight = 0.5 * (8000.0 + 280.0 + 60.0) * GRAVITY;
    // rope with mass pulls harder, by what hangs on it: 0.7 kN at the start. 145 m stretch by 3 mm more for it, a block
    // of two falls hangs half of that lower
    double heavier = 700.0, lower = 0.5 * 145.0 * heavier / (100e9 * PI * 0.01 * 0.01);
    for (int i = 0; i < count; ++i) {
        high = fmax(high, fabs(ale->block[i].z - other->block[i].z));
        aside = fmax(aside, hypot(ale->block[i].x - other->block[i].x, ale->block[i].y - other->block[i].y));
        pull = fmax(pull, fabs(ale->pull[i] - other->pull[i]));
    }
    const char* stretch = heavy ? "shared: rope that is hauled in" : "rope of 0.7 kN stretches itself";
    add_goal(
        bench,
        rv_bench_row("mm", 1e3 * high, 1e3 * lower, stretch, "tower crane, ale beside %s: height of the block", name),
        RV_GOAL_RATIO_AT_MOST, 1.0);
    // rope of 30 kg beside 8.3 t, a third of which swings: 6e-4 of the period, of a swing of a metre after five of them
    add_goal(bench,
             rv_bench_row("mm", 1e3 * aside, 20.0, "rope that swings: 6e-4 of the period",
                          "tower crane, ale beside %s: place of the block", name),
             RV_GOAL_RATIO_AT_MOST, 1.0);
    // the load bounces by what the winch's ramps left, 1 % of its weight, and its phase is its own
    add_goal(bench,
             rv_bench_row("N", pull, 0.01 * weight + (heavy ? 0.0 : heavier),
                          heavy ? "phase of a bounce of 1 % of the weight" : "the same, and the fall's weight",
                          "tower crane, ale beside %s: pull of the fall", name),
             RV_GOAL_RATIO_AT_MOST, 1.0);
}

// The fall from the trolley to the block: its weight and its waves.
static void show_fall(rvBench* bench, const Work* w, const Work* flowing, int model, int count)
{
    static const char* const waves[MODELS] = {
        "no mass: it bounces only", "no waves along the rope, those across it damped", "waves along the rope"};
    const char* name = rvCableModel_Name(models[model]);
    bool heavy = model > 0;
    double rho = 7850.0 * 0.6 * PI * 0.01 * 0.01, l = 44.6 - w->block[count - 1].z; // steel over 0.6 of 20 mm
    rvBenchRow row = rv_bench_row("N", w->hung, heavy ? rho * GRAVITY * l : 0.0,
                                  heavy ? "rho g l: weight of the fall" : "no weight: one tension",
                                  "tower crane, %s: top less foot of the fall", name);
    // a bounce by 1 % of the weight is 1 % of g for the rope, too; a short run ends while it is lifted
    if (!bench->quick)
        row = heavy ? rv_bench_goal(row, RV_GOAL_RATIO_WITHIN, 0.01)
                    : rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, 1e-6 * w->pull[0]);
    rv_bench_add(bench, row);
    // waves along it are ale's alone
    row = rv_bench_row("N", w->wave, flowing->wave, waves[model],
                       "tower crane, %s: largest change at its foot in a step", name);
    if (model == ALE)
        rv_bench_add(bench, row);
    else
        add_goal(bench, row, RV_GOAL_RATIO_AT_MOST, 1.0);
}

static void crane(rvBench* bench)
{
    int count = bench->quick ? 1 : TIMES;
    Work w[MODELS];
    for (int i = 0; i < MODELS; ++i) {
        rv_bench_progress(bench, "tower crane, %s", rvCableModel_Name(models[i]));
        w[i] = work_of(bench, models[i], count);
    }
    for (int i = 0; i < ALE; ++i)
        if (w[i].good && w[ALE].good)
            compare(bench, &w[ALE], &w[i], rvCableModel_Name(models[i]), i > 0, count);
    for (int i = 0; i < MODELS; ++i)
        if (w[i].good && w[ALE].good)
            show_fall(bench, &w[i], &w[ALE], i, count);
}

void rv_bench_reeving(rvBench* bench)
{
    blocks(bench, 2);
    blocks(bench, 4);
    bend(bench);
    crane(bench);
}
