// SPDX-License-Identifier: MIT
// The public calls on winches: commands and read-out.
#include "cable/driver/cables.h"
#include "cable/route/winch.h"
#include "world/world.h"

static rvStatus find_winch(rvWorld* world, rvCableId id, int place, const char* call, rvCable** cable, int* winch)
{
    *cable = rv_world_find_cable(world, id, call);
    if (!*cable)
        return RV_BAD_ID;
    *winch = rv_cable_winch_at(*cable, rv_cable_index_of(*cable, place));
    if (*winch < 0)
        return rv_fail(&world->error, RV_BAD_INPUT, "%s: cable '%s': place: there is no winch at place %d", call,
                       (*cable)->name, place);
    return RV_OK;
}

// Checks a changed winch and takes it over.
static rvStatus change_winch(rvWorld* world, rvCable* cable, int winch, const rvWinchDef* def)
{
    int place = winch == 0 ? 0 : cable->definedCount - 1;
    double radius = cable->route.places[rv_cable_winch_place(cable, winch)].radius; // counted with its contacts
    rvStatus status = rv_winch_check(&world->error, cable->name, place, def, radius, cable->diameter);
    if (status == RV_OK)
        cable->winch[winch].settings = rv_winch_from(def);
    return status;
}

rvStatus rvCable_SetWinch(rvWorld* world, rvCableId id, int place, const rvWinchDef* def)
{
    rvCable* cable;
    int winch;
    rvStatus status = find_winch(world, id, place, "rvCable_SetWinch", &cable, &winch);
    if (status == RV_OK && !def)
        status = rv_fail(&world->error, RV_BAD_INPUT, "rvCable_SetWinch: cable '%s': winch: is NULL", cable->name);
    return status == RV_OK ? change_winch(world, cable, winch, def) : status;
}

rvStatus rvCable_GetWinch(const rvWorld* world, rvCableId id, int place, rvWinchDef* def)
{
    const rvCable* cable = rv_world_read_cable(world, id);
    int winch = cable ? rv_cable_winch_at(cable, rv_cable_index_of(cable, place)) : -1;
    if (winch < 0 || !def)
        return cable ? RV_BAD_INPUT : RV_BAD_ID;
    rv_winch_to_def(&cable->winch[winch].settings, def);
    return RV_OK;
}

static rvStatus control_winch(rvWorld* world, rvCableId id, int place, const char* call, rvWinchControl control,
                              double value)
{
    rvCable* cable;
    int winch;
    rvStatus status = find_winch(world, id, place, call, &cable, &winch);
    if (status != RV_OK)
        return status;
    rvWinchDef def;
    rv_winch_to_def(&cable->winch[winch].settings, &def);
    def.control = control;
    def.brake = false;
    if (control == RV_WINCH_LENGTH || control == RV_WINCH_TENSION)
        def.target = value;
    else
        def.speed = value;
    return change_winch(world, cable, winch, &def);
}

rvStatus rvCable_SetWinchSpeed(rvWorld* world, rvCableId id, int place, double speed)
{
    return control_winch(world, id, place, "rvCable_SetWinchSpeed", RV_WINCH_SPEED, speed);
}

rvStatus rvCable_SetWinchDrum(rvWorld* world, rvCableId id, int place, double speed)
{
    return control_winch(world, id, place, "rvCable_SetWinchDrum", RV_WINCH_DRUM, speed);
}

rvStatus rvCable_SetWinchLength(rvWorld* world, rvCableId id, int place, double length)
{
    return control_winch(world, id, place, "rvCable_SetWinchLength", RV_WINCH_LENGTH, length);
}

rvStatus rvCable_SetWinchTension(rvWorld* world, rvCableId id, int place, double tension)
{
    return control_winch(world, id, place, "rvCable_SetWinchTension", RV_WINCH_TENSION, tension);
}

rvStatus rvCable_SetWinchBrake(rvWorld* world, rvCableId id, int place, bool on)
{
    rvCable* cable;
    int winch;
    rvStatus status = find_winch(world, id, place, "rvCable_SetWinchBrake", &cable, &winch);
    if (status == RV_OK)
        cable->winch[winch].settings.brake = on ? 1.0 : 0.0;
    return status;
}

// The winch at a place for the calls that read; -1: none.
static int winch_of(const rvWorld* world, rvCableId id, int place, const rvCable** cable)
{
    *cable = rv_world_read_cable(world, id);
    return *cable ? rv_cable_winch_at(*cable, rv_cable_index_of(*cable, place)) : -1;
}

// One of the numbers that the state has of each winch; 0: there is none.
static double winch_number(const rvWorld* world, rvCableId id, int place, size_t field)
{
    const rvCable* cable;
    int winch = winch_of(world, id, place, &cable);
    return winch < 0 ? 0.0 : *(const double*)((const char*)&cable->winch[winch].state + field);
}

double rvCable_GetWinchSpeed(const rvWorld* world, rvCableId id, int place)
{
    return winch_number(world, id, place, offsetof(rvWinchState, rate));
}

double rvCable_GetWinchLength(const rvWorld* world, rvCableId id, int place)
{
    const rvCable* cable;
    return winch_of(world, id, place, &cable) < 0 ? 0.0 : cable->state.restLength;
}

double rvCable_GetWinchStored(const rvWorld* world, rvCableId id, int place)
{
    const rvCable* cable;
    int winch = winch_of(world, id, place, &cable);
    return winch < 0 ? 0.0 : cable->winch[winch].settings.stored;
}

double rvCable_GetWinchForce(const rvWorld* world, rvCableId id, int place)
{
    const rvCable* cable;
    int winch = winch_of(world, id, place, &cable);
    if (winch >= 0 && rv_cable_is_untried(cable))
        return rv_cable_published_tension(cable, &world->bodies, 0, -1);
    return winch < 0 ? 0.0 : rv_winch_tension(cable, winch);
}

double rvCable_GetWinchPower(const rvWorld* world, rvCableId id, int place)
{
    const rvCable* cable;
    int winch = winch_of(world, id, place, &cable);
    if (winch < 0 || cable->winch[winch].settings.brake != 0.0)
        return 0.0;
    const rvPlace* drum = &cable->route.places[rv_cable_winch_place(cable, winch)];
    if (drum->inertia > 0.0)
        return world->state.h > 0.0 ? drum->state.motorImpulse / world->state.h * drum->state.wheelSpeed : 0.0;
    return -rv_winch_tension(cable, winch) * cable->winch[winch].state.rate;
}

double rvCable_GetWinchWork(const rvWorld* world, rvCableId id, int place)
{
    return winch_number(world, id, place, offsetof(rvWinchState, work));
}

double rvCable_GetWinchHeat(const rvWorld* world, rvCableId id, int place)
{
    return winch_number(world, id, place, offsetof(rvWinchState, heat));
}

double rvCable_GetDrumAngle(const rvWorld* world, rvCableId id, int place)
{
    return winch_number(world, id, place, offsetof(rvWinchState, angle));
}

double rvCable_GetDrumSpeed(const rvWorld* world, rvCableId id, int place)
{
    return winch_number(world, id, place, offsetof(rvWinchState, drumSpeed));
}

double rvCable_GetDrumRadius(const rvWorld* world, rvCableId id, int place)
{
    const rvCable* cable;
    int winch = winch_of(world, id, place, &cable);
    return winch < 0 ? 0.0 : rv_winch_radius(cable, winch);
}
