// SPDX-License-Identifier: MIT
// The layered cable in the world, against closed forms.
#include "cable/string/catenary.h"
#include "world/machines.h"

#include <stdlib.h>

// dL = w L^2/(2EA) + M g L/EA; the top carries the rope, the bottom does not.
static void OwnWeightAndLoadStretchARope(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    double strain = (14.715 * 50.0 + 9810.0) / 1e7;
    rvBodyId load = add_ball(world, 1000.0, 0.5, rvVec(0, 0, -100.0 * (1.0 + strain)));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = layered_rope(places, 2, 1e7, 1.5, 100.0);
    def.damping = 0.05;
    rvCableId rope = create_cable(world, &def);
    step_world(world, 0.01, 400);
    // bodies hang from a rope of mass w N/g: its weight is that of the rest length, exactly
    CHECK_NEAR(rvBody_GetPose(world, load).p.z, -100.105457500, 1e-9);  // settled by damping: exp(-w^2 tau t/2) = 1e-9
    CHECK_NEAR(rvCable_GetEndTension(world, rope, 0, 1), 9810.0, 1e-4); // EA/L times that
    CHECK_NEAR(rvCable_GetEndTension(world, rope, 0, 0), 9810.0 + 1471.5, 1e-4);
    CHECK_NEAR(rvCable_GetTension(world, rope, 0), 9810.0 + 735.75, 1e-4);
    rvDestroyWorld(world);
}

// Level and inclined, from nearly straight to deep: the tension of the elastic catenary, and it stays at rest.
static void SpanAtRestIsAnElasticCatenary(void** state)
{
    (void)state;
    const double rises[] = {0.0, 40.0, -70.0}, longer[] = {0.9999, 1.0001, 1.01, 1.05, 1.2};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 5; ++k) {
            rvWorld* world = make_world();
            double length = longer[k] * sqrt(1e4 + rises[i] * rises[i]);
            rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                                   rvAttachPlace(RV_NULL_BODY, rvVec(60, 80, rises[i]))};
            rvCableDef def = layered_rope(places, 2, 1e7, 1.5, i == 0 && k == 3 ? 105.0 : length);
            rvCableId rope = create_cable(world, &def);
            rvCatenary c = rv_catenary_by_length(100.0, rises[i], 1.5 * GRAVITY, 1e7, def.length);
            double l = sqrt(1e4 + rises[i] * rises[i]);
            double along = (c.horizontal * 100.0 + c.vertical * rises[i]) / l;
            for (int n = 0; n < 3; ++n) {
                step_world(world, 0.02, 50);
                CHECK_NEAR(rvCable_GetTension(world, rope, 0), along, 1e-6 * along); // where the model holds: asked
            }
            CHECK_NEAR(rvCable_GetEndTension(world, rope, 0, 1), rv_catenary_end(&c, 1.5 * GRAVITY, 1), 1e-6 * along);
            rvDestroyWorld(world);
        }
}

// A hook on a rope over an eye, from where the rope just reaches and is straight: it falls, the rope in the jib sags.
typedef struct {
    rvWorld* world;
    rvBodyId hook;
    rvCableId rope;
} Crane;

static Crane make_crane(double mass, double damping, double waveDamping)
{
    Crane crane = {.world = make_world()};
    crane.hook = add_ball(crane.world, 500.0, 0.5, rvVec(30, 0, 5));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 20)), rvEyePlace(RV_NULL_BODY, rvVec(30, 0, 20)),
                           rvAttachPlace(crane.hook, rvVec(0, 0, 0))};
    rvCableDef def = layered_rope(places, 3, 1e7, mass, 45.0);
    def.axialStiffness = 2e6;
    def.straight = true;
    def.damping = damping;
    def.waveDamping = waveDamping;
    crane.rope = create_cable(crane.world, &def);
    return crane;
}

static void BooksOfABouncingHookClose(void** state)
{
    (void)state;
    const double masses[] = {0.1, 0.5, 1.5, 4.0};
    for (int i = 0; i < 4; ++i) {
        Crane crane = make_crane(masses[i], 0.0, 0.0);
        double start = energy_books(crane.world), first = total_energy(crane.world);
        double swing = 500.0 * GRAVITY * 0.2; // what it falls
        for (int n = 0; n < 10; ++n) {
            step_world(crane.world, 0.002, 500);
            // nothing is won but for the scheme's (h w)^2 = 3.6e-4. Rope that runs out of the hook's span takes its
            // speed along, which the books do not know: a share of the rope's mass against the hook's
            double won = energy_books(crane.world) - start;
            CHECK_BELOW(won, 3.6e-4 * swing);
            CHECK_BELOW(-won, (2e-3 + 0.07 * masses[i] * 30.0 / 500.0) * swing);
            CHECK_BELOW(total_energy(crane.world) - first, 3.6e-4 * swing);
        }
        rvDestroyWorld(crane.world);
    }
}

// Tension grows by the weight of the rope on the way up, and is the same on both sides of an eye.
static void TensionIsEqualOnBothSidesOfAnEye(void** state)
{
    (void)state;
    Crane crane = make_crane(1.5, 0.1, 1.0);
    step_world(crane.world, 0.01, 3000);
    CHECK_NEAR(rvCable_GetEndTension(crane.world, crane.rope, 0, 1),
               rvCable_GetEndTension(crane.world, crane.rope, 1, 0), 1e-3); // at rest but for exp(-15) of 5 kN
    double z = rvBody_GetPose(crane.world, crane.hook).p.z;
    CHECK_NEAR(rvCable_GetEndTension(crane.world, crane.rope, 1, 1), 500.0 * GRAVITY, 0.02);
    // rope below the eye: its share of the rest length by what is stretched alike
    CHECK_NEAR(rvCable_GetEndTension(crane.world, crane.rope, 1, 0), 500.0 * GRAVITY + 1.5 * GRAVITY * (20.0 - z),
               0.003 * 1.5 * GRAVITY * 15.0); // strain 2.5e-3
    rvDestroyWorld(crane.world);
}

// A winch far below lets a load down over a wheel: along the wheel's arc tension grows by height as anywhere, and rope
// that comes off the winch brings the height that it has there into the books.
static void RopeTakesItsHeightAlong(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 200.0, 0.3, rvVec(1, 0, -25));
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-20, 0, -40), 0.0),
                           rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, -20), rvVec(0, 1, 0), 1.0),
                           rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = layered_rope(places, 3, 1e7, 2.0, 35.7);
    def.damping = 0.05;
    def.waveDamping = 2.0;
    rvCableId rope = create_cable(world, &def);
    rvSettleReport report;
    rvSettleDef settle = rvDefaultSettleDef();
    CHECK_OK(world, rvWorld_Settle(world, &settle, &report));
    assert_true(report.settled);
    step_world(world, 0.005, 1);
    // from where it arrives, at 45 degrees, to where it leaves, level with the axle
    double rise = -sqrt(0.5), weight = 2.0 * GRAVITY;
    CHECK_NEAR(rvCable_GetEndTension(world, rope, 1, 0) - rvCable_GetEndTension(world, rope, 0, 1), weight * rise,
               0.05 * weight); // the chord of the span from the winch is not quite 45 degrees: 1 in 28
    double start = energy_books(world);
    for (int n = 0; n < 5; ++n) {
        CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, n < 4 ? 1.0 : 0.0));
        step_world(world, 0.005, 200);
    }
    // the winch starts and stops at once, and the load bounces by its 1 m/s with the rope that runs, all but the half
    // of the winch's span: (h w)^2/4 of that energy each time. (4 m of rope went 25 m high and down again: 2 kJ)
    double bounce = 0.5 * (200.0 + 2.0 * (35.7 - 0.5 * 28.3)), hw2 = 0.005 * 0.005 * 1e7 / (35.7 * 200.0);
    CHECK_BELOW(fabs(energy_books(world) - start), 2.0 * 0.25 * hw2 * bounce);
    rvDestroyWorld(world);
}

// Rope on a wheel presses on it, not on its neighbours: over a wheel that turns freely tension is T = T_0 + w z all
// along the rope, z by the unstretched weight: T + T^2/(2 EA) = c + w z. So a load below it has its own weight, and
// what holds the wheel all the rope.
static void RopeOnAWheelRestsOnTheWheel(void** state)
{
    (void)state;
    const rvVec3 starts[] = {{-3, 0, -1}, {-0.25, 0, -3}}, loads[] = {{2.05, 0, -3}, {0.25, 0, -2}};
    for (int i = 0; i < 2; ++i) {
        rvWorld* world = make_world();
        double ea = 1e6, weight = 2.0 * GRAVITY, own = 10.0 * GRAVITY, length = i == 0 ? 8.26 : 5.79;
        rvVec3 axle = rvVec(i == 0 ? 1.8 : 0.0, 0, 0);
        rvBodyId load = add_ball(world, 10.0, 0.1, loads[i]), block = add_ball(world, 20.0, 0.1, axle);
        rvPlaceDef hanger[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 4)), rvAttachPlace(block, rvVec(0, 0, 0.3))};
        rvCableDef above = rvDefaultCableDef(RV_CABLE_MASSLESS);
        above.places = hanger;
        above.placeCount = 2;
        rvCableId held = {0, 0};
        if (i == 1)
            held = create_cable(world, &above);
        rvPlaceDef places[] = {
            rvAttachPlace(RV_NULL_BODY, starts[i]),
            rvSheavePlace(i == 0 ? RV_NULL_BODY : block, i == 0 ? axle : rvVec(0, 0, 0), rvVec(0, 1, 0), 0.25),
            rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = layered_rope(places, 3, ea, 2.0, length);
        rvCableId rope = create_cable(world, &def);
        if (i == 0)
            rvDestroyBody(world, block);
        rvSettleReport report;
        rvSettleDef settle = rvDefaultSettleDef();
        CHECK_OK(world, rvWorld_Settle(world, &settle, &report));
        assert_true(report.settled);
        step_world(world, 0.005, 1);
        double below = rvCable_GetEndTension(world, rope, 1, 1), start = rvCable_GetEndTension(world, rope, 0, 0);
        double higher = starts[i].z - rvBody_GetPose(world, load).p.z;
        // rope on the wheel is stretched as its segment is, not by its own tension: so much is missing of the spans'
        // weight
        double missing = weight * 0.25 * 3.15 * start / ea;
        CHECK_NEAR(below, own, missing);
        CHECK_NEAR(start + 0.5 * start * start / ea, below + 0.5 * below * below / ea + weight * higher, missing);
        if (i == 1) // all of it, and what the rope is pulled down with at its start
            CHECK_NEAR(rvCable_GetTension(world, held, 0), 20.0 * GRAVITY + own + weight * length + start, missing);
        rvDestroyWorld(world);
    }
}

// A load swings below a large wheel: rope comes off it and goes on it, at the height and with the speed that it has
// there.
static void RopeThatAWheelTakesKeepsItsBooks(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    double slope = 0.4, radius = 1.0;
    rvBodyId load = add_ball(world, 20.0, 0.3, rvVec(radius + 5.0 * sin(slope), 0, -5.0 * cos(slope)));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-5, 0, -4)),
                           rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), radius),
                           rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_LAYERED);
    def.axialStiffness = 1e6;
    def.massPerLength = 2.0;
    def.places = places;
    def.placeCount = 3;
    create_cable(world, &def);
    step_world(world, 0.005, 1);
    double start = energy_books(world), elastic = rvWorld_GetEnergy(world).elastic, most = 0.0;
    for (int n = 0; n < 1000; ++n) {
        step_world(world, 0.005, 1);
        // the rope begins taut and falls into its sag: its stretch, 2 J, goes to it and to fast waves. Of the 100 J
        // that swing rope on the wheel would be 40
        CHECK_BELOW(fabs(energy_books(world) - start), elastic);
        most = fmax(most, rvWorld_GetEnergy(world).kinetic);
    }
    assert_true(most > 50.0);
    rvDestroyWorld(world);
}

// The hook's energy falls at the rate of the stretch's damping in the end, whatever the rope weighs (Fig. 8): the mode
// that the hook dominates, as long as the jib's first wave, (pi/30 m) sqrt(T/rho) = 16/s and more here, is above the
// hook's 9.4/s. Heavier ropes share the hook's motion near resonance, and then lose it by the damping of their waves.
static void HookLosesItsEnergyAsOnAMasslessRope(void** state)
{
    (void)state;
    const double masses[] = {0.0, 0.05, 0.1, 0.2};
    double decay[4];
    for (int i = 0; i < 4; ++i) {
        Crane crane = make_crane(masses[i] > 0.0 ? masses[i] : 1.0, 0.02, 2.0);
        if (masses[i] == 0.0) { // the same rope without mass
            rvDestroyCable(crane.world, crane.rope);
            rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 20)),
                                   rvEyePlace(RV_NULL_BODY, rvVec(30, 0, 20)),
                                   rvAttachPlace(crane.hook, rvVec(0, 0, 0))};
            rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
            def.axialStiffness = 2e6;
            def.length = 45.0;
            def.damping = 0.02;
            def.places = places;
            def.placeCount = 3;
            crane.rope = create_cable(crane.world, &def);
        }
        // largest speed in a period of 2 pi sqrt(500/44444) = 0.67 s, from 2 s on and 3 s later
        double fastest[2] = {0.0, 0.0};
        for (int part = 0; part < 2; ++part) {
            step_world(crane.world, 0.002, part == 0 ? 1000 : 1165);
            for (int n = 0; n < 335; ++n) {
                step_world(crane.world, 0.002, 1);
                fastest[part] = fmax(fastest[part], fabs(rvBody_GetVelocity(crane.world, crane.hook).z));
            }
        }
        decay[i] = log(fastest[0] / fastest[1]) / 3.0;
        rvDestroyWorld(crane.world);
    }
    CHECK_NEAR(decay[0], 0.5 * 0.02 * 2e6 / 45.0 / 500.0, 0.03 * decay[0]); // tau w^2/2; peaks are read to w h
    // what the waves share: the rope's mass over the hook's, and the compliance of the sag, 2 S/T over L/EA: 2e-3
    for (int i = 1; i < 4; ++i)
        CHECK_NEAR(decay[i], decay[0], (0.03 + 2.0 * masses[i] * 45.0 / 500.0) * decay[0]);
}

static void SavedStateGoesOnAsItWould(void** state)
{
    (void)state;
    Crane a = make_crane(1.5, 0.0, 0.1), b = make_crane(1.5, 0.0, 0.1);
    step_world(a.world, 0.01, 137); // an odd number: the waves are in their second store
    size_t size = rvWorld_Save(a.world, NULL, 0);
    void* image = malloc(size);
    assert_non_null(image);
    rvWorld_Save(a.world, image, size);
    step_world(b.world, 0.01, 20);
    CHECK_OK(b.world, rvWorld_Restore(b.world, image, size));
    assert_true(rvWorld_Hash(a.world) == rvWorld_Hash(b.world));
    for (int i = 0; i < 100; ++i) {
        step_world(a.world, 0.01, 1);
        step_world(b.world, 0.01, 1);
        assert_true(rvWorld_Hash(a.world) == rvWorld_Hash(b.world));
    }
    // a place that claims a wave beyond the store is refused, whatever the checksum says: see the fuzz target
    free(image);
    rvDestroyWorld(a.world);
    rvDestroyWorld(b.world);
}

static void FailedStepLeavesTheWavesAlone(void** state)
{
    (void)state;
    Crane crane = make_crane(1.5, 0.0, 0.0);
    step_world(crane.world, 0.01, 50);
    rvBody_ApplyForce(crane.world, crane.hook, rvVec(0, 0, 1e15), rvBody_GetPose(crane.world, crane.hook).p);
    assert_int_equal(rvWorld_Step(crane.world, 0.01), RV_DIVERGED);
    rvVec3 points[64], again[64];
    int count = rvCable_GetShape(crane.world, crane.rope, points, 64);
    assert_int_equal(rvWorld_Step(crane.world, 0.01), RV_DIVERGED); // the force is still there
    assert_int_equal(rvCable_GetShape(crane.world, crane.rope, again, 64), count);
    assert_memory_equal(points, again, (size_t)count * sizeof *points);
    rvDestroyWorld(crane.world);
}

static void ShapeSagsBelowItsChord(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(20, 0, 0))};
    rvCableDef def = layered_rope(places, 2, 1e7, 1.5, 20.0);
    rvCableId rope = create_cable(world, &def);
    rvVec3 points[64];
    int count = rvCable_GetShape(world, rope, points, 64);
    assert_int_equal(count, 21);
    double tension = rvCable_GetTension(world, rope, 0);
    CHECK_NEAR(points[10].z, -1.5 * GRAVITY * 400.0 / (8.0 * tension), 1e-4); // a parabola but for (w l/2T)^2 of it
    CHECK_NEAR(points[10].x, 10.0, 1e-6);
    rvDestroyWorld(world);
}

// Two loads on a heavy rope over an eye with friction: it slips where the tension at the eye, rope and all, says so.
static void FrictionGoesByTheTensionAtThePlace(void** state)
{
    (void)state;
    const double heavier[] = {5.0, 60.0,
                              110.0}; // of 210 kg: 1.024, 1.29 and 1.52 times; the eye holds exp(0.1 pi) = 1.37
    for (int i = 0; i < 3; ++i) {
        rvWorld* world = make_world();
        rvBodyId a = add_ball(world, 10.0 + heavier[i], 0.2, rvVec(-0.01, 0, 10)),
                 b = add_ball(world, 10.0, 0.2, rvVec(0.01, 0, 10));
        rvPlaceDef places[] = {rvAttachPlace(a, rvVec(0, 0, 0)), rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 20)),
                               rvAttachPlace(b, rvVec(0, 0, 0))};
        places[1].friction = 0.1;
        rvCableDef def = layered_rope(places, 3, 1e7, 20.0, 20.0);
        def.damping = 0.05;
        create_cable(world, &def);
        step_world(world, 0.005, 400);
        double way = 10.0 - rvBody_GetPose(world, a).p.z;
        if (i < 2)
            CHECK_BELOW(fabs(way), 0.01); // stretch of 4 kN: 4 mm
        else
            assert_true(way > 0.5);
        rvDestroyWorld(world);
    }
}

// To the default tolerance, and there it stays: hooks on ropes over eyes and through a loose block, light and heavy.
static void SettlesToTheDefaultTolerance(void** state)
{
    (void)state;
    const double masses[] = {0.05, 0.5, 2.0, 6.0};
    for (int i = 0; i < 12; ++i) {
        rvWorld* world = make_world();
        rvBodyId hook = add_ball(world, i % 3 == 0 ? 20.0 : 800.0, 0.3, rvVec(20 + i % 3, 1, 4));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-10, 0, 18)),
                               rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 20)), rvEyePlace(RV_NULL_BODY, rvVec(25, 0, 20)),
                               rvEyePlace(hook, rvVec(0, 0, 0.3)), rvAttachPlace(RV_NULL_BODY, rvVec(27, 0, 21))};
        rvCableDef def = layered_rope(places, 5, 1e7, masses[i % 4], 74.0);
        def.damping = 0.05;
        create_cable(world, &def);
        rvSettleDef settle = rvDefaultSettleDef();
        rvSettleReport report;
        CHECK_OK(world, rvWorld_Settle(world, &settle, &report));
        assert_true(report.settled);
        double fastest = 0.0;
        for (int n = 0; n < 100; ++n) {
            step_world(world, 0.01, 1);
            fastest = fmax(fastest, rvLength(rvBody_GetVelocity(world, hook)));
        }
        // 1e-9 of what it carries pushes it by 1e-9 g s in a second
        CHECK_BELOW(fastest, 1e-8);
        rvDestroyWorld(world);
    }
}

// A block on a loose rope comes to rest where it would without the drag of its eye, however large that is, and stays
// there.
static void DragHoldsNothingAtRest(void** state)
{
    (void)state;
    const double drags[] = {0.0, 1e3, 1e5};
    for (int model = RV_CABLE_MASSLESS; model <= RV_CABLE_LAYERED; ++model) {
        rvVec3 rest = {0, 0, 0};
        for (int i = 0; i < 3; ++i) {
            rvWorld* world = make_world();
            rvBodyId block = add_ball(world, 100.0, 0.3, rvVec(3, 0, 4));
            rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-5, 0, 10)), rvEyePlace(block, rvVec(0, 0, 0)),
                                   rvAttachPlace(RV_NULL_BODY, rvVec(5, 0, 8))};
            places[1].drag = drags[i];
            rvCableDef def = layered_rope(places, 3, 1e6, 0.5, 18.0);
            def.model = (rvCableModel)model;
            create_cable(world, &def);
            rvSettleDef settle = rvDefaultSettleDef();
            rvSettleReport report;
            CHECK_OK(world, rvWorld_Settle(world, &settle, &report));
            assert_true(report.settled);
            rvVec3 at = rvBody_GetPose(world, block).p;
            rest = i == 0 ? at : rest;
            CHECK_BELOW(rvDistance(at, rest), 1e-6); // 1e-9 of its weight over its stiffness across, T/l = 100 N/m
            step_world(world, 0.01, 100);
            CHECK_BELOW(rvLength(rvBody_GetVelocity(world, block)), 1e-8); // 1e-9 g s
            rvDestroyWorld(world);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(OwnWeightAndLoadStretchARope),
        cmocka_unit_test(SpanAtRestIsAnElasticCatenary),
        cmocka_unit_test(BooksOfABouncingHookClose),
        cmocka_unit_test(TensionIsEqualOnBothSidesOfAnEye),
        cmocka_unit_test(HookLosesItsEnergyAsOnAMasslessRope),
        cmocka_unit_test(SavedStateGoesOnAsItWould),
        cmocka_unit_test(RopeTakesItsHeightAlong),
        cmocka_unit_test(RopeOnAWheelRestsOnTheWheel),
        cmocka_unit_test(RopeThatAWheelTakesKeepsItsBooks),
        cmocka_unit_test(FailedStepLeavesTheWavesAlone),
        cmocka_unit_test(ShapeSagsBelowItsChord),
        cmocka_unit_test(SettlesToTheDefaultTolerance),
        cmocka_unit_test(DragHoldsNothingAtRest),
        cmocka_unit_test(FrictionGoesByTheTensionAtThePlace),
    };
    return RUN_TESTS(tests);
}
