// SPDX-License-Identifier: MIT
// Mistakes found in a scene, and what was likely meant instead.
#include "scene/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rv_report(rvReport* report, const char* file, int line, int column, const char* path, const char* format, ...)
{
    if (++report->count > RV_REPORT_MAX) {
        if (report->count == RV_REPORT_MAX + 1)
            rv_text_add(&report->out, "\n%s: more mistakes follow", file);
        return;
    }
    char words[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    rv_text_add(&report->out, "%s%s:%d:%d: %s%s%s", report->count > 1 ? "\n" : "", file, line, column, path,
                *path ? ": " : "", words);
}

enum { LONGEST = 40 };

// Levenshtein's distance: letters to add, drop or change; a swap of neighbours counts as one.
static int edit_distance(const char* a, const char* b)
{
    int aLength = (int)strlen(a), bLength = (int)strlen(b);
    if (aLength > LONGEST || bLength > LONGEST)
        return LONGEST;
    int rows[3][LONGEST + 1];
    for (int j = 0; j <= bLength; ++j)
        rows[0][j] = j;
    for (int i = 1; i <= aLength; ++i) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *twoAbove = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= bLength; ++j) {
            int best = above[j - 1] + (a[i - 1] != b[j - 1]);
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && twoAbove[j - 2] + 1 < best)
                best = twoAbove[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[aLength % 3][bLength];
}

void rv_report_memory(rvReport* report)
{
    report->out.length = 0;
    rv_text_add(&report->out, "no memory");
}

const char* rv_suggest(const char* text, const char* const* names)
{
    const char* nearest = NULL;
    int limit = (int)strlen(text) / 3 + 1;
    for (; *names; ++names) {
        int distance = edit_distance(text, *names);
        // a field that begins with what was written is meant as well: "grav" for "gravity"
        if (distance > limit && strlen(text) >= 3 && strncmp(text, *names, strlen(text)) == 0)
            distance = limit;
        if (distance <= limit && distance < (int)strlen(*names)) {
            nearest = *names;
            limit = distance - 1;
        }
    }
    return nearest;
}
