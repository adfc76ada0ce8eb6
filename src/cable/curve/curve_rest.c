// SPDX-License-Identifier: MIT
// A curve on the way to rest: its part of an iteration of settling (src/world/settle.c), a step of implicit Euler from
// rest over all that hangs together, (M/h^2 + K) d = Q + g^T l, with the rows of a step, cM = 1/h^2 and no past.
//
// At rest forces balance, but not every balance stays: K must be positive on all that the holds leave free. If it is
// with what the curve carries as dead loads, it is for any holds and bodies. Where it is not, bodies decide, and trying
// tells: the curve is nudged, bent by a hair, and settles again. Iterations go downhill, so it comes back only if
// it was stable.
#include "cable/curve/curve_kernel.h"
#include "math/direction.h"

#include <string.h>

#define PI 3.14159265358979323846
#define NUDGE 1e-3   // largest slope [rad]
#define SLOWEST 1e-2 // 1/s^2: what leaves a balance more slowly counts as staying there
enum { WAVES = 8 };  // half waves along the curve, at most

static bool hangs(const rvCable* cable)
{
    return rv_curve_of(cable)->gripCount > 0 && cable->state.broken == 0.0;
}

void rv_curve_begin_rest(rvCable* cable, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    for (int i = 0; i < 3; ++i)
        memset(curve->now.before[i], 0, (size_t)curve->now.count * sizeof(double));
    memset(curve->pushes, 0, sizeof curve->pushes);
    curve->kernel->predict(curve, h, true);
}

void rv_curve_end_rest(rvCable* cable, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    curve->kernel->relax(curve, hangs(cable) ? h / curve->now.alpha->h : 0.0); // all of it goes as far as the bodies go
    for (int k = 0; k < curve->gripCount; ++k) {
        rvGripState* s = &curve->states[k];
        for (int i = 0; i < 3 && cable->group >= 0; ++i)
            memcpy(s->past[i], curve->grips[k].force, sizeof s->past[i]);
        for (int c = 0; c < 6; ++c)
            curve->pasts[k].unread[c] = 0.5 * s->past[0][c];
        s->spin = rvVec(0, 0, 0);
        memset(curve->pasts[k].rate, 0, sizeof curve->pasts[k].rate);
    }
    curve->fresh = 1.0;
    curve->kernel->place(curve);
    curve->kernel->cacheSides(curve);
    rv_curve_begin_books(cable);
    rv_curve_publish(cable);
}

void rv_curve_measure_rest(const rvCable* cable, double gravity, rvBalance* balance)
{
    const rvCurve* curve = rv_curve_of(cable);
    balance->load = cable->massPerLength * curve->now.length * gravity;
    if (rv_curve_sees_shapes(curve))
        balance->farthest = rv_curve_margin(curve);
    if (!hangs(cable))
        return;
    for (int k = 0; k < curve->gripCount; ++k)
        balance->load += rvLength(rv_space_vec(curve->grips[k].force));
    balance->force = curve->kernel->measureResidual(curve, &balance->displacement, &balance->turn);
}

// ---- nudges ---------------------------------------------------------------------------------------------------------

// By which slopes node i is nudged to the side that it bulges to, and across.
static void find_slopes(const rvCurve* curve, int i, double slope[2])
{
    double x = (double)i / curve->now.intervals, scale = NUDGE;
    if (curve->collides) // not through anything
        scale = fmin(scale, curve->radius / curve->now.length);
    slope[0] = slope[1] = 0.0;
    for (int k = 1; k <= WAVES; ++k) {
        slope[0] += 0.5 * scale * cos(k * PI * x) / k;
        slope[1] += 0.25 * scale * sin(k * PI * x) / k;
    }
}

static rvVec3 side_of(const rvCurve* curve)
{
    return rvLength(curve->bulge) > 0.0 ? curve->bulge : curve->gravity;
}

bool rv_curve_nudge(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    if (!hangs(cable) || !curve->kernel->perturb(curve))
        return false;
    curve->kernel->place(curve);
    curve->kernel->cacheSides(curve);
    rv_curve_begin_books(cable);
    rv_curve_publish(cable);
    return true;
}

// ---- in a plane

void rv_plane_curve_relax(rvCurve* curve, double share)
{
    rvPlaneRun* run = &curve->plane->run;
    for (int i = 0; i < curve->now.count; ++i)
        run->q[i] += share * (run->p[i] - run->q[i]);
}

double rv_plane_curve_measure_residual(const rvCurve* curve, double* way, double* turn)
{
    rvPlane* plane = &curve->plane->motion.plane;
    rvPlaneRun* run = &curve->plane->run;
    double force = 0.0;
    for (int i = 0; i < plane->count; ++i) {
        run->at1[i] = run->p[i] - run->q[i];
        run->a1[i] = run->alpha.cM * run->at1[i];
    }
    rv_plane_node_rates(plane, run->at1, plane->rates);
    for (int i = 0; i <= plane->intervals; ++i) {
        rvVec2 d = plane->rates[i];
        *way = fmax(*way, sqrt(rv_vec2_dot(d, d)));
        *turn = fmax(*turn, fabs(run->at1[rv_plane_angle(plane, i)]));
    }
    rv_plane_clear_loads(plane);
    rv_plane_add_inertia(plane, run->v, run->a1);
    for (int k = 0; k < plane->intervals * RV_PLANE_POINTS; ++k)
        force += sqrt(rv_vec2_dot(plane->flow[k], plane->flow[k]));
    return force;
}

bool rv_plane_curve_perturb(rvCurve* curve)
{
    rvPlaneMotion* motion = &curve->plane->motion;
    rvPlane* plane = &motion->plane;
    double* q = curve->plane->run.q;
    curve->kernel->findTensions(curve); // gathers what it carries
    rv_plane_matrix(plane, (rvPlaneWish){.mass = SLOWEST, .stiffness = 1.0}, &motion->matrix);
    if (rv_separable_factor(&motion->matrix))
        return false;
    rvVec2 chord = rv_vec2_add(plane->nodes[plane->intervals], -1.0, plane->nodes[0]),
           side = rv_curve_flat(curve, side_of(curve));
    double sign = rv_vec2_dot(rv_vec2(-chord.y, chord.x), side) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i <= plane->intervals; ++i) {
        double slope[2];
        find_slopes(curve, i, slope);
        q[rv_plane_angle(plane, i)] += sign * (slope[0] + slope[1]);
    }
    return true;
}

// ---- in space

void rv_space_curve_relax(rvCurve* curve, double share)
{
    rvSpaceRun* run = &curve->space->run;
    for (int i = 0; i < curve->now.count; ++i)
        run->step[i] = share * run->theta[i];
    rv_space_run_reset(run);
    rv_space_run_move(run, run->step);
    rv_space_run_keep(run);
}

double rv_space_curve_measure_residual(const rvCurve* curve, double* way, double* turn)
{
    rvSpaceRun* run = &curve->space->run;
    rvSpace* space = &run->space;
    rvVec3* moved = curve->space->drift;
    double force = 0.0;
    for (int i = 0; i < space->count; ++i)
        run->a1[i] = run->alpha.cM * run->theta[i];
    rv_space_node_rates(space, run->theta, moved);
    for (int i = 0; i <= space->intervals; ++i) {
        int w = rv_space_spin(i); // of a turn by more than half of one the last solve knows
        *way = fmax(*way, rvLength(moved[i]));
        *turn = fmax(*turn, rvLength(rv_space_vec(run->theta + w)));
        *turn = fmax(*turn, rvLength(rv_space_vec(run->step + w)));
    }
    rv_space_clear_loads(space);
    rv_space_add_inertia(space, run->v, run->a1);
    for (int k = 0; k < space->intervals; ++k)
        for (int g = 0; g < RV_GAUSS_POINTS; ++g)
            force += rvLength(rvVec(space->flow[k].x[g], space->flow[k].y[g], space->flow[k].z[g]));
    return force;
}

bool rv_space_curve_perturb(rvCurve* curve)
{
    rvSpaceRun* run = &curve->space->run;
    rvSpace* space = &run->space;
    curve->kernel->findTensions(curve); // gathers what it carries
    rv_space_matrix(space, (rvSpaceWish){.mass = SLOWEST, .stiffness = 1.0}, &run->matrix);
    if (rv_separable_factor(&run->matrix))
        return false;
    rvVec3 chord = rvSub(space->nodes[space->intervals], space->nodes[0]);
    rvVec3 along = rvNormalizeOr(chord, rvRotate(run->frames[0], rvVec(0, 0, 1))), side = side_of(curve);
    rvVec3 up = rv_across_axis(side, along), across = rvCross(along, up);
    memset(run->step, 0, (size_t)space->count * sizeof(double));
    for (int i = 0; i <= space->intervals; ++i) {
        double slope[2];
        find_slopes(curve, i, slope);
        rvVec3 t = rvRotate(run->frames[i], rvVec(0, 0, 1));
        rvVec3 turn = rvCross(t, rvAdd(rvScale(slope[0], up), rvScale(slope[1], across)));
        const double spin[3] = {turn.x, turn.y, turn.z};
        memcpy(run->step + rv_space_spin(i), spin, sizeof spin);
    }
    rv_space_run_reset(run);
    rv_space_run_move(run, run->step);
    rv_space_run_keep(run);
    return true;
}
