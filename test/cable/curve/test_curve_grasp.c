// SPDX-License-Identifier: MIT
#include "world/machines.h"

#include <stdlib.h>
#include <string.h>

static const double STEP = 0.0025;

// In a plane, in space, in space with stretch.
enum { KINDS = 3 };

// Held at both ends, then at one: it falls and swings.
static rvWorld* make_swinging(int kind, rvCableId* id)
{
    rvWorld* world = make_world();
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(1.8, 0, 0))};
    rvCableDef def = thread(places, 2, 2.0, kind > 0);
    def.bendingStiffness = 0.02;
    def.axialStiffness = kind == 2 ? 2e3 : 0.0;
    *id = create_cable(world, &def);
    CHECK_OK(world, rvCable_LetGo(world, *id, 1));
    return world;
}

// Where along it a hand takes hold there is what was there, and it moves as it did: shape and energies stay.
static void GraspLeavesShapeAndMotion(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        rvCableId id;
        rvWorld* world = make_swinging(kind, &id);
        run_world(world, STEP, 0.3);
        rvEnergy before = rvWorld_GetEnergy(world);
        rvVec3 points[9];
        rvCableSection at;
        for (int i = 0; i < 9; ++i) {
            assert_true(rvCable_GetSection(world, id, 0.25 * i, &at));
            points[i] = at.point;
        }
        assert_true(rvCable_GetSection(world, id, 1.234, &at));
        int place = -1;
        rvBodyId hand = add_hand(world, at.point);
        CHECK_OK(world, rvCable_Grasp(world, id, 1.234, hand, true, &place));
        assert_int_equal(place, 1);
        assert_int_equal(rvCable_GetPlaceCount(world, id), 3);
        assert_true(rvCable_IsHeld(world, id, 1));
        CHECK_NEAR(rvDistance(rvCable_GetPlacePoint(world, id, 1), at.point), 0.0, 1e-7); // of the search for it
        for (int i = 0; i < 9; ++i) {
            assert_true(rvCable_GetSection(world, id, 0.25 * i, &at));
            CHECK_NEAR(rvDistance(at.point, points[i]), 0.0, 1e-9); // Gauss' error of an interval that bends by 0.3
        }
        rvEnergy after = rvWorld_GetEnergy(world);
        // turning about the nodes, 1e-5 J: of a sum over other nodes, of second order in an interval
        CHECK_NEAR(after.kinetic, before.kinetic, 1e-7);
        CHECK_NEAR(after.potential, before.potential, 1e-9);
        CHECK_NEAR(after.elastic, before.elastic, 1e-9);
        CHECK_OK(world, rvCable_LetGo(world, id, 1));
        assert_int_equal(rvCable_GetPlaceCount(world, id), 2);
        rvDestroyWorld(world);
    }
}

// A hand that moves along a thread of a kilogram takes hold of it between its ends: it goes along, and on when it is
// let go.
static void HandTakesItAlongAndLetsGo(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS - 1; ++kind) {
        rvWorld* world = make_weightless_world();
        rvPlaceDef places[2] = {rvFreePlace(rvVec(0, 0, 0)), rvFreePlace(rvVec(-2, 0, 0))};
        rvCableDef def = thread(places, 2, 2.0, kind > 0);
        rvCableId id = create_cable(world, &def);
        rvBodyId hand = add_hand(world, rvVec(-0.77, 0, 0));
        CHECK_OK(world, rvBody_SetVelocity(world, hand, rvVec(0.7, 0, 0), rvVec(0, 0, 0)));
        int place;
        CHECK_OK(world, rvCable_Grasp(world, id, 0.77, hand, false, &place));
        run_world(world, STEP, 0.1);
        CHECK_NEAR(rvWorld_GetEnergy(world).kinetic, 0.5 * 0.7 * 0.7, 1e-6);
        CHECK_OK(world, rvCable_LetGo(world, id, place));
        run_world(world, STEP, 0.1);
        CHECK_NEAR(rvWorld_GetEnergy(world).kinetic, 0.5 * 0.7 * 0.7, 1e-6);
        rvCableSection at;
        assert_true(rvCable_GetSection(world, id, 0.0, &at));
        CHECK_NEAR(rvDistance(at.point, rvVec(0.14, 0, 0)), 0.0, 0.7 * STEP); // it was taken along within a step
        rvDestroyWorld(world);
    }
}

// Two hands pass a hanging thread on, grasp after grasp, for ever new points: the books close, nothing blows up, and in
// space it is cut no finer than ten times.
static void HandsPassItOn(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        rvCableId id;
        rvWorld* world = make_swinging(kind, &id);
        double books = energy_books(world);
        rvBodyId hand[2] = {add_hand(world, rvVec(0, 0, 0)), add_hand(world, rvVec(0, 0, 0))};
        int place = -1;
        for (int i = 0; i < 12; ++i) {
            CHECK_OK(world, rvCable_Grasp(world, id, fmod(0.2 + 0.371 * i, 1.9), hand[i % 2], i % 3 == 0, &place));
            rvVec3 at = rvCable_GetPlacePoint(world, id, place); // towards where it hangs: it is long enough for that
            CHECK_OK(world, rvBody_SetVelocity(world, hand[i % 2], rvScale(-0.3 / rvLength(at), at), rvVec(0, 0, 0)));
            run_world(world, STEP, 0.1);
            CHECK_NEAR(energy_books(world), books, 1e-9); // round-off of 20 J
            rvEnergy energy = rvWorld_GetEnergy(world);   // of 10 J and what the hands do
            CHECK_BELOW(energy.kinetic + energy.elastic, 10.0 + energy.work);
            CHECK_OK(world, rvCable_LetGo(world, id, place));
            run_world(world, STEP, 0.05);
        }
        assert_true(rvCable_GetShape(world, id, NULL, 0) <= 10 * 4 * 16 + 1);
        rvDestroyWorld(world);
    }
}

// A place that is not where the cable is holds nothing, and it stays as it was.
static void WhatIsTooFarIsRefused(void** state)
{
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        rvCableId id;
        rvWorld* world = make_swinging(kind, &id);
        run_world(world, STEP, 0.1);
        rvBodyId idle = add_hand(world, rvVec(1, 0, 0));
        uint64_t hash = rvWorld_Hash(world);
        rvPlaceDef far = rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 1)), eye = rvEyePlace(RV_NULL_BODY, rvVec(1, 0, 0));
        assert_int_equal(rvCable_InsertPlace(world, id, 1, &far), RV_MISSED);
        assert_non_null(strstr(rvWorld_GetError(world), "places[1].point: is "));
        assert_int_equal(rvCable_SetPlace(world, id, 1, &far), RV_MISSED);
        assert_int_equal(rvCable_LetGoOf(world, id, idle), RV_MISSED);
        assert_non_null(strstr(rvWorld_GetError(world), "is not held by"));
        assert_int_equal(rvCable_InsertPlace(world, id, 1, &eye), RV_BAD_INPUT);
        assert_int_equal(rvCable_Grasp(world, id, 2.5, RV_NULL_BODY, false, NULL), RV_BAD_INPUT);
        assert_non_null(strstr(rvWorld_GetError(world), "at: is 2.5 m"));
        assert_int_equal(rvCable_Grasp(world, id, 1.0, (rvBodyId){9, 1}, false, NULL), RV_BAD_ID);
        assert_int_equal(rvCable_LetGo(world, id, 7), RV_BAD_INPUT);
        assert_non_null(strstr(rvWorld_GetError(world), "rvCable_LetGo: cable '#1': place: is 7, must be 0 to 1"));
        assert_int_equal(rvCable_SetPlace(world, id, 1, NULL), RV_BAD_INPUT);
        assert_int_equal(rvCable_InsertPlace(world, id, 1, NULL), RV_BAD_INPUT);
        assert_true(rvWorld_Hash(world) == hash);
        rvPlaceDef others[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                                rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 0))};
        rvCableId massless = add_cable(world, others, 2, 1e4, 1.0);
        assert_int_equal(rvCable_Grasp(world, massless, 0.5, RV_NULL_BODY, false, NULL), RV_BAD_INPUT);
        assert_int_equal(rvCable_LetGo(world, massless, 0), RV_BAD_INPUT);
        rvDestroyWorld(world);
    }
}

// Lengths that a caller has added up may be beyond it by round-off.
static void EndIsTakenHoldOfAtItsLength(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        rvCableId id;
        rvWorld* world = make_swinging(kind, &id);
        int place = -1;
        CHECK_OK(world, rvCable_Grasp(world, id, 2.0 * (1.0 + 1e-15), RV_NULL_BODY, false, &place));
        assert_int_equal(place, 1);
        assert_int_equal(rvCable_GetPlaceCount(world, id), 2);
        assert_true(rvCable_IsHeld(world, id, 1));
        assert_int_equal(rvCable_Grasp(world, id, 2.0 + 1e-4, RV_NULL_BODY, false, NULL), RV_BAD_INPUT);
        rvDestroyWorld(world);
    }
}

// A place that was to hold what is too far away says so once, and holds as soon as it is near.
static void PlaceThatMissesSaysSoOnce(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvBodyId hand = add_hand(world, rvVec(0, 0, 0));
    rvCableId id = add_thread_behind(world, hand, false);
    CHECK_OK(world, rvCable_SetHeld(world, id, 0, false));
    CHECK_OK(world, rvBody_SetVelocity(world, hand, rvVec(1, 0, 0), rvVec(0, 0, 0)));
    run_world(world, STEP, 0.1);
    int missed = 0;
    for (int i = 0; i < 200; ++i) {
        if (i == 20)
            CHECK_OK(world, rvBody_SetVelocity(world, hand, rvVec(-1, 0, 0), rvVec(0, 0, 0)));
        rvCable_SetHeld(world, id, 0, true);
        CHECK_OK(world, rvWorld_Step(world, STEP));
        rvEvent events[8];
        int count = rvWorld_GetEvents(world, events, 8);
        for (int k = 0; k < count; ++k)
            missed += events[k].type == RV_EVENT_MISSED && events[k].value > 0.09;
    }
    assert_int_equal(missed, 1);
    assert_true(rvCable_IsHeld(world, id, 0));
    rvDestroyWorld(world);
}

// Places keep their numbers while others come and go, and a number is not given twice.
static void NumbersOfPlacesStay(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        rvCableId id;
        rvWorld* world = make_swinging(kind, &id);
        rvBodyId hands[2] = {add_hand(world, rvVec(0, 0, 0)), add_hand(world, rvVec(0, 0, 0))};
        CHECK_OK(world, rvCable_Grasp(world, id, 0.7, hands[0], false, NULL));
        CHECK_OK(world, rvCable_Grasp(world, id, 1.2, hands[1], false, NULL));
        assert_int_equal(rvCable_GetPlaceNumber(world, id, 1), 2);
        assert_int_equal(rvCable_GetPlaceNumber(world, id, 2), 3);
        assert_int_equal(rvCable_FindPlace(world, id, 1), 3); // the end
        CHECK_OK(world, rvCable_LetGoOf(world, id, hands[0]));
        assert_int_equal(rvCable_FindPlace(world, id, 2), -1);
        assert_int_equal(rvCable_FindPlace(world, id, 3), 1);
        CHECK_OK(world, rvCable_Grasp(world, id, 0.7, hands[0], false, NULL));
        assert_int_equal(rvCable_GetPlaceNumber(world, id, 1), 4);
        CHECK_OK(world, rvCable_LetGo(world, id, 0)); // becomes a free end
        assert_int_equal(rvCable_GetPlaceNumber(world, id, 0), 0);
        assert_int_equal(rvCable_GetPlaceNumber(world, id, 9), -1);
        rvDestroyWorld(world);
    }
}

// A run that was saved while a hand holds it goes on to the bit.
static void RestoredGraspGoesOn(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        rvCableId id;
        rvWorld* world = make_swinging(kind, &id);
        run_world(world, STEP, 0.2);
        rvBodyId hand = add_hand(world, rvVec(0, 0, 0));
        CHECK_OK(world, rvCable_Grasp(world, id, 1.1, hand, true, NULL));
        CHECK_OK(world, rvBody_SetVelocity(world, hand, rvVec(0, 0, 0.4), rvVec(0, 0.3, 0)));
        run_world(world, STEP, 0.1);
        size_t size = rvWorld_Save(world, NULL, 0);
        void* image = malloc(size);
        assert_non_null(image);
        assert_true(rvWorld_Save(world, image, size) == size);
        run_world(world, STEP, 0.1);
        uint64_t hash = rvWorld_Hash(world);
        CHECK_OK(world, rvWorld_Restore(world, image, size));
        run_world(world, STEP, 0.1);
        assert_true(rvWorld_Hash(world) == hash);
        free(image);
        rvDestroyWorld(world);
    }
}

static rvEvent last_event(const rvWorld* world)
{
    rvEvent events[8];
    int count = rvWorld_GetEvents(world, events, 8);
    assert_in_range(count, 1, 8);
    return events[count - 1];
}

static void check_told(const rvWorld* world, rvEventType type, int place, int number)
{
    rvEvent event = last_event(world);
    assert_int_equal(event.type, type);
    assert_int_equal(event.place, place);
    assert_int_equal(event.number, number);
}

// Events name places by the numbers that they keep, also one that has gone since, and who was to let go.
static void EventsTellTheNumbersOfPlaces(void** state)
{
    (void)state;
    rvCableId id;
    rvWorld* world = make_swinging(0, &id);
    rvBodyId hand = add_hand(world, rvVec(0, 0, 0)), idle = add_hand(world, rvVec(0, 0, 0));
    rvPlaceDef far = rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 5));
    CHECK_OK(world, rvCable_Grasp(world, id, 0.7, hand, false, NULL));
    check_told(world, RV_EVENT_REROUTED, 1, 2);
    assert_int_equal(rvCable_SetPlace(world, id, 2, &far), RV_MISSED);
    check_told(world, RV_EVENT_MISSED, 2, 1);
    assert_int_equal(rvCable_InsertPlace(world, id, 2, &far), RV_MISSED);
    check_told(world, RV_EVENT_MISSED, 2, -1); // it did not come
    CHECK_OK(world, rvCable_SetHeld(world, id, 1, false));
    check_told(world, RV_EVENT_REROUTED, 1, 2);
    CHECK_OK(world, rvCable_LetGo(world, id, 1));
    check_told(world, RV_EVENT_REROUTED, 1, 2);
    assert_int_equal(rvCable_LetGoOf(world, id, idle), RV_MISSED);
    check_told(world, RV_EVENT_MISSED, -1, -1);
    assert_int_equal(last_event(world).body.index1, idle.index1);
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(GraspLeavesShapeAndMotion),
        cmocka_unit_test(HandTakesItAlongAndLetsGo),
        cmocka_unit_test(HandsPassItOn),
        cmocka_unit_test(WhatIsTooFarIsRefused),
        cmocka_unit_test(EndIsTakenHoldOfAtItsLength),
        cmocka_unit_test(PlaceThatMissesSaysSoOnce),
        cmocka_unit_test(EventsTellTheNumbersOfPlaces),
        cmocka_unit_test(NumbersOfPlacesStay),
        cmocka_unit_test(RestoredGraspGoesOn),
    };
    return RUN_TESTS(tests);
}
