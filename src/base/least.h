// SPDX-License-Identifier: MIT
// Numbers that are too close to 0 to be computed with.
//
// Below 2^-1022 a double is subnormal: it has lost digits, and its inverse is infinite. What is divided by must keep a
// larger distance, since it is multiplied first: the inverse of an inertia needs the product of three of its moments,
// and the inverse of (1e-100)^3 is finite yet.
#pragma once

#include <float.h>
#include <math.h>
#include <stdbool.h>

#define RV_LEAST_DIVISOR 1e-100

// Is a number that is not 0 too small? `divides`: something is divided by it.
static inline bool rv_is_too_small(double x, bool divides)
{
    return x != 0.0 && fabs(x) < (divides ? RV_LEAST_DIVISOR : DBL_MIN);
}
