// SPDX-License-Identifier: MIT
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void* rv_memory_take(rvMemory* memory, size_t size)
{
    if (size == 0)
        return NULL;
    // calloc leaves the pages of a large block untouched until they are used
    void* block = memory->alloc ? memory->alloc(size, memory->context) : calloc(1, size);
    if (!block)
        return NULL;
    if (memory->alloc)
        memset(block, 0, size);
    memory->taken += size;
    return block;
}

void rv_memory_give(rvMemory* memory, void* block, size_t size)
{
    if (!block)
        return;
    memory->taken -= size;
    if (memory->free)
        memory->free(block, size, memory->context);
    else
        free(block);
}

char* rv_memory_copy_text(rvMemory* memory, const char* text)
{
    size_t size = strlen(text) + 1;
    char* copy = rv_memory_take(memory, size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

void rv_memory_give_text(rvMemory* memory, char* text)
{
    if (text)
        rv_memory_give(memory, text, strlen(text) + 1);
}

bool rv_memory_grow(rvMemory* memory, void** items, int* capacity, int needed, size_t itemSize)
{
    if (needed <= *capacity)
        return true;
    int grown = *capacity < 8 ? 8 : *capacity;
    while (grown < needed)
        grown = grown > INT32_MAX / 2 ? needed : 2 * grown;
    void* larger = rv_memory_take(memory, (size_t)grown * itemSize);
    if (!larger)
        return false;
    if (*items)
        memcpy(larger, *items, (size_t)*capacity * itemSize);
    rv_memory_give(memory, *items, (size_t)*capacity * itemSize);
    *items = larger;
    *capacity = grown;
    return true;
}
