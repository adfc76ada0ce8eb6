// SPDX-License-Identifier: MIT
// From the tree to the structs of a scene, by the table of fields; then what the table cannot say: names, references,
// geometry.
#pragma once

#include "scene/fields.h"

typedef struct {
    rvScene* scene;
    rvReport* report;
    char path[160]; // of the field that is being read
    size_t pathLength;
} rvReader;

// Adds a part to the path and answers its old length for rv_reader_leave.
size_t rv_reader_enter(rvReader* reader, const char* format, ...) __attribute__((format(printf, 2, 3)));
void rv_reader_leave(rvReader* reader, size_t length);

// Reports a mistake at a node, in the field of the path. Answers false.
bool rv_reader_mistake(rvReader* reader, const rvNode* node, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// read.c: an object of a kind with all that is below.
void rv_read_object(rvReader* reader, const rvKind* kind, const rvNode* node, void* object);

// value.c: single values. They report what is wrong and answer false.
bool rv_read_field(rvReader* reader, const rvKind* kind, const rvField* field, const rvNode* node, void* object);
bool rv_read_number(rvReader* reader, const rvNode* node, const char* unit, const rvRange* range, bool infinite,
                    double* value);
bool rv_read_numbers(rvReader* reader, const rvNode* node, const char* unit, const rvRange* range, double* values,
                     int count);
bool rv_read_orientation(rvReader* reader, const rvNode* node, rvQuat* q);

// curve.c
bool rv_read_curve(rvReader* reader, const rvNode* node, const char* unit, int width, rvCurve* curve);

// check.c: all that spans objects. Fills names, columns, masses, meshes.
void rv_scene_check(rvReader* reader);

// obj.c: points and triangles of a mesh file into `shape`.
bool rv_read_obj(rvReader* reader, const rvNode* node, rvSceneShape* shape);
