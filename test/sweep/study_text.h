// SPDX-License-Identifier: MIT
// A small scene and studies of it, in files of the test's folder.
#pragma once

#include "app/shell.h"
#include "sweep/study.h"

// A load on a rope that a winch takes in, beside a ball that falls.
static const char SCENE[] = "reeve: 1\ntitle: A lift\nstep: 10 ms\nuntil: 1\nevery: 0.01\n"
                            "bodies:\n"
                            "  load: {mass: 1 t, position: [1, 0, 0]}\n"
                            "  ball: {mass: 2, position: [0, 5, 10]}\n"
                            "cables:\n"
                            "  rope:\n"
                            "    damping: 50 ms\n"
                            "    breaks_at: 100 kN\n"
                            "    route: [{winch: world, point: [1, 0, 10]}, {attach: load, point: [0, 0, 0]}]\n"
                            "commands:\n"
                            "  rope.winch_speed: [[0, 0], [200 ms, 0], [0.5, -0.5]]\n"
                            "outputs: [rope.tension, load.position, ball.position.z, ball.velocity.z]\n";

// Runs a line of a shell in the test's folder, with $REEVE as the command; what it prints is in "printed". Answers the
// exit code.
static inline int shell(const char* text)
{
    char line[4000];
    snprintf(line, sizeof line, "cd '%s' && export REEVE='%s' && { %s ; } > printed 2>&1", folder, REEVE_COMMAND, text);
    int status = system(line);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

// Writes scene.yaml and study.yaml, the given text behind a head.
static inline void write_study(const char* body)
{
    char text[4000];
    snprintf(text, sizeof text, "study: 1\nscene: scene.yaml\n%s", body);
    write_file("scene.yaml", SCENE);
    write_file("study.yaml", text);
}

// Loads study.yaml; NULL: the mistakes are in `error`.
static inline rvStudy* load_study(char* const* sets, int setCount, char* error, size_t capacity)
{
    char path[300];
    rvStudy* study;
    snprintf(path, sizeof path, "%s/study.yaml", folder);
    int code = rv_study_load(path, sets, setCount, &study, error, capacity);
    assert_int_equal(code == 0, study != NULL);
    return study;
}

static inline rvStudy* good_study(const char* body)
{
    char error[4000];
    write_study(body);
    rvStudy* study = load_study(NULL, 0, error, sizeof error);
    if (!study)
        fail_msg("%s", error);
    return study;
}
