// SPDX-License-Identifier: MIT
// Points of Sobol's sequence, each by its number.
#pragma once

#include <stdint.h>

enum { RV_SOBOL_DIMENSIONS = 37 };

// Coordinate `dimension` (from 0) of point `index`, times 2^32; the order of points is that of Antonov and Saleev.
uint32_t rv_sobol(uint32_t index, int dimension);
