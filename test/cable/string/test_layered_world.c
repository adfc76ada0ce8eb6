// SPDX-License-Identifier: MIT
// What drives a rope with mass in the world: wind, water, its own running; and the two options of Garcia-Fernandez et
// al. (Elevation).
#include "cable/string/catenary.h"
#include "world/machines.h"

static const double PI = 3.14159265358979323846;

static rvVec3 middle_of(const rvWorld* world, rvCableId rope)
{
    rvVec3 points[64];
    int count = rvCable_GetShape(world, rope, points, 64);
    assert_int_equal(count, 21);
    return points[10];
}

// A level rope in a wind across it hangs in the plane of both forces: drag over weight is the slope of that plane.
static void WindLiftsTheRopeOutOfItsPlane(void** state)
{
    (void)state;
    const rvWaveScheme schemes[] = {RV_WAVE_MODAL, RV_WAVE_EXPLICIT};
    for (int i = 0; i < 2; ++i) {
        rvWorld* world = make_world();
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                               rvAttachPlace(RV_NULL_BODY, rvVec(40, 0, 0))};
        rvCableDef def = layered_rope(places, 2, 1e6, 0.5, 40.02);
        def.diameter = 0.02;
        def.fluidDensity = 1.2;
        def.wind = rvVec(3, 20, 0); // along the rope it does nothing
        def.waveDamping = 1.0;
        def.waveScheme = schemes[i];
        rvCableId rope = create_cable(world, &def);
        step_world(world, 0.005, 4000);
        double drag = 0.5 * 1.2 * 1.2 * 0.02 * 20.0 * 20.0, weight = 0.5 * GRAVITY;
        rvVec3 p = middle_of(world, rope);
        CHECK_NEAR(p.y / -p.z, drag / weight, 1e-3 * drag / weight); // settled: exp(-10) and the rest of its swing
        // and it pulls as a rope of that weight: sag = q l^2/(8 T)
        double q = sqrt(drag * drag + weight * weight), sag = sqrt(p.y * p.y + p.z * p.z);
        CHECK_NEAR(sag, q * 1600.0 / (8.0 * rvCable_GetTension(world, rope, 0)), 1e-3 * sag);
        rvDestroyWorld(world);
    }
}

// A load on a rope in a current leans: half of the rope's drag at the load against its weight and half of the rope's;
// the swing dies in the water.
static void LoadInACurrentLeansByHalfOfTheDrag(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.2, rvVec(0, 0, -20));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = layered_rope(places, 2, 1e6, 1.0, 20.0);
    def.diameter = 0.02;
    def.fluidDensity = 1000.0;
    def.wind = rvVec(0.8, 0, 0);
    def.damping = 0.05;
    create_cable(world, &def);
    step_world(world, 0.01, 6000);
    rvVec3 p = rvBody_GetPose(world, load).p;
    double lean = atan2(p.x, -p.z), slope = 0.0;
    // moments about the top, across the chord: drag by the speed across it; the rope's own weight is off by its mean
    // bow
    for (int i = 0; i < 50; ++i) {
        double drag = 0.5 * 1000.0 * 1.2 * 0.02 * 0.64 * cos(slope) * cos(slope),
               tension = 110.0 * GRAVITY * cos(slope);
        double bow = (drag - GRAVITY * sin(slope)) * 400.0 / (12.0 * tension);
        slope = asin((0.5 * drag * 20.0 - GRAVITY * bow * cos(slope)) / (110.0 * GRAVITY));
    }
    CHECK_NEAR(lean, slope, 2e-3 * slope); // the bow's arc: (2 bow/l)^2 and less
    rvDestroyWorld(world);
}

// What wind gives and water takes is in the books, of the load and of the rope's waves: a load that swings on 20 m of
// rope.
static void WindAndWaterAreInTheBooks(void** state)
{
    (void)state;
    const rvVec3 winds[] = {{0, 20, 0}, {0, 0, 0}, {0, 0.5, 0}};
    const double densities[] = {1.2, 1000.0, 1000.0};
    for (int i = 0; i < 3; ++i) {
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 50.0, 0.1, rvVec(5, 0, -20));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = layered_rope(places, 2, 1e6, 0.5, -1.0);
        def.fluidDensity = densities[i];
        def.wind = winds[i];
        def.damping = 0.01;
        create_cable(world, &def);
        step_world(world, 1.0 / 240.0, 1);
        double begun = energy_books(world), fall = 50.0 * GRAVITY * 0.6;
        for (int n = 0; n < 4800; ++n) {
            CHECK_OK(world, rvWorld_Step(world, 1.0 / 240.0));
            CHECK_NEAR(energy_books(world), begun, 1e-3 * fall); // as other books; water takes all of the fall
        }
        if (i == 1)
            assert_true(rvWorld_GetEnergy(world).heat > 0.9 * fall);
        CHECK_NEAR(rvWorld_GetEnergy(world).guard, 0.0, 0.0); // what wind gives is not taken for a gain
        rvDestroyWorld(world);
    }
}

// The explicit law carries a soft rope's load at the same height, and explodes on the stiff one that the rows carry.
static void ExplicitForceLawHoldsOnlySoftRopes(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        bool stiff = i / 2 != 0, explicitForce = i % 2 != 0;
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 10.0, 0.1, rvVec(0, 0, -10));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = layered_rope(places, 2, 1e6, 0.1, 10.0);
        def.axialStiffness = stiff ? 1e7 : 2e4; // h^2 EA/(L m): 28 and 0.06, the law holds to 4
        def.damping = 0.02;
        def.explicitForce = explicitForce;
        create_cable(world, &def);
        double fastest = 0.0;
        for (int n = 0; n < 900; ++n) {
            rvStatus status = rvWorld_Step(world, 1.0 / 60.0);
            fastest = status == RV_OK ? fmax(fastest, rvLength(rvBody_GetVelocity(world, load))) : HUGE_VAL;
            if (status != RV_OK)
                break;
        }
        if (stiff && explicitForce)
            assert_true(fastest > 10.0); // it never fell a metre
        else {
            double stretch = (10.0 + 0.5) * GRAVITY * 10.0 / def.axialStiffness; // rope: its weight at the middle
            CHECK_NEAR(rvBody_GetPose(world, load).p.z, -10.0 - stretch, 1e-6);  // exp(-w^2 tau t/2), w^2 = 200/s^2
        }
        rvDestroyWorld(world);
    }
}

// A rope whose end is moved sideways swings alike by the scheme as it is printed and by the default, where the first is
// stable: nu^2 = T h^2 M^2/(rho l^2) is 3e-2 at the longer step.
static void ExplicitSchemeMovesAsTheDefaultDoes(void** state)
{
    (void)state;
    enum { FRAMES = 180 };
    for (double h = 1.0 / 240.0; h > 1.0 / 1000.0; h *= 0.25) {
        double sideways[2][FRAMES], most = 0.0, fastest = 0.0, apart = 0.0;
        for (int scheme = 0; scheme < 2; ++scheme) {
            rvWorld* world = make_world();
            rvBodyId hand = add_hand(world, rvVec(10, 0, 0));
            rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(hand, rvVec(0, 0, 0))};
            rvCableDef def = layered_rope(places, 2, 1e5, 1.0, 9.98);
            def.waveScheme = scheme == 0 ? RV_WAVE_MODAL : RV_WAVE_EXPLICIT;
            rvCableId rope = create_cable(world, &def);
            for (int n = 1, each = (int)lround(1.0 / (60.0 * h)); n <= FRAMES * each; ++n) {
                double t = fmin(n * h, 0.5), y = 0.2 * t - 0.1 * sin(12.566370614359172 * t) / 6.283185307179586;
                CHECK_OK(world, rvBody_MoveTo(world, hand, (rvPose){rvVec(10, y, 0), {1, 0, 0, 0}}));
                CHECK_OK(world, rvWorld_Step(world, h));
                rvVec3 points[64];
                int count = rvCable_GetShape(world, rope, points, 64);
                sideways[scheme][(n - 1) / each] = points[count / 2].y;
            }
            rvDestroyWorld(world);
        }
        for (int f = 0; f < FRAMES; ++f) {
            most = fmax(most, fabs(sideways[0][f]));
            fastest = f > 0 ? fmax(fastest, 60.0 * fabs(sideways[0][f] - sideways[0][f - 1])) : 0.0;
            apart = fmax(apart, fabs(sideways[0][f] - sideways[1][f]));
        }
        assert_true(most > 0.09); // it swings beyond the 0.05 m of its chord
        // one knows the middle of the step, the other its end; and the printed one has a parabola for a catenary: by
        // p^2 = 1 %
        CHECK_BELOW(apart, 0.5 * h * fastest + 0.02 * most);
    }
}

// Paper 002: where nu^2 = T h^2 M^2/(rho l^2) >= 1/2 the explicit wave is suspended and its span straight; below it
// sags.
static void ExplicitWaveIsSuspendedAtHighTension(void** state)
{
    (void)state;
    const double steps[] = {0.002, 0.01};
    for (int i = 0; i < 2; ++i) {
        rvWorld* world = make_world();
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                               rvAttachPlace(RV_NULL_BODY, rvVec(20, 0, 0))};
        rvCableDef def = layered_rope(places, 2, 1e6, 1.0, 20.0 / (1.0 + 6000.0 / 1e6));
        def.waveScheme = RV_WAVE_EXPLICIT;
        def.waveDamping = 2.0;
        rvCableId rope = create_cable(world, &def);
        step_world(world, steps[i], (int)lround(10.0 / steps[i]));
        double tension = rvCable_GetTension(world, rope, 0), nu2 = tension * steps[i] * steps[i] * 400.0 / 400.0;
        rvVec3 p = middle_of(world, rope);
        if (nu2 < 0.5)
            CHECK_NEAR(p.z, -GRAVITY * 400.0 / (8.0 * tension), 1e-5); // its decay: exp(-10) of 0.08 m
        else
            CHECK_NEAR(p.z, 0.0, 1e-12);
        assert_true((nu2 < 0.5) == (i == 0));
        rvDestroyWorld(world);
    }
}

// Rope that runs through a span at v from one winch to another: its first frequency falls by (v/c)^2 with the terms
// that Garcia-Fernandez et al. leave out, and stays without them.
static void RunningTermsSlowTheWave(void** state)
{
    (void)state;
    double frequency[3];
    for (int i = 0; i < 3; ++i) { // at rest, running without the terms, running with them
        rvWorld* world = make_weightless_world();
        rvBodyDef end = rvDefaultBodyDef();
        end.type = RV_BODY_KINEMATIC;
        rvBodyId support = add_body(world, &end);
        double speed = i > 0 ? 4.0 : 0.0; // of 20 m/s
        rvPlaceDef places[] = {rvWinchPlace(support, rvVec(0, 0, 0), speed),
                               rvWinchPlace(RV_NULL_BODY, rvVec(20, 0, 0), -speed)};
        rvCableDef def = layered_rope(places, 2, 1e6, 1.0, 20.0 / (1.0 + 400.0 / 1e6));
        def.runningTerms = i == 2;
        rvCableId rope = create_cable(world, &def);
        Crossings crossings = {0};
        for (int n = 0; n < 6000; ++n) {
            rvPose pose = end.pose;
            double t = 0.002 * n;
            pose.p.z = 0.002 * (t < 0.5 ? 0.5 - 0.5 * cos(2.0 * PI * t / 0.5) : 0.0); // a blow
            CHECK_OK(world, rvBody_MoveTo(world, support, pose));
            CHECK_OK(world, rvWorld_Step(world, 0.002));
            if (t > 1.0) {
                rvVec3 points[64];
                int count = rvCable_GetShape(world, rope, points, 64);
                double sum = 0.0; // the first mode
                for (int k = 1; k < count - 1; ++k)
                    sum += points[k].z * sin(PI * points[k].x / 20.0);
                watch(&crossings, t, sum);
            }
        }
        frequency[i] = 1.0 / mean_period(&crossings);
        rvDestroyWorld(world);
    }
    CHECK_NEAR(frequency[0], 0.5, 0.5 * 2e-3);                                  // c/2l; the grid: (pi/2M)^2/6 = 1e-3
    CHECK_NEAR(frequency[1], frequency[0], 2e-3 * frequency[0]);                // read by crossings, of 5 periods
    CHECK_NEAR(frequency[2], (1.0 - 0.04) * frequency[0], 5e-3 * frequency[0]); // and (v/c)^4
}

// A load set down through a sling from a rope along a jib of 35 m: when, after it stands, the sling is loose, taut
// again and loose for good; 0: never.
static void set_down(rvCableModel model, double times[3])
{
    const double h = 0.004;
    rvWorld* world = make_world();
    add_ground(world);
    rvBodyId hook = add_ball(world, 170.0, 0.2, rvVec(35, 0, 6));
    rvBodyId load = add_box(world, 4000.0, rvVec(2, 2, 2), rvVec(35, 0, 1.2));
    add_box_shape(world, load, rvVec(2, 2, 2));
    rvPlaceDef sling[] = {rvAttachPlace(hook, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 1))};
    rvCableId tied = add_damped(world, sling, 2, 4e7, 0.02);
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 44), 0.15),
                           rvEyePlace(RV_NULL_BODY, rvVec(35, 0, 44)), rvAttachPlace(hook, rvVec(0, 0, 0))};
    places[0].winch.acceleration = 0.15;
    rvCableDef rope = rvDefaultCableDef(model);
    rope.axialStiffness = 2e7;
    rope.waveDamping = 0.5;
    rope.massPerLength = model == RV_CABLE_MASSLESS ? rope.massPerLength : 2.5;
    rope.length = 72.4;
    rope.damping = 0.02;
    add_cable_of(world, rope, places, 3);
    rvSettleDef settle = rvDefaultSettleDef();
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, &settle, &report));
    assert_true(report.settled);
    times[0] = times[1] = times[2] = 0.0;
    for (int n = 0; n < 2000; ++n) {
        CHECK_OK(world, rvWorld_Step(world, h));
        bool taut = rvCable_GetTension(world, tied, 0) > 0.0;
        int at = times[0] == 0.0 ? 0 : times[1] == 0.0 ? 1 : 2;
        if (taut == (at == 1) && (at < 2 || times[2] == 0.0))
            times[at] = rvWorld_GetTime(world);
    }
    rvDestroyWorld(world);
}

// The rope along the jib falls into its sag when the load is off it, and pulls the hook up once more: so says the wave,
// and so do finite elements that the rope flows through; a rope without mass knows nothing of it.
static void SagPullsTheHookUpOnceALoadIsSetDown(void** state)
{
    (void)state;
    double massless[3], layered[3], flowing[3];
    set_down(RV_CABLE_MASSLESS, massless);
    set_down(RV_CABLE_LAYERED, layered);
    set_down(RV_CABLE_ALE, flowing);
    assert_true(massless[0] > 0.0);
    CHECK_NEAR(massless[1], 0.0, 0.0);
    for (int i = 0; i < 2; ++i) {
        assert_true(flowing[i] > 0.0);
        // the tension of the hook alone is 1.7 kN: a wave takes 1.3 s along the jib, 0.1 s from node to node
        CHECK_NEAR(layered[i], flowing[i], 0.1);
    }
    assert_true(layered[2] > 0.0 && flowing[2] > 0.0);
}

// A winch that keeps a tension hauls in as fast as it may until it holds it: its waves feel that tension, not that of
// the rope which it would have hauled in.
static void WavesFeelTheWinchThatYields(void** state)
{
    (void)state;
    const double steps[] = {1.0 / 30.0, 0.01};
    for (int i = 0; i < 2; ++i) {
        rvWorld* world = make_world();
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0),
                               rvAttachPlace(RV_NULL_BODY, rvVec(12, 0, 0))};
        places[0].winch.control = RV_WINCH_TENSION;
        places[0].winch.target = 2000.0;
        places[0].winch.maxSpeed = 3.0;
        rvCableDef def = layered_rope(places, 2, 1e6, 1.5, 12.0);
        def.damping = 0.05;
        rvCableId rope = create_cable(world, &def);
        run_world(world, steps[i], 1.0);
        for (int n = 0; n < (int)(5.0 / steps[i]); ++n) {
            CHECK_OK(world, rvWorld_Step(world, steps[i]));
            // along the chord it is less than at the winch by w^2 l^2/(8 T) at rest; the sag swings about that
            CHECK_NEAR(rvCable_GetTension(world, rope, 0), 2000.0, 2.0 * 15.0 * 15.0 * 144.0 / 16000.0);
        }
        rvDestroyWorld(world);
    }
}

// A sling of 5 m whose ends hang side by side is carried over to a load and back: it hangs there with no more than the
// catenary's tension, and what it gains or loses in height is in the books.
static void SlingThatIsCarriedOverHangsThere(void** state)
{
    (void)state;
    const rvVec3 spots[] = {{3.5, 1, -2.5}, {0.2, 0, 0}, {0, 0, -4.5}, {-4, 0, 1}};
    rvWorld* world = make_world();
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(0.2, 0, 0))};
    rvCableDef def = layered_rope(places, 2, 1e7, 1.2, 5.0);
    def.waveDamping = 0.5;
    rvCableId rope = create_cable(world, &def);
    step_world(world, 0.005, 200);
    for (int i = 0; i < 4; ++i) {
        rvPlaceDef there = rvAttachPlace(RV_NULL_BODY, spots[i]);
        CHECK_OK(world, rvCable_SetPlace(world, rope, 1, &there));
        rvCatenary c = rv_catenary_by_length(sqrt(spots[i].x * spots[i].x + spots[i].y * spots[i].y), spots[i].z,
                                             1.2 * GRAVITY, 1e7, 5.0);
        double top = fmax(rv_catenary_end(&c, 1.2 * GRAVITY, 0), rv_catenary_end(&c, 1.2 * GRAVITY, 1)), most = 0.0;
        rvEnergy before = rvWorld_GetEnergy(world);
        for (int k = 0; k < 200; ++k) {
            step_world(world, 0.005, 1);
            most = fmax(most, rvCable_GetTension(world, rope, 0));
        }
        rvEnergy after = rvWorld_GetEnergy(world);
        CHECK_BELOW(most, 1.05 * top); // it hangs as its catenary does, to the grid of its wave
        double weight = 1.2 * GRAVITY * 5.0;
        CHECK_BELOW(
            fabs(after.kinetic + after.potential + after.elastic - before.kinetic - before.potential - before.elastic),
            0.01 * weight * 5.0); // and stays there: a hundredth of what it could fall
    }
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SlingThatIsCarriedOverHangsThere),     cmocka_unit_test(WindLiftsTheRopeOutOfItsPlane),
        cmocka_unit_test(LoadInACurrentLeansByHalfOfTheDrag),   cmocka_unit_test(WindAndWaterAreInTheBooks),
        cmocka_unit_test(ExplicitForceLawHoldsOnlySoftRopes),   cmocka_unit_test(ExplicitSchemeMovesAsTheDefaultDoes),
        cmocka_unit_test(ExplicitWaveIsSuspendedAtHighTension), cmocka_unit_test(RunningTermsSlowTheWave),
        cmocka_unit_test(SagPullsTheHookUpOnceALoadIsSetDown),  cmocka_unit_test(WavesFeelTheWinchThatYields),
    };
    return RUN_TESTS(tests);
}
