// SPDX-License-Identifier: MIT
// Moves bodies by the solved velocities.
//
// Translation: x' = x + h v'. Rotation: the angular momentum L = I(q) w' is kept in space while the body turns freely
// for h, then w = I(q')^-1 L. So the gyroscopic torque is never a force: the free flow is split into turns about the
// principal axes,
//   T1(h/2) T2(h/2) T3(h) T2(h/2) T1(h/2),   Ti(t): turn about axis i by t m_i/I_i,  m = L in the principal frame,
// each of which is an exact rotation. |L| is kept to round-off, the energy error is bounded (it is symplectic, of second
// order), and the energy can never exceed |L|^2/(2 I_min): it cannot explode at any spin.
// Proxies are moved too, as far as we know what moves them: a cable's inside then advances along the way that its bodies
// take, and what the host says afterwards is a small correction (docs/hosts.md).
#include "body/body.h"

enum { MAX_TURNS = 32 }; // sub-steps of a very fast spin

// Turns body-frame momentum m and orientation q about principal axis `axis` (0, 1, 2) for time t. q is left longer than
// one: all turns are brought back to unit length together.
static inline void turn_about(double m[3], double q[4], int axis, double t, double inverseInertia)
{
    int j = (axis + 1) % 3, k = (axis + 2) % 3;
    double half = 0.5 * t * m[axis] * inverseInertia;
    // rational form of the half angle's tangent: an exact rotation, its angle right to the seventh order
    double square = half * half;
    double tangent = half * (1.0 + square * (1.0 / 3.0 + square * (2.0 / 15.0)));
    double f = 1.0 / (1.0 + tangent * tangent);
    double cos2 = (1.0 - tangent * tangent) * f, sin2 = 2.0 * tangent * f;
    double mj = m[j], mk = m[k];
    m[j] = cos2 * mj + sin2 * mk;
    m[k] = cos2 * mk - sin2 * mj;
    // q <- q * (1, tangent along the axis)
    double w = q[0], a = q[1 + axis], b = q[1 + j], d = q[1 + k];
    q[0] = w - tangent * a;
    q[1 + axis] = a + tangent * w;
    q[1 + j] = b + tangent * d;
    q[1 + k] = d - tangent * b;
}

static void turn_freely(rvBody* body, rvVec3 w, double h)
{
    rvBodyState* s = &body->state;
    rvQuat frame = rvQuatMul(s->q, body->principalAxes);
    rvVec3 local = rvRotateBack(frame, w);
    const double inverse[3] = {1.0 / body->principal.x, 1.0 / body->principal.y, 1.0 / body->principal.z};
    double m[3] = {body->principal.x * local.x, body->principal.y * local.y, body->principal.z * local.z};
    double q[4] = {frame.w, frame.x, frame.y, frame.z};
    // as fast as it turns about L: kept by the free motion, as is then the number of sub-steps, which must not change
    // along the way (|w| would change it, and the energy with it)
    double momentum = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    double angle = momentum > 0.0 ? h * (m[0] * local.x + m[1] * local.y + m[2] * local.z) / momentum : 0.0;
    int turns = angle > 0.2 ? (int)fmin(MAX_TURNS, ceil(angle / 0.2)) : 1;
    double t = h / turns;
    for (int i = 0; i < turns; ++i) {
        turn_about(m, q, 0, 0.5 * t, inverse[0]);
        turn_about(m, q, 1, 0.5 * t, inverse[1]);
        turn_about(m, q, 2, t, inverse[2]);
        turn_about(m, q, 1, 0.5 * t, inverse[1]);
        turn_about(m, q, 0, 0.5 * t, inverse[0]);
    }
    // a steady spin rounds alike in every sub-step: without this |L| would drift by a rounding each
    double keep = momentum > 0.0 ? momentum / sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]) : 1.0;
    frame = rvQuatNormalize((rvQuat){q[0], q[1], q[2], q[3]});
    s->w = rvRotate(frame, rvVec(keep * m[0] * inverse[0], keep * m[1] * inverse[1], keep * m[2] * inverse[2]));
    s->q = rvQuatNormalize(rvQuatMul(frame, rvQuatConj(body->principalAxes)));
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

void rv_bodies_advance(rvBodyStore* store, const rvStepContext* context)
{
    double h = context->h;
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
        turn_freely(body, rvVec(v[3], v[4], v[5]), h);
    }
}
