// SPDX-License-Identifier: MIT
#include "math/cholesky.h"
#include "reference/curve_run.h"

#include <string.h>

#define SOLVES 3 // the matrix leaves out how inertia changes with the shape: with two thin twist is of first order
#define MOST_SOLVES 8
#define SETTLED 1e-4     // a turn of a node in the last solve that is small [rad]
#define LEFT 1e-3        // one that may be left
#define LARGEST_TURN 1.5 // in a solve: beyond it nothing is near enough to be a solution
#define LEAST_PART 0.01  // of a step
#define MOST_CHANGES 200 // of touches that open or close in one solve
#define dot rv_curve_dot

bool rv_space_run_begin(rvSpaceRun* run)
{
    if (!rv_space_motion_solve(run, 0.0))
        return false;
    memcpy(run->at, run->a, (size_t)run->space.count * sizeof(double));
    rv_space_run_load(run, run->v, run->forces);
    rv_space_add_inertia(&run->space, run->v, run->a);
    rv_space_run_tensions(run);
    return true;
}

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
    rv_space_run_sum_forces(run);
    run->factored = run->factored || rv_space_run_factor(run);
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
