// SPDX-License-Identifier: MIT
// Quantities, figures, limits and series of a study.
#include "sweep/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- outputs of the scene and what follows from them

// The output among those that are evaluated, asked for once.
static bool use_channel(rvStudyReader* reader, const rvNode* node, const char* name, int width, rvQuantity* quantity,
                        int index)
{
    rvStudy* study = reader->study;
    char unit[40] = "", error[2048];
    quantity->channels[index] = name;
    quantity->width = width;
    if (!reader->model)
        return true;
    int columns = rv_model_output(reader->model, name, unit, sizeof unit, error, sizeof error);
    if (columns == 0)
        return rv_study_mistake(reader, node, "%s", error);
    if (width == 1 && columns > 1)
        return rv_study_mistake(reader, node, "is \"%.80s\", which has %d parts, expected one, as \"%.80s.%c\"", name,
                                columns, name, columns == 3 ? 'z' : 'w');
    if (width != columns)
        return rv_study_mistake(reader, node, "is \"%.80s\", expected an output of three parts, as load.position",
                                name);
    if (index == 0)
        quantity->unit = rv_study_print(study, "%s", unit);
    else if (strcmp(quantity->unit, unit) != 0)
        return rv_study_mistake(reader, node, "is in %s, expected %s as the first", *unit ? unit : "no unit",
                                *quantity->unit ? quantity->unit : "no unit");
    for (int i = 0; i < study->quantityCount; ++i) // quantities hold the columns of all outputs before
        for (int k = 0; k < 2 && study->quantities[i].channels[k]; ++k)
            if (strcmp(study->quantities[i].channels[k], name) == 0) {
                quantity->columns[index] = study->quantities[i].columns[k];
                return true;
            }
    if (index == 1 && strcmp(quantity->channels[0], name) == 0) {
        quantity->columns[1] = quantity->columns[0];
        return true;
    }
    quantity->columns[index] = study->columnCount;
    study->outputs[study->outputCount++] = name;
    study->columnCount += width;
    return true;
}

// The quantity of that name: one that the study defines, else an output of the scene. -1: there is none.
static int find_quantity(rvStudyReader* reader, const rvNode* node)
{
    rvStudy* study = reader->study;
    const char* name;
    if (!rv_study_text(reader, node, "an output such as load.position.z", &name))
        return -1;
    for (int i = 0; i < study->quantityCount; ++i)
        if (strcmp(study->quantities[i].name, name) == 0)
            return i;
    rvQuantity quantity = {.kind = RV_QUANTITY_CHANNEL, .name = name, .unit = ""};
    if (!use_channel(reader, node, name, 1, &quantity, 0))
        return -1;
    study->quantities[study->quantityCount] = quantity;
    return study->quantityCount++;
}

static bool read_pair(rvStudyReader* reader, const rvNode* node, int width, rvQuantity* quantity)
{
    if (node->kind != RV_NODE_LIST || node->count != 2)
        return rv_study_mistake(reader, node, "is %s of %d, expected a list of two outputs", rv_node_describe(node),
                                node->count);
    const char *first, *second;
    return rv_study_text(reader, node->first, "an output", &first) &&
           rv_study_text(reader, node->first->next, "an output", &second) &&
           use_channel(reader, node->first, first, width, quantity, 0) &&
           use_channel(reader, node->first->next, second, width, quantity, 1);
}

static void read_quantity(rvStudyReader* reader, const rvNode* node)
{
    static const struct {
        const char* name;
        rvQuantityKind kind;
        int width;
    } KINDS[] = {{"angle", RV_QUANTITY_ANGLE, 3},
                 {"distance", RV_QUANTITY_DISTANCE, 3},
                 {"magnitude", RV_QUANTITY_MAGNITUDE, 3},
                 {"difference", RV_QUANTITY_DIFFERENCE, 1}};
    rvStudy* study = reader->study;
    if (!rv_study_fields(reader, &rvStudyKinds[RV_STUDY_QUANTITY], node))
        return;
    if (node->count != 1) {
        rv_study_mistake(reader, node, "expected one of angle, distance, magnitude and difference");
        return;
    }
    int k = 0;
    while (strcmp(KINDS[k].name, node->first->key) != 0)
        ++k;
    rvQuantity quantity = {.kind = KINDS[k].kind, .name = node->key, .unit = ""};
    size_t outer = rv_study_enter(reader, node->first->key);
    const char* vector;
    bool good = KINDS[k].kind == RV_QUANTITY_MAGNITUDE
                    ? rv_study_text(reader, node->first, "an output of three parts", &vector) &&
                          use_channel(reader, node->first, vector, 3, &quantity, 0)
                    : read_pair(reader, node->first, KINDS[k].width, &quantity);
    rv_study_leave(reader, outer);
    if (!good)
        return;
    if (quantity.kind == RV_QUANTITY_ANGLE)
        quantity.unit = "rad";
    study->quantities[study->quantityCount++] = quantity;
}

void rv_study_read_quantities(rvStudyReader* reader, const rvNode* map)
{
    if (map->kind != RV_NODE_MAP) {
        rv_study_mistake(reader, map, "is %s, expected a map of quantities", rv_node_describe(map));
        return;
    }
    for (const rvNode* item = map->first; item; item = item->next) {
        size_t outer = rv_study_enter(reader, item->key);
        if (strcmp(item->key, "time") == 0)
            rv_study_mistake(reader, item, "the name \"time\" is that of the time in series");
        else if (rv_study_name(reader, item))
            read_quantity(reader, item);
        rv_study_leave(reader, outer);
    }
}

// ---- events

static int find_event(rvStudyReader* reader, const rvNode* node)
{
    const char *name, *words[40] = {0};
    if (!rv_study_text(reader, node, "a kind of event such as slack", &name))
        return -1;
    for (int i = 0; rv_event_word(i) && i < 39; ++i) {
        words[i] = rv_event_word(i);
        if (strcmp(words[i], name) == 0)
            return i;
    }
    const char* nearest = rv_suggest(name, words);
    char all[400] = "";
    rvText out = {all, sizeof all, 0};
    for (int i = 0; words[i] && !nearest; ++i)
        rv_text_add(&out, "%s%s", i ? ", " : ", expected one of ", words[i]);
    rv_study_mistake(reader, node, nearest ? "is \"%.60s\", did you mean \"%s\"?" : "is \"%.60s\"%s", name,
                     nearest ? nearest : all);
    return -1;
}

void rv_study_read_events(rvStudyReader* reader, const rvNode* list)
{
    if (list->kind != RV_NODE_LIST) {
        rv_study_mistake(reader, list, "is %s, expected a list of kinds of events", rv_node_describe(list));
        return;
    }
    reader->study->events = 0;
    for (const rvNode* item = list->first; item; item = item->next) {
        int event = find_event(reader, item);
        if (event >= 0)
            reader->study->events |= (uint32_t)1 << event;
    }
}

// ---- figures

static const struct {
    const char* name;
    const char* words;
    const char* others; // fields that belong to it
} FIGURES[RV_FIGURE_KINDS] = {
    [RV_FIGURE_MAX] = {"max", "largest", "from to"},
    [RV_FIGURE_MIN] = {"min", "smallest", "from to"},
    [RV_FIGURE_MEAN] = {"mean", "mean", "from to"},
    [RV_FIGURE_PERCENTILE] = {"percentile", "percentile", "rank from to"},
    [RV_FIGURE_VALUE] = {"value", "value", "at"},
    [RV_FIGURE_FIRST] = {"first", "first time", "above below from to"},
    [RV_FIGURE_TIME_OF] = {"time_of", "time", "in from to"},
    [RV_FIGURE_COUNT] = {"count", "number", "in from to"},
};

static bool has_word(const char* words, const char* word)
{
    size_t length = strlen(word);
    for (const char* at = strstr(words, word); at; at = strstr(at + 1, word))
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

// Which of the kinds; -1 where there is none or more than one, or a field of another kind.
static int find_kind(rvStudyReader* reader, const rvNode* node)
{
    int kind = -1;
    for (int i = 0; i < RV_FIGURE_KINDS; ++i) {
        if (!rv_node_find(node, FIGURES[i].name))
            continue;
        if (kind >= 0) {
            rv_study_mistake(reader, node, "is both %s and %s, expected one", FIGURES[kind].name, FIGURES[i].name);
            return -1;
        }
        kind = i;
    }
    if (kind < 0) {
        rv_study_mistake(reader, node,
                         "expected one of max, min, mean, percentile, value, first, time_of, count, as "
                         "{max: load.position.z}");
        return -1;
    }
    for (const rvNode* item = node->first; item; item = item->next)
        if (strcmp(item->key, FIGURES[kind].name) != 0 && !has_word(FIGURES[kind].others, item->key)) {
            size_t outer = rv_study_enter(reader, item->key);
            rv_study_mistake(reader, item, "does not belong to a figure of kind %s", FIGURES[kind].name);
            rv_study_leave(reader, outer);
            return -1;
        }
    return kind;
}

// `above` or `below`, in the unit that is asked for. False: neither, both or a mistake.
static bool read_threshold(rvStudyReader* reader, const rvNode* node, const char* unit, bool* above, double* threshold,
                           const char** written)
{
    const rvNode *high = rv_node_find(node, "above"), *low = rv_node_find(node, "below");
    if (!high == !low)
        return rv_study_mistake(reader, node, "expected one of above and below");
    *above = high;
    *written = (high ? high : low)->kind == RV_NODE_SCALAR ? (high ? high : low)->text : "";
    return rv_study_get_number(reader, node, high ? "above" : "below", unit, threshold);
}

static bool read_percentile(rvStudyReader* reader, const rvNode* node, rvFigure* figure)
{
    figure->at = (double)NAN;
    if (!rv_study_get_number(reader, node, "rank", "%", &figure->at))
        return false;
    if (!(figure->at >= 0.0 && figure->at <= 100.0))
        return rv_study_mistake(reader, node, "a percentile needs `rank`, a number of 0 to 100");
    return true;
}

static bool read_value_time(rvStudyReader* reader, const rvNode* node, rvFigure* figure)
{
    figure->at = -1.0;
    if (!rv_study_get_number(reader, node, "at", "s", &figure->at))
        return false;
    if (!(figure->at >= 0.0))
        return rv_study_mistake(reader, node, "a value needs `at`, a time >= 0");
    bool fixed = reader->model != NULL;
    for (int p = 0; p < reader->study->parameterCount; ++p)
        for (int t = 0; t < reader->study->parameters[p].targetCount; ++t)
            fixed = fixed && strcmp(reader->study->parameters[p].targets[t].path, "until") != 0;
    if (fixed && figure->at > rv_model_until(reader->model) * (1.0 + 1e-12))
        return rv_study_mistake(reader, node, "is at %g s, after the end of the run at %g s", figure->at,
                                rv_model_until(reader->model));
    return true;
}

static bool read_event_figure(rvStudyReader* reader, const rvNode* node, const rvNode* what, rvFigure* figure)
{
    figure->event = find_event(reader, what);
    const rvNode* object = rv_node_find(node, "in");
    if (figure->event < 0 || (object && !rv_study_text(reader, object, "a cable or joint", &figure->object)))
        return false;
    if (object && reader->model && !rv_model_has_object(reader->model, figure->object))
        return rv_study_mistake(reader, object, "the scene has no cable or joint \"%.80s\"", figure->object);
    figure->unit = figure->kind == RV_FIGURE_TIME_OF ? "s" : "";
    figure->text = rv_study_print(reader->study, "%s of %s%s%s", FIGURES[figure->kind].words,
                                  rv_event_word(figure->event), object ? " in " : "", object ? figure->object : "");
    return true;
}

static bool read_output_figure(rvStudyReader* reader, const rvNode* node, const rvNode* what, rvFigure* figure)
{
    rvStudy* study = reader->study;
    size_t outer = rv_study_enter(reader, what->key);
    figure->quantity = find_quantity(reader, what);
    rv_study_leave(reader, outer);
    if (figure->quantity < 0)
        return false;
    const rvQuantity* quantity = &study->quantities[figure->quantity];
    figure->unit = quantity->unit;
    if (figure->kind == RV_FIGURE_PERCENTILE) {
        if (!read_percentile(reader, node, figure))
            return false;
        figure->text = rv_study_print(study, "percentile %g of %s", figure->at, quantity->name);
    } else if (figure->kind == RV_FIGURE_VALUE) {
        if (!read_value_time(reader, node, figure))
            return false;
        figure->text = rv_study_print(study, "%s at %g s", quantity->name, figure->at);
    } else if (figure->kind == RV_FIGURE_FIRST) {
        const char* written = "";
        if (!read_threshold(reader, node, quantity->unit, &figure->above, &figure->threshold, &written))
            return false;
        figure->unit = "s";
        figure->text =
            rv_study_print(study, "first time of %s %s %s", quantity->name, figure->above ? "above" : "below", written);
    } else {
        figure->text = rv_study_print(study, "%s %s", FIGURES[figure->kind].words, quantity->name);
    }
    return true;
}

static bool read_figure(rvStudyReader* reader, const rvNode* node, rvFigure* figure)
{
    if (!rv_study_fields(reader, &rvStudyKinds[RV_STUDY_FIGURE], node))
        return false;
    int kind = find_kind(reader, node);
    if (kind < 0)
        return false;
    *figure = (rvFigure){.name = node->key, .kind = (rvFigureKind)kind, .to = HUGE_VAL, .quantity = -1, .event = -1};
    if (!rv_study_get_number(reader, node, "from", "s", &figure->from) ||
        !rv_study_get_number(reader, node, "to", "s", &figure->to))
        return false;
    if (!(figure->from <= figure->to))
        return rv_study_mistake(reader, node, "goes from %g s to %g s, expected from <= to", figure->from, figure->to);
    const rvNode* what = rv_node_find(node, FIGURES[kind].name);
    return kind == RV_FIGURE_TIME_OF || kind == RV_FIGURE_COUNT ? read_event_figure(reader, node, what, figure)
                                                                : read_output_figure(reader, node, what, figure);
}

void rv_study_read_figures(rvStudyReader* reader, const rvNode* map)
{
    rvStudy* study = reader->study;
    if (map->kind != RV_NODE_MAP || map->count == 0) {
        rv_study_mistake(reader, map, "is %s, expected a map of figures such as {peak: {max: hoist.tension}}",
                         map->count == 0 && map->kind == RV_NODE_MAP ? "empty" : rv_node_describe(map));
        return;
    }
    study->figures = rv_arena_take_array(&study->arena, (size_t)map->count, sizeof *study->figures);
    for (const rvNode* item = map->first; item && study->figures; item = item->next) {
        size_t outer = rv_study_enter(reader, item->key);
        if (rv_study_name(reader, item) && read_figure(reader, item, &study->figures[study->figureCount]))
            study->figureCount++;
        rv_study_leave(reader, outer);
    }
}

// ---- limits

static bool read_limit(rvStudyReader* reader, const rvNode* node, rvLimit* limit)
{
    rvStudy* study = reader->study;
    if (!rv_study_fields(reader, &rvStudyKinds[RV_STUDY_LIMIT], node))
        return false;
    const rvNode* figure = rv_node_find(node, "figure");
    const char *name = node->key, *names[65] = {0};
    if (figure && !rv_study_text(reader, figure, "the name of a figure", &name))
        return false;
    *limit = (rvLimit){.name = node->key, .figure = -1};
    for (int i = 0; i < study->figureCount; ++i) {
        if (i < 64)
            names[i] = study->figures[i].name;
        if (strcmp(study->figures[i].name, name) == 0)
            limit->figure = i;
    }
    if (limit->figure < 0) {
        const char* nearest = rv_suggest(name, names);
        return rv_study_mistake(reader, figure ? figure : node, "there is no figure \"%.80s\"%s%s%s", name,
                                nearest ? ", did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
    }
    if (!read_threshold(reader, node, study->figures[limit->figure].unit, &limit->above, &limit->threshold,
                        &limit->written))
        return false;
    limit->text = rv_study_print(study, "%s %s %s", name, limit->above ? "above" : "below", limit->written);
    return true;
}

void rv_study_read_limits(rvStudyReader* reader, const rvNode* map)
{
    rvStudy* study = reader->study;
    if (map->kind != RV_NODE_MAP) {
        rv_study_mistake(reader, map, "is %s, expected a map of limits", rv_node_describe(map));
        return;
    }
    study->limits = rv_arena_take_array(&study->arena, (size_t)map->count, sizeof *study->limits);
    for (const rvNode* item = map->first; item && study->limits; item = item->next) {
        size_t outer = rv_study_enter(reader, item->key);
        if (rv_study_name(reader, item) && read_limit(reader, item, &study->limits[study->limitCount]))
            study->limitCount++;
        rv_study_leave(reader, outer);
    }
}

// ---- series

static int compare_runs(const void* a, const void* b)
{
    int64_t x = *(const int64_t*)a, y = *(const int64_t*)b;
    return (x > y) - (x < y);
}

static void read_runs(rvStudyReader* reader, const rvNode* list, rvSeries* series)
{
    if (list->kind != RV_NODE_LIST) {
        rv_study_mistake(reader, list, "is %s, expected a list of run numbers", rv_node_describe(list));
        return;
    }
    series->runs = rv_arena_take_array(&reader->study->arena, (size_t)list->count, sizeof *series->runs);
    for (const rvNode* item = list->first; item && series->runs; item = item->next) {
        int64_t run;
        if (!rv_study_whole(reader, item, 0, &run))
            continue;
        if (run >= reader->study->runCount)
            rv_study_mistake(reader, item, "there is no run %lld, the last is %lld", (long long)run,
                             (long long)reader->study->runCount - 1);
        else
            series->runs[series->runCount++] = run;
    }
    if (series->runs)
        qsort(series->runs, (size_t)series->runCount, sizeof *series->runs, compare_runs);
}

void rv_study_read_series(rvStudyReader* reader, const rvNode* map)
{
    rvSeries* series = &reader->study->series;
    if (!rv_study_fields(reader, &rvStudyKinds[RV_STUDY_SERIES], map))
        return;
    size_t outer;
    const rvNode* runs = rv_study_field(reader, map, "runs", &outer);
    if (runs) {
        read_runs(reader, runs, series);
        rv_study_leave(reader, outer);
    }
    rv_study_get_whole(reader, map, "first", 1, &series->first);
    rv_study_get_whole(reader, map, "every", 1, &series->every);
    rv_study_get_number(reader, map, "interval", "s", &series->interval);
    if (!runs && !series->first && !series->every)
        rv_study_mistake(reader, map, "selects no runs, expected runs, first or every");
    if (rv_node_find(map, "interval") && !(series->interval > 0.0))
        rv_study_mistake(reader, map, "has an interval of %g s, expected a time > 0", series->interval);
    const rvNode* outputs = rv_study_field(reader, map, "outputs", &outer);
    if (outputs->kind != RV_NODE_LIST || outputs->count == 0)
        rv_study_mistake(reader, outputs, "is %s, expected a list of outputs",
                         outputs->kind == RV_NODE_LIST ? "empty" : rv_node_describe(outputs));
    else
        series->quantities =
            rv_arena_take_array(&reader->study->arena, (size_t)outputs->count, sizeof *series->quantities);
    for (const rvNode* item = outputs->first; item && series->quantities; item = item->next) {
        int quantity = find_quantity(reader, item);
        for (int i = 0; i < series->quantityCount; ++i)
            if (series->quantities[i] == quantity) {
                rv_study_mistake(reader, item, "is \"%.60s\", which stands twice", item->text);
                quantity = -1;
            }
        if (quantity >= 0)
            series->quantities[series->quantityCount++] = quantity;
    }
    rv_study_leave(reader, outer);
}
