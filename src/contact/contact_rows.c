// SPDX-License-Identifier: MIT
// Contacts as rows: one group for each pair of bodies, three rows for each point.
//
// With n from A to B, arms rA, rB to the point and u the relative velocity  vB + wB x rB - vA - wA x rA:
//   normal     J v = n.u,   x_n >= 0.   Position row (stepping.h) of the gap  phi = RestDepth - depth,  compliance and
//              damping of the two shapes; a gap (phi > 0) may close within the step and not more. The approach speed is
//              not carried on: only a parting one enters the rate, so that an impact is inelastic. With restitution e
//              and an approach faster than BounceSpeed the bias is at least e times the approach speed. A push out of
//              an overlap is not faster than PushSpeed.
//   tangents   J v = t.u,   |x_t| <= mu x_n.   Position rows of the shear s of the two surfaces, with the compliance of
//              the normal: while a point sticks, s is a spring (it holds without creep); when it slides, s stays at the
//              stretch that carries mu x_n. s is measured by the poses, from step to step (contact.c).
//
// The friction cone is approximated by a square, turned so that its first side looks along the slip: there the bound is
// mu x_n exactly, whatever the direction; at most it is sqrt(2) mu x_n, 45 degrees off the slip. The slip is that of
// the velocity without rows where the point moves; for a point at rest it is against the friction of the last step, of
// the whole group where its points agree (the points' shares may pull against each other), else of the point.
#include "contact/contact_store.h"

#include <math.h>

static const double RestDepth = 1e-5;   // overlap at rest [m]: keeps unloaded points from flickering
static const double BounceSpeed = 0.5;  // slower impacts do not bounce [m/s]
static const double PushSpeed = 1.0;    // out of an overlap [m/s]
static const double SlideSpeed = 1e-3;  // below it a point is at rest for the choice of the slip's direction [m/s]
static const double LeastDamping = 0.5; // damping time [steps]; below, inelastic impacts with position rows ring
// A contact of inverse mass w gives by w T^2 at least: it vibrates with 1/T = 1250/s along the normal and 400/s across
// it, 20 and 6 times what a step of 1/60 s can follow. A stiffer spring is no different for the step, but bounds are
// many times harder to find where stiff contacts share a load (boxes on boxes, heaps). A body sinks by g T^2 = 6
// micrometres under its own weight. Shorter steps than ShortStep have stiffer contacts.
static const double NormalTime = 8e-4;   // [s]
static const double TangentTime = 25e-4; // [s]
static const double ShortStep = 0.01;    // [s]

typedef struct {
    const rvBody *a, *b;
    rvVec3 armA, armB;
} arms;

static rvVec3 relative(rvVec3 vA, rvVec3 wA, rvVec3 vB, rvVec3 wB, const arms* r)
{
    return rvSub(rvAdd(vB, rvCross(wB, r->armB)), rvAdd(vA, rvCross(wA, r->armA)));
}

static rvVec3 flat(rvVec3 v, rvVec3 n)
{
    return rvMulAdd(v, -rvDot(v, n), n);
}

static rvVec3 free_velocity(const rvContactState* state, const rvBodyStore* bodies, const arms* r)
{
    const double* a = bodies->freeVelocity[state->bodyA];
    const double* b = bodies->freeVelocity[state->bodyB];
    return relative(rvVec(a[0], a[1], a[2]), rvVec(a[3], a[4], a[5]), rvVec(b[0], b[1], b[2]), rvVec(b[3], b[4], b[5]),
                    r);
}

// What the points of a group did in the last step, together.
typedef struct {
    rvVec3 friction;
    double sum; // of the points' lengths
} groupPull;

static void choose_slip(rvContact* contact, rvVec3 velocity, rvVec3 freeVelocity, const groupPull* pull)
{
    rvVec3 n = contact->state.normal;
    rvVec3 group = flat(pull->friction, n);
    rvVec3 own = flat(contact->lastFriction, n);
    rvVec3 slip = flat(freeVelocity, n);
    if (rvLength(flat(velocity, n)) <= SlideSpeed) {
        if (rvLength(group) > 0.3 * pull->sum)
            slip = rvNeg(group);
        else if (rvLength(own) > 0.0)
            slip = rvNeg(own);
    }
    double length = rvLength(slip);
    contact->slip = length > 1e-12 ? rvScale(1.0 / length, slip) : rvAcross(n);
    contact->across = rvCross(n, contact->slip);
}

static void set_jacobian(double j[6], double sign, rvVec3 direction, rvVec3 arm)
{
    rvVec3 turn = rvCross(arm, direction);
    j[0] = sign * direction.x;
    j[1] = sign * direction.y;
    j[2] = sign * direction.z;
    j[3] = sign * turn.x;
    j[4] = sign * turn.y;
    j[5] = sign * turn.z;
}

static void write_normal(rvRow* row, const rvContact* contact, const rvStepContext* context, double speed, double tau)
{
    double phi = RestDepth - contact->state.depth;
    rv_row_set_position(row, context, phi, fmax(0.0, speed), contact->give[0], tau);
    if (phi > 0.0)
        row->bias = -phi / context->h;
    double push = PushSpeed + row->compliance * contact->lastNormal;
    row->bias = fmin(row->bias, fmax(push, speed));
    if (-speed > BounceSpeed && contact->restitution > 0.0 && -speed * context->h > phi) {
        row->bias = fmax(row->bias, -contact->restitution * speed);
        // the spring is given back within the step: a heavy body bounces as high as a light one
        row->compliance *= 1e-3;
    }
    row->lower = 0.0;
    row->mode = (int16_t)contact->state.mode[0];
    row->impulse = contact->state.normalImpulse;
}

static void write_tangent(rvRow* row, const rvContact* contact, const rvStepContext* context, int side, double speed,
                          double tau)
{
    rvVec3 t = side == 0 ? contact->slip : contact->across;
    rv_row_set_position(row, context, contact->shear[side], speed, contact->give[1], tau);
    row->lower = row->upper = 0.0;
    row->leanLower = -contact->friction;
    row->leanUpper = contact->friction;
    row->leanFirst = (int16_t)contact->row;
    row->leanCount = 1;
    row->mode = (int16_t)contact->state.mode[1 + side];
    row->impulse = rvDot(contact->state.frictionImpulse, t);
}

static void write_contact(rvContact* contact, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows,
                          const groupPull* pull)
{
    const rvContactState* s = &contact->state;
    arms r = {&bodies->items[s->bodyA], &bodies->items[s->bodyB], {0, 0, 0}, {0, 0, 0}};
    r.armA = rvSub(s->point, r.a->state.x);
    r.armB = rvSub(s->point, r.b->state.x);
    rvVec3 velocity = relative(r.a->state.v, r.a->state.w, r.b->state.v, r.b->state.w, &r);
    choose_slip(contact, velocity, free_velocity(s, bodies, &r), pull);
    contact->shear[0] = rvDot(contact->shearBefore, contact->slip);
    contact->shear[1] = rvDot(contact->shearBefore, contact->across);
    double tau = fmax(contact->damping, LeastDamping * context->h);
    rvRow* row = rv_group_rows(rows, contact->group) + contact->row;
    double scale = fmin(1.0, context->h / ShortStep);
    double give = scale * scale * (bodies->inverse[s->bodyA][0] + bodies->inverse[s->bodyB][0]);
    contact->give[0] = fmax(contact->compliance, give * NormalTime * NormalTime);
    contact->give[1] = fmax(contact->compliance, give * TangentTime * TangentTime);
    write_normal(&row[0], contact, context, rvDot(velocity, s->normal), tau);
    write_tangent(&row[1], contact, context, 0, rvDot(velocity, contact->slip), tau);
    write_tangent(&row[2], contact, context, 1, rvDot(velocity, contact->across), tau);
    rvVec3 directions[3] = {s->normal, contact->slip, contact->across};
    int slot = 0;
    for (int side = 0; side < 2; ++side) {
        if (!rv_body_moves(side == 0 ? r.a : r.b))
            continue;
        double(*j)[6] = rv_group_jacobian(rows, contact->group, slot++);
        for (int k = 0; k < 3; ++k)
            set_jacobian(j[contact->row + k], side == 0 ? -1.0 : 1.0, directions[k], side == 0 ? r.armA : r.armB);
    }
}

// Contacts first..end - 1 are those of one pair of bodies.
static void write_group(rvContactStore* store, int first, int end, const rvBodyStore* bodies,
                        const rvStepContext* context, rvRows* rows)
{
    const rvContactState* pair = &store->now.items[first].state;
    int list[2], count = 0;
    if (rv_body_moves(&bodies->items[pair->bodyA]))
        list[count++] = pair->bodyA;
    if (rv_body_moves(&bodies->items[pair->bodyB]))
        list[count++] = pair->bodyB;
    int group = rv_rows_add(rows, RV_GROUP_CONTACT, first, 3 * (end - first), list, count);
    groupPull pull = {{0, 0, 0}, 0.0};
    for (int i = first; i < end; ++i) {
        pull.friction = rvAdd(pull.friction, store->now.items[i].lastFriction);
        pull.sum += rvLength(store->now.items[i].lastFriction);
    }
    for (int i = first; i < end; ++i) {
        rvContact* contact = &store->now.items[i];
        contact->group = group;
        contact->row = 3 * (i - first);
        if (group >= 0)
            write_contact(contact, bodies, context, rows, &pull);
    }
}

void rv_contacts_write_rows(rvContactStore* store, const rvBodyStore* bodies, const rvStepContext* context,
                            rvRows* rows)
{
    store->h = context->h;
    for (int first = 0; first < store->now.count;) {
        const rvContactState* pair = &store->now.items[first].state;
        int end = first + 1;
        while (end < store->now.count && store->now.items[end].state.bodyA == pair->bodyA &&
               store->now.items[end].state.bodyB == pair->bodyB)
            end += 1;
        write_group(store, first, end, bodies, context, rows);
        first = end;
    }
}

void rv_contacts_read_rows(rvContactStore* store, const rvRows* rows)
{
    for (int i = 0; i < store->now.count; ++i) {
        rvContact* contact = &store->now.items[i];
        if (contact->group < 0)
            continue;
        rvContactState* state = &contact->state;
        const rvRow* row = rv_group_rows(rows, contact->group) + contact->row;
        for (int k = 0; k < 3; ++k)
            state->mode[k] = row[k].mode;
        state->normalImpulse = row[0].impulse;
        state->frictionImpulse = rvMulAdd(rvScale(row[1].impulse, contact->slip), row[2].impulse, contact->across);
        // A sliding point stays at the stretch that carries the bound; that shear lies along its slip. How far a
        // sticking point moved is measured by the next collide.
        rvVec3 shear = contact->shearBefore;
        if (row[1].mode != RV_ROW_FREE)
            shear = rvScale(-contact->give[1] * row[1].impulse / store->h, contact->slip);
        state->stick = rvRotateBack(contact->carrierTurn, shear);
    }
    rv_contacts_find_changes(store);
}
