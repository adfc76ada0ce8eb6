// SPDX-License-Identifier: MIT
// The HDF5 file: plain numbers and texts of fixed length, contiguous, one entry per run in the order of run numbers.
// Runs are read block by block, so that memory does not grow with their number.
#include "sweep/archive.h"

#include "sweep/plan.h"

#include "reeve/base.h"

#include <errno.h>
#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 4096 };

typedef struct {
    hid_t file;
    rvRunTable* results;
    const rvStudy* study;
    bool failed;
} Writer;

// ---- small things

static hid_t text_type(size_t length)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, length > 0 ? length : 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static void check(Writer* w, long status)
{
    w->failed = w->failed || status < 0;
}

static void put_attribute(Writer* w, hid_t object, const char* name, hid_t type, const void* value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    check(w, attribute);
    if (attribute >= 0) {
        check(w, H5Awrite(attribute, type, value));
        check(w, H5Aclose(attribute));
    }
    H5Sclose(space);
}

static void put_text(Writer* w, hid_t object, const char* name, const char* text)
{
    hid_t type = text_type(strlen(text));
    put_attribute(w, object, name, type, text);
    H5Tclose(type);
}

static void put_number(Writer* w, hid_t object, const char* name, double value)
{
    put_attribute(w, object, name, H5T_NATIVE_DOUBLE, &value);
}

static void put_integer(Writer* w, hid_t object, const char* name, int64_t value)
{
    put_attribute(w, object, name, H5T_NATIVE_INT64, &value);
}

static hid_t make_group(Writer* w, hid_t parent, const char* name)
{
    hid_t list = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(list, false);
    H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED); // as in the study
    hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, list, H5P_DEFAULT);
    check(w, group);
    H5Pclose(list);
    return group;
}

// A dataset of `rows` entries, or of rows x columns where columns > 0.
static hid_t make_dataset(Writer* w, hid_t parent, const char* name, hid_t type, int64_t rows, int64_t columns)
{
    hsize_t sizes[2] = {(hsize_t)rows, (hsize_t)columns};
    hid_t space = H5Screate_simple(columns > 0 ? 2 : 1, sizes, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(list, false); // the same results, the same bytes
    H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
    hid_t set = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    check(w, set);
    H5Pclose(list);
    H5Sclose(space);
    return set;
}

// Writes `count` entries from `first` on.
static void write_part(Writer* w, hid_t set, hid_t type, int64_t first, int64_t count, const void* values)
{
    hsize_t start = (hsize_t)first, length = (hsize_t)count;
    if (set < 0 || count == 0 || w->failed)
        return;
    hid_t space = H5Dget_space(set), memory = H5Screate_simple(1, &length, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &length, NULL);
    check(w, H5Dwrite(set, type, memory, space, H5P_DEFAULT, values));
    H5Sclose(memory);
    H5Sclose(space);
}

static void close_set(Writer* w, hid_t set)
{
    if (set >= 0)
        check(w, H5Dclose(set));
}

static void put_text_set(Writer* w, hid_t parent, const char* name, const char* text)
{
    hid_t type = text_type(strlen(text)), space = H5Screate(H5S_SCALAR), list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(list, false);
    hid_t set = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    check(w, set);
    if (set >= 0)
        check(w, H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text));
    close_set(w, set);
    H5Pclose(list);
    H5Sclose(space);
    H5Tclose(type);
}

// ---- what all runs have: parameters, figures, status

static void put_parameter(Writer* w, hid_t group, int index)
{
    const rvParameter* parameter = &w->study->parameters[index];
    int64_t count = w->study->runCount;
    size_t longest = 1;
    for (int i = 0; i < parameter->levelCount && !parameter->numeric; ++i)
        longest = strlen(parameter->texts[i]) > longest ? strlen(parameter->texts[i]) : longest;
    hid_t type = parameter->numeric ? H5Tcopy(H5T_NATIVE_DOUBLE) : text_type(longest);
    size_t size = parameter->numeric ? sizeof(double) : longest;
    hid_t set = make_dataset(w, group, parameter->name, type, count, 0);
    char* block = calloc(BLOCK, size);
    check(w, block ? 0 : -1);
    for (int64_t first = 0; first < count && !w->failed; first += BLOCK) {
        int64_t part = count - first < BLOCK ? count - first : BLOCK;
        for (int64_t i = 0; i < part; ++i) {
            rvDrawn drawn = rv_plan_draw(w->study, first + i, index);
            if (parameter->numeric)
                memcpy(block + (size_t)i * size, &drawn.number, sizeof drawn.number);
            else
                memcpy(memset(block + (size_t)i * size, 0, size), parameter->texts[drawn.level],
                       strlen(parameter->texts[drawn.level]));
        }
        write_part(w, set, type, first, part, block);
    }
    if (set >= 0) {
        put_text(w, set, "unit", *parameter->unit ? parameter->unit : "1");
        put_text(w, set, "path", parameter->targets[0].path);
    }
    close_set(w, set);
    H5Tclose(type);
    free(block);
}

static void put_parameters(Writer* w)
{
    hid_t group = make_group(w, w->file, "parameters");
    for (int i = 0; i < w->study->parameterCount && !w->failed; ++i)
        put_parameter(w, group, i);
    H5Gclose(group);
}

// The sets that are filled together, in one walk through the journal.
typedef struct {
    hid_t* figures;
    hid_t status, wall, eventRun, eventTime, eventKind, eventValue, eventObject, failureRun, failureMessage;
    hid_t objectType, messageType;
    double* figureBlock; // BLOCK of each figure
    int8_t statusBlock[BLOCK];
    double wallBlock[BLOCK];
    int64_t events, failures; // written so far
} Sets;

static void open_figures(Writer* w, Sets* sets, hid_t group)
{
    for (int i = 0; i < w->study->figureCount; ++i) {
        const rvFigure* figure = &w->study->figures[i];
        sets->figures[i] = make_dataset(w, group, figure->name, H5T_NATIVE_DOUBLE, w->study->runCount, 0);
        if (sets->figures[i] < 0)
            continue;
        put_text(w, sets->figures[i], "unit", *figure->unit ? figure->unit : "1");
        put_text(w, sets->figures[i], "meaning", figure->text);
    }
}

static void open_runs(Writer* w, Sets* sets)
{
    int64_t count = w->study->runCount;
    hid_t runs = make_group(w, w->file, "runs"), timing = make_group(w, w->file, "timing");
    sets->status = make_dataset(w, runs, "status", H5T_NATIVE_INT8, count, 0);
    sets->wall = make_dataset(w, timing, "wall", H5T_NATIVE_DOUBLE, count, 0);
    if (w->failed)
        return;
    put_text(w, sets->status, "meaning", "0 not run, 1 ok, 2 diverged, 3 stopped at its time limit, 4 failed");
    put_text(w, sets->wall, "unit", "s");
    put_text(w, sets->wall, "meaning", "wall time of each run: the only numbers that differ when a study is repeated");
    hid_t failures = make_group(w, w->file, "failures"), events = make_group(w, w->file, "events");
    sets->failureRun = make_dataset(w, failures, "run", H5T_NATIVE_INT64, w->results->messageCount, 0);
    sets->failureMessage = make_dataset(w, failures, "message", sets->messageType, w->results->messageCount, 0);
    sets->eventRun = make_dataset(w, events, "run", H5T_NATIVE_INT64, w->results->eventCount, 0);
    sets->eventTime = make_dataset(w, events, "time", H5T_NATIVE_DOUBLE, w->results->eventCount, 0);
    sets->eventKind = make_dataset(w, events, "kind", H5T_NATIVE_INT8, w->results->eventCount, 0);
    sets->eventValue = make_dataset(w, events, "value", H5T_NATIVE_DOUBLE, w->results->eventCount, 0);
    sets->eventObject = make_dataset(w, events, "object", sets->objectType, w->results->eventCount, 0);
    char words[600];
    int length = 0;
    for (int i = 0; rv_event_word(i); ++i)
        length +=
            snprintf(words + length, sizeof words - (size_t)length, "%s%d %s", i ? ", " : "", i, rv_event_word(i));
    if (!w->failed)
        put_text(w, sets->eventKind, "meaning", words);
    H5Gclose(events);
    H5Gclose(failures);
    H5Gclose(timing);
    H5Gclose(runs);
}

static void put_run_events(Writer* w, Sets* sets, const rvRecord* record)
{
    size_t size = w->results->longestObject > 0 ? w->results->longestObject : 1;
    const unsigned char* at = record->events;
    uint32_t count = record->eventCount;
    int64_t runs[RV_EVENTS_KEPT_MAX];
    double times[RV_EVENTS_KEPT_MAX], values[RV_EVENTS_KEPT_MAX];
    int8_t kinds[RV_EVENTS_KEPT_MAX];
    char* objects = count > 0 && count <= RV_EVENTS_KEPT_MAX ? calloc(count, size) : NULL;
    if (!objects)
        return;
    for (uint32_t i = 0; i < count; ++i) {
        rvRecordEvent event = rv_record_event(&at);
        runs[i] = record->run;
        times[i] = event.time;
        values[i] = event.value;
        kinds[i] = (int8_t)event.type;
        memcpy(objects + i * size, event.object, (size_t)event.objectLength);
    }
    write_part(w, sets->eventRun, H5T_NATIVE_INT64, sets->events, count, runs);
    write_part(w, sets->eventTime, H5T_NATIVE_DOUBLE, sets->events, count, times);
    write_part(w, sets->eventKind, H5T_NATIVE_INT8, sets->events, count, kinds);
    write_part(w, sets->eventValue, H5T_NATIVE_DOUBLE, sets->events, count, values);
    write_part(w, sets->eventObject, sets->objectType, sets->events, count, objects);
    sets->events += count;
    free(objects);
}

static void put_run_message(Writer* w, Sets* sets, const rvRecord* record)
{
    char* message = record->messageLength > 0 ? calloc(1, w->results->longestMessage) : NULL;
    if (!message)
        return;
    memcpy(message, record->message, record->messageLength);
    write_part(w, sets->failureRun, H5T_NATIVE_INT64, sets->failures, 1, &record->run);
    write_part(w, sets->failureMessage, sets->messageType, sets->failures, 1, message);
    sets->failures++;
    free(message);
}

// Group series/run_000012 with a set for the time and for each output.
static void put_run_series(Writer* w, hid_t group, const rvRecord* record)
{
    const rvSeries* series = &w->study->series;
    char name[40];
    if (record->rows == 0 || record->columns != (uint32_t)series->quantityCount + 1)
        return;
    snprintf(name, sizeof name, "run_%06lld", (long long)record->run);
    hid_t one = make_group(w, group, name);
    double* column = malloc(record->rows * sizeof *column);
    check(w, column ? 0 : -1);
    for (uint32_t c = 0; c < record->columns && !w->failed; ++c) {
        const rvQuantity* quantity = c > 0 ? &w->study->quantities[series->quantities[c - 1]] : NULL;
        const char* unit = !quantity ? "s" : *quantity->unit ? quantity->unit : "1";
        for (uint32_t r = 0; r < record->rows; ++r)
            column[r] = rv_record_number(record->series, (size_t)r * record->columns + c);
        hid_t set = make_dataset(w, one, quantity ? quantity->name : "time", H5T_NATIVE_DOUBLE, record->rows, 0);
        write_part(w, set, H5T_NATIVE_DOUBLE, 0, record->rows, column);
        if (set >= 0)
            put_text(w, set, "unit", unit);
        close_set(w, set);
    }
    free(column);
    H5Gclose(one);
}

static void put_block(Writer* w, Sets* sets, hid_t series, int64_t first, int64_t count)
{
    int figures = w->study->figureCount;
    for (int64_t i = 0; i < count; ++i) {
        rvRecord record;
        bool done = rv_run_table_read(w->results, first + i, &record);
        check(w, done || w->results->offsets[first + i] == 0 ? 0 : -1);
        sets->statusBlock[i] = done ? (int8_t)record.status : RV_RUN_PENDING;
        sets->wallBlock[i] = done ? record.wall : (double)NAN;
        for (int k = 0; k < figures; ++k)
            sets->figureBlock[(int64_t)k * BLOCK + i] =
                done ? rv_record_number(record.figures, (size_t)k) : (double)NAN;
        if (!done)
            continue;
        put_run_events(w, sets, &record);
        put_run_message(w, sets, &record);
        put_run_series(w, series, &record);
    }
    write_part(w, sets->status, H5T_NATIVE_INT8, first, count, sets->statusBlock);
    write_part(w, sets->wall, H5T_NATIVE_DOUBLE, first, count, sets->wallBlock);
    for (int k = 0; k < figures; ++k)
        write_part(w, sets->figures[k], H5T_NATIVE_DOUBLE, first, count, sets->figureBlock + (int64_t)k * BLOCK);
}

static void put_runs(Writer* w)
{
    int figures = w->study->figureCount;
    Sets* sets = calloc(1, sizeof *sets);
    if (sets) {
        sets->figures = calloc((size_t)figures + 1, sizeof *sets->figures);
        sets->figureBlock = calloc((size_t)(figures + 1) * BLOCK, sizeof *sets->figureBlock);
    }
    if (!sets || !sets->figures || !sets->figureBlock) {
        check(w, -1);
    } else {
        sets->objectType = text_type(w->results->longestObject);
        sets->messageType = text_type(w->results->longestMessage);
        hid_t group = make_group(w, w->file, "figures");
        open_figures(w, sets, group);
        open_runs(w, sets);
        hid_t series = w->study->series.quantityCount > 0 ? make_group(w, w->file, "series") : -1;
        for (int64_t first = 0; first < w->study->runCount && !w->failed; first += BLOCK)
            put_block(w, sets, series, first, w->study->runCount - first < BLOCK ? w->study->runCount - first : BLOCK);
        const hid_t all[] = {sets->status,      sets->wall,       sets->eventRun,
                             sets->eventTime,   sets->eventKind,  sets->eventValue,
                             sets->eventObject, sets->failureRun, sets->failureMessage};
        for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
            close_set(w, all[i] > 0 ? all[i] : -1);
        for (int i = 0; i < figures; ++i)
            close_set(w, sets->figures[i] > 0 ? sets->figures[i] : -1);
        if (series >= 0)
            H5Gclose(series);
        H5Gclose(group);
        H5Tclose(sets->messageType);
        H5Tclose(sets->objectType);
    }
    if (sets) {
        free(sets->figureBlock);
        free(sets->figures);
    }
    free(sets);
}

// ---- limits

static void put_limits(Writer* w)
{
    double* values = malloc((size_t)w->study->runCount * sizeof *values);
    check(w, values ? 0 : -1);
    hid_t group = make_group(w, w->file, "limits");
    for (int i = 0; i < w->study->limitCount && !w->failed; ++i) {
        const rvLimit* limit = &w->study->limits[i];
        rv_run_table_figure(w->results, limit->figure, values);
        rvLimitCount count = rv_limit_count(w->study, limit, values, w->results);
        hid_t one = make_group(w, group, limit->name);
        put_text(w, one, "meaning", limit->text);
        put_text(w, one, "figure", w->study->figures[limit->figure].name);
        put_number(w, one, "threshold", limit->threshold);
        put_integer(w, one, "exceeded", count.hits);
        put_integer(w, one, "runs", count.runs);
        put_integer(w, one, "unknown", count.unknown);
        put_number(w, one, "probability", count.probability);
        put_number(w, one, "low", count.low);
        put_number(w, one, "high", count.high);
        put_number(w, one, "confidence", w->study->confidence);
        H5Gclose(one);
    }
    H5Gclose(group);
    free(values);
}

// ---- the file

static void put_study(Writer* w, const char* identity)
{
    const rvStudy* study = w->study;
    put_text(w, w->file, "format", "reeve sweep");
    put_integer(w, w->file, "format_version", 1);
    put_text(w, w->file, "reeve_version", rvVersion());
    put_text(w, w->file, "title", study->title);
    put_text(w, w->file, "plan", rvPlanNames[study->plan]);
    put_integer(w, w->file, "seed", (int64_t)study->seed);
    put_integer(w, w->file, "runs", study->runCount);
    put_integer(w, w->file, "runs_done", w->results->done);
    put_text_set(w, w->file, "study", study->text);
    put_text_set(w, w->file, "scene", study->sceneText);
    put_text_set(w, w->file, "identity", identity);
}

rvArchiveStatus rv_archive_write(const char* path, rvRunTable* results, const char* identity, char* error,
                                 size_t capacity)
{
    char fresh[1200];
    snprintf(fresh, sizeof fresh, "%s.new", path);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t list = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_obj_track_times(list, false);
    errno = 0;
    Writer w = {
        .file = H5Fcreate(fresh, H5F_ACC_TRUNC, list, H5P_DEFAULT), .results = results, .study = results->study};
    H5Pclose(list);
    check(&w, w.file);
    if (!w.failed)
        put_study(&w, identity);
    if (!w.failed)
        put_parameters(&w);
    if (!w.failed)
        put_runs(&w);
    if (!w.failed)
        put_limits(&w);
    if (w.file >= 0) {
        check(&w, H5Fflush(w.file, H5F_SCOPE_LOCAL));
        check(&w, H5Fclose(w.file));
    }
    if (!w.failed && rename(fresh, path) == 0)
        return RV_ARCHIVE_OK;
    snprintf(error, capacity, "%s: %s", path, errno ? strerror(errno) : "HDF5 cannot write it");
    unlink(fresh);
    return RV_ARCHIVE_FAILED;
}

rvArchiveKind rv_archive_kind_of(const char* path, const char* identity)
{
    if (access(path, F_OK) != 0)
        return RV_ARCHIVE_NONE;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0)
        return RV_ARCHIVE_NO_HDF5;
    rvArchiveKind kind = RV_ARCHIVE_OTHER;
    hid_t set = H5Dopen2(file, "identity", H5P_DEFAULT);
    if (set >= 0) {
        hid_t type = H5Dget_type(set);
        size_t size = H5Tget_size(type), length = strlen(identity);
        char* text = calloc(1, size + 1);
        if (text && H5Tget_class(type) == H5T_STRING && !H5Tis_variable_str(type) && size == length &&
            H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0 && memcmp(text, identity, size) == 0)
            kind = RV_ARCHIVE_SAME;
        free(text);
        H5Tclose(type);
        H5Dclose(set);
    }
    H5Fclose(file);
    return kind;
}
