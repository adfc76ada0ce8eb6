// SPDX-License-Identifier: MIT
// The adapter to ODE: what it tells Reeve of ODE's bodies. (That the whole crane moves alike: test/bench/test_crane.c.)
#define RV_ODE_MOST 3
#include "../../hosts/ode/reeve_ode.h"
#include "world/machines.h"

#define STEP (1.0 / 60.0)
#define STIFFNESS 1e6 // EA [N]
#define LENGTH 10.0

typedef struct {
    dWorldID host;
    dBodyID load;
    rvOde link;
    rvCableId rope;
} Rig;

// A load of 100 kg that hangs still on a winch.
static Rig make_rig(void)
{
    Rig rig;
    dInitODE2(0);
    rig.host = dWorldCreate();
    dWorldSetGravity(rig.host, 0, 0, -GRAVITY);
    dMass mass;
    dMassSetSphereTotal(&mass, 100.0, 0.5);
    rig.load = dBodyCreate(rig.host);
    dBodySetMass(rig.load, &mass);
    dBodySetPosition(rig.load, 0, 0, -LENGTH * (1.0 + 100.0 * GRAVITY / STIFFNESS));
    assert_int_equal(rvOde_Open(&rig.link, rig.host), RV_OK);
    rvBodyId load;
    CHECK_OK(rig.link.world, rvOde_Add(&rig.link, rig.load, false, &load));
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.places = places;
    def.placeCount = 2;
    def.axialStiffness = STIFFNESS;
    def.length = LENGTH;
    def.damping = 0.05;
    CHECK_OK(rig.link.world, rvCreateCable(rig.link.world, &def, &rig.rope));
    return rig;
}

static void release(Rig* rig)
{
    rvOde_Close(&rig->link);
    dWorldDestroy(rig->host);
    dCloseODE();
}

static void step(Rig* rig, int count, double force)
{
    for (int i = 0; i < count; ++i) {
        if (force != 0.0)
            dBodyAddForce(rig->load, 0, 0, force);
        CHECK_OK(rig->link.world, rvOde_Pull(&rig->link, STEP));
        dWorldStep(rig->host, STEP);
    }
}

// The same with `steps` of ODE's own to one of Reeve's.
static void step_in(Rig* rig, int count, int steps)
{
    rig->link.steps = steps;
    for (int i = 0; i < count; ++i) {
        CHECK_OK(rig->link.world, rvOde_Pull(&rig->link, STEP));
        for (int k = 0; k < steps; ++k) {
            if (k > 0)
                rvOde_Hold(&rig->link);
            dWorldStep(rig->host, STEP / steps);
        }
    }
}

static double height(const Rig* rig)
{
    return dBodyGetPosition(rig->load)[2];
}

static double tension(const Rig* rig)
{
    return rvCable_GetTension(rig->link.world, rig->rope, 0);
}

// It begins at rest and stays: masses, gravity and poses are told right.
static void LoadAtRestStaysAtRest(void** state)
{
    (void)state;
    Rig rig = make_rig();
    double start = height(&rig);
    step(&rig, 600, 0.0);
    CHECK_NEAR(height(&rig), start, 1e-12); // round-off of 10 m, which the damping keeps from growing
    CHECK_NEAR(tension(&rig), 100.0 * GRAVITY, 1e-7);
    release(&rig);
}

// A force that Reeve did not know would leave the load h^2 f/(4 m) lower than the rope's stiffness says: 0.7 mm.
static void ForcesOfTheHostAreCountedWith(void** state)
{
    (void)state;
    Rig rig = make_rig();
    step(&rig, 600, -1000.0);
    CHECK_NEAR(tension(&rig), 100.0 * GRAVITY + 1000.0, 1e-7);
    CHECK_NEAR(height(&rig), -LENGTH * (1.0 + (100.0 * GRAVITY + 1000.0) / STIFFNESS), 1e-12);
    release(&rig);
}

// It is hoisted with the same peak as with one step: the pull of N steps does not lag.
static void StepsOfOdeMakeNoDifference(void** state)
{
    (void)state;
    static const int counts[] = {1, 2, 4, 8};
    double one = 0.0;
    for (int c = 0; c < 4; ++c) {
        Rig rig = make_rig();
        CHECK_OK(rig.link.world, rvCable_SetWinchSpeed(rig.link.world, rig.rope, 0, -0.5));
        double most = 0.0;
        for (int i = 0; i < 600; ++i) {
            step_in(&rig, 1, counts[c]);
            most = fmax(most, tension(&rig));
        }
        one = c == 0 ? most : one;
        CHECK_NEAR(most, one, 1e-6 * one); // the same numbers, but for the start, where it does not move
        CHECK_NEAR(tension(&rig), 100.0 * GRAVITY, 1.0);
        release(&rig);
    }
}

static void BodyWithoutGravityPullsNothing(void** state)
{
    (void)state;
    Rig rig = make_rig();
    dBodySetGravityMode(rig.load, 0);
    step(&rig, 10, 0.0);
    // the stretched rope pulls it up, and is slack then; with gravity in the prediction it would be held at a distance
    step(&rig, 600, 0.0);
    CHECK_NEAR(tension(&rig), 0.0, 0.0);
    assert_true(height(&rig) > -LENGTH);
    release(&rig);
}

static void BodyThatFellAsleepIsHoisted(void** state)
{
    (void)state;
    Rig rig = make_rig();
    dBodySetAutoDisableFlag(rig.load, 1);
    dBodySetAutoDisableTime(rig.load, 0.5);
    dBodySetAutoDisableSteps(rig.load, 10);
    double start = height(&rig);
    step(&rig, 120, 0.0);
    CHECK_OK(rig.link.world, rvCable_SetWinchSpeed(rig.link.world, rig.rope, 0, -0.5));
    step(&rig, 120, 0.0);
    CHECK_NEAR(height(&rig), start + 1.0, 0.01); // 0.5 m/s for 2 s; bounces of the start: 0.5 m/s over 32 rad/s, damped
    release(&rig);
}

static void KinematicBodiesAreDriven(void** state)
{
    (void)state;
    Rig rig = make_rig();
    rvBodyId id;
    dBodyID carrier = dBodyCreate(rig.host);
    dBodySetKinematic(carrier);
    CHECK_OK(rig.link.world, rvOde_Add(&rig.link, carrier, false, &id));
    CHECK_NEAR(rvBody_GetMass(rig.link.world, id), 0.0, 0.0);
    CHECK_NEAR(rvBody_GetMass(rig.link.world, rig.link.states[0].body), 100.0, 0.0);
    assert_int_equal(rvOde_Add(&rig.link, carrier, true, &id), RV_OK);
    assert_int_equal(rvOde_Add(&rig.link, carrier, true, &id), RV_NO_MEMORY); // there is room for RV_ODE_MOST
    release(&rig);
}

static void hang_mass(Rig* rig, double kilograms)
{
    dMass mass;
    dMassSetSphereTotal(&mass, kilograms, 0.5);
    dBodySetMass(rig->load, &mass);
}

// A bucket that is filled while it hangs, under another gravity, and held by its host for a while.
static void MassAndGravityOfTheHostAreFollowed(void** state)
{
    (void)state;
    Rig rig = make_rig();
    step(&rig, 60, 0.0);
    hang_mass(&rig, 300.0);
    dWorldSetGravity(rig.host, 0, 0, -5.0);
    step(&rig, 1200, 0.0);
    CHECK_NEAR(rvBody_GetMass(rig.link.world, rig.link.states[0].body), 300.0, 0.0);
    CHECK_NEAR(tension(&rig), 300.0 * 5.0, 1e-7); // round-off, as at rest
    CHECK_NEAR(height(&rig), -LENGTH * (1.0 + 300.0 * 5.0 / STIFFNESS), 1e-12);
    dBodySetKinematic(rig.load);
    step(&rig, 10, 0.0);
    CHECK_NEAR(rvBody_GetMass(rig.link.world, rig.link.states[0].body), 0.0, 0.0);
    dBodySetDynamic(rig.load); // which gives it a kilogram
    hang_mass(&rig, 100.0);
    step(&rig, 1200, 0.0);
    CHECK_NEAR(tension(&rig), 100.0 * 5.0, 1e-7);
    release(&rig);
}

// Bodies of the host come and go while it runs.
static void BodiesComeAndGo(void** state)
{
    (void)state;
    Rig rig = make_rig();
    rvWorld* world = rig.link.world;
    for (int round = 0; round < 3; ++round) {
        rvBodyId ids[2];
        dBodyID bodies[2] = {dBodyCreate(rig.host), dBodyCreate(rig.host)};
        for (int i = 0; i < 2; ++i) {
            dBodySetPosition(bodies[i], 5 + i, 0, -LENGTH);
            CHECK_OK(world, rvOde_Add(&rig.link, bodies[i], false, &ids[i]));
        }
        rvCableId rope = hang_on_cable(world, rvVec(6, 0, 0), ids[1], STIFFNESS, LENGTH);
        step(&rig, 30, 0.0);
        assert_true(dBodyGetPosition(bodies[0])[2] < -LENGTH - 1.0); // falls: g t^2/2 of half a second
        CHECK_NEAR(dBodyGetPosition(bodies[1])[2], -LENGTH, 1e-3);   // hangs: m g L/EA is 0.1 mm
        assert_int_equal(rvOde_Remove(&rig.link, bodies[1]), RV_BAD_INPUT);
        CHECK_OK(world, rvDestroyCable(world, rope));
        for (int i = 0; i < 2; ++i) {
            CHECK_OK(world, rvOde_Remove(&rig.link, bodies[i]));
            assert_int_equal(rvOde_Remove(&rig.link, bodies[i]), RV_BAD_INPUT);
            dBodyDestroy(bodies[i]);
        }
        step(&rig, 30, 0.0);
        assert_int_equal(rig.link.count, 1);
    }
    CHECK_NEAR(tension(&rig), 100.0 * GRAVITY, 1e-7);
    release(&rig);
}

// A load that is put elsewhere and back did not move there: as a motion 5 m in a step would pull at the damped rope
// with MN.
static void JumpIsNoMotion(void** state)
{
    (void)state;
    Rig rig = make_rig();
    double rest = height(&rig);
    const double heights[] = {-0.5 * LENGTH, rest};
    for (int i = 0; i < 2; ++i) {
        step(&rig, 60, 0.0);
        dBodySetPosition(rig.load, 0, 0, heights[i]);
        dBodySetLinearVel(rig.load, 0, 0, 0);
        CHECK_OK(rig.link.world, rvOde_Jump(&rig.link, rig.load));
        step(&rig, 1, 0.0);
        CHECK_NEAR(tension(&rig), i == 0 ? 0.0 : 100.0 * GRAVITY, 1e-7); // slack; at rest
    }
    dBodyID stranger = dBodyCreate(rig.host);
    assert_int_equal(rvOde_Jump(&rig.link, stranger), RV_BAD_INPUT);
    release(&rig);
}

// Both images taken together: the run goes on bit for bit as it did, with ropes of any model.
static void SavedWithTheHostItGoesOnBitForBit(void** state)
{
    (void)state;
    static uint8_t image[1 << 16];
    Rig rig = make_rig();
    CHECK_OK(rig.link.world, rvCable_SetWinchSpeed(rig.link.world, rig.rope, 0, -0.5));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(8, 0, -2)),
                           rvAttachPlace(rig.link.states[0].body, rvVec(0, 0, 0))};
    rvCableDef def = layered_rope(places, 2, 1e5, 0.5, 14.0);
    create_cable(rig.link.world, &def);
    step(&rig, 50, 0.0);
    size_t size = rvWorld_Save(rig.link.world, image, sizeof image);
    assert_in_range(size, 1, sizeof image);
    dReal at[3], speed[3], ends[2][3];
    memcpy(at, dBodyGetPosition(rig.load), sizeof at);
    memcpy(speed, dBodyGetLinearVel(rig.load), sizeof speed);
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i) {
        dBodySetPosition(rig.load, at[0], at[1], at[2]);
        dBodySetLinearVel(rig.load, speed[0], speed[1], speed[2]);
        CHECK_OK(rig.link.world, rvWorld_Restore(rig.link.world, image, size));
        step(&rig, 200, 0.0);
        hashes[i] = rvWorld_Hash(rig.link.world);
        memcpy(ends[i], dBodyGetPosition(rig.load), sizeof ends[i]);
    }
    assert_true(hashes[0] == hashes[1]);
    assert_memory_equal(ends[0], ends[1], sizeof ends[0]);
    release(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LoadAtRestStaysAtRest),
        cmocka_unit_test(ForcesOfTheHostAreCountedWith),
        cmocka_unit_test(StepsOfOdeMakeNoDifference),
        cmocka_unit_test(BodyWithoutGravityPullsNothing),
        cmocka_unit_test(BodyThatFellAsleepIsHoisted),
        cmocka_unit_test(KinematicBodiesAreDriven),
        cmocka_unit_test(MassAndGravityOfTheHostAreFollowed),
        cmocka_unit_test(BodiesComeAndGo),
        cmocka_unit_test(JumpIsNoMotion),
        cmocka_unit_test(SavedWithTheHostItGoesOnBitForBit),
    };
    return RUN_TESTS(tests);
}
