// SPDX-License-Identifier: MIT
// Statistics of a column of numbers.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t count;
    double mean, deviation;             // of the sample (n - 1)
    double min, max, low, median, high; // low, high: 5 % and 95 %
} rvColumnStatistic;

// Of numbers sorted in rising order.
rvColumnStatistic rv_statistic(const double* sorted, int64_t count);

// The value at a share of sorted numbers, straight between neighbours.
double rv_sorted_quantile(const double* sorted, int64_t count, double share);

void rv_sort(double* values, int64_t count);

// Ranks from 1; equal values have the mean of their ranks. False: without memory.
bool rv_ranks(const double* values, int64_t count, double* ranks);

// Pearson's correlation of ranks is that of Spearman. 0 where one of the columns is constant.
double rv_correlation(const double* a, const double* b, int64_t count);

// First-order Sobol index Var(E(y | x)) / Var(y) from given runs: groups of equal x, or of neighbouring x where there
// are many different ones, and the share of the variance between them, freed of the bias that a random grouping has
// (epsilon squared, T. L. Kelley 1935). NaN: too few runs.
double rv_first_order_index(const double* xRanks, const double* y, int64_t count);
