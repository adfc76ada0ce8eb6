// SPDX-License-Identifier: MIT
// Mobility of a row: the velocity that a unit impulse gives.
#pragma once

#include "body/body.h"
#include "solve/row.h"

// J M^-1 J^T of a row of a group and, through *freeRate, -J v of the free velocities.
double rv_row_mobility(const rvBodyStore* bodies, const rvRows* rows, int group, int row, double* freeRate);
