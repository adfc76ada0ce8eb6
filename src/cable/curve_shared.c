// SPDX-License-Identifier: MIT
#include "cable/curve_shared.h"

#include <string.h>

#define PI 3.14159265358979323846
enum { MOST_INTERVALS = 1000, PER_SIDE = 32 };

static rvStatus check_profile(const rvCable* cable, const rvCableDef* def, rvError* error)
{
    if (def->profileCount < 0 || (def->profileCount > 0 && !def->profile))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': profileCount: is %d, must be that of the points in profile",
                       cable->name, def->profileCount);
    for (int i = 0; i < def->profileCount; ++i) {
        const rvCableProfile* p = &def->profile[i];
        double before = i > 0 ? p[-1].at : 0.0;
        if (!(p->at >= before && isfinite(p->at)))
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': profile[%d].at: is %g m, must be finite and >= %g",
                           cable->name, i, p->at, before);
        if (!(p->bending >= 0.0 && isfinite(p->bending)))
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': profile[%d].bending: is %g, must be finite and >= 0",
                           cable->name, i, p->bending);
        if (!(p->mass > 0.0 && isfinite(p->mass)))
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': profile[%d].mass: is %g, must be finite and > 0",
                           cable->name, i, p->mass);
        if (!(fabs(p->curvature) <= 1e9))
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': profile[%d].curvature: is %g, must be within 1e9",
                           cable->name, i, p->curvature);
    }
    return RV_OK;
}

rvStatus rv_curve_check(const rvCable* cable, const rvCableDef* def, int leastElements, int place, int clamp,
                        int mostRows, rvError* error)
{
    int rows = 0;
    if (def->elements < leastElements || def->elements > MOST_INTERVALS)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': elements: is %d, must be %d to %d", cable->name, def->elements,
                       leastElements, MOST_INTERVALS);
    const struct {
        const char* name;
        double value, least;
    } numbers[] = {{"bendingStiffness", def->bendingStiffness, 0.0},
                   {"curvature", def->curvature, -1e9},
                   {"contactStiffness", def->contactStiffness, 0.0},
                   {"contactDamping", def->contactDamping, 0.0}};
    for (int i = 0; i < 4; ++i)
        if (!(numbers[i].value >= numbers[i].least && isfinite(numbers[i].value)))
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': %s: is %g, must be finite and >= %g", cable->name,
                           numbers[i].name, numbers[i].value, numbers[i].least);
    if (def->fluidDensity > 0.0)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': fluidDensity: model curve knows no fluid, only waveDamping",
                       cable->name);
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace* at = &cable->route.places[i];
        bool end = i == 0 || i == cable->route.placeCount - 1;
        if (at->type != RV_PLACE_ATTACH && !(end && at->type == RV_PLACE_FREE))
            return rv_fail(error, RV_BAD_INPUT,
                           "cable '%s': places[%d].type: the material of model curve does not run through places: only "
                           "attached ones and free ends",
                           cable->name, i);
        rows += at->type == RV_PLACE_ATTACH ? place + (at->clamped ? clamp : 0) : 0;
    }
    if (rows > mostRows)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places: more are attached than model curve has room for (%d)",
                       cable->name, mostRows / (place + clamp));
    return check_profile(cable, def, error);
}

rvStatus rv_curve_check_reach(const rvCable* cable, rvError* error)
{
    bool stretches = !cable->inSpace && cable->def.axialStiffness > 0.0;
    int held = 0;
    for (int i = 0; i < cable->route.placeCount; ++i)
        held += cable->route.places[i].type == RV_PLACE_ATTACH;
    double rest = cable->state.restLength, longest = stretches ? (1.0 + RV_CURVE_REACH) * rest : (1.0 + 1e-6) * rest;
    if (held < 2 || cable->route.length <= longest)
        return RV_OK;
    return rv_fail(error, RV_BAD_INPUT, "cable '%s': length: is %g m, its places are %g m apart%s", cable->name, rest,
                   cable->route.length, stretches ? "" : " and it does not stretch");
}

double rv_curve_bend(double share)
{
    double low = 0.0, high = 2.4048255576957728; // of the chord 0
    for (int round = 0; round < 50; ++round) {
        double a = 0.5 * (low + high), mean = 0.0; // of cos(A cos(pi u))
        for (int i = 0; i < PER_SIDE; ++i)
            mean += cos(a * cos(PI * (i + 0.5) / PER_SIDE)) / PER_SIDE;
        if (mean > share)
            low = a;
        else
            high = a;
    }
    return low;
}

void* rv_curve_piece(uint8_t* block, size_t* at, size_t count, size_t size)
{
    void* here = block ? block + *at : NULL;
    *at += (count * size + 15) / 16 * 16;
    return here;
}

double rv_curve_bending(const rvCable* cable, const rvCableDef* def)
{
    if (def->bendingStiffness > 0.0)
        return def->bendingStiffness;
    return cable->axialStiffness * def->diameter * def->diameter / 16.0; // of a round rod of that diameter
}

rvCableProfile rv_curve_profile(const rvCableDef* def, double s)
{
    if (def->profileCount == 0)
        return (rvCableProfile){.at = s, .bending = 1.0, .mass = 1.0};
    int next = 0;
    while (next < def->profileCount && def->profile[next].at <= s)
        next += 1;
    if (next == 0 || next == def->profileCount)
        return def->profile[next == 0 ? 0 : next - 1];
    const rvCableProfile *a = &def->profile[next - 1], *b = a + 1;
    double u = (s - a->at) / (b->at - a->at);
    return (rvCableProfile){.at = s,
                            .bending = a->bending + u * (b->bending - a->bending),
                            .mass = a->mass + u * (b->mass - a->mass),
                            .curvature = a->curvature + u * (b->curvature - a->curvature)};
}

void rv_curve_add_loads(const rvGrip* grips, const rvGripState* states, int count, const rvPush* pushes,
                        rvBodyStore* bodies)
{
    for (int k = 0; k < count; ++k)
        if (grips[k].body >= 0)
            rv_grip_add_load(&bodies->items[grips[k].body], states[k].past[0], true);
    rv_pushes_add_loads(pushes, bodies);
}

void rv_curve_add_stiffness(const rvGrip* grips, const rvGripState* states, int count, rvBodyStore* bodies)
{
    for (int k = 0; k < count; ++k)
        if (grips[k].pushed)
            rv_grip_add_stiffness(&grips[k], &states[k], bodies);
}

int rv_curve_slot(int* slots, int* count, int body)
{
    int slot = 0;
    while (slot < *count && slots[slot] != body)
        slot += 1;
    if (slot == *count)
        slots[(*count)++] = body;
    return slot;
}

void rv_curve_write_row(rvRows* rows, int group, int slot, int row, rvVec3 e, rvVec3 turning)
{
    const double entries[6] = {e.x, e.y, e.z, turning.x, turning.y, turning.z};
    if (slot >= 0)
        memcpy(rv_group_jacobian(rows, group, slot)[row], entries, sizeof entries);
}

void rv_curve_take_off(const rvCable* cable, rvRows* rows, int rowCount, int gripRows, const double* known)
{
    for (int r = 0; r < rowCount; ++r)
        for (int k = 0; k < gripRows; ++k)
            rv_group_rows(rows, cable->group)[r].bias -= cable->block[r * rowCount + k] * known[k];
}

double rv_curve_least(double a, double b)
{
    return a * b <= 0.0 ? 0.0 : fabs(a) < fabs(b) ? a : b;
}

void rv_curve_keep_grip(const rvGrip* grip, rvGripState* state, bool held, bool euler)
{
    memmove(state->past[1], state->past[0], 2 * sizeof state->past[0]);
    memset(state->past[0], 0, sizeof state->past[0]);
    for (int i = 0; held && i < (euler ? 3 : 1); ++i)
        memcpy(state->past[i], grip->force, sizeof state->past[i]);
    state->spin = grip->spin;
}
