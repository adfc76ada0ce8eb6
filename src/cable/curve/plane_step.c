// SPDX-License-Identifier: MIT
#include "cable/curve/plane_step.h"

#include <math.h>
#include <string.h>

#define VECTORS 9
#define WAYS 8
#define PASSES 2         // one is of first order only
#define MOST_CHANGES 200 // of contacts that open or close in one solve

static int way_count(const rvPlaneRun* run) // vectors of a way
{
    return run->motion->plane.intervals * RV_PLANE_POINTS + 1;
}

static size_t size_of(const rvPlaneRun* run)
{
    return VECTORS * (size_t)run->motion->plane.count * sizeof(double) + WAYS * (size_t)way_count(run) * sizeof(rvVec2);
}

bool rv_plane_run_create(rvPlaneRun* run, rvMemory* memory, rvPlaneMotion* motion)
{
    *run = (rvPlaneRun){.motion = motion, .rho = 0.5};
    run->base = rv_memory_take(memory, size_of(run));
    if (!run->base)
        return false;
    double** vectors[VECTORS] = {&run->q,  &run->v,  &run->a,   &run->at,  &run->p,
                                 &run->v1, &run->a1, &run->at1, &run->step};
    for (int i = 0; i < VECTORS; ++i)
        *vectors[i] = run->base + i * motion->plane.count;
    rvVec2** ways[WAYS] = {&run->wayHalf, &run->wayRate,  &run->wayA,  &run->wayAt,
                           &run->way1,    &run->wayRate1, &run->wayA1, &run->wayAt1};
    for (int i = 0; i < WAYS; ++i)
        *ways[i] = (rvVec2*)(run->base + VECTORS * motion->plane.count) + i * way_count(run);
    return true;
}

void rv_plane_run_release(rvPlaneRun* run, rvMemory* memory)
{
    rv_memory_give(memory, run->base, size_of(run));
    *run = (rvPlaneRun){0};
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

void rv_plane_run_predict(rvPlaneRun* run, double h, bool euler)
{
    rvPlane* plane = &run->motion->plane;
    run->alpha = rv_alpha_begin(h, run->rho, euler);
    rv_plane_place(plane, run->q);
    rv_plane_way(plane, run->q, run->wayHalf);
    rv_plane_way_rate(plane, run->v, run->wayRate);
    rv_plane_way_acceleration(plane, run->v, run->a, run->wayA);
    rv_plane_way_acceleration(plane, run->v, run->at, run->wayAt);
    for (int k = 0; k < way_count(run); ++k) {
        if (euler)
            run->wayAt[k] = rv_vec2(0, 0);
        rvVec2 half = rv_vec2_add(run->wayHalf[k], h, run->wayRate[k]);
        run->wayHalf[k] = rv_vec2_add(half, h * h * (0.5 - run->alpha.bet), run->wayAt[k]);
    }
    for (int i = 0; i < plane->count; ++i) // a blow is solved for from where all holds are met: see plane_step.h
        run->p[i] = run->q[i] + (euler ? 0.0 : h * run->v[i]);
}

// The way at p as placed, and its derivatives by the rule.
static void find_ways(rvPlaneRun* run)
{
    const rvAlpha* t = &run->alpha;
    double factor = 1.0 / (t->bet * t->h * t->h);
    rv_plane_way(&run->motion->plane, run->p, run->way1);
    for (int k = 0; k < way_count(run); ++k) {
        rvVec2 v = run->wayRate[k], a = run->wayA[k], at = run->wayAt[k], *v1 = &run->wayRate1[k], *a1 = &run->wayA1[k];
        rvVec2 at1 = rv_vec2_add(run->way1[k], -1.0, run->wayHalf[k]);
        run->wayAt1[k] = at1 = rv_vec2(factor * at1.x, factor * at1.y);
        rv_alpha_rates(t, v.x, a.x, at.x, at1.x, &v1->x, &a1->x);
        rv_alpha_rates(t, v.y, a.y, at.y, at1.y, &v1->y, &a1->y);
    }
}

// The rates x whose motion is nearest to that of a way.
static void project(rvPlaneRun* run, const rvVec2* way, double* x)
{
    rvPlane* plane = &run->motion->plane;
    rv_plane_clear_loads(plane);
    rv_plane_add_way_inertia(plane, way);
    rv_plane_add_stretching(plane, run->alpha.h, x);
    rv_plane_sum_loads(plane, x);
    rv_separable_solve(&run->motion->matrix, x);
    for (int i = 0; i < plane->count; ++i)
        x[i] = -x[i];
}

bool rv_plane_run_end(rvPlaneRun* run)
{
    rvPlane* plane = &run->motion->plane;
    rv_plane_place(plane, run->p);
    find_ways(run);
    rv_plane_run_rates(run);
    rv_plane_matrix(plane, (rvPlaneWish){.mass = 1.0, .stretching = run->alpha.h}, &run->motion->matrix);
    if (!rv_separable_factor(&run->motion->matrix))
        return false;
    project(run, run->wayRate1, run->v1);
    return true;
}

void rv_plane_run_accelerate(rvPlaneRun* run)
{
    rvPlane* plane = &run->motion->plane;
    rv_plane_way_acceleration(plane, run->v1, NULL, run->way1);
    for (int k = 0; k < way_count(run); ++k) {
        run->wayA1[k] = rv_vec2_add(run->wayA1[k], -1.0, run->way1[k]);
        run->wayAt1[k] = rv_vec2_add(run->wayAt1[k], -1.0, run->way1[k]);
    }
    project(run, run->wayA1, run->a1);
    project(run, run->wayAt1, run->at1);
}

void rv_plane_run_rates(rvPlaneRun* run)
{
    const rvAlpha* t = &run->alpha;
    double h = t->h;
    for (int i = 0; i < run->motion->plane.count; ++i) {
        double at = t->euler ? 0.0 : run->at[i], qh = run->q[i] + h * run->v[i] + h * h * (0.5 - t->bet) * at;
        run->at1[i] = (run->p[i] - qh) / (t->bet * h * h);
        rv_alpha_rates(t, run->v[i], run->a[i], at, run->at1[i], &run->v1[i], &run->a1[i]);
    }
}

// Forces at p, without those of holds and touches.
static void sum_forces(rvPlaneRun* run)
{
    rvPlane* plane = &run->motion->plane;
    rv_plane_run_rates(run);
    rv_plane_motion_load(run->motion, run->p, run->v1);
    find_ways(run);
    rv_plane_add_way_inertia(plane, run->wayA1);
    rv_plane_sum_loads(plane, run->step);
}

static bool factor(rvPlaneRun* run)
{
    rvPlaneWish wish = {.mass = run->alpha.cM, .stiffness = 1.0, .damping = run->alpha.cV, .positive = true};
    rv_plane_matrix(&run->motion->plane, wish, &run->motion->matrix);
    if (run->plain)
        rv_separable_copy(&run->motion->matrix, run->plain);
    return rv_separable_factor(&run->motion->matrix);
}

bool rv_plane_run_linearise(rvPlaneRun* run, const rvPlaneLoad* forces, int count)
{
    sum_forces(run);
    rv_plane_add_loads(&run->motion->plane, forces, count);
    if (!factor(run))
        return false;
    rv_separable_solve(&run->motion->matrix, run->step);
    return true;
}

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

static bool is_finite(const double* x, int count)
{
    return isfinite(rv_curve_dot(x, x, count));
}

// p moves on by one solve; the matrix is that of the first.
static bool correct(rvPlaneRun* run, bool first, double* force)
{
    rvPlaneMotion* motion = run->motion;
    int count = motion->plane.count;
    sum_forces(run);
    if (first && !factor(run))
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

bool rv_plane_run_keep(rvPlaneRun* run)
{
    rvPlaneMotion* motion = run->motion;
    int count = motion->plane.count;
    if (!is_finite(run->p, count) || !is_finite(run->v1, count) || !is_finite(run->at1, count))
        return false;
    size_t size = (size_t)count * sizeof(double);
    memcpy(run->q, run->p, size);
    memcpy(run->v, run->v1, size);
    memcpy(run->a, run->a1, size);
    memcpy(run->at, run->at1, size);
    rv_plane_place(&motion->plane, run->q);
    rv_plane_contacts_remember(&motion->contacts, &motion->plane, run->q);
    return true;
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
