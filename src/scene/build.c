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
    {"].type:", "]:"},
    {"].wheel.", "]."},
    {"].winch.width", "].drum_width"},
    {"].winch.", "]."},
    {"than minLength (", "than min_length ("},
    {"axialStiffness:", "EA:"},
    {"torsionalStiffness:", "GJ:"},
    {"bendingStiffness:", "bending_stiffness:"},
    {"massPerLength:", "mass_per_length:"},
    {"fluidDensity:", "fluid_density:"},
    {"waveDamping", "wave_damping"},
    {"pose.p:", "position:"},
    {"pointCount: is", "points: has"},
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

// "contactStiffness" is "contact_stiffness" in a scene.
static void to_scene_name(const char* name, size_t length, char* out, size_t capacity)
{
    size_t n = 0;
    for (size_t i = 0; i < length && n + 2 < capacity; ++i) {
        bool capital = name[i] >= 'A' && name[i] <= 'Z' && i > 0 && name[i - 1] >= 'a' && name[i - 1] <= 'z';
        if (capital)
            out[n++] = '_';
        out[n++] = (char)(capital ? name[i] - 'A' + 'a' : name[i]);
    }
    out[n] = '\0';
}

// Where a field stands ("length", "route[1].radius"), or the innermost of what holds it.
static const rvNode* find_field(const rvNode* node, const char* path)
{
    char key[64];
    while (*path) {
        size_t length = strcspn(path, ".[]");
        const rvNode* inner = NULL;
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        if (node->kind == RV_NODE_LIST) {
            inner = node->first;
            for (int i = atoi(key); i > 0 && inner; --i)
                inner = inner->next;
        } else if (length > 0) {
            inner = rv_node_find(node, key);
        }
        if (!inner)
            return node;
        node = inner;
        path += length;
        path += strspn(path, ".[]");
    }
    return node;
}

// Says what the world refused, where it stands in the scene: of "cable 'rope': massPerLength: is ..." the field.
static rvStatus refuse(rvWorld* world, rvStatus status, const char* list, const rvSceneHead* head, rvReport* report)
{
    char path[240], why[1024], field[100] = "";
    translate(rvWorld_GetError(world), why, sizeof why);
    const char *name = strstr(why, "': "), *text = name ? name + 3 : why;
    size_t length = name ? strcspn(text, ": ") : 0;
    if (length > 0 && text[length] == ':' && text[length + 1] == ' ') {
        to_scene_name(text, length, field, sizeof field);
        text += length + 2;
    }
    snprintf(path, sizeof path, "%s.%.100s%s%s", list, head->name ? head->name : "", *field ? "." : "", field);
    const rvNode* at = find_field(head->node, field);
    rv_report(report, at->file, at->line, at->column, path, "%s", *field ? text : why);
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

// Points along a cable and over heights, in the world's form.
typedef struct {
    rvCableProfile* profile;
    rvCableCurrent* current;
} Points;

static void free_points(Points* points)
{
    free(points->profile);
    free(points->current);
}

// The definition with its points, which are the caller's to free.
static bool add_points(const rvSceneCable* cable, rvCableDef* def, Points* points)
{
    int count = def->profileCount = cable->profile.count, flows = def->currentCount = cable->current.count;
    points->profile = count > 0 ? malloc((size_t)count * sizeof *points->profile) : NULL;
    points->current = flows > 0 ? malloc((size_t)flows * sizeof *points->current) : NULL;
    if ((count > 0 && !points->profile) || (flows > 0 && !points->current)) {
        free_points(points);
        return false;
    }
    for (int i = 0; i < count; ++i)
        points->profile[i] = ((const rvSceneProfile*)cable->profile.items)[i].def;
    for (int i = 0; i < flows; ++i)
        points->current[i] = ((const rvSceneCurrent*)cable->current.items)[i].def;
    def->profile = points->profile;
    def->current = points->current;
    return true;
}

static rvStatus build_cable(const rvScene* scene, rvWorld* world, rvSceneCable* cable, rvReport* report)
{
    rvCableDef def = cable->def;
    Points points;
    if (!add_points(cable, &def, &points))
        return RV_NO_MEMORY;
    rvPlaceDef* places = malloc((size_t)cable->route.count * sizeof *places);
    if (!places) {
        free_points(&points);
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
    free_points(&points);
    return status == RV_OK ? RV_OK : refuse(world, status, "cables", &cable->head, report);
}

// Lengths along cables that outputs name.
static rvStatus check_reach(const rvScene* scene, const rvWorld* world, rvReport* report)
{
    char why[200], path[40];
    for (int i = 0; i < scene->root.outputs.count; ++i) {
        const rvSceneChannel* output = (const rvSceneChannel*)scene->root.outputs.items + i;
        if (rv_channel_reaches(scene, world, &output->ref, why, sizeof why))
            continue;
        const rvNode* node = output->head.node;
        snprintf(path, sizeof path, "outputs[%d]", i);
        rv_report(report, node->file, node->line, node->column, path, "is \"%.60s\": %s", output->head.name, why);
        return RV_BAD_INPUT;
    }
    return RV_OK;
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
    return status == RV_OK ? check_reach(scene, world, report) : status;
}

rvStatus rvScene_CreateWorld(rvScene* scene, const rvWorldDef* hooks, rvWorld** world, char* error,
                             size_t errorCapacity)
{
    rvWorldDef def = scene->root.world.def;
    def.reference = scene->reference;
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
    if (status == RV_NO_MEMORY && report.out.length == 0)
        rv_report_memory(&report);
    if (status != RV_OK) {
        rvDestroyWorld(*world);
        *world = NULL;
    }
    return status;
}

static rvStatus do_event(const rvScene* scene, rvWorld* world, const rvSceneEvent* event)
{
    rvCableId cable = rv_scene_cable(scene, event->cableIndex)->id;
    if (*event->broken)
        return rvCable_Break(world, cable);
    if (*event->changed) {
        rvCableDef def = rv_scene_cable(scene, event->cableIndex)->def;
        Points points;
        if (!add_points(rv_scene_cable(scene, event->cableIndex), &def, &points))
            return RV_NO_MEMORY;
        def.model = event->model;
        rvStatus status = rvCable_SetModel(world, cable, &def);
        free_points(&points);
        return status;
    }
    rvBodyId body = id_of(scene, event->bodyIndex);
    if (*event->grasped)
        return rvCable_Grasp(world, cable, event->along, body, false, NULL);
    if (*event->freed)
        return rvCable_LetGoOf(world, cable, body);
    rvPlaceDef place = rvAttachPlace(body, event->point);
    return rvCable_SetPlace(world, cable, rvCable_GetPlaceCount(world, cable) - 1, &place);
}

// At the step that lies nearest: half a step early at most.
static rvStatus apply_event(const rvScene* scene, rvWorld* world, const rvSceneEvent* event, double time, double dt)
{
    if (!(event->at < time + 0.5 * dt) || rvCable_IsBroken(world, rv_scene_cable(scene, event->cableIndex)->id))
        return RV_OK;
    if (!*event->broken && event->at < time - 0.5 * dt)
        return RV_OK; // it was hooked or changed before
    rvStatus status = do_event(scene, world, event);
    return status == RV_MISSED ? RV_OK : status; // an event of the world tells it, the run goes on
}

// Is the refusal one of where bodies are? By the time of the event they may be elsewhere.
static bool is_of_position(const rvScene* scene, const rvSceneEvent* event, const char* why)
{
    static const char* const fields[] = {"].point:", "].direction:", "': length:"};
    const rvSceneCable* cable = rv_scene_cable(scene, event->cableIndex);
    int beside = cable->route.count - 2;
    bool together = *event->hooked && beside >= 0 && rv_scene_place(cable, beside)->bodyIndex == event->bodyIndex;
    if (together && strstr(why, fields[0])) // both ends of the span move as one
        return false;
    bool moves = event->bodyIndex >= 0, position = false;
    for (int i = 0; i < cable->route.count; ++i) {
        int body = rv_scene_place(cable, i)->bodyIndex;
        moves = moves || (body >= 0 && rv_scene_body(scene, body)->def.type != RV_BODY_STATIC);
    }
    for (int i = 0; i < 3; ++i)
        position = position || strstr(why, fields[i]);
    return moves && position;
}

// The first event, by time and then as written, that was not tried yet; -1: none.
static int next_event(const rvSceneList* events, int last)
{
    const rvSceneEvent* items = events->items;
    int next = -1;
    for (int i = 0; i < events->count; ++i) {
        bool after = last < 0 || items[i].at > items[last].at || (items[i].at == items[last].at && i > last);
        if (after && (next < 0 || items[i].at < items[next].at))
            next = i;
    }
    return next;
}

// Says what the world refused of an event; where a hand takes hold stands in `along`.
static void refuse_event(const rvWorld* world, const rvSceneEvent* event, int i, rvReport* report)
{
    const char* what = *event->changed ? "change" : *event->grasped ? "grasp" : *event->freed ? "let_go" : "hook";
    char path[40], why[1024];
    translate(rvWorld_GetError(world), why, sizeof why);
    const char *text = strstr(why, "cable '"), *at = strstr(why, "': at: "); // not the name of the call
    const rvNode* node = event->head.node;
    if (*event->grasped && at) {
        what = "along";
        text = at + strlen("': at: ");
        node = find_field(node, what);
    }
    snprintf(path, sizeof path, "events[%d].%s", i, what);
    rv_report(report, node->file, node->line, node->column, path, "%s", text ? text : why);
}

// Is there an event of the same cable before this one of which only the run can tell?
static bool is_open(const rvSceneEvent* events, const bool* open, int count, int i)
{
    for (int k = 0; k < count; ++k)
        if (open[k] && events[k].cableIndex == events[i].cableIndex)
            return true;
    return false;
}

static rvStatus try_events(const rvScene* scene, rvWorld* world, rvReport* report)
{
    const rvSceneEvent* events = scene->root.events.items;
    rvStatus result = RV_OK;
    int count = scene->root.events.count;
    bool* open = calloc((size_t)count, sizeof *open);
    if (!open)
        return RV_NO_MEMORY;
    for (int i = next_event(&scene->root.events, -1); i >= 0; i = next_event(&scene->root.events, i)) {
        const rvSceneEvent* event = &events[i];
        if (rvCable_IsBroken(world, rv_scene_cable(scene, event->cableIndex)->id))
            continue;
        rvStatus status = do_event(scene, world, event);
        open[i] = status != RV_OK && is_of_position(scene, event, rvWorld_GetError(world));
        if (status == RV_OK || open[i] || (*event->freed && is_open(events, open, count, i)))
            continue;
        result = status;
        refuse_event(world, event, i, report);
    }
    free(open);
    return result;
}

rvStatus rvScene_TryEvents(rvScene* scene, char* error, size_t errorCapacity)
{
    if (errorCapacity)
        error[0] = '\0';
    if (scene->root.events.count == 0)
        return RV_OK;
    rvReport report = {.out = {error, errorCapacity, 0}};
    rvWorld* world;
    rvWorldDef def = scene->root.world.def;
    def.reference = scene->reference;
    rvStatus status = rvCreateWorld(&def, &world, error, errorCapacity);
    if (status != RV_OK)
        return status;
    status = build_all(scene, world, &report);
    if (status == RV_OK)
        status = try_events(scene, world, &report);
    if (status == RV_NO_MEMORY && report.out.length == 0)
        rv_report_memory(&report);
    rvDestroyWorld(world);
    return status;
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
