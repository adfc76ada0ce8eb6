// SPDX-License-Identifier: MIT
#include "cable/curve/plane_rest.h"

#include "math/cholesky.h"

#include <math.h>
#include <string.h>

#define MOST_ROUNDS 2000
#define MOST_CLOSINGS 20  // of the holds, before the rounds
#define FIRST_TIME 0.02   // tau [s]
#define LARGEST_TIME 1e6  // from here on the mass does not count
#define LARGEST_TURN 0.3  // of a node in a round [rad]
#define LEAST_SHARE 1e-11 // of the largest force: what is left of a balance in round-off

static void add_hold_forces(rvPlaneMotion* motion)
{
    for (int k = 0; k < motion->holdCount; ++k) {
        const rvPlaneHold* hold = &motion->holds[k];
        rvCurveSpot spot = rv_plane_spot(&motion->plane, hold->s);
        if (hold->kind == RV_HOLD_ANGLE)
            rv_plane_add_moment(&motion->plane, &spot, hold->force);
        else
            rv_plane_add_force(&motion->plane, &spot,
                               hold->kind == RV_HOLD_X ? rv_vec2(hold->force, 0) : rv_vec2(0, hold->force));
    }
}

// Loads at rest into motion->forces, without the holds'; then with them gathered for the stiffness. Answers the largest
// unbalanced force and, through scale, the largest force of any kind: of a natural curvature too, where the moment is
// the difference of two that may be equal.
static double balance(rvPlaneMotion* motion, const double* q, const double* still, double* sum, double* scale)
{
    rvPlane* plane = &motion->plane;
    rv_plane_motion_load(motion, q, still);
    rv_plane_contacts_add(&motion->contacts, plane, q, still);
    rv_plane_sum_loads(plane, motion->forces);
    add_hold_forces(motion);
    rv_plane_sum_loads(plane, sum);
    double largest = 0.0;
    for (int i = 0; i < plane->count; ++i) {
        largest = fmax(largest, fabs(sum[i]));
        *scale = fmax(*scale, fmax(fabs(motion->forces[i]), fabs(sum[i] - motion->forces[i])));
    }
    for (int i = 0; i < plane->intervals; ++i)
        *scale = fmax(*scale, fabs(plane->parts[i].rigidity * plane->parts[i].natural));
    return largest;
}

static double largest_error(const rvPlaneMotion* motion, const double* q)
{
    double largest = 0.0;
    for (int k = 0; k < motion->holdCount; ++k)
        largest = fmax(largest, fabs(rv_plane_hold_error(&motion->plane, q, &motion->holds[k])));
    return largest;
}

// The shape moves least, by its mass, to where the holds want it: holds that are off in a round would press as hard as
// the mass resists.
static void close_holds(rvPlaneMotion* motion, double* q, double* step)
{
    int count = motion->plane.count, list[RV_PLANE_MOST_HOLDS] = {0};
    double miss[RV_PLANE_MOST_HOLDS], turn = 0.0;
    rv_plane_place(&motion->plane, q);
    rv_plane_matrix(&motion->plane, (rvPlaneWish){.mass = 1.0}, &motion->matrix);
    if (!rv_separable_factor(&motion->matrix))
        return;
    rv_plane_solve_holds(motion);
    for (int k = 0; k < motion->holdCount; ++k) {
        list[k] = k;
        miss[k] = -rv_plane_hold_error(&motion->plane, q, &motion->holds[k]);
    }
    rv_plane_solve_forces(motion, list, motion->holdCount, NULL, miss);
    memset(step, 0, (size_t)count * sizeof(double));
    for (int k = 0; k < motion->holdCount; ++k)
        for (int i = 0; i < count; ++i)
            step[i] += motion->solved[k * count + i] * miss[k];
    for (int i = 2; i < count; ++i)
        turn = fmax(turn, fabs(step[i]));
    double share = turn > LARGEST_TURN ? LARGEST_TURN / turn : 1.0;
    for (int i = 0; i < count; ++i)
        q[i] += share * step[i];
    rv_plane_place(&motion->plane, q);
}

// One round with time tau; false: no positive matrix.
static bool descend(rvPlaneMotion* motion, double tau, double* q, double* step)
{
    int count = motion->plane.count;
    rv_plane_matrix(&motion->plane, (rvPlaneWish){.mass = 1.0 / (tau * tau), .stiffness = 1.0}, &motion->matrix);
    if (!rv_separable_factor(&motion->matrix))
        return false;
    memcpy(step, motion->forces, (size_t)count * sizeof(double));
    rv_separable_solve(&motion->matrix, step);
    double force[RV_PLANE_MOST_HOLDS];
    rv_plane_solve_holds(motion);
    int list[RV_PLANE_MOST_HOLDS] = {0};
    for (int k = 0; k < motion->holdCount; ++k) {
        list[k] = k;
        force[k] = -rv_plane_hold_error(&motion->plane, q, &motion->holds[k]);
        for (int i = 0; i < count; ++i)
            force[k] -= motion->rows[k * count + i] * step[i];
    }
    rv_plane_solve_forces(motion, list, motion->holdCount, NULL, force);
    double turn = 0.0;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < motion->holdCount; ++k)
            step[i] += motion->solved[k * count + i] * force[k];
        turn = i >= 2 ? fmax(turn, fabs(step[i])) : turn;
    }
    double share = turn > LARGEST_TURN ? LARGEST_TURN / turn : 1.0;
    for (int i = 0; i < count; ++i)
        q[i] += share * step[i];
    for (int k = 0; k < motion->holdCount; ++k)
        motion->holds[k].force = force[k];
    return true;
}

// Is K positive where G dq = 0? So it is if K plus a large multiple of G^T G is: dense Cholesky, once.
static bool is_stable(rvPlaneMotion* motion, rvMemory* memory)
{
    int count = motion->plane.count;
    size_t size = (size_t)count * (size_t)count * sizeof(double);
    double* a = rv_memory_take(memory, size);
    if (!a)
        return false;
    rv_plane_matrix(&motion->plane, (rvPlaneWish){.stiffness = 1.0}, &motion->matrix);
    double largest = 0.0;
    for (int j = 0; j < count; ++j)
        for (int i = j; i < count && i <= j + motion->matrix.width; ++i) {
            a[i * count + j] = *rv_separable_at(&motion->matrix, i, j);
            largest = fmax(largest, fabs(a[i * count + j]));
        }
    rv_plane_solve_holds(motion); // writes the rows; what it solves is not used
    for (int k = 0; k < motion->holdCount; ++k) {
        const double* row = motion->rows + k * count;
        double norm = 0.0;
        for (int i = 0; i < count; ++i)
            norm += row[i] * row[i];
        for (int i = 0; i < count; ++i)
            for (int j = 0; j <= i; ++j)
                a[i * count + j] += 1e4 * largest / norm * row[i] * row[j];
    }
    bool stable = rv_cholesky_factor_to(a, count, 0.0);
    for (int j = 0; j < count && stable; ++j)
        stable = a[j * count + j] * a[j * count + j] > 1e-9 * largest; // round-off of the large multiple
    rv_memory_give(memory, a, size);
    return stable;
}

rvPlaneRest rv_plane_find_rest(rvPlaneMotion* motion, rvMemory* memory, double* q)
{
    rvPlaneRest rest = {.residual = HUGE_VAL, .gap = HUGE_VAL};
    int count = motion->plane.count;
    size_t size = (size_t)count * sizeof(double);
    double *still = rv_memory_take(memory, size), *sum = rv_memory_take(memory, size),
           *step = rv_memory_take(memory, size);
    double tau = FIRST_TIME;
    rv_plane_place(&motion->plane, q);
    for (int i = 0; step && i < MOST_CLOSINGS && largest_error(motion, q) > LEAST_SHARE * motion->plane.length; ++i)
        close_holds(motion, q, step);
    for (int k = 0; k < motion->holdCount; ++k)
        motion->holds[k].force = 0.0;
    while (still && sum && step && rest.rounds++ < MOST_ROUNDS && tau > 1e-9) {
        double scale = 0.0;
        rest.residual = balance(motion, q, still, sum, &scale);
        rest.gap = largest_error(motion, q);
        rest.found = rest.residual <= LEAST_SHARE * scale && rest.gap <= LEAST_SHARE * motion->plane.length;
        if (rest.found)
            break;
        tau = descend(motion, tau, q, step) ? fmin(1.5 * tau, LARGEST_TIME) : 0.25 * tau;
    }
    if (rest.found)
        rest.stable = is_stable(motion, memory);
    rv_memory_give(memory, still, size);
    rv_memory_give(memory, sum, size);
    rv_memory_give(memory, step, size);
    return rest;
}
