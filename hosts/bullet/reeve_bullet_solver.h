// SPDX-License-Identifier: MIT
// Reeve's cables inside Bullet's own solver: their rows are solved with Bullet's contacts and joints in one iteration, so
// no body is "driven" and none needs a mass told right. docs/hosts.md calls this way (c); reeve_bullet.h is the simpler one.
//
//   rvBulletSolver solver;
//   btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
//   solver.open(&world);                                  a world of Reeve beside yours, of the same gravity
//   rvBodyId id = solver.link->add(body, false);          each body that a cable passes; id names it for rvAttachPlace...
//   rvCreateCable(solver.link->world, ...);
//   for (;;) world.stepSimulation(frame, most, h);
//   solver.link->status                                   RV_OK, or what failed
//
// Sequential impulses come to the solution slowly where masses are far apart: 10 iterations are Bullet's default, a crane's
// hook under a heavy load wants 100 (world.getSolverInfo().m_numIterations).
#pragma once

#include "reeve_bullet.h"

#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>
#include <algorithm>
#include <cmath>
#include <memory>

class rvBulletSolver : public btSequentialImpulseConstraintSolver
{
  public:
    class Link : public rvBulletLink
    {
        friend class rvBulletSolver;
        using rvBulletLink::rvBulletLink;
    };
    std::unique_ptr<Link> link;

    void open(btDiscreteDynamicsWorld* host)
    {
        link.reset(new Link(host->getGravity()));
        // one call of the solver for all bodies: a rope ties islands that Bullet does not see as one
        host->getSimulationIslandManager()->setSplitIslands(false);
    }

  protected:
    btScalar solveGroupCacheFriendlySetup(btCollisionObject** bodies, int bodyCount, btPersistentManifold** manifolds,
                                          int manifoldCount, btTypedConstraint** constraints, int constraintCount,
                                          const btContactSolverInfo& info, btIDebugDraw* drawer) override
    {
        btScalar result = btSequentialImpulseConstraintSolver::solveGroupCacheFriendlySetup(
            bodies, bodyCount, manifolds, manifoldCount, constraints, constraintCount, info, drawer);
        rows.clear();
        if (bodyCount > 0) // Bullet comes again with what islands are left: none
            begin(info.m_timeStep);
        return result;
    }

    btScalar solveSingleIteration(int iteration, btCollisionObject** bodies, int bodyCount,
                                  btPersistentManifold** manifolds, int manifoldCount, btTypedConstraint** constraints,
                                  int constraintCount, const btContactSolverInfo& info, btIDebugDraw* drawer) override
    {
        btScalar rest = btSequentialImpulseConstraintSolver::solveSingleIteration(
            iteration, bodies, bodyCount, manifolds, manifoldCount, constraints, constraintCount, info, drawer);
        for (size_t i = 0; i < rows.size(); ++i)
            rest = btMax(rest, solve((int)i));
        return rest;
    }

    btScalar solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int bodyCount,
                                           const btContactSolverInfo& info) override
    {
        btScalar result = btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyFinish(bodies, bodyCount, info);
        if (bodyCount > 0)
            end(info.m_timeStep);
        return result;
    }

  private:
    struct Part {                                           // of a row at one body
        int body;                                           // in Bullet's pool of solver bodies
        btVector3 linear, angular, linearPush, angularPush; // J, M^-1 J^T
    };
    struct Row {
        rvHostRow row;
        btScalar diagonal; // of J M^-1 J^T + C
        std::vector<Part> parts;
    };
    std::vector<Row> rows;
    std::vector<double> impulses;

    static btVector3 vec(rvVec3 v)
    {
        return btVector3(v.x, v.y, v.z);
    }

    Part part_of(const rvRowBody& at, btScalar* diagonal)
    {
        btRigidBody* host = nullptr;
        for (size_t k = 0; k < link->hosts.size(); ++k)
            if (RV_ID_EQUALS(link->states[k].body, at.body))
                host = link->hosts[k];
        Part part = {host->getCompanionId(), vec(at.linear), vec(at.angular), btVector3(0, 0, 0), btVector3(0, 0, 0)};
        part.linearPush = host->getInvMass() * part.linear;
        part.angularPush = host->getInvInertiaTensorWorld() * part.angular;
        *diagonal += part.linear.dot(part.linearPush) + part.angular.dot(part.angularPush);
        return part;
    }

    void begin(double h)
    {
        link->tell();
        if (link->status == RV_OK)
            link->status = rvWorld_BeginStep(link->world, h);
        rows.resize((size_t)rvWorld_GetRowCount(link->world));
        impulses.assign(rows.size(), 0.0);
        std::vector<rvRowBody> at(link->hosts.size());
        for (size_t i = 0; i < rows.size(); ++i) {
            rvWorld_GetRow(link->world, (int)i, &rows[i].row);
            rows[i].diagonal = rows[i].row.compliance;
            int count = rvWorld_GetRowBodies(link->world, (int)i, at.data(), (int)at.size());
            for (int k = 0; k < count; ++k)
                rows[i].parts.push_back(part_of(at[(size_t)k], &rows[i].diagonal));
            push(rows[i], impulses[i] = rows[i].row.guess); // begin where the last step ended
        }
        for (btRigidBody* host : link->hosts)
            host->activate(true); // a body at rest on a rope is not asleep
    }

    // With the velocities solved, the bodies are known where Bullet will move them.
    void end(double h)
    {
        link->look();
        for (size_t i = 0; i < link->hosts.size(); ++i) {
            const btRigidBody* host = link->hosts[i];
            btTransform to;
            btTransformUtil::integrateTransform(host->getCenterOfMassTransform(), host->getLinearVelocity(),
                                                host->getAngularVelocity(), h, to);
            link->states[i].pose = Link::pose(to);
        }
        if (link->status == RV_OK)
            link->status = rvWorld_EndStep(link->world, impulses.data(), (int)impulses.size(), link->states.data(),
                                           (int)link->states.size());
    }

    void push(const Row& row, double impulse)
    {
        for (const Part& part : row.parts)
            m_tmpSolverBodyPool[part.body].internalApplyImpulse(part.linearPush, part.angularPush, impulse);
    }

    // One row to its own solution, the others as they are. Answers the square of what was missing.
    btScalar solve(int i)
    {
        const rvHostRow& row = rows[(size_t)i].row;
        double missing = row.bias, lean = row.leanExtraWeight * impulses[(size_t)row.leanExtra];
        for (const Part& part : rows[(size_t)i].parts) {
            const btSolverBody& body = m_tmpSolverBodyPool[part.body];
            missing -=
                part.linear.dot(body.m_linearVelocity + body.m_externalForceImpulse + body.m_deltaLinearVelocity);
            missing -=
                part.angular.dot(body.m_angularVelocity + body.m_externalTorqueImpulse + body.m_deltaAngularVelocity);
        }
        for (int k = row.first; k < row.first + row.count; ++k)
            missing -= rvWorld_GetRowCompliance(link->world, i, k) * impulses[(size_t)k];
        for (int k = row.leanFirst; k < row.leanFirst + row.leanCount; ++k)
            lean += impulses[(size_t)k];
        double& x = impulses[(size_t)i];
        double to = x + missing / rows[(size_t)i].diagonal;
        if (std::isfinite(row.upper))
            to = std::min(to, row.upper + row.leanUpper * lean);
        if (std::isfinite(row.lower))
            to = std::max(to, row.lower + row.leanLower * lean);
        double change = to - x;
        push(rows[(size_t)i], change);
        x = to;
        return change * change * rows[(size_t)i].diagonal * rows[(size_t)i].diagonal;
    }
};
