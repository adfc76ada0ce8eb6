// SPDX-License-Identifier: MIT
#include "reference/wave_explicit.h"

#include <string.h>

double rv_wave_arc_points(const rvWaveTable* table, double arc, const double* wave)
{
    double sum = 0.0;
    for (int d = 0; d < 2; ++d) {
        const double* u = wave + 2 * d * table->stride;
        double last = 0.0;
        for (int j = 0; j < table->intervals - 1; ++j) {
            sum += (u[j] - last) * (u[j] - last);
            last = u[j];
        }
        sum += last * last;
    }
    return 0.5 * arc / table->intervals * sum; // dx = l/M = M/arc
}

double rv_wave_explicit(const rvWaveTable* table, const rvWaveStep* step, const double* from, double* to,
                        bool* suspended)
{
    int n = table->stride, points = table->intervals - 1;
    *suspended = !(step->nu2 < 0.5);
    if (*suspended) {
        memset(to, 0, rv_wave_size(table) * sizeof(double));
        return 0.0;
    }
    double h2 = step->h * step->h, scale = 1.0 / (1.0 + step->damping);
    for (int d = 0; d < 2; ++d) {
        const double *u = from + 2 * d * n, *before = u + n;
        double *next = to + 2 * d * n, *now = next + n;
        for (int j = 0; j < points; ++j) {
            double left = j > 0 ? u[j - 1] : 0.0, right = j + 1 < points ? u[j + 1] : 0.0;
            double load = step->load[d][0] + step->load[d][1] * ((j + 1.0) / table->intervals - 0.5);
            next[j] = scale * (2.0 * u[j] - (1.0 - step->damping) * before[j] +
                               step->nu2 * (left - 2.0 * u[j] + right) + h2 * load);
            now[j] = u[j];
        }
    }
    return rv_wave_arc_points(table, step->arc, to);
}
