// SPDX-License-Identifier: MIT
// Scenes from text to worlds and back.
#include "scene_text.h"

#include <locale.h>
#include <stdlib.h>

static rvScene* load_file(const char* name)
{
    char path[400], error[4000];
    snprintf(path, sizeof path, "%s/%s.yaml", REEVE_SCENES, name);
    rvScene* scene;
    rvStatus status = rvScene_LoadFile(path, NULL, &scene, error, sizeof error);
    if (status != RV_OK)
        print_error("%s\n", error);
    assert_int_equal(status, RV_OK);
    rvScene_SetReference(scene, rvReference_GetMethods());
    return scene;
}

static void run_steps(rvScene* scene, rvWorld* world, int steps)
{
    double h = rvScene_GetStep(scene);
    for (int i = 0; i < steps; ++i) {
        assert_int_equal(rvScene_Apply(scene, world, i * h, h), RV_OK);
        assert_int_equal(rvWorld_Step(world, h), RV_OK);
    }
}

static const char* const SCENES[] = {"pendulum",    "atwood",      "tackle",       "elevator",          "stack",
                                     "chain",       "crane",       "hoist",        "ropeway",           "sliding_boxes",
                                     "fishing_rod", "tower_crane", "gantry_crane", "gantry_crane_eight"};

// Written and read again, each scene gives the same world, now and after a while.
static void WritingAndReadingGivesTheSameWorld(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof SCENES / sizeof SCENES[0]; ++i) {
        rvScene* scene = load_file(SCENES[i]);
        size_t size = rvScene_Write(scene, NULL, 0);
        char* text = malloc(size + 1);
        assert_non_null(text);
        assert_int_equal(rvScene_Write(scene, text, size + 1), size);
        rvScene* again = load_good(text);
        rvWorld *first = build_good(scene), *second = build_good(again);
        assert_true(rvWorld_Hash(first) == rvWorld_Hash(second));
        run_steps(scene, first, 50);
        run_steps(again, second, 50);
        assert_true(rvWorld_Hash(first) == rvWorld_Hash(second));
        rvDestroyWorld(first);
        rvDestroyWorld(second);
        rvScene_Destroy(again);
        rvScene_Destroy(scene);
        free(text);
    }
}

// Every kind of field once: what is written twice is the same.
static void EveryFieldIsWritten(void** state)
{
    (void)state;
    rvScene* scene = load_good(
        "reeve: 1\ntitle: \"a \\\"title\\\"\"\nstep: 5 ms\nuntil: 1 min\nevery: 0.1\nground: -1\n"
        "world: {gravity: [0, 0, -1.6], stepper: paper, relaxation: 1, geometric_stiffness: 2, max_passes: 3, "
        "max_contacts: 9,"
        " max_events: 8}\n"
        "bodies:\n"
        "  floor:\n    type: static\n    shapes:\n"
        "      - {type: height_field, size: [4, 4, 1], heights: [[0, 0, 0], [0, 1, 0]]}\n"
        "      - {type: mesh, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]], group: 0x3, mask: 5}\n"
        "  load:\n    position: [1, 2, 3]\n    orientation: {rpy: [10 deg, 20 deg, 30 deg]}\n    velocity: [1, 0, 0]\n"
        "    angular_velocity: [0, 0, 1]\n    mass: 2 t\n    center_of_mass: [0, 0, 0.1]\n"
        "    inertia: [[3, 0.1, 0], [0.1, 3, 0], [0, 0, 3]]\n"
        "    shapes:\n"
        "      - {type: hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], friction: 0.3, restitution: 0.1,"
        " compliance: 1e-7, damping: 0.01}\n"
        "      - {type: cylinder, radius: 1, length: 2, orientation: {axis: [1, 0, 0], angle: 1}}\n"
        "  mover: {type: kinematic, position: [9, 9, 9]}\n"
        "  \"odd-name\": {type: static, position: [0, 0, 50]}\n"
        "joints:\n"
        "  u: {type: universal, a: load, point: [1, 2, 4], axis: [1, 0, 0], turn: {limits: [-1, 1], speed: 1,"
        " max_force: 5}, turn2: {position: 0.5, max_speed: 2, friction: 3}, compliance: 1e-6, angular_compliance: 1e-7,"
        " damping: 0.1, collide: true}\n"
        "  d: {type: distance, a: load, b: mover, point: [1, 2, 3], point_b: [9, 9, 9], length: 12, slide: {limits: "
        "[1, "
        ".inf]}}\n"
        "cables:\n"
        "  c: {model: massless, diameter: 1 cm, E: 2e11, EA: 3e6, length: 70, damping: 0.1, pushes: true, breaks_at: 1 "
        "MN,"
        " route: [{winch: odd-name, point: [0, 0, 1], speed: 1, compliance: 1e-6, max_force: 2e5, min_length: 1, "
        "max_length:"
        " 99}, {eye: world, point: [1, 1, 20]}, {attach: load, point: [0, 0, 0.5]}]}\n"
        "commands:\n"
        "  mover.position: [[0, [9, 9, 9]], [1, [9, 9, 10]]]\n"
        "  mover.orientation: [[0, [1, 0, 0, 0]], [1, {axis: [0, 0, 1], angle: 1}]]\n"
        "  load.force: [1, 2, 3]\n  c.winch_speed: 0.1\n  u.angular_speed: [[0, 0], [1, 1]]\n"
        "events: [{at: 3, break: c}]\n"
        "outputs: [load.position, c.tension, \"c.length[1]\", u.angle2, solver.rows]\n");
    static char first[10000], second[10000];
    size_t size = rvScene_Write(scene, first, sizeof first);
    assert_true(size < sizeof first);
    // the second pass cannot lose what the first one did, so look for some of it
    static const char* const parts[] = {"group: 3",    "mask: 5",           "heights: [[0, 0, 0], [0, 1, 0]]",
                                        "turn2: {",    "\"odd-name\": {",   "breaks_at: 1e+06",
                                        "break: c",    "pushes: true",      "\"mover.orientation\": [[0, [1, 0, 0, 0]]",
                                        "point_b: [9", "limits: [1, .inf]", "\"a \\\"title\\\"\""};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i)
        assert_non_null(strstr(first, parts[i]));
    rvScene* again = load_good(first);
    assert_int_equal(rvScene_Write(again, second, sizeof second), size);
    assert_string_equal(first, second);
    rvWorld *a = build_good(scene), *b = build_good(again);
    assert_true(rvWorld_Hash(a) == rvWorld_Hash(b));
    rvDestroyWorld(a);
    rvDestroyWorld(b);
    rvScene_Destroy(again);
    rvScene_Destroy(scene);
}

static void WriteAnswersTheLengthWithoutRoom(void** state)
{
    (void)state;
    rvScene* scene = load_good("reeve: 1\ntitle: abc\n");
    char text[12];
    assert_int_equal(rvScene_Write(scene, NULL, 0), strlen("reeve: 1\ntitle: \"abc\"\n"));
    assert_int_equal(rvScene_Write(scene, text, sizeof text), strlen("reeve: 1\ntitle: \"abc\"\n"));
    assert_string_equal(text, "reeve: 1\nti");
    rvScene_Destroy(scene);
}

static void SetChangesOneValueOrNothing(void** state)
{
    (void)state;
    char error[400];
    rvScene* scene = load_file("crane");
    assert_int_equal(rvScene_Set(scene, "bodies.container.mass=12 t", error, sizeof error), RV_OK);
    assert_int_equal(rvScene_Set(scene, "cables.hoist.route[0].max_force=80 kN", error, sizeof error), RV_OK);
    assert_int_equal(rvScene_Set(scene, "world.gravity=[0, 0, -1.62]", error, sizeof error), RV_OK);
    assert_int_equal(rvScene_Set(scene, "commands.travel.speed=[[0, 0], [1, 0.1]]", error, sizeof error), RV_OK);
    assert_int_equal(rvScene_Set(scene, "until=3", error, sizeof error), RV_OK);
    rvWorld* world = build_good(scene);
    CHECK_NEAR(rvBody_GetMass(world, rvScene_FindBody(scene, "container")), 12000.0, 0.0); // exact in binary
    CHECK_NEAR(rvWorld_GetGravity(world).z, -1.62, 0.0);                                   // copied
    CHECK_NEAR(rvScene_GetUntil(scene), 3.0, 0.0);                                         // copied
    uint64_t hash = rvWorld_Hash(world);
    rvDestroyWorld(world);

    assert_int_equal(rvScene_Set(scene, "bodies.container.mass=-1", error, sizeof error), RV_BAD_INPUT);
    assert_string_equal(error, "bodies.container.mass=-1:1:23: bodies.container.mass: is -1 kg, expected a number > 0");
    assert_int_equal(rvScene_Set(scene, "bodies.container.color=red", error, sizeof error), RV_BAD_INPUT);
    assert_int_equal(rvScene_Set(scene, "cables.hoist.route[9].speed=1", error, sizeof error), RV_BAD_INPUT);
    assert_string_equal(error, "cables.hoist.route[9].speed=1:1:1: there is nothing at \"cables.hoist.route[9]\"");
    assert_int_equal(rvScene_Set(scene, "cables.hoist.route[x].speed=1", error, sizeof error), RV_BAD_INPUT);
    assert_non_null(strstr(error, "numbers from 0 in brackets, as in route[0]"));
    assert_int_equal(rvScene_Set(scene, "cables.hoist.route.0.speed=1", error, sizeof error), RV_BAD_INPUT);
    assert_non_null(strstr(error, "numbers from 0 in brackets, as in route[0]"));
    assert_int_equal(rvScene_Set(scene, "bodies.contianer.mass=1", error, sizeof error), RV_BAD_INPUT);
    assert_non_null(strstr(error, "there is nothing at \"bodies.contianer\", did you mean \"container\"?"));
    assert_int_equal(rvScene_Set(scene, "joints.x.a=container", error, sizeof error), RV_BAD_INPUT);
    assert_non_null(strstr(error, "there is nothing at \"joints.x\", expected one of "));
    assert_int_equal(rvScene_Set(scene, "until= ", error, sizeof error), RV_BAD_INPUT);
    assert_string_equal(error, "until= :1:7: there is no value after the =");
    assert_int_equal(rvScene_Set(scene, "until", error, sizeof error), RV_BAD_INPUT);
    assert_int_equal(rvScene_Set(scene, "=3", error, sizeof error), RV_BAD_INPUT);
    world = build_good(scene);
    assert_true(rvWorld_Hash(world) == hash);
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

// Values that fit only together: in any order, all of them or none.
static void SetTakesValuesTogether(void** state)
{
    (void)state;
    char error[400];
    rvScene* scene = load_file("crane");
    static const char control[] = "cables.hoist.route[0].control=tension";
    static const char target[] = "cables.hoist.route[0].target_tension=5 kN";
    assert_int_equal(rvScene_Set(scene, control, error, sizeof error), RV_BAD_INPUT); // it needs the other
    const char* wrong[] = {control, target, "until=x"};
    assert_int_equal(rvScene_SetAll(scene, wrong, 3, error, sizeof error), RV_BAD_INPUT);
    assert_non_null(strstr(error, "until=x:1:7: "));
    rvPlaceDef place;
    assert_true(rvScene_GetPlace(scene, 0, 0, &place, NULL));
    assert_int_equal(place.winch.control, RV_WINCH_SPEED);
    assert_int_equal(rvScene_SetAll(scene, wrong, 2, error, sizeof error), RV_OK);
    rvWorld* world = build_good(scene);
    rvWinchDef winch;
    assert_int_equal(rvCable_GetWinch(world, rvScene_FindCable(scene, "hoist"), 0, &winch), RV_OK);
    assert_int_equal(winch.control, RV_WINCH_TENSION);
    CHECK_NEAR(winch.target, 5000.0, 0.0); // exact in binary
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

// A host program in a country of decimal commas reads and writes the same numbers.
static void TheCountryDoesNotMatter(void** state)
{
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8"))
        skip();
    rvScene* scene = load_good("reeve: 1\nstep: 0.25\n");
    char text[100];
    rvScene_Write(scene, text, sizeof text);
    setlocale(LC_ALL, "C");
    CHECK_NEAR(rvScene_GetStep(scene), 0.25, 0.0); // exact in binary
    assert_string_equal(text, "reeve: 1\nstep: 0.25\n");
    rvScene_Destroy(scene);
}

static void IdsAreFoundByName(void** state)
{
    (void)state;
    rvScene* scene = load_file("crane");
    rvWorld* world = build_good(scene);
    assert_true(rvBody_IsValid(world, rvScene_FindBody(scene, "ground")));
    assert_string_equal(rvBody_GetName(world, rvScene_FindBody(scene, "hook")), "hook");
    assert_true(rvJoint_IsValid(world, rvScene_FindJoint(scene, "slew")));
    assert_true(rvCable_IsValid(world, rvScene_FindCable(scene, "sling4")));
    assert_true(RV_IS_NULL(rvScene_FindBody(scene, "slew")));
    assert_true(RV_IS_NULL(rvScene_FindCable(scene, "nothing")));
    assert_int_equal(rvScene_GetBodyCount(scene), 6);
    assert_int_equal(rvScene_GetShapeCount(scene, 1), 2);
    assert_null(rvScene_GetShape(scene, 1, 2));
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

// What only the world can know is told as what the reader knows: with file, line and field.
static void WhatTheWorldRefusesIsToldWhereItStands(void** state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"reeve: 1\ncables:\n  wire:\n    model: curve\n    length: 0.5\n    route: [{attach: world, point: [0, 0, "
         "0]}, {attach: world, "
         "point: [1, 0, 0]}]\n",
         "t.yaml:5:13: cables.wire.length: is 0.5 m, its places are 1 m apart and it does not stretch"},
        {"reeve: 1\nbodies:\n  a: {mass: 1}\n  b:\n    mass: 1\n    shapes: [{type: plane}]\n",
         "t.yaml:6:21: bodies.b.shapes[0].type: a plane must be on a static body"},
        {"reeve: 1\ncables:\n  hose:\n    model: ancf\n    route:\n    - {attach: world, point: [0, 0, 0]}\n    - "
         "{eye: world, point: [0.5, 0, 0]}\n"
         "    - {attach: world, point: [1, 0, 0]}\n",
         "t.yaml:7:7: cables.hose.route[1]: "},
    };
    for (int i = 0; i < 3; ++i) {
        char error[1000];
        rvWorld* world;
        rvScene* scene = load_good(bad[i].text);
        assert_int_equal(rvScene_CreateWorld(scene, NULL, &world, error, sizeof error), RV_BAD_INPUT);
        assert_null(world);
        if (strncmp(error, bad[i].says, strlen(bad[i].says)) != 0)
            fail_msg("%s", error);
        rvScene_Destroy(scene);
    }
}

static void EventsThatCannotHappenAreTold(void** state)
{
    (void)state;
    static const char start[] = "reeve: 1\nbodies: {load: {mass: 1, position: [0, 0, -2]}}\n"
                                "cables: {rope: {plane: [0, 1, 0], route: [{%s: world, point: [0, 0, 0]}, {attach: "
                                "load, point: [0, 0, 0]}]}}\nevents:\n"
                                "- {at: 2, change: rope, model: massless}\n- {at: 1, change: rope, model: %s}\n%s";
    static const struct {
        const char *place, *model, *more, *says;
    } cases[] = {
        {"winch", "layered", "", ""},
        {"winch", "ancf", "", "t.yaml:6:3: events[1].change: cable 'rope': route[0]: the material of model ancf "},
        {"attach", "ancf", "", ""},
        // out of the plane, and too short, now: the load may be elsewhere by then
        {"attach", "curve", "- {at: 0.5, hook: rope, to: load, point: [3, 5, 0]}\n", ""},
        {"winch", "curve", "- {at: 0.5, break: rope}\n", ""}, // what is broken does not change
        {"attach", "ancf", "- {at: 1.5, change: rope, model: layered}\n- {at: 1.6, grasp: rope, to: world}\n",
         "t.yaml:8:3: events[3].grasp: cable 'rope': only one of model curve can be taken hold of"},
        {"attach", "curve", "- {at: 1.6, grasp: rope, to: world, along: 90}\n",
         "t.yaml:7:44: events[2].along: is 90 m, must be 0 to "},
    };
    for (int i = 0; i < 7; ++i) {
        char text[600], error[1000];
        snprintf(text, sizeof text, start, cases[i].place, cases[i].model, cases[i].more);
        rvScene* scene = load_good(text);
        rvStatus status = rvScene_TryEvents(scene, error, sizeof error);
        if (strncmp(error, cases[i].says, strlen(cases[i].says)) != 0 || !*cases[i].says != !*error)
            fail_msg("%d: %s", i, error);
        assert_int_equal(status, *error ? RV_BAD_INPUT : RV_OK);
        rvScene_Destroy(scene);
    }
}

// Where bodies may be elsewhere by then a check cannot know; what moves together stays together.
static void HookOntoTheRopesOwnFirstPointIsTold(void** state)
{
    (void)state;
    static const char start[] = "reeve: 1\nuntil: 1\nbodies: {a: {mass: 1, shapes: [{type: sphere, radius: 0.1}]}}\n"
                                "cables: {rope: {EA: 1 MN, route: [{attach: a, point: [0, 0, 0]}, {attach: world, "
                                "point: [3, 0, 0]}]}}\nevents:\n- {at: 0.5, hook: rope, to: %s, point: [0, 0, 0]}\n";
    static const char* const to[] = {"a", "world"};
    for (int i = 0; i < 2; ++i) {
        char text[600], error[1000];
        snprintf(text, sizeof text, start, to[i]);
        rvScene* scene = load_good(text);
        rvStatus status = rvScene_TryEvents(scene, error, sizeof error);
        assert_int_equal(status, i == 0 ? RV_BAD_INPUT : RV_OK);
        if (i == 0 && !strstr(error, "events[0].hook: cable 'rope': route[1].point: lies on"))
            fail_msg("%s", error);
        rvScene_Destroy(scene);
    }
}

// Models of elements are held between their ends too, and turn back what only slides there.
static void ElementsAreAttachedBetweenTheirEnds(void** state)
{
    (void)state;
#define HELD(model)                                                                                                    \
    "reeve: 1\n"                                                                                                       \
    "bodies: {load: {mass: 1, position: [0.5, 0, -0.3]}}\n"                                                            \
    "cables:\n"                                                                                                        \
    "  wire:\n"                                                                                                        \
    "    {model: " model ", elements: 8, length: 1.4, diameter: 0.004, EA: 1000, mass_per_length: 0.1,\n"              \
    "     route: [{attach: world, point: [0, 0, 0]}, {attach: load, point: [0, 0, 0]},\n"                              \
    "             {attach: world, point: [1, 0, 0]}]}\n"
    static const char* const texts[] = {HELD("ancf"), HELD("curve"), HELD("ale")};
    for (int i = 0; i < 3; ++i) {
        rvScene* scene = load_good(texts[i]);
        rvWorld* world = build_good(scene);
        for (int k = 0; k < 500; ++k)
            assert_int_equal(rvWorld_Step(world, 1e-3), RV_OK);
        rvVec3 at = rvBody_GetPose(world, rvScene_FindBody(scene, "load")).p;
        // the halves reach 0.49 m down, and stretch by 3 % at most: a load that is caught pulls less than three times
        // its weight along each; free it would have fallen 1.2 m
        assert_true(at.z > -0.55 && at.z < -0.3);
        rvDestroyWorld(world);
        rvScene_Destroy(scene);
    }
    expect_refused(HELD("massless"),
                   "t.yaml:6:49: cables.wire.route[1]: the places between the ends are eyes and sheaves, not attach");
#undef HELD
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ElementsAreAttachedBetweenTheirEnds),
        cmocka_unit_test(WhatTheWorldRefusesIsToldWhereItStands),
        cmocka_unit_test(EventsThatCannotHappenAreTold),
        cmocka_unit_test(HookOntoTheRopesOwnFirstPointIsTold),
        cmocka_unit_test(WritingAndReadingGivesTheSameWorld),
        cmocka_unit_test(EveryFieldIsWritten),
        cmocka_unit_test(WriteAnswersTheLengthWithoutRoom),
        cmocka_unit_test(SetChangesOneValueOrNothing),
        cmocka_unit_test(SetTakesValuesTogether),
        cmocka_unit_test(TheCountryDoesNotMatter),
        cmocka_unit_test(IdsAreFoundByName),
    };
    return RUN_TESTS(tests);
}
