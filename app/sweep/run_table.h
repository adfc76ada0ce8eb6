// SPDX-License-Identifier: MIT
// The runs of a journal by their numbers. Only where each record stands is kept in memory, so that it stays small.
#pragma once

#include "sweep/record.h"
#include "sweep/study.h"

typedef struct {
    const rvStudy* study;
    int file;
    int64_t* offsets; // of the record of each run; 0: it is not done
    uint32_t* sizes;
    int64_t counts[RV_RUN_STATUS_COUNT];
    int64_t done;
    int64_t eventCount, messageCount;
    size_t longestMessage, longestObject;
    bool other;      // the journal is of another study
    int64_t damaged; // places of the journal that hold no whole record
    rvBytes buffer;  // the record that was read last
} rvRunTable;

// False: errno says why, or `other` is set.
bool rv_run_table_open(rvRunTable* results, const rvStudy* study, const char* identity, const char* path);
void rv_run_table_close(rvRunTable* results);

// The record of a run, valid until the next call. False: it is not done.
bool rv_run_table_read(rvRunTable* results, int64_t run, rvRecord* record);

// A figure of all runs, NaN where there is none.
void rv_run_table_figure(rvRunTable* results, int figure, double* values);

// "ok", "diverged", "time limit", "failed"
const char* rv_status_name(rvRunStatus status);

// How often a limit was exceeded. Runs without a figure are counted apart: with them the interval is wider, as each of
// them may or may not have exceeded it.
typedef struct {
    int64_t hits, runs, unknown; // of `runs` whose figure is known
    double probability, low, high;
} rvLimitCount;

bool rv_limit_exceeded(const rvLimit* limit, double value);
rvLimitCount rv_limit_count(const rvStudy* study, const rvLimit* limit, const double* values,
                            const rvRunTable* results);
