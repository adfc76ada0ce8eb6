// SPDX-License-Identifier: MIT
// The folder of a run, when runs share it, are stopped or killed, or lack room.
#include "app/shell.h"

#include "support/clock.h"
#include "support/random.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

// A ball on a rope: 21 samples with two files for ParaView each, and 61 frames.
static const char SWING[] = "reeve: 1\nuntil: 2\nevery: 0.1\nbodies:\n"
                            "  ball: {mass: 2, position: [3, 0, 0], shapes: [{type: sphere, radius: 0.1}]}\n"
                            "cables:\n  rope:\n    route:\n      - {attach: world, point: [0, 0, 0]}\n"
                            "      - {attach: ball, point: [0, 0, 0]}\noutputs: [ball.position.z, rope.tension]\n";

enum { MOST = 1 << 22 };

static void path_of(const char* name, char path[800])
{
    snprintf(path, 800, "%s/%s", folder, name);
}

static bool is_there(const char* name)
{
    char path[800];
    struct stat status;
    path_of(name, path);
    return lstat(path, &status) == 0;
}

static void pause_for(double seconds)
{
    struct timespec wait = {.tv_sec = (time_t)seconds};
    wait.tv_nsec = (long)(1e9 * (seconds - (double)wait.tv_sec));
    nanosleep(&wait, NULL);
}

// Starts `reeve run swing.yaml --quiet --out OUT` with the end of the run; messages go to "printed".
static pid_t start_run(const char* out, const char* until)
{
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid > 0)
        return pid;
    if (chdir(folder) != 0)
        _exit(99);
    int printed = open("printed", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(printed, 2);
    execl(REEVE_COMMAND, "reeve", "run", "swing.yaml", "--quiet", "--out", out, "--until", until, (char*)NULL);
    _exit(98);
}

static pid_t start_long_run(const char* out)
{
    pid_t pid = start_run(out, "1e6");
    char name[100];
    snprintf(name, sizeof name, "%s/scene.pvd", out);
    for (int i = 0; i < 2000 && !is_there(name); ++i)
        pause_for(0.005);
    assert_true(is_there(name));
    return pid;
}

// ---- two runs

static void RunsThatShareAFolderDoNotMix(void** state)
{
    (void)state;
    write_file("swing.yaml", SWING);
    pid_t first = start_long_run("shared");
    int code = reeve("run swing.yaml --quiet --out shared");
    int status;
    kill(first, SIGTERM);
    assert_int_equal(waitpid(first, &status, 0), first);
    assert_int_equal(code, 3);
    assert_string_equal(read_file("printed"), "reeve run: shared: another reeve run writes into this folder\n");
    double last = -1.0, time;
    int lines = 0;
    for (const char* row = read_file("shared/results.csv"); row && *row; ++lines) {
        if (lines >= 2) {
            assert_int_equal(sscanf(row, "%lf", &time), 1);
            assert_true(time > last);
            last = time;
        }
        row = strchr(row, '\n');
        row += row != NULL;
    }
    assert_true(lines > 3);
    assert_int_equal(reeve("run swing.yaml --quiet --out shared"), 0); // free again
}

// The names of all files below a folder, sorted, a line each.
static char* list_files(const char* name)
{
    char command[500], *text = calloc(1, MOST);
    assert_non_null(text);
    snprintf(command, sizeof command, "cd '%s/%s' && find . | LC_ALL=C sort", folder, name);
    FILE* lines = popen(command, "r");
    assert_non_null(lines);
    size_t size = fread(text, 1, MOST - 1, lines);
    text[size] = '\0';
    assert_int_equal(pclose(lines), 0);
    return text;
}

static void expect_same_files(const char* a, const char* b)
{
    char *first = list_files(a), *second = list_files(b);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void ShorterRunLeavesNothingOfALongerOne(void** state)
{
    (void)state;
    write_file("swing.yaml", SWING);
    assert_int_equal(reeve("run swing.yaml --quiet --out again --report --sections"), 0);
    assert_true(is_there("again/vtk/cables_00020.vtp") && is_there("again/report.html"));
    assert_int_equal(reeve("run swing.yaml --quiet --out again --until 0.5"), 0);
    assert_int_equal(reeve("run swing.yaml --quiet --out once --until 0.5"), 0);
    expect_same_files("again", "once");
    assert_int_equal(reeve("run swing.yaml --quiet --out again --no-vtk --no-replay"), 0);
    assert_int_equal(reeve("run swing.yaml --quiet --out bare --no-vtk --no-replay"), 0);
    expect_same_files("again", "bare");
}

// ---- what is not ours

static void FilesOfOthersAreKept(void** state)
{
    (void)state;
    static const char* const names[] = {"results.csv",  "picture.svg",          "summary.txt",
                                        "scene.pvd",    "replay.bin",           "report.html",
                                        "sections.csv", "vtk/cables_00000.vtp", "results.csv.part"};
    char name[100], command[500];
    write_file("swing.yaml", SWING);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        snprintf(command, sizeof command, "mkdir -p '%s/theirs%zu/vtk'", folder, i);
        assert_int_equal(system(command), 0);
        snprintf(name, sizeof name, "theirs%zu/%s", i, names[i]);
        write_file(name, "theirs");
        snprintf(command, sizeof command, "run swing.yaml --quiet --report --sections --until 0.1 --out theirs%zu", i);
        assert_int_equal(reeve(command), 3);
        assert_non_null(strstr(read_file("printed"), "is there and was not written by reeve run (--force overwrites)"));
        assert_string_equal(read_file(name), "theirs");
        snprintf(command + strlen(command), sizeof command - strlen(command), " --force");
        assert_int_equal(reeve(command), 0);
        assert_string_not_equal(read_file(name), "theirs");
    }
    write_file("theirs0/notes.txt", "theirs");
    write_file("theirs0/vtk/notes.txt", "theirs");
    assert_int_equal(reeve("run swing.yaml --quiet --no-vtk --until 0.1 --out theirs0"), 0);
    assert_string_equal(read_file("theirs0/notes.txt"), "theirs");
    assert_string_equal(read_file("theirs0/vtk/notes.txt"), "theirs");
    assert_false(is_there("theirs0/vtk/cables_00000.vtp"));
}

static void link_to(const char* target, const char* name)
{
    char path[800];
    path_of(name, path);
    unlink(path);
    assert_int_equal(symlink(target, path), 0);
}

static void LinksAreNotFollowed(void** state)
{
    (void)state;
    write_file("swing.yaml", SWING);
    write_file("precious", "precious");
    assert_int_equal(reeve("run swing.yaml --quiet --until 0.1 --out links"), 0);
    link_to("../precious", "links/results.csv");
    assert_int_equal(reeve("run swing.yaml --quiet --until 0.1 --out links"), 3);
    assert_string_equal(read_file("precious"), "precious");
    assert_int_equal(reeve("run swing.yaml --quiet --until 0.1 --out links --force"), 0);
    assert_string_equal(read_file("precious"), "precious");
    assert_int_equal(strncmp(read_file("links/results.csv"), "time,", 5), 0);
    // a folder elsewhere, in the place of vtk/
    assert_int_equal(reeve("run swing.yaml --quiet --until 0.1 --no-vtk --out elsewhere"), 0);
    assert_int_equal(reeve("run swing.yaml --quiet --until 0.1 --no-vtk --out links"), 0);
    link_to("../elsewhere", "links/vtk");
    assert_int_equal(reeve("run swing.yaml --quiet --until 0.1 --out links"), 3);
    assert_false(is_there("elsewhere/cables_00000.vtp"));
    link_to("precious", "links/.reeve");
    assert_int_equal(reeve("run swing.yaml --quiet --until 0.1 --out links"), 3);
    assert_string_equal(read_file("precious"), "precious");
}

// The list of a folder that came from elsewhere may say anything.
static void ForgedListsRemoveNothingOutside(void** state)
{
    (void)state;
    char head[200], forged[600];
    write_file("swing.yaml", SWING);
    write_file("precious", "precious");
    assert_int_equal(reeve("run swing.yaml --quiet --until 0.1 --no-vtk --out forged"), 0);
    const char* list = read_file("forged/.reeve");
    snprintf(head, sizeof head, "%.*s", (int)strcspn(list, "\n"), list);
    snprintf(forged, sizeof forged,
             "%s\n../precious\n./../precious\nvtk/../../precious\nup/precious\n/\n..\n../\nresults", head);
    link_to("..", "forged/up");
    write_file("forged/.reeve", forged);
    write_file("forged/results", "theirs"); // named by a line that is not whole
    assert_int_equal(reeve("run swing.yaml --quiet --until 0.1 --no-vtk --out forged --force"), 0);
    assert_string_equal(read_file("precious"), "precious");
    assert_string_equal(read_file("forged/results"), "theirs");
}

static void StrangeListIsNotTakenForOurs(void** state)
{
    (void)state;
    write_file("swing.yaml", SWING);
    assert_int_equal(reeve("run swing.yaml --quiet --until 0.1 --out strange"), 0);
    write_file("strange/.reeve", "colour = red\n");
    assert_int_equal(reeve("run swing.yaml --quiet --until 0.1 --out strange"), 3);
    assert_string_equal(read_file("printed"), "reeve run: strange: its file .reeve was not written by reeve run\n");
    assert_string_equal(read_file("strange/.reeve"), "colour = red\n");
}

// ---- stopped

static void SignalsStopARunThatKeepsItsResults(void** state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    write_file("swing.yaml", SWING);
    for (int i = 0; i < 3; ++i) {
        char out[20], name[40];
        snprintf(out, sizeof out, "stopped%d", i);
        pid_t pid = start_long_run(out);
        int status;
        kill(pid, signals[i]);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 130);
        snprintf(name, sizeof name, "%s/summary.txt", out);
        assert_non_null(strstr(read_file(name), "\nevents "));
        snprintf(name, sizeof name, "%s/scene.pvd", out);
        assert_non_null(strstr(read_file(name), "</VTKFile>"));
        snprintf(name, sizeof name, "%s/picture.svg", out);
        assert_non_null(strstr(read_file(name), "</svg>"));
    }
}

// nohup makes a program ignore SIGHUP.
static void SignalThatWasIgnoredStaysSo(void** state)
{
    (void)state;
    write_file("swing.yaml", SWING);
    signal(SIGHUP, SIG_IGN);
    pid_t pid = start_long_run("nohup");
    signal(SIGHUP, SIG_DFL);
    int status;
    kill(pid, SIGHUP);
    pause_for(0.02);
    assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
    kill(pid, SIGINT);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 130);
}

// ---- killed

typedef struct {
    char* bytes;
    size_t size;
} Content;

static Content read_content(const char* name)
{
    char path[800];
    Content content = {.bytes = malloc(MOST)};
    assert_non_null(content.bytes);
    path_of(name, path);
    FILE* file = fopen(path, "rb");
    if (!file)
        return content;
    content.size = fread(content.bytes, 1, MOST - 1, file);
    content.bytes[content.size] = '\0';
    fclose(file);
    return content;
}

static bool begins_with(const Content* whole, const char* bytes, size_t size)
{
    return size <= whole->size && memcmp(whole->bytes, bytes, size) == 0;
}

// The file NAME of a run that was killed: missing, or the same as that of the whole run. A stream is its beginning, and
// so are the lines of scene.pvd, which has an end of its own.
static void expect_killed_file(const char* name)
{
    char names[2][500];
    static const char tail[] = "</Collection></VTKFile>\n";
    snprintf(names[0], sizeof names[0], "whole/%s", name);
    snprintf(names[1], sizeof names[1], "killed/%s", name);
    Content whole = read_content(names[0]), killed = read_content(names[1]);
    bool isStream = strcmp(name, "results.csv") == 0 || strcmp(name, "replay.bin") == 0;
    bool good;
    if (strcmp(name, "scene.pvd") == 0)
        good = killed.size > sizeof tail && strcmp(killed.bytes + killed.size - (sizeof tail - 1), tail) == 0 &&
               begins_with(&whole, killed.bytes, killed.size - (sizeof tail - 1));
    else if (strcmp(name, "summary.txt") == 0) // it has the wall time
        good = strstr(killed.bytes, "\nevents ") && killed.bytes[killed.size - 1] == '\n';
    else
        good = begins_with(&whole, killed.bytes, killed.size) && (isStream || killed.size == whole.size);
    // a stream is there with its head
    if (strcmp(name, "results.csv") == 0)
        good = good && strncmp(killed.bytes, "time,ball.position.z,rope.tension\ns,m,N\n", 40) == 0;
    if (strcmp(name, "replay.bin") == 0) {
        uint32_t head = 0;
        memcpy(&head, whole.bytes + 8, sizeof head);
        good = good && killed.size >= 12 + head;
    }
    if (!good)
        fail_msg("%s: %zu bytes of %zu", name, killed.size, whole.size);
    free(whole.bytes);
    free(killed.bytes);
}

// All files that scene.pvd names are there.
static void expect_named_files(void)
{
    Content index = read_content("killed/scene.pvd");
    for (const char* at = index.bytes; index.size > 0 && (at = strstr(at, "file=\"")); ++at) {
        char name[400];
        snprintf(name, sizeof name, "killed/%.*s", (int)strcspn(at + 6, "\""), at + 6);
        assert_true(is_there(name));
    }
    free(index.bytes);
}

// Checks the files of a folder of the run, with its name before theirs; answers how many there are.
static int expect_killed_files(const char* within)
{
    char path[800], name[400];
    int count = 0;
    snprintf(path, sizeof path, "%s/killed/%s", folder, within);
    DIR* files = opendir(path);
    for (struct dirent* entry; files && (entry = readdir(files));) {
        size_t length = strlen(entry->d_name);
        bool isDraft = length > 5 && strcmp(entry->d_name + length - 5, ".part") == 0;
        if (isDraft || entry->d_name[0] == '.' || strcmp(entry->d_name, "vtk") == 0)
            continue;
        snprintf(name, sizeof name, "%s%s", within, entry->d_name);
        expect_killed_file(name);
        ++count;
    }
    if (files)
        closedir(files);
    return count;
}

// Killed at 100 random moments, each time in the folder that the one before left.
static void KilledRunsLeaveWholeFiles(void** state)
{
    (void)state;
    uint64_t seed = 20;
    int killed = 0, between = 0, status;
    write_file("swing.yaml", SWING);
    double start = rv_wall_clock();
    assert_int_equal(reeve("run swing.yaml --quiet --out whole"), 0);
    double length = rv_wall_clock() - start;
    for (int i = 0; i < 100; ++i) {
        pid_t pid = start_run("killed", "2");
        pause_for(rv_draw(&seed) * length);
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        int files = expect_killed_files("") + expect_killed_files("vtk/");
        expect_named_files();
        killed += WIFSIGNALED(status);
        between += WIFSIGNALED(status) && files > 3;
    }
    assert_true(killed > 0 && between > 0); // how many is up to the machine: most of them, and many while they wrote
    assert_int_equal(reeve("run swing.yaml --quiet --out killed"), 0);
    expect_same_files("killed", "whole");
}

// ---- a full disk

// Files may not be longer than 8 kB.
static void FullDiskStopsTheRunAndIsReported(void** state)
{
    (void)state;
    static const char* const options[] = {"--no-replay --no-vtk", "--no-vtk --set every=10", ""};
    static const char* const files[] = {"results.csv", "replay.bin", ""};
    write_file("swing.yaml", SWING);
    for (int i = 0; i < 3; ++i) {
        char command[600], expected[100];
        snprintf(command, sizeof command,
                 "cd '%s' && ulimit -f 8 && '%s' run swing.yaml --quiet --picture 90 --until 100 %s --out full%d > "
                 "printed 2>&1",
                 folder, REEVE_COMMAND, options[i], i);
        int status = system(command);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 3);
        snprintf(expected, sizeof expected, "full%d/%s", i, files[i]);
        const char* printed = read_file("printed");
        assert_non_null(strstr(printed, "reeve run: stopped after "));
        assert_non_null(strstr(printed, expected));
        assert_non_null(strstr(printed, ": File too large\n"));
        assert_ptr_equal(strchr(printed, '\n'), strrchr(printed, '\n')); // once
        snprintf(expected, sizeof expected, "full%d/results.csv", i);
        Content rows = read_content(expected);
        assert_true(rows.size > 40 && rows.bytes[rows.size - 1] == '\n');
        free(rows.bytes);
    }
}

static void FullDiskBehindTheOutputIsReported(void** state)
{
    (void)state;
    char command[600];
    write_file("swing.yaml", SWING);
    snprintf(command, sizeof command, "cd '%s' && '%s' check swing.yaml > /dev/full 2> printed", folder, REEVE_COMMAND);
    int status = system(command);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    assert_string_equal(read_file("printed"), "reeve: standard output: No space left on device\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RunsThatShareAFolderDoNotMix),
        cmocka_unit_test(ShorterRunLeavesNothingOfALongerOne),
        cmocka_unit_test(FilesOfOthersAreKept),
        cmocka_unit_test(LinksAreNotFollowed),
        cmocka_unit_test(ForgedListsRemoveNothingOutside),
        cmocka_unit_test(StrangeListIsNotTakenForOurs),
        cmocka_unit_test(SignalsStopARunThatKeepsItsResults),
        cmocka_unit_test(SignalThatWasIgnoredStaysSo),
        cmocka_unit_test(KilledRunsLeaveWholeFiles),
        cmocka_unit_test(FullDiskStopsTheRunAndIsReported),
        cmocka_unit_test(FullDiskBehindTheOutputIsReported),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
