// SPDX-License-Identifier: MIT
// Internal forces at a cut through a cable, as every model publishes them.
#pragma once

#include "cable/core/model.h"

// Tension, shear, moment and torque, by the whole force and couple.
void rv_section_take(rvCableSection* section, rvVec3 tangent, rvVec3 force, rvVec3 couple);
// The torque of the twist between the ends (twist.h), in a section of a model that has none of its own.
void rv_section_add_twist(const rvCable* cable, rvCableSection* section);
// The span that holds a rest length, and the share of it that lies before; onPlace: what of each span's rope lies on
// the place where it begins, NULL: nothing.
int rv_section_span(const rvCable* cable, double at, const double* onPlace, double* share);
// A section of rope that carries a tension along its points.
void rv_section_along(const rvCable* cable, const rvBodyStore* bodies, double h, int span, double share, double tension,
                      rvCableSection* section);

// Internal forces at a share of a span.
typedef void rvSectionAt(const rvCable* cable, int span, double share, rvCableSection* section);
// The section at section->at, and the tension at an end of a span (end -1: the mean), of a model that has these; it has
// none once it is broken.
void rv_section_by(const rvCable* cable, const rvBodyStore* bodies, double h, rvSectionAt* sectionAt,
                   const double* onPlace, rvCableSection* section);
double rv_section_tension(const rvCable* cable, int span, int end, rvSectionAt* sectionAt);
