// SPDX-License-Identifier: MIT
// The route: the places that a cable passes, where they are now, and how its length changes with the bodies.
// It is the same for every model.
//
// length l = straight spans + arcs on wheels. Place i has a point where the cable comes in and one where it goes out
// (one and the same for an eye); span i runs from the way out of place i to the way in of place i + 1, along the unit
// vector u.
//
// Wheel: centre C, axis a, radius r, side s: travelling along the cable one turns about s a. Seen along the axis, with
// e from C towards the neighbour at distance rho, cos b = r/rho, the tangent points lie at C + r n,
//   n_in = cos b e + s sin b (a x e),   n_out = cos b e - s sin b (a x e),   travel there along t = s a x n,
// and the wrap angle runs from n_in to n_out, unwrapped from step to step. Where it would be negative the cable has
// left the wheel: it then passes straight, so the length has no jump. Neighbouring wheels look at each other's tangent
// points; an error along the cable moves the other's tangent by its square only, so a few sweeps settle all.
//
// Gradient, alpha the angle of a tangent point in its carrier, cos d = u . t (d the fleet angle):
//   dl/dt = sum over places of  [u_in . v(Q_in) - r (1 - cos d_in) alpha_in']  (half in)
//                             - [u_out . v(Q_out) - r (1 - cos d_out) alpha_out']  (half out)
// with v(Q) the velocity of the carrier's point there, and alpha' from the neighbour's motion seen from the carrier:
//   alpha' = (s (a x e)/rho +- e r/(rho sqrt(rho^2 - r^2))) . v_rel,   + in, - out.
#pragma once

#include "cable/core/cable.h"
#include "contact/shape.h"
#include "solve/row.h"

bool rv_route_create(rvRoute* route, rvMemory* memory, int placeCount, int capacity);
void rv_route_release(rvRoute* route, rvMemory* memory);
void rv_route_collect_bodies(rvRoute* route, const rvBodyStore* bodies);

// Where everything is now, by the state alone: what an update left, bit for bit.
void rv_route_lay(rvRoute* route, const rvBodyStore* bodies);
// Where everything is now that the bodies have moved: tangent points and wraps follow.
void rv_route_update(rvRoute* route, const rvBodyStore* bodies);
// The same where some places are new: their tangent points and angles have no past; sides of wheels are found where
// they are 0.
void rv_route_begin(rvRoute* route, const rvBodyStore* bodies);

// Puts the mark of a wheel in the middle of its arc as it lies now.
void rv_route_set_mark(rvRoute* route, const rvBodyStore* bodies, int place);
// The arc of a wheel as its two parts, before the mark and after it.
void rv_wheel_split_arc(rvPlace* wheel);

// Adds factor * d(length)/dt of one half of a place to a Jacobian row: the way in (the span before it) or the way out.
void rv_route_add_in(const rvRoute* route, int place, double factor, const rvRows* rows, int group, int row);
void rv_route_add_out(const rvRoute* route, int place, double factor, const rvRows* rows, int group, int row);

// Adds factor * u . (velocity of the body's point at `arm`) to a Jacobian row.
void rv_place_add_force(const rvPlace* place, rvVec3 arm, double factor, rvVec3 u, const rvRows* rows, int group,
                        int row);
// The same for any place in the rows of a cable, crossings included.
void rv_route_add_point(const rvPlace* place, rvVec3 arm, double factor, rvVec3 u, const rvRows* rows, int group,
                        int row);
// alpha' of a tangent point is slope . (velocity of the neighbour's point `from` seen from the carrier); `way` is 1 for
// the way in, -1 for the way out. False: `from` lies inside the rim.
bool rv_wheel_slope(const rvPlace* wheel, rvVec3 from, double way, rvVec3* slope);

// Points of the spans between their ends.
typedef struct {
    const void* object;
    int (*count)(const void* object, int span);
    rvVec3 (*point)(const void* object, int span, int k);
} rvSpanCurve;

// Points to draw the cable by, arcs included. Copies at most `capacity`, answers how many there are. `curve`: NULL
// where spans are straight.
int rv_route_shape(const rvRoute* route, const rvShapeStore* shapes, const rvSpanCurve* curve, rvVec3* points,
                   int capacity);

// Adds factor * u . sum share_i v_i to a Jacobian row, in these slots of the four bodies.
void rv_crossing_add_carried(const rvCrossing* crossing, const rvMat3 share[4], const int slot[4], double factor,
                             rvVec3 u, const rvRows* rows, int group, int row);
// Adds factor * u . (velocity of the point) to a Jacobian row of the rope whose place it is.
void rv_crossing_add(const rvPlace* place, double factor, rvVec3 u, const rvRows* rows, int group, int row);
