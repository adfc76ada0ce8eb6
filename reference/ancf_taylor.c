// SPDX-License-Identifier: MIT
// Taylor series of a cable: forces are polynomials of q, so q(t) = sum q[k] t^k follows term by term. At each Gauss
// point, with r[k] = B q[k]:
//   eps[k] = 1/2 sum_j r[j].r[k-j] (- 1/2 at k = 0),  s[k] = sum_j eps[j] r[k-j]
//   q[k+2] = M^-1 (f delta_k0 - K_bend q[k] - sum w EA B^T s[k])/((k+1)(k+2))
#include "reference/parts.h"

enum { ORDER = RV_MARCH_ORDER };

// Coefficients at a Gauss point pair.
typedef struct {
    rvPair slope[ORDER][3], strain[ORDER];
} Series;

size_t rv_ancf_series_size(const rvAncf* cable)
{
    return (size_t)cable->slotCount * RV_ANCF_POINTS * sizeof(Series) +
           (size_t)(ORDER + 1) * (size_t)(cable->dofCount + 6) * sizeof(double) + 64;
}

// The k-th coefficients of strain and of s = eps r' at a point; s times w EA l goes into out.
static void point_term(Series* series, int k, rvPair factor, rvPair out[3])
{
    rvPair sum = {0.0, 0.0}, s[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    for (int j = 0; j <= k; j++) {
        const rvPair *a = series->slope[j], *b = series->slope[k - j];
        sum += a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }
    series->strain[k] = 0.5 * (k == 0 ? sum - 1.0 : sum);
    for (int j = 0; j <= k; j++)
        for (int c = 0; c < 3; c++)
            s[c] += series->strain[j] * series->slope[k - j][c];
    for (int c = 0; c < 3; c++)
        out[c] = factor * s[c];
}

static char* aligned(const rvAncf* cable)
{
    return (char*)cable->series + (64 - (uintptr_t)cable->series % 64) % 64;
}

double* rv_ancf_series_terms(const rvAncf* cable)
{
    return (double*)(aligned(cable) + (size_t)cable->slotCount * RV_ANCF_POINTS * sizeof(Series));
}

void rv_ancf_expand(rvAncf* cable, double* terms)
{
    Series* series = (Series*)aligned(cable);
    size_t stride = (size_t)cable->dofCount + 6;
    for (int k = 0; k + 2 <= ORDER; k++) {
        double *q = terms + (size_t)k * stride, *next = terms + (size_t)(k + 2) * stride;
        for (int i = 0; i < cable->dofCount; i++)
            next[i] = k == 0 ? cable->weight[i] + cable->applied[i] : 0.0;
        memset(next + cable->dofCount, 0, 6 * sizeof(double));
        for (int slot = 0; slot < cable->slotCount; slot++) {
            rvPair slopes[RV_ANCF_POINTS][3], forces[RV_ANCF_POINTS][3];
            rv_ancf_pair_slopes(cable, slot, q, slopes);
            for (int g = 0; g < RV_ANCF_POINTS; g++) {
                Series* at = &series[RV_ANCF_POINTS * slot + g];
                memcpy(at->slope[k], slopes[g], sizeof slopes[g]);
                point_term(at, k, cable->spans[slot].stiffness, forces[g]);
            }
            rv_ancf_pair_forces(cable, slot, q, forces, next);
        }
        rv_ancf_mass_solve(cable, next);
        for (int i = 0; i < cable->dofCount; i++)
            next[i] /= (double)((k + 1) * (k + 2));
    }
}
