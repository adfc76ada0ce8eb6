// SPDX-License-Identifier: MIT
// What tests of ropes that cross set up: ropes between bodies, and two that are led against each other.
#pragma once

#include "world/machines.h"

static const rvBodyId ground = {0};

typedef struct {
    rvCableModel model; // massless, where nothing is said
    double stiffness, friction, damping, length;
    double diameter; // 4 mm, where nothing is said
    double mass;     // [kg/m]
    int elements;
} Rope;

static inline rvCableId new_rope(rvWorld* world, const rvPlaceDef* places, int count, Rope rope)
{
    rvCableDef def = rvDefaultCableDef(rope.model);
    def.axialStiffness = rope.stiffness;
    def.diameter = rope.diameter > 0.0 ? rope.diameter : 0.004;
    def.collides = true;
    def.friction = rope.friction;
    def.damping = rope.damping;
    def.length = rope.length;
    if (rope.mass > 0.0)
        def.massPerLength = rope.mass;
    if (rope.elements > 0) {
        def.elements = rope.elements;
        def.bendingStiffness = 0.1; // a limp rope
    }
    return add_cable_of(world, def, places, count);
}

static inline rvCableId new_span(rvWorld* world, rvBodyId a, rvVec3 from, rvBodyId b, rvVec3 to, Rope rope)
{
    rvPlaceDef places[2] = {rvAttachPlace(a, from), rvAttachPlace(b, to)};
    return new_rope(world, places, 2, rope);
}

// Two ropes: one stands along x, the other, along y above it, is led down by its ends.
typedef struct {
    rvWorld* world;
    rvCableId a, b;
    rvBodyId ends[2];
} Sweep;

static inline void lead(Sweep* s, double speed)
{
    for (int i = 0; i < 2; ++i)
        CHECK_OK(s->world, rvBody_SetVelocity(s->world, s->ends[i], rvVec(0, 0, speed), rvVec(0, 0, 0)));
}

// The second rope is `off` along the first; both as `like`, but for their models.
static inline Sweep new_sweep(rvWorld* world, const rvCableModel models[2], Rope like, double off, double speed)
{
    Sweep s = {.world = world};
    double mass = like.mass;
    like.model = models[0];
    like.mass = models[0] == RV_CABLE_MASSLESS ? 0.0 : mass;
    s.a = new_span(s.world, ground, rvVec(-2, 0, 0), ground, rvVec(2, 0, 0), like);
    for (int i = 0; i < 2; ++i)
        s.ends[i] = add_hand(s.world, rvVec(off, i ? 2 : -2, 0.55));
    like.model = models[1];
    like.mass = models[1] == RV_CABLE_MASSLESS ? 0.0 : mass;
    s.b = new_span(s.world, s.ends[0], rvVec(0, 0, 0), s.ends[1], rvVec(0, 0, 0), like);
    lead(&s, -speed);
    return s;
}

// Events of the last step that name these two.
static inline int count_pairs(const rvWorld* world, rvEventType type, rvCableId a, rvCableId b)
{
    rvEvent events[16];
    int count = rvWorld_GetEvents(world, events, 16), found = 0;
    for (int i = 0; i < count && i < 16; ++i)
        found += events[i].type == type && events[i].cable.index1 == a.index1 && events[i].other.index1 == b.index1;
    return found;
}

// Crossings are state: they are saved with it, and what follows, until the ropes are apart, is the same.
static inline void check_sweep_is_saved(Sweep* s)
{
    assert_int_equal(rvCable_GetCrossings(s->world, s->a, NULL, 0), 1);
    size_t size = rvWorld_Save(s->world, NULL, 0);
    void* image = malloc(size);
    assert_non_null(image);
    rvWorld_Save(s->world, image, size);
    uint64_t hash[2];
    for (int round = 0; round < 2; ++round) {
        lead(s, 2.0);
        run_world(s->world, 1.0 / 60, 1.0);
        assert_int_equal(rvCable_GetCrossings(s->world, s->a, NULL, 0), 0);
        hash[round] = rvWorld_Hash(s->world);
        assert_int_equal(rvWorld_Restore(s->world, image, size), RV_OK);
        assert_int_equal(rvCable_GetCrossings(s->world, s->a, NULL, 0), 1);
    }
    assert_true(hash[0] == hash[1]);
    free(image);
}
