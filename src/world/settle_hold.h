// SPDX-License-Identifier: MIT
// What settling (settle.c) holds still meanwhile and gives back as it was (settle_hold.c).
#pragma once

#include "world/world.h"

#define RV_POLISH_STEP 0.01 // [s]: there stiff directions settle at once and soft ones hardly move

// What settling must not change of a place.
typedef struct {
    double driveSpeed, driveWork, heat;
} rvPlaceBooks;

typedef struct {
    rvWorld* world;
    uint8_t* start; // the state at the start
    // at the start, by index
    rvBodyState* bodies;
    rvBodyType* types;
    rvJointState* joints;
    rvCableState* cables;
    rvWinch (*winches)[2];
    double* breakForce;
    rvPlaceBooks* places; // of the definitions' places, cable by cable
    // by body
    int* group;       // another body of its group, or itself: the group's first
    double* held;     // 1: held where it is
    double (*way)[6]; // of the last iteration
    double* carried;  // sum of the forces on it [N]
    double* share;    // unbalanced, of that
    double* force;    // unbalanced [N]
    // by cable, where the inside moves too
    double *cableShare, *cableForce;
    uint8_t* rest;          // a balance that may not stay
    rvVec3 *points, *moved; // of cables that may be nudged: there; scratch
    int left;               // balances that did not stay
    bool stable;            // the last one does
    int iterations, most;
    bool down; // a rope is laid on shapes, nothing else
} rvSettle;

// Points of a cable that may be nudged (RV_MAY_BUCKLE); answers how many there are.
int rv_settle_points(const rvWorld* world, int cable, rvVec3* points, int capacity);
// Lays the pieces of `s` from `block` on; answers how many bytes they take. With NULL it only counts.
size_t rv_settle_lay_pieces(rvSettle* s, uint8_t* block);
// Before anything is held: all that is given back.
void rv_settle_remember(rvSettle* s);
// Bodies that are held count as prescribed; drives stand still; nothing breaks.
void rv_settle_hold_drives(rvSettle* s);
// Holds what hangs on nothing and touches nothing, and leaves `group` as joints and cables have it.
void rv_settle_hold_falling(rvSettle* s);
int rv_settle_first_of(const rvSettle* s, int body);
// At rest, with the forces that were applied.
void rv_settle_stop_all(rvSettle* s);
void rv_settle_free_types(rvSettle* s);
// The drives again as they were told, and the books as they stood. Held bodies have their motion back.
void rv_settle_free_drives(rvSettle* s);
