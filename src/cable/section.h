// SPDX-License-Identifier: MIT
// A cable cut at a length along it: what its two parts do to each other there.
#pragma once

#include "cable/ancf/ancf_parts.h"
#include "cable/cable_model.h"

// At a rest length from place 0; h: of the last step.
void rv_cable_section(const rvCable* cable, const rvBodyStore* bodies, double gravity, double h, double at,
                      rvCableSection* section);
// Tension, shear, moment and torque, by the whole force and couple.
void rv_section_take(rvCableSection* section, rvVec3 tangent, rvVec3 force, rvVec3 couple);
// Of elements at rest under a tension, Green's strain: T = EA (e + e^2/2)(1 + e), by Newton from its linear part.
double rv_section_strain(double tension, double EA);

// Finite elements between two places, from the first to the last one. Positions p along them are those of their mesh.
typedef struct {
    const rvAncf* ancf;
    int first, last;
    double elastic; // of bending: 1, or as rope fills the mesh
    double fill;    // rest length a length of mesh
    double EA;
    rvVec3 load; // weight a length of mesh, less lift [N/m]
} rvElementSpan;

// The force that they carry at p, but for its place: points at p and at both sides of it within the element, so far
// apart in rest length. Shear is by how the moment changes, dM/ds + t x F = 0: points that move turn without inertia of
// their own.
void rv_section_of_elements(const rvElementSpan* span, double p, const rvAncfPoint points[3], double apart,
                            rvCableSection* section);
// Of a model that has sections: at an end of a span; along all of it (end -1) the mean.
double rv_section_tension(const rvCable* cable, int span, int end);
