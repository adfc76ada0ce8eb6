// SPDX-License-Identifier: MIT
// The inside of libreeve-reference, for the files of this folder.
#pragma once

#include "cable/ale/ale_parts.h"
#include "cable/core/reference.h"
#include "reference/elements.h"
#include "reference/march.h"

extern const rvReference rv_reference_methods;

// ---- ancf_paper.c: what the paper's methods say of the end of a step by d = q1 - q0

// v1 = cV d + vc, a1 = cA d + ac, M a1 = (1 + alpha) Q1 - alpha Q
typedef struct {
    double cV, cA, alpha;
    double *vc, *ac;
} rvAncfRule;

typedef struct {
    int count;
    const double *q, *v, *a, *qOld, *vOld;
} rvAncfPast;

void rv_ancf_paper_rule(const rvAncfOptions* options, const rvAncfPast* past, double h, rvAncfRule* rule);

// ---- ancf_rows.c: for a cable that has some rows

rvStatus rv_ancf_rows_start(rvAncf* cable, rvError* error); // b, and speeds that fit it
// d of a step without rows becomes that with them; cable->slots is factored.
void rv_ancf_rows_step(rvAncf* cable, const rvAncfRule* rule, double h, double* d);
void rv_ancf_rows_accelerate(rvAncf* cable, double* a); // the same of accelerations
void rv_ancf_rows_jump(rvAncf* cable);                  // and of speeds
void rv_ancf_rows_add_force(const rvAncf* cable, double* force);

// ---- ancf_run.c

static inline bool rv_ancf_is_of_paper(rvAncfMethod method) // 001: one of the four that are semi-implicit
{
    return method >= RV_ANCF_SI_BE && method <= RV_ANCF_SI_HHT;
}

rvStatus rv_ancf_check_options(const rvAncfOptions* options, rvError* error); // their ranges
rvStatus rv_ancf_make_series(rvAncf* cable, rvError* error);                  // room for that of taylor

// ---- one step each; the state is only changed where they answer true

bool rv_ancf_step_paper(rvAncf* cable, double h);
bool rv_ancf_step_march(rvAncf* cable, double h); // by march.h: the implicit and the explicit ones
void rv_ancf_find_highest(rvAncf* cable);         // frequency, for these
size_t rv_ancf_series_size(const rvAncf* cable);
double* rv_ancf_series_terms(const rvAncf* cable);
void rv_ancf_expand(rvAncf* cable, double* terms); // from the first two the others

// ---- ale_march.c: nodes of all falls and flows as the coordinates of a system of march.h

rvStatus rv_ale_march_start(rvAle* ale, rvError* error); // room for the method of the options
bool rv_ale_step_march(rvAle* ale, double h);
rvMarch rv_ale_march_of(rvAle* ale); // after that, of any method but rt: the system with a copy of the state as it is
double* rv_ale_march_flows(const rvMarch* s, const double* x); // of a vector: places, then arcs

// ---- ale_paper.c: one step of si-*, the state kept where it fails

bool rv_ale_step_paper(rvAle* ale, double h);

// ---- ale_taylor.c

size_t rv_ale_series_size(const rvAle* ale);
// From the first two terms the others; series: room for it.
void rv_ale_expand(rvMarch* s, void* series, double* terms);

// ---- fe_lead.c: a cable in a world

rvStatus rv_fe_accept(rvCable* cable, const rvBodyStore* bodies, rvError* error);
void rv_fe_start_led(rvCable* cable);
void rv_fe_begin_led(rvCable* cable, const rvBodyStore* bodies, double h);
bool rv_fe_step_led(rvCable* cable, double h);
