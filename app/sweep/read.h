// SPDX-License-Identifier: MIT
// From the tree of a study's text to its structs. Every mistake is reported with file, line, column and field, and the
// reading goes on, so that one run shows them all.
#pragma once

#include "sweep/field.h"
#include "sweep/model.h"
#include "sweep/study.h"

#include "scene/tree.h"
#include "scene/units.h"

typedef struct {
    rvStudy* study;
    rvReport* report;
    rvModel* model;      // the scene; NULL: it could not be read, what depends on it is not checked
    const rvNode* scene; // its tree, for tables of commands
    char path[200];      // of the field that is being read: "figures.peak tension.max"
    size_t pathLength;
} rvStudyReader;

// Adds a part to the path and answers its old length for rv_study_leave.
size_t rv_study_enter(rvStudyReader* reader, const char* name);
void rv_study_leave(rvStudyReader* reader, size_t length);

// Reports a mistake at a node, in the field of the path. Answers false.
bool rv_study_mistake(rvStudyReader* reader, const rvNode* node, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// Are the fields of a map those of its kind, and all there that it needs.
bool rv_study_fields(rvStudyReader* reader, const rvStudyKind* kind, const rvNode* node);

// The field of a map, with the path entered: leave it afterwards. NULL: it is not given, the path stays.
const rvNode* rv_study_field(rvStudyReader* reader, const rvNode* map, const char* name, size_t* outer);

// A number with the unit that was written behind it.
typedef struct {
    double value;
    const char* unit; // "" for a pure number
    rvUnit kind;
} rvWritten;

// Values of a node. False: a mistake was reported.
bool rv_study_text(rvStudyReader* reader, const rvNode* node, const char* what, const char** text);
bool rv_study_number(rvStudyReader* reader, const rvNode* node, rvWritten* number);
// In a unit that is asked for, such as "s"; a pure number is in that unit.
bool rv_study_number_in(rvStudyReader* reader, const rvNode* node, const char* unit, double* value);
bool rv_study_whole(rvStudyReader* reader, const rvNode* node, int64_t least, int64_t* value);

// The same for an optional field of a map; *value stays where it is not given.
bool rv_study_get_number(rvStudyReader* reader, const rvNode* map, const char* name, const char* unit, double* value);
bool rv_study_get_whole(rvStudyReader* reader, const rvNode* map, const char* name, int64_t least, int64_t* value);

// Can the key of an entry name a dataset of the HDF5 file.
bool rv_study_name(rvStudyReader* reader, const rvNode* node);

// A node as YAML in one line, in the arena of the study.
const char* rv_study_yaml(rvStudyReader* reader, const rvNode* node);

// Text in the arena of the study; longer ones are cut to 500 bytes.
const char* rv_study_print(rvStudy* study, const char* format, ...) __attribute__((format(printf, 2, 3)));

// "1.25 t": a number with its unit, as a scene reads it; the shortest that is the same double.
void rv_study_put_number(rvText* out, double value, const char* unit);

// parameter.c
bool rv_study_read_parameter(rvStudyReader* reader, const rvNode* node, rvParameter* parameter);

// figure_read.c: what is kept of a run. All need the quantities, which come first.
void rv_study_read_quantities(rvStudyReader* reader, const rvNode* map);
void rv_study_read_figures(rvStudyReader* reader, const rvNode* map);
void rv_study_read_limits(rvStudyReader* reader, const rvNode* map);
void rv_study_read_series(rvStudyReader* reader, const rvNode* map);
void rv_study_read_events(rvStudyReader* reader, const rvNode* list);
