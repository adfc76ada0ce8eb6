// SPDX-License-Identifier: MIT
// A curve in space with what holds and loads it: the state that space_rest.h, space_motion.h and space_step.h work on.
//
// A hold fixes where a node is, or some axes of it, and how it turns: not at all (a pin), only its direction (aimed),
// or its whole frame. Rows g of the holds, for the rates; of a turning about n: n; of an aim along t0 with n across it:
//   value n . (t0 x t),   g = n (t0 . t) - t0 (n . t)
// Nodes may lie anywhere (parts have lengths of their own): one is put where something is held.
// With H the matrix at hand, U = H^-1 G^T, C = G U, and h, x for rows of holds and further ones (of touches)
//   dl_h = C_hh^-1 (target - G_h d - C_hx dl_x),   block of the others C_xx - C_xh C_hh^-1 C_hx
#pragma once

#include "cable/curve/alpha.h"
#include "cable/curve/space_contact.h"

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
    bool off;       // it holds nothing: no rows
    int row;        // its first one. Set by create
    rvVec3 place;
    rvQuat frame; // targets; a step takes those of its end
    // rates of the targets, for rv_space_motion_*
    rvVec3 rate, spin, acceleration, spinRate;
} rvSpaceHold;

// A force and a moment on a node, in world axes.
typedef struct {
    int node;
    rvVec3 force, moment;
} rvSpaceLoad;

// Where a hold is at the start and at the end of a step.
typedef struct {
    rvVec3 place, from;
    rvQuat frame, fromFrame;
} rvSpaceAim;

// What is made.
typedef struct {
    int intervals;
    bool stretches;
    const rvSpaceHold* holds; // copied
    int holdCount;
    int obstacleCount; // that the curve meets
    bool itself;       // it meets itself
    int touches;       // that there is room for; 0: as many as a step of its own can have
} rvSpaceDef;

typedef struct {
    rvSpace space;
    rvSpaceContacts contacts;
    rvVec3 gravity;
    double drag; // of all that moves: force of so many times its mass times its velocity [1/s]
    rvSpaceLoad loads[RV_SPACE_MOST_LOADS];
    int loadCount;
    rvSpaceHold* holds;
    int holdCount, rowCount;
    // what changes in a run, in one block of doubles
    double* state;
    int stateCount;
    double *start, *v, *a, *at; // x0; rates and accelerations
    rvQuat* frames;
    double* stretch;          // of the nodes; NULL: it does not
    double* fresh;            // 1: something was hit in the last step
    double *forces, *tension; // of the rows on the curve, force and moment; of the intervals
    // of a step, or of a search
    rvAlpha alpha;
    rvVec3 start1;
    rvQuat* frames1;
    double* stretch1;
    double *theta, *v1, *a1, *at1, *step, *force1;
    rvSeparable matrix;
    rvSeparable* plain; // gets the matrix of each pass before it is factored; NULL: nobody asks for it
    bool factored;
    bool resting;           // the step is an iteration towards rest: its matrix is no smaller than the true one
    bool stopped;           // before it would have gone through itself
    int rowRoom, moreCount; // rows of holds and touches there is room for; those beyond the holds'
    double *rows, *solved;  // G, H^-1 G^T: rowRoom x count
    double* block;          // factor of C_hh
    double* mixed;          // C_hh^-1 C_hx
    double* pairs;          // of touches
    double* room;
    size_t roomSize;
    double* before;   // the state at the start of a step
    rvSpaceAim* aims; // of the holds
    double share;     // of the step that holds and obstacles are at
    rvVec3* moved;    // of the nodes, scratch
    double* slowed;   // accelerations with drag
    // ways (space.h): at the start of the step extrapolated, their rates, accelerations a and at; at its end; scratch
    double *wayHalf, *wayRate, *wayA, *wayAt, *wayRate1, *wayA1, *wayAt1, *wayMore;
    double* turned; // answers to dead moments: 3 RV_SPACE_MOST_LOADS x count
} rvSpaceRun;

// Parts of run->space, frames, start, v and what contacts are made of are set afterwards.
bool rv_space_run_create(rvSpaceRun* run, rvMemory* memory, const rvSpaceDef* def);
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
// Places at start1, frames1 and stretch1.
void rv_space_run_place(rvSpaceRun* run);
// To the state as it is.
void rv_space_run_reset(rvSpaceRun* run);
// Shape and theta move on by d: R = exp(d) R.
void rv_space_run_move(rvSpaceRun* run, const double* d);
// The same, by as much of d, halved and halved again, as does not lead the curve through itself or an obstacle; d is
// lost. Obstacles go on along with it, and all of their way if they can; `gone`: how much of what was wanted d is.
// run->stopped: it was not all.
void rv_space_run_go(rvSpaceRun* run, double* d, double gone);
// start1, frames1 and stretch1 become the state.
void rv_space_run_keep(rvSpaceRun* run);
// Gathers all but inertia; v NULL: at rest.
void rv_space_run_load(rvSpaceRun* run, const double* v, const double* force);
void rv_space_run_add_inertia(rvSpaceRun* run, const double* v, const double* a); // with drag; a with it into `slowed`
void rv_space_run_tensions(rvSpaceRun* run);                                      // by the loads as gathered
// How far row is from its target, at frames1 and the nodes as placed.
double rv_space_run_error(const rvSpaceRun* run, int row);
// Rows of the holds as placed, columns of all rows by the factored matrix, with the holds eliminated from those of the
// further ones (run->moreCount of them are written behind the holds'). `step`: run->step is solved for along with them.
void rv_space_run_condense(rvSpaceRun* run, bool step);
// The step moves on by the holds' forces that take it to `right`; they are added to force1.
void rv_space_run_meet(rvSpaceRun* run, const double* right);
double rv_space_run_pair(const rvSpaceRun* run, int i, int j); // G H^-1 G^T of two rows

static inline rvVec3 rv_space_vec(const double* x)
{
    return rvVec(x[0], x[1], x[2]);
}
