// SPDX-License-Identifier: MIT
// All files of a run, in its folder: the samples, the pictures for ParaView, the replay, the picture, and at the end
// the summary, sections and report.
//
// Each call answers false at the first file that cannot be written; `problem` and `exitCode` then say which and why.
#pragma once

#include "output/csv.h"
#include "output/summary.h"
#include "output/vtk.h"
#include "view/record.h"

typedef struct {
    const char* folder;
    bool pictures, replay, report, sections; // which files there are besides
    bool force;                              // files there that are not ours are overwritten
} rvResultsDef;

typedef struct {
    rvResultsDef def;
    rvScene* scene;
    rvWorld* world;
    rvFolder folder;
    rvCsv csv;
    rvVtk vtk;
    rvRecord record;
    bool isOpen, isDrawn;
    double pictureTime; // that the picture shows [s]
    char problem[1400]; // the first; empty: none
    int exitCode;
} rvResults;

// `until`: how long the run will be [s].
bool rv_results_open(rvResults* results, const rvResultsDef* def, rvScene* scene, rvWorld* world, double until);

// A row of samples, and the files for ParaView.
bool rv_results_sample(rvResults* results, double time);

// At the start and after each step: the replay.
bool rv_results_record(rvResults* results, double time, double dt);
bool rv_results_draw(rvResults* results, double time);

// The files that are written at the end, and the ends of the others. However it ends, what was written stays.
bool rv_results_close(rvResults* results, const rvSummary* summary);

// Keeps this problem with a file, of which errno knows the reason, if it is the first. Answers false.
bool rv_results_fail(rvResults* results, const char* name);

// Where they are, for people.
void rv_results_print(const rvResults* results, FILE* out);
