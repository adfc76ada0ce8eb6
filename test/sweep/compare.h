// SPDX-License-Identifier: MIT
// Two folders of results of one study, record by record.
#pragma once

#include "study_text.h"
#include "sweep/run_table.h"

// The results of study.yaml with `sets` in a folder of results.
static inline void open_results(rvRunTable* results, rvStudy* study, const char* name)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s/sweep.journal", folder, name);
    if (!rv_run_table_open(results, study, rv_study_identity(study), path))
        fail_msg("%s: cannot be read", path);
}

// All runs are done in both, and equal but for their wall times.
static inline void assert_same_results(rvStudy* study, const char* a, const char* b)
{
    enum { WALL_FROM = 9, WALL_TO = 17 };
    rvRunTable first, second;
    rvRecord record;
    open_results(&first, study, a);
    open_results(&second, study, b);
    assert_int_equal(first.done, study->runCount);
    for (int64_t run = 0; run < study->runCount; ++run) {
        assert_true(rv_run_table_read(&first, run, &record) && rv_run_table_read(&second, run, &record));
        assert_int_equal(first.buffer.size, second.buffer.size);
        assert_memory_equal(first.buffer.data, second.buffer.data, WALL_FROM);
        assert_memory_equal(first.buffer.data + WALL_TO, second.buffer.data + WALL_TO, first.buffer.size - WALL_TO);
    }
    rv_run_table_close(&first);
    rv_run_table_close(&second);
}
