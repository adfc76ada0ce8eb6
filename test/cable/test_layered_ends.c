// SPDX-License-Identifier: MIT
// Bodies at the ends of a span with mass: they drive its waves and feel them.
#include "cable/wave.h"
#include "world/machines.h"

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

// Two bodies on a heavy rope, one is struck across it: once the waves are gone all momentum is in bodies and chord again.
static void MomentumOfBodiesAndRopeIsKept(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvBodyId a = add_ball(world, 30.0, 0.5, rvVec(0, 0, 0)), b = add_ball(world, 50.0, 0.5, rvVec(10, 0, 0));
    add_string(world, rvAttachPlace(a, rvVec(0, 0, 0)), rvAttachPlace(b, rvVec(0, 0, 0)), 2.0, 10.0, 2.0);
    CHECK_OK(world, rvBody_SetVelocity(world, a, rvVec(0, 0.3, 0.4), rvVec(0, 0, 0)));
    rvVec3 start = rvScale(30.0 + 10.0, rvVec(0, 0.3, 0.4));
    for (int n = 0; n < 4000; ++n)
        CHECK_OK(world, rvWorld_Step(world, 0.005));
    rvVec3 p = rvAdd(rvScale(40.0, rvBody_GetVelocity(world, a)), rvScale(60.0, rvBody_GetVelocity(world, b)));
    // the chord turns by 0.03 rad/s: momentum of the wave does not turn with it, and a step's is on its way
    CHECK_BELOW(rvLength(rvSub(p, start)), 1e-2 * rvLength(start));
    rvDestroyWorld(world);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EndsFeelTheirHalfIntervalOrTheChord),
        cmocka_unit_test(MassBetweenTwoStringsSwingsAsTheClosedFormSays),
        cmocka_unit_test(MomentumOfBodiesAndRopeIsKept),
        cmocka_unit_test(ShakenSupportPaysForTheWaves),
    };
    return RUN_TESTS(tests);
}
