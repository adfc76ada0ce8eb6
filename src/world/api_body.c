// SPDX-License-Identifier: MIT
// The public calls on bodies: check the id, then call the layer below.
#include "math/sym3.h"
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
    world->begun = 0.0;
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

rvStatus rvBody_SetMass(rvWorld* world, rvBodyId id, double mass, rvMat3 inertia)
{
    int index = rv_world_find_body(world, id, "rvBody_SetMass: id");
    if (index < 0)
        return RV_BAD_ID;
    rvEnergy before = rvWorld_GetEnergy(world);
    rvStatus status = rv_body_set_mass(&world->bodies.items[index], &world->error, mass, inertia);
    if (status != RV_OK)
        return status;
    rvEnergy after = rvWorld_GetEnergy(world);
    world->state.work += after.kinetic - before.kinetic + after.potential - before.potential;
    world->begun = 0.0;
    return RV_OK;
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

// The pose with a unit quaternion, with frame and centre of mass where a run may take them.
static rvStatus check_pose(rvWorld* world, const char* call, const rvBody* body, rvPose* pose)
{
    rvQuat q = pose->q;
    double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(norm > 1e-6 && norm < 1e6))
        return rv_fail(&world->error, RV_BAD_INPUT, "%s: body '%s': pose.q: length is %g, must be 1", call, body->name,
                       norm);
    pose->q = rvQuatNormalize(q);
    if (!(rvLength(pose->p) <= RV_LARGEST_POSITION &&
          rvLength(rvPosePoint(*pose, body->center)) <= RV_LARGEST_POSITION))
        return rv_fail(&world->error, RV_BAD_INPUT, "%s: body '%s': pose.p: must be within %g m of the origin", call,
                       body->name, RV_LARGEST_POSITION);
    return RV_OK;
}

rvStatus rvBody_SetPose(rvWorld* world, rvBodyId id, rvPose pose)
{
    int index = rv_world_find_body(world, id, "rvBody_SetPose: id");
    if (index < 0)
        return RV_BAD_ID;
    rvBody* body = &world->bodies.items[index];
    rvStatus status = check_pose(world, "rvBody_SetPose", body, &pose);
    if (status != RV_OK)
        return status;
    body->state.q = pose.q;
    body->state.x = rvPosePoint(pose, body->center);
    body->state.guardFresh = 1.0;
    rv_cables_forget_rates(&world->cables);
    rv_cables_refresh(&world->cables, &world->bodies);
    return RV_OK;
}

static rvStatus check_velocity(rvWorld* world, const char* call, const rvBody* body, rvVec3 velocity,
                               rvVec3 angularVelocity)
{
    if (!(rvLength(velocity) <= RV_LARGEST_SPEED))
        return rv_fail(&world->error, RV_BAD_INPUT, "%s: body '%s': velocity: must be at most %g m/s", call, body->name,
                       RV_LARGEST_SPEED);
    if (!(rvLength(angularVelocity) <= RV_LARGEST_SPIN))
        return rv_fail(&world->error, RV_BAD_INPUT, "%s: body '%s': angularVelocity: must be at most %g rad/s", call,
                       body->name, RV_LARGEST_SPIN);
    return RV_OK;
}

rvStatus rvBody_SetVelocity(rvWorld* world, rvBodyId id, rvVec3 velocity, rvVec3 angularVelocity)
{
    int index = rv_world_find_body(world, id, "rvBody_SetVelocity: id");
    if (index < 0)
        return RV_BAD_ID;
    rvBody* body = &world->bodies.items[index];
    rvStatus status = check_velocity(world, "rvBody_SetVelocity", body, velocity, angularVelocity);
    if (status != RV_OK)
        return status;
    if (body->type == RV_BODY_STATIC)
        return rv_fail(&world->error, RV_BAD_INPUT, "rvBody_SetVelocity: body '%s': is static", body->name);
    body->state.v = velocity;
    body->state.w = angularVelocity;
    body->state.guardFresh = 1.0;
    body->state.hasTarget = 0.0;
    rv_cables_forget_rates(&world->cables);
    return RV_OK;
}

rvStatus rv_world_check_proxies(rvWorld* world, const char* call, const rvProxyState* states, int count)
{
    for (int i = 0; i < count; ++i) {
        int index = rv_world_find_body(world, states[i].body, call);
        if (index < 0)
            return RV_BAD_ID;
        const rvBody* body = &world->bodies.items[index];
        if (body->type != RV_BODY_PROXY)
            return rv_fail(&world->error, RV_BAD_INPUT, "%s: body '%s': type: must be proxy", call, body->name);
        rvPose pose = states[i].pose;
        rvStatus status = check_pose(world, call, body, &pose);
        if (status == RV_OK)
            status = check_velocity(world, call, body, states[i].velocity, states[i].angularVelocity);
        if (status != RV_OK)
            return status;
    }
    return RV_OK;
}

rvStatus rvWorld_SetProxies(rvWorld* world, const rvProxyState* states, int count)
{
    rvStatus status = rv_world_check_proxies(world, "rvWorld_SetProxies", states, count);
    if (status != RV_OK)
        return status;
    for (int i = 0; i < count; ++i) {
        rvBody* body = &world->bodies.items[states[i].body.index1 - 1];
        rvPose pose = {states[i].pose.p, rvQuatNormalize(states[i].pose.q)};
        body->expectedV = body->state.v;
        body->expectedW = body->state.w;
        double lead = world->state.proxyLead;
        body->state.x = rvMulAdd(rvPosePoint(pose, body->center), lead, states[i].velocity);
        if (lead > 0.0)
            pose.q = rvQuatNormalize(rvQuatMul(rvQuatFromRotation(rvScale(lead, states[i].angularVelocity)), pose.q));
        body->state.q = pose.q;
        body->state.v = states[i].velocity;
        body->state.w = states[i].angularVelocity;
        body->state.hasTarget = 0.0;
        if (body->stiffened) // the added inertia turns as the body does, not as was expected
            body->state.stiffEnergy =
                fmax(0.0, 0.5 * rvDot(body->state.w, rv_sym3_vec(body->addedInertia, body->state.w)));
        body->moved = true;
    }
    rv_cables_follow(&world->cables, &world->bodies, world->state.h);
    for (int i = 0; i < count; ++i)
        world->bodies.items[states[i].body.index1 - 1].moved = false;
    return RV_OK;
}

rvStatus rvWorld_SetHostSteps(rvWorld* world, double dt, int count)
{
    if (!(dt > 0.0 && dt <= 1.0))
        return rv_fail(&world->error, RV_BAD_INPUT, "rvWorld_SetHostSteps: dt: is %g s, must be > 0 and at most 1", dt);
    if (count < 0)
        return rv_fail(&world->error, RV_BAD_INPUT, "rvWorld_SetHostSteps: count: is %d, must not be negative", count);
    world->state.proxyLead = 0.5 * dt * (count > 0 ? 1.0 - 1.0 / count : 1.0);
    return RV_OK;
}

rvStatus rvBody_MoveTo(rvWorld* world, rvBodyId id, rvPose pose)
{
    int index = rv_world_find_body(world, id, "rvBody_MoveTo: id");
    if (index < 0)
        return RV_BAD_ID;
    rvBody* body = &world->bodies.items[index];
    rvStatus status = check_pose(world, "rvBody_MoveTo", body, &pose);
    if (status != RV_OK)
        return status;
    if (body->type != RV_BODY_KINEMATIC && body->type != RV_BODY_PROXY)
        return rv_fail(&world->error, RV_BAD_INPUT,
                       "rvBody_MoveTo: body '%s': only kinematic and proxy bodies are moved", body->name);
    body->state.target = pose;
    body->state.hasTarget = 1.0;
    return RV_OK;
}

// Adds to what the next step gets. The sum must stay finite too: it is kept until a step succeeds.
static rvStatus push(rvWorld* world, const char* call, rvBody* body, rvVec3 force, rvVec3 torque)
{
    rvVec3 forceSum = rvAdd(body->state.force, force), torqueSum = rvAdd(body->state.torque, torque);
    if (!rvIsFiniteVec(forceSum) || !rvIsFiniteVec(torqueSum))
        return rv_fail(&world->error, RV_BAD_INPUT, "%s: body '%s': force and torque: must be finite", call,
                       body->name);
    body->state.force = forceSum;
    body->state.torque = torqueSum;
    return RV_OK;
}

rvStatus rvBody_ApplyForce(rvWorld* world, rvBodyId id, rvVec3 force, rvVec3 worldPoint)
{
    int index = rv_world_find_body(world, id, "rvBody_ApplyForce: id");
    if (index < 0)
        return RV_BAD_ID;
    rvBody* body = &world->bodies.items[index];
    return push(world, "rvBody_ApplyForce", body, force, rvCross(rvSub(worldPoint, body->state.x), force));
}

rvStatus rvBody_ApplyTorque(rvWorld* world, rvBodyId id, rvVec3 torque)
{
    int index = rv_world_find_body(world, id, "rvBody_ApplyTorque: id");
    if (index < 0)
        return RV_BAD_ID;
    return push(world, "rvBody_ApplyTorque", &world->bodies.items[index], rvVec(0, 0, 0), torque);
}

rvStatus rvBody_ClearForces(rvWorld* world, rvBodyId id)
{
    int index = rv_world_find_body(world, id, "rvBody_ClearForces: id");
    if (index < 0)
        return RV_BAD_ID;
    rvBodyState* state = &world->bodies.items[index].state;
    state->force = state->torque = rvVec(0, 0, 0);
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
