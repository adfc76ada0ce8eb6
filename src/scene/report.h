// SPDX-License-Identifier: MIT
// Mistakes found in a scene, a line each: file:line:column: field: what is wrong.
#pragma once

#include "scene/text.h"

enum { RV_REPORT_MAX = 20 };

typedef struct {
    rvText out;
    int count; // of mistakes, also of those that were left out
} rvReport;

// `path` may be "" where no field is at fault. Only the first RV_REPORT_MAX are written, then a line that there are
// more.
void rv_report(rvReport* report, const char* file, int line, int column, const char* path, const char* format, ...)
    __attribute__((format(printf, 6, 7)));

// That memory is missing, in place of what only seemed to be wrong because of it.
void rv_report_memory(rvReport* report);

// Of `names` (ended by NULL) the one that was likely meant by `text`, or NULL.
const char* rv_suggest(const char* text, const char* const* names);
