// SPDX-License-Identifier: MIT
#include "cable/curve/space_kernels.h"
#include "cable/curve/space_parts.h"

#include <string.h>

#ifdef RV_SPACE_HAS_AVX2
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#define TABLE rv_space_avx2
#include "cable/curve/space_lanes.h"
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
