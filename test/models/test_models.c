// SPDX-License-Identifier: MIT
// The suite that every model passes: one list of cases through the public calls, each against a closed form, run
// by every model that claims it. What a case measures is kept, and the models are compared where the physics is the
// same.
//
// Ropes with mass weigh next to nothing here (Model.share), so the closed forms of massless ropes hold for all.
#include "models/models.h"

#define PI 3.14159265358979323846

enum { MOST_FIGURES = 8 };

// What a case measured.
typedef struct {
    double value[MOST_FIGURES], tolerance[MOST_FIGURES]; // tolerance: by which models may differ
    int count;
} Figures;

static void keep(Figures* f, double value, double tolerance)
{
    assert_true(f->count < MOST_FIGURES);
    f->value[f->count] = value;
    f->tolerance[f->count++] = tolerance;
}

static void settle(rvWorld* world)
{
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    if (!report.settled)
        print_error("%s\n", rvWorld_GetError(world));
    assert_true(report.settled);
}

// ---- at rest

static void HangingMassStretchesTheRope(const Model* m, Figures* f)
{
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(0.5, 0, -9.9));
    rvCableId rope = hang(world, m, rvVec(0, 0, 0), load, 1e6, 10.0);
    settle(world);
    double weight = 100.0 * GRAVITY, tolerance = 1e-8 + m->share; // the settling's 1e-9 of two forces
    CHECK_NEAR(rvCable_GetTension(world, rope, 0) / weight, 1.0, tolerance);
    double e = weight / 1e6, strain = m->green ? e * (1.0 - 1.5 * e) : e; // EA (e + e^2/2)(1 + e), to second order
    CHECK_NEAR(rvBody_GetPose(world, load).p.z, -10.0 - 10.0 * strain,
               0.01 * tolerance + 1e-7 * m->green + 1e-9); // of a stretch of 1 cm; its third power; round-off
    for (int i = 0; i < 4; ++i) {
        static const double steps[] = {1.0 / 30.0, 1.0 / 60.0, 1.0 / 240.0, 1.0 / 1000.0};
        run_world(world, steps[i], 1.0); // whatever the step, it stays
        CHECK_NEAR(rvCable_GetTension(world, rope, 0) / weight, 1.0, 10.0 * tolerance);
        CHECK_BELOW(rvLength(rvBody_GetVelocity(world, load)), 1e-6 + 10.0 * m->share); // a second of 1e-8 g
    }
    keep(f, rvCable_GetTension(world, rope, 0) / weight, 10.0 * tolerance);
    keep(f, rvBody_GetPose(world, load).p.z, tolerance);
    rvDestroyWorld(world);
}

// Rope that begins straight between points that are farther apart than it is long is stretched evenly: its energy is
// that of its tension, and nothing flies. (Elements of unit slope hold 6/5 of it, and threw themselves about with many
// times that.)
static void check_straight(const Model* m, double torsionalStiffness, Figures* f)
{
    static const double EA = 1e5, CHORD = 10.0, REST = 9.95;
    rvWorld* world = make_world();
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 2)),
                           rvAttachPlace(RV_NULL_BODY, rvVec(1 + CHORD, 0, 2))};
    rvCableDef def = rope_def(m, places, 2, EA, REST);
    def.straight = true;
    def.torsionalStiffness = torsionalStiffness;
    rvCableId rope = create_cable(world, &def);
    double e = CHORD / REST - 1.0, g = m->green ? e + 0.5 * e * e : e, stored = 0.5 * EA * REST * g * g;
    CHECK_NEAR(rvCable_GetTension(world, rope, 0), stretch_tension(m, EA, e), 1e-9 * EA); // round-off of strains
    CHECK_NEAR(rvWorld_GetEnergy(world).elastic, stored, 1e-9 * stored);
    for (int i = 0; i < 60; ++i) {
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
        rvEnergy energy = rvWorld_GetEnergy(world);
        CHECK_BELOW(energy.kinetic,
                    1e-12 + def.massPerLength * CHORD * GRAVITY * 1e-3); // it sags by less than a millimetre
        CHECK_NEAR(energy.elastic, stored, 1e-6 * stored);               // by a stretch of 1e-6 of it
    }
    keep(f, rvCable_GetTension(world, rope, 0), 1.5 * e * e * EA * 1.01); // Green's law pulls more by that
    rvDestroyWorld(world);
}

static void StraightRopeBeginsStretched(const Model* m, Figures* f)
{
    check_straight(m, 0.0, f);
    if (m->type == RV_CABLE_CURVE)
        check_straight(m, 1e-3, f); // in space
}

// Without weight nothing is carried, and round-off is no unbalance: the load is not held back as if it had none, and
// stays where it is.
static void WeightlessLoadIsAtRest(const Model* m, Figures* f)
{
    (void)f;
    rvWorld* world = make_world();
    CHECK_OK(world, rvWorld_SetGravity(world, rvVec(0, 0, 0)));
    rvBodyId load = add_ball(world, 0.01, 0.1, rvVec(1.7, 0, 0));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = rope_def(m, places, 2, 1e6, 1.7);
    def.massPerLength = 0.3;
    def.bendingStiffness = 3.3;
    def.elements = 16;
    create_cable(world, &def);
    settle(world);
    run_world(world, 1.0 / 240.0, 0.2);
    CHECK_BELOW(rvDistance(rvBody_GetPose(world, load).p, rvVec(1.7, 0, 0)), 1e-9); // round-off of 1e-16 EA in 0.2 s
    rvDestroyWorld(world);
}

static void TackleSharesTheWeight(const Model* m, Figures* f)
{
    rvWorld* world = make_world();
    rvBodyId load = add_box(world, 400.0, rvVec(1, 1, 1), rvVec(0, 0, -8));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-0.3, 0, 0)), rvEyePlace(load, rvVec(-0.3, 0, 0.5)),
                           rvEyePlace(RV_NULL_BODY, rvVec(-0.1, 0, 0)), rvEyePlace(load, rvVec(0.3, 0, 0.5)),
                           rvWinchPlace(RV_NULL_BODY, rvVec(0.3, 0, 0), 0.0)};
    rvCableId rope = add_rope(world, m, places, 5, 1e6, -1.0);
    settle(world);
    double sum = 0.0, weight = 400.0 * GRAVITY;
    for (int i = 0; i < 4; ++i) {
        rvVec3 in, out, next, unused;
        rvCable_GetTangents(world, rope, i, &in, &out);
        rvCable_GetTangents(world, rope, i + 1, &next, &unused);
        double upright = fabs(next.z - out.z) / rvDistance(next, out);
        sum += rvCable_GetTension(world, rope, i) * upright;
        CHECK_NEAR(rvCable_GetTension(world, rope, i), rvCable_GetTension(world, rope, 0),
                   weight * (1e-8 + m->share)); // no friction: one tension
    }
    CHECK_NEAR(sum / weight, 1.0, 1e-8 + m->share); // the settling's
    keep(f, rvCable_GetTension(world, rope, 0) / weight, 1e-7 + m->share);
    rvDestroyWorld(world);
}

static void RopeLiesOverADrum(const Model* m, Figures* f)
{
    rvWorld* world = make_world();
    add_drum(world, 0.5);
    rvBodyId load = add_ball(world, 50.0, 0.2, rvVec(2.5, 0, 0.55));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-2, 0, 0.5)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = rope_def(m, places, 2, 1e6, -1.0);
    def.collides = true;
    double thick = 0.0; // half a diameter of elements: they lie on the shape, other ropes by their middle
    if (m->bead > 0.0) {
        def.elements = (int)ceil(4.5 / (2.0 * m->bead)); // at nodes and middles
        def.diameter = 1e-4;
    }
    if (m->bead > 0.0 || def.model == RV_CABLE_ALE)
        thick = 0.5 * def.diameter;
    rvCableId rope = create_cable(world, &def);
    settle(world);
    double radius = 0.5; // the rope's middle lies on the shape
    rvVec3 p = rvBody_GetPose(world, load).p;
    // between points on the circle, an angle apart, it is straight: so far within it, and where it leaves the circle
    // the last point turns it by a to b instead of half an angle both, cos a/cos b of its tension, on either side
    double angle = m->bead / radius, sagitta = radius * angle * angle / 8.0, turned = angle * angle / 4.0;
    CHECK_NEAR(rvCable_GetContactCount(world, rope), m->bead > 0.0 ? 0.5 * PI / angle : 1.0, m->bead > 0.0 ? 2.0 : 0.0);
    double length = rvCable_GetRestLength(world, rope), weight = 50.0 * GRAVITY;
    CHECK_NEAR(p.x, radius, 0.02); // half a rope's diameter either way
    CHECK_NEAR(-p.z, length * (1.0 + weight / 1e6) - 2.0 - 0.5 * PI * radius, 0.05); // that on a quarter turn
    CHECK_NEAR(rvCable_GetTension(world, rope, 0) / weight, 1.0,
               1e-6 + m->share + turned); // without friction all of it
    run_world(world, 1.0 / 60.0, 2.0);
    CHECK_BELOW(rvLength(rvBody_GetVelocity(world, load)), 1e-5 + 10.0 * m->share); // stays: 1e-6 of g, for seconds
    keep(f, p.x - thick, 1e-5 + sagitta);
    keep(f, p.z - 0.5 * PI * thick, 1e-4 + 0.5 * PI * sagitta); // of a quarter turn
    rvDestroyWorld(world);
}

// ---- in motion

static void MomentumOverAnEyeIsThatOfTheWeights(const Model* m, Figures* f)
{
    rvWorld* world = make_world();
    rvBodyId heavy = add_ball(world, 200.0, 0.3, rvVec(-0.5, 0, -5)),
             light = add_ball(world, 100.0, 0.3, rvVec(0.5, 0, -8));
    rvPlaceDef places[] = {rvAttachPlace(heavy, rvVec(0, 0, 0)), rvEyePlace(RV_NULL_BODY, rvVec(-0.5, 0, 0)),
                           rvEyePlace(RV_NULL_BODY, rvVec(0.5, 0, 0)), rvAttachPlace(light, rvVec(0, 0, 0))};
    rvCableDef def = rope_def(m, places, 4, 1e6, -1.0);
    def.damping = 0.05;
    rvCableId rope = create_cable(world, &def);
    double t = 0.5;
    run_world(world, 1.0 / 240.0, t);
    // m1 v1 - m2 v2 does not know of the tension, which is the same on both sides
    double v1 = -rvBody_GetVelocity(world, heavy).z, v2 = -rvBody_GetVelocity(world, light).z;
    CHECK_NEAR((200.0 * v1 - 100.0 * v2) / (100.0 * GRAVITY * t), 1.0, 1e-9 + 3.0 * m->share); // round-off
    double tension = 2.0 * 200.0 * 100.0 / 300.0 * GRAVITY;
    CHECK_NEAR(rvCable_GetTension(world, rope, 1) / tension, 1.0, 0.02 + m->share); // the bounce of the start
    keep(f, v1, 1e-3 + m->share);
    keep(f, v2, 1e-3 + m->share);
    rvDestroyWorld(world);
}

// Two weights over a wheel, for a second at 60 Hz: the acceleration of the heavier one, with all bounds found and the
// books closed.
static double fall_over_wheel(const Model* m, const rvPlaceDef* wheel)
{
    rvWorld* world = make_world();
    double r = wheel->wheel.radius;
    rvBodyId a = add_ball(world, 3.1, 0.1, rvVec(-r, 0, -2)), b = add_ball(world, 1.9, 0.1, rvVec(r, 0, -4));
    rvPlaceDef places[] = {rvAttachPlace(a, rvVec(0, 0, 0)), *wheel, rvAttachPlace(b, rvVec(0, 0, 0))};
    rvCableDef def = rope_def(m, places, 3, 1e6, -1.0);
    def.massPerLength = 1e-4;
    def.bendingStiffness = 1e-6;
    def.damping = 1e-3;
    def.elements = 8;
    create_cable(world, &def);
    rvEnergy start = rvWorld_GetEnergy(world);
    double middle = 0.0;
    for (int i = 0; i < 60; ++i) {
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
        assert_int_equal(rvWorld_GetStepInfo(world).fallbacks, 0);
        middle = i == 29 ? rvBody_GetVelocity(world, a).z : middle;
    }
    rvEnergy end = rvWorld_GetEnergy(world);
    double made =
        end.kinetic + end.potential + end.elastic + end.heat - start.kinetic - start.potential - start.elastic;
    CHECK_NEAR(made, 0.0, 1e-4); // of 5 J that fell; of layered rope its height, half a step apart from its mass
    double fall = 2.0 * (middle - rvBody_GetVelocity(world, a).z);
    rvDestroyWorld(world);
    return fall;
}

static void WeightsFallByFrictionAndInertiaOfAWheel(const Model* m, Figures* f)
{
    rvPlaceDef locked = rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.15), heavy = locked;
    locked.wheel.locked = true;
    locked.friction = 0.1;
    heavy.wheel.inertia = 0.03;
    double e = exp(0.1 * PI), slips = (3.1 - 1.9 * e) * GRAVITY / (3.1 + 1.9 * e);
    double turns = (3.1 - 1.9) * GRAVITY / (3.1 + 1.9 + 0.03 / (0.15 * 0.15));
    // rope of 0.6 g that is up to 3 m longer on one side, against 5 kg; vibrations of 1 mm/s that are left from the
    // start
    double tolerance = 1e-3 + 2e-3 * (m->share > 0.0);
    CHECK_NEAR(fall_over_wheel(m, &locked), slips, tolerance);
    CHECK_NEAR(fall_over_wheel(m, &heavy), turns, tolerance);
    (void)f;
}

// A load on six falls whose wheels rub in their bearings: from the winch on every fall carries less by (1 - k)/(1 + k).
static void TackleLosesByItsBearings(const Model* m, Figures* f)
{
    enum { FALLS = 6 };
    static const double BEARING = 0.08, R = 0.1, MASS = 750.0;
    rvWorld* world = make_world();
    rvBodyId block = add_box(world, MASS, rvVec(1, 1, 1), rvVec(FALLS * R, 0, 0));
    rvJointDef slide = rvDefaultJointDef(RV_JOINT_SLIDER);
    CHECK_OK(world, rvJointDef_Place(world, &slide, RV_NULL_BODY, block, rvVec(FALLS * R, 0, 0), rvVec(0, 0, 1)));
    rvJointId joint;
    CHECK_OK(world, rvCreateJoint(world, &slide, &joint));
    rvPlaceDef places[FALLS + 1] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 10), -0.2)};
    for (int i = 1; i < FALLS; ++i) {
        bool up = i % 2 == 0;
        double x = (2 * i - 1) * R;
        places[i] = rvSheavePlace(up ? RV_NULL_BODY : block, rvVec(up ? x : x - FALLS * R, 0, up ? 10.5 : 0.0),
                                  rvVec(0, 1, 0), R);
        places[i].wheel.bearing = BEARING;
    }
    places[FALLS] = rvAttachPlace(RV_NULL_BODY, rvVec(2 * (FALLS - 1) * R, 0, 10));
    rvCableDef def = rope_def(m, places, FALLS + 1, 1e7, -1.0);
    def.massPerLength = 1e-3;
    def.bendingStiffness = 1e-6;
    def.damping = 0.02;
    def.elements = 4 * FALLS;
    rvCableId rope = create_cable(world, &def);
    double sum = 0.0, ratio = (1.0 - BEARING) / (1.0 + BEARING);
    for (int i = 0; i < 240; ++i) {
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
        assert_int_equal(rvWorld_GetStepInfo(world).fallbacks, 0);
    }
    for (int i = 0; i < FALLS; ++i) {
        sum += rvCable_GetTension(world, rope, i);
        if (i > 0)
            CHECK_NEAR(rvCable_GetTension(world, rope, i) / rvCable_GetTension(world, rope, i - 1), ratio,
                       1e-6 + 1e-3 * (m->share > 0.0)); // 10 m of rope of 1 g/m beside 800 N
    }
    CHECK_NEAR(sum / (MASS * GRAVITY), 1.0,
               1e-6 + 1e-4 * (m->share > 0.0)); // half a second of damping is left, and 60 g of rope
    keep(f, sum / (MASS * GRAVITY), 2e-4);
    rvDestroyWorld(world);
}

static void WinchLiftsLowersAndIsPaidForIt(const Model* m, Figures* f)
{
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(0, 0, -10));
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = rope_def(m, places, 2, 1e6, 10.0);
    def.damping = 0.05;
    rvCableId rope = create_cable(world, &def);
    settle(world);
    double start = rvBody_GetPose(world, load).p.z, weight = 100.0 * GRAVITY;
    CHECK_OK(world, rvWorld_Step(world, 0.005)); // energies are read by the step
    rvEnergy before = rvWorld_GetEnergy(world);
    for (int i = 0; i < 2; ++i) {
        CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, i ? 0.5 : -0.5));
        run_world(world, 0.005, 4.0);
        CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, 0.0));
        run_world(world, 0.005, 6.0); // the bounce is damped: 2.5 s^-1 of it
        double length = i ? 10.0 : 8.0, expected = -length * (1.0 + weight / 1e6);
        CHECK_NEAR(rvCable_GetRestLength(world, rope), length, 1e-9);                    // steps of 2.5 mm, summed
        CHECK_NEAR(rvBody_GetPose(world, load).p.z, expected, 1e-5 + length * m->share); // what is left of the bounce
        rvEnergy e = rvWorld_GetEnergy(world);
        double gained = e.kinetic + e.potential + e.elastic - before.kinetic - before.potential - before.elastic;
        double given = e.work - before.work - (e.heat - before.heat);
        CHECK_NEAR(given - gained, 0.0, 2.0 * weight * (1e-6 + m->share)); // the books close; 2 m times the weight
        keep(f, rvBody_GetPose(world, load).p.z, 1e-4 + 10.0 * m->share);
    }
    CHECK_NEAR(rvBody_GetPose(world, load).p.z, start, 1e-5 + m->share);
    rvDestroyWorld(world);
}

static void SlackRopeCatchesAFall(const Model* m, Figures* f)
{
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 10.0, 0.1, rvVec(0, 0, -1));
    rvCableId rope = hang(world, m, rvVec(0, 0, 0), load, 2e4, 2.0);
    double h = 1e-3, weight = 10.0 * GRAVITY, peak = 0.0, taut = -1.0, start = 0.0, most = -1e300;
    for (int i = 0; i < 1000; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        double tension = rvCable_GetTension(world, rope, 0);
        peak = fmax(peak, tension);
        if (taut < 0.0 && tension > 0.01 * weight)
            taut = (i + 1) * h;
        double energy = total_energy(world);
        start = i == 0 ? energy : start;
        most = fmax(most, energy);
    }
    // falls freely for a metre; then an oscillator about its rest
    CHECK_NEAR(taut, sqrt(2.0 / GRAVITY), 2.0 * h + m->share); // the step in which it happens
    double expected = stretch_tension(m, 2e4, catch_stretch(m, 2e4, 2.0, weight, 1.0) / 2.0);
    // (h w)^2/8 = 1.2e-4 between samples; the catch within a step: 1e-3
    CHECK_NEAR(peak / expected, 1.0, 2e-3 + 10.0 * m->share);
    CHECK_BELOW(most - start, (1e-3 + m->share) * weight * 1.0); // of the fall; none is made
    keep(f, peak / expected, 4e-3 + 10.0 * m->share);
    keep(f, taut, 2.0 * h + m->share);
    rvDestroyWorld(world);
}

// Swings by `angle` in the plane at `heading` from x; answers the share of its energy that is kept, and the period.
static double swing(const Model* m, double heading, double angle, double seconds, double* period, rvVec3* end)
{
    rvWorld* world = make_world();
    double s = 10.0 * sin(angle);
    rvBodyId load = add_ball(world, 100.0, 0.1, rvVec(s * cos(heading), s * sin(heading), -10.0 * cos(angle)));
    hang(world, m, rvVec(0, 0, 0), load, 1e8, 10.0);
    Crossings crossings = {0};
    double h = 1.0 / 60.0, first = 0.0, lowest = -10.0 * 100.0 * GRAVITY;
    for (int i = 0; i < lround(seconds / h); ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        first = i == 0 ? total_energy(world) - lowest : first;
        rvVec3 p = rvBody_GetPose(world, load).p;
        watch(&crossings, rvWorld_GetTime(world), p.x * cos(heading) + p.y * sin(heading));
    }
    double kept = (total_energy(world) - lowest) / first;
    rvVec3 p = rvBody_GetPose(world, load).p;
    *end = rvVec(p.x * cos(heading) + p.y * sin(heading), p.y * cos(heading) - p.x * sin(heading), p.z);
    *period = mean_period(&crossings);
    rvDestroyWorld(world);
    return kept;
}

static void LoadSwingsAsAPendulum(const Model* m, Figures* f)
{
    double period, kept, expected = 2.0 * PI * sqrt(10.0 / GRAVITY) * large_swing(0.5);
    rvVec3 end;
    kept = swing(m, 0.0, 0.5, 60.0, &period, &end);
    CHECK_NEAR(period / expected, 1.0, 5e-4 + m->share); // (h w)^2/24 = 1e-5, and the stretch
    CHECK_NEAR(kept, 1.0, 0.01 + 10.0 * m->share);       // a minute at 60 Hz
    CHECK_NEAR(end.y, 0.0, 1e-6);                        // in its plane: round-off over 9 swings
    keep(f, period, 1e-3 + 10.0 * m->share);
    keep(f, kept, 0.01 + 10.0 * m->share);
}

static void NoDirectionIsSpecial(const Model* m, Figures* f)
{
    (void)f;
    double period;
    rvVec3 along, turned;
    swing(m, 0.0, 0.5, 10.0, &period, &along);
    swing(m, 2.1, 0.5, 10.0, &period, &turned);
    // round-off over 600 steps, each of ten metres times how ill the rope's matrix is conditioned
    CHECK_NEAR(rvDistance(along, turned), 0.0, 1e-8 + 600.0 * 10.0 * 2.2e-16 * m->condition);
}

static void LoadFollowsAMovingSupport(const Model* m, Figures* f)
{
    rvWorld* world = make_world();
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_KINEMATIC;
    rvBodyId support = add_body(world, &def), load = add_ball(world, 100.0, 0.1, rvVec(0, 0, -10));
    rvPlaceDef places[] = {rvAttachPlace(support, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    add_rope(world, m, places, 2, 1e8, 10.0);
    settle(world);
    double h = 1.0 / 240.0, w = 2.0, w0 = sqrt(GRAVITY / 10.0), a = 0.05, worst = 0.0;
    for (int i = 0; i < 2400; ++i) {
        double t = (i + 1) * h;
        rvPose pose = rvPoseIdentity();
        pose.p.x = a * sin(w * t);
        CHECK_OK(world, rvBody_MoveTo(world, support, pose));
        CHECK_OK(world, rvWorld_Step(world, h));
        double x = a * w0 * w0 / (w0 * w0 - w * w) * (sin(w * t) - w / w0 * sin(w0 * t));
        worst = fmax(worst, fabs(rvBody_GetPose(world, load).p.x - x));
    }
    CHECK_BELOW(worst, 1e-3 + 0.1 * m->share); // of 0.05 m: half a step of phase, h w a = 4e-4, and small angles, 1e-4
    keep(f, rvBody_GetPose(world, load).p.x, 1e-3);
    rvDestroyWorld(world);
}

static void LightHookCarriesAHeavyLoad(const Model* m, Figures* f)
{
    rvWorld* world = make_world();
    double angle = 0.5;
    rvVec3 u = rvVec(sin(angle), 0, -cos(angle)), k = rvVec(sin(angle + 0.05), 0, -cos(angle + 0.05));
    rvVec3 at = rvScale(20.0, u), end = rvMulAdd(at, 1.0, k);
    rvBodyId hook = add_ball(world, 0.1, 0.05, at), load = add_ball(world, 1e4, 0.5, end);
    hang(world, m, rvVec(0, 0, 0), hook, 1e8, 20.0);
    rvPlaceDef places[] = {rvAttachPlace(hook, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    add_rope(world, m, places, 2, 1e8, 1.0);
    Crossings crossings = {0};
    double h = 1.0 / 60.0;
    for (int i = 0; i < 3600; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        watch(&crossings, rvWorld_GetTime(world), rvBody_GetPose(world, load).p.x);
    }
    // as one pendulum of 21 m: the kink of 0.05 rad in 1 m of 21, the stretch of 2e-2 m
    double expected = 2.0 * PI * sqrt(21.0 / GRAVITY) * large_swing(0.5);
    CHECK_NEAR(mean_period(&crossings) / expected, 1.0, 5e-3);
    // one that does not stretch lacks the 2e-2 m of the others: 4.6e-3 s
    double lacks = rope_def(m, places, 2, 1e8, 1.0).axialStiffness > 0.0 ? 0.0 : 21.0 * 1e4 * GRAVITY / 1e8;
    keep(f, mean_period(&crossings) * sqrt((21.0 + lacks) / 21.0), 5e-3);
    rvDestroyWorld(world);
}

// ---- the rest of the house

static void RopeOfNoSpanIsNoTrouble(const Model* m, Figures* f)
{
    rvWorld* world = make_world();
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 0))};
    rvCableDef def = rope_def(m, places, 2, 1e5, 1.0);
    rvCableId rope;
    assert_int_equal(rvCreateCable(world, &def, &rope), RV_BAD_INPUT); // a rope begins with a direction
    rvBodyId load = add_ball(world, 10.0, 0.1, rvVec(0, 0, -0.5));
    rope = hang(world, m, rvVec(0, 0, 0), load, 1e5, 1.0);
    CHECK_OK(world, rvBody_SetPose(world, load, rvPoseIdentity())); // but may lose it: both ends at one point
    double most = 0.0;
    for (int i = 0; i < 600; ++i) {
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 240.0));
        most = fmax(most, -rvBody_GetPose(world, load).p.z);
        assert_true(isfinite(rvCable_GetTension(world, rope, 0)));
    }
    // it falls by the rope's length and is caught
    double lowest = 1.0 + catch_stretch(m, 1e5, 1.0, 10.0 * GRAVITY, 1.0);
    CHECK_NEAR(most, lowest, 5e-3); // 18 mm a step when it comes taut
    // generalised-alpha keeps 97 to 99 % of the first quarter of a swing at h w = 0.42, as the step falls
    keep(f, most - lowest, 1e-3 + m->share + (m->condition > 0.0 ? 0.03 * (lowest - 1.0) : 0.0));
    rvDestroyWorld(world);
}

static void BrokenRopeLetsGo(const Model* m, Figures* f)
{
    (void)f;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(0, 0, -10));
    rvCableId rope = hang(world, m, rvVec(0, 0, 0), load, 1e6, 10.0);
    settle(world);
    CHECK_OK(world, rvCable_Break(world, rope));
    run_world(world, 0.01, 1.0);
    assert_true(rvCable_IsBroken(world, rope));
    CHECK_NEAR(rvBody_GetVelocity(world, load).z, -GRAVITY, 1e-9); // falls freely: round-off
    CHECK_NEAR(rvCable_GetTension(world, rope, 0), 0.0, 0.0);
    rvDestroyWorld(world);
}

// A rope with mass far below the zero of heights swings, breaks or is taken away: what its weight had is no heat, and
// the books close. A winch that pays on pays out what is not in them.
static void HeavyRopeThatGoesLeavesItsBooks(const Model* m, Figures* f)
{
    (void)f;
    bool reels = m->claims & CAN_REEL;
    for (int i = 0; i < 2 + reels; ++i) {
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 1000.0, 0.5, rvVec(0, 0, -60));
        rvPlaceDef places[] = {i == 2 ? rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, -30), 0.0)
                                      : rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, -30)),
                               rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = rope_def(m, places, 2, 1e7, 30.0);
        def.massPerLength = 10.0;
        def.damping = 0.02;
        rvCableId rope = create_cable(world, &def);
        CHECK_OK(world, rvBody_SetVelocity(world, load, rvVec(1.0, 0, 0), rvVec(0, 0, 0)));
        run_world(world, 0.005, 0.5);
        rvEnergy before = rvWorld_GetEnergy(world);
        rvCableEnergy held = rvCable_GetEnergy(world, rope);
        double begun = energy_books(world);
        CHECK_OK(world, i == 1 ? rvDestroyCable(world, rope) : rvCable_Break(world, rope));
        rvEnergy after = rvWorld_GetEnergy(world);
        double off = 1e-12 * (fabs(before.potential) + before.kinetic); // round-off of sums
        CHECK_NEAR(energy_books(world), begun, off);
        // all that can be heat, or less: rope of elements still is there
        assert_true(after.heat - before.heat >= -off);
        assert_true(after.heat - before.heat <= held.stretch + held.twist + held.kinetic + off);
        begun = energy_books(world);
        if (i == 2)
            CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, 1.0));
        for (int step = 0; step < 100; ++step) {
            CHECK_OK(world, rvWorld_Step(world, 0.005));
            // rope of elements that is paid out is read to half a step of its weight at the speed of the winch
            CHECK_NEAR(energy_books(world), begun,
                       100 * off + (i == 2 && m->green ? 0.5 * 0.005 * 300.0 * GRAVITY : 0.0));
        }
        rvDestroyWorld(world);
    }
}

static void EndsAreUnhookedAndHooked(const Model* m, Figures* f)
{
    (void)f;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(0, 0, -10));
    rvCableId rope = hang(world, m, rvVec(0, 0, 0), load, 1e6, 10.0);
    settle(world);
    rvPlaceDef loose = rvFreePlace(rvVec(0, 0, -10)), hooked = rvAttachPlace(load, rvVec(0, 0, 0));
    CHECK_OK(world, rvCable_SetPlace(world, rope, 1, &loose));
    run_world(world, 0.01, 0.1);
    CHECK_NEAR(rvBody_GetVelocity(world, load).z, -0.1 * GRAVITY, 1e-9); // falls freely: round-off
    rvVec3 at = rvVec(0, 0, m->claims & CAN_REACH ? -9.5 : -10.0);
    CHECK_OK(world, rvBody_SetPose(world, load, (rvPose){at, rvQuatIdentity()}));
    CHECK_OK(world, rvBody_SetVelocity(world, load, rvVec(0, 0, 0), rvVec(0, 0, 0)));
    CHECK_OK(world, rvCable_SetPlace(world, rope, 1, &hooked));
    settle(world);
    CHECK_NEAR(rvCable_GetTension(world, rope, 0) / (100.0 * GRAVITY), 1.0, 1e-8 + m->share); // the settling's
    CHECK_NEAR(rvCable_GetRestLength(world, rope), 10.0, 1e-12);
    rvDestroyWorld(world);
}

// A winch, an eye, a slack rope and a swing: something of everything.
static rvWorld* make_busy_world(const Model* m)
{
    rvWorld* world = make_world();
    double aside = m->claims & CAN_LEAVE_PLANE ? 0.5 : 0.0;
    rvBodyId load = add_ball(world, 100.0, 0.3, rvVec(1, aside, -6)),
             other = add_ball(world, 20.0, 0.3, rvVec(3, 0, -4));
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), -0.3), rvEyePlace(RV_NULL_BODY, rvVec(1, 0, 0)),
                           rvAttachPlace(load, rvVec(0, 0, 0.2))};
    bool slides = m->claims & CAN_SLIDE;
    if (!slides)
        places[1] = rvAttachPlace(RV_NULL_BODY, places[1].point);
    add_rope(world, m, slides ? places : places + 1, slides ? 3 : 2, 1e6, -1.0);
    rvPlaceDef tie[] = {rvAttachPlace(load, rvVec(0.1, 0, 0)), rvAttachPlace(other, rvVec(0, 0, 0))};
    add_rope(world, m, tie, 2, 1e5, 3.5);
    return world;
}

static void SavedAndRestoredRunsAreTheSame(const Model* m, Figures* f)
{
    (void)f;
    rvWorld* world = make_busy_world(m);
    run_world(world, 0.01, 2.0);
    static uint8_t image[1 << 20];
    size_t size = rvWorld_Save(world, NULL, 0);
    assert_true(size <= sizeof image);
    rvWorld_Save(world, image, size);
    uint64_t saved = rvWorld_Hash(world);
    run_world(world, 0.01, 3.0);
    uint64_t first = rvWorld_Hash(world);
    CHECK_OK(world, rvWorld_Restore(world, image, size));
    assert_true(rvWorld_Hash(world) == saved);
    run_world(world, 0.01, 3.0);
    assert_true(rvWorld_Hash(world) == first);
    rvDestroyWorld(world);
    world = make_busy_world(m); // and another world, which has not lived through it
    CHECK_OK(world, rvWorld_Restore(world, image, size));
    run_world(world, 0.01, 3.0);
    assert_true(rvWorld_Hash(world) == first);
    rvDestroyWorld(world);
}

static void StepsTakeNoMemory(const Model* m, Figures* f)
{
    (void)f;
    rvWorld* world = make_busy_world(m);
    count_alloc_begin();
    for (int i = 0; i < 300; ++i)
        rvWorld_Step(world, 0.01);
    assert_int_equal(count_alloc_end(), 0);
    rvDestroyWorld(world);
}

static void ShapeRunsFromEndToEnd(const Model* m, Figures* f)
{
    (void)f;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(6, 0, -8));
    rvCableId rope = hang(world, m, rvVec(0, 0, 0), load, 1e6, 10.0);
    run_world(world, 0.01, 0.5);
    rvVec3 points[512];
    int count = rvCable_GetShape(world, rope, points, 512);
    assert_in_range(count, 2, 512);
    rvVec3 end = rvBody_GetPose(world, load).p;
    CHECK_NEAR(rvDistance(points[0], rvVec(0, 0, 0)), 0.0, 1e-9); // the very places
    CHECK_NEAR(rvDistance(points[count - 1], end), 0.0, 1e-9);
    double length = 0.0;
    for (int i = 1; i < count; ++i)
        length += rvDistance(points[i - 1], points[i]);
    CHECK_NEAR(length / rvLength(end), 1.0, 1e-3 + 10.0 * m->share); // taut: next to straight
    rvDestroyWorld(world);
}

// What is not wanted is asked for with NULL: the rest is told all the same.
static void ReadingsThatAreNotWantedAreLeftOut(const Model* m, Figures* f)
{
    (void)f;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(0.5, 0, -9.9));
    rvCableId rope = hang(world, m, rvVec(0, 0, 0), load, 1e6, 10.0);
    run_world(world, 1.0 / 60.0, 0.1);
    rvVec3 force, torque, both[2], in, out;
    rvCable_GetForceOn(world, rope, load, &both[0], &both[1]);
    rvCable_GetForceOn(world, rope, load, &force, NULL);
    rvCable_GetForceOn(world, rope, load, NULL, &torque);
    assert_true(rvDistance(force, both[0]) == 0.0 && rvDistance(torque, both[1]) == 0.0);
    rvCable_GetTangents(world, rope, 0, &both[0], &both[1]);
    rvCable_GetTangents(world, rope, 0, &in, NULL);
    rvCable_GetTangents(world, rope, 0, NULL, &out);
    assert_true(rvDistance(in, both[0]) == 0.0 && rvDistance(out, both[1]) == 0.0);
    assert_false(rvCable_GetSection(world, rope, 1.0, NULL));
    assert_false(rvCable_GetRest(world, rope, NULL));
    rvVec3 points[1];
    assert_int_equal(rvCable_GetShape(world, rope, NULL, 100), rvCable_GetShape(world, rope, points, 1));
    assert_int_equal(rvCable_GetSections(world, rope, NULL, 100), rvCable_GetSections(world, rope, NULL, 0));
    assert_int_equal(rvWorld_GetEvents(world, NULL, 100), rvWorld_GetEvents(world, NULL, 0));
    assert_int_equal(rvWorld_GetContacts(world, NULL, 100), rvWorld_GetContacts(world, NULL, 0));
    rvDestroyWorld(world);
}

static const struct {
    const char* name;
    void (*run)(const Model* model, Figures* figures);
    unsigned needs;
} cases[] = {
#define CASE(name, needs)                                                                                              \
    {                                                                                                                  \
#name, name, needs                                                                                             \
    }
    CASE(HangingMassStretchesTheRope, CAN_SETTLE),
    CASE(StraightRopeBeginsStretched, CAN_STRETCH),
    CASE(WeightlessLoadIsAtRest, CAN_SETTLE),
    CASE(TackleSharesTheWeight, CAN_SETTLE | CAN_SLIDE | CAN_REEL),
    CASE(RopeLiesOverADrum, CAN_SETTLE | CAN_TOUCH),
    CASE(MomentumOverAnEyeIsThatOfTheWeights, CAN_SLIDE),
    CASE(WeightsFallByFrictionAndInertiaOfAWheel, CAN_SLIDE),
    CASE(TackleLosesByItsBearings, CAN_SLIDE | CAN_REEL),
    CASE(WinchLiftsLowersAndIsPaidForIt, CAN_SETTLE | CAN_REEL),
    CASE(SlackRopeCatchesAFall, CAN_SLACKEN),
    CASE(LoadSwingsAsAPendulum, 0),
    CASE(NoDirectionIsSpecial, 0),
    CASE(LoadFollowsAMovingSupport, CAN_SETTLE),
    CASE(LightHookCarriesAHeavyLoad, 0),
    CASE(RopeOfNoSpanIsNoTrouble, CAN_SLACKEN),
    CASE(BrokenRopeLetsGo, CAN_SETTLE),
    CASE(HeavyRopeThatGoesLeavesItsBooks, 0),
    CASE(EndsAreUnhookedAndHooked, CAN_SETTLE | CAN_REHOOK),
    CASE(SavedAndRestoredRunsAreTheSame, 0),
    CASE(StepsTakeNoMemory, 0),
    CASE(ShapeRunsFromEndToEnd, 0),
    CASE(ReadingsThatAreNotWantedAreLeftOut, 0),
#undef CASE
};

enum { CASE_COUNT = sizeof cases / sizeof cases[0], TEST_COUNT = CASE_COUNT * MODEL_COUNT };

static Figures measured[CASE_COUNT][MODEL_COUNT];

static void run_case(void** state)
{
    int i = *(int*)*state, c = i / MODEL_COUNT, k = i % MODEL_COUNT;
    if ((cases[c].needs & ~models[k].claims) != 0)
        skip();
    cases[c].run(&models[k], &measured[c][k]);
}

static void ModelsAgree(void** state)
{
    (void)state;
    for (int c = 0; c < CASE_COUNT; ++c)
        for (int k = 1; k < MODEL_COUNT; ++k)
            for (int i = 0; i < measured[c][k].count && i < measured[c][0].count; ++i)
                if (!(fabs(measured[c][k].value[i] - measured[c][0].value[i]) <= measured[c][k].tolerance[i])) {
                    print_error("%s: figure %d is %.9g by %s, %.9g by %s, expected within %g\n", cases[c].name, i,
                                measured[c][k].value[i], models[k].name, measured[c][0].value[i], models[0].name,
                                measured[c][k].tolerance[i]);
                    fail();
                }
}

int main(void)
{
    static char names[TEST_COUNT][96];
    static int numbers[TEST_COUNT];
    struct CMUnitTest tests[TEST_COUNT + 1];
    for (int i = 0; i < TEST_COUNT; ++i) {
        snprintf(names[i], sizeof names[i], "%s (%s)", cases[i / MODEL_COUNT].name, models[i % MODEL_COUNT].name);
        numbers[i] = i;
        tests[i] = (struct CMUnitTest){names[i], run_case, NULL, NULL, &numbers[i]};
    }
    tests[TEST_COUNT] = (struct CMUnitTest)cmocka_unit_test(ModelsAgree);
    return RUN_TESTS(tests);
}
