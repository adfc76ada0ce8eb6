// SPDX-License-Identifier: MIT
// Pictures for ParaView: scene.pvd and vtk/*.vtp. Cables are lines with their tension, shapes are surfaces.
#pragma once

#include "output/rope_line.h"
#include "output/surface.h"
#include "support/bytes.h"

#include "reeve/scene.h"

#include <stdio.h>

typedef struct {
    rvSurface surface;
    int body; // in the scene
} rvVtkPart;

// A span: points from first to last.
typedef struct {
    int cable, first, last;
    double tension;
} rvVtkSpan;

typedef struct {
    char folder[1024];
    FILE* index; // scene.pvd
    FILE* file;  // being written
    rvVtkPart* parts;
    int movingCount, partCount; // what moves comes first
    rvRopeLine* lines;          // of all cables
    int lineCount;
    rvVtkSpan* spans;
    int spanCapacity;
    rvBytes bytes; // of an array
    int frames;
    bool failed; // something could not be written; errno of that time is kept
    int error;
} rvVtk;

// False: errno says why.
bool rv_vtk_open(rvVtk* vtk, const char* folder, const rvScene* scene, const rvWorld* world);
void rv_vtk_add(rvVtk* vtk, const rvScene* scene, const rvWorld* world, double time);

// False where something could not be written.
bool rv_vtk_close(rvVtk* vtk);
