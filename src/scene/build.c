// SPDX-License-Identifier: MIT
// From a scene to a world, and the scene's commands before each step.
#include "scene/channel.h"
#include "scene/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The world's words and those of a scene, where they differ.
static const char* const WORDS[][2] = {
    {"places[", "route["},
    {"axialStiffness:", "EA:"},
    {"torsionalStiffness:", "GJ:"},
    {"bendingStiffness:", "bending_stiffness:"},
    {"massPerLength:", "mass_per_length:"},
    {"fluidDensity:", "fluid_density:"},
};

static void translate(const char* text, char* out, size_t capacity)
{
    size_t n = 0;
    while (*text && n + 24 < capacity) {
        size_t k = 0, count = sizeof WORDS / sizeof WORDS[0];
        while (k < count && strncmp(text, WORDS[k][0], strlen(WORDS[k][0])) != 0)
            k += 1;
        n += (size_t)snprintf(out + n, capacity - n, k < count ? "%s" : "%.1s", k < count ? WORDS[k][1] : text);
        text += k < count ? strlen(WORDS[k][0]) : 1;
    }
    out[n] = '\0';
}

// Says what the world refused, where it stands in the scene.
static rvStatus refuse(rvWorld* world, rvStatus status, const char* list, const rvSceneHead* head, rvReport* report)
{
    char path[160], why[1024];
    snprintf(path, sizeof path, "%s.%.100s", list, head->name ? head->name : "");
    translate(rvWorld_GetError(world), why, sizeof why);
    rv_report(report, head->node->file, head->node->line, head->node->column, path, "%s", why);
    return status;
}

static rvStatus build_body(rvWorld* world, rvSceneBody* body, rvReport* report)
{
    rvBodyDef def = body->def;
    def.name = body->head.name;
    def.pose = rv_scene_pose_at(body, 0.0);
    rvStatus status = rvCreateBody(world, &def, &body->id);
    for (int i = 0; i < body->shapes.count && status == RV_OK; ++i) {
        rvShapeDef shape = rv_scene_shape(body, i)->def;
        rvShapeId id;
        char name[100];
        snprintf(name, sizeof name, i ? "%.60s.shapes[%d]" : "%.60s", body->head.name, i);
        shape.name = name;
        status = rvCreateShape(world, body->id, &shape, &id);
        if (status != RV_OK && rv_scene_shape(body, i)->head.node) {
            snprintf(name, sizeof name, "%.60s.shapes[%d]", body->head.name, i);
            rvSceneHead at = {.node = rv_scene_shape(body, i)->head.node, .name = name};
            return refuse(world, status, "bodies", &at, report);
        }
    }
    return status == RV_OK ? RV_OK : refuse(world, status, "bodies", &body->head, report);
}

static rvJointAxis build_axis(const rvSceneAxis* axis)
{
    rvJointAxis def = axis->def;
    def.limited = rv_object_has(&rvSlideKind, axis, "limits");
    def.lower = axis->limits.lower;
    def.upper = axis->limits.upper;
    if (rv_object_has(&rvSlideKind, axis, "position")) {
        def.motor = RV_MOTOR_POSITION;
        def.target = axis->position;
    } else if (rv_object_has(&rvSlideKind, axis, "speed")) {
        def.motor = RV_MOTOR_SPEED;
        def.target = axis->speed;
    }
    return def;
}

static rvBodyId id_of(const rvScene* scene, int body)
{
    return body < 0 ? RV_NULL_BODY : rv_scene_body(scene, body)->id;
}

static rvStatus build_joint(const rvScene* scene, rvWorld* world, rvSceneJoint* joint, rvReport* report)
{
    rvJointDef def = joint->def;
    rvBodyId a = id_of(scene, joint->bodyA), b = id_of(scene, joint->bodyB);
    const rvSceneAxis* axes[3] = {&joint->slide, &joint->turn, &joint->turn2};
    def.name = joint->head.name;
    for (int slot = 0; slot < 3; ++slot) {
        int axis = rv_joint_axis(def.type, slot);
        if (axis >= 0)
            def.axes[axis] = build_axis(axes[slot]);
    }
    rvStatus status = rvJointDef_Place(world, &def, a, b, joint->point, joint->axis);
    if (def.type == RV_JOINT_DISTANCE) // `point_b` was read into the frame, in the world
        def.frameB.p =
            joint->bodyB < 0 ? joint->def.frameB.p : rvPosePointBack(rvBody_GetPose(world, b), joint->def.frameB.p);
    if (status == RV_OK)
        status = rvCreateJoint(world, &def, &joint->id);
    return status == RV_OK ? RV_OK : refuse(world, status, "joints", &joint->head, report);
}

// The definition with the points of its profile, which are the caller's to free.
static bool add_profile(const rvSceneCable* cable, rvCableDef* def, rvCableProfile** points)
{
    int count = cable->profile.count;
    *points = count > 0 ? malloc((size_t)count * sizeof **points) : NULL;
    if (count > 0 && !*points)
        return false;
    for (int i = 0; i < count; ++i)
        (*points)[i] = ((const rvSceneProfile*)cable->profile.items)[i].def;
    def->profile = *points;
    def->profileCount = count;
    return true;
}

static rvStatus build_cable(const rvScene* scene, rvWorld* world, rvSceneCable* cable, rvReport* report)
{
    rvCableDef def = cable->def;
    rvCableProfile* profile;
    if (!add_profile(cable, &def, &profile))
        return RV_NO_MEMORY;
    rvPlaceDef* places = malloc((size_t)cable->route.count * sizeof *places);
    if (!places) {
        free(profile);
        return RV_NO_MEMORY;
    }
    for (int i = 0; i < cable->route.count; ++i) {
        const rvScenePlace* place = rv_scene_place(cable, i);
        places[i] = place->def;
        places[i].body = id_of(scene, place->bodyIndex);
        if (place->def.winch.control == RV_WINCH_DRUM)
            places[i].winch.speed = place->drumSpeed;
        places[i].winch.target =
            place->def.winch.control == RV_WINCH_TENSION ? place->targetTension : place->targetLength;
    }
    def.name = cable->head.name;
    def.places = places;
    def.placeCount = cable->route.count;
    rvStatus status = rvCreateCable(world, &def, &cable->id);
    free(places);
    free(profile);
    return status == RV_OK ? RV_OK : refuse(world, status, "cables", &cable->head, report);
}

static rvStatus build_all(rvScene* scene, rvWorld* world, rvReport* report)
{
    rvStatus status = RV_OK;
    for (int i = 0; i < scene->root.bodies.count && status == RV_OK; ++i)
        status = build_body(world, rv_scene_body(scene, i), report);
    for (int i = 0; i < scene->root.joints.count && status == RV_OK; ++i)
        status = build_joint(scene, world, rv_scene_joint(scene, i), report);
    for (int i = 0; i < scene->root.cables.count && status == RV_OK; ++i)
        status = build_cable(scene, world, rv_scene_cable(scene, i), report);
    return status;
}

rvStatus rvScene_CreateWorld(rvScene* scene, const rvWorldDef* hooks, rvWorld** world, char* error,
                             size_t errorCapacity)
{
    rvWorldDef def = scene->root.world.def;
    if (hooks) {
        def.alloc = hooks->alloc;
        def.free = hooks->free;
        def.log = hooks->log;
        def.context = hooks->context;
    }
    if (errorCapacity)
        error[0] = '\0';
    rvReport report = {.out = {error, errorCapacity, 0}};
    rvStatus status = rvCreateWorld(&def, world, error, errorCapacity);
    if (status != RV_OK)
        return status;
    status = build_all(scene, *world, &report);
    scene->settled = (rvSettleReport){0};
    if (status == RV_OK && scene->root.settle) {
        status = rvWorld_Settle(*world, &scene->root.settleDef, &scene->settled);
        const rvNode* node = rv_node_find(scene->tree, "settle");
        const char* why = rvWorld_GetError(*world); // "settle: ...", which the path says already
        if (status != RV_OK)
            rv_report(&report, node->file, node->line, node->column, "settle", "%s",
                      strncmp(why, "settle: ", 8) == 0 ? why + 8 : why);
    }
    if (status != RV_OK) {
        rvDestroyWorld(*world);
        *world = NULL;
    }
    return status;
}

// At the step that lies nearest: half a step early at most.
static rvStatus apply_event(const rvScene* scene, rvWorld* world, const rvSceneEvent* event, double time, double dt)
{
    rvCableId cable = rv_scene_cable(scene, event->cableIndex)->id;
    if (!(event->at < time + 0.5 * dt) || rvCable_IsBroken(world, cable))
        return RV_OK;
    if (*event->broken)
        return rvCable_Break(world, cable);
    if (event->at < time - 0.5 * dt)
        return RV_OK; // it was hooked or changed before
    if (*event->changed) {
        rvCableDef def = rv_scene_cable(scene, event->cableIndex)->def;
        rvCableProfile* profile;
        if (!add_profile(rv_scene_cable(scene, event->cableIndex), &def, &profile))
            return RV_NO_MEMORY;
        def.model = event->model;
        rvStatus status = rvCable_SetModel(world, cable, &def);
        free(profile);
        return status;
    }
    rvPlaceDef place = rvAttachPlace(id_of(scene, event->bodyIndex), event->point);
    return rvCable_SetPlace(world, cable, rvCable_GetPlaceCount(world, cable) - 1, &place);
}

rvStatus rvScene_Apply(const rvScene* scene, rvWorld* world, double time, double dt)
{
    const rvSceneChannel* commands = scene->root.commands.items;
    rvStatus status = RV_OK;
    for (int i = 0; i < scene->root.commands.count && status == RV_OK; ++i)
        status = commands[i].ref.channel->set(scene, world, &commands[i].ref, &commands[i].curve, time, dt);
    const rvSceneEvent* events = scene->root.events.items;
    for (int i = 0; i < scene->root.events.count && status == RV_OK; ++i)
        status = apply_event(scene, world, &events[i], time, dt);
    return status;
}
