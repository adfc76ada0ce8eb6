// SPDX-License-Identifier: MIT
// Records of runs, written and read. Reading trusts nothing: the bytes may come from a damaged file.
#include "sweep/record.h"

#include <math.h>
#include <string.h>

static void put_u64(rvBytes* out, uint64_t value)
{
    rv_bytes_add(out, &value, sizeof value);
}

// What stands before the figures, and the message behind them.
static void put_head(rvBytes* out, int64_t run, rvRunStatus status, double wall, int figureCount)
{
    out->size = 0;
    put_u64(out, (uint64_t)run);
    rv_bytes_u8(out, (unsigned)status);
    rv_bytes_f64(out, wall);
    rv_bytes_u32(out, (uint32_t)figureCount);
}

static void put_message(rvBytes* out, const char* message)
{
    size_t length = strlen(message);
    length = length < RV_MESSAGE_MAX ? length : RV_MESSAGE_MAX;
    rv_bytes_u32(out, (uint32_t)length);
    rv_bytes_add(out, message, length);
}

void rv_record_begin(rvBytes* out, int64_t run, rvRunStatus status, double wall, const double* figures, int figureCount,
                     const char* message)
{
    put_head(out, run, status, wall, figureCount);
    rv_bytes_add(out, figures, (size_t)figureCount * sizeof *figures);
    put_message(out, message);
}

void rv_record_add_event(rvBytes* events, double time, int type, double value, const char* object)
{
    size_t length = strlen(object);
    rv_bytes_f64(events, time);
    rv_bytes_u8(events, (unsigned)type);
    rv_bytes_f64(events, value);
    rv_bytes_u16(events, (unsigned)length);
    rv_bytes_add(events, object, length);
}

void rv_record_put_events(rvBytes* out, const rvBytes* events, uint32_t count, uint32_t leftOut)
{
    rv_bytes_u32(out, count);
    rv_bytes_u32(out, leftOut);
    rv_bytes_add(out, events->data, events->size);
}

void rv_record_put_series(rvBytes* out, const rvBytes* numbers, uint32_t columns)
{
    size_t rows = columns ? numbers->size / sizeof(double) / columns : 0;
    rv_bytes_u32(out, (uint32_t)rows);
    rv_bytes_u32(out, columns);
    rv_bytes_add(out, numbers->data, rows * columns * sizeof(double));
}

void rv_record_lost(rvBytes* out, int64_t run, rvRunStatus status, double wall, int figureCount, const char* message)
{
    const rvBytes none = {0};
    put_head(out, run, status, wall, figureCount);
    for (int i = 0; i < figureCount; ++i)
        rv_bytes_f64(out, (double)NAN);
    put_message(out, message);
    rv_record_put_events(out, &none, 0, 0);
    rv_record_put_series(out, &none, 0);
}

// ---- reading

typedef struct {
    const unsigned char *at, *end;
    bool failed;
} Cursor;

static const unsigned char* take(Cursor* cursor, uint64_t size)
{
    if (cursor->failed || (uint64_t)(cursor->end - cursor->at) < size) {
        cursor->failed = true;
        return NULL;
    }
    const unsigned char* bytes = cursor->at;
    cursor->at += size;
    return bytes;
}

static uint64_t take_number(Cursor* cursor, size_t size)
{
    uint64_t value = 0;
    const unsigned char* bytes = take(cursor, size);
    if (bytes)
        memcpy(&value, bytes, size);
    return value;
}

static double take_double(Cursor* cursor)
{
    uint64_t bits = take_number(cursor, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool rv_record_read(const unsigned char* bytes, size_t size, rvRecord* record)
{
    Cursor cursor = {.at = bytes, .end = bytes + size};
    memset(record, 0, sizeof *record);
    record->run = (int64_t)take_number(&cursor, 8);
    record->status = (rvRunStatus)take_number(&cursor, 1);
    record->wall = take_double(&cursor);
    record->figureCount = (uint32_t)take_number(&cursor, 4);
    record->figures = take(&cursor, 8ull * record->figureCount);
    record->messageLength = (uint32_t)take_number(&cursor, 4);
    record->message = (const char*)take(&cursor, record->messageLength);
    record->eventCount = (uint32_t)take_number(&cursor, 4);
    record->eventsLeftOut = (uint32_t)take_number(&cursor, 4);
    record->events = cursor.at;
    for (uint32_t i = 0; i < record->eventCount && !cursor.failed; ++i) {
        take(&cursor, 17);
        take(&cursor, take_number(&cursor, 2));
    }
    record->rows = (uint32_t)take_number(&cursor, 4);
    record->columns = (uint32_t)take_number(&cursor, 4);
    record->series = take(&cursor, 8ull * record->rows * record->columns);
    return !cursor.failed && cursor.at == cursor.end && record->run >= 0 && record->status > RV_RUN_PENDING &&
           record->status < RV_RUN_STATUS_COUNT;
}

double rv_record_number(const unsigned char* numbers, size_t index)
{
    double value;
    memcpy(&value, numbers + 8 * index, sizeof value);
    return value;
}

rvRecordEvent rv_record_event(const unsigned char** at)
{
    rvRecordEvent event = {0};
    uint16_t length;
    memcpy(&event.time, *at, 8);
    event.type = (*at)[8];
    memcpy(&event.value, *at + 9, 8);
    memcpy(&length, *at + 17, 2);
    event.object = (const char*)*at + 19;
    event.objectLength = length;
    *at += 19 + length;
    return event;
}
