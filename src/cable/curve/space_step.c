// SPDX-License-Identifier: MIT
#include "cable/curve/space_step.h"

#include <string.h>

#define RHO 0.5

static int rows_of(const rvSpaceHold* hold)
{
    return hold->turns ? 6 : 3;
}

// ---- creation -------------------------------------------------------------------------------------------------------

// Cuts the next piece from a block; with a NULL block it only counts.
static double* cut(double* block, size_t* used, size_t count)
{
    double* piece = block ? block + *used : NULL;
    *used += count;
    return piece;
}

static size_t lay_room(rvSpaceRun* run, double* room)
{
    size_t used = 0, count = (size_t)run->space.count, nodes = (size_t)run->space.intervals + 1,
           rows = (size_t)run->rowCount;
    run->state = cut(room, &used, 0);
    run->start = cut(room, &used, 3);
    run->frames = (rvQuat*)cut(room, &used, 4 * nodes);
    run->v = cut(room, &used, count);
    run->a = cut(room, &used, count);
    run->at = cut(room, &used, count);
    run->forces = cut(room, &used, rows);
    run->tension = cut(room, &used, nodes - 1);
    run->stateCount = (int)used;
    run->frames1 = (rvQuat*)cut(room, &used, 4 * nodes);
    run->theta = cut(room, &used, count);
    run->v1 = cut(room, &used, count);
    run->a1 = cut(room, &used, count);
    run->at1 = cut(room, &used, count);
    run->step = cut(room, &used, count);
    run->force1 = cut(room, &used, rows);
    run->rows = cut(room, &used, rows * count);
    run->solved = cut(room, &used, rows * count);
    run->block = cut(room, &used, rows * rows);
    run->mixed = cut(room, &used, rows * rows);
    run->moved = (rvVec3*)cut(room, &used, 3 * nodes);
    return used;
}

bool rv_space_run_create(rvSpaceRun* run, rvMemory* memory, int intervals, const rvSpaceHold* holds, int holdCount)
{
    *run = (rvSpaceRun){.holdCount = holdCount};
    if (!rv_space_create(&run->space, memory, intervals))
        return false;
    run->holds = rv_memory_take(memory, (size_t)holdCount * sizeof(rvSpaceHold));
    for (int k = 0; run->holds && k < holdCount; ++k) {
        run->holds[k] = holds[k];
        run->holds[k].row = run->rowCount;
        run->rowCount += rows_of(&holds[k]);
    }
    run->roomSize = lay_room(run, NULL) * sizeof(double);
    run->room = rv_memory_take(memory, run->roomSize);
    bool matrix = rv_space_create_matrix(&run->space, memory, &run->matrix);
    if ((holdCount > 0 && !run->holds) || !run->room || !matrix || run->rowCount > RV_SPACE_MOST_ROWS) {
        rv_space_run_release(run, memory);
        return false;
    }
    lay_room(run, run->room);
    for (int i = 0; i <= intervals; ++i)
        run->frames[i] = rvQuatIdentity();
    return true;
}

void rv_space_run_release(rvSpaceRun* run, rvMemory* memory)
{
    rv_separable_release(&run->matrix, memory);
    rv_memory_give(memory, run->room, run->room ? run->roomSize : 0);
    rv_memory_give(memory, run->holds, run->holds ? (size_t)run->holdCount * sizeof(rvSpaceHold) : 0);
    rv_space_release(&run->space, memory);
    *run = (rvSpaceRun){0};
}

// ---- rows -----------------------------------------------------------------------------------------------------------

static double dot(const double* a, const double* b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
}

static rvVec3 vec_of(const double* x)
{
    return rvVec(x[0], x[1], x[2]);
}

// Which rows are held and which are ports; with `all` the ports are held too.
static void sort_rows(rvSpaceRun* run, bool all)
{
    run->heldCount = run->portCount = 0;
    for (int k = 0; k < run->holdCount; ++k)
        for (int r = 0; r < rows_of(&run->holds[k]); ++r)
            if (all || !run->holds[k].port)
                run->held[run->heldCount++] = run->holds[k].row + r;
            else
                run->ports[run->portCount++] = run->holds[k].row + r;
}

static double pair_of(const rvSpaceRun* run, int i, int j) // G H^-1 G^T
{
    int count = run->space.count;
    return dot(run->rows + i * count, run->solved + j * count, count);
}

// x with C_hh x = b, in place, by the factor in run->block.
static void solve_held(const rvSpaceRun* run, double* b)
{
    int n = run->heldCount;
    const double* l = run->block;
    for (int i = 0; i < n; ++i)
        b[i] = l[i * n + i] > 0.0 ? (b[i] - dot(l + i * n, b, i)) / l[i * n + i] : 0.0;
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k)
            b[i] -= l[k * n + i] * b[k];
        b[i] = l[i * n + i] > 0.0 ? b[i] / l[i * n + i] : 0.0;
    }
}

// Rows, their columns by the factored matrix, Cholesky of the held ones: a row that the ones before it imply gets nothing.
static void condense(rvSpaceRun* run)
{
    int count = run->space.count, n = run->heldCount;
    for (int k = 0; k < run->holdCount; ++k)
        for (int r = 0; r < rows_of(&run->holds[k]); ++r) {
            double *row = run->rows + (run->holds[k].row + r) * count, *solved = run->solved + (row - run->rows);
            memset(row, 0, (size_t)count * sizeof(double));
            if (r < 3)
                rv_space_add_row(&run->space, run->holds[k].node, rvVec(r == 0, r == 1, r == 2), row);
            else
                row[rv_space_spin(run->holds[k].node) + r - 3] = 1.0;
            memcpy(solved, row, (size_t)count * sizeof(double));
            rv_separable_solve(&run->matrix, solved);
        }
    double* l = run->block;
    for (int i = 0; i < n; ++i) {
        double whole = pair_of(run, run->held[i], run->held[i]);
        for (int j = 0; j < i; ++j)
            l[i * n + j] =
                l[j * n + j] > 0.0
                    ? (pair_of(run, run->held[i], run->held[j]) - dot(l + i * n, l + j * n, j)) / l[j * n + j]
                    : 0.0;
        double left = whole - dot(l + i * n, l + i * n, i);
        l[i * n + i] = left > 1e-12 * whole ? sqrt(left) : 0.0; // round-off of a sum that cancels
    }
    for (int j = 0; j < run->portCount; ++j) { // ports with the held ones eliminated
        double* x = run->mixed + j * n;
        double* column = run->solved + run->ports[j] * count;
        for (int i = 0; i < n; ++i)
            x[i] = pair_of(run, run->held[i], run->ports[j]);
        solve_held(run, x);
        for (int i = 0; i < n; ++i)
            for (int c = 0; c < count; ++c)
                column[c] -= run->solved[run->held[i] * count + c] * x[i];
    }
}

// How far held row i is from its target, at frames1 and the nodes as placed.
static double error_of(const rvSpaceRun* run, int row)
{
    int k = 0;
    while (row >= run->holds[k].row + rows_of(&run->holds[k]))
        k += 1;
    const rvSpaceHold* hold = &run->holds[k];
    int r = row - hold->row;
    rvVec3 e = r < 3 ? rvSub(run->space.nodes[hold->node], hold->place)
                     : rvQuatToRotation(rvQuatMul(run->frames1[hold->node], rvQuatConj(hold->frame)));
    return r % 3 == 0 ? e.x : r % 3 == 1 ? e.y : e.z;
}

static void add_hold_forces(rvSpaceRun* run, const double* force)
{
    for (int k = 0; k < run->holdCount; ++k) {
        const rvSpaceHold* hold = &run->holds[k];
        rv_space_add_force(&run->space, hold->node, vec_of(force + hold->row));
        if (hold->turns)
            rv_space_add_moment(&run->space, hold->node, vec_of(force + hold->row + 3));
    }
}

// The step moves on by the held rows' forces that take it to `right`; they are added to force1.
static void meet(rvSpaceRun* run, const double* right)
{
    int count = run->space.count;
    double b[RV_SPACE_MOST_ROWS];
    for (int i = 0; i < run->heldCount; ++i)
        b[i] = right[i] - dot(run->rows + run->held[i] * count, run->step, count);
    solve_held(run, b);
    for (int i = 0; i < run->heldCount; ++i) {
        run->force1[run->held[i]] += b[i];
        for (int c = 0; c < count; ++c)
            run->step[c] += run->solved[run->held[i] * count + c] * b[i];
    }
}

// ---- a step ---------------------------------------------------------------------------------------------------------

static void place1(rvSpaceRun* run)
{
    rv_space_place(&run->space, run->start1, run->frames1);
}

// Shape and theta move on by d.
static void move_on(rvSpaceRun* run, const double* d)
{
    run->start1 = rvAdd(run->start1, vec_of(d));
    for (int c = 0; c < 3; ++c)
        run->theta[c] += d[c];
    for (int i = 0; i <= run->space.intervals; ++i) {
        int w = rv_space_spin(i);
        rvQuat turn = rvQuatFromRotation(vec_of(d + w));
        run->frames1[i] = rvQuatMul(turn, run->frames1[i]);
        rvVec3 theta = rvQuatToRotation(rvQuatMul(turn, rvQuatFromRotation(vec_of(run->theta + w))));
        run->theta[w] = theta.x;
        run->theta[w + 1] = theta.y;
        run->theta[w + 2] = theta.z;
    }
    place1(run);
}

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
    rv_space_clear_loads(&run->space);
    rv_space_add_gravity(&run->space, run->gravity);
    rv_space_add_stresses(&run->space, v);
    add_hold_forces(run, force);
    for (int i = 0; i < run->loadCount; ++i) {
        rv_space_add_force(&run->space, run->loads[i].node, run->loads[i].force);
        rv_space_add_moment(&run->space, run->loads[i].node, run->loads[i].moment);
    }
    rv_space_add_inertia(&run->space, v, a);
}

// Solves from where it is with the forces as they are; held rows meet their targets.
static bool linearise(rvSpaceRun* run)
{
    find_rates(run);
    gather_loads(run, run->v1, run->a1, run->force1);
    rv_space_sum_loads(&run->space, run->step);
    if (!run->factored) {
        rv_space_matrix(&run->space, (rvSpaceWish){.mass = run->cM, .stiffness = 1.0, .damping = run->cV},
                        &run->matrix);
        if (!rv_separable_factor(&run->matrix))
            return false;
    }
    rv_separable_solve(&run->matrix, run->step);
    condense(run);
    double right[RV_SPACE_MOST_ROWS];
    for (int i = 0; i < run->heldCount; ++i)
        right[i] = -error_of(run, run->held[i]);
    meet(run, right);
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
    sort_rows(run, false);
    run->start1 = vec_of(run->start);
    memcpy(run->frames1, run->frames, (size_t)(run->space.intervals + 1) * sizeof(rvQuat));
    memset(run->theta, 0, (size_t)run->space.count * sizeof(double));
    memcpy(run->force1, run->forces, (size_t)run->rowCount * sizeof(double));
    for (int i = 0; i < run->space.count; ++i)
        run->step[i] = h * run->v[i];
    move_on(run, run->step);
    run->factored = false;
    run->factored = linearise(run);
    if (run->factored)
        move_on(run, run->step);
}

bool rv_space_port_pass(rvSpaceRun* run, double* places, double* compliance)
{
    if (!linearise(run))
        return false;
    run->factored = false; // another pass is where it is far from here
    int count = run->space.count, n = run->portCount;
    for (int k = 0, i = 0; k < run->holdCount; ++k) {
        const rvSpaceHold* hold = &run->holds[k];
        rvVec3 x = run->space.nodes[hold->node];
        const double at[6] = {x.x, x.y, x.z, 0.0, 0.0, 0.0};
        for (int r = 0; hold->port && r < rows_of(hold); ++r, ++i)
            places[i] = at[r] + dot(run->rows + (hold->row + r) * count, run->step, count);
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            compliance[i * n + j] = pair_of(run, run->ports[i], run->ports[j]);
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
    for (int k = 0; k < run->holdCount; ++k) {
        const rvSpaceHold* hold = &run->holds[k];
        double x[3];
        for (int r = 0; r < 3; ++r)
            x[r] = dot(run->rows + (hold->row + r) * count, run->step, count);
        run->moved[hold->node] = rvAdd(run->space.nodes[hold->node], vec_of(x));
    }
    move_on(run, run->step);
    double gap = 0.0;
    for (int k = 0; k < run->holdCount; ++k)
        gap = fmax(gap, rvDistance(run->moved[run->holds[k].node], run->space.nodes[run->holds[k].node]));
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
    const double start[3] = {run->start1.x, run->start1.y, run->start1.z};
    memcpy(run->start, start, sizeof start);
    for (int i = 0; i <= space->intervals; ++i)
        run->frames[i] = rvQuatNormalize(run->frames1[i]);
    memcpy(run->v, run->v1, size);
    memcpy(run->a, run->a1, size);
    memcpy(run->at, run->at1, size);
    memcpy(run->forces, run->force1, (size_t)run->rowCount * sizeof(double));
    gather_loads(run, run->v, run->a, run->forces);
    for (int i = 0; i < space->intervals; ++i)
        run->tension[i] = rv_space_tension(space, i);
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

// ---- start ----------------------------------------------------------------------------------------------------------

bool rv_space_run_begin(rvSpaceRun* run)
{
    rvSpace* space = &run->space;
    int count = space->count;
    sort_rows(run, true);
    memcpy(run->frames1, run->frames, (size_t)(space->intervals + 1) * sizeof(rvQuat));
    run->start1 = vec_of(run->start);
    place1(run);
    memset(run->force1, 0, (size_t)run->rowCount * sizeof(double));
    gather_loads(run, run->v, NULL, run->force1);
    rv_space_sum_loads(space, run->step);
    rv_space_matrix(space, (rvSpaceWish){.mass = 1.0}, &run->matrix);
    if (!rv_separable_factor(&run->matrix))
        return false;
    rv_separable_solve(&run->matrix, run->step);
    condense(run);
    double right[RV_SPACE_MOST_ROWS];
    rv_space_node_drift(space, run->v, run->moved);
    for (int k = 0; k < run->holdCount; ++k) {
        rvVec3 drift = run->moved[run->holds[k].node];
        const double all[6] = {-drift.x, -drift.y, -drift.z, 0.0, 0.0, 0.0};
        memcpy(right + run->holds[k].row, all, (size_t)rows_of(&run->holds[k]) * sizeof(double));
    }
    meet(run, right);
    memcpy(run->a, run->step, (size_t)count * sizeof(double));
    memcpy(run->at, run->step, (size_t)count * sizeof(double));
    memcpy(run->forces, run->force1, (size_t)run->rowCount * sizeof(double));
    gather_loads(run, run->v, run->a, run->forces);
    for (int i = 0; i < space->intervals; ++i)
        run->tension[i] = rv_space_tension(space, i);
    return isfinite(dot(run->a, run->a, count) + dot(run->forces, run->forces, run->rowCount));
}

// A round of the way to rest; answers by how much it turned, moved on by at most half a radian.
static double approach(rvSpaceRun* run, double tau)
{
    rvSpace* space = &run->space;
    gather_loads(run, run->v, NULL, run->force1);
    rv_space_sum_loads(space, run->step);
    rv_space_matrix(space, (rvSpaceWish){.mass = 1.0 / (tau * tau), .stiffness = 1.0}, &run->matrix);
    if (!rv_separable_factor(&run->matrix))
        return HUGE_VAL;
    rv_separable_solve(&run->matrix, run->step);
    condense(run);
    double right[RV_SPACE_MOST_ROWS], most = 0.0;
    for (int i = 0; i < run->heldCount; ++i)
        right[i] = -error_of(run, run->held[i]);
    meet(run, right);
    for (int i = 3; i < space->count; ++i)
        most = fmax(most, fabs(run->step[i]));
    double share = most > 0.5 ? 0.5 / most : 1.0;
    for (int i = 0; i < space->count; ++i)
        run->step[i] *= share;
    move_on(run, run->step);
    return most;
}

double rv_space_run_rest(rvSpaceRun* run, int rounds)
{
    rvSpace* space = &run->space;
    sort_rows(run, true);
    memset(run->v, 0, (size_t)space->count * sizeof(double));
    memset(run->theta, 0, (size_t)space->count * sizeof(double));
    memset(run->force1, 0, (size_t)run->rowCount * sizeof(double));
    memcpy(run->frames1, run->frames, (size_t)(space->intervals + 1) * sizeof(rvQuat));
    run->start1 = vec_of(run->start);
    place1(run);
    double pull = rvLength(run->gravity), tau = 0.1 * sqrt(space->length / (pull > 0.0 ? pull : 10.0)), last = 1.0,
           moved = 1.0;
    for (int i = 0; i < rounds && moved > 1e-9; ++i) {
        moved = approach(run, tau);
        if (!isfinite(moved))
            return moved;
        tau *= fmin(fmax(last / moved, 0.5), 2.0);
        last = moved;
    }
    const double start[3] = {run->start1.x, run->start1.y, run->start1.z};
    memcpy(run->start, start, sizeof start);
    for (int i = 0; i <= space->intervals; ++i)
        run->frames[i] = rvQuatNormalize(run->frames1[i]);
    return moved;
}

// ---- energies -------------------------------------------------------------------------------------------------------

static rvSpace* placed(rvSpaceRun* run)
{
    rv_space_place(&run->space, vec_of(run->start), run->frames);
    return &run->space;
}

double rv_space_run_kinetic(rvSpaceRun* run)
{
    return rv_space_kinetic_energy(placed(run), run->v);
}

double rv_space_run_elastic(rvSpaceRun* run)
{
    return rv_space_elastic_energy(placed(run));
}

double rv_space_run_height(rvSpaceRun* run)
{
    return rv_space_height_energy(placed(run), run->gravity);
}
