// SPDX-License-Identifier: MIT
#include "cable/curve/space_motion.h"

#include <string.h>

#define dot rv_curve_dot

static rvVec3 spin_of(const rvSpaceRun* run, int node)
{
    return rv_space_vec(run->v + rv_space_spin(node));
}

// What the target of a row asks of G v, and of G v' without the closing of errors; nodes' drifts are in run->moved.
static void ask_row(const rvSpaceRun* run, const rvSpaceHold* hold, int r, double* rate, double* acceleration)
{
    bool turning;
    rvVec3 n = rv_space_hold_axis(hold, r, &turning);
    if (!turning) {
        *rate = rvDot(n, hold->rate);
        *acceleration = rvDot(n, rvSub(hold->acceleration, run->moved[hold->node]));
        return;
    }
    *rate = rvDot(n, hold->spin);
    *acceleration = rvDot(n, hold->spinRate);
    if (hold->grip != RV_GRIP_AIM)
        return;
    const double* g = run->rows + (hold->row + r) * run->space.count + rv_space_spin(hold->node);
    rvVec3 row = rv_space_vec(g), t0 = rvRotate(hold->frame, rvVec(0, 0, 1));
    rvVec3 t = rvRotate(run->frames1[hold->node], rvVec(0, 0, 1)), w = rvSub(spin_of(run, hold->node), hold->spin);
    rvVec3 turned = rvCross(w, t); // in the target's frame
    rvVec3 change = rvSub(rvScale(rvDot(t0, turned), n), rvScale(rvDot(n, turned), t0));
    *rate = rvDot(row, hold->spin);
    *acceleration = rvDot(row, hold->spinRate) - rvDot(rvAdd(change, rvCross(hold->spin, row)), w);
}

static bool factor_mass(rvSpaceRun* run)
{
    rv_space_run_reset(run);
    memset(run->force1, 0, (size_t)run->rowCount * sizeof(double));
    rv_space_matrix(&run->space, (rvSpaceWish){.mass = 1.0}, &run->matrix);
    return rv_separable_factor(&run->matrix);
}

bool rv_space_motion_solve(rvSpaceRun* run, double closing)
{
    int count = run->space.count;
    if (!factor_mass(run))
        return false;
    rv_space_run_load(run, run->v, run->force1);
    rv_space_add_inertia_drift(&run->space, run->v, NULL, run->moved);
    if (run->contacts.sideCount > 0)
        rv_space_contacts_add(&run->contacts, &run->space, run->v, run->step);
    rv_space_sum_loads(&run->space, run->step);
    rv_space_run_condense(run, true);
    for (int i = 0; i < count; ++i)
        run->step[i] -= run->drag * run->v[i];
    double right[RV_SPACE_MOST_ROWS];
    for (int i = 0; i < run->rowCount; ++i) {
        double rate, acceleration;
        int row = i;
        const rvSpaceHold* hold = rv_space_hold_of(run, row);
        ask_row(run, hold, row - hold->row, &rate, &acceleration);
        double off = dot(run->rows + row * count, run->v, count) - rate;
        right[i] = acceleration - 2.0 * closing * off - closing * closing * rv_space_run_error(run, row);
    }
    rv_space_run_meet(run, right);
    memcpy(run->a, run->step, (size_t)count * sizeof(double));
    memcpy(run->forces, run->force1, (size_t)run->rowCount * sizeof(double));
    return isfinite(dot(run->a, run->a, count) + dot(run->forces, run->forces, run->rowCount));
}

bool rv_space_motion_project(rvSpaceRun* run)
{
    int count = run->space.count;
    if (!factor_mass(run))
        return false;
    rv_space_run_condense(run, false);
    memcpy(run->step, run->v, (size_t)count * sizeof(double));
    double right[RV_SPACE_MOST_ROWS];
    for (int i = 0; i < run->rowCount; ++i) {
        double unused;
        const rvSpaceHold* hold = rv_space_hold_of(run, i);
        ask_row(run, hold, i - hold->row, &right[i], &unused);
    }
    rv_space_run_meet(run, right);
    if (!isfinite(dot(run->step, run->step, count)))
        return false;
    memcpy(run->v, run->step, (size_t)count * sizeof(double));
    return true;
}
