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
// The speeds of held nodes, and those of rows, jump to those of the motion now: the rest takes up the impulse.
void rv_ancf_jump(rvAncf* cable);
// The shape: 6 numbers a node, position then slope.
void rv_ancf_set_shape(rvAncf* cable, const double* q, const double* v); // v NULL: at rest
int rv_ancf_node_count(const rvAncf* cable);
const double* rv_ancf_positions(const rvAncf* cable);  // q, 6 a node
const double* rv_ancf_velocities(const rvAncf* cable); // v, 6 a node
double rv_ancf_time(const rvAncf* cable);
rvVec3 rv_ancf_momentum(const rvAncf* cable);
rvVec3 rv_ancf_angular_momentum(const rvAncf* cable); // about the origin

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

// The rope at place j (0 to fallCount) is held: it does not flow, or at a rate [m/s] that is told. Positive: rope goes
// from fall j to fall j - 1.
void rv_ale_hold_flow(rvAle* ale, int place, bool held);
void rv_ale_set_flow(rvAle* ale, int place, double rate);
// Coulomb friction on the rope of a fall that lies on a plane: mu times its weight a length, smoothed below `slow`
// [m/s].
void rv_ale_lay_on_table(rvAle* ale, int fall, double friction, double slow);
void rv_ale_set_load(rvAle* ale, int fall, int end, double mass); // a point mass at an end [kg]

// A fall straight from one point to another, its slope as its length tells; at rest.
void rv_ale_lay(rvAle* ale, int fall, rvVec3 from, rvVec3 to);
// After shape and holds. All methods of ANCF; rt is without guard and halves.
rvStatus rv_ale_start(rvAle* ale, const rvAncfOptions* options, rvError* error);
// RV_DIVERGED: not finite, or a fall would run out of rope; the state is as before.
rvStatus rv_ale_step(rvAle* ale, double h);
rvAncfCounts rv_ale_counts(const rvAle* ale);
double rv_ale_time(const rvAle* ale);
// The rope's coordinate at a place, on its side towards the beginning; rate [m/s], which may be NULL.
double rv_ale_flow_at(const rvAle* ale, int place, double* rate);
