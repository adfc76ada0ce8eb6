// SPDX-License-Identifier: MIT
// Spans with mass at their limits: slack, vertical, with ends that meet, light loads on heavy ropes, cut and joined.
#include "world/machines.h"

static rvCableId add_rope(rvWorld* world, const rvPlaceDef* places, int count, double mass, double stiffness,
                          double length, bool straight)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_LAYERED);
    def.axialStiffness = stiffness;
    def.massPerLength = mass;
    def.length = length;
    def.straight = straight;
    def.places = places;
    def.placeCount = count;
    rvCableId rope;
    CHECK_OK(world, rvCreateCable(world, &def, &rope));
    return rope;
}

// No rope, load, start or stiffness makes a step fail or motion out of nothing, at 60 Hz and without any damping.
static void RoughRopesDoNotExplode(void** state)
{
    (void)state;
    const double loads[] = {0.05, 2.0, 500.0}, masses[] = {0.1, 1.0, 6.0}, longer[] = {1.0, 1.02, 1.5};
    const rvVec3 starts[] = {{0, 0, -10}, {8, 1, 3}, {0.01, 0, -0.02}, {-6, 2, -6}};
    for (int i = 0; i < 3 * 3 * 3 * 4 * 2; ++i) {
        double load = loads[i % 3], mass = masses[i / 3 % 3], more = longer[i / 9 % 3];
        rvVec3 start = starts[i / 27 % 4];
        rvWorld* world = make_world();
        rvBodyId body = add_ball(world, load, 0.1, start);
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(body, rvVec(0, 0, 0))};
        double length = more * fmax(rvLength(start), 4.0);
        // all of it from the start down to where a sudden load stretches the rope to
        double weight = (load + mass * length) * GRAVITY, stiffness = i / 108 ? 1e7 : 2e4;
        double fall = weight * (start.z + length * (1.0 + 2.0 * weight / stiffness));
        add_rope(world, places, 2, mass, stiffness, length, i / 27 % 2 == 0);
        for (int n = 0; n < 600; ++n) {
            CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
            CHECK_BELOW(rvWorld_GetEnergy(world).kinetic, fall);
        }
        rvDestroyWorld(world);
    }
}

// A taut pendulum keeps its energy whatever the rope weighs: also where every wave of it is far too fast for the step.
static void TautPendulumKeepsItsEnergyOnAnyRope(void** state)
{
    (void)state;
    const double masses[] = {1e-6, 1e-4, 1e-3, 1e-2, 0.1, 1.0};
    for (int i = 0; i < 6; ++i) {
        rvWorld* world = make_world();
        rvBodyId body = add_ball(world, 100.0, 0.1, rvVec(10.0 * sin(0.5), 0, -10.0 * cos(0.5)));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(body, rvVec(0, 0, 0))};
        add_rope(world, places, 2, masses[i], 1e6, 10.0, false);
        double lowest = -(100.0 + 5.0 * masses[i]) * GRAVITY * 10.0, start = 0.0;
        for (int n = 0; n < 1800; ++n) {
            CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
            double energy = total_energy(world) - lowest;
            start = n == 0 ? energy : start;
            // of the swing (h w)^2 = 2.7e-4; of the bounce, 1.3 % of all, (h w)^2/4 = 0.07: to and fro, it does not
            // grow
            CHECK_BELOW(energy, (1.0 + 1e-3) * start);
            // waves that the bounce of the load shakes are lost where the step cannot follow them
            CHECK_BELOW(0.995 * start, energy);
        }
        rvDestroyWorld(world);
    }
}

// A load on a circle, six steps to the radian at the most: the rope turns in each step, which its rows do not see, and
// that is no stretch. All of it has the tension of the circle, whatever damps it.
static void TensionOfATurningRopeIsThatOfItsCircle(void** state)
{
    (void)state;
    const double steps[] = {1.0 / 30.0, 1.0 / 60.0, 0.005};
    for (int i = 0; i < 3; ++i) {
        rvWorld* world = make_world();
        double slope = 3.14159265358979323846 / 3.0, l = 1.4, mass = 100.0, out = l * sin(slope), h = steps[i];
        rvBodyId load = add_ball(world, mass, 0.05, rvVec(out, 0, -l * cos(slope)));
        double speed = sqrt(GRAVITY * out * tan(slope)), tension = mass * GRAVITY / cos(slope);
        rvBody_SetVelocity(world, load, rvVec(0, speed, 0), rvVec(0, 0, 0));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = layered_rope(places, 2, 2e6, 0.05, l / (1.0 + tension / 2e6));
        def.damping = 0.05;
        rvCableId rope = create_cable(world, &def);
        double sum = 0.0;
        int count = (int)(2.0 / h);
        step_world(world, h, (int)(0.2 / h)); // the start has no past
        for (int n = 0; n < count; ++n) {
            step_world(world, h, 1);
            sum += rvCable_GetTension(world, rope, 0) / count;
        }
        double turn = h * speed / out; // of the step's chord against the arc; rope: half of 70 g
        CHECK_NEAR(sum, tension, (turn * turn + 0.035 / mass + 1e-3) * tension);
        rvDestroyWorld(world);
    }
}

// A loose rope under its upper end is a loop: of rope N with its ends z apart w (N^2 + 2 z N - z^2)/4 has fallen. A
// load that goes down on it, however heavy the rope, wins just that.
static void LooseVerticalRopeIsALoop(void** state)
{
    (void)state;
    const double loads[] = {0.05, 2.0, 50.0}, h = 1e-3, length = 12.0, w = 6.0 * GRAVITY;
    for (int i = 0; i < 3; ++i) {
        rvWorld* world = make_world();
        rvBodyId body = add_ball(world, loads[i], 0.1, rvVec(0, 0, -4));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(body, rvVec(0, 0, 0))};
        add_rope(world, places, 2, 6.0, 1e7, length, true);
        double start = 0.0, fallen = 0.0;
        for (int n = 0; n < 700 && fallen < 7.9; ++n) {
            CHECK_OK(world, rvWorld_Step(world, h));
            fallen = -4.0 - rvBody_GetPose(world, body).p.z;
            double speed = -rvBody_GetVelocity(world, body).z;
            double z = 4.0 + fallen - 0.5 * h * speed; // energies are those of the half step
            double expected = -loads[i] * GRAVITY * z - 0.25 * w * (2.0 * z * length - z * z);
            double shown = rvWorld_GetEnergy(world).potential - expected;
            start = n == 0 ? shown : start;
            // the pull up of w z/2 is that of the start of the step, and its work counted once the step is over: w/2 h
            // v z
            CHECK_NEAR(shown, start, 0.5 * w * h * speed * z + 1e-6 * w);
        }
        assert_true(fallen > 1.0);
        rvDestroyWorld(world);
    }
}

// a of the catenary z = a cosh(x/a) that has this length over a level chord of 1 m.
static double catenary_of(double length)
{
    double low = 1e-3, high = 1e3;
    for (int i = 0; i < 200; ++i) {
        double middle = sqrt(low * high);
        *(2.0 * middle * sinh(0.5 / middle) > length ? &low : &high) = middle;
    }
    return low;
}

// However long the rope between two ends: it begins at rest and stays there, with the tension of the catenary.
static void RopeOfAnyLengthHangsAtRest(void** state)
{
    (void)state;
    const double lengths[] = {1.2, 1.9, 2.1, 3.0, 9.0}, mass = 3.0;
    for (int i = 0; i < 5; ++i) {
        rvWorld* world = make_world();
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                               rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 0))};
        rvCableId rope = add_rope(world, places, 2, mass, 1e10, lengths[i], false);
        double begun = energy_books(world), tension = catenary_of(lengths[i]) * mass * GRAVITY;
        for (int n = 0; n < 600; ++n) {
            CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
            CHECK_NEAR(rvCable_GetTension(world, rope, 0), tension, 1e-6 * tension); // as of other catenaries
            CHECK_NEAR(energy_books(world), begun, 1e-9);                            // round-off of 100 J in 600 steps
            CHECK_BELOW(rvWorld_GetEnergy(world).kinetic, 1e-12);
        }
        rvDestroyWorld(world);
    }
}

// Heavy ropes with light loads, sagging and thrown about: what is missing of kinetic, potential and elastic energy is
// heat.
static void SlackHeavyRopeKeepsItsBooks(void** state)
{
    (void)state;
    const double loads[] = {0.05, 2.0}, masses[] = {1.0, 6.0}, longer[] = {1.0, 1.02, 1.5}, h = 1.0 / 480.0;
    const rvVec3 starts[] = {{8, 1, 3}, {-6, 2, -6}};
    for (int i = 0; i < 48; ++i) {
        double load = loads[i % 2], mass = masses[i / 2 % 2], stiffness = i / 24 ? 1e7 : 2e4;
        rvVec3 start = starts[i / 12 % 2];
        double length = longer[i / 4 % 3] * rvLength(start), weight = (load + mass * length) * GRAVITY;
        rvWorld* world = make_world();
        rvBodyId body = add_ball(world, load, 0.1, start);
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(body, rvVec(0, 0, 0))};
        add_rope(world, places, 2, mass, stiffness, length, false);
        double begun = 0.0, fall = weight * (start.z + length);
        for (int n = 0; n < 1440; ++n) {
            CHECK_OK(world, rvWorld_Step(world, h));
            double sum = energy_books(world);
            begun = n == 0 ? sum : begun;
            // forces of weight are those of the start of the step: h sqrt(g/l) = 0.25 % of what falls, while it falls
            // and while it rises; and the stretch by weight, w N/EA, is not in the wave
            CHECK_NEAR(sum, begun, (2.0 * h * sqrt(GRAVITY / length) + weight / stiffness) * fall);
        }
        rvDestroyWorld(world);
    }
}

// A load that falls into a loose light rope is caught where the rope ends, not where its sag was; and keeps its energy.
static void FallIsCaughtAtTheEndOfTheRope(void** state)
{
    (void)state;
    const double masses[] = {1e-7, 1e-5, 1e-3}, h = 1e-3, length = 10.0;
    for (int i = 0; i < 3; ++i) {
        rvWorld* world = make_world();
        rvBodyId body = add_ball(world, 100.0, 0.1, rvVec(3, 0, -2));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(body, rvVec(0, 0, 0))};
        rvCableId rope = add_rope(world, places, 2, masses[i], 1e5, length, false);
        double highest = 0.0, begun = 0.0, left = 0.0;
        for (int n = 0; n < 5000; ++n) {
            CHECK_OK(world, rvWorld_Step(world, h));
            double chord = rvLength(rvBody_GetPose(world, body).p), tension = rvCable_GetTension(world, rope, 0);
            if (chord < 0.99 * length)
                highest = fmax(highest, tension);
            left = total_energy(world) + 100.0 * GRAVITY * length;
            begun = n == 0 ? left : begun;
        }
        // straightening 10 m of 1e-3 kg/m at 14 m/s within the step takes rho l v/h = 140 N at most; the load weighs
        // 981 N
        CHECK_BELOW(highest, masses[i] * length * 14.0 / h + 1.0);
        // in each of 3 catches, at 14 m/s: the tension is that of the middle of the step, so of its way v h at most
        // EA/(2 l) (v h)^2 is lost, and the rope may take up to its own m v^2/2
        double caught = 0.5 * 1e5 / length * pow(14.0 * h, 2) + 0.5 * masses[i] * length * 14.0 * 14.0;
        CHECK_NEAR(left, begun, 3.0 * caught);
        rvDestroyWorld(world);
    }
}

// A light rope that catches a load again and again: each time it may take its own share of the motion, a third of its
// mass, beside what the rope without mass loses by the row's damping. (Waves that swung out as the load flew up pulled
// at themselves and not at the load, which lost 15 % in 20 s.)
static void LightRopeTakesNoMoreThanItsOwnShareOfACatch(void** state)
{
    (void)state;
    const double h = 1e-3, length = 10.0, mass = 0.1, load = 100.0;
    double lost[2];
    int catches = 0;
    for (int i = 0; i < 2; ++i) {
        rvWorld* world = make_world();
        rvBodyId body = add_ball(world, load, 0.1, rvVec(3, 0, -2));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(body, rvVec(0, 0, 0))};
        i == 0 ? add_cable(world, places, 2, 1e7, length) : add_rope(world, places, 2, mass, 1e7, length, false);
        double begun = 0.0, left = 0.0, last = 0.0;
        for (int n = 0; n < 20000; ++n) {
            CHECK_OK(world, rvWorld_Step(world, h));
            double chord = rvLength(rvBody_GetPose(world, body).p);
            catches += i == 1 && chord >= length && last < length;
            last = chord;
            left = total_energy(world) + load * GRAVITY * length;
            begun = n == 0 ? left : begun;
        }
        lost[i] = 1.0 - left / begun;
        rvDestroyWorld(world);
    }
    assert_in_range(catches, 5, 30);
    CHECK_BELOW(lost[1], lost[0] + catches * mass * length / (3.0 * load));
}

// From slack to taut by a slow winch: the tension never jumps by more than the stiffness of sag and stretch gives a
// step.
static void SlackRopeComesTautWithoutAJolt(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), -0.05),
                           rvAttachPlace(RV_NULL_BODY, rvVec(20, 0, 0))};
    rvCableId rope = add_rope(world, places, 2, 1.5, 1e6, 20.5, false);
    double last = rvCable_GetTension(world, rope, 0), h = 0.005;
    for (int n = 0; n < 2200; ++n) {
        CHECK_OK(world, rvWorld_Step(world, h));
        double tension = rvCable_GetTension(world, rope, 0);
        // d T/d N of a sagging span is T/(2 S) at most EA/l; the start of the winch makes its waves swing: twice that
        double arc = 1.5 * 1.5 * GRAVITY * GRAVITY * 8000.0 / (24.0 * tension * tension);
        double rate = 1.0 / (2.0 * arc / tension + 20.0 / 1e6);
        CHECK_BELOW(fabs(tension - last), 2.0 * rate * 0.05 * h + 0.02 * tension);
        last = tension;
    }
    assert_true(last > 1e3);
    rvDestroyWorld(world);
}

// A rope that meets a post and leaves it again keeps its length: no jump of tension, energy but for the waves that are
// cut.
static void CutAndJoinedSpansKeepTheirRope(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_KINEMATIC;
    def.pose.p = rvVec(8, 0, -2);
    rvBodyId post = add_body(world, &def);
    rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_CYLINDER);
    shape.radius = 0.2;
    shape.length = 2.0;
    shape.friction = 0.0;
    shape.frame.q = rvQuatFromAxisAngle(rvVec(1, 0, 0), 1.5707963267948966);
    add_shape(world, post, &shape);
    rvBodyId load = add_ball(world, 300.0, 0.2, rvVec(20, 0, -5));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvEyePlace(RV_NULL_BODY, rvVec(20, 0, 0)),
                           rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef rope = rvDefaultCableDef(RV_CABLE_LAYERED);
    rope.axialStiffness = 1e6;
    rope.massPerLength = 1.0;
    rope.damping = 0.05;
    rope.waveDamping = 1.0;
    rope.collides = true;
    rope.friction = 0.0;
    rope.places = places;
    rope.placeCount = 3;
    rvCableId id;
    CHECK_OK(world, rvCreateCable(world, &rope, &id));
    double rest = rvCable_GetRestLength(world, id), most = 0.0;
    int touched = 0;
    for (int n = 0; n < 6000; ++n) {
        rvPose pose = def.pose;
        double t = n * 0.002;
        if (t > 4.0)
            pose.p.z = -2.0 + 2.5 * 0.5 * (1.0 - cos(3.14159265358979323846 * fmin(t - 4.0, 8.0) / 4.0));
        CHECK_OK(world, rvBody_MoveTo(world, post, pose));
        CHECK_OK(world, rvWorld_Step(world, 0.002));
        touched += rvCable_GetContactCount(world, id) > 0;
        if (t > 4.0)
            most = fmax(most, rvCable_GetTension(world, id, 0));
    }
    assert_true(touched > 500);
    assert_int_equal(rvCable_GetContactCount(world, id), 0);
    CHECK_NEAR(rvCable_GetRestLength(world, id), rest, 1e-9); // sums of shares
    // the load is lifted by a few centimetres at 2 pi/8 s: 5 % of its weight, and the waves of what is cut
    CHECK_BELOW(most, 1.5 * 300.0 * GRAVITY);
    rvDestroyWorld(world);
}

// A load that falls and turns is caught by a bridle so stiff that its tension grows by six decades in a step, while its
// sag goes: what the sag held is what a rope at rest holds on that way, not the mean of both ends of it. Nothing gives
// the load more than it had.
static void SagThatIsDrawnStraightAtOnceHoldsNoMore(void** state)
{
    (void)state;
    const double stiffness[] = {1e7, 1e8, 1e9, 1e10};
    for (int n = 0; n < 4; ++n)
        for (int k = 0; k < 5; ++k) {
            rvWorld* world = make_world();
            rvBodyDef body = rvDefaultBodyDef();
            body.mass = 20.0;
            body.inertia = rvBoxInertia(20.0, rvVec(0.4, 1.6, 0.4));
            body.pose.p = rvVec(0.1 * k, 0.3, -1.2);
            body.velocity = rvVec(0.5 * k - 1.0, 0.7, 0.4);
            body.angularVelocity = rvVec(0.6, -0.3 * k, 0.5);
            rvBodyId load;
            CHECK_OK(world, rvCreateBody(world, &body, &load));
            rvPlaceDef places[] = {rvAttachPlace(load, rvVec(0, -0.8, 0.2)), rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                                   rvAttachPlace(load, rvVec(0, 0.8, 0.2))};
            rvCableDef def = layered_rope(places, 3, stiffness[n], 0.02, 3.6);
            create_cable(world, &def);
            double start = 0.0, most = -HUGE_VAL;
            for (int i = 0; i < 180; ++i) {
                CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
                rvEnergy e = rvWorld_GetEnergy(world);
                double all = e.kinetic + e.potential + e.elastic;
                start = i == 0 ? all : start;
                most = fmax(most, all - start);
            }
            CHECK_BELOW(most, 0.01 * 20.0 * GRAVITY * 1.8); // of what it can fall, as the random machines allow
            rvDestroyWorld(world);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SagThatIsDrawnStraightAtOnceHoldsNoMore),
        cmocka_unit_test(RoughRopesDoNotExplode),
        cmocka_unit_test(TautPendulumKeepsItsEnergyOnAnyRope),
        cmocka_unit_test(TensionOfATurningRopeIsThatOfItsCircle),
        cmocka_unit_test(LooseVerticalRopeIsALoop),
        cmocka_unit_test(RopeOfAnyLengthHangsAtRest),
        cmocka_unit_test(SlackHeavyRopeKeepsItsBooks),
        cmocka_unit_test(FallIsCaughtAtTheEndOfTheRope),
        cmocka_unit_test(LightRopeTakesNoMoreThanItsOwnShareOfACatch),
        cmocka_unit_test(SlackRopeComesTautWithoutAJolt),
        cmocka_unit_test(CutAndJoinedSpansKeepTheirRope),
    };
    return RUN_TESTS(tests);
}
