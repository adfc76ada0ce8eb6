// SPDX-License-Identifier: MIT
// Plots as SVG inside of HTML.
#pragma once

#include <stdbool.h>
#include <stdio.h>

typedef struct {
    FILE* out;
    double width, height;     // of the whole [px]
    double x0, x1, y0, y1;    // ranges of the axes
    bool logarithmic;         // of the y axis
    const char* const* names; // of whole numbers on the x axis; NULL: numbers
    int nameCount;
    const char *xLabel, *yLabel;
} rvPlot;

// Draws axes, grid and labels; ranges are made round where `round` says so.
void rv_plot_open(rvPlot* plot, bool round);
void rv_plot_bar(const rvPlot* plot, double from, double to, double height);
void rv_plot_point(const rvPlot* plot, double x, double y);
void rv_plot_mark(const rvPlot* plot, double x, const char* text);
// A line of points: begin, add each, end.
void rv_plot_line_begin(const rvPlot* plot);
void rv_plot_line_add(const rvPlot* plot, double x, double y);
void rv_plot_line_end(const rvPlot* plot);
void rv_plot_close(const rvPlot* plot);
