// SPDX-License-Identifier: MIT
// `reeve bench ...`: hands over to reeve-bench, the program of benchmarks that stands beside this one.
#include "command.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

static const char PROGRAM[] = "reeve-bench";

int rv_cmd_bench(int argc, char** argv)
{
    char path[PATH_MAX];
    (void)argc;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof PROGRAM);
    path[length > 0 ? length : 0] = '\0';
    char* slash = strrchr(path, '/');
    if (!slash) {
        fprintf(stderr, "reeve bench: cannot find the folder of this program: %s\n", strerror(errno));
        return RV_EXIT_IO;
    }
    memcpy(slash + 1, PROGRAM, sizeof PROGRAM);
    execv(path, argv);
    fprintf(stderr, "reeve bench: %s: %s\n", path, strerror(errno));
    if (errno == ENOENT)
        fprintf(stderr, "It was not installed, or built without it (CMake: REEVE_BENCH).\n");
    return RV_EXIT_IO;
}
