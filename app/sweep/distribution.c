// SPDX-License-Identifier: MIT
// Quantile functions F^-1(u).
//
//   uniform    a + (b - a) u
//   normal     a + b z(u), z of the standard normal distribution
//   lognormal  exp(a + b z(u))
//   Weibull    a (-ln(1 - u))^(1/b)
//
// Truncated to [l, h]: F^-1(F(l) + u (F(h) - F(l))).
#include "sweep/distribution.h"

#include <math.h>

#define SQRT_HALF 0.70710678118654752440
#define SQRT_TWO_PI 2.50662827463100050242

// For u <= 1/2: a start by the rational approximation 26.2.23 of Abramowitz and Stegun (error below 4.5e-4), then steps
// of Halley on F(z) = erfc(-z / sqrt 2) / 2 = u. The third-order convergence makes two of them enough.
static double lower_normal_quantile(double u)
{
    double t = sqrt(-2.0 * log(u));
    double z = (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
    for (int i = 0; i < 3; ++i) {
        double e = (0.5 * erfc(-z * SQRT_HALF) - u) * SQRT_TWO_PI * exp(0.5 * z * z);
        z -= e / (1.0 + 0.5 * z * e);
    }
    return z;
}

double rv_normal_quantile(double u)
{
    return u <= 0.5 ? lower_normal_quantile(u) : -lower_normal_quantile(1.0 - u);
}

double rv_distribution_share(const rvDistribution* draw, double x)
{
    switch (draw->kind) {
    case RV_VARY_NORMAL:
        return 0.5 * erfc(-(x - draw->a) / draw->b * SQRT_HALF);
    case RV_VARY_LOGNORMAL:
        return x > 0.0 ? 0.5 * erfc(-(log(x) - draw->a) / draw->b * SQRT_HALF) : 0.0;
    case RV_VARY_WEIBULL:
        return x > 0.0 ? -expm1(-pow(x / draw->a, draw->b)) : 0.0;
    default:
        return fmin(fmax((x - draw->a) / (draw->b - draw->a), 0.0), 1.0);
    }
}

static double untruncated(const rvDistribution* draw, double u)
{
    switch (draw->kind) {
    case RV_VARY_NORMAL:
        return draw->a + draw->b * rv_normal_quantile(u);
    case RV_VARY_LOGNORMAL:
        return exp(draw->a + draw->b * rv_normal_quantile(u));
    case RV_VARY_WEIBULL:
        return draw->a * pow(-log1p(-u), 1.0 / draw->b);
    default:
        return draw->a + (draw->b - draw->a) * u;
    }
}

double rv_quantile(const rvDistribution* draw, double u)
{
    const double smallest = 0x1p-60, largest = 1.0 - 0x1p-53;
    double low = isinf(draw->lower) ? 0.0 : rv_distribution_share(draw, draw->lower);
    double high = isinf(draw->upper) ? 1.0 : rv_distribution_share(draw, draw->upper);
    double share = low + u * (high - low);
    double x = untruncated(draw, fmin(fmax(share, smallest), largest));
    return fmin(fmax(x, draw->lower), draw->upper); // rounding may step over an end
}
