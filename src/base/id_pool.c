// SPDX-License-Identifier: MIT
#include "base/id_pool.h"

#include <stdio.h>

// The lowest free place.
static int next_of(const rvIdPool* pool)
{
    int index = pool->alive < pool->count ? 0 : pool->count;
    while (index < pool->count && (pool->generations[index] & 1u))
        index += 1;
    return index;
}

char* rv_id_pool_name(const rvIdPool* pool, rvMemory* memory, const char* name)
{
    char number[16];
    snprintf(number, sizeof number, "#%d", next_of(pool) + 1);
    return rv_memory_copy_text(memory, name && name[0] ? name : number);
}

int rv_id_pool_take(rvIdPool* pool, rvMemory* memory)
{
    int index = next_of(pool);
    if (index == pool->count) {
        if (!rv_memory_grow(memory, (void**)&pool->generations, &pool->capacity, pool->count + 1, sizeof(uint32_t)))
            return -1;
        pool->count += 1;
    }
    pool->generations[index] += 1;
    pool->alive += 1;
    return index;
}

void rv_id_pool_give(rvIdPool* pool, int index)
{
    pool->generations[index] += 1;
    pool->alive -= 1;
    // No dead places at the end: a creation that is taken back leaves the state as large as it was. Their generations
    // stay, so that they never answer to an old id.
    while (pool->count > 0 && !(pool->generations[pool->count - 1] & 1u))
        pool->count -= 1;
}

void rv_id_pool_clear(rvIdPool* pool, rvMemory* memory)
{
    rv_memory_give(memory, pool->generations, (size_t)pool->capacity * sizeof(uint32_t));
    *pool = (rvIdPool){0};
}
