// SPDX-License-Identifier: MIT
// Torsion of a cable between its two end bodies.
//
// Twist: each end body carries a unit vector d along the cable as it lay at creation, or as it is clamped, and a
// director p across it. The first end's director is carried along the route by parallel transport, from tangent to
// tangent: d_0, the spans' u, the tangents t of wheels, d_1. Between two tangents b and c that is the least turn that
// takes b to c; over a wheel it is the turn about the wheel's axis. The twist W is the angle about d_1 from the
// director that arrives to the one that is there, unwrapped from step to step: any number of turns, and no axis is
// special. It is positive when the second end is turned further about the direction of travel. Its rate, with k = b x
// c/(1 + b.c) at each bend and w_i the carrier of wheel i:
//   W' = d_1 . w_1 - d_0 . w_0 + sum over bends of k . (b' + c') - sum over wheels of (t_out - t_in) . w_i
// The sums are the change of the route's writhe: they vanish on a straight cable, whose torque is along it.
// W does not change when all turns or moves together, so the row keeps both momenta.
//
// A bend near 180 degrees has no plane of its own. With 1 + b.c = FOLD s, s < 1, it is carried in part by the body it
// lies at, like a wheel's:  s k . (b' + c') - (1 - s)(c - b) . w.  The twist is then summed up from its rate.
//
// Row: torsion GJ over the unstretched length N, W GJ/N = torque: position row with phi = W, eps = N/GJ. The rope turns
// freely at its places, so there is one torque in all of it. Slack rope carries torsion too; a broken one or one with a
// loose end does not. What a winch stores is not twisted. The row is by the route and the same for all models: of rope
// that sags or bends out it knows the chords of its spans, and takes the bends between them as plane.
#pragma once

#include "cable/core/cable.h"

// Remembers the directions at both ends as the route lies now.
void rv_twist_begin(rvCable* cable, const rvBodyStore* bodies, double twist);

// The twist as bodies and route are now, in the winding nearest to the last one.
void rv_twist_refresh(rvCable* cable, const rvBodyStore* bodies);

void rv_twist_write(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows, int owner);
void rv_twist_read(rvCable* cable, const rvStepContext* context, const rvRows* rows);
// After the bodies moved and the route was updated; `rest`: unstretched length before the step.
void rv_twist_advance(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, double rest);

// Adds force and torque (about its centre of mass) of the torsion on a body.
void rv_twist_force_on(const rvCable* cable, const rvBodyStore* bodies, int body, rvVec3* force, rvVec3* torque);

double rv_twist_energy(const rvCable* cable, double h);

static inline bool rv_twist_acts(const rvCable* cable)
{
    return cable->torsionalStiffness > 0.0 && cable->state.broken == 0.0 && !cable->loose;
}
