// SPDX-License-Identifier: MIT
// The report of a run. Its plots are drawn by the script that stands in it, from the samples that stand in it as text.
#define _GNU_SOURCE // fopencookie
#include "output/report.h"

#include "output/markup.h"
#include "output/picture.h"
#include "support/json.h"
#include "view/page.h"

#include <errno.h>

static void put_figure(FILE* out, const char* name, double value, const char* unit)
{
    fprintf(out, "<div class=figure><b>");
    rv_print_quantity(out, value, unit);
    fprintf(out, "</b><span>");
    rv_markup_text(out, name);
    fprintf(out, "</span></div>\n");
}

static void put_figures(FILE* out, const rvSummary* summary, const rvScene* scene, const rvWorld* world)
{
    double simulated = (double)summary->steps * summary->step;
    int most = -1;
    for (int i = 0; i < summary->cableCount; ++i)
        if (most < 0 || summary->peaks[i].tension > summary->peaks[most].tension)
            most = i;
    rvEnergy energy = rvWorld_GetEnergy(world);
    fprintf(out, "<section class=figures>\n");
    put_figure(out, "simulated", simulated, "s");
    if (most >= 0) {
        char name[120];
        snprintf(name, sizeof name, "largest tension, in %s at %.4g s", rvScene_GetCableName(scene, most),
                 summary->peaks[most].time);
        put_figure(out, name, summary->peaks[most].tension, "N");
    }
    put_figure(out, "work of the drives", energy.work, "J");
    put_figure(out, "heat of friction, damping and brakes", energy.heat, "J");
    fprintf(out, "<div class=figure><b>%ld</b><span>ropes broken</span></div>\n",
            summary->eventCounts[RV_EVENT_BROKEN]);
    fprintf(out, "<div class=figure><b>%ld</b><span>overloads</span></div>\n", summary->eventCounts[RV_EVENT_OVERLOAD]);
    fprintf(out, "</section>\n");
}

// A whole file as a JSON string.
static bool put_file_as_string(FILE* out, const char* path)
{
    FILE* file = fopen(path, "rb");
    char buffer[4096];
    size_t count;
    rvBytes text = {0}, json = {0};
    if (!file)
        return false;
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0)
        rv_bytes_add(&text, buffer, count);
    rv_bytes_u8(&text, 0);
    bool read = !ferror(file);
    int error = errno;
    fclose(file);
    if (!text.failed)
        rv_json_text(&json, NULL, (const char*)text.data);
    bool room = !text.failed && !json.failed;
    if (room)
        fwrite(json.data, 1, json.size, out);
    rv_bytes_release(&text);
    rv_bytes_release(&json);
    errno = room ? error : ENOMEM;
    return read && room;
}

static bool put_summary(FILE* out, const rvSummary* summary, const rvScene* scene, const rvWorld* world)
{
    fprintf(out, "<section><h2>Summary</h2><pre>");
    FILE* escaped = fopencookie(out, "w", (cookie_io_functions_t){.write = rv_markup_write});
    if (!escaped) {
        errno = ENOMEM;
        return false;
    }
    rv_summary_print(summary, scene, world, escaped);
    fclose(escaped);
    fprintf(out, "</pre></section>\n");
    return true;
}

static bool put_page(FILE* out, const char* csvPath, const rvSummary* summary, const rvScene* scene,
                     const rvWorld* world)
{
    const char* title = rvScene_GetTitle(scene);
    fprintf(out, "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n"
                 "<meta name=viewport content='width=device-width, initial-scale=1'>\n<title>");
    rv_markup_text(out, *title ? title : "Reeve");
    fprintf(out, "</title>\n<style>\n");
    fwrite(rvReportStyle, 1, rvReportStyleSize, out);
    fprintf(out, "</style></head><body>\n<header><h1>");
    rv_markup_text(out, *title ? title : "A run");
    fprintf(out, "</h1><p>reeve %s</p></header>\n", rvVersion());
    put_figures(out, summary, scene, world);
    fprintf(out, "<section><h2>At the end</h2><div class=picture>\n");
    if (!rv_picture_print(out, scene, world))
        return false;
    fprintf(out, "</div></section>\n<section><h2>Over time</h2><div id=plots>%s</div></section>\n",
            rvReportScriptSize > 0 ? "" : "This reeve was built without the script that draws plots.");
    if (!put_summary(out, summary, scene, world))
        return false;
    fprintf(out, "<script id=samples type='application/json'>");
    if (!put_file_as_string(out, csvPath))
        return false;
    fprintf(out, "</script>\n<script>\n");
    fwrite(rvReportScript, 1, rvReportScriptSize, out);
    fprintf(out, "</script>\n</body></html>\n");
    return true;
}

bool rv_report_write(rvFolder* folder, const rvSummary* summary, const rvScene* scene, const rvWorld* world)
{
    char samples[RV_PATH];
    rvFile file;
    snprintf(samples, sizeof samples, "%s/results.csv", folder->path);
    return rv_folder_begin(folder, "report.html", &file) &&
           rv_file_close(&file, put_page(file.out, samples, summary, scene, world));
}
