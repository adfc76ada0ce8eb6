// SPDX-License-Identifier: MIT
// Bad input: each kind is refused with a message that names file, line, column and field.
#include "scene_text.h"

static void NotANumberIsRefused(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nbodies:\n  load:\n    mass: .nan\n",
                   "t.yaml:4:11: bodies.load.mass: is .nan, expected a finite number");
    expect_refused("reeve: 1\nbodies:\n  load: {mass: 1, position: [0, 0, .nan]}\n",
                   "t.yaml:3:36: bodies.load.position[2]: is .nan, expected a finite number");
}

static void InfinityIsRefusedWhereItMeansNothing(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nbodies:\n  load: {mass: .inf}\n",
                   "t.yaml:3:16: bodies.load.mass: is .inf, expected a finite number");
    expect_refused("reeve: 1\nbodies:\n  load: {mass: 1e999}\n",
                   "t.yaml:3:16: bodies.load.mass: is 1e999, expected a finite number");
    // where it stands for "no limit" it is good
    rvScene_Destroy(
        load_good("reeve: 1\ncables:\n  c:\n    breaks_at: .inf\n    route: [{attach: world, point: [0, 0, 0]},"
                  " {attach: world, point: [1, 0, 0]}]\n"));
}

static void ZeroAndNegativeMassAreRefused(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nbodies:\n  load:\n    mass: -3\n",
                   "t.yaml:4:11: bodies.load.mass: is -3 kg, expected a number > 0");
    expect_refused("reeve: 1\nbodies:\n  load:\n    mass: 0 t\n",
                   "t.yaml:4:11: bodies.load.mass: is 0 t, expected a number > 0");
    expect_refused("reeve: 1\nbodies:\n  load: {}\n",
                   "t.yaml:3:9: bodies.load.mass: is missing, a body of type dynamic needs it");
}

static void NumbersTooCloseToZeroAreRefused(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nbodies:\n  load:\n    mass: 1e-320\n",
                   "t.yaml:4:11: bodies.load.mass: is 1e-320 kg, expected a number of at least 1e-100 kg");
    expect_refused("reeve: 1\nbodies:\n  load:\n    mass: 1e-101 g\n",
                   "t.yaml:4:11: bodies.load.mass: is 1e-101 g, expected a number of at least 1e-100 kg");
    expect_refused(
        "reeve: 1\nbodies:\n  load: {mass: 1, inertia: [1, 1e-310, 1]}\n",
        "t.yaml:3:32: bodies.load.inertia[1]: is 1e-310 kg m^2, expected a number of at least 1e-100 kg m^2");
    expect_refused(
        "reeve: 1\nbodies:\n  load: {mass: 1, position: [1e-310, 0, 0]}\n",
        "t.yaml:3:30: bodies.load.position[0]: is 1e-310 m, expected 0 or a number of at least 2.22507e-308 m "
        "in size");
    // where nothing is divided by it, it may be what rounding has left
    rvScene_Destroy(load_good("reeve: 1\nbodies:\n  load: {mass: 1, position: [1e-150, 0, 0]}\n"));
}

// A beginner's slips: each is told once, with what was expected.
static void SlipsAreToldWithWhatWasExpected(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nsettle: yes\n", "t.yaml:2:9: settle: is \"yes\", expected true or false");
    // nothing is said of what was not read: the joint has two bodies
    expect_refused("reeve: 1\nbodies:\n  a: {mass: 1}\njoints:\n  j: {type: bal, a: a, b: world, point: [0, 0, 0]}\n",
                   "t.yaml:5:13: joints.j.type: is \"bal\", expected one of fixed, ball, hinge, slider, cylindrical, "
                   "universal, distance; did you mean \"ball\"?");
    expect_refused(
        "reeve: 1\ntitle: a: b\n",
        "t.yaml:2:9: not YAML: invalid nested block mapping on the same line (text with a colon needs quotes)");
    expect_refused("reeve: 1\noutputs: [rope.tension[0], energy.heat]\n",
                   "t.yaml:2:23: not YAML: missing comma in flow sequence (within [] text with brackets needs quotes: "
                   "\"rope.tension[0]\")");
}

static void InertiaThatBreaksTheTriangleInequalityIsRefused(void** state)
{
    (void)state;
    expect_refused(
        "reeve: 1\nbodies:\n  load: {mass: 1, inertia: [1, 1, 2.1]}\n",
        "t.yaml:3:28: bodies.load.inertia: breaks the triangle inequality: no principal moment may exceed the sum"
        " of the others");
    // the same tensor turned by 45 degrees about z: the off-diagonal terms must be seen
    expect_refused(
        "reeve: 1\nbodies:\n  load: {mass: 1, inertia: [[1.55, 0.55, 0], [0.55, 1.55, 0], [0, 0, 1]]}\n",
        "t.yaml:3:28: bodies.load.inertia: breaks the triangle inequality: no principal moment may exceed the sum"
        " of the others");
    expect_refused("reeve: 1\nbodies:\n  load: {mass: 1, inertia: [1, -1, 1]}\n",
                   "t.yaml:3:32: bodies.load.inertia[1]: is -1 kg m^2, expected a number > 0");
    rvScene_Destroy(load_good("reeve: 1\nbodies:\n  load: {mass: 1, inertia: [1, 1, 2]}\n"));
}

static void UnknownFieldsAreRefusedWithASuggestion(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nbodies:\n  load:\n    mass: 1\n    postion: [0, 0, 0]\n",
                   "t.yaml:5:5: bodies.load.postion: unknown field of a body, did you mean \"position\"?");
    expect_refused("reeve: 1\ncables:\n  rope:\n    EI: 3\n    route: [{attach: world, point: [0, 0, 0]}, {attach: "
                   "world, point: [1, 0, 0]}]\n",
                   "t.yaml:4:5: cables.rope.EI: unknown field of a cable, did you mean \"bending_stiffness\"?");
    expect_refused("reeve: 1\ncabels: {}\n", "t.yaml:2:1: cabels: unknown field of a scene, did you mean \"cables\"?");
    expect_refused("reeve: 1\nworld: {xyzzy: 1}\n", "t.yaml:2:9: world.xyzzy: unknown field of a world");
    // one that stands at the wrong place is told where it belongs; a type that is written as a field, how it is written
    expect_refused("reeve: 1\ngravity: [0, 0, -9]\n",
                   "t.yaml:2:1: gravity: unknown field of a scene: it is one of a world");
    expect_refused("reeve: 1\nbodies:\n  b: {type: static, shapes: [{box: [1, 1, 1]}]}\n",
                   "t.yaml:3:31: bodies.b.shapes[0].box: unknown field of a shape: it is a type, as in \"type: box\"\n"
                   "t.yaml:3:30: bodies.b.shapes[0].type: is missing, every shape needs it: one of plane, sphere, box, "
                   "capsule, cylinder, hull, mesh, height_field");
}

static void WrongUnitsAreRefused(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nbodies:\n  load: {mass: 3 m}\n",
                   "t.yaml:3:16: bodies.load.mass: is \"3 m\", a wrong unit: expected kg");
    expect_refused("reeve: 1\nbodies:\n  load: {mass: 3 furlong}\n",
                   "t.yaml:3:16: bodies.load.mass: is \"3 furlong\", \"furlong\" is no unit, expected a number in kg "
                   "or one with a unit, such as"
                   " \"3 kg\"");
    expect_refused("reeve: 1\nworld: {relaxation: 2 s}\n",
                   "t.yaml:2:21: world.relaxation: is \"2 s\", a wrong unit: expected a number without a unit");
}

static void WrongTypesAreRefused(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nbodies:\n  load: {mass: [1]}\n",
                   "t.yaml:3:16: bodies.load.mass: is a list, expected a number in kg");
    expect_refused("reeve: 1\nbodies:\n  load: {mass: 1, position: 3}\n",
                   "t.yaml:3:29: bodies.load.position: is a single value, expected a list of 3 numbers in m");
    expect_refused("reeve: 1\nbodies:\n  load: {mass: 1, position: [1, 2]}\n",
                   "t.yaml:3:29: bodies.load.position: has 2 values, expected 3 numbers in m");
    expect_refused("reeve: 1\nbodies: 3\n", "t.yaml:2:9: bodies: is a single value, expected a map of names");
    expect_refused(
        "reeve: 1\nbodies:\n  load: {type: dinamic}\n",
        "t.yaml:3:16: bodies.load.type: is \"dinamic\", expected one of static, kinematic, dynamic, proxy; did you"
        " mean \"dynamic\"?");
    expect_refused("reeve: 2\n", "t.yaml:1:8: reeve: is 2, expected a number that is 1");
    expect_refused("3\n", "t.yaml:1:1: is a single value, expected the fields of a scene");
}

static void FieldsOfAnotherTypeAreRefused(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nbodies:\n  load: {mass: 1, shapes: [{type: sphere, radius: 1, sides: [1, 1, 1]}]}\n",
                   "t.yaml:3:61: bodies.load.shapes[0].sides: does not belong to a shape of type sphere");
    expect_refused("reeve: 1\ncables:\n  c: {route: [{attach: world, point: [0, 0, 0], speed: 1}, "
                   "{attach: world, point: [1, 0, 0]}]}\n",
                   "t.yaml:3:56: cables.c.route[0].speed: does not belong to a place of type attach");
}

static void MissingBodiesAreRefused(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nbodies:\n  load: {mass: 1}\njoints:\n  pin: {type: ball, b: laod, point: [0, 0, 0]}\n",
                   "t.yaml:5:24: joints.pin.b: there is no body \"laod\", did you mean \"load\"?");
    expect_refused("reeve: 1\ncables:\n  c:\n    route:\n      - {attach: world, point: [0, 0, 0]}\n"
                   "      - {attach: hook, point: [1, 0, 0]}\n",
                   "t.yaml:6:18: cables.c.route[1].attach: there is no body \"hook\"");
    expect_refused("reeve: 1\nevents: [{at: 1}]\n",
                   "t.yaml:2:10: events[0]: expected one of `break`, `hook`, `change`, `grasp` and `let_go`");
    expect_refused("reeve: 1\nevents: [{at: 1, break: rope}]\n",
                   "t.yaml:2:25: events[0].break: there is no cable \"rope\"");
}

static void CablesOfZeroLengthAreRefused(void** state)
{
    (void)state;
    expect_refused("reeve: 1\ncables:\n  c:\n    length: 0\n    route: [{attach: world, point: [0, 0, 0]},"
                   " {attach: world, point: [1, 0, 0]}]\n",
                   "t.yaml:4:13: cables.c.length: is 0 m, expected a number > 0");
}

// Zero is no stiffness; without the field it is that of a rod.
static void CablesWithoutStiffnessAreRefused(void** state)
{
    (void)state;
    static const char* const fields[][2] = {{"EA", "N"}, {"bending_stiffness", "N m^2"}};
    for (int i = 0; i < 4; ++i) {
        char text[256], expected[256];
        snprintf(text, sizeof text,
                 "reeve: 1\ncables:\n  c:\n    model: ancf\n    %s: %d\n    route: [{attach: world, point: [0, 0, 0]},"
                 " {attach: world, point: [1, 0, 0]}]\n",
                 fields[i / 2][0], -(i % 2));
        snprintf(expected, sizeof expected, "t.yaml:5:%d: cables.c.%s: is %d %s, expected a number > 0",
                 (int)strlen(fields[i / 2][0]) + 7, fields[i / 2][0], -(i % 2), fields[i / 2][1]);
        expect_refused(text, expected);
    }
}

static void TwoPlacesAtOnePointAreRefused(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nbodies:\n  load: {mass: 1, position: [0, 0, 2]}\ncables:\n  c:\n    route:\n"
                   "      - {attach: world, point: [0, 0, 0]}\n      - {eye: world, point: [0, 0, 2]}\n"
                   "      - {attach: load, point: [0, 0, 0]}\n",
                   "t.yaml:9:9: cables.c.route[2]: lies at the same point as route[1]: the span between has no length");
}

static void StepsOfZeroNegativeAndHugeAreRefused(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nstep: 0\n", "t.yaml:2:7: step: is 0 s, expected a number of 1e-09 to 1");
    expect_refused("reeve: 1\nstep: -1 ms\n", "t.yaml:2:7: step: is -1 ms, expected a number of 1e-09 to 1");
    expect_refused("reeve: 1\nstep: 1e-30\n",
                   "t.yaml:2:7: step: is 1e-30 s, expected a number of 1e-09 to 1"); // time would stand still
    expect_refused("reeve: 1\nstep: 1e6\n", "t.yaml:2:7: step: is 1e6 s, expected a number of 1e-09 to 1");
}

static void NamesAreSharedAndChecked(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nbodies:\n  x: {mass: 1}\njoints:\n  x: {type: ball, b: x, point: [0, 0, 0]}\n",
                   "t.yaml:5:6: the name \"x\" is used twice; bodies, joints and cables share their names");
    expect_refused(
        "reeve: 1\nbodies:\n  a.b: {mass: 1}\n",
        "t.yaml:3:8: bodies.a.b: is no good name: expected letters, digits, _ or -, and not world, energy, solver,"
        " time");
}

static void SeveralMistakesAreSaidAtOnce(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nstep: 0\nuntil: -1\n",
                   "t.yaml:2:7: step: is 0 s, expected a number of 1e-09 to 1\n"
                   "t.yaml:3:8: until: is -1 s, expected a number above 0 up to 1e+09");
    char text[4096] = "reeve: 1\nbodies:\n", error[8192];
    for (int i = 0; i < 30; ++i)
        snprintf(text + strlen(text), sizeof text - strlen(text), "  b%d: {mass: -1}\n", i);
    rvScene* scene;
    assert_int_equal(rvScene_LoadText(text, strlen(text), "t.yaml", NULL, &scene, error, sizeof error), RV_BAD_INPUT);
    int lines = 1;
    for (const char* c = error; *c; ++c)
        lines += *c == '\n';
    assert_int_equal(lines, 21);
    assert_non_null(strstr(error, "\nt.yaml: more mistakes follow"));
}

static void RoutesHaveEndsAndEyesBetween(void** state)
{
    (void)state;
    expect_refused(
        "reeve: 1\ncables:\n  c: {route: [{eye: world, point: [0, 0, 0]}, {attach: world, point: [1, 0, 0]}]}\n",
        "t.yaml:3:15: cables.c.route[0]: an end is attach, winch or free, not eye");
    expect_refused("reeve: 1\ncables:\n  c: {route: [{attach: world, point: [0, 0, 0]}]}\n",
                   "t.yaml:3:6: cables.c: its route needs at least 2 places, has 1");
    expect_refused("reeve: 1\ncables:\n  c: {route: [{point: [0, 0, 0]}, {attach: world, point: [1, 0, 0]}]}\n",
                   "t.yaml:3:15: cables.c.route[0]: is no place, expected one of attach, eye, winch, free, sheave");
    expect_refused(
        "reeve: 1\ncables:\n  c: {route: [{attach: world, eye: world, point: [0, 0, 0]}, "
        "{attach: world, point: [1, 0, 0]}]}\n",
        "t.yaml:3:36: cables.c.route[0].eye: a second one: a place is either attach, eye, winch, free or sheave");
}

static void WheelsAndWinchesMustBeWhole(void** state)
{
    (void)state;
#define ROUTE(first, middle)                                                                                           \
    "reeve: 1\ncables:\n  c: {route: [{" first ", point: [0, 0, 0]}, {" middle                                         \
    ", point: [1, 0, 1]}, {attach: world, point: [2, 0, 0]}]}\n"
    expect_refused(ROUTE("attach: world", "sheave: world"),
                   "t.yaml:3:50: cables.c.route[1].radius: is missing, a place of type sheave needs it");
    expect_refused(ROUTE("attach: world", "sheave: world, radius: 0.2, drive_torque: 1"),
                   "t.yaml:3:50: cables.c.route[1]: has a motor (drive_torque), which needs a wheel that turns and has "
                   "`inertia`");
    expect_refused(ROUTE("winch: world, control: tension", "eye: world"),
                   "t.yaml:3:15: cables.c.route[0]: is controlled by tension, which needs `target_tension` > 0");
    expect_refused(ROUTE("attach: world", "sheave: world, radius: 0.2") "commands: {c.wheel_speed: 1}\n",
                   "t.yaml:4:12: commands.c.wheel_speed: that sheave has no motor: give it `drive_torque`");
    expect_refused(ROUTE("attach: world", "eye: world") "outputs: [\"c.wrap_angle[1]\"]\n",
                   "t.yaml:4:12: outputs[0]: is \"c.wrap_angle[1]\": there is no sheave at that place of \"c\"");
#undef ROUTE
}

static void MeshesMustBeWhole(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nbodies:\n  m: {type: static, shapes: [{type: mesh, file: nowhere.obj}]}\n",
                   "t.yaml:3:49: bodies.m.shapes[0].file: the mesh \"nowhere.obj\": No such file or directory");
    expect_refused("reeve: 1\nbodies:\n  m:\n    type: static\n    shapes:\n      - type: mesh\n"
                   "        points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]\n        triangles: [[0, 1, 3]]\n",
                   "t.yaml:6:9: bodies.m.shapes[0]: triangle 0 names point 3, there are 3");
    expect_refused("reeve: 1\nbodies:\n  m:\n    type: static\n    shapes:\n      - type: height_field\n"
                   "        size: [1, 1, 1]\n        heights: [[0, 0, 0], [1, 0]]\n",
                   "t.yaml:8:30: bodies.m.shapes[0].heights: expected a row of 3 heights, as the first one");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(NotANumberIsRefused),
        cmocka_unit_test(InfinityIsRefusedWhereItMeansNothing),
        cmocka_unit_test(ZeroAndNegativeMassAreRefused),
        cmocka_unit_test(NumbersTooCloseToZeroAreRefused),
        cmocka_unit_test(SlipsAreToldWithWhatWasExpected),
        cmocka_unit_test(InertiaThatBreaksTheTriangleInequalityIsRefused),
        cmocka_unit_test(UnknownFieldsAreRefusedWithASuggestion),
        cmocka_unit_test(WrongUnitsAreRefused),
        cmocka_unit_test(WrongTypesAreRefused),
        cmocka_unit_test(FieldsOfAnotherTypeAreRefused),
        cmocka_unit_test(MissingBodiesAreRefused),
        cmocka_unit_test(CablesOfZeroLengthAreRefused),
        cmocka_unit_test(CablesWithoutStiffnessAreRefused),
        cmocka_unit_test(TwoPlacesAtOnePointAreRefused),
        cmocka_unit_test(StepsOfZeroNegativeAndHugeAreRefused),
        cmocka_unit_test(NamesAreSharedAndChecked),
        cmocka_unit_test(SeveralMistakesAreSaidAtOnce),
        cmocka_unit_test(RoutesHaveEndsAndEyesBetween),
        cmocka_unit_test(WheelsAndWinchesMustBeWhole),
        cmocka_unit_test(MeshesMustBeWhole),
    };
    return RUN_TESTS(tests);
}
