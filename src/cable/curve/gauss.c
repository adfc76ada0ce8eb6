// SPDX-License-Identifier: MIT
#include "cable/curve/gauss.h"

#define POINTS RV_GAUSS_POINTS

// The polynomial of Gauss point m at u.
static double polynomial(int m, double u)
{
    double value = 1.0;
    for (int k = 0; k < POINTS; ++k)
        if (k != m)
            value *= (u - rv_gauss_node[k]) / (rv_gauss_node[m] - rv_gauss_node[k]);
    return value;
}

// Gauss' rule on the part is exact for the polynomials.
double rv_gauss_weight_to(int m, double xi)
{
    double weight = 0.0;
    for (int k = 0; k < POINTS; ++k)
        weight += xi * rv_gauss_weight[k] * polynomial(m, xi * rv_gauss_node[k]);
    return weight;
}

void rv_gauss_partials(double partials[POINTS * POINTS])
{
    for (int g = 0; g < POINTS; ++g)
        for (int m = 0; m < POINTS; ++m)
            partials[g * POINTS + m] = rv_gauss_weight_to(m, rv_gauss_node[g]);
}

void rv_gauss_weigh(double h, double density, double tail, const double* partials, double inner[], double outer[])
{
    for (int m = 0; m < POINTS; ++m) {
        outer[m] = h * tail * rv_gauss_weight[m];
        for (int g = 0; g < POINTS; ++g)
            outer[m] += h * density * h * rv_gauss_weight[g] * partials[g * POINTS + m];
        for (int l = 0; l < POINTS; ++l) {
            double b = tail * rv_gauss_weight[m] * rv_gauss_weight[l];
            for (int g = 0; g < POINTS; ++g)
                b += density * h * rv_gauss_weight[g] * partials[g * POINTS + m] * partials[g * POINTS + l];
            inner[m * POINTS + l] = h * h * b;
        }
    }
}
