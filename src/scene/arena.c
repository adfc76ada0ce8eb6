// SPDX-License-Identifier: MIT
// Blocks of at least 64 kB, filled from the front.
#include "scene/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 65536, ALIGNMENT = 16 };

struct rvArenaBlock {
    rvArenaBlock* older;
    size_t used, size;
    _Alignas(ALIGNMENT) unsigned char bytes[];
};

void* rv_arena_take(rvArena* arena, size_t size)
{
    if (size > SIZE_MAX / 2) {
        arena->failed = true;
        return NULL;
    }
    size_t needed = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    rvArenaBlock* block = arena->blocks;
    if (!block || block->size - block->used < needed) {
        size_t room = needed > BLOCK_SIZE ? needed : BLOCK_SIZE;
        block = malloc(sizeof *block + room);
        if (!block) {
            arena->failed = true;
            return NULL;
        }
        block->older = arena->blocks;
        block->used = 0;
        block->size = room;
        arena->blocks = block;
    }
    void* memory = block->bytes + block->used;
    block->used += needed;
    memset(memory, 0, needed);
    return memory;
}

void* rv_arena_take_array(rvArena* arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 2 / size) {
        arena->failed = true;
        return NULL;
    }
    return rv_arena_take(arena, count * size);
}

const char* rv_arena_copy(rvArena* arena, const char* text, size_t length)
{
    char* copy = rv_arena_take(arena, length + 1);
    if (!copy)
        return "";
    memcpy(copy, text, length);
    return copy;
}

void rv_arena_clear(rvArena* arena)
{
    while (arena->blocks) {
        rvArenaBlock* block = arena->blocks;
        arena->blocks = block->older;
        free(block);
    }
    arena->failed = false;
}
