// SPDX-License-Identifier: MIT
// Read-out that both taut models share: rope that carries one tension from junction to junction.
#pragma once

#include "cable/core/model.h"

void rv_string_section(const rvCable* cable, const rvBodyStore* bodies, double gravity, double h,
                       rvCableSection* section);
// Force and torque of the tensions along the route, and of wheels with inertia, on a body. `load` adds what the rope
// does beside its tension at a place on that body; NULL: nothing.
typedef void rvStringLoad(const rvCable* cable, const rvBodyStore* bodies, int place, rvVec3* force, rvVec3* torque);
void rv_string_force_on(const rvCable* cable, const rvBodyStore* bodies, int body, double h, rvStringLoad* load,
                        rvVec3* force, rvVec3* torque);
