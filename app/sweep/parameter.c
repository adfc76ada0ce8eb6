// SPDX-License-Identifier: MIT
// `vary` of a study: values, ranges and distributions, and where they go in the scene.
#include "sweep/distribution.h"
#include "sweep/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A number in the unit of the parameter, which is that of its first number.
static bool read_in_unit(rvStudyReader* reader, const rvNode* node, rvParameter* parameter, double* value)
{
    rvWritten number;
    rvUnit unit;
    if (!rv_study_number(reader, node, &number))
        return false;
    if (!parameter->unit) {
        parameter->unit = number.unit;
        parameter->factor = number.kind.factor;
    }
    rv_unit_read(parameter->unit, &unit);
    if (!rv_unit_same_kind(&unit, &number.kind))
        return rv_study_mistake(reader, node, "is \"%.60s\", expected a number%s%s as the one before", node->text,
                                *parameter->unit ? " in " : " without unit", parameter->unit);
    *value = strcmp(parameter->unit, number.unit) == 0 ? number.value
                                                       : number.value * number.kind.factor / parameter->factor;
    return true;
}

static bool read_field(rvStudyReader* reader, const rvNode* map, const char* name, rvParameter* parameter,
                       double* value)
{
    size_t outer;
    const rvNode* node = rv_study_field(reader, map, name, &outer);
    if (!node)
        return false;
    bool good = read_in_unit(reader, node, parameter, value);
    rv_study_leave(reader, outer);
    return good;
}

// ---- values

static bool is_number(const rvNode* node)
{
    double value;
    const char* end;
    rvUnit unit;
    if (node->kind != RV_NODE_SCALAR || node->quoted || !rv_number_read(node->text, &value, &end) || !isfinite(value))
        return false;
    return rv_unit_read(end + strspn(end, " "), &unit);
}

static bool read_values(rvStudyReader* reader, const rvNode* node, rvParameter* parameter)
{
    if (node->kind != RV_NODE_LIST)
        return rv_study_mistake(reader, node, "is %s, expected a list of values", rv_node_describe(node));
    if (node->count == 0)
        return rv_study_mistake(reader, node, "is an empty list: there is nothing to run");
    rvArena* arena = &reader->study->arena;
    parameter->draw.kind = RV_VARY_VALUES;
    parameter->numeric = true;
    for (const rvNode* item = node->first; item; item = item->next)
        parameter->numeric = parameter->numeric && is_number(item);
    parameter->numbers = rv_arena_take_array(arena, (size_t)node->count, sizeof *parameter->numbers);
    parameter->texts = rv_arena_take_array(arena, (size_t)node->count, sizeof *parameter->texts);
    if (!parameter->numbers || !parameter->texts)
        return false;
    bool good = true;
    for (const rvNode* item = node->first; item; item = item->next) {
        int i = parameter->levelCount++;
        char name[20];
        snprintf(name, sizeof name, "[%d]", i);
        size_t outer = rv_study_enter(reader, name);
        if (parameter->numeric)
            good = read_in_unit(reader, item, parameter, &parameter->numbers[i]) && good;
        else
            parameter->texts[i] = rv_study_yaml(reader, item);
        rv_study_leave(reader, outer);
    }
    return good;
}

static bool read_range(rvStudyReader* reader, const rvNode* node, rvParameter* parameter)
{
    rvDistribution* draw = &parameter->draw;
    int64_t steps = 0;
    draw->kind = RV_VARY_RANGE;
    parameter->numeric = true;
    if (!rv_node_find(node, "from") || !rv_node_find(node, "to"))
        return rv_study_mistake(reader, node, "is a range without `%s`", rv_node_find(node, "to") ? "from" : "to");
    if (!read_field(reader, node, "from", parameter, &draw->a) ||
        !read_field(reader, node, "to", parameter, &draw->b) || !rv_study_get_whole(reader, node, "steps", 2, &steps))
        return false;
    if (steps == 0 && !(draw->a < draw->b))
        return rv_study_mistake(reader, node, "goes from %g to %g, expected from < to", draw->a, draw->b);
    if (steps > 1000000)
        return rv_study_mistake(reader, node, "has %lld steps, expected at most 1000000", (long long)steps);
    if (steps == 0)
        return true;
    parameter->numbers = rv_arena_take_array(&reader->study->arena, (size_t)steps, sizeof *parameter->numbers);
    for (int64_t i = 0; i < steps && parameter->numbers; ++i) {
        double share = (double)i / (double)(steps - 1);
        parameter->numbers[i] = i == steps - 1 ? draw->b : draw->a + share * (draw->b - draw->a);
    }
    parameter->levelCount = (int)steps;
    return parameter->numbers != NULL;
}

// ---- distributions

static bool need_positive(rvStudyReader* reader, const rvNode* map, const char* name, double value)
{
    if (value > 0.0)
        return true;
    size_t outer;
    const rvNode* node = rv_study_field(reader, map, name, &outer);
    rv_study_mistake(reader, node, "is %.60s, expected a number > 0", node->text);
    rv_study_leave(reader, outer);
    return false;
}

static bool read_uniform(rvStudyReader* reader, const rvNode* node, rvParameter* parameter)
{
    rvDistribution* draw = &parameter->draw;
    if (!read_field(reader, node, "from", parameter, &draw->a) || !read_field(reader, node, "to", parameter, &draw->b))
        return false;
    if (!(draw->a < draw->b))
        return rv_study_mistake(reader, node, "goes from %g to %g, expected from < to", draw->a, draw->b);
    return true;
}

static bool read_normal(rvStudyReader* reader, const rvNode* node, rvParameter* parameter)
{
    rvDistribution* draw = &parameter->draw;
    return read_field(reader, node, "mean", parameter, &draw->a) &&
           read_field(reader, node, "deviation", parameter, &draw->b) &&
           need_positive(reader, node, "deviation", draw->b);
}

// sigma^2 = ln(1 + (s/m)^2), mu = ln m - sigma^2/2 for mean m and standard deviation s of the value itself.
static bool read_lognormal(rvStudyReader* reader, const rvNode* node, rvParameter* parameter)
{
    double mean = 0.0, deviation = 0.0;
    if (!read_field(reader, node, "mean", parameter, &mean) ||
        !read_field(reader, node, "deviation", parameter, &deviation) || !need_positive(reader, node, "mean", mean) ||
        !need_positive(reader, node, "deviation", deviation))
        return false;
    double variance = log1p(deviation / mean * (deviation / mean));
    parameter->draw.a = log(mean) - 0.5 * variance;
    parameter->draw.b = sqrt(variance);
    return true;
}

static bool read_weibull(rvStudyReader* reader, const rvNode* node, rvParameter* parameter)
{
    rvDistribution* draw = &parameter->draw;
    return read_field(reader, node, "scale", parameter, &draw->a) &&
           rv_study_get_number(reader, node, "shape", "", &draw->b) && need_positive(reader, node, "scale", draw->a) &&
           need_positive(reader, node, "shape", draw->b);
}

static bool read_truncation(rvStudyReader* reader, const rvNode* node, rvParameter* parameter)
{
    rvDistribution* draw = &parameter->draw;
    bool good = true;
    if (rv_node_find(node, "min"))
        good = read_field(reader, node, "min", parameter, &draw->lower);
    if (rv_node_find(node, "max"))
        good = read_field(reader, node, "max", parameter, &draw->upper) && good;
    if (!good)
        return false;
    if (!(draw->lower < draw->upper))
        return rv_study_mistake(reader, node, "has min %g and max %g, expected min < max", draw->lower, draw->upper);
    double inside = rv_distribution_share(draw, draw->upper) - rv_distribution_share(draw, draw->lower);
    if (!(inside > 1e-6)) // the draws would be of the rounding of the tail
        return rv_study_mistake(reader, node, "has a probability of %.2g between min and max, expected more than 1e-6",
                                inside);
    return true;
}

static const struct {
    const char* name;
    rvVaryKind kind;
    rvStudyKindIndex fields;
    bool (*read)(rvStudyReader* reader, const rvNode* node, rvParameter* parameter);
} DISTRIBUTIONS[] = {
    {"uniform", RV_VARY_UNIFORM, RV_STUDY_UNIFORM, read_uniform},
    {"normal", RV_VARY_NORMAL, RV_STUDY_NORMAL, read_normal},
    {"lognormal", RV_VARY_LOGNORMAL, RV_STUDY_LOGNORMAL, read_lognormal},
    {"weibull", RV_VARY_WEIBULL, RV_STUDY_WEIBULL, read_weibull},
};

enum { DISTRIBUTION_COUNT = sizeof DISTRIBUTIONS / sizeof DISTRIBUTIONS[0] };

static bool read_distribution(rvStudyReader* reader, const rvNode* node, int index, rvParameter* parameter)
{
    parameter->draw.kind = DISTRIBUTIONS[index].kind;
    parameter->numeric = true;
    if (!rv_study_fields(reader, &rvStudyKinds[DISTRIBUTIONS[index].fields], node) ||
        !DISTRIBUTIONS[index].read(reader, node, parameter))
        return false;
    return index == 0 || read_truncation(reader, node, parameter);
}

// Exactly one of values, a range and the distributions.
static bool read_source(rvStudyReader* reader, const rvNode* node, rvParameter* parameter)
{
    int distribution = -1, count = 0;
    bool values = rv_node_find(node, "values"), range = rv_node_find(node, "from") || rv_node_find(node, "to");
    for (int i = 0; i < DISTRIBUTION_COUNT; ++i)
        if (rv_node_find(node, DISTRIBUTIONS[i].name)) {
            distribution = i;
            ++count;
        }
    if (values + range + count != 1)
        return rv_study_mistake(reader, node,
                                "%s, expected one of values, from and to, uniform, normal, lognormal, weibull",
                                values + range + count == 0 ? "has no values" : "has more than one kind of values");
    if (range)
        return read_range(reader, node, parameter);
    size_t outer = 0;
    const rvNode* source = rv_study_field(reader, node, values ? "values" : DISTRIBUTIONS[distribution].name, &outer);
    bool good =
        values ? read_values(reader, source, parameter) : read_distribution(reader, source, distribution, parameter);
    rv_study_leave(reader, outer);
    return good;
}

// ---- where they go

// A row of numbers with their units.
static bool read_row(rvStudyReader* reader, const rvNode* node, rvTarget* target, rvTableRow* row)
{
    bool list = node->kind == RV_NODE_LIST;
    int width = list ? node->count : 1;
    if (target->width == 0) {
        target->width = width;
    } else if (width != target->width) {
        return false;
    }
    row->values = rv_arena_take_array(&reader->study->arena, (size_t)width, sizeof *row->values);
    row->units = rv_arena_take_array(&reader->study->arena, (size_t)width, sizeof *row->units);
    const rvNode* item = list ? node->first : node;
    for (int k = 0; k < width && row->values && row->units; ++k, item = item->next) {
        const char* end;
        if (item->kind != RV_NODE_SCALAR || !rv_number_read(item->text, &row->values[k], &end))
            return false;
        row->units[k] = end + strspn(end, " ");
    }
    return row->values && row->units;
}

// The table of a command as it stands in the scene: [[time, value], ...], or one value.
static bool read_table(rvStudyReader* reader, const rvNode* table, rvTarget* target)
{
    bool rows = table->kind == RV_NODE_LIST && table->first && table->first->kind == RV_NODE_LIST;
    target->rowCount = rows ? table->count : 1;
    target->rows = rv_arena_take_array(&reader->study->arena, (size_t)target->rowCount, sizeof *target->rows);
    const rvNode* item = rows ? table->first : table;
    for (int i = 0; i < target->rowCount && target->rows; ++i, item = item->next) {
        const rvNode* time = rows ? item->first : NULL;
        if (rows && (item->kind != RV_NODE_LIST || item->count != 2 ||
                     !rv_study_number_in(reader, time, "s", &target->rows[i].time)))
            return false;
        if (!read_row(reader, rows ? time->next : item, target, &target->rows[i]))
            return false;
    }
    return target->rows != NULL;
}

static bool find_table(rvStudyReader* reader, const rvNode* node, rvTarget* target)
{
    static const char prefix[] = "commands.";
    const rvNode* commands = rv_node_find(reader->scene, "commands");
    bool named = strncmp(target->path, prefix, strlen(prefix)) == 0;
    if (!named)
        target->path = rv_study_print(reader->study, "%s%s", prefix, target->path);
    const rvNode* table = rv_node_find(commands, target->path + strlen(prefix));
    if (!table) {
        char known[200] = "";
        rvText out = {known, sizeof known, 0};
        for (const rvNode* item = commands ? commands->first : NULL; item; item = item->next)
            rv_text_add(&out, "%s%s", item == commands->first ? ", expected one of " : ", ", item->key);
        return rv_study_mistake(reader, node, "the scene has no command \"%.80s\"%s", target->path + strlen(prefix),
                                known);
    }
    if (!read_table(reader, table, target))
        return rv_study_mistake(reader, node, "the command is no table of numbers in the scene");
    if (target->kind == RV_TARGET_DELAY && target->rowCount < 2)
        return rv_study_mistake(reader, node, "the command is constant in the scene: a delay changes nothing");
    return true;
}

static bool add_target(rvStudyReader* reader, const rvNode* node, rvTargetKind kind, const char* path,
                       rvParameter* parameter)
{
    rvTarget* target = &parameter->targets[parameter->targetCount];
    target->kind = kind;
    target->path = path;
    if (strchr(path, '=') || !*path)
        return rv_study_mistake(reader, node, "is \"%.80s\", expected a path such as bodies.load.mass", path);
    parameter->targetCount++;
    return kind == RV_TARGET_PATH || find_table(reader, node, target);
}

static bool add_targets(rvStudyReader* reader, const rvNode* map, const char* name, rvTargetKind kind,
                        rvParameter* parameter)
{
    size_t outer;
    const rvNode* node = rv_study_field(reader, map, name, &outer);
    if (!node)
        return true;
    const rvNode* item = node->kind == RV_NODE_LIST ? node->first : node;
    bool good = true;
    for (; item; item = node->kind == RV_NODE_LIST ? item->next : NULL) {
        const char* path;
        good = rv_study_text(reader, item, "a path such as bodies.load.mass", &path) &&
               add_target(reader, item, kind, path, parameter) && good;
    }
    rv_study_leave(reader, outer);
    return good;
}

// Delays are times, factors are pure numbers.
static bool check_unit(rvStudyReader* reader, const rvNode* node, const rvParameter* parameter)
{
    rvUnit unit, wanted;
    for (int i = 0; i < parameter->targetCount; ++i) {
        rvTargetKind kind = parameter->targets[i].kind;
        if (kind == RV_TARGET_PATH)
            continue;
        rv_unit_read(parameter->unit, &unit);
        rv_unit_read(kind == RV_TARGET_DELAY ? "s" : "", &wanted);
        if (!parameter->numeric || (*parameter->unit && !rv_unit_same_kind(&unit, &wanted)))
            return rv_study_mistake(reader, node,
                                    kind == RV_TARGET_DELAY ? "is a delay, expected times in s"
                                                            : "is a factor, expected numbers without unit");
    }
    return true;
}

// FNV-1a: the stream of a parameter's random numbers depends on its name, not on its place.
static uint64_t hash_name(const char* name)
{
    uint64_t hash = 14695981039346656037u;
    for (const unsigned char* c = (const unsigned char*)name; *c; ++c)
        hash = (hash ^ *c) * 1099511628211u;
    return hash;
}

bool rv_study_read_parameter(rvStudyReader* reader, const rvNode* node, rvParameter* parameter)
{
    *parameter = (rvParameter){.name = node->key,
                               .stream = hash_name(node->key),
                               .draw = {.lower = -HUGE_VAL, .upper = HUGE_VAL},
                               .factor = 1.0};
    bool list = node->kind == RV_NODE_LIST;
    if (!list && !rv_study_fields(reader, &rvStudyKinds[RV_STUDY_PARAMETER], node))
        return false;
    if (!(list ? read_values(reader, node, parameter) : read_source(reader, node, parameter)))
        return false;
    if (!parameter->unit)
        parameter->unit = "";
    const rvNode* map = list ? NULL : node;
    int room = 1;
    for (const rvNode* item = map ? map->first : NULL; item; item = item->next)
        room += 1 + item->count;
    parameter->targets = rv_arena_take_array(&reader->study->arena, (size_t)room, sizeof *parameter->targets);
    if (!parameter->targets)
        return false;
    bool good = add_targets(reader, map, "path", RV_TARGET_PATH, parameter);
    good = add_targets(reader, map, "delay", RV_TARGET_DELAY, parameter) && good;
    good = add_targets(reader, map, "scale", RV_TARGET_SCALE, parameter) && good;
    if (parameter->targetCount == 0 && good)
        good = add_target(reader, node, RV_TARGET_PATH, node->key, parameter);
    size_t outer;
    const rvNode* as = map ? rv_study_field(reader, map, "as", &outer) : NULL;
    if (as) {
        if (rv_study_text(reader, as, "text with {}", &parameter->as) && !strstr(parameter->as, "{}"))
            rv_study_mistake(reader, as, "has no {} for the value");
        rv_study_leave(reader, outer);
    }
    return good && check_unit(reader, node, parameter);
}
