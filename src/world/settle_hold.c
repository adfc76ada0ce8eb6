// SPDX-License-Identifier: MIT
// What is held still while a world settles, and what is given back: states, drives, books, bodies that would fall.
#include "world/settle_hold.h"

#include <string.h>

// ---- memory: one block, handed out in pieces

static void* piece(uint8_t* block, size_t* at, size_t count, size_t size)
{
    void* here = block ? block + *at : NULL;
    *at += (count * size + 15) / 16 * 16;
    return here;
}

int rv_settle_points(const rvWorld* world, int index, rvVec3* points, int capacity)
{
    const rvCable* cable = &world->cables.items[index];
    if (!rv_id_pool_alive(&world->cables.pool, index) || !rv_cable_has(cable, RV_MAY_BUCKLE))
        return 0;
    return rv_cable_shape(cable, &world->shapes, points, capacity);
}

size_t rv_settle_lay_pieces(rvSettle* s, uint8_t* block)
{
    const rvWorld* world = s->world;
    size_t bodies = (size_t)world->bodies.pool.count, joints = (size_t)world->joints.pool.count;
    size_t cables = (size_t)world->cables.pool.count, places = 0, points = 0, at = 0;
    for (size_t i = 0; i < cables; ++i) {
        places += (size_t)world->cables.items[i].definedCount;
        points += (size_t)rv_settle_points(world, (int)i, NULL, 0);
    }
    s->start = piece(block, &at, rv_world_state_size(world), 1);
    s->bodies = piece(block, &at, bodies, sizeof *s->bodies);
    s->types = piece(block, &at, bodies, sizeof *s->types);
    s->joints = piece(block, &at, joints, sizeof *s->joints);
    s->cables = piece(block, &at, cables, sizeof *s->cables);
    s->winches = piece(block, &at, cables, sizeof *s->winches);
    s->breakForce = piece(block, &at, cables, sizeof *s->breakForce);
    s->places = piece(block, &at, places, sizeof *s->places);
    s->group = piece(block, &at, bodies, sizeof *s->group);
    s->held = piece(block, &at, bodies, sizeof *s->held);
    s->way = piece(block, &at, bodies, sizeof *s->way);
    s->carried = piece(block, &at, bodies, sizeof *s->carried);
    s->share = piece(block, &at, bodies, sizeof *s->share);
    s->force = piece(block, &at, bodies, sizeof *s->force);
    s->cableShare = piece(block, &at, cables, sizeof *s->cableShare);
    s->cableForce = piece(block, &at, cables, sizeof *s->cableForce);
    s->rest = piece(block, &at, points > 0 ? rv_world_state_size(world) : 0, 1);
    s->points = piece(block, &at, points, sizeof *s->points);
    s->moved = piece(block, &at, points, sizeof *s->moved);
    return at;
}

// ---- what is remembered, and what is held still meanwhile

// The next place of the definition from `k` on; contacts come and go.
static int defined_from(const rvCable* cable, int k)
{
    while (k < cable->route.placeCount && cable->route.places[k].state.contact != 0.0)
        k += 1;
    return k;
}

void rv_settle_remember(rvSettle* s)
{
    rvWorld* world = s->world;
    rv_world_write_state(world, s->start);
    for (int i = 0; i < world->bodies.pool.count; ++i) {
        s->bodies[i] = world->bodies.items[i].state;
        s->types[i] = world->bodies.items[i].type;
        s->held[i] = 0.0;
        s->group[i] = i;
    }
    for (int i = 0; i < world->joints.pool.count; ++i)
        s->joints[i] = world->joints.items[i].state;
    rvPlaceBooks* books = s->places;
    for (int i = 0; i < world->cables.pool.count; ++i) {
        const rvCable* cable = &world->cables.items[i];
        s->cables[i] = cable->state;
        memcpy(s->winches[i], cable->winch, sizeof cable->winch);
        s->breakForce[i] = cable->breakForce;
        for (int k = defined_from(cable, 0), n = 0; n < cable->definedCount; ++n, k = defined_from(cable, k + 1)) {
            const rvPlaceState* place = &cable->route.places[k].state;
            *books++ = (rvPlaceBooks){place->driveSpeed, place->driveWork, place->heat};
        }
    }
}

void rv_settle_hold_drives(rvSettle* s)
{
    rvWorld* world = s->world;
    for (int i = 0; i < world->bodies.pool.count; ++i) {
        rvBody* body = &world->bodies.items[i];
        if (s->held[i] != 0.0 || body->type == RV_BODY_PROXY)
            body->type = RV_BODY_KINEMATIC;
        body->state.hasTarget = 0.0;
    }
    for (int i = 0; i < world->joints.pool.count; ++i)
        for (int k = 0; k < 2; ++k)
            if (world->joints.items[i].state.axes[k].motor == RV_MOTOR_SPEED)
                world->joints.items[i].state.axes[k].target = 0.0;
    for (int i = 0; i < world->cables.pool.count; ++i) {
        rvCable* cable = &world->cables.items[i];
        cable->breakForce = HUGE_VAL;
        cable->winch[0].settings.brake = cable->winch[1].settings.brake = 1.0;
        for (int k = 0; k < cable->route.placeCount; ++k)
            cable->route.places[k].state.driveSpeed = 0.0;
    }
}

void rv_settle_stop_all(rvSettle* s)
{
    rvWorld* world = s->world;
    for (int i = 0; i < world->bodies.pool.count; ++i) {
        rvBodyState* state = &world->bodies.items[i].state;
        state->v = state->w = rvVec(0, 0, 0);
        state->force = s->bodies[i].force;
        state->torque = s->bodies[i].torque;
    }
    for (int i = 0; i < world->cables.pool.count; ++i) {
        rvCable* cable = &world->cables.items[i];
        for (int k = 0; k < cable->route.placeCount; ++k) {
            rvPlaceState* place = &cable->route.places[k].state;
            place->rate = place->slip = place->spin = place->wheelSpeed = 0.0;
        }
        cable->state.twistRate = 0.0;
        cable->state.fresh = 1.0; // of rope with mass: it hangs at rest
    }
}

void rv_settle_free_types(rvSettle* s)
{
    for (int i = 0; i < s->world->bodies.pool.count; ++i)
        s->world->bodies.items[i].type = s->types[i];
}

static void free_cable(rvCable* cable, const rvBodyStore* bodies, const rvCableState* before, const rvWinch winches[2],
                       rvPlaceBooks** books)
{
    rvCableState* now = &cable->state;
    for (int i = 0; i < 2; ++i) {
        rvWinch* winch = &cable->winch[i];
        winch->settings.brake = winches[i].settings.brake;
        winch->state.work = winches[i].state.work;
        winch->state.heat = winches[i].state.heat;
        winch->state.rate = winch->state.commanded = winch->state.drumSpeed = 0.0;
    }
    now->heat = before->heat;
    now->weightWork = before->weightWork;
    rv_cable_follow(cable, bodies, (rvChange){.kind = RV_CHANGE_EQUILIBRIUM});
    now->taut = rv_cable_is_taut(cable) ? 1.0 : 0.0;
    for (int k = defined_from(cable, 0), n = 0; n < cable->definedCount; ++n, k = defined_from(cable, k + 1)) {
        rvPlaceState* place = &cable->route.places[k].state;
        place->driveSpeed = (*books)->driveSpeed;
        place->driveWork = (*books)->driveWork;
        place->heat = (*books)->heat;
        *books += 1;
    }
}

void rv_settle_free_drives(rvSettle* s)
{
    rvWorld* world = s->world;
    rv_settle_stop_all(s);
    for (int i = 0; i < world->bodies.pool.count; ++i) {
        rvBodyState* state = &world->bodies.items[i].state;
        const rvBodyState* before = &s->bodies[i];
        state->hasTarget = before->hasTarget;
        state->target = before->target;
        if (s->held[i] != 0.0 || s->types[i] != RV_BODY_DYNAMIC) {
            state->v = before->v;
            state->w = before->w;
        }
    }
    for (int i = 0; i < world->joints.pool.count; ++i) {
        rvJointState* state = &world->joints.items[i].state;
        state->work = s->joints[i].work;
        for (int k = 0; k < 2; ++k)
            state->axes[k] = s->joints[i].axes[k];
    }
    rvPlaceBooks* books = s->places;
    for (int i = 0; i < world->cables.pool.count; ++i) {
        free_cable(&world->cables.items[i], &world->bodies, &s->cables[i], s->winches[i], &books);
        world->cables.items[i].breakForce = s->breakForce[i];
    }
    rv_cables_forget_rates(&world->cables);
}

// ---- groups

int rv_settle_first_of(const rvSettle* s, int body)
{
    while (s->group[body] != body)
        body = s->group[body];
    return body;
}

// Two bodies hold each other; what nothing pushes holds everything and joins nothing.
static void join(rvSettle* s, int a, int b)
{
    bool pushedA = a >= 0 && s->types[a] == RV_BODY_DYNAMIC, pushedB = b >= 0 && s->types[b] == RV_BODY_DYNAMIC;
    if (!pushedA || !pushedB)
        return;
    int firstA = rv_settle_first_of(s, a), firstB = rv_settle_first_of(s, b);
    s->group[firstA > firstB ? firstA : firstB] = firstA > firstB ? firstB : firstA;
}

// Marks by `mark` the groups of bodies that something fixed holds.
static void note_hold(const rvSettle* s, int a, int b, double* mark)
{
    int pair[2] = {a, b};
    for (int k = 0; k < 2; ++k) {
        int other = pair[1 - k];
        bool fixed = other < 0 || s->types[other] != RV_BODY_DYNAMIC;
        if (fixed && pair[k] >= 0 && s->types[pair[k]] == RV_BODY_DYNAMIC)
            mark[rv_settle_first_of(s, pair[k])] = 1.0;
    }
}

// Goes through all pairs of bodies that joints and cables, and where wanted contacts, hold together.
static void visit_pairs(rvSettle* s, bool contacts, double* mark)
{
    const rvWorld* world = s->world;
    for (int i = 0; i < world->joints.pool.count; ++i)
        if (rv_id_pool_alive(&world->joints.pool, i)) {
            const rvJoint* joint = &world->joints.items[i];
            mark ? note_hold(s, joint->bodyA, joint->bodyB, mark) : join(s, joint->bodyA, joint->bodyB);
        }
    for (int i = 0; i < world->cables.pool.count; ++i) {
        const rvCable* cable = &world->cables.items[i];
        if (!rv_id_pool_alive(&world->cables.pool, i) || cable->state.broken != 0.0 ||
            (cable->loose && rv_cable_has(cable, RV_SEGMENTS))) // what rope with a free end does not hold, elements do
            continue;
        int before = cable->route.places[0].body; // the last one that can move: all of a cable's are one group
        for (int k = 1; k < cable->route.placeCount; ++k) {
            int body = cable->route.places[k].body;
            mark ? note_hold(s, cable->route.places[k - 1].body, body, mark) : join(s, before, body);
            before = body >= 0 && s->types[body] == RV_BODY_DYNAMIC ? body : before;
        }
    }
    for (int i = 0; contacts && i < rv_contacts_count(world->contacts); ++i) {
        rvContactView view = rv_contacts_view(world->contacts, i);
        int a = rv_shape_body(&world->shapes, view.shapeA), b = rv_shape_body(&world->shapes, view.shapeB);
        mark ? note_hold(s, a, b, mark) : join(s, a, b);
    }
}

void rv_settle_hold_falling(rvSettle* s)
{
    rvWorld* world = s->world;
    rvStepContext context = rv_world_context(world, RV_POLISH_STEP);
    rv_contacts_collide(world->contacts, &world->shapes, &world->bodies, &world->joints, &context);
    visit_pairs(s, true, NULL);
    for (int i = 0; i < world->bodies.pool.count; ++i)
        s->share[i] = 0.0; // here: the group is fixed to something
    visit_pairs(s, true, s->share);
    bool weight = rvLength(world->state.gravity) > 0.0;
    for (int i = 0; weight && i < world->bodies.pool.count; ++i)
        if (rv_body_alive(&world->bodies, i) && s->types[i] == RV_BODY_DYNAMIC &&
            s->share[rv_settle_first_of(s, i)] == 0.0)
            s->held[i] = 1.0;
    for (int i = 0; i < world->bodies.pool.count; ++i)
        s->group[i] = i;
    visit_pairs(s, false, NULL);
}
