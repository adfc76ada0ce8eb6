// SPDX-License-Identifier: MIT
// A dense symmetric matrix of many rows by itself, by the kernels of the factor (factor.c).
#pragma once

// One dense matrix by rows, its lower half; room for n (n + 3) numbers: the last ones are the factor's. A row of which
// no more than `roundOff` of its diagonal is left is implied by those before it: its unknown is 0.
void rv_dense_factor(double* a, int n, double roundOff);
void rv_dense_solve(const double* a, int n, double* x); // x <- a^-1 x
