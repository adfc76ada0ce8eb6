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
        cmocka_unit_test(RefusedChangesLeaveTheCableAsItWas),
        cmocka_unit_test(RefusedDefinitionsLeaveContactsAsTheyWere),
    };
    return RUN_TESTS(tests);
}
