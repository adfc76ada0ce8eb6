// SPDX-License-Identifier: MIT
// The adapters to Bullet: what they tell Reeve of Bullet's bodies, for both ways, Reeve's own solve (b) and Bullet's
// (c). (That the whole crane moves alike: test/bench/test_crane.c.)
#include "../../hosts/bullet/reeve_bullet_solver.h"

#include <csetjmp>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>

extern "C" { // cmocka speaks C
#include "world/machines.h"
}

static const double STEP = 1.0 / 60.0, STIFFNESS = 1e6, LENGTH = 10.0; // [s], EA [N], [m]

enum Way { FORCES, ROWS, WAYS };

// Bullet's iteration ends where nothing changes; forces are Reeve's, of a direct solve: round-off of 1000 N and 10 m.
static const double FORCE_ERROR[WAYS] = {1e-7, 1e-5}, PLACE_ERROR[WAYS] = {1e-12, 1e-10};

struct Rig {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broadphase;
    rvBulletSolver ropeSolver; // without a link it is Bullet's own
    btDiscreteDynamicsWorld host;
    btSphereShape ball;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::unique_ptr<rvBullet> pulling;
    rvBulletLink* link;
    Way way;
    btRigidBody* load;
    rvBodyId loadId;
    rvCableId rope;

    // A load of 100 kg that hangs still on a winch.
    explicit Rig(Way chosen)
        : dispatcher(&configuration), host(&dispatcher, &broadphase, &ropeSolver, &configuration), ball(0.5),
          way(chosen)
    {
        host.setGravity(btVector3(0, 0, -GRAVITY));
        host.getSolverInfo().m_numIterations = 100;
        if (way == ROWS)
            ropeSolver.open(&host);
        else
            pulling.reset(new rvBullet(&host));
        link = way == ROWS ? static_cast<rvBulletLink*>(ropeSolver.link.get()) : pulling.get();
        load = make_ball(100.0, 0.0, -LENGTH * (1.0 + 100.0 * GRAVITY / STIFFNESS));
        loadId = link->add(load, false);
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0), rvAttachPlace(loadId, rvVec(0, 0, 0))};
        rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
        def.axialStiffness = STIFFNESS;
        def.length = LENGTH;
        def.damping = 0.05;
        rope = add_cable_of(link->world, def, places, 2);
    }

    ~Rig()
    {
        for (auto& body : bodies)
            host.removeRigidBody(body.get());
    }

    btRigidBody* make_ball(double mass, double x, double z)
    {
        btVector3 inertia(0, 0, 0);
        if (mass > 0.0)
            ball.calculateLocalInertia(mass, inertia);
        bodies.emplace_back(new btRigidBody(mass, nullptr, &ball, inertia));
        btRigidBody* body = bodies.back().get();
        body->setCenterOfMassTransform(btTransform(btQuaternion::getIdentity(), btVector3(x, 0, z)));
        host.addRigidBody(body);
        return body;
    }

    void discard(btRigidBody* body)
    {
        host.removeRigidBody(body);
        for (size_t i = 0; i < bodies.size(); ++i)
            if (bodies[i].get() == body)
                bodies.erase(bodies.begin() + (long)i);
    }

    void step(int count, double force = 0.0)
    {
        for (int i = 0; i < count; ++i) {
            if (force != 0.0)
                load->applyCentralForce(btVector3(0, 0, force));
            host.stepSimulation(STEP, 1, STEP);
            CHECK_OK(link->world, link->status);
        }
    }

    double height() const
    {
        return load->getCenterOfMassPosition().z();
    }

    double tension() const
    {
        return rvCable_GetTension(link->world, rope, 0);
    }
};

// It begins at rest and stays: masses, gravity and poses are told right.
static void LoadAtRestStaysAtRest(void**)
{
    for (Way way : {FORCES, ROWS}) {
        Rig rig(way);
        double start = rig.height();
        rig.step(600);
        CHECK_NEAR(rig.height(), start, PLACE_ERROR[way]);
        CHECK_NEAR(rig.tension(), 100.0 * GRAVITY, FORCE_ERROR[way]);
    }
}

// A force that Reeve did not know would leave the load h^2 f/(4 m) lower than the rope's stiffness says: 0.7 mm.
static void ForcesOfTheHostAreCountedWith(void**)
{
    for (Way way : {FORCES, ROWS}) {
        Rig rig(way);
        rig.step(600, -1000.0);
        CHECK_NEAR(rig.tension(), 100.0 * GRAVITY + 1000.0, FORCE_ERROR[way]);
        CHECK_NEAR(rig.height(), -LENGTH * (1.0 + (100.0 * GRAVITY + 1000.0) / STIFFNESS), PLACE_ERROR[way]);
    }
}

static void BodyThatFellAsleepIsHoisted(void**)
{
    for (Way way : {FORCES, ROWS}) {
        Rig rig(way);
        double start = rig.height();
        rig.step(180); // Bullet lets bodies sleep after two seconds
        CHECK_OK(rig.link->world, rvCable_SetWinchSpeed(rig.link->world, rig.rope, 0, -0.5));
        rig.step(120);
        CHECK_NEAR(rig.height(), start + 1.0, 0.01); // 0.5 m/s for 2 s; bounces: 0.5 m/s over 32 rad/s, damped
    }
}

// By their mass, or because the host says so.
static void StaticAndKinematicBodiesAreDriven(void**)
{
    for (Way way : {FORCES, ROWS}) {
        Rig rig(way);
        btRigidBody *fixed = rig.make_ball(0.0, 5.0, 0.0), *carrier = rig.make_ball(10.0, 10.0, 0.0);
        carrier->setCollisionFlags(carrier->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
        btRigidBody* held = rig.make_ball(10.0, 15.0, 0.0);
        const rvBodyId ids[] = {rig.link->add(fixed, false), rig.link->add(carrier, false), rig.link->add(held, true)};
        for (rvBodyId id : ids)
            CHECK_NEAR(rvBody_GetMass(rig.link->world, id), 0.0, 0.0);
        CHECK_NEAR(rvBody_GetMass(rig.link->world, rig.loadId), 100.0, 0.0);
        rig.step(1);
        for (rvBodyId id : ids)
            CHECK_NEAR(rvBody_GetMass(rig.link->world, id), 0.0, 0.0);
    }
}

static void fill(btRigidBody* body, double mass)
{
    btVector3 inertia;
    body->getCollisionShape()->calculateLocalInertia(mass, inertia);
    body->setMassProps(mass, inertia);
}

// A bucket that is filled while it hangs, under another gravity.
static void MassAndGravityOfTheHostAreFollowed(void**)
{
    for (Way way : {FORCES, ROWS}) {
        Rig rig(way);
        rig.step(60);
        fill(rig.load, 300.0);
        rig.host.setGravity(btVector3(0, 0, -5));
        rig.step(1200);
        CHECK_NEAR(rvBody_GetMass(rig.link->world, rig.loadId), 300.0, 1e-10); // Bullet keeps 1/m
        CHECK_NEAR(rig.tension(), 300.0 * 5.0, FORCE_ERROR[way]);
        CHECK_NEAR(rig.height(), -LENGTH * (1.0 + 300.0 * 5.0 / STIFFNESS), PLACE_ERROR[way]);
    }
}

// Bodies of the host come and go while it runs.
static void BodiesComeAndGo(void**)
{
    for (Way way : {FORCES, ROWS}) {
        Rig rig(way);
        rvWorld* world = rig.link->world;
        for (int round = 0; round < 3; ++round) {
            btRigidBody* bodies[2] = {rig.make_ball(1.0, 5, -LENGTH), rig.make_ball(1.0, 7, -LENGTH)};
            rvBodyId ids[2] = {rig.link->add(bodies[0], false), rig.link->add(bodies[1], false)};
            rvCableId rope = hang_on_cable(world, rvVec(7, 0, 0), ids[1], STIFFNESS, LENGTH);
            rig.step(30);
            assert_true(bodies[0]->getCenterOfMassPosition().z() < -LENGTH - 1.0); // falls: g t^2/2 of half a second
            CHECK_NEAR(bodies[1]->getCenterOfMassPosition().z(), -LENGTH, 1e-3);   // hangs: m g L/EA is 0.1 mm
            assert_int_equal(rig.link->remove(bodies[1]), RV_BAD_INPUT);
            CHECK_OK(world, rvDestroyCable(world, rope));
            for (btRigidBody* body : bodies) {
                CHECK_OK(world, rig.link->remove(body));
                assert_int_equal(rig.link->remove(body), RV_BAD_INPUT);
                rig.discard(body);
            }
            rig.step(30);
        }
        CHECK_NEAR(rig.tension(), 100.0 * GRAVITY, FORCE_ERROR[way]);
    }
}

// A load that is put elsewhere and back did not move there: as a motion 5 m in a step would pull at the damped rope
// with MN.
static void JumpIsNoMotion(void**)
{
    for (Way way : {FORCES, ROWS}) {
        Rig rig(way);
        const double heights[] = {-0.5 * LENGTH, rig.height()};
        for (int i = 0; i < 2; ++i) {
            rig.step(60);
            rig.load->setCenterOfMassTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, 0, heights[i])));
            rig.load->setLinearVelocity(btVector3(0, 0, 0));
            rig.load->setAngularVelocity(btVector3(0, 0, 0));
            CHECK_OK(rig.link->world, rig.link->jump(rig.load));
            rig.step(1);
            CHECK_NEAR(rig.tension(), i == 0 ? 0.0 : 100.0 * GRAVITY, FORCE_ERROR[way]); // slack; at rest
        }
        btRigidBody* stranger = rig.make_ball(1.0, 5.0, 0.0);
        assert_int_equal(rig.link->jump(stranger), RV_BAD_INPUT);
    }
}

// A body that Reeve refuses is not told of in later steps.
static void RefusedBodyIsNotKept(void**)
{
    for (Way way : {FORCES, ROWS}) {
        Rig rig(way);
        btRigidBody* lost = rig.make_ball(1.0, NAN, 0.0);
        assert_true(RV_IS_NULL(rig.link->add(lost, false)));
        assert_int_equal(rig.link->status, RV_BAD_INPUT);
        assert_int_equal(rig.link->remove(lost), RV_BAD_INPUT);
        rig.discard(lost);
        rig.link->status = RV_OK;
        rig.step(60);
        CHECK_NEAR(rig.tension(), 100.0 * GRAVITY, FORCE_ERROR[way]);
    }
}

// Once the link is gone the host steps alone.
static void HostGoesOnWithoutTheLink(void**)
{
    Rig rig(FORCES);
    rig.step(1);
    rig.pulling.reset();
    double start = rig.height();
    for (int i = 0; i < 60; ++i)
        rig.host.stepSimulation(STEP, 1, STEP);
    CHECK_NEAR(rig.height(), start - 0.5 * GRAVITY, 0.1); // falls for a second: g h t/2 beyond
}

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LoadAtRestStaysAtRest),
        cmocka_unit_test(ForcesOfTheHostAreCountedWith),
        cmocka_unit_test(BodyThatFellAsleepIsHoisted),
        cmocka_unit_test(StaticAndKinematicBodiesAreDriven),
        cmocka_unit_test(MassAndGravityOfTheHostAreFollowed),
        cmocka_unit_test(BodiesComeAndGo),
        cmocka_unit_test(JumpIsNoMotion),
        cmocka_unit_test(RefusedBodyIsNotKept),
        cmocka_unit_test(HostGoesOnWithoutTheLink),
    };
    return RUN_TESTS(tests);
}
