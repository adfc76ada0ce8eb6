// SPDX-License-Identifier: MIT
// The guard of the energy: what the method itself makes is taken out, what it itself loses is given back. See guard.c.
#pragma once

#include "base/memory.h"
#include "solve/stepping.h"

// Books of one step for the bodies that rows tie together; found anew each step, by the index of one of its bodies.
typedef struct {
    double made;    // by the method in this step, cables and their losses counted [J]
    double own;     // by joints and geometric stiffness alone [J]
    double dragged; // what drag took of turning [J]
    double mass;
    double gain, loss, scale; // sums over its bodies, see rvBodyState
    // of the direction in which it is corrected
    double cross, square, lift;
    double uncertainty;         // of the energy of its ropes in this step [J]
    double rope, taken;         // kinetic energy of rope with mass among them, and what was taken from it
    double step;                // how far along it; before that is chosen: not 0 where it is corrected
    double owed;                // by its cables with mass, which keep their own books [J]
    bool give;                  // along the slow motion, to give back; else along all of it, to take out
    bool held;                  // something holds it that is no body of it; else its momentum is kept
    bool roped;                 // a cable is in it
    bool heavy;                 // one with mass whose books are ours
    bool shock;                 // speeds that joints do not allow were there before the step
    bool hosted;                // bodies of a host are in it
    bool unknown;               // its energy is not all ours to tell: bodies of a host, rope with mass
    rvVec3 center, drift, spin; // of its rigid motion
    double inertia[6];
} rvGuardIsland;

typedef struct {
    double stored; // before the step [J]; NAN: not known
    bool known;    // what it stored after it
} rvGuardCable;

typedef struct {
    int* parent;            // by body of the solver
    rvGuardIsland* islands; // by body of the solver
    rvGuardCable* cables;
    bool strange; // there is rope that keeps its own books
    int parentCapacity, islandCapacity, cableCapacity;
} rvGuard;

struct rvWorld;

bool rv_guard_reserve(rvGuard* guard, rvMemory* memory, int bodyCount, int cableCount);
void rv_guard_release(rvGuard* guard, rvMemory* memory);
// Before the step: what cables hold.
void rv_guard_begin(struct rvWorld* world);
// After it, when the bodies have moved: the books of bodies and rows.
void rv_guard_count(struct rvWorld* world, const rvStepContext* context);
// Is the island of this body held by what is no body of it?
bool rv_guard_holds(const struct rvWorld* world, int body);
// Energy that the method made at this body [J], beyond what the books hold already.
void rv_guard_add(struct rvWorld* world, int body, double made);
// When cables have moved, too: their books, accounts, correction of the velocities.
void rv_guard_finish(struct rvWorld* world, const rvStepContext* context);
