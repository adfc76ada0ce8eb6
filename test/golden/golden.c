// SPDX-License-Identifier: MIT
// golden: published numbers of scenes and random machines, compared to the bit with those that are stored.
//
//   golden --scenes DIR record GROUP FILE       runs the group and writes its numbers
//   golden --scenes DIR check GROUP FILE        runs it and compares: prints object and step of each difference
//   golden --scenes DIR values GROUP RUN STEP   prints all values of a run at a step
//
// Exit codes: 0 equal, 1 different, 2 wrong arguments or files, 77 another C library: nothing was compared.
#include "libm.h"
#include "runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_SAME, EXIT_DIFFERENT, EXIT_WRONG, EXIT_SKIPPED = 77, MOST_RUNS = 1000 };

static void run_one(const rvGoldenRun* run, int printed, rvBytes* text)
{
    static rvGolden golden;
    golden.printed = printed;
    bool good = run->run(run->argument, run->number, run->steps, &golden);
    golden_write(&golden, run->name, !good, text);
}

static char* read_file(const char* path)
{
    rvBytes bytes = {0};
    char part[65536];
    FILE* file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return NULL;
    }
    for (size_t count; (count = fread(part, 1, sizeof part, file)) > 0;)
        rv_bytes_add(&bytes, part, count);
    fclose(file);
    rv_bytes_u8(&bytes, 0);
    if (!bytes.failed)
        return (char*)bytes.data;
    rv_bytes_release(&bytes);
    return NULL;
}

// The stored text of a run, to the next one; NULL: it is not stored.
static const char* find_run(const char* stored, const char* name, size_t* length)
{
    char head[128];
    snprintf(head, sizeof head, "run %.100s\n", name);
    for (const char* at = stored; (at = strstr(at, head)); ++at) {
        if (at != stored && at[-1] != '\n')
            continue;
        const char* next = strstr(at, "\nrun ");
        *length = next ? (size_t)(next + 1 - at) : strlen(at);
        return at;
    }
    return NULL;
}

// The line of a text that begins so; its length without the line's end.
static const char* find_line(const char* text, size_t size, const char* head, size_t headLength, size_t* length)
{
    for (const char* line = text; line < text + size;) {
        const char* end = memchr(line, '\n', (size_t)(text + size - line));
        *length = (size_t)(end ? end - line : text + size - line);
        if (*length >= headLength && memcmp(line, head, headLength) == 0)
            return line;
        line += *length + 1;
    }
    return NULL;
}

// Object and step at which two lines of hashes differ first.
static void report_line(const char* run, const char* was, size_t wasLength, const char* now, size_t nowLength,
                        size_t head)
{
    size_t k = head;
    while (k < wasLength && k < nowLength && was[k] == now[k])
        ++k;
    int step = (int)((k - head) / 6) * GOLDEN_EVERY + 1;
    if (strncmp(now, "hash ", 5) == 0)
        printf("%s\t%.*s\t%d\n", run, (int)(head - 6), now + 5, step);
    else
        printf("%s: stored: %.100s\n%s: now: %.100s\n", run, was, run, now);
}

static bool compare_run(const char* run, const char* was, size_t wasSize, const char* now, size_t nowSize)
{
    if (wasSize == nowSize && memcmp(was, now, nowSize) == 0)
        return true;
    bool told = false;
    for (const char* line = now; line < now + nowSize;) {
        const char* end = memchr(line, '\n', (size_t)(now + nowSize - line));
        size_t length = (size_t)(end - line), other, head = strcspn(line, " ");
        head += 1 + strcspn(line + head + 1, " \n"); // "hash NAME", "last NAME", "ended STEPS"
        if (strncmp(line, "ended", 5) == 0)
            head = 5;
        const char* match = find_line(was, wasSize, line, head, &other);
        if (!match) {
            printf("%s: not stored: %.*s\n", run, (int)head, line);
            told = true;
        } else if ((other != length || memcmp(match, line, length) != 0) && strncmp(line, "last", 4) != 0) {
            report_line(run, match, other, line, length, head + 1);
            told = true;
        }
        line = end + 1;
    }
    if (!told)
        printf("%s: other last values, or an object that is stored and not there\n", run);
    return false;
}

static int check(const rvGoldenRun* runs, int count, const char* path)
{
    char* stored = read_file(path);
    int different = 0;
    if (!stored)
        return EXIT_WRONG;
    for (int i = 0; i < count; ++i) {
        rvBytes text = {0};
        size_t size = 0;
        run_one(&runs[i], 0, &text);
        const char* was = find_run(stored, runs[i].name, &size);
        if (!was)
            printf("%s: is not stored\n", runs[i].name);
        different += text.failed || !was || !compare_run(runs[i].name, was, size, (const char*)text.data, text.size);
        rv_bytes_release(&text);
        fflush(stdout);
    }
    free(stored);
    fprintf(stderr, "golden: %d of %d runs differ\n", different, count);
    return different > 0 ? EXIT_DIFFERENT : EXIT_SAME;
}

static int record(const rvGoldenRun* runs, int count, const char* path)
{
    rvBytes text = {0};
    for (int i = 0; i < count; ++i)
        run_one(&runs[i], 0, &text);
    FILE* file = fopen(path, "wb");
    bool good = file && !text.failed && fwrite(text.data, 1, text.size, file) == text.size;
    good = file && fclose(file) == 0 && good;
    rv_bytes_release(&text);
    if (!good)
        perror(path);
    return good ? EXIT_SAME : EXIT_WRONG;
}

static int print_values(const rvGoldenRun* runs, int count, const char* name, int step)
{
    for (int i = 0; i < count; ++i) {
        rvBytes text = {0};
        if (strcmp(runs[i].name, name) != 0)
            continue;
        run_one(&runs[i], step, &text);
        rv_bytes_release(&text);
        return EXIT_SAME;
    }
    fprintf(stderr, "golden: there is no run '%s'\n", name);
    return EXIT_WRONG;
}

int main(int argc, char** argv)
{
    static rvGoldenRun runs[MOST_RUNS];
    golden_pin(argv);
    if (argc < 6 || strcmp(argv[1], "--scenes") != 0) {
        fprintf(stderr, "usage: golden --scenes DIR record|check GROUP FILE | values GROUP RUN STEP\n");
        return EXIT_WRONG;
    }
    const char *what = argv[3], *group = argv[4];
    int count = golden_runs(group, argv[2], runs, MOST_RUNS);
    if (count == 0) {
        fprintf(stderr, "golden: there is no group '%s', or it has no runs\n", group);
        return EXIT_WRONG;
    }
    if (!golden_is_pinned()) {
        fprintf(stderr, "golden: skipped, nothing was compared\n");
        return EXIT_SKIPPED;
    }
    if (strcmp(what, "record") == 0)
        return record(runs, count, argv[5]);
    if (strcmp(what, "values") == 0 && argc > 6)
        return print_values(runs, count, argv[5], atoi(argv[6]));
    return check(runs, count, argv[5]);
}
