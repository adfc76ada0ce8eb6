// SPDX-License-Identifier: MIT
// Fixed steps of a curve in space: generalised-alpha with rho = 1/2 (as plane_step.h), on frames. Nodes are held, or are
// ports: bodies hold them, and the step is condensed to them, as in ancf/ancf_port.h.
//
// Increments from the start of the step: theta = (dx0, rotation vectors), R = exp(theta_i) R_i. Newmark holds for theta,
//   theta = h v + h^2 ((1/2 - bet) at + bet at1),   v1 = v + h ((1 - gam) at + gam at1)
// and a solve d moves on by R -> exp(d_i) R. Two solves a step: the first one with the ports' forces of the last step, the
// second one linearised where the first one led. The matrix holds the stiffness of what pulls, holds' forces included:
//   H d = Q(p) - M a1 - quadratic terms + G^T (l + dl),   H = cM M + (1 + cV damping) K + geometric stiffness
// Rows of held nodes are eliminated: with U = H^-1 G^T, C = G U and s, h, p for all, held and ports
//   dl_h = C_hh^-1 (target - G_h d - C_hp dl_p),   block of the ports C_pp - C_ph C_hh^-1 C_hp
//
// Limits, as seen. The matrix leaves out the geometric stiffness of the moments that the curve carries.
// rv_space_run_rest does not end for a ring of 40 intervals with half of its critical twist (it answers 0.05), though each
// interval carries but 0.16 EI/h. Steps from a start whose twist is far out of balance fail: twist has next to no inertia.
#pragma once

#include "cable/curve/space.h"

#define RV_SPACE_MOST_ROWS 96
#define RV_SPACE_MOST_LOADS 4

// A node that is held; its frame too where it turns with what holds it.
typedef struct {
    int node;
    bool turns, port;
    int row; // its first row: three of place, three more of turning. Set by create
    rvVec3 place;
    rvQuat frame; // targets, of the end of a step. Not of ports
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
    // of a step
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
    rvVec3* moved; // of the nodes, scratch
} rvSpaceRun;

// Holds are copied. Parts of run->space, frames, start and v are set afterwards.
bool rv_space_run_create(rvSpaceRun* run, rvMemory* memory, int intervals, const rvSpaceHold* holds, int holdCount);
void rv_space_run_release(rvSpaceRun* run, rvMemory* memory);

// Accelerations and forces with all holds and ports held at rest where they are. False: not finite.
bool rv_space_run_begin(rvSpaceRun* run);
// A shape at rest with all holds and ports at their targets, downhill from the shape as it is: (M/tau^2 + K) d = f + G^T dl
// with tau growing as the forces fall. The rates become 0. Answers how far it still moved in the last round [rad], at most
// `rounds` of them; below 1e-9 it ends.
double rv_space_run_rest(rvSpaceRun* run, int rounds);
// Energies as it is.
double rv_space_run_kinetic(rvSpaceRun* run);
double rv_space_run_elastic(rvSpaceRun* run);
double rv_space_run_height(rvSpaceRun* run);

// A step: begin, then pass and take as often as wanted, then end. Targets are set before begin.
void rv_space_port_begin(rvSpaceRun* run, double h);
// For the rows of the ports, in their order: where they would be without a change of force (of a turning: by how much it
// would turn on from frames1), and how much further a force moves them. False: not finite.
bool rv_space_port_pass(rvSpaceRun* run, double* places, double* compliance);
// Forces on the ports at the end of the step. Answers by how much they are not where the pass said [m].
double rv_space_port_take(rvSpaceRun* run, const double* forces);
// False: not finite, and the state is as before.
bool rv_space_port_end(rvSpaceRun* run);
// A step of a curve without ports.
bool rv_space_run_step(rvSpaceRun* run, double h);
