// SPDX-License-Identifier: MIT
// Friction of a cable at its places.
#pragma once

#include "cable/core/cable.h"

// T_tight/T_slack at which the cable slips over a place: capstan's, or that of the bearing of a wheel that turns
// without inertia if that is less; infinite: it never does.
double rv_place_ratio(const rvPlace* place);
