// SPDX-License-Identifier: MIT
// Random numbers that are the same everywhere: splitmix64. A test sets `seed` before each case.
#pragma once

#include <stdint.h>

static uint64_t seed;

static inline double between(double low, double high)
{
    uint64_t z = (seed += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return low + (high - low) * ((double)((z ^ (z >> 31)) >> 11) * 0x1p-53);
}
