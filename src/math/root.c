// SPDX-License-Identifier: MIT
#include "math/root.h"

#include <stdbool.h>

#define MOST_ROUNDS 40
#define CLOSE 1e-13

double rv_root_between(rvRootFn f, const void* context, double fa, double fb)
{
    double a = 0.0, b = 1.0, u = 0.5;
    for (int round = 0; round < MOST_ROUNDS && b - a > CLOSE; ++round) {
        u = (a * fb - b * fa) / (fb - fa);
        double fu = f(context, u);
        if (fu == 0.0)
            return u;
        bool above = (fu > 0.0) == (fb > 0.0);
        if (above) {
            b = u;
            fb = fu;
            fa *= 0.5;
        } else {
            a = u;
            fa = fu;
            fb *= 0.5;
        }
    }
    return u;
}
