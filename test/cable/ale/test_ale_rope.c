// SPDX-License-Identifier: MIT
// Rope over sheaves, as finite elements that it flows through: with bending stiffness, and at rest where bearings rub.
#include "world/machines.h"

#define PI 3.14159265358979323846

static const double RADIUS = 0.2, MASS = 50.0, PER_METRE = 0.01;

// From an attached end or a winch level to a sheave, and down to a load.
static rvWorld* make_hoist(double bending, bool winch, rvBodyId* load, rvCableId* rope)
{
    rvWorld* world = make_world();
    *load = add_ball(world, MASS, 0.1, rvVec(RADIUS, 0, -6));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-4, 0, RADIUS)),
                           rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), RADIUS),
                           rvAttachPlace(*load, rvVec(0, 0, 0))};
    if (winch)
        places[0] = rvWinchPlace(RV_NULL_BODY, places[0].point, 0.0);
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
    def.places = places;
    def.placeCount = 3;
    def.axialStiffness = 1e7;
    def.bendingStiffness = bending;
    def.massPerLength = PER_METRE;
    def.damping = 0.01;
    def.elements = 20;
    CHECK_OK(world, rvCreateCable(world, &def, rope));
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    assert_true(report.settled);
    return world;
}

// The elastica: T + EI k^2/2 is the same all along, so on the wheel the rope pulls by T - EI/(2 r^2) and carries the
// moment EI/r. About the axle  T a = (T - EI/(2 r^2)) r + EI/r,  so the load hangs at the arm a = r + EI/(2 r T).
static void StiffRopeHangsOffItsSheave(void** state)
{
    (void)state;
    const double bending[] = {0.1, 1.0, 4.0};
    for (int i = 0; i < 3; ++i) {
        rvBodyId load;
        rvCableId rope;
        rvWorld* world = make_hoist(bending[i], false, &load, &rope);
        double off = bending[i] / (2.0 * RADIUS * MASS * GRAVITY), pull = MASS * GRAVITY;
        // the arm is that to the line of the pull at the sheave: 0.6 N of rope hang between it and the load
        CHECK_NEAR(rvBody_GetPose(world, load).p.x - RADIUS, off, off * 2.0 * PER_METRE * 6.0 / MASS);
        CHECK_NEAR(rvCable_GetTension(world, rope, 0), rvCable_GetTension(world, rope, 1), 2e-3 * pull); // both falls
        for (int k = 0; k < 200; ++k)
            CHECK_OK(world, rvWorld_Step(world, 0.005));
        CHECK_NEAR(rvBody_GetPose(world, load).p.x - RADIUS, off, off * 2.0 * PER_METRE * 6.0 / MASS); // and stays
        rvDestroyWorld(world);
    }
}

// EI phi/(2 r) of a wrap phi.
static void WrapStoresTheEnergyOfItsBend(void** state)
{
    (void)state;
    double elastic[2], bending[2] = {0.01, 1.0};
    for (int i = 0; i < 2; ++i) {
        rvBodyId load;
        rvCableId rope;
        rvWorld* world = make_hoist(bending[i], false, &load, &rope);
        CHECK_OK(world, rvWorld_Step(world, 0.005)); // energies are read by the step
        elastic[i] = rvWorld_GetEnergy(world).elastic;
        rvDestroyWorld(world);
    }
    double more = (bending[1] - bending[0]) * 0.5 * PI / (2.0 * RADIUS);
    // the bend that fades out in the two falls has half the curvature over sqrt(EI/T) = 4.5 cm: 1/16 of its part of the
    // arc, so at most 2 * 0.045/(16 * 0.314) of it; the wrap is less by 1e-3
    CHECK_NEAR(elastic[1] - elastic[0], more, 0.02 * more);
}

// What rope takes when it is bent it gives back when it is straight again: lifting costs no more than with limp rope.
static void RopeThatRunsOverAWheelBendsForNothing(void** state)
{
    (void)state;
    double work[2], way[2];
    for (int i = 0; i < 2; ++i) {
        rvBodyId load;
        rvCableId rope;
        rvWorld* world = make_hoist(i ? 1.0 : 0.01, true, &load, &rope);
        CHECK_OK(world, rvWorld_Step(world, 0.005));
        double before = rvWorld_GetEnergy(world).work, start = rvBody_GetPose(world, load).p.z;
        CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, -0.5));
        for (int k = 0; k < 800; ++k)
            CHECK_OK(world, rvWorld_Step(world, 0.005));
        CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, 0.0));
        for (int k = 0; k < 400; ++k)
            CHECK_OK(world, rvWorld_Step(world, 0.005));
        work[i] = rvWorld_GetEnergy(world).work - before;
        way[i] = rvBody_GetPose(world, load).p.z - start;
        rvDestroyWorld(world);
    }
    CHECK_NEAR(way[0], 2.0, 1e-3); // of 2 m of rope, stretched by 1e-4
    CHECK_NEAR(way[1], 2.0, 1e-3);
    // bent once for good, 2 m would take EI/(2 r^2) = 12.5 N of the pull, 25 J. The winch's start and stop make a swing
    CHECK_NEAR(work[1], work[0], 1e-3 * work[0]);
}

// A level span that sags pulls far less stiffly than straight rope would: what slips over the bearing until the pulls
// agree is found with the load and the sag together.
static void LightLoadOverABearingComesToRest(void** state)
{
    (void)state;
    const double bearing = 0.02, radius = 0.25, perMetre = 1.5, k = bearing * sin(0.25 * PI);
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 1.0, 0.1, rvVec(radius, 0, -15));
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-6, 0, radius), 0.0),
                           rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), radius),
                           rvAttachPlace(load, rvVec(0, 0, 0))};
    places[1].wheel.bearing = bearing;
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
    def.places = places;
    def.placeCount = 3;
    def.axialStiffness = 3e7;
    def.massPerLength = perMetre;
    def.bendingStiffness = 0.01;
    def.damping = 0.02;
    def.elements = 20;
    rvCableId rope;
    CHECK_OK(world, rvCreateCable(world, &def, &rope));
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    assert_true(report.settled);
    // the tight level span ran out over the bearing until this just held, with half of the arc on either side, which is
    // `radius` long in height. A tension is the mean of an element, which turns by 0.06 rad: off by the square of half
    // of that
    double pull = rvCable_GetEndTension(world, rope, 1, 0), arc = 0.5 * perMetre * radius * GRAVITY;
    CHECK_NEAR(rvCable_GetEndTension(world, rope, 0, 1), (1.0 + k) / (1.0 - k) * (pull + arc) + arc, 1e-3 * pull);
    // the rope that ran out is less than twice its sag: 6 m under 240 N sag by 0.28 m, and that is 3.5 cm of length
    CHECK_NEAR(pull, (1.0 + 15.0 * perMetre) * GRAVITY, perMetre * GRAVITY * 0.07);
    rvVec3 start = rvBody_GetPose(world, load).p;
    for (int i = 0; i < 100; ++i)
        CHECK_OK(world, rvWorld_Step(world, 0.01));
    // the balance is good to 1e-9 of the load; in a second that would be as much of its fall, 5 m
    CHECK_NEAR(rvDistance(rvBody_GetPose(world, load).p, start), 0.0, 1e-8);
    rvDestroyWorld(world);
}

// A rope between points of the world over a locked wheel: no body takes part, and the wheel rubs and the drive slips
// all the same.
static void RopeWithoutBodiesRubsAndItsDriveSlips(void** state)
{
    (void)state;
    const double EA = 1e6, limit = 2e4, e = exp(0.3 * 0.5 * PI);
    rvWorld* world = make_world();
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-3, 0, RADIUS), -0.05),
                           rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), RADIUS),
                           rvAttachPlace(RV_NULL_BODY, rvVec(RADIUS, 0, -4))};
    places[0].winch.maxForce = limit;
    places[1].friction = 0.3;
    places[1].wheel.locked = true;
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
    def.places = places;
    def.placeCount = 3;
    def.axialStiffness = EA;
    def.massPerLength = PER_METRE;
    def.bendingStiffness = 0.01;
    def.damping = 0.02;
    def.elements = 12;
    rvCableId rope;
    CHECK_OK(world, rvCreateCable(world, &def, &rope));
    for (int i = 0; i < 800; ++i)
        CHECK_OK(world, rvWorld_Step(world, 0.005));
    double before = rvCable_GetTension(world, rope, 0), behind = rvCable_GetTension(world, rope, 1);
    // the drive slips by the tension; what rubs works on the rope's coordinate, that is T (1 + T/(2 EA)) to third
    // order, EA (T/EA)^3; the rope weighs 0.7 N
    double third = limit * limit * limit / (EA * EA);
    CHECK_NEAR(before, limit, 0.7);
    CHECK_NEAR(before * (1.0 + 0.5 * before / EA), e * behind * (1.0 + 0.5 * behind / EA), third + 0.7 * e);
    rvDestroyWorld(world);
}

// Both ends on one body, as a handle has them: rope and body weigh what they weigh, and the rope swings below a body
// that is pushed aside. A force that carries both leaves both where they are, and one aside moves their centre of mass
// by F t^2/(2 (M + m)).
static void RopeWithBothEndsOnOneBodyIsCarried(void** state)
{
    (void)state;
    static const rvCableModel models[] = {RV_CABLE_ANCF, RV_CABLE_ALE, RV_CABLE_CURVE};
    for (int k = 0; k < 3; ++k) {
        double mass = 10.0, length = 1.0, perMetre = 0.5, all = mass + length * perMetre, push = 5.0, h = 0.002,
               t = 1.0;
        rvWorld* world = make_world();
        rvBodyId body = add_box(world, mass, rvVec(0.6, 0.2, 0.1), rvVec(0, 0, 0));
        rvPlaceDef places[] = {rvAttachPlace(body, rvVec(-0.2, 0, 0)), rvAttachPlace(body, rvVec(0.2, 0, 0))};
        rvCableDef def = rvDefaultCableDef(models[k]);
        def.places = places;
        def.placeCount = 2;
        def.length = length;
        def.axialStiffness = 1e5;
        def.bendingStiffness = 0.01;
        def.massPerLength = perMetre;
        def.diameter = 0.01;
        def.damping = 0.01;
        def.elements = 12;
        rvCableId rope;
        CHECK_OK(world, rvCreateCable(world, &def, &rope));
        rvVec3 points[64];
        for (int i = 0; i < lround(t / h); ++i) {
            rvVec3 lift = rvVec(push, 0, all * GRAVITY);
            CHECK_OK(world, rvBody_ApplyForce(world, body, lift, rvBody_GetPose(world, body).p));
            CHECK_OK(world, rvWorld_Step(world, h));
        }
        int count = rvCable_GetShape(world, rope, points, 64);
        rvVec3 at = rvBody_GetPose(world, body).p, sum = {0, 0, 0};
        for (int i = 0; i < count; ++i)
            sum = rvMulAdd(sum, (i == 0 || i == count - 1 ? 0.5 : 1.0) / (count - 1), points[i]);
        double far = (mass * at.x + length * perMetre * sum.x) / all;
        // by rule and by force the way is of first order in a step: v h; the mean of the drawn points is that of the
        // rope within 1 %
        CHECK_NEAR(far, 0.5 * push / all * t * t, push / all * t * h + 0.01 * length * perMetre / all * 0.4);
        CHECK_NEAR(
            at.z, 0.0,
            0.01); // as the rope swings aside by a radian of half a metre, it lifts its 5 % of the mass by 0.2 m at
                   // most
        rvDestroyWorld(world);
    }
}

// Two loads over a wheel that has more rope on it than the falls beside it: what it gives them by their tension must
// not feed back. A push swings the tension by its share, once. (It grew to 30 kN.)
static void LongArcBesideShortFallsDoesNotRing(void** state)
{
    (void)state;
    const double steps[] = {1e-3, 5e-3, 1.0 / 60.0}, mass = 200.0, push = 100.0;
    for (int k = 0; k < 3; ++k) {
        double h = steps[k];
        rvWorld* world = make_world();
        rvBodyId loads[2];
        for (int i = 0; i < 2; ++i)
            loads[i] = add_mass(world, RV_BODY_DYNAMIC, mass, 1.0, rvVec(2.0 * i - 1.0, 0, -1));
        rvPlaceDef places[] = {rvAttachPlace(loads[0], rvVec(0, 0, 0)),
                               rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 1.0),
                               rvAttachPlace(loads[1], rvVec(0, 0, 0))};
        rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
        def.axialStiffness = 3e6;
        def.massPerLength = 0.5;
        def.damping = 0.01;
        def.elements = 8;
        rvCableId rope = add_cable_of(world, def, places, 3);
        CHECK_OK(world, rvWorld_Settle(world, NULL, NULL));
        double weight = mass * GRAVITY, off = 0.0;
        for (int i = 0; i < lround(3.0 / h); ++i) {
            if (i * h > 0.2 && i * h < 0.5)
                CHECK_OK(world,
                         rvBody_ApplyForce(world, loads[1], rvVec(0, 0, -push), rvBody_GetPose(world, loads[1]).p));
            CHECK_OK(world, rvWorld_Step(world, h));
            off = fmax(off, fabs(rvCable_GetTension(world, rope, 1) - weight));
        }
        // its share is half of it, twice that as it starts at once, and that again as a step rings; a metre of rope
        CHECK_BELOW(off, 2.0 * push + 0.5 * GRAVITY);
        rvDestroyWorld(world);
    }
}

// A block is lifted and its brake holds at once. Rope that is pressed along itself gives way, so nothing holds the
// block: it goes on upwards by u^2/(2 g), falls back and is caught, and the books close.
static void brake_block(double bending)
{
    const double r = 0.2, u = 2.0, h = 1.0 / 240.0, mass = 1000.0;
    rvWorld* world = make_world();
    rvBodyId block = add_box(world, mass, rvVec(1, 0.2, 0.5), rvVec(0, 0, -22));
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-r, 0, 0), -2.0 * u),
                           rvSheavePlace(block, rvVec(0, 0, 2), rvVec(0, 1, 0), r),
                           rvAttachPlace(RV_NULL_BODY, rvVec(r, 0, 0))};
    places[0].winch.acceleration = 4.0;
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
    def.axialStiffness = 2e7;
    def.massPerLength = 0.01;
    def.bendingStiffness = bending;
    def.damping = 0.02;
    def.elements = 20;
    rvCableId rope = add_cable_of(world, def, places, 3);
    CHECK_OK(world, rvWorld_Settle(world, NULL, NULL));
    for (int i = 0; i < 480; ++i)
        CHECK_OK(world, rvWorld_Step(world, h));
    CHECK_OK(world, rvCable_SetWinchBrake(world, rope, 0, true));
    double start = rvBody_GetPose(world, block).p.z, speed = rvBody_GetVelocity(world, block).z, high = 0.0;
    CHECK_NEAR(speed, u, 0.01 * u); // it bounces a little
    double energy = total_energy(world), books = 0.0, slack = HUGE_VAL;
    for (int i = 0; i < 240; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        rvEnergy e = rvWorld_GetEnergy(world);
        double now = e.kinetic + e.potential + e.elastic + e.heat - e.work;
        books = i == 0 ? now : books;
        CHECK_NEAR(now, books, 1e-3 * 0.5 * mass * u * u); // a tenth of a percent of what is stopped
        high = fmax(high, rvBody_GetPose(world, block).p.z - start);
        slack = fmin(slack, rvCable_GetTension(world, rope, 0));
    }
    CHECK_NEAR(high, 0.5 * speed * speed / GRAVITY, u * h); // the step that brakes
    // what is read of slack rope is no more than an element carries: pi^2 EI/l^2, l of two to 2.4 metres, and of one
    // that was merged or split 1.5 times as much or less
    CHECK_BELOW(-slack, 3.2 * 3.2 * def.bendingStiffness / (1.3 * 1.3));
    CHECK_BELOW(total_energy(world), energy + 0.02 * 0.5 * mass * u * u); // what the guard allows
    rvDestroyWorld(world);
}

// Limp rope, and rope whose elements weigh a hundredth of their Euler load. (It stood as a bar: 0.04 m.)
static void BlockGoesOnUpwardsWhenItsWinchIsBraked(void** state)
{
    (void)state;
    brake_block(1e-3);
    brake_block(10.0);
}

// A hand that carries a load turns back at once, from one speed to its opposite: no force works along the mean of both,
// which is rounding. (Booked along that it was 1e13 N.)
static void HandThatTurnsBackPullsNoHarderThanTheRope(void** state)
{
    (void)state;
    const double u = 0.2, h = 0.005, length = 5.8, mass = 20.0;
    rvWorld* world = make_world();
    rvBodyDef led = rvDefaultBodyDef();
    led.type = RV_BODY_KINEMATIC;
    rvBodyId hand = add_body(world, &led), load = add_ball(world, mass, 0.1, rvVec(1, 0, 0));
    rvPlaceDef places[] = {rvAttachPlace(hand, rvVec(0, 0, 0)),
                           rvSheavePlace(RV_NULL_BODY, rvVec(0.5, 0, 2), rvVec(0, 1, 0), 0.5),
                           rvAttachPlace(load, rvVec(0, 0, 0))};
    places[1].friction = 0.2;
    places[1].wheel.locked = true;
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
    def.axialStiffness = 2e5;
    def.massPerLength = 0.05;
    def.bendingStiffness = 1e-3;
    def.damping = 0.02;
    def.elements = 10;
    def.length = length;
    add_cable_of(world, def, places, 3);
    CHECK_OK(world, rvWorld_Settle(world, NULL, NULL));
    double most = 0.0;
    for (int i = 1; i <= 400; ++i) {
        rvPose pose = rvPoseIdentity();
        pose.p.z = u * h * (i <= 200 ? i : 400 - i);
        rvVec3 force, torque;
        CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
        CHECK_OK(world, rvWorld_Step(world, h));
        rvBody_GetWrench(world, hand, &force, &torque);
        most = fmax(most, rvLength(force));
    }
    // the load that swings up, the rope that is stopped in one step and its damping; friction makes e times that of it
    double rope = def.massPerLength * length, e = exp(places[1].friction * 3.14159265358979);
    double blow = sqrt(mass * def.axialStiffness / length) + rope / h + def.axialStiffness * def.damping / length;
    CHECK_BELOW(most, e * (mass * GRAVITY + 2.0 * u * blow));
    rvDestroyWorld(world);
}

// Over a wheel of 1 m: what is read at a length along the rope, arc included, is what hangs below that point, on either
// side of the wheel, and it is there.
static void SectionsBeyondAWheelAreWhereTheRopeIs(void** state)
{
    (void)state;
    double r = 1.0, rho = 5.0, mass = 100.0, left = 4.0, right = 6.0, arc = 3.14159265358979 * r, g = GRAVITY;
    rvWorld* world = make_world();
    rvBodyId load = add_mass(world, RV_BODY_DYNAMIC, mass, 1.0, rvVec(r, 0, -right));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-r, 0, -left)),
                           rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), r),
                           rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
    def.axialStiffness = 1e8;
    def.massPerLength = rho;
    def.damping = 0.02;
    def.diameter = 0.01;
    def.bendingStiffness = 1e-3;
    def.elements = 20;
    rvCableId rope = add_cable_of(world, def, places, 3);
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    CHECK_OK(world, rvWorld_Step(world, 1e-3));
    double length = rvCable_GetRestLength(world, rope), top = (mass + rho * right) * g;
    CHECK_NEAR(length, left + arc + right, 1e-3);
    for (int i = 0; i <= 26; ++i) {
        double s = fmin(0.5 * i, length);
        rvCableSection section;
        assert_true(rvCable_GetSection(world, rope, s, &section));
        double deep = s < left ? left - s : s > left + arc ? s - left - arc : 0.0;
        // on the wheel it carries what the nearer fall does at its rim
        CHECK_NEAR(section.tension, top - rho * g * deep, 1e-3 * top);
        CHECK_NEAR(section.point.z, -deep, 2e-3);
        CHECK_NEAR(section.point.x, s < left + 0.5 * arc ? -r : r, 2e-3);
    }
    rvVec3 force, torque;
    rvCable_GetForceOn(world, rope, load, &force, &torque);
    CHECK_NEAR(force.z, mass * g, 1e-3 * mass * g);
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RopeWithBothEndsOnOneBodyIsCarried),
        cmocka_unit_test(StiffRopeHangsOffItsSheave),
        cmocka_unit_test(WrapStoresTheEnergyOfItsBend),
        cmocka_unit_test(RopeThatRunsOverAWheelBendsForNothing),
        cmocka_unit_test(LightLoadOverABearingComesToRest),
        cmocka_unit_test(RopeWithoutBodiesRubsAndItsDriveSlips),
        cmocka_unit_test(LongArcBesideShortFallsDoesNotRing),
        cmocka_unit_test(BlockGoesOnUpwardsWhenItsWinchIsBraked),
        cmocka_unit_test(HandThatTurnsBackPullsNoHarderThanTheRope),
        cmocka_unit_test(SectionsBeyondAWheelAreWhereTheRopeIs),
    };
    return RUN_TESTS(tests);
}
