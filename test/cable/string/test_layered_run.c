// SPDX-License-Identifier: MIT
// Rope with mass that runs along itself past fixed places has its inertia, and brings its energy along.
#include "world/machines.h"

static rvCableDef heavy_rope(const rvPlaceDef* places, int count, double stiffness, double mass)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_LAYERED);
    def.places = places;
    def.placeCount = count;
    def.axialStiffness = stiffness;
    def.massPerLength = mass;
    def.waveDamping = 2.0;
    return def;
}

// Atwood's machine with a heavy rope over two eyes: (m1 + m2 + rho L) x'' = (m1 - m2) g + 2 rho g x. Without the rope
// that runs the speed was 6 to 67 % too high.
static void HeavyRopeOverEyesFallsAsByTheClosedForm(void** state)
{
    (void)state;
    const double masses[] = {0.1, 0.4, 1.6}, steps[] = {1.0 / 60.0, 1.0 / 240.0};
    for (int i = 0; i < 6; ++i) {
        double rho = masses[i / 2], h = steps[i % 2], arm = 10.0, level = 2.0, m1 = 10.0, m2 = 8.0;
        rvWorld* world = make_world();
        rvBodyId a = add_ball(world, m1, 0.1, rvVec(-1, 0, -arm)), b = add_ball(world, m2, 0.1, rvVec(1, 0, -arm));
        rvPlaceDef places[] = {rvAttachPlace(a, rvVec(0, 0, 0)), rvEyePlace(RV_NULL_BODY, rvVec(-1, 0, 0)),
                               rvEyePlace(RV_NULL_BODY, rvVec(1, 0, 0)), rvAttachPlace(b, rvVec(0, 0, 0))};
        rvCableDef def = heavy_rope(places, 4, 1e6, rho);
        def.damping = 0.02;
        create_cable(world, &def);
        double start = energy_books(world);
        run_world(world, h, 1.0);
        double all = m1 + m2 + rho * (2.0 * arm + level), w = sqrt(2.0 * rho * GRAVITY / all);
        double expected = (m1 - m2) * GRAVITY / all * sinh(w) / w;
        // half a step of the start, and the way that the level span falls into its sag, l (w l/T)^2/24, within the
        // second
        double load = rho * GRAVITY * level, tension = m2 * GRAVITY + rho * GRAVITY * arm;
        double sag = level * load * load / (24.0 * tension * tension);
        CHECK_NEAR(-rvBody_GetVelocity(world, a).z, expected, 0.5 * h * expected + 2.0 * sag);
        // the rope was laid without stretch: what it stores then swings once, by the mean of both steps
        CHECK_NEAR(energy_books(world), start, 0.5 * tension * tension * (2.0 * arm + level) / def.axialStiffness);
        rvDestroyWorld(world);
    }
}

// A winch pays out steadily over a fixed wheel: each metre comes with its kinetic energy, which the winch gave it.
// (Half of it appeared at the load from nothing.)
static void RopeThatIsPaidOutBringsItsEnergy(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    double rho = 2.0, speed = 1.0, h = 0.005;
    rvBodyId load = add_ball(world, 200.0, 0.3, rvVec(1, 0, -25));
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-20, 0, -40), 0.0),
                           rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, -20), rvVec(0, 1, 0), 1.0),
                           rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = heavy_rope(places, 3, 1e7, rho);
    def.length = 35.7;
    def.damping = 0.05;
    rvCableId rope = create_cable(world, &def);
    rvSettleReport report;
    rvSettleDef settle = rvDefaultSettleDef();
    CHECK_OK(world, rvWorld_Settle(world, &settle, &report));
    CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, speed));
    run_world(world, h, 2.0);
    double start = energy_books(world), paid = 2.0;
    run_world(world, h, paid / speed);
    // a tenth: the load's speed still swings by a twentieth of the winch's
    CHECK_NEAR(energy_books(world), start, 0.1 * 0.5 * rho * paid * speed * speed);
    rvDestroyWorld(world);
}

// The winch is pulled less by a load that it lets down faster and faster, with all the rope that runs.
static void WinchFeelsTheRopeThatItAccelerates(void** state)
{
    (void)state;
    double pull[2];
    for (int i = 0; i < 2; ++i) {
        rvWorld* world = make_world();
        double rho = 2.0, span = 30.0, h = 0.01, gain = 0.5;
        rvBodyId load = add_ball(world, 500.0, 0.3, rvVec(0, 0, -10));
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-span, 0, 0), 0.0),
                               rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = heavy_rope(places, 3, 1e6, rho);
        def.damping = 0.2;
        rvCableId rope = create_cable(world, &def);
        rvSettleReport report;
        rvSettleDef settle = rvDefaultSettleDef();
        CHECK_OK(world, rvWorld_Settle(world, &settle, &report));
        double sum = 0.0;
        for (int n = 0; n < 200; ++n) {
            CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, i == 0 ? 0.0 : gain * h * (n + 1)));
            step_world(world, h, 1);
            sum += n < 100 ? 0.0 : rvCable_GetWinchForce(world, rope, 0) / 100.0;
        }
        pull[i] = sum;
        rvDestroyWorld(world);
    }
    // load, rope below the eye and half of the level rope, whose other half is at the winch; the rope that came in
    // weighs: 7/12 m on the mean of the second second
    double running = 0.5 * (0.5 * 2.0 * 10.0 + 0.5 * 2.0 * 30.0), longer = 7.0 / 12.0 * 2.0 * GRAVITY;
    CHECK_NEAR(pull[0] - pull[1], 0.5 * (500.0 + 0.5 * 2.0 * 10.0) + running - longer,
               0.25 * running); // sag comes and goes
}

// A winch that starts at full speed throws its load up, which runs ahead of the rope, falls back, and is let down as
// fast; with an eye between them and without. What rope takes along and leaves behind, taut or slack, is in the books.
static void ThrownLoadKeepsItsBooks(void** state)
{
    (void)state;
    const double h = 1.0 / 240.0, speed = 20.0;
    for (int i = 0; i < 4; ++i) {
        double mass = i % 2 ? 3.0 : 0.5, most = 0.0, worst = 0.0;
        bool eye = i / 2 != 0;
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 5.0, 0.1, rvVec(0, 0, 0));
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(eye ? -10 : 0, 0, 60), 0.0),
                               rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 60)), rvAttachPlace(load, rvVec(0, 0, 0))};
        if (!eye)
            places[1] = places[2];
        rvCableDef def = layered_rope(places, eye ? 3 : 2, 1e6, mass, -1.0);
        def.damping = 0.01;
        rvCableId rope = create_cable(world, &def);
        CHECK_OK(world, rvWorld_Settle(world, NULL, NULL));
        double begun = energy_books(world);
        for (int n = 0; n < 2400; ++n) {
            double t = n * h, wanted = t < 0.5 ? 0.0 : t < 2.0 ? -speed : t < 4.0 ? 0.0 : t < 5.5 ? speed : 0.0;
            CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, wanted));
            CHECK_OK(world, rvWorld_Step(world, h));
            most = fmax(most, rvWorld_GetEnergy(world).kinetic);
            worst = fmax(worst, fabs(energy_books(world) - begun));
        }
        // heights are read with the rope of the step before: h v w l is 1 % of w v^2 l/(2 g); it was half to three
        // quarters
        CHECK_BELOW(worst, 0.03 * most);
        rvDestroyWorld(world);
    }
}

// A drum with inertia is turned by the tension where the rope leaves it: its motor lifts the rope too, its brake holds
// that as well, and what stands below it feels as much as without inertia. (It felt the tension at the load.)
static void DrumWithInertiaFeelsTheWeightOfItsRope(void** state)
{
    (void)state;
    const double rho = 5.0, mass = 500.0, height = 12.0, radius = 0.3, h = 0.01;
    double torque[2];
    for (int i = 0; i < 2; ++i) {
        rvWorld* world = make_world();
        rvBodyId frame = add_ball(world, 100.0, 0.3, rvVec(0, 0, height)),
                 load = add_ball(world, mass, 0.3, rvVec(radius, 0, 0));
        rvJointDef hold = rvDefaultJointDef(RV_JOINT_FIXED);
        hold.bodyB = frame;
        hold.frameA.p = rvVec(0, 0, height);
        rvJointId joint;
        CHECK_OK(world, rvCreateJoint(world, &hold, &joint));
        rvPlaceDef places[] = {rvWinchPlace(frame, rvVec(0, 0, 0), 0.0), rvAttachPlace(load, rvVec(0, 0, 0))};
        places[0].wheel.radius = radius;
        places[0].wheel.inertia = i == 0 ? 0.0 : 20.0;
        places[0].winch.brakeForce = mass * GRAVITY;
        rvCableDef def = heavy_rope(places, 2, 3e7, rho);
        def.damping = 0.02;
        rvCableId rope = create_cable(world, &def);
        CHECK_OK(world, rvWorld_Settle(world, NULL, NULL));
        run_world(world, h, 1.0);
        rvVec3 force, moment;
        rvJoint_GetForce(world, joint, &force, &moment);
        torque[i] = moment.y;
        double start = energy_books(world), length = rvCable_GetRestLength(world, rope);
        CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, -1.0));
        run_world(world, h, 5.0);
        double now = rvCable_GetRestLength(world, rope), top = (mass + rho * now) * GRAVITY;
        // the load swings on by what the start gave it, as half of a step's error is damped: a thousandth
        CHECK_NEAR(rvCable_GetWinchPower(world, rope, 0), top, 1e-3 * top);
        // heights are read with the rope of the step before: h v w l/2; the weight of the rope itself lifts w l x
        CHECK_NEAR(energy_books(world), start, h * rho * GRAVITY * length);
        // a brake that would hold the load alone
        CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, 0.0));
        run_world(world, h, 1.0);
        now = rvCable_GetRestLength(world, rope);
        CHECK_OK(world, rvCable_SetWinchBrake(world, rope, 0, true));
        run_world(world, h, 1.0);
        CHECK_BELOW(now,
                    rvCable_GetRestLength(world, rope) - 0.1); // it slips: by w l t^2/2 on (m + I/r^2 + rope), 0.19 m
        rvDestroyWorld(world);
    }
    CHECK_NEAR(torque[1], torque[0], 1e-6 * fabs(torque[0])); // both at rest
}

// A load on one side of an eye, a bight that is twice as heavy on the other, w (z + (N - z)/2) from the eye down.
// Friction of 2.5 : 1 holds the load, whose rope pulls at it with its weight; with 1.1 : 1 it is lifted. (The bight
// pulled through the eye as if there were no friction.)
static void FrictionHoldsALoadAgainstALooseBight(void** state)
{
    (void)state;
    const double rho = 10.0, mass = 10.0, left = 3.0, right = 6.0, rope = 10.0, turn = 3.14159265358979323846;
    double pulls = rho * GRAVITY * (right + 0.5 * (rope - right));
    assert_true(pulls > 1.9 * (mass + rho * left) * GRAVITY);
    for (int i = 0; i < 2; ++i) {
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, mass, 0.1, rvVec(0, 0, -left));
        rvPlaceDef places[] = {rvAttachPlace(load, rvVec(0, 0, 0)), rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                               rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, -right))};
        places[1].friction = log(i == 0 ? 2.5 : 1.1) / (turn - atan(1.0 / right));
        rvCableDef def = heavy_rope(places, 3, 1e6, rho);
        def.length = left + rope;
        def.damping = 0.05;
        rvCableId cable = create_cable(world, &def);
        run_world(world, 0.005, 1.0);
        double up = rvBody_GetPose(world, load).p.z + left;
        if (i == 0) {
            // it begins stretched as if the eye were smooth, and springs back from that
            CHECK_NEAR(up, 0.0, 2.0 * pulls * left / def.axialStiffness);
            CHECK_NEAR(rvCable_GetEndTension(world, cable, 0, 0) / (mass * GRAVITY), 1.0, 1e-3); // that of a string
        } else
            assert_true(up > 0.1);
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FrictionHoldsALoadAgainstALooseBight),
        cmocka_unit_test(DrumWithInertiaFeelsTheWeightOfItsRope),
        cmocka_unit_test(HeavyRopeOverEyesFallsAsByTheClosedForm),
        cmocka_unit_test(RopeThatIsPaidOutBringsItsEnergy),
        cmocka_unit_test(ThrownLoadKeepsItsBooks),
        cmocka_unit_test(WinchFeelsTheRopeThatItAccelerates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
