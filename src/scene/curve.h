// SPDX-License-Identifier: MIT
// Values over time.
#pragma once

#include "scene/model.h"

enum { RV_CURVE_MAX_WIDTH = 4 };

// The value at a time. Four numbers are a quaternion and turn evenly from row to row.
void rv_curve_at(const rvCurve* curve, double time, double* value);

// The mean from `start` to `end`, exact also over kinks and jumps. Not for quaternions.
void rv_curve_mean(const rvCurve* curve, double start, double end, double* value);
