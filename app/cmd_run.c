// SPDX-License-Identifier: MIT
// `reeve run SCENE`: latch, step, sample; then the summary.
#include "command.h"
#include "output/results.h"
#include "support/clock.h"
#include "support/stop.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char* scenePath;
    char folder[1000];
    char* sets[64];
    int setCount;
    bool pictures, replay, report, sections, force, quiet;
    double pictureTime; // negative: the middle of the run
    double timeLimit;   // of computing [s]
} Options;

typedef struct {
    rvScene* scene;
    rvWorld* world;
    rvResults results;
    rvSummary summary;
    double until, every;
    double pictureTime, timeLimit;
    bool progress;
    bool late; // it took longer than its limit
} Run;

// ---- command line

// --until and --dt are short for --set.
static bool add_set(Options* o, char* buffer, size_t capacity, const char* path, char* value)
{
    if (o->setCount == 64)
        return false;
    if (path) {
        snprintf(buffer, capacity, "%s=%s", path, value);
        value = buffer;
    }
    o->sets[o->setCount++] = value;
    return true;
}

static int read_options(int argc, char** argv, Options* o, char buffers[2][100])
{
    static const struct option options[] = {{"until", required_argument, NULL, 'u'},
                                            {"dt", required_argument, NULL, 'd'},
                                            {"out", required_argument, NULL, 'o'},
                                            {"set", required_argument, NULL, 's'},
                                            {"no-vtk", no_argument, NULL, 'n'},
                                            {"picture", required_argument, NULL, 'p'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"report", no_argument, NULL, 'r'},
                                            {"no-replay", no_argument, NULL, 'y'},
                                            {"sections", no_argument, NULL, 'c'},
                                            {"force", no_argument, NULL, 'f'},
                                            {"time-limit", required_argument, NULL, 't'},
                                            {0}};
    const char* folder = NULL;
    char* end;
    bool good = true;
    int option;
    optind = 1;
    while (good && (option = getopt_long(argc, argv, RV_OPTIONS, options, NULL)) != -1) {
        switch (option) {
        case 'u':
            good = add_set(o, buffers[0], 100, "until", optarg);
            break;
        case 'd':
            good = add_set(o, buffers[1], 100, "step", optarg);
            break;
        case 's':
            good = add_set(o, NULL, 0, NULL, optarg);
            break;
        case 'o':
            folder = optarg;
            break;
        case 'n':
            o->pictures = false;
            break;
        case 'q':
            o->quiet = true;
            break;
        case 'r':
            o->report = true;
            break;
        case 'c':
            o->sections = true;
            break;
        case 'f':
            o->force = true;
            break;
        case 'y':
            o->replay = false;
            break;
        case 'p':
            o->pictureTime = strtod(optarg, &end);
            if (end == optarg || *end != 0 || !(o->pictureTime >= 0.0))
                return rv_usage("run", "--picture: is \"%s\", expected a time >= 0 in s", optarg);
            break;
        case 't':
            o->timeLimit = strtod(optarg, &end);
            if (end == optarg || *end != 0 || !(o->timeLimit > 0.0))
                return rv_usage("run", "--time-limit: is \"%s\", expected a number > 0 of seconds", optarg);
            break;
        default:
            return rv_usage_option("run", option, argv);
        }
    }
    if (!good)
        return rv_usage("run", "--set: stands more than 64 times");
    if (optind != argc - 1)
        return rv_usage("run", "expected one scene");
    o->scenePath = argv[optind];
    if (folder && (!*folder || strlen(folder) >= sizeof o->folder))
        return rv_usage("run", "--out: the name of the folder is %s", *folder ? "too long" : "empty");
    if (folder)
        snprintf(o->folder, sizeof o->folder, "%s", folder);
    else
        rv_default_folder(o->scenePath, o->folder, sizeof o->folder);
    return RV_EXIT_OK;
}

// ---- the run

static void show_progress(double time, double until, double wall, bool last)
{
    if (last) {
        fputs("\r\033[K", stderr);
        return;
    }
    fprintf(stderr, "\r%8.2f of %g s  %3.0f %%  %.3g times real time\033[K", time, until, 100.0 * time / until,
            wall > 0.0 ? time / wall : 0.0);
    fflush(stderr);
}

// What the files get after a step, or at the start where dt is 0. False: one cannot be written, and the run ends.
static bool note(Run* run, double time, double dt, bool last, double* next)
{
    if (dt > 0.0 && !rv_summary_note(&run->summary, run->scene, run->world)) {
        errno = ENOMEM;
        return rv_results_fail(&run->results, "summary.txt");
    }
    if (!rv_results_record(&run->results, time, dt))
        return false;
    // the nearest, or of two the first
    bool draws = dt > 0.0 ? time > run->pictureTime - 0.5000001 * dt : run->pictureTime < 0.5 * run->summary.step;
    if (draws && !run->results.isDrawn && !rv_results_draw(&run->results, time))
        return false;
    if (!last && time <= *next - 0.5 * dt)
        return true;
    while (*next <= time + 0.5 * dt)
        *next += fmax(run->every, run->summary.step);
    return rv_results_sample(&run->results, time);
}

// Steps to the end, or until a file cannot be written. Time is counted in steps, so that it does not drift.
static rvStatus step_all(Run* run)
{
    double h = run->summary.step, start = rv_wall_clock(), shown = start;
    double steps = ceil(run->until / h - 1e-9), next = 0.0;
    rvStatus status = RV_OK;
    bool written = note(run, 0.0, 0.0, true, &next);
    for (double k = 0; k < steps && written && !rv_stop_is_asked(); ++k) {
        double time = (k + 1) * h;
        status = rvScene_Apply(run->scene, run->world, k * h, h);
        if (status == RV_OK)
            status = rvWorld_Step(run->world, h);
        if (status != RV_OK)
            break;
        written = note(run, time, h, k + 1 >= steps, &next);
        double now = rv_wall_clock();
        run->late = now - start > run->timeLimit && k + 1 < steps;
        if (run->late)
            break;
        if (run->progress && now - shown > 0.2) {
            show_progress(time, run->until, now - start, false);
            shown = now;
        }
    }
    run->summary.wallTime = rv_wall_clock() - start;
    if (run->progress)
        show_progress(0, 1, 0, true);
    return status;
}

// With the files open: runs and closes them. What was written stays, however it ends.
static int run_open(Run* run, const Options* o)
{
    rvStop stop;
    rv_stop_begin(&stop);
    rvStatus status = step_all(run);
    double reached = (double)run->summary.steps * run->summary.step;
    int code = rv_exit_code(status);
    if (status != RV_OK)
        fprintf(stderr, "reeve run: stopped after %.6g s: %s\n", reached, rvWorld_GetError(run->world));
    else if (run->results.exitCode != RV_EXIT_OK)
        fprintf(stderr, "reeve run: stopped after %.6g s: %s\n", reached, run->results.problem);
    else if (rv_stop_is_asked())
        code = RV_EXIT_INTERRUPTED;
    else if (run->late) {
        fprintf(stderr, "reeve run: stopped after %.6g s: it took longer than %g s (--time-limit)\n", reached,
                run->timeLimit);
        code = RV_EXIT_TIME_LIMIT;
    }
    bool said = run->results.exitCode != RV_EXIT_OK;
    if (!said && !run->results.isDrawn) // it ended before: as far as it came
        rv_results_draw(&run->results, reached);
    if (!rv_results_close(&run->results, &run->summary) && !said)
        fprintf(stderr, "reeve run: %s\n", run->results.problem);
    rv_stop_end(&stop);
    if (!o->quiet) {
        rv_summary_print(&run->summary, run->scene, run->world, stdout);
        rv_results_print(&run->results, stdout);
    }
    return code != RV_EXIT_OK ? code : run->results.exitCode;
}

static int run_scene(rvScene* scene, const Options* o)
{
    char error[2048];
    Run run = {.scene = scene,
               .until = rvScene_GetUntil(scene),
               .every = rvScene_GetEvery(scene),
               .timeLimit = o->timeLimit,
               .progress = !o->quiet && isatty(STDERR_FILENO)};
    rvResultsDef def = {.folder = o->folder,
                        .pictures = o->pictures,
                        .replay = o->replay,
                        .report = o->report,
                        .sections = o->sections,
                        .force = o->force};
    run.pictureTime = o->pictureTime >= 0.0 ? fmin(o->pictureTime, run.until) : 0.5 * run.until;
    rvStatus status = rvScene_TryEvents(scene, error, sizeof error);
    if (status == RV_OK)
        status = rvScene_CreateWorld(scene, NULL, &run.world, error, sizeof error);
    if (status != RV_OK) {
        fprintf(stderr, "%s\n", error);
        return rv_exit_code(status);
    }
    rv_warn_of_starts(o->scenePath, scene, run.world);
    int code = RV_EXIT_MEMORY;
    if (!rv_summary_start(&run.summary, scene))
        fprintf(stderr, "reeve run: out of memory\n");
    else if (!rv_results_open(&run.results, &def, scene, run.world, run.until)) {
        fprintf(stderr, "reeve run: %s\n", run.results.problem);
        code = run.results.exitCode;
    } else {
        run.summary.step = rvScene_GetStep(scene);
        code = run_open(&run, o);
    }
    rv_summary_release(&run.summary);
    rvDestroyWorld(run.world);
    return code;
}

int rv_cmd_run(int argc, char** argv)
{
    Options options = {.pictures = true, .replay = true, .pictureTime = -1.0, .timeLimit = HUGE_VAL};
    char buffers[2][100];
    int code = read_options(argc, argv, &options, buffers);
    if (code != RV_EXIT_OK)
        return code;
    rvScene* scene;
    code = rv_load_scene(options.scenePath, options.sets, options.setCount, &scene);
    if (code != RV_EXIT_OK)
        return code;
    code = run_scene(scene, &options);
    rvScene_Destroy(scene);
    return code;
}
