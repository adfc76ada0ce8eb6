// SPDX-License-Identifier: MIT
// Cables in the world of another engine, the host. Its bodies are proxies here (RV_BODY_PROXY). docs/hosts.md tells
// which of the three ways suits whom, who moves when, and why the second is stable.
//
//   (a) mass of the proxy 0: state in, forces out. The explicit law: steps must be short for stiff rope.
//   (b) mass known: the tension is solved against that mass; any step is stable. Each step:
//           rvWorld_SetProxies    where the host's bodies are and how fast
//           rvBody_ApplyForce     what else pushes them in the host, beside the gravity of both worlds
//           rvWorld_Step
//           rvBody_GetWrench      the host applies it at the centre of mass over its own step, then takes that step
//   (c) the host solves: rvWorld_BeginStep, the rows below, its own solver and its own move, rvWorld_EndStep.
//
// Joints and contacts of which no body is ours to move (dynamic) are the host's as well: give them here so that (b)
// knows how the host's bodies can move. They are not handed back.
#pragma once

#include "reeve/cable.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A body of the host as it is now.
typedef struct {
    rvBodyId body;          ///< a proxy
    rvPose pose;            ///< of the body's frame
    rvVec3 velocity;        ///< of the centre of mass [m/s]
    rvVec3 angularVelocity; ///< in world axes [rad/s]
} rvProxyState;

/// Where the host has moved its bodies in the last step. Between calls a proxy goes where it is expected: by its mass,
/// or on with its velocity. (rvBody_SetPose and rvBody_SetVelocity are for jumps: cables forget how fast they
/// stretched.) A refused list changes nothing.
RV_API rvStatus rvWorld_SetProxies(rvWorld* world, const rvProxyState* states, int count);

/// How the host moves its bodies: in `count` steps of its own, v' = v + h a, x' = x + h v', with the wrench held over
/// all of them, to one of ours of `dt` [s]. 0: its velocity is of the time of its pose, as of Verlet and Runge-Kutta.
/// Default 1. Before rvWorld_SetProxies, which then puts proxies half a step of the host ahead, and there they are
/// read: apply forces at points of rvBody_GetPose. Saved with the world. With rvWorld_BeginStep only 1.
RV_API rvStatus rvWorld_SetHostSteps(rvWorld* world, double dt, int count);

/// One condition on the velocities v' at the end of the step, with an impulse x:
///     J v' + C x = bias,   lower <= x <= upper,
/// J v' summed over the bodies of the row (rvWorld_GetRowBodies), C x over the rows of its group
/// (rvWorld_GetRowCompliance). At its lower bound J v' + C x >= bias suffices, at its upper one <=. The bodies get the
/// impulse J^T x. With s = the sum of x over the rows leanFirst .. leanFirst + leanCount - 1, plus leanExtraWeight *
/// x[leanExtra], the bounds are lower + leanLower * s and upper + leanUpper * s: rope friction leans on tension.
typedef struct {
    rvCableId cable; ///< whose it is; null: of light bodies between cables, or of the mass of rope that hangs on a body
    int first, count;            ///< rows of its group
    double bias;                 ///< [m/s]
    double compliance;           ///< the diagonal of C [m/(s N s)]
    double lower, upper;         ///< [N s], may be infinite
    double leanLower, leanUpper; ///< 0, 0: the bounds are constant
    int leanFirst, leanCount, leanExtra;
    double leanExtraWeight;
    double guess; ///< impulse of the step before
} rvHostRow;

/// A body of a row, with what it adds to J v': linear . velocity + angular . angularVelocity.
typedef struct {
    rvBodyId body;
    rvVec3 linear, angular;
} rvRowBody;

/// Writes the rows of a step of dt [s] and stops before the solve. End a step that you begin: what it did to the
/// commanded speeds of winches stays. All bodies that move must be prescribed or proxies,
/// and no sheave may have inertia. Cables pass each other where they cross. What creates, destroys, restores or steps
/// gives the begun step up.
RV_API rvStatus rvWorld_BeginStep(rvWorld* world, double dt);
RV_API int rvWorld_GetRowCount(const rvWorld* world); ///< 0 where no step was begun
/// False: there is no such row.
RV_API bool rvWorld_GetRow(const rvWorld* world, int row, rvHostRow* out);
/// Copies at most `capacity`, answers how many there are.
RV_API int rvWorld_GetRowBodies(const rvWorld* world, int row, rvRowBody* bodies, int capacity);
/// C between two rows; 0 for rows of two groups.
RV_API double rvWorld_GetRowCompliance(const rvWorld* world, int row, int other);
/// The impulses that the host found, for as many rows as there are, and where its bodies are after the step; those that
/// it does not name go where they are expected. Ends the step: tensions, winches, slip, events.
RV_API rvStatus rvWorld_EndStep(rvWorld* world, const double* impulses, int count, const rvProxyState* moved,
                                int movedCount);

#ifdef __cplusplus
}
#endif
