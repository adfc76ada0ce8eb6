// SPDX-License-Identifier: MIT
// A study from its file: the text as a tree, `--set` values put into it, then field by field; then what spans fields.
#include "sweep/study.h"

#include "command.h"
#include "sweep/plan.h"
#include "sweep/read.h"
#include "sweep/sobol.h"

#include "scene/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 1000000000, LEVELS_CHECKED = 200 };

const char* const rvPlanNames[RV_PLAN_COUNT + 1] = {"grid", "random", "latin", "sobol", NULL};

// ---- the text

// Is the first part of "path=value" a field of studies; else it is meant for the scene.
static bool is_for_study(const char* assignment)
{
    size_t length = strcspn(assignment, ".[=");
    const rvStudyKind* root = &rvStudyKinds[RV_STUDY_ROOT];
    for (int i = 0; i < root->count; ++i)
        if (strlen(root->fields[i].name) == length && memcmp(root->fields[i].name, assignment, length) == 0)
            return true;
    return false;
}

// A tree with the value of "path=value"; NULL: a mistake was reported.
static rvNode* put_set(rvStudyReader* reader, const rvNode* tree, const char* assignment)
{
    rvArena* arena = &reader->study->arena;
    rvSceneLimits limits = rvDefaultSceneLimits();
    const char *file = rv_arena_copy(arena, assignment, strlen(assignment)), *equals = strchr(file, '=');
    if (!equals || equals == file) {
        rv_report(reader->report, file, 1, 1, "", "expected path=value, such as runs=100 or bodies.load.mass=2");
        return NULL;
    }
    const char* path = rv_arena_copy(arena, file, (size_t)(equals - file));
    rvNode* value = rv_tree_read(arena, equals + 1, strlen(equals + 1), file, &limits, reader->report);
    if (!value)
        return NULL;
    value->column += (int)(equals + 1 - file);
    return rv_tree_set(arena, tree, path, value, reader->report);
}

static const char* join_path(rvStudy* study, const char* beside, const char* name)
{
    const char* slash = strrchr(beside, '/');
    if (name[0] == '/' || !slash)
        return name;
    return rv_study_print(study, "%.*s/%s", (int)(slash - beside), beside, name);
}

// The values of the scene for all runs: those of the study, then --set.
static bool read_scene_sets(rvStudyReader* reader, const rvNode* root, char* const* sets, int setCount)
{
    rvStudy* study = reader->study;
    size_t outer;
    const rvNode* map = rv_study_field(reader, root, "set", &outer);
    int room = setCount + (map ? map->count : 0);
    study->sets = rv_arena_take_array(&study->arena, (size_t)room + 1, sizeof *study->sets);
    if (!study->sets)
        return false;
    bool good =
        !map || map->kind == RV_NODE_MAP ||
        rv_study_mistake(reader, map, "is %s, expected a map such as {bodies.load.mass: 2 t}", rv_node_describe(map));
    for (const rvNode* item = good && map ? map->first : NULL; item; item = item->next) {
        const char* value = rv_study_yaml(reader, item);
        size_t size = strlen(item->key) + strlen(value) + 2;
        char* text = rv_arena_take(&study->arena, size);
        if (!text)
            return false;
        snprintf(text, size, "%s=%s", item->key, value);
        study->sets[study->setCount++] = text;
    }
    if (map)
        rv_study_leave(reader, outer);
    for (int i = 0; i < setCount; ++i)
        if (!is_for_study(sets[i]))
            study->sets[study->setCount++] = rv_arena_copy(&study->arena, sets[i], strlen(sets[i]));
    return good;
}

// The scene: its model, and its tree for the tables of commands. Its mistakes are reported as they are.
static int read_scene(rvStudyReader* reader, const rvNode* root, char* error, size_t capacity)
{
    rvStudy* study = reader->study;
    size_t outer;
    const char* name = NULL;
    const rvNode* node = rv_study_field(reader, root, "scene", &outer);
    if (!node || !rv_study_text(reader, node, "the name of a scene's file", &name))
        return RV_EXIT_SCENE;
    rv_study_leave(reader, outer);
    study->scenePath = join_path(study, study->path, name);
    int code = rv_model_load(study->scenePath, study->sets, study->setCount, &reader->model, error, capacity);
    if (code == RV_EXIT_IO) {
        outer = rv_study_enter(reader, "scene");
        rv_study_mistake(reader, node, "%s", error);
        rv_study_leave(reader, outer);
        return code;
    }
    if (code != RV_EXIT_OK) {
        reader->report->count++;
        rv_text_add(&reader->report->out, "%s%s", reader->report->count > 1 ? "\n" : "", error);
        return code;
    }
    char* text = rv_model_text(reader->model);
    study->sceneText = text ? rv_arena_copy(&study->arena, text, strlen(text)) : "";
    study->arena.failed |= !text;
    free(text);
    study->sceneTitle = rv_study_print(study, "%s", rv_model_title(reader->model));
    study->until = rv_model_until(reader->model);
    size_t size;
    rvSceneLimits limits = rvDefaultSceneLimits();
    char* file = rv_file_read(study->scenePath, false, limits.maxBytes, &size, error, capacity);
    rvNode* tree = file ? rv_tree_read(&study->arena, file, size, study->scenePath, &limits, reader->report) : NULL;
    free(file);
    for (int i = 0; i < study->setCount && tree; ++i)
        tree = put_set(reader, tree, study->sets[i]);
    reader->scene = tree;
    return RV_EXIT_OK;
}

// ---- single fields

static void read_plan(rvStudyReader* reader, const rvNode* root)
{
    rvStudy* study = reader->study;
    size_t outer;
    study->plan = rv_node_find(root, "runs") ? RV_PLAN_LATIN : RV_PLAN_GRID;
    const rvNode* node = rv_study_field(reader, root, "plan", &outer);
    const char* name;
    if (!node)
        return;
    bool text = rv_study_text(reader, node, "one of grid, random, latin, sobol", &name);
    int plan = 0;
    while (text && rvPlanNames[plan] && strcmp(rvPlanNames[plan], name) != 0)
        ++plan;
    if (text && !rvPlanNames[plan]) {
        const char* nearest = rv_suggest(name, rvPlanNames);
        rv_study_mistake(reader, node, "is \"%.60s\", expected one of grid, random, latin, sobol%s%s%s", name,
                         nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
    } else if (text) {
        study->plan = (rvPlanKind)plan;
    }
    rv_study_leave(reader, outer);
}

static void read_numbers(rvStudyReader* reader, const rvNode* root)
{
    rvStudy* study = reader->study;
    int64_t seed = 1;
    study->timeLimit = 3600.0;
    study->confidence = 0.95;
    study->repeat = 1;
    rv_study_get_whole(reader, root, "runs", 1, &study->runCount);
    rv_study_get_whole(reader, root, "repeat", 1, &study->repeat);
    rv_study_get_whole(reader, root, "seed", 0, &seed);
    study->seed = (uint64_t)seed;
    rv_study_get_number(reader, root, "time_limit", "s", &study->timeLimit);
    rv_study_get_number(reader, root, "confidence", "", &study->confidence);
    if (!(study->timeLimit > 0.0))
        rv_study_mistake(reader, rv_node_find(root, "time_limit"), "time_limit is %g s, expected a time > 0",
                         study->timeLimit);
    if (!(study->confidence > 0.0 && study->confidence < 1.0))
        rv_study_mistake(reader, rv_node_find(root, "confidence"),
                         "confidence is %g, expected a number between 0 and 1", study->confidence);
    if (study->runCount > RUNS_MAX)
        rv_study_mistake(reader, rv_node_find(root, "runs"), "runs is %lld, expected at most %d",
                         (long long)study->runCount, RUNS_MAX);
}

static void read_text_field(rvStudyReader* reader, const rvNode* root, const char* name, const char** text)
{
    size_t outer;
    const rvNode* node = rv_study_field(reader, root, name, &outer);
    *text = "";
    if (!node)
        return;
    rv_study_text(reader, node, "text", text);
    rv_study_leave(reader, outer);
}

// ---- parameters and the plan

// A value for all runs would be overwritten by one that varies.
static void check_fixed_paths(rvStudyReader* reader, const rvNode* map)
{
    const rvStudy* study = reader->study;
    for (int p = 0; p < study->parameterCount; ++p)
        for (int t = 0; t < study->parameters[p].targetCount; ++t) {
            const char* path = study->parameters[p].targets[t].path;
            bool whole = study->parameters[p].targets[t].kind == RV_TARGET_PATH; // a table is shifted as it was set
            for (int i = 0; i < study->setCount && whole; ++i)
                if (strcspn(study->sets[i], "=") == strlen(path) && strncmp(study->sets[i], path, strlen(path)) == 0)
                    rv_study_mistake(reader, rv_node_find(map, study->parameters[p].name),
                                     "varies, but is set for all runs: \"%.80s\"", study->sets[i]);
        }
}

static void check_paths(rvStudyReader* reader, const rvNode* map)
{
    const rvStudy* study = reader->study;
    for (int p = 0; p < study->parameterCount; ++p) {
        const rvParameter* a = &study->parameters[p];
        for (int q = 0; q <= p; ++q) {
            const rvParameter* b = &study->parameters[q];
            for (int t = 0; t < a->targetCount; ++t)
                for (int u = 0; u < (p == q ? t : b->targetCount); ++u) {
                    bool both = a->targets[t].kind != RV_TARGET_PATH && b->targets[u].kind != RV_TARGET_PATH;
                    if (both || strcmp(a->targets[t].path, b->targets[u].path) != 0)
                        continue;
                    const rvNode* node = rv_node_find(map, a->name);
                    rv_study_mistake(reader, node ? node : map, "\"%.80s\" is already set by \"%.80s\"",
                                     a->targets[t].path, b->name);
                }
        }
    }
}

static void read_parameters(rvStudyReader* reader, const rvNode* root)
{
    rvStudy* study = reader->study;
    size_t outer;
    const rvNode* map = rv_study_field(reader, root, "vary", &outer);
    if (!map)
        return;
    if (map->kind != RV_NODE_MAP || map->count == 0) {
        rv_study_mistake(reader, map,
                         "is %s: there is nothing to run, expected a map such as "
                         "{bodies.load.mass: [1 t, 2 t]}",
                         map->kind == RV_NODE_MAP ? "empty" : rv_node_describe(map));
        rv_study_leave(reader, outer);
        return;
    }
    study->parameters = rv_arena_take_array(&study->arena, (size_t)map->count, sizeof *study->parameters);
    for (const rvNode* item = map->first; item && study->parameters; item = item->next) {
        size_t inner = rv_study_enter(reader, item->key);
        if (rv_study_name(reader, item) &&
            rv_study_read_parameter(reader, item, &study->parameters[study->parameterCount]))
            study->parameterCount++;
        rv_study_leave(reader, inner);
    }
    check_paths(reader, map);
    check_fixed_paths(reader, map);
    rv_study_leave(reader, outer);
}

// The number of runs of a grid, or what does not fit to the plan.
static void check_plan(rvStudyReader* reader, const rvNode* root)
{
    rvStudy* study = reader->study;
    const rvNode *runs = rv_node_find(root, "runs"), *repeat = rv_node_find(root, "repeat");
    const rvNode *vary = rv_node_find(root, "vary"), *at = runs ? runs : root;
    if (study->plan != RV_PLAN_GRID) {
        if (!runs)
            rv_study_mistake(reader, root, "runs is missing: the plan %s needs it", rvPlanNames[study->plan]);
        if (repeat)
            rv_study_mistake(reader, repeat, "repeat is for the plan grid, the plan is %s", rvPlanNames[study->plan]);
        if (study->plan == RV_PLAN_SOBOL && study->parameterCount > RV_SOBOL_DIMENSIONS)
            rv_study_mistake(reader, vary, "has %d parameters, the plan sobol takes at most %d", study->parameterCount,
                             RV_SOBOL_DIMENSIONS);
        return;
    }
    if (runs)
        rv_study_mistake(reader, at, "runs is not for the plan grid: its number follows from the levels and `repeat`");
    double count = (double)study->repeat;
    for (int p = 0; p < study->parameterCount; ++p) {
        const rvParameter* parameter = &study->parameters[p];
        if (parameter->levelCount > 0)
            count *= parameter->levelCount;
        else if (parameter->draw.kind == RV_VARY_RANGE)
            rv_study_mistake(reader, rv_node_find(vary, parameter->name),
                             "\"%.60s\" is a range without `steps`, which the plan grid needs", parameter->name);
    }
    if (count > RUNS_MAX)
        rv_study_mistake(reader, root, "the grid has %.3g runs, expected at most %d", count, RUNS_MAX);
    else
        study->runCount = (int64_t)count;
}

// ---- do the values fit to the scene

// The message of a scene behind "path=value:1:18: ".
static const char* without_place(const char* message)
{
    for (const char* at = strstr(message, ":1:"); at; at = strstr(at + 1, ":1:")) {
        const char* end = at + 3 + strspn(at + 3, "0123456789");
        if (end > at + 3 && strncmp(end, ": ", 2) == 0)
            return end + 2;
    }
    return message;
}

static bool try_values(rvStudyReader* reader, const rvDrawn* values, char* error, size_t capacity)
{
    rvSets sets = {0};
    rv_plan_put(reader->study, values, &sets);
    bool good =
        !sets.failed && rv_model_set(reader->model, (const char* const*)sets.items, sets.count, error, capacity);
    reader->study->arena.failed |= sets.failed;
    rv_sets_release(&sets);
    error[strcspn(error, "\n")] = '\0';
    return good;
}

// One value alone, to find out whose mistake it is.
static bool try_alone(rvStudyReader* reader, int parameter, const rvDrawn* values, char* error, size_t capacity)
{
    rvStudy alone = *reader->study, *study = reader->study;
    alone.parameters = &study->parameters[parameter];
    alone.parameterCount = 1;
    reader->study = &alone;
    bool good = try_values(reader, &values[parameter], error, capacity);
    study->arena = alone.arena;
    reader->study = study;
    return good;
}

// Tries the values of the lists, each beside typical values of the others. Values of distributions may go anywhere:
// those that do not fit make a run that failed.
static void check_values(rvStudyReader* reader, const rvNode* root)
{
    rvStudy* study = reader->study;
    const rvNode* vary = rv_node_find(root, "vary");
    rvDrawn* values = rv_arena_take_array(&study->arena, (size_t)study->parameterCount, sizeof *values);
    char error[2048] = "";
    if (!values)
        return;
    size_t outer = rv_study_enter(reader, "vary");
    for (int p = 0; p < study->parameterCount; ++p)
        values[p] = rv_plan_typical(&study->parameters[p]);
    bool together = try_values(reader, values, error, sizeof error), found = false;
    for (int p = 0; p < study->parameterCount; ++p) {
        const rvParameter* parameter = &study->parameters[p];
        const rvNode* node = rv_node_find(vary, parameter->name);
        size_t inner = rv_study_enter(reader, parameter->name);
        if (!together && !try_alone(reader, p, values, error, sizeof error))
            found = !rv_study_mistake(reader, node, "%s", without_place(error)) || found;
        for (int level = 1; together && level < parameter->levelCount && level < LEVELS_CHECKED; ++level) {
            rvDrawn typical = values[p];
            values[p] = (rvDrawn){.number = parameter->numeric ? parameter->numbers[level] : 0.0, .level = level};
            if (!try_values(reader, values, error, sizeof error))
                rv_study_mistake(reader, node, "%s", without_place(error));
            values[p] = typical;
        }
        rv_study_leave(reader, inner);
    }
    if (!together && !found) {
        try_values(reader, values, error, sizeof error);
        rv_study_mistake(reader, vary, "%s", without_place(error));
    }
    rv_study_leave(reader, outer);
    if (reader->report->count == 0 &&
        !rv_model_outputs(reader->model, study->outputs, study->outputCount, error, sizeof error))
        rv_study_mistake(reader, root, "%s", without_place(error));
    if (reader->report->count == 0 &&
        (!try_values(reader, values, error, sizeof error) || !rv_model_check(reader->model, error, sizeof error)))
        rv_study_mistake(reader, root, "the scene cannot be built: %s", error);
}

// ---- all of it

static void read_maps(rvStudyReader* reader, const rvNode* root)
{
    static const struct {
        const char* name;
        void (*read)(rvStudyReader* reader, const rvNode* node);
    } MAPS[] = {{"quantities", rv_study_read_quantities},
                {"figures", rv_study_read_figures},
                {"limits", rv_study_read_limits},
                {"series", rv_study_read_series},
                {"events", rv_study_read_events}};
    for (size_t i = 0; i < sizeof MAPS / sizeof MAPS[0]; ++i) {
        size_t outer;
        const rvNode* node = rv_study_field(reader, root, MAPS[i].name, &outer);
        if (!node)
            continue;
        MAPS[i].read(reader, node);
        rv_study_leave(reader, outer);
    }
}

static int read_study(rvStudyReader* reader, rvNode* root, char* const* sets, int setCount)
{
    rvStudy* study = reader->study;
    for (int i = 0; i < setCount && root; ++i)
        if (is_for_study(sets[i]))
            root = put_set(reader, root, sets[i]);
    if (!root || !rv_study_fields(reader, &rvStudyKinds[RV_STUDY_ROOT], root))
        return RV_EXIT_SCENE;
    const rvNode* version = rv_node_find(root, "study");
    if (version->kind != RV_NODE_SCALAR || strcmp(version->text, "1") != 0)
        rv_study_mistake(reader, version, "study is %.40s, expected 1: the version of the format",
                         version->kind == RV_NODE_SCALAR ? version->text : rv_node_describe(version));
    size_t room = (size_t)root->size + 8;
    study->quantities = rv_arena_take_array(&study->arena, room, sizeof *study->quantities);
    study->outputs = rv_arena_take_array(&study->arena, room, sizeof *study->outputs);
    if (!study->quantities || !study->outputs)
        return RV_EXIT_MEMORY;
    for (int i = 0; rv_event_word(i); ++i)
        study->events |= rv_event_is_contact(i) ? 0 : (uint32_t)1 << i;
    char error[8192] = "";
    int code =
        read_scene_sets(reader, root, sets, setCount) ? read_scene(reader, root, error, sizeof error) : RV_EXIT_SCENE;
    if (code == RV_EXIT_IO || code == RV_EXIT_MEMORY)
        return code;
    read_text_field(reader, root, "title", &study->title);
    read_plan(reader, root);
    read_numbers(reader, root);
    read_parameters(reader, root);
    if (reader->report->count == 0)
        check_plan(reader, root);
    read_maps(reader, root);
    if (reader->report->count == 0 && reader->model && !study->arena.failed)
        check_values(reader, root);
    if (study->arena.failed)
        return RV_EXIT_MEMORY;
    return reader->report->count > 0 ? RV_EXIT_SCENE : code;
}

int rv_study_load(const char* path, char* const* sets, int setCount, rvStudy** study, char* error, size_t capacity)
{
    rvReport report = {.out = {error, capacity, 0}};
    rvSceneLimits limits = rvDefaultSceneLimits();
    char why[200];
    size_t size;
    *study = NULL;
    error[0] = '\0';
    char* text = rv_file_read(path, false, limits.maxBytes, &size, why, sizeof why);
    if (!text) {
        snprintf(error, capacity, "%s: %s", path, why);
        return RV_EXIT_IO;
    }
    rvStudy* made = calloc(1, sizeof *made);
    if (!made) {
        free(text);
        return RV_EXIT_MEMORY;
    }
    made->path = rv_arena_copy(&made->arena, path, strlen(path));
    made->text = rv_arena_copy(&made->arena, text, size);
    free(text);
    rvStudyReader reader = {.study = made, .report = &report};
    rvNode* root = rv_tree_read(&made->arena, made->text, size, made->path, &limits, &report);
    int code = root ? read_study(&reader, root, sets, setCount) : RV_EXIT_SCENE;
    rv_model_free(reader.model);
    if (code == RV_EXIT_MEMORY && !*error)
        snprintf(error, capacity, "no memory");
    if (code == RV_EXIT_OK)
        *study = made;
    else
        rv_study_free(made);
    return code;
}

void rv_study_free(rvStudy* study)
{
    if (!study)
        return;
    rv_arena_clear(&study->arena);
    free(study);
}

// ---- scene or study

// "study:" or "'study' :" at this place.
static bool is_study_key(const char* text)
{
    char quote = *text == '"' || *text == '\'' ? *text : '\0';
    text += quote != '\0';
    if (strncmp(text, "study", 5) != 0 || (quote && text[5] != quote))
        return false;
    text += quote ? 6 : 5;
    return text[strspn(text, " ")] == ':';
}

// The keys of a map in braces, as JSON has it: those behind its brace and its commas.
static bool braces_have_study(const char* text)
{
    int depth = 0;
    for (const char* c = text; *c; ++c) {
        if (*c == '"' || *c == '\'') { // a text, with \" inside
            const char quote = *c;
            while (*++c && *c != quote)
                c += *c == '\\' && c[1];
            if (!*c)
                return false;
            continue;
        }
        depth += (*c == '{' || *c == '[') - (*c == '}' || *c == ']');
        if (depth == 1 && (*c == '{' || *c == ',') && is_study_key(c + 1 + strspn(c + 1, " \t\r\n")))
            return true;
    }
    return false;
}

// Looked for in the text: the reader of YAML would say more, but a file that it cannot read must not end here.
bool rv_study_is_one(const char* path)
{
    char why[200];
    size_t size;
    rvSceneLimits limits = rvDefaultSceneLimits();
    char* text = rv_file_read(path, false, limits.maxBytes, &size, why, sizeof why);
    bool is = false, content = false;
    for (const char* line = text; line && *line && !is; line += line[0] == '\n') {
        const char* first = line + strspn(line, " \t\r");
        if (!content && *first == '{')
            is = braces_have_study(first);
        content = content || !strchr("#\n%-", *first);
        is = is || is_study_key(line);
        line += strcspn(line, "\n");
    }
    free(text);
    return is;
}

bool rv_study_has_series(const rvStudy* study, int64_t run)
{
    const rvSeries* series = &study->series;
    if (series->quantityCount == 0)
        return false;
    if (run < series->first || (series->every > 0 && run % series->every == 0))
        return true;
    for (int i = 0; i < series->runCount; ++i)
        if (series->runs[i] == run)
            return true;
    return false;
}
