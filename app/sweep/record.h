// SPDX-License-Identifier: MIT
// What is kept of one run, as bytes: they go from a worker to the journal as they are.
//
//   u64 run, u8 status, f64 wall time [s], u32 figures, f64 each; u32 length, message;
//   u32 events, u32 further events that were left out; of each event f64 time, u8 type, f64 value, u16 length, object;
//   u32 rows, u32 columns of the series, f64 each, row by row, the time first
//
// Little-endian, without padding.
#pragma once

#include "sweep/model.h"

#include "support/bytes.h"

#include <stdint.h>

enum { RV_EVENTS_KEPT_MAX = 1000, RV_MESSAGE_MAX = 1000 };

typedef struct {
    double time, value;
    int type;
    const char* object; // not closed by 0
    int objectLength;
} rvRecordEvent;

// A record to be read: it points into the bytes.
typedef struct {
    int64_t run;
    rvRunStatus status;
    double wall; // [s]
    uint32_t figureCount;
    const unsigned char* figures;
    const char* message; // not closed by 0
    uint32_t messageLength;
    uint32_t eventCount, eventsLeftOut;
    const unsigned char* events;
    uint32_t rows, columns;
    const unsigned char* series;
} rvRecord;

// False: the bytes are no record.
bool rv_record_read(const unsigned char* bytes, size_t size, rvRecord* record);
double rv_record_number(const unsigned char* numbers, size_t index);
// Moves *at, which begins at record->events, behind the event that it reads.
rvRecordEvent rv_record_event(const unsigned char** at);

// Writes run, status, wall time, figures and message; events and series follow by the two below, in this order.
void rv_record_begin(rvBytes* out, int64_t run, rvRunStatus status, double wall, const double* figures, int figureCount,
                     const char* message);
void rv_record_put_events(rvBytes* out, const rvBytes* events, uint32_t count, uint32_t leftOut);
void rv_record_put_series(rvBytes* out, const rvBytes* numbers, uint32_t columns);
// An event, to be collected for rv_record_put_events.
void rv_record_add_event(rvBytes* events, double time, int type, double value, const char* object);

// A run without results: it was stopped or its process is gone.
void rv_record_lost(rvBytes* out, int64_t run, rvRunStatus status, double wall, int figureCount, const char* message);
