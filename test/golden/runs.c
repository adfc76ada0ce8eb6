// SPDX-License-Identifier: MIT
#include "runs.h"

#include "random/machine.h"
#include "random/slack_rope.h"
#include "random/thread.h"
#include "random/throw.h"
#include "reeve/host.h"
#include "reeve/scene.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

// ---- scenes

static bool run_scene(const char* path, int number, int steps, rvGolden* golden)
{
    (void)number;
    char error[1024] = "";
    rvScene* scene = NULL;
    rvWorld* world = NULL;
    rvStatus status = rvScene_LoadFile(path, NULL, &scene, error, sizeof error);
    if (status == RV_OK)
        status = rvScene_CreateWorld(scene, NULL, &world, error, sizeof error);
    if (status != RV_OK)
        fprintf(stderr, "%s\n", error);
    double h = status == RV_OK ? rvScene_GetStep(scene) : 0.0;
    for (int i = 0; i < steps && status == RV_OK; ++i) {
        status = rvScene_Apply(scene, world, i * h, h);
        if (status == RV_OK)
            status = rvWorld_Step(world, h);
        if (status == RV_OK)
            golden_note(golden, world);
    }
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
    return status == RV_OK;
}

// ---- random machines, threads and ropes

static bool run_machine(const char* family, int number, int steps, rvGolden* golden)
{
    static const struct {
        const char* name;
        rvRandomMachine (*make)(uint64_t number);
    } families[] = {{"machine", rv_random_machine},
                    {"bridle", rv_random_bridle},
                    {"rerouting", rv_random_rerouting},
                    {"hoist", rv_random_hoist},
                    {"heavy", rv_random_heavy}};
    for (size_t i = 0; i < sizeof families / sizeof families[0]; ++i) {
        if (strcmp(families[i].name, family) != 0)
            continue;
        rvRandomMachine machine = families[i].make((uint64_t)number);
        rvRandomRun run = {steps * machine.h, golden_note, golden};
        bool failed = isinf(rv_random_machine_run(&machine, run).grown);
        rvDestroyWorld(machine.world);
        return !failed;
    }
    return false;
}

static bool run_thread(const char* family, int number, int steps, rvGolden* golden)
{
    static const struct {
        const char* name;
        rvRandomThread (*make)(uint64_t number);
    } families[] = {
        {"grasp", rv_random_grasp}, {"draw", rv_random_draw}, {"hit", rv_random_hit}, {"loop", rv_random_loop}};
    for (size_t i = 0; i < sizeof families / sizeof families[0]; ++i) {
        if (strcmp(families[i].name, family) != 0)
            continue;
        rvRandomThread thread = families[i].make((uint64_t)number);
        rvRandomRun run = {steps * thread.h, golden_note, golden};
        bool failed = isinf(rv_random_thread_run(&thread, run).grown);
        rvDestroyWorld(thread.world);
        return !failed;
    }
    return false;
}

// Each number another kind of shape; the first eight in a plane, the next four in space.
static bool run_throw(const char* name, int number, int steps, rvGolden* golden)
{
    (void)name;
    int kind = (number - 1) % (RV_THROWN_KINDS + RV_THROWN_ON_BARS);
    bool inSpace = kind >= RV_THROWN_KINDS;
    rvRandomRun run = {steps * 0.01, golden_note, golden};
    rvThrown thrown =
        rv_random_throw((uint64_t)number, inSpace, (rvThrownOn)(inSpace ? kind - RV_THROWN_KINDS : kind), run);
    return !isinf(thrown.growth.grown);
}

static bool run_slack(const char* kind, int number, int steps, rvGolden* golden)
{
    rvSlackRope rope = strcmp(kind, "slack rope") == 0  ? rv_slack_rope((uint64_t)number)
                       : strcmp(kind, "hook ancf") == 0 ? rv_slack_hook((uint64_t)number, RV_CABLE_ANCF)
                                                        : rv_slack_hook((uint64_t)number, RV_CABLE_ALE);
    double h = rope.h > 0.0 ? rope.h : 1.0 / 240.0;
    bool failed = rope.failed;
    for (int i = 0; i < steps && !failed; ++i) {
        failed = rvWorld_Step(rope.world, h) != RV_OK;
        if (!failed)
            golden_note(golden, rope.world);
    }
    rvDestroyWorld(rope.world);
    return !failed;
}

// ---- a host's bodies: a trolley that is led, a hook on a rope with a winch, a load on a sling; the host integrates

typedef struct {
    rvProxyState state;
    double mass;
} HostBody;

static rvBodyId add_proxy(rvWorld* world, double mass, bool known, rvVec3 at, HostBody* body)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_PROXY;
    def.mass = known ? mass : 0.0;
    def.inertia = rvBallInertia(def.mass, 0.5);
    def.pose.p = at;
    *body = (HostBody){.mass = mass};
    rvCreateBody(world, &def, &body->state.body);
    body->state.pose = rvPoseIdentity();
    body->state.pose.p = at;
    return body->state.body;
}

// Numbers: the models in turn, with and without known masses.
static bool run_host(const char* name, int number, int steps, rvGolden* golden)
{
    (void)name;
    const double h = 1.0 / 240.0, gravity = 9.81;
    rvCableModel model = (rvCableModel)((number - 1) % 5);
    bool known = number <= 5;
    rvWorldDef worldDef = rvDefaultWorldDef();
    rvWorld* world;
    HostBody bodies[3];
    if (rvCreateWorld(&worldDef, &world, NULL, 0) != RV_OK)
        return false;
    rvBodyId trolley = add_proxy(world, 1e3, known, rvVec(0, 0, 20), &bodies[0]);
    rvBodyId hook = add_proxy(world, 100.0, known, rvVec(0, 0, 8), &bodies[1]);
    rvBodyId load = add_proxy(world, 1000.0, known, rvVec(0, 0, 3), &bodies[2]);
    bool winds = model != RV_CABLE_ANCF && model != RV_CABLE_CURVE;
    rvPlaceDef fall[] = {winds ? rvWinchPlace(trolley, rvVec(0, 0, 0), 0.1) : rvAttachPlace(trolley, rvVec(0, 0, 0)),
                         rvAttachPlace(hook, rvVec(0, 0, 0.2))};
    rvPlaceDef sling[] = {rvAttachPlace(hook, rvVec(0, 0, -0.2)), rvAttachPlace(load, rvVec(0, 0, 0.5))};
    rvCableDef def = rvDefaultCableDef(model);
    def.axialStiffness = 1e5;
    def.massPerLength = model == RV_CABLE_MASSLESS ? 0.0 : 0.5;
    def.diameter = 0.02;
    def.bendingStiffness = model == RV_CABLE_MASSLESS || model == RV_CABLE_LAYERED ? 0.0 : 5.0;
    def.damping = 0.01;
    def.placeCount = 2;
    rvCableId id;
    def.places = fall;
    rvStatus status = rvCreateCable(world, &def, &id);
    def.places = sling;
    if (status == RV_OK)
        status = rvCreateCable(world, &def, &id);
    for (int i = 0; i < steps && status == RV_OK; ++i) {
        bodies[0].state.pose.p.x += h * bodies[0].state.velocity.x;
        bodies[0].state.velocity.x = sin(i * h);
        rvProxyState states[3] = {bodies[0].state, bodies[1].state, bodies[2].state};
        status = rvWorld_SetProxies(world, states, 3);
        if (status == RV_OK)
            status = rvWorld_Step(world, h);
        for (int k = 1; k < 3; ++k) { // semi-implicit Euler; they do not turn
            rvVec3 force, torque;
            rvBody_GetWrench(world, bodies[k].state.body, &force, &torque);
            force.z -= bodies[k].mass * gravity;
            bodies[k].state.velocity = rvMulAdd(bodies[k].state.velocity, h / bodies[k].mass, force);
            bodies[k].state.pose.p = rvMulAdd(bodies[k].state.pose.p, h, bodies[k].state.velocity);
        }
        if (status == RV_OK)
            golden_note(golden, world);
    }
    rvDestroyWorld(world);
    return status == RV_OK;
}

// ---- the table

typedef struct {
    const char *group, *name;
    bool (*run)(const char* name, int number, int steps, rvGolden* golden);
    int count, steps;
} Family;

static const Family FAMILIES[] = {
    {"machines", "machine", run_machine, 30, 3000},   {"machines", "bridle", run_machine, 30, 3000},
    {"machines", "rerouting", run_machine, 30, 3000}, {"machines", "hoist", run_machine, 30, 3000},
    {"machines", "heavy", run_machine, 30, 3000},     {"threads", "grasp", run_thread, 25, 1500},
    {"threads", "draw", run_thread, 25, 1500},        {"threads", "hit", run_thread, 25, 1500},
    {"threads", "loop", run_thread, 25, 1500},        {"threads", "throw", run_throw, 48, 1000},
    {"elements", "slack rope", run_slack, 12, 4000},  {"elements", "hook ancf", run_slack, 8, 4000},
    {"elements", "hook ale", run_slack, 8, 4000},     {"elements", "host", run_host, 10, 3000},
};

enum { SCENE_STEPS = 5000 };

int golden_runs(const char* group, const char* scenes, rvGoldenRun* runs, int capacity)
{
    int count = 0;
    if (strcmp(group, "scenes") == 0) {
        char pattern[1024];
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/*.yaml", scenes);
        if (glob(pattern, 0, NULL, &found) != 0)
            return 0;
        for (size_t i = 0; i < found.gl_pathc && count < capacity; ++i, ++count) {
            const char* slash = strrchr(found.gl_pathv[i], '/');
            runs[count] = (rvGoldenRun){.run = run_scene, .argument = strdup(found.gl_pathv[i]), .steps = SCENE_STEPS};
            snprintf(runs[count].name, sizeof runs[count].name, "%s", slash + 1);
        }
        globfree(&found);
        return count;
    }
    for (size_t i = 0; i < sizeof FAMILIES / sizeof FAMILIES[0]; ++i) {
        const Family* family = &FAMILIES[i];
        if (strcmp(family->group, group) != 0)
            continue;
        for (int k = 1; k <= family->count && count < capacity; ++k, ++count) {
            runs[count] =
                (rvGoldenRun){.run = family->run, .argument = family->name, .number = k, .steps = family->steps};
            snprintf(runs[count].name, sizeof runs[count].name, "%s %d", family->name, k);
        }
    }
    return count;
}
