// SPDX-License-Identifier: MIT
// Numbers near 0 in every definition: what is taken can be stepped, what is not is named.
#include "check.h"
#include "reeve/reeve.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

// A ball over the ground, a pendulum on a hinge with a motor, a rope from a winch over a sheave to a load; or held at
// both ends, for models that know neither.
typedef struct {
    rvWorldDef world;
    rvBodyDef body;
    rvShapeDef shape;
    rvJointDef joint;
    rvCableDef cable;
    rvCableProfile profile;
    rvPlaceDef places[3];
    double dt;
} Rig;

static Rig make_rig(rvCableModel model)
{
    Rig rig = {.world = rvDefaultWorldDef(),
               .body = rvDefaultBodyDef(),
               .shape = rvDefaultShapeDef(RV_SHAPE_CYLINDER),
               .joint = rvDefaultJointDef(RV_JOINT_HINGE),
               .cable = rvDefaultCableDef(model),
               .profile = rvProfileAt(0.0),
               .dt = 0.01};
    bool runs = model != RV_CABLE_ANCF && model != RV_CABLE_CURVE;
    rig.body.name = rig.shape.name = rig.joint.name = rig.cable.name = "it";
    rig.body.mass = 10.0;
    rig.body.inertia = rvBallInertia(10.0, 0.3);
    rig.shape.radius = 0.3;
    rig.shape.length = 0.5;
    rig.joint.axes[0] = (rvJointAxis){.limited = true,
                                      .lower = -1.0,
                                      .upper = 1.0,
                                      .motor = RV_MOTOR_POSITION,
                                      .target = 0.3,
                                      .maxSpeed = 1.0,
                                      .maxForce = 100.0,
                                      .friction = 1.0};
    rig.cable.axialStiffness = 1e6;
    rig.cable.massPerLength = 0.5;
    rig.cable.bendingStiffness = 1.0;
    rig.cable.elements = 6;
    rig.places[0] =
        runs ? rvWinchPlace(RV_NULL_BODY, rvVec(10, 0, 0), 0.1) : rvAttachPlace(RV_NULL_BODY, rvVec(10, 0, 0));
    rig.places[0].winch.stored = 10.0;
    rig.places[0].winch.capacity = 20.0;
    rig.places[0].wheel.radius = 0.2;
    rig.places[1] = rvSheavePlace(RV_NULL_BODY, rvVec(12, 0, 3), rvVec(0, 1, 0), 0.2);
    rig.places[1].wheel.inertia = 0.1;
    rig.places[1].friction = 0.2;
    rig.cable.placeCount = runs ? 3 : 2;
    return rig;
}

static rvStatus build(rvWorld* world, Rig* rig)
{
    rvBodyDef ground = rvDefaultBodyDef(), load = rvDefaultBodyDef(), arm = rvDefaultBodyDef();
    rvShapeDef plane = rvDefaultShapeDef(RV_SHAPE_PLANE);
    rvBodyId groundId, id, armId, loadId;
    ground.type = RV_BODY_STATIC;
    rig->body.pose.p = rvVec(0, 0, 0.29);
    arm.pose.p = rvVec(5, 0, 5);
    load.pose.p = rvVec(14, 0, 0);
    assert_int_equal(rvCreateBody(world, &ground, &groundId), RV_OK);
    assert_int_equal(rvCreateShape(world, groundId, &plane, NULL), RV_OK);
    assert_int_equal(rvCreateBody(world, &arm, &armId), RV_OK);
    assert_int_equal(rvCreateBody(world, &load, &loadId), RV_OK);
    rvStatus status = rvCreateBody(world, &rig->body, &id);
    if (status == RV_OK)
        status = rvCreateShape(world, id, &rig->shape, NULL);
    assert_int_equal(rvJointDef_Place(world, &rig->joint, RV_NULL_BODY, armId, rvVec(5, 0, 5.5), rvVec(0, 1, 0)),
                     RV_OK);
    if (status == RV_OK)
        status = rvCreateJoint(world, &rig->joint, NULL);
    rvPlaceDef places[3] = {rig->places[0], rig->places[1], rvAttachPlace(loadId, rvVec(0, 0, 0))};
    if (rig->cable.placeCount == 2)
        places[1] = places[2];
    rig->cable.places = places;
    if (status == RV_OK)
        status = rvCreateCable(world, &rig->cable, NULL);
    rig->cable.places = NULL;
    return status;
}

typedef struct {
    size_t at;
    const char* name;
} Number;

#define NUMBER(path, name)                                                                                             \
    {                                                                                                                  \
        offsetof(Rig, path), name                                                                                      \
    }

static const Number numbers[] = {
    NUMBER(world.relaxation, "relaxation"),
    NUMBER(world.geometricStiffness, "geometricStiffness"),
    NUMBER(body.mass, "mass"),
    NUMBER(body.inertia.m[0][0], "inertia"),
    NUMBER(shape.radius, "radius"),
    NUMBER(shape.length, "length"),
    NUMBER(shape.friction, "friction"),
    NUMBER(shape.compliance, "compliance"),
    NUMBER(shape.damping, "damping"),
    NUMBER(joint.compliance, "compliance"),
    NUMBER(joint.angularCompliance, "angularCompliance"),
    NUMBER(joint.damping, "damping"),
    NUMBER(joint.axes[0].maxSpeed, "maxSpeed"),
    NUMBER(joint.axes[0].friction, "friction"),
    NUMBER(cable.axialStiffness, "axialStiffness"),
    NUMBER(cable.damping, "damping"),
    NUMBER(cable.torsionalStiffness, "torsionalStiffness"),
    NUMBER(cable.twistDamping, "twistDamping"),
    NUMBER(cable.friction, "friction"),
    NUMBER(cable.massPerLength, "massPerLength"),
    NUMBER(cable.waveDamping, "waveDamping"),
    NUMBER(cable.fluidDensity, "fluidDensity"),
    NUMBER(cable.dragCoefficient, "dragCoefficient"),
    NUMBER(cable.bendingStiffness, "bendingStiffness"),
    NUMBER(cable.bendingDamping, "bendingDamping"),
    NUMBER(cable.contactStiffness, "contactStiffness"),
    NUMBER(cable.overload, "overload"),
    NUMBER(cable.breakForce, "breakForce"),
    NUMBER(cable.length, "length"),
    NUMBER(places[0].wheel.radius, "wheel.radius"),
    NUMBER(places[0].winch.maxSpeed, "maxSpeed"),
    NUMBER(places[0].winch.acceleration, "acceleration"),
    NUMBER(places[0].winch.compliance, "compliance"),
    NUMBER(places[0].winch.maxForce, "maxForce"),
    NUMBER(places[0].winch.brakeForce, "brakeForce"),
    NUMBER(places[0].winch.minLength, "minLength"),
    NUMBER(places[1].wheel.radius, "wheel.radius"),
    NUMBER(places[1].wheel.inertia, "wheel.inertia"),
    NUMBER(places[1].wheel.bearing, "bearing"),
    NUMBER(places[1].friction, "friction"),
    NUMBER(dt, "dt"),
};

static rvStatus try_number(rvCableModel model, const Number* number, double value, char error[500])
{
    Rig rig = make_rig(model);
    memcpy((char*)&rig + number->at, &value, sizeof value);
    rvWorld* world;
    rvStatus status = rvCreateWorld(&rig.world, &world, error, 500);
    if (status != RV_OK)
        return status;
    status = build(world, &rig);
    for (int i = 0; i < 3 && status == RV_OK; ++i)
        status = rvWorld_Step(world, rig.dt);
    snprintf(error, 500, "%s", rvWorld_GetError(world));
    rvDestroyWorld(world);
    return status;
}

// Of ropes without an inside of their own: others cannot follow a load on 1e-30 N of stiffness, and say so.
static void WhatIsTakenCanBeStepped(void** state)
{
    (void)state;
    static const double values[] = {1e-320, 2e-308, 3e-308, 1e-200, 1e-150, 1e-101, 1e-100, 1e-60, 1e-30, 1e-15};
    char error[500];
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; ++n) {
        for (size_t v = 0; v < sizeof values / sizeof values[0]; ++v) {
            rvStatus status = try_number(RV_CABLE_MASSLESS, &numbers[n], values[v], error);
            if (status != RV_OK && (status != RV_BAD_INPUT || !strstr(error, numbers[n].name)))
                fail_msg("%s = %g: %s", numbers[n].name, values[v], error);
        }
    }
}

// Each by a model that makes use of it.
static void SubnormalNumbersAreRefusedByName(void** state)
{
    (void)state;
    static const rvCableModel models[] = {RV_CABLE_MASSLESS, RV_CABLE_LAYERED, RV_CABLE_ANCF, RV_CABLE_CURVE,
                                          RV_CABLE_ALE};
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; ++n) {
        int refused = 0;
        for (size_t m = 0; m < sizeof models / sizeof models[0]; ++m) {
            char error[500];
            rvStatus status = try_number(models[m], &numbers[n], 1e-320, error);
            if (status != RV_OK && (status != RV_BAD_INPUT || !strstr(error, numbers[n].name)))
                fail_msg("%s, %s = 1e-320: %s", rvCableModel_Name(models[m]), numbers[n].name, error);
            refused += status == RV_BAD_INPUT;
        }
        if (refused == 0)
            fail_msg("%s = 1e-320 is taken by all models", numbers[n].name);
    }
}

// A controller that lets a speed decay comes to numbers that are subnormal.
static void CommandsMayDecay(void** state)
{
    (void)state;
    Rig rig = make_rig(RV_CABLE_MASSLESS);
    rvWorld* world;
    rvCableId cable;
    assert_int_equal(rvCreateWorld(&rig.world, &world, NULL, 0), RV_OK);
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0),
                           rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 0))};
    rig.cable.places = places;
    rig.cable.placeCount = 2;
    assert_int_equal(rvCreateCable(world, &rig.cable, &cable), RV_OK);
    for (double speed = 1e-90; speed > 0.0; speed *= 0.01) {
        assert_int_equal(rvCable_SetWinchSpeed(world, cable, 0, speed), RV_OK);
        assert_int_equal(rvCable_SetWinchLength(world, cable, 0, speed), RV_OK);
        assert_int_equal(rvWorld_Step(world, 0.01), RV_OK);
    }
    size_t size = rvWorld_Save(world, NULL, 0);
    void* image = malloc(size);
    assert_non_null(image);
    rvWorld_Save(world, image, size);
    assert_int_equal(rvWorld_Restore(world, image, size), RV_OK);
    free(image);
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WhatIsTakenCanBeStepped),
        cmocka_unit_test(SubnormalNumbersAreRefusedByName),
        cmocka_unit_test(CommandsMayDecay),
    };
    return RUN_TESTS(tests);
}
