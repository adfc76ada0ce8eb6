// SPDX-License-Identifier: MIT
// Appending and reading the journal.
#include "sweep/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 16, TAIL = 4, WINDOW = 1 << 20 };

static const char MAGIC[8] = "RVSWEEP1";
static const uint32_t MARK = 0x4a525652; // "RVRJ"

// The polynomial 0xEDB88320 (reflected 0x04C11DB7), four bits at a time.
uint32_t rv_crc32(uint32_t before, const void* bytes, size_t size)
{
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                       0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    uint32_t crc = ~before;
    for (const unsigned char *b = bytes, *end = b + size; b < end; ++b) {
        crc = table[(crc ^ *b) & 15] ^ (crc >> 4);
        crc = table[(crc ^ (*b >> 4)) & 15] ^ (crc >> 4);
    }
    return ~crc;
}

// ---- writing

static void put_record(rvBytes* out, rvJournalKind kind, const void* bytes, size_t size)
{
    size_t start = out->size;
    rv_bytes_u32(out, MARK);
    rv_bytes_u32(out, (uint32_t)size);
    rv_bytes_u32(out, (uint32_t)kind);
    if (!out->failed)
        rv_bytes_u32(out, rv_crc32(0, out->data + start, 12));
    rv_bytes_add(out, bytes, size);
    rv_bytes_u32(out, rv_crc32(0, bytes, size));
}

static bool write_all(int file, const unsigned char* bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            errno = written == 0 ? ENOSPC : errno;
            return false;
        }
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

// A lock of the process that ends with it, and that its children do not share.
static bool lock_file(int file)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(file, F_SETLK, &lock) == 0)
        return true;
    if (errno == EACCES)
        errno = EAGAIN;
    return errno != EAGAIN; // file systems without locks go without
}

bool rv_journal_create(rvJournal* journal, const char* path, const char* study)
{
    char fresh[1200];
    rvBytes out = {0};
    snprintf(fresh, sizeof fresh, "%s.new", path);
    rv_bytes_add(&out, MAGIC, sizeof MAGIC);
    put_record(&out, RV_JOURNAL_STUDY, study, strlen(study));
    journal->file = out.failed ? -1 : open(fresh, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = journal->file >= 0 && lock_file(journal->file) && write_all(journal->file, out.data, out.size) &&
                fsync(journal->file) == 0 && rename(fresh, path) == 0;
    journal->size = (int64_t)out.size;
    if (out.failed)
        errno = ENOMEM;
    rv_bytes_release(&out);
    if (!good) {
        int reason = errno;
        unlink(fresh);
        rv_journal_close(journal);
        errno = reason;
    }
    return good;
}

bool rv_journal_add(rvJournal* journal, rvJournalKind kind, const void* bytes, size_t size)
{
    rvBytes out = {0};
    if (size > UINT32_MAX) {
        errno = EFBIG;
        return false;
    }
    put_record(&out, kind, bytes, size);
    bool good = !out.failed && lseek(journal->file, journal->size, SEEK_SET) >= 0 &&
                write_all(journal->file, out.data, out.size);
    int reason = out.failed ? ENOMEM : errno;
    if (good)
        journal->size += (int64_t)out.size;
    else if (ftruncate(journal->file, journal->size) != 0)
        good = false; // half a record stays behind; readers leave it out
    rv_bytes_release(&out);
    errno = reason;
    return good;
}

bool rv_journal_sync(rvJournal* journal)
{
    return fdatasync(journal->file) == 0;
}

void rv_journal_close(rvJournal* journal)
{
    if (journal->file >= 0)
        close(journal->file);
    journal->file = -1;
}

// ---- reading

// A part of the file in memory.
typedef struct {
    int file;
    unsigned char* bytes;
    size_t size, capacity;
    int64_t start;
    bool failed;
} Window;

// The bytes at an offset; NULL where the file ends before. Valid until the next call.
static const unsigned char* bytes_at(Window* window, int64_t offset, size_t size)
{
    if (offset >= window->start && offset + (int64_t)size <= window->start + (int64_t)window->size)
        return window->bytes + (offset - window->start);
    size_t wanted = size > WINDOW ? size : WINDOW;
    if (wanted > window->capacity) {
        unsigned char* larger = realloc(window->bytes, wanted);
        if (!larger) {
            window->failed = true;
            return NULL;
        }
        window->bytes = larger;
        window->capacity = wanted;
    }
    window->start = offset;
    window->size = 0;
    while (window->size < wanted) {
        ssize_t got =
            pread(window->file, window->bytes + window->size, wanted - window->size, offset + (int64_t)window->size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            window->failed = true;
        if (got <= 0)
            break;
        window->size += (size_t)got;
    }
    return window->size >= size ? window->bytes : NULL;
}

static uint32_t number_at(const unsigned char* bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

// The whole record at an offset: its kind, and the length of its bytes. 0: there is none; -1: its head is good but its
// bytes are not.
static int record_at(Window* window, int64_t offset, int64_t fileSize, uint32_t* length)
{
    const unsigned char* head = bytes_at(window, offset, HEAD);
    if (!head || number_at(head) != MARK || number_at(head + 12) != rv_crc32(0, head, 12))
        return 0;
    int kind = (int)number_at(head + 8);
    *length = number_at(head + 4);
    if (offset + HEAD + (int64_t)*length + TAIL > fileSize)
        return 0;
    const unsigned char* bytes = bytes_at(window, offset + HEAD, (size_t)*length + TAIL);
    return bytes && number_at(bytes + *length) == rv_crc32(0, bytes, *length) ? kind : -1;
}

bool rv_journal_scan(int file, rvJournalVisit* visit, void* context, rvJournalState* state)
{
    Window window = {.file = file};
    struct stat status;
    memset(state, 0, sizeof *state);
    if (fstat(file, &status) != 0)
        return false;
    const unsigned char* magic = bytes_at(&window, 0, sizeof MAGIC);
    bool good = magic && memcmp(magic, MAGIC, sizeof MAGIC) == 0, gap = false;
    if (!good)
        errno = EBADMSG;
    state->end = good ? (int64_t)sizeof MAGIC : 0;
    for (int64_t at = state->end; good && at < status.st_size;) {
        uint32_t length = 0;
        int kind = record_at(&window, at, status.st_size, &length);
        if (kind <= 0) {
            gap = true;
            at += kind < 0 ? HEAD + (int64_t)length + TAIL : 1;
            continue;
        }
        state->damaged += gap;
        gap = false;
        state->records++;
        const unsigned char* bytes = bytes_at(&window, at + HEAD, length);
        good = bytes && visit(context, (rvJournalKind)kind, at + HEAD, bytes, length);
        at += HEAD + (int64_t)length + TAIL;
        state->end = at;
    }
    state->leftOver = status.st_size - state->end;
    good = good && !window.failed;
    free(window.bytes);
    return good;
}

bool rv_journal_open(rvJournal* journal, const char* path, rvJournalVisit* visit, void* context, rvJournalState* state)
{
    journal->file = open(path, O_RDWR | O_CLOEXEC);
    bool good = journal->file >= 0 && lock_file(journal->file) &&
                rv_journal_scan(journal->file, visit, context, state) &&
                (state->leftOver == 0 || ftruncate(journal->file, state->end) == 0);
    journal->size = state->end;
    if (!good && journal->file >= 0) {
        int reason = errno;
        rv_journal_close(journal);
        errno = reason;
    }
    return good;
}
