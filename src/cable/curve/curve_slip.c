// SPDX-License-Identifier: MIT
// What cannot be held. A curve that does not stretch has nothing to give where it is straight between two hands, around
// pegs or in a knot that is tight: a hand that is led on by its program, whatever it takes, pulls with a force that has
// no bound. A real one slips. So a hold of a led body slips off where it would pull with a thousand times what there is
// to carry, or ten times what there is to stop, and in a step that cannot be made while it holds; the step is made
// again without it, and an event names the place and the force with which it held last (world/slip.c).
#include "cable/curve/curve_kernel.h"

#define OUT_OF_PLANE 0.01 // of the length: bodies that hold it may leave its plane by so much
#define ALIKE 0.1         // of the largest force
#define BEYOND 1e3 // times what it takes to carry all that there is, and to bend the curve: no hand holds on to that
#define KICK 10.0  // times what it takes to stop it within a step

const char RV_CURVE_WENT_THROUGH[] = "it would go through itself or a shape: it is too fast for so long a step";

// How soon it lets go among those that pull alike: a body that is led on, one that rests, one that gives way; the world
// never does. One that gives way lets go as one that rests in the step in which it takes hold.
static int find_rank(const rvCurve* curve, int k, const rvBodyStore* bodies)
{
    const rvGrip* grip = &curve->grips[k];
    if (grip->off || grip->body < 0 || !rv_body_moves(&bodies->items[grip->body]))
        return 0;
    const rvBodyState* s = &bodies->items[grip->body].state;
    bool rests = s->hasTarget == 0.0 && rvLength(s->v) == 0.0 && rvLength(s->w) == 0.0;
    bool draws = rvLength(curve->pasts[k].drawn) > 0.0;
    return grip->pushed && !draws ? 1 : grip->pushed || rests ? 2 : 3;
}

static double force_of(const double wrench[6])
{
    return rvLength(rv_space_vec(wrench));
}

// With how much a hand holds on, at most: by all that moves by forces, its weight and its momentum, by the bending from
// node to node, and by what draws one that stretches to twice its length [N].
static double find_bound(const rvCable* cable, const rvBodyStore* bodies)
{
    const rvCurve* curve = rv_curve_of(cable);
    double own = cable->massPerLength * curve->now.length, mass = own, speed = sqrt(2.0 * curve->was[0] / own);
    for (int i = 0; i < bodies->pool.count; ++i) {
        const rvBody* body = &bodies->items[i];
        if (rv_body_alive(bodies, i) && rv_body_is_pushed(body))
            mass += body->mass;
        if (rv_body_alive(bodies, i))
            speed = fmax(speed, rvLength(body->state.v));
    }
    double interval = curve->now.length / curve->now.intervals;
    double bent = rv_curve_bending(cable, &cable->def) / (interval * interval);
    return cable->def.axialStiffness + BEYOND * (mass * rvLength(curve->gravity) + bent) +
           KICK * mass * speed / curve->now.alpha->h;
}

// Is there a body that slips and is not pushed?
static bool can_slip(const rvCurve* curve, const rvBodyStore* bodies)
{
    bool can = false;
    for (int k = 0; k < curve->gripCount; ++k)
        can = can || find_rank(curve, k, bodies) > 1;
    return can;
}

// Does a body pull at what cannot follow? One that stretches follows to twice its length.
static bool is_torn(const rvCable* cable, const rvBodyStore* bodies)
{
    const rvCurve* curve = rv_curve_of(cable);
    double most = 0.0;
    for (int k = 0; k < curve->gripCount; ++k)
        if (find_rank(curve, k, bodies) > 0)
            most = fmax(most, force_of(curve->grips[k].force));
    double least = BEYOND * cable->massPerLength * curve->now.length * rvLength(curve->gravity);
    return most > least && most > find_bound(cable, bodies); // the least of it first: it is seldom more
}

const char* rv_curve_find_failure(rvCable* cable, const rvBodyStore* bodies)
{
    rvCurve* curve = rv_curve_of(cable);
    double most = 0.0, length = curve->now.length;
    curve->torn = false;
    if (curve->leapt)
        return "it made energy";
    for (int k = 0; k < curve->gripCount; ++k) {
        if (curve->grips[k].off)
            continue;
        rvVec3 at = rvSub(rv_curve_grip_place(&curve->grips[k], bodies), curve->origin);
        if (curve->dims == 2 && fabs(rvDot(curve->axis[2], at)) > OUT_OF_PLANE * length)
            return "a body that holds it left its plane (with a torsional stiffness it is in space)";
        rvVec3 point = curve->kernel->point(curve, &curve->spots[k]);
        most = fmax(most, rvDistance(rv_curve_in(curve, at), point));
    }
    const char* own = curve->kernel->failure(curve, most);
    curve->torn = true;
    if (own)
        return own;
    bool unreal = can_slip(curve, bodies) && rv_curve_is_unreal(cable, bodies, curve->now.alpha->h);
    bool apart = most > RV_CURVE_REACH * length || unreal || (cable->group >= 0 && is_torn(cable, bodies));
    return apart ? "it is too short for the bodies that hold it" : NULL;
}

// Of those that pulled most in the step that failed one lets go.
int rv_curve_slip(rvCable* cable, const rvBodyStore* bodies, double* force)
{
    rvCurve* curve = rv_curve_of(cable);
    rvError unused;
    double missed, most = 0.0;
    int slips = -1, soonest = 0, grips = curve->torn && cable->state.broken == 0.0 ? curve->gripCount : 0;
    for (int k = 0; k < grips; ++k)
        if (find_rank(curve, k, bodies) > 0)
            most = fmax(most, force_of(curve->grips[k].force));
    for (int k = 0; k < grips; ++k) {
        int rank = find_rank(curve, k, bodies);
        if (rank < 1 || rank < soonest || force_of(curve->grips[k].force) < ALIKE * most)
            continue;
        soonest = rank;
        slips = k;
    }
    if (slips < 0)
        return -1;
    *force = force_of(curve->states[slips].past[0]);
    int place = curve->grips[slips].place;
    rv_curve_set_held(cable, bodies, place, false, &missed, &unused);
    return place;
}
