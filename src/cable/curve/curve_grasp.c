// SPDX-License-Identifier: MIT
// Places of a curve that come, go and change while the program runs: a hand takes hold of it anywhere.
//
// A new place holds the point of the curve that is nearest to it, between its neighbours; that must be within
// RV_CURVE_GRASP of the length. In a plane that may be any point. In space it is a node: one within a tenth of an
// interval, to which the place goes, else an interval is cut in two there, of the same curvature and with the spin that
// its middle has, so that shape and motion stay as they are. A clamp holds direction or frame as they are. All else
// goes on as it did; the next step is one of implicit Euler, in which what jumps is an impulse.
#include "cable/curve/curve_kernel.h"

#include <string.h>

#define SAME 1e-9     // of the length: it is the same point of the curve
#define PER_SEARCH 16 // points of an interval at which the nearest one is looked for
#define ROUNDS 60     // of the search between two of them

static rvVec3 point_at(const rvCurve* curve, double s)
{
    rvCurveSpot spot = curve->kernel->spotAt(curve, s);
    return rvAdd(curve->origin, rv_curve_out(curve, curve->kernel->point(curve, &spot)));
}

// Where along the curve, as placed, it is nearest to a point of the world.
static double nearest(const rvCurve* curve, rvVec3 x, double from, double to)
{
    int count = (int)ceil((to - from) / curve->now.length * curve->now.intervals * PER_SEARCH) + 1;
    double best = from, least = HUGE_VAL, step = (to - from) / count;
    for (int i = 0; i <= count; ++i) {
        double s = from + i * step, d = rvDistance(point_at(curve, s), x);
        if (d < least) {
            least = d;
            best = s;
        }
    }
    double low = fmax(from, best - step), high = fmin(to, best + step);
    for (int i = 0; i < ROUNDS; ++i) {
        double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
        if (rvDistance(point_at(curve, a), x) < rvDistance(point_at(curve, b), x))
            high = b;
        else
            low = a;
    }
    return 0.5 * (low + high);
}

// Of a place of the changed cable, in the world.
static rvVec3 place_of(const rvPlace* place, const rvBodyStore* bodies)
{
    if (place->body < 0)
        return place->local;
    const rvBodyState* s = &bodies->items[place->body].state;
    return rvAdd(s->x, rvRotate(s->q, place->local));
}

void rv_curve_split_rests(rvCable* cable, const rvCurveGrasp* grasp)
{
    int i = grasp->place;
    if (i <= 0 || i >= cable->route.spanCount)
        return;
    rvPlace* places = cable->route.places;
    double before = rv_cable_rest_before(cable, i - 1), both = places[i - 1].state.rest + places[i].state.rest;
    places[i - 1].state.rest = grasp->s - before;
    places[i].state.rest = both - places[i - 1].state.rest;
}

// The first place that is not as it was; -1: all are, or one has gone.
static int find_new(const rvCable* copy, const rvCable* cable)
{
    if (copy->route.placeCount < cable->route.placeCount)
        return -1;
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace *a = &copy->route.places[i], *b = &cable->route.places[i];
        if (a->type != b->type || a->body != b->body || a->clamped != b->clamped ||
            rvDistance(a->local, b->local) != 0.0)
            return i;
    }
    return copy->route.placeCount > cable->route.placeCount ? cable->route.placeCount : -1;
}

// The place that is new, and where it takes hold.
static rvStatus find_grasp(rvCable* copy, const rvCable* cable, const rvBodyStore* bodies, rvError* error,
                           rvCurveGrasp* grasp)
{
    const rvCurve* curve = rv_curve_of(cable);
    const rvPlace* places = copy->route.places;
    int last = copy->route.spanCount, i = find_new(copy, cable);
    *grasp = (rvCurveGrasp){.place = i, .interval = -1};
    if (i < 0 || places[i].type != RV_PLACE_ATTACH) {
        grasp->place = -1;
        return RV_OK;
    }
    double length = curve->now.length, margin = SAME * length;
    curve->kernel->place((rvCurve*)curve);
    grasp->s = i == 0 ? 0.0 : length;
    if (i > 0 && i < last) {
        double from = rv_cable_rest_before(copy, i - 1), to = from + places[i - 1].state.rest + places[i].state.rest;
        grasp->s = nearest(curve, place_of(&places[i], bodies), from + margin, to - margin);
    }
    double gap = rvDistance(point_at(curve, grasp->s), place_of(&places[i], bodies)), most = RV_CURVE_GRASP * length;
    if (gap <= most)
        return RV_OK;
    copy->tooFar = gap;
    return rv_fail(error, RV_MISSED,
                   "cable '%s': places[%d].point: is %g m from the cable, must be within %g m to hold it", copy->name,
                   i, gap, most);
}

// Between its neighbours a place must have rope on both sides.
static rvStatus check_rests(const rvCable* copy, rvError* error)
{
    for (int i = 0; i < copy->route.spanCount; ++i)
        if (!(copy->route.places[i].state.rest > SAME * copy->state.restLength))
            return rv_fail(error, RV_BAD_INPUT,
                           "cable '%s': places[%d].point: is where places[%d] holds the cable already", copy->name,
                           i + 1, i);
    return RV_OK;
}

// Where along the curve, in intervals, a force is after the cut.
static double moved_on(double at, const rvCurveGrasp* grasp)
{
    double xi = at - grasp->interval;
    if (grasp->interval < 0 || xi < 0.0)
        return at;
    return xi >= 1.0         ? at + 1.0
           : xi <= grasp->xi ? grasp->interval + xi / grasp->xi
                             : grasp->interval + 1.0 + (xi - grasp->xi) / (1.0 - grasp->xi);
}

// A clamp that is new holds what is there.
static void take_direction(rvCable* copy, int k, const rvBodyStore* bodies)
{
    rvCurve* curve = rv_curve_of(copy);
    rvGrip* grip = &curve->grips[k];
    rvQuat q = grip->body >= 0 ? bodies->items[grip->body].state.q : rvQuatIdentity();
    curve->states[k].spin = grip->body >= 0 ? bodies->items[grip->body].state.w : rvVec(0, 0, 0);
    if (!grip->clamped)
        return;
    if (curve->dims == 3)
        rv_space_curve_take_frame(curve, k, q);
    rvCurveFrame is = {.moves = false};
    curve->kernel->frame(curve, &curve->spots[k], &is);
    rvVec3 way = rv_curve_out(curve, is.tangent);
    grip->direction = copy->route.places[grip->place].direction = rvRotateBack(q, way);
}

// Which of the old grips the new one k is; -1: none.
static int find_same(const rvCurve* curve, int k, const rvCurve* old, const rvCurveGrasp* grasp)
{
    const rvGrip* grip = &curve->grips[k];
    int same = -1;
    for (int i = 0; i < old->gripCount && grip->place != grasp->place; ++i)
        if (fabs(old->grips[i].at - grip->at) < SAME * old->now.length && old->grips[i].body == grip->body)
            same = i;
    return same;
}

// What is still to be read of a grip that goes is that of another one of its body: forces of two places of a body that
// are close to each other may be large and cancel, but only if the same velocity is read with both. Else it is read
// now.
static void hand_over(rvCable* copy, const rvCurve* old, int i, const rvBodyStore* bodies)
{
    rvCurve* curve = rv_curve_of(copy);
    int heir = -1;
    for (int k = 0; k < curve->gripCount; ++k)
        if (curve->grips[k].body == old->grips[i].body)
            heir = k;
    if (heir < 0)
        copy->winch[0].state.work += rv_curve_unread(old, i, bodies);
    for (int c = 0; heir >= 0 && c < 6; ++c)
        curve->pasts[heir].unread[c] += old->pasts[i].unread[c];
}

// What grips and touches did, and are doing.
static void take_grips(rvCable* copy, const rvCable* cable, const rvCurveGrasp* grasp, const rvBodyStore* bodies)
{
    rvCurve* curve = rv_curve_of(copy);
    const rvCurve* old = rv_curve_of(cable);
    for (int k = 0; k < curve->gripCount; ++k) {
        int same = find_same(curve, k, old, grasp);
        curve->forces[k] = (rvCurveForce){.at = curve->spots[k].interval + curve->spots[k].xi};
        if (same < 0) {
            take_direction(copy, k, bodies);
            rv_curve_take_hold(curve, k, bodies);
            continue;
        }
        curve->states[k] = old->states[same];
        curve->pasts[k] = old->pasts[same];
        curve->grips[k].off = old->grips[same].off;
        memcpy(curve->grips[k].force, old->grips[same].force, sizeof old->grips[same].force);
        curve->forces[k].force = old->forces[same].force;
        curve->forces[k].moment = old->forces[same].moment;
    }
    for (int i = 0; i < old->gripCount; ++i) {
        bool stays = false;
        for (int k = 0; k < curve->gripCount; ++k)
            stays = stays || find_same(curve, k, old, grasp) == i;
        if (!stays)
            hand_over(copy, old, i, bodies);
    }
    curve->forceCount = curve->gripCount;
    for (int i = old->gripCount; i < (int)old->forceCount; ++i) {
        rvCurveForce* force = &curve->forces[(int)curve->forceCount++];
        *force = old->forces[i];
        force->at = moved_on(force->at, grasp);
    }
}

// What of the curve itself does not change.
static rvCurve like(const rvCurve* old, rvMemory* memory)
{
    rvCurve curve = {.kernel = old->kernel,
                     .dims = old->dims,
                     .turns = old->turns,
                     .memory = memory,
                     .origin = old->origin,
                     .gravity = old->gravity,
                     .bulge = old->bulge,
                     .rigid = old->rigid,
                     .spring = old->spring,
                     .damping = old->damping,
                     .radius = old->radius,
                     .regular = old->regular,
                     .collides = old->collides,
                     .touchCapacity = old->touchCapacity,
                     .pegCapacity = old->pegCapacity,
                     .pressed = old->pressed,
                     .excess = old->excess,
                     .inside = old->inside,
                     .fresh = 1.0};
    memcpy(curve.axis, old->axis, sizeof curve.axis);
    memcpy(curve.was, old->was, sizeof curve.was);
    memcpy(curve.pushes, old->pushes, sizeof curve.pushes);
    return curve;
}

static double energy_of(const rvCable* cable)
{
    double parts[3];
    rv_curve_middle(cable, rv_curve_of(cable)->gravity, parts);
    return parts[0] + parts[1] + parts[2];
}

// In space a new place holds a node that is near: it is there then. As it was given it would draw the node along the
// curve, which stretches, or cannot.
static void go_to_node(rvCable* copy, const rvCurveGrasp* grasp, rvVec3 asked, const rvBodyStore* bodies)
{
    if (grasp->place < 0)
        return;
    rvPlace* place = &copy->route.places[grasp->place];
    rvQuat q = place->body >= 0 ? bodies->items[place->body].state.q : rvQuatIdentity();
    rvVec3 off = rvSub(point_at(rv_curve_of(copy), grasp->s), asked);
    place->local = rvAdd(place->local, rvRotateBack(q, off));
    place->point = rvAdd(place->point, off);
}

rvStatus rv_curve_reroute(rvCable* copy, const rvCable* cable, const rvBodyStore* bodies, rvMemory* memory,
                          rvError* error)
{
    const rvCurve* old = rv_curve_of(cable);
    rvCurveGrasp grasp;
    rvStatus status = rv_curve_check_places(copy, old->dims, error);
    if (status == RV_OK)
        status = find_grasp(copy, cable, bodies, error, &grasp);
    if (status != RV_OK)
        return status;
    double s = grasp.s;
    rvVec3 asked = point_at(old, s);
    rvCurve* curve = copy->inner = rv_memory_take(memory, sizeof(rvCurve));
    if (!curve)
        return rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", copy->name);
    *curve = like(old, memory);
    rv_curve_split_rests(copy, &grasp);
    rv_curve_count_grips(copy);
    if (!old->kernel->createWithNode(copy, cable, &grasp, memory) || !rv_curve_take_room(copy, memory))
        return rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", copy->name);
    status = check_rests(copy, error);
    if (status != RV_OK)
        return status;
    curve->kernel->place(curve);
    if (grasp.s != s)
        go_to_node(copy, &grasp, asked, bodies);
    rv_curve_lay_grips(copy, bodies);
    take_grips(copy, cable, &grasp, bodies);
    for (int i = 0; i < curve->pegCapacity; ++i)
        curve->pegs[i] = old->pegs[i];
    curve->kernel->cacheSides(curve);
    copy->state.heat +=
        energy_of(cable) - energy_of(copy); // nodes have inertia of turning: a new one changes their sum
    rv_curve_publish(copy);
    return RV_OK;
}
