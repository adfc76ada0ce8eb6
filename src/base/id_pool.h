// SPDX-License-Identifier: MIT
// Which places of a store are alive, and how often each was used: the check behind every id.
#pragma once

#include "base/memory.h"

typedef struct {
    uint32_t* generations; // of each place; odd while alive
    int capacity;
    int count; // places in use, up to the last live one; live and free ones
    int alive;
} rvIdPool;

// The place for a new object: the lowest free one, or -1 without memory.
int rv_id_pool_take(rvIdPool* pool, rvMemory* memory);
void rv_id_pool_give(rvIdPool* pool, int index);
// A copy of the name of the object that takes the next place, for messages: where it has none, # and index1 of its id.
// NULL: no memory. Given back by rv_memory_give_text.
char* rv_id_pool_name(const rvIdPool* pool, rvMemory* memory, const char* name);
void rv_id_pool_clear(rvIdPool* pool, rvMemory* memory);

static inline bool rv_id_pool_alive(const rvIdPool* pool, int index)
{
    return index >= 0 && index < pool->count && (pool->generations[index] & 1u);
}

// The index behind an id, or -1 where it is null, stale or made up.
static inline int rv_id_pool_find(const rvIdPool* pool, uint32_t index1, uint32_t generation)
{
    if (index1 == 0 || index1 > (uint32_t)pool->count || pool->generations[index1 - 1] != generation ||
        !(generation & 1u))
        return -1;
    return (int)index1 - 1;
}
