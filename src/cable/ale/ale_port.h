// SPDX-License-Identifier: MIT
// Ports of a cable of falls: where bodies hold its ends, and where winches and friction hold its rope. It is condensed
// to them, so that one solver finds their forces together with all other rows; see ancf_port.h for the step of a body.
//
// With H of a fall, Z = H^-1 c of its columns for p_a and p_b, and T the tridiagonal matrix of the flows (ale_solve.c),
// a unit force at port i moves port k by
//   (H^-1)_ik of its fall + b_i . T^-1 b_k,   b = -Z of the port's coordinate (an end), or the unit vector of its place
// Order of calls in a step: begin, then pass and take as often as the remainder asks, then rv_ale_finish.
#pragma once

#include "cable/ale/ale.h"

// How far the rope at a point of a fall goes along a direction: way . (S q) + flow . (p_a, p_b).
typedef struct {
    int element;
    double shape[4], way[3], flow[2];
    double* column; // room for the coordinates of the fall: H^-1 of a unit force there
} rvAlePoint;

// One scalar: a coordinate 0 to 5 of an end of a fall, a point of one, or the flow at a place.
typedef struct {
    int fall; // -1: a flow
    int end, dof;
    int place;    // of a flow
    bool parting; // of a place where the rope is parted: p before it less p behind it. Its force is minus the tension
                  // there
    bool length;  // of the rope in fall `place`
    bool none;    // none of the rope: of a row that only others of the group know
    const rvAlePoint* point; // of a fall, NULL: none; then `places` has how far it goes in the step
} rvAlePort;

// rho = 1/2.
void rv_ale_port_begin(rvAle* ale, double h);
// Where the ports would be without new forces, and count^2 numbers of the compliance; spread: room for count times the
// unknowns of the flows.
void rv_ale_port_pass(rvAle* ale, const rvAlePort* ports, int count, double* places, double* compliance,
                      double* spread);
double rv_ale_port_place(const rvAle* ale, const rvAlePort* port); // of a node or a point of a fall, after that
// All coordinates together, without springs or with those that hold points (ale_hold.c): forces at ports are added to
// nothing, solved, and what they do is read, or taken as motions of the pass, or of its rates.
void rv_ale_hold_clear(rvAle* ale);
void rv_ale_hold_add(rvAle* ale, const rvAlePort* port, double force);
void rv_ale_hold_solve(rvAle* ale, bool held);
double rv_ale_hold_read(const rvAle* ale, const rvAlePort* port);
void rv_ale_hold_take(rvAle* ale);
void rv_ale_hold_take_rate(rvAle* ale, int which);
// Springs: none; one more, of which the part in the matrix of its fall is the caller's; their factor.
void rv_ale_hold_begin(rvAle* ale);
void rv_ale_hold_spring(rvAle* ale, const rvAlePort* port, double stiffness);
void rv_ale_hold_factor(rvAle* ale);
// The forces on the cable; answers the strain energy that the pass left out.
double rv_ale_port_take(rvAle* ale, const rvAlePort* ports, int count, const double* force, const double* spread);
// After the last take: the rate of a point, RV_ALE_RATE, _ACCEL or _ALGO; and it changed by a unit force of so much at
// once.
double rv_ale_port_rate(const rvAle* ale, const rvAlePort* port, int which);
void rv_ale_port_change_rate(rvAle* ale, const rvAlePort* port, const double* spread, int which, double force);
double rv_ale_port_factor(const rvAle* ale); // cM
double rv_ale_port_scale(const rvAle* ale);  // of the energies that move [J]
// Between passes of a step that does not settle: the inside finds where it would be with ports and flows that rows hold
// as they are; both must be held.
// After a step of h: the shape goes downhill, ends and flows that are held stay, until so much energy is taken.
void rv_ale_port_calm(rvAle* ale, double wanted, double h);
// Until so much of the energies that move is left out; answers whether it has settled.
bool rv_ale_port_relax(rvAle* ale, double remainder);
// The step once more by itself, in parts, ends and flows that are held where they are now (ale_again.c). Ports must be
// held, and flows that rows hold. What is not finite the end of the step finds.
void rv_ale_port_again(rvAle* ale);
bool rv_ale_port_end(rvAle* ale); // false: not finite or run out, the state is as before

// ---- at rest (ale_static.c)

// Nodes and flows that are not held move to a stable equilibrium near their place, all together.
rvStatus rv_ale_settle(rvAle* ale, double tolerance, rvError* error);
// What the falls before and behind a place in the middle pull its rope by, at rest [N].
void rv_ale_pulls(rvAle* ale, int place, double* before, double* behind);
// Nothing moves: rates are zero, stored tensions those of the shape.
void rv_ale_rest(rvAle* ale);
// An iteration towards rest in place of a step: implicit Euler from rest over h, see fe_rest.c.
void rv_ale_port_begin_rest(rvAle* ale, double h);
double rv_ale_port_measure_rest(rvAle* ale); // the force that a step would find unbalanced [N]
void rv_ale_port_end_rest(rvAle* ale, double share);
