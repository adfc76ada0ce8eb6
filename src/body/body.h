// SPDX-License-Identifier: MIT
// Rigid bodies: state, mass, and what a step needs of them.
#pragma once

#include "base/error.h"
#include "base/id_pool.h"
#include "reeve/body.h"
#include "solve/solver.h"
#include "solve/stepping.h"

// Numbers beyond these are a failure, not physics.
#define RV_LARGEST_POSITION 1e9 // [m]
#define RV_LARGEST_SPEED 1e6    // [m/s]
#define RV_LARGEST_SPIN 1e7     // [rad/s]
#define RV_LARGEST_MASS 1e30    // [kg]: products of a few are numbers yet

// What changes in a run.
typedef struct {
    rvVec3 x; // centre of mass, world [m]
    rvQuat q;
    rvVec3 v, w;          // of the centre of mass; angular, world axes
    rvVec3 force, torque; // applied, for the next step
    rvPose target;        // where a prescribed body shall be after the next step (of the body's frame)
    double hasTarget;     // 1: yes, 0: no, -1: it was reached in the last step
    // of the guard of the energy, see world/guard.c
    double guardFresh;           // 1: its motion was set: what its joints take then is a shock, not the method's loss
    double guardGain, guardLoss; // its share of what the method made and lost [J]
    double guardScale;           // its largest kinetic energy of late [J]
    rvVec3 slowV, slowW;         // mean velocity of late
    double stiffEnergy;          // what the geometric stiffness holds of its turning [J], see stiffness.c
    double lentEnergy;           // what the inertia that it was lent has taken of it so far, and not given back [J]
} rvBodyState;

typedef struct {
    // set at creation
    rvBodyType type;
    char* name;
    rvVec3 center; // of mass, in the body's frame; places, joints and shapes count from it
    // set at creation and by rv_body_set_mass; with `state` what a run may change, see RV_BODY_SAVED
    double mass;
    rvVec3 principal;     // principal moments [kg m^2]
    rvQuat principalAxes; // principal frame in the body's frame
    rvBodyState state;
    // computed by latch
    rvVec3 lastV, lastW; // velocity of the last step
    rvVec3 appliedForce, appliedTorque;
    // computed by predict, from the pose at the start of the step
    double inertia[6];    // world axes: xx xy xz yy yz zz
    rvVec3 ahead;         // momentum that addedInertia has beyond that of the body's own turning [N m s]
    rvVec3 lentAhead;     // the same of lentInertia
    double lentInertia;   // about all axes, so that the step can follow its turning, see stiffness.c
    double portPull;      // arms of ports times the largest of their last forces [N m]
    bool pulled, usedAny; // something was added to stiffness, drag or portPull since they were cleared, and before that
    bool stiffened;       // addedInertia is not zero
    bool ported;          // nor is portStiffness
    bool pressed;         // some force pushes towards the centre: the sum may have a negative part
    // rope that hangs on it, summed by the cables before predict
    double ropeMass, ropeInertia[6]; // moves with it [kg], about its centre of mass [kg m^2]
    rvVec3 ropeForce, ropeTorque;    // its weight and what else does not depend on the solution
    // computed by advance
    rvVec3 wrenchForce, wrenchTorque;
    // geometric stiffness, see stiffness.c; a body that nothing pulls at an arm has none, and a step leaves it alone
    double stiffness[6];     // against rotation [N m/rad], summed by the makers of rows
    double usedStiffness[6]; // that of the last pass
    double portStiffness[6]; // of that, by ports of cables whose arms follow the passes
    rvVec3 passSpin;         // its turning by the pass before, where there are such [rad/s]
    double addedInertia[6];  // c h^2/4 of its positive part, which this step turns with the body
    double drag[6];          // ties the turning to that of neighbours and spans [N m/rad]
    rvVec3 dragPull;         // drag times how much faster they turn [N m/s]
    // set by rvWorld_SetProxies, for the length of that call
    bool moved;
    rvVec3 expectedV, expectedW; // the velocity that the step left it with
} rvBody;

typedef struct {
    rvBody* items;
    int capacity;
    rvIdPool pool;
    // handed to the solver, by the same index
    double (*inverse)[7];
    double (*velocity)[6];
    double (*freeVelocity)[6];
    int inverseCapacity, velocityCapacity, freeVelocityCapacity;
    int wheelCount; // spins of wheels, counted after the bodies in these arrays
} rvBodyStore;

// Bytes of a body from its mass to the end of its state, all numbers: they are saved and restored.
#define RV_BODY_SAVED (offsetof(rvBody, state) + sizeof(rvBodyState) - offsetof(rvBody, mass))

rvStatus rv_body_create(rvBodyStore* store, rvMemory* memory, rvError* error, const rvBodyDef* def, int* index);
// Mass and inertia as of a definition; it moves on as it did. A refused one changes nothing.
rvStatus rv_body_set_mass(rvBody* body, rvError* error, double mass, rvMat3 inertia);
void rv_body_destroy(rvBodyStore* store, rvMemory* memory, int index);
void rv_bodies_release(rvBodyStore* store, rvMemory* memory);

// Room for so many wheels' spins in the solver's arrays; between steps only.
bool rv_bodies_reserve_wheels(rvBodyStore* store, rvMemory* memory, int count);
// Six numbers of a symmetric inverse mass: three velocities of something, in the place of a body's spin.
void rv_bodies_set_point(rvBodyStore* store, int index, const double inverse[6], rvVec3 velocity);
// A wheel as a body of the solver that can only spin about its axis.
void rv_bodies_set_spin(rvBodyStore* store, int index, rvVec3 axis, double inertia, double spin);

static inline bool rv_body_alive(const rvBodyStore* store, int index)
{
    return rv_id_pool_alive(&store->pool, index);
}

// Does anything push it: dynamic, or a proxy of known mass. Index -1 is the world, which nothing pushes.
static inline bool rv_body_is_pushed(const rvBody* body)
{
    return body->type == RV_BODY_DYNAMIC || (body->type == RV_BODY_PROXY && body->mass > 0.0);
}

// Does it need a slot in a row group: it is pushed or prescribed.
static inline bool rv_body_moves(const rvBody* body)
{
    return body->type != RV_BODY_STATIC;
}

// The pose of the body's frame (not of the centre of mass).
static inline rvPose rv_body_pose(const rvBody* body)
{
    rvPose pose = {rvSub(body->state.x, rvRotate(body->state.q, body->center)), body->state.q};
    return pose;
}

// Arm from the centre of mass to a point given in the body's frame, world axes.
static inline rvVec3 rv_body_arm(const rvBody* body, rvVec3 local)
{
    return rvRotate(body->state.q, rvSub(local, body->center));
}

// Adds the geometric stiffness of a force F that a constraint gives at arm r; see stiffness.c.
void rv_body_add_stiffness(rvBody* body, rvVec3 arm, rvVec3 force);
// The same of a port of a cable, in a pass after the first: the one before found this turning [rad/s].
void rv_body_add_port_stiffness(rvBody* body, rvVec3 arm, rvVec3 force, rvVec3 spin);
// Inertia for this step of a body that ports turn faster than the step can follow; see stiffness.c.
void rv_body_lend_inertia(rvBody* body, const rvStepContext* context);
// What that and the stiffness of ports, where passes did not settle, gave its turning in a step that ends with w [J].
double rv_body_lent_work(const rvBody* body, const rvStepContext* context, rvVec3 w);
void rv_body_keep_lent(rvBody* body, rvVec3 w); // what it took and gave in the step

// What stiffness and drag of this step took of its turning, which ends with w, and what of that drag took [J].
double rv_body_turning_loss(const rvBody* body, double h, rvVec3 w, double* byDrag);

// Ties the turning of a light body to that of a span that pulls at this arm [rad/s]; see stiffness.c.
void rv_body_add_span_drag(rvBody* body, rvVec3 arm, double tension, rvVec3 turning, double h);
// Stops a light body that tumbles by radians a step at a port that pulls so at this arm.
void rv_body_add_tumble_drag(rvBody* body, rvVec3 arm, double pull, double h);

// Rope of this mass that moves with the body at this arm, and what it pulls with there.
void rv_bodies_clear_rope(rvBodyStore* store);
void rv_body_add_rope(rvBody* body, rvVec3 arm, double mass, rvVec3 force);
// The same as rows instead, for a host that knows only its own masses; takes it off the bodies. With F and m of the
// rope
//   v' + x/m = v + h F/m   gives the impulse   x = h F - m (v' - v),   turning alike about the axes of its inertia.
void rv_bodies_write_rope(rvBodyStore* store, const rvStepContext* context, rvRows* rows);
void rv_bodies_rope_capacity(const rvBodyStore* store, int* rowCount, int* groupCount, int* slotCount, int* entryCount);

// The steps of a step; see src/world/step.c for the order.
void rv_bodies_latch(rvBodyStore* store, const rvStepContext* context); // prescribed velocities
void rv_bodies_clear_stiffness(rvBodyStore* store);                     // keeps the last one in usedStiffness
bool rv_bodies_stiffness_changed(const rvBodyStore* store, const rvStepContext* context);
void rv_bodies_predict(rvBodyStore* store, const rvStepContext* context); // inverse masses, free velocities
// Poses, by the solved velocities; answers the largest spin of a pushed body [rad/s].
double rv_bodies_advance(rvBodyStore* store, const rvStepContext* context);
// Is it a joint or contact among a host's bodies, which the host has too: we use it to know how they can move, no more.
bool rv_bodies_group_is_hosts(const rvBodyStore* store, const rvRows* rows, int group);
void rv_bodies_collect_wrench(rvBodyStore* store, const rvStepContext* context, const rvRows* rows);
rvSolveBodies rv_bodies_for_solver(rvBodyStore* store);
