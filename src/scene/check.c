// SPDX-License-Identifier: MIT
// What the table of fields cannot say: names are unique, references lead somewhere, routes have a length, meshes are
// whole, channels exist. Also fills what depends on several fields: the ground, masses, columns.
#include "scene/channel.h"
#include "scene/mass.h"
#include "scene/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 100000, NAME_MAX_LENGTH = 60 };

// ---- names

static int compare_names(const void* a, const void* b)
{
    const rvNamed *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : x->kind != y->kind ? (int)x->kind - (int)y->kind : x->index - y->index;
}

const rvNamed* rv_name_find(const rvNameIndex* index, const char* name)
{
    int low = 0, high = index->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(index->items[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < index->count && strcmp(index->items[low].name, name) == 0 ? &index->items[low] : NULL;
}

const char* rv_name_suggest(const rvNameIndex* index, const char* name, int kind)
{
    const char* best = NULL;
    for (int i = 0; i < index->count; ++i) {
        const char* pair[] = {index->items[i].name, best, NULL};
        const char* nearer = kind < 0 || (int)index->items[i].kind == kind ? rv_suggest(name, pair) : NULL;
        best = nearer ? nearer : best;
    }
    return best;
}

static bool is_name(const char* name)
{
    static const char reserved[][8] = {"world", "energy", "solver", "time"};
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; ++i)
        if (strcmp(name, reserved[i]) == 0)
            return false;
    size_t length = strlen(name);
    return length > 0 && length <= NAME_MAX_LENGTH && strcspn(name, " .,:;[]{}\"'\\\t\n\r#&*!|>%@`=") == length;
}

static void add_names(rvReader* reader, rvNamedKind kind, const rvSceneList* list, size_t size, const char* path)
{
    rvNameIndex* names = &reader->scene->names;
    for (int i = 0; i < list->count; ++i) {
        const rvSceneHead* head = (const rvSceneHead*)((const char*)list->items + (size_t)i * size);
        size_t outer = rv_reader_enter(reader, ".%s.%.60s", path, head->name);
        if (!is_name(head->name))
            rv_reader_mistake(reader, head->node,
                              "is no good name: expected letters, digits, _ or -, and not world, energy, solver, time");
        rv_reader_leave(reader, outer);
        rvNamed named = {head->name, kind, i, head->node};
        names->items[names->count++] = named;
    }
}

static void collect_names(rvReader* reader)
{
    rvScene* scene = reader->scene;
    rvSceneRoot* root = &scene->root;
    rvNameIndex* names = &scene->names;
    size_t count = (size_t)root->bodies.count + (size_t)root->joints.count + (size_t)root->cables.count;
    names->count = 0;
    names->items = rv_arena_take_array(&scene->arena, count, sizeof *names->items);
    if (!names->items)
        return;
    add_names(reader, RV_NAMED_BODY, &root->bodies, sizeof(rvSceneBody), "bodies");
    add_names(reader, RV_NAMED_JOINT, &root->joints, sizeof(rvSceneJoint), "joints");
    add_names(reader, RV_NAMED_CABLE, &root->cables, sizeof(rvSceneCable), "cables");
    qsort(names->items, (size_t)names->count, sizeof *names->items, compare_names);
    for (int i = 1; i < names->count; ++i)
        if (strcmp(names->items[i - 1].name, names->items[i].name) == 0)
            rv_reader_mistake(reader, names->items[i].node,
                              "the name \"%.60s\" is used twice; bodies, joints and cables share their names",
                              names->items[i].name);
}

// Index of a body or cable by name; -1 for the world, -2 after a mistake.
static int resolve(rvReader* reader, const rvSceneHead* head, const char* field, const char* name, rvNamedKind kind)
{
    if (kind == RV_NAMED_BODY && strcmp(name, "world") == 0)
        return -1;
    const rvNamed* named = rv_name_find(&reader->scene->names, name);
    if (named && named->kind == kind)
        return named->index;
    const rvNode* node = rv_node_find(head->node, field);
    size_t outer = rv_reader_enter(reader, ".%s", field);
    const char* nearest = rv_name_suggest(&reader->scene->names, name, (int)kind);
    rv_reader_mistake(reader, node ? node : head->node, "there is no %s \"%.60s\"%s%.60s%s",
                      kind == RV_NAMED_BODY ? "body" : "cable", name, nearest ? ", did you mean \"" : "",
                      nearest ? nearest : "", nearest ? "\"?" : "");
    rv_reader_leave(reader, outer);
    return -2;
}

// ---- bodies

static void add_ground(rvReader* reader)
{
    rvScene* scene = reader->scene;
    rvSceneList* bodies = &scene->root.bodies;
    if (!rv_object_has(&rvSceneKind, &scene->root, "ground"))
        return;
    if (!bodies->items)
        bodies->items = rv_arena_take(&scene->arena, sizeof(rvSceneBody));
    rvSceneShape* shape = rv_arena_take(&scene->arena, sizeof *shape);
    if (!bodies->items || !shape)
        return;
    shape->def = rvDefaultShapeDef(RV_SHAPE_PLANE);
    rvSceneBody* ground = rv_scene_body(scene, bodies->count++);
    memset(ground, 0, sizeof *ground);
    ground->head.name = "ground";
    ground->head.node = rv_node_find(scene->tree, "ground");
    ground->def = rvDefaultBodyDef();
    ground->def.type = RV_BODY_STATIC;
    ground->def.pose.p.z = scene->root.ground;
    ground->shapes.items = shape;
    ground->shapes.count = 1;
}

static void check_mesh(rvReader* reader, rvSceneShape* shape)
{
    const rvNode* node = shape->head.node;
    bool points = rv_object_has(&rvShapeKind, shape, "points"),
         triangles = rv_object_has(&rvShapeKind, shape, "triangles");
    if (shape->file) {
        if (points || triangles)
            rv_reader_mistake(reader, node, "has a file and points of its own, expected one of them");
        else {
            size_t outer = rv_reader_enter(reader, ".file");
            rv_read_obj(reader, rv_node_find(node, "file"), shape);
            rv_reader_leave(reader, outer);
        }
        return;
    }
    if (!points || !triangles) {
        rv_reader_mistake(reader, node, "a mesh needs `points` and `triangles`, or a `file`");
        return;
    }
    for (int i = 0; i < 3 * shape->def.triangleCount; ++i) {
        if (shape->def.triangles[i] >= shape->def.pointCount) {
            rv_reader_mistake(reader, node, "triangle %d names point %d, there are %d", i / 3, shape->def.triangles[i],
                              shape->def.pointCount);
            return;
        }
    }
}

static void check_bodies(rvReader* reader)
{
    rvScene* scene = reader->scene;
    for (int i = 0; i < scene->root.bodies.count; ++i) {
        rvSceneBody* body = rv_scene_body(scene, i);
        for (int k = 0; k < body->shapes.count; ++k) {
            rvSceneShape* shape = rv_scene_shape(body, k);
            size_t outer = rv_reader_enter(reader, ".bodies.%.60s.shapes[%d]", body->head.name, k);
            if (shape->def.type == RV_SHAPE_MESH)
                check_mesh(reader, shape);
            rv_reader_leave(reader, outer);
        }
        if (body->def.type == RV_BODY_PROXY && !rv_object_has(&rvBodyKind, body, "mass"))
            body->def.mass = 0.0;
        if (body->def.type == RV_BODY_DYNAMIC || body->def.mass > 0.0)
            rv_scene_mass(body, rv_object_has(&rvBodyKind, body, "center_of_mass"),
                          rv_object_has(&rvBodyKind, body, "inertia"));
    }
}

// ---- joints and events

static void check_joints(rvReader* reader)
{
    rvScene* scene = reader->scene;
    for (int i = 0; i < scene->root.joints.count; ++i) {
        rvSceneJoint* joint = rv_scene_joint(scene, i);
        size_t outer = rv_reader_enter(reader, ".joints.%.60s", joint->head.name);
        joint->bodyA = resolve(reader, &joint->head, "a", joint->a, RV_NAMED_BODY);
        joint->bodyB = resolve(reader, &joint->head, "b", joint->b, RV_NAMED_BODY);
        if (joint->bodyA == joint->bodyB && joint->bodyA > -2 && !joint->head.unread)
            rv_reader_mistake(reader, joint->head.node, "holds \"%.60s\" to itself, expected two bodies in `a` and `b`",
                              joint->a);
        rv_reader_leave(reader, outer);
    }
}

static void check_events(rvReader* reader)
{
    const rvSceneList* events = &reader->scene->root.events;
    for (int i = 0; i < events->count; ++i) {
        rvSceneEvent* event = (rvSceneEvent*)events->items + i;
        size_t outer = rv_reader_enter(reader, ".events[%d]", i);
        const char* const names[] = {event->broken, event->hooked, event->changed, event->grasped, event->freed};
        static const char* const fields[] = {"break", "hook", "change", "grasp", "let_go"};
        int given = 0, which = 0;
        for (int k = 0; k < 5; ++k)
            if (*names[k]) {
                given += 1;
                which = k;
            }
        if (given != 1)
            rv_reader_mistake(reader, event->head.node,
                              "expected one of `break`, `hook`, `change`, `grasp` and `let_go`");
        else
            event->cableIndex = resolve(reader, &event->head, fields[which], names[which], RV_NAMED_CABLE);
        event->bodyIndex = resolve(reader, &event->head, "to", event->to, RV_NAMED_BODY);
        rv_reader_leave(reader, outer);
    }
}

// ---- cables

static rvVec3 place_point(const rvScene* scene, const rvScenePlace* place)
{
    if (place->bodyIndex < 0)
        return place->def.point;
    return rvPosePoint(rv_scene_pose_at(rv_scene_body(scene, place->bodyIndex), 0.0), place->def.point);
}

// Whether a place may stand where it does.
static void check_place(rvReader* reader, const rvSceneCable* cable, int i)
{
    const rvScene* scene = reader->scene;
    rvScenePlace* place = rv_scene_place(cable, i);
    const char* field = rvPlaceKind.fields[0].choices[place->def.type].name; // its key
    bool inner = i > 0 && i < cable->route.count - 1;
    size_t outer = rv_reader_enter(reader, ".route[%d]", i);
    place->bodyIndex = resolve(reader, &place->head, field, place->body, RV_NAMED_BODY);
    // elements may be attached between their ends, too
    bool elements = cable->def.model != RV_CABLE_MASSLESS && cable->def.model != RV_CABLE_LAYERED;
    bool held = inner && elements && place->def.type == RV_PLACE_ATTACH;
    if (!held && inner != (place->def.type == RV_PLACE_EYE || place->def.type == RV_PLACE_SHEAVE))
        rv_reader_mistake(reader, place->head.node,
                          inner ? "the places between the ends are eyes and sheaves, not %s"
                                : "an end is attach, winch or free, not %s",
                          field);
    if (place->def.wheel.driveTorque > 0.0 && !(place->def.wheel.inertia > 0.0 && !place->def.wheel.locked))
        rv_reader_mistake(reader, place->head.node,
                          "has a motor (drive_torque), which needs a wheel that turns and has `inertia`");
    if (place->def.winch.control == RV_WINCH_TENSION && !(place->targetTension > 0.0))
        rv_reader_mistake(reader, place->head.node, "is controlled by tension, which needs `target_tension` > 0");
    if (place->def.type == RV_PLACE_FREE && place->bodyIndex >= 0)
        rv_reader_mistake(reader, place->head.node, "a loose end is held by no body, expected `free: world`");
    if (i > 0 && reader->report->count == 0) {
        rvVec3 here = place_point(scene, place), before = place_point(scene, place - 1);
        if (!(rvDistance(here, before) > 1e-9))
            rv_reader_mistake(reader, place->head.node,
                              "lies at the same point as route[%d]: the span between has no length", i - 1);
    }
    rv_reader_leave(reader, outer);
}

static void check_cables(rvReader* reader)
{
    const rvScene* scene = reader->scene;
    for (int i = 0; i < scene->root.cables.count; ++i) {
        const rvSceneCable* cable = rv_scene_cable(scene, i);
        size_t outer = rv_reader_enter(reader, ".cables.%.60s", cable->head.name);
        if (cable->route.count < 2 && rv_node_find(cable->head.node, "route"))
            rv_reader_mistake(reader, cable->head.node, "its route needs at least 2 places, has %d",
                              cable->route.count);
        for (int k = 0; k < cable->route.count && cable->route.count > 1; ++k)
            if (rv_scene_place(cable, k)->head.given & 1)
                check_place(reader, cable, k);
        rv_reader_leave(reader, outer);
    }
}

// ---- channels

static void check_commands(rvReader* reader)
{
    rvScene* scene = reader->scene;
    for (int i = 0; i < scene->root.commands.count; ++i) {
        rvSceneChannel* command = (rvSceneChannel*)scene->root.commands.items + i;
        const rvNode* node = command->head.node;
        char why[300];
        size_t outer = rv_reader_enter(reader, ".commands.%.80s", command->head.name);
        if (!rv_channel_find(scene, command->head.name, true, &command->ref, why, sizeof why)) {
            rvNode key = *node;
            key.line = node->keyLine;
            key.column = node->keyColumn;
            rv_reader_mistake(reader, &key, "%s", why);
        } else if (rv_read_curve(reader, node, command->ref.channel->unit, command->ref.channel->width,
                                 &command->curve) &&
                   command->ref.channel->kind == RV_NAMED_BODY) {
            rvSceneBody* body = rv_scene_body(scene, command->ref.object);
            if (strcmp(command->ref.channel->name, "position") == 0)
                body->positionCurve = &command->curve;
            if (strcmp(command->ref.channel->name, "orientation") == 0)
                body->orientationCurve = &command->curve;
        }
        rv_reader_leave(reader, outer);
    }
}

static void add_columns(rvScene* scene, const char* name, rvChannelRef ref)
{
    int count = rv_channel_columns(&ref);
    for (int i = 0; i < count; ++i) {
        rvColumn* column = scene->columns ? &scene->columns[scene->columnCount] : NULL;
        scene->columnCount++;
        if (!column)
            continue;
        column->ref = ref;
        if (count > 1)
            column->ref.component = i;
        snprintf(column->name, sizeof column->name, count > 1 ? "%s.%s" : "%s", name,
                 rv_channel_component(ref.channel, i));
    }
}

static void add_default(rvScene* scene, const char* object, const char* quantity)
{
    char name[160], why[300];
    rvChannelRef ref;
    snprintf(name, sizeof name, "%s.%s", object, quantity);
    if (rv_channel_find(scene, name, false, &ref, why, sizeof why))
        add_columns(scene, name, ref);
}

// Counts the columns (while there is no room for them) or fills them.
static void collect_columns(rvScene* scene)
{
    const rvSceneRoot* root = &scene->root;
    scene->columnCount = 0;
    const rvSceneChannel* outputs = root->outputs.items;
    for (int i = 0; i < root->outputs.count; ++i)
        if (outputs[i].ref.channel)
            add_columns(scene, outputs[i].head.name, outputs[i].ref);
    if (rv_object_has(&rvSceneKind, root, "outputs"))
        return;
    for (int i = 0; i < root->bodies.count; ++i)
        if (rv_scene_body(scene, i)->def.type != RV_BODY_STATIC)
            add_default(scene, rv_scene_body(scene, i)->head.name, "position");
    for (int i = 0; i < root->joints.count; ++i) {
        static const char* const values[] = {"position", "angle", "angle2"};
        for (int k = 0; k < 3; ++k)
            add_default(scene, rv_scene_joint(scene, i)->head.name, values[k]);
    }
    for (int i = 0; i < root->cables.count; ++i) {
        add_default(scene, rv_scene_cable(scene, i)->head.name, "tension");
        add_default(scene, rv_scene_cable(scene, i)->head.name, "rest_length");
    }
    static const char* const energies[] = {"kinetic", "potential", "elastic", "work"};
    for (int i = 0; i < 4; ++i)
        add_default(scene, "energy", energies[i]);
}

static void check_outputs(rvReader* reader)
{
    rvScene* scene = reader->scene;
    for (int i = 0; i < scene->root.outputs.count; ++i) {
        rvSceneChannel* output = (rvSceneChannel*)scene->root.outputs.items + i;
        char why[300];
        size_t outer = rv_reader_enter(reader, ".outputs[%d]", i);
        if (!rv_channel_find(scene, output->head.name, false, &output->ref, why, sizeof why)) {
            output->ref.channel = NULL;
            rv_reader_mistake(reader, output->head.node, "is \"%.60s\": %s", output->head.name, why);
        }
        rv_reader_leave(reader, outer);
    }
    if (reader->report->count > 0)
        return;
    scene->columns = NULL;
    collect_columns(scene);
    if (scene->columnCount > COLUMNS_MAX) {
        rv_reader_mistake(reader, scene->tree,
                          "asks for %d columns of results, the limit is %d; choose some by `outputs`",
                          scene->columnCount, COLUMNS_MAX);
        scene->columnCount = 0;
        return;
    }
    scene->columns = rv_arena_take_array(&scene->arena, (size_t)scene->columnCount, sizeof *scene->columns);
    if (scene->columns)
        collect_columns(scene);
    else
        scene->columnCount = 0;
}

void rv_scene_check(rvReader* reader)
{
    add_ground(reader);
    collect_names(reader);
    if (reader->scene->arena.failed)
        return;
    check_bodies(reader);
    check_joints(reader);
    check_commands(reader);
    check_cables(reader);
    check_events(reader);
    check_outputs(reader);
}
