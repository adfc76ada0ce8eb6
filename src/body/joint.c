// SPDX-License-Identifier: MIT
// The store of joints: definitions checked and taken over, and which bodies they keep from colliding.
#include "body/joint.h"

#include "base/cookie.h"
#include "base/field.h"
#include "body/joint_layout.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

rvJointDef rvDefaultJointDef(rvJointType type)
{
    rvJointAxis axis = {.maxSpeed = HUGE_VAL, .maxForce = HUGE_VAL};
    rvJointDef def = {.type = type,
                      .frameA = rvPoseIdentity(),
                      .frameB = rvPoseIdentity(),
                      .damping = -1.0,
                      .length = -1.0,
                      .axes = {axis, axis},
                      .cookie = RV_COOKIE};
    return def;
}

enum { FULL_NAME = 128 };

// "joint 'name': "
static void full_name(const char* name, char full[FULL_NAME])
{
    bool named = name && name[0];
    snprintf(full, FULL_NAME, "joint%s%.100s%s: ", named ? " '" : "", named ? name : "", named ? "'" : "");
}

// "joint 'name': ..." into the error.
__attribute__((format(printf, 3, 4))) static rvStatus refuse(rvError* error, const char* name, const char* format, ...)
{
    char text[256], full[FULL_NAME];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    full_name(name, full);
    return rv_fail(error, RV_BAD_INPUT, "%s%s", full, text);
}

static rvStatus check_axis(rvError* error, const char* name, const rvJointLayout* layout, int i,
                           const rvJointAxis* axis)
{
    bool used = axis->limited || axis->motor != RV_MOTOR_OFF || axis->friction != 0.0;
    if (used && i >= layout->axisCount)
        return refuse(error, name, "axes[%d]: a %s joint has %d", i, layout->name, layout->axisCount);
    if (axis->limited && (isnan(axis->lower) || (isinf(axis->lower) && axis->lower > 0.0)))
        return refuse(error, name, "axes[%d].lower: is %g, must be a number", i, axis->lower);
    if (axis->limited && (isnan(axis->upper) || (isinf(axis->upper) && axis->upper < 0.0)))
        return refuse(error, name, "axes[%d].upper: is %g, must be a number", i, axis->upper);
    if (axis->limited && axis->lower > axis->upper)
        return refuse(error, name, "axes[%d].lower: is %g, must not exceed axes[%d].upper (%g)", i, axis->lower, i,
                      axis->upper);
    if (axis->limited && layout->axes[i].nonNegative && axis->upper < 0.0)
        return refuse(error, name, "axes[%d].upper: is %g, must be >= 0", i, axis->upper);
    if ((unsigned)axis->motor > RV_MOTOR_POSITION)
        return refuse(error, name, "axes[%d].motor: is %d, no such mode", i, (int)axis->motor);
    if (axis->motor != RV_MOTOR_OFF && layout->noMotor)
        return refuse(error, name, "axes[%d].motor: a %s joint has none", i, layout->name);
    char of[FULL_NAME + 16];
    full_name(name, of);
    snprintf(of + strlen(of), 16, "axes[%d].", i);
    const rvField fields[] = {
        {"target", axis->target, RV_FINITE | RV_ANY_SIZE, NULL},
        {"maxSpeed", axis->maxSpeed, RV_POSITIVE, NULL},
        {"maxForce", axis->maxForce, RV_NOT_NEGATIVE | RV_ANY_SIZE, NULL},
        {"friction", axis->friction, RV_FINITE_NOT_NEGATIVE, NULL},
    };
    return RV_CHECK_FIELDS(error, of, fields);
}

static rvStatus check_frame(rvError* error, const char* name, const char* field, rvPose frame)
{
    if (!(rvLength(frame.p) <= RV_LARGEST_POSITION))
        return refuse(error, name, "%s.p: must be within %g m of the origin", field, RV_LARGEST_POSITION);
    rvQuat q = frame.q;
    double n2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!(n2 > 0.0 && isfinite(n2)))
        return refuse(error, name, "%s.q: must be finite and not zero", field);
    return RV_OK;
}

static rvStatus check_def(rvError* error, const rvBodyStore* bodies, const rvJointDef* def, int bodyA, int bodyB)
{
    const char* name = def->name;
    const rvJointLayout* layout = rv_joint_layout(def->type);
    if (!layout)
        return refuse(error, name, "type: is %d, no such type", (int)def->type);
    if (bodyA == bodyB)
        return refuse(error, name, "bodyB: must differ from bodyA");
    if ((bodyA < 0 || !rv_body_moves(&bodies->items[bodyA])) && (bodyB < 0 || !rv_body_moves(&bodies->items[bodyB])))
        return refuse(error, name, "bodyA, bodyB: neither can move");
    if (check_frame(error, name, "frameA", def->frameA) || check_frame(error, name, "frameB", def->frameB))
        return RV_BAD_INPUT;
    const rvField fields[] = {
        {"compliance", def->compliance, RV_FINITE_NOT_NEGATIVE, NULL},
        {"angularCompliance", def->angularCompliance, RV_FINITE_NOT_NEGATIVE, NULL},
        {"damping", def->damping, rv_damping_range(def->damping), NULL},
        {"length", def->length, RV_FINITE, NULL},
    };
    char of[FULL_NAME];
    full_name(name, of);
    if (RV_CHECK_FIELDS(error, of, fields))
        return RV_BAD_INPUT;
    for (int i = 0; i < RV_JOINT_MAX_AXES; ++i)
        if (check_axis(error, name, layout, i, &def->axes[i]))
            return RV_BAD_INPUT;
    return RV_OK;
}

// A pair of bodies as a number, the same both ways round. The world is 0.
static uint64_t pair_key(int bodyA, int bodyB)
{
    uint64_t a = (uint64_t)(bodyA + 1), b = (uint64_t)(bodyB + 1);
    return a < b ? a << 32 | b : b << 32 | a;
}

// The first place in the sorted list that is not below the key.
static int find_apart(const rvJointStore* store, uint64_t key)
{
    int low = 0, high = store->apartCount;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (store->apart[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool rv_joints_forbid_contact(const rvJointStore* store, int bodyA, int bodyB)
{
    uint64_t key = pair_key(bodyA, bodyB);
    int at = find_apart(store, key);
    return at < store->apartCount && store->apart[at] == key;
}

static void add_apart(rvJointStore* store, uint64_t key)
{
    int at = find_apart(store, key);
    memmove(store->apart + at + 1, store->apart + at, (size_t)(store->apartCount - at) * sizeof(uint64_t));
    store->apart[at] = key;
    store->apartCount += 1;
}

static void remove_apart(rvJointStore* store, uint64_t key)
{
    int at = find_apart(store, key);
    store->apartCount -= 1;
    memmove(store->apart + at, store->apart + at + 1, (size_t)(store->apartCount - at) * sizeof(uint64_t));
}

// The frame relative to the centre of mass instead of the body's frame.
static rvPose frame_at_center(const rvBodyStore* bodies, int body, rvPose frame)
{
    rvPose moved = {body < 0 ? frame.p : rvSub(frame.p, bodies->items[body].center), rvQuatNormalize(frame.q)};
    return moved;
}

// Field by field onto zeros: the state is hashed as bytes, so the padding of the caller's copy must stay out of it.
static void take_axis(rvJointAxis* axis, const rvJointAxis* from)
{
    memset(axis, 0, sizeof *axis);
    axis->limited = from->limited;
    axis->lower = from->lower;
    axis->upper = from->upper;
    axis->motor = from->motor;
    axis->target = from->target;
    axis->maxSpeed = from->maxSpeed;
    axis->maxForce = from->maxForce;
    axis->friction = from->friction;
}

rvStatus rv_joint_create(rvJointStore* store, const rvBodyStore* bodies, rvMemory* memory, rvError* error,
                         const rvJointDef* def, int bodyA, int bodyB, int* index)
{
    if (!def || def->cookie != RV_COOKIE)
        return rv_fail(error, RV_BAD_INPUT, "joint: definition was not made by rvDefaultJointDef");
    rvStatus status = check_def(error, bodies, def, bodyA, bodyB);
    if (status)
        return status;
    char* name = rv_id_pool_name(&store->pool, memory, def->name);
    int places = store->pool.count + 1;
    int i = -1;
    if (name && rv_memory_grow(memory, (void**)&store->items, &store->capacity, places, sizeof(rvJoint)) &&
        rv_memory_grow(memory, (void**)&store->apart, &store->apartCapacity, places, sizeof(uint64_t)))
        i = rv_id_pool_take(&store->pool, memory);
    if (i < 0) {
        rv_memory_give_text(memory, name);
        return rv_fail(error, RV_NO_MEMORY, "joint '%.100s': no memory", def->name ? def->name : "");
    }
    rvJoint* joint = &store->items[i];
    *joint = (rvJoint){.type = def->type,
                       .name = name,
                       .bodyA = bodyA,
                       .bodyB = bodyB,
                       .frameA = frame_at_center(bodies, bodyA, def->frameA),
                       .frameB = frame_at_center(bodies, bodyB, def->frameB),
                       .compliance = def->compliance,
                       .angularCompliance = def->angularCompliance,
                       .damping = def->damping,
                       .collide = def->collide,
                       .group = -1};
    double value[RV_JOINT_MAX_AXES];
    for (int k = 0; k < RV_JOINT_MAX_AXES; ++k) {
        take_axis(&joint->state.axes[k], &def->axes[k]);
        value[k] = rv_joint_value(joint, bodies, k);
    }
    memcpy(joint->state.value, value, sizeof value);
    if (rv_joint_layout(def->type)->yields)
        joint->state.length = def->length >= 0.0 ? def->length : value[0];
    if (!def->collide)
        add_apart(store, pair_key(bodyA, bodyB));
    *index = i;
    return RV_OK;
}

void rv_joint_destroy(rvJointStore* store, rvMemory* memory, int index)
{
    rvJoint* joint = &store->items[index];
    if (!joint->collide)
        remove_apart(store, pair_key(joint->bodyA, joint->bodyB));
    rv_memory_give_text(memory, joint->name);
    *joint = (rvJoint){.group = -1};
    rv_id_pool_give(&store->pool, index);
}

void rv_joints_release(rvJointStore* store, rvMemory* memory)
{
    for (int i = 0; i < store->pool.count; ++i)
        if (rv_id_pool_alive(&store->pool, i))
            rv_memory_give_text(memory, store->items[i].name);
    rv_memory_give(memory, store->items, (size_t)store->capacity * sizeof(rvJoint));
    rv_memory_give(memory, store->apart, (size_t)store->apartCapacity * sizeof(uint64_t));
    rv_id_pool_clear(&store->pool, memory);
    *store = (rvJointStore){0};
}

bool rv_joint_def_place(rvJointDef* def, rvPose poseA, rvPose poseB, rvVec3 point, rvVec3 axis)
{
    const rvJointLayout* layout = rv_joint_layout(def->type);
    double length = rvLength(axis);
    if (!layout || !(length > 0.0 && isfinite(length)) || !rvIsFiniteVec(point))
        return false;
    rvQuat q = rvQuatBetween(layout->mainAxis, rvScale(1.0 / length, axis));
    def->frameA = (rvPose){rvPosePointBack(poseA, point), rvQuatMul(rvQuatConj(poseA.q), q)};
    def->frameB = (rvPose){rvPosePointBack(poseB, point), rvQuatMul(rvQuatConj(poseB.q), q)};
    return true;
}

rvStatus rv_joint_set_axis(rvJoint* joint, const rvBodyStore* bodies, rvError* error, int axis,
                           const rvJointAxis* command)
{
    const rvJointLayout* layout = rv_joint_layout(joint->type);
    if (axis < 0 || axis >= layout->axisCount)
        return refuse(error, joint->name, "axis: is %d, a %s joint has %d", axis, layout->name, layout->axisCount);
    rvStatus status = check_axis(error, joint->name, layout, axis, command);
    if (status)
        return status;
    rvJointAxis* now = &joint->state.axes[axis];
    bool yielded = now->limited || now->motor != RV_MOTOR_OFF;
    take_axis(now, command);
    if (layout->yields && yielded)
        joint->state.length = rv_joint_value(joint, bodies, axis);
    return RV_OK;
}
