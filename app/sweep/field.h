// SPDX-License-Identifier: MIT
// The table of all fields of a study. The reader, the JSON schema and the reference in docs/sweep.md come from it.
#pragma once

#include "support/bytes.h"

#include <stdbool.h>

typedef struct {
    const char* name;
    const char* schema; // JSON schema of its type
    const char* type;   // the same in words
    bool needed;
    const char* help;
} rvStudyField;

typedef struct {
    const char* name; // "figure"
    const char* help;
    const rvStudyField* fields;
    int count;
} rvStudyKind;

typedef enum {
    RV_STUDY_ROOT,
    RV_STUDY_PARAMETER,
    RV_STUDY_UNIFORM,
    RV_STUDY_NORMAL,
    RV_STUDY_LOGNORMAL,
    RV_STUDY_WEIBULL,
    RV_STUDY_QUANTITY,
    RV_STUDY_FIGURE,
    RV_STUDY_LIMIT,
    RV_STUDY_SERIES,
    RV_STUDY_KINDS
} rvStudyKindIndex;

extern const rvStudyKind rvStudyKinds[RV_STUDY_KINDS];

// One JSON schema for scenes and studies: the one of scenes, with a study where the file has the field `study`.
// False: without memory.
bool rv_study_schema(rvBytes* out);

// The tables of fields, for docs/sweep.md. False: without memory.
bool rv_study_reference(rvBytes* out);
