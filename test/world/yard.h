// SPDX-License-Identifier: MIT
// A small yard with one of everything: ground as a mesh, boxes that fall and stack, a door on a hinge with a motor and
// limits, a winch that lifts a load out of a slack cable through an eye, a cable that breaks, a proxy that carries one.
#pragma once

#include "world/machines.h"

typedef struct {
    rvBodyId boxes[4], door, load, weak, proxy;
    rvJointId hinge;
    rvCableId hoist, rope;
} Yard;

// Two triangles.
static const rvVec3 yardPoints[4] = {{-20, -20, 0}, {20, -20, 0}, {20, 20, 0}, {-20, 20, 0}};
static const int yardTriangles[6] = {0, 1, 2, 0, 2, 3};

// Builds the yard up to the first failure, which it answers.
static inline rvStatus try_boxes(rvWorld* world, Yard* yard)
{
    rvBodyDef ground = rvDefaultBodyDef();
    ground.type = RV_BODY_STATIC;
    ground.name = "ground";
    rvBodyId groundId;
    rvStatus status = rvCreateBody(world, &ground, &groundId);
    rvShapeDef mesh = rvDefaultShapeDef(RV_SHAPE_MESH);
    mesh.points = yardPoints;
    mesh.pointCount = 4;
    mesh.triangles = yardTriangles;
    mesh.triangleCount = 2;
    if (status == RV_OK)
        status = rvCreateShape(world, groundId, &mesh, NULL);
    for (int i = 0; i < 4 && status == RV_OK; ++i) {
        rvBodyDef box = rvDefaultBodyDef();
        box.mass = 50.0;
        box.inertia = rvBoxInertia(50.0, rvVec(1, 1, 1));
        box.pose.p = rvVec(4.0 + 0.1 * i, 0.05 * i, 0.6 + 1.1 * i);
        box.name = "box";
        rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_BOX);
        shape.sides = rvVec(1, 1, 1);
        status = rvCreateBody(world, &box, &yard->boxes[i]);
        if (status == RV_OK)
            status = rvCreateShape(world, yard->boxes[i], &shape, NULL);
    }
    return status;
}

static inline rvStatus try_door(rvWorld* world, Yard* yard)
{
    rvBodyDef door = rvDefaultBodyDef();
    door.mass = 20.0;
    door.inertia = rvBoxInertia(20.0, rvVec(1, 0.1, 2));
    door.pose.p = rvVec(-5, 0, 2);
    door.name = "door";
    rvStatus status = rvCreateBody(world, &door, &yard->door);
    rvJointDef hinge = rvDefaultJointDef(RV_JOINT_HINGE);
    if (status == RV_OK)
        status = rvJointDef_Place(world, &hinge, RV_NULL_BODY, yard->door, rvVec(-5.5, 0, 2), rvVec(0, 0, 1));
    hinge.axes[0].limited = true;
    hinge.axes[0].lower = -0.5;
    hinge.axes[0].upper = 0.5;
    hinge.axes[0].motor = RV_MOTOR_SPEED;
    hinge.axes[0].target = 1.0;
    hinge.axes[0].maxForce = 50.0;
    return status == RV_OK ? rvCreateJoint(world, &hinge, &yard->hinge) : status;
}

static inline rvStatus try_cables(rvWorld* world, Yard* yard)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.mass = 200.0;
    def.inertia = rvBoxInertia(200.0, rvVec(1, 1, 1));
    def.pose.p = rvVec(0, 0, 0.5);
    def.name = "load";
    rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_BOX);
    shape.sides = rvVec(1, 1, 1);
    rvStatus status = rvCreateBody(world, &def, &yard->load);
    if (status == RV_OK)
        status = rvCreateShape(world, yard->load, &shape, NULL);
    def.pose.p = rvVec(0, 8, 5);
    def.name = "weak";
    if (status == RV_OK)
        status = rvCreateBody(world, &def, &yard->weak);
    def.pose.p = rvVec(0, 8, 9);
    def.type = RV_BODY_PROXY;
    def.mass = 0.0; // its host holds it still
    def.name = "proxy";
    if (status == RV_OK)
        status = rvCreateBody(world, &def, &yard->proxy);
    rvPlaceDef hoist[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-3, 0, 1), -1.0), rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 6)),
                          rvAttachPlace(yard->load, rvVec(0.1, 0, 0.5))};
    hoist[0].winch.minLength = 8.5;
    hoist[0].winch.maxForce = 4000.0;
    rvCableDef cable = rvDefaultCableDef(RV_CABLE_MASSLESS);
    cable.places = hoist;
    cable.placeCount = 3;
    cable.axialStiffness = 1e6;
    cable.length = 11.2;
    cable.name = "hoist";
    if (status == RV_OK)
        status = rvCreateCable(world, &cable, &yard->hoist);
    rvPlaceDef rope[] = {rvAttachPlace(yard->proxy, rvVec(0, 0, 0)), rvAttachPlace(yard->weak, rvVec(0, 0, 0))};
    cable.places = rope;
    cable.placeCount = 2;
    cable.length = 5.0;
    cable.breakForce = 1e4; // the fall of 1 m pulls more
    cable.name = "rope";
    return status == RV_OK ? rvCreateCable(world, &cable, &yard->rope) : status;
}

static inline rvStatus try_yard(rvWorld* world, Yard* yard)
{
    rvStatus status = try_boxes(world, yard);
    if (status == RV_OK)
        status = try_door(world, yard);
    return status == RV_OK ? try_cables(world, yard) : status;
}

static inline Yard make_yard(rvWorld* world)
{
    Yard yard = {0};
    CHECK_OK(world, try_yard(world, &yard));
    return yard;
}

static inline rvWorldDef yard_world_def(void)
{
    rvWorldDef def = rvDefaultWorldDef();
    def.maxContacts = 256;
    return def;
}
