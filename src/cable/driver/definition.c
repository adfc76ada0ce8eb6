// SPDX-License-Identifier: MIT
// Definitions of cables: their defaults, and the checks of what they say.
#include "cable/core/model.h"

#include "base/cookie.h"
#include "base/field.h"
#include "cable/core/reference.h"
#include "cable/driver/cables.h"
#include "cable/driver/models.h"
#include "cable/route/winch.h"

#include <stdio.h>

enum { MAX_PLACES = 100000 };

static const rvWinchDef defaultWinch = {.maxSpeed = 1.0,
                                        .acceleration = HUGE_VAL,
                                        .maxForce = HUGE_VAL,
                                        .brakeForce = HUGE_VAL,
                                        .minLength = 0.01,
                                        .maxLength = HUGE_VAL,
                                        .stored = HUGE_VAL,
                                        .capacity = HUGE_VAL};
static const rvWheelDef defaultWheel = {.axis = {0, 1, 0}};

static rvPlaceDef place_of(rvPlaceType type, rvBodyId body, rvVec3 point)
{
    return (rvPlaceDef){.type = type,
                        .body = body,
                        .point = point,
                        .direction = {1, 0, 0},
                        .wheel = defaultWheel,
                        .winch = defaultWinch};
}

rvCableDef rvDefaultCableDef(rvCableModel model)
{
    return (rvCableDef){.model = model,
                        .diameter = 0.02,
                        .youngsModulus = 1e11,
                        .damping = 0.0,
                        .length = -1.0,
                        .friction = 0.3,
                        .maxContacts = 32,
                        .subdivisions = 20,
                        .elements = 10,
                        .bendingDamping = -1.0,
                        .dragCoefficient = 1.2,
                        .fluidLevel = HUGE_VAL,
                        .tangentDrag = 0.02,
                        .addedMass = 1.0,
                        .group = 1,
                        .mask = UINT32_MAX,
                        .overload = HUGE_VAL,
                        .breakForce = HUGE_VAL,
                        .cookie = RV_COOKIE};
}

double rvTorsionalStiffness(double youngsModulus, double poissonRatio, double diameter)
{
    double d2 = diameter * diameter;
    return youngsModulus * 0.049087385212340519 * d2 * d2 / (1.0 + poissonRatio); // pi/64
}

rvCableProfile rvProfileAt(double at)
{
    return (rvCableProfile){.at = at, .bending = 1.0, .mass = 1.0, .axial = 1.0};
}

rvPlaceDef rvAttachPlace(rvBodyId body, rvVec3 point)
{
    return place_of(RV_PLACE_ATTACH, body, point);
}

rvPlaceDef rvEyePlace(rvBodyId body, rvVec3 point)
{
    return place_of(RV_PLACE_EYE, body, point);
}

rvPlaceDef rvSheavePlace(rvBodyId body, rvVec3 center, rvVec3 axis, double radius)
{
    rvPlaceDef place = place_of(RV_PLACE_SHEAVE, body, center);
    place.wheel.axis = axis;
    place.wheel.radius = radius;
    place.friction = HUGE_VAL; // a rope does not slip in its groove unless told so
    return place;
}

rvPlaceDef rvWinchPlace(rvBodyId body, rvVec3 point, double speed)
{
    rvPlaceDef place = place_of(RV_PLACE_WINCH, body, point);
    place.winch.speed = speed;
    return place;
}

rvPlaceDef rvFreePlace(rvVec3 point)
{
    return place_of(RV_PLACE_FREE, RV_NULL_BODY, point);
}

static const char* name_of(const rvCableDef* def)
{
    return def->name ? def->name : "";
}

// Fields of the cable: "cable 'name': ..." into the error.
static rvStatus check_fields(rvError* error, const char* name, const rvField* fields, int count)
{
    char of[256];
    snprintf(of, sizeof of, "cable '%s': ", name);
    return rv_check_fields(error, of, fields, count);
}

static rvStatus check_layer(rvError* error, const rvCableDef* def, rvCable* cable)
{
    const char* name = name_of(def);
    double d = def->diameter, mass = def->massPerLength;
    if (mass == 0.0)
        mass = 7850.0 * 0.6 * 0.78539816339744831 * d * d;
    const rvField fields[] = {
        {"massPerLength", mass, RV_FINITE_POSITIVE, "kg/m"},
        {"waveDamping", def->waveDamping, RV_FINITE_NOT_NEGATIVE, "1/s"},
        {"fluidDensity", def->fluidDensity, RV_FINITE_NOT_NEGATIVE, "kg/m^3"},
        {"dragCoefficient", def->dragCoefficient, RV_FINITE_NOT_NEGATIVE, NULL},
    };
    rvStatus status = check_fields(error, name, fields, 4);
    if (status != RV_OK)
        return status;
    if (def->subdivisions < 4 || def->subdivisions > 1000)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': subdivisions: is %d, must be 4 to 1000", name,
                       def->subdivisions);
    if ((unsigned)def->waveScheme > RV_WAVE_EXPLICIT)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': waveScheme: %d is none", name, (int)def->waveScheme);
    if (def->waveScheme == RV_WAVE_EXPLICIT && def->model == RV_CABLE_LAYERED && !cable->reference)
        return rv_fail_without_reference(error, "cable", name, "waveScheme", "explicit");
    if (!(rvLength(def->wind) <= RV_LARGEST_SPEED))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': wind: must be at most %g m/s", name, RV_LARGEST_SPEED);
    cable->massPerLength = mass;
    return RV_OK;
}

rvStatus rv_cable_check_material(rvError* error, const rvCableDef* def, rvCable* cable)
{
    const char* name = name_of(def);
    const rvModel* model = rv_model_of(def->model);
    if (!model)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': model: %d is none", name, (int)def->model);
    const rvField fields[] = {
        {"axialStiffness", def->axialStiffness, RV_FINITE_NOT_NEGATIVE, "N"},
        {"damping", def->damping, rv_damping_range(def->damping), "s"},
        {"torsionalStiffness", def->torsionalStiffness, RV_FINITE_NOT_NEGATIVE, "N m^2"},
        {"twistDamping", def->twistDamping, rv_damping_range(def->twistDamping), "s"},
        {"overload", def->overload, RV_POSITIVE, "N"},
        {"breakForce", def->breakForce, RV_POSITIVE, "N"},
        {"friction", def->friction, RV_FINITE_NOT_NEGATIVE, NULL},
        {"bendingStiffness", def->bendingStiffness, RV_FINITE_NOT_NEGATIVE, "N m^2"},
        {"bendingDamping", def->bendingDamping, rv_damping_range(def->bendingDamping), "s"},
        {"contactStiffness", def->contactStiffness, RV_FINITE_NOT_NEGATIVE, "N/m"},
        {"diameter", def->diameter, RV_FINITE_POSITIVE, "m"},
        {"youngsModulus", def->youngsModulus, RV_FINITE_POSITIVE, "Pa"},
    };
    // without a stiffness of its own it comes from the last two
    rvStatus status = check_fields(error, name, fields, def->axialStiffness == 0.0 ? 12 : 10);
    if (status != RV_OK)
        return status;
    cable->axialStiffness = def->axialStiffness;
    if (def->axialStiffness == 0.0)
        cable->axialStiffness = def->youngsModulus * 0.78539816339744831 * def->diameter * def->diameter;
    if (!rv_is_in_range(cable->axialStiffness, RV_FINITE_POSITIVE))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': axialStiffness: comes out as %g N, must be finite and > 0",
                       name, cable->axialStiffness);
    if (!(fabs(def->twist) <= 1e6))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': twist: is %g rad, must be within 1e6", name, def->twist);
    cable->def = *def;
    cable->def.name = NULL;
    cable->def.places = NULL;
    cable->def.placeCount = 0;
    cable->def.profile = NULL;
    cable->def.profileCount = 0;
    cable->def.current = NULL;
    cable->def.currentCount = 0;
    cable->model = model;
    cable->diameter = def->diameter;
    cable->damping = def->damping;
    cable->torsionalStiffness = def->torsionalStiffness;
    cable->twistDamping = def->twistDamping;
    cable->overload = def->overload;
    cable->breakForce = def->breakForce;
    cable->pushes = def->pushes;
    if (def->maxContacts < 1 || def->maxContacts > 1000)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': maxContacts: is %d, must be 1 to 1000", name,
                       def->maxContacts);
    if ((model->traits & RV_HAS_MASS) && def->pushes)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': pushes: a rope with mass cannot push", name);
    status = (model->traits & RV_HAS_MASS) ? check_layer(error, def, cable) : RV_OK;
    if (status != RV_OK)
        return status;
    cable->collides = def->collides;
    cable->friction = def->friction;
    cable->shapeGroup = def->group;
    cable->mask = def->mask;
    return RV_OK;
}

rvStatus rv_wheel_drive_check(rvError* error, const char* name, int place, double speed, double torque, bool spins)
{
    if (!isfinite(speed))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].wheel.driveSpeed: must be finite", name, place);
    if (!(torque >= 0.0 && isfinite(torque)))
        return rv_fail(error, RV_BAD_INPUT,
                       "cable '%s': places[%d].wheel.driveTorque: is %g N m, must be finite and >= 0", name, place,
                       torque);
    if (torque > 0.0 && !spins)
        return rv_fail(error, RV_BAD_INPUT,
                       "cable '%s': places[%d].wheel.driveTorque: only a sheave that turns and has inertia is driven",
                       name, place);
    return RV_OK;
}

static rvStatus check_wheel(rvError* error, const char* name, int i, const rvPlaceDef* place)
{
    const rvWheelDef* wheel = &place->wheel;
    bool needed = place->type == RV_PLACE_SHEAVE;
    const rvField fields[] = {
        {"friction", place->friction, RV_NOT_NEGATIVE, NULL},
        {"drag", place->drag, RV_FINITE_NOT_NEGATIVE, "N s/m"},
        {"wheel.radius", wheel->radius, needed ? RV_FINITE_POSITIVE : RV_FINITE_NOT_NEGATIVE, "m"},
        {"wheel.bearing", wheel->bearing, RV_NOT_NEGATIVE, NULL},
        {"wheel.inertia", wheel->inertia, RV_FINITE_NOT_NEGATIVE, "kg m^2"},
    };
    char of[256];
    snprintf(of, sizeof of, "cable '%s': places[%d].", name, i);
    rvStatus status = rv_check_fields(error, of, fields, needed || place->type == RV_PLACE_WINCH ? 5 : 2);
    if (status != RV_OK)
        return status;
    if (place->drag > 0.0 && place->type != RV_PLACE_EYE)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].drag: only an eye can have it", name, i);
    if (!needed && place->type != RV_PLACE_WINCH)
        return RV_OK;
    if (wheel->radius > 0.0 && !(rvIsFiniteVec(wheel->axis) && rvLength(wheel->axis) > 0.0))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].wheel.axis: must be finite and not zero", name, i);
    if (wheel->side < -1 || wheel->side > 1)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].wheel.side: is %d, must be -1, 0 or 1", name, i,
                       wheel->side);
    if (wheel->turns < 0 || wheel->turns > 1000)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].wheel.turns: is %d, must be 0 to 1000", name, i,
                       wheel->turns);
    if (wheel->bearing > 0.5)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].wheel.bearing: is %g, must be 0 to 0.5", name, i,
                       wheel->bearing);
    if (place->type == RV_PLACE_WINCH && wheel->inertia > 0.0 && !(wheel->radius > 0.0))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].wheel.inertia: a drum without a radius has none",
                       name, i);
    return rv_wheel_drive_check(error, name, i, wheel->driveSpeed, wheel->driveTorque,
                                needed && !wheel->locked && wheel->inertia > 0.0);
}

rvStatus rv_cable_check_place(rvError* error, const char* name, int i, bool end, const rvPlaceDef* place,
                              double diameter)
{
    if ((unsigned)place->type > RV_PLACE_SHEAVE)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].type: %d is none", name, i, (int)place->type);
    bool passes = place->type == RV_PLACE_EYE || place->type == RV_PLACE_SHEAVE;
    if (!end && !passes)
        return rv_fail(error, RV_BAD_INPUT,
                       "cable '%s': places[%d].type: only eyes and sheaves may stand between the ends", name, i);
    if (end && passes)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].type: an end must be attached, on a winch or free",
                       name, i);
    if (!(rvLength(place->point) <= RV_LARGEST_POSITION))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].point: must be within %g m of the origin", name, i,
                       RV_LARGEST_POSITION);
    rvStatus status = check_wheel(error, name, i, place);
    if (status == RV_OK && place->type == RV_PLACE_WINCH)
        status = rv_winch_check(error, name, i, &place->winch, place->wheel.radius, diameter);
    return status;
}

// Some models can be attached between their ends too: each such place is an end of two parts.
static bool is_end(const rvCableDef* def, int i)
{
    bool inner = i > 0 && i < def->placeCount - 1;
    const rvModel* model = rv_model_of(def->model);
    return !inner || (model && !(model->traits & RV_SEGMENTS) && def->places[i].type == RV_PLACE_ATTACH);
}

rvStatus rv_cable_check(rvError* error, const rvCableDef* def)
{
    if (!def || def->cookie != RV_COOKIE)
        return rv_fail(error, RV_BAD_INPUT, "cable: definition was not made by rvDefaultCableDef");
    if (!def->places)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places: is NULL, must be a list of 2 to %d places",
                       name_of(def), MAX_PLACES);
    if (def->placeCount < 2 || def->placeCount > MAX_PLACES)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': placeCount: is %d, must be 2 to %d", name_of(def),
                       def->placeCount, MAX_PLACES);
    rvStatus status = RV_OK;
    for (int i = 0; i < def->placeCount && status == RV_OK; ++i)
        status = rv_cable_check_place(error, name_of(def), i, is_end(def, i), &def->places[i], def->diameter);
    return status;
}
