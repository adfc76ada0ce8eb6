// SPDX-License-Identifier: MIT
// `reeve bench random --rates`: how often do random scenes fail that nobody has looked at?
//
// A run fails where a step ends with an error, a thread goes through a shape, or energy stays above the family's bound
// for RV_GROWTH_WINDOW steps on end. 1000 runs a family, 200 of throws, in a block of numbers above one million that
// was not used before: once the failures of a block are known, its rate says little about other scenes. The blocks that
// were used stand in bench/random/rates.csv; its first rows are the baseline. Intervals: Clopper-Pearson, 95 %.
#include "cases/rates.h"

#include "support/interval.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char LIST[] = "bench/random/rates.csv";
enum { FIRST_NUMBER = 1000000, BLOCK = 1000, THROWS = 200, MOST_WORKERS = 64 };

// The next block that is not in the list; the list is at the root of the repository. 0: it is not here.
static long next_block(void)
{
    char line[512];
    long last = 0, block;
    FILE* list = fopen(LIST, "r");
    if (!list)
        return 0;
    while (fgets(line, sizeof line, list))
        if (sscanf(line, "%ld,", &block) == 1 && block > last)
            last = block;
    fclose(list);
    return last + 1;
}

static void revision(char* text, int capacity)
{
    FILE* git = popen("git rev-parse --short HEAD 2>/dev/null", "r");
    if (!git || !fgets(text, capacity, git))
        snprintf(text, (size_t)capacity, "unknown");
    text[strcspn(text, "\n")] = '\0';
    if (git)
        pclose(git);
}

static void note(long block, const char* family, long runs, long failures)
{
    char revised[64];
    FILE* list = fopen(LIST, "a");
    if (!list)
        return;
    revision(revised, sizeof revised);
    fprintf(list, "%ld,%s,%s,%ld,%ld\n", block, revised, family, runs, failures);
    fclose(list);
}

static bool fails(const rvRandomFamily* family, const rvRandomOutcome* outcome)
{
    return outcome->through >= 0.0 || !(outcome->growth.sustained <= family->bound);
}

// What a worker says of a run; short enough for a pipe to keep it whole.
typedef struct {
    long number;
    rvRandomOutcome outcome;
} Answer;
_Static_assert(sizeof(Answer) <= 512, "POSIX writes so much to a pipe in one piece");

// Every `workers`-th run from a number on.
static void work(const rvRandomFamily* family, long first, long last, int workers, int pipe)
{
    for (long n = first; n <= last; n += workers) {
        Answer answer = {.number = n,
                         .outcome = family->run(family, (uint64_t)n, (rvRandomRun){.seconds = family->seconds})};
        if (write(pipe, &answer, sizeof answer) != sizeof answer)
            break;
    }
}

static int start_workers(const rvRandomFamily* family, long first, long last, int workers, pid_t* children)
{
    int ends[2], started = 0;
    if (pipe(ends) != 0)
        return -1;
    fflush(stdout);
    for (; started < workers; ++started) {
        children[started] = fork();
        if (children[started] == 0) {
            close(ends[0]);
            work(family, first + started, last, workers, ends[1]);
            _exit(0);
        }
    }
    close(ends[1]);
    return ends[0];
}

static int compare_answers(const void* a, const void* b)
{
    long m = ((const Answer*)a)->number, n = ((const Answer*)b)->number;
    return (m > n) - (m < n);
}

static void add_failure(rvBench* bench, const rvRandomFamily* family, const Answer* answer)
{
    const rvRandomOutcome* o = &answer->outcome;
    bool through = o->through >= 0.0;
    rvBenchRow row = rv_bench_row("1", through ? 1.0 : o->growth.sustained, RV_NO_NUMBER, o->error,
                                  "%s %ld:%s, h %.3g s: %s", family->name, answer->number, o->kind, o->h,
                                  through                      ? "goes through"
                                  : isinf(o->growth.sustained) ? "error"
                                                               : "gains energy");
    row.detail = true;
    rv_bench_add(bench, row);
}

// Runs that gave no answer, as their worker crashed, are failures too.
static void add_rate(rvBench* bench, const rvRandomFamily* family, long block, Answer* answers, long count, long runs)
{
    long failures = runs - count;
    double low, high;
    qsort(answers, (size_t)count, sizeof *answers, compare_answers);
    for (long i = 0; i < count; ++i) {
        if (!fails(family, &answers[i].outcome))
            continue;
        failures += 1;
        add_failure(bench, family, &answers[i]);
    }
    rv_clopper_pearson(failures, runs, 0.95, &low, &high);
    char source[96];
    snprintf(source, sizeof source, "95 %%: %.2f to %.2f %%%s", 100.0 * low, 100.0 * high,
             count < runs ? "; a worker crashed" : "");
    rv_bench_add(bench, rv_bench_row("%", 100.0 * (double)failures / (double)runs, RV_NO_NUMBER, source,
                                     "%s, block %ld: failures of %ld", family->name, block, runs));
    note(block, family->name, runs, failures);
}

void rv_bench_rates(rvBench* bench, const rvRandomFamily* family)
{
    if (bench->block == 0)
        bench->block = next_block();
    if (bench->block == 0) {
        rv_bench_leave_out(bench, "Reeve", "--rates: no %s here; give --block K", LIST);
        return;
    }
    long runs = bench->quick ? 4 : bench->count > 0 ? bench->count : family->isThrow ? THROWS : BLOCK;
    long first = FIRST_NUMBER + BLOCK * (bench->block - 1) + 1, count = 0;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int workers = cores < 1 ? 1 : cores > MOST_WORKERS ? MOST_WORKERS : (int)cores;
    pid_t children[MOST_WORKERS];
    Answer* answers = calloc((size_t)runs, sizeof *answers);
    int from = answers ? start_workers(family, first, first + runs - 1, workers, children) : -1;
    if (from < 0) {
        rv_bench_leave_out(bench, "Reeve", "%s: %s", family->name, strerror(errno));
        free(answers);
        return;
    }
    while (count < runs && read(from, &answers[count], sizeof *answers) == sizeof *answers) {
        count += 1;
        rv_bench_progress(bench, "%s %ld of %ld", family->name, count, runs);
    }
    close(from);
    for (int i = 0; i < workers; ++i)
        waitpid(children[i], NULL, 0);
    add_rate(bench, family, bench->block, answers, count, runs);
    free(answers);
}
