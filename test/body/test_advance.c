// SPDX-License-Identifier: MIT
// How bodies move: free flight and spin keep momentum and energy, prescribed bodies do as told.
#include "world/machines.h"

static const double pi = 3.14159265358979323846;

// A T-handle: three different principal moments; turned in its body frame so that axes are not special.
static rvBodyId add_handle(rvWorld* world, rvVec3 spin)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.mass = 2.0;
    def.inertia = rvMat3Diagonal(1.0, 2.0, 2.5);
    def.angularVelocity = spin;
    return add_body(world, &def);
}

static rvVec3 angular_momentum(const rvWorld* world, rvBodyId body)
{
    rvQuat q = rvBody_GetPose(world, body).q;
    rvVec3 w = rvRotateBack(q, rvBody_GetAngularVelocity(world, body));
    return rvRotate(q, rvVec(1.0 * w.x, 2.0 * w.y, 2.5 * w.z));
}

// Spin about the middle axis, with a small disturbance.
static void THandleFlipsAndKeepsMomentumAndEnergy(void** state)
{
    (void)state;
    static const double spins[] = {1.0, 5.0, 20.0, 100.0, 1000.0};
    double h = 1.0 / 60.0;
    for (int k = 0; k < 5; ++k) {
        rvWorld* world = make_weightless_world();
        rvBodyId body = add_handle(world, rvVec(1e-3 * spins[k], spins[k], 1e-3 * spins[k]));
        rvVec3 before = angular_momentum(world, body);
        double energy = 0.0, worst = 0.0;
        int flips = 0, side = 1, steps = 100000;
        for (int i = 0; i < steps; ++i) {
            CHECK_OK(world, rvWorld_Step(world, h));
            double now = rvWorld_GetEnergy(world).kinetic;
            if (i == 0)
                energy = now;
            worst = fmax(worst, fabs(now / energy - 1.0));
            // the handle's middle axis seen in space: it turns over each time
            double along = rvRotateBack(rvBody_GetPose(world, body).q, before).y;
            int newSide = along > 0.0 ? 1 : -1;
            flips += newSide != side;
            side = newSide;
        }
        rvVec3 after = angular_momentum(world, body);
        // two turns of the frame a step, each rounding the momentum by 2^-52
        double roundOff = 2.0 * steps * 2.3e-16;
        CHECK_BELOW(rvDistance(before, after) / rvLength(before), roundOff);
        // its length has no bias that adds up step by step: less than half a rounding each
        CHECK_BELOW(fabs(rvLength(after) / rvLength(before) - 1.0), 0.25 * roundOff);
        // Stated bound: (angle of a sub-step)^2/50, of second order. Sub-steps are at most 0.2 rad up to 384 rad/s at
        // this step, where their number ends at 32.
        double angle = h * spins[k];
        angle /= fmin(32.0, ceil(angle / 0.2));
        CHECK_BELOW(worst, angle * angle / 50.0);
        // flips: the disturbance grows e-fold with spin sqrt((I2-I1)(I3-I2)/(I1 I3)) = 0.447 spin, so one flip takes
        // some 2 ln(2000)/(0.447 spin) s
        double expected = steps * h * 0.447 * spins[k] / (2.0 * log(2000.0));
        assert_true(flips > 0.5 * expected && flips < 2.0 * expected);
        rvDestroyWorld(world);
    }
}

// A thin rod that spins by a radian a step about its length and tumbles: the turns about the axes are split around the
// middle moment, so what is left over goes by the difference of the two large ones.
static void SpinningNeedleKeepsItsEnergy(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvBodyDef def = rvDefaultBodyDef();
    def.inertia = rvMat3Diagonal(10.26, 0.055, 10.28);
    def.angularVelocity = rvVec(1.0, 60.0, 0.5);
    add_body(world, &def);
    double energy = 0.0, worst = 0.0;
    for (int i = 0; i < 1000; ++i) {
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
        double now = rvWorld_GetEnergy(world).kinetic;
        energy = i == 0 ? now : energy;
        worst = fmax(worst, fabs(now / energy - 1.0));
    }
    // What the small axis term can hold at all, L^2 (1/10.26 - 1/10.28)/2 of 105 J with L = 11.9: 1.4e-2 J; the error
    // of a split of two terms is a share of the smaller one.
    CHECK_BELOW(worst, 1.4e-2 / 105.0);
    rvDestroyWorld(world);
}

static void FlipTakesItsTime(void** state)
{
    (void)state;
    // half the period of the exact motion is K(k) elliptic; the step's error is of second order, so it falls by 16
    double times[2];
    for (int k = 0; k < 2; ++k) {
        double h = k == 0 ? 1.0 / 60.0 : 1.0 / 960.0;
        rvWorld* world = make_weightless_world();
        rvBodyId body = add_handle(world, rvVec(0.01, 5.0, 0.01));
        Crossings crossings = {0};
        for (int i = 0; i < lround(60.0 / h); ++i) {
            CHECK_OK(world, rvWorld_Step(world, h));
            watch(&crossings, rvWorld_GetTime(world), rvRotateBack(rvBody_GetPose(world, body).q, rvVec(0, 1, 0)).y);
        }
        times[k] = mean_period(&crossings);
        rvDestroyWorld(world);
    }
    CHECK_NEAR(times[0] / times[1], 1.0, 0.02); // angle of a sub-step 0.083 rad: its square, with the logarithm's slope
}

static void VeryFastSpinStaysFinite(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvBodyId body = add_handle(world, rvVec(10.0, 1e4, 10.0));
    double before = rvLength(angular_momentum(world, body));
    for (int i = 0; i < 10000; ++i)
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
    CHECK_NEAR(rvLength(angular_momentum(world, body)) / before, 1.0, 1e-11);                   // 32 sub-steps a step
    CHECK_BELOW(rvLength(rvBody_GetAngularVelocity(world, body)), before / 1.0 * (1.0 + 1e-9)); // |L|/I_min
    rvDestroyWorld(world);
}

static void FreeBodyKeepsItsMomentumExactly(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvBodyDef def = rvDefaultBodyDef();
    def.velocity = rvVec(1.25, -0.5, 3.0);
    def.centerOfMass = rvVec(0.5, 0, 0);
    def.angularVelocity = rvVec(0.3, 0.2, 0.1);
    rvBodyId body = add_body(world, &def);
    rvVec3 start = rvBody_GetCenter(world, body);
    for (int i = 0; i < 1024; ++i)
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 64.0));
    rvVec3 v = rvBody_GetVelocity(world, body);
    assert_true(v.x == 1.25 && v.y == -0.5 && v.z == 3.0);
    CHECK_NEAR(rvDistance(rvBody_GetCenter(world, body), rvMulAdd(start, 16.0, def.velocity)), 0.0, 1e-12);
    rvDestroyWorld(world);
}

static void KinematicBodyGoesWhereItIsTold(void** state)
{
    (void)state;
    double h = 1.0 / 60.0;
    rvWorld* world = make_world();
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_KINEMATIC;
    def.centerOfMass = rvVec(0.2, 0, 0);
    rvBodyId body = add_body(world, &def);
    rvPose target = {rvVec(0.1, 0.2, 0.3), rvQuatFromAxisAngle(rvVec(1, 2, 3), 0.4)};
    CHECK_OK(world, rvBody_MoveTo(world, body, target));
    CHECK_OK(world, rvWorld_Step(world, h));
    rvPose pose = rvBody_GetPose(world, body);
    CHECK_NEAR(rvDistance(pose.p, target.p), 0.0, 1e-15);
    CHECK_NEAR(rvLength(rvQuatToRotation(rvQuatMul(pose.q, rvQuatConj(target.q)))), 0.0, 1e-15);
    // its speed was that of the way
    CHECK_NEAR(rvLength(rvBody_GetAngularVelocity(world, body)), 0.4 / h, 1e-12);
    // no new target: it stays
    CHECK_OK(world, rvWorld_Step(world, h));
    CHECK_NEAR(rvLength(rvBody_GetVelocity(world, body)), 0.0, 0.0);
    CHECK_NEAR(rvDistance(rvBody_GetPose(world, body).p, target.p), 0.0, 1e-15);
    // a velocity carries it on
    CHECK_OK(world, rvBody_SetVelocity(world, body, rvVec(1, 0, 0), rvVec(0, 0, 0.5 * pi)));
    rvVec3 center = rvBody_GetCenter(world, body);
    for (int i = 0; i < 60; ++i)
        CHECK_OK(world, rvWorld_Step(world, h));
    CHECK_NEAR(rvDistance(rvBody_GetCenter(world, body), rvAdd(center, rvVec(1, 0, 0))), 0.0, 1e-12);
    rvDestroyWorld(world);
}

// A load hangs on a cable from a carrier; the wrench on the carrier is the cable's pull.
static void check_wrench(rvBodyType type, double mass)
{
    rvWorld* world = make_world();
    rvBodyDef def = rvDefaultBodyDef();
    def.type = type;
    def.mass = mass;
    def.inertia = rvMat3Diagonal(mass, mass, mass);
    rvBodyId carrier = add_body(world, &def), load = add_ball(world, 100.0, 0.5, rvVec(1, 0, -5));
    rvPlaceDef places[] = {rvAttachPlace(carrier, rvVec(1, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableId cable = add_cable(world, places, 2, 1e7, 5.0 / (1.0 + 981.0 / 1e7));
    rvVec3 force, torque;
    rvProxyState held = {carrier, rvPoseIdentity(), rvVec(0, 0, 0), rvVec(0, 0, 0)};
    for (int i = 0; i < 60; ++i) {
        if (type == RV_BODY_PROXY)
            CHECK_OK(world, rvWorld_SetProxies(world, &held, 1));
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
        double tension = rvCable_GetTension(world, cable, 0);
        rvBody_GetWrench(world, carrier, &force, &torque);
        CHECK_NEAR(rvDistance(force, rvVec(0, 0, -tension)), 0.0, 1e-9);
        CHECK_NEAR(rvDistance(torque, rvVec(0, tension, 0)), 0.0, 1e-9); // arm (1, 0, 0) x (0, 0, -T)
    }
    // a host that holds the carrier still makes the cable carry the load's weight; one of known mass gives way in the
    // step, so that its share is solved together
    if (mass == 0.0)
        CHECK_NEAR(force.z, -981.0, 1e-3);
    rvDestroyWorld(world);
}

static void PrescribedBodiesTellTheWrenchOfTheirCables(void** state)
{
    (void)state;
    check_wrench(RV_BODY_KINEMATIC, 0.0);
    check_wrench(RV_BODY_PROXY, 0.0);
    check_wrench(RV_BODY_PROXY, 1e4);
}

// A host engine that integrates the proxy itself: pose and velocity in, wrench out. Two equal loads on one cable then
// fall as if the library moved both.
static void ProxyOfKnownMassMovesAsADynamicBodyWould(void** state)
{
    (void)state;
    double h = 1.0 / 240.0, mass = 300.0;
    rvVec3 ends[2];
    for (int k = 0; k < 2; ++k) {
        rvWorld* world = make_world();
        rvBodyDef def = rvDefaultBodyDef();
        def.type = k == 0 ? RV_BODY_DYNAMIC : RV_BODY_PROXY;
        def.mass = mass;
        def.inertia = rvBallInertia(mass, 0.5);
        def.pose.p = rvVec(3, 0, -4);
        rvBodyId upper = add_body(world, &def), load = add_ball(world, 100.0, 0.5, rvVec(3, 0, -8));
        hang_on_cable(world, rvVec(0, 0, 0), upper, 1e6, -1.0);
        rvPlaceDef places[] = {rvAttachPlace(upper, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
        add_cable(world, places, 2, 1e6, -1.0);
        rvVec3 x = def.pose.p, v = rvVec(0, 0, 0);
        for (int i = 0; i < 960; ++i) {
            CHECK_OK(world, rvWorld_Step(world, h));
            if (k == 0)
                continue;
            rvVec3 force;
            rvBody_GetWrench(world, upper, &force, NULL);
            v = rvMulAdd(rvMulAdd(v, h / mass, force), h, rvVec(0, 0, -GRAVITY));
            x = rvMulAdd(x, h, v);
            rvProxyState now = {upper, {x, rvQuatIdentity()}, v, rvVec(0, 0, 0)};
            CHECK_OK(world, rvWorld_SetProxies(world, &now, 1));
        }
        ends[k] = rvBody_GetCenter(world, load);
        rvDestroyWorld(world);
    }
    // the same sums in another order: round-off of 4 m over 960 steps, which two pendulums, one under the other, spread
    CHECK_NEAR(rvDistance(ends[0], ends[1]), 0.0, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(THandleFlipsAndKeepsMomentumAndEnergy),
        cmocka_unit_test(SpinningNeedleKeepsItsEnergy),
        cmocka_unit_test(FlipTakesItsTime),
        cmocka_unit_test(VeryFastSpinStaysFinite),
        cmocka_unit_test(FreeBodyKeepsItsMomentumExactly),
        cmocka_unit_test(KinematicBodyGoesWhereItIsTold),
        cmocka_unit_test(PrescribedBodiesTellTheWrenchOfTheirCables),
        cmocka_unit_test(ProxyOfKnownMassMovesAsADynamicBodyWould),
    };
    return RUN_TESTS(tests);
}
