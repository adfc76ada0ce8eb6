// SPDX-License-Identifier: MIT
// Tension at a point of ropes of finite elements.
//
// An element of length l that turns by a cannot be without strain: a cubic of slopes at +-a/2 has a^4/560 P4 of it
// left, in the mean square a^4/1680. So it has an energy EA (k l)^8/(2 1680^2) a length beside EI k^2/2 at the
// curvature k, and an elastica of energy psi(k) carries k psi' - psi less than a limp rope at the same height.
#include "cable/string/catenary.h"
#include "world/machines.h"

#define LENGTH 5.0
#define STIFFNESS 1e7
#define BENDING 1e-3
#define PER_METRE 0.5
static const double WEIGHT = PER_METRE * GRAVITY;
static const rvVec3 FAR_END = {3, 0, 1};
static const rvCableModel MODELS[] = {RV_CABLE_ANCF, RV_CABLE_ALE};

static rvCableDef rope_of(rvCableModel model, int elements)
{
    rvCableDef def = rvDefaultCableDef(model);
    def.length = LENGTH;
    def.axialStiffness = STIFFNESS;
    def.bendingStiffness = BENDING;
    def.massPerLength = PER_METRE;
    def.damping = 0.01;
    def.elements = elements;
    return def;
}

static void settle(rvWorld* world)
{
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    assert_true(report.settled);
}

// What bending and the elements' own strain take, at the lowest point, where it bends most.
static double taken(const rvCatenary* c, int elements)
{
    double k = WEIGHT / c->horizontal, turn = k * LENGTH / elements;
    return 0.5 * BENDING * k * k + 7.0 * STIFFNESS * pow(turn, 8.0) / (2.0 * 1680.0 * 1680.0);
}

static double worst_off(const rvWorld* world, rvCableId rope, const rvCatenary* c)
{
    double worst = 0.0;
    for (int i = 0; i <= 200; ++i) {
        double share = i / 200.0, v = c->vertical + (share - 0.5) * WEIGHT * LENGTH;
        rvCableSection s;
        assert_true(rvCable_GetSection(world, rope, share * LENGTH, &s));
        worst = fmax(worst, fabs(s.tension - sqrt(c->horizontal * c->horizontal + v * v)));
    }
    return worst;
}

// Of 4 to 15 N; its elements have strains of +-390 N in them, of half as many elements +-3600 N.
static void LimpRopeReadsAsACatenary(void** state)
{
    (void)state;
    for (int m = 0; m < 2; ++m)
        for (int n = 12; n <= 24; n += 6) {
            rvWorld* world = make_world();
            rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, FAR_END)};
            rvCableId rope = add_cable_of(world, rope_of(MODELS[m], n), places, 2);
            settle(world);
            rvCatenary c = rv_catenary_by_length(FAR_END.x, FAR_END.z, WEIGHT, STIFFNESS, LENGTH);
            CHECK_BELOW(worst_off(world, rope, &c), taken(&c, n)); // see above
            for (int end = 0; end < 2; ++end)
                CHECK_NEAR(rvCable_GetEndTension(world, rope, 0, end), rv_catenary_end(&c, WEIGHT, end), taken(&c, n));
            rvCableSection s;
            assert_true(rvCable_GetSection(world, rope, 0.3 * LENGTH, &s));
            CHECK_NEAR(STIFFNESS * (s.strain + 0.5 * s.strain * s.strain) * (1.0 + s.strain), s.tension,
                       1e-12 * STIFFNESS); // rounding
            rvDestroyWorld(world);
        }
}

// A hand draws an end aside by 0.3 m in 6 s. That is more than twice as long as the rope swings, 2 pi sqrt(sag/g) = 2.8
// s: it follows with less than 1/(1 - 1/4) of the hand's acceleration a. So its load is turned or changed by that over
// g, and what each of its ends carries.
static void LimpRopeThatMovesReadsAsACatenary(void** state)
{
    (void)state;
    const double PI = 3.14159265358979, TIME = 6.0, WAY = 0.3, H = 0.005;
    for (int m = 0; m < 2; ++m) {
        rvWorld* world = make_world();
        rvBodyId hand = add_hand(world, rvVec(0, 0, 0));
        rvPlaceDef places[2] = {rvAttachPlace(hand, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, FAR_END)};
        rvCableId rope = add_cable_of(world, rope_of(MODELS[m], 12), places, 2);
        settle(world);
        double a = WAY * 2.0 * PI / (TIME * TIME);
        for (int i = 0; i < lround(TIME / H); ++i) {
            double speed = WAY / TIME * (1.0 - cos(2.0 * PI * (i + 0.5) * H / TIME));
            CHECK_OK(world, rvBody_SetVelocity(world, hand, rvVec(speed, 0, 0), rvVec(0, 0, 0)));
            CHECK_OK(world, rvWorld_Step(world, H));
            if (i % 40 != 39)
                continue;
            double d = FAR_END.x - rvBody_GetPose(world, hand).p.x;
            rvCatenary c = rv_catenary_by_length(d, FAR_END.z, WEIGHT, STIFFNESS, LENGTH);
            CHECK_BELOW(worst_off(world, rope, &c),
                        2.0 * 4.0 / 3.0 * a / GRAVITY * rv_catenary_end(&c, WEIGHT, 1) + taken(&c, 12)); // see above
        }
        rvDestroyWorld(world);
    }
}

// T0 + mu g z, whatever the elements.
static void HangingRopeReadsItsLoadAndItsWeight(void** state)
{
    (void)state;
    const double MASS = 100.0;
    for (int m = 0; m < 2; ++m)
        for (int n = 1; n <= 9; n += 4) {
            rvWorld* world = make_world();
            rvBodyId load = add_ball(world, MASS, 0.2, rvVec(0, 0, -LENGTH));
            rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
            rvCableId rope = add_cable_of(world, rope_of(MODELS[m], n), places, 2);
            settle(world);
            for (int i = 0; i <= 20; ++i) {
                rvCableSection s;
                double at = LENGTH * i / 20.0;
                assert_true(rvCable_GetSection(world, rope, at, &s));
                CHECK_NEAR(s.tension, MASS * GRAVITY + WEIGHT * (LENGTH - at), 1e-9 * MASS * GRAVITY);
            }
            for (int end = 0; end < 2; ++end) // as good as its balance, 1e-9 of the load
                CHECK_NEAR(rvCable_GetEndTension(world, rope, 0, end), MASS * GRAVITY + (end ? 0.0 : WEIGHT * LENGTH),
                           1e-9 * MASS * GRAVITY);
            rvDestroyWorld(world);
        }
}

// A small weight within a limp rope, on its way down: of what hangs there the rope before it carries more, by its
// direction.
static void TensionJumpsWhereAWeightHangs(void** state)
{
    (void)state;
    const double MASS = 0.2;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, MASS, 0.02, rvVec(0.3, 0, -1.3));
    rvPlaceDef places[3] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0)),
                            rvAttachPlace(RV_NULL_BODY, FAR_END)};
    rvCableId rope = add_cable_of(world, rope_of(RV_CABLE_ANCF, 16), places, 3);
    settle(world);
    double before = rvCable_GetEndTension(world, rope, 0, 1), after = rvCable_GetEndTension(world, rope, 1, 0);
    double low = 0.0, high = 2.5; // the rope goes away from its first end until there
    rvCableSection s;
    while (high - low > 1e-9) {
        double at = 0.5 * (low + high);
        assert_true(rvCable_GetSection(world, rope, at, &s));
        if (rvDistance(s.point, rvVec(0, 0, 0)) < rvDistance(rvBody_GetPose(world, load).p, rvVec(0, 0, 0)))
            low = at;
        else
            high = at;
    }
    CHECK_NEAR(before - after, -s.tangent.z * MASS * GRAVITY,
               1e-7 * MASS * GRAVITY); // settled to 1e-9 of all that hangs
    assert_true(before - after > 1.0);
    assert_true(rvCable_GetSection(world, rope, low - 1e-6, &s));
    CHECK_NEAR(s.tension, before, 2e-6 * WEIGHT); // of as much rope
    assert_true(rvCable_GetSection(world, rope, high + 1e-6, &s));
    CHECK_NEAR(s.tension, after, 2e-6 * WEIGHT);
    rvDestroyWorld(world);
}

// Layered rope at rest is an elastic catenary, and read as one all along.
static void LayeredRopeReadsAsACatenary(void** state)
{
    (void)state;
    const double lengths[] = {3.3, 4.0, 5.0};
    for (int k = 0; k < 3; ++k) {
        rvWorld* world = make_world();
        rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, FAR_END)};
        rvCableDef def = rope_of(RV_CABLE_LAYERED, 10);
        def.length = lengths[k];
        rvCableId rope = add_cable_of(world, def, places, 2);
        settle(world);
        rvCatenary c = rv_catenary_by_length(FAR_END.x, FAR_END.z, WEIGHT, STIFFNESS, lengths[k]);
        for (int i = 0; i <= 20; ++i) {
            double share = i / 20.0, v = c.vertical + (share - 0.5) * WEIGHT * lengths[k];
            rvCableSection s;
            assert_true(rvCable_GetSection(world, rope, share * lengths[k], &s));
            CHECK_NEAR(s.tension, sqrt(c.horizontal * c.horizontal + v * v),
                       1e-6 * WEIGHT * lengths[k]); // as test_layered_shape has its ends
        }
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LimpRopeReadsAsACatenary),          cmocka_unit_test(LayeredRopeReadsAsACatenary),
        cmocka_unit_test(LimpRopeThatMovesReadsAsACatenary), cmocka_unit_test(HangingRopeReadsItsLoadAndItsWeight),
        cmocka_unit_test(TensionJumpsWhereAWeightHangs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
