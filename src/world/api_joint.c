// SPDX-License-Identifier: MIT
// The public calls on joints: check the id, then call the layer below.
#include "world/world.h"

#include "base/cookie.h"

static const rvJoint* joint_of(const rvWorld* world, rvJointId id)
{
    int index = rv_id_pool_find(&world->joints.pool, id.index1, id.generation);
    return index < 0 ? NULL : &world->joints.items[index];
}

static rvJoint* find_joint(rvWorld* world, rvJointId id, const char* call)
{
    rvJoint* joint = (rvJoint*)joint_of(world, id);
    if (!joint)
        rv_fail(&world->error, RV_BAD_ID, "%s: id: there is no such joint (index %u, generation %u)", call, id.index1,
                id.generation);
    return joint;
}

rvJointId rv_world_joint_id(const rvWorld* world, int index)
{
    return (rvJointId){(uint32_t)index + 1, world->joints.pool.generations[index]};
}

// The body behind an id that may be null: -1 is the world, -2 an error.
static int side_of(rvWorld* world, rvBodyId id, const char* field)
{
    if (RV_IS_NULL(id))
        return -1;
    int index = rv_world_find_body(world, id, field);
    return index < 0 ? -2 : index;
}

rvStatus rvJointDef_Place(rvWorld* world, rvJointDef* def, rvBodyId a, rvBodyId b, rvVec3 point, rvVec3 axis)
{
    int indexA = side_of(world, a, "rvJointDef_Place: a"), indexB = side_of(world, b, "rvJointDef_Place: b");
    if (indexA == -2 || indexB == -2)
        return RV_BAD_ID;
    if (!rvIsFiniteVec(point))
        return rv_fail(&world->error, RV_BAD_INPUT, "rvJointDef_Place: point: must be finite");
    rvPose poseA = indexA < 0 ? rvPoseIdentity() : rv_body_pose(&world->bodies.items[indexA]);
    rvPose poseB = indexB < 0 ? rvPoseIdentity() : rv_body_pose(&world->bodies.items[indexB]);
    if (!rv_joint_def_place(def, poseA, poseB, point, axis))
        return rv_fail(&world->error, RV_BAD_INPUT, "rvJointDef_Place: axis: must be finite and not zero");
    def->bodyA = a;
    def->bodyB = b;
    return RV_OK;
}

rvStatus rvCreateJoint(rvWorld* world, const rvJointDef* def, rvJointId* id)
{
    if (!def || def->cookie != RV_COOKIE)
        return rv_fail(&world->error, RV_BAD_INPUT, "joint: definition was not made by rvDefaultJointDef");
    int a = side_of(world, def->bodyA, "joint: bodyA");
    int b = side_of(world, def->bodyB, "joint: bodyB");
    if (a == -2 || b == -2)
        return RV_BAD_ID;
    int index = -1;
    rvStatus status = rv_joint_create(&world->joints, &world->bodies, &world->memory, &world->error, def, a, b, &index);
    if (status != RV_OK)
        return status;
    status = rv_world_reserve(world);
    if (status != RV_OK) {
        rv_joint_destroy(&world->joints, &world->memory, index);
        return status;
    }
    if (id)
        *id = rv_world_joint_id(world, index);
    return RV_OK;
}

rvStatus rvDestroyJoint(rvWorld* world, rvJointId id)
{
    rvJoint* joint = find_joint(world, id, "rvDestroyJoint");
    if (!joint)
        return RV_BAD_ID;
    rv_joint_destroy(&world->joints, &world->memory, (int)(joint - world->joints.items));
    return RV_OK;
}

bool rvJoint_IsValid(const rvWorld* world, rvJointId id)
{
    return joint_of(world, id) != NULL;
}

// The command of an axis now; zeros where there is no such axis, which rv_joint_set_axis then refuses.
static rvJointAxis axis_of(const rvJoint* joint, int axis)
{
    return axis == 0 || axis == 1 ? joint->state.axes[axis] : (rvJointAxis){0};
}

rvStatus rvJoint_SetMotor(rvWorld* world, rvJointId id, int axis, rvMotorMode mode, double target, double maxForce)
{
    rvJoint* joint = find_joint(world, id, "rvJoint_SetMotor");
    if (!joint)
        return RV_BAD_ID;
    rvJointAxis command = axis_of(joint, axis);
    command.motor = mode;
    command.target = target;
    command.maxForce = maxForce;
    return rv_joint_set_axis(joint, &world->bodies, &world->error, axis, &command);
}

rvStatus rvJoint_SetLimits(rvWorld* world, rvJointId id, int axis, bool limited, double lower, double upper)
{
    rvJoint* joint = find_joint(world, id, "rvJoint_SetLimits");
    if (!joint)
        return RV_BAD_ID;
    rvJointAxis command = axis_of(joint, axis);
    command.limited = limited;
    command.lower = lower;
    command.upper = upper;
    return rv_joint_set_axis(joint, &world->bodies, &world->error, axis, &command);
}

double rvJoint_GetValue(const rvWorld* world, rvJointId id, int axis)
{
    const rvJoint* joint = joint_of(world, id);
    return joint ? rv_joint_value(joint, &world->bodies, axis) : 0.0;
}

double rvJoint_GetSpeed(const rvWorld* world, rvJointId id, int axis)
{
    const rvJoint* joint = joint_of(world, id);
    return joint ? rv_joint_speed(joint, &world->bodies, axis) : 0.0;
}

double rvJoint_GetMotorForce(const rvWorld* world, rvJointId id, int axis)
{
    const rvJoint* joint = joint_of(world, id);
    double h = world->state.h;
    return joint && h > 0.0 ? rv_joint_motor_impulse(joint, axis) / h : 0.0;
}

void rvJoint_GetForce(const rvWorld* world, rvJointId id, rvVec3* force, rvVec3* torque)
{
    const rvJoint* joint = joint_of(world, id);
    rvVec3 linear = rvVec(0, 0, 0), angular = rvVec(0, 0, 0);
    if (joint && world->state.h > 0.0)
        rv_joint_impulse_on_b(joint, &world->bodies, &linear, &angular);
    double rate = world->state.h > 0.0 ? 1.0 / world->state.h : 0.0;
    if (force)
        *force = rvScale(rate, linear);
    if (torque)
        *torque = rvScale(rate, angular);
}

void rvJoint_GetError(const rvWorld* world, rvJointId id, double* translation, double* rotation)
{
    const rvJoint* joint = joint_of(world, id);
    double errors[2] = {0.0, 0.0};
    if (joint)
        rv_joint_error(joint, &world->bodies, &errors[0], &errors[1]);
    if (translation)
        *translation = errors[0];
    if (rotation)
        *rotation = errors[1];
}

const char* rvJoint_GetName(const rvWorld* world, rvJointId id)
{
    const rvJoint* joint = joint_of(world, id);
    return joint ? joint->name : "";
}
