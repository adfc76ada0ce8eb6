// SPDX-License-Identifier: MIT
#include "cable/route/grip.h"

#include "cable/route/force_filter.h"
#include "math/sym3.h"

#include <string.h>

#define LARGEST_TURN 1.0 // [rad] from pass to pass
#define HALVED_FROM 10   // passes: then they go half of the way, for some go to and fro between two turnings
#define LENT_UNTIL 4     // passes: the inertia that a body is lent goes by their forces, and stays then

bool rv_grip_is_pushed(const rvPlace* place, const rvBodyStore* bodies)
{
    return place->body >= 0 && rv_body_is_pushed(&bodies->items[place->body]);
}

rvGrip rv_grip_of(const rvPlace* place, int index, const rvBodyStore* bodies)
{
    rvGrip grip = {.place = index, .body = place->body, .clamped = place->clamped, .local = place->local, .row = -1};
    grip.direction = place->clamped ? rvScale(1.0 / rvLength(place->direction), place->direction) : rvVec(0, 0, 0);
    grip.pushed = rv_grip_is_pushed(place, bodies);
    return grip;
}

rvQuat rv_grip_turned(const rvBody* body, rvVec3 w, double h)
{
    return rvQuatMul(rvQuatFromRotation(rvScale(h, w)), body->state.q);
}

static rvVec3 solved_spin(const rvGrip* grip, const rvBodyStore* bodies)
{
    const double* v = bodies->velocity[grip->body];
    return rvVec(v[3], v[4], v[5]);
}

static void expect_at(rvGrip* grip, const rvBody* body, double h, rvVec3 spin)
{
    rvQuat q = rv_grip_turned(body, spin, h);
    grip->spin = body->state.w;
    grip->expected = spin;
    grip->arm = rvRotate(q, grip->local);
    grip->turned = rvRotate(q, grip->direction);
}

void rv_grip_expect(rvGrip* grip, const rvGripState* state, const rvBodyStore* bodies, double h, bool again)
{
    const rvBody* body = &bodies->items[grip->body];
    rvVec3 change = rvSub(body->state.w, state->spin);
    change = rv_sym3_vec(bodies->inverse[grip->body] + 1, rv_sym3_vec(body->inertia, change));
    expect_at(grip, body, h, again ? body->passSpin : rvAdd(body->state.w, change));
}

void rv_grip_expect_port(rvGrip* grip, const rvBodyStore* bodies, double h)
{
    const rvBody* body = &bodies->items[grip->body];
    expect_at(grip, body, h, body->ported ? body->passSpin : body->state.w);
}

rvVec3 rv_grip_gap(const rvGrip* grip, const rvBodyStore* bodies, double h, bool direction)
{
    rvVec3 w = solved_spin(grip, bodies), beyond = rvScale(h, rvSub(w, grip->expected));
    rvVec3 arm = direction ? grip->turned : grip->arm, local = direction ? grip->direction : grip->local;
    rvQuat q = rv_grip_turned(&bodies->items[grip->body], w, h);
    return rvSub(rvRotate(q, local), rvAdd(arm, rvCross(beyond, arm)));
}

double rv_grip_left_out(const rvGrip* grip, const rvBodyStore* bodies, double h, const double* block, int size,
                        double cM)
{
    double left = 0.0;
    for (int part = 0; part < (grip->clamped ? 2 : 1); ++part) {
        rvVec3 gap = rv_grip_gap(grip, bodies, h, part == 1);
        const double gaps[3] = {gap.x, gap.y, gap.z};
        for (int c = 0; c < 3; ++c) {
            double compliance = block[(grip->row + 3 * part + c) * (size + 1)];
            left += compliance > 0.0 ? 0.5 * gaps[c] * gaps[c] * cM / compliance : 0.0;
        }
    }
    return left;
}

void rv_grip_aim(const rvGrip* grip, const rvBodyStore* bodies, double h, double b[6], double rate[6], double accel[6])
{
    rvVec3 x[2] = {grip->local, grip->direction}, v[2] = {rvVec(0, 0, 0), rvVec(0, 0, 0)};
    if (grip->body >= 0) {
        const rvBodyState* s = &bodies->items[grip->body].state;
        rvQuat q = rv_grip_turned(&bodies->items[grip->body], s->w, h);
        rvVec3 arm = rvRotate(q, grip->local);
        x[0] = rvAdd(rvMulAdd(s->x, h, s->v), arm);
        x[1] = rvRotate(q, grip->direction);
        v[0] = rvAdd(s->v, rvCross(s->w, arm));
        v[1] = rvCross(s->w, x[1]);
    }
    for (int i = 0; i < 2; ++i) {
        const double place[3] = {x[i].x, x[i].y, x[i].z}, speed[3] = {v[i].x, v[i].y, v[i].z};
        memcpy(b + 3 * i, place, sizeof place);
        memcpy(rate + 3 * i, speed, sizeof speed);
    }
    memset(accel, 0, 6 * sizeof(double));
}

void rv_grip_wrench(const rvGrip* grip, const rvBodyStore* bodies, const double f[6], double wrench[6])
{
    rvQuat q = grip->body >= 0 ? bodies->items[grip->body].state.q : rvQuatIdentity();
    rvVec3 force = rvVec(f[0], f[1], f[2]), moment = rvCross(rvRotate(q, grip->local), force);
    if (grip->clamped)
        moment = rvAdd(moment, rvCross(rvRotate(q, grip->direction), rvVec(f[3], f[4], f[5])));
    const double all[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
    memcpy(wrench, all, sizeof all);
}

void rv_grip_add_load(rvBody* body, const double* past, bool pushed)
{
    double sum[6] = {0};
    for (int i = 0; i < (pushed ? 3 : 1); ++i) // of a body that is led there is one force and no more
        for (int c = 0; c < 6; ++c)
            sum[c] -= (pushed ? rv_force_tap[1 + i] / RV_FORCE_TAP_SUM : 1.0) * past[6 * i + c];
    body->ropeForce = rvAdd(body->ropeForce, rvVec(sum[0], sum[1], sum[2]));
    body->ropeTorque = rvAdd(body->ropeTorque, rvVec(sum[3], sum[4], sum[5]));
}

void rv_grip_write_rows(const rvGrip* grip, const rvBodyStore* bodies, const double* places, double h, rvRows* rows,
                        int group, int slot)
{
    double(*j)[6] = rv_group_jacobian(rows, group, slot);
    rvRow* row = rv_group_rows(rows, group);
    for (int part = 0; part < (grip->clamped ? 2 : 1); ++part) {
        rvVec3 arm = part == 0 ? grip->arm : grip->turned;
        rvVec3 from = rvSub(arm, rvScale(h, rvCross(grip->expected, arm)));
        if (part == 0)
            from = rvAdd(from, bodies->items[grip->body].state.x);
        const double start[3] = {from.x, from.y, from.z};
        for (int c = 0; c < 3; ++c) {
            int r = grip->row + 3 * part + c;
            rvVec3 axis = rvVec(c == 0, c == 1, c == 2), turning = rvCross(arm, axis);
            const double entries[6] = {part == 0 ? axis.x : 0.0,
                                       part == 0 ? axis.y : 0.0,
                                       part == 0 ? axis.z : 0.0,
                                       turning.x,
                                       turning.y,
                                       turning.z};
            memcpy(j[r], entries, sizeof entries);
            row[r].bias = (places[r] - start[c]) / h;
        }
    }
}

double rv_grip_take_force(rvGrip* grip, const double* forces)
{
    const double* l = forces + grip->row;
    rvVec3 force = rvVec(l[0], l[1], l[2]), moment = rvCross(grip->arm, force);
    if (grip->clamped)
        moment = rvAdd(moment, rvCross(grip->turned, rvVec(l[3], l[4], l[5])));
    const double all[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
    memcpy(grip->force, all, sizeof all);
    return rvLength(force);
}

void rv_grip_keep_force(const rvGrip* grip, rvGripState* state, const rvBodyStore* bodies, const double* forces)
{
    memmove(state->past[1], state->past[0], 2 * sizeof state->past[0]);
    rv_grip_wrench(grip, bodies, forces + grip->row, state->past[0]);
}

// As the solve has it, but not much further from where its rows had it: a light body that a rope catches would turn
// many times round by rows that are right for a radian.
static rvVec3 found_spin(const rvGrip* grip, const rvBodyStore* bodies, double h, int passes)
{
    rvVec3 change = rvSub(solved_spin(grip, bodies), grip->expected);
    double turn = h * rvLength(change), share = turn > LARGEST_TURN ? LARGEST_TURN / turn : 1.0;
    return rvMulAdd(grip->expected, passes < HALVED_FROM ? share : 0.5 * share, change);
}

void rv_grips_force_on(const rvGrip* grips, const rvGripState* states, int count, int body, rvVec3* force,
                       rvVec3* torque)
{
    for (int k = 0; k < count; ++k) {
        const double* f = states[k].past[0];
        if (grips[k].body != body || grips[k].off)
            continue;
        *force = rvSub(*force, rvVec(f[0], f[1], f[2]));
        *torque = rvSub(*torque, rvVec(f[3], f[4], f[5]));
    }
}

void rv_grip_add_stiffness(const rvGrip* grip, const rvGripState* state, rvBodyStore* bodies)
{
    rvBody* body = &bodies->items[grip->body];
    const double* f = state->past[0];
    rv_body_add_stiffness(body, rvRotate(body->state.q, grip->local), rvVec(-f[0], -f[1], -f[2]));
}

// By this force on the cable, about where the body is after a step with this turning.
static void add_about(const rvGrip* grip, rvBodyStore* bodies, const double* force, rvVec3 spin, double h, double cM)
{
    rvBody* body = &bodies->items[grip->body];
    rvVec3 arm = rvRotate(rv_grip_turned(body, spin, h), grip->local);
    rv_body_add_port_stiffness(body, arm, rvScale(-1.0 / (cM * h * h), rvVec(force[0], force[1], force[2])), spin);
}

void rv_grip_add_pass_stiffness(const rvGrip* grip, rvBodyStore* bodies, double h, double cM, int passes)
{
    add_about(grip, bodies, grip->force, found_spin(grip, bodies, h, passes), h, cM);
}

// What it pulls at its arm with, by the largest of its last forces. That of the passes counts for some of them only:
// more pull is more inertia, which turns a body that spins fast against its ropes, and pulls more.
static void add_pull(rvGrip* grip, const rvGripState* state, rvBodyStore* bodies, int passes)
{
    double most = 0.0;
    for (int i = passes > 0 ? -1 : 0; i < 3 && passes <= LENT_UNTIL; ++i) {
        const double* f = i < 0 ? grip->force : state->past[i];
        most = fmax(most, f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    }
    if (passes <= LENT_UNTIL)
        grip->pull = sqrt(most);
    bodies->items[grip->body].portPull += grip->pull * rvLength(grip->local);
    bodies->items[grip->body].pulled = true;
}

void rv_grip_add_hold(rvGrip* grip, const rvGripState* state, rvBodyStore* bodies, double h, double cM, int passes)
{
    if (passes > 0)
        rv_grip_add_pass_stiffness(grip, bodies, h, cM, passes);
    else
        add_about(grip, bodies, state->past[0], bodies->items[grip->body].state.w, h, cM);
    add_pull(grip, state, bodies, passes);
    rvBody* body = &bodies->items[grip->body];
    rv_body_add_tumble_drag(body, rvRotate(body->state.q, grip->local), grip->pull, h);
}

double rv_cable_rest_before(const rvCable* cable, int place)
{
    double before = 0.0;
    for (int i = 0; i < place; ++i)
        before += cable->route.places[i].state.rest;
    return before;
}

bool rv_cable_can_rest(const rvCable* cable, rvVec3 gravity)
{
    bool held = false;
    for (int i = 0; i < cable->route.placeCount; ++i)
        held = held || cable->route.places[i].type != RV_PLACE_FREE;
    return (held && cable->state.broken == 0.0) || !(rvDot(gravity, gravity) > 0.0);
}

void rv_pushes_shift(rvPush* pushes)
{
    for (int i = 0; i < RV_PUSHES; ++i) {
        rvPush* push = &pushes[i];
        double left = 0.0;
        for (int c = 0; c < 12; ++c)
            left += fabs(push->past[c / 6][c % 6]);
        if (left == 0.0)
            push->body = 0.0;
        memmove(push->past[1], push->past[0], 2 * sizeof push->past[0]);
        memset(push->past[0], 0, sizeof push->past[0]);
    }
}

void rv_pushes_add(rvPush* pushes, int body, rvVec3 force, rvVec3 moment)
{
    rvPush* push = NULL;
    for (int i = 0; i < RV_PUSHES; ++i) {
        if (pushes[i].body == body + 1) {
            push = &pushes[i];
            break;
        }
        if (pushes[i].body == 0.0 && !push)
            push = &pushes[i];
    }
    if (!push)
        return;
    push->body = body + 1;
    const double all[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
    for (int c = 0; c < 6; ++c)
        push->past[0][c] += all[c];
}

void rv_pushes_add_loads(const rvPush* pushes, rvBodyStore* bodies)
{
    for (int k = 0; k < RV_PUSHES; ++k) {
        int body = (int)fmin(fmax(pushes[k].body, 0.0), bodies->pool.count) - 1;
        if (body >= 0 && rv_body_alive(bodies, body)) // it may be gone
            rv_grip_add_load(&bodies->items[body], pushes[k].past[0], true);
    }
}

void rv_grip_mean_force(const rvGripState* state, double mean[6])
{
    for (int c = 0; c < 6; ++c)
        mean[c] = (10.0 * state->past[0][c] + 7.0 * state->past[1][c] + state->past[2][c]) / 18.0;
}

double rv_grips_pull(const rvGrip* grips, const rvGripState* states, int count)
{
    double most = 0.0;
    for (int k = 0; k < count; ++k) {
        const double *now = grips[k].force, (*l)[6] = states[k].past;
        double f[3];
        if (!grips[k].pushed || grips[k].off)
            continue;
        for (int c = 0; c < 3; ++c)
            f[c] = rv_force_sum(now[c], l[0] + c, 6) / RV_FORCE_TAP_SUM;
        most = fmax(most, rvLength(rvVec(f[0], f[1], f[2])));
    }
    return most;
}

void rv_grip_mean_velocity(const rvBodyStore* bodies, int body, double mean[6])
{
    const double* v = bodies->velocity[body];
    rvVec3 linear = bodies->items[body].lastV, angular = bodies->items[body].lastW;
    const double before[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (int c = 0; c < 6; ++c)
        mean[c] = 0.5 * (before[c] + v[c]);
}

double rv_grip_body_work(const double mean[6], const double* now, const double past[3][6], double h)
{
    double work = 0.0;
    for (int c = 0; c < 6; ++c) {
        double sum = rv_past_force_sum(past[0] + c, 6) + (now ? rv_force_tap[0] * now[c] : 0.0);
        work += h * mean[c] * sum / RV_FORCE_TAP_SUM;
    }
    return work;
}

double rv_pushes_work(const rvPush* pushes, const rvBodyStore* bodies, double h)
{
    double work = 0.0, mean[6];
    for (int k = 0; k < RV_PUSHES; ++k) {
        int body = (int)fmin(fmax(pushes[k].body, 0.0), bodies->pool.count) - 1;
        if (body < 0 || !rv_body_alive(bodies, body))
            continue;
        rv_grip_mean_velocity(bodies, body, mean);
        work += rv_grip_body_work(mean, NULL, (const double(*)[6])pushes[k].past, h);
    }
    return work;
}
