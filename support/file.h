// SPDX-License-Identifier: MIT
// Files of results, written so that whoever reads them, or kills their writer, finds them whole.
//
// A file begins as a draft, PATH.part. A file that is written whole takes its path by rename when it is closed: a
// reader sees what was there before or all of the new file. A stream takes its path with its first row and grows by
// rows; a row that cannot be written in full is cut off. Nothing waits for the disk (fsync): what was written survives
// the death of the program, not that of the machine.
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

enum { RV_PATH = 1200 };

typedef struct {
    FILE* out; // to print into
    int descriptor;
    int error;     // errno of the first failure; 0: none
    bool replaces; // what is at the path is written over
    bool isNamed;  // the draft has taken its path
    off_t end;     // of the last row [bytes]
    char path[RV_PATH], draft[RV_PATH];
    const char* atFault; // the path, or the draft, that could not be opened
} rvFile;

// Must not move while it is open. `replaces`: what is at the path may go; otherwise it stays and EEXIST is the answer.
// False: errno says why, and nothing is open.
bool rv_file_open(rvFile* file, const char* path, bool replaces);

// Ends a row of a stream: it is with the system now. False: errno says why.
bool rv_file_end_row(rvFile* file);

// Closes. A draft takes its path if `good`, else it is removed. False: not `good`, or errno says why something was not
// written.
bool rv_file_close(rvFile* file, bool good);

// What was printed has reached the standard output. False: errno says why.
bool rv_flush_output(void);
