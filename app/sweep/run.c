// SPDX-License-Identifier: MIT
// Figures of a run, collected step by step.
//
//   max, min     over the values at the start and after each step, within the window
//   mean         integral by the trapezoidal rule over the window, divided by its duration
//   percentile   of these values x_0 <= ... <= x_n: x at position rank/100 n, straight between neighbours
//   value        straight between the steps around its time
//   first        time of the first value beyond the threshold
#include "sweep/run.h"

#include "sweep/plan.h"

#include "support/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double value; // so far; NaN: nothing yet
    double integral, duration;
    double lastTime, lastValue;
    double* samples; // of a percentile
    size_t sampleCount, sampleCapacity;
} Collector;

struct rvRunner {
    const rvStudy* study;
    rvModel* model;
    double *quantities, *figures;
    Collector* collectors;
    rvBytes events, series;
    uint32_t eventCount, eventsLeftOut;
    bool wantsSeries, noMemory;
    double interval, nextSample, lastTime, lastSampled;
};

rvRunner* rv_runner_open(const rvStudy* study, char* error, size_t capacity)
{
    rvRunner* runner = calloc(1, sizeof *runner);
    snprintf(error, capacity, "no memory");
    if (!runner)
        return NULL;
    runner->study = study;
    runner->quantities = calloc((size_t)study->quantityCount + 1, sizeof *runner->quantities);
    runner->figures = calloc((size_t)study->figureCount + 1, sizeof *runner->figures);
    runner->collectors = calloc((size_t)study->figureCount + 1, sizeof *runner->collectors);
    bool good = runner->quantities && runner->figures && runner->collectors &&
                rv_model_load(study->scenePath, study->sets, study->setCount, &runner->model, error, capacity) == 0 &&
                rv_model_outputs(runner->model, study->outputs, study->outputCount, error, capacity);
    if (good) {
        runner->interval = study->series.interval > 0.0 ? study->series.interval : rv_model_interval(runner->model);
        return runner;
    }
    rv_runner_close(runner);
    return NULL;
}

void rv_runner_close(rvRunner* runner)
{
    if (!runner)
        return;
    for (int i = 0; i < runner->study->figureCount && runner->collectors; ++i)
        free(runner->collectors[i].samples);
    rv_bytes_release(&runner->events);
    rv_bytes_release(&runner->series);
    rv_model_free(runner->model);
    free(runner->collectors);
    free(runner->figures);
    free(runner->quantities);
    free(runner);
}

// ---- quantities

static double quantity_of(const rvQuantity* quantity, const double* values)
{
    const double *a = values + quantity->columns[0], *b = values + quantity->columns[1];
    switch (quantity->kind) {
    case RV_QUANTITY_ANGLE: // 0 where the second point hangs below the first
        return atan2(hypot(b[0] - a[0], b[1] - a[1]), a[2] - b[2]);
    case RV_QUANTITY_DISTANCE:
        return hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]);
    case RV_QUANTITY_MAGNITUDE:
        return hypot(hypot(a[0], a[1]), a[2]);
    case RV_QUANTITY_DIFFERENCE:
        return b[0] - a[0];
    default:
        return a[0];
    }
}

// ---- figures

static void add_sample(rvRunner* runner, Collector* collector, double value)
{
    if (collector->sampleCount == collector->sampleCapacity) {
        size_t wanted = collector->sampleCapacity ? 2 * collector->sampleCapacity : 4096;
        double* larger = realloc(collector->samples, wanted * sizeof *larger);
        if (!larger) {
            runner->noMemory = true;
            return;
        }
        collector->samples = larger;
        collector->sampleCapacity = wanted;
    }
    collector->samples[collector->sampleCount++] = value;
}

static void collect_mean(Collector* collector, double time, double value, bool first)
{
    if (!first) {
        collector->integral += 0.5 * (collector->lastValue + value) * (time - collector->lastTime);
        collector->duration += time - collector->lastTime;
    }
    collector->value = collector->duration > 0.0 ? collector->integral / collector->duration : value;
}

static void collect_value(Collector* collector, const rvFigure* figure, double time, double value, bool first)
{
    double slack = 1e-9 * (1.0 + figure->at); // times are multiples of the step, rounded
    if (!isnan(collector->value) || time < figure->at - slack)
        return;
    double span = time - collector->lastTime;
    collector->value =
        first || time < figure->at + slack
            ? value
            : collector->lastValue + (value - collector->lastValue) * (figure->at - collector->lastTime) / span;
}

static void collect(rvRunner* runner, const rvFigure* figure, Collector* collector, double time, double value)
{
    double slack = 1e-9 * (1.0 + fabs(time));
    if (figure->kind != RV_FIGURE_VALUE && (time < figure->from - slack || time > figure->to + slack))
        return;
    bool first = isnan(collector->lastTime);
    switch (figure->kind) {
    case RV_FIGURE_MAX:
        collector->value = first ? value : fmax(collector->value, value);
        break;
    case RV_FIGURE_MIN:
        collector->value = first ? value : fmin(collector->value, value);
        break;
    case RV_FIGURE_MEAN:
        collect_mean(collector, time, value, first);
        break;
    case RV_FIGURE_PERCENTILE:
        add_sample(runner, collector, value);
        break;
    case RV_FIGURE_VALUE:
        collect_value(collector, figure, time, value, first);
        break;
    default:
        if (isnan(collector->value) && (figure->above ? value > figure->threshold : value < figure->threshold))
            collector->value = time;
        break;
    }
    collector->lastTime = time;
    collector->lastValue = value;
}

static int compare_numbers(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double percentile(Collector* collector, double rank)
{
    if (collector->sampleCount == 0)
        return (double)NAN;
    qsort(collector->samples, collector->sampleCount, sizeof *collector->samples, compare_numbers);
    double position = rank / 100.0 * (double)(collector->sampleCount - 1);
    size_t below = (size_t)position;
    if (below + 1 >= collector->sampleCount)
        return collector->samples[collector->sampleCount - 1];
    double share = position - (double)below;
    return collector->samples[below] + share * (collector->samples[below + 1] - collector->samples[below]);
}

// ---- what the model reports

static void put_sample(rvRunner* runner, double time)
{
    const rvSeries* series = &runner->study->series;
    rv_bytes_f64(&runner->series, time);
    for (int i = 0; i < series->quantityCount; ++i)
        rv_bytes_f64(&runner->series, runner->quantities[series->quantities[i]]);
    runner->lastSampled = time;
}

static void on_sample(void* context, double time, const double* values)
{
    rvRunner* runner = context;
    const rvStudy* study = runner->study;
    for (int i = 0; i < study->quantityCount; ++i)
        runner->quantities[i] = quantity_of(&study->quantities[i], values);
    for (int i = 0; i < study->figureCount; ++i)
        if (study->figures[i].quantity >= 0)
            collect(runner, &study->figures[i], &runner->collectors[i], time,
                    runner->quantities[study->figures[i].quantity]);
    runner->lastTime = time;
    if (!runner->wantsSeries || time < runner->nextSample - 1e-9)
        return;
    put_sample(runner, time);
    while (runner->nextSample <= time + 1e-9)
        runner->nextSample += runner->interval;
}

// Is an object among those of an event: "hoist", or "block, load" of a contact.
static bool names_object(const char* objects, const char* name)
{
    size_t length = strlen(name);
    for (const char* at = objects; *at;) {
        size_t part = strcspn(at, ",");
        if (part == length && memcmp(at, name, length) == 0)
            return true;
        at += part + strspn(at + part, ", ");
    }
    return false;
}

static void on_event(void* context, double time, int type, double value, const char* object)
{
    rvRunner* runner = context;
    const rvStudy* study = runner->study;
    for (int i = 0; i < study->figureCount; ++i) {
        const rvFigure* figure = &study->figures[i];
        double* kept = &runner->collectors[i].value;
        if (figure->event != type || time < figure->from || time > figure->to ||
            (figure->object && !names_object(object, figure->object)))
            continue;
        if (figure->kind == RV_FIGURE_COUNT)
            *kept += 1.0;
        else if (isnan(*kept))
            *kept = time;
    }
    if (!(study->events >> type & 1))
        return;
    if (runner->eventCount == RV_EVENTS_KEPT_MAX) {
        runner->eventsLeftOut++;
        return;
    }
    rv_record_add_event(&runner->events, time, type, value, object);
    runner->eventCount++;
}

// ---- a run

static void start(rvRunner* runner, int64_t run)
{
    for (int i = 0; i < runner->study->figureCount; ++i) {
        Collector* collector = &runner->collectors[i];
        bool count = runner->study->figures[i].kind == RV_FIGURE_COUNT;
        collector->value = count ? 0.0 : (double)NAN;
        collector->integral = collector->duration = 0.0;
        collector->lastTime = collector->lastValue = (double)NAN;
        collector->sampleCount = 0;
    }
    runner->events.size = runner->series.size = 0;
    runner->eventCount = runner->eventsLeftOut = 0;
    runner->nextSample = 0.0;
    runner->lastTime = runner->lastSampled = -1.0;
    runner->wantsSeries = rv_study_has_series(runner->study, run);
    runner->noMemory = false;
}

static rvRunStatus run_model(rvRunner* runner, int64_t run, char* message, size_t capacity)
{
    rvSets sets = {0};
    rvObserver observer = {.context = runner, .sample = on_sample, .event = on_event};
    rv_plan_sets(runner->study, run, &sets);
    bool fits =
        !sets.failed && rv_model_set(runner->model, (const char* const*)sets.items, sets.count, message, capacity);
    if (sets.failed)
        snprintf(message, capacity, "no memory");
    rv_sets_release(&sets);
    return fits ? rv_model_run(runner->model, &observer, message, capacity) : RV_RUN_FAILED;
}

void rv_runner_do(rvRunner* runner, int64_t run, rvBytes* record)
{
    const rvStudy* study = runner->study;
    char message[RV_MESSAGE_MAX + 1] = "";
    double begin = rv_wall_clock();
    start(runner, run);
    rvRunStatus status = run_model(runner, run, message, sizeof message);
    if (status == RV_RUN_OK && runner->wantsSeries && runner->lastSampled < runner->lastTime)
        put_sample(runner, runner->lastTime);
    if (status == RV_RUN_OK && runner->noMemory) {
        status = RV_RUN_FAILED;
        snprintf(message, sizeof message, "no memory");
    }
    for (int i = 0; i < study->figureCount; ++i) {
        if (study->figures[i].kind == RV_FIGURE_PERCENTILE)
            runner->collectors[i].value = percentile(&runner->collectors[i], study->figures[i].at);
        // what was reached until it failed is not a figure of the run
        runner->figures[i] = status == RV_RUN_OK ? runner->collectors[i].value : (double)NAN;
    }
    rv_record_begin(record, run, status, rv_wall_clock() - begin, runner->figures, study->figureCount, message);
    rv_record_put_events(record, &runner->events, runner->eventCount, runner->eventsLeftOut);
    rv_record_put_series(record, &runner->series, runner->wantsSeries ? (uint32_t)study->series.quantityCount + 1 : 0);
    record->failed = record->failed || runner->events.failed || runner->series.failed;
}
