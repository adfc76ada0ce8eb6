// SPDX-License-Identifier: MIT
// Work in = energy stored + work out, with joints, motors, friction, contacts and a hoist in play at once.
#include "world/machines.h"

// A jib on a hinge with friction and a motor; a winch hoists a load over its sheave with bearing; a cylinder pushes a
// box over the ground, another box falls and lands.
static void WorkInIsStoredAndOut(void** state)
{
    (void)state;
    double h = 1.0 / 1000.0;
    rvWorld* world = make_world();
    add_ground(world);
    rvBodyId jib = add_box(world, 800.0, rvVec(8, 0.4, 0.4), rvVec(4, 0, 10));
    rvJointDef def = rvDefaultJointDef(RV_JOINT_HINGE);
    rvJointId hinge, slider;
    CHECK_OK(world, rvJointDef_Place(world, &def, RV_NULL_BODY, jib, rvVec(0, 0, 10), rvVec(0, 0, 1)));
    def.axes[0].friction = 200.0;
    CHECK_OK(world, rvCreateJoint(world, &def, &hinge));
    CHECK_OK(world, rvJoint_SetMotor(world, hinge, 0, RV_MOTOR_SPEED, 0.2, 4000.0));
    rvBodyId load = add_ball(world, 500.0, 0.4, rvVec(8, 0, 4));
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 12), 0.0),
                           rvSheavePlace(jib, rvVec(3.8, 0, 0), rvVec(0, 1, 0), 0.2),
                           rvAttachPlace(load, rvVec(0, 0, 0.4))};
    places[0].winch.acceleration = 0.5;
    places[1].wheel.bearing = 0.05;
    rvCableId cable = add_cable(world, places, 3, 2e7, -1.0);
    rvBodyId sledge = add_box(world, 100.0, rvVec(1, 1, 1), rvVec(0, 20, 0.5));
    add_box_shape(world, sledge, rvVec(1, 1, 1));
    rvJointDef rail = rvDefaultJointDef(RV_JOINT_DISTANCE);
    rail.bodyB = sledge;
    rail.frameA.p = rvVec(-10, 20, 0.5);
    CHECK_OK(world, rvCreateJoint(world, &rail, &slider));
    rvBodyId box = add_box(world, 50.0, rvVec(1, 1, 1), rvVec(0, 30, 1.0));
    add_box_shape(world, box, rvVec(1, 1, 1));
    double start = 0.0, worst = 0.0;
    for (int i = 0; i < 20000; ++i) {
        if (i == 2000)
            CHECK_OK(world, rvCable_SetWinchSpeed(world, cable, 0, -0.5));
        if (i == 3000)
            CHECK_OK(world, rvJoint_SetMotor(world, slider, 0, RV_MOTOR_SPEED, 0.5, 2000.0));
        if (i == 10000)
            CHECK_OK(world, rvCable_SetWinchSpeed(world, cable, 0, 0.3));
        CHECK_OK(world, rvWorld_Step(world, h));
        if (i == 0)
            start = energy_books(world);
        worst = fmax(worst, fabs(energy_books(world) - start));
    }
    rvEnergy e = rvWorld_GetEnergy(world);
    print_message("work %g J, heat %g J (joints %g, contacts %g, guard %g), off by %g J\n", e.work, e.heat, e.jointHeat,
                  e.contactHeat, e.guard, worst);
    assert_true(e.work > 5000.0 && e.jointHeat > 500.0 && e.contactHeat > 500.0);
    CHECK_BELOW(worst / (fabs(e.work) + e.heat), 1e-3); // a tenth of a percent was asked for
    rvDestroyWorld(world);
}

// A bucket that is emptied as it swings on a rope with mass: it moves on as it did, the books have what went as work,
// and an image brings its mass back.
static void MassThatGoesTakesItsEnergyAlong(void** state)
{
    (void)state;
    const double h = 1.0 / 240.0;
    rvWorld* world = make_world();
    rvBodyId bucket = add_box(world, 1000.0, rvVec(1, 1, 1), rvVec(2, 0, -9.8));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(bucket, rvVec(0, 0, 0.5))};
    rvCableDef def = layered_rope(places, 2, 1e7, 0.5, -1.0);
    def.damping = 0.02;
    rvCableId rope = create_cable(world, &def);
    run_world(world, h, 1.5);
    static uint8_t image[1 << 16];
    size_t size = rvWorld_Save(world, image, sizeof image);
    assert_in_range(size, 1, sizeof image);
    uint64_t hash = rvWorld_Hash(world);
    double begun = energy_books(world);
    rvEnergy before = rvWorld_GetEnergy(world);
    rvPose pose = rvBody_GetPose(world, bucket);
    rvVec3 speed = rvBody_GetVelocity(world, bucket);
    CHECK_OK(world, rvBody_SetMass(world, bucket, 200.0, rvBoxInertia(200.0, rvVec(1, 1, 0.4))));
    CHECK_NEAR(rvBody_GetMass(world, bucket), 200.0, 0.0);
    CHECK_NEAR(rvDistance(rvBody_GetPose(world, bucket).p, pose.p), 0.0, 0.0); // the same bits
    CHECK_NEAR(rvDistance(rvBody_GetVelocity(world, bucket), speed), 0.0, 0.0);
    rvEnergy after = rvWorld_GetEnergy(world);
    CHECK_BELOW(after.kinetic, 0.3 * before.kinetic); // a fifth of it, and the rope's
    CHECK_NEAR(energy_books(world), begun, 1e-9);     // round-off of 100 kJ
    run_world(world, h, 10.0);
    CHECK_NEAR(rvCable_GetTension(world, rope, 0) / (200.0 * GRAVITY), 1.0, 0.1); // swings by 0.2 rad, and 5 kg of rope
    CHECK_BELOW(fabs(energy_books(world) - begun), 1e-3 * before.kinetic); // as the books of the whole crane above
    CHECK_OK(world, rvWorld_Restore(world, image, size));
    CHECK_NEAR(rvBody_GetMass(world, bucket), 1000.0, 0.0);
    assert_true(rvWorld_Hash(world) == hash);
    rvMat3 none = {0};
    assert_int_equal(rvBody_SetMass(world, bucket, 0.0, none), RV_BAD_INPUT);
    assert_int_equal(rvBody_SetMass(world, bucket, (double)NAN, none), RV_BAD_INPUT);
    assert_int_equal(rvBody_SetMass(world, bucket, 1.0, rvMat3Diagonal(1, 1, 3)), RV_BAD_INPUT); // of no body
    assert_int_equal(rvBody_SetMass(world, add_hand(world, rvVec(0, 0, 5)), 1.0, none), RV_BAD_INPUT);
    assert_int_equal(rvBody_SetMass(world, RV_NULL_BODY, 1.0, none), RV_BAD_ID);
    CHECK_NEAR(rvBody_GetMass(world, bucket), 1000.0, 0.0); // what is refused changes nothing
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WorkInIsStoredAndOut),
        cmocka_unit_test(MassThatGoesTakesItsEnergyAlong),
    };
    return RUN_TESTS(tests);
}
