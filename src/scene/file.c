// SPDX-License-Identifier: MIT
// Files read whole, in growing pieces: the size of a pipe is not known before.
#include "scene/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Keeps errno, for the caller to know of memory that is missing.
static char* fail(FILE* file, char* bytes, char* why, size_t capacity, const char* words)
{
    int error = errno;
    snprintf(why, capacity, "%s", error == ENOMEM ? "no memory" : words);
    if (file)
        fclose(file);
    free(bytes);
    errno = error;
    return NULL;
}

char* rv_file_read(const char* path, bool special, size_t limit, size_t* size, char* why, size_t capacity)
{
    struct stat status;
    errno = 0;
    if (stat(path, &status) != 0)
        return fail(NULL, NULL, why, capacity, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return fail(NULL, NULL, why, capacity, "is a folder");
    if (!special && !S_ISREG(status.st_mode))
        return fail(NULL, NULL, why, capacity, "is not a plain file");
    FILE* file = fopen(path, "rb");
    if (!file)
        return fail(NULL, NULL, why, capacity, strerror(errno));
    char* bytes = NULL;
    size_t length = 0, room = 0;
    for (;;) {
        if (length + 1 >= room) {
            room = room ? 2 * room : 65536;
            char* more = realloc(bytes, room);
            if (!more)
                return fail(file, bytes, why, capacity, "no memory");
            bytes = more;
        }
        size_t got = fread(bytes + length, 1, room - 1 - length, file);
        length += got;
        if (length > limit) {
            char words[80];
            double megabytes = (double)status.st_size / 1e6;
            snprintf(words, sizeof words, "is too large: %.1f MB, the limit is %.1f MB",
                     megabytes > (double)limit / 1e6 ? megabytes : (double)length / 1e6, (double)limit / 1e6);
            return fail(file, bytes, why, capacity, words);
        }
        if (got == 0)
            break;
    }
    if (ferror(file))
        return fail(file, bytes, why, capacity, "cannot be read");
    fclose(file);
    bytes[length] = '\0';
    *size = length;
    return bytes;
}
