// SPDX-License-Identifier: MIT
// Reeve's cables inside Bullet's own solver: their rows are solved with Bullet's contacts and joints in one iteration,
// so no body is "driven" and none needs a mass told right. docs/hosts.md calls this way (c); reeve_bullet.h is the
// simpler one.
//
//   rvBulletSolver solver;
//   btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
//   solver.open(&world);                                  a world of Reeve beside yours, of the same gravity
//   rvBodyId id = solver.link->add(body, false);          each body that a cable passes; id: for rvAttachPlace...
//   rvCreateCable(solver.link->world, ...);
//   for (;;) world.stepSimulation(frame, most, h);
//   solver.link->status                                   RV_OK, or what failed
//
// Sequential impulses come to the solution slowly where masses are far apart: 10 iterations are Bullet's default, a
// crane's hook under a heavy load wants 100 (world.getSolverInfo().m_numIterations).
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
        link.reset(new Link(host));
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
        blocks.clear();
        if (link && bodyCount > 0) // Bullet comes again with what islands are left: none
            begin(info.m_timeStep);
        return result;
    }

    btScalar solveSingleIteration(int iteration, btCollisionObject** bodies, int bodyCount,
                                  btPersistentManifold** manifolds, int manifoldCount, btTypedConstraint** constraints,
                                  int constraintCount, const btContactSolverInfo& info, btIDebugDraw* drawer) override
    {
        btScalar rest = btSequentialImpulseConstraintSolver::solveSingleIteration(
            iteration, bodies, bodyCount, manifolds, manifoldCount, constraints, constraintCount, info, drawer);
        for (Block& block : blocks)
            rest = btMax(rest, solve(block));
        for (size_t i = 0; i < rows.size(); ++i)
            if (!rows[i].inBlock)
                rest = btMax(rest, solve((int)i));
        return rest;
    }

    btScalar solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int bodyCount,
                                           const btContactSolverInfo& info) override
    {
        btScalar result = btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyFinish(bodies, bodyCount, info);
        if (link && bodyCount > 0)
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
        bool inBlock;
        std::vector<Part> parts;
        std::vector<double> compliance; // C with the rows of its group
    };
    // Rows of a rope that hold both ways: those of finite elements lean on each other so much that one by one they come
    // nowhere. Together they are solved at once, by the factor of their J M^-1 J^T + C.
    struct Block {
        std::vector<int> rows;
        std::vector<double> factor, change; // L L^T, by rows of L
    };
    std::vector<Row> rows;
    std::vector<Block> blocks;
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
            for (int k = rows[i].row.first; k < rows[i].row.first + rows[i].row.count; ++k)
                rows[i].compliance.push_back(rvWorld_GetRowCompliance(link->world, (int)i, k));
            int count = rvWorld_GetRowBodies(link->world, (int)i, at.data(), (int)at.size());
            for (int k = 0; k < count; ++k)
                rows[i].parts.push_back(part_of(at[(size_t)k], &rows[i].diagonal));
            push(rows[i], impulses[i] = rows[i].row.guess); // begin where the last step ended
        }
        find_blocks();
        for (btRigidBody* host : link->hosts)
            host->activate(true); // a body at rest on a rope is not asleep
    }

    static bool holds_both_ways(const rvHostRow& row)
    {
        return !std::isfinite(row.lower) && !std::isfinite(row.upper) && row.leanCount == 0 &&
               row.leanExtraWeight == 0.0;
    }

    void find_blocks()
    {
        for (int i = 0; i < (int)rows.size(); i = rows[(size_t)i].row.first + rows[(size_t)i].row.count) {
            Block block;
            for (int k = rows[(size_t)i].row.first; k < rows[(size_t)i].row.first + rows[(size_t)i].row.count; ++k) {
                rows[(size_t)k].inBlock = holds_both_ways(rows[(size_t)k].row);
                if (rows[(size_t)k].inBlock)
                    block.rows.push_back(k);
            }
            if (factor(block))
                blocks.push_back(block);
        }
    }

    double coupling(int i, int k) const
    {
        double sum = rows[(size_t)i].compliance[(size_t)(k - rows[(size_t)i].row.first)];
        for (const Part& a : rows[(size_t)i].parts)
            for (const Part& b : rows[(size_t)k].parts)
                if (a.body == b.body)
                    sum += a.linear.dot(b.linearPush) + a.angular.dot(b.angularPush);
        return sum;
    }

    // False: there is none, or its rows are solved one by one.
    bool factor(Block& block)
    {
        size_t n = block.rows.size();
        std::vector<double>& l = block.factor;
        l.assign(n * n, 0.0);
        block.change.assign(n, 0.0);
        bool good = n > 0;
        for (size_t i = 0; i < n && good; ++i)
            for (size_t k = 0; k <= i && good; ++k) {
                double sum = coupling(block.rows[i], block.rows[k]);
                for (size_t m = 0; m < k; ++m)
                    sum -= l[i * n + m] * l[k * n + m];
                good = i != k || sum > 0.0;
                l[i * n + k] = i == k ? std::sqrt(std::max(sum, 0.0)) : sum / l[k * n + k];
            }
        for (size_t i = 0; i < n && !good; ++i)
            rows[(size_t)block.rows[i]].inBlock = false;
        return good;
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

    btScalar solve(Block& block)
    {
        size_t n = block.rows.size();
        const std::vector<double>& l = block.factor;
        std::vector<double>& x = block.change;
        btScalar rest = 0;
        for (size_t i = 0; i < n; ++i) {
            x[i] = missing(block.rows[i]);
            rest += x[i] * x[i];
        }
        for (size_t i = 0; i < n; ++i) {
            for (size_t k = 0; k < i; ++k)
                x[i] -= l[i * n + k] * x[k];
            x[i] /= l[i * n + i];
        }
        for (size_t i = n; i-- > 0;) {
            for (size_t k = i + 1; k < n; ++k)
                x[i] -= l[k * n + i] * x[k];
            x[i] /= l[i * n + i];
        }
        for (size_t i = 0; i < n; ++i) {
            impulses[(size_t)block.rows[i]] += x[i];
            push(rows[(size_t)block.rows[i]], x[i]);
        }
        return rest;
    }

    // What is left of the equation of a row.
    double missing(int i) const
    {
        const rvHostRow& row = rows[(size_t)i].row;
        double missing = row.bias;
        for (const Part& part : rows[(size_t)i].parts) {
            const btSolverBody& body = m_tmpSolverBodyPool[part.body];
            missing -=
                part.linear.dot(body.m_linearVelocity + body.m_externalForceImpulse + body.m_deltaLinearVelocity);
            missing -=
                part.angular.dot(body.m_angularVelocity + body.m_externalTorqueImpulse + body.m_deltaAngularVelocity);
        }
        for (int k = row.first; k < row.first + row.count; ++k)
            missing -= rows[(size_t)i].compliance[(size_t)(k - row.first)] * impulses[(size_t)k];
        return missing;
    }

    // One row to its own solution, the others as they are. Answers the square of what was missing.
    btScalar solve(int i)
    {
        const rvHostRow& row = rows[(size_t)i].row;
        double lean = row.leanExtraWeight * impulses[(size_t)row.leanExtra];
        for (int k = row.leanFirst; k < row.leanFirst + row.leanCount; ++k)
            lean += impulses[(size_t)k];
        double& x = impulses[(size_t)i];
        double to = x + missing(i) / rows[(size_t)i].diagonal;
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
