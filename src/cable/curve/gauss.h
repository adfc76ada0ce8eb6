// SPDX-License-Identifier: MIT
// Gauss' rule of four points on an interval of a curve, and integrals up to a point of it by the polynomial through the
// four.
#pragma once

#define RV_GAUSS_POINTS 4

// Nodes on 0..1 and weights b; here, so that the loops that use them unroll.
static const double rv_gauss_node[RV_GAUSS_POINTS] = {0.069431844202973712388, 0.330009478207571867599,
                                                      0.669990521792428132401, 0.930568155797026287612};
static const double rv_gauss_weight[RV_GAUSS_POINTS] = {0.173927422568726928687, 0.326072577431273071313,
                                                        0.326072577431273071313, 0.173927422568726928687};

// A point of a curve: its interval, where in it (0..1), and the weights of the interval's Gauss points in an integral
// up to it.
typedef struct {
    int interval;
    double xi;
    double weight[RV_GAUSS_POINTS];
} rvCurveSpot;

// Sum of the products of two rows of a curve's unknowns.
static inline double rv_curve_dot(const double* a, const double* b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
}

// The same of four rows that lie behind each other: none waits for another.
static inline void rv_curve_dot_four(const double* rows, const double* b, int count, double sums[4])
{
    const double *r0 = rows, *r1 = r0 + count, *r2 = r1 + count, *r3 = r2 + count;
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    for (int i = 0; i < count; ++i) {
        s0 += r0[i] * b[i];
        s1 += r1[i] * b[i];
        s2 += r2[i] * b[i];
        s3 += r3[i] * b[i];
    }
    sums[0] = s0;
    sums[1] = s1;
    sums[2] = s2;
    sums[3] = s3;
}

// Of an interval whose middle is so far away, by its square: how many on the next one is that may be nearer than
// `distance`. Middles of neighbours are no farther apart than a stride: where one is far so are those behind it.
static inline int rv_curve_skip(double squared, double distance, double stride)
{
    double far = distance + 16.0 * stride, less = distance + 4.0 * stride;
    return squared > far * far ? 17 : squared > less * less ? 5 : squared > distance * distance ? 1 : 0;
}

// Weight of point m in the integral from 0 to xi.
double rv_gauss_weight_to(int m, double xi);
// A_gm = weight of m in the integral up to point g.
void rv_gauss_partials(double partials[RV_GAUSS_POINTS * RV_GAUSS_POINTS]);
// How an interval of length h carries mass: its own at the Gauss points (density a metre) and `tail` beyond it.
//   outer_m = sum over all g from it on of m_g W_gm,   inner_ml = sum of m_g W_gm W_gl
void rv_gauss_weigh(double h, double density, double tail, const double* partials, double inner[], double outer[]);
// Weights of an integral up to xi as powers of xi: xi (c_0 + xi c_1 + ..), c_p of point m at p * POINTS + m.
void rv_gauss_powers(double powers[RV_GAUSS_POINTS * RV_GAUSS_POINTS]);
