// SPDX-License-Identifier: MIT
// Stand-alone runs of finite-element cables, without a world, by any integrator: the core's rt and those of the papers.
#pragma once

#include "cable/ale/ale.h"

// ---- ancf_run.c

rvAncfOptions rv_ancf_default_options(rvAncfMethod method);
// RV_ANCF_METHOD_COUNT where there is none of that name.
rvAncfMethod rv_ancf_method_by_name(const char* name);
// Can the method do what the cable asks for?
rvStatus rv_ancf_check_method(const rvAncf* cable, const rvAncfOptions* options, rvError* error);
// rv_ancf_initialise by a method, after shape, holds, masses and rows. Fails where it cannot do what the cable asks
// for.
rvStatus rv_ancf_start(rvAncf* cable, const rvAncfOptions* options, rvError* error);
// One step of h [s]. RV_DIVERGED: the numbers are not finite; the state is as before.
rvStatus rv_ancf_step(rvAncf* cable, double h);
rvAncfCounts rv_ancf_counts(const rvAncf* cable);

// ---- ancf_rows.c

enum { RV_ANCF_MAX_ROWS = 16, RV_ANCF_MAX_TERMS = 32 };

// A term of a row: factor times a coordinate of a node, 0 to 2 its position, 3 to 5 its slope.
typedef struct {
    int node, component;
    double factor;
} rvAncfTerm;

// b of all rows at a time, their rates and accelerations.
typedef void (*rvAncfRowsFn)(void* context, double time, double* b, double* rate, double* accel);

// Rows A q = b(t), for the methods si-*; before rv_ancf_start, which fails for others. `row` (may be NULL) is its
// number. Rows that others imply do nothing. Without an aim b is A q of the start.
rvStatus rv_ancf_add_row(rvAncf* cable, const rvAncfTerm* terms, int count, int* row, rvError* error);
void rv_ancf_clear_rows(rvAncf* cable);
int rv_ancf_row_count(const rvAncf* cable);
// b by numbers, before the start and each step: b and its rate at the start of the step, its acceleration at the end.
rvStatus rv_ancf_aim_row(rvAncf* cable, int row, double b, double rate, double accel, rvError* error);
// Or by a function, once there are rows.
rvStatus rv_ancf_aim_rows(rvAncf* cable, rvAncfRowsFn aim, void* context, rvError* error);
double rv_ancf_row_force(const rvAncf* cable, int row); // f of the last step: the cable feels A^T f
double rv_ancf_row_gap(const rvAncf* cable, int row);   // A q - b, b as it was last given

// ---- ale_run.c

// After shape and holds. All methods of ANCF; rt is without guard and halves.
rvStatus rv_ale_start(rvAle* ale, const rvAncfOptions* options, rvError* error);
// RV_DIVERGED: not finite, or a fall would run out of rope; the state is as before.
rvStatus rv_ale_step(rvAle* ale, double h);
rvAncfCounts rv_ale_counts(const rvAle* ale);
