// SPDX-License-Identifier: MIT
// The core of a curve in space: what rows, forces and read-out need of space_run.h. Nodes lie at the places.
#include "cable/curve/curve_cable.h"
#include "cable/route/profile.h"

#include "base/deal.h"

#include <string.h>

#define LARGEST_GAP 1e-6               // of the length: what a pass may leave at a grip, beyond it there is another
#define LARGEST_TURN 0.5               // of a node in a pass [rad]
#define NEAR_NODE 0.1                  // of an interval: so near a node it is that one which a new place holds
#define LARGEST_TWIST 2.0              // of an interval at the start [rad]
#define ROUND_ROD 0.769230769230769231 // GJ/EI of a round rod, 1/(1 + 0.3)
#define EVEN 1e-6                      // turn of a node in the second pass [rad]: the third would do next to nothing
enum { EVEN_PASSES = 2, LEAST_PASSES = 3, MOST_PASSES = 16, REST_ROUNDS = 200 };

static rvSpace* space_of(const rvCurve* curve)
{
    return &curve->space->run.space;
}

static int node_of(const rvCurveSpot* spot)
{
    return spot->interval + (spot->xi > 0.5);
}

// ---- creation -------------------------------------------------------------------------------------------------------

static rvStatus check(const rvCable* cable, const rvCableDef* def, rvError* error)
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
static bool make_run(rvCable* cable, const rvCableDef* def, const rvSpacePart* parts, rvMemory* memory)
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

static bool make_own(rvCable* cable, const rvCableDef* def, const rvSpacePart* parts, rvMemory* memory)
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
    if (!own || !own->room || !make_run(cable, def, parts, memory))
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

static rvStatus make(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory, rvError* error)
{
    (void)bodies;
    rvCurve* curve = rv_curve_of(cable);
    for (int i = 0; i < 3; ++i)
        curve->axis[i] = rvVec(i == 0, i == 1, i == 2);
    cable->torsionalStiffness = 0.0; // it is the curve's
    return make_own(cable, def, NULL, memory) ? RV_OK
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

static bool remake(rvCable* cable, const rvCable* old, rvCurveGrasp* grasp, rvMemory* memory)
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
    bool made = make_own(cable, &cable->def, parts, memory);
    rv_memory_give(memory, parts, size);
    if (!made)
        return false;
    rvSpaceRun* run = &rv_curve_of(cable)->space->run;
    run->gravity = from->gravity;
    rv_space_place((rvSpace*)&from->space, rv_space_vec(from->start), from->frames, from->stretch);
    take_nodes(run, from, grasp);
    return true;
}

static void release(rvCurve* curve, rvMemory* memory)
{
    rvSpaceCurve* own = curve->space;
    if (!own)
        return;
    if (own->run.space.count > 0)
        rv_space_run_release(&own->run, memory);
    rv_memory_give(memory, own->room, own->room ? own->roomSize : 0);
    rv_memory_give(memory, own, sizeof(rvSpaceCurve));
}

// ---- start ----------------------------------------------------------------------------------------------------------

static int node_of_place(const rvCable* cable, int place)
{
    const rvSpace* space = space_of(rv_curve_of(cable));
    return node_along(space->parts, space->intervals, rv_cable_rest_before(cable, place));
}

static rvCurveSpot spot_of(const rvCable* cable, int place)
{
    const rvSpace* space = space_of(rv_curve_of(cable));
    int node = node_of_place(cable, place);
    return node < space->intervals ? rv_space_spot_in(space, node, 0.0) : rv_space_spot_in(space, node - 1, 1.0);
}

// The frame, turned about its tangent so that curvature about its first axis bends it to that side.
static rvQuat turn_aside(rvQuat frame, rvVec3 t, rvVec3 side)
{
    rvVec3 have = rvRotate(frame, rvVec(1, 0, 0)), want = rvCross(t, side);
    double angle = atan2(rvDot(rvCross(have, want), t), rvDot(have, want));
    return rvQuatMul(rvQuatFromRotation(rvScale(angle, t)), frame);
}

// Twisted evenly along it.
static void lay(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    const rvPlace* places = cable->route.places;
    rvSpaceRun* run = &curve->space->run;
    int n = run->space.intervals;
    rvVec3 side = rvLength(curve->bulge) > 0.0 ? curve->bulge : curve->gravity, last = rvVec(0, 0, 1);
    rvQuat frame = rvQuatIdentity();
    double at = 0.0;
    run->gravity = curve->gravity;
    memset(run->state, 0, (size_t)run->stateCount * sizeof(double));
    const double start[3] = {places[0].point.x, places[0].point.y, places[0].point.z};
    memcpy(run->start, start, sizeof start);
    for (int i = 0, span = 0; i <= n; ++i) {
        while (span + 1 < cable->route.spanCount && i >= node_of_place(cable, span + 1))
            span += 1;
        int first = node_of_place(cable, span), end = node_of_place(cable, span + 1);
        rvVec3 way = rvSub(places[span + 1].point, places[span].point), chord = rvNormalizeOr(way, rvVec(1, 0, 0));
        rvVec3 across = rvNormalizeOr(rvMulAdd(side, -rvDot(side, chord), chord), rvAcross(chord));
        double angle = rv_curve_arc(cable, span, rvLength(way), (double)(i - first) / (end - first));
        rvVec3 t = rvAdd(rvScale(cos(angle), chord), rvScale(sin(angle), across));
        frame = rvQuatMul(rvQuatBetween(last, t), frame);
        if (i == 0)
            frame = turn_aside(frame, t, across);
        if (run->stretch)
            run->stretch[i] = rv_curve_reach(cable, span, rvLength(way));
        double twist = cable->def.twist * at / run->space.length;
        run->frames[i] = rvQuatMul(frame, rvQuatFromRotation(rvVec(0, 0, twist)));
        at += i < n ? run->space.parts[i].length : 0.0;
        last = t;
    }
    rv_space_align(run->frames, n + 1);
}

static void hold(rvCurve* curve, int k, const rvCurveHold* at)
{
    rvSpaceRun* run = &curve->space->run;
    rvSpaceHold* hold = &run->holds[k];
    hold->off = curve->grips[k].off;
    hold->loose = hold->off ? 7 : 0;
    hold->row = k == 0 ? 0 : hold[-1].row + rv_space_hold_rows(hold - 1);
    run->rowCount = hold->row + rv_space_hold_rows(hold);
    hold->place = at->place;
    hold->rate = at->rate;
    hold->spin = at->spin;
    if (curve->grips[k].clamped) { // the frame that is there, turned to the clamp
        rvQuat frame = curve->space->run.frames[hold->node];
        hold->frame = rvQuatMul(rvQuatBetween(rvRotate(frame, rvVec(0, 0, 1)), at->way), frame);
    }
}

static void find_rest(rvCurve* curve)
{
    rvSpaceRest rest = rv_space_run_rest(&curve->space->run, (rvSpaceSearch){.rounds = REST_ROUNDS, .leave = 0.05});
    curve->rest = (rvCableRest){rest.found, rest.stability != RV_REST_UNSTABLE, rest.force};
}

// w = t x dv/ds; it is not twisted or stretched faster or slower at first.
static void take_motion(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, double h)
{
    rvSpaceRun* run = &rv_curve_of(cable)->space->run;
    int n = run->space.intervals;
    rvVec3 first = rv_curve_old_speed(cable, old, bodies, h, 0.0);
    const double start[3] = {first.x, first.y, first.z};
    memcpy(run->v, start, sizeof start);
    double at = 0.0;
    for (int i = 0; i <= n; ++i) {
        double from = i > 0 ? at - run->space.parts[i - 1].length : 0.0;
        double to = i < n ? at + run->space.parts[i].length : at;
        rvVec3 change =
            rvSub(rv_curve_old_speed(cable, old, bodies, h, to), rv_curve_old_speed(cable, old, bodies, h, from));
        rvVec3 w = rvScale(1.0 / (to - from), rvCross(rvRotate(run->frames[i], rvVec(0, 0, 1)), change));
        const double spin[3] = {w.x, w.y, w.z};
        memcpy(run->v + rv_space_spin(i), spin, sizeof spin);
        at = to;
    }
}

static void begin(rvCurve* curve)
{
    rvSpaceRun* run = &curve->space->run;
    rv_space_motion_project(run);
    rv_space_motion_solve(run, 0.0);
    memcpy(run->at, run->a, (size_t)run->space.count * sizeof(double));
}

static void take_frame(rvCurve* curve, int k, rvQuat body)
{
    const rvSpaceRun* run = &curve->space->run;
    curve->pasts[k].frame = rvQuatMul(rvQuatConj(body), run->frames[run->holds[k].node]);
}

// Clamps take the frames that are there.
static void take_holds(rvCurve* curve, const rvBodyStore* bodies)
{
    rvSpaceRun* run = &curve->space->run;
    for (int k = 0; k < curve->gripCount; ++k) {
        const rvSpaceHold* hold = &run->holds[k];
        int body = curve->grips[k].body;
        rvQuat q = body >= 0 ? bodies->items[body].state.q : rvQuatIdentity();
        take_frame(curve, k, q);
        rvVec3 sums[2] = {rvVec(0, 0, 0), rvVec(0, 0, 0)};
        for (int r = 0; r < rv_space_hold_rows(hold); ++r) {
            bool turning;
            rvVec3 n = rv_space_hold_axis(hold, r, &turning);
            sums[turning] = rvMulAdd(sums[turning], run->forces[hold->row + r], n);
        }
        curve->forces[k].force = sums[0];
        curve->forces[k].moment = sums[1];
    }
    memset(run->forces, 0, (size_t)run->rowCount * sizeof(double));
}

// ---- state ----------------------------------------------------------------------------------------------------------

static void place(rvCurve* curve)
{
    rv_space_run_reset(&curve->space->run);
}

static void remember(rvCurve* curve)
{
    rv_space_contacts_remember(&curve->space->run.contacts, space_of(curve));
}

// Of obstacles that give: it goes through neither itself nor those that do not, and has no sides there.
static size_t count_sides(const rvCurve* curve)
{
    const rvSpaceContacts* contacts = &curve->space->run.contacts;
    return contacts->rigid
               ? 0
               : (size_t)(contacts->obstacleCount * contacts->intervals) * sizeof(rvSpaceSide) / sizeof(double);
}

static void write_sides(const rvCurve* curve, uint8_t* bytes)
{
    if (count_sides(curve) > 0)
        memcpy(bytes, curve->space->run.contacts.sides, count_sides(curve) * sizeof(double));
}

static void read_sides(rvCurve* curve, const uint8_t* bytes)
{
    if (count_sides(curve) > 0)
        memcpy(curve->space->run.contacts.sides, bytes, count_sides(curve) * sizeof(double));
}

// ---- a step ---------------------------------------------------------------------------------------------------------

// Pairs of its points that pressed on each other: of the last step, or, where the step begins once more, of its last
// pass. The nearest ones alone do not hold what lies along itself, and at rest each step would look for the others
// anew. They are among the forces, one after the other.
static void keep_pairs(rvCurve* curve)
{
    rvSpaceContacts* contacts = &curve->space->run.contacts;
    for (int i = curve->gripCount; contacts->itself && !curve->atRest && i + 1 < (int)curve->forceCount; ++i) {
        const rvCurveForce *one = &curve->forces[i], *two = one + 1;
        if (rvLength(rvAdd(one->force, two->force)) > 0.0)
            continue;
        rv_space_contacts_keep(contacts, space_of(curve), one->at, two->at);
        i += 1;
    }
}

void rv_space_curve_go_ahead(rvCurve* curve)
{
    rv_space_run_go_ahead(&curve->space->run);
    keep_pairs(curve);
}

static void predict(rvCurve* curve, double h, bool euler)
{
    rvSpaceRun* run = &curve->space->run;
    run->gravity = curve->gravity;
    run->resting = curve->atRest;
    rv_space_curve_begin_touches(curve);
    rv_space_run_predict(run, h, euler);
    if (curve->looked)
        rv_space_curve_go_ahead(curve);
}

// The forces as loads of a pass.
static int push(const rvCurve* curve)
{
    const rvSpace* space = space_of(curve);
    int count = (int)curve->forceCount;
    for (int i = 0; i < count; ++i) {
        const rvCurveForce* force = &curve->forces[i];
        int interval = (int)fmin(fmax(force->at, 0.0), space->intervals - 1);
        rvCurveSpot spot = rv_space_spot_in(space, interval, fmin(fmax(force->at - interval, 0.0), 1.0));
        curve->space->pushed[i] = (rvSpacePush){spot, force->force, force->moment};
    }
    return count;
}

// Away from the clamp's frame as it is expected.
static rvVec3 turn_of(const rvCurve* curve, int k)
{
    rvQuat frame = curve->space->run.frames1[node_of(&curve->spots[k])];
    return rvQuatToRotation(rvQuatMul(frame, rvQuatConj(curve->frames[k])));
}

// Grips of bodies that are led, or rest: how far they take the curve in this pass.
static int tie(const rvCurve* curve)
{
    int count = 0;
    for (int k = 0; k < curve->gripCount && curve->tied; ++k) {
        const rvGrip* grip = &curve->grips[k];
        if (grip->pushed || grip->off)
            continue;
        rvSpaceTie* tie = &curve->space->ties[count++];
        *tie = (rvSpaceTie){.node = node_of(&curve->spots[k]), .clamped = grip->clamped};
        tie->way = rvSub(curve->aims[k], space_of(curve)->nodes[tie->node]);
        if (grip->clamped)
            tie->turn = rvNeg(turn_of(curve, k));
    }
    return count;
}

static bool linearise(rvCurve* curve)
{
    int count = push(curve), ties = tie(curve);
    return rv_space_run_linearise(&curve->space->run, curve->space->pushed, count, curve->space->ties, ties);
}

static void put_vec(double* three, rvVec3 v)
{
    three[0] = v.x;
    three[1] = v.y;
    three[2] = v.z;
}

static rvVec3 turn_in(const rvCurve* curve, int i, double* natural)
{
    const rvSpace* space = space_of(curve);
    *natural = space->parts[i].length * rvLength(space->parts[i].natural);
    return space->pieces[i].turn;
}

static void write_row(const rvCurve* curve, const rvCurveRow* row, double* g)
{
    const rvSpace* space = space_of(curve);
    memset(g, 0, (size_t)space->count * sizeof(double));
    if (row->turns) {
        put_vec(g + rv_space_spin(node_of(&row->spot)), row->along);
        if (row->both)
            put_vec(g + rv_space_spin(node_of(&row->other)), rvNeg(row->along));
        return;
    }
    rv_space_add_spot_row(space, &row->spot, row->along, g);
    if (row->both)
        rv_space_add_spot_row(space, &row->other, rvNeg(row->along), g);
}

static void find_columns(const rvCurve* curve, int interval, const rvCurveSpot* spot, double* two)
{
    if (spot)
        rv_space_spot_columns(space_of(curve), spot, two);
    else
        rv_space_last_columns(space_of(curve), interval, two);
}

static double turn_target(const rvCurve* curve, int k, double near)
{
    (void)curve;
    (void)k;
    (void)near;
    return 0.0;
}

// By the step, or by less where it turns too far.
static bool move_on(rvCable* cable, bool solved)
{
    rvCurve* curve = rv_curve_of(cable);
    const rvCurveStep* now = &curve->now;
    double gap = 0.0, turn = 0.0;
    for (int i = 3; i < now->count; ++i)
        turn = fmax(turn, fabs(now->step[i]));
    bool unsettled = rv_curve_find_share(curve, turn, LARGEST_TURN);
    for (int i = 0; curve->gone < 1.0 && i < now->count; ++i)
        now->step[i] *= curve->gone;
    for (int r = 0; solved && r < curve->gripRows; ++r) // where it should come to lie
        curve->values[r] = rv_curve_value(curve, r) + rv_curve_dot(rv_curve_gradient(curve, r), now->step, now->count);
    rv_space_run_go(&curve->space->run, now->step, curve->gone);
    for (int r = 0; solved && r < curve->gripRows; ++r)
        if (!curve->rows[r].turns)
            gap = fmax(gap, fabs(rv_curve_value(curve, r) - curve->values[r]));
    if (turn > LARGEST_TURN)
        gap = now->length;
    curve->stopped = curve->space->run.stopped;
    bool more = curve->stopped || unsettled || (solved && gap > LARGEST_GAP * now->length);
    int least = turn > EVEN ? LEAST_PASSES : EVEN_PASSES;
    return !curve->atRest && (curve->passes < least || (curve->passes < MOST_PASSES && more));
}

static bool find_rates(rvCurve* curve)
{
    return rv_space_run_end(&curve->space->run);
}

static void find_accelerations(rvCurve* curve)
{
    rv_space_run_accelerate(&curve->space->run);
}

static rvVec3 between(const rvCurve* curve, const rvCurveSpot* spot)
{
    rvVec3 a = curve->space->drift[spot->interval], b = curve->space->drift[spot->interval + 1];
    return rvAdd(a, rvScale(spot->xi, rvSub(b, a)));
}

static void find_drift(rvCurve* curve, int count)
{
    rv_space_node_drift(space_of(curve), curve->now.rates[0], curve->space->drift);
    for (int i = 0; i < count; ++i) {
        const rvCurveRow* row = &curve->rows[curve->list[i]];
        rvVec3 drift = between(curve, &row->spot);
        if (row->both)
            drift = rvSub(drift, between(curve, &row->other));
        curve->drift[i] = rvDot(row->along, drift);
    }
}

static bool keep(rvCurve* curve)
{
    bool finite = rv_space_run_finish(&curve->space->run);
    remember(curve);
    return finite;
}

// Stopped where it would have gone through itself, in its last pass, it is still held within what a hand takes hold of:
// what is left of the pass is as that of one that did not settle. Farther away it was stopped from following what holds
// it.
static const char* failure(const rvCurve* curve, double gap)
{
    double length = curve->now.length;
    bool left = curve->stopped && gap > RV_CURVE_GRASP * length && gap <= RV_CURVE_REACH * length;
    return left ? RV_CURVE_WENT_THROUGH : NULL;
}

// ---- read-out -------------------------------------------------------------------------------------------------------

// All forces on the state, with the inertia of accelerations as the last.
static void load(rvCurve* curve, const double* a)
{
    rvSpaceRun* run = &curve->space->run;
    rv_space_run_reset(run);
    rv_space_run_load(run, run->v, run->forces);
    rv_space_run_push(run, curve->space->pushed, push(curve));
    rv_space_run_add_inertia(run, run->v, a);
}

static bool accelerate(rvCurve* curve, double* a)
{
    rvSpaceRun* run = &curve->space->run;
    memset(a, 0, (size_t)run->space.count * sizeof(double));
    load(curve, a);
    rv_space_sum_loads(&run->space, a);
    rv_space_matrix(&run->space, (rvSpaceWish){.mass = 1.0}, &run->matrix);
    if (!rv_separable_factor(&run->matrix))
        return false;
    rv_separable_solve(&run->matrix, a);
    return true;
}

static void find_tensions(rvCurve* curve)
{
    rvSpaceRun* run = &curve->space->run;
    load(curve, run->a);
    rv_space_run_tensions(run);
    for (int i = 0; i < run->space.intervals; ++i)
        curve->tension[2 * i] = curve->tension[2 * i + 1] = run->tension[i];
}

static void find_line(rvCurve* curve, const double* a)
{
    rvSpaceRun* run = &curve->space->run;
    load(curve, a);
    rv_space_line_loads(&run->space, run->gravity, run->slowed, curve->line, curve->turning);
}

static rvVec3 gauss_point(const rvCurve* curve, int interval, int m)
{
    return rv_space_gauss_point(space_of(curve), interval, m);
}

static rvVec3 tangent(const rvCurve* curve, const rvCurveSpot* spot)
{
    return rv_space_tangent(space_of(curve), spot);
}

static rvVec3 point(const rvCurve* curve, const rvCurveSpot* spot)
{
    const rvSpace* space = space_of(curve);
    bool node = spot->xi == 0.0 || spot->xi == 1.0;
    return node ? space->nodes[node_of(spot)] : rv_space_point(space, spot);
}

static rvVec3 velocity(rvCurve* curve, const rvCurveSpot* spot)
{
    rv_space_node_rates(space_of(curve), curve->space->run.v, curve->space->drift);
    return between(curve, spot);
}

static rvCurveSpot spot_at(const rvCurve* curve, double s)
{
    return rv_space_spot(space_of(curve), s);
}

static rvCurveSpot spot_in(const rvCurve* curve, int interval, double xi)
{
    return rv_space_spot_in(space_of(curve), interval, xi);
}

static double length_of(const rvCurve* curve, int interval)
{
    return space_of(curve)->parts[interval].length;
}

static void find_bend(const rvCurve* curve, const rvCurveSpot* spot, rvCableSection* section)
{
    rvVec3 bent = rv_space_curvature(space_of(curve), spot->interval);
    section->curvature = hypot(bent.x, bent.y);
    section->torsion = bent.z;
    const double* e = curve->space->run.stretch;
    if (e)
        section->strain = (1.0 - spot->xi) * e[spot->interval] + spot->xi * e[spot->interval + 1];
}

static double elastic_energy(const rvCurve* curve)
{
    return rv_space_run_elastic(&curve->space->run);
}

static double find_twist(const rvCurve* curve, double* energy)
{
    const rvSpace* space = space_of(curve);
    double twist = 0.0;
    for (int i = 0; i < space->intervals; ++i) {
        const rvSpacePart* part = &space->parts[i];
        double more = rv_space_curvature(space, i).z - part->natural.z;
        twist += part->length * more;
        *energy += 0.5 * part->length * part->rigidity.z * more * more;
    }
    return twist;
}

static void energies(const rvCable* cable, rvVec3 gravity, double* kinetic, double* potential)
{
    rvSpaceRun* run = &rv_curve_of(cable)->space->run;
    *kinetic = rv_space_run_kinetic(run);
    *potential = rv_space_height_energy(&run->space, gravity);
}

static double end_kinetic(rvCurve* curve, const double* v)
{
    return rv_space_kinetic_energy(space_of(curve), v);
}

static double end_stored(const rvCable* cable)
{
    const rvCurve* curve = rv_curve_of(cable);
    return rv_space_elastic_energy(space_of(curve)) + rv_space_height_energy(space_of(curve), curve->gravity);
}

const rvCurveCore rv_curve_space = {
    .dims = 3,
    .turns = 3,
    .mostRows = RV_SPACE_MOST_ROWS,
    .mostPegs = RV_SPACE_MOST_TOUCHES,
    .check = check,
    .make = make,
    .remake = remake,
    .release = release,
    .spotOf = spot_of,
    .lay = lay,
    .hold = hold,
    .findRest = find_rest,
    .takeMotion = take_motion,
    .begin = begin,
    .takeFrame = take_frame,
    .takeHolds = take_holds,
    .place = place,
    .remember = remember,
    .sideCount = count_sides,
    .writeSides = write_sides,
    .readSides = read_sides,
    .forget = rv_space_curve_forget_peg,
    .predict = predict,
    .linearise = linearise,
    .turnIn = turn_in,
    .writeRow = write_row,
    .columns = find_columns,
    .turnOf = turn_of,
    .turnTarget = turn_target,
    .moveOn = move_on,
    .rates = find_rates,
    .accelerations = find_accelerations,
    .findDrift = find_drift,
    .keep = keep,
    .failure = failure,
    .settle = rv_space_curve_settle,
    .measureRest = rv_space_curve_measure_rest,
    .nudge = rv_space_curve_nudge,
    .collide = rv_space_curve_collide,
    .findTouches = rv_space_curve_find_touches,
    .movePegs = rv_space_curve_move_pegs,
    .findTensions = find_tensions,
    .accelerate = accelerate,
    .findLine = find_line,
    .gaussPoint = gauss_point,
    .tangent = tangent,
    .point = point,
    .velocity = velocity,
    .spotAt = spot_at,
    .spotIn = spot_in,
    .lengthOf = length_of,
    .bend = find_bend,
    .elasticEnergy = elastic_energy,
    .twist = find_twist,
    .energies = energies,
    .endKinetic = end_kinetic,
    .endStored = end_stored,
};
