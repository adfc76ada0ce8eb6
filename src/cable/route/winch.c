// SPDX-License-Identifier: MIT
// Winches: drums at the ends of a cable.
//
// Rest length out L changes by p = w + xi T (w wanted rate, xi drive compliance, T tension). In the stretch row that is
// w on the right side and xi/h of compliance, so the drive is solved together with the cable. Above its force limit F
// the drum slips: the row's upper bound; then L follows from  T = F  algebraically (massless_advance.c).
//   speed, drum   w as told; a drum turns w/r, r the radius of the layer in use
//   length        w = e/h within +-maxSpeed, e the way left; with an acceleration a no faster than it can be braked
//   tension       w = -maxSpeed with F = the target: it hauls in until the target is reached and slips at it, exact and
//                 without a gain. Where it would pay out faster than maxSpeed: w = maxSpeed, F = the motor's own limit,
//                 until the tension falls to the target again
//   brake         w = 0, xi = 0, F = the brake's limit; what slips becomes heat
// At the outer stop the rope's end holds: no drive, no limit. At the inner stop nothing is left to take in: of all the
// rope, or of that between the winch and a place that holds it (a locked wheel that it cannot slip over).
//
// Layers: n = floor(width/d) turns each, r_j = r + j d, full layers hold S_j = 2 pi n (j r + d j (j - 1)/2). The drum's
// angle follows from the stored length S by  turns(S) = n j + (S - S_j)/(2 pi r_j), S_j <= S < S_j+1: no drift. The
// route leaves the drum from the layer in use. Where that changes, the arc on the drum keeps its length; what the
// tangent point moves along the drum it gives up on the span, to first order, so that a new layer makes no jump.
//
// A drum with inertia I is a wheel of the solver, whose spin pays the rope out; its motor or brake is a row of that
// spin, with speed w/r, compliance xi/r^2 and torque F r. The rope then feels the drum, not the limit. What is wound on
// or off carries its stretch along: e a metre, as the work of the winch counts it.
// Two winches act in series on one massless cable: rates and compliances add. The limit of the one that is nearer to it
// bounds the solve, and row 0 begins there (choose_end in string/model_massless.c).
#include "cable/route/winch.h"
#include "base/field.h"
#include "cable/core/model.h"
#include "cable/route/friction.h"
#include "cable/route/route.h"

#include <stdio.h>

#define TWO_PI 6.283185307179586
#define STOP_TOLERANCE 1e-12 // relative

rvWinchSettings rv_winch_from(const rvWinchDef* def)
{
    return (rvWinchSettings){.control = def->control,
                             .brake = def->brake,
                             .speed = def->speed,
                             .target = def->target,
                             .maxSpeed = def->maxSpeed,
                             .acceleration = def->acceleration,
                             .compliance = def->compliance,
                             .maxForce = def->maxForce,
                             .brakeForce = def->brakeForce,
                             .minLength = def->minLength,
                             .maxLength = def->maxLength,
                             .stored = def->stored,
                             .capacity = def->capacity,
                             .width = def->width};
}

bool rv_winch_to_def(const rvWinchSettings* winch, rvWinchDef* def)
{
    bool control = false;
    for (int i = RV_WINCH_SPEED; i <= RV_WINCH_TENSION; ++i)
        control = control || winch->control == i;
    if (!control || (winch->brake != 0.0 && winch->brake != 1.0))
        return false;
    *def = (rvWinchDef){.control = (rvWinchControl)winch->control,
                        .brake = winch->brake != 0.0,
                        .speed = winch->speed,
                        .target = winch->target,
                        .maxSpeed = winch->maxSpeed,
                        .acceleration = winch->acceleration,
                        .compliance = winch->compliance,
                        .maxForce = winch->maxForce,
                        .brakeForce = winch->brakeForce,
                        .minLength = winch->minLength,
                        .maxLength = winch->maxLength,
                        .stored = winch->stored,
                        .capacity = winch->capacity,
                        .width = winch->width};
    return true;
}

static rvStatus check_drum(rvError* error, const char* name, int place, const rvWinchDef* winch, double radius,
                           double diameter)
{
    if (winch->control == RV_WINCH_DRUM && !(radius > 0.0))
        return rv_fail(error, RV_BAD_INPUT,
                       "cable '%s': places[%d].winch.control: the speed of a drum without a radius", name, place);
    if (!(winch->capacity >= winch->stored || isinf(winch->stored)))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].winch.capacity: is %g m, less than stored (%g m)",
                       name, place, winch->capacity, winch->stored);
    if (winch->width > 0.0 && !(radius > 0.0 && isfinite(winch->stored)))
        return rv_fail(error, RV_BAD_INPUT,
                       "cable '%s': places[%d].winch.width: layers need wheel.radius > 0 and a finite stored length",
                       name, place);
    if (winch->width > 0.0 && !(diameter > 0.0 && winch->width >= diameter))
        return rv_fail(error, RV_BAD_INPUT,
                       "cable '%s': places[%d].winch.width: is %g m, less than the rope's diameter (%g m)", name, place,
                       winch->width, diameter);
    return RV_OK;
}

rvStatus rv_winch_check(rvError* error, const char* name, int place, const rvWinchDef* winch, double radius,
                        double diameter)
{
    const rvField fields[] = {
        {"speed", winch->speed, RV_FINITE | RV_ANY_SIZE, "m/s"},
        {"target", winch->target, RV_FINITE_NOT_NEGATIVE | RV_ANY_SIZE, NULL},
        {"maxSpeed", winch->maxSpeed, RV_FINITE_POSITIVE, "m/s"},
        {"acceleration", winch->acceleration, RV_POSITIVE, "m/s^2"},
        {"compliance", winch->compliance, RV_FINITE_NOT_NEGATIVE, "m/(s N)"},
        {"maxForce", winch->maxForce, RV_POSITIVE, "N"},
        {"brakeForce", winch->brakeForce, RV_POSITIVE, "N"},
        {"minLength", winch->minLength, RV_FINITE_POSITIVE, "m"},
        {"stored", winch->stored, RV_NOT_NEGATIVE | RV_ANY_SIZE, "m"},
        {"capacity", winch->capacity, RV_NOT_NEGATIVE, "m"},
        {"width", winch->width, RV_FINITE_NOT_NEGATIVE, "m"},
    };
    if ((unsigned)winch->control > RV_WINCH_TENSION)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].winch.control: %d is none", name, place,
                       (int)winch->control);
    char of[256];
    snprintf(of, sizeof of, "cable '%s': places[%d].winch.", name, place);
    rvStatus status = RV_CHECK_FIELDS(error, of, fields);
    if (status != RV_OK)
        return status;
    if (winch->control == RV_WINCH_TENSION && !(winch->target > 0.0))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].winch.target: is %g N, must be > 0", name, place,
                       winch->target);
    if (!(winch->maxLength >= winch->minLength))
        return rv_fail(error, RV_BAD_INPUT,
                       "cable '%s': places[%d].winch.maxLength: is %g m, must not be less than minLength (%g m)", name,
                       place, winch->maxLength, winch->minLength);
    return check_drum(error, name, place, winch, radius, diameter);
}

int rv_cable_winch_at(const rvCable* cable, int place)
{
    if (place == 0 && cable->winch[0].exists)
        return 0;
    if (place == cable->route.placeCount - 1 && cable->winch[1].exists)
        return 1;
    return -1;
}

int rv_cable_winch_place(const rvCable* cable, int winch)
{
    return winch == 0 ? 0 : cable->route.spanCount;
}

double rv_winch_tension(const rvCable* cable, int winch)
{
    int span = winch == 0 ? 0 : cable->route.spanCount - 1;
    return cable->route.places[span].state.tension + cable->winch[winch].state.offset;
}

// ---- the drum

static double drum_radius(const rvCable* cable, int i)
{
    return cable->route.places[rv_cable_winch_place(cable, i)].core;
}

static bool has_inertia(const rvCable* cable, int i)
{
    return cable->route.places[rv_cable_winch_place(cable, i)].inertia > 0.0;
}

// The layer that the last turn lies in, from 0, and the rope below it.
static double layer_of(const rvCable* cable, int i, double* below)
{
    const rvWinchSettings* winch = &cable->winch[i].settings;
    *below = 0.0;
    if (!(winch->width > 0.0))
        return 0.0;
    double d = cable->diameter, a = drum_radius(cable, i) / d - 0.5, turn = TWO_PI * d * floor(winch->width / d);
    // S_j = turn (a j + j^2/2)
    double j = floor(sqrt(a * a + 2.0 * fmax(0.0, winch->stored) / turn) - a);
    *below = turn * (a * j + 0.5 * j * j);
    return j;
}

double rv_winch_radius(const rvCable* cable, int i)
{
    double below;
    return drum_radius(cable, i) + cable->diameter * layer_of(cable, i, &below);
}

// How far the drum would turn to let off all its rope [rad].
static double drum_turns(const rvCable* cable, int i)
{
    double below, d = cable->diameter, layer = layer_of(cable, i, &below);
    const rvWinchSettings* winch = &cable->winch[i].settings;
    double full = winch->width > 0.0 ? TWO_PI * floor(winch->width / d) * layer : 0.0;
    return full + (winch->stored - below) / (drum_radius(cable, i) + d * layer);
}

// Rope leaves the drum (or comes back).
static void wind_off(rvCable* cable, int i, double length, double h)
{
    rvWinchSettings* winch = &cable->winch[i].settings;
    double radius = drum_radius(cable, i), turned = radius > 0.0 ? length / radius : 0.0;
    if (isfinite(winch->stored)) {
        double before = radius > 0.0 ? drum_turns(cable, i) : 0.0;
        winch->stored = fmax(0.0, winch->stored - length);
        turned = radius > 0.0 ? before - drum_turns(cable, i) : 0.0;
    }
    cable->winch[i].state.angle += turned;
    cable->winch[i].state.drumSpeed += turned / h;
}

// ---- the drive

// How much rope may still be paid out, and taken in (negative).
static double room_out(const rvCableState* s, const rvWinchSettings* winch)
{
    return fmax(0.0, fmin(winch->maxLength - s->restLength, winch->stored));
}

// Does the rope neither slip over the place nor turn a wheel there?
static bool is_held(const rvPlace* place)
{
    return place->on && place->state.isJunction != 0.0 && place->inertia == 0.0 && isinf(rv_place_ratio(place));
}

// What may be taken in of the rope between winch i and the first place that holds it: all but the stop's, or but what
// would be stretched to twice its length where that is less.
static double room_to_held(const rvCable* cable, int i)
{
    const rvRoute* route = &cable->route;
    int step = i == 0 ? 1 : -1, place = rv_cable_winch_place(cable, i);
    double rest = 0.0, length = 0.0;
    do {
        int span = i == 0 ? place : place - 1;
        rest += route->places[span].state.rest;
        length += route->spans[span].length;
        place += step;
    } while (place > 0 && place < route->spanCount && !is_held(&route->places[place]));
    bool all = place == 0 || place == route->spanCount;
    return all ? -HUGE_VAL : fmin(cable->winch[i].settings.minLength, 0.5 * length) - rest;
}

static double room_in(const rvCable* cable, int i)
{
    const rvWinchSettings* winch = &cable->winch[i].settings;
    double drum = isfinite(winch->stored) ? winch->stored - winch->capacity : -HUGE_VAL;
    double held = rv_cable_has(cable, RV_SEGMENTS) ? room_to_held(cable, i) : -HUGE_VAL;
    return fmin(0.0, fmax(fmax(winch->minLength - cable->state.restLength, drum), held));
}

static bool is_at_outer_stop(const rvCableState* s, const rvWinchSettings* winch)
{
    return room_out(s, winch) <= STOP_TOLERANCE * s->restLength;
}

// The speed from which steps slower by a h each lead to rest at the end of the way: in n steps, with
//   h (n v - a h n (n - 1)/2) = way,  n the least number for which the last of them is not backwards.
static double braking_speed(double way, double a, double h)
{
    if (isinf(a))
        return way / h;
    double n = fmax(1.0, ceil(0.5 * (sqrt(1.0 + 8.0 * way / (a * h * h)) - 1.0)));
    return way / (n * h) + 0.5 * (n - 1.0) * a * h;
}

static double wanted_speed(const rvCable* cable, int i, double h)
{
    const rvCableState* s = &cable->state;
    const rvWinchSettings* winch = &cable->winch[i].settings;
    double speed = winch->speed;
    if (winch->control == RV_WINCH_DRUM)
        speed *= rv_winch_radius(cable, i);
    if (winch->control == RV_WINCH_LENGTH) {
        double way = winch->target - s->restLength, a = winch->acceleration;
        speed = copysign(fmin(winch->maxSpeed, braking_speed(fabs(way), a, h)), way);
    }
    double change = winch->acceleration * h, last = cable->winch[i].state.commanded;
    return isinf(change) ? speed : fmin(fmax(speed, last - change), last + change);
}

// Speed, compliance and limit of winch i for this step.
static void latch(rvCable* cable, int i, double h)
{
    rvCableState* s = &cable->state;
    const rvWinchSettings* winch = &cable->winch[i].settings;
    double speed = 0.0, limit = winch->maxForce, compliance = winch->compliance, tension = rv_winch_tension(cable, i);
    if (winch->brake != 0.0) {
        limit = winch->brakeForce;
        compliance = 0.0;
    } else if (winch->control == RV_WINCH_TENSION) {
        bool over = cable->winch[i].state.overrun != 0.0 && tension >= winch->target;
        cable->winch[i].state.overrun = over ? 1.0 : 0.0;
        speed = over ? winch->maxSpeed : -winch->maxSpeed;
        limit = over ? winch->maxForce : fmin(limit, winch->target);
        compliance = 0.0;
    } else {
        speed = wanted_speed(cable, i, h);
    }
    speed = fmin(fmax(speed, room_in(cable, i) / h), room_out(s, winch) / h);
    cable->winch[i].state.commanded = speed;
    if (is_at_outer_stop(s, winch) && tension >= limit * (1.0 - 1e-9)) {
        speed = 0.0;
        limit = HUGE_VAL;
    }
    if (is_at_outer_stop(s, winch))
        compliance = 0.0;
    cable->winch[i].step.motorSpeed = speed;
    cable->winch[i].step.motorCompliance = compliance;
    cable->winch[i].step.motorLimit = limit;
    if (has_inertia(cable, i))
        return;
    cable->winch[i].step.driveSpeed = speed;
    cable->winch[i].step.driveCompliance = compliance;
    cable->winch[i].step.driveLimit = limit;
}

// Another layer is in use: the mark turns so that the arc from it is as long as it was.
static void change_layer(rvCable* cable, const rvBodyStore* bodies, int i)
{
    rvPlace* drum = &cable->route.places[rv_cable_winch_place(cable, i)];
    double radius = rv_winch_radius(cable, i), share = drum->radius / radius;
    double turn = drum->side * (1.0 - share) * drum->state.angle;
    drum->state.mark = rvRotate(rvQuatFromRotation(rvScale(turn, drum->localAxis)), drum->state.mark);
    drum->state.angle *= share;
    drum->radius = cable->winch[i].state.radius = radius;
    rv_route_update(&cable->route, bodies);
}

void rv_winch_change_layers(rvCable* cable, const rvBodyStore* bodies)
{
    for (int i = 0; i < 2; ++i)
        if (cable->winch[i].exists && rv_winch_radius(cable, i) != cable->winch[i].state.radius)
            change_layer(cable, bodies, i);
}

double rv_winch_room_out(const rvCable* cable, int i, double h)
{
    const rvCableState* s = &cable->state;
    const rvWinchSettings* winch = &cable->winch[i].settings;
    bool hauls = winch->control == RV_WINCH_TENSION && winch->brake == 0.0 && cable->winch[i].state.overrun == 0.0 &&
                 !has_inertia(cable, i);
    return fmin(room_out(s, winch), hauls ? h * winch->maxSpeed : HUGE_VAL);
}

void rv_winch_latch(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    rv_winch_change_layers(cable, bodies);
    for (int i = 0; i < 2; ++i) {
        cable->winch[i].step.driveSpeed = cable->winch[i].step.driveCompliance = 0.0;
        cable->winch[i].step.driveLimit = HUGE_VAL;
        if (cable->winch[i].exists)
            latch(cable, i, context->h);
    }
}

void rv_winch_lay(rvCable* cable)
{
    for (int i = 0; i < 2; ++i)
        if (cable->winch[i].exists)
            cable->route.places[rv_cable_winch_place(cable, i)].radius = cable->winch[i].state.radius;
}

double rv_winch_advance(rvCable* cable, int i, double tension, const rvStepContext* context)
{
    rvCableState* s = &cable->state;
    const rvWinchSettings* winch = &cable->winch[i].settings;
    double h = context->h, rate = cable->winch[i].step.driveSpeed + cable->winch[i].step.driveCompliance * tension;
    rate = fmin(rate, room_out(s, winch) / h);
    cable->winch[i].step.lastRate = cable->winch[i].state.rate;
    cable->winch[i].state.rate = rate;
    cable->winch[i].state.drumSpeed = 0.0;
    wind_off(cable, i, h * rate, h);
    return h * rate;
}

double rv_winch_unwind(rvCable* cable, int i, double rest, const rvStepContext* context)
{
    rvCableState* s = &cable->state;
    const rvWinchSettings* winch = &cable->winch[i].settings;
    const rvPlaceState* drum = &cable->route.places[rv_cable_winch_place(cable, i)].state;
    double h = context->h, paid = fmin(rest, room_out(s, winch));
    cable->winch[i].step.lastRate = cable->winch[i].state.rate;
    cable->winch[i].state.rate = paid / h;
    cable->winch[i].state.drumSpeed = 0.0;
    wind_off(cable, i, paid, h);
    // at its limit, and the rope runs out faster than it was told: it slips
    bool slips = drum->motorMode != 0.0 && paid > h * cable->winch[i].step.motorSpeed &&
                 isfinite(cable->winch[i].step.motorLimit);
    if (slips && rv_winch_tension(cable, i) > 0.0) {
        s->slipping = 1.0;
        cable->limitingWinch = i;
    }
    if (winch->control == RV_WINCH_TENSION && winch->brake == 0.0)
        cable->winch[i].state.overrun = cable->winch[i].state.overrun != 0.0 || paid > h * winch->maxSpeed ? 1.0 : 0.0;
    return paid;
}

double rv_winch_slip(rvCable* cable, int i, double more, const rvStepContext* context)
{
    rvCableState* s = &cable->state;
    const rvWinchSettings* winch = &cable->winch[i].settings;
    // the drive's own part of this step is off the drum but not in restLength yet
    double room = fmin(winch->stored, winch->maxLength - s->restLength - context->h * cable->winch[i].state.rate);
    if (winch->control == RV_WINCH_TENSION && winch->brake == 0.0 && cable->winch[i].state.overrun == 0.0) {
        double fastest = context->h * (winch->maxSpeed - cable->winch[i].state.rate);
        cable->winch[i].state.overrun = more > fastest * (1.0 - 1e-9) ? 1.0 : 0.0; // rope that flows is held at it
        room = fmin(room, fastest);
    }
    more = fmin(more, fmax(0.0, room));
    cable->winch[i].state.rate += more / context->h;
    wind_off(cable, i, more, context->h);
    return more;
}

double rv_winch_work(const rvCable* cable, int i, double tension, double energyOfRope, double h)
{
    if (has_inertia(cable, i)) // its motor turns the drum, and the rope of the drum brings its stretch along
        return cable->winch[i].step.motorWork + h * energyOfRope * cable->winch[i].state.rate;
    return -h * (0.5 * tension * (cable->winch[i].step.lastRate + cable->winch[i].state.rate) +
                 energyOfRope * cable->winch[i].state.rate);
}

void rv_winch_finish(rvCable* cable, int i, double work, const rvStepContext* context)
{
    rvCableState* s = &cable->state;
    const rvWinchSettings* winch = &cable->winch[i].settings;
    if (winch->brake != 0.0)
        cable->winch[i].state.heat -= work;
    else
        cable->winch[i].state.work += work;
    // rope on the drum has no height in the books: what it has where it leaves is the winch's
    cable->winch[i].state.work += context->h * cable->winch[i].step.height * cable->winch[i].state.rate;
    bool full = isfinite(winch->stored) && winch->stored >= winch->capacity * (1.0 - STOP_TOLERANCE);
    cable->winch[i].state.stop = 0.0;
    if (room_in(cable, i) >= -STOP_TOLERANCE * winch->minLength || full)
        cable->winch[i].state.stop = -1.0;
    else if (is_at_outer_stop(s, winch))
        cable->winch[i].state.stop = 1.0;
}
