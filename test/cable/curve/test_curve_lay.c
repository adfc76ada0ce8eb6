// SPDX-License-Identifier: MIT
#include "world/machines.h"

static const double STEP = 0.0025;

// Three hands hold a thread, the middle one clamped. It lets go, then the others: no energy comes from nowhere, and at
// last all of it falls as a stone does.
static void PlacesLetGo(void** state)
{
    (void)state;
    for (int inSpace = 0; inSpace < 2; ++inSpace) {
        rvWorld* world = make_world();
        rvPlaceDef places[3] = {rvAttachPlace(add_hand(world, rvVec(-1, 0, 0)), rvVec(0, 0, 0)),
                                clamp(add_hand(world, rvVec(0, 0, 0.1)), rvVec(0, 0, 0), rvVec(1, 0, 0)),
                                rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 0))};
        rvCableDef def = thread(places, 3, 2.3, inSpace);
        rvCableId id = create_cable(world, &def);
        run_world(world, STEP, 0.1);
        double start = total_energy(world), height[3] = {0};
        static const int order[3] = {1, 0, 2};
        for (int k = 0; k < 3; ++k) {
            assert_true(rvCable_IsHeld(world, id, order[k]));
            CHECK_OK(world, rvCable_SetHeld(world, id, order[k], false));
            assert_false(rvCable_IsHeld(world, id, order[k]));
            for (int i = 0; i < (k < 2 ? 80 : 16); ++i) {
                CHECK_OK(world, rvWorld_Step(world, STEP));
                CHECK_BELOW(total_energy(world) - start, 1e-3 * 0.5 * 2.3 * GRAVITY); // a millimetre of all its weight
            }
        }
        for (int i = 0; i < 3; ++i) {
            height[i] = rvWorld_GetEnergy(world).potential / (0.5 * 2.3 * GRAVITY);
            run_world(world, STEP, 0.05);
        }
        double fall = (height[2] - 2.0 * height[1] + height[0]) / (0.05 * 0.05);
        CHECK_NEAR(fall, -GRAVITY, 5e-3 * GRAVITY); // a step of second order: (h w)^2/2 of motions at 40 rad/s
        rvDestroyWorld(world);
    }
}

// A hand that moves takes hold of a thread of a kilogram at rest, along it: the impulse is m v, and half of its work is
// heat.
static void MovingHandTakesHold(void** state)
{
    (void)state;
    for (int inSpace = 0; inSpace < 2; ++inSpace) {
        rvWorld* world = make_weightless_world();
        rvBodyId hand = add_hand(world, rvVec(0, 0, 0));
        rvCableId id = add_thread_behind(world, hand, inSpace);
        CHECK_OK(world, rvCable_SetHeld(world, id, 0, false));
        CHECK_OK(world, rvBody_SetVelocity(world, hand, rvVec(0.7, 0, 0), rvVec(0, 0, 0)));
        CHECK_OK(world, rvWorld_Step(world, STEP));
        CHECK_NEAR(rvWorld_GetEnergy(world).kinetic, 0.0, 1e-12); // nobody held it
        CHECK_OK(world, rvCable_SetHeld(world, id, 0, true));
        run_world(world, STEP, 0.1);
        CHECK_NEAR(rvWorld_GetEnergy(world).kinetic, 0.5 * 0.7 * 0.7, 1e-6);
        CHECK_NEAR(rvDistance(rvCable_GetPlacePoint(world, id, 0), rvBody_GetPose(world, hand).p), 0.0, 1e-9);
        rvCableSection at;
        assert_true(rvCable_GetSection(world, id, 0.0, &at));
        CHECK_NEAR(rvDistance(at.point, rvBody_GetPose(world, hand).p), 0.0, 1e-6); // of its length
        rvDestroyWorld(world);
    }
}

static void WhatCannotBeHeldIsRefused(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvBodyId hand = add_hand(world, rvVec(0, 0, 0));
    rvCableId id = add_thread_behind(world, hand, false);
    assert_int_equal(rvCable_SetHeld(world, id, 1, true), RV_BAD_INPUT); // a free end
    assert_int_equal(rvCable_SetHeld(world, id, 2, true), RV_BAD_INPUT); // no place
    CHECK_OK(world, rvCable_SetHeld(world, id, 0, true));                // it is
    CHECK_OK(world, rvCable_SetHeld(world, id, 0, false));
    CHECK_OK(world, rvBody_SetVelocity(world, hand, rvVec(1, 0, 0), rvVec(0, 0, 0)));
    run_world(world, STEP, 0.1); // 0.1 m away, of 2 m
    assert_int_equal(rvCable_SetHeld(world, id, 0, true), RV_MISSED);
    assert_non_null(strstr(rvWorld_GetError(world), "places[0]: is 0.1 m from the cable"));
    assert_false(rvCable_IsHeld(world, id, 0));
    rvPlaceDef others[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(hand, rvVec(0, 0, 0))};
    rvCableId massless = add_cable(world, others, 2, 1e4, 1.0);
    assert_int_equal(rvCable_SetHeld(world, massless, 0, false), RV_BAD_INPUT);
    assert_true(rvCable_IsHeld(world, massless, 0));
    rvCableDef other = rvDefaultCableDef(RV_CABLE_LAYERED); // would hold where nothing does
    assert_int_equal(rvCable_SetModel(world, id, &other), RV_BAD_INPUT);
    assert_non_null(strstr(rvWorld_GetError(world), "places[0]: has let go"));
    CHECK_OK(world, rvCable_Break(world, id));
    CHECK_OK(world, rvWorld_Step(world, STEP));
    assert_int_equal(rvCable_SetHeld(world, id, 0, true), RV_BAD_INPUT);
    assert_non_null(strstr(rvWorld_GetError(world), "is broken"));
    CHECK_OK(world, rvCable_SetHeld(world, id, 0, false)); // nothing does
    CHECK_OK(world, rvWorld_Step(world, STEP));
    assert_int_equal(rvWorld_GetEvents(world, NULL, 0), 0);
    rvDestroyWorld(world);
}

// Three places of a thread, the first of a hand, clamped; the same calls each time.
static rvWorld* make_three(bool inSpace, rvBodyId* hand, rvCableId* id)
{
    rvWorld* world = make_world();
    *hand = add_hand(world, rvVec(-1, 0, 0));
    rvPlaceDef places[3] = {clamp(*hand, rvVec(0, 0, 0), rvVec(1, 0, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                            rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 0))};
    rvCableDef def = thread(places, 3, 2.3, inSpace);
    *id = create_cable(world, &def);
    return world;
}

// An image of a thread that has let go, put back into a world where it holds and the other way: the run goes on to the
// bit.
static void ImagesKnowWhatHasLetGo(void** state)
{
    (void)state;
    static uint8_t images[2][100000];
    for (int inSpace = 0; inSpace < 2; ++inSpace) {
        rvBodyId hand;
        rvCableId id;
        rvWorld *first = make_three(inSpace, &hand, &id), *second = make_three(inSpace, &hand, &id);
        uint64_t held = rvWorld_Hash(first);
        CHECK_OK(first, rvCable_SetHeld(first, id, 0, false));
        assert_true(rvWorld_Hash(first) != held);
        run_world(first, STEP, 0.05);
        run_world(second, STEP, 0.025);
        size_t size = rvWorld_Save(first, images[0], sizeof images[0]);
        assert_true(size <= sizeof images[0]);
        assert_int_equal(rvWorld_Save(second, images[1], sizeof images[1]), size);
        uint64_t ends[2];
        run_world(first, STEP, 0.05);
        run_world(second, STEP, 0.05);
        ends[0] = rvWorld_Hash(first);
        ends[1] = rvWorld_Hash(second);
        assert_true(ends[0] != ends[1]);
        CHECK_OK(second, rvWorld_Restore(second, images[0], size));
        CHECK_OK(first, rvWorld_Restore(first, images[1], size));
        assert_false(rvCable_IsHeld(second, id, 0));
        assert_true(rvCable_IsHeld(second, id, 1));
        assert_true(rvCable_IsHeld(first, id, 0));
        run_world(second, STEP, 0.05);
        run_world(first, STEP, 0.05);
        assert_true(rvWorld_Hash(second) == ends[0]);
        assert_true(rvWorld_Hash(first) == ends[1]);
        rvDestroyWorld(first);
        rvDestroyWorld(second);
    }
}

// A body that holds a thread is put elsewhere: the thread hangs anew, by the places that hold, and what has let go
// stays so.
static void MovedThreadHangsByWhatHolds(void** state)
{
    (void)state;
    for (int inSpace = 0; inSpace < 2; ++inSpace) {
        rvBodyId hand;
        rvCableId id;
        rvWorld* world = make_three(inSpace, &hand, &id);
        CHECK_OK(world, rvCable_SetHeld(world, id, 1, false));
        CHECK_OK(world, rvCable_SetHeld(world, id, 2, false));
        rvPose pose = rvBody_GetPose(world, hand);
        pose.p = rvVec(-1.5, 0, 0.5);
        CHECK_OK(world, rvBody_SetPose(world, hand, pose));
        CHECK_OK(world, rvWorld_Step(world, STEP));
        assert_true(rvCable_IsHeld(world, id, 0));
        assert_false(rvCable_IsHeld(world, id, 1) || rvCable_IsHeld(world, id, 2));
        rvCableSection at;
        assert_true(rvCable_GetSection(world, id, 0.0, &at));
        CHECK_NEAR(rvDistance(at.point, pose.p), 0.0, 1e-6 * 2.3);                // what passes leave, of its length
        CHECK_NEAR(at.force.z, -0.5 * 2.3 * GRAVITY, 1e-3 * 0.5 * 2.3 * GRAVITY); // all of it hangs there, at rest
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PlacesLetGo),
        cmocka_unit_test(MovingHandTakesHold),
        cmocka_unit_test(WhatCannotBeHeldIsRefused),
        cmocka_unit_test(ImagesKnowWhatHasLetGo),
        cmocka_unit_test(MovedThreadHangsByWhatHolds),
    };
    return RUN_TESTS(tests);
}
