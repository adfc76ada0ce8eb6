// SPDX-License-Identifier: MIT
// Points in the unit cube (random, Latin hypercube, Sobol) or on a grid, and the values and changes that follow.
#include "sweep/plan.h"

#include "sweep/distribution.h"
#include "sweep/read.h"
#include "sweep/sobol.h"

#include "support/bytes.h"
#include "support/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A Feistel network over the next even number of bits, walked until it falls below count: a permutation without a
// table, so that its memory does not grow with the number of runs.
uint64_t rv_permute(uint64_t i, uint64_t count, uint64_t key)
{
    int half = 1;
    while (half < 31 && (uint64_t)1 << (2 * half) < count)
        ++half;
    uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        uint64_t left = i >> half, right = i & mask;
        for (uint64_t round = 0; round < 6; ++round) {
            uint64_t mixed = left ^ (rv_random_stream(key, round, right) & mask);
            left = right;
            right = mixed;
        }
        i = left << half | right;
    } while (i >= count);
    return i;
}

// ---- values

// The coordinate of a run in the unit cube, within (0, 1).
static double unit_coordinate(const rvStudy* study, int64_t run, int index)
{
    const rvParameter* parameter = &study->parameters[index];
    uint64_t seed = rv_random_stream(study->seed, (uint64_t)run, parameter->stream);
    // what is one number of the whole study for a parameter: the shift of Sobol's points, the order of strata
    uint64_t common = rv_random_stream(study->seed, UINT64_MAX, parameter->stream);
    double u;
    if (study->plan == RV_PLAN_SOBOL) {
        uint32_t point = rv_sobol((uint32_t)run, index) ^ (uint32_t)(common >> 32);
        return ((double)point + 0.5) * 0x1p-32;
    }
    u = rv_draw(&seed);
    if (study->plan == RV_PLAN_LATIN)
        u = ((double)rv_permute((uint64_t)run, (uint64_t)study->runCount, common) + u) / (double)study->runCount;
    return fmin(fmax(u, 0x1p-60), 1.0 - 0x1p-53);
}

// The level of a parameter at a point of the grid: the last parameter changes fastest.
static int grid_level(const rvStudy* study, int64_t run, int index)
{
    int64_t point = run / study->repeat;
    for (int i = study->parameterCount - 1; i > index; --i)
        if (study->parameters[i].levelCount > 0)
            point /= study->parameters[i].levelCount;
    return (int)(point % study->parameters[index].levelCount);
}

static rvDrawn at_level(const rvParameter* parameter, int level)
{
    return (rvDrawn){.number = parameter->numeric ? parameter->numbers[level] : (double)NAN, .level = level};
}

rvDrawn rv_plan_draw(const rvStudy* study, int64_t run, int index)
{
    const rvParameter* parameter = &study->parameters[index];
    if (parameter->levelCount > 0 && study->plan == RV_PLAN_GRID)
        return at_level(parameter, grid_level(study, run, index));
    double u = unit_coordinate(study, run, index);
    if (parameter->levelCount > 0) {
        int level = (int)(u * parameter->levelCount);
        return at_level(parameter, level < parameter->levelCount ? level : parameter->levelCount - 1);
    }
    return (rvDrawn){.number = rv_quantile(&parameter->draw, u), .level = -1};
}

rvDrawn rv_plan_typical(const rvParameter* parameter)
{
    if (parameter->levelCount > 0)
        return at_level(parameter, 0);
    return (rvDrawn){.number = rv_quantile(&parameter->draw, 0.5), .level = -1};
}

// ---- changes of the scene

static void add_set(rvSets* sets, rvBytes* text)
{
    rv_bytes_u8(text, 0);
    if (sets->count == sets->capacity) {
        int wanted = sets->capacity ? 2 * sets->capacity : 16;
        char** larger = realloc(sets->items, (size_t)wanted * sizeof *larger);
        if (!larger) {
            sets->failed = true;
            rv_bytes_release(text);
            return;
        }
        sets->items = larger;
        sets->capacity = wanted;
    }
    if (text->failed) {
        sets->failed = true;
        rv_bytes_release(text);
        return;
    }
    sets->items[sets->count++] = (char*)text->data;
}

void rv_sets_release(rvSets* sets)
{
    for (int i = 0; i < sets->count; ++i)
        free(sets->items[i]);
    free(sets->items);
    memset(sets, 0, sizeof *sets);
}

static void put_number(rvBytes* out, double value, const char* unit)
{
    char text[120];
    rvText line = {text, sizeof text, 0};
    rv_study_put_number(&line, value, unit);
    rv_bytes_printf(out, "%s", text);
}

static void put_path(const rvParameter* parameter, const char* path, rvDrawn value, rvSets* sets)
{
    rvBytes text = {0}, written = {0};
    if (parameter->numeric)
        put_number(&written, value.number, parameter->unit);
    else
        rv_bytes_printf(&written, "%s", parameter->texts[value.level]);
    rv_bytes_u8(&written, 0);
    rv_bytes_printf(&text, "%s=", path);
    const char* as = parameter->as ? parameter->as : "{}";
    for (const char* gap = strstr(as, "{}"); gap && written.data; gap = strstr(as, "{}")) {
        rv_bytes_printf(&text, "%.*s%s", (int)(gap - as), as, (const char*)written.data);
        as = gap + 2;
    }
    rv_bytes_printf(&text, "%s", as);
    text.failed = text.failed || written.failed;
    rv_bytes_release(&written);
    add_set(sets, &text);
}

// A command's table, shifted and scaled.
static void put_table(const rvTarget* target, double delay, double scale, rvSets* sets)
{
    rvBytes text = {0};
    rv_bytes_printf(&text, "%s=[", target->path);
    for (int i = 0; i < target->rowCount; ++i) {
        rv_bytes_printf(&text, i ? ", [" : "[");
        put_number(&text, target->rows[i].time + delay, "");
        rv_bytes_printf(&text, target->width > 1 ? ", [" : ", ");
        for (int k = 0; k < target->width; ++k) {
            if (k)
                rv_bytes_printf(&text, ", ");
            put_number(&text, target->rows[i].values[k] * scale, target->rows[i].units[k]);
        }
        rv_bytes_printf(&text, target->width > 1 ? "]]" : "]");
    }
    rv_bytes_printf(&text, "]");
    add_set(sets, &text);
}

// Several parameters may delay and scale one command: together they make one change.
static void put_command(const rvStudy* study, const rvDrawn* values, int parameter, int index, rvSets* sets)
{
    const rvTarget* target = &study->parameters[parameter].targets[index];
    double delay = 0.0, scale = 1.0;
    for (int p = 0; p < study->parameterCount; ++p) {
        const rvParameter* other = &study->parameters[p];
        for (int t = 0; t < other->targetCount; ++t) {
            if (strcmp(other->targets[t].path, target->path) != 0)
                continue;
            if (p < parameter || (p == parameter && t < index))
                return; // done by that one
            if (other->targets[t].kind == RV_TARGET_DELAY)
                delay += values[p].number * other->factor;
            else
                scale *= values[p].number * other->factor;
        }
    }
    put_table(target, delay, scale, sets);
}

void rv_plan_put(const rvStudy* study, const rvDrawn* values, rvSets* sets)
{
    for (int p = 0; p < study->parameterCount; ++p) {
        const rvParameter* parameter = &study->parameters[p];
        for (int t = 0; t < parameter->targetCount; ++t) {
            if (parameter->targets[t].kind == RV_TARGET_PATH)
                put_path(parameter, parameter->targets[t].path, values[p], sets);
            else
                put_command(study, values, p, t, sets);
        }
    }
}

void rv_plan_sets(const rvStudy* study, int64_t run, rvSets* sets)
{
    rvDrawn* values = calloc((size_t)study->parameterCount + 1, sizeof *values);
    if (!values) {
        sets->failed = true;
        return;
    }
    for (int p = 0; p < study->parameterCount; ++p)
        values[p] = rv_plan_draw(study, run, p);
    rv_plan_put(study, values, sets);
    free(values);
}
