// SPDX-License-Identifier: MIT
// What the definition of a curve must be, and what it says.
#include "cable/curve/curve_kernel.h"
#include "cable/route/profile.h"

#define IN_PLANE 1e-6    // of the length: places lie in a plane within this
#define LEAST_MASS 1e-10 // of a body that it holds: rows give way by 1e-12 of how it does, 1 % of how the body does
#define WHOLE_TURN 6.28318530717958648
enum { MOST_INTERVALS = 1000 };

rvStatus rv_curve_check_places(const rvCable* cable, int dims, rvError* error)
{
    int rows = 0, turns = rv_curve_turns(dims), most = dims == 3 ? RV_SPACE_MOST_ROWS : RV_PLANE_MOST_HOLDS;
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace* at = &cable->route.places[i];
        bool end = i == 0 || i == cable->route.placeCount - 1;
        if (at->type != RV_PLACE_ATTACH && !(end && at->type == RV_PLACE_FREE))
            return rv_fail(error, RV_BAD_INPUT,
                           "cable '%s': places[%d].type: the material of model curve does not run through places: only "
                           "attached ones and free ends",
                           cable->name, i);
        rows += at->type == RV_PLACE_ATTACH ? dims + (at->clamped ? turns : 0) : 0;
    }
    if (rows > most)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': places: more are attached than model curve has room for (%d)",
                       cable->name, most / (dims + turns));
    return RV_OK;
}

// An interval is a piece of a helix that turns by less than once.
static rvStatus check_curvature(const rvCable* cable, const rvCableDef* def, rvError* error)
{
    double interval = cable->state.restLength / def->elements;
    for (int i = 0; i < def->elements; ++i) {
        rvCableProfile here = rv_profile_at(def, (i + 0.5) * interval);
        double curvature = def->curvature + here.curvature, torsion = def->torsion + here.torsion;
        double turn = interval * hypot(curvature, torsion);
        if (!(turn < WHOLE_TURN))
            return rv_fail(error, RV_BAD_INPUT,
                           "cable '%s': %s: turns an interval of %g m by %g rad without load, must be below %g: "
                           "elements is %d",
                           cable->name, fabs(curvature) >= fabs(torsion) ? "curvature" : "torsion", interval, turn,
                           WHOLE_TURN, def->elements);
    }
    return RV_OK;
}

rvStatus rv_curve_check(const rvCable* cable, const rvCableDef* def, int dims, rvError* error)
{
    int spans = cable->route.spanCount, least = dims == 3 && spans > 2 ? spans : 2;
    if (def->elements < least || def->elements > MOST_INTERVALS)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': elements: is %d, must be %d to %d", cable->name, def->elements,
                       least, MOST_INTERVALS);
    if (!rvIsFiniteVec(def->plane) || !rvIsFiniteVec(def->bulge))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': %s: must be finite", cable->name,
                       rvIsFiniteVec(def->plane) ? "bulge" : "plane");
    const struct {
        const char* name;
        double value, least;
    } numbers[] = {{"curvature", def->curvature, -1e9},
                   {"torsion", def->torsion, -1e9},
                   {"contactDamping", def->contactDamping, 0.0}};
    for (int i = 0; i < 3; ++i)
        if (!(numbers[i].value >= numbers[i].least && isfinite(numbers[i].value)))
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': %s: is %g, must be finite and >= %g", cable->name,
                           numbers[i].name, numbers[i].value, numbers[i].least);
    if (def->fluidDensity > 0.0)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': fluidDensity: model curve knows no fluid, only waveDamping",
                       cable->name);
    rvStatus status = rv_curve_check_places(cable, dims, error);
    if (status == RV_OK)
        status = rv_profile_check(cable, def, error);
    if (status == RV_OK)
        status = check_curvature(cable, def, error);
    return status == RV_OK ? rv_curve_kernel(dims)->checkDefinition(cable, def, error) : status;
}

double rv_curve_find_too_heavy(const rvCable* cable, const rvBodyStore* bodies)
{
    double most = cable->massPerLength * cable->state.restLength / LEAST_MASS, heaviest = 0.0;
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace* place = &cable->route.places[i];
        if (place->type == RV_PLACE_ATTACH && place->body >= 0 && rv_body_is_pushed(&bodies->items[place->body]))
            heaviest = fmax(heaviest, bodies->items[place->body].mass);
    }
    return heaviest > most ? heaviest : 0.0;
}

rvStatus rv_curve_check_mass(const rvCable* cable, const rvBodyStore* bodies, rvError* error)
{
    double heavy = rv_curve_find_too_heavy(cable, bodies);
    if (heavy == 0.0)
        return RV_OK;
    return rv_fail(
        error, RV_BAD_INPUT,
        "cable '%s': massPerLength: %g kg in all hold a body of %g kg, must be %g kg or more: less is lost in "
        "rounding",
        cable->name, cable->massPerLength * cable->state.restLength, heavy, LEAST_MASS * heavy);
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
