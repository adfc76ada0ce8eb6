// SPDX-License-Identifier: MIT
// Creation of bodies: what is wrong is named, and the world is left as it was.
#include "world/machines.h"

static void check_bad_body(rvWorld* world, rvBodyDef def, const char* field)
{
    uint64_t before = rvWorld_Hash(world);
    rvBodyId id = RV_NULL_BODY;
    def.name = "thing";
    assert_int_equal(rvCreateBody(world, &def, &id), RV_BAD_INPUT);
    assert_true(RV_IS_NULL(id));
    if (!strstr(rvWorld_GetError(world), field) || !strstr(rvWorld_GetError(world), "'thing'"))
        fail_msg("the error should name 'thing' and %s: %s", field, rvWorld_GetError(world));
    assert_true(rvWorld_Hash(world) == before);
    assert_int_equal(rvWorld_GetStepInfo(world).bodies, 1);
}

static void BadBodiesAreRefusedByField(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    add_ball(world, 1.0, 0.5, rvVec(0, 0, 0));
    rvBodyDef good = rvDefaultBodyDef(), def;
    static const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < 3; ++k) {
        def = good, def.pose.p.y = bad[k], check_bad_body(world, def, "pose.p");
        def = good, def.pose.q.x = bad[k], check_bad_body(world, def, "pose.q");
        def = good, def.velocity.z = bad[k], check_bad_body(world, def, "velocity");
        def = good, def.angularVelocity.x = bad[k], check_bad_body(world, def, "angularVelocity");
        def = good, def.centerOfMass.x = bad[k], check_bad_body(world, def, "centerOfMass");
        def = good, def.mass = bad[k], check_bad_body(world, def, "mass");
        def = good, def.inertia.m[1][2] = bad[k], check_bad_body(world, def, "inertia");
    }
    def = good, def.mass = 0.0, check_bad_body(world, def, "mass");
    def = good, def.mass = -1.0, check_bad_body(world, def, "mass");
    def = good, def.mass = 1e300, check_bad_body(world, def, "mass");
    def = good, def.pose.q = (rvQuat){0, 0, 0, 0}, check_bad_body(world, def, "pose.q");
    def = good, def.inertia = rvMat3Diagonal(1, 1, 2.1), check_bad_body(world, def, "triangle");
    def = good, def.inertia = rvMat3Diagonal(1, -1, 1), check_bad_body(world, def, "inertia");
    def = good, def.inertia = rvMat3Diagonal(1, 0, 1), check_bad_body(world, def, "inertia");
    def = good, def.inertia = rvMat3Diagonal(1, 1, 1), def.inertia.m[0][1] = 0.1;
    check_bad_body(world, def, "symmetric");
    // the triangle inequality is that of the principal moments, not of the diagonal
    def = good, def.inertia = rvMat3Diagonal(1, 1, 1), def.inertia.m[0][1] = def.inertia.m[1][0] = 0.6;
    check_bad_body(world, def, "triangle");
    def = good, def.type = (rvBodyType)9, check_bad_body(world, def, "type");
    rvDestroyWorld(world);
}

static void DefinitionMustComeFromItsMaker(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyDef def = {.type = RV_BODY_DYNAMIC, .mass = 1.0};
    assert_int_equal(rvCreateBody(world, &def, NULL), RV_BAD_INPUT);
    assert_non_null(strstr(rvWorld_GetError(world), "rvDefaultBodyDef"));
    assert_int_equal(rvCreateBody(world, NULL, NULL), RV_BAD_INPUT);
    rvDestroyWorld(world);
}

static void ThinRodAndFlatPlateAreAccepted(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyDef def = rvDefaultBodyDef();
    def.inertia = rvBoxInertia(1.0, rvVec(1e-4, 1e-4, 3.0));
    add_body(world, &def);
    def.inertia = rvMat3Diagonal(1, 1, 2); // a plate without thickness: equality
    add_body(world, &def);
    rvDestroyWorld(world);
}

static void InertiaMakersAgreeWithTheBooks(void** state)
{
    (void)state;
    rvMat3 box = rvBoxInertia(12.0, rvVec(1, 2, 3)), ball = rvBallInertia(10.0, 0.5),
           cylinder = rvCylinderInertia(12.0, 1.0, 2.0);
    CHECK_NEAR(box.m[0][0], 13.0, 1e-14);
    CHECK_NEAR(box.m[1][1], 10.0, 1e-14);
    CHECK_NEAR(box.m[2][2], 5.0, 1e-14);
    CHECK_NEAR(ball.m[1][1], 1.0, 1e-15);
    CHECK_NEAR(cylinder.m[0][0], 7.0, 1e-14);
    CHECK_NEAR(cylinder.m[2][2], 6.0, 1e-14);
}

static void StaticBodyNeverMoves(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_STATIC;
    def.velocity = rvVec(1, 1, 1);
    rvBodyId body = add_body(world, &def);
    assert_int_equal(rvBody_SetVelocity(world, body, rvVec(1, 0, 0), rvVec(0, 0, 0)), RV_BAD_INPUT);
    assert_int_equal(rvBody_MoveTo(world, body, rvPoseIdentity()), RV_BAD_INPUT);
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(3, 0, -4));
    rvPlaceDef places[] = {rvAttachPlace(body, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    add_cable(world, places, 2, 1e6, -1.0);
    for (int i = 0; i < 60; ++i) {
        CHECK_OK(world, rvBody_ApplyForce(world, body, rvVec(1e6, 0, 0), rvVec(0, 0, 0)));
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
    }
    CHECK_NEAR(rvLength(rvBody_GetPose(world, body).p), 0.0, 0.0);
    rvDestroyWorld(world);
}

static void BadCallsOnBodiesChangeNothing(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId body = add_ball(world, 1.0, 0.5, rvVec(0, 0, 0));
    uint64_t before = rvWorld_Hash(world);
    rvVec3 bad = rvVec(0, (double)NAN, 0), zero = rvVec(0, 0, 0);
    rvPose pose = rvPoseIdentity();
    assert_int_equal(rvBody_SetVelocity(world, body, bad, zero), RV_BAD_INPUT);
    assert_int_equal(rvBody_SetVelocity(world, body, zero, bad), RV_BAD_INPUT);
    assert_int_equal(rvBody_ApplyForce(world, body, bad, zero), RV_BAD_INPUT);
    assert_int_equal(rvBody_ApplyForce(world, body, zero, bad), RV_BAD_INPUT);
    assert_int_equal(rvBody_ApplyTorque(world, body, bad), RV_BAD_INPUT);
    pose.p = bad;
    assert_int_equal(rvBody_SetPose(world, body, pose), RV_BAD_INPUT);
    pose = (rvPose){zero, {0, 0, 0, 0}};
    assert_int_equal(rvBody_SetPose(world, body, pose), RV_BAD_INPUT);
    assert_int_equal(rvBody_MoveTo(world, body, rvPoseIdentity()), RV_BAD_INPUT); // it is dynamic
    // beyond what a run may reach: an image of it would be refused
    assert_int_equal(rvBody_SetVelocity(world, body, rvVec(2e6, 0, 0), zero), RV_BAD_INPUT);
    assert_int_equal(rvBody_SetVelocity(world, body, zero, rvVec(2e7, 0, 0)), RV_BAD_INPUT);
    assert_int_equal(rvBody_SetPose(world, body, (rvPose){rvVec(0, 2e9, 0), rvQuatIdentity()}), RV_BAD_INPUT);
    // finite numbers whose product or sum is not
    assert_int_equal(rvBody_ApplyForce(world, body, rvVec(1e300, 0, 0), rvVec(0, 1e300, 0)), RV_BAD_INPUT);
    assert_int_equal(rvWorld_SetGravity(world, bad), RV_BAD_INPUT);
    assert_true(rvWorld_Hash(world) == before);
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BadBodiesAreRefusedByField),     cmocka_unit_test(DefinitionMustComeFromItsMaker),
        cmocka_unit_test(ThinRodAndFlatPlateAreAccepted), cmocka_unit_test(InertiaMakersAgreeWithTheBooks),
        cmocka_unit_test(StaticBodyNeverMoves),           cmocka_unit_test(BadCallsOnBodiesChangeNothing),
    };
    return RUN_TESTS(tests);
}
