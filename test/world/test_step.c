// SPDX-License-Identifier: MIT
// The step: takes no memory, refuses bad steps, keeps the state when it fails; the same in every thread.
#include "count_alloc.h"
#include "world/yard.h"

#include <pthread.h>

static const double h = 1.0 / 60.0;

// ---- memory
// ---------------------------------------------------------------------------------------------------------------

static void StepsTakeNoMemoryWhateverHappens(void** state)
{
    (void)state;
    rvWorldDef def = yard_world_def();
    rvWorld* world = make_world_of(&def);
    Yard yard = make_yard(world);
    int seen[RV_EVENT_COARSE + 1] = {0};
    size_t memory = rvWorld_GetStepInfo(world).memory;
    long allocations = 0;
    for (int i = 0; i < 900; ++i) {
        // fast enough for the force limit, back out to go slack, in again to the stop
        if (i == 300)
            CHECK_OK(world, rvCable_SetWinchSpeed(world, yard.hoist, 0, 4.0));
        if (i == 400)
            CHECK_OK(world, rvCable_SetWinchSpeed(world, yard.hoist, 0, -3.0));
        if (i == 600) // a box is taken away: contact ends
            CHECK_OK(world, rvBody_SetVelocity(world, yard.boxes[3], rvVec(0, 3, 5), rvVec(1, 0, 0)));
        rvEvent events[64];
        count_alloc_begin();
        rvStatus status = rvWorld_Step(world, h);
        int count = rvWorld_GetEvents(world, events, 64);
        allocations += count_alloc_end();
        CHECK_OK(world, status);
        for (int k = 0; k < count; ++k)
            seen[events[k].type] += 1;
    }
    assert_int_equal(allocations, 0);
    assert_true(rvWorld_GetStepInfo(world).memory == memory);
    // the claim is worth something only if all this did happen
    assert_true(seen[RV_EVENT_SLACK] > 0 && seen[RV_EVENT_TAUT] > 0);
    assert_int_equal(seen[RV_EVENT_BROKEN], 1);
    assert_true(seen[RV_EVENT_CONTACT_BEGIN] > 0 && seen[RV_EVENT_CONTACT_END] > 0);
    assert_true(seen[RV_EVENT_LIMIT] > 0);
    assert_true(seen[RV_EVENT_WINCH_LIMIT] > 0 && seen[RV_EVENT_WINCH_STOP] > 0);
    rvDestroyWorld(world);
}

// ---- bad steps and failing ones
// ---------------------------------------------------------------------------------------------

static void BadStepsAreRefusedAndChangeNothing(void** state)
{
    (void)state;
    rvWorldDef def = yard_world_def();
    rvWorld* world = make_world_of(&def);
    make_yard(world);
    for (int i = 0; i < 30; ++i)
        CHECK_OK(world, rvWorld_Step(world, h));
    uint64_t before = rvWorld_Hash(world);
    static const double bad[] = {0.0, -0.0, -0.01, 1e9, 1.0000001, (double)NAN, HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < 8; ++k) {
        assert_int_equal(rvWorld_Step(world, bad[k]), RV_BAD_INPUT);
        assert_non_null(strstr(rvWorld_GetError(world), "dt"));
        assert_true(rvWorld_Hash(world) == before);
        assert_true(rvWorld_GetStepInfo(world).stepCount == 30);
    }
    CHECK_OK(world, rvWorld_Step(world, h));
    rvDestroyWorld(world);
}

static void VeryShortAndVeryLongStepsAreTaken(void** state)
{
    (void)state;
    static const double steps[] = {1e-12, 1e-6, 1.0};
    for (int k = 0; k < 3; ++k) {
        rvWorldDef def = yard_world_def();
        rvWorld* world = make_world_of(&def);
        make_yard(world);
        for (int i = 0; i < 20; ++i) {
            uint64_t before = rvWorld_Hash(world);
            rvStatus status = rvWorld_Step(world, steps[k]);
            // a second is too long for a stack of boxes: it may say so, but not break
            if (status != RV_OK) {
                assert_int_equal(status, RV_DIVERGED);
                assert_true(rvWorld_Hash(world) == before);
            }
        }
        rvDestroyWorld(world);
    }
}

static void FailedStepKeepsTheStateAndNamesTheBody(void** state)
{
    (void)state;
    rvWorldDef def = yard_world_def();
    rvWorld* world = make_world_of(&def);
    Yard yard = make_yard(world);
    for (int i = 0; i < 60; ++i)
        CHECK_OK(world, rvWorld_Step(world, h));
    size_t size = rvWorld_Save(world, NULL, 0);
    void* image = test_malloc(size);
    rvWorld_Save(world, image, size);
    double tension = rvCable_GetTension(world, yard.hoist, 0), length = rvCable_GetLength(world, yard.hoist);
    static const double forces[] = {1e300, -1e300, 1e12};
    for (int k = 0; k < 3; ++k) {
        CHECK_OK(world,
                 rvBody_ApplyForce(world, yard.load, rvVec(forces[k], 0, 0), rvBody_GetCenter(world, yard.load)));
        uint64_t before = rvWorld_Hash(world);
        assert_int_equal(rvWorld_Step(world, h), RV_DIVERGED);
        assert_non_null(strstr(rvWorld_GetError(world), "'"));
        assert_true(rvWorld_Hash(world) == before);
        CHECK_NEAR(rvCable_GetTension(world, yard.hoist, 0), tension, 0.0);
        CHECK_NEAR(rvCable_GetLength(world, yard.hoist), length, 0.0);
        // the force is part of the state that is kept; the image before it goes on as if nothing had been
        CHECK_OK(world, rvWorld_Restore(world, image, size));
    }
    CHECK_OK(world, rvWorld_Step(world, h));
    test_free(image);
    rvDestroyWorld(world);
}

static void FarAwayBodyIsNamed(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvBodyDef def = rvDefaultBodyDef();
    def.name = "runaway";
    rvBodyId body = add_body(world, &def);
    CHECK_OK(world, rvBody_ApplyForce(world, body, rvVec(1e300, 0, 0), rvVec(0, 0, 0)));
    uint64_t before = rvWorld_Hash(world);
    assert_int_equal(rvWorld_Step(world, h), RV_DIVERGED);
    assert_non_null(strstr(rvWorld_GetError(world), "body 'runaway'"));
    assert_true(rvWorld_Hash(world) == before);
    rvDestroyWorld(world);
}

static void ForcesOfAFailedStepStayUntilTheyAreCleared(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvBodyDef def = rvDefaultBodyDef();
    rvBodyId body = add_body(world, &def);
    uint64_t calm = rvWorld_Hash(world);
    CHECK_OK(world, rvBody_ApplyForce(world, body, rvVec(1e300, 0, 0), rvVec(0, 0, 0)));
    CHECK_OK(world, rvBody_ApplyTorque(world, body, rvVec(0, 1, 0)));
    for (int k = 0; k < 2; ++k)
        assert_int_equal(rvWorld_Step(world, h), RV_DIVERGED); // as before: nothing of the state was lost
    CHECK_OK(world, rvBody_ClearForces(world, body));
    assert_true(rvWorld_Hash(world) == calm);
    CHECK_OK(world, rvWorld_Step(world, h));
    CHECK_NEAR(rvLength(rvBody_GetVelocity(world, body)), 0.0, 0.0);
    CHECK_NEAR(rvLength(rvBody_GetAngularVelocity(world, body)), 0.0, 0.0);
    rvDestroyBody(world, body);
    assert_int_equal(rvBody_ClearForces(world, body), RV_BAD_ID);
    rvDestroyWorld(world);
}

// ---- threads
// ----------------------------------------------------------------------------------------------------------------

static void* run_yard(void* hash)
{
    rvWorldDef def = yard_world_def();
    rvWorld* world;
    Yard yard;
    *(uint64_t*)hash = 0;
    if (rvCreateWorld(&def, &world, NULL, 0) != RV_OK)
        return NULL;
    bool fine = try_yard(world, &yard) == RV_OK;
    for (int i = 0; fine && i < 200; ++i)
        fine = rvWorld_Step(world, h) == RV_OK;
    if (fine)
        *(uint64_t*)hash = rvWorld_Hash(world);
    rvDestroyWorld(world);
    return NULL;
}

static void WorldsOnManyThreadsRunAsOneAlone(void** state)
{
    (void)state;
    enum { THREADS = 4 };
    uint64_t alone, hashes[THREADS];
    run_yard(&alone);
    assert_true(alone != 0);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, run_yard, &hashes[i]), 0);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; ++i)
        assert_true(hashes[i] == alone);
}

// Spinning about its middle axis near the limit a body passes it as it turns over: |w| grows by 1.22 with these
// moments.
static void SpinBeyondTheLimitFailsTheStepThatReachesIt(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvBodyDef def = rvDefaultBodyDef();
    def.inertia = rvMat3Diagonal(0.01, 1.0, 1.005);
    def.angularVelocity = rvVec(1e5, 9e6, 1e5);
    rvBodyId body;
    CHECK_OK(world, rvCreateBody(world, &def, &body));
    rvStatus status = RV_OK;
    for (int i = 0; i < 1000 && status == RV_OK; ++i) {
        uint64_t before = rvWorld_Hash(world);
        status = rvWorld_Step(world, 1e-8);
        assert_true(rvLength(rvBody_GetAngularVelocity(world, body)) <= 1e7);
        assert_true(status == RV_OK || rvWorld_Hash(world) == before);
    }
    assert_int_equal(status, RV_DIVERGED);
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SpinBeyondTheLimitFailsTheStepThatReachesIt),
        cmocka_unit_test(StepsTakeNoMemoryWhateverHappens),
        cmocka_unit_test(BadStepsAreRefusedAndChangeNothing),
        cmocka_unit_test(VeryShortAndVeryLongStepsAreTaken),
        cmocka_unit_test(FailedStepKeepsTheStateAndNamesTheBody),
        cmocka_unit_test(FarAwayBodyIsNamed),
        cmocka_unit_test(ForcesOfAFailedStepStayUntilTheyAreCleared),
        cmocka_unit_test(WorldsOnManyThreadsRunAsOneAlone),
    };
    return RUN_TESTS(tests);
}
