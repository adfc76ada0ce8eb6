// SPDX-License-Identifier: MIT
// Histogram, exceedance curve, sensitivities and scatter plots of one figure.
#include "sweep/report_figure.h"

#include "output/markup.h"
#include "sweep/plan.h"
#include "sweep/plot.h"
#include "sweep/statistic.h"

#include "support/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BINS_MAX = 60, POINTS_MAX = 1500, CURVE_MAX = 300, NAMES_MAX = 12 };

// The runs that have the figure.
typedef struct {
    int64_t count;
    int64_t* runs;
    double *values, *sorted, *ranks; // values in shown units
    double *parameter, *parameterRanks;
    rvScale scale;
    char label[200];
} Column;

rvScale rv_scale_of(const char* unit, double largest)
{
    static const char* const prefixed[] = {"N", "N m", "J", "W", "Pa"};
    rvScale scale = {.factor = 1.0};
    snprintf(scale.unit, sizeof scale.unit, "%s", unit);
    for (size_t i = 0; i < sizeof prefixed / sizeof prefixed[0]; ++i) {
        if (strcmp(unit, prefixed[i]) != 0 || !(largest >= 1e3))
            continue;
        const char* prefix = largest >= 1e9 ? "G" : largest >= 1e6 ? "M" : "k";
        scale.factor = largest >= 1e9 ? 1e-9 : largest >= 1e6 ? 1e-6 : 1e-3;
        snprintf(scale.unit, sizeof scale.unit, "%s%s", prefix, unit);
    }
    if (strncmp(unit, "rad", 3) == 0) {
        scale.factor = 57.29577951308232;
        snprintf(scale.unit, sizeof scale.unit, "deg%s", unit + 3);
    }
    return scale;
}

// ---- histogram and exceedance

// Width of a bin by Freedman and Diaconis: 2 IQR / n^(1/3).
static int bin_count(const Column* c)
{
    double spread = rv_sorted_quantile(c->sorted, c->count, 0.75) - rv_sorted_quantile(c->sorted, c->count, 0.25);
    double range = c->sorted[c->count - 1] - c->sorted[0], width = 2.0 * spread / cbrt((double)c->count);
    if (!(range > 0.0))
        return 1;
    double bins = width > 0.0 ? ceil(range / width) : 10.0;
    return (int)fmin(fmax(bins, 5.0), BINS_MAX);
}

static void put_marks(const rvPlot* plot, const rvStudy* study, int figure, double factor)
{
    for (int i = 0; i < study->limitCount; ++i)
        if (study->limits[i].figure == figure)
            rv_plot_mark(plot, study->limits[i].threshold * factor, study->limits[i].written);
}

static void put_histogram(FILE* out, const rvStudy* study, int figure, const Column* c)
{
    int bins = bin_count(c), counts[BINS_MAX] = {0}, most = 0;
    double low = c->sorted[0], high = c->sorted[c->count - 1];
    if (!(high > low)) {
        double pad = fabs(low) > 0.0 ? 0.05 * fabs(low) : 0.5;
        low -= pad;
        high += pad;
    }
    for (int64_t i = 0; i < c->count; ++i) {
        int bin = (int)((c->sorted[i] - low) / (high - low) * bins);
        bin = bin < bins ? bin : bins - 1;
        if (++counts[bin] > most)
            most = counts[bin];
    }
    rvPlot plot = {.out = out,
                   .width = 370,
                   .height = 250,
                   .x0 = low,
                   .x1 = high,
                   .y0 = 0,
                   .y1 = most,
                   .xLabel = c->label,
                   .yLabel = "runs"};
    fputs("<figure>", out);
    rv_plot_open(&plot, true);
    for (int b = 0; b < bins; ++b)
        if (counts[b] > 0)
            rv_plot_bar(&plot, low + (high - low) * b / bins, low + (high - low) * (b + 1) / bins, counts[b]);
    put_marks(&plot, study, figure, c->scale.factor);
    rv_plot_close(&plot);
    fputs("<figcaption>histogram</figcaption></figure>\n", out);
}

// The share of the runs above x, with a logarithmic axis: what is rare is what matters.
static void put_exceedance(FILE* out, const rvStudy* study, int figure, const Column* c)
{
    rvPlot plot = {.out = out,
                   .width = 370,
                   .height = 250,
                   .x0 = c->sorted[0],
                   .x1 = c->sorted[c->count - 1],
                   .y0 = pow(10.0, -ceil(log10((double)c->count))),
                   .y1 = 1.0,
                   .logarithmic = true,
                   .xLabel = c->label,
                   .yLabel = "share of runs above"};
    if (c->count < 2)
        return;
    fputs("<figure>", out);
    rv_plot_open(&plot, true);
    rv_plot_line_begin(&plot);
    int64_t last = -1;
    for (int k = 0; k <= CURVE_MAX; ++k) {
        // evenly in the logarithm of the share, from all runs to one
        double share = pow((double)c->count, -(double)k / CURVE_MAX);
        int64_t above = (int64_t)ceil(share * (double)c->count - 0.5), at = c->count - above;
        if (at == last || above < 1)
            continue;
        rv_plot_line_add(&plot, c->sorted[at], (double)above / (double)c->count);
        last = at;
    }
    rv_plot_line_end(&plot);
    put_marks(&plot, study, figure, c->scale.factor);
    rv_plot_close(&plot);
    fputs("<figcaption>exceedance curve</figcaption></figure>\n", out);
}

// ---- parameters

static void load_parameter(const rvStudy* study, int index, Column* c)
{
    for (int64_t i = 0; i < c->count; ++i) {
        rvDrawn drawn = rv_plan_draw(study, c->runs[i], index);
        c->parameter[i] = study->parameters[index].numeric ? drawn.number : (double)drawn.level;
    }
}

static void put_bar_pair(FILE* out, double y, const char* name, bool numeric, double rank, double share)
{
    const double middle = 290, half = 80, left = 400, room = 160;
    fprintf(out, "<text x=%.0f y=%.0f text-anchor=end>", middle - half - 36, y + 12);
    rv_markup_text(out, name);
    fputs("</text>", out);
    if (numeric)
        fprintf(
            out,
            "<rect class='rank%s' x=%.1f y=%.0f width=%.1f height=12 /><text x=%.1f y=%.0f text-anchor=%s>%.2f</text>",
            rank < 0 ? " minus" : "", rank < 0 ? middle + half * rank : middle, y + 2, half * fabs(rank),
            middle + half * rank + (rank < 0 ? -4 : 4), y + 12, rank < 0 ? "end" : "start", rank);
    else
        fprintf(out, "<text x=%.1f y=%.0f>not ordered</text>", middle + 4, y + 12);
    if (isnan(share))
        fprintf(out, "<text x=%.1f y=%.0f>too few runs</text>", left + 4, y + 12);
    else
        fprintf(out, "<rect class=share x=%.1f y=%.0f width=%.1f height=12 /><text x=%.1f y=%.0f>%.2f</text>", left,
                y + 2, room * share, left + room * share + 4, y + 12, share);
    fputs("\n", out);
}

static bool put_sensitivities(FILE* out, const rvStudy* study, Column* c)
{
    double height = 34 + 20.0 * study->parameterCount;
    bool good = true;
    if (c->count < 4)
        return true;
    fprintf(out,
            "<figure><svg viewBox='0 0 600 %.0f' width=600 height=%.0f role=img>\n"
            "<text class=label x=290 y=14 text-anchor=middle>rank correlation (Spearman)</text>"
            "<text class=label x=400 y=14>share of variance (first-order Sobol)</text>"
            "<path class=frame d='M290 20 V%.0f M400 20 V%.0f'/>\n",
            height, height, height - 8, height - 8);
    for (int p = 0; p < study->parameterCount && good; ++p) {
        load_parameter(study, p, c);
        good = rv_ranks(c->parameter, c->count, c->parameterRanks);
        if (good)
            put_bar_pair(out, 24 + 20.0 * p, study->parameters[p].name, study->parameters[p].numeric,
                         rv_correlation(c->parameterRanks, c->ranks, c->count),
                         rv_first_order_index(c->parameterRanks, c->values, c->count));
    }
    fprintf(out,
            "</svg><figcaption>sensitivities; with %lld runs a rank correlation within &plusmn;%.2f may be chance"
            "</figcaption></figure>\n",
            (long long)c->count, fmin(1.96 / sqrt((double)c->count - 1.0), 1.0));
    return good;
}

static void put_scatter(FILE* out, const rvStudy* study, int index, Column* c)
{
    const rvParameter* parameter = &study->parameters[index];
    load_parameter(study, index, c);
    char label[200];
    snprintf(label, sizeof label, "%s%s%s%s", parameter->name, *parameter->unit ? " [" : "", parameter->unit,
             *parameter->unit ? "]" : "");
    double low = c->parameter[0], high = low;
    for (int64_t i = 1; i < c->count; ++i) {
        low = fmin(low, c->parameter[i]);
        high = fmax(high, c->parameter[i]);
    }
    // levels that few values have would lie in a line: spread their points a little
    bool few = parameter->levelCount > 0 && parameter->levelCount <= NAMES_MAX;
    double spread = !few ? 0.0 : parameter->numeric ? 0.2 * (high - low) / parameter->levelCount : 0.3;
    if (parameter->numeric && few) {
        low -= spread;
        high += spread;
    }
    rvPlot plot = {.out = out,
                   .width = 260,
                   .height = 210,
                   .x0 = low,
                   .x1 = high,
                   .y0 = c->sorted[0],
                   .y1 = c->sorted[c->count - 1],
                   .xLabel = label,
                   .yLabel = c->label};
    if (!parameter->numeric) {
        plot.names = parameter->levelCount <= NAMES_MAX ? parameter->texts : NULL;
        plot.nameCount = parameter->levelCount;
        plot.x0 = -0.5;
        plot.x1 = parameter->levelCount - 0.5;
    }
    fputs("<figure>", out);
    rv_plot_open(&plot, true);
    int64_t step = (c->count + POINTS_MAX - 1) / POINTS_MAX;
    for (int64_t i = 0; i < c->count; i += step) {
        double shift = spread * ((double)(rv_random_mix((uint64_t)i) >> 11) * 0x1p-52 - 1.0); // the same each time
        rv_plot_point(&plot, c->parameter[i] + shift, c->values[i]);
    }
    rv_plot_close(&plot);
    fputs("</figure>\n", out);
}

// ---- the figure

static bool load_column(Column* c, const rvStudy* study, int figure, const double* values)
{
    size_t size = (size_t)study->runCount * sizeof(double);
    double largest = 0.0;
    memset(c, 0, sizeof *c);
    c->runs = malloc((size_t)study->runCount * sizeof *c->runs);
    c->values = malloc(size);
    c->sorted = malloc(size);
    c->ranks = malloc(size);
    c->parameter = malloc(size);
    c->parameterRanks = malloc(size);
    if (!c->runs || !c->values || !c->sorted || !c->ranks || !c->parameter || !c->parameterRanks)
        return false;
    for (int64_t run = 0; run < study->runCount; ++run)
        if (!isnan(values[run]))
            largest = fmax(largest, fabs(values[run]));
    c->scale = rv_scale_of(study->figures[figure].unit, largest);
    for (int64_t run = 0; run < study->runCount; ++run) {
        if (isnan(values[run]))
            continue;
        c->runs[c->count] = run;
        c->values[c->count] = c->sorted[c->count] = values[run] * c->scale.factor;
        c->count++;
    }
    snprintf(c->label, sizeof c->label, "%s%s%s%s", study->figures[figure].name, *c->scale.unit ? " [" : "",
             c->scale.unit, *c->scale.unit ? "]" : "");
    rv_sort(c->sorted, c->count);
    return rv_ranks(c->values, c->count, c->ranks);
}

static void release(Column* c)
{
    free(c->runs);
    free(c->values);
    free(c->sorted);
    free(c->ranks);
    free(c->parameter);
    free(c->parameterRanks);
}

bool rv_report_figure(FILE* out, const rvStudy* study, int figure, const double* values)
{
    Column column;
    bool good = load_column(&column, study, figure, values);
    if (good) {
        fputs("<h3>", out);
        rv_markup_text(out, study->figures[figure].name);
        fputs(" <span class=quiet>", out);
        rv_markup_text(out, study->figures[figure].text);
        fputs("</span></h3>\n", out);
        if (column.count == 0) {
            fputs("<p class=quiet>No run has this figure.</p>\n", out);
        } else {
            fputs("<div class=plots>\n", out);
            put_histogram(out, study, figure, &column);
            put_exceedance(out, study, figure, &column);
            good = put_sensitivities(out, study, &column);
            for (int p = 0; p < study->parameterCount; ++p)
                put_scatter(out, study, p, &column);
            fputs("</div>\n", out);
        }
    }
    release(&column);
    return good;
}
