// SPDX-License-Identifier: MIT
// The curve in the world, through the public calls: closed forms, bodies at its ends, contact that does not let it
// through, state. The suite of models (test/models) has more.
#include "world/machines.h"

#define PI 3.14159265358979323846

static rvCableDef curve_def(const rvPlaceDef* places, int count, int intervals, double rigidity, double mass)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_CURVE);
    def.places = places;
    def.placeCount = count;
    def.elements = intervals;
    def.bendingStiffness = rigidity;
    def.massPerLength = mass;
    return def;
}

static rvCableId add_curve(rvWorld* world, const rvCableDef* def)
{
    rvCableId id;
    CHECK_OK(world, rvCreateCable(world, def, &id));
    return id;
}

static rvBodyId add_kinematic(rvWorld* world, rvPose pose)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_KINEMATIC;
    def.pose = pose;
    return add_body(world, &def);
}

// A cylinder across the plane of x and z.
static void add_peg(rvWorld* world, rvBodyId body, double radius, double friction)
{
    rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_CYLINDER);
    shape.radius = radius;
    shape.length = 0.5;
    shape.frame.q = rvQuatFromAxisAngle(rvVec(1, 0, 0), 0.5 * PI);
    shape.friction = friction;
    add_shape(world, body, &shape);
}

static rvBodyId add_fixed(rvWorld* world, rvVec3 at)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_STATIC;
    def.pose.p = at;
    return add_body(world, &def);
}

enum { MOST_POINTS = 1024 };

// How near the curve is to a point, and how long the line through its points is.
static double nearest(const rvWorld* world, rvCableId id, rvVec3 to, double* length)
{
    rvVec3 points[MOST_POINTS];
    int count = rvCable_GetShape(world, id, points, MOST_POINTS);
    double least = HUGE_VAL;
    *length = 0.0;
    for (int i = 0; i < count; ++i) {
        least = fmin(least, rvDistance(points[i], to));
        *length += i > 0 ? rvDistance(points[i - 1], points[i]) : 0.0;
    }
    return least;
}

// ---- closed forms

static void StiffCurveFallsAsARod(void** state)
{
    (void)state;
    rvWorldDef with = rvDefaultWorldDef();
    with.gravity = rvVec(0, 0, -9.8);
    rvWorld* world = make_world_of(&with);
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvFreePlace(rvVec(-1, 0, 0))};
    rvCableDef def = curve_def(places, 2, 10, 1e4, 1.0);
    def.straight = true;
    rvCableId id = add_curve(world, &def);
    double before = 0.0, h = 1e-3, upright = 0.0;
    rvVec3 points[MOST_POINTS];
    for (int i = 0; i < 600 && upright == 0.0; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        int count = rvCable_GetShape(world, id, points, MOST_POINTS);
        double x = points[count - 1].x;
        if (x >= 0.0)
            upright = h * (i + x / (before - x) + 1.0);
        before = x;
    }
    CHECK_NEAR(upright, 0.483580, 1e-3); // the first step is of first order: h/2, and (h w)^2
    CHECK_NEAR(rvDistance(rvCable_GetPlacePoint(world, id, 1), points[40]), 0.0, 1e-12); // its free place went along
    rvDestroyWorld(world);
}

// A quarter of a circle between two clamps: the moment is EI angle/L, and nothing else.
static void BentBetweenClampsItIsAnArc(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    double angle = 0.5 * PI, radius = 1.0 / angle, rigidity = 3.0;
    rvPose pose = {rvVec(radius * sin(angle), 0, radius * (1.0 - cos(angle))),
                   rvQuatFromAxisAngle(rvVec(0, 1, 0), -angle)};
    rvBodyId hand = add_kinematic(world, pose);
    rvPlaceDef places[] = {clamp(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(1, 0, 0)),
                           clamp(hand, rvVec(0, 0, 0), rvVec(1, 0, 0))};
    rvCableDef def = curve_def(places, 2, 8, rigidity, 0.5);
    def.length = 1.0;
    rvCableId id = add_curve(world, &def);
    for (int i = 0; i < 20; ++i)
        CHECK_OK(world, rvWorld_Step(world, 1e-3));
    rvVec3 force, torque;
    rvBody_GetWrench(world, hand, &force, &torque);
    // round-off of forces EI/L, of which the bending leaves 1e-11, over cM h^2 = 3 and the mean of four steps
    CHECK_NEAR(rvLength(force), 0.0, 1e-7);
    CHECK_NEAR(rvLength(torque), rigidity * angle, 1e-7);
    rvCableRest rest;
    assert_true(rvCable_GetRest(world, id, &rest) && rest.found && rest.stable);
    rvCableSection sections[MOST_POINTS];
    rvVec3 points[MOST_POINTS];
    int count = rvCable_GetSections(world, id, sections, MOST_POINTS);
    assert_int_equal(count, rvCable_GetShape(world, id, points, MOST_POINTS));
    for (int i = 0; i < count; ++i) {
        CHECK_NEAR(fabs(sections[i].curvature), angle, 1e-9); // of the rest
        CHECK_NEAR(fabs(sections[i].moment), rigidity * angle, 1e-8);
        CHECK_NEAR(sections[i].tension, 0.0, 1e-7);
    }
    double length;
    CHECK_NEAR(nearest(world, id, rvVec(0, 0, radius), &length), radius, 1e-9); // all of it lies on the circle
    rvDestroyWorld(world);
}

// Level out of a clamp, its outer half f times as stiff. Under a small load q the moment is q (L - s)^2/2, and the
// angle at the tip, the integral of M/EI, q L^3 (7 + 1/f)/(48 EI).
static void StiffnessVariesAlongIt(void** state)
{
    (void)state;
    const double rigidity = 2.0, f = 0.25, mass = 1e-3, q = mass * GRAVITY;
    rvWorld* world = make_world();
    rvPlaceDef places[] = {clamp(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(1, 0, 0)), rvFreePlace(rvVec(1, 0, 0))};
    const rvCableProfile profile[] = {{.at = 0.5, .bending = 1.0, .mass = 1.0}, {.at = 0.5, .bending = f, .mass = 1.0}};
    rvCableDef def = curve_def(places, 2, 20, rigidity, mass);
    def.profile = profile;
    def.profileCount = 2;
    rvCableId id = add_curve(world, &def);
    rvVec3 points[MOST_POINTS];
    rvCableSection sections[MOST_POINTS];
    int count = rvCable_GetShape(world, id, points, MOST_POINTS);
    assert_int_equal(rvCable_GetSections(world, id, sections, MOST_POINTS), count);
    rvVec3 last = rvSub(points[count - 1], points[count - 2]);
    double tip = q * (7.0 + 1.0 / f) / (48.0 * rigidity);
    // nodal angles are exact; the last quarter of an interval is bent by (1/20)^3/(8 f) (1/11 of the tip's); sines 1e-6
    CHECK_NEAR(-last.z / last.x, tip, 1e-4 * tip);
    // off by what the chords of arcs leave of the lever arms: (h curvature)^2
    CHECK_NEAR(mean_moment(sections) / sections[2].curvature, rigidity, 1e-6 * rigidity);
    CHECK_NEAR(mean_moment(sections + 52) / sections[54].curvature, f * rigidity, 1e-6 * f * rigidity);
    rvDestroyWorld(world);
}

// Hanging straight down it weighs the integral of its mass; without load it has its natural curvature, that of the
// middle of each interval.
static void MassAndCurvatureVaryAlongIt(void** state)
{
    (void)state;
    const rvCableProfile profile[] = {{.at = 0.0, .bending = 1.0, .mass = 1.0, .curvature = 0.0},
                                      {.at = 2.0, .bending = 1.0, .mass = 4.0, .curvature = 1.0}};
    const rvCableProfile heavy[] = {{.at = 0.0, .bending = 1.0, .mass = 1.0}, {.at = 2.0, .bending = 1.0, .mass = 4.0}};
    rvWorld* world = make_world();
    rvPlaceDef down[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvFreePlace(rvVec(0, 0, -2))};
    rvCableDef def = curve_def(down, 2, 10, 1.0, 0.5);
    def.profile = heavy;
    def.profileCount = 2;
    rvCableId id = add_curve(world, &def);
    double weight = 2.0 * 0.5 * 2.5 * GRAVITY;
    CHECK_NEAR(rvCable_GetEndTension(world, id, 0, 0), weight, 1e-9 * weight);
    // the integral of s times its mass is 3 kg m; with that of the middles h^2/12 of its slope, 0.75 kg/m^2, less
    double moment = 3.0 - 0.75 * 0.2 * 0.2 / 12.0 * 2.0;
    CHECK_NEAR(rvWorld_GetEnergy(world).potential, -GRAVITY * moment, 1e-9 * weight);
    rvDestroyWorld(world);
    world = make_weightless_world();
    rvPlaceDef level[] = {clamp(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(1, 0, 0)), rvFreePlace(rvVec(2, 0, 0))};
    def = curve_def(level, 2, 10, 1.0, 0.5);
    def.curvature = 0.5;
    def.profile = profile;
    def.profileCount = 2;
    id = add_curve(world, &def);
    rvCableSection sections[MOST_POINTS];
    int count = rvCable_GetSections(world, id, sections, MOST_POINTS);
    for (int i = 0; i < count - 1; ++i)
        CHECK_NEAR(sections[i].curvature, 0.5 + 0.5 * (0.2 * (i / 4) + 0.1), 1e-9); // of the rest
    rvDestroyWorld(world);
}

// A rope whose ends and middle are held: two level catenaries. Over the middle its angle is continuous, so one interval
// turns there: of first order in the interval.
static void PlacesBetweenTheEndsCarryTheirShare(void** state)
{
    (void)state;
    double error[2];
    for (int i = 0; i < 2; ++i) {
        rvWorld* world = make_world();
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 0)),
                               rvAttachPlace(RV_NULL_BODY, rvVec(2, 0, 0))};
        rvCableDef def = curve_def(places, 3, i == 0 ? 40 : 80, 1e-7, 0.2);
        def.length = 2.2;
        rvCableId id = add_curve(world, &def);
        CHECK_OK(world, rvWorld_Step(world, 1e-3));
        // level span of 1 m with 1.1 m of rope: sinh(u)/u = 1.1, H = w/(2 u)
        double u = 0.763192, w = 0.2 * GRAVITY, level = w / (2.0 * u);
        double end = sqrt(level * level + 0.25 * 1.1 * 1.1 * w * w);
        error[i] = fabs(rvCable_GetEndTension(world, id, 0, 0) / end - 1.0);
        CHECK_NEAR(rvCable_GetEndTension(world, id, 1, 1), rvCable_GetEndTension(world, id, 0, 0),
                   1e-8); // both alike; 1e-15 m times cM of its mass
        CHECK_NEAR(rvCable_GetEndTension(world, id, 0, 1) / level, 1.0, 0.02); // along the level tangent there; 1/40
        rvDestroyWorld(world);
    }
    CHECK_BELOW(error[0], 0.05); // twice an interval's share of the span
    CHECK_BELOW(error[1], 0.6 * error[0]);
}

// ---- bodies

static void MomentumIsThatOfBodiesAndCurve(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvBodyId a = add_ball(world, 0.3, 0.05, rvVec(0, 0, 0)), b = add_ball(world, 0.5, 0.05, rvVec(1, 0, 0));
    CHECK_OK(world, rvBody_SetVelocity(world, a, rvVec(0, 0, 1), rvVec(0, 0, 0)));
    rvPlaceDef places[] = {rvAttachPlace(a, rvVec(0, 0, 0)), rvAttachPlace(b, rvVec(0, 0, 0))};
    rvCableDef def = curve_def(places, 2, 10, 1e-3, 1e-6); // of no weight: momentum is that of the bodies
    def.length = 1.2;
    add_curve(world, &def);
    for (int i = 0; i < 2000; ++i)
        CHECK_OK(world, rvWorld_Step(world, 2e-3));
    rvVec3 p = rvAdd(rvScale(0.3, rvBody_GetVelocity(world, a)), rvScale(0.5, rvBody_GetVelocity(world, b)));
    // half a step of each force that jumped is lost; the rope itself has 1e-6 of it
    CHECK_NEAR(rvDistance(p, rvVec(0, 0, 0.3)), 0.0, 1e-2 * 0.3);
    rvDestroyWorld(world);
}

// A ball with a soft wire spins in free flight. Its first step begins with the pull that turns the wire; of implicit
// Euler, which halves it, the ball lost a quarter of its spin in 2 s at 5 ms.
static void SpinStaysInFreeFlight(void** state)
{
    (void)state;
    for (int space = 0; space < 2; ++space)
        for (double h = 1e-3; h < 0.011; h *= sqrt(10.0)) {
            rvWorld* world = make_weightless_world();
            rvBodyDef ballDef = rvDefaultBodyDef();
            ballDef.mass = 1.0;
            ballDef.inertia = rvMat3Diagonal(0.01, 0.01, 0.01);
            ballDef.angularVelocity = rvVec(0, 10, 0);
            rvBodyId ball = add_body(world, &ballDef);
            rvPlaceDef places[] = {rvAttachPlace(ball, rvVec(0, 0, 0)), rvFreePlace(rvVec(1, 0, 0))};
            places[0].clamped = true;
            places[0].direction = rvVec(1, 0, 0);
            rvCableDef def = curve_def(places, 2, 20, 0.01, 0.05);
            def.length = 1.0;
            if (space)
                def.torsionalStiffness = 0.01;
            else
                def.plane = rvVec(0, 1, 0);
            add_curve(world, &def);
            run_world(world, h, 2.0);
            // what the scheme damps at wh = 0.1: 1e-4 a turn, of three turns
            CHECK_NEAR(rvBody_GetAngularVelocity(world, ball).y, 10.0, 0.003 + 3.0 * h);
            rvDestroyWorld(world);
        }
}

static void BodyThatLeavesThePlaneIsToldOf(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 1.0, 0.05, rvVec(0, 0, -1));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = curve_def(places, 2, 10, 1e-3, 0.01);
    add_curve(world, &def);
    CHECK_OK(world, rvBody_SetVelocity(world, load, rvVec(0, 1, 0), rvVec(0, 0, 0)));
    rvStatus status = RV_OK;
    for (int i = 0; i < 100 && status == RV_OK; ++i)
        status = rvWorld_Step(world, 1e-3);
    assert_int_equal(status, RV_DIVERGED);
    assert_non_null(strstr(rvWorld_GetError(world), "left its plane"));
    CHECK_BELOW(rvBody_GetPose(world, load).p.y, 0.011); // of 1 % of a metre; the step that failed did not count
    rvDestroyWorld(world);
}

static void BadDefinitionsAreRefused(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvPlaceDef places[] = {clamp(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(1, 0, 0)),
                           rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 0))};
    rvCableDef good = curve_def(places, 2, 10, 1.0, 1.0);
    good.plane = rvVec(0, 1, 0); // without one it would be in space where it resists twist
    rvCableDef def = good;
    rvCableId id;
    const struct {
        const char* word;
        double value;
        double* field;
    } cases[] = {{"bendingStiffness", -1.0, &def.bendingStiffness},
                 {"curvature", HUGE_VAL, &def.curvature},
                 {"curvature", 1e6, &def.curvature}, // many turns an interval
                 {"contactStiffness", -1.0, &def.contactStiffness},
                 {"contactDamping", -1.0, &def.contactDamping},
                 {"fluidDensity", 1.0, &def.fluidDensity},
                 {"plane", HUGE_VAL, &def.plane.x},
                 {"bulge", HUGE_VAL, &def.bulge.z},
                 {"places[0].direction", 1.0, &def.plane.x}}; // a plane that it is not in
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        def = good;
        *cases[i].field = cases[i].value;
        assert_int_equal(rvCreateCable(world, &def, &id), RV_BAD_INPUT);
        assert_non_null(strstr(rvWorld_GetError(world), cases[i].word));
    }
    def = good;
    def.elements = 1;
    assert_int_equal(rvCreateCable(world, &def, &id), RV_BAD_INPUT);
    const rvCableProfile whole = {.at = 0.5, .bending = 1.0, .mass = 1.0};
    const struct {
        const char* word;
        rvCableProfile second;
    } profiles[] = {{"profile[1].at", {.at = 0.4, .bending = 1.0, .mass = 1.0}},
                    {"profile[1].bending", {.at = 0.5, .bending = -1.0, .mass = 1.0}},
                    {"profile[1].mass", {.at = 0.5, .bending = 1.0, .mass = 0.0}},
                    {"profile[1].curvature", {.at = 0.5, .bending = 1.0, .mass = 1.0, .curvature = HUGE_VAL}}};
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; ++i) {
        const rvCableProfile both[] = {whole, profiles[i].second};
        def = good;
        def.profile = both;
        def.profileCount = 2;
        assert_int_equal(rvCreateCable(world, &def, &id), RV_BAD_INPUT);
        assert_non_null(strstr(rvWorld_GetError(world), profiles[i].word));
    }
    def = good;
    def.profileCount = 1;
    assert_int_equal(rvCreateCable(world, &def, &id), RV_BAD_INPUT);
    def = good;
    places[1] = rvEyePlace(RV_NULL_BODY, rvVec(0.5, 0, 0));
    assert_int_equal(rvCreateCable(world, &def, &id), RV_BAD_INPUT);
    rvDestroyWorld(world);
}

// Where rounding would let go of a load it is refused, before and in a step; ten times more holds it.
static void TooLightForItsLoadIsRefused(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.1, rvVec(0, 0, -5));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = curve_def(places, 2, 10, 0.01, 1e-10);
    rvCableId id;
    def.axialStiffness = 1e6;
    def.damping = 0.05;
    assert_int_equal(rvCreateCable(world, &def, &id), RV_BAD_INPUT);
    assert_non_null(strstr(rvWorld_GetError(world), "massPerLength: 5e-10 kg in all hold a body of 100 kg"));
    def.massPerLength = 1e-8;
    CHECK_OK(world, rvCreateCable(world, &def, &id));
    run_world(world, 1.0 / 30, 2.0);
    double sunk = 100.0 * GRAVITY * 5.0 / 1e6;
    CHECK_NEAR(rvBody_GetPose(world, load).p.z, -5.0 - sunk, 0.01 * sunk); // rows give way by 1 % at most
    double mass = 1e4;
    CHECK_OK(world, rvBody_SetMass(world, load, mass, rvBoxInertia(mass, rvVec(0.2, 0.2, 0.2))));
    assert_int_not_equal(rvWorld_Step(world, 0.01), RV_OK);
    assert_non_null(strstr(rvWorld_GetError(world), "too light"));
    assert_true(rvCable_IsHeld(world, id, 1));
    rvDestroyWorld(world);
}

// ---- contact

// A ball on a thread flies around a peg, three times: the thread shortens by what lies on the peg.
static void ThreadWindsAroundAPeg(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    double peg = 0.02, half = 0.001, radius = peg + half;
    add_peg(world, add_fixed(world, rvVec(0, 0, 0)), peg, 0.0);
    rvBodyId ball = add_ball(world, 0.5, 0.02, rvVec(1, 0, radius));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-0.3, 0, radius)), rvAttachPlace(ball, rvVec(0, 0, 0))};
    CHECK_OK(world, rvBody_SetVelocity(world, ball, rvVec(0, 0, -5), rvVec(0, 0, 0)));
    rvCableDef def = curve_def(places, 2, 60, 1e-4, 0.01);
    def.diameter = 2.0 * half;
    def.collides = true;
    def.maxContacts = 64;
    def.damping = 1e-3;
    rvCableId id = add_curve(world, &def);
    double turned = 0.0, last = 0.0, most = -HUGE_VAL, first = 0.0;
    for (int i = 0; i < 3000; ++i) {
        CHECK_OK(world, rvWorld_Step(world, 1e-3));
        rvVec3 p = rvBody_GetPose(world, ball).p;
        double angle = atan2(p.z, p.x);
        turned -= remainder(angle - last, 2.0 * PI);
        last = angle;
        first = i == 0 ? total_energy(world) : first;
        most = fmax(most, total_energy(world));
    }
    assert_true(turned > 2.5 * 2.0 * PI);
    // the straight part is as long as what is not on the peg; its own bending stands off by a few millimetres
    rvVec3 p = rvBody_GetPose(world, ball).p;
    double straight = sqrt(rvDot(p, p) - radius * radius), wound = 1.0 - straight;
    CHECK_NEAR(wound / (radius * (turned + atan2(straight, radius) - 0.5 * PI)), 1.0, 0.1);
    assert_true(rvCable_GetContactCount(world, id) > 20);
    double length;
    assert_true(nearest(world, id, rvVec(0, 0, 0), &length) > radius - 1e-4); // it is on the peg, not in it
    CHECK_BELOW(most - first, 0.01 * first); // 1e-3 of the frequencies that the step does not resolve, a turn
    rvDestroyWorld(world);
}

// The same thread, its end on the peg: it winds up on itself, two turns and a half, each on the one before it.
// Intervals may be as long as what they lie on is wide, 24 to the metre; with fewer it says how many it needs.
static void TurnsLieOnTurns(void** state)
{
    (void)state;
    const int counts[] = {8, 12, 16, 20, 24, 30, 40};
    for (int c = 0; c < 7; ++c) {
        int elements = counts[c];
        rvWorld* world = make_weightless_world();
        double peg = 0.02, half = 0.001, radius = peg + half, turned = 0.0, last = 0.0, most = -HUGE_VAL, first = 0.0;
        double coarse = 0.0; // elements that it is told to need
        add_peg(world, add_fixed(world, rvVec(0, 0, 0)), peg, 0.0);
        rvBodyId ball = add_ball(world, 0.5, 0.02, rvVec(1, 0, radius));
        rvPlaceDef places[] = {clamp(RV_NULL_BODY, rvVec(0, 0, radius), rvVec(1, 0, 0)),
                               rvAttachPlace(ball, rvVec(0, 0, 0))};
        CHECK_OK(world, rvBody_SetVelocity(world, ball, rvVec(0, 0, -5), rvVec(0, 0, 0)));
        rvCableDef def = curve_def(places, 2, elements, 1e-4, 0.01);
        def.diameter = 2.0 * half;
        def.collides = def.touchesItself = true;
        def.maxContacts = 200;
        def.damping = 1e-3;
        def.friction = 0.0;
        rvCableId id = add_curve(world, &def);
        rvStatus status = RV_OK;
        for (int i = 0; i < 2600 && status == RV_OK; ++i) {
            status = rvWorld_Step(world, 1e-3);
            rvVec3 p = rvBody_GetPose(world, ball).p;
            turned -= remainder(atan2(p.z, p.x) - last, 2.0 * PI);
            last = atan2(p.z, p.x);
            first = i == 0 ? total_energy(world) : first;
            most = fmax(most, total_energy(world));
            rvEvent events[32];
            for (int e = rvWorld_GetEvents(world, events, 32) - 1; e >= 0; --e)
                coarse = events[e].type == RV_EVENT_COARSE ? events[e].value : coarse;
        }
        CHECK_BELOW(most - first, 0.01 * first); // as of turns beside each other
        assert_int_equal(status, RV_OK);
        assert_int_equal(coarse > 0.0, elements < 24);
        if (elements == 20)
            CHECK_NEAR(coarse, 24.0, 3.0); // as turns begin, before they are tightest
        if (elements >= 24) {
            assert_true(turned > 2.4 * 2.0 * PI);
            rvVec3 points[MOST_POINTS];
            int count = rvCable_GetShape(world, id, points, MOST_POINTS);
            double least = HUGE_VAL, length;
            int half_turn = (int)ceil(PI * radius * 4 * elements); // of the inner one: four points to an interval
            for (int i = 0; i < count; ++i)
                for (int k = i + half_turn; k < count; ++k)
                    least = fmin(least, rvDistance(points[i], points[k]));
            // one on the other, as on the peg; of long intervals nodes touch, and what lies between them may sink in,
            // not through
            assert_true(least > 2.0 * half - (elements < 40 ? half : 1e-4));
            assert_true(nearest(world, id, rvVec(0, 0, 0), &length) > radius - 1e-4);
        }
        rvDestroyWorld(world);
    }
}

// A wire at rest with a weight at each end, which are thrown with 20 m/s, and one that is thrown as a whole, at a peg:
// a step is longer than the peg.
static void throw_at_peg(double height, bool whole)
{
    rvWorld* world = make_weightless_world();
    double peg = 0.01, half = 0.002;
    add_peg(world, add_fixed(world, rvVec(0, 0, 0)), peg, 0.3);
    rvBodyId ends[2];
    rvPlaceDef places[2];
    for (int i = 0; i < 2; ++i) {
        ends[i] = add_ball(world, 0.05, 0.01, rvVec(i - 0.5, 0, height));
        if (whole)
            CHECK_OK(world, rvBody_SetVelocity(world, ends[i], rvVec(0, 0, -20), rvVec(0, 0, 0)));
        places[i] = rvAttachPlace(ends[i], rvVec(0, 0, 0));
    }
    rvCableDef def = curve_def(places, 2, 80, 1e-2, 0.1);
    def.diameter = 2.0 * half;
    def.collides = true;
    rvCableId id = add_curve(world, &def);
    for (int i = 0; i < 2; ++i)
        CHECK_OK(world, rvBody_SetVelocity(world, ends[i], rvVec(0, 0, -20), rvVec(0, 0, 0)));
    double first = 0.0, most = -HUGE_VAL, deepest = HUGE_VAL, length;
    for (int i = 0; i < 300; ++i) {
        CHECK_OK(world, rvWorld_Step(world, 1e-3));
        first = i == 0 ? total_energy(world) : first;
        most = fmax(most, total_energy(world));
        deepest = fmin(deepest, nearest(world, id, rvVec(0, 0, 0), &length));
    }
    assert_true(deepest > 0.5 * (peg + half)); // a kink of the first impact, one interval of 12 mm around 12 mm
    // it hangs on the peg with an end on each side, or has come off on the side where it came from
    assert_true(rvBody_GetPose(world, ends[0]).p.x < 0.5 && nearest(world, id, rvVec(0, 0, 0), &length) < 1.0);
    CHECK_BELOW(most - first, 1e-3 * first); // nothing is made: round-off and the ripple of half steps
    CHECK_NEAR(length, 1.0, 5e-3);           // chords of a quarter interval
    rvDestroyWorld(world);
}

static void FastWireDoesNotPassThroughAPeg(void** state)
{
    (void)state;
    throw_at_peg(0.1, false);
    throw_at_peg(0.107, true);
}

// The legs of a loop are pressed on each other, harder and harder.
static void LegsOfALoopDoNotPassThroughEachOther(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId hands[2];
    rvPlaceDef places[2];
    for (int i = 0; i < 2; ++i) {
        hands[i] = add_kinematic(world, (rvPose){rvVec(0.25 * i, 0, 0), rvQuatIdentity()});
        places[i] = clamp(hands[i], rvVec(0, 0, 0), rvVec(1, 0, 0));
    }
    rvCableDef def = curve_def(places, 2, 20, 0.02, 0.006);
    def.length = 1.0;
    def.diameter = 0.002;
    def.bulge = rvVec(0, 0, 1);
    def.touchesItself = true;
    def.damping = 2e-3;
    rvCableId id = add_curve(world, &def);
    double last = 0.0, least = HUGE_VAL;
    for (int i = 0; i < 1000; ++i) {
        rvPose pose = {rvVec(fmax(0.25 - 0.5e-3 * i, 0.05), 0, 0), rvQuatIdentity()};
        CHECK_OK(world, rvBody_MoveTo(world, hands[1], pose));
        CHECK_OK(world, rvWorld_Step(world, 1e-3));
        rvVec3 points[MOST_POINTS];
        int count = rvCable_GetShape(world, id, points, MOST_POINTS);
        // from the neck up the left leg stays left of the right one
        for (int k = 8; k < 36; ++k)
            least = fmin(least, points[count - 1 - k].x - points[k].x);
        last = rvCable_GetContactCount(world, id);
    }
    assert_true(last >= 1.0);
    assert_true(least > 0.95 * def.diameter); // as far as a contact gives way: 1e-3 of the curve there
    rvDestroyWorld(world);
}

// A peg that can move: what it gets the thread has lost.
static void PegThatCanMoveIsPushed(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvBodyId peg = add_ball(world, 2.0, 0.05, rvVec(0, 0, 0.25));
    add_peg(world, peg, 0.05, 0.0);
    rvBodyId hand = add_kinematic(world, (rvPose){rvVec(0.5, 0, 0.2), rvQuatIdentity()});
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-0.5, 0, 0.2)), rvAttachPlace(hand, rvVec(0, 0, 0))};
    rvCableDef def = curve_def(places, 2, 30, 1e-3, 1e-3);
    def.length = 1.1;
    def.bulge = rvVec(0, 0, 1);
    def.collides = true;
    def.diameter = 0.004;
    add_curve(world, &def);
    for (int i = 0; i < 400; ++i) { // down past the peg, which then hangs in the thread and is drawn along
        rvPose pose = {rvVec(0.5, 0, 0.2 - 1e-3 * i), rvQuatIdentity()};
        CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
        CHECK_OK(world, rvWorld_Step(world, 1e-3));
    }
    assert_true(rvBody_GetVelocity(world, peg).z < -0.05); // the hand goes with 1 m/s
    rvDestroyWorld(world);
}

// Two weights on a slack thread fly past a free peg until the thread, on the peg, stops them with a jerk, in steps of
// implicit Euler: what the peg gets the weights lose. The thread brings 5e-3 N s.
static void PegGetsWhatTheWeightsLose(void** state)
{
    (void)state;
    const double speed = 5.0, thread = 1e-3;
    for (int pass = 0; pass < 2; ++pass) {
        rvWorld* world = make_weightless_world();
        rvBodyId peg = add_ball(world, 1.0, 0.05, rvVec(0, 0, 0)), weights[2];
        add_peg(world, peg, 0.05, 0.3);
        rvPlaceDef places[2];
        for (int i = 0; i < 2; ++i) {
            weights[i] = add_ball(world, 0.5, 0.02, rvVec(0.7 * i - 0.35, 0, 0.2));
            CHECK_OK(world, rvBody_SetVelocity(world, weights[i], rvVec(0, 0, -speed), rvVec(0, 0, 0)));
            places[i] = rvAttachPlace(weights[i], rvVec(0, 0, 0));
        }
        rvCableDef def = curve_def(places, 2, 40, 1e-3, thread);
        def.length = 1.0;
        def.bulge = rvVec(0, 0, 1);
        def.diameter = 0.004;
        def.collides = true;
        def.maxContacts = 100;
        def.damping = 1e-3;
        add_curve(world, &def);
        for (int i = 0; i < (pass == 0 ? 300 : 75); ++i)
            CHECK_OK(world, rvWorld_Step(world, pass == 0 ? 1e-3 : 4e-3));
        double given = rvBody_GetVelocity(world, peg).z, left = 0.0;
        for (int i = 0; i < 2; ++i)
            left += 0.5 * rvBody_GetVelocity(world, weights[i]).z;
        assert_true(given < -0.3 * speed);                      // of the half that all three share at the end
        CHECK_NEAR(given + left, -speed, 2.0 * thread * speed); // what the thread has, and had
        rvDestroyWorld(world);
    }
}

// ---- the rest of the house

static rvWorld* make_busy(void)
{
    rvWorld* world = make_world();
    add_peg(world, add_fixed(world, rvVec(0.2, 0, -0.3)), 0.05, 0.3);
    rvBodyId load = add_ball(world, 0.2, 0.02, rvVec(0.8, 0, 0));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = curve_def(places, 2, 24, 1e-3, 0.05);
    def.length = 1.0;
    def.diameter = 0.01;
    def.collides = def.touchesItself = true;
    add_curve(world, &def);
    return world;
}

static void SavedInAContactItGoesOnTheSame(void** state)
{
    (void)state;
    rvWorld* world = make_busy();
    for (int i = 0; i < 500; ++i)
        CHECK_OK(world, rvWorld_Step(world, 1e-3));
    static uint8_t image[1 << 18];
    size_t size = rvWorld_Save(world, NULL, 0);
    assert_true(size <= sizeof image - 1);
    rvWorld_Save(world, image + 1, size); // at an odd address
    for (int i = 0; i < 300; ++i)
        CHECK_OK(world, rvWorld_Step(world, 1e-3));
    uint64_t end = rvWorld_Hash(world);
    rvWorld* other = make_busy();
    CHECK_OK(other, rvWorld_Restore(other, image + 1, size));
    for (int i = 0; i < 300; ++i)
        CHECK_OK(other, rvWorld_Step(other, 1e-3));
    assert_true(rvWorld_Hash(other) == end);
    rvDestroyWorld(world);
    rvDestroyWorld(other);
}

// The load falls on a slack thread and is caught; whatever the step, no energy comes of it.
static void CatchMakesNoEnergy(void** state)
{
    (void)state;
    for (int i = 0; i < 9; ++i) {
        double h = i % 3 == 0 ? 1.0 / 60.0 : i % 3 == 1 ? 1.0 / 240.0 : 1e-3, first = 0.0, most = -HUGE_VAL;
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 100.0, 0.3, rvVec(1, 0, -1));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = curve_def(places, 2, 10, 1e-3, 1e-3);
        def.length = 3.0 + 0.0007 * (i / 3) * (i / 3); // others come taut elsewhere in a step
        add_curve(world, &def);
        for (int k = 0; k < (int)(3.0 / h); ++k) {
            CHECK_OK(world, rvWorld_Step(world, h));
            first = k == 0 ? total_energy(world) : first;
            most = fmax(most, total_energy(world));
        }
        CHECK_BELOW(most - first, 1e-3 * 100.0 * GRAVITY * 2.0); // of the fall
        CHECK_BELOW(rvLength(rvBody_GetPose(world, load).p), def.length + 1e-4);
        rvDestroyWorld(world);
    }
}

// A thread drawn tight over a peg that gives: k d at its nearest point holds both pulls, d that depth, and by any step
// the same.
static double drawn_over(double h)
{
    const double spring = 2e4, peg = 0.03;
    rvWorld* world = make_weightless_world();
    add_peg(world, add_fixed(world, rvVec(0, 0, 0.05)), peg, 0.0);
    rvBodyId hand = add_kinematic(world, (rvPose){rvVec(0.3, 0, 0), rvQuatIdentity()});
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(-0.381, 0, 0)), rvAttachPlace(hand, rvVec(0, 0, 0))};
    rvCableDef def = curve_def(places, 2, 24, 1e-3, 0.1);
    def.length = 0.7785; // half a millimetre less than the way over the peg
    def.diameter = 1e-3;
    def.bulge = rvVec(0, 0, 1);
    def.plane = rvVec(0, 1, 0);
    def.waveDamping = 30.0;
    def.damping = 0.01;
    def.collides = true;
    def.friction = 0.0;
    def.contactStiffness = spring;
    def.contactDamping = 20.0;
    rvCableId id = add_curve(world, &def);
    for (long i = 1; i <= lround(2.0 / h); ++i) {
        rvPose pose = {rvVec(0.3 + 0.081 * fmin((double)i * h, 1.0), 0, 0), rvQuatIdentity()};
        CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
        CHECK_OK(world, rvWorld_Step(world, h));
    }
    rvVec3 force, torque;
    rvBody_GetWrench(world, hand, &force, &torque);
    double unused, depth = peg + 0.5e-3 - nearest(world, id, rvVec(0, 0, 0.05), &unused);
    assert_true(fabs(force.z) > 1.0);
    // points of the shape lie 8 mm apart, beside the nearest one by 4 at most: 4^2/2/30 mm
    CHECK_NEAR(2.0 * fabs(force.z), spring * depth, spring * 0.3e-3);
    rvDestroyWorld(world);
    return rvLength(force);
}

static void PegThatGivesHoldsTheSameByAnyStep(void** state)
{
    (void)state;
    double coarse = drawn_over(4e-3), fine = drawn_over(1e-3);
    CHECK_NEAR(coarse, fine, 1e-6 * fine); // at rest: exp(-15) of what moved
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(StiffCurveFallsAsARod),
        cmocka_unit_test(TooLightForItsLoadIsRefused),
        cmocka_unit_test(BentBetweenClampsItIsAnArc),
        cmocka_unit_test(StiffnessVariesAlongIt),
        cmocka_unit_test(MassAndCurvatureVaryAlongIt),
        cmocka_unit_test(PlacesBetweenTheEndsCarryTheirShare),
        cmocka_unit_test(MomentumIsThatOfBodiesAndCurve),
        cmocka_unit_test(SpinStaysInFreeFlight),
        cmocka_unit_test(BodyThatLeavesThePlaneIsToldOf),
        cmocka_unit_test(BadDefinitionsAreRefused),
        cmocka_unit_test(ThreadWindsAroundAPeg),
        cmocka_unit_test(TurnsLieOnTurns),
        cmocka_unit_test(FastWireDoesNotPassThroughAPeg),
        cmocka_unit_test(LegsOfALoopDoNotPassThroughEachOther),
        cmocka_unit_test(PegThatCanMoveIsPushed),
        cmocka_unit_test(PegGetsWhatTheWeightsLose),
        cmocka_unit_test(SavedInAContactItGoesOnTheSame),
        cmocka_unit_test(CatchMakesNoEnergy),
        cmocka_unit_test(PegThatGivesHoldsTheSameByAnyStep),
    };
    return RUN_TESTS(tests);
}
