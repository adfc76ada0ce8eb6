// SPDX-License-Identifier: MIT
// The matrix of a curve in a plane: mass, stiffness and damping of its unknowns, separable off its band (plane.h).
#include "cable/curve/plane.h"

#include <string.h>

#define POINTS RV_PLANE_POINTS
#define WEIGHT rv_gauss_weight

bool rv_plane_create_matrix(const rvPlane* plane, rvMemory* memory, rvSeparable* a)
{
    return rv_separable_create(a, memory, plane->count, 2, 2 * plane->fields - 1); // unknowns of one interval
}

// The columns of a Gauss point: for theta, for e.
static rvVec2 column_of(const rvPlane* plane, int k, int field)
{
    rvVec2 t = plane->t[k];
    return field == 1 ? t : rv_vec2(-plane->lambda[k] * t.y, plane->lambda[k] * t.x);
}

static rvPlaneSums sums_of(const rvPlane* plane, int i, double mass)
{
    rvPlaneSums sums = {0};
    const double* w = plane->outer + i * POINTS;
    for (int m = 0; m < POINTS; ++m)
        for (int field = 0; field < plane->fields; ++field) {
            rvVec2 c = column_of(plane, i * POINTS + m, field);
            for (int end = 0; end < 2; ++end) {
                int u = end * plane->fields + field;
                sums.p[u] = rv_vec2_add(sums.p[u], rv_plane_shape(end, m) * plane->step * WEIGHT[m], c);
                sums.q[u] = rv_vec2_add(sums.q[u], mass * rv_plane_shape(end, m) * w[m], c);
            }
        }
    return sums;
}

// Inertia of one interval alone that does not stretch: sum of N N inner c . c, and c . c is the cosine of the angle
// between two tangents, which depends on how far apart the two Gauss points are (rv_plane_points_apart).
static void add_rigid(const rvPlane* plane, int i, double mass, rvSeparable* a)
{
    const rvVec2* t = plane->t + i * POINTS;
    const double* r = plane->rigid + i * RV_PLANE_RIGID;
    double c1 = rv_vec2_dot(t[0], t[1]), c2 = rv_vec2_dot(t[0], t[2]), c3 = rv_vec2_dot(t[1], t[2]);
    double c4 = rv_vec2_dot(t[0], t[3]), sum[3];
    for (int pair = 0; pair < 3; ++pair, r += 5)
        sum[pair] = mass * (r[0] + r[1] * c1 + r[2] * c2 + r[3] * c3 + r[4] * c4);
    *rv_separable_at(a, 2 + i, 2 + i) += sum[0];
    *rv_separable_at(a, 3 + i, 2 + i) += sum[1];
    *rv_separable_at(a, 3 + i, 3 + i) += sum[2];
}

// The same where it stretches.
static void add_stretching(const rvPlane* plane, int i, double mass, rvSeparable* a)
{
    int f = plane->fields, first = rv_plane_angle(plane, i), count = 2 * f;
    double sum[4][4];
    for (int w = 0; w < count; ++w) {
        const double* inner = plane->inner + (2 * i + w / f) * POINTS * POINTS;
        rvVec2 y[POINTS];
        for (int m = 0; m < POINTS; ++m) {
            y[m] = rv_vec2(0, 0);
            for (int l = 0; l < POINTS; ++l)
                y[m] = rv_vec2_add(y[m], inner[m * POINTS + l], column_of(plane, i * POINTS + l, w % f));
        }
        for (int u = w; u < count; ++u) {
            sum[u][w] = 0.0;
            for (int m = 0; m < POINTS; ++m)
                sum[u][w] +=
                    mass * rv_plane_shape(u / f, m) * rv_vec2_dot(column_of(plane, i * POINTS + m, u % f), y[m]);
        }
    }
    for (int u = 0; u < count; ++u)
        for (int w = 0; w <= u; ++w)
            *rv_separable_at(a, first + u, first + w) += sum[u][w];
}

// The geometric stiffness of the gathered loads.
static void add_pull(const rvPlane* plane, int i, rvPlaneWish wish, rvSeparable* a)
{
    int f = plane->fields, first = rv_plane_angle(plane, i), count = 2 * f;
    for (int m = 0; m < POINTS; ++m) {
        int k = i * POINTS + m;
        double along = wish.stiffness * plane->lambda[k] * rv_vec2_dot(plane->t[k], plane->load[k]);
        double across =
            wish.positive ? 0.0 : -wish.stiffness * rv_vec2_dot(rv_vec2_across(plane->t[k]), plane->load[k]);
        if (wish.positive && along < 0.0)
            along = 0.0;
        for (int u = 0; u < count; ++u)
            for (int w = 0; w <= u; ++w) {
                double part = u % f == 0 && w % f == 0 ? along : u % f != w % f ? across : 0.0;
                *rv_separable_at(a, first + u, first + w) += rv_plane_shape(u / f, m) * rv_plane_shape(w / f, m) * part;
            }
    }
}

static void add_stresses(const rvPlane* plane, int i, rvPlaneWish wish, rvSeparable* a)
{
    const rvPlanePart* part = &plane->parts[i];
    int f = plane->fields, first = rv_plane_angle(plane, i);
    double h = plane->step, bend = (wish.stiffness * part->rigidity + wish.damping * part->damping) / h;
    *rv_separable_at(a, first, first) += bend;
    *rv_separable_at(a, first + f, first) -= bend;
    *rv_separable_at(a, first + f, first + f) += bend;
    if (f == 1)
        return;
    double rates = wish.damping + wish.stretching;
    double pull = (wish.stiffness * part->stiffness + rates * part->stretching) * h / 6.0;
    *rv_separable_at(a, first + 1, first + 1) += 2.0 * pull;
    *rv_separable_at(a, first + f + 1, first + 1) += pull;
    *rv_separable_at(a, first + f + 1, first + f + 1) += 2.0 * pull;
}

// What lies within the band and comes of two intervals, I before I': p . q of the unknowns, but for what is of one and
// the same interval.
static double between(const rvPlane* plane, const rvSeparable* a, int row, int column)
{
    int f = plane->fields, i = (column - 2) / f, j = (row - 2) / f;
    int fc = (column - 2) % f, fr = (row - 2) % f;
    double product = a->p[2 * column] * a->q[2 * row] + a->p[2 * column + 1] * a->q[2 * row + 1];
    if (column < 2)
        return row < 2 ? 0.0 : product;
    if (j > i + 1)
        return product;
    if (j == i + 1)
        return product - rv_vec2_dot(plane->sums[i].p[fc], plane->sums[i].q[f + fr]);
    if (i == 0 || i == plane->intervals)
        return 0.0;
    const rvPlaneSums *before = &plane->sums[i - 1], *after = &plane->sums[i];
    return rv_vec2_dot(before->p[f + fc], after->q[fr]) + rv_vec2_dot(before->p[f + fr], after->q[fc]);
}

void rv_plane_matrix(rvPlane* plane, rvPlaneWish wish, rvSeparable* a)
{
    int f = plane->fields, count = a->count, width = a->width;
    memset(a->p, 0, (size_t)count * 2 * sizeof(double));
    memset(a->q, 0, (size_t)count * 2 * sizeof(double));
    a->p[0] = a->p[3] = 1.0;
    for (int i = 0; i < plane->intervals; ++i) {
        plane->sums[i] = sums_of(plane, i, wish.mass);
        for (int u = 0; u < 2 * f; ++u) {
            int k = 2 * (rv_plane_angle(plane, i) + u);
            a->p[k] += plane->sums[i].p[u].x;
            a->p[k + 1] += plane->sums[i].p[u].y;
            a->q[k] += plane->sums[i].q[u].x;
            a->q[k + 1] += plane->sums[i].q[u].y;
        }
    }
    for (int column = 0; column < count; ++column)
        for (int row = column; row <= column + width && row < count; ++row)
            *rv_separable_at(a, row, column) = between(plane, a, row, column);
    *rv_separable_at(a, 0, 0) = *rv_separable_at(a, 1, 1) = wish.mass * plane->mass;
    for (int i = 0; i < plane->intervals; ++i) {
        if (f == 1)
            add_rigid(plane, i, wish.mass, a);
        else
            add_stretching(plane, i, wish.mass, a);
        if (wish.stiffness != 0.0)
            add_pull(plane, i, wish, a);
        if (wish.stiffness != 0.0 || wish.damping != 0.0 || wish.stretching != 0.0)
            add_stresses(plane, i, wish, a);
    }
}
