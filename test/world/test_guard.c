// SPDX-License-Identifier: MIT
// The guard of the energy: it acts where the method makes or loses energy, keeps momentum, and else does nothing.
#include "world/machines.h"

#include "world/guard.h"

static void NothingIsTouchedWhereNothingIsWrong(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(0, 0, -5));
    hang_on_cable(world, rvVec(0, 0, 0), load, 1e6, 4.99); // bounces
    for (int i = 0; i < 1000; ++i)
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
    CHECK_NEAR(rvWorld_GetEnergy(world).guard, 0.0, 0.0); // not even a rounding
    rvDestroyWorld(world);
}

// Linear momentum, and angular momentum about the origin.
static void sum_momentum(const rvWorld* world, const rvBodyId* bodies, int count, double mass, double moment, rvVec3* p,
                         rvVec3* l)
{
    *p = *l = rvVec(0, 0, 0);
    for (int i = 0; i < count; ++i) {
        rvVec3 v = rvBody_GetVelocity(world, bodies[i]), w = rvBody_GetAngularVelocity(world, bodies[i]);
        *p = rvMulAdd(*p, mass, v);
        *l = rvAdd(*l, rvMulAdd(rvScale(moment, w), mass, rvCross(rvBody_GetCenter(world, bodies[i]), v)));
    }
}

// A string of balls on arms, bent and tumbling in free space, fast for the step: its joints lose energy by turning.
static void FreeIslandKeepsItsMomentum(void** state)
{
    (void)state;
    enum { COUNT = 8 };
    double mass = 2.0, radius = 0.2, moment = 0.4 * mass * radius * radius;
    rvWorld* world = make_weightless_world();
    rvBodyId bodies[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        rvBodyDef def = rvDefaultBodyDef();
        def.mass = mass;
        def.inertia = rvBallInertia(mass, radius);
        def.pose.p = rvVec(i, 0, 0);
        def.velocity = rvVec(1.0, i == 3 ? 4.0 : -1.0, i == 6 ? 3.0 : 0.5);
        bodies[i] = add_body(world, &def);
        if (i > 0)
            join_ball(world, bodies[i - 1], bodies[i], rvVec(i - 0.5, 0, 0));
    }
    CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0)); // the start is a shock
    rvVec3 p, l, p0, l0;
    sum_momentum(world, bodies, COUNT, mass, moment, &p0, &l0);
    double start = total_energy(world);
    for (int i = 0; i < 3000; ++i)
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
    sum_momentum(world, bodies, COUNT, mass, moment, &p, &l);
    assert_true(rvWorld_GetEnergy(world).guard != 0.0);
    CHECK_NEAR(rvLength(rvSub(p, p0)), 0.0, 1e-11 * rvLength(p0)); // roundings of 3000 steps
    // positions are read half a step after velocities, and joints pull along where they were: no exact sum, but no
    // drift
    CHECK_NEAR(rvLength(rvSub(l, l0)) / rvLength(l0), 0.0, 0.02);
    CHECK_BELOW(total_energy(world), start * (1.0 + 1e-3)); // never more than was there: the tolerance of the guard
    rvDestroyWorld(world);
}

// What is given back goes to the swing: its width stays, over a minute, and so does its time.
static void WideSwingKeepsItsWidth(void** state)
{
    (void)state;
    ChainDef def = {.links = 24, .length = 10.0, .linkMass = 0.1, .loadMass = 1e4, .angle = 1.5};
    rvWorldDef worldDef = rvDefaultWorldDef();
    Chain chain = make_chain(&worldDef, &def);
    double widest = 0.0, h = 1.0 / 60.0;
    for (int i = 0; i < 3600; ++i) {
        CHECK_OK(chain.world, rvWorld_Step(chain.world, h));
        rvVec3 at = rvBody_GetCenter(chain.world, chain.load);
        if (i >= 3600 - 480) // a whole swing
            widest = fmax(widest, atan2(fabs(at.x), -at.z));
    }
    CHECK_BELOW(widest, def.angle + 1e-3); // the tolerance of the guard
    // the same, and what it does not give back at once: 0.1 %; the turning point is missed by w^2 h^2/8 of it at most
    CHECK_BELOW(def.angle * (1.0 - 2e-3), widest);
    rvDestroyWorld(chain.world);
}

// Rope with weight pulls at what it hangs on while its rows have no tension, too: its island is held, and under the
// guard.
static void SlackRopeWithWeightHoldsItsIsland(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) { // on a support, between two loads that fall
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 10.0, 0.2, rvVec(3, 0, 0)), other = add_ball(world, 10.0, 0.2, rvVec(0, 0, 0));
        rvPlaceDef places[] = {rvAttachPlace(i == 0 ? RV_NULL_BODY : other, rvVec(0, 0, 0)),
                               rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = rvDefaultCableDef(RV_CABLE_LAYERED);
        def.places = places;
        def.placeCount = 2;
        def.length = 5.0;
        def.axialStiffness = 1e6;
        def.massPerLength = 0.5;
        create_cable(world, &def);
        for (int n = 0; n < 20; ++n) {
            CHECK_OK(world, rvWorld_Step(world, 0.01));
            assert_int_equal(rv_guard_holds(world, (int)load.index1 - 1), i == 0);
        }
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(NothingIsTouchedWhereNothingIsWrong),
        cmocka_unit_test(FreeIslandKeepsItsMomentum),
        cmocka_unit_test(WideSwingKeepsItsWidth),
        cmocka_unit_test(SlackRopeWithWeightHoldsItsIsland),
    };
    return RUN_TESTS(tests);
}
