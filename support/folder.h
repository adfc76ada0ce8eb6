// SPDX-License-Identifier: MIT
// Folders of results.
#pragma once

#include <stdbool.h>

// Makes a folder and those above it. False: errno says why.
bool rv_make_folders(const char* path);
