// SPDX-License-Identifier: MIT
#include "world/machines.h"

#define PI 3.14159265358979323846

// Linear from 1 at s = 0 to `end` at the length.
static double taper(double s, double length, double end)
{
    return 1.0 + (end - 1.0) * s / length;
}

static void set_profile(rvCableDef* def, rvCableProfile points[2], double bending, double mass, double axial)
{
    points[0] = rvProfileAt(0.0);
    points[1] = rvProfileAt(def->length);
    points[1].bending = bending;
    points[1].mass = mass;
    points[1].axial = axial;
    def->profile = points;
    def->profileCount = 2;
}

// A tapered rope that hangs under its load: dL = integral of T/EA, each by its own place.
static void TaperedRopeStretchesByWhatItCarriesThere(void** state)
{
    (void)state;
    const double length = 100.0, load = 500.0, mass = 2.0, EA = 1e7;
    rvWorld* world = make_world();
    rvBodyId ball = add_ball(world, load, 0.3, rvVec(0, 0, -length));
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ANCF);
    rvCableProfile points[2];
    def.length = length;
    def.elements = 20;
    def.axialStiffness = EA;
    def.bendingStiffness = 1.0;
    def.massPerLength = mass;
    set_profile(&def, points, 1.0, 0.25, 0.5);
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(ball, rvVec(0, 0, 0))};
    rvCableId rope = add_cable_of(world, def, places, 2);
    rvSettleDef settle = rvDefaultSettleDef();
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, &settle, &report));
    double stretch = 0.0, tension = load * GRAVITY;
    for (int n = 10000, i = n - 1; i >= 0; --i) { // from below
        double s = (i + 0.5) * length / n, weight = mass * taper(s, length, 0.25) * GRAVITY * length / n;
        tension += weight;
        stretch += (tension - 0.5 * weight) / (EA * taper(s, length, 0.5)) * length / n;
    }
    double strain = tension / (0.5 * EA);
    // 3/2 of the strain by Green's law; steps of an element, (w l/T)^2/24 and (l/L)^2/24
    CHECK_NEAR(-rvBody_GetPose(world, ball).p.z - length, stretch, stretch * (1.5 * strain + 2e-4));
    CHECK_NEAR(rvCable_GetEndTension(world, rope, 0, 0), tension, 1e-3 * tension); // a quarter of a step of the weight
    rvCableSection section;
    assert_true(rvCable_GetSection(world, rope, length, &section));
    CHECK_NEAR(section.strain, load * GRAVITY / (0.5 * EA),
               0.026 * load * GRAVITY / (0.5 * EA)); // half an element of the taper, 1/40
    rvDestroyWorld(world);
}

// A tapered mooring line between two points: w(s) falls to a fifth. Where x' = H/T, z' = V/T, V' = w, both by 1 + T/EA,
// go through the other point H and V are found.
static void shoot(const rvCableDef* def, double H, double V, double weight, double light, double at[2], double* top)
{
    int n = 20000;
    double x = 0.0, z = 0.0, ds = def->length / n;
    for (int i = 0; i < n; ++i) {
        double s = (i + 0.5) * ds, w = weight * taper(s, def->length, light) * ds, v = V + 0.5 * w;
        double T = sqrt(H * H + v * v), longer = 1.0 + T / def->axialStiffness;
        x += H / T * longer * ds;
        z += v / T * longer * ds;
        V += w;
    }
    at[0] = x;
    at[1] = z;
    *top = sqrt(H * H + V * V);
}

static void TaperedMooringIsItsCatenary(void** state)
{
    (void)state;
    const double span = 80.0, rise = 50.0, mass = 20.0, light = 0.2;
    rvWorld* world = make_world();
    rvBodyDef fixed = rvDefaultBodyDef();
    fixed.type = RV_BODY_STATIC;
    rvBodyId anchor = add_body(world, &fixed);
    fixed.pose.p = rvVec(span, 0, rise);
    rvBodyId fairlead = add_body(world, &fixed);
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ANCF);
    rvCableProfile points[2];
    def.length = 105.0;
    def.elements = 60;
    def.axialStiffness = 1e7;
    def.bendingStiffness = 10.0;
    def.massPerLength = mass;
    set_profile(&def, points, 1.0, light, 1.0);
    rvPlaceDef places[] = {rvAttachPlace(anchor, rvVec(0, 0, 0)), rvAttachPlace(fairlead, rvVec(0, 0, 0))};
    rvCableId line = add_cable_of(world, def, places, 2);
    double H = 5000.0, V = -2000.0, at[2], top;
    for (int i = 0; i < 50; ++i) { // Newton, by differences
        double by[2][2], off[2], unused;
        shoot(&def, H, V, mass * GRAVITY, light, at, &top);
        shoot(&def, H + 0.1, V, mass * GRAVITY, light, by[0], &unused);
        shoot(&def, H, V + 0.1, mass * GRAVITY, light, by[1], &unused);
        off[0] = span - at[0];
        off[1] = rise - at[1];
        double a = (by[0][0] - at[0]) / 0.1, b = (by[1][0] - at[0]) / 0.1, c = (by[0][1] - at[1]) / 0.1,
               d = (by[1][1] - at[1]) / 0.1, det = a * d - b * c;
        H += 0.5 * (d * off[0] - b * off[1]) / det;
        V += 0.5 * (a * off[1] - c * off[0]) / det;
    }
    rvVec3 force[2], torque;
    step_world(world, 0.01, 1); // forces are those of a step
    rvCable_GetForceOn(world, line, anchor, &force[0], &torque);
    rvCable_GetForceOn(world, line, fairlead, &force[1], &torque);
    // elements of 1.75 m turn by 0.03 rad: (kappa l)^2/24 of the pull, 4e-5, and the stiffness of the bend,
    // sqrt(EI/H)/L = 4e-4
    CHECK_NEAR(force[0].x, H, 1e-3 * top);
    CHECK_NEAR(force[0].z, V, 1e-3 * top);
    CHECK_NEAR(rvLength(force[1]), top, 1e-3 * top);
    rvDestroyWorld(world);
}

// A tapered cantilever under its own weight: the tip sinks by the integral of M (L - s)/EI.
static void TaperedCantileverSinksByItsOwnStiffness(void** state)
{
    (void)state;
    const double length = 1.0, gravity = 0.01, EI = 1.0, mass = 1.0;
    rvWorldDef worldDef = rvDefaultWorldDef();
    worldDef.gravity = rvVec(0, 0, -gravity);
    rvWorld* world = make_world_of(&worldDef);
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ANCF);
    rvCableProfile points[2];
    def.length = length;
    def.elements = 20;
    def.axialStiffness = 1e5;
    def.bendingStiffness = EI;
    def.massPerLength = mass;
    set_profile(&def, points, 0.2, 1.0, 1.0);
    rvPlaceDef places[] = {clamp(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(1, 0, 0)), rvFreePlace(rvVec(length, 0, 0))};
    rvCableId beam = add_cable_of(world, def, places, 2);
    double sunk = 0.0;
    for (int n = 10000, i = 0; i < n; ++i) {
        double s = (i + 0.5) * length / n, beyond = length - s;
        sunk += 0.5 * mass * gravity * beyond * beyond * beyond / (EI * taper(s, length, 0.2)) * length / n;
    }
    rvCableSection tip;
    assert_true(rvCable_GetSection(world, beam, length, &tip));
    CHECK_NEAR(-tip.point.z, sunk, 2e-3 * sunk); // steps of the stiffness, (l EI'/EI)^2/24, 1e-3 where it is softest
    rvDestroyWorld(world);
}

static void WhatAProfileCannotBeIsTold(void** state)
{
    (void)state;
    const struct {
        const char* word;
        rvCableProfile point;
    } cases[] = {
        {"profile[1].at", {.at = -1.0, .bending = 1.0, .mass = 1.0, .axial = 1.0}},
        {"profile[1].bending", {.at = 1.0, .bending = 0.0, .mass = 1.0, .axial = 1.0}},
        {"profile[1].mass", {.at = 1.0, .bending = 1.0, .mass = 0.0, .axial = 1.0}},
        {"profile[1].axial", {.at = 1.0, .bending = 1.0, .mass = 1.0, .axial = 0.0}},
        {"profile[1].curvature", {.at = 1.0, .bending = 1.0, .mass = 1.0, .axial = 1.0, .curvature = (double)NAN}}};
    rvWorld* world = make_world();
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvFreePlace(rvVec(2, 0, 0))};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        rvCableProfile points[2] = {rvProfileAt(0.0), cases[i].point};
        rvCableDef def = rvDefaultCableDef(RV_CABLE_ANCF);
        def.places = places;
        def.placeCount = 2;
        def.profile = points;
        def.profileCount = 2;
        assert_int_equal(rvCreateCable(world, &def, NULL), RV_BAD_INPUT);
        assert_non_null(strstr(rvWorld_GetError(world), cases[i].word));
    }
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TaperedRopeStretchesByWhatItCarriesThere), cmocka_unit_test(TaperedMooringIsItsCatenary),
        cmocka_unit_test(TaperedCantileverSinksByItsOwnStiffness), cmocka_unit_test(WhatAProfileCannotBeIsTold)};
    return RUN_TESTS(tests);
}
