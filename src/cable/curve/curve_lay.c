// SPDX-License-Identifier: MIT
// A curve in the world: creation, its shape at the start, its state.
//
// At the start it lies at rest: the constrained minimum of bending, twist and height, from an arc that bends to the
// wanted side (plane_rest.h, space_rest.h). Of a span of length l over a chord c the arc has the angles A cos(pi u)
// about the chord, or A sin(2 pi u) where an end is clamped, u = 0..1; both have the chord l J0(A).
#include "cable/curve/curve_kernel.h"
#include "cable/route/start_speed.h"

#include "base/deal.h"
#include "base/hash.h"

#include <string.h>

#define PI 3.14159265358979323846
#define LITTLE 0.1 // of a force
enum { PER_SIDE = 32 };

// ---- creation -------------------------------------------------------------------------------------------------------

static void deal_room(rvCurve* curve, rvDeal* d, const rvRoute* route)
{
    size_t rows = (size_t)curve->rowCapacity, count = (size_t)curve->now.count;
    size_t touches = (size_t)curve->touchCapacity, grips = (size_t)curve->gripCount;
    curve->grips = rv_deal(d, grips, sizeof *curve->grips);
    curve->spots = rv_deal(d, grips, sizeof *curve->spots);
    curve->placeSpots = rv_deal(d, (size_t)route->placeCount, sizeof *curve->placeSpots);
    curve->lengths = rv_deal(d, (size_t)curve->now.intervals, sizeof(double));
    curve->frames = rv_deal(d, grips, sizeof *curve->frames);
    curve->aims = rv_deal(d, grips, sizeof *curve->aims);
    curve->states = rv_deal(d, grips, sizeof *curve->states);
    curve->pasts = rv_deal(d, grips, sizeof *curve->pasts);
    curve->forces = rv_deal(d, grips + 2 * touches, sizeof *curve->forces);
    curve->pegs = rv_deal(d, (size_t)curve->pegCapacity, sizeof *curve->pegs);
    curve->touches = rv_deal(d, touches, sizeof *curve->touches);
    curve->ropes = rv_deal(d, touches > 0 ? RV_CURVE_ROPES : 0, sizeof *curve->ropes);
    curve->begun =
        rv_deal(d, touches > 0 ? 1 + (1 + RV_GAUSS_POINTS) * (size_t)curve->now.intervals : 0, sizeof *curve->begun);
    curve->rows = rv_deal(d, rows, sizeof *curve->rows);
    curve->gradients = rv_deal(d, (rows + 1) * count, sizeof(double)); // and one for a load
    curve->columns = rv_deal(d, rows * count, sizeof(double));
    curve->values = rv_deal(d, rows, sizeof(double));
    curve->held = rv_deal(d, rows, sizeof(double));
    curve->block = rv_deal(d, rows * rows, sizeof(double));
    curve->list = rv_deal(d, rows, sizeof *curve->list);
    curve->targets = rv_deal(d, rows, sizeof *curve->targets);
    curve->drift = rv_deal(d, rows, sizeof(double));
    curve->stays = rv_deal(d, rows, sizeof *curve->stays);
    curve->slots = rv_deal(d, (size_t)route->bodyCount + touches, sizeof *curve->slots);
    curve->balanced = rv_deal(d, count, sizeof(double));
    curve->last = rv_deal(d, count, sizeof(double));
    curve->carried = rv_deal(d, grips + 2 * touches, sizeof *curve->carried);
    curve->tension = rv_deal(d, 2 * (size_t)curve->now.intervals, sizeof(double));
    curve->line = rv_deal(d, RV_GAUSS_POINTS * (size_t)curve->now.intervals, sizeof(rvVec3));
    curve->gauss = rv_deal(d, RV_GAUSS_POINTS * (size_t)curve->now.intervals, sizeof(rvVec3));
    curve->turning = rv_deal(d, (size_t)curve->now.intervals + 1, sizeof(rvVec3));
    curve->beyond = rv_deal(d, 2 * ((size_t)curve->now.intervals + 1), sizeof(rvVec3));
}

// Of rows that stay inside, of rigid contacts with shapes; what stretches has none.
static void deal_inside(rvCable* cable, rvDeal* d)
{
    rvCurve* curve = rv_curve_of(cable);
    rvCurveInside* in = &curve->inner;
    const rvSeparable* matrix = curve->now.matrix;
    if (!curve->collides || !curve->rigid || cable->def.axialStiffness > 0.0 || curve->touchCapacity == 0)
        return;
    size_t rows = (size_t)curve->rowCapacity, count = (size_t)curve->now.count,
           nodes = (size_t)curve->now.intervals + 1;
    size_t widest = RV_CURVE_WIDEST, numbers = sizeof(double);
    in->touches = rv_deal(d, (size_t)curve->touchCapacity, sizeof *in->touches);
    in->whole = rv_deal(d, 18 * nodes, numbers);
    in->push = rv_deal(d, 3 * nodes, numbers);
    in->moved = rv_deal(d, 3 * nodes, numbers);
    in->sums = rv_deal(d, 54 * nodes, numbers);
    double** byRow[] = {&in->gives, &in->compliance, &in->extra, &in->asked, &in->right, &in->outer};
    for (size_t i = 0; i < sizeof byRow / sizeof byRow[0]; ++i)
        *byRow[i] = rv_deal(d, rows, numbers);
    in->held = rv_deal(d, rows, sizeof *in->held);
    in->block = rv_deal(d, widest * widest, numbers);
    in->room = rv_deal(d, (2 + widest) * count, numbers);
    rvSeparable* matrices[] = {&in->plain, &in->stiff};
    for (int i = 0; i < 2; ++i) {
        *matrices[i] = *matrix;
        matrices[i]->p = rv_deal(d, count * (size_t)matrix->rank, numbers);
        matrices[i]->q = rv_deal(d, count * (size_t)matrix->rank, numbers);
        matrices[i]->band = rv_deal(d, count * ((size_t)matrix->width + 1), numbers);
        matrices[i]->fours = rv_deal(d, count, sizeof *matrix->fours);
    }
    if (curve->space)
        curve->space->run.plain = &in->plain;
    else
        curve->plane->run.plain = &in->plain;
}

bool rv_curve_take_room(rvCable* cable, rvMemory* memory)
{
    rvCurve* curve = rv_curve_of(cable);
    size_t rows = (size_t)curve->rowCapacity;
    rvDeal deal = {0};
    deal_room(curve, &deal, &cable->route);
    deal_inside(cable, &deal);
    curve->roomSize = deal.used;
    curve->room = rv_memory_take(memory, curve->roomSize);
    curve->rowBlockSize = rows * rows * sizeof(double);
    curve->rowBlock = rv_memory_take(memory, curve->rowBlockSize);
    deal = (rvDeal){.at = (char*)curve->room};
    if (curve->room) {
        deal_room(curve, &deal, &cable->route);
        deal_inside(cable, &deal);
    }
    for (int i = 0; curve->room && i < curve->now.intervals; ++i)
        curve->lengths[i] = curve->space ? curve->space->run.space.parts[i].length : curve->plane->motion.plane.step;
    return curve->room && (curve->rowBlock || rows == 0);
}

void rv_curve_count_grips(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    for (int i = 0; i < cable->route.placeCount; ++i)
        if (cable->route.places[i].type == RV_PLACE_ATTACH) {
            curve->gripCount += 1;
            curve->gripRows += curve->dims + (cable->route.places[i].clamped ? curve->turns : 0);
        }
    curve->rowCapacity = curve->gripRows + curve->dims * curve->touchCapacity + RV_CURVE_FOLDS;
    cable->roomRows = curve->rowCapacity;
    cable->roomSlots = curve->touchCapacity;
}

void rv_curve_lay_grips(rvCable* cable, const rvBodyStore* bodies)
{
    rvCurve* curve = rv_curve_of(cable);
    for (int i = 0, k = 0; i < cable->route.placeCount; ++i) {
        curve->placeSpots[i] = curve->dims == 3 ? rv_space_curve_node_spot(cable, i)
                                                : curve->kernel->spotAt(curve, rv_cable_rest_before(cable, i));
        if (cable->route.places[i].type == RV_PLACE_ATTACH) {
            curve->grips[k] = rv_grip_of(&cable->route.places[i], i, bodies);
            curve->grips[k].at = rv_cable_rest_before(cable, i);
            curve->spots[k++] = curve->placeSpots[i];
        }
    }
}

// How much of everything there will be.
static void count_parts(rvCable* cable, const rvCableDef* def)
{
    rvCurve* curve = rv_curve_of(cable);
    curve->touchCapacity = def->collides || def->touchesItself ? def->maxContacts : 0;
    curve->pegCapacity = def->collides ? def->maxContacts : 0;
    if (curve->dims == 3 && curve->pegCapacity > RV_SPACE_MOST_TOUCHES)
        curve->pegCapacity = RV_SPACE_MOST_TOUCHES;
    rv_curve_count_grips(cable);
}

rvStatus rv_curve_create(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory,
                         rvError* error)
{
    int dims = rv_curve_is_in_space(cable, def, bodies) ? 3 : 2;
    rvStatus status = rv_curve_check(cable, def, dims, error);
    if (status == RV_OK)
        status = rv_curve_check_mass(cable, bodies, error);
    if (status != RV_OK)
        return status;
    rvCurve* curve = cable->inner = rv_memory_take(memory, sizeof(rvCurve));
    if (!curve)
        return rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    curve->kernel = rv_curve_kernel(dims);
    curve->dims = dims;
    curve->turns = rv_curve_turns(dims);
    curve->memory = memory;
    curve->radius = 0.5 * def->diameter;
    curve->bulge = def->bulge;
    curve->collides = def->collides;
    cable->collides = false; // not by places of the route
    curve->rigid = def->contactStiffness == 0.0 && def->contactDamping == 0.0;
    curve->spring = def->contactStiffness;
    curve->damping = def->contactDamping;
    curve->regular = 1e-12 / (cable->massPerLength * cable->state.restLength);
    double per = cable->state.restLength / cable->route.length;
    for (int i = 0; i < cable->route.spanCount; ++i)
        cable->route.places[i].state.rest = per * cable->route.spans[i].length;
    count_parts(cable, def);
    status = curve->kernel->create(cable, def, bodies, memory, error);
    if (status == RV_OK && !rv_curve_take_room(cable, memory))
        status = rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    if (status == RV_OK)
        rv_curve_lay_grips(cable, bodies);
    return status;
}

void rv_curve_release(rvCable* cable, rvMemory* memory)
{
    rvCurve* curve = rv_curve_of(cable);
    curve->kernel->release(curve, memory);
    rv_memory_give(memory, curve->room, curve->room ? curve->roomSize : 0);
    rv_memory_give(memory, curve->rowBlock, curve->rowBlock ? curve->rowBlockSize : 0);
    rv_memory_give(memory, curve, sizeof(rvCurve));
}

// ---- start ----------------------------------------------------------------------------------------------------------

// A with J0(A) = share: a curve whose angles are A cos(pi u) about its chord, u = 0..1, has a chord of that share of
// it.
static double find_bend(double share)
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

double rv_curve_arc(const rvCable* cable, int span, double chord, double u)
{
    const rvPlace* places = cable->route.places;
    double share = chord / places[span].state.rest, bend = share < 1.0 ? find_bend(share) : 0.0;
    bool clamped = places[span].clamped || places[span + 1].clamped;
    return bend * (clamped ? sin(2.0 * PI * u) : cos(PI * u));
}

double rv_curve_reach(const rvCable* cable, int span, double chord)
{
    const rvPlace* places = cable->route.places;
    bool held = places[span].type == RV_PLACE_ATTACH && places[span + 1].type == RV_PLACE_ATTACH;
    return held ? fmax(chord / places[span].state.rest - 1.0, 0.0) : 0.0;
}

// Holds where the bodies are, moving as they do.
static void hold_grips(rvCurve* curve, const rvBodyStore* bodies)
{
    for (int k = 0; k < curve->gripCount; ++k) {
        rvGrip* grip = &curve->grips[k];
        rvCurveHold hold = {.place = rv_curve_grip_place(grip, bodies), .way = grip->direction};
        grip->arm = rvVec(0, 0, 0);
        if (grip->body >= 0) {
            const rvBodyState* s = &bodies->items[grip->body].state;
            grip->arm = rvRotate(s->q, grip->local);
            hold.way = rvRotate(s->q, grip->direction);
            hold.spin = s->w;
            hold.rate = rvAdd(s->v, rvCross(s->w, grip->arm));
        }
        curve->kernel->setGrip(curve, k, &hold);
        for (int past = 0; past < 2; ++past)
            rv_curve_project(curve, hold.rate, hold.spin, curve->pasts[k].rate[past]);
        curve->states[k].spin = hold.spin;
    }
}

// Was what it touches, or a body's weight, left out of what was solved for? Where it was not the first step begins with
// that: implicit Euler has half of the force that turns what spins, and each step would take the next one for a jump.
static bool leaves_out(const rvCurve* curve, const rvBodyStore* bodies)
{
    bool weighs = false;
    for (int k = 0; k < curve->gripCount; ++k)
        if (curve->grips[k].pushed)
            weighs = weighs || bodies->items[curve->grips[k].body].mass * rvLength(curve->gravity) >
                                   LITTLE * rvLength(curve->forces[k].force);
    return weighs || curve->touchCapacity > 0;
}

// The forces of the holds are those of the grips from now on.
static void take_forces(rvCurve* curve, const rvBodyStore* bodies)
{
    for (int k = 0; k < curve->gripCount; ++k) {
        rvVec3 force = rv_curve_out(curve, curve->forces[k].force);
        rvVec3 moment = rvAdd(rvCross(curve->grips[k].arm, force), rv_curve_out(curve, curve->forces[k].moment));
        curve->forces[k].at = curve->spots[k].interval + curve->spots[k].xi;
        const double all[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
        for (int past = 0; past < 3; ++past)
            memcpy(curve->states[k].past[past], all, sizeof all);
        for (int c = 0; c < 6; ++c)
            curve->pasts[k].unread[c] = 0.5 * all[c];
    }
    curve->forceCount = curve->gripCount;
    curve->fresh = leaves_out(curve, bodies);
    curve->inside = 1e-9; // no time yet: after the first step it is known whether it is in one
}

static void forget_pegs(rvCurve* curve)
{
    for (int i = 0; i < curve->pegCapacity; ++i)
        curve->kernel->dropObstacle(curve, i);
}

// `old`, where it is not NULL: the model that was, by which it moves after a last step of h.
static void start(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, rvVec3 gravity, bool straight,
                  double h)
{
    rvCurve* curve = rv_curve_of(cable);
    const rvCurveKernel* kernel = curve->kernel;
    curve->gravity = gravity;
    forget_pegs(curve);
    kernel->initialise(cable);
    hold_grips(curve, bodies);
    curve->rest = (rvCableRest){0};
    cable->startAsked = !straight;
    if (!straight) {
        kernel->findEquilibrium(curve);
        if (!curve->rest.found) {
            kernel->initialise(cable);
            hold_grips(curve, bodies);
        }
    }
    cable->start = curve->rest;
    if (old || rv_start_speed_any(cable, bodies)) {
        kernel->place(curve);
        kernel->takeMotion(cable, old, bodies, h);
    }
    kernel->start(curve, bodies);
    take_forces(curve, bodies);
    kernel->place(curve);
    kernel->cacheSides(curve);
    rv_curve_begin_books(cable);
    rv_curve_publish(cable);
}

void rv_curve_hang(rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, bool straight)
{
    start(cable, NULL, bodies, gravity, straight, 0.0);
}

rvVec3 rv_curve_old_speed(const rvCable* cable, const rvCable* old, const rvBodyStore* bodies, double h, double s)
{
    int span = 0;
    while (span + 1 < cable->route.spanCount && s > rv_cable_rest_before(cable, span + 1))
        span += 1;
    double share = (s - rv_cable_rest_before(cable, span)) / cable->route.places[span].state.rest;
    rvVec3 at, speed;
    share = fmin(fmax(share, 0.0), 1.0);
    rv_cable_point(old ? old : cable, bodies, h, span, share, &at, &speed);
    if (old)
        return speed;
    rvStartSpeed start = rv_start_speed_of(cable, bodies, span);
    return rv_start_speed_at(&start, share, at);
}

// It hangs at rest by its length between its ends as they are. Its nodes turn as the points of the old one moved beside
// them.
void rv_curve_take(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, rvVec3 gravity, double h)
{
    start(cable, old, bodies, gravity, false, h);
}

void rv_curve_follow(rvCable* cable, const rvBodyStore* bodies)
{
    rvCurve* curve = rv_curve_of(cable);
    double gap = 0.0;
    curve->kernel->place(curve);
    for (int k = 0; k < curve->gripCount; ++k) {
        if (curve->grips[k].body < 0 || curve->grips[k].off)
            continue;
        rvVec3 at = rv_curve_in(curve, rvSub(rv_curve_grip_place(&curve->grips[k], bodies), curve->origin));
        gap = fmax(gap, rvDistance(at, curve->kernel->point(curve, &curve->spots[k])));
    }
    if (gap > 1e-4 * cable->state.restLength)
        rv_curve_hang(cable, bodies, curve->gravity, false);
}

static int grip_of(const rvCurve* curve, int place)
{
    for (int k = 0; k < curve->gripCount; ++k)
        if (curve->grips[k].place == place)
            return k;
    return -1;
}

void rv_curve_take_hold(rvCurve* curve, int k, const rvBodyStore* bodies)
{
    const rvGrip* grip = &curve->grips[k];
    rvCurvePast* past = &curve->pasts[k];
    rvVec3 at = rv_curve_in(curve, rvSub(rv_curve_grip_place(grip, bodies), curve->origin));
    past->drawn = rvSub(at, curve->kernel->point(curve, &curve->spots[k]));
    past->turned = 0.0;
    if (!grip->clamped || curve->dims == 3) // in space a clamp holds the frame as it is
        return;
    rvQuat q = grip->body >= 0 ? bodies->items[grip->body].state.q : rvQuatIdentity();
    rvVec2 way = rv_curve_flat(curve, rvRotate(q, grip->direction));
    rvCurveFrame is = {.moves = false};
    curve->kernel->frame(curve, &curve->spots[k], &is);
    past->turned = remainder(atan2(way.y, way.x) - atan2(is.tangent.y, is.tangent.x), 2.0 * PI);
}

rvStatus rv_curve_set_held(rvCable* cable, const rvBodyStore* bodies, int place, bool held, double* missed,
                           rvError* error)
{
    rvCurve* curve = rv_curve_of(cable);
    int k = grip_of(curve, place);
    rvGrip* grip = &curve->grips[k >= 0 ? k : 0];
    *missed = 0.0;
    if (k < 0)
        return rv_fail(error, RV_BAD_INPUT, "rvCable_SetHeld: cable '%s': places[%d]: is free, must be attached",
                       cable->name, place);
    if (grip->off == !held)
        return RV_OK;
    curve->kernel->place(curve);
    rvVec3 at = rv_curve_in(curve, rvSub(rv_curve_grip_place(grip, bodies), curve->origin));
    double gap = rvDistance(at, curve->kernel->point(curve, &curve->spots[k])),
           most = RV_CURVE_GRASP * curve->now.length;
    if (held && gap > most) {
        *missed = curve->pasts[k].off < 2.0 ? gap : 0.0;
        curve->pasts[k].off = 2.0;
        return rv_fail(
            error, RV_MISSED,
            "rvCable_SetHeld: cable '%s': places[%d]: is %g m from the cable, must be within %g m to hold it",
            cable->name, place, gap, most);
    }
    grip->off = cable->route.places[place].released = !held;
    curve->pasts[k].off = !held;
    if (held)
        rv_curve_take_hold(curve, k, bodies);
    if (held && curve->dims == 3) // a clamp holds its frame as it is
        rv_space_curve_take_frame(curve, k, grip->body >= 0 ? bodies->items[grip->body].state.q : rvQuatIdentity());
    curve->forces[k].force = curve->forces[k].moment = rvVec(0, 0, 0);
    memset(&curve->states[k].past, 0, sizeof curve->states[k].past);
    curve->states[k].spin = grip->body >= 0 ? bodies->items[grip->body].state.w : rvVec(0, 0, 0);
    curve->fresh = 1.0; // what jumps is an impulse
    return RV_OK;
}

void rv_curve_publish(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    rvRoute* route = &cable->route;
    curve->kernel->findTensions(curve);
    curve->told = false;
    for (int i = 0; i < route->placeCount; ++i)
        if (route->places[i].type == RV_PLACE_FREE) { // its place goes along with a free end
            const rvCurveSpot* tip = &curve->placeSpots[i];
            route->places[i].local = rvAdd(curve->origin, rv_curve_out(curve, curve->kernel->point(curve, tip)));
        }
    for (int i = 0; i < route->spanCount; ++i)
        route->places[i].state.tension = 0.0;
    double at = 0.0;
    for (int i = 0, span = 0; i < curve->now.intervals && cable->state.broken == 0.0; ++i) {
        double length = curve->lengths[i];
        while (span + 1 < route->spanCount && at + 0.5 * length > rv_cable_rest_before(cable, span + 1))
            span += 1;
        route->places[span].state.tension +=
            0.5 * (curve->tension[2 * i] + curve->tension[2 * i + 1]) * length / route->places[span].state.rest;
        at += length;
    }
}

// ---- state ----------------------------------------------------------------------------------------------------------

void rv_curve_visit(rvCable* cable, rvVisitor* v)
{
    rvCurve* curve = rv_curve_of(cable);
    size_t grips = (size_t)curve->gripCount, most = grips + 2 * (size_t)curve->touchCapacity;
    rv_visit_numbers(v, "nodes", curve->now.state, curve->now.stateCount * sizeof(double));
    rv_visit_numbers(v, "forces of its grips", curve->states, grips * sizeof(rvGripState));
    rv_visit_numbers(v, "grips", curve->pasts, grips * sizeof(rvCurvePast));
    rv_visit_numbers(v, "forces", &curve->forceCount, sizeof(double));
    rv_visit_numbers(v, "forces", curve->forces, most * sizeof(rvCurveForce));
    rv_visit_numbers(v, "forces on shapes", curve->pushes, sizeof curve->pushes);
    rv_visit_numbers(v, "fresh", &curve->fresh, sizeof(double));
    // the plane of the places when it was made: another world of the same build may have been made elsewhere
    rv_visit_numbers(v, "plane", &curve->origin, sizeof curve->origin);
    rv_visit_numbers(v, "plane", curve->axis, sizeof curve->axis);
    rv_visit_numbers(v, "pressed", &curve->pressed, sizeof(double));
    rv_visit_numbers(v, "energy", curve->was, sizeof curve->was);
    rv_visit_numbers(v, "inside", &curve->inside, sizeof(double));
    rv_visit_numbers(v, "excess", &curve->excess, sizeof curve->excess);
    if (v->kind == RV_VISIT_READ) {
        curve->forceCount = fmin(fmax(floor(curve->forceCount), 0.0), (double)most);
        forget_pegs(curve);
    }
    for (int i = 0; i < curve->pegCapacity; ++i)
        rv_visit_numbers(v, "obstacle", &curve->pegs[i].key, sizeof(double));
    curve->kernel->visitSides(curve, v);
    if (v->kind != RV_VISIT_READ)
        return;
    for (int k = 0; k < curve->gripCount; ++k)
        curve->grips[k].off = cable->route.places[curve->grips[k].place].released = curve->pasts[k].off != 0.0;
    curve->kernel->place(curve);
    rv_curve_publish(cable);
}
