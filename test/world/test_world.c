// SPDX-License-Identifier: MIT
// The world's own promises: definitions are checked, memory goes through the hooks and comes back, a failing allocator
// leaves a usable world, stale ids are never obeyed.
#include "world/hooks.h"
#include "world/yard.h"

#include <stdlib.h>

// ---- definitions ---------------------------------------------------------------------------------------------------

static void check_bad_world(rvWorldDef def, const char* field)
{
    rvWorld* world = (rvWorld*)1;
    char error[256] = "";
    assert_int_equal(rvCreateWorld(&def, &world, error, sizeof error), RV_BAD_INPUT);
    assert_null(world);
    assert_non_null(strstr(error, field));
}

static void BadWorldDefinitionsAreRefusedByField(void** state)
{
    (void)state;
    rvWorldDef good = rvDefaultWorldDef(), def;
    def = good, def.gravity.z = (double)NAN, check_bad_world(def, "gravity");
    def = good, def.gravity.x = HUGE_VAL, check_bad_world(def, "gravity");
    def = good, def.relaxation = -1.0, check_bad_world(def, "relaxation");
    def = good, def.relaxation = (double)NAN, check_bad_world(def, "relaxation");
    def = good, def.geometricStiffness = -1.0, check_bad_world(def, "geometricStiffness");
    def = good, def.maxPasses = 0, check_bad_world(def, "maxPasses");
    def = good, def.maxPasses = 17, check_bad_world(def, "maxPasses");
    def = good, def.maxContacts = -1, check_bad_world(def, "maxContacts");
    def = good, def.maxEvents = 0, check_bad_world(def, "maxEvents");
    def = good, def.stepper = (rvStepper)7, check_bad_world(def, "stepper");
    def = good, def.cookie = 0, check_bad_world(def, "rvDefaultWorldDef");
    assert_int_equal(rvCreateWorld(&good, NULL, NULL, 0), RV_BAD_INPUT);
    rvDestroyWorld(NULL);
}

// ---- allocator -----------------------------------------------------------------------------------------------------

static rvWorldDef hooked(Hooks* hooks)
{
    rvWorldDef def = yard_world_def();
    def.maxContacts = 16;
    def.solverMemory = 1 << 16;
    def.alloc = hook_alloc;
    def.free = hook_free;
    def.context = hooks;
    return def;
}

static void MemoryGoesThroughTheHooksAndComesBack(void** state)
{
    (void)state;
    Hooks hooks = {.left = 1000000};
    rvWorldDef def = hooked(&hooks);
    rvWorld* world = make_world_of(&def);
    Yard yard = make_yard(world);
    for (int i = 0; i < 60; ++i)
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
    assert_true(rvWorld_GetStepInfo(world).memory == hooks.bytes);
    CHECK_OK(world, rvDestroyCable(world, yard.hoist));
    CHECK_OK(world, rvDestroyJoint(world, yard.hinge));
    CHECK_OK(world, rvDestroyBody(world, yard.load));
    CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
    rvDestroyWorld(world);
    assert_int_equal(hooks.blocks, 0);
    assert_int_equal(hooks.bytes, 0);
    // one without the other is refused
    def.free = NULL;
    check_bad_world(def, "free");
}

static void RoomForContactsComesWithTheShapes(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    add_ground(world);
    // the room of few shapes, well below that for the 2048 points that may come: 21 MB and half a megabyte of image
    assert_true(rvWorld_GetStepInfo(world).memory < (size_t)8 << 20);
    assert_true(rvWorld_Save(world, NULL, 0) < (size_t)64 << 10);
    const rvVec3 sides = {1, 1, 1};
    for (int i = 0; i < 100; ++i)
        add_box_shape(world, add_box(world, 1.0, sides, rvVec(2.0 * (i % 10), 2.0 * (i / 10), 0.5)), sides);
    CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
    rvStepInfo info = rvWorld_GetStepInfo(world);
    assert_int_equal(info.contacts, 400);
    assert_int_equal(info.dropped, 0);
    rvDestroyWorld(world);
}

// Every allocation fails once: what was asked for answers RV_NO_MEMORY, the rest of the world works on.
static void FailingAllocatorLeavesAUsableWorld(void** state)
{
    (void)state;
    bool done = false;
    for (long fail = 0; !done; ++fail) {
        assert_true(fail < 2000);
        Hooks hooks = {.left = fail};
        rvWorldDef def = hooked(&hooks);
        rvWorld* world;
        rvStatus status = rvCreateWorld(&def, &world, NULL, 0);
        if (status != RV_OK) {
            assert_int_equal(status, RV_NO_MEMORY);
            assert_null(world);
            assert_int_equal(hooks.blocks, 0);
            continue;
        }
        Yard yard = {0};
        status = try_yard(world, &yard);
        done = status == RV_OK;
        if (!done)
            assert_int_equal(status, RV_NO_MEMORY);
        hooks.left = 1000000;
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
        // memory is back: all can be built
        CHECK_OK(world, try_yard(world, &yard));
        for (int i = 0; i < 3; ++i)
            CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
        rvDestroyWorld(world);
        assert_int_equal(hooks.blocks, 0);
        assert_int_equal(hooks.bytes, 0);
    }
}

// ---- ids -----------------------------------------------------------------------------------------------------------

static void check_stale_body(rvWorld* world, rvBodyId id)
{
    rvVec3 zero = rvVec(0, 0, 0);
    uint64_t before = rvWorld_Hash(world);
    assert_false(rvBody_IsValid(world, id));
    assert_int_equal(rvDestroyBody(world, id), RV_BAD_ID);
    assert_int_equal(rvBody_SetPose(world, id, rvPoseIdentity()), RV_BAD_ID);
    assert_int_equal(rvBody_SetVelocity(world, id, zero, zero), RV_BAD_ID);
    assert_int_equal(rvBody_MoveTo(world, id, rvPoseIdentity()), RV_BAD_ID);
    assert_int_equal(rvBody_ApplyForce(world, id, zero, zero), RV_BAD_ID);
    assert_int_equal(rvBody_ApplyTorque(world, id, zero), RV_BAD_ID);
    assert_true(rvBody_GetPose(world, id).q.w == 1.0);
    assert_true(rvBody_GetMass(world, id) == 0.0);
    assert_string_equal(rvBody_GetName(world, id), "");
    rvVec3 force = rvVec(1, 1, 1), torque = rvVec(1, 1, 1);
    rvBody_GetWrench(world, id, &force, &torque);
    assert_true(force.x == 0.0 && torque.x == 0.0);
    rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_SPHERE);
    shape.radius = 1.0;
    assert_int_equal(rvCreateShape(world, id, &shape, NULL), RV_BAD_ID);
    assert_true(rvWorld_Hash(world) == before);
    assert_true(strlen(rvWorld_GetError(world)) > 0);
}

static void check_stale_cable(rvWorld* world, rvCableId id)
{
    uint64_t before = rvWorld_Hash(world);
    rvWinchDef winch = rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 1.0).winch;
    assert_false(rvCable_IsValid(world, id));
    assert_int_equal(rvDestroyCable(world, id), RV_BAD_ID);
    assert_int_equal(rvCable_SetWinch(world, id, 0, &winch), RV_BAD_ID);
    assert_int_equal(rvCable_SetWinchSpeed(world, id, 0, 1.0), RV_BAD_ID);
    assert_int_equal(rvCable_Break(world, id), RV_BAD_ID);
    assert_true(rvCable_GetTension(world, id, 0) == 0.0 && rvCable_GetLength(world, id) == 0.0);
    assert_true(rvCable_GetRestLength(world, id) == 0.0 && rvCable_GetSpanLength(world, id, 0) == 0.0);
    assert_true(rvCable_GetWinchSpeed(world, id, 0) == 0.0 && rvCable_GetWinchWork(world, id, 0) == 0.0);
    assert_int_equal(rvCable_GetPlaceCount(world, id), 0);
    assert_true(rvLength(rvCable_GetPlacePoint(world, id, 0)) == 0.0);
    assert_false(rvCable_IsTaut(world, id) || rvCable_IsBroken(world, id));
    assert_int_equal(rvCable_GetShape(world, id, NULL, 0), 0);
    assert_string_equal(rvCable_GetName(world, id), "");
    assert_true(rvWorld_Hash(world) == before);
}

static void check_stale_joint(rvWorld* world, rvJointId id)
{
    uint64_t before = rvWorld_Hash(world);
    assert_false(rvJoint_IsValid(world, id));
    assert_int_equal(rvDestroyJoint(world, id), RV_BAD_ID);
    assert_int_equal(rvJoint_SetMotor(world, id, 0, RV_MOTOR_SPEED, 1.0, 1.0), RV_BAD_ID);
    assert_int_equal(rvJoint_SetLimits(world, id, 0, true, 0.0, 1.0), RV_BAD_ID);
    assert_true(rvJoint_GetValue(world, id, 0) == 0.0 && rvJoint_GetSpeed(world, id, 0) == 0.0);
    assert_true(rvJoint_GetMotorForce(world, id, 0) == 0.0);
    assert_string_equal(rvJoint_GetName(world, id), "");
    assert_true(rvWorld_Hash(world) == before);
}

// What has no name is called by the number of its id, so that messages tell which one is meant.
static void ObjectsWithoutNamesAreToldApart(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId first = add_ball(world, 1.0, 0.1, rvVec(0, 0, 0)), second = add_ball(world, 1.0, 0.1, rvVec(1, 0, 0));
    assert_string_equal(rvBody_GetName(world, second), "#2");
    assert_int_equal(second.index1, 2);
    assert_int_equal(rvBody_SetVelocity(world, second, rvVec(1e9, 0, 0), rvVec(0, 0, 0)), RV_BAD_INPUT);
    assert_non_null(strstr(rvWorld_GetError(world), "body '#2': velocity: "));
    CHECK_OK(world, rvDestroyBody(world, first));
    rvBodyId third = add_ball(world, 1.0, 0.1, rvVec(2, 0, 0)); // takes the place that is free
    assert_string_equal(rvBody_GetName(world, third), "#1");
    assert_int_equal(third.index1, 1);
    rvDestroyWorld(world);
}

static void StaleIdsAreNeverObeyed(void** state)
{
    (void)state;
    rvWorldDef def = yard_world_def();
    rvWorld* world = make_world_of(&def);
    Yard yard = make_yard(world);
    CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
    // a body that a cable passes stays
    assert_int_equal(rvDestroyBody(world, yard.load), RV_BAD_INPUT);
    assert_non_null(strstr(rvWorld_GetError(world), "cable"));
    CHECK_OK(world, rvDestroyCable(world, yard.hoist));
    CHECK_OK(world, rvDestroyJoint(world, yard.hinge));
    CHECK_OK(world, rvDestroyBody(world, yard.load));
    check_stale_cable(world, yard.hoist);
    check_stale_cable(world, RV_NULL_CABLE);
    check_stale_cable(world, (rvCableId){1000, 1});
    check_stale_joint(world, yard.hinge);
    check_stale_joint(world, RV_NULL_JOINT);
    check_stale_body(world, yard.load);
    check_stale_body(world, RV_NULL_BODY);
    check_stale_body(world, (rvBodyId){4000000000u, 1});
    // the place is used again by another life
    rvBodyId next = add_ball(world, 1.0, 0.5, rvVec(0, 20, 5));
    assert_int_equal(next.index1, yard.load.index1);
    check_stale_body(world, yard.load);
    assert_true(rvBody_IsValid(world, next));
    // neither cables nor joints hold on to what is gone
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 9)), rvAttachPlace(yard.load, rvVec(0, 0, 0))};
    rvCableDef cable = rvDefaultCableDef(RV_CABLE_MASSLESS);
    cable.places = places;
    cable.placeCount = 2;
    assert_int_equal(rvCreateCable(world, &cable, NULL), RV_BAD_ID);
    assert_non_null(strstr(rvWorld_GetError(world), "places[1].body"));
    rvJointDef joint = rvDefaultJointDef(RV_JOINT_BALL);
    joint.bodyB = yard.load;
    assert_int_equal(rvCreateJoint(world, &joint, NULL), RV_BAD_ID);
    CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BadWorldDefinitionsAreRefusedByField), cmocka_unit_test(MemoryGoesThroughTheHooksAndComesBack),
        cmocka_unit_test(RoomForContactsComesWithTheShapes),    cmocka_unit_test(FailingAllocatorLeavesAUsableWorld),
        cmocka_unit_test(ObjectsWithoutNamesAreToldApart),      cmocka_unit_test(StaleIdsAreNeverObeyed),
    };
    return RUN_TESTS(tests);
}
