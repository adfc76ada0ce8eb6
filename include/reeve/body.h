// SPDX-License-Identifier: MIT
// Rigid bodies.
#pragma once

#include "reeve/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    RV_BODY_STATIC = 0, ///< never moves
    RV_BODY_KINEMATIC,  ///< moves as told; nothing pushes it
    RV_BODY_DYNAMIC,    ///< moves by forces
    RV_BODY_PROXY,      ///< moved by a host engine, which reads back the wrench: see reeve/host.h
} rvBodyType;

typedef struct {
    rvBodyType type;        ///< default RV_BODY_DYNAMIC
    rvPose pose;            ///< of the body's frame in the world, within 1e9 m of the origin
    rvVec3 velocity;        ///< of the centre of mass [m/s], at most 1e6
    rvVec3 angularVelocity; ///< in world axes [rad/s], at most 1e7
    double mass;            ///< [kg], > 0 for a dynamic body; a proxy of unknown mass has 0; default 1
    rvVec3 centerOfMass;    ///< in the body's frame [m]
    rvMat3 inertia;         ///< about the centre of mass, body axes [kg m^2]; all zero: that of a ball of radius 0.5 m
    const char* name;       ///< for messages; copied; NULL: # and index1 of its id
    uint32_t cookie;
} rvBodyDef;

RV_API rvBodyDef rvDefaultBodyDef(void);

/// Inertia of a solid box of full sides [m], of a solid ball, of a solid cylinder along z.
RV_API rvMat3 rvBoxInertia(double mass, rvVec3 sides);
RV_API rvMat3 rvBallInertia(double mass, double radius);
RV_API rvMat3 rvCylinderInertia(double mass, double radius, double length);

RV_API rvStatus rvCreateBody(rvWorld* world, const rvBodyDef* def, rvBodyId* id);

/// Also destroys the shapes and joints on it. Refused (RV_BAD_INPUT) while a cable passes it.
RV_API rvStatus rvDestroyBody(rvWorld* world, rvBodyId id);
RV_API bool rvBody_IsValid(const rvWorld* world, rvBodyId id);

/// A null or stale id gives the identity and zeros.
RV_API rvPose rvBody_GetPose(const rvWorld* world, rvBodyId id);
RV_API rvVec3 rvBody_GetVelocity(const rvWorld* world, rvBodyId id); ///< of the centre of mass [m/s]
RV_API rvVec3 rvBody_GetAngularVelocity(const rvWorld* world, rvBodyId id);
RV_API rvVec3 rvBody_GetCenter(const rvWorld* world, rvBodyId id); ///< centre of mass in the world
RV_API rvVec3 rvBody_GetPoint(const rvWorld* world, rvBodyId id, rvVec3 local);
RV_API rvVec3 rvBody_GetPointVelocity(const rvWorld* world, rvBodyId id, rvVec3 local);
RV_API double rvBody_GetMass(const rvWorld* world, rvBodyId id);
RV_API rvBodyType rvBody_GetType(const rvWorld* world, rvBodyId id);
RV_API const char* rvBody_GetName(const rvWorld* world, rvBodyId id);

/// Another mass and inertia, as in rvBodyDef, about the same centre of mass, of a dynamic body or a proxy: a bucket
/// that is filled or emptied. It moves on as it did; what comes or goes has its speed, and is work in the books.
RV_API rvStatus rvBody_SetMass(rvWorld* world, rvBodyId id, double mass, rvMat3 inertia);
RV_API rvStatus rvBody_SetPose(rvWorld* world, rvBodyId id, rvPose pose);
RV_API rvStatus rvBody_SetVelocity(rvWorld* world, rvBodyId id, rvVec3 velocity, rvVec3 angularVelocity);

/// Kinematic and proxy bodies: be at `pose` at the end of the next step.
RV_API rvStatus rvBody_MoveTo(rvWorld* world, rvBodyId id, rvPose pose);

/// Forces for the next step only, in world axes. A step that fails keeps them, as all of the state.
RV_API rvStatus rvBody_ApplyForce(rvWorld* world, rvBodyId id, rvVec3 force, rvVec3 worldPoint);
RV_API rvStatus rvBody_ApplyTorque(rvWorld* world, rvBodyId id, rvVec3 torque);
/// Takes back what was applied to the body since the last step that succeeded.
RV_API rvStatus rvBody_ClearForces(rvWorld* world, rvBodyId id);

/// Force [N] and torque about the centre of mass [N m] that cables, joints and contacts gave in the last step (mean
/// over it). Of a proxy: what its host applies over its own step, without what joints and contacts among the host's
/// bodies do.
RV_API void rvBody_GetWrench(const rvWorld* world, rvBodyId id, rvVec3* force, rvVec3* torque);

#ifdef __cplusplus
}
#endif
