// SPDX-License-Identifier: MIT
#include "output/results.h"

#include "command.h"
#include "output/picture.h"
#include "output/report.h"
#include "output/sections.h"

#include <errno.h>
#include <string.h>

static const char* reason(int error)
{
    return error == EEXIST   ? "is there and was not written by reeve run (--force overwrites)"
           : error == ENOMEM ? "out of memory"
                             : strerror(error);
}

bool rv_results_fail(rvResults* results, const char* name)
{
    int error = errno;
    if (results->exitCode != RV_EXIT_OK)
        return false;
    results->exitCode = error == ENOMEM ? RV_EXIT_MEMORY : RV_EXIT_IO;
    snprintf(results->problem, sizeof results->problem, "%s%s%s: %s", results->def.folder, *name ? "/" : "", name,
             reason(error));
    return false;
}

static bool refuse(rvResults* results, rvFolderAnswer answer)
{
    if (answer == RV_FOLDER_FAILED)
        return rv_results_fail(results, "");
    results->exitCode = RV_EXIT_IO;
    snprintf(results->problem, sizeof results->problem, "%s: %s", results->def.folder,
             answer == RV_FOLDER_LOCKED ? "another reeve run writes into this folder"
                                        : "its file .reeve was not written by reeve run");
    return false;
}

// The names that are known before the run; those of vtk/ come with its times.
static bool check_names(rvResults* results)
{
    const rvResultsDef* def = &results->def;
    const struct {
        const char* name;
        bool wanted;
    } files[] = {{"results.csv", true},        {"picture.svg", true},       {"summary.txt", true},
                 {"scene.pvd", def->pictures}, {"replay.bin", def->replay}, {"sections.csv", def->sections},
                 {"report.html", def->report}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        if (!files[i].wanted || rv_folder_is_free(&results->folder, files[i].name))
            continue;
        errno = EEXIST;
        return rv_results_fail(results, files[i].name);
    }
    return true;
}

static bool open_files(rvResults* results, double until)
{
    const rvResultsDef* def = &results->def;
    if (!rv_csv_open(&results->csv, &results->folder, results->scene))
        return rv_results_fail(results, "results.csv");
    if (def->pictures && !rv_vtk_open(&results->vtk, &results->folder, results->scene, results->world)) {
        rv_results_fail(results, "vtk");
        rv_csv_close(&results->csv);
        return false;
    }
    if (!def->replay || rv_record_open(&results->record, &results->folder, results->scene, results->world, until))
        return true;
    rv_results_fail(results, "replay.bin");
    rv_csv_close(&results->csv);
    if (def->pictures)
        rv_vtk_close(&results->vtk);
    return false;
}

bool rv_results_open(rvResults* results, const rvResultsDef* def, rvScene* scene, rvWorld* world, double until)
{
    memset(results, 0, sizeof *results);
    results->def = *def;
    results->scene = scene;
    results->world = world;
    rvFolderAnswer answer = rv_folder_open(&results->folder, def->folder, def->force);
    if (answer != RV_FOLDER_OPEN)
        return refuse(results, answer);
    results->isOpen = check_names(results) && (rv_folder_clear(&results->folder) || rv_results_fail(results, "")) &&
                      open_files(results, until);
    if (!results->isOpen)
        rv_folder_close(&results->folder);
    return results->isOpen;
}

bool rv_results_sample(rvResults* results, double time)
{
    if (!rv_csv_add(&results->csv, results->scene, results->world, time))
        return rv_results_fail(results, "results.csv");
    return !results->def.pictures || rv_vtk_add(&results->vtk, results->scene, results->world, time) ||
           rv_results_fail(results, "vtk");
}

bool rv_results_record(rvResults* results, double time, double dt)
{
    return !results->def.replay || rv_record_note(&results->record, time, dt) || rv_results_fail(results, "replay.bin");
}

bool rv_results_draw(rvResults* results, double time)
{
    results->isDrawn = true;
    results->pictureTime = time;
    return rv_picture_write(&results->folder, results->scene, results->world) ||
           rv_results_fail(results, "picture.svg");
}

static bool write_summary(rvResults* results, const rvSummary* summary)
{
    rvFile file;
    if (!rv_folder_begin(&results->folder, "summary.txt", &file))
        return rv_results_fail(results, "summary.txt");
    rv_summary_print(summary, results->scene, results->world, file.out);
    return rv_file_close(&file, true) || rv_results_fail(results, "summary.txt");
}

// Goes on after a failure: each file that can be ended is.
bool rv_results_close(rvResults* results, const rvSummary* summary)
{
    const rvResultsDef* def = &results->def;
    if (!rv_csv_close(&results->csv))
        rv_results_fail(results, "results.csv");
    if (def->replay && !rv_record_close(&results->record))
        rv_results_fail(results, "replay.bin");
    if (def->pictures && !rv_vtk_close(&results->vtk))
        rv_results_fail(results, "scene.pvd");
    write_summary(results, summary);
    if (def->sections && !rv_sections_write(&results->folder, results->scene, results->world))
        rv_results_fail(results, "sections.csv");
    if (def->report && !rv_report_write(&results->folder, summary, results->scene, results->world))
        rv_results_fail(results, "report.html");
    rv_folder_close(&results->folder);
    results->isOpen = false;
    return results->exitCode == RV_EXIT_OK;
}

void rv_results_print(const rvResults* results, FILE* out)
{
    const rvResultsDef* def = &results->def;
    fprintf(out, "results        %s/results.csv (%ld sample%s)%s%s%s\n", def->folder, results->csv.rows,
            results->csv.rows == 1 ? "" : "s", def->pictures ? ", " : "", def->pictures ? def->folder : "",
            def->pictures ? "/scene.pvd" : "");
    fprintf(out, "picture        %s/picture.svg (at %g s)\n", def->folder, results->pictureTime);
    if (def->sections)
        fprintf(out, "sections       %s/sections.csv\n", def->folder);
    if (def->report)
        fprintf(out, "report         %s/report.html\n", def->folder);
}
