// SPDX-License-Identifier: MIT
// The command `reeve bench`: its arguments and the table of benchmarks.
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const rvBenchEntry entries[] = {
    {"solver", "chains under a heavy load, side by side with other engines", rv_bench_solver},
    {"contact", "heaps in a pit and stacks of containers, side by side with other engines", rv_bench_contact},
    {"massless", "one massless cable over many bodies", rv_bench_massless},
    {"accuracy", "motion against closed forms", rv_bench_accuracy},
    {"sweep", "random machines, seeded: their energy does not grow", rv_bench_sweep},
    {"servin", "stretch and twist of two boxes on a cable, as paper 000 tests them", rv_bench_servin},
    {"westin", "ANCF cables: Tables 2 to 7 of paper 001, and our own step in them", rv_bench_westin},
    {"ancf", "ANCF cables: time of a step by phases, random cables", rv_bench_ancf},
    {"ale", "rope that flows through finite elements: time of a step beside ANCF, a crane", rv_bench_ale},
    {"route", "what each kind of place on a route costs, beside MuJoCo's spatial tendon", rv_bench_route},
    {"change", "what a load feels when another model fills its rope", rv_bench_change},
    {"layered", "cables with mass: time of their waves and steps, running rope", rv_bench_layered},
    {"cranes", "a step of a tower crane and of a gantry crane at work: median, one in a thousand, worst",
     rv_bench_cranes},
    {"wakamatsu", "an inextensible curve pushed, hit and looped, as paper 004 simulates it", rv_bench_wakamatsu},
    {"hosts", "one crane in our own world and in other engines through their adapters", rv_bench_hosts},
};

enum { ENTRY_COUNT = sizeof(entries) / sizeof(entries[0]), MOST_STEPS = 100000000, MOST_SECONDS = 86400 };

const rvBenchEntry* rv_bench_entries(int* count)
{
    *count = ENTRY_COUNT;
    return entries;
}

typedef enum { FORM_TABLE, FORM_JSON, FORM_MARKDOWN } Form;

typedef struct {
    const char* name; // NULL: all
    Form form;
    bool quick, list, help;
    long steps, first, count, walk; // 0: none given
    double seconds;
    const char* plot;
} Options;

static void print_usage(FILE* out)
{
    fputs("usage: reeve bench [NAME] [--json | --markdown] [--quick] [--steps N] [--first K] [--count N]\n"
          "                   [--seconds S] [--walk N] [--plot DIR] [--list]\n"
          "\n"
          "Runs the benchmark NAME, or all of them. Each row compares ours with a reference: a closed form, a\n"
          "physical limit, or another engine measured in the same run. The ratio is ours / reference.\n"
          "\n"
          "  --json      one object {\"bench\", \"rows\", \"left_out\"}; an array of them without NAME\n"
          "  --markdown  the page docs/bench.md\n"
          "  --quick     a run of about a second each, to see that all works; the times mean little\n"
          "  --steps N   steps to time in each case, where a benchmark counts them (cranes)\n"
          "  --first K   the first of the random machines (sweep) or walks of 1000 configurations (route --walk)\n"
          "  --count N   how many of them (sweep)\n"
          "  --seconds S how long each runs (sweep)\n"
          "  --walk N    only N configurations of a random walk against brute force (route)\n"
          "  --plot DIR  also error against processor time, as DIR/westin.csv and .svg (westin)\n"
          "  --list      names and what they measure\n"
          "\n"
          "Exit: 0 all goals hold, 1 some do not, 2 wrong arguments.\n",
          out);
}

static bool read_count(const char* option, const char* text, long* count)
{
    char* end;
    *count = strtol(text, &end, 10);
    if (end != text && *end == 0 && *count >= 1 && *count <= MOST_STEPS)
        return true;
    fprintf(stderr, "reeve bench: %s: is '%s', expected a whole number of 1 to %d\n", option, text, MOST_STEPS);
    return false;
}

static bool read_seconds(const char* text, double* seconds)
{
    char* end;
    *seconds = strtod(text, &end);
    if (end != text && *end == 0 && *seconds > 0.0 && *seconds <= MOST_SECONDS)
        return true;
    fprintf(stderr, "reeve bench: --seconds: is '%s', expected a number > 0 and at most %d\n", text, MOST_SECONDS);
    return false;
}

static bool read_options(int argc, char** argv, Options* options)
{
    for (int i = 1; i < argc; i++) {
        const char* text = argv[i];
        if (!strcmp(text, "--json"))
            options->form = FORM_JSON;
        else if (!strcmp(text, "--markdown"))
            options->form = FORM_MARKDOWN;
        else if (!strcmp(text, "--quick"))
            options->quick = true;
        else if (!strcmp(text, "--steps")) {
            if (!read_count(text, ++i < argc ? argv[i] : "", &options->steps))
                return false;
        } else if (!strcmp(text, "--first")) {
            if (!read_count(text, ++i < argc ? argv[i] : "", &options->first))
                return false;
        } else if (!strcmp(text, "--count")) {
            if (!read_count(text, ++i < argc ? argv[i] : "", &options->count))
                return false;
        } else if (!strcmp(text, "--walk")) {
            if (!read_count(text, ++i < argc ? argv[i] : "", &options->walk))
                return false;
        } else if (!strcmp(text, "--seconds")) {
            if (!read_seconds(++i < argc ? argv[i] : "", &options->seconds))
                return false;
        } else if (!strcmp(text, "--plot")) {
            options->plot = ++i < argc ? argv[i] : NULL;
            if (!options->plot) {
                fputs("reeve bench: --plot: expected a folder\n", stderr);
                return false;
            }
        } else if (!strcmp(text, "--list"))
            options->list = true;
        else if (!strcmp(text, "--help") || !strcmp(text, "-h"))
            options->help = true;
        else if (text[0] == '-' || options->name) {
            fprintf(stderr, "reeve bench: unexpected argument '%s'\n", text);
            return false;
        } else
            options->name = text;
    }
    return true;
}

static const rvBenchEntry* find_entry(const char* name)
{
    for (int i = 0; i < ENTRY_COUNT; i++)
        if (!strcmp(entries[i].name, name))
            return &entries[i];
    return NULL;
}

static bool run_entry(const rvBenchEntry* entry, const Options* options)
{
    rvBench wish = {.plot = options->plot,
                    .quick = options->quick,
                    .steps = options->steps,
                    .first = options->first,
                    .count = options->count,
                    .walk = options->walk,
                    .seconds = options->seconds};
    rvBench bench = rv_bench_run_as(entry, wish, isatty(STDERR_FILENO));
    if (options->form == FORM_JSON)
        rv_bench_print_json(&bench, stdout);
    else if (options->form == FORM_MARKDOWN)
        rv_bench_print_markdown(&bench, stdout);
    else
        rv_bench_print_table(&bench, stdout);
    fflush(stdout);
    bool allHold = true;
    for (int i = 0; i < bench.rowCount; i++)
        if (rv_bench_holds(&bench.rows[i]) == 0)
            allHold = false;
    rv_bench_release(&bench);
    return allHold;
}

static bool run_all(const Options* options)
{
    bool allHold = true;
    if (options->form == FORM_MARKDOWN)
        fputs("# Benchmarks\n\nWritten by `reeve bench --markdown`. Times are processor time, the least of several "
              "interleaved repetitions;\nthey differ from machine to machine and from run to run, so look at the "
              "ratios, which are ours / reference.\n",
              stdout);
    for (int i = 0; i < ENTRY_COUNT; i++) {
        if (options->form == FORM_JSON)
            fputs(i == 0 ? "[\n" : ",\n", stdout);
        if (!run_entry(&entries[i], options))
            allHold = false;
    }
    if (options->form == FORM_JSON)
        fputs("]\n", stdout);
    return allHold;
}

int rv_cmd_bench(int argc, char** argv)
{
    Options options = {0};
    if (!read_options(argc, argv, &options)) {
        print_usage(stderr);
        return 2;
    }
    if (options.help) {
        print_usage(stdout);
        return 0;
    }
    if (options.list) {
        for (int i = 0; i < ENTRY_COUNT; i++)
            printf("%-10s %s\n", entries[i].name, entries[i].summary);
        return 0;
    }
    if (!options.name)
        return run_all(&options) ? 0 : 1;
    const rvBenchEntry* entry = find_entry(options.name);
    if (!entry) {
        fprintf(stderr, "reeve bench: there is no benchmark '%s'; see reeve bench --list\n", options.name);
        return 2;
    }
    return run_entry(entry, &options) ? 0 : 1;
}
