// SPDX-License-Identifier: MIT
// A curve in the plane in motion: gravity, contacts, and holds, which fix a coordinate or the angle of a point to a
// value that may move. With G the rows of the holds, w = target's rate and mu the rate at which an error is closed,
//   M q'' = f + G^T lambda,   G q'' = w' - drift - 2 mu (G q' - w) - mu^2 (value - target)
// A jump of a target's rate (a hand starts or stops) is an impulse: the velocities are projected, M (v' - v) = G^T p.
#pragma once

#include "cable/curve/plane_contact.h"

#define RV_PLANE_MOST_HOLDS 16
#define RV_PLANE_MOST_LOADS 16
#define RV_PLANE_MOST_ROWS (RV_PLANE_MOST_HOLDS + RV_PLANE_MOST_TOUCHES)

typedef enum { RV_HOLD_X = 0, RV_HOLD_Y, RV_HOLD_ANGLE } rvPlaneHoldKind;

typedef struct {
    rvPlaneHoldKind kind;
    double s;                         // where along the curve [m]
    double value, rate, acceleration; // of the target now
    double closing;                   // mu [1/s]
    double force;                     // of the hold, by the last solve [N or N m]
} rvPlaneHold;

// A force and a moment on a point.
typedef struct {
    double s; // [m]
    rvVec2 force;
    double moment;
} rvPlaneLoad;

typedef struct {
    rvPlane plane;
    rvPlaneContacts contacts;
    rvVec2 gravity;
    rvPlaneHold holds[RV_PLANE_MOST_HOLDS];
    int holdCount;
    rvPlaneLoad loads[RV_PLANE_MOST_LOADS];
    int loadCount;
    rvSeparable matrix;
    double *rows, *solved; // of the holds, then of touches: G and A^-1 G^T
    double* forces;
} rvPlaneMotion;

// Takes over plane and contacts, which are released with it.
bool rv_plane_motion_create(rvPlaneMotion* motion, rvMemory* memory, const rvPlane* plane,
                            const rvPlaneContacts* contacts);
void rv_plane_motion_release(rvPlaneMotion* motion, rvMemory* memory);

void rv_plane_add_loads(rvPlane* plane, const rvPlaneLoad* loads, int count);
// Gathers all but inertia and contacts: weight, drag, stresses, forces and moments on points.
void rv_plane_motion_load(rvPlaneMotion* motion, const double* q, const double* v);
// Accelerations; the holds' forces. False: the inertia is not positive (the numbers are not finite).
bool rv_plane_motion_solve(rvPlaneMotion* motion, const double* q, const double* v, double* acceleration);
// Velocities that the holds' rates ask for, changed by impulses.
bool rv_plane_motion_project(rvPlaneMotion* motion, const double* q, double* v);
// Row k times the inverse of the factored matrix; the same for the rows of all holds, which are written first.
void rv_plane_solve_row(rvPlaneMotion* motion, int k);
void rv_plane_solve_holds(rvPlaneMotion* motion);
// x with (G A^-1 G^T + compliance) x = b for the listed rows, in place, by Cholesky: a row that the ones before it
// imply gets nothing. b and x are in the order of the list, compliance (NULL: none) in that of the rows.
void rv_plane_solve_forces(const rvPlaneMotion* motion, const int* list, int n, const double* compliance, double* b);
// How far a hold is from its target.
double rv_plane_hold_error(const rvPlane* plane, const double* q, const rvPlaneHold* hold);
