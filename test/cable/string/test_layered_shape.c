// SPDX-License-Identifier: MIT
// Ropes with mass of any length between their ends, up to a hundred times their chord: curve and forces of the elastic
// catenary.
#include "cable/string/catenary.h"
#include "world/machines.h"

#define CHORD 2.0
#define MASS 1.5                // [kg/m]
#define WEIGHT (MASS * GRAVITY) // [N/m]
#define STIFFNESS 1e6           // EA [N]

static const double ratios[] = {1.0001, 1.01, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0};
static const double angles[] = {0, 45, 80, 90, -60, -90}; // of the chord against the level [degrees]
enum { RATIOS = sizeof ratios / sizeof *ratios, ANGLES = sizeof angles / sizeof *angles };

// From the first end to the second: level and upwards.
static rvVec3 chord_at(double angle)
{
    bool upright = fabs(angle) == 90.0;
    double turn = angle * 3.14159265358979323846 / 180.0;
    return rvVec(upright ? 0.0 : CHORD * cos(turn), 0, CHORD * sin(turn));
}

// Created where it hangs, it stays; its tension along the chord and at its ends, and all of its points, are those of
// the closed form.
static void RopeOfAnyLengthHangsAsACatenary(void** state)
{
    (void)state;
    for (int i = 0; i < ANGLES * RATIOS; ++i) {
        rvVec3 chord = chord_at(angles[i / RATIOS]);
        double length = ratios[i % RATIOS] * CHORD;
        rvWorld* world = make_world();
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, chord)};
        rvCableDef def = layered_rope(places, 2, STIFFNESS, MASS, length);
        rvCableId rope = create_cable(world, &def);
        rvCatenary c = rv_catenary_by_length(chord.x, chord.z, WEIGHT, STIFFNESS, length);
        double along = (c.horizontal * chord.x + c.vertical * chord.z) / CHORD;
        step_world(world, 1.0 / 60.0, 60);
        // 1e-6 of the tension, as of other catenaries
        CHECK_NEAR(rvCable_GetTension(world, rope, 0), along, 1e-6 * along);
        for (int e = 0; e < 2; ++e) {
            double end = rv_catenary_end(&c, WEIGHT, e);
            CHECK_NEAR(rvCable_GetEndTension(world, rope, 0, e), end, 1e-6 * fmax(end, along));
        }
        rvVec3 points[64];
        int count = rvCable_GetShape(world, rope, points, 64);
        assert_in_range(count, 10, 64);
        for (int k = 0; k < count; ++k) {
            double x, z;
            rv_catenary_point(&c, WEIGHT, STIFFNESS, k / (count - 1.0), &x, &z);
            CHECK_NEAR(rvDistance(points[k], rvVec(x, 0, z)), 0.0, 1e-6 * length);
        }
        CHECK_BELOW(rvWorld_GetEnergy(world).kinetic, 1e-12); // round-off: it stays
        rvDestroyWorld(world);
    }
}

// A body between light stays that carry it: what they pull with is what the rope does. All bodies are at rest by then.
static void EndsPullAsThoseOfACatenary(void** state)
{
    (void)state;
    for (int i = 0; i < ANGLES * RATIOS; ++i) {
        rvVec3 from = chord_at(angles[i / RATIOS]);
        double length = ratios[i % RATIOS] * CHORD;
        if (ratios[i % RATIOS] < 1.01 ||
            ratios[i % RATIOS] > 10.0) // stays give a little; the longest take minutes to rest
            continue;
        rvWorld* world = make_world();
        rvBodyId body = add_ball(world, 10.0, 0.1, rvVec(0, 0, 0));
        const rvVec3 anchors[] = {{0, 0, 20}, {-20, 0, 0}, {0, 0, -20}};
        rvCableId stays[3];
        for (int k = 0; k < 3; ++k) {
            rvPlaceDef stay[] = {rvAttachPlace(RV_NULL_BODY, anchors[k]), rvAttachPlace(body, rvVec(0, 0, 0))};
            rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
            def.axialStiffness = 1e7;
            def.length = 20.0;
            def.damping = 0.05;
            stays[k] = add_cable_of(world, def, stay, 2);
        }
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, from), rvAttachPlace(body, rvVec(0, 0, 0))};
        rvCableDef def = layered_rope(places, 2, STIFFNESS, MASS, length);
        def.waveDamping = 2.0;
        def.damping = 0.05;
        create_cable(world, &def);
        step_world(world, 1.0 / 60.0, 600);
        rvVec3 at = rvBody_GetPose(world, body).p, pull = rvVec(0, 0, 10.0 * GRAVITY);
        for (int k = 0; k < 3; ++k)
            pull = rvMulAdd(pull, -rvCable_GetTension(world, stays[k], 0), rvNormalizeOr(rvSub(anchors[k], at), at));
        rvVec3 chord = rvSub(at, from);
        double level = fabs(chord.x), chordLength = rvLength(chord);
        rvCatenary c = rv_catenary_by_length(level, chord.z, WEIGHT, STIFFNESS, length);
        double along = (c.horizontal * level + c.vertical * chord.z) / chordLength;
        // of the wave 20 subdivisions leave 1/400 of w^2 z d/(12 T); below a bend of 0.6, of which a catenary has 1/15
        // of the square more across the chord, a part of that; and parts in a thousand of T that go with the last of
        // the sag
        double wave = WEIGHT * WEIGHT * fabs(chord.z) * level / (12.0 * along);
        double tolerance = wave / 400.0 + (c.bend < 0.6 ? wave * 0.36 / 15.0 : 0.0) + 1e-3 * along;
        CHECK_NEAR(pull.x, copysign(c.horizontal, -chord.x), tolerance);
        CHECK_NEAR(pull.z, -(c.vertical + 0.5 * WEIGHT * length), tolerance);
        rvDestroyWorld(world);
    }
}

// Two falls from one point: each carries half of the rope. A hand brings the second end there, or leaves it a
// millimetre off.
static void FallsFromOnePointCarryHalfOfTheRope(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        rvWorld* world = make_world();
        double goal = i == 0 ? 0.0 : 1e-3;
        rvBodyId hand = add_hand(world, rvVec(1, 0, 0));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(hand, rvVec(0, 0, 0))};
        rvCableDef def = layered_rope(places, 2, STIFFNESS, MASS, 10.0);
        def.waveDamping = 3.0;
        rvCableId rope = create_cable(world, &def);
        for (int n = 1; n <= 900; ++n) {
            double left = fmax(0.0, 1.0 - n / 120.0);
            rvPose pose = {rvVec(goal + (1.0 - goal) * left * left, 0, 0), {1, 0, 0, 0}};
            CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
            CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
        }
        // ends that meet within two seconds leave some of the rope loose, neither in the arc nor in the sag: 0.05 of 10
        // m
        for (int e = 0; e < 2; ++e)
            CHECK_NEAR(rvCable_GetEndTension(world, rope, 0, e), 5.0 * WEIGHT, 0.05 * WEIGHT);
        rvDestroyWorld(world);
    }
}

// A rope that is let go straight hangs, in the end, as deep as it is long: the curve goes there from the straight line,
// no faster than rope falls.
static void CurveGoesToTheCatenaryAsRopeFalls(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                           rvAttachPlace(RV_NULL_BODY, rvVec(CHORD, 0, 0))};
    rvCableDef def = layered_rope(places, 2, STIFFNESS, MASS, 3.0 * CHORD);
    def.straight = true;
    def.waveDamping = 3.0;
    rvCableId rope = create_cable(world, &def);
    const double h = 1.0 / 120.0;
    double before = 0.0, lowest = 0.0;
    for (int n = 1; n <= 120 * 30; ++n) {
        CHECK_OK(world, rvWorld_Step(world, h));
        rvVec3 points[64];
        int count = rvCable_GetShape(world, rope, points, 64);
        before = lowest;
        lowest = 0.0;
        for (int k = 0; k < count; ++k)
            lowest = fmin(lowest, points[k].z);
        // it cannot be faster than what falls all of its depth
        CHECK_NEAR(lowest, before, h * sqrt(2.0 * GRAVITY * 1.5 * CHORD));
    }
    rvCatenary c = rv_catenary_by_length(CHORD, 0.0, WEIGHT, STIFFNESS, 3.0 * CHORD);
    double x, z;
    rv_catenary_point(&c, WEIGHT, STIFFNESS, 0.5, &x, &z);
    CHECK_NEAR(lowest, z, 0.01 * CHORD); // swung out by then
    rvDestroyWorld(world);
}

// u at t = p of u'' = -lambda cosh(t) u, u(0) = 1, u'(0) = 0; below 0 it has passed zero before.
static double swing_at(double lambda, double p)
{
    const int steps = 2000;
    double u = 1.0, v = 0.0, h = p / steps;
    for (int i = 0; i < steps && u > 0.0; ++i) { // leapfrog: second order
        v -= 0.5 * h * lambda * cosh(i * h) * u;
        u += h * v;
        v -= 0.5 * h * lambda * cosh((i + 1) * h) * u;
    }
    return u;
}

// Period of the first small motion across the plane of a level catenary: (T u_s)_s = rho u_tt with s = a sinh t.
static double period_of(const rvCatenary* c)
{
    double low = 0.0, high = 4.0 / (c->bend * c->bend);
    for (int i = 0; i < 60; ++i) {
        double middle = 0.5 * (low + high);
        *(swing_at(middle, c->bend) > 0.0 ? &low : &high) = middle;
    }
    return 2.0 * 3.14159265358979323846 / sqrt(low * GRAVITY * WEIGHT / c->horizontal);
}

// Both ends are moved sideways by a decimetre within half a second: the rope swings, as fast as a catenary does,
// nothing is lost or won, and it leans no further than the ends' acceleration makes it.
static void BightSwingsAsACatenaryDoes(void** state)
{
    (void)state;
    const double longer[] = {1.02, 1.1, 1.5, 2.0, 3.0, 6.0, 15.0, 40.0}, h = 1.0 / 120.0, pi = 3.14159265358979323846;
    for (int i = 0; i < 8; ++i) {
        rvWorld* world = make_world();
        double length = longer[i] * CHORD, crossed = -1.0, before = 0.0, swung = 0.0, farthest = 0.0;
        int swings = 0;
        rvBodyId hands[2] = {add_hand(world, rvVec(0, 0, 0)), add_hand(world, rvVec(CHORD, 0, 0))};
        rvPlaceDef places[] = {rvAttachPlace(hands[0], rvVec(0, 0, 0)), rvAttachPlace(hands[1], rvVec(0, 0, 0))};
        rvCableDef def = layered_rope(places, 2, STIFFNESS, MASS, length);
        rvCableId rope = create_cable(world, &def);
        rvCatenary c = rv_catenary_by_length(CHORD, 0.0, WEIGHT, STIFFNESS, length);
        double period = period_of(&c), books = 0.0, off = 0.0, most = 0.0;
        for (int n = 1; n * h < 1.0 + 6.0 * period; ++n) {
            double t = fmin(n * h, 0.5), y = 0.2 * (t - sin(4.0 * pi * t) / (4.0 * pi));
            for (int e = 0; e < 2; ++e)
                CHECK_OK(world, rvBody_MoveTo(world, hands[e], (rvPose){rvVec(e * CHORD, y, 0), {1, 0, 0, 0}}));
            CHECK_OK(world, rvWorld_Step(world, h));
            rvVec3 points[64];
            int count = rvCable_GetShape(world, rope, points, 64);
            double now = points[count / 2].y - y;
            if (n * h < 0.75)
                books = energy_books(world);
            else {
                off = fmax(off, fabs(energy_books(world) - books));
                most = fmax(most, rvWorld_GetEnergy(world).kinetic);
                farthest = fmax(farthest, fabs(now));
                if (before < 0.0 && now >= 0.0) {
                    double at = n * h - h * now / (now - before);
                    swings += crossed >= 0.0;
                    swung += crossed >= 0.0 ? at - crossed : 0.0;
                    crossed = at;
                }
            }
            before = now;
        }
        assert_true(swings >= 3);
        CHECK_NEAR(swung / swings, period, 0.03 * period); // 2.5 % where the chord is left alone, 1 % of higher swings
        CHECK_BELOW(off, 0.02 * most);                     // as where supports shake a rope: (h w)^2 of the fast waves
        CHECK_BELOW(farthest, 0.3);                        // 0.1 m, and twice that where all waves come together
        CHECK_BELOW(0.05, farthest);                       // it does swing
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RopeOfAnyLengthHangsAsACatenary), cmocka_unit_test(EndsPullAsThoseOfACatenary),
        cmocka_unit_test(FallsFromOnePointCarryHalfOfTheRope), cmocka_unit_test(CurveGoesToTheCatenaryAsRopeFalls),
        cmocka_unit_test(BightSwingsAsACatenaryDoes)};
    return RUN_TESTS(tests);
}
