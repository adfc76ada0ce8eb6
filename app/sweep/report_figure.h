// SPDX-License-Identifier: MIT
// One figure of a study in plots.
#pragma once

#include "sweep/study.h"

#include <stdio.h>

// How numbers of a unit are shown: forces of a hundred thousand newtons in kN, angles in degrees.
typedef struct {
    double factor;
    char unit[40];
} rvScale;

rvScale rv_scale_of(const char* unit, double largest);

// Histogram, exceedance curve, sensitivities and a scatter plot for each parameter. `values` of all runs, NaN where a
// run has none. False: without memory.
bool rv_report_figure(FILE* out, const rvStudy* study, int figure, const double* values);
