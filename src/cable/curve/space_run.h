// SPDX-License-Identifier: MIT
// A curve in space with what holds and loads it: the state that space_rest.h, space_motion.h and space_step.h work on.
//
// A hold fixes where a node is, or some axes of it, and how it turns: not at all (a pin), only its direction (aimed), or its
// whole frame. Rows g of the holds, for the rates; of a turning about n: n; of an aim along t0 with n across it:
//   value n . (t0 x t),   g = n (t0 . t) - t0 (n . t)
// Nodes may lie anywhere (parts have lengths of their own): one is put where something is held.
// With H the matrix at hand, U = H^-1 G^T, C = G U, and h, p for rows that are held and rows of ports
//   dl_h = C_hh^-1 (target - G_h d - C_hp dl_p),   block of the ports C_pp - C_ph C_hh^-1 C_hp
#pragma once

#include "cable/curve/space.h"

#define RV_SPACE_MOST_ROWS 96
#define RV_SPACE_MOST_LOADS 4

typedef enum {
    RV_GRIP_PIN = 0, // turns freely
    RV_GRIP_AIM,     // its tangent is held, it turns about it
    RV_GRIP_FRAME,
} rvSpaceGrip;

typedef struct {
    int node;
    rvSpaceGrip grip;
    unsigned loose; // bit c: the place is free along world axis c; 7: it is not held at all
    bool port;      // a body holds it: the step is condensed to it
    int row;        // its first one. Set by create
    rvVec3 place;
    rvQuat frame; // targets; a step takes those of its end. Of ports only the frame, where the body's is, for aims
    // rates of the targets, for rv_space_motion_*
    rvVec3 rate, spin, acceleration, spinRate;
} rvSpaceHold;

// A force and a moment on a node, in world axes.
typedef struct {
    int node;
    rvVec3 force, moment;
} rvSpaceLoad;

typedef struct {
    rvSpace space;
    rvVec3 gravity;
    rvSpaceLoad loads[RV_SPACE_MOST_LOADS];
    int loadCount;
    rvSpaceHold* holds;
    int holdCount, rowCount;
    // what changes in a run, in one block of doubles
    double* state;
    int stateCount;
    double *start, *v, *a, *at; // x0; rates and accelerations
    rvQuat* frames;
    double *forces, *tension; // of the rows on the curve, force and moment; of the intervals
    // of a step, or of a search
    double h, am, af, gam, bet, cM, cV;
    rvVec3 start1;
    rvQuat* frames1;
    double *theta, *v1, *a1, *at1, *step, *force1;
    rvSeparable matrix;
    double *rows, *solved; // G, H^-1 G^T: rowCount x count
    double *block, *mixed; // C, then factor of C_hh; C_hh^-1 C_hp: rowCount x rowCount
    int held[RV_SPACE_MOST_ROWS], ports[RV_SPACE_MOST_ROWS], heldCount, portCount; // rows
    bool factored;
    double* room;
    size_t roomSize;
    rvVec3* moved;  // of the nodes, scratch
    double* turned; // answers to dead moments: 3 RV_SPACE_MOST_LOADS x count
} rvSpaceRun;

// Holds are copied. Parts of run->space, frames, start and v are set afterwards.
bool rv_space_run_create(rvSpaceRun* run, rvMemory* memory, int intervals, const rvSpaceHold* holds, int holdCount);
void rv_space_run_release(rvSpaceRun* run, rvMemory* memory);

// Energies as it is.
double rv_space_run_kinetic(rvSpaceRun* run);
double rv_space_run_elastic(rvSpaceRun* run);
double rv_space_run_height(rvSpaceRun* run);

// ---- shared by rest, motion and step --------------------------------------------------------------------------------

int rv_space_hold_rows(const rvSpaceHold* hold);
// Axis of row r of a hold; *turning: of its frame.
rvVec3 rv_space_hold_axis(const rvSpaceHold* hold, int r, bool* turning);
// The hold that a row is of.
const rvSpaceHold* rv_space_hold_of(const rvSpaceRun* run, int row);
// Which rows are held and which are ports; with `all` the ports are held too.
void rv_space_run_sort(rvSpaceRun* run, bool all);
// Places at start1 and frames1.
void rv_space_run_place(rvSpaceRun* run);
// To the state as it is.
void rv_space_run_reset(rvSpaceRun* run);
// Shape and theta move on by d: R = exp(d) R.
void rv_space_run_move(rvSpaceRun* run, const double* d);
// start1 and frames1 become the state.
void rv_space_run_keep(rvSpaceRun* run);
// Gathers all but inertia; v NULL: at rest.
void rv_space_run_load(rvSpaceRun* run, const double* v, const double* force);
void rv_space_run_tensions(rvSpaceRun* run); // by the loads as gathered
// How far row is from its target, at frames1 and the nodes as placed.
double rv_space_run_error(const rvSpaceRun* run, int row);
// Rows as placed, their columns by the factored matrix, Cholesky of the held ones: a row that the ones before it imply gets
// nothing; ports with the held ones eliminated.
void rv_space_run_condense(rvSpaceRun* run);
// The step moves on by the held rows' forces that take it to `right`; they are added to force1.
void rv_space_run_meet(rvSpaceRun* run, const double* right);
double rv_space_run_pair(const rvSpaceRun* run, int i, int j); // G H^-1 G^T of two rows

static inline rvVec3 rv_space_vec(const double* x)
{
    return rvVec(x[0], x[1], x[2]);
}

static inline double rv_space_dot(const double* a, const double* b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
}
