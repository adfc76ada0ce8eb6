// SPDX-License-Identifier: MIT
#include "cable/curve/space_step.h"

#include <string.h>

#define RHO 0.5
#define SOLVES                                                                                                         \
    3 // the matrix leaves out how inertia changes with the shape: with two of them thin twist is of first order
#define dot rv_space_dot

// ---- a step ---------------------------------------------------------------------------------------------------------

// Rates that belong to theta.
static void find_rates(rvSpaceRun* run)
{
    double h = run->h;
    for (int i = 0; i < run->space.count; ++i) {
        double at = run->at[i];
        double next = (run->theta[i] - h * run->v[i] - h * h * (0.5 - run->bet) * at) / (run->bet * h * h);
        run->v1[i] = run->v[i] + h * ((1.0 - run->gam) * at + run->gam * next);
        run->a1[i] = ((1.0 - run->am) * next + run->am * at - run->af * run->a[i]) / (1.0 - run->af);
        run->at1[i] = next;
    }
}

static void gather_loads(rvSpaceRun* run, const double* v, const double* a, const double* force)
{
    rv_space_run_load(run, v, force);
    rv_space_add_inertia(&run->space, v, a);
}

// Solves from where it is with the forces as they are; held rows meet their targets.
static bool linearise(rvSpaceRun* run)
{
    find_rates(run);
    gather_loads(run, run->v1, run->a1, run->force1);
    rv_space_sum_loads(&run->space, run->step);
    if (!run->factored) {
        rvSpaceWish wish = {.mass = run->cM, .stiffness = 1.0, .damping = run->cV};
        rv_space_matrix(&run->space, wish, &run->matrix);
        if (!rv_separable_factor(&run->matrix)) { // pushed so hard that it would buckle within the step
            wish.pulling = true;
            rv_space_matrix(&run->space, wish, &run->matrix);
            if (!rv_separable_factor(&run->matrix))
                return false;
        }
    }
    rv_separable_solve(&run->matrix, run->step);
    rv_space_run_condense(run);
    double right[RV_SPACE_MOST_ROWS];
    for (int i = 0; i < run->heldCount; ++i)
        right[i] = -rv_space_run_error(run, run->held[i]);
    rv_space_run_meet(run, right);
    return true;
}

void rv_space_port_begin(rvSpaceRun* run, double h)
{
    run->h = h;
    run->am = (2.0 * RHO - 1.0) / (RHO + 1.0);
    run->af = RHO / (RHO + 1.0);
    run->gam = 0.5 + run->af - run->am;
    run->bet = 0.25 * (run->gam + 0.5) * (run->gam + 0.5);
    run->cM = (1.0 - run->am) / ((1.0 - run->af) * run->bet * h * h);
    run->cV = run->gam / (run->bet * h);
    rv_space_run_sort(run, false);
    rv_space_run_reset(run);
    memcpy(run->force1, run->forces, (size_t)run->rowCount * sizeof(double));
    for (int i = 0; i < run->space.count; ++i)
        run->step[i] = h * run->v[i];
    rv_space_run_move(run, run->step);
    run->factored = false;
    for (int solve = 0; solve < SOLVES - 1; ++solve) {
        run->factored = linearise(run);
        if (!run->factored)
            return;
        rv_space_run_move(run, run->step);
    }
}

static bool is_place(const rvSpaceRun* run, int row)
{
    const rvSpaceHold* hold = rv_space_hold_of(run, row);
    bool turning;
    rv_space_hold_axis(hold, row - hold->row, &turning);
    return !turning;
}

// Of a row: where it is along its axis; of a frame by how much it has turned on from frames1, nothing; of an aim how far
// it is off.
static double value_of(const rvSpaceRun* run, int row)
{
    const rvSpaceHold* hold = rv_space_hold_of(run, row);
    bool turning;
    rvVec3 n = rv_space_hold_axis(hold, row - hold->row, &turning);
    if (!turning)
        return rvDot(n, run->space.nodes[hold->node]);
    return hold->grip == RV_GRIP_AIM ? rv_space_run_error(run, row) : 0.0;
}

bool rv_space_port_pass(rvSpaceRun* run, double* places, double* compliance)
{
    if (!linearise(run))
        return false;
    run->factored = false; // another pass is where it is far from here
    int count = run->space.count, n = run->portCount;
    for (int i = 0; i < n; ++i)
        places[i] = value_of(run, run->ports[i]) + dot(run->rows + run->ports[i] * count, run->step, count);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            compliance[i * n + j] = rv_space_run_pair(run, run->ports[i], run->ports[j]);
    return true;
}

double rv_space_port_take(rvSpaceRun* run, const double* forces)
{
    int count = run->space.count, n = run->heldCount;
    for (int j = 0; j < run->portCount; ++j) {
        double more = forces[j] - run->force1[run->ports[j]];
        run->force1[run->ports[j]] = forces[j];
        for (int i = 0; i < n; ++i)
            run->force1[run->held[i]] -= run->mixed[j * n + i] * more;
        for (int c = 0; c < count; ++c)
            run->step[c] += run->solved[run->ports[j] * count + c] * more;
    }
    double said[RV_SPACE_MOST_ROWS], gap = 0.0;
    for (int r = 0; r < run->rowCount; ++r)
        said[r] = value_of(run, r) + dot(run->rows + r * count, run->step, count);
    rv_space_run_move(run, run->step);
    for (int r = 0; r < run->rowCount; ++r)
        if (is_place(run, r))
            gap = fmax(gap, fabs(value_of(run, r) - said[r]));
    return gap;
}

bool rv_space_port_end(rvSpaceRun* run)
{
    rvSpace* space = &run->space;
    size_t size = (size_t)space->count * sizeof(double);
    find_rates(run);
    double sum = dot(run->theta, run->theta, space->count) + dot(run->v1, run->v1, space->count) +
                 dot(run->at1, run->at1, space->count) + dot(run->force1, run->force1, run->rowCount);
    if (!isfinite(sum))
        return false;
    rv_space_run_keep(run);
    memcpy(run->v, run->v1, size);
    memcpy(run->a, run->a1, size);
    memcpy(run->at, run->at1, size);
    memcpy(run->forces, run->force1, (size_t)run->rowCount * sizeof(double));
    gather_loads(run, run->v, run->a, run->forces);
    rv_space_run_tensions(run);
    return true;
}

bool rv_space_run_step(rvSpaceRun* run, double h)
{
    rv_space_port_begin(run, h);
    if (!run->factored || !rv_space_port_pass(run, NULL, NULL))
        return false;
    rv_space_port_take(run, NULL);
    return rv_space_port_end(run);
}
