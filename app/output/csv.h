// SPDX-License-Identifier: MIT
// results.csv: a row of names, a row of units, then samples.
#pragma once

#include "reeve/scene.h"

#include <stdio.h>

typedef struct {
    FILE* file;
    double* values;
    int columns;
    long rows; // samples written
} rvCsv;

// False: errno says why.
bool rv_csv_open(rvCsv* csv, const char* path, const rvScene* scene);
void rv_csv_add(rvCsv* csv, const rvScene* scene, const rvWorld* world, double time);

// False where something could not be written.
bool rv_csv_close(rvCsv* csv);
