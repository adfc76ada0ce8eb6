// SPDX-License-Identifier: MIT
// Rope that flows, in the world: eyes, sheaves, winches, friction, against closed forms and against the massless cable.
#include "world/machines.h"

static const double PER_METRE = 1.5, STIFFNESS = 1e7;

static rvCableId add_rope(rvWorld* world, rvCableModel model, const rvPlaceDef* places, int count, double length,
                          double damping)
{
    rvCableDef def = rvDefaultCableDef(model);
    rvCableId id;
    def.places = places;
    def.placeCount = count;
    def.axialStiffness = STIFFNESS;
    def.bendingStiffness = 1.0;
    def.massPerLength = PER_METRE;
    def.length = length;
    def.damping = damping;
    def.elements = 20;
    CHECK_OK(world, rvCreateCable(world, &def, &id));
    return id;
}

static void run(rvWorld* world, double seconds, double h)
{
    for (long i = 0; i < lround(seconds / h); ++i)
        CHECK_OK(world, rvWorld_Step(world, h));
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
        run(world, t, h);
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
            run(world, 2.0, 1.0 / 120.0);
            CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, n - 1, 0.0));
            run(world, 3.0, 1.0 / 120.0);
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

// Rope over a locked wheel: the weights hold each other up to exp(mu pi), and slide beyond.
static void FrictionOnALockedWheelIsCapstans(void** state)
{
    (void)state;
    double mu = 0.2, r = 0.2, limit = exp(mu * 3.14159265358979);
    for (int i = 0; i < 2; ++i) {
        double heavy = 100.0 * limit * (i ? 1.1 : 0.9);
        rvWorld* world = make_world();
        rvBodyId first = add_ball(world, 100.0, 0.1, rvVec(-r, 0, -5)),
                 second = add_ball(world, heavy, 0.1, rvVec(r, 0, -5));
        rvPlaceDef places[] = {rvAttachPlace(first, rvVec(0, 0, 0)),
                               rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), r),
                               rvAttachPlace(second, rvVec(0, 0, 0))};
        places[1].wheel.locked = true;
        places[1].friction = mu;
        add_rope(world, RV_CABLE_ALE, places, 3, -1.0, 0.01);
        if (i == 0)
            run(world, 2.0, 1.0 / 240.0); // what is dropped bounces, and slips while it does
        double start = rvBody_GetPose(world, second).p.z;
        run(world, 1.0, 1.0 / 240.0);
        double way = start - rvBody_GetPose(world, second).p.z;
        double one = 100.0 + 5.0 * PER_METRE, two = heavy + 5.0 * PER_METRE; // with the rope of a side
        double rate = (two - one * limit) * GRAVITY / (two + one * limit);
        if (i == 0)
            CHECK_NEAR(way, 0.0, 1e-6); // holds: what is left of a bounce of 1 mm that is damped by a tenth a period
        else
            CHECK_NEAR(way, 0.5 * rate, 0.05 * 0.5 * rate); // rope that runs over adds 5 % to the difference at the end
        rvDestroyWorld(world);
    }
}

// Rope that is pulled through an eye at a constant speed turns its momentum there: the eye's body feels T - rho c^2 a side.
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
        run(world, 2.0, h);
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
    int gone = -1;
    for (int i = 0; i < 240; ++i) {
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 240.0));
        if (gone < 0 && rvCable_IsBroken(world, rope))
            gone = i;
    }
    // 20 kg draw 3 m of rope, at most 4.5 kg: falls 2 m in sqrt(2 l/(g m/(m + rope)))
    assert_in_range(gone, (int)(240 * sqrt(4.0 / GRAVITY)) - 2, (int)(240 * sqrt(4.0 / GRAVITY * 24.5 / 20.0)) + 2);
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(AtwoodWithAHeavyRopeMeetsTheClosedForm),
        cmocka_unit_test(BlocksShareTheLoadAsTheMasslessRopeHasIt),
        cmocka_unit_test(FrictionOnALockedWheelIsCapstans),
        cmocka_unit_test(RopeThatTurnsAtAnEyeTakesItsMomentumOffThePull),
        cmocka_unit_test(RopeThatRunsOffItsEyeIsGone),
    };
    return RUN_TESTS(tests);
}
