// SPDX-License-Identifier: MIT
// `reeve sweep STUDY`: the command line, and the processes in the order in which they must be forked.
#define _GNU_SOURCE // sched_getaffinity
#include "sweep/sweep.h"

#include "command.h"
#include "sweep/plan.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SETS_MAX = 64, WORKERS_MAX = 4096, RANKS_WITH_WORKING_LEAD = 64 };

typedef struct {
    const char* path;
    char* sets[SETS_MAX];
    int setCount;
    const char* folder;
    long workers;  // 0: chosen
    long long run; // -1: all
    bool resume, restart, quiet, log;
    double rebuild;
} Options;

// ---- the command line

static bool read_number(const char* text, double least, double most, double* value)
{
    char* end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && *value >= least && *value <= most;
}

static int read_option(int option, char** argv, Options* o)
{
    double number;
    switch (option) {
    case 's':
        if (o->setCount == SETS_MAX)
            return rv_usage("sweep", "--set: stands more than %d times", SETS_MAX);
        o->sets[o->setCount++] = optarg;
        return RV_EXIT_OK;
    case 'o':
        o->folder = optarg;
        return *optarg && strlen(optarg) < 900
                   ? RV_EXIT_OK
                   : rv_usage("sweep", "--out: the name of the folder is %s", *optarg ? "too long" : "empty");
    case 'w':
        if (!read_number(optarg, 1, WORKERS_MAX, &number) || number != (double)(long)number)
            return rv_usage("sweep", "--workers: is \"%s\", expected a whole number of 1 to %d", optarg, WORKERS_MAX);
        o->workers = (long)number;
        return RV_EXIT_OK;
    case 'n':
        if (!read_number(optarg, 0, 1e15, &number) || number != (double)(long long)number)
            return rv_usage("sweep", "--run: is \"%s\", expected the number of a run, from 0", optarg);
        o->run = (long long)number;
        return RV_EXIT_OK;
    case 'b':
        if (!read_number(optarg, 1, 1e9, &o->rebuild))
            return rv_usage("sweep", "--rebuild: is \"%s\", expected a time >= 1 in s", optarg);
        return RV_EXIT_OK;
    case 'r':
        o->resume = true;
        return RV_EXIT_OK;
    case 'R':
        o->restart = true;
        return RV_EXIT_OK;
    case 'q':
        o->quiet = true;
        return RV_EXIT_OK;
    case 'l':
        o->log = true;
        return RV_EXIT_OK;
    default:
        return rv_usage_option("sweep", option, argv);
    }
}

static int read_options(int argc, char** argv, Options* o)
{
    static const struct option options[] = {
        {"set", required_argument, NULL, 's'},     {"out", required_argument, NULL, 'o'},
        {"workers", required_argument, NULL, 'w'}, {"run", required_argument, NULL, 'n'},
        {"rebuild", required_argument, NULL, 'b'}, {"resume", no_argument, NULL, 'r'},
        {"restart", no_argument, NULL, 'R'},       {"quiet", no_argument, NULL, 'q'},
        {"log", no_argument, NULL, 'l'},           {0}};
    int option, code = RV_EXIT_OK;
    optind = 1;
    while (code == RV_EXIT_OK && (option = getopt_long(argc, argv, RV_OPTIONS, options, NULL)) != -1)
        code = read_option(option, argv, o);
    if (code != RV_EXIT_OK)
        return code;
    if (optind != argc - 1)
        return rv_usage("sweep", "expected one study");
    if (o->resume && o->restart)
        return rv_usage("sweep", "--resume and --restart do not go together");
    o->path = argv[optind];
    return RV_EXIT_OK;
}

// A word as a shell takes it.
static void put_word(rvBytes* out, const char* word)
{
    rv_bytes_u8(out, ' ');
    if (*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@")]) {
        rv_bytes_printf(out, "%s", word);
        return;
    }
    rv_bytes_u8(out, '\'');
    for (const char* c = word; *c; ++c)
        if (*c == '\'')
            rv_bytes_printf(out, "'\\''");
        else
            rv_bytes_u8(out, (unsigned char)*c);
    rv_bytes_u8(out, '\'');
}

// What was asked for, to be typed again with another option behind it.
static char* command_of(const Options* o)
{
    rvBytes out = {0};
    rv_bytes_printf(&out, "reeve sweep");
    put_word(&out, o->path);
    for (int i = 0; i < o->setCount; ++i) {
        rv_bytes_printf(&out, " --set");
        put_word(&out, o->sets[i]);
    }
    if (o->folder) {
        rv_bytes_printf(&out, " --out");
        put_word(&out, o->folder);
    }
    rv_bytes_u8(&out, 0);
    return out.failed ? NULL : (char*)out.data;
}

// ---- one run again

static int run_one(const rvStudy* study, const Options* o, const char* folder)
{
    char out[1100];
    rvSets sets = {0};
    if (o->run >= study->runCount) {
        fprintf(stderr, "reeve sweep: --run %lld: the study has the runs 0 to %lld\n", o->run,
                (long long)study->runCount - 1);
        return RV_EXIT_USAGE;
    }
    rv_plan_sets(study, o->run, &sets);
    snprintf(out, sizeof out, "%s/run_%lld", folder, o->run);
    char** words = calloc((size_t)(2 * (study->setCount + sets.count)) + 8, sizeof *words);
    if (!words || sets.failed) {
        rv_sets_release(&sets);
        free(words);
        return RV_EXIT_MEMORY;
    }
    int count = 0;
    words[count++] = "run";
    words[count++] = (char*)study->scenePath;
    for (int i = 0; i < study->setCount + sets.count; ++i) {
        words[count++] = "--set";
        words[count++] = i < study->setCount ? (char*)study->sets[i] : sets.items[i - study->setCount];
    }
    words[count++] = "--out";
    words[count++] = out;
    words[count++] = "--report";
    if (o->quiet)
        words[count++] = "--quiet";
    rvBytes line = {0};
    for (int i = 0; i < count; ++i)
        put_word(&line, words[i]);
    if (!o->quiet && !line.failed)
        printf("reeve%.*s\n", (int)line.size, (const char*)line.data);
    fflush(stdout);
    rv_bytes_release(&line);
    int code = rv_cmd_run(count, words);
    if (!o->quiet)
        printf("viewer         reeve view %s\n", out);
    rv_sets_release(&sets);
    free(words);
    return code;
}

// ---- the processes

static long environment_number(const char* const* names, long otherwise)
{
    for (; *names; ++names) {
        const char* text = getenv(*names);
        if (text && isdigit((unsigned char)*text))
            return strtol(text, NULL, 10);
    }
    return otherwise;
}

// Known before MPI begins, as mpirun and srun say it.
static long rank_before(void)
{
    static const char* const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", NULL};
    return environment_number(names, 0);
}

static long rank_count_before(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", NULL}, *const slurm[] = {"SLURM_NTASKS", NULL};
    return environment_number(names, getenv("PMIX_RANK") ? environment_number(slurm, 1) : 1);
}

static int processor_count(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

static int cannot_start(void)
{
    fprintf(stderr, "reeve sweep: cannot start worker processes: %s\n", strerror(errno));
    return RV_EXIT_IO;
}

// Forks what must be forked, then begins MPI where there is one, then does the study.
static int run_study(const rvStudy* study, const char* identity, const Options* o, rvLeadOptions* lead,
                     const rvTransport* transport)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGXFSZ, &ignore, NULL); // a file that may not grow is a failed write, as a full disk is
    bool first = !transport || rank_before() == 0;
    // many ranks keep rank 0 busy: it does no runs itself then
    bool working = !transport || !first || rank_count_before() < RANKS_WITH_WORKING_LEAD;
    int workers = o->workers > 0 ? (int)o->workers : transport ? 1 : processor_count();
    if (!transport && (int64_t)workers > study->runCount)
        workers = (int)study->runCount;
    lead->workers = working ? workers : 0;
    lead->pool = rv_pool_start(study, lead->workers);
    if (!lead->pool)
        return cannot_start();
    lead->builder = first ? rv_builder_start(study, identity, &lead->paths, lead->command) : NULL;
    if (first && !lead->builder) {
        rv_pool_stop(lead->pool);
        return cannot_start();
    }
    if (!transport)
        return rv_lead(lead);
    int rank, count;
    transport->start(&rank, &count);
    int code;
    if (rank == 0 && lead->builder) {
        lead->remote = transport->remote(identity, workers);
        code = rv_lead(lead);
    } else {
        code = transport->serve(identity, lead->pool);
    }
    transport->end();
    return code;
}

// Under mpirun the program that knows MPI takes over; it stands beside this one.
static int run_under_mpi(char** argv)
{
    static char program[] = "reeve-sweep-mpi";
    char path[PATH_MAX];
    argv[0] = program;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof program);
    path[length > 0 ? length : 0] = '\0';
    char* slash = strrchr(path, '/');
    if (slash) {
        memcpy(slash + 1, program, sizeof program);
        execv(path, argv);
    }
    if (rank_before() == 0)
        fprintf(stderr,
                "reeve sweep: %s: %s\nThis reeve was built without MPI. Install libopenmpi-dev and openmpi-bin and "
                "build again, or start it without mpirun: it uses all processors of this machine.\n",
                path, strerror(errno));
    return RV_EXIT_IO;
}

int rv_sweep_command(int argc, char** argv, const rvTransport* transport)
{
    Options o = {.run = -1, .rebuild = 60.0};
    char error[8192] = "", folder[1000];
    int code = read_options(argc, argv, &o);
    if (code != RV_EXIT_OK)
        return code;
    if (!transport && o.run < 0 && rank_count_before() > 1)
        return run_under_mpi(argv);
    rvStudy* study;
    code = rv_study_load(o.path, o.sets, o.setCount, &study, error, sizeof error);
    if (code != RV_EXIT_OK) {
        if (rank_before() == 0)
            fprintf(stderr, "%s\n", error);
        return code;
    }
    if (o.folder)
        snprintf(folder, sizeof folder, "%s", o.folder);
    else
        rv_default_folder(o.path, folder, sizeof folder);
    rvLeadOptions lead = {.study = study,
                          .identity = rv_study_identity(study),
                          .command = command_of(&o),
                          .resume = o.resume,
                          .restart = o.restart,
                          .quiet = o.quiet,
                          .log = o.log,
                          .rebuild = o.rebuild};
    snprintf(lead.folder, sizeof lead.folder, "%s", folder);
    snprintf(lead.paths.journal, sizeof lead.paths.journal, "%s/sweep.journal", folder);
    snprintf(lead.paths.archive, sizeof lead.paths.archive, "%s/results.h5", folder);
    snprintf(lead.paths.report, sizeof lead.paths.report, "%s/report.html", folder);
    if (!lead.identity || !lead.command)
        code = RV_EXIT_MEMORY;
    else
        code = o.run >= 0 ? run_one(study, &o, folder) : run_study(study, lead.identity, &o, &lead, transport);
    free((char*)lead.command);
    rv_study_free(study);
    return code;
}
