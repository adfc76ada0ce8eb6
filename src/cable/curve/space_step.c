// SPDX-License-Identifier: MIT
#include "cable/curve/space_step.h"

#include "cable/curve/space_rest.h"
#include "math/cholesky.h"

#include <string.h>

#define RHO 0.5
#define SOLVES 3 // the matrix leaves out how inertia changes with the shape: with two thin twist is of first order
#define MOST_SOLVES 8
#define SETTLED 1e-4     // a turn of a node in the last solve that is small [rad]
#define LEFT 1e-3        // one that may be left
#define LARGEST_TURN 1.5 // in a solve: beyond it nothing is near enough to be a solution
#define TIED 1e4         // stiffness of ties, of the largest of the curve, as of holds in the search for rest
#define FIRST_SHIFT 1e-2 // towards rest, in stiffnesses of the curve (space_rest.h)
#define LAST_SHIFT 1e6
#define LEAST_PART 0.01  // of a step
#define MOST_CHANGES 200 // of touches that open or close in one solve
#define dot rv_curve_dot

// ---- in parts -------------------------------------------------------------------------------------------------------

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

static bool factor(rvSpaceRun* run)
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

// All forces at frames1, summed into run->step.
static void sum_forces(rvSpaceRun* run)
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
    sum_forces(run);
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

// ---- a whole step ---------------------------------------------------------------------------------------------------

// Rows of the touches at frames1 behind those of the holds; their right sides for a step from where it is, without what
// run->step does.
static void write_touches(rvSpaceRun* run, double eps, double* right)
{
    rvSpaceContacts* contacts = &run->contacts;
    int count = run->space.count;
    rv_space_contacts_find(contacts, &run->space, 0.0); // what would overlap
    run->moreCount = contacts->touchCount;
    for (int i = 0; i < contacts->touchCount; ++i) {
        double* row = run->rows + (run->rowCount + i) * count;
        double rate = rv_space_touch_row(contacts, &run->space, &contacts->touches[i], row) + dot(row, run->v1, count);
        right[i] = -eps * (contacts->spring * contacts->touches[i].gap + contacts->damping * rate);
    }
}

// Touches in the list, solved for: x of them in their order.
static void solve_list(rvSpaceRun* run, double eps, const int* list, int n, const double* right, double* x)
{
    int m = run->moreCount;
    double *pairs = run->pairs, *block = run->pairs + m * m;
    for (int i = 0; i < n; ++i) {
        x[i] = right[list[i]];
        for (int j = 0; j <= i; ++j)
            block[i * n + j] = pairs[list[i] * m + list[j]] + (i == j ? eps : 0.0);
    }
    rv_cholesky_factor(block, n);
    rv_cholesky_solve(block, n, x);
}

// Forces that do not pull: the touch that pulls most is let go, the one that overlaps most is taken in, until none
// does. Bounded; then those that are in stay.
static void solve_touches(rvSpaceRun* run, double eps, const double* right, double* force)
{
    int m = run->moreCount, count = run->space.count, list[RV_SPACE_MOST_TOUCHES];
    bool in[RV_SPACE_MOST_TOUCHES];
    for (int i = 0; i < m; ++i) {
        in[i] = right[i] > 0.0;
        for (int j = 0; j < m; ++j)
            run->pairs[i * m + j] =
                dot(run->rows + (run->rowCount + i) * count, run->solved + (run->rowCount + j) * count, count);
    }
    for (int change = 0; change < MOST_CHANGES; ++change) {
        double x[RV_SPACE_MOST_TOUCHES], most = 0.0;
        int n = 0, worst = -1;
        for (int i = 0; i < m; ++i) {
            force[i] = 0.0;
            if (in[i])
                list[n++] = i;
        }
        solve_list(run, eps, list, n, right, x);
        for (int i = 0; i < n; ++i) {
            force[list[i]] = fmax(x[i], 0.0);
            if (x[i] < most) {
                most = x[i];
                worst = list[i];
            }
        }
        for (int i = 0; i < m && most == 0.0; ++i) { // none pulls
            double over = in[i] ? 0.0 : right[i];
            for (int k = 0; k < n && !in[i]; ++k)
                over -= run->pairs[i * m + list[k]] * x[k];
            if (over > 1e-15 && (worst < 0 || over > force[worst])) {
                worst = i;
                force[i] = over; // for the comparison; solved anew
            }
        }
        if (worst < 0)
            return;
        in[worst] = !in[worst];
    }
}

// One solve; the shape moves on.
static bool correct(rvSpaceRun* run)
{
    rvSpaceContacts* contacts = &run->contacts;
    int count = run->space.count, n = run->rowCount;
    double right[RV_SPACE_MOST_ROWS], touching[RV_SPACE_MOST_TOUCHES] = {0.0};
    double force[RV_SPACE_MOST_TOUCHES] = {0.0};
    double eps = 1.0 / fmax(contacts->spring + contacts->damping * run->alpha.cV, 1e-300);
    sum_forces(run);
    run->factored = run->factored || factor(run);
    if (!run->factored)
        return false;
    run->moreCount = 0;
    if (contacts->sideCount > 0)
        write_touches(run, eps, touching);
    rv_space_run_condense(run, true);
    for (int i = 0; i < n; ++i)
        right[i] = -rv_space_run_error(run, i);
    rv_space_run_meet(run, right);
    for (int i = 0; i < run->moreCount; ++i)
        touching[i] -= dot(run->rows + (n + i) * count, run->step, count);
    solve_touches(run, eps, touching, force);
    for (int i = 0; i < run->moreCount; ++i) {
        contacts->touches[i].force = force[i];
        for (int c = 0; c < count; ++c)
            run->step[c] += run->solved[(n + i) * count + c] * force[i];
        for (int k = 0; k < n; ++k)
            run->force1[k] -= run->mixed[i * n + k] * force[i];
    }
    rv_space_run_go(run, run->step, 1.0);
    return true;
}

// What the curve does to the obstacles; the loads as they are at the end, for the tensions.
static void tell_forces(rvSpaceRun* run)
{
    rvSpaceContacts* contacts = &run->contacts;
    rvSpace* space = &run->space;
    rv_space_run_load(run, run->v, run->forces);
    rv_space_add_inertia(space, run->v, run->a);
    for (int k = 0; k < contacts->obstacleCount; ++k)
        contacts->obstacles[k].force = contacts->obstacles[k].moment = rvVec(0, 0, 0);
    for (int i = 0; i < contacts->touchCount; ++i) {
        const rvSpaceTouch* touch = &contacts->touches[i];
        rvVec3 force = rvScale(touch->force, touch->out);
        rv_space_add_spot_force(space, &touch->spot, force);
        if (touch->obstacle < 0) {
            rv_space_add_spot_force(space, &touch->other, rvNeg(force));
            continue;
        }
        rvSpaceObstacle* o = &contacts->obstacles[touch->obstacle];
        o->force = rvSub(o->force, force);
        o->moment = rvSub(o->moment, rvCross(rvSub(rv_space_point(space, &touch->spot), o->center), force));
    }
    rv_space_run_tensions(run);
}

// Solves until the shape stays. False: it does not, or it goes through itself, or the numbers are not finite.
static bool settle(rvSpaceRun* run, double h, bool euler)
{
    double last = HUGE_VAL;
    rv_space_run_predict(run, h, euler);
    rv_space_run_go_ahead(run);
    for (int solve = 1; solve <= MOST_SOLVES; ++solve) {
        if (!correct(run))
            return false;
        double moved = 0.0;
        for (int i = 3; i < run->space.count; ++i)
            moved = fmax(moved, fabs(run->step[i]));
        if (!(moved < LARGEST_TURN))
            return false;
        if (solve >= SOLVES && moved < SETTLED && !run->stopped)
            break;
        if (solve >= SOLVES && moved > 0.3 * last)
            run->factored = false;
        if (solve == MOST_SOLVES)
            return moved < LEFT && !run->stopped;
        last = moved;
    }
    return !run->stopped;
}

// Was something hit that is stiffer than the step can follow?
static bool hits(const rvSpaceRun* run)
{
    const rvSpaceContacts* contacts = &run->contacts;
    double eps = 1.0 / fmax(contacts->spring + contacts->damping * run->alpha.cV, 1e-300);
    for (int i = 0; i < contacts->touchCount; ++i)
        if (contacts->touches[i].force > 0.0 && eps < run->pairs[i * run->moreCount + i] &&
            !rv_space_contacts_pressed(contacts, &contacts->touches[i]))
            return true;
    return false;
}

// One step or a part of one: where something is hit, and in the step after that, by implicit Euler.
static bool try_part(rvSpaceRun* run, double h)
{
    bool euler = *run->fresh > 0.0, good = settle(run, h, euler), hit = good && hits(run);
    if (hit && !euler)
        good = settle(run, h, true);
    if (!good)
        return false;
    if (!rv_space_run_end(run))
        return false;
    rv_space_run_accelerate(run);
    if (!rv_space_run_finish(run))
        return false;
    *run->fresh = hit;
    rv_space_contacts_remember(&run->contacts, &run->space);
    rv_space_contacts_mark(&run->contacts);
    return true;
}

// Holds and obstacles where they are at a share of the step.
static void aim(rvSpaceRun* run, double share, double h)
{
    for (int k = 0; k < run->holdCount; ++k) {
        const rvSpaceAim* aim = &run->aims[k];
        rvSpaceHold* hold = &run->holds[k];
        hold->place = aim->place;
        hold->frame = aim->frame;
        if (share < 1.0) {
            rvVec3 turn = rvQuatToRotation(rvQuatMul(aim->frame, rvQuatConj(aim->fromFrame)));
            hold->place = rvAdd(aim->from, rvScale(share, rvSub(aim->place, aim->from)));
            hold->frame = rvQuatMul(rvQuatFromRotation(rvScale(share, turn)), aim->fromFrame);
        }
    }
    for (int k = 0; k < run->contacts.obstacleCount; ++k) {
        rvSpaceObstacle* o = &run->contacts.obstacles[k];
        double back = h * (run->share - share);
        o->center = rvMulAdd(o->center, -back, o->velocity);
        o->axis = rvRotate(rvQuatFromRotation(rvScale(-back, o->spin)), o->axis);
    }
    run->share = share;
}

bool rv_space_run_step(rvSpaceRun* run, double h)
{
    rv_space_run_reset(run);
    for (int k = 0; k < run->holdCount; ++k) {
        const rvSpaceHold* hold = &run->holds[k];
        run->aims[k] = (rvSpaceAim){hold->place, run->space.nodes[hold->node], hold->frame, run->frames[hold->node]};
    }
    memcpy(run->before, run->state, (size_t)run->stateCount * sizeof(double));
    double at = 0.0, part = 1.0; // shares of the step: done, the next one
    run->share = 1.0;
    while (at < 1.0) {
        aim(run, at + part, h);
        if (try_part(run, part * h)) {
            at += part;
            continue;
        }
        part *= 0.5;
        if (part < LEAST_PART) {
            aim(run, 1.0, h);
            memcpy(run->state, run->before, (size_t)run->stateCount * sizeof(double));
            return false;
        }
    }
    tell_forces(run);
    return true;
}
