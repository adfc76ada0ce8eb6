// SPDX-License-Identifier: MIT
// Ropes with mass that cross others: they hold each other, with sag, weight and waves, and come apart.
#include <stdlib.h>

#include "cable/crossing_ropes.h"

static Rope rope_of(rvCableModel model, double stiffness, double length)
{
    return (Rope){.model = model,
                  .stiffness = stiffness,
                  .damping = 0.05,
                  .length = length,
                  .diameter = 0.01,
                  .mass = model == RV_CABLE_MASSLESS ? 0.0 : 0.5};
}

static Sweep sweep(const rvCableModel models[2], double off, double lengths, double speed)
{
    return new_sweep(make_world(), models, rope_of(RV_CABLE_LAYERED, 1e5, lengths), off, speed);
}

static const rvCableModel pairs[3][2] = {
    {RV_CABLE_LAYERED, RV_CABLE_LAYERED}, {RV_CABLE_LAYERED, RV_CABLE_MASSLESS}, {RV_CABLE_MASSLESS, RV_CABLE_LAYERED}};

static double rope_weight(rvCableModel model, double length)
{
    return model == RV_CABLE_MASSLESS ? 0.0 : 0.5 * length * GRAVITY;
}

// A load on a sling falls into the bight of a rope, bounces there and comes to rest.
static void LoadHangsInTheSaddleOfRopesWithMass(void** state)
{
    (void)state;
    for (int p = 0; p < 3; ++p) {
        rvWorld* world = make_world();
        rvCableId a = new_span(world, ground, rvVec(-2, 0, 0), ground, rvVec(2, 0, 0), rope_of(pairs[p][0], 1e6, 4.2));
        rvBodyId load = add_mass(world, RV_BODY_DYNAMIC, 100, 10, rvVec(0, 0, -0.2));
        rvCableId b = new_span(world, load, rvVec(0, -0.5, 1), load, rvVec(0, 0.5, 1), rope_of(pairs[p][1], 1e6, 1.6));
        run_world(world, 1.0 / 60, 6.0);
        rvCableCrossing over, under;
        assert_int_equal(rvCable_GetCrossings(world, a, &over, 1), 1);
        assert_int_equal(rvCable_GetCrossings(world, b, &under, 1), 1);
        // What hangs on the point is the load and the sling; half of a sling's own weight is in how its tension grows
        // along it, which a chord knows to w l/(2 T), 0.6 %, of that weight.
        double carried = 100 * GRAVITY + rope_weight(pairs[p][1], 1.6);
        CHECK_NEAR(over.force.z, carried, 1e-3 * carried); // as above, of a rope's share of the whole, 1 %
        CHECK_BELOW(rvLength(rvAdd(over.force, under.force)), 1e-3 * carried); // as above: equal and opposite
        double sag = sqrt(2.1 * 2.1 - 4.0), all = carried + 0.5 * rope_weight(pairs[p][0], 4.2);
        // ropes stretch by T/EA, 1.6e-3, which the sag feels (2.1/0.64)^2 times
        CHECK_NEAR(rvCable_GetTension(world, a, 0) / (0.5 * all * 2.1 / sag), 1.0, 2e-2);
        rvDestroyWorld(world);
    }
}

static void FastRopesWithMassDoNotPassThroughEachOther(void** state)
{
    (void)state;
    for (int p = 0; p < 3; ++p)
        for (int k = 0; k < 8; ++k) {
            // taut and with sag, in the middle, where points of the curves meet, and beside it
            Sweep s = sweep(pairs[p], 0.17 * k, k % 2 ? 4.1 : -1.0, 10.0);
            run_world(s.world, 1.0 / 60, 0.3);
            rvCableCrossing crossing;
            assert_int_equal(rvCable_GetCrossings(s.world, s.a, &crossing, 1), 1);
            assert_true(crossing.point.z > -2.45 &&
                        crossing.force.z > 100.0); // above the ends of the other, and pressed
            rvDestroyWorld(s.world);
        }
}

// The upper rope is laid on the lower one, rests on it and is lifted again: they meet once and part once. While they do
// no tension jumps: the lengths of both ropes go on as they were, but for how their drawn curve differs from a
// catenary.
static void TensionGoesOnWhereSaggingRopesMeetAndPart(void** state)
{
    (void)state;
    Sweep s = sweep(pairs[0], 0.0, 4.2, 0.05);
    int met = 0, parted = 0;
    double last[2] = {0, 0}, books = 0.0, lightest = HUGE_VAL;
    for (int i = 0; i < 2400; ++i) {
        if (i == 1200)
            lead(&s, 0.05);
        run_world(s.world, 1.0 / 60, 1.0 / 60);
        rvEvent events[8];
        int count = rvWorld_GetEvents(s.world, events, 8);
        for (int k = 0; k < count && k < 8; ++k) {
            met += events[k].type == RV_EVENT_CABLES_CROSS;
            parted += events[k].type == RV_EVENT_CABLES_PART;
        }
        const double now[2] = {rvCable_GetTension(s.world, s.a, 0), rvCable_GetTension(s.world, s.b, 0)};
        if (i == 0)
            books = energy_books(s.world);
        for (int r = 0; r < 2 && i > 0; ++r)
            // half a rope caught at 0.05 m/s in a step, m v/(4 h sin) = 3.0 N, and 7 % of 18 N by which its drawn
            // curve, a parabola, is less deep than it hangs; what swings goes twice as far
            CHECK_BELOW(fabs(now[r] - last[r]), 2.0 * (3.0 + 1.3));
        memcpy(last, now, sizeof last);
        lightest = fmin(lightest, now[1]);
        CHECK_BELOW(fabs(energy_books(s.world) - books), 0.2); // of the 20 J that the hands move: a hundredth
    }
    assert_int_equal(met, 1);
    assert_int_equal(parted, 1);
    assert_true(lightest < 0.8 * last[1]); // the lower one did carry
    // back where they were, but for waves that fade slowly
    CHECK_NEAR(last[0], 18.0, 0.1 * 18.0);
    rvDestroyWorld(s.world);
}

static void CrossingRopesWithMassAreSavedAndRestored(void** state)
{
    (void)state;
    Sweep s = sweep(pairs[0], 0.3, 4.2, 1.0);
    run_world(s.world, 1.0 / 60, 0.7);
    check_sweep_is_saved(&s);
    rvDestroyWorld(s.world);
}

static void RopesWithMassWoundAroundEachOtherHoldOnUntilTheyAreUnwound(void** state)
{
    (void)state;
    for (int p = 0; p < 3; ++p)
        for (double mass = 0.01; mass < 0.2; mass *= 10.0)
            check_winding(pairs[p], mass, 4.01); // and until ropes that pull apart have opened by their thickness
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LoadHangsInTheSaddleOfRopesWithMass),
        cmocka_unit_test(FastRopesWithMassDoNotPassThroughEachOther),
        cmocka_unit_test(TensionGoesOnWhereSaggingRopesMeetAndPart),
        cmocka_unit_test(CrossingRopesWithMassAreSavedAndRestored),
        cmocka_unit_test(RopesWithMassWoundAroundEachOtherHoldOnUntilTheyAreUnwound),
    };
    return RUN_TESTS(tests);
}
