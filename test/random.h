// SPDX-License-Identifier: MIT
// Random numbers of a test, which sets `seed` before each case.
#pragma once

#include "support/random.h"

static uint64_t seed;

static inline double between(double low, double high)
{
    return rv_draw_between(&seed, low, high);
}
