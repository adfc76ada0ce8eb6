// SPDX-License-Identifier: MIT
#include "cable/curve/space_run.h"

#include "math/cholesky.h"

#include <string.h>

#define MOST_HALVES 6 // of a move
#define dot rv_curve_dot

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
           rows = (size_t)run->rowCount, rowRoom = (size_t)run->rowRoom, more = rowRoom - rows;
    run->state = cut(room, &used, 0);
    run->start = cut(room, &used, 3);
    run->frames = (rvQuat*)cut(room, &used, 4 * nodes);
    run->stretch = run->space.stretches ? cut(room, &used, nodes) : NULL;
    run->fresh = cut(room, &used, 1);
    run->v = cut(room, &used, count);
    run->a = cut(room, &used, count);
    run->at = cut(room, &used, count);
    run->forces = cut(room, &used, rows);
    run->tension = cut(room, &used, nodes - 1);
    run->stateCount = (int)used;
    run->frames1 = (rvQuat*)cut(room, &used, 4 * nodes);
    run->stretch1 = run->space.stretches ? cut(room, &used, nodes) : NULL;
    run->theta = cut(room, &used, count);
    run->v1 = cut(room, &used, count);
    run->a1 = cut(room, &used, count);
    run->at1 = cut(room, &used, count);
    run->force1 = cut(room, &used, rows);
    run->rows = cut(room, &used, rowRoom * count);
    run->step = cut(room, &used, count); // solved together with what follows it
    run->solved = cut(room, &used, rowRoom * count);
    run->block = cut(room, &used, rows * rows);
    run->mixed = cut(room, &used, rows * more);
    run->pairs = cut(room, &used, 2 * more * more);
    run->moved = (rvVec3*)cut(room, &used, 3 * nodes);
    run->before = cut(room, &used, (size_t)run->stateCount);
    run->aims = (rvSpaceAim*)cut(room, &used, (size_t)run->holdCount * sizeof(rvSpaceAim) / sizeof(double));
    run->slowed = cut(room, &used, count);
    size_t way = (size_t)rv_space_way_count(&run->space);
    double** ways[] = {&run->wayHalf,  &run->wayRate, &run->wayA,   &run->wayAt,
                       &run->wayRate1, &run->wayA1,   &run->wayAt1, &run->wayMore};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i)
        *ways[i] = cut(room, &used, way);
    run->turned = cut(room, &used, 3 * RV_SPACE_MOST_LOADS * count);
    return used;
}

bool rv_space_run_create(rvSpaceRun* run, rvMemory* memory, const rvSpaceDef* def)
{
    *run = (rvSpaceRun){.holdCount = def->holdCount};
    if (!rv_space_create(&run->space, memory, def->intervals, def->stretches))
        return false;
    run->holds = rv_memory_take(memory, (size_t)def->holdCount * sizeof(rvSpaceHold));
    for (int k = 0; run->holds && k < def->holdCount; ++k) {
        run->holds[k] = def->holds[k];
        run->holds[k].row = run->rowCount;
        run->rowCount += rv_space_hold_rows(&def->holds[k]);
    }
    bool touches = def->obstacleCount > 0 || def->itself;
    run->rowRoom = run->rowCount + (touches ? RV_SPACE_MOST_TOUCHES : 0);
    run->roomSize = lay_room(run, NULL) * sizeof(double);
    run->room = rv_memory_take(memory, run->roomSize);
    bool more = rv_space_create_matrix(&run->space, memory, &run->matrix) &&
                rv_space_contacts_create(&run->contacts, memory, def->intervals, def->obstacleCount, def->itself,
                                         def->touches > 0 ? def->touches : RV_SPACE_MOST_TOUCHES);
    if ((def->holdCount > 0 && !run->holds) || !run->room || !more || run->rowCount > RV_SPACE_MOST_ROWS) {
        rv_space_run_release(run, memory);
        return false;
    }
    lay_room(run, run->room);
    for (int i = 0; i <= def->intervals; ++i)
        run->frames[i] = rvQuatIdentity();
    return true;
}

void rv_space_run_release(rvSpaceRun* run, rvMemory* memory)
{
    rv_space_contacts_release(&run->contacts, memory);
    rv_separable_release(&run->matrix, memory);
    rv_memory_give(memory, run->room, run->room ? run->roomSize : 0);
    rv_memory_give(memory, run->holds, run->holds ? (size_t)run->holdCount * sizeof(rvSpaceHold) : 0);
    rv_space_release(&run->space, memory);
    *run = (rvSpaceRun){0};
}

// ---- rows -----------------------------------------------------------------------------------------------------------

static int loose_count(unsigned loose)
{
    return (int)(loose & 1u) + (int)(loose >> 1 & 1u) + (int)(loose >> 2 & 1u);
}

int rv_space_hold_rows(const rvSpaceHold* hold)
{
    if (hold->off)
        return 0;
    return 3 - loose_count(hold->loose) + (hold->grip == RV_GRIP_FRAME ? 3 : hold->grip == RV_GRIP_AIM ? 2 : 0);
}

rvVec3 rv_space_hold_axis(const rvSpaceHold* hold, int r, bool* turning)
{
    *turning = false;
    for (int c = 0; c < 3; ++c)
        if (!(hold->loose >> c & 1u) && r-- == 0)
            return rvVec(c == 0, c == 1, c == 2);
    *turning = true;
    rvVec3 n = rvVec(r == 0, r == 1, r == 2);
    return hold->grip == RV_GRIP_AIM ? rvRotate(hold->frame, n) : n;
}

const rvSpaceHold* rv_space_hold_of(const rvSpaceRun* run, int row)
{
    int k = 0;
    while (row >= run->holds[k].row + rv_space_hold_rows(&run->holds[k]))
        k += 1;
    return &run->holds[k];
}

static rvVec3 tangent(rvQuat frame)
{
    return rvRotate(frame, rvVec(0, 0, 1));
}

static void write_row(const rvSpaceRun* run, const rvSpaceHold* hold, int r, double* row)
{
    bool turning;
    rvVec3 n = rv_space_hold_axis(hold, r, &turning);
    memset(row, 0, (size_t)run->space.count * sizeof(double));
    if (!turning) {
        rv_space_add_row(&run->space, hold->node, n, row);
        return;
    }
    if (hold->grip == RV_GRIP_AIM) {
        rvVec3 t0 = tangent(hold->frame), t = tangent(run->space.frames[hold->node]);
        n = rvSub(rvScale(rvDot(t0, t), n), rvScale(rvDot(n, t), t0));
    }
    row += rv_space_spin(hold->node);
    row[0] = n.x;
    row[1] = n.y;
    row[2] = n.z;
}

double rv_space_run_pair(const rvSpaceRun* run, int i, int j)
{
    int count = run->space.count;
    return dot(run->rows + i * count, run->solved + j * count, count);
}

void rv_space_run_condense(rvSpaceRun* run, bool step)
{
    int count = run->space.count, n = run->rowCount;
    for (int k = 0; k < run->holdCount; ++k)
        for (int r = 0; r < rv_space_hold_rows(&run->holds[k]); ++r)
            write_row(run, &run->holds[k], r, run->rows + (run->holds[k].row + r) * count);
    memcpy(run->solved, run->rows, (size_t)(n + run->moreCount) * (size_t)count * sizeof(double));
    rv_separable_solve_many(&run->matrix, step ? run->step : run->solved, n + run->moreCount + step);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j)
            run->block[i * n + j] = rv_space_run_pair(run, i, j);
    rv_cholesky_factor(run->block, n); // a row that the ones before it imply gets nothing
    for (int j = 0; j < run->moreCount; ++j) {
        double *x = run->mixed + j * n, *column = run->solved + (n + j) * count;
        for (int i = 0; i < n; ++i)
            x[i] = rv_space_run_pair(run, i, n + j);
        rv_cholesky_solve(run->block, n, x);
        for (int i = 0; i < n; ++i)
            for (int c = 0; c < count; ++c)
                column[c] -= run->solved[i * count + c] * x[i];
    }
}

double rv_space_run_error(const rvSpaceRun* run, int row)
{
    const rvSpaceHold* hold = rv_space_hold_of(run, row);
    bool turning;
    rvVec3 n = rv_space_hold_axis(hold, row - hold->row, &turning);
    rvQuat frame = run->frames1[hold->node];
    if (!turning)
        return rvDot(n, rvSub(run->space.nodes[hold->node], hold->place));
    if (hold->grip == RV_GRIP_AIM)
        return rvDot(n, rvCross(tangent(hold->frame), tangent(frame)));
    return rvDot(n, rvQuatToRotation(rvQuatMul(frame, rvQuatConj(hold->frame))));
}

static void add_hold_forces(rvSpaceRun* run, const double* force)
{
    for (int k = 0; k < run->holdCount; ++k) {
        const rvSpaceHold* hold = &run->holds[k];
        rvVec3 push = rvVec(0, 0, 0), moment = push;
        for (int r = 0; r < rv_space_hold_rows(hold); ++r) {
            bool turning;
            rvVec3 n = rv_space_hold_axis(hold, r, &turning);
            rvVec3* sum = turning ? &moment : &push;
            *sum = rvMulAdd(*sum, force[hold->row + r], n);
        }
        rv_space_add_force(&run->space, hold->node, push);
        if (hold->grip == RV_GRIP_AIM) { // as its rows are
            rvVec3 t0 = tangent(hold->frame), t = tangent(run->space.frames[hold->node]);
            moment = rvSub(rvScale(rvDot(t0, t), moment), rvScale(rvDot(moment, t), t0));
        }
        rv_space_add_moment(&run->space, hold->node, moment);
    }
}

void rv_space_run_meet(rvSpaceRun* run, const double* right)
{
    int count = run->space.count;
    double b[RV_SPACE_MOST_ROWS];
    for (int i = 0; i < run->rowCount; ++i)
        b[i] = right[i] - dot(run->rows + i * count, run->step, count);
    rv_cholesky_solve(run->block, run->rowCount, b);
    for (int i = 0; i < run->rowCount; ++i) {
        run->force1[i] += b[i];
        for (int c = 0; c < count; ++c)
            run->step[c] += run->solved[i * count + c] * b[i];
    }
}

// ---- shape and loads ------------------------------------------------------------------------------------------------

void rv_space_run_place(rvSpaceRun* run)
{
    rv_space_place(&run->space, run->start1, run->frames1, run->stretch1);
}

void rv_space_run_reset(rvSpaceRun* run)
{
    run->moreCount = 0;
    run->start1 = rv_space_vec(run->start);
    memcpy(run->frames1, run->frames, (size_t)(run->space.intervals + 1) * sizeof(rvQuat));
    if (run->stretch)
        memcpy(run->stretch1, run->stretch, (size_t)(run->space.intervals + 1) * sizeof(double));
    memset(run->theta, 0, (size_t)run->space.count * sizeof(double));
    rv_space_run_place(run);
}

void rv_space_run_move(rvSpaceRun* run, const double* d)
{
    run->start1 = rvAdd(run->start1, rv_space_vec(d));
    for (int c = 0; c < 3; ++c)
        run->theta[c] += d[c];
    for (int i = 0; i <= run->space.intervals; ++i) {
        int w = rv_space_spin(i);
        rvQuat turn = rvQuatFromRotation(rv_space_vec(d + w));
        run->frames1[i] = rvQuatMul(turn, run->frames1[i]);
        rvVec3 theta = rvQuatToRotation(rvQuatMul(turn, rvQuatFromRotation(rv_space_vec(run->theta + w))));
        run->theta[w] = theta.x;
        run->theta[w + 1] = theta.y;
        run->theta[w + 2] = theta.z;
    }
    for (int i = 0; i <= run->space.intervals && run->stretch; ++i) {
        int e = rv_space_stretch(&run->space, i);
        run->stretch1[i] += d[e];
        run->theta[e] += d[e];
    }
    rv_space_run_place(run);
}

void rv_space_run_go(rvSpaceRun* run, double* d, double gone)
{
    rvSpaceContacts* contacts = &run->contacts;
    double share = 1.0, led = contacts->led, left = 1.0 - led;
    rv_space_run_move(run, d);
    rv_space_contacts_lead(contacts, 1.0);
    int found = rv_space_contacts_sweep(contacts, &run->space);
    if (found > 0 && left > 0.0 && gone < 1.0) {
        rv_space_contacts_lead(contacts, led + gone * left);
        found = rv_space_contacts_sweep(contacts, &run->space);
    }
    for (int half = 1; half <= MOST_HALVES && found > 0; ++half) {
        double next = half < MOST_HALVES ? 0.5 * share : 0.0, factor = half == 1 ? -0.5 : next > 0.0 ? 0.5 : 1.0;
        for (int i = 0; i < run->space.count; ++i)
            d[i] *= factor; // what it goes back: exp(-d/2) exp(d) = exp(d/2)
        rv_space_run_move(run, d);
        share = next;
        rv_space_contacts_lead(contacts, led + share * gone * left);
        found = half < MOST_HALVES ? rv_space_contacts_sweep(contacts, &run->space) : 0;
    }
    run->stopped = share < 1.0 || contacts->led < 1.0;
}

void rv_space_run_keep(rvSpaceRun* run)
{
    const double start[3] = {run->start1.x, run->start1.y, run->start1.z};
    memcpy(run->start, start, sizeof start);
    for (int i = 0; i <= run->space.intervals; ++i)
        run->frames[i] = rvQuatNormalize(run->frames1[i]);
    if (run->stretch)
        memcpy(run->stretch, run->stretch1, (size_t)(run->space.intervals + 1) * sizeof(double));
}

void rv_space_run_load(rvSpaceRun* run, const double* v, const double* force)
{
    rv_space_clear_loads(&run->space);
    rv_space_add_gravity(&run->space, run->gravity);
    rv_space_add_stresses(&run->space, v);
    add_hold_forces(run, force);
    for (int i = 0; i < run->loadCount; ++i) {
        rv_space_add_force(&run->space, run->loads[i].node, run->loads[i].force);
        rv_space_add_moment(&run->space, run->loads[i].node, run->loads[i].moment);
    }
}

void rv_space_run_add_inertia(rvSpaceRun* run, const double* v, const double* a)
{
    for (int i = 0; i < run->space.count; ++i)
        run->slowed[i] = a[i] + run->drag * v[i];
    rv_space_add_inertia(&run->space, v, run->slowed);
}

void rv_space_run_tensions(rvSpaceRun* run)
{
    for (int i = 0; i < run->space.intervals; ++i)
        run->tension[i] = rv_space_tension(&run->space, i);
}

// ---- energies -------------------------------------------------------------------------------------------------------

static rvSpace* placed(rvSpaceRun* run)
{
    rv_space_place(&run->space, rv_space_vec(run->start), run->frames, run->stretch);
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
