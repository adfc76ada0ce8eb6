// SPDX-License-Identifier: MIT
// A crane in Bullet with the hoist rope of Reeve: a trolley on a rail, a two-fall hook block, a load on a sling.
//
// Bullet has the bodies and the rail, Reeve has the winch, the sheaves and the ropes. 60 steps a second, steel rope.
#include "../crane_ropes.h"
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
    rvBodyId t = link.add(trolley, true), b = link.add(hook, false), l = link.add(load, false);

    // its ropes
    rvCableId hoistRope;
    if (link.status != RV_OK || lay_ropes(link.world, t, b, l, &hoistRope) != RV_OK)
        return 1;
    for (int i = 0; i <= 720 && link.status == RV_OK; i++) {
        double time = i / 60.0;
        if (i % 60 == 0)
            std::printf("%4.1f s: trolley at %5.2f m, hook at %5.2f m, rope pulls %5.1f kN\n", time,
                        (double)trolley->getCenterOfMassPosition().x(), (double)hook->getCenterOfMassPosition().z(),
                        1e-3 * rvCable_GetTension(link.world, hoistRope, 0));
        rvCable_SetWinchSpeed(link.world, hoistRope, 0, hoist_speed(time));
        rail.setTargetVelocity(0, -trolley_speed(time)); // of the world against the trolley
        world.stepSimulation(1.0 / 60.0, 1, 1.0 / 60.0); // Reeve steps before each tick
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
