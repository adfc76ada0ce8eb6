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

// By the values at xi = 1/4, 1/2, 3/4, 1.
void rv_gauss_powers(double powers[POINTS * POINTS])
{
    for (int m = 0; m < POINTS; ++m) {
        double d[POINTS];
        for (int k = 0; k < POINTS; ++k) // divided differences of weight/xi
            d[k] = rv_gauss_weight_to(m, 0.25 * (k + 1)) / (0.25 * (k + 1));
        for (int order = 1; order < POINTS; ++order)
            for (int k = POINTS - 1; k >= order; --k)
                d[k] = (d[k] - d[k - 1]) / (0.25 * order);
        double power[POINTS] = {d[POINTS - 1]};
        for (int k = POINTS - 2; k >= 0; --k) { // times (xi - node k), plus d[k]
            for (int p = POINTS - 1; p > 0; --p)
                power[p] = power[p - 1] - 0.25 * (k + 1) * power[p];
            power[0] = d[k] - 0.25 * (k + 1) * power[0];
        }
        for (int p = 0; p < POINTS; ++p)
            powers[p * POINTS + m] = power[p];
    }
}
