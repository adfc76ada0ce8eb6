// SPDX-License-Identifier: MIT
// The kernels of ANCF once more, without clones for the machine: `reeve bench ancf` shows what those gain, and that
// their bits are the same.
#define RV_ANCF_PLAIN
#define rv_ancf_gauss rv_plain_gauss
#define rv_ancf_gauss_weight rv_plain_gauss_weight
#define rv_ancf_iso_product rv_plain_iso_product
#define rv_ancf_elastic_force rv_plain_elastic_force
#define rv_ancf_pair_slopes rv_plain_pair_slopes
#define rv_ancf_pair_forces rv_plain_pair_forces
#define rv_ancf_stretch_damping rv_plain_stretch_damping
#define rv_ancf_elastic_energy rv_plain_elastic_energy
#define rv_ancf_elastic_matrix rv_plain_elastic_matrix
#define rv_ancf_growing_force rv_plain_growing_force
#define rv_ancf_growing_matrix rv_plain_growing_matrix
#define rv_ancf_pair_tensions rv_plain_pair_tensions
#define rv_ancf_take_tensions rv_plain_take_tensions
#define rv_ancf_leave_mean_out rv_plain_leave_mean_out
#define rv_ancf_keep_straight rv_plain_keep_straight
#define rv_ancf_keep_giving rv_plain_keep_giving
#define rv_ancf_mass_matrix rv_plain_mass_matrix
#define rv_ancf_take_out rv_plain_take_out
#define rv_ancf_factor rv_plain_factor
#define rv_ancf_solve rv_plain_solve
#define rv_ancf_solve_several rv_plain_solve_several
#define rv_ancf_slot_product rv_plain_slot_product
#define rv_ancf_negative_pivots rv_plain_negative_pivots
// the same kernels once more, under other names
#include "cable/ancf/ancf_element.c" // NOLINT(bugprone-suspicious-include)
#undef INLINE
#include "cable/ancf/ancf_solve.c" // NOLINT(bugprone-suspicious-include)
