// SPDX-License-Identifier: MIT
// Workers: runs that hang, crash or come in any order.
#include "study_text.h"
#include "sweep/pool.h"

#include "support/clock.h"

#include <signal.h>

typedef struct {
    int done[64], status[64];
    char message[64][100];
    int count;
} Seen;

static void on_done(void* context, const unsigned char* bytes, size_t size)
{
    Seen* seen = context;
    rvRecord record;
    assert_true(rv_record_read(bytes, size, &record));
    seen->done[record.run]++;
    seen->status[record.run] = (int)record.status;
    snprintf(seen->message[record.run], 100, "%.*s", (int)record.messageLength, record.message);
    seen->count++;
}

static void do_all(rvPool* pool, int runs, Seen* seen)
{
    int next = 0;
    double begin = rv_wall_clock();
    while (seen->count < runs) {
        while (next < runs && rv_pool_room(pool) > 0)
            rv_pool_give(pool, next++);
        assert_true(rv_pool_wait(pool, 0.1, on_done, seen));
        assert_true(rv_wall_clock() - begin < 120.0);
    }
    assert_int_equal(rv_pool_pending(pool), 0);
}

static void EachRunIsDoneOnce(void** state)
{
    (void)state;
    rvStudy* study = good_study("runs: 40\nvary: {bodies.load.mass: {uniform: {from: 1 t, to: 3 t}}}\n"
                                "figures: {peak: {max: rope.tension}}\n"
                                "series: {first: 1, interval: 1e-4, outputs: [rope.tension]}\nset: {step: 100 us}\n");
    Seen seen = {0};
    rvPool* pool = rv_pool_start(study, 3);
    assert_non_null(pool);
    do_all(pool, 40, &seen); // run 0 has 10001 rows of series: more than one message
    for (int run = 0; run < 40; ++run) {
        assert_int_equal(seen.done[run], 1);
        assert_int_equal(seen.status[run], RV_RUN_OK);
    }
    rv_pool_stop(pool);
    rv_study_free(study);
}

// A run without end costs its time limit; those that waited behind it are done, too.
static void ARunThatHangsCostsItsTimeLimitOnly(void** state)
{
    (void)state;
    rvStudy* study = good_study("vary: {until: [0.1, 1e8, 0.1, 0.1, 0.1, 0.1]}\ntime_limit: 500 ms\n"
                                "figures: {peak: {max: rope.tension}}\n");
    Seen seen = {0};
    rvPool* pool = rv_pool_start(study, 1);
    double begin = rv_wall_clock();
    do_all(pool, 6, &seen);
    for (int run = 0; run < 6; ++run) {
        assert_int_equal(seen.done[run], 1);
        assert_int_equal(seen.status[run], run == 1 ? RV_RUN_TIME_LIMIT : RV_RUN_OK);
    }
    assert_string_equal(seen.message[1], "stopped at its time limit of 0.5 s");
    assert_true(rv_wall_clock() - begin >= 0.5);
    rv_pool_stop(pool);
    rv_study_free(study);
}

static bool is_worker(pid_t candidate, pid_t parent)
{
    char path[100], text[400] = "";
    int owner = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)candidate);
    FILE* file = fopen(path, "r");
    if (!file)
        return false;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    const char* behind = strrchr(text, ')');
    return behind && sscanf(behind + 1, " %*c %d", &owner) == 1 && owner == parent;
}

static pid_t child_of(pid_t parent)
{
    for (pid_t candidate = parent + 1; candidate < parent + 2000; ++candidate)
        if (is_worker(candidate, parent))
            return candidate;
    return 0;
}

// A worker that is gone amidst a run: this run failed, with the signal; all others are done.
static void ACrashCostsOneRun(void** state)
{
    (void)state;
    rvStudy* study = good_study("vary: {until: [0.1, 1e8, 0.1, 0.1]}\ntime_limit: 100 s\n"
                                "figures: {peak: {max: rope.tension}}\n");
    Seen seen = {0};
    rvPool* pool = rv_pool_start(study, 1);
    for (int run = 0; run < 4; ++run)
        rv_pool_give(pool, run);
    for (int i = 0; i < 200 && seen.count < 1; ++i)
        rv_pool_wait(pool, 0.05, on_done, &seen);
    assert_int_equal(seen.count, 1);
    usleep(20000); // the second run has begun, and does not end
    pid_t keeper = child_of(getpid());
    assert_true(keeper > 0);
    pid_t worker = child_of(keeper);
    assert_true(worker > 0);
    kill(worker, SIGABRT);
    for (int i = 0; i < 200 && seen.count < 4; ++i)
        rv_pool_wait(pool, 0.05, on_done, &seen);
    assert_int_equal(seen.count, 4);
    assert_int_equal(seen.status[1], RV_RUN_FAILED);
    assert_string_equal(seen.message[1], "its process was ended by signal 6 (Aborted)");
    assert_int_equal(seen.status[2], RV_RUN_OK);
    assert_int_equal(seen.status[3], RV_RUN_OK);
    rv_pool_stop(pool);
    rv_study_free(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EachRunIsDoneOnce),
        cmocka_unit_test(ARunThatHangsCostsItsTimeLimitOnly),
        cmocka_unit_test(ACrashCostsOneRun),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
