// SPDX-License-Identifier: MIT
// Larger and smaller of two numbers, neither of them NaN: one instruction, where fmax and fmin are calls.
#pragma once

static inline double rv_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double rv_smaller(double a, double b)
{
    return a < b ? a : b;
}
