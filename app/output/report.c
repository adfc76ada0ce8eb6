// SPDX-License-Identifier: MIT
// The report of a run. Its plots are drawn by the script that stands in it, from the samples that stand in it as text.
#include "output/report.h"

#include "output/picture.h"
#include "support/json.h"
#include "view/page.h"

#include <stdio.h>
#include <stdlib.h>

static void put_escaped(FILE* out, const char* text)
{
    for (const char* c = text; *c; ++c) {
        if (*c == '<')
            fputs("&lt;", out);
        else if (*c == '&')
            fputs("&amp;", out);
        else
            fputc(*c, out);
    }
}

static void put_figure(FILE* out, const char* name, double value, const char* unit)
{
    fprintf(out, "<div class=figure><b>");
    rv_print_quantity(out, value, unit);
    fprintf(out, "</b><span>");
    put_escaped(out, name);
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
    fclose(file);
    bool good = !text.failed;
    if (good)
        rv_json_text(&json, NULL, (const char*)text.data);
    good = good && !json.failed && fwrite(json.data, 1, json.size, out) == json.size;
    rv_bytes_release(&text);
    rv_bytes_release(&json);
    return good;
}

static void put_summary(FILE* out, const rvSummary* summary, const rvScene* scene, const rvWorld* world)
{
    char* text = NULL;
    size_t size = 0;
    FILE* memory = open_memstream(&text, &size);
    if (!memory)
        return;
    rv_summary_print(summary, scene, world, memory);
    fclose(memory);
    fprintf(out, "<section><h2>Summary</h2><pre>");
    put_escaped(out, text);
    fprintf(out, "</pre></section>\n");
    free(text);
}

static bool put_page(FILE* out, const char* csvPath, const rvSummary* summary, const rvScene* scene,
                     const rvWorld* world)
{
    const char* title = rvScene_GetTitle(scene);
    fprintf(out, "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n"
                 "<meta name=viewport content='width=device-width, initial-scale=1'>\n<title>");
    put_escaped(out, *title ? title : "Reeve");
    fprintf(out, "</title>\n<style>\n");
    fwrite(rvReportStyle, 1, rvReportStyleSize, out);
    fprintf(out, "</style></head><body>\n<header><h1>");
    put_escaped(out, *title ? title : "A run");
    fprintf(out, "</h1><p>reeve %s</p></header>\n", rvVersion());
    put_figures(out, summary, scene, world);
    fprintf(out, "<section><h2>At the end</h2><div class=picture>\n");
    bool good = rv_picture_print(out, scene, world);
    fprintf(out, "</div></section>\n<section><h2>Over time</h2><div id=plots>%s</div></section>\n",
            rvReportScriptSize > 0 ? "" : "This reeve was built without the script that draws plots.");
    put_summary(out, summary, scene, world);
    fprintf(out, "<script id=samples type='application/json'>");
    good = put_file_as_string(out, csvPath) && good;
    fprintf(out, "</script>\n<script>\n");
    fwrite(rvReportScript, 1, rvReportScriptSize, out);
    fprintf(out, "</script>\n</body></html>\n");
    return good && !ferror(out);
}

bool rv_report_write(const char* path, const char* csvPath, const rvSummary* summary, const rvScene* scene,
                     const rvWorld* world)
{
    FILE* out = fopen(path, "w");
    if (!out)
        return false;
    bool good = put_page(out, csvPath, summary, scene, world);
    return fclose(out) == 0 && good;
}
