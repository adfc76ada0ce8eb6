// SPDX-License-Identifier: MIT
// Many arrays in one piece of memory: a first round only counts, a second one deals out. Each begins
// a cache line of its own, as the kernels like it.
#pragma once

#include <stddef.h>

typedef struct {
    char* at; // NULL: only count
    size_t used;
} rvDeal;

static inline void* rv_deal(rvDeal* d, size_t count, size_t size)
{
    void* place = d->at ? d->at + d->used : NULL;
    d->used += (count * size + 63) / 64 * 64;
    return place;
}
