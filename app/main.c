// SPDX-License-Identifier: MIT
// `reeve COMMAND ...`: finds the command.
#include "command.h"
#include "support/file.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static int print_version(int argc, char** argv)
{
    if (argc > 1)
        return rv_usage("help", "%s takes nothing after it, is \"%s\"", argv[0], argv[1]);
    printf("reeve %s\n", rvVersion());
    return RV_EXIT_OK;
}

static const struct {
    const char* name;
    int (*run)(int argc, char** argv);
} COMMANDS[] = {
    {"run", rv_cmd_run},     {"view", rv_cmd_view},   {"check", rv_cmd_check},    {"new", rv_cmd_new},
    {"sweep", rv_cmd_sweep}, {"bench", rv_cmd_bench}, {"docs", rv_cmd_docs},      {"help", rv_cmd_help},
    {"--help", rv_cmd_help}, {"-h", rv_cmd_help},     {"version", print_version}, {"--version", print_version},
};

static int run_command(int argc, char** argv)
{
    if (argc < 2) {
        rv_cmd_help(1, argv);
        return RV_EXIT_USAGE;
    }
    for (size_t i = 0; i < sizeof COMMANDS / sizeof COMMANDS[0]; ++i)
        if (strcmp(argv[1], COMMANDS[i].name) == 0)
            // `reeve run --help` is `reeve help run`
            return argc == 3 && strcmp(argv[2], "--help") == 0 ? rv_cmd_help(2, argv)
                                                               : COMMANDS[i].run(argc - 1, argv + 1);
    fprintf(stderr, "reeve: there is no command \"%s\".\nTry `reeve help`.\n", argv[1]);
    return RV_EXIT_USAGE;
}

int main(int argc, char** argv)
{
    signal(SIGXFSZ, SIG_IGN); // a file that may not grow is reported like a full disk
    int code = run_command(argc, argv);
    if (rv_flush_output() || code != RV_EXIT_OK)
        return code;
    fprintf(stderr, "reeve: standard output: %s\n", strerror(errno));
    return RV_EXIT_IO;
}
