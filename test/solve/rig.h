// SPDX-License-Identifier: MIT
// A set of bodies and rows to try the solver on, with S and the conditions of row.h written out densely.
#pragma once

#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "solve/solver.h"
#include "support/random.h"

typedef struct {
    rvMemory memory;
    rvRows rows;
    rvSolveBodies bodies;
    double (*inverse)[7];
    double (*start)[6]; // velocities without rows
    rvSolver* solver;
    uint64_t seed;
} Rig;

static inline void* rig_alloc(size_t size, void* context)
{
    (void)context;
    return malloc(size);
}

static inline void rig_free(void* block, size_t size, void* context)
{
    (void)size;
    (void)context;
    free(block);
}

static inline double rig_random(Rig* rig, double low, double high)
{
    return rv_draw_between(&rig->seed, low, high);
}

static inline int rig_pick(Rig* rig, int count)
{
    return (int)rig_random(rig, 0.0, (double)count);
}

// Bodies with masses 10^-decades .. 10^decades kg and random velocities.
static inline Rig rig_make(int bodyCount, int rowCapacity, int groupCapacity, double decades, uint64_t seed)
{
    Rig rig = {.memory = {rig_alloc, rig_free, NULL, 0}, .seed = seed * 7919u + 17u};
    for (int i = 0; i < 4; ++i)
        rig_random(&rig, 0.0, 1.0); // neighbouring seeds part
    assert_true(rv_rows_reserve(&rig.rows, &rig.memory, rowCapacity, groupCapacity, groupCapacity * bodyCount,
                                rowCapacity * bodyCount * 6));
    rig.inverse = calloc((size_t)bodyCount, sizeof(*rig.inverse));
    rig.start = calloc((size_t)bodyCount, sizeof(*rig.start));
    rig.bodies =
        (rvSolveBodies){bodyCount, (const double(*)[7])rig.inverse, calloc((size_t)bodyCount, sizeof(*rig.start))};
    for (int b = 0; b < bodyCount; ++b) {
        double m = pow(10.0, rig_random(&rig, -decades, decades));
        rig.inverse[b][0] = 1.0 / m;
        rig.inverse[b][1] = rig_random(&rig, 1.0, 2.0) / m;
        rig.inverse[b][2] = rig_random(&rig, -0.3, 0.3) / m;
        rig.inverse[b][3] = rig_random(&rig, -0.3, 0.3) / m;
        rig.inverse[b][4] = rig_random(&rig, 1.0, 2.0) / m;
        rig.inverse[b][5] = rig_random(&rig, -0.3, 0.3) / m;
        rig.inverse[b][6] = rig_random(&rig, 1.0, 2.0) / m;
        for (int k = 0; k < 6; ++k)
            rig.start[b][k] = rig_random(&rig, -1.0, 1.0);
    }
    rig.solver = rv_solver_create(&rig.memory);
    assert_non_null(rig.solver);
    assert_true(rv_solver_reserve(rig.solver, &rig.memory, bodyCount, &rig.rows, 1u << 20));
    return rig;
}

static inline void rig_release(Rig* rig)
{
    rv_solver_destroy(rig->solver, &rig->memory);
    rv_rows_release(&rig->rows, &rig->memory);
    assert_int_equal(rig->memory.taken, 0);
    free(rig->inverse);
    free(rig->start);
    free(rig->bodies.velocity);
}

// A group with a random Jacobian and bias.
static inline int rig_add(Rig* rig, rvGroupKind kind, int rowCount, const int* bodies, int bodyCount)
{
    int group = rv_rows_add(&rig->rows, kind, rig->rows.groupCount, rowCount, bodies, bodyCount);
    assert_true(group >= 0);
    for (int s = 0; s < bodyCount; ++s)
        for (int r = 0; r < rowCount; ++r)
            for (int k = 0; k < 6; ++k)
                rv_group_jacobian(&rig->rows, group, s)[r][k] = rig_random(rig, -1.0, 1.0);
    for (int r = 0; r < rowCount; ++r)
        rv_group_rows(&rig->rows, group)[r].bias = rig_random(rig, -1.0, 1.0);
    return group;
}

// Ball joints from the world over bodies first .. last.
static inline void rig_add_chain(Rig* rig, int first, int last)
{
    for (int b = first; b <= last; ++b) {
        int bodies[2] = {b, b - 1};
        int group = rig_add(rig, RV_GROUP_JOINT, 3, bodies, b > first ? 2 : 1);
        for (int s = 0; s < (b > first ? 2 : 1); ++s) {
            double(*j)[6] = rv_group_jacobian(&rig->rows, group, s);
            double r[3] = {rig_random(rig, -.1, .1), rig_random(rig, -.1, .1), s ? -0.5 : 0.5};
            double sign = s ? -1.0 : 1.0;
            double rows[3][6] = {{1, 0, 0, 0, r[2], -r[1]}, {0, 1, 0, -r[2], 0, r[0]}, {0, 0, 1, r[1], -r[0], 0}};
            for (int i = 0; i < 18; ++i)
                j[i / 6][i % 6] = sign * rows[i / 6][i % 6];
        }
    }
}

static inline rvSolveReport rig_solve(Rig* rig)
{
    memcpy(rig->bodies.velocity, rig->start, (size_t)rig->bodies.count * sizeof(*rig->start));
    return rv_solver_solve(rig->solver, &rig->rows, &rig->bodies);
}

// M^-1 J^T of a row, added to six numbers a body.
static inline void rig_row_push(const Rig* rig, int group, int r, double factor, double (*out)[6])
{
    const rvRowGroup* g = &rig->rows.groups[group];
    for (int s = 0; s < g->slotCount; ++s) {
        int body = rig->rows.slots[g->firstSlot + s].body;
        const double* j = rv_group_jacobian(&rig->rows, group, s)[r];
        const double* m = rig->inverse[body];
        out[body][0] += factor * m[0] * j[0];
        out[body][1] += factor * m[0] * j[1];
        out[body][2] += factor * m[0] * j[2];
        out[body][3] += factor * (m[1] * j[3] + m[2] * j[4] + m[3] * j[5]);
        out[body][4] += factor * (m[2] * j[3] + m[4] * j[4] + m[5] * j[5]);
        out[body][5] += factor * (m[3] * j[3] + m[5] * j[4] + m[6] * j[5]);
    }
}

static inline double rig_row_dot(const Rig* rig, int group, int r, double (*v)[6])
{
    const rvRowGroup* g = &rig->rows.groups[group];
    double sum = 0.0;
    for (int s = 0; s < g->slotCount; ++s)
        for (int k = 0; k < 6; ++k)
            sum += rv_group_jacobian(&rig->rows, group, s)[r][k] * v[rig->rows.slots[g->firstSlot + s].body][k];
    return sum;
}

// S (rowCount x rowCount, by rows) and b = bias - J v of all rows.
static inline void rig_dense(const Rig* rig, double* matrix, double* right)
{
    int n = rig->rows.rowCount;
    double(*p)[6] = calloc((size_t)rig->bodies.count, sizeof(*p));
    for (int g = 0; g < rig->rows.groupCount; ++g)
        for (int r = 0; r < rig->rows.groups[g].rowCount; ++r) {
            const rvRowGroup* group = &rig->rows.groups[g];
            int i = group->firstRow + r;
            memset(p, 0, (size_t)rig->bodies.count * sizeof(*p));
            rig_row_push(rig, g, r, 1.0, p);
            for (int h = 0; h < rig->rows.groupCount; ++h)
                for (int q = 0; q < rig->rows.groups[h].rowCount; ++q)
                    matrix[i * n + rig->rows.groups[h].firstRow + q] = rig_row_dot(rig, h, q, p);
            if (group->block)
                for (int q = 0; q < group->rowCount; ++q)
                    matrix[i * n + group->firstRow + q] += group->block[r * group->rowCount + q];
            else
                matrix[i * n + i] += rig->rows.rows[i].compliance;
            right[i] = rig->rows.rows[i].bias - rig_row_dot(rig, g, r, rig->start);
        }
    free(p);
}

// Largest violation of the conditions in row.h by the impulses of the rows, S_ii |x - clamp(x - r/S_ii)|, over the
// largest speed that the rows have to remove; and the velocities must be v + M^-1 J^T x.
static inline double rig_violation(const Rig* rig)
{
    int n = rig->rows.rowCount;
    double* matrix = calloc((size_t)(n * n), sizeof(double));
    double* right = calloc((size_t)n, sizeof(double));
    double(*v)[6] = calloc((size_t)rig->bodies.count, sizeof(*v));
    rig_dense(rig, matrix, right);
    double worst = 0.0, speed = 0.0;
    for (int g = 0; g < rig->rows.groupCount; ++g)
        for (int k = 0; k < rig->rows.groups[g].rowCount; ++k) {
            const rvRow* group = rv_group_rows(&rig->rows, g);
            const rvRow* row = &group[k];
            int i = rig->rows.groups[g].firstRow + k;
            double r = -right[i];
            for (int j = 0; j < n; ++j)
                r += matrix[i * n + j] * rig->rows.rows[j].impulse;
            double sum = row->leanExtraWeight != 0.0 ? row->leanExtraWeight * group[row->leanExtra].impulse : 0.0;
            for (int j = 0; j < row->leanCount; ++j)
                sum += group[row->leanFirst + j].impulse;
            double d = matrix[i * n + i];
            double to =
                fmin(fmax(row->impulse - r / d, row->lower + row->leanLower * sum), row->upper + row->leanUpper * sum);
            worst = fmax(worst, d * fabs(row->impulse - to));
            speed = fmax(speed, fabs(right[i]));
            rig_row_push(rig, g, k, row->impulse, v);
        }
    for (int b = 0; b < rig->bodies.count; ++b)
        for (int k = 0; k < 6; ++k) {
            double expected = rig->start[b][k] + v[b][k];
            worst = fmax(worst, fabs(rig->bodies.velocity[b][k] - expected));
        }
    free(matrix);
    free(right);
    free(v);
    return worst / speed;
}
