// SPDX-License-Identifier: MIT
// Reeve's cables in a world of ODE, the Open Dynamics Engine. Copy this file into your program; docs/hosts.md says why.
//
//   rvOde link;
//   rvOde_Open(&link, host);                              a world of Reeve beside yours, of the same gravity
//   rvOde_Add(&link, body, driven, &id);                  each body that a cable passes; id: for rvAttachPlace...
//   rvCreateCable(link.world, ...);
//   for (;;) { rvOde_Pull(&link, h); dWorldStep(host, h); }
//   or, with link.steps = N before: rvOde_Pull(&link, h); then N times dWorldStep(host, h / N), and rvOde_Hold(&link)
//   before each but the first: ODE forgets forces after each of its steps, and the pull is that of all N
//   rvOde_Jump(&link, body);                              after you have put a body elsewhere
//   rvOde_Remove(&link, body);                            before dBodyDestroy, once no cable passes it
//   rvOde_Close(&link);
//
// `driven`: joints or motors of yours hold or drive the body, so that its mass says little of how it moves: its cable
// is solved as if it went on at its speed. All others are known with their mass, so that steel rope is stable at any
// step. rvOde_Pull comes after your own dBodyAddForce of the step: Reeve then counts with those forces. Masses and
// gravity that you change while it runs are followed.
#pragma once

#include "reeve/reeve.h"

#include <ode/ode.h>

#ifndef RV_ODE_MOST
#define RV_ODE_MOST 64 // bodies
#endif

typedef struct {
    rvWorld* world;
    dWorldID host;
    dBodyID bodies[RV_ODE_MOST];
    rvProxyState states[RV_ODE_MOST];
    bool driven[RV_ODE_MOST];
    int count;
    int steps; // of yours to one of Reeve's; rvOde_Open: 1
} rvOde;

static inline rvVec3 rvOde_Vec(const dReal* v)
{
    return rvVec(v[0], v[1], v[2]);
}

static inline rvMat3 rvOde_Inertia(const dMass* mass)
{
    rvMat3 inertia;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            inertia.m[i][j] = mass->I[4 * i + j];
    return inertia;
}

static inline void rvOde_Read(dBodyID body, rvProxyState* state)
{
    const dReal* q = dBodyGetQuaternion(body);
    rvQuat turn = {q[0], q[1], q[2], q[3]};
    state->pose.p = rvOde_Vec(dBodyGetPosition(body)); // in ODE always the centre of mass
    state->pose.q = turn;
    state->velocity = rvOde_Vec(dBodyGetLinearVel(body));
    state->angularVelocity = rvOde_Vec(dBodyGetAngularVel(body));
}

static inline rvStatus rvOde_Open(rvOde* link, dWorldID host)
{
    dVector3 gravity;
    dWorldGetGravity(host, gravity);
    rvWorldDef def = rvDefaultWorldDef();
    def.gravity = rvOde_Vec(gravity);
    link->host = host;
    link->count = 0;
    link->steps = 1;
    return rvCreateWorld(&def, &link->world, NULL, 0);
}

static inline void rvOde_Close(rvOde* link)
{
    rvDestroyWorld(link->world);
    link->world = NULL;
}

static inline rvStatus rvOde_Add(rvOde* link, dBodyID body, bool driven, rvBodyId* id)
{
    if (link->count == RV_ODE_MOST)
        return RV_NO_MEMORY;
    dMass mass;
    dBodyGetMass(body, &mass);
    rvProxyState* state = &link->states[link->count];
    rvOde_Read(body, state);
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_PROXY;
    def.pose = state->pose;
    def.velocity = state->velocity;
    def.angularVelocity = state->angularVelocity;
    def.mass = driven || dBodyIsKinematic(body) ? 0.0 : mass.mass;
    def.inertia = rvOde_Inertia(&mass);
    rvStatus status = rvCreateBody(link->world, &def, &state->body);
    if (status == RV_OK) {
        *id = state->body;
        link->driven[link->count] = driven;
        link->bodies[link->count++] = body;
    }
    return status;
}

static inline int rvOde_Find(const rvOde* link, dBodyID body)
{
    int i = link->count - 1;
    while (i >= 0 && link->bodies[i] != body)
        --i;
    return i; // -1: it was not added
}

// Refused while a cable passes it.
static inline rvStatus rvOde_Remove(rvOde* link, dBodyID body)
{
    int i = rvOde_Find(link, body);
    rvStatus status = i < 0 ? RV_BAD_INPUT : rvDestroyBody(link->world, link->states[i].body);
    if (status == RV_OK) {
        link->count -= 1;
        link->bodies[i] = link->bodies[link->count];
        link->states[i] = link->states[link->count];
        link->driven[i] = link->driven[link->count];
    }
    return status;
}

// You have put the body where it is, or changed its velocity: that is no motion, and its cables forget how fast they
// stretched.
static inline rvStatus rvOde_Jump(rvOde* link, dBodyID body)
{
    int i = rvOde_Find(link, body);
    if (i < 0)
        return RV_BAD_INPUT;
    rvProxyState* state = &link->states[i];
    rvOde_Read(body, state);
    rvStatus status = rvBody_SetPose(link->world, state->body, state->pose);
    if (status == RV_OK)
        status = rvBody_SetVelocity(link->world, state->body, state->velocity, state->angularVelocity);
    return status;
}

// What changed since the last step: a body's mass, and whether it is kinematic now.
static inline rvStatus rvOde_Weigh(rvOde* link, int i)
{
    dMass mass;
    dBodyGetMass(link->bodies[i], &mass);
    double now = link->driven[i] || dBodyIsKinematic(link->bodies[i]) ? 0.0 : mass.mass;
    if (now == rvBody_GetMass(link->world, link->states[i].body))
        return RV_OK;
    return rvBody_SetMass(link->world, link->states[i].body, now, rvOde_Inertia(&mass));
}

// Pulls on your bodies once more as in the last rvOde_Pull: for your next step within the same one of Reeve's.
static inline void rvOde_Hold(rvOde* link)
{
    for (int i = 0; i < link->count; ++i) {
        rvVec3 force, torque;
        rvBody_GetWrench(link->world, link->states[i].body, &force, &torque);
        dBodyEnable(link->bodies[i]); // a body at rest on a rope is not asleep
        dBodyAddForce(link->bodies[i], force.x, force.y, force.z);
        dBodyAddTorque(link->bodies[i], torque.x, torque.y, torque.z);
    }
}

// Takes Reeve's step of h from where your bodies are, and pulls on them for your own step, or the first of several.
static inline rvStatus rvOde_Pull(rvOde* link, double h)
{
    dVector3 pull;
    dWorldGetGravity(link->host, pull);
    rvVec3 gravity = rvOde_Vec(pull), force;
    rvStatus status = rvWorld_SetGravity(link->world, gravity);
    for (int i = 0; status == RV_OK && i < link->count; ++i) {
        rvOde_Read(link->bodies[i], &link->states[i]);
        status = rvOde_Weigh(link, i);
    }
    if (status == RV_OK)
        status = rvWorld_SetHostSteps(link->world, h, link->steps);
    if (status == RV_OK)
        status = rvWorld_SetProxies(link->world, link->states, link->count);
    for (int i = 0; status == RV_OK && i < link->count; ++i) {
        rvBodyId id = link->states[i].body;
        force = rvOde_Vec(dBodyGetForce(link->bodies[i])); // what you have added so far
        if (!dBodyGetGravityMode(link->bodies[i]))
            force = rvMulAdd(force, -rvBody_GetMass(link->world, id), gravity);
        status = rvBody_ApplyForce(link->world, id, force, rvBody_GetPose(link->world, id).p);
        if (status == RV_OK)
            status = rvBody_ApplyTorque(link->world, id, rvOde_Vec(dBodyGetTorque(link->bodies[i])));
    }
    if (status == RV_OK)
        status = rvWorld_Step(link->world, h);
    if (status == RV_OK)
        rvOde_Hold(link);
    return status;
}
