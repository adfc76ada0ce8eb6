// SPDX-License-Identifier: MIT
// The energy guard of a cable of finite elements and all that hangs on it.
//
// A body's velocity lives at the middle of steps, and with all impulses J on it, those of joints, contacts and other
// cables among them,  T(v') - T(v) = sum of J.(v + v')/2  to the last digit. So what the bodies give a cable through
// its ports from one middle to the next is known exactly, whatever else holds them:
//   W = - sum over ports of J.(v + v')/2,   J = -(h/27)(8 l(n+1) + 12 l(n) + 6 l(n-1) + l(n-2))
// and no energy is made in the whole machine if the cable's own, read at the same times, stays within its budget: what
// it had, and W, and the work of held nodes that are moved and of currents,
//   E(n+1/2) <= B + 0.001 S,   B += W,   S the energies that move, those of the bodies at its ports with them.
// E(n+1/2) is the mean of E at n and at n + 1 less an eighth of h^2 E'', which is the rise of the power of ports and
// moved holds within the step, h v'.(l(n+1) - l(n))/8; at most |E(n+1) - E(n)|/4. (A rope that snaps taut and lets go
// within a step has no energy at either middle: the mean alone would read a quarter of its peak, and an allowance for
// that is a hole.) Of ropes that touch each other only the sum is known, what passes between them is read a step late:
// there 0.02 S. What is lost leaks out of the budget within half a second. What was above it within the tolerance may
// stay as S falls. Stretch that material damping holds back, N = EA (eps + tau deps/dt) near zero though eps is not,
// may be above it, too: it goes into heat and moves nothing. (Where tau is more than a step they keep the rate of the
// strain and not the strain itself, which drifts: 1e-5 of 100 MN are more than all that a slack rope has. Taken from
// its speeds that was EA tau times what is left of rates along it, kilonewtons.)
//
// A pass that leaves out too much strain energy (remainder rule) or does not fit is made again by the world, 30 times
// beyond its limit (with fewer, bodies went where the rope does not reach, and could not pay for its stretch). Where
// that does not help, a light rope that crumples or snaps taut, the cable goes on by itself: the step once more with
// its ports led to where the solve has them, in halves as often as needed (ancf_rt.c). The bodies keep what they got: a
// force that comes later would shake a taut rope apart. What is then still above the budget is taken from the rates of
// the elements, then from their shape, which goes downhill with its ports held; and what a taut rope still has too much
// is owed by the bodies of its island, which pay by their speed at once, as far as they have any (src/world/guard.c).
#include "cable/fe/fe.h"

#include "cable/route/force_filter.h"

#define REMAINDER 1e-5 // of the energies that move: strain energy that a pass may leave out
#define FINE 1e-3      // of that: where a pass leaves out less the next is the same

static const double TOLERANCE = 1e-3, ROPES = 0.02, LEAK = 0.5 /* s */;
enum { TAKE_ROUNDS = 2 };

// What the port's impulse in this step takes from its body, and the body's own energy.
static double port_work(rvFe* fe, int k, const rvBodyStore* bodies, double h, double* moving)
{
    const rvGrip* grip = &fe->grips[k];
    const rvGripState* state = &fe->states[k];
    const rvBody* body = &bodies->items[grip->body];
    const double* v = bodies->velocity[grip->body];
    double mean[6], rise = 0.0;
    rv_grip_mean_velocity(bodies, grip->body, mean);
    for (int c = 0; c < 6; ++c)
        rise += h * v[c] * (grip->force[c] - state->past[0][c]);
    fe->guard.reading += 0.125 * rise;
    *moving += 0.5 * body->mass * fmax(rv_ancf_dot3(mean, mean), rvDot(body->state.v, body->state.v));
    return rv_grip_body_work(mean, grip->force, state->past, h);
}

// What bodies that are touched, or were in the last steps, give in this one.
static double touch_work(const rvFe* fe, const rvBodyStore* bodies, double h)
{
    double work = 0.0, mean[6];
    for (int k = 0; k < fe->touchCount; ++k) {
        const rvFeTouch* touch = &fe->touches[k];
        if (touch->body < 0)
            continue;
        if (touch->isPoint) { // what one rope gives by it the other gets
            const double* v = bodies->velocity[touch->body];
            work += h * rvDot(touch->contact.force, rvVec(v[3], v[4], v[5]));
            continue;
        }
        rv_grip_mean_velocity(bodies, touch->body, mean);
        rvVec3 f = touch->contact.force, m = rvCross(touch->arm, f);
        const double wrench[6] = {f.x, f.y, f.z, m.x, m.y, m.z};
        for (int c = 0; c < 6; ++c)
            work += rv_force_tap[0] / RV_FORCE_TAP_SUM * h * mean[c] * wrench[c];
    }
    return work + rv_pushes_work(fe->pushes, bodies, h);
}

// By the force at the start of the step, which lies between the middles.
double rv_fe_support_work(const rvFe* fe, const rvBodyStore* bodies, double h)
{
    double work = 0.0, mean[6];
    for (int k = 0; k < fe->gripCount; ++k) {
        const rvGrip* grip = &fe->grips[k];
        if (grip->pushed || grip->off || grip->body < 0)
            continue;
        rv_grip_mean_velocity(bodies, grip->body, mean);
        for (int c = 0; c < 6; ++c)
            work += mean[c] * (h * fe->states[k].past[0][c] + grip->kick[c]);
    }
    return work;
}

// How far the energy at the middle lies below the mean of both ends.
static double bend_of(const rvFe* fe)
{
    double most = 0.25 * fabs(fe->guard.energy - fe->ancf->scalars[RV_ANCF_ENERGY]);
    return fmin(fmax(-most, fe->guard.reading), most);
}

static double middle_of(const rvFe* fe)
{
    return 0.5 * (fe->ancf->scalars[RV_ANCF_ENERGY] + fe->guard.energy) - bend_of(fe);
}

// How much more than its budget it may have.
static double most_above(const rvFe* fe)
{
    double tolerance = TOLERANCE;
    for (int k = 0; k < fe->touchCount; ++k)
        tolerance = fe->touches[k].isPoint ? ROPES : tolerance;
    return fmax(tolerance * fe->guard.scale, fe->ancf->scalars[RV_ANCF_ABOVE]);
}

// Does the energy of the end fit? Its parts are known.
static void check(rvFe* fe)
{
    rvFeGuard* guard = &fe->guard;
    const double* s = fe->ancf->scalars;
    guard->energy = rv_ancf_port_trial_energy(fe->ancf, &guard->kinetic);
    double budget = s[RV_ANCF_BUDGET] + guard->work;
    guard->excess = middle_of(fe) - budget - most_above(fe);
    if (guard->excess > 0.0)
        guard->excess -= rv_ancf_port_held_back(fe->ancf);
    guard->fits = s[RV_ANCF_SCALE] == 0.0 ? isfinite(guard->energy) : guard->excess <= 0.0; // no past, no budget
}

double rv_fe_guard_spare(rvCable* cable)
{
    check(cable->fe);
    return cable->fe->ancf->scalars[RV_ANCF_SCALE] == 0.0 ? 0.0 : -cable->fe->guard.excess;
}

void rv_fe_guard_lend(rvCable* cable, double energy)
{
    cable->fe->guard.work += energy;
    cable->fe->guard.given += energy;
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
    double moving = 0.0, given = touch_work(fe, bodies, h);
    double own = rv_ancf_port_work(ancf);
    guard->reading = 0.25 * (ancf->rt.holdWork - ancf->rt.holdStart); // a jump of their speed is before the step
    for (int k = 0; k < fe->gripCount; ++k)
        if (rv_fe_is_port(&fe->grips[k]))
            given += port_work(fe, k, bodies, h, &moving);
    guard->work = own + given;
    guard->given = given + rv_fe_support_work(fe, bodies, h);
    guard->scale =
        fmax(fmax(s[RV_ANCF_FLOOR], s[RV_ANCF_KINETIC] + moving), s[RV_ANCF_SCALE] * (1.0 - fmin(1.0, h / LEAK)));
    check(fe);
    guard->settled = left <= rv_fe_guard_enough(fe);
    fe->passes += 1;
    // what has settled does not fit better by another pass, but where it touches
    bool same = fe->touchCount == 0 && left <= FINE * rv_fe_guard_enough(fe);
    return rv_ancf_port_stays(ancf) || !guard->settled || !(guard->fits || same);
}

// Bodies of a host are not ours to slow down.
static bool bodies_pay(const rvFe* fe, const rvBodyStore* bodies)
{
    bool pay = false;
    for (int k = 0; k < fe->gripCount; ++k)
        if (rv_fe_is_port(&fe->grips[k])) {
            if (bodies->items[fe->grips[k].body].type == RV_BODY_PROXY)
                return false;
            pay = true;
        }
    return pay;
}

// Takes what is above the budget from the rates of the elements, then from their shape. Half of what is taken from the
// end counts at the middle, less as the end comes closer to the start: the reading between them bends less.
static void take_energy(rvFe* fe)
{
    rvFeGuard* guard = &fe->guard;
    double taken = fmin(guard->kinetic, 2.0 * guard->excess), left = guard->kinetic - taken;
    rv_ancf_port_slow_down(fe->ancf, left);
    if (taken < 2.0 * guard->excess && fe->touchCount == 0 && !fe->near) { // its shape would go through what is there
        rv_ancf_port_calm(fe->ancf, 2.0 * guard->excess - taken);
        rv_ancf_port_slow_down(fe->ancf, left); // rates that follow its holds do so by its shape
    }
    check(fe);
}

bool rv_fe_guard_close(rvCable* cable, const rvBodyStore* bodies, double h)
{
    rvFe* fe = cable->fe;
    rvFeGuard* guard = &fe->guard;
    double* s = fe->ancf->scalars;
    bool good = true;
    guard->debt = 0.0;
    if (fe->touchCount > 0) // impacts took energy since the last pass
        check(fe);
    if (!(guard->settled && guard->fits) && fe->touchCount == 0 && !fe->near) { // by itself it knows no shapes
        good = rv_ancf_port_again(fe->ancf);
        check(fe);
    }
    if (!guard->fits && s[RV_ANCF_SCALE] > 0.0) {
        for (int round = 0; round < TAKE_ROUNDS && !guard->fits; ++round)
            take_energy(fe);
        guard->debt = !guard->fits && bodies_pay(fe, bodies) ? guard->excess : 0.0;
        fe->ancf->counts.fallbacks += 1;
    }
    double splash = rv_ancf_port_enter_water(fe->ancf, guard->kinetic);
    guard->energy -= splash;
    double middle = middle_of(fe);
    cable->state.heat += guard->before + guard->given - middle;
    s[RV_ANCF_BEND] = bend_of(fe);
    s[RV_ANCF_BUDGET] = s[RV_ANCF_SCALE] == 0.0 ? middle : s[RV_ANCF_BUDGET] + guard->work + guard->debt - splash;
    if (middle < s[RV_ANCF_BUDGET])
        s[RV_ANCF_BUDGET] -= (s[RV_ANCF_BUDGET] - middle) * fmin(1.0, h / LEAK);
    s[RV_ANCF_ABOVE] = fmin(fmax(0.0, middle - s[RV_ANCF_BUDGET]), most_above(fe));
    s[RV_ANCF_ENERGY] = guard->energy;
    s[RV_ANCF_SCALE] = guard->scale;
    return good && isfinite(guard->energy);
}
