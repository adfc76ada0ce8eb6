// SPDX-License-Identifier: MIT
// Rope that flows over wheels with inertia: it slips as capstan says, catches up with the rim, and what turns the wheel
// is all that its carrier feels about the axis.
#include "world/machines.h"

static const double PER_METRE = 1.5, PI = 3.14159265358979323846, MU = 0.2, R = 0.2;
enum { WHEEL = 1 };

static rvCableId add_rope(rvWorld* world, rvCableModel model, const rvPlaceDef* places)
{
    rvCableDef def = rvDefaultCableDef(model);
    rvCableId id;
    def.places = places;
    def.placeCount = 3;
    def.axialStiffness = 1e7;
    def.bendingStiffness = 0.01;
    def.massPerLength = PER_METRE;
    def.damping = 0.01;
    def.elements = 20;
    CHECK_OK(world, rvCreateCable(world, &def, &id));
    return id;
}

static rvBodyId add_weight(rvWorld* world, double mass, rvVec3 at, double speed)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.mass = mass;
    def.inertia = rvBallInertia(mass, 0.1);
    def.pose.p = at;
    def.velocity = rvVec(0, 0, speed);
    return add_body(world, &def);
}

static void run(rvWorld* world, double seconds, double h)
{
    for (long i = 0; i < lround(seconds / h); ++i)
        CHECK_OK(world, rvWorld_Step(world, h));
}

static double all_energy(const rvWorld* world)
{
    rvEnergy e = rvWorld_GetEnergy(world);
    return e.kinetic + e.potential + e.elastic + e.heat - e.work;
}

// Two weights on a heavy rope over a wheel of mass m = I/r^2 at its rim, the second goes down. Rope that turns presses
// less, by rho v^2:
//   slipping  T2 - rho v^2 = e (T1 - rho v^2) + rho r a (e - 1)/mu,  T1 = m1 (g + a),  T2 = m2 (g - a)
//             m z'' = F = T2 - T1 - rho r pi a,  until z' = v
//   sticking  a = g (m2 - m1)/(m1 + m2 + rho r pi + m)
// m1, m2 with the rope of their sides, which runs over.
typedef struct {
    double weights[2], length, rim; // [kg, m, kg]
    double way, speed, rimSpeed, heat;
    bool sticks;
} Slide;

static void go_on(Slide* s, double time)
{
    double e = exp(MU * PI), dt = 1e-5, arc = PER_METRE * R; // Euler: off by 1e-5 of what changes in a second
    for (long i = 0; i < lround(time / dt); ++i) {
        double m1 = s->weights[0] + PER_METRE * (s->length - s->way), turning = PER_METRE * s->speed * s->speed;
        double m2 = s->weights[1] + PER_METRE * (s->length + s->way), drive = GRAVITY * (m2 - e * m1);
        double a = (drive + (e - 1.0) * turning) / (m2 + e * m1 + arc * (e - 1.0) / MU);
        double rub = m2 * (GRAVITY - a) - m1 * (GRAVITY + a) - arc * PI * a;
        s->sticks = s->sticks || s->speed < s->rimSpeed;
        if (s->sticks) {
            a = GRAVITY * (m2 - m1) / (m1 + m2 + arc * PI + s->rim);
            rub = s->rim * a;
        }
        s->heat += dt * rub * fmax(0.0, s->speed - s->rimSpeed);
        s->way += dt * s->speed;
        s->speed += dt * a;
        s->rimSpeed += dt * rub / s->rim;
    }
}

// The wheel is too heavy to follow; its brake holds it until all is at rest, then lets it go.
static void RopeSlipsOverAHeavyWheel(void** state)
{
    (void)state;
    const double limit = exp(MU * PI), length = 5.0, rim = 6000.0;
    for (int i = 0; i < 4; ++i) {
        int heavy = i % 2; // side that it goes down on
        double h = i < 2 ? 1.0 / 240.0 : 1.0 / 60.0, weights[2] = {100.0, 100.0 * limit * 1.1};
        rvWorld* world = make_world();
        rvBodyId loads[2];
        for (int k = 0; k < 2; ++k)
            loads[k] = add_weight(world, weights[k == heavy], rvVec(k ? R : -R, 0, -length), 0.0);
        rvPlaceDef places[] = {rvAttachPlace(loads[0], rvVec(0, 0, 0)),
                               rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), R),
                               rvAttachPlace(loads[1], rvVec(0, 0, 0))};
        places[WHEEL].wheel.inertia = rim * R * R;
        places[WHEEL].wheel.driveTorque = 1e5;
        places[WHEEL].friction = MU;
        rvCableId rope = add_rope(world, RV_CABLE_ALE, places);
        double side = PER_METRE * length;
        double hand = GRAVITY * (weights[1] + side - 0.999 * limit * (weights[0] + side));
        CHECK_OK(world,
                 rvBody_ApplyForce(world, loads[heavy], rvVec(0, 0, hand), rvBody_GetPose(world, loads[heavy]).p));
        rvSettleReport report;
        CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
        assert_true(report.settled);
        CHECK_OK(world, rvBody_ClearForces(world, loads[heavy]));
        CHECK_OK(world, rvCable_SetWheelDrive(world, rope, WHEEL, 0.0, 0.0));
        double start = rvBody_GetPose(world, loads[heavy]).p.z;
        run(world, 1.0, h);
        Slide closed = {.weights = {weights[0], weights[1]}, .length = length, .rim = rim};
        go_on(&closed, 1.0);
        double way = start - rvBody_GetPose(world, loads[heavy]).p.z, turns = heavy ? 1.0 : -1.0;
        // a h t/2 by the steps of bodies; the rest as over a locked wheel (test_model_ale.c): stretch, and half of its
        // strain in what passes
        CHECK_NEAR(way, closed.way + 0.5 * h * closed.speed, 0.3e-3);
        // forces act at the ends of steps, and a speed is the mean of one: half a step each
        double rim1 = turns * R * rvCable_GetWheelSpeed(world, rope, WHEEL);
        CHECK_NEAR(rim1, (1.0 - h) * closed.rimSpeed, 0.2 * h * closed.rimSpeed);
        // mean tensions of the falls: at the wheel half a fall's weight more; falls are 0.15 m off, and 1 kg of rope on
        // the arc takes 0.3 N: 0.2 % of either
        double low = rvCable_GetTension(world, rope, 1 - heavy), high = rvCable_GetTension(world, rope, heavy);
        double halfFall = 0.5 * PER_METRE * length * GRAVITY;
        CHECK_NEAR((high + halfFall) / (low + halfFall), limit, 0.005 * limit);
        // friction on the way that is longer by these half steps
        double more = closed.heat / (closed.way - 0.5 * closed.rimSpeed) * 0.5 * h * (closed.speed + closed.rimSpeed);
        CHECK_NEAR(rvCable_GetEnergy(world, rope).heat, closed.heat + 0.5 * more, 0.6 * more);
        rvDestroyWorld(world);
    }
}

// Weights in balance that move, over a wheel at rest: it is spun up by friction until nothing slips any more. Without
// the rope that runs over the momentum of both stays, (M + m) v = M v0.
static void RopeCatchesUpWithItsWheel(void** state)
{
    (void)state;
    const double length = 5.0, rim = 100.0, speed = 3.0;
    for (int i = 0; i < 6; ++i) {
        double h = i % 3 == 0 ? 1.0 / 60.0 : i % 3 == 1 ? 1.0 / 240.0 : 1.0 / 960.0;
        int down = i / 3;
        rvWorld* world = make_world();
        rvBodyId loads[2];
        for (int k = 0; k < 2; ++k)
            loads[k] = add_weight(world, 60.0, rvVec(k ? R : -R, 0, -length), k == down ? -speed : speed);
        rvPlaceDef places[] = {rvAttachPlace(loads[0], rvVec(0, 0, 0)),
                               rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), R),
                               rvAttachPlace(loads[1], rvVec(0, 0, 0))};
        places[WHEEL].wheel.inertia = rim * R * R;
        places[WHEEL].friction = MU;
        rvCableId rope = add_rope(world, RV_CABLE_ALE, places);
        double before = all_energy(world), angle = 0.0;
        for (int n = 0; n < lround(1.0 / h); ++n) {
            run(world, h, h);
            for (int k = 0; k < 2; ++k) {
                rvVec3 at = rvBody_GetPose(world, loads[k]).p;
                angle = fmax(angle, fabs(at.x - (k ? R : -R)) / -at.z);
            }
        }
        Slide closed = {.weights = {60.0, 60.0}, .length = length, .rim = rim, .speed = speed};
        go_on(&closed, 1.0);
        assert_true(closed.sticks);
        double down1 = -rvBody_GetVelocity(world, loads[down]).z;
        double rim1 = (down ? 1.0 : -1.0) * R * rvCable_GetWheelSpeed(world, rope, WHEEL);
        // where it comes to stick both take the mean speed of a step, in which the rope loses h 3 m/s^2; the way has
        // that for half a second, and the h v/2 of the steps of bodies
        CHECK_NEAR(down1, closed.speed, 3.0 * h);
        CHECK_NEAR(-length - rvBody_GetPose(world, loads[down]).p.z, closed.way, 3.0 * h);
        // half a step of a = 0.4 m/s^2, and a rope stretched by 6e-5
        CHECK_NEAR(rim1, down1, 0.2 * h + 1e-4 * down1);
        // what moves has less or more by that speed; what the rope rings by is heat too
        double moves = 120.0 + PER_METRE * (2.0 * length + PI * R) + rim;
        CHECK_NEAR(rvCable_GetEnergy(world, rope).heat, closed.heat, moves * closed.speed * 3.0 * h + 1.0);
        // books close, but for the height of what lies on the wheel: its ends go up and down as the falls swing
        double arc = PER_METRE * PI * R * GRAVITY;
        CHECK_NEAR(all_energy(world), before, arc * R * angle + 1e-6); // and rounding
        rvDestroyWorld(world);
    }
}

// A driven wheel on a body that turns freely about its axle: whatever the rope does, the body gets the torque of the
// drive and no other.
static void CarriersFeelWhatTurnsTheirWheel(void** state)
{
    (void)state;
    const double h = 1.0 / 240.0, torque = 300.0, inertia = 40.0, t = 1.0;
    for (int i = 0; i < 2; ++i) {
        rvWorld* world = make_world();
        rvBodyDef def = rvDefaultBodyDef();
        def.mass = 1000.0;
        def.inertia = rvMat3Diagonal(inertia, inertia, inertia);
        rvBodyId carrier = add_body(world, &def);
        rvJointDef hinge = rvDefaultJointDef(RV_JOINT_HINGE);
        rvJointId id;
        CHECK_OK(world, rvJointDef_Place(world, &hinge, RV_NULL_BODY, carrier, rvVec(0, 0, 0), rvVec(0, 1, 0)));
        CHECK_OK(world, rvCreateJoint(world, &hinge, &id));
        rvBodyId loads[2];
        for (int k = 0; k < 2; ++k)
            loads[k] = add_weight(world, 60.0, rvVec(k ? R : -R, 0, -5.0), 0.0);
        rvPlaceDef places[] = {rvAttachPlace(loads[0], rvVec(0, 0, 0)),
                               rvSheavePlace(carrier, rvVec(0, 0, 0), rvVec(0, 1, 0), R),
                               rvAttachPlace(loads[1], rvVec(0, 0, 0))};
        places[WHEEL].wheel.inertia = 4.0;
        if (i == 1)
            places[WHEEL].friction = MU;
        rvCableId rope = add_rope(world, RV_CABLE_ALE, places);
        rvSettleReport report;
        CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
        CHECK_OK(world, rvCable_SetWheelDrive(world, rope, WHEEL, 1e3, torque));
        run(world, t, h);
        double rope1 = rvBody_GetVelocity(world, loads[0]).z, spin = rvBody_GetAngularVelocity(world, carrier).y;
        double rim1 = R * (rvCable_GetWheelSpeed(world, rope, WHEEL) + spin);
        // the rope on the arc is taken along by the falls, which pull at the carrier
        double closed = -(torque - R * PER_METRE * R * PI * rope1 / t) * t / inertia;
        CHECK_NEAR(spin, (1.0 - h / t) * closed, 0.2 * h / t * torque * t / inertia); // past forces: a step later
        assert_true(i == 0 ? fabs(rim1 - rope1) < 0.01 * rope1 : rim1 > 2.0 * rope1); // half a step of a = 6.5 m/s^2
        assert_true(fabs(rvCable_GetWheelTorque(world, rope, WHEEL) - torque) < 1e-9 * torque);
        rvDestroyWorld(world);
    }
}

// A traction sheave drives two weights that its rope cannot move: its bearing and its drive are known apart.
static void BearingsAndDrivesShareAWheel(void** state)
{
    (void)state;
    const double h = 1.0 / 240.0, share = 0.1;
    rvWorld* world = make_world();
    rvPlaceDef places[] = {rvAttachPlace(add_weight(world, 60.0, rvVec(-R, 0, -5.0), 0.0), rvVec(0, 0, 0)),
                           rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), R),
                           rvAttachPlace(add_weight(world, 60.0, rvVec(R, 0, -5.0), 0.0), rvVec(0, 0, 0))};
    places[WHEEL].wheel.inertia = 4.0;
    places[WHEEL].wheel.bearing = share;
    rvCableId rope = add_rope(world, RV_CABLE_ALE, places);
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    double side = GRAVITY * (60.0 + PER_METRE * 5.0), holds = R * share * 2.0 * side;
    CHECK_OK(world, rvCable_SetWheelDrive(world, rope, WHEEL, 10.0, 0.9 * holds));
    run(world, 1.0, h);
    CHECK_NEAR(rvCable_GetWheelSpeed(world, rope, WHEEL), 0.0, 1e-9); // the bearing holds it
    CHECK_OK(world, rvCable_SetWheelDrive(world, rope, WHEEL, 10.0, 1.2 * holds));
    run(world, 0.5, h);
    // 0.2 of it are left for what turns: 4 kg m^2, 136 kg at the rim, the rope that runs over 1 % more
    double mass = 4.0 / (R * R) + 120.0 + PER_METRE * (10.0 + R * PI), a = 0.2 * holds / R / mass;
    CHECK_NEAR(R * rvCable_GetWheelSpeed(world, rope, WHEEL), 0.5 * a, 0.03 * 0.5 * a);
    rvDestroyWorld(world);
}

// A wheel that hangs in a rope is turned about axes across its own, faster than ends of the rope are led after its
// tangent points. They stay beside it. (What a led end was put along the rope counted as its speed, which turned across
// the rope with the wheel: from a fifth of a radian a step on the rope was led away from its wheel, by 88 m here.)
static void RopeStaysOnAWheelThatTumbles(void** state)
{
    (void)state;
    static const double spins[] = {9.0, 12.0, 18.0};
    static const rvVec3 axes[] = {{1, 0, 0}, {1, 0, 1}, {1, 1, 1}};
    const double h = 1.0 / 30.0, r = 0.1;
    for (int k = 0; k < 18; ++k) {
        bool led = k < 9;
        rvVec3 w = rvScale(spins[k % 3] / rvLength(axes[k / 3 % 3]), axes[k / 3 % 3]), points[100];
        rvWorld* world = make_world();
        rvBodyDef def = rvDefaultBodyDef();
        def.type = led ? RV_BODY_KINEMATIC : RV_BODY_DYNAMIC;
        def.mass = 20.0;
        def.inertia = rvBallInertia(20.0, 0.3);
        def.angularVelocity = led ? rvVec(0, 0, 0) : w;
        def.pose.p = rvVec(0, 0, -10);
        rvBodyId body = add_body(world, &def);
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-r, 0, 0)),
                               rvSheavePlace(body, rvVec(0, 0, 0), rvVec(0, -1, 0), r),
                               rvAttachPlace(RV_NULL_BODY, rvVec(r, 0, 0))};
        rvCableDef rope = rvDefaultCableDef(RV_CABLE_ALE);
        rope.massPerLength = 0.4;
        rope.axialStiffness = 5e4;
        rope.damping = 5e-3;
        rope.bendingStiffness = 1e-3;
        rope.elements = 4;
        rvCableId id = add_cable_of(world, rope, places, 3);
        for (int i = 0; i < 90; ++i) {
            if (led)
                CHECK_OK(world,
                         rvBody_MoveTo(world, body, (rvPose){def.pose.p, rvQuatFromRotation(rvScale((i + 1) * h, w))}));
            CHECK_OK(world, rvWorld_Step(world, h));
            rvVec3 at = rvBody_GetPose(world, body).p;
            int count = rvCable_GetShape(world, id, points, 100);
            for (int n = 0; n < count; ++n)
                // of the rope beside it: its end may have to go from one side of the wheel to the other, 2 r, and
                // overshoot by w r h/(0.2 e); beyond the first tenth it swings as it likes
                if (points[n].z < 0.9 * at.z)
                    CHECK_BELOW(hypot(points[n].x - at.x, points[n].y - at.y),
                                (3.0 + rvLength(w) * h / (0.2 * 2.718)) * r);
        }
        rvDestroyWorld(world);
    }
}

// A lift: a drive speeds two weights up over a wheel, lets them run and stops them again. What it does is booked when
// it is in the energies: heat does not fall as it speeds up, and is the same at any step. (Booked a step early it fell,
// and the guard took that out of the rope, which rang.)
static void WorkOfADriveIsBookedInItsStep(void** state)
{
    (void)state;
    const double steps[] = {0.005, 0.0167, 0.033};
    double heats[3];
    for (int k = 0; k < 3; ++k) {
        double h = steps[k], most = 0.0, falls = 0.0, time = 0.0;
        rvSettleReport report;
        rvWorld* world = make_world();
        rvBodyId car = add_ball(world, 2000.0, 0.5, rvVec(-0.6, 0, -40));
        rvBodyId other = add_ball(world, 2400.0, 0.5, rvVec(0.6, 0, -25));
        rvPlaceDef places[] = {rvAttachPlace(car, rvVec(0, 0, 0)),
                               rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.6),
                               rvAttachPlace(other, rvVec(0, 0, 0))};
        places[1].friction = 0.25;
        places[1].wheel.inertia = 60.0;
        places[1].wheel.driveTorque = 2e4;
        rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
        def.axialStiffness = 3e7;
        def.massPerLength = 3.5;
        def.bendingStiffness = 20.0;
        def.damping = 0.02;
        def.diameter = 0.03;
        def.elements = 24;
        rvCableId rope = add_cable_of(world, def, places, 3);
        CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
        for (int i = 0; i < lround(8.0 / h); ++i, time += h) {
            double speed = 5.0 * fmin(fmin(fmax(time - 1.0, 0.0) / 2.0, 1.0), fmax(7.0 - time, 0.0) / 2.0);
            CHECK_OK(world, rvCable_SetWheelDrive(world, rope, 1, speed, 2e4));
            CHECK_OK(world, rvWorld_Step(world, h));
            double heat = rvWorld_GetEnergy(world).heat;
            most = fmax(most, heat);
            falls = fmax(falls, most - heat);
        }
        heats[k] = rvWorld_GetEnergy(world).heat;
        assert_true(rvWorld_GetEnergy(world).guard == 0.0);
        // where a ramp begins and ends: of the kilowatts that the power changes by there half a step, squared
        CHECK_BELOW(falls, 7e4 * h * h);
        rvDestroyWorld(world);
    }
    for (int k = 1; k < 3; ++k) // of 200 kJ that the drive moves: of second order
        CHECK_NEAR(heats[k], heats[0], 6e3 * steps[k] * steps[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RopeSlipsOverAHeavyWheel),        cmocka_unit_test(RopeCatchesUpWithItsWheel),
        cmocka_unit_test(CarriersFeelWhatTurnsTheirWheel), cmocka_unit_test(BearingsAndDrivesShareAWheel),
        cmocka_unit_test(RopeStaysOnAWheelThatTumbles),    cmocka_unit_test(WorkOfADriveIsBookedInItsStep),
    };
    return RUN_TESTS(tests);
}
