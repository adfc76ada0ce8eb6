// SPDX-License-Identifier: MIT
// Joints between two bodies, or a body and the world.
//
// A joint holds a frame of body A and a frame of body B together. What stays free is counted in *axes*:
//
//   type         rows  axis 0                      axis 1
//   fixed         6    -                           -
//   ball          3    swing: angle between the z axes (limit only)
//   hinge         5    angle about z [rad]
//   slider        5    position along z [m]
//   cylindrical   4    position along z [m]        angle about z [rad]
//   universal     4    angle about A's x [rad]     angle about B's y [rad]
//   distance      1    length between the origins [m]
#pragma once

#include "reeve/body.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    RV_JOINT_FIXED = 0,
    RV_JOINT_BALL,
    RV_JOINT_HINGE,
    RV_JOINT_SLIDER,
    RV_JOINT_CYLINDRICAL,
    RV_JOINT_UNIVERSAL,
    RV_JOINT_DISTANCE,
} rvJointType;

typedef enum {
    RV_MOTOR_OFF = 0,
    RV_MOTOR_SPEED,    ///< target [m/s or rad/s]
    RV_MOTOR_POSITION, ///< target [m or rad], approached at most at `maxSpeed`
} rvMotorMode;

/// One free direction of a joint.
typedef struct {
    bool limited;      ///< keep the value within lower..upper
    double lower;      ///< [m or rad]
    double upper;      ///< [m or rad]
    rvMotorMode motor; ///< default off
    double target;     ///< see rvMotorMode
    double maxSpeed;   ///< of a position motor [m/s or rad/s], > 0, default infinite
    double maxForce;   ///< of the motor [N or N m], >= 0, default infinite
    double friction;   ///< dry friction [N or N m], >= 0, default 0. On a ball: on all three turns
} rvJointAxis;

typedef struct {
    rvJointType type;
    rvBodyId bodyA, bodyB;    ///< null: the world
    rvPose frameA, frameB;    ///< joint frame in each body's frame (in the world where the body is null)
    double compliance;        ///< of the held translations [m/N], >= 0, default 0: as stiff as the numbers allow
    double angularCompliance; ///< of the held rotations [rad/(N m)], >= 0, default 0
    double damping;           ///< damping time [s]; negative: the world's relaxation; default -1
    double length;            ///< distance joint: [m]; negative: as created; default -1
    rvJointAxis axes[2];
    bool collide;     ///< do the two bodies still collide with each other; default false
    const char* name; ///< for messages; copied; NULL: # and index1 of its id
    uint32_t cookie;
} rvJointDef;

RV_API rvJointDef rvDefaultJointDef(rvJointType type);

/// Sets bodies and frames of `def` from a point and an axis (z of the joint; for a universal joint the x axis) in the
/// world, with the bodies where they are now.
RV_API rvStatus rvJointDef_Place(rvWorld* world, rvJointDef* def, rvBodyId a, rvBodyId b, rvVec3 point, rvVec3 axis);

RV_API rvStatus rvCreateJoint(rvWorld* world, const rvJointDef* def, rvJointId* id);
RV_API rvStatus rvDestroyJoint(rvWorld* world, rvJointId id);
RV_API bool rvJoint_IsValid(const rvWorld* world, rvJointId id);

RV_API rvStatus rvJoint_SetMotor(rvWorld* world, rvJointId id, int axis, rvMotorMode mode, double target,
                                 double maxForce);
RV_API rvStatus rvJoint_SetLimits(rvWorld* world, rvJointId id, int axis, bool limited, double lower, double upper);

RV_API double rvJoint_GetValue(const rvWorld* world, rvJointId id, int axis);      ///< [m or rad], turns are counted
RV_API double rvJoint_GetSpeed(const rvWorld* world, rvJointId id, int axis);      ///< [m/s or rad/s]
RV_API double rvJoint_GetMotorForce(const rvWorld* world, rvJointId id, int axis); ///< last step [N or N m]

/// Force and torque that the joint gave body B in the last step, world axes, torque about the joint's point on B.
RV_API void rvJoint_GetForce(const rvWorld* world, rvJointId id, rvVec3* force, rvVec3* torque);

/// Largest error of the held directions now: translation [m] and rotation [rad].
RV_API void rvJoint_GetError(const rvWorld* world, rvJointId id, double* translation, double* rotation);
RV_API const char* rvJoint_GetName(const rvWorld* world, rvJointId id);

#ifdef __cplusplus
}
#endif
