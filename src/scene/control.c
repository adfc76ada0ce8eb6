// SPDX-License-Identifier: MIT
// Controls: what a person at the levers can drive. Each winch, each wheel with a motor, each axis of a joint with a
// motor or a command, and each prescribed body (along x, y and z) is one, driven by its speed.
//
// How fast a lever goes follows from the scene: the largest speed that its command asks for, or the steepest part of a
// commanded position; without a command what the motor was given, else 1 m/s or 0.2 rad/s.
#include "scene/channel.h"
#include "scene/fields.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const rvScene* scene;
    rvControl* controls;
    int count, capacity;
} Search;

// ---- how fast

// Largest change a second of component `part` of a curve of positions.
static double steepest(const rvCurve* curve, int part)
{
    double most = 0.0;
    for (int i = 1; i < curve->count; ++i) {
        const double* from = curve->rows + (size_t)(i - 1) * (size_t)(1 + curve->width);
        const double* to = from + 1 + curve->width;
        if (to[0] > from[0])
            most = fmax(most, fabs((to[1 + part] - from[1 + part]) / (to[0] - from[0])));
    }
    return most;
}

static double largest(const rvCurve* curve)
{
    double most = 0.0;
    for (int i = 0; i < curve->count; ++i)
        most = fmax(most, fabs(curve->rows[(size_t)i * (size_t)(1 + curve->width) + 1]));
    return most;
}

static bool ends_with(const char* text, const char* end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool is_speed(const char* quantity)
{
    return ends_with(quantity, "speed") || ends_with(quantity, "speed2");
}

static bool is_position(const char* quantity)
{
    static const char* const names[] = {"length", "position", "angle", "angle2"};
    for (int i = 0; i < 4; ++i)
        if (ends_with(quantity, names[i]))
            return true;
    return false;
}

// The command that moves this part of this object, or NULL.
static const rvSceneChannel* command_of(const rvScene* scene, const rvControl* control)
{
    static const rvNamedKind kinds[] = {RV_NAMED_CABLE, RV_NAMED_CABLE, RV_NAMED_JOINT, RV_NAMED_BODY};
    const rvSceneChannel* commands = scene->root.commands.items;
    for (int i = 0; i < scene->root.commands.count; ++i) {
        const rvChannelRef* ref = &commands[i].ref;
        if (ref->channel->kind != kinds[control->kind] || ref->object != control->object)
            continue;
        bool mine = control->kind == RV_CONTROL_BODY    ? strcmp(ref->channel->name, "position") == 0
                    : control->kind == RV_CONTROL_MOTOR ? ref->channel->slot == control->part
                                                        : ref->place == control->part;
        if (mine && (is_speed(ref->channel->name) || is_position(ref->channel->name)))
            return &commands[i];
    }
    return NULL;
}

static void look_at_command(const rvScene* scene, rvControl* control)
{
    const rvSceneChannel* command = command_of(scene, control);
    control->commanded = command != NULL;
    if (!command)
        return;
    double fastest = is_speed(command->ref.channel->name)
                         ? largest(&command->curve)
                         : steepest(&command->curve, control->kind == RV_CONTROL_BODY ? control->part : 0);
    if (fastest > 0.0)
        control->maxSpeed = fastest;
}

static bool are_equal(const rvCurve* a, const rvCurve* b)
{
    size_t size = (size_t)a->count * (size_t)(1 + a->width) * sizeof *a->rows;
    return a->count == b->count && a->width == b->width && memcmp(a->rows, b->rows, size) == 0;
}

// The first control that is commanded as this one is.
static int gang_of(const Search* search, int index)
{
    const rvControl* control = &search->controls[index];
    const rvSceneChannel* command = command_of(search->scene, control);
    for (int i = 0; command && control->kind != RV_CONTROL_BODY && i < index; ++i) {
        const rvControl* other = &search->controls[i];
        if (!other->commanded || other->kind != control->kind)
            continue;
        const rvSceneChannel* its = command_of(search->scene, other);
        if (its->ref.channel == command->ref.channel && are_equal(&its->curve, &command->curve))
            return i;
    }
    return index;
}

// ---- which

static void add(Search* search, const rvControl* control)
{
    if (search->count < search->capacity)
        search->controls[search->count] = *control;
    search->count++;
}

static rvControl fresh(rvControlKind kind, int object, int part, const char* unit, double maxSpeed)
{
    rvControl control = {.kind = kind, .object = object, .part = part, .unit = unit, .maxSpeed = maxSpeed};
    control.lower = -HUGE_VAL;
    control.upper = control.maxForce = HUGE_VAL;
    return control;
}

static void add_joint_axes(Search* search, int index)
{
    const rvSceneJoint* joint = rv_scene_joint(search->scene, index);
    const rvSceneAxis* axes[3] = {&joint->slide, &joint->turn, &joint->turn2};
    static const char* const names[3] = {"speed", "angular_speed", "angular_speed2"};
    for (int slot = 0; slot < 3; ++slot) {
        if (rv_joint_axis(joint->def.type, slot) < 0)
            continue;
        const rvSceneAxis* axis = axes[slot];
        bool motor = rv_object_has(&rvSlideKind, axis, "speed") || rv_object_has(&rvSlideKind, axis, "position");
        rvControl control = fresh(RV_CONTROL_MOTOR, index, slot, slot ? "rad/s" : "m/s", slot ? 0.2 : 1.0);
        if (axis->speed != 0.0)
            control.maxSpeed = fabs(axis->speed);
        look_at_command(search->scene, &control);
        if (!control.commanded && !motor)
            continue;
        if (rv_object_has(&rvSlideKind, axis, "limits")) {
            control.lower = axis->limits.lower;
            control.upper = axis->limits.upper;
        }
        control.maxForce = axis->def.maxForce;
        snprintf(control.name, sizeof control.name, "%s.%s", joint->head.name, names[slot]);
        add(search, &control);
    }
}

static void add_cable_places(Search* search, int index)
{
    const rvSceneCable* cable = rv_scene_cable(search->scene, index);
    int winches = 0;
    for (int i = 0; i < cable->route.count; ++i) {
        const rvPlaceDef* place = &rv_scene_place(cable, i)->def;
        const char* name = "winch_speed";
        rvControl control = fresh(RV_CONTROL_WINCH, index, i, "m/s", 1.0);
        if (place->type == RV_PLACE_WINCH) {
            bool keeps = place->winch.control == RV_WINCH_LENGTH || place->winch.control == RV_WINCH_TENSION;
            control.lower = place->winch.minLength;
            control.upper = place->winch.maxLength;
            control.maxForce = place->winch.maxForce;
            if (keeps || place->winch.speed != 0.0)
                control.maxSpeed = keeps ? place->winch.maxSpeed : fabs(place->winch.speed);
            ++winches;
        } else if (place->type == RV_PLACE_SHEAVE && place->wheel.driveTorque > 0.0) {
            control = fresh(RV_CONTROL_WHEEL, index, i, "rad/s", 1.0);
            control.maxForce = place->wheel.driveTorque;
            if (place->wheel.driveSpeed != 0.0)
                control.maxSpeed = fabs(place->wheel.driveSpeed);
            name = "wheel_speed";
        } else
            continue;
        look_at_command(search->scene, &control);
        bool numbered = control.kind == RV_CONTROL_WHEEL || winches > 1; // the first winch needs no number
        snprintf(control.name, sizeof control.name, numbered ? "%s.%s[%d]" : "%s.%s", cable->head.name, name, i);
        add(search, &control);
    }
}

static void add_body(Search* search, int index)
{
    const rvSceneBody* body = rv_scene_body(search->scene, index);
    if (body->def.type != RV_BODY_KINEMATIC)
        return;
    for (int part = 0; part < 3; ++part) {
        rvControl control = fresh(RV_CONTROL_BODY, index, part, "m/s", 1.0);
        look_at_command(search->scene, &control);
        snprintf(control.name, sizeof control.name, "%s.velocity.%c", body->head.name, "xyz"[part]);
        add(search, &control);
    }
}

int rvScene_GetControls(const rvScene* scene, rvControl* controls, int capacity)
{
    capacity = controls ? capacity : 0;
    Search search = {.scene = scene, .controls = controls, .capacity = capacity};
    const rvSceneRoot* root = &scene->root;
    for (int i = 0; i < root->cables.count; ++i)
        add_cable_places(&search, i);
    for (int i = 0; i < root->joints.count; ++i)
        add_joint_axes(&search, i);
    for (int i = 0; i < root->bodies.count; ++i)
        add_body(&search, i);
    for (int i = 0; i < search.count && i < capacity; ++i)
        controls[i].gang = gang_of(&search, i);
    return search.count;
}

// ---- driving

static bool is_of(const rvScene* scene, const rvControl* control)
{
    const rvSceneRoot* root = &scene->root;
    int count = control->kind == RV_CONTROL_BODY    ? root->bodies.count
                : control->kind == RV_CONTROL_MOTOR ? root->joints.count
                                                    : root->cables.count;
    bool part = control->kind == RV_CONTROL_WINCH || control->kind == RV_CONTROL_WHEEL || control->part < 3;
    if (control->object < 0 || control->object >= count || control->part < 0 || !part)
        return false;
    return control->kind != RV_CONTROL_WHEEL || control->part < rv_scene_cable(scene, control->object)->route.count;
}

static double* component(rvVec3* v, int part)
{
    return part == 0 ? &v->x : part == 1 ? &v->y : &v->z;
}

static const rvSceneAxis* axis_of(const rvSceneJoint* joint, int slot)
{
    return slot == 0 ? &joint->slide : slot == 1 ? &joint->turn : &joint->turn2;
}

// All directions of one body at once, which is moved to one pose. Answers how many controls that were.
static int drive_body(const rvScene* scene, rvWorld* world, const rvControl* controls, const double* speeds, int count,
                      double dt, rvStatus* status)
{
    rvBodyId id = rv_scene_body(scene, controls->object)->id;
    rvPose pose = rvBody_GetPose(world, id);
    int i = 0;
    for (; i < count && controls[i].kind == RV_CONTROL_BODY && controls[i].object == controls->object; ++i)
        if (is_of(scene, &controls[i]))
            *component(&pose.p, controls[i].part) += speeds[i] * dt;
    *status = rvBody_MoveTo(world, id, pose);
    return i;
}

static rvStatus drive_motor(const rvScene* scene, rvWorld* world, const rvControl* control, double speed)
{
    if (control->kind == RV_CONTROL_MOTOR) {
        const rvSceneJoint* joint = rv_scene_joint(scene, control->object);
        return rvJoint_SetMotor(world, joint->id, rv_joint_axis(joint->def.type, control->part), RV_MOTOR_SPEED, speed,
                                axis_of(joint, control->part)->def.maxForce);
    }
    const rvSceneCable* cable = rv_scene_cable(scene, control->object);
    if (control->kind == RV_CONTROL_WINCH)
        return rvCable_SetWinchSpeed(world, cable->id, control->part, speed);
    return rvCable_SetWheelDrive(world, cable->id, control->part, speed,
                                 rv_scene_place(cable, control->part)->def.wheel.driveTorque);
}

rvStatus rvScene_Drive(const rvScene* scene, rvWorld* world, const rvControl* controls, const double* speeds, int count,
                       double dt)
{
    rvStatus status = RV_OK;
    for (int i = 0; i < count && status == RV_OK;) {
        if (!is_of(scene, &controls[i]))
            return RV_BAD_INPUT;
        if (controls[i].kind == RV_CONTROL_BODY) {
            i += drive_body(scene, world, &controls[i], &speeds[i], count - i, dt, &status);
        } else {
            status = drive_motor(scene, world, &controls[i], speeds[i]);
            ++i;
        }
    }
    return status;
}

rvControlState rvControl_GetState(const rvScene* scene, const rvWorld* world, const rvControl* control)
{
    rvControlState state = {0};
    if (!is_of(scene, control))
        return state;
    if (control->kind == RV_CONTROL_BODY) {
        rvBodyId id = rv_scene_body(scene, control->object)->id;
        rvVec3 position = rvBody_GetPose(world, id).p, velocity = rvBody_GetVelocity(world, id), force, torque;
        rvBody_GetWrench(world, id, &force, &torque);
        state.position = *component(&position, control->part);
        state.speed = *component(&velocity, control->part);
        state.force = *component(&force, control->part);
    } else if (control->kind == RV_CONTROL_MOTOR) {
        const rvSceneJoint* joint = rv_scene_joint(scene, control->object);
        int axis = rv_joint_axis(joint->def.type, control->part);
        state.position = rvJoint_GetValue(world, joint->id, axis);
        state.speed = rvJoint_GetSpeed(world, joint->id, axis);
        state.force = rvJoint_GetMotorForce(world, joint->id, axis);
    } else if (control->kind == RV_CONTROL_WINCH) {
        rvCableId id = rv_scene_cable(scene, control->object)->id;
        rvWinchDef winch;
        state.position = rvCable_GetWinchLength(world, id, control->part);
        state.speed = rvCable_GetWinchSpeed(world, id, control->part);
        state.force = rvCable_GetWinchForce(world, id, control->part);
        state.brake = rvCable_GetWinch(world, id, control->part, &winch) == RV_OK && winch.brake;
    } else {
        rvCableId id = rv_scene_cable(scene, control->object)->id;
        state.speed = rvCable_GetWheelSpeed(world, id, control->part);
        state.force = rvCable_GetWheelTorque(world, id, control->part);
    }
    return state;
}

// ---- what is drawn

int rvScene_GetPlaceCount(const rvScene* scene, int cable)
{
    return cable >= 0 && cable < scene->root.cables.count ? rv_scene_cable(scene, cable)->route.count : 0;
}

bool rvScene_GetPlace(const rvScene* scene, int cable, int place, rvPlaceDef* def, int* body)
{
    if (place < 0 || place >= rvScene_GetPlaceCount(scene, cable))
        return false;
    const rvScenePlace* found = rv_scene_place(rv_scene_cable(scene, cable), place);
    if (body)
        *body = found->bodyIndex;
    if (def) {
        *def = found->def;
        def->body = found->bodyIndex < 0 ? RV_NULL_BODY : rv_scene_body(scene, found->bodyIndex)->id;
    }
    return true;
}

const rvCableDef* rvScene_GetCableDef(const rvScene* scene, int cable)
{
    return cable >= 0 && cable < scene->root.cables.count ? &rv_scene_cable(scene, cable)->def : NULL;
}
