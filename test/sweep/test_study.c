// SPDX-License-Identifier: MIT
// Studies are read, and their mistakes are named with file, line, column, field and what was expected.
#include "study_text.h"

static const char GOOD[] = "plan: sobol\nruns: 16\nseed: 7\ntime_limit: 2 min\nconfidence: 0.9\n"
                           "set: {until: 500 ms}\n"
                           "vary:\n"
                           "  bodies.load.mass: {lognormal: {mean: 2 t, deviation: 200 kg}}\n"
                           "  start: {delay: rope.winch_speed, uniform: {from: 0 s, to: 100 ms}}\n"
                           "  pull: {scale: rope.winch_speed, values: [1, 0.5]}\n"
                           "  cables.rope.damping: [20 ms, 50 ms]\n"
                           "quantities:\n"
                           "  swing: {angle: [load.position, ball.position]}\n"
                           "figures:\n"
                           "  peak: {max: rope.tension}\n"
                           "  p90: {percentile: rope.tension, rank: 90 %}\n"
                           "  swing: {max: swing}\n"
                           "  late: {first: rope.tension, above: 12 kN}\n"
                           "  slack: {count: slack, in: rope}\n"
                           "limits:\n"
                           "  overload: {figure: peak, above: 20 kN}\n"
                           "  swing: {above: 3 deg}\n"
                           "series: {first: 2, outputs: [swing, load.position.z]}\n"
                           "events: [taut, broken]\n";

static void AStudyIsReadWithItsUnits(void** state)
{
    (void)state;
    rvStudy* study = good_study(GOOD);
    assert_int_equal(study->runCount, 16);
    CHECK_NEAR(study->timeLimit, 120.0, 0.0);
    assert_int_equal(study->parameterCount, 4);
    assert_string_equal(study->parameters[0].unit, "t");
    CHECK_NEAR(study->parameters[0].draw.a, log(2.0) - 0.5 * log1p(0.01), 1e-15); // in t: (0.2/2)^2 = 0.01
    assert_string_equal(study->parameters[3].targets[0].path, "cables.rope.damping");
    assert_int_equal(study->figureCount, 5);
    CHECK_NEAR(study->figures[1].at, 90.0, 0.0);
    CHECK_NEAR(study->figures[3].threshold, 12000.0, 0.0);
    CHECK_NEAR(study->limits[1].threshold, 3.0 * acos(-1.0) / 180.0, 1e-16);
    assert_int_equal(study->limits[1].figure, 2);
    assert_true(rv_study_has_series(study, 1) && !rv_study_has_series(study, 2));
    rv_study_free(study);
}

static void SetChangesTheStudyOrItsScene(void** state)
{
    (void)state;
    char error[2000];
    write_study(GOOD);
    char* sets[] = {"runs=5", "bodies.ball.mass=3", "limits.overload.above=30 kN", "plan=random"};
    rvStudy* study = load_study(sets, 4, error, sizeof error);
    assert_non_null(study);
    assert_int_equal(study->runCount, 5);
    assert_int_equal(study->plan, RV_PLAN_RANDOM);
    CHECK_NEAR(study->limits[0].threshold, 30000.0, 0.0);
    assert_non_null(strstr(study->sceneText, "until: 0.5"));
    assert_non_null(strstr(study->sceneText, "mass: 3"));
    rv_study_free(study);
}

// What decides the results is the identity; titles and limits are not.
static void TheIdentityIsWhatDecidesTheResults(void** state)
{
    (void)state;
    static const struct {
        const char* set;
        bool same;
    } cases[] = {{"title=Another", true},
                 {"limits.overload.above=1 kN", true},
                 {"time_limit=3 s", true},
                 {"seed=8", false},
                 {"runs=17", false},
                 {"bodies.ball.mass=2.5", false},
                 {"figures.peak.from=0.1", false},
                 {"plan=latin", false}};
    rvStudy* study = good_study(GOOD);
    const char* identity = rv_study_identity(study);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char error[2000], *set = (char*)cases[i].set;
        rvStudy* other = load_study(&set, 1, error, sizeof error);
        if (!other)
            fail_msg("%s", error);
        if ((strcmp(rv_study_identity(other), identity) == 0) != cases[i].same)
            fail_msg("%s: the identity is %s", cases[i].set, cases[i].same ? "another" : "the same");
        rv_study_free(other);
    }
    rv_study_free(study);
}

typedef struct {
    const char *body, *message;
} Mistake;

#define FIGURES "figures: {peak: {max: rope.tension}}\n"
#define VARY "vary: {bodies.load.mass: [1 t, 2 t]}\n"

static const Mistake MISTAKES[] = {
    // plans
    {FIGURES, "study.yaml:1:1: vary: is missing, every study needs it"},
    {"vary: {}\n" FIGURES, "study.yaml:3:7: vary: is empty: there is nothing to run"},
    {"vary: {bodies.load.mass: []}\n" FIGURES,
     "3:26: vary.bodies.load.mass: is an empty list: there is nothing to run"},
    {"plan: latin\n" VARY FIGURES, "runs is missing: the plan latin needs it"},
    {"plan: gird\n" VARY FIGURES,
     "study.yaml:3:7: plan: is \"gird\", expected one of grid, random, latin, sobol; did you mean \"grid\"?"},
    {"runs: 0\n" VARY FIGURES, "study.yaml:3:7: runs: is 0, expected a whole number >= 1"},
    {"runs: 1.5\n" VARY FIGURES, "runs: is 1.5, expected a whole number >= 1"},
    {"plan: grid\nruns: 3\n" VARY FIGURES, "study.yaml:4:7: runs is not for the plan grid"},
    {"vary: {bodies.load.mass: {from: 1 t, to: 2 t}}\n" FIGURES,
     "is a range without `steps`, which the plan grid needs"},
    {"repeat: 2\nruns: 4\nplan: random\n" VARY FIGURES, "repeat is for the plan grid, the plan is random"},
    // paths
    {"vary: {bodies.lod.mass: [1 t]}\n" FIGURES,
     "study.yaml:3:25: vary.bodies.lod.mass: there is nothing at \"bodies.lod\", did you mean \"load\"?"},
    {"vary: {bodies.load.mas: [1 t]}\n" FIGURES, "did you mean \"mass\"?"},
    {"vary: {bodies.load.mass: [1 m]}\n" FIGURES, "vary.bodies.load.mass: bodies.load.mass: "},
    {"vary: {bodies.load.mass: [1 t, -2 t]}\n" FIGURES, "bodies.load.mass: is -2 t"},
    {"vary: {late: {delay: rope.winch, values: [1 s]}}\n" FIGURES,
     "vary.late.delay: the scene has no command \"rope.winch\", expected one of rope.winch_speed"},
    {"vary: {late: {delay: rope.winch_speed, values: [1 m]}}\n" FIGURES, "vary.late: is a delay, expected times in s"},
    {"vary: {fast: {scale: rope.winch_speed, values: [1 m]}}\n" FIGURES,
     "vary.fast: is a factor, expected numbers without unit"},
    {"vary: {bodies.load.mass: [1 t], m: {path: bodies.load.mass, values: [2 t]}}\n" FIGURES,
     "\"bodies.load.mass\" is already set by \"bodies.load.mass\""},
    {"set: {bodies.load.mass: 1}\n" VARY FIGURES, "vary: varies, but is set for all runs: \"bodies.load.mass=1\""},
    // distributions
    {"runs: 3\nvary: {bodies.load.mass: {normal: {mean: 1 t, deviation: 0 kg}}}\n" FIGURES,
     "study.yaml:4:58: vary.bodies.load.mass.normal.deviation: is 0 kg, expected a number > 0"},
    {"runs: 3\nvary: {bodies.load.mass: {normal: {mean: 1 t}}}\n" FIGURES,
     "normal.deviation: is missing, every normal needs it: standard deviation, > 0"},
    {"runs: 3\nvary: {bodies.load.mass: {uniform: {from: 2 t, to: 1 t}}}\n" FIGURES,
     "uniform: goes from 2 to 1, expected from < to"},
    {"runs: 3\nvary: {bodies.load.mass: {lognormal: {mean: -1 t, deviation: 1 t}}}\n" FIGURES,
     "lognormal.mean: is -1 t, expected a number > 0"},
    {"runs: 3\nvary: {bodies.load.mass: {weibull: {scale: 1 t, shape: 0}}}\n" FIGURES,
     "weibull.shape: is 0, expected a number > 0"},
    {"runs: 3\nvary: {bodies.load.mass: {normal: {mean: 1 t, deviation: 1 kg, min: 2 t}}}\n" FIGURES,
     "expected more than 1e-6"},
    {"runs: 3\nvary: {bodies.load.mass: {normal: {mean: 1 t, deviation: 5 m}}}\n" FIGURES,
     "is \"5 m\", expected a number in t as the one before"},
    {"runs: 3\nvary: {bodies.load.mass: {uniform: {from: 1 t, to: 2 t}, values: [1 t]}}\n" FIGURES,
     "has more than one kind of values"},
    {"runs: 3\nvary: {bodies.load.mass: {gauss: {mean: 1 t}}}\n" FIGURES, "unknown field of a parameter"},
    // figures, limits, series
    {VARY, "figures: is missing"},
    {VARY "figures: {}\n", "figures: is empty"},
    {VARY "figures: {peak: {max: rope.tenson}}\n", "study.yaml:4:23: figures.peak.max: "},
    {VARY "figures: {peak: {max: load.position}}\n", "which has 3 parts, expected one, as \"load.position.z\""},
    {VARY "figures: {peak: {max: rope.tension, min: rope.tension}}\n", "is both max and min, expected one"},
    {VARY "figures: {p: {percentile: rope.tension}}\n", "a percentile needs `rank`"},
    {VARY "figures: {v: {value: rope.tension, at: 3}}\n", "is at 3 s, after the end of the run at 1 s"},
    {VARY "figures: {n: {count: slak}}\n", "is \"slak\", did you mean \"slack\"?"},
    {VARY "figures: {n: {count: slack, in: hoist}}\n", "the scene has no cable or joint \"hoist\""},
    {VARY "figures: {peak: {max: rope.tension, rank: 3}}\n", "rank: does not belong to a figure of kind max"},
    {VARY FIGURES "limits: {over: {figure: peek, above: 1}}\n", "there is no figure \"peek\", did you mean \"peak\"?"},
    {VARY FIGURES "limits: {peak: {above: 3 m}}\n", "limits.peak.above: is \"3 m\", expected a number in N"},
    {VARY FIGURES "limits: {peak: {}}\n", "limits.peak: expected one of above and below"},
    {VARY FIGURES "series: {runs: [2], outputs: [rope.tension]}\n", "there is no run 2, the last is 1"},
    {VARY FIGURES "series: {outputs: [rope.tension]}\n", "selects no runs"},
    {VARY FIGURES "quantities: {q: {angle: [load.position]}}\n", "quantities.q.angle: is a list of 1"},
    {VARY "figures: {a/b: {max: rope.tension}}\n", "the name is \"a/b\", expected one that is not empty and has no /"},
    {VARY FIGURES "series: {first: 1, outputs: [rope.tension, rope.tension]}\n", "which stands twice"},
    {VARY FIGURES "confidence: 1\n", "confidence is 1, expected a number between 0 and 1"},
    {VARY FIGURES "time_limit: 0 s\n", "time_limit is 0 s, expected a time > 0"},
    {VARY FIGURES "figurs: {}\n", "study.yaml:5:1: figurs: unknown field of a study, did you mean \"figures\"?"},
    {VARY FIGURES "set: {bodies.load.mass: -1}\n", "bodies.load.mass=-1:1:18: bodies.load.mass: is -1"},
    {VARY "figures: [\n", "not YAML"},
};

static void MistakesAreNamed(void** state)
{
    (void)state;
    char error[8000];
    for (size_t i = 0; i < sizeof MISTAKES / sizeof MISTAKES[0]; ++i) {
        write_study(MISTAKES[i].body);
        rvStudy* study = load_study(NULL, 0, error, sizeof error);
        if (study || !strstr(error, MISTAKES[i].message))
            fail_msg("%s\nsays:\n%s\nexpected:\n%s", MISTAKES[i].body, study ? "(nothing)" : error,
                     MISTAKES[i].message);
    }
}

// A study that is cut off, or has a wrong letter, is read or refused in words.
static void AnyDamageIsAnsweredInWords(void** state)
{
    (void)state;
    static const char letters[] = "{[:\"'#x-";
    char text[sizeof GOOD], error[8000];
    for (size_t at = 0; at < strlen(GOOD); at += 11)
        for (int way = 0; way < 2; ++way) {
            memcpy(text, GOOD, sizeof GOOD);
            text[at] = way ? letters[at % (sizeof letters - 1)] : '\0';
            write_study(text);
            rvStudy* study = load_study(NULL, 0, error, sizeof error);
            if (!study && !strstr(error, "study.yaml:") && !strstr(error, ":1:"))
                fail_msg("%s\nsays: %s", text, error);
            rv_study_free(study);
        }
}

static void SeveralMistakesAreNamedAtOnce(void** state)
{
    (void)state;
    char error[4000];
    write_study(
        "runs: -1\nvary: {bodies.load.mass: {normal: {mean: 1 t, deviation: -1 t}}}\nfigures: {a: {max: b.c}}\n");
    assert_null(load_study(NULL, 0, error, sizeof error));
    assert_non_null(strstr(error, "runs: is -1"));
    assert_non_null(strstr(error, "deviation: is -1 t"));
    assert_non_null(strstr(error, "figures.a.max: "));
}

static void ASceneThatIsMissingOrWrongIsNamed(void** state)
{
    (void)state;
    char error[4000];
    write_file("study.yaml", "study: 1\nscene: nowhere.yaml\n" VARY FIGURES);
    assert_null(load_study(NULL, 0, error, sizeof error));
    assert_non_null(strstr(error, "study.yaml:2:8: scene: "));
    assert_non_null(strstr(error, "nowhere.yaml: No such file"));
    write_study(VARY FIGURES);
    write_file("scene.yaml", "reeve: 1\nbodies:\n  load: {mass: -1}\n");
    assert_null(load_study(NULL, 0, error, sizeof error));
    assert_non_null(strstr(error, "scene.yaml:3:16: bodies.load.mass: is -1 kg, expected a number > 0"));
}

static void StudiesAreToldFromScenes(void** state)
{
    (void)state;
    char path[300];
    write_study(VARY FIGURES);
    snprintf(path, sizeof path, "%s/study.yaml", folder);
    assert_true(rv_study_is_one(path));
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    assert_false(rv_study_is_one(path));
    assert_false(rv_study_is_one("/nowhere"));
    static const struct {
        const char* text;
        bool is;
    } texts[] = {{"# study: 1\nreeve: 1\ntitle: 'study: 1'\nbodies:\n  study: {mass: 1}\n", false},
                 {"---\n\"study\" : 1\n", true},
                 {"{\"scene\": \"a, study: 1\", \"study\": 1}", true},
                 {"\n {reeve: 1, bodies: {study: {mass: 1}, b: {mass: 2}}, title: \"\\\", study: 1\"}", false},
                 {"", false},
                 {"{'", false}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        write_file("scene.yaml", texts[i].text);
        assert_int_equal(rv_study_is_one(path), texts[i].is);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(AStudyIsReadWithItsUnits),           cmocka_unit_test(SetChangesTheStudyOrItsScene),
        cmocka_unit_test(TheIdentityIsWhatDecidesTheResults), cmocka_unit_test(MistakesAreNamed),
        cmocka_unit_test(AnyDamageIsAnsweredInWords),         cmocka_unit_test(SeveralMistakesAreNamedAtOnce),
        cmocka_unit_test(ASceneThatIsMissingOrWrongIsNamed),  cmocka_unit_test(StudiesAreToldFromScenes),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
