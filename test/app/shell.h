// SPDX-License-Identifier: MIT
// The command as a shell sees it, in a folder of the test.
#pragma once

#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[200];

// Runs `reeve ARGUMENTS` in the test's folder; what it prints is in "printed". Answers the exit code.
static inline int reeve(const char* arguments)
{
    char line[2000];
    snprintf(line, sizeof line, "cd '%s' && '%s' %s > printed 2>&1", folder, REEVE_COMMAND, arguments);
    int status = system(line);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static inline void write_file(const char* name, const char* text)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static inline const char* read_file(const char* name)
{
    static char text[1 << 20];
    char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* file = fopen(path, "r");
    if (!file)
        return "";
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static inline int make_folder(void** state)
{
    (void)state;
    snprintf(folder, sizeof folder, "reeve_test_XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void** state)
{
    (void)state;
    char line[300];
    snprintf(line, sizeof line, "rm -r '%s'", folder);
    return system(line);
}
