// SPDX-License-Identifier: MIT
// An allocator that counts, and fails when it is told to.
#pragma once

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// Gives memory until `left` calls are used up; counts what is out.
typedef struct {
    long left, blocks;
    size_t bytes;
} Hooks;

static inline void* hook_alloc(size_t size, void* context)
{
    Hooks* hooks = context;
    if (hooks->left-- <= 0)
        return NULL;
    hooks->blocks += 1;
    hooks->bytes += size;
    // not zeroed: the library must not count on it
    void* block = malloc(size);
    if (block)
        memset(block, 0xA5, size);
    return block;
}

static inline void hook_free(void* block, size_t size, void* context)
{
    Hooks* hooks = context;
    hooks->blocks -= 1;
    hooks->bytes -= size;
    free(block);
}
