// SPDX-License-Identifier: MIT
// Creation of a curve in a plane: which plane it lies in, what its parts are made of, and its room.
#include "cable/curve/curve_kernel.h"
#include "cable/route/profile.h"

#include <string.h>

#define IN_PLANE 1e-6      // of the length: places lie in the plane within this
enum { LEAST_ROOM = 256 }; // for touches

rvStatus rv_plane_curve_check_definition(const rvCable* cable, const rvCableDef* def, rvError* error)
{
    if (def->torsionalStiffness > 0.0 || rv_curve_is_twisted(def))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': %s: a curve in a plane does not twist", cable->name,
                       def->torsionalStiffness > 0.0 ? "torsionalStiffness" : "torsion");
    return RV_OK;
}

// The normal that places and clamps have in common; upright where they lie on a line.
static rvVec3 find_normal(const rvCable* cable, const rvBodyStore* bodies)
{
    const rvPlace* places = cable->route.places;
    rvVec3 line = rvVec(0, 0, 0), normal = rvVec(0, 0, 0);
    for (int i = 0; i < cable->route.placeCount; ++i)
        for (int way = 0; way < 2; ++way) {
            if (way == 1 && !places[i].clamped)
                continue;
            rvVec3 d = way == 0 ? rvSub(places[i].point, places[0].point) : rv_curve_clamp_way(&places[i], bodies);
            double size = rvLength(d);
            if (!(size > 1e-9))
                continue;
            d = rvScale(1.0 / size, d);
            rvVec3 across = rvCross(line, d);
            if (rvLength(line) == 0.0)
                line = d;
            else if (rvLength(across) > fmax(rvLength(normal), 1e-6))
                normal = across;
        }
    if (rvLength(normal) == 0.0)
        normal = rvCross(line, rvVec(0, 0, 1));
    return rvNormalizeOr(rvLength(normal) > 1e-6 ? normal : rvVec(0, 1, 0), rvVec(0, 1, 0));
}

static rvStatus lay_plane(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvError* error)
{
    rvCurve* curve = rv_curve_of(cable);
    rvVec3 normal = rvNormalizeOr(def->plane, find_normal(cable, bodies));
    rvVec3 up = rvMulAdd(rvVec(0, 0, 1), -normal.z, normal);
    if (rvLength(up) < 1e-3)
        up = rvMulAdd(rvVec(0, 1, 0), -normal.y, normal);
    curve->axis[2] = normal;
    curve->axis[1] = rvNormalizeOr(up, rvAcross(normal));
    curve->axis[0] = rvCross(curve->axis[1], normal);
    curve->origin = cable->route.places[0].point;
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace* place = &cable->route.places[i];
        double off = rvDot(normal, rvSub(place->point, curve->origin));
        if (fabs(off) > IN_PLANE * cable->state.restLength)
            return rv_fail(error, RV_BAD_INPUT,
                           "cable '%s': places[%d].point: is %g m out of the plane of the curve, must be in it",
                           cable->name, i, off);
        if (place->clamped && fabs(rvDot(normal, rv_curve_clamp_way(place, bodies))) > IN_PLANE)
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].direction: must lie in the plane of the curve",
                           cable->name, i);
    }
    return RV_OK;
}

// What it is made of.
static void fill_parts(rvCable* cable, const rvCableDef* def, rvPlane* plane)
{
    double bending = rv_curve_bending(cable, def), time = fmax(cable->damping, 0.0), mass = cable->massPerLength;
    double sum = 0.0;
    for (int i = 0; i < plane->intervals; ++i) {
        rvCableProfile here = rv_profile_at(def, (i + 0.5) * plane->step);
        plane->parts[i] = (rvPlanePart){.density = here.mass * mass,
                                        .rigidity = here.bending * bending,
                                        .natural = def->curvature + here.curvature,
                                        .damping = time * here.bending * bending,
                                        .stiffness = cable->axialStiffness,
                                        .stretching = time * cable->axialStiffness,
                                        .drag = cable->def.waveDamping * here.mass * mass};
        sum += here.mass;
    }
    cable->massPerLength = mass * (sum / plane->intervals); // the mean: what weighs the whole asks for it
    rv_plane_begin(plane);
}

// `old`: what it is made of; NULL: as the definition says.
static bool create_motion(rvCable* cable, const rvCableDef* def, const rvPlane* old, rvMemory* memory)
{
    rvCurve* curve = rv_curve_of(cable);
    rvPlane plane;
    rvPlaneContacts contacts;
    if (!rv_plane_create(&plane, memory, def->elements, cable->state.restLength, def->axialStiffness > 0.0))
        return false;
    if (old) {
        memcpy(plane.parts, old->parts, (size_t)plane.intervals * sizeof(rvPlanePart));
        rv_plane_begin(&plane);
    } else
        fill_parts(cable, def, &plane);
    int most = curve->touchCapacity > LEAST_ROOM ? curve->touchCapacity : LEAST_ROOM;
    if (!rv_plane_contacts_create(&contacts, memory, &plane, curve->pegCapacity, def->touchesItself, most)) {
        rv_plane_release(&plane, memory);
        return false;
    }
    contacts.spring = curve->spring;
    contacts.damping = curve->damping;
    contacts.thickness = def->diameter;
    contacts.rigid = curve->rigid;
    contacts.origin = curve->origin;
    memcpy(contacts.axis, curve->axis, sizeof contacts.axis);
    if (curve->rigid) // in the search for rest: stiffer than an interval is
        contacts.spring = 10.0 * rv_curve_bending(cable, def) / (plane.step * plane.step * plane.step);
    return rv_plane_motion_create(&curve->plane->motion, memory, &plane, &contacts);
}

static size_t pushed_size(const rvCurve* curve)
{
    return (size_t)(curve->gripCount + 2 * curve->touchCapacity) * sizeof(rvPlaneLoad);
}

static bool create_own(rvCable* cable, const rvCableDef* def, const rvPlane* old, rvMemory* memory)
{
    rvCurve* curve = rv_curve_of(cable);
    rvPlaneCurve* own = curve->plane = rv_memory_take(memory, sizeof(rvPlaneCurve));
    if (own)
        own->pushed = rv_memory_take(memory, pushed_size(curve));
    if (!own || (!own->pushed && pushed_size(curve) > 0) || !create_motion(cable, def, old, memory) ||
        !rv_plane_run_create(&own->run, memory, &own->motion))
        return false;
    const rvPlane* plane = &own->motion.plane;
    curve->now = (rvCurveStep){.count = plane->count,
                               .intervals = plane->intervals,
                               .length = plane->length,
                               .state = own->run.q,
                               .stateCount = 4 * (size_t)plane->count,
                               .matrix = &own->motion.matrix,
                               .alpha = &own->run.alpha,
                               .step = own->run.step,
                               .before = {own->run.v, own->run.a, own->run.at},
                               .rates = {own->run.v1, own->run.a1, own->run.at1}};
    return true;
}

rvStatus rv_plane_curve_create(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory,
                               rvError* error)
{
    rvStatus status = lay_plane(cable, def, bodies, error);
    if (status == RV_OK && !create_own(cable, def, NULL, memory))
        status = rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    return status;
}

// Places may be anywhere along it.
bool rv_plane_curve_create_with_node(rvCable* cable, const rvCable* old, rvCurveGrasp* grasp, rvMemory* memory)
{
    const rvCurve* before = rv_curve_of(old);
    grasp->interval = -1;
    if (!create_own(cable, &cable->def, rv_plane_of(before), memory))
        return false;
    rvCurve* curve = rv_curve_of(cable);
    curve->plane->motion.gravity = before->plane->motion.gravity;
    memcpy(curve->now.state, before->now.state, before->now.stateCount * sizeof(double));
    return true;
}

void rv_plane_curve_release(rvCurve* curve, rvMemory* memory)
{
    rvPlaneCurve* own = curve->plane;
    if (!own)
        return;
    if (own->run.base)
        rv_plane_run_release(&own->run, memory);
    if (own->motion.plane.count > 0)
        rv_plane_motion_release(&own->motion, memory);
    rv_memory_give(memory, own->pushed, own->pushed ? pushed_size(curve) : 0);
    rv_memory_give(memory, own, sizeof(rvPlaneCurve));
}
