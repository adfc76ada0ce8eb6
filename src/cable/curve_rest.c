// SPDX-License-Identifier: MIT
// A curve on the way to rest: its part of an iteration of settling (src/world/settle.c), a step of implicit Euler from rest
// over all that hangs together, (M/h^2 + K) d = Q + g^T l, with the rows of a step, cM = 1/h^2 and no past.
#include "cable/curve_cable.h"

#include <string.h>

static bool hangs(const rvCable* cable)
{
    return rv_curve_of(cable)->gripCount > 0 && cable->state.broken == 0.0;
}

void rv_curve_begin_rest(rvCable* cable, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    double* rates[3] = {curve->run.v, curve->run.a, curve->run.at};
    for (int i = 0; i < 3; ++i)
        memset(rates[i], 0, (size_t)curve->motion.plane.count * sizeof(double));
    memset(curve->pushes, 0, sizeof curve->pushes);
    rv_plane_run_predict(&curve->run, h, true);
}

void rv_curve_end_rest(rvCable* cable, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    rvPlane* plane = &curve->motion.plane;
    double share = hangs(cable) ? h / curve->run.h : 0.0; // all of it goes as far as the bodies go
    for (int i = 0; i < plane->count; ++i)
        curve->run.q[i] += share * (curve->run.p[i] - curve->run.q[i]);
    for (int k = 0; k < curve->gripCount; ++k) {
        rvGripState* s = &curve->states[k];
        for (int i = 0; i < 3 && cable->group >= 0; ++i)
            memcpy(s->past[i], curve->grips[k].force, sizeof s->past[i]);
        s->spin = rvVec(0, 0, 0);
        memset(&curve->pasts[k], 0, sizeof curve->pasts[k]);
    }
    curve->fresh = 1.0;
    rv_plane_place(plane, curve->run.q);
    rv_plane_contacts_remember(&curve->motion.contacts, plane, curve->run.q);
    rv_curve_publish(cable);
}

double rv_curve_measure_rest(const rvCable* cable, double gravity, double* way, double* turn, double* carried)
{
    rvCurve* curve = rv_curve_of(cable);
    rvPlane* plane = &curve->motion.plane;
    rvPlaneRun* run = &curve->run;
    double force = 0.0;
    *way = *turn = 0.0;
    *carried = cable->layer.mass * plane->length * gravity;
    if (!hangs(cable))
        return 0.0;
    for (int i = 0; i < plane->count; ++i) {
        run->at1[i] = run->p[i] - run->q[i];
        run->a1[i] = run->cM * run->at1[i];
    }
    for (int i = 0; i <= plane->intervals; ++i) {
        rvPlaneSpot spot = rv_plane_spot(plane, i * plane->step);
        rvVec2 d = rv_plane_velocity(plane, run->at1, &spot);
        *way = fmax(*way, sqrt(rv_vec2_dot(d, d)));
        *turn = fmax(*turn, fabs(run->at1[rv_plane_angle(plane, i)]));
    }
    rv_plane_clear_loads(plane);
    rv_plane_add_inertia(plane, run->v, run->a1);
    for (int k = 0; k < plane->intervals * RV_PLANE_POINTS; ++k)
        force += sqrt(rv_vec2_dot(plane->flow[k], plane->flow[k]));
    for (int k = 0; k < curve->gripCount; ++k) {
        const double* f = curve->grips[k].force;
        *carried += rvLength(rvVec(f[0], f[1], f[2]));
    }
    return force;
}
