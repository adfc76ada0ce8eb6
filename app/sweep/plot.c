// SPDX-License-Identifier: MIT
// Axes with round ticks, bars, points and lines. Colours come from the style of the page.
#include "sweep/plot.h"

#include "output/markup.h"

#include <math.h>
#include <string.h>

enum { LEFT = 58, RIGHT = 12, TOP = 10, BOTTOM = 42 };

static double at_x(const rvPlot* p, double x)
{
    return LEFT + (x - p->x0) / (p->x1 - p->x0) * (p->width - LEFT - RIGHT);
}

static double at_y(const rvPlot* p, double y)
{
    double share =
        p->logarithmic ? (log10(y) - log10(p->y0)) / (log10(p->y1) - log10(p->y0)) : (y - p->y0) / (p->y1 - p->y0);
    return p->height - BOTTOM - share * (p->height - TOP - BOTTOM);
}

// 1, 2 or 5 times a power of ten, for some `wanted` ticks.
static double tick_step(double range, int wanted)
{
    double rough = range / wanted, power = pow(10.0, floor(log10(rough)));
    double share = rough / power;
    return power * (share <= 1.0 ? 1.0 : share <= 2.0 ? 2.0 : share <= 5.0 ? 5.0 : 10.0);
}

static void widen(double* low, double* high)
{
    if (*high > *low)
        return;
    double pad = fabs(*low) > 0.0 ? 0.1 * fabs(*low) : 1.0;
    *low -= pad;
    *high += pad;
}

static void draw_x_axis(const rvPlot* p)
{
    FILE* out = p->out;
    double step = p->names ? 1.0 : tick_step(p->x1 - p->x0, p->width > 300 ? 5 : 4), bottom = p->height - BOTTOM;
    for (double k = ceil(p->x0 / step - 1e-9); k * step <= p->x1 + 1e-9 * step; ++k) {
        double x = k * step;
        if (p->names && (x < 0 || x >= p->nameCount))
            continue;
        if (!p->names)
            fprintf(out, "<path class=grid d='M%.1f %d V%.1f'/>", at_x(p, x), TOP, bottom);
        fprintf(out, "<text x=%.1f y=%.1f text-anchor=middle>", at_x(p, x), bottom + 15);
        if (p->names)
            rv_markup_text(out, p->names[(int)x]);
        else
            fprintf(out, "%.6g", fabs(x) < 1e-9 * step ? 0.0 : x);
        fputs("</text>", out);
    }
    fprintf(out, "<text class=label x=%.1f y=%.1f text-anchor=middle>", 0.5 * (LEFT + p->width - RIGHT), p->height - 8);
    rv_markup_text(out, p->xLabel);
    fputs("</text>\n", out);
}

static void draw_y_tick(const rvPlot* p, double y)
{
    fprintf(p->out, "<path class=grid d='M%d %.1f H%.1f'/><text x=%d y=%.1f text-anchor=end>%.6g</text>", LEFT,
            at_y(p, y), p->width - RIGHT, LEFT - 5, at_y(p, y) + 4, y);
}

static void draw_y_axis(const rvPlot* p)
{
    if (p->logarithmic) {
        int decades = (int)lround(log10(p->y1 / p->y0));
        for (int k = 0; k <= decades; ++k)
            draw_y_tick(p, p->y1 * pow(10.0, -k));
    } else {
        double step = tick_step(p->y1 - p->y0, 4);
        for (double k = ceil(p->y0 / step - 1e-9); k * step <= p->y1 + 1e-9 * step; ++k)
            draw_y_tick(p, fabs(k * step) < 1e-9 * step ? 0.0 : k * step);
    }
    fprintf(p->out, "<text class=label transform='translate(12 %.1f) rotate(-90)' text-anchor=middle>",
            0.5 * (TOP + p->height - BOTTOM));
    rv_markup_text(p->out, p->yLabel);
    fputs("</text>\n", p->out);
}

void rv_plot_open(rvPlot* p, bool round)
{
    widen(&p->x0, &p->x1);
    widen(&p->y0, &p->y1);
    if (round) {
        double step = tick_step(p->x1 - p->x0, 5), stepY = tick_step(p->y1 - p->y0, 4);
        p->x0 = p->names ? p->x0 : step * floor(p->x0 / step + 1e-9);
        p->x1 = p->names ? p->x1 : step * ceil(p->x1 / step - 1e-9);
        p->y0 = p->logarithmic ? p->y0 : stepY * floor(p->y0 / stepY + 1e-9);
        p->y1 = p->logarithmic ? p->y1 : stepY * ceil(p->y1 / stepY - 1e-9);
    }
    fprintf(p->out, "<svg viewBox='0 0 %.0f %.0f' width=%.0f height=%.0f role=img>\n", p->width, p->height, p->width,
            p->height);
    draw_x_axis(p);
    draw_y_axis(p);
}

void rv_plot_bar(const rvPlot* p, double from, double to, double height)
{
    double x = at_x(p, from), y = at_y(p, height);
    fprintf(p->out, "<rect class=bar x=%.1f y=%.1f width=%.1f height=%.1f />", x, y, fmax(at_x(p, to) - x - 1.0, 0.5),
            p->height - BOTTOM - y);
}

void rv_plot_point(const rvPlot* p, double x, double y)
{
    fprintf(p->out, "<circle cx=%.1f cy=%.1f r=2 />", at_x(p, x), at_y(p, y));
}

void rv_plot_mark(const rvPlot* p, double x, const char* text)
{
    if (x < p->x0 || x > p->x1)
        return;
    bool right = at_x(p, x) > 0.6 * p->width;
    fprintf(p->out, "<path class=mark d='M%.1f %d V%.1f'/><text class=mark x=%.1f y=%d text-anchor=%s>", at_x(p, x),
            TOP, p->height - BOTTOM, at_x(p, x) + (right ? -4 : 4), TOP + 11, right ? "end" : "start");
    rv_markup_text(p->out, text);
    fputs("</text>", p->out);
}

void rv_plot_line_begin(const rvPlot* p)
{
    fputs("<polyline class=line points='", p->out);
}

void rv_plot_line_add(const rvPlot* p, double x, double y)
{
    fprintf(p->out, "%.1f,%.1f ", at_x(p, x), at_y(p, y));
}

void rv_plot_line_end(const rvPlot* p)
{
    fputs("'/>", p->out);
}

void rv_plot_close(const rvPlot* p)
{
    fprintf(p->out, "<path class=frame d='M%d %d V%.1f H%.1f'/></svg>\n", LEFT, TOP, p->height - BOTTOM,
            p->width - RIGHT);
}
