// SPDX-License-Identifier: MIT
// Winches: control, brake, drum and stops. See winch.c.
#pragma once

#include "cable/core/cable.h"
#include "solve/stepping.h"

// 0 or 1 for a winch at the first or last place, -1: no winch there.
int rv_cable_winch_at(const rvCable* cable, int place);
int rv_cable_winch_place(const rvCable* cable, int winch);
// radius and diameter: of the drum, 0: it has none, and of the rope.
rvStatus rv_winch_check(rvError* error, const char* name, int place, const rvWinchDef* winch, double radius,
                        double diameter);
rvWinchSettings rv_winch_from(const rvWinchDef* def);
bool rv_winch_to_def(const rvWinchSettings* winch, rvWinchDef* def); // false: control or brake are no such numbers
double rv_winch_radius(const rvCable* cable, int winch);  // of the layer in use, which the route leaves it from [m]
double rv_winch_tension(const rvCable* cable, int winch); // in the span at it, last step [N]

// The speed of each winch, with the stops taken into account.
void rv_winch_latch(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context);
// The route leaves the drums from the layers in use now.
void rv_winch_change_layers(rvCable* cable, const rvBodyStore* bodies);
// The route leaves the drums from the layers that the state says.
void rv_winch_lay(rvCable* cable);
// How much rope may leave winch i in a step, whatever draws it [m].
double rv_winch_room_out(const rvCable* cable, int i, double h);
// The drum of winch i, which has inertia, turned; `rest`: pays out this much. Answers how much there was [m].
double rv_winch_unwind(rvCable* cable, int i, double rest, const rvStepContext* context);
// Winch i pays out or takes in under this tension; answers the change of rest length [m].
double rv_winch_advance(rvCable* cable, int i, double tension, const rvStepContext* context);
// Winch i slips by `more` at its limit, as far as its rope goes; answers how far [m].
double rv_winch_slip(rvCable* cable, int i, double more, const rvStepContext* context);
// The tension's work on the way between the middles of two steps, and what rope takes along as it is wound on
// (energyOfRope: see massless_advance.c), or that of its motor [J].
double rv_winch_work(const rvCable* cable, int i, double tension, double energyOfRope, double h);
// Books its work and finds its stops, once the rest length is known.
void rv_winch_finish(rvCable* cable, int i, double work, const rvStepContext* context);
