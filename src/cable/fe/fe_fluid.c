// SPDX-License-Identifier: MIT
// What is around a cable of elements, as its definition has it.
#include "cable/fe/fe.h"

static rvStatus check_current(const rvCableDef* def, const char* name, rvError* error)
{
    if (def->currentCount < 0 || def->currentCount > RV_MAX_CURRENTS || (def->currentCount > 0 && !def->current))
        return rv_fail(error, RV_BAD_INPUT,
                       "cable '%s': currentCount: is %d, must be that of the points in current, 0 to %d", name,
                       def->currentCount, RV_MAX_CURRENTS);
    for (int i = 0; i < def->currentCount; ++i) {
        const rvCableCurrent* c = &def->current[i];
        if (!(fabs(c->height) <= RV_LARGEST_POSITION) || (i > 0 && !(c->height > c[-1].height)))
            return rv_fail(error, RV_BAD_INPUT,
                           "cable '%s': current[%d].height: is %g m, must be finite and above that of the point before",
                           name, i, c->height);
        if (!(rvLength(c->velocity) <= RV_LARGEST_SPEED))
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': current[%d].velocity: must be at most %g m/s", name, i,
                           RV_LARGEST_SPEED);
    }
    return RV_OK;
}

rvStatus rv_fe_check_fluid(const rvCableDef* def, const char* name, rvError* error)
{
    if (isnan(def->fluidLevel))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': fluidLevel: must be a number", name);
    const struct {
        const char* name;
        double value;
    } numbers[] = {{"tangentDrag", def->tangentDrag}, {"addedMass", def->addedMass}};
    for (int i = 0; i < 2; ++i)
        if (!(numbers[i].value >= 0.0 && isfinite(numbers[i].value)))
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': %s: is %g, must be finite and >= 0", name, numbers[i].name,
                           numbers[i].value);
    return check_current(def, name, error);
}

double rv_fe_bend_time(const rvCable* cable, const rvCableDef* def)
{
    return def->bendingDamping >= 0.0 ? def->bendingDamping : cable->damping;
}

// Points of the current with the wind added; none where nothing flows: rest is then least energy.
static int lay_currents(const rvCableDef* def, rvAncfCurrent currents[RV_MAX_CURRENTS])
{
    bool flows = rvLength(def->wind) > 0.0;
    for (int i = 0; i < def->currentCount; ++i) {
        const rvCableCurrent* c = &def->current[i];
        currents[i] = (rvAncfCurrent){.height = c->height, .speed = rvAdd(def->wind, c->velocity)};
        flows = flows || rvLength(currents[i].speed) > 0.0;
    }
    if (def->currentCount == 0)
        currents[0] = (rvAncfCurrent){.speed = def->wind};
    return flows ? def->currentCount > 0 ? def->currentCount : 1 : 0;
}

rvAncfWater rv_fe_water(const rvCableDef* def, rvAncfCurrent currents[RV_MAX_CURRENTS])
{
    if (!(def->fluidDensity > 0.0))
        return (rvAncfWater){0};
    return (rvAncfWater){.on = true,
                         .level = fmin(fmax(def->fluidLevel, -RV_LARGEST_POSITION), RV_LARGEST_POSITION),
                         .density = def->fluidDensity,
                         .normalDrag = def->dragCoefficient,
                         .tangentDrag = def->tangentDrag,
                         .addedMass = def->addedMass,
                         .implicitDrag = true,
                         .takenAlong = true,
                         .currents = currents,
                         .currentCount = lay_currents(def, currents)};
}

bool rv_fe_is_limp(double EI, double massPerLength, double length)
{
    static const double PI = 3.14159265358979323846, EARTH = 9.81; // [m/s^2], whatever the gravity is
    return PI * PI * EI < EARTH * massPerLength * length * length * length;
}
