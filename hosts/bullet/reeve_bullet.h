// SPDX-License-Identifier: MIT
// Reeve's cables in a world of Bullet (double precision or single). Copy this file into your program; docs/hosts.md
// says why.
//
//   rvBullet link(world);                                 a world of Reeve beside yours, of the same gravity
//   rvBodyId id = link.add(body, driven);                 each body that a cable passes; id: for rvAttachPlace...
//   rvCreateCable(link.world, ...);
//   for (;;) world->stepSimulation(frame, most, h);       as ever: Reeve steps before each tick of h
//   link.jump(body);                                      after you have put a body elsewhere
//   link.remove(body);                                    before you take it out of your world, once no cable passes it
//   link.status                                           RV_OK, or what failed; then rvWorld_GetError(link.world)
//
// `driven`: joints or motors of yours hold or drive the body, so that its mass says little of how it moves: its cable
// is solved as if it went on at its speed. All others are known with their mass, so that steel rope is stable at any
// step. It takes the pre-tick callback of the world, and gives it back when it goes, which must be before your world
// does; call link.pull(h) from your own if you have one. Masses and gravity that you change while it runs are followed.
#pragma once

#include "reeve/reeve.h"

#include <btBulletDynamicsCommon.h>
#include <vector>

// The bodies that both know, and their state; also for reeve_bullet_solver.h.
class rvBulletLink
{
  public:
    rvWorld* world = nullptr;
    rvStatus status = RV_OK;

    explicit rvBulletLink(const btDynamicsWorld* hostWorld) : host(hostWorld)
    {
        rvWorldDef def = rvDefaultWorldDef();
        def.gravity = vec(host->getGravity());
        status = rvCreateWorld(&def, &world, nullptr, 0);
    }

    ~rvBulletLink()
    {
        rvDestroyWorld(world);
    }

    rvBulletLink(const rvBulletLink&) = delete;
    rvBulletLink& operator=(const rvBulletLink&) = delete;

    // RV_NULL_BODY where it is refused; `status` says why.
    rvBodyId add(btRigidBody* body, bool driven)
    {
        rvProxyState state = read(body);
        rvBodyDef def = rvDefaultBodyDef();
        def.type = RV_BODY_PROXY;
        def.pose = state.pose;
        def.velocity = state.velocity;
        def.angularVelocity = state.angularVelocity;
        def.mass = mass_of(body, driven);
        def.inertia = inertia_of(body);
        if (status == RV_OK)
            status = rvCreateBody(world, &def, &state.body);
        if (status != RV_OK)
            return RV_NULL_BODY;
        hosts.push_back(body);
        states.push_back(state);
        drivens.push_back(driven);
        return state.body;
    }

    // Refused while a cable passes it.
    rvStatus remove(btRigidBody* body)
    {
        size_t i = find(body);
        rvStatus done = i == hosts.size() ? RV_BAD_INPUT : rvDestroyBody(world, states[i].body);
        if (done == RV_OK) {
            hosts.erase(hosts.begin() + (long)i);
            states.erase(states.begin() + (long)i);
            drivens.erase(drivens.begin() + (long)i);
        }
        return done;
    }

    // You have put the body where it is, or changed its velocity: that is no motion, and its cables forget how fast
    // they stretched.
    rvStatus jump(btRigidBody* body)
    {
        size_t i = find(body);
        if (i == hosts.size())
            return RV_BAD_INPUT;
        rvProxyState state = read(body);
        rvStatus done = rvBody_SetPose(world, states[i].body, state.pose);
        if (done == RV_OK)
            done = rvBody_SetVelocity(world, states[i].body, state.velocity, state.angularVelocity);
        return done;
    }

  protected:
    const btDynamicsWorld* host;
    std::vector<btRigidBody*> hosts;
    std::vector<rvProxyState> states;
    std::vector<bool> drivens;

    // Where all bodies are.
    void look()
    {
        for (size_t i = 0; i < hosts.size(); ++i) {
            rvBodyId id = states[i].body;
            states[i] = read(hosts[i]);
            states[i].body = id;
        }
    }

    void tell()
    {
        look();
        if (status == RV_OK)
            status = rvWorld_SetGravity(world, vec(host->getGravity()));
        for (size_t i = 0; status == RV_OK && i < hosts.size(); ++i) {
            double mass = mass_of(hosts[i], drivens[i]);
            if (mass != rvBody_GetMass(world, states[i].body))
                status = rvBody_SetMass(world, states[i].body, mass, inertia_of(hosts[i]));
        }
        if (status == RV_OK)
            status = rvWorld_SetProxies(world, states.data(), (int)hosts.size());
    }

    static rvVec3 vec(const btVector3& v)
    {
        return rvVec(v.x(), v.y(), v.z());
    }

    static rvPose pose(const btTransform& at)
    {
        btQuaternion q = at.getRotation();
        rvPose result = {vec(at.getOrigin()), {q.w(), q.x(), q.y(), q.z()}};
        return result;
    }

  private:
    size_t find(const btRigidBody* body) const
    {
        size_t i = 0;
        while (i < hosts.size() && hosts[i] != body)
            ++i;
        return i;
    }

    static double mass_of(const btRigidBody* body, bool driven)
    {
        bool moves = !driven && !body->isStaticOrKinematicObject() && body->getInvMass() > 0;
        return moves ? 1.0 / double(body->getInvMass()) : 0.0;
    }

    static rvMat3 inertia_of(const btRigidBody* body)
    {
        btVector3 inertia = body->getLocalInertia();
        return rvMat3Diagonal(inertia.x(), inertia.y(), inertia.z());
    }

    static rvProxyState read(const btRigidBody* body)
    {
        rvProxyState state = {};
        state.pose = pose(body->getCenterOfMassTransform()); // in Bullet always the centre of mass
        state.velocity = vec(body->getLinearVelocity());
        state.angularVelocity = vec(body->getAngularVelocity());
        return state;
    }
};

class rvBullet : public rvBulletLink
{
  public:
    explicit rvBullet(btDynamicsWorld* hostWorld) : rvBulletLink(hostWorld)
    {
        hostWorld->setInternalTickCallback(
            [](btDynamicsWorld* its, btScalar h) { static_cast<rvBullet*>(its->getWorldUserInfo())->pull(h); }, this,
            true);
        ticking = hostWorld;
    }

    ~rvBullet()
    {
        if (ticking->getWorldUserInfo() == this)
            ticking->setInternalTickCallback(nullptr, nullptr, true);
    }

    // Takes Reeve's step from where your bodies are, and pushes them for your tick of h.
    void pull(double h)
    {
        tell();
        for (size_t i = 0; status == RV_OK && i < hosts.size(); ++i) {
            // Bullet counts gravity among the forces of a tick
            rvBodyId id = states[i].body;
            rvVec3 weight = rvScale(rvBody_GetMass(world, id), rvWorld_GetGravity(world));
            rvBody_ApplyForce(world, id, rvSub(vec(hosts[i]->getTotalForce()), weight), states[i].pose.p);
            rvBody_ApplyTorque(world, id, vec(hosts[i]->getTotalTorque()));
        }
        if (status == RV_OK)
            status = rvWorld_Step(world, h);
        for (size_t i = 0; status == RV_OK && i < hosts.size(); ++i) {
            rvVec3 force, torque;
            rvBody_GetWrench(world, states[i].body, &force, &torque);
            hosts[i]->activate(true); // a body at rest on a rope is not asleep
            // as impulses: forces would be kept for all ticks of a frame
            hosts[i]->applyCentralImpulse(btVector3(h * force.x, h * force.y, h * force.z));
            hosts[i]->applyTorqueImpulse(btVector3(h * torque.x, h * torque.y, h * torque.z));
        }
    }

  private:
    btDynamicsWorld* ticking;
};
