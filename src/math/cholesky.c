// SPDX-License-Identifier: MIT
#include "math/cholesky.h"

#include <math.h>

bool rv_cholesky_factor_to(double* a, int n, double roundOff)
{
    bool whole = true;
    for (int i = 0; i < n; ++i) {
        double *row = a + i * n, left = row[i];
        for (int j = 0; j < i; ++j) {
            const double* other = a + j * n;
            double sum = row[j];
            for (int k = 0; k < j; ++k)
                sum -= row[k] * other[k];
            row[j] = other[j] > 0.0 ? sum / other[j] : 0.0;
            left -= row[j] * row[j];
        }
        bool counts = left > roundOff * row[i];
        row[i] = counts ? sqrt(left) : 0.0;
        whole = whole && counts;
    }
    return whole;
}

bool rv_cholesky_factor(double* a, int n)
{
    return rv_cholesky_factor_to(a, n, 1e-12);
}

void rv_cholesky_solve(const double* l, int n, double* b)
{
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k)
            b[i] -= l[i * n + k] * b[k];
        b[i] = l[i * n + i] > 0.0 ? b[i] / l[i * n + i] : 0.0;
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k)
            b[i] -= l[k * n + i] * b[k];
        b[i] = l[i * n + i] > 0.0 ? b[i] / l[i * n + i] : 0.0;
    }
}
