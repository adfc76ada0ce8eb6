// SPDX-License-Identifier: MIT
// Moves bodies by the solved velocities.
//
// Translation: x' = x + h v'. Rotation: the angular momentum L = I(q) w' is kept in space while the body turns freely
// for h, then w = I(q')^-1 L. So the gyroscopic torque is never a force. With m = L in the principal frame and I_0 the
// middle one of the moments the energy is that of a ball and of two axes,
//   E = |L|^2/(2 I_0) + sum_i m_i^2 k_i/2,   k_i = 1/I_i - 1/I_0,   i = 1, 2
// A ball turns about L, which leaves m alone and may be done at any time; the axes are split:
//   T1(h/2) T2(h) T1(h/2),   Ti(t): turn about axis i by t m_i k_i
// each of which is an exact rotation. |L| is kept to round-off, the energy error is bounded (it is symplectic, of
// second order), and the energy can never exceed |L|^2/(2 I_min): it cannot explode at any spin. The error goes by k_1
// k_2, which is least for the middle moment and nothing for a top with two equal ones: a needle that spins by a radian
// in a step, and whose two large moments are nearly equal, keeps its energy.
// Proxies are moved too, as far as we know what moves them: a cable's inside then advances along the way that its
// bodies take, and what the host says afterwards is a small correction (docs/hosts.md).
#include "body/body.h"

#include "math/extreme.h"
#include "math/sym3.h"

enum { MAX_TURNS = 32 }; // sub-steps of a very fast spin

// Of half the angle, by its square: tangent/half. Whatever it is, a quaternion (1, tangent) is an exact rotation; its
// angle is right to the seventh order.
#define HALF_TANGENT(square) (1.0 + (square) * (1.0 / 3.0 + (square) * (2.0 / 15.0)))

// The turns of one body wait for each other, so four bodies turn side by side, each in its lane.
enum { LANES = 4 };
typedef double Lanes __attribute__((vector_size(LANES * sizeof(double))));

typedef struct {
    rvBody* body[LANES];
    double momentum[LANES]; // |L|
    int turns[LANES], mostTurns;
    int count;
    int first[LANES]; // the principal axis that comes first, that of the middle moment; the others in cyclic order
    Lanes m[3], q[4], ball; // L and orientation of the principal frame, 1/I_0
    Lanes rate[3];          // k of the axes, none for the first
} Batch;

// Turns about principal axis `axis` (0, 1, 2) for time t. q is left longer than one: all turns are brought back to unit
// length together.
static inline __attribute__((always_inline)) void turn_about(Batch* batch, int axis, const Lanes* t)
{
    int j = (axis + 1) % 3, k = (axis + 2) % 3;
    Lanes *m = batch->m, *q = batch->q;
    Lanes half = 0.5 * *t * m[axis] * batch->rate[axis];
    Lanes square = half * half;
    Lanes tangent = half * HALF_TANGENT(square);
    Lanes f = 1.0 / (1.0 + tangent * tangent);
    Lanes cos2 = (1.0 - tangent * tangent) * f, sin2 = 2.0 * tangent * f;
    Lanes mj = m[j], mk = m[k];
    m[j] = cos2 * mj + sin2 * mk;
    m[k] = cos2 * mk - sin2 * mj;
    // q <- q * (1, tangent along the axis)
    Lanes w = q[0], a = q[1 + axis], b = q[1 + j], d = q[1 + k];
    q[0] = w - tangent * a;
    q[1 + axis] = a + tangent * w;
    q[1 + j] = b + tangent * d;
    q[1 + k] = d - tangent * b;
}

// Turns about L for time t, as a ball of moment I_0 does.
static inline __attribute__((always_inline)) void turn_about_momentum(Batch* batch, const Lanes* t)
{
    const Lanes* m = batch->m;
    Lanes* q = batch->q;
    Lanes scale = 0.5 * *t * batch->ball;
    Lanes a = scale * m[0], b = scale * m[1], d = scale * m[2];
    Lanes square = a * a + b * b + d * d;
    Lanes f = HALF_TANGENT(square);
    a *= f;
    b *= f;
    d *= f;
    // q <- q * (1, a, b, d)
    Lanes w = q[0], x = q[1], y = q[2], z = q[3];
    q[0] = w - x * a - y * b - z * d;
    q[1] = x + w * a + y * d - z * b;
    q[2] = y + w * b + z * a - x * d;
    q[3] = z + w * d + x * b - y * a;
}

static int middle_axis(rvVec3 moments)
{
    double x = moments.x, y = moments.y, z = moments.z;
    if ((x - y) * (z - x) >= 0.0)
        return 0;
    return (y - x) * (z - y) >= 0.0 ? 1 : 2;
}

static void put_lane(Batch* batch, rvBody* body, rvVec3 w, double h)
{
    if (batch->count == 0) // lanes that stay empty turn as nothing
        *batch = (Batch){.count = 0};
    int lane = batch->count++, first = middle_axis(body->principal);
    rvQuat frame = rvQuatMul(body->state.q, body->principalAxes);
    rvVec3 local = rvRotateBack(frame, w), inertia = body->principal;
    rvVec3 m = rvVec(inertia.x * local.x, inertia.y * local.y, inertia.z * local.z);
    // as fast as it turns about L: kept by the free motion, as is then the number of sub-steps, which must not change
    // along the way (|w| would change it, and the energy with it)
    double momentum = rvLength(m), angle = momentum > 0.0 ? h * rvDot(m, local) / momentum : 0.0;
    int turns = angle > 0.2 ? (int)rv_smaller(MAX_TURNS, ceil(angle / 0.2)) : 1;
    batch->body[lane] = body;
    batch->momentum[lane] = momentum;
    batch->turns[lane] = turns;
    batch->mostTurns = turns > batch->mostTurns ? turns : batch->mostTurns;
    const double momenta[3] = {m.x, m.y, m.z}, moments[3] = {inertia.x, inertia.y, inertia.z};
    const double axes[3] = {frame.x, frame.y, frame.z};
    double ball = 1.0 / moments[first];
    batch->first[lane] = first;
    batch->ball[lane] = ball;
    batch->q[0][lane] = frame.w;
    for (int k = 0; k < 3; ++k) { // the product of quaternions does not mind a cyclic order
        int axis = (first + k) % 3;
        batch->m[k][lane] = momenta[axis];
        batch->rate[k][lane] = 1.0 / moments[axis] - ball;
        batch->q[k + 1][lane] = axes[axis];
    }
}

static void take_lane(const Batch* batch, int lane)
{
    rvBody* body = batch->body[lane];
    const Lanes* q = batch->q;
    int x = (3 - batch->first[lane]) % 3, y = (x + 1) % 3, z = (x + 2) % 3; // where the axes are in the lane
    rvVec3 m = rvVec(batch->m[x][lane], batch->m[y][lane], batch->m[z][lane]), inertia = body->principal;
    // a steady spin rounds alike in every sub-step: without this |L| would drift by a rounding each
    double keep = batch->momentum[lane] > 0.0 ? batch->momentum[lane] / rvLength(m) : 1.0;
    rvQuat frame = rvQuatNormalize((rvQuat){q[0][lane], q[1 + x][lane], q[1 + y][lane], q[1 + z][lane]});
    rvVec3 w = rvVec(keep * m.x / inertia.x, keep * m.y / inertia.y, keep * m.z / inertia.z);
    body->state.w = rvRotate(frame, w);
    body->state.q = rvQuatNormalize(rvQuatMul(frame, rvQuatConj(body->principalAxes)));
}

// Turns the bodies of a batch freely and empties it.
static void turn_freely(Batch* batch, double h)
{
    for (int i = 0; i < batch->mostTurns; ++i) {
        Lanes whole = {0};
        for (int lane = 0; lane < batch->count; ++lane)
            whole[lane] = i < batch->turns[lane] ? h / batch->turns[lane] : 0.0;
        Lanes part = 0.5 * whole;
        turn_about(batch, 1, &part);
        turn_about(batch, 2, &whole);
        turn_about(batch, 1, &part);
        turn_about_momentum(batch, &whole);
    }
    for (int lane = 0; lane < batch->count; ++lane)
        take_lane(batch, lane);
    batch->count = batch->mostTurns = 0;
}

// The spin of a body with three equal moments does not change: it turns about it, once.
static void turn_ball(rvBodyState* s, rvVec3 w, double h)
{
    rvVec3 half = rvScale(0.5 * h, w);
    double square = rvDot(half, half), f = HALF_TANGENT(square);
    rvQuat turn = {1.0, f * half.x, f * half.y, f * half.z};
    s->w = w;
    s->q = rvQuatNormalize(rvQuatMul(square <= 0.01 ? turn : rvQuatFromRotation(rvScale(h, w)), s->q));
}

// A prescribed body is at its target now; where none was given it moves on with its velocity.
static void move_as_told(rvBody* body, double h)
{
    rvBodyState* s = &body->state;
    if (s->hasTarget > 0.0) {
        s->q = rvQuatNormalize(s->target.q);
        s->x = rvPosePoint((rvPose){s->target.p, s->q}, body->center);
        s->hasTarget = -1.0;
    } else {
        s->x = rvMulAdd(s->x, h, s->v);
        s->q = rvQuatNormalize(rvQuatMul(rvQuatFromRotation(rvScale(h, s->w)), s->q));
    }
}

double rv_bodies_advance(rvBodyStore* store, const rvStepContext* context)
{
    double h = context->h, fastest = 0.0;
    Batch batch; // cleared where a body is put into it: balls need none
    batch.count = batch.mostTurns = 0;
    for (int i = 0; i < store->pool.count; ++i) {
        rvBody* body = &store->items[i];
        rvBodyState* s = &body->state;
        s->force = s->torque = rvVec(0, 0, 0);
        if (!rv_body_alive(store, i) || body->type == RV_BODY_STATIC)
            continue;
        // a proxy of known mass goes where it is expected; its host says later where it really is
        if (!rv_body_is_pushed(body) || s->hasTarget > 0.0) {
            move_as_told(body, h);
            continue;
        }
        const double* v = store->velocity[i];
        s->v = rvVec(v[0], v[1], v[2]);
        s->x = rvMulAdd(s->x, h, s->v);
        rvVec3 w = rvVec(v[3], v[4], v[5]);
        fastest = rv_larger(fastest, rvDot(w, w));
        rv_body_keep_lent(body, w);
        s->stiffEnergy = 0.0;
        if (body->stiffened) // round-off may be less than nothing
            s->stiffEnergy = rv_larger(0.0, 0.5 * rvDot(w, rv_sym3_vec(body->addedInertia, w)));
        if (body->principal.x == body->principal.y && body->principal.y == body->principal.z)
            turn_ball(s, w, h);
        else
            put_lane(&batch, body, w, h);
        if (batch.count == LANES)
            turn_freely(&batch, h);
    }
    if (batch.count > 0)
        turn_freely(&batch, h);
    return sqrt(fastest);
}
