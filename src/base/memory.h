// SPDX-License-Identifier: MIT
// Memory through the user's hooks. Taken while building, never inside a step.
#pragma once

#include "reeve/base.h"

typedef struct {
    rvAllocFn alloc;
    rvFreeFn free;
    void* context;
    size_t taken; // bytes held now
} rvMemory;

// Zeroed memory, or NULL. A size of 0 gives NULL.
void* rv_memory_take(rvMemory* memory, size_t size);
void rv_memory_give(rvMemory* memory, void* block, size_t size);

// A copy of a text, or NULL when there is no memory. Given back by rv_memory_give_text.
char* rv_memory_copy_text(rvMemory* memory, const char* text);
void rv_memory_give_text(rvMemory* memory, char* text);

// Makes room for at least `needed` items: doubles, keeps the contents, zeroes the rest. False: no memory, unchanged.
bool rv_memory_grow(rvMemory* memory, void** items, int* capacity, int needed, size_t itemSize);
