// SPDX-License-Identifier: MIT
// The results of a study as one HDF5 file (layout: docs/sweep.md).
#pragma once

#include "sweep/run_table.h"

typedef enum { RV_ARCHIVE_OK, RV_ARCHIVE_FAILED, RV_ARCHIVE_LEFT_OUT } rvArchiveStatus;

// Writes a file beside `path` and renames it, so that a whole file stands there at any time. `error` says why it
// failed; RV_ARCHIVE_LEFT_OUT: this program was built without HDF5.
rvArchiveStatus rv_archive_write(const char* path, rvRunTable* results, const char* identity, char* error,
                                 size_t capacity);

typedef enum {
    RV_ARCHIVE_NONE,    // there is no file
    RV_ARCHIVE_SAME,    // of this study
    RV_ARCHIVE_OTHER,   // of another one, or of another program
    RV_ARCHIVE_NO_HDF5, // no HDF5 file at all
    RV_ARCHIVE_UNKNOWN  // built without HDF5: this is not known
} rvArchiveKind;

// What stands at `path`.
rvArchiveKind rv_archive_kind_of(const char* path, const char* identity);
