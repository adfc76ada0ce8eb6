// SPDX-License-Identifier: MIT
// Explicit steps: velocity Verlet, and a Taylor series of order 12.
//
// Verlet: v += h a/2, q += h v, a = M^-1 Q(q), v += h a/2, with the mass factored once, in substeps of at most `courant`
// times the critical step 2/w, w the highest frequency at the start.
//
// Taylor: forces are polynomials of q, so the series q(t) = sum q[k] t^k follows term by term. At each Gauss point, with
// r[k] = B q[k]:
//   eps[k] = 1/2 sum_j r[j].r[k-j] (- 1/2 at k = 0),  s[k] = sum_j eps[j] r[k-j]
//   q[k+2] = M^-1 (f delta_k0 - K_bend q[k] - sum w EA B^T s[k])/((k+1)(k+2))
#include "cable/ancf/ancf_parts.h"

double rv_ancf_highest_frequency(rvAncf* cable)
{
    double *x = cable->work[0], *y = cable->work[1], value = 0.0;
    rv_ancf_linearise(cable, cable->q, cable->v, &(rvAncfWish){.massFactor = 0.0}, y);
    for (int i = 0; i < cable->dofCount; i++)
        x[i] = 1.0 + 0.5 * sin(1.7 * i) - (i / 6 % 2) * 1.9; // nothing special: rich in high modes
    for (int n = 0; n < 60; n++) {
        rv_ancf_slot_product(cable, cable->slots, x, y);
        for (int i = 0; i < cable->dofCount; i++) // the norm of x is that of the mass before
            x[i] = y[i];
        rv_ancf_mass_solve(cable, x);
        double work = 0.0, size = sqrt(2.0 * rv_ancf_kinetic(cable, x));
        if (!(size > 0.0))
            break;
        for (int i = 0; i < cable->dofCount; i++)
            x[i] /= size;
        rv_ancf_slot_product(cable, cable->slots, x, y);
        work = rv_ancf_dot(cable, x, y); // Rayleigh's quotient; held dofs of x are 0
        value = fmax(value, work);
    }
    return sqrt(value);
}

static int substeps(const rvAncf* cable, double h)
{
    double largest = cable->options.courant * 2.0 / fmax(cable->highest, 1e-9);
    return (int)fmin(fmax(ceil(h / largest), 1.0), 1e8);
}

bool rv_ancf_step_verlet(rvAncf* cable, double h)
{
    double *q = cable->work[0], *v = cable->work[1], *a = cable->work[2];
    int count = substeps(cable, h);
    double part = h / count, time = cable->scalars[RV_ANCF_TIME];
    rv_ancf_copy(cable, q, cable->q);
    rv_ancf_copy(cable, v, cable->v);
    rv_ancf_copy(cable, a, cable->a);
    for (int n = 1; n <= count; n++) {
        for (int i = 0; i < cable->dofCount; i++) {
            v[i] += 0.5 * part * a[i];
            q[i] += part * v[i];
        }
        if (cable->motion) {
            rv_ancf_aim(cable, time + n * part);
            rv_ancf_set_held(cable, cable->aim, q);
        }
        rv_ancf_accelerate(cable, q, v, a);
        for (int i = 0; i < cable->dofCount; i++)
            v[i] += 0.5 * part * a[i];
        if (cable->motion)
            rv_ancf_set_held(cable, cable->aimRate, v);
    }
    cable->counts.passes += count;
    if (!rv_ancf_is_finite(cable, q) || !rv_ancf_is_finite(cable, v))
        return false;
    rv_ancf_copy(cable, cable->q, q);
    rv_ancf_copy(cable, cable->v, v);
    rv_ancf_copy(cable, cable->a, a);
    return true;
}

enum { ORDER = 12 };

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

static void expand(rvAncf* cable, Series* series, double* terms)
{
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

bool rv_ancf_step_taylor(rvAncf* cable, double h)
{
    size_t stride = (size_t)cable->dofCount + 6;
    char* room = (char*)cable->series + (64 - (uintptr_t)cable->series % 64) % 64;
    Series* series = (Series*)room;
    double* terms = (double*)(room + (size_t)cable->slotCount * RV_ANCF_POINTS * sizeof(Series));
    double *q = cable->work[0], *v = cable->work[1];
    int count = substeps(cable, h);
    double part = h / count;
    memcpy(terms, cable->q, stride * sizeof(double));
    memcpy(terms + stride, cable->v, stride * sizeof(double));
    for (int n = 0; n < count; n++) {
        expand(cable, series, terms);
        for (int i = 0; i < cable->dofCount; i++) {
            const double* x = terms + i;
            double place = x[ORDER * stride], speed = ORDER * place;
            for (int k = ORDER - 1; k >= 1; k--) {
                place = place * part + x[(size_t)k * stride];
                speed = speed * part + k * x[(size_t)k * stride];
            }
            q[i] = place * part + x[0];
            v[i] = speed;
        }
        rv_ancf_copy(cable, terms, q);
        rv_ancf_copy(cable, terms + stride, v);
    }
    cable->counts.passes += count;
    if (!rv_ancf_is_finite(cable, q) || !rv_ancf_is_finite(cable, v))
        return false;
    rv_ancf_copy(cable, cable->q, q);
    rv_ancf_copy(cable, cable->v, v);
    rv_ancf_accelerate(cable, cable->q, cable->v, cable->a);
    return true;
}
