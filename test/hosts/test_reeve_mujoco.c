// SPDX-License-Identifier: MIT
// The adapter to MuJoCo: a body whose centre of mass and principal axes are not those of its frame swings as in our
// world.
#include "../../hosts/mujoco/reeve_mujoco.h"
#include "world/machines.h"

#include "bench/peers/mujoco_text.h"

// Mass, centre and inertia of the body: a skew one. The frame is turned too.
static const char model[] =
    "<mujoco><option gravity='0 0 -9.81'><flag contact='disable'/></option><worldbody>"
    "<body name='load' pos='3 0 -4' quat='0.9 0.1 0.2 0.3'><freejoint/>"
    "<inertial pos='0.2 -0.1 0.3' quat='0.8 0.3 0.1 -0.2' mass='100' diaginertia='20 30 40'/></body>"
    "</worldbody></mujoco>";

// The same body for our world, by hand.
static rvBodyDef skew_body(void)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.pose = (rvPose){rvVec(3, 0, -4), rvQuatNormalize((rvQuat){0.9, 0.1, 0.2, 0.3})};
    def.mass = 100.0;
    def.centerOfMass = rvVec(0.2, -0.1, 0.3);
    rvMat3 turn = rvMat3FromQuat(rvQuatNormalize((rvQuat){0.8, 0.3, 0.1, -0.2}));
    const double moments[3] = {20, 30, 40};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
                def.inertia.m[i][j] += turn.m[i][k] * moments[k] * turn.m[j][k];
    return def;
}

static rvCableId add_rope(rvWorld* world, rvBodyId load)
{
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0.5, 0.2, 0))};
    return add_cable(world, places, 2, 1e6, -1.0);
}

// How far the two are apart at most in two seconds at steps of h: centre [m] and turning [rad].
static void swing(double h, double* apart, double* turned)
{
    mjModel* m = rv_mujoco_from_text(model, sizeof model - 1);
    assert_non_null(m);
    m->opt.timestep = h;
    mjData* d = mj_makeData(m);
    rvMujoco link;
    rvBodyId proxy;
    assert_int_equal(rvMujoco_Open(&link, m, d), RV_OK);
    assert_int_equal(rvMujoco_Add(&link, "nobody", false, &proxy), RV_BAD_INPUT);
    CHECK_OK(link.world, rvMujoco_Add(&link, "load", false, &proxy));
    add_rope(link.world, proxy);
    rvWorld* world = make_world();
    rvBodyDef def = skew_body();
    rvBodyId load = add_body(world, &def);
    add_rope(world, load);
    CHECK_NEAR(rvDistance(rvBody_GetCenter(world, load), rvMujoco_Vec(d->xipos + 3)), 0.0, 1e-14);
    *apart = *turned = 0.0;
    for (int i = 0; i < lround(2.0 / h); ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        CHECK_OK(link.world, rvMujoco_Step(&link));
        mj_kinematics(m, d);
        *apart = fmax(*apart, rvDistance(rvBody_GetCenter(world, load), rvMujoco_Vec(d->xipos + 3)));
        rvQuat q = {d->xquat[4], d->xquat[5], d->xquat[6], d->xquat[7]};
        *turned = fmax(*turned, rvLength(rvQuatToRotation(rvQuatMul(q, rvQuatConj(rvBody_GetPose(world, load).q)))));
    }
    assert_true(rvBody_GetCenter(world, load).x < 0.0); // it swung through
    rvDestroyWorld(world);
    rvMujoco_Close(&link);
    mj_deleteData(d);
    mj_deleteModel(m);
}

static void SkewBodySwingsAsInOurWorld(void** state)
{
    (void)state;
    double apart, turned, finer, finerTurned;
    swing(1.0 / 240.0, &apart, &turned);
    swing(1.0 / 960.0, &finer, &finerTurned);
    // MuJoCo has the gyroscopic torque as an explicit force, first order in the step: so is what parts them, and
    // nothing else: a wrong arm or axis would stay. A quarter of the step, a quarter of it, with second order beside
    CHECK_NEAR(finerTurned / turned, 0.25, 0.05);
    CHECK_NEAR(finer / apart, 0.25, 0.05);
    assert_true(turned < 0.05 && apart < 0.02); // h w^2/2 over 2 s at up to 3 rad/s: 0.04 rad, times the arm of 0.4 m
}

// Reset by its host, it swings once more as it did; with another mass in the model the rope carries that.
static void ResetAndMassesOfTheModelAreFollowed(void** state)
{
    (void)state;
    mjModel* m = rv_mujoco_from_text(model, sizeof model - 1);
    assert_non_null(m);
    m->opt.timestep = 1.0 / 240.0;
    mjData* d = mj_makeData(m);
    rvMujoco link;
    rvBodyId proxy;
    assert_int_equal(rvMujoco_Open(&link, m, d), RV_OK);
    CHECK_OK(link.world, rvMujoco_Add(&link, "load", false, &proxy));
    rvCableId rope = add_rope(link.world, proxy);
    rvVec3 ends[3];
    double pulls[3] = {0}; // mean
    for (int round = 0; round < 3; ++round) {
        mj_resetData(m, d);
        for (int k = 0; k < 3 && round == 2; ++k)
            m->body_inertia[3 + k] *= 2.0;
        m->body_mass[1] = round == 2 ? 200.0 : 100.0;
        CHECK_OK(link.world, rvMujoco_Jump(&link));
        for (int i = 0; i < 240; ++i) {
            CHECK_OK(link.world, rvMujoco_Step(&link));
            pulls[round] += rvCable_GetTension(link.world, rope, 0) / 240.0;
        }
        ends[round] = rvMujoco_Vec(d->xipos + 3);
    }
    CHECK_NEAR(rvBody_GetMass(link.world, proxy), 200.0, 0.0);
    // the solve's guess is all that is left of the run before
    CHECK_NEAR(rvDistance(ends[1], ends[0]), 0.0, 1e-9);
    CHECK_NEAR(pulls[1], pulls[0], 1e-6 * pulls[0]);
    // twice the mass on a rope that hardly gives: it swings alike, and pulls with twice the force
    CHECK_NEAR(rvDistance(ends[2], ends[0]), 0.0, 0.02); // stretch of 2 * 2 kN on 5 m: 2 * 10 mm
    CHECK_NEAR(pulls[2], 2.0 * pulls[0], 0.02 * pulls[0]);
    rvMujoco_Close(&link);
    mj_deleteData(d);
    mj_deleteModel(m);
}

static const char twoBalls[] =
    "<mujoco><option gravity='0 0 -9.81'><flag contact='disable'/></option><worldbody>"
    "<body name='load' pos='0 0 -10'><freejoint/><geom type='sphere' size='0.5' mass='100'/></body>"
    "<body name='other' pos='5 0 -10'><freejoint/><geom type='sphere' size='0.5' mass='1'/></body>"
    "</worldbody></mujoco>";

// A body that is let go falls freely, as if it had never been known; it may come back.
static void BodiesComeAndGo(void** state)
{
    (void)state;
    mjModel* m = rv_mujoco_from_text(twoBalls, sizeof twoBalls - 1);
    assert_non_null(m);
    m->opt.timestep = 1.0 / 240.0;
    mjData* d = mj_makeData(m);
    rvMujoco link;
    rvBodyId load, other;
    assert_int_equal(rvMujoco_Open(&link, m, d), RV_OK);
    CHECK_OK(link.world, rvMujoco_Add(&link, "load", false, &load));
    rvCableId rope = hang_on_cable(link.world, rvVec(0, 0, 0), load, 1e6, 10.0);
    for (int round = 0; round < 3; ++round) {
        mj_resetData(m, d);
        CHECK_OK(link.world, rvMujoco_Jump(&link));
        assert_int_equal(rvMujoco_Remove(&link, "other"), RV_BAD_INPUT);
        CHECK_OK(link.world, rvMujoco_Add(&link, "other", false, &other));
        rvCableId second = hang_on_cable(link.world, rvVec(5, 0, 0), other, 1e6, 10.0);
        for (int i = 0; i < 120; ++i)
            CHECK_OK(link.world, rvMujoco_Step(&link));
        CHECK_NEAR(d->qpos[7 + 2], -10.0, 1e-3); // hangs: bounces by 2 m g L/EA, 0.2 mm
        assert_int_equal(rvMujoco_Remove(&link, "other"), RV_BAD_INPUT);
        CHECK_OK(link.world, rvDestroyCable(link.world, second));
        CHECK_OK(link.world, rvMujoco_Remove(&link, "other"));
        double height = d->qpos[7 + 2], speed = d->qvel[6 + 2];
        for (int i = 0; i < 120; ++i)
            CHECK_OK(link.world, rvMujoco_Step(&link));
        // n steps of h that take v first: g h^2 n (n + 1)/2
        CHECK_NEAR(d->qpos[7 + 2], height + 0.5 * speed - GRAVITY * 120 * 121 / (2 * 240.0 * 240.0), 1e-9);
        CHECK_NEAR(d->qpos[2], -10.0, 0.05); // the load hangs on: bounces by 2 m g L/EA, 20 mm
    }
    CHECK_OK(link.world, rvDestroyCable(link.world, rope));
    CHECK_OK(link.world, rvMujoco_Remove(&link, "load"));
    assert_int_equal(link.count, 0);
    rvMujoco_Close(&link);
    mj_deleteData(d);
    mj_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(SkewBodySwingsAsInOurWorld),
                                       cmocka_unit_test(ResetAndMassesOfTheModelAreFollowed),
                                       cmocka_unit_test(BodiesComeAndGo)};
    return RUN_TESTS(tests);
}
