// SPDX-License-Identifier: MIT
// The JSON of a benchmark, read back.
#pragma once

#include "bench.h"
#include "check.h"

#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

// NULL where it is not JSON.
static inline struct fy_document* read_back(const rvBench* bench)
{
    const struct fy_parse_cfg strict = {.flags = FYPCF_QUIET | FYPCF_JSON_FORCE};
    rvBytes json = {0};
    rv_bench_put_json(bench, &json);
    assert_false(json.failed);
    struct fy_document* document = fy_document_build_from_malloc_string(&strict, (char*)json.data, json.size);
    return document; // it owns the text
}

static inline struct fy_node* field(struct fy_node* row, const char* name)
{
    struct fy_node* value = fy_node_by_path(row, name, FY_NT, FYNWF_DONT_FOLLOW);
    assert_non_null(value);
    return value;
}

static inline bool is_text(struct fy_node* row, const char* name, const char* text)
{
    size_t length;
    const char* value = fy_node_get_scalar(field(row, name), &length);
    return length == strlen(text) && memcmp(value, text, length) == 0;
}
