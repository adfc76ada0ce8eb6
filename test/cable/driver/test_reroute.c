// SPDX-License-Identifier: MIT
// Hooking, reeving, unreeving and splicing while the world runs.
#include "world/machines.h"

static int events_of(rvWorld* world, rvEventType type, rvEvent* event)
{
    rvEvent events[32];
    int count = rvWorld_GetEvents(world, events, 32), found = 0;
    for (int i = 0; i < count && i < 32; ++i)
        if (events[i].type == type) {
            *event = events[i];
            found += 1;
        }
    return found;
}

static void LoadIsUnhookedFallsAndIsHookedAgain(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId first = add_mass(world, RV_BODY_DYNAMIC, 100, 0.0, rvVec(0, 0, -5)),
             second = add_mass(world, RV_BODY_DYNAMIC, 50, 0.0, rvVec(1, 0, -5));
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(first, rvVec(0, 0, 0))};
    rvCableId cable = add_damped(world, places, 2, 1e6, 0.05);
    rvPlaceDef hold[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 0)), rvAttachPlace(second, rvVec(0, 0, 0))};
    add_damped(world, hold, 2, 1e6, 0.05);
    run_world(world, 1.0 / 240, 3.0);
    CHECK_NEAR(rvCable_GetTension(world, cable, 0), 100 * GRAVITY, 0.1); // at rest after 60 damping times
    double length = rvCable_GetRestLength(world, cable);

    rvPlaceDef loose = rvFreePlace(rvVec(0, 0, -5));
    assert_int_equal(rvCable_SetPlace(world, cable, 1, &loose), RV_OK);
    run_world(world, 1.0 / 240, 1.0 / 240);
    rvEvent event = {0};
    assert_int_equal(events_of(world, RV_EVENT_REROUTED, &event), 1);
    assert_int_equal(event.place, 1);
    CHECK_NEAR(event.value, 100 * GRAVITY, 0.1); // what it carried when it was unhooked
    double before = rvBody_GetVelocity(world, first).z;
    run_world(world, 1.0 / 240, 0.5);
    CHECK_NEAR(rvBody_GetVelocity(world, first).z - before, -0.5 * GRAVITY, 1e-9); // free fall

    rvPlaceDef hooked = rvAttachPlace(second, rvVec(0, 0, 0));
    assert_int_equal(rvCable_SetPlace(world, cable, 1, &hooked), RV_OK);
    CHECK_NEAR(rvCable_GetRestLength(world, cable), length, 0.0);
    run_world(world, 1.0 / 240, 3.0);
    assert_int_equal(events_of(world, RV_EVENT_REROUTED, &event), 0);
    assert_true(rvCable_GetLength(world, cable) > 5.0);
    rvDestroyWorld(world);
}

static void ReevingThroughABlockDoublesItsLoad(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_mass(world, RV_BODY_DYNAMIC, 100, 0.0, rvVec(0.5, 0, -5));
    // a slack rope between two points; the load hangs on another one
    rvPlaceDef ends[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 0))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.axialStiffness = 1e6;
    def.damping = 0.05;
    def.length = 10.2;
    def.places = ends;
    def.placeCount = 2;
    rvCableId cable;
    assert_int_equal(rvCreateCable(world, &def, &cable), RV_OK);
    rvPlaceDef eye = rvEyePlace(load, rvVec(0, 0, 0));
    assert_int_equal(rvCable_InsertPlace(world, cable, 1, &eye), RV_OK);
    assert_int_equal(rvCable_GetPlaceCount(world, cable), 3);
    run_world(world, 1.0 / 240, 4.0);
    double slope = 5.0 / sqrt(25.25); // the falls lean by half a metre on five
    CHECK_NEAR(rvCable_GetTension(world, cable, 0), 0.5 * 100 * GRAVITY / slope, 1.0); // hangs a little lower than that
    CHECK_NEAR(rvCable_GetTension(world, cable, 1), rvCable_GetTension(world, cable, 0), 1e-9); // no friction
    assert_int_equal(rvCable_RemovePlace(world, cable, 1), RV_OK);
    run_world(world, 1.0 / 240, 0.2);
    CHECK_NEAR(rvCable_GetTension(world, cable, 0), 0.0, 0.0);
    CHECK_NEAR(rvCable_GetRestLength(world, cable), 10.2, 1e-12); // no rope is lost
    rvDestroyWorld(world);
}

static void FrictionStaysWhereItWasWhenAPlaceIsAdded(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId a = add_mass(world, RV_BODY_DYNAMIC, 2, 0.0, rvVec(-0.2, 0, -5)),
             b = add_mass(world, RV_BODY_DYNAMIC, 1.5, 0.0, rvVec(0.2, 0, -5));
    rvPlaceDef places[3] = {rvAttachPlace(a, rvVec(0, 0, 0)),
                            rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.2),
                            rvAttachPlace(b, rvVec(0, 0, 0))};
    places[1].friction = 0.2;
    places[1].wheel.locked = true;
    rvCableId cable = add_damped(world, places, 3, 1e6, 0.05);
    run_world(world, 1.0 / 240, 3.0);
    CHECK_NEAR(rvCable_GetTension(world, cable, 0), 2 * GRAVITY, 1e-3); // sticks: each side bears its own load
    CHECK_NEAR(rvCable_GetTension(world, cable, 1), 1.5 * GRAVITY, 1e-3);
    rvPlaceDef eye = rvEyePlace(RV_NULL_BODY, rvVec(0.2, 0, -2));
    assert_int_equal(rvCable_InsertPlace(world, cable, 2, &eye), RV_OK);
    run_world(world, 1.0 / 240, 1.0);
    CHECK_NEAR(rvCable_GetTension(world, cable, 0), 2 * GRAVITY, 1e-3); // no jolt: the rope kept its rest lengths
    CHECK_NEAR(rvCable_GetTension(world, cable, 2), 1.5 * GRAVITY, 1e-3);
    CHECK_NEAR(rvCable_GetTension(world, cable, 1), 1.5 * GRAVITY, 1e-3);
    rvDestroyWorld(world);
}

static void SplicedCablesCarryAsOne(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_mass(world, RV_BODY_DYNAMIC, 100, 0.0, rvVec(0, 0, -6)),
             link = add_mass(world, RV_BODY_DYNAMIC, 1, 0.0, rvVec(0, 0, -3));
    rvPlaceDef upper[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(link, rvVec(0, 0, 0))};
    rvPlaceDef lower[2] = {rvAttachPlace(link, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableId a = add_damped(world, upper, 2, 1e6, 0.05), b = add_damped(world, lower, 2, 1e6, 0.05);
    run_world(world, 1.0 / 240, 3.0);
    assert_int_equal(rvCable_Splice(world, a, b), RV_OK);
    assert_false(rvCable_IsValid(world, b));
    assert_int_equal(rvCable_GetPlaceCount(world, a), 2);
    run_world(world, 1.0 / 240, 3.0);
    CHECK_NEAR(rvCable_GetTension(world, a, 0), 100 * GRAVITY, 0.1); // the load alone, at rest again
    assert_true(rvBody_GetCenter(world, link).z < -10.0);            // the link was let go
    assert_int_equal(rvCable_Splice(world, a, a), RV_BAD_INPUT);
    rvDestroyWorld(world);
}

static rvCableId add_layered(rvWorld* world, double from, double over, double to, double length, int subdivisions)
{
    rvPlaceDef places[3] = {rvAttachPlace(RV_NULL_BODY, rvVec(from, 0, 0)), rvEyePlace(RV_NULL_BODY, rvVec(over, 0, 0)),
                            rvAttachPlace(RV_NULL_BODY, rvVec(to, 0, 0))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_LAYERED);
    def.axialStiffness = 1e6;
    def.damping = 0.02;
    def.massPerLength = 1.0;
    def.length = length;
    def.subdivisions = subdivisions;
    return add_cable_of(world, def, places, 3);
}

enum { MOST_POINTS = 400 };

// Points of a cable beyond x; answers how many.
static int points_beyond(const rvWorld* world, rvCableId cable, double x, rvVec3* points)
{
    rvVec3 all[MOST_POINTS];
    int count = rvCable_GetShape(world, cable, all, MOST_POINTS), found = 0;
    assert_in_range(count, 2, MOST_POINTS);
    for (int i = 0; i < count; ++i)
        if (all[i].x > x)
            points[found++] = all[i];
    return found;
}

// Spliced ropes with mass keep the shapes of their spans: each has its own wave.
static void SplicedLayeredRopesKeepTheirShapes(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvCableId a = add_layered(world, -4, -2, 0, 4.05, 8), b = add_layered(world, 0, 2, 6, 6.6, 8),
              coarse = add_layered(world, 6, 7, 8, 2.1, 5);
    run_world(world, 1.0 / 240, 0.4);
    rvVec3 was[MOST_POINTS], now[MOST_POINTS], first[MOST_POINTS];
    int count = points_beyond(world, b, 2.0, was);
    assert_true(count > 6);
    assert_int_equal(rvCable_Splice(world, b, coarse), RV_BAD_INPUT); // of other waves
    CHECK_OK(world, rvCable_Splice(world, a, b));
    assert_int_equal(rvCable_GetPlaceCount(world, a), 4);
    assert_int_equal(points_beyond(world, a, 2.0, now), count);
    for (int i = 0; i < count; ++i)
        CHECK_BELOW(rvDistance(was[i], now[i]), 1e-6); // rope is shared between spans as before, to the sum's round-off
    points_beyond(world, a, -4.0, first);
    double lowest = 0.0, lower = 0.0;
    for (int i = 0; i < count; ++i)
        lower = fmin(lower, now[i].z);
    for (int i = 0; i < 5; ++i) // of the first span
        lowest = fmin(lowest, first[i].z);
    assert_true(lower < 3.0 * lowest); // it is longer and has more slack
    run_world(world, 1.0 / 240, 1.0);
    rvDestroyWorld(world);
}

// The change itself and two seconds after it leave the books as they were.
static void check_books(rvWorld* world, double* before, double scale)
{
    CHECK_NEAR(energy_books(world), *before, 1e-9 * scale); // round-off of sums
    run_world(world, 1.0 / 240, 2.0);
    // what the trapezoidal rule leaves out of a rope over a wheel is not told: 2.4 J where the load spins at 12 rad/s,
    // by h^2
    CHECK_NEAR(energy_books(world), *before, 1e-4 * scale);
    *before = energy_books(world);
}

// A hoist with all that turns and rubs, whose rope is hooked to another load, too short by 0.2 m, reeved, unreeved,
// spliced, torn and taken away while its winch runs: a hand that stretches a rope works, and what a rope held becomes
// heat.
static void ChangesAreInTheBooks(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId a = add_mass(world, RV_BODY_DYNAMIC, 1000, 0.0, rvVec(0.3, 0, -8)),
             b = add_mass(world, RV_BODY_DYNAMIC, 800, 0.0, rvVec(1.5, 0, -8)),
             c = add_mass(world, RV_BODY_DYNAMIC, 500, 0.0, rvVec(1.5, 0, -12));
    rvPlaceDef places[3] = {rvWinchPlace(RV_NULL_BODY, rvVec(-3, 0, -3), -0.05),
                            rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.3),
                            rvAttachPlace(a, rvVec(0, 0, 0.5))};
    places[1].friction = 0.2;
    places[1].wheel.inertia = 2.0;
    places[1].wheel.bearing = 0.02;
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.axialStiffness = 1e6;
    def.damping = 0.02;
    def.torsionalStiffness = 50.0;
    def.twist = 1.0;
    rvCableId hoist = add_cable_of(world, def, places, 3);
    rvPlaceDef below[2] = {rvAttachPlace(b, rvVec(0, 0, -0.5)), rvAttachPlace(c, rvVec(0, 0, 0))};
    rvCableId sling = add_cable_of(world, def, below, 2);
    run_world(world, 1.0 / 240, 0.5);
    double before = energy_books(world), fall = 1e5; // J, what a load of 1 t falls in these seconds

    rvPlaceDef hooked = rvAttachPlace(b, rvVec(0, 0, 0.5));
    double work = rvWorld_GetEnergy(world).work, lengthBefore = rvCable_GetLength(world, hoist);
    assert_int_equal(rvCable_SetPlace(world, hoist, 2, &hooked), RV_OK);
    assert_true(rvCable_GetLength(world, hoist) > lengthBefore + 0.1);
    assert_true(rvWorld_GetEnergy(world).work > work + 0.5 * 1e6 / 12.0 * 0.1 * 0.1); // EA/N p^2/2
    check_books(world, &before, fall);

    rvPlaceDef eye = rvEyePlace(RV_NULL_BODY, rvVec(-1.5, 0, -0.5));
    eye.friction = 0.1;
    assert_int_equal(rvCable_InsertPlace(world, hoist, 1, &eye), RV_OK);
    check_books(world, &before, fall);
    assert_int_equal(rvCable_RemovePlace(world, hoist, 1), RV_OK);
    check_books(world, &before, fall);

    double tension = rvCable_GetTension(world, sling, 0);
    assert_int_equal(rvCable_Splice(world, hoist, sling), RV_OK);
    run_world(world, 1.0 / 240, 1.0 / 240);
    rvEvent event = {0};
    assert_int_equal(events_of(world, RV_EVENT_REROUTED, &event), 1);
    assert_true(event.value >= tension && tension > 0.0);
    check_books(world, &before, fall);

    double pull = fmax(rvCable_GetTension(world, hoist, 0), rvCable_GetTension(world, hoist, 1));
    int tightest = rvCable_GetTension(world, hoist, 1) > rvCable_GetTension(world, hoist, 0);
    double heat = rvWorld_GetEnergy(world).heat, elastic = rvWorld_GetEnergy(world).elastic;
    assert_int_equal(rvCable_Break(world, hoist), RV_OK);
    CHECK_NEAR(rvWorld_GetEnergy(world).heat - heat, elastic, 1e-9 * fall);
    work = rvWorld_GetEnergy(world).work;
    run_world(world, 1.0 / 240, 1.0 / 240);
    assert_int_equal(events_of(world, RV_EVENT_BROKEN, &event), 1);
    CHECK_NEAR(event.value, pull, 0.0); // what it carried when it was cut
    assert_int_equal(event.place, tightest);
    assert_int_equal(events_of(world, RV_EVENT_SLACK, &event), 0);
    check_books(world, &before, fall);
    CHECK_NEAR(rvWorld_GetEnergy(world).work, work, 0.0); // there is nothing that the winch pulls
    assert_int_equal(rvDestroyCable(world, hoist), RV_OK);
    check_books(world, &before, fall);
    rvDestroyWorld(world);
}

// Slack of one segment goes over friction to another that a hand draws out: nothing is stretched, and nobody works.
static void SlackRopeIsHookedFartherAwayForNothing(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvPlaceDef places[3] = {rvAttachPlace(RV_NULL_BODY, rvVec(-4, 0, -4)), rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                            rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, -1))};
    places[1].friction = 0.3;
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.axialStiffness = 1e6;
    def.length = 12.0;
    rvCableId cable = add_cable_of(world, def, places, 3);
    run_world(world, 1.0 / 240, 0.1);
    rvPlaceDef hooked = rvAttachPlace(RV_NULL_BODY, rvVec(4, 0, -4)); // 5.66 m from the eye: 0.7 m are left
    assert_int_equal(rvCable_SetPlace(world, cable, 2, &hooked), RV_OK);
    CHECK_NEAR(rvWorld_GetEnergy(world).work, 0.0, 0.0);
    CHECK_NEAR(rvWorld_GetEnergy(world).elastic, 0.0, 0.0);
    run_world(world, 1.0 / 240, 0.1);
    assert_false(rvCable_IsTaut(world, cable));
    CHECK_NEAR(rvWorld_GetEnergy(world).heat, 0.0, 0.0);
    CHECK_NEAR(rvCable_GetRestLength(world, cable), 12.0, 1e-12); // no rope is lost
    rvDestroyWorld(world);
}

static void RefusedChangesLeaveTheCableAsItWas(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_mass(world, RV_BODY_DYNAMIC, 100, 0.0, rvVec(0, 0, -5));
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableId cable = add_damped(world, places, 2, 1e6, 0.05);
    run_world(world, 1.0 / 240, 0.1);
    uint64_t before = rvWorld_Hash(world);
    rvPlaceDef eye = rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 0));
    assert_int_equal(rvCable_SetPlace(world, cable, 1, &eye), RV_BAD_INPUT);    // an end cannot be an eye
    assert_int_equal(rvCable_InsertPlace(world, cable, 0, &eye), RV_BAD_INPUT); // before the first end
    assert_int_equal(rvCable_InsertPlace(world, cable, 1, &eye), RV_BAD_INPUT); // on top of it
    assert_int_equal(rvCable_RemovePlace(world, cable, 1), RV_BAD_INPUT);       // an end
    assert_int_equal(rvCable_RemovePlace(world, cable, 7), RV_BAD_INPUT);
    eye.point.x = HUGE_VAL;
    assert_int_equal(rvCable_InsertPlace(world, cable, 1, &eye), RV_BAD_INPUT);
    rvPlaceDef stale = rvAttachPlace((rvBodyId){9, 9}, rvVec(0, 0, 0));
    assert_int_equal(rvCable_SetPlace(world, cable, 1, &stale), RV_BAD_ID);
    assert_int_equal(rvCable_SetPlace(world, (rvCableId){5, 1}, 1, &stale), RV_BAD_ID);
    assert_true(rvWorld_Hash(world) == before);
    run_world(world, 1.0 / 240, 0.1);
    rvDestroyWorld(world);
}

// A rope over a box, with a load on its end.
static void RefusedDefinitionsLeaveContactsAsTheyWere(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    add_box_shape(world, add_hand(world, rvVec(0, 0, 0)), rvVec(1, 1, 1));
    rvBodyId load = add_mass(world, RV_BODY_DYNAMIC, 100, 0.0, rvVec(1.5, 0, 0.7));
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(-2, 0, 1)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.axialStiffness = 1e6;
    def.damping = 0.05;
    def.collides = true;
    def.length = 4.5;
    rvCableId cable = add_cable_of(world, def, places, 2);
    run_world(world, 1.0 / 240, 1.0);
    assert_true(rvCable_GetContactCount(world, cable) > 0);
    uint64_t before = rvWorld_Hash(world);
    rvPlaceDef eye = rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 5)), stale = rvAttachPlace((rvBodyId){9, 9}, rvVec(0, 0, 0));
    assert_int_equal(rvCable_SetPlace(world, cable, 1, &eye), RV_BAD_INPUT); // an end cannot be an eye
    assert_int_equal(rvCable_SetPlace(world, cable, 9, &eye), RV_BAD_INPUT);
    assert_int_equal(rvCable_SetPlace(world, cable, 1, &stale), RV_BAD_ID);
    assert_int_equal(rvCable_SetPlace(world, cable, 1, NULL), RV_BAD_INPUT);
    assert_int_equal(rvCable_InsertPlace(world, cable, 1, NULL), RV_BAD_INPUT);
    assert_int_equal(rvCable_InsertPlace(world, cable, 0, &eye), RV_BAD_INPUT);
    assert_int_equal(rvCable_RemovePlace(world, cable, 1), RV_BAD_INPUT);
    assert_true(rvWorld_Hash(world) == before);
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LoadIsUnhookedFallsAndIsHookedAgain),
        cmocka_unit_test(ReevingThroughABlockDoublesItsLoad),
        cmocka_unit_test(FrictionStaysWhereItWasWhenAPlaceIsAdded),
        cmocka_unit_test(SplicedCablesCarryAsOne),
        cmocka_unit_test(SplicedLayeredRopesKeepTheirShapes),
        cmocka_unit_test(ChangesAreInTheBooks),
        cmocka_unit_test(SlackRopeIsHookedFartherAwayForNothing),
        cmocka_unit_test(RefusedChangesLeaveTheCableAsItWas),
        cmocka_unit_test(RefusedDefinitionsLeaveContactsAsTheyWere),
    };
    return RUN_TESTS(tests);
}
