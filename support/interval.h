// SPDX-License-Identifier: MIT
// Confidence interval of a probability that was estimated from independent runs.
#pragma once

#include <stdbool.h>

// The two-sided interval of Clopper and Pearson (Biometrika 26, 1934), which covers the true probability at least as
// often as `confidence` (such as 0.95) says: low solves P(X >= hits) = (1 - confidence)/2 and high P(X <= hits) = the
// same, X binomial. Exact to rounding for up to 1e9 runs. False, with 0 and 1: not 0 <= hits <= runs, no runs, or a
// confidence outside of (0, 1).
bool rv_clopper_pearson(long hits, long runs, double confidence, double* low, double* high);
