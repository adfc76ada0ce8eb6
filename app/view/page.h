// SPDX-License-Identifier: MIT
// The files of the page, bundled from view/ and compiled into the command (cmake/view.cmake).
#pragma once

#include <stddef.h>

typedef struct {
    const char* name; // "index.html"
    const char* type; // for Content-Type
    const unsigned char* bytes;
    size_t size;
    int packed; // by gzip
} rvPageFile;

extern const rvPageFile rvPageFiles[];
extern const int rvPageFileCount;

// The script and the style of a report, to stand inside of it.
extern const unsigned char rvReportScript[], rvReportStyle[];
extern const size_t rvReportScriptSize, rvReportStyleSize;
