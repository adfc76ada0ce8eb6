// SPDX-License-Identifier: MIT
// Work in = energy stored + work out, with joints, motors, friction, contacts and a hoist in play at once.
#include "world/machines.h"

static double books(const rvWorld* world)
{
    rvEnergy e = rvWorld_GetEnergy(world);
    return e.kinetic + e.potential + e.elastic + e.heat - e.work;
}

// A jib on a hinge with friction and a motor; a winch hoists a load over its sheave with bearing; a cylinder pushes a box
// over the ground, another box falls and lands.
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
            start = books(world);
        worst = fmax(worst, fabs(books(world) - start));
    }
    rvEnergy e = rvWorld_GetEnergy(world);
    print_message("work %g J, heat %g J (joints %g, contacts %g, guard %g), off by %g J\n", e.work, e.heat, e.jointHeat,
                  e.contactHeat, e.guard, worst);
    assert_true(e.work > 5000.0 && e.jointHeat > 500.0 && e.contactHeat > 500.0);
    CHECK_BELOW(worst / (fabs(e.work) + e.heat), 1e-3); // a tenth of a percent was asked for
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WorkInIsStoredAndOut),
    };
    return RUN_TESTS(tests);
}
