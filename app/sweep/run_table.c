// SPDX-License-Identifier: MIT
// Reading a journal by run numbers.
#include "sweep/run_table.h"

#include "sweep/journal.h"

#include "support/interval.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    rvRunTable* results;
    const char* identity;
    bool named; // the first record came
} Visit;

static void count_events(rvRunTable* results, const rvRecord* record)
{
    const unsigned char* at = record->events;
    results->eventCount += record->eventCount;
    for (uint32_t i = 0; i < record->eventCount; ++i) {
        rvRecordEvent event = rv_record_event(&at);
        if ((size_t)event.objectLength > results->longestObject)
            results->longestObject = (size_t)event.objectLength;
    }
}

static bool on_record(void* context, rvJournalKind kind, int64_t offset, const unsigned char* bytes, size_t size)
{
    Visit* visit = context;
    rvRunTable* results = visit->results;
    if (kind == RV_JOURNAL_STUDY) {
        visit->named = true;
        results->other = size != strlen(visit->identity) || memcmp(bytes, visit->identity, size) != 0;
        return !results->other;
    }
    rvRecord record;
    if (kind != RV_JOURNAL_RUN || !rv_record_read(bytes, size, &record) || record.run >= results->study->runCount ||
        record.figureCount != (uint32_t)results->study->figureCount || results->offsets[record.run] != 0)
        return true;
    results->offsets[record.run] = offset;
    results->sizes[record.run] = (uint32_t)size;
    results->counts[record.status]++;
    results->done++;
    count_events(results, &record);
    if (record.messageLength > 0) {
        results->messageCount++;
        if (record.messageLength > results->longestMessage)
            results->longestMessage = record.messageLength;
    }
    return true;
}

bool rv_run_table_open(rvRunTable* results, const rvStudy* study, const char* identity, const char* path)
{
    memset(results, 0, sizeof *results);
    results->study = study;
    results->file = open(path, O_RDONLY | O_CLOEXEC);
    if (results->file < 0)
        return false;
    results->offsets = calloc((size_t)study->runCount, sizeof *results->offsets);
    results->sizes = calloc((size_t)study->runCount, sizeof *results->sizes);
    if (!results->offsets || !results->sizes) {
        errno = ENOMEM;
        return false;
    }
    rvJournalState state;
    Visit visit = {.results = results, .identity = identity};
    bool good = rv_journal_scan(results->file, on_record, &visit, &state);
    results->damaged = state.damaged;
    return good && visit.named && !results->other;
}

void rv_run_table_close(rvRunTable* results)
{
    if (results->file >= 0)
        close(results->file);
    free(results->offsets);
    free(results->sizes);
    rv_bytes_release(&results->buffer);
}

bool rv_run_table_read(rvRunTable* results, int64_t run, rvRecord* record)
{
    size_t size = results->sizes[run];
    if (results->offsets[run] == 0)
        return false;
    results->buffer.size = 0;
    if (size > results->buffer.capacity) {
        unsigned char* larger = realloc(results->buffer.data, size);
        if (!larger)
            return false;
        results->buffer.data = larger;
        results->buffer.capacity = size;
    }
    while (results->buffer.size < size) {
        ssize_t got = pread(results->file, results->buffer.data + results->buffer.size, size - results->buffer.size,
                            results->offsets[run] + (int64_t)results->buffer.size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        results->buffer.size += (size_t)got;
    }
    return rv_record_read(results->buffer.data, size, record);
}

void rv_run_table_figure(rvRunTable* results, int figure, double* values)
{
    rvRecord record;
    for (int64_t run = 0; run < results->study->runCount; ++run)
        values[run] =
            rv_run_table_read(results, run, &record) ? rv_record_number(record.figures, (size_t)figure) : (double)NAN;
}

const char* rv_status_name(rvRunStatus status)
{
    static const char* const names[] = {"pending", "ok", "diverged", "time limit", "failed"};
    return names[status];
}

bool rv_limit_exceeded(const rvLimit* limit, double value)
{
    return limit->above ? value > limit->threshold : value < limit->threshold;
}

rvLimitCount rv_limit_count(const rvStudy* study, const rvLimit* limit, const double* values, const rvRunTable* results)
{
    rvLimitCount count = {.low = 0.0, .high = 1.0};
    // an event or threshold that did not occur has no time; such a run does not exceed the limit
    rvFigureKind kind = study->figures[limit->figure].kind;
    bool mayMiss = kind == RV_FIGURE_FIRST || kind == RV_FIGURE_TIME_OF;
    int64_t ok = 0;
    for (int64_t run = 0; run < study->runCount; ++run) {
        ok += !isnan(values[run]);
        count.hits += rv_limit_exceeded(limit, values[run]);
    }
    count.runs = mayMiss ? results->counts[RV_RUN_OK] : ok;
    count.unknown = results->done - count.runs;
    count.probability = count.runs > 0 ? (double)count.hits / (double)count.runs : (double)NAN;
    double ignored;
    rv_clopper_pearson((long)count.hits, (long)results->done, study->confidence, &count.low, &ignored);
    rv_clopper_pearson((long)(count.hits + count.unknown), (long)results->done, study->confidence, &ignored,
                       &count.high);
    return count;
}
