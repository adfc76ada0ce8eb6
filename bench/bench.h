// SPDX-License-Identifier: MIT
// Benchmarks: each fills rows of one form, printed as a table, as JSON or as Markdown.
//
// A new benchmark is one file cases/<name>.c and one line in the table of cases.c.
#pragma once

#include "reeve/base.h"
#include "support/bytes.h"

#include <math.h>
#include <stdio.h>

// `reeve bench ...`: 0 all goals hold, 1 some do not, 2 the arguments are wrong.
int rv_bench_command(int argc, char** argv);

// What a row must show. The ratio is ours / reference.
typedef enum {
    RV_GOAL_NONE = 0,
    RV_GOAL_OURS_AT_MOST,
    RV_GOAL_OURS_AT_LEAST,
    RV_GOAL_RATIO_AT_MOST,
    RV_GOAL_RATIO_WITHIN, // |ratio - 1| <= value
} rvGoalKind;

typedef struct {
    rvGoalKind kind;
    double value;
} rvGoal;

// Stands for a number that does not exist: null in JSON, "-" in a table.
#define RV_NO_NUMBER ((double)NAN)

typedef struct {
    char name[96]; // the case
    const char* unit;
    double ours, reference;
    char source[96]; // where the reference comes from: a table, a peer of the same run, a closed form, a limit
    rvGoal goal;
    bool detail; // too fine for docs/bench
} rvBenchRow;

typedef struct {
    char peer[48];
    char why[96];
} rvLeftOut;

typedef struct {
    const char* name;
    const char* summary;
    const char* progress; // prefix of progress lines on a terminal, or NULL for none
    const char* plot;     // folder for plots, or NULL for none
    bool quick;           // a run of about a second, to see that all works; its times mean little
    long first, count;    // which random machines (random); 0: as many as it finds enough
    double seconds;       // of each; 0: as it finds enough
    bool rates;           // how often random scenes fail (random)
    long block;           // of numbers that nobody looked at, for that; 0: the next one
    long walk;            // configurations of the random walk alone (route); 0: the whole benchmark
    const char* only;     // part of the name of the cases (cranes) or families (random) to run, or NULL for all
    long steps;           // to time in each case, where a benchmark counts them; 0: as many as it finds enough
    rvBenchRow* rows;
    int rowCount, rowCapacity;
    rvLeftOut* leftOut;
    int leftOutCount, leftOutCapacity;
} rvBench;

typedef struct {
    const char* name;
    const char* summary;
    void (*run)(rvBench* bench);
} rvBenchEntry;

// All benchmarks there are.
const rvBenchEntry* rv_bench_entries(int* count);

// Runs one and answers its rows; release them afterwards.
rvBench rv_bench_run(const rvBenchEntry* entry, bool quick, long steps, bool progress, const char* plot);
// The same with all that `options` says: plot, only, quick, steps, first, count, seconds, walk.
rvBench rv_bench_run_as(const rvBenchEntry* entry, rvBench options, bool progress);
void rv_bench_release(rvBench* bench);

// For the benchmarks.
void rv_bench_add(rvBench* bench, rvBenchRow row);
void rv_bench_leave_out(rvBench* bench, const char* peer, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
void rv_bench_progress(const rvBench* bench, const char* format, ...) __attribute__((format(printf, 2, 3)));
rvBenchRow rv_bench_row(const char* unit, double ours, double reference, const char* source, const char* format, ...)
    __attribute__((format(printf, 5, 6)));
rvBenchRow rv_bench_goal(rvBenchRow row, rvGoalKind kind, double value);

// Ours / reference, RV_NO_NUMBER where it does not exist.
double rv_bench_ratio(const rvBenchRow* row);

// 1 the goal holds, 0 it does not, -1 there is none.
int rv_bench_holds(const rvBenchRow* row);

// Processor time of this thread [s]: does not count what other programs take.
double rv_bench_clock(void);

// The three forms of printing.
void rv_bench_print_table(const rvBench* bench, FILE* out);
void rv_bench_put_json(const rvBench* bench, rvBytes* json);
void rv_bench_print_markdown(const rvBench* bench, FILE* out);

// The benchmarks.
void rv_bench_solver(rvBench* bench);
void rv_bench_contact(rvBench* bench);
void rv_bench_massless(rvBench* bench);
void rv_bench_accuracy(rvBench* bench);
void rv_bench_random(rvBench* bench);
void rv_bench_servin(rvBench* bench);
void rv_bench_route(rvBench* bench);
void rv_bench_walk(rvBench* bench, long configurations); // a part of route
void rv_bench_layered(rvBench* bench);
void rv_bench_change(rvBench* bench);
void rv_bench_reeving(rvBench* bench);
void rv_bench_westin(rvBench* bench);
void rv_bench_ancf(rvBench* bench);
void rv_bench_ale(rvBench* bench);
void rv_bench_cranes(rvBench* bench);
void rv_bench_hosts(rvBench* bench);
void rv_bench_sweep(rvBench* bench);
void rv_bench_wakamatsu(rvBench* bench);
