// SPDX-License-Identifier: MIT
#include "libm.h"

#include "support/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char PIN[] = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4";

void golden_pin(char** argv)
{
    const char* now = getenv("GLIBC_TUNABLES");
    if (now && strcmp(now, PIN) == 0)
        return;
    setenv("GLIBC_TUNABLES", PIN, 1);
    execv("/proc/self/exe", argv);
    perror("golden: cannot start again");
}

static void mix(uint64_t* hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    *hash = (*hash ^ bits) * 0x100000001b3ull;
}

bool golden_is_pinned(void)
{
    // of 20000 arguments about one in a thousand rounds otherwise with fused multiply-add
    static const uint64_t expected = 0x81af8ee3d081f6a0ull;
    volatile uint64_t first = 1; // a compiler that knows it computes the first values itself, rounded correctly
    uint64_t seed = first, hash = 0xcbf29ce484222325ull;
    for (int i = 0; i < 20000; ++i) {
        double x = rv_draw_between(&seed, -1.0, 1.0), y = rv_draw_between(&seed, 0.0, 40.0);
        mix(&hash, sin(y));
        mix(&hash, cos(y));
        mix(&hash, tan(x));
        mix(&hash, asin(x));
        mix(&hash, acos(x));
        mix(&hash, atan2(x, y));
        mix(&hash, exp(10.0 * x));
        mix(&hash, log(y));
        mix(&hash, pow(y, x));
        mix(&hash, sinh(x));
        mix(&hash, cosh(x));
        mix(&hash, tanh(x));
        mix(&hash, asinh(y));
        mix(&hash, cbrt(x));
        mix(&hash, hypot(x, y));
    }
    if (hash != expected)
        fprintf(stderr, "golden: the elementary functions of this C library are others (%016llx, expected %016llx)\n",
                (unsigned long long)hash, (unsigned long long)expected);
    return hash == expected;
}
