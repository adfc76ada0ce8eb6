// SPDX-License-Identifier: MIT
// Several numbers at a time. A kernel that is written in lanes is inlined into two functions, one for any processor and
// one (RV_WITH_AVX) for a processor with AVX, called where RV_HAS_AVX: the same operations in the same order, four at a
// time instead of two, so the same bits.
#pragma once

typedef double rvPair __attribute__((vector_size(16), aligned(8), may_alias));
typedef double rvFour __attribute__((vector_size(32), aligned(8), may_alias));

#define RV_KERNEL static inline __attribute__((always_inline))
// x in one lane, 0 in the others; in none where there is no such lane. Put together in a register: a vector that is
// loaded after one of its lanes was stored has to wait for memory.
#define rv_in_lane(x, lane)                                                                                            \
    ((rvFour){(lane) == 0 ? (x) : 0.0, (lane) == 1 ? (x) : 0.0, (lane) == 2 ? (x) : 0.0, (lane) == 3 ? (x) : 0.0})

#if defined __x86_64__ && defined __GNUC__
#define RV_WITH_AVX __attribute__((target("avx")))
#define RV_HAS_AVX __builtin_cpu_supports("avx")
#else
#define RV_WITH_AVX
#define RV_HAS_AVX 0
#endif

// z += f y
RV_KERNEL void rv_add_scaled(double* restrict z, const double* restrict y, double f, int n)
{
    int i = 0;
    for (; i + 4 <= n; i += 4)
        *(rvFour*)(z + i) += *(const rvFour*)(y + i) * f;
    for (; i < n; ++i)
        z[i] += y[i] * f;
}
