// SPDX-License-Identifier: MIT
// What each joint type holds and leaves free, as one table of coordinates.
//
// A *coordinate* of a joint is a number that the poses of its two frames give: a gap, a turn, a length. Measured, it is
// a *line*: its value phi and the exact Jacobian of that value,
//   d phi/dt = linear . (v_B - v_A) + turnA . w_A + turnB . w_B.
// A type is a list of coordinates held at zero and a list of free axes; see the table in joint_layout.c.
#pragma once

#include "reeve/joint.h"

enum { RV_JOINT_MAX_HELD = 6, RV_JOINT_MAX_AXES = 2, RV_JOINT_MAX_DRAG = 3 };

typedef struct {
    double value; // phi
    rvVec3 linear, turnA, turnB;
} rvJointLine;

// Both frames of a joint, and the arms to them, at one instant.
typedef struct {
    rvPose a, b;                    // in the world
    rvVec3 armA, armB;              // from the centres of mass; zero for the world
    rvVec3 offset;                  // from a to b
    rvQuat turn;                    // of b, seen from a
    double last[RV_JOINT_MAX_AXES]; // the axes' last values: which of two equal answers is meant
} rvJointFrames;

typedef rvJointLine (*rvJointMeasure)(const rvJointFrames* frames, int component);

typedef struct {
    rvJointMeasure measure;
    int component;
    bool angular;     // [rad], else [m]
    bool turns;       // a full turn comes back to the same pose
    bool nonNegative; // a distance or an angle between: a lower limit of 0 or less says nothing
    bool turnsWithA;  // its linear part is fixed in A and not in space
    bool gap;         // a component of the offset in world axes: written three at a time, needs no orientation
} rvJointCoordinate;

typedef struct {
    const char* name;
    rvVec3 mainAxis; // what rvJointDef_Place lays along the axis it is given
    int heldCount, axisCount, dragCount;
    rvJointCoordinate held[RV_JOINT_MAX_HELD];
    rvJointCoordinate axes[RV_JOINT_MAX_AXES];
    rvJointCoordinate drag[RV_JOINT_MAX_DRAG]; // what axis 0's friction acts on, where that is not axis 0 itself
    bool noMotor;
    bool yields; // what is held is axis 0 itself, and gives way to a limit or motor on it
} rvJointLayout;

// NULL: no such type.
const rvJointLayout* rv_joint_layout(rvJointType type);
