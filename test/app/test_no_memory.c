// SPDX-License-Identifier: MIT
// Every allocation of short runs of the commands fails once: there is no crash, and either the result is that of a run
// with memory, or the exit code is 5 and the message says why. What ODE allocates itself is spared: it crashes.
#include "app/shell.h"

#include "command.h"
#include "count_alloc.h"

#include <fcntl.h>
#include <signal.h>

static const char SCENE[] =
    "reeve: 1\nuntil: 0.03\nevery: 0.02\nground: -3\n"
    "bodies:\n  ball: {mass: 2, position: [3, 0, 0], shapes: [{type: sphere, radius: 0.1}]}\n"
    "  beam: {position: [0, 5, 0], shapes: [{type: mesh, file: flat.obj}], type: static}\n"
    "  arm: {mass: 5, position: [1, 5, 0], shapes: [{type: box, sides: [1, 0.2, 0.2]}]}\n"
    "joints:\n  pin: {type: hinge, b: arm, point: [0.5, 5, 0], axis: [0, 1, 0]}\n"
    "cables:\n"
    "  rope: {route: [{attach: world, point: [0, 0, 0]}, {attach: ball, point: [0, 0, 0]}]}\n"
    "  wire:\n    model: ancf\n    elements: 70\n    diameter: 10 mm\n    bending_stiffness: 1\n    route:\n"
    "      - {attach: world, point: [0, 2, 0]}\n      - {attach: world, point: [2, 2, 0]}\n"
    "events: [{at: 0.02, break: wire}]\n"
    "outputs: [ball.position.z, wire.moment]\n"
    "commands: {pin.angular_speed: [[0, 0], [1, 1]]}\n";

enum { MOST_FAULTS = 5000 };

// What `out` and "printed" hold, but for times of the clock.
static char* read_results(void)
{
    char command[900], *text = NULL;
    size_t size = 0;
    snprintf(command, sizeof command,
             "cd '%s' && cat printed $(find out -type f 2>/dev/null | LC_ALL=C sort) 2>/dev/null | "
             "sed '/wall time/d;/^[^ ]*wall/d' | cksum; find '%s/out' 2>/dev/null | LC_ALL=C sort | cksum",
             folder, folder);
    FILE* in = popen(command, "r");
    FILE* out = open_memstream(&text, &size);
    assert_true(in && out);
    for (int c; (c = fgetc(in)) != EOF;)
        fputc(c, out);
    assert_int_equal(pclose(in), 0);
    assert_int_equal(fclose(out), 0);
    return text;
}

typedef struct {
    int status; // as of wait
    bool failed;
} Outcome;

// Runs a command in a child whose number-th allocation fails; 0: none.
static Outcome run_starved(int (*command)(int, char**), char** argv, long number)
{
    Outcome outcome = {0};
    char line[600];
    int argc = 0, failed[2];
    while (argv[argc])
        ++argc;
    snprintf(line, sizeof line, "rm -rf '%s/out' '%s/new.yaml'", folder, folder);
    assert_int_equal(system(line), 0);
    assert_int_equal(pipe(failed), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        static const int crashes[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
        for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; ++i)
            signal(crashes[i], SIG_DFL); // cmocka catches them
        if (chdir(folder) != 0)
            _exit(99);
        int printed = open("printed", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        int said = open("said", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(printed, 1);
        dup2(said, 2);
        count_alloc_fail_at(number, "libode");
        int code = command(argc, argv);
        fflush(NULL);
        char flag = count_alloc_has_failed();
        _exit(write(failed[1], &flag, 1) == 1 ? code : 98);
    }
    close(failed[1]);
    char flag = 1; // where it was killed
    ssize_t got = read(failed[0], &flag, 1);
    outcome.failed = got != 1 || flag;
    close(failed[0]);
    assert_int_equal(waitpid(child, &outcome.status, 0), child);
    return outcome;
}

static void starve(int (*command)(int, char**), char** argv)
{
    if (!count_alloc_can_fail())
        skip();
    write_file("t.yaml", SCENE);
    write_file("flat.obj", "v -1 -1 0\nv 1 -1 0\nv 0 1 0\nf 1 2 3\n");
    assert_int_equal(run_starved(command, argv, 0).status, 0);
    char* whole = read_results();
    long number = 1, refused = 0;
    for (; number < MOST_FAULTS; ++number) {
        Outcome outcome = run_starved(command, argv, number);
        if (!outcome.failed && outcome.status == 0) // else it failed in a child of the command
            break;
        const char* said = read_file("said");
        if (!WIFEXITED(outcome.status))
            fail_msg("allocation %ld: killed by signal %d; %s", number, WTERMSIG(outcome.status), said);
        if (WEXITSTATUS(outcome.status) == RV_EXIT_OK) {
            char* results = read_results();
            if (strcmp(results, whole) != 0)
                fail_msg("allocation %ld: exit code 0, but other files", number);
            free(results);
            continue;
        }
        ++refused;
        if (WEXITSTATUS(outcome.status) != RV_EXIT_MEMORY || !strstr(said, "memory"))
            fail_msg("allocation %ld: exit code %d; %s", number, WEXITSTATUS(outcome.status), said);
    }
    free(whole);
    assert_true(number > 1 && number < MOST_FAULTS);
    print_message("%s: %ld allocations, %ld refused\n", argv[0], number - 1, refused);
}

static void RunSurvivesEachMissingAllocation(void** state)
{
    (void)state;
    char* argv[] = {"run", "t.yaml", "--out", "out", "--report", "--sections", "--set", "bodies.ball.mass=3 kg", NULL};
    starve(rv_cmd_run, argv);
}

static void CheckSurvivesEachMissingAllocation(void** state)
{
    (void)state;
    char* argv[] = {"check", "t.yaml", NULL};
    starve(rv_cmd_check, argv);
}

static void NewSurvivesEachMissingAllocation(void** state)
{
    (void)state;
    char* argv[] = {"new", "new", NULL};
    starve(rv_cmd_new, argv);
}

static void DocsSurviveEachMissingAllocation(void** state)
{
    (void)state;
    char *scene[] = {"docs", "scene", NULL}, *schema[] = {"docs", "schema", NULL};
    starve(rv_cmd_docs, scene);
    starve(rv_cmd_docs, schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RunSurvivesEachMissingAllocation),
        cmocka_unit_test(CheckSurvivesEachMissingAllocation),
        cmocka_unit_test(NewSurvivesEachMissingAllocation),
        cmocka_unit_test(DocsSurviveEachMissingAllocation),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
