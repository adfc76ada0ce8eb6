// SPDX-License-Identifier: MIT
// Pictures for ParaView: scene.pvd and vtk/*.vtp. Cables are lines with their tension, shapes are surfaces.
#pragma once

#include "output/rope_line.h"
#include "output/surface.h"
#include "support/folder.h"

#include "reeve/scene.h"

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
    rvFolder* folder;
    rvBytes index;     // lines of scene.pvd
    int indexedFrames; // in the scene.pvd on the disk
    FILE* file;        // being written
    rvVtkPart* parts;
    int movingCount, partCount; // what moves comes first
    rvRopeLine* lines;          // of all cables
    int lineCount;
    rvVtkSpan* spans;
    int spanCapacity;
    rvBytes bytes; // of an array
    int frames;
} rvVtk;

// False: errno says why.
bool rv_vtk_open(rvVtk* vtk, rvFolder* folder, const rvScene* scene, const rvWorld* world);
bool rv_vtk_add(rvVtk* vtk, const rvScene* scene, const rvWorld* world, double time);
bool rv_vtk_close(rvVtk* vtk);
