// SPDX-License-Identifier: MIT
// Stretch of the segments of a taut cable: rates, energy, and how these follow a route that changed between rows.
#pragma once

#include "cable/route/segment.h"
#include "cable/string/string_model.h"

// Where rope can slip from a slack segment into a stretched one it does so without a pull, as when an end was hooked
// elsewhere.
void rv_segments_level(rvCable* cable);
// Stretch rates of segments without a past: by the velocities of the bodies and the winches.
void rv_segments_find_rates(rvCable* cable, const rvBodyStore* bodies);
// How fast the route from place first to last grows by the velocities of its bodies; `unexpected`: by what those that
// were moved have more than the step left them with.
double rv_segment_rate(const rvCable* cable, const rvBodyStore* bodies, int first, int last, bool unexpected);
// Adds factor times the length of each segment, as the route lies, to its stretch rate. `unexpected`: takes off how
// much faster it grows than the step expected.
void rv_segments_change_rates(rvCable* cable, const rvBodyStore* bodies, double factor, bool unexpected);
// Around a change of the route that no row saw, sign -1 before it and 1 after it: stretches at the middle of the step
// of h, by which energy is read and the next rows are biased, stay what they were. The bodies worked along the route as
// it was for the first half of the way between two middles and will along the new one for the second: what the route
// changed by beyond that is laid.
void rv_segments_keep_stretch(rvCable* cable, const rvBodyStore* bodies, double sign, double h);
// Is its turning within a step counted in its rates? See massless_advance.c. Not of rope with mass on bodies of a host,
// which go on from the middle of a step by the host's rule: its length counts there.
bool rv_cable_is_hosted(const rvCable* cable, const rvBodyStore* bodies);
static inline bool rv_segments_count_turning(const rvCable* cable, const rvBodyStore* bodies)
{
    return rv_segments_persist(cable) && !(rv_cable_has(cable, RV_HAS_MASS) && rv_cable_is_hosted(cable, bodies));
}

// Of the segment that begins at place `first`, of this length, at the middle of the step of h: EA/N times its stretch
// [N].
double rv_segment_elastic_force(const rvCable* cable, int first, double length, double h);
double rv_segments_energy(const rvCable* cable, double h); // of the stretch, at the middle of the step of h [J]
