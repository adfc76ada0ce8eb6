// SPDX-License-Identifier: MIT
// The command from end to end, as a shell sees it.
#include "app/shell.h"

static const char FALL[] =
    "reeve: 1\ntitle: A fall\nuntil: 1\nevery: 0.25\nbodies:\n  m: {mass: 2, position: [0, 0, 10]}\n"
    "outputs: [m.position.z, m.velocity.z]\n";

// A rope that is drawn through a box is told of before it runs, by name and with how deep it is.
static void RopeThatBeginsInsideAShapeIsWarnedOf(void** state)
{
    (void)state;
    static const char told[] = "in.yaml: warning: cables.rope: begins 0.3 m inside shape 'block' of body 'block', at [";
    write_file("in.yaml",
               "reeve: 1\nuntil: 0.01\nworld: {gravity: [0, 0, 0]}\nbodies:\n"
               "  block: {type: static, shapes: [{type: box, sides: [1, 1, 1]}]}\n"
               "cables:\n  rope:\n    model: ancf\n    diameter: 10 mm\n    collides: true\n    route:\n"
               "      - {attach: world, point: [-2, 0, 0.2]}\n      - {attach: world, point: [2, 0, 0.2]}\n");
    assert_int_equal(reeve("check in.yaml"), 0);
    assert_non_null(strstr(read_file("printed"), told));
    assert_int_equal(reeve("run in.yaml --out results"), 0);
    assert_non_null(strstr(read_file("printed"), told));
    // a value that has colons itself
    assert_int_equal(reeve("check in.yaml --set 'cables.rope.model=ale' --set 'cables.rope.profile=[{at: 0}]'"), 0);
    assert_non_null(
        strstr(read_file("printed"), "cables.rope.profile=[{at: 0}]:1:21: warning: cables.rope.profile: is"));
    assert_int_equal(reeve("check in.yaml --set cables.rope.model=massless"), 0);
    assert_null(strstr(read_file("printed"), "begins")); // it goes around
}

// Nothing keeps a wire in its plane that free bodies hold alone.
static void WireInAPlaneBetweenFreeBodiesIsWarnedOf(void** state)
{
    (void)state;
    static const char told[] =
        "float.yaml: warning: cables.wire: lies in a plane, which the bodies that hold it may leave";
    write_file("float.yaml",
               "reeve: 1\nuntil: 0.01\nbodies:\n  a: {mass: 2, position: [0, 0, 0]}\n"
               "  b: {mass: 2, position: [1, 0, 0]}\ncables:\n  wire:\n    model: curve\n"
               "    diameter: 10 mm\n    bending_stiffness: 0.1\n    mass_per_length: 1\n    length: 1.2\n"
               "    route:\n      - {attach: a, point: [0, 0, 0]}\n      - {attach: b, point: [0, 0, 0]}\n");
    assert_int_equal(reeve("check float.yaml"), 0);
    assert_non_null(strstr(read_file("printed"), told));
    static const char* const quiet[] = {"cables.wire.GJ=1", "'cables.wire.plane=[0, 1, 0]'",
                                        "'cables.wire.route[0].attach=world'"};
    for (int i = 0; i < 3; ++i) {
        char command[128];
        snprintf(command, sizeof command, "check float.yaml --set %s", quiet[i]);
        assert_int_equal(reeve(command), 0);
        assert_null(strstr(read_file("printed"), "lies in a plane"));
    }
}

// What takes longer than it may ends with the results up to there.
static void RunEndsAtItsTimeLimit(void** state)
{
    (void)state;
    write_file("long.yaml", "reeve: 1\nuntil: 1000000\nbodies:\n  ball: {mass: 1, position: [0, 0, 0]}\n"
                            "world: {gravity: [0, 0, 0]}\noutputs: [ball.position.z]\n");
    assert_int_equal(reeve("run long.yaml --time-limit 0.2 --no-vtk --out limited"), 6);
    assert_non_null(strstr(read_file("printed"), "it took longer than 0.2 s (--time-limit)"));
    assert_non_null(strstr(read_file("limited/results.csv"), "time,ball.position.z"));
    assert_int_equal(reeve("run long.yaml --time-limit soon"), 1);
    assert_non_null(strstr(read_file("printed"), "--time-limit: is \"soon\", expected a number > 0 of seconds"));
}

// A wire that is told to bulge upwards but hangs down at rest says so.
static void BulgeThatDoesNotStayIsWarnedOf(void** state)
{
    (void)state;
    static const char told[] = "wire.yaml: warning: cables.wire.bulge: it would not stay there at rest";
    write_file("wire.yaml", "reeve: 1\nuntil: 0.01\ncables:\n  wire:\n    model: ancf\n    diameter: 10 mm\n"
                            "    bending_stiffness: 0.1\n    mass_per_length: 1\n    length: 3\n    bulge: [0, 0, 1]\n"
                            "    route:\n      - {attach: world, point: [0, 0, 0]}\n"
                            "      - {attach: world, point: [2, 0, 0]}\n");
    static const char* const sets[] = {"ancf", "curve"};
    for (int i = 0; i < 2; ++i) {
        char command[128];
        snprintf(command, sizeof command, "check wire.yaml --set cables.wire.model=%s", sets[i]);
        assert_int_equal(reeve(command), 0);
        assert_non_null(strstr(read_file("printed"), told));
        snprintf(command, sizeof command,
                 "check wire.yaml --set cables.wire.model=%s --set 'cables.wire.bulge=[0,0,-1]'", sets[i]);
        assert_int_equal(reeve(command), 0);
        assert_null(strstr(read_file("printed"), "bulge"));
    }
}

static void RunWritesNamesUnitsAndSamples(void** state)
{
    (void)state;
    write_file("fall.yaml", FALL);
    assert_int_equal(reeve("run fall.yaml --out results"), 0);
    const char* csv = read_file("results/results.csv");
    static const char begin[] = "time,m.position.z,m.velocity.z\ns,m,m/s\n0,10,0\n0.25,";
    assert_int_equal(strncmp(csv, begin, strlen(begin)), 0);
    int lines = 0;
    const char* last = csv;
    for (const char* c = csv; *c; ++c) {
        lines += *c == '\n';
        if (*c == '\n' && c[1])
            last = c + 1;
    }
    assert_int_equal(lines, 2 + 5);
    double time, z, v;
    assert_int_equal(sscanf(last, "%lf,%lf,%lf", &time, &z, &v), 3);
    CHECK_NEAR(time, 1.0, 0.0);        // printed so
    CHECK_NEAR(v, -9.81, 1e-9);        // free fall: exact but for rounding
    CHECK_NEAR(z, 10 - 4.905, 0.0491); // a first-order step is off by g h t/2 at most
    assert_non_null(strstr(read_file("results/summary.txt"), "simulated      1 s in 100 steps of 10 ms"));
    assert_non_null(strstr(read_file("results/scene.pvd"), "vtk/bodies_00004.vtp"));
}

static void RunSaysWhetherItBeganAtRest(void** state)
{
    (void)state;
    write_file("fall.yaml", FALL);
    assert_int_equal(reeve("run fall.yaml --out fallen --no-vtk --set settle=true"), 0);
    assert_non_null(
        strstr(read_file("fallen/summary.txt"), "19.62 N (1 of its load) unbalanced on m; left where they are: 1"));
    write_file("hang.yaml",
               "reeve: 1\nuntil: 0.1\nsettle: true\nbodies: {m: {mass: 2, position: [1, 0, -10]}}\n"
               "cables: {c: {route: [{attach: world, point: [0, 0, 0]}, {attach: m, point: [0, 0, 0]}]}}\n");
    assert_int_equal(reeve("run hang.yaml --out hung --no-vtk"), 0);
    assert_non_null(strstr(read_file("hung/summary.txt"), "at rest        after "));
    assert_non_null(strstr(read_file("hung/summary.txt"), "events         none"));
}

static void OptionsOverrideTheScene(void** state)
{
    (void)state;
    write_file("fall.yaml", FALL);
    assert_int_equal(
        reeve("run fall.yaml --out short --until '500 ms' --dt 0.05 --set 'world.gravity=[0, 0, 0]' --no-vtk --quiet"),
        0);
    assert_string_equal(read_file("short/results.csv"),
                        "time,m.position.z,m.velocity.z\ns,m,m/s\n0,10,0\n0.25,10,0\n0.5,10,0\n");
    assert_string_equal(read_file("printed"), "");
    assert_string_equal(read_file("short/scene.pvd"), "");
    assert_int_equal(reeve("run fall.yaml --out begin --until 0.5 --picture 0 --no-vtk --quiet"), 0); // before a step
    assert_non_null(strstr(read_file("begin/picture.svg"), "t = 0.00 s"));
}

static void TheDefaultFolderIsNamedByTheScene(void** state)
{
    (void)state;
    write_file("fall.yaml", FALL);
    assert_int_equal(reeve("run fall.yaml --quiet"), 0);
    assert_int_equal(strncmp(read_file("out/fall/results.csv"), "time,", 5), 0);
}

static void CablesAreDrawnWithTheirTension(void** state)
{
    (void)state;
    assert_int_equal(reeve("new pendulum --force"), 0);
    assert_int_equal(reeve("run pendulum.yaml --until 0.1 --out swing"), 0);
    const char* vtp = read_file("swing/vtk/cables_00000.vtp");
    assert_non_null(strstr(vtp, "NumberOfLines=\"1\""));
    assert_non_null(strstr(vtp, "Name=\"tension\""));
    assert_non_null(strstr(read_file("swing/vtk/bodies_00000.vtp"), "NumberOfPolys=\"672\"")); // a ball: 14 rings of 24
    assert_non_null(strstr(read_file("swing/summary.txt"), "peak tension   rope"));
}

static void CablesAreDrawnAsTheyHangAndFixedBodiesOnce(void** state)
{
    (void)state;
    assert_int_equal(reeve("new tower_crane --force"), 0);
    assert_int_equal(reeve("run tower_crane.yaml --until 0.2 --out lift"), 0);
    int points = 0, lines = 0;
    const char* piece = strstr(read_file("lift/vtk/cables_00001.vtp"), "NumberOfPoints=");
    assert_non_null(piece);
    assert_int_equal(sscanf(piece, "NumberOfPoints=\"%d\" NumberOfVerts=\"0\" NumberOfLines=\"%d\"", &points, &lines),
                     2);
    assert_true(points > 3 * lines); // straight spans have two points each
    const char* index = read_file("lift/scene.pvd");
    assert_non_null(strstr(index, "vtk/fixed_00000.vtp"));
    assert_null(strstr(index, "vtk/fixed_00001.vtp"));
}

static void ARunCanBeSeenAgainAndReported(void** state)
{
    (void)state;
    write_file("fall.yaml", "reeve: 1\ntitle: A <fall> & more\nuntil: 0.5\nbodies:\n  m: {mass: 2}\n");
    assert_int_equal(reeve("run fall.yaml --out told --report"), 0);
    assert_non_null(strstr(read_file("printed"), "report         told/report.html"));
    const char* report = read_file("told/report.html");
    assert_non_null(strstr(report, "<h1>A &lt;fall&gt; &amp; more</h1>"));
    assert_non_null(strstr(report, "<svg"));
    assert_non_null(strstr(report, ">\"time,m.position.x,")); // the samples, for the plots
    assert_memory_equal(read_file("told/replay.bin"), "RVREPLAY", 8);
    assert_int_equal(reeve("run fall.yaml --out untold --no-replay"), 0);
    assert_string_equal(read_file("untold/replay.bin"), "");
    assert_string_equal(read_file("untold/report.html"), "");
}

static void SectionsAreWrittenWhenAskedFor(void** state)
{
    (void)state;
    write_file("hang.yaml",
               "reeve: 1\nuntil: 0.1\nsettle: true\nbodies: {m: {mass: 2, position: [0, 0, -10]}}\n"
               "cables: {c: {route: [{attach: world, point: [0, 0, 0]}, {attach: m, point: [0, 0, 0]}]}}\n");
    assert_int_equal(reeve("run hang.yaml --out cut --no-vtk --sections"), 0);
    assert_non_null(strstr(read_file("printed"), "sections       cut/sections.csv"));
    const char* sections = read_file("cut/sections.csv");
    assert_int_equal(strncmp(sections, "cable,at,point.x,", 17), 0);
    assert_non_null(strstr(sections, "\nc,5,0,0,-5"));
    int lines = 0;
    for (const char* c = sections; *c; ++c)
        lines += *c == '\n';
    assert_int_equal(lines, 2 + 101);
}

static void ExitCodesTellWhatWasWrong(void** state)
{
    (void)state;
    assert_int_equal(reeve(""), 1);
    assert_int_equal(reeve("fly"), 1);
    assert_int_equal(reeve("run"), 1);
    assert_int_equal(reeve("run a.yaml --speed 3"), 1);
    assert_int_equal(reeve("new x --template nothing"), 1);
    write_file("bad.yaml", "reeve: 1\nbodies:\n  m: {mass: -2}\n");
    assert_int_equal(reeve("run bad.yaml"), 2);
    assert_string_equal(read_file("printed"), "bad.yaml:3:13: bodies.m.mass: is -2 kg, expected a number > 0\n");
    assert_int_equal(reeve("check bad.yaml"), 2);
    write_file("fall.yaml", FALL);
    assert_int_equal(reeve("run fall.yaml --dt 0"), 2);
    assert_string_equal(read_file("printed"), "step=0:1:6: step: is 0 s, expected a number of 1e-09 to 1\n");
    assert_int_equal(reeve("run nowhere.yaml"), 3);
    write_file("file", "");
    assert_int_equal(reeve("run fall.yaml --out file/x"), 3);
}

// A push without measure: the run stops, says why and keeps what it has.
static void ADivergedRunKeepsItsResults(void** state)
{
    (void)state;
    write_file("burst.yaml", "reeve: 1\nuntil: 2\nevery: 0.1\nbodies:\n  m: {mass: 1e-9}\n"
                             "commands:\n  m.force: [[0, [0, 0, 0]], [1, [0, 0, 0]], [1, [1e300, 0, 0]]]\n");
    assert_int_equal(reeve("run burst.yaml --picture 1.5"), 4);
    assert_non_null(strstr(read_file("printed"), "reeve run: stopped after 1 s: "));
    assert_non_null(strstr(read_file("printed"), "picture.svg (at 1 s)"));
    assert_non_null(strstr(read_file("out/burst/picture.svg"), "t = 1.00 s"));
    const char* csv = read_file("out/burst/results.csv");
    assert_non_null(strstr(csv, "\n0.9,"));
    assert_non_null(strstr(csv, "\n1,"));
    assert_null(strstr(csv, "\n1.1,"));
    assert_null(strstr(csv, "nan"));
}

static void CheckSaysWhatIsThere(void** state)
{
    (void)state;
    assert_int_equal(reeve("new mine"), 0); // a crane
    assert_int_equal(reeve("check mine.yaml"), 0);
    const char* printed = read_file("printed");
    assert_non_null(strstr(printed, "mine.yaml: good: A tower crane"));
    assert_non_null(strstr(printed, "bodies     6: mast, jib, trolley, hook, container, ground\n"));
    assert_int_equal(reeve("new mine"), 3); // does not overwrite
    assert_int_equal(reeve("new mine --force --template atwood"), 0);
    assert_int_equal(reeve("check mine.yaml"), 0);
}

static void HelpIsThere(void** state)
{
    (void)state;
    static const char* const topics[] = {"--help",     "help run",   "help check", "help new",
                                         "help bench", "run --help", "new --help", "help view"};
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; ++i) {
        assert_int_equal(reeve(topics[i]), 0);
        assert_non_null(strstr(read_file("printed"), "Usage"));
    }
    assert_int_equal(reeve("--version"), 0);
    assert_int_equal(strncmp(read_file("printed"), "reeve 0.", 8), 0);
    assert_int_equal(reeve("help new"), 0);
    assert_non_null(strstr(read_file("printed"), "pendulum"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RopeThatBeginsInsideAShapeIsWarnedOf),
        cmocka_unit_test(BulgeThatDoesNotStayIsWarnedOf),
        cmocka_unit_test(WireInAPlaneBetweenFreeBodiesIsWarnedOf),
        cmocka_unit_test(RunEndsAtItsTimeLimit),
        cmocka_unit_test(RunWritesNamesUnitsAndSamples),
        cmocka_unit_test(RunSaysWhetherItBeganAtRest),
        cmocka_unit_test(OptionsOverrideTheScene),
        cmocka_unit_test(TheDefaultFolderIsNamedByTheScene),
        cmocka_unit_test(CablesAreDrawnWithTheirTension),
        cmocka_unit_test(CablesAreDrawnAsTheyHangAndFixedBodiesOnce),
        cmocka_unit_test(ARunCanBeSeenAgainAndReported),
        cmocka_unit_test(SectionsAreWrittenWhenAskedFor),
        cmocka_unit_test(ExitCodesTellWhatWasWrong),
        cmocka_unit_test(ADivergedRunKeepsItsResults),
        cmocka_unit_test(CheckSaysWhatIsThere),
        cmocka_unit_test(HelpIsThere),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
