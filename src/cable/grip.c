// SPDX-License-Identifier: MIT
#include "cable/grip.h"

#include "math/sym3.h"

rvGrip rv_grip_of(const rvPlace* place, int index, const rvBodyStore* bodies)
{
    rvGrip grip = {.place = index, .body = place->body, .clamped = place->clamped, .local = place->local, .row = -1};
    grip.direction = place->clamped ? rvScale(1.0 / rvLength(place->direction), place->direction) : rvVec(0, 0, 0);
    grip.pushed = place->body >= 0 && rv_body_is_pushed(&bodies->items[place->body]);
    return grip;
}

void rv_grip_expect(rvGrip* grip, const rvGripState* state, const rvBodyStore* bodies, double h)
{
    const rvBody* body = &bodies->items[grip->body];
    rvVec3 change = rvSub(body->state.w, state->spin);
    change = rv_sym3_vec(bodies->inverse[grip->body] + 1, rv_sym3_vec(body->inertia, change));
    grip->spin = body->state.w;
    grip->expected = rvAdd(body->state.w, change);
    rvQuat q = rvQuatMul(rvQuatFromRotation(rvScale(h, grip->expected)), body->state.q);
    grip->arm = rvRotate(q, grip->local);
    grip->turned = rvRotate(q, grip->direction);
}

void rv_grip_add_load(rvBody* body, const double* past, bool pushed)
{
    static const double weight[3] = {12.0 / 27.0, 6.0 / 27.0, 1.0 / 27.0};
    double sum[6] = {0};
    for (int i = 0; i < 3; ++i)
        for (int c = 0; c < 6; ++c)
            sum[c] -= (pushed ? weight[i] : i == 0) * past[6 * i + c];
    body->ropeForce = rvAdd(body->ropeForce, rvVec(sum[0], sum[1], sum[2]));
    body->ropeTorque = rvAdd(body->ropeTorque, rvVec(sum[3], sum[4], sum[5]));
}

void rv_grip_add_stiffness(const rvGrip* grip, const rvGripState* state, rvBodyStore* bodies)
{
    rvBody* body = &bodies->items[grip->body];
    const double* f = state->past[0];
    rv_body_add_stiffness(body, rvRotate(body->state.q, grip->local), rvVec(-f[0], -f[1], -f[2]));
}
