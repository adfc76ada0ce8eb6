// SPDX-License-Identifier: MIT
// The command `reeve bench`: its arguments and the table of benchmarks.
#include "bench.h"

#include "command.h"

#include <errno.h>
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
    {"reeving", "one hoist by three models of its rope: alike where physics is shared, different where not",
     rv_bench_reeving},
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

// Options of single benchmarks.
enum { STEPS, FIRST, COUNT, SECONDS, WALK, PLOT, ONLY, OWN_OPTIONS };
static const struct {
    const char* name;
    const char* takers[4]; // ended by NULL
} OWN[OWN_OPTIONS] = {
    [STEPS] = {"--steps", {"cranes"}},        [FIRST] = {"--first", {"sweep", "route", "ancf"}},
    [COUNT] = {"--count", {"sweep", "ancf"}}, [SECONDS] = {"--seconds", {"sweep"}},
    [WALK] = {"--walk", {"route"}},           [PLOT] = {"--plot", {"westin"}},
    [ONLY] = {"--only", {"cranes", "sweep"}},
};

typedef enum { FORM_TABLE, FORM_JSON, FORM_MARKDOWN } Form;

typedef struct {
    const char* name; // NULL: all
    Form form;
    bool quick, list, help;
    long steps, first, count, walk; // 0: none given
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
    long* counts[] = {
        [STEPS] = &options->steps, [FIRST] = &options->first, [COUNT] = &options->count, [WALK] = &options->walk};
    if (!value) {
        fprintf(stderr, "reeve bench: %s: expected a value after it\n", OWN[option].name);
        return false;
    }
    options->given[option] = true;
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
            if (!read_own(own, ++i < argc ? argv[i] : NULL, options))
                return false;
        } else if (!strcmp(text, "--json"))
            options->form = FORM_JSON;
        else if (!strcmp(text, "--markdown"))
            options->form = FORM_MARKDOWN;
        else if (!strcmp(text, "--quick"))
            options->quick = true;
        else if (!strcmp(text, "--list"))
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
                    .only = options->only,
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
    for (int i = 0; i < bench.leftOutCount; i++)
        if (!strcmp(bench.leftOut[i].peer, "Reeve")) // others may be missing, ours may not fail
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

static int refuse(void)
{
    fputs("Try `reeve bench --help`.\n", stderr);
    return 2;
}

int rv_cmd_bench(int argc, char** argv)
{
    Options options = {0};
    if (!read_options(argc, argv, &options))
        return refuse();
    if (options.help) {
        char* help[] = {"help", "bench"};
        return rv_cmd_help(2, help);
    }
    if (options.list) {
        for (int i = 0; i < ENTRY_COUNT; i++)
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
    return (entry ? run_entry(entry, &options) : run_all(&options)) ? 0 : 1;
}
