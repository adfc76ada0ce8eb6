// SPDX-License-Identifier: MIT
// Memory of a scene: taken piece by piece, given back all at once. A failure is remembered, so that a reader may go on
// and ask once at the end.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct rvArenaBlock rvArenaBlock;

typedef struct {
    rvArenaBlock* blocks; // newest first
    bool failed;          // malloc answered NULL at least once
} rvArena;

// Zeroed memory, or NULL. A size of 0 gives a pointer that must not be read.
void* rv_arena_take(rvArena* arena, size_t size);

// `count` items of `size` bytes; NULL also where the product does not fit.
void* rv_arena_take_array(rvArena* arena, size_t count, size_t size);

// A copy closed by 0; "" without memory.
const char* rv_arena_copy(rvArena* arena, const char* text, size_t length);
void rv_arena_clear(rvArena* arena);
