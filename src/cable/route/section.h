// SPDX-License-Identifier: MIT
// Forces at a cut through a cable, as every model publishes them.
#pragma once

#include "cable/core/model.h"

// Tension, shear, moment and torque, by the whole force and couple.
void rv_section_take(rvCableSection* section, rvVec3 tangent, rvVec3 force, rvVec3 couple);
// Of a model that has sections: at an end of a span; along all of it (end -1) the mean.
double rv_section_tension(const rvCable* cable, int span, int end);
