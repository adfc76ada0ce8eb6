// SPDX-License-Identifier: MIT
// Rope that flows while its route changes: shapes that it meets and leaves, places that come and go.
#include "count_alloc.h"
#include "world/machines.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

static rvCableDef rope_def(rvCableModel model, double stiffness, double perMetre)
{
    rvCableDef def = rvDefaultCableDef(model);
    def.axialStiffness = stiffness;
    def.collides = true;
    def.friction = 0.0;
    def.damping = 0.0;
    if (model != RV_CABLE_MASSLESS) {
        def.massPerLength = perMetre;
        def.bendingStiffness = 0.01;
        def.elements = 16;
    }
    return def;
}

static void add_block(rvWorld* world, rvVec3 at, rvShapeDef shape)
{
    shape.friction = 0.0;
    add_shape(world, add_mass(world, RV_BODY_STATIC, 0, 0.0, at), &shape);
}

static rvShapeDef box(double x, double y, double z)
{
    rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_BOX);
    shape.sides = rvVec(x, y, z);
    return shape;
}

// A pendulum that swings against a beam below its pivot.
static rvWorld* make_pendulum(rvCableModel model, rvBodyId* load, rvCableId* rope)
{
    rvWorld* world = make_world();
    add_block(world, rvVec(-0.35, 0, -2), box(0.4, 2, 0.4));
    *load = add_mass(world, RV_BODY_DYNAMIC, 10, 0.0, rvVec(3, 0, -4));
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(*load, rvVec(0, 0, 0))};
    rvCableDef def = rope_def(model, 1e6, 0.01);
    def.places = places;
    def.placeCount = 2;
    CHECK_OK(world, rvCreateCable(world, &def, rope));
    return world;
}

static void PendulumFoldsOverABeamAsTheMasslessOneDoes(void** state)
{
    (void)state;
    rvVec3 at[2][4];
    for (int k = 0; k < 2; ++k) {
        rvBodyId load;
        rvCableId rope;
        rvWorld* world = make_pendulum(k ? RV_CABLE_ALE : RV_CABLE_MASSLESS, &load, &rope);
        int changes = 0, other = 0;
        bool touches = false;
        for (int i = 0; i < 4000; ++i) {
            CHECK_OK(world, rvWorld_Step(world, 2e-3));
            // rope that rings hops at the edge where it is all but straight: for half a period of its slowest wave at
            // the most, L sqrt(rho/T) = 41 ms
            other = (rvCable_GetContactCount(world, rope) > 0) != touches ? other + 1 : 0;
            if (other == 20) {
                ++changes;
                touches = !touches;
                other = 0;
            }
            if (i % 1000 == 999)
                at[k][i / 1000] = rvBody_GetPose(world, load).p;
        }
        assert_int_equal(changes, 4);
        rvDestroyWorld(world);
    }
    // rope of 50 g beside 10 kg, a third of which swings along: a thousandth of the period, and of 8 s at 4.5 m/s that
    // is 4 cm
    for (int i = 0; i < 4; ++i)
        CHECK_NEAR(rvDistance(at[0][i], at[1][i]), 0.0, 0.04);
}

// One end goes around a shape and back, a millimetre a step: the rope meets it, wraps, unwraps and leaves.
static void TensionDoesNotJumpWhereContactsComeAndGo(void** state)
{
    (void)state;
    double stiffness = 1e4, reach = 2.0, moved = 1e-3, perMetre = 0.1, h = 0.01;
    for (int shape = 0; shape < 2; ++shape) {
        rvWorld* world = make_world();
        rvShapeDef drum = rvDefaultShapeDef(RV_SHAPE_CYLINDER);
        drum.radius = 0.5;
        drum.length = 2.0;
        drum.frame.q = rvQuatFromAxisAngle(rvVec(1, 0, 0), 0.5 * PI); // along y
        add_block(world, rvVec(0, 0, 0), shape ? drum : box(1, 2, 1));
        rvBodyId hand = add_mass(world, RV_BODY_KINEMATIC, 0, 0.0, rvVec(reach, 0, 1.0));
        rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(-2, 0, 0.8)), rvAttachPlace(hand, rvVec(0, 0, 0))};
        rvCableDef def = rope_def(RV_CABLE_ALE, stiffness, perMetre);
        def.length = 3.0; // taut all the way
        def.places = places;
        def.placeCount = 2;
        rvCableId rope;
        CHECK_OK(world, rvCreateCable(world, &def, &rope));
        double last = 0.0;
        int steps = 6000, met = 0, left = 0, count = 0;
        for (int i = 0; i < steps; ++i) {
            double angle = moved / reach * (i < steps / 2 ? i : steps - i);
            rvPose pose = rvPoseIdentity();
            pose.p = rvVec(reach * cos(angle), 0, 1.0 - reach * sin(angle));
            CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
            CHECK_OK(world, rvWorld_Step(world, h));
            int contacts = rvCable_GetContactCount(world, rope);
            met += contacts > count;
            left += contacts < count;
            count = contacts;
            double pull = rvCable_GetTension(world, rope, 0);
            // the hand stretches two metres of it by its way, and where it turns back at once it sends a wave of
            // sqrt(EA rho) times twice its speed, which doubles at an end
            if (i > 2)
                CHECK_BELOW(fabs(pull - last), moved * stiffness / 2.0 + 4.0 * sqrt(stiffness * perMetre) * moved / h);
            last = pull;
        }
        assert_true(met > 0 && left > 0 && count == 0);
        CHECK_NEAR(rvCable_GetRestLength(world, rope), 3.0, 1e-12); // nothing is lost: rounding
        rvDestroyWorld(world);
    }
}

// Reeved through an eye on the way of its rope and out again: neither the load nor the tension feels it.
static void EyesAreReevedAndUnreeved(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_mass(world, RV_BODY_DYNAMIC, 100, 0.0, rvVec(0, 0, -8));
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = rope_def(RV_CABLE_ALE, 1e6, 0.5);
    def.places = places;
    def.placeCount = 2;
    rvCableId rope;
    CHECK_OK(world, rvCreateCable(world, &def, &rope));
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    assert_true(report.settled);
    double tension = rvCable_GetTension(world, rope, 0), height = rvBody_GetPose(world, load).p.z;
    for (int i = 0; i < 2; ++i) {
        rvPlaceDef eye = rvEyePlace(RV_NULL_BODY, rvVec(0, 0, -3));
        CHECK_OK(world, i ? rvCable_RemovePlace(world, rope, 1) : rvCable_InsertPlace(world, rope, 1, &eye));
        for (int k = 0; k < 60; ++k)
            CHECK_OK(world, rvWorld_Step(world, 1.0 / 240.0));
        // the mean of three metres of it hangs above the mean of all by 2.5 m of rope; what settling left is 1e-9
        double above = i ? 0.0 : 2.5 * 0.5 * GRAVITY;
        CHECK_NEAR(rvCable_GetTension(world, rope, 0), tension + above, 1e-3 * tension);
        CHECK_NEAR(rvBody_GetPose(world, load).p.z, height, 1e-6); // a thousandth of the stretch of 8 mm is 8e-6
        CHECK_NEAR(rvCable_GetRestLength(world, rope), 8.0, 1e-12);
    }
    rvDestroyWorld(world);
}

static void TwoRopesAreSpliced(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_mass(world, RV_BODY_DYNAMIC, 100, 0.0, rvVec(0, 0, -8));
    rvPlaceDef first[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvFreePlace(rvVec(0, 0, -3))};
    rvPlaceDef second[2] = {rvFreePlace(rvVec(0, 0, -3)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableId ropes[2];
    for (int i = 0; i < 2; ++i) {
        rvCableDef def = rope_def(RV_CABLE_ALE, 1e6, 0.5);
        def.places = i ? second : first;
        def.placeCount = 2;
        CHECK_OK(world, rvCreateCable(world, &def, &ropes[i]));
    }
    CHECK_OK(world, rvCable_Splice(world, ropes[0], ropes[1]));
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    assert_true(report.settled);
    CHECK_NEAR(rvCable_GetRestLength(world, ropes[0]), 8.0, 1e-12); // of both
    double weight = (100.0 + 0.5 * 4.0) * GRAVITY;                  // with half of the rope, on the mean
    CHECK_NEAR(rvCable_GetTension(world, ropes[0], 0), weight, 1e-6 * weight);
    rvDestroyWorld(world);
}

// A bent rod, both ends hooked to one body: it may turn about its nearly upright chord at next to no cost, so its shape
// is never found to the last digit. What it does is inside the body, which falls on.
static void RodThatIsHookedToOneBodyIsAtRestOnIt(void** state)
{
    (void)state;
    for (int k = 0; k < 3; ++k) {
        double h = (double[]){0.02, 0.01, 0.005}[k], mass = 9000.0, perMetre = 10.0, length = 0.48;
        rvWorld* world = make_world();
        rvBodyId body = add_box(world, mass, rvVec(12, 1, 0.4), rvVec(0, 0, 3));
        rvPlaceDef places[2] = {rvAttachPlace(body, rvVec(5.8, 0.95, -0.3)),
                                rvAttachPlace(RV_NULL_BODY, rvVec(5.95, 1.1, 2.59))};
        rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
        def.axialStiffness = 1.26e8;
        def.massPerLength = perMetre;
        def.diameter = 0.04;
        def.damping = 0.02;
        def.length = length;
        rvCableId rod = add_cable_of(world, def, places, 2);
        places[1] = rvAttachPlace(body, rvVec(5.801, 0.95, 0.1));
        CHECK_OK(world, rvCable_SetPlace(world, rod, 1, &places[1]));
        double seconds = 0.2, fall = GRAVITY * seconds;
        run_world(world, h, seconds);
        // no more than if the rod had stayed where it was
        double share = perMetre * length / mass;
        CHECK_NEAR(rvBody_GetVelocity(world, body).z, -fall, share * fall);
        rvDestroyWorld(world);
    }
}

static void ContactsAreSavedAndTakeNoMemory(void** state)
{
    (void)state;
    rvBodyId load;
    rvCableId rope;
    rvWorld* world = make_pendulum(RV_CABLE_ALE, &load, &rope);
    count_alloc_begin();
    int steps = 0;
    while (rvCable_GetContactCount(world, rope) == 0 && steps++ < 1000)
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 240.0));
    assert_int_equal(count_alloc_end(), 0);
    assert_true(steps < 1000);
    size_t size = rvWorld_Save(world, NULL, 0);
    void* image = malloc(size);
    assert_non_null(image);
    rvWorld_Save(world, image, size);
    uint64_t hash[3];
    for (int k = 0; k < 3; ++k) { // on, again, and in a world that has not lived through it
        if (k == 2) {
            rvDestroyWorld(world);
            world = make_pendulum(RV_CABLE_ALE, &load, &rope);
        }
        if (k > 0)
            CHECK_OK(world, rvWorld_Restore(world, image, size));
        assert_true(rvCable_GetContactCount(world, rope) > 0);
        for (int i = 0; i < 600; ++i) // it leaves the beam meanwhile
            CHECK_OK(world, rvWorld_Step(world, 1.0 / 240.0));
        hash[k] = rvWorld_Hash(world);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
    free(image);
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PendulumFoldsOverABeamAsTheMasslessOneDoes),
        cmocka_unit_test(TensionDoesNotJumpWhereContactsComeAndGo),
        cmocka_unit_test(EyesAreReevedAndUnreeved),
        cmocka_unit_test(TwoRopesAreSpliced),
        cmocka_unit_test(RodThatIsHookedToOneBodyIsAtRestOnIt),
        cmocka_unit_test(ContactsAreSavedAndTakeNoMemory),
    };
    return RUN_TESTS(tests);
}
