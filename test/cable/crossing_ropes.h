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

// A hand leads the end of a rope around a taut one, twice, and back. At full turns the rope is straight and its pull on
// the other turns round: they hold on, wound as they are, and come apart where they met, within so many steps. Forces
// do not jump, and the books stay balanced.
static inline void check_winding(const rvCableModel models[2], double mass, double within)
{
    rvWorld* world = make_weightless_world();
    const double reach = 1.4, pi = 3.14159265358979323846, h = 1.0 / 240;
    const double masses[2] = {models[0] == RV_CABLE_MASSLESS ? 0.0 : mass, models[1] == RV_CABLE_MASSLESS ? 0.0 : mass};
    Rope rope = {.model = models[0], .stiffness = 1e6, .damping = 0.01, .length = 3.9, .mass = masses[0]};
    rvCableId a = new_span(world, ground, rvVec(-2, 0, 0), ground, rvVec(2, 0, 0), rope);
    rvBodyId hand = add_hand(world, rvVec(0, reach * cos(0.3 * pi), reach * sin(0.3 * pi)));
    rope = (Rope){.model = models[1], .stiffness = 1e4, .damping = 0.01, .length = 2.7, .mass = masses[1]};
    rvCableId b = new_span(world, ground, rvVec(0, -1, -1), hand, rvVec(0, 0, 0), rope);
    double start = 0.0, last = 0.0, end = 0.0, books = 0.0;
    int met = 0, parted = 0, steps = 4 * 240;
    for (int k = 0; k < 2 * steps + 60; ++k) { // half a turn a second, clockwise, then back
        double turn = pi * h * (k < steps ? k + 1 : 2 * steps - k - 1), angle = 0.3 * pi - turn;
        rvPose pose = rvPoseIdentity();
        pose.p = rvVec(0, reach * cos(angle), reach * sin(angle));
        CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
        CHECK_OK(world, rvWorld_Step(world, h));
        if (k == 0)
            books = energy_books(world);
        int came = count_pairs(world, RV_EVENT_CABLES_CROSS, a, b),
            went = count_pairs(world, RV_EVENT_CABLES_PART, a, b);
        double tension = rvCable_GetTension(world, b, 0);
        // the hand goes 18 mm a step: what it stretches the rope by at most, and its damping of 2.4 steps
        if (k > 1)
            CHECK_BELOW(fabs(tension - last), 1e4 / 2.7 * pi * h * reach * (1.0 + 2.4));
        // of the energy that the ropes hold, 1.3 kJ: by the square of the angle of a step, in each of four turns
        CHECK_BELOW(fabs(energy_books(world) - books), 4.0 * (pi * h) * (pi * h) * 1300.0);
        start = came ? turn : start;
        end = went ? turn : end;
        met += came;
        parted += went;
        last = tension;
    }
    assert_int_equal(met, 1);
    assert_int_equal(parted, 1);
    CHECK_NEAR(start, end, pi * h * within);
    rvDestroyWorld(world);
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
