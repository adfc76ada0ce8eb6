// SPDX-License-Identifier: MIT
// The filter of past forces, which joins the two time rules.
//
// The inside of a cable with mass steps by generalised-alpha (rho = 1/2), a body by x' = x + h v', with its velocity in
// the middle of steps. A body moves exactly as a point of the cable would if a step gives it, of the forces l on the
// cable at the ends of this step and the three before,
//   J = -h F,    F = (8 l(n+1) + 12 l(n) + 6 l(n-1) + l(n-2))/27,
// of which the last three are known before the step.
#pragma once

#define RV_FORCE_TAP_SUM 27.0
static const double rv_force_tap[4] = {8.0, 12.0, 6.0, 1.0}; // of this step, the last, the one before, ...

// Taps times the forces of three past steps, `stride` numbers apart, the last one first: 27 F without l(n+1).
static inline double rv_past_force_sum(const double* past, int stride)
{
    return rv_force_tap[1] * past[0] + rv_force_tap[2] * past[stride] + rv_force_tap[3] * past[2 * stride];
}

// The same with the force of this step: 27 F. A power divides it after it is multiplied by the velocity.
static inline double rv_force_sum(double now, const double* past, int stride)
{
    return rv_force_tap[0] * now + rv_force_tap[1] * past[0] + rv_force_tap[2] * past[stride] +
           rv_force_tap[3] * past[2 * stride];
}
