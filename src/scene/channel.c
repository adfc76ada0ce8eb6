// SPDX-License-Identifier: MIT
// The table of channels: what each reads and sets. How their names are read: channel_find.c.
#include "scene/channel.h"

#include <stdlib.h>
#include <string.h>

int rv_joint_axis(rvJointType type, int slot)
{
    static const signed char axes[][3] = {
        [RV_JOINT_FIXED] = {-1, -1, -1},   [RV_JOINT_BALL] = {-1, 0, -1},       [RV_JOINT_HINGE] = {-1, 0, -1},
        [RV_JOINT_SLIDER] = {0, -1, -1},   [RV_JOINT_CYLINDRICAL] = {0, 1, -1}, [RV_JOINT_UNIVERSAL] = {-1, 0, 1},
        [RV_JOINT_DISTANCE] = {0, -1, -1},
    };
    return slot < 0 ? -1 : axes[type][slot];
}

static void put(double* value, rvVec3 v)
{
    value[0] = v.x, value[1] = v.y, value[2] = v.z;
}

// Reads a channel by one statement.
#define GETTER(name, statement)                                                                                        \
    static void get_##name(const rvScene* scene, const rvWorld* world, const rvChannelRef* ref, double* value)         \
    {                                                                                                                  \
        statement;                                                                                                     \
    }

// The force or the torque of a call that answers both.
#define WRENCH_GETTER(name, call, id, part)                                                                            \
    static void get_##name(const rvScene* scene, const rvWorld* world, const rvChannelRef* ref, double* value)         \
    {                                                                                                                  \
        rvVec3 force, torque;                                                                                          \
        call(world, id(scene, ref), &force, &torque);                                                                  \
        put(value, part);                                                                                              \
    }

// ---- bodies

static rvBodyId body_id(const rvScene* scene, const rvChannelRef* ref)
{
    return rv_scene_body(scene, ref->object)->id;
}

rvPose rv_scene_pose_at(const rvSceneBody* body, double time)
{
    rvPose pose = body->def.pose;
    double v[RV_CURVE_MAX_WIDTH];
    if (body->positionCurve) {
        rv_curve_at(body->positionCurve, time, v);
        pose.p = rvVec(v[0], v[1], v[2]);
    }
    if (body->orientationCurve) {
        rv_curve_at(body->orientationCurve, time, v);
        rvQuat q = {v[0], v[1], v[2], v[3]};
        pose.q = q;
    }
    return pose;
}

static rvStatus set_pose(const rvScene* scene, rvWorld* world, const rvChannelRef* ref, const rvCurve* curve,
                         double time, double dt)
{
    (void)curve;
    return rvBody_MoveTo(world, body_id(scene, ref), rv_scene_pose_at(rv_scene_body(scene, ref->object), time + dt));
}

static rvStatus set_force(const rvScene* scene, rvWorld* world, const rvChannelRef* ref, const rvCurve* curve,
                          double time, double dt)
{
    double f[3];
    rvBodyId id = body_id(scene, ref);
    rv_curve_mean(curve, time, time + dt, f);
    return rvBody_ApplyForce(world, id, rvVec(f[0], f[1], f[2]), rvBody_GetCenter(world, id));
}

static rvStatus set_torque(const rvScene* scene, rvWorld* world, const rvChannelRef* ref, const rvCurve* curve,
                           double time, double dt)
{
    double t[3];
    rv_curve_mean(curve, time, time + dt, t);
    return rvBody_ApplyTorque(world, body_id(scene, ref), rvVec(t[0], t[1], t[2]));
}

GETTER(position, put(value, rvBody_GetPose(world, body_id(scene, ref)).p))
GETTER(center, put(value, rvBody_GetCenter(world, body_id(scene, ref))))
GETTER(velocity, put(value, rvBody_GetVelocity(world, body_id(scene, ref))))
GETTER(angular_velocity, put(value, rvBody_GetAngularVelocity(world, body_id(scene, ref))))
WRENCH_GETTER(reaction, rvBody_GetWrench, body_id, force)
WRENCH_GETTER(reaction_torque, rvBody_GetWrench, body_id, torque)

static void get_orientation(const rvScene* scene, const rvWorld* world, const rvChannelRef* ref, double* value)
{
    rvQuat q = rvBody_GetPose(world, body_id(scene, ref)).q;
    value[0] = q.w, value[1] = q.x, value[2] = q.y, value[3] = q.z;
}

// ---- joints

static rvJointId joint_id(const rvScene* scene, const rvChannelRef* ref)
{
    return rv_scene_joint(scene, ref->object)->id;
}

static int joint_axis(const rvScene* scene, const rvChannelRef* ref)
{
    return rv_joint_axis(rv_scene_joint(scene, ref->object)->def.type, ref->channel->slot);
}

static const rvSceneAxis* joint_drive(const rvScene* scene, const rvChannelRef* ref)
{
    const rvSceneJoint* joint = rv_scene_joint(scene, ref->object);
    return ref->channel->slot == 0 ? &joint->slide : ref->channel->slot == 1 ? &joint->turn : &joint->turn2;
}

static rvStatus set_motor_speed(const rvScene* scene, rvWorld* world, const rvChannelRef* ref, const rvCurve* curve,
                                double time, double dt)
{
    double speed;
    rv_curve_mean(curve, time, time + dt, &speed);
    return rvJoint_SetMotor(world, joint_id(scene, ref), joint_axis(scene, ref), RV_MOTOR_SPEED, speed,
                            joint_drive(scene, ref)->def.maxForce);
}

static rvStatus set_motor_position(const rvScene* scene, rvWorld* world, const rvChannelRef* ref, const rvCurve* curve,
                                   double time, double dt)
{
    double position;
    rv_curve_at(curve, time + dt, &position);
    return rvJoint_SetMotor(world, joint_id(scene, ref), joint_axis(scene, ref), RV_MOTOR_POSITION, position,
                            joint_drive(scene, ref)->def.maxForce);
}

GETTER(value, *value = rvJoint_GetValue(world, joint_id(scene, ref), joint_axis(scene, ref)))
GETTER(speed, *value = rvJoint_GetSpeed(world, joint_id(scene, ref), joint_axis(scene, ref)))
GETTER(motor, *value = rvJoint_GetMotorForce(world, joint_id(scene, ref), joint_axis(scene, ref)))
WRENCH_GETTER(joint_force, rvJoint_GetForce, joint_id, force)
WRENCH_GETTER(joint_torque, rvJoint_GetForce, joint_id, torque)

static void get_joint_error(const rvScene* scene, const rvWorld* world, const rvChannelRef* ref, double* value)
{
    double rotation;
    rvJoint_GetError(world, joint_id(scene, ref), value, &rotation);
}

// ---- cables

static rvCableId cable_id(const rvScene* scene, const rvChannelRef* ref)
{
    return rv_scene_cable(scene, ref->object)->id;
}

// Where the named place is by now: events of the scene let others come and go. -1: it has gone.
static int place_now(const rvScene* scene, const rvWorld* world, const rvChannelRef* ref)
{
    return rvCable_FindPlace(world, cable_id(scene, ref), ref->place);
}

// By the mean of the command over the step.
#define PLACE_SETTER(name, call)                                                                                       \
    static rvStatus set_##name(const rvScene* scene, rvWorld* world, const rvChannelRef* ref, const rvCurve* curve,    \
                               double time, double dt)                                                                 \
    {                                                                                                                  \
        double value;                                                                                                  \
        rv_curve_mean(curve, time, time + dt, &value);                                                                 \
        return call(world, cable_id(scene, ref), place_now(scene, world, ref), value);                                 \
    }

PLACE_SETTER(winch_speed, rvCable_SetWinchSpeed)
PLACE_SETTER(drum_speed, rvCable_SetWinchDrum)
PLACE_SETTER(winch_force, rvCable_SetWinchTension)

static rvStatus set_winch_length(const rvScene* scene, rvWorld* world, const rvChannelRef* ref, const rvCurve* curve,
                                 double time, double dt)
{
    double value;
    rv_curve_at(curve, time + dt, &value);
    return rvCable_SetWinchLength(world, cable_id(scene, ref), place_now(scene, world, ref), value);
}

static rvStatus set_winch_brake(const rvScene* scene, rvWorld* world, const rvChannelRef* ref, const rvCurve* curve,
                                double time, double dt)
{
    double value;
    rv_curve_at(curve, time + 0.5 * dt, &value);
    return rvCable_SetWinchBrake(world, cable_id(scene, ref), place_now(scene, world, ref), value > 0.5);
}

static rvStatus set_held(const rvScene* scene, rvWorld* world, const rvChannelRef* ref, const rvCurve* curve,
                         double time, double dt)
{
    double value;
    rv_curve_at(curve, time + 0.5 * dt, &value);
    if (rvCable_IsBroken(world, cable_id(scene, ref))) // then nothing holds it, whatever is commanded
        return RV_OK;
    int place = place_now(scene, world, ref);
    if (place < 0 && !(value > 0.5)) // it let go, and is gone
        return RV_OK;
    rvStatus status = rvCable_SetHeld(world, cable_id(scene, ref), place, value > 0.5);
    return status == RV_MISSED ? RV_OK : status; // an event tells it, and as soon as it is near enough it is held
}

static rvStatus set_wheel_speed(const rvScene* scene, rvWorld* world, const rvChannelRef* ref, const rvCurve* curve,
                                double time, double dt)
{
    double value;
    rv_curve_mean(curve, time, time + dt, &value);
    const rvScenePlace* place = rv_scene_place(rv_scene_cable(scene, ref->object), ref->place);
    return rvCable_SetWheelDrive(world, cable_id(scene, ref), place_now(scene, world, ref), value,
                                 place->def.wheel.driveTorque);
}

GETTER(winch_speed, *value = rvCable_GetWinchSpeed(world, cable_id(scene, ref), place_now(scene, world, ref)))
GETTER(winch_length, *value = rvCable_GetWinchLength(world, cable_id(scene, ref), place_now(scene, world, ref)))
GETTER(winch_stored, *value = rvCable_GetWinchStored(world, cable_id(scene, ref), place_now(scene, world, ref)))
GETTER(winch_force, *value = rvCable_GetWinchForce(world, cable_id(scene, ref), place_now(scene, world, ref)))
GETTER(winch_power, *value = rvCable_GetWinchPower(world, cable_id(scene, ref), place_now(scene, world, ref)))
GETTER(winch_work, *value = rvCable_GetWinchWork(world, cable_id(scene, ref), place_now(scene, world, ref)))
GETTER(winch_heat, *value = rvCable_GetWinchHeat(world, cable_id(scene, ref), place_now(scene, world, ref)))
GETTER(drum_angle, *value = rvCable_GetDrumAngle(world, cable_id(scene, ref), place_now(scene, world, ref)))
GETTER(drum_speed, *value = rvCable_GetDrumSpeed(world, cable_id(scene, ref), place_now(scene, world, ref)))
GETTER(wrap_angle, *value = rvCable_GetWrapAngle(world, cable_id(scene, ref), place_now(scene, world, ref)))
GETTER(wheel_speed, *value = rvCable_GetWheelSpeed(world, cable_id(scene, ref), place_now(scene, world, ref)))
GETTER(wheel_torque, *value = rvCable_GetWheelTorque(world, cable_id(scene, ref), place_now(scene, world, ref)))
GETTER(wheel_power, *value = rvCable_GetWheelPower(world, cable_id(scene, ref), place_now(scene, world, ref)))
GETTER(wheel_work, *value = rvCable_GetWheelWork(world, cable_id(scene, ref), place_now(scene, world, ref)))
GETTER(rest_length, *value = rvCable_GetRestLength(world, cable_id(scene, ref)))
GETTER(taut, *value = rvCable_IsTaut(world, cable_id(scene, ref)))
GETTER(broken, *value = rvCable_IsBroken(world, cable_id(scene, ref)))
GETTER(contact_count, *value = rvCable_GetContactCount(world, cable_id(scene, ref)))
GETTER(twist, *value = rvCable_GetTwist(world, cable_id(scene, ref)))
GETTER(stretch_energy, *value = rvCable_GetEnergy(world, cable_id(scene, ref)).stretch)
GETTER(twist_energy, *value = rvCable_GetEnergy(world, cable_id(scene, ref)).twist)
GETTER(cable_heat, *value = rvCable_GetEnergy(world, cable_id(scene, ref)).heat)

// Where it comes to a place and leaves it; the same where it does not bend.
static void get_touch(const rvScene* scene, const rvWorld* world, const rvChannelRef* ref, double* value, bool out)
{
    rvVec3 ends[2];
    rvCable_GetTangents(world, cable_id(scene, ref), place_now(scene, world, ref), &ends[0], &ends[1]);
    put(value, ends[out]);
}

GETTER(tangent_in, get_touch(scene, world, ref, value, false))
GETTER(tangent_out, get_touch(scene, world, ref, value, true))

// What it does to the body that holds a place.
static void get_pull(const rvScene* scene, const rvWorld* world, const rvChannelRef* ref, double* value, bool torque)
{
    rvVec3 pull[2];
    rvCableId cable = cable_id(scene, ref);
    rvBodyId body = rvCable_GetPlaceBody(world, cable, place_now(scene, world, ref));
    rvCable_GetForceOn(world, cable, body, &pull[0], &pull[1]);
    put(value, pull[torque]);
}

GETTER(cable_force, get_pull(scene, world, ref, value, false))
GETTER(cable_torque, get_pull(scene, world, ref, value, true))

GETTER(held, *value = rvCable_IsHeld(world, cable_id(scene, ref), place_now(scene, world, ref)))

// At the named length; of rope that a winch has taken in since nothing is left.
static rvCableSection section_at(const rvScene* scene, const rvWorld* world, const rvChannelRef* ref)
{
    rvCableSection section;
    rvCable_GetSection(world, cable_id(scene, ref), ref->at, &section);
    return section;
}

// At the named length, or of the named span, else the largest.
static void get_tension(const rvScene* scene, const rvWorld* world, const rvChannelRef* ref, double* value)
{
    rvCableId id = cable_id(scene, ref);
    if (ref->at >= 0.0) {
        *value = section_at(scene, world, ref).tension;
        return;
    }
    *value = ref->place >= 0 ? rvCable_GetTension(world, id, place_now(scene, world, ref))
                             : rvCable_GetLargestTension(world, id);
}

// The number of a section at `field`: at the named length, else where it is largest along the cable, with its sign.
static double in_sections(const rvScene* scene, const rvWorld* world, const rvChannelRef* ref, size_t field)
{
    if (ref->at >= 0.0) {
        rvCableSection section = section_at(scene, world, ref);
        double value;
        memcpy(&value, (const char*)&section + field, sizeof value);
        return value;
    }
    rvCableSection sections[64];
    rvCableId id = cable_id(scene, ref);
    int count = rvCable_GetSections(world, id, NULL, 0);
    rvCableSection* all = count > 64 ? calloc((size_t)count, sizeof *all) : sections;
    if (!all)
        return (double)NAN; // errno says that memory is missing
    count = rvCable_GetSections(world, id, all, count);
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        double value;
        memcpy(&value, (const char*)&all[i] + field, sizeof value);
        most = fabs(value) > fabs(most) ? value : most;
    }
    if (all != sections)
        free(all);
    return most;
}

GETTER(curvature, *value = in_sections(scene, world, ref, offsetof(rvCableSection, curvature)))
GETTER(moment, *value = in_sections(scene, world, ref, offsetof(rvCableSection, moment)))
GETTER(torsion, *value = in_sections(scene, world, ref, offsetof(rvCableSection, torsion)))
GETTER(shear, *value = in_sections(scene, world, ref, offsetof(rvCableSection, shear)))
GETTER(strain, *value = in_sections(scene, world, ref, offsetof(rvCableSection, strain)))

// Of the named span, else the whole route.
static void get_length(const rvScene* scene, const rvWorld* world, const rvChannelRef* ref, double* value)
{
    rvCableId id = cable_id(scene, ref);
    *value =
        ref->place >= 0 ? rvCable_GetSpanLength(world, id, place_now(scene, world, ref)) : rvCable_GetLength(world, id);
}

static rvStatus set_winch_compliance(const rvScene* scene, rvWorld* world, const rvChannelRef* ref,
                                     const rvCurve* curve, double time, double dt)
{
    rvWinchDef winch;
    rvStatus status = rvCable_GetWinch(world, cable_id(scene, ref), place_now(scene, world, ref), &winch);
    rv_curve_mean(curve, time, time + dt, &winch.compliance);
    return status == RV_OK ? rvCable_SetWinch(world, cable_id(scene, ref), place_now(scene, world, ref), &winch)
                           : status;
}

GETTER(point, put(value, section_at(scene, world, ref).point))
GETTER(tangent, put(value, section_at(scene, world, ref).tangent))
GETTER(inner_force, put(value, section_at(scene, world, ref).force))
GETTER(couple, put(value, section_at(scene, world, ref).couple))

static void get_twist_torque(const rvScene* scene, const rvWorld* world, const rvChannelRef* ref, double* value)
{
    rvCableId id = cable_id(scene, ref);
    bool varies = ref->at >= 0.0 || rvCable_GetSections(world, id, NULL, 0) > 0;
    *value =
        varies ? in_sections(scene, world, ref, offsetof(rvCableSection, torque)) : rvCable_GetTwistTorque(world, id);
}

// ---- the world

#define WORLD_GETTER(name, expression)                                                                                 \
    static void get_##name(const rvScene* scene, const rvWorld* world, const rvChannelRef* ref, double* value)         \
    {                                                                                                                  \
        (void)scene, (void)ref;                                                                                        \
        rvEnergy energy = rvWorld_GetEnergy(world);                                                                    \
        rvStepInfo info = rvWorld_GetStepInfo(world);                                                                  \
        (void)energy, (void)info;                                                                                      \
        *value = (double)(expression);                                                                                 \
    }

WORLD_GETTER(kinetic, energy.kinetic)
WORLD_GETTER(potential, energy.potential)
WORLD_GETTER(elastic, energy.elastic)
WORLD_GETTER(work, energy.work)
WORLD_GETTER(heat, energy.heat)
WORLD_GETTER(damping_heat, energy.dampingHeat)
WORLD_GETTER(joint_heat, energy.jointHeat)
WORLD_GETTER(contact_heat, energy.contactHeat)
WORLD_GETTER(turning_heat, energy.turningHeat)
WORLD_GETTER(guard_heat, energy.guard)
WORLD_GETTER(total, energy.kinetic + energy.potential + energy.elastic)
WORLD_GETTER(rows, info.rows)
WORLD_GETTER(contacts, info.contacts)
WORLD_GETTER(passes, info.passes)
WORLD_GETTER(pivots, info.pivots)
WORLD_GETTER(residual, info.residual)
WORLD_GETTER(gap, info.worstGap)

#define BODY(name, unit, width, help, ...)                                                                             \
    {                                                                                                                  \
        RV_NAMED_BODY, name, unit, width, RV_INDEX_NONE, -1, RV_ALONG_NONE, help, __VA_ARGS__                          \
    }
#define JOINT(name, unit, width, slot, help, ...)                                                                      \
    {                                                                                                                  \
        RV_NAMED_JOINT, name, unit, width, RV_INDEX_NONE, slot, RV_ALONG_NONE, help, __VA_ARGS__                       \
    }
#define CABLE(name, unit, index, help, ...)                                                                            \
    {                                                                                                                  \
        RV_NAMED_CABLE, name, unit, 1, index, -1, RV_ALONG_NONE, help, __VA_ARGS__                                     \
    }
#define ALONG(name, unit, width, index, along, help, get)                                                              \
    {                                                                                                                  \
        RV_NAMED_CABLE, name, unit, width, index, -1, along, help, get, NULL                                           \
    }
#define WORLD(name, unit, help, get)                                                                                   \
    {                                                                                                                  \
        RV_NAMED_WORLD, name, unit, 1, RV_INDEX_NONE, -1, RV_ALONG_NONE, help, get, NULL                               \
    }

const rvChannel rvChannels[] = {
    BODY("position", "m", 3, "of the body's frame; driven: kinematic bodies only", get_position, set_pose),
    BODY("orientation", "", 4, "quaternion; driven: kinematic bodies only", get_orientation, set_pose),
    BODY("center", "m", 3, "centre of mass", get_center, NULL),
    BODY("velocity", "m/s", 3, "of the centre of mass", get_velocity, NULL),
    BODY("angular_velocity", "rad/s", 3, "in world axes", get_angular_velocity, NULL),
    BODY("reaction", "N", 3, "force by cables, joints and contacts", get_reaction, NULL),
    BODY("reaction_torque", "N m", 3, "their torque about the centre of mass", get_reaction_torque, NULL),
    BODY("force", "N", 3, "force on the centre of mass, in world axes", NULL, set_force),
    BODY("torque", "N m", 3, "torque, in world axes", NULL, set_torque),
    JOINT("position", "m", 1, 0, "of the sliding axis", get_value, set_motor_position),
    JOINT("speed", "m/s", 1, 0, "of the sliding axis", get_speed, set_motor_speed),
    JOINT("motor_force", "N", 1, 0, "of the motor of the sliding axis", get_motor, NULL),
    JOINT("angle", "rad", 1, 1, "of the turning axis, turns are counted", get_value, set_motor_position),
    JOINT("angular_speed", "rad/s", 1, 1, "of the turning axis", get_speed, set_motor_speed),
    JOINT("motor_torque", "N m", 1, 1, "of the motor of the turning axis", get_motor, NULL),
    JOINT("angle2", "rad", 1, 2, "of the second turning axis", get_value, set_motor_position),
    JOINT("angular_speed2", "rad/s", 1, 2, "of the second turning axis", get_speed, set_motor_speed),
    JOINT("motor_torque2", "N m", 1, 2, "of the motor of the second turning axis", get_motor, NULL),
    JOINT("force", "N", 3, -1, "on body b", get_joint_force, NULL),
    JOINT("torque", "N m", 3, -1, "on body b, about the joint's point", get_joint_torque, NULL),
    JOINT("error", "m", 1, -1, "largest error of what it holds", get_joint_error, NULL),
    ALONG(
        "tension", "N", 1, RV_INDEX_SPAN, RV_ALONG_MAY,
        "the mean of span [i]; without a number the largest, at ends of spans too; with @s at the rest length s along "
        "the cable [m], as `tension@2.5`",
        get_tension),
    CABLE("length", "m", RV_INDEX_SPAN, "of span [i]; without a number of the whole route", get_length, NULL),
    ALONG("curvature", "1/m", 1, RV_INDEX_NONE, RV_ALONG_MAY, "at @s; without it where model curve is bent most",
          get_curvature),
    ALONG("moment", "N m", 1, RV_INDEX_NONE, RV_ALONG_MAY,
          "that bends it, at @s; without it the largest of model curve", get_moment),
    ALONG("torsion", "rad/m", 1, RV_INDEX_NONE, RV_ALONG_MAY,
          "of model curve in space, at @s; without it where it is twisted most", get_torsion),
    ALONG("shear", "N", 1, RV_INDEX_NONE, RV_ALONG_MAY, "force across it, at @s; without it the largest of model curve",
          get_shear),
    ALONG("strain", "", 1, RV_INDEX_NONE, RV_ALONG_MAY, "at @s; without it the largest of model curve", get_strain),
    ALONG("inner_force", "N", 3, RV_INDEX_NONE, RV_ALONG_MUST,
          "that its part beyond @s puts on the part before, in world axes", get_inner_force),
    ALONG("couple", "N m", 3, RV_INDEX_NONE, RV_ALONG_MUST, "the same of moments, about the point at @s", get_couple),
    ALONG("point", "m", 3, RV_INDEX_NONE, RV_ALONG_MUST, "where it is at @s", get_point),
    ALONG("tangent", "", 3, RV_INDEX_NONE, RV_ALONG_MUST, "its direction at @s", get_tangent),
    CABLE("rest_length", "m", RV_INDEX_NONE, "unstretched length out", get_rest_length, NULL),
    CABLE("winch_speed", "m/s", RV_INDEX_WINCH,
          "rate of rope of the winch at place [i], positive pays out; without a "
          "number the first winch",
          get_winch_speed, set_winch_speed),
    CABLE("winch_length", "m", RV_INDEX_WINCH, "rope out; driven: the winch goes there", get_winch_length,
          set_winch_length),
    CABLE("winch_force", "N", RV_INDEX_WINCH, "tension at the winch; driven: the winch keeps it", get_winch_force,
          set_winch_force),
    CABLE("winch_brake", "", RV_INDEX_WINCH, "above 0.5 the motor is off and the brake on; command it after the others",
          NULL, set_winch_brake),
    CABLE("winch_power", "W", RV_INDEX_WINCH, "of its motor", get_winch_power, NULL),
    CABLE("winch_compliance", "m/(s N)", RV_INDEX_WINCH, "of its drive: the rate is winch_speed + compliance * tension",
          NULL, set_winch_compliance),
    CABLE("winch_work", "J", RV_INDEX_WINCH, "work of its motor so far", get_winch_work, NULL),
    CABLE("winch_heat", "J", RV_INDEX_WINCH, "of its slipping brake so far", get_winch_heat, NULL),
    CABLE("winch_stored", "m", RV_INDEX_WINCH, "rope on its drum", get_winch_stored, NULL),
    CABLE("drum_speed", "rad/s", RV_INDEX_WINCH, "of its drum, positive pays out", get_drum_speed, set_drum_speed),
    CABLE("drum_angle", "rad", RV_INDEX_WINCH, "turned by its drum so far", get_drum_angle, NULL),
    CABLE("wrap_angle", "rad", RV_INDEX_SHEAVE,
          "of the cable on the sheave at place [i], 0: it has left it; without a number the first sheave",
          get_wrap_angle, NULL),
    CABLE("wheel_speed", "rad/s", RV_INDEX_SHEAVE, "of that sheave against its body; driven: by its motor",
          get_wheel_speed, set_wheel_speed),
    CABLE("wheel_torque", "N m", RV_INDEX_SHEAVE, "of its motor or bearing, where it has inertia", get_wheel_torque,
          NULL),
    CABLE("wheel_power", "W", RV_INDEX_SHEAVE, "of its motor", get_wheel_power, NULL),
    CABLE("wheel_work", "J", RV_INDEX_SHEAVE, "of its motor so far", get_wheel_work, NULL),
    ALONG("tangent_in", "m", 3, RV_INDEX_PLACE, RV_ALONG_NONE,
          "where the cable comes to place [i], in the world; without a number the first place", get_tangent_in),
    ALONG("tangent_out", "m", 3, RV_INDEX_PLACE, RV_ALONG_NONE, "where it leaves that place", get_tangent_out),
    ALONG("force", "N", 3, RV_INDEX_PLACE, RV_ALONG_NONE,
          "that the cable puts on the body of place [i], by all its places there; 0 on the world", get_cable_force),
    ALONG("torque", "N m", 3, RV_INDEX_PLACE, RV_ALONG_NONE, "the same about the centre of mass of that body",
          get_cable_torque),
    CABLE("held", "", RV_INDEX_ATTACH,
          "1 while the attached place [i] holds it; driven, of model curve: it lets go, and holds again above 0.5; "
          "without a number the first attached place",
          get_held, set_held),
    CABLE("contacts", "", RV_INDEX_NONE, "places where it lies on shapes", get_contact_count, NULL),
    CABLE("twist", "rad", RV_INDEX_NONE, "between its ends, where it has `GJ`; turns are counted", get_twist, NULL),
    ALONG("twist_torque", "N m", 1, RV_INDEX_NONE, RV_ALONG_MAY,
          "in the cable, at @s; without it of model curve the largest along it", get_twist_torque),
    CABLE("stretch_energy", "J", RV_INDEX_NONE, "stored in its stretch, and where it bends in that", get_stretch_energy,
          NULL),
    CABLE("twist_energy", "J", RV_INDEX_NONE, "stored in its twist, where it has `GJ`", get_twist_energy, NULL),
    CABLE("heat", "J", RV_INDEX_NONE, "so far, by its damping, friction at its places and its brakes", get_cable_heat,
          NULL),
    CABLE("taut", "", RV_INDEX_NONE, "1 while it pulls, else 0", get_taut, NULL),
    CABLE("broken", "", RV_INDEX_NONE, "1 once it is broken, else 0", get_broken, NULL),
    WORLD("energy.kinetic", "J", "of all bodies", get_kinetic),
    WORLD("energy.potential", "J", "by gravity", get_potential),
    WORLD("energy.elastic", "J", "of stretched and twisted cables", get_elastic),
    WORLD("energy.total", "J", "kinetic, potential and elastic", get_total),
    WORLD("energy.work", "J", "done by winches, motors and prescribed bodies so far", get_work),
    WORLD("energy.heat", "J", "turned into heat so far, by all", get_heat),
    WORLD("energy.damping_heat", "J",
          "of that, by cables: damping, drag, friction on shapes and wheels, what they held when they went; less what "
          "wind and currents put in",
          get_damping_heat),
    WORLD("energy.joint_heat", "J", "of that, by friction, limits and damping of joints", get_joint_heat),
    WORLD("energy.contact_heat", "J", "of that, by contacts of bodies: friction and impacts", get_contact_heat),
    WORLD("energy.turning_heat", "J", "of that, by steps that cannot follow a turning, less what they gave back",
          get_turning_heat),
    WORLD("energy.guard", "J", "of that, taken by the guard of the energy, less what it gave back", get_guard_heat),
    WORLD("solver.rows", "", "rows of the last solve", get_rows),
    WORLD("solver.contacts", "", "contact points of the last step", get_contacts),
    WORLD("solver.passes", "", "solves of the last step", get_passes),
    WORLD("solver.pivots", "", "factorisations of the last step", get_pivots),
    WORLD("solver.residual", "m/s", "largest residual of a row", get_residual),
    WORLD("solver.gap", "m", "largest position error of a joint", get_gap),
};
const int rvChannelCount = (int)(sizeof rvChannels / sizeof rvChannels[0]);

bool rv_channel_sets_pose(const rvChannel* channel)
{
    return channel->set == set_pose;
}
