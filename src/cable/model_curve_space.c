// SPDX-License-Identifier: MIT
// A curve in space in the world, in the order of a step: predict, rows, forces, rates of what holds.
#include "base/hash.h"
#include "cable/curve_cable.h"
#include "cable/curve_shared.h"
#include "cable/curve_space.h"
#include "math/cholesky.h"

#include <string.h>

#define LARGEST_GAP 1e-6 // of the length: what a pass may leave at a grip, beyond it there is another
#define SOFTENING 1e-3   // of touches, as a share of how the curve gives way there
#define NOTICED 1e-3     // of the length
#define JUMP 0.5         // of a force, within a step
#define LARGEST_TURN 0.5 // of a node in a pass [rad]
enum { LEAST_PASSES = 3, MOST_TRIALS = 2, MOST_PASSES = 12 };

#define dot rv_space_dot

static int rows_of(const rvGrip* grip)
{
    return grip->clamped ? 6 : 3;
}

static double* gradient(const rvSpaceCurve* curve, int row)
{
    return curve->gradients + row * curve->run.space.count;
}

static double* column(const rvSpaceCurve* curve, int row)
{
    return curve->columns + row * curve->run.space.count;
}

static rvVec3 axis(int r)
{
    return rvVec(r % 3 == 0, r % 3 == 1, r % 3 == 2);
}

static double component(rvVec3 v, int r)
{
    return r % 3 == 0 ? v.x : r % 3 == 1 ? v.y : v.z;
}

static rvSpaceSpot node_spot(const rvSpace* space, int node)
{
    return node < space->intervals ? rv_space_spot_in(space, node, 0.0) : rv_space_spot_in(space, node - 1, 1.0);
}

// ---- predict --------------------------------------------------------------------------------------------------------

static void begin(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    (void)bodies;
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    curve->run.gravity = context->gravity;
    curve->passes = 0;
    curve->again = false;
    curve->failure = NULL;
    rv_space_run_predict(&curve->run, context->h, curve->fresh != 0.0);
}

static void add_loads(rvCable* cable, rvBodyStore* bodies, const rvStepContext* context)
{
    (void)context;
    const rvSpaceCurve* curve = rv_space_curve_of(cable);
    rv_curve_add_loads(curve->grips, curve->states, curve->gripCount, curve->pushes, bodies);
}

static void add_stiffness(rvCable* cable, rvBodyStore* bodies)
{
    const rvSpaceCurve* curve = rv_space_curve_of(cable);
    rv_curve_add_stiffness(curve->grips, curve->states, curve->gripCount, bodies);
}

// ---- rows -----------------------------------------------------------------------------------------------------------

static void list_rows(rvSpaceCurve* curve)
{
    int n = 0;
    for (int k = 0; k < curve->gripCount; ++k) {
        rvSpaceSpot spot = node_spot(&curve->run.space, curve->grips[k].node);
        curve->grips[k].row = n;
        for (int r = 0; r < rows_of(&curve->grips[k]); ++r)
            curve->rows[n++] = (rvSpaceRow){.spot = spot, .turns = r >= 3, .along = axis(r)};
    }
    for (int k = 0; k < curve->touchCount; ++k) {
        rvSpaceContact* touch = &curve->touches[k];
        rvSpaceRow row = {.spot = touch->at.spot, .other = touch->at.other, .both = touch->at.obstacle < 0};
        touch->row = n;
        row.along = rvNeg(touch->at.out);
        curve->rows[n++] = row;
        for (int way = 0; way < 2 && touch->friction > 0.0; ++way) {
            row.along = touch->across[way];
            curve->rows[n++] = row;
        }
    }
    curve->rowCount = n;
}

static int node_of(const rvSpaceRow* row)
{
    return row->spot.interval + (row->spot.xi > 0.5);
}

static void write_gradient(const rvSpace* space, const rvSpaceRow* row, double* g)
{
    memset(g, 0, (size_t)space->count * sizeof(double));
    if (row->turns) {
        double* spin = g + rv_space_spin(node_of(row));
        spin[0] = row->along.x;
        spin[1] = row->along.y;
        spin[2] = row->along.z;
        return;
    }
    rv_space_add_spot_row(space, &row->spot, row->along, g);
    if (row->both)
        rv_space_add_spot_row(space, &row->other, rvNeg(row->along), g);
}

// Where a grip's row is: along its axis, or turned away from the clamp's frame as it is expected.
static double value_of(const rvSpaceCurve* curve, int k, int r)
{
    const rvGrip* grip = &curve->grips[k];
    if (r < 3)
        return component(curve->run.space.nodes[grip->node], r);
    rvQuat off = rvQuatMul(curve->run.frames1[grip->node], rvQuatConj(curve->run.holds[k].frame));
    return component(rvQuatToRotation(off), r);
}

// Gradients, columns, the block, and where the grips' rows would be without forces.
static void condense(rvCable* cable)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    const rvSpace* space = &curve->run.space;
    int n = curve->rowCount, count = space->count;
    double cM = curve->run.cM;
    for (int r = 0; r < n; ++r) {
        write_gradient(space, &curve->rows[r], gradient(curve, r));
        memcpy(column(curve, r), gradient(curve, r), (size_t)count * sizeof(double));
        rv_separable_solve(&curve->run.matrix, column(curve, r));
        for (int k = 0; k <= r; ++k)
            cable->block[k * n + r] = cable->block[r * n + k] = cM * dot(gradient(curve, k), column(curve, r), count);
        curve->values[r] = dot(gradient(curve, r), curve->run.step, count);
        double size = curve->rows[r].turns ? 12.0 / (space->length * space->length) : 1.0;
        cable->block[r * n + r] += curve->regular * size;
        if (r >= curve->gripRows) // around a peg more points touch than the curve can tell apart
            cable->block[r * n + r] *= 1.0 + SOFTENING;
    }
    for (int k = 0; k < curve->gripCount; ++k)
        for (int r = 0; r < rows_of(&curve->grips[k]); ++r)
            curve->values[curve->grips[k].row + r] += value_of(curve, k, r);
}

static int list_slots(rvCable* cable)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    int count = cable->route.bodyCount;
    memcpy(curve->slots, cable->slots, (size_t)count * sizeof(int));
    for (int k = 0; k < curve->touchCount; ++k) {
        int body = curve->touches[k].body;
        curve->touches[k].slot = body >= 0 ? rv_curve_slot(curve->slots, &count, body) : -1;
    }
    return count;
}

// What the body gets of the past forces of a grip, as impulses along its rows.
static void find_known(const rvGrip* grip, const rvGripState* state, double h, double known[6])
{
    static const double weight[3] = {12.0 / 27.0, 6.0 / 27.0, 1.0 / 27.0};
    memset(known, 0, 6 * sizeof known[0]);
    for (int i = 0; i < 3; ++i) {
        const double* p = state->past[i];
        rvVec3 force = rvVec(p[0], p[1], p[2]), moment = rvSub(rvVec(p[3], p[4], p[5]), rvCross(grip->arm, force));
        for (int r = 0; r < 6; ++r)
            known[r] -= h * weight[i] * component(r < 3 ? force : moment, r);
    }
}

// Where a grip is expected after the step; the clamp's frame there is that of its hold.
static rvVec3 expect(rvSpaceCurve* curve, int k, const rvBodyStore* bodies, double h)
{
    rvGrip* grip = &curve->grips[k];
    rvQuat q = rvQuatIdentity();
    rvVec3 from = grip->local;
    if (grip->body >= 0) {
        rv_grip_expect(grip, &curve->states[k], bodies, h);
        const rvBodyState* s = &bodies->items[grip->body].state;
        from = rvAdd(s->x, grip->arm);
        q = rvQuatMul(rvQuatFromRotation(rvScale(h, grip->expected)), s->q);
    } else {
        grip->arm = grip->spin = grip->expected = rvVec(0, 0, 0);
    }
    curve->run.holds[k].frame = rvQuatMul(q, curve->pasts[k].frame);
    return from;
}

static void write_grip(const rvCable* cable, int k, rvVec3 from, double h, rvRows* rows)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    const rvGrip* grip = &curve->grips[k];
    int slot = cable->route.places[grip->place].slot;
    if (slot >= 0)
        from = rvSub(from, rvScale(h, rvCross(grip->expected, grip->arm)));
    double known[6];
    find_known(grip, &curve->states[k], slot >= 0 ? h : 0.0, known);
    memcpy(curve->known + grip->row, known, (size_t)rows_of(grip) * sizeof(double));
    for (int r = 0; r < rows_of(grip); ++r) {
        int i = grip->row + r;
        rvRow* row = &rv_group_rows(rows, cable->group)[i];
        rvVec3 e = axis(r);
        if (r < 3) {
            row->bias = (curve->values[i] - component(from, r)) / h;
            rv_curve_write_row(rows, cable->group, slot, i, e, rvCross(grip->arm, e));
        } else {
            row->bias = curve->values[i] / h + (slot >= 0 ? component(grip->expected, r) : 0.0);
            rv_curve_write_row(rows, cable->group, slot, i, rvVec(0, 0, 0), e);
        }
    }
}

static void write_touch(rvCable* cable, const rvSpaceContact* touch, double h, rvRows* rows)
{
    const rvSpaceCurve* curve = rv_space_curve_of(cable);
    const rvSpaceContacts* contacts = &curve->run.contacts;
    int n = curve->rowCount, i = touch->row;
    rvRow* row = &rv_group_rows(rows, cable->group)[i];
    rvVec3 e = curve->rows[i].along;
    double gap = touch->at.gap, speed = rvDot(touch->at.out, touch->velocity);
    if (!curve->rigid) { // eps (k gap + b rate) takes the place of the gap; the rate is that of where it is
        double rate = -dot(gradient(curve, i), curve->run.v1, curve->run.space.count) - speed;
        double damping = gap < 0.0 ? contacts->damping : 0.0; // a damper does not act from afar
        double eps = 1.0 / fmax(contacts->spring + damping * curve->run.cV, 1e-100);
        gap = eps * (contacts->spring * gap + damping * rate);
        cable->block[i * n + i] += curve->run.cM * eps;
    }
    rv_curve_write_row(rows, cable->group, touch->slot, i, e, rvCross(touch->arm, e));
    row->lower = 0.0;
    row->upper = HUGE_VAL;
    row->bias = (curve->values[i] - gap) / h - speed;
    row->mode = row->bias > 0.0 ? RV_ROW_FREE : RV_ROW_LOWER;
    for (int way = 0; way < 2 && touch->friction > 0.0; ++way) {
        i += 1;
        row += 1;
        e = curve->rows[i].along;
        rv_curve_write_row(rows, cable->group, touch->slot, i, e, rvCross(touch->arm, e));
        row->lower = row->upper = 0.0;
        row->bias = (curve->values[i] + rvDot(e, touch->moved)) / h;
        row->leanFirst = (int16_t)touch->row;
        row->leanCount = 1;
        row->leanLower = -touch->friction;
        row->leanUpper = touch->friction;
    }
}

static void write_rows(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows, int owner)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    rvVec3 from[RV_SPACE_MOST_ROWS];
    cable->group = -1;
    curve->passes += 1;
    rv_space_curve_find_touches(cable);
    if (!rv_space_run_linearise(&curve->run, curve->pushed, rv_space_curve_pushes(curve))) {
        curve->failure = "no such step: it may be too short for the bodies that hold it";
        return;
    }
    list_rows(curve);
    int n = curve->rowCount;
    if (n == 0 || cable->state.broken != 0.0)
        return;
    for (int k = 0; k < curve->gripCount; ++k)
        from[k] = expect(curve, k, bodies, context->h);
    condense(cable);
    cable->group = rv_rows_add(rows, RV_GROUP_CABLE, owner, n, curve->slots, list_slots(cable));
    for (int k = 0; k < curve->gripCount; ++k)
        write_grip(cable, k, from[k], context->h, rows);
    for (int k = 0; k < curve->touchCount; ++k)
        write_touch(cable, &curve->touches[k], context->h, rows);
    if (curve->run.euler)
        rv_curve_take_off(cable, rows, n, curve->gripRows, curve->known);
    for (int i = 0; i < n; ++i)
        rv_group_rows(rows, cable->group)[i].compliance = cable->block[i * n + i];
    rows->groups[cable->group].block = cable->block;
}

// ---- forces ---------------------------------------------------------------------------------------------------------

static rvVec3 force_of(const rvSpaceContact* touch)
{
    rvVec3 force = rvScale(touch->force[0], touch->at.out);
    for (int way = 0; way < 2; ++way)
        force = rvMulAdd(force, touch->force[1 + way], touch->across[way]);
    return force;
}

// Forces of a pass as loads: their stiffness is in the matrix of the next.
static void keep_forces(rvSpaceCurve* curve)
{
    int n = 0;
    for (int k = 0; k < curve->gripCount; ++k) {
        const rvGrip* grip = &curve->grips[k];
        const double* f = curve->held + grip->row;
        rvVec3 moment = grip->clamped ? rv_space_vec(f + 3) : rvVec(0, 0, 0);
        curve->forces[n++] = (rvSpaceForce){grip->node, rv_space_vec(f), moment};
    }
    for (int k = 0; k < curve->touchCount; ++k) {
        const rvSpaceContact* touch = &curve->touches[k];
        if (touch->force[0] == 0.0)
            continue;
        rvVec3 force = force_of(touch), none = rvVec(0, 0, 0);
        curve->forces[n++] = (rvSpaceForce){touch->at.spot.interval + touch->at.spot.xi, force, none};
        if (touch->at.obstacle < 0)
            curve->forces[n++] = (rvSpaceForce){touch->at.other.interval + touch->at.other.xi, rvNeg(force), none};
    }
    curve->forceCount = n;
}

static double read_grips(rvSpaceCurve* curve)
{
    double most = 0.0;
    for (int k = 0; k < curve->gripCount; ++k) {
        rvGrip* grip = &curve->grips[k];
        const double* f = curve->held + grip->row;
        rvVec3 force = rv_space_vec(f), moment = rvCross(grip->arm, force);
        if (grip->clamped)
            moment = rvAdd(moment, rv_space_vec(f + 3));
        const double all[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
        memcpy(grip->force, all, sizeof all);
        most = fmax(most, rvLength(force));
    }
    return most;
}

static void read_touches(rvSpaceCurve* curve, const rvRow* row)
{
    curve->pressing = 0;
    for (int k = 0; k < curve->touchCount; ++k) {
        rvSpaceContact* touch = &curve->touches[k];
        bool rubs = touch->friction > 0.0;
        touch->force[0] = -curve->held[touch->row]; // its row points inwards
        touch->holds[0] = row && row[touch->row].impulse > 0.0;
        for (int way = 1; way <= 2; ++way) {
            touch->force[way] = rubs ? curve->held[touch->row + way] : 0.0;
            touch->holds[way] = touch->holds[0] && rubs && row[touch->row + way].mode == RV_ROW_FREE;
        }
        curve->pressing += touch->holds[0];
    }
}

// Is it another force: different by more than half, and by more than moves the curve noticeably in a step?
static bool is_other(rvVec3 now, rvVec3 then, double noticed)
{
    double change = rvDistance(now, then);
    return change > noticed && change > JUMP * fmax(rvLength(now), rvLength(then));
}

// Did the forces of this pass, which are not kept yet, jump: from those that the matrix was made with, or at a body from
// those of the last step?
static void find_jumps(const rvCable* cable, double gravity, bool* misjudged, bool* jumped)
{
    const rvSpaceCurve* curve = rv_space_curve_of(cable);
    double length = curve->run.space.length, h = curve->run.h;
    double noticed = cable->layer.mass * length * fmax(gravity, NOTICED * length / (h * h));
    *misjudged = *jumped = false;
    for (int k = 0; k < curve->gripCount; ++k) {
        rvVec3 now = rv_space_vec(curve->grips[k].force), then = rv_space_vec(curve->states[k].past[0]);
        *misjudged = *misjudged || is_other(now, curve->forces[k].force, noticed);
        *jumped = *jumped || (curve->grips[k].pushed && is_other(now, then, noticed));
    }
}

// Moves on by the step, or by less where it turns too far; answers by how much grips are off where the pass wants them, as a
// whole number of lengths where it went less far.
static double move_on(rvSpaceCurve* curve)
{
    rvSpaceRun* run = &curve->run;
    int count = run->space.count;
    double said[RV_SPACE_MOST_ROWS], gap = 0.0, turn = 0.0;
    for (int i = 3; i < count; ++i)
        turn = fmax(turn, fabs(run->step[i]));
    for (int i = 0; turn > LARGEST_TURN && i < count; ++i)
        run->step[i] *= LARGEST_TURN / turn;
    for (int k = 0; k < curve->gripCount; ++k)
        for (int r = 0; r < 3; ++r)
            said[3 * k + r] = value_of(curve, k, r) + dot(gradient(curve, curve->grips[k].row + r), run->step, count);
    rv_space_run_move(run, run->step);
    for (int k = 0; k < curve->gripCount; ++k)
        for (int r = 0; r < 3; ++r)
            gap = fmax(gap, fabs(value_of(curve, k, r) - said[3 * k + r]));
    return turn > LARGEST_TURN ? run->space.length : gap;
}

static void read_rows(rvCable* cable, const rvStepContext* context, const rvRows* rows)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    rvSpaceRun* run = &curve->run;
    int count = run->space.count, n = curve->rowCount;
    const rvRow* row = cable->group >= 0 ? rv_group_rows(rows, cable->group) : NULL;
    for (int r = 0; r < n; ++r) {
        double known = run->euler && r < curve->gripRows ? curve->known[r] : 0.0;
        curve->held[r] = row ? -run->cM * context->h * (row[r].impulse + known) : 0.0;
        for (int i = 0; curve->held[r] != 0.0 && i < count; ++i)
            run->step[i] += curve->held[r] * column(curve, r)[i];
    }
    if (curve->failure)
        return;
    cable->peakTension = read_grips(curve);
    read_touches(curve, row);
    bool misjudged, jumped;
    find_jumps(cable, rvLength(context->gravity), &misjudged, &jumped);
    keep_forces(curve);
    bool euler = run->euler || jumped;
    if (row && (euler != run->euler || (misjudged && curve->passes <= MOST_TRIALS))) {
        rv_space_run_predict(run, context->h, euler); // once more from the start of the step, with these forces
        curve->again = true;
        return;
    }
    double gap = move_on(curve);
    bool through = rv_space_contacts_sweep(&run->contacts, &run->space) > 0;
    curve->again = curve->passes < LEAST_PASSES ||
                   (curve->passes < MOST_PASSES && (through || (row && gap > LARGEST_GAP * run->space.length)));
}

static bool changed(const rvCable* cable)
{
    return rv_space_curve_of(cable)->again;
}

// ---- rates of what holds --------------------------------------------------------------------------------------------

// How fast grip k's body takes its rows along now.
static void find_rates(const rvSpaceCurve* curve, int k, const rvBodyStore* bodies, double rate[6])
{
    const rvGrip* grip = &curve->grips[k];
    memset(rate, 0, 6 * sizeof rate[0]);
    if (grip->body < 0 || !rv_body_moves(&bodies->items[grip->body]))
        return;
    const rvBodyState* s = &bodies->items[grip->body].state;
    rvVec3 v = rvAdd(s->v, rvCross(s->w, grip->arm));
    for (int r = 0; r < 6; ++r)
        rate[r] = component(r < 3 ? v : s->w, r);
}

static rvVec3 drift_at(const rvSpaceCurve* curve, const rvSpaceSpot* spot)
{
    rvVec3 a = curve->drift[spot->interval], b = curve->drift[spot->interval + 1];
    return rvAdd(a, rvScale(spot->xi, rvSub(b, a)));
}

// What row r of a held thing shall have: 0 its rate, 1 and 2 its acceleration, less what it has.
static double miss_of(const rvSpaceCurve* curve, int r, int which, double target)
{
    const double* vectors[3] = {curve->run.v1, curve->run.a1, curve->run.at1};
    const rvSpaceRow* row = &curve->rows[r];
    double have = dot(gradient(curve, r), vectors[which], curve->run.space.count);
    if (which > 0 && !row->turns) {
        rvVec3 drift = drift_at(curve, &row->spot);
        if (row->both)
            drift = rvSub(drift, drift_at(curve, &row->other));
        have += rvDot(row->along, drift);
    }
    return target - have;
}

// Rows that hold, with their targets of rate and acceleration. Of grips at bodies that are pushed the rates stay as they are.
static int list_held(rvCable* cable, const rvBodyStore* bodies, double h)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    int m = 0;
    for (int k = 0; k < curve->gripCount; ++k) {
        double rate[6];
        find_rates(curve, k, bodies, rate);
        for (int r = 0; r < rows_of(&curve->grips[k]); ++r) {
            const double* past0 = curve->pasts[k].rate[0];
            double change = rv_curve_least(rate[r] - past0[r], past0[r] - curve->pasts[k].rate[1][r]);
            curve->targets[m][0] = rate[r] + 0.5 * change;
            curve->targets[m][1] = change / h;
            curve->stays[m] = curve->grips[k].pushed;
            curve->list[m++] = curve->grips[k].row + r;
        }
    }
    for (int k = 0; curve->rigid && k < curve->touchCount; ++k) {
        const rvSpaceContact* touch = &curve->touches[k];
        rvVec3 speed = rvVec(0, 0, 0);
        if (touch->body >= 0) {
            const rvBodyState* s = &bodies->items[touch->body].state;
            speed = rvAdd(s->v, rvCross(s->w, touch->arm));
        }
        for (int part = 0; part < 3; ++part) {
            if (!touch->holds[part])
                continue;
            curve->targets[m][0] = rvDot(curve->rows[touch->row + part].along, speed);
            curve->targets[m][1] = 0.0;
            curve->stays[m] = false;
            curve->list[m++] = touch->row + part;
        }
    }
    return m;
}

static void set_rates(rvCable* cable, const rvBodyStore* bodies, double h)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    double* vectors[3] = {curve->run.v1, curve->run.a1, curve->run.at1};
    int n = curve->rowCount, count = curve->run.space.count, m = list_held(cable, bodies, h);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j <= i; ++j)
            curve->block[i * m + j] = cable->block[curve->list[i] * n + curve->list[j]];
    rv_cholesky_factor(curve->block, m);
    for (int which = 0; which < 3; ++which) {
        if (which == 1)
            rv_space_node_drift(&curve->run.space, curve->run.v1, curve->drift);
        for (int i = 0; i < m; ++i)
            curve->held[i] =
                curve->stays[i] ? 0.0 : miss_of(curve, curve->list[i], which, curve->targets[i][which > 0]);
        rv_cholesky_solve(curve->block, m, curve->held);
        for (int i = 0; i < m; ++i)
            for (int c = 0; c < count; ++c)
                vectors[which][c] += curve->run.cM * curve->held[i] * column(curve, curve->list[i])[c];
    }
}

// ---- end of the step ------------------------------------------------------------------------------------------------

static void keep_grips(const rvCable* cable, const rvBodyStore* bodies)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    for (int k = 0; k < curve->gripCount; ++k) {
        rv_curve_keep_grip(&curve->grips[k], &curve->states[k], cable->group >= 0, curve->run.euler);
        memcpy(curve->pasts[k].rate[1], curve->pasts[k].rate[0], sizeof curve->pasts[k].rate[0]);
        find_rates(curve, k, bodies, curve->pasts[k].rate[0]);
    }
    rv_pushes_shift(curve->pushes);
    for (int k = 0; k < curve->touchCount; ++k) {
        const rvSpaceContact* touch = &curve->touches[k];
        rvVec3 force = force_of(touch);
        if (touch->body >= 0)
            rv_pushes_add(curve->pushes, touch->body, force, rvCross(touch->arm, force));
    }
}

// Grips must stay within reach.
static const char* find_failure(const rvSpaceCurve* curve, const rvBodyStore* bodies)
{
    for (int k = 0; k < curve->gripCount; ++k) {
        const rvGrip* grip = &curve->grips[k];
        rvVec3 at = grip->local;
        if (grip->body >= 0)
            at = rvAdd(bodies->items[grip->body].state.x, rvRotate(bodies->items[grip->body].state.q, grip->local));
        if (rvDistance(at, curve->run.space.nodes[grip->node]) > RV_CURVE_REACH * curve->run.space.length)
            return "it is too short for the bodies that hold it";
    }
    return curve->run.contacts.passageCount > 0 ? "it would go through itself: it is too fast for so long a step"
                                                : NULL;
}

static void advance(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    if (curve->failure)
        return;
    rv_space_run_rates(&curve->run);
    if (cable->group >= 0)
        set_rates(cable, bodies, context->h);
    rv_space_curve_move_pegs(curve, bodies, context->h);
    if (!rv_space_run_finish(&curve->run))
        curve->failure = "its shape is not finite";
    else if (cable->state.broken == 0.0)
        curve->failure = find_failure(curve, bodies);
    rv_space_contacts_remember(&curve->run.contacts, &curve->run.space);
    keep_grips(cable, bodies);
    curve->fresh = 0.0;
    rv_space_curve_publish(cable);
    if (cable->loose) // its free end went on
        rv_route_update(&cable->route, bodies);
    cable->loosePull = cable->state.restLength * cable->layer.mass * rvLength(context->gravity);
    for (int i = 0; i < curve->run.space.intervals; ++i)
        cable->peakTension = fmax(cable->peakTension, curve->run.tension[i]);
}

static const char* failure(const rvCable* cable)
{
    return rv_space_curve_of(cable)->failure;
}

static int touching(const rvCable* cable)
{
    return rv_space_curve_of(cable)->pressing;
}

// ---- read-out -------------------------------------------------------------------------------------------------------

static double elastic_energy(const rvCable* cable, double h)
{
    (void)h;
    return rv_space_run_elastic(&rv_space_curve_of(cable)->run);
}

static void energies(const rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h, double* kinetic,
                     double* potential)
{
    (void)bodies;
    (void)h;
    rvSpaceRun* run = &rv_space_curve_of(cable)->run;
    *kinetic += rv_space_run_kinetic(run);
    *potential += rv_space_height_energy(&run->space, gravity);
}

static double tension(const rvCable* cable, int span, int end)
{
    if (end < 0)
        return cable->route.places[span].state.tension;
    const rvSpaceRun* run = &rv_space_curve_of(cable)->run;
    rvSpaceSpot spot = rv_space_spot(&run->space, rv_cable_rest_before(cable, span + end));
    // an inner place lies between two intervals: the one within the span
    bool before = end == 1 && spot.xi < 0.5 && spot.interval > 0;
    return run->tension[spot.interval - before];
}

enum { PER_INTERVAL = 4 }; // points to draw it by

static int shape(const rvCable* cable, const rvShapeStore* shapes, rvVec3* points, int capacity)
{
    (void)shapes;
    rvSpaceRun* run = &rv_space_curve_of(cable)->run;
    const rvSpace* space = &run->space;
    int count = PER_INTERVAL * space->intervals + 1;
    rv_space_place(&run->space, rv_space_vec(run->start), run->frames);
    for (int i = 0; i < count && i < capacity; ++i) {
        int interval = i / PER_INTERVAL < space->intervals ? i / PER_INTERVAL : space->intervals - 1;
        rvSpaceSpot spot = rv_space_spot_in(space, interval, (double)(i - interval * PER_INTERVAL) / PER_INTERVAL);
        points[i] = rv_space_point(space, &spot);
    }
    return count;
}

static int sections(const rvCable* cable, rvCableSection* all, int capacity)
{
    rvSpaceRun* run = &rv_space_curve_of(cable)->run;
    int count = PER_INTERVAL * run->space.intervals + 1;
    rv_space_place(&run->space, rv_space_vec(run->start), run->frames);
    for (int i = 0; i < count && i < capacity; ++i) {
        int k = i / PER_INTERVAL < run->space.intervals ? i / PER_INTERVAL : run->space.intervals - 1;
        const rvSpacePart* part = &run->space.parts[k];
        rvVec3 bent = rv_space_curvature(&run->space, k), over = rvSub(bent, part->natural);
        all[i] = (rvCableSection){
            .tension = run->tension[k],
            .curvature = hypot(bent.x, bent.y),
            .moment = hypot(part->rigidity.x * over.x, part->rigidity.y * over.y),
        };
    }
    return count;
}

static void point(const rvCable* cable, const rvBodyStore* bodies, double h, int span, double share, rvVec3* at,
                  rvVec3* speed)
{
    (void)bodies;
    (void)h;
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    double rest = cable->route.places[span].state.rest;
    rvSpaceSpot spot = rv_space_spot(&curve->run.space, rv_cable_rest_before(cable, span) + share * rest);
    *at = rv_space_point(&curve->run.space, &spot);
    rv_space_node_rates(&curve->run.space, curve->run.v, curve->drift);
    *speed = drift_at(curve, &spot);
}

static bool rest_of(const rvCable* cable, rvCableRest* rest)
{
    const rvSpaceCurve* curve = rv_space_curve_of(cable);
    *rest = (rvCableRest){curve->rest.found, curve->rest.stability != RV_REST_UNSTABLE, curve->rest.force};
    return curve->asked;
}

static void capacity(const rvCable* cable, int* rows, int* slots)
{
    const rvSpaceCurve* curve = rv_space_curve_of(cable);
    *rows = curve->rowCapacity;
    *slots = cable->route.bodyCount + curve->touchCapacity;
}

static uint64_t hash(const rvCable* cable, uint64_t sum)
{
    const rvSpaceCurve* curve = rv_space_curve_of(cable);
    sum = rv_hash_bytes(sum, curve->run.state, (size_t)curve->run.stateCount * sizeof(double));
    sum = rv_hash_bytes(sum, curve->states, (size_t)curve->gripCount * sizeof(rvGripState));
    return rv_hash_bytes(sum, curve->pushes, sizeof curve->pushes);
}

rvStatus rv_curve_choose(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory,
                         rvError* error)
{
    cable->inSpace = rv_space_curve_is_meant(cable, def, bodies);
    return cable->inSpace ? rv_space_curve_create(cable, def, bodies, memory, error)
                          : rv_curve_create(cable, def, bodies, memory, error);
}

const rvCableModelOps rv_model_curve_space = {
    .name = "curve",
    .hasMass = true,
    .attachesInner = true,
    .keepsPlaces = true,
    .create = rv_curve_choose,
    .checkReach = rv_curve_check_reach,
    .release = rv_space_curve_release,
    .hang = rv_space_curve_hang,
    .follow = rv_space_curve_follow,
    .point = point,
    .state = {rv_space_curve_state_size, rv_space_curve_write_state, rv_space_curve_read_state},
    .hash = hash,
    .capacity = capacity,
    .begin = begin,
    .writeRows = write_rows,
    .readRows = read_rows,
    .advance = advance,
    .collide = rv_space_curve_collide,
    .touching = touching,
    .failure = failure,
    .addLoads = add_loads,
    .addStiffness = add_stiffness,
    .changed = changed,
    .elasticEnergy = elastic_energy,
    .tension = tension,
    .shape = shape,
    .sections = sections,
    .rest = rest_of,
    .energy = energies,
};
