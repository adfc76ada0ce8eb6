// SPDX-License-Identifier: MIT
// A curve in the world, in the order of a step: predict, rows, forces, rates of what holds.
#include "cable/curve_cable.h"
#include "cable/curve_shared.h"
#include "cable/curve_space.h"

#include "base/hash.h"
#include "math/cholesky.h"

#include <string.h>

#define PI 3.14159265358979323846
#define LARGEST_GAP 1e-6  // of the length: what a pass may leave at a grip, beyond it there is another
#define OUT_OF_PLANE 0.01 // of the length: bodies that hold it may leave its plane by so much
#define SOFTENING 1e-3    // of touches, as a share of how the curve gives way there
#define NOTICED 1e-3      // of the length
#define JUMP 0.5          // of a force, within a step
#define LARGE_TURN 0.2    // of a node in a pass [rad]
#define LARGEST_TURN 0.3  // of a node in a round [rad]
#define SMALL_TURN 1e-6
#define GROWTH 10.0 // of a force from pass to pass: a rope that comes taut must find its force before the passes end
enum { LEAST_PASSES = 2, MOST_TRIALS = 2, MOST_ROUNDS = 20 };

static double dot(const double* a, const double* b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
}

static int rows_of(const rvGrip* grip)
{
    return grip->clamped ? 3 : 2;
}

static double* gradient(const rvCurve* curve, int row)
{
    return curve->gradients + row * curve->motion.plane.count;
}

static double* column(const rvCurve* curve, int row)
{
    return curve->columns + row * curve->motion.plane.count;
}

// ---- predict --------------------------------------------------------------------------------------------------------

static void begin(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    (void)bodies;
    rvCurve* curve = rv_curve_of(cable);
    curve->motion.gravity = rv_curve_flat(curve, context->gravity);
    curve->passes = 0;
    curve->again = false;
    curve->failure = NULL;
    curve->atRest = context->atRest;
    if (context->atRest)
        rv_curve_begin_rest(cable, context->h);
    else
        rv_plane_run_predict(&curve->run, context->h, curve->fresh != 0.0);
}

static void add_loads(rvCable* cable, rvBodyStore* bodies, const rvStepContext* context)
{
    const rvCurve* curve = rv_curve_of(cable);
    if (!context->atRest && cable->state.broken == 0.0)
        rv_curve_add_loads(curve->grips, curve->states, curve->gripCount, curve->pushes, bodies);
}

static void add_stiffness(rvCable* cable, rvBodyStore* bodies)
{
    const rvCurve* curve = rv_curve_of(cable);
    rv_curve_add_stiffness(curve->grips, curve->states, curve->gripCount, bodies);
}

// ---- rows -----------------------------------------------------------------------------------------------------------

static void list_rows(rvCurve* curve)
{
    int n = 0;
    for (int k = 0; k < curve->gripCount; ++k) {
        rvPlaneSpot spot = rv_plane_spot(&curve->motion.plane, curve->grips[k].at);
        curve->grips[k].row = n;
        for (int r = 0; r < rows_of(&curve->grips[k]); ++r)
            curve->rows[n++] = (rvCurveRow){.spot = spot, .turns = r == 2, .along = rv_vec2(r == 0, r == 1)};
    }
    for (int k = 0; k < curve->touchCount; ++k) {
        rvCurveTouch* touch = &curve->touches[k];
        rvCurveRow row = {.spot = touch->at.spot, .other = touch->at.other, .both = touch->at.both};
        touch->row = n;
        row.along = rv_vec2(-touch->at.out.x, -touch->at.out.y);
        curve->rows[n++] = row;
        row.along = rv_vec2(touch->at.out.y, -touch->at.out.x);
        if (touch->friction > 0.0)
            curve->rows[n++] = row;
    }
    curve->rowCount = n;
}

static void write_gradient(const rvPlane* plane, const rvCurveRow* row, double* g)
{
    memset(g, 0, (size_t)plane->count * sizeof(double));
    if (row->turns) {
        int a = rv_plane_angle(plane, row->spot.interval);
        g[a] = 1.0 - row->spot.xi;
        g[a + plane->fields] = row->spot.xi;
        return;
    }
    rv_plane_add_row(plane, &row->spot, row->along, g);
    if (row->both)
        rv_plane_add_row(plane, &row->other, rv_vec2(-row->along.x, -row->along.y), g);
}

static double value_of(const rvCurve* curve, const rvCurveRow* row)
{
    const rvPlane* plane = &curve->motion.plane;
    if (row->turns)
        return rv_plane_angle_at(plane, curve->run.p, &row->spot);
    return rv_vec2_dot(row->along, rv_plane_point(plane, &row->spot));
}

// Gradients, columns, the block, and where the grips' rows would be without forces.
static void condense(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    const rvPlane* plane = &curve->motion.plane;
    int n = curve->rowCount, count = plane->count;
    double cM = curve->run.cM;
    for (int r = 0; r < n; ++r) {
        write_gradient(plane, &curve->rows[r], gradient(curve, r));
        memcpy(column(curve, r), gradient(curve, r), (size_t)count * sizeof(double));
        rv_separable_solve(&curve->motion.matrix, column(curve, r));
        for (int k = 0; k <= r; ++k)
            cable->block[k * n + r] = cable->block[r * n + k] = cM * dot(gradient(curve, k), column(curve, r), count);
        curve->values[r] = dot(gradient(curve, r), curve->run.step, count);
        if (r < curve->gripRows)
            curve->values[r] += value_of(curve, &curve->rows[r]);
        double size = curve->rows[r].turns ? 12.0 / (plane->length * plane->length) : 1.0;
        cable->block[r * n + r] += curve->regular * size * (curve->atRest ? fmin(1.0, 1e-6 * cM) : 1.0);
        if (r >= curve->gripRows) // around a peg more points touch than the curve has angles
            cable->block[r * n + r] *= 1.0 + SOFTENING;
    }
}

static int list_slots(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    int count = cable->route.bodyCount;
    memcpy(curve->slots, cable->slots, (size_t)count * sizeof(int));
    for (int k = 0; k < curve->touchCount; ++k) {
        int body = curve->touches[k].body;
        curve->touches[k].slot = body >= 0 ? rv_curve_slot(curve->slots, &count, body) : -1;
    }
    return count;
}

// The angle that is nearest to `near` among those that differ by whole turns.
static double nearest_turn(double angle, double near)
{
    return near + remainder(angle - near, 6.28318530717958648);
}

// What the body gets of the past forces of grip k, as impulses along its rows.
static void find_known(const rvCurve* curve, const rvGrip* grip, const rvGripState* state, double h, double known[3])
{
    static const double weight[3] = {12.0 / 27.0, 6.0 / 27.0, 1.0 / 27.0};
    known[0] = known[1] = known[2] = 0.0;
    for (int i = 0; i < 3; ++i) {
        const double* p = state->past[i];
        rvVec3 force = rvVec(p[0], p[1], p[2]), moment = rvVec(p[3], p[4], p[5]);
        rvVec2 f = rv_curve_flat(curve, force);
        known[0] -= h * weight[i] * f.x;
        known[1] -= h * weight[i] * f.y;
        known[2] -= h * weight[i] * rvDot(curve->normal, rvSub(moment, rvCross(grip->arm, force)));
    }
}

static void write_grip(const rvCable* cable, rvGrip* grip, const rvGripState* state, const rvBodyStore* bodies,
                       double h, rvRows* rows)
{
    const rvCurve* curve = rv_curve_of(cable);
    int slot = cable->route.places[grip->place].slot;
    rvVec3 from = grip->local, way = grip->direction;
    if (grip->body >= 0) {
        rv_grip_expect(grip, state, bodies, h);
        from = rvAdd(bodies->items[grip->body].state.x, grip->arm);
        way = grip->turned;
    } else {
        grip->arm = grip->spin = grip->expected = rvVec(0, 0, 0);
    }
    if (slot >= 0)
        from = rvSub(from, rvScale(h, rvCross(grip->expected, grip->arm)));
    rvVec2 start = rv_curve_down(curve, from), direction = rv_curve_flat(curve, way);
    double known[3];
    find_known(curve, grip, state, slot >= 0 && !curve->atRest ? h : 0.0, known);
    memcpy(curve->known + grip->row, known, (size_t)rows_of(grip) * sizeof(double));
    for (int r = 0; r < rows_of(grip); ++r) {
        int i = grip->row + r;
        rvRow* row = &rv_group_rows(rows, cable->group)[i];
        if (r == 2) {
            double angle = nearest_turn(atan2(direction.y, direction.x), curve->values[i]);
            double turned = slot >= 0 ? h * rvDot(curve->normal, grip->expected) : 0.0;
            row->bias = (curve->values[i] - angle + turned) / h;
            rv_curve_write_row(rows, cable->group, slot, i, rvVec(0, 0, 0), curve->normal);
        } else {
            rvVec3 e = curve->axis[r];
            row->bias = (curve->values[i] - (r == 0 ? start.x : start.y)) / h;
            rv_curve_write_row(rows, cable->group, slot, i, e, rvCross(grip->arm, e));
        }
    }
}

static void write_touch(rvCable* cable, const rvCurveTouch* touch, double h, rvRows* rows)
{
    const rvCurve* curve = rv_curve_of(cable);
    const rvPlaneContacts* contacts = &curve->motion.contacts;
    int n = curve->rowCount, i = touch->row;
    rvRow* row = &rv_group_rows(rows, cable->group)[i];
    rvVec3 e = rv_curve_up(curve, curve->rows[i].along);
    double gap = touch->at.gap, speed = rv_vec2_dot(touch->at.out, touch->velocity);
    if (!curve->rigid) { // gap + (k gap' + b rate) eps takes the place of the gap; the rate is that of p
        double rate = rv_plane_touch_rate(&curve->motion.plane, &touch->at, curve->run.v1) - speed;
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
    if (!(touch->friction > 0.0))
        return;
    i += 1;
    row += 1;
    e = rv_curve_up(curve, curve->rows[i].along);
    rv_curve_write_row(rows, cable->group, touch->slot, i, e, rvCross(touch->arm, e));
    row->lower = row->upper = 0.0;
    row->bias = (curve->values[i] + rv_vec2_dot(curve->rows[i].along, touch->moved)) / h;
    row->leanFirst = (int16_t)(i - 1);
    row->leanCount = 1;
    row->leanLower = -touch->friction;
    row->leanUpper = touch->friction;
}

static void write_rows(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows, int owner)
{
    rvCurve* curve = rv_curve_of(cable);
    cable->group = -1;
    curve->passes += 1;
    rv_curve_find_touches(cable);
    if (!rv_plane_run_linearise(&curve->run, curve->loads, (int)curve->loadCount)) {
        curve->failure = "no such step: it may be too short for the bodies that hold it";
        return;
    }
    list_rows(curve);
    int n = curve->rowCount;
    if (n == 0 || cable->state.broken != 0.0)
        return;
    condense(cable);
    cable->group = rv_rows_add(rows, RV_GROUP_CABLE, owner, n, curve->slots, list_slots(cable));
    for (int k = 0; k < curve->gripCount; ++k)
        write_grip(cable, &curve->grips[k], &curve->states[k], bodies, context->h, rows);
    for (int k = 0; k < curve->touchCount; ++k)
        write_touch(cable, &curve->touches[k], context->h, rows);
    if (curve->run.euler)
        rv_curve_take_off(cable, rows, n, curve->gripRows, curve->known);
    for (int i = 0; i < n; ++i)
        rv_group_rows(rows, cable->group)[i].compliance = cable->block[i * n + i];
    rows->groups[cable->group].block = cable->block;
}

// ---- forces ---------------------------------------------------------------------------------------------------------

// Forces of a pass as loads: their stiffness is in the matrix of the next.
static void keep_loads(rvCurve* curve)
{
    int n = 0;
    for (int k = 0; k < curve->gripCount; ++k) {
        const rvGrip* grip = &curve->grips[k];
        const double* f = curve->held + grip->row;
        curve->loads[n++] = (rvPlaneLoad){grip->at, rv_vec2(f[0], f[1]), grip->clamped ? f[2] : 0.0};
    }
    for (int k = 0; k < curve->touchCount; ++k) {
        const rvCurveTouch* touch = &curve->touches[k];
        if (touch->force[0] == 0.0)
            continue;
        rvVec2 out = touch->at.out;
        rvVec2 force = rv_vec2(touch->force[0] * out.x + touch->force[1] * out.y,
                               touch->force[0] * out.y - touch->force[1] * out.x);
        double step = curve->motion.plane.step;
        curve->loads[n++] = (rvPlaneLoad){step * (touch->at.spot.interval + touch->at.spot.xi), force, 0.0};
        if (touch->at.both)
            curve->loads[n++] =
                (rvPlaneLoad){step * (touch->at.other.interval + touch->at.other.xi), rv_vec2(-force.x, -force.y), 0.0};
    }
    curve->loadCount = n;
}

static double read_grips(rvCurve* curve)
{
    double most = 0.0;
    for (int k = 0; k < curve->gripCount; ++k) {
        rvGrip* grip = &curve->grips[k];
        const double* f = curve->held + grip->row;
        rvVec3 force = rv_curve_up(curve, rv_vec2(f[0], f[1])), moment = rvCross(grip->arm, force);
        if (grip->clamped)
            moment = rvMulAdd(moment, f[2], curve->normal);
        const double all[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
        memcpy(grip->force, all, sizeof all);
        most = fmax(most, rvLength(force));
    }
    return most;
}

static void read_touches(rvCurve* curve, const rvRow* row)
{
    curve->pressing = 0;
    for (int k = 0; k < curve->touchCount; ++k) {
        rvCurveTouch* touch = &curve->touches[k];
        bool rubs = touch->friction > 0.0;
        touch->force[0] = -curve->held[touch->row]; // its row points inwards
        touch->force[1] = rubs ? curve->held[touch->row + 1] : 0.0;
        touch->holds[0] = row && row[touch->row].impulse > 0.0;
        touch->holds[1] = touch->holds[0] && rubs && row[touch->row + 1].mode == RV_ROW_FREE;
        curve->pressing += touch->holds[0];
    }
}

// Is it another force: different by more than half, and by more than moves the curve noticeably in a step?
static bool is_other(rvVec2 now, rvVec2 then, double noticed)
{
    rvVec2 d = rv_vec2_add(now, -1.0, then);
    double change = sqrt(rv_vec2_dot(d, d)), most = sqrt(fmax(rv_vec2_dot(now, now), rv_vec2_dot(then, then)));
    return change > noticed && change > JUMP * most;
}

// Did the forces of this pass, which are not kept yet, jump: from those that the matrix was made with, or at a body from
// those of the last step?
static void find_jumps(const rvCable* cable, double gravity, bool* misjudged, bool* jumped)
{
    const rvCurve* curve = rv_curve_of(cable);
    double length = curve->motion.plane.length, h = curve->run.h;
    double noticed = cable->layer.mass * length * fmax(gravity, NOTICED * length / (h * h));
    *misjudged = *jumped = false;
    for (int k = 0; k < curve->gripCount; ++k) {
        const double *f = curve->held + curve->grips[k].row, *p = curve->states[k].past[0];
        rvVec2 now = rv_vec2(f[0], f[1]), then = rv_curve_flat(curve, rvVec(p[0], p[1], p[2]));
        *misjudged = *misjudged || is_other(now, curve->loads[k].force, noticed);
        *jumped = *jumped || (curve->grips[k].pushed && is_other(now, then, noticed));
    }
}

// The largest turn of a node in the step.
static double turn_of(const rvCurve* curve)
{
    const rvPlane* plane = &curve->motion.plane;
    double most = 0.0;
    for (int i = 0; i <= plane->intervals; ++i)
        most = fmax(most, fabs(curve->run.step[rv_plane_angle(plane, i)]));
    return most;
}

// How far the grips' places are from where the pass wants them, at p as placed.
static double gap_of(const rvCurve* curve)
{
    double gap = 0.0;
    for (int r = 0; r < curve->gripRows; ++r)
        if (!curve->rows[r].turns)
            gap = fmax(gap, fabs(value_of(curve, &curve->rows[r]) - curve->values[r]));
    return gap;
}

// A round of `go_along`: from p by at most a limited turn; forces of the grips into curve->held. False: it cannot.
static bool go_on(rvCurve* curve)
{
    rvPlaneRun* run = &curve->run;
    int count = curve->motion.plane.count, n = curve->gripRows;
    int touching = (int)curve->loadCount - curve->gripCount; // what presses goes on pressing
    if (!rv_plane_run_linearise(run, curve->loads, (int)curve->loadCount))
        return false;
    for (int i = 0; i < touching; ++i) {
        const rvPlaneLoad* load = &curve->loads[curve->gripCount + i];
        rvCurveRow row = {.spot = rv_plane_spot(&curve->motion.plane, load->s), .along = load->force};
        double* g = gradient(curve, n);
        write_gradient(&curve->motion.plane, &row, g);
        rv_separable_solve(&curve->motion.matrix, g);
        for (int c = 0; c < count; ++c)
            run->step[c] += g[c];
    }
    for (int r = 0; r < n; ++r) {
        write_gradient(&curve->motion.plane, &curve->rows[r], gradient(curve, r));
        memcpy(column(curve, r), gradient(curve, r), (size_t)count * sizeof(double));
        rv_separable_solve(&curve->motion.matrix, column(curve, r));
        for (int k = 0; k <= r; ++k)
            curve->block[r * n + k] = dot(gradient(curve, r), column(curve, k), count);
        curve->block[r * n + r] += curve->regular / run->cM;
        curve->held[r] =
            curve->values[r] - value_of(curve, &curve->rows[r]) - dot(gradient(curve, r), run->step, count);
    }
    rv_cholesky_factor(curve->block, n);
    rv_cholesky_solve(curve->block, n, curve->held);
    for (int r = 0; r < n; ++r)
        for (int c = 0; c < count; ++c)
            run->step[c] += curve->held[r] * column(curve, r)[c];
    double turn = turn_of(curve), share = turn > LARGEST_TURN ? LARGEST_TURN / turn : 1.0;
    for (int c = 0; c < count; ++c)
        run->p[c] += share * run->step[c];
    rv_plane_place(&curve->motion.plane, run->p);
    return isfinite(turn);
}

// A pass that turns the curve far is no good where it ends: the curve follows its grips by itself, to where the pass wants
// them, in rounds of a limited turn. So a straight rope that is pressed gives way in the same step, and no gap is left that
// later steps would have to close. The forces are those that the next pass is made with, where it can follow.
static void go_along(rvCurve* curve)
{
    bool good = true;
    for (int round = 0; good && round < MOST_ROUNDS; ++round) {
        good = go_on(curve);
        for (int k = 0; good && k < curve->gripCount; ++k) {
            const double* f = curve->held + curve->grips[k].row;
            rvVec2 force = rv_vec2(f[0], f[1]);
            double size = sqrt(rv_vec2_dot(force, force)), most = GROWTH * curve->strongest;
            if (size > most) // out of reach
                force = rv_vec2(force.x * most / size, force.y * most / size);
            curve->loads[k].force = force;
        }
        if (turn_of(curve) < SMALL_TURN)
            break;
    }
}

static void read_rows(rvCable* cable, const rvStepContext* context, const rvRows* rows)
{
    rvCurve* curve = rv_curve_of(cable);
    rvPlaneRun* run = &curve->run;
    int count = curve->motion.plane.count, n = curve->rowCount;
    const rvRow* row = cable->group >= 0 ? rv_group_rows(rows, cable->group) : NULL;
    for (int r = 0; r < n; ++r) {
        double known = run->euler && r < curve->gripRows ? curve->known[r] : 0.0;
        curve->held[r] = row ? -run->cM * context->h * (row[r].impulse + known) : 0.0;
        for (int i = 0; curve->held[r] != 0.0 && i < count; ++i)
            run->step[i] += curve->held[r] * column(curve, r)[i];
    }
    for (int r = 0; row && r < curve->gripRows; ++r) // where it should come to lie
        curve->values[r] = value_of(curve, &curve->rows[r]) + dot(gradient(curve, r), run->step, count);
    if (curve->failure)
        return;
    cable->peakTension = read_grips(curve);
    read_touches(curve, row);
    bool misjudged, jumped;
    find_jumps(cable, rvLength(context->gravity), &misjudged, &jumped);
    keep_loads(curve);
    bool euler = run->euler || jumped;
    if (curve->atRest) {
        for (int i = 0; i < count; ++i)
            run->p[i] += run->step[i];
        rv_plane_place(&curve->motion.plane, run->p);
        return;
    }
    if (row && (euler != run->euler || (misjudged && curve->passes <= MOST_TRIALS))) {
        rv_plane_run_predict(run, context->h, euler); // once more from the start of the step, with these forces
        curve->again = true;
        return;
    }
    double turn = turn_of(curve);
    if (row && turn > LARGE_TURN) {
        curve->strongest = 0.0;
        for (int k = 0; k < curve->gripCount; ++k)
            curve->strongest =
                fmax(curve->strongest,
                     rvLength(rvVec(curve->grips[k].force[0], curve->grips[k].force[1], curve->grips[k].force[2])));
        go_along(curve);
        curve->again = true;
    } else {
        for (int i = 0; i < count; ++i)
            run->p[i] += run->step[i];
        rv_plane_place(&curve->motion.plane, run->p);
        curve->again =
            curve->passes < LEAST_PASSES || (row && gap_of(curve) > LARGEST_GAP * curve->motion.plane.length);
    }
}

static bool changed(const rvCable* cable)
{
    return rv_curve_of(cable)->again;
}

// ---- rates of what holds --------------------------------------------------------------------------------------------

// How fast grip k's body takes its rows along now.
static void find_rates(const rvCurve* curve, int k, const rvBodyStore* bodies, double rate[3])
{
    const rvGrip* grip = &curve->grips[k];
    rate[0] = rate[1] = rate[2] = 0.0;
    if (grip->body < 0 || !rv_body_moves(&bodies->items[grip->body]))
        return;
    const rvBodyState* s = &bodies->items[grip->body].state;
    rvVec2 v = rv_curve_flat(curve, rvAdd(s->v, rvCross(s->w, grip->arm)));
    rate[0] = v.x;
    rate[1] = v.y;
    rate[2] = rvDot(curve->normal, s->w);
}

// What row r of a held thing shall have: 0 its rate, 1 and 2 its acceleration, less what it has.
static double miss_of(const rvCurve* curve, int r, int which, double target)
{
    const double* vectors[3] = {curve->run.v1, curve->run.a1, curve->run.at1};
    const rvPlane* plane = &curve->motion.plane;
    const rvCurveRow* row = &curve->rows[r];
    double have = dot(gradient(curve, r), vectors[which], plane->count);
    if (which > 0 && !row->turns) {
        rvVec2 drift = rv_plane_drift(plane, curve->run.v1, &row->spot);
        if (row->both)
            drift = rv_vec2_add(drift, -1.0, rv_plane_drift(plane, curve->run.v1, &row->other));
        have += rv_vec2_dot(row->along, drift);
    }
    return target - have;
}

// Rows that hold, with their targets of rate and acceleration. Of grips at bodies that are pushed the rates stay as they are.
static int list_held(rvCable* cable, const rvBodyStore* bodies, double h, double (*target)[2], bool* stays)
{
    rvCurve* curve = rv_curve_of(cable);
    int m = 0;
    for (int k = 0; k < curve->gripCount; ++k) {
        double rate[3];
        find_rates(curve, k, bodies, rate);
        for (int r = 0; r < rows_of(&curve->grips[k]); ++r) {
            const double* past0 = curve->pasts[k].rate[0];
            double change = rv_curve_least(rate[r] - past0[r], past0[r] - curve->pasts[k].rate[1][r]);
            target[m][0] = rate[r] + 0.5 * change;
            target[m][1] = change / h;
            stays[m] = curve->grips[k].pushed;
            curve->list[m++] = curve->grips[k].row + r;
        }
    }
    for (int k = 0; curve->rigid && k < curve->touchCount; ++k) {
        const rvCurveTouch* touch = &curve->touches[k];
        rvVec2 speed = rv_vec2(0, 0);
        if (touch->body >= 0) {
            const rvBodyState* s = &bodies->items[touch->body].state;
            speed = rv_curve_flat(curve, rvAdd(s->v, rvCross(s->w, touch->arm)));
        }
        for (int part = 0; part < 2; ++part) {
            if (!touch->holds[part])
                continue;
            target[m][0] = rv_vec2_dot(curve->rows[touch->row + part].along, speed);
            target[m][1] = 0.0;
            stays[m] = false;
            curve->list[m++] = touch->row + part;
        }
    }
    return m;
}

static void set_rates(rvCable* cable, const rvBodyStore* bodies, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    double* vectors[3] = {curve->run.v1, curve->run.a1, curve->run.at1};
    int n = curve->rowCount, count = curve->motion.plane.count;
    int m = list_held(cable, bodies, h, curve->targets, curve->stays);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j <= i; ++j)
            curve->block[i * m + j] = cable->block[curve->list[i] * n + curve->list[j]];
    rv_cholesky_factor(curve->block, m);
    for (int which = 0; which < 3; ++which) {
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
    rvCurve* curve = rv_curve_of(cable);
    for (int k = 0; k < curve->gripCount; ++k) {
        rv_curve_keep_grip(&curve->grips[k], &curve->states[k], cable->group >= 0, curve->run.euler);
        memcpy(curve->pasts[k].rate[1], curve->pasts[k].rate[0], sizeof curve->pasts[k].rate[0]);
        find_rates(curve, k, bodies, curve->pasts[k].rate[0]);
    }
    rv_pushes_shift(curve->pushes);
    for (int k = 0; k < curve->touchCount; ++k) {
        const rvCurveTouch* touch = &curve->touches[k];
        rvVec2 out = touch->at.out;
        rvVec3 force = rvAdd(rvScale(touch->force[0], rv_curve_up(curve, out)),
                             rvScale(touch->force[1], rv_curve_up(curve, rv_vec2(out.y, -out.x))));
        if (touch->body >= 0)
            rv_pushes_add(curve->pushes, touch->body, force, rvCross(touch->arm, force));
    }
}

// Turns that press on turns are more touches than the angles between them can answer: such steps make energy. Legs of a loop
// run against each other, half a turn apart; turns of a coil a whole one.
static bool winds_on_itself(const rvCurve* curve)
{
    bool winds = false;
    for (int i = 0; i < curve->touchCount; ++i) {
        const rvCurveTouch* touch = &curve->touches[i];
        if (!touch->at.both || !touch->holds[0])
            continue;
        const rvPlane* plane = &curve->motion.plane;
        double turn = rv_plane_angle_at(plane, curve->run.q, &touch->at.spot) -
                      rv_plane_angle_at(plane, curve->run.q, &touch->at.other);
        winds = winds || fabs(turn) > 1.5 * PI;
    }
    return winds;
}

// Rigid contacts make energy where an interval is longer than the round that it lies on is wide.
static bool bends_too_tight(const rvCurve* curve)
{
    bool tight = false;
    for (int i = 0; i < curve->pegCapacity && curve->rigid; ++i)
        tight = tight || (curve->pegs[i].key != 0.0 &&
                          2.0 * curve->motion.contacts.obstacles[i].radius < curve->motion.plane.step);
    return tight;
}

// Grips must stay in the plane, and within reach.
static const char* find_failure(const rvCurve* curve, const rvBodyStore* bodies)
{
    double length = curve->motion.plane.length;
    for (int k = 0; k < curve->gripCount; ++k) {
        const rvGrip* grip = &curve->grips[k];
        rvVec3 at = grip->local;
        if (grip->body >= 0) {
            const rvBodyState* s = &bodies->items[grip->body].state;
            at = rvAdd(s->x, rvRotate(s->q, grip->local));
        }
        if (fabs(rvDot(curve->normal, rvSub(at, curve->origin))) > OUT_OF_PLANE * length)
            return "a body that holds it left its plane";
        rvPlaneSpot spot = rv_plane_spot(&curve->motion.plane, grip->at);
        rvVec2 d = rv_vec2_add(rv_curve_down(curve, at), -1.0, rv_plane_point(&curve->motion.plane, &spot));
        if (rv_vec2_dot(d, d) > RV_CURVE_REACH * RV_CURVE_REACH * length * length)
            return bends_too_tight(curve) ? "its intervals are longer than what they are bent around is wide: it needs "
                                            "more elements, or a contactStiffness"
                                          : "it is too short for the bodies that hold it";
    }
    if (rv_plane_contacts_lost(&curve->motion.contacts, &curve->motion.plane))
        return "it would go through itself: it is too fast for so long a step";
    return winds_on_itself(curve) ? "its turns lie on each other, which a curve in a plane cannot follow" : NULL;
}

static void advance(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    rvCurve* curve = rv_curve_of(cable);
    if (curve->failure)
        return;
    if (curve->atRest) {
        rv_curve_end_rest(cable, context->h);
        return;
    }
    rv_plane_run_rates(&curve->run);
    if (cable->group >= 0)
        set_rates(cable, bodies, context->h);
    rv_curve_move_pegs(curve, bodies, context->h);
    if (!rv_plane_run_keep(&curve->run))
        curve->failure = "its shape is not finite";
    else if (cable->state.broken == 0.0)
        curve->failure = find_failure(curve, bodies);
    keep_grips(cable, bodies);
    curve->fresh = 0.0;
    rv_curve_publish(cable);
    if (cable->loose) // its free end went on
        rv_route_update(&cable->route, bodies);
    cable->loosePull = cable->state.restLength * cable->layer.mass * rvLength(context->gravity);
    for (int i = 0; i < 2 * curve->motion.plane.intervals; ++i)
        cable->peakTension = fmax(cable->peakTension, curve->tension[i]);
}

static const char* failure(const rvCable* cable)
{
    return rv_curve_of(cable)->failure;
}

static int touching(const rvCable* cable)
{
    return rv_curve_of(cable)->pressing;
}

// ---- the table ------------------------------------------------------------------------------------------------------

static void capacity(const rvCable* cable, int* rows, int* slots)
{
    const rvCurve* curve = rv_curve_of(cable);
    *rows = curve->rowCapacity;
    *slots = cable->route.bodyCount + curve->touchCapacity;
}

static uint64_t hash(const rvCable* cable, uint64_t sum)
{
    const rvCurve* curve = rv_curve_of(cable);
    sum = rv_hash_bytes(sum, curve->run.q, 4 * (size_t)curve->motion.plane.count * sizeof(double));
    sum = rv_hash_bytes(sum, curve->states, (size_t)curve->gripCount * sizeof(rvGripState));
    return rv_hash_bytes(sum, curve->pushes, sizeof curve->pushes);
}

const rvCableModelOps rv_model_curve = {
    .name = "curve",
    .hasMass = true,
    .attachesInner = true,
    .keepsPlaces = true,
    .create = rv_curve_choose,
    .checkReach = rv_curve_check_reach,
    .release = rv_curve_release,
    .hang = rv_curve_hang,
    .follow = rv_curve_follow,
    .take = rv_curve_take,
    .point = rv_curve_point,
    .state = {rv_curve_state_size, rv_curve_write_state, rv_curve_read_state},
    .hash = hash,
    .capacity = capacity,
    .begin = begin,
    .writeRows = write_rows,
    .readRows = read_rows,
    .advance = advance,
    .collide = rv_curve_collide,
    .touching = touching,
    .failure = failure,
    .addLoads = add_loads,
    .addStiffness = add_stiffness,
    .changed = changed,
    .measureRest = rv_curve_measure_rest,
    .elasticEnergy = rv_curve_elastic_energy,
    .tension = rv_curve_tension,
    .shape = rv_curve_shape,
    .sections = rv_curve_sections,
    .rest = rv_curve_rest,
    .energy = rv_curve_energies,
};
