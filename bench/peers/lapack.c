// SPDX-License-Identifier: MIT
// LAPACK's band solver, as the measure for our own factor.
#include <lapacke.h>
#include <stdbool.h>
#include <string.h>

bool rv_lapack_band_solve(int count, int width, const double* band, double* work, double* right);

bool rv_lapack_band_solve(int count, int width, const double* band, double* work, double* right)
{
    memcpy(work, band, (size_t)count * (size_t)(width + 1) * sizeof *work);
    return LAPACKE_dpbsv(LAPACK_COL_MAJOR, 'L', count, width, 1, work, width + 1, right, count) == 0;
}
