// SPDX-License-Identifier: MIT
// What a scene gives and should not: fields of a cable and its places for models that it never has or that need others
// beside them, fields of events for others, events after the end of the run, intervals of a curve that are too long for
// what it may be bent around, cables that are to collide and pass through each other, ropes that are far shorter than
// their route or far too heavy.
#include "scene/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The models that a cable has: at the start and by events.
static uint32_t models_of(const rvScene* scene, int cable)
{
    uint32_t models = 1u << rv_scene_cable(scene, cable)->def.model;
    const rvSceneEvent* events = scene->root.events.items;
    for (int i = 0; i < scene->root.events.count; ++i)
        if (*events[i].changed && events[i].cableIndex == cable)
            models |= 1u << events[i].model;
    return models;
}

// "layered, ancf"
static void list_models(rvText* out, uint32_t models)
{
    const char* between = "";
    for (int i = 0; rvCableModel_Name((rvCableModel)i); ++i)
        if (models >> i & 1) {
            rv_text_add(out, "%s%s", between, rvCableModel_Name((rvCableModel)i));
            between = ", ";
        }
}

static const rvField* field_of(const rvKind* kind, const char* name)
{
    for (int i = 0; i < kind->fieldCount; ++i)
        if (strcmp(kind->fields[i].name, name) == 0)
            return &kind->fields[i];
    return NULL;
}

// The fields of a map of that kind, at that path, of a cable that has these models.
static void look_at_fields(rvReport* report, const rvNode* node, const rvKind* kind, const char* at, uint32_t has)
{
    for (const rvNode* item = node->kind == RV_NODE_MAP ? node->first : NULL; item; item = item->next) {
        const rvField* field = field_of(kind, item->key);
        uint32_t wanted = field ? field->models : 0;
        if (!wanted || ((wanted | field->refused) & has))
            continue;
        char path[160], text[2][120];
        snprintf(path, sizeof path, "%.90s.%.60s", at, item->key);
        for (int k = 0; k < 2; ++k) {
            rvText out = {text[k], sizeof text[k], 0};
            list_models(&out, k == 0 ? wanted : has);
        }
        rv_report(report, item->file, item->line, item->column, path, "is not used: it is for %s, the model is %s",
                  text[0], text[1]);
    }
}

static void look_at_cable(rvReport* report, const rvScene* scene, int index)
{
    const rvNode* node = rv_scene_cable(scene, index)->head.node;
    uint32_t has = models_of(scene, index);
    char path[100];
    snprintf(path, sizeof path, "cables.%.60s", node->key);
    look_at_fields(report, node, &rvCableKind, path, has);
    const struct {
        const char* name;
        const rvKind* kind;
    } lists[] = {{"route", &rvPlaceKind}, {"profile", &rvProfileKind}};
    for (int k = 0; k < 2; ++k) {
        const rvNode* list = rv_node_find(node, lists[k].name);
        uint32_t wanted = field_of(&rvCableKind, lists[k].name)->models;
        int i = 0;
        for (const rvNode* item = list && (!wanted || (wanted & has)) ? list->first : NULL; item; item = item->next) {
            snprintf(path, sizeof path, "cables.%.60s.%s[%d]", node->key, lists[k].name, i++);
            look_at_fields(report, item, lists[k].kind, path, has);
        }
    }
}

static void tell_need(rvReport* report, const rvNode* map, const char* name, const char* at, const char* need)
{
    const rvNode* node = rv_node_find(map, name);
    char path[160];
    snprintf(path, sizeof path, "%.100s.%.50s", at, name);
    if (node)
        rv_report(report, node->file, node->line, node->column, path, "is not used: it needs %s", need);
}

// Fields that do nothing without another one.
static void look_at_needs(rvReport* report, const rvScene* scene, int index)
{
    const rvSceneCable* cable = rv_scene_cable(scene, index);
    char path[100];
    snprintf(path, sizeof path, "cables.%.60s", cable->head.name);
    if (cable->def.torsionalStiffness == 0.0)
        tell_need(report, cable->head.node, "twist", path, "GJ");
    static const char* const contact[] = {"contact_stiffness", "contact_damping"};
    for (int k = 0; k < 2 && !cable->def.collides && !cable->def.touchesItself; ++k)
        tell_need(report, cable->head.node, contact[k], path, "collides or touches_itself");
    for (int i = 0; i < cable->route.count; ++i) {
        const rvScenePlace* place = rv_scene_place(cable, i);
        snprintf(path, sizeof path, "cables.%.60s.route[%d]", cable->head.name, i);
        if (place->def.type == RV_PLACE_WINCH && place->def.wheel.inertia == 0.0)
            tell_need(report, place->head.node, "bearing", path, "inertia, of the drum");
    }
}

// Rigid contacts of model curve need intervals no longer than the round that they lie on is wide.
static void look_at_intervals(rvReport* report, const rvScene* scene, int index)
{
    const rvSceneCable* cable = rv_scene_cable(scene, index);
    const rvCableDef* def = &cable->def;
    if (!(models_of(scene, index) >> RV_CABLE_CURVE & 1) || !def->collides || !(def->length > 0.0) ||
        def->contactStiffness > 0.0 || def->contactDamping > 0.0)
        return;
    double interval = def->length / def->elements;
    for (int b = 0; b < scene->root.bodies.count; ++b)
        for (int i = 0; i < rv_scene_body(scene, b)->shapes.count; ++i) {
            const rvShapeDef* shape = &rv_scene_shape(rv_scene_body(scene, b), i)->def;
            bool meets = (shape->group & def->mask) && (shape->mask & def->group);
            double wide = 2.0 * shape->radius + def->diameter;
            if (!meets || !(shape->radius > 0.0) || interval <= wide * (1.0 + 1e-9)) // lengths are rounded
                continue;
            const rvNode* node = rv_node_find(cable->head.node, "elements");
            node = node ? node : cable->head.node;
            char path[160];
            snprintf(path, sizeof path, "cables.%.60s.elements", cable->head.name);
            rv_report(
                report, node->file, node->line, node->column, path,
                "intervals are %g m, longer than a round of %g m that it may be bent around: expected %d or more, "
                "or contact_stiffness",
                interval, wide, (int)fmin(ceil(def->length / wide), 1e6));
            return;
        }
}

static rvVec3 point_of(const rvScene* scene, const rvScenePlace* place)
{
    rvVec3 point = place->def.point;
    return place->bodyIndex < 0 ? point : rvPosePoint(rv_scene_body(scene, place->bodyIndex)->def.pose, point);
}

// No rope along these places is shorter: a wheel it may touch at its rim [m].
static double least_length(const rvScene* scene, const rvSceneCable* cable)
{
    double length = 0.0;
    for (int i = 0; i + 1 < cable->route.count; ++i) {
        const rvScenePlace *a = rv_scene_place(cable, i), *b = rv_scene_place(cable, i + 1);
        double apart = rvDistance(point_of(scene, a), point_of(scene, b));
        length += fmax(0.0, apart - a->def.wheel.radius - b->def.wheel.radius);
    }
    return length;
}

// Chosen: wire rope breaks below that, soft rope is given shorter on purpose up to that.
static const double MOST_STRAIN = 0.05;

// [N]
static double stiffness_of(const rvCableDef* def)
{
    double section = 0.78539816339744831 * def->diameter * def->diameter;
    return def->axialStiffness > 0.0 ? def->axialStiffness : def->youngsModulus * section;
}

// A rope with mass whose own weight stretches it by more than any rope bears: mostly a mass in other units.
static void look_at_weight(rvReport* report, const rvScene* scene, int index)
{
    const rvSceneCable* cable = rv_scene_cable(scene, index);
    const rvCableDef* def = &cable->def;
    const rvNode* node = rv_node_find(cable->head.node, "mass_per_length");
    double length = def->length > 0.0 ? def->length : least_length(scene, cable);
    double weight = def->massPerLength * length * rvLength(scene->root.world.def.gravity);
    double stretch = weight / stiffness_of(def);
    bool stretches = def->model != RV_CABLE_CURVE || def->axialStiffness > 0.0;
    if (!node || def->model == RV_CABLE_MASSLESS || !stretches || !(stretch > MOST_STRAIN || weight > def->breakForce))
        return;
    char path[100];
    snprintf(path, sizeof path, "cables.%.60s.mass_per_length", cable->head.name);
    rv_report(report, node->file, node->line, node->column, path,
              "is %g kg/m: %g m of it weigh %.3g N, which stretches it by %.3g %%%s", def->massPerLength, length,
              weight, 100.0 * stretch, weight > def->breakForce ? " and breaks it" : "");
}

// A rope that begins stretched by more than any rope bears: mostly a length in other units, or of another route.
static void look_at_length(rvReport* report, const rvScene* scene, int index)
{
    const double MOST_OF_CURVE = 0.1; // model curve refuses more, and any where it does not stretch
    const rvSceneCable* cable = rv_scene_cable(scene, index);
    const rvCableDef* def = &cable->def;
    const rvNode* node = rv_node_find(cable->head.node, "length");
    double route = least_length(scene, cable), strain = route / def->length - 1.0;
    double tension = strain * stiffness_of(def);
    bool refused = def->model == RV_CABLE_CURVE && (def->axialStiffness == 0.0 || strain > MOST_OF_CURVE);
    if (!node || !(def->length > 0.0) || def->pushes || refused || !(strain > MOST_STRAIN || tension > def->breakForce))
        return;
    char path[100];
    snprintf(path, sizeof path, "cables.%.60s.length", cable->head.name);
    rv_report(report, node->file, node->line, node->column, path,
              "is %g m, its route is %g m or more: it begins stretched by %.3g %%, with %.3g N%s", def->length, route,
              100.0 * strain, tension, tension > def->breakForce ? ", and breaks" : "");
}

// Models that hold each other where they cross; those of different kinds do not.
static const uint32_t CROSSING_KINDS[] = {1u << RV_CABLE_MASSLESS | 1u << RV_CABLE_LAYERED,
                                          1u << RV_CABLE_ANCF | 1u << RV_CABLE_ALE};

// Is it a curve in space at all times?
static bool is_space_curve(const rvSceneCable* cable, uint32_t models)
{
    return models == 1u << RV_CABLE_CURVE && cable->def.torsionalStiffness > 0.0;
}

// Do cables that have these models at some time always hold each other?
static bool hold_each_other(const rvSceneCable* cable, uint32_t models, const rvSceneCable* other, uint32_t others)
{
    if (is_space_curve(cable, models) && is_space_curve(other, others))
        return true;
    for (int k = 0; k < 2; ++k)
        if (!((models | others) & ~CROSSING_KINDS[k]))
            return true;
    return false;
}

// Cables that collide with each other and do not always hold each other where they cross: told once a pair, at the
// later one.
static void look_at_crossings(rvReport* report, const rvScene* scene, int index)
{
    const rvSceneCable* cable = rv_scene_cable(scene, index);
    uint32_t has = models_of(scene, index);
    for (int i = 0; i < index && cable->def.collides; ++i) {
        const rvSceneCable* other = rv_scene_cable(scene, i);
        if (!other->def.collides || !(cable->def.group & other->def.mask) || !(other->def.group & cable->def.mask) ||
            hold_each_other(cable, has, other, models_of(scene, i)))
            continue;
        const rvNode* node = rv_node_find(cable->head.node, "collides");
        node = node ? node : cable->head.node;
        char path[160], text[2][120];
        snprintf(path, sizeof path, "cables.%.60s.collides", cable->head.name);
        for (int k = 0; k < 2; ++k) {
            rvText out = {text[k], sizeof text[k], 0};
            list_models(&out, k == 0 ? has : models_of(scene, i));
        }
        rv_report(report, node->file, node->line, node->column, path,
                  "it (%s) and cable '%s' (%s) pass through each other: only massless and layered cables hold each "
                  "other where they cross, ancf and ale ones, and curves with GJ; expected group and mask that "
                  "do not meet, if that is meant",
                  text[0], other->head.name, text[1]);
    }
}

// Fields of an event that are for another one, and a time that is not reached.
static void look_at_event(rvReport* report, const rvScene* scene, int index)
{
    const rvSceneEvent* event = (const rvSceneEvent*)scene->root.events.items + index;
    const struct {
        const char *field, *of;
        bool used;
    } fields[] = {{"along", "grasp", *event->grasped != '\0'},
                  {"model", "change", *event->changed != '\0'},
                  {"point", "hook", *event->hooked != '\0'},
                  {"to", "hook, grasp and let_go", *event->hooked || *event->grasped || *event->freed}};
    const rvNode* at = rv_node_find(event->head.node, "at");
    char path[60];
    const rvNode* until = rv_node_find(scene->tree, "until");
    bool meant = until && strcmp(until->file, scene->file) != 0; // a run that somebody made shorter
    if (at && event->at > scene->root.until && !meant) {
        snprintf(path, sizeof path, "events[%d].at", index);
        rv_report(report, at->file, at->line, at->column, path, "is after `until`, %g s: no run gets there",
                  scene->root.until);
    }
    for (int i = 0; i < 4; ++i) {
        const rvNode* node = rv_node_find(event->head.node, fields[i].field);
        if (!node || fields[i].used)
            continue;
        snprintf(path, sizeof path, "events[%d].%s", index, fields[i].field);
        rv_report(report, node->file, node->line, node->column, path, "is not used: it is for %s", fields[i].of);
    }
}

int rvScene_GetWarnings(const rvScene* scene, char* text, size_t capacity)
{
    if (capacity > 0)
        text[0] = '\0';
    rvReport report = {.out = {text, capacity, 0}};
    for (int i = 0; i < scene->root.cables.count; ++i)
        look_at_cable(&report, scene, i);
    for (int i = 0; i < scene->root.cables.count; ++i)
        look_at_needs(&report, scene, i);
    for (int i = 0; i < scene->root.cables.count; ++i)
        look_at_intervals(&report, scene, i);
    for (int i = 0; i < scene->root.cables.count; ++i)
        look_at_length(&report, scene, i);
    for (int i = 0; i < scene->root.cables.count; ++i)
        look_at_weight(&report, scene, i);
    for (int i = 0; i < scene->root.cables.count; ++i)
        look_at_crossings(&report, scene, i);
    for (int i = 0; i < scene->root.events.count; ++i)
        look_at_event(&report, scene, i);
    return report.count;
}
