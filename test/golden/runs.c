// SPDX-License-Identifier: MIT
#include "runs.h"

#include "random/family.h"
#include "reeve/host.h"
#include "reeve/reference.h"
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
        rvScene_SetReference(scene, rvReference_GetMethods());
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

static bool run_random(const char* name, int number, int steps, rvGolden* golden)
{
    int count;
    const rvRandomFamily* families = rv_random_families(&count);
    for (int i = 0; i < count; ++i)
        if (strcmp(families[i].name, name) == 0) {
            rvRandomRun run = {.steps = steps, .watch = golden_note, .context = golden};
            return !isinf(families[i].run(&families[i], (uint64_t)number, run).growth.grown);
        }
    return false;
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
    int first, count, steps;
} Family;

// Of throws each family has its own first number, so that all of them differ.
static const Family FAMILIES[] = {
    {"machines", "machine", run_random, 1, 30, 3000},
    {"machines", "bridle", run_random, 1, 30, 3000},
    {"machines", "rerouting", run_random, 1, 30, 3000},
    {"machines", "hoist", run_random, 1, 30, 3000},
    {"machines", "heavy rope", run_random, 1, 30, 3000},
    {"threads", "grasp", run_random, 1, 25, 1500},
    {"threads", "draw", run_random, 1, 25, 1500},
    {"threads", "hit", run_random, 1, 25, 1500},
    {"threads", "loop", run_random, 1, 25, 1500},
    {"threads", "throw on pegs in a plane", run_random, 1, 4, 1500},
    {"threads", "throw on boxes in a plane", run_random, 5, 4, 1500},
    {"threads", "throw on hulls in a plane", run_random, 9, 4, 1500},
    {"threads", "throw on meshes in a plane", run_random, 13, 4, 1500},
    {"threads", "throw on bars in a plane", run_random, 17, 4, 1500},
    {"threads", "throw on rods in a plane", run_random, 21, 4, 1500},
    {"threads", "throw on leaning bars in a plane", run_random, 25, 4, 1500},
    {"threads", "throw on leaning rods in a plane", run_random, 29, 4, 1500},
    {"threads", "throw on pegs in space", run_random, 33, 4, 1500},
    {"threads", "throw on boxes in space", run_random, 37, 4, 1500},
    {"threads", "throw on hulls in space", run_random, 41, 4, 1500},
    {"threads", "throw on meshes in space", run_random, 45, 4, 1500},
    {"elements", "slack rope", run_random, 1, 12, 4000},
    {"elements", "hook on ancf", run_random, 1, 8, 4000},
    {"elements", "hook on ale", run_random, 1, 8, 4000},
    {"elements", "host", run_host, 1, 10, 3000},
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
        for (int k = family->first; k < family->first + family->count && count < capacity; ++k, ++count) {
            runs[count] =
                (rvGoldenRun){.run = family->run, .argument = family->name, .number = k, .steps = family->steps};
            snprintf(runs[count].name, sizeof runs[count].name, "%s %d", family->name, k);
        }
    }
    return count;
}
