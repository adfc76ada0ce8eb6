// SPDX-License-Identifier: MIT
#include "math/root.h"

#include <math.h>
#include <stdbool.h>

#define MOST_ROUNDS 40
#define CLOSE 1e-13

double rv_root_between(rvRootFn f, const void* context, double fa, double fb)
{
    double a = 0.0, b = 1.0, last = 2.0;
    int stayed = 0; // the end that stayed in the last round: 1 for a, 2 for b
    for (int round = 0; round < MOST_ROUNDS && b - a > CLOSE; ++round) {
        double u = (a * fb - b * fa) / (fb - fa);
        bool closed = fabs(u - last) <= CLOSE;
        last = u;
        if (closed)
            break;
        double fu = f(context, u);
        if (fu == 0.0)
            break;
        if ((fu > 0.0) == (fb > 0.0)) {
            b = u;
            fb = fu;
            fa *= stayed == 1 ? 0.5 : 1.0;
            stayed = 1;
        } else {
            a = u;
            fa = fu;
            fb *= stayed == 2 ? 0.5 : 1.0;
            stayed = 2;
        }
    }
    return last;
}
