// SPDX-License-Identifier: MIT
// Winches: massless drums at the ends of a cable.
//
// Rest length out L changes by p = w + xi T (w wanted rate, xi drive compliance, T tension). In the stretch row that is
// w on the right side and xi/h of compliance, so the drive is solved together with the cable. Above its force limit the
// drum slips: the row's upper bound; then L follows from  T = F  algebraically (massless_advance.c).
// Two winches act in series on one massless cable: rates and compliances add, the weaker limit counts.
#include "cable/cable_model.h"

rvStatus rv_winch_check(rvError* error, const char* name, int place, const rvWinchDef* winch)
{
    if (!isfinite(winch->speed))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].winch.speed: must be finite", name, place);
    if (!(winch->compliance >= 0.0 && isfinite(winch->compliance)))
        return rv_fail(error, RV_BAD_INPUT,
                       "cable '%s': places[%d].winch.compliance: is %g m/(s N), must be finite and >= 0", name, place,
                       winch->compliance);
    if (!(winch->maxForce > 0.0))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].winch.maxForce: is %g N, must be > 0", name, place,
                       winch->maxForce);
    if (!(winch->minLength > 0.0 && isfinite(winch->minLength)))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].winch.minLength: is %g m, must be finite and > 0",
                       name, place, winch->minLength);
    if (!(winch->maxLength >= winch->minLength))
        return rv_fail(error, RV_BAD_INPUT,
                       "cable '%s': places[%d].winch.maxLength: is %g m, must not be less than minLength (%g m)", name,
                       place, winch->maxLength, winch->minLength);
    return RV_OK;
}

int rv_cable_winch_at(const rvCable* cable, int place)
{
    if (place == 0 && cable->hasWinch[0])
        return 0;
    if (place == cable->route.placeCount - 1 && cable->hasWinch[1])
        return 1;
    return -1;
}

// The wanted speed, slowed so that the stops are reached and not passed.
static double speed_within_stops(const rvCableState* s, const rvWinchDef* winch, double h)
{
    double slowest = (winch->minLength - s->restLength) / h;
    double fastest = (winch->maxLength - s->restLength) / h;
    if (winch->speed < 0.0)
        return fmax(winch->speed, fmin(0.0, slowest));
    return fmin(winch->speed, fmax(0.0, fastest));
}

void rv_winch_latch(rvCable* cable, const rvStepContext* context)
{
    for (int i = 0; i < 2; ++i)
        cable->driveSpeed[i] =
            cable->hasWinch[i] ? speed_within_stops(&cable->state, &cable->state.winch[i], context->h) : 0.0;
}

double rv_winch_advance(rvCable* cable, int i, double tension, const rvStepContext* context)
{
    rvCableState* s = &cable->state;
    const rvWinchDef* winch = &s->winch[i];
    double rate = cable->driveSpeed[i] + winch->compliance * tension;
    // the stretch rate is taken at the middle of the step, so the drum's is too: work with the mean of two rates
    // and rope leaves the drum unstretched: T/(2 EA) of the work goes into its stretch
    double share = 1.0 + 0.5 * tension / cable->axialStiffness;
    s->winchWork[i] -= context->h * share * tension * 0.5 * (rate + s->winchRate[i]);
    s->winchRate[i] = rate;
    double reach = s->restLength + context->h * rate;
    s->winchStop[i] = 0.0;
    if (reach <= winch->minLength * (1.0 + 1e-12))
        s->winchStop[i] = -1.0;
    else if (reach >= winch->maxLength * (1.0 - 1e-12))
        s->winchStop[i] = 1.0;
    return context->h * rate;
}
