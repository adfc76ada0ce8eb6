// SPDX-License-Identifier: MIT
#include "cable/curve/space_step.h"

#include "cable/curve/space_rest.h"

#include <string.h>

#define RHO 0.5
#define TIED 1e4         // stiffness of ties, of the largest of the curve, as of holds in the search for rest
#define FIRST_SHIFT 1e-2 // towards rest, in stiffnesses of the curve (space_rest.h)
#define LAST_SHIFT 1e6
#define dot rv_curve_dot

// At the state as placed.
static void begin_ways(rvSpaceRun* run, double h, bool euler)
{
    const rvSpace* space = &run->space;
    int count = rv_space_way_count(space);
    rv_space_way(space, run->start1, run->wayHalf);
    rv_space_way_rate(space, run->v, run->wayRate);
    rv_space_way_acceleration(space, run->v, run->a, run->wayA);
    rv_space_way_acceleration(space, run->v, run->at, run->wayAt);
    for (int i = 0; i < count; ++i) {
        run->wayAt[i] = euler ? 0.0 : run->wayAt[i];
        run->wayHalf[i] += h * run->wayRate[i] + h * h * (0.5 - run->alpha.bet) * run->wayAt[i];
    }
}

// The derivatives of the way at frames1 as placed, by the rule.
static void find_ways(rvSpaceRun* run)
{
    const rvAlpha* t = &run->alpha;
    double factor = 1.0 / (t->bet * t->h * t->h);
    rv_space_way(&run->space, run->start1, run->wayAt1);
    for (int i = 0; i < rv_space_way_count(&run->space); ++i) {
        run->wayAt1[i] = factor * (run->wayAt1[i] - run->wayHalf[i]);
        rv_alpha_rates(t, run->wayRate[i], run->wayA[i], run->wayAt[i], run->wayAt1[i], &run->wayRate1[i],
                       &run->wayA1[i]);
    }
}

void rv_space_run_predict(rvSpaceRun* run, double h, bool euler)
{
    run->alpha = rv_alpha_begin(h, RHO, euler);
    run->factored = false;
    rv_space_run_reset(run);
    memcpy(run->force1, run->forces, (size_t)run->rowCount * sizeof(double));
    begin_ways(run, h, euler);
}

void rv_space_run_go_ahead(rvSpaceRun* run)
{
    for (int i = 0; i < run->space.count; ++i)
        run->step[i] = run->alpha.euler ? 0.0 : run->alpha.h * run->v[i];
    rv_space_contacts_begin(&run->contacts, &run->space);
    rv_space_run_go(run, run->step, 1.0);
}

void rv_space_run_rates(rvSpaceRun* run)
{
    const rvAlpha* t = &run->alpha;
    double h = t->h;
    for (int i = 0; i < run->space.count; ++i) {
        double at = t->euler ? 0.0 : run->at[i];
        run->at1[i] = (run->theta[i] - h * run->v[i] - h * h * (0.5 - t->bet) * at) / (t->bet * h * h);
        rv_alpha_rates(t, run->v[i], run->a[i], at, run->at1[i], &run->v1[i], &run->a1[i]);
    }
}

// The rates whose motion is nearest to that of a way, with the spins that are in x.
static void project(rvSpaceRun* run, const double* way, double* x)
{
    rv_space_clear_loads(&run->space);
    rv_space_add_way_inertia(&run->space, way, x);
    rv_space_add_stretching(&run->space, run->alpha.h, x);
    rv_space_sum_loads(&run->space, x);
    rv_separable_solve(&run->matrix, x);
    for (int i = 0; i < run->space.count; ++i)
        x[i] = -x[i];
}

bool rv_space_run_end(rvSpaceRun* run)
{
    rvSpace* space = &run->space;
    rv_space_run_rates(run);
    find_ways(run);
    rv_space_matrix(space, (rvSpaceWish){.mass = 1.0, .stretching = run->alpha.h}, &run->matrix);
    if (!rv_separable_factor(&run->matrix))
        return false;
    project(run, run->wayRate1, run->v1);
    return true;
}

void rv_space_run_accelerate(rvSpaceRun* run)
{
    const rvSpace* space = &run->space;
    rv_space_way_acceleration(space, run->v1, NULL, run->wayMore);
    for (int i = 0; i < rv_space_way_count(space); ++i) {
        run->wayA1[i] -= run->wayMore[i];
        run->wayAt1[i] -= run->wayMore[i];
    }
    project(run, run->wayA1, run->a1);
    project(run, run->wayAt1, run->at1);
}

static rvSpaceWish wish_of(const rvSpaceRun* run)
{
    return (rvSpaceWish){.mass = run->alpha.cM + run->drag * run->alpha.cV, .stiffness = 1.0, .damping = run->alpha.cV};
}

static bool factor_matrix(rvSpaceRun* run)
{
    if (run->plain)
        rv_separable_copy(&run->matrix, run->plain);
    return rv_separable_factor(&run->matrix);
}

static bool factor_as(rvSpaceRun* run, rvSpaceWish wish)
{
    rv_space_matrix(&run->space, wish, &run->matrix);
    return factor_matrix(run);
}

// Pushed so hard that it would buckle within the step: by what pulls alone.
static bool factor_pulling(rvSpaceRun* run)
{
    rvSpaceWish wish = wish_of(run);
    wish.pulling = true;
    return factor_as(run, wish);
}

// Towards rest what is left out would be missing: where it is stiff an iteration would overshoot, and not come to rest.
static bool factor_shifted(rvSpaceRun* run)
{
    for (double shift = FIRST_SHIFT; shift < LAST_SHIFT; shift *= 2.0) {
        rv_space_matrix(&run->space, wish_of(run), &run->matrix);
        rv_space_run_shift(run, shift);
        if (rv_separable_factor(&run->matrix))
            return true;
    }
    return false;
}

bool rv_space_run_factor(rvSpaceRun* run)
{
    return factor_as(run, wish_of(run)) || factor_pulling(run);
}

// With the ties' squares; what they add to the right side into `right`.
static bool factor_tied(rvSpaceRun* run, const rvSpaceTie* ties, int count, double* right)
{
    rvSpace* space = &run->space;
    memset(right, 0, (size_t)space->count * sizeof(double));
    rv_space_matrix(space, wish_of(run), &run->matrix);
    double stiff = TIED * rv_space_largest_spin(space, &run->matrix);
    for (int k = 0; k < count; ++k) {
        const rvSpaceTie* tie = &ties[k];
        double place = stiff / rv_space_lever(space, tie->node);
        rv_space_add_squares(space, tie->node, rvVec(place, place, place), &run->matrix);
        rv_space_add_row(space, tie->node, rvScale(place, tie->way), right);
        int spin = rv_space_spin(tie->node);
        const double turn[3] = {tie->turn.x, tie->turn.y, tie->turn.z};
        for (int c = 0; tie->clamped && c < 3; ++c) {
            int slot = rv_space_slot(space, spin + c);
            *rv_separable_at(&run->matrix, slot, slot) += stiff;
            right[spin + c] += stiff * turn[c];
        }
    }
    return factor_matrix(run);
}

void rv_space_run_sum_forces(rvSpaceRun* run)
{
    rv_space_run_rates(run);
    rv_space_run_load(run, run->v1, run->force1);
    find_ways(run);
    for (int i = 0; i < run->space.count; ++i)
        run->slowed[i] = run->a1[i] + run->drag * run->v1[i];
    for (int i = 0; run->drag > 0.0 && i < rv_space_way_count(&run->space); ++i)
        run->wayA1[i] += run->drag * run->wayRate1[i];
    rv_space_add_way_inertia(&run->space, run->wayA1, run->slowed);
    rv_space_sum_loads(&run->space, run->step);
}

// A force acts on all that lies before it: they are summed from the far end.
void rv_space_run_push(rvSpaceRun* run, const rvSpacePush* pushes, int count)
{
    rvSpace* space = &run->space;
    rvVec3* sums = run->moved;
    for (int i = 0; i <= space->intervals; ++i)
        sums[i] = rvVec(0, 0, 0);
    for (int i = 0; i < count; ++i) {
        const rvSpacePush* push = &pushes[i];
        rv_space_add_spot_load(space, &push->spot, push->force);
        sums[push->spot.interval] = rvAdd(sums[push->spot.interval], push->force);
        rv_space_add_moment(space, push->spot.interval, rvScale(1.0 - push->spot.xi, push->moment));
        rv_space_add_moment(space, push->spot.interval + 1, rvScale(push->spot.xi, push->moment));
    }
    rv_space_add_forces(space, sums);
}

bool rv_space_run_linearise(rvSpaceRun* run, const rvSpacePush* pushes, int count, const rvSpaceTie* ties, int tieCount)
{
    rv_space_run_sum_forces(run);
    rv_space_run_push(run, pushes, count);
    if (!factor_as(run, wish_of(run))) {
        if (tieCount > 0 && factor_tied(run, ties, tieCount, run->slowed))
            for (int i = 0; i < run->space.count; ++i)
                run->step[i] += run->slowed[i];
        else if (!(run->resting && factor_shifted(run)) && !factor_pulling(run))
            return false;
    }
    rv_separable_solve(&run->matrix, run->step);
    return true;
}

bool rv_space_run_finish(rvSpaceRun* run)
{
    int count = run->space.count;
    size_t size = (size_t)count * sizeof(double);
    double sum = dot(run->theta, run->theta, count) + dot(run->v1, run->v1, count) + dot(run->at1, run->at1, count) +
                 dot(run->force1, run->force1, run->rowCount);
    if (!isfinite(sum))
        return false;
    rv_space_run_keep(run);
    memcpy(run->v, run->v1, size);
    memcpy(run->a, run->a1, size);
    memcpy(run->at, run->at1, size);
    memcpy(run->forces, run->force1, (size_t)run->rowCount * sizeof(double));
    return true;
}
