// SPDX-License-Identifier: MIT
// Small dense symmetric systems, by rows: A = L L^T.
//
// A row that the ones before it imply (what is left of its diagonal is round-off of a sum that cancels) gets a zero for
// its pivot, and its unknown is 0: so rows may say the same thing twice.
#pragma once

#include <stdbool.h>

// L in place of the lower half of A. False: some rows were implied by others, or A is not positive.
bool rv_cholesky_factor(double* a, int n);
// The same with the share of a diagonal entry below which nothing is left of it; 1e-12 above.
bool rv_cholesky_factor_to(double* a, int n, double roundOff);
// x with A x = b, in place.
void rv_cholesky_solve(const double* l, int n, double* b);
