// SPDX-License-Identifier: MIT
// Symmetric 3 x 3 matrices as six doubles: xx xy xz yy yz zz.
#pragma once

#include "reeve/math.h"

static inline rvVec3 rv_sym3_vec(const double a[6], rvVec3 v)
{
    return rvVec(a[0] * v.x + a[1] * v.y + a[2] * v.z, a[1] * v.x + a[3] * v.y + a[4] * v.z,
                 a[2] * v.x + a[4] * v.y + a[5] * v.z);
}

// The inverse of a positive definite matrix.
static inline void rv_sym3_invert(const double a[6], double out[6])
{
    double c00 = a[3] * a[5] - a[4] * a[4];
    double c01 = a[2] * a[4] - a[1] * a[5];
    double c02 = a[1] * a[4] - a[2] * a[3];
    double f = 1.0 / (a[0] * c00 + a[1] * c01 + a[2] * c02);
    out[0] = f * c00;
    out[1] = f * c01;
    out[2] = f * c02;
    out[3] = f * (a[0] * a[5] - a[2] * a[2]);
    out[4] = f * (a[1] * a[2] - a[0] * a[4]);
    out[5] = f * (a[0] * a[3] - a[1] * a[1]);
}

// R diag(d) R^T
static inline void rv_sym3_rotate_diagonal(rvQuat q, rvVec3 d, double out[6])
{
    rvMat3 r = rvMat3FromQuat(q);
    for (int k = 0, i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j, ++k)
            out[k] = r.m[i][0] * d.x * r.m[j][0] + r.m[i][1] * d.y * r.m[j][1] + r.m[i][2] * d.z * r.m[j][2];
}

// Eigenvalues, largest first, by the closed form.
void rv_sym3_eigenvalues(const double a[6], double values[3]);

// The nearest positive semi-definite matrix: negative eigenvalues become zero. In place.
void rv_sym3_keep_positive(double a[6]);

// Principal axes: a = R diag(values) R^T. By Jacobi rotations, exact for diagonal input.
void rv_sym3_principal(const double a[6], rvVec3* values, rvQuat* axes);
