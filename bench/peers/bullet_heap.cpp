// SPDX-License-Identifier: MIT
// Heaps in Bullet: btDiscreteDynamicsWorld, sequential impulses, double precision. Sleeping is off, as in the others.
#include "cases/heap.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <vector>

namespace
{

struct BulletHeap {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;

    ~BulletHeap()
    {
        for (auto& body : bodies)
            world.removeRigidBody(body.get());
    }

    void add(btCollisionShape* shape, const rvHeapBody& from)
    {
        shapes.emplace_back(shape);
        const btVector3 moments(from.moments.x, from.moments.y, from.moments.z);
        btRigidBody::btRigidBodyConstructionInfo info(from.mass, nullptr, shape, moments);
        const rvQuat q = from.pose.q;
        info.m_startWorldTransform.setOrigin(btVector3(from.pose.p.x, from.pose.p.y, from.pose.p.z));
        info.m_startWorldTransform.setRotation(btQuaternion(q.x, q.y, q.z, q.w));
        info.m_friction = std::sqrt(RV_HEAP_FRICTION); // it multiplies those of a pair
        bodies.emplace_back(new btRigidBody(info));
        bodies.back()->setLinearVelocity(btVector3(from.velocity.x, from.velocity.y, from.velocity.z));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(bodies.back().get());
    }
};

btCollisionShape* make_shape(const rvHeapBody& from)
{
    switch (from.shape) {
    case RV_HEAP_BALL:
        return new btSphereShape(from.radius);
    case RV_HEAP_CAPSULE:
        return new btCapsuleShapeZ(from.radius, from.length);
    default:
        return new btBoxShape(btVector3(0.5 * from.sides.x, 0.5 * from.sides.y, 0.5 * from.sides.z));
    }
}

void* create(const rvHeap* heap)
{
    BulletHeap* bullet = new BulletHeap;
    bullet->world.setGravity(btVector3(0, 0, -RV_HEAP_GRAVITY));
    rvHeapBody ground = {};
    ground.pose.q.w = 1.0;
    bullet->add(new btStaticPlaneShape(btVector3(0, 0, 1), 0), ground);
    for (int i = 0; i < heap->count; i++)
        bullet->add(make_shape(heap->bodies[i]), heap->bodies[i]);
    return bullet;
}

void destroy(void* state)
{
    delete static_cast<BulletHeap*>(state);
}

bool step(void* state, double h)
{
    static_cast<BulletHeap*>(state)->world.stepSimulation(h, 0);
    return true;
}

double overlap(void* state)
{
    BulletHeap* heap = static_cast<BulletHeap*>(state);
    double deepest = 0.0;
    for (int i = 0; i < heap->dispatcher.getNumManifolds(); i++) {
        const btPersistentManifold* manifold = heap->dispatcher.getManifoldByIndexInternal(i);
        for (int k = 0; k < manifold->getNumContacts(); k++)
            deepest = std::fmax(deepest, -manifold->getContactPoint(k).getDistance());
    }
    return deepest;
}

double speed(void* state)
{
    double fastest = 0.0;
    for (auto& body : static_cast<BulletHeap*>(state)->bodies)
        fastest = std::fmax(fastest, body->getLinearVelocity().length());
    return fastest;
}

} // namespace

extern "C" {
extern const rvHeapEngine rv_heap_bullet;
const rvHeapEngine rv_heap_bullet = {"Bullet", create, destroy, step, overlap, speed, nullptr};
}
