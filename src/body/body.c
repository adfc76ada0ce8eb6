// SPDX-License-Identifier: MIT
// Creation and checks of bodies; their inverse masses and free velocities.
#include "body/body.h"

#include "base/cookie.h"
#include "base/field.h"
#include "base/least.h"
#include "math/extreme.h"
#include "math/sym3.h"

// Of what the geometric stiffness holds: with less in the body's own turning it has turned away, and nothing comes
// back.
#define LEAST_STIFF 1e-12

rvBodyDef rvDefaultBodyDef(void)
{
    return (rvBodyDef){.type = RV_BODY_DYNAMIC, .pose = rvPoseIdentity(), .mass = 1.0, .cookie = RV_COOKIE};
}

rvMat3 rvBoxInertia(double mass, rvVec3 sides)
{
    double x = sides.x * sides.x, y = sides.y * sides.y, z = sides.z * sides.z;
    return rvMat3Diagonal(mass * (y + z) / 12.0, mass * (x + z) / 12.0, mass * (x + y) / 12.0);
}

rvMat3 rvBallInertia(double mass, double radius)
{
    double i = 0.4 * mass * radius * radius;
    return rvMat3Diagonal(i, i, i);
}

rvMat3 rvCylinderInertia(double mass, double radius, double length)
{
    double across = mass * (3.0 * radius * radius + length * length) / 12.0;
    return rvMat3Diagonal(across, across, 0.5 * mass * radius * radius);
}

static const char* name_of(const rvBodyDef* def)
{
    return def->name ? def->name : "";
}

static rvStatus check_motion(rvError* error, const rvBodyDef* def)
{
    const char* name = name_of(def);
    if (!(rvLength(def->pose.p) <= RV_LARGEST_POSITION))
        return rv_fail(error, RV_BAD_INPUT, "body '%s': pose.p: must be within %g m of the origin", name,
                       RV_LARGEST_POSITION);
    rvQuat q = def->pose.q;
    double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(norm > 1e-6 && norm < 1e6))
        return rv_fail(error, RV_BAD_INPUT, "body '%s': pose.q: length is %g, must be 1", name, norm);
    if (!(rvLength(def->velocity) <= RV_LARGEST_SPEED))
        return rv_fail(error, RV_BAD_INPUT, "body '%s': velocity: must be at most %g m/s", name, RV_LARGEST_SPEED);
    if (!(rvLength(def->angularVelocity) <= RV_LARGEST_SPIN))
        return rv_fail(error, RV_BAD_INPUT, "body '%s': angularVelocity: must be at most %g rad/s", name,
                       RV_LARGEST_SPIN);
    rvVec3 center = rvPosePoint((rvPose){def->pose.p, rvQuatNormalize(q)}, def->centerOfMass);
    if (!(rvLength(center) <= RV_LARGEST_POSITION))
        return rv_fail(error, RV_BAD_INPUT, "body '%s': centerOfMass: must be within %g m of the origin", name,
                       RV_LARGEST_POSITION);
    return RV_OK;
}

// Mass and principal inertia. Zero inertia means a ball of radius 0.5 m.
static rvStatus check_mass(rvError* error, const rvBodyDef* def, rvBody* body)
{
    const char* name = name_of(def);
    bool massless = def->type == RV_BODY_STATIC || def->type == RV_BODY_KINEMATIC ||
                    (def->type == RV_BODY_PROXY && def->mass == 0.0);
    if (massless)
        return RV_OK;
    if (rv_check_number(error, "body", name, (rvField){"mass", def->mass, RV_POSITIVE, "kg"}))
        return RV_BAD_INPUT;
    if (def->mass > RV_LARGEST_MASS)
        return rv_fail(error, RV_BAD_INPUT, "body '%s': mass: is %g kg, must be at most %g", name, def->mass,
                       RV_LARGEST_MASS);
    rvMat3 inertia = def->inertia;
    bool empty = true, finite = true;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            empty = empty && inertia.m[i][j] == 0.0;
            finite = finite && isfinite(inertia.m[i][j]);
        }
    if (!finite)
        return rv_fail(error, RV_BAD_INPUT, "body '%s': inertia: must be finite", name);
    if (empty)
        inertia = rvBallInertia(def->mass, 0.5);
    double size = fabs(inertia.m[0][0]) + fabs(inertia.m[1][1]) + fabs(inertia.m[2][2]);
    for (int i = 0; i < 3; ++i)
        for (int j = i + 1; j < 3; ++j)
            if (fabs(inertia.m[i][j] - inertia.m[j][i]) > 1e-9 * size)
                return rv_fail(error, RV_BAD_INPUT,
                               "body '%s': inertia[%d][%d]: is %g but [%d][%d] is %g: must be symmetric", name, i, j,
                               inertia.m[i][j], j, i, inertia.m[j][i]);
    double six[6] = {inertia.m[0][0], inertia.m[0][1], inertia.m[0][2],
                     inertia.m[1][1], inertia.m[1][2], inertia.m[2][2]};
    rv_sym3_principal(six, &body->principal, &body->principalAxes);
    double a = body->principal.x, b = body->principal.y, c = body->principal.z;
    if (!(a >= RV_LEAST_DIVISOR && b >= RV_LEAST_DIVISOR && c >= RV_LEAST_DIVISOR))
        return rv_fail(error, RV_BAD_INPUT,
                       "body '%s': inertia: principal moments are %g, %g, %g kg m^2, must be > 0 and at least %g", name,
                       a, b, c, RV_LEAST_DIVISOR);
    // a mass distribution cannot break it; round-off of a thin rod's moments may, a little
    double slack = 1e-9 * (a + b + c);
    if (a > b + c + slack || b > a + c + slack || c > a + b + slack)
        return rv_fail(
            error, RV_BAD_INPUT,
            "body '%s': inertia: principal moments %g, %g, %g kg m^2 break the triangle inequality: no moment "
            "may exceed the sum of the other two",
            name, a, b, c);
    body->mass = def->mass;
    return RV_OK;
}

rvStatus rv_body_set_mass(rvBody* body, rvError* error, double mass, rvMat3 inertia)
{
    rvBodyDef def = {.type = body->type, .name = body->name, .mass = mass, .inertia = inertia};
    rvBody given = {.principalAxes = rvQuatIdentity()};
    if (body->type != RV_BODY_DYNAMIC && body->type != RV_BODY_PROXY)
        return rv_fail(error, RV_BAD_INPUT, "body '%s': mass: only dynamic bodies and proxies have one", body->name);
    rvStatus status = check_mass(error, &def, &given);
    if (status != RV_OK)
        return status;
    body->mass = given.mass;
    body->principal = given.principal;
    body->principalAxes = given.principalAxes;
    body->state.guardFresh = 1.0;
    return RV_OK;
}

static bool make_room(rvBodyStore* store, rvMemory* memory, int count)
{
    int all = count + store->wheelCount;
    return rv_memory_grow(memory, (void**)&store->items, &store->capacity, count, sizeof(rvBody)) &&
           rv_memory_grow(memory, (void**)&store->inverse, &store->inverseCapacity, all, 7 * sizeof(double)) &&
           rv_memory_grow(memory, (void**)&store->velocity, &store->velocityCapacity, all, 6 * sizeof(double)) &&
           rv_memory_grow(memory, (void**)&store->freeVelocity, &store->freeVelocityCapacity, all, 6 * sizeof(double));
}

bool rv_bodies_reserve_wheels(rvBodyStore* store, rvMemory* memory, int count)
{
    store->wheelCount = count;
    return make_room(store, memory, store->pool.count);
}

void rv_bodies_set_spin(rvBodyStore* store, int index, rvVec3 axis, double inertia, double spin)
{
    const double inverse[7] = {0.0,
                               axis.x * axis.x / inertia,
                               axis.x * axis.y / inertia,
                               axis.x * axis.z / inertia,
                               axis.y * axis.y / inertia,
                               axis.y * axis.z / inertia,
                               axis.z * axis.z / inertia};
    const double velocity[6] = {0, 0, 0, spin * axis.x, spin * axis.y, spin * axis.z};
    for (int k = 0; k < 7; ++k)
        store->inverse[index][k] = inverse[k];
    for (int k = 0; k < 6; ++k)
        store->velocity[index][k] = store->freeVelocity[index][k] = velocity[k];
}

void rv_bodies_set_point(rvBodyStore* store, int index, const double inverse[6], rvVec3 velocity)
{
    const double all[6] = {0.0, 0.0, 0.0, velocity.x, velocity.y, velocity.z};
    store->inverse[index][0] = 0.0;
    for (int k = 0; k < 6; ++k) {
        store->inverse[index][k + 1] = inverse[k];
        store->velocity[index][k] = store->freeVelocity[index][k] = all[k];
    }
}

rvStatus rv_body_create(rvBodyStore* store, rvMemory* memory, rvError* error, const rvBodyDef* def, int* index)
{
    if (!def || def->cookie != RV_COOKIE)
        return rv_fail(error, RV_BAD_INPUT, "body: definition was not made by rvDefaultBodyDef");
    if ((unsigned)def->type > RV_BODY_PROXY)
        return rv_fail(error, RV_BAD_INPUT, "body '%s': type: %d is none", name_of(def), (int)def->type);
    rvBody body = {.type = def->type, .principalAxes = rvQuatIdentity(), .center = def->centerOfMass};
    rvStatus status = check_motion(error, def);
    if (status == RV_OK)
        status = check_mass(error, def, &body);
    if (status != RV_OK)
        return status;
    body.state.q = rvQuatNormalize(def->pose.q);
    body.state.x = rvAdd(def->pose.p, rvRotate(body.state.q, def->centerOfMass));
    body.state.target.q = rvQuatIdentity();
    if (def->type != RV_BODY_STATIC) {
        body.state.v = def->velocity;
        body.state.w = def->angularVelocity;
        body.state.guardFresh = 1.0;
    }
    body.name = rv_id_pool_name(&store->pool, memory, def->name);
    if (!body.name || !make_room(store, memory, store->pool.count + 1)) {
        rv_memory_give_text(memory, body.name);
        return rv_fail(error, RV_NO_MEMORY, "body '%s': no memory", name_of(def));
    }
    *index = rv_id_pool_take(&store->pool, memory);
    if (*index < 0) {
        rv_memory_give_text(memory, body.name);
        return rv_fail(error, RV_NO_MEMORY, "body '%s': no memory", name_of(def));
    }
    store->items[*index] = body;
    return RV_OK;
}

void rv_body_destroy(rvBodyStore* store, rvMemory* memory, int index)
{
    rv_memory_give_text(memory, store->items[index].name);
    store->items[index] = (rvBody){0};
    for (int k = 0; k < 7; ++k)
        store->inverse[index][k] = 0.0;
    rv_id_pool_give(&store->pool, index);
}

void rv_bodies_release(rvBodyStore* store, rvMemory* memory)
{
    for (int i = 0; i < store->pool.count; ++i)
        if (rv_body_alive(store, i))
            rv_body_destroy(store, memory, i);
    rv_memory_give(memory, store->items, (size_t)store->capacity * sizeof(rvBody));
    rv_memory_give(memory, store->inverse, (size_t)store->inverseCapacity * 7 * sizeof(double));
    rv_memory_give(memory, store->velocity, (size_t)store->velocityCapacity * 6 * sizeof(double));
    rv_memory_give(memory, store->freeVelocity, (size_t)store->freeVelocityCapacity * 6 * sizeof(double));
    rv_id_pool_clear(&store->pool, memory);
    *store = (rvBodyStore){0};
}

void rv_bodies_clear_rope(rvBodyStore* store)
{
    for (int i = 0; i < store->pool.count; ++i) {
        rvBody* body = &store->items[i];
        body->ropeMass = 0.0;
        body->ropeForce = body->ropeTorque = rvVec(0, 0, 0);
        for (int k = 0; k < 6; ++k)
            body->ropeInertia[k] = 0.0;
    }
}

void rv_body_add_rope(rvBody* body, rvVec3 r, double mass, rvVec3 force)
{
    double* j = body->ropeInertia;
    body->ropeMass += mass;
    body->ropeForce = rvAdd(body->ropeForce, force);
    body->ropeTorque = rvAdd(body->ropeTorque, rvCross(r, force));
    j[0] += mass * (r.y * r.y + r.z * r.z);
    j[1] -= mass * r.x * r.y;
    j[2] -= mass * r.x * r.z;
    j[3] += mass * (r.x * r.x + r.z * r.z);
    j[4] -= mass * r.y * r.z;
    j[5] += mass * (r.x * r.x + r.y * r.y);
}

void rv_bodies_clear_stiffness(rvBodyStore* store)
{
    for (int i = 0; i < store->pool.count; ++i) {
        rvBody* body = &store->items[i];
        if (!body->pulled && !body->usedAny)
            continue;
        body->usedAny = body->pulled;
        for (int k = 0; k < 6; ++k) {
            body->usedStiffness[k] = body->stiffness[k];
            body->stiffness[k] = body->portStiffness[k] = 0.0;
            body->drag[k] = 0.0;
        }
        body->dragPull = rvVec(0, 0, 0);
        body->portPull = 0.0;
        body->pressed = body->ported = body->pulled = false;
    }
}

bool rv_bodies_stiffness_changed(const rvBodyStore* store, const rvStepContext* context)
{
    double weight = 0.25 * context->geometricStiffness * context->h * context->h;
    for (int i = 0; i < store->pool.count; ++i) {
        const rvBody* body = &store->items[i];
        if (!rv_body_alive(store, i) || !rv_body_is_pushed(body))
            continue;
        double change = 0.0, size = 0.0;
        for (int k = 0; k < 6; ++k) {
            change = fmax(change, fabs(body->stiffness[k] - body->usedStiffness[k]));
            size = fmax(size, fabs(body->usedStiffness[k]));
        }
        double inertia = fmin(body->principal.x, fmin(body->principal.y, body->principal.z));
        if (weight * change > RV_PASS_TOLERANCE * (inertia + weight * size))
            return true;
    }
    return false;
}

static void set_velocity(double out[6], rvVec3 v, rvVec3 w)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
    out[3] = w.x;
    out[4] = w.y;
    out[5] = w.z;
}

// Prescribed bodies take the velocity that brings them to their target by the end of the step.
void rv_bodies_latch(rvBodyStore* store, const rvStepContext* context)
{
    double rate = 1.0 / context->h;
    for (int i = 0; i < store->pool.count; ++i) {
        rvBody* body = &store->items[i];
        rvBodyState* s = &body->state;
        body->lastV = s->v;
        body->lastW = s->w;
        body->appliedForce = s->force;
        body->appliedTorque = s->torque;
        if (!rv_body_alive(store, i) || s->hasTarget == 0.0)
            continue;
        if (s->hasTarget < 0.0) {
            // reached in the last step, and no new one given
            s->v = s->w = rvVec(0, 0, 0);
            s->hasTarget = 0.0;
            continue;
        }
        rvVec3 center = rvPosePoint(s->target, body->center);
        s->v = rvScale(rate, rvSub(center, s->x));
        s->w = rvScale(rate, rvQuatToRotation(rvQuatMul(s->target.q, rvQuatConj(s->q))));
    }
}

// The momentum that the added inertia has beyond that of the body's own turning. It holds `more` of the turning before
// the step; but the part of ports whose arms follow the passes goes by the turning that the pass before found. Where
// other forces press the positive part cannot be told by parts: all of it stays.
static rvVec3 added_momentum(const rvBody* body, double weight, double more)
{
    const double* added = body->addedInertia;
    double port[6], others = 0.0, ports = 0.0;
    for (int k = 0; k < 6; ++k) {
        port[k] = weight * body->portStiffness[k];
        ports = rv_larger(ports, fabs(port[k]));
        others = rv_larger(others, fabs(weight * body->stiffness[k] - port[k]));
    }
    rvVec3 spin = body->state.w, beyond = rvSub(body->passSpin, spin);
    if (ports > 0.0 && others <= 1e-9 * ports)
        return rv_sym3_vec(added, beyond);
    rvVec3 all = rvScale(more, rv_sym3_vec(added, spin));
    if (ports == 0.0 || body->pressed)
        return all;
    return rvAdd(all, rv_sym3_vec(port, rvMulAdd(beyond, -more, spin)));
}

static void predict_pushed(rvBody* body, const rvStepContext* context, double inverse[7], double velocity[6])
{
    const rvBodyState* s = &body->state;
    double h = context->h;
    rv_sym3_rotate_diagonal(rvQuatMul(s->q, body->principalAxes), body->principal, body->inertia);
    double mass[6];
    for (int k = 0; k < 6; ++k)
        mass[k] = body->inertia[k];
    double weight = 0.25 * context->geometricStiffness * h * h;
    const double* stiffness = body->stiffness;
    double* added = body->addedInertia;
    rvVec3 ahead = rvVec(0, 0, 0); // momentum that the added inertia has beyond that of the body's own turning
    for (int k = 0; k < 6 && (body->pulled || body->stiffened); ++k)
        added[k] = weight * stiffness[k];
    body->stiffened = body->pulled && (added[0] != 0.0 || added[3] != 0.0 || added[5] != 0.0);
    if (body->stiffened) {
        if (body->pressed)
            rv_sym3_keep_positive(added);
        for (int k = 0; k < 6; ++k)
            mass[k] += added[k];
        rvVec3 momentum = rv_sym3_vec(added, s->w);
        double energy = 0.5 * rvDot(s->w, momentum);
        bool held = energy > LEAST_STIFF * s->stiffEnergy && s->guardFresh == 0.0;
        ahead = added_momentum(body, weight, held ? sqrt(s->stiffEnergy / energy) - 1.0 : 0.0);
    }
    body->ahead = ahead;
    for (int k = 0; k < 6; ++k)
        mass[k] += body->pulled ? h * h * body->drag[k] : 0.0;
    for (int k = 0; k < 6; ++k)
        mass[k] += body->ropeInertia[k];
    rv_body_lend_inertia(body, context);
    mass[0] += body->lentInertia;
    mass[3] += body->lentInertia;
    mass[5] += body->lentInertia;
    inverse[0] = 1.0 / (body->mass + body->ropeMass);
    rv_sym3_invert(mass, inverse + 1);
    double own = body->ropeMass > 0.0 ? body->mass * inverse[0] : 1.0; // the rope's weight is among its forces
    rvVec3 force = rvAdd(s->force, body->ropeForce), torque = rvAdd(s->torque, body->ropeTorque);
    rvVec3 dragged = body->pulled ? body->dragPull : rvVec(0, 0, 0);
    rvVec3 v = rvMulAdd(rvMulAdd(s->v, h * own, context->gravity), h * inverse[0], force);
    rvVec3 w =
        rvAdd(s->w, rv_sym3_vec(inverse + 1, rvMulAdd(rvAdd(ahead, body->lentAhead), h, rvMulAdd(torque, h, dragged))));
    set_velocity(velocity, v, w);
}

void rv_bodies_predict(rvBodyStore* store, const rvStepContext* context)
{
    for (int i = 0; i < store->pool.count; ++i) {
        rvBody* body = &store->items[i];
        if (rv_body_alive(store, i) && rv_body_is_pushed(body)) {
            predict_pushed(body, context, store->inverse[i], store->freeVelocity[i]);
        } else {
            for (int k = 0; k < 7; ++k)
                store->inverse[i][k] = 0.0;
            set_velocity(store->freeVelocity[i], body->state.v, body->state.w);
        }
        for (int k = 0; k < 6; ++k)
            store->velocity[i][k] = store->freeVelocity[i][k];
    }
}

bool rv_bodies_group_is_hosts(const rvBodyStore* store, const rvRows* rows, int group)
{
    const rvRowGroup* g = &rows->groups[group];
    if (g->kind != RV_GROUP_JOINT && g->kind != RV_GROUP_CONTACT)
        return false;
    bool proxies = false;
    for (int slot = 0; slot < g->slotCount; ++slot) {
        rvBodyType type = store->items[rows->slots[g->firstSlot + slot].body].type;
        if (type == RV_BODY_DYNAMIC)
            return false;
        proxies = proxies || type == RV_BODY_PROXY;
    }
    return proxies;
}

// The torque that turns a body of plain inertia to w' as its effective one did (see the head): a host knows only the
// plain one. It holds all rows; the caller takes off those of the host's own joints.
static rvVec3 plain_torque(const rvBody* body, const double velocity[6], double h)
{
    const rvBodyState* s = &body->state;
    rvVec3 change = rvSub(rvVec(velocity[3], velocity[4], velocity[5]), s->w);
    return rvSub(rvScale(1.0 / h, rv_sym3_vec(body->inertia, change)), s->torque);
}

void rv_bodies_rope_capacity(const rvBodyStore* store, int* rowCount, int* groupCount, int* slotCount, int* entryCount)
{
    int count = 0;
    for (int i = 0; i < store->pool.count; ++i)
        count += rv_body_alive(store, i) && store->items[i].type == RV_BODY_PROXY;
    *rowCount = 6 * count;
    *groupCount = *slotCount = count;
    *entryCount = 36 * count;
}

// A part of the rope's wrench along an axis: of what has inertia a row that moves with it, else a push that is given.
static void write_push(rvRow* row, double* j, rvVec3 axis, double inertia, double speed, double push, double h)
{
    j[0] = axis.x;
    j[1] = axis.y;
    j[2] = axis.z;
    if (inertia > 0.0) {
        row->compliance = 1.0 / inertia;
        row->bias = speed + h / inertia * push;
    } else {
        row->compliance = 1.0;
        row->lower = row->upper = h * push;
    }
}

static void write_rope(const rvBody* body, double h, rvRow* row, double (*j)[6])
{
    const rvBodyState* s = &body->state;
    rvVec3 moments;
    rvQuat frame;
    rv_sym3_principal(body->ropeInertia, &moments, &frame);
    double least = 1e-9 * (moments.x + moments.y + moments.z); // about the rope's own arm it has none
    const double moment[3] = {fmax(moments.x, least), fmax(moments.y, least), fmax(moments.z, least)};
    for (int k = 0; k < 3; ++k) {
        rvVec3 e = rvVec(k == 0, k == 1, k == 2), axis = rvRotate(frame, e);
        write_push(&row[k], j[k], e, body->ropeMass, rvDot(e, s->v), rvDot(e, body->ropeForce), h);
        write_push(&row[k + 3], j[k + 3] + 3, axis, moment[k], rvDot(axis, s->w), rvDot(axis, body->ropeTorque), h);
    }
}

void rv_bodies_write_rope(rvBodyStore* store, const rvStepContext* context, rvRows* rows)
{
    for (int i = 0; i < store->pool.count; ++i) {
        const rvBody* body = &store->items[i];
        bool pulled = body->ropeMass > 0.0 || rvLength(body->ropeForce) > 0.0 || rvLength(body->ropeTorque) > 0.0;
        if (!rv_body_alive(store, i) || body->type != RV_BODY_PROXY || !pulled)
            continue;
        int group = rv_rows_add(rows, RV_GROUP_KINK, i, 6, &i, 1);
        if (group >= 0)
            write_rope(body, context->h, rv_group_rows(rows, group), rv_group_jacobian(rows, group, 0));
    }
    rv_bodies_clear_rope(store);
}

// What rows gave each body, as a mean force over the step. A proxy: what its host must apply to come to v'.
void rv_bodies_collect_wrench(rvBodyStore* store, const rvStepContext* context, const rvRows* rows)
{
    double rate = 1.0 / context->h;
    bool hosted = false;
    for (int i = 0; i < store->pool.count; ++i) {
        rvBody* body = &store->items[i];
        bool plain = rv_body_alive(store, i) && body->type == RV_BODY_PROXY && rv_body_is_pushed(body);
        // rope that hangs on it, with its inertia
        const double* v = store->velocity[i];
        body->wrenchForce = body->ropeForce;
        body->wrenchTorque = plain ? plain_torque(body, v, context->h) : body->ropeTorque;
        if (body->ropeMass > 0.0) {
            rvVec3 faster = rvSub(rvVec(v[0], v[1], v[2]), body->lastV),
                   turned = rvSub(rvVec(v[3], v[4], v[5]), body->lastW);
            body->wrenchForce = rvMulAdd(body->wrenchForce, -rate * body->ropeMass, faster);
            if (!plain)
                body->wrenchTorque = rvMulAdd(body->wrenchTorque, -rate, rv_sym3_vec(body->ropeInertia, turned));
        }
        hosted = hosted || (rv_body_alive(store, i) && body->type == RV_BODY_PROXY);
    }
    for (int g = 0; g < rows->groupCount; ++g) {
        const rvRowGroup* group = &rows->groups[g];
        const rvRow* row = rv_group_rows(rows, g);
        bool hosts = hosted && rv_bodies_group_is_hosts(store, rows, g);
        for (int slot = 0; slot < group->slotCount; ++slot) {
            int index = rows->slots[group->firstSlot + slot].body;
            if (index >= store->pool.count)
                continue; // the spin of a wheel
            rvBody* body = &store->items[index];
            const double(*j)[6] = (const double(*)[6])rv_group_jacobian(rows, g, slot);
            bool plain = body->type == RV_BODY_PROXY && rv_body_is_pushed(body); // its torque holds all rows already
            rvVec3 force = rvVec(0, 0, 0), torque = rvVec(0, 0, 0);
            for (int r = 0; r < group->rowCount; ++r) {
                force = rvMulAdd(force, row[r].impulse, rvVec(j[r][0], j[r][1], j[r][2]));
                torque = rvMulAdd(torque, row[r].impulse, rvVec(j[r][3], j[r][4], j[r][5]));
            }
            if (!hosts)
                body->wrenchForce = rvMulAdd(body->wrenchForce, rate, force);
            if (plain == hosts)
                body->wrenchTorque = rvMulAdd(body->wrenchTorque, plain ? -rate : rate, torque);
        }
    }
}

rvSolveBodies rv_bodies_for_solver(rvBodyStore* store)
{
    return (rvSolveBodies){store->pool.count + store->wheelCount, (const double(*)[7])store->inverse, store->velocity};
}
