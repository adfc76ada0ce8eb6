// SPDX-License-Identifier: MIT
// The energy guard of a cable of finite elements and all that hangs on it.
//
// A body's velocity lives at the middle of steps, and with all impulses J on it, those of joints, contacts and other cables
// among them,  T(v') - T(v) = sum of J.(v + v')/2  to the last digit. So what the bodies give a cable through its ports from
// one middle to the next is known exactly, whatever else holds them:
//   W = - sum over ports of J.(v + v')/2,   J = -(h/27)(8 l(n+1) + 12 l(n) + 6 l(n-1) + l(n-2))
// and no energy is made in the whole machine if the cable's own, read at the same times (the mean of E at n and at n + 1),
// stays within its budget: what it had, and W, and the work of held nodes that are moved and of currents,
//   E <= B + 0.02 S + |E(n+1) - E(n)|/4,   B += W,   S the energies that move, those of the bodies at its ports with them.
// The last part is the error of the reading: the mean lies off the middle by an eighth of the second difference, which a
// power that sets in within a step makes as large as that. What is lost leaks out of the budget within half a second.
//
// A pass that leaves out too much strain energy (remainder rule) or does not fit is made again by the world. Where that does
// not help, a light rope that crumples or snaps taut, the cable goes on by itself: the step once more with its ports led to
// where the solve has them, in halves as often as needed (ancf_rt.c). The bodies keep what they got: a force that comes later
// would shake a taut rope apart. What is then still above the budget is taken from the rates of the elements.
#include "cable/fe.h"

#define REMAINDER 1e-5 // of the energies that move: strain energy that a pass may leave out

static const double TOLERANCE = 0.02, LEAK = 0.5 /* s */;
enum { PATIENCE = 6 }; // passes of the world, before the cable goes on by itself

// What the port's impulse in this step takes from its body, and the body's own energy.
static double port_work(const rvFe* fe, int k, const rvBodyStore* bodies, double h, double* moving)
{
    const rvGrip* grip = &fe->grips[k];
    const rvGripState* state = &fe->states[k];
    const rvBody* body = &bodies->items[grip->body];
    const double* v = bodies->velocity[grip->body];
    rvVec3 linear = rvScale(0.5, rvAdd(body->state.v, rvVec(v[0], v[1], v[2])));
    rvVec3 angular = rvScale(0.5, rvAdd(body->state.w, rvVec(v[3], v[4], v[5])));
    const double mean[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    double work = 0.0;
    for (int c = 0; c < 6; ++c) {
        double past = 12.0 * state->past[0][c] + 6.0 * state->past[1][c] + state->past[2][c];
        work += h * mean[c] * (8.0 * grip->force[c] + past) / 27.0;
    }
    *moving += 0.5 * body->mass * fmax(rvDot(linear, linear), rvDot(body->state.v, body->state.v));
    return work;
}

static double touch_work(const rvFeTouch* touch, const rvBodyStore* bodies, double h)
{
    if (touch->body < 0)
        return 0.0;
    const double* v = bodies->velocity[touch->body];
    const rvBodyState* s = &bodies->items[touch->body].state;
    rvVec3 linear = rvScale(0.5, rvAdd(s->v, rvVec(v[0], v[1], v[2])));
    rvVec3 angular = rvScale(0.5, rvAdd(s->w, rvVec(v[3], v[4], v[5])));
    return h * rvDot(touch->force, rvAdd(linear, rvCross(angular, touch->arm)));
}

// Does the energy of the end fit? Its parts are known.
static void check(rvFe* fe)
{
    rvFeGuard* guard = &fe->guard;
    const double* s = fe->ancf->scalars;
    guard->energy = rv_ancf_port_trial_energy(fe->ancf, &guard->kinetic);
    double middle = 0.5 * (s[RV_ANCF_ENERGY] + guard->energy), budget = s[RV_ANCF_BUDGET] + guard->work;
    guard->excess = middle - budget - TOLERANCE * guard->scale - 0.25 * fabs(guard->energy - s[RV_ANCF_ENERGY]);
    guard->fits = s[RV_ANCF_SCALE] == 0.0 ? isfinite(guard->energy) : guard->excess <= 0.0; // no past, no budget
}

double rv_fe_guard_enough(const rvFe* fe)
{
    return REMAINDER * rv_ancf_port_scale(fe->ancf);
}

bool rv_fe_guard_asks(rvCable* cable, const rvBodyStore* bodies, double h, double left)
{
    rvFe* fe = cable->fe;
    rvFeGuard* guard = &fe->guard;
    rvAncf* ancf = fe->ancf;
    const double* s = ancf->scalars;
    double moving = 0.0;
    guard->work = rv_ancf_port_work(ancf);
    for (int k = 0; k < fe->gripCount; ++k)
        if (rv_fe_is_port(&fe->grips[k]))
            guard->work += port_work(fe, k, bodies, h, &moving);
    for (int k = 0; k < fe->touchCount; ++k)
        guard->work += touch_work(&fe->touches[k], bodies, h);
    guard->scale =
        fmax(fmax(s[RV_ANCF_FLOOR], s[RV_ANCF_KINETIC] + moving), s[RV_ANCF_SCALE] * (1.0 - fmin(1.0, h / LEAK)));
    check(fe);
    guard->settled = left <= rv_fe_guard_enough(fe);
    fe->passes += 1;
    return rv_ancf_port_stays(ancf) || (fe->passes < PATIENCE && !(guard->settled && guard->fits));
}

bool rv_fe_guard_close(rvCable* cable, double h)
{
    rvFe* fe = cable->fe;
    rvFeGuard* guard = &fe->guard;
    double* s = fe->ancf->scalars;
    bool good = true;
    if (!(guard->settled && guard->fits) && fe->touchCount == 0) {
        good = rv_ancf_port_again(fe->ancf);
        check(fe);
    }
    if (!guard->fits && s[RV_ANCF_SCALE] > 0.0) {
        // half of what is taken from the end counts at the middle
        double taken = fmin(guard->kinetic, 2.0 * guard->excess);
        rv_ancf_port_slow_down(fe->ancf, sqrt((guard->kinetic - taken) / fmax(guard->kinetic, 1e-300)));
        guard->energy -= taken;
        fe->ancf->counts.fallbacks += 1;
    }
    double middle = 0.5 * (s[RV_ANCF_ENERGY] + guard->energy);
    s[RV_ANCF_BUDGET] = s[RV_ANCF_SCALE] == 0.0 ? middle : s[RV_ANCF_BUDGET] + guard->work;
    if (middle < s[RV_ANCF_BUDGET])
        s[RV_ANCF_BUDGET] -= (s[RV_ANCF_BUDGET] - middle) * fmin(1.0, h / LEAK);
    s[RV_ANCF_ENERGY] = guard->energy;
    s[RV_ANCF_SCALE] = guard->scale;
    return good && isfinite(guard->energy);
}
