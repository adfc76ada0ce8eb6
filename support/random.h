// SPDX-License-Identifier: MIT
// Random numbers: the same for the same seed, on any machine.
//
// A linear congruential generator of 64 bits, x' = a x + c mod 2^64 with Knuth's a and c (MMIX). Its upper 53 bits are
// the number; a program that uses the lower ones must mix them first.
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// Uniform in [0, 1).
static inline double rv_draw(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*seed >> 11) * 0x1p-53;
}

static inline bool rv_draw_chance(uint64_t* seed, double share)
{
    return rv_draw(seed) < share;
}

static inline double rv_draw_between(uint64_t* seed, double from, double to)
{
    return from + (to - from) * rv_draw(seed);
}

// Uniform in the logarithm.
static inline double rv_draw_by_decades(uint64_t* seed, double from, double to)
{
    return from * pow(to / from, rv_draw(seed));
}

// splitmix64's finalizer: every bit of the argument changes half of the bits of the result.
static inline uint64_t rv_random_mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// The seed of a stream of its own for one parameter of one run of a study: it depends on these three numbers only, so
// that runs can be drawn in any order, and parameters added, without changing the others.
static inline uint64_t rv_random_stream(uint64_t study, uint64_t run, uint64_t parameter)
{
    return rv_random_mix(rv_random_mix(rv_random_mix(study) ^ run) ^ parameter);
}
