// SPDX-License-Identifier: MIT
// Joints: stores, rows, read-out. See reeve/joint.h for what each type holds.
#pragma once

#include "body/body.h"
#include "reeve/joint.h"

enum { RV_JOINT_MAX_ROWS = 12 }; // held rows, limits, motors and friction together

// What changes in a run; saved and restored as bytes.
typedef struct {
    double impulse[RV_JOINT_MAX_ROWS]; // of the last step, by row role (see joint_rows.c)
    double mode[RV_JOINT_MAX_ROWS];    // row modes of the last step, by row role
    rvVec3 push, pushWithA;            // impulse of the translations on B: fixed in space, turning with A
    double value[2];                   // of the axes, turns counted; kept for axes that need it, see rv_joint_value
    double length;                     // that a distance joint holds [m]
    rvJointAxis axes[2];               // limits and motors as commanded
    double atLimit[2];                 // -1, 0, 1: for the event
    double work;                       // of the motors so far [J]
    double taken;                      // by friction, limits and what yields so far, stored or turned into heat [J]
    double held;                       // rows that let nothing move, in the last step
} rvJointState;

typedef struct {
    // set at creation
    rvJointType type;
    char* name;
    int bodyA, bodyB;      // indices, -1: the world
    rvPose frameA, frameB; // relative to the centre of mass (in the world where there is no body)
    double compliance, angularCompliance, damping;
    bool collide;
    rvJointState state;
    // computed by rows, for the read-back
    int group; // -1: none
    // computed by publish
    double wasAtLimit[2]; // state.atLimit of the step before
} rvJoint;

typedef struct {
    rvJoint* items;
    int capacity;
    rvIdPool pool;
    uint64_t* apart; // pairs of bodies that shall not collide, sorted; as often as joints say so
    int apartCount, apartCapacity;
    bool limitReached; // computed by publish: some joint has come to a limit in this step
} rvJointStore;

// bodyA and bodyB are indices, checked by the caller; -1: the world.
rvStatus rv_joint_create(rvJointStore* store, const rvBodyStore* bodies, rvMemory* memory, rvError* error,
                         const rvJointDef* def, int bodyA, int bodyB, int* index);

// The frames of `def` for bodies at these poses, from a point and an axis in the world. False: the axis has no length.
bool rv_joint_def_place(rvJointDef* def, rvPose poseA, rvPose poseB, rvVec3 point, rvVec3 axis);

// New limits, motor or friction of an axis. A distance joint that stops yielding holds the length it then has.
rvStatus rv_joint_set_axis(rvJoint* joint, const rvBodyStore* bodies, rvError* error, int axis,
                           const rvJointAxis* command);

void rv_joint_destroy(rvJointStore* store, rvMemory* memory, int index);
void rv_joints_release(rvJointStore* store, rvMemory* memory);

// Do joints keep these two bodies from colliding with each other.
bool rv_joints_forbid_contact(const rvJointStore* store, int bodyA, int bodyB);

// Rows, slots and entries that a joint can need at most: for rv_rows_reserve.
void rv_joints_capacity(const rvJointStore* store, int* rowCount, int* groupCount, int* slotCount, int* entryCount);

// The steps of a step.
void rv_joints_add_stiffness(const rvJointStore* store, rvBodyStore* bodies, const rvStepContext* context);
void rv_joints_write_rows(rvJointStore* store, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows);
// Impulses and modes, for the next pass and step. Answers whether a joint's force changed by more than half of
// RV_PASS_TOLERANCE: only then can another pass be worth it.
bool rv_joints_read_rows(rvJointStore* store, const rvRows* rows);
void rv_joints_publish(rvJointStore* store, const rvBodyStore* bodies, const rvStepContext* context); // values, work

// Has the axis come to a limit in this step?
bool rv_joint_reached_limit(const rvJoint* joint, int axis);

// What row `row` of its group did to the bodies in the step [J]: into the joint's books.
void rv_joint_count_work(rvJoint* joint, int row, double work);
// Does it hold more than in the step before? Remembers `held` rows.
bool rv_joint_was_shut(rvJoint* joint, int held);

// How far the turning of its bodies can take its ends apart in a step, and the longer of its arms [m]; see
// world/close.c.
void rv_joint_opening(const rvJoint* joint, const rvBodyStore* bodies, double h, double* opened, double* arm);
// Rows over ways instead of velocities: they close this share of the gap and leave all else that the joint holds.
void rv_joint_write_closing(const rvJoint* joint, const rvBodyStore* bodies, double share, rvRows* rows);

// Read-out. Axes that the joint does not have give 0.
double rv_joint_value(const rvJoint* joint, const rvBodyStore* bodies, int axis); // by the poses now, turns counted
double rv_joint_speed(const rvJoint* joint, const rvBodyStore* bodies, int axis);
double rv_joint_elastic_energy(const rvJoint* joint, const rvBodyStore* bodies, double h); // at the middle of a step
double rv_joint_motor_impulse(const rvJoint* joint, int axis);
void rv_joint_impulse_on_b(const rvJoint* joint, const rvBodyStore* bodies, rvVec3* linear, rvVec3* angular);
void rv_joint_error(const rvJoint* joint, const rvBodyStore* bodies, double* translation, double* rotation);
