// SPDX-License-Identifier: MIT
// Where a body holds a cable that has mass: the same for every model that is condensed to such points.
//
// A body gets the forces l on the cable through the filter of force_filter.h, with cM = 27/(8 h^2). What is known
// of its impulse is a load on the body; the rest is the impulse of rows. A grip that is let go keeps its history until
// it has run out: so no momentum is lost.
#pragma once

#include "cable/core/cable.h"

typedef struct {
    int place, node;         // node: of finite elements
    double at;               // rest length before it [m]
    int body;                // -1: the world
    bool clamped;            // the direction too
    bool pushed;             // a port
    bool off;                // it has let go: the cable is broken, or its end is free
    int row;                 // its first row, -1: none
    rvVec3 local, direction; // of the grip from the centre of mass, and of the cable there, in body axes
    rvVec3 spin;             // of the body before this step, and as it is expected after it [rad/s]
    rvVec3 expected;
    rvVec3 arm, turned; // grip and direction as they are expected after the step, world
    double kick
        [6]; // of a body that is led and starts at once: impulse on the cable at the start of the step, and its moment
    double pull;     // of a port: what the inertia goes by that its body is lent [N]
    double force[6]; // of a port: on the cable by the last solve; force, and moment about the body's centre of mass
} rvGrip;

// What of a grip changes in a run beside the cable's own state; saved and restored as bytes.
typedef struct {
    double past[3][6]; // force and moment on the cable at the end of the last step, and of the two before
    rvVec3 spin;       // of a curve's body, in the step before the last [rad/s]
    // of a body that is led, by elements: rates of position and slope in the last step, and how they differed from
    // those before
    double rate[6], change[6];
} rvGripState;

// Of an attached place.
rvGrip rv_grip_of(const rvPlace* place, int index, const rvBodyStore* bodies);
bool rv_grip_is_pushed(const rvPlace* place, const rvBodyStore* bodies); // by a body that moves by forces now
// Where it will be: its body turns on as it did, as far as its stiffness lets it; `again`: as the pass before found it.
// (Rows hold the arm to first order: at h w of a radian from what was expected a stiff rope would be stretched by the
// rest, and no pass over its inside alone would see that.)
void rv_grip_expect(rvGrip* grip, const rvGripState* state, const rvBodyStore* bodies, double h, bool again);
// The same of a port of elements, in the first pass as its body turns now: what its rows leave out of the way of the
// arm is in the body's stiffness, about the same turning.
void rv_grip_expect_port(rvGrip* grip, const rvBodyStore* bodies, double h);
// As a body lies after a step in which it turns with w.
rvQuat rv_grip_turned(const rvBody* body, rvVec3 w, double h);
// What the rows of a pass left out of the turning of its arm [m], or of its direction.
rvVec3 rv_grip_gap(const rvGrip* grip, const rvBodyStore* bodies, double h, bool direction);
// The strain energy of what the rows of a pass left out of the turning of its arm: half the square of the gap by the
// stiffness there, cM/C. block: C of all size rows, cM: the factor in it.
double rv_grip_left_out(const rvGrip* grip, const rvBodyStore* bodies, double h, const double* block, int size,
                        double cM);
// Where a body that is not pushed, or the world, holds position and slope at the end of a step of h, and how fast.
void rv_grip_aim(const rvGrip* grip, const rvBodyStore* bodies, double h, double b[6], double rate[6], double accel[6]);
// What position and slope of a held node get, as a force and its moment about the body's centre of mass.
void rv_grip_wrench(const rvGrip* grip, const rvBodyStore* bodies, const double f[6], double wrench[6]);
// What the past forces on the cable, 3 x 6 numbers, still give a body; `pushed`: else it is the wrench that is read.
void rv_grip_add_load(rvBody* body, const double* past, bool pushed);
// Its rows of a group, three and three more where it is clamped: G v' + C y = (P (p + d) - x - r + h w x r)/h with r
// the arm as it is expected after the step with the expected turning w, G = [1, -[r]x]; for the direction the same
// without x and the
// 1. places: P (p + d), by rows; slot: its body's.
void rv_grip_write_rows(const rvGrip* grip, const rvBodyStore* bodies, const double* places, double h, rvRows* rows,
                        int group, int slot);
// The forces on the cable, by rows, as a wrench about the body's centre of mass; answers the size of the force.
double rv_grip_take_force(rvGrip* grip, const double* forces);
// Of a port, after its body has moved: the forces of the last solve are its past now, about the arm that the body has.
// (About the one that the rows expected a body that its ropes hold firmly swings up where h w is 0.9 and more.)
void rv_grip_keep_force(const rvGrip* grip, rvGripState* state, const rvBodyStore* bodies, const double* forces);
// The mean of its past forces on the cable that belongs to the elements' step, (1 - gam) l~n + gam l~n+1, l~ = (2 l + l
// before)/3.
void rv_grip_mean_force(const rvGripState* state, double mean[6]);
// The largest pull that bodies of ports feel in a step, before its force is one of the past [N].
double rv_grips_pull(const rvGrip* grips, const rvGripState* states, int count);
// The mean of a body's velocity before and after the solve: its way from one middle of a step to the next, a second.
void rv_grip_mean_velocity(const rvBodyStore* bodies, int body, double mean[6]);
// What a body gives by the mean of four forces on the cable and their moments; now: of this step, may be NULL.
double rv_grip_body_work(const double mean[6], const double* now, const double past[3][6], double h);
// What a cable does to a body by all its grips, at the end of the last step.
void rv_grips_force_on(const rvGrip* grips, const rvGripState* states, int count, int body, rvVec3* force,
                       rvVec3* torque);
// The geometric stiffness of the body there, by the last force.
void rv_grip_add_stiffness(const rvGrip* grip, const rvGripState* state, rvBodyStore* bodies);
// The same in a pass after the first, as Newton's rule has it: about where the one before found the arm, and of so much
// of its force as is in the rows, 1/(cM h^2). (With all of it passes go too short a way, with less they swing.) passes:
// that were made.
void rv_grip_add_pass_stiffness(const rvGrip* grip, rvBodyStore* bodies, double h, double cM, int passes);

// The stiffness of a port of elements by Newton's rule in all passes, in the first about the turning that the body has:
// so one pass turns it as many would, as a point of the cable. And what it pulls at its arm with: by that a light body
// is lent inertia, and dragged where it tumbles, see body/stiffness.c.
void rv_grip_add_hold(rvGrip* grip, const rvGripState* state, rvBodyStore* bodies, double h, double cM, int passes);

// Rest length of a cable before a place [m].
double rv_cable_rest_before(const rvCable* cable, int place);
// What nothing holds falls: no search for rest ends there.
bool rv_cable_can_rest(const rvCable* cable, rvVec3 gravity);

// What bodies that were touched have still to get, as at a grip; one entry a body. Saved and restored as bytes.
enum { RV_PUSHES = 16 };
typedef struct {
    double body; // index + 1; 0: no entry
    double past[3][6];
} rvPush;

// A step goes by: the past moves on, entries that have run out are freed.
void rv_pushes_shift(rvPush* pushes);
// Adds a force and its moment about the centre of mass, of the step that ends.
void rv_pushes_add(rvPush* pushes, int body, rvVec3 force, rvVec3 moment);
void rv_pushes_add_loads(const rvPush* pushes, rvBodyStore* bodies);
// What these bodies give in a step by what they still get.
double rv_pushes_work(const rvPush* pushes, const rvBodyStore* bodies, double h);
