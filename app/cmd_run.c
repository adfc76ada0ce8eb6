// SPDX-License-Identifier: MIT
// `reeve run SCENE`: latch, step, sample; then the summary.
#include "command.h"
#include "output/csv.h"
#include "output/picture.h"
#include "output/report.h"
#include "output/sections.h"
#include "output/vtk.h"
#include "support/clock.h"
#include "support/folder.h"
#include "view/record.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char* scenePath;
    char folder[1000];
    char* sets[64];
    int setCount;
    bool pictures, replay, report, sections, quiet;
    double pictureTime; // negative: the middle of the run
} Options;

typedef struct {
    rvScene* scene;
    rvWorld* world;
    rvCsv csv;
    rvVtk vtk;
    rvRecord record;
    bool pictures, replay;
    rvSummary summary;
    double until, every;
    char picture[1100]; // path of the picture
    double pictureTime;
    bool drawn, pictureFailed;
    bool progress;
} Run;

// Set by Ctrl-C: the run ends after its step and keeps its results.
static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

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
        case 'y':
            o->replay = false;
            break;
        case 'p':
            o->pictureTime = strtod(optarg, &end);
            if (end == optarg || *end != 0 || !(o->pictureTime >= 0.0))
                return rv_usage("run", "--picture: is \"%s\", expected a time >= 0 in s", optarg);
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

static void take_sample(Run* run, double time)
{
    rv_csv_add(&run->csv, run->scene, run->world, time);
    if (run->pictures)
        rv_vtk_add(&run->vtk, run->scene, run->world, time);
}

static void draw_picture(Run* run, double time)
{
    run->pictureFailed = !rv_picture_write(run->picture, run->scene, run->world);
    run->pictureTime = time;
    run->drawn = true;
}

// Steps to the end. Time is counted in steps, so that it does not drift.
static rvStatus step_all(Run* run)
{
    double h = run->summary.step, start = rv_wall_clock(), shown = start;
    double steps = ceil(run->until / h - 1e-9);
    double next = run->every;
    rvStatus status = RV_OK;
    take_sample(run, 0.0);
    if (run->pictureTime < 0.5 * h)
        draw_picture(run, 0.0);
    if (run->replay)
        rv_record_note(&run->record, 0.0, 0.0);
    for (double k = 0; k < steps && status == RV_OK && !interrupted; ++k) {
        double time = (k + 1) * h;
        status = rvScene_Apply(run->scene, run->world, k * h, h);
        if (status == RV_OK)
            status = rvWorld_Step(run->world, h);
        if (status != RV_OK)
            break;
        rv_summary_note(&run->summary, run->scene, run->world);
        if (run->replay)
            rv_record_note(&run->record, time, h);
        if (!run->drawn && time > run->pictureTime - 0.5000001 * h) // the nearest, or of two the first
            draw_picture(run, time);
        if (time > next - 0.5 * h || k + 1 >= steps) {
            take_sample(run, time);
            while (next <= time + 0.5 * h)
                next += fmax(run->every, h);
        }
        double now = run->progress ? rv_wall_clock() : shown;
        if (now - shown > 0.2) {
            show_progress(time, run->until, now - start, false);
            shown = now;
        }
    }
    run->summary.wallTime = rv_wall_clock() - start;
    if (!run->drawn) // it ended before: as far as it came
        draw_picture(run, (double)run->summary.steps * h);
    if (run->progress)
        show_progress(0, 1, 0, true);
    return status;
}

static int cannot_write(const char* path)
{
    fprintf(stderr, "reeve run: %s: %s\n", path, strerror(errno));
    return RV_EXIT_IO;
}

static int cannot_write_in(const char* folder, const char* file)
{
    char path[1100];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return cannot_write(path);
}

static int write_summary(const Run* run, const Options* o)
{
    char path[1100];
    snprintf(path, sizeof path, "%s/summary.txt", o->folder);
    FILE* file = fopen(path, "w");
    if (!file)
        return cannot_write(path);
    rv_summary_print(&run->summary, run->scene, run->world, file);
    bool good = !ferror(file);
    if (fclose(file) != 0 || !good)
        return cannot_write(path);
    if (o->quiet)
        return RV_EXIT_OK;
    rv_summary_print(&run->summary, run->scene, run->world, stdout);
    printf("results        %s/results.csv (%ld sample%s)%s%s%s\n", o->folder, run->csv.rows,
           run->csv.rows == 1 ? "" : "s", run->pictures ? ", " : "", run->pictures ? o->folder : "",
           run->pictures ? "/scene.pvd" : "");
    printf("picture        %s (at %g s)\n", run->picture, run->pictureTime);
    return RV_EXIT_OK;
}

// What cables carry along their lengths, as the run has left them.
static int write_sections(const Run* run, const Options* o)
{
    char path[1100];
    snprintf(path, sizeof path, "%s/sections.csv", o->folder);
    if (!rv_sections_write(path, run->scene, run->world))
        return cannot_write(path);
    if (!o->quiet)
        printf("sections       %s\n", path);
    return RV_EXIT_OK;
}

static int write_report(const Run* run, const Options* o)
{
    char path[1100], csv[1100];
    snprintf(path, sizeof path, "%s/report.html", o->folder);
    snprintf(csv, sizeof csv, "%s/results.csv", o->folder);
    if (!rv_report_write(path, csv, &run->summary, run->scene, run->world))
        return cannot_write(path);
    if (!o->quiet)
        printf("report         %s\n", path);
    return RV_EXIT_OK;
}

// With the world and the files open: runs and closes them. What was written stays, however it ends.
static int run_open(Run* run, const Options* o)
{
    struct sigaction action = {.sa_handler = on_interrupt}, before;
    sigaction(SIGINT, &action, &before);
    rvStatus status = step_all(run);
    sigaction(SIGINT, &before, NULL);
    int code = rv_exit_code(status);
    if (status != RV_OK)
        fprintf(stderr, "reeve run: stopped after %.6g s: %s\n", (double)run->summary.steps * run->summary.step,
                rvWorld_GetError(run->world));
    else if (interrupted)
        code = RV_EXIT_INTERRUPTED;
    int written = write_summary(run, o);
    if (o->sections && written == RV_EXIT_OK)
        written = write_sections(run, o);
    if (run->pictures && !rv_vtk_close(&run->vtk))
        written = cannot_write(run->vtk.folder);
    if (run->pictureFailed)
        written = cannot_write(run->picture);
    if (run->replay && !rv_record_close(&run->record))
        written = cannot_write_in(o->folder, "replay.bin");
    if (!rv_csv_close(&run->csv))
        written = cannot_write_in(o->folder, "results.csv");
    else if (o->report && written == RV_EXIT_OK)
        written = write_report(run, o);
    return code != RV_EXIT_OK ? code : written;
}

static int open_files(Run* run, const Options* o)
{
    char path[1100];
    if (!rv_make_folders(o->folder))
        return cannot_write(o->folder);
    snprintf(run->picture, sizeof run->picture, "%s/picture.svg", o->folder);
    snprintf(path, sizeof path, "%s/results.csv", o->folder);
    if (!rv_csv_open(&run->csv, path, run->scene))
        return cannot_write(path);
    if (run->pictures && !rv_vtk_open(&run->vtk, o->folder, run->scene, run->world)) {
        int code = cannot_write(o->folder);
        rv_csv_close(&run->csv);
        return code;
    }
    snprintf(path, sizeof path, "%s/replay.bin", o->folder);
    if (run->replay && !rv_record_open(&run->record, path, run->scene, run->world, run->until)) {
        int code = cannot_write(path);
        rv_csv_close(&run->csv);
        if (run->pictures)
            rv_vtk_close(&run->vtk);
        return code;
    }
    return RV_EXIT_OK;
}

static int run_scene(rvScene* scene, const Options* o)
{
    char error[2048];
    Run run = {.scene = scene,
               .pictures = o->pictures,
               .replay = o->replay,
               .until = rvScene_GetUntil(scene),
               .every = rvScene_GetEvery(scene),
               .progress = !o->quiet && isatty(STDERR_FILENO)};
    run.pictureTime = o->pictureTime >= 0.0 ? fmin(o->pictureTime, run.until) : 0.5 * run.until;
    rvStatus status = rvScene_TryEvents(scene, error, sizeof error);
    if (status == RV_OK)
        status = rvScene_CreateWorld(scene, NULL, &run.world, error, sizeof error);
    if (status != RV_OK) {
        fprintf(stderr, "%s\n", error);
        return rv_exit_code(status);
    }
    rv_warn_of_starts(o->scenePath, scene, run.world);
    int code = rv_summary_start(&run.summary, scene) ? open_files(&run, o) : RV_EXIT_MEMORY;
    run.summary.step = rvScene_GetStep(scene);
    if (code == RV_EXIT_OK)
        code = run_open(&run, o);
    rv_summary_release(&run.summary);
    rvDestroyWorld(run.world);
    return code;
}

int rv_cmd_run(int argc, char** argv)
{
    Options options = {.pictures = true, .replay = true, .pictureTime = -1.0};
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
