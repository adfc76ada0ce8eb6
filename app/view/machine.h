// SPDX-License-Identifier: MIT
// A scene that is driven: its world, the levers, a saved state. Used by one thread.
#pragma once

#include "view/sim.h"
#include "view/stage.h"

typedef struct {
    rvScene* scene; // its own
    rvWorld* world;
    rvStage stage;
    uint64_t steps;
    double *levers, *wanted; // of each control: speed now and where it goes
    bool *touched, *braked;
    bool manual, failed;
    rvBytes saved; // a state to go back to; empty: none
} rvMachine;

// Takes the scene, also where it fails.
bool rv_machine_open(rvMachine* machine, rvScene* scene, char* error, size_t capacity);
void rv_machine_release(rvMachine* machine);

// False: the world diverged, and stands.
bool rv_machine_step(rvMachine* machine);

// What orders do to the machine itself. Where it cannot be done, `why` says so.
void rv_machine_obey(rvMachine* machine, const rvOrder* order, char* why, size_t capacity);
