// SPDX-License-Identifier: MIT
// A process that builds the HDF5 file and the report from the journal while runs go on. Whatever happens to it there (a
// full disk, no memory), the sweep and its journal go on.
#pragma once

#include "sweep/archive.h"

typedef struct rvBuilder rvBuilder;

typedef struct {
    rvArchiveStatus archive;
    bool report;      // was written
    char error[1300]; // of what was not written; "" if all was
} rvBuilt;

// The paths of what it reads and writes.
typedef struct {
    char journal[1100], archive[1100], report[1100];
} rvSweepPaths;

// `command` stands in the report before options. NULL: errno says why.
rvBuilder* rv_builder_start(const rvStudy* study, const char* identity, const rvSweepPaths* paths, const char* command);

// Begins to build the HDF5 file, and the report too where it is asked for. False: it is still at work.
bool rv_builder_begin(rvBuilder* builder, bool report);

// Is it ready; waits for it where `wait` says so. False: it is still at work, or was not begun.
bool rv_builder_ended(rvBuilder* builder, bool wait, rvBuilt* built);
void rv_builder_stop(rvBuilder* builder);
