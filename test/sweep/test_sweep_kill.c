// SPDX-License-Identifier: MIT
// SIGKILL at a hundred random moments: what was reported as done is in the journal, is not done again, and in the end
// all results are those of a sweep that nobody disturbed.
#include "compare.h"

#include "support/clock.h"
#include "support/random.h"

#include <fcntl.h>
#include <signal.h>

enum { KILLS = 100, RUNS = 4000 };

static pid_t start_sweep(bool resume)
{
    write_file("log", ""); // the child may be killed before it opens it
    pid_t child = fork();
    if (child != 0)
        return child;
    if (chdir(folder) != 0)
        _exit(99);
    int log = open("log", O_CREAT | O_TRUNC | O_WRONLY, 0666), null = open("/dev/null", O_WRONLY);
    dup2(log, 1);
    dup2(null, 2);
    execl(REEVE_COMMAND, "reeve", "sweep", "study.yaml", "--out", "killed", "--log", resume ? "--resume" : (char*)NULL,
          (char*)NULL);
    _exit(99);
}

// Notes the runs of whole lines "run N: ok"; none may have been there before.
static int note_log(unsigned char* done)
{
    int count = 0, run;
    char end[3];
    for (const char* line = read_file("log"); strchr(line, '\n'); line = strchr(line, '\n') + 1) {
        if (sscanf(line, "run %d: o%2[k]", &run, end) != 2)
            continue;
        assert_true(run >= 0 && run < RUNS);
        assert_int_equal(done[run], 0);
        done[run] = 1;
        ++count;
    }
    return count;
}

static bool has_journal(void)
{
    char path[400];
    snprintf(path, sizeof path, "%s/killed/sweep.journal", folder);
    return access(path, F_OK) == 0;
}

static void NoFinishedRunIsLost(void** state)
{
    (void)state;
    static unsigned char done[RUNS];
    char error[100];
    write_study("plan: random\nruns: 4000\n"
                "vary: {bodies.load.mass: {uniform: {from: 1 t, to: 2 t}}, until: [0.05, 0.1]}\n"
                "figures: {peak: {max: rope.tension}}\nseries: {every: 7, outputs: [rope.tension]}\n");
    rvStudy* study = load_study(NULL, 0, error, sizeof error);
    assert_non_null(study);
    uint64_t seed = 2026;
    int amidst = 0, reported = 0;
    for (int i = 0; i < KILLS; ++i) {
        pid_t child = start_sweep(has_journal());
        usleep((useconds_t)rv_draw_between(&seed, 2e3, 120e3));
        kill(child, SIGKILL);
        int status;
        waitpid(child, &status, 0);
        amidst += WIFSIGNALED(status);
        reported += note_log(done);
        if (!has_journal())
            continue;
        rvRunTable results;
        open_results(&results, study, "killed");
        assert_int_equal(results.damaged, 0);
        for (int run = 0; run < RUNS; ++run) {
            if (done[run] && results.offsets[run] == 0)
                fail_msg("kill %d: run %d was reported and is lost", i, run);
            // written, but killed before it was reported: not to be repeated either
            done[run] = results.offsets[run] != 0;
        }
        rv_run_table_close(&results);
    }
    assert_true(amidst > KILLS / 2);
    assert_true(reported > 100);
    assert_int_equal(reeve("sweep study.yaml --out killed --quiet --resume"), 0);
    assert_int_equal(reeve("sweep study.yaml --out whole --quiet"), 0);
    assert_same_results(study, "whole", "killed");
    rv_study_free(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(NoFinishedRunIsLost)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
