// SPDX-License-Identifier: MIT
// Figures of a run against what `reeve run` writes of the same run, step by step.
#include "study_text.h"
#include "sweep/plan.h"
#include "sweep/run.h"

enum { ROWS_MAX = 200, COLUMNS = 7 };

static double table[ROWS_MAX][COLUMNS]; // time, rope.tension, load.position.x y z, ball.position.z, ball.velocity.z
static int rows;

// Runs the scene as `reeve run` does and reads its table.
static void read_table(const rvStudy* study)
{
    char arguments[1000] = "run scene.yaml --out results --no-vtk --no-replay --quiet";
    rvSets sets = {0};
    rv_plan_sets(study, 0, &sets);
    for (int i = 0; i < sets.count; ++i) {
        strcat(arguments, " --set '");
        strcat(arguments, sets.items[i]);
        strcat(arguments, "'");
    }
    rv_sets_release(&sets);
    assert_int_equal(reeve(arguments), 0);
    const char* line = read_file("results/results.csv");
    for (int skip = 0; skip < 2; ++skip)
        line = strchr(line, '\n') + 1;
    for (rows = 0; *line && rows < ROWS_MAX; ++rows) {
        for (int c = 0; c < COLUMNS; ++c) {
            char* end;
            table[rows][c] = strtod(line, &end);
            line = end + 1;
        }
    }
}

static void do_run(const rvStudy* study, rvBytes* bytes, rvRecord* record)
{
    char error[1000];
    rvRunner* runner = rv_runner_open(study, error, sizeof error);
    if (!runner)
        fail_msg("%s", error);
    rv_runner_do(runner, 0, bytes);
    rv_runner_close(runner);
    assert_true(rv_record_read(bytes->data, bytes->size, record));
}

static int compare(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void FiguresAreThoseOfTheTable(void** state)
{
    (void)state;
    rvStudy* study = good_study("vary: {bodies.load.mass: [1.3 t]}\n"
                                "quantities:\n"
                                "  swing: {angle: [ball.position, load.position]}\n"
                                "  apart: {distance: [ball.position, load.position]}\n"
                                "  fast: {magnitude: ball.velocity}\n"
                                "figures:\n"
                                "  max: {max: rope.tension}\n"
                                "  min: {min: rope.tension, from: 0.3, to: 0.7}\n"
                                "  mean: {mean: rope.tension, from: 0.2, to: 0.8}\n"
                                "  p90: {percentile: rope.tension, rank: 90}\n"
                                "  at: {value: ball.position.z, at: 0.505}\n"
                                "  end: {value: ball.position.z, at: 1}\n"
                                "  first: {first: ball.position.z, below: 9}\n"
                                "  never: {first: ball.position.z, below: -100}\n"
                                "  swing: {value: swing, at: 0.5}\n"
                                "  apart: {value: apart, at: 0.5}\n"
                                "  fast: {max: fast}\n"
                                "series: {first: 1, interval: 0.25, outputs: [ball.position.z]}\n");
    rvBytes bytes = {0};
    rvRecord record;
    do_run(study, &bytes, &record);
    assert_int_equal(record.status, RV_RUN_OK);
    read_table(study);
    assert_int_equal(rows, 101);
    double max = 0, min = 1e300, integral = 0, first = -1, sorted[ROWS_MAX];
    for (int r = 0; r < rows; ++r) {
        double tension = table[r][1];
        max = fmax(max, tension);
        if (r >= 30 && r <= 70)
            min = fmin(min, tension);
        if (r > 20 && r <= 80)
            integral += 0.5 * (tension + table[r - 1][1]) * 0.01;
        if (first < 0 && table[r][5] < 9)
            first = table[r][0];
        sorted[r] = tension;
    }
    qsort(sorted, (size_t)rows, sizeof *sorted, compare);
    double dx = table[50][2], dy = table[50][3] - 5.0, dz = table[50][4] - table[50][5];
    // tolerances: the table has 12 digits
    const double expected[] = {max,
                               min,
                               integral / 0.6,
                               sorted[90],
                               0.5 * (table[50][5] + table[51][5]),
                               table[100][5],
                               first,
                               (double)NAN,
                               atan2(hypot(dx, dy), -dz),
                               sqrt(dx * dx + dy * dy + dz * dz),
                               -table[100][6]};
    for (int i = 0; i < 11; ++i) {
        double value = rv_record_number(record.figures, (size_t)i);
        if (isnan(expected[i]))
            assert_true(isnan(value));
        else
            CHECK_NEAR(value, expected[i], 1e-11 * fmax(1.0, fabs(expected[i])));
    }
    assert_int_equal(record.rows, 5);
    assert_int_equal(record.columns, 2);
    for (size_t r = 0; r < 5; ++r) {
        CHECK_NEAR(rv_record_number(record.series, 2 * r), 0.25 * (double)r, 1e-12);
        CHECK_NEAR(rv_record_number(record.series, 2 * r + 1), table[25 * r][5], 1e-10);
    }
    rv_bytes_release(&bytes);
    rv_study_free(study);
}

// A rope that breaks: its time and tension as an event, counted, and the first of them as a figure.
static void EventsAreKeptAndCounted(void** state)
{
    (void)state;
    rvStudy* study = good_study("vary: {cables.rope.breaks_at: [10.5 kN]}\n"
                                "figures:\n"
                                "  broken: {time_of: broken, in: rope}\n"
                                "  count: {count: broken}\n"
                                "  before: {count: broken, to: 0.001}\n"
                                "  slack: {time_of: slack, from: 0.9}\n");
    rvBytes bytes = {0};
    rvRecord record;
    do_run(study, &bytes, &record);
    double at = rv_record_number(record.figures, 0);
    assert_true(at > 0.0 && at < 0.9); // the load falls into the rope: 2 m g
    CHECK_NEAR(rv_record_number(record.figures, 1), 1.0, 0.0);
    CHECK_NEAR(rv_record_number(record.figures, 2), 0.0, 0.0);
    assert_true(isnan(rv_record_number(record.figures, 3)));
    bool found = false;
    const unsigned char* next = record.events;
    for (uint32_t i = 0; i < record.eventCount; ++i) {
        rvRecordEvent event = rv_record_event(&next);
        bool broken = strcmp(rv_event_word(event.type), "broken") == 0;
        found = found || broken;
        if (broken) {
            CHECK_NEAR(event.time, at, 1e-12);
            assert_true(event.value > 10500.0);
            assert_memory_equal(event.object, "rope", 4);
        }
    }
    assert_true(found);
    rv_bytes_release(&bytes);
    rv_study_free(study);
}

// A run after two hundred others has the same bytes as alone: scenes are changed again and again, and read again.
static void ARunDoesNotDependOnThoseBefore(void** state)
{
    (void)state;
    rvStudy* study = good_study("runs: 250\nvary:\n  bodies.load.mass: {uniform: {from: 1 t, to: 3 t}}\n"
                                "  cables.rope.model: [massless, layered]\n"
                                "  late: {delay: rope.winch_speed, uniform: {from: 0, to: 0.3}}\n"
                                "set: {until: 0.3}\n"
                                "figures: {peak: {max: rope.tension}, mean: {mean: load.position.z}}\n"
                                "series: {first: 250, outputs: [rope.tension]}\n");
    char error[1000];
    rvBytes alone = {0}, after = {0};
    rvRunner* fresh = rv_runner_open(study, error, sizeof error);
    rvRunner* used = rv_runner_open(study, error, sizeof error);
    assert_true(fresh && used);
    rv_runner_do(fresh, 249, &alone);
    for (int64_t run = 0; run < 250; ++run)
        rv_runner_do(used, run, &after);
    enum { WALL_FROM = 9, WALL_TO = 17 }; // the wall time may differ
    assert_int_equal(alone.size, after.size);
    assert_memory_equal(alone.data, after.data, WALL_FROM);
    assert_memory_equal(alone.data + WALL_TO, after.data + WALL_TO, alone.size - WALL_TO);
    rv_runner_close(fresh);
    rv_runner_close(used);
    rv_bytes_release(&alone);
    rv_bytes_release(&after);
    rv_study_free(study);
}

static void WhatDivergesIsAResultWithItsMessage(void** state)
{
    (void)state;
    rvStudy* study = good_study("vary: {push: {path: commands.ball.force, as: \"[[0, [0, 0, 0]], [0.5, [0, 0, 0]], "
                                "[0.5, [{}, 0, 0]]]\", values: [1e305]}}\n"
                                "figures: {z: {max: ball.position.z}}\n");
    rvBytes bytes = {0};
    rvRecord record;
    do_run(study, &bytes, &record);
    assert_int_equal(record.status, RV_RUN_DIVERGED);
    assert_true(isnan(rv_record_number(record.figures, 0)));
    assert_true(record.messageLength > 10);
    rv_bytes_release(&bytes);
    rv_study_free(study);
}

// A draw that the scene refuses is a run that failed, with the scene's message: of these masses a sixth is negative.
static void AValueThatDoesNotFitIsAFailedRun(void** state)
{
    (void)state;
    rvStudy* study = good_study("plan: random\nruns: 60\n"
                                "vary: {bodies.ball.mass: {normal: {mean: 1, deviation: 1}}}\n"
                                "set: {until: 0.05}\nfigures: {z: {max: ball.position.z}}\n");
    char error[1000];
    rvBytes bytes = {0};
    rvRunner* runner = rv_runner_open(study, error, sizeof error);
    int failed = 0;
    for (int64_t run = 0; run < 60; ++run) {
        rvRecord record;
        rv_runner_do(runner, run, &bytes);
        assert_true(rv_record_read(bytes.data, bytes.size, &record));
        bool negative = rv_plan_draw(study, run, 0).number <= 0.0;
        assert_int_equal(record.status, negative ? RV_RUN_FAILED : RV_RUN_OK);
        failed += negative;
        if (negative)
            assert_non_null(strstr(record.message, "bodies.ball.mass: is -"));
    }
    assert_true(failed > 0 && failed < 30);
    rv_runner_close(runner);
    rv_bytes_release(&bytes);
    rv_study_free(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FiguresAreThoseOfTheTable),        cmocka_unit_test(EventsAreKeptAndCounted),
        cmocka_unit_test(ARunDoesNotDependOnThoseBefore),   cmocka_unit_test(WhatDivergesIsAResultWithItsMessage),
        cmocka_unit_test(AValueThatDoesNotFitIsAFailedRun),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
