// SPDX-License-Identifier: MIT
#include "support/file.h"

#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], path[100], draft[110];

static const char* content_of(const char* name)
{
    static char text[1000];
    FILE* file = fopen(name, "r");
    if (!file)
        return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static bool is_there(const char* name)
{
    return access(name, F_OK) == 0;
}

static void put(const char* text)
{
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int start(void** state)
{
    (void)state;
    snprintf(folder, sizeof folder, "reeve_file_XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/x", folder);
    snprintf(draft, sizeof draft, "%s/x.part", folder);
    return 0;
}

static int end(void** state)
{
    (void)state;
    unlink(path);
    unlink(draft);
    return rmdir(folder); // fails where something else was left
}

static void WholeFileIsSeenOnlyWhenItIsClosed(void** state)
{
    (void)state;
    rvFile file;
    put("old");
    assert_true(rv_file_open(&file, path, true));
    fputs("new", file.out);
    fflush(file.out);
    assert_string_equal(content_of(path), "old");
    assert_true(rv_file_close(&file, true));
    assert_string_equal(content_of(path), "new");
    assert_false(is_there(draft));
}

static void FileThatIsGivenUpLeavesTheOldOne(void** state)
{
    (void)state;
    rvFile file;
    put("old");
    assert_true(rv_file_open(&file, path, true));
    fputs("new", file.out);
    assert_false(rv_file_close(&file, false));
    assert_string_equal(content_of(path), "old");
    assert_false(is_there(draft));
}

static void FileThatIsThereIsKept(void** state)
{
    (void)state;
    rvFile file;
    put("old");
    assert_false(rv_file_open(&file, path, false));
    assert_int_equal(errno, EEXIST);
    assert_false(is_there(draft));
    unlink(path);
    assert_true(rv_file_open(&file, path, false));
    fputs("new", file.out);
    put("came in between");
    assert_false(rv_file_close(&file, true));
    assert_int_equal(errno, EEXIST);
    assert_string_equal(content_of(path), "came in between");
}

static void StreamGrowsByRows(void** state)
{
    (void)state;
    rvFile file;
    assert_true(rv_file_open(&file, path, false));
    fputs("head\n", file.out);
    assert_false(is_there(path));
    assert_true(rv_file_end_row(&file));
    assert_string_equal(content_of(path), "head\n");
    fputs("row\n", file.out);
    assert_string_equal(content_of(path), "head\n");
    assert_true(rv_file_end_row(&file));
    assert_string_equal(content_of(path), "head\nrow\n");
    assert_true(rv_file_close(&file, true));
}

// A file that may not be longer than 100 bytes, as a disk that is full at this place.
static void RowWithoutRoomIsCutOffAndItsReasonKept(void** state)
{
    (void)state;
    rvFile file;
    struct rlimit before, limit;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 100;
    assert_true(rv_file_open(&file, path, false));
    int rows = 0;
    setrlimit(RLIMIT_FSIZE, &limit);
    do
        fputs("0123456789 123\n", file.out);
    while (rv_file_end_row(&file) && ++rows < 100);
    int reason = errno;
    fputs("more", file.out);
    bool closed = rv_file_close(&file, true);
    int reasonAtClose = errno;
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(rows, 6); // of 15 bytes
    assert_int_equal(reason, EFBIG);
    assert_false(closed);
    assert_int_equal(reasonAtClose, EFBIG);
    assert_int_equal(strlen(content_of(path)), 90);
}

static void WholeFileWithoutRoomIsNotThere(void** state)
{
    (void)state;
    rvFile file;
    struct rlimit before, limit;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 100;
    put("old");
    assert_true(rv_file_open(&file, path, true));
    for (int i = 0; i < 10000; ++i)
        fputs("0123456789", file.out);
    setrlimit(RLIMIT_FSIZE, &limit);
    bool closed = rv_file_close(&file, true);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_false(closed);
    assert_string_equal(content_of(path), "old");
    assert_false(is_there(draft));
}

static void LinkIsReplacedNotFollowed(void** state)
{
    (void)state;
    rvFile file;
    char target[100];
    snprintf(target, sizeof target, "%s.target", folder);
    FILE* behind = fopen(target, "w");
    assert_non_null(behind);
    fputs("untouched", behind);
    fclose(behind);
    char to[110];
    snprintf(to, sizeof to, "../%s", target);
    assert_int_equal(symlink(to, path), 0);
    assert_false(rv_file_open(&file, path, false));
    assert_true(rv_file_open(&file, path, true));
    fputs("new", file.out);
    assert_true(rv_file_close(&file, true));
    assert_string_equal(content_of(target), "untouched");
    assert_string_equal(content_of(path), "new");
    unlink(target);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(WholeFileIsSeenOnlyWhenItIsClosed, start, end),
        cmocka_unit_test_setup_teardown(FileThatIsGivenUpLeavesTheOldOne, start, end),
        cmocka_unit_test_setup_teardown(FileThatIsThereIsKept, start, end),
        cmocka_unit_test_setup_teardown(StreamGrowsByRows, start, end),
        cmocka_unit_test_setup_teardown(RowWithoutRoomIsCutOffAndItsReasonKept, start, end),
        cmocka_unit_test_setup_teardown(WholeFileWithoutRoomIsNotThere, start, end),
        cmocka_unit_test_setup_teardown(LinkIsReplacedNotFollowed, start, end),
    };
    return RUN_TESTS(tests);
}
