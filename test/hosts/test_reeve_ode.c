// SPDX-License-Identifier: MIT
// The adapter to ODE: what it tells Reeve of ODE's bodies. (That the whole crane moves alike: test/app/test_crane.c.)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LoadAtRestStaysAtRest),          cmocka_unit_test(ForcesOfTheHostAreCountedWith),
        cmocka_unit_test(BodyWithoutGravityPullsNothing), cmocka_unit_test(BodyThatFellAsleepIsHoisted),
        cmocka_unit_test(KinematicBodiesAreDriven),
    };
    return RUN_TESTS(tests);
}
