// SPDX-License-Identifier: MIT
// Error against processor time as CSV and as a picture: a panel for each modulus, both axes logarithmic, a line for
// each integrator.
#include "cases/ancf.h"
#include "support/file.h"

#include <stdlib.h>

static const double WIDTH = 400, HEIGHT = 340, LEFT = 60, TOP = 36, GAP = 40, PAD = 10;
// decades shown: seconds of processor time for 10 s of motion, and mm
static const double X_LOW = -2.5, X_HIGH = 1.5, Y_LOW = -6.0, Y_HIGH = 3.0;

static const char* const COLORS[RV_ANCF_METHOD_COUNT] = {"#c00000", "#9a9a9a", "#6d8f3c", "#3c6d8f", "#8f5c2c",
                                                         "#7a3c8f", "#b07acb", "#1f9e89", "#000000"};

static bool open_in(rvFile* file, const char* folder, const char* name)
{
    char path[RV_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return rv_file_open(file, path, true);
}

static bool write_csv(const char* folder, const rvAncfRun* runs, int count)
{
    rvFile file;
    if (!open_in(&file, folder, "westin.csv"))
        return false;
    fputs("modulus,method,parameter,seconds,error\nPa,,s or tolerance,s,mm\n", file.out);
    for (int i = 0; i < count; i++)
        fprintf(file.out, "%g,%s,%g,%.6g,%.6g\n", runs[i].modulus, rv_ancf_method_name(runs[i].method), runs[i].step,
                runs[i].seconds, runs[i].error);
    return rv_file_close(&file, true);
}

static int by_time(const void* a, const void* b)
{
    double x = ((const rvAncfRun*)a)->seconds, y = ((const rvAncfRun*)b)->seconds;
    return (x > y) - (x < y);
}

static double across(double seconds, double left)
{
    return left + WIDTH * (log10(seconds) - X_LOW) / (X_HIGH - X_LOW);
}

static double down(double error)
{
    double y = fmin(fmax(log10(fmax(error, 1e-99)), Y_LOW), Y_HIGH);
    return TOP + HEIGHT * (Y_HIGH - y) / (Y_HIGH - Y_LOW);
}

static void draw_grid(FILE* out, double left, double modulus)
{
    fprintf(out, "<rect x='%g' y='%g' width='%g' height='%g' fill='none' stroke='#444'/>\n", left, TOP, WIDTH, HEIGHT);
    fprintf(out, "<text x='%g' y='%g'>E = %g Pa%s</text>\n", left, TOP - PAD, modulus,
            modulus == 1e7 ? ", first 3 s" : "");
    for (int k = (int)ceil(X_LOW); k <= (int)X_HIGH; k++) {
        double x = across(pow(10.0, k), left);
        fprintf(out, "<path d='M%g %gv%g' stroke='#ddd'/><text x='%g' y='%g' text-anchor='middle'>1e%d s</text>\n", x,
                TOP, HEIGHT, x, TOP + HEIGHT + 1.6 * PAD, k);
    }
    for (int k = (int)Y_LOW; k <= (int)Y_HIGH; k++) {
        double y = down(pow(10.0, k));
        fprintf(out, "<path d='M%g %gh%g' stroke='#ddd'/><text x='%g' y='%g' text-anchor='end'>1e%d</text>\n", left, y,
                WIDTH, left - 4, y + 4, k);
    }
}

static void draw_panel(FILE* out, double left, double modulus, const rvAncfRun* runs, int count)
{
    draw_grid(out, left, modulus);
    for (int m = 0; m < RV_ANCF_METHOD_COUNT; m++) {
        bool any = false;
        for (int pass = 0; pass < 2; pass++) // the line, then its points
            for (int i = 0; i < count; i++) {
                if (runs[i].modulus != modulus || (int)runs[i].method != m || runs[i].error <= 0.0)
                    continue;
                double x = across(runs[i].seconds, left), y = down(runs[i].error);
                if (pass == 1)
                    fprintf(out, "<circle cx='%.1f' cy='%.1f' r='2.5' fill='%s'/>\n", x, y, COLORS[m]);
                else
                    fprintf(out, any ? "L%.1f %.1f" : "<path fill='none' d='M%.1f %.1f", x, y);
                any = true;
                if (pass == 0) {
                    int next = i + 1;
                    while (next < count &&
                           (runs[next].modulus != modulus || (int)runs[next].method != m || runs[next].error <= 0.0))
                        next++;
                    if (next == count)
                        fprintf(out, "' stroke='%s' stroke-width='%g'/>\n", COLORS[m], m == RV_ANCF_RT ? 2.5 : 1.2);
                }
            }
    }
}

static bool write_svg(const char* folder, const rvAncfRun* runs, int count)
{
    rvFile file;
    if (!open_in(&file, folder, "westin.svg"))
        return false;
    FILE* out = file.out;
    double width = 3 * (WIDTH + GAP) + LEFT, height = HEIGHT + TOP + 7 * PAD;
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%g' height='%g' font-family='sans-serif' font-size='11'>\n"
            "<rect width='100%%' height='100%%' fill='white'/>\n",
            width, height);
    for (int k = 0; k < 3; k++)
        draw_panel(out, LEFT + k * (WIDTH + GAP), pow(10.0, 7 + k), runs, count);
    for (int m = 0; m < RV_ANCF_METHOD_COUNT; m++)
        fprintf(out, "<text x='%g' y='%g' fill='%s'>%s</text>\n", LEFT + 130.0 * m, height - 2 * PAD, COLORS[m],
                rv_ancf_method_name((rvAncfMethod)m));
    fprintf(out,
            "<text x='%g' y='%g'>mean error of the tip [mm] against processor time for 10 s of the pendulum</text>\n"
            "</svg>\n",
            LEFT, height - 0.5 * PAD);
    return rv_file_close(&file, true);
}

bool rv_bench_plot_runs(const char* folder, const rvAncfRun* runs, int count)
{
    rvAncfRun* sorted = calloc((size_t)(count > 0 ? count : 1), sizeof *sorted);
    if (!sorted)
        return false;
    for (int i = 0; i < count; i++)
        sorted[i] = runs[i];
    qsort(sorted, (size_t)count, sizeof *sorted, by_time);
    bool good = write_csv(folder, sorted, count) && write_svg(folder, sorted, count);
    free(sorted);
    return good;
}
