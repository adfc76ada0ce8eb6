// SPDX-License-Identifier: MIT
// Geometric stiffness and drag of the forces that joints and cables give bodies.
//
// Geometric stiffness of a force F held at arm r: -d(r x F)/d angle = (r.F) I - r F^T. Of that the part
//   (r.F) (I - r r^T/r^2)
// is kept: it is symmetric and, as the whole, lets the body turn freely about r. (The symmetric part of the whole does
// not: it drives a link of a whirling chain to spin about its own axis without end.)
// With K the positive part of the sum over the body's forces, the angular mass is
//   I + A,  A = (c h^2/4) K,  acting on the *change* of velocity: the average-acceleration rule for the turning of
// constraint directions within a step (docs/theory/geometric_stiffness.md). With constant A it holds w^T A w/2 of the
// body's energy and gives it back. Where a tension rises while the body turns it would give more than it took, where it
// falls less: so A turns as fast as what it holds says, A (w' - a w) instead of A (w' - w),
//   a^2 = (what it held at the end of the last step)/(w^T A w/2)
// (a flywheel that keeps its energy while it becomes heavier).
// Ports of cables take the arm as it is after the step. Passes have it where the one before found the body, w*, the
// first one of elements where its own turning takes it: what is left of the arm's turning is A (w' - w*), which
// vanishes as the passes settle, and holds no energy. A body that is so light, h^2 K hundreds of times its moment of
// inertia I, turns by many radians in a step in which its ropes snap taut or go slack: the moments of past forces,
// which are balanced but for a little, are left to it alone, most of all about its own axis, where no rope holds it.
// Passes do not settle then, and what they end with is energy from nothing. It is lent as much inertia as the step can
// follow, about all axes,
//   E = e^2/(e + I),  e = 0.04 h^2 sum of |r| |F|,  F the largest force of the port in the last steps
// which is nothing where the step resolves its turning. E (w' - w) would bring E w^2/2 along, from nothing, where ropes
// snap taut on a body that spins: all that a hook of a kilogram and 300 rad/s gave them. So it is E (w' - b w), of
// which no more than E w^2 (1 + b)^2/8 comes back whatever w' is, and that is what it took before, T:  b = 2 sqrt(T/(E
// w^2/2)) - 1, at most 1. Both are counted (world/guard.c).
//
// Drag: links of a light chain also vibrate against each other, faster than the step can follow. Two neighbours that
// pull on each other with force F, k = min(-r_A.F, r_B.F), feel the torque  h k (w_other - w')  across their arms:
// implicit in the own turning, with the neighbour's of the step before, so that the mass matrix stays block-diagonal. A
// swing, in which neighbours turn alike, feels nothing of it.
// A light body that a span pulls at arm r with T is dragged the same way, k = |r| T, to the turning of the span,
// whichever way the arm points: a hook that tumbles faster than the step sees takes energy from the cable, without end.
// At a port of elements it is dragged to a stop, but only where it tumbles, by some tenths of a radian a step: a turn
// and that less a whole one end alike, passes settle on either, and what pulls it round by the long way is energy from
// nothing. By no more than some of its own inertia I, h^2 k <= 3 I: drag may give where ropes throw the body back, an
// eighth of h^2 k w^2, so that must not be more than its own turning holds.
#include "body/joint.h"

#include "math/extreme.h"
#include "math/sym3.h"

#define LENT 0.04 // of h^2 times what ports pull with, as inertia: a tenth of it was too little for a hook of 0.2 kg

// Drag begins where h^2 k/I passes DRAG_FROM (a slower swing of two links is resolved by the step and must not be
// damped) and is whole at DRAG_FULL.
#define DRAG 1.0
#define DRAG_FROM 1.0
#define DRAG_FULL 4.0

// Drag to a span: SPAN_LEAST of it always, all where the body turns by SPAN_TURN [rad] against it in a step; that even
// where it is heavier, by 1/SPAN_HEAVY, than what else is dragged.
#define SPAN_LEAST 0.05
#define SPAN_TURN 0.2
#define SPAN_HEAVY 0.1

// Drag at a port: none where the body turns by less than TUMBLE_FROM [rad] in a step, which that follows, all from
// TUMBLE_FULL on; at most so many times its own inertia.
#define TUMBLE_FROM 0.2
#define TUMBLE_FULL 0.5
#define TUMBLE_MOST 3.0

// The stiffness of a force at arm r, and so much drag to this turning [rad/s] across the arm.
static inline __attribute__((always_inline)) void add_pull(rvBody* body, rvVec3 r, rvVec3 force, double drag,
                                                           rvVec3 turning)
{
    double square = rvDot(r, r), along = rvDot(r, force);
    if (!(square > 0.0))
        return;
    body->pulled = true;
    rvVec3 u = rvScale(1.0 / square, r);
    const double across[6] = {1.0 - u.x * r.x, -u.x * r.y, -u.x * r.z, 1.0 - u.y * r.y, -u.y * r.z, 1.0 - u.z * r.z};
    for (int k = 0; k < 6; ++k)
        body->stiffness[k] += along * across[k];
    body->pressed = body->pressed || along < 0.0;
    if (!(drag > 0.0))
        return;
    for (int k = 0; k < 6; ++k)
        body->drag[k] += drag * across[k];
    body->dragPull = rvMulAdd(body->dragPull, drag, rv_sym3_vec(across, rvSub(turning, body->state.w)));
}

void rv_body_add_stiffness(rvBody* body, rvVec3 arm, rvVec3 force)
{
    add_pull(body, arm, force, 0.0, body->state.w);
}

void rv_body_add_port_stiffness(rvBody* body, rvVec3 arm, rvVec3 force, rvVec3 spin)
{
    double before[6];
    for (int k = 0; k < 6; ++k)
        before[k] = body->stiffness[k];
    rv_body_add_stiffness(body, arm, force);
    for (int k = 0; k < 6; ++k)
        body->portStiffness[k] += body->stiffness[k] - before[k];
    body->passSpin = spin;
    body->ported = true;
}

void rv_body_lend_inertia(rvBody* body, const rvStepContext* context)
{
    double e = context->atRest ? 0.0 : LENT * context->h * context->h * body->portPull;
    if (!(e > 0.0)) {
        body->lentInertia = 0.0;
        body->lentAhead = rvVec(0, 0, 0);
        body->state.lentEnergy = body->state.guardFresh != 0.0 ? 0.0 : body->state.lentEnergy;
        return;
    }
    double least = rv_smaller(body->principal.x, rv_smaller(body->principal.y, body->principal.z));
    body->lentInertia = e * e / (e + least);
    rvBodyState* s = &body->state;
    double turning = 0.5 * body->lentInertia * rvDot(s->w, s->w);
    body->lentAhead = rvVec(0, 0, 0);
    if (s->guardFresh != 0.0) // as if it had always turned so
        s->lentEnergy = turning;
    if (turning > s->lentEnergy)
        body->lentAhead = rvScale(2.0 * body->lentInertia * (sqrt(s->lentEnergy / turning) - 1.0), s->w);
}

static double lent_work(const rvBody* body, rvVec3 w)
{
    rvVec3 impulse = rvSub(rvScale(body->lentInertia, rvSub(w, body->lastW)), body->lentAhead);
    return -0.5 * rvDot(rvAdd(w, body->lastW), impulse);
}

void rv_body_keep_lent(rvBody* body, rvVec3 w)
{
    if (body->lentInertia == 0.0)
        return;
    body->state.lentEnergy = rv_larger(0.0, body->state.lentEnergy - lent_work(body, w)); // round-off may be less
}

double rv_body_lent_work(const rvBody* body, const rvStepContext* context, rvVec3 w)
{
    double work = body->lentInertia > 0.0 ? lent_work(body, w) : 0.0;
    if (!body->ported)
        return work;
    double left[6], weight = 0.25 * context->geometricStiffness * context->h * context->h;
    for (int k = 0; k < 6; ++k)
        left[k] = weight * body->portStiffness[k];
    rvVec3 impulse = rv_sym3_vec(left, rvSub(w, body->passSpin));
    return work - 0.5 * rvDot(rvAdd(w, body->lastW), impulse);
}

double rv_body_turning_loss(const rvBody* body, double h, rvVec3 w, double* byDrag)
{
    *byDrag = 0.0;
    if (!body->stiffened && !body->pulled)
        return 0.0;
    rvVec3 faster = rvSub(w, body->lastW);
    rvVec3 stiff = rvSub(body->ahead, rv_sym3_vec(body->addedInertia, faster));
    rvVec3 dragged = rvSub(body->dragPull, rv_sym3_vec(body->drag, faster));
    *byDrag = -0.5 * h * h * rvDot(rvAdd(w, body->lastW), dragged);
    return -0.5 * rvDot(rvAdd(w, body->lastW), rvMulAdd(stiff, h * h, dragged));
}

static double largest_moment(const rvBody* body)
{
    return rv_larger(body->principal.x, rv_larger(body->principal.y, body->principal.z));
}

// The share of k that drags a turning of this inertia: nothing where the step resolves it.
static double drag_of(double k, double inertia, double h)
{
    double stiffness = h * h * k / inertia;
    return stiffness > DRAG_FROM ? DRAG * k * rv_smaller(1.0, (stiffness - DRAG_FROM) / (DRAG_FULL - DRAG_FROM)) : 0.0;
}

// How firmly the turning of two bodies is tied that pull on each other by `force` on b at these arms [N m/rad].
static inline double joint_drag(const rvBody* a, const rvBody* b, rvVec3 armA, rvVec3 armB, rvVec3 force, double h)
{
    double k = rv_smaller(-rvDot(armA, force), rvDot(armB, force));
    return k > 0.0 ? drag_of(k, rv_smaller(largest_moment(a), largest_moment(b)), h) : 0.0;
}

void rv_body_add_span_drag(rvBody* body, rvVec3 arm, double tension, rvVec3 turning, double h)
{
    double length = rvLength(arm), k = tension * length, inertia = largest_moment(body);
    if (!(k > 0.0))
        return;
    // across the arm: about it the body turns as it likes
    double turned = h * rvLength(rvCross(arm, rvSub(turning, body->state.w))) / (length * SPAN_TURN);
    // little for the small swings of a hook, which cost the load's swing energy, whole where it tumbles
    double swing = drag_of(SPAN_LEAST * k, inertia, h);
    double tumble = fmin(1.0, turned * turned) * drag_of(k, SPAN_HEAVY * inertia, h);
    add_pull(body, arm, rvVec(0, 0, 0), rv_larger(swing, tumble), turning);
}

void rv_body_add_tumble_drag(rvBody* body, rvVec3 arm, double pull, double h)
{
    double length = rvLength(arm), inertia = largest_moment(body);
    double turn = length > 0.0 ? h * rvLength(rvCross(arm, body->state.w)) / length : 0.0; // across the arm
    if (!(turn > TUMBLE_FROM))
        return;
    double share = rv_smaller(1.0, (turn - TUMBLE_FROM) / (TUMBLE_FULL - TUMBLE_FROM));
    double drag = rv_smaller(drag_of(pull * length, SPAN_HEAVY * inertia, h), TUMBLE_MOST * inertia / (h * h));
    add_pull(body, arm, rvVec(0, 0, 0), share * drag, rvVec(0, 0, 0));
}

// The force F of a joint acts on B at r_B and turns the arm with B: stiffness of F at r_B. On A it is -F at r_A. Where
// the direction of F is fixed in A (slider) it is F that turns with A and not the arm R = r_A + d: the torque -R x F
// changes by -R x (angle x F), whose symmetric part is that of +F at R.
void rv_joints_add_stiffness(const rvJointStore* store, rvBodyStore* bodies, const rvStepContext* context)
{
    for (int i = 0; i < store->pool.count; ++i) {
        if (!rv_id_pool_alive(&store->pool, i))
            continue;
        const rvJoint* joint = &store->items[i];
        rvBody* a = joint->bodyA >= 0 ? &bodies->items[joint->bodyA] : NULL;
        rvBody* b = joint->bodyB >= 0 ? &bodies->items[joint->bodyB] : NULL;
        rvVec3 force = rvScale(1.0 / context->h, joint->state.push);
        rvVec3 withA = rvScale(1.0 / context->h, joint->state.pushWithA);
        bool pushedA = a && rv_body_is_pushed(a), pushedB = b && rv_body_is_pushed(b);
        rvVec3 armA = a ? rvRotate(a->state.q, joint->frameA.p) : joint->frameA.p;
        rvVec3 armB = b ? rvRotate(b->state.q, joint->frameB.p) : joint->frameB.p;
        bool both = pushedA && pushedB;
        double drag = both ? joint_drag(a, b, armA, armB, force, context->h) : 0.0;
        if (pushedB)
            add_pull(b, armB, rvAdd(force, withA), drag, both ? a->state.w : b->state.w);
        if (pushedA)
            add_pull(a, armA, rvNeg(force), drag, both ? b->state.w : a->state.w);
        if (pushedA && rvDot(withA, withA) > 0.0) {
            rvVec3 end = b ? rvAdd(b->state.x, armB) : armB; // of R
            rv_body_add_stiffness(a, rvSub(end, a->state.x), withA);
        }
    }
}
