// SPDX-License-Identifier: MIT
// The clock of the machine.
#pragma once

// Seconds of a clock that only runs forward.
double rv_wall_clock(void);
