// SPDX-License-Identifier: MIT
// What `reeve sweep` costs beside the runs themselves: a bare loop over the same runs of a short lift, two workers and
// two ranks of MPI beside two processes that know nothing of each other, how many runs rank 0 can hand out, and a
// hundred thousand runs in one file. Times are the least of several interleaved repetitions. Wall times mean something
// where nothing else runs; processor times, of all processes together, also where something does.
#include "bench.h"

#include "reeve/scene.h"
#include "support/clock.h"
#include "support/random.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char SCENE[] = "reeve: 1\n"
                            "until: 2\n"
                            "bodies:\n"
                            "  load: {mass: 1 t, position: [0, 0, 0]}\n"
                            "cables:\n"
                            "  rope:\n"
                            "    damping: 50 ms\n"
                            "    route: [{winch: world, point: [0, 0, 10]}, {attach: load, point: [0, 0, 0]}]\n"
                            "commands:\n"
                            "  rope.winch_speed: [[0, 0], [1, -0.5]]\n"
                            "outputs: [rope.tension, load.position.z]\n";

static const char STUDY[] = "study: 1\nscene: scene.yaml\nplan: random\nruns: 1\n"
                            "vary: {bodies.load.mass: {uniform: {from: 0.8 t, to: 1.2 t}}}\n"
                            "figures: {peak: {max: rope.tension}, height: {max: load.position.z}}\n";

enum { REPETITIONS = 3 };

typedef struct {
    char folder[200];
    char reeve[PATH_MAX];
} Place;

// What a sweep prints of itself.
typedef struct {
    bool good;
    double seconds;   // from the first run that was handed out to the last that was done
    double processor; // of all its processes [s]
    double handing;   // processor time of the process that hands out, per run [s]
} Measured;

static bool write_text(const Place* place, const char* name, const char* text)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s", place->folder, name);
    FILE* file = fopen(path, "w");
    if (!file)
        return false;
    fputs(text, file);
    return fclose(file) == 0;
}

static bool prepare(Place* place)
{
    const char* temporary = getenv("TMPDIR");
    snprintf(place->folder, sizeof place->folder, "%s/reeve_bench_XXXXXX", temporary ? temporary : "/tmp");
    ssize_t length = readlink("/proc/self/exe", place->reeve, sizeof place->reeve - 8);
    place->reeve[length > 0 ? length : 0] = '\0';
    char* slash = strrchr(place->reeve, '/');
    if (!slash)
        return false;
    strcpy(slash + 1, "reeve");
    return access(place->reeve, X_OK) == 0 && mkdtemp(place->folder) && write_text(place, "scene.yaml", SCENE) &&
           write_text(place, "study.yaml", STUDY);
}

static void clean_up(const Place* place)
{
    char line[300];
    snprintf(line, sizeof line, "rm -rf '%s'", place->folder);
    if (system(line) != 0)
        fprintf(stderr, "reeve bench: %s is left behind\n", place->folder);
}

// ---- the bare loop

// So many runs as a program of its own would do them.
static bool do_runs(long first, long count)
{
    char error[1000], set[80];
    rvScene* scene;
    double values[2], peak = 0.0;
    if (rvScene_LoadText(SCENE, strlen(SCENE), "scene", NULL, &scene, error, sizeof error) != RV_OK)
        return false;
    bool good = true;
    for (long run = first; run < first + count && good; ++run) {
        rvWorld* world = NULL;
        uint64_t seed = rv_random_stream(1, (uint64_t)run, 0);
        snprintf(set, sizeof set, "bodies.load.mass=%.17g t", rv_draw_between(&seed, 0.8, 1.2));
        if ((run - first) % 100 == 99) { // each change keeps a copy of the scene
            rvScene_Destroy(scene);
            rvScene_LoadText(SCENE, strlen(SCENE), "scene", NULL, &scene, error, sizeof error);
        }
        good = rvScene_Set(scene, set, error, sizeof error) == RV_OK &&
               rvScene_CreateWorld(scene, NULL, &world, error, sizeof error) == RV_OK;
        double h = rvScene_GetStep(scene);
        for (int k = 0; k < 200 && good; ++k) {
            good = rvScene_Apply(scene, world, k * h, h) == RV_OK && rvWorld_Step(world, h) == RV_OK;
            rvScene_Evaluate(scene, world, values, 2);
            peak = fmax(peak, values[0]);
        }
        rvDestroyWorld(world);
    }
    rvScene_Destroy(scene);
    return good && peak > 0.0;
}

// Processor time of all processes that were waited for [s].
static double children_clock(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// `processes` that do `count` runs each.
static Measured run_bare(int processes, long count)
{
    Measured measured = {.good = true, .seconds = rv_wall_clock(), .processor = children_clock()};
    fflush(NULL);
    for (int i = 0; i < processes; ++i)
        if (fork() == 0)
            _exit(do_runs(i * count, count) ? 0 : 1);
    for (int i = 0, status; i < processes; ++i)
        measured.good = wait(&status) > 0 && status == 0 && measured.good;
    measured.seconds = rv_wall_clock() - measured.seconds;
    measured.processor = children_clock() - measured.processor;
    return measured;
}

// ---- the sweep

static Measured run_sweep(const Place* place, const char* starter, const char* options, long runs)
{
    char line[PATH_MAX + 800], text[500];
    Measured measured = {.processor = children_clock()};
    bool summed = false;
    snprintf(
        line, sizeof line,
        "cd '%s' && rm -rf out && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 %s '%s' sweep study.yaml "
        "--set runs=%ld --out out %s 2>/dev/null",
        place->folder, starter, place->reeve, runs, options);
    fflush(NULL);
    FILE* out = popen(line, "r");
    while (out && fgets(text, sizeof text, out)) {
        const char* in = strstr(text, " in ");
        double milliseconds;
        if (strncmp(text, "runs ", 5) == 0 && in)
            summed = sscanf(in, " in %lf s", &measured.seconds) == 1;
        if (sscanf(text, "handing out %lf ms", &milliseconds) == 1)
            measured.handing = 1e-3 * milliseconds;
    }
    int status = out ? pclose(out) : -1;
    measured.good = status == 0 && summed;
    measured.processor = children_clock() - measured.processor;
    return measured;
}

static bool has_ranks(const Place* place)
{
    char path[PATH_MAX + 20];
    snprintf(path, sizeof path, "%s-sweep-mpi", place->reeve);
    return access(path, X_OK) == 0 && system("command -v mpirun >/dev/null 2>&1") == 0;
}

// ---- rows

// The least of the repetitions, per run.
typedef struct {
    double wall, processor;
} Cost;

static void keep_least(Cost* cost, Measured measured, long runs)
{
    if (!measured.good)
        return;
    double wall = measured.seconds / (double)runs, processor = measured.processor / (double)runs;
    cost->wall = cost->wall <= wall ? cost->wall : wall; // a NaN is replaced
    cost->processor = cost->processor <= processor ? cost->processor : processor;
}

// At least a share of the rate is at most its inverse of the time.
static void add_cost(rvBench* bench, const char* name, const char* source, Cost ours, Cost bare, double share)
{
    rvBenchRow wall = rv_bench_row("us", 1e6 * ours.wall, 1e6 * bare.wall, source, "%s: wall time per run", name);
    rvBenchRow processor =
        rv_bench_row("us", 1e6 * ours.processor, 1e6 * bare.processor, source, "%s: processor time per run", name);
    rv_bench_add(bench, bench->quick ? wall : rv_bench_goal(wall, RV_GOAL_RATIO_AT_MOST, 1.0 / share));
    rv_bench_add(bench, bench->quick ? processor : rv_bench_goal(processor, RV_GOAL_RATIO_AT_MOST, 1.0 / share));
}

static void measure_rates(rvBench* bench, const Place* place, long runs, bool ranks)
{
    const Cost none = {RV_NO_NUMBER, RV_NO_NUMBER};
    Cost bareOne = none, bareTwo = none, one = none, two = none, mpi = none;
    int repetitions = bench->quick ? 1 : REPETITIONS;
    for (int i = 0; i < repetitions; ++i) {
        rv_bench_progress(bench, "workers and ranks, repetition %d of %d", i + 1, repetitions);
        keep_least(&bareOne, run_bare(1, runs), runs);
        keep_least(&one, run_sweep(place, "", "--workers 1", runs), runs);
        keep_least(&bareTwo, run_bare(2, runs), 2 * runs);
        keep_least(&two, run_sweep(place, "", "--workers 2", 2 * runs), 2 * runs);
        if (ranks)
            keep_least(&mpi, run_sweep(place, "mpirun --oversubscribe -n 2", "", 2 * runs), 2 * runs);
    }
    add_cost(bench, "one worker", "bare loop", one, bareOne, 0.9);
    add_cost(bench, "two workers", "two independent processes", two, bareTwo, 0.95);
    if (ranks)
        add_cost(bench, "two working ranks", "two independent processes", mpi, bareTwo, 0.95);
}

// Runs of one step: rank 0 has nothing to wait for. Its processor time says how many runs it could hand out if it did
// nothing else, and so how many ranks it keeps busy.
static void measure_handing_out(rvBench* bench, const Place* place, bool ranks)
{
    long runs = bench->quick ? 200 : 20000;
    rv_bench_progress(bench, "handing out");
    Measured measured = run_sweep(place, ranks ? "mpirun --oversubscribe -n 2" : "", "--set until=0.01", runs);
    if (!measured.good || !(measured.handing > 0.0))
        return;
    double rate = 1.0 / measured.handing;
    rv_bench_add(bench, rv_bench_row("1/s", rate, RV_NO_NUMBER, "", "%s can hand out, journal included",
                                     ranks ? "rank 0" : "the lead process"));
    rv_bench_add(bench, rv_bench_row("s", 10000.0 / rate, RV_NO_NUMBER, "extrapolated from the row before",
                                     "shortest run that keeps 10,000 cores busy"));
}

static void measure_many(rvBench* bench, const Place* place)
{
    long runs = bench->quick ? 500 : 100000;
    rv_bench_progress(bench, "%ld runs in one file", runs);
    double begin = rv_wall_clock();
    Measured measured = run_sweep(place, "", "--set until=0.5", runs);
    double seconds = rv_wall_clock() - begin;
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    if (!measured.good)
        return;
    rv_bench_add(bench, rv_bench_row("s", seconds, measured.seconds, "the runs alone",
                                     "%ld runs of a short lift, with HDF5 file and report", runs));
    rvBenchRow row = rv_bench_row("MB", (double)usage.ru_maxrss / 1024.0, RV_NO_NUMBER, "",
                                  "%ld runs: memory of the largest process", runs);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, 64.0));
}

void rv_bench_sweep(rvBench* bench)
{
    Place place;
    if (!prepare(&place)) {
        rv_bench_leave_out(bench, "reeve", "the command does not stand beside this program");
        return;
    }
    bool ranks = has_ranks(&place);
    if (!ranks)
        rv_bench_leave_out(bench, "Open MPI", "mpirun or reeve-sweep-mpi is missing");
    measure_rates(bench, &place, bench->quick ? 20 : 12000, ranks);
    measure_handing_out(bench, &place, ranks);
    measure_many(bench, &place);
    clean_up(&place);
}
