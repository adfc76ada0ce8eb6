// SPDX-License-Identifier: MIT
// Rows of benchmarks: collecting, judging and printing them.
#include "bench.h"

#include "support/json.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double rv_bench_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// One more item at the end. A benchmark without memory has nothing to say, so it ends the program.
static void* append(void** items, int* count, int* capacity, size_t size)
{
    if (*count == *capacity) {
        int wanted = *capacity ? 2 * *capacity : 32;
        void* grown = realloc(*items, (size_t)wanted * size);
        if (!grown) {
            fputs("reeve bench: out of memory\n", stderr);
            exit(EXIT_FAILURE);
        }
        *items = grown;
        *capacity = wanted;
    }
    void* item = (char*)*items + (size_t)(*count)++ * size;
    memset(item, 0, size);
    return item;
}

void rv_bench_add(rvBench* bench, rvBenchRow row)
{
    void* rows = bench->rows;
    rvBenchRow* place = append(&rows, &bench->rowCount, &bench->rowCapacity, sizeof(rvBenchRow));
    bench->rows = rows;
    *place = row;
}

void rv_bench_leave_out(rvBench* bench, const char* peer, const char* format, ...)
{
    rvLeftOut left = {0};
    snprintf(left.peer, sizeof(left.peer), "%s", peer);
    va_list list;
    va_start(list, format);
    vsnprintf(left.why, sizeof(left.why), format, list);
    va_end(list);
    for (int i = 0; i < bench->leftOutCount; i++)
        if (!strcmp(bench->leftOut[i].peer, left.peer) && !strcmp(bench->leftOut[i].why, left.why))
            return;
    void* items = bench->leftOut;
    rvLeftOut* place = append(&items, &bench->leftOutCount, &bench->leftOutCapacity, sizeof(rvLeftOut));
    bench->leftOut = items;
    *place = left;
}

void rv_bench_progress(const rvBench* bench, const char* format, ...)
{
    if (!bench->progress)
        return;
    fprintf(stderr, "\r\033[K%s: ", bench->progress);
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fflush(stderr);
}

rvBench rv_bench_run_as(const rvBenchEntry* entry, rvBench options, bool progress)
{
    rvBench bench = options;
    bench.name = entry->name;
    bench.summary = entry->summary;
    bench.progress = progress ? entry->name : NULL;
    entry->run(&bench);
    if (progress)
        fputs("\r\033[K", stderr);
    return bench;
}

rvBench rv_bench_run(const rvBenchEntry* entry, bool quick, long steps, bool progress, const char* plot)
{
    return rv_bench_run_as(entry, (rvBench){.plot = plot, .quick = quick, .steps = steps}, progress);
}

void rv_bench_release(rvBench* bench)
{
    free(bench->rows);
    free(bench->leftOut);
    *bench = (rvBench){0};
}

rvBenchRow rv_bench_row(const char* unit, double ours, double reference, const char* source, const char* format, ...)
{
    rvBenchRow row = {.unit = unit, .ours = ours, .reference = reference};
    snprintf(row.source, sizeof(row.source), "%s", source);
    va_list list;
    va_start(list, format);
    vsnprintf(row.name, sizeof(row.name), format, list);
    va_end(list);
    return row;
}

rvBenchRow rv_bench_goal(rvBenchRow row, rvGoalKind kind, double value)
{
    row.goal = (rvGoal){kind, value};
    return row;
}

double rv_bench_ratio(const rvBenchRow* row)
{
    double ratio = row->ours / row->reference;
    return isfinite(ratio) ? ratio : RV_NO_NUMBER;
}

int rv_bench_holds(const rvBenchRow* row)
{
    double value = row->goal.value;
    switch (row->goal.kind) {
    case RV_GOAL_OURS_AT_MOST:
        return row->ours <= value;
    case RV_GOAL_OURS_AT_LEAST:
        return row->ours >= value;
    case RV_GOAL_RATIO_AT_MOST:
        return rv_bench_ratio(row) <= value;
    case RV_GOAL_RATIO_WITHIN:
        return fabs(rv_bench_ratio(row) - 1.0) <= value;
    case RV_GOAL_NONE:
        break;
    }
    return -1;
}

// The goal in words; "" for none.
static const char* goal_text(rvGoal goal, char text[48])
{
    static const char* const left[] = {"", "ours <=", "ours >=", "ratio <=", "abs(ratio - 1) <="};
    text[0] = 0;
    if (goal.kind != RV_GOAL_NONE)
        snprintf(text, 48, "%s %.4g", left[goal.kind], goal.value);
    return text;
}

static const char* number_text(double value, int digits, const char* missing, char text[32])
{
    if (isfinite(value))
        snprintf(text, 32, "%.*g", digits, value);
    else
        snprintf(text, 32, "%s", missing);
    return text;
}

static void put_row(rvBytes* json, const rvBenchRow* row)
{
    char goal[48];
    int holds = rv_bench_holds(row);
    rv_json_open(json, NULL, '{');
    rv_json_text(json, "case", row->name);
    rv_json_text(json, "unit", row->unit);
    rv_json_number(json, "ours", row->ours);
    rv_json_number(json, "reference", row->reference);
    rv_json_text(json, "source", row->source);
    rv_json_number(json, "ratio", rv_bench_ratio(row));
    if (row->goal.kind == RV_GOAL_NONE)
        rv_json_null(json, "goal");
    else
        rv_json_text(json, "goal", goal_text(row->goal, goal));
    if (holds < 0)
        rv_json_null(json, "holds");
    else
        rv_json_bool(json, "holds", holds);
    rv_json_close(json, '}');
}

void rv_bench_put_json(const rvBench* bench, rvBytes* json)
{
    rv_json_open(json, NULL, '{');
    rv_json_text(json, "bench", bench->name);
    rv_json_open(json, "rows", '[');
    for (int i = 0; i < bench->rowCount; i++)
        put_row(json, &bench->rows[i]);
    rv_json_close(json, ']');
    rv_json_open(json, "left_out", '[');
    for (int i = 0; i < bench->leftOutCount; i++) {
        rv_json_open(json, NULL, '{');
        rv_json_text(json, "peer", bench->leftOut[i].peer);
        rv_json_text(json, "why", bench->leftOut[i].why);
        rv_json_close(json, '}');
    }
    rv_json_close(json, ']');
    rv_json_close(json, '}');
}

static const char* holds_text(const rvBenchRow* row)
{
    static const char* const texts[] = {"", "no", "yes"};
    return texts[rv_bench_holds(row) + 1];
}

void rv_bench_print_table(const rvBench* bench, FILE* out)
{
    static const char* const format = "%-58s %-5s %11s %11s %9s  %-24s %-5s %s\n";
    char a[32], b[32], c[32], goal[48];
    fprintf(out, "%s: %s\n", bench->name, bench->summary);
    fprintf(out, format, "case", "unit", "ours", "reference", "ratio", "goal", "holds", "source");
    for (int i = 0; i < bench->rowCount; i++) {
        const rvBenchRow* row = &bench->rows[i];
        fprintf(out, format, row->name, row->unit, number_text(row->ours, 5, "-", a),
                number_text(row->reference, 5, "-", b), number_text(rv_bench_ratio(row), 4, "-", c),
                goal_text(row->goal, goal), holds_text(row), row->source);
    }
    for (int i = 0; i < bench->leftOutCount; i++)
        fprintf(out, "left out: %s: %s\n", bench->leftOut[i].peer, bench->leftOut[i].why);
    fputc('\n', out);
}

void rv_bench_print_markdown(const rvBench* bench, FILE* out)
{
    char a[32], b[32], c[32], goal[48];
    fprintf(out, "\n## %s: %s\n\n", bench->name, bench->summary);
    fputs("| case | unit | ours | reference | source | ratio | goal | holds |\n", out);
    fputs("|---|---|---:|---:|---|---:|---|---|\n", out);
    for (int i = 0; i < bench->rowCount; i++) {
        const rvBenchRow* row = &bench->rows[i];
        if (row->detail)
            continue;
        goal_text(row->goal, goal);
        fprintf(out, "| %s | %s | %s | %s | %s | %s | %s%s%s | %s |\n", row->name, row->unit,
                number_text(row->ours, 5, "-", a), number_text(row->reference, 5, "-", b), row->source,
                number_text(rv_bench_ratio(row), 4, "-", c), goal[0] ? "`" : "", goal, goal[0] ? "`" : "",
                holds_text(row));
    }
    if (bench->leftOutCount)
        fputs("\nLeft out:\n\n", out);
    for (int i = 0; i < bench->leftOutCount; i++)
        fprintf(out, "- %s: %s\n", bench->leftOut[i].peer, bench->leftOut[i].why);
}
