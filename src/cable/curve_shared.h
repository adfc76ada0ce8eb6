// SPDX-License-Identifier: MIT
// What a curve in a plane and one in space have in common in the world: checks, the arc at the start, grips and rows.
#pragma once

#include "cable/cable_model.h"
#include "cable/grip.h"

#define RV_CURVE_REACH 0.1 // of the length: bodies may be farther away than it reaches by so much

// Is the definition one of a curve? Rows of an attached place: `place` of them, `clamp` more where it is clamped.
rvStatus rv_curve_check(const rvCable* cable, const rvCableDef* def, int leastElements, int place, int clamp,
                        int mostRows, rvError* error);
// Are the places of a new curve within its reach? Of one that took the place of a rope which was stretched they may not be.
rvStatus rv_curve_check_reach(const rvCable* cable, rvError* error);
// A with J0(A) = share: a curve whose angles are A cos(pi u) about its chord, u = 0..1, has a chord of that share of it.
double rv_curve_bend(double share);
// The next piece of a block of room, with NULL it only counts.
void* rv_curve_piece(uint8_t* block, size_t* at, size_t count, size_t size);
// EI: as given, or of a round rod.
double rv_curve_bending(const rvCable* cable, const rvCableDef* def);
// What its profile says at s along it; without one what changes nothing.
rvCableProfile rv_curve_profile(const rvCableDef* def, double s);

void rv_curve_add_loads(const rvGrip* grips, const rvGripState* states, int count, const rvPush* pushes,
                        rvBodyStore* bodies);
void rv_curve_add_stiffness(const rvGrip* grips, const rvGripState* states, int count, rvBodyStore* bodies);
// The slot of a touched body among those listed; it is added where it is not.
int rv_curve_slot(int* slots, int* count, int body);
void rv_curve_write_row(rvRows* rows, int group, int slot, int row, rvVec3 e, rvVec3 turning);
// With implicit Euler what a body gets is all of this step: the curve's force is that of the known part too.
void rv_curve_take_off(const rvCable* cable, rvRows* rows, int rowCount, int gripRows, const double* known);
// Of two changes that agree in their sign the lesser, else 0.
double rv_curve_least(double a, double b);
// The step ends: a grip's past moves on; after implicit Euler its forces have none. `held`: there were rows.
void rv_curve_keep_grip(const rvGrip* grip, rvGripState* state, bool held, bool euler);
