// SPDX-License-Identifier: MIT
// Curves for tests: made of one stuff, and marched by the classical Runge-Kutta rule.
#pragma once

#include "cable/curve/plane_rest.h"

#include "check.h"

#include <string.h>

#define MOST_UNKNOWNS 128

static inline void new_curve(rvPlaneMotion* motion, rvMemory* memory, int intervals, double density, double rigidity,
                             int obstacles, bool itself)
{
    rvPlane plane;
    rvPlaneContacts contacts;
    assert_true(rv_plane_create(&plane, memory, intervals, 1.0, false));
    assert_true(plane.count <= MOST_UNKNOWNS);
    for (int i = 0; i < intervals; ++i)
        plane.parts[i] = (rvPlanePart){.density = density, .rigidity = rigidity};
    rv_plane_begin(&plane);
    assert_true(rv_plane_contacts_create(&contacts, memory, &plane, obstacles, itself, RV_PLANE_MOST_TOUCHES));
    assert_true(rv_plane_motion_create(motion, memory, &plane, &contacts));
    motion->gravity = rv_vec2(0, -9.8);
}

static inline rvPlaneHold* add_hold(rvPlaneMotion* motion, rvPlaneHoldKind kind, double s, double value)
{
    rvPlaneHold* hold = &motion->holds[motion->holdCount++];
    *hold = (rvPlaneHold){.kind = kind, .s = s, .value = value, .closing = 100.0};
    return hold;
}

static inline void pin(rvPlaneMotion* motion)
{
    add_hold(motion, RV_HOLD_X, 0.0, 0.0);
    add_hold(motion, RV_HOLD_Y, 0.0, 0.0);
}

static inline void begin(rvPlaneMotion* motion, const double* q)
{
    rv_plane_place(&motion->plane, q);
    rv_plane_contacts_remember(&motion->contacts, &motion->plane, q);
}

// One step; targets do not move within it.
static inline void march(rvPlaneMotion* motion, double h, double* q, double* v)
{
    static const double share[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    int n = motion->plane.count;
    double q1[MOST_UNKNOWNS], v1[MOST_UNKNOWNS], a[MOST_UNKNOWNS] = {0}, speed[MOST_UNKNOWNS] = {0};
    double dq[MOST_UNKNOWNS] = {0}, dv[MOST_UNKNOWNS] = {0};
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < n; ++i) {
            q1[i] = q[i] + h * share[k] * speed[i];
            v1[i] = v[i] + h * share[k] * a[i];
        }
        assert_true(rv_plane_motion_solve(motion, q1, v1, a));
        memcpy(speed, v1, sizeof speed);
        for (int i = 0; i < n; ++i) {
            dq[i] += h * weight[k] * speed[i];
            dv[i] += h * weight[k] * a[i];
        }
    }
    for (int i = 0; i < n; ++i) {
        q[i] += dq[i];
        v[i] += dv[i];
    }
    begin(motion, q);
}
