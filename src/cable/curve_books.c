// SPDX-License-Identifier: MIT
// The books of a curve: what bodies gave it in a step and is not in its energy is heat.
//
// A body's velocity lives at the middle of steps, and what it gives by the impulses J that it got is known exactly, as the
// world counts it for its own kinetic energy and for prescribed bodies: -J . (v + v')/2. By grips and touches
//   J = -(h/27) (8 l(n+1) + 12 l(n) + 6 l(n-1) + l(n-2)),   in a step of implicit Euler -h l(n+1)
// of which touches have only the 8/27 in their rows: the rest are pushes. With Euler all is in the rows. So
//   heat = E(n-1/2) + sum of -J . (v + v')/2 - E(n+1/2)
// holds all that is lost, and the books close: damping of bending and drag, friction, impacts and the damper of contacts, what
// projections at jumps take, and the step's own loss. E at the middle of a step, where velocities of bodies live, is the mean of
// both ends, and so it is read.
// A contact that gives stores k gap^2/2: by its force f = -k gap - b gap' with the rate at the end of the step.
#include "cable/curve_cable.h"

static double work_of(const rvBodyStore* bodies, int body, rvVec3 force, rvVec3 moment, double h)
{
    double mean[6];
    rv_grip_mean_velocity(bodies, body, mean);
    return h * (mean[0] * force.x + mean[1] * force.y + mean[2] * force.z + mean[3] * moment.x + mean[4] * moment.y +
                mean[5] * moment.z);
}

// What bodies give in this step, before the pasts of grips and pushes move on.
static double given(const rvCable* cable, const rvBodyStore* bodies, double h)
{
    const rvCurve* curve = rv_curve_of(cable);
    bool held = cable->group >= 0, euler = curve->now.alpha->euler;
    double work = 0.0;
    if (cable->state.broken != 0.0)
        return 0.0;
    for (int k = 0; k < curve->gripCount; ++k) {
        const rvGrip* grip = &curve->grips[k];
        const double* f = grip->force;
        double mean[6];
        if (grip->body < 0)
            continue;
        rv_grip_mean_velocity(bodies, grip->body, mean);
        if (held && euler)
            work += work_of(bodies, grip->body, rvVec(f[0], f[1], f[2]), rvVec(f[3], f[4], f[5]), h);
        else
            work += rv_grip_body_work(mean, held ? f : NULL, (const double(*)[6])curve->states[k].past, h);
    }
    for (int k = 0; held && k < curve->touchCount; ++k) {
        const rvCurveTouch* touch = &curve->touches[k];
        rvVec3 force = rv_curve_out(curve, rv_curve_touch_force(curve, touch));
        if (touch->body >= 0)
            work += (euler ? 1.0 : 8.0 / 27.0) * work_of(bodies, touch->body, force, rvCross(touch->arm, force), h);
    }
    return work + (curve->hasPast ? rv_pushes_work(curve->pushes, bodies, h) : 0.0);
}

// In the springs of contacts that give.
static double pressed(const rvCurve* curve)
{
    double energy = 0.0;
    for (int k = 0; !curve->rigid && curve->spring > 0.0 && k < curve->touchCount; ++k) {
        const rvCurveTouch* touch = &curve->touches[k];
        double damping = touch->gap < 0.0 ? curve->damping : 0.0;
        double rate = -rv_curve_dot(rv_curve_gradient(curve, touch->row), curve->now.rates[0], curve->now.count) -
                      rvDot(touch->out, touch->velocity);
        double push = touch->force[0] + damping * rate;
        if (touch->force[0] > 0.0 && push > 0.0)
            energy += 0.5 * push * push / curve->spring;
    }
    return energy;
}

// Kinetic, elastic, potential, of the state as placed.
static void find_parts(const rvCable* cable, rvVec3 gravity, double parts[3])
{
    const rvCurve* curve = rv_curve_of(cable);
    curve->core->energies(cable, gravity, &parts[0], &parts[2]);
    parts[1] = curve->core->elasticEnergy(curve) + curve->pressed;
}

void rv_curve_middle(const rvCable* cable, rvVec3 gravity, double parts[3])
{
    find_parts(cable, gravity, parts);
    for (int i = 0; i < 3; ++i)
        parts[i] = 0.5 * (parts[i] + rv_curve_of(cable)->was[i]);
}

static double energy_of(const rvCable* cable)
{
    double parts[3];
    rv_curve_middle(cable, rv_curve_of(cable)->gravity, parts);
    return parts[0] + parts[1] + parts[2];
}

void rv_curve_begin_books(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    curve->pressed = 0.0;
    find_parts(cable, curve->gravity, curve->was);
}

void rv_curve_open_books(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    curve->core->place(curve);
    curve->before = energy_of(cable);
    find_parts(cable, curve->gravity, curve->was);
}

void rv_curve_close_books(rvCable* cable, const rvBodyStore* bodies, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    curve->pressed = cable->group >= 0 ? pressed(curve) : 0.0;
    cable->state.heat += curve->before + given(cable, bodies, h) - energy_of(cable);
}
