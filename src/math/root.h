// SPDX-License-Identifier: MIT
// Roots of functions of one number.
#pragma once

typedef double (*rvRootFn)(const void* context, double u);

// A root of f between 0 and 1, where it has values fa and fb of different signs: false position, halved where it stays
// twice on one side (Illinois). Until it moves by no more than 1e-13, or 40 rounds.
double rv_root_between(rvRootFn f, const void* context, double fa, double fb);
