// SPDX-License-Identifier: MIT
// A scene that is driven. Until someone touches a lever the scene's own commands run it; from then on the levers do,
// and what the commands moved stands still until it is driven. Levers move to where they are put in `rampTime` from
// zero to full, as the drives of a crane do.
#include "view/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double rampTime = 0.8; // [s]

static bool make_world(rvMachine* machine, char* error, size_t capacity)
{
    if (rvScene_CreateWorld(machine->scene, NULL, &machine->world, error, capacity) != RV_OK)
        return false;
    if (rv_stage_open(&machine->stage, machine->scene, machine->world))
        return true;
    snprintf(error, capacity, "no memory");
    return false;
}

bool rv_machine_open(rvMachine* machine, rvScene* scene, char* error, size_t capacity)
{
    *machine = (rvMachine){.scene = scene};
    bool good = make_world(machine, error, capacity);
    size_t count = (size_t)machine->stage.controlCount + 1;
    machine->levers = calloc(count, sizeof *machine->levers);
    machine->wanted = calloc(count, sizeof *machine->wanted);
    machine->touched = calloc(count, sizeof *machine->touched);
    machine->braked = calloc(count, sizeof *machine->braked);
    if (good && machine->levers && machine->wanted && machine->touched && machine->braked)
        return true;
    rv_machine_release(machine);
    return false;
}

void rv_machine_release(rvMachine* machine)
{
    rv_stage_release(&machine->stage);
    if (machine->world)
        rvDestroyWorld(machine->world);
    rvScene_Destroy(machine->scene);
    free(machine->levers);
    free(machine->wanted);
    free(machine->touched);
    free(machine->braked);
    rv_bytes_release(&machine->saved);
    *machine = (rvMachine){0};
}

// ---- stepping

static rvStatus drive(rvMachine* machine, double h)
{
    const rvStage* stage = &machine->stage;
    for (int i = 0; i < stage->controlCount; ++i) {
        const rvControl* control = &stage->controls[i];
        double most = control->maxSpeed * h / rampTime, error = machine->wanted[i] - machine->levers[i];
        machine->levers[i] += fmin(fmax(error, -most), most);
        rvStatus status = RV_OK;
        if (machine->braked[i])
            status = rvCable_SetWinchBrake(machine->world, rvScene_GetCable(machine->scene, control->object),
                                           control->part, true);
        else if (control->kind != RV_CONTROL_BODY && (control->commanded || machine->touched[i]))
            status = rvScene_Drive(machine->scene, machine->world, control, &machine->levers[i], 1, h);
        if (status != RV_OK)
            return status;
    }
    // bodies last, the directions of one together
    for (int i = 0; i < stage->controlCount; ++i)
        if (stage->controls[i].kind == RV_CONTROL_BODY)
            return rvScene_Drive(machine->scene, machine->world, &stage->controls[i], &machine->levers[i],
                                 stage->controlCount - i, h);
    return RV_OK;
}

bool rv_machine_step(rvMachine* machine)
{
    double h = rvScene_GetStep(machine->scene), time = (double)machine->steps * h;
    rvStatus status = machine->failed ? RV_DIVERGED : rvScene_Apply(machine->scene, machine->world, time, h);
    if (status == RV_OK && machine->manual)
        status = drive(machine, h);
    if (status == RV_OK)
        status = rvWorld_Step(machine->world, h);
    machine->failed = status != RV_OK;
    if (status != RV_OK)
        return false;
    machine->steps++;
    rv_stage_turn(&machine->stage, h);
    return true;
}

// ---- orders

static void stop_levers(rvMachine* machine)
{
    for (int i = 0; i < machine->stage.controlCount; ++i)
        machine->wanted[i] = 0.0;
}

static void reset(rvMachine* machine, char* why, size_t capacity)
{
    rvWorld* world;
    if (rvScene_CreateWorld(machine->scene, NULL, &world, why, capacity) != RV_OK)
        return;
    rvDestroyWorld(machine->world);
    machine->world = machine->stage.world = world;
    machine->steps = 0;
    machine->manual = machine->failed = false;
    for (int i = 0; i < machine->stage.controlCount; ++i) {
        machine->levers[i] = machine->wanted[i] = 0.0;
        machine->touched[i] = machine->braked[i] = false;
    }
    for (int i = 0; i < machine->stage.wheelCount; ++i)
        machine->stage.wheels[i].angle = 0.0;
}

// With what the scene says of that model.
static rvStatus change_model(rvMachine* machine, rvCableId cable, unsigned model)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    rvCable_GetDef(machine->world, cable, &def);
    def.model = (rvCableModel)model;
    return rvCable_SetModel(machine->world, cable, &def);
}

// The state as bytes: steps, who drives, what the levers did, wheels, models of the cables, then the world's image.
static void save(rvMachine* machine, char* why, size_t capacity)
{
    rvBytes* saved = &machine->saved;
    const rvStage* stage = &machine->stage;
    size_t controls = (size_t)stage->controlCount, size = rvWorld_Save(machine->world, NULL, 0);
    void* image = malloc(size);
    saved->size = 0;
    if (!image) {
        snprintf(why, capacity, "no memory for the state");
        return;
    }
    rvWorld_Save(machine->world, image, size);
    rv_bytes_add(saved, &machine->steps, sizeof machine->steps);
    rv_bytes_add(saved, &machine->manual, sizeof machine->manual);
    rv_bytes_add(saved, machine->touched, controls * sizeof *machine->touched);
    rv_bytes_add(saved, machine->braked, controls * sizeof *machine->braked);
    for (int i = 0; i < stage->wheelCount; ++i)
        rv_bytes_f64(saved, stage->wheels[i].angle);
    for (int i = 0; i < rvScene_GetCableCount(machine->scene); ++i)
        rv_bytes_u8(saved, (unsigned)rvCable_GetModel(machine->world, rvScene_GetCable(machine->scene, i)));
    rv_bytes_add(saved, image, size);
    free(image);
    if (saved->failed) {
        rv_bytes_release(saved);
        snprintf(why, capacity, "no memory for the state");
    }
}

static const unsigned char* take(const unsigned char* from, void* to, size_t size)
{
    if (size > 0)
        memcpy(to, from, size);
    return from + size;
}

static void restore(rvMachine* machine, char* why, size_t capacity)
{
    rvStage* stage = &machine->stage;
    const rvBytes* saved = &machine->saved;
    size_t controls = (size_t)stage->controlCount;
    size_t head = sizeof machine->steps + sizeof machine->manual + 2 * controls * sizeof(bool) +
                  (size_t)stage->wheelCount * sizeof(double);
    int cables = rvScene_GetCableCount(machine->scene);
    size_t models = head;
    head += (size_t)cables;
    if (saved->size <= head) {
        snprintf(why, capacity, "no state was saved");
        return;
    }
    for (int i = 0; i < cables; ++i) {
        rvCableId cable = rvScene_GetCable(machine->scene, i);
        unsigned model = saved->data[models + (size_t)i];
        if (rvCable_GetModel(machine->world, cable) != (rvCableModel)model)
            change_model(machine, cable, model); // where it cannot, the state does not fit
    }
    if (rvWorld_Restore(machine->world, saved->data + head, saved->size - head) != RV_OK) {
        snprintf(why, capacity, "the saved state does not fit any more: a route was changed since. Reset first.");
        return;
    }
    const unsigned char* from = take(saved->data, &machine->steps, sizeof machine->steps);
    from = take(from, &machine->manual, sizeof machine->manual);
    from = take(from, machine->touched, controls * sizeof *machine->touched);
    from = take(from, machine->braked, controls * sizeof *machine->braked);
    for (int i = 0; i < stage->wheelCount; ++i)
        from = take(from, &stage->wheels[i].angle, sizeof(double));
    for (int i = 0; i < stage->controlCount; ++i)
        machine->levers[i] = machine->wanted[i] = 0.0;
    machine->failed = false;
}

// ---- ropes

static int end_of(const rvMachine* machine, rvCableId cable, int end)
{
    return end == 0 ? 0 : rvCable_GetPlaceCount(machine->world, cable) - 1;
}

static void refuse(const rvMachine* machine, rvStatus status, char* why, size_t capacity)
{
    if (status != RV_OK)
        snprintf(why, capacity, "%s", rvWorld_GetError(machine->world));
}

static rvStatus unhook(rvMachine* machine, rvCableId cable, int place)
{
    rvPlaceDef loose = rvFreePlace(rvCable_GetPlacePoint(machine->world, cable, place));
    return rvCable_SetPlace(machine->world, cable, place, &loose);
}

// A rope that is too short is not pulled: it is let go again, and said.
static void hook(rvMachine* machine, rvCableId cable, int place, rvBodyId body, rvVec3 point, char* why,
                 size_t capacity)
{
    rvPlaceDef held = rvAttachPlace(body, point);
    rvStatus status = rvCable_SetPlace(machine->world, cable, place, &held);
    double missing = rvCable_GetLength(machine->world, cable) - 1.001 * rvCable_GetRestLength(machine->world, cable);
    refuse(machine, status, why, capacity);
    if (status != RV_OK || missing <= 0.0)
        return;
    unhook(machine, cable, place);
    snprintf(why, capacity, "%s does not reach: %.2f m are missing", rvCable_GetName(machine->world, cable), missing);
}

static void change_rope(rvMachine* machine, const rvOrder* order, char* why, size_t capacity)
{
    rvCableId cable = rvScene_GetCable(machine->scene, order->a);
    rvBodyId body = rvScene_GetBody(machine->scene, order->c);
    int end = end_of(machine, cable, order->b);
    rvWinchDef winch;
    if (order->type != RV_ORDER_CUT && rvCable_GetWinch(machine->world, cable, end, &winch) == RV_OK) {
        snprintf(why, capacity, "a winch holds this end of %s", rvCable_GetName(machine->world, cable));
        return;
    }
    if (order->type == RV_ORDER_CUT)
        refuse(machine, rvCable_Break(machine->world, cable), why, capacity);
    else if (order->type == RV_ORDER_UNHOOK)
        refuse(machine, unhook(machine, cable, end), why, capacity);
    else if (!RV_IS_NULL(body))
        hook(machine, cable, end, body, rvVec(order->x[0], order->x[1], order->x[2]), why, capacity);
}

// A lever moves all controls that share it at once: by an order for each a step could come between them, and ropes that
// carry one load would differ by a step's rope from then on.
static void drive_lever(rvMachine* machine, const rvOrder* order)
{
    if (order->a < 0 || order->a >= machine->stage.controlCount)
        return;
    machine->manual = true;
    for (int i = 0; i < machine->stage.controlCount; ++i) {
        const rvControl* control = &machine->stage.controls[i];
        if (control->gang != machine->stage.controls[order->a].gang)
            continue;
        machine->touched[i] = true;
        if (order->type == RV_ORDER_BRAKE)
            machine->braked[i] = order->b != 0 && control->kind == RV_CONTROL_WINCH;
        else
            machine->wanted[i] = fmin(fmax(order->x[0], -1.0), 1.0) * control->maxSpeed;
    }
}

void rv_machine_obey(rvMachine* machine, const rvOrder* order, char* why, size_t capacity)
{
    switch (order->type) {
    case RV_ORDER_DRIVE:
    case RV_ORDER_BRAKE:
        drive_lever(machine, order);
        break;
    case RV_ORDER_RELEASE:
        stop_levers(machine);
        break;
    case RV_ORDER_RESET:
        reset(machine, why, capacity);
        break;
    case RV_ORDER_SAVE:
        save(machine, why, capacity);
        break;
    case RV_ORDER_RESTORE:
        restore(machine, why, capacity);
        break;
    case RV_ORDER_CUT:
    case RV_ORDER_UNHOOK:
    case RV_ORDER_HOOK:
        change_rope(machine, order, why, capacity);
        break;
    case RV_ORDER_MODEL:
        refuse(machine, change_model(machine, rvScene_GetCable(machine->scene, order->a), (unsigned)order->b), why,
               capacity);
        break;
    default: // the others are not the machine's
        break;
    }
}
