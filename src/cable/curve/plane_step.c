// SPDX-License-Identifier: MIT
#include "cable/curve/plane_step.h"

#include <math.h>
#include <string.h>

#define VECTORS 9
#define WAYS 8

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

void rv_plane_run_sum_forces(rvPlaneRun* run)
{
    rvPlane* plane = &run->motion->plane;
    rv_plane_run_rates(run);
    rv_plane_motion_load(run->motion, run->p, run->v1);
    find_ways(run);
    rv_plane_add_way_inertia(plane, run->wayA1);
    rv_plane_sum_loads(plane, run->step);
}

bool rv_plane_run_factor(rvPlaneRun* run)
{
    rvPlaneWish wish = {.mass = run->alpha.cM, .stiffness = 1.0, .damping = run->alpha.cV, .positive = true};
    rv_plane_matrix(&run->motion->plane, wish, &run->motion->matrix);
    if (run->plain)
        rv_separable_copy(&run->motion->matrix, run->plain);
    return rv_separable_factor(&run->motion->matrix);
}

bool rv_plane_run_linearise(rvPlaneRun* run, const rvPlaneLoad* forces, int count)
{
    rv_plane_run_sum_forces(run);
    rv_plane_add_loads(&run->motion->plane, forces, count);
    if (!rv_plane_run_factor(run))
        return false;
    rv_separable_solve(&run->motion->matrix, run->step);
    return true;
}

static bool is_finite(const double* x, int count)
{
    return isfinite(rv_curve_dot(x, x, count));
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
