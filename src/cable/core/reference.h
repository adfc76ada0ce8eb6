// SPDX-License-Identifier: MIT
// The ninth table: the papers' own methods, to compare with. They are a library of their own (reference/,
// libreeve-reference); a world has them by rvWorldDef.reference, each of its cables by cable->reference. NULL: the
// program has only the core. The table is whole, and constant.
#pragma once

#include "cable/core/cable.h"

struct rvAncf;
struct rvWaveTable;
struct rvWaveStep;

struct rvReference {
    // ---- a finite-element cable that another integrator steps (reference/fe_lead.c); its ends are prescribed

    // can it, with the elements and places that the cable has now? Takes the room that it needs
    rvStatus (*accept)(rvCable* cable, const rvBodyStore* bodies, rvError* error);
    void (*start)(rvCable* cable);                                      // shape and velocities are there
    void (*begin)(rvCable* cable, const rvBodyStore* bodies, double h); // where places go in the step
    bool (*step)(rvCable* cable, double h);                             // false: not finite

    // ---- rows on the coordinates of elements that stand alone and have some (reference/ancf_rows.c)

    rvStatus (*startRows)(struct rvAncf* elements, rvError* error); // velocities that fit them
    void (*accelerateRows)(struct rvAncf* elements, double* a);
    void (*addRowForces)(const struct rvAncf* elements, double* force);
    void (*clearRows)(struct rvAncf* elements);

    // ---- the explicit wave of a layered cable (reference/wave_explicit.c): displacements on grid points

    // a step from one wave to another; answers its arc. Where nu^2 >= 1/2 it becomes straight and is *suspended
    double (*wave)(const struct rvWaveTable* table, const struct rvWaveStep* step, const double* from, double* to,
                   bool* suspended);
    double (*arc)(const struct rvWaveTable* table, double arc, const double* wave); // beyond the chord; arc: M^2/l
};

// For a program that asks for one of them and does not have the library: "world" or "cable 'x'", field and method.
static inline rvStatus rv_fail_without_reference(rvError* error, const char* object, const char* name,
                                                 const char* field, const char* method)
{
    return rv_fail(error, RV_BAD_INPUT,
                   "%s%s%s%s: %s: %s is a method of libreeve-reference, which this program has not given to the world: "
                   "expected rvWorldDef.reference = rvReference_GetMethods() of reeve/reference.h",
                   object, name ? " '" : "", name ? name : "", name ? "'" : "", field, method);
}
