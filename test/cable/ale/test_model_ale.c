// SPDX-License-Identifier: MIT
// Rope that flows, in the world: eyes, sheaves, winches, friction, against closed forms and against the massless cable.
#include "world/machines.h"

static const double PER_METRE = 1.5, STIFFNESS = 1e7, PI = 3.14159265358979323846;

static rvCableId add_rope(rvWorld* world, rvCableModel model, const rvPlaceDef* places, int count, double length,
                          double damping)
{
    rvCableDef def = rvDefaultCableDef(model);
    rvCableId id;
    def.places = places;
    def.placeCount = count;
    def.axialStiffness = STIFFNESS;
    def.bendingStiffness = 0.01; // limp: closed forms are of rope that needs nothing to bend
    def.massPerLength = PER_METRE;
    def.length = length;
    def.damping = damping;
    def.elements = 20;
    CHECK_OK(world, rvCreateCable(world, &def, &id));
    return id;
}

static void settle(rvWorld* world)
{
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    if (!report.settled)
        print_error("%s\n", rvWorld_GetError(world));
    assert_true(report.settled);
}

// Weights on a heavy rope over a fixed sheave, the heavier side goes down:
//   (m1 + m2 + rho L + I/r^2) x'' = (m1 - m2) g + rho g (l1 - l2), l1 - l2 = d0 + 2 x
// so x = (d0/2 + (m1 - m2)/(2 rho)) (cosh(w t) - 1), w^2 = 2 rho g/(m1 + m2 + rho L + I/r^2)
static void AtwoodWithAHeavyRopeMeetsTheClosedForm(void** state)
{
    (void)state;
    double inertia[2] = {0.0, 0.5}, r = 0.2, m1 = 60.0, m2 = 50.0, h = 1.0 / 240.0, t = 1.0;
    for (int i = 0; i < 2; ++i) {
        rvWorld* world = make_world();
        rvBodyId first = add_ball(world, m1, 0.1, rvVec(-r, 0, -10)),
                 second = add_ball(world, m2, 0.1, rvVec(r, 0, -8));
        rvPlaceDef places[] = {rvAttachPlace(first, rvVec(0, 0, 0)),
                               rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), r),
                               rvAttachPlace(second, rvVec(0, 0, 0))};
        places[1].wheel.inertia = inertia[i];
        rvCableId rope = add_rope(world, RV_CABLE_ALE, places, 3, -1.0, 0.002);
        run_world(world, h, t);
        double length = rvCable_GetRestLength(world, rope), all = m1 + m2 + PER_METRE * length + inertia[i] / (r * r);
        double w = sqrt(2.0 * PER_METRE * GRAVITY / all);
        double x = (1.0 + (m1 - m2) / (2.0 * PER_METRE)) * (cosh(w * t) - 1.0);
        // of a way of half a metre: the stretch of 20 m under 600 N, 1.2 mm, and as much again while it rings
        CHECK_NEAR(-10.0 - rvBody_GetPose(world, first).p.z, x, 3e-3);
        CHECK_NEAR(rvBody_GetPose(world, second).p.z + 8.0, x, 3e-3);
        CHECK_NEAR(length, 18.0 + r * 3.14159265358979, 1e-9); // nothing is lost on the wheel: rounding
        rvDestroyWorld(world);
    }
}

// A block with n falls: the rope carries the load's n-th part, and more by its own weight.
static void BlocksShareTheLoadAsTheMasslessRopeHasIt(void** state)
{
    (void)state;
    for (int falls = 2; falls <= 4; falls += 2) {
        double tension[2], height[2];
        for (int k = 0; k < 2; ++k) {
            rvWorld* world = make_world();
            rvBodyId block = add_box(world, 1000.0, rvVec(0.5, 0.2, 0.5), rvVec(0, 0, -8));
            rvPlaceDef places[6] = {rvAttachPlace(RV_NULL_BODY, rvVec(-0.6, 0, 0))};
            int n = 1;
            for (int i = 0; i < falls / 2; ++i) {
                places[n++] = rvSheavePlace(block, rvVec(-0.4 + 0.8 * i, 0, 0), rvVec(0, 1, 0), 0.2);
                if (i + 1 < falls / 2)
                    places[n++] = rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.2);
            }
            places[n++] = rvWinchPlace(RV_NULL_BODY, rvVec(falls == 2 ? -0.2 : 0.6, 0, 0), 0.0);
            rvCableId rope = add_rope(world, k ? RV_CABLE_ALE : RV_CABLE_MASSLESS, places, n, -1.0, 0.02);
            settle(world);
            tension[k] = rvCable_GetTension(world, rope, 0);
            CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, n - 1, -1.0));
            run_world(world, 1.0 / 120.0, 2.0);
            CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, n - 1, 0.0));
            run_world(world, 1.0 / 120.0, 3.0);
            height[k] = rvBody_GetPose(world, block).p.z;
            rvDestroyWorld(world);
        }
        double weight = 1000.0 * GRAVITY, rope = PER_METRE * GRAVITY * 8.0;
        CHECK_NEAR(tension[0], weight / falls, 0.01 * weight / falls); // falls stand askew by 0.02
        CHECK_NEAR(tension[1], tension[0] + 0.5 * rope, 0.25 * rope);  // at half height half of a fall hangs below
        CHECK_NEAR(height[1], height[0],
                   5e-3); // stretch of 8 m by the rope's weight: 0.1 mm a fall, and what still rings
    }
}

// A load in the bight of a damped rope: what is at rest stays so, whatever the damping time is beside the step.
static void DampedRopeAtRestStaysAtRest(void** state)
{
    (void)state;
    const double times[] = {0.002, 0.02, 0.1}, h = 0.005;
    for (int i = 0; i < 3; ++i) {
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 500.0, 0.1, rvVec(0, 0, -20));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-6, 0, 0)),
                               rvEyePlace(RV_NULL_BODY, rvVec(-0.3, 0, 0)), rvEyePlace(load, rvVec(0, 0, 0)),
                               rvAttachPlace(RV_NULL_BODY, rvVec(0.3, 0, 0))};
        rvCableId rope = add_rope(world, RV_CABLE_ALE, places, 4, -1.0, times[i]);
        settle(world);
        double tension[3];
        for (int k = 0; k < 3; ++k)
            tension[k] = rvCable_GetTension(world, rope, k);
        for (int n = 0; n < 600; ++n) {
            CHECK_OK(world, rvWorld_Step(world, h));
            for (int k = 0; k < 3; ++k) // what settling leaves: 1e-9 of what is carried
                CHECK_NEAR(rvCable_GetTension(world, rope, k) / tension[k], 1.0, 1e-9);
        }
        rvDestroyWorld(world);
    }
}

// Weights on a heavy rope over a locked wheel, in balance just below what friction holds; then the hand that held the
// heavier one lets go. Tension on the two sides: T2 = e T1 + what the rope on the arc needs, e = exp(mu phi), so with
// rope running over
//   m1(x) (g + a) = T1,  m2(x) (g - a) = T2,  a = g (m2 - e m1)/(m2 + e m1 + rho r (e - 1)/mu),  m1 = M1 + rho (l - x)
static double slide_way(const double weights[2], double length, double mu, double r, double time)
{
    double e = exp(mu * PI), x = 0.0, v = 0.0,
           dt = 1e-4; // a changes by 5 %: the midpoint rule's error is far below 1e-8 m
    for (long i = 0; i < lround(time / dt); ++i) {
        double middle = x + 0.5 * dt * v, one = weights[0] + PER_METRE * (length - middle);
        double two = weights[1] + PER_METRE * (length + middle);
        double a = GRAVITY * (two - e * one) / (two + e * one + PER_METRE * r * (e - 1.0) / mu);
        x += dt * (v + 0.5 * dt * a);
        v += dt * a;
    }
    return x;
}

static void FrictionOnALockedWheelIsCapstans(void** state)
{
    (void)state;
    const double mu = 0.2, r = 0.2, limit = exp(mu * PI), length = 5.0, times[] = {0.01, 0.0};
    for (int i = 0; i < 8; ++i) {
        int heavy = i % 2; // side that it goes down on
        double h = i % 4 < 2 ? 1.0 / 240.0 : 1.0 / 960.0, weights[2] = {100.0, 100.0 * limit * 1.1};
        rvWorld* world = make_world();
        rvBodyId loads[2];
        for (int k = 0; k < 2; ++k)
            loads[k] = add_ball(world, weights[k == heavy], 0.1, rvVec(k ? r : -r, 0, -length));
        rvPlaceDef places[] = {rvAttachPlace(loads[0], rvVec(0, 0, 0)),
                               rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), r),
                               rvAttachPlace(loads[1], rvVec(0, 0, 0))};
        places[1].wheel.locked = true;
        places[1].friction = mu;
        rvCableId rope = add_rope(world, RV_CABLE_ALE, places, 3, -1.0, times[i / 4]);
        double side = PER_METRE * length;
        double hand = GRAVITY * (weights[1] + side - 0.999 * limit * (weights[0] + side));
        rvVec3 at = rvBody_GetPose(world, loads[heavy]).p;
        CHECK_OK(world, rvBody_ApplyForce(world, loads[heavy], rvVec(0, 0, hand), at));
        settle(world);
        CHECK_OK(world, rvBody_ClearForces(world, loads[heavy]));
        double start = rvBody_GetPose(world, loads[heavy]).p.z;
        run_world(world, h, 1.0);
        double way = start - rvBody_GetPose(world, loads[heavy]).p.z, closed = slide_way(weights, length, mu, r, 1.0);
        // steps of bodies: a h t/2. Left: as the load comes free its rope stretches by 0.05 mm; rope passes by its pull
        // with half its strain, T (1 + T/(2 EA)), 0.1 N of 120: 0.15 mm
        CHECK_NEAR(way, closed + 0.5 * h * 2.0 * closed, 0.3e-3);
        // mean tensions of the falls: at the wheel half a fall's weight more
        double low = rvCable_GetTension(world, rope, 1 - heavy), high = rvCable_GetTension(world, rope, heavy);
        double halfFall = 0.5 * PER_METRE * length * GRAVITY;
        CHECK_NEAR((high + halfFall) / (low + halfFall), limit,
                   0.005 * limit); // falls are 0.15 m off, and 1 kg of rope on the arc takes 0.3 N: 0.2 % of either
        rvDestroyWorld(world);
    }
}

// Below the limit the rope does not creep, however long it hangs.
static void RopeSticksOnALockedWheel(void** state)
{
    (void)state;
    const double mu = 0.2, r = 0.2, limit = exp(mu * PI);
    rvWorld* world = make_world();
    rvBodyId first = add_ball(world, 100.0, 0.1, rvVec(-r, 0, -5)),
             second = add_ball(world, 97.0 * limit, 0.1, rvVec(r, 0, -5));
    rvPlaceDef places[] = {rvAttachPlace(first, rvVec(0, 0, 0)),
                           rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), r),
                           rvAttachPlace(second, rvVec(0, 0, 0))};
    places[1].wheel.locked = true;
    places[1].friction = mu;
    add_rope(world, RV_CABLE_ALE, places, 3, -1.0, 0.01);
    settle(world);
    double start = rvBody_GetPose(world, second).p.z;
    run_world(world, 1.0 / 240.0, 10.0);
    // a load that settling left 1e-9 of its weight off bobs by as much of its stretch of 1 mm; nothing slips
    CHECK_NEAR(rvBody_GetPose(world, second).p.z, start, 1e-11);
    rvDestroyWorld(world);
}

// A block in two falls of rope that bends easily, over wheels that rub or turn hard: settling finds where it hangs,
// with tensions that friction can hold, and what is at rest stays so.
static void BlocksOnRubbingWheelsSettle(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        rvWorld* world = make_world();
        rvBodyId block = add_box(world, 500.0, rvVec(0.1, 0.3, 0.3), rvVec(0, 0, -20));
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-6, 0, 0), 0.0),
                               rvSheavePlace(RV_NULL_BODY, rvVec(-0.5, 0, 0), rvVec(0, 1, 0), 0.25),
                               rvSheavePlace(block, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.25),
                               rvAttachPlace(RV_NULL_BODY, rvVec(0.25, 0, 0))};
        for (int k = 1; k < 3; ++k) {
            places[k].wheel.locked = i == 1;
            places[k].friction = i == 1 ? 0.1 : 0.0;
            places[k].wheel.bearing = i == 2 ? 0.05 : 0.0;
        }
        rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
        rvCableId rope;
        def.places = places;
        def.placeCount = 4;
        def.diameter = 0.02;
        def.axialStiffness = 1.9e7;
        def.bendingStiffness = i == 3 ? 10.0 : 0.0;
        def.massPerLength = PER_METRE;
        def.damping = 0.02;
        def.elements = 24;
        CHECK_OK(world, rvCreateCable(world, &def, &rope));
        settle(world);
        double hung = 20.0 * PER_METRE * GRAVITY, weight = 500.0 * GRAVITY; // of a fall, at its top
        double arc = 0.25 * PI * PER_METRE * GRAVITY;                       // of the rope on the block's wheel
        CHECK_NEAR(rvCable_GetTension(world, rope, 1) + rvCable_GetTension(world, rope, 2), weight + hung + arc,
                   1e-3 * weight); // mean tensions; falls lean by 0.01
        double wrap = 0.5 * PI + asin(0.25 / 5.5), k = 0.05 * sin(0.5 * wrap);
        double ratio = i == 1 ? exp(0.1 * wrap) : i == 2 ? (1.0 + k) / (1.0 - k) : 1.0;
        double top = rvCable_GetTension(world, rope, 1) + 0.5 * hung, side = rvCable_GetTension(world, rope, 0);
        assert_true(side < 1.002 * ratio * top && top < 1.002 * ratio * side); // sag: 0.1 % more at the ends of a fall
        double height = rvBody_GetPose(world, block).p.z;
        run_world(world, 0.005, 2.0);
        CHECK_NEAR(rvBody_GetPose(world, block).p.z, height,
                   1e-8); // 1e-9 of what it carries, by stretches of millimetres
        rvDestroyWorld(world);
    }
}

// Eight metres a second through a block of four falls, the lower block at u = 2 m/s. Rope passes its two sheaves at 3 u
// and u, and what turns there takes rho c^2 off the pull of each fall:  4 T = M g + 2 rho ((3 u)^2 + u^2)  at the
// block.
static void MetresASecondRunThroughAFourFallBlock(void** state)
{
    (void)state;
    double mass = 1000.0, speed = 8.0, u = 0.25 * speed, ramp = 2.0, h = 1.0 / 240.0;
    rvWorld* world = make_world();
    // below its sheaves: it stands upright
    rvBodyId block = add_box(world, mass, rvVec(1, 0.2, 0.5), rvVec(0, 0, -40));
    rvVec3 y = rvVec(0, 1, 0);
    rvPlaceDef places[] = {
        rvWinchPlace(RV_NULL_BODY, rvVec(-0.6, 0, 0), 0.0), rvSheavePlace(block, rvVec(-0.4, 0, 2), y, 0.2),
        rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), y, 0.2), rvSheavePlace(block, rvVec(0.4, 0, 2), y, 0.2),
        rvAttachPlace(RV_NULL_BODY, rvVec(0.6, 0, 0))};
    places[0].winch.acceleration = speed / ramp;
    rvCableId rope = add_rope(world, RV_CABLE_ALE, places, 5, -1.0, 0.02);
    settle(world);
    double start = rvBody_GetPose(world, block).p.z, length = rvCable_GetRestLength(world, rope), sum = 0.0;
    CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, -speed));
    run_world(world, h, ramp + 1.0);
    int count = 0;
    for (; count < lround(2.0 / h); ++count) {
        CHECK_OK(world, rvWorld_Step(world, h));
        for (int i = 0; i < 4; ++i)
            sum += 0.25 * rvCable_GetEndTension(world, rope, i, 1 - i % 2);
    }
    double time = 3.0 + ramp, way = speed * (time - 0.5 * (ramp - h)); // the ramp by steps
    double pull = sum / count;
    CHECK_NEAR(rvCable_GetRestLength(world, rope), length - way, 1e-9); // what the winch took in: rounding, summed
    // in lengths of stretched rope; the stretch itself changes by that of 60 N of rope, 0.2 mm a fall, and what the
    // block sways: (0.02 m)^2/30 m
    double stretch = (0.25 * mass + 0.5 * PER_METRE * 34.0) * GRAVITY / STIFFNESS;
    CHECK_NEAR(rvBody_GetPose(world, block).p.z - start, 0.25 * way * (1.0 + stretch), 3e-4);
    double arcs = 2.0 * 0.2 * PI * PER_METRE * GRAVITY; // rope on the block's sheaves
    double expected = 0.25 * (mass * GRAVITY + arcs) + 0.5 * PER_METRE * u * u * 10.0;
    // of 30 N that turn; the block sways by 5e-3 rad, so 1e-5 of the weight, and bounces by 1e-3 of it
    CHECK_NEAR(pull, expected, 1e-3 * expected);
    rvDestroyWorld(world);
}

// Rope that is pulled through an eye at a constant speed turns its momentum there: the eye's body feels T - rho c^2 a
// side.
static void RopeThatTurnsAtAnEyeTakesItsMomentumOffThePull(void** state)
{
    (void)state;
    double c = 8.0, h = 1.0 / 240.0, force[2];
    for (int i = 0; i < 2; ++i) {
        rvWorld* world = make_world();
        rvWorld_SetGravity(world, rvVec(0, 0, 0));
        rvBodyDef def = rvDefaultBodyDef();
        def.type = RV_BODY_KINEMATIC;
        rvBodyId eye = add_body(world, &def);
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-20, 0, 0), i ? c : 0.0),
                               rvEyePlace(eye, rvVec(0, 0, 0)),
                               rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, -20), i ? -c : 0.0)};
        add_rope(world, RV_CABLE_ALE, places, 3, 39.99, 0.05); // stretched: 2500 N
        run_world(world, h, 2.0);
        rvVec3 f, unused;
        rvBody_GetWrench(world, eye, &f, &unused);
        force[i] = f.z;
        rvDestroyWorld(world);
    }
    CHECK_NEAR(force[0], -2500.0, 10.0); // EA times a strain of 2.5e-4
    CHECK_NEAR(force[1] - force[0], PER_METRE * c * c,
               0.05 * PER_METRE * c * c); // 96 N, of a tension that rings by 1e-3
}

// A rope with a free end is pulled off an eye by a weight: that ends it as an event, and the weight falls on.
static void RopeThatRunsOffItsEyeIsGone(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 20.0, 0.1, rvVec(0, 0, -1));
    rvPlaceDef places[] = {rvFreePlace(rvVec(-2, 0, 0)), rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                           rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableId rope = add_rope(world, RV_CABLE_ALE, places, 3, -1.0, 0.01);
    int gone = -1, told = 0;
    for (int i = 0; i < 240; ++i) {
        rvEvent event;
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 240.0));
        if (gone < 0 && rvCable_IsBroken(world, rope))
            gone = i;
        assert_int_equal(count_events(world, RV_EVENT_BROKEN, &event), 0); // nothing tore it
        if (count_events(world, RV_EVENT_RAN_OFF, &event) > 0) {
            told += 1;
            assert_int_equal(event.place, 1);
            assert_int_equal(gone, i);
        }
    }
    assert_int_equal(told, 1);
    // 20 kg draw 3 m of rope, at most 4.5 kg: falls 2 m in sqrt(2 l/(g m/(m + rope)))
    assert_in_range(gone, (int)(240 * sqrt(4.0 / GRAVITY)) - 2, (int)(240 * sqrt(4.0 / GRAVITY * 24.5 / 20.0)) + 2);
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(AtwoodWithAHeavyRopeMeetsTheClosedForm),
        cmocka_unit_test(BlocksShareTheLoadAsTheMasslessRopeHasIt),
        cmocka_unit_test(DampedRopeAtRestStaysAtRest),
        cmocka_unit_test(FrictionOnALockedWheelIsCapstans),
        cmocka_unit_test(RopeSticksOnALockedWheel),
        cmocka_unit_test(BlocksOnRubbingWheelsSettle),
        cmocka_unit_test(MetresASecondRunThroughAFourFallBlock),
        cmocka_unit_test(RopeThatTurnsAtAnEyeTakesItsMomentumOffThePull),
        cmocka_unit_test(RopeThatRunsOffItsEyeIsGone),
    };
    return RUN_TESTS(tests);
}
