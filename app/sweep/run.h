// SPDX-License-Identifier: MIT
// One run of a study: the scene with the values of the run, stepped to its end; figures, events and series on the way.
#pragma once

#include "sweep/record.h"
#include "sweep/study.h"

typedef struct rvRunner rvRunner;

// Reads the scene again, for many runs. NULL: `error` says why.
rvRunner* rv_runner_open(const rvStudy* study, char* error, size_t capacity);
void rv_runner_close(rvRunner* runner);

// Does a run and writes its record; the same bytes for the same run but for the wall time.
void rv_runner_do(rvRunner* runner, int64_t run, rvBytes* record);
