// SPDX-License-Identifier: MIT
// Joint gaps that fast turning opened are closed after the bodies have moved. See close.c.
#pragma once

#include "base/memory.h"
#include "body/joint.h"
#include "solve/stepping.h"

typedef struct {
    rvRows rows;
    double (*inverse)[7]; // by body of the solver: zero where it stays
    double (*way)[6];     // by body of the solver: how far it goes and turns
    int inverseCapacity, wayCapacity;
} rvClosing;

struct rvWorld;

bool rv_closing_reserve(rvClosing* closing, rvMemory* memory, const rvJointStore* joints, int bodyCount);
void rv_closing_release(rvClosing* closing, rvMemory* memory);
// After the bodies were advanced; `fastest` is the largest spin among them [rad/s].
void rv_close_gaps(struct rvWorld* world, const rvStepContext* context, double fastest);
