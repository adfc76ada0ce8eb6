// SPDX-License-Identifier: MIT
#include "cable/ancf/ancf_rig.h"
#include "world/machines.h"

// A rope of 1 kg and 2 m between two points, its second end led by a hand.
static rvCableDef rope_of(rvIntegrator integrator)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ANCF);
    def.length = 2.0;
    def.elements = 6;
    def.axialStiffness = 2000.0;
    def.bendingStiffness = 0.05;
    def.massPerLength = 0.5;
    def.integrator = integrator;
    return def;
}

static rvVec3 middle_of(const rvWorld* world, rvCableId rope)
{
    rvCableSection section;
    assert_true(rvCable_GetSection(world, rope, 1.0, &section));
    return section.point;
}

// Held at the world and let go straight: the world's step is that of the elements alone, to the last bit.
static void HeldCableStepsAsItsElementsAlone(void** state)
{
    (void)state;
    for (int method = RV_INTEGRATOR_SI_BE; method <= RV_INTEGRATOR_TAYLOR; ++method) {
        rvWorld* world = make_world();
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvFreePlace(rvVec(2, 0, 0))};
        rvCableDef def = rope_of((rvIntegrator)method);
        def.straight = true;
        rvCableId rope = add_cable_of(world, def, places, 2);
        rvAncf* alone = rig_uniform(
            6, 2.0, (rvAncfElement){.EA = 2000.0, .EI = 0.05, .massPerLength = 0.5, .diameter = def.diameter},
            rvVec(0, 0, -GRAVITY), false);
        rv_ancf_lay_straight(alone, rvVec(0, 0, 0), rvVec(1, 0, 0));
        assert_int_equal(rv_ancf_hold(alone, 0, RV_ANCF_PIN, &rigError), RV_OK);
        rig_start(alone, (rvAncfMethod)method);
        for (int i = 0; i < 100; ++i) {
            step_world(world, 2e-3, 1);
            assert_int_equal(rv_ancf_step(alone, 2e-3), RV_OK);
        }
        rvCableSection tip;
        assert_true(rvCable_GetSection(world, rope, 2.0, &tip));
        rvVec3 expected = rv_ancf_point(alone, 2.0).position;
        CHECK_NEAR(rvDistance(tip.point, expected), 0.0, 1e-12); // the start is drawn, not laid: rounding
        assert_true(expected.z < -0.1);
        rv_ancf_destroy(alone);
        rvDestroyWorld(world);
    }
}

typedef struct {
    rvVec3 middle;
    double work, books, pull;
} Led;

// The hand goes around by a smooth motion, or starts at once.
static Led lead(rvIntegrator integrator, double h, bool jumps)
{
    rvWorld* world = make_world();
    rvBodyId hand = add_hand(world, rvVec(1.5, 0, 0));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(hand, rvVec(0, 0, 0))};
    rvCableId rope = add_cable_of(world, rope_of(integrator), places, 2);
    double first = energy_books(world);
    for (int i = 1; i <= lround(0.8 / h); ++i) {
        double t = i * h;
        rvPose pose = rvPoseIdentity();
        pose.p = jumps ? rvVec(1.5, 0.5 * t, 0) : rvVec(1.5, 0.2 * (1.0 - cos(5.0 * t)), 0.1 * t * t);
        CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
        step_world(world, h, 1);
    }
    rvVec3 force, torque;
    rvCable_GetForceOn(world, rope, hand, &force, &torque);
    Led out = {middle_of(world, rope), rvWorld_GetEnergy(world).work, energy_books(world) - first, rvLength(force)};
    rvDestroyWorld(world);
    return out;
}

// Led along by a hand all methods come to the same, by their orders, and close their books.
static void LedCableIsTheSameByAllMethods(void** state)
{
    (void)state;
    for (int jumps = 0; jumps < 2; ++jumps) {
        Led fine = lead(RV_INTEGRATOR_VERLET, 2e-4, jumps);
        for (int method = RV_INTEGRATOR_RT; method < RV_INTEGRATOR_TAYLOR; ++method) {
            Led led = lead((rvIntegrator)method, 1e-3, jumps);
            // it goes with up to 1 m/s: half a step of that by Baumgarte's equation, a tenth else; where it jumps, by
            // the mass, waves along it are behind by some steps
            bool baumgarte = method >= RV_INTEGRATOR_SI_BE && method <= RV_INTEGRATOR_SI_HHT;
            CHECK_NEAR(rvDistance(led.middle, fine.middle), 0.0, jumps ? 3.0 * 0.5e-3 : baumgarte ? 0.5e-3 : 0.1e-3);
            CHECK_NEAR(led.work, fine.work, (jumps ? 0.04 : 2e-3) * fine.work); // its energy with them
            CHECK_NEAR(led.books, 0.0, 1e-12);                                  // to rounding
            if (!jumps)
                CHECK_NEAR(led.pull, fine.pull, 3e-3 * fine.pull); // a step of what it changes by in a swing of 5 rad/s
        }
    }
}

static void SavedStepsGoOnBitForBit(void** state)
{
    (void)state;
    for (int method = RV_INTEGRATOR_SI_BE; method < RV_INTEGRATOR_TAYLOR; ++method) {
        rvWorld* world = make_world();
        rvBodyId hand = add_hand(world, rvVec(1.5, 0, 0));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(hand, rvVec(0, 0, 0))};
        add_cable_of(world, rope_of((rvIntegrator)method), places, 2);
        CHECK_OK(world, rvBody_SetVelocity(world, hand, rvVec(0, 0.5, 0), rvVec(0, 0, 0)));
        step_world(world, 2e-3, 20);
        static uint8_t image[1 << 16];
        size_t size = rvWorld_Save(world, NULL, 0);
        assert_true(size <= sizeof image);
        rvWorld_Save(world, image, size);
        step_world(world, 2e-3, 20);
        uint64_t hash = rvWorld_Hash(world);
        CHECK_OK(world, rvWorld_Restore(world, image, size));
        step_world(world, 2e-3, 20);
        assert_true(rvWorld_Hash(world) == hash);
        rvDestroyWorld(world);
    }
}

static void refuse(rvWorld* world, rvCableDef def, rvBodyId body, const char* word)
{
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(body, rvVec(0, 0, 0))};
    def.places = places;
    def.placeCount = 2;
    assert_int_equal(rvCreateCable(world, &def, NULL), RV_BAD_INPUT);
    assert_non_null(strstr(rvWorld_GetError(world), "integrator: "));
    assert_non_null(strstr(rvWorld_GetError(world), word));
}

static void WhatAnIntegratorCannotDoIsTold(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyDef fixed = rvDefaultBodyDef();
    fixed.type = RV_BODY_STATIC;
    fixed.pose.p = rvVec(1.5, 0, 0);
    rvBodyId hand = add_hand(world, rvVec(1.5, 0, 0)), ball = add_ball(world, 1.0, 0.1, rvVec(1.5, 0, 0)),
             wall = add_body(world, &fixed);
    refuse(world, rope_of((rvIntegrator)9), hand, "9 is none");
    refuse(world, rope_of(RV_INTEGRATOR_SI_HHT), ball, "si-hht moves no bodies, and places[1]");
    refuse(world, rope_of(RV_INTEGRATOR_TAYLOR), hand, "places[1] may");
    rvCableDef def = rope_of(RV_INTEGRATOR_VERLET);
    def.collides = true;
    refuse(world, def, hand, "verlet meets no shapes");
    def = rope_of(RV_INTEGRATOR_TAYLOR);
    def.damping = 0.1;
    refuse(world, def, wall, "no damping");
    // hooked to what it cannot move: refused, and it goes on
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(hand, rvVec(0, 0, 0))};
    rvCableId rope = add_cable_of(world, rope_of(RV_INTEGRATOR_VERLET), places, 2);
    rvPlaceDef hook = rvAttachPlace(ball, rvVec(0, 0, 0)), other = rvAttachPlace(wall, rvVec(0, 0, 0));
    assert_int_equal(rvCable_SetPlace(world, rope, 1, &hook), RV_BAD_INPUT);
    assert_non_null(strstr(rvWorld_GetError(world), "verlet moves no bodies"));
    step_world(world, 1e-3, 1);
    CHECK_OK(world, rvCable_SetPlace(world, rope, 1, &other));
    step_world(world, 1e-3, 1);
    // and rest is found as by rt
    CHECK_OK(world, rvWorld_Settle(world, NULL, NULL));
    step_world(world, 1e-3, 10);
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(HeldCableStepsAsItsElementsAlone), cmocka_unit_test(LedCableIsTheSameByAllMethods),
        cmocka_unit_test(SavedStepsGoOnBitForBit), cmocka_unit_test(WhatAnIntegratorCannotDoIsTold)};
    return RUN_TESTS(tests);
}
