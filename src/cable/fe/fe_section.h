// SPDX-License-Identifier: MIT
// Section forces of finite elements. See fe_section.c.
#pragma once

#include "cable/ancf/ancf_parts.h"
#include "cable/route/section.h"

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
