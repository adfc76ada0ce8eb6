// SPDX-License-Identifier: MIT
// Random numbers of the sweeps: the same for the same seed, on any machine.
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// From 0 to 1.
static inline double rv_draw(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*seed >> 11) / (double)(1ull << 53);
}

static inline bool rv_draw_chance(uint64_t* seed, double share)
{
    return rv_draw(seed) < share;
}

static inline double rv_draw_between(uint64_t* seed, double from, double to)
{
    return from + (to - from) * rv_draw(seed);
}

static inline double rv_draw_by_decades(uint64_t* seed, double from, double to)
{
    return from * pow(to / from, rv_draw(seed));
}
