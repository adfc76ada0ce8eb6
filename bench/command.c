// SPDX-License-Identifier: MIT
// The arguments of `reeve bench`.
#include "bench.h"

#include "support/folder.h"
#include "support/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_STEPS = 100000000, MOST_SECONDS = 86400 };

// Options of single benchmarks.
enum { STEPS, FIRST, COUNT, SECONDS, WALK, PLOT, ONLY, BLOCK, RATES, OWN_OPTIONS };
static const struct {
    const char* name;
    const char* takers[4]; // ended by NULL
} OWN[OWN_OPTIONS] = {
    [STEPS] = {"--steps", {"cranes"}},
    [FIRST] = {"--first", {"random", "route", "ancf"}},
    [COUNT] = {"--count", {"random", "ancf"}},
    [SECONDS] = {"--seconds", {"random"}},
    [WALK] = {"--walk", {"route"}},
    [PLOT] = {"--plot", {"westin"}},
    [ONLY] = {"--only", {"cranes", "random"}},
    [BLOCK] = {"--block", {"random"}},
    [RATES] = {"--rates", {"random"}},
};

typedef enum { FORM_TABLE, FORM_JSON, FORM_MARKDOWN } Form;

typedef struct {
    const char* name; // NULL: all
    Form form;
    bool quick, list;
    long steps, first, count, walk, block; // 0: none given
    double seconds;
    const char *plot, *only;
    bool given[OWN_OPTIONS];
} Options;

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

static bool read_own(int option, const char* value, Options* options)
{
    long* counts[] = {[STEPS] = &options->steps,
                      [FIRST] = &options->first,
                      [COUNT] = &options->count,
                      [WALK] = &options->walk,
                      [BLOCK] = &options->block};
    options->given[option] = true;
    if (option == RATES)
        return true;
    if (!value) {
        fprintf(stderr, "reeve bench: %s: expected a value after it\n", OWN[option].name);
        return false;
    }
    if (option == SECONDS)
        return read_seconds(value, &options->seconds);
    if (option != PLOT && option != ONLY)
        return read_count(OWN[option].name, value, counts[option]);
    *(option == PLOT ? &options->plot : &options->only) = value;
    return true;
}

// Whether the benchmark takes what was given for it; all of them together take nothing of their own.
static bool check_own(const Options* options)
{
    for (int i = 0; i < OWN_OPTIONS; i++) {
        const char* const* takers = OWN[i].takers;
        bool takes = !options->given[i];
        for (int k = 0; takers[k]; k++)
            takes = takes || (options->name && !strcmp(options->name, takers[k]));
        if (takes)
            continue;
        fprintf(stderr, "reeve bench: %s: is an option of", OWN[i].name);
        for (int k = 0; takers[k]; k++)
            fprintf(stderr, "%s %s", k == 0 ? "" : takers[k + 1] ? "," : " and", takers[k]);
        fprintf(stderr, options->name ? "; %s does not take it\n" : "; expected the name of one\n", options->name);
        return false;
    }
    return true;
}

// --first counts from where another option sets in.
static bool check_first(const Options* options)
{
    static const struct {
        const char* name;
        int other;
    } needs[] = {{"route", WALK}, {"ancf", COUNT}};
    for (int i = 0; i < 2 && options->name && options->given[FIRST]; i++)
        if (!strcmp(options->name, needs[i].name) && !options->given[needs[i].other]) {
            fprintf(stderr, "reeve bench: --first: %s takes it only with %s\n", needs[i].name,
                    OWN[needs[i].other].name);
            return false;
        }
    return true;
}

static bool read_options(int argc, char** argv, Options* options)
{
    for (int i = 1; i < argc; i++) {
        const char* text = argv[i];
        int own = 0;
        while (own < OWN_OPTIONS && strcmp(text, OWN[own].name) != 0)
            own++;
        if (own < OWN_OPTIONS) {
            if (!read_own(own, own == RATES ? "" : ++i < argc ? argv[i] : NULL, options))
                return false;
        } else if (!strcmp(text, "--json"))
            options->form = FORM_JSON;
        else if (!strcmp(text, "--markdown"))
            options->form = FORM_MARKDOWN;
        else if (!strcmp(text, "--quick"))
            options->quick = true;
        else if (!strcmp(text, "--list"))
            options->list = true;
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
    int count;
    const rvBenchEntry* entries = rv_bench_entries(&count);
    for (int i = 0; i < count; i++)
        if (!strcmp(entries[i].name, name))
            return &entries[i];
    return NULL;
}

static bool run_entry(const rvBenchEntry* entry, const Options* options, rvBytes* json)
{
    rvBench asked = {.plot = options->plot,
                     .only = options->only,
                     .quick = options->quick,
                     .steps = options->steps,
                     .first = options->first,
                     .count = options->count,
                     .walk = options->walk,
                     .seconds = options->seconds,
                     .rates = options->given[RATES],
                     .block = options->block};
    rvBench bench = rv_bench_run_as(entry, asked, isatty(STDERR_FILENO));
    if (options->form == FORM_JSON)
        rv_bench_put_json(&bench, json);
    else if (options->form == FORM_MARKDOWN)
        rv_bench_print_markdown(&bench, stdout);
    else
        rv_bench_print_table(&bench, stdout);
    fflush(stdout);
    bool allHold = true;
    for (int i = 0; i < bench.rowCount; i++)
        if (rv_bench_holds(&bench.rows[i]) == 0)
            allHold = false;
    for (int i = 0; i < bench.leftOutCount; i++)
        if (!strcmp(bench.leftOut[i].peer, "Reeve")) // others may be missing, ours may not fail
            allHold = false;
    rv_bench_release(&bench);
    return allHold;
}

static bool run_all(const Options* options, rvBytes* json)
{
    bool allHold = true;
    rv_json_open(json, NULL, '[');
    if (options->form == FORM_MARKDOWN)
        fputs("# Benchmarks\n\nWritten by `reeve bench --markdown`. Times are processor time, the least of several "
              "interleaved repetitions;\nthey differ from machine to machine and from run to run, so look at the "
              "ratios, which are ours / reference.\n",
              stdout);
    int count;
    const rvBenchEntry* entries = rv_bench_entries(&count);
    for (int i = 0; i < count; i++) {
        if (!run_entry(&entries[i], options, json))
            allHold = false;
    }
    rv_json_close(json, ']');
    return allHold;
}

static int refuse(void)
{
    fputs("Try `reeve help bench`.\n", stderr);
    return 2;
}

int rv_bench_command(int argc, char** argv)
{
    Options options = {0};
    if (!read_options(argc, argv, &options))
        return refuse();
    if (options.list) {
        int count;
        const rvBenchEntry* entries = rv_bench_entries(&count);
        for (int i = 0; i < count; i++)
            printf("%-10s %s\n", entries[i].name, entries[i].summary);
        return 0;
    }
    const rvBenchEntry* entry = options.name ? find_entry(options.name) : NULL;
    if (options.name && !entry) {
        fprintf(stderr, "reeve bench: there is no benchmark '%s'; `reeve bench --list` names them\n", options.name);
        return refuse();
    }
    if (!check_own(&options) || !check_first(&options))
        return refuse();
    if (options.plot && !rv_make_folders(options.plot)) { // before it runs for minutes
        fprintf(stderr, "reeve bench: --plot: cannot make '%s': %s\n", options.plot, strerror(errno));
        return refuse();
    }
    rvBytes json = {0};
    bool allHold = entry ? run_entry(entry, &options, &json) : run_all(&options, &json);
    if (options.form == FORM_JSON)
        printf("%.*s\n", (int)json.size, (const char*)json.data);
    allHold = allHold && !json.failed;
    rv_bytes_release(&json);
    return allHold ? 0 : 1;
}
