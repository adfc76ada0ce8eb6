// SPDX-License-Identifier: MIT
// The list of a folder: a line that says what it is, then a name on each line, that of a folder with '/' at its end.
#include "support/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char LIST[] = ".reeve";
static const char TITLE[] = "# Written by reeve run into this folder; its next run here removes them.\n";

bool rv_make_folders(const char* path)
{
    char part[1024];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof part) {
        errno = ENAMETOOLONG;
        return false;
    }
    for (size_t i = 1; i <= length; ++i) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return false;
    }
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode)) {
        errno = ENOTDIR;
        return false;
    }
    return true;
}

// ---- names

// What a list may name, whoever wrote it: a file of the folder, or of one folder in it; nothing hidden, nothing above.
static bool is_name(const char* name, size_t length)
{
    const char* slash = memchr(name, '/', length);
    size_t first = slash ? (size_t)(slash - name) : length;
    if (first == 0 || name[0] == '.' || memchr(name, '\0', length))
        return false;
    return !slash || first + 1 == length || (slash[1] != '.' && !memchr(slash + 1, '/', length - first - 1));
}

// The folder that a name is in, with the rest of the name; -1: there is none, or a link in its place.
static int open_parent(const rvFolder* folder, const char** name)
{
    char parent[256];
    const char* slash = strchr(*name, '/');
    if (!slash || slash[1] == '\0')
        return dup(folder->directory);
    if ((size_t)(slash - *name) >= sizeof parent)
        return -1;
    memcpy(parent, *name, (size_t)(slash - *name));
    parent[slash - *name] = '\0';
    *name = slash + 1;
    return openat(folder->directory, parent, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// The lines of the list that are whole and name something; NULL at the end. `length` is without the newline.
static const char* next_line(const rvFolder* folder, const char* line, size_t* length)
{
    if (folder->listed.size < sizeof TITLE)
        return NULL;
    const char* end = (const char*)folder->listed.data + folder->listed.size;
    line = line ? line + *length + 1 : (const char*)folder->listed.data + sizeof TITLE - 1;
    for (; line < end; line += *length + 1) {
        const char* newline = memchr(line, '\n', (size_t)(end - line));
        if (!newline)
            return NULL; // cut off: what it was to name was not made
        *length = (size_t)(newline - line);
        if (is_name(line, *length))
            return line;
    }
    return NULL;
}

static bool is_listed(const rvFolder* folder, const char* name)
{
    size_t length = 0;
    for (const char* line = NULL; (line = next_line(folder, line, &length));)
        if (length == strlen(name) && memcmp(line, name, length) == 0)
            return true;
    return false;
}

// ---- opening

static bool read_list(rvFolder* folder)
{
    char buffer[4096];
    ssize_t count;
    while ((count = read(folder->list, buffer, sizeof buffer)) > 0)
        rv_bytes_add(&folder->listed, buffer, (size_t)count);
    if (folder->listed.failed)
        errno = ENOMEM;
    return count == 0 && !folder->listed.failed;
}

// A list that was cut off while its first line was written is ours, too.
static bool is_our_list(const rvFolder* folder)
{
    size_t known = folder->listed.size < sizeof TITLE - 1 ? folder->listed.size : sizeof TITLE - 1;
    return known == 0 || memcmp(folder->listed.data, TITLE, known) == 0;
}

rvFolderAnswer rv_folder_open(rvFolder* folder, const char* path, bool force)
{
    memset(folder, 0, sizeof *folder);
    folder->force = force;
    folder->directory = folder->list = -1;
    if (snprintf(folder->path, sizeof folder->path, "%s", path) >= (int)sizeof folder->path) {
        errno = ENAMETOOLONG;
        return RV_FOLDER_FAILED;
    }
    if (!rv_make_folders(path))
        return RV_FOLDER_FAILED;
    folder->directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->directory >= 0)
        folder->list = openat(folder->directory, LIST, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_APPEND, 0666);
    rvFolderAnswer answer = RV_FOLDER_FAILED;
    if (folder->list >= 0 && flock(folder->list, LOCK_EX | LOCK_NB) != 0)
        answer = errno == EWOULDBLOCK ? RV_FOLDER_LOCKED : RV_FOLDER_FAILED;
    else if (folder->list >= 0 && read_list(folder))
        answer = is_our_list(folder) ? RV_FOLDER_OPEN : RV_FOLDER_FOREIGN;
    if (answer != RV_FOLDER_OPEN) {
        int error = errno;
        rv_folder_close(folder);
        errno = error;
    }
    return answer;
}

void rv_folder_close(rvFolder* folder)
{
    if (folder->list >= 0)
        close(folder->list);
    if (folder->directory >= 0)
        close(folder->directory);
    folder->list = folder->directory = -1;
    rv_bytes_release(&folder->listed);
}

// ---- what an earlier run left

// Ours where it is listed and still what was made: a file, not a link.
static bool is_ours(const rvFolder* folder, const char* name, int parent, const char* rest)
{
    struct stat status;
    return fstatat(parent, rest, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode) &&
           is_listed(folder, name);
}

static bool is_missing(int parent, const char* name)
{
    struct stat status;
    return fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;
}

bool rv_folder_is_free(const rvFolder* folder, const char* name)
{
    const char* rest = name;
    char draft[300];
    int parent = open_parent(folder, &rest);
    if (parent < 0)
        return errno == ENOENT;
    snprintf(draft, sizeof draft, "%s.part", rest);
    bool free = folder->force || ((is_missing(parent, rest) || is_ours(folder, name, parent, rest)) &&
                                  (is_missing(parent, draft) || is_listed(folder, name)));
    close(parent);
    return free;
}

static bool is_file(int parent, const char* name)
{
    struct stat status;
    return fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode);
}

static bool remove_file(const rvFolder* folder, const char* line, size_t length)
{
    char name[300], draft[sizeof name + 5];
    if (length >= sizeof name)
        return true;
    memcpy(name, line, length);
    name[length] = '\0';
    const char* rest = name;
    int parent = open_parent(folder, &rest);
    if (parent < 0)
        return true; // its folder is gone
    snprintf(draft, sizeof draft, "%s.part", rest);
    bool gone = (!is_file(parent, rest) || unlinkat(parent, rest, 0) == 0) &&
                (!is_file(parent, draft) || unlinkat(parent, draft, 0) == 0);
    close(parent);
    return gone;
}

// A folder that holds what is not ours stays.
static void remove_folder(const rvFolder* folder, const char* line, size_t length)
{
    char name[300];
    if (length >= sizeof name)
        return;
    memcpy(name, line, length - 1);
    name[length - 1] = '\0';
    unlinkat(folder->directory, name, AT_REMOVEDIR);
}

// Adds to the list, on the disk and here. A line that the disk has no room for is taken back.
static bool write_list(rvFolder* folder, const char* bytes, size_t size)
{
    off_t end = lseek(folder->list, 0, SEEK_END);
    ssize_t count = write(folder->list, bytes, size);
    int error = count < 0 ? errno : ENOSPC;
    rv_bytes_add(&folder->listed, bytes, size);
    if (count == (ssize_t)size && !folder->listed.failed)
        return true;
    errno = ftruncate(folder->list, end) != 0 ? errno : folder->listed.failed ? ENOMEM : error;
    return false;
}

bool rv_folder_clear(rvFolder* folder)
{
    size_t length = 0;
    for (const char* line = NULL; (line = next_line(folder, line, &length));)
        if (line[length - 1] != '/' && !remove_file(folder, line, length))
            return false;
    for (const char* line = NULL; (line = next_line(folder, line, &length));)
        if (line[length - 1] == '/')
            remove_folder(folder, line, length);
    folder->listed.size = 0;
    return ftruncate(folder->list, 0) == 0 && write_list(folder, TITLE, sizeof TITLE - 1);
}

// ---- what this run makes

static bool list_name(rvFolder* folder, const char* name)
{
    char line[300];
    int length = snprintf(line, sizeof line, "%s\n", name);
    return write_list(folder, line, (size_t)length);
}

bool rv_folder_begin(rvFolder* folder, const char* name, rvFile* file)
{
    char path[RV_PATH];
    struct stat status;
    if (!rv_folder_is_free(folder, name)) {
        errno = EEXIST;
        return false;
    }
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    bool exists = lstat(path, &status) == 0;
    if (!(exists && is_listed(folder, name)) && !list_name(folder, name))
        return false;
    if (folder->force) {
        char draft[RV_PATH];
        snprintf(draft, sizeof draft, "%s/%s.part", folder->path, name);
        unlink(draft);
    }
    return rv_file_open(file, path, exists);
}

bool rv_folder_make(rvFolder* folder, const char* name)
{
    char path[256];
    struct stat status;
    snprintf(path, sizeof path, "%.*s", (int)strcspn(name, "/"), name);
    if (fstatat(folder->directory, path, &status, AT_SYMLINK_NOFOLLOW) == 0) {
        errno = ENOTDIR; // a link to a folder, too: what lies behind it is elsewhere
        return S_ISDIR(status.st_mode);
    }
    return list_name(folder, name) && mkdirat(folder->directory, path, 0777) == 0;
}
