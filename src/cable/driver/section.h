// SPDX-License-Identifier: MIT
// A cable cut at a length along it: what its two parts do to each other there.
#pragma once

#include "cable/core/model.h"

// At a rest length from place 0; h: of the last step.
void rv_cable_section(const rvCable* cable, const rvBodyStore* bodies, double gravity, double h, double at,
                      rvCableSection* section);
