// SPDX-License-Identifier: MIT
// The stream under `out` writes by write(2) itself, so that errno of the first failure is known: stdio only keeps that
// there was one.
#define _GNU_SOURCE // fopencookie, renameat2
#include "support/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void note_error(rvFile* file, int error)
{
    if (file->error == 0)
        file->error = error != 0 ? error : EIO;
}

// Once a write has failed nothing is added: what follows a gap would be no row.
static ssize_t write_all(void* cookie, const char* bytes, size_t size)
{
    rvFile* file = cookie;
    for (size_t at = 0; at < size && file->error == 0;) {
        ssize_t count = write(file->descriptor, bytes + at, size - at);
        if (count > 0)
            at += (size_t)count;
        else if (count == 0 || errno != EINTR)
            note_error(file, errno);
    }
    return file->error == 0 ? (ssize_t)size : 0;
}

static bool is_there(const char* path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

// Why nothing is open, with the draft removed.
static bool give_up(rvFile* file, int error)
{
    if (file->out)
        fclose(file->out);
    if (file->descriptor >= 0) {
        close(file->descriptor);
        unlink(file->draft);
    }
    file->out = NULL;
    file->descriptor = -1;
    errno = error;
    return false;
}

bool rv_file_open(rvFile* file, const char* path, bool replaces)
{
    file->out = NULL;
    file->descriptor = -1;
    file->error = 0;
    file->end = 0;
    file->isNamed = false;
    file->replaces = replaces;
    file->atFault = file->path;
    if (snprintf(file->path, sizeof file->path, "%s", path) >= (int)sizeof file->path ||
        snprintf(file->draft, sizeof file->draft, "%s.part", path) >= (int)sizeof file->draft)
        return give_up(file, ENAMETOOLONG);
    if (!replaces && is_there(path))
        return give_up(file, EEXIST);
    file->descriptor = open(file->draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file->descriptor < 0) {
        file->atFault = file->draft;
        return give_up(file, errno);
    }
    file->out = fopencookie(file, "w", (cookie_io_functions_t){.write = write_all});
    return file->out || give_up(file, ENOMEM);
}

static void take_path(rvFile* file)
{
    int failed;
    if (file->replaces)
        failed = rename(file->draft, file->path);
    else {
        failed = renameat2(AT_FDCWD, file->draft, AT_FDCWD, file->path, RENAME_NOREPLACE);
        if (failed != 0 && (errno == EINVAL || errno == ENOSYS)) // not every file system can
            failed = is_there(file->path) ? (errno = EEXIST, -1) : rename(file->draft, file->path);
    }
    if (failed != 0)
        note_error(file, errno);
    else
        file->isNamed = true;
}

bool rv_file_end_row(rvFile* file)
{
    if (fflush(file->out) != 0 || ferror(file->out))
        note_error(file, errno);
    if (file->error == 0 && !file->isNamed)
        take_path(file);
    if (file->error == 0)
        file->end = lseek(file->descriptor, 0, SEEK_CUR);
    errno = file->error;
    return file->error == 0;
}

bool rv_file_close(rvFile* file, bool good)
{
    int before = errno;
    bool isStream = file->isNamed;
    if (fclose(file->out) != 0)
        note_error(file, errno);
    file->out = NULL;
    // the rest of a row that was begun
    if (isStream && (file->error != 0 || !good) && ftruncate(file->descriptor, file->end) != 0)
        note_error(file, errno);
    if (close(file->descriptor) != 0) // a disk behind a network may say only now that it is full
        note_error(file, errno);
    file->descriptor = -1;
    if (!isStream && good && file->error == 0)
        take_path(file);
    if (!file->isNamed)
        unlink(file->draft);
    errno = file->error != 0 ? file->error : before;
    return good && file->error == 0;
}

bool rv_flush_output(void)
{
    return fflush(stdout) == 0 && !ferror(stdout);
}
