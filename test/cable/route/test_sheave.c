// SPDX-License-Identifier: MIT
// Sheaves: wheels that a cable runs over, with friction, bearings and inertia, against closed forms.
#include "world/machines.h"

#define PI 3.14159265358979323846

// Two masses over a wheel of radius 0.2 m; answers the acceleration of the first, downwards.
typedef struct {
    double m1, m2, friction, bearing, inertia, stiffness, h, time;
    bool locked;
} Atwood;

static double acceleration(Atwood a, double* slip)
{
    rvWorld* world = make_world();
    rvBodyId first = add_ball(world, a.m1, 0.5, rvVec(-0.2, 0, -10)),
             second = add_ball(world, a.m2, 0.5, rvVec(0.2, 0, -10));
    rvPlaceDef places[3] = {rvAttachPlace(first, rvVec(0, 0, 0)),
                            rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.2),
                            rvAttachPlace(second, rvVec(0, 0, 0))};
    places[1].friction = a.friction;
    places[1].wheel.bearing = a.bearing;
    places[1].wheel.inertia = a.inertia;
    places[1].wheel.locked = a.locked;
    rvCableId cable = add_cable(world, places, 3, a.stiffness, -1.0);
    // stretched from the start, so that no vibration hides the mean
    run_world(world, a.h, 0.5 * a.time);
    double before = rvBody_GetVelocity(world, first).z;
    run_world(world, a.h, 0.5 * a.time);
    double after = rvBody_GetVelocity(world, first).z;
    if (slip)
        *slip = fabs(rvCable_GetWheelSpeed(world, cable, 1)) * 0.2 - fabs(after);
    rvDestroyWorld(world);
    return -(after - before) / (0.5 * a.time);
}

static void AtwoodOnALockedWheelFollowsTheCapstan(void** state)
{
    (void)state;
    const double frictions[] = {0.0, 0.1, 0.2};
    for (int i = 0; i < 3; ++i) {
        double e = exp(frictions[i] * PI);
        double expected = (2.0 - e) * GRAVITY / (2.0 + e);
        Atwood a = {2, 1, frictions[i], 0, 0, 2e8, 1.0 / 240, 1.0, true};
        // the strain of the rope moves mass at the second order of T/EA: 1e-7
        CHECK_NEAR(acceleration(a, NULL), expected, 1e-5);
    }
}

static void AtwoodSticksAboveTheLimitAndSlidesBelow(void** state)
{
    (void)state;
    // log(2)/pi = 0.22064
    Atwood holds = {2, 1, 0.2207, 0, 0, 2e7, 1.0 / 60, 20.0, true};
    CHECK_NEAR(acceleration(holds, NULL), 0.0, 1e-9); // sticks: nothing moves but round-off
    Atwood slides = {2, 1, 0.2190, 0, 0, 2e7, 1.0 / 60, 1.0, true};
    double e = exp(0.2190 * PI);
    CHECK_NEAR(acceleration(slides, NULL), (2.0 - e) * GRAVITY / (2.0 + e),
               1e-4); // strain effect T/EA, 1e-6, times 9.81
}

static void AtwoodTurnsAWheelWithInertia(void** state)
{
    (void)state;
    double slip;
    Atwood a = {2, 1, HUGE_VAL, 0, 0.02, 2e8, 1.0 / 240, 1.0, false};
    // the rope runs onto the wheel stretched: second order in T/EA
    CHECK_NEAR(acceleration(a, &slip), GRAVITY / 3.5, 1e-5);
    CHECK_NEAR(slip, 0.0, 1e-4); // rim and rope move alike, but for half a step of lag in the reading
}

static void BearingFrictionBrakesAtwood(void** state)
{
    (void)state;
    double k = 0.05, e = (1.0 + k) / (1.0 - k);
    Atwood light = {2, 1, HUGE_VAL, 0.05, 0, 2e8, 1.0 / 240, 1.0, false};
    CHECK_NEAR(acceleration(light, NULL), (2.0 - e) * GRAVITY / (2.0 + e), 1e-5); // as above
    // with inertia: (m1 - m2) g - k (T1 + T2) = (m1 + m2 + I/r^2) a, T1 = m1 (g - a), T2 = m2 (g + a)
    Atwood heavy = light;
    heavy.inertia = 0.02;
    double expected = (1.0 * GRAVITY - k * 3.0 * GRAVITY) / (3.5 - k * (2.0 - 1.0));
    CHECK_NEAR(acceleration(heavy, NULL), expected, 1e-5); // as above
}

static void FreeWheelPassesTheTension(void** state)
{
    (void)state;
    Atwood a = {2, 1, HUGE_VAL, 0, 0, 2e8, 1.0 / 60, 1.0, false};
    CHECK_NEAR(acceleration(a, NULL), GRAVITY / 3.0, 1e-6); // no friction, no inertia: T/EA only
}

// A load on n falls between an upper and a lower block; answers the tension of each span while a winch moves it.
static void tackle(int falls, double bearing, double speed, double* tensions)
{
    rvWorld* world = make_world();
    rvBodyId block = add_ball(world, 1000, 0.5, rvVec(0, 0, -20));
    rvPlaceDef places[16];
    int count = 0;
    double r = 0.2;
    places[count] = rvWinchPlace(RV_NULL_BODY, rvVec(-3, 0, 0), speed);
    places[count++].winch.compliance = 0;
    // down and up through the blocks: lower sheaves on the block, upper ones on the world
    for (int i = 0; i < falls; ++i) {
        double x = -0.4 * falls + 0.4 * i;
        rvPlaceDef wheel = i % 2 == 0 ? rvSheavePlace(RV_NULL_BODY, rvVec(x, 0, 0), rvVec(0, 1, 0), r)
                                      : rvSheavePlace(block, rvVec(x, 0, 0), rvVec(0, 1, 0), r);
        wheel.wheel.bearing = bearing;
        places[count++] = wheel;
    }
    double x = -0.4 * falls + 0.4 * (falls - 1) + r;
    places[count++] =
        falls % 2 == 0 ? rvAttachPlace(RV_NULL_BODY, rvVec(x, 0, -1)) : rvAttachPlace(block, rvVec(x, 0, 0));
    // kept upright
    rvJointDef rail = rvDefaultJointDef(RV_JOINT_SLIDER);
    assert_int_equal(rvJointDef_Place(world, &rail, RV_NULL_BODY, block, rvVec(0, 0, -20), rvVec(0, 0, 1)), RV_OK);
    assert_int_equal(rvCreateJoint(world, &rail, NULL), RV_OK);
    rvCableId cable = add_damped(world, places, count, 1e8, 0.05); // else it bounces for ever on its elasticity
    run_world(world, 1.0 / 240, 6.0);
    for (int i = 0; i < count - 1; ++i)
        tensions[i] = rvCable_GetTension(world, cable, i);
    rvDestroyWorld(world);
}

static void TackleSharesTheLoadAmongItsFalls(void** state)
{
    (void)state;
    for (int falls = 2; falls <= 6; falls += 2) {
        double tensions[16];
        tackle(falls, 0.0, -0.1, tensions);
        // falls are plumb to (r/l)^2 and shorten slowly: 1e-4
        CHECK_NEAR(tensions[0], 1000 * GRAVITY / falls, 2e-3 * 1000 * GRAVITY / falls);
    }
}

static void TackleLosesTensionAtEverySheave(void** state)
{
    (void)state;
    double tensions[16];
    tackle(4, 0.03, -0.1, tensions);
    // hauling in: each wheel takes its share, T_next = T/e with e of its wrap
    for (int i = 1; i < 5; ++i)
        assert_true(tensions[i] < tensions[i - 1] * 0.97);
    double e = (1.0 + 0.03) / (1.0 - 0.03);
    CHECK_NEAR(tensions[2] / tensions[1], 1.0 / e, 1e-3); // half a turn: sin(theta/2) is 1 to 1e-4
    tackle(4, 0.03, 0.1, tensions);
    CHECK_NEAR(tensions[2] / tensions[1], e, 2e-3); // paying out: the other way round
}

// Length and tension have no jump when a swinging rope meets and leaves a wheel.
static void RopeMeetsAndLeavesAWheelWithoutAJump(void** state)
{
    (void)state;
    for (int locked = 0; locked < 2; ++locked) {
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 10, 0.5, rvVec(3, 0, -4));
        rvPlaceDef places[3] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                                rvSheavePlace(RV_NULL_BODY, rvVec(-0.3, 0, -2), rvVec(0, 1, 0), 0.2),
                                rvAttachPlace(load, rvVec(0, 0, 0))};
        places[1].wheel.side = 1;
        places[1].wheel.locked = locked;
        places[1].friction = locked ? 0.2 : HUGE_VAL;
        rvCableId cable = add_cable(world, places, 3, 1e6, -1.0);
        double last = rvCable_GetLength(world, cable), h = 1e-3;
        int meetings = 0;
        bool on = rvCable_GetWrapAngle(world, cable, 1) > 0;
        assert_false(on);
        for (int i = 0; i < 8000; ++i) {
            run_world(world, h, h);
            double length = rvCable_GetLength(world, cable);
            assert_true(isfinite(length));
            CHECK_BELOW(fabs(length - last), 2e-3); // stretch at most: vibration of 10 kg on 1e6/5 N/m
            last = length;
            bool now = rvCable_GetWrapAngle(world, cable, 1) > 0;
            meetings += now != on;
            on = now;
        }
        assert_true(meetings >= 4);
        rvEnergy e = rvWorld_GetEnergy(world);
        double total = e.kinetic + e.potential + e.elastic + e.heat;
        CHECK_NEAR(total, -10 * GRAVITY * 4,
                   0.02 * 10 * GRAVITY); // kept to 2 cm of fall over eight seconds; first order in h
        rvDestroyWorld(world);
    }
}

static void ExtraTurnsHoldMore(void** state)
{
    (void)state;
    // three quarters of a turn and two whole ones at mu 0.1: e = exp(0.1 * (pi + 4 pi)) = 4.8
    rvWorld* world = make_world();
    rvBodyId first = add_ball(world, 4.5, 0.5, rvVec(-0.2, 0, -5)), second = add_ball(world, 1, 0.5, rvVec(0.2, 0, -5));
    rvPlaceDef places[3] = {rvAttachPlace(first, rvVec(0, 0, 0)),
                            rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.2),
                            rvAttachPlace(second, rvVec(0, 0, 0))};
    places[1].friction = 0.1;
    places[1].wheel.locked = true;
    places[1].wheel.turns = 2;
    rvCableId cable = add_cable(world, places, 3, 1e7, -1.0);
    CHECK_NEAR(rvCable_GetWrapAngle(world, cable, 1), 5 * PI, 1e-9); // by symmetry
    run_world(world, 1.0 / 60, 5.0);
    CHECK_NEAR(rvBody_GetVelocity(world, first).z, 0.0, 1e-9); // it holds 4.8 : 1
    rvDestroyWorld(world);
}

// The load falls far away from the rope that held it: the rope's parts still have what they have together.
static void BrokenCableKeepsItsRopeAtFriction(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100, 0.5, rvVec(2, 0, 5));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 5)),
                           rvSheavePlace(RV_NULL_BODY, rvVec(1, 0, 10), rvVec(0, 1, 0), 0.5),
                           rvAttachPlace(load, rvVec(0, 0, 0))};
    places[1].friction = 0.2;
    places[1].wheel.locked = true;
    rvCableId cable = add_cable(world, places, 3, 1e7, -1.0);
    run_world(world, 1.0 / 60, 1.0);
    double rope = rvCable_GetRestLength(world, cable);
    assert_int_equal(rvCable_Break(world, cable), RV_OK);
    run_world(world, 1.0 / 60, 5.0);
    assert_true(rvCable_GetLength(world, cable) > 5.0 * rope);
    CHECK_NEAR(rvCable_GetRestLength(world, cable), rope, 1e-9); // round-off of 300 steps
    // its image is one that a run can have
    size_t size = rvWorld_Save(world, NULL, 0);
    void* image = test_malloc(size);
    rvWorld_Save(world, image, size);
    assert_int_equal(rvWorld_Restore(world, image, size), RV_OK);
    test_free(image);
    rvDestroyWorld(world);
}

// The rope is clamped to the wheel: what hangs slack on one side gives nothing to the other.
static void LoadHangsOnAClampWhoseOtherSideIsSlack(void** state)
{
    (void)state;
    for (int side = 0; side < 2; ++side) {
        double h = 1e-3, mass = 100.0, stiffness = 1e6, x = side == 0 ? 0.2 : -0.2;
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, mass, 0.1, rvVec(x, 0, -5));
        rvPlaceDef held = rvAttachPlace(RV_NULL_BODY, rvVec(-x, 0, -5)), hung = rvAttachPlace(load, rvVec(0, 0, 0));
        rvPlaceDef places[] = {side == 0 ? held : hung,
                               rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.2),
                               side == 0 ? hung : held};
        places[1].friction = HUGE_VAL;
        places[1].wheel.locked = true;
        rvCableId cable = add_damped(world, places, 3, stiffness, 0.05);
        run_world(world, h, h);                                           // now each side has its own rope
        rvPlaceDef lower = rvAttachPlace(RV_NULL_BODY, rvVec(-x, 0, -4)); // a metre of slack
        CHECK_OK(world, rvCable_SetPlace(world, cable, side == 0 ? 0 : 2, &lower));
        run_world(world, h, 3.0);
        CHECK_NEAR(rvCable_GetTension(world, cable, 1 - side), mass * GRAVITY, 1e-3 * mass * GRAVITY); // has died down
        CHECK_NEAR(rvCable_GetTension(world, cable, side), 0.0, 0.0);
        double sag = mass * GRAVITY / stiffness * (5.0 + 0.1 * PI); // of its own half of the rope
        CHECK_NEAR(rvBody_GetCenter(world, load).z, -5.0 - sag, 1e-2 * sag);
        rvDestroyWorld(world);
    }
}

// The block turns over and over under its wheel: the rope feels the bearing and nothing else.
static void BlockThatTurnsDragsTheRopeByItsBearing(void** state)
{
    (void)state;
    double h = 1e-3, radius = 0.3, spin = 10.0, k = 1e-3, time = 5.0;
    rvWorld* world = make_world();
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_KINEMATIC;
    def.angularVelocity = rvVec(0, spin, 0);
    rvBodyId block = add_body(world, &def);
    rvBodyId left = add_ball(world, 10.0, 0.1, rvVec(-radius, 0, -2)),
             right = add_ball(world, 10.0, 0.1, rvVec(radius, 0, -2));
    rvPlaceDef places[] = {rvAttachPlace(left, rvVec(0, 0, 0)),
                           rvSheavePlace(block, rvVec(0, 0, 0), rvVec(0, 1, 0), radius),
                           rvAttachPlace(right, rvVec(0, 0, 0))};
    places[1].wheel.bearing = k;
    rvCableId cable = add_damped(world, places, 3, 1e5, 0.01);
    run_world(world, h, time);                                                // eight turns, 15 m of rim
    CHECK_NEAR(rvCable_GetRestLength(world, cable), 4.0 + PI * radius, 1e-9); // round-off of 5000 steps
    // T_tight/T_slack = (1 + k)/(1 - k): equal masses move with g k, apart with twice that
    double apart = fabs(rvBody_GetCenter(world, left).z - rvBody_GetCenter(world, right).z);
    CHECK_NEAR(apart, GRAVITY * k * time * time, 0.02 * GRAVITY * k * time * time); // the first bounce sticks at times
    rvDestroyWorld(world);
}

// Rope stretched to more than twice its length that slips over a wheel: each part has its share at once.
static void SoftRopeSharesItsStretchAcrossAWheel(void** state)
{
    (void)state;
    double h = 0.01, mass = 1000.0, stiffness = mass * GRAVITY / 1.5;
    rvWorld* world = make_world();
    rvBodyId left = add_ball(world, mass, 0.1, rvVec(-0.3, 0, -6)),
             right = add_ball(world, mass, 0.1, rvVec(0.3, 0, -2));
    rvPlaceDef places[] = {rvAttachPlace(left, rvVec(0, 0, 0)),
                           rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.3),
                           rvAttachPlace(right, rvVec(0, 0, 0))};
    places[1].wheel.bearing = 0.0005;
    rvCableId cable = add_damped(world, places, 3, stiffness, 0.0);
    double e = (1.0 + 0.0005) / (1.0 - 0.0005), start = 0.0;
    for (int i = 0; i < 2000; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        double a = rvCable_GetTension(world, cable, 0), b = rvCable_GetTension(world, cable, 1);
        CHECK_BELOW(fmax(a, b), fmin(a, b) * e * (1.0 + 1e-9)); // round-off
        rvEnergy energy = rvWorld_GetEnergy(world);
        double books = energy.kinetic + energy.potential + energy.elastic;
        start = i == 0 ? books : start;
        CHECK_BELOW(books - start, 1e-3 * mass * GRAVITY * 6.0); // of the fall; (h w)^2/12 of a bounce of 4 s is less
    }
    rvDestroyWorld(world);
}

// Lifted off its wheel, led past it three metres away along the axis and let down there, a rope is not on the wheel;
// led back the same way it meets it again.
static void RopeThatPassesFarBesideAWheelIsNotOnIt(void** state)
{
    (void)state;
    rvWorldDef world_def = rvDefaultWorldDef();
    rvWorld* world;
    assert_int_equal(rvCreateWorld(&world_def, &world, NULL, 0), RV_OK);
    rvBodyId ends[2];
    rvBodyDef body = rvDefaultBodyDef();
    body.type = RV_BODY_KINEMATIC;
    for (int i = 0; i < 2; ++i) {
        body.pose.p = rvVec(i ? 2 : -2, 0, -1);
        assert_int_equal(rvCreateBody(world, &body, &ends[i]), RV_OK);
    }
    rvPlaceDef places[3] = {rvAttachPlace(ends[0], rvVec(0, 0, 0)),
                            rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.3),
                            rvAttachPlace(ends[1], rvVec(0, 0, 0))};
    places[1].friction = 0.0;
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.axialStiffness = 1e4;
    def.places = places;
    def.placeCount = 3;
    rvCableId cable;
    assert_int_equal(rvCreateCable(world, &def, &cable), RV_OK);
    double on = rvCable_GetLength(world, cable), last = on;
    assert_true(on > 4.2);
    const rvVec3 ways[7] = {{0, 0, 2}, {0, 3, 0}, {0, 0, -2}, {0, 0, 0}, {0, 0, 2}, {0, -3, 0}, {0, 0, -2}};
    for (int leg = 0; leg < 7; ++leg) {
        for (int i = 0; i < 2; ++i)
            assert_int_equal(rvBody_SetVelocity(world, ends[i], ways[leg], rvVec(0, 0, 0)), RV_OK);
        for (int k = 0; k < 120; ++k) {
            assert_int_equal(rvWorld_Step(world, 1.0 / 120), RV_OK);
            double length = rvCable_GetLength(world, cable);
            CHECK_BELOW(fabs(length - last), 4.0 / 60); // both ends by at most 2 m/s in a step: no jump
            last = length;
        }
        if (leg == 3)
            CHECK_NEAR(last, 4.0, 1e-9); // straight
    }
    CHECK_NEAR(last, on, 1e-9); // on the wheel as before
    rvDestroyWorld(world);
}

// Wheels that a rope has left lie beside it, whatever their order along it, and beyond its eye too: the rope is
// straight, and the eye is pulled from both sides. (Two in the other order made it longer, and one beyond the eye left
// the span before it without a direction: the eye felt one side.)
static void WheelsThatWereLeftDoNotBendTheRope(void** state)
{
    (void)state;
    rvWorldDef world_def = rvDefaultWorldDef();
    rvWorld* world;
    assert_int_equal(rvCreateWorld(&world_def, &world, NULL, 0), RV_OK);
    rvBodyDef body = rvDefaultBodyDef();
    body.mass = 100.0;
    body.pose.p = rvVec(0, 0, -4);
    rvBodyId load, wheels[2];
    assert_int_equal(rvCreateBody(world, &body, &load), RV_OK);
    // along the first span, of its length, and a metre beside it
    const double at[3][2] = {{0.5, 0.7}, {0.7, 0.5}, {1.2, 1.2}};
    rvVec3 from = rvVec(-3, 0, 0), beside = rvVec(-3.8, 0, -0.6), way = rvSub(body.pose.p, from);
    rvPlaceDef places[5] = {rvAttachPlace(RV_NULL_BODY, from),
                            {0},
                            {0},
                            rvEyePlace(load, rvVec(0, 0, 0)),
                            rvAttachPlace(RV_NULL_BODY, rvVec(3, 0, 0))};
    body.type = RV_BODY_KINEMATIC;
    for (int k = 0; k < 2; ++k) {
        body.pose.p = rvMulAdd(beside, at[0][k], way);
        assert_int_equal(rvCreateBody(world, &body, &wheels[k]), RV_OK);
        places[1 + k] = rvSheavePlace(wheels[k], rvVec(0, 0, 0), rvVec(0, 1, 0), 0.2);
        places[1 + k].wheel.side = 1;
    }
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.axialStiffness = 1e6;
    def.places = places;
    def.placeCount = 5;
    rvCableId cable;
    assert_int_equal(rvCreateCable(world, &def, &cable), RV_OK);
    for (int n = 0; n < 3; ++n) {
        for (int k = 0; k < 2; ++k) {
            rvPose pose = {.p = rvMulAdd(beside, at[n][k], way), .q = rvQuatIdentity()};
            assert_int_equal(rvBody_SetPose(world, wheels[k], pose), RV_OK);
            assert_true(rvCable_GetWrapAngle(world, cable, 1 + k) <= 0.0);
        }
        rvVec3 eye = rvBody_GetCenter(world, load);
        CHECK_NEAR(rvCable_GetLength(world, cable), 2.0 * hypot(3.0, eye.z), 1e-13); // round-off
        assert_int_equal(rvWorld_Settle(world, NULL, NULL), RV_OK);
        // 2 T cos = m g, to what settling leaves
        eye = rvBody_GetCenter(world, load);
        CHECK_NEAR(rvCable_GetTension(world, cable, 0), 0.5 * 100.0 * 9.81 * hypot(3.0, eye.z) / -eye.z, 1e-6 * 981.0);
    }
    rvDestroyWorld(world);
}

// A block so tilted that the rope comes from inside its rim, seen along the axis: the rope meets the rim at the point
// that is nearest, which runs along it when the block moves. The row is the gradient of the length there too.
static void RowOfATiltedWheelIsTheGradientOfTheLength(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_PROXY;
    rvBodyId block = add_body(world, &def);
    rvPlaceDef places[3] = {rvAttachPlace(RV_NULL_BODY, rvVec(0.1, -3, 0.12)),
                            rvSheavePlace(block, rvVec(0.05, 0, 0.02), rvVec(0, 1, 0), 0.3),
                            rvAttachPlace(RV_NULL_BODY, rvVec(2, 0.5, -1))};
    rvCableId rope = add_cable(world, places, 3, 1e6, -1.0);
    CHECK_OK(world, rvWorld_BeginStep(world, 1.0 / 60.0));
    rvRowBody body;
    assert_int_equal(rvWorld_GetRowBodies(world, 0, &body, 1), 1);
    const double step = 1e-5;
    for (int k = 0; k < 6; ++k) {
        // step^2/6 times a third derivative: 2 r/rho^3 of the angle, rho 0.112 m, by the arm of 3 m cubed; round-off
        CHECK_NEAR(length_slope(world, rope, block, k, step), row_slope(&body, k), 2.0e3 * step * step + 1e-9);
    }
    rvDestroyWorld(world);
}

// A load of a tonne falls from 3 m above until its rope, taut on the other side of a wheel of a tenth of a gram, is
// taut here too: the wheel draws on the other side within that step, so that side pulls in it. Answers the most that
// the rope is stretched by without a pull [m].
static double most_without_pull(double below)
{
    rvWorld* world = make_world();
    rvBodyId load = add_mass(world, RV_BODY_DYNAMIC, 1000, 0.0, rvVec(0.2, 0, -5.0 - below));
    rvPlaceDef places[3] = {rvAttachPlace(RV_NULL_BODY, rvVec(-3, 0, -2)),
                            rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.2),
                            rvAttachPlace(load, rvVec(0, 0, 0))};
    places[1].wheel.inertia = 4e-6;
    rvCableId cable = add_cable(world, places, 3, 1e8, -1.0);
    run_world(world, 1e-4, 1e-4); // the rope is laid
    rvPose pose = rvBody_GetPose(world, load);
    pose.p.z = -2.0;
    assert_int_equal(rvBody_SetPose(world, load, pose), RV_OK);
    double most = 0.0;
    for (int i = 0; i < 50; ++i) {
        run_world(world, 1.0 / 60, 1.0 / 60);
        double stretch = rvCable_GetLength(world, cable) - rvCable_GetRestLength(world, cable);
        if (rvCable_GetTension(world, cable, 0) < 1e3) // a tonne at 8 m/s pulls with more where the rope is taut
            most = fmax(most, stretch);
    }
    rvDestroyWorld(world);
    return most;
}

static void RopeThatComesTautOverALightWheelPullsOnBothSides(void** state)
{
    (void)state;
    for (int k = 0; k < 10; ++k)                          // at ten times within a step
        assert_true(most_without_pull(0.013 * k) < 0.02); // it falls 0.13 m in a step; 0.01 after it has bounced
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(AtwoodOnALockedWheelFollowsTheCapstan),
        cmocka_unit_test(AtwoodSticksAboveTheLimitAndSlidesBelow),
        cmocka_unit_test(AtwoodTurnsAWheelWithInertia),
        cmocka_unit_test(BearingFrictionBrakesAtwood),
        cmocka_unit_test(FreeWheelPassesTheTension),
        cmocka_unit_test(TackleSharesTheLoadAmongItsFalls),
        cmocka_unit_test(TackleLosesTensionAtEverySheave),
        cmocka_unit_test(RopeMeetsAndLeavesAWheelWithoutAJump),
        cmocka_unit_test(ExtraTurnsHoldMore),
        cmocka_unit_test(BrokenCableKeepsItsRopeAtFriction),
        cmocka_unit_test(LoadHangsOnAClampWhoseOtherSideIsSlack),
        cmocka_unit_test(BlockThatTurnsDragsTheRopeByItsBearing),
        cmocka_unit_test(SoftRopeSharesItsStretchAcrossAWheel),
        cmocka_unit_test(RopeThatPassesFarBesideAWheelIsNotOnIt),
        cmocka_unit_test(WheelsThatWereLeftDoNotBendTheRope),
        cmocka_unit_test(RowOfATiltedWheelIsTheGradientOfTheLength),
        cmocka_unit_test(RopeThatComesTautOverALightWheelPullsOnBothSides),
    };
    return RUN_TESTS(tests);
}
