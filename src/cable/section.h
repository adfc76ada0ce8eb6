// SPDX-License-Identifier: MIT
// A cable cut at a length along it: what its two parts do to each other there.
#pragma once

#include "cable/ancf/ancf.h"
#include "cable/cable_model.h"

// At a rest length from place 0; h: of the last step.
void rv_cable_section(const rvCable* cable, const rvBodyStore* bodies, double h, double at, rvCableSection* section);
// Tension, shear, moment and torque, by the whole force and couple.
void rv_section_take(rvCableSection* section, rvVec3 tangent, rvVec3 force, rvVec3 couple);
// Of finite elements, but for its place: at the point and at both sides of it within the element, so far apart in rest length. Shear is by
// how the moment changes, dM/ds + t x F = 0: points that move turn without inertia of their own.
void rv_section_of_elements(const rvAncfPoint points[3], double apart, rvCableSection* section);
