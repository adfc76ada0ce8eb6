// SPDX-License-Identifier: MIT
// `reeve sweep` from end to end.
#include "compare.h"

#include "sweep/plan.h"

// Runs of different lengths, so that they do not end in their order; one that diverges, one of a time limit.
static const char STUDY[] = "title: A study\nplan: latin\nruns: 30\nvary:\n"
                            "  bodies.load.mass: {uniform: {from: 1 t, to: 3 t}}\n"
                            "  until: [0.05, 0.4, 1]\n"
                            "figures: {peak: {max: rope.tension}, low: {min: ball.position.z}, taut: {count: taut}}\n"
                            "limits: {peak: {above: 20 kN}}\n"
                            "series: {runs: [3, 17], outputs: [rope.tension]}\n";

static bool printed(const char* text)
{
    return strstr(read_file("printed"), text) != NULL;
}

static bool exists(const char* name)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static void AStudyGivesItsFiles(void** state)
{
    (void)state;
    write_study(STUDY);
    assert_int_equal(reeve("sweep study.yaml"), 0);
    assert_true(printed("runs           30 of 30 done"));
    assert_true(printed("30 ok"));
    assert_true(printed("limits         peak"));
    const char* report = read_file("out/study/report.html");
    assert_non_null(strstr(report, "<h1>A study</h1>"));
    assert_non_null(strstr(report, "peak above 20 kN"));
    assert_non_null(strstr(report, "histogram"));
    assert_non_null(strstr(report, "rank correlation (Spearman)"));
    assert_non_null(strstr(report, "exceedance curve"));
    assert_non_null(strstr(report, "reeve sweep study.yaml --run "));
    assert_null(strstr(report, "http")); // no network
    assert_null(strstr(report, "nan"));
    if (exists("out/study/results.h5"))
        assert_memory_equal(read_file("out/study/results.h5"), "\x89HDF", 4);
    else
        assert_true(printed("libhdf5-dev"));
}

static void WorkersAndTheirOrderDoNotMatter(void** state)
{
    (void)state;
    write_study(STUDY);
    assert_int_equal(reeve("sweep study.yaml --workers 1 --out one --quiet"), 0);
    assert_string_equal(exists("one/results.h5") ? read_file("printed") : "", "");
    assert_int_equal(reeve("sweep study.yaml --workers 3 --out three --quiet"), 0);
    char error[100];
    rvStudy* study = load_study(NULL, 0, error, sizeof error);
    assert_same_results(study, "one", "three");
    rv_study_free(study);
}

static void OneRunAgainIsTheSameRun(void** state)
{
    (void)state;
    write_study(STUDY);
    assert_int_equal(reeve("sweep study.yaml --out all --quiet"), 0);
    assert_int_equal(reeve("sweep study.yaml --out all --run 7"), 0);
    assert_true(printed("reeve run ./scene.yaml") || printed("reeve run scene.yaml"));
    assert_true(printed("reeve view all/run_7"));
    char error[100];
    rvStudy* study = load_study(NULL, 0, error, sizeof error);
    rvRunTable results;
    rvRecord record;
    open_results(&results, study, "all");
    assert_true(rv_run_table_read(&results, 7, &record));
    double peak = 0.0, time, tension;
    const char* line = read_file("all/run_7/results.csv");
    for (int i = 0; (line = strchr(line, '\n')) && *++line; ++i)
        if (sscanf(line, "%lf,%lf", &time, &tension) == 2)
            peak = fmax(peak, tension);
    CHECK_NEAR(peak, rv_record_number(record.figures, 0), 1e-7); // twelve digits of some 1e4 N
    rv_run_table_close(&results);
    assert_int_equal(reeve("sweep study.yaml --run 30"), 1);
    assert_true(printed("the study has the runs 0 to 29"));
    rv_study_free(study);
}

static void WhatStandsThereIsNotOverwritten(void** state)
{
    (void)state;
    write_study(STUDY);
    assert_int_equal(reeve("sweep study.yaml --out kept --resume"), 3);
    assert_true(printed("there is no journal to resume from"));
    assert_int_equal(reeve("sweep study.yaml --out kept --quiet"), 0);
    assert_int_equal(reeve("sweep study.yaml --out kept"), 3);
    assert_true(printed("--resume continues it, --restart begins again"));
    assert_int_equal(reeve("sweep study.yaml --out kept --set seed=2 --resume"), 3);
    assert_true(printed("is of another study or scene: was \"seed 1\", is \"seed 2\""));
    assert_int_equal(reeve("sweep study.yaml --out kept --set bodies.ball.mass=3 --resume"), 3);
    assert_true(printed("is of another study or scene: was \""));
    assert_int_equal(reeve("sweep study.yaml --out kept --resume"), 0);
    assert_true(printed("30 of 30 done, 0 now"));
    assert_int_equal(reeve("sweep study.yaml --out kept --resume --set limits.peak.above=1"), 0);
    assert_true(printed("30 of 30 runs: 1 (")); // limits may change: nothing is run again
    if (exists("kept/results.h5")) {
        assert_int_equal(shell("rm kept/sweep.journal"), 0);
        assert_int_equal(reeve("sweep study.yaml --out kept --set seed=2"), 3);
        assert_true(printed("results.h5 is of another study, and is not overwritten"));
    }
    assert_int_equal(reeve("sweep study.yaml --out torn --quiet"), 0);
    assert_int_equal(shell("printf X | dd of=torn/sweep.journal bs=1 seek=40 conv=notrunc"), 0);
    assert_int_equal(reeve("sweep study.yaml --out torn --resume"), 3);
    assert_true(printed("sweep.journal is damaged where it names its study"));
    assert_int_equal(shell("mkdir -p no && echo hello > no/results.h5"), 0);
    assert_int_equal(reeve("sweep study.yaml --out no"), 3);
    assert_true(printed("results.h5 is no HDF5 file, and is not overwritten"));
    assert_string_equal(read_file("no/results.h5"), "hello\n");
    assert_int_equal(shell("mkdir -p odd && echo hello > odd/sweep.journal"), 0);
    assert_int_equal(reeve("sweep study.yaml --out odd --resume"), 3);
    assert_true(printed("sweep.journal is no journal of reeve sweep"));
    assert_int_equal(reeve("sweep study.yaml --out kept --restart --quiet"), 0);
}

// A file that may not grow beyond 2 KB: what was done is kept, and goes on with more room.
static void AFullDiskLosesNothing(void** state)
{
    (void)state;
    write_study(STUDY);
    assert_int_equal(reeve("sweep study.yaml --out whole --quiet"), 0);
    // the unit of ulimit -f is 512 bytes in sh: room for the study and some runs
    assert_int_equal(shell("ulimit -f 6; \"$REEVE\" sweep study.yaml --out full"), 3);
    assert_true(printed("sweep.journal: File too large"));
    assert_true(printed("--out full --resume"));
    assert_int_equal(reeve("sweep study.yaml --out full --resume"), 0);
    assert_false(printed("damaged"));
    assert_false(printed("30 now"));
    char error[100];
    rvStudy* study = load_study(NULL, 0, error, sizeof error);
    assert_same_results(study, "whole", "full");
    rv_study_free(study);
}

// The HDF5 file or the report does not fit: an error, but all runs are in the journal.
static void AFullDiskAtTheEndKeepsTheJournal(void** state)
{
    (void)state;
    write_study(STUDY);
    assert_int_equal(shell("ulimit -f 32; \"$REEVE\" sweep study.yaml --out late"), 3);
    assert_true(printed("30 of 30 done"));
    assert_true(printed("late/re")); // results.h5 or report.html, and why
    assert_false(exists("late/results.h5.new") || exists("late/report.html.new"));
    assert_int_equal(reeve("sweep study.yaml --out late --resume"), 0);
    assert_true(printed("30 of 30 done, 0 now"));
}

// Ctrl-C goes to the process, mpirun sends SIGTERM to all of its group.
static void CtrlCCompletesTheFiles(void** state)
{
    (void)state;
    static const char* const kills[] = {"kill -INT $p", "kill -TERM -$p"}; // -m: a group of its own
    write_study("plan: random\nruns: 100000\nvary: {bodies.load.mass: {uniform: {from: 1 t, to: 2 t}}}\n"
                "figures: {peak: {max: rope.tension}}\n");
    for (int i = 0; i < 2; ++i) {
        char line[400];
        snprintf(line, sizeof line,
                 "bash -c 'set -m; rm -rf cut log; \"$REEVE\" sweep study.yaml --out cut --log > log & p=$!; "
                 "while ! grep -qs \"run 5:\" log; do sleep 0.05; done; %s; wait $p'",
                 kills[i]);
        assert_int_equal(shell(line), 130);
        assert_true(printed("stopped after "));
        assert_true(printed("reeve sweep study.yaml --out cut --resume"));
        assert_non_null(strstr(read_file("cut/report.html"), "</html>"));
        assert_true(exists("cut/results.h5") || printed("libhdf5-dev"));
    }
}

static void FailuresAreResults(void** state)
{
    (void)state;
    write_study("vary:\n  push: {path: commands.ball.force, as: \"[[0, [0, 0, 0]], [0.5, [{}, 0, 0]]]\", "
                "values: [0, 1e305]}\n  until: [1, 1e8]\ntime_limit: 1 s\n"
                "figures: {peak: {max: rope.tension}}\nlimits: {peak: {above: 1 N}}\n");
    assert_int_equal(reeve("sweep study.yaml --out bad --log"), 0);
    assert_true(printed("run 0: ok\n"));
    assert_true(printed("run 1: time limit: stopped at its time limit of 1 s\n"));
    assert_true(printed("run 2: diverged: "));
    assert_true(printed("1 ok, 2 diverged, 1 time limit"));
    assert_true(printed("1 of 1 runs: 1 (0.006309 to 1)")); // of four, one is known to exceed it: 1 - 0.975^(1/4)
    const char* report = read_file("bad/report.html");
    assert_non_null(strstr(report, "Runs without a result"));
    assert_non_null(strstr(report, "stopped at its time limit of 1 s"));
}

static void CheckSaysWhatIsInAStudy(void** state)
{
    (void)state;
    write_study(STUDY);
    assert_int_equal(reeve("check study.yaml"), 0);
    assert_true(printed("study.yaml: good: A study"));
    assert_true(printed("plan       latin, 30 runs, seed 1"));
    assert_int_equal(reeve("check study.yaml --set runs=20"), 0);
    assert_true(printed("20 runs"));
    assert_int_equal(reeve("check study.yaml --set plan=grid"), 2);
    assert_true(printed("runs is not for the plan grid"));
}

static void WrongUseIsExplained(void** state)
{
    (void)state;
    assert_int_equal(reeve("sweep"), 1);
    assert_int_equal(reeve("sweep a.yaml b.yaml"), 1);
    assert_int_equal(reeve("sweep a.yaml --workers 0"), 1);
    assert_true(printed("--workers: is \"0\", expected a whole number of 1 to 4096"));
    assert_int_equal(reeve("sweep a.yaml --resume --restart"), 1);
    assert_int_equal(reeve("sweep nowhere.yaml"), 3);
    assert_true(printed("nowhere.yaml: No such file"));
    write_file("scene.yaml", SCENE);
    assert_int_equal(reeve("sweep scene.yaml"), 2);
    assert_true(printed("scene.yaml:1:1: study: is missing"));
    assert_int_equal(reeve("help sweep"), 0);
    write_study(STUDY);
    assert_int_equal(reeve("run study.yaml"), 2);
    assert_true(printed("study.yaml: is a parameter study, not a scene: `reeve sweep` runs it"));
}

// The documentation is what the program says.
static void TheDocumentsAreUpToDate(void** state)
{
    (void)state;
    static const char line[] =
        "\"$REEVE\" docs schema | cmp - '" REEVE_SCENES "/../docs/scene.schema.json' && \"$REEVE\" docs study > fields "
        "&& sed -n '/^### study$/,$p' '" REEVE_SCENES "/../docs/sweep.md' | cmp - fields";
    if (shell(line) != 0)
        fail_msg("run `reeve docs schema > docs/scene.schema.json`, and put `reeve docs study` at the end of "
                 "docs/sweep.md: %s",
                 read_file("printed"));
}

static void TheExampleStudiesAreGood(void** state)
{
    (void)state;
    assert_int_equal(shell("for s in '" REEVE_SCENES "'/../studies/*.yaml; do \"$REEVE\" check $s || exit 1; done"), 0);
    assert_true(printed("good"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(AStudyGivesItsFiles),     cmocka_unit_test(WorkersAndTheirOrderDoNotMatter),
        cmocka_unit_test(OneRunAgainIsTheSameRun), cmocka_unit_test(WhatStandsThereIsNotOverwritten),
        cmocka_unit_test(AFullDiskLosesNothing),   cmocka_unit_test(AFullDiskAtTheEndKeepsTheJournal),
        cmocka_unit_test(CtrlCCompletesTheFiles),  cmocka_unit_test(FailuresAreResults),
        cmocka_unit_test(CheckSaysWhatIsInAStudy), cmocka_unit_test(WrongUseIsExplained),
        cmocka_unit_test(TheDocumentsAreUpToDate), cmocka_unit_test(TheExampleStudiesAreGood),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
