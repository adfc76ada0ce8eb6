// SPDX-License-Identifier: MIT
// Folders of results: one program at a time writes into a folder, and it knows which of the files there are its own.
//
// The file .reeve in the folder is locked by who writes there (flock: the system unlocks it when the program dies) and
// lists the files that were written, each before it is made. The next run removes these; whatever else lies there, and
// links that took the place of a file, stay untouched unless `force` is given.
#pragma once

#include "support/bytes.h"
#include "support/file.h"

typedef struct {
    char path[1024];
    bool force;
    int directory, list; // descriptors; the list is the lock
    rvBytes listed;      // the list
} rvFolder;

typedef enum {
    RV_FOLDER_OPEN,
    RV_FOLDER_LOCKED,  // someone else writes there
    RV_FOLDER_FOREIGN, // the folder has a file .reeve that is none of ours
    RV_FOLDER_FAILED,  // errno says why
} rvFolderAnswer;

// Makes a folder and those above it. False: errno says why.
bool rv_make_folders(const char* path);

// Makes the folder where it is missing, and locks it.
rvFolderAnswer rv_folder_open(rvFolder* folder, const char* path, bool force);

// May a file of this name be written: is there none, or one of ours? "vtk/a.vtp" is one inside of a folder.
bool rv_folder_is_free(const rvFolder* folder, const char* name);

// Removes what an earlier run wrote. False: errno says why.
bool rv_folder_clear(rvFolder* folder);

// Begins a file of this name. False: errno says why; EEXIST: there is one that is not ours.
bool rv_folder_begin(rvFolder* folder, const char* name, rvFile* file);

// Makes a folder; its name ends by '/'. False: errno says why.
bool rv_folder_make(rvFolder* folder, const char* name);

void rv_folder_close(rvFolder* folder);
