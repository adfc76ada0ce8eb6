// SPDX-License-Identifier: MIT
// The line that a cable is drawn by, and which part of it is which span.
#pragma once

#include "reeve/cable.h"

typedef struct {
    rvVec3* points;
    int count, capacity;
} rvRopeLine;

// The points of a cable. False: no memory, and no points.
bool rv_rope_line_fetch(rvRopeLine* line, const rvWorld* world, rvCableId id);
// The point at which a span begins: where the cable comes to place `span`, so that its arc there is of that span too.
// after: where the span before it begins, 0 for the first.
int rv_rope_line_begin(const rvRopeLine* line, const rvWorld* world, rvCableId id, int span, int after);
void rv_rope_line_release(rvRopeLine* line);
