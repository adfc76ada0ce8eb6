// SPDX-License-Identifier: MIT
// Reeve's cables in a model of MuJoCo. Copy this file into your program; docs/hosts.md says why.
//
//   rvMujoco link;
//   rvMujoco_Open(&link, model, data);                    a world of Reeve beside yours, of the same gravity
//   rvMujoco_Add(&link, "hook", driven, &id);             each body that a cable passes; id: for rvAttachPlace...
//   rvCreateCable(link.world, ...);
//   for (;;) rvMujoco_Step(&link);                        instead of mj_step, or of link.steps of them
//   rvMujoco_Jump(&link);                                 after mj_resetData, or what else puts bodies elsewhere
//   rvMujoco_Remove(&link, "hook");                       once no cable passes it: Reeve pushes it no more
//   rvMujoco_Close(&link);
//
// `driven`: joints or motors of yours hold or drive the body, so that its mass says little of how it moves: its cable
// is solved as if it went on at its speed. All others are known with their mass, so that steel rope is stable at any
// step. The rows of xfrc_applied of these bodies are written here; use qfrc_applied and actuators for your own forces.
// Keep the integrators Euler or implicit: Runge-Kutta evaluates between steps, where the pull is not known. Masses and
// gravity of the model that you change while it runs are followed.
#pragma once

#include "reeve/reeve.h"

#include <mujoco/mujoco.h>

#ifndef RV_MUJOCO_MOST
#define RV_MUJOCO_MOST 64 // bodies
#endif

typedef struct {
    rvWorld* world;
    mjModel* model;
    mjData* data;
    int bodies[RV_MUJOCO_MOST];
    rvProxyState states[RV_MUJOCO_MOST];
    bool driven[RV_MUJOCO_MOST];
    int count;
    int steps; // of MuJoCo to one of Reeve's; rvMujoco_Open: 1
} rvMujoco;

static inline rvVec3 rvMujoco_Vec(const mjtNum* v)
{
    return rvVec(v[0], v[1], v[2]);
}

static inline rvMat3 rvMujoco_Inertia(const mjModel* model, int body)
{
    rvMat3 inertia;
    mjtNum axes[9]; // its own, in the body's frame
    mju_quat2Mat(axes, model->body_iquat + 4 * body);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            inertia.m[i][j] = 0.0;
            for (int k = 0; k < 3; ++k)
                inertia.m[i][j] += axes[3 * i + k] * model->body_inertia[3 * body + k] * axes[3 * j + k];
        }
    return inertia;
}

static inline void rvMujoco_Read(const rvMujoco* link, int body, rvProxyState* state)
{
    const mjtNum* q = link->data->xquat + 4 * body;
    rvQuat turn = {q[0], q[1], q[2], q[3]};
    mjtNum velocity[6]; // turning, then moving, of the centre of mass
    mj_objectVelocity(link->model, link->data, mjOBJ_BODY, body, velocity, 0);
    state->pose.p = rvMujoco_Vec(link->data->xpos + 3 * body);
    state->pose.q = turn;
    state->velocity = rvMujoco_Vec(velocity + 3);
    state->angularVelocity = rvMujoco_Vec(velocity);
}

static inline rvStatus rvMujoco_Open(rvMujoco* link, mjModel* model, mjData* data)
{
    rvWorldDef def = rvDefaultWorldDef();
    def.gravity = rvMujoco_Vec(model->opt.gravity);
    link->model = model;
    link->data = data;
    link->count = 0;
    link->steps = 1;
    mj_forward(model, data); // so that poses are there
    return rvCreateWorld(&def, &link->world, NULL, 0);
}

static inline void rvMujoco_Close(rvMujoco* link)
{
    rvDestroyWorld(link->world);
    link->world = NULL;
}

static inline rvStatus rvMujoco_Add(rvMujoco* link, const char* name, bool driven, rvBodyId* id)
{
    int body = mj_name2id(link->model, mjOBJ_BODY, name);
    if (body < 0 || link->count == RV_MUJOCO_MOST)
        return body < 0 ? RV_BAD_INPUT : RV_NO_MEMORY;
    rvProxyState* state = &link->states[link->count];
    rvMujoco_Read(link, body, state);
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_PROXY;
    def.name = name;
    def.pose = state->pose;
    def.velocity = state->velocity;
    def.angularVelocity = state->angularVelocity;
    def.mass = driven ? 0.0 : link->model->body_mass[body];
    def.centerOfMass = rvMujoco_Vec(link->model->body_ipos + 3 * body);
    def.inertia = rvMujoco_Inertia(link->model, body);
    rvStatus status = rvCreateBody(link->world, &def, &state->body);
    if (status == RV_OK) {
        *id = state->body;
        link->driven[link->count] = driven;
        link->bodies[link->count++] = body;
    }
    return status;
}

// Refused while a cable passes it.
static inline rvStatus rvMujoco_Remove(rvMujoco* link, const char* name)
{
    int body = mj_name2id(link->model, mjOBJ_BODY, name), i = link->count - 1;
    while (i >= 0 && link->bodies[i] != body)
        --i;
    rvStatus status = i < 0 ? RV_BAD_INPUT : rvDestroyBody(link->world, link->states[i].body);
    if (status == RV_OK) {
        mju_zero(link->data->xfrc_applied + 6 * body, 6); // MuJoCo would go on with the last pull
        link->count -= 1;
        link->bodies[i] = link->bodies[link->count];
        link->states[i] = link->states[link->count];
        link->driven[i] = link->driven[link->count];
    }
    return status;
}

// You have put bodies elsewhere (qpos, qvel, mj_resetData): that is no motion, and cables forget how fast they
// stretched.
static inline rvStatus rvMujoco_Jump(rvMujoco* link)
{
    rvStatus status = RV_OK;
    mj_forward(link->model, link->data);
    for (int i = 0; status == RV_OK && i < link->count; ++i) {
        rvProxyState* state = &link->states[i];
        rvMujoco_Read(link, link->bodies[i], state);
        status = rvBody_SetPose(link->world, state->body, state->pose);
        if (status == RV_OK)
            status = rvBody_SetVelocity(link->world, state->body, state->velocity, state->angularVelocity);
    }
    return status;
}

// Where a body is, and its mass where that has changed.
static inline rvStatus rvMujoco_Tell(rvMujoco* link, int i)
{
    int body = link->bodies[i];
    rvBodyId id = link->states[i].body;
    rvMujoco_Read(link, body, &link->states[i]);
    double mass = link->driven[i] ? 0.0 : link->model->body_mass[body];
    if (mass == rvBody_GetMass(link->world, id))
        return RV_OK;
    return rvBody_SetMass(link->world, id, mass, rvMujoco_Inertia(link->model, body));
}

// One step of Reeve and `steps` of MuJoCo's own (link->steps), with Reeve's in the middle of the first, where MuJoCo
// knows where all is and asks for forces; the pull is held over all of them.
static inline rvStatus rvMujoco_Step(rvMujoco* link)
{
    mj_step1(link->model, link->data);
    rvStatus status = rvWorld_SetGravity(link->world, rvMujoco_Vec(link->model->opt.gravity));
    for (int i = 0; status == RV_OK && i < link->count; ++i)
        status = rvMujoco_Tell(link, i);
    double dt = link->model->opt.timestep * (link->steps > 1 ? link->steps : 1);
    if (status == RV_OK)
        status = rvWorld_SetHostSteps(link->world, dt, link->steps);
    if (status == RV_OK)
        status = rvWorld_SetProxies(link->world, link->states, link->count);
    if (status == RV_OK)
        status = rvWorld_Step(link->world, dt);
    for (int i = 0; status == RV_OK && i < link->count; ++i) {
        rvVec3 force, torque;
        rvBody_GetWrench(link->world, link->states[i].body, &force, &torque);
        const mjtNum pull[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
        mju_copy(link->data->xfrc_applied + 6 * link->bodies[i], pull, 6);
    }
    if (status == RV_OK)
        mj_step2(link->model, link->data);
    for (int k = 1; status == RV_OK && k < link->steps; ++k)
        mj_step(link->model, link->data);
    return status;
}
