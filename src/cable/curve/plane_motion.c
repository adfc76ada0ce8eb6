// SPDX-License-Identifier: MIT
#include "cable/curve/plane_motion.h"

#include "math/cholesky.h"

#include <math.h>
#include <string.h>

static size_t rows_size(const rvPlaneMotion* motion)
{
    return RV_PLANE_MOST_ROWS * (size_t)motion->plane.count * sizeof(double);
}

bool rv_plane_motion_create(rvPlaneMotion* motion, rvMemory* memory, const rvPlane* plane,
                            const rvPlaneContacts* contacts)
{
    *motion = (rvPlaneMotion){.plane = *plane, .contacts = *contacts};
    bool good = rv_plane_create_matrix(plane, memory, &motion->matrix);
    motion->rows = rv_memory_take(memory, rows_size(motion));
    motion->solved = rv_memory_take(memory, rows_size(motion));
    motion->forces = rv_memory_take(memory, (size_t)plane->count * sizeof(double));
    if (good && motion->rows && motion->solved && motion->forces)
        return true;
    rv_plane_motion_release(motion, memory);
    return false;
}

void rv_plane_motion_release(rvPlaneMotion* motion, rvMemory* memory)
{
    rv_separable_release(&motion->matrix, memory);
    rv_memory_give(memory, motion->rows, rows_size(motion));
    rv_memory_give(memory, motion->solved, rows_size(motion));
    rv_memory_give(memory, motion->forces, (size_t)motion->plane.count * sizeof(double));
    rv_plane_contacts_release(&motion->contacts, memory);
    rv_plane_release(&motion->plane, memory);
    *motion = (rvPlaneMotion){0};
}

static rvVec2 direction_of(const rvPlaneHold* hold)
{
    return hold->kind == RV_HOLD_X ? rv_vec2(1, 0) : rv_vec2(0, 1);
}

double rv_plane_hold_error(const rvPlane* plane, const double* q, const rvPlaneHold* hold)
{
    rvCurveSpot spot = rv_plane_spot(plane, hold->s);
    double value = hold->kind == RV_HOLD_ANGLE ? rv_plane_angle_at(plane, q, &spot)
                                               : rv_vec2_dot(rv_plane_point(plane, &spot), direction_of(hold));
    return value - hold->value;
}

static void write_row(const rvPlane* plane, const rvPlaneHold* hold, double* row)
{
    memset(row, 0, (size_t)plane->count * sizeof(double));
    rvCurveSpot spot = rv_plane_spot(plane, hold->s);
    if (hold->kind == RV_HOLD_ANGLE) {
        int a = rv_plane_angle(plane, spot.interval);
        row[a] = 1.0 - spot.xi;
        row[a + plane->fields] = spot.xi;
    } else {
        rv_plane_add_row(plane, &spot, direction_of(hold), row);
    }
}

void rv_plane_solve_row(rvPlaneMotion* motion, int k)
{
    int count = motion->plane.count;
    double* solved = motion->solved + k * count;
    memcpy(solved, motion->rows + k * count, (size_t)count * sizeof(double));
    rv_separable_solve(&motion->matrix, solved);
}

void rv_plane_solve_holds(rvPlaneMotion* motion)
{
    for (int k = 0; k < motion->holdCount; ++k) {
        write_row(&motion->plane, &motion->holds[k], motion->rows + k * motion->plane.count);
        rv_plane_solve_row(motion, k);
    }
}

void rv_plane_solve_forces(const rvPlaneMotion* motion, const int* list, int n, const double* compliance, double* b)
{
    int count = motion->plane.count;
    double s[RV_PLANE_MOST_ROWS * RV_PLANE_MOST_ROWS];
    for (int i = 0; i < n; ++i) {
        const double* row = motion->rows + list[i] * count;
        for (int j = 0; j <= i; ++j)
            s[i * n + j] = rv_curve_dot(row, motion->solved + list[j] * count, count);
        if (compliance)
            s[i * n + i] += compliance[list[i]];
    }
    rv_cholesky_factor(s, n);
    rv_cholesky_solve(s, n, b);
}

// The rows of the holds alone.
static void solve_hold_forces(const rvPlaneMotion* motion, double* b)
{
    int list[RV_PLANE_MOST_HOLDS] = {0};
    for (int k = 0; k < motion->holdCount; ++k)
        list[k] = k;
    rv_plane_solve_forces(motion, list, motion->holdCount, NULL, b);
}

static bool factor_mass(rvPlaneMotion* motion)
{
    rv_plane_matrix(&motion->plane, (rvPlaneWish){.mass = 1.0}, &motion->matrix);
    return rv_separable_factor(&motion->matrix);
}

void rv_plane_add_loads(rvPlane* plane, const rvPlaneLoad* loads, int count)
{
    rvVec2* sums = plane->flow; // a force acts on all that lies before it: they are summed from the far end
    for (int i = 0; i < plane->intervals; ++i)
        sums[i] = rv_vec2(0, 0);
    for (int i = 0; i < count; ++i) {
        rvCurveSpot spot = rv_plane_spot(plane, loads[i].s);
        rv_plane_add_spot_load(plane, &spot, loads[i].force);
        sums[spot.interval] = rv_vec2_add(sums[spot.interval], 1.0, loads[i].force);
        rv_plane_add_moment(plane, &spot, loads[i].moment);
    }
    rv_plane_add_forces(plane, sums);
}

void rv_plane_motion_load(rvPlaneMotion* motion, const double* q, const double* v)
{
    rvPlane* plane = &motion->plane;
    rv_plane_place(plane, q);
    rv_plane_clear_loads(plane);
    rv_plane_add_gravity(plane, motion->gravity);
    rv_plane_add_drag(plane, v);
    rv_plane_add_stresses(plane, q, v);
    rv_plane_add_loads(plane, motion->loads, motion->loadCount);
}

bool rv_plane_motion_solve(rvPlaneMotion* motion, const double* q, const double* v, double* acceleration)
{
    rvPlane* plane = &motion->plane;
    int count = plane->count;
    rv_plane_motion_load(motion, q, v);
    rv_plane_contacts_add(&motion->contacts, plane, q, v);
    rv_plane_add_inertia(plane, v, NULL);
    rv_plane_sum_loads(plane, acceleration);
    if (!factor_mass(motion))
        return false;
    rv_separable_solve(&motion->matrix, acceleration);
    rv_plane_solve_holds(motion);
    double force[RV_PLANE_MOST_HOLDS];
    for (int k = 0; k < motion->holdCount; ++k) {
        const rvPlaneHold* hold = &motion->holds[k];
        const double* row = motion->rows + k * count;
        double drift = 0.0;
        if (hold->kind != RV_HOLD_ANGLE) {
            rvCurveSpot spot = rv_plane_spot(plane, hold->s);
            drift = rv_vec2_dot(direction_of(hold), rv_plane_drift(plane, v, &spot));
        }
        double mu = hold->closing;
        force[k] = hold->acceleration - drift - 2.0 * mu * (rv_curve_dot(row, v, count) - hold->rate) -
                   mu * mu * rv_plane_hold_error(plane, q, hold) - rv_curve_dot(row, acceleration, count);
    }
    solve_hold_forces(motion, force);
    for (int k = 0; k < motion->holdCount; ++k) {
        motion->holds[k].force = force[k];
        for (int i = 0; i < count; ++i)
            acceleration[i] += motion->solved[k * count + i] * force[k];
    }
    return true;
}

bool rv_plane_motion_project(rvPlaneMotion* motion, const double* q, double* v)
{
    int count = motion->plane.count;
    rv_plane_place(&motion->plane, q);
    if (!factor_mass(motion))
        return false;
    rv_plane_solve_holds(motion);
    double impulse[RV_PLANE_MOST_HOLDS];
    for (int k = 0; k < motion->holdCount; ++k)
        impulse[k] = motion->holds[k].rate - rv_curve_dot(motion->rows + k * count, v, count);
    solve_hold_forces(motion, impulse);
    for (int k = 0; k < motion->holdCount; ++k)
        for (int i = 0; i < count; ++i)
            v[i] += motion->solved[k * count + i] * impulse[k];
    return true;
}
