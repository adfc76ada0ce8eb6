// SPDX-License-Identifier: MIT
// The crane of `reeve bench hosts` in Bullet: six-way constraints with motors, ropes through
// hosts/bullet/reeve_bullet.h, or within Bullet's own solver by reeve_bullet_solver.h. A hundred sweeps of the solver
// instead of ten: the jib carries a long moment.
#include "bullet/reeve_bullet_solver.h"
#include "cases/hosts.h"

#include <memory>

namespace
{

btVector3 to_bullet(rvVec3 v)
{
    return btVector3(v.x, v.y, v.z);
}

struct Crane {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    bool ownSolver; // the ropes are solved by Bullet
    btSequentialImpulseConstraintSolver plainSolver;
    rvBulletSolver ropeSolver;
    btDiscreteDynamicsWorld host{&dispatcher, &broadphase, solver(), &configuration};
    btEmptyShape shape;
    std::unique_ptr<btRigidBody> bodies[RV_CRANE_BODIES];
    std::unique_ptr<btGeneric6DofSpring2Constraint> slew, rail;
    std::unique_ptr<rvBullet> pulling;
    rvBulletLink* link;
    rvCableId hoist = {0, 0};
    double h;

    Crane(const rvCraneSetup* setup, bool byBullet) : ownSolver(byBullet), h(setup->h)
    {
        host.setGravity(btVector3(0, 0, -RV_CRANE_GRAVITY));
        host.getSolverInfo().m_numIterations = 100;
        for (int i = 0; i < RV_CRANE_BODIES; i++) {
            const rvCraneBody& body = rvCraneBodies[i];
            const rvMat3 inertia = rvBoxInertia(body.mass, body.sides);
            const btVector3 principal(inertia.m[0][0], inertia.m[1][1], inertia.m[2][2]);
            bodies[i].reset(new btRigidBody(body.mass, nullptr, &shape, principal));
            bodies[i]->setCenterOfMassTransform(btTransform(btQuaternion::getIdentity(), to_bullet(body.at)));
            host.addRigidBody(bodies[i].get());
        }
        btRigidBody &jib = *bodies[RV_CRANE_JIB], &trolley = *bodies[RV_CRANE_TROLLEY];
        const btTransform middle = btTransform::getIdentity();
        btTransform start = middle;
        start.setOrigin(to_bullet(rvSub(rvCraneBodies[RV_CRANE_TROLLEY].at, rvCraneBodies[RV_CRANE_JIB].at)));
        slew.reset(new btGeneric6DofSpring2Constraint(jib, middle));
        rail.reset(new btGeneric6DofSpring2Constraint(jib, trolley, start, middle));
        leave_free(*slew, 5);
        leave_free(*rail, 0);
        if (ownSolver)
            ropeSolver.open(&host);
        else
            pulling.reset(new rvBullet(&host));
        link = ownSolver ? ropeSolver.link.get() : static_cast<rvBulletLink*>(pulling.get());
    }

    ~Crane()
    {
        host.removeConstraint(slew.get());
        host.removeConstraint(rail.get());
        for (auto& body : bodies)
            host.removeRigidBody(body.get());
    }

    btConstraintSolver* solver()
    {
        return ownSolver ? &ropeSolver : &plainSolver;
    }

    // All ways are held but one, which is driven.
    void leave_free(btGeneric6DofSpring2Constraint& joint, int way)
    {
        for (int i = 0; i < 6; i++)
            joint.setLimit(i, i == way ? 1 : 0, i == way ? -1 : 0);
        joint.enableMotor(way, true);
        joint.setMaxMotorForce(way, 1e9);
        host.addConstraint(&joint);
    }
};

void destroy(void* state)
{
    delete static_cast<Crane*>(state);
}

void* create_any(const rvCraneSetup* setup, bool ownSolver)
{
    std::unique_ptr<Crane> crane(new Crane(setup, ownSolver));
    rvBodyId ids[RV_CRANE_BODIES];
    for (int i = 0; i < RV_CRANE_BODIES; i++)
        ids[i] = crane->link->add(crane->bodies[i].get(), !ownSolver && (i <= RV_CRANE_TROLLEY || !setup->known));
    if (crane->link->status != RV_OK || rv_crane_reeve(crane->link->world, ids, setup, &crane->hoist) != RV_OK)
        return nullptr;
    return crane.release();
}

void* create(const rvCraneSetup* setup)
{
    return create_any(setup, false);
}

void* create_rows(const rvCraneSetup* setup)
{
    return create_any(setup, true);
}

bool step(void* state, const rvCraneDrive* drive, rvCraneState* out)
{
    Crane* crane = static_cast<Crane*>(state);
    crane->slew->setTargetVelocity(5, -drive->slew); // the first body against the second
    crane->rail->setTargetVelocity(0, -drive->trolley);
    rvCable_SetWinchSpeed(crane->link->world, crane->hoist, 0, drive->hoist);
    crane->host.stepSimulation(crane->h, 1, crane->h);
    for (int i = 0; i < RV_CRANE_BODIES; i++) {
        const btVector3& p = crane->bodies[i]->getCenterOfMassPosition();
        out->at[i] = rvVec(p.x(), p.y(), p.z());
    }
    out->tension = rvCable_GetTension(crane->link->world, crane->hoist, 0);
    return crane->link->status == RV_OK;
}

} // namespace

extern "C" {
extern const rvCraneEngine rv_crane_bullet;
const rvCraneEngine rv_crane_bullet = {"Bullet", create, step, destroy, true};
extern const rvCraneEngine rv_crane_bullet_rows;
const rvCraneEngine rv_crane_bullet_rows = {"Bullet's solver", create_rows, step, destroy, false};
}
