// SPDX-License-Identifier: MIT
// What a run publishes, as text: of each object a hash every tenth step, and its last values in full.
//
// A run is
//   run NAME
//   ended STEPS ok | failed
//   hash OBJECT 32 bits every tenth step from the first on, six characters each; ...... where there is none
//   last OBJECT its values at the last sample, as the bits of doubles
// Objects are the bodies (pose, velocities), the cables (tension of each span, lengths, energies, twist; the line it is
// drawn by is in the hash only) and the energies of the world.
#pragma once

#include "reeve/reeve.h"
#include "support/bytes.h"

enum { GOLDEN_EVERY = 10, GOLDEN_OBJECTS = 64, GOLDEN_VALUES = 512 };

typedef struct {
    char name[64];
    rvBytes hashes;
    double last[GOLDEN_VALUES];
    int lastCount;
} rvGoldenObject;

typedef struct {
    rvGoldenObject objects[GOLDEN_OBJECTS];
    int objectCount;
    int steps, samples;
    int printed; // the step whose values are printed; 0: none
    bool failed; // out of room
} rvGolden;

// After each step.
void golden_note(void* golden, rvWorld* world);
// Its text is added; the record is empty then. `failed`: a step did.
void golden_write(rvGolden* golden, const char* run, bool failed, rvBytes* text);
