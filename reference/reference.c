// SPDX-License-Identifier: MIT
// The table by which the core has the papers' own methods.
#include "reeve/reference.h"

#include "reference/parts.h"
#include "reference/wave_explicit.h"

const rvReference rv_reference_methods = {
    .accept = rv_fe_accept,
    .start = rv_fe_start_led,
    .begin = rv_fe_begin_led,
    .step = rv_fe_step_led,
    .startRows = rv_ancf_rows_start,
    .accelerateRows = rv_ancf_rows_accelerate,
    .addRowForces = rv_ancf_rows_add_force,
    .clearRows = rv_ancf_clear_rows,
    .wave = rv_wave_explicit,
    .arc = rv_wave_arc_points,
};

const rvReference* rvReference_GetMethods(void)
{
    return &rv_reference_methods;
}
