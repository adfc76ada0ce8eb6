// SPDX-License-Identifier: MIT
// results.csv: a row of names, a row of units, then samples.
#pragma once

#include "support/folder.h"

#include "reeve/scene.h"

typedef struct {
    rvFile file;
    double* values;
    int columns;
    long rows; // samples written
} rvCsv;

// False: errno says why.
bool rv_csv_open(rvCsv* csv, rvFolder* folder, const rvScene* scene);
bool rv_csv_add(rvCsv* csv, const rvScene* scene, const rvWorld* world, double time);
bool rv_csv_close(rvCsv* csv);
