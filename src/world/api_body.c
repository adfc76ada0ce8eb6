// SPDX-License-Identifier: MIT
// The public calls on bodies: check the id, then call the layer below.
#include "world/world.h"

static const rvBody* body_of(const rvWorld* world, rvBodyId id)
{
    int index = rv_id_pool_find(&world->bodies.pool, id.index1, id.generation);
    return index < 0 ? NULL : &world->bodies.items[index];
}

int rv_world_find_body(rvWorld* world, rvBodyId id, const char* field)
{
    int index = rv_id_pool_find(&world->bodies.pool, id.index1, id.generation);
    if (index < 0)
        rv_fail(&world->error, RV_BAD_ID, "%s: there is no such body (index %u, generation %u)", field, id.index1,
                id.generation);
    return index;
}

rvStatus rvCreateBody(rvWorld* world, const rvBodyDef* def, rvBodyId* id)
{
    int index = -1;
    rvStatus status = rv_body_create(&world->bodies, &world->memory, &world->error, def, &index);
    if (status != RV_OK)
        return status;
    status = rv_world_reserve(world);
    if (status != RV_OK) {
        rv_body_destroy(&world->bodies, &world->memory, index);
        return status;
    }
    if (id)
        *id = (rvBodyId){(uint32_t)index + 1, world->bodies.pool.generations[index]};
    return RV_OK;
}

rvStatus rvDestroyBody(rvWorld* world, rvBodyId id)
{
    int index = rv_world_find_body(world, id, "rvDestroyBody: id");
    if (index < 0)
        return RV_BAD_ID;
    if (rv_cables_pass(&world->cables, index))
        return rv_fail(&world->error, RV_BAD_INPUT, "body '%s': a cable passes it: destroy the cable first",
                       world->bodies.items[index].name);
    for (int i = 0; i < world->shapes.pool.count; ++i)
        if (rv_id_pool_alive(&world->shapes.pool, i) && rv_shape_body(&world->shapes, i) == index)
            rvDestroyShape(world, rv_world_shape_id(world, i));
    for (int i = 0; i < world->joints.pool.count; ++i) {
        const rvJoint* joint = &world->joints.items[i];
        if (rv_id_pool_alive(&world->joints.pool, i) && (joint->bodyA == index || joint->bodyB == index))
            rv_joint_destroy(&world->joints, &world->memory, i);
    }
    rv_body_destroy(&world->bodies, &world->memory, index);
    return RV_OK;
}

bool rvBody_IsValid(const rvWorld* world, rvBodyId id)
{
    return body_of(world, id) != NULL;
}

rvPose rvBody_GetPose(const rvWorld* world, rvBodyId id)
{
    const rvBody* body = body_of(world, id);
    return body ? rv_body_pose(body) : rvPoseIdentity();
}

rvVec3 rvBody_GetVelocity(const rvWorld* world, rvBodyId id)
{
    const rvBody* body = body_of(world, id);
    return body ? body->state.v : rvVec(0, 0, 0);
}

rvVec3 rvBody_GetAngularVelocity(const rvWorld* world, rvBodyId id)
{
    const rvBody* body = body_of(world, id);
    return body ? body->state.w : rvVec(0, 0, 0);
}

rvVec3 rvBody_GetCenter(const rvWorld* world, rvBodyId id)
{
    const rvBody* body = body_of(world, id);
    return body ? body->state.x : rvVec(0, 0, 0);
}

rvVec3 rvBody_GetPoint(const rvWorld* world, rvBodyId id, rvVec3 local)
{
    return rvPosePoint(rvBody_GetPose(world, id), local);
}

rvVec3 rvBody_GetPointVelocity(const rvWorld* world, rvBodyId id, rvVec3 local)
{
    const rvBody* body = body_of(world, id);
    return body ? rvAdd(body->state.v, rvCross(body->state.w, rv_body_arm(body, local))) : rvVec(0, 0, 0);
}

double rvBody_GetMass(const rvWorld* world, rvBodyId id)
{
    const rvBody* body = body_of(world, id);
    return body ? body->mass : 0.0;
}

rvBodyType rvBody_GetType(const rvWorld* world, rvBodyId id)
{
    const rvBody* body = body_of(world, id);
    return body ? body->type : RV_BODY_STATIC;
}

const char* rvBody_GetName(const rvWorld* world, rvBodyId id)
{
    const rvBody* body = body_of(world, id);
    return body ? body->name : "";
}

static rvStatus check_pose(rvWorld* world, const char* call, rvPose pose)
{
    rvQuat q = pose.q;
    double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!rvIsFiniteVec(pose.p) || !(norm > 1e-6 && norm < 1e6))
        return rv_fail(&world->error, RV_BAD_INPUT, "%s: pose: must be finite, with a unit quaternion", call);
    return RV_OK;
}

rvStatus rvBody_SetPose(rvWorld* world, rvBodyId id, rvPose pose)
{
    int index = rv_world_find_body(world, id, "rvBody_SetPose: id");
    if (index < 0)
        return RV_BAD_ID;
    rvStatus status = check_pose(world, "rvBody_SetPose", pose);
    if (status != RV_OK)
        return status;
    rvBody* body = &world->bodies.items[index];
    body->state.q = rvQuatNormalize(pose.q);
    body->state.x = rvPosePoint((rvPose){pose.p, body->state.q}, body->center);
    rv_cables_forget_rates(&world->cables);
    rv_cables_refresh(&world->cables, &world->bodies);
    return RV_OK;
}

rvStatus rvBody_SetVelocity(rvWorld* world, rvBodyId id, rvVec3 velocity, rvVec3 angularVelocity)
{
    int index = rv_world_find_body(world, id, "rvBody_SetVelocity: id");
    if (index < 0)
        return RV_BAD_ID;
    rvBody* body = &world->bodies.items[index];
    if (!rvIsFiniteVec(velocity) || !rvIsFiniteVec(angularVelocity))
        return rv_fail(&world->error, RV_BAD_INPUT, "rvBody_SetVelocity: body '%s': velocity: must be finite",
                       body->name);
    if (body->type == RV_BODY_STATIC)
        return rv_fail(&world->error, RV_BAD_INPUT, "rvBody_SetVelocity: body '%s': is static", body->name);
    body->state.v = velocity;
    body->state.w = angularVelocity;
    body->state.hasTarget = 0.0;
    rv_cables_forget_rates(&world->cables);
    return RV_OK;
}

rvStatus rvBody_MoveTo(rvWorld* world, rvBodyId id, rvPose pose)
{
    int index = rv_world_find_body(world, id, "rvBody_MoveTo: id");
    if (index < 0)
        return RV_BAD_ID;
    rvStatus status = check_pose(world, "rvBody_MoveTo", pose);
    if (status != RV_OK)
        return status;
    rvBody* body = &world->bodies.items[index];
    if (body->type != RV_BODY_KINEMATIC && body->type != RV_BODY_PROXY)
        return rv_fail(&world->error, RV_BAD_INPUT,
                       "rvBody_MoveTo: body '%s': only kinematic and proxy bodies are moved", body->name);
    body->state.target = (rvPose){pose.p, rvQuatNormalize(pose.q)};
    body->state.hasTarget = 1.0;
    return RV_OK;
}

rvStatus rvBody_ApplyForce(rvWorld* world, rvBodyId id, rvVec3 force, rvVec3 worldPoint)
{
    int index = rv_world_find_body(world, id, "rvBody_ApplyForce: id");
    if (index < 0)
        return RV_BAD_ID;
    rvBody* body = &world->bodies.items[index];
    if (!rvIsFiniteVec(force) || !rvIsFiniteVec(worldPoint))
        return rv_fail(&world->error, RV_BAD_INPUT, "rvBody_ApplyForce: body '%s': force and point: must be finite",
                       body->name);
    body->state.force = rvAdd(body->state.force, force);
    body->state.torque = rvAdd(body->state.torque, rvCross(rvSub(worldPoint, body->state.x), force));
    return RV_OK;
}

rvStatus rvBody_ApplyTorque(rvWorld* world, rvBodyId id, rvVec3 torque)
{
    int index = rv_world_find_body(world, id, "rvBody_ApplyTorque: id");
    if (index < 0)
        return RV_BAD_ID;
    rvBody* body = &world->bodies.items[index];
    if (!rvIsFiniteVec(torque))
        return rv_fail(&world->error, RV_BAD_INPUT, "rvBody_ApplyTorque: body '%s': torque: must be finite",
                       body->name);
    body->state.torque = rvAdd(body->state.torque, torque);
    return RV_OK;
}

void rvBody_GetWrench(const rvWorld* world, rvBodyId id, rvVec3* force, rvVec3* torque)
{
    const rvBody* body = body_of(world, id);
    if (force)
        *force = body ? body->wrenchForce : rvVec(0, 0, 0);
    if (torque)
        *torque = body ? body->wrenchTorque : rvVec(0, 0, 0);
}
