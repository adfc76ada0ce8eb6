// SPDX-License-Identifier: MIT
#include "reference/curve_run.h"

#include <math.h>
#include <string.h>

#define PASSES 2         // one is of first order only
#define MOST_CHANGES 200 // of contacts that open or close in one solve

// Rows of holds and touches; right sides for a step d that begins with run->step; compliances.
static int write_rows(rvPlaneRun* run, double* right, double* compliance)
{
    rvPlaneMotion* motion = run->motion;
    rvPlane* plane = &motion->plane;
    rvPlaneContacts* contacts = &motion->contacts;
    int count = plane->count, rows = motion->holdCount;
    rv_plane_solve_holds(motion);
    for (int k = 0; k < rows; ++k) {
        right[k] = -rv_plane_hold_error(plane, run->p, &motion->holds[k]);
        compliance[k] = 0.0;
    }
    rv_plane_contacts_find(contacts, plane, run->p, 0.0); // what would overlap
    double eps = 1.0 / fmax(contacts->spring + contacts->damping * run->alpha.cV, 1e-300);
    for (int i = 0; i < contacts->touchCount; ++i, ++rows) {
        const rvPlaneTouch* touch = &contacts->touches[i];
        double* row = motion->rows + rows * count;
        memset(row, 0, (size_t)count * sizeof(double));
        rv_plane_add_row(plane, &touch->spot, touch->out, row);
        if (touch->both)
            rv_plane_add_row(plane, &touch->other, rv_vec2(-touch->out.x, -touch->out.y), row);
        rv_plane_solve_row(motion, rows);
        double rate = rv_plane_touch_rate(plane, touch, run->v1);
        right[rows] = -eps * (contacts->spring * touch->gap + contacts->damping * rate);
        compliance[rows] = eps;
    }
    for (int k = 0; k < rows; ++k)
        right[k] -= rv_curve_dot(motion->rows + k * count, run->step, count);
    return rows;
}

// Forces of holds (any sign) and touches (never negative): the touch that pulls most is let go, the one that overlaps
// most is taken in, until none does. Bounded; then those that are in stay.
static void solve_rows(rvPlaneRun* run, int rows, const double* right, const double* compliance, double* force)
{
    rvPlaneMotion* motion = run->motion;
    int count = motion->plane.count, holds = motion->holdCount;
    bool in[RV_PLANE_MOST_ROWS];
    int list[RV_PLANE_MOST_ROWS] = {0};
    for (int k = 0; k < rows; ++k)
        in[k] = k < holds || right[k] > 0.0;
    for (int change = 0; change < MOST_CHANGES; ++change) {
        double b[RV_PLANE_MOST_ROWS];
        int n = 0, worst = -1;
        for (int k = 0; k < rows; ++k) {
            force[k] = 0.0;
            if (in[k]) {
                list[n] = k;
                b[n++] = right[k];
            }
        }
        rv_plane_solve_forces(motion, list, n, compliance, b);
        for (int i = 0; i < n; ++i) {
            force[list[i]] = b[i];
            if (list[i] >= holds && b[i] < 0.0 && (worst < 0 || b[i] < force[worst]))
                worst = list[i];
        }
        if (worst >= 0) {
            in[worst] = false;
            force[worst] = 0.0;
            continue;
        }
        double most = 1e-15;
        for (int k = holds; k < rows; ++k) {
            if (in[k])
                continue;
            double over = right[k];
            for (int i = 0; i < n; ++i)
                over -= b[i] * rv_curve_dot(motion->rows + k * count, motion->solved + list[i] * count, count);
            if (over > most) {
                most = over;
                worst = k;
            }
        }
        if (worst < 0)
            return;
        in[worst] = true;
    }
    for (int k = holds; k < rows; ++k)
        force[k] = fmax(force[k], 0.0);
}

// p moves on by one solve; the matrix is that of the first.
static bool correct(rvPlaneRun* run, bool first, double* force)
{
    rvPlaneMotion* motion = run->motion;
    int count = motion->plane.count;
    rv_plane_run_sum_forces(run);
    if (first && !rv_plane_run_factor(run))
        return false;
    rv_separable_solve(&motion->matrix, run->step);
    double right[RV_PLANE_MOST_ROWS], compliance[RV_PLANE_MOST_ROWS];
    int rows = write_rows(run, right, compliance);
    solve_rows(run, rows, right, compliance, force);
    for (int i = 0; i < count; ++i) {
        run->p[i] += run->step[i];
        for (int k = 0; k < rows; ++k)
            run->p[i] += motion->solved[k * count + i] * force[k];
    }
    return true;
}

bool rv_plane_run_begin(rvPlaneRun* run)
{
    rvPlaneMotion* motion = run->motion;
    rv_plane_place(&motion->plane, run->q);
    rv_plane_contacts_remember(&motion->contacts, &motion->plane, run->q);
    bool good =
        rv_plane_motion_project(motion, run->q, run->v) && rv_plane_motion_solve(motion, run->q, run->v, run->a);
    memcpy(run->at, run->a, (size_t)motion->plane.count * sizeof(double));
    return good;
}

bool rv_plane_run_step(rvPlaneRun* run, double h)
{
    rvPlaneMotion* motion = run->motion;
    rv_plane_run_predict(run, h, false);
    double force[RV_PLANE_MOST_ROWS] = {0.0};
    for (int pass = 0; pass < PASSES; ++pass)
        if (!correct(run, pass == 0, force))
            return false;
    if (!rv_plane_run_end(run))
        return false;
    rv_plane_run_accelerate(run);
    if (!rv_plane_run_keep(run))
        return false;
    for (int k = 0; k < motion->holdCount; ++k)
        motion->holds[k].force = force[k];
    return true;
}

double rv_plane_motion_energy(rvPlaneMotion* motion, const double* q, const double* v)
{
    rv_plane_place(&motion->plane, q);
    rv_plane_clear_loads(&motion->plane);
    rv_plane_contacts_add(&motion->contacts, &motion->plane, q, v);
    return rv_plane_kinetic_energy(&motion->plane, v) + rv_plane_elastic_energy(&motion->plane, q) +
           rv_plane_height_energy(&motion->plane, motion->gravity) + motion->contacts.energy;
}

int rv_plane_slower(rvPlaneMotion* motion, const double* q, double omega)
{
    rvPlane* plane = &motion->plane;
    rv_plane_place(plane, q);
    rv_plane_clear_loads(plane);
    rv_plane_add_gravity(plane, motion->gravity);
    rv_plane_add_loads(plane, motion->loads, motion->loadCount);
    rv_plane_matrix(plane, (rvPlaneWish){.mass = -omega * omega, .stiffness = 1.0}, &motion->matrix);
    double largest = 0.0; // against it nothing that is held moves
    for (int i = 0; i < plane->count; ++i)
        largest = fmax(largest, fabs(*rv_separable_at(&motion->matrix, i, i)));
    for (int k = 0; k < motion->holdCount; ++k) {
        if (motion->holds[k].s != 0.0)
            return -1;
        int i = motion->holds[k].kind == RV_HOLD_X   ? 0
                : motion->holds[k].kind == RV_HOLD_Y ? 1
                                                     : rv_plane_angle(plane, 0);
        *rv_separable_at(&motion->matrix, i, i) += 1e9 * largest;
    }
    return rv_separable_negative(&motion->matrix);
}
