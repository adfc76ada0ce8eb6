// SPDX-License-Identifier: MIT
// The interval of Clopper and Pearson from the binomial tail
//   P(X >= k) = I_p(k, n - k + 1) = C(n, k) p^k (1 - p)^(n - k + 1) F
// with F the continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), evaluated by Lentz's
// method. The binomial term is computed by C. Loader's saddle-point form ("Fast and accurate computation of binomial
// probabilities", 2000), which has no cancellation for large n; the tail is then solved for p by bisection.
#include "support/interval.h"

#include <math.h>

#define TWO_PI 6.28318530717958647693

// ln n! - ln(sqrt(2 pi n) (n/e)^n): the remainder of Stirling's series.
static double stirling_remainder(double n)
{
    if (n < 16.0) // the series below is not yet exact; ln n! is small, so nothing cancels
        return lgamma(n + 1.0) - ((n + 0.5) * log(n) - n + 0.5 * log(TWO_PI));
    double s = 1.0 / (n * n);
    return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - s / 1188) * s) * s) * s) / n;
}

// x ln(x/m) + m - x, by its series in (x - m)/(x + m) where x is near m.
static double deviance(double x, double m)
{
    if (fabs(x - m) >= 0.1 * (x + m))
        return x * log(x / m) + m - x;
    double v = (x - m) / (x + m), sum = (x - m) * v, term = 2.0 * x * v;
    for (int j = 1; j < 1000; ++j) {
        term *= v * v;
        double next = sum + term / (2 * j + 1);
        if (next == sum)
            break;
        sum = next;
    }
    return sum;
}

// C(n, k) p^k q^(n - k), q = 1 - p.
static double binomial_term(double k, double n, double p, double q)
{
    if (k <= 0.0)
        return p < 0.1 ? exp(n * log1p(-p)) : exp(n * log(q));
    if (k >= n)
        return exp(n * log(p));
    double exponent = stirling_remainder(n) - stirling_remainder(k) - stirling_remainder(n - k) - deviance(k, n * p) -
                      deviance(n - k, n * q);
    return exp(exponent) * sqrt(n / (TWO_PI * k * (n - k)));
}

// The continued fraction of I_x(a, b).
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0);
    d = 1.0 / (fabs(d) < tiny ? tiny : d);
    double f = d;
    for (long m = 1; m < 10000000; ++m) { // converges within some sqrt(max(a, b)) terms
        double even = (double)m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 + even * d;
        c = 1.0 + even / c;
        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        f *= d * c;
        double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 + odd * d;
        c = 1.0 + odd / c;
        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        f *= d * c;
        if (fabs(d * c - 1.0) < 1e-16)
            break;
    }
    return f;
}

// P(X >= k) for 1 <= k <= n; increases with p.
static double upper_tail(double k, double n, double p, double q)
{
    if (p <= 0.0)
        return 0.0;
    if (q <= 0.0)
        return 1.0;
    if (p < (k + 1.0) / (n + 3.0))
        return binomial_term(k, n, p, q) * q * beta_fraction(k, n - k + 1.0, p);
    // 1 - P(X <= k - 1), the same with the roles of hits and misses exchanged
    return 1.0 - binomial_term(k - 1.0, n, p, q) * p * beta_fraction(n - k + 1.0, k, q);
}

// p where P(X >= k) = share, for 1 <= k <= n, to the last bit that the tail resolves.
static double solve_tail(double k, double n, double share)
{
    double low = 0.0, high = 1.0;
    for (;;) {
        double p = 0.5 * (low + high);
        if (p <= low || p >= high)
            return p;
        if (upper_tail(k, n, p, 1.0 - p) < share)
            low = p;
        else
            high = p;
    }
}

bool rv_clopper_pearson(long hits, long runs, double confidence, double* low, double* high)
{
    *low = 0.0;
    *high = 1.0;
    if (runs < 1 || hits < 0 || hits > runs || !(confidence > 0.0 && confidence < 1.0))
        return false;
    double k = (double)hits, n = (double)runs, share = 0.5 * (1.0 - confidence);
    if (hits > 0)
        *low = solve_tail(k, n, share);
    // P(X <= k | p) = P(Y >= n - k | 1 - p), Y = n - X
    if (hits < runs)
        *high = 1.0 - solve_tail(n - k, n, share);
    return true;
}
