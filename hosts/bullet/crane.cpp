// SPDX-License-Identifier: MIT
// A crane in Bullet with the hoist rope of Reeve: a trolley on a rail, a two-fall hook block, a load on a sling.
//
// Bullet has the bodies and the rail, Reeve has the winch, the sheaves and the ropes. 60 steps a second, steel rope.
#include "reeve_bullet.h"

#include <cstdio>

static btRigidBody* add_box(btDynamicsWorld* world, btCollisionShape* shape, double mass, double x, double z)
{
    btVector3 inertia;
    shape->calculateLocalInertia(mass, inertia);
    auto* body = new btRigidBody(mass, nullptr, shape, inertia);
    body->setCenterOfMassTransform(btTransform(btQuaternion::getIdentity(), btVector3(x, 0, z)));
    world->addRigidBody(body);
    return body;
}

int main()
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity(btVector3(0, 0, -9.81));

    // your machine: bodies and a rail with a motor, as in any program for Bullet
    btBoxShape small(btVector3(0.3, 0.3, 0.3)), middle(btVector3(0.5, 0.5, 0.5)), large(btVector3(1, 1, 1));
    btRigidBody *trolley = add_box(&world, &middle, 2000, 5, 30), *hook = add_box(&world, &small, 300, 5, 15);
    btRigidBody* load = add_box(&world, &large, 5000, 5, 11);
    btGeneric6DofSpring2Constraint rail(*trolley, btTransform::getIdentity());
    rail.setLimit(0, 1, -1); // x is free, the rest is held
    for (int axis = 1; axis < 6; axis++)
        rail.setLimit(axis, 0, 0);
    rail.enableMotor(0, true);
    rail.setMaxMotorForce(0, 1e6);
    world.addConstraint(&rail);

    // Reeve beside it: which bodies ropes touch
    rvBullet link(&world);
    rvBodyId t = link.add(trolley, true), b = link.add(hook, false), l = link.add(load, false), none = {0, 0};

    // the hoist rope: winch at the mast, down from the trolley, round the sheave of the hook, up again, to the jib's tip
    const rvVec3 axis = rvVec(0, 1, 0);
    rvPlaceDef hoist[] = {rvWinchPlace(none, rvVec(0, 0, 30.25), 0.0), // a null body is the world
                          rvSheavePlace(t, rvVec(-0.5, 0, 0), axis, 0.25),
                          rvSheavePlace(b, rvVec(0, 0, 0.3), axis, 0.25),
                          rvSheavePlace(t, rvVec(0.5, 0, 0), axis, 0.25), rvAttachPlace(none, rvVec(20, 0, 30.25))};
    hoist[0].winch.acceleration = 0.5;
    rvPlaceDef sling[] = {rvAttachPlace(b, rvVec(0, 0, -0.3)), rvAttachPlace(l, rvVec(0, 0, 1.0))};
    rvCableDef rope = rvDefaultCableDef(RV_CABLE_MASSLESS); // steel, 20 mm
    rope.damping = 0.05;
    rvCableId hoistRope, slingRope;
    rope.places = hoist;
    rope.placeCount = 5;
    if (link.status != RV_OK || rvCreateCable(link.world, &rope, &hoistRope) != RV_OK)
        return 1;
    rope.places = sling;
    rope.placeCount = 2;
    if (rvCreateCable(link.world, &rope, &slingRope) != RV_OK)
        return 1;

    // hoist at 0.5 m/s (1 m/s of rope in two falls) from 1 s on, down again from 9 s on; trolley at 1 m/s from 4 s to 8 s
    for (int i = 0; i <= 720 && link.status == RV_OK; i++) {
        double time = i / 60.0;
        if (i % 60 == 0)
            std::printf("%4.1f s: trolley at %5.2f m, hook at %5.2f m, rope pulls %5.1f kN\n", time,
                        (double)trolley->getCenterOfMassPosition().x(), (double)hook->getCenterOfMassPosition().z(),
                        1e-3 * rvCable_GetTension(link.world, hoistRope, 0));
        rvCable_SetWinchSpeed(link.world, hoistRope, 0, time < 1.0 ? 0.0 : time < 9.0 ? -1.0 : 1.0);
        rail.setTargetVelocity(0, time >= 4.0 && time < 8.0 ? -1.0 : 0.0); // of the world against the trolley
        world.stepSimulation(1.0 / 60.0, 1, 1.0 / 60.0);                   // Reeve steps before each tick
    }
    if (link.status != RV_OK)
        std::fprintf(stderr, "%s\n", rvWorld_GetError(link.world));
    world.removeConstraint(&rail);
    for (btRigidBody* body : {trolley, hook, load}) {
        world.removeRigidBody(body);
        delete body;
    }
    return link.status;
}
