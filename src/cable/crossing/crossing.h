// SPDX-License-Identifier: MIT
// Two ropes that hold each other: the point X at which both bend, a contact place in both routes (or twice in one).
//
// X has no mass and belongs to no body. With p_i the unit vectors from X to its four neighbours (before and after it on
// the first rope, then on the second), T_i the tensions and l_i the lengths on the way there, it lies where
//   sum T_i p_i = 0.
// In a step that balance is asked for at its end. The bodies nearest along the two ropes, with velocities v_i at the
// ends r_i (from X) of their spans, carry X along by the rigid motion that fits them best,
//   least  sum |v + w x r_i - v_i|^2 in k_i,   k_i = T_i/l_i (1 - p_i p_i^T)   ->   v = sum A_i v_i,   v_X = v + y
// (in balance w drops out and v = K^-1 sum k_i v_i, K = sum k_i). What the solver finds is y, the motion of X against
// its neighbours, as the velocity of a body of its own with mass h^2 K:
//   h^2 K y = h sum T_i' p_i.
// At rest y = 0, and the balance is exact. A rigid motion of the neighbours has y = 0, so y carries no momentum, linear
// or angular: the pushes A_i^T f on the bodies have the resultant and the moment of f at X. The row of a rope has J =
// dl/dv = sum over its own bodies + g . v_X, so it reaches the bodies of the other rope as well.
//
// That is the balance at the end of the step. Where the next place is a crossing too, which moves as well, its k counts
// twice: then two such points do not swing against each other.
// That balance is linear in the motion. Without friction the point goes on to where the ropes, with the rest lengths
// that they have, store least energy, once the bodies have moved: what it gives up is heat, so nothing is gained by it.
//
// A crossing begins when two spans have passed through each other within a step. It ends when the ropes pull apart:
// the pull of the first on X has turned against what it was. It also ends where X comes as near to the next place as
// the ropes are thick: one slips off the end of the other. Two crossings on one rope cannot pass each other: as near as
// the ropes are thick a row holds them apart. Two ropes may hold each other several times, but the spans that end at a
// crossing do not meet again: they begin at one point. Ropes wound around each other are followed by one point: how far
// either bends about the direction of the other is counted on, any number of turns, and beyond half a turn a pull that
// turns round is no parting.
#pragma once

#include "cable/core/cable.h"
#include "contact/shape.h"
#include "solve/row.h"
#include "solve/stepping.h"

// Ropes that are not farther apart than this lie on each other [m].
#define RV_CROSSING_APART 1e-9

// Lists the crossings by the places that belong together. Places that lost their other half go.
void rv_crossings_collect(rvCableStore* store, const rvBodyStore* bodies);
// After the cables have numbered their own bodies: solver bodies from `first` on, slots in the rows of both ropes.
void rv_crossings_number(rvCableStore* store, const rvBodyStore* bodies, int first);
// Mass and shares by the tensions as they are.
void rv_crossings_predict(rvCableStore* store, rvBodyStore* bodies, double h);
// Moves the points by the solved velocities.
void rv_crossings_advance(rvCableStore* store, const rvBodyStore* bodies);
// Lets go what pulls apart; before shapes are looked at, on which the rope then slides on.
void rv_crossings_part(rvCableStore* store, const rvBodyStore* bodies, double h);
// Their points stay out of shapes.
void rv_crossings_keep_out(rvCableStore* store, const rvShapeStore* shapes);
// Finds what met; after that.
void rv_crossings_collide(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context);
// The rope of a cable has no past: it is where it is.
void rv_crossings_remember(rvCable* cable);

// What a span of a rope counts for at a crossing: its tension; where it is slack a little, or what it comes to pull
// within a time h [N].
double rv_crossing_weight(const rvCable* cable, int span, double h);

// Of crossing_point.c: points go on to where their ropes are least stretched.
void rv_crossings_relax(rvCableStore* store, const rvBodyStore* bodies);
// Adds  rate ((1 + ALONG) - p p^T),  the stiffness of a span across it.
void rv_crossing_add_stiffness(double s[6], double rate, rvVec3 p);

// Of crossing.c for crossing_find.c: marks what pulls apart, measures the bends.
bool rv_crossings_let_go(rvCableStore* store, double h);
void rv_crossings_measure(rvCableStore* store);

// Of a rope with mass, at a place that is a crossing: so much mass and force come to the point in this step, before its
// rows; `tension`: what of it is in that of the span.
void rv_crossings_clear_loads(rvCableStore* store);
void rv_crossing_load(const rvPlace* place, double mass, rvVec3 force, rvVec3 tension);
// That mass in the motion of the point: adds it to its own part, whose inverse was found without it, and answers the
// velocity that this has without tensions.
rvVec3 rv_crossing_add_mass(const rvCableStore* store, rvCrossing* crossing, double inverse[6]);
// Rows of the bodies' part of it; how many of rows and bodies a crossing has at most.
enum { RV_CROSSING_ROWS = 3, RV_CROSSING_SLOTS = 4 };
void rv_crossings_write_mass(rvCableStore* store, rvRows* rows);
// The point goes on with this velocity: what the ropes do to it beside their tensions, inertia and all.
void rv_crossing_keep_load(const rvCableStore* store, const rvCrossing* crossing, rvVec3 velocity);
bool rv_crossing_is_heavy(const rvCableStore* store, const rvCrossing* crossing);

// Rows that hold neighbouring crossings of a cable apart: how many, and the rows themselves from row `first` of its
// group.
int rv_crossings_apart_count(const rvCable* cable);
void rv_crossings_apart_write(const rvCable* cable, double h, const rvRows* rows, int group, int first);

// The force between the ropes at a place that is a crossing: pull of the first rope on the point [N].
rvVec3 rv_crossing_force(const rvCable* cable, int place);
bool rv_crossing_is_sound(const rvPlaceState* s);
