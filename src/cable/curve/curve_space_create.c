// SPDX-License-Identifier: MIT
// Creation of a curve in space: nodes at its places, what its parts are made of, its room; and with a node more, where
// a new place takes hold.
#include "cable/curve/curve_kernel.h"
#include "cable/route/profile.h"

#include "base/deal.h"

#include <string.h>

#define NEAR_NODE 0.1                  // of an interval: so near a node it is that one which a new place holds
#define LARGEST_TWIST 2.0              // of an interval at the start [rad]
#define ROUND_ROD 0.769230769230769231 // GJ/EI of a round rod, 1/(1 + 0.3)

rvStatus rv_space_curve_check_definition(const rvCable* cable, const rvCableDef* def, rvError* error)
{
    const rvPlace* places = cable->route.places;
    if (def->twist != 0.0 && !(places[0].clamped && places[cable->route.placeCount - 1].clamped))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': twist: a curve keeps it between ends that are clamped",
                       cable->name);
    if (fabs(def->twist) > LARGEST_TWIST * def->elements)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': twist: is %g rad, must be within %g of each of its elements",
                       cable->name, def->twist, LARGEST_TWIST);
    return RV_OK;
}

// How many intervals lie before a place: as its rest length says, at least one to a span.
static int node_at(const rvCable* cable, int intervals, int place)
{
    double share = rv_cable_rest_before(cable, place) / cable->state.restLength;
    int node = (int)(share * intervals + 0.5), last = cable->route.placeCount - 1;
    node = node < place ? place : node;
    return node > intervals - (last - place) ? intervals - (last - place) : node;
}

// What it is made of.
static void fill_parts(rvCable* cable, const rvCableDef* def, rvSpace* space)
{
    double mass = cable->massPerLength, bending = rv_curve_bending(cable, def), twisting = def->torsionalStiffness;
    double at = 0.0, sum = 0.0;
    if (twisting == 0.0)
        twisting = ROUND_ROD * bending;
    for (int i = 0; i < cable->route.spanCount; ++i) {
        int first = node_at(cable, def->elements, i), last = node_at(cable, def->elements, i + 1);
        for (int k = first; k < last; ++k) {
            double length = cable->route.places[i].state.rest / (last - first);
            double thick = fmax(def->diameter, 1e-2 * length);
            rvCableProfile here = rv_profile_at(def, at + 0.5 * length);
            space->parts[k] =
                (rvSpacePart){.length = length,
                              .density = here.mass * mass,
                              .rigidity = rvScale(here.bending, rvVec(bending, bending, twisting)),
                              .natural = rvVec(def->curvature + here.curvature, 0, def->torsion + here.torsion),
                              .damping = fmax(cable->damping, 0.0),
                              .inertia = here.mass * mass * thick * thick / 8.0,
                              .stiffness = cable->axialStiffness,
                              .stretching = fmax(cable->damping, 0.0) * cable->axialStiffness};
            at += length;
            sum += here.mass * length;
        }
    }
    cable->massPerLength = mass * (sum / at); // the mean: what weighs the whole asks for it
    rv_space_begin(space);
}

// The node at a place, or what is nearest to it, of a curve with these parts.
static int node_along(const rvSpacePart* parts, int intervals, double s)
{
    int node = 0;
    double at = 0.0;
    for (; node < intervals && s > at + 0.5 * parts[node].length; ++node)
        at += parts[node].length;
    return node;
}

// With its holds, for the search for rest. `parts`: as many as it has elements; NULL: as the definition says.
static bool create_run(rvCable* cable, const rvCableDef* def, const rvSpacePart* parts, rvMemory* memory)
{
    rvCurve* curve = rv_curve_of(cable);
    rvSpaceRun* run = &curve->space->run;
    rvSpaceHold holds[RV_SPACE_MOST_ROWS];
    int count = 0;
    bool clamped = false;
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace* place = &cable->route.places[i];
        if (place->type != RV_PLACE_ATTACH)
            continue;
        bool turns = clamped && def->twist == 0.0; // without twist
        rvSpaceGrip grip = !place->clamped ? RV_GRIP_PIN : turns ? RV_GRIP_AIM : RV_GRIP_FRAME;
        int node =
            parts ? node_along(parts, def->elements, rv_cable_rest_before(cable, i)) : node_at(cable, def->elements, i);
        holds[count++] = (rvSpaceHold){.node = node, .grip = grip};
        clamped = clamped || place->clamped;
    }
    rvSpaceDef what = {.intervals = def->elements,
                       .stretches = def->axialStiffness > 0.0,
                       .holds = holds,
                       .holdCount = count,
                       .obstacleCount = curve->pegCapacity,
                       .itself = def->touchesItself,
                       .touches = curve->touchCapacity};
    if (!rv_space_run_create(run, memory, &what))
        return false;
    if (parts) {
        memcpy(run->space.parts, parts, (size_t)def->elements * sizeof *parts);
        rv_space_begin(&run->space);
    } else
        fill_parts(cable, def, &run->space);
    run->drag = cable->def.waveDamping;
    run->contacts.spring = curve->spring;
    run->contacts.damping = curve->damping;
    run->contacts.radius = curve->radius;
    run->contacts.rigid = curve->rigid && curve->pegCapacity > 0;
    return true;
}

static void deal_room(rvSpaceCurve* own, const rvCurve* curve, int intervals, rvDeal* d)
{
    own->pushed = rv_deal(d, (size_t)(curve->gripCount + 2 * curve->touchCapacity), sizeof *own->pushed);
    own->ties = rv_deal(d, (size_t)curve->gripCount, sizeof *own->ties);
    own->drift = rv_deal(d, (size_t)intervals + 1, sizeof *own->drift);
}

static bool create_own(rvCable* cable, const rvCableDef* def, const rvSpacePart* parts, rvMemory* memory)
{
    rvCurve* curve = rv_curve_of(cable);
    rvSpaceCurve* own = curve->space = rv_memory_take(memory, sizeof(rvSpaceCurve));
    if (own) {
        rvDeal deal = {0};
        deal_room(own, curve, def->elements, &deal);
        own->roomSize = deal.used;
        own->room = rv_memory_take(memory, own->roomSize);
        deal = (rvDeal){.at = own->room};
        deal_room(own, curve, def->elements, &deal);
    }
    if (!own || !own->room || !create_run(cable, def, parts, memory))
        return false;
    rvSpaceRun* run = &own->run;
    curve->now = (rvCurveStep){.count = run->space.count,
                               .intervals = run->space.intervals,
                               .length = run->space.length,
                               .state = run->state,
                               .stateCount = (size_t)run->stateCount,
                               .matrix = &run->matrix,
                               .alpha = &run->alpha,
                               .step = run->step,
                               .before = {run->v, run->a, run->at},
                               .rates = {run->v1, run->a1, run->at1}};
    return true;
}

rvStatus rv_space_curve_create(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory,
                               rvError* error)
{
    (void)bodies;
    rvCurve* curve = rv_curve_of(cable);
    for (int i = 0; i < 3; ++i)
        curve->axis[i] = rvVec(i == 0, i == 1, i == 2);
    cable->torsionalStiffness = 0.0; // it is the curve's
    return create_own(cable, def, NULL, memory) ? RV_OK
                                                : rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
}

// ---- a new place ----------------------------------------------------------------------------------------------------

// Takes the node that is near, or cuts an interval in two, of the same curvature: the shape stays as it is.
static void find_cut(const rvSpace* space, rvCurveGrasp* grasp)
{
    double near = NEAR_NODE * space->length / space->intervals, before = 0.0;
    int i = 0;
    for (; i < space->intervals - 1 && grasp->s > before + space->parts[i].length; ++i)
        before += space->parts[i].length;
    double after = before + space->parts[i].length;
    grasp->interval = -1;
    if (grasp->s - before <= near)
        grasp->s = before;
    else if (after - grasp->s <= near)
        grasp->s = after;
    else {
        grasp->interval = i;
        grasp->xi = (grasp->s - before) / space->parts[i].length;
    }
}

// All that is of a node of `from`, and, where an interval is cut, of the new one.
static void take_nodes(rvSpaceRun* run, const rvSpaceRun* from, const rvCurveGrasp* grasp)
{
    const rvSpace* space = &from->space;
    rvCurveSpot spot = rv_space_spot_in(space, grasp->interval < 0 ? 0 : grasp->interval, grasp->xi);
    double *to[3] = {run->v, run->a, run->at}, *was[3] = {from->v, from->a, from->at};
    memcpy(run->start, from->start, 3 * sizeof(double));
    for (int k = 0; k < 3; ++k)
        memcpy(to[k], was[k], 3 * sizeof(double));
    for (int i = 0; i <= run->space.intervals; ++i) {
        bool cut = grasp->interval >= 0 && i == grasp->interval + 1;
        int old = grasp->interval >= 0 && i > grasp->interval ? i - 1 : i;
        run->frames[i] = cut ? rv_space_frame(space, &spot) : from->frames[old];
        for (int k = 0; k < 3; ++k) {
            rvVec3 w = cut ? rv_space_spin_at(space, was[k], &spot) : rv_space_vec(was[k] + rv_space_spin(old));
            const double spin[3] = {w.x, w.y, w.z};
            memcpy(to[k] + rv_space_spin(i), spin, sizeof spin);
        }
        if (!run->stretch)
            continue;
        run->stretch[i] = from->stretch[old] + (cut ? spot.xi * (from->stretch[i] - from->stretch[old]) : 0.0);
        for (int k = 0; k < 3; ++k) {
            const double* e = was[k] + rv_space_stretch(space, old);
            to[k][rv_space_stretch(&run->space, i)] = e[0] + (cut ? spot.xi * (e[1] - e[0]) : 0.0);
        }
    }
}

bool rv_space_curve_create_with_node(rvCable* cable, const rvCable* old, rvCurveGrasp* grasp, rvMemory* memory)
{
    const rvSpaceRun* from = &rv_curve_of(old)->space->run;
    int n = from->space.intervals;
    size_t size = (size_t)(n + 1) * sizeof(rvSpacePart);
    grasp->interval = -1;
    if (grasp->place >= 0)
        find_cut(&from->space, grasp);
    rvSpacePart* parts = rv_memory_take(memory, size);
    if (!parts)
        return false;
    for (int i = 0, k = 0; i < n; ++i, ++k) {
        parts[k] = from->space.parts[i];
        if (i != grasp->interval)
            continue;
        parts[k + 1] = parts[k];
        parts[k].length *= grasp->xi;
        parts[++k].length *= 1.0 - grasp->xi;
    }
    cable->def.elements = n + (grasp->interval >= 0);
    rv_curve_split_rests(cable, grasp);
    bool made = create_own(cable, &cable->def, parts, memory);
    rv_memory_give(memory, parts, size);
    if (!made)
        return false;
    rvSpaceRun* run = &rv_curve_of(cable)->space->run;
    run->gravity = from->gravity;
    rv_space_place((rvSpace*)&from->space, rv_space_vec(from->start), from->frames, from->stretch);
    take_nodes(run, from, grasp);
    return true;
}

void rv_space_curve_release(rvCurve* curve, rvMemory* memory)
{
    rvSpaceCurve* own = curve->space;
    if (!own)
        return;
    if (own->run.space.count > 0)
        rv_space_run_release(&own->run, memory);
    rv_memory_give(memory, own->room, own->room ? own->roomSize : 0);
    rv_memory_give(memory, own, sizeof(rvSpaceCurve));
}

int rv_space_curve_node_of_place(const rvCable* cable, int place)
{
    const rvSpace* space = rv_space_of(rv_curve_of(cable));
    return node_along(space->parts, space->intervals, rv_cable_rest_before(cable, place));
}

rvCurveSpot rv_space_curve_node_spot(const rvCable* cable, int place)
{
    const rvSpace* space = rv_space_of(rv_curve_of(cable));
    int node = rv_space_curve_node_of_place(cable, place);
    return node < space->intervals ? rv_space_spot_in(space, node, 0.0) : rv_space_spot_in(space, node - 1, 1.0);
}
