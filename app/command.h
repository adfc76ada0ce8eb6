// SPDX-License-Identifier: MIT
// The commands of `reeve`, their exit codes and what they share.
#pragma once

#include "reeve/scene.h"
#include "support/templates.h"

#include <stdio.h>

enum {
    RV_EXIT_OK = 0,
    RV_EXIT_USAGE = 1,
    RV_EXIT_SCENE = 2,
    RV_EXIT_IO = 3,
    RV_EXIT_DIVERGED = 4,
    RV_EXIT_MEMORY = 5,
    RV_EXIT_TIME_LIMIT = 6,
    RV_EXIT_INTERRUPTED = 130,
};

// Each takes its own arguments, with its name as the first, and answers the exit code.
int rv_cmd_run(int argc, char** argv);
int rv_cmd_view(int argc, char** argv);
int rv_cmd_check(int argc, char** argv);
int rv_cmd_sweep(int argc, char** argv);
int rv_cmd_new(int argc, char** argv);
int rv_cmd_bench(int argc, char** argv);
int rv_cmd_docs(int argc, char** argv);
int rv_cmd_help(int argc, char** argv);

// The exit code that stands for a status.
int rv_exit_code(rvStatus status);

// Reads a scene and applies `--set` values. On failure prints the reasons and answers an exit code.
int rv_load_scene(const char* path, char* const* sets, int setCount, rvScene** scene);
// The same of one of the command's own scenes.
rvStatus rv_load_template(const rvTemplate* template, rvScene** scene, char* error, size_t capacity);
// Warns of cables that begin inside shapes, or elsewhere than their bulge says.
void rv_warn_of_starts(const char* path, const rvScene* scene, rvWorld* world);

// Prints "reeve run: ..." and where help is; answers RV_EXIT_USAGE.
int rv_usage(const char* command, const char* format, ...) __attribute__((format(printf, 2, 3)));

// The same for what getopt_long refused: it answered '?', or ':' where a value is missing.
int rv_usage_option(const char* command, int answer, char** argv);

// The options of getopt_long that begin so are reported by rv_usage_option, not by itself.
#define RV_OPTIONS ":"

// "out/crane" for "scenes/crane.yaml".
void rv_default_folder(const char* scenePath, char* folder, size_t capacity);

// The manual page reeve(1), on the standard output.
void rv_print_manual(void);

// The templates of `reeve new`, a line each.
void rv_print_templates(FILE* out);
