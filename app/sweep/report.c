// SPDX-License-Identifier: MIT
// The page of a study. One figure is in memory at a time.
#include "sweep/report.h"

#include "output/markup.h"
#include "sweep/plan.h"
#include "sweep/plot.h"
#include "sweep/report_figure.h"
#include "sweep/statistic.h"

#include "reeve/base.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { WORST = 5, FAILURES_SHOWN = 10 };

static const char STYLE[] =
    "body{font:15px/1.45 system-ui,\"DejaVu Sans\",sans-serif;color:#1c2733;background:#fff;max-width:1060px;"
    "margin:0 auto;padding:1em}"
    "header{display:flex;justify-content:space-between;align-items:baseline;gap:1em;border-bottom:2px solid #0b5c96}"
    "h1{font-size:1.5rem;margin:.3em 0}h2{font-size:1.2rem;margin:1.6em 0 .4em}"
    "h3{font-size:1rem;margin:1.4em 0 .3em;border-top:1px solid #cfd6dd;padding-top:.8em}"
    "header p,.quiet{color:#52606d}header p{white-space:nowrap}"
    ".keys{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:.7em;margin-top:1em}"
    ".key{background:#f4f6f8;border-radius:6px;padding:.6em .8em}.key b{display:block;font-size:1.25rem}"
    ".key span{color:#52606d;font-size:.85rem}"
    "table{border-collapse:collapse;font-size:.88rem;margin:.4em 0}th,td{padding:.25em .7em;text-align:right;"
    "border-bottom:1px solid "
    "#e3e8ec;white-space:nowrap}th{color:#52606d;font-weight:600;white-space:normal;vertical-align:bottom}"
    "th:first-child,td:first-child,.left{text-align:left}.wide{overflow-x:auto}"
    "code{background:#f4f6f8;padding:.1em .35em;border-radius:4px;font-size:.82rem}"
    ".plots{display:flex;flex-wrap:wrap;gap:.4em;align-items:flex-start}figure{margin:0}"
    "figcaption{font-size:.8rem;color:#52606d;padding-left:58px}"
    "svg{font:11px system-ui,\"DejaVu Sans\",sans-serif;max-width:100%;height:auto}svg text{fill:#52606d}"
    "svg .label{fill:#1c2733}.grid{stroke:#e3e8ec;fill:none}.frame{stroke:#8895a1;fill:none}.bar{fill:#3d83b8}"
    "circle{fill:#0b5c96;fill-opacity:.45}.line{stroke:#0b5c96;stroke-width:2;fill:none}"
    "path.mark{stroke:#c0392b;stroke-width:1.5;stroke-dasharray:4 3;fill:none}svg text.mark{fill:#c0392b}"
    ".over{color:#c0392b;font-weight:600}.rank{fill:#0b5c96}.rank.minus{fill:#b4602d}.share{fill:#9fb4c4}"
    "tr.again td{border-bottom:1px solid #aeb8c1;padding-top:0}tr:has(+tr.again) td{border-bottom:0}"
    "details{margin:.6em 0}pre{background:#f4f6f8;padding:.8em;border-radius:6px;overflow:auto;font-size:.8rem}"
    "@media print{body{max-width:none}figure,table{break-inside:avoid}}";

static void put_key(FILE* out, const char* name, const char* format, ...) __attribute__((format(printf, 3, 4)));

static void put_key(FILE* out, const char* name, const char* format, ...)
{
    va_list arguments;
    fputs("<div class=key><b>", out);
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fprintf(out, "</b><span>%s</span></div>\n", name);
}

static void put_keys(FILE* out, const rvRunTable* results)
{
    const rvStudy* study = results->study;
    static const char* const plans[] = {"full grid", "random draws", "Latin hypercube", "Sobol points"};
    fputs("<section class=keys>\n", out);
    put_key(out, "runs done", "%lld of %lld", (long long)results->done, (long long)study->runCount);
    put_key(out, "reached their end", "%lld", (long long)results->counts[RV_RUN_OK]);
    for (int i = RV_RUN_DIVERGED; i < RV_RUN_STATUS_COUNT; ++i)
        if (results->counts[i] > 0)
            put_key(out, i == RV_RUN_TIME_LIMIT ? "stopped at their time limit" : rv_status_name((rvRunStatus)i),
                    "%lld", (long long)results->counts[i]);
    put_key(out, "plan", "%s", plans[study->plan]);
    put_key(out, "parameters", "%d", study->parameterCount);
    put_key(out, "seed", "%llu", (unsigned long long)study->seed);
    fputs("</section>\n", out);
}

// ---- limits

// What the interval means depends on the plan.
static void put_interval_note(FILE* out, const rvStudy* study, bool unknown)
{
    static const char* const notes[] = {
        "The runs are the points of a grid: the share says how many of them exceed the limit; it is a probability only "
        "if all points are equally likely.",
        "Interval of Clopper and Pearson, exact for independent draws.",
        "Interval of Clopper and Pearson; it is exact for independent draws. Points of a Latin hypercube spread more "
        "evenly, so it is usually wider than needed.",
        "Interval of Clopper and Pearson as for independent draws. Sobol points are not independent: the share is "
        "usually closer to the probability than the interval says, but the interval promises nothing."};
    fprintf(out, "<p class=quiet>%s", notes[study->plan]);
    if (unknown)
        fputs(" Runs that did not reach their end may or may not have exceeded a limit; the interval covers both.",
              out);
    fputs("</p>\n", out);
}

static void put_limits(FILE* out, rvRunTable* results, double* values)
{
    const rvStudy* study = results->study;
    bool unknown = false;
    if (study->limitCount == 0)
        return;
    fprintf(out,
            "<section><h2>Limits</h2><div class=wide><table><tr><th>limit<th class=left>what<th>runs beyond<th>of"
            "<th>without figure<th>%s<th>%g&nbsp;%% interval</tr>\n",
            study->plan == RV_PLAN_GRID ? "share" : "probability", 100.0 * study->confidence);
    for (int i = 0; i < study->limitCount; ++i) {
        const rvLimit* limit = &study->limits[i];
        rv_run_table_figure(results, limit->figure, values);
        rvLimitCount count = rv_limit_count(study, limit, values, results);
        unknown = unknown || count.unknown > 0;
        fputs("<tr><td>", out);
        rv_markup_text(out, limit->name);
        fputs("<td class=left>", out);
        rv_markup_text(out, limit->text);
        fprintf(out, "<td%s>%lld<td>%lld<td>%lld<td>%.3g&nbsp;%%<td>%.3g to %.3g&nbsp;%%</tr>\n",
                count.hits > 0 ? " class=over" : "", (long long)count.hits, (long long)count.runs,
                (long long)count.unknown, 100.0 * count.probability, 100.0 * count.low, 100.0 * count.high);
    }
    fputs("</table></div>\n", out);
    put_interval_note(out, study, unknown);
    fputs("</section>\n", out);
}

// ---- figures

static int64_t known_values(const double* values, int64_t count, double* known)
{
    int64_t n = 0;
    for (int64_t i = 0; i < count; ++i)
        if (!isnan(values[i]))
            known[n++] = values[i];
    return n;
}

static void put_figure_table(FILE* out, rvRunTable* results, double* values, double* sorted)
{
    const rvStudy* study = results->study;
    fputs("<section><h2>Figures</h2><div class=wide><table><tr><th>figure<th class=left>what<th>unit<th>runs<th>mean"
          "<th>deviation<th>min<th>5&nbsp;%<th>median<th>95&nbsp;%<th>max</tr>\n",
          out);
    for (int i = 0; i < study->figureCount; ++i) {
        const rvFigure* figure = &study->figures[i];
        rv_run_table_figure(results, i, values);
        int64_t count = known_values(values, study->runCount, sorted);
        rv_sort(sorted, count);
        rvColumnStatistic s = rv_statistic(sorted, count);
        rvScale scale = rv_scale_of(figure->unit, fmax(fabs(s.min), fabs(s.max)));
        fputs("<tr><td>", out);
        rv_markup_text(out, figure->name);
        fputs("<td class=left>", out);
        rv_markup_text(out, figure->text);
        fprintf(out, "<td>%s<td>%lld", scale.unit, (long long)s.count);
        const double cells[] = {s.mean, s.deviation, s.min, s.low, s.median, s.high, s.max};
        for (size_t k = 0; k < sizeof cells / sizeof cells[0]; ++k)
            if (isnan(cells[k]))
                fputs("<td>-", out);
            else
                fprintf(out, "<td>%.4g", cells[k] * scale.factor);
        fputs("</tr>\n", out);
    }
    fputs("</table></div></section>\n", out);
}

// ---- worst runs

typedef struct {
    int64_t run;
    double value;
} Worst;

static int find_worst(const double* values, int64_t count, bool high, Worst* worst)
{
    int found = 0;
    for (int64_t run = 0; run < count; ++run) {
        if (isnan(values[run]))
            continue;
        int at = found;
        while (at > 0 && (high ? values[run] > worst[at - 1].value : values[run] < worst[at - 1].value))
            --at;
        if (at == WORST)
            continue;
        found = found < WORST ? found + 1 : WORST;
        memmove(&worst[at + 1], &worst[at], (size_t)(found - 1 - at) * sizeof *worst);
        worst[at] = (Worst){.run = run, .value = values[run]};
    }
    return found;
}

static void put_parameter_cells(FILE* out, const rvStudy* study, int64_t run)
{
    for (int p = 0; p < study->parameterCount; ++p) {
        rvDrawn drawn = rv_plan_draw(study, run, p);
        if (study->parameters[p].numeric) {
            fprintf(out, "<td>%.4g", drawn.number);
        } else {
            fputs("<td>", out);
            rv_markup_text(out, study->parameters[p].texts[drawn.level]);
        }
    }
}

static void put_parameter_heads(FILE* out, const rvStudy* study)
{
    for (int p = 0; p < study->parameterCount; ++p) {
        fputs("<th>", out);
        rv_markup_text(out, study->parameters[p].name);
        if (*study->parameters[p].unit)
            fprintf(out, " [%s]", study->parameters[p].unit);
    }
}

// In a row of its own below the run: it repeats the run and opens it in the viewer.
static void put_command(FILE* out, const rvStudy* study, const char* command, const char* folder, int64_t run)
{
    fprintf(out, "</tr>\n<tr class=again><td><td class=left colspan=%d><code>", study->parameterCount + 2);
    rv_markup_text(out, command);
    fprintf(out, " --run %lld &amp;&amp; reeve view ", (long long)run);
    rv_markup_text(out, folder);
    fprintf(out, "/run_%lld</code></tr>\n", (long long)run);
}

static void put_worst_of(FILE* out, rvRunTable* results, int index, bool high, const char* title, const char* command,
                         const char* folder, double* values)
{
    const rvStudy* study = results->study;
    const rvFigure* figure = &study->figures[index];
    Worst worst[WORST + 1];
    rv_run_table_figure(results, index, values);
    int count = find_worst(values, study->runCount, high, worst);
    if (count == 0)
        return;
    rvScale scale = rv_scale_of(figure->unit, fabs(worst[0].value));
    fputs("<h3>", out);
    rv_markup_text(out, title);
    fputs("</h3><div class=wide><table><tr><th>run<th>", out);
    rv_markup_text(out, figure->name);
    fprintf(out, *scale.unit ? " [%s]" : "%s", scale.unit);
    put_parameter_heads(out, study);
    fputs("</tr>\n", out);
    for (int i = 0; i < count; ++i) {
        fprintf(out, "<tr><td>%lld<td>%.5g", (long long)worst[i].run, worst[i].value * scale.factor);
        put_parameter_cells(out, study, worst[i].run);
        put_command(out, study, command, folder, worst[i].run);
    }
    fputs("</table></div>\n", out);
}

static void put_worst(FILE* out, rvRunTable* results, const char* command, const char* folder, double* values)
{
    const rvStudy* study = results->study;
    fputs(
        "<section><h2>Worst runs</h2>\n<p class=quiet>Below each run the command that repeats it with full results and "
        "opens it in the viewer.</p>\n",
        out);
    for (int i = 0; i < study->limitCount; ++i)
        put_worst_of(out, results, study->limits[i].figure, study->limits[i].above, study->limits[i].text, command,
                     folder, values);
    for (int i = 0; i < study->figureCount && study->limitCount == 0; ++i) {
        bool low = study->figures[i].kind == RV_FIGURE_MIN;
        char title[600];
        snprintf(title, sizeof title, "%s %s", low ? "Smallest" : "Largest", study->figures[i].name);
        put_worst_of(out, results, i, !low, title, command, folder, values);
    }
    fputs("</section>\n", out);
}

static void put_failures(FILE* out, rvRunTable* results, const char* command, const char* folder)
{
    const rvStudy* study = results->study;
    int64_t failures = results->done - results->counts[RV_RUN_OK];
    int shown = 0;
    if (failures == 0)
        return;
    fprintf(out, "<section><h2>Runs without a result</h2><p>%lld", (long long)failures);
    if (failures > FAILURES_SHOWN)
        fprintf(out, ", the first %d of them", FAILURES_SHOWN);
    fputs("</p><div class=wide><table><tr><th>run<th class=left>status<th class=left>message", out);
    put_parameter_heads(out, study);
    fputs("</tr>\n", out);
    for (int64_t run = 0; run < study->runCount && shown < FAILURES_SHOWN; ++run) {
        rvRecord record;
        if (!rv_run_table_read(results, run, &record) || record.status == RV_RUN_OK)
            continue;
        char message[RV_MESSAGE_MAX + 1];
        snprintf(message, sizeof message, "%.*s", (int)record.messageLength, record.message);
        fprintf(out, "<tr><td>%lld<td class=left>%s<td class=left>", (long long)run, rv_status_name(record.status));
        rv_markup_text(out, message);
        put_parameter_cells(out, study, run);
        put_command(out, study, command, folder, run);
        ++shown;
    }
    fputs("</table></div></section>\n", out);
}

// ---- the page

static void put_head(FILE* out, const rvStudy* study)
{
    const char* title = *study->title ? study->title : *study->sceneTitle ? study->sceneTitle : "A parameter study";
    fputs("<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n"
          "<meta name=viewport content='width=device-width, initial-scale=1'>\n<title>",
          out);
    rv_markup_text(out, title);
    fprintf(out, "</title>\n<style>\n%s\n</style></head><body>\n<header><h1>", STYLE);
    rv_markup_text(out, title);
    fprintf(out, "</h1><p>reeve sweep %s</p></header>\n<p class=quiet>", rvVersion());
    rv_markup_text(out, study->scenePath);
    if (*study->sceneTitle) {
        fputs(": ", out);
        rv_markup_text(out, study->sceneTitle);
    }
    fputs("</p>\n", out);
}

static bool put_page(FILE* out, rvRunTable* results, const char* command, const char* folder)
{
    const rvStudy* study = results->study;
    size_t size = (size_t)study->runCount * sizeof(double);
    double *values = malloc(size), *scratch = malloc(size);
    bool good = values && scratch;
    if (good) {
        put_head(out, study);
        put_keys(out, results);
        put_limits(out, results, values);
        put_figure_table(out, results, values, scratch);
        put_worst(out, results, command, folder, values);
        put_failures(out, results, command, folder);
        fputs("<section><h2>Figure by figure</h2>\n", out);
        for (int i = 0; i < study->figureCount && good; ++i) {
            rv_run_table_figure(results, i, values);
            good = rv_report_figure(out, study, i, values);
        }
        fputs("</section>\n<section><h2>The study</h2><details><summary>its file</summary><pre>", out);
        rv_markup_text(out, study->text);
        fputs("</pre></details></section>\n</body></html>\n", out);
    }
    free(scratch);
    free(values);
    return good && !ferror(out);
}

bool rv_sweep_report_write(const char* path, rvRunTable* results, const char* command)
{
    char fresh[1200], folder[1100];
    snprintf(fresh, sizeof fresh, "%s.new", path);
    snprintf(folder, sizeof folder, "%s", path);
    char* slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    FILE* out = fopen(fresh, "w");
    if (!out)
        return false;
    bool good = put_page(out, results, command, folder);
    good = fclose(out) == 0 && good;
    good = good && rename(fresh, path) == 0;
    if (!good)
        remove(fresh);
    return good;
}
