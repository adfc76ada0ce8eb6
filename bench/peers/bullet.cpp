// SPDX-License-Identifier: MIT
// The chain in Bullet: btMultiBody, reduced coordinates (articulated bodies), spherical joints, double precision.
// Bullet's default damping and its limit on joint speed are taken off, so that it solves the same problem.
#include "cases/chain.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

namespace
{

struct BulletChain {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btMultiBodyConstraintSolver solver;
    btMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btMultiBody body;
    btAlignedObjectArray<btQuaternion> turns; // scratch
    btAlignedObjectArray<btVector3> points;   // scratch

    explicit BulletChain(const rvChain* chain) : body(chain->links + 1, 0, btVector3(0, 0, 0), true, false)
    {
        const double half = 0.5 * rv_chain_link_length(chain);
        const rvVec3 m = rv_chain_link_inertia(chain);
        const double moment = rv_chain_load_inertia(chain);
        const btQuaternion none = btQuaternion::getIdentity();
        for (int i = 0; i < chain->links; i++)
            body.setupSpherical(i, chain->linkMass, btVector3(m.x, m.y, m.z), i - 1, none,
                                btVector3(0, 0, i ? -half : 0), btVector3(0, 0, -half), true);
        body.setupSpherical(chain->links, chain->loadMass, btVector3(moment, moment, moment), chain->links - 1, none,
                            btVector3(0, 0, -half), btVector3(0, 0, 0), true);
        body.finalizeMultiDof();
        body.setLinearDamping(0);
        body.setAngularDamping(0);
        body.setMaxCoordinateVelocity(BT_LARGE_FLOAT);
        const rvQuat q = rv_chain_turn(chain);
        const double first[4] = {q.x, q.y, q.z, q.w};
        body.setJointPosMultiDof(0, first);
        world.setGravity(btVector3(0, 0, -RV_CHAIN_GRAVITY));
        world.addMultiBody(&body);
    }

    ~BulletChain()
    {
        world.removeMultiBody(&body);
    }
};

void* create(const rvChain* chain)
{
    return new BulletChain(chain);
}

void destroy(void* state)
{
    delete static_cast<BulletChain*>(state);
}

bool step(void* state, double h)
{
    static_cast<BulletChain*>(state)->world.stepSimulation(h, 0);
    return true;
}

rvVec3 load(void* state)
{
    BulletChain* chain = static_cast<BulletChain*>(state);
    chain->body.forwardKinematics(chain->turns, chain->points);
    const btVector3 p = chain->body.getLink(chain->body.getNumLinks() - 1).m_cachedWorldTransform.getOrigin();
    return rvVec(p.x(), p.y(), p.z());
}

double gap(void*)
{
    return 0.0; // joints are exact in reduced coordinates
}

} // namespace

extern "C" {
extern const rvChainEngine rv_peer_bullet;
const rvChainEngine rv_peer_bullet = {
    "Bullet btMultiBody", 100000, "not tried", create, destroy, step, load, nullptr, gap,
};
}
