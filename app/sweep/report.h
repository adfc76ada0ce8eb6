// SPDX-License-Identifier: MIT
// A study as one HTML file that needs no network: limits, figures, histograms, exceedance curves, scatter plots,
// sensitivities, the worst runs.
#pragma once

#include "sweep/run_table.h"

// `command` is what was typed, for the commands that repeat a run. False: errno says why.
bool rv_sweep_report_write(const char* path, rvRunTable* results, const char* command);
