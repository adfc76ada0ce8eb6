// SPDX-License-Identifier: MIT
// Scenes: loading, changing, reading out.
#include "scene/channel.h"
#include "scene/file.h"
#include "scene/read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rvSceneLimits rvDefaultSceneLimits(void)
{
    rvSceneLimits limits = {.maxBytes = 64000000, .maxNodes = 2000000, .maxDepth = 16};
    return limits;
}

// Fills root, names and columns from the tree.
static rvStatus interpret(rvScene* scene, rvReport* report)
{
    rvReader reader = {.scene = scene, .report = report};
    rv_read_object(&reader, &rvSceneKind, scene->tree, &scene->root);
    if (!scene->arena.failed)
        rv_scene_check(&reader);
    if (scene->arena.failed)
        return RV_NO_MEMORY;
    return report->count > 0 ? RV_BAD_INPUT : RV_OK;
}

static rvStatus load(const char* text, size_t size, const char* name, const rvSceneLimits* limits, rvScene* scene,
                     rvReport* report)
{
    scene->limits = limits ? *limits : rvDefaultSceneLimits();
    scene->file = rv_arena_copy(&scene->arena, name, strlen(name));
    scene->tree = rv_tree_read(&scene->arena, text, size, scene->file, &scene->limits, report);
    if (!scene->tree)
        return scene->arena.failed ? RV_NO_MEMORY : RV_BAD_INPUT;
    return interpret(scene, report);
}

rvStatus rvScene_LoadText(const char* text, size_t size, const char* name, const rvSceneLimits* limits, rvScene** scene,
                          char* error, size_t errorCapacity)
{
    *scene = NULL;
    if (errorCapacity)
        error[0] = '\0';
    rvReport report = {.out = {error, errorCapacity, 0}};
    rvScene* made = calloc(1, sizeof *made);
    rvLocale locale = rv_locale_enter();
    rvStatus status = made ? load(text, size, name ? name : "scene", limits, made, &report) : RV_NO_MEMORY;
    rv_locale_leave(locale);
    if (status == RV_NO_MEMORY)
        rv_report_memory(&report);
    if (status == RV_OK)
        *scene = made;
    else
        rvScene_Destroy(made);
    return status;
}

rvStatus rvScene_LoadFile(const char* path, const rvSceneLimits* limits, rvScene** scene, char* error,
                          size_t errorCapacity)
{
    *scene = NULL;
    char why[200];
    size_t size;
    rvSceneLimits allowed = limits ? *limits : rvDefaultSceneLimits();
    char* text = rv_file_read(path, true, allowed.maxBytes, &size, why, sizeof why);
    if (!text) {
        rvText out = {error, errorCapacity, 0};
        bool large = strncmp(why, "is too large", 12) == 0;
        bool noMemory = errno == ENOMEM;
        rv_text_add(&out, large ? "%s:1:1: %s" : "%s: %s", path, why);
        return large ? RV_BAD_INPUT : noMemory ? RV_NO_MEMORY : RV_IO;
    }
    rvStatus status = rvScene_LoadText(text, size, path, &allowed, scene, error, errorCapacity);
    free(text);
    return status;
}

void rvScene_SetReference(rvScene* scene, const rvReference* reference)
{
    scene->reference = reference;
}

void rvScene_Destroy(rvScene* scene)
{
    if (!scene)
        return;
    rv_arena_clear(&scene->arena);
    free(scene);
}

// Fields that are absent are added, but a path goes only through bodies, joints and cables that there are: else a slip
// of the pen would be one more of them.
static bool leads_somewhere(const rvScene* scene, const char* path, const char* file, rvReport* report)
{
    static const char* const lists[] = {"bodies", "joints", "cables"};
    enum { NAMES_MAX = 256 };
    for (int i = 0; i < 3; ++i) {
        size_t start = strlen(lists[i]) + 1, length;
        if (strncmp(path, lists[i], start - 1) != 0 || path[start - 1] != '.')
            continue;
        length = strcspn(path + start, ".[");
        const rvNode* list = rv_node_find(scene->tree, lists[i]);
        const char* names[NAMES_MAX + 1] = {0};
        int count = 0;
        bool known = !path[start + length]; // the whole of it
        for (const rvNode* item = list && list->kind == RV_NODE_MAP ? list->first : NULL; item; item = item->next) {
            known = known || (strlen(item->key) == length && memcmp(item->key, path + start, length) == 0);
            if (count < NAMES_MAX)
                names[count++] = item->key;
        }
        char name[100];
        snprintf(name, sizeof name, "%.*s", (int)length, path + start);
        const char* nearest = known ? NULL : rv_suggest(name, names);
        char there[200] = "";
        rvText out = {there, sizeof there, 0};
        if (nearest)
            rv_text_add(&out, ", did you mean \"%s\"?", nearest);
        for (int k = 0; k < count && !known && !nearest; ++k)
            rv_text_add(&out, "%s%.60s", k ? ", " : ", expected one of ", names[k]);
        if (!known)
            rv_report(report, file, 1, 1, "", "there is nothing at \"%.*s\"%s", (int)(start + length), path, there);
        return known;
    }
    return true;
}

// Puts a value into the tree; what it means is found out by interpret.
static rvStatus put_value(rvScene* scene, const char* assignment, rvReport* report)
{
    const char* equals = strchr(assignment, '=');
    const char* file = rv_arena_copy(&scene->arena, assignment, strlen(assignment));
    if (!equals || equals == assignment) {
        rv_report(report, file, 1, 1, "", "expected path=value, such as bodies.load.mass=2");
        return RV_BAD_INPUT;
    }
    if (!equals[1 + strspn(equals + 1, " ")]) {
        rv_report(report, file, 1, (int)(equals + 2 - assignment), "", "there is no value after the =");
        return RV_BAD_INPUT;
    }
    rvNode* value = rv_tree_read(&scene->arena, equals + 1, strlen(equals + 1), file, &scene->limits, report);
    if (!value)
        return scene->arena.failed ? RV_NO_MEMORY : RV_BAD_INPUT;
    value->column += (int)(equals + 1 - assignment);
    const char* path = rv_arena_copy(&scene->arena, assignment, (size_t)(equals - assignment));
    if (!path || !leads_somewhere(scene, path, file, report))
        return path ? RV_BAD_INPUT : RV_NO_MEMORY;
    scene->tree = rv_tree_set(&scene->arena, scene->tree, path, value, report);
    return scene->tree ? RV_OK : scene->arena.failed ? RV_NO_MEMORY : RV_BAD_INPUT;
}

static rvStatus set_values(rvScene* scene, const char* const* assignments, int count, rvReport* report)
{
    rvScene before = *scene;
    rvStatus status = RV_OK;
    for (int i = 0; i < count && status == RV_OK; ++i)
        status = put_value(scene, assignments[i], report);
    if (status == RV_OK)
        status = interpret(scene, report);
    if (status == RV_OK)
        return RV_OK;
    rvArena arena = scene->arena;
    *scene = before;
    scene->arena = arena;
    scene->arena.failed = false;
    return arena.failed ? RV_NO_MEMORY : status;
}

rvStatus rvScene_SetAll(rvScene* scene, const char* const* assignments, int count, char* error, size_t errorCapacity)
{
    if (errorCapacity)
        error[0] = '\0';
    rvReport report = {.out = {error, errorCapacity, 0}};
    rvLocale locale = rv_locale_enter();
    rvStatus status = set_values(scene, assignments, count, &report);
    rv_locale_leave(locale);
    if (status == RV_NO_MEMORY)
        rv_report_memory(&report);
    return status;
}

rvStatus rvScene_Set(rvScene* scene, const char* assignment, char* error, size_t errorCapacity)
{
    return rvScene_SetAll(scene, &assignment, 1, error, errorCapacity);
}

// ---- reading out

const char* rvScene_GetTitle(const rvScene* scene)
{
    return scene->root.title;
}

double rvScene_GetStep(const rvScene* scene)
{
    return scene->root.step;
}

double rvScene_GetUntil(const rvScene* scene)
{
    return scene->root.until;
}

double rvScene_GetEvery(const rvScene* scene)
{
    return scene->root.every;
}

int rvScene_GetBodyCount(const rvScene* scene)
{
    return scene->root.bodies.count;
}

int rvScene_GetJointCount(const rvScene* scene)
{
    return scene->root.joints.count;
}

int rvScene_GetCableCount(const rvScene* scene)
{
    return scene->root.cables.count;
}

int rvScene_GetCommandCount(const rvScene* scene)
{
    return scene->root.commands.count;
}

bool rvScene_GetSettled(const rvScene* scene, rvSettleReport* report)
{
    if (report)
        *report = scene->settled;
    return scene->root.settle;
}

static bool in(const rvSceneList* list, int index)
{
    return index >= 0 && index < list->count;
}

const char* rvScene_GetBodyName(const rvScene* scene, int index)
{
    return in(&scene->root.bodies, index) ? rv_scene_body(scene, index)->head.name : "";
}

const char* rvScene_GetJointName(const rvScene* scene, int index)
{
    return in(&scene->root.joints, index) ? rv_scene_joint(scene, index)->head.name : "";
}

const char* rvScene_GetCableName(const rvScene* scene, int index)
{
    return in(&scene->root.cables, index) ? rv_scene_cable(scene, index)->head.name : "";
}

rvBodyId rvScene_GetBody(const rvScene* scene, int index)
{
    return in(&scene->root.bodies, index) ? rv_scene_body(scene, index)->id : RV_NULL_BODY;
}

rvJointId rvScene_GetJoint(const rvScene* scene, int index)
{
    return in(&scene->root.joints, index) ? rv_scene_joint(scene, index)->id : RV_NULL_JOINT;
}

rvCableId rvScene_GetCable(const rvScene* scene, int index)
{
    return in(&scene->root.cables, index) ? rv_scene_cable(scene, index)->id : RV_NULL_CABLE;
}

static int find(const rvScene* scene, const char* name, rvNamedKind kind)
{
    const rvNamed* named = rv_name_find(&scene->names, name);
    return named && named->kind == kind ? named->index : -1;
}

rvBodyId rvScene_FindBody(const rvScene* scene, const char* name)
{
    return rvScene_GetBody(scene, find(scene, name, RV_NAMED_BODY));
}

rvJointId rvScene_FindJoint(const rvScene* scene, const char* name)
{
    return rvScene_GetJoint(scene, find(scene, name, RV_NAMED_JOINT));
}

rvCableId rvScene_FindCable(const rvScene* scene, const char* name)
{
    return rvScene_GetCable(scene, find(scene, name, RV_NAMED_CABLE));
}

int rvScene_GetShapeCount(const rvScene* scene, int body)
{
    return in(&scene->root.bodies, body) ? rv_scene_body(scene, body)->shapes.count : 0;
}

const rvShapeDef* rvScene_GetShape(const rvScene* scene, int body, int shape)
{
    if (shape < 0 || shape >= rvScene_GetShapeCount(scene, body))
        return NULL;
    return &rv_scene_shape(rv_scene_body(scene, body), shape)->def;
}

int rvScene_GetOutputCount(const rvScene* scene)
{
    return scene->columnCount;
}

const char* rvScene_GetOutputName(const rvScene* scene, int index)
{
    return index >= 0 && index < scene->columnCount ? scene->columns[index].name : "";
}

const char* rvScene_GetOutputUnit(const rvScene* scene, int index)
{
    return index >= 0 && index < scene->columnCount ? scene->columns[index].ref.channel->unit : "";
}

int rvScene_Evaluate(const rvScene* scene, const rvWorld* world, double* values, int capacity)
{
    double parts[RV_CURVE_MAX_WIDTH];
    for (int i = 0; i < scene->columnCount && i < capacity; ++i) {
        const rvChannelRef* ref = &scene->columns[i].ref;
        ref->channel->get(scene, world, ref, parts);
        values[i] = parts[ref->component > 0 ? ref->component : 0];
    }
    return scene->columnCount;
}
