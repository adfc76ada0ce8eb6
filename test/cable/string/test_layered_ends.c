// SPDX-License-Identifier: MIT
// Bodies at the ends of a span with mass: they drive its waves and feel them.
#include "cable/string/layered.h"
#include "world/machines.h"
#include "world/world.h"

static rvCableId add_string(rvWorld* world, rvPlaceDef from, rvPlaceDef to, double mass, double length, double damping)
{
    rvPlaceDef places[] = {from, to};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_LAYERED);
    def.axialStiffness = 1e5;
    def.massPerLength = mass;
    def.length = length;
    def.waveDamping = damping;
    def.subdivisions = 40;
    def.places = places;
    def.placeCount = 2;
    rvCableId id;
    CHECK_OK(world, rvCreateCable(world, &def, &id));
    return id;
}

// Without tension an end feels the half interval beside it and no more; with endless tension the chord: 1/3 and 1/6.
static void EndsFeelTheirHalfIntervalOrTheChord(void** state)
{
    (void)state;
    double room[200], wave[4 * 40] = {0}, give[2];
    rvWaveTable table;
    rv_wave_table_fill(&table, 10, room);
    rvWaveStep step = {.h = 0.01, .scaleY = 1.0, .scaleW = 1.0};
    rv_wave_respond(&table, &step, wave, give);
    double tilt = 1.0 / 12.0 + 1.0 / 600.0;
    CHECK_NEAR(0.25 * (1.0 - give[0]) + tilt - give[1], 1.0 / 20.0, 1e-14); // round-off
    CHECK_NEAR(0.25 * (1.0 - give[0]) - tilt + give[1], 0.0, 1e-14);
    step.nu2 = 1e12;
    rv_wave_respond(&table, &step, wave, give);
    CHECK_BELOW(fabs(give[0]) + fabs(give[1]), 1e-9); // 1/(nu^2 s)
}

// A mass m between two strings of length l: w m c/(2 T) = cot(w l/c), from where the strings are a tenth of it to where
// they are as heavy, and it keeps its energy.
static void MassBetweenTwoStringsSwingsAsTheClosedFormSays(void** state)
{
    (void)state;
    const double strings[] = {0.1, 0.5, 1.0}, h = 0.002, tension = 1000.0, mass = 10.0;
    for (int i = 0; i < 3; ++i) {
        rvWorld* world = make_weightless_world();
        rvBodyId body = add_ball(world, mass, 0.5, rvVec(10, 0, 0));
        CHECK_OK(world, rvBody_SetVelocity(world, body, rvVec(0, 0.006, 0.008), rvVec(0, 0, 0)));
        for (int k = 0; k < 2; ++k)
            add_string(world, rvAttachPlace(RV_NULL_BODY, rvVec(20 * k, 0, 0)), rvAttachPlace(body, rvVec(0, 0, 0)),
                       strings[i], 10.0 / (1.0 + tension / 1e5), 0.0);
        double c = sqrt(tension / strings[i]), low = 0.0, high = 0.5 * 3.14159265358979323846 * c / 10.0;
        for (int k = 0; k < 60; ++k) {
            double w = 0.5 * (low + high);
            if (w * mass * c / (2.0 * tension) * tan(w * 10.0 / c) < 1.0)
                low = w;
            else
                high = w;
        }
        Crossings crossings = {0};
        double start = 0.0, energy = 0.0;
        for (int n = 0; n < 20000; ++n) {
            CHECK_OK(world, rvWorld_Step(world, h));
            watch(&crossings, n * h, rvBody_GetPose(world, body).p.z);
            energy = total_energy(world);
            start = n == 0 ? energy : start;
        }
        // the strings' stretch of 2 * 50 J hardly changes: what swings is 0.0005 J, and to a thousandth of it
        CHECK_NEAR(energy, start, 1e-3 * 0.5 * mass * 1e-4);
        // second order: (h w)^2/24 and the grid's (pi/2M)^2/3 of what the string adds
        double period = 2.0 * 3.14159265358979323846 / low;
        CHECK_NEAR(mean_period(&crossings), period, 3e-4 * period);
        rvDestroyWorld(world);
    }
}

// Of the wave, as a vector.
static rvVec3 wave_momentum(const rvCable* cable)
{
    const rvSpanWave* wave = rv_layered_wave(cable, 0);
    rvWaveMomentum p = rv_wave_momentum(&cable->string->layer.table, rv_layered_amplitudes(cable, 0, 0));
    rvVec3 across = rvAdd(rvScale(p.mean[0], wave->across), rvScale(p.mean[1], rvCross(wave->u, wave->across)));
    return rvScale(cable->massPerLength * wave->length * wave->feels, across); // as its ends feel it
}

// Of both bodies, the chord, the wave, and what its ends have still to get. Bodies heavier than their rope feel all of
// it.
static rvVec3 momentum_of(const rvWorld* world)
{
    const rvCable* cable = &world->cables.items[0];
    const rvSpanWave* wave = rv_layered_wave(cable, 0);
    rvVec3 sum = rvAdd(wave_momentum(cable), rvAdd(wave->owed[0], wave->owed[1]));
    for (int e = 0; e < 2; ++e) {
        rvVec3 v = wave->endSpeeds[e], along = rvScale(rvDot(v, wave->u), wave->u);
        double all = fmax(rv_layered_mass(cable, 0), cable->massPerLength * wave->length);
        sum = rvMulAdd(sum, 0.5 * all, rvSub(v, along));
        sum = rvMulAdd(sum, wave->along[e], along);
        sum = rvMulAdd(sum, world->bodies.items[e].mass, world->bodies.items[e].state.v);
    }
    return sum;
}

// Two bodies on a heavy rope, pushed across it for a while, which makes its waves. Bodies, rope and what is on its way
// have the momentum of the push and of gravity, also where the chord turns and changes its length: to round-off, but
// for the mass of rope that the chord has more of where it is stretched.
static void MomentumOfBodiesAndRopeIsKept(void** state)
{
    (void)state;
    const double h = 0.005;
    const rvVec3 push = rvVec(0, 120, 160);
    for (int i = 0; i < 4; ++i) {
        bool turning = i >= 2;
        rvWorldDef worldDef = rvDefaultWorldDef();
        worldDef.gravity = rvVec(0, 0, i % 2 ? -GRAVITY : 0.0);
        rvWorld* world = make_world_of(&worldDef);
        const rvBodyId ids[] = {add_ball(world, 30.0, 0.5, rvVec(0, 0, 0)),
                                add_ball(world, 30.0, 0.5, rvVec(10, 0, 0))};
        rvPlaceDef places[] = {rvAttachPlace(ids[0], rvVec(0, 0, 0)), rvAttachPlace(ids[1], rvVec(0, 0, 0))};
        rvCableDef def = layered_rope(places, 2, 1e5, 2.0, 10.0);
        def.straight = true;
        def.subdivisions = 40;
        create_cable(world, &def);
        step_world(world, h, 1);
        const rvSpanWave* wave = rv_layered_wave(&world->cables.items[0], 0);
        rvVec3 expected = momentum_of(world);
        double leak = 0.0, length = wave->length, most = 0.0;
        for (int n = 1; n <= 2000; ++n) {
            for (int k = 0; k < (turning ? 1 : 2) && n <= 40; ++k) {
                CHECK_OK(world, rvBody_ApplyForce(world, ids[k], push, rvBody_GetCenter(world, ids[k])));
                expected = rvMulAdd(expected, h, push);
            }
            step_world(world, h, 1);
            expected = rvMulAdd(expected, h * (60.0 + 20.0), worldDef.gravity);
            most = fmax(most, rvLength(wave_momentum(&world->cables.items[0])));
            double stretched = fabs(fmax(10.0, wave->length) - fmax(10.0, length));
            leak += 2.0 * stretched * (rvLength(wave->endSpeeds[0]) + rvLength(wave->endSpeeds[1]));
            length = wave->length;
            // round-off: 1e-16 of 80 kg at up to 100 m/s, each step
            CHECK_BELOW(rvLength(rvSub(momentum_of(world), expected)), 1e-12 * n + leak);
        }
        CHECK_BELOW(leak, 1e-3); // so that the bound says something: 1e-5 of the push
        assert_true(most > 5.0); // of 80 kg m/s in all
        rvDestroyWorld(world);
    }
}

// A support that shakes a rope with a load on it pays for all that moves.
static void ShakenSupportPaysForTheWaves(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_KINEMATIC;
    rvBodyId support = add_body(world, &def), load = add_ball(world, 200.0, 0.5, rvVec(0, 0, -20));
    add_string(world, rvAttachPlace(support, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0)), 1.0, 19.5, 0.0);
    double start = 0.0, most = 0.0, off = 0.0;
    for (int n = 0; n < 4000; ++n) {
        rvPose pose = def.pose;
        pose.p.x = 0.1 * sin(6.0 * n * 0.005); // the first wave: (pi/20 m) sqrt(2000 N/1 kg/m) = 7/s
        CHECK_OK(world, rvBody_MoveTo(world, support, pose));
        CHECK_OK(world, rvWorld_Step(world, 0.005));
        rvEnergy e = rvWorld_GetEnergy(world);
        double books = e.kinetic + e.potential + e.elastic + e.heat - e.work;
        start = n == 0 ? books : start;
        most = fmax(most, fabs(e.work));
        off = fmax(off, fabs(books - start));
    }
    assert_true(most > 1.0);
    CHECK_BELOW(off, 0.02 * most); // forces by the chord at the start of the step, (h w)^2 of what swings to and fro
    rvDestroyWorld(world);
}

// A rope that passes straight beside a wheel weighs on its places before and after it, not on the wheel.
static void WheelThatTheRopeHasLeftCarriesNothing(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    double h = 1.0 / 240.0, mass = 10.0, rho = 2.0;
    rvBodyId carrier = add_ball(world, mass, 0.2, rvVec(0, 0, 0)), load = add_ball(world, 500.0, 0.3, rvVec(10, 0, -8));
    rvPlaceDef hold[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 5)), rvAttachPlace(carrier, rvVec(0, 0, 0))};
    rvCableId hanger = add_damped(world, hold, 2, 1e6, 0.05);
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-10, 0, -1)),
                           rvSheavePlace(carrier, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.2),
                           rvEyePlace(RV_NULL_BODY, rvVec(10, 0, -1)), rvAttachPlace(load, rvVec(0, 0, 0))};
    places[1].wheel.side = -1; // above the rope
    rvCableDef def = rvDefaultCableDef(RV_CABLE_LAYERED);
    def.places = places;
    def.placeCount = 4;
    def.axialStiffness = 1e7;
    def.massPerLength = rho;
    def.damping = 0.05;
    def.waveDamping = 2.0;
    def.length = 27.0;
    create_cable(world, &def);
    step_world(world, h, 1);
    double start = energy_books(world);
    run_world(world, h, 5.0);
    // half of both spans weighed on it: 196 N more. The hanger swings by exp(-5 s tau w^2/2), nothing
    CHECK_NEAR(rvCable_GetTension(world, hanger, 0), mass * GRAVITY, 1e-6 * mass * GRAVITY);
    // a step of the power at which the load comes on the rope: m g times what it falls by, at the rate of its bounce
    CHECK_NEAR(energy_books(world), start,
               500.0 * GRAVITY * 500.0 * GRAVITY * 27.0 / 1e7 * h * sqrt(1e7 / (27.0 * 500.0)));
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WheelThatTheRopeHasLeftCarriesNothing),
        cmocka_unit_test(EndsFeelTheirHalfIntervalOrTheChord),
        cmocka_unit_test(MassBetweenTwoStringsSwingsAsTheClosedFormSays),
        cmocka_unit_test(MomentumOfBodiesAndRopeIsKept),
        cmocka_unit_test(ShakenSupportPaysForTheWaves),
    };
    return RUN_TESTS(tests);
}
