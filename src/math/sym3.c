// SPDX-License-Identifier: MIT
#include "math/sym3.h"

#include <float.h>

// Trigonometric solution of the characteristic cubic (Smith 1961).
void rv_sym3_eigenvalues(const double a[6], double values[3])
{
    double mean = (a[0] + a[3] + a[5]) / 3.0;
    double x = a[0] - mean, y = a[3] - mean, z = a[5] - mean;
    double p2 = (x * x + y * y + z * z + 2.0 * (a[1] * a[1] + a[2] * a[2] + a[4] * a[4])) / 6.0;
    if (!(p2 > 0.0)) {
        values[0] = values[1] = values[2] = mean;
        return;
    }
    double p = sqrt(p2);
    double det = x * (y * z - a[4] * a[4]) - a[1] * (a[1] * z - a[4] * a[2]) + a[2] * (a[1] * a[4] - y * a[2]);
    double r = det / (2.0 * p2 * p);
    double angle = acos(fmax(-1.0, fmin(1.0, r))) / 3.0;
    double c = cos(angle), s = sqrt(fmax(0.0, 1.0 - c * c));
    values[0] = mean + 2.0 * p * c;
    values[2] = mean - p * (c + sqrt(3.0) * s);
    values[1] = 3.0 * mean - values[0] - values[2];
}

// The eigenvector of an eigenvalue, as the longest cross product of two rows of a - value I.
static rvVec3 eigenvector(const double a[6], double value)
{
    rvVec3 rows[3] = {rvVec(a[0] - value, a[1], a[2]), rvVec(a[1], a[3] - value, a[4]),
                      rvVec(a[2], a[4], a[5] - value)};
    rvVec3 best = rvVec(0, 0, 0);
    double largest = 0.0;
    for (int i = 0; i < 3; ++i) {
        rvVec3 n = rvCross(rows[i], rows[(i + 1) % 3]);
        double size = rvDot(n, n);
        if (size > largest) {
            largest = size;
            best = n;
        }
    }
    if (largest > 0.0)
        return rvScale(1.0 / sqrt(largest), best);
    // a double eigenvalue: anything across the longest row is an eigenvector
    int longest = 0;
    for (int i = 1; i < 3; ++i)
        if (rvDot(rows[i], rows[i]) > rvDot(rows[longest], rows[longest]))
            longest = i;
    return rvAcross(rvNormalizeOr(rows[longest], rvVec(0, 0, 1)));
}

static void add_dyad(double a[6], double factor, rvVec3 e)
{
    a[0] += factor * e.x * e.x;
    a[1] += factor * e.x * e.y;
    a[2] += factor * e.x * e.z;
    a[3] += factor * e.y * e.y;
    a[4] += factor * e.y * e.z;
    a[5] += factor * e.z * e.z;
}

void rv_sym3_keep_positive(double a[6])
{
    double values[3];
    rv_sym3_eigenvalues(a, values);
    if (values[2] >= 0.0)
        return;
    double none[6] = {0};
    if (values[1] >= 0.0) {
        // one negative eigenvalue: take its dyad out
        add_dyad(a, -values[2], eigenvector(a, values[2]));
        return;
    }
    // one positive eigenvalue, or none: keep its dyad alone
    if (values[0] > 0.0)
        add_dyad(none, values[0], eigenvector(a, values[0]));
    for (int k = 0; k < 6; ++k)
        a[k] = none[k];
}

// One Jacobi rotation in the plane (i, j) of the full matrix m, gathered in v.
static void jacobi_rotation(double m[3][3], double v[3][3], int i, int j)
{
    if (fabs(m[i][j]) <= DBL_MIN)
        return;
    double theta = (m[j][j] - m[i][i]) / (2.0 * m[i][j]);
    double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 3; ++k) {
        double a = m[k][i], b = m[k][j];
        m[k][i] = c * a - s * b;
        m[k][j] = s * a + c * b;
    }
    for (int k = 0; k < 3; ++k) {
        double a = m[i][k], b = m[j][k];
        m[i][k] = c * a - s * b;
        m[j][k] = s * a + c * b;
        a = v[k][i], b = v[k][j];
        v[k][i] = c * a - s * b;
        v[k][j] = s * a + c * b;
    }
}

static rvQuat quat_from_columns(double v[3][3])
{
    double trace = v[0][0] + v[1][1] + v[2][2];
    rvQuat q;
    if (trace > 0.0) {
        double s = 2.0 * sqrt(1.0 + trace);
        q = (rvQuat){0.25 * s, (v[2][1] - v[1][2]) / s, (v[0][2] - v[2][0]) / s, (v[1][0] - v[0][1]) / s};
    } else if (v[0][0] >= v[1][1] && v[0][0] >= v[2][2]) {
        double s = 2.0 * sqrt(1.0 + v[0][0] - v[1][1] - v[2][2]);
        q = (rvQuat){(v[2][1] - v[1][2]) / s, 0.25 * s, (v[0][1] + v[1][0]) / s, (v[0][2] + v[2][0]) / s};
    } else if (v[1][1] >= v[2][2]) {
        double s = 2.0 * sqrt(1.0 + v[1][1] - v[0][0] - v[2][2]);
        q = (rvQuat){(v[0][2] - v[2][0]) / s, (v[0][1] + v[1][0]) / s, 0.25 * s, (v[1][2] + v[2][1]) / s};
    } else {
        double s = 2.0 * sqrt(1.0 + v[2][2] - v[0][0] - v[1][1]);
        q = (rvQuat){(v[1][0] - v[0][1]) / s, (v[0][2] + v[2][0]) / s, (v[1][2] + v[2][1]) / s, 0.25 * s};
    }
    return rvQuatNormalize(q);
}

void rv_sym3_principal(const double a[6], rvVec3* values, rvQuat* axes)
{
    double m[3][3] = {{a[0], a[1], a[2]}, {a[1], a[3], a[4]}, {a[2], a[4], a[5]}};
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    // converges quadratically: four sweeps are usual, twelve are plenty
    for (int sweep = 0; sweep < 12; ++sweep) {
        jacobi_rotation(m, v, 0, 1);
        jacobi_rotation(m, v, 0, 2);
        jacobi_rotation(m, v, 1, 2);
    }
    // rotations keep the handedness, so the columns are a rotation
    *values = rvVec(m[0][0], m[1][1], m[2][2]);
    *axes = quat_from_columns(v);
}
