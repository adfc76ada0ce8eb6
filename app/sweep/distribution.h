// SPDX-License-Identifier: MIT
// Distributions by their quantile functions, so that any plan of points in the unit cube can draw from them.
#pragma once

#include "sweep/study.h"

// The value that a share u of the draws stays below, 0 < u < 1.
double rv_quantile(const rvDistribution* draw, double u);

// The share of an untruncated draw that stays below x.
double rv_distribution_share(const rvDistribution* draw, double x);

// The same for mean 0 and standard deviation 1; to some 1e-15 relative in both tails.
double rv_normal_quantile(double u);
