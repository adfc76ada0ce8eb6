// SPDX-License-Identifier: MIT
// Fields of a cable that no model of it makes use of are told, and where they stand.
#include "scene/scene_text.h"

static const char HEAD[] = "reeve: 1\nbodies: {load: {mass: 100, position: [2, 0, -5]}}\ncables:\n  rope:\n";
static const char TAIL[] = "    route: [{attach: world, point: [0, 0, 0]}, {attach: load, point: [0, 0, 0]}]\n";

static void check_text(const char* text, const char* expected)
{
    char warnings[2048];
    rvScene* scene = load_good(text);
    int lines = 0, count = rvScene_GetWarnings(scene, warnings, sizeof warnings);
    for (const char* at = expected; *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : "")
        lines += 1;
    assert_string_equal(warnings, expected);
    assert_int_equal(count, lines);
    assert_int_equal(rvScene_GetWarnings(scene, NULL, 0), lines); // counting alone
    rvScene_Destroy(scene);
}

static void check_warnings(const char* fields, const char* events, const char* expected)
{
    char text[2048];
    snprintf(text, sizeof text, "%s%s%s%s", HEAD, fields, TAIL, events);
    check_text(text, expected);
}

static void FieldsOfOtherModelsAreTold(void** state)
{
    (void)state;
    check_warnings("    diameter: 10 mm\n    damping: 1 ms\n", "", "");
    check_warnings("    model: layered\n    mass_per_length: 1\n    subdivisions: 10\n    wind: [1, 0, 0]\n", "", "");
    check_warnings(
        "    model: ale\n    mass_per_length: 1\n    fluid_density: 1000\n    fluid_level: 0\n    tangent_drag: 0.02\n"
        "    added_mass: 1\n    drag_coefficient: 1.2\n    wind: [1, 0, 0]\n",
        "", "");
    check_warnings("    subdivisions: 10\n    elements: 3\n", "",
                   "t.yaml:5:19: cables.rope.subdivisions: is not used: it is for layered, the model is massless\n"
                   "t.yaml:6:15: cables.rope.elements: is not used: it is for ancf, curve, ale, the model is massless");
}

// The load is at [2, 0, -5]: the route is sqrt(29) = 5.38516 m long.
static void RopesFarTooShortForTheirRouteAreTold(void** state)
{
    (void)state;
    check_warnings("    EA: 1 MN\n    length: 5.2 m\n", "", "");                 // 3.6 %
    check_warnings("    EA: 1 MN\n    length: 7 m\n", "", "");                   // slack
    check_warnings("    EA: 1 MN\n    length: 1 m\n    pushes: true\n", "", ""); // a spring
    check_warnings("    EA: 1 MN\n    length: 1 m\n", "",
                   "t.yaml:6:13: cables.rope.length: is 1 m, its route is 5.38516 m or more: it begins stretched by "
                   "439 %, with 4.39e+06 N");
    check_warnings("    EA: 1 MN\n    length: 5.2 m\n    breaks_at: 30 kN\n", "",
                   "t.yaml:6:13: cables.rope.length: is 5.2 m, its route is 5.38516 m or more: it begins stretched by "
                   "3.56 %, with 3.56e+04 N, and breaks");
    // E and diameter say how stiff it is: 1e11 Pa over the circle of 20 mm, times 4.38516
    check_warnings("    diameter: 20 mm\n    length: 1 m\n", "",
                   "t.yaml:6:13: cables.rope.length: is 1 m, its route is 5.38516 m or more: it begins stretched by "
                   "439 %, with 1.38e+08 N");
    // over a wheel, which a rope may pass on its near side: 2 x (5 - 0.5) m, and no less
    const char* const lengths[] = {"8.8", "8"};
    for (int i = 0; i < 2; ++i) {
        char text[400];
        snprintf(
            text, sizeof text,
            "reeve: 1\nbodies: {load: {mass: 100, position: [0.5, 0, -5]}}\ncables:\n  rope:\n    length: %s m\n"
            "    route: [{attach: world, point: [-0.5, 0, -5]}, {sheave: world, point: [0, 0, 0], axis: [0, 1, 0], "
            "radius: 0.5}, {attach: load, point: [0, 0, 0]}]\n",
            lengths[i]);
        rvScene* scene = load_good(text);
        assert_int_equal(rvScene_GetWarnings(scene, NULL, 0), i);
        rvScene_Destroy(scene);
    }
}

static void RopesFarTooHeavyForTheirStiffnessAreTold(void** state)
{
    (void)state;
    check_warnings("    model: ale\n    EA: 1 MN\n    length: 6 m\n    mass_per_length: 800\n", "", ""); // 4.7 %
    check_warnings(
        "    model: ale\n    EA: 1 MN\n    length: 6 m\n    mass_per_length: 1e12\n", "",
        "t.yaml:8:22: cables.rope.mass_per_length: is 1e+12 kg/m: 6 m of it weigh 5.89e+13 N, which stretches "
        "it by 5.89e+09 %");
    check_warnings("    model: ancf\n    EA: 1 MN\n    length: 6 m\n    mass_per_length: 100\n    breaks_at: 5 kN\n",
                   "",
                   "t.yaml:8:22: cables.rope.mass_per_length: is 100 kg/m: 6 m of it weigh 5.89e+03 N, which stretches "
                   "it by 0.589 % and breaks it");
}

static void FieldsOfPlacesForOtherModelsAreTold(void** state)
{
    (void)state;
    static const char* const models[] = {"massless", "layered", "ale"};
    for (int i = 0; i < 3; ++i) {
        char text[400], expected[200];
        snprintf(text, sizeof text,
                 "reeve: 1\nbodies: {load: {mass: 100, position: [0, 0, -5]}}\ncables:\n  rope:\n    model: %s\n"
                 "    route: [{attach: world, point: [0, 0, 0]}, {attach: load, point: [0, 0, 0], clamped: true}]\n",
                 models[i]);
        snprintf(expected, sizeof expected,
                 "t.yaml:6:90: cables.rope.route[1].clamped: is not used: it is for ancf, curve, ale, the model is %s",
                 models[i]);
        check_text(text, i < 2 ? expected : "");
    }
}

static void FieldsThatNeedOthersAreTold(void** state)
{
    (void)state;
    check_warnings("    twist: 3\n    GJ: 1\n", "", "");
    check_warnings("    twist: 3\n", "", "t.yaml:5:12: cables.rope.twist: is not used: it needs GJ");
    const char* curve = "    model: curve\n    mass_per_length: 1\n    contact_stiffness: 1000\n%s";
    char fields[200];
    snprintf(fields, sizeof fields, curve, "    touches_itself: true\n");
    check_warnings(fields, "", "");
    snprintf(fields, sizeof fields, curve, "");
    check_warnings(fields, "",
                   "t.yaml:7:24: cables.rope.contact_stiffness: is not used: it needs collides or touches_itself");
    static const char* const more[] = {"bearing: 0.05, radius: 0.2", "bearing: 0.05, inertia: 2, radius: 0.2"};
    for (int i = 0; i < 2; ++i) {
        char text[400];
        snprintf(text, sizeof text,
                 "reeve: 1\nbodies: {load: {mass: 100, position: [0, 0, -5]}}\ncables:\n  rope:\n"
                 "    route: [{winch: world, point: [0, 0, 0], %s}, {attach: load, point: [0, 0, 0]}]\n",
                 more[i]);
        check_text(text, i == 0
                             ? "t.yaml:5:55: cables.rope.route[0].bearing: is not used: it needs inertia, of the drum"
                             : "");
    }
}

static void ModelsThatComeLaterCount(void** state)
{
    (void)state;
    check_warnings(
        "    subdivisions: 10\n    elements: 3\n", "events: [{at: 1, change: rope, model: layered}]\n",
        "t.yaml:6:15: cables.rope.elements: is not used: it is for ancf, curve, ale, the model is massless, layered");
}

static void FieldsOfOtherEventsAreTold(void** state)
{
    (void)state;
    check_warnings("", "events: [{at: 1, hook: rope, to: load, point: [0, 0, 1]}]\n", "");
    check_warnings("", "events:\n- {at: 1, hook: rope, along: 1}\n- {at: 2, break: rope, to: load}\n",
                   "t.yaml:7:30: events[0].along: is not used: it is for grasp\n"
                   "t.yaml:8:28: events[1].to: is not used: it is for hook, grasp and let_go");
}

static void IntervalsTooLongForAPegAreTold(void** state)
{
    (void)state;
    const char* text =
        "reeve: 1\nbodies: {peg: {type: static, shapes: [{type: cylinder, radius: 0.04, length: 1}]}}\n"
        "cables:\n  wire:\n    model: curve\n    collides: true\n    length: 1\n    diameter: 0.02\n"
        "    elements: %d\n    route: [{attach: world, point: [0, 0, 1]}, {attach: world, point: [1, 0, 1]}]\n";
    for (int elements = 9; elements <= 10; ++elements) {
        char scene_text[512], warnings[512];
        snprintf(scene_text, sizeof scene_text, text, elements);
        rvScene* scene = load_good(scene_text);
        assert_int_equal(rvScene_GetWarnings(scene, warnings, sizeof warnings), elements == 9 ? 1 : 0);
        if (elements == 9)
            assert_string_equal(warnings,
                                "t.yaml:9:15: cables.wire.elements: intervals are 0.111111 m, longer than a round "
                                "of 0.1 m that it may be bent around: expected 10 or more, or contact_stiffness");
        rvScene_Destroy(scene);
    }
    // 4.4 m in 20 are 0.22 m but for a rounding, as wide as the round
    rvScene* scene =
        load_good("reeve: 1\nbodies: {ball: {type: static, shapes: [{type: sphere, radius: 0.1}]}}\n"
                  "cables:\n  wire: {model: curve, collides: true, length: 4.4, diameter: 20 mm, elements: 20,\n"
                  "    route: [{attach: world, point: [0, 0, 1]}, {attach: world, point: [4.4, 0, 1]}]}\n");
    assert_int_equal(rvScene_GetWarnings(scene, NULL, 0), 0);
    rvScene_Destroy(scene);
}

// What is refused is told once, as that.
static void RefusedFieldsOfCurvesAreNotWarnedOf(void** state)
{
    (void)state;
    static const char* const fields[][2] = {
        {"fluid_density: 1.2", "t.yaml:5:20: cables.wire.fluid_density: model curve knows no fluid, only wave_damping"},
        {"EA: 1 MN, length: 4", "t.yaml:5:23: cables.wire.length: is 4 m, its places are 5 m apart"},
        {"length: 4", "t.yaml:5:13: cables.wire.length: is 4 m, its places are 5 m apart and it does not stretch"}};
    for (int i = 0; i < 3; ++i) {
        char text[300], error[300];
        snprintf(text, sizeof text,
                 "reeve: 1\ncables:\n  wire: {model: curve,\n    route: [{attach: world, point: [0, 0, 0]}, {attach: "
                 "world, point: [5, 0, 0]}],\n    %s}\n",
                 fields[i][0]);
        rvScene* scene = load_good(text);
        rvWorld* world;
        assert_int_equal(rvScene_GetWarnings(scene, NULL, 0), 0);
        assert_int_equal(rvScene_CreateWorld(scene, NULL, &world, error, sizeof error), RV_BAD_INPUT);
        assert_string_equal(error, fields[i][1]);
        rvScene_Destroy(scene);
    }
}

// Of two cables that collide; `more`: of the second.
static void check_crossing(const char* first, const char* more, const char* events, const char* expected)
{
    char text[1024], warnings[1024];
    snprintf(text, sizeof text,
             "reeve: 1\ncables:\n  rope:\n    model: %s\n    collides: true\n"
             "    route: [{attach: world, point: [0, 0, 0]}, {attach: world, point: [2, 0, 0]}]\n"
             "  sling:\n    collides: true\n%s"
             "    route: [{attach: world, point: [1, -1, 1]}, {attach: world, point: [1, 1, 1]}]\n%s",
             first, more, events);
    rvScene* scene = load_good(text);
    assert_int_equal(rvScene_GetWarnings(scene, warnings, sizeof warnings), *expected ? 1 : 0);
    assert_string_equal(warnings, expected);
    rvScene_Destroy(scene);
}

static void CablesThatPassThroughEachOtherAreTold(void** state)
{
    (void)state;
#define TOLD(sling, rope)                                                                                              \
    "t.yaml:8:15: cables.sling.collides: it (" sling ") and cable 'rope' (" rope                                       \
    ") pass through each other: only massless "                                                                        \
    "and layered cables hold each other where they cross, ancf and ale ones, and curves with GJ; expected "            \
    "group and mask that do not meet, if that is meant"
    check_crossing("massless", "", "", "");
    check_crossing("layered", "", "", "");
    check_crossing("ancf", "    model: ale\n", "", "");
    check_crossing("ancf", "", "", TOLD("massless", "ancf"));
    check_crossing("curve", "    model: curve\n", "", TOLD("curve", "curve"));
    check_crossing("curve\n    GJ: 1", "    model: curve\n    GJ: 1\n", "", "");
    check_crossing("ancf", "    mask: 2\n", "", "");
    check_crossing("massless", "", "events: [{at: 1, change: rope, model: ancf}]\n",
                   TOLD("massless", "massless, ancf"));
}

static void EventsAfterTheEndAreTold(void** state)
{
    (void)state;
    for (int at = 3; at <= 4; ++at) {
        char text[300], warnings[300];
        snprintf(text, sizeof text,
                 "reeve: 1\nuntil: 3 s\ncables: {c: {route: [{attach: world, point: [0, 0, 0]}, {attach: world, point: "
                 "[1, 0, "
                 "0]}]}}\nevents: [{at: %d s, break: c}]\n",
                 at);
        rvScene* scene = load_good(text);
        rvScene_GetWarnings(scene, warnings, sizeof warnings);
        assert_string_equal(warnings,
                            at > 3 ? "t.yaml:4:15: events[0].at: is after `until`, 3 s: no run gets there" : "");
        assert_int_equal(rvScene_Set(scene, "until=1", NULL, 0), RV_OK); // who makes a run shorter knows that
        assert_int_equal(rvScene_GetWarnings(scene, NULL, 0), 0);
        rvScene_Destroy(scene);
    }
}

static void ProfileOfAWireIsRead(void** state)
{
    (void)state;
    rvScene* scene = load_good("reeve: 1\ncables:\n  wire:\n    model: curve\n    mass_per_length: 0.5\n"
                               "    profile: [{at: 0}, {at: 2, mass: 4}]\n"
                               "    route: [{attach: world, point: [0, 0, 0]}, {free: world, point: [0, 0, -2]}]\n");
    rvWorld* world = build_good(scene);
    double weight = 2.0 * 0.5 * 2.5 * 9.81;
    CHECK_NEAR(rvCable_GetEndTension(world, rvScene_FindCable(scene, "wire"), 0, 0), weight, 1e-9 * weight);
    assert_int_equal(rvScene_GetWarnings(scene, NULL, 0), 0);
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

#define ENDS "    route: [{attach: world, point: [0, 0, 0]}, {free: world, point: [0, 0, -2]}]\n"

// All that is made of elements can be said of it, in units, and does what it says.
static void FieldsOfElementsAreRead(void** state)
{
    (void)state;
    rvScene* scene = load_good("reeve: 1\ncables:\n  hose:\n    model: ancf\n    mass_per_length: 0.5\n"
                               "    profile: [{at: 0}, {at: 200 cm, mass: 4, axial: 0.5, bending: 2, curvature: 0.1}]\n"
                               "    curvature: 0.2 1/m\n    exact_curvature: true\n    bending_damping: 20 ms\n"
                               "    bulge: [1, 0, 0]\n    fluid_density: 1.2\n"
                               "    current: [{height: -1, velocity: [0, 0, 0]}, {height: 10, velocity: [0.1, 0, 0]}]\n"
                               "    EA: 1 kN\n    bending_stiffness: 1\n" ENDS);
    rvWorld* world = build_good(scene);
    rvCableDef def;
    assert_int_equal(rvCable_GetDef(world, rvScene_FindCable(scene, "hose"), &def), RV_OK);
    assert_true(def.exactCurvature);
    CHECK_NEAR(def.bendingDamping, 0.02, 1e-15); // a unit
    CHECK_NEAR(def.curvature, 0.2, 0.0);         // as written
    assert_null(def.current);
    assert_null(def.profile);
    double weight = 2.0 * 0.5 * 2.5 * 9.81;
    // half a step of the weight from an element's middle to its end (test_profile), and wind
    CHECK_NEAR(rvCable_GetEndTension(world, rvScene_FindCable(scene, "hose"), 0, 0), weight, 0.02 * weight);
    assert_int_equal(rvScene_GetWarnings(scene, NULL, 0), 0);
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

static void check_refused(const char* fields, const char* expected)
{
    char text[600], error[600];
    snprintf(text, sizeof text, "reeve: 1\ncables:\n  hose:\n    model: ancf\n%s" ENDS, fields);
    rvScene* scene = load_good(text);
    rvWorld* world;
    assert_int_equal(rvScene_CreateWorld(scene, NULL, &world, error, sizeof error), RV_BAD_INPUT);
    assert_string_equal(error, expected);
    rvScene_Destroy(scene);
}

// What only the world can tell is told where it stands.
static void FieldsOfElementsAreRefusedWhereTheyStand(void** state)
{
    (void)state;
    check_refused("    current: [{height: 1}, {height: 0}]\n",
                  "t.yaml:5:37: cables.hose.current[1].height: is 0 m, must be finite and above that of the point "
                  "before");
    check_refused("    profile: [{at: 1}, {at: 0}]\n",
                  "t.yaml:5:29: cables.hose.profile[1].at: is 0 m, must be finite and >= 1");
    check_refused("    profile: [{at: 1, bending: 0}]\n",
                  "t.yaml:5:32: cables.hose.profile[0].bending: is 0, must be finite and > 0");
}

static void IntegratorIsReadAndRefusedWhereItStands(void** state)
{
    (void)state;
    char error[400];
    rvScene* scene =
        load_good("reeve: 1\nbodies: {b: {mass: 1, position: [0, 0, -2]}}\ncables:\n  hose:\n    model: ancf\n"
                  "    integrator: si-bdf2\n" ENDS);
    rvWorld* world = build_good(scene);
    rvCableDef def;
    assert_int_equal(rvCable_GetDef(world, rvScene_FindCable(scene, "hose"), &def), RV_OK);
    assert_int_equal(def.integrator, RV_INTEGRATOR_SI_BDF2);
    rvDestroyWorld(world);
    assert_int_equal(rvScene_Set(scene, "cables.hose.route[1]={attach: b, point: [0, 0, 0]}", NULL, 0), RV_OK);
    assert_int_equal(rvScene_CreateWorld(scene, NULL, &world, error, sizeof error), RV_BAD_INPUT);
    assert_non_null(
        strstr(error, "t.yaml:6:17: cables.hose.integrator: si-bdf2 moves no bodies, and route[1] is on one"));
    rvScene_Destroy(scene);
}

static void PointsForOtherModelsAreTold(void** state)
{
    (void)state;
    char warnings[900];
    rvScene* scene = load_good("reeve: 1\ncables:\n  hose:\n    model: ancf\n    profile: [{at: 0, torsion: 1}]\n" ENDS
                               "  rope:\n    model: ale\n    exact_curvature: true\n    profile: [{at: 0}]\n" ENDS
                               "  wire:\n    model: curve\n    current: [{height: 0}]\n"
                               "    profile: [{at: 0, axial: 2}]\n" ENDS);
    rvScene_GetWarnings(scene, warnings, sizeof warnings);
    assert_string_equal(warnings,
                        "t.yaml:5:32: cables.hose.profile[0].torsion: is not used: it is for curve, the model is ancf\n"
                        "t.yaml:9:22: cables.rope.exact_curvature: is not used: it is for ancf, the model is ale\n"
                        "t.yaml:10:14: cables.rope.profile: is not used: it is for ancf, curve, the model is ale\n"
                        "t.yaml:14:14: cables.wire.current: is not used: it is for ancf, ale, the model is curve\n"
                        "t.yaml:15:30: cables.wire.profile[0].axial: is not used: it is for ancf, the model is curve");
    rvScene_Destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FieldsOfOtherModelsAreTold),
        cmocka_unit_test(FieldsOfPlacesForOtherModelsAreTold),
        cmocka_unit_test(RefusedFieldsOfCurvesAreNotWarnedOf),
        cmocka_unit_test(FieldsThatNeedOthersAreTold),
        cmocka_unit_test(ModelsThatComeLaterCount),
        cmocka_unit_test(FieldsOfOtherEventsAreTold),
        cmocka_unit_test(IntervalsTooLongForAPegAreTold),
        cmocka_unit_test(CablesThatPassThroughEachOtherAreTold),
        cmocka_unit_test(EventsAfterTheEndAreTold),
        cmocka_unit_test(ProfileOfAWireIsRead),
        cmocka_unit_test(FieldsOfElementsAreRead),
        cmocka_unit_test(FieldsOfElementsAreRefusedWhereTheyStand),
        cmocka_unit_test(PointsForOtherModelsAreTold),
        cmocka_unit_test(IntegratorIsReadAndRefusedWhereItStands),
        cmocka_unit_test(RopesFarTooShortForTheirRouteAreTold),
        cmocka_unit_test(RopesFarTooHeavyForTheirStiffnessAreTold),
    };
    return RUN_TESTS(tests);
}
