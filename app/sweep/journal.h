// SPDX-License-Identifier: MIT
// The journal of a study: a file that is only appended to, with a checksum of each record, so that what was written
// survives a kill at any moment. It begins with 8 bytes "RVSWEEP1"; a record is
//
//   u32 mark, u32 length, u32 kind, u32 CRC-32 of these 12 bytes; the bytes; u32 CRC-32 of the bytes
//
// A record that is damaged or incomplete is left out; reading goes on at the next whole one.
#pragma once

#include "support/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    RV_JOURNAL_STUDY = 1, // the identity of the study, the first record
    RV_JOURNAL_RUN = 2    // a record of record.h
} rvJournalKind;

typedef struct {
    int file;
    int64_t size; // whole records end here
} rvJournal;

// What reading found.
typedef struct {
    int64_t records;
    int64_t end;      // behind the last whole record
    int64_t damaged;  // places between whole records that are none
    int64_t leftOver; // bytes behind the last whole record
} rvJournalState;

// Answers false to stop.
typedef bool rvJournalVisit(void* context, rvJournalKind kind, int64_t offset, const unsigned char* bytes, size_t size);

// A new journal with its first record; appears under its name once it is whole. False: errno says why.
bool rv_journal_create(rvJournal* journal, const char* path, const char* study);

// Opens one to append to it; what is left over behind the last whole record is cut off. `visit` sees all records.
// False: errno says why; EBADMSG: it is no journal, EAGAIN: another process appends to it.
bool rv_journal_open(rvJournal* journal, const char* path, rvJournalVisit* visit, void* context, rvJournalState* state);

// Appends a record. False: errno says why, and the journal is as before.
bool rv_journal_add(rvJournal* journal, rvJournalKind kind, const void* bytes, size_t size);

// What was added is on the disk, not only with the system.
bool rv_journal_sync(rvJournal* journal);
void rv_journal_close(rvJournal* journal);

// Reads all whole records of an open file. False: it does not begin as a journal does, or cannot be read.
bool rv_journal_scan(int file, rvJournalVisit* visit, void* context, rvJournalState* state);

// CRC-32 of IEEE 802.3, of `bytes` behind those that gave `before` (0 at the start).
uint32_t rv_crc32(uint32_t before, const void* bytes, size_t size);
