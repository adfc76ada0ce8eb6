// SPDX-License-Identifier: MIT
// Ropes that sag onto the ground or a box although their chord is clear of it.
#include "world/machines.h"

static rvCableId add_rope(rvWorld* world, rvPlaceDef from, rvPlaceDef to, double mass, double length, bool straight)
{
    rvPlaceDef places[] = {from, to};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_LAYERED);
    def.axialStiffness = 1e6;
    def.massPerLength = mass;
    def.length = length;
    def.diameter = 0.02;
    def.subdivisions = 40;
    def.damping = 0.02;
    def.waveDamping = 1.0;
    def.collides = true;
    def.straight = straight;
    def.places = places;
    def.placeCount = 2;
    rvCableId id;
    CHECK_OK(world, rvCreateCable(world, &def, &id));
    return id;
}

static double lowest_of(const rvWorld* world, rvCableId rope)
{
    rvVec3 points[64];
    int count = rvCable_GetShape(world, rope, points, 64);
    assert_int_equal(count, 41);
    double lowest = HUGE_VAL;
    for (int i = 0; i < count; ++i)
        lowest = fmin(lowest, points[i].z);
    return lowest;
}

// Two ends of a catenary that meet the ground along it: s^2 = z^2 + 2 a z, x = a asinh(s/a), 2 s + l - 2 x of rope, H =
// w a.
static void SlackRopeLiesOnTheGround(void** state)
{
    (void)state;
    const double steps[] = {1.0 / 60.0, 0.005};
    for (int i = 0; i < 2; ++i) {
        rvWorld* world = make_world();
        add_ground(world);
        rvCableId rope = add_rope(world, rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0.5)),
                                  rvAttachPlace(RV_NULL_BODY, rvVec(20, 0, 0.5)), 1.0, 20.3, false);
        double low = 1e-3, high = 1e3, z = 0.49;
        for (int k = 0; k < 100; ++k) {
            double a = sqrt(low * high), s = sqrt(z * z + 2.0 * a * z);
            if (2.0 * s + 20.0 - 2.0 * a * asinh(s / a) > 20.3)
                low = a;
            else
                high = a;
        }
        for (int n = 0; n < (int)(10.0 / steps[i]); ++n)
            CHECK_OK(world, rvWorld_Step(world, steps[i]));
        CHECK_NEAR(lowest_of(world, rope), 0.01, 2e-4); // half of its thickness, and what it may be deep
        // the ends rise at 45 degrees within two of 40 intervals: half of the sagitta's share of a polygon, 1/(2 n^2)
        CHECK_NEAR(rvCable_GetTension(world, rope, 0), GRAVITY * low, 0.125 * GRAVITY * low);
        assert_true(rvCable_GetContactCount(world, rope) > 30); // all but the ends
        CHECK_BELOW(rvWorld_GetEnergy(world).kinetic, 1e-12);   // and it lies still
        rvDestroyWorld(world);
    }
}

// A rope that lies still makes no heat, neither more nor less: what damping takes of its weight's push in a step, the
// ground gives. One whose end is moved about takes the work of that and gives it back.
static void LyingRopeKeepsItsBooks(void** state)
{
    (void)state;
    const double h = 0.005;
    for (int moved = 0; moved < 2; ++moved) {
        rvWorld* world = make_world();
        add_ground(world);
        rvBodyDef def = rvDefaultBodyDef();
        def.type = RV_BODY_KINEMATIC;
        def.pose.p = rvVec(20, 0, 0.5);
        rvBodyId end = add_body(world, &def);
        add_rope(world, rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0.5)), rvAttachPlace(end, rvVec(0, 0, 0)), 1.0, 20.3,
                 false);
        step_world(world, h, 600);
        double heat = rvWorld_GetEnergy(world).heat, begun = energy_books(world);
        for (int n = 0; n < 2000; ++n) {
            double t = n * h;
            rvPose pose = def.pose;
            pose.p = rvVec(20.0 - 0.3 * (1.0 - cos(t)), 0, 0.5 + 0.1 * (1.0 - cos(1.4 * t)));
            if (moved)
                CHECK_OK(world, rvBody_MoveTo(world, end, pose));
            CHECK_OK(world, rvWorld_Step(world, h));
            // ends get what a contact gives in the step after: the weight, at most 0.33 m/s fast, a step late
            CHECK_NEAR(energy_books(world), begun, moved ? h * 20.3 * GRAVITY * 0.33 : 1e-9);
            if (!moved)
                CHECK_NEAR(rvWorld_GetEnergy(world).heat, heat, 1e-9); // round-off of 100 J in 2000 steps
        }
        rvDestroyWorld(world);
    }
}

// A box in the bight, hung from a rope that weighs it, carries what the ends do not; nothing is lost on the way.
static void BoxInTheBightCarriesTheRope(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId box = add_box(world, 50.0, rvVec(2, 2, 0.4), rvVec(10, 0, -1.2));
    add_box_shape(world, box, rvVec(2, 2, 0.4));
    rvCableId lines[4]; // to its corners, so that it cannot turn
    for (int i = 0; i < 4; ++i) {
        double x = i % 2 ? 1.0 : -1.0, y = i / 2 ? 1.0 : -1.0;
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(10 + x, y, 9)), rvAttachPlace(box, rvVec(x, y, 0))};
        rvCableDef line = rvDefaultCableDef(RV_CABLE_MASSLESS);
        line.axialStiffness = 1e6;
        line.damping = 0.1;
        line.places = places;
        line.placeCount = 2;
        CHECK_OK(world, rvCreateCable(world, &line, &lines[i]));
    }
    rvBodyId ends[2];
    for (int i = 0; i < 2; ++i) { // on kinematic bodies: their wrench is what the rope pulls
        rvBodyDef def = rvDefaultBodyDef();
        def.type = RV_BODY_KINEMATIC;
        def.pose.p = rvVec(20 * i, 0, 0);
        ends[i] = add_body(world, &def);
    }
    rvCableId rope =
        add_rope(world, rvAttachPlace(ends[0], rvVec(0, 0, 0)), rvAttachPlace(ends[1], rvVec(0, 0, 0)), 2.0, 20.6,
                 true); // it falls onto the box
    for (int n = 0; n < 6000; ++n)
        CHECK_OK(world, rvWorld_Step(world, 0.005));
    assert_true(rvCable_GetContactCount(world, rope) >= 1);
    double carried = -50.0 * GRAVITY, held = 0.0;
    for (int i = 0; i < 4; ++i)
        carried += rvCable_GetTension(world, lines[i], 0);
    for (int i = 0; i < 2; ++i) {
        rvVec3 force, torque;
        rvBody_GetWrench(world, ends[i], &force, &torque);
        held -= force.z;
    }
    assert_true(carried > 20.0);
    // all of the rope's weight, at rest: exp(-0.5 * 30 s) of it swings
    CHECK_NEAR(carried + held, 2.0 * 20.6 * GRAVITY, 1e-3 * 2.0 * 20.6 * GRAVITY);
    rvDestroyWorld(world);
}

// The route lays a rope on edges as a line; so lies its curve between them, however thick it is. Lifted by half a
// thickness beside each edge it would be longer than there is room for.
static void CurveLiesOnABoxWithItsChord(void** state)
{
    (void)state;
    const double steps[] = {1.0 / 60.0, 0.005};
    for (int i = 0; i < 2; ++i) {
        rvWorld* world = make_world();
        rvBodyDef still = rvDefaultBodyDef();
        still.type = RV_BODY_STATIC;
        add_box_shape(world, add_body(world, &still), rvVec(2, 4, 2));
        double length = 2.0 + 2.0 * sqrt(5.0);
        rvCableId rope = add_rope(world, rvAttachPlace(RV_NULL_BODY, rvVec(-3, 0, 0)),
                                  rvAttachPlace(RV_NULL_BODY, rvVec(3, 0, 0)), 5.0, length, false);
        for (int n = 0; n < (int)(5.0 / steps[i]); ++n)
            CHECK_OK(world, rvWorld_Step(world, steps[i]));
        rvVec3 points[160];
        int count = rvCable_GetShape(world, rope, points, 160), above = 0;
        for (int k = 0; k < count; ++k)
            if (fabs(points[k].x) < 0.999) {
                CHECK_NEAR(points[k].z, 1.0, 2e-4); // what it may be deep
                above += 1;
            }
        assert_true(above >= 38);                            // the points between the ends of that span
        CHECK_BELOW(rvWorld_GetEnergy(world).kinetic, 1e-6); // and it lies still
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SlackRopeLiesOnTheGround),
        cmocka_unit_test(LyingRopeKeepsItsBooks),
        cmocka_unit_test(BoxInTheBightCarriesTheRope),
        cmocka_unit_test(CurveLiesOnABoxWithItsChord),
    };
    return RUN_TESTS(tests);
}
