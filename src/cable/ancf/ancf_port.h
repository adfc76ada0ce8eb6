// SPDX-License-Identifier: MIT
// Ports: nodes of an ANCF cable that bodies hold. The cable is condensed to them, so that one solver finds their forces
// together with all other rows.
//
// A port force l acts on the cable at the end of the step: q1 = p + d0 + H^-1 P^T l. With the impulse J on the body and
// the time-centred force J = -(h/27)(8 l1 + 12 l0 + 6 l-1 + l-2) (rho = 1/2) a body that steps x' = x + h v' moves as
// the cable does, and the row of a port is
//   G v' + cM (P H^-1 P^T) J = (P(p + d0) - x - r* + h w* x r*)/h,   l1 = -cM h J,   cM = 27/(8 h^2)
// (docs/theory/ancf.md, "Ports"). Whatever the options say, rho is 1/2 here: the weights are those of that value.
// Order of calls in a step: begin, then pass and take as often as the remainder asks, then end.
#pragma once

#include "cable/ancf/ancf_step.h"

enum { RV_ANCF_MAX_PORTS = 64 };

// Before rv_ancf_initialise. What is held cannot be a port.
rvStatus rv_ancf_set_ports(rvAncf* cable, const rvAncfPort* ports, int count, rvError* error);

// Answers the energy at the middle of the last step, as rv_ancf_port_energy reads it.
double rv_ancf_port_begin(rvAncf* cable, double h);
// Before that, where held nodes start or stop at once: the cable takes the jump up within no time, by what it does in a
// step of h. jump: of held dofs, 0 of all others; work of the call. impulse: what the holds give, by dofs; later: what
// they give more in the half step after it. All have 6 numbers more than there are dofs. Answers the energy that it
// gained; it is in the books.
double rv_ancf_port_jump(rvAncf* cable, double h, double* jump, double* impulse, double* later);
// Dofs of ports as held ones, or not.
void rv_ancf_port_hold_dofs(rvAncf* cable, bool on);
// Where the ports would be without new forces, P(p + d0), and P H^-1 P^T.
void rv_ancf_port_pass(rvAncf* cable, double* places, double* compliance);
// The forces on the cable; answers the energy of the strain that the pass left out, to be compared with 1e-5 of the
// scale of energies. Where it is more than enough and the pull more than doubled, the next pass may be from the same
// place with the new pull, `retries` times in a step: a slack rope that comes taut.
double rv_ancf_port_take(rvAncf* cable, const double* force, double enough);
void rv_ancf_port_set_retries(rvAncf* cable, int retries);
bool rv_ancf_port_stays(const rvAncf* cable); // the last pass is to be done again
// Of the energies that move [J].
double rv_ancf_port_scale(const rvAncf* cable);
// Energies at the middle of the last step, as those of bodies are read: the means of its start and its end.
rvAncfEnergy rv_ancf_port_energy(const rvAncf* cable);
// For the guard of all that is coupled (fe_guard.c), after a take. The work of moved holds, at the middle of the step,
// and of currents; kinetic and all energy at its end as it is now.
double rv_ancf_port_work(rvAncf* cable);
double rv_ancf_port_trial_energy(rvAncf* cable, double* kinetic);
double rv_ancf_port_held_back(const rvAncf* cable); // of the energy of stretching, by damping; mean of start and end
// Water that the cable came into is taken along; kinetic: before that. Answers what is lost by it [J].
double rv_ancf_port_enter_water(rvAncf* cable, double kinetic);
// Rates of the end, down to this kinetic energy or as far as it goes: what is beyond following holds and ports.
void rv_ancf_port_slow_down(rvAncf* cable, double wanted);
// The inside goes downhill from where it is at the end, its ports held, till its energy has fallen so far [J]; answers
// how far it did.
double rv_ancf_port_calm(rvAncf* cable, double wanted);

// Between passes that do not settle: the inside of the cable alone, its ports where they are now.
void rv_ancf_port_relax(rvAncf* cable, double enough);
// Where the passes did not settle: the step again with the ports led to where they are at its end, in halves as often
// as needed. Then `end` as else.
bool rv_ancf_port_again(rvAncf* cable);

// False: not finite, and the state is as before.
bool rv_ancf_port_end(rvAncf* cable);

// The dof of row i of the ports, three a port.
int rv_ancf_port_dof(const rvAncf* cable, int i);

// cM of the step that was begun: the compliance above times this is that of an impulse on the body.
double rv_ancf_port_factor(const rvAncf* cable);

// An iteration towards rest instead of a step: implicit Euler from rest, (M/h^2 + K) d = Q + P^T l, l = -J/h, that is
// cM = 1/h^2. pass and take as above; `end` goes a share of the way, and leaves the cable at rest.
void rv_ancf_port_begin_rest(rvAncf* cable, double h);
// How far the nodes go on the whole way [m], how far slopes turn [rad], and the sum of |M d|/h^2: what a step from here
// would find unbalanced [N].
void rv_ancf_port_measure_rest(rvAncf* cable, double* way, double* turn, double* force);
void rv_ancf_port_end_rest(rvAncf* cable, double share);
// Its energy is what it is now, and the guard's budget begins with the next step: gravity changed, or it was put to
// rest.
void rv_ancf_begin_books(rvAncf* cable);
// At rest where it is: no speeds, no accelerations, tensions by the shape.
void rv_ancf_rest(rvAncf* cable);
