// SPDX-License-Identifier: MIT
// The inextensible curve in the world, in space: bends in all directions and twists, held by bodies, on shapes and on itself.
//
// As curve_cable.h has it for a plane: every condition on the curve is a row g with a force l along it, all of them go to the
// one solver,
//   J v' + C y = bias,   C = cM g H^-1 g^T dense over all rows,   l(n+1) = -cM h y
// - a grip: its place along the world's axes; with a clamp how its frame turns about them, too: a clamp carries twist
// - a touch: the gap along its normal, y >= 0; across it, in two directions, friction, |y| <= mu y_n each
// H is the matrix of the curve's step (curve/space_step.h). Rates of rows that hold are set at the end of the step, and a step
// in which a force jumps is of implicit Euler, for the reasons given there.
// A curve is in space where its places or clamps do not lie in a plane, or where it is given a torsional stiffness, and
// `plane` is not.
#pragma once

#include "cable/cable_model.h"
#include "cable/curve/space_motion.h"
#include "cable/curve/space_rest.h"
#include "cable/curve/space_step.h"
#include "cable/grip.h"

// One condition: a place of a point along an axis, of two points' distance, or a turning of a node about it.
typedef struct {
    rvSpaceSpot spot, other;
    bool both;  // less the same of `other`
    bool turns; // of the node at spot
    rvVec3 along;
} rvSpaceRow;

// Where the curve touches something, within a step.
typedef struct {
    rvSpaceTouch at;
    int body; // that moves; -1: none
    int slot;
    rvVec3 arm;       // of the surface from the body's centre of mass
    rvVec3 velocity;  // of the surface, by which it was moved ahead to the end of the step [m/s]
    rvVec3 moved;     // of the curve's point in this step, that of the other taken off [m]
    rvVec3 across[2]; // along the curve, and across it, on the surface
    double friction;
    double force[3]; // on the curve, along `out` and across it
    bool holds[3];   // it presses, it sticks
    int row;
} rvSpaceContact;

// A round shape: one of the curve's obstacles.
typedef struct {
    double key; // of the shape: state, as the sides that are remembered are by peg; 0: the place is free
    int body;   // that moves; -1: none
    bool seen;
    rvVec3 velocity, spin, arm; // of its middle as the step begins
    double friction;
} rvSpacePeg;

// Where the surface of another shape is near a point of the curve: a half-space.
typedef struct {
    rvSpaceSpot spot;
    rvVec3 out;
    double offset; // out . x on the surface, moved ahead [m]
    int body;
    rvVec3 velocity, arm;
    double friction;
} rvSpaceFace;

// What a grip remembers beside its forces. State.
typedef struct {
    double rate[2][6]; // of its body in the last two steps, along the rows
    rvQuat frame;      // of a clamp: the curve's frame in the body's axes, or the world's
} rvSpacePast;

// A force on the curve, as state: where along it, in intervals.
typedef struct {
    double at;
    rvVec3 force, moment;
} rvSpaceForce;

typedef struct rvSpaceCurve {
    rvSpaceRun run;
    rvSpaceRest rest; // of the last search
    bool asked;       // there was one
    rvVec3 bulge;     // where it bends to at the start
    bool rigid;       // contacts are
    double regular;   // least compliance of a row, against those that say the same thing twice [1/kg]
    rvGrip* grips;
    int gripCount, gripRows;
    bool collides;
    rvSpacePeg* pegs;
    int pegCapacity;
    rvSpaceFace* faces;
    int faceCount;
    rvSpaceContact* touches;
    int touchCount, touchCapacity, pressing;
    rvSpaceRow* rows;
    double *gradients, *columns; // of the rows: g, H^-1 g
    double *values, *held;       // where they would be without forces; forces
    double* known;               // of the grips' rows: impulse on the body by the past [N s]
    double* block;               // of rows that hold, which they are, and what is wanted of them
    int* list;
    double (*targets)[2]; // rate, acceleration
    bool* stays;          // neither changes
    rvVec3* drift;        // of the nodes
    rvSpacePush* pushed;  // the forces, for a pass
    int* slots;
    int rowCount, rowCapacity, passes;
    bool again;
    const char* failure;
    // state, beside that of the run and of its contacts
    rvSpaceForce* forces;
    double forceCount;
    double fresh; // 1: forces have no past, and the next step is of implicit Euler
    rvGripState* states;
    rvSpacePast* pasts;
    rvPush pushes[RV_PUSHES];
    uint8_t* room; // of all of these
    size_t roomSize;
} rvSpaceCurve;

static inline rvSpaceCurve* rv_space_curve_of(const rvCable* cable)
{
    return cable->inner;
}

// ---- model_curve_space.c

// Makes a curve in its plane or in space; from then on cable->inSpace tells which.
rvStatus rv_curve_choose(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory,
                         rvError* error);

// ---- curve_space_lay.c: creation, start, state

// Does the definition ask for a curve in space?
bool rv_space_curve_is_meant(const rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies);
rvStatus rv_space_curve_create(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory,
                               rvError* error);
void rv_space_curve_release(rvCable* cable, rvMemory* memory);
void rv_space_curve_hang(rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, bool straight);
void rv_space_curve_follow(rvCable* cable, const rvBodyStore* bodies);
size_t rv_space_curve_state_size(const rvCable* cable);
void rv_space_curve_write_state(const rvCable* cable, uint8_t* bytes);
void rv_space_curve_read_state(rvCable* cable, const uint8_t* bytes);
// The force that the curve carries, along it, by the loads as they are; where its free ends are.
void rv_space_curve_publish(rvCable* cable);
// The forces as loads of a pass.
int rv_space_curve_pushes(rvSpaceCurve* curve);

// ---- curve_space_contact.c: touches

void rv_space_curve_collide(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h);
// Touches at frames1, and how far their points have come in this step.
void rv_space_curve_find_touches(rvCable* cable);
// Where the pegs are after the step, for the sides that are remembered.
void rv_space_curve_move_pegs(rvSpaceCurve* curve, const rvBodyStore* bodies, double h);
