// SPDX-License-Identifier: MIT
// What the definition of a curve must be, and what it says.
#include "cable/curve_cable.h"

#define IN_PLANE 1e-6 // of the length: places lie in a plane within this
enum { MOST_INTERVALS = 1000 };

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
        if (!(fabs(p->curvature) <= 1e9 && fabs(p->torsion) <= 1e9))
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': profile[%d].%s: is %g, must be within 1e9", cable->name, i,
                           fabs(p->curvature) <= 1e9 ? "torsion" : "curvature",
                           fabs(p->curvature) <= 1e9 ? p->torsion : p->curvature);
    }
    return RV_OK;
}

rvStatus rv_curve_check_places(const rvCable* cable, const rvCurveCore* core, rvError* error)
{
    int rows = 0;
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace* at = &cable->route.places[i];
        bool end = i == 0 || i == cable->route.placeCount - 1;
        if (at->type != RV_PLACE_ATTACH && !(end && at->type == RV_PLACE_FREE))
            return rv_fail(error, RV_BAD_INPUT,
                           "cable '%s': places[%d].type: the material of model curve does not run through places: only "
                           "attached ones and free ends",
                           cable->name, i);
        rows += at->type == RV_PLACE_ATTACH ? core->dims + (at->clamped ? core->turns : 0) : 0;
    }
    if (rows > core->mostRows)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places: more are attached than model curve has room for (%d)",
                       cable->name, core->mostRows / (core->dims + core->turns));
    return RV_OK;
}

rvStatus rv_curve_check(const rvCable* cable, const rvCableDef* def, const rvCurveCore* core, rvError* error)
{
    int spans = cable->route.spanCount, least = core->dims == 3 && spans > 2 ? spans : 2;
    if (def->elements < least || def->elements > MOST_INTERVALS)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': elements: is %d, must be %d to %d", cable->name, def->elements,
                       least, MOST_INTERVALS);
    if (!rvIsFiniteVec(def->plane) || !rvIsFiniteVec(def->bulge))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': %s: must be finite", cable->name,
                       rvIsFiniteVec(def->plane) ? "bulge" : "plane");
    const struct {
        const char* name;
        double value, least;
    } numbers[] = {{"bendingStiffness", def->bendingStiffness, 0.0},
                   {"curvature", def->curvature, -1e9},
                   {"torsion", def->torsion, -1e9},
                   {"contactStiffness", def->contactStiffness, 0.0},
                   {"contactDamping", def->contactDamping, 0.0}};
    for (int i = 0; i < 5; ++i)
        if (!(numbers[i].value >= numbers[i].least && isfinite(numbers[i].value)))
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': %s: is %g, must be finite and >= %g", cable->name,
                           numbers[i].name, numbers[i].value, numbers[i].least);
    if (def->fluidDensity > 0.0)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': fluidDensity: model curve knows no fluid, only waveDamping",
                       cable->name);
    rvStatus status = rv_curve_check_places(cable, core, error);
    if (status == RV_OK)
        status = check_profile(cable, def, error);
    return status == RV_OK ? core->check(cable, def, error) : status;
}

rvStatus rv_curve_check_reach(const rvCable* cable, rvError* error)
{
    bool stretches = cable->def.axialStiffness > 0.0;
    int held = 0;
    for (int i = 0; i < cable->route.placeCount; ++i)
        held += cable->route.places[i].type == RV_PLACE_ATTACH;
    double rest = cable->state.restLength, longest = stretches ? (1.0 + RV_CURVE_REACH) * rest : (1.0 + 1e-6) * rest;
    if (held < 2 || cable->route.length <= longest)
        return RV_OK;
    return rv_fail(error, RV_BAD_INPUT, "cable '%s': length: is %g m, its places are %g m apart%s", cable->name, rest,
                   cable->route.length, stretches ? "" : " and it does not stretch");
}

rvVec3 rv_curve_clamp_way(const rvPlace* place, const rvBodyStore* bodies)
{
    return place->body >= 0 ? rvRotate(bodies->items[place->body].state.q, place->direction) : place->direction;
}

bool rv_curve_is_twisted(const rvCableDef* def)
{
    bool twisted = def->torsion != 0.0;
    for (int i = 0; i < def->profileCount && def->profile; ++i)
        twisted = twisted || def->profile[i].torsion != 0.0;
    return twisted;
}

bool rv_curve_is_in_space(const rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies)
{
    if (rvLength(def->plane) > 0.0)
        return false;
    if (def->torsionalStiffness > 0.0 || rv_curve_is_twisted(def))
        return true;
    // a line among the directions that places and clamps have, the one most across it, and how far the rest is off
    rvVec3 line = rvVec(0, 0, 0), normal = rvVec(0, 0, 0);
    double off = 0.0;
    for (int pass = 0; pass < 3; ++pass)
        for (int i = 0; i < 2 * cable->route.placeCount; ++i) {
            const rvPlace* place = &cable->route.places[i / 2];
            if (i % 2 == 1 && !place->clamped)
                continue;
            rvVec3 d =
                i % 2 == 0 ? rvSub(place->point, cable->route.places[0].point) : rv_curve_clamp_way(place, bodies);
            d = rvScale(1.0 / (i % 2 == 0 ? cable->state.restLength : rvLength(d)), d);
            if (pass == 0 && rvLength(d) > rvLength(line))
                line = d;
            else if (pass == 1 && rvLength(rvCross(line, d)) > rvLength(normal))
                normal = rvCross(line, d);
            else if (pass == 2)
                off = fmax(off, fabs(rvDot(rvNormalizeOr(normal, rvVec(0, 0, 0)), d)));
        }
    return off > IN_PLANE;
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
                            .curvature = a->curvature + u * (b->curvature - a->curvature),
                            .torsion = a->torsion + u * (b->torsion - a->torsion)};
}
